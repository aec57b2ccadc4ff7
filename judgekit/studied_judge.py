"""The judge that a study names."""

from __future__ import annotations

from judgekit.endpoints.limits import Limits
from judgekit.judging.handle import JudgeHandle, make_judge
from judgekit.study import Study

__all__ = ["judge_of_study", "limits_of_study"]


def judge_of_study(study: Study) -> JudgeHandle:
    """The study's judge with its settings; nothing is read of the environment yet.

    Parameters
    ----------
    study : Study
        Its block ``judge`` decides; relative paths begin in its folder.

    Returns
    -------
    JudgeHandle

    Raises
    ------
    ConfigProblem
        No such judge, or settings that it cannot use.
    """
    settings = study.judge
    asked = settings.spec.strip().startswith(("openai", "anthropic", "local:"))
    return make_judge(
        settings.spec,
        base_url=settings.base_url,
        api_key_env=settings.api_key_env,
        parameters={"temperature": settings.temperature, "max_tokens": settings.max_tokens} if asked else None,
        prices=settings.prices,
        score=settings.score,
        folder=study.base,
    )


def limits_of_study(study: Study) -> Limits:
    """The study's bounds on calls, cost and time as the runner takes them; all parts of a run share one `Spent`.

    Parameters
    ----------
    study : Study

    Returns
    -------
    Limits
    """
    settings = study.judge
    return Limits(
        retries=settings.retries,
        max_calls=settings.max_calls,
        max_cost=settings.max_cost,
        attempt_timeout=settings.timeout,
    )
