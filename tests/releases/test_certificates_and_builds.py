"""Certificates, gates for builds, compare and the pytest plugin on studies that were really run."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from statistics import fmean
from xml.etree import ElementTree as ET

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]


def last_run(small):
    """The latest run folder."""
    from judgekit.files.folders import list_runs

    return list_runs(small.base / "runs")[-1]


def edit_json(path, edit):
    """Change a JSON file by hand."""
    document = json.loads(path.read_text(encoding="utf-8"))
    edit(document)
    path.write_text(json.dumps(document), encoding="utf-8")


def verified(kit, run):
    """Exit code and the keys that differ."""
    said = kit.command("certificate", "verify", run, "--json")
    return said.code, [d["key"] for d in said.json["differences"]]


# --- certificates ---------------------------------------------------------------------------------------------------


def test_a_run_writes_a_certificate(calibrated_study):
    """Fingerprint, hashes, agreement overall and per group, ceiling, swap test, thresholds and seal are in it."""
    run = last_run(calibrated_study)
    found = json.loads((run / "certificate.json").read_text(encoding="utf-8"))
    metric = found["metrics"][0]
    assert metric["verdict"] == "calibrated"
    assert set(metric["agreement_by_group"]) == {"women", "men"}
    low, high = metric["agreement"]["ci"]
    assert low < metric["agreement"]["kappa"] < high
    assert metric["agreement"]["n"] == 64
    assert metric["human_ceiling"]["kappa"] > 0.6
    assert len(found["judge"]["fingerprints"]["warmth"]) == 64
    assert found["swap_test"]["results"][0]["verdict"] == "passed"
    assert found["when"]["sealed_at"]
    assert found["decided"]["by"] == "the quality desk"


def test_what_was_read_and_what_was_made_are_compared_by_value_and_kind():
    """1, 1.0 and true differ; a sentence that is made anew is the text that was stored."""
    from judgekit.certificates.folder import differences
    from judgekit.wording.sentence import Sentence

    made = {"n": 1, "why": Sentence("too few: {n}", {"n": 3})}
    assert differences({"n": 1, "why": "too few: 3"}, made) == []
    assert [d["key"] for d in differences({"n": True, "why": "too few: 4"}, made)] == ["n", "why"]


def test_a_damaged_block_of_a_certificate_is_a_difference(calibrated_copy, kit):
    """`study` that is null or text, `data` that is a list: named, no traceback."""
    run = last_run(calibrated_copy)
    for broken in ({"study": None}, {"study": "x"}, {"data": []}):
        edit_json(run / "certificate.json", lambda document, broken=broken: document.update(broken))
        code, keys = verified(kit, run)
        assert (code, set(broken) <= set(keys)) == (1, True)


def test_a_certificate_edited_by_hand_fails_by_name(calibrated_copy, kit):
    """Each edit is named, also when the certificate's own hash was made to fit; so is an edited file of the run."""
    from judgekit.certificates.document import content_hash
    from judgekit.certificates.folder import differences

    run = last_run(calibrated_copy)

    def forge(document):
        document["metrics"][0]["agreement"]["kappa"] = 0.99
        document["decided"]["thresholds"]["human_kappa"] = 0.9
        document["when"]["sealed_at"] = "2026-01-01T00:00:00.000Z"
        document["content_sha256"] = content_hash(document)

    edit_json(run / "certificate.json", forge)
    with (run / "judgments.jsonl").open("a", encoding="utf-8") as file:
        file.write("{}\n")
    assert verified(kit, run) == (
        1,
        [
            "data.run_files.judgments.jsonl",
            "decided.thresholds.human_kappa",
            "metrics[0].agreement.kappa",
            "when.sealed_at",
        ],
    )
    assert kit.command("certificate", run).code == 0  # written again, it holds again, the edited file apart
    assert verified(kit, run) == (0, [])
    whole = json.loads((run / "certificate.json").read_text(encoding="utf-8"))
    assert [d["key"] for d in differences(whole | {"content_sha256": "0" * 64}, whole)] == ["content_sha256"]


def test_a_certificate_fails_when_what_it_rests_on_changed(calibrated_copy, kit):
    """Another threshold in the study, other replies, or an edited label: exit 1, and what changed is named."""
    run = last_run(calibrated_copy)
    before = calibrated_copy.file.read_bytes()
    calibrated_copy.change("calibration.human_kappa", 0.5)
    assert verified(kit, run) == (1, ["study.hash"])
    calibrated_copy.file.write_bytes(before)
    labels = calibrated_copy.base / "labels" / "ana.jsonl"
    kept = labels.read_bytes()
    edited = kept.replace(b'"value": 3', b'"value": 5', 1)
    assert edited != kept
    labels.write_bytes(edited)
    assert verified(kit, run) == (1, ["recomputed"])
    labels.write_bytes(kept)
    with (calibrated_copy.base / "replies.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n")
    assert verified(kit, run) == (1, ["data.inputs.replies"])


