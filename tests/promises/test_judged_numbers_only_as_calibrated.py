"""Promise 4: a judged number is reported only as `Calibrated`. Ways to see a refused one, and what they meet.

The refused study's judged gap and its group means are computed here from the planted rule, so that their absence can be
checked as numbers and not only as keys.
"""

import csv
import dataclasses
import io
import json
import logging
import shutil

import pytest
import regex

from judgekit.errors import JudgekitError, NotTheMaker, RefusedMetric
from judgekit.records import Calibrated, Contrast

NUMBER = regex.compile(r"[-+−]?\d+\.\d{3,}(?:[eE][-+]?\d+)?")


def true_numbers(small, kit):
    """The judged gap and the judged means of both groups, by the rule that the stub judge follows."""
    cells = {}
    for row in small.rows:
        score = 1 + kit.warm_level(row["text"])
        cells.setdefault(row["template_id"], {}).setdefault(row["group"], []).append(score)
    women = sum(sum(c["women"]) for c in cells.values()) / sum(len(c["women"]) for c in cells.values())
    men = sum(sum(c["men"]) for c in cells.values()) / sum(len(c["men"]) for c in cells.values())
    return {"gap": women - men, "women": women, "men": men}


def shown(text, numbers):
    """Which of the numbers stand in a text, to as many digits as the text gives (three or more)."""
    found = set()
    for token in NUMBER.findall(text):
        digits = len(token.split(".")[1].split("e")[0].split("E")[0])
        value = float(token.replace("−", "-"))
        for name, number in numbers.items():
            if abs(abs(value) - abs(number)) <= 0.5000001 * 10.0**-digits:
                found.add((name, token))
    return found


@pytest.fixture(scope="module")
def numbers(refused_study, kit):
    """The true judged numbers of the refused study: large, and unlike anything that may be shown."""
    found = true_numbers(refused_study, kit)
    assert found["gap"] < -0.4
    return found


def absent(numbers, *texts):
    """No judged number of the study stands in any of the texts."""
    for text in texts:
        assert not shown(text, numbers), text[:500]


def test_the_search_finds_a_number_that_is_there(numbers):
    """The detector itself works: the true gap in a text is found, rounded or not, with either minus sign."""
    assert shown(f"gap {numbers['gap']:.3f}", numbers)
    assert shown(json.dumps(numbers), numbers)
    assert shown(f"−{abs(numbers['gap']):.4f}", numbers)
    assert not shown("0.123 and 12", numbers)


def test_the_same_gap_is_shown_when_the_judge_is_calibrated(calibrated_study, kit):
    """Where the judge is calibrated the number is there, so its absence elsewhere means something."""
    outcome = calibrated_study.run()
    assert shown((outcome.run_dir / "gaps.json").read_text(), true_numbers(calibrated_study, kit))


FILES = (
    "report.md",
    "report.html",
    "report.json",
    "agreement.json",
    "gaps.json",
    "swap_test.json",
    "manifest.json",
    "judgments.jsonl",
)


@pytest.mark.parametrize("name", FILES)
def test_no_file_of_a_run_shows_it(refused_study, numbers, name):
    """Ways 1 to 7, and the page: the files of the run folder."""
    from judgekit.files.folders import latest_run

    run = latest_run(refused_study.base / "runs", "small")
    absent(numbers, (run / name).read_text(encoding="utf-8"))


def told_on_the_page(run):
    """The HTML page as rounded numbers: from its text, and from every attribute, alternative texts and places included."""
    page = (run / "report.html").read_text(encoding="utf-8")
    body = regex.sub(r"(?s)<style>.*?</style>", "", page)
    return {float(x.replace("−", "-")) for x in regex.findall(r"(?<![\w.])[-+−]?\d+\.\d\d(?!\d)", body)}, page


