"""Every way in which the path ends in a refusal, and what it says would change it."""

import json

import pytest

from judgekit.records import Undefined


def codes(findings, dimension="warmth"):
    """Codes of the reasons by dimension."""
    return {reason.code for r in findings.refused if r.dimension == dimension for reason in r.reasons}


def reason(findings, code):
    """The first reason with this code."""
    return next(x for r in findings.refused for x in r.reasons if x.code == code)


def shifted(women):
    """People who give women's replies ``women`` points more than the truth, without other errors."""

    def say(text, annotator, dimension, levels, group):
        words = set("".join(c if c.isalpha() else " " for c in text.casefold()).split())
        place = len(words & {"thanks", "sorry", "glad", "hope"}) + (women if group == "women" else 0)
        return levels[min(max(place, 0), len(levels) - 1)]

    return say


@pytest.fixture(scope="module")
def ran_once(tmp_path_factory, kit):
    """The plain study after its first run, labelled by nobody. Read only: `ran` may be changed."""
    small = kit.Small(tmp_path_factory.mktemp("ran") / "small", kit.reply_rows(), kit.settings_of()).write()
    small.run()
    return small


@pytest.fixture
def ran(ran_once, tmp_path):
    """A copy of it that may be labelled and run again."""
    return ran_once.copy(tmp_path / "small")


def test_without_labels_the_run_stops_usefully(make_study):
    """No labels: measured gaps are there, the sample is written, and each rater's command is printed."""
    small = make_study()
    f = small.run().findings
    assert codes(f) >= {"too_few", "too_few_raters"}
    assert [g.metric for g in f.gaps] == ["words"]
    assert small.space.sample.is_file()
    assert f.next_steps[0] == "people label: judgekit label labels/small.sample.jsonl --as ana"
    assert f.next_steps[1].endswith("--as karim")
    assert f.gate == "refused"


def test_the_sample_tells_raters_nothing_of_the_design(ran):
    """No id, group, name, template or score of the study stands in the file that raters open."""
    small = ran
    text = small.space.sample.read_text(encoding="utf-8")
    for row in small.rows:
        for secret in (row["id"], row["template_id"], row["name"], row["name"].split()[0]):
            assert secret not in text
    assert "women" not in text
    assert small.space.labels.stat().st_mode & 0o077 == 0
    assert small.space.sample.stat().st_mode & 0o077 == 0


def test_do_not_label_yet_when_the_judge_reacts(make_study):
    """A failed swap test with ``refuse``: no sample is written, and the first step says not to label."""
    small = make_study(judge={"spec": "stub:name=Anna:-2+Maria:-2+Priya:-2+Lena:-2"})
    outcome = small.run()
    f = outcome.findings
    assert f.swap[0].verdict == "failed"
    assert "reacts" in codes(f)
    assert f.next_steps[0].startswith("do not label yet")
    assert not small.space.sample.exists()
    assert "do not label yet" in (outcome.run_dir / "report.md").read_text(encoding="utf-8")


def test_a_judge_that_reacts_may_be_used_on_blinded_text_when_so_decided(make_study):
    """``require_blinding``: calibrated, with the failed swap test printed as a condition."""
    small = make_study(judge={"spec": "stub:name=Anna:-2+Maria:-2+Priya:-2+Lena:-2"})
    small.change("swap_test.when_failed", "require_blinding")
    outcome = small.calibrated()
    f = outcome.findings
    assert f.swap[0].verdict == "failed"
    assert any("swap test failed" in c for c in f.calibrated[0].conditions)
    assert "swap test failed" in (outcome.run_dir / "report.md").read_text(encoding="utf-8")


def test_a_constant_judge_is_refused_as_uninformative(make_study, planted):
    """A judge that always says 3 has neither a kappa nor a swap verdict: refused, never 0 or 1."""
    small = make_study(judge={"spec": planted("constant")})
    f = small.calibrated().findings
    assert f.swap[0].verdict == "uninformative"
    assert "uninformative" in codes(f)
    assert not [g for g in f.gaps if g.kind == "judged"]


def test_a_judge_that_scores_nothing_is_refused(make_study, planted):
    """All scores missing: counted by kind in every group, refused, and human-only gaps are still there."""
    small = make_study(judge={"spec": planted("silent")})
    f = small.calibrated().findings
    assert "too_few" in codes(f)
    for counts in f.judging.counts["warmth"].values():
        assert counts["scored"] == 0
        assert counts["in"] == sum(n for kind, n in counts.items() if kind != "in")
    assert [h.dimension for h in f.human_gaps] == ["warmth"]


