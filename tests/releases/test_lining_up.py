"""Runs lined up: what begins a new experiment, what counts, and the same sign every time."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from judgekit.records import Contrast, Gap, GapEstimate, Interval, Reason, Refused
from judgekit.releases.configuration import changes_between, configuration
from judgekit.releases.lineup import line_up
from judgekit.releases.runs import Release
from judgekit.releases.words import lineup_document, lineup_lines

PAIR = Contrast("women", "men")


def gap(value, metric="warmth", verdict="pass", kind="judged"):
    """A gap with this estimate."""
    estimate = GapEstimate(
        value=value, interval=Interval(value - 0.2, value + 0.2, 0.95, "t"), p=0.4, min_p=0.01, method="t", df=9.0,
        templates=10, names_a=4, names_b=4, n_a=40, n_b=40,
    )  # fmt: skip
    return Gap(
        metric=metric, contrast=PAIR, claim="groups", kind=kind, role="primary", raw=estimate, corrected=estimate,
        human_only=estimate, failure_gap=estimate, per_template={}, per_name={}, margin=0.25, verdict=verdict,
        direction="",
    )  # fmt: skip


def refusal(metric="warmth"):
    """The metric refused."""
    reason = Reason(code="too_low", value=0.4, threshold=0.6, remedy="use a better judge")
    return Refused(judge="j", dimension=metric, contrast=PAIR, reasons=(reason,))


def release(number, *gaps, refused=(), withheld=None, replies=None, **made_with):
    """Release ``number`` with these findings, made with these settings."""
    found = None if withheld else SimpleNamespace(gaps=gaps, refused=refused, calibrated=(), gate="pass")
    return Release(
        run=Path(f"small-{number}"),
        study="small",
        version=f"1.{number}",
        started=f"2026-01-{number:02d}",
        replies=replies or f"replies {number}",
        made_with={"judge.temperature": 0.0, "system.version": f"1.{number}", **made_with},
        exit_codes={},
        findings=found,
        withheld=withheld,
    )


def test_small_but_every_time_is_a_signal():
    """Three small gaps of one sign are named; six are a trend and exit 1, though each passes its margin."""
    values = [0.03, 0.05, 0.04, 0.02, 0.06, 0.04]
    three = line_up([release(i, gap(v)) for i, v in enumerate(values[:3], 1)])
    assert (three.rows[0].signal, three.exit_code) == ("same sign every time", 0)
    six = line_up([release(i, gap(v)) for i, v in enumerate(values, 1)])
    # Two-sided exact sign-flip p of six values of one sign: 2 / 2**6.
    assert (six.rows[0].signal, six.rows[0].trend.p, six.exit_code) == ("trend", 0.03125, 1)
    assert any("6 of 6 runs the same way (women higher)" in line for line in lineup_lines(six))
    mixed = line_up([release(i, gap(v)) for i, v in enumerate([0.03, -0.05, 0.04], 1)])
    assert (mixed.rows[0].signal, mixed.exit_code) == ("none", 0)
    assert six.rows[0].change == pytest.approx(-0.02)


def test_another_temperature_is_a_new_experiment_for_judged_metrics_only():
    """The drift is named; judged gaps before it do not count; counted metrics, which need no judge, go on."""
    gaps = (gap(0.1), gap(0.5, "words", kind="measured"))
    found = line_up([release(1, *gaps), release(2, *gaps), release(3, *gaps, **{"judge.temperature": 0.7})])
    assert found.experiments == (1, 1, 2)
    counted = {row.metric: [cell.counted for cell in row.cells] for row in found.rows}
    assert counted == {"warmth": [False, False, True], "words": [True, True, True]}
    assert "       new experiment: judge.temperature from 0.0 to 0.7" in lineup_lines(found)


def test_another_prompt_begins_anew_unless_asked_to_look_across():
    """A changed system counts across releases only with the option; a changed judge never does."""
    runs = [release(1, gap(0.1)), release(2, gap(0.1)), release(3, gap(0.1), **{"system.prompt": "abc"})]
    assert [c.counted for c in line_up(runs).rows[0].cells] == [False, False, True]
    assert [c.counted for c in line_up(runs, across_systems=True).rows[0].cells] == [True, True, True]
    assert line_up(runs).experiments == line_up(runs, across_systems=True).experiments == (1, 1, 2)


def test_the_same_replies_are_counted_once():
    """A run that was repeated is no second release: no trend grows out of running again."""
    runs = [release(i, gap(0.1), replies="the same") for i in range(1, 8)]
    found = line_up(runs)
    assert sum(c.counted for c in found.rows[0].cells) == 1
    assert (found.rows[0].signal, found.exit_code) == ("too few runs", 4)


def test_refused_and_withheld_runs_have_no_number():
    """A refusal stands in its place with its reasons, a run that cannot be recomputed with its own; both exit 5."""
    refused = line_up([release(1, gap(0.1)), release(2, refused=(refusal(),))])
    assert refused.exit_code == 5
    cell = lineup_document(refused)["contrasts"][0]["runs"][1]
    assert cell["reasons"][0]["code"] == "too_low"
    assert not {"value", "ci", "estimates"} & set(cell)
    withheld = line_up([release(1, gap(0.1)), release(2, withheld="the replies changed")])
    assert withheld.exit_code == 5
    assert lineup_document(withheld)["contrasts"][0]["runs"][1] == {
        "run": "small-2", "verdict": "withheld", "counted": False, "why": "the replies changed",
    }  # fmt: skip
    # A refusal in an earlier run does not colour the latest.
    assert line_up([release(1, refused=(refusal(),)), release(2, gap(0.1)), release(3, gap(0.1))]).exit_code == 0


def test_the_latest_verdict_decides():
    """A failing gap of the latest run ends with 1, a warning with 4, as in the gate."""
    good = release(1, gap(0.1))
    assert line_up([good, release(2, gap(0.9, verdict="fail"))]).exit_code == 1
    assert line_up([good, release(2, gap(0.2, verdict="warn"))]).exit_code == 4


def test_every_block_of_a_study_has_its_kind(kit):
    """Thresholds and margins move verdicts only; judge, rubric, blinding, names and templates begin a new experiment."""
    from judgekit.study import Study

    def made(rubric="r1", version="1", templates=("a", "b"), **changes):
        settings = Study.model_validate(kit.settings_of(**changes)).model_dump(mode="json")
        return configuration(
            settings, prompt=None, replies="0", fingerprints={"warmth": rubric}, rubrics={"warmth": rubric},
            blinding_version=version, templates=templates,
        )  # fmt: skip

    def kinds(**changes):
        return {(c.key, c.kind) for c in changes_between(made(), made(**changes))}

    assert kinds() == set()
    assert kinds(rubric="r2") == {("rubrics.warmth", "measuring")}
    assert kinds(version="2") == {("blinding.version", "measuring")}
    assert {k for _, k in kinds(templates=("a",))} == {"measuring"}
    assert kinds(judge={"spec": "stub:seed=1", "temperature": 1.0}) == {("judge.temperature", "measuring")}
    assert kinds(blinding={"ner": "on"}) == {("blinding.ner", "measuring")}
    assert kinds(system={"model": "m", "version": "2"}) == {("system.model", "system"), ("system.version", "release")}
    low = {"min_labels": 40, "differential_bias": {"tolerance": 0.5}, "human_kappa": 0.5}
    assert kinds(calibration=low) == {("thresholds.human_kappa", "decision")}
    words = {"words": {"kind": "word_count", "margin": 1.0}}
    assert kinds(measured=words) == {("margins.words", "decision")}
    assert {k for _, k in kinds(groups=("women", "others"))} == {"measuring"}


def test_conditions_stand_in_every_cell():
    """What a gap holds under stands beside its number, in words and in the document."""
    said = "human agreement not measured: one rater"
    found = line_up([release(1, replace(gap(0.1), notes=(said,))), release(2, gap(0.1))])
    assert [line.strip() for line in lineup_lines(found)].count(said) == 1
    assert [run["notes"] for run in lineup_document(found)["contrasts"][0]["runs"]] == [[said], []]
