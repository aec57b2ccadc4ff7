"""Token probabilities over the wire: asked for, kept raw, read again without a call, and refused where there are none."""

import json
import math
import sqlite3

import pytest

from judgekit.blinding.verify import Verifier
from judgekit.errors import BadInput, ConfigProblem, ProviderFailed
from judgekit.files.ledger import Ledger
from judgekit.files.ledger_schema import MIGRATIONS
from judgekit.judging.handle import make_judge
from judgekit.judging.judge import judge_replies
from judgekit.judging.outcomes import one_kind, outcome_value
from judgekit.records import Attempt, Criterion, Scored, Unscored
from judgekit.rubric import load_rubric

ANSWER = '{"reason": "kind", "score": 4}'
TOPS = (("4", 0.6), ("5", 0.2), (" 3", 0.1), ("four", 0.05))


def weighed(tops=TOPS, content=ANSWER, **message):
    """A completion with a token for each character; ``tops`` are the probabilities where the score stands."""
    rows = [{"token": c, "bytes": list(c.encode()), "logprob": -0.1, "top_logprobs": []} for c in content]
    rows[content.rindex("4")]["top_logprobs"] = [{"token": t, "logprob": math.log(p)} for t, p in tops]
    choice = {"message": {"content": content, **message}, "finish_reason": "stop", "logprobs": {"content": rows}}
    return 200, {}, {"model": "served-1", "choices": [choice]}


def plain(content=ANSWER, **message):
    """A completion without probabilities."""
    choice = {"message": {"content": content, **message}, "finish_reason": "stop", "logprobs": None}
    return 200, {}, {"model": "served-1", "choices": [choice]}


@pytest.fixture(scope="module")
def replies():
    """Three verified replies."""
    verifier = Verifier()
    return [verifier.verify_text(item=f"r{i}", text=f"Thanks, sent on day {i}.", lang="en") for i in range(3)]


@pytest.fixture
def judged(replies, ledger):
    """Judges the replies for warmth with a service, or with a SPEC."""

    def run(url=None, spec="openai:mock-judge-1", score="expected", into=None):
        judge = make_judge(spec, base_url=url, score=score)
        return judge_replies(replies, [load_rubric("warmth")], judge, into or ledger, secret=b"s", concurrency=2)

    return run


def test_expected_scores_go_the_whole_way(web, judged, ledger):
    """Probabilities are asked for and weighed at the verdict; what is on no level is told; the kind is written down."""
    service = web(weighed())
    found = judged(service.url)
    assert all(r["logprobs"] is True and r["top_logprobs"] == 20 for r in service.requests)
    for judgment in found:
        assert judgment.score_kind == "expected"
        assert judgment.outcome.expected == pytest.approx((4 * 0.6 + 5 * 0.2 + 3 * 0.1) / 0.9)
        assert judgment.outcome.distribution["other"] == pytest.approx(0.1)
    assert {j.score_kind for j in ledger.judgments()} == {"expected"}


def test_point_scores_neither_ask_nor_change(web, judged):
    """Without the setting nothing is asked for; another kind of score is another request and another fingerprint."""
    service = web(weighed())
    points = judged(service.url, score="point")
    assert not any("logprobs" in r or "top_logprobs" in r for r in service.requests)
    assert points[0].outcome == Scored(4)
    weighted = judged(service.url)
    assert len(service.requests) == 6
    assert {p.fingerprint for p in points}.isdisjoint(w.fingerprint for w in weighted)


def test_read_again_without_a_call(web, judged, ledger, tmp_path):
    """The ledger holds what came, so that reading again asks nothing; a replay gives the same, and only the same kind."""
    service = web(weighed())
    first = judged(service.url)
    assert judged(service.url) == first
    assert len(service.requests) == 3
    with Ledger.open(tmp_path / "replayed.sqlite") as into:
        again = judged(spec=f"replay:{ledger.path}", into=into)
    assert [j.outcome for j in again] == [j.outcome for j in first]
    assert {j.fingerprint for j in again} == {j.fingerprint for j in first}
    with pytest.raises(ConfigProblem, match="never mixed"):
        judged(spec=f"replay:{ledger.path}", score="point")


@pytest.mark.parametrize(
    "reply",
    [
        plain(),
        (
            400,
            {},
            {"error": {"message": "logprobs are not supported with this model", "code": "unsupported_parameter"}},
        ),
        (400, {}, {"error": {"message": "Unknown setting", "param": "logprobs"}}),
    ],
)
def test_a_service_without_probabilities_stops_the_run(web, judged, ledger, reply):
    """One request, a plain word, and no score of another kind instead."""
    service = web(reply)
    with pytest.raises(ProviderFailed, match="gives no token probabilities") as found:
        judged(service.url)
    assert "set score to point" in found.value.remedy
    assert len(service.requests) == 1
    assert ledger.judgments() == []


def test_fewer_alternatives_where_a_service_takes_no_more(web, judged, ledger):
    """A limit on alternatives is met by asking for five, and said."""

    def answer(request, _n):
        if request["top_logprobs"] > 5:
            return (
                400,
                {},
                {"error": {"message": "top_logprobs must be less than or equal to 5", "param": "top_logprobs"}},
            )
        return weighed()

    assert all(isinstance(j.outcome, Scored) for j in judged(web(answer).url))
    assert ledger.noted(f"dropped {ledger.judges_asked()[0].endpoint}") == "top_logprobs 20"


