"""Patterns that run only where a text has what they need: leaving them out never changes what is masked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judgekit.blinding import ages, origins
from judgekit.blinding.contact import find_contacts
from judgekit.blinding.fold import View, fold
from judgekit.blinding.mask import Blinder
from judgekit.records import Reply
from judgekit.records.blinded import MaskedText

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "data" / "blinding_dev.jsonl"
# One sentence and more for the branches of the patterns of ages and of origins.
SAID = """A 34-year-old woman called.|The 41 year old who asked has left.|My sixty-year-old is here.|The customer is 52.
The client, aged 47, is in.|At 67, you can join.|She is 38 years young.|He is 29 yo.|You are 55.|She's only thirty-one.
He'll be fourteen.|You are fit and now 61.|She turned 19.|Your age is: 44.|Since reaching 65, he rests.|Ana, age 36, left.
(28F) asked.|M/45 wrote.|A man of 71.|She is in her mid-40s.|On your 50th birthday.|Born on 3 May 1961.|DOB: 01/02/1980
At the age of 12 he came.|Noor is barely 23.|Noor will be 90.|Noor hits the big 40 today.|You retired at sixty-two.
At just 33, Noor left.|Being only 20, you pay less.|Noor (aged 48) is here.|You are well past 70.|A child of the 80s.
The big 5-0 is near.|She was born in the sixties.|You moved here from Ghana.|He is originally from Lima.|I grew up in Oslo.
Your family lives in Chad.|She is homesick for Kerala.|They came over to us from Cork.|Her country of origin: Mali.
You fly home to Quito.|Call +44 20 7946 0958.|Pay to GB29 NWBK 6016 1331 9268 19.|Card 4111 1111 1111 1111.""".replace(
    "\n", "|"
)
DICHO = """Usted cumple 60 años.|Nació el 3 de mayo de 1961.|Es originaria de Lugo.|Usted es de Cuba.|Se mudó desde Quito.
Tienes raíces en Fez.|Vino ayer de Lima.|Creció en Cali.|Su pasaporte de Perú.|Me trasladé a Jaén desde Oruro.""".replace(
    "\n", "|"
)


def _everything(patterns: tuple[tuple[object, object], ...], *_: object) -> list[object]:
    return [pattern for _, pattern in patterns]


def _masked(texts: list[tuple[str, str]]) -> list[MaskedText]:
    blinder = Blinder(ner="off")
    return [
        blinder.mask(Reply(id="1", text=text, lang=lang, known_names=("Noor",), names_stated=True))
        for lang, text in texts
    ]


def _texts() -> list[tuple[str, str]]:
    own = [("en", text) for text in SAID.split("|")] + [("es", text) for text in DICHO.split("|")]
    if not CORPUS.exists():  # the sentences above keep the test alive
        return own
    rows = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()[::6]]
    return own + [(row["lang"], row["text"]) for row in rows]


def test_leaving_patterns_out_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every text is masked as it is when all patterns run on it."""
    texts = _texts()
    quick = _masked(texts)
    monkeypatch.setattr(ages, "_runnable", _everything)
    monkeypatch.setattr(origins, "_may_tell", lambda view, lang: True)
    monkeypatch.setattr(View, "plain", False)
    monkeypatch.setattr(View, "spelt", True)
    assert _masked(texts) == quick
    own = len(SAID.split("|") + DICHO.split("|"))
    told = sum(bool(one.slots) for one in quick[:own])
    assert told > 0.8 * own, "the sentences above are there for what they tell"


def test_every_need_belongs_to_a_pattern() -> None:
    """A fragment that no pattern has any more would be a need that nothing reads."""
    patterns = [*ages._ENGLISH, *ages._ENGLISH_NAMED]
    assert [part for part in ages._NEEDS if not any(part in p for p in patterns)] == []


@pytest.mark.parametrize(
    "text", ["½ tel. 0123 456 7890", "x—gb29nwbk60161331926819", "٣٤ +44 20 7946 0958", "iban:gb29nwbk60161331926819"]
)
def test_numbers_beside_other_signs_are_found(text: str) -> None:
    """Signs that no plain text has do not hide a number."""
    assert [span.kind for span in find_contacts(fold(text))] in (["phone"], ["iban"])


@pytest.mark.parametrize(
    "text", ["¡Hola, José! 5 €", "a\u0301 b", "co\u00adop", "Ⅷ ﬁn", "ªº", "tab\x1fbed", "", "_a_b", "’tis “so”…"]
)
def test_words_are_the_runs_of_letters_digits_and_marks(text: str) -> None:
    """Splitting finds the words that the pattern finds, and each stands for its own stretch of the text."""
    from judgekit.blinding.fold import _WORD

    view = fold(text)
    spans = [found.span() for found in _WORD.finditer(view.folded)]
    assert list(zip(view.starts, view.ends, strict=True)) == spans
    assert view.words == tuple(view.folded[a:b] for a, b in spans)
    assert all(fold(view.raw(k)).words == (word,) for k, word in enumerate(view.words))


SINGLE = """Born to a baker in 1961.|The fee is for those 38 years young.|The customer is 52.|The client, 47, is in.|At 67, you can join.|Aged 44.
Since the age 65 he rests.|Noor is 12.|Noor reached 60.|Noor's age is 41.|You are past 70.|The 41 year old who asked.|My sixty-year-old.""".replace(
    "\n", "|"
)


def test_a_pattern_that_would_match_is_run() -> None:
    """Each pattern of ages that has a need is tried on the sentences it matches."""
    matched: set[str] = set()
    table = (*ages._patterns("en"), *ages._named_patterns("en"))
    for sentence in [*SAID.split("|"), *SINGLE.split("|")]:
        view = fold(sentence)
        text = view.folded.replace("noor", "\x00" * 4)
        hits = [pattern for _, pattern in table if pattern.search(text, timeout=1.0)]
        run = ages._runnable(table, text, ages._before_numbers(view))
        assert [p.pattern for p in hits if p not in run] == [], sentence
        matched.update(p.pattern for p in hits)
    assert [p.pattern for needs, p in table if needs != ("",) and p.pattern not in matched] == []
