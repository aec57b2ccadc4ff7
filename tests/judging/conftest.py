"""Verified replies, masked texts and people for the judging tests."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from judgekit.blinding.mask import Blinder
from judgekit.blinding.verify import Verifier
from judgekit.files.ledger import Ledger
from judgekit.records import BlindedReply, MaskedText, Reply


@pytest.fixture(scope="session")
def case_table() -> dict[str, Any]:
    """The table of judge replies: the one JUDGEKIT_REPLIES names, or the shared one."""
    shared = Path(__file__).resolve().parents[2].parent / "shared/oracles/judge_replies.json"
    path = Path(os.environ.get("JUDGEKIT_REPLIES") or shared)
    if not path.is_file():
        pytest.skip("the shared case table is not next to this checkout")
    return dict(json.loads(path.read_text(encoding="utf-8")))


@pytest.fixture(scope="session")
def blinded() -> Callable[..., BlindedReply]:
    """Makes a verified reply from text that names nobody."""
    verifier = Verifier()

    def make(item: str, text: str, *, context: str | None = None, lang: str = "en") -> BlindedReply:
        made = verifier.verify_text(item=item, text=text, context=context, lang=lang)
        assert isinstance(made, BlindedReply), made
        return made

    return make


@pytest.fixture(scope="session")
def masked() -> Callable[..., MaskedText]:
    """Masks a reply to Ana."""
    blinder = Blinder(lang="en", ner="off")

    def make(item: str, text: str) -> MaskedText:
        return blinder.mask(Reply(id=item, text=text, known_names=("Ana",), lang="en"))

    return make


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """A new ledger, open for writing."""
    with Ledger.open(tmp_path / "ledger.sqlite") as opened:
        yield opened
