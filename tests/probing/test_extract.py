"""Metrics counted on the masked text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.probing.extract import measure
from judgekit.records import Scored, Unscored
from judgekit.study_measured import Measured

WORDS = Measured(kind="word_count")


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("", 0),
        ("Hello", 1),
        ("Hi [PERSON_1], it is here.", 5),
        ("[PERSON_1] [PRONOUN] [PERSON_2]", 3),
        ("Don't wait, it's well-known.", 4),
        ("El señor está aquí: ¿vale?", 5),
        ("12 parcels, 3.", 3),
        ("e\u0301te\u0301 d'hiver", 2),
        ("... !!! —", 0),
        ("a\n\nb\tc", 3),
    ],
)
def test_words(text, n):
    """A placeholder is one word; a hyphen or an apostrophe joins; punctuation is none."""
    assert measure(text, WORDS) == Scored(float(n))


def test_a_longer_name_does_not_move_the_count():
    """Whoever the person is, the masked text has the same length."""
    assert measure("Dear [PERSON_1], welcome.", WORDS) == measure("Dear [PERSON_2], welcome.", WORDS)


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("It might work, perhaps. It MIGHT.", 3),
        ("mighty perhapses", 0),
        ("as far as I know, as far\nas I   know", 2),
        ("I think it seems", 2),
        ("", 0),
    ],
)
def test_counts_of_terms(text, n):
    """Whole words, whatever the case and the white space between the words of a phrase."""
    terms = ["might", "perhaps", "as far as I know", "I think", "it seems"]
    assert measure(text, Measured(kind="count", terms=terms)) == Scored(float(n))


def test_terms_are_no_patterns():
    """Special characters in a term stand for themselves, and the longest term wins."""
    metric = Measured(kind="count", terms=["a.b", "(sic)", "cost", "cost 60"])
    assert measure("a.b axb (sic) cost 60 cost", metric) == Scored(4.0)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("We will refund it.", Scored(1.0)),
        ("We cannot refund it.", Scored(0.0)),
        ("We will look.", Unscored("no_match")),
        ("We cannot refund it, but we will refund half.", Unscored("conflict")),
        ("", Unscored("no_match")),
    ],
)
def test_binary_is_missing_for_neither_and_for_both(text, outcome):
    """1 for a positive phrase, 0 for a negative one, and never a default."""
    metric = Measured(kind="binary", positive=["will refund"], negative=["cannot refund"])
    assert measure(text, metric) == outcome


@given(st.text(max_size=300))
def test_any_text_has_a_count(text):
    """No text breaks the count, which is a whole number of 0 or more."""
    found = measure(text, WORDS)
    assert isinstance(found, Scored)
    assert found.value >= 0
    assert float(found.value).is_integer()


def test_a_text_of_a_megabyte_is_counted():
    """Long hostile texts end in a number, not in a hang."""
    assert measure("a-" * 300_000, WORDS) == Scored(1.0)
    assert measure("[" * 500_000, WORDS) == Scored(0.0)


@pytest.mark.parametrize(
    "block",
    [
        {"kind": "count"},
        {"kind": "binary", "positive": ["yes"]},
        {"kind": "count", "terms": ["ok", " "]},
        {"kind": "length"},
        {"kind": "word_count", "margin": 0},
    ],
)
def test_a_metric_without_what_it_needs_is_refused(block):
    """Terms, phrases and margins are checked when the study is read."""
    with pytest.raises(ValueError, match=r"needs|empty phrase|Input should"):
        Measured(**block)
