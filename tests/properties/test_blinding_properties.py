"""Properties of blinding on any text: nothing is lost, nothing crashes, copies become equal."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgekit.blinding.fill import fill, original, own_identity
from judgekit.blinding.fold import fold
from judgekit.blinding.mask import Blinder
from judgekit.blinding.verify import Verifier
from judgekit.records import BASE, BlindedReply, Reply, Withheld

BLINDER, VERIFIER = Blinder(ner="off"), Verifier(timeout=2.0)
PIECES = st.sampled_from(
    ["she", "He's", "they", "Ngozi", "NGOZI", "Okafor", "o.ngozi@mail.example", "@ngozi", "[PERSON_1]", "[PRONOUN]", "Mr.", "ma'am", "&amp;",
     "&iacute;", "%C3%AD", "\\u00ed", "\u200d", "\u0301", "\ud800", "\x1b[2J", "<b>", "{{", "}}", "\n", "\r\n", "\u2028", "señora", "está", "la", "él",
     "王芳", "فاطمة", "Ольга", "अनीता", "38-year-old", "Estimada", "#Team", "T-H-U-Y", "🎉", "'", "’s", ".", ",", " ", "  ", "0044 20 7946 0958", "Ⅷ", "ﬁ", "İ"]
)  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=200), st.lists(PIECES, max_size=40).map("".join), st.lists(PIECES, max_size=40).map(" ".join)
)
LANGS = st.sampled_from([None, "en", "es"])


@settings(max_examples=250, deadline=None)
@given(
    text=TEXTS,
    context=st.none() | TEXTS,
    lang=LANGS,
    known=st.sampled_from([(), ("Ngozi", "Okafor"), ("王芳",), ("Grace",)]),
)
def test_the_original_comes_back_exactly(
    text: str, context: str | None, lang: str | None, known: tuple[str, ...]
) -> None:
    """Slots and masked text together are the original, whatever it holds; verification gives a verdict."""
    masked = BLINDER.mask(Reply(id="1", text=text, context=context, lang=lang, known_names=known))
    assert original(masked) == (text, context)
    assert isinstance(VERIFIER.verify(masked), (BlindedReply, Withheld))


@settings(max_examples=100, deadline=None)
@given(text=TEXTS, lang=LANGS)
def test_masking_is_deterministic(text: str, lang: str | None) -> None:
    """The same reply gives the same masked text and slots."""
    reply = Reply(id="1", text=text, lang=lang, known_names=("Ngozi", "Okafor"))
    assert BLINDER.mask(reply) == Blinder(ner="off").mask(reply)


@settings(max_examples=150, deadline=None)
@given(text=TEXTS)
def test_folding_maps_every_character(text: str) -> None:
    """Each folded character points into the text, in order."""
    view = fold(text)
    places = [view.source(i, i + 1) for i in range(len(view.folded))]
    assert all(0 <= a < b <= len(text) for a, b in places)
    assert [a for a, _ in places] == sorted(a for a, _ in places)


SENTENCES = [
    "{given} says {sub}'s late.", "Dear {title} {family},", "Please call {obj} back about {pos} order.", "{given} {family} did it {ref}.",
    "It is {abs}.", "{Sub} wants a refund.", "Thanks, {given}!", "{given}'s account is open.", "As a {parent}, you may apply, {given}.",
]  # fmt: skip
FORMS = {
    "f": dict(sub="she", Sub="She", obj="her", pos="her", abs="hers", ref="herself", title="Ms", parent="mother"),  # noqa: C408
    "m": dict(sub="he", Sub="He", obj="him", pos="his", abs="his", ref="himself", title="Mr", parent="father"),  # noqa: C408
}
PEOPLE = [
    ("f", "Ngozi", "Okafor"),
    ("m", "Bartosz", "Kowalczyk"),
    ("f", "Ximena", "de la Cruz"),
    ("m", "Jean-Luc", "O'Brien"),
    ("f", "Xiulan", "Zhou"),
]


def written(plan: list[str], person: tuple[str, str, str]) -> Reply:
    """A text of template sentences about one person."""
    sex, given_name, family = person
    text = " ".join(plan).format(given=given_name, family=family, **FORMS[sex])
    return Reply(id="1", text=text, lang="en", known_names=(given_name, family))


@settings(max_examples=150, deadline=None)
@given(plan=st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5), person=st.sampled_from(PEOPLE))
def test_own_identity_gives_the_text_back(plan: list[str], person: tuple[str, str, str]) -> None:
    """A text about one known person comes back when that person is filled in."""
    reply = written(plan, person)
    masked = BLINDER.mask(reply)
    assert fill(masked, own_identity(masked), arm=BASE).text == reply.text


@settings(max_examples=150, deadline=None)
@given(
    plan=st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5),
    one=st.sampled_from(PEOPLE),
    other=st.sampled_from(PEOPLE),
)
def test_copies_of_a_template_become_equal(
    plan: list[str], one: tuple[str, str, str], other: tuple[str, str, str]
) -> None:
    """Whoever the person is, the masked text of a template is the same, and it is verified."""
    masked = [BLINDER.mask(written(plan, person)) for person in (one, other)]
    assert masked[0].text == masked[1].text
    assert all(isinstance(VERIFIER.verify(m), BlindedReply) for m in masked)


@pytest.mark.slow
def test_many_generated_texts() -> None:
    """Random scripts, controls, surrogates, markup and a long line: no exception, no text lost."""
    rng = random.Random(5)
    alphabets = [
        "abc ",
        "éàñ ",
        "аеор ",
        "王芳李 ",
        "فاطمة ",
        "\x00\x1b\x07\n",
        "\ud800\udfff ",
        "<>&;%\\u/[]{}",
        "0123456789 ",
        "@._-#' ",
    ]
    for _ in range(20_000):
        text = "".join(rng.choice(rng.choice(alphabets)) for _ in range(rng.randrange(60)))
        masked = BLINDER.mask(Reply(id="1", text=text, lang="en", known_names=("Ngozi",)))
        assert original(masked)[0] == text
        VERIFIER.verify(masked)
    line = "she said <b>hello</b> to Ngozi; " * 32_000
    masked = BLINDER.mask(Reply(id="1", text=line, lang="en", known_names=("Ngozi",)))
    assert original(masked)[0] == line
    assert "Ngozi" not in masked.text


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", ["a", "she ", "[", "[PERSON_1] ", "a.", "@a.", "a-", "1 ", "you are 3", "\u0301", "&#x41;", "mr. ", "aA"]
)
def test_verification_is_bounded(unit: str) -> None:
    """Long texts made of one pattern's alphabet are verified or withheld in a bounded time."""
    text = unit * (100_000 // len(unit))
    started = time.process_time()
    VERIFIER.verify_text(item="1", text=text, known_names=("Ngozi", "Okafor"), lang="en")
    assert time.process_time() - started < 20
