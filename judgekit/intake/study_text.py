"""The commented study.yaml with what a file says filled in: the same text as an empty one, key by key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from judgekit.intake.columns import ColumnGuess
from judgekit.intake.draft import Draft, DraftGroup

__all__ = ["fill_study", "study_name"]

_READ_OTHERWISE = frozenset({"yes", "no", "on", "off", "true", "false", "null", "y", "n"})
_WIDTH = 33  # where the comments of the template begin


def study_name(folder: str) -> str:
    """A study's name made of a folder's: letters, digits, ``-`` and ``_``.

    Examples
    --------
    >>> study_name("Réplicas mayo"), study_name("...")
    ('R-plicas-mayo', 'my-study')
    """
    kept = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in folder).strip("-_")
    return kept[:64] or "my-study"


def quoted(value: str) -> str:
    r"""A text as YAML, in quotes wherever it could be read as something else.

    Examples
    --------
    >>> quoted("she/her"), quoted("no"), quoted("1"), quoted('a "b": c')
    ('she/her', '"no"', '"1"', '"a \\"b\\": c"')
    """
    words = all(c.isalnum() or c in "-_./ " for c in value) and value == value.strip()
    if words and value[:1].isalpha() and value.casefold() not in _READ_OTHERWISE:
        return value
    import yaml

    return str(yaml.safe_dump(value, default_style='"', allow_unicode=True, width=float("inf"))).rstrip("\n")


def fill_study(
    template: str,
    draft: Draft,
    *,
    name: str,
    replies: str,
    columns: Sequence[ColumnGuess],
    csv: Mapping[str, str],
    judge: str | None = None,
    annotators: Sequence[str] = (),
) -> str:
    """Write what is known into the template of a study.

    Parameters
    ----------
    template : str
        The commented study with defaults.
    draft : Draft
        Groups, design and language.
    name : str
        The study's name.
    replies : str
        The path of the replies as seen from the study.
    columns : sequence of ColumnGuess
        Which column is which; those that are named as judgekit names them need no line.
    csv : mapping
        How the CSV file is written, as far as it must be said.
    judge : str, optional
        SPEC of the judge.
    annotators : sequence of str
        Who labels.

    Returns
    -------
    str
        YAML with the template's comments.
    """
    text = _set(template, "study", quoted(name))
    text = _set(text, "  replies", quoted(replies))
    text = _block(text, "  columns", _column_lines(columns))
    if csv:
        text = _set(text, "  csv", "{" + ", ".join(f"{k}: {quoted(v)}" for k, v in csv.items()) + "}")
    text = _set(text, "  lang", draft.lang)
    text = _set(text, "  design", draft.design)
    text = _groups(text, draft)
    if judge is not None:
        text = _set(text, "  spec", quoted(judge))
    if annotators:
        text = _set(text, "  annotators", "[" + ", ".join(map(quoted, annotators)) + "]")
    return text


def _find(lines: Sequence[str], key: str) -> int:
    """The line of a key; that the template has every key once is proved by a test."""
    found = [n for n, line in enumerate(lines) if line.startswith(f"{key}:")]
    if len(found) != 1:
        raise ValueError(f"the template has {len(found)} lines for {key!r}")
    return found[0]


def _comment(line: str) -> str:
    _, mark, comment = line.partition(" # ")
    return f"# {comment}" if mark else ""


def _set(text: str, key: str, value: str) -> str:
    lines = text.split("\n")
    at = _find(lines, key)
    lines[at] = f"{f'{key}: {value}':<{_WIDTH - 1}} {_comment(lines[at])}".rstrip()
    return "\n".join(lines)


def _block(text: str, key: str, inside: Sequence[str]) -> str:
    """Put lines below a key that holds an empty mapping."""
    if not inside:
        return text
    lines = text.split("\n")
    at = _find(lines, key)
    lines[at : at + 1] = [f"{f'{key}:':<{_WIDTH - 1}} {_comment(lines[at])}".rstrip(), *inside]
    return "\n".join(lines)


def _one_line(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)


def _column_lines(columns: Sequence[ColumnGuess]) -> list[str]:
    # A column that is two things at once is stated for both: what is stated for one is not looked at for another.
    used = Counter(g.column for g in columns)
    return [
        f"{f'    {g.canonical}: {quoted(g.column)}':<{_WIDTH - 1}} # {g.confidence}: {_one_line(g.reason)}"
        for g in columns
        if g.canonical != g.column or used[g.column] > 1
    ]


def _groups(text: str, draft: Draft) -> str:
    lines = text.split("\n")
    start = _find(lines, "groups")
    end = next(n for n in range(start + 1, len(lines)) if not lines[n].startswith("  "))
    if not draft.groups:
        head = f"# {draft.blocked[0]}." if draft.blocked else "# no groups."
        lines[start:end] = [_one_line(head), *(f"#   {line}" for line in lines[start:end])]
        return "\n".join(lines)
    values = next(n for n in range(start, end) if lines[n].startswith("  values:"))
    after = next(n for n in range(values + 1, end) if not lines[n].startswith("    "))
    lines[values + 1 : after] = [line for group in draft.groups for line in _group_lines(group)]
    text = "\n".join(lines)
    return _set(text, "  attribute", quoted(draft.attribute or "group"))


def _group_lines(group: DraftGroup) -> list[str]:
    said = {"label": group.label, "pronouns": group.pronouns, "title": group.title}
    facts = [f"{key}: {quoted(value)}" for key, value in said.items() if value is not None]
    head = f"    {quoted(group.value)}: {{{', '.join(facts)}"
    if not group.names:
        return [f"{head}, names: []}}"]
    return [f"{head},", f"      names: [{', '.join(quoted(name) for name in group.names)}]}}"]
