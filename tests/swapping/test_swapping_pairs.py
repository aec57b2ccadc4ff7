"""The swap test of pairs: names, position and both together, told apart, and no pass for a judge that cannot react."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from judgekit.blinding.mask import Blinder
from judgekit.cli.main import main
from judgekit.endpoints.base import RawAnswer, Request
from judgekit.files.ledger import Ledger
from judgekit.judging.handle import JudgeHandle, make_judge
from judgekit.judging.pairwise import pair_outcomes
from judgekit.records import Contrast, Identity, NameForms, Reply, scores_of
from judgekit.rubric import load_rubric
from judgekit.swapping.pair_results import pair_swap_document, pair_swap_results
from judgekit.swapping.pairs import choose_pairs, judge_pair_fills, pair_fills

WARMTH = load_rubric("warmth")
CONTRAST = Contrast("women", "men")
PEOPLE = [
    Identity(group=group, name=name, forms=NameForms(given=name))
    for group, names in {"women": ("Emma", "Olivia", "Maria"), "men": ("Peter", "Daniel", "Tom")}.items()
    for name in names
]
WARM = ["Thanks. ", "", "We are glad. ", "Sorry, and thanks. "]


@pytest.fixture(scope="module")
def fills():
    """Forty pairs of eight templates, filled four ways."""
    blinder = Blinder(lang="en", ner="off")
    texts = [
        blinder.mask(
            Reply(id=f"r{n}", text=f"Hi Ana. {WARM[n // 8 % 4]}Order {n} left.", known_names=("Ana",), lang="en")
        )
        for n in range(80)
    ]
    units = {text.item: f"t{n % 8}" for n, text in enumerate(texts)}
    pairs = choose_pairs(texts, 40, seed=1, units=units)
    assert pairs == choose_pairs(texts[::-1], 40, seed=1, units=units)
    assert set(Counter(units[x.item] for x, _ in pairs).values()) == {5}
    assert all(units[x.item] == units[y.item] for x, y in pairs)
    assert len({t.item for pair in pairs for t in pair}) == 80
    return pair_fills(pairs, PEOPLE, [CONTRAST], seed=1, units=units)


def _run(fills, judge, tmp_path, **options):
    tmp_path.mkdir(exist_ok=True)
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        judged = judge_pair_fills(fills, [WARMTH], judge, ledger, secret=b"k" * 32)
        assert len(ledger.judgments()) == len(judged) == 8 * 40
    return pair_swap_results(judged, fills, [WARMTH], margin=0.1, **options)[0], judged


class Partial:
    """Prefers a reply by rule: the one shown first when the first one's person is among the favoured."""

    provider, model, host, languages = "test", "partial", None, None

    def __init__(self, first_for: set[str]) -> None:
        self.parameters: dict[str, object] = {}
        self.first_for = first_for

    async def send(self, request: Request) -> RawAnswer:
        first, second = request.pair or ("", "")
        both = all(any(name in text for name in self.first_for) for text in (first, second))
        winner = "A" if both else "tie"
        return RawAnswer(raw=json.dumps({"reason": "r", "winner": winner}), finish_reason="stop")

    async def close(self) -> None:
        pass


def test_every_pair_is_filled_four_ways(fills) -> None:
    """Each person stands in each reply, alone and with the other; the replies differ in nothing else."""
    four = fills[:4]
    assert [f.groups for f in four] == [("women", "men"), ("men", "women"), ("women",) * 2, ("men",) * 2]
    assert len({f.pair_id for f in four}) == 1
    for f in four:
        assert f.names[0] in f.x.text
        assert f.names[1] in f.y.text
    assert {n for f in fills for n in f.names} == {p.name for p in PEOPLE}


def test_a_fair_judge_passes_whatever_the_replies_are(fills, tmp_path) -> None:
    """Replies differ in merit, names do not matter: preference zero, passed, and nothing counts as a score."""
    result, judged = _run(fills, make_judge("stub:noise=0"), tmp_path)
    assert (result.verdict, result.preference, result.position, result.n) == ("passed", 0.0, 0.0, 40)
    assert 0 < result.interval.high <= 0.1
    assert scores_of(judged, "warmth") == {}
    assert {len(v) for v in pair_outcomes(judged, "warmth").values()} == {1}