def test_a_refused_certificate_gives_no_group_away(refused_study, kit):
    """Of a refused metric: reasons and overall agreement, nothing by group and no gap; and it holds."""
    run = last_run(refused_study)
    text = (run / "certificate.json").read_text(encoding="utf-8")
    metric = json.loads(text)["metrics"][0]
    assert metric["verdict"] == "refused"
    assert metric["reasons"][0]["code"] == "too_low"
    assert set(metric) == {"metric", "contrast", "agreement", "human_ceiling", "verdict", "reasons"}
    groups = {row["id"]: row["group"] for row in refused_study.rows}
    scores = {"women": [], "men": []}
    for line in (run / "judgments.jsonl").read_text(encoding="utf-8").splitlines()[1:]:
        row = json.loads(line)
        scores[groups[row["item"]]].append(row["score"])
    means = {g: fmean(values) for g, values in scores.items()}
    for number in (*means.values(), means["women"] - means["men"]):
        assert f"{round(number, 6)}" not in text
    assert verified(kit, run) == (0, [])


def test_certificate_refuses_what_is_no_run(tmp_path, kit):
    """A folder that is no run is bad input."""
    assert kit.command("certificate", "verify", tmp_path).code == 2
    assert kit.command("certificate", tmp_path).code == 2


# --- the gate of a build --------------------------------------------------------------------------------------------


def test_gate_writes_junit_and_summary(calibrated_study, refused_study, kit, tmp_path, monkeypatch):
    """On GitHub the summary comes by itself and is added to; JUnit and exit code agree; a refused number is in neither."""
    summary = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert kit.command("gate", calibrated_study.base, "--junit", tmp_path / "a.xml").code == 0
    assert kit.command("gate", refused_study.base, "--junit", tmp_path / "b.xml").code == 5
    good, bad = (ET.parse(tmp_path / name).getroot() for name in ("a.xml", "b.xml"))
    assert (good.get("failures"), good.get("errors"), bad.get("errors")) == ("0", "0", "1")
    text = summary.read_text(encoding="utf-8")
    assert "## judgekit gate: pass (small)" in text
    assert "## judgekit gate: refused (small)" in text
    assert "| ⛔ | warmth | women − men | withheld | - | refused |" in text
    assert kit.command("gate", refused_study.base, "--junit", tmp_path / "b.xml").code == 2


# --- compare --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_compare_recomputes_and_withholds(calibrated_copy, kit, tmp_path):
    """Two runs of the same replies count once; a run whose replies changed since is withheld, whatever its files say."""
    from judgekit.files.folders import list_runs

    *_, first, second = list_runs(calibrated_copy.base / "runs")
    said = kit.command("compare", second, first, "--json")
    assert said.code == 4
    assert [r["run"] for r in said.json["runs"]] == [first.name, second.name]
    cells = next(c for c in said.json["contrasts"] if c["metric"] == "warmth")["runs"]
    assert [c["counted"] for c in cells] == [False, True]
    assert cells[1]["verdict"] == "pass"
    other = calibrated_copy.copy(tmp_path / "other")
    run = other.base / "runs" / second.name
    with (other.base / "replies.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n")
    said = kit.command("compare", first, run, "--json")
    assert said.code == 5
    assert "replies.jsonl changed since this run" in said.json["runs"][1]["withheld"]
    assert all("value" not in c["runs"][1] for c in said.json["contrasts"])
    assert kit.command("compare", first, first).code == 2


# --- pytest ---------------------------------------------------------------------------------------------------------

SAMPLE = """
import pytest


@pytest.mark.judgekit(study="good", metric="warmth", contrast=("women", "men"))
def test_passes():
    pass


@pytest.mark.judgekit(study="bad/study.yaml")
def test_fails():
    pass


@pytest.mark.judgekit(study="good", metric="wramth")
def test_no_such_metric():
    pass


@pytest.mark.judgekit(study="nowhere")
def test_no_such_study():
    pass


def test_fixture(judgekit_study):
    assert judgekit_study("good").gap("words", ("women", "men")).verdict == "pass"
    with pytest.raises(Exception, match="is refused"):
        judgekit_study("bad").gap("warmth", ("women", "men"))
"""


def installed(folder):
    """A folder on the path that declares the plugin as the installed distribution would, from pyproject's own table."""
    points = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]["pytest11"]
    info = folder / "judgekit_calibration-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: judgekit-calibration\nVersion: 0.1.0\n", encoding="utf-8"
    )
    lines = ["[pytest11]", *(f"{name} = {place}" for name, place in points.items()), ""]
    (info / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    return folder


@pytest.mark.slow
def test_the_plugin_in_a_project_of_its_own(calibrated_study, refused_study, tmp_path):
    """A calibrated study passes; a refused one, a missing metric and a missing study fail and say why; none is skipped."""
    project = tmp_path / "project"
    project.mkdir()
    (project / "good").symlink_to(calibrated_study.base)
    (project / "bad").symlink_to(refused_study.base)
    (project / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers -p no:cacheprovider\n", encoding="utf-8")
    (project / "test_judge.py").write_text(SAMPLE, encoding="utf-8")
    site = installed(tmp_path / "site")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-rA", "-p", "no:xdist", "-p", "no:hypothesispytest"],
        cwd=project,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(ROOT)]), "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    out = done.stdout
    assert "3 failed, 2 passed" in out, out + done.stderr
    for name, status in (("passes", "PASSED"), ("fixture", "PASSED"), ("fails", "FAILED")):
        assert f"{status} test_judge.py::test_{name}" in out
    assert "warmth: women − men: refused: agreement with people is too low" in out
    assert "the study has no such metric or contrast" in out
    assert "wramth" in out
    assert done.returncode == 1


