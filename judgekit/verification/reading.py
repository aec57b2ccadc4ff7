"""What the verifier reads: its own folding of a text and its own lists."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import regex
import yaml

from judgekit.errors import ConfigProblem

__all__ = ["TOKEN", "Flat", "Rules", "collect_rules", "flatten", "read_lists", "squash"]

_BETWEEN = {code: " " for code in range(128) if not chr(code).isalnum()}
_MARKS = dict.fromkeys(map(ord, "¿¡«»—–…“”‘’•€£°§"), " ")  # the usual marks, so that most texts are plain ASCII
_LONGEST_KEPT = 200
TOKEN = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_TWINS = dict(zip("аеорсухіѕјһԛԝвкмнтαορνικτυηχłøđıɡ", "aeopcyxisjhqwbkmhtaopviktunxlodig", strict=True))


@dataclass(frozen=True, slots=True)
class Flat:
    """The output folded for checking: characters, where each came from, words with their places."""

    chars: str
    origin: tuple[int, ...]
    words: tuple[tuple[str, int, int], ...]
    shown: str

    @property
    def plain(self) -> bool:
        """Whether the characters are ASCII but for the usual marks."""
        return self.chars.isascii() or self.chars.translate(_MARKS).isascii()

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Positions in the output as written."""
        return self.origin[start], self.origin[end - 1] + 1


@dataclass(frozen=True, slots=True)
class Rules:
    """The verifier's lists for one language, with the study's own packs."""

    words: Mapping[str, tuple[str, str]]
    phrases: Mapping[str, tuple[tuple[tuple[str, ...], str, str], ...]]
    patterns: tuple[tuple[str, str, Any], ...]
    excused: Mapping[str, Mapping[int, frozenset[tuple[str, ...]]]]
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


def flatten(text: str, blanks: Sequence[tuple[int, int]], limit: float) -> Flat:
    """Fold a text character by character; blanks (placeholders) become one NUL each.

    Parameters
    ----------
    text : str
        The masked text.
    blanks : sequence of (int, int)
        Stretches to leave out, in order and without overlaps.
    limit : float
        Seconds that reading the words may take.

    Returns
    -------
    Flat

    Raises
    ------
    TimeoutError
        When it takes longer.
    """
    chars: list[str] = []
    origin: list[int] = []
    at = 0
    for start, end in [*blanks, (len(text), len(text))]:
        piece = text[at:start]
        if piece.isascii():
            chars.append(piece.lower())
            origin += range(at, start)
        else:
            plain = list(map(_plain, piece))
            chars += plain
            sizes = set(map(len, plain))
            origin += range(at, start) if sizes == {1} else [at + k for k, part in enumerate(plain) for _ in part]
        if end > start:
            chars.append("\x00")
            origin.append(start)
        at = end
    flat = "".join(chars)
    return Flat(flat, tuple(origin), tuple(_words(flat, limit)), text)


def _words(flat: str, limit: float) -> list[tuple[str, int, int]]:
    """The runs of letters, marks and digits with their places; in plain ASCII they are found by splitting."""
    if not flat.isascii():
        flat = flat.translate(_MARKS)
    if not flat.isascii():
        return [(flat[a:b], a, b) for a, b in [m.span() for m in TOKEN.finditer(flat, timeout=limit)]]
    found = []
    at = 0
    for word in flat.translate(_BETWEEN).split(" "):
        end = at + len(word)
        if word:
            found.append((word, at, end))
        at = end + 1
    return found


def squash(text: str) -> tuple[str, ...]:
    """The folded words of a short text.

    Examples
    --------
    >>> squash("Núñez-Ruiz")
    ('nunez', 'ruiz')
    """
    return _squashed(text) if len(text) <= _LONGEST_KEPT else tuple(w for w, _, _ in flatten(text, (), 1.0).words)


@lru_cache(maxsize=4096)
def _squashed(text: str) -> tuple[str, ...]:
    return tuple(w for w, _, _ in flatten(text, (), 1.0).words)


def read_lists(path: Path) -> Mapping[str, Any]:
    """Read a pack as it stands.

    Parameters
    ----------
    path : Path
        A YAML file.

    Returns
    -------
    mapping of str to object

    Raises
    ------
    ConfigProblem
        When it cannot be read or is no mapping.
    """
    try:
        loaded = yaml.safe_load(path.read_bytes().decode("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as problem:
        raise ConfigProblem("cue pack cannot be read", path=path, why=str(problem)) from problem
    if not isinstance(loaded, Mapping):
        raise ConfigProblem("cue pack is not a mapping", path=path)
    return loaded


def collect_rules(packs: Sequence[Mapping[str, Any]], extra: Sequence[str], keep: Sequence[str], path: str) -> Rules:
    """Collect the ``verify`` sections of packs, the study's extra cues and the phrases it keeps.

    Parameters
    ----------
    packs : sequence of mapping
        Read packs.
    extra, keep : sequence of str
        Words that must not appear, and words or phrases that are no leak.
    path : str
        Named in errors.

    Returns
    -------
    Rules

    Raises
    ------
    ConfigProblem
        When a pattern is no regular expression.
    """
    words: dict[str, tuple[str, str]] = {}
    phrases: dict[str, list[tuple[tuple[str, ...], str, str]]] = {}
    patterns: list[tuple[str, str, Any]] = []
    excused: list[tuple[str, ...]] = [squash(k) for k in keep]
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
            named[kind].update(w for item in items for w in squash(item))
            continue
        if kind == "excused":
            excused += [squash(item) for item in items]
            items = []
        for item in items:
            parts = squash(item)
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
    kept: dict[str, dict[int, set[tuple[str, ...]]]] = {}
    for phrase in excused:
        if phrase:
            kept.setdefault(phrase[0], {}).setdefault(len(phrase), set()).add(phrase)
    first = {word: {n: frozenset(same) for n, same in by_length.items()} for word, by_length in kept.items()}
    return Rules(words, grouped, tuple(patterns), first, common, ordinary, placeholders)
