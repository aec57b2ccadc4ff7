"""Records: frozen, vouched for by their maker, and never a number where there is no score."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit import records
from judgekit.errors import NotTheMaker
from judgekit.records import (
    BASE,
    Arm,
    Contrast,
    Criterion,
    Judgment,
    Preference,
    Refused,
    Rubric,
    Scored,
    Task,
    Undefined,
    Unscored,
    claim_maker,
    scores_of,
    text_hash,
)

# A tuple with names refuses assignment by itself.
CLASSES = [c for n in records.__all__ if isinstance(c := getattr(records, n), type) and not issubclass(c, tuple)]


@pytest.mark.parametrize("record", CLASSES, ids=lambda c: c.__name__)
def test_records_are_frozen(record):
    """Every record refuses assignment."""
    assert record.__dataclass_params__.frozen
    bare = object.__new__(record)
    with pytest.raises((dataclasses.FrozenInstanceError, AttributeError, TypeError)):
        setattr(bare, dataclasses.fields(record)[0].name, 1)


def test_all_names_are_sorted_and_there():
    """``__all__`` names what can be imported."""
    assert set(records.__all__) == {n for n in records.__all__ if hasattr(records, n)}
    assert len(set(records.__all__)) == len(records.__all__)


@pytest.mark.parametrize("name", ["BlindedReply", "FilledText", "Calibrated", "Nothing"])
def test_the_right_to_make_a_vouched_record_is_not_given_here(name):
    """Only the named module may claim it, and a test is none of them."""
    with pytest.raises(NotTheMaker) as problem:
        claim_maker(name)
    assert problem.value.exit_code == 5
    assert problem.value.seen == __name__


def test_the_right_is_given_once():
    """After `verify` was imported even code that calls itself `verify` gets no second token."""
    import judgekit.blinding.verify

    assert judgekit.blinding.verify
    namespace = {"__name__": "judgekit.blinding.verify", "claim_maker": claim_maker}
    with pytest.raises(NotTheMaker):
        exec("claim_maker('BlindedReply')", namespace)


@given(st.text(), st.one_of(st.none(), st.text()))
def test_the_text_hash_depends_on_text_and_context(text, context):
    """Equal inputs, equal hash; a missing context is not an empty one."""
    assert text_hash(text, context) == text_hash(text, context)
    assert text_hash(text, context) != text_hash(text + "x", context)
    assert text_hash(text, None) != text_hash(text, "")
    assert len(text_hash(text, context)) == 64


def test_the_text_hash_takes_lone_surrogates():
    """Broken Unicode has a hash too, one of its own."""
    assert text_hash("\ud800") != text_hash("\udfff") != text_hash("?")


def test_undefined_is_false_and_says_why():
    """An undefined statistic is no number, false in a condition, and prints its reason."""
    undefined = Undefined("one template", "t1")
    assert not undefined
    assert str(undefined) == "undefined (one template): t1"
    assert undefined != 0
    assert Undefined("a") != Undefined("b")


def test_a_refusal_is_false():
    """So that no condition mistakes it for a permission."""
    assert not Refused(judge="j", dimension="d", contrast=None, reasons=())


def test_arms_have_a_key_of_their_own():
    """Different arms, different keys; the base arm is the default."""
    arms = [
        BASE,
        Arm(kind="identity", identity="Ana", group="a"),
        Arm(kind="identity", identity="Ana", group="b"),
        Arm(kind="control", identity="Ana", group="a", of_arm="identity"),
        Arm(kind="variant", direction=1),
        Arm(kind="variant", direction=-1),
    ]
    assert len({arm.key for arm in arms}) == len(arms)
    assert Arm() == BASE


def judgment(item, value, *, arm=BASE, repeat=0, dimension="warmth", pair=None):
    """A judgment of one item."""
    outcome = value if isinstance(value, (Scored, Unscored, Preference)) else Scored(value)
    return Judgment(
        task=Task(item=item, rubric_hash="r", judge="j", request_key="k", arm=arm, repeat=repeat, pair_id=pair),
        dimension=dimension,
        text_hash="h",
        fingerprint="f",
        outcome=outcome,
        parser_version="1",
    )


def test_only_base_judgments_of_single_texts_are_scores():
    """Filled texts, controls, paraphrases and pairs never appear; repeats come in their order."""
    filled = Arm(kind="identity", identity="Ana", group="a")
    found = scores_of(
        [
            judgment("a", 4, repeat=1),
            judgment("a", 5, repeat=0),
            judgment("a", 1, arm=filled),
            judgment("b", 1, arm=Arm(kind="control")),
            judgment("c", 1, arm=Arm(kind="paraphrase")),
            judgment("d", Preference("a"), pair="p"),
            judgment("a", 2, dimension="quality"),
            judgment("e", Unscored("empty")),
        ],
        "warmth",
    )
    assert found == {"a": [Scored(5), Scored(4)], "e": [Unscored("empty")]}


def test_a_rubric_has_the_languages_of_all_its_criteria():
    """A language counts when every criterion has question and anchors in it."""

    def criterion(name, *languages):
        return Criterion(
            dimension=name,
            kind="ordinal",
            levels=(1, 2),
            question=dict.fromkeys(languages, "?"),
            anchors={lang: {1: "a", 2: "b"} for lang in languages},
        )

    rubric = Rubric(id="r", version="1", criteria=(criterion("x", "en", "es"), criterion("y", "en")), hash="h")
    assert rubric.languages == {"en"}
    assert rubric.dimensions == ("x", "y")
    assert rubric.criterion("y").dimension == "y"
    with pytest.raises(KeyError):
        rubric.criterion("z")


def test_contrasts_sort_and_differ_by_direction():
    """Which group stands first is part of a contrast."""
    assert Contrast("a", "b") != Contrast("b", "a")
    assert min(Contrast("b", "a"), Contrast("a", "b")) == Contrast("a", "b")
