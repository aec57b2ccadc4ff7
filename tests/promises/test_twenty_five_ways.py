"""Promise 4: ways to get a refused number out. Each is tried, and docs/refused-numbers.md lists them all.

`WAYS` maps the words of the guide's table to what is done. A further way is one function here and one row there.
"""

import copy
import csv
import dataclasses
import io
import itertools
import json
import pickle
import shutil
from pathlib import Path

import pytest
import regex

from judgekit.errors import NotTheMaker, RefusedMetric
from judgekit.records import Calibrated

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "refused-numbers.md"
WAYS = {}
SLOW = set()
LOW = {"threshold": {"kappa": 0.0}, "per_group": {"kappa": 0.0}, "human_kappa": 0.0, "min_labels": 2,
       "override_reason": "we want the number"}  # fmt: skip


def way(words, *, slow=False):
    """Enter a way under the words that the guide has for it."""

    def enter(function):
        assert words not in WAYS, words
        WAYS[words] = function
        if slow:
            SLOW.add(words)
        return function

    return enter


# --- the study and its seals ---------------------------------------------------------------------------------------


@way("lower the thresholds in `study.yaml`")
def _(a):
    a.small.change("calibration", LOW | {"differential_bias": {"tolerance": 9.0}})
    said = a.tell("run", a.base, "--strict", "--json")
    assert "sealed_later" in a.refused(said.json)
    page = (a.run / "report.md").read_text(encoding="utf-8").replace("\\", "")
    assert "Edited later: calibration.threshold.kappa from 0.6 to 0.0" in page


@way("leave out the rater who disagrees")
def _(a):
    a.small.change("calibration.min_raters", 1)
    a.small.change("labels.annotators", ["ana"])
    reasons = [x for r in a.tell("calibrate", a.base, "--json").json["refused"] for x in r["reasons"]]
    late = {x["value"] for x in reasons if x["code"] == "sealed_later"}
    assert late == {"calibration.min_raters", "labels.annotators"}


@way("a threshold that is infinite or no number")
def _(a):
    before = a.small.file.read_text(encoding="utf-8")
    for key in ("min_labels: 20", "tolerance: 0.5"):
        for value in (".nan", ".inf", "-.inf"):
            assert key in before
            a.small.file.write_text(before.replace(key, f"{key.partition(':')[0]}: {value}"), encoding="utf-8")
            a.tell("gap", a.base, "--metric", "warmth")
    a.small.file.write_text(before.replace("calibration:\n", "calibration:\n  threshold: {kappa: .nan}\n"))
    a.tell("gap", a.base, "--metric", "warmth")


@way("let refusals end with 0: `gate: {exit_codes: {refused: 0}}`")
def _(a):
    a.small.change("gate", {"exit_codes": {"refused": 0}})
    said = a.tell("gate", a.base)
    assert regex.search(r"warmth +women − men +withheld", said.out)


@way("another rubric under the same labels", slow=True)
def _(a):
    from judgekit.data import bundled

    text = bundled("rubrics/warmth.yaml").read_text(encoding="utf-8")
    (a.base / "mine.yaml").write_text(text.replace('version: "1"', 'version: "1.1"'), encoding="utf-8")
    a.small.change("rubrics.warmth.rubric", "mine.yaml")
    assert "rubric_changed" in a.refused(a.tell("run", a.base, "--strict", "--json").json)


@way("another judge under the same labels", slow=True)
def _(a):
    a.small.change("judge.spec", "stub:seed=2")
    assert "have no answer in the ledger" in a.tell("gap", a.base, "--metric", "warmth").err
    assert a.refused(a.tell("run", a.base, "--strict", "--json").json)


@way("take the groups out of the study", slow=True)
def _(a):
    del a.small.settings["groups"]
    a.small.save()
    assert "sealed_later" in a.refused(a.tell("run", a.base, "--strict", "--json").json)


