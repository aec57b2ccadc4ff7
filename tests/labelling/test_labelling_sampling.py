"""Points 6 to 9 of the labelling specification: order, strata, repeats, sides."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from itertools import combinations

import pytest
from scipy.stats import binom, spearmanr

from judgekit.errors import BadInput, UsageProblem
from judgekit.labelling.order import MIN_DISTANCE, order_for, shown_first
from judgekit.labelling.sampling import draw_sample, repeats_wanted
from judgekit.records import LabelTask, Reply, text_hash


@dataclass(frozen=True)
class Blinded:
    """Looks like a BlindedReply; only the verifier can make a real one."""

    item: str
    text: str
    context: str | None = None
    lang: str = "en"

    @property
    def text_hash(self):
        return text_hash(self.text, self.context)


def study(groups=("a", "b"), templates=6, each=20):
    """A balanced study: every group gets every template ``each`` times, all texts different."""
    rows, design = [], {}
    for group in groups:
        for template in range(templates):
            for n in range(each):
                item = f"{group}-{template}-{n}"
                rows.append(Blinded(item, f"Masked text {group} {template} {n}"))
                design[item] = Reply(id=item, text="", unit_id=f"t{template}", group=group)
    return rows, design


def draw(rows, design, **options):
    """A draw with usual options."""
    return draw_sample(rows, design, **{"n": 60, "annotators": ("ana", "karim"), "seed": 7, **options})


def counts_of(result):
    """Texts per stratum, repeats left out."""
    return Counter(key.stratum for key in result.keys if key.repeat_of is None)


def test_point_07_planned_counts_are_met_within_one():
    """Every group x template gets its share of n, rounded up or down, and n is met exactly."""
    rows, design = study()
    for n in (60, 65, 100, 7):
        counts = counts_of(draw(rows, design, n=n))
        assert sum(counts.values()) == n
        for stratum in {(g, f"t{t}") for g in "ab" for t in range(6)}:
            assert abs(counts[stratum] - n / 12) <= 1
        by_group = Counter()
        for stratum, count in counts.items():
            by_group[stratum[0]] += count
        assert abs(by_group["a"] - by_group["b"]) <= 1


def test_point_07_groups_get_equal_shares_and_templates_their_own():
    """An unequal study: groups are labelled equally often, templates within a group in proportion to their replies."""
    rows, design = study(groups=("a",), templates=2, each=30)
    for n in range(90):
        rows.append(Blinded(f"b-{n}", f"Masked b {n}"))
        design[f"b-{n}"] = Reply(id=f"b-{n}", text="", unit_id="t0" if n < 60 else "t1", group="b")
    result = draw(rows, design, n=40)
    assert counts_of(result) == {
        ("a", "t0"): 10,
        ("a", "t1"): 10,
        ("b", "t0"): pytest.approx(13, abs=1),
        ("b", "t1"): pytest.approx(7, abs=1),
    }
    probability = {key.stratum: key.inclusion_probability for key in result.keys}
    assert probability["a", "t0"] == pytest.approx(10 / 30)
    assert probability["b", "t0"] == pytest.approx(20 * (60 / 90) / 60)


def test_point_07_shortfalls_are_named():
    """A stratum with too few different texts is named with what was planned and drawn, and is taken whole."""
    rows, design = study(templates=2, each=20)
    rows = [row for row in rows if not row.item.startswith("b-1-") or row.item in {"b-1-0", "b-1-1"}]
    rows += [Blinded(f"b-1-copy{n}", "Masked text b 1 0") for n in range(18)]
    design |= {row.item: Reply(id=row.item, text="", unit_id="t1", group="b") for row in rows[-18:]}
    result = draw(rows, design, n=40)
    assert [str(s) for s in result.shortfalls] == ["group b, template_id t1: 2 of about 10.0 planned"]
    assert counts_of(result)["b", "t1"] == 2
    assert result.merged == 18


def test_point_07_what_an_exhausted_stratum_lacks_is_drawn_elsewhere():
    """60 texts in groups of 30, 18 and 12: n 200 takes all with certainty, n 45 all of the smallest and equal rest."""
    rows, design = [], {}
    for group, size in (("a", 30), ("b", 18), ("c", 12)):
        more, where = study(groups=(group,), templates=2, each=size // 2)
        rows, design = rows + more, design | where
    everything = draw(rows, design, n=200, practice=3)
    assert len(counts_of(everything).keys()) == 6
    assert sum(counts_of(everything).values()) == 60
    assert not everything.practice
    assert set(everything.inclusion.values()) == {1.0}
    hits, groups = Counter(), Counter()
    for seed in range(400):
        some = draw(rows, design, n=45, seed=seed, repeats=0)
        groups = Counter(key.stratum[0] for key in some.keys)
        assert (sum(groups.values()), groups["c"]) == (45, 12)
        assert abs(groups["a"] - groups["b"]) <= 1
        hits.update(key.item for key in some.keys)
    for item, probability in some.inclusion.items():
        assert hits[item] / 400 == pytest.approx(probability, abs=0.1)


def test_point_07_texts_are_distinct_and_probabilities_are_true():
    """No masked text is drawn twice, and over many seeds each reply is drawn as often as its probability says."""
    rows = [Blinded(f"i{n}", f"text {n % 8}") for n in range(12)]
    hits, promised = Counter(), {}
    for seed in range(1500):
        result = draw_sample(rows, None, n=4, annotators=("ana",), repeats=0, seed=seed)
        assert len({task.text_hash for task in result.tasks}) == len(result.tasks) == 4
        for key in result.keys:
            hits[key.item] += 1
            promised[key.item] = key.inclusion_probability
    for item, probability in promised.items():
        assert hits[item] / 1500 == pytest.approx(probability, abs=0.05)
    assert promised["i0"] == pytest.approx(promised["i5"] / 2)


def test_point_07_sample_sizes_estimate_the_replies():
    """The sum of 1/p over the sample is the number of replies when every stratum is drawn evenly."""
    rows, design = study()
    result = draw(rows, design, n=120)
    assert sum(1 / key.inclusion_probability for key in result.keys if key.repeat_of is None) == pytest.approx(
        len(rows)
    )


def test_point_07_score_bands_are_opt_in_and_weighted():
    """With a judge-score band every band gets the same number, and the probabilities say how much too often."""
    rows, design = study(groups=("a",), templates=1, each=100)
    bands = {row.item: "low" if n < 10 else "high" for n, row in enumerate(rows)}
    result = draw(rows, design, n=10, strata=("score_band",), bands=bands, repeats=0)
    assert counts_of(result) == {("low",): 5, ("high",): 5}
    assert {key.stratum: key.inclusion_probability for key in result.keys} == {("low",): 0.5, ("high",): 5 / 90}


def test_point_07_studies_without_groups_collapse_to_one_stratum():
    """No design, no groups: one stratum, drawn at random."""
    rows = [Blinded(f"i{n}", f"text {n}") for n in range(50)]
    result = draw(rows, None, n=20)
    assert counts_of(result) == {("", ""): 20}
    assert draw(rows, None, n=80).shortfalls[0].name == "all replies"


PROGRAM = """
from judgekit.labelling.order import order_for
from judgekit.labelling.sampling import draw_sample
from judgekit.records import Reply, text_hash
from types import SimpleNamespace as N
rows = [N(item=f"i{n}", text=f"text {n}", context=None, lang="en", text_hash=text_hash(f"text {n}")) for n in range(90)]
design = {f"i{n}": Reply(id=f"i{n}", text="", unit_id=f"t{n % 5}", group="ab"[n % 2]) for n in range(90)}
draw = draw_sample(rows, design, n=50, annotators=("ana", "karim"), overlap=0.5, seed=3)
print([(k.task_id, k.item) for k in draw.keys], draw.assignments)
print([t.task_id for t in order_for(draw.tasks, seed=3, annotator="ana")])
"""


def test_points_06_and_07_do_not_depend_on_the_hash_seed():
    """The draw, the deal and the order are the same under different PYTHONHASHSEED."""
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM], check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("0", "1", "random")
    }
    assert len(outputs) == 1


def test_point_06_a_known_order():
    """One order written down: it may never change, or raters could not resume after an upgrade."""
    tasks = [task(n) for n in range(6)]
    assert [t.task_id for t in order_for(tasks, seed=1, annotator="ana")] == ["t1", "t0", "t5", "t3", "t2", "t4"]


def task(n, repeat_of=None):
    """A task whose id says which it is."""
    return LabelTask(task_id=f"t{n}", text=f"text {n}", context=None, text_hash=f"h{n}", lang="en", repeat_of=repeat_of)


def test_point_06_orders_of_fifty_annotators_do_not_correlate():
    """Mean rank correlation between 50 annotators' orders within 0.05 of zero at n = 200, repeats included."""
    tasks = [task(n) for n in range(200)] + [task(1000 + n, repeat_of=f"t{n}") for n in range(20)]
    places = []
    for number in range(50):
        order = [t.task_id for t in order_for(tasks, seed=11, annotator=f"rater-{number:02}")]
        places.append([order.index(t.task_id) for t in tasks])
    assert len({tuple(p) for p in places}) == 50
    everything = spearmanr(places, axis=1).statistic
    firsts = spearmanr([p[:200] for p in places], axis=1).statistic
    pairs = list(combinations(range(50), 2))
    assert abs(sum(everything[a][b] for a, b in pairs) / len(pairs)) <= 0.05
    assert abs(sum(firsts[a][b] for a, b in pairs) / len(pairs)) <= 0.05


