"""The report: one page with scope, method, decisions, results, refusals, quotes and next steps; and its JSON."""

import dataclasses
import json
import unicodedata

import pytest
import regex

from judgekit.records import Contrast, Gap, GapEstimate, Interval, Reason, Undefined
from judgekit.reporting.machine import SCHEMA, gap_document
from judgekit.reporting.markdown import render_markdown
from judgekit.reporting.story import render_story
from judgekit.reporting.words import escape_markdown, estimate_words, interval_words, number, p_words, reason_words

SECTIONS = [
    "## Scope",
    "## Method",
    "## Thresholds and who decided",
    "## Results",
    "## Refused",
    "## Examples",
    "## Next steps",
]


@pytest.fixture(scope="module")
def findings(calibrated_study):
    """What the calibrated study found."""
    return calibrated_study.run().findings


@pytest.fixture(scope="module")
def refusals(refused_study):
    """What the refused study found."""
    return refused_study.run().findings


def plain(page):
    """The page without its escapes."""
    return page.replace("\\", "")


def test_the_page_has_its_sections_in_order(findings, refusals):
    """A reader finds scope first and next steps last, calibrated or refused."""
    for found in (findings, refusals):
        page = render_markdown(found)
        places = [page.index(section) for section in SECTIONS]
        assert places == sorted(places)
        assert page.endswith("\n")


def test_the_page_says_what_was_and_was_not_tested(calibrated_copy):
    """Attribute, groups, what was left out, who chose the names, system, owner and date."""
    calibrated_copy.change("groups.not_tested", ["age", "origin"])
    calibrated_copy.change("groups.names_chosen_by", "the quality desk")
    calibrated_copy.change("system", {"name": "Chat", "version": "4.2"})
    calibrated_copy.change("report", {"owner": "tone team", "due": "2026-03-31"})
    page = plain(render_markdown(calibrated_copy.run().findings))
    for words in (
        "Tested: gender (women, men)",
        "Not tested: age; origin",
        "Names chosen by: the quality desk",
        "name Chat, version 4.2",
        "Owner: tone team. Due: 2026-03-31.",
        "Decided by the quality desk, sealed ",
        "128 read, 128 blinded and verified, 0 withheld",
    ):
        assert words in page


def test_the_page_has_each_gap_with_its_interval(findings):
    """Raw, corrected and people-only estimates, p, margin and verdict in one row."""
    page = render_markdown(findings)
    row = next(line for line in page.splitlines() if line.startswith("| warmth (primary)"))
    gap = next(g for g in findings.gaps if g.metric == "warmth")
    for estimate in (gap.raw, gap.corrected, gap.human_only):
        assert estimate_words(estimate) in row
    assert "±1.50" in row
    assert row.rstrip(" |").endswith(gap.verdict)


def test_the_page_lists_refusals_with_every_reason_and_remedy(refusals):
    """What was refused, why, and what would change it."""
    page = plain(render_markdown(refusals))
    for refused in refusals.refused:
        for reason in refused.reasons:
            assert plain(escape_markdown(reason_words(reason))) in page
    assert "gate refused" in page.splitlines()[0]


def test_tables_of_the_page_are_tables(findings, refusals):
    """Every row has as many cells as its header."""
    for found in (findings, refusals):
        width = None
        for line in render_markdown(found).splitlines():
            if not line.startswith("|"):
                width = None
                continue
            cells = len(regex.findall(r"(?<!\\)\|", line, timeout=1))
            assert width in {None, cells}, line
            width = cells


HOSTILE = "<script>alert(1)</script> | x\n# head\n[a](http://x) `c` \x1b[2J \u202e *b* ![i](y) {{z}} $(w)"


def hostile(findings):
    """The same findings with hostile text wherever a study or a reply brings text along."""
    study = json.loads(json.dumps(findings.study))
    study["study"] = study["groups"]["attribute"] = study["report"]["owner"] = HOSTILE
    study["groups"]["values"]["women"]["label"] = HOSTILE
    study["groups"]["not_tested"] = [HOSTILE]
    study["system"]["name"] = HOSTILE
    quotes = tuple(dataclasses.replace(q, text_a=HOSTILE, unit_id=HOSTILE) for q in findings.quotes)
    return dataclasses.replace(
        findings, study=study, decided_by=HOSTILE, quotes=quotes, notes=(HOSTILE,), next_steps=(HOSTILE,)
    )


