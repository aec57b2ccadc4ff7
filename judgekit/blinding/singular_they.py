"""Singular they: masked where it stands for one person, left where it stands for boxes or people in general."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import regex

from judgekit.blinding.cues import load_words, rule_words
from judgekit.blinding.fold import Span, View, patience

__all__ = ["find_they"]

_T = 1.0
_WORDS = rule_words("english")
_THEY = {
    "they": "subject",
    "them": "object",
    "their": "possessive",
    "theirs": "absolute",
    "themself": "reflexive",
    "themselves": "reflexive",
}
_TIME_NOUNS = _WORDS["time_nouns"]
_PLURALS = _WORDS["plurals"]
_PERSON_VERBS = _WORDS["person_verbs"]
_MANY = regex.compile(
    r"\b(?:everyone|everybody|anyone|someone|somebody|nobody|each|whoever|people|customers|we|our team)\b"
)
_ADVERBS = _WORDS["adverbs"]
_AGREE = {
    "are": "is",
    "were": "was",
    "have": "has",
    "do": "does",
    "aren": "isn",
    "weren": "wasn",
    "haven": "hasn",
    "don": "doesn",
    "go": "goes",
    "watch": "watches",
    "miss": "misses",
    "wish": "wishes",
    "teach": "teaches",
    "push": "pushes",
    "study": "studies",
    "worry": "worries",
    "try": "tries",
    "carry": "carries",
    "apply": "applies",
    "reply": "replies",
    "rely": "relies",
    "fly": "flies",
}
_BASE_VERBS = _WORDS["base_verbs"]


_QUANTITIES = _WORDS["quantities"]
_OF_PLURALS = _WORDS["said_of_several"]


def _of_several(view: View, i: int) -> bool:
    """Whether one they-form can only mean several: all of them, they look alike, they differ in price."""
    if i > 1 and view.words[i] == "them" and view.words[i - 1] == "of" and view.words[i - 2] in _QUANTITIES:
        return True
    if view.words[i] != "they":
        return False
    near = view.words[i + 1 : i + 5]
    ends = next((n for n in range(len(near)) if any(c in view.after(i + n) for c in ".,;:!?\n")), len(near))
    near = near[:ends]
    if near[:1] and near[0] in _OF_PLURALS:
        return near[1:2] != ("with",)
    return (
        bool({"alike", "identical"}.intersection(near))
        or near[-2:] == ("each", "other")
        or near[-2:] == ("the", "same")
    )


def _case(raw: str) -> str:
    if len(raw) > 1 and raw.isupper():
        return ".upper"
    return ".capital" if raw[:1].isupper() else ""


def find_they(view: View, cues: Sequence[Span], named: Sequence[Span]) -> list[Span]:
    """Mask they, them, their where they stand for one person."""
    at = [i for i, w in enumerate(view.words) if w in _THEY and not _of_several(view, i)]
    if not at:
        return []
    stated = [
        Span(*view.source(*found.span()), "pronoun", "[PRONOUN]", "they slash", None, False, 41)
        for found in _STATED.finditer(view.folded, timeout=patience(view.folded))
    ]
    return stated + _said_of_one(view, cues, named, at)


_STATED = regex.compile(r"\b(?:they|them|theirs?|themsel(?:f|ves))(?: ?/ ?(?:they|them|theirs?|themsel(?:f|ves)))+\b")


def _said_of_one(view: View, cues: Sequence[Span], named: Sequence[Span], at: Sequence[int]) -> list[Span]:
    if any(
        s.kind == "pronoun" and not s.form.startswith("slash") and view.text[s.start : s.end].lower() != "themself"
        for s in cues
    ):
        return []
    people = sorted((s.start, s.end) for s in named if s.kind == "name")
    first = at[0]
    if not _singular(view, first, people, at) and "themself" not in view.words:
        return []
    spans: list[Span] = []
    for i in at:
        begin, end = view.source(view.starts[i], view.ends[i])
        form, shown = _THEY[view.words[i]], "[PRONOUN]"
        raw = view.raw(i)
        after = view.after(i)
        if after.startswith("'") and i + 1 < len(view.words) and view.words[i + 1] in {"re", "ve"}:
            end = view.source(view.starts[i + 1], view.ends[i + 1])[1]
            mark = view.text[view.source(view.ends[i], view.ends[i] + 1)[0]]
            form, shown = "subject+" + view.words[i + 1], f"[PRONOUN]{mark}s"
        if i and view.words[i - 1] in _THEY and view.before(i) == "/":
            continue
        last = i
        while last + 1 < len(view.words) and view.words[last + 1] in _THEY and view.after(last) == "/":
            last += 1
        if last > i:
            end, form = view.source(view.starts[last], view.ends[last])[1], "slash"
        spans.append(Span(begin, end, "pronoun", shown, "they " + form + _case(raw), None, False, 40))
        if form == "subject":
            spans += _agreement(view, i)
    return spans


def _agreement(view: View, i: int) -> list[Span]:
    first = _verb_after(view, i)
    return first + _second_verb(view, i) if first else first


def _second_verb(view: View, i: int) -> list[Span]:
    """They are abroad and have no card: a verb coordinated with the first."""
    for k in range(i + 2, min(i + 9, len(view.words) - 1)):
        if view.before(k) not in {" ", ", "} or view.words[k] in _THEY:
            return []
        if view.words[k] in {"and", "but"} and view.after(k) == " ":
            word = view.words[k + 1]
            shown = _AGREE.get(word) or (word + "s" if word in _BASE_VERBS and word not in _ALSO_NOUNS else None)
            begin, end = view.source(view.starts[k + 1], view.ends[k + 1])
            if shown is None or view.text[begin:end] != word:
                return []
            return [Span(begin, end, "agreement", shown, "verb", None, False, 39)]
    return []


_ALSO_NOUNS = _WORDS["verbs_that_are_nouns"]


def _verb_after(view: View, i: int) -> list[Span]:
    k = i + 1
    while k < len(view.words) and view.words[k] in _ADVERBS and k < i + 3:
        k += 1
    if k >= len(view.words) or not view.before(k).isspace():
        return []
    word = view.words[k]
    shown = _AGREE.get(word) or (word + "s" if word in _BASE_VERBS or (k == i + 1 and _bare(word)) else None)
    if shown is None:
        return []
    begin, end = view.source(view.starts[k], view.ends[k])
    if view.text[begin:end] != word:
        return []
    return [Span(begin, end, "agreement", shown, "verb", None, False, 39)]


def _bare(word: str) -> bool:
    """Whether a word right behind "they" can only be a verb in the present: "they sit", "they cough"."""
    return (
        len(word) > 2
        and word in load_words("en")
        and (not word.endswith(("ed", "s", "ing", "ly", "y", "ch", "sh", "x", "o")) or word in _ENDING_IN_ING)
        and word not in _PAST_OR_MODAL
    )


_ENDING_IN_ING = frozenset(("ring", "bring", "sing", "swing", "cling", "fling", "string", "need", "feed", "speed"))
_PAST_OR_MODAL = _WORDS["past_or_modal"]


def _plural(word: str) -> bool:
    return (
        len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "'s")) and word not in _TIME_NOUNS
    ) or word in _PLURALS


_DRAFTS = _WORDS["drafts"]


def _draft(view: View, i: int) -> int:
    """The first word of a draft that the text hands over ("Here's your paragraph, tightened: ..."); 0 where there is none."""
    for k in range(min(i, 16), 1, -1):
        if view.before(k).strip()[:1] == ":" and _DRAFTS.intersection(view.words[:k]):
            return k
    return 0


def _reported(view: View, i: int, people: Sequence[tuple[int, int]]) -> bool:
    """Ana rang to say they're late; Ana wrote that they need it: said by whoever is named before the verb."""
    if not i or view.before(i) != " " or view.words[i - 1] not in _SAYING:
        return False
    begin = view.source(view.starts[i], view.ends[i])[0]
    named = [at for _, at in people if at < begin]
    if not named or begin - named[-1] > 60:
        return False
    between = [k for k in range(max(0, i - 10), i) if view.source(view.starts[k], view.ends[k])[0] >= named[-1]]
    return bool(between) and not any(_plural(view.words[k]) or c in view.before(k) for k in between[1:] for c in ".!?;")


