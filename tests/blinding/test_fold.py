"""Folding: every disguise of a letter folds away, and the way back is exact."""

from __future__ import annotations

import pytest

from judgekit.blinding.fold import Span, fold, settle


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ÉLAN", "elan"),
        ("E\u0301lan", "elan"),
        ("ｅｌａｎ", "elan"),
        ("еlаn", "elan"),
        ("e\u200blan", "elan"),
        ("&eacute;lan", "elan"),
        ("\\u00e9lan", "elan"),
        ("%C3%A9lan", "elan"),
        ("Łódź", "lodz"),
        ("Straße", "strasse"),
        ("it’s", "it's"),
        ("a\u00a0b", "a b"),
    ],
)
def test_disguises_fold_away(text: str, folded: str) -> None:
    """Case, accents, widths, look-alikes, invisible characters and escapes."""
    assert fold(text).folded == folded


@pytest.mark.parametrize(
    "text", ["100% sure & <b>bold</b>", "&nonsense; %ZZ \\uZZZZ", "\ud800 lone", "", "\x00\x1b[2J"]
)
def test_other_text_survives(text: str) -> None:
    """What is no escape stays what it is."""
    view = fold(text)
    for start in range(len(view.folded)):
        a, b = view.source(start, start + 1)
        assert 0 <= a < b <= len(text)


def test_the_way_back() -> None:
    """Folded words point at what was written."""
    view = fold("Hi LUC&iacute;A, Jose\u0301!")
    assert [view.raw(i) for i in range(3)] == ["Hi", "LUC&iacute;A", "Jose\u0301"]


def test_overlaps_are_settled_by_rank_then_length() -> None:
    """The higher rank wins, then the longer span."""
    spans = [Span(0, 5, "a", "x", rank=1), Span(3, 9, "b", "y", rank=2), Span(0, 3, "c", "z", rank=1)]
    assert [s.kind for s in settle(spans)] == ["c", "b"]
