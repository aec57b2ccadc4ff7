"""Both pages in Spanish: nothing left in English, the same figures as in English, and what is withheld stays withheld."""

import dataclasses
import json
from collections import Counter
from html.parser import HTMLParser
from string import Formatter

import pytest
import regex

from judgekit.calibration import calibrate
from judgekit.page.render import render_html
from judgekit.pipeline import evidence_of
from judgekit.records import Contrast, GapNoise, Interval, Reason, Refused, Undefined
from judgekit.reporting.markdown import render_markdown
from judgekit.reporting.words import REASON_WORDS, reason_words
from judgekit.wording.languages import language, speaking_in
from judgekit.wording.sentence import Language

WORD = regex.compile(r"\p{L}{2,}")
ENGLISH = regex.compile(
    r"\b(?:the|of|and|with|which|is|are|was|not|for|by|from|judges?|repl(?:y|ies)|scores?|people|templates?|"
    r"margin|interval|gap|group|verdict|refused|withheld|labelled|raters?|texts|names|share|mean)\b",
    regex.IGNORECASE,
)


def mute():
    """A language whose sentences are nothing but their fields: letters that are left were never told, or are foreign."""
    silent = {}
    for english in language("es").sentences:
        try:
            fields = [(name, spec) for _, name, spec, _ in Formatter().parse(english) if name is not None]
        except ValueError:
            fields = []
        silent[english] = "¤" + "".join(f" {{{name}:{spec}}}" for name, spec in fields)
    return Language(code="zz", sentences=silent)


MUTE = mute()


class Shown(HTMLParser):
    """What a reader or a screen reader is told: texts and labels, without the style sheet and the quotes of replies."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.words, self.shape, self._skip = [], [], None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        told = dict(attrs)
        self.shape.append((tag, sorted((k, v) for k, v in told.items() if k not in {"lang", "aria-label"})))
        self.words += [v for k, v in attrs if k in {"aria-label", "title", "alt"}]
        if self._skip is None and tag in {"style", "blockquote"}:
            self._skip = tag

    def handle_endtag(self, tag):
        if tag == self._skip:
            self._skip = None

    def handle_data(self, data):
        if self._skip is None:
            self.words.append(data)


def pages(found, spoken):
    """The text of both pages in a language; quotes of replies are left out."""
    plain = dataclasses.replace(found, quotes=tuple(dataclasses.replace(q, text_a="", text_b="") for q in found.quotes))
    html = " ".join(" ".join(Shown(render_html(plain, spoken)).words).split())
    return {"html": html, "markdown": render_markdown(plain, spoken).replace("\\", "")}


def foreign(found):
    """Words that people wrote, and names of programs: they stand in a page of any language."""
    study, groups = found.study, found.study.get("groups") or {}
    said = [
        *(study["study"], *study["rubrics"], *study["measured"], *study["system"].values(), study["report"]["owner"]),
        *(groups.get("attribute"), groups.get("names_chosen_by"), *groups.get("not_tested", ())),
        *(x for key, value in groups.get("values", {}).items() for x in (key, value.get("label"), *value["names"])),
        *(found.judging.judge, *found.judging.fingerprint, *found.judging.fingerprint.values(), found.study_hash),
        *(found.judging.dropped, found.decided_by, *found.labels.per_annotator, *found.labels.raters),
        *(found.versions.items(), "json", found.study["statistics"]["correction"].upper()),
        *(found.blinding.by_group, *(s.per_name for s in found.swap)),
        *(g.per_template for g in found.gaps),
        *(q.unit_id for q in found.quotes),
        *((e["key"], e["before"], e["after"]) for e in found.later_edits),
        *(a.levels for a in found.agreement),
    ]
    return {word.casefold() for x in said for word in WORD.findall(str(x))}


def leftovers(found):
    """Words that both pages show in a language without words, other than foreign ones, codes and commands."""
    left = {}
    for kind, text in pages(found, MUTE).items():
        prose = regex.sub(
            r"judgekit (?:label|sample) \S+ --(?:as|add) \S+|\[[a-z_]+\]|report\.json|\b[0-9a-f]{12,}\b", " ", text
        )
        if words := {w for w in WORD.findall(prose) if w.casefold() not in foreign(found)}:
            left[kind] = words
    return left


def figures(text):
    """Every number with its sign, however its decimals and its day are written."""
    for number, month in enumerate(language("es").months, 1):
        text = regex.sub(
            rf"(\d+) de {month} de (\d+)", lambda m, n=number: f"{m[2]}-{n:02}-{int(m[1]):02}", text, timeout=5
        )
    text = regex.sub(r"(?<=\d),(?=\d)", ".", text, timeout=5)
    return Counter(regex.findall(r"[-−+±]?\d+(?:\.\d+)*", text, timeout=5))


def check(found):
    """Complete, the same figures and the same refusals: for a state of any kind."""
    assert leftovers(found) == {}
    english, spanish = pages(found, "en"), pages(found, "es")
    for kind, text in spanish.items():
        assert figures(text) == figures(english[kind]), kind
    assert Shown(render_html(found, "es")).shape == Shown(render_html(found, "en")).shape
    for refused in found.refused:
        for reason in refused.reasons:
            assert f"[{reason.code}]" in spanish["markdown"]
            with speaking_in("es"):
                assert " ".join(reason_words(reason).split()) in spanish["html"]


@pytest.fixture(scope="module")
def findings(calibrated_study):
    """What the calibrated study found."""
    return calibrated_study.run().findings


@pytest.fixture(scope="module")
def refusals(refused_study):
    """What the refused study found."""
    return refused_study.run().findings


def test_a_calibrated_and_a_refused_study_in_spanish(findings, refusals):
    """Both pages: told whole, with the figures of the English ones, in the page's own language."""
    for found in (findings, refusals):
        check(found)
        page = render_html(found, "es")
        assert '<html lang="es">' in page
        assert len(page.encode()) < 400_000
        assert "1. Pregunta y respuesta" in page
        assert render_html(found) == render_html(found, "en")
    text = pages(findings, "es")["html"]
    assert "n (a; b)" in text
    assert regex.search(r"\[−\d,\d\d; [+−]\d,\d\d\]", text)
    assert "intervalos de confianza del 95 %" in text
    assert "95\u202f%" in render_html(findings, "es")
    assert "las cifras del juez para warmth quedan retenidas" in pages(refusals, "es")["html"]


