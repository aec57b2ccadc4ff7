"""Recorded answers: another ledger is the judge."""

import pytest

from judgekit.blinding.verify import Verifier
from judgekit.errors import BadInput, ConfigProblem
from judgekit.files.ledger import Ledger
from judgekit.judging.handle import make_judge
from judgekit.judging.judge import judge_replies
from judgekit.pipeline import plan_run
from judgekit.rubric import load_rubric

WARMTH = load_rubric("warmth")
TEXTS = {"a": "We are sorry and glad to help.", "b": "No.", "c": "Thanks, please hold on."}


def replies(**texts):
    """Verified replies."""
    return [Verifier().verify_text(item=item, text=text, lang="en") for item, text in (texts or TEXTS).items()]


@pytest.fixture
def judged(tmp_path):
    """Judges replies into a ledger of that name."""

    def judge(name, spec, texts=None, secret=b"s"):
        with Ledger.open(tmp_path / name) as ledger:
            made = judge_replies(texts or replies(), [WARMTH], make_judge(spec), ledger, secret=secret)
            keys = [j.task.request_key for j in made]
            return made, ledger.answered(keys)

    return judge


def test_replayed_answers_are_the_recorded_ones(judged, tmp_path):
    """Same answers, same fingerprints, another id, under another study's secret; nothing is asked or spent."""
    first, recorded = judged("first.sqlite", "stub:noise=1,seed=3")
    again, replayed = judged("again.sqlite", f"replay:{tmp_path / 'first.sqlite'}", secret=b"other")
    assert [j.outcome for j in again] == [j.outcome for j in first]
    assert [j.fingerprint for j in again] == [j.fingerprint for j in first]
    assert {k: a.raw for k, a in replayed.items()} == {k: a.raw for k, a in recorded.items()}
    assert {j.task.judge for j in again} == {"replay:stub:noise=1,seed=3"}
    assert str(tmp_path) not in str(again)


def test_what_was_not_recorded_is_a_failure_of_its_own(judged, tmp_path):
    """A text that was never judged is unscored as not recorded, for good; the others are scored."""
    judged("first.sqlite", "stub:value=3")
    more = replies(**TEXTS, d="A new one.")
    spec = f"replay:{tmp_path / 'first.sqlite'}"
    made, _ = judged("again.sqlite", spec, more)
    kinds = [getattr(j.outcome, "kind", "scored") for j in made]
    assert kinds == ["scored", "scored", "scored", "not_recorded"]
    assert [getattr(j.outcome, "kind", "scored") for j in judged("again.sqlite", spec, more)[0]] == kinds


def test_one_of_several_judges_is_named(judged, tmp_path):
    """A ledger with two judges needs the one that is meant; the message lists them."""
    judged("both.sqlite", "stub:value=3")
    judged("both.sqlite", "stub:value=4")
    path = tmp_path / "both.sqlite"
    with pytest.raises(ConfigProblem, match="stub:value=3@-, stub:value=4@-"):
        make_judge(f"replay:{path}")
    made, _ = judged("again.sqlite", f"replay:{path}#stub:value=4")
    assert {j.outcome.value for j in made} == {4}
    with pytest.raises(ConfigProblem, match="exactly one"):
        make_judge(f"replay:{path}#openai:m")


def test_what_is_no_filled_ledger_is_refused(tmp_path):
    """No file, another file, and a ledger without requests."""
    with pytest.raises(BadInput, match="no ledger"):
        make_judge(f"replay:{tmp_path / 'none.sqlite'}")
    (tmp_path / "text.sqlite").write_text("hello")
    with pytest.raises(BadInput):
        make_judge(f"replay:{tmp_path / 'text.sqlite'}")
    Ledger.open(tmp_path / "empty.sqlite").close()
    with pytest.raises(ConfigProblem, match="nothing to replay"):
        make_judge(f"replay:{tmp_path / 'empty.sqlite'}")


def test_relative_paths_of_a_study_begin_at_its_folder(judged, make_study, kit, tmp_path, monkeypatch):
    """`replay:` and `local:` in study.yaml mean files beside it, wherever the command is run; elsewhere the current folder."""
    judged("first.sqlite", "stub:value=3")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    small = make_study(rows=kit.reply_rows(templates=2, replicates=1), judge={"spec": "replay:../first.sqlite"})
    assert plan_run(small.study).to_send > 0
    small.change("judge", {"spec": "replay:first.sqlite"})
    with pytest.raises(BadInput) as problem:
        plan_run(small.study)
    assert str(problem.value.path) == str(small.base / "first.sqlite")
    small.change("judge", {"spec": "local:model.gguf"})
    (small.base / "model.gguf").write_bytes(b"no weights")
    monkeypatch.setattr("judgekit.endpoints.local._installed", lambda _path: "1")
    with pytest.raises(ConfigProblem, match="GGUF") as refused:
        plan_run(small.study)
    assert str(refused.value.path) == str(small.base / "model.gguf")
    assert make_judge("replay:../first.sqlite").id == "replay:stub:value=3"
