"""The paraphrase arm of the swap test: as many tokens, the same person, verified again, and compared with the names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judgekit.blinding.mask import Blinder
from judgekit.blinding.verify import Verifier
from judgekit.errors import ConfigProblem
from judgekit.files.ledger import Ledger
from judgekit.judging.handle import make_judge
from judgekit.judging.swap_results import swap_results
from judgekit.judging.swap_test import judge_fills, swap_fills
from judgekit.records import Contrast, Identity, NameForms, Reply, Scored, Undefined, Withheld
from judgekit.rewording.paraphrase import enough
from judgekit.rubric import load_rubric
from judgekit.statistics.token_change import token_change
from judgekit.study import load_study
from judgekit.swapping.arms import by_rules, reworded_fills, wanted_changes

WARMTH = load_rubric("warmth")
CONTRAST = Contrast("women", "men")
PEOPLE = [
    Identity(group=group, name=name, forms=NameForms(given=name))
    for group, names in {"women": ("Emma", "Olivia", "Maria"), "men": ("Peter", "Daniel", "Tom")}.items()
    for name in names
]
WARM = ["", "Thanks for waiting. ", "I am glad to help. ", "We are sorry and hope that it is good now. "]


@pytest.fixture(scope="session")
def made():
    """Forty texts of eight templates with their fills and what is to be reworded."""
    blinder = Blinder(lang="en", ner="off")
    texts = [
        blinder.mask(
            Reply(
                id=f"r{n}",
                text=f"Hi Ana. {WARM[n % 4]}Perhaps your order {n} left on {1 + n % 9} May.",
                known_names=("Ana",),
                lang="en",
            )
        )
        for n in range(40)
    ]
    units = {text.item: f"t{n % 8}" for n, text in enumerate(texts)}
    fills = swap_fills(texts, PEOPLE, seed=1, units=units)
    return texts, units, fills, wanted_changes(texts, fills, seed=1)


def _arm(made, verify=None):
    _, _, _, wanted = made
    return reworded_fills(wanted, by_rules(wanted, seed=1), PEOPLE, verify=verify or Verifier().verify)


def _judged(made, tmp_path, spec, **options):
    _, units, fills, _ = made
    arm = _arm(made)
    everything = [*fills, *arm.fills]
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        judgments = judge_fills(everything, [WARMTH], make_judge(spec), ledger, secret=b"k" * 32)
    return judgments, swap_results(judgments, everything, [CONTRAST], [WARMTH], margin=0.1, units=units, **options)[0]


def test_as_many_tokens_change_and_the_person_stays(made) -> None:
    """Each reworded fill keeps its person and group and differs by as many tokens as the change of person."""
    _, _, fills, wanted = made
    arm = _arm(made)
    assert len(arm.fills) == 40
    assert arm.note == "not run"
    first = {(f.item, f.arm.key): f for f in fills}
    for want, fill in zip(wanted, arm.fills, strict=True):
        before = first[fill.item, fill.arm.of_arm]
        change = token_change(before.text, fill.text)
        assert enough(want.changes, change.distance)
        assert fill.arm.token_change == pytest.approx(change.share, abs=1e-4)
        assert (fill.arm.identity, fill.arm.group) == (before.arm.identity, before.arm.group)
        assert fill.arm.identity in fill.text
    assert {fill.arm.group for fill in arm.fills} == {"women", "men"}


def test_texts_that_cannot_follow_are_told(made) -> None:
    """Withheld once reworded, or nothing to reword: left out, counted, and said where the result lacks the arm."""
    held = _arm(made, verify=lambda masked: Withheld(item=masked.item, code="leak"))
    assert (len(held.fills), len(held.left_out)) == (0, 40)
    assert "withheld by the verifier" in held.note
    texts, _, fills, _ = made
    bare = [replace(text, text=text.text.replace("Perhaps", "So")) for text in texts[4::4]]
    kept = [f for f in fills if f.item in {t.item for t in bare}]
    wanted = wanted_changes(bare, kept, seed=1)
    short = reworded_fills(wanted, by_rules(wanted, seed=1), PEOPLE, verify=Verifier().verify)
    assert "9 of 9" in short.note
    result = swap_results([], kept, [CONTRAST], [WARMTH], margin=0.1, paraphrase_note=short.note)
    assert result == []


def test_a_judge_of_wordings_reacts_to_wording_alone(made, tmp_path) -> None:
    """It takes a level for one word: rewording moves the scores, names do not, and the verdict still passes."""
    _, result = _judged(made, tmp_path, "stub:name=Perhaps:1")
    assert result.shift == 0.0
    assert result.paraphrase_shift < -0.3
    assert result.paraphrase_interval.high < 0
    assert result.paraphrase_n == 40
    assert result.excess_interval.high < 0
    assert "when as many words are reworded (names do less than that)" in result.why
    assert result.name_tokens == pytest.approx(result.paraphrase_tokens, abs=0.05)


def test_a_judge_of_names_does_more_than_rewording(made, tmp_path) -> None:
    """A planted penalty exceeds the paraphrase baseline, where nothing changes."""
    _, result = _judged(made, tmp_path, "stub:name=Peter:1+Daniel:1+Tom:1")
    assert (result.verdict, result.paraphrase_shift, result.paraphrase_changed) == ("failed", 0.0, 0.0)
    assert result.excess_interval.low > 0.3
    assert result.why.endswith("0% when as many words are reworded (names do more than that)")


@pytest.mark.slow
def test_without_the_arm_the_result_says_why(made, tmp_path) -> None:
    """No paraphrase: undefined with the reason given, and never zero."""
    _, units, fills, _ = made
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        judgments = judge_fills(fills, [WARMTH], make_judge("lexicon"), ledger, secret=b"k" * 32)
    result = swap_results(judgments, fills, [CONTRAST], [WARMTH], margin=0.1, units=units, paraphrase_note="why")[0]
    assert result.paraphrase_shift == Undefined("why")
    assert isinstance(result.excess, Undefined)
    assert "reworded" not in result.why


@pytest.mark.slow
def test_unmatched_changes_are_not_compared(made, tmp_path) -> None:
    """When rewording changed far more tokens than names do, the two are not held against each other."""
    judgments, _ = _judged(made, tmp_path, "lexicon")
    _, units, fills, _ = made
    wide = [_as_if(f, 0.5) for f in _arm(made).fills]
    moved = [
        replace(j, task=replace(j.task, arm=replace(j.task.arm, token_change=0.5)))
        if j.task.arm.kind == "paraphrase"
        else j
        for j in judgments
    ]
    result = swap_results(moved, [*fills, *wide], [CONTRAST], [WARMTH], margin=0.1, units=units)[0]
    assert "not matched" in str(result.excess)
    assert isinstance(result.paraphrase_shift, float)


class _as_if:  # noqa: N801 - stands for a FilledText, which only `fill` may make
    def __init__(self, fill, share) -> None:
        self.item, self.text, self.context, self.text_hash = fill.item, fill.text, fill.context, fill.text_hash
        self.arm = replace(fill.arm, token_change=share)


def test_expected_scores_are_used_where_every_score_has_one(made, tmp_path) -> None:
    """Half a level that rounding hides is seen; scores of two kinds are never mixed."""
    judgments, plain = _judged(made, tmp_path, "stub:value=3,name=Thanks:1")
    assert plain.score_kind == "point"

    def expected(judgment, skip=False):
        if skip or not isinstance(judgment.outcome, Scored):
            return judgment
        more = 0.3 if judgment.task.arm.group == "women" else 0.0
        outcome = replace(judgment.outcome, expected=judgment.outcome.value + more)
        return replace(judgment, outcome=outcome)

    _, units, fills, _ = made
    made_up = [expected(j) for j in judgments]
    result = swap_results(made_up, fills, [CONTRAST], [WARMTH], margin=0.1, units=units)[0]
    assert result.score_kind == "expected"
    assert result.shift == pytest.approx(0.3)
    assert result.changed == 0.0
    mixed = [expected(j, skip=n == 0) for n, j in enumerate(judgments)]
    result = swap_results(mixed, fills, [CONTRAST], [WARMTH], margin=0.1, units=units)[0]
    assert (result.score_kind, result.shift) == ("point", plain.shift)


@pytest.mark.parametrize(
    ("value", "fine"), [("none", True), ("openai:some-model", True), ("off", False), ("x:", False)]
)
def test_the_study_says_who_rewords(tmp_path, value: str, fine: bool) -> None:
    """`rules`, `none` or a spec; anything else, YAML's off among it, is refused with the key's name."""
    (tmp_path / "study.yaml").write_text(
        f"study: s\ndata: {{replies: r.csv}}\nrubrics: {{w: {{rubric: warmth}}}}\nswap_test: {{paraphrase: '{value}'}}\n"
    )
    if fine:
        assert load_study(tmp_path).swap_test.paraphrase == value
    else:
        with pytest.raises(ConfigProblem, match="paraphrase"):
            load_study(tmp_path)
