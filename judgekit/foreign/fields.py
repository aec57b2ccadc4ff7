"""Which field of a foreign file fills which of judgekit's columns: the same guesses as `judgekit init --from` makes."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import regex

from judgekit.errors import BadInput
from judgekit.files.columns import REPLIES
from judgekit.foreign.imported import Request, Tally
from judgekit.intake.columns import map_columns
from judgekit.intake.profile import PROFILED, profile
from judgekit.intake.words import folded, header_words

__all__ = ["SCORES", "FieldPlan", "Ids", "Survey", "bare", "carried_name", "plan_fields", "without_person"]

_WHO = frozenset(
    {
        *("pronoun", "pronouns", "title", "salutation", "greeting", "honorific", "persona", "accent", "dialect"),
        *("surname", "family_name", "last_name", "first_name", "given_name", "nationality", "country"),
        *("age", "age_group", "religion", "faith", "disability", "orientation"),
    }
)
"""Fields that say who somebody is, besides those whose name says group or name."""

_TAKEN = frozenset(
    name for canonical, others in REPLIES.items() for name in (canonical, *others)
)  # a carried column of such a name would be read as ours
_OWN = frozenset({"id", "text", "model", "error", "error_detail", "finish_reason"})
SCORES = ("promptfoo_", "inspect_", "deepeval_", "lm_eval_", "hf_")
"""How columns begin in which other tools' scores are carried."""

_RESERVED = ("id", "text", "context")
_LONG = 60
_WORDLY = regex.compile(r"\w")


def bare(field_name: str) -> str:
    """The last part of a field's name.

    Examples
    --------
    >>> bare("vars.gender")
    'gender'
    """
    return field_name.rpartition(".")[2] or field_name


def carried_name(field_name: str, prefix: str) -> str:
    """The column of a field that is only carried: its own name, unless judgekit would read that as a column of its own.

    Parameters
    ----------
    field_name : str
    prefix : str
        Put before it where the name is taken.

    Examples
    --------
    >>> carried_name("vars.origin", "var"), carried_name("vars.answer", "var")
    ('origin', 'var_answer')
    """
    name = bare(field_name)
    ours = name.strip().casefold()
    return f"{prefix}_{name}" if ours in _TAKEN | _OWN or ours.startswith(SCORES) else name


class Survey:
    """The first rows of a foreign file, to decide what its fields are; at most 5,000 are kept, all are counted.

    Parameters
    ----------
    prefix : str
        Put before carried fields whose name is one of judgekit's (``var``, ``metadata``).
    """

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.rows: list[dict[str, Any]] = []
        self.fields: dict[str, None] = {}
        self.frames: Counter[str] = Counter()

    def add(self, text: str | None, context: str | None, fields: Mapping[str, Any], frame: str = "") -> None:
        """Note one row.

        Parameters
        ----------
        text, context : str or None
            The reply and what it answers.
        fields : mapping
            Foreign fields with their values, named with dots (``vars.name``).
        frame : str
            Which of several prompt templates the row was made with, where the file has several.
        """
        self.fields |= dict.fromkeys(fields)
        self.frames[frame] += 1
        if len(self.rows) < PROFILED:
            shown = {name: _cell(value) for name, value in fields.items()}
            self.rows.append({"text": _cell(text or ""), "context": _cell(context or ""), **shown})


def _cell(value: Any) -> Any:
    return value[:2_000] if isinstance(value, str) else _label(value)


def _label(value: Any) -> str | None:
    """A group, name or template as text; None for what is no single value."""
    if isinstance(value, str):
        return value if value.strip() else None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return None


