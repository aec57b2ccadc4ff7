"""Judging through the ledger: resumable, honest about failures, refused where a score would mean nothing."""

from __future__ import annotations

import pytest

from judgekit.endpoints.base import RawAnswer, Request
from judgekit.endpoints.limits import Limits
from judgekit.errors import BadInput, BudgetSpent, ConfigProblem, ProviderFailed
from judgekit.judging.handle import JudgeHandle, make_judge
from judgekit.judging.judge import judge_replies, outcome_value, plan
from judgekit.records import Criterion, Scored, Unscored, scores_of
from judgekit.rubric import load_rubric

SECRET = b"k" * 32
WARMTH = load_rubric("warmth")
TONE = load_rubric("tone")
SCALE = Criterion(dimension="w", kind="ordinal", levels=(1, 2, 3, 4, 5), question={}, anchors={})
LABELS = Criterion(dimension="w", kind="nominal", levels=("yes", "no"), question={}, anchors={})


class Recorder:
    """An endpoint that keeps what it was sent and gives its replies in turn, the last one for ever."""

    provider = "test"
    model = "recorder"
    host = None
    languages = None

    def __init__(self, *replies: RawAnswer) -> None:
        self.parameters: dict[str, object] = {}
        self.replies = replies
        self.seen: list[Request] = []

    async def send(self, request: Request) -> RawAnswer:
        self.seen.append(request)
        return self.replies[min(len(self.seen), len(self.replies)) - 1]

    async def close(self) -> None:
        pass


def _judge(*raws: str | RawAnswer) -> tuple[JudgeHandle, Recorder]:
    endpoint = Recorder(*(r if isinstance(r, RawAnswer) else RawAnswer(raw=r, finish_reason="stop") for r in raws))
    return JudgeHandle(id="recorder", endpoint=endpoint), endpoint


def test_scores_come_back_in_order_and_stand_in_the_ledger(blinded, ledger) -> None:
    """Every reply, rubric and dimension has a judgment; the ledger holds the same ones."""
    replies = [blinded("b", "Thanks so much, I hope it helps!"), blinded("a", "Send form B.")]
    made = judge_replies(replies, [WARMTH, TONE], make_judge("lexicon"), ledger, secret=SECRET)
    assert [(j.task.item, j.dimension) for j in made] == [
        ("b", "warmth"),
        ("a", "warmth"),
        *[(item, dimension) for item in "ba" for dimension in TONE.dimensions],
    ]
    assert scores_of(made, "warmth")["a"] == [Scored(2)]
    assert sorted(ledger.judgments(), key=str) == sorted(made, key=str)


def test_nothing_is_asked_twice(blinded, ledger) -> None:
    """A second run sends nothing and gives the same judgments; another repeat is sent."""
    judge, endpoint = _judge('{"score": 4}')
    replies = [blinded("a", "One."), blinded("b", "Two.")]
    first = judge_replies(replies, [WARMTH], judge, ledger, secret=SECRET)
    assert judge_replies(replies, [WARMTH], judge, ledger, secret=SECRET) == first
    assert len(endpoint.seen) == 2
    judge_replies(replies, [WARMTH], judge, ledger, secret=SECRET, repeats=2)
    assert len(endpoint.seen) == 4


def test_equal_texts_share_one_request(blinded, ledger) -> None:
    """Two replies with the same masked text cost one call and both get its score."""
    judge, endpoint = _judge('{"score": 4}', '{"score": 1}')
    made = judge_replies([blinded("a", "Same."), blinded("b", "Same.")], [WARMTH], judge, ledger, secret=SECRET)
    assert len(endpoint.seen) == 1
    assert [j.outcome for j in made] == [Scored(4), Scored(4)]