def test_no_plot_or_alternative_text_of_the_page_shows_it(refused_study, calibrated_study, numbers, kit):
    """Way 43: the page writes two decimals; the true gap and means stand in none, where the calibrated page has its gap."""
    from judgekit.files.folders import latest_run

    told, page = told_on_the_page(latest_run(refused_study.base / "runs", "small"))
    assert not {round(abs(n), 2) for n in numbers.values()} & {abs(x) for x in told}
    rows = regex.findall(r'aria-label="([^"]*)"', page)
    assert [r for r in rows if r.startswith(("raw", "corrected"))] == []
    assert any(r.startswith("people") for r in rows)
    for title in ("warmth: gap in each template", "warmth: mean under each name", "warmth: stub"):
        assert title not in page
    open_page = told_on_the_page(latest_run(calibrated_study.base / "runs", "small"))
    assert {round(abs(true_numbers(calibrated_study, kit)["gap"]), 2)} <= {abs(x) for x in open_page[0]}
    for title in ("warmth: gap in each template", "warmth: mean under each name", "warmth: stub"):
        assert title in open_page[1]


def test_gaps_and_report_have_no_entry_for_it(refused_study):
    """The refused metric has reasons and no estimate, interval, p, direction or table anywhere."""
    from judgekit.files.folders import latest_run

    run = latest_run(refused_study.base / "runs", "small")
    gaps = json.loads((run / "gaps.json").read_text())
    assert [c["metric"] for c in gaps["contrasts"]] == ["words"]
    assert [r["metric"] for r in gaps["refused"]] == ["warmth"]
    assert set(gaps["refused"][0]["reasons"][0]) == {"code", "value", "threshold", "remedy", "more_labels"}
    report = json.loads((run / "report.json").read_text())
    assert {k for row in report["agreement"] for k in row} & {"bias", "table", "marginals"} == set()


COMMANDS = {
    "run": (("run", "STUDY"), 0),
    "run --json": (("run", "STUDY", "--json"), 0),
    "run --strict": (("run", "STUDY", "--strict"), 5),
    "report": (("report", "STUDY"), 0),
    "report --json": (("report", "STUDY", "--json"), 0),
    "calibrate": (("calibrate", "STUDY"), 5),
    "calibrate --json": (("calibrate", "STUDY", "--json"), 5),
    "gate": (("gate", "STUDY"), 5),
    "gate --json": (("gate", "STUDY", "--json"), 5),
    "gap": (("gap", "STUDY", "--metric", "warmth"), 5),
    "gap --json": (("gap", "STUDY", "--metric", "warmth", "--json"), 5),
    "gap of two groups": (("gap", "STUDY", "--metric", "warmth", "--groups", "men,women", "--json"), 5),
    "gap by another name": (("gap", "STUDY", "--metric", "score"), 2),
    "gap in capitals": (("gap", "STUDY", "--metric", "WARMTH"), 2),
    "gap with a margin": (("gap", "STUDY", "--metric", "warmth", "--margin", "9"), 2),
    "swaptest": (("swaptest", "STUDY", "--json"), 0),
}


@pytest.mark.parametrize("way", COMMANDS)
def test_no_command_shows_it(refused_copy, numbers, kit, way):
    """Ways 8 to 23: every command on the study, in words and as JSON, on both streams."""
    args, code = COMMANDS[way]
    said = kit.command(*(refused_copy.base if a == "STUDY" else a for a in args))
    assert said.code == code, said.err
    absent(numbers, said.out, said.err)


def test_the_log_at_debug_level_does_not_show_it(refused_copy, numbers, caplog, kit):
    """Way 24: everything that is logged while a run is walked."""
    with caplog.at_level(logging.DEBUG):
        refused_copy.run()
    absent(numbers, caplog.text)
    said = kit.command("--debug", "gate", refused_copy.base)
    absent(numbers, said.out, said.err)


def test_a_fresh_run_folder_is_no_way_round(refused_copy, numbers, tmp_path, kit):
    """Way 25: ``--out`` elsewhere reads the same seals and labels."""
    said = kit.command("run", refused_copy.base, "--out", tmp_path / "fresh", "--json")
    assert said.json["refused"][0]["metric"] == "warmth"
    for path in (tmp_path / "fresh").rglob("*.*"):
        if path.is_file():
            absent(numbers, path.read_text(encoding="utf-8"))


