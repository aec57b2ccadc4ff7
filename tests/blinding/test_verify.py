"""Verification: what it finds by itself, and that it fails closed."""

from __future__ import annotations

import ast
import time
from dataclasses import replace
from pathlib import Path

import pytest

import judgekit.blinding.verify as module
from judgekit.blinding.mask import Blinder
from judgekit.blinding.verify import Verifier
from judgekit.errors import ConfigProblem
from judgekit.records import BlindedReply, MaskedText, Reply, Withheld

VERIFIER = Verifier()


def check(text: str, *names: str, lang: str = "en") -> BlindedReply | Withheld:
    """Verify one text."""
    return VERIFIER.verify_text(item="1", text=text, known_names=names, lang=lang)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("[PERSON_1] said she is late.", "pronoun"),
        ("[PERSON_1] said SHE is late.", "pronoun"),
        ("[PERSON_1] said \uff53\uff48\uff45 is late.", "pronoun"),
        ("[PERSON_1] said s\u200bhe is late.", "pronoun"),
        ("[PERSON_1] said sh\u0435 is late.", "pronoun"),
        ("Your wife is here.", "gendered"),
        ("Good day, ma'am.", "title"),
        ("Dear Mrs. [PERSON_1],", "title"),
        ("Dear Miss [PERSON_1],", "title"),
        ("Hi Ngozi!", "name"),
        ("hi ngozi", "name"),
        ("Share #TeamNgozi", "name"),
        ("I met Ngzoi today, and it was good.", "name"),
        ("N-G-O-Z-I", "name"),
        ("Ng\u043ezi", "name"),
        ("write to a.b@mail.example", "email"),
        ("You're 38, so it is free.", "age"),
    ],
)
def test_english_leaks_are_found(text: str, kind: str) -> None:
    """Each kind of cue that a redactor might miss is found on the folded output."""
    found = check(text, "Ngozi")
    assert isinstance(found, Withheld)
    assert kind in {leak.kind for leak in found.leaks}
    for leak in found.leaks:
        assert 0 <= leak.start < leak.end <= len(text)


@pytest.mark.parametrize(
    "text", ["Ella llamó.", "Estimada [PERSON_1]:", "La Sra. [PERSON_1] llamó.", "con su marido", "si está interesada"]
)
def test_spanish_leaks_are_found(text: str) -> None:
    """The same for Spanish."""
    assert isinstance(check(text, lang="es"), Withheld)


@pytest.mark.parametrize(
    "text",
    [
        "Hi [PERSON_1], [PRONOUN]'s here. Your [SPOUSE] called.",
        "A grace period applies, and the will was read.",
        "Ms. Pac-Man is on the console; king size beds are back.",
        "They'll arrive in two boxes.",
        "",
        "12345 !!! ---",
    ],
)
def test_clean_text_passes(text: str) -> None:
    """Masked and ordinary text is verified and keeps its hash."""
    found = check(text, "Grace", "Will")
    assert isinstance(found, BlindedReply)
    assert found.text == text


@pytest.mark.parametrize("lang", ["fr", "unknown", "", "de"])
def test_an_unknown_language_is_withheld(lang: str) -> None:
    """A language without verification lists is never passed."""
    found = check("Bonjour", lang=lang)
    assert isinstance(found, Withheld)
    assert found.code == "language"


def test_a_language_that_is_not_what_the_row_says_is_withheld() -> None:
    """Spanish text in a row that says English is not checked with English lists and passed."""
    found = check("La tienda abre el lunes y el pedido sale de la tienda para su casa.", lang="en")
    assert isinstance(found, Withheld)
    assert found.code == "language"


@pytest.mark.parametrize(
    "text", ["Hello \u041e\u043b\u044c\u0433\u0430.", "Hello \u738b\u82b3.", "Hi \u0641\u0627\u0637\u0645\u0629"]
)
def test_an_unknown_script_is_withheld(text: str) -> None:
    """Letters the lists cannot read are never passed."""
    found = check(text)
    assert isinstance(found, Withheld)
    assert found.code == "script"


