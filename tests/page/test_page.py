"""The HTML page: six parts, one self-contained file, the same bytes every time, hostile text inert, nothing refused in it."""

import dataclasses
import json
from html.parser import HTMLParser
from itertools import pairwise

import pytest
import regex

from judgekit.page import sentences
from judgekit.page.render import render_html
from judgekit.page.scale import scale_of
from judgekit.page.tables import confusions
from judgekit.records import Contrast, Interval, Undefined
from judgekit.reporting.markdown import render_markdown
from judgekit.reporting.words import estimate_words, number, reason_words

PARTS = [
    "1. Question and answer",
    "2. What was tested and how",
    "3. Results",
    "4. What the judge is worth",
    "5. Limits, and what was not tested",
    "6. Next steps",
]
VOID = {"meta", "link", "br", "hr", "img", "input"}


class Page(HTMLParser):
    """Tags, attributes and text of a page; an error where tags are not closed in order."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.words, self._open = [], [], []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self):
        """Everything a reader sees, on one line."""
        return " ".join(" ".join(self.words).split())


@pytest.fixture(scope="module")
def findings(calibrated_study):
    """What the calibrated study found."""
    return calibrated_study.run().findings


@pytest.fixture(scope="module")
def refusals(refused_study):
    """What the refused study found."""
    return refused_study.run().findings


def test_the_page_has_the_six_parts_of_a_write_up(findings, refusals):
    """In order, with an answer in one sentence; the refused study says what would change its refusals."""
    for found in (findings, refusals):
        page = Page(render_html(found))
        places = [page.text.index(part) for part in PARTS]
        assert places == sorted(places)
        assert sentences.answer(found) in page.text
    assert sentences.answer(findings).startswith("No: ")
    assert "the judge's numbers for warmth are withheld" in sentences.answer(refusals)
    for reason in refusals.refused[0].reasons:
        assert reason_words(reason) in Page(render_html(refusals)).text


def test_the_page_needs_nothing_else(findings):
    """No script, no address to fetch, no handler; a policy in the page forbids the rest."""
    page = Page(render_html(findings))
    assert not {tag for tag, _ in page.tags} & {"script", "link", "img", "iframe", "object", "embed", "form", "base"}
    asks = {
        k for _, attrs in page.tags for k in attrs if k.startswith("on") or k in {"src", "srcset", "action", "style"}
    }
    assert asks == set()
    assert all(attrs["href"].startswith("#") for _, attrs in page.tags if "href" in attrs)
    assert "url(" not in render_html(findings)
    assert "@import" not in render_html(findings)


def test_the_page_is_built_for_everyone(findings, refusals):
    """A language, headings in order, headed tables with captions, named plots, and marks that have words."""
    for found in (findings, refusals):
        page = Page(render_html(found))
        assert ("html", {"lang": "en"}) in page.tags
        levels = [int(tag[1]) for tag, _ in page.tags if regex.fullmatch("h[1-6]", tag)]
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(b <= a + 1 for a, b in pairwise(levels))
        assert all("scope" in attrs for tag, attrs in page.tags if tag == "th")
        kinds = [tag for tag, _ in page.tags]
        assert kinds.count("caption") == kinds.count("table") > 3
        tracks = [attrs for tag, attrs in page.tags if tag == "svg" and attrs.get("class") == "track"]
        assert len(tracks) > 10
        assert all(attrs["role"] == "img" and attrs["aria-label"].strip() for attrs in tracks)
        ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
        assert len(ids) == len(set(ids))
        told = {attrs["aria-labelledby"] for _, attrs in page.tags if "aria-labelledby" in attrs}
        assert told <= set(ids)


def test_every_gap_stands_in_a_plot_with_its_numbers(findings):
    """Raw, corrected and people's own, with their intervals, beside the marks and in the alternative text."""
    page = Page(render_html(findings))
    labels = [attrs["aria-label"] for tag, attrs in page.tags if attrs.get("class") == "track"]
    warmth = next(g for g in findings.gaps if g.metric == "warmth")
    for estimate in (warmth.raw, warmth.corrected, warmth.human_only):
        assert page.text.count(estimate_words(estimate)) >= 2
        assert any(estimate_words(estimate) in label and "margin ±1.50" in label for label in labels)
    for unit, value in warmth.per_template.items():
        assert f"{unit}: {number(value, signed=True)}" in labels
    for group, by_name in warmth.per_name.items():
        for name, value in by_name.items():
            assert f"{name}, {group}: {number(value)}" in labels
    for reference in findings.references:
        assert f"judge with people: {number(reference.kappa)}, at least {number(reference.lower)}" in labels


def test_the_same_findings_give_the_same_bytes(calibrated_copy, kit, tmp_path):
    """A run, the report of its folder made again, and `report --html` of the study: one page, without a call."""
    run = calibrated_copy.run().run_dir
    page = (run / "report.html").read_bytes()
    (run / "report.html").unlink()
    judgments = (run / "judgments.jsonl").read_bytes()
    assert kit.command("report", run, "--html", tmp_path / "page.html").code == 0
    assert (run / "report.html").read_bytes() == page
    assert (tmp_path / "page.html").read_bytes() == page
    assert (run / "judgments.jsonl").read_bytes() == judgments
    again = kit.command("report", run, "--html", tmp_path / "page.html")
    assert again.code == 2
    assert "--force" in again.err