def test_an_edited_threshold_refuses_and_shows_on_the_report(refused_copy, numbers):
    """Way 26: thresholds lowered after the labels are refused as sealed later, and the edit is printed."""
    refused_copy.change(
        "calibration",
        {
            "threshold": {"kappa": 0.0},
            "per_group": {"kappa": 0.0},
            "human_kappa": 0.0,
            "min_labels": 2,
            "differential_bias": {"tolerance": 9.0},
            "override_reason": "we want the number",
        },
    )
    outcome = refused_copy.run()
    f = outcome.findings
    assert {x.code for r in f.refused for x in r.reasons} >= {"sealed_later"}
    page = (outcome.run_dir / "report.md").read_text(encoding="utf-8").replace("\\", "")
    assert "Edited later: calibration.threshold.kappa from 0.6 to 0.0" in page
    absent(numbers, page, (outcome.run_dir / "report.json").read_text())


def test_deleted_seals_refuse(refused_copy, numbers, kit):
    """Way 27: the ledger remembers the seals that were there: exit 5, and no report is written."""
    refused_copy.space.seals.unlink()
    refused_copy.change("calibration.threshold", {"kappa": 0.4})
    for args in (("run",), ("gap", "--metric", "warmth")):
        said = kit.command(args[0], refused_copy.base, *args[1:])
        assert said.code == 5
        assert "seals.jsonl" in said.err
        assert said.out == ""


def test_deleted_labels_refuse(calibrated_copy, kit):
    """Way 27b: disagreements cut off the end of a label file, or a whole rater's file, are missed."""
    path = calibrated_copy.space.labels / "karim.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-3]))
    assert kit.command("calibrate", calibrated_copy.base).code == 5
    path.unlink()
    assert kit.command("calibrate", calibrated_copy.base).code == 5


def test_a_deleted_private_folder_refuses(refused_copy, numbers):
    """Way 27c: without ledger and seals the study starts anew, and its labels are older than the new seal."""
    shutil.rmtree(refused_copy.base / ".judgekit")
    refused_copy.change("calibration.threshold", {"kappa": 0.4})
    outcome = refused_copy.run()
    reasons = [x for r in outcome.findings.refused for x in r.reasons]
    assert any(x.code == "sealed_later" and x.value == "everything" for x in reasons)
    absent(numbers, (outcome.run_dir / "report.json").read_text())


@pytest.mark.slow
def test_an_edited_seal_refuses_every_command(calibrated_copy, kit):
    """Way 28: a seal edited by hand breaks the chain: exit 5, the line is named."""
    path = calibrated_copy.space.seals
    before = path.read_text(encoding="utf-8")
    after = before.replace('"kappa": 0.6', '"kappa": 0.4')
    assert after != before
    path.write_text(after, encoding="utf-8")
    for args in (("run",), ("gate",), ("calibrate",), ("gap", "--metric", "warmth"), ("report",)):
        said = kit.command(args[0], calibrated_copy.base, *args[1:])
        assert said.code == 5, (args, said.err)
        assert "seals.jsonl:1" in said.err
        assert said.out == ""


def test_an_edited_label_file_is_not_read(refused_copy, numbers, kit):
    """Way 29: a score edited by hand breaks the chain of the label file: exit 5, file and line are named."""
    path = refused_copy.space.labels / "ana.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    old = lines[4]
    lines[4] = regex.sub(r'"value": \d', '"value": 5' if '"value": 5' not in old else '"value": 1', old)
    assert lines[4] != old
    path.write_text("".join(lines))
    said = kit.command("calibrate", refused_copy.base)
    assert said.code == 5
    assert "ana.jsonl:5" in said.err
    absent(numbers, said.out, said.err)


def test_leaving_a_rater_out_after_labelling_refuses(refused_copy, numbers):
    """Way 30: dropping the rater who disagrees is an edit of a sealed decision."""
    refused_copy.change("calibration.min_raters", 1)
    refused_copy.change("labels.annotators", ["ana"])
    f = refused_copy.run().findings
    late = {x.value for r in f.refused for x in r.reasons if x.code == "sealed_later"}
    assert late == {"calibration.min_raters", "labels.annotators"}


