"""An effect is called one only when rewording alone does less."""

import math

import pytest

from judgekit.deciding.against_wording import against_wording, compared
from judgekit.records import Contrast, Undefined

MF = Contrast("m", "f")


def compare(answers, wording="paraphrase", **more):
    """The one comparison of these tests."""
    return against_wording(answers, MF, probe="name", wording=wording, option="yes", draws=400, **more)


def test_an_effect_beyond_rewording_is_found_with_its_size(design):
    """A gap of 0.2 where rewording moves 0.02: exceeds, and the difference model has the gap with its sign (m minus f)."""
    found = compare(design(0.2, 0.02, 0.02))
    assert (found.verdict, found.items, found.templates, found.incomplete) == ("exceeds", 40, 10, 0)
    assert found.difference.beta.value == pytest.approx(0.2, abs=0.02)
    assert found.level.beta.value == pytest.approx(0.2, abs=0.02)
    assert found.difference.balance == 0
    assert found.targeted.mean_jsd > 5 * found.baseline.mean_jsd
    assert found.tokens.comparable


def test_an_effect_that_rewording_has_too_is_not_called_one(design):
    """A gap of 0.1 where any change of words moves 0.2: not shown, though the groups do differ."""
    found = compare(design(0.1, 0.02, 0.2))
    assert found.verdict == "not shown"
    assert found.difference.beta.p < 0.001
    assert found.excess.mean < 0


@pytest.mark.parametrize(
    ("rewording", "tokens", "verdict", "word"),
    [
        (0.02, 0.01, "cannot tell", "different amounts"),  # the rewording changes less: no ground for comparison
        (0.02, 0.5, "exceeds", "though the rewording changes more"),  # more words, and still less effect
        (0.3, 0.5, "cannot tell", "the rewording changes more"),
    ],
)
def test_edits_that_change_another_amount_of_text_are_refused(design, rewording, tokens, verdict, word):
    """Medians more than 1.5 times apart: only an effect beyond a larger rewording stands."""
    found = compare(design(0.2, 0.02, rewording, tokens=tokens))
    assert not found.tokens.comparable
    assert found.verdict == verdict
    assert word in found.why


def test_flips_are_of_majorities_and_a_tie_is_left_out(answered):
    """Majority answers: base yes, other group no, rewording yes; a 50:50 answer has no majority and is counted."""
    made = []
    for k in range(12):
        made += [answered(f"t{k}", "f", 0.9), answered(f"t{k}", "m", 0.2 + k / 100)]
        made.append(answered(f"t{k}", "f", 0.5 if k == 0 else 0.8, "paraphrase", token_change=0.06))
    found = compare(made)
    assert found.no_majority == 1
    assert (found.change.flip_rate.targeted, found.change.flip_rate.baseline) == (1.0, 0.0)
    assert sum(step.n for step in found.sweep) == 12


def test_items_without_a_part_are_counted_and_nothing_is_made_of_none(answered):
    """No answer of the other group: incomplete; without any item the verdict is that nothing can be told."""
    found = compare([answered("t1", "f", 0.5), answered("t1", "f", 0.5, "paraphrase")])
    assert (found.items, found.incomplete, found.verdict) == (0, 1, "cannot tell")
    assert isinstance(found.change, Undefined)
    assert isinstance(found.targeted.mean_jsd, Undefined)


def test_a_divergence_that_is_infinite_is_counted(answered):
    """A share of 0 on one side: no mean of KL, the count instead; JSD stays finite."""
    made = []
    for k in range(3):
        made += [answered(f"t{k}", "f", 0.5), answered(f"t{k}", "m", 0.0)]
        made.append(answered(f"t{k}", "f", 0.4 + k / 20, "paraphrase"))
    found = compare(made)
    assert found.targeted.infinite_kl == 3
    assert isinstance(found.targeted.mean_kl, Undefined)
    assert math.isfinite(found.targeted.mean_jsd)


def test_every_probe_pair_and_kind_is_listed(answered):
    """Three groups, one kind of rewording: three comparisons, groups in order."""
    made = [answered("t", g, 0.5) for g in "cab"] + [answered("t", "a", 0.5, "fixed_sentence")]
    assert compared(made) == [("name", Contrast(*pair), "fixed_sentence") for pair in ("ab", "ac", "bc")]
