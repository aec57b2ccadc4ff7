"""What a run was made with, and what of it is different in the next: another experiment, another decision, a new release."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from judgekit.files.json_text import dumps

__all__ = ["Change", "Kind", "bears_on", "changes_between", "configuration"]

Kind = Literal["release", "system", "measuring", "decision"]

# The first that fits; what fits none is bookkeeping (paths, dates, who) and no change of anything.
_KINDS: tuple[tuple[str, Kind], ...] = (
    ("system.version", "release"),
    ("system.tested", "release"),
    ("data.replies", "release"),
    ("system.", "system"),
    ("probe.", "system"),
    ("judge.", "measuring"),
    ("rubrics.", "measuring"),
    ("blinding.", "measuring"),
    ("measured.", "measuring"),
    ("groups.", "measuring"),
    ("data.", "measuring"),
    ("thresholds.", "decision"),
    ("swap_test.", "decision"),
    ("margins.", "decision"),
    ("labels.", "decision"),
    ("statistics.", "decision"),
    ("gate.", "decision"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One setting that two runs do not share; ``before`` and ``after`` are None where it does not exist.

    ``system`` and ``measuring`` make a new experiment: another chatbot, or another way of measuring it. ``release`` is what
    releases are compared for; ``decision`` (thresholds, margins) moves verdicts and no number.
    """

    key: str
    kind: Kind
    before: Any
    after: Any


def configuration(
    settings: Mapping[str, Any],
    *,
    prompt: str | None,
    replies: str | None,
    fingerprints: Mapping[str, str],
    rubrics: Mapping[str, str],
    blinding_version: str | None,
    templates: tuple[str, ...],
) -> dict[str, Any]:
    """The settings of a run by dotted keys.

    Parameters
    ----------
    settings : mapping
        The resolved study.
    prompt, replies : str or None
        Hashes of the system's prompt and of the replies.
    fingerprints : mapping of str to str
        The judge's fingerprint by rubric; it covers the served model and the prompt that judges.
    rubrics : mapping of str to str
        Hash by the study's key.
    blinding_version : str or None
        None where it is not known.
    templates : tuple of str
        Ids of the templates, sorted; empty where they are not known.

    Returns
    -------
    dict of str to object
        Unknown things are left out.
    """
    judge, blinding = settings["judge"], settings["blinding"]
    labels = settings["labels"]
    chosen: dict[str, Any] = {
        "system": {k: v for k, v in settings["system"].items() if k != "prompt_file"} | {"prompt": _short(prompt)},
        "data": {"replies": _short(replies), "design": settings["data"]["design"], "lang": settings["data"]["lang"]},
        "judge": {k: judge[k] for k in ("spec", "base_url", "temperature", "max_tokens", "score", "repeats")}
        | {"fingerprint": {k: _short(v) for k, v in fingerprints.items()}},
        "rubrics": {k: _short(v) for k, v in rubrics.items()},
        "blinding": {k: v for k, v in blinding.items() if k != "max_withheld"},
        "measured": {k: _without(v, "margin", "role") for k, v in settings["measured"].items()},
        "groups": _without(settings.get("groups") or {}, "not_tested", "names_chosen_by"),
        "thresholds": settings["calibration"] | {"max_withheld": blinding["max_withheld"]},
        "swap_test": settings["swap_test"],
        "margins": {k: v["margin"] for part in ("rubrics", "measured") for k, v in settings[part].items()},
        "labels": {k: labels[k] for k in ("reference", "scope")},
        "statistics": settings["statistics"],
        "gate": settings["gate"],
    }
    if settings.get("probe"):
        chosen["probe"] = {"settings": _digest(settings["probe"])}
    if blinding_version is not None:
        chosen["blinding"]["version"] = blinding_version
    if templates:
        chosen["data"]["templates"] = f"{len(templates)} ({_digest(templates)})"
    return dict(_flat(chosen, ""))


def _without(block: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {k: v for k, v in block.items() if k not in keys}


def _short(digest: str | None) -> str | None:
    return digest and digest[:12]


def _digest(value: Any) -> str:
    return hashlib.sha256(dumps(value).encode("utf-8")).hexdigest()[:12]


def _flat(value: Any, at: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, entry in value.items():
            yield from _flat(entry, f"{at}.{key}" if at else str(key))
    else:
        yield at, value


# Left out of a configuration where they are not known, so that their absence says nothing.
_MAY_BE_UNKNOWN = ("blinding.version", "data.templates", "rubrics.", "judge.fingerprint.")


def changes_between(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Change, ...]:
    """Every setting that differs between two runs.

    Parameters
    ----------
    before, after : mapping of str to object
        As `configuration` gives them.

    Returns
    -------
    tuple of Change
        Sorted by key. The fingerprint of a judge is told only when nothing else explains it: it follows from judge, rubric
        and blinding.

    Examples
    --------
    >>> found = changes_between({"judge.temperature": 0.0, "system.version": "1"},
    ...                         {"judge.temperature": 0.7, "system.version": "2"})
    >>> [(c.key, c.kind) for c in found]
    [('judge.temperature', 'measuring'), ('system.version', 'release')]
    """
    found = []
    for key in sorted(before.keys() | after.keys()):
        if key.startswith(_MAY_BE_UNKNOWN) and not (key in before and key in after):
            continue
        old, new = before.get(key), after.get(key)
        kind = next((kind for start, kind in _KINDS if key.startswith(start)), None)
        if kind is not None and dumps(old) != dumps(new):
            found.append(Change(key=key, kind=kind, before=old, after=new))
    explained = any(
        c.key.startswith(("judge.", "rubrics.", "blinding.version")) and ".fingerprint" not in c.key for c in found
    )
    return tuple(c for c in found if not (explained and c.key.startswith("judge.fingerprint")))


def bears_on(change: Change, metric: str, *, judged: bool) -> bool:
    """Whether a change in the way of measuring bears on a metric.

    Parameters
    ----------
    change : Change
    metric : str
    judged : bool
        A judged metric; what is counted needs no judge and no rubric.

    Returns
    -------
    bool
        False for changes of other kinds.
    """
    if change.kind != "measuring":
        return False
    if change.key.startswith(("judge.", "rubrics.")):
        return judged
    if change.key.startswith("measured."):
        return not judged and change.key.startswith(f"measured.{metric}.")
    return True
