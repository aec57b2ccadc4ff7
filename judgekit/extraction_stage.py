"""Facts that a model reads from the masked replies, through the study's ledger: the variables of kind ``extracted``.

A fact is asked for like a nominal judgment: fenced text, one answer of those declared as JSON, read strictly. What the
model answers is a reading that nobody has compared with people's, every gap made of it says so, and none passes or fails a margin (it is ``cannot tell``); whoever wants it
compared declares a nominal rubric instead, which is calibrated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from judgekit.endpoints.limits import Budget, Limits
from judgekit.errors import UsageProblem
from judgekit.judging.handle import JudgeHandle, make_judge
from judgekit.judging.judge import Assumptions, JudgePlan, judge_replies, plan
from judgekit.records import Rubric, Scored, Unscored, scores_of
from judgekit.rubric import rubric_from_mapping
from judgekit.stages import Blinded, by_level
from judgekit.study import Study

if TYPE_CHECKING:
    from judgekit.files.ledger import Ledger

__all__ = ["Reader", "check_readers", "extract_all", "plan_extraction", "readers_of"]

Values = dict[str, dict[str, Scored | Unscored]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """One variable: its name, who reads it, and the question as a rubric of one nominal criterion."""

    name: str
    model: JudgeHandle
    rubric: Rubric


def readers_of(study: Study) -> list[Reader]:
    """Who reads what in a study.

    Parameters
    ----------
    study : Study

    Returns
    -------
    list of Reader
        Empty where nothing is of kind ``extracted``.

    Raises
    ------
    ConfigProblem
        A model that cannot be made.
    """
    found = []
    for name, block in study.measured.items():
        asked = block.extractor
        if asked is None:
            continue
        criterion = {
            "dimension": name,
            "scale": "nominal",
            "levels": list(asked.levels),
            "question": dict.fromkeys(("en", "es"), asked.question),
            "anchors": {lang: dict(asked.levels) for lang in ("en", "es")},
        }
        rubric = rubric_from_mapping({"id": f"extracted-{name}", "version": "1", "criteria": [criterion]}, study.file)
        model = make_judge(
            asked.spec,
            base_url=asked.base_url,
            api_key_env=asked.api_key_env,
            prices=asked.prices,
            folder=study.base,
        )
        found.append(Reader(name=name, model=model, rubric=rubric))
    return found


def check_readers(study: Study, limits: Limits) -> None:
    """Refuse a reader whose cost cannot be bounded as the study asks, before anything is sent to anybody.

    Parameters
    ----------
    study : Study
    limits : Limits
        Of the whole run.

    Raises
    ------
    ConfigProblem
        A model that cannot be made.
    UsageProblem
        ``max_cost`` for a model without prices, under the name of the key where they are missing.
    """
    for reader in readers_of(study):
        try:
            Budget(limits, getattr(reader.model.endpoint, "estimate", None))
        except UsageProblem as problem:
            problem.path, problem.field = str(study.file), f"measured.{reader.name}.extractor.prices"
            problem.remedy = "give its prices, or bound the run by judge.max_calls instead of max_cost"
            raise


def plan_extraction(study: Study, blinded: Blinded, ledger: Ledger | None, assumed: Assumptions) -> list[JudgePlan]:
    """What reading would cost, without writing or sending anything.

    Parameters
    ----------
    study : Study
    blinded : Blinded
    ledger : Ledger or None
        Where answers may be already.
    assumed : Assumptions

    Returns
    -------
    list of JudgePlan
        One for each variable.
    """
    texts = blinded.verified
    return [plan(texts, [reader.rubric], reader.model, ledger, assumed=assumed) for reader in readers_of(study)]


def extract_all(study: Study, blinded: Blinded, ledger: Ledger, watch: Callable[[str], Any], **options: Any) -> Values:
    """Have every variable read from every verified reply.

    Parameters
    ----------
    study : Study
    blinded : Blinded
    ledger : Ledger
        Open for writing. Answers that are in it are not asked for again.
    watch : callable
        Gives what is told how far a stage is, by the stage's name.
    **options
        ``secret``, ``concurrency``, ``limits``, ``sender``, as for `judging.judge.judge_replies`.

    Returns
    -------
    dict
        By metric (a level of a variable) and item; a reading that failed has its kind and is no number.

    Raises
    ------
    Unfinished
        As `endpoints.runner.run_calls`.
    """
    values: Values = {}
    for reader in readers_of(study):
        told = watch(f"reading {reader.name}")
        made = judge_replies(blinded.verified, [reader.rubric], reader.model, ledger, progress=told, **options)
        read = {item: _one(outcomes) for item, outcomes in scores_of(made, reader.name).items()}
        values |= by_level(reader.name, study.measured[reader.name].levels, read)
    return values


def _one(outcomes: Any) -> Scored | Unscored:
    first = outcomes[0]
    return first if isinstance(first, (Scored, Unscored)) else Unscored("no_answer", "not a reading of one text")
