"""agree: every pair of raters on every dimension, and what it refuses."""

import numpy as np
import pytest

from judgekit.agreement.agree import agree
from judgekit.agreement.kappa import cohen_kappa
from judgekit.agreement.multirater import krippendorff_alpha
from judgekit.agreement.reference import reference_kappa
from judgekit.errors import BadInput, UsageProblem
from judgekit.records import Rating, Undefined

FIVE = [1, 2, 3, 4, 5]


def rows(scores, dimension="warmth", start=2, **carried):
    """Ratings from annotator -> scores by item; lines count from ``start``."""
    found = []
    for who, values in scores.items():
        for i, value in enumerate(values):
            extra = {name: column[i] for name, column in carried.items()}
            line = start + len(found)
            found.append(
                Rating(item=f"i{i}", dimension=dimension, annotator=who, score=value, line=line, carried=extra)
            )
    return found


JUDGE = [1, 2, 3, 4, 5, 4, 3, 2, 1, 5, 4, 3]
ANA = [1, 2, 3, 4, 5, 5, 3, 2, 2, 5, 4, 2]
KARIM = [1, 1, 3, 4, 5, 4, 3, 3, 1, 4, 4, 3]
THREE = {"gpt": JUDGE, "ana": ANA, "karim": KARIM}


def test_pairs_ceiling_and_people_together():
    """Judge against each person, people against each other, the mean of both; all as the single functions say."""
    report = agree(rows(THREE), judge="gpt", humans=["ana", "karim"], levels=FIVE)
    assert [(p.a, p.b, p.by) for p in report.pairs] == [
        ("gpt", "ana", None),
        ("gpt", "karim", None),
        ("ana", "karim", None),
    ]
    for pair in report.pairs:
        single = cohen_kappa(THREE[pair.a], THREE[pair.b], FIVE, "quadratic")
        assert (pair.kappa, pair.lower, pair.se) == pytest.approx((single.kappa, single.lower, single.se))
        assert pair.interval.low == pytest.approx(single.interval.low)
        assert pair.bias == pytest.approx(np.mean(np.subtract(THREE[pair.a], THREE[pair.b])))
        assert pair.weights == "quadratic"
        assert pair.levels == (1, 2, 3, 4, 5)
        assert pair.bootstrap.method == "bootstrap"
    assert report.ceilings[0].kappa == pytest.approx(report.pairs[2].kappa)
    assert (report.ceilings[0].n, report.ceilings[0].pairs) == (12, 1)
    together = reference_kappa(JUDGE, {"ana": ANA, "karim": KARIM}, FIVE)
    assert report.against_people[0].result == together
    assert report.find("warmth", "karim", "gpt").a == "gpt"


def test_several_dimensions_with_their_own_scales():
    """Levels and kind may differ by dimension; classes have no rank correlation and no mean difference."""
    both = rows(THREE) + rows({"gpt": ["yes", "no", "no"], "ana": ["yes", "no", "yes"]}, "apology")
    report = agree(
        both,
        judge="gpt",
        humans=["ana"],
        levels={"warmth": FIVE, "apology": ["yes", "no"]},
        nominal={"apology"},
    )
    warmth, apology = report.pairs
    assert (warmth.weights, apology.weights) == ("quadratic", "none")
    assert isinstance(apology.spearman, Undefined)
    assert isinstance(apology.bias, Undefined)
    assert apology.n == 3


def test_by_adds_rows_and_separates_repeated_ids():
    """Item ids may repeat between the values of the by column; overall rows have by None."""
    first, second = (rows(THREE, part=[part] * 12) for part in "AB")
    with pytest.raises(BadInput, match="scored the same item twice") as caught:
        agree(first + second, judge="gpt", humans=["ana"], levels=FIVE)
    assert "--by" in str(caught.value)
    report = agree(first + second, judge="gpt", humans=["ana"], levels=FIVE, by="part")
    assert [(p.by, p.n) for p in report.pairs] == [(None, 24), ("A", 12), ("B", 12)]
    assert report.find("warmth", "gpt", "ana", by="B").kappa == pytest.approx(report.pairs[0].kappa)


def test_missing_scores_are_counted():
    """An empty score, nan, and a missing row all make a pair missing; items nobody of the pair scored do not count."""
    given = {"gpt": [1, 2, None, 4, 5], "ana": [1, None, 3, 4, float("nan")], "karim": [1, 2, 3, 4, 5, 1, 2]}
    report = agree(rows(given), judge="gpt", humans=["ana", "karim"], levels=FIVE)
    assert [(p.n, p.missing) for p in report.pairs] == [(2, 3), (4, 3), (3, 4)]


