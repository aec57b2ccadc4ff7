"""Promise 3: `Scored` or `Unscored(kind)`, counts that add up in every group, failure gaps as metrics."""

import json

import pytest

from judgekit.records import Interval, MetricRow, Scored, Undefined, Unscored


@pytest.fixture
def half(make_study, planted, kit):
    """A study whose judge fails on every fifth reply, one group more often."""
    rows = kit.reply_rows(colder={"women": 3})
    return make_study(rows=rows, judge={"spec": planted("shy_of_short_texts")})


def test_missing_scores_are_null_with_their_kind_in_the_judgments(half, kit):
    """In judgments.jsonl a failure is ``score: null`` and a kind, never 0."""
    outcome = half.run()
    rows = [json.loads(line) for line in (outcome.run_dir / "judgments.jsonl").read_text().splitlines()[1:]]
    failed = [r for r in rows if r["score"] is None]
    expected = {r["id"] for r in half.rows if kit.warm_level(r["text"]) == 0}
    assert {r["item"] for r in failed} == expected
    assert all(isinstance(r["unscored"], str) and r["unscored"] for r in failed)
    assert all(r["score"] in {2, 3, 4, 5} and r["unscored"] is None for r in rows if r not in failed)


def test_counts_add_up_in_every_group_and_dimension(half):
    """Replies in = scored + unscored by kind + withheld, per group."""
    f = half.run().findings
    for groups in f.judging.counts.values():
        assert set(groups) == {"women", "men"}
        for counts in groups.values():
            assert counts["in"] == 64
            assert counts["in"] == sum(n for kind, n in counts.items() if kind != "in")
    women, men = (f.judging.counts["warmth"][g]["scored"] for g in ("women", "men"))
    assert women < men


def test_the_failure_gap_is_the_difference_in_shares(half, kit):
    """The gap in failures is a number with its threshold in the refusal: exactly the planted one."""
    f = half.calibrated().findings
    reason = next(x for r in f.refused for x in r.reasons if x.code == "failure_gap")
    shares = {}
    for group in ("women", "men"):
        rows = [r for r in half.rows if r["group"] == group]
        shares[group] = sum(kit.warm_level(r["text"]) == 0 for r in rows) / len(rows)
    assert reason.value == pytest.approx(shares["women"] - shares["men"])


def test_failure_gaps_of_counted_metrics_are_reported(make_study):
    """A binary metric that is missing in some replies: its failure gap stands beside its gap, also when it is 0."""
    measured = {
        "refund": {"kind": "binary", "positive": ["glad"], "negative": ["sorry"], "margin": 0.9},
        "words": {"kind": "word_count"},
    }
    outcome = make_study(measured=measured).run()
    gaps = {c["metric"]: c for c in json.loads((outcome.run_dir / "gaps.json").read_text())["contrasts"]}
    assert gaps["words"]["failure_gap"] == 0
    assert isinstance(gaps["refund"]["failure_gap"], float)
    assert gaps["refund"]["n_a"] < 64


def test_no_nan_and_no_infinity_in_any_json(half, make_study, kit):
    """Undefined statistics are null or words in JSON; NaN and Infinity are no JSON."""
    one, wrong, read = make_study("one", rows=kit.reply_rows(templates=1, replicates=1)), [], 0
    for small in (half, one):
        run = small.run().run_dir
        for path in run.glob("*.json*"):
            for line in path.read_text().splitlines() if path.suffix == ".jsonl" else [path.read_text()]:
                json.loads(line, parse_constant=lambda name: wrong.append((name, path.name)))  # noqa: B023
                read += 1
    assert wrong == []
    assert read > 100


def test_an_unscored_outcome_compares_with_no_number():
    """`Unscored` and `Undefined` equal no number and cannot be added or ordered."""
    for missing in (Unscored("no_json"), Undefined("too few")):
        assert missing not in (0, 1, 0.0, None, False)
        with pytest.raises(TypeError):
            missing < 1  # noqa: B015
        with pytest.raises(TypeError):
            missing + 1
    assert not Undefined("too few")
    assert Scored(3) != Unscored("3")


def test_a_row_without_a_value_says_why():
    """Metric rows of the evidence: a value, or the kind that is missing."""
    row = MetricRow(item="a", unit_id=None, group=None, name=None, value=None, missing="refusal")
    assert row.value is None
    assert Interval(0.0, 1.0, 0.95, "t").low == 0.0


def test_skipped_labels_are_missing_ratings(make_study, kit):
    """A rater who skips gives no score: the text counts for the other rater alone, and nothing is averaged in."""

    def sometimes(text, annotator, dimension, levels, group):
        if annotator == "karim" and kit.draw("skip", text) < 0.3:
            return None
        return kit.truthful(text, annotator, dimension, levels, group)

    small = make_study()
    small.run()
    small.label("ana", "karim", score=sometimes)
    f = small.run().findings
    rows = {(a.a, a.b): a for a in f.agreement if a.by is None}
    with_karim = next(a for (_, b), a in rows.items() if b == "karim")
    assert with_karim.n < 64
    assert with_karim.n + with_karim.missing == 64
    assert f.calibrated