def test_a_placeholder_without_a_slot_is_forged() -> None:
    """A placeholder that no slot accounts for was in the text before, or was put there."""
    masked = MaskedText(item="1", text="Hi [PERSON_1].", lang="en")
    found = VERIFIER.verify(masked)
    assert isinstance(found, Withheld)
    assert found.leaks[0].rule == "forged placeholder"


def test_words_in_brackets_are_no_placeholder() -> None:
    """Only the known grammar is left out of the check: a pronoun in brackets is still a pronoun."""
    for text in ("[SHE]", "[HER_1]", "[PERSON_SHE]", "[PERSON]  she", "[NGOZI]"):
        assert isinstance(check(text, "Ngozi"), Withheld), text


def test_what_the_redactor_makes_passes() -> None:
    """Masked replies of both languages are verified."""
    blinder = Blinder(ner="off")
    for lang, text in (
        ("en", "Dear Mrs. Mora, your husband said he's ill."),
        ("es", "Estimada Sra. Mora: la llamaremos."),
    ):
        masked = blinder.mask(Reply(id="1", text=text, known_names=("Ana", "Mora"), lang=lang))
        assert isinstance(VERIFIER.verify(masked), BlindedReply)


def test_a_text_changed_after_masking_is_caught() -> None:
    """Verification reads the text itself and trusts no field."""
    masked = Blinder(ner="off").mask(Reply(id="1", text="Hi Ana.", known_names=("Ana",), lang="en"))
    assert isinstance(VERIFIER.verify(replace(masked, text="Hi Ana.")), Withheld)


def pack(tmp_path: Path, pattern: str) -> str:
    """A user's cue pack with one verification pattern."""
    path = tmp_path / "own.yaml"
    path.write_text(
        "format: judgekit-cues-1\nlanguage: en\nverify:\n  - list: own\n    kind: cue\n    source: test\n    licence: MIT\n"
        f"    patterns:\n      - '{pattern}'\n",
        encoding="utf-8",
    )
    return str(path)


def test_a_catastrophic_pattern_ends_in_time_and_withholds(tmp_path: Path) -> None:
    """A pattern that would run for ever is stopped, named, and the reply withheld."""
    verifier = Verifier(packs=(pack(tmp_path, "(?:(a+)(a+))+\\1\\2b"),), timeout=0.1)
    started = time.monotonic()
    found = verifier.verify_text(item="1", text="a" * 5000 + "c", lang="en")
    assert time.monotonic() - started < 5
    assert isinstance(found, Withheld)
    assert found.code == "timeout"
    assert found.leaks[-1].rule == "own #1"


def test_an_invalid_pattern_is_reported(tmp_path: Path) -> None:
    """A pattern that is no regular expression is an error that names the pack."""
    with pytest.raises(ConfigProblem, match="no regular expression"):
        Verifier(packs=(pack(tmp_path, "(a"),))


def test_own_verification_entries_are_used(tmp_path: Path) -> None:
    """A user's verification entries find what only they know."""
    found = Verifier(packs=(pack(tmp_path, "wheel ?chair"),)).verify_text(item="1", text="in a wheelchair", lang="en")
    assert isinstance(found, Withheld)


def test_the_verifier_shares_no_code_with_the_redactor() -> None:
    """It imports nothing from the rest of the package's blinding."""
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    imported = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert not any(m and m.startswith("judgekit.blinding") for m in imported)


def test_a_text_full_of_leaks_lists_the_first_and_counts_the_rest() -> None:
    """A text made of leaks is told by its first leaks, in its order, and by how many there are."""
    held = Verifier().verify_text(item="1", text="and she is " * 800, lang="en")
    assert isinstance(held, Withheld)
    assert len(held.leaks) + held.more == 800
    assert [leak.start for leak in held.leaks[:3]] == [4, 15, 26]
    few = Verifier().verify_text(item="1", text="¿Ella? «Él» — sí: ella.", lang="es")
    assert isinstance(few, Withheld)
    assert (few.more, [(leak.start, leak.end) for leak in few.leaks]) == (0, [(1, 5), (18, 22)])
