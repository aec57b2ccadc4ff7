"""The texts of a file of blinded replies with their groups: verified again, and as they were before blinding."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from judgekit.blinding.fill import original
from judgekit.errors import BadInput
from judgekit.files.atomic import iter_jsonl
from judgekit.files.blinded import Stored, find_design
from judgekit.files.columns import REPLIES
from judgekit.files.tables import iter_replies
from judgekit.files.verified import iter_verified
from judgekit.guessing.features import has_placeholder
from judgekit.records import Undefined, Withheld

__all__ = ["Material", "On", "read_material"]

On = Literal["text", "reply", "context", "explanations"]

_ATTRIBUTES = {"template_id": "unit_id"} | {
    name: name for name in ("group", "name", "name_pair", "replicate", "case_type", "lang")
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Texts with group and template, and how many of every group there are.

    ``texts`` are blinded and verified; ``originals`` the same texts before blinding, `Undefined` where nothing says what
    they were. ``by_group`` maps a group (``""``: none) to ``in``, ``withheld``, ``no text``, ``other group`` and ``texts``,
    where in is the sum of the others. For explanations ``blinded`` holds the blinded replies that they are about.
    """

    texts: tuple[str, ...]
    groups: tuple[str | None, ...]
    templates: tuple[str | None, ...]
    originals: tuple[str, ...] | Undefined
    by_group: Mapping[str, Mapping[str, int]]
    blinded: tuple[str, ...] = field(default=())


def read_material(
    blinded: Path,
    *,
    group: str,
    by: str,
    on: On = "text",
    unblinded: Path | None = None,
    judgments: Path | None = None,
    packs: Sequence[str] = (),
    keep: Sequence[str] = (),
    only: Sequence[str] = (),
) -> Material:
    """Read what `judgekit blind` wrote, and verify every text again.

    Parameters
    ----------
    blinded : Path
        Its design file must stand beside it.
    group, by : str
        Columns of the design: what is guessed, and the templates that are held out whole.
    on : {'text', 'reply', 'context', 'explanations'}
        ``text`` is the reply after its context, all that a judge reads.
    unblinded : Path, optional
        The replies before blinding, by id; the slots of the design file when left out.
    judgments : Path, optional
        For ``explanations``: what `judgekit judge` wrote.
    packs, keep : sequence of str
        Besides those that the design keeps.
    only : sequence of str
        Groups to compare; all when empty. Texts of others are counted as ``other group``.

    Returns
    -------
    Material
        In file order. Withheld texts, and replies without the text in question, are counted and not returned.

    Raises
    ------
    BadInput
        No design file, a column that no row has, or files that do not belong together.
    """
    reasons = None if judgments is None else _explanations(judgments)
    columns = _Columns(group, by)
    counts: dict[str, dict[str, int]] = defaultdict(
        lambda: {"in": 0, "withheld": 0, "no text": 0, "other group": 0, "texts": 0}
    )
    kept: list[tuple[Stored, str]] = []
    labels: list[tuple[str | None, str | None]] = []
    ids: set[str] = set()
    # Without slots texts can still be compared: nobody but the classifier reads them, and it needs no originals.
    for stored, result in iter_verified(blinded, slots_needed=False, packs=packs, keep=keep):
        ids.add(stored.masked.item)
        label = columns.of(stored)
        row = counts[label[0] or ""]
        row["in"] += 1
        if isinstance(result, Withheld):
            row["withheld"] += 1
            continue
        text = _part(stored.masked.text, stored.masked.context, on)
        if reasons is not None:
            text = "\n".join(reasons.get(stored.masked.item, ())) or None
        other = bool(only) and label[0] is not None and label[0] not in only
        row["no text" if text is None else "other group" if other else "texts"] += 1
        if text is not None and not other:
            kept.append((stored, text))
            labels.append(label)
    columns.check(blinded)
    _check_groups(only, counts, blinded)
    _check_known(reasons, ids, judgments)
    whole: On = "text" if on == "explanations" else on
    return Material(
        texts=tuple(text for _, text in kept),
        groups=tuple(label for label, _ in labels),
        templates=tuple(label for _, label in labels),
        originals=_originals([stored for stored, _ in kept], on, unblinded),
        by_group={name: dict(row) for name, row in sorted(counts.items())},
        blinded=tuple(_part(s.masked.text, s.masked.context, whole) or "" for s, _ in kept) if reasons else (),
    )


def _part(text: str, context: str | None, on: On) -> str | None:
    if on == "context":
        return context
    return text if on == "reply" or context is None else f"{context}\n\n{text}"