def test_what_no_small_study_shows_is_told_too(findings):
    """Hostile replies, pairs, control pairs, anchors, edits, dropped settings, logs, a pilot, missing numbers."""
    from judgekit.injection.results import InjectionResult, KindCount
    from judgekit.swapping.pair_results import PairSwapResult

    share, none = Interval(0.1, 0.5, 0.95, "Wilson"), Undefined("no spread", "all pairs are alike")
    counts = {"tried": 10, "moved": 3, "obeyed": 2, "changed": 4, "unscored": 1, "at_top": 2, "stopped": 5}
    kind = KindCount(kind="forged_json", share=0.3, interval=share, **counts)
    nothing = dataclasses.replace(kind, share=Undefined("no case could be tried"), interval=none)
    suite = InjectionResult(
        judge="j", dimension="warmth", asked=5, total=kind, kinds=(kind,), controls=4, control_changed=1
    )
    pair = PairSwapResult(
        judge="j",
        dimension="warmth",
        contrast=Contrast("women", "men"),
        preference=none,
        interval=none,
        position=0.42,
        position_interval=share,
        interaction=0.1,
        ties=0.0,
        n=1,
        interaction_interval=share,
        per_name={},
        unscored=0,
        margin=0.1,
        verdict="uninformative",
        why=str(none),
    )
    noise = GapNoise(limit=0.2, pair_limit=0.3, templates=6, pairs=1.0, covers=True)
    gap = next(g for g in findings.gaps if g.kind == "measured")
    gaps = (
        dataclasses.replace(gap, noise=noise, missing_kinds={"women": {"no_match": 1, "withheld": 2}, "men": {}}),
        dataclasses.replace(
            gap, metric="second", noise=dataclasses.replace(noise, limit=none), margin=1.0, verdict="warn"
        ),
        dataclasses.replace(gap, metric="third", raw=dataclasses.replace(gap.raw, value=none, interval=none, p=none)),
    )
    study = json.loads(json.dumps(findings.study))
    study["stage"], study["data"]["design"], study["measured"]["second"] = "pilot", "observational", {"kind": "count"}
    study["system"] |= {"name": "Alcor", "tested": "2026-02-03"}
    study["report"]["due"] = "2026-05-01"
    study["measured"]["third"] = {"kind": "count"}
    swap = dataclasses.replace(findings.swap[0], shift=none, interval=none, spread=none, why=str(none))
    found = dataclasses.replace(
        findings,
        study=study,
        gaps=gaps,
        swap=(swap,),
        injection=(suite, dataclasses.replace(suite, total=nothing, kinds=())),
        pair_swap=(pair,),
        labels=dataclasses.replace(findings.labels, stale=1, anchors={"texts": 1}),
        judging=dataclasses.replace(
            findings.judging, dropped=("temperature",), outside_scale={"warmth": {"mean": 0.012, "largest": 0.3}}
        ),
        later_edits=({"key": "gate.estimate", "before": None, "after": 0.5, "when": "2026-03-02"},),
        in_doubt=1,
    )
    check(found)
    spanish = pages(found, "es")
    assert "JSON falsificado, 3 de 10" in spanish["markdown"]
    assert "suelo de ruido ±0,200" in spanish["markdown"]
    assert "gate.estimate de nada a 0,5 (2 de marzo de 2026)" in spanish["html"]
    assert "1 de mayo de 2026" in spanish["html"]
    assert "es Alcor" not in spanish["html"]