def test_off_scale_answers_of_a_judge_are_not_clamped(make_study, planted):
    """A judge that says 9 on a 1-5 scale has no score at all."""
    f = make_study(judge={"spec": planted("off_scale")}).run().findings
    for counts in f.judging.counts["warmth"].values():
        assert counts["scored"] == 0
        assert sum(n for kind, n in counts.items() if kind not in {"in", "scored"}) == counts["in"]


def test_the_human_only_gap_is_there_when_the_judge_is_refused(refused_study):
    """People's own gap needs no judge: with estimate and interval in gaps.json and on the page."""
    outcome = refused_study.run()
    assert codes(outcome.findings) >= {"too_low"}
    human = json.loads((outcome.run_dir / "gaps.json").read_text())["human_only"]
    assert human[0]["metric"] == "warmth"
    assert isinstance(human[0]["estimate"]["value"], float)
    assert "People's own scores" in (outcome.run_dir / "report.md").read_text(encoding="utf-8")


def test_people_who_disagree_put_the_rubric_at_fault(ran, kit):
    """Two raters at odds: ``human_disagreement`` with the kappa met and the one needed."""

    def at_odds(text, annotator, dimension, levels, group):
        return kit.truthful(text, annotator, dimension, levels, group) if annotator == "ana" else 3

    small = ran
    small.label("ana", "karim", score=at_odds)
    f = small.run().findings
    assert "human_disagreement" in codes(f)
    assert reason(f, "human_disagreement").threshold == 0.6


def test_one_rater_is_not_enough_by_default(ran):
    """``min_raters`` is 2: one rater's labels refuse, and the remedy says what to do."""
    small = ran
    small.label("ana")
    f = small.run().findings
    assert "too_few_raters" in codes(f)
    assert reason(f, "too_few_raters").value == 1
    assert "label" in reason(f, "too_few_raters").remedy


def test_too_few_labels_say_how_many_more(ran):
    """20 of 40 labelled texts: ``too_few`` with exactly 20 more, and the command that adds them."""
    small = ran
    small.label("ana", "karim", only=20)
    f = small.run().findings
    found = reason(f, "too_few")
    assert (found.value, found.threshold, found.more_labels) == (20, 40, 20)
    assert "once the sample is labelled, add texts to it: judgekit sample . --add 20" in f.next_steps


def test_a_bound_under_the_threshold_says_how_many_more_labels_decide(calibrated_study, make_study):
    """Kappa above, bound below: ``too_few`` with the number that shrinks the bound to the threshold."""
    evidence = calibrated_study.run().findings.calibrated[0].evidence
    small = make_study(rows=calibrated_study.rows)
    threshold = round((evidence["kappa"] + evidence["kappa_lower"]) / 2, 4)
    small.change("calibration.threshold", {"kind": "absolute", "kappa": threshold})
    found = reason(small.calibrated().findings, "too_few")
    assert found.value == pytest.approx(evidence["kappa_lower"])
    # Half the distance needs about four times the labels: 64 x 3 more.
    assert found.more_labels == pytest.approx(192, abs=2)
    assert f"about {found.more_labels} more labels decide if kappa stays {evidence['kappa']:.2f}" in found.remedy


def test_a_judge_without_any_error_is_not_refused_as_biased(ran):
    """People who agree with the judge on every text: no spread of errors is no bias."""
    small = ran
    small.label("ana", "karim", score=shifted(0))
    f = small.run().findings
    assert "too_biased" not in codes(f)


def test_a_biased_judge_is_refused_without_the_bias_as_a_number(make_study):
    """A judge that is a point harder on one group: ``too_biased``, and the value is a verdict in words."""
    small = make_study()
    small.change("calibration.per_group.kappa", 0.4)
    small.run()
    small.label("ana", "karim", score=shifted(1))
    f = small.run().findings
    found = reason(f, "too_biased")
    assert found.value == "outside the tolerance"
    assert not [g for g in f.gaps if g.kind == "judged"]


@pytest.fixture(scope="module")
def straddling(calibrated_study, tmp_path_factory):
    """The calibrated study with a tolerance that the bias interval straddles, decided before the labels."""
    small = type(calibrated_study)(
        tmp_path_factory.mktemp("straddling") / "s",
        list(calibrated_study.rows),
        json.loads(json.dumps(calibrated_study.settings)),
    )
    small.write()
    small.change("calibration.differential_bias.tolerance", 0.02)
    return small.calibrated()


