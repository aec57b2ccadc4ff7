"""Logs: a difference between groups is reported as confounded, is never a group effect, and never passes the gate."""

from __future__ import annotations

import json

import pytest

from judgekit import stages
from judgekit.observed import CONFOUNDED
from judgekit.reporting.story import render_story
from judgekit.swap_stage import swap_texts

LOGS = {"replies": "replies.jsonl", "lang": "en", "design": "observational"}


def check_estimates(f):
    """Counted, judged and people's own: a number with an interval, its note beside it, and no verdict on a margin."""
    assert {g.metric for g in f.gaps} == {"warmth", "words"}
    for gap in f.gaps:
        assert (gap.claim, gap.verdict) == ("observed", "cannot tell")
        assert CONFOUNDED in gap.main.notes
        assert abs(gap.main.interval.high) < 90
        assert gap.direction.endswith("in these replies, confounded")
    assert f.human_gaps
    assert all(CONFOUNDED in g.estimate.notes and isinstance(g.estimate.value, float) for g in f.human_gaps)
    assert f.gate == "cannot tell"


def check_means(small, outcome):
    """Without templates the counted gap is the difference of the groups' means."""
    lines = (outcome.run_dir / "blinded.jsonl").read_text(encoding="utf-8").splitlines()
    words = {row["id"]: len(row["blinded"].split()) for row in map(json.loads, lines) if "blinded" in row}
    counts = {g: [words[r["id"]] for r in small.rows if r["group"] == g] for g in ("women", "men")}
    expected = sum(counts["women"]) / len(counts["women"]) - sum(counts["men"]) / len(counts["men"])
    gap = next(g for g in outcome.findings.gaps if g.metric == "words")
    assert gap.raw.value == pytest.approx(expected, abs=1e-9)
    assert gap.raw.templates == 0


def test_logs_are_reported_as_confounded_everywhere(make_study, kit):
    """Terminal, Markdown, page, JSON, `gap` and `gate`: confounded everywhere, a claim about groups nowhere, exit 4."""
    small = make_study(
        rows=kit.reply_rows(templates=5, without=("template_id",), colder={"women": 1}),
        data=LOGS,
        rubrics={"warmth": {"rubric": "warmth", "role": "primary", "margin": 90.0}},
        measured={"words": {"kind": "word_count", "margin": 900.0}},
        labels={"annotators": ["ana", "karim"], "n": 60, "repeats": 0.0},
    )
    outcome = small.calibrated()
    check_estimates(outcome.findings)
    check_means(small, outcome)
    assert "confounded" in render_story(outcome.findings)
    markdown = (outcome.run_dir / "report.md").read_text(encoding="utf-8").replace("\\", "")
    assert CONFOUNDED in markdown
    for page in (markdown, (outcome.run_dir / "report.html").read_text(encoding="utf-8")):
        assert "the claim is about the groups" not in page
    said = kit.command("gap", small.base, "--metric", "words", "--json")
    assert said.code == 4
    assert [(c["claim"], c["verdict"]) for c in said.json["contrasts"]] == [("observed", "cannot tell")]
    assert kit.command("gate", small.base).code == 4


@pytest.mark.parametrize(("people", "filled"), [("real", False), ("invented", True)])
def test_no_customer_is_put_into_the_reply_to_another(make_study, kit, people, filled):
    """Names met in replies to real people are never swapped: no text is filled, and note and remedy ask for invented names."""
    small = make_study(rows=kit.reply_rows(templates=2), data=LOGS, privacy={"people": people})
    for value in small.settings["groups"]["values"].values():
        value["names"] = []
    small.save()
    replies = stages.read_replies_of(small.study)
    swap = swap_texts(small.study, replies, stages.blind(replies, small.study))
    assert bool(swap.fills) is filled
    assert bool(swap.people) is filled
    if not filled:
        assert swap.note == "not run: a group has no invented names (groups.values.*.names)"
        refused = small.run().findings
        assert not refused.swap
        remedies = [r.remedy for m in refused.refused for r in m.reasons if r.code == "uninformative"]
        assert remedies
        assert all("invented names" in remedy for remedy in remedies)


@pytest.mark.parametrize("named", [True, False])
def test_the_notes_are_true_of_the_gap_that_is_shown(make_study, kit, named):
    """Every reply counts although none has a template, and whether those of one name count together is said everywhere."""
    lacking = ("template_id",) if named else ("template_id", "name")
    small = make_study(rows=kit.reply_rows(templates=4, without=lacking), data=LOGS)
    outcome = small.run()
    gap = next(g for g in outcome.findings.gaps if g.metric == "words")
    together = "no template: replies of the same name count together"
    alone = "no template: every reply is a unit of its own"
    right, wrong = (together, alone) if named else (alone, together)
    assert ("clustered" in gap.raw.method) is named
    assert gap.raw.n_a + gap.raw.n_b == len(small.rows)
    pages = [render_story(outcome.findings), kit.command("gate", small.base).out]
    pages += [(outcome.run_dir / name).read_text(encoding="utf-8") for name in ("report.md", "gaps.json")]
    for page in (*pages, str(gap.all_notes)):
        assert right in page
        for never in (wrong, "are left out", "over templates only"):
            assert never not in page


@pytest.mark.slow
def test_a_refused_metric_stays_withheld(make_study, kit):
    """Nobody labelled: the judged difference is in no output of a study of logs either."""
    small = make_study(rows=kit.reply_rows(templates=4, without=("template_id",)), data=LOGS)
    outcome = small.run()
    assert [g.metric for g in outcome.findings.gaps] == ["words"]
    assert outcome.findings.gate == "refused"
