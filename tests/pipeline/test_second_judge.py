"""A second judge held against labels that are there already, and the recording that the demo replays."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from judgekit.blinding.verify import Verifier
from judgekit.demo_study import recorded_judge
from judgekit.errors import BadInput
from judgekit.evidence import HumanLabel
from judgekit.files.ledger import Ledger
from judgekit.judging.handle import make_judge
from judgekit.records import BlindedReply, Contrast, Refused, Reply
from judgekit.rubric import load_rubric
from judgekit.second_judge import PER_CELL, choose, look, look_at_study
from judgekit.study import load_study

RUBRIC = load_rubric("warmth")
PAIR = Contrast("x", "y")


@pytest.fixture(scope="module")
def replies() -> dict[str, Reply]:
    """Three replies of each group to each of twelve templates."""
    return {
        f"{unit}{group}{n}": Reply(
            id=f"{unit}{group}{n}", unit_id=f"t{unit}", group=group, text=f"Case {unit}, note {n}, {group}.", lang="en"
        )
        for unit in range(12)
        for group in "xy"
        for n in range(3)
    }


@pytest.fixture(scope="module")
def texts(replies: dict[str, Reply]) -> dict[str, BlindedReply]:
    """All of them verified."""
    verifier = Verifier()
    made = (verifier.verify_text(item=r.id, text=r.text, lang="en") for r in replies.values())
    return {t.item: t for t in made if isinstance(t, BlindedReply)}


@pytest.fixture(scope="module")
def labels(texts: dict[str, BlindedReply]) -> list[HumanLabel]:
    """Two people's scores of every text, spread over the scale."""
    return [
        HumanLabel(
            item=item,
            dimension="warmth",
            annotator=who,
            value=1 + n % 5,
            text_hash=text.text_hash,
            rubric_hash=RUBRIC.hash,
            labelled_at="2026-01-05T00:00:00Z",
        )
        for n, (item, text) in enumerate(sorted(texts.items()))
        for who in ("ana", "karim")
    ]


def test_the_choice_is_balanced_and_the_same_for_any_order(labels: list[HumanLabel], replies: dict[str, Reply]) -> None:
    """As many labelled texts of each template and group, one pair of each template, the first of group a."""
    chosen = choose(labels, replies, PAIR, seed=3)
    assert chosen == choose(labels[::-1], dict(reversed(replies.items())), PAIR, seed=3)
    assert chosen != choose(labels, replies, PAIR, seed=4)
    assert len(set(chosen.items)) == 12 * 2 * PER_CELL
    assert [(replies[p.a_item].group, replies[p.b_item].group) for p in chosen.pairs] == [("x", "y")] * 12
    assert {item for pair in chosen.pairs for item in (pair.a_item, pair.b_item)} <= set(chosen.items)
    few = [label for label in labels if label.item.startswith(("0x", "1y"))]
    assert choose(few, replies, PAIR, seed=3).pairs == ()


def test_a_judge_that_takes_the_first_and_says_one_score_is_refused(
    tmp_path: Path, labels: list[HumanLabel], replies: dict[str, Reply], texts: dict[str, BlindedReply]
) -> None:
    """Position bias at its end with an interval, every pair inconsistent, kappa 0, and a refusal by the usual checks."""
    (tmp_path / "study.yaml").write_text(
        json.dumps({"study": "s", "data": {"replies": "r.csv"}, "rubrics": {"warmth": {"rubric": "warmth"}}})
    )
    study = load_study(tmp_path)
    chosen = choose(labels, replies, PAIR, seed=3)
    judge = make_judge("stub:first=1,value=1")
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        found = look(chosen, study, RUBRIC, replies, texts, labels, judge, ledger, secret=b"s")
    asked = 12 * 2 * PER_CELL
    assert (found.texts, found.scores, found.unscored) == (asked, {"1": asked}, {})
    assert found.outcomes == {"inconsistent": 12}
    assert found.position.value == 0.5
    assert 0.2 < found.position.interval.low < 0.5
    assert found.reference is not None
    assert found.reference.kappa == 0
    (verdict,) = found.verdicts
    assert isinstance(verdict, Refused)
    assert {"too_few", "uninformative"} <= {reason.code for reason in verdict.reasons}


def test_a_study_without_a_run_or_labels_is_refused(make_study, kit, tmp_path: Path) -> None:
    """Never run, then without a label: BadInput that says which, and the judge is not asked."""
    small = make_study(rows=kit.reply_rows(templates=4, replicates=1))
    judge = make_judge("stub:value=1")
    with Ledger.open(tmp_path / "second.sqlite") as ledger:
        with pytest.raises(BadInput, match="never run"):
            look_at_study(small.study, judge, ledger, secret=b"s")
        (small.base / "runs" / "small-20260101T000000.000Z-abcdef").mkdir(parents=True)
        with pytest.raises(BadInput, match="is labelled"):
            look_at_study(small.study, judge, ledger, secret=b"s")
        assert not ledger.judges_asked()


def test_the_recording_is_small_whole_and_tells_no_place() -> None:
    """One judge, an answer to every request, one kind of file part, no path, no name, no task of a study."""
    path = recorded_judge()
    assert path.stat().st_size < 300_000
    with Ledger.open(path, read_only=True) as ledger:
        (asked,) = ledger.judges_asked()
        assert asked.endpoint == "local:SmolLM2-135M-Instruct.Q4_1.gguf@-"
        assert len(asked.body["parameters"]["weights"]) == 64
        assert list(ledger.tasks(superseded=True)) == []
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    counts = connection.execute(
        "SELECT count(*), (SELECT count(*) FROM attempts WHERE raw IS NOT NULL) FROM calls WHERE body IS NOT NULL"
    ).fetchone()
    assert counts[0] == counts[1] > 50
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    said = "".join(str(row) for row in connection.execute("SELECT * FROM calls JOIN attempts ON call_id = calls.id"))
    connection.close()
    assert not any(word in said for word in ("/tmp", "/home", "/root", "Halvane", "Pembrick", "Okavunde"))
