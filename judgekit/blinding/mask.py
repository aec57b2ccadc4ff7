"""Replace every cue of a person by a typed placeholder, so that nobody can tell who was meant.

The reply and what it answers are masked together: one person has one number over both. What stood in each place is
kept in the slots, from which ``fill`` puts an identity back.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Literal

import regex

from judgekit.blinding.candidates import thing_follows
from judgekit.blinding.contact import find_contacts
from judgekit.blinding.cues import Lexicon, Things, guarded_words, lexicon, load_nicknames, load_things, load_wide_words
from judgekit.blinding.english import find_english
from judgekit.blinding.fold import Span, View, fold, patience, settle
from judgekit.blinding.initials import with_suffixes
from judgekit.blinding.joined import with_neighbours
from judgekit.blinding.language import SUPPORTED, language_of
from judgekit.blinding.names import KNOWN, PARTICLES, compile_names, find_names
from judgekit.blinding.people import find_people
from judgekit.blinding.spanish import find_spanish
from judgekit.blinding.subjects import attribute, owned
from judgekit.blinding.surnames import surnames_beside
from judgekit.errors import UsageProblem
from judgekit.records import MaskedText, Reply, Slot
from judgekit.records.blinded import Field

__all__ = ["Blinder"]

_PLACEHOLDER = regex.compile(r"\[(\p{Lu}[\p{Lu}\p{N}-]{1,40})(?:_\d{1,6})?\]")
_AGREEING = ("O-A", "OS-AS", "R-A", "L-A", "N-A", "S-A", "E-A", "D-A")


class Blinder:
    """Masks replies. Make one and use it for every reply of a study.

    Parameters
    ----------
    lang : str
        ``auto``, or the language of replies whose row states none.
    ner : {'auto', 'on', 'off'}
        Whether a language model looks for other people's names. ``auto``: only in replies without known names.
    packs : sequence of str
        The study's own cue packs (paths), or names of bundled ones.
    extra_cues : sequence of str
        Words to mask besides.
    keep : sequence of str
        Words that must stay, such as product names.
    contact_details : {'mask', 'keep'}
        Whether mail addresses, handles, phone, card and account numbers are masked.

    Raises
    ------
    UsageProblem
        When an option has an unknown value.
    ConfigProblem
        When a cue pack cannot be read.

    Examples
    --------
    >>> from judgekit.records import Reply
    >>> blinder = Blinder()
    >>> blinder.mask(Reply(id="1", text="Hi Ana, he's here. Mr. Ruiz called.", known_names=("Ana", "Ruiz"))).text
    "Hi [PERSON_1], [PRONOUN]'s here. [TITLE] [PERSON_1] called."
    """

    def __init__(
        self,
        *,
        lang: str = "auto",
        ner: Literal["auto", "on", "off"] = "auto",
        packs: Sequence[str] = (),
        extra_cues: Sequence[str] = (),
        keep: Sequence[str] = (),
        contact_details: Literal["mask", "keep"] = "mask",
    ) -> None:
        if ner not in {"auto", "on", "off"}:
            raise UsageProblem("unknown value", field="ner", seen=ner, remedy="use auto, on or off")
        if contact_details not in {"mask", "keep"}:
            raise UsageProblem(
                "unknown value", field="contact_details", seen=contact_details, remedy="use mask or keep"
            )
        self.lang = lang
        self.ner = ner
        self.contact_details = contact_details
        self._options = (tuple(str(p) for p in packs), tuple(extra_cues), tuple(keep))
        for code in SUPPORTED:
            self._lexicon(code)  # a broken pack must be reported before the first reply is read

    def _lexicon(self, lang: str) -> Lexicon:
        packs, extra, keep = self._options
        return lexicon(lang if lang in SUPPORTED else "en", packs, extra, keep)

    def mask(self, reply: Reply) -> MaskedText:
        """Mask one reply together with its context.

        Parameters
        ----------
        reply : Reply
            Its known names, name and language are used; its group is not.

        Returns
        -------
        MaskedText
            Not yet verified. ``lang`` is what was decided; one that is not supported is withheld by the verifier, and so
            is a text whose masking did not end in time.
        """
        try:
            return self._masked(reply)
        except TimeoutError:
            # Half a mask would be worse than none.
            names = _known(tuple(reply.known_names), reply.name or "")
            context = None if reply.context is None else ""
            return MaskedText(item=reply.id, text="", context=context, known_names=names, timed_out=True)

    def _masked(self, reply: Reply) -> MaskedText:
        views: dict[Field, View] = {}
        if reply.context is not None:
            views["context"] = fold(reply.context)
        views["text"] = fold(reply.text)
        declared = reply.lang or (None if self.lang == "auto" else self.lang)
        lang = language_of(views.values(), declared)
        known = _known(tuple(reply.known_names), reply.name or "")
        stated = bool(known) or reply.names_stated
        own = known + _surnames(views, known, lang)
        numbers = _Numbers()
        slots: list[Slot] = []
        written: dict[Field, str] = {}
        for field, view in views.items():
            spans = self._spans(view, own, lang, stated=stated)
            written[field], found = _write(view.text, spans, field, numbers)
            slots += found
        return MaskedText(
            item=reply.id,
            text=written["text"],
            context=written.get("context"),
            slots=tuple(owned(slots)),
            lang=lang,
            known_names=known,
        )

    def _spans(self, view: View, known: tuple[str, ...], lang: str, *, stated: bool) -> list[Span]:
        words = self._lexicon(lang)
        spans = find_names(view, compile_names(known, lang if lang in SUPPORTED else "en"))
        if self.contact_details == "mask":
            spans += find_contacts(view)
        spans += find_people(view, words, spans, lang, strict=stated)
        if lang == "en" and (self.ner == "on" or (self.ner == "auto" and not stated)):
            from judgekit.blinding.find import find_with_model

            spans += find_with_model(view, words)
        spans += with_neighbours(view, settle(spans), lang, strict=stated)
        spans += _again(view, spans, lang, words)
        spans += with_suffixes(view, spans, lang)
        cues = find_spanish if lang == "es" else find_english
        spans += cues(view, words, settle(spans))
        spans += _look_alikes(view, words)
        own = sorted(s.start for s in spans if s.person == KNOWN)
        spans = [
            replace(s, subject=bisect_left(own, s.end) > bisect_left(own, s.start))
            if s.kind in {"email", "handle"}
            else s
            for s in spans
        ]
        return attribute(view, settle(spans), lang)


def _again(view: View, spans: Sequence[Span], lang: str, words: Lexicon) -> list[Span]:
    """Further mentions of people found by rule or model: a surname alone, a mail address, another spelling."""
    code = lang if lang in SUPPORTED else "en"
    vocabulary, things = load_wide_words(code), load_things()
    found: list[Span] = []
    for key in sorted({s.person for s in spans if s.person and s.person != KNOWN}):
        full = key.count(" ") > 0
        names = tuple(
            w
            for w in key.removeprefix("~").split()
            if len(w) > 2
            and w not in PARTICLES
            and (
                (w not in vocabulary and w not in things.sure and w not in things.doubtful)
                or ((full or lang == "en") and w in things.word_names and w not in things.calendar)
            )
        )
        if names:
            found += [
                replace(span, person=key, subject=False, rank=47)
                for span in find_names(view, compile_names(names, code))
            ]
    found = [s for s in found if not thing_follows(view, view.ending_at.get(s.end, -1))]
    kept = [view.source(view.starts[k], view.ends[k]) for k in guarded_words(view, words)] if found else []
    found = [s for s in found if not any(s.start < end and begin < s.end for begin, end in kept)]
    return found + _segments(view, [*spans, *found], vocabulary, things)


def _segments(view: View, spans: Sequence[Span], vocabulary: frozenset[str], things: Things) -> list[Span]:
    """Unknown words glued to a name inside an address or a file name: the rest of the same name."""
    grown: list[Span] = []
    at = view.starting_at
    for span in spans:
        k = at.get(span.start)
        if span.kind != "name" or span.person in {None, KNOWN} or k is None:
            continue
        first = last = k
        while last + 1 < len(view.words) and view.source(view.starts[last], view.ends[last])[1] < span.end:
            last += 1
        low, high = first, last
        while high + 1 < len(view.words) and _glued(view, high, high + 1, vocabulary, things):
            high += 1
        while low > 0 and _glued(view, low - 1, low, vocabulary, things):
            low -= 1
        if (low, high) != (first, last):
            start, end = view.source(view.starts[low], view.ends[high])
            grown.append(replace(span, start=start, end=end, form="identifier", rank=span.rank + 5))
    return grown


def _glued(view: View, left: int, right: int, vocabulary: frozenset[str], things: Things) -> bool:
    other = {view.words[left], view.words[right]}
    small = all(not view.capital(k) for k in (left, right))
    return (
        small
        and view.between(left, right) in {".", "_", "-"}
        and not any(w in vocabulary or w in things.sure or any(map(str.isdigit, w)) or len(w) < 2 for w in other)
    )


class _Numbers:
    """People in order of first appearance; a surname alone is the person whose full name was met before."""

    def __init__(self) -> None:
        self._by_key: dict[str, int] = {}
        self._by_word: dict[str, int] = {}
        self._count = 0

    def of(self, key: str) -> int:
        """The number of a person."""
        number = self._by_key.get(key)
        words = [w for w in key.removeprefix("~").split() if len(w) > 2 and w not in PARTICLES] if key != KNOWN else []
        if number is None:
            number = next((self._by_word[w] for w in words if w in self._by_word), None)
        if number is None and len(words) == 1:
            number = next((n for w, n in self._by_word.items() if _one_name(words[0], w)), None)
        if number is None:
            self._count += 1
            number = self._count
        self._by_key[key] = number
        for word in words:
            self._by_word.setdefault(word, number)
        return number


def _one_name(a: str, b: str) -> bool:
    """Cliff and Clifford, Bob and Robert: a name and its short form are one person."""
    short, long = sorted((a, b), key=len)
    return (len(short) > 2 and len(long) - len(short) > 1 and long.startswith(short)) or short in load_nicknames().get(
        long, ()
    )


def _look_alikes(view: View, words: Lexicon) -> list[Span]:
    """Text that already looks like one of our placeholders would pass for a slot; it becomes a slot of its own."""
    if "[" not in view.text:
        return []
    own = {cue.shown for group in words.cues.values() for cue in group} | {f"[{w}]" for w in _OWN}
    return [
        Span(found.start(), found.end(), "literal", "[QUOTED]", "", None, False, 99)
        for found in _PLACEHOLDER.finditer(view.text, timeout=patience(view.text))
        if found.group() in own or found.group(1) == "PERSON" or found.group(1).endswith(_AGREEING)
    ]


_OWN = ("PRONOUN", "TITLE", "AGE", "PLACE", "ORIGIN", "RELIGION", "CUE", "EMAIL", "HANDLE", "PHONE", "CARD", "IBAN",
        "QUOTED", "NAME", "LINK", "EL-LA", "LOS-LAS", "UN-UNA", "UNOS-AS", "AQUEL-LA", "AL-A-LA", "DEL-DE-LA")  # fmt: skip


def _surnames(views: Mapping[Field, View], known: tuple[str, ...], lang: str) -> tuple[str, ...]:
    """What the texts give as the surname of a person of whom only a given name is known."""
    if not known:
        return ()
    return surnames_beside(views.values(), compile_names(known, lang if lang in SUPPORTED else "en"), lang)


@lru_cache(maxsize=4096)
def _known(stated: tuple[str, ...], full: str) -> tuple[str, ...]:
    """Given name first, then the surname, then other names; a full name is taken apart so that each part has its role."""
    names: list[str] = []
    seen: set[str] = set()
    for name in (*stated, full):
        words = fold(name).words
        if seen.issuperset(words):
            continue
        parts = name.split(maxsplit=1) if not names else [name.strip()]
        names += [part for part in parts if part]
        seen.update(words)
    return tuple(names)


def _write(text: str, spans: Sequence[Span], field: Field, numbers: _Numbers) -> tuple[str, list[Slot]]:
    """Write placeholders into a text; people are numbered in ``numbers`` by first appearance."""
    pieces: list[str] = []
    slots: list[Slot] = []
    at = length = 0
    for span in spans:
        number = None
        if span.person is not None:
            number = numbers.of(span.person)
        shown = span.shown.replace("{n}", str(number))
        before = text[at : span.start]
        pieces += (before, shown)
        start = length + len(before)
        length = start + len(shown)
        slots.append(
            Slot(
                field=field,
                start=start,
                end=length,
                person=number,
                subject=span.subject,
                kind=span.kind,
                form=span.form,
                surface=text[span.start : span.end],
            )
        )
        at = span.end
    pieces.append(text[at:])
    return "".join(pieces), slots
