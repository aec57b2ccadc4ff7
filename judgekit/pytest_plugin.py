"""A pytest plugin: a test fails when a judge is no longer calibrated, or when a gap leaves its margin.

Installed with judgekit, and idle until it is used. Two ways to use it::

    @pytest.mark.judgekit(study="evaluation/study.yaml", metric="warmth", contrast=("women", "men"))
    def test_warmth(): ...

    def test_words(judgekit_study):
        gap = judgekit_study("evaluation/study.yaml").gap("words", ("women", "men"))
        assert gap.verdict == "pass"

Everything is computed again from the study's ledger, labels and seals; the judge is never asked. What is not calibrated has
no number: the fixture refuses it as the command line does. Nothing is skipped: a study that is missing, was not run, or has
no such metric fails the test.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from judgekit.builds.cases import Case
    from judgekit.findings import Findings
    from judgekit.records import Gap
    from judgekit.study import Study

__all__ = ["StudyResult", "judgekit_study"]

_STORE: pytest.StashKey[dict[Path, StudyResult]] = pytest.StashKey()
_PROPERTY = "judgekit"
_KEYS = {"study", "metric", "contrast"}


@dataclass(frozen=True, slots=True)
class StudyResult:
    """A study as it stands now: its settings and what its ledger, labels and seals support."""

    study: Study
    findings: Findings

    def cases(self, metric: str | None = None, contrast: Sequence[str] | None = None) -> tuple[Case, ...]:
        """Verdicts by metric and contrast, as the gate of a build sees them.

        Parameters
        ----------
        metric : str, optional
            Only this one.
        contrast : pair of str, optional
            Only this one, first group minus second.

        Returns
        -------
        tuple of Case
            Never empty.

        Raises
        ------
        UsageProblem
            The study has no such metric or contrast.
        """
        from judgekit.builds.cases import cases_of
        from judgekit.errors import UsageProblem

        codes: Mapping[str, int] = {str(k): v for k, v in self.study.gate.exit_codes.items()}
        everything = cases_of(self.findings, codes)
        pair = None if contrast is None else tuple(contrast)
        found = tuple(
            case
            for case in everything
            if metric in {None, case.metric}
            and (pair is None or (case.contrast is not None and (case.contrast.a, case.contrast.b) == pair))
        )
        if not found:
            raise UsageProblem(
                "the study has no such metric or contrast",
                path=self.study.file,
                seen=f"metric={metric!r}, contrast={contrast!r}",
                why="it has " + ("; ".join(case.name for case in everything) or "none"),
                remedy="name one of them, first group first",
            )
        return found

    def gap(self, metric: str, contrast: Sequence[str]) -> Gap:
        """The gap of a metric, first group minus second.

        Parameters
        ----------
        metric : str
        contrast : pair of str

        Returns
        -------
        Gap

        Raises
        ------
        RefusedMetric
            The metric is judged and not calibrated.
        UsageProblem
            The study has no such metric or contrast.
        """
        from judgekit.errors import RefusedMetric

        case = self.cases(metric, contrast)[0]
        if case.verdict == "refused":
            raise RefusedMetric(f"{case.name} is refused", path=self.study.file, why=case.why[0])
        return next(g for g in self.findings.gaps if (g.metric, g.contrast) == (case.metric, case.contrast))

    def problems(self, metric: str | None = None, contrast: Sequence[str] | None = None) -> list[str]:
        """What a marked test fails for; parameters and errors as `cases`.

        Returns
        -------
        list of str
            One for each verdict whose exit code in `judgekit gate` is not 0 (the study's ``gate.exit_codes`` hold); and
            where a metric is named, or all of them are asked for, that nothing has a margin: such a test could not fail.
        """
        found = self.cases(metric, contrast)
        told = [
            "\n".join([f"{case.name}: {case.message}", *(f"  {why}" for why in case.why[case.verdict == "refused" :])])
            for case in found
            if case.code
        ]
        if not told and all(case.verdict == "no margin" for case in found):
            named = ", ".join(case.name for case in found)
            told.append(f"{named}: no margin was decided, so that this test could not fail; set one in the study")
        return told


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare where the study of a marker without ``study=`` stands."""
    parser.addini("judgekit_study", "Study of markers that name none, relative to the root folder.", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker, so that ``--strict-markers`` knows it."""
    config.addinivalue_line(
        "markers",
        "judgekit(study, metric=None, contrast=None): fail when the judge is no longer calibrated or a gap leaves its "
        "margin; study is a file, folder or run, relative to the root folder.",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Hold the study of every marker against its margins before the test's own body runs."""
    problems = [problem for marker in item.iter_markers("judgekit") for problem in _problems(item, marker)]
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say below the results on what the verdicts hold, of tests that passed too."""
    told = dict.fromkeys(
        str(value)
        for reports in terminalreporter.stats.values()
        for report in reports
        for key, value in getattr(report, "user_properties", ())
        if key == _PROPERTY
    )
    if told:
        terminalreporter.section("judgekit: what the verdicts hold under")
        for line in told:
            terminalreporter.write_line(line)


def _note(item: pytest.Item, found: Sequence[Case]) -> None:
    """Keep the conditions with the test's report: they also reach pytest's own JUnit file and the workers' main process."""
    told = (f"{case.name}: {condition}" for case in found for condition in case.conditions)
    item.user_properties += [(_PROPERTY, line) for line in told if (_PROPERTY, line) not in item.user_properties]


def _problems(item: pytest.Item, marker: pytest.Mark) -> list[str]:
    from judgekit.errors import JudgekitError

    options: dict[str, Any] = dict(marker.kwargs)
    if odd := sorted(set(options) - _KEYS):
        return [f"judgekit: the marker does not know {', '.join(odd)}; it takes study, metric and contrast"]
    if marker.args:
        return ["judgekit: the marker takes its options by name: study=..., metric=..., contrast=(..., ...)"]
    place = options.pop("study", None) or item.config.getini("judgekit_study")
    if not place:
        return ["judgekit: the marker names no study; give study=... or set judgekit_study in pytest's settings"]
    try:
        result = _load(item.config, place)
        _note(item, result.cases(**options))
        return result.problems(**options)
    except JudgekitError as problem:
        return [f"judgekit: {problem}"]


def _load(config: pytest.Config, place: str | Path) -> StudyResult:
    """A study's result, computed once in a test session."""
    from judgekit.pipeline import assess_study
    from judgekit.workspace import study_of

    path = (config.rootpath / place).resolve()
    known = config.stash.setdefault(_STORE, {})
    if path not in known:
        study = study_of(path)
        known[path] = StudyResult(study, assess_study(study))
    return known[path]


@pytest.fixture
def judgekit_study(request: pytest.FixtureRequest) -> Any:
    """A function that gives a `StudyResult` for a study file, its folder or one of its runs, relative to the root folder.

    Without an argument it takes the ``judgekit_study`` of pytest's settings.
    """
    from judgekit.errors import UsageProblem

    def load(place: str | Path | None = None) -> StudyResult:
        chosen = place or request.config.getini("judgekit_study")
        if not chosen:
            raise UsageProblem(
                "no study is named", remedy="judgekit_study(PATH), or set judgekit_study in pytest's settings"
            )
        result = _load(request.config, chosen)
        _note(request.node, result.cases() if result.findings.gaps or result.findings.calibrated else ())
        return result

    return load
