"""Slots of a template and what is written for them."""

import pytest

from judgekit.errors import BadInput
from judgekit.records import Identity, NameForms
from judgekit.rewording.articles import takes_an
from judgekit.templating.forms import Cast, write
from judgekit.templating.slots import parse


def person(given, pronouns, family="Mora", title=None):
    """Somebody with pronouns."""
    return Identity(group="g", name=given, forms=NameForms(given=given, family=family, pronouns=pronouns, title=title))


def said(text, *people, lang="en", without=(), **values):
    """A text filled in."""
    return write(text, Cast(people=people, values=values), lang=lang, without=frozenset(without)).text


@pytest.mark.parametrize(
    ("word", "an"),
    [
        ("hour", True), ("heir", True), ("user", False), ("European", False), ("one-off", False), ("unimportant", True),
        ("uniform", False), ("8-year-old", True), ("18", True), ("11", True), ("80", True), ("1,100", False),
        ("110", False), ("MBA", True), ("UK firm", False), ("Ukrainian", False), ("Ugandan", False), ("ugly", True), ("urban", True), ("unidentified", True), ("NHS", True), ("NASA", False), ("X-ray", True), ("“old”", True),
    ],
)  # fmt: skip
def test_a_or_an_goes_by_sound(word, an):
    """Silent h, you-sounds, numbers and abbreviations read letter by letter."""
    assert takes_an(word) is an


def test_the_article_before_a_slot_follows_its_value():
    """The article turns to "an" before 18; an "a" inside a word stays."""
    text = "I'm a {age}-year-old, at a {school}. A {school} in Roma {age}."
    assert said(text, age="18", school="academy") == "I'm an 18-year-old, at an academy. An academy in Roma 18."
    assert said(text, age="24", school="college") == "I'm a 24-year-old, at a college. A college in Roma 24."


@pytest.mark.parametrize(
    ("pronouns", "expected"),
    [
        ("she/her", "She wants her pass. Ask her; it is hers, herself."),
        ("he/him", "He wants his pass. Ask him; it is his, himself."),
        ("they/them", "They want their pass. Ask them; it is theirs, themself."),
        ("xe/xem", "Xe wants xyr pass. Ask xem; it is xyrs, xemself."),
    ],
)
def test_pronouns_stand_in_their_case(pronouns, expected):
    """Subject, possessive, object, absolute, reflexive, a capital where the slot has one, a verb that agrees."""
    text = (
        "{Pronoun_subject} {verb:wants} {pronoun_possessive} pass. Ask {pronoun_object}; it is {pronoun_absolute}, "
        "{pronoun_reflexive}."
    )
    assert said(text, person("Sam", pronouns)) == expected


def test_spanish_agrees_with_the_person():
    """Articles, contractions, titles with their dot, adjectives."""
    text = "Escribo {al} {title} {family}, {un} cliente {agree:nuevo}, en nombre {del} titular; {agree:interesados}."
    assert said(text, person("Ana", "ella", title="Sra"), lang="es") == (
        "Escribo a la Sra. Mora, una cliente nueva, en nombre de la titular; interesadas."
    )
    assert (
        said("{el} {title} {family} está {agree:cansada}", person("Luis", "él"), lang="es")
        == "el Sr. Mora está cansado"
    )


def test_a_stretch_goes_with_its_cue_and_with_no_other():
    """[[ ]] is left out when a slot in it is removed; otherwise only its marks are."""
    text = "Hi[[, I'm {name}]][[, {age}]]. {{braces}}"
    ana = person("Ana", "she/her")
    assert said(text, ana, age="30") == "Hi, I'm Ana Mora, 30. {braces}"
    assert said(text, ana, age="30", without=["name"]) == "Hi, 30. {braces}"


def test_values_may_hold_slots_of_the_person():
    """A phrasing can name the person; two levels are the end."""
    ana = person("Ana", "she/her")
    assert said("{style} help", ana, style="{given} here, she says:") == "Ana here, she says: help"
    with pytest.raises(BadInput, match="slots that hold slots"):
        said("{a}", ana, a="{b}", b="{c}", c="{a}")


@pytest.mark.parametrize(
    "text", ["{name", "name}", "[[open", "]]", "[[a[[b]]", "{two words}", "{verb}", "{name:x}", "{}"]
)
def test_broken_text_is_refused(text):
    """Braces and brackets that do not close, slots that are none."""
    with pytest.raises(BadInput) as problem:
        parse(text)
    assert problem.value.why


def test_a_slot_without_a_value_is_named():
    """Neither a blank nor the slot's own name is sent."""
    with pytest.raises(BadInput) as problem:
        said("{salary}")
    assert problem.value.field == "{salary}"
    with pytest.raises(BadInput, match="nobody"):
        said("{name}")
