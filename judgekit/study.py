"""study.yaml as one frozen model: every key documented, unknown ones refused, defaults of the house."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, Field, PrivateAttr, ValidationError, field_validator, model_validator

from judgekit.errors import ConfigProblem
from judgekit.records import Contrast, Identity, NameForms
from judgekit.rubric import load_yaml
from judgekit.study_blocks import (
    Blinding,
    Block,
    Calibration,
    Data,
    Decided,
    Gate,
    Groups,
    JudgeSettings,
    Labels,
    NameEntry,
    Privacy,
    ReportSettings,
    RubricUse,
    Statistics,
    SwapTest,
    System,
)
from judgekit.study_measured import Measured
from judgekit.study_probe import Probe

__all__ = ["Study", "load_study", "name_a_run"]

T = TypeVar("T")
# What may change without changing what is measured: how fast, how dear.
_LATER = {"target": {"concurrency", "prices", "max_cost", "max_calls", "timeout", "retries"}}


class Study(Block):
    """Everything decided about one study."""

    study: str = Field(min_length=1, max_length=64)
    """Its name: letters, digits, ``-`` and ``_``."""
    stage: Literal["pilot", "confirmatory"] = "pilot"
    """A pilot's findings are leads; a confirmatory study was decided beforehand."""
    system: System = Field(default_factory=System)
    """The chatbot under test."""
    data: Data
    """The replies."""
    groups: Groups | None = None
    """Left out: the judge is validated without group claims."""
    blinding: Blinding = Field(default_factory=Blinding)
    """How cues are found."""
    rubrics: dict[str, RubricUse] = Field(min_length=1)
    """What is judged."""
    measured: dict[str, Measured] = Field(default_factory=dict)
    """What is counted."""
    judge: JudgeSettings = Field(default_factory=JudgeSettings)
    """The judge."""
    swap_test: SwapTest = Field(default_factory=SwapTest)
    """The swap test."""
    labels: Labels = Field(default_factory=Labels)
    """People's scores."""
    calibration: Calibration = Field(default_factory=Calibration)
    """When a judged metric may be reported."""
    statistics: Statistics = Field(default_factory=Statistics)
    """How gaps are computed."""
    gate: Gate = Field(default_factory=Gate)
    """Red or green."""
    decided: Decided = Field(default_factory=Decided)
    """Who decided."""
    report: ReportSettings = Field(default_factory=ReportSettings)
    """The write-up."""
    privacy: Privacy = Field(default_factory=Privacy)
    """Whose words these are."""
    probe: Probe | None = None
    """Where the replies come from, when judgekit collects them; left out: they are brought."""

    _file: Path = PrivateAttr(default_factory=lambda: Path("study.yaml"))

    @field_validator("study")
    @classmethod
    def _name(cls, value: str) -> str:
        if not value.replace("-", "").replace("_", "").isalnum() or not value.isascii():
            raise ValueError("may hold letters a-z, digits, - and _ only, since folders are named after it")
        return value

    @model_validator(mode="after")
    def _labels_enough(self) -> Study:
        if self.labels.n < self.calibration.min_labels:
            raise ValueError(
                f"labels.n is {self.labels.n} and calibration.min_labels {self.calibration.min_labels}: "
                "a sample that small could never calibrate a judge"
            )
        return self

    @model_validator(mode="after")
    def _groups(self) -> Study:
        if self.groups is not None:
            known = set(self.groups.values)
            if len(known) == 1:
                raise ValueError("groups.values has one group; a comparison needs two, or leave groups out")
            if self.groups.comparisons != "all":
                for a, b in self.groups.comparisons:
                    if a == b or (known and not {a, b} <= known):
                        raise ValueError(
                            f"groups.comparisons names the pair {a}, {b}, which are not two groups of values"
                        )
            self._names_differ()
        return self

    def _names_differ(self) -> None:
        met: dict[str, str] = {}
        for group, people in self.identities().items():
            for person in people:
                name = person.name.casefold()
                if name in met:
                    where = f"{met[name]} and {group}" if met[name] != group else f"{group}, twice"
                    raise ValueError(
                        f"the name {person.name} stands in {where}; results are told apart by name, so each person "
                        "needs a name of their own"
                    )
                met[name] = group

    @property
    def base(self) -> Path:
        """Folder that the study's relative paths start from."""
        return self._file.parent

    @property
    def file(self) -> Path:
        """The study file."""
        return self._file

    def path(self, relative: Path) -> Path:
        """A path of the study made absolute."""
        return relative if relative.is_absolute() else self.base / relative

    @property
    def contrasts(self) -> tuple[Contrast, ...]:
        """Declared comparisons; empty for a study without groups or without listed values."""
        if self.groups is None:
            return ()
        if self.groups.comparisons == "all":
            return tuple(Contrast(a, b) for a, b in combinations(self.groups.values, 2))
        return tuple(Contrast(a, b) for a, b in self.groups.comparisons)

    def identities(self) -> dict[str, list[Identity]]:
        """People by group, in matched order."""
        people: dict[str, list[Identity]] = {}
        if self.groups is None:
            return people
        for group, value in self.groups.values.items():
            for position, entry in enumerate(value.names, 1):
                person = NameEntry(given=entry) if isinstance(entry, str) else entry
                given, family = person.given, person.family
                if isinstance(entry, str) and family is None and " " in entry.strip():
                    given, family = entry.strip().split(" ", 1)
                people.setdefault(group, []).append(
                    Identity(
                        group=group,
                        name=entry if isinstance(entry, str) else " ".join(filter(None, [given, family])),
                        name_pair=str(position),
                        forms=NameForms(
                            given=given,
                            family=family,
                            title=person.title or value.title,
                            pronouns=person.pronouns or value.pronouns,
                        ),
                    )
                )
        return people

    @property
    def metrics(self) -> dict[str, str]:
        """Every counted metric and the key of ``measured`` that it comes from; each level of a nominal one is a metric."""
        return {
            metric: key
            for key, block in self.measured.items()
            for metric in ([f"{key}.{level}" for level in block.levels] or [key])
        }

    @property
    def hash(self) -> str:
        """SHA-256 of the resolved settings."""
        return _digest(self.model_dump(mode="json"))

    def sealed_content(self) -> dict[str, Any]:
        """What is decided beforehand, and by whom: thresholds, margins, roles, groups, the judge, the blinding limits."""
        return {
            "stage": self.stage,
            "calibration": self.calibration.model_dump(mode="json"),
            # Pairs are sealed where there are any: most studies have none.
            "swap_test": self.swap_test.model_dump(mode="json", exclude=None if self.swap_test.pairs else {"pairs"}),
            "max_withheld": self.blinding.max_withheld.model_dump(mode="json"),
            "rubrics": {k: v.model_dump(mode="json") for k, v in self.rubrics.items()},
            "measured": {k: v.sealed() for k, v in self.measured.items()},
            "groups": self.groups and self.groups.model_dump(mode="json"),
            "statistics": self.statistics.model_dump(mode="json"),
            "gate": self.gate.model_dump(mode="json"),
            "labels": self.labels.model_dump(
                mode="json",
                include={"scope", "reference", "annotators"}
                | ({"anchors"} if self.labels.anchors else set())
                | ({"anchors_sha256"} if self.labels.anchors_sha256 else set()),
            ),
            "data": self.data.model_dump(mode="json", include={"design"}),
            "judge": {
                "spec": _without_arguments(self.judge.spec),
                "spec_hash": _digest(self.judge.spec)[:16],
                **self.judge.model_dump(mode="json", include={"temperature", "repeats"}),
                # Seals made before there was a choice hold the same decision without naming it.
                **({"score": self.judge.score} if self.judge.score != "point" else {}),
            },
            "decided": self.decided.model_dump(mode="json"),
            **({} if self.probe is None else {"probe": self.probe.model_dump(mode="json", exclude=_LATER)}),
        }


