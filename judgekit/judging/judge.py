"""Judge texts through the ledger: tasks and calls written down, answers received, judgments read from the raw text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from judgekit.endpoints.base import Endpoint, Request
from judgekit.endpoints.limits import Limits, Spent
from judgekit.endpoints.runner import Progress, run_calls
from judgekit.errors import BadInput, ConfigProblem
from judgekit.files.ledger import Ledger
from judgekit.judging.expected import expected_outcomes
from judgekit.judging.forecast import Assumptions, JudgePlan, forecast
from judgekit.judging.handle import JudgeHandle
from judgekit.judging.outcomes import failure_of, fingerprints_of, outcome_value, parser_version
from judgekit.judging.parse import read_pointwise
from judgekit.judging.prompt import Prompts, anchors_language, call_for
from judgekit.records import (
    BASE,
    Arm,
    Attempt,
    BlindedReply,
    Call,
    FilledText,
    Judgment,
    Outcome,
    Rubric,
    Task,
    Unscored,
)

__all__ = [
    "Assumptions",
    "JudgePlan",
    "Sender",
    "calls_of",
    "check_judge",
    "failure_of",
    "judge_replies",
    "judge_texts",
    "outcome_value",
    "parser_version",
    "plan",
]

Text = BlindedReply | FilledText


class Sender(Protocol):
    """Has calls answered: `judgekit.endpoints.runner.run_calls`, or what takes its place."""

    def __call__(
        self,
        calls: Sequence[Call],
        endpoint: Endpoint,
        ledger: Ledger,
        *,
        render: Callable[[Call, str], Request],
        secret: bytes,
        concurrency: int = ...,
        limits: Limits | None = ...,
        spent: Spent | None = ...,
        progress: Callable[[Progress], None] | None = ...,
        retry_final: bool = ...,
    ) -> object:
        """Answer them, through the ledger."""
        ...


def check_judge(langs: Iterable[str], rubrics: Sequence[Rubric], judge: JudgeHandle) -> None:
    """Refuse, before any call, texts that the judge or a rubric cannot read, and criteria it cannot answer.

    Parameters
    ----------
    langs : iterable of str
        The texts' languages.
    rubrics : sequence of Rubric
    judge : JudgeHandle

    Raises
    ------
    ConfigProblem
        A language that judge or rubric does not declare, a rubric without any criterion the judge answers, or two
        criteria of one name.
    """
    if not rubrics:
        raise ConfigProblem("there is no rubric to judge by", field="rubrics", remedy="name one, such as warmth")
    named = [dimension for rubric in rubrics for dimension in rubric.dimensions]
    if len(set(named)) < len(named):
        raise ConfigProblem(
            "two rubrics have a criterion of the same name",
            field="rubrics",
            seen=", ".join(sorted({name for name in named if named.count(name) > 1})),
            why="scores are kept by criterion, so they would be mixed",
            remedy="rename one of them, or use one rubric at a time",
        )
    counts: dict[str, int] = {}
    for lang in langs:
        counts[lang] = counts.get(lang, 0) + 1
    for lang, n in sorted(counts.items()):
        declared = judge.languages
        if declared is not None and lang not in declared and lang.split("-", maxsplit=1)[0].lower() not in declared:
            raise ConfigProblem(
                f"{n} of the replies are in a language that the judge {judge.id} does not read",
                field="judge.spec",
                seen=lang,
                why=f"it declares {', '.join(sorted(declared))}; a score in another language would mean nothing",
                remedy="choose a judge for that language, or leave these replies out of the study",
            )
        for rubric in rubrics:
            if anchors_language(lang, rubric) is None:
                raise ConfigProblem(
                    f"{n} of the replies are in a language that the rubric {rubric.id} has no anchors for",
                    field="rubrics",
                    seen=lang,
                    why=f"it is written in {', '.join(sorted(rubric.languages))}",
                    remedy="add that language to the rubric, or leave these replies out of the study",
                )
    if judge.score_kind == "expected":
        for criterion in (c for rubric in rubrics for c in rubric.criteria if c.kind != "ordinal"):
            raise ConfigProblem(
                f"the criterion {criterion.dimension} has no expected score",
                field="judge.score",
                seen="expected",
                why="its values are labels, and labels have no mean",
                remedy="set score to point, or leave that rubric out",
            )
    for rubric in rubrics:
        if not any(judge.supports(dimension) for dimension in rubric.dimensions):
            raise ConfigProblem(
                f"the judge {judge.id} has nothing to say about the rubric {rubric.id}",
                field="judge.spec",
                seen=", ".join(rubric.dimensions),
                why="it knows no cue for any of its criteria",
                remedy="choose another judge for this rubric",
            )


def plan(
    texts: Sequence[Text],
    rubrics: Sequence[Rubric],
    judge: JudgeHandle,
    ledger: Ledger | None,
    *,
    repeats: int = 1,
    first_repeat: Callable[[Text], int] | None = None,
    assumed: Assumptions | None = None,
) -> JudgePlan:
    """Say what judging would cost, without writing or sending anything.

    Parameters
    ----------
    texts : sequence of BlindedReply or FilledText
    rubrics : sequence of Rubric
    judge : JudgeHandle
    ledger : Ledger or None
        Where answers may be already; None when there is none yet.
    repeats, first_repeat : int
        As for `judge_texts`.
    assumed : Assumptions, optional
        How the calls would go out.

    Returns
    -------
    JudgePlan

    Raises
    ------
    ConfigProblem
        As for `check_judge`.
    """
    check_judge((t.lang for t in texts), rubrics, judge)
    prompts = Prompts(rubrics)
    made = _tasks_and_calls(texts, rubrics, judge, prompts, repeats, first_repeat)
    calls = {call.request_key: call for _, call in made}
    return forecast(len(texts), calls, prompts, judge, ledger, assumed)


def calls_of(
    texts: Sequence[Text],
    rubrics: Sequence[Rubric],
    judge: JudgeHandle,
    *,
    repeats: int = 1,
    first_repeat: Callable[[Text], int] | None = None,
) -> list[Call]:
    """The requests that `judge_texts` would have answered, so that several lists can be sent as one.

    Parameters and errors are those of `plan`.
    """
    check_judge((t.lang for t in texts), rubrics, judge)
    return [call for _, call in _tasks_and_calls(texts, rubrics, judge, Prompts(rubrics), repeats, first_repeat)]


def judge_replies(
    replies: Sequence[BlindedReply],
    rubrics: Sequence[Rubric],
    judge: JudgeHandle,
    ledger: Ledger,
    *,
    secret: bytes,
    repeats: int = 1,
    concurrency: int = 4,
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
    lenient: bool = False,
    retry_final: bool = False,
    sender: Sender = run_calls,
) -> list[Judgment]:
    """Judge verified replies one by one, every rubric and repeat.

    Parameters
    ----------
    replies : sequence of BlindedReply
        What `verify` passed; nothing else is accepted.
    rubrics : sequence of Rubric
        One request per reply, rubric and repeat; all criteria of a rubric are asked at once.
    judge : JudgeHandle
    ledger : Ledger
        Open for writing. Answers that are in it are not asked for again.
    secret : bytes
        The study's secret, from which every request's nonce is made.
    repeats : int
        How often each reply is judged.
    concurrency : int
        Requests in flight at most.
    limits : Limits, optional
    progress : callable, optional
    lenient : bool
        Accept harmless repairs of the answers' form, marked as coerced.
    retry_final : bool
        Ask again where an earlier run met a final error.
    sender : callable
        Has the calls answered: one by one, or in batches (`judgekit.batches.run.run_batches`).

    Returns
    -------
    list of Judgment
        One for each reply, rubric, repeat and dimension, in that order; a call that failed for good gives `Unscored`
        judgments of its error kind. Also written to the ledger.

    Raises
    ------
    ConfigProblem
        As for `check_judge`, before anything is written.
    BadInput
        Something that is no `BlindedReply`, or the same reply twice.
    Unfinished
        As for `run_calls`; what was received is kept.
    """
    for reply in replies:
        if not isinstance(reply, BlindedReply):
            raise BadInput(
                "only verified replies can be judged",
                seen=type(reply).__name__,
                why="a judge that may see the group gives scores that mean nothing",
                remedy="blind and verify the replies first",
            )
    return judge_texts(
        replies,
        rubrics,
        judge,
        ledger,
        secret=secret,
        repeats=repeats,
        concurrency=concurrency,
        limits=limits,
        progress=progress,
        lenient=lenient,
        retry_final=retry_final,
        sender=sender,
    )


def judge_texts(
    texts: Sequence[Text],
    rubrics: Sequence[Rubric],
    judge: JudgeHandle,
    ledger: Ledger,
    *,
    secret: bytes,
    repeats: int = 1,
    first_repeat: Callable[[Text], int] | None = None,
    concurrency: int = 4,
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
    lenient: bool = False,
    retry_final: bool = False,
    sender: Sender = run_calls,
    arm: Arm | None = None,
) -> list[Judgment]:
    """Judge blinded replies and filled texts alike; parameters and errors as for `judge_replies`.

    Parameters
    ----------
    texts : sequence of BlindedReply or FilledText
        Each text's arm goes into its task, so that filled texts never count as scores.
    first_repeat : callable, optional
        The number of a text's first repeat, 0 by default. Equal texts under equal numbers share one request, so a
        text that is to be judged anew needs a number of its own.
    arm : Arm, optional
        The arm of all these texts, for blinded ones that are no replies and must never count as scores.
    """
    check_judge((t.lang for t in texts), rubrics, judge)
    _must_differ(texts)
    prompts = Prompts(rubrics)
    made = _tasks_and_calls(texts, rubrics, judge, prompts, repeats, first_repeat)
    if arm is not None:
        made = [(replace(task, arm=arm), call) for task, call in made]
    ledger.add_tasks([task for task, _ in made])
    sender(
        [call for _, call in made],
        judge.endpoint,
        ledger,
        render=prompts.render,
        secret=secret,
        concurrency=concurrency,
        limits=limits,
        progress=progress,
        retry_final=retry_final,
    )
    by_hash = {rubric.hash: rubric for rubric in rubrics}
    judgments = _read(made, by_hash, judge, prompts, ledger, lenient=lenient)
    ledger.record_judgments(judgments)
    return judgments


def _arm_of(text: Text) -> Any:
    return text.arm if isinstance(text, FilledText) else BASE


def _must_differ(texts: Sequence[Text]) -> None:
    seen: set[tuple[str, str]] = set()
    for text in texts:
        key = (text.item, _arm_of(text).key)
        if key in seen:
            raise BadInput(
                "the same reply is there twice", field="id", seen=text.item, remedy="give every reply one id"
            )
        seen.add(key)


def _tasks_and_calls(
    texts: Sequence[Text],
    rubrics: Sequence[Rubric],
    judge: JudgeHandle,
    prompts: Prompts,
    repeats: int,
    first_repeat: Callable[[Text], int] | None,
) -> list[tuple[Task, Call]]:
    made = []
    for rubric in rubrics:
        for text in texts:
            first = first_repeat(text) if first_repeat else 0
            for repeat in range(first, first + repeats):
                call = call_for(text, rubric, judge, prompts=prompts, repeat=repeat)
                task = Task(
                    item=text.item,
                    rubric_hash=rubric.hash,
                    judge=judge.id,
                    request_key=call.request_key,
                    arm=_arm_of(text),
                    repeat=repeat,
                )
                made.append((task, call))
    return made


def _read(
    made: Sequence[tuple[Task, Call]],
    rubrics: Mapping[str, Rubric],
    judge: JudgeHandle,
    prompts: Prompts,
    ledger: Ledger,
    *,
    lenient: bool,
) -> list[Judgment]:
    keys = [task.request_key for task, _ in made]
    answered = ledger.answered(keys)
    failed = ledger.latest(key for key in keys if key not in answered)
    marks = fingerprints_of(((call, rubrics[task.rubric_hash]) for task, call in made), answered, judge, prompts)
    version = parser_version(lenient=lenient)
    asked = {task.request_key: rubrics[task.rubric_hash] for task, _ in made}
    read = {key: _outcomes(answered.get(key), failed.get(key), rubric, judge, lenient) for key, rubric in asked.items()}
    if judge.score_kind == "expected":
        _weigh(read, answered, asked, ledger, lenient=lenient)
    judgments: list[Judgment] = []
    for task, call in made:
        outcomes, reason = read[task.request_key]
        judgments.extend(
            Judgment(
                task=task,
                dimension=dimension,
                text_hash=call.text_hashes[0],
                fingerprint=marks[task.request_key],
                outcome=outcomes[dimension],
                parser_version=version,
                reason=reason,
                score_kind=judge.score_kind,
            )
            for dimension in rubrics[task.rubric_hash].dimensions
        )
    return judgments


def _weigh(
    read: dict[str, tuple[Mapping[str, Outcome], str | None]],
    answered: Mapping[str, Attempt],
    asked: Mapping[str, Rubric],
    ledger: Ledger,
    *,
    lenient: bool,
) -> None:
    """Put expected scores in the place of point scores; probabilities are read a few hundred answers at a time."""
    without = set(answered)
    for key, logprobs in ledger.logprobs(list(answered)):
        without.discard(key)
        outcomes, reason = read[key]
        raw, criteria = answered[key].raw, asked[key].criteria
        read[key] = expected_outcomes(outcomes, criteria, raw=raw, logprobs=logprobs, lenient=lenient), reason
    for key in without:
        outcomes, reason = read[key]
        read[key] = expected_outcomes(outcomes, asked[key].criteria, raw=answered[key].raw, logprobs=None), reason


def _outcomes(
    answer: Attempt | None, failure: Attempt | None, rubric: Rubric, judge: JudgeHandle, lenient: bool
) -> tuple[Mapping[str, Outcome], str | None]:
    if answer is None:
        return dict.fromkeys(rubric.dimensions, failure_of(failure)), None
    reading = read_pointwise(
        answer.raw,
        dimensions={c.dimension: c.levels for c in rubric.criteria},
        finish_reason=answer.finish_reason,
        lenient=lenient,
    )
    outcomes: dict[str, Outcome] = dict(reading.outcomes)
    for dimension in rubric.dimensions:
        if not judge.supports(dimension):
            outcomes[dimension] = Unscored("unsupported", f"the judge {judge.id} has no cue for it")
    return outcomes, reading.reason
