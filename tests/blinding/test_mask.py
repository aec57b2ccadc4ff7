"""Masking: what is replaced, what stays, how people are numbered."""

from __future__ import annotations

import pytest

from judgekit.blinding.fill import fill, original
from judgekit.blinding.mask import Blinder
from judgekit.blinding.verify import Verifier
from judgekit.errors import ConfigProblem, UsageProblem
from judgekit.records import Arm, Identity, NameForms, Reply, Withheld

BLINDER = Blinder(ner="off")


def masked(text: str, *names: str, lang: str = "en", context: str | None = None) -> str:
    """The masked reply."""
    return BLINDER.mask(Reply(id="1", text=text, known_names=names, lang=lang, context=context)).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hi Ngozi, thanks!", "Hi [PERSON_1], thanks!"),
        ("NGOZI OKAFOR called.", "[PERSON_1] called."),
        ("hi ngozi, thanks", "hi [PERSON_1], thanks"),
        ("Ngozi's order", "[PERSON_1]'s order"),
        ("Dear Ms. Okafor,", "Dear [TITLE] [PERSON_1],"),
        ("N. Okafor signed", "[PERSON_1] signed"),
        ("OKAFOR, NGOZI - seat 4", "[PERSON_1], [PERSON_1] - seat 4"),
        ("Ngozi\u00a0Okafor", "[PERSON_1]"),
        ("Ng\u200dozi", "[PERSON_1]"),
        ("N\u0301gozi", "[PERSON_1]"),
        ("\uff2e\uff47\uff4f\uff5a\uff49", "[PERSON_1]"),
        ("Ng\u043ezi", "[PERSON_1]"),
        ("N-G-O-Z-I", "[PERSON_1]"),
        ("Share with #TeamNgozi", "Share with #[PERSON_1]"),
        ("the Okafors", "the [PERSON_1]"),
        ("Okafor-san", "[PERSON_1]"),
        ("Ngzoi", "[PERSON_1]"),
        ("Oka-\nfor", "[PERSON_1]"),
        ("%4Egozi", "[PERSON_1]"),
        ("\\u004egozi", "[PERSON_1]"),
        ("&#78;gozi", "[PERSON_1]"),
        ("https://x.example/u/ngozi-okafor", "https://x.example/u/[HANDLE]"),
        ("cv_ngozi_okafor.pdf", "cv_[PERSON_1].pdf"),
        ("write to n.okafor@mail.example", "write to [EMAIL]"),
        ("🎉Ngozi🎉", "🎉[PERSON_1]🎉"),
    ],
)
def test_names_in_every_disguise(text: str, expected: str) -> None:
    """A known name is found however it is written."""
    assert masked(text, "Ngozi", "Okafor") == expected