@way("call the study a pilot", slow=True)
def _(a):
    a.small.change("stage", "pilot")
    assert a.refused(a.tell("calibrate", a.base, "--json").json)


@way("copy the study under another name, with lower thresholds and a new seal", slow=True)
def _(a):
    other = a.small.copy(a.base.parent / "other")
    other.change("study", "other")
    other.change("calibration", LOW)
    labels = other.base / "labels"
    (labels / "small.sample.jsonl").rename(labels / "other.sample.jsonl")
    (labels / "small.sample.key.jsonl").rename(labels / "other.sample.key.jsonl")
    said = a.tell("run", other.base, "--strict", "--json")
    reasons = [x for r in said.json["refused"] for x in r["reasons"]]
    assert {x["value"] for x in reasons if x["code"] == "sealed_later"} == {"everything"}


@way("put the seals of another study in their place")
def _(a):
    a.small.change("study", "other")
    (a.base / ".judgekit" / "small").rename(a.base / ".judgekit" / "other")
    assert "belong to another study" in a.tell("run", a.base).err


@way("edit a seal")
def _(a):
    path = a.small.space.seals
    before = path.read_text(encoding="utf-8")
    assert '"kappa": 0.6' in before
    path.write_text(before.replace('"kappa": 0.6', '"kappa": 0.4'), encoding="utf-8")
    for command in (("run",), ("gate",), ("gap", "--metric", "warmth"), ("report",)):
        said = a.tell(command[0], a.base, *command[1:])
        assert "seals.jsonl:1" in said.err
        assert said.out == ""


@way("remove the seals")
def _(a):
    a.small.space.seals.unlink()
    a.small.change("calibration.threshold", {"kappa": 0.4})
    said = a.tell("run", a.base)
    assert "seals.jsonl" in said.err
    assert said.out == ""


@way("remove the whole private folder, ledger and seals")
def _(a):
    shutil.rmtree(a.base / ".judgekit")
    a.small.change("calibration", LOW)
    said = a.tell("run", a.base, "--strict", "--json")
    reasons = [x for r in said.json["refused"] for x in r["reasons"]]
    assert {x["value"] for x in reasons if x["code"] == "sealed_later"} == {"everything"}


# --- labels --------------------------------------------------------------------------------------------------------


@way("edit a score in a label file")
def _(a):
    path = a.small.space.labels / "ana.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    old = lines[4]
    lines[4] = regex.sub(r'"value": \d', '"value": 5' if '"value": 5' not in old else '"value": 1', old)
    assert lines[4] != old
    path.write_text("".join(lines))
    assert "ana.jsonl:5" in a.tell("calibrate", a.base).err


@way("cut disagreements off a label file, or remove it")
def _(a):
    path = a.small.space.labels / "karim.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-3]))
    a.tell("calibrate", a.base)
    path.unlink()
    a.tell("calibrate", a.base)


@way("import labels that are the judge's own scores")
def _(a):
    friends = [f"friend{n}" for n in range(3)]
    table = a.table("labels.csv", score=lambda row: row["score"])
    rows = list(csv.DictReader(io.StringIO(table.read_text())))
    lines = [f"{r['item']},warmth,{who},{r['score']}" for who in friends for r in rows]
    table.write_text("\n".join(["item,dimension,annotator,score", *lines]) + "\n")
    a.small.change("labels.annotators", ["ana", "karim", *friends])
    said = a.tell("labels", "import", a.base, table, "--annotators", ",".join(friends))
    assert "the judge's own scores of warmth" in said.err
    assert a.tell("gap", a.base, "--metric", "warmth").code == 5


@way("labels without spread, so that kappa is no number")
def _(a):
    from judgekit.calibration import calibrate
    from judgekit.gaps import judged_gaps

    same = tuple(dataclasses.replace(label, value=2) for label in a.evidence.labels)
    evidence = dataclasses.replace(a.evidence, labels=same)
    verdicts = calibrate(evidence)
    assert {"uninformative"} <= {x.code for v in verdicts for x in v.reasons}
    assert judged_gaps(evidence, verdicts, {}) == []
    a.show(verdicts)


