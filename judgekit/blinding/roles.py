"""Spanish roles: where a noun can only be what a person is, "trabaja de camarero", "la eligieron delegada"."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from collections.abc import Set as AbstractSet

from judgekit.blinding.copulas import adjectival
from judgekit.blinding.cues import rule_words
from judgekit.blinding.fold import View
from judgekit.blinding.spanish_words import next_start

__all__ = ["in_a_role", "named_between", "of_mine", "set_off"]

_WORDS = rule_words("spanish")
_WORKS = _WORDS["works_as"]
_STARTED = (
    "incorpor", "entro", "entre", "fich", "empez", "empiez", "contrat", "trabaj", "figur", "consta", "firm", "actu", "ejerc", "particip", "inscri", "matricul", "apunt", "ascend",
    "promocion", "regres", "volvi", "sigue", "siguio", "continu", "acabo", "termino", "elegid", "nombrad", "seleccionad", "registrad", "acredit",
)  # fmt: skip
_MADE = ("eleg", "elig", "nombr", "design", "proclam", "hicieron", "hizo", "contrat", "llaman", "llamaban")
_BECOMING = (
    "hizo", "hice", "hago", "hace", "hacer", "consider", "declar", "present", "proclam", "confies", "confes", "volvi", "vuelv", "cree", "crei", "sient", "sinti", "sent", "sabe", "defin",
    "imagin", "finge", "fingi", "meti", "qued", "llam",
)  # fmt: skip
_TO_ROLE = _WORDS["cases_of_role"]
_HAILS = _WORDS["hails"]
_OF = (
    ("de",),
    ("del",),
    ("en",),
    ("y",),
    ("jurado",),
    ("oficial",),
    ("titulado",),
    ("general",),
    ("gerente",),
    ("comercial",),
    ("adjunto",),
    ("titular",),
    ("ejecutivo",),
    ("suplente",),
    ("interino",),
    ("tecnico",),
)


def named_between(view: View, i: int, starts: AbstractSet[int]) -> bool:
    """Whether a name between commas follows a noun: nuestro traductor, Iván, revisará el texto.

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        The noun's word.
    starts : set of int
        Positions in the original that belong to names.

    Returns
    -------
    bool
    """
    k = i + 1
    if view.after(i) != ", " or next_start(view, k) not in starts:
        return False
    while k + 1 < len(view.words) and next_start(view, k + 1) in starts and view.after(k) == " ":
        k += 1
    return view.after(k)[:1] in {",", ".", ")", ""}


def in_a_role(view: View, i: int) -> bool:
    """Trabaja de camarero, el ascenso a director.

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        The noun's word.

    Returns
    -------
    bool
    """
    if i < 2 or view.before(i) != " ":
        return False
    before, first = view.words[i - 1], view.words[i - 2]
    if before == "como" and any(w.startswith(_STARTED) for w in view.words[max(0, i - 7) : i - 1]):
        return True  # se incorporó en 2020 como administrativa
    if before == "para" and first.startswith(("estudi", "prepar")):
        return True
    if before == "en" and first.startswith(("convirt", "conviert", "convert", "transform")):
        return True
    if first in {"se", "me", "te"} and before.startswith(_BECOMING):
        return True
    if first in {"la", "lo", "te", "me", "le"} and before.startswith(_MADE):
        return True  # la eligieron delegada
    if before == "de" and first in {"y", "o", "luego", "despues", "antes", "tambien"}:
        return not _WORKS.isdisjoint(view.words[max(0, i - 9) : i - 2])  # de camarera y luego de cajera
    return (before in {"de", "como"} and first in _WORKS) or (before == "a" and first in _TO_ROLE)


def of_mine(view: View, i: int, starts: AbstractSet[int]) -> bool:
    """Fue mi alumno; es mi vecino y su abogado; Iván, nuestro mejor cliente.

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        The noun's word, or the first adjective before it.
    starts : set of int
        Positions in the original that belong to names.

    Returns
    -------
    bool
    """
    if i < 2 or view.words[i - 1] not in {"mi", "tu", "su", "nuestro", "vuestro"}:
        return False
    joined = view.words[i - 2] == "y" and i > 4 and view.words[i - 5] in {"es", "era", "fue"}
    apposed = view.before(i - 1) in {", ", " ("} and next_start(view, i - 2) in starts
    return joined or apposed or view.words[i - 2] in _BEING


_BEING = frozenset("es eres sos soy era fue siendo sea ser seria sera eras seras fui como usted sido".split())


def set_off(view: View, i: int, starts: AbstractSet[int]) -> bool:
    """Hola, compañero; Iván, arquitecto de profesión.

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        The noun's word.
    starts : set of int
        Positions in the original that belong to names.

    Returns
    -------
    bool
    """
    hailed = view.words[i - 1] in _HAILS or (i > 1 and view.words[i - 2] in _HAILS)
    following = view.words[i + 1] if i + 1 < len(view.words) and view.after(i) == " " else ""
    closes = view.after(i)[:1] in {",", ".", "!", "?", ""} or (following.endswith("o") and adjectival(following))
    return (hailed and closes) or (next_start(view, i - 1) in starts and (closes or view.words[i + 1 : i + 2] in _OF))
