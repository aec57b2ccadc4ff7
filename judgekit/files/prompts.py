"""The prompts of a probe on disk: one conversation a line, private, since names and groups stand in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, cast, get_args

from judgekit.errors import BadInput
from judgekit.files.atomic import iter_jsonl, write_jsonl
from judgekit.records import Arm, ArmKind, Prompt, Turn

__all__ = ["arm_from_row", "arm_row", "prompt_row", "read_prompts", "write_prompts"]

_TEXTS = ("id", "unit_id", "probe", "replicate", "template_hash", "prompt_hash")
_OPTIONAL = ("attribute", "group", "name", "name_pair", "lang", "case_type")
_KEYS = {*_TEXTS, *_OPTIONAL, "position", "arm", "turns", "order", "known_names"}
_ARM_TEXTS = ("identity", "group", "of_arm")


def prompt_row(prompt: Prompt) -> dict[str, Any]:
    """One line of the file.

    Parameters
    ----------
    prompt : Prompt

    Returns
    -------
    dict
        What does not apply is left out.

    Examples
    --------
    >>> prompt_row(Prompt(id="a1", position=1, unit_id="t1", probe="gender", turns=(Turn("user", "Hi"),)))["turns"]
    [{'role': 'user', 'content': 'Hi'}]
    """
    row: dict[str, Any] = {name: getattr(prompt, name) for name in (*_TEXTS, *_OPTIONAL, "order")}
    row = {name: value for name, value in row.items() if value is not None}
    row["position"] = prompt.position
    row["arm"] = arm_row(prompt.arm)
    row["turns"] = [{"role": turn.role, "content": turn.content} for turn in prompt.turns]
    row["known_names"] = list(prompt.known_names)
    return row


def arm_row(arm: Arm) -> dict[str, Any]:
    """An arm as it is written: what does not apply is left out.

    Examples
    --------
    >>> arm_row(Arm(kind="control", of_arm="base"))
    {'kind': 'control', 'of_arm': 'base'}
    """
    return {
        name: value
        for name in ("kind", *_ARM_TEXTS, "direction", "token_change")
        if (value := getattr(arm, name)) not in (None, 0) or name == "kind"
    }


def write_prompts(path: str | Path, prompts: Iterable[Prompt], *, force: bool = False) -> int:
    """Write prompts in the order given, whole or not at all, readable by their owner only.

    Parameters
    ----------
    path : str or Path
    prompts : iterable of Prompt
    force : bool
        Overwrite.

    Returns
    -------
    int
        How many were written.

    Raises
    ------
    AlreadyThere
        The file is there and ``force`` is not given.
    DiskFailed
        It cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> prompt = Prompt(id="a1", position=1, unit_id="t1", probe="gender", turns=(Turn("user", "Hi"),))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     n = write_prompts(Path(folder) / "prompts.jsonl", [prompt])
    ...     n, read_prompts(Path(folder) / "prompts.jsonl") == [prompt]
    (1, True)
    """
    rows = [prompt_row(prompt) for prompt in prompts]
    write_jsonl(path, rows, force=force, private=True)
    return len(rows)


def read_prompts(path: str | Path) -> list[Prompt]:
    """Read and check prompts.

    Parameters
    ----------
    path : str or Path
        What `write_prompts` wrote, perhaps edited.

    Returns
    -------
    list of Prompt
        In the order of the file.

    Raises
    ------
    BadInput
        With file, line and field: a key that is unknown, missing or does not fit, or an id that stands twice.
    """
    found: list[Prompt] = []
    lines: dict[str, int] = {}
    for line, row in iter_jsonl(path):
        prompt = _prompt(row, path, line)
        if prompt.id in lines:
            raise _bad(path, line, "id", prompt.id, f"it stands on line {lines[prompt.id]} too")
        lines[prompt.id] = line
        found.append(prompt)
    return found


def arm_from_row(value: object, path: str | Path, line: int) -> Arm:
    """An arm from its row, or from its kind alone.

    Parameters
    ----------
    value : object
        A mapping with ``kind``, or one of the kinds as text; None or empty is the base arm.
    path : str or Path
    line : int
        For errors.

    Returns
    -------
    Arm

    Raises
    ------
    BadInput
        It is no arm.

    Examples
    --------
    >>> arm_from_row("control", "replies.jsonl", 3).kind
    'control'
    """
    if value is None or value == "":
        return Arm()
    row = {"kind": value} if isinstance(value, str) else value
    if not isinstance(row, Mapping) or row.get("kind") not in get_args(ArmKind):
        raise _bad(path, line, "arm", value, f"an arm is one of {', '.join(get_args(ArmKind))}")
    if unknown := set(row) - {"kind", *_ARM_TEXTS, "direction", "token_change"}:
        raise _bad(path, line, "arm", ", ".join(sorted(map(str, unknown))), "unknown keys")
    direction, change = row.get("direction", 0), row.get("token_change")
    if direction not in (-1, 0, 1) or isinstance(direction, bool):
        raise _bad(path, line, "arm.direction", direction, "a direction is -1, 0 or 1")
    if change is not None and (isinstance(change, bool) or not isinstance(change, int | float) or not 0 <= change <= 1):
        raise _bad(path, line, "arm.token_change", change, "a share lies in [0, 1]")
    texts = {name: _text(row.get(name), path, line, f"arm.{name}", optional=True) for name in _ARM_TEXTS}
    return Arm(
        kind=row["kind"],
        **texts,
        direction=cast("Literal[-1, 0, 1]", direction),
        token_change=None if change is None else float(change),
    )


def _prompt(row: Mapping[str, Any], path: str | Path, line: int) -> Prompt:
    if unknown := set(row) - _KEYS:
        raise _bad(path, line, min(unknown), None, "unknown key")
    texts = {name: _text(row.get(name), path, line, name, optional=False) for name in _TEXTS}
    labels = {name: _text(row.get(name), path, line, name, optional=True) for name in _OPTIONAL}
    position, order, names = row.get("position"), row.get("order"), row.get("known_names", [])
    if isinstance(position, bool) or not isinstance(position, int) or position < 1:
        raise _bad(path, line, "position", position, "a whole number from 1")
    if order not in (None, "ab", "ba"):
        raise _bad(path, line, "order", order, "ab, ba or absent")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise _bad(path, line, "known_names", names, "a list of texts")
    return Prompt(
        **cast("dict[str, Any]", texts | labels),
        position=position,
        arm=arm_from_row(row.get("arm"), path, line),
        turns=_turns(row.get("turns"), path, line),
        order=cast("Literal['ab', 'ba'] | None", order),
        known_names=tuple(names),
    )


def _turns(value: object, path: str | Path, line: int) -> tuple[Turn, ...]:
    turns = []
    for turn in value if isinstance(value, list) else ():
        if (
            not isinstance(turn, Mapping)
            or set(turn) != {"role", "content"}
            or turn["role"] not in ("user", "assistant")
            or not isinstance(turn["content"], str)
        ):
            raise _bad(path, line, "turns", turn, "a turn has a role (user or assistant) and a content")
        turns.append(Turn(turn["role"], turn["content"]))
    if not turns or turns[-1].role != "user":
        raise _bad(path, line, "turns", value, "a list of turns that ends with the user's")
    return tuple(turns)


def _text(value: object, path: str | Path, line: int, field: str, *, optional: bool) -> str | None:
    if value is None and optional:
        return None
    if not isinstance(value, str):
        raise _bad(path, line, field, value, "a text is needed")
    return value


def _bad(path: str | Path, line: int, field: str, seen: object, why: str) -> BadInput:
    return BadInput(
        "not a prompt of a probe",
        path=path,
        line=line,
        field=field,
        seen=str(seen)[:200],
        why=why,
        remedy="write the file with `judgekit probe expand`",
    )
