"""Names spelled out letter by letter: T-H-U-Y, V A N  D E R  K O L K, S/A/N/D."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from collections.abc import Iterator

import regex

from judgekit.blinding.cues import rule_words
from judgekit.blinding.fold import View, patience
from judgekit.blinding.known import PARTICLES, NameSet

__all__ = ["spelled_known", "spelled_surnames", "spelled_unknown"]

_RUN = regex.compile(
    r"(?<![\p{L}\p{N}'])\p{L}(?:(?:[-.·*/_|,]? {0,4}|[-.·*/_|,]{1,2})(?<=[^\p{L}])\p{L}(?![\p{L}\p{M}\p{N}]|'\p{L})){1,60}+"
)
_NEXT_SENTENCE = regex.compile(r"\. +\p{L}$")
_CUES = rule_words("names")["spelling_cues"]
_TIMEOUT = 1.0


def _runs(view: View) -> Iterator[tuple[int, int, str]]:
    if not view.spelt:
        return
    for found in _RUN.finditer(view.folded, timeout=patience(view.folded)):
        start, end, run = found.start(), found.end(), found.group()
        # G-H-I. A fresh one: the full stop ends the letters.
        if _NEXT_SENTENCE.search(run, timeout=_TIMEOUT) and run.count(".") == 1 and len(run) > 6:
            end = start + run.rindex(".")
            run = run[: end - start]
        yield start, end, "".join(c for c in run if c.isalpha())


_CODED = r"\p{L} (?:as in|like|for|de|como) \p{L}{2,}"
_LETTER = rf"(?:{_CODED}|\p{{L}})(?![\p{{L}}\p{{M}}\p{{N}}])"
_WITH_CODES = regex.compile(
    rf"(?<![\p{{L}}\p{{N}}']){_LETTER}(?:(?:, (?:and |y |then |luego )?{_LETTER}){{2,40}}+|(?: {_LETTER}){{2,40}}+)"
)
_CODE = regex.compile(r"(\p{L}) (?:as in|like|for|de|como) \p{L}{2,}|and |y |then |luego ")


def _coded(view: View) -> Iterator[tuple[int, int, str]]:
    """Letters spelled with code words: M as in Mike, O, R, O, Z."""
    if view.plain and list(map(len, view.words)).count(1) < 3:  # the fewest letters that are a spelling
        return
    for found in _WITH_CODES.finditer(view.folded, timeout=patience(view.folded)):
        letters = _CODE.sub(r"\1", found.group(), timeout=_TIMEOUT)
        joined = "".join(c for c in letters if c.isalpha())
        if len(joined) >= 3 and " " in found.group() and joined != "".join(c for c in found.group() if c.isalpha()):
            yield found.start(), found.end(), joined


def _of_particles(letters: str) -> bool:
    """Whether letters are nothing, or particles in a row: vander."""
    return not letters or any(
        letters.startswith(p) and _of_particles(letters[len(p) :]) for p in PARTICLES if len(p) > 1
    )


def spelled_known(view: View, names: NameSet) -> list[tuple[int, int]]:
    """Where known names are spelled out, with the particles and initials spelled beside them.

    Parameters
    ----------
    view : View
        The folded text.
    names : NameSet
        The known names.

    Returns
    -------
    list of (int, int)
        Stretches of the folded text.

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> from judgekit.blinding.known import compile_names
    >>> view = fold("It is V A N  D E R  K O L K, not C-O-L-K.")
    >>> [view.text[a:b] for a, b in spelled_known(view, compile_names(("Ineke", "van der Kolk"), "en"))]
    ['V A N  D E R  K O L K']
    """
    out = []
    for start, end, joined in _runs(view):
        parts = frozenset(p for p in names.pieces if p in joined and (len(p) >= 3 or p == joined))
        if not parts or (len(joined) == 2 and "-" not in view.folded[start:end]):
            continue
        places = [start + k for k, c in enumerate(view.folded[start:end]) if c.isalpha()]
        found = [(m.start(), m.end()) for part in parts for m in regex.finditer(regex.escape(part), joined)]
        low, high = min(a for a, _ in found), max(b for _, b in found)
        if _of_particles(joined[:low]):
            low = 0
        covered = set().union(*(range(a, b) for a, b in found))
        inner = "".join(c for k, c in enumerate(joined) if low <= k < high and k not in covered)
        if len(inner) <= 2 or _of_particles(inner):
            out.append((places[low], places[high - 1] + 1))
        else:
            out += [(places[a], places[b - 1] + 1) for a, b in found]
    for start, end, joined in _coded(view):
        if any(len(p) >= 3 and p in joined for p in names.pieces):
            out.append((start, end))
    return out


def spelled_surnames(view: View) -> Iterator[str]:
    """Surnames spelled out letter by letter right behind the word for it: last name R A V E N, surname O-K-E-K-E.

    Parameters
    ----------
    view : View
        The folded text.

    Yields
    ------
    str
        The letters as one word.

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> list(spelled_surnames(fold("Given name I-N-A, surname D O R P, code A B C.")))
    ['dorp']
    """
    if not _SURNAMED.intersection(view.words) and "name" not in view.words:
        return
    at = {start: k for k, start in enumerate(view.starts)}
    for start, _, joined in _runs(view):
        first = at.get(start)
        if first is None or len(joined) < 3:
            continue
        near = view.words[max(0, first - 3) : first]
        named = _SURNAMED.intersection(near) or ("name" in near and {"last", "family", "second"}.intersection(near))
        if named and not _OF_THINGS.intersection(near):
            yield joined


_THEN = (("then",), ("and",), ("surname",), ("comma",), ("y",), ("luego",))
_READ_BACK = regex.compile(r"\b(?:read|reading|repeat|repeating|say|spell) (?:that|it|this|them|you) back\b")
_SURNAMED = frozenset(("surname", "lastname", "apellido", "apellidos"))
_OF_THINGS = frozenset(
    "code codes street road town city village plate licence license reference model postcode company brand product word password address "
    "serial number calle codigo matricula referencia modelo ciudad empresa marca producto palabra clave direccion".split()
)


def spelled_unknown(view: View) -> Iterator[tuple[int, int]]:
    """Words ranges of letters spelled out after what announces a name.

    Parameters
    ----------
    view : View
        The folded text.

    Yields
    ------
    (int, int)
        First word and the word after the last.
    """
    at = {start: k for k, start in enumerate(view.starts)}
    read_back = "back" in view.words and _READ_BACK.search(view.folded, timeout=_TIMEOUT) is not None
    for start, _, joined in _runs(view):
        if len(joined) < 3 or start not in at:
            continue
        first = at[start]
        if joined[0] in "aioy" and view.between(first, first + 1) == " " and not view.capital(first):
            continue
        near = view.words[max(0, first - 5) : first]
        told = _CUES.intersection(near) or (
            len(joined) > (2 if near[-1:] in _THEN else 3) and read_back and view.raw(first).isupper()
        )
        if told and not _OF_THINGS.intersection(near):
            yield first, first + len(joined)
            read_back = True
    until = {end: k for k, end in enumerate(view.ends)}
    for start, end, _ in _coded(view):
        if start in at and end in until and _CUES.intersection(view.words[max(0, at[start] - 5) : at[start]]):
            yield at[start], until[end] + 1
