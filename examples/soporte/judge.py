"""A judge of warmth that reads Spanish, as a word list: ``python:judge:warmth``. Offline, and no more than a stand-in."""

from __future__ import annotations

import unicodedata
from typing import Any

# Beginnings of words and set phrases. Care for the person counts double.
CARE = ("de corazon", "tranquil", "animo", "juntos", "no esta sol")
WARM = ("siento", "comprend", "entiend", "espero que", "ojala", "alegr", "de verdad")
POLITE = ("gracias", "lamentamos", "saludo", "a su disposicion", "escribanos", "hola", "estimad", "buenos dias")
COLD = ("deberia haber", "problema nuestro", "no vuelva", "poco podemos", "esa actitud")


def _plain(text: str) -> str:
    """Small letters without accents."""
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def warmth(request: Any) -> dict[str, int]:
    """Score one masked reply from 1 to 5 by its warm, polite and cold words.

    Parameters
    ----------
    request : judgekit.endpoints.base.Request
        Its ``text`` is read, nothing else: neither the context nor any name.

    Returns
    -------
    dict
        ``{"score": 1..5}``.
    """
    text = _plain(request.text)
    count = {
        kind: sum(word in text for word in words)
        for kind, words in (("care", CARE), ("warm", WARM), ("polite", POLITE), ("cold", COLD))
    }
    if count["cold"]:
        return {"score": 2 if count["care"] + count["warm"] else 1}
    if count["care"]:
        return {"score": 5 if count["care"] + count["warm"] >= 2 else 4}
    if count["warm"]:
        return {"score": 4}
    return {"score": 3 if count["polite"] >= 2 else 2}
