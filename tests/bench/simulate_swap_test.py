"""How often a swap test fails a judge that does not react to names, and how often it finds one that does.

Run with ``python tests/bench/simulate_swap_test.py`` from the checkout. A fake judge scores the demo's texts over HTTP
with noise that knows nothing of names (``--noise``: share of answers moved by one level); every run draws other texts
and other noise. With ``--penalty`` the fake judge takes so many levels from one group's names. ``--runs`` and
``--texts`` change the size.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from judgekit.blinding.mask import Blinder
from judgekit.blinding.verify import Verifier
from judgekit.files.ledger import Ledger
from judgekit.files.tables import read_replies
from judgekit.judging.handle import make_judge
from judgekit.judging.swap_results import swap_results
from judgekit.judging.swap_test import choose_texts, judge_fills, swap_fills
from judgekit.records import Contrast, Identity, MaskedText, NameForms, SwapResult
from judgekit.rubric import load_rubric
from judgekit.statistics.proportion import proportion_interval
from judgekit.swapping.arms import by_rules, reworded_fills, wanted_changes

ROOT = Path(__file__).resolve().parents[2]
MOCK = ROOT.parent / "shared" / "tools" / "mock_judge_server.py"
WOMEN = ("Anna Selwick", "Olga Brontes", "Mina Tarvold", "Petra Linquist", "Ines Caldora", "Wanda Ferrol")
MEN = ("Peter Selwick", "Oleg Brontes", "Tariq Tarvold", "Bruno Linquist", "Diego Caldora", "Hugo Ferrol")


def people() -> list[Identity]:
    """Six invented people of each group, with names that are no words of feeling."""
    made = []
    for group, names, title, pronouns in (("women", WOMEN, "Ms.", "she/her"), ("men", MEN, "Mr.", "he/him")):
        for n, name in enumerate(names):
            given, _, family = name.partition(" ")
            forms = NameForms(given=given, family=family, title=title, pronouns=pronouns)
            made.append(Identity(group=group, name=name, forms=forms, name_pair=str(n)))
    return made


def corpus() -> tuple[list[MaskedText], dict[str, str | None]]:
    """The demo's replies, masked, with their templates."""
    replies = read_replies(ROOT / "examples" / "support" / "replies.csv", lang="en")
    blinder = Blinder(lang="en", ner="off")
    return [blinder.mask(r) for r in replies], {r.id: r.unit_id for r in replies}


def one_run(
    url: str, seed: int, texts: int, masked: list[MaskedText], units: dict[str, str | None], verifier: Verifier
) -> SwapResult:
    """One swap test with texts and noise of its own."""
    chosen = choose_texts(masked, texts, seed=seed, units=units)
    fills = swap_fills(chosen, people(), seed=seed, units=units)
    wanted = wanted_changes(chosen, fills, seed=seed)
    arm = reworded_fills(wanted, by_rules(wanted, seed=seed), people(), verify=verifier.verify)
    judge = make_judge("openai:mock-judge-1", base_url=f"{url}/v1", parameters={"temperature": 0.0})
    rubric = load_rubric("warmth")
    with tempfile.TemporaryDirectory() as folder, Ledger.open(Path(folder) / "ledger.sqlite") as ledger:
        everything = [*fills, *arm.fills]
        # The secret makes the nonce, and with it the fake judge's noise.
        secret = f"run {seed}".encode()
        judged = judge_fills(everything, [rubric], judge, ledger, secret=secret, concurrency=16)
    return swap_results(judged, everything, [Contrast("women", "men")], [rubric], margin=0.10, units=units)[0]


def main() -> None:
    """Print the share of every verdict with its interval."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="first seed, so that runs can be shared out")
    parser.add_argument("--texts", type=int, default=80)
    parser.add_argument("--noise", type=float, default=0.3)
    parser.add_argument("--penalty", type=float, default=0.0)
    asked = parser.parse_args()
    command = [sys.executable, str(MOCK), "--port", "0", "--noise", str(asked.noise), "--no-noise-needs-temperature"]
    if asked.penalty:
        command += ["--name-penalty", f"{','.join(name.split()[0] for name in WOMEN)}:{asked.penalty}"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        url = json.loads(server.stdout.readline())["url"]
        masked, units = corpus()
        verifier = Verifier()
        seeds = range(asked.first, asked.first + asked.runs)
        found = [one_run(url, seed, asked.texts, masked, units, verifier) for seed in seeds]
    finally:
        server.terminate()
    verdicts = Counter(r.verdict for r in found)
    print(f"{asked.runs} swap tests of {asked.texts} texts, noise {asked.noise}, penalty {asked.penalty}")
    for verdict in ("failed", "passed", "uninformative"):
        k = verdicts[verdict]
        interval = proportion_interval(k, asked.runs)
        print(f"  {verdict:<14}{k / asked.runs:6.3f}  [{interval.low:.3f}, {interval.high:.3f}]")
    away = sum(r.excess_interval.low > 0 for r in found if hasattr(r.excess_interval, "low"))
    print(f"  names said to do more than rewording: {away / asked.runs:.3f}")
    shifts = [r.shift for r in found if isinstance(r.shift, float)]
    print(f"  mean shift {sum(shifts) / len(shifts):+.4f}")


if __name__ == "__main__":
    main()
