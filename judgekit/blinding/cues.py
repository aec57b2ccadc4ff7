"""Cue packs: the word lists that blinding reads, bundled or the user's own.

A pack is a YAML file of the format ``judgekit-cues-1``::

    format: judgekit-cues-1
    language: en                 # or: any
    redact:
      - list: pronouns           # a name for reports
        kind: pronoun            # what the cue tells
        shown: "[PRONOUN]"       # what is written instead
        source: ...              # where the entries come from
        licence: MIT
        match: any               # any | capital (only when written with a capital letter)
        entries: |               # one entry a line, or several separated by commas
          she, he
    neutral:                     # pairs: what is written, then feminine and masculine forms
      - list: relations
        source: ...
        licence: MIT
        entries: |
          SPOUSE: wife | husband
    verify:                      # read by the verifier alone, never by the redactor
      - list: pronouns
        kind: pronoun
        source: ...
        licence: MIT
        entries: she, he
        patterns: []             # regular expressions on folded text, each run with a time limit

Entries are folded (case, accents) when read. Every list states its source and licence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import regex
import yaml

from judgekit.blinding.fold import View, fold
from judgekit.errors import ConfigProblem

__all__ = [
    "Cue",
    "Lexicon",
    "Things",
    "guarded_words",
    "lexicon",
    "load_nicknames",
    "load_things",
    "load_wide_words",
    "load_words",
    "occurrences",
    "read_pack",
    "rule_words",
]

_HERE = Path(__file__).resolve().parent.parent / "data" / "cues"
_JOIN = regex.compile(r"[\s\-'./]{0,2}| & ")
_LIST_KEYS = {"list", "kind", "shown", "source", "licence", "match", "entries", "patterns", "form"}


@dataclass(frozen=True, slots=True)
class Cue:
    """One entry: its words, what it tells, what is written instead, and when it counts.

    ``match`` is ``any``, ``capital`` or the name of a rule that decides by context; ``form`` the grammatical form.
    """

    words: tuple[str, ...]
    kind: str
    shown: str
    match: str = "any"
    form: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Cues by their first word, longest first; gendered nouns in the pack's order; word sets and phrases to keep."""

    cues: Mapping[str, tuple[Cue, ...]]
    pairs: tuple[Cue, ...] = ()
    sets: Mapping[str, frozenset[str]] = field(default_factory=dict)
    phrases: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)


def words_of(entry: str) -> tuple[str, ...]:
    """The folded words of an entry."""
    return fold(entry).words


def _entries(block: str) -> list[str]:
    return [e.strip() for line in block.splitlines() for e in line.split(",") if e.strip()]


