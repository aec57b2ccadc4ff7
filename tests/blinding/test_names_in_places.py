"""Names where they are hard to see, with cases of our own: fields, initials, suffixes, fond forms, spelled, everyday words."""

from __future__ import annotations

import pytest

from judgekit.blinding.mask import Blinder
from judgekit.blinding.verify import Verifier
from judgekit.records import BlindedReply, Reply

BLINDER = Blinder(ner="off")
VERIFIER = Verifier()


def masked(text: str, names: tuple[str, ...], lang: str = "en") -> str:
    """The masked text; it passes verification."""
    made = BLINDER.mask(Reply(id="1", text=text, known_names=names, names_stated=bool(names), lang=lang))
    assert isinstance(VERIFIER.verify(made), BlindedReply), made.text
    return made.text


WORD_NAMES = (("Rose", "Banks"), ("Will", "Ford"), ("Hope", "Price"), ("Mark", "Wise"), ("Grant", "Sung"), ("Joy", "Long"), ("Omar", "Said"),
              ("Summer", "Rivers"), ("Jack", "Bishop"), ("Dawn", "Knight"), ("Penny", "Field"), ("Chase", "Waters"))  # fmt: skip


@pytest.mark.parametrize("names", WORD_NAMES, ids=" ".join)
def test_everyday_words_that_are_names_are_found_where_names_stand(names: tuple[str, str]) -> None:
    """In markup, passenger lists, tables, identifiers, fields and before initials."""
    g, f = names
    text = (
        f"| Guest | Fee |\n|---|---|\n| {g} | 40 |\n\n- **{g}**: please reply\n- *{g} {f}*\nPassenger: {f.upper()}/{g.upper()}\n"
        f'user={g.lower()}_{f.lower()}, {{"first_name": "{g}", "surname": "{f}"}}\n{g} {f}, {f}, {g[0]}. and {g[0]}. {f} signed.'
    )
    shown = masked(text, names).casefold()
    for name in names:
        assert name.casefold() not in shown.replace("first_name", "").replace("surname", "").replace("signed", "")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The rivers near the site will rise.", ("Will", "Rivers")),
        ("As I said, the long form is wise.", ("Wise", "Said")),
        ("We grant the price you hope for.", ("Grant", "Price")),
        ("The banks of the ford rose.", ("Rose", "Banks")),
        ("Fields and woods are part of the joy.", ("Joy", "Woods")),
        ("You can chase the waters in the summer.", ("Chase", "Waters")),
        ("The song was sung at dawn.", ("Dawn", "Sung")),
        ("SEE PRICE LIST FOR DETAILS.", ("Hope", "Price")),
        ("Bill: $40. Price: 12 EUR.", ("Bill", "Price")),
        ("It is a penny a page in the white field.", ("Penny", "White")),
    ],
)
def test_everyday_words_in_prose_stay_and_pass(text: str, names: tuple[str, str]) -> None:
    """A word is not the name only because somebody is called so; the verifier agrees."""
    assert masked(text, names) == text


@pytest.mark.parametrize(
    ("given", "fond"),
    [
        ("José", "Pepito"), ("Dolores", "Lolita"), ("Francisco", "Paquito"), ("Diego", "Dieguito"), ("Carolina", "Lina"), ("Aleksei", "Alyosha"),
        ("Mikhail", "Mishka"), ("Ekaterina", "Katyusha"), ("Darya", "Dashenka"), ("Thomas", "Tommy"), ("Deborah", "Debs"), ("Giuseppe", "Peppino"),
        ("Sebastian", "Seba"), ("Ronaldo", "Ronaldinho"), ("Laura", "Laurita"), ("Susanne", "Susi"), ("Piotr", "Piotrek"), ("Theodore", "Teddy"),
    ],
)  # fmt: skip
def test_fond_forms_of_a_known_name(given: str, fond: str) -> None:
    """Regular endings of many languages, and listed short forms."""
    assert masked(f"Your seat next to {fond} is kept.", (given, "Halvane")) == "Your seat next to [PERSON_1] is kept."


@pytest.mark.parametrize(
    ("known", "other"),
    [
        ("Yulia", "Iuliia"), ("Yulia", "Julija"), ("Muhammad", "Mohamed"), ("Mohammed", "Muhamad"), ("Xiaoming", "Hsiaoming"), ("Oleksandr", "Aleksandr"),
        ("Dmitry", "Dmitrii"), ("Yousef", "Yusuf"), ("Fatima", "Fatma"), ("Sergey", "Serhii"), ("Khadija", "Hadija"), ("Zhang", "Chang"),
        ("Ekaterina", "Yekaterina"), ("Kowalczyk", "Kovalchyk"),
    ],
)  # fmt: skip
def test_other_transliterations_of_a_known_name(known: str, other: str) -> None:
    """More than one letter apart."""
    assert (
        masked(f"The board wrote {other}; please check.", (known, "Halvane"))
        == "The board wrote [PERSON_1]; please check."
    )