@way("freeze the labels as anchors for a study with lower thresholds", slow=True)
def _(a):
    a.tell("labels", "freeze", a.base, "-o", a.base / "anchors.jsonl")
    a.small.change("study", "build")
    a.small.change("labels", {"scope": "anchors", "anchors": "anchors.jsonl"})
    a.small.change("calibration", LOW)
    assert "sealed_later" in a.refused(a.tell("run", a.base, "--strict", "--json").json)


# --- the run folder ------------------------------------------------------------------------------------------------


@way("read every file of the run folder")
def _(a):
    for path in sorted(a.run.iterdir()):
        a.show(path.read_text(encoding="utf-8"))
    gaps = json.loads((a.run / "gaps.json").read_text())
    assert [c["metric"] for c in gaps["contrasts"]] == ["words"]
    assert a.refused(gaps)
    assert set(gaps["refused"][0]["reasons"][0]) == {"code", "value", "threshold", "remedy", "more_labels"}
    report = json.loads((a.run / "report.json").read_text())
    assert {k for row in report["agreement"] for k in row} & {"bias", "table", "marginals"} == set()


@way("read the source of the plots, alternative texts and places included")
def _(a):
    page = (a.run / "report.html").read_text(encoding="utf-8")
    told = regex.findall(r"(?<![\w.])[-+−]?\d+\.\d\d(?!\d)", regex.sub(r"(?s)<style>.*?</style>", "", page))
    hidden = {round(abs(n), 2) for name, n in a.prepared.numbers.by_name.items() if "mean of" in name}
    assert len(told) > 20
    assert not hidden & {abs(float(number.replace("−", "-"))) for number in told}
    rows = regex.findall(r'aria-label="([^"]*)"', page)
    assert not [row for row in rows if row.startswith(("raw", "corrected"))]
    assert any(row.startswith("people") for row in rows)
    assert not regex.search(r"warmth: (gap in each template|mean under each name|stub)", page)
    a.show(page)


def solved(rows, judge, people):
    """The judge's rate of the upper level by rater and group: pe = (po - kappa) / (1 - kappa), and the rater's rate is known."""
    found = {}
    for row in rows:
        if row["by"] is None or judge not in {row["a"], row["b"]} or not isinstance(row["kappa"], float):
            continue
        chance = (row["percent"] - row["kappa"]) / (1 - row["kappa"])
        who = row["b"] if row["a"] == judge else row["a"]
        upper = people[who, row["by"]]
        found[who, row["by"]] = (chance - (1 - upper)) / (2 * upper - 1)
    return found


@way("solve the rates of a two-level criterion from kappa and plain agreement by group")
def _(a):
    from judgekit.assess import agreement_of

    people, truth, groups = {}, {}, {row["id"]: row["group"] for row in a.small.rows}
    judged = {j.task.item: j.outcome.value for j in a.evidence.judgments if j.dimension == "thanks"}
    given = [x for x in a.evidence.labels if x.dimension == "thanks" and x.value is not None]
    for who, group in itertools.product(("ana", "karim"), ("women", "men")):
        mine = {x.item: x.value for x in given if (x.annotator, groups[x.item]) == (who, group)}
        people[who, group] = sum(value == 2 for value in mine.values()) / len(mine)
        truth[who, group] = sum(judged[item] == 2 for item in mine) / len(mine)
    everything = [dataclasses.asdict(r) for r in agreement_of(a.evidence)[0] if r.dimension == "thanks"]
    assert solved(everything, a.evidence.judge, people) == pytest.approx(truth)  # the way is real
    told = a.tell("report", a.base, "--json").json["agreement"]
    stored = json.loads((a.run / "agreement.json").read_text())["pairs"]
    for rows in (told, stored):
        assert {row["by"] for row in rows if a.evidence.judge in {row["a"], row["b"]}} == {None}
        assert {row["by"] for row in rows if a.evidence.judge not in {row["a"], row["b"]}} == {None, "women", "men"}
        assert solved(rows, a.evidence.judge, people) == {}
    page = (a.run / "report.html").read_text(encoding="utf-8")
    assert not regex.search(r"(?s)<tr>(?:(?!</tr>).)*stub(?:(?!</tr>).)*<td[^>]*>\s*women|on texts of women", page)
    refused = [r for r in json.loads((a.run / "gaps.json").read_text())["refused"] if r["metric"] == "thanks"]
    assert not regex.search(r"women: -?\d", json.dumps(refused))