def test_plan_writes_and_sends_nothing(blinded, ledger) -> None:
    """A dry run counts calls and what is answered already."""
    judge, endpoint = _judge('{"score": 4}')
    replies = [blinded("a", "One."), blinded("b", "Two.")]
    judge_replies(replies[:1], [WARMTH], judge, ledger, secret=SECRET)
    planned = plan(replies, [WARMTH], judge, ledger)
    assert (planned.texts, planned.calls, planned.answered, planned.to_send) == (2, 2, 1, 1)
    assert planned.characters > 1000
    assert len(endpoint.seen) == 1
    assert len(list(ledger.tasks())) == 1
    assert plan(replies, [WARMTH], judge, None).to_send == 2


def test_a_bad_answer_is_unscored_with_its_kind(blinded, ledger) -> None:
    """The raw answer is kept, the score is missing, and lenient reading is another version of the parser."""
    judge, endpoint = _judge('{"score": "4"}')
    reply = [blinded("a", "One.")]
    strict = judge_replies(reply, [WARMTH], judge, ledger, secret=SECRET)
    lenient = judge_replies(reply, [WARMTH], judge, ledger, secret=SECRET, lenient=True)
    assert strict[0].outcome.kind == "wrong_type"
    assert lenient[0].outcome == Scored(4, coerced=True)
    assert strict[0].parser_version != lenient[0].parser_version
    assert len(endpoint.seen) == 1


def test_a_final_failure_counts_for_its_row_alone(blinded, ledger) -> None:
    """An answer that never comes is an unscored judgment of that kind; the other row has its score."""
    judge, _ = _judge(RawAnswer(raw=None, error_kind="context_length", error_detail="too long"), '{"score": 2}')
    replies = [blinded("a", "One."), blinded("b", "Two.")]
    made = judge_replies(replies, [WARMTH], judge, ledger, secret=SECRET, concurrency=1)
    assert [j.outcome for j in made] == [Unscored("context_length", "too long"), Scored(2)]


def test_a_spent_budget_keeps_what_was_received(blinded, ledger) -> None:
    """The limit stops the run; the same command goes on and asks for the rest only."""
    judge, endpoint = _judge('{"score": 2}')
    replies = [blinded(str(n), f"Text {n}.") for n in range(4)]
    with pytest.raises(BudgetSpent):
        judge_replies(replies, [WARMTH], judge, ledger, secret=SECRET, concurrency=1, limits=Limits(max_calls=3))
    made = judge_replies(replies, [WARMTH], judge, ledger, secret=SECRET)
    assert len(endpoint.seen) == 4
    assert all(j.outcome == Scored(2) for j in made)


def test_spanish_before_the_lexicon_judge_is_refused(blinded, ledger) -> None:
    """A language the judge does not declare is refused before anything is written."""
    replies = [blinded("a", "Thanks."), blinded("b", "Su pedido sale mañana.", lang="es")]
    with pytest.raises(ConfigProblem, match=r"1 of the replies are in a language that the judge lexicon does not read"):
        judge_replies(replies, [WARMTH], make_judge("lexicon"), ledger, secret=SECRET)
    assert list(ledger.tasks()) == []


def test_only_verified_replies_are_judged(ledger) -> None:
    """A text that did not pass the verifier is refused."""
    with pytest.raises(BadInput, match="only verified replies"):
        judge_replies(["Hi Ana"], [WARMTH], make_judge("lexicon"), ledger, secret=SECRET)


def test_the_same_reply_twice_is_refused(blinded, ledger) -> None:
    """Two rows under one id would overwrite each other."""
    reply = blinded("a", "Thanks.")
    with pytest.raises(BadInput, match="twice"):
        judge_replies([reply, reply], [WARMTH], make_judge("lexicon"), ledger, secret=SECRET)


def test_criteria_without_a_cue_are_unsupported(blinded, ledger) -> None:
    """The lexicon judge leaves what it cannot see unscored, and is refused when that is everything."""
    rubric = load_rubric("checklist")
    made = judge_replies([blinded("a", "We are sorry.")], [rubric], make_judge("lexicon"), ledger, secret=SECRET)
    outcomes = {j.dimension: j.outcome for j in made}
    assert outcomes["decision"].kind == outcomes["answers_question"].kind == "unsupported"
    assert outcomes["apologises"] == Scored("specific")
    other = Criterion(
        dimension="humour", kind="ordinal", levels=(1, 2), question={"en": "?"}, anchors={"en": {1: "a", 2: "b"}}
    )
    strange = type(WARMTH)(id="humour", version="1", hash="h", criteria=(other,))
    with pytest.raises(ConfigProblem, match="nothing to say"):
        judge_replies([blinded("a", "Ha.")], [strange], make_judge("lexicon"), ledger, secret=SECRET)