def test_a_copied_study_with_a_new_name_refuses(refused_copy, numbers, tmp_path):
    """Way 31: the copy's first seal is younger than the labels it brought along."""
    other = refused_copy.copy(tmp_path / "other")
    other.change("study", "other")
    other.change("calibration.threshold", {"kappa": 0.4})
    (other.base / "labels" / "small.sample.jsonl").rename(other.base / "labels" / "other.sample.jsonl")
    (other.base / "labels" / "small.key.jsonl").unlink(missing_ok=True)
    for key in (other.base / "labels").glob("*.key.jsonl"):
        key.rename(other.base / "labels" / "other.sample.key.jsonl")
    outcome = other.run()
    reasons = [x for r in outcome.findings.refused for x in r.reasons]
    assert any(x.code == "sealed_later" and x.value == "everything" for x in reasons)
    absent(numbers, (outcome.run_dir / "report.json").read_text())


def test_copied_seals_belong_to_their_study(calibrated_copy, tmp_path, kit):
    """Way 32: seals renamed into another study's folder are refused by name."""
    other = calibrated_copy.copy(tmp_path / "other")
    other.change("study", "other")
    private = other.base / ".judgekit"
    (private / "small").rename(private / "other")
    said = kit.command("run", other.base)
    assert said.code == 5
    assert "belong to another study" in said.err


def test_gap_does_not_read_judgments(refused_study, numbers, tmp_path, kit):
    """Way 33 and 34: `gap` refuses the judgments file, also converted to CSV and joined with the design."""
    from judgekit.files.folders import latest_run

    run = latest_run(refused_study.base / "runs", "small")
    said = kit.command("gap", run / "judgments.jsonl", "--metric", "score")
    assert said.code == 5
    design = {row["id"]: row for row in refused_study.rows}
    rows = [json.loads(line) for line in (run / "judgments.jsonl").read_text().splitlines()[1:]]
    joined = [r | {k: design[r["item"]][k] for k in ("template_id", "group", "name")} for r in rows]
    for metric in ("score", "kindness"):
        out = io.StringIO()
        renamed = [{metric if k == "score" else k: v for k, v in row.items()} for row in joined]
        writer = csv.DictWriter(out, list(renamed[0]))
        writer.writeheader()
        writer.writerows(renamed)
        table = tmp_path / f"{metric}.csv"
        table.write_text(out.getvalue(), encoding="utf-8")
        said = kit.command("gap", table, "--metric", metric, "--json")
        assert said.code == 5, said.err
        absent(numbers, said.out, said.err)


def test_a_table_that_anyone_made_is_never_vouched_for(tmp_path, kit):
    """Numbers that came from elsewhere are compared, and every output says that nobody vouches for them."""
    table = tmp_path / "t.csv"
    rows = [f"t{t},{g},{g}{n},{(t * 7 + n * 3 + (g == 'x')) % 5}" for t in range(8) for g in "xy" for n in range(4)]
    table.write_text("template_id,group,name,kindness\n" + "\n".join(rows), encoding="utf-8")
    said = kit.command("gap", table, "--metric", "kindness", "--json")
    assert said.json["source"] == "as supplied, not vouched for"
    assert "not vouched for" in kit.command("gap", table, "--metric", "kindness").out


TWO_LEVELS = """
id: thanks
version: "1"
title: {en: Thanks}
criteria:
  - dimension: thanks
    scale: ordinal
    levels: [1, 2]
    question: {en: "Is the reply warm?"}
    anchors: {en: {1: "It is not.", 2: "It is."}}
"""


def rates_solved(rows, judge, people):
    """The judge's rate of the upper level by group, from kappa and plain agreement: pe = (po - kappa) / (1 - kappa)."""
    found = {}
    for row in rows:
        if row["by"] is None or judge not in {row["a"], row["b"]} or not isinstance(row["kappa"], float):
            continue
        chance = (row["percent"] - row["kappa"]) / (1 - row["kappa"])
        upper = people[row["b"] if row["a"] == judge else row["a"], row["by"]]
        found[row["by"]] = (chance - (1 - upper)) / (2 * upper - 1)
    return found


