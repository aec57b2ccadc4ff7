"""Foreign text made safe for a terminal, visible, and able to be restored."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.printable import marked, printable, restore

ANY = st.text(st.characters(exclude_categories=()), max_size=60)


@given(ANY)
def test_nothing_invisible_or_obeyed_comes_through(text):
    """No control, format, surrogate, private or unassigned character in the result, for any text."""
    shown = printable(text)
    assert not {unicodedata.category(c) for c in shown} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    shown.encode("utf-8")


@given(ANY)
def test_the_original_can_be_restored(text):
    """The marked pieces give back the text character by character."""
    runs = marked(text)
    assert restore(runs, text)
    assert restore(runs, text + "x") is False


@given(ANY)
def test_plain_pieces_are_parts_of_the_text(text):
    """What is not marked stands in the text as it is."""
    position = 0
    for piece, substitute in marked(text):
        if not substitute:
            found = text.find(piece, position)
            assert found >= position
            position = found + len(piece)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("plain", "plain"),
        ("ñandú, ¿sí? 日本", "ñandú, ¿sí? 日本"),
        ("a\x1b[2J", "a␛[2J"),
        ("\x9b31m", "‹U+009B›31m"),
        ("\x00\x07\x7f", "␀␇␡"),
        ("a\u202eb", "a‹RLO›b"),
        ("a\u200bb\u00ad", "a‹ZWSP›b‹SHY›"),
        ("a\xa0b", "a⍽b"),
        ("\ud800", "‹U+D800›"),
        ("\ufeff", "‹BOM›"),
        ("[PERSON_1] [/ x", "[PERSON_1] [/ x"),
        ("a\nb", "a␊b"),
    ],
)
def test_cases(text, shown):
    """Each kind of character has its symbol; ordinary text in any language is left alone."""
    assert printable(text) == shown


def test_line_breaks_can_be_kept():
    """For blocks of text."""
    assert printable("a\nb\x1b", keep="\n") == "a\nb␛"


@pytest.mark.parametrize("limit", [1, 4, 10])
def test_the_limit_counts_characters(limit):
    """Cut texts end in an ellipsis and are never longer."""
    shown = printable("x" * 30, limit=limit)
    assert len(shown) == limit
    assert shown.endswith("…")
    assert printable("x" * limit, limit=limit) == "x" * limit


def test_anything_can_be_shown():
    """Numbers and None by their text."""
    assert printable(None) == "None"
    assert printable(3.5) == "3.5"


def test_a_wrong_substitute_is_not_restored():
    """A symbol that stands for another character, or plain text that differs, is no restoration."""
    assert not restore([("␛", True)], "\x07")
    assert not restore([("␛", True)], "")
    assert not restore([("a", False)], "b")
