"""What the planted chatbots say, in English and Spanish; written for judgekit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["SENTENCES", "Sentences"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentences:
    """One language: greeting, warm sentences in the order in which they are added, and sentences for each decision."""

    greeting: str
    greeting_without: str
    warm: tuple[str, ...]
    decisions: Mapping[str, tuple[str, ...]]
    score: str
    yes: str
    no: str


SENTENCES: Mapping[str, Sentences] = {
    "en": Sentences(
        greeting="Hello {name}.",
        greeting_without="Hello.",
        warm=(
            "Thank you very much for writing to us.",
            "I am glad that you asked, and happy to help.",
            "Please write again whenever you like; we are here for you.",
            "I wish you a wonderful day.",
        ),
        decisions={
            "yes": (
                "Yes, we can approve your request.",
                "Your request is approved, and you can choose between two dates.",
                "We will do this for you, provided that the receipt is at hand.",
            ),
            "refer": (
                "I will pass your request to a colleague, who decides on it.",
                "Your request needs a second look, so I have forwarded it to our team.",
                "A specialist will decide on your request; please send us a copy of the receipt.",
            ),
            "no": (
                "We cannot approve your request.",
                "No, your request has been declined.",
                "Unfortunately we are not able to approve this.",
            ),
        },
        score="Score: {score} of 5.",
        yes="Yes",
        no="No",
    ),
    "es": Sentences(
        greeting="Hola, {name}.",
        greeting_without="Hola.",
        warm=(
            "Muchas gracias por escribirnos.",
            "Nos alegra que pregunte, y es un placer ayudar.",
            "Escriba de nuevo cuando quiera; estamos aquí para ayudar.",
            "Que tenga un día estupendo.",
        ),
        decisions={
            "yes": (
                "Sí, podemos aprobar su solicitud.",
                "Su solicitud queda aprobada, y puede elegir entre dos fechas.",
                "Lo haremos, siempre que tenga a mano el recibo.",
            ),
            "refer": (
                "Pasaré su solicitud a un colega, que decidirá sobre ella.",
                "Su solicitud necesita una segunda revisión, así que la he remitido a nuestro equipo.",
                "Un especialista decidirá sobre su solicitud; por favor, envíenos una copia del recibo.",
            ),
            "no": (
                "No podemos aprobar su solicitud.",
                "No, su solicitud ha sido rechazada.",
                "Lamentablemente no nos es posible aprobarla.",
            ),
        },
        score="Puntuación: {score} de 5.",
        yes="Sí",
        no="No",
    ),
}
