"""Rules of English that word lists cannot express: singular they, titles, age, origin, words that depend on context."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import regex

from judgekit.blinding.cues import Cue, Lexicon, occurrences, rule_words
from judgekit.blinding.fold import Span, View
from judgekit.blinding.names import PARTICLES
from judgekit.blinding.singular_they import find_they

__all__ = ["find_english"]

_T, _POSSESSIVES = 1.0, frozenset("my your his her their our whose".split())
_WORDS = rule_words("english")
_ADDRESS_BEFORE = _WORDS["address_before"]
_PREPOSITIONAL = _WORDS["prepositional"]
_BASE_VERBS = _WORDS["base_verbs"]
_NUMBER = (
    r"(?:\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?"
    r"|eighteen|nineteen|seventeen|sixteen|fifteen|fourteen|thirteen|twelve|eleven|ten)"
)
_SELF = r"(?:you(?:'re| are| were|'ll be| will be|'ve)|i(?:'m| am| was|'ll be)|s?he(?:'s| is| was)|they(?:'re| are| were)|who (?:is|are|was))"
_PERSON_NOUN = (
    r"(?:m[ao]n|wom[ae]n|lad(?:y|ies)|gentlem[ae]n|girls?|boys?|guys?|people|person|customers?|clients?|patients?|students?|"
    r"grand\w+|mothers?|fathers?|moms?|mums?|dads?|parents?|sons?|daughters?|child(?:ren)?|kids?|wi(?:fe|dow\w*)|husbands?|"
    r"pensioners?|retirees?|workers?|drivers?|travell?ers?|passengers?|guests?|members?|users?|tenants?|teachers?|nurses?|"
    r"engineers?|doctors?|actors?|actress\w*|artists?|singers?|aunts?|uncles?|nieces?|nephews?|sisters?|brothers?|twins?|adults?|"
    r"teenagers?|beginners?|applicants?|candidates?|employees?|players?|runners?|\w+(?:woman|man|person))"
)
_AGES = tuple(
    regex.compile(p)
    for p in (
        rf"\b(?P<age>{_NUMBER})[- ]years?[- ]old(?:[- ](?:\w+[- ]){{0,2}}{_PERSON_NOUN}\b|s\b)",
        rf"\b(?:the|a|an) (?P<age>{_NUMBER})[- ]years?[- ]old(?= +(?:who|from|with a|said|says|told|was|has|lives)\b)",
        rf"\b(?:my|your|his|her|our|their) (?P<age>{_NUMBER})[- ]years?[- ]old(?= *(?:[.,;!?)\n]|$|who\b|with\b|and\b|from\b|is\b|to\b|can\b|will\b))",
        rf"\b(?:customer|client|patient|guest|tenant|student|caller|passenger|daughter|son|wife|husband|mother|father|sister|brother|child|nephew|niece|grandson|granddaughter|partner|\x00|who) (?:is|was|turned|turns|,) (?:only |now |just )?(?P<age>{_NUMBER})(?= years? old|[.,;!?]|$| and )(?![.,:]\d)",
        r"\bat (?P<age>\d{1,2}),? (?:you(?:'re| are| may| can| might| could| have| qualify| get| still)?|s?he|i)\b",
        rf"\b(?P<age>{_NUMBER}) years? (?:young|of age)\b",
        rf"\b(?:{_SELF}|aged|turn(?:ed|ing|s)?|my age(?: is)?|your age(?: is)?|(?:his|her|their) age(?: is)?|age ?[:=]|age of)\s+(?:only |now |just |already |about |over |nearly |almost |currently )?(?P<age>{_NUMBER})(?!\d|[.:,]\d|%| ?(?:%|percent|minutes?|hours?|days?|weeks?|months?|points?|miles?|km|steps?|th\b|st\b|nd\b|rd\b|in line|away|of\b|short|over|under|behind|ahead|[a-z]*items?|units?|gb|mb|kg|lbs?|dollars|pounds|euros|people|pages?|percent|off\b|seconds?|orders?|lessons?|times))",
        r"\b(?:in|into|entering)\s+(?:your|my|his|her|their)\s+(?:early |mid[- ]?|late )?(?P<age>teens|twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties|\d0'?s)\b",
        rf"\b(?P<age>\d{{1,3}}(?:st|nd|rd|th)|{_NUMBER}(?:th|ieth)) birthday\b",
        r"\bborn (?:in|on) (?P<age>(?:\w+ )?(?:\d{1,2}(?:st|nd|rd|th)?,? )?(?:of )?(?:\w+ )?\d{4})\b",
        r"\b(?:date of birth|dob|birth ?date|birthday)\s*(?:is|:|=|-)?\s*(?P<age>\d{1,4}[-/. ]\d{1,2}[-/. ]\d{1,4}|\d{1,2}(?:st|nd|rd|th)? \w+,? \d{4}|\w+ \d{1,2},? \d{4})",
        rf"\b(?:at|since|from|by) (?:the )?age (?:of )?(?P<age>{_NUMBER})\b(?! ?(?:and|or) (?:over|above|older|under|up))",
    )
)
_ORIGIN = regex.compile(
    r"\b(?:(?:mov|emigrat|immigrat|relocat|migrat|arriv|hail|fl(?:ed|ee)|com|came|escap|originat|settl)\w*(?:\s+(?!from\b)\w+){0,3}\s+from|"
    r"(?:you(?:'re| are| were)|i(?:'m| am| was)|s?he(?:'s| is| was)|they(?:'re| are)|originally|native|all the way|who is|family is|family comes|family came|parents (?:are|came|come))(?:\s+(?:originally|all|actually|both|also|really))*\s+from|"
    r"(?:born|raised|grew up|growing up|grown up|bred|childhood|schooled|educated|roots|relatives|family back home|back home|family|parents|upbringing|hometown|home town|citizens?|citizenship|nationals?|natives?|passport)\s+(?:and raised\s+|and bred\s+)?(?:in|of|from)|"
    r"(?:country of (?:origin|birth)|nationality|place of birth|birthplace|home country|homeland)\s*(?:is|was|:|,|=)|"
    r"your native|back home to|homesick for|return(?:ing)? home to)\s+(?:the\s+)?(?P<place>)"
)


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
    spans: list[Span] = []
    for i, j, cue in occurrences(view, words):
        if cue.match in {"any", "neo"} or _RULES[cue.match](view, i, j, starts, words):
            if cue.match == "neo" and (not neo or view.before(i).endswith("'")):
                continue
            span = _cue_span(view, i, j, cue, starts)
            if span:
                spans.append(span)
    spans += _ages(view) + _origins(view) + _ages_after_names(view, named) + _stated_gender(view)
    spans += find_they(view, spans, named)
    return spans


def _cue_span(view: View, i: int, j: int, cue: Cue, starts: set[int]) -> Span | None:
    begin, end = view.source(view.starts[i], view.ends[j - 1])
    form, shown, rank = cue.form, cue.shown, (40 if cue.kind == "pronoun" else 52) + min(len(cue.words), 5)
    raw = view.text[begin:end]
    if cue.kind == "pronoun":
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
            + (" name" if end in starts or _next_start(view, j) in starts or cue.match == "title" else "")
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


def _next_start(view: View, j: int) -> int:
    return view.source(view.starts[j], view.ends[j])[0] if j < len(view.words) else -1


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


# --- rules by name: (view, first word, word after the last, starts of names, lexicon) -> bool ------------------------


def _capital(view: View, i: int, _j: int, _starts: set[int], _words: Lexicon) -> bool:
    return view.capital(i)


def _own(view: View, i: int, _j: int, _starts: set[int], _words: Lexicon) -> bool:
    return i > 0 and view.words[i - 1] in _POSSESSIVES and view.before(i).isspace()


def _noun(view: View, i: int, _j: int, _starts: set[int], _words: Lexicon) -> bool:
    return (
        i > 0
        and (view.words[i - 1] in _POSSESSIVES or view.words[i - 1] in {"the", "a", "an"})
        and view.before(i).isspace()
    )


def _address(view: View, i: int, j: int, _starts: set[int], _words: Lexicon) -> bool:
    before, after = view.before(i).strip(), view.after(j - 1)[:1]
    called = before.endswith(",") or (i > 0 and view.words[i - 1] in _ADDRESS_BEFORE)
    return (called or (i == 0 and after == ",")) and after in {"", ".", ",", "!", "?", ";", "\n", ":"}


def _lower(view: View, i: int, _j: int, _starts: set[int], _words: Lexicon) -> bool:
    return not view.capital(i) or view.opens_sentence(i)


def _person(view: View, i: int, j: int, starts: set[int], words: Lexicon) -> bool:
    return _lower(view, i, j, starts, words) and (
        _own(view, i, j, starts, words)
        or _address(view, i, j, starts, words)
        or (i > 0 and view.words[i - 1] in {"as", "former", "proud", "real", "true"})
    )


_ROLE = regex.compile(
    r"\b(?:as|is|was|are|be|been|being|re|am|m|s|became|become|called|named|such) (?:an?|the|my|our|your|his|her) (?:\w+ ){0,2}$"
)


def _role(view: View, i: int, j: int, _starts: set[int], _words: Lexicon) -> bool:
    """As in "She is a wonderful host.": a role that somebody has, not a thing of that name."""
    after = view.after(j - 1)
    follows = view.words[j] if j < len(view.words) else ""
    if after[:1].isspace() and follows and follows not in _AFTER_ROLE:
        return False
    return bool(_ROLE.search(" ".join(view.words[max(0, i - 5) : i]) + " ", timeout=_T)) and not view.capital(i)


_AFTER_ROLE = _WORDS["after_role"]
_STRONG = _WORDS["strong"]


def _title(view: View, i: int, j: int, starts: set[int], words: Lexicon) -> bool:
    word, after = view.words[i], view.after(j - 1)
    if after in {" ", ". "} and _next_start(view, j) in starts:
        return view.capital(i) or word in _STRONG
    while (
        j + 1 < len(view.words)
        and view.words[j] in PARTICLES
        and not view.capital(j)
        and view.after(j) in {" ", "-", "'"}
    ):
        j += 1
        after = " "
    if j >= len(view.words) or after not in {" ", ". ", ".", "  ", "\n", ".  "}:
        if word in {"mr", "mrs", "mx"} or (
            word in {"ms", "miss"} and view.capital(i) and view.before(i).strip()[-1:] in {":", '"', "(", "/"}
        ):
            return True
        return word == "miss" and (
            view.before(i).strip().endswith(",")
            or (i > 0 and view.words[i - 1] in {"thanks", "yes", "no", "hello", "hi", "sorry"})
        )
    if _next_start(view, j) in starts:
        return view.capital(i) or word in _STRONG
    if not view.capital(j) or (word == "ms" and not view.capital(i)):
        return word in {"mr", "mrs"}
    if word in _STRONG:
        return view.capital(i) and not (
            word in {"miss", "ms"} and view.opens_sentence(i) and view.words[j] in words.sets.get("places", frozenset())
        )
    return (
        view.capital(i)
        and len(view.words[j]) > 1
        and view.words[j] not in words.sets.get("vocabulary", frozenset())
        and word not in {"don", "master", "count"}
    )


def _self(view: View, i: int, j: int, _starts: set[int], words: Lexicon) -> bool:
    """Words that tell origin or age only when said of a person."""
    before = view.words[max(0, i - 4) : i]
    following = view.words[j] if j < len(view.words) and view.after(j - 1) in {" ", "-"} else ""
    if following in words.sets.get("of a person", frozenset()):
        return True
    second = view.words[j + 1] if j + 1 < len(view.words) and view.after(j) == " " else ""
    if before[-1:] and before[-1] in _POSSESSIVES and second in words.sets.get("of a person", frozenset()):
        return True
    if following and following not in words.sets.get("ends of a phrase", frozenset()):
        return False
    tail = " ".join(before)
    return bool(_SELF_TAIL.search(tail))


_SELF_TAIL = regex.compile(
    r"(?:\b(?:as|being) (?:an? )?(?:\w+ )?|\b(?:you|i|he|she|they) (?:re|are|m|am|s|is|was|were) (?:an? |both |also |originally |half |part |proud(?:ly)? |actually )*|"
    r"\bfellow |\bborn |\bnationality (?:is )?|\bidentify as (?:an? )?|\bspeak(?:s|ing)? (?:fluent )?|\bnative (?:language is )?|\bwho (?:is|are) (?:an? )?)$"
)


def _observed(view: View, i: int, j: int, _starts: set[int], _words: Lexicon) -> bool:
    near = view.words[max(0, i - 4) : i] + view.words[j : j + 3]
    return bool(_OBSERVING.intersection(near))


_OBSERVING = _WORDS["observing"]

_RULES = {
    "capital": _capital,
    "own": _own,
    "noun": _noun,
    "role": _role,
    "address": _address,
    "lower": _lower,
    "person": _person,
    "title": _title,
    "self": _self,
    "observed": _observed,
}


def _has_neopronouns(view: View) -> bool:
    return bool(_NEO_SURE.intersection(view.words)) or sum(w in _NEO_MAYBE for w in view.words) >= 3


_NEO_SURE = _WORDS["neo_sure"]
_NEO_MAYBE = _WORDS["neo_maybe"]


# --- age and origin ------------------------------------------------------------------------------------------------


def _ages(view: View) -> list[Span]:
    spans = []
    if (
        any(c.isdigit() for c in view.folded)
        or "year" in view.folded
        or "ties" in view.folded
        or "teens" in view.folded
        or "birthday" in view.folded
        or "aged" in view.folded
    ):
        for pattern in _AGES:
            for found in pattern.finditer(view.folded, timeout=_T):
                begin, end = view.source(*found.span("age"))
                spans.append(Span(begin, end, "age", "[AGE]", "", None, False, 46))
    return spans


_AFTER_NAME = regex.compile(r"(?:, (?:aged? )?| \()(?P<age>\d{1,2})(?=[,)])")


def _ages_after_names(view: View, named: Sequence[Span]) -> list[Span]:
    """As in "Ana Gil, 29, won": an age in apposition."""
    found = [_AFTER_NAME.match(view.text, s.end, timeout=_T) for s in named if s.kind == "name"]
    return [Span(m.start("age"), m.end("age"), "age", "[AGE]", "", None, False, 46) for m in found if m]


_STATED = regex.compile(r"\b(?:gender|sex)\s*[:=]\s*(?P<value>f|m|nb|x|female|male|woman|man|non-?binary)\b")


def _stated_gender(view: View) -> list[Span]:
    found = _STATED.finditer(view.folded, timeout=_T)
    return [Span(*view.source(*m.span("value")), "gendered", "[GENDERED]", "", None, False, 58) for m in found]


def _origins(view: View) -> list[Span]:
    spans = []
    for found in _ORIGIN.finditer(view.folded, timeout=_T):
        at = found.end()
        first = _word_at(view, at)
        if first is None or view.starts[first] != at or not view.capital(first) or view.raw(first)[0].isdigit():
            continue
        last = first
        while (
            last + 1 < len(view.words)
            and view.between(last, last + 1) in {" ", "-"}
            and (
                view.capital(last + 1)
                or (
                    view.words[last + 1] in {"and", "of", "the"}
                    and last + 2 < len(view.words)
                    and view.words[last + 1] != "and"
                    and view.capital(last + 2)
                )
            )
        ):
            last += 1
        if view.words[first] in {
            "monday",
            "tuesday",
            "wednesday",
            "thursday",
            "friday",
            "saturday",
            "sunday",
            "january",
            "february",
            "march",
            "april",
            "may",
            "june",
            "july",
            "august",
            "september",
            "october",
            "november",
            "december",
            "i",
            "us",
        }:
            continue
        begin, end = view.source(view.starts[first], view.ends[last])
        spans.append(Span(begin, end, "origin", "[PLACE]", "", None, False, 44))
    return spans


def _word_at(view: View, position: int) -> int | None:
    """The first word that starts at or after a position of the folded text."""
    at = bisect_left(view.starts, position)
    return at if at < len(view.starts) else None