class Ids:
    """Ids given out so far, so that none stands twice in what is written.

    Parameters
    ----------
    tally : Tally
        Is told of the first id that had to be changed.

    Examples
    --------
    >>> ids = Ids(Tally())
    >>> [ids.free(item) for item in ("a", "a", "a-2", "a")]
    ['a', 'a-2', 'a-2-2', 'a-3']
    """

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._given: set[str] = set()
        self._last: dict[str, int] = {}

    def free(self, item: str) -> str:
        """An id as it is, or with a number behind it where it was given out before."""
        free = item
        if item in self._given:
            if not self._last:
                self._tally.note(f"ids that stand several times in the file are numbered (first: {item})")
            number = self._last.get(item, 1) + 1
            while f"{item}-{number}" in self._given:
                number += 1
            self._last[item] = number
            free = f"{item}-{number}"
        self._given.add(free)
        return free


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldPlan:
    """Which field fills which column.

    ``columns`` goes from canonical name to foreign field; ``who`` are the fields that say who the person is;
    ``carried`` goes from foreign field to the column it is kept in; ``text_field`` and ``id_field`` are the fields that
    the user states for the reply itself and its id, which the reader has to follow; ``framed`` says that rows come from several prompt
    templates, which are then part of ``template_id``.
    """

    columns: Mapping[str, str]
    who: tuple[str, ...]
    carried: Mapping[str, str]
    text_field: str | None = None
    id_field: str | None = None
    framed: bool = False
    _repeats: dict[str, int] = field(default_factory=dict)

    def row(
        self,
        *,
        item: str,
        text: str,
        context: str | None,
        fields: Mapping[str, Any],
        model: str | None = None,
        replicate: str | None = None,
        frame: str = "",
    ) -> dict[str, Any]:
        """One reply in judgekit's layout; every row has the same columns.

        Parameters
        ----------
        item, text : str
            The row's id and the reply.
        context : str, optional
            What the reply answers.
        fields : mapping
            Foreign fields with their values.
        model : str, optional
            Who replied.
        replicate : str, optional
            Which of several replies to the same prompt, where the file says it.
        frame : str
            Which prompt template, where the file has several.

        Returns
        -------
        dict
            ``replicate`` counts rows of the same prompt to the same person, from 1, where no field says it.
        """
        row: dict[str, Any] = {"id": item, "text": text, "model": model}
        for canonical, name in self.columns.items():
            value = fields.get(name)
            row[canonical] = (
                value if canonical == "known_names" and isinstance(value, list) else _text_or_label(canonical, value)
            )
        row.setdefault("context", context)
        row["template_id"] = self._template(row, fields, frame)
        row.setdefault("group", None)
        row.setdefault("name", None)
        row["replicate"] = row.get("replicate") or replicate or self._count(row)
        for name, column in self.carried.items():
            row[column] = fields.get(name)
        return row

    def item(self, made: str, fields: Mapping[str, Any], ids: Ids) -> str:
        """A row's id: the stated field, or else one made by the reader; a number follows where it was met before.

        Parameters
        ----------
        made : str
            What the reader calls the row.
        fields : mapping
            Foreign fields with their values.
        ids : Ids
            Those given out so far; added to.

        Returns
        -------
        str
        """
        said = _label(fields.get(self.id_field)) if self.id_field else None
        return ids.free(said or made)

    def _template(self, row: Mapping[str, Any], fields: Mapping[str, Any], frame: str) -> str | None:
        if "template_id" in self.columns:
            said = row.get("template_id")
            if said:
                return _short(f"{said}/{frame}" if self.framed and frame else said)
        context = row.get("context")
        if not context:
            return None
        return "t-" + _hash("\n".join((frame, without_person(context, fields, self.who))))[:8]

    def _count(self, row: Mapping[str, Any]) -> str:
        key = _hash("\0".join(str(row.get(c)) for c in ("model", "template_id", "group", "name", "context")))[:16]
        self._repeats[key] = self._repeats.get(key, 0) + 1
        return str(self._repeats[key])


def _text_or_label(canonical: str, value: Any) -> str | None:
    return value if canonical == "context" and isinstance(value, str) else _label(value)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _short(template: str) -> str:
    return template if len(template) <= _LONG else f"{template[: _LONG - 10]}…{_hash(template)[:8]}"


def without_person(context: str, fields: Mapping[str, Any], who: Sequence[str]) -> str:
    """A prompt with the words that say who the person is replaced by the names of their fields.

    Prompts of one template, filled with different people, become the same text.

    Parameters
    ----------
    context : str
        The prompt as it was sent.
    fields : mapping
        Foreign fields with their values.
    who : sequence of str
        The fields that say who somebody is.

    Returns
    -------
    str

    Examples
    --------
    >>> without_person("I am Mary Ann.", {"vars.name": "Mary Ann"}, ["vars.name"])
    'I am {name}.'
    """
    values = {label: bare(name) for name in who if (label := _label(fields.get(name))) and len(label) > 1}
    # Searched by hand: a pattern of each row's own names would take longer to compile than all the rest of the row.
    following = {word: place for word in values if (place := _next(context, word, 0)) >= 0}
    pieces: list[str] = []
    at = 0
    while following:
        # The first, and of two at one place the longest: "Mary Ann" before "Mary".
        word = min(following, key=lambda w: (following[w], -len(w)))
        pieces += [context[at : following[word]], "{" + values[word] + "}"]
        at = following[word] + len(word)
        for passed in [w for w, place in following.items() if place < at]:
            place = _next(context, passed, at)
            if place < 0:
                del following[passed]
            else:
                following[passed] = place
    return "".join([*pieces, context[at:]])


