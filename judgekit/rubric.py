"""Rubric files: criteria with an anchor for every point, in every language, under one hash."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import yaml

from judgekit.data import bundled
from judgekit.errors import ConfigProblem
from judgekit.records import Criterion, Rubric

__all__ = ["available_rubrics", "load_rubric", "load_yaml", "rubric_from_mapping"]


class _StrictLoader(yaml.SafeLoader):
    """YAML without duplicate keys and without keys that YAML reads as booleans (``yes``, ``no``, ``on``, ``off``)."""


def _mapping(loader: _StrictLoader, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: ARG001 - PyYAML passes it
    loader.flatten_mapping(node)
    result: dict[Any, Any] = {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        mark = key_node.start_mark
        if isinstance(key, bool):
            raise ConfigProblem(
                "a key that YAML reads as true or false",
                path=mark.name,
                line=mark.line + 1,
                column=mark.column + 1,
                seen=key_node.value,
                why="an unquoted yes, no, on or off is a boolean in YAML",
                remedy=f'put it in quotes: "{key_node.value}"',
            )
        try:
            duplicate = key in result
        except TypeError:
            duplicate = False
        if duplicate or not isinstance(key, (str, int, float)):
            raise ConfigProblem(
                "a duplicate key" if duplicate else "a key that is no text or number",
                path=mark.name,
                line=mark.line + 1,
                column=mark.column + 1,
                seen=key,
                why="every key may stand once in its block" if duplicate else "keys are texts or numbers",
                remedy="remove or rename one of them",
            )
        result[key] = loader.construct_object(value_node, deep=True)
    return result


_StrictLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)
# Dates stay as they were written: a study compares and hashes them as text.
_StrictLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def load_yaml(path: str | Path) -> Any:
    """Read a YAML file strictly.

    Parameters
    ----------
    path : str or Path
        A UTF-8 file.

    Returns
    -------
    object
        Mappings, lists and scalars.

    Raises
    ------
    ConfigProblem
        The file is missing, not text, not YAML, repeats a key, or has a key that YAML reads as a boolean.
    """
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as problem:
        raise ConfigProblem(
            "the file cannot be read", path=path, why=problem.strerror or str(problem), remedy="check the path"
        ) from None
    except UnicodeDecodeError as problem:
        raise ConfigProblem(
            "the file is not UTF-8 text",
            path=path,
            why=f"byte {problem.start} is not UTF-8",
            remedy="save it as UTF-8",
        ) from None
    try:
        loader = _StrictLoader(text)
    except yaml.YAMLError:
        raise ConfigProblem(
            "the file holds control characters",
            path=path,
            why="YAML is plain text without them",
            remedy="check that it is the right file, and save it as text",
        ) from None
    loader.name = str(path)
    try:
        return loader.get_single_data()
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark
        raise ConfigProblem(
            "not valid YAML",
            path=path,
            line=mark.line + 1 if mark else None,
            column=mark.column + 1 if mark else None,
            why=problem.problem or "syntax error",
            remedy="mend the line; indent with spaces, quote texts that hold a colon",
        ) from None
    except yaml.YAMLError as problem:
        raise ConfigProblem("not valid YAML", path=path, why=str(problem), remedy="mend the file") from None
    finally:
        loader.dispose()


def available_rubrics() -> list[str]:
    """Names of the bundled rubrics, sorted."""
    return sorted(path.stem for path in bundled("rubrics").glob("*.yaml"))


def load_rubric(name_or_path: str | Path, *, base: Path | None = None) -> Rubric:
    """Load a rubric by its bundled name or from a YAML file.

    Parameters
    ----------
    name_or_path : str or Path
        ``warmth``, ``quality``, ``tone``, ``checklist`` or a path ending in ``.yaml`` or ``.yml``.
    base : Path, optional
        Folder that a relative path starts from.

    Returns
    -------
    Rubric

    Raises
    ------
    ConfigProblem
        No such rubric, an unknown key, or a criterion without an anchor for every level in every language.

    Examples
    --------
    >>> load_rubric("warmth").dimensions
    ('warmth',)
    """
    text = str(name_or_path)
    if text.endswith((".yaml", ".yml")) or "/" in text or "\\" in text:
        path = Path(text) if base is None or Path(text).is_absolute() else base / text
    else:
        if text not in available_rubrics():
            raise ConfigProblem(
                "no such rubric",
                field="rubric",
                seen=text,
                why=f"the bundled ones are {', '.join(available_rubrics())}",
                remedy="name one of them or give a path ending in .yaml",
            )
        path = bundled(f"rubrics/{text}.yaml")
    return _from_mapping(load_yaml(path), path)


def rubric_from_mapping(data: Any, path: str | Path) -> Rubric:
    """Build a rubric from what its YAML holds, for example from the copy inside a labelling sample.

    Parameters
    ----------
    data : object
        ``id``, ``version``, ``criteria`` and perhaps ``title``.
    path : str or Path
        The file it came from, for messages.

    Returns
    -------
    Rubric
        Its hash is computed here, never taken over.

    Raises
    ------
    ConfigProblem
        As `load_rubric`.
    """
    return _from_mapping(data, Path(path))


def _from_mapping(data: Any, path: Path) -> Rubric:
    check = _Checker(path)
    top = check.block(data, "", {"id", "version", "criteria"}, {"title"})
    criteria = top["criteria"]
    if not isinstance(criteria, list) or not criteria:
        raise check.problem("criteria", "must be a list with at least one criterion", criteria)
    built = tuple(_criterion(check, entry, f"criteria[{n}]") for n, entry in enumerate(criteria, 1))
    names = [c.dimension for c in built]
    if len(set(names)) < len(names):
        raise check.problem("criteria", "two criteria have the same dimension", ", ".join(names))
    languages = {frozenset(c.anchors) for c in built}
    if len(languages) > 1:
        raise check.problem(
            "criteria", "the criteria are not all in the same languages", sorted(map(sorted, languages))
        )
    title = check.texts(top.get("title", {}), "title")
    canonical = json.dumps(
        {
            "id": str(top["id"]),
            "version": str(top["version"]),
            "criteria": [
                [
                    c.dimension,
                    c.kind,
                    list(c.levels),
                    dict(c.question),
                    {k: list(v.items()) for k, v in c.anchors.items()},
                ]
                for c in built
            ],
        },
        ensure_ascii=True,
        sort_keys=True,
    )
    return Rubric(
        id=str(top["id"]),
        version=str(top["version"]),
        criteria=built,
        hash=hashlib.sha256(canonical.encode("ascii")).hexdigest(),
        title=title,
    )


class _Checker:
    """Turns a shape that does not fit into an error with the file and the key."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def problem(self, field: str, what: str, seen: object) -> ConfigProblem:
        return ConfigProblem(
            what,
            path=self.path,
            field=field,
            seen=seen,
            remedy="see `judgekit rubrics` and the bundled rubrics for the form",
        )

    def block(self, data: Any, field: str, required: set[str], optional: set[str]) -> dict[str, Any]:
        if not isinstance(data, dict):
            raise self.problem(field or "(file)", "must be a block of keys", type(data).__name__)
        for key in data:
            if key not in required | optional:
                raise self.problem(f"{field}.{key}".strip("."), "unknown key", key)
        for key in sorted(required - set(data)):
            raise self.problem(f"{field}.{key}".strip("."), "missing key", sorted(map(str, data)))
        return data

    def texts(self, data: Any, field: str) -> dict[str, str]:
        if not isinstance(data, dict) or not all(isinstance(v, str) and v.strip() for v in data.values()):
            raise self.problem(field, "must give one non-empty text per language", data)
        return {str(k): v.strip() for k, v in data.items()}


