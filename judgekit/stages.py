"""One function per stage of the main path: each takes what the stage before it gave and touches what it must."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from judgekit.errors import BadInput
from judgekit.label_state import LabelState, read_labels
from judgekit.records import (
    BlindedReply,
    Contrast,
    Identity,
    MaskedText,
    NameForms,
    Reply,
    Rubric,
    Scored,
    Unscored,
    Withheld,
)
from judgekit.rubric import load_rubric
from judgekit.sealing import edits_of, seal_study, sealed_later, sealed_margins
from judgekit.study import Study
from judgekit.wording.sentence import say
from judgekit.workspace import Clock

if TYPE_CHECKING:
    from judgekit.blinding.verify import Verifier

__all__ = [
    "NO_NAMES",
    "Blinded",
    "Clock",
    "LabelState",
    "ReadReplies",
    "blind",
    "by_level",
    "edits_of",
    "fillable",
    "identities_of",
    "measure_all",
    "now",
    "read_arms_of",
    "read_labels",
    "read_replies_of",
    "rubrics_of",
    "seal_study",
    "sealed_later",
    "sealed_margins",
    "verifier_of",
]


def now() -> datetime:
    """The present, in UTC."""
    return datetime.now(UTC)


# --- read ----------------------------------------------------------------------------------------------------------


class ReadReplies(NamedTuple):
    """A study's replies: those of the base arm, which alone are judged and compared, and those of the other arms."""

    base: list[Reply]
    others: list[Reply]


def read_replies_of(study: Study) -> list[Reply]:
    """The study's replies of the base arm; errors as `read_arms_of`.

    Parameters
    ----------
    study : Study

    Returns
    -------
    list of Reply
        In file order.
    """
    return read_arms_of(study).base


def read_arms_of(study: Study) -> ReadReplies:
    """The study's replies, checked against its groups.

    Parameters
    ----------
    study : Study

    Returns
    -------
    ReadReplies
        Each in file order. In a file without the column ``arm`` all are base.

    Raises
    ------
    BadInput
        A column that the study needs is missing, a group is not declared, or only one group was met.
    """
    from judgekit.files.tables import read_replies

    prompt = study.system.prompt_file
    if prompt is not None and not study.path(prompt).is_file():
        raise BadInput(
            "the system's prompt file is not there",
            path=study.path(prompt),
            field="system.prompt_file",
            remedy="mend the path, or leave the key out",
        )
    path = study.path(study.data.replies)
    need: list[str] = ["group"] if study.groups else []
    if study.groups and study.data.design == "counterfactual":
        need.append("template_id")
    replies = read_replies(
        path,
        columns=study.data.columns or None,
        csv=study.data.csv.model_dump(exclude_none=True) or None,
        need=need,
        lang=None if study.data.lang == "auto" else study.data.lang,
    )
    base = [reply for reply in replies if reply.arm.kind == "base"]
    if study.groups is not None:
        _check_groups(study, base, str(path))
    return ReadReplies(base, [reply for reply in replies if reply.arm.kind != "base"])


def _check_groups(study: Study, replies: Sequence[Reply], path: str) -> None:
    met = sorted({r.group for r in replies if r.group is not None})
    declared = set(study.groups.values) if study.groups else set()
    strangers = [g for g in met if declared and g not in declared]
    if strangers:
        raise BadInput(
            "a group that the study does not declare",
            path=path,
            field="group",
            seen=strangers[0],
            why=f"groups.values declares {', '.join(sorted(declared))}",
            remedy="add it to groups.values, or mend the rows",
        )
    if len(met) < 2:
        raise BadInput(
            "only one group was met" if met else "no reply names its group",
            path=path,
            field="group",
            seen=", ".join(met) or "(empty)",
            why="a comparison needs two groups",
            remedy="add the other group's replies, or leave `groups` out of the study to validate the judge alone",
        )


def rubrics_of(study: Study) -> dict[str, Rubric]:
    """The study's rubrics by its own keys.

    Raises
    ------
    BadInput
        Two rubrics share a dimension, or a counted metric has the name of a judged one.
    """
    rubrics = {key: load_rubric(use.rubric, base=study.base) for key, use in study.rubrics.items()}
    seen: dict[str, str] = {name: f"measured.{name}" for name in (*study.measured, *study.metrics)}
    for key, rubric in rubrics.items():
        for dimension in rubric.dimensions:
            if dimension in seen:
                raise BadInput(
                    "two metrics have the same name",
                    path=study.file,
                    field=f"rubrics.{key}",
                    seen=dimension,
                    why=f"it stands in {seen[dimension]} too, and results are reported by metric name",
                    remedy="rename one of them",
                )
            seen[dimension] = f"rubrics.{key}"
    return rubrics


# --- blind ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Blinded:
    """Masked texts and what the verifier said of each, by item."""

    masked: dict[str, MaskedText] = field(default_factory=dict)
    results: dict[str, BlindedReply | Withheld] = field(default_factory=dict)

    @property
    def verified(self) -> list[BlindedReply]:
        """Texts that a judge or rater may see, in order."""
        return [r for r in self.results.values() if isinstance(r, BlindedReply)]