def test_a_refusal_of_every_code_is_spanish_and_holds_no_english(refusals):
    """Each code with its words, value, limit and code in brackets; no English word is left outside what people wrote."""
    reasons = tuple(Reason(code=code, value=0.1234, threshold=0.5, remedy="cannot tell") for code in REASON_WORDS)
    refused = Refused(judge="stub", dimension="warmth", contrast=Contrast("women", "men"), reasons=reasons)
    found = dataclasses.replace(refusals, refused=(refused,))
    check(found)
    kept = "|".join(sorted(map(regex.escape, foreign(found)), key=len, reverse=True))
    for text in pages(found, "es").values():
        own = regex.sub(rf"`[^`]*`|\S+[._]\S+|judgekit \w+|\b(?:{kept})\b", " ", text, flags=regex.IGNORECASE)
        assert ENGLISH.findall(own) == []


def test_foreign_texts_are_no_patterns_and_no_markup(findings):
    """Names that look like fields, sentences of ours, tags or links: shown as they are, and never told in Spanish."""
    study = json.loads(json.dumps(findings.study))
    study["study"], study["system"]["name"] = "{gate} {0.__class__} %s", "no spread"
    study["groups"]["attribute"] = "<script>alert({n})</script>"
    study["groups"]["not_tested"] = ["replies", "{n:una|varias}", "[x](http://x)"]
    gaps = tuple(dataclasses.replace(g, metric="withheld") for g in findings.gaps)
    found = dataclasses.replace(findings, study=study, gaps=gaps)
    page, text = render_html(found, "es"), pages(found, "es")
    assert "<script" not in page
    assert Shown(page).shape == Shown(render_html(found, "en")).shape
    assert "¿Responde no spread de forma distinta" in text["html"]
    assert "No se probó: replies, {n:una|varias} y [x](http://x)." in text["html"]
    assert text["markdown"].startswith("# {gate} {0.__class__} %s: puerta de calidad: ")
    assert "withheld: brecha en cada plantilla" in text["html"]
    assert "| withheld |" in text["markdown"] or "| withheld (principal) |" in text["markdown"]


def test_the_language_is_no_sealed_decision(calibrated_copy, kit):
    """A study in Spanish seals what it sealed in English; its pages are Spanish, and its JSON is the same."""
    sealed, folder = calibrated_copy.study.sealed_content(), max(calibrated_copy.base.glob("runs/*"))
    english = {p.name: p.read_bytes() for p in folder.glob("report.*")}
    said = kit.command("report", folder, "--language", "es")
    assert said.code == 0
    assert said.out.startswith("# small: puerta de calidad: ")
    in_spanish = said.out
    spanish = {p.name: p.read_bytes() for p in folder.glob("report.*")}
    assert spanish["report.json"] == english["report.json"]
    assert b'lang="es"' in spanish["report.html"]
    assert "## Próximos pasos" in spanish["report.md"].decode()
    assert kit.command("report", folder).code == 0
    assert {p.name: p.read_bytes() for p in folder.glob("report.*")} == english
    calibrated_copy.change("report.language", "es")
    assert calibrated_copy.study.sealed_content() == sealed
    assert kit.command("report", calibrated_copy.base).out == in_spanish
    assert kit.command("report", calibrated_copy.base, "--language", "fr").code == 2


def unlabelled(make, kit):
    """Nobody has labelled: a first run."""
    return make("unlabelled").run().findings


def reacting(make, kit):
    """The judge reacts to names, and nobody should label."""
    return make("reacting", judge={"spec": "stub:name=Anna:-2+Maria:-2+Priya:-2+Lena:-2"}).run().findings


def blinded_only(make, kit):
    """It reacts, and was decided to be used on blinded text."""
    small = make("blinded_only", judge={"spec": "stub:name=Anna:-2+Maria:-2+Priya:-2+Lena:-2"})
    small.change("swap_test.when_failed", "require_blinding")
    return small.calibrated().findings


def constant(make, kit):
    """One score for everything."""
    return make("constant", judge={"spec": "python:planted_judges:constant"}).calibrated().findings


def silent(make, kit):
    """No score at all."""
    return make("silent", judge={"spec": "python:planted_judges:silent"}).calibrated().findings


