"""Models that read facts from replies are looked at before the judge is paid."""

from __future__ import annotations

import pytest

READER = {"spec": "openai:reader", "question": "Is a call promised?", "levels": {"yes": "it is", "no": "it is not"}}


@pytest.fixture
def small(make_study, kit):
    """Make a study with a reader over the network and a judge that needs no key."""

    def make(reader, **judge):
        measured = {"promise": {"kind": "extracted", "extractor": {**READER, **reader}}}
        return make_study(rows=kit.reply_rows(templates=4, replicates=1), measured=measured, judge=judge)

    return make


def test_a_reader_without_prices_under_a_cost_limit_is_refused_first(small, kit, monkeypatch):
    """The key that lacks is named, and no call is in a ledger; with prices the same study is planned."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    judge = {"spec": "openai:m", "prices": {"input": 1.0, "output": 1.0}, "max_cost": 5.0}
    study = small({}, **judge)
    said = kit.command("run", study.base)
    assert (said.code, "measured.promise.extractor.prices" in said.err) == (2, True)
    assert not (study.base / ".judgekit").exists()
    priced = small({"prices": {"input": 1.0, "output": 1.0}}, **judge)
    assert kit.command("run", priced.base, "--dry-run").code == 0
    assert priced.study.sealed_content()["measured"] == study.study.sealed_content()["measured"]


def test_a_reader_without_its_key_is_refused_first(small, kit, monkeypatch):
    """The judge could be asked; nothing is written all the same, and the swap test alone needs no reader."""
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    study = small({"api_key_env": "NO_SUCH_KEY"}, spec="lexicon")
    said = kit.command("run", study.base)
    assert (said.code, "NO_SUCH_KEY" in said.err) == (2, True)
    assert not (study.base / ".judgekit").exists()
    assert kit.command("swaptest", study.base).code in {0, 1, 4}
