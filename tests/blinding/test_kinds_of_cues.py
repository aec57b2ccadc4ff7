"""Cues by kind, with other instances than the development corpus has: each must go, and its double of a thing stay."""

from __future__ import annotations

import pytest

from judgekit.blinding.mask import Blinder
from judgekit.blinding.verify import Verifier
from judgekit.records import BlindedReply, Reply

BLINDER = Blinder(ner="off")
VERIFIER = Verifier()
NAMES = ("Irune", "Otxoa")


def masked(text: str, lang: str) -> str:
    """The masked reply, which must also pass the verifier."""
    done = BLINDER.mask(Reply(id="1", text=text, known_names=NAMES, lang=lang))
    checked = VERIFIER.verify(done)
    assert isinstance(checked, BlindedReply), checked
    return done.text


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("Irune, 63 years old, lives nearby.", ["63"]),
        ("Irune Otxoa (58) signed.", ["58"]),
        ("You're coeliac and 44, so the menu fits.", ["44"]),
        ("She is in her early fifties.", ["fifties", "She", "her"]),
        ("The applicant, a 39-year-old plumber, called.", ["39"]),
        ("Irune turns 70 in June.", ["70"]),
        ("Born in Lima in 1969, Irune paints.", ["Lima", "1969"]),
        ("My seven-year-old needs a booster seat.", ["seven"]),
        ("As a pensioner you travel free.", ["pensioner"]),
        ("As a Kenyan citizen, you need a visa. Kenyans apply online.", ["Kenyan", "Kenyans"]),
        ("Irune speaks Swiss German with the team.", ["Swiss", "German"]),
        ("Irune hails from Senegal; the Senegalese office is in Dakar.", ["Senegal", "Senegalese", "Dakar"]),
        ("You observe Passover, so we moved it.", ["Passover"]),
        ("The ferrywoman helped the groundsman.", ["ferrywoman", "groundsman"]),
        ("Your great-aunt and your stepmum came.", ["aunt", "stepmum"]),
        ("The masseuse knew the ballerina.", ["masseuse", "ballerina"]),
        ("Mme Otxoa, Lady Irune and Sir Otxoa.", ["Mme", "Lady", "Sir"]),
        ("Ask Mx. Otxoa or Señora Otxoa.", ["Mx", "Señora"]),
        ("Xe forgot xyr bag; ey lost eir keys; fae took faer seat.", ["Xe", "xyr", "ey", "eir", "faer"]),
        ("(S)he or her/his deputy signs.", ["her", "his"]),
        ("The caller is an old man from Chad; the Chadian form is in French.", ["man", "Chad", "Chadian"]),
        ("A Bolivian waitress asked about it.", ["Bolivian", "waitress"]),
        ("Irune (47, Estonian) asked twice. At 47, the check is free.", ["47", "Estonian"]),
        ("They may crown you queen of the harbour.", ["queen"]),
        ("They called him the king of small repairs.", ["king", "him"]),
    ],
)
def test_english_kinds_go(text: str, gone: list[str]) -> None:
    """Each English cue goes, whatever the instance."""
    left = masked(text, "en").replace("[", " [").replace("]", "] ").split()
    words = {w.strip(".,;:!?()'\"") for w in left}
    assert not words.intersection(gone)


@pytest.mark.parametrize(
    "text",
    [
        "Children aged 3 to 12 pay half and anyone aged 60 or over rides free.",
        "Our 18-year-old rum has a 5-year label.",
        "Buses from Chad and Estonian timber arrive at 47, platform 2.",
        "Pitch the tent with a guy rope near the lady fern on Prince Edward Island.",
        "The building is 90 years old.",
        "Our sister company and the parent company share a daughter board.",
        "The brother printer needs a king size box.",
        "The women's boots and men's shoes are on sale.",
        "A bachelor's degree is enough.",
        "French fries, Turkish delight and a Swiss army knife.",
        "Flights to Kenya leave daily; the Spanish version of the form is online.",
        "A human error, a snowman and the Roman road.",
        "The mass of the parcel is 2 kg; the church is near the station.",
    ],
)
def test_english_things_stay(text: str) -> None:
    """The same words said of things stay, and the verifier passes them."""
    assert masked(text, "en") == text