def test_annotators_that_are_not_named_disturb_nobody():
    """Fractions, words and duplicates of other annotators are ignored."""
    crowd = [Rating(item="i0", dimension="warmth", annotator="crowd", score=s) for s in (3.5, "lots", None)]
    plain = agree(rows(THREE), judge="gpt", humans=["ana"], levels=FIVE)
    assert agree(crowd + rows(THREE), judge="gpt", humans=["ana"], levels=FIVE).pairs == plain.pairs


def test_unknown_annotator_lists_the_known():
    """A name that is not there is refused with the names that are."""
    with pytest.raises(BadInput, match="no ratings of this annotator") as caught:
        agree(rows(THREE), judge="gpt4", humans=["ana"], levels=FIVE)
    assert "ana, gpt, karim" in str(caught.value)
    assert caught.value.field == "judge"


@pytest.mark.parametrize("score", [6, 0, 3.5, "warm", -1, float("inf"), "1e3"])
def test_off_scale_is_refused_with_line_and_value(score):
    """A score off the declared levels names its line and value."""
    given = rows(THREE)
    given[14] = Rating(item="i2", dimension="warmth", annotator="ana", score=score, line=16)
    with pytest.raises(BadInput, match="not one of the declared levels") as caught:
        agree(given, judge="gpt", humans=["ana"], levels=FIVE)
    assert caught.value.line == 16
    assert caught.value.seen == score


def test_a_duplicate_is_refused_with_both_lines():
    """The same item scored twice by one annotator is refused, even with the same score."""
    with pytest.raises(BadInput, match=r"twice \(first on line 2\)") as caught:
        agree(
            [*rows(THREE), Rating(item="i0", dimension="warmth", annotator="gpt", score=1, line=99)],
            judge="gpt",
            humans=["ana"],
            levels=FIVE,
        )
    assert caught.value.line == 99


@pytest.mark.parametrize("levels", [None, [], {"quality": FIVE}])
def test_levels_are_never_inferred(levels):
    """Without declared levels there is no kappa, only a request to declare them."""
    with pytest.raises(UsageProblem, match="not declared") as caught:
        agree(rows(THREE), judge="gpt", humans=["ana"], levels=levels)
    assert "--levels" in str(caught.value)


@pytest.mark.parametrize(
    ("judge", "humans", "message"),
    [("gpt", [], "no people"), ("gpt", ["gpt"], "named twice"), ("gpt", ["ana", "ana"], "named twice")],
)
def test_names_must_make_sense(judge, humans, message):
    """Nobody, or one annotator twice, is a usage error."""
    with pytest.raises(UsageProblem, match=message):
        agree(rows(THREE), judge=judge, humans=humans, levels=FIVE)


@pytest.mark.parametrize("option", ["by", "clusters", "inclusion"])
def test_a_column_that_is_not_there(option):
    """A missing column is named, with the columns that exist."""
    with pytest.raises(BadInput, match="no such column") as caught:
        agree(rows(THREE, part=["A"] * 12), judge="gpt", humans=["ana"], levels=FIVE, **{option: "dataset"})
    assert "part" in str(caught.value)
    assert caught.value.field == option


def test_a_judge_that_always_says_three():
    """A constant judge has kappa 0, no bound, no rank correlation; nothing is a number that could pass a gate."""
    report = agree(rows({"gpt": [3] * 12, "ana": ANA}), judge="gpt", humans=["ana"], levels=FIVE)
    pair = report.pairs[0]
    assert pair.kappa == 0
    for value in (pair.lower, pair.interval, pair.spearman, report.against_people[0].result.lower):
        assert isinstance(value, Undefined)
    assert isinstance(pair.bias, float)


def test_one_person_has_no_ceiling():
    """With one person, human agreement is undefined, not perfect."""
    report = agree(rows(THREE), judge="gpt", humans=["ana"], levels=FIVE)
    assert isinstance(report.ceilings[0].kappa, Undefined)
    assert report.ceilings[0].pairs == 0


