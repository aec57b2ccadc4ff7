"""A sample made ready for other labelling tools: its tasks and its scale, and nothing that says who wrote what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from judgekit.labelling.words import anchors_of, question_of
from judgekit.records import LabelTask, Rubric

__all__ = ["argilla_records", "studio_config", "studio_tasks"]

_XML_CONTROLS = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF), "\N{REPLACEMENT CHARACTER}")


def studio_tasks(tasks: Iterable[LabelTask], rubric_hash: str) -> list[dict[str, Any]]:
    """Tasks that Label Studio imports as JSON.

    Parameters
    ----------
    tasks : iterable of LabelTask
        Checked to be blind.
    rubric_hash : str
        Of the sample; `labels import` holds it against the study's.

    Returns
    -------
    list of dict
        ``data`` with the opaque task id, the masked text, the message it answers and the rubric's hash.

    Examples
    --------
    >>> task = LabelTask(task_id="0a1b", text="Hello [PERSON_1].", context=None, text_hash="h", lang="en")
    >>> studio_tasks([task], "f00")
    [{'data': {'task_id': '0a1b', 'text': 'Hello [PERSON_1].', 'message': '', 'rubric_hash': 'f00'}}]
    """
    return [
        {"data": {"task_id": t.task_id, "text": t.text, "message": t.context or "", "rubric_hash": rubric_hash}}
        for t in tasks
    ]


def argilla_records(tasks: Iterable[LabelTask], rubric_hash: str) -> list[dict[str, Any]]:
    """Records that Argilla's ``dataset.records.log`` takes, for a dataset with the fields ``text`` and ``message``.

    Parameters
    ----------
    tasks, rubric_hash
        As for `studio_tasks`.

    Returns
    -------
    list of dict
        The id is the opaque task id; ``rubric_hash`` is metadata.
    """
    return [
        {"id": t.task_id, "text": t.text, "message": t.context or "(no message)", "rubric_hash": rubric_hash}
        for t in tasks
    ]


def studio_config(rubrics: Sequence[Rubric], lang: str) -> str:
    """The labelling interface for Label Studio: one choice per level, with the anchors as hints.

    Parameters
    ----------
    rubrics : sequence of Rubric
        All are asked of every text.
    lang : str
        Language of the questions and anchors.

    Returns
    -------
    str
        XML; each question has the name of its dimension, so that `labels import` needs no renaming.
    """
    lines = ["<View>", '  <Text name="message" value="$message"/>', '  <Text name="reply" value="$text"/>']
    for criterion in (c for rubric in rubrics for c in rubric.criteria):
        anchors = anchors_of(criterion, lang)
        lines.append(f"  <Header value={_quoted(question_of(criterion, lang))}/>")
        lines.append(
            f'  <Choices name={_quoted(criterion.dimension)} toName="reply" choice="single" required="true" showInline="true">'
        )
        lines += [
            f"    <Choice value={_quoted(str(level))} hint={_quoted(anchors.get(level, ''))}/>"
            for level in criterion.levels
        ]
        lines.append("  </Choices>")
    return "\n".join([*lines, "</View>", ""])


def _quoted(text: str) -> str:
    """A text as an attribute: escaped, on one line, without characters that XML does not have."""
    plain = text.encode("utf-8", "replace").decode("utf-8").translate(_XML_CONTROLS)
    return quoteattr(" ".join(plain.split()))
