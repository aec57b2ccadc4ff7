"""Prove that a masked text carries no cue, with code and lists of its own.

Nothing here is shared with the redactor: another folding, other lists (``data/cues/verify-*.yaml``), other rules, so
that one mistake does not make both blind. Every pattern runs with a time limit, and whatever cannot be checked, because
time ran out or the script or language is unknown, is withheld and never passed.
"""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import regex
import yaml

from judgekit.errors import ConfigProblem
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

__all__ = ["Verifier"]

_MAKER = claim_maker("BlindedReply")
_FOLDER = Path(__file__).resolve().parent.parent / "data" / "cues"
_LANGUAGES = ("en", "es")
_PLACEHOLDER = regex.compile(r"\[([A-ZÁÉÍÓÚÑ][A-ZÁÉÍÓÚÑ-]{1,40})(?:_([1-9]\d{0,4}))?\]")
_TOKEN = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_FOREIGN = regex.compile(r"[\p{L}--\p{Script=Latin}--\p{Script=Common}]{2,}", regex.V1)
_SPACED = regex.compile(r"(?<![\p{L}\p{N}])\p{L}(?:[-.*·/_|, ]{1,4}\p{L}(?![\p{L}\p{N}])){2,60}+")
_TWINS = dict(zip("аеорсухіѕјһԛԝвкмнтαορνικτυηχłøđıɡ", "aeopcyxisjhqwbkmhtaopviktunxlodig", strict=True))
_SMALL = frozenset(
    "de da di do du del della der den des das dos la las le los el al van von bin ibn abu san zu zur y e o d l st mc mac".split()
)
_ENDS = frozenset('.!?:\n*>|"“”#=•({[')