@way("edit `report.json` and `gaps.json`, then write the report again")
def _(a):
    for name in ("report.json", "gaps.json"):
        document = json.loads((a.run / name).read_text())
        gaps = document if name == "gaps.json" else document["gaps"]
        gaps.update(refused=[], contrasts=[dict(gaps["contrasts"][0], metric="warmth", verdict="pass")])
        (a.run / name).write_text(json.dumps(document))
    a.tell("report", a.run)
    assert a.refused(json.loads((a.run / "report.json").read_text())["gaps"])
    assert (a.run / "report.md").read_text(encoding="utf-8").startswith("# small: gate refused")


@way("write a certificate by hand", slow=True)
def _(a):
    from judgekit.certificates.document import content_hash

    path = a.run / "certificate.json"
    document = json.loads(path.read_text())
    for metric in document["metrics"]:
        metric.update(verdict="calibrated", conditions=[], reasons=[])
    document["content_sha256"] = content_hash(document)
    path.write_text(json.dumps(document))
    assert "metrics[0].verdict" in a.tell("certificate", "verify", a.run).out
    assert a.tell("gap", a.run, "--metric", "warmth").code == 5


@way("edit `manifest.json`: other settings, an older version", slow=True)
def _(a):
    path = a.run / "manifest.json"
    document = json.loads(path.read_text())
    document["versions"] = dict.fromkeys(document["versions"], "0.0.1")
    document["settings"]["calibration"] = LOW
    path.write_text(json.dumps(document))
    assert a.tell("gap", a.run, "--metric", "warmth").code == 5
    document["format"] = "judgekit manifest 0"
    path.write_text(json.dumps(document))
    a.tell("gap", a.run, "--metric", "warmth")


@way("run again into a fresh folder")
def _(a):
    said = a.tell("run", a.base, "--out", a.base.parent / "fresh")
    assert "Not reported, because refused: warmth, thanks." in said.out
    assert list((a.base.parent / "fresh").iterdir())


@way("purge what was stored, then ask for the report", slow=True)
def _(a):
    a.tell("purge", a.run, "--yes")
    a.tell("report", a.base, "--json")
    a.tell("purge", a.base, "--all", "--yes")
    a.tell("report", a.base)


# --- commands on the study -----------------------------------------------------------------------------------------


@way("`run` as JSON, with a log of everything", slow=True)
def _(a):
    with a.log():
        assert a.refused(a.tell("--debug", "run", a.base, "--json").json)


@way("`calibrate`, in words and as JSON", slow=True)
def _(a):
    a.tell("calibrate", a.base)
    a.refused(a.tell("calibrate", a.base, "--json").json)


@way("`gate`, JUnit, and the step summary of a build")
def _(a):
    a.monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(a.base / "step.md"))
    a.tell("gate", a.base, "--junit", a.base / "junit.xml", "--json")
    assert (a.base / "junit.xml").read_text().count("<error") == 2
    assert "withheld" in (a.base / "step.md").read_text()


@way("`gap` with the groups turned round and the options in another order")
def _(a):
    said = a.tell("gap", "--json", "--groups", "men,women", "--metric", "warmth", a.base)
    assert a.refused(said.json)
    assert "REFUSED" in a.tell("gap", "--metric=thanks", a.run).out