def test_straddling_bias_publishes_the_corrected_gap_only(straddling):
    """Raw, per-template and per-name values are absent everywhere; corrected and human-only stand."""
    f = straddling.findings
    warmth = next(g for g in f.gaps if g.metric == "warmth")
    assert f.calibrated[0].publish_raw is False
    assert warmth.raw is None
    assert warmth.per_template == {}
    assert warmth.per_name == {}
    assert not isinstance(warmth.corrected.value, Undefined)
    assert any("only the corrected gap" in c for c in f.calibrated[0].conditions)


def test_straddling_bias_leaves_no_raw_number_in_any_file(straddling):
    """The raw gap of the stub, known here, is in no JSON and not on the page."""
    gaps = json.loads((straddling.run_dir / "gaps.json").read_text())
    warmth = next(c for c in gaps["contrasts"] if c["metric"] == "warmth")
    assert warmth["estimates"]["raw"] is None
    assert warmth["details"]["raw"] is None
    assert warmth["per_template"] == {}
    assert warmth["per_name"] == {}
    row = next(
        line for line in (straddling.run_dir / "report.md").read_text().splitlines() if line.startswith("| warmth")
    )
    assert "| not shown |" in row


def test_inside_the_tolerance_the_raw_gap_is_published_too(calibrated_study):
    """The same labels with a wide tolerance: raw, per template and per name."""
    gap = next(g for g in calibrated_study.run().findings.gaps if g.metric == "warmth")
    assert gap.raw is not None
    assert len(gap.per_template) == 8
    assert {group: len(names) for group, names in gap.per_name.items()} == {"women": 4, "men": 4}


def test_failures_that_depend_on_the_group_refuse(make_study, planted, kit):
    """A judge that fails on one group's replies more often: the failure gap is the reason, and is reported."""
    rows = kit.reply_rows(colder={"women": 3})
    small = make_study(rows=rows, judge={"spec": planted("shy_of_short_texts")})
    f = small.calibrated().findings
    found = reason(f, "failure_gap")
    assert found.value > 0.05
    assert found.threshold == 0.05


def test_withheld_replies_refuse_when_there_are_too_many(make_study, kit):
    """Replies whose cue the blinder cannot remove are withheld, counted by group, and refuse the judged metric."""
    rows = kit.reply_rows()
    for row in rows[:40]:
        if row["group"] == "women":
            row["text"] += (
                " \u0416\u0434\u0435\u043c \u0432\u0430\u0441 \u0441\u043d\u043e\u0432\u0430 \u0432 \u043d\u0430\u0448\u0435\u043c \u043c\u0430\u0433\u0430\u0437\u0438\u043d\u0435."
            )
    f = make_study(rows=rows).run().findings
    withheld = f.blinding.by_group["women"]["withheld"]
    assert withheld >= 20
    assert f.blinding.by_group["men"]["withheld"] == 0
    assert codes(f) >= {"withheld_share", "withheld_gap"}
    counts = f.judging.counts["warmth"]["women"]
    assert counts["withheld"] == withheld
    assert counts["in"] == 64 == counts["scored"] + withheld


def test_another_rubric_after_the_labels_refuses(make_study):
    """Labels carry the rubric's hash: an edited rubric finds no labels, and says why."""
    from judgekit.data import bundled

    small = make_study()
    own = small.base / "warmth.yaml"
    own.write_text(bundled("rubrics/warmth.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    small.change("rubrics.warmth.rubric", "warmth.yaml")
    small.run()
    small.label("ana", "karim", rubrics=("warmth.yaml",))
    own.write_text(own.read_text(encoding="utf-8").replace('version: "1"', 'version: "2"'), encoding="utf-8")
    f = small.run().findings
    assert "rubric_changed" in codes(f)
    assert not f.calibrated


def test_edited_replies_do_not_meet_old_labels(calibrated_copy):
    """Labels carry the text's hash: those on replies that have changed are stale and do not count."""
    for row in calibrated_copy.rows:
        row["text"] += " Good bye."
    calibrated_copy.write()
    f = calibrated_copy.run().findings
    assert f.labels.stale == 128
    assert f.labels.texts == 0
    assert not f.calibrated
