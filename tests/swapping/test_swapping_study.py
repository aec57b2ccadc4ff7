"""A study whose paraphrase arm is reworded by a model and whose judge meets hostile replies."""

from __future__ import annotations

import json

import pytest

from judgekit.cli.main import main
from judgekit.errors import BadInput
from judgekit.pipeline import assess_study, plan_run
from judgekit.records import MaskedText, Slot
from judgekit.reporting.markdown import render_markdown
from judgekit.swapping.model import reworded_by_answer

REWORDERS = '''
"""Models that reword, for tests."""

from judgekit.rewording.paraphrase import paraphrase

ASKED = []


def fair(request):
    ASKED.append(request.prompt)
    return f"<reworded>{request.text.replace('Thanks', 'Many thanks')}</reworded>"


def careless(request):
    return "<reworded>Hello, all is well.</reworded>"
'''


@pytest.fixture
def reworders(tmp_path, monkeypatch):
    """Make ``python:planted_reworders:NAME`` importable."""
    folder = tmp_path / "reworders"
    folder.mkdir()
    (folder / "planted_reworders.py").write_text(REWORDERS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    return lambda name: f"python:planted_reworders:{name}"


def _small(make_study, kit, paraphrase, **judge):
    rows = kit.reply_rows(templates=4)
    for row in rows:
        row["text"] = f"{row['text']} Thanks for the {row['template_id']}."
    swap = {"texts": 40, "margin": 0.6, "paraphrase": paraphrase}
    return make_study(rows=rows, swap_test=swap, judge={"spec": "stub:noise=0.6", **judge})


@pytest.mark.slow
def test_a_model_rewords_and_is_asked_once(make_study, kit, reworders) -> None:
    """Masked texts go out fenced, the arm is judged, a second run and a recomputation ask nobody."""
    import planted_reworders  # type: ignore[import-not-found]

    small = _small(make_study, kit, reworders("fair"))
    planned = plan_run(small.study)
    found = small.run().findings
    asked = list(planted_reworders.ASKED)
    assert asked
    assert all("<<<REPLY " in prompt and "[PERSON_1]" in prompt for prompt in asked)
    names = {row["name"].split()[0] for row in small.rows}
    assert not any(name in prompt for prompt in asked for name in names)
    result = found.swap[0]
    assert result.paraphrase_n >= 5
    assert planned.to_send >= planned.swap_calls > len(asked)
    again = assess_study(small.study)
    assert asked == planted_reworders.ASKED
    assert again.swap[0] == result
    assert plan_run(small.study).to_send == 0


@pytest.mark.slow
def test_a_careless_model_is_not_believed(make_study, kit, reworders) -> None:
    """An answer without the placeholders is left out, and the result says why it has no such arm."""
    found = _small(make_study, kit, reworders("careless")).run().findings
    assert "could not be reworded" in str(found.swap[0].paraphrase_shift)
    assert "placeholder" in render_markdown(found)


@pytest.mark.slow
def test_the_study_runs_the_suite_of_hostile_replies(make_study, kit) -> None:
    """`judge.injection: true`: counts in the run folder and on the report, planned beforehand, and never scores."""
    small = _small(make_study, kit, "none", injection=True)
    before = plan_run(small.study).to_send
    done = small.run()
    written = json.loads((done.run_dir / "injection.json").read_text(encoding="utf-8"))
    (row,) = written["results"]
    assert row["tried"] + row["unscored"] + row["at_top"] == 79
    assert "hostile replies moved the score their way" in render_markdown(done.findings)
    assert "not asked for" in str(done.findings.swap[0].paraphrase_shift)
    counted = done.findings.judging.counts["warmth"]
    assert sum(group["in"] for group in counted.values()) == len(small.rows)
    assert before > 79 + len(small.rows)
    assert plan_run(small.study).to_send == 0
    small.change("judge", {"spec": "stub:noise=0.6", "injection": True, "repeats": 2})
    with pytest.raises(BadInput, match="no answer in the ledger"):
        assess_study(small.study)


@pytest.mark.slow
def test_a_study_compares_pairs_under_swapped_names(make_study, kit, capsys) -> None:
    """`swap_test.pairs`: planned, judged, in the run folder and the report, and sealed only where it is asked for."""
    rows = kit.reply_rows(templates=4)
    for n, row in enumerate(rows):
        row["text"] = f"{row['text']} Order {n} left."
    plain = make_study("plain", rows=rows).study
    assert "pairs" not in plain.sealed_content()["swap_test"]
    small = make_study("pairs", rows=rows, swap_test={"texts": 24, "margin": 0.25, "pairs": 24})
    assert small.study.sealed_content()["swap_test"]["pairs"] == 24
    assert plan_run(small.study).swap_calls - plan_run(plain).swap_calls == 8 * 24
    done = small.run()
    (row,) = json.loads((done.run_dir / "swap_test.json").read_text(encoding="utf-8"))["pairs"]
    assert (row["n"], row["unscored"]) == (24, 0)
    assert "Pairs under swapped names, warmth" in render_markdown(done.findings)
    main(["swaptest", str(small.base)])
    assert "preference" in capsys.readouterr().out


@pytest.mark.parametrize(
    "raw",
    [
        "Hello [PERSON_1], 2 left.",
        "<reworded>Hello [PERSON_1], 3 left.</reworded>",
        "<reworded>2 left, [PERSON_1].</reworded>",
        "<reworded>Hello [PERSON_1] [PERSON_1], 2 left.</reworded>",
        "<reworded>a</reworded><reworded>Hello [PERSON_1], 2 left.</reworded>",
        "<reworded></reworded>",
        "",
    ],
)
def test_answers_that_lose_a_fact_are_refused(raw: str) -> None:
    """No form, two forms, another number, order, or placeholder: a reason instead of a text."""
    slot = Slot(field="text", start=3, end=13, person=1, subject=True, kind="name", form="given", surface="Ana")
    masked = MaskedText(item="1", text="Hi [PERSON_1], 2 left.", slots=(slot,))
    assert isinstance(reworded_by_answer(masked, raw), str)
    assert isinstance(reworded_by_answer(masked, f"<reworded>\n{masked.text}\n</reworded>"), MaskedText)