HOSTILE = '</style></svg><script>alert(1)</script>" onload="x\' {{ 7*7 }} \x1b[2J \u202e \ud800 &amp; <b>'


def hostile(findings):
    """The same findings with hostile text wherever a study, a reply, a judge or a rater brings text along."""
    study = json.loads(json.dumps(findings.study))
    study["study"] = study["groups"]["attribute"] = study["report"]["owner"] = HOSTILE
    study["groups"]["values"]["women"]["label"] = HOSTILE
    study["groups"]["not_tested"] = [HOSTILE]
    study["system"]["name"] = study["report"]["due"] = HOSTILE

    def change(records, **fields):
        return tuple(dataclasses.replace(record, **fields) for record in records)

    bad = Contrast(HOSTILE, "men")
    return dataclasses.replace(
        findings,
        study=study,
        gaps=change(
            findings.gaps,
            metric=HOSTILE,
            contrast=bad,
            per_template={HOSTILE: 1.0, "b": 0.0},
            per_name={HOSTILE: {HOSTILE: 1.0}, "men": {"x": 2.0}},
        ),
        agreement=change(findings.agreement, b=HOSTILE),
        swap=change(findings.swap, contrast=bad, per_name={HOSTILE: 0.1}, why=HOSTILE),
        judging=dataclasses.replace(
            findings.judging, counts={HOSTILE: {HOSTILE: {"in": 1, HOSTILE: 1}}}, dropped=(HOSTILE,)
        ),
        labels=dataclasses.replace(findings.labels, per_annotator={HOSTILE: 3}),
        later_edits=({"key": HOSTILE, "before": HOSTILE, "after": HOSTILE, "when": HOSTILE},),
        quotes=change(findings.quotes, text_a=HOSTILE, unit_id=HOSTILE),
        decided_by=HOSTILE,
        notes=(HOSTILE,),
        next_steps=(HOSTILE,),
        versions={HOSTILE: HOSTILE},
    )


def test_foreign_text_on_the_page_is_no_markup(findings):
    """Tags, attributes, template marks and invisible characters of the data are shown and never obeyed."""
    source = render_html(hostile(findings))
    page, clean = Page(source), Page(render_html(findings))
    assert {tag for tag, _ in page.tags} <= {tag for tag, _ in clean.tags}
    assert {k for _, attrs in page.tags for k in attrs} <= {k for _, attrs in clean.tags for k in attrs}
    assert "{{ 7*7 }}" in page.text
    assert "alert(1)" in page.text
    assert not regex.search(r"[\p{Cc}\p{Cf}\p{Cs}--\n]", source, flags=regex.V1, timeout=5)
    source.encode("utf-8")


def test_a_large_study_stays_under_400_kilobytes(findings):
    """Hundreds of templates and names, many contrasts, long quotes: figures are cut, and the page says so."""
    many = {f"case-{n:03d}": n / 100 for n in range(500)}
    names = {"women": {f"Person {n}": 1 + n / 100 for n in range(300)}, "men": {"Peter": 2.0}}
    gaps = tuple(
        dataclasses.replace(g, metric=f"{g.metric} {n}", per_template=many, per_name=names)
        for n in range(20)
        for g in findings.gaps
    )
    quotes = tuple(dataclasses.replace(findings.quotes[0], text_a="word " * 50_000) for _ in range(20))
    page = render_html(dataclasses.replace(findings, gaps=gaps, quotes=quotes, swap=findings.swap * 20))
    assert len(page.encode()) < 400_000
    text = Page(page).text
    assert "The 10 lowest and the 10 highest of 500 templates." in text
    assert "more figures would not fit" in text
    assert "more characters)" in text
    # A comment on GitHub holds 65,536 characters.
    small = dataclasses.replace(findings, quotes=quotes[:2])
    assert len(render_markdown(small)) < 30_000


def test_a_refused_dimension_has_no_confusion_table(findings, refusals):
    """Its marginals are an aggregate of judged scores: only unsigned distances in levels are told."""
    full, apart = confusions(findings)
    assert {c.title.split(":")[0] for c in full} == {"warmth"}
    assert apart == []
    table = next(a for a in findings.agreement if a.by is None and findings.judging.judge in {a.a, a.b}).table
    assert sum(n for _, row in full[0].rows for n, _ in row) == sum(map(sum, table))
    full, apart = confusions(refusals)
    assert full == []
    rows = [list(map(int, row[1:])) for row in apart[0].rows]
    table = next(a for a in refusals.agreement if a.by is None and refusals.judging.judge in {a.a, a.b}).table
    assert rows[0] == [
        sum(n for i, row in enumerate(table) for k, n in enumerate(row) if abs(i - k) == d) for d in range(len(table))
    ]


