"""On which line of a YAML file a value stands, so that a finding names its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from judgekit.rubric import load_yaml

__all__ = ["Marks", "load_marked"]

Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Marks:
    """Lines (from 1) by the keys and positions that lead to a value."""

    path: Path
    lines: Mapping[Place, int] = field(default_factory=dict)

    def line(self, *place: str | int) -> int | None:
        """The line of a value, or of the nearest block around it.

        Parameters
        ----------
        *place : str or int
            Keys and positions from the top of the file.

        Returns
        -------
        int or None
            None for an empty file.
        """
        for length in range(len(place), -1, -1):
            if place[:length] in self.lines:
                return self.lines[place[:length]]
        return None


def load_marked(path: str | Path) -> tuple[Any, Marks]:
    """Read a YAML file strictly, with the lines of its values.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    object
        As `judgekit.rubric.load_yaml`.
    Marks

    Raises
    ------
    ConfigProblem
        As `judgekit.rubric.load_yaml`.
    """
    path = Path(path)
    found = load_yaml(path)
    lines: dict[Place, int] = {}
    root = yaml.compose(path.read_bytes().decode("utf-8-sig"), Loader=yaml.SafeLoader)
    if root is not None:
        _walk(root, (), lines)
    return found, Marks(path, lines)


def _walk(node: yaml.Node, place: Place, lines: dict[Place, int]) -> None:
    # A block of text begins on the line after its sign.
    block = isinstance(node, yaml.ScalarNode) and node.style in {"|", ">"}
    lines.setdefault(place, node.start_mark.line + (2 if block else 1))
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            _walk(value, (*place, str(key.value)), lines)
            if not isinstance(value, yaml.ScalarNode):
                lines[*place, str(key.value)] = key.start_mark.line + 1
    elif isinstance(node, yaml.SequenceNode):
        for position, value in enumerate(node.value):
            _walk(value, (*place, position), lines)
