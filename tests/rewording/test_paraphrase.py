"""Rewording by rules: a wanted share of tokens, the same meaning, and nothing touched that must stay."""

from __future__ import annotations

import pytest
import regex

from judgekit.blinding.mask import Blinder
from judgekit.blinding.verify import Verifier
from judgekit.errors import BadInput
from judgekit.records import BlindedReply, Reply
from judgekit.rewording.edits import find_edits
from judgekit.rewording.fixed import fixed_sentence, fixed_sentence_masked
from judgekit.rewording.paraphrase import MAX_TOKENS, enough, paraphrase, paraphrase_masked
from judgekit.rewording.rules import LANGUAGES, rules_for
from judgekit.statistics.token_change import token_change

ENGLISH = (
    "Hello, I am sorry about the delay. We have looked into the problem and we will send the parcel again. "
    "It is usually here within 3 days. Please let us know if you need anything else. At the moment we are waiting for "
    "the courier, but you can also check the status at https://shop.example/t/99 or write to help@shop.example."
)
SPANISH = (
    "Hola, hemos comprobado el pedido 4471 y por lo general llega a tiempo. Sin embargo, puede pedir una foto del "
    "paquete. En este momento revisaremos el error y le enviaremos otra vez el código `A-1`."
)
STAYS = regex.compile(r"https?://\S+|\S+@\S+|`[^`]*`|\[[^\]]*\]|\d+")


@pytest.mark.parametrize(("text", "lang"), [(ENGLISH, "en"), (SPANISH, "es")])
@pytest.mark.parametrize("share", [0.03, 0.08, 0.15])
def test_the_wanted_share_is_reached_and_measured(text: str, lang: str, share: float) -> None:
    """What is told is what `token_change` measures, close to the wish, and the same every time."""
    made = paraphrase(text, lang=lang, share=share, seed=4)
    assert made.reached, made.why
    assert made.changed == token_change(text, made.text).distance
    assert enough(made.wanted, made.changed)
    assert made.share == pytest.approx(made.changed / token_change(text, text).tokens)
    assert made == paraphrase(text, lang=lang, share=share, seed=4)
    assert len({paraphrase(text, lang=lang, share=share, seed=n).text for n in range(8)}) > 1


@pytest.mark.parametrize(("text", "lang"), [(ENGLISH, "en"), (SPANISH, "es")])
def test_numbers_addresses_and_code_stay(text: str, lang: str) -> None:
    """Whatever carries a fact is there afterwards, in the same order."""
    for seed in range(10):
        made = paraphrase(text, lang=lang, share=0.4, seed=seed)
        assert STAYS.findall(made.text) == STAYS.findall(text)


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("Isn't it late?", "Is not it"),
        ("It's been sent.", "It is been"),
        ("Yes, you are.", "you're."),
        ("Our partner Perhaps Ltd wrote.", "Maybe"),
        ('He said "perhaps tomorrow" twice.', "maybe"),
        ("Use `perhaps` here.", "maybe"),
        ("A method is a method.", "an way"),
        ("It is an additional fee.", "an extra-"),
        ("PERHAPS NOT", "MAYBE"),
        ("perhaps-like, per/perhaps", "maybe"),
    ],
)
def test_rules_know_their_place(text: str, never: str) -> None:
    """Inversions, perfect tenses, names, quotations, code and capitals are left alone."""
    assert all(never not in text[: e.start] + e.new + text[e.end :] for e in find_edits(text, rules_for("en")))


def test_articles_and_small_words_agree() -> None:
    """`a` and `an`, `y` and `e` and the contraction `del` are never made wrong."""
    english = [e.new for e in find_edits("That was an error, a mistake and a usual one.", rules_for("en"))]
    assert "error" not in english
    assert "normal" in english
    spanish = "Voy a partir de el lunes y por ejemplo, acerca de el plan."
    assert not [e.new for e in find_edits(spanish, rules_for("es")) if e.new.endswith((" de", " a"))]