def shy(make, kit):
    """A judge that fails on one group's replies."""
    rows = kit.reply_rows(colder={"women": 3})
    return make("shy", rows=rows, judge={"spec": "python:planted_judges:shy_of_short_texts"}).calibrated().findings


def at_odds(make, kit):
    """Two people who disagree, on few labels."""

    def say(text, annotator, dimension, levels, group):
        return kit.truthful(text, annotator, dimension, levels, group) if annotator == "ana" else 3

    small = make("at_odds")
    small.run()
    small.label("ana", "karim", score=say, only=20)
    return small.run().findings


def biased(make, kit):
    """People who see one group's replies warmer than the judge does."""

    def say(text, annotator, dimension, levels, group):
        level = kit.truthful(text, "truth", dimension, levels, group)
        return min(levels[-1], level + 2) if group == "women" else level

    small = make("biased")
    small.run()
    small.label("ana", "karim", score=say)
    return small.run().findings


def straddling(make, kit):
    """Only the corrected gap is published."""
    small = make("straddling", rows=kit.reply_rows(colder={"women": 1}))
    small.change("calibration.differential_bias.tolerance", 0.02)
    return small.calibrated().findings


def withheld(make, kit):
    """Too many replies cannot be blinded."""
    rows = kit.reply_rows()
    for row in rows[:40]:
        if row["group"] == "women":
            row["text"] += (
                " \u0416\u0434\u0435\u043c \u0432\u0430\u0441 \u0441\u043d\u043e\u0432\u0430 \u0432 \u043d\u0430\u0448\u0435\u043c \u043c\u0430\u0433\u0430\u0437\u0438\u043d\u0435."
            )
    return make("withheld", rows=rows).run().findings


def edited(make, kit):
    """Labels on texts, with a rubric and thresholds that have changed since."""
    from judgekit.data import bundled

    small = make("edited")
    own = small.base / "warmth.yaml"
    own.write_text(bundled("rubrics/warmth.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    small.change("rubrics.warmth.rubric", "warmth.yaml")
    small.run()
    small.label("ana", "karim", rubrics=("warmth.yaml",))
    for row in small.rows[:40]:
        row["text"] += " Good bye."
    small.write()
    small.change("calibration.min_labels", 30)
    small.run()
    own.write_text(own.read_text(encoding="utf-8").replace('version: "1"', 'version: "2"'), encoding="utf-8")
    return small.run().findings


def stale(make, kit):
    """Labels on replies that have changed."""
    small = make("stale")
    small.calibrated()
    for row in small.rows:
        row["text"] += " Good bye."
    small.write()
    return small.run().findings


def logs(make, kit):
    """Observational replies without templates."""
    small = make(
        "logs",
        rows=kit.reply_rows(templates=5, without=("template_id",), colder={"women": 1}),
        data={"replies": "replies.jsonl", "lang": "en", "design": "observational"},
        labels={"annotators": ["ana", "karim"], "n": 60, "repeats": 0.0},
    )
    return small.calibrated().findings


def no_groups(make, kit):
    """A judge alone."""
    return make("no_groups", groups=None, rows=kit.reply_rows(templates=3)).calibrated().findings


def everything(make, kit):
    """Hostile replies, pairs under swapped names and a paraphrase arm, with other words in every text."""
    rows = kit.reply_rows(templates=4)
    for n, row in enumerate(rows):
        row["text"] = f"{row['text']} Order {n} left."
    swap = {"texts": 24, "margin": 0.25, "pairs": 24, "paraphrase": "rules"}
    return (
        make("everything", rows=rows, swap_test=swap, judge={"spec": "stub:noise=0.6", "injection": True})
        .run()
        .findings
    )


def other_judge(make, kit):
    """Scores of another judge among those of this one."""
    small = make("other_judge")
    found = small.calibrated().findings
    evidence = evidence_of(small.study)
    verdicts = calibrate(dataclasses.replace(evidence, fingerprints=dict.fromkeys(evidence.fingerprints, "0" * 64)))
    return dataclasses.replace(found, refused=tuple(v for v in verdicts if isinstance(v, Refused)))


STATES = (
    *(unlabelled, reacting, blinded_only, constant, silent, shy, at_odds, biased, straddling, withheld, edited, stale),
    *(logs, no_groups, everything, other_judge),
)


@pytest.mark.slow
def test_real_studies_in_every_state(make_study, planted, kit):
    """Whole runs that end in every refusal, and without one: each told whole in Spanish, with the same figures."""
    met = set()
    for state in STATES:
        found = state(make_study, kit)
        check(found)
        met |= {reason.code for refused in found.refused for reason in refused.reasons}
        if not found.calibrated:
            assert all("sin corregir: lo que dice el juez" not in text for text in pages(found, "es").values())
    assert set(REASON_WORDS) - met == set()