def blind(replies: Iterable[Reply], study: Study, progress: Callable[[int], None] | None = None) -> Blinded:
    """Mask every reply and verify it by separate code; conversations that failed have none.

    Parameters
    ----------
    replies : iterable of Reply
    study : Study
        Its ``blinding`` settings.
    progress : callable, optional
        Called with the number done.

    Returns
    -------
    Blinded
    """
    from judgekit.blinding.mask import Blinder

    options = study.blinding
    packs = tuple(str(study.path(p)) for p in options.packs)
    blinder = Blinder(
        lang=study.data.lang,
        ner=options.ner,
        packs=packs,
        extra_cues=tuple(options.extra_cues),
        keep=tuple(options.keep),
        contact_details=options.contact_details,
    )
    verifier = verifier_of(study)
    done = Blinded()
    for n, reply in enumerate(replies, 1):
        if reply.failed:
            continue  # there is nothing to judge or label; the joined evidence counts it with its kind
        masked = blinder.mask(reply)
        done.masked[reply.id] = masked
        done.results[reply.id] = verifier.verify(masked)
        if progress is not None:
            progress(n)
    return done


def verifier_of(study: Study) -> Verifier:
    """The verifier with the study's cue packs and words.

    Parameters
    ----------
    study : Study

    Returns
    -------
    Verifier
    """
    from judgekit.blinding.verify import Verifier

    options = study.blinding
    packs = tuple(str(study.path(p)) for p in options.packs)
    return Verifier(packs=packs, extra_cues=tuple(options.extra_cues), keep=tuple(options.keep))


def measure_all(blinded: Blinded, study: Study) -> dict[str, dict[str, Scored | Unscored]]:
    """Counted metrics of every verified text, by metric and item; what a model reads is not among them.

    Parameters
    ----------
    blinded : Blinded
    study : Study

    Returns
    -------
    dict
        A nominal variable has one metric for each of its levels: 1 where it is that level, 0 where it is another.
    """
    from judgekit.probing.extract import measure

    found: dict[str, dict[str, Scored | Unscored]] = {}
    for name, metric in study.measured.items():
        if metric.kind == "extracted":
            continue
        values = {r.item: measure(r.text, metric, r.lang) for r in blinded.verified}
        found |= by_level(name, metric.levels, values)
    return found


def by_level(
    name: str, levels: Sequence[str], values: dict[str, Scored | Unscored]
) -> dict[str, dict[str, Scored | Unscored]]:
    """A variable as metrics: itself, or for a nominal one the share of each level.

    Parameters
    ----------
    name : str
    levels : sequence of str
        Empty for a number.
    values : dict
        By item.

    Returns
    -------
    dict

    Examples
    --------
    >>> by_level("decision", ("yes", "no"), {"r1": Scored("no"), "r2": Unscored("no_match")})["decision.no"]["r1"].value
    1.0
    """
    if not levels:
        return {name: values}
    return {
        f"{name}.{level}": {
            item: value if isinstance(value, Unscored) else Scored(1.0 if value.value == level else 0.0)
            for item, value in values.items()
        }
        for level in levels
    }


NO_NAMES = say("a group has no invented names (groups.values.*.names)")
"""Why there is no swap test: a reason and no advice, since names that are added after the first score come too late."""


def identities_of(study: Study | None, replies: Iterable[Reply]) -> dict[str, list[Identity]]:
    """People by group: those the study lists, else those met in the replies, in order of name pair and name.

    Of a study of real people only those that it lists: nobody's name is put into the reply to somebody else.

    Parameters
    ----------
    study : Study or None
    replies : iterable of Reply

    Returns
    -------
    dict of str to list of Identity
    """
    listed = study.identities() if study else {}
    if any(listed.values()) or (study is not None and study.privacy.people == "real"):
        return listed
    met: dict[tuple[str, str], Identity] = {}
    for reply in replies:
        if reply.group is None or not reply.name:
            continue
        value = study.groups.values.get(reply.group) if study and study.groups else None
        given, _, family = reply.name.partition(" ")
        met[reply.group, reply.name] = Identity(
            group=reply.group,
            name=reply.name,
            name_pair=reply.name_pair,
            forms=NameForms(
                given=given,
                family=family or None,
                title=value.title if value else None,
                pronouns=value.pronouns if value else None,
            ),
        )
    people: dict[str, list[Identity]] = {}
    for (group, _), identity in sorted(met.items(), key=lambda x: (x[1].name_pair or "", x[0])):
        people.setdefault(group, []).append(identity)
    return people


def fillable(contrasts: Sequence[Contrast], people: Mapping[str, Sequence[Identity]]) -> tuple[Contrast, ...]:
    """Contrasts of which both groups have named people, so that a swap test is possible."""
    return tuple(c for c in contrasts if people.get(c.a) and people.get(c.b))