@pytest.mark.parametrize(("n", "repeats"), [(16, 1), (20, 5), (30, 15), (50, 10), (200, 20), (200, 185)])
def test_point_08_repeats_come_at_least_fifteen_items_later(n, repeats):
    """Every repeat stands 15 or more places after its first showing, for any annotator."""
    tasks = [task(k) for k in range(n)] + [task(1000 + k, repeat_of=f"t{k}") for k in range(repeats)]
    for annotator in ("ana", "karim", "zoë", "x" * 50):
        order = [t.task_id for t in order_for(tasks, seed=5, annotator=annotator)]
        assert sorted(order) == sorted(t.task_id for t in tasks)
        for k in range(repeats):
            assert order.index(f"t{1000 + k}") - order.index(f"t{k}") >= MIN_DISTANCE


def test_point_08_how_many_repeats():
    """A tenth by default, at least 10 from 50 texts on, none when asked for none or when there is no room."""
    assert [repeats_wanted(n, 0.10) for n in (15, 16, 40, 49, 50, 99, 150, 200)] == [0, 1, 4, 5, 10, 10, 15, 20]
    assert repeats_wanted(100, 0.25) == 25
    assert repeats_wanted(100, 0.0) == 0
    rows, design = study()
    result = draw(rows, design, n=100)
    assert sum(t.repeat_of is not None for t in result.tasks) == 10
    for assigned in result.assignments.values():
        assert len(assigned) == 110
    by_id = {t.task_id: t for t in result.tasks}
    for t in result.tasks:
        if t.repeat_of:
            assert by_id[t.repeat_of].text == t.text