def test_nothing_about_the_design_reaches_the_judge(blinded, ledger) -> None:
    """Ids stay here; system and prompt hold the text, the anchors and a nonce of their own."""
    judge, endpoint = _judge('{"score": 4}')
    judge_replies(
        [blinded("women-grace-0017", "One."), blinded("men-mark-0018", "Two.")], [WARMTH], judge, ledger, secret=SECRET
    )
    for request in endpoint.seen:
        sent = f"{request.system}{request.prompt}{request.text}{request.context}{request.parameters}"
        assert not any(word in sent.lower() for word in ("women", "grace", "mark-", "0017", "0018", "recorder"))
    assert endpoint.seen[0].system != endpoint.seen[1].system


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ([4], 4),
        ([4, 5], 4),
        ([1, 2], 2),
        ([2, 3], 3),
        ([3, 4], 3),
        ([2, 4], 3),
        ([4, 4, 5], 4),
        ([1, 5], 3),
        ([5, 5, 4], 5),
    ],
)
def test_repeats_enter_as_their_rounded_mean(values: list[int], wanted: int) -> None:
    """Half way between two levels goes towards the middle of the scale."""
    assert outcome_value([Scored(v) for v in values], SCALE) == Scored(wanted)


def test_repeats_of_labels_enter_as_their_mode() -> None:
    """The most frequent label counts; equally frequent ones are no score."""
    assert outcome_value([Scored("yes"), Scored("no"), Scored("yes")], LABELS) == Scored("yes")
    assert outcome_value([Scored("yes"), Scored("no")], LABELS).kind == "ambiguous"


def test_unscored_repeats_are_left_out_but_never_a_number() -> None:
    """One scored repeat is enough; none gives the most frequent failure."""
    assert outcome_value([Unscored("empty"), Scored(4)], SCALE) == Scored(4)
    assert outcome_value([Unscored("empty"), Unscored("refusal"), Unscored("refusal")], SCALE) == Unscored("refusal")
    assert outcome_value([], SCALE) == Unscored("not_asked")


def test_a_judge_that_changes_underway_stops_and_has_two_fingerprints(blinded, ledger) -> None:
    """Another served model stops the run, and two models are never pooled; failures take the usual fingerprint."""
    served = [RawAnswer(raw='{"score": 4}', finish_reason="stop", served_model=name) for name in ("m-1", "m-1", "m-2")]
    judge, _ = _judge(*served[:2], RawAnswer(raw=None, error_kind="context_length"), served[2])
    replies = [blinded(str(n), f"Text {n}.") for n in range(4)]
    with pytest.raises(ProviderFailed, match="m-1 became m-2"):
        judge_replies(replies, [WARMTH], judge, ledger, secret=SECRET, concurrency=1)
    made = judge_replies(replies, [WARMTH], judge, ledger, secret=SECRET, concurrency=1)
    marks = [j.fingerprint for j in made]
    assert marks[0] == marks[1] == marks[2] != marks[3]
    assert [j.fingerprint for j in judge_replies(replies, [WARMTH], judge, ledger, secret=SECRET)] == marks


def test_no_replies_is_no_problem(ledger) -> None:
    """Nothing to judge gives nothing."""
    assert judge_replies([], [WARMTH], make_judge("lexicon"), ledger, secret=SECRET) == []


def test_criteria_of_one_name_are_not_mixed(blinded, ledger) -> None:
    """Two rubrics with the same criterion would put two scales into one column."""
    with pytest.raises(ConfigProblem, match="same name"):
        judge_replies([blinded("a", "Hi.")], [WARMTH, WARMTH], make_judge("lexicon"), ledger, secret=SECRET)