def test_the_rate_of_a_refused_judge_on_two_levels_cannot_be_solved(make_study, calibrated_study, kit):
    """Way 44: kappa and plain agreement by group give a refused two-level judge's rates away, so no output has them."""
    from judgekit.assess import agreement_of
    from judgekit.files.folders import latest_run

    small = make_study(rubrics={"thanks": {"rubric": "thanks.yaml", "role": "primary", "margin": 0.5}}, swap_test=None)
    (small.base / "thanks.yaml").write_text(TWO_LEVELS, encoding="utf-8")
    small.run()
    small.label("ana", "karim", rubrics=("thanks.yaml",), score=lambda text, *_: 1 + (kit.draw("contrary", text) < 0.3))
    evidence, verdicts = evidence_of(small)
    assert [type(v).__name__ for v in verdicts] == ["Refused"]
    all_rows = [dataclasses.asdict(a) for a in agreement_of(evidence)[0]]
    (_, rubric, criterion), group_of = next(iter(evidence.criteria())), {i: r.group for i, r in evidence.design.items()}
    labels = evidence.human(rubric, criterion)
    people, truth = {}, {}
    for who, scores in labels.items():
        for group in ("women", "men"):
            mine = {i: v for i, v in scores.items() if group_of[i] == group}
            people[who, group] = sum(v == 2 for v in mine.values()) / len(mine)
            judged = [evidence.judged(criterion)[i].value for i in mine]
            truth[group] = sum(v == 2 for v in judged) / len(judged)
    assert rates_solved(all_rows, evidence.judge, people) == pytest.approx(truth)  # the way is real

    run = small.run().run_dir
    for rows in (
        json.loads((run / "report.json").read_text())["agreement"],
        json.loads((run / "agreement.json").read_text())["pairs"],
        kit.command("report", small.base, "--json").json["agreement"],
    ):
        assert {row["by"] for row in rows if evidence.judge not in {row["a"], row["b"]}} == {None, "women", "men"}
        assert {row["by"] for row in rows if evidence.judge in {row["a"], row["b"]}} == {None}
        assert rates_solved(rows, evidence.judge, people) == {}
    by_group = regex.compile(r"(?s)<tr>(?:(?!</tr>).)*stub(?:(?!</tr>).)*<td[^>]*>\s*women|on texts of women")
    assert not by_group.search((run / "report.html").read_text(encoding="utf-8"))
    open_run = latest_run(calibrated_study.base / "runs", "small")
    assert len(by_group.findall((open_run / "report.html").read_text(encoding="utf-8"))) >= 2
    told = json.dumps(json.loads((run / "gaps.json").read_text())["refused"])
    assert not regex.search(r"women: -?\d", told)
    assert "on texts of women" not in (run / "report.md").read_text(encoding="utf-8")


# --- the Python API ------------------------------------------------------------------------------------------------


def evidence_of(small):
    """The evidence of a study and the verdicts on it."""
    from judgekit import pipeline
    from judgekit.calibration import calibrate

    caught = []
    original = pipeline.assess

    def keep(evidence, **options):
        caught.append(evidence)
        return original(evidence, **options)

    pipeline.assess = keep
    try:
        small.run()
    finally:
        pipeline.assess = original
    return caught[0], calibrate(caught[0])


@pytest.fixture(scope="module")
def refused(refused_study):
    """Evidence and verdicts of the refused study."""
    return evidence_of(refused_study)


@pytest.fixture(scope="module")
def calibrated(calibrated_study):
    """Evidence and verdicts of the calibrated study."""
    return evidence_of(calibrated_study)


def test_refused_verdicts_give_no_gap(refused):
    """Way 35: judged_gaps skips what is refused; nothing is computed."""
    from judgekit.gaps import judged_gaps

    evidence, verdicts = refused
    assert judged_gaps(evidence, verdicts, {}) == []


