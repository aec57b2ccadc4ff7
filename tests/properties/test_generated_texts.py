"""Generated texts of every kind through blind, verify and fill; `tests/bench/bench_generated_texts.py` runs 100,000."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).resolve().parents[1] / "bench" / "bench_generated_texts.py"


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    """The bench as a module."""
    found = importlib.util.spec_from_file_location("bench_generated_texts", BENCH)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[found.name] = module
    found.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_a_thousand_texts_lose_nothing(bench: ModuleType) -> None:
    """No exception, no text lost, round trips exact, over scripts, controls, surrogates, markup, names and 1 MB lines."""
    verdicts = bench.run(1_000, seed=7)
    assert sum(verdicts.values()) == 1_000
    assert verdicts["verified"] > 300
    assert sum(n for verdict, n in verdicts.items() if verdict.startswith("withheld")) > 300


def test_what_the_check_would_miss_it_does_not(bench: ModuleType) -> None:
    """The check fails on a redactor that loses a character and on one that says verified with a name left."""

    class Careless(bench.Blinder):  # type: ignore[name-defined, misc]
        def mask(self, reply):  # type: ignore[no-untyped-def]
            return super().mask(
                bench.Reply(id=reply.id, text=reply.text[:-1], lang="en", known_names=reply.known_names)
            )

    reply = bench.Reply(id="1", text="Thanks, Ngozi!", lang="en", known_names=("Ngozi",))
    assert bench.check(bench.Case(reply), bench.Blinder(ner="off"), bench.Verifier()) == "verified"
    with pytest.raises(AssertionError, match="did not come back"):
        bench.check(bench.Case(reply), Careless(ner="off"), bench.Verifier())
    left = bench.MaskedText(item="1", text="Thanks, Ngozi!", slots=(), lang="en", known_names=("Ngozi",))
    with pytest.raises(AssertionError, match="ngozi is left"):
        bench._no_name_left(left)
