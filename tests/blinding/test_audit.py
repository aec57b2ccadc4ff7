"""Counts of what blinding did, and the comparison of declared copies."""

from __future__ import annotations

from judgekit.blinding.audit import diff_copies, siblings, summary
from judgekit.blinding.mask import Blinder
from judgekit.blinding.verify import Verifier
from judgekit.records import Interval, Reply, Undefined, Withheld

VERIFIER = Verifier()


def passed(item: str):
    """A verified reply."""
    return VERIFIER.verify_text(item=item, text="Thank you.", lang="en")


def test_counts_in_equal_counts_out_by_group() -> None:
    """Every reply is verified or withheld, overall and in its group; the gap is the largest difference of shares."""
    replies = {str(i): Reply(id=str(i), text="", group="ab"[i % 2]) for i in range(8)}
    results = [passed(str(i)) if i % 4 else Withheld(item=str(i), code="timeout") for i in range(8)]
    found = summary(results, replies)
    assert (found.n_in, found.verified, found.withheld) == (8, 6, 2)
    assert {g.group: (g.n, g.withheld) for g in found.by_group} == {"a": (4, 2), "b": (4, 0)}
    assert found.gap == 0.5
    assert found.codes == {"timeout": 2}
    assert found.to_dict()["in"] == 8


def test_wilson_interval() -> None:
    """The interval of 2 in 10, as R 4.4 prop.test(2, 10, correct = FALSE) gives it."""
    replies = {str(i): Reply(id=str(i), text="", group="a") for i in range(10)}
    results = [Withheld(item=str(i), code="leak") if i < 2 else passed(str(i)) for i in range(10)]
    interval = summary(results, replies).by_group[0].interval
    assert isinstance(interval, Interval)
    assert round(interval.low, 5) == 0.05668
    assert round(interval.high, 5) == 0.50984


def test_one_group_has_no_gap() -> None:
    """A gap of one group is undefined, not zero."""
    assert isinstance(summary([passed("1")], {"1": Reply(id="1", text="", group="a")}).gap, Undefined)


def test_contexts_of_one_template_are_compared() -> None:
    """Contexts of one template are declared copies; what differs after blinding is shown."""
    blinder = Blinder(ner="off")
    replies = {
        "1": Reply(id="1", text="ok", context="I am Ana, she paid.", unit_id="t", known_names=("Ana",), lang="en"),
        "2": Reply(id="2", text="ok", context="I am Omar, he paid.", unit_id="t", known_names=("Omar",), lang="en"),
        "3": Reply(id="3", text="ok", context="I am Ana, paid.", unit_id="u", known_names=("Ana",), lang="en"),
        "4": Reply(id="4", text="ok", context="I am Omar, unpaid.", unit_id="u", known_names=("Omar",), lang="en"),
    }
    found = siblings([blinder.mask(r) for r in replies.values()], replies)
    assert (found.sets, found.identical, found.share) == (2, 1, 0.5)
    assert found.different[0].differences == (("paid.", "unpaid."),)


def test_no_declared_copies_is_undefined() -> None:
    """Without copies there is no share."""
    reply = Reply(id="1", text="x", lang="en")
    assert isinstance(siblings([Blinder(ner="off").mask(reply)], {"1": reply}).share, Undefined)


def test_equal_texts_have_no_difference() -> None:
    """The diff of equal texts is empty."""
    assert diff_copies("a b", "a b") == ()