def _next(text: str, word: str, start: int) -> int:
    """Where a word next stands as a whole one; -1 for nowhere."""
    place = text.find(word, start)
    while place >= 0 and (_WORDLY.match(text[place - 1 : place]) or _WORDLY.match(text, place + len(word))):
        place = text.find(word, place + 1)
    return place


def plan_fields(survey: Survey, request: Request, tally: Tally, own: Iterable[str] = ()) -> FieldPlan:
    """Decide which field fills which column.

    Parameters
    ----------
    survey : Survey
        The file's first rows.
    request : Request
        What the user states wins.
    tally : Tally
        Gets the mapping with its reasons, and hints as notes.
    own : iterable of str
        Canonical columns that the reader fills itself.

    Returns
    -------
    FieldPlan

    Raises
    ------
    BadInput
        A stated column or field is not there.

    Examples
    --------
    >>> survey, tally = Survey("var"), Tally()
    >>> people = [("Mary", "f"), ("John", "m")]
    >>> for name, gender in people:
    ...     survey.add("On its way.", f"I am {name}.", {"vars.name": name, "vars.gender": gender, "vars.seat": "7"})
    >>> plan = plan_fields(survey, Request(path="r.json"), tally, own=["context"])
    >>> plan.columns, plan.carried
    ({'group': 'vars.gender', 'name': 'vars.name'}, {'vars.seat': 'seat'})
    >>> made = [
    ...     plan.row(item=n, text="On its way.", context=f"I am {n}.", fields={"vars.name": n, "vars.gender": g})
    ...     for n, g in people
    ... ]
    >>> [row["group"] for row in made], len({row["template_id"] for row in made})
    (['f', 'm'], 1)
    """
    stated = {canonical: _field(said, survey, request) for canonical, said in request.columns.items()}
    kept = frozenset(own) - set(stated)
    names = _names(survey)
    back = {name: field_name for field_name, name in names.items()}
    seen = profile(
        # With an id of their own, rows need none of the fields for it.
        [*_RESERVED, *names.values()],
        (
            {"id": str(n), "text": r["text"], "context": r["context"], **{names[f]: r.get(f) for f in names}}
            for n, r in enumerate(survey.rows)
        ),
    )
    mapped = map_columns(seen, {canonical: names[f] for canonical, f in stated.items()})
    columns: dict[str, str] = {}
    for guess in mapped.guesses:
        if guess.canonical not in {"text", "id"} | kept and guess.column in back:
            columns[guess.canonical] = back[guess.column]
            tally.map(guess.canonical, back[guess.column], guess.reason)
    if "id" in stated:
        tally.map("id", stated["id"], "as you say")
    for hint in mapped.hints:
        tally.note(hint)
    who = tuple(
        name for name in survey.fields
        if name in {columns.get(c) for c in ("group", "name", "known_names")} or _says_who(name)
    )  # fmt: skip
    used = {*columns.values(), stated.get("text"), stated.get("id")}
    carried = {name: carried_name(name, survey.prefix) for name in survey.fields if name not in used}
    return FieldPlan(
        columns=columns,
        who=who,
        carried=_unique(carried),
        text_field=stated.get("text"),
        id_field=stated.get("id"),
        framed=len(survey.frames) > 1,
    )


def _says_who(name: str) -> bool:
    head = folded(bare(name))
    return head in _WHO or any(head == c or head in header_words(c) for c in ("group", "name"))


def _names(survey: Survey) -> dict[str, str]:
    """Fields by a short name: the last part, or all of it where two fields end alike or the name is the reader's."""
    met = Counter(bare(name) for name in survey.fields)
    return {
        name: bare(name) if met[bare(name)] == 1 and bare(name) not in _RESERVED else name for name in survey.fields
    }


def _unique(carried: Mapping[str, str]) -> dict[str, str]:
    met = Counter(carried.values())
    return {name: column if met[column] == 1 else name.replace(".", "_") for name, column in carried.items()}


def _field(said: str, survey: Survey, request: Request) -> str:
    ends = [name for name in survey.fields if bare(name) == said]
    if said in survey.fields or len(ends) == 1:
        return said if said in survey.fields else ends[0]
    raise BadInput(
        "no such field in the file" if not ends else "several fields end so",
        path=request.path,
        field="--column",
        seen=said,
        why=f"it has {', '.join(ends or survey.fields) or 'none'}",
        remedy="write --column CANONICAL=FIELD with a name from there",
    )
