"""Verified replies, masked texts and people for the judging tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from judgekit.blinding.mask import Blinder
from judgekit.blinding.verify import Verifier
from judgekit.files.ledger import Ledger
from judgekit.records import BlindedReply, Identity, MaskedText, NameForms, Reply

SECRET = b"not a secret in tests, 32 bytes!"


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


def people(group: str, *names: str, labels: bool = False) -> list[Identity]:
    """Identities of one group, with pair labels when wanted."""
    return [
        Identity(group=group, name=n, forms=NameForms(given=n), name_pair=str(i) if labels else None)
        for i, n in enumerate(names)
    ]
