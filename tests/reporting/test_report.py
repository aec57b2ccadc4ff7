"""The report: one page with scope, method, decisions, results, refusals, quotes and next steps; and its JSON."""

import dataclasses
import json
import unicodedata
from pathlib import Path

import pytest
import regex

from judgekit.records import Contrast, Gap, GapEstimate, Interval, Reason, Undefined
from judgekit.reporting.machine import SCHEMA, gap_document
from judgekit.reporting.markdown import render_markdown
from judgekit.reporting.story import render_story
from judgekit.reporting.words import escape_markdown, estimate_words, interval_words, number, p_words, reason_words

ROOT = Path(__file__).resolve().parents[2]
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
    gaps = tuple(dataclasses.replace(g, contrast=Contrast(HOSTILE, "men"), notes=(HOSTILE,)) for g in findings.gaps)
    counts = {HOSTILE: {HOSTILE: {"in": 1, HOSTILE: 1}}}
    edits = ({"key": HOSTILE, "before": HOSTILE, "after": HOSTILE, "when": HOSTILE},)
    return dataclasses.replace(
        findings,
        gaps=gaps,
        judging=dataclasses.replace(findings.judging, counts=counts),
        labels=dataclasses.replace(findings.labels, per_annotator={HOSTILE: 3}),
        later_edits=edits,
        study=study,
        decided_by=HOSTILE,
        quotes=quotes,
        notes=(HOSTILE,),
        next_steps=(HOSTILE,),
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
    """What is wrong, value, threshold, code in brackets, remedy; every code of a check has words."""
    reason = Reason(code="too_low", value=0.5, threshold=0.6, remedy="label more")
    assert reason_words(reason) == "agreement with people is too low: 0.50 (needed: 0.60) [too_low]. label more"


def test_every_code_of_a_refusal_has_words():
    """No code stands on a page as the only explanation."""
    source = "".join(
        (ROOT / "judgekit" / f"{name}.py").read_text() for name in ("calibration_checks", "calibration_remedies")
    )
    codes = set(regex.findall(r'code="([a-z_]+)"', source, timeout=1))
    assert len(codes) >= 10
    for code in sorted(codes):
        words = reason_words(Reason(code=code, value=None, threshold=None, remedy="do it"))
        assert words.endswith(f" [{code}]. do it")
        assert not words.startswith(("not reported", code)), code


def test_the_table_of_kappas_says_how_they_are_weighted(findings):
    """Cohen's kappa of ordinal scales has quadratic weights, and its table says so."""
    assert "Agreement (Cohen's kappa, quadratic weights on ordinal scales):" in render_markdown(findings)


def test_the_results_say_what_they_rest_on(findings):
    """Replies or labelled texts of each group, templates, missing values, the level, and the judge's counts."""
    page = plain(render_markdown(findings))
    words = next(g for g in findings.gaps if g.metric == "words")
    row = next(line for line in page.splitlines() if line.startswith("| words"))
    assert f"| {words.raw.n_a}, {words.raw.n_b} | {words.raw.templates} | 0 of 64, 0 of 64 |" in row
    assert "Gaps with 95% intervals" in page
    assert "| warmth | men | 64 | 64 | 0 | 0 |" in page
    assert "| warmth | women | 64 | 64 | 0 | 0 |" in page
    assert regex.search(r"control 0\.00, paraphrase (0\.00 \[|\d+ of \d+ texts could not be reworded)", page)
    assert f"on {words.raw.n_a} and {words.raw.n_b} replies, {words.raw.templates} templates" in render_story(findings)


def test_missing_values_and_dropped_templates_are_told(make_study, kit):
    """What a metric leaves out stands beside its gap, on the page, on the terminal and in JSON."""
    rows = kit.reply_rows(templates=4)
    small = make_study(rows=rows)
    told = [n for n, row in enumerate(rows) if row["template_id"] in {"case-01", "case-02", "case-03"} or n == 0]
    for n in told:
        rows[n]["text"] += " Refund yes." if n % 3 else " Refund no."
    small.write()
    small.change("measured", {"refund": {"kind": "binary", "positive": ["refund yes"], "negative": ["refund no"]}})
    found = small.run().findings
    gap_found = next(g for g in found.gaps if g.metric == "refund")
    assert gap_found.rows.in_a + gap_found.rows.in_b == len(rows)
    assert gap_found.rows.missing_a + gap_found.rows.missing_b == len(rows) - len(told)
    for page in (plain(render_markdown(found)), render_story(found)):
        assert "1 templates dropped: no scored row in one of the groups" in page
        assert f"{gap_found.rows.missing_a} of {gap_found.rows.in_a}, {gap_found.rows.missing_b} of" in page
    document = gap_document(gap_found)
    assert (document["in_a"], document["missing_a"]) == (gap_found.rows.in_a, gap_found.rows.missing_a)


def reason(code, value=0.2, threshold=0.1):
    """A reason of that code."""
    return Reason(code=code, value=value, threshold=threshold, remedy="mend it")


def test_question_1_is_not_settled_when_too_much_is_withheld(refusals):
    """A plain no needs a share and a gap of withheld replies inside the limits."""
    assert "   No: 128 of 128" in render_story(refusals)
    first = refusals.refused[0]
    for code in ("withheld_share", "withheld_gap"):
        changed = dataclasses.replace(first, reasons=(*first.reasons, reason(code)))
        page = render_story(dataclasses.replace(refusals, refused=(changed,)))
        assert "Not settled: 128 of 128 replies" in page
        assert f"[{code}]" in page
        assert "   No: " not in page.split("2. Does")[0]


def test_later_edits_and_stale_labels_are_told(findings):
    """Edits of sealed decisions and labels that do not count, on the page and on the terminal."""
    edits = tuple({"key": f"calibration.k{n}", "before": None, "after": n, "when": "2026-02-03"} for n in range(5))
    changed = dataclasses.replace(findings, later_edits=edits, labels=dataclasses.replace(findings.labels, stale=12))
    page, story = plain(render_markdown(changed)), render_story(changed)
    for shown, word in ((page, "Edited later"), (story, "Decided later")):
        assert f"{word}: calibration.k0 from nothing to 0 on 2026-02-03" in shown
        assert "12 labels were made on other texts or another rubric and do not count" in shown
    assert page.count("Edited later: ") == 5
    assert "and 2 more in the report" in story
    assert "other texts" not in render_story(findings)


def test_steps_that_are_cut_are_counted(findings):
    """The terminal shows six steps and says how many more the report has."""
    story = render_story(dataclasses.replace(findings, next_steps=tuple(f"step {n}" for n in range(9))))
    assert "step 5" in story
    assert "step 6" not in story
    assert "and 3 more in the report" in story


def test_the_commands_for_raters_work_from_where_the_reader_is(make_study, kit, monkeypatch, tmp_path):
    """Relative to the current folder on the terminal; in the report relative to the study, which it says."""
    small = make_study(name="my study", rows=kit.reply_rows(templates=3, replicates=1))
    monkeypatch.chdir(tmp_path)
    said = kit.command("run", "my study")
    assert said.code == 0, said.err
    assert "judgekit label 'my study/labels/small.sample.jsonl' --as ana" in said.out
    report = next((small.base / "runs").glob("*/report.md"))
    page = plain(report.read_text(encoding="utf-8"))
    assert "judgekit label labels/small.sample.jsonl --as ana" in page
    assert "Commands are given in the study's folder." in page
    assert f"Report: {report.relative_to(tmp_path)}" in said.out
    assert (report.parent / "manifest.json").stat().st_mode & 0o077 == 0


def test_without_raters_the_next_step_names_them(make_study, kit):
    """No command can be given before the study says who labels."""
    small = make_study(rows=kit.reply_rows(templates=3, replicates=1), labels={})
    assert small.run().findings.next_steps[0] == "name your raters in labels.annotators, then run again"


def test_a_study_without_groups_reports_means(make_study, kit):
    """Counted metrics get a mean and an interval with the template as the unit; gap says that there is nothing to compare."""
    small = make_study(groups=None, rows=kit.reply_rows(without=("group",)))
    outcome = small.run()
    mean = outcome.findings.means[0]
    assert (mean.metric, mean.estimate.n, mean.estimate.units, mean.estimate.unit) == ("words", 128, 8, "templates")
    assert mean.estimate.interval.low < mean.estimate.value < mean.estimate.interval.high
    story, page = render_story(outcome.findings), plain(render_markdown(outcome.findings))
    assert "1. Could the judge see the person?" in story
    for shown in (story, page):
        assert f"{number(mean.estimate.value)} [{number(mean.estimate.interval.low)}, " in shown
    said = kit.command("gap", small.base, "--metric", "words")
    assert said.code == 2
    assert "the study has no groups to compare" in said.err
    said = kit.command("swaptest", small.base)
    assert said.code == 2
    assert "no groups" in said.err


def test_calibrate_says_what_its_kappa_is_of(calibrated_study, refused_study, kit):
    """The number that the threshold is held against, of whom and with which unit, calibrated or refused."""
    for small in (calibrated_study, refused_study):
        said = kit.command("calibrate", small.base).out
        assert "kappa, mean of both raters " in said
        assert "(templates as the unit), on 64 texts" in said


def test_reports_have_the_form_that_the_schema_declares(findings, refusals, make_study, kit):
    """Calibrated, refused, without groups and without labels; every key of the document is declared, with its type."""
    from pydantic import TypeAdapter, ValidationError

    from judgekit.files.atomic import to_jsonable
    from judgekit.reporting.form import Report
    from judgekit.reporting.machine import report_document

    form = TypeAdapter(Report)
    bare = make_study(groups=None, rows=kit.reply_rows(templates=3)).run().findings
    documents = [to_jsonable(report_document(found)) for found in (findings, refusals, bare)]
    for document in documents:
        form.validate_json(json.dumps(document), strict=True)
        assert set(document) == set(Report.__annotations__)
    assert documents[2]["study"]["attribute"] is None
    for path, value in (
        (("gate",), "fine"),
        (("schema",), "judgekit-report/2"),
        (("gaps", "contrasts", 0, "verdict"), None),
        (("agreement", 0, "kappa"), "high"),
    ):
        broken = json.loads(json.dumps(documents[0]))
        place = broken
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
        with pytest.raises(ValidationError):
            form.validate_json(json.dumps(broken), strict=True)


def test_the_schema_of_reports_can_be_had(kit):
    """`judgekit schema report` names the form as report.json does, and explains its parts."""
    said = kit.command("schema", "report")
    assert said.code == 0
    assert said.json["properties"]["schema"]["const"] == SCHEMA
    assert said.json["$id"] == "urn:judgekit-report:1"
    assert "Refusal" in said.json["$defs"]
    assert said.json["$schema"].endswith("2020-12/schema")
