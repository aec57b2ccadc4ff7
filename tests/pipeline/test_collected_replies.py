"""From a probe's collected replies to gaps: arms kept apart, control pairs, variables that a model reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from judgekit.control_pairs import control_gaps
from judgekit.errors import UsageProblem
from judgekit.files.prompts import write_prompts
from judgekit.gate import gate_exit_code
from judgekit.pipeline import assess_study, plan_run, run_study
from judgekit.planning import pilot_of_study
from judgekit.probing.collect import Wanted, collect
from judgekit.probing.expand import expand
from judgekit.records import Reply, Scored, Unscored
from judgekit.reporting.machine import gap_document
from judgekit.reporting.markdown import render_markdown
from judgekit.study import Study, load_study

TEMPLATES = "\n".join(
    [
        "templates:",
        *(f'  - {{id: t{k}, text: "I am {{name}}. Can I pay bill {k} {w}?"}}' for k, w in enumerate("abcdef")),
    ]
)
PEOPLE = {"x": ["Anna", "Emily", "Sarah", "Laura"], "y": ["Tom", "Greg", "Paul", "Mark"]}
MEASURED = {
    "score": {"kind": "number", "terms": ["score"], "margin": 0.25},
    "decision": {"kind": "decision"},
    "tone_fact": {
        "kind": "extracted",
        "margin": 2.0,  # shares differ by 1 at most: held against it, every interval would pass
        "extractor": {
            "spec": "stub:fail=0.2",
            "question": "Does the reply promise a call back?",
            "levels": {"promised": "a call is promised", "none": "no call is promised"},
        },
    },
}


@pytest.fixture
def collected(tmp_path: Path) -> Study:
    """A study whose replies a planted chatbot gave: group y scores 1.5 points less."""
    study = {
        "study": "probed",
        "data": {"replies": "probe/replies.jsonl", "lang": "en"},
        "groups": {"attribute": "name", "values": {g: {"names": names} for g, names in PEOPLE.items()}},
        "rubrics": {"warmth": {"rubric": "warmth"}},
        "measured": MEASURED,
        "swap_test": {"texts": 2, "paraphrase": "none"},
        "probe": {
            "templates": "templates.yaml",
            "replicates": 1,
            "target": {"spec": "stub:biased?decision=-1.5&noise=0.3"},
        },
    }
    (tmp_path / "study.yaml").write_text(yaml.safe_dump(study, sort_keys=False))
    (tmp_path / "templates.yaml").write_text(TEMPLATES)
    read = load_study(tmp_path)
    (tmp_path / "probe").mkdir()
    write_prompts(tmp_path / "probe" / "prompts.jsonl", expand(read).prompts)
    collect(read, Wanted(), now=lambda: "2026-01-01T00:00:00.000+00:00")
    return read


@pytest.mark.slow
def test_only_base_replies_are_compared_and_controls_give_the_floor(collected: Study) -> None:
    """Controls are in no count of the gaps; they stand beside every counted gap; a model's readings are marked as such."""
    before = plan_run(collected)
    found = run_study(collected).findings
    gaps = {g.metric: g for g in found.gaps}
    assert found.blinding.n_in == before.replies == 48
    assert set(gaps) == {
        "score",
        *(f"decision.{level}" for level in ("yes", "no", "refer")),
        "tone_fact.promised",
        "tone_fact.none",
    }
    score, fact = gaps["score"], gaps["tone_fact.none"]
    assert score.raw is not None
    assert score.noise is not None
    assert (score.raw.n_a, score.raw.n_b, score.noise.templates, score.noise.pairs) == (24, 24, 6, 1.0)
    assert score.noise.covers is False
    assert isinstance(score.noise.limit, float)
    assert isinstance(score.noise.pair_limit, float)
    assert 0 < score.noise.limit < score.noise.pair_limit
    assert fact.noise is None
    assert fact.conditions == ("read by a model, not compared with people",)
    assert (fact.verdict, gate_exit_code(fact.verdict, {})) == ("cannot tell", 4)
    certificate = json.loads(next(collected.base.glob("runs/*/certificate.json")).read_text(encoding="utf-8"))
    assert certificate["read_by_model"] == {"tone_fact": fact.conditions[0]}
    lost = {g: sum(kinds.values()) for g, kinds in fact.missing_kinds.items()}
    assert fact.rows is not None
    assert lost == {"x": fact.rows.missing_a, "y": fact.rows.missing_b}
    assert sum(lost.values()) > 0
    assert gap_document(score)["noise_floor"]["covers"] is False
    page = render_markdown(found)
    assert "noise floor ±" in page
    assert "not read: " in page
    again = assess_study(collected)
    assert [g.raw for g in again.gaps] == [g.raw for g in found.gaps]
    assert plan_run(collected).to_send == 0
    with pytest.raises(UsageProblem, match="cannot be planned"):
        pilot_of_study(collected, "tone_fact.none", None)


def test_an_incomplete_control_pair_is_left_out() -> None:
    """A failed half makes no difference of 0."""
    pairs = [Reply(id=f"{t}{r}", text="", unit_id=t, name_pair="1", replicate=r) for t in ("t1", "t2") for r in "12"]
    values = {"t11": Scored(2.0), "t12": Unscored("no_match"), "t21": Scored(1.0), "t22": Scored(4.0)}
    assert control_gaps(pairs, values) == {"t2": [-3.0]}


@pytest.mark.parametrize("text", ["", " \n\u00a0", "\u200b\ufeff"])
def test_a_conversation_without_a_reply_is_missing_and_never_a_number(text: str) -> None:
    """Nothing to read is a failure of its kind, `no_answer` if none is stated: a judge would score what nobody said.

    It is no reply of 0 words either: a chatbot that fell silent more often for one group would seem to write shorter.
    """
    from judgekit import stages
    from judgekit.evidence import Evidence

    study = Study.model_validate(
        {
            "study": "s",
            "data": {"replies": "r.jsonl"},
            "rubrics": {"warmth": {"rubric": "warmth"}},
            "measured": {"words": {"kind": "word_count"}},
        }
    )
    replies = [
        Reply(id="1", text=text, unit_id="t", group="x", lang="en", carried={"error": "timeout"}),
        Reply(id="2", text=text, unit_id="t", group="y", lang="en"),
        Reply(id="3", text="Yes.", unit_id="t", group="y", lang="en", carried={"error": "timeout"}),
    ]
    blinded = stages.blind(replies, study)
    assert list(blinded.results) == ["3"]  # what is judged, sampled and labelled
    design = {reply.id: reply for reply in replies}
    evidence = Evidence(study=study, judge="", rubrics={}, fingerprints={}, design=design, results=blinded.results)
    rows = {r.item: r for r in evidence.measured_rows(stages.measure_all(blinded, study)["words"])}
    assert [(r.value, r.missing) for r in rows.values()] == [(None, "timeout"), (None, "no_answer"), (1.0, None)]
    assert evidence.failures() == "x timeout 1; y no_answer 1"
