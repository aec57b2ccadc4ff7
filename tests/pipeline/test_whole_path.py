"""The whole path of a study, from replies to report, where it ends well."""

import json
from types import SimpleNamespace

import pytest

from judgekit.pytest_plugin import StudyResult, _note, pytest_terminal_summary
from judgekit.records import Undefined


def document(outcome, name):
    """One of a run's JSON files."""
    return json.loads((outcome.run_dir / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def calibrated(calibrated_study):
    """One more run of the calibrated study."""
    return calibrated_study.run()


def test_a_judge_that_agrees_with_people_is_calibrated_and_its_gap_is_shown(calibrated):
    """Warmth is calibrated; raw, corrected and human-only gaps stand side by side with the planted sign."""
    f = calibrated.findings
    assert [c.dimension for c in f.calibrated] == ["warmth"]
    assert not f.refused
    warmth = next(g for g in f.gaps if g.metric == "warmth")
    assert warmth.kind == "judged"
    assert warmth.raw.value < -0.2
    assert warmth.corrected.value < -0.2
    assert warmth.human_only.value < -0.1
    assert warmth.direction == "men higher than women"
    assert f.gate in {"pass", "warn", "fail"}


def test_the_raw_gap_is_the_mean_of_the_template_gaps_of_the_stub_judge(calibrated, calibrated_study, kit):
    """The judged gap equals the gap that the planted rule gives, computed here by hand."""
    cells = {}
    for row in calibrated_study.rows:
        cell = cells.setdefault(row["template_id"], {}).setdefault(row["group"], {}).setdefault(row["name"], [])
        cell.append(1 + kit.warm_level(row["text"]))

    def mean(values):
        values = list(values)
        return sum(values) / len(values)

    gaps = [mean(map(mean, c["women"].values())) - mean(map(mean, c["men"].values())) for c in cells.values()]
    warmth = next(g for g in calibrated.findings.gaps if g.metric == "warmth")
    assert warmth.raw.value == pytest.approx(mean(gaps), abs=1e-12)
    assert sum(warmth.per_template.values()) / 8 == pytest.approx(mean(gaps), abs=1e-12)


def test_every_file_of_a_run_is_there_and_private(calibrated):
    """A run leaves the promised files, in a folder that only its owner can enter and git does not see."""
    names = {p.name for p in calibrated.run_dir.iterdir()}
    assert names == {
        ".gitignore",
        "agreement.json",
        "blinded.jsonl",
        "certificate.json",
        "design.jsonl",
        "gaps.json",
        "judgments.jsonl",
        "manifest.json",
        "report.html",
        "report.json",
        "report.md",
        "swap_test.json",
    }
    assert calibrated.run_dir.stat().st_mode & 0o077 == 0
    for name in names - {".gitignore", "manifest.json"}:
        assert (calibrated.run_dir / name).stat().st_mode & 0o077 == 0, name


def test_counts_in_are_scored_unscored_and_withheld(calibrated):
    """At every stage and in each group, what went in is what came out plus what is missing by kind."""
    report = document(calibrated, "report.json")
    for counts in report["blinding"]["by_group"].values():
        assert counts["in"] == counts["verified"] + counts["withheld"] == 64
    for by_group in report["judging"]["counts"].values():
        for counts in by_group.values():
            assert counts["in"] == sum(n for kind, n in counts.items() if kind != "in") == 64


def test_the_manifest_says_finished_and_names_the_input_by_hash(calibrated, calibrated_study):
    """The manifest has the input's SHA-256, the judge's fingerprint, the seed, and no absolute path."""
    manifest = document(calibrated, "manifest.json")
    text = json.dumps(manifest)
    assert manifest["when"]["finished"]
    assert str(calibrated_study.base) not in text
    assert manifest["study_hash"] == calibrated_study.study.hash


def test_a_second_run_asks_nothing_again(calibrated_copy):
    """All answers come from the ledger: the number of attempts does not change."""
    from judgekit.files.ledger import Ledger

    def attempts():
        with Ledger.open(calibrated_copy.space.ledger, read_only=True) as ledger:
            return ledger._connection.execute("SELECT COUNT(*) FROM attempts").fetchone()[0]

    before = attempts()
    calibrated_copy.run()
    assert attempts() == before > 100


def test_a_study_without_groups_calibrates_but_not_for_group_claims(make_study):
    """Without groups the judge is validated: the condition is printed, nothing is compared, gate has no margin."""
    small = make_study(groups=None)
    f = small.calibrated().findings
    assert [c.contrast for c in f.calibrated] == [None]
    assert any("not for group claims" in c for c in f.calibrated[0].conditions)
    assert f.gaps == ()
    assert f.human_gaps == ()
    assert f.gate == "no margin"
    assert "no groups" in f.swap_note


def test_a_study_without_groups_needs_neither_template_nor_name(make_study, kit):
    """Only id and text are required when nothing is compared."""
    rows = kit.reply_rows(without=("group", "name", "template_id", "name_pair", "replicate"))
    f = make_study(rows=rows, groups=None).calibrated().findings
    assert f.calibrated
    assert not f.refused


def test_three_groups_give_every_contrast(make_study, kit):
    """Three groups: three contrasts in the study's order, each with its own verdict, gap and swap result."""
    groups = ("women", "men", "others")
    small = make_study(rows=kit.reply_rows(groups=groups, colder={"others": 2}, replicates=1), groups=groups)
    small.change("labels.n", 120)
    f = small.calibrated().findings
    wanted = [("women", "men"), ("women", "others"), ("men", "others")]
    assert [(v.contrast.a, v.contrast.b) for v in (*f.calibrated, *f.refused)] == wanted
    assert [(g.contrast.a, g.contrast.b) for g in f.gaps if g.metric == "words"] == wanted
    assert [(s.contrast.a, s.contrast.b) for s in f.swap] == wanted
    assert [(h.contrast.a, h.contrast.b) for h in f.human_gaps] == wanted
    gaps = {(g.contrast.a, g.contrast.b): g.corrected.value for g in f.gaps if g.metric == "warmth"}
    assert gaps["women", "others"] > 0.3
    assert gaps["men", "others"] > 0.3


def test_chosen_comparisons_only(make_study, kit):
    """``groups.comparisons`` limits the contrasts and sets their sign."""
    groups = ("women", "men", "others")
    small = make_study(rows=kit.reply_rows(groups=groups), groups=groups)
    small.change("groups.comparisons", [["others", "women"]])
    f = small.run().findings
    assert {(g.contrast.a, g.contrast.b) for g in f.gaps} == {("others", "women")}


def test_groups_without_listed_values_are_met_in_the_data(make_study):
    """Groups, contrasts and invented people come from the rows when the study lists none."""
    small = make_study()
    small.change("groups.values", {})
    small.change("privacy.people", "invented")
    f = small.calibrated().findings
    assert [(c.contrast.a, c.contrast.b) for c in f.calibrated] == [("men", "women")]
    assert f.swap[0].verdict == "passed"


def test_repeats_enter_as_their_rounded_mean(make_study):
    """Three repeats of each text: three judgments each, one score, still calibrated."""
    small = make_study(judge={"spec": "stub:seed=1", "repeats": 3})
    small.run()
    small.label("ana", "karim")
    outcome = small.run()
    rows = [json.loads(line) for line in (outcome.run_dir / "judgments.jsonl").read_text().splitlines()[1:]]
    assert len(rows) == 3 * 128
    assert {row["repeat"] for row in rows} == {0, 1, 2}
    assert outcome.findings.calibrated
    counts = outcome.findings.judging.counts["warmth"]
    assert {g: c["scored"] for g, c in counts.items()} == {"women": 64, "men": 64}


def test_a_nominal_checklist_is_calibrated_by_unweighted_kappa(make_study, planted):
    """Classes: unweighted kappa on the declared levels, one verdict for each question."""
    rubrics = {"list": {"rubric": "checklist", "role": "secondary", "margin": 0.5}}
    small = make_study(rubrics=rubrics, groups=None, judge={"spec": planted("classes")})
    small.run()
    small.label("ana", "karim", rubrics=("checklist",))
    f = small.run().findings
    assert len(f.calibrated) == 6
    assert {c.evidence["weights"] for c in f.calibrated} == {"none"}
    assert all(0.8 < c.evidence["kappa"] < 1.0 for c in f.calibrated)


def test_nominal_gaps_are_differences_in_shares(make_study, planted, kit):
    """The gap of a class metric is the difference in the share of the first level, template by template."""
    rubrics = {"list": {"rubric": "checklist", "role": "secondary", "margin": 0.9}}
    small = make_study(
        rubrics=rubrics,
        judge={"spec": planted("classes")},
        calibration={"min_labels": 20, "differential_bias": {"tolerance": 0.9}},
    )
    small.run()
    small.label("ana", "karim", rubrics=("checklist",))
    found = {g.metric: g for g in small.run().findings.gaps if g.kind == "judged"}
    cells = {}
    for row in small.rows:
        first = kit.warm_level(row["text"]) % 4 == 0
        cells.setdefault(row["template_id"], {}).setdefault(row["group"], []).append(first)
    gaps = [sum(c["women"]) / len(c["women"]) - sum(c["men"]) / len(c["men"]) for c in cells.values()]
    assert found["decision"].raw.value == pytest.approx(sum(gaps) / len(gaps), abs=1e-12)


def test_tone_has_three_dimensions_with_a_verdict_each(make_study):
    """One rubric of three criteria is asked in one request and judged by dimension."""
    small = make_study(rubrics={"tone": {"rubric": "tone", "role": "secondary", "margin": 1.5}})
    small.run()
    small.label("ana", "karim", rubrics=("tone",))
    f = small.run().findings
    assert [c.dimension for c in f.calibrated] == ["formality", "condescension", "suspicion"]
    assert {g.metric for g in f.gaps} == {"formality", "condescension", "suspicion", "words"}
    # Secondary metrics are corrected together.
    assert all(g.adjusted_p is not None for g in f.gaps)
    assert all(isinstance(g.adjusted_p, Undefined) or g.adjusted_p >= (g.corrected or g.raw).p - 1e-12 for g in f.gaps)


def test_a_primary_metric_is_not_corrected(calibrated):
    """Primary: no adjusted p; secondary: one that is not smaller."""
    gaps = {g.metric: g for g in calibrated.findings.gaps}
    assert gaps["warmth"].role == "primary"
    assert gaps["warmth"].adjusted_p is None
    assert gaps["words"].adjusted_p is not None


def test_an_observational_design_is_never_called_a_group_effect(make_study):
    """Observational replies: the note stands on the report and in its JSON."""
    small = make_study()
    small.change("data.design", "observational")
    outcome = small.calibrated()
    assert any("confounded" in n for n in document(outcome, "report.json")["notes"])
    assert "no group effect" in (outcome.run_dir / "report.md").read_text(encoding="utf-8").replace("\\", "")


def test_one_rater_is_allowed_when_set_and_said_everywhere(make_study, kit, tmp_path):
    """``min_raters: 1``: calibrated with the printed condition that human agreement was not measured."""
    small = make_study()
    small.change("calibration.min_raters", 1)
    small.change("labels.annotators", ["ana"])
    outcome = small.calibrated()
    said = "human agreement not measured"
    assert any(said in c for c in outcome.findings.calibrated[0].conditions)
    assert said in (outcome.run_dir / "report.md").read_text(encoding="utf-8")
    assert said in (outcome.run_dir / "report.json").read_text(encoding="utf-8")
    assert said in (outcome.run_dir / "gaps.json").read_text(encoding="utf-8")
    gate = kit.command("gate", small.base, "--junit", tmp_path / "j.xml", "--summary", tmp_path / "s.md")
    assert said in gate.out
    for file in ("j.xml", "s.md"):
        assert said in (tmp_path / file).read_text(encoding="utf-8")
    # The pytest plugin tells it below the results of tests that passed.
    report, lines = SimpleNamespace(user_properties=[]), []
    _note(report, StudyResult(small.study, outcome.findings).cases("warmth"))
    terminal = SimpleNamespace(stats={"passed": [report]}, section=lines.append, write_line=lines.append)
    pytest_terminal_summary(terminal)
    assert any(said in line for line in lines)


def test_raters_may_share_only_a_part_of_the_texts(make_study):
    """``overlap`` below 1: each text has a label, a part has two, and all of them count."""
    small = make_study(labels={"annotators": ["ana", "karim"], "n": 100, "overlap": 0.3, "repeats": 0.0})
    outcome = small.calibrated()
    f = outcome.findings
    assert f.labels.texts == 100
    assert all(30 < n < 100 for n in f.labels.per_annotator.values())
    assert f.calibrated or f.refused
    assert f.human_kappa["warmth"]["n"] == 30


def test_the_ceiling_threshold_follows_the_people(make_study):
    """``kind: ceiling``: the judge's bound is held against people's own kappa less 0.10, at least 0.40."""
    small = make_study()
    small.change("calibration.threshold", {"kind": "ceiling"})
    f = small.calibrated().findings
    evidence = f.calibrated[0].evidence
    assert evidence["threshold"] == pytest.approx(max(0.40, evidence["human_kappa"] - 0.10))
    assert evidence["kappa_lower"] >= evidence["threshold"]


def test_the_gate_may_hold_the_raw_estimate_against_the_margin(make_study, calibrated_study, kit):
    """``gate.estimate: raw``: verdict, interval, p and the words on every output are those of the raw gap."""
    small = make_study(rows=calibrated_study.rows, gate={"estimate": "raw"})
    warmth = next(g for g in small.calibrated().findings.gaps if g.metric == "warmth")
    assert warmth.main is warmth.raw
    document = kit.command("gap", small.base, "--metric", "warmth", "--json").json["contrasts"][0]
    assert document["ci"] == [warmth.raw.interval.low, warmth.raw.interval.high]
    assert document["p"] == warmth.raw.p
    assert document["estimates"]["corrected"] == warmth.corrected.value


def test_the_manifest_has_the_hash_of_the_systems_prompt(make_study, kit):
    """``system.prompt_file``: its SHA-256 stands beside that of the replies; a missing one is refused first."""
    import hashlib

    small = make_study(rows=kit.reply_rows(templates=2, replicates=1), system={"prompt_file": "prompt.txt"})
    before = kit.listing(small.base)
    said = kit.command("run", small.base)
    assert (said.code, said.out) == (2, "")
    assert "prompt.txt" in said.err
    assert kit.listing(small.base) == before
    (small.base / "prompt.txt").write_text("Be kind.", encoding="utf-8")
    inputs = document(small.run(), "manifest.json")["inputs"]
    assert inputs["prompt.txt"] == hashlib.sha256(b"Be kind.").hexdigest()
    assert set(inputs) == {"prompt.txt", "replies.jsonl"}