@way("`gap` under other names: `score`, `WARMTH`, `warmth.raw`")
def _(a):
    for name in ("score", "WARMTH", "warmth.raw"):
        a.tell("gap", a.base, "--metric", name)


@way("`gap` with options that are not for a study: `--margin`, `--level`, `--pairwise`, `--disparity`")
def _(a):
    for option in (
        ("--margin", "9"),
        ("--level", "0.5"),
        ("--claim", "these_names"),
        ("--pairwise",),
        ("--disparity",),
    ):
        a.tell("gap", a.base, "--metric", "warmth", *option)


@way("`gap --words`, the words that differ", slow=True)
def _(a):
    said = a.tell("gap", a.base, "--metric", "warmth", "--words", "--json")
    assert said.json["words"]


@way("`swaptest`, `doctor`, `labels export`: what else is told of the study")
def _(a):
    a.tell("swaptest", a.base, "--json")
    a.tell("doctor", a.base, "--json")
    a.tell("labels", "export", a.base, "-o", a.base / "labels.csv")


@way("`compare` of two runs", slow=True)
def _(a):
    a.tell("compare", *a.runs, "--json")


@way("`power` with the study as its pilot")
def _(a):
    said = a.tell("power", a.base, "--metric", "warmth", "--json")
    assert "people's own scores" in json.dumps(said.json)


@way("`report --html` to another place", slow=True)
def _(a):
    a.tell("report", a.base, "--html", a.base / "page.html", "-o", a.base / "page.md")


# --- the judge's scores as somebody's table ------------------------------------------------------------------------


@way("`gap` on `judgments.jsonl`")
def _(a):
    a.tell("gap", a.run / "judgments.jsonl", "--metric", "score")


@way("`gap` on a table of the judge's scores, under any name")
def _(a):
    for column in ("score", "kindness"):
        table = a.table(f"{column}.csv", **{column: lambda row: row["score"]})
        a.tell("gap", table, "--metric", column, "--json")


@way("`gap --disparity` on a table of the judge's scores")
def _(a):
    a.tell("gap", a.table("t.csv", kind=lambda row: row["score"]), "--metric", "kind", "--disparity")


@way("`gap --pairwise` on the judge's comparisons")
def _(a):
    ids = [row["id"] for row in a.small.rows]
    rows = [f"p{n},{ids[n]},{ids[n + 3]}" for n in range(3)]
    (a.base / "pairs.csv").write_text("\n".join(["pair_id,a,b", *rows]) + "\n")
    judged = a.kit.command("judge", a.run / "blinded.jsonl", "--no-design", "--rubric", "warmth", "--judge", "stub:seed=1", "--pairs",
                           a.base / "pairs.csv", "-o", a.base / "judgments.jsonl")  # fmt: skip
    assert judged.code == 0, judged.err
    a.tell("gap", a.base / "judgments.jsonl", "--metric", "choice", "--pairwise")


@way("`power` on a table of the judge's scores")
def _(a):
    a.tell("power", a.table("t.csv", kind=lambda row: row["score"]), "--metric", "kind")


def joined(a):
    """The judge's scores and people's in one long table, with the group beside them."""
    table = a.table("t.csv", score=lambda row: row["score"])
    groups = {row["id"]: row["group"] for row in a.small.rows}
    rows = [(r["item"], "judge", r["score"], r["group"]) for r in csv.DictReader(io.StringIO(table.read_text()))]
    rows += [(x.item, x.annotator, x.value, groups[x.item]) for x in a.evidence.labels if x.dimension == "warmth"]
    lines = [f"{item},warmth,{who},{score},{group}" for item, who, score, group in rows]
    table.write_text("\n".join(["item,dimension,annotator,score,group", *lines]) + "\n")
    return table


@way("`agree --by group` on the judge's scores beside people's")
def _(a):
    a.tell(
        "agree",
        joined(a),
        "--judge",
        "judge",
        "--humans",
        "ana,karim",
        "--levels",
        "1,2,3,4,5",
        "--by",
        "group",
        "--json",
    )


