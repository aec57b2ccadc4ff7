"""``judgekit power``: plans from options, tables and studies; simulated validity; the output-change test."""

from __future__ import annotations

import random

import pytest

SIZES = ("--templates", "14", "--names", "6", "--replicates", "3", "--template-gap-sd", "0.3", "--name-sd", "0.1")


@pytest.fixture
def table(tmp_path):
    """Scores of 8 templates, 4 names a group, 2 replies each."""
    draw, path = random.Random(1), tmp_path / "scores.csv"
    rows = [
        f"t{t},{g},{g}{n},{draw.gauss(t, 1):.4f}" for t in range(8) for g in "xy" for n in range(4) for _ in range(2)
    ]
    path.write_text("template_id,group,name,tone\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_a_plan_from_options(kit):
    """Interval, smallest gap, power and templates agree with the functions behind them."""
    from judgekit.statistics.power import Design, Noise, power_of_design, templates_for_power

    found = kit.command("power", *SIZES, "--gap", "0.25", "--json").json
    plan, noise = Design(templates=14, names_a=6, names_b=6, replicates=3), Noise(template_gap=0.3, name=0.1)
    assert found["power"] == pytest.approx(power_of_design(plan, noise, 0.25).power)
    assert found["templates_for_power"] == templates_for_power(plan, noise, 0.25) == 55
    assert found["by_templates"][0]["minimum_detectable_gap"] == pytest.approx(found["minimum_detectable_gap"])
    said = kit.command("power", *SIZES, "--gap", "0.25")
    assert "55 templates" in said.out
    assert max(map(len, said.out.splitlines()[-6:])) <= 60


def test_more_names_are_needed(kit):
    """Where names are the limit no number of templates is given."""
    found = kit.command("power", *SIZES[:-1], "0.5", "--gap", "0.25", "--json").json
    assert found["templates_for_power"] is None
    assert "more names" in found["undefined"]["templates_for_power"]


def test_a_plan_from_a_table(kit, table):
    """Design and noise come from the data; options win over them."""
    found = kit.command("power", table, "--metric", "tone", "--json").json
    assert (found["design"]["templates"], found["design"]["names_a"], found["design"]["replicates"]) == (8, 4, 2)
    assert found["noise"]["residual"] == pytest.approx(1.0, abs=0.25)
    assert found["source"] == "as supplied"
    more = kit.command("power", table, "--metric", "tone", "--templates", "80", "--residual-sd", "2", "--json").json
    assert (more["design"]["templates"], more["noise"]["residual"]) == (80, 2.0)


def test_simulated_validity(kit, table):
    """Each method at no gap and at the planted one, beside its Monte-Carlo error; the same seed, the same digits."""
    args = ("power", "--validate", table, "--metric", "tone", "--gap", "0.5", "--runs", "60", "--seed", "3", "--json")
    found = kit.command(*args)
    assert found.json == kit.command(*args).json
    assert [(m["method"], m["gap"]) for m in found.json["methods"]][:4] == [
        ("two-way t", 0.0),
        ("sign-flip over templates", 0.0),
        ("t over pairs", 0.0),
        ("two-way t", 0.5),
    ]
    assert found.json["broken"] == []
    assert found.code == 0


def test_a_broken_promise_is_a_finding(kit, monkeypatch):
    """When the simulation contradicts what is claimed of the default, the exit code is 1 and the reason is told."""
    monkeypatch.setattr("judgekit.cli.power.LEAST_COVERAGE", 1.1)
    said = kit.command("power", "--validate", *SIZES, "--runs", "30")
    assert said.code == 1
    assert "does not keep its promise" in said.err


def test_a_study_s_own_design(kit, calibrated_study):
    """Counted metrics need no run; judged ones are planned with calibrated scores, and the margin is the gap to find."""
    found = kit.command("power", calibrated_study.base, "--metric", "words", "--json").json
    assert (found["design"]["templates"], found["gap"]) == (8, 9.0)
    judged = kit.command("power", calibrated_study.base, "--metric", "warmth", "--json").json
    assert "calibrated" in judged["source"]


def test_a_refused_judge_lends_no_noise(kit, refused_study):
    """Of refused scores not even the spread by group is told: people's own take their place."""
    found = kit.command("power", refused_study.base, "--metric", "warmth", "--json").json
    assert "people's own scores" in found["source"]


def test_output_change(kit, tmp_path):
    """At no targeted effect the share of rejections is near the level; logits may come from a file."""
    found = kit.command("power", "--divergence", "--runs", "400", "--sigma-pert", "0,2", "--json").json
    null, large = (row["power"] for row in found["power"])
    assert null == pytest.approx(0.05, abs=0.04)
    assert large > 0.95
    path = tmp_path / "logits.txt"
    path.write_text("0.5\n-1\n\n2\n", encoding="utf-8")
    assert kit.command("power", "--divergence", path, "--runs", "20", "--json").json["prompts"] == 3
    path.write_text("logit\n0.5\n", encoding="utf-8")
    said = kit.command("power", "--divergence", path)
    assert (said.code, f"{path}:1" in said.err) == (2, True)


@pytest.mark.parametrize(
    "args",
    [
        (),
        ("--templates", "14", "--names", "6"),
        ("--templates", "14", "--names", "six", "--name-sd", "0", "--template-gap-sd", "1"),
        (*SIZES, "--power", "1.5"),
        (*SIZES, "--alpha", "0"),
        ("--divergence", "--sigma-pert", "a"),
        ("nowhere.csv", "--metric", "tone"),
        (*SIZES, "--runs", "30"),
        (*SIZES, "--seed", "3"),
    ],
)
def test_impossible_plans_are_bad_usage(kit, args):
    """Nothing to plan with, or numbers out of range: exit 2 and nothing on standard output."""
    said = kit.command("power", *args)
    assert (said.code, said.out) == (2, "")
