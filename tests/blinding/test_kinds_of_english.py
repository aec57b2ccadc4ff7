"""English constructions that tell a person, and their neighbours that do not: each with sentences of its own."""

from __future__ import annotations

import pytest

from judgekit.blinding.mask import Blinder
from judgekit.blinding.verify import Verifier
from judgekit.records import BlindedReply, Reply, Withheld

BLINDER = Blinder(ner="off")


def masked(text: str, *known: str) -> str:
    """The text as it is masked, with known names or as one of which it is known that it has none."""
    return BLINDER.mask(Reply(id="1", text=text, known_names=known, names_stated=True, lang="en")).text


@pytest.mark.parametrize(
    ("known", "text", "shown"),
    [
        (("Clifford", "Amherst"), '"Cliff" is on the mug, Cliff.', '"[PERSON_1]" is on the mug, [PERSON_1].'),
        (("Clifford", "Amherst"), "The cliff path is shut.", "The cliff path is shut."),
        (("Courtney", "Bell"), "The Court sits at ten.", "The Court sits at ten."),
        (("Bernadette", "Kelso"), "Ask Bernie, or write.", "Ask [PERSON_1], or write."),
        (
            ("Joy", "Harmon"),
            "ok joy, i will send it. the joy of forms",
            "ok [PERSON_1], i will send it. the joy of forms",
        ),
        (("Grace", "Olu"), "ok grace periods are long", "ok grace periods are long"),
    ],
)
def test_short_forms_and_names_called_small(known: tuple[str, ...], text: str, shown: str) -> None:
    """A short form, or a name written small behind "ok", is the person's; the same word elsewhere stays."""
    assert masked(text, *known) == shown


@pytest.mark.parametrize(
    ("known", "text", "shown"),
    [
        (("Ineke",), "Filed under van Dorp. Ineke van Dorp paid.", "Filed under [PERSON_1]. [PERSON_1] paid."),
        (("Ineke", "Dorp"), "The family van Dorp moved.", "The family [PERSON_1] moved."),
        (
            ("Mirela",),
            "See /team/mirela-popescu/x and /p/mirela-invoice",
            "See /team/[PERSON_1]/x and /p/[PERSON_1]-invoice",
        ),
        (("Ines",), "Given name I-N-E-S, surname Q U I R O G A.", "Given name [PERSON_1], surname [PERSON_1]."),
        (("Orhan", "Demir"), "Dear Orhan Bey. Your flat is let.", "Dear [PERSON_1]. Your flat is let."),
    ],
)
def test_the_surname_beside_a_known_given_name_is_the_same_persons(
    known: tuple[str, ...], text: str, shown: str
) -> None:
    """Particles, paths, spelled letters and titles behind a name belong to the person, with one number."""
    assert masked(text, *known) == shown


@pytest.mark.parametrize(
    "text",
    [
        "To {their} credit, Remy called first.",
        '"If {they} want a refund, let {them} write," noted the clerk about Remy.',
        "- Who: Remy\n- Why it matters: {their} shift starts at nine",
        "Patient note: {their} left knee is swollen, and {they} blame the stairs.",
        "Remy read the questions and answered all of them.",
        'The scan says "Remy" and the form says Remy. They look alike on screen.',
        "We sent the tiles, Remy. Keep them dry, as they crack.",
    ],
)
def test_they_is_masked_for_a_person_and_kept_for_things(text: str) -> None:
    """Only the marked forms speak of one person."""
    plain = text.replace("{", "").replace("}", "")
    shown = masked(plain, "Remy", "Doyle")
    assert shown.count("[PRONOUN]") == text.count("{")


@pytest.mark.parametrize(
    "text",
    [
        'Two films: "The Good Wife" and "Her". Both cost $3.',
        'Turkish "her gun" is every day; German "hin und her" is to and fro.',
        "HIS is short for hospital information system. The HIS is down.",
        "Safety, health and environment (SHE) is one team.",
        "The clerk speaks some German and a little Dutch.",
        "Add Granny Smith apples to the basket.",
    ],
)
def test_titles_foreign_phrases_and_abbreviations_stay(text: str) -> None:
    """What speaks of nobody is neither masked nor held by the verifier."""
    one = BLINDER.mask(Reply(id="1", text=text, names_stated=True, lang="en"))
    assert one.text == text
    assert isinstance(Verifier().verify(one), BlindedReply)


@pytest.mark.parametrize(
    "text",
    [
        'The clerk wrote "Her" there.',
        'The client speaks German and said "her card".',
        "THIS IS HIS CARD.",
        '{"title": "Ms"}',
    ],
)
def test_quotes_and_capitals_hide_no_cue(text: str) -> None:
    """A pronoun or a title is none the less masked in quotes that are no title and in a shouted sentence."""
    assert masked(text) != text


def test_the_verifier_finds_short_forms_and_particles_by_itself() -> None:
    """Where masking missed how a name begins, or left its particle, the text is withheld."""
    for text in ("Will do, Theo, at nine today.", "It is filed under van [PERSON_1] today."):
        held = Verifier().verify_text(item="1", text=text, known_names=("Theodora", "Quill"), lang="en")
        assert isinstance(held, Withheld), text
    kept = Verifier().verify_text(
        item="1", text="The van is at the door, [PERSON_1].", known_names=("Theodora",), lang="en"
    )
    assert isinstance(kept, BlindedReply)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Once Faith adds the form, we pay.", "Once [PERSON_1] adds the form, we pay."),
        ("Dear Hùng Phạm, the class is full.", "Dear [PERSON_1], the class is full."),
        ("Dinner with the Rahmans is at seven.", "Dinner with the [PERSON_1] is at seven."),
        ("Initials on the sheet: L.B. and no more.", "Initials on the sheet: [PERSON_1]. and no more."),
        ("Rent received from Sun-\ngmin on Friday.", "Rent received from [PERSON_1] on Friday."),
        ("See https://f.example/in?given=Bogumi%C5%82a&ref=4", "See https://f.example/in?given=[PERSON_1]&ref=4"),
        ("Sow in May and mow weekly.", "Sow in May and mow weekly."),
        ("Ruby 3 and Julia 1 both run.", "Ruby 3 and Julia 1 both run."),
    ],
)
def test_names_that_are_not_given_and_things_that_bear_them(text: str, shown: str) -> None:
    """Without known names the place of a word tells whether it is one."""
    assert Blinder(ner="off").mask(Reply(id="1", text=text, lang="en")).text == shown