@way("`judgekit.gap` and `judgekit.agree` on a frame of the judge's scores, in a notebook")
def _(a):
    import pandas as pd

    import judgekit

    a.monkeypatch.chdir(a.base)
    frame, both = (pd.read_csv(t) for t in (a.table("k.csv", kind=lambda row: row["score"]), joined(a)))
    a.raises(lambda: judgekit.gap(frame, metric="kind"), kind=RefusedMetric)
    a.raises(
        lambda: judgekit.agree(both, judge="judge", humans=["ana"], levels=[1, 2, 3, 4, 5], by="group"),
        kind=RefusedMetric,
    )


# --- Python --------------------------------------------------------------------------------------------------------


@way("`assess_study` in Python: what it returns, printed, copied, pickled, as a notebook shows it")
def _(a):
    import judgekit

    found = judgekit.assess_study(a.small.study)
    assert not [gap for gap in found.gaps if gap.kind == "judged"]
    again = pickle.loads(pickle.dumps(found))
    shown = [getattr(thing, "_repr_html_", lambda: "")() for thing in (found, *found.gaps, *found.refused)]
    a.show(found, again, copy.deepcopy(found), json.dumps(dataclasses.asdict(found), default=str), *shown)


@way("the fixture of the pytest plugin", slow=True)
def _(a):
    import judgekit
    from judgekit.pytest_plugin import StudyResult

    result = StudyResult(a.small.study, judgekit.assess_study(a.small.study))
    a.show(*result.problems())
    a.raises(lambda: result.gap("warmth", ("women", "men")), kind=RefusedMetric, match="is refused")


@way("a `Study` changed in Python: `model_copy`, `model_construct`", slow=True)
def _(a):
    import judgekit

    study = judgekit.load_study(a.small.file)
    low = study.calibration.model_copy(
        update={"min_labels": 2, "threshold": study.calibration.threshold.model_copy(update={"kappa": float("-inf")})}
    )
    made = type(study).model_construct(**dict(study) | {"calibration": low})
    object.__setattr__(made, "__pydantic_private__", study.__pydantic_private__)
    for changed in (study.model_copy(update={"calibration": low}), made):
        found = judgekit.assess_study(changed)
        assert not [gap for gap in found.gaps if gap.kind == "judged"]
        assert "sealed_later" in {x.code for r in found.refused for x in r.reasons}
        a.show(found)


@way("`judged_gaps` with the refused verdicts")
def _(a):
    from judgekit.gaps import judged_gaps

    assert judged_gaps(a.evidence, a.verdicts, {}) == []
    a.show(a.verdicts)


@way("make a `Calibrated` by its constructor, or ask for the token that it wants")
def _(a):
    from judgekit.records import claim_maker

    fields = {"judge": a.evidence.judge, "dimension": "warmth", "contrast": None, "evidence": {}, "conditions": ()}
    for maker in (None, object(), "judgekit.calibration"):
        a.raises(lambda maker=maker: Calibrated(**fields, publish_raw=True, maker=maker), kind=NotTheMaker)
    a.raises(lambda: claim_maker("Calibrated"), kind=NotTheMaker)