@dataclass(frozen=True, slots=True)
class _Flat:
    """The output folded for checking: characters, where each came from, words with their places."""

    chars: str
    origin: tuple[int, ...]
    words: tuple[tuple[str, int, int], ...]
    shown: str

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Positions in the output as written."""
        return self.origin[start], self.origin[end - 1] + 1


@dataclass(frozen=True, slots=True)
class _Rules:
    words: Mapping[str, tuple[str, str]]
    phrases: Mapping[str, tuple[tuple[tuple[str, ...], str, str], ...]]
    patterns: tuple[tuple[str, str, Any], ...]
    excused: tuple[tuple[str, ...], ...]
    common: frozenset[str]
    ordinary: frozenset[str]
    placeholders: frozenset[str] = field(default_factory=frozenset)


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    plain = ""
    for part in unicodedata.normalize("NFKD", char).casefold():
        kind = unicodedata.category(part)
        if kind != "Cf" and not (kind == "Mn" and unicodedata.combining(part) > 9):
            plain += _TWINS.get(part, "'" if part in "’‘ʼ´`" else " " if kind == "Zs" else part)
    return plain


def _flatten(text: str, blanks: Sequence[tuple[int, int]], limit: float) -> _Flat:
    chars: list[str] = []
    origin: list[int] = []
    at = 0
    for start, end in [*blanks, (len(text), len(text))]:
        piece = text[at:start]
        if piece.isascii():
            chars.append(piece.lower())
            origin += range(at, start)
        else:
            plain = [_plain(char) for char in piece]
            chars += plain
            origin += [at + k for k, part in enumerate(plain) for _ in part]
        if end > start:
            chars.append("\x00")
            origin.append(start)
        at = end
    flat = "".join(chars)
    words = tuple((m.group(), m.start(), m.end()) for m in _TOKEN.finditer(flat, timeout=limit))
    return _Flat(flat, tuple(origin), words, text)


def _squash(text: str) -> tuple[str, ...]:
    return tuple(w for w, _, _ in _flatten(text, (), 1.0).words)


def _read(path: Path) -> Mapping[str, Any]:
    try:
        loaded = yaml.safe_load(path.read_bytes().decode("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as problem:
        raise ConfigProblem("cue pack cannot be read", path=path, why=str(problem)) from problem
    if not isinstance(loaded, Mapping):
        raise ConfigProblem("cue pack is not a mapping", path=path)
    return loaded


def _rules(packs: Sequence[Mapping[str, Any]], extra: Sequence[str], keep: Sequence[str], path: str) -> _Rules:
    words: dict[str, tuple[str, str]] = {}
    phrases: dict[str, list[tuple[tuple[str, ...], str, str]]] = {}
    patterns: list[tuple[str, str, Any]] = []
    excused: list[tuple[str, ...]] = [_squash(k) for k in keep]
    named: dict[str, set[str]] = {"common": set(), "ordinary": set(), "placeholders": set()}
    lists = [entry for pack in packs for entry in pack.get("verify") or []]
    lists.append({"list": "extra", "kind": "cue", "entries": "\n".join(extra)})
    for entry in lists:
        rule, kind = str(entry["list"]), str(entry.get("kind", "cue"))
        items = [e.strip() for line in str(entry.get("entries", "")).splitlines() for e in line.split(",") if e.strip()]
        if kind == "placeholder":
            named["placeholders"].update(items)
            continue
        if kind in {"common", "ordinary"}:
            named[kind].update(w for item in items for w in _squash(item))
            continue
        if kind == "excused":
            excused += [_squash(item) for item in items]
            items = []
        for item in items:
            parts = _squash(item)
            if len(parts) == 1:
                words.setdefault(parts[0], (kind, rule))
            elif parts:
                phrases.setdefault(parts[0], []).append((parts, kind, rule))
        for number, pattern in enumerate(entry.get("patterns") or [], 1):
            try:
                patterns.append((kind, f"{rule} #{number}", regex.compile(str(pattern))))
            except regex.error as problem:
                what, where = "a verification pattern is no regular expression", f"verify.{rule}"
                raise ConfigProblem(what, path=path or None, field=where, seen=pattern, why=str(problem)) from problem
    grouped = {first: tuple(group) for first, group in phrases.items()}
    common, ordinary, placeholders = (frozenset(named[k]) for k in ("common", "ordinary", "placeholders"))
    kept = tuple(phrase for phrase in excused if phrase)
    return _Rules(words, grouped, tuple(patterns), kept, common, ordinary, placeholders)


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
            own.append(_read(path))
        self._by_language: dict[str, _Rules] = {}
        for lang in _LANGUAGES:
            for_it = [p for p in own if p.get("language", "any") in {lang, "any"}]
            bundled = _read(_FOLDER / f"verify-{lang}.yaml")
            self._by_language[lang] = _rules([bundled, *for_it], extra_cues, keep, ", ".join(map(str, packs)))
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
        fields: list[tuple[Field, str]] = [("text", text)]
        if context is not None:
            fields.insert(0, ("context", context))
        for name, body in fields:
            limit = self.timeout * max(1.0, len(body) / 100_000)
            try:
                leaks += self._leaks(name, body, known, lang, slots, limit)
            except TimeoutError as late:
                rule = str(late.args[0]) if late.args else "time limit"
                leaks.append(Leak(field=name, start=0, end=len(body), kind="timeout", rule=rule))
                return Withheld(item=item, code="timeout", leaks=tuple(leaks))
        if leaks:
            codes = {leak.kind for leak in leaks}
            code = "script" if codes == {"script"} else "language" if codes == {"language"} else "leak"
            return Withheld(item=item, code=code, leaks=tuple(leaks))
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
    ) -> list[Leak]:
        def leak(start: int, end: int, kind: str, rule: str) -> Leak:
            return Leak(field=name, start=start, end=end, kind=kind, rule=rule)

        found: list[Leak] = []
        blanks: list[tuple[int, int]] = []
        owned = None if slots is None else {(s.start, s.end) for s in slots if s.field == name}
        starts = None if owned is None else {s for s, _ in owned}
        for match in _PLACEHOLDER.finditer(body, timeout=limit):
            if not self._known_placeholder(match.group(1), match.group(2)):
                continue
            blanks.append(match.span())
            if (
                starts is not None
                and match.start() not in starts
                and not any(s <= match.start() < e for s, e in owned or ())
            ):
                found.append(leak(match.start(), match.end(), "placeholder", "forged placeholder"))
        flat = _flatten(body, blanks, limit)
        found += [
            leak(*flat.place(*m.span()), "script", "unknown script")
            for m in _FOREIGN.finditer(flat.chars, timeout=limit)
        ]
        if _other_language(flat, self._by_language, lang):
            found.append(leak(0, len(body), "language", "another language"))
        rules = self._by_language[lang]
        excused = _excused(flat, rules, limit)
        hits = [*_word_hits(flat, rules), *_pattern_hits(flat, rules, limit), *_name_hits(flat, known, rules, limit)]
        for start, end, kind, rule in hits:
            if not excused.intersection(range(start, end)):
                found.append(leak(*flat.place(start, end), kind, rule))
        return sorted(found, key=lambda x: (x.start, x.end, x.kind, x.rule))

    def _known_placeholder(self, word: str, number: str | None) -> bool:
        if word == "PERSON":
            return number is not None
        if number is not None:
            return False
        return word in self._placeholders or (
            word.endswith(("O-A", "OS-AS", "R-A", "L-A", "N-A", "S-A", "E-A", "D-A", "PERSON", "PEOPLE"))
            and len(word) > 4
        )


def _other_language(flat: _Flat, rules: Mapping[str, _Rules], lang: str) -> bool:
    """Whether the words are plainly not of the language the row claims."""
    seen = dict.fromkeys(rules, 0)
    letters = 0
    for word, _, _ in flat.words[:2000]:
        letters += not word.isdigit()
        for code, rule in rules.items():
            seen[code] += word in rule.common
    own, others = seen[lang], max(n for code, n in seen.items() if code != lang)
    return (letters >= 20 and own == 0) or (others >= 4 and others > 2 * own)


def _excused(flat: _Flat, rules: _Rules, limit: float) -> set[int]:
    out: set[int] = set()
    for kind, _, pattern in rules.patterns:
        if kind == "excused":
            out.update(n for m in pattern.finditer(flat.chars, timeout=limit) for n in range(*m.span()))
    if rules.excused:
        first: dict[str, list[tuple[str, ...]]] = {}
        for phrase in rules.excused:
            first.setdefault(phrase[0], []).append(phrase)
        for at, (word, start, _) in enumerate(flat.words):
            for phrase in first.get(word, ()):
                if tuple(w for w, _, _ in flat.words[at : at + len(phrase)]) == phrase:
                    out.update(range(start, flat.words[at + len(phrase) - 1][2]))
    return out


def _word_hits(flat: _Flat, rules: _Rules) -> Iterator[tuple[int, int, str, str]]:
    for at, (word, start, end) in enumerate(flat.words):
        if word in rules.words:
            yield (start, end, *rules.words[word])
        for parts, kind, rule in rules.phrases.get(word, ()):
            last = at + len(parts) - 1
            whole = last < len(flat.words) and tuple(w for w, _, _ in flat.words[at : last + 1]) == parts
            if whole and flat.words[last][2] - start <= len("".join(parts)) + 3 * len(parts):
                yield start, flat.words[last][2], kind, rule


def _pattern_hits(flat: _Flat, rules: _Rules, limit: float) -> Iterator[tuple[int, int, str, str]]:
    for kind, rule, pattern in rules.patterns:
        if kind == "excused":
            continue
        try:
            for match in pattern.finditer(flat.chars, timeout=limit):
                if match.end() > match.start():
                    yield match.start(), match.end(), kind, rule
        except TimeoutError as late:
            raise TimeoutError(rule) from late


# --- known names ---------------------------------------------------------------------------------------------------


def _capital(flat: _Flat, start: int) -> bool:
    char = flat.shown[flat.origin[start]]
    return char.isupper() or char.upper() == char.lower()


def _opens(flat: _Flat, start: int) -> bool:
    before = flat.chars[max(0, start - 4) : start].rstrip(" ")
    return not before or before[-1] in _ENDS or "\n" in flat.chars[max(0, start - 2) : start]


def _edit_one(a: str, b: str) -> bool:
    """Whether one insertion, deletion, change or swap turns one word into the other."""
    if a == b or abs(len(a) - len(b)) > 1:
        return a == b
    k = 0
    while k < min(len(a), len(b)) and a[k] == b[k]:
        k += 1
    x, y = a[k:], b[k:]
    return x[1:] == y[1:] or x[1:] == y or x == y[1:] or (x[:2] == y[1::-1] and x[2:] == y[2:])


def _ordinary(word: str, rules: _Rules) -> bool:
    """Whether a word, without an ending of number or tense, is an everyday one."""
    if word in rules.ordinary or word in rules.common:
        return True
    return any(
        len(word) - len(tail) >= 3 and word.endswith(tail) and word[: len(word) - len(tail)] in rules.ordinary
        for tail in ("s", "es", "ed", "d", "ing", "er", "ers", "ly")
    )


def _headline(flat: _Flat, start: int, end: int) -> bool:
    """Whether a word is one of several in capitals, as in a headline."""

    def shouted(a: int, b: int) -> bool:
        raw = flat.shown[flat.origin[a] : flat.origin[b - 1] + 1]
        return len(raw) > 1 and raw.isupper() and raw.isalpha()

    if not shouted(start, end):
        return False
    before = _TOKEN.search(flat.chars[max(0, start - 24) : start][::-1].lstrip(" "), timeout=1.0)
    if before and before.start() == 0:
        at = flat.chars[:start].rstrip(" ")
        if shouted(len(at) - len(before.group()), len(at)):
            return True
    after = regex.compile(r" +([\p{L}\p{M}]+)").match(flat.chars, end, timeout=1.0)
    return bool(after) and shouted(after.start(1), after.end(1)) if after else False


def _known_pieces(known: Sequence[str]) -> set[str]:
    """The words of the known names, and names of several words written as one."""
    pieces: set[str] = set()
    for name in known:
        parts = _squash(name)
        pieces.update(p for p in parts if len(parts) == 1 or p not in _SMALL)
        if len(parts) > 1:
            pieces.add("".join(parts))
    return {p for p in pieces if len(p) > 1 or not p.isascii()}


def _name_hits(flat: _Flat, known: Sequence[str], rules: _Rules, limit: float) -> Iterator[tuple[int, int, str, str]]:
    pieces = _known_pieces(known)
    if not pieces:
        return
    wide = [p for p in pieces if len(p) >= 4]
    tricky = [p for p in pieces if len(p) >= 5 and p not in rules.ordinary]
    for word, start, end in flat.words:
        if word in pieces:
            if not _ordinary(word, rules) or (
                _capital(flat, start)
                and not _opens(flat, start)
                and word not in _CALENDAR
                and not _headline(flat, start, end)
            ):
                yield start, end, "name", "known name"
            continue
        if word in rules.ordinary or word in rules.common:
            continue
        for piece in wide:
            if piece in word and _hidden(flat, word, piece, start, end):
                yield start, end, "name", "known name inside a word"
                break
        else:
            if (
                len(word) >= 5
                and any(_edit_one(word, p) for p in tricky)
                and _capital(flat, start)
                and not _opens(flat, start)
            ):
                yield start, end, "name", "known name misspelt"
    for piece in pieces:
        if not piece.isascii() and piece in flat.chars:
            at = flat.chars.find(piece)
            yield at, at + len(piece), "name", "known name"
    for match in _SPACED.finditer(flat.chars, timeout=limit):
        joined = "".join(c for c in match.group() if c.isalpha())
        if any(p in joined for p in pieces if len(p) >= 3):
            yield match.start(), match.end(), "name", "known name spelled out"


_CALENDAR = frozenset("may june april august summer autumn spring winter mayo abril junio agosto".split())


def _hidden(flat: _Flat, word: str, piece: str, start: int, end: int) -> bool:
    left, right = flat.chars[max(0, start - 1) : start], flat.chars[end : end + 1]
    if left in {"@", "#", "_", "/", "\\"} or right in {"@", "_"}:
        return True
    if word.startswith(piece) and len(word) - len(piece) <= 2 and _capital(flat, start):
        return True
    at = start + word.index(piece)
    raw = flat.shown[flat.origin[at]]
    return at > start and raw.isupper() and not flat.shown[flat.origin[start] : flat.origin[end - 1] + 1].isupper()
