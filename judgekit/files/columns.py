"""Which column is which: canonical names, their aliases, and what the user states in ``columns:``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from judgekit.errors import BadInput

__all__ = ["METRICS", "PAIRS", "RATINGS", "REPLIES", "Aliases", "missing_column", "resolve"]

Aliases = Mapping[str, tuple[str, ...]]

_ITEM = ("item", "item_id", "conv_id", "example_id")
_TEMPLATE = ("template", "scenario")
_REPLICATE = ("sample", "seed", "repeat", "epoch", "rep")

REPLIES: Aliases = {
    "id": _ITEM,
    "text": ("reply", "output", "response", "actual_output", "completion", "answer"),
    "template_id": _TEMPLATE,
    "group": (),
    "name": (),
    "name_pair": (),
    "replicate": _REPLICATE,
    "context": ("input", "prompt", "user_input", "question", "message"),
    "known_names": (),
    "case_type": (),
    "lang": (),
    "arm": (),
}
RATINGS: Aliases = {
    "item": ("id", "item_id", "conv_id", "example_id"),
    "dimension": (),
    "annotator": (),
    "score": (),
    "choice": (),
    "shown_first": (),
}
PAIRS: Aliases = {
    "pair_id": ("pair", "id"),
    "a_item": ("a", "item_a", "a_id"),
    "b_item": ("b", "item_b", "b_id"),
    "template_id": (*_TEMPLATE, "unit_id"),
}
METRICS: Aliases = {
    "id": _ITEM,
    "template_id": _TEMPLATE,
    "group": (),
    "name": (),
    "name_pair": (),
    "replicate": _REPLICATE,
    "case_type": (),
}


def _fold(name: str) -> str:
    return name.strip().casefold()


def resolve(
    header: Sequence[str],
    aliases: Aliases,
    columns: Mapping[str, Any] | None,
    *,
    path: str | Path,
    line: int | None = 1,
    reserved: Iterable[str] = (),
) -> dict[str, str]:
    """Find the column of every canonical name that the header has.

    Parameters
    ----------
    header : sequence of str
        The columns that are there.
    aliases : mapping
        Canonical name to its other accepted names; compared without regard to case.
    columns : mapping, optional
        What the user states, canonical to actual name; it wins. None as the actual name means "no such column here".
    path, line
        Named in errors.
    reserved : iterable of str
        Columns that are spoken for and match nothing.

    Returns
    -------
    dict of str to str
        Canonical name to the column as it stands in the header.

    Raises
    ------
    BadInput
        A stated column is not there, a stated name is not canonical, or two columns match one canonical name.

    Examples
    --------
    >>> resolve(["ITEM", "Reply", "x"], REPLIES, None, path="r.csv")
    {'id': 'ITEM', 'text': 'Reply'}
    """
    stated = _stated(header, aliases, columns or {}, path=path, line=line)
    taken = {*reserved, *(name for name in stated.values() if name is not None)}
    free: dict[str, list[str]] = {}
    for name in header:
        if name not in taken:
            free.setdefault(_fold(name), []).append(name)
    found: dict[str, str] = {}
    for canonical, others in aliases.items():
        if canonical in stated:
            actual = stated[canonical]
            if actual is not None:
                found[canonical] = actual
            continue
        own = free.get(canonical, [])
        if canonical in own:
            own = [canonical]
        matches = own or [name for other in others for name in free.get(other, [])]
        if len(matches) > 1:
            matches.sort(key=list(header).index)
            raise _two_columns(canonical, matches, header, aliases, path=path, line=line)
        if matches:
            found[canonical] = matches[0]
    return found


def _stated(
    header: Sequence[str], aliases: Aliases, columns: Mapping[str, Any], *, path: str | Path, line: int | None
) -> dict[str, str | None]:
    stated: dict[str, str | None] = {}
    lost: list[tuple[str, str, bool]] = []
    for canonical, actual in columns.items():
        if canonical not in aliases:
            raise BadInput(
                "no such canonical column",
                path=path,
                field=f"columns.{canonical}",
                seen=canonical,
                why=f"the names on the left are {', '.join(aliases)}",
                remedy=f"write {_how(aliases, {'NAME': 'COLUMN'})}",
            )
        if actual is None:
            stated[canonical] = None
            continue
        exact = [name for name in header if name == actual]
        matches = exact or [name for name in header if _fold(name) == _fold(str(actual))]
        if len(matches) == 1:
            stated[canonical] = matches[0]
        else:
            lost.append((canonical, str(actual), bool(matches)))
    if lost:
        raise _not_there(lost, header, aliases, path=path, line=line)
    return stated


def _not_there(
    lost: Sequence[tuple[str, str, bool]],
    header: Sequence[str],
    aliases: Aliases,
    *,
    path: str | Path,
    line: int | None,
) -> BadInput:
    """The error for stated columns that are not there, or stand twice: all of them at once."""
    canonical, actual, twice = lost[0]
    what = f"a column stated for `{canonical}` is not " + ("unique" if twice else "there")
    return BadInput(
        what + "".join(f", nor the one for `{other}` ({seen})" for other, seen, _ in lost[1:]),
        path=path,
        line=line,
        field=f"columns.{canonical}",
        seen=actual,
        why=f"the file has the columns {_listed(header)}",
        remedy=f"correct the name in {_how(aliases, {name: '...' for name, _, _ in lost})}",
    )


def _how(aliases: Aliases, stated: Mapping[str, str]) -> str:
    """Where a user states columns: of replies in study.yaml or as an option of `judgekit blind`, of other tables in Python alone."""
    if aliases is not REPLIES:
        return f"`columns={dict(stated)}` in Python"
    inside = ", ".join(f"{name}: {actual}" for name, actual in stated.items())
    block = f"`columns: {{{inside}}}` in study.yaml"
    options = " ".join(f"--column {name}={actual}" for name, actual in stated.items())
    return f"`{options}` of judgekit blind, or {block}"


def _two_columns(
    canonical: str, matches: list[str], header: Sequence[str], aliases: Aliases, *, path: str | Path, line: int | None
) -> BadInput:
    names = " and ".join(matches)
    return BadInput(
        f"two columns could be `{canonical}`: {names}",
        path=path,
        line=line,
        column=1 + header.index(matches[1]),
        field=canonical,
        seen=names,
        why="only one can be meant, and guessing could take the wrong one",
        remedy=f"set {_how(aliases, {canonical: matches[0]})}, or rename one"
        if aliases is REPLIES
        else "rename the column that is not meant",
    )


def _listed(header: Iterable[str], limit: int = 30) -> str:
    names = list(header)
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(name[:60] for name in names[:limit]) + more


def missing_column(
    canonical: str,
    header: Iterable[str],
    aliases: Aliases,
    *,
    path: str | Path,
    line: int | None,
    others: Sequence[str] = (),
) -> BadInput:
    """The error for a required column that is not there: what is there, and which names would be accepted.

    ``others`` are further required columns that are missing too.
    """
    missing = (canonical, *others)
    accepted = "; ".join(f"{name}: {', '.join((name, *aliases.get(name, ())))}" for name in missing)
    if aliases is REPLIES:
        remedy = f"use one of these names ({accepted}), or set {_how(aliases, dict.fromkeys(missing, '...'))}"
    elif not aliases:
        remedy = "name a column that is there"
    else:
        remedy = f"rename columns of the file to these names ({accepted})"
    if aliases is RATINGS:
        remedy += "; where every rater has a column: `--judge-col COLUMN --human-cols COLUMN,COLUMN` of judgekit agree"
    return BadInput(
        f"the column `{canonical}` is missing" + "".join(f", and so is `{name}`" for name in others),
        path=path,
        line=line,
        field=canonical,
        seen=_listed(header),
        why=f"the file has the columns {_listed(header)}",
        remedy=remedy,
    )
