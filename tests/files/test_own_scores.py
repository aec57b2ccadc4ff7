"""Judged scores that come back as a table are known by their ids; everything else is left alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from judgekit.errors import JudgekitError
from judgekit.files.ledger import Ledger
from judgekit.files.own_scores import OwnScores, find_own_scores, nearby
from judgekit.records import BASE, Arm, Judgment, MetricRow, Outcome, Scored, Task, Unscored


def judgment(
    item: str, outcome: Outcome, *, dimension: str = "warmth", judge: str = "j", repeat: int = 0, arm: Arm | None = None
) -> Judgment:
    """A judgment of one text."""
    key = f"{item}|{judge}|{repeat}|{arm}"
    task = Task(item=item, rubric_hash="r", judge=judge, request_key=key, repeat=repeat, arm=arm or BASE)
    return Judgment(
        task=task, dimension=dimension, text_hash="h", fingerprint="f", outcome=outcome, parser_version="1", reason=None
    )


def ledger(folder: Path, judgments: list[Judgment]) -> Path:
    """A study's ledger in ``folder``."""
    path = folder / ".judgekit" / "study" / "ledger.sqlite"
    path.parent.mkdir(parents=True)
    with Ledger.open(path) as open_ledger:
        open_ledger.add_tasks([j.task for j in judgments])
        open_ledger.record_judgments(judgments)
    return path


def table(values: Mapping[str, float | None]) -> list[MetricRow]:
    """Rows of a metric by id."""
    return [
        MetricRow(
            item=item, unit_id="t", group="a", name=None, value=value, missing=None if value is not None else "empty"
        )
        for item, value in values.items()
    ]


def test_equal_values_are_known_and_the_dimension_is_named(tmp_path: Path) -> None:
    """All values of a table, whatever its missing ones and its order, are those of one dimension."""
    scores = {f"r{n}": float(n % 4 + 1) for n in range(30)}
    warm = [judgment(item, Scored(value)) for item, value in scores.items()]
    path = ledger(tmp_path, [*warm, judgment("r31", Unscored("refusal"))])
    (tmp_path / "below").mkdir()
    rows = table({"r31": None, **dict(reversed(scores.items()))})
    assert find_own_scores(rows, tmp_path / "below") == OwnScores("warmth", path, 30)


def test_a_single_other_value_makes_another_metric(tmp_path: Path) -> None:
    """People who agree with the judge on all texts but one have scores of their own."""
    scores = {f"r{n}": float(n % 4 + 1) for n in range(30)}
    ledger(tmp_path, [judgment(item, Scored(value)) for item, value in scores.items()])
    assert find_own_scores(table(scores | {"r7": 5.0}), tmp_path) is None


def test_means_over_repeats_are_judged_scores(tmp_path: Path) -> None:
    """The mean of a judge's repeats, rounded to two decimals, is known; a mean over two judges is not asked for."""
    given = {f"r{n}": [1 + n % 3, 2 + n % 4, 5] for n in range(24)}
    ledger(
        tmp_path,
        [judgment(i, Scored(float(v)), repeat=k) for i, values in given.items() for k, v in enumerate(values)],
    )
    rows = table({i: round(sum(values) / 3, 2) for i, values in given.items()})
    found = find_own_scores(rows, tmp_path)
    assert found is not None
    assert (found.dimension, found.same) == ("warmth", 24)


def test_two_judges_are_not_mixed(tmp_path: Path) -> None:
    """Values that are now one judge's and now the other's are nobody's."""
    scores = {f"r{n}": float(n % 2) for n in range(30)}
    ledger(
        tmp_path,
        [judgment(item, Scored(3.0), judge="one") for item in scores]
        + [judgment(item, Scored(4.0), judge="two") for item in scores],
    )
    mixed = {item: 3.0 + n % 2 for n, item in enumerate(scores)}
    assert find_own_scores(table(mixed), tmp_path) is None
    assert find_own_scores(table(dict.fromkeys(scores, 4.0)), tmp_path) is not None


def test_few_values_count_only_when_they_are_all(tmp_path: Path) -> None:
    """Nineteen equal values among rows that nobody judged are no proof; nineteen of nineteen are."""
    scores = {f"r{n}": float(n % 4 + 1) for n in range(19)}
    ledger(tmp_path, [judgment(item, Scored(value)) for item, value in scores.items()])
    assert find_own_scores(table(scores), tmp_path) is not None
    assert find_own_scores(table(scores | {"stranger": 2.0}), tmp_path) is None


def test_scores_of_the_swap_test_and_other_ids_are_not_compared(tmp_path: Path) -> None:
    """Only texts as they were judged blinded; a table with other ids is not touched."""
    scores = {f"r{n}": float(n % 4 + 1) for n in range(30)}
    arm = Arm(kind="identity", identity="Ana")
    ledger(tmp_path, [judgment(item, Scored(value), arm=arm) for item, value in scores.items()])
    assert find_own_scores(table(scores), tmp_path) is None
    assert find_own_scores(table({f"line {n}": 1.0 for n in range(30)}), tmp_path) is None


def test_what_is_not_ours_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of judgments that judgekit did not write are none; the search ends at the user's home."""
    home, inner = tmp_path / "home", tmp_path / "home" / "work"
    inner.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    scores = {f"r{n}": float(n % 4 + 1) for n in range(30)}
    ledger(tmp_path, [judgment(item, Scored(value)) for item, value in scores.items()])
    (inner / "judgments.jsonl").write_text("no json\n")
    (home / "judgments.jsonl").write_text(json.dumps({"item": "r1", "score": 1}) + "\n")
    assert list(nearby(inner)) == []
    assert find_own_scores(table(scores), inner) is None
    (home / "judgments.jsonl").write_text(
        json.dumps({"judgekit": "judgments"})
        + "\n"
        + "".join(json.dumps({"item": i, "dimension": "tone", "score": s}) + "\n" for i, s in scores.items())
    )
    found = find_own_scores(table(scores), inner)
    assert found is not None
    assert (found.dimension, found.path.name) == ("tone", "judgments.jsonl")


def test_nothing_is_read_when_nothing_is_near(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table is not even opened for the comparison."""
    monkeypatch.setenv("HOME", str(tmp_path))
    rows = iter(table({"r1": 1.0}))
    assert find_own_scores(rows, tmp_path) is None
    assert next(rows).item == "r1"


def test_a_ledger_that_cannot_be_read(tmp_path: Path) -> None:
    """Nobody can tell then: an error, not a pass."""
    path = tmp_path / ".judgekit" / "s" / "ledger.sqlite"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"SQLite format 3\0" + b"x" * 4096)
    with pytest.raises(JudgekitError):
        find_own_scores(table({"r1": 1.0}), tmp_path)
