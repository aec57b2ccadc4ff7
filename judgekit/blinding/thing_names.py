"""Spanish person nouns that name no person: a machine's "placa madre", the climate's "El Niño", a film in quotes."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from judgekit.blinding.cues import rule_words
from judgekit.blinding.fold import View

__all__ = ["said_of_a_thing"]

_WORDS = rule_words("spanish")
_HUMANS = _WORDS["humans"]


def said_of_a_thing(view: View, i: int, j: int) -> bool:
    """Whether a family word belongs to a thing: "empresa matriz hermana", "la hermana pequeña de esta cámara".

    Parameters
    ----------
    view : View
        The folded text.
    i, j : int
        The first word and the word after the last.

    Returns
    -------
    bool

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> said_of_a_thing(fold("la hermana pequeña de esta cámara"), 1, 2)
    True
    >>> said_of_a_thing(fold("la hermana pequeña de Ana"), 1, 2)
    False
    """
    if view.words[i] in {"nino", "nina"} and i and view.words[i - 1] in {"el", "la"} and view.raw(i).istitle():
        return not (j < len(view.words) and view.capital(j) and view.after(j - 1) == " ")  # El Niño, the climate
    if _in_a_title(view, i, j):
        return True
    if view.words[i] not in _KIN:
        return False
    if i and view.words[i - 1] in _THINGS and view.before(i) in {" ", "-"}:
        return True
    if not i or view.words[i - 1] not in {"la", "el", "las", "los", "una", "un"}:
        return False
    k = j
    if k < len(view.words) and view.words[k] in _SIZES:
        k += 1
    if k + 1 < len(view.words) and view.words[k] == "del":
        return view.words[k + 1] not in _HUMANS and not view.capital(k + 1)
    if k + 2 < len(view.words) and view.words[k] == "de" and view.words[k + 1] in _POINTING:
        noun = view.words[k + 2]
        return noun not in _HUMANS and not view.capital(k + 2) and not noun.endswith(("dora", "dor", "ista", "nte"))
    return False


def _in_a_title(view: View, i: int, j: int) -> bool:
    """As in "El padre" or "Mujeres al borde de un ataque de nervios": the title of a work, in quotes."""
    if view.words[i] not in {"padre", "madre", "mujeres", "hombres", "chicas", "chicos"}:
        return False
    first = i - 1 if i and view.words[i - 1] in {"el", "la", "los", "las"} and view.before(i) == " " else i
    if view.before(first)[-1:] not in {'"', "«", "“"} or not view.capital(first) or j - first < 1:
        return False
    for k in range(first, min(first + 10, len(view.words))):
        gap = view.after(k)
        if gap[:1] in {'"', "»", "”"}:
            return k > first
        if gap != " " or view.words[k] in _SPEAKERS:
            return False
    return False


_SPEAKERS = frozenset("me te mi tu yo soy eres es esta estoy le se su usted no ha he".split())
_KIN = frozenset(
    "madre padre hermana hermano hija hijo abuela abuelo prima primo hermanas hermanos hijas hijos".split()
)
_SIZES = frozenset("pequena pequeno mayor menor gemela gemelo grande".split())
_POINTING = frozenset("la el las los esta este estas estos esa ese nuestra nuestro todas todos".split())
_THINGS = _WORDS["things_with_kin"]