def test_one_answer_without_is_unscored_and_no_point_score(web, judged):
    """After the service has shown that it can, an answer without probabilities is a failure of its own kind."""
    outcomes = [j.outcome for j in judged(web(lambda _r, n: plain() if n == 2 else weighed()).url)]
    assert sorted(type(o).__name__ for o in outcomes) == ["Scored", "Scored", "Unscored"]
    assert {o.kind for o in outcomes if isinstance(o, Unscored)} == {"logprobs_missing"}


def test_garbage_in_the_place_of_probabilities_is_no_crash(web, ledger):
    """Odd shapes are missing probabilities, never a score."""
    shapes = [
        [], {}, "x", [1], [{}], [{"token": 4, "logprob": "x"}], [{"token": "4", "logprob": None, "top_logprobs": [{}]}],
        [{"token": ANSWER, "bytes": [999], "logprob": 0.0, "top_logprobs": []}],
    ]  # fmt: skip

    def answer(_request, n):
        if n == 1:
            return weighed()
        status, headers, document = plain()
        document["choices"][0]["logprobs"] = {"content": shapes[(n - 2) % len(shapes)]}
        return status, headers, document

    verifier, rubric = Verifier(), load_rubric("warmth")
    texts = [verifier.verify_text(item=f"g{i}", text=f"Sent on day {i}.", lang="en") for i in range(len(shapes) + 1)]
    judge = make_judge("openai:mock-judge-1", base_url=web(answer).url, score="expected")
    outcomes = [j.outcome for j in judge_replies(texts, [rubric], judge, ledger, secret=b"s", concurrency=1)]
    assert sum(isinstance(o, Scored) for o in outcomes) == 1
    assert {o.kind for o in outcomes if isinstance(o, Unscored)} == {"logprobs_missing"}


def test_judges_and_criteria_without_expected_scores_are_refused(web, replies, ledger):
    """Word lists and labels have no expected score, which is said before anything is asked."""
    with pytest.raises(ConfigProblem, match="has no expected scores"):
        make_judge("lexicon", score="expected")
    service = web(weighed())
    judge = make_judge("openai:mock-judge-1", base_url=service.url, score="expected")
    with pytest.raises(ConfigProblem, match="labels have no mean"):
        judge_replies(replies, [load_rubric("checklist")], judge, ledger, secret=b"s")
    assert service.requests == []


def test_kinds_of_score_are_never_mixed():
    """Repeats: the mean of expected scores and its nearest level; a point score among them is refused."""
    scale = Criterion(dimension="w", kind="ordinal", levels=(1, 2, 3, 4, 5), question={}, anchors={})
    mean = outcome_value([Scored(4, expected=4.4), Scored(5, expected=4.8), Unscored("empty")], scale)
    assert (mean.value, mean.expected) == (5, pytest.approx(4.6))
    assert outcome_value([Scored(4, expected=3.4)], scale).value == 3
    with pytest.raises(BadInput, match="side by side"):
        outcome_value([Scored(4, expected=4.4), Scored(5)], scale)
    assert one_kind([Scored(4), Unscored("empty")]) == []


def test_an_old_ledger_is_brought_along(tmp_path):
    """A file of the first schema keeps its answers, takes probabilities from now on, and is read as it is until then."""
    path = tmp_path / "old.sqlite"
    connection = sqlite3.connect(path, isolation_level=None)
    MIGRATIONS[0][1](connection)
    connection.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")
    connection.execute("INSERT INTO meta VALUES ('schema_version', '1')")
    connection.execute(f"PRAGMA application_id = {0x4A4B4C44}")
    for i, key in enumerate("ab", 1):
        connection.execute(
            "INSERT INTO calls VALUES (?, ?, 'openai:m@-', '{\"parameters\":{}}', '[]', '-', 0, 'f')", (i, key)
        )
    connection.execute("INSERT INTO attempts (call_id, n, intent_at, raw) VALUES (1, 1, 't', 'old answer')")
    connection.close()
    with Ledger.open(path, read_only=True) as ledger:
        assert list(ledger.logprobs(["a", "b"])) == []
        assert ledger.answered(["a"])["a"].raw == "old answer"
    stored = json.dumps([["4", [52], -0.1, [["4", -0.1], ["\ud83d", -3.0]]]])
    with Ledger.open(path) as ledger:
        assert ledger.noted("schema_version") == str(len(MIGRATIONS))
        n = ledger.intent("b", "t")
        ledger.received(Attempt(request_key="b", n=n, intent_at="t", raw=ANSWER, logprobs=stored))
        assert dict(ledger.logprobs(["a", "b"])) == {"b": stored}
        assert ledger.answered(["a", "b"])["a"].raw == "old answer"


def test_the_shared_fake_judge_gives_expected_scores(mock_judge, judged):
    """Its answers in every shape that can be read have the score's own probabilities; others stay failures."""
    service = mock_judge(shapes="plain:3,fence:1,think:1,prose_after:1,negative:1")
    for judgment in judged(f"{service.url}/v1"):
        if isinstance(judgment.outcome, Scored):
            assert abs(judgment.outcome.expected - judgment.outcome.value) < 1.5
        else:
            assert judgment.outcome.kind in {"off_scale", "out_of_range", "logprobs_missing"}
