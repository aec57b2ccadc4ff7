"""BBQ rows read, matched, scored, and the command on top of it."""

import json
from pathlib import Path

import pytest

from judgekit.errors import BadInput
from judgekit.probing.bbq import bbq_categories, bbq_row
from judgekit.records import Interval, Undefined
from judgekit.statistics.bbq import BbqAnswer, bbq_scores

REAL = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "real"


def record(**changes):
    """One row of an invented category."""
    return {
        "category": "Hats",
        "context_condition": "ambig",
        "question_polarity": "neg",
        "question_index": "1",
        "answer_info": {"ans0": ["Tall", "tall"], "ans1": ["Cannot tell", "unknown"], "ans2": ["Flat", "flat"]},
        "additional_metadata": {"stereotyped_groups": ["Flat"]},
        "ans0": "The one in the tall hat",
        "ans1": "Cannot tell",
        "ans2": "The one in the flat hat",
        "label": 1,
        "said": "the one in the FLAT hat.",
    } | changes


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("the one in the FLAT hat.", "target"),
        ("The one in the tall hat", "non_target"),
        ("cannot tell", "unknown"),
        ("2", "target"),
        ("(b)", "unknown"),
        ("ans0", "non_target"),
        ("the hat", None),
        ("", None),
        (None, None),
        ("\ud800" * 3, None),
    ],
)
def test_an_answer_is_an_option_or_nothing(said, expected):
    """Case and closing punctuation do not matter; what is no option is no answer."""
    found = bbq_row(record(said=said), "said").answer
    assert (found and found.answer) == expected


def test_the_target_may_be_stated_or_written_as_json():
    """`target_loc` wins over the groups; nested values may be JSON text; "M-Flat" belongs to Flat."""
    info = json.dumps({"ans0": ["Tall", "F-Flat"], "ans1": ["", "unknown"], "ans2": ["Flat", "M-Tall"]})
    assert bbq_row(record(answer_info=info, said="0"), "said").answer.answer == "target"
    assert bbq_row(record(target_loc="0", said="0"), "said").answer.answer == "target"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"label": 3}, "label"),
        ({"context_condition": "clear"}, "context_condition"),
        ({"question_polarity": None}, "question_polarity"),
        ({"answer_info": "[["}, "answer_info"),
        ({"additional_metadata": {"stereotyped_groups": ["Cap"]}}, "additional_metadata.stereotyped_groups"),
        ({"additional_metadata": {"stereotyped_groups": ["Flat", "Tall"]}}, "additional_metadata.stereotyped_groups"),
    ],
)
def test_a_row_of_something_else_is_refused(changes, field):
    """The error names the field."""
    with pytest.raises(BadInput) as problem:
        bbq_row(record(**changes), "said")
    assert problem.value.field == field


def test_the_interval_takes_templates_as_the_unit():
    """Sixty answers of two templates that disagree are two observations, so the interval is wide."""

    def answers(templates):
        return [
            BbqAnswer(
                context="disambig",
                answer="target" if n % 2 else "non_target",
                polarity="neg",
                correct=True,
                question=str(n % templates),
            )
            for n in range(60)
        ]

    apart, alike = bbq_scores(answers(2)).s_dis_interval, bbq_scores(answers(60)).s_dis_interval
    assert (apart.low, apart.high) == (-1.0, 1.0)
    # By hand: 60 single answers, pulls of +-1/60, error sqrt(60/59 * 60/3600) = 0.13019, t(59) = 2.00100.
    assert alike.high == pytest.approx(2.00100 * 0.13019, abs=1e-4)
    assert isinstance(bbq_scores(answers(1)).s_dis_interval, Undefined)
    one_way = bbq_scores([BbqAnswer(context="ambig", answer="target", polarity="neg", correct=False)] * 5)
    assert isinstance(one_way.ambig.s_raw_interval, Interval)
    assert one_way.ambig.s_raw_interval.low < 0.5


def test_unmatched_answers_are_counted_and_said(tmp_path, kit):
    """They are in n, in unmatched and in a line on standard error, and in no score."""
    file = tmp_path / "hats.jsonl"
    file.write_text("".join(json.dumps(record(said=s)) + "\n" for s in ("2", "no idea", "no idea")), encoding="utf-8")
    said = kit.command("bbq", file, "--answer", "said", "--json")
    hats = said.json["categories"]["Hats"]
    assert said.code == 0
    assert (hats["ambig"]["n"], hats["ambig"]["matched"], hats["ambig"]["unmatched"]) == (3, 1, 2)
    assert hats["ambig"]["s_amb"] == 1.0
    assert hats["disambig"]["s_dis"] is None
    assert "no rows" in hats["disambig"]["undefined"]["s_dis"]
    err = kit.command("bbq", file, "--answer", "said").err
    assert "2 answers match no option" in err
    assert "'no idea' (2)" in err


def test_a_wrong_column_or_row_is_bad_input(tmp_path, kit):
    """Exit 2 with the line and the field, no traceback."""
    file = tmp_path / "hats.jsonl"
    file.write_text(json.dumps(record()) + "\n" + json.dumps(record(label="x")) + "\n", encoding="utf-8")
    assert kit.command("bbq", file, "--answer", "nope").code == 2
    said = kit.command("bbq", file, "--answer", "said", "--json")
    assert (said.code, said.out) == (2, "")
    assert "2" in said.err
    assert "label" in said.err


def test_the_benchmark_s_own_answers():
    """UnifiedQA's answers give the published counts and scores (definitions of Parrish and others, 2022)."""
    if not (REAL / "bbq_unifiedqa.jsonl").exists():
        pytest.skip("../shared/data/real/bbq_unifiedqa.jsonl is not there")
    rows = [json.loads(line) for line in (REAL / "bbq_unifiedqa.jsonl").read_text(encoding="utf-8").splitlines()]
    expected = json.loads((REAL / "bbq_expected.json").read_text(encoding="utf-8"))
    for column, cells in expected.items():
        found = bbq_categories(bbq_row(row, column) for row in rows)
        for name, values in cells.items():
            category, kind = name.split("/")
            context = getattr(found[category].scores, kind)
            assert (context.n, context.non_unknown, context.biased) == (
                values["matched"],
                values["nonunk"],
                values["biased"],
            )
            assert context.n + found[category].unmatched[kind] == values["n"]
            assert context.accuracy == pytest.approx(values["accuracy"], abs=1e-12)
            assert context.s_raw == pytest.approx(values["s_dis"], abs=1e-12)
            score = found[category].scores.s_amb if kind == "ambig" else found[category].scores.s_dis
            assert score == pytest.approx(values["s"], abs=1e-12)