def test_calibrated_cannot_be_made_by_hand():
    """Way 36: the constructor wants a token that only `calibration` holds."""
    for maker in (None, object(), "judgekit.calibration"):
        with pytest.raises(NotTheMaker):
            Calibrated(
                judge="j", dimension="warmth", contrast=None, evidence={}, conditions=(), publish_raw=True, maker=maker
            )


def test_the_token_is_given_once():
    """Way 37: no other module gets it, nor the same one twice."""
    from judgekit.records import claim_maker

    with pytest.raises(NotTheMaker):
        claim_maker("Calibrated")


def test_calibrated_cannot_be_changed_by_replace(calibrated):
    """Way 38: `dataclasses.replace` needs the token too."""
    good = next(v for v in calibrated[1] if isinstance(v, Calibrated))
    with pytest.raises((NotTheMaker, ValueError, TypeError)):
        dataclasses.replace(good, dimension="quality")
    with pytest.raises(NotTheMaker):
        dataclasses.replace(good, dimension="quality", maker=None)


def test_a_verdict_of_other_evidence_is_refused(refused, calibrated):
    """Way 39: a good verdict of another study opens nothing here."""
    from judgekit.gaps import judged_gaps

    good = [v for v in calibrated[1] if isinstance(v, Calibrated)]
    with pytest.raises(RefusedMetric, match="other labels or judgments"):
        judged_gaps(refused[0], good, {})


def test_a_verdict_forged_around_the_constructor_is_refused(refused):
    """Way 40: a record put together without its constructor was not issued by calibrate()."""
    from judgekit.gaps import judged_gaps

    evidence, _ = refused
    forged = object.__new__(Calibrated)
    fields = {
        "judge": evidence.judge,
        "dimension": "warmth",
        "contrast": Contrast("women", "men"),
        "evidence": {"digest": evidence.digest()},
        "conditions": (),
        "publish_raw": True,
    }
    for name, value in fields.items():
        object.__setattr__(forged, name, value)
    with pytest.raises(RefusedMetric, match="by hand"):
        judged_gaps(evidence, [forged], {})


def test_a_verdict_that_was_widened_is_refused(calibrated):
    """Way 41: turning ``publish_raw`` or the dimension of a real verdict is noticed."""
    import copy

    from judgekit.gaps import judged_gaps

    evidence, verdicts = calibrated
    turned = copy.copy(next(v for v in verdicts if isinstance(v, Calibrated)))
    object.__setattr__(turned, "publish_raw", not turned.publish_raw)
    with pytest.raises(RefusedMetric):
        judged_gaps(evidence, [turned], {})


def test_fewer_labels_than_the_verdict_rests_on_is_other_evidence(calibrated):
    """Way 42: evidence whose labels, groups or seals were changed after the verdict does not fit it."""
    from judgekit.gaps import judged_gaps

    evidence, verdicts = calibrated
    one = next(iter(evidence.design))
    group = "men" if evidence.design[one].group == "women" else "women"
    for other in (
        dataclasses.replace(evidence, labels=evidence.labels[:-1]),
        dataclasses.replace(evidence, judgments=evidence.judgments[:-1]),
        dataclasses.replace(evidence, sealed_later=("everything",)),
        dataclasses.replace(
            evidence, design={**evidence.design, one: dataclasses.replace(evidence.design[one], group=group)}
        ),
    ):
        with pytest.raises(RefusedMetric):
            judged_gaps(other, verdicts, {})


def test_a_refusal_carries_value_threshold_and_remedy(refused):
    """Every reason of every refusal says what was met, what is needed and what would change it."""
    reasons = [x for v in refused[1] if not isinstance(v, Calibrated) for x in v.reasons]
    assert reasons
    for reason in reasons:
        assert reason.code
        assert reason.remedy
        assert reason.value is not None


def test_every_refusal_ends_with_exit_code_5(refused):
    """Errors that withhold a judged number share the exit code of refusals."""
    assert issubclass(NotTheMaker, RefusedMetric)
    assert issubclass(RefusedMetric, JudgekitError)
    assert RefusedMetric.exit_code == NotTheMaker.exit_code == 5
