"""The report as one HTML page that needs nothing else: no network, no script, no file beside it.

The same findings give the same bytes. Foreign text is made printable and escaped; judged numbers come from `Findings`,
where they stand only as calibrated.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from itertools import count
from typing import TYPE_CHECKING, Any

from judgekit.findings import Findings, Quote
from judgekit.page import sentences, tables, worth
from judgekit.page.figures import gap_figures, name_figures, template_figures
from judgekit.printable import printable
from judgekit.reporting.controls import measured_lines
from judgekit.reporting.injection import injection_lines
from judgekit.reporting.pair_swap import pair_swap_lines
from judgekit.reporting.words import contrast_words, quoted, reason_words, shown
from judgekit.wording.languages import LanguageCode, speaking_in
from judgekit.wording.sentence import Language, day, say, told

if TYPE_CHECKING:
    from jinja2 import Template

__all__ = ["render_html"]

_MOST_LINES = 60


def render_html(findings: Findings, language: LanguageCode | Language | None = None) -> str:
    """Write the page.

    Parameters
    ----------
    findings : Findings
        What a run found.
    language : str or Language, optional
        Of the page; by default the study's ``report.language``.

    Returns
    -------
    str
        HTML. A refused metric appears with its reasons and without its numbers, in plots and alternative texts too.
    """
    with speaking_in(language or findings.study["report"]["language"]) as spoken:
        return _page(findings, spoken.code)


def _page(findings: Findings, code: str) -> str:
    numbers = count(1)
    return _template().render(
        lang=code,
        f=findings,
        css=_read("report.css"),
        question=sentences.question(findings),
        answer=sentences.answer(findings),
        headlines=sentences.headlines(findings),
        scope=sentences.scope(findings),
        method=sentences.method(findings),
        decisions=sentences.decisions(findings)[:_MOST_LINES],
        limits=sentences.limits(findings)[:_MOST_LINES],
        refused=_refused(findings),
        steps=[shown(step) for step in findings.next_steps[:_MOST_LINES]],
        more_steps=max(0, len(findings.next_steps) - _MOST_LINES),
        quotes=[_quote(q) for q in findings.quotes],
        r=_results(findings),
        j=_judge(findings),
        mark={"pass": "✓", "fail": "✕", "refused": "⊘"}.get(findings.gate, "?"),
        next_id=lambda: f"t{next(numbers)}",
    )


def _results(f: Findings) -> dict[str, Any]:
    """Figures and tables of the results."""
    gaps, more_gaps = gap_figures(f)
    templates, more_templates = template_figures(f.gaps)
    # Where the names are those of customers, a page that is passed around does not list them.
    listed = f.study["data"]["design"] == "counterfactual" or f.study["privacy"]["people"] == "invented"
    names, more_names = name_figures(f.gaps) if listed else ([], 0)
    return {
        "gaps": gaps,
        "templates": templates,
        "names": names,
        "left_out": more_gaps + more_templates + more_names,
        "names_kept_back": not listed and any(g.per_name for g in f.gaps),
        "result_tables": [
            *tables.gap_table(f),
            *tables.people_table(f),
            *tables.mean_table(f),
            *tables.failure_table(f),
        ],
        "gap_notes": [
            *measured_lines(f.gaps, f.study["measured"]),
            *(
                f"{printable(g.metric)}, {contrast_words(g.contrast)}: {shown(note)}"
                for g in f.gaps
                if g.main is not None
                for note in g.main.notes
            ),
        ][:_MOST_LINES],
    }


def _judge(f: Findings) -> dict[str, Any]:
    """Figures and tables of what the judge is worth."""
    kappas, more_kappas = worth.kappa_figures(f)
    swaps, more_swaps = worth.swap_figures(f.swap)
    full, distances = tables.confusions(f)
    return {
        "funnel": [worth.funnel_figure(f)],
        "count_tables": tables.count_tables(f),
        "kappas": kappas,
        "agreement_tables": [*tables.agreement_table(f), *distances],
        "confusions": full,
        "swaps": swaps,
        "swap_tables": tables.swap_table(f.swap),
        "hostile": injection_lines(f.injection),
        "hostile_tables": tables.injection_table(f),
        "pairs": pair_swap_lines(f.pair_swap),
        "judge_left_out": more_kappas + more_swaps,
    }


def _refused(f: Findings) -> list[tuple[str, list[str]]]:
    """Every refusal with its reasons and what would change it."""
    return [
        (f"{printable(r.dimension)}, {contrast_words(r.contrast)}", [reason_words(x) for x in r.reasons])
        for r in f.refused[:_MOST_LINES]
    ]


def _quote(q: Quote) -> dict[str, Any]:
    return {
        "unit": printable(q.unit_id),
        "how": say("blinded") if q.blinded else say("the people are invented"),
        "sides": [(printable(q.group_a), quoted(q.text_a)), (printable(q.group_b), quoted(q.text_b))],
    }


def _read(name: str) -> str:
    return files("judgekit.data").joinpath("page", name).read_text(encoding="utf-8")


def _inert(value: object) -> object:
    """What every expression of the template passes through: no invisible or lone character reaches the page."""
    # Markup of our own has `__html__`; sentences are texts like any other.
    return printable(value, keep="\n") if isinstance(value, str) and not hasattr(value, "__html__") else value


@cache
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined

    room = Environment(
        autoescape=True, undefined=StrictUndefined, finalize=_inert, trim_blocks=True, lstrip_blocks=True
    )
    # As calls, never as filters: a filter on a constant is worked out once, in the language of that moment.
    room.globals.update(say=say, told=told, day=day)
    return room.from_string(_read("report.html.j2"))