def _check_groups(only: Sequence[str], counts: Mapping[str, object], path: Path) -> None:
    unknown = next((name for name in only if name not in counts), None)
    if unknown is not None:
        raise BadInput(
            "no reply has this group",
            path=find_design(path),
            field="--groups",
            seen=unknown,
            why="groups that are there: " + (", ".join(sorted(name for name in counts if name)) or "none"),
            remedy="name two or more of them",
        )


class _Columns:
    """Finds two columns of the design in every row, and remembers whether any row had them."""

    def __init__(self, group: str, by: str) -> None:
        self._names = (group, by)
        self._found = [False, False]
        self._seen: dict[str, None] = {}

    def of(self, stored: Stored) -> tuple[str | None, str | None]:
        """Group and template of a row; None where it has none."""
        reply = stored.reply
        has: dict[str, Any] = {name: getattr(reply, at) for name, at in _ATTRIBUTES.items()} | dict(reply.carried)
        self._seen.update(dict.fromkeys(name for name, value in has.items() if value is not None))
        values = [_value(has, name) for name in self._names]
        self._found = [was or value is not None for was, value in zip(self._found, values, strict=True)]
        return values[0], values[1]

    def check(self, path: Path) -> None:
        """Refuse a column that no row has."""
        for option, name, found in zip(("--group", "--by"), self._names, self._found, strict=True):
            if not found:
                raise BadInput(
                    "no reply has a value in this column",
                    path=find_design(path),
                    field=option,
                    seen=name,
                    why="columns with values: " + (", ".join(self._seen) or "none"),
                    remedy="name one of them, or blind replies that have it",
                )


def _value(has: Mapping[str, Any], name: str) -> str | None:
    if name not in has or has[name] is None:
        name = next((canonical for canonical, aliases in REPLIES.items() if name in aliases), name)
    value = has.get(name)
    return None if value is None or value == "" else str(value)


def _originals(kept: Sequence[Stored], on: On, unblinded: Path | None) -> tuple[str, ...] | Undefined:
    if on == "explanations":
        return Undefined("explanations", "the judge explained what it read, which was blinded")
    if unblinded is not None:
        return _from_replies(kept, on, unblinded)
    if not any(s.masked.slots for s in kept) and any(has_placeholder(s.masked.text) for s in kept):
        return Undefined("no originals", "the design file has no slots; name the replies with --unblinded")
    return tuple(_part(*original(s.masked), on) or "" for s in kept)


def _from_replies(kept: Sequence[Stored], on: On, path: Path) -> tuple[str, ...]:
    wanted = {s.masked.item for s in kept}
    found = {r.id: _part(r.text, r.context, on) for r in iter_replies(path) if r.id in wanted}
    for stored in kept:
        if found.get(stored.masked.item) is None:
            raise BadInput(
                "the unblinded replies lack one that was blinded",
                path=path,
                field="id" if stored.masked.item not in found else "context",
                seen=stored.masked.item,
                why="both classifiers must see the same replies",
                remedy="name the file that was blinded",
            )
    return tuple(found[s.masked.item] or "" for s in kept)


def _explanations(path: Path) -> dict[str, list[str]]:
    """What the judge said about every item, over dimensions and repeats, in file order."""
    reasons: dict[str, list[str]] = {}
    rows = iter_jsonl(path)
    line, first = next(rows)
    if first.get("judgekit") != "judgments":
        raise BadInput(
            "not a file of judgments",
            path=path,
            line=line,
            why='its first line is {"judgekit": "judgments", ...}',
            remedy="use the file that `judgekit judge` writes",
        )
    for line, row in rows:
        item, reason = row.get("item"), row.get("reason")
        if not isinstance(item, str) or not (reason is None or isinstance(reason, str)):
            raise BadInput("a judgment without item, or a reason that is no text", path=path, line=line)
        found = reasons.setdefault(item, [])
        if reason:
            found.append(reason)
    if not any(reasons.values()):
        raise BadInput(
            "no judgment has an explanation",
            path=path,
            field="reason",
            why="this judge gives scores only",
            remedy="use a judge whose answers have a reason",
        )
    return reasons


def _check_known(reasons: Mapping[str, list[str]] | None, ids: set[str], path: Path | None) -> None:
    unknown = next((item for item in reasons or () if item not in ids), None)
    if unknown is not None:
        raise BadInput(
            "a judgment of a reply that is not among the blinded texts",
            path=path,
            field="item",
            seen=unknown,
            remedy="name the blinded texts that were judged",
        )