def test_clauses_change_places() -> None:
    """A conditional moves to the other side, with comma and capital as they must be."""
    found = {e.new for e in find_edits("If you need help, please call us.", rules_for("en"))}
    assert "Please call us if you need help." in found
    back = {e.new for e in find_edits("Please call us if you need help.", rules_for("en"))}
    assert "If you need help, please call us." in back
    assert not {e.new for e in find_edits("If Ana calls, Ben answers.", rules_for("en"))}


def test_a_text_that_offers_too_little_says_so() -> None:
    """Too little to change, no rules for the language, too long: not reached, with the reason, and never an error."""
    short = paraphrase("Ok, bye.", lang="en", share=0.5, seed=1)
    assert (short.reached, short.text) == (False, "Ok, bye.")
    assert "2 were wanted" in short.why
    assert "language fr" in paraphrase("Peut-être demain.", lang="fr", share=0.5, seed=1).why
    long = paraphrase("perhaps " * (MAX_TOKENS + 1), lang="en", share=0.5, seed=1)
    assert str(MAX_TOKENS) in long.why
    assert not paraphrase("", lang="en", share=0.5, seed=1).reached
    with pytest.raises(BadInput):
        paraphrase("Perhaps.", lang="en", share=0.0, seed=1)


def test_hostile_text_is_no_trouble() -> None:
    """Markup, escapes, lone surrogates and unclosed marks come through as they were."""
    text = "\x1b[31mPerhaps\x1b[0m \ud800 [[[[ <b ```never closed perhaps"
    made = paraphrase(text, lang="en", share=0.5, seed=1)
    assert made.text.replace("Maybe", "Perhaps") == text


def test_slots_stay_and_the_verifier_agrees() -> None:
    """Slots are moved with the text around them, and the reworded masked text passes the verifier."""
    said = "Perhaps Ana is late, so we will send her parcel again. Ana, let us know if you need anything else."
    masked = Blinder(lang="en", ner="off").mask(Reply(id="1", text=said, known_names=("Ana",), context="Hi, I am Ana."))
    for seed in range(6):
        made, told = paraphrase_masked(masked, changes=6, seed=seed)
        assert told.reached
        bodies = {"text": made.text, "context": made.context or ""}
        before = {"text": masked.text, "context": masked.context or ""}
        for slot, old in zip(made.slots, masked.slots, strict=True):
            assert bodies[slot.field][slot.start : slot.end] == before[old.field][old.start : old.end]
            assert (slot.person, slot.form, slot.surface) == (old.person, old.form, old.surface)
        assert isinstance(Verifier().verify(made), BlindedReply)
    with pytest.raises(BadInput):
        paraphrase_masked(masked, changes=0, seed=1)


@pytest.mark.parametrize("place", ["start", "end"])
def test_the_fixed_sentence_is_one_and_the_same(place: str) -> None:
    """Every text of a seed gets the same sentence, at the place that was asked for, and slots move along."""
    masked = Blinder(lang="en", ner="off").mask(Reply(id="1", text="Ana is late.", known_names=("Ana",)))
    made = fixed_sentence_masked(masked, seed=2, place=place)  # type: ignore[arg-type]
    slot = made.slots[0]
    assert made.text[slot.start : slot.end] == masked.text[masked.slots[0].start : masked.slots[0].end]
    added = made.text.replace(masked.text, "").strip()
    other = fixed_sentence("Another text.", lang="en", seed=2, place=place)  # type: ignore[arg-type]
    assert added in other
    with pytest.raises(BadInput):
        fixed_sentence("Texte.", lang="fr", seed=1)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_classes_hold_no_words_of_feeling_and_lead_nowhere_new(lang: str) -> None:
    """No rule swaps thanks or regret, no phrase becomes itself, and every language has neutral sentences."""
    rules = rules_for(lang)
    assert rules is not None
    feeling = {"thanks", "thank", "sorry", "glad", "unfortunately", "gracias", "siento", "lamento", "desgracia"}
    for words, swaps in rules.swaps.items():
        assert not feeling & set(words)
        assert all(" ".join(words) != swap.to.replace(",", " ,").lower() for swap in swaps)
    assert all(
        isinstance(Verifier().verify_text(item="1", text=s, lang=lang), BlindedReply) for s in rules.fixed_sentences
    )