@pytest.mark.parametrize("suffix", ["Jr.", "Jnr", "Sr.", "Snr", "II", "III", "IV", "the Third", "Junior", "the Elder"])
def test_suffixes_belong_to_the_name(suffix: str) -> None:
    """Whether the name is known or not."""
    for names in (("Tomasz", "Brandt"), ()):
        assert (
            masked(f"the estate of Tomasz Brandt {suffix} is settled.", names) == "the estate of [PERSON_1] is settled."
        )


@pytest.mark.parametrize("suffix", ["hijo", "padre", "Jr."])
def test_spanish_suffixes(suffix: str) -> None:
    """Father and son of one name."""
    shown = masked(f"La factura es de Iker Olabarri {suffix}, gracias por venir.", ("Iker", "Olabarri"), "es")
    assert shown == "La factura es de [PERSON_1], gracias por venir."


@pytest.mark.parametrize("written", ["T. B.", "T.B.", "Brandt, T.", "T. Brandt", "Tomasz B.", "T. J. Brandt"])
def test_initials_of_a_known_person(written: str) -> None:
    """Instead of the name or beside it."""
    shown = masked(f"Letter for {written}: the file is closed.", ("Tomasz", "Brandt"))
    assert shown.replace("].:", "]:") == "Letter for [PERSON_1]: the file is closed."


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("P.S. The U.S. office opens at 9 a.m. today.", ("Pat", "Smith")),
        ("Send it to P.O. Box 12.", ("Paula", "Osei")),
        ("Use the A.I. tool, e.g. for text.", ("Ana", "Ibarra")),
    ],
)
def test_abbreviations_are_no_initials(text: str, names: tuple[str, str]) -> None:
    """Common abbreviations with the same letters stay."""
    assert masked(text, names) == text


@pytest.mark.parametrize(
    "written",
    [
        "V A N  D E R  K O L K",
        "V-A-N D-E-R K-O-L-K",
        "K.O.L.K",
        "K O L K",
        "K/O/L/K",
        "k-o-l-k",
        "K, O, L, K",
        "V.A.N. D.E.R. K.O.L.K",
    ],
)
def test_spelled_names(written: str) -> None:
    """Known names letter by letter, particles included."""
    assert (
        masked(f"The family name is {written} on the form.", ("Ineke", "van der Kolk"))
        == "The family name is [PERSON_1] on the form."
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("The surname is spelled O-K-O-Y-E on the card.", "The surname is spelled [PERSON_1] on the card."),
        ("Family name: N G A T A I here.", "Family name: [PERSON_1] here."),
        ('{"first_name": "Summer", "last_name": "Price"}', '{"first_name": "[PERSON_1]", "last_name": "[PERSON_2]"}'),
        ("surname: Wood", "surname: [PERSON_1]"),
        ("Search for 'amara obi' in the list.", "Search for '[PERSON_1]' in the list."),
        ("Please tell Clement Adeyemi about it.", "Please tell [PERSON_1] about it."),
        ("We wrote to ROSE CARTER but got no reply.", "We wrote to [PERSON_1] but got no reply."),
        ("Sky wrote the report.", "[PERSON_1] wrote the report."),
        ("Give my regards to Amrita.", "Give my regards to [PERSON_1]."),
    ],
)
def test_unknown_names_by_their_place(text: str, shown: str) -> None:
    """Without known names: fields, quotes, spelled letters and neighbours."""
    assert masked(text, ()) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Estimado Sr. Flores: falta la firma.", "[ESTIMADO-A] [TITLE] [PERSON_1]: falta la firma."),
        ("Bienvenida, Luz. Ya puede entrar.", "[BIENVENIDO-A], [PERSON_1]. Ya puede entrar."),
        ("Aquí está el enlace. Saludos a Begoña.", "Aquí está el enlace. Saludos a [PERSON_1]."),
        ("Nombre: Rosa\nApellidos: Campos Vega", "Nombre: [PERSON_1]\nApellidos: [PERSON_2]"),
    ],
)
def test_unknown_names_by_their_place_in_spanish(text: str, shown: str) -> None:
    """Greetings, titles, fields."""
    assert masked(text, (), "es") == shown


@pytest.mark.parametrize(
    "text",
    [
        "Parkinson's disease and Hodgkin's lymphoma are covered.",
        "A pascal is small; one Pascal is a newton per square metre.",
        "Change in Milan for the train to Rimini.",
        "Take the bus from Marzamemi.",
        "The train to San Marino does not exist.",
        "Penny stock: no.",
        "Use Queen's Road or King's Cross.",
        "Master Plan and Master Card are on page 2.",
        "Title: Name: Surname:",
    ],
)
def test_things_that_are_no_people(text: str) -> None:
    """Diseases, units, destinations, roads, compounds."""
    assert masked(text, ()) == text


