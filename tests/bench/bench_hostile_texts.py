"""Long hostile lines through mask, verify and fill: processor time per 100 kB, and whether it grows with the length.

    python tests/bench/bench_hostile_texts.py [--sizes 100000 1000000] [--only verify mask fill]

Each line repeats one unit that some rule begins to read: letters, brackets, half placeholders, numbers, names. The goal is
100 ms of verification per 100 kB; a last column above 2 says that ten times the length took more than twenty times as long.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from judgekit.blinding.fill import fill
from judgekit.blinding.mask import Blinder
from judgekit.blinding.verify import Verifier
from judgekit.records import Arm, Identity, MaskedText, NameForms, Reply

UNITS = (
    "a", "she ", "She's ", "Ngozi ", "NGOZI ", "ngozi", "[", "[PERSON_1] ", "[PRONOUN] ", "a.", "@a.", "a@b.", "a-", "a b ", "1 ", "1-", "you are 3 ", "born in ", "\u0301", "é", "&#x41;",
    "%C3%A9", "\\u00e9", "mr. ", "aA", "the nurse said ", "Grace ", "Will ", "Dear Ana, ", "é ", "ella es ", "la señora ", " ", "  .", "\n", "王", "فاطمة ", "A. ", "M as in Mike, ", "https://",
    "thanks, Grace. ", "It was a good day for us. ", "John Smith of Leeds ",
)  # fmt: skip
GOAL = 100.0
PERSON = Identity(group="n", name="Kim Aydin", forms=NameForms(given="Kim", family="Aydin", pronouns="they/them"))
NAMES = ("Ngozi", "Okafor")


def main() -> None:
    """Measure every unit at every size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--only", nargs="+", choices=["verify", "mask", "fill"], default=["verify", "mask", "fill"])
    options = parser.parse_args()
    blinder, verifier = Blinder(ner="off"), Verifier(timeout=60)

    def masked(text: str) -> MaskedText:
        return blinder.mask(Reply(id="1", text=text, lang="en", known_names=NAMES))

    def filling(text: str) -> Callable[[], object]:
        one = masked(text)
        return lambda: fill(one, PERSON, arm=Arm(kind="identity", identity="Kim"))

    stages: dict[str, Callable[[str], Callable[[], object]]] = {
        "verify": lambda text: lambda: verifier.verify_text(item="1", text=text, known_names=NAMES, lang="en"),
        "mask": lambda text: lambda: masked(text),
        "fill": filling,
    }
    masked("warm up")
    for stage in options.only:
        print(f"{stage + ', ms per 100 kB':<26}" + "".join(f"{size:>12,}" for size in options.sizes) + f"{'growth':>9}")
        worst = 0.0
        for unit in UNITS:
            spent = [cost(stages[stage], unit, size) for size in options.sizes]
            worst = max(worst, *spent)
            mark = "  over" if stage == "verify" and max(spent) > GOAL else ""
            growth = spent[-1] / spent[0] if spent[0] else 0.0
            print(f"  {unit!r:<24}" + "".join(f"{ms:>12.1f}" for ms in spent) + f"{growth:>9.1f}{mark}", flush=True)
        print(f"  worst {worst:.0f} ms" + (f" (goal {GOAL:.0f})" if stage == "verify" else ""), flush=True)


def cost(stage: Callable[[str], Callable[[], object]], unit: str, size: int) -> float:
    """User milliseconds per 100,000 characters of a line of one unit."""
    act = stage((unit * (size // len(unit) + 1))[:size])
    started = time.process_time()
    act()
    return (time.process_time() - started) * 1e3 / (size / 100_000)


if __name__ == "__main__":
    main()
