"""``judge --pairs`` and ``--dry-run``: outcomes in canonical terms, position bias, no group's wins, and what it would cost."""

import json

import pytest

PAIRS = "pair_id,a,b\np1,a1,a2\np2,b1,b2\np3,c1,c2\n"


@pytest.fixture
def blinded(tmp_path, kit):
    """Six blinded replies of two groups; in every pair the first is of one group."""
    texts = {
        "a1": "We are so glad to help you, wonderful!", "a2": "This was denied, it is your fault.",
        "b1": "No. This is a bad and wrong claim.", "b2": "Wonderful news, we are delighted.",
        "c1": "It leaves the house on Monday.", "c2": "It leaves the house on Monday.",
    }  # fmt: skip
    rows = [{"id": k, "text": v, "lang": "en", "group": f"g{k[1]}", "template_id": k[0]} for k, v in texts.items()]
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "p.csv").write_text(PAIRS)
    assert kit.command("blind", tmp_path / "r.jsonl", "-o", tmp_path / "b.jsonl", "--ner", "off").code == 0
    return tmp_path / "b.jsonl"


@pytest.fixture
def pairs(blinded, tmp_path, kit):
    """Compares them."""

    def run(judge, *more):
        given = ("judge", blinded, "--rubric", "warmth", "--judge", judge, "--pairs", tmp_path / "p.csv")
        return kit.command(*given, "-o", tmp_path / "j.jsonl", *more)

    return run


def test_pairs_are_judged_in_both_orders(pairs, tmp_path):
    """Each call is a row in canonical terms; counts tell winners, ties and positions, and never whose wins they are."""
    done = pairs("lexicon", "--json")
    assert done.code == 0, done.err
    assert done.json["counts"]["warmth"] == {"in": 3, "decided": 2, "tie": 1, "inconsistent": 0, "withheld": 0}
    assert done.json["position_bias"]["warmth"]["bias"] == 0.0
    head, *rows = [json.loads(line) for line in (tmp_path / "j.jsonl").read_text().splitlines()]
    assert (head["judgekit"], head["kind"]) == ("judgments", "pairs")
    assert {(r["item"], r["shown_first"], r["choice"], r["outcome"]) for r in rows} == {
        (pair, first, choice, choice)
        for pair, choice in (("p1", "a"), ("p2", "b"), ("p3", "tie"))
        for first in ("a", "b")
    }
    again = pairs("lexicon", "--dry-run", "--json").json
    assert (again["calls"], again["answered"], again["to_send"]) == (6, 6, 0)


def test_a_judge_that_goes_by_position(pairs):
    """It is inconsistent on every pair, and its bias is +0.5 with an interval that does not pretend to certainty."""
    done = pairs("stub:first=1", "--json")
    assert done.json["counts"]["warmth"]["inconsistent"] == 3
    bias = done.json["position_bias"]["warmth"]
    assert (bias["bias"], bias["pairs"], bias["calls"]) == (0.5, 3, 6)
    assert bias["ci"][0] < 0.2
    assert bias["ci"][1] == 0.5
    assert "position bias +0.50 (95% [" in pairs("stub:first=1", "--force").out


def test_pairs_that_cannot_be_compared(pairs, tmp_path, blinded):
    """A reply that is not there is refused; a pair with a withheld one is counted as such."""
    (tmp_path / "p.csv").write_text(PAIRS + "p4,a1,zz\n")
    refused = pairs("lexicon")
    assert refused.code == 2
    assert "zz" in refused.err
    assert not (tmp_path / "j.jsonl").exists()
    (tmp_path / "p.csv").write_text(PAIRS)
    blinded.write_text(blinded.read_text().replace("delighted", "delighted, Mrs. Smith and her husband"))
    counts = pairs("lexicon", "--json").json["counts"]["warmth"]
    assert (counts["in"], counts["withheld"], counts["decided"]) == (3, 1, 1)


def test_what_it_would_cost(blinded, tmp_path, kit):
    """Tokens, cost and minutes, each with what it rests on; nothing is written; answers that are there tell the rate."""
    priced = ("--judge", "openai:m", "--price-in", "10", "--price-out", "100", "--dry-run", "--json")
    before = kit.listing(tmp_path)
    plan = kit.command(
        "judge", blinded, "--rubric", "warmth", *priced, "--rate", "0.5", "-o", tmp_path / "x.jsonl"
    ).json
    assert kit.listing(tmp_path) == before
    assert plan["to_send"] == 5  # two texts are the same
    assert plan["prompt_tokens"] == round(plan["characters"] / 4)
    assert plan["cost"] == pytest.approx((plan["prompt_tokens"] * 10 + plan["output_tokens"] * 100) / 1e6)
    assert plan["cost"] < plan["most_cost"]
    assert plan["minutes"] == pytest.approx(5 / 0.5 / 60)
    assert "stated" in plan["how"]["minutes"]
    unknown = kit.command("judge", blinded, "--rubric", "warmth", "--judge", "openai:m", "--dry-run")
    assert "cost: unknown: no prices are stated" in unknown.out
    free = ("judge", blinded, "--rubric", "warmth", "--judge", "stub:delay=0.001", "-o", tmp_path / "s.jsonl")
    assert kit.command(*free).code == 0
    measured = kit.command(*free, "--repeats", "2", "--dry-run", "--json").json
    assert (measured["answered"], measured["to_send"], measured["cost"]) == (5, 5, 0.0)
    assert "measured" in measured["how"]["minutes"]


def test_comparisons_that_come_back_as_a_table_give_no_preference(pairs, tmp_path, kit):
    """Stripped of every column but id and choice they are known by their pairs, turned round too; people's own are not."""
    assert pairs("lexicon").code == 0
    rows = [json.loads(line) for line in (tmp_path / "j.jsonl").read_text().splitlines()[1:]]
    table = tmp_path / "t.csv"

    def asked(of, name="item"):
        lines = [f"{r['item']},t{n // 2},{of(r)}" for n, r in enumerate(rows)]
        table.write_text(f"{name},template_id,better\n" + "\n".join(lines) + "\n", encoding="utf-8")
        return kit.command("gap", table, "--metric", "better", "--pairwise", "--json")

    for of in (lambda r: r["choice"], lambda r: {"a": "b", "b": "a"}.get(r["outcome"], "tie")):
        for name in ("item", "Pair_ID"):
            refused = asked(of, name)
            assert (refused.code, refused.out) == (5, "")
            assert "own comparisons on warmth" in refused.err
    assert asked(lambda r: "a" if r["item"] == "p3" else r["choice"]).json["preference"]["wins_a"] == 4
    said = kit.command("gap", tmp_path / "j.jsonl", "--metric", "choice", "--pairwise")
    assert (said.code, said.out) == (5, "")