def test_studies_of_every_shape_have_a_page(findings, make_study, kit):
    """Without groups, without labels, with undefined and unbounded estimates."""
    page = Page(render_html(make_study(groups=None, rows=kit.reply_rows(templates=3)).run().findings)).text
    assert "Can the judge" in page
    assert "nobody has labelled these texts" in page
    gap = findings.gaps[0]
    open_ended = dataclasses.replace(gap.raw, interval=Interval(float("-inf"), float("inf"), 0.95, "t"))
    missing = dataclasses.replace(gap.raw, value=Undefined("no rows"), interval=Undefined("no rows"))
    changed = dataclasses.replace(gap, raw=open_ended, corrected=missing, margin=None, verdict="no margin")
    page = Page(render_html(dataclasses.replace(findings, gaps=(changed,)))).text
    assert "[−∞, ∞]" in page
    assert "undefined: no rows" in page


def test_hostile_replies_and_pairs_are_told_where_there_are_any(findings):
    """The suite by kind, preference and position of pairs; a study without them says so among its limits."""
    from judgekit.injection.results import InjectionResult, KindCount
    from judgekit.swapping.pair_results import PairSwapResult

    share = Interval(0.1, 0.5, 0.95, "Wilson")
    counts = {"tried": 10, "moved": 3, "obeyed": 2, "changed": 4, "unscored": 1, "at_top": 0, "stopped": 5}
    told = KindCount(kind="forged_verdict", share=0.3, interval=share, **counts)
    suite = InjectionResult(
        judge="j", dimension="warmth", asked=5, total=told, kinds=(told,), controls=4, control_changed=0
    )
    sides = {f"{k}_interval": share for k in ("position", "interaction")}
    pairs = PairSwapResult(
        judge="j",
        dimension="warmth",
        contrast=Contrast("women", "men"),
        preference=0.31,
        interval=share,
        position=0.42,
        interaction=0.13,
        per_name={},
        ties=0.0,
        n=28,
        unscored=0,
        margin=0.1,
        verdict="failed",
        why="order decides",
        **sides,
    )
    page = Page(render_html(dataclasses.replace(findings, injection=(suite,), pair_swap=(pairs,)))).text
    assert "3 of 10 hostile replies moved the score" in page
    assert "forged_verdict 10 3 2 1 5" in page
    assert "on 28 pairs, position +0.42 [+0.10, +0.50]" in page
    assert "Hostile replies were not tried" not in page
    without = Page(render_html(findings)).text
    assert "Hostile replies were not tried" in without
    assert "position bias, were not tested" in without


def test_an_output_that_exists_stops_the_command_before_anything_is_written(calibrated_copy, kit, tmp_path):
    """Neither of two outputs is made when one may not be, and the study file is never overwritten."""
    (tmp_path / "page.html").write_text("mine", encoding="utf-8")
    said = kit.command(*("report", calibrated_copy.base, "-o", tmp_path / "page.md", "--html", tmp_path / "page.html"))
    assert said.code == 2
    assert [p.name for p in tmp_path.glob("page.*")] == ["page.html"]
    file = calibrated_copy.base / "study.yaml"
    assert kit.command("report", file, "--html", file, "--force").code == 2


def test_names_of_real_people_are_not_listed(findings):
    """Replies as customers got them: the page shows no table of their names."""
    study = json.loads(json.dumps(findings.study))
    study["data"]["design"] = "observational"
    page = Page(render_html(dataclasses.replace(findings, study=study, swap=()))).text
    assert "Peter Novak" not in page
    assert "Names are those of real people here" in page
    assert "Peter Novak" in Page(render_html(findings)).text


@pytest.mark.parametrize(
    ("verdicts", "refused", "words"),
    [
        (("pass", "fail"), False, "Yes: m1 lies beyond the margin."),
        (("pass", "warn"), False, "Not settled: for m1 "),
        (("pass", "pass"), True, "No: m0 and m1 stay inside the margin; the judge's numbers for warmth are withheld."),
        (("no margin", "no margin"), False, "No margin was set"),
        ((), True, "Not answered: the judge's numbers for warmth are withheld."),
    ],
)
def test_the_answer_follows_the_verdicts(findings, refusals, verdicts, refused, words):
    """The worst verdict comes first, and a refusal is never left out."""
    gaps = tuple(dataclasses.replace(findings.gaps[0], metric=f"m{n}", verdict=v) for n, v in enumerate(verdicts))
    found = dataclasses.replace(findings, gaps=gaps, refused=refusals.refused if refused else ())
    assert sentences.answer(found).startswith(words)


def test_a_scale_holds_what_it_is_given():
    """Round ticks inside the ends; equal values and infinite ones still make a scale."""
    scale = scale_of([-0.66, 0.45, float("inf")])
    assert scale.ticks == (-0.6, -0.4, -0.2, 0.0, 0.2, 0.4)
    assert 0 < scale.place(-0.66) < scale.place(0) < scale.place(0.45) < 100
    assert scale.place(float("-inf")) == 0
    flat = scale_of([3.0, 3.0])
    assert flat.low < 3 < flat.high
    assert scale_of([]).ticks[0] == 0