_SAYING = frozenset("say says saying said that know if whether".split())


def _singular(view: View, i: int, people: Sequence[tuple[int, int]], at: Sequence[int]) -> bool:
    """Whether the first they-form of a text stands for a person who was named, or for nobody else in sight."""
    start = view.starts[i]
    first = _draft(view, i)
    sentence = max(view.folded.rfind(mark, 0, start) for mark in (". ", "! ", "? ", "\n"))
    sentence = max(sentence, view.starts[first] - 1) if first else sentence
    inside = {at for s, e in people for at in range(s, e)}
    own = [
        k for k in range(i) if view.starts[k] > sentence and view.source(view.starts[k], view.ends[k])[0] not in inside
    ]
    source = view.source(start, view.ends[i])[0]
    before = [p for p in people if p[0] < source]
    several = any(_several(view, k) and not _possessed(view, k) and not _verb(view, k, inside) for k in own)
    if several and not (before and (_wills(view, i) or _reported(view, i, people))):
        return False
    many = _MANY.search(view.folded, max(0, sentence), start, timeout=_T)
    if many and not (view.words[i] == "them" and i > 1 and view.starts[i - 2] == many.start()):  # nobody believed them
        return False
    plurals = [k for k in range(first, i) if _several(view, k) and not _verb(view, k, inside)]
    if (
        before
        and all(_called(view, p) for p in before)
        and (plurals or _SECOND.search(view.folded, timeout=patience(view.folded)))
    ):
        return False
    if _of_an_office(view, i, people):
        return False
    if before:
        earlier = [
            k
            for k in range(i)
            if view.starts[k] <= sentence and view.source(view.starts[k], view.ends[k])[0] > before[-1][0]
        ]
        return not any(_plural(view.words[k]) and k and view.words[k - 1] in _COUNTED for k in earlier)
    if plurals:
        return False
    until = next((k for k in range(i, len(view.words)) if _several(view, k)), len(view.words))
    return _nobody_yet(view, i, people) or any(_human_doing(view, k) for k in at if k < until)


