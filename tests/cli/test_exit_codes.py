"""Exit codes by the table: 0, 1, 4, 5, 6, their map for CI, and what --strict makes of them."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest

from judgekit.gate import gate_exit_code, worst_exit_code


@pytest.fixture(scope="module")
def margins(calibrated_study):
    """The calibrated study's gaps, from which margins are chosen that pass, warn and fail."""
    f = calibrated_study.run().findings
    return {g.metric: (g.corrected or g.raw).interval for g in f.gaps}


@pytest.fixture
def with_margins(make_study, calibrated_study):
    """The calibrated study again with other margins, decided before its labels."""

    def make(warmth, words, **changes):
        small = make_study(rows=calibrated_study.rows)
        small.change("rubrics.warmth.margin", warmth)
        small.change("measured.words.margin", words)
        for key, value in changes.items():
            small.change(key, value)
        small.calibrated()
        return small

    return make


def test_the_gate_passes_with_0(calibrated_study, kit):
    """Every interval inside its margin."""
    said = kit.command("gate", calibrated_study.base, "--json")
    assert (said.code, said.json["gate"], said.json["exit_code"]) == (0, "pass", 0)


def test_the_gate_fails_with_1(with_margins, margins, kit):
    """One interval wholly outside its margin."""
    interval = margins["words"]
    assert interval.high < 0
    small = with_margins(1.5, abs(interval.high) / 2)
    said = kit.command("gate", small.base, "--json")
    assert (said.code, said.json["gate"]) == (1, "fail")
    assert kit.command("gap", small.base, "--metric", "words").code == 1
    assert kit.command("gap", small.base, "--metric", "warmth").code == 0
    assert kit.command("run", small.base).code == 0
    assert kit.command("run", small.base, "--strict").code == 1


@pytest.mark.slow
def test_the_gate_warns_with_4_and_the_code_can_be_mapped(with_margins, margins, kit):
    """A straddling interval: 4, or what the study's map says for CI."""
    interval = margins["warmth"]
    small = with_margins(abs(interval.low + interval.high) / 2, 50.0)
    assert kit.command("gate", small.base).code == 4
    assert kit.command("gap", small.base, "--metric", "warmth").code == 4
    assert kit.command("run", small.base, "--strict").code == 4
    small.change("gate", {"exit_codes": {"warn": 0, "refused": 9}})
    assert kit.command("gate", small.base).code == 0


def test_a_refused_metric_ends_gate_calibrate_and_gap_with_5(refused_study, refused_copy, kit):
    """5 where a judged metric is withheld; the map changes gate and calibrate."""
    assert kit.command("gate", refused_study.base).code == 5
    assert kit.command("calibrate", refused_study.base).code == 5
    assert kit.command("gap", refused_study.base, "--metric", "warmth").code == 5
    assert kit.command("gap", refused_study.base, "--metric", "words").code == 0
    assert kit.command("run", refused_study.base).code == 0
    refused_copy.change("gate", {"exit_codes": {"refused": 0}})
    assert kit.command("gate", refused_copy.base).code == 0
    assert kit.command("calibrate", refused_copy.base).code == 0


def test_a_calibrated_study_ends_with_0_everywhere(calibrated_study, kit):
    """0: done, passed, calibrated."""
    for args in (
        ("calibrate",),
        ("gate",),
        ("report",),
        ("swaptest",),
        ("run",),
        ("run", "--strict"),
        ("run", "--dry-run"),
        ("gap", "--metric", "warmth"),
    ):
        said = kit.command(args[0], calibrated_study.base, *args[1:])
        assert said.code == 0, (args, said)


def test_a_failed_swap_test_ends_with_1(make_study, kit):
    """A judge that reacts."""
    small = make_study(
        rows=kit.reply_rows(templates=4, replicates=2), judge={"spec": "stub:name=Anna:-2+Maria:-2+Priya:-2+Lena:-2"}
    )
    said = kit.command("swaptest", small.base, "--json")
    assert said.code == 1
    assert {r["verdict"] for r in said.json["results"]} == {"failed"}


@dataclass
class _Findings:
    """As much of `Findings` as the exit code of --strict looks at."""

    too_many_withheld: tuple = ()
    refused: tuple = ()
    gaps: tuple = ()
    swap: tuple = ()
    study: dict = field(default_factory=lambda: {"gate": {"exit_codes": {}}})


def verdicts(*names):
    """Gaps or swap results with these verdicts."""
    return tuple(SimpleNamespace(verdict=name) for name in names)


