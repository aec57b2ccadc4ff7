"""Promise 2: the verifier shares nothing with the redactor, fails closed, and every stage verifies again."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from judgekit.records import MaskedText, Withheld

ROOT = Path(__file__).resolve().parents[2]


def test_verify_imports_nothing_from_the_rest_of_blinding():
    """Read from the source: no import of the package's other modules, also not inside a function."""
    tree = ast.parse((ROOT / "judgekit" / "blinding" / "verify.py").read_text(encoding="utf-8"))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    assert not {n for n in names if n.startswith("judgekit.blinding")}
    assert "re" not in names


def test_verify_loads_nothing_of_the_redactor():
    """In a process of its own: after `verify` was used no module of the redactor is loaded."""
    code = (
        "import sys, json; from judgekit.blinding.verify import Verifier; from judgekit.records import MaskedText;"
        "Verifier().verify(MaskedText(item='a', text='Hello there, the parcel leaves on Monday.', lang='en'));"
        "print(json.dumps([m for m in sys.modules if m.startswith('judgekit.blinding.')]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert json.loads(done.stdout) == ["judgekit.blinding.verify"]


@pytest.mark.parametrize(
    "text",
    [
        "Ждем вас снова в нашем магазине.",
        "Dear Anna, the parcel leaves on Monday.",
        "She has her parcel now, and he has his.",
        "Dear Mr. Novak, thank you for waiting.",
    ],
)
def test_what_is_not_clean_is_withheld(text):
    """A cue, a known name or a script it does not read: withheld with a code, never passed."""
    from judgekit.blinding.verify import Verifier

    found = Verifier().verify(MaskedText(item="a", text=text, lang="en", known_names=("Anna Novak",)))
    assert isinstance(found, Withheld)
    assert found.code in {"leak", "script", "language"}


def test_withheld_replies_are_counted_by_group_and_their_gap_is_a_finding(make_study, kit):
    """Six withheld women and none of the men: counted in report and findings, with the gap as a reason."""
    rows = kit.reply_rows(replicates=1)
    for row in rows:
        if row["group"] == "women" and row["name_pair"] == "1":
            row["text"] = "Ждем вас снова в нашем магазине, приходите."
    outcome = make_study(rows=rows).run()
    by_group = outcome.findings.blinding.by_group
    assert (by_group["women"]["withheld"], by_group["men"]["withheld"]) == (8, 0)
    reason = next(x for r in outcome.findings.refused for x in r.reasons if x.code == "withheld_gap")
    assert reason.value == pytest.approx(0.25)
    blinded = [json.loads(line) for line in (outcome.run_dir / "blinded.jsonl").read_text().splitlines()]
    assert sum(row["status"] == "withheld" for row in blinded) == 8


def test_a_withheld_text_is_not_sampled_and_not_quoted(make_study, kit):
    """What the verifier withheld reaches neither raters nor the report."""
    rows = kit.reply_rows(replicates=1)
    for row in rows[:4]:
        row["text"] = "Ждем вас снова в нашем магазине, приходите."
    small = make_study(rows=rows)
    outcome = small.run()
    assert "магазине" not in small.space.sample.read_text(encoding="utf-8")
    assert "магазине" not in (outcome.run_dir / "report.md").read_text(encoding="utf-8")