def test_foreign_text_on_the_page_is_no_markup(findings):
    """Tags, links, tables, headings and escapes of the data are shown and never obeyed."""
    page = render_markdown(hostile(findings))
    body = page.replace("\\\\", "")
    for markup in ("<", "](", "`", "*b", "!["):
        assert not regex.search(r"(?<!\\)" + regex.escape(markup), body, timeout=1), markup
    assert "://" not in page
    assert "\n# head" not in page
    assert not {unicodedata.category(c) for c in page if c != "\n"} & {"Cc", "Cf", "Cs"}
    assert [line for line in page.splitlines() if line.startswith("## ")] == [
        line for line in render_markdown(findings).splitlines() if line.startswith("## ")
    ]


def test_foreign_text_on_the_terminal_is_inert(findings):
    """The terminal page of the same findings obeys nothing either."""
    page = render_story(hostile(findings), where="runs/x")
    assert not {unicodedata.category(c) for c in page if c != "\n"} & {"Cc", "Cf", "Cs"}


def test_the_terminal_page_answers_the_four_questions(findings, refusals):
    """In order, then the gate and the next step; refused metrics are named and not numbered."""
    for found in (findings, refusals):
        page = render_story(found, where="runs/x")
        places = [
            page.index(q) for q in ("1. Could", "2. Does", "3. Does", "4. Is", "Gate: ", "runs/x/report.md", "Next:")
        ]
        assert places == sorted(places)
    assert "is calibrated" in render_story(findings)
    assert "Not reported, because refused: warmth." in render_story(refusals)


def test_the_schema_is_named(findings, calibrated_study):
    """report.json says which form it has."""
    from judgekit.files.folders import latest_run

    run = latest_run(calibrated_study.base / "runs", "small")
    report = json.loads((run / "report.json").read_text())
    assert report["schema"] == SCHEMA
    assert report["study"]["hash"] == findings.study_hash


def estimate(value=0.5, low=0.25, high=0.75, p=0.01):
    """An estimate with an interval."""
    interval = Interval(low, high, 0.95, "t") if low is not None else Undefined("one template")
    return GapEstimate(
        value=value,
        interval=interval,
        p=p,
        min_p=0.001,
        method="t",
        df=7.0,
        templates=8,
        names_a=4,
        names_b=4,
        n_a=9,
        n_b=8,
    )


def gap(**changes):
    """A counted metric's gap."""
    return Gap(
        **{
            "metric": "words",
            "contrast": Contrast("a", "b"),
            "claim": "groups",
            "kind": "measured",
            "role": "secondary",
            "raw": estimate(),
            "corrected": None,
            "human_only": None,
            "failure_gap": estimate(0.0, 0.0, 0.0, 1.0),
            "per_template": {"t": 0.5},
            "per_name": {"a": {"x": 1.0}},
            "margin": None,
            "verdict": "no margin",
            "direction": "a higher than b",
            **changes,
        }
    )


def test_the_interval_of_a_document_is_that_of_the_estimate_that_counts():
    """Corrected before raw; an undefined one is null with its reason."""
    assert gap_document(gap())["ci"] == [0.25, 0.75]
    both = gap_document(gap(kind="judged", corrected=estimate(0.4, 0.1, 0.7, 0.04)))
    assert (both["ci"], both["p"], both["estimates"]["raw"]) == ([0.1, 0.7], 0.04, 0.5)
    undefined = gap_document(gap(raw=estimate(0.5, None, None, 1.0)))
    assert undefined["ci"] is None
    assert undefined["level"] is None
    assert "one template" in undefined["details"]["raw"]["undefined"]


@pytest.mark.parametrize(
    ("value", "options", "words"),
    [
        (0.005, {}, "0.01"),
        (-0.004, {}, "0.00"),
        (-0.004, {"signed": True}, "0.00"),
        (1.0, {"signed": True}, "+1.00"),
        (-1.0, {}, "−1.00"),
        (float("inf"), {}, "∞"),
        (float("-inf"), {}, "−∞"),
        (None, {}, "-"),
        ("text", {}, "text"),
        (Undefined("why"), {}, "undefined (why)"),
        (3, {"digits": 0}, "3"),
    ],
)
def test_numbers_in_words(value, options, words):
    """No minus zero, true minus signs, and what is undefined in words."""
    assert number(value, **options) == words


def test_intervals_and_p_in_words():
    """An undefined interval says why; p is the corrected one where there is one, never 0."""
    assert interval_words(Undefined("one template")) == "no interval: one template"
    assert p_words(gap()) == "0.010"
    assert p_words(gap(adjusted_p=0.04)) == "0.040"
    assert p_words(gap(raw=estimate(p=0.0))) == "<0.001"
    assert p_words(gap(raw=estimate(p=Undefined("x")))) == "-"
    assert estimate_words(None) == "not shown"


def test_a_reason_in_words():
    """Code, value, threshold, remedy."""
    reason = Reason(code="too_low", value=0.5, threshold=0.6, remedy="label more")
    assert reason_words(reason) == "too_low 0.50 (needed: 0.60). label more"