def _without_arguments(spec: str) -> str:
    """A command's arguments may hold a key; its first word says enough, and the hash beside it the rest."""
    return spec.split(maxsplit=1)[0] if spec.startswith("command:") and spec.split() else spec


def _digest(content: Any) -> str:
    packed = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(packed.encode("ascii")).hexdigest()


def load_study(path: str | Path) -> Study:
    """Read and check a study file.

    Parameters
    ----------
    path : str or Path
        A YAML file, or a folder that holds ``study.yaml``.

    Returns
    -------
    Study

    Raises
    ------
    ConfigProblem
        The file is missing or not YAML, a key is unknown or repeated, or a value does not fit; the message names
        the key, the value and the rule.
    """
    path = Path(path)
    if path.is_dir():
        path = _study_in(path)
    elif not path.exists():
        raise ConfigProblem(
            "there is no such study or folder",
            path=path,
            remedy="name a study's folder or a run; judgekit init DIR --from REPLIES makes a study",
        )
    data = load_yaml(path)
    if not isinstance(data, dict):
        raise ConfigProblem(
            "the study file is no block of keys",
            path=path,
            seen=type(data).__name__,
            remedy="start from the file that `judgekit init DIR` writes",
        )
    try:
        study = Study.model_validate(data)
    except ValidationError as problem:
        raise _first_problem(problem, data, path) from None
    study._file = path.resolve()  # noqa: SLF001 - the loader alone sets it
    return study


