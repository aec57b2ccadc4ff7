"""Every text is verified again before a rater sees it, by the independent verifier and whatever the sample says of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from judgekit.errors import LeakFound
from judgekit.records import LabelTask, Withheld

if TYPE_CHECKING:
    from judgekit.blinding.verify import Verifier

__all__ = ["blind_check", "excused_tasks"]


def _withheld(verifier: Verifier, task: LabelTask) -> Withheld | None:
    for text in (task.text, task.text_b):
        if text is not None:
            result = verifier.verify_text(item=task.task_id, text=text, context=task.context, lang=task.lang)
            if isinstance(result, Withheld):
                return result
    return None


def excused_tasks(tasks: Iterable[LabelTask]) -> list[str]:
    """Tasks that the study's own settings passed and the verifier without them would not.

    Parameters
    ----------
    tasks : iterable of LabelTask
        Of verified replies, when the sample is made.

    Returns
    -------
    list of str
        Task ids, for the sample file: words that a study keeps on purpose must not stop a rater.
    """
    from judgekit.blinding.verify import Verifier

    verifier = Verifier()
    return [task.task_id for task in tasks if _withheld(verifier, task) is not None]


def blind_check(excused: Collection[str], path: str | Path) -> Callable[[LabelTask], None]:
    """What is called with each item before it is shown.

    Parameters
    ----------
    excused : collection of str
        From `excused_tasks`, as the sample carries it.
    path : str or Path
        The sample's file, for messages.

    Returns
    -------
    callable
        Raises `LeakFound` for a text that would give somebody away. The verifier is loaded at the first call.
    """
    verifiers: list[Verifier] = []

    def check(task: LabelTask) -> None:
        if task.task_id in excused:
            return
        if not verifiers:
            from judgekit.blinding.verify import Verifier

            verifiers.append(Verifier())
        result = _withheld(verifiers[0], task)
        if result is not None:
            found = ", ".join(sorted({f"{leak.kind} ({leak.rule})" for leak in result.leaks})) or result.code
            raise LeakFound(
                "a text in the sample is not blind, so it is not shown",
                path=path,
                field=task.task_id,
                seen=found,
                why="every text is verified again before a rater sees it",
                remedy="the sample was edited, or the verifier has learnt since: blind and draw again; labels are kept",
            )

    return check