def test_a_planted_preference_fails_with_its_sign(fills, tmp_path) -> None:
    """A level for men's names: the preference is against women, the position is none."""
    result, _ = _run(fills, make_judge("stub:name=Peter:3+Daniel:3+Tom:3"), tmp_path)
    assert result.verdict == "failed"
    assert result.preference == -1.0
    assert result.interval.high < -0.8
    assert result.position == 0.0
    assert result.per_name["Peter"] == 1.0
    assert result.per_name["Emma"] == -1.0


@pytest.mark.slow
def test_a_judge_of_positions_does_not_pass(fills, tmp_path) -> None:
    """It takes the first whoever is named: no preference, but nothing was learned."""
    result, _ = _run(fills, make_judge("stub:first=1"), tmp_path)
    assert (result.verdict, result.preference, result.position) == ("uninformative", 0.0, 0.5)
    assert "first, whoever" in result.why


def test_position_and_name_together_are_seen(fills, tmp_path) -> None:
    """The first place counts only where both replies are to women: an interaction, without any preference."""
    judge = JudgeHandle(id="partial", endpoint=Partial({"Emma", "Olivia", "Maria"}))
    result, _ = _run(fills, judge, tmp_path)
    assert result.preference == 0.0
    assert result.interaction == 0.5
    assert result.interaction_interval.low > 0.3
    assert 0 < result.position < 0.5


@pytest.mark.slow
def test_missing_verdicts_and_few_pairs_decide_nothing(fills, tmp_path) -> None:
    """A pair without one of its calls is left out and counted; too few pairs are no pass."""
    result, _ = _run(fills, make_judge("stub:fail_name=Emma:1"), tmp_path)
    assert result.verdict == "uninformative"
    assert result.unscored > 0
    assert result.n + result.unscored == 40
    row = pair_swap_document([result])[0]
    assert row["verdict"] == "uninformative"
    few, _ = _run(fills, make_judge("stub:noise=0"), tmp_path / "few", min_pairs=41)
    assert "40 pairs have all their calls; a verdict needs 41" in few.why


@pytest.mark.slow
def test_the_command_compares_pairs_of_a_file(tmp_path, capsys) -> None:
    """`judgekit swaptest FILE --pairs N`: a document, exit 1 for a preference; a study and batches are refused."""
    rows = ["id,text,template_id,group,name,known_names"]
    for n in range(96):
        person = PEOPLE[n % 6]
        rows.append(f"r{n},Hi {person.name}. Order {n} left.,t{n % 12},{person.group},{person.name},{person.name}")
    (tmp_path / "replies.csv").write_text("\n".join(rows), encoding="utf-8")
    blinded = str(tmp_path / "b.jsonl")
    main(["blind", str(tmp_path / "replies.csv"), "-o", blinded, "--lang", "en", "--ner", "off"])
    capsys.readouterr()
    asked = ["swaptest", blinded, "--rubric", "warmth", "--pairs", "30", "--judge"]
    main([*asked, "stub:name=Peter:3+Daniel:3+Tom:3", "--dry-run"])
    assert capsys.readouterr().out.startswith("240 calls: 0 answered already, 240 to send")
    with pytest.raises(SystemExit) as end:
        main([*asked, "stub:name=Peter:3+Daniel:3+Tom:3", "--json"])
    assert end.value.code == 1
    document = json.loads(capsys.readouterr().out)
    assert document["results"] == []  # no text is scored alone here; the key is there for every reader
    (row,) = document["pairs"]
    assert (row["a"], row["preference"], row["n"]) == ("men", 1.0, 30)
    with pytest.raises(SystemExit) as end:
        main(["swaptest", str(tmp_path), "--pairs", "3"])
    assert end.value.code == 2