def _several(view: View, k: int) -> bool:
    """A plural that could be meant by they; not the first part of another word, as in heads-up."""
    return _plural(view.words[k]) and view.after(k) != "-"


def _human_doing(view: View, i: int) -> bool:
    """Whether only a person can be meant: them whom somebody praised, they who slept, their patience."""
    if view.words[i] == "them":
        return i > 0 and view.words[i - 1] in _PERSON_VERBS | _DONE_TO_PEOPLE
    if view.words[i] == "their":
        return view.words[i + 1 : i + 2] != () and view.words[i + 1] in _PERSONAL
    return view.words[i] == "they" and view.words[i + 1 : i + 2] != () and view.words[i + 1] in _DONE_BY_PEOPLE


_DONE_TO_PEOPLE = _WORDS["done_to_people"]
_DONE_BY_PEOPLE = _WORDS["verbs_of_will"] | _WORDS["done_by_people"]


_COUNTED = frozenset("the these those some your all our both two three several many".split())


def _nobody_yet(view: View, i: int, people: Sequence[tuple[int, int]]) -> bool:
    """Whether the first they-form, with nobody named before, stands for somebody named later or for no one but a person."""
    if any(view.words[k] in _ONE and k and view.words[k - 1] in {"the", "this", "our", "your", "my"} for k in range(i)):
        return True
    # Their cough, their left knee: what only a person has.
    near = view.words[i + 1 : i + 3] if view.words[i] == "their" and view.after(i) == " " else ()
    if near and (near[0] in _PERSONAL or (len(near) > 1 and near[1] in _PERSONAL and view.after(i + 1) == " ")):
        return True
    if _wills(view, i) or (i and view.words[i - 1] in _PERSON_VERBS):
        return bool(people) or (i > 0 and view.words[i - 1] in _PERSON_VERBS)
    later = [p for p in people if not _called(view, p)]
    return bool(later) and not any(view.words[k] in _OFFICES or view.words[k] in _GROUPS_OF for k in range(i))


_GROUPS_OF = frozenset(
    "crew police government press management family couple pair audience class firm jury band council".split()
)
_WILLING = _WORDS["verbs_of_will"]


def _wills(view: View, i: int) -> bool:
    """They want, they asked: what only people do."""
    return view.words[i] == "they" and view.words[i + 1 : i + 2] != () and view.words[i + 1] in _WILLING


_PERSONAL = _WORDS["personal_nouns"]


def _of_an_office(view: View, i: int, people: Sequence[tuple[int, int]]) -> bool:
    """As in "The bank has Ana Gil on file; they will correct it": an institution is the subject, and no person."""
    offices = [
        k for k in range(1, i) if view.words[k] in _OFFICES and view.words[k - 1] in {"the", "our", "your", "a", "this"}
    ]
    if not any(view.opens_sentence(k - 1) or view.words[k - 2] in _ASKED for k in offices if k):
        return False
    at = {view.source(s, s + 1)[0]: k for k, s in enumerate(view.starts[:i])}
    subjects = [k for start, _ in people if (k := at.get(start)) is not None and view.opens_sentence(k)]
    return not any(view.after(k) == " " for k in subjects)


_OFFICES = _WORDS["offices"]
_ASKED = frozenset(
    ("contact", "ask", "call", "with", "to", "tell", "email", "phone", "visit", "and", "while", "so", "because")
)


def _verb(view: View, k: int, named: AbstractSet[int] = frozenset()) -> bool:
    """As in "the customer wants", "Ren comes": a verb, not a plural."""
    if not k or view.before(k) != " ":
        return False
    if view.words[k - 1] in _PRONOUNS:
        return True
    return (view.words[k - 1] in _ONE and view.words[k][:-1] in _BASE_VERBS) or view.source(
        view.starts[k - 1], view.ends[k - 1]
    )[0] in named


_PRONOUNS = frozenset("it he she this that which who what nobody somebody everything something nothing".split())
_ONE = _WORDS["one"]


_SECOND = regex.compile(r"\b(?:you|your)\b")


def _called(view: View, span: tuple[int, int]) -> bool:
    """Whether a name is only called out, so that the sentence speaks to its bearer and not of them."""
    places = [view.source(s, e) for s, e in zip(view.starts, view.ends, strict=True)]
    inside = [k for k, (s, e) in enumerate(places) if s >= span[0] and e <= span[1]]
    if not inside:
        return False
    i, last = inside[0], inside[-1]
    gap, before = view.after(last), view.before(i).strip()
    greeted = i > 0 and view.words[i - 1] in {"hi", "hello", "hey", "dear", "thanks", "morning", "afternoon", "evening"}
    apart = gap.lstrip()[:1] in {",", "!", "."} or last == len(view.words) - 1
    return (apart and (before.endswith((",", ".", "!")) or i == 0)) or greeted


def _possessed(view: View, k: int) -> bool:
    """As in "for eight years", "on two counts": a plural that nobody would call they."""
    return k > 0 and (view.words[k - 1].isdigit() or view.words[k] in _TIME_NOUNS)
