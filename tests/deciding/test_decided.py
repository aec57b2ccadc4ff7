"""Gaps in probability and log-odds."""

import math

import pytest

from judgekit.deciding.answers import Answered, Place
from judgekit.deciding.candidates import candidate_choices
from judgekit.deciding.decided import control_noise, counts_by_group, decision_gap
from judgekit.files.ledger import Ledger
from judgekit.files.purging import stored_things
from judgekit.records import Arm, Contrast, Undefined
from judgekit.statistics.yes_no import p_yes

AB = Contrast("a", "b")


def weighed(template, group, tokens, name="n"):
    """An answer from first-token probabilities."""
    cell = p_yes({token: math.log(p) for token, p in tokens.items()})
    shares = cell.p_yes if isinstance(cell.p_yes, Undefined) else {"yes": cell.p_yes, "no": 1 - cell.p_yes}
    place = Place(probe="name", unit_id=template, group=group, name=f"{group}{name}")
    missing = {"no_option": 1} if isinstance(shares, Undefined) else {}
    return Answered(place=place, shares=shares, n=1, missing=missing, yes_no=cell)


def gap(answers, option="yes"):
    """The gap of a minus b."""
    return decision_gap(answers, AB, probe="name", option=option, noise=control_noise(answers, option))


def test_log_odds_leave_out_what_has_no_bound_and_say_so():
    """An infinite cell with unlisted mass stands with its bound; one without takes its template out; both are counted."""
    answers = [weighed(f"t{k}", g, {"yes": 0.6 + k / 100, "no": 0.3}) for k in range(4) for g in "ab"]
    answers += [weighed("bounded", "a", {"yes": 0.8}), weighed("bounded", "b", {"yes": 0.4, "no": 0.4})]
    answers += [weighed("never", "a", {"yes": 1.0}), weighed("never", "b", {"yes": 0.4, "no": 0.4})]
    found = gap(answers)
    assert found.logit.templates == 5
    assert found.logit.value == pytest.approx(math.log(0.8 / 0.2) / 5)
    assert found.share.templates == 6
    assert any(note.startswith("1 of 12 cells") for note in found.notes)
    assert any(note.startswith("1 templates have no gap") for note in found.notes)
    rows = {row.template: row.logit for row in found.per_template}
    assert isinstance(rows["never"].value, Undefined)
    assert (rows["bounded"].bounded, rows["never"].infinite) == (1, 1)
    counts = counts_by_group(answers, "yes")["name", "a"]
    assert (counts.infinite, counts.bounded, counts.unbounded) == (2, 1, 1)


def test_the_second_option_is_the_first_with_the_other_sign():
    """p(no) and its log-odds are those of yes, turned."""
    answers = [weighed(f"t{k}", g, {"yes": 0.5 + (g == "a") / 5, "no": 0.2 + k / 50}) for k in range(5) for g in "ab"]
    yes, no = gap(answers), gap(answers, "no")
    assert no.share.value == pytest.approx(-yes.share.value)
    assert no.logit.value == pytest.approx(-yes.logit.value)


def test_a_missing_answer_is_no_zero_and_its_gap_is_reported():
    """Neither token listed in one group's cell: the template has no gap, the failure gap is there."""
    answers = [weighed(f"t{k}", g, {"yes": 0.6, "no": 0.2 + k / 50}) for k in range(4) for g in "ab"]
    answers += [weighed("lost", "a", {"maybe": 0.9}), weighed("lost", "b", {"yes": 0.1, "no": 0.8})]
    found = gap(answers)
    assert (found.share.value, found.share.templates) == (0.0, 4)
    assert found.failure_gap.value == pytest.approx(0.2)
    assert counts_by_group(answers, "yes")["name", "a"].missing == {"no_option": 1}


def test_a_gap_no_larger_than_between_identical_prompts_is_marked(answered):
    """Control pairs that differ by 0.3 either way cover a gap of 0.05, those that do not differ cover none."""
    base = [answered(f"t{k}", g, 0.4 + 0.05 * (g == "a") + k / 100) for k in range(8) for g in "ab"]
    for size, covered in ((0.3, True), (0.0, False)):
        pairs = [
            answered(f"t{k}", None, 0.4 + s * size * (-1) ** k, "control", side=str(s))
            for k in range(8)
            for s in (0, 1)
        ]
        assert gap([*base, *pairs]).within_noise is covered
    assert isinstance(gap(base).within_noise, Undefined)


def test_two_candidates_tell_preference_from_place():
    """First shown +0.2, group a +0.1: each is found apart; a pair without its second order is left out, counted."""
    answers = []
    for k in range(8):
        for order, sign in (("ab", 1), ("ba", -1)):
            first = 0.5 + 0.1 + sign * (0.05 + k / 1000)
            place = Place(
                probe="name", unit_id=f"t{k}", group="a | b", name_pair="1", arm=Arm(kind="variant"), order=order
            )
            answers.append(Answered(place=place, shares={"first": first, "second": 1 - first}, n=1))
    found = candidate_choices(answers[:-1], ["first", "second"])[0]
    assert (found.contrast, found.pairs, found.incomplete) == (AB, 8, 1)
    assert found.preference == pytest.approx(0.1 + 6 / 1000)
    assert found.position == pytest.approx(0.2)
    assert found.p == pytest.approx(2 / 2**7)


def test_what_decide_stored_is_purged(tmp_path):
    """The ledger of decisions is among what a study's purge finds."""
    folder = tmp_path / ".judgekit" / "s"
    folder.mkdir(parents=True)
    Ledger.open(folder / "decide.sqlite").close()
    assert [thing.path.name for thing in stored_things(folder, tmp_path / "runs", tmp_path / "labels", "s")] == [
        "decide.sqlite"
    ]
