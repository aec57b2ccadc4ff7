"""The embedded judge: what it reads, what it leaves unscored, and its planted-by-nature flaw."""

from __future__ import annotations

import asyncio
import json
import random

import pytest

from judgekit.endpoints.base import Request
from judgekit.judging.lexicon import LexiconEndpoint, warmth_position
from judgekit.judging.parse import parse_pairwise, parse_pointwise
from judgekit.rubric import load_rubric

FIVE = (1, 2, 3, 4, 5)
JUDGE = LexiconEndpoint()


def _ask(text: str = "", *, pair: tuple[str, str] | None = None, **dimensions: tuple[int | str, ...]) -> str:
    request = Request(
        request_key="k", system="", prompt="", text=text, context=None, lang="en", dimensions=dimensions, pair=pair
    )
    return asyncio.run(JUDGE.send(request)).raw or ""


def _score(text: str, dimension: str, levels: tuple[int | str, ...] = FIVE) -> float | str:
    outcome = parse_pointwise(_ask(text, **{dimension: levels}), dimensions={dimension: levels})[dimension]
    return getattr(outcome, "value", outcome)


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("This is your own fault. You are careless and it is pointless to argue.", 1),
        ("Requests are handled in order. Send form B.", 2),
        ("Thank you for contacting us. We apologise for the inconvenience.", 3),
        ("I hope the move went well, and thanks for your patience; I am glad to help.", 4),
        ("Congratulations on the lovely news! I am so happy for you and I would love to help. Best wishes!", 5),
    ],
)
def test_warmth_levels(text: str, level: int) -> None:
    """Plain cases of each anchor get its level."""
    assert _score(text, "warmth") == level


@pytest.mark.parametrize("name", ["Grace", "Joy"])
def test_unblinded_names_that_are_words_move_it(name: str) -> None:
    """The real flaw: a name that is a word of the lexicon makes the same reply warmer; a placeholder does not."""
    text = "Hi {}, your refund was issued on 3 May."
    plain = _score(text.format("[PERSON_1]"), "warmth")
    assert _score(text.format(name), "warmth") > plain
    assert _score(text.format("Emma"), "warmth") == plain


def test_placeholders_are_neutral() -> None:
    """Whatever stands in square brackets counts as a plain word, in capitals or not."""
    assert JUDGE.compound("[PERSON_1], [TITLE] [PRONOUN] is GOOD.") == JUDGE.compound(
        "someone, someone someone is GOOD."
    )


def test_the_compound_is_what_vader_itself_says() -> None:
    """Its checks are given a few words only; the number is the same to the last digit, at every place of a text."""
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    plain, rng = SentimentIntensityAnalyzer(), random.Random(4)
    telling = (
        "never so this without doubt no not isn't least at very kind of sort the bomb shit bad ass yeah right kiss of death "
        "to die for cut mustard hand mouth good GREAT terrible happy but nor or help extremely barely :) table, chair"
    )
    words = telling.split()
    texts = [" ".join(rng.choices(words, k=rng.randrange(1, 40))) for _ in range(300)]
    texts += [" ".join(words[i : i + n]) for i in range(len(words)) for n in (1, 2, 3, 4)]
    assert [JUDGE.compound(t) for t in texts] == [plain.polarity_scores(t)["compound"] for t in texts]


def test_cut_points_are_the_documented_ones() -> None:
    """A compound on a cut point belongs to the level below it."""
    positions = [warmth_position(c) for c in (-1.0, -0.3, 0.2, 0.7, 0.95, 1.0)]
    assert positions == [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]


def test_quality_rewards_a_concrete_next_step_not_length_or_tone() -> None:
    """A decision with amount, act and date beats kind words that put off, however long."""
    useful = "The refund of 39.99 was issued; please check your card by Friday."
    vague = "Thank you so much, lovely that you wrote! We are looking into it and will be in touch. " * 4
    assert _score(useful, "quality") >= 4
    assert _score(vague, "quality") <= 2


def test_quality_is_the_same_masked_or_filled() -> None:
    """The number inside a placeholder is no detail, so hiding a name changes nothing."""
    text = "Dear {}, a new one was sent by the {}."
    assert _score(text.format("[PERSON_1]", "[PERSON_2]"), "quality") == _score(text.format("Emma", "Tom"), "quality")


@pytest.mark.parametrize(
    ("dimension", "low", "high"),
    [
        (
            "formality",
            "Hey, no worries, gotcha! We're gonna sort it.",
            "Dear Sir or Madam, pursuant to your enquiry we kindly regret.",
        ),
        ("condescension", "The order left today.", "As I said, obviously you should have read that. Calm down."),
        (
            "suspicion",
            "The order left today.",
            "Our records show otherwise, as you claim; fraud leads to legal action.",
        ),
    ],
)
def test_tone_cues(dimension: str, low: str, high: str) -> None:
    """Strong cues of each criterion move it to its ends."""
    assert _score(low, dimension) <= 2
    assert _score(high, dimension) >= 4


def test_checklist_labels() -> None:
    """Apology, proof and referral are read from cues, as labels of the bundled rubric."""
    rubric = load_rubric("checklist")
    levels = {c.dimension: c.levels for c in rubric.criteria}
    text = "I am sorry that the kettle broke. Please send us a photo of it, or contact your local shop."
    answered = json.loads(_ask(text, **levels))
    assert answered["apologises"] == "specific"
    assert answered["asks_for_evidence"] == "yes"
    assert "decision" not in answered
    assert _score("Apologies for any inconvenience.", "apologises", levels["apologises"]) == "set_phrase"


def test_other_scales_are_cut_in_proportion() -> None:
    """Three or ten levels take the same positions."""
    cold, warm = "You are careless.", "Congratulations, how lovely! I am so happy for you, my best wishes!"
    assert (_score(cold, "warmth", (1, 2, 3)), _score(warm, "warmth", (1, 2, 3))) == (1, 3)
    assert _score(warm, "warmth", tuple(range(1, 11))) >= 9


def test_unknown_criteria_get_no_score() -> None:
    """A criterion without cues has no key in the answer, and labels it does not know none either."""
    assert "score" not in json.loads(_ask("Fine.", humour=FIVE))
    assert "score" not in json.loads(_ask("Fine.", apologises=("ja", "nein")))


def test_pairs_depend_on_texts_not_on_position() -> None:
    """The warmer reply wins in both orders; equal ones tie."""
    cold, warm = "You are careless.", "Thanks, I am glad to help."
    assert parse_pairwise(_ask(pair=(cold, warm), warmth=("A", "B", "tie"))).value == "B"
    assert parse_pairwise(_ask(pair=(warm, cold), warmth=("A", "B", "tie"))).value == "A"
    assert parse_pairwise(_ask(pair=(warm, warm), warmth=("A", "B", "tie"))).value == "tie"


def test_very_long_and_broken_texts_end() -> None:
    """Too long a text is refused as such; lone surrogates and controls are read."""
    request = Request(
        request_key="k", system="", prompt="", text="x" * 60_000, context=None, lang="en", dimensions={"warmth": FIVE}
    )
    assert asyncio.run(JUDGE.send(request)).error_kind == "context_length"
    assert _score("\ud800 Thanks \x1b[2J \u202e good", "warmth") in FIVE