@pytest.mark.parametrize(
    "written",
    [
        "(Grace)",
        "[Grace](x)",
        "~~Grace~~",
        "Fee\n# Grace\nDue",
        "1. Grace\n2. Fee",
        'say \\"Grace\\" aloud',
        "GRACE—please call",
        "<b>Grace</b>",
        "{Grace}",
    ],
)
def test_known_word_names_between_marks(written: str) -> None:
    """Brackets, headings, numbered lists, escapes, dashes."""
    assert "grace" not in masked(written, ("Grace", "Halvane")).casefold()


@pytest.mark.parametrize(
    ("text", "names", "lang", "shown"),
    [
        (
            "The card shows Дарья Лис while the form has Tomasz.",
            ("Tomasz", "Brandt"),
            "en",
            "The card shows [PERSON_1] while the form has [PERSON_2].",
        ),
        ("The seal reads Νίκος Βέργος here.", ("Tomasz", "Brandt"), "en", "The seal reads [PERSON_1] here."),
        (
            "Ysolt and Bedwyr, Tomasz's niece and nephew, sit in row 4.",
            ("Tomasz", "Brandt"),
            "en",
            "[PERSON_1] and [PERSON_2], [PERSON_3]'s [NIBLING] and [NIBLING], sit in row 4.",
        ),
        ("Send passport_wise_new.jpg again.", ("Hope", "Wise"), "en", "Send passport_[PERSON_1]_new.jpg again."),
        ("Señora de la Peña, venga usted el lunes.", ("Inés", "de la Peña"), "es", "[TITLE] [PERSON_1], venga usted el lunes."),
        ("It is B as in Bravo, R, A, N, D, T on file.", ("Tomasz", "Brandt"), "en", "It is [PERSON_1] on file."),
        ("Es R de Roma, U, I, Z y no otro.", ("Ana", "Ruiz"), "es", "Es [PERSON_1] y no otro."),
    ],
)  # fmt: skip
def test_names_in_other_letters_codes_and_kin(text: str, names: tuple[str, str], lang: str, shown: str) -> None:
    """Another script, a list of relatives, a file of somebody's papers, a title before particles, code words."""
    assert masked(text, names, lang) == shown


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The angle α and the ratio π are in wise_table.csv.", ("Hope", "Wise")),
        ("Ask for seat B as in Bravo, 4, not row C.", ("Tomasz", "Brandt")),
        ("Kit and Bolt, the shop's tools, are new.", ("Tomasz", "Brandt")),
    ],
)
def test_signs_codes_and_tools_are_no_names(text: str, names: tuple[str, str]) -> None:
    """The doubles of these places that name nobody stay."""
    assert masked(text, names) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[09:14] Hazel: is it on?\n[09:15] Agent: it is.", "[09:14] [PERSON_1]: is it on?\n[09:15] Agent: it is."),
        ("Open https://shop.example/?user=Hazel&step=1 again.", "Open https://shop.example/?user=[PERSON_1]&step=1 again."),
        ("The keys are in /home/okwudili/.ssh and C:\\Users\\tveit\\Desktop now.", "The keys are in /home/[PERSON_1]/.ssh and C:\\Users\\[PERSON_2]\\Desktop now."),
        ("Staff file on Okwudili, Nnenne: leave is approved.", "Staff file on [PERSON_1], [PERSON_2]: leave is approved."),
        ("The parcel of Hazel Banks is here. Today Hazel can collect it.", "The parcel of [PERSON_1] is here. Today [PERSON_1] can collect it."),
        ("the bench that Hazel\nBanks gave to the park.", "the bench that [PERSON_1] gave to the park."),
        ("Write to u/okwudili_88 first.", "Write to u/[HANDLE] first."),
        ("A parcel for Joris van der Poel waits. Mevrouw Van der Poel may take it.", "A parcel for [PERSON_1] waits. [TITLE] [PERSON_1] may take it."),
        ("Take cv_hazel_wise_2.pdf, not cv_wise_old.pdf.", "Take cv_[PERSON_1]_2.pdf, not cv_[PERSON_1]_old.pdf."),
        ("Spoken on the phone: B as in Bravo, O, I, T, X.", "Spoken on the phone: [PERSON_1]."),
    ],
)  # fmt: skip
def test_unknown_names_in_chats_links_folders_and_files(text: str, shown: str) -> None:
    """Who speaks, whose link, whose folder, surname first, and a given name that is a word met again."""
    assert masked(text, ()) == shown


@pytest.mark.parametrize(
    "text",
    [
        "[09:14] Agent: is it on?\n[09:15] System: it is.",
        "Open https://shop.example/?colour=Hazel&step=1 again.",
        "The logs are in /home/ubuntu/logs and C:\\Users\\Public\\Desktop now.",
        "Take cv_long_new.pdf, not cv_short.pdf.",
        "Paint colours:\nHazel\nBanks\nOlive",
    ],
)
def test_roles_and_shared_folders_are_no_names(text: str) -> None:
    """The same places with nobody in them."""
    assert masked(text, ()) == text
