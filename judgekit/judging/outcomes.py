"""From attempts to outcomes: failures by their kind, the judge that really answered, several repeats as one score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from judgekit.errors import BadInput
from judgekit.files.ledger import Ledger
from judgekit.judging.handle import JudgeHandle
from judgekit.judging.parse import PARSER_VERSION
from judgekit.judging.prompt import Prompts
from judgekit.records import Attempt, Call, Criterion, Outcome, Rubric, Scored, Unscored

__all__ = ["dropped_settings", "failure_of", "fingerprints_of", "one_kind", "outcome_value", "parser_version"]


def parser_version(*, lenient: bool = False) -> str:
    """The version stored with judgments; a lenient reading is another version."""
    return f"{PARSER_VERSION}-lenient" if lenient else PARSER_VERSION


def failure_of(attempt: Attempt | None) -> Unscored:
    """What a call without an answer counts as: its error's kind, or ``not_asked`` when it was never sent."""
    if attempt is None or attempt.error_kind is None:
        return Unscored("not_asked")
    return Unscored(attempt.error_kind, attempt.error_detail or "")


def dropped_settings(judge: JudgeHandle, ledger: Ledger) -> list[str]:
    """Settings that a judge was found not to take, so that it was asked without them, in this run or an earlier one.

    Parameters
    ----------
    judge : JudgeHandle
    ledger : Ledger
        The runner notes there what it finds.

    Returns
    -------
    list of str
        Such as ``temperature`` or ``response_format json_schema``, sorted.
    """
    noted = ledger.noted(f"dropped {judge.endpoint_id}") or ""
    return sorted({*judge.dropped, *(name for name in noted.split(", ") if name)})


def fingerprints_of(
    made: Iterable[tuple[Call, Rubric]], answers: Mapping[str, Attempt], judge: JudgeHandle, prompts: Prompts
) -> dict[str, str]:
    """Each call's fingerprint with the model that the provider says has answered it.

    Parameters
    ----------
    made : iterable of (Call, Rubric)
    answers : mapping of str to Attempt
        Request key to the attempt with the answer.
    judge : JudgeHandle
    prompts : Prompts

    Returns
    -------
    dict of str to str
        Request key to fingerprint. A judge that was changed between calls shows as two fingerprints, which calibration
        refuses to pool. Calls without an answer take the rubric's most frequent one.
    """
    result: dict[str, str] = {}
    met: dict[str, Counter[str]] = {}
    waiting: list[tuple[Call, Rubric]] = []
    for call, rubric in made:
        answer = answers.get(call.request_key)
        if answer is None:
            waiting.append((call, rubric))
            continue
        hashes = prompts.hashes(rubric, call.body["kind"])
        found = judge.fingerprint(
            rubric,
            prompt_hashes=hashes,
            served_model=answer.served_model,
            system_fingerprint=answer.system_fingerprint,
        )
        result[call.request_key] = found
        met.setdefault(rubric.hash, Counter())[found] += 1
    for call, rubric in waiting:
        usual = met.get(rubric.hash)
        result[call.request_key] = usual.most_common(1)[0][0] if usual else call.fingerprint
    return result


def outcome_value(outcomes: Sequence[Outcome], criterion: Criterion) -> Scored | Unscored:
    """One score from several repeats of one judge.

    Ordinal: the mean of the scored repeats, rounded to the nearest declared level; a mean exactly half way between
    two levels takes the level nearer to the middle of the scale (the lower one at the very middle), so that rounding
    never makes a score more extreme. Nominal: the most frequent label; a tie for the most is ``ambiguous``. Expected
    scores: ``expected`` is their mean, and the value is the level nearest to it, so that agreement and gaps are about
    the same score.

    Parameters
    ----------
    outcomes : sequence of Outcome
        The repeats of one item and dimension.
    criterion : Criterion
        Gives the levels.

    Returns
    -------
    Scored or Unscored
        The one outcome itself when there is only one. With repeats, `Unscored` ones are left out; when all are, the
        most frequent kind (the first of several).

    Examples
    --------
    >>> scale = Criterion(dimension="w", kind="ordinal", levels=(1, 2, 3, 4, 5), question={}, anchors={})
    >>> outcome_value([Scored(4), Scored(5), Unscored("empty")], scale).value
    4
    """
    scored = [o for o in outcomes if isinstance(o, Scored)]
    expected = one_kind(scored)
    if expected:
        mean = fmean(expected)
        coerced = any(o.coerced for o in scored)
        distribution = scored[0].distribution if len(scored) == 1 else None
        return Scored(_nearest(mean, criterion), coerced=coerced, expected=mean, distribution=distribution)
    if len(outcomes) == 1 and scored:
        return scored[0]
    if not scored:
        kinds = [o.kind for o in outcomes if isinstance(o, Unscored)]
        if not kinds:
            return Unscored("not_asked")
        return Unscored(max(kinds, key=lambda kind: (kinds.count(kind), -kinds.index(kind))))
    coerced = any(o.coerced for o in scored)
    if criterion.kind == "nominal":
        labels = [str(o.value) for o in scored]
        most = max(labels.count(label) for label in labels)
        top = {label for label in labels if labels.count(label) == most}
        if len(top) > 1:
            return Unscored("ambiguous", "the repeats give several labels equally often")
        return Scored(top.pop(), coerced=coerced)
    mean = sum(float(o.value) for o in scored) / len(scored)
    return Scored(_nearest(mean, criterion), coerced=coerced)


def _nearest(mean: float, criterion: Criterion) -> int:
    levels = [int(level) for level in criterion.levels]
    middle = (levels[0] + levels[-1]) / 2
    return min(levels, key=lambda level: (round(abs(level - mean), 9), abs(level - middle), level))


def one_kind(outcomes: Iterable[Outcome]) -> list[float]:
    """The expected scores among these, where all scores are of that kind; empty where none is.

    Raises
    ------
    BadInput
        Some scores are expected scores and some are points: a metric has one kind.
    """
    scored = [o for o in outcomes if isinstance(o, Scored)]
    expected = [o.expected for o in scored if o.expected is not None]
    if expected and len(expected) < len(scored):
        raise BadInput(
            "expected scores and point scores stand side by side",
            field="judge.score",
            seen=f"{len(expected)} expected of {len(scored)}",
            why="a metric is made of one kind of score: the two differ for the same answer",
            remedy="judge all of them with one setting of score",
        )
    return expected
