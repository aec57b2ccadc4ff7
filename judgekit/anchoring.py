"""The anchor set of a study: frozen labelled texts, verified again, with what had been decided before they were labelled."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from judgekit.errors import BadInput
from judgekit.evidence import HumanLabel
from judgekit.files.anchor_set import AnchorSet, read_anchor_set
from judgekit.records import BLINDING_VERSION, BlindedReply, Reply, Withheld
from judgekit.study import Study

__all__ = ["Anchored", "anchored", "build_number", "decided_otherwise"]

_FIRST_BUILD = 1_000


@dataclass(frozen=True, kw_only=True)
class Anchored:
    """An anchor set ready for use.

    ``results`` holds what today's verifier says of each text; ``withheld`` texts count as changed, so that their labels
    are not left out in silence.
    """

    source: AnchorSet
    design: Mapping[str, Reply]
    results: Mapping[str, BlindedReply | Withheld]
    labels: tuple[HumanLabel, ...]
    adjudicated: Mapping[tuple[str, str], int | str]

    @property
    def verified(self) -> list[BlindedReply]:
        """Texts that a judge may see, in order."""
        return [r for r in self.results.values() if isinstance(r, BlindedReply)]

    @property
    def inclusion(self) -> dict[str, float]:
        """Item to the chance with which it was drawn."""
        return {t.item: t.inclusion for t in self.source.texts}

    def facts(self) -> dict[str, Any]:
        """What a report says of the set: its content's hash, its study, how large and how old it is."""
        times = sorted(x.labelled_at for x in self.labels if x.labelled_at)
        return {
            "set": self.source.sha256[:12],
            "study": self.source.study,
            "frozen_on": self.source.frozen_at[:10],
            "texts": len(self.source.texts),
            "left_out": self.source.left_out,
            "labelled_from": times[0][:10] if times else None,
            "labelled_to": times[-1][:10] if times else None,
            "blinding_changed": self.source.blinding_version != BLINDING_VERSION,
        }


def anchored(study: Study) -> Anchored | None:
    """The study's anchor set, each text verified by the study's own blinding rules.

    Parameters
    ----------
    study : Study

    Returns
    -------
    Anchored or None
        None for a study whose labels are made on its own replies.

    Raises
    ------
    BadInput
        The set is not there, does not hold together, was edited since it was frozen, or is not the one that the study pins.
    """
    if study.labels.scope != "anchors" or study.labels.anchors is None:
        return None
    from judgekit.blinding.verify import Verifier

    source = read_anchor_set(study.path(study.labels.anchors))
    if study.labels.anchors_sha256 not in {None, source.sha256}:
        raise BadInput(
            "this is not the anchor set that the study pins",
            path=study.path(study.labels.anchors),
            field="labels.anchors_sha256",
            seen=source.sha256,
            why=f"the study says {study.labels.anchors_sha256}",
            remedy="restore the set; or, for another set on purpose, begin a study of another name that pins it",
        )
    rules = study.blinding
    verifier = Verifier(
        packs=tuple(str(study.path(p)) for p in rules.packs),
        extra_cues=tuple(rules.extra_cues),
        keep=tuple(rules.keep),
    )
    people = [person for group in study.identities().values() for person in group]
    names = tuple(dict.fromkeys(n for p in people for n in (p.name, p.forms.given, p.forms.family) if n))
    plain = [x for x in source.labels if not x.adjudicated]
    return Anchored(
        source=source,
        design={
            t.item: Reply(
                id=t.item, text=t.text, unit_id=t.template_id, group=t.group, context=t.context, lang=t.lang,
                case_type=t.case_type,
            )
            for t in source.texts
        },
        results={
            t.item: verifier.verify_text(item=t.item, text=t.text, context=t.context, known_names=names, lang=t.lang)
            for t in source.texts
        },
        labels=tuple(
            HumanLabel(
                item=x.item, dimension=x.dimension, annotator=x.annotator, value=x.value, text_hash=x.text_hash,
                rubric_hash=x.rubric_hash, labelled_at=x.labelled_at, seen=x.seen,
            )
            for x in plain
        ),
        adjudicated={(x.item, x.dimension): x.value for x in source.labels if x.adjudicated and x.value is not None},
    )  # fmt: skip


def build_number(texts: Iterable[BlindedReply]) -> int:
    """A number for a build, made of its replies: another build asks the judge about the anchors anew.

    Parameters
    ----------
    texts : iterable of BlindedReply
        The run's verified texts.

    Returns
    -------
    int
        The same for the same texts in any order, so that nothing is paid twice within a build; far above the numbers of a
        judge's repeats.

    Examples
    --------
    >>> build_number([]) > 1_000
    True
    """
    hashes = sorted(text.text_hash for text in texts)
    digest = hashlib.sha256("\n".join(hashes).encode("ascii")).digest()
    return _FIRST_BUILD + int.from_bytes(digest[:6], "big")


def decided_otherwise(source: AnchorSet, study: Study) -> tuple[str, ...]:
    """Thresholds and raters that differ from what was sealed before the anchors were labelled.

    Parameters
    ----------
    source : AnchorSet
    study : Study
        Today's.

    Returns
    -------
    tuple of str
        Key paths, sorted; ``everything`` where nothing had been sealed before the first label.
    """
    if source.decided is None:
        return ("everything",)
    today = study.sealed_content()
    now = {"calibration": today["calibration"], "labels": {"reference": study.labels.reference}}
    before = {key: source.decided.get(key) or {} for key in now}
    edits = [key for key in _differ(before, now) if key != "calibration.override_reason"]
    annotators = study.labels.annotators
    labelled = {x.annotator for x in source.labels if not x.adjudicated}
    if annotators and not labelled <= set(annotators):
        edits.append("labels.annotators")
    return tuple(sorted(edits))


def _differ(before: Any, now: Any, at: str = "") -> list[str]:
    """Paths at which two settings differ; a key that did not exist then is no edit."""
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        return [
            path
            for key, value in before.items()
            if key in now
            for path in _differ(value, now[key], f"{at}.{key}" if at else str(key))
        ]
    return [] if before == now else [at]