def _load(path: Path) -> dict[str, Any]:
    try:
        raw = path.read_bytes().decode("utf-8")
        loaded = yaml.load(raw, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - a safe loader
    except OSError as problem:
        raise ConfigProblem("cue pack cannot be read", path=path, why=str(problem)) from problem
    except (yaml.YAMLError, UnicodeDecodeError) as problem:
        mark = getattr(problem, "problem_mark", None)
        raise ConfigProblem(
            "cue pack is not valid YAML",
            path=path,
            line=mark.line + 1 if mark else None,
            column=mark.column + 1 if mark else None,
            why=str(getattr(problem, "problem", problem)),
        ) from problem
    if not isinstance(loaded, dict):
        raise ConfigProblem("cue pack is not a mapping", path=path, remedy="start with `format: judgekit-cues-1`")
    return loaded


def read_pack(path: Path) -> dict[str, Any]:
    """Read a cue pack and check its form.

    Parameters
    ----------
    path : Path
        A file of format ``judgekit-cues-1``.

    Returns
    -------
    dict
        Its content.

    Raises
    ------
    ConfigProblem
        When the file cannot be read, has another format, an unknown key, or a list without source or licence.
    """
    pack = _load(path)
    if pack.get("format") != "judgekit-cues-1":
        raise ConfigProblem(
            "unknown cue pack format",
            path=path,
            field="format",
            seen=pack.get("format"),
            remedy="write `format: judgekit-cues-1`",
        )
    unknown = set(pack) - {"format", "language", "redact", "neutral", "sets", "keep", "verify"}
    if unknown:
        raise ConfigProblem("unknown key in cue pack", path=path, field=min(map(str, unknown)))
    for section in ("redact", "neutral", "sets", "keep", "verify"):
        for entry in pack.get(section) or []:
            _check_list(entry, section, path)
    return pack


def _check_list(entry: object, section: str, path: Path) -> None:
    if not isinstance(entry, dict) or not isinstance(entry.get("list"), str):
        raise ConfigProblem("a list in a cue pack has no name", path=path, field=section, remedy="add `list: NAME`")
    where = f"{section}.{entry['list']}"
    for needed in ("source", "licence"):
        if not isinstance(entry.get(needed), str):
            raise ConfigProblem(f"a cue list states no {needed}", path=path, field=where, remedy=f"add `{needed}: ...`")
    unknown = set(entry) - _LIST_KEYS
    if unknown:
        raise ConfigProblem("unknown key in a cue list", path=path, field=where, seen=min(map(str, unknown)))
    if not isinstance(entry.get("entries", ""), str):
        raise ConfigProblem("entries must be one text", path=path, field=where, remedy="write `entries: |` and lines")
    if section == "redact" and not isinstance(entry.get("shown"), str):
        raise ConfigProblem("a redaction list has no `shown`", path=path, field=where, remedy='add `shown: "[WORD]"`')


def _neutral(block: str) -> list[Cue]:
    cues = []
    for line in block.splitlines():
        if not line.strip():
            continue
        head, _, forms = line.partition(":")
        name, _, match = head.strip().partition(" ")
        sides = forms.split("|")
        for form, side in zip(("f", "m"), sides, strict=False):
            cues += [
                Cue(words_of(entry), "gendered", f"[{name}]", match.strip() or "any", form, entry.strip())
                for entry in side.split(",")
                if entry.strip()
            ]
    return cues


def _forms(block: str) -> list[tuple[str, str]]:
    """Lines ``form: entries`` or plain entries."""
    out = []
    for line in block.splitlines():
        head, colon, rest = line.partition(":")
        form, body = (head.strip(), rest) if colon else ("", line)
        out += [(form, e.strip()) for e in body.split(",") if e.strip()]
    return out


def _collect(packs: Sequence[Mapping[str, Any]]) -> Lexicon:
    cues: dict[str, list[Cue]] = {}
    sets: dict[str, set[str]] = {}
    phrases: dict[str, list[tuple[str, ...]]] = {}
    found: list[Cue] = []
    for pack in packs:
        for entry in pack.get("redact") or []:
            for form, text in _forms(entry.get("entries", "")):
                words = words_of(text)
                if words:
                    found.append(Cue(words, entry["kind"], entry["shown"], entry.get("match", "any"), form, text))
        for entry in pack.get("neutral") or []:
            found += _neutral(entry.get("entries", ""))
        for entry in pack.get("sets") or []:
            sets.setdefault(entry["list"], set()).update(
                " ".join(words_of(e)) for e in _entries(entry.get("entries", ""))
            )
        for entry in pack.get("keep") or []:
            for text in _entries(entry.get("entries", "")):
                words = words_of(text)
                if words:
                    phrases.setdefault(words[0], []).append(words)
    for cue in found:
        if cue.words:
            cues.setdefault(cue.words[0], []).append(cue)
    return Lexicon(
        {first: tuple(sorted(group, key=lambda c: -len(c.words))) for first, group in cues.items()},
        tuple(cue for cue in found if cue.kind == "gendered"),
        {name: frozenset(words) for name, words in sets.items()},
        {first: tuple(sorted(group, key=len, reverse=True)) for first, group in phrases.items()},
    )


@lru_cache(maxsize=32)
def lexicon(lang: str, packs: tuple[str, ...] = (), extra: tuple[str, ...] = (), keep: tuple[str, ...] = ()) -> Lexicon:
    """The cues of one language: the bundled packs, then the user's.

    Parameters
    ----------
    lang : {'en', 'es'}
        The text's language.
    packs : tuple of str
        Paths of the user's packs; those of another language are left out. A bare name is a bundled pack.
    extra : tuple of str
        Words or phrases to mask as ``[CUE]``.
    keep : tuple of str
        Words or phrases that stay, such as a product's name.

    Returns
    -------
    Lexicon

    Raises
    ------
    ConfigProblem
        When a pack cannot be read.
    """
    loaded = [read_pack(_HERE / "any.yaml"), read_pack(_HERE / f"{lang}.yaml")]
    for name in packs:
        path = _HERE / f"{name}.yaml" if (_HERE / f"{name}.yaml").exists() else Path(name)
        pack = read_pack(path)
        if pack.get("language", "any") in {lang, "any"}:
            loaded.append(pack)
    own: dict[str, Any] = {
        "redact": [{"list": "extra", "kind": "cue", "shown": "[CUE]", "entries": "\n".join(extra)}],
        "keep": [{"list": "keep", "entries": "\n".join(keep)}],
    }
    return _collect([*loaded, own])


@lru_cache(maxsize=4)
def load_words(lang: str) -> frozenset[str]:
    """Ordinary words of a language, folded.

    Parameters
    ----------
    lang : {'en', 'es'}
        The language.

    Returns
    -------
    frozenset of str
    """
    return frozenset(words_of(_load(_HERE / f"words-{lang}.yaml")["words"]))


@lru_cache(maxsize=4)
def load_wide_words(lang: str) -> frozenset[str]:
    """Ordinary words of a language, rare ones included: what tells a capitalised word from a name.

    Known names are compared with the shorter list of `load_words`, so that a rare word does not hide one.

    Parameters
    ----------
    lang : {'en', 'es'}
        The language.

    Returns
    -------
    frozenset of str
    """
    own, more = load_words(lang), _HERE / f"words-{lang}-more.yaml"
    return own.union(_load(more)["words"].split()) if more.exists() else own


@lru_cache(maxsize=1)
def load_nicknames() -> Mapping[str, tuple[str, ...]]:
    """Short forms by given name and given names by short form, folded.

    Returns
    -------
    mapping of str to tuple of str
    """
    table: dict[str, set[str]] = {}
    for line in _load(_HERE / "nicknames.yaml")["names"].splitlines():
        full, _, short = line.partition(":")
        long_forms = [w for e in full.split() for w in words_of(e)]
        short_forms = [w for e in short.split() for w in words_of(e)]
        for a in long_forms:
            table.setdefault(a, set()).update(short_forms)
        for b in short_forms:
            table.setdefault(b, set()).update(long_forms)
    return {name: tuple(sorted(others)) for name, others in table.items()}


def occurrences(view: View, words: Lexicon) -> Iterator[tuple[int, int, Cue]]:
    """Where a text has entries of a lexicon, longest first, leaving out what its ``keep`` lists protect.

    Parameters
    ----------
    view : View
        The folded text.
    words : Lexicon
        Cues and phrases to keep.

    Yields
    ------
    (int, int, Cue)
        First word, word after the last, and the entry. Entries that depend on context come with the rest.
    """
    guarded = guarded_words(view, words)
    cues = words.cues
    for i, word in enumerate(view.words):
        if word not in cues:
            continue
        for cue in cues[word]:
            j = i + len(cue.words)
            if view.words[i:j] != cue.words or guarded.intersection(range(i, j)):
                continue
            if len(cue.words) > 1 and not all(_JOIN.fullmatch(view.between(k, k + 1)) for k in range(i, j - 1)):
                continue
            yield i, j, cue


def guarded_words(view: View, words: Lexicon) -> set[int]:
    """The words of a text that its lexicon's ``keep`` phrases protect."""
    out: set[int] = set()
    phrases = words.phrases
    for i, word in enumerate(view.words):
        if word not in phrases:
            continue
        for phrase in phrases[word]:
            j = i + len(phrase)
            if view.words[i:j] == phrase and all(_JOIN.fullmatch(view.between(k, k + 1)) for k in range(i, j - 1)):
                out.update(range(i, j))
    return out


@dataclass(frozen=True, slots=True)
class Things:
    """Capitalised words that are no people, as far as they stand alone.

    ``sure`` are places, brands, products, calendars and abbreviations; ``doubtful`` are those that people are called
    too (Victoria, Florence, Ford); ``calendar`` days and months; ``word_names`` ordinary words that people are called.
    """

    sure: frozenset[str]
    doubtful: frozenset[str]
    calendar: frozenset[str]
    word_names: frozenset[str]

    @property
    def all(self) -> frozenset[str]:
        """Sure and doubtful ones."""
        return self.sure | self.doubtful


@lru_cache(maxsize=1)
def load_things() -> Things:
    """Read the list of capitalised words that are no people.

    Returns
    -------
    Things
    """
    loaded = _load(_HERE / "things.yaml")
    words, doubtful, calendar, word_names = (
        frozenset(words_of(loaded[key])) for key in ("words", "also_names", "calendar", "word_names")
    )
    return Things(words - doubtful, words & doubtful, calendar, word_names)


@lru_cache(maxsize=8)
def rule_words(module: str) -> Mapping[str, frozenset[str]]:
    """Word sets that one module's rules read, folded as they stand.

    Parameters
    ----------
    module : str
        The module's name, such as ``english``.

    Returns
    -------
    mapping of str to frozenset of str
    """
    return {name: frozenset(block.split()) for name, block in _load(_HERE / f"rules-{module}.yaml")["sets"].items()}
