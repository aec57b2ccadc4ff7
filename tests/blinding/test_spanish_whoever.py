"""What a Spanish reply says of a person reads the same whichever the gender, and what it says of things stays."""

from __future__ import annotations

import pytest

from judgekit.blinding.mask import Blinder
from judgekit.records import Reply

# "{}" takes the word; each frame says it of the person addressed or spoken of, whatever the construction.
FRAMES = (
    "Hola, Noa. No se asuste: no ha sido {} y su dinero está seguro.",
    "Se ve que está muy {}, Noa. La comisión fue suprimida en 2023.",
    "Noa, cuando esté {}, pulse el botón. La descarga empieza ya.",
    "La oferta vence hoy. ¿Está usted {}, Noa?",
    "Le agradezco que haya sido tan {}, Noa. La espera fue larga.",
    "Noa, no hay motivo de alarma. Está bien {} y la rehabilitación avanza.",
    "No se quede {}, Noa: la línea está abierta toda la noche.",
    "Siento que te hayan dejado {}, Noa. La tarifa te será devuelta.",
    "Noa sigue {} y la puerta, cerrada.",
)
WORDS = (
    "engañad",
    "preocupad",
    "informad",
    "preparad",
    "atendid",
    "agobiad",
    "comprensiv",
    "tranquil",
    "sol",
    "protegid",
)
# A thing of the word's own gender accounts for it.
OF_THINGS = """
    Noa, la transferencia quedó retenida por seguridad y será liberada mañana.
    La línea azul está cortada; la verde la sustituye.
    Después de la vacuna, Noa, beba agua.
    Noa, la guía rápida está traducida y la entrada es gratuita.
    La mesa pequeña está libre, Noa; la grande, ocupada.
    Noa, será indemnizada toda pérdida.
    Bienvenida la primavera, Noa.
    La recaída es pasajera, Noa.
    Noa, la carpeta la dejó hecha.
    Las esposas de seguridad están en la caja, Noa.
    Noa, le recomiendo "El padre".
    Noa, es una situación molesta.
    Noa, la descarga empezará sola.
    Noa, vaya si lo prefiere.
"""


@pytest.fixture(scope="module")
def blinder() -> Blinder:
    """One blinder for all sentences."""
    return Blinder(ner="off")


def masked(blinder: Blinder, text: str) -> str:
    """The blinded text, Noa being known."""
    return blinder.mask(Reply(id="1", text=text, known_names=("Noa",), names_stated=True, lang="es")).text


@pytest.mark.parametrize("frame", FRAMES)
def test_both_genders_are_masked_alike(blinder: Blinder, frame: str) -> None:
    """Each frame with each word, in -a and -o, gives one and the same text, and the word is gone."""
    for word in WORDS:
        texts = {masked(blinder, frame.format(word + end)) for end in "ao"}
        assert len(texts) == 1, (word, texts)
        assert word + "a" not in texts.pop(), (frame, word)


@pytest.mark.parametrize(
    ("hers", "his"),
    [
        ("Noa Gil, profesora invitada", "Noa Gil, profesor invitado"),
        ("Noa Gil, arquitecta y escritora", "Noa Gil, arquitecto y escritor"),
        ("Noa, buscamos una cocinera creativa.", "Noa, buscamos un cocinero creativo."),
        ("¿Y una conductora de esa edad, Noa?", "¿Y un conductor de esa edad, Noa?"),
        ("Si la nota decaída, Noa, llame.", "Si lo nota decaído, Noa, llame."),
        ("Los médicos la consideran apta, Noa.", "Los médicos lo consideran apto, Noa."),
        ("La ambulancia la llevó al hospital. Noa está bien.", "La ambulancia lo llevó al hospital. Noa está bien."),
        ("Noa, no se dé por vencida.", "Noa, no se dé por vencido."),
        ("No sea tan dura consigo misma, Noa.", "No sea tan duro consigo mismo, Noa."),
        ("Noa, una vez identificada, verá la lista.", "Noa, una vez identificado, verá la lista."),
        ("Titular: Noa\nSituación: inscrita", "Titular: Noa\nSituación: inscrito"),
        ("| Quién | Estado |\n|---|---|\n| Noa | admitida |", "| Quién | Estado |\n|---|---|\n| Noa | admitido |"),
        ("Noa, ¿vive sola o comparte piso?", "Noa, ¿vive solo o comparte piso?"),
    ],
)
def test_a_woman_and_a_man_read_alike(blinder: Blinder, hers: str, his: str) -> None:
    """Nouns, pronouns, cells and idioms leave one text for both, with nothing of either left."""
    one = masked(blinder, hers)
    assert one == masked(blinder, his)
    assert one != hers.replace("Noa", "[PERSON_1]")


def test_what_is_said_of_things_stays(blinder: Blinder) -> None:
    """Only the name goes from sentences that speak of things."""
    lines = [line.strip() for line in OF_THINGS.strip().splitlines()]
    assert [masked(blinder, line) for line in lines] == [line.replace("Noa", "[PERSON_1]") for line in lines]
