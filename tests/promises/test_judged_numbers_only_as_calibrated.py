"""Promise 4: a judged number is reported only as `Calibrated`; where it is calibrated, it is there.

The ways to see a refused one, and what they meet, are in `test_twenty_five_ways.py`.
"""

import json

import pytest
import regex

from judgekit.errors import JudgekitError, NotTheMaker, RefusedMetric


@pytest.fixture(scope="module")
def run(calibrated_study):
    """The latest run folder of the calibrated study."""
    from judgekit.files.folders import latest_run

    return latest_run(calibrated_study.base / "runs", "small")


@pytest.fixture(scope="module")
def gap(calibrated_study, kit):
    """Its judged gap by the rule that the stub judge follows: every name has as many replies in every template."""
    scores = {"women": [], "men": []}
    for row in calibrated_study.rows:
        scores[row["group"]].append(1 + kit.warm_level(row["text"]))
    return sum(scores["women"]) / len(scores["women"]) - sum(scores["men"]) / len(scores["men"])


def test_the_gap_is_shown_when_the_judge_is_calibrated(run, gap):
    """Where the judge is calibrated the number is in every file that may have it, so its absence elsewhere means something."""
    (found,) = [c for c in json.loads((run / "gaps.json").read_text())["contrasts"] if c["metric"] == "warmth"]
    assert found["estimates"]["raw"] == pytest.approx(gap)
    for name in ("report.md", "report.html"):
        assert f"{abs(gap):.2f}" in (run / name).read_text(encoding="utf-8")


def test_the_plots_of_a_calibrated_judge_are_drawn(run):
    """The titles that a refused metric's page lacks stand here, and agreement with the judge is shown by group."""
    page = (run / "report.html").read_text(encoding="utf-8")
    for title in ("warmth: gap in each template", "warmth: mean under each name", "warmth: stub"):
        assert title in page
    by_group = regex.compile(r"(?s)<tr>(?:(?!</tr>).)*stub(?:(?!</tr>).)*<td[^>]*>\s*women|on texts of women")
    assert len(by_group.findall(page)) >= 2


def test_a_table_that_anyone_made_is_never_vouched_for(tmp_path, kit):
    """Numbers that came from elsewhere are compared, and every output says that nobody vouches for them."""
    table = tmp_path / "t.csv"
    rows = [f"t{t},{g},{g}{n},{(t * 7 + n * 3 + (g == 'x')) % 5}" for t in range(8) for g in "xy" for n in range(4)]
    table.write_text("template_id,group,name,kindness\n" + "\n".join(rows), encoding="utf-8")
    said = kit.command("gap", table, "--metric", "kindness", "--json")
    assert said.json["source"] == "as supplied, not vouched for"
    assert "not vouched for" in kit.command("gap", table, "--metric", "kindness").out


def test_every_refusal_ends_with_exit_code_5():
    """Errors that withhold a judged number share the exit code of refusals."""
    assert issubclass(NotTheMaker, RefusedMetric)
    assert issubclass(RefusedMetric, JudgekitError)
    assert RefusedMetric.exit_code == NotTheMaker.exit_code == 5
