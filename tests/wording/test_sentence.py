"""Sentences: a text in English that can be told again in another language, with the numbers of its readers."""

import copy
import pickle

import pytest

from judgekit.files.json_text import to_jsonable
from judgekit.records import Undefined
from judgekit.wording.languages import language, speaking_in
from judgekit.wording.sentence import ENGLISH, Language, day, numeral, say, series, speaking, told

PLAIN = Language(
    code="xx",
    sentences={
        "about {n} texts": "{n:unu teksto|ĉirkaŭ {n} tekstoj}",
        "{share:.1%} of {n:,} texts": "{share:.1%} el {n:,}",
        "{a}: {why}": "{a} ĉar {why}",
        "no gap": "neniu",
        "since {when:date}": "de {when:date}",
    },
    decimal=",",
    grouping=".",
    percent=" %",
    between="; ",
    months=tuple("abcdefghijkl"),
    date="{day}.{month}.{year}",
)


def test_a_sentence_is_its_english_text_and_can_be_told_again():
    """Equal to the text and as good as a dictionary key; inside a language it is that language's, outside English again."""
    made = say("about {n} texts", n=7)
    assert made == "about 7 texts"
    assert {made: 1}["about 7 texts"] == 1
    with speaking(PLAIN):
        assert told(made) == "ĉirkaŭ 7 tekstoj"
        assert told(say("about {n} texts", n=1)) == "unu teksto"
        assert made == "about 7 texts"
    assert told(made) == "about 7 texts"


def test_sentences_inside_sentences_are_told_too_and_foreign_texts_are_not():
    """A reason inside a line is translated; a foreign text that reads like a sentence of ours, or like a field, stays."""
    line = say("{a}: {why}", a="no gap", why=say("no gap"))
    hostile = say("{a}: {why}", a="{why} {0} {a.__class__}", why="{n}")
    assert line == "no gap: no gap"
    with speaking(PLAIN):
        assert told(line) == "no gap ĉar neniu"
        assert told(hostile) == "{why} {0} {a.__class__} ĉar {n}"
        assert told(series([say("no gap"), "no gap"], "; ")) == "neniu; no gap"


def test_a_sentence_without_fields_is_taken_as_it_stands():
    """Braces in a plain text, such as a reason that quotes somebody, are no fields."""
    assert say("50% of {these") == "50% of {these"
    assert say(say("no gap")) == "no gap"


def test_numbers_have_the_marks_of_the_language():
    """Decimal comma, grouping and percent sign, from a format and from a number that is written already."""
    with speaking(PLAIN):
        assert told(say("{share:.1%} of {n:,} texts", share=0.125, n=12_345)) == "12,5 % el 12.345"
        assert numeral("−0.25") == "−0,25"
    assert numeral("−0.25") == "−0.25"


def test_days_are_written_as_readers_do():
    """An ISO day or time becomes a day; what is no date stays as it is, in a field too."""
    with speaking(PLAIN):
        assert day("2026-04-11T10:00:00Z") == "11.d.2026"
        assert told(say("since {when:date}", when="2026-12-01")) == "de 1.l.2026"
        assert told(say("since {when:date}", when=say("no gap"))) == "de neniu"
        assert [day(x) for x in ("2026-13-01", "2026-04-11, or later", "soon", "")] == [
            "2026-13-01",
            "2026-04-11, or later",
            "soon",
            "",
        ]
    with speaking_in("es"):
        assert day("2026-04-01") == "1 de abril de 2026"


def test_copies_and_pickles_stay_sentences():
    """A record that holds one may be copied or sent to another process."""
    made = say("{a}: {why}", a="x", why=say("no gap"))
    for again in (copy.deepcopy(made), copy.copy(made), pickle.loads(pickle.dumps(made))):
        assert again == made
        with speaking(PLAIN):
            assert told(again) == "x ĉar neniu"


def test_a_language_ends_with_its_block():
    """After an error too; nothing of a Spanish page leaks into the next English one."""
    with pytest.raises(ZeroDivisionError), speaking_in("es"):
        1 / 0  # noqa: B018
    assert told(say("no gap")) == "no gap"
    assert language("en") is ENGLISH


def test_a_missing_statistic_is_told_with_its_reason():
    """`Undefined` is a sentence: reason and detail are translated, and what a user wrote in a detail is not."""
    missing = Undefined("no spread", say("{group} has {n}", group="no spread", n=1))
    assert str(missing) == "undefined (no spread): no spread has 1"
    plain = to_jsonable(missing)
    assert plain == {"undefined": "no spread", "detail": "no spread has 1"}
    assert {type(text) for text in plain.values()} == {str}
    with speaking_in("es"):
        assert str(missing) == "indefinido (sin dispersión): no spread tiene 1"
