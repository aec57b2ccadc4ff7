"""The one registry of what a rater can do: keys, help and footer are all read from here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from judgekit.errors import ConfigProblem
from judgekit.records import Criterion

__all__ = ["ACTIONS", "MAX_LEVELS", "Action", "Keymap", "key_for", "key_label", "level_for"]

MAX_LEVELS = 10
"""More levels than digits cannot be given by one key."""

_NAMED = {
    "space", "enter", "backspace", "escape", "up", "down", "left", "right", "pageup", "pagedown", "f1",
}  # fmt: skip
_LABELS = {
    "space": "space", "enter": "enter", "backspace": "bksp", "escape": "esc", "up": "↑", "down": "↓", "left": "←",
    "right": "→", "pageup": "pgup", "pagedown": "pgdn", "f1": "F1",
}  # fmt: skip
_LABELS_ES = {"space": "espacio", "enter": "intro", "backspace": "retr", "pageup": "repág", "pagedown": "avpág"}


@dataclass(frozen=True, slots=True)
class Action:
    """Something a key can do.

    ``id`` is stable and is what a configuration names; ``keys`` are the defaults, the first is shown; ``guarded``
    says that the key acts on the item and must not arrive before the item was there; ``pairs`` that it exists only
    when two replies are compared; ``in_footer`` that the footer lists it.
    """

    id: str
    keys: tuple[str, ...]
    guarded: bool = True
    pairs: bool = False
    in_footer: bool = True


ACTIONS: tuple[Action, ...] = (
    Action("left", ("left",), pairs=True),
    Action("right", ("right",), pairs=True),
    Action("tie", ("t",), pairs=True),
    Action("page_on", ("space",), in_footer=False),
    Action("skip", ("s",)),
    Action("undo", ("backspace", "u")),
    Action("flag", ("f",)),
    Action("note", ("n",)),
    Action("rubric", ("r",), guarded=False),
    Action("help", ("?", "f1"), guarded=False),
    Action("quit", ("q",)),
    Action("page_down", ("pagedown",), guarded=False, in_footer=False),
    Action("page_up", ("pageup",), guarded=False, in_footer=False),
    Action("line_down", ("down",), guarded=False, in_footer=False),
    Action("line_up", ("up",), guarded=False, in_footer=False),
)
"""Every action, in the order of the help screen. Digits give scores and can be bound to nothing else."""


def key_label(key: str, lang: str = "en") -> str:
    """How a key is written on the screen, in the words of a language's keyboards.

    Examples
    --------
    >>> key_label("backspace"), key_label("backspace", "es"), key_label("f1")
    ('bksp', 'retr', 'F1')
    """
    return {**_LABELS, **(_LABELS_ES if lang == "es" else {})}.get(key, key)


def _usable(key: str) -> bool:
    return key in _NAMED or (len(key) == 1 and key.isprintable() and not key.isdigit() and not key.isspace())


class Keymap:
    """Which key does what.

    Parameters
    ----------
    overrides : mapping of str to str or list of str, optional
        Action id to the key or keys that shall do it; the default keys of that action no longer do. Keys are plain
        characters or space, enter, backspace, escape, up, down, left, right, pageup, pagedown, f1: the ones that
        arrive over every connection.

    Raises
    ------
    ConfigProblem
        An action that does not exist, a key that cannot be used, or one key for two actions.

    Examples
    --------
    >>> Keymap({"flag": "x"}).action("x").id
    'flag'
    >>> Keymap().action("f1").id, Keymap().action("z")
    ('help', None)
    """

    def __init__(self, overrides: Mapping[str, object] | None = None, *, path: str | None = None) -> None:
        overrides = overrides or {}
        known = {action.id: action for action in ACTIONS}
        for name in overrides:
            if name not in known:
                raise ConfigProblem(
                    "no such action",
                    path=path,
                    field=str(name),
                    seen=name,
                    why=f"the actions are {', '.join(known)}",
                    remedy="name one of them",
                )
        self._keys = {action.id: self._of(action, overrides, path) for action in ACTIONS}
        self._actions: dict[str, Action] = {}
        for action in ACTIONS:
            for key in self._keys[action.id]:
                other = self._actions.get(key)
                if other is not None:
                    raise ConfigProblem(
                        "one key for two actions",
                        path=path,
                        field=action.id,
                        seen=key,
                        why=f"{key!r} would do both {other.id} and {action.id}",
                        remedy="give one of them another key",
                    )
                self._actions[key] = action

    @staticmethod
    def _of(action: Action, overrides: Mapping[str, object], path: str | None) -> tuple[str, ...]:
        if action.id not in overrides:
            return action.keys
        given = overrides[action.id]
        keys = given if isinstance(given, list) else [given]
        for key in keys:
            if not isinstance(key, str) or not _usable(key.lower()):
                raise ConfigProblem(
                    "a key that cannot be used",
                    path=path,
                    field=action.id,
                    seen=key,
                    why="digits give scores; other keys must be plain characters or " + ", ".join(sorted(_NAMED)),
                    remedy="choose another key",
                )
        if not keys:
            raise ConfigProblem(
                "an action without a key", path=path, field=action.id, remedy="name at least one key for it"
            )
        return tuple(str(key).lower() for key in keys)

    def action(self, key: str) -> Action | None:
        """What a key does, or None. Letters count the same in upper and lower case."""
        return self._actions.get(key.lower())

    def keys(self, action_id: str) -> tuple[str, ...]:
        """The keys of an action; the first one is the one to show."""
        return self._keys[action_id]

    def actions(self, *, pairs: bool = False) -> tuple[Action, ...]:
        """The actions there are, in the order of the help screen."""
        return tuple(action for action in ACTIONS if pairs or not action.pairs)


def key_for(criterion: Criterion, place: int) -> str:
    """The key that gives the level at a place: the level itself when all levels are single digits, else 1, 2, 3 ...

    Parameters
    ----------
    criterion : Criterion
        With its levels.
    place : int
        0-based place in ``criterion.levels``.

    Returns
    -------
    str
        One character: 0 for the tenth level of a scale whose levels are not digits, empty beyond it.
    """
    if all(isinstance(level, int) and 0 <= level <= 9 for level in criterion.levels):
        return str(criterion.levels[place])
    return str((place + 1) % 10) if place < MAX_LEVELS else ""


def level_for(criterion: Criterion, key: str) -> int | str | None:
    """The level a key gives, or None when the key is off the scale."""
    for place, level in enumerate(criterion.levels):
        if key and key == key_for(criterion, place):
            return level
    return None