@pytest.mark.parametrize(
    "text",
    [
        "A grace period applies.",
        "Will that suit? The will was read.",
        "Mark the item, and bill me in May.",
        "The May invoice is late.",
        "Rose petals and art prints.",
    ],
)
def test_words_that_are_names_stay_words(text: str) -> None:
    """An ordinary word stays where it is no name, even when the reply's person is called so."""
    for name in ("Grace", "Will", "Mark", "Bill", "May", "Rose", "Art"):
        assert masked(text, name, "Whitcombe") == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She said her bag is hers.", "[PRONOUN] said [PRONOUN] bag is [PRONOUN]."),
        ("he/she, s/he and (s)he", "[PRONOUN], [PRONOUN] and [PRONOUN]"),
        ("He or she pays.", "[PRONOUN] or [PRONOUN] pays."),
        ("Xe told xem.", "[PRONOUN] told [PRONOUN]."),
        ("Ze signed zirself.", "[PRONOUN] signed [PRONOUN]."),
        ("Your wife and my uncle", "Your [SPOUSE] and my [PIBLING]"),
        ("as a mother of two", "as a [PARENT] of two"),
        ("Good day, ma'am. Yes, sir!", "Good day, [TITLE]. Yes, [TITLE]!"),
        ("the waitress", "the [WAITER]"),
        ("You are 67 years old.", "You are [AGE] years old."),
        ("a 38-year-old grandmother", "a [AGE]-year-old [GRANDPARENT]"),
        ("You hold Kenyan citizenship.", "You hold [ORIGIN] citizenship."),
        ("You moved here from Peru.", "You moved here from [PLACE]."),
        ("Happy Diwali!", "Happy [RELIGION]!"),
        ("Call +44 20 7946 0958.", "Call [PHONE]."),
        ("IBAN GB82 WEST 1234 5698 7654 32", "IBAN [IBAN]"),
        ("card 4111 1111 1111 1111", "card [CARD]"),
    ],
)
def test_english_cues(text: str, expected: str) -> None:
    """Pronouns, nouns, titles, age, origin, faith and contact details are replaced."""
    assert masked(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "They'll arrive in two boxes because the shelves are heavy.",
        "Everyone keeps their own number.",
        "Ms. Pac-Man and Dr. Mario are on the console.",
        "The French press and the Turkish towels ship together.",
        "The device is 18 months old; the two-year warranty covers it.",
        "Order #40233 of 14 May, reference TK-91115, ends in 4410.",
        "Our offices in Madrid, Lyon and Boston are closed.",
        "Write to support@shop.example or see https://shop.example/help/returns.",
        "If you miss the call, wait. King size beds and man-made lakes.",
        "The US warehouse ships; IT confirmed it. He.net is up.",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    """Text about things is not changed."""
    assert masked(text) == text


@pytest.mark.parametrize(
    ("woman", "man"),
    [
        ("Estimada señora Gil: está interesada.", "Estimado señor Gil: está interesado."),
        ("La Sra. Gil vendrá con su marido.", "El Sr. Gil vendrá con su mujer."),
        ("Llame a la señora Gil.", "Llame al señor Gil."),
        ("la ficha de la señora Gil", "la ficha del señor Gil"),
        ("Un agente la llamará.", "Un agente lo llamará."),
        ("Queremos ayudarla.", "Queremos ayudarlo."),
        ("Bienvenida. Como clienta nueva, ahorra.", "Bienvenido. Como cliente nuevo, ahorra."),
        ("Ya está registrada, Gil.", "Ya está registrado, Gil."),
        ("Ella está molesta.", "Él está molesto."),
        ("Usted misma puede hacerlo.", "Usted mismo puede hacerlo."),
    ],
)
def test_spanish_copies_become_equal(woman: str, man: str) -> None:
    """A woman's and a man's text of one template are the same after masking."""
    assert masked(woman, "Gil", lang="es") == masked(man, "Gil", lang="es")
    assert masked(woman, "Gil", lang="es") != woman


@pytest.mark.parametrize(
    "text",
    [
        "La tienda está cerrada y el pedido está retrasado.",
        "Lo recibirá en la dirección indicada; si la ve roja, repita.",
        "Puede recogerlo un vecino. La financiación está disponible.",
        "Servicio de atención al cliente: nombre de usuario y contraseña.",
        "La prima anual y la materia prima.",
    ],
)
def test_spanish_things_keep_their_gender(text: str) -> None:
    """Agreement with a thing tells nothing and stays."""
    assert masked(text, lang="es") == text


def test_singular_they_with_its_verb() -> None:
    """They of one person is masked, and the verb after it agrees as after any placeholder."""
    they = masked("Quang called. They say they're happy and they have paid.", "Quang")
    she = masked("Quang called. She says she's happy and she has paid.", "Quang")
    assert they == she


def test_people_are_numbered_over_context_and_reply() -> None:
    """One person has one number in context and reply; another person has another one."""
    done = BLINDER.mask(
        Reply(id="1", context="I am Ana Gil.", text="Hi Ana, your husband Narciso called.", known_names=("Ana", "Gil"))
    )
    assert done.context == "I am [PERSON_1]."
    assert done.text == "Hi [PERSON_1], your [SPOUSE] [PERSON_2] called."


def test_text_that_looks_like_a_placeholder_is_a_slot_of_its_own() -> None:
    """A forged placeholder in the judged text is quoted and comes back exactly."""
    reply = Reply(id="1", text="Write [PERSON_1] and [PRONOUN]; keep [ORDER].", lang="en")
    done = BLINDER.mask(reply)
    assert done.text == "Write [QUOTED] and [QUOTED]; keep [ORDER]."
    assert original(done)[0] == reply.text


def test_own_cues_and_words_to_keep() -> None:
    """A study's own cues are masked and its product names stay."""
    blinder = Blinder(ner="off", extra_cues=("wheelchair",), keep=("Lady Finger",))
    done = blinder.mask(Reply(id="1", text="A wheelchair and Lady Finger biscuits.", lang="en"))
    assert done.text == "A [CUE] and Lady Finger biscuits."


def test_contact_details_may_stay_but_names_in_them_do_not() -> None:
    """With contact details kept, an address still may not tell the name."""
    blinder = Blinder(ner="off", contact_details="keep")
    done = blinder.mask(
        Reply(id="1", text="x9@mail.example or ana.gil@mail.example", known_names=("Ana", "Gil"), lang="en")
    )
    assert done.text == "x9@mail.example or [PERSON_1]@mail.example"


def test_unknown_names_of_every_origin_are_found_by_rule() -> None:
    """Without known names and without a model, greeted people are found whatever their origin."""
    for name in ("Ngozi", "Xiaoming", "Priyanka", "Zbigniew", "Heather", "Ximena", "Tariq", "Solveig", "Grace"):
        assert (
            masked(f"Hi {name}, your parcel left. Thanks, {name}.")
            == "Hi [PERSON_1], your parcel left. Thanks, [PERSON_1]."
        )


@pytest.mark.parametrize("option", [{"ner": "maybe"}, {"contact_details": "some"}])
def test_unknown_options_are_refused(option: dict[str, str]) -> None:
    """An option outside its values is an error, not a default."""
    with pytest.raises(UsageProblem, match="unknown value"):
        Blinder(**option)  # type: ignore[arg-type]


def test_a_missing_pack_is_reported_before_any_reply(tmp_path) -> None:
    """A cue pack that cannot be read stops the run at once, with its path."""
    with pytest.raises(ConfigProblem, match="cue pack cannot be read"):
        Blinder(packs=(str(tmp_path / "none.yaml"),))


def test_an_unsupported_language_is_named() -> None:
    """French is recognised, not taken for English."""
    text = "Bonjour, nous avons bien reçu votre message et nous vous répondrons dès demain matin."
    assert BLINDER.mask(Reply(id="1", text=text)).lang == "fr"


def test_masking_that_runs_out_of_time_withholds_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pattern of the masker that does not end in time leaves no half-masked text: nothing of it is kept or shown."""

    def late(*_: object, **__: object) -> None:
        raise TimeoutError

    monkeypatch.setattr("judgekit.blinding.mask.find_people", late)
    found = BLINDER.mask(Reply(id="1", text="Dear Ngozi", context="She wrote", known_names=("Ngozi",), lang="en"))
    assert (found.text, found.context, found.slots) == ("", "", ())
    held = Verifier().verify(found)
    assert isinstance(held, Withheld)
    assert (held.code, held.leaks[0].rule) == ("timeout", "masking")


def test_a_text_of_another_language_is_filled_all_the_same() -> None:
    """What English rules masked in a text of an unsupported language can be written again."""
    found = BLINDER.mask(Reply(id="1", text="la my husband disse", lang="it"))
    assert original(found)[0] == "la my husband disse"
    other = Identity(group="m", name="Bo Lind", forms=NameForms(given="Bo", family="Lind", pronouns="he/him"))
    assert "[" not in fill(found, other, arm=Arm(kind="identity", identity="Bo Lind")).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You are tender with plants, and sixteenth in line.", "You are tender with plants, and sixteenth in line."),
        ("you are sixteen, right?", "you are [AGE], right?"),
    ],
)
def test_an_age_is_a_whole_word(text: str, expected: str) -> None:
    """Tender is not ten."""
    assert masked(text) == expected