def _study_in(folder: Path) -> Path:
    path = folder / "study.yaml"
    if path.exists():
        return path
    runs = any(folder.glob("*/manifest.json"))
    raise ConfigProblem(
        "this folder holds runs and is none" if runs else "there is no study.yaml in this folder",
        path=folder,
        remedy=f"name {name_a_run(folder)}, or the study's folder"
        if runs
        else f"judgekit init {shlex.quote(str(folder))} --from REPLIES makes a study of your replies; name its folder "
        "if it is another one",
    )


def name_a_run(folder: Path) -> str:
    """How to name a run in a folder that is none itself, for a remedy: the latest by name where there is one.

    Parameters
    ----------
    folder : Path
        Of a study, or of its runs.

    Returns
    -------
    str
        Words, with the path of a run.
    """
    found = sorted(folder.glob("*/manifest.json")) or sorted(folder.glob("runs/*/manifest.json"))
    return f"one of the runs, such as {found[-1].parent}" if found else "a run folder, such as STUDY/runs/RUN"


def _keys_at(location: Sequence[object]) -> list[str]:
    """The keys that a block of the study has; none where what stands there is no single kind of block."""
    here: Any = Study
    for part in location:
        if isinstance(here, type) and issubclass(here, BaseModel):
            here = here.model_fields[str(part)].annotation if str(part) in here.model_fields else None
        else:
            here = next((a for a in reversed(get_args(here)) if a is not str), None)  # the values of a mapping
        blocks = [a for a in get_args(here) if isinstance(a, type) and issubclass(a, BaseModel)]
        if get_origin(here) in {Union, UnionType} and len(blocks) == 1:
            here = blocks[0]  # a block or null
    return list(here.model_fields) if isinstance(here, type) and issubclass(here, BaseModel) else []


def _first_problem(problem: ValidationError, data: dict[str, Any], path: Path) -> ConfigProblem:
    from difflib import get_close_matches

    errors = problem.errors(include_url=False, include_input=False)
    # A mistyped key is unknown and the one it was meant for may be missing: the first says more.
    first = next((error for error in errors if error["type"] == "extra_forbidden"), errors[0])
    location = [str(part) for part in first["loc"]]
    seen: Any = data
    for part in first["loc"]:
        try:
            seen = seen[part]
        except (KeyError, TypeError, IndexError):
            seen = None
            break
    what = "unknown key" if first["type"] == "extra_forbidden" else "the value does not fit"
    if first["type"] == "missing":
        what = "a key is missing"
    more = f" ({len(errors) - 1} more like it)" if len(errors) > 1 else ""
    why, remedy = first["msg"].removeprefix("Value error, "), "see the commented study that `judgekit init DIR` writes"
    if first["type"] == "extra_forbidden" and (keys := _keys_at(first["loc"][:-1])):
        why = f"the keys here are {', '.join(keys)}"
        if near := get_close_matches(location[-1], keys, n=1):
            remedy = f"did you mean {near[0]}?"
    secretive = any("key" in part.lower() and part != "api_key_env" for part in location)
    return ConfigProblem(
        what + more,
        path=path,
        field=".".join(location) or None,
        seen=None if secretive or isinstance(seen, (dict, list)) else seen,
        why=why,
        remedy=remedy,
    )
