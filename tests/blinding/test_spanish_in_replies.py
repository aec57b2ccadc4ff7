"""Spanish of ordinary replies: whom a pronoun takes up, and what is said of a person outside a plain sentence."""

from __future__ import annotations

import pytest
import regex

from judgekit.blinding.mask import Blinder
from judgekit.records import Reply

_PAIR = regex.compile(r"\{(?P<hers>[^|}]*)\|(?P<his>[^}]*)\}")

# {a woman's form|a man's form}
SAID_OF_NOA = """
    Vos sos {la primera|el primero} en avisar, Noa.
    Noa, no fuiste {la única|el único}.
    Noa figura como {nueva|nuevo} responsable del contrato.
    Noa sigue como {única|único} responsable de la obra.
    Noa, ya figura como {inscrita|inscrito} en el taller y la primera sesión dura dos horas.
    Si preferís, Noa, la estufa la retirás vos {misma|mismo}.
    Firma: «Noa Gil». La frase queda así: «Quedo {atenta|atento} a sus noticias».
    Noa, abrimos el caso y la oficina {la|lo} mantiene {informada|informado} por carta.
    La factura la pagó Noa Gil. Dice que está {molesta|molesto} con el servicio.
    Noa, sal bien {abrigada|abrigado}: la tarde será fría.
    Noa fue {nuestra mejor alumna|nuestro mejor alumno}.
    Noa es {mi vecina|mi vecino} y {su abogada|su abogado}.
    Noa llamó por la avería. {Ella|Él} envió las fotos; falta que alguien del taller {la|lo} visite.
    Sr. Noa, su crédito fue aprobado por un monto alto. Un asesor {la|lo} espera en la sucursal.
    Noa, la visita quedó para el jueves. La central {la|lo} llama antes.
    El viernes Noa sale del hospital y hay que {recogerla|recogerlo} a las once.
    La operación de Noa fue en otro centro; antes de {citarla|citarlo}, pidamos los datos.
    {La clienta|El cliente} dice que el paquete llegó abierto. Noa Gil está {harta|harto}. {La|Lo} he derivado al especialista.
    Noa Gil revisará la demanda y el contrato y {la|lo} encontrará en el despacho de lunes a jueves.
    Noa, tras la operación {la|lo} trasladaron a planta. La herida está limpia.
    Noa pidió la baja; {la|lo} sustituye una compañera.
    Noa, gracias por ser tan paciente y tan {clara|claro}.
    Para Noa, {nuestra clienta más fiel|nuestro cliente más fiel}.
    Noa, ya {la|lo} tengo {registrada|registrado} en el sistema.
    Noa, si sos {usuaria registrada|usuario registrado}, entrá con tu clave.
"""
OF_THINGS = """
    La queja la presentó Noa.
    Soy Noa. El abrigo me queda pequeño y las botas me quedan anchas.
    Noa, el vestido te queda perfecto.
    El informe lo firmó Noa.
    Noa, la beca la paga el ministerio.
    Noa, la maleta la llevamos al hotel.
    Noa, el paquete lo dejamos en el buzón.
    La carpeta es para Noa. Si no está en su mesa, déjela en recepción.
    Noa, es mejor que lo dejes para la próxima campaña.
    Noa, los documentos los encontrará en su correo.
    Texto para la tarjeta de Noa. ¿Lo quieres más formal?
    Noa, tu solicitud quedó registrada y será revisada.
    Noa, tu reembolso de S/ 89.90 ya fue procesado.
    Noa, el pago de $ 120.50 ya está verificado.
    Noa, felicidades por el premio.
    Noa, solo falta el modelo 036, y el modelo nuevo está rebajado.
    Si alguien está interesado, Noa, que llame.
    Nadie está preparado para una pérdida así, Noa.
    Noa, el pedido consta como entregado y la entrada aparece como usada.
    La sal fina está agotada, Noa.
    Noa, en el centro la espera dura una hora.
    Noa, la puerta la dejamos abierta.
    Recibimos la queja de Noa y la derivamos a la central.
"""


@pytest.fixture(scope="module")
def blinder() -> Blinder:
    """One blinder for all sentences."""
    return Blinder(ner="off")


def lines(text: str) -> list[str]:
    """The sentences of a block."""
    return [line.strip() for line in text.strip().splitlines()]


def masked(blinder: Blinder, text: str) -> str:
    """The blinded text, Noa Gil being known."""
    reply = Reply(id="1", text=text, known_names=("Noa", "Gil"), names_stated=True, lang="es")
    return blinder.mask(reply).text


@pytest.mark.parametrize("frame", lines(SAID_OF_NOA))
def test_a_woman_and_a_man_read_alike(blinder: Blinder, frame: str) -> None:
    """Both forms give one text, in which neither is left."""
    hers, his = _PAIR.sub(r"\g<hers>", frame), _PAIR.sub(r"\g<his>", frame)
    one = masked(blinder, hers)
    assert one == masked(blinder, his)
    assert hers.count("Noa") == one.count("[PERSON_1]")


def test_what_takes_up_or_describes_a_thing_stays(blinder: Blinder) -> None:
    """Only the name goes from sentences whose pronouns and predicates belong to things."""
    texts = lines(OF_THINGS)
    assert [masked(blinder, text) for text in texts] == [text.replace("Noa", "[PERSON_1]") for text in texts]
