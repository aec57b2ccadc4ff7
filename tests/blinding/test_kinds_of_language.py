"""Kinds of language: grammatical constructions and closed classes, with people and texts of our own."""

from __future__ import annotations

import pytest

from judgekit.blinding.mask import Blinder
from judgekit.blinding.verify import Verifier
from judgekit.records import BlindedReply, Reply

BLINDER = Blinder(ner="off")


def masked(text: str, *names: str, lang: str = "en", known: bool = True) -> str:
    """The blinded text; without names, as in a study that states none."""
    return BLINDER.mask(Reply(id="1", text=text, lang=lang, known_names=names, names_stated=known)).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Guests so far: Ondine, Perpetua and Zebulon.", "Guests so far: [PERSON_1], [PERSON_2] and [PERSON_3]."),
        ("Dear Shri Marchetti, all set.", "Dear [TITLE] [PERSON_1], all set."),
        ("Ondine-chan, all set.", "[PERSON_1], all set."),
        ("She goes by Wrenna at work, Ondine said.", "[PRONOUN] goes by [PERSON_1] at work, [PERSON_2] said."),
        ("When Ondine calls, they'll ask again.", "When [PERSON_1] calls, [PRONOUN]'ll ask again."),
        ("Ondine (they/them) leads.", "[PERSON_1] ([PRONOUN]) leads."),
        ("A woman of 34, Ondine lives here.", "A [SOMEONE] of [AGE], [PERSON_1] lives here."),
        ("Patient: Ondine, F, seen today.", "Patient: [PERSON_1], [GENDERED], seen today."),
        ("The landlord must pay. Write to him.", "The [LANDLORD] must pay. Write to [PRONOUN]."),
        ("Pay by card 4111 2222 3333 4444.", "Pay by card [CARD]."),
    ],
)
def test_people_are_masked_by_construction(text: str, expected: str) -> None:
    """Lists, titles, suffixes, naming verbs, singular they and stated sex give no one away."""
    assert masked(text, "Ondine", "Marchetti") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("No tienes que hacerlo sola: llámanos.", "No tienes que hacerlo [SOLO-A]: llámanos."),
        ("Si Ondina no contesta, llámala.", "Si [PERSON_1] no contesta, lláma[PRONOUN]."),
        ("Con 68 años, Ondina, puede viajar.", "Con [AGE] años, [PERSON_1], puede viajar."),
        ("Ondina, ciudadana colombiana, firma.", "[PERSON_1], [CIUDADANO-A] [ORIGIN], firma."),
        ("Ondina: avise a la doctora.", "[PERSON_1]: avise [AL-A-LA] [DOCTOR-A]."),
        ("La solicitud de Ondina queda aprobada.", "La solicitud de [PERSON_1] queda aprobada."),
        ("No molestes a Ondina.", "No molestes a [PERSON_1]."),
    ],
)
def test_spanish_by_morphology(text: str, expected: str) -> None:
    """Clitics, predicates and articles say nothing of a person; what agrees with a thing stays."""
    assert masked(text, "Ondina", lang="es") == expected


@pytest.mark.parametrize(
    "text",
    [
        "Subtotal and Teamwork are fields; Southern and Muddy are words.",
        "Rob the bank of its excuses.",
        "Sherlock is the codename of the search service.",
        "The Brother HL-L2350DW prints fast.",
        "Morgan Stanley and Johnson & Johnson rose.",
        "The firm turned 50 this year.",
        "A male connector fits a female socket.",
    ],
)
def test_things_stay(text: str) -> None:
    """Ordinary words, firms, products and orders are no people, and the verifier agrees."""
    result = BLINDER.mask(Reply(id="1", text=text, lang="en", names_stated=False))
    assert result.text == text
    assert isinstance(Verifier().verify(result), BlindedReply)


def test_identifiers_of_unknown_people() -> None:
    """One unknown word among ordinary ones in an identifier is a name."""
    assert (
        masked("Use branch feature/zebulina-login-fix now.", known=False)
        == "Use branch feature/[PERSON_1]-login-fix now."
    )
    assert masked("Read numpy_array and kwargs_list.", known=False) == "Read numpy_array and kwargs_list."
