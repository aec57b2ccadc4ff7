"""Spanish words that stand alone in a cell or a field: "Estado: admitida", "situacion": "inscrita", a row of a table.

A word alone has no sentence to agree with. Its field's name tells what it is said of: a state or situation in a record
that names a person is the person's; a field that is itself a thing ("cuota": "pagada") accounts for the word.
"""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from bisect import bisect_left

import regex

from judgekit.blinding.clauses import Clauses
from judgekit.blinding.copulas import adjectival, base_form, of_people
from judgekit.blinding.fold import View, patience

__all__ = ["in_cells"]

_T = 1.0
_FIELD = regex.compile(
    r'"?\b(?P<key>\p{L}[\p{L}_]{3,20}(?: \p{L}{2,12})?)"? ?[:=] ?"?(?P<value>\p{L}{4,20})"?(?= ?(?:$|[,.;|}\n\r]))',
    regex.M,
)
_ROW = regex.compile(r"^ *\|.*\|? *$", regex.M)
_STATES = frozenset("estado situacion status condicion resultado animo perfil modalidad".split())


def in_cells(view: View, clauses: Clauses, people: frozenset[str]) -> set[int]:
    r"""Find the words alone in a field or a cell that say how a person is.

    Parameters
    ----------
    view : View
        The folded text.
    clauses : Clauses
        The text's clauses.
    people : frozenset of str
        Dictionary forms of words that are said of people.

    Returns
    -------
    set of int

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> view = fold("Titular: Ana\nSituación: inscrita\nCuota: pagada")
    >>> in_cells(view, Clauses(view, {9, 10, 11}, frozenset()), frozenset())
    {3}
    """
    if not any(clauses.people) or (":" not in view.folded and "=" not in view.folded and "|" not in view.folded):
        return set()
    found = set()
    for field in _FIELD.finditer(view.folded, timeout=patience(view.folded)):
        if field["key"].split()[0].strip("_") in _STATES:
            found.add(bisect_left(view.starts, field.start("value")))
    header: list[str] = []
    for row in _ROW.finditer(view.folded, timeout=patience(view.folded)):
        cells = row[0].strip().strip("|").split("|")
        if not header:
            header = [cell.strip() for cell in cells]
            continue
        at = row.start() + row[0].index("|") + 1
        for column, cell in enumerate(cells):
            word = cell.strip()
            if word.isalpha() and column < len(header) and header[column].split(" ")[0] in _STATES:
                found.add(bisect_left(view.starts, at + cell.index(word)))
            at += len(cell) + 1
    return {
        i
        for i in found
        if i < len(view.words)
        and view.words[i][-1:] in {"a", "o"}
        and view.words[i][:-1] + "o" != "activo"
        and adjectival(view.words[i])
        and of_people(base_form(view.words[i]), people) > 0
        and any(clauses.people[max(0, i - 12) : i + 6])
    }
