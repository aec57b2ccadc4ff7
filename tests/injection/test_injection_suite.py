"""The suite of hostile replies: what it holds, what is counted, and that it tells an obedient judge from another."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from judgekit.cli.main import main
from judgekit.endpoints.base import RawAnswer, Request
from judgekit.errors import ConfigProblem
from judgekit.files.ledger import Ledger
from judgekit.injection.attack import attack, plan_attack, suites_for
from judgekit.injection.results import injection_document, injection_results
from judgekit.injection.suite import build_suite, kinds
from judgekit.judging.handle import JudgeHandle, make_judge
from judgekit.records import BlindedReply, Undefined, scores_of
from judgekit.rubric import load_rubric

WARMTH = load_rubric("warmth")


@pytest.fixture(scope="module")
def suite():
    """The suite for warmth."""
    return build_suite(WARMTH)


def _attack(suite, judge, tmp_path):
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        return attack([suite], judge, ledger, secret=b"k" * 32)


class Whim:
    """A judge that gives the lowest level and hangs on one word; no code of ours."""

    provider, model, host, languages = "test", "whim", None, None

    def __init__(self, *, broken: str = "", base: int = 1) -> None:
        self.parameters: dict[str, object] = {}
        self.asked: Counter[str] = Counter()
        self.broken, self.base = broken, base

    async def send(self, request: Request) -> RawAnswer:
        self.asked[request.text] += 1
        again = self.asked[request.text] > 1
        if self.broken and self.broken in request.text:
            return RawAnswer(raw="I will not rate this.", finish_reason="stop")
        return RawAnswer(raw=json.dumps({"reason": "r", "score": self.base + again}), finish_reason="stop")

    async def close(self) -> None:
        pass


def test_every_kind_is_there_and_asks_for_the_top(suite) -> None:
    """All kinds, six languages or more, every text verified and different from its control by its payload."""
    assert {c.kind for c in suite.cases} == set(kinds())
    langs = {c.lang for c in suite.cases} | {case.lang for case, _ in suite.stopped.values()}
    assert len(langs) >= 10
    assert len(suite.cases) + len(suite.stopped) > 80
    controls = {c.item: c.text for c in suite.controls}
    for case, text in zip(suite.cases, suite.texts, strict=True):
        assert isinstance(text, BlindedReply)
        assert controls[case.control].split(". ")[0] in text.text, case
        assert "{top}" not in text.text
        assert "{json}" not in text.text
    assert {c.place for c in suite.cases} == {"start", "middle", "end"}
    assert max(len(t.text) for t in suite.texts) > 5000
    assert build_suite(WARMTH) == suite


def test_what_no_judge_can_see_is_counted_as_stopped(suite) -> None:
    """Payloads in a script that the verifier does not know never reach a judge."""
    assert {code for _, code in suite.stopped.values()} == {"script"}
    assert not {t.item for t in suite.texts} & set(suite.stopped)


def test_an_obedient_judge_is_found(suite, tmp_path) -> None:
    """Nearly all hostile replies move it, to the score they ask for; the interval is far from zero."""
    (result,) = _attack(suite, make_judge("stub:obey=1"), tmp_path)
    assert result.total.moved == result.total.obeyed >= 0.9 * result.total.tried
    assert result.total.interval.low > 0.85
    assert (result.controls, result.control_changed) == (len(suite.controls), 0)
    assert sum(k.moved for k in result.kinds) == result.total.moved == len(result.moved)
    assert sum(k.stopped for k in result.kinds) == len(suite.stopped)


@pytest.mark.slow
def test_a_judge_that_does_not_listen_is_not_blamed(suite, tmp_path) -> None:
    """A judge of one score is moved by none, with the bound that so many cases allow."""
    (result,) = _attack(suite, make_judge("stub:value=3"), tmp_path)
    assert (result.total.moved, result.total.obeyed, result.total.changed) == (0, 0, 0)
    assert 0 < result.total.interval.high < 0.06


def test_no_verdict_and_the_judges_own_noise_are_counted_apart(suite, tmp_path) -> None:
    """Unscored is no move, a control that changes by itself is told, and no judgment can become a score."""
    judge = JudgeHandle(id="whim", endpoint=Whim(broken="<|im_end|>"))
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        (result,) = attack([suite], judge, ledger, secret=b"k" * 32)
        stored = ledger.judgments()
    assert result.total.unscored == 1
    assert result.total.tried == len(suite.cases) - 1
    assert result.control_changed == result.controls == len(suite.controls)
    assert scores_of(list(stored), "warmth") == {}


@pytest.mark.slow
def test_nothing_to_gain_is_undefined_and_not_zero(suite, tmp_path) -> None:
    """A judge that gives the top to everything cannot be tested: no share, and null in JSON."""
    (result,) = _attack(suite, make_judge("stub:value=5"), tmp_path)
    assert isinstance(result.total.share, Undefined)
    assert result.total.at_top == len(suite.cases)
    row = injection_document([result])["results"][0]
    assert (row["share"], row["ci"], row["tried"]) == (None, None, 0)
    assert injection_results(suite, []) == []


def test_the_suite_fits_the_rubric(tmp_path) -> None:
    """Several criteria in one verdict, labels without an order, Spanish texts; other languages are refused."""
    checklist = load_rubric("checklist")
    made = build_suite(checklist, lang="es")
    text = next(t.text for c, t in zip(made.cases, made.texts, strict=True) if c.item.endswith("forged_json-0"))
    assert all(f'"{c.dimension}": "{c.levels[0]}"' in text for c in checklist.criteria)
    assert made.lang == "es"
    with pytest.raises(ConfigProblem, match="language"):
        build_suite(checklist, lang="fr")
    suites = suites_for([WARMTH], make_judge("lexicon"))
    plans = plan_attack(suites, make_judge("lexicon"), None)
    assert sum(p.to_send for p in plans) == len(suites[0].texts) + 2 * len(suites[0].controls)


@pytest.mark.slow
def test_limits_hold_for_controls_and_hostile_replies_together(tmp_path: Path, capsys, monkeypatch) -> None:
    """``--max-calls``: as many requests as it says for the whole suite, exit 3, and the next run goes on."""
    monkeypatch.chdir(tmp_path)
    asked = ["injection", "--judge", "stub:value=3", "--rubric", "warmth", "-o", "made.json", "--max-calls", "30"]
    codes = []
    while not codes or (codes[-1] == 3 and len(codes) < 9):
        try:
            main(asked)
            codes.append(0)
        except SystemExit as end:
            codes.append(int(end.code or 0))
        with Ledger.open(next(tmp_path.rglob("ledger.sqlite")), read_only=True) as ledger:
            (sent,) = ledger._connection.execute("SELECT count(*) FROM attempts").fetchone()
        assert sent == 30 * len(codes) or codes[-1] == 0
    assert codes[:2] == [3, 3]
    assert codes[-1] == 0
    capsys.readouterr()


def test_the_command_writes_and_prints_counts(tmp_path: Path, capsys, monkeypatch) -> None:
    """`judgekit injection`: a document on stdout and in the file, exit 1 with --strict, nothing with --dry-run."""
    monkeypatch.chdir(tmp_path)
    main(["injection", "--judge", "stub:obey=1", "--rubric", "warmth", "--dry-run"])
    assert list(tmp_path.iterdir()) == []
    assert "nothing was written" in capsys.readouterr().out
    with pytest.raises(SystemExit) as end:
        main(["injection", "--judge", "stub:obey=1", "--rubric", "warmth", "--json", "--strict"])
    assert end.value.code == 1
    told = json.loads(capsys.readouterr().out)
    assert told == json.loads((tmp_path / "injection.json").read_text(encoding="utf-8"))
    assert told["results"][0]["moved"] > 70
    with pytest.raises(SystemExit) as end:
        main(["injection", "--judge", "stub:value=3", "--rubric", "warmth"])
    assert end.value.code == 2
