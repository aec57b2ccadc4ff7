"""Errors: the tree and its exit codes, the message's parts, and that foreign text in them is inert."""

import pytest

from judgekit import errors
from judgekit.errors import BadInput, JudgekitError

CODES = {
    "BadInput": 2,
    "UsageProblem": 2,
    "ConfigProblem": 2,
    "AlreadyThere": 2,
    "InUse": 2,
    "Unfinished": 3,
    "ProviderFailed": 3,
    "DiskFailed": 3,
    "BudgetSpent": 3,
    "Interrupted": 3,
    "RefusedMetric": 5,
    "NotTheMaker": 5,
    "LeakFound": 6,
    "JudgekitError": 70,
}


@pytest.mark.parametrize("name", CODES)
def test_each_error_has_its_exit_code(name):
    """The codes of DESIGN's table."""
    assert getattr(errors, name).exit_code == CODES[name]


def test_the_tree_is_complete():
    """Every exported error is in the table here and in the drawing at the top of the module."""
    assert set(errors.__all__) == set(CODES)
    for name in CODES:
        assert name in errors.__doc__
        assert issubclass(getattr(errors, name), JudgekitError)


def test_a_message_has_place_what_seen_why_and_remedy():
    """All parts in their order."""
    problem = BadInput(
        "a score is off the scale",
        path="r.csv",
        line=7,
        column=3,
        field="score",
        seen=9,
        why="levels are 1 to 5.",
        remedy="mend the row",
    )
    assert str(problem) == (
        "r.csv:7:3: score: a score is off the scale (seen: '9'). Why: levels are 1 to 5. Do: mend the row."
    )


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({}, ""),
        ({"path": "a"}, "a"),
        ({"path": "a", "line": 0}, "a:0"),
        ({"path": "a", "line": 3, "column": 1}, "a:3:1"),
        ({"path": "a", "column": 1}, "a"),
        ({"field": "f"}, "f"),
        ({"path": "a", "field": "f"}, "a: f"),
    ],
)
def test_the_place(given, where):
    """Path, line, column and field where they are known."""
    assert BadInput("x", **given).where == where


HOSTILE = "a\x1b[2J\u202e\x9b31m\x00\ud800[/ b"


def test_foreign_text_in_an_error_is_inert():
    """No control, bidi or lone surrogate of the input reaches the message, in any of its parts."""
    problem = BadInput(HOSTILE, path=HOSTILE, field=HOSTILE, seen=HOSTILE, why=HOSTILE, remedy=HOSTILE)
    for text in (str(problem), problem.where, *map(str, problem.to_dict().values())):
        assert not set(text) & set("\x1b\x9b\x00\u202e\ud800")
        text.encode("utf-8")


def test_a_long_value_is_cut():
    """The value seen takes 80 characters at most."""
    shown = str(BadInput("x", seen="y" * 10_000))
    assert len(shown) < 120
    assert "…" in shown


def test_the_same_facts_as_a_dictionary():
    """For --json: class, parts, exit code."""
    facts = BadInput("x", path="p", line=2, seen=3, why="w", remedy="r").to_dict()
    assert facts == {
        "error": "BadInput",
        "what": "x",
        "path": "p",
        "line": 2,
        "column": None,
        "field": None,
        "seen": "3",
        "why": "w",
        "remedy": "r",
        "exit_code": 2,
    }
