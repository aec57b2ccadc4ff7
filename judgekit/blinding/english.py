"""What tells the group in an English text: pronouns, titles, gendered nouns, age, origin, religion."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from judgekit.blinding.ages import find_ages
from judgekit.blinding.cues import Cue, Lexicon, occurrences, rule_words
from judgekit.blinding.english_context import RULES, next_start
from judgekit.blinding.english_nouns import find_compounds, said_of_a_thing
from judgekit.blinding.fold import Span, View, patience
from judgekit.blinding.mentions import mentioned
from judgekit.blinding.origins import find_origins
from judgekit.blinding.singular_they import find_they

__all__ = ["find_english"]

_T = 1.0
_WORDS = rule_words("english")
_BASE_VERBS = _WORDS["base_verbs"]


def find_english(view: View, words: Lexicon, named: Sequence[Span]) -> list[Span]:
    """Find pronouns, titles, gendered nouns, age, origin and religion in an English text.

    Parameters
    ----------
    view : View
        The folded text.
    words : Lexicon
        The English cues.
    named : sequence of Span
        Names already found: they decide what a title or a "they" belongs to.

    Returns
    -------
    list of Span
        Possibly overlapping.

    Examples
    --------
    >>> from judgekit.blinding.cues import lexicon
    >>> from judgekit.blinding.fold import fold
    >>> view = fold("Dear Mr. Lee, your wife says she's 38 years old.")
    >>> [(view.text[s.start:s.end], s.shown) for s in find_english(view, lexicon("en"), [])]
    [('Mr.', '[TITLE]'), ('wife', '[SPOUSE]'), ("she's", "[PRONOUN]'s"), ('38', '[AGE]')]
    """
    starts = {s.start for s in named if s.kind == "name"}
    neo = _has_neopronouns(view)
    quoted = mentioned(view)
    spans: list[Span] = []
    for i, j, cue in occurrences(view, words):
        if i in quoted and cue.kind in {"pronoun", "gendered"}:
            continue
        if cue.match in {"any", "neo"} or RULES[cue.match](view, i, j, starts, words):
            if cue.match == "neo" and (not neo or view.before(i).endswith("'")):
                continue
            if cue.kind == "gendered" and said_of_a_thing(view, i, j, person=bool(starts)):
                continue
            span = _cue_span(view, i, j, cue, starts)
            if span:
                spans.append(span)
    spans += find_compounds(view, words) + _stated_gender(view, named) + _bare_contractions(view)
    spans += find_ages(view, "en", [*named, *spans])
    spans += find_origins(view, "en", named, spans)
    spans += find_they(view, spans, named)
    return spans


def _cue_span(view: View, i: int, j: int, cue: Cue, starts: set[int]) -> Span | None:
    begin, end = view.source(view.starts[i], view.ends[j - 1])
    form, shown, rank = cue.form, cue.shown, (40 if cue.kind == "pronoun" else 52) + min(len(cue.words), 5)
    raw = view.text[begin:end]
    if cue.kind == "pronoun":
        if view.after(j - 1) == "_" or view.before(i) == "_":  # her_init: a name in a program
            return None
        if cue.words[0] in {"s", "he"} and raw == "HE" and not _shouting(view, i):
            return None
        form = _pronoun_form(view, i, cue)
        if form in {"subject+s", "subject+re", "subject+ve"}:
            mark = view.text[view.source(view.ends[i], view.ends[i] + 1)[0]]
            end, shown = view.source(view.starts[i + 1], view.ends[i + 1])[1], f"[PRONOUN]{mark}s"
        slash = _slash(view, i)
        if _either(view, i, _PARTNERS):
            form = "slash"
        if slash:
            begin, end = slash
            form, rank = "slash", 45
    elif cue.kind == "title":
        form = (
            "either"
            if _either(view, i, frozenset(("sir", "madam")))
            else cue.words[0]
            + (" name" if end in starts or next_start(view, j) in starts or cue.match == "title" else "")
        )
        spaced = view.text[end + 1 : end + 2].strip() != view.text[end + 1 : end + 2]
        if cue.match == "title" and spaced and view.text[end : end + 1] == ".":
            end += 1
    return Span(begin, end, cue.kind, shown, form + _case(raw), None, False, rank)


def _case(raw: str) -> str:
    if len(raw) > 1 and raw.isupper():
        return ".upper"
    return ".capital" if raw[:1].isupper() else ""


def _shouting(view: View, i: int) -> bool:
    near = [view.raw(k) for k in range(max(0, i - 2), min(len(view.words), i + 3)) if k != i]
    return sum(len(w) > 1 and w.isupper() for w in near) >= 2


_PARTNERS = _WORDS["partners"]


def _either(view: View, i: int, partners: frozenset[str]) -> bool:
    """He or she, Sir or Madam: both are meant, nobody in particular."""
    after = view.words[i + 1 : i + 3]
    before = view.words[max(0, i - 2) : i]
    return (len(after) == 2 and after[0] == "or" and after[1] in partners) or (
        len(before) == 2 and before[1] == "or" and before[0] in partners
    )


def _slash(view: View, i: int) -> tuple[int, int] | None:
    """he/she, s/he, (s)he, her/his: one placeholder over both."""
    word = view.words[i]
    partners = _PARTNERS
    if (
        word in partners
        and i + 1 < len(view.words)
        and view.words[i + 1] in partners
        and view.between(i, i + 1).strip() in {"/", "/ "}
    ):
        j = i + 1
        while j + 1 < len(view.words) and view.words[j + 1] in partners and view.between(j, j + 1).strip() == "/":
            j += 1
        return view.source(view.starts[i], view.ends[j])
    if word == "he" and i and view.words[i - 1] == "s" and view.between(i - 1, i) in {"/", ")"}:
        start, end = view.starts[i - 1], view.ends[i]
        if view.between(i - 1, i) == ")" and view.folded[start - 1 : start] == "(":
            start -= 1
        return view.source(start, end)
    return None


def _pronoun_form(view: View, i: int, cue: Cue) -> str:
    after = view.after(i)
    if cue.form == "subject" and after.startswith("'") and i + 1 < len(view.words):
        return "subject+" + view.words[i + 1]
    following = view.words[i + 1] if i + 1 < len(view.words) else ""
    adjacent = after in {" ", "  ", "\n", "-"}
    causes = i > 0 and view.words[i - 1] in {
        "let",
        "lets",
        "make",
        "makes",
        "made",
        "help",
        "helps",
        "helped",
        "see",
        "saw",
        "watch",
        "hear",
        "heard",
    }
    if (
        cue.form == "object-or-possessive"
        and causes
        and (following in _BASE_VERBS or following in {"do", "be", "have", "go", "try"})
    ):
        return "object"
    if cue.form == "object-or-possessive":
        return "possessive" if adjacent and following and following not in _NOT_OWNED else "object"
    if cue.words[0] == "his":
        return "possessive" if adjacent and following and following not in _NOT_OWNED else "absolute"
    return cue.form


_NOT_OWNED = _WORDS["not_owned"]


def _has_neopronouns(view: View) -> bool:
    return not _NEO_SURE.isdisjoint(view.words) or sum(map(_NEO_MAYBE.__contains__, view.words)) >= 3


_NEO_SURE = _WORDS["neo_sure"]
_NEO_MAYBE = _WORDS["neo_maybe"]


_STATED = regex.compile(
    r"\b(?:gender|sex)[\"']?\s*(?:[:=]|\bis\b)\s*[\"']?(?P<value>f|m|nb|x|female|male|woman|man|girl|boy|non-?binary)\b"
)
# (28F), (f, 34), M/45: sex beside age.
_WITH_AGE = regex.compile(
    r"\(\d{2} ?[/,]? ?(?P<value>[mf])\)|\((?P<value>[mf]) ?[/,]? ?\d{2}\)|\b(?P<value>[mf])/\d{2}\b(?!/)|(?<!/)\b\d{2}/(?P<value>[mf])\b"
)
_BEHIND_NAME = regex.compile(r"(?:, ?| \()(?P<value>[mf])(?=[,)])")


def _bare_contractions(view: View) -> list[Span]:
    """Shes late, hes here: contractions without their apostrophe."""
    return [
        Span(
            *view.source(view.starts[i], view.ends[i] - 1),
            "pronoun",
            "[PRONOUN]",
            "subject" + _case(view.raw(i)),
            None,
            False,
            41,
        )
        for i, word in enumerate(view.words)
        if word in {"shes", "hes"} and not view.raw(i).isupper() and view.after(i) == " "
    ]


def _stated_gender(view: View, named: Sequence[Span]) -> list[Span]:
    text = view.folded
    found = list(_STATED.finditer(text, timeout=patience(text))) if "gender" in text or "sex" in text else []
    if "(" in text or "/" in text:
        found += _WITH_AGE.finditer(text, timeout=patience(text))
    ends = {s.end for s in named if s.kind == "name"}
    if ends and ("f" in view.words or "m" in view.words):
        at = [end for s, end in zip(view.starts, view.ends, strict=True) if view.source(s, end)[1] in ends]
        found += [m for m in (_BEHIND_NAME.match(view.folded, end, timeout=_T) for end in at) if m]
    return [Span(*view.source(*m.span("value")), "gendered", "[GENDERED]", "", None, False, 58) for m in found]
