"""Prove that a masked text carries no cue, with code and lists of its own.

Nothing here is shared with the redactor: another folding, other lists (``data/cues/verify-*.yaml``), other rules, so
that one mistake does not make both blind. Every pattern runs with a time limit, and whatever cannot be checked, because
time ran out or the script or language is unknown, is withheld and never passed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import regex

from judgekit.records import (
    BLINDING_VERSION,
    BlindedReply,
    Leak,
    MaskedText,
    Slot,
    Withheld,
    claim_maker,
    text_hash,
)
from judgekit.records.blinded import Field
from judgekit.verification.mentions import excused_mentions
from judgekit.verification.names import name_hits
from judgekit.verification.reading import Flat, Rules, collect_rules, flatten, read_lists

__all__ = ["Verifier"]

_MAKER = claim_maker("BlindedReply")
_FOLDER = Path(__file__).resolve().parent.parent / "data" / "cues"
_LANGUAGES = ("en", "es")
_LISTED = 500  # a text full of leaks is told by its first ones and their number
_Found: TypeAlias = tuple[int, int, str, str]
_PLACEHOLDER = regex.compile(r"\[([A-ZÁÉÍÓÚÑ][A-ZÁÉÍÓÚÑ-]{1,40})(?:_([1-9]\d{0,4}))?\]")
_FOREIGN = regex.compile(r"[\p{L}--\p{Script=Latin}--\p{Script=Common}]{2,}", regex.V1)


@lru_cache(maxsize=len(_LANGUAGES))
def _bundled(lang: str) -> Mapping[str, Any]:
    """Read once: a command makes several verifiers, and parsing takes longer than many a small study."""
    return read_lists(_FOLDER / f"verify-{lang}.yaml")


class Verifier:
    """Checks masked texts and makes `BlindedReply` of those without a leak.

    Parameters
    ----------
    packs : sequence of str
        The study's cue packs; only their ``verify`` section is read here.
    extra_cues : sequence of str
        Words that must not appear.
    keep : sequence of str
        Words or phrases that are no leak.
    timeout : float
        Seconds per pattern and 100,000 characters; when it is over the reply is withheld.

    Raises
    ------
    ConfigProblem
        When a pack cannot be read or holds an invalid pattern.

    Examples
    --------
    >>> verifier = Verifier()
    >>> verifier.verify_text(item="1", text="Hi [PERSON_1], [PRONOUN] called.", lang="en").text
    'Hi [PERSON_1], [PRONOUN] called.'
    >>> held = verifier.verify_text(item="2", text="Hi [PERSON_1], she called.", lang="en")
    >>> held.code, held.leaks[0].rule
    ('leak', 'pronouns')
    """

    def __init__(
        self,
        *,
        packs: Sequence[str] = (),
        extra_cues: Sequence[str] = (),
        keep: Sequence[str] = (),
        timeout: float = 0.25,
    ) -> None:
        self.timeout = timeout
        own = []
        for name in packs:
            path = _FOLDER / f"{name}.yaml" if (_FOLDER / f"{name}.yaml").exists() else Path(name)
            own.append(read_lists(path))
        self._by_language: dict[str, Rules] = {}
        for lang in _LANGUAGES:
            for_it = [p for p in own if p.get("language", "any") in {lang, "any"}]
            self._by_language[lang] = collect_rules(
                [_bundled(lang), *for_it], extra_cues, keep, ", ".join(map(str, packs))
            )
        self._placeholders = frozenset().union(*(r.placeholders for r in self._by_language.values()))
        for pack in own:
            shown = [str(entry.get("shown", "")) for entry in pack.get("redact") or []]
            pairs = [str(entry.get("entries", "")) for entry in pack.get("neutral") or []]
            shown += [
                line.partition(":")[0].split()[0] for block in pairs for line in block.splitlines() if line.strip()
            ]
            self._placeholders |= {s.strip("[]") for s in shown}

    def verify(self, masked: MaskedText) -> BlindedReply | Withheld:
        """Check a masked text: its placeholders must be the ones its slots say, and nothing else may tell the group."""
        if masked.timed_out:
            late = Leak(field="text", start=0, end=0, kind="timeout", rule="masking")
            return Withheld(item=masked.item, code="timeout", leaks=(late,))
        return self._check(masked.item, masked.text, masked.context, masked.known_names, masked.lang, masked.slots)

    def verify_text(
        self,
        *,
        item: str,
        text: str,
        context: str | None = None,
        known_names: Sequence[str] = (),
        lang: str = "en",
    ) -> BlindedReply | Withheld:
        """Check a text that was blinded before, for example a row of a stored file.

        Parameters
        ----------
        item, text, context : str
            The reply's id and its blinded texts.
        known_names : sequence of str
            Names that must not appear.
        lang : str
            The text's language; one that is not supported is withheld.

        Returns
        -------
        BlindedReply or Withheld
        """
        return self._check(item, text, context, tuple(known_names), lang, None)

    def _check(
        self, item: str, text: str, context: str | None, known: Sequence[str], lang: str, slots: Sequence[Slot] | None
    ) -> BlindedReply | Withheld:
        if lang not in self._by_language:
            return Withheld(item=item, code="language", leaks=())
        leaks: list[Leak] = []
        more = 0
        fields: list[tuple[Field, str]] = [("text", text)]
        if context is not None:
            fields.insert(0, ("context", context))
        for name, body in fields:
            limit = self.timeout * max(1.0, len(body) / 100_000)
            try:
                found = sorted(set(self._leaks(name, body, known, lang, slots, limit)))
                leaks += [
                    Leak(field=name, start=s, end=e, kind=kind, rule=rule) for s, e, kind, rule in found[:_LISTED]
                ]
                more += max(0, len(found) - _LISTED)
            except TimeoutError as late:
                rule = str(late.args[0]) if late.args else "time limit"
                leaks.append(Leak(field=name, start=0, end=len(body), kind="timeout", rule=rule))
                return Withheld(item=item, code="timeout", leaks=tuple(leaks))
        if leaks:
            codes = {leak.kind for leak in leaks}
            code = "script" if codes == {"script"} else "language" if codes == {"language"} else "leak"
            return Withheld(item=item, code=code, leaks=tuple(leaks), more=more)
        return BlindedReply(
            item=item,
            text=text,
            context=context,
            text_hash=text_hash(text, context),
            lang=lang,
            blinding_version=BLINDING_VERSION,
            maker=_MAKER,
        )

    def _leaks(
        self, name: Field, body: str, known: Sequence[str], lang: str, slots: Sequence[Slot] | None, limit: float
    ) -> list[_Found]:
        found: list[_Found] = []
        blanks: list[tuple[int, int]] = []
        owned = None if slots is None else {(s.start, s.end) for s in slots if s.field == name}
        starts = None if owned is None else {s for s, _ in owned}
        for match in _PLACEHOLDER.finditer(body, timeout=limit) if "[" in body else ():
            if not self._known_placeholder(match.group(1), match.group(2)):
                continue
            blanks.append(match.span())
            if (
                starts is not None
                and match.start() not in starts
                and not any(s <= match.start() < e for s, e in owned or ())
            ):
                found.append((match.start(), match.end(), "placeholder", "forged placeholder"))
        flat = flatten(body, blanks, limit)
        if not flat.chars.isascii():
            found += [
                (*flat.place(*m.span()), "script", "unknown script")
                for m in _FOREIGN.finditer(flat.chars, timeout=limit)
            ]
        if _other_language(flat, self._by_language, lang):
            found.append((0, len(body), "language", "another language"))
        rules = self._by_language[lang]
        hits = [*_word_hits(flat, rules), *_pattern_hits(flat, rules, limit), *name_hits(flat, known, rules, limit)]
        if not hits:  # most texts: there is nothing to excuse
            return found
        excused = _excused(flat, rules, limit)
        if lang == "en":
            excused |= excused_mentions(flat, limit)
        if excused:
            hits = [hit for hit in hits if excused.isdisjoint(range(hit[0], hit[1]))]
        origin = flat.origin
        return found + [(origin[start], origin[end - 1] + 1, kind, rule) for start, end, kind, rule in hits]

    def _known_placeholder(self, word: str, number: str | None) -> bool:
        if word == "PERSON":
            return number is not None
        if number is not None:
            return False
        return word in self._placeholders or (
            word.endswith(("O-A", "OS-AS", "R-A", "L-A", "N-A", "S-A", "E-A", "D-A", "PERSON", "PEOPLE"))
            and len(word) > 4
        )


def _other_language(flat: Flat, rules: Mapping[str, Rules], lang: str) -> bool:
    """Whether the words are plainly not of the language the row claims."""
    words = [word for word, _, _ in flat.words[:2000]]
    letters = len(words) - sum(map(str.isdigit, words))
    seen = {code: sum(map(rule.common.__contains__, words)) for code, rule in rules.items()}
    own, others = seen[lang], max(n for code, n in seen.items() if code != lang)
    return (letters >= 20 and own == 0) or (others >= 4 and others > 2 * own)


def _excused(flat: Flat, rules: Rules, limit: float) -> set[int]:
    out: set[int] = set()
    for kind, _, pattern in rules.patterns:
        if kind == "excused":
            out.update(n for m in pattern.finditer(flat.chars, timeout=limit) for n in range(*m.span()))
    phrases = rules.excused
    for at, (word, start, _) in enumerate(flat.words):
        if word in phrases:
            for length, same in phrases[word].items():
                if tuple([w for w, _, _ in flat.words[at : at + length]]) in same:
                    out.update(range(start, flat.words[at + length - 1][2]))
    return out


def _word_hits(flat: Flat, rules: Rules) -> Iterator[tuple[int, int, str, str]]:
    words, phrases = rules.words, rules.phrases
    for at, (word, start, end) in enumerate(flat.words):
        if word in words:
            yield (start, end, *words[word])
        if word not in phrases:
            continue
        for parts, kind, rule in phrases[word]:
            last = at + len(parts) - 1
            whole = last < len(flat.words) and tuple(w for w, _, _ in flat.words[at : last + 1]) == parts
            if whole and flat.words[last][2] - start <= len("".join(parts)) + 3 * len(parts):
                yield start, flat.words[last][2], kind, rule


def _pattern_hits(flat: Flat, rules: Rules, limit: float) -> Iterator[tuple[int, int, str, str]]:
    for kind, rule, pattern in rules.patterns:
        if kind == "excused":
            continue
        try:
            for match in pattern.finditer(flat.chars, timeout=limit):
                if match.end() > match.start():
                    yield match.start(), match.end(), kind, rule
        except TimeoutError as late:
            raise TimeoutError(rule) from late