def test_people_who_share_no_items_are_left_out_of_the_ceiling():
    """A pair without common items is no evidence; a pair without variance makes the ceiling undefined."""
    given = {"gpt": JUDGE, "ana": ANA[:6] + [None] * 6, "karim": [None] * 6 + KARIM[6:], "lu": [*ANA[:6], *KARIM[6:]]}
    people = ["ana", "karim", "lu"]
    report = agree(rows(given), judge="gpt", humans=people, levels=FIVE)
    assert report.ceilings[0].pairs == 2
    given["ana"] = given["lu"] = [3] * 12
    assert isinstance(agree(rows(given), judge="gpt", humans=people, levels=FIVE).ceilings[0].kappa, Undefined)


def test_templates_as_units_and_inclusion_weights():
    """Columns for clusters and inclusion reach the error and the value."""
    templates, chances = ["t1", "t1", "t2", "t2", "t3", "t3"] * 2, [0.5] * 6 + [0.1] * 6
    given = rows(THREE, template_id=templates, p=chances)
    plain = agree(given, judge="gpt", humans=["ana"], levels=FIVE).pairs[0]
    clustered = agree(given, judge="gpt", humans=["ana"], levels=FIVE, clusters="template_id")
    assert clustered.pairs[0].kappa == plain.kappa
    assert clustered.pairs[0].lower != plain.lower
    assert clustered.against_people[0].result.units == 3
    weighted = agree(given, judge="gpt", humans=["ana"], levels=FIVE, inclusion="p").pairs[0]
    expected = cohen_kappa(JUDGE, ANA, FIVE, "quadratic", sample_weights=[1 / p for p in chances])
    assert weighted.kappa == pytest.approx(expected.kappa)
    assert weighted.lower == pytest.approx(expected.lower)


@pytest.mark.parametrize("chance", [0, 1.5, "often", None, ""])
def test_inclusion_must_be_a_probability(chance):
    """Anything but a number in (0, 1] is refused with its value."""
    with pytest.raises(BadInput, match=r"inclusion probability|no value in this column"):
        agree(rows(THREE, p=[0.5] * 11 + [chance]), judge="gpt", humans=["ana"], levels=FIVE, inclusion="p")


def test_an_item_has_one_template():
    """Two templates for one item contradict each other and are refused."""
    mixed = rows({"gpt": JUDGE}, t=["t1"] * 12) + rows({"ana": ANA}, t=["t1"] * 11 + ["t2"])
    with pytest.raises(BadInput, match="two values"):
        agree(mixed, judge="gpt", humans=["ana"], levels=FIVE, clusters="t")


def test_the_same_seed_gives_the_same_digits():
    """Bootstrap intervals repeat with the seed and can be left out."""
    one, two, other = (
        agree(rows(THREE), judge="gpt", humans=["ana"], levels=FIVE, seed=seed).pairs[0].bootstrap for seed in (1, 1, 2)
    )
    assert one == two
    assert one != other
    assert agree(rows(THREE), judge="gpt", humans=["ana"], levels=FIVE, draws=0).pairs[0].bootstrap is None


def test_hostile_names_print_safely():
    """Escapes in names and values never reach a terminal."""
    with pytest.raises(BadInput) as caught:
        agree(rows({"\x1b]0;x\x07": [1]}), judge="gpt\x1b[2J", humans=["ana"], levels=FIVE)
    assert "\x1b" not in str(caught.value)


def test_the_peoples_alpha_stands_beside_the_ceiling():
    """Krippendorff's alpha of the people: ordinal for ordered levels, nominal for classes."""
    units = [list(pair) for pair in zip(ANA, KARIM, strict=True)]
    for nominal, measurement in ((False, "ordinal"), (True, "nominal")):
        report = agree(rows(THREE), judge="gpt", humans=["ana", "karim"], levels=FIVE, nominal=nominal)
        assert report.ceilings[0].alpha == pytest.approx(krippendorff_alpha(units, FIVE, measurement).value)
    alone = agree(rows(THREE), judge="gpt", humans=["ana"], levels=FIVE)
    assert isinstance(alone.ceilings[0].alpha, Undefined)


def test_the_report_is_a_table():
    """One row a pair; what is undefined is missing there, not a number."""
    given = {"gpt": [3] * 12, "ana": ANA, "karim": KARIM}
    frame = agree(rows(given), judge="gpt", humans=["ana", "karim"], levels=FIVE).to_frame()
    assert frame[["a", "b"]].to_numpy().tolist() == [["gpt", "ana"], ["gpt", "karim"], ["ana", "karim"]]
    assert frame["lower"].isna().tolist() == [True, True, False]
    assert frame["kappa"].tolist()[:2] == [0, 0]
