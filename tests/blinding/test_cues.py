"""Cue packs: the documented format, errors with their place, sources and licences."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import judgekit
from judgekit.blinding.cues import lexicon, load_things, load_words, read_pack
from judgekit.blinding.mask import Blinder
from judgekit.blinding.verify import Verifier
from judgekit.errors import ConfigProblem
from judgekit.records import BlindedReply, Reply

CUES = Path(judgekit.__file__).parent / "data" / "cues"
GOOD = """format: judgekit-cues-1
language: en
redact:
  - list: disability
    kind: disability
    shown: "[CONDITION]"
    source: the study
    licence: none needed
    entries: wheelchair, guide dog
neutral:
  - list: club
    source: the study
    licence: none needed
    entries: |
      CLUB-HEAD: den mother | den father
keep:
  - list: products
    source: the study
    licence: none needed
    entries: Boy Racer
verify:
  - list: disability
    kind: disability
    source: the study
    licence: none needed
    entries: wheelchair, guide dog
"""


def written(folder: Path, text: str) -> Path:
    """A pack on disk."""
    path = folder / "own.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_user_pack_redacts_keeps_and_verifies(tmp_path: Path) -> None:
    """Redaction entries, neutral pairs, words to keep and verification entries are all used."""
    path = str(written(tmp_path, GOOD))
    reply = Reply(id="1", text="My guide dog likes the den mother and Boy Racer 3.", lang="en")
    masked = Blinder(ner="off", packs=(path,)).mask(reply)
    assert masked.text == "My [CONDITION] likes the [CLUB-HEAD] and Boy Racer 3."
    verifier = Verifier(packs=(path,), keep=("Boy Racer",))
    assert isinstance(verifier.verify(masked), BlindedReply)
    assert not isinstance(verifier.verify_text(item="1", text="a guide dog", lang="en"), BlindedReply)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("judgekit-cues-1", "judgekit-cues-9"), "unknown cue pack format"),
        (("    licence: none needed\n    entries: wheel", "    entries: wheel"), "states no licence"),
        (
            (
                "    source: the study\n    licence: none needed\n    entries: wheel",
                "    licence: x\n    entries: wheel",
            ),
            "states no source",
        ),
        (("redact:", "redacted:"), "unknown key in cue pack"),
        (('    shown: "[CONDITION]"\n', ""), "has no `shown`"),
        (("list: club", "name: club"), "has no name"),
        (("    kind: disability\n    shown", "    colour: red\n    kind: x\n    shown"), "unknown key in a cue list"),
        (("format: judgekit-cues-1", "format: [judgekit"), "not valid YAML"),
    ],
)
def test_a_wrong_pack_is_explained(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    """Each mistake in a pack is an error that names the file and what to do."""
    path = written(tmp_path, GOOD.replace(change[0], change[1], 1))
    with pytest.raises(ConfigProblem, match=message) as caught:
        read_pack(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("path", sorted(CUES.glob("*.yaml")), ids=lambda p: p.name)
def test_every_bundled_list_states_source_and_licence(path: Path) -> None:
    """No list travels without saying where it comes from."""
    pack = yaml.safe_load(path.read_text(encoding="utf-8"))
    lists = [
        e for k in ("redact", "neutral", "sets", "keep", "verify") if isinstance(pack.get(k), list) for e in pack[k]
    ]
    for entry in lists or [pack]:
        assert entry["source"]
        # SCOWL's own terms are permissive too; its notice stands in the file.
        assert entry["licence"] == "MIT" or entry["licence"].startswith("SCOWL (permissive")


def test_redaction_and_verification_lists_are_apart() -> None:
    """The bundled files of the redactor hold nothing for the verifier, and the other way round."""
    for lang in ("en", "es"):
        assert "verify" not in yaml.safe_load((CUES / f"{lang}.yaml").read_text(encoding="utf-8"))
        assert set(yaml.safe_load((CUES / f"verify-{lang}.yaml").read_text(encoding="utf-8"))) == {
            "format",
            "language",
            "verify",
        }


def test_the_verifier_knows_every_placeholder_the_redactor_writes() -> None:
    """A placeholder of the bundled lists is never taken for text."""
    verifier = Verifier()
    for lang in ("en", "es"):
        for group in lexicon(lang).cues.values():
            for cue in group:
                assert isinstance(verifier.verify_text(item="1", text=cue.shown, lang=lang), BlindedReply), cue


def test_word_lists_hold_words() -> None:
    """Ordinary words, things and names that are words are told apart."""
    assert {"kettle", "wallet", "grace", "will"} <= load_words("en")
    assert {"tienda", "pedido"} <= load_words("es")
    things = load_things()
    assert {"samsung", "lyon"} <= things.all
    assert {"victoria"} <= things.doubtful
    assert {"grace", "will"} <= things.word_names
    assert not {"ngozi", "priyanka", "zbigniew", "ximena"} & (load_words("en") | things.all)
