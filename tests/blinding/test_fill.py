"""Filling: the identity in the right form, other people neutral, the original exact."""

from __future__ import annotations

import pytest

from judgekit.blinding.fill import fill, original, own_identity
from judgekit.blinding.mask import Blinder
from judgekit.errors import NotTheMaker
from judgekit.records import BASE, FilledText, Identity, NameForms, Reply, text_hash

BLINDER = Blinder(ner="off")
OMAR = Identity(group="b", name="Omar", forms=NameForms(given="Omar", family="Diallo", title="Mr", pronouns="he/him"))
ANA = Identity(group="a", name="Ana", forms=NameForms(given="Ana", family="Gil", title="Ms", pronouns="she/her"))
SAM = Identity(group="c", name="Sam", forms=NameForms(given="Sam", family="Roe", title="Mx", pronouns="they/them"))
XAN = Identity(group="c", name="Xan", forms=NameForms(given="Xan", pronouns="xe/xem"))


def filled(text: str, who: Identity, *names: str, lang: str = "en") -> str:
    """Mask a text of a known person and put another one in."""
    reply = Reply(id="1", text=text, known_names=names or ("Lucía", "Mora"), lang=lang)
    return fill(BLINDER.mask(reply), who, arm=BASE).text


@pytest.mark.parametrize(
    ("who", "expected"),
    [
        (OMAR, "Omar says he's late. His bag is his; call him or let him do it himself."),
        (ANA, "Ana says she's late. Her bag is hers; call her or let her do it herself."),
        (SAM, "Sam says they're late. Their bag is theirs; call them or let them do it themself."),
        (XAN, "Xan says xe's late. Xyr bag is xyrs; call xem or let xem do it xemself."),
    ],
)
def test_pronouns_in_every_case(who: Identity, expected: str) -> None:
    """Case, contraction and verb follow the identity."""
    assert filled("Lucía says she's late. Her bag is hers; call her or let her do it herself.", who) == expected


def test_verbs_agree_with_they() -> None:
    """After they, verbs stand in the plural, also behind an adverb."""
    text = "Lucía called. She says she also wants a refund; she was told that she has 5 days, and she's paid."
    expected = "Sam called. They say they also want a refund; they were told that they have 5 days, and they've paid."
    assert filled(text, SAM) == expected


def test_they_becomes_she_with_its_verbs() -> None:
    """A text about a nonbinary person turns into a grammatical one about a woman."""
    text = "Lucía called. They say they're late, and they want a call."
    assert filled(text, ANA) == "Ana called. She says she's late, and she wants a call."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dear Mrs. Mora,", "Dear Mr. Diallo,"),
        ("LUCÍA MORA signed", "OMAR DIALLO signed"),
        ("hi lucía", "hi omar"),
        ("MORA, LUCÍA", "DIALLO, OMAR"),
        ("L. Mora signed", "O. Diallo signed"),
        ("the Moras", "the Diallos"),
        ("l.mora@mail.example", "o.diallo@mail.example"),
        ("#TeamLucia", "#TeamOmar"),
        ("As a mother of two", "As a father of two"),
        ("L-U-C-I-A", "O-M-A-R"),
        ("You've got this, girl.", "You've got this, boy."),
        ("Good morning, madam.", "Good morning, sir."),
    ],
)
def test_names_titles_and_nouns_take_the_form_of_what_they_replace(text: str, expected: str) -> None:
    """Letter case, order, initials, addresses, titles and nouns about the person follow the slot."""
    assert filled(text, OMAR) == expected


def test_other_people_get_neutral_stand_ins() -> None:
    """Names, pronouns and nouns of somebody else do not depend on the identity."""
    text = "Your husband Narciso is the second holder, so he can approve it, Lucía."
    with_omar, with_ana = filled(text, OMAR), filled(text, ANA)
    assert with_omar == with_ana.replace("Ana", "Omar")
    assert "Narciso" not in with_omar
    assert "husband" not in with_omar


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Estimada Sra. Mora: su cita es el lunes.", "Estimado Sr. Diallo: su cita es el lunes."),
        ("La señora Mora está interesada.", "El señor Diallo está interesado."),
        ("Llame a la señora Mora.", "Llame al señor Diallo."),
        ("Ella llamó; un agente la llamará.", "Él llamó; un agente lo llamará."),
        ("Bienvenida, Lucía.", "Bienvenido, Omar."),
    ],
)
def test_spanish_forms(text: str, expected: str) -> None:
    """Titles, articles, agreement and clitics follow the identity."""
    who = Identity(group="b", name="Omar", forms=NameForms(given="Omar", family="Diallo", pronouns="él"))
    assert filled(text, who, lang="es") == expected


@pytest.mark.parametrize(
    ("text", "who", "expected"),
    [
        ("Lucía Mora es cliente. Habló con el gerente.", ANA, "Ana Gil es cliente. Habló con le gerente."),
        ("Lucía Mora es clienta y presidenta.", OMAR, "Omar Diallo es cliente y presidente."),
        ("Lucía es profesora y abogada, campeona.", OMAR, "Omar es profesor y abogado, campeón."),
        ("Lucía es abogada y cliente.", SAM, "Sam es abogade y cliente."),
    ],
)
def test_spanish_nouns_that_no_list_pairs(text: str, who: Identity, expected: str) -> None:
    """A profession takes the person's gender; a noun in -e goes with anybody and gets no second e."""
    assert filled(text, who, lang="es") == expected


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Dear Mrs. Mora, Lucía said she's late and wants her bag.", "en"),
        ("LUCÍA! lucía, L. Mora, #TeamLucia, l.mora@mail.example, Lu\u200dcía", "en"),
        ("As a mother, you know it best, ma'am. Lucía is her name.", "en"),
        ("Estimada Sra. Mora: está registrada y la llamaremos. Ella firmó.", "es"),
        ("Nothing about anybody.", "en"),
    ],
)
def test_own_identity_gives_the_text_back(text: str, lang: str) -> None:
    """A text that speaks of nobody else comes back unchanged when its own person is put in."""
    masked = BLINDER.mask(Reply(id="1", text=text, known_names=("Lucía", "Mora"), lang=lang))
    assert fill(masked, own_identity(masked), arm=BASE).text == text
    assert original(masked)[0] == text


def test_filled_text_cannot_be_made_by_hand() -> None:
    """Only fill makes a filled text."""
    with pytest.raises(NotTheMaker, match="made by hand"):
        FilledText(item="1", arm=BASE, text="x", context=None, text_hash=text_hash("x"), lang="en", maker=object())