def test_overlap_shares_and_deals():
    """Overlapping texts go to everybody, the others to one annotator each, groups balanced for each of them."""
    rows, design = study()
    result = draw(rows, design, n=100, overlap=0.4, annotators=("ana", "karim", "lee"))
    item = {key.task_id: key for key in result.keys}
    sets = {name: {t for t in ids if item[t].repeat_of is None} for name, ids in result.assignments.items()}
    assert len(set.intersection(*sets.values())) == 40
    assert sorted(len(s) for s in sets.values()) == [60, 60, 60]
    assert len(set.union(*sets.values())) == 100
    for ids in sets.values():
        groups = Counter(item[t].stratum[0] for t in ids)
        assert abs(groups["a"] - groups["b"]) <= 4
    assert (
        len(
            set.intersection(
                *(set(ids) for ids in draw(rows, design, n=60, overlap=25, repeats=0).assignments.values())
            )
        )
        == 25
    )


def test_task_ids_say_nothing():
    """A task's id depends on seed and text alone: knowing every item id does not help to guess it."""
    rows, _ = study()
    renamed = [Blinded(f"secret-{n}", row.text) for n, row in enumerate(rows)]
    ids = {t.task_id for t in draw(rows, None, n=240, repeats=0).tasks}
    assert ids == {t.task_id for t in draw(renamed, None, n=240, repeats=0).tasks}
    assert ids.isdisjoint({t.task_id for t in draw(rows, None, n=240, repeats=0, seed=8).tasks})


def test_practice_texts_are_not_in_the_sample():
    """Practice texts come from the replies that were not drawn; when none is left that is said."""
    rows, design = study(each=10)
    result = draw(rows, design, practice=3)
    assert len(result.practice) == 3
    assert {t.text_hash for t in result.practice}.isdisjoint({t.text_hash for t in result.tasks})
    assert draw(rows, design, n=120, practice=3).shortfalls[-1].name == "practice texts"


def test_point_09_sides_are_fair_differ_and_swap_on_repeat():
    """The left share of 1,000 pairs is inside the 99.9% binomial band; raters differ; a repeat swaps the sides."""
    pairs = [task(n) for n in range(1000)]
    for annotator in ("rater-01", "rater-02"):
        left = sum(shown_first(p, seed=4, annotator=annotator) == "a" for p in pairs)
        low, high = binom.interval(0.999, 1000, 0.5)
        assert low <= left <= high
    one, two = ([shown_first(p, seed=4, annotator=name) for p in pairs[:40]] for name in ("rater-01", "rater-02"))
    assert one != two
    for n in range(50):
        first, again = pairs[n], task(2000 + n, repeat_of=f"t{n}")
        assert shown_first(first, seed=4, annotator="ana") != shown_first(again, seed=4, annotator="ana")


@pytest.mark.parametrize(
    "options",
    [{"n": 0}, {"annotators": ()}, {"annotators": ("ana", "ana")}, {"repeats": 2}, {"overlap": -1}, {"overlap": 2.5}],
)
def test_arguments_that_do_not_fit_are_refused(options):
    """Each wrong argument is named."""
    rows, design = study(each=2)
    with pytest.raises(UsageProblem, match=next(iter(options))):
        draw(rows, design, **options)


def test_nothing_to_draw_from_and_double_ids():
    """No reply, or one id twice, is refused."""
    with pytest.raises(BadInput, match="no blinded reply"):
        draw([], None)
    with pytest.raises(BadInput, match="the same id"):
        draw([Blinded("i", "x"), Blinded("i", "y")], None)