@pytest.mark.parametrize(
    ("findings", "code"),
    [
        (_Findings(), 0),
        (_Findings(gaps=verdicts("pass", "no margin"), swap=verdicts("passed")), 0),
        (_Findings(gaps=verdicts("warn")), 4),
        (_Findings(gaps=verdicts("cannot tell")), 4),
        (_Findings(swap=verdicts("uninformative")), 4),
        (_Findings(gaps=verdicts("warn", "fail")), 1),
        (_Findings(gaps=verdicts("warn"), swap=verdicts("failed")), 1),
        (_Findings(gaps=verdicts("fail"), refused=("x",)), 5),
        (_Findings(gaps=verdicts("fail", "warn"), refused=("x",), too_many_withheld=("x",)), 6),
        (_Findings(too_many_withheld=("x",)), 6),
    ],
)
def test_strict_takes_the_worst_verdict(findings, code):
    """6 before 5 before 1 before 4."""
    from judgekit.cli.study_options import strict_code

    assert strict_code(findings) == code


@pytest.mark.parametrize(
    ("verdict", "plain", "mapped"),
    [("pass", 0, 0), ("no margin", 0, 0), ("fail", 1, 1), ("warn", 4, 0), ("cannot tell", 4, 0), ("refused", 5, 3)],
)
def test_the_map_changes_4_and_5_only(verdict, plain, mapped):
    """A failed gate cannot be mapped away."""
    assert gate_exit_code(verdict, {}) == plain
    assert gate_exit_code(verdict, {"warn": 0, "refused": 3}) == mapped


@pytest.mark.slow
def test_a_refusal_that_is_mapped_to_0_hides_no_failure(refused_study, make_study, kit):
    """A CI that lets refused metrics pass still fails on a counted metric outside its margin."""
    from judgekit.cli.study_options import strict_code

    gaps, refused = verdicts("fail", "warn"), ("x",)
    codes = {"refused": 0, "warn": 1}
    assert worst_exit_code(gaps, refused, codes) == 1
    assert worst_exit_code(verdicts("pass"), refused, codes) == 0
    assert worst_exit_code(verdicts("warn"), refused, {"refused": 0}) == 4
    assert strict_code(_Findings(gaps=gaps, refused=refused, study={"gate": {"exit_codes": codes}})) == 1
    small = make_study(rows=refused_study.rows)
    small.change("gate", {"exit_codes": {"refused": 0}})
    small.change("measured.words.margin", 0.05)
    small.run()
    assert kit.command("calibrate", small.base).code == 0
    assert kit.command("gate", small.base).code == 1


# --- --json --------------------------------------------------------------------------------------------------------

JSON = {
    "run": ("run", "STUDY", "--json"),
    "run --dry-run": ("run", "STUDY", "--dry-run", "--json"),
    "report": ("report", "STUDY", "--json"),
    "calibrate": ("calibrate", "STUDY", "--json"),
    "gate": ("gate", "STUDY", "--json"),
    "gap": ("gap", "STUDY", "--metric", "warmth", "--json"),
    "swaptest": ("swaptest", "STUDY", "--json"),
    "blind": ("blind", "REPLIES", "-o", "OUT", "--json"),
    "verify": ("verify", "BLINDED", "--json"),
    "judge": ("judge", "BLINDED", "--rubric", "warmth", "--judge", "stub:seed=1", "-o", "OUT", "--json"),
    "judge --dry-run": ("judge", "BLINDED", "--rubric", "warmth", "--judge", "stub:seed=1", "--dry-run", "--json"),
    "sample": ("sample", "BLINDED", "-o", "OUT", "--n", "20", "--rubric", "warmth", "--annotators", "ana", "--json"),
    "rubrics": ("rubrics", "--json"),
    "init": ("init", "NEW", "--json"),
    "labels export": ("labels", "export", "STUDY", "-o", "OUT", "--json"),
    "rubrics warmth": ("rubrics", "warmth", "--json"),
}


@pytest.fixture(scope="module")
def blinded_file(calibrated_study, tmp_path_factory, kit):
    """The study's replies blinded by `judgekit blind`."""
    out = tmp_path_factory.mktemp("blinded") / "b.jsonl"
    assert kit.command("blind", calibrated_study.base / "replies.jsonl", "-o", out, "--lang", "en").code == 0
    return out


@pytest.mark.parametrize("way", JSON)
def test_json_is_one_document_on_standard_output(calibrated_study, blinded_file, tmp_path, kit, way):
    """Exactly one JSON document, no NaN, and not a word besides it."""
    places = {
        "STUDY": calibrated_study.base,
        "REPLIES": calibrated_study.base / "replies.jsonl",
        "OUT": tmp_path / "out.jsonl",
        "NEW": tmp_path / "new",
        "BLINDED": blinded_file,
    }
    said = kit.command(*(places.get(a, a) for a in JSON[way]))
    assert said.code == 0, said.err

    def no_constant(name):
        pytest.fail(f"{name} in JSON")

    document = json.loads(said.out, parse_constant=no_constant)
    assert document
    assert said.out.isascii()


