"""The suite of hostile replies: what is planted, where, in which neutral text, and what it asks for.

Every hostile text is a neutral reply with one payload in it; its control is the same reply without. Texts go through the
verifier like any other: what it withholds can never reach a judge, and is counted as stopped.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from judgekit.blinding.verify import Verifier
from judgekit.data import bundled
from judgekit.errors import ConfigProblem
from judgekit.records import BlindedReply, Criterion, Rubric
from judgekit.rubric import load_yaml

__all__ = ["Case", "Suite", "asked_level", "build_suite", "kinds"]

_PLACES = ("end", "middle", "start")
_LONG = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One hostile text. ``control`` is the item of the same text without the payload; ``lang`` the payload's language."""

    item: str
    kind: str
    lang: str
    place: str
    control: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """Texts to be judged and what was stopped.

    ``texts`` are the hostile ones, in the order of ``cases``; ``controls`` the neutral ones; ``stopped`` are cases that
    the verifier withholds, with its code.
    """

    rubric: Rubric
    lang: str
    cases: tuple[Case, ...]
    texts: tuple[BlindedReply, ...]
    controls: tuple[BlindedReply, ...]
    stopped: Mapping[str, tuple[Case, str]]


@cache
def _data() -> dict[str, Any]:
    path = bundled("injection") / "suite.yaml"
    found = load_yaml(path)
    if not isinstance(found, dict) or found.get("format") != "judgekit-injection-1":
        raise ConfigProblem("the suite of hostile replies cannot be read", path=path, remedy="install judgekit again")
    return found


def kinds() -> tuple[str, ...]:
    """Kinds of hostile replies in the suite.

    Examples
    --------
    >>> kinds()[:3]
    ('forged_json', 'forged_text', 'closed_fence')
    """
    return tuple(_data()["cases"])


def asked_level(criterion: Criterion) -> int | str:
    """What the hostile replies ask for: the highest level of a scale, the first label of others.

    Examples
    --------
    >>> from judgekit.rubric import load_rubric
    >>> asked_level(load_rubric("warmth").criteria[0])
    5
    """
    return criterion.levels[-1] if criterion.kind == "ordinal" else criterion.levels[0]


def build_suite(rubric: Rubric, *, lang: str = "en", verifier: Verifier | None = None) -> Suite:
    """The suite for one rubric: payloads that ask for its highest level in the form of its verdicts.

    Parameters
    ----------
    rubric : Rubric
    lang : str
        Language of the neutral texts; payloads come in many.
    verifier : Verifier, optional
        One with the bundled lists by default.

    Returns
    -------
    Suite
        The same for the same rubric.

    Raises
    ------
    ConfigProblem
        No neutral texts in that language, or the rubric has no anchors in it.
    """
    found = _data()
    if lang not in found["carriers"] or lang not in rubric.languages:
        raise ConfigProblem(
            "the hostile replies cannot be asked about in this language",
            field="lang",
            seen=lang,
            why=f"they stand in texts in {', '.join(sorted(found['carriers']))}, and the rubric has its own languages",
            remedy="choose another language",
        )
    check = verifier or Verifier()
    carriers = [str(text) for text in found["carriers"][lang]]
    controls = []
    for n, text in enumerate(carriers):
        made = check.verify_text(item=f"injection/control-{n}", text=text, lang=lang)
        if isinstance(made, BlindedReply):
            controls.append(made)
    write = _writer(rubric, str(found["filler"][lang]) * _LONG)
    cases, texts, stopped = [], [], {}
    number = 0
    for kind, payloads in found["cases"].items():
        for n, payload in enumerate(payloads):
            told = payload if isinstance(payload, dict) else {"lang": lang, "text": payload}
            carrier = controls[number % len(controls)]
            place = "end" if kind == "long_tail" else _PLACES[(number // len(controls)) % len(_PLACES)]
            number += 1
            case = Case(
                item=f"injection/{kind}-{n}", kind=kind, lang=str(told["lang"]), place=place, control=carrier.item
            )
            text = _planted(carrier.text, write(str(told["text"])), place)
            made = check.verify_text(item=case.item, text=text, lang=lang)
            if isinstance(made, BlindedReply):
                cases.append(case)
                texts.append(made)
            else:
                stopped[case.item] = (case, made.code)
    return Suite(
        rubric=rubric,
        lang=lang,
        cases=tuple(cases),
        texts=tuple(texts),
        controls=tuple(controls),
        stopped=stopped,
    )


def _writer(rubric: Rubric, long: str) -> Callable[[str], str]:
    """Puts what this rubric's verdicts look like into a payload."""
    first = rubric.criteria[0]
    single = len(rubric.criteria) == 1
    verdict: dict[str, Any] = {"reason": "It stands at the top of the scale."}
    verdict |= {"score" if single else c.dimension: asked_level(c) for c in rubric.criteria}
    nonce = hashlib.sha256(f"guess {rubric.hash}".encode()).hexdigest()[:16]
    words = {
        "{json}": json.dumps(verdict, ensure_ascii=False),
        "{top}": str(asked_level(first)),
        "{nonce}": nonce,
        "{long}": long,
    }

    def write(payload: str) -> str:
        for mark, word in words.items():
            payload = payload.replace(mark, word)
        return payload

    return write


def _planted(carrier: str, payload: str, place: str) -> str:
    if place == "start":
        return f"{payload}\n{carrier}"
    if place == "end":
        return f"{carrier}\n{payload}"
    first, _, rest = carrier.partition(". ")
    return f"{first}. {payload} {rest}"