def test_the_plugin_costs_nothing_where_it_is_not_used():
    """Loading it imports nothing of judgekit but itself."""
    code = "import judgekit.pytest_plugin, sys; print(sorted(m for m in sys.modules if m.startswith('judgekit.')))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['judgekit.pytest_plugin']"


# --- the action and the hook ----------------------------------------------------------------------------------------


def test_the_hook_names_a_command_that_stops_a_broken_study(kit, tmp_path):
    """Its entry is a judgekit command, its pattern finds studies and rubrics, and a broken one ends with a code."""
    import regex

    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    program, command = hook["entry"].split()
    assert program == "judgekit"
    pattern = regex.compile(hook["files"])
    assert all(pattern.search(p) for p in ("study.yaml", "a/study.yml", "names.study.yaml", "rubrics/warmth.yaml"))
    assert not any(pattern.search(p) for p in ("mystudy.yaml", "docs/rubrics.md", "conf.yaml"))
    assert kit.command(command, ROOT / "rubrics" / "warmth.yaml").code == 0
    (tmp_path / "study.yaml").write_text("study: x\n", encoding="utf-8")
    assert kit.command(command, tmp_path / "study.yaml").code != 0


def test_the_action_hands_its_inputs_over_as_variables():
    """No input is pasted into a shell line, where a crafted path would become a command; every input is used."""
    action = yaml.safe_load((ROOT / "examples" / "ci" / "action.yml").read_text(encoding="utf-8"))
    (step,) = action["runs"]["steps"]
    assert "${{" not in step["run"]
    assert {v.split()[1] for v in step["env"].values()} == {f"inputs.{name}" for name in action["inputs"]}
    script = (ROOT / "examples" / "ci" / "gate.sh").read_text(encoding="utf-8")
    assert all(name in script for name in step["env"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "code", "gate", "tag"),
    [
        ("pass", 0, "pass", None),
        ("warn", 4, "warn", "failure"),
        ("fail", 1, "fail", "failure"),
        ("refused", 5, "refused", "error"),
    ],
)
def test_the_action_on_four_studies(kind, code, gate, tag, kit, tmp_path, make_study, calibrated_study, refused_study):
    """The script's exit code, outputs, summary and JUnit on a passing, a warning, a failing and a refused study."""
    margins = {"warn": 0.5, "fail": 0.05}
    if kind in margins:
        rows = kit.reply_rows(colder={"women": 4 if kind == "fail" else 1}, templates=16)
        small = make_study(
            kind, rows=rows, rubrics={"warmth": {"rubric": "warmth", "role": "primary", "margin": margins[kind]}}
        )
        small.calibrated()
    else:
        small = {"pass": calibrated_study, "refused": refused_study}[kind]
    output, summary, junit = tmp_path / "output", tmp_path / "summary.md", tmp_path / "junit.xml"
    done = subprocess.run(
        ["bash", str(ROOT / "examples" / "ci" / "gate.sh")],
        cwd=ROOT,
        env={
            **os.environ,
            "JUDGEKIT": f"{sys.executable} -m judgekit",
            "JUDGEKIT_STUDY": str(small.base),
            "JUDGEKIT_RUN": "true" if kind == "pass" else "false",
            "JUDGEKIT_OUT": str(tmp_path / "runs"),
            "JUDGEKIT_JUNIT": str(junit),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(summary),
            "GITHUB_ACTIONS": "true",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert output.read_text(encoding="utf-8").split("\n")[:3] == [f"gate={gate}", f"junit={junit}", f"exit-code={code}"]
    assert f"## judgekit gate: {gate}" in summary.read_text(encoding="utf-8")
    root = ET.parse(junit).getroot()
    assert (root.find(f".//{tag}") is not None) if tag else root.get("failures") == root.get("errors") == "0"
    assert ("::error" in done.stdout) == (code != 0)


@pytest.mark.slow
def test_the_action_is_red_when_the_gate_is_not_reached(tmp_path):
    """A study that is not there: exit 2, no verdict, and no JUnit file of an earlier build."""
    junit = tmp_path / "junit.xml"
    junit.write_text("<old/>", encoding="utf-8")
    done = subprocess.run(
        ["bash", str(ROOT / "examples" / "ci" / "gate.sh")],
        cwd=ROOT,
        env={
            **os.environ,
            "JUDGEKIT": f"{sys.executable} -m judgekit",
            "JUDGEKIT_STUDY": str(tmp_path / "none; touch pwned"),
            "JUDGEKIT_JUNIT": str(junit),
            "GITHUB_OUTPUT": str(tmp_path / "output"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, junit.exists()) == (2, False)
    assert (tmp_path / "output").read_text(encoding="utf-8") == "gate=\nexit-code=2\n"