def test_the_documents_have_the_keys_that_checks_read(calibrated_study, refused_study, blinded_file, tmp_path, kit):
    """Keys of DESIGN section 5."""
    run = kit.command("run", calibrated_study.base, "--json").json
    assert {"run_dir", "stages", "calibrated", "refused", "contrasts", "gate"} <= set(run)
    assert Path(run["run_dir"]).is_dir()
    gap = kit.command("gap", calibrated_study.base, "--metric", "warmth", "--json").json
    assert {"contrasts", "refused"} <= set(gap)
    assert {
        "metric",
        "a",
        "b",
        "claim",
        "estimates",
        "ci",
        "level",
        "p",
        "min_p",
        "templates",
        "n_a",
        "n_b",
        "failure_gap",
        "margin",
        "verdict",
        "direction",
        "per_template",
        "per_name",
    } <= set(gap["contrasts"][0])
    assert set(gap["contrasts"][0]["estimates"]) == {"raw", "corrected", "human_only"}
    refused = kit.command("calibrate", refused_study.base, "--json").json["refused"][0]
    assert {"metric", "reasons"} <= set(refused)
    assert {"code", "value", "threshold", "remedy", "more_labels"} <= set(refused["reasons"][0])
    swap = kit.command("swaptest", calibrated_study.base, "--json").json["results"][0]
    assert {"dimension", "a", "b", "shift", "ci", "control_shift", "changed", "verdict", "per_name"} <= set(swap)
    blind = kit.command(
        "blind", calibrated_study.base / "replies.jsonl", "-o", tmp_path / "x.jsonl", "--lang", "en", "--json"
    ).json
    assert {"in", "verified", "withheld", "by_group", "seconds"} <= set(blind)
    assert blind["in"] == blind["verified"] + blind["withheld"] == 128


def test_verify_ends_with_6_on_a_leak(blinded_file, tmp_path, kit):
    """`verify` does not believe the status field: a name that is left ends with 6."""
    assert kit.command("verify", blinded_file).code == 0
    rows = [json.loads(line) for line in blinded_file.read_text().splitlines()]
    rows[2]["blinded"] += " Best wishes to Maria."
    leaking = tmp_path / "b.jsonl"
    leaking.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    design = blinded_file.with_name("b.design.jsonl")
    (tmp_path / "b.design.jsonl").write_bytes(design.read_bytes())
    said = kit.command("verify", leaking, "--json")
    assert said.code == 6
    assert [f["id"] for f in said.json["findings"]] == [rows[2]["id"]]


def test_blind_strict_ends_with_6_when_a_reply_is_withheld(make_study, tmp_path, kit):
    """Withheld replies are no failure of the command unless --strict."""
    rows = kit.reply_rows(templates=1)
    rows[0]["text"] = "Ждем вас снова в нашем магазине, приходите."
    small = make_study(rows=rows)
    replies = small.base / "replies.jsonl"
    assert kit.command("blind", replies, "-o", tmp_path / "a.jsonl").code == 0
    assert kit.command("blind", replies, "-o", tmp_path / "b.jsonl", "--strict").code == 6


def test_an_unknown_command_or_option_ends_with_2(kit):
    """Usage: 2, on standard error."""
    for args in (("nonsense",), ("run",), ("gate", "--nonsense"), ("gap", "x.csv")):
        said = kit.command(*args)
        assert said.code == 2, args
        assert said.out == ""
        assert said.err


@pytest.mark.parametrize(
    "args",
    [
        ("run", "STUDY"),
        ("swaptest", "STUDY"),
        ("judge", "STUDY", "--rubric", "warmth", "--judge", "stub:seed=1", "-o", "OUT"),
        ("probe", "collect", "STUDY"),
    ],
)
def test_a_stated_rate_is_for_plans_alone(calibrated_study, tmp_path, kit, args):
    """Without --dry-run it would count for nothing: refused with what to do, before anything is read or written."""
    places = {"STUDY": calibrated_study.base, "OUT": tmp_path / "out.jsonl"}
    said = kit.command(*(places.get(a, a) for a in args), "--rate", "2")
    assert (said.code, said.out) == (2, "")
    assert "--rate: this option does nothing without --dry-run. Do: add --dry-run" in said.err
    assert list(tmp_path.iterdir()) == []