@way("put a `Calibrated` together past its constructor, or copy or unpickle one")
def _(a):
    from judgekit.gaps import judged_gaps

    made = a.forged(a.evidence)
    for one in (made, copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        a.raises(lambda one=one: judged_gaps(a.evidence, [one], {}), kind=RefusedMetric, match="by hand")


def honest(a):
    """Evidence on which the judge is calibrated, and its verdict: the same study, had people agreed with the judge."""
    from judgekit.calibration import calibrate

    judged = {(j.dimension, j.task.item): j.outcome.value for j in a.evidence.judgments}
    agreeing = tuple(dataclasses.replace(x, value=judged[x.dimension, x.item]) for x in a.evidence.labels)
    evidence = dataclasses.replace(a.evidence, labels=agreeing)
    return evidence, next(v for v in calibrate(evidence) if isinstance(v, Calibrated))


@way("a true verdict of other evidence, or one that was widened")
def _(a):
    from judgekit.gaps import judged_gaps

    evidence, good = honest(a)
    a.raises(lambda: judged_gaps(a.evidence, [good], {}), kind=RefusedMetric, match="other labels or judgments")
    for changes in ({"dimension": "thanks"}, {"publish_raw": not good.publish_raw}, {"contrast": None}):
        a.raises(lambda c=changes: dataclasses.replace(good, **c, maker=None), kind=NotTheMaker)
        turned = copy.copy(good)
        for name, value in changes.items():
            object.__setattr__(turned, name, value)
        if turned.contrast is not None:
            a.raises(lambda t=turned: judged_gaps(evidence, [t], {}), kind=RefusedMetric)


@way("take labels, judgments, groups or seals away after the verdict")
def _(a):
    from judgekit.gaps import judged_gaps

    evidence, good = honest(a)
    one = next(iter(evidence.design))
    group = "men" if evidence.design[one].group == "women" else "women"
    moved = {**evidence.design, one: dataclasses.replace(evidence.design[one], group=group)}
    for change in (
        {"labels": evidence.labels[:-1]},
        {"judgments": evidence.judgments[:-1]},
        {"sealed_later": ("everything",)},
        {"design": moved},
    ):
        other = dataclasses.replace(evidence, **change)
        a.raises(lambda other=other: judged_gaps(other, [good], {}), kind=RefusedMetric)


# --- the test ------------------------------------------------------------------------------------------------------


def rows_of_the_guide():
    """The table of the guide: what somebody tries, and the exit codes it names."""
    text = GUIDE.read_text(encoding="utf-8")
    found = regex.findall(r"^\| (\d+) \| (.+?) \| (.+?) \| (.+?) \|$", text, flags=regex.MULTILINE)
    assert [int(number) for number, *_ in found] == list(range(1, len(found) + 1))
    return {words: ends for _, words, _, ends in found}


def test_the_guide_lists_exactly_the_ways_that_are_tried():
    """The same ways in the same order, twenty-five at least."""
    assert list(rows_of_the_guide()) == list(WAYS)
    assert len(WAYS) >= 25


@pytest.mark.parametrize("words", [pytest.param(w, marks=[pytest.mark.slow] if w in SLOW else []) for w in WAYS])
def test_no_way_gets_the_number(words, attempt):
    """Nothing that was said or written has a refused number, to any number of digits; it ends as the guide says."""
    WAYS[words](attempt)
    attempt.check()
    assert (", ".join(map(str, dict.fromkeys(attempt.ends))) or "-") == rows_of_the_guide()[words]


def test_a_refusal_carries_value_threshold_and_remedy(prepared):
    """Every reason of every refusal says what was met, what is needed and what would change it."""
    reasons = [x for v in prepared.verdicts for x in v.reasons]
    assert reasons
    assert all(x.code and x.remedy and x.value is not None for x in reasons)


def test_the_numbers_are_found_where_they_stand(prepared, attempt):
    """The search works: on honest evidence the gap is shown and found, rounded or not, with either sign, as a share too."""
    from judgekit.gaps import judged_gaps

    evidence, good = honest(attempt)
    numbers = prepared.numbers
    assert numbers.seen(repr(judged_gaps(evidence, [good], {})))
    gap = numbers.by_name["warmth, raw gap"]
    assert gap < -0.4
    for text in (f"{gap:.2f}", f"−{-gap:.4f}", f"{gap:.6e}", json.dumps([gap]), f"{-gap:.2f}".replace(".", ",")):
        assert numbers.seen(text), text
    rate = numbers.by_name["rate of women"]
    assert numbers.seen(f"{100 * rate:.2f}%")
    assert not numbers.seen("0.12, 12 and 2026-11-30T01:49:02.66Z")
