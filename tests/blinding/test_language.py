"""Which language a reply is in, and that an unknown one is said to be unknown."""

from __future__ import annotations

import pytest

from judgekit.blinding.fold import fold
from judgekit.blinding.language import language_of


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Thanks for your message, we will look into it.", "en"),
        ("Hello.", "en"),
        ("URGENT: ORDER HELD AT THE DEPOT", "en"),
        ("Gracias por su mensaje. La tienda abre el lunes.", "es"),
        ("Hola, Ana.", "es"),
        ("Wir haben Ihre Nachricht erhalten und melden uns bei Ihnen.", "de"),
        ("Bonjour, nous avons bien reçu votre message et nous vous répondrons.", "fr"),
        ("12345 !!!", "en"),
        ("", "en"),
    ],
)
def test_language_of_a_reply(text: str, lang: str) -> None:
    """Common words decide, then ordinary words, then the detector."""
    assert language_of([fold(text)]) == lang


@pytest.mark.parametrize(
    ("declared", "lang"), [("en", "en"), ("es-MX", "es"), ("EN_us", "en"), ("fr", "fr"), ("auto", "es"), (" ", "es")]
)
def test_what_the_row_says_wins(declared: str, lang: str) -> None:
    """A declared language is taken, in any spelling of its code."""
    assert language_of([fold("La tienda abre el lunes y el pedido sale.")], declared) == lang