def test_a_bug_ends_with_70_without_a_traceback(calibrated_study, kit, monkeypatch):
    """An unforeseen exception is called a bug, in one line."""
    monkeypatch.setattr("judgekit.pipeline.assess", lambda *_, **__: 1 / 0)
    monkeypatch.delenv("JUDGEKIT_DEBUG", raising=False)
    said = kit.command("gate", calibrated_study.base)
    assert said.code == 70
    assert "a bug: ZeroDivisionError" in said.err
    assert "Traceback" not in said.err


@pytest.mark.slow
def test_a_closed_pipe_is_no_traceback(calibrated_study):
    """``judgekit report STUDY | head -1``: quiet, whatever the reader does."""
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "judgekit", "report", str(calibrated_study.base)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    process.stdout.close()
    error = process.stderr.read().decode()
    process.wait(60)
    process.stderr.close()
    assert "Traceback" not in error


def test_nothing_scored_is_told_and_failed_calls_end_with_3(make_study, planted, tmp_path, kit):
    """`judge` says the last error of each kind; 3 when no call was answered, 0 when answers could not be read."""
    small = make_study(rows=kit.reply_rows(templates=1, replicates=1))
    blinded = tmp_path / "b.jsonl"
    assert kit.command("blind", small.base / "replies.jsonl", "-o", blinded, "--lang", "en").code == 0
    args = ("judge", blinded, "--rubric", "warmth", "-o", tmp_path / "silent.jsonl", "--judge", planted("silent"))
    said = kit.command(*args)
    assert said.code == 0
    assert "nothing was scored: no_verdict" in said.err
    args = (*args[:5], tmp_path / "crash.jsonl", "--judge", planted("crash"), "--json")
    said = kit.command(*args)
    assert said.code == 3
    assert "no such thing" in said.err


def test_a_judge_that_scored_something_ends_well(make_study, planted, tmp_path, kit):
    """Some texts without a verdict are counted and need no warning."""
    small = make_study(rows=kit.reply_rows(templates=1, replicates=1))
    blinded = tmp_path / "b.jsonl"
    assert kit.command("blind", small.base / "replies.jsonl", "-o", blinded, "--lang", "en").code == 0
    judge = planted("shy_of_short_texts")
    said = kit.command("judge", blinded, "--rubric", "warmth", "-o", tmp_path / "j.jsonl", "--judge", judge)
    assert said.code == 0
    assert "nothing was scored" not in said.err


def ratings(tmp_path):
    """A long file of scores of warmth."""
    rows = [f"i{i},warmth,{who},{(i + (who == 'b')) % 5 + 1},g{i % 2}" for i in range(12) for who in ("j", "a", "b")]
    table = tmp_path / "r.csv"
    table.write_text("item,dimension,annotator,score,group\n" + "\n".join(rows), encoding="utf-8")
    return table


def test_agree_has_a_column_of_groups_only_when_asked(tmp_path, kit):
    """No column of nothing but `all`."""
    args = ("agree", ratings(tmp_path), "--judge", "j", "--humans", "a,b", "--levels", "1,2,3,4,5")
    assert kit.command(*args).out.split("\n")[0].split() == [
        "dimension",
        "between",
        "n",
        "kappa",
        "lower",
        "agree",
        "rho",
    ]
    by = kit.command(*args, "--by", "group").out
    assert by.split("\n")[0].split()[2] == "group"
    assert "g1" in by


def test_agree_names_the_dimension_that_a_rubric_lacks(tmp_path, kit):
    """The rubric's dimensions, the file's, and what to do."""
    said = kit.command("agree", ratings(tmp_path), "--judge", "j", "--humans", "a,b", "--rubric", "quality")
    assert said.code == 2
    for word in ("r.csv", "'warmth'", "the rubric quality has quality", "--levels"):
        assert word in said.err


def test_a_refused_metric_keeps_its_human_only_gap(refused_study, kit):
    """People's own scores need no judge: they stand below the refusal, and no empty table does."""
    said = kit.command("gap", refused_study.base, "--metric", "warmth")
    assert said.code == 5
    assert "REFUSED" in said.out
    assert "people's own scores: " in said.out
    assert "template" not in [line.split()[0] for line in said.out.splitlines() if line.strip()]


def test_a_gap_without_p_shows_none(tmp_path, kit):
    """No p, no empty tables: what does not exist is left out."""
    table = tmp_path / "t.csv"
    rows = [f"t{t},{g},{g}{n}," for t in range(6) for g in "xy" for n in range(3)]
    table.write_text("template_id,group,name,score\n" + "\n".join(rows), encoding="utf-8")
    said = kit.command("gap", table, "--metric", "score")
    assert ", p " not in said.out
    assert "missing 18 of 18, 18 of 18" in said.out
    assert not [line for line in said.out.splitlines() if line.startswith(("template", "name"))]