@pytest.mark.parametrize(
    ("woman", "man"),
    [
        (
            "Dª Irune Otxoa, nacida en 1961, es la dueña de la finca.",
            "D. Irune Otxoa, nacido en 1961, es el dueño de la finca.",
        ),
        ("Queda usted convocada a la junta.", "Queda usted convocado a la junta."),
        ("Irune fue operada ayer.", "Irune fue operado ayer."),
        ("Irune resultó elegida presidenta.", "Irune resultó elegido presidente."),
        ("Está usted muy implicada.", "Está usted muy implicado."),
        ("Eres muy generosa.", "Eres muy generoso."),
        ("Irune, casada y residente en Lugo, firmó.", "Irune, casado y residente en Lugo, firmó."),
        ("Irune ha sido readmitida en el coro.", "Irune ha sido readmitido en el coro."),
        ("Si no paga, la damos de baja, Irune.", "Si no paga, lo damos de baja, Irune."),
        ("Irune llega hoy; la esperamos.", "Irune llega hoy; lo esperamos."),
        ("Podemos atenderla o acompañarla.", "Podemos atenderlo o acompañarlo."),
        ("Irune vino con una sobrina suya.", "Irune vino con un sobrino suyo."),
        ("Irune es la arrendataria.", "Irune es el arrendatario."),
        ("Irune Otxoa es enfermera.", "Irune Otxoa es enfermero."),
        ("Como propietaria, usted decide.", "Como propietario, usted decide."),
        ("Lda. Otxoa, Profª Otxoa, Hna. Irune", "Ldo. Otxoa, Prof. Otxoa, Hno. Irune"),
        ("Doña Irune y la Sra. Otxoa", "Don Irune y el Sr. Otxoa"),
        ("Su cuñada y su nieta", "Su cuñado y su nieto"),
    ],
)
def test_spanish_copies_become_equal(woman: str, man: str) -> None:
    """What tells a woman from a man in Spanish becomes one and the same text."""
    assert masked(woman, "es") == masked(man, "es")
    assert masked(woman, "es") != woman


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("Irune, de 52 años, llamó.", ["52"]),
        ("Usted cumple 65 en marzo.", ["65"]),
        ("Una paciente keniana de 33 años llamó.", ["keniana", "33"]),
        ("Irune habla rumano en casa; los rumanos no pagan.", ["rumano", "rumanos"]),
        ("Vive en Lugo pero es de Perú.", ["Perú"]),
        ("Eres boliviana y celebras el Ramadán.", ["boliviana", "Ramadán"]),
        ("Estimade Irune: bienvenide.", ["Estimade", "bienvenide"]),
    ],
)
def test_spanish_kinds_go(text: str, gone: list[str]) -> None:
    """Each Spanish cue goes, whatever the instance."""
    words = {w.strip(".,;:!?") for w in masked(text, "es").split()}
    assert not words.intersection(gone)


@pytest.mark.parametrize(
    "text",
    [
        "Los niños de 3 a 12 años pagan la mitad.",
        "El edificio tiene 90 años y la garantía dura 5 años.",
        "La hermana pequeña de este altavoz cuesta 40 €.",
        "La empresa matriz y su empresa hermana firmaron.",
        "La atención médica es gratuita y la música suena.",
        "La comunidad autónoma aprobó la ayuda.",
        "El pedido está retrasado y la factura está pagada.",
        "La impresora está lista. La tarifa es la más barata.",
        "Atentamente, Secretaría",
        "Un saludo, Gerencia",
        "La tortilla española y la comida mexicana.",
    ],
)
def test_spanish_things_stay(text: str) -> None:
    """The same forms said of things, and offices as signatures, stay and pass."""
    assert masked(text, "es") == text


def test_they_of_an_office_stays() -> None:
    """An institution that has somebody on file is "they" without being a person."""
    text = "The school has Irune Otxoa on file. Bring the form and they will correct it."
    assert "they" in masked(text, "en")