def _criterion(check: _Checker, data: Any, field: str) -> Criterion:
    entry = check.block(data, field, {"dimension", "scale", "levels", "question", "anchors"}, set())
    scale, levels = entry["scale"], entry["levels"]
    if scale not in {"ordinal", "nominal"}:
        raise check.problem(f"{field}.scale", "must be ordinal or nominal", scale)
    if not isinstance(levels, list) or len(levels) < 2 or len(set(map(str, levels))) < len(levels):
        raise check.problem(f"{field}.levels", "must list two or more different levels", levels)
    wanted: type = int if scale == "ordinal" else str
    if not all(type(level) is wanted for level in levels):
        what = (
            "ordinal levels are whole numbers" if scale == "ordinal" else 'nominal levels are texts (quote "yes", "no")'
        )
        raise check.problem(f"{field}.levels", what, levels)
    if scale == "ordinal" and levels != sorted(levels):
        raise check.problem(f"{field}.levels", "ordinal levels stand in rising order", levels)
    question = check.texts(entry["question"], f"{field}.question")
    anchors: dict[str, dict[int | str, str]] = {}
    if not isinstance(entry["anchors"], dict) or not entry["anchors"]:
        raise check.problem(f"{field}.anchors", "must give the anchors per language", entry["anchors"])
    for language, block in entry["anchors"].items():
        where = f"{field}.anchors.{language}"
        if not isinstance(block, dict) or set(block) != set(levels):
            raise check.problem(
                where, f"must have one anchor for each of {levels}", list(block) if isinstance(block, dict) else block
            )
        if not all(isinstance(v, str) and v.strip() for v in block.values()):
            raise check.problem(where, "every anchor is a non-empty text", block)
        anchors[str(language)] = {level: block[level].strip() for level in levels}
    if set(question) != set(anchors):
        raise check.problem(
            field, "question and anchors must be in the same languages", [sorted(question), sorted(anchors)]
        )
    dimension = entry["dimension"]
    if not isinstance(dimension, str) or not dimension.replace("_", "").isalnum():
        raise check.problem(f"{field}.dimension", "must be a word of letters, digits and _", dimension)
    return Criterion(dimension=dimension, kind=scale, levels=tuple(levels), question=question, anchors=anchors)
