"""Known names found in folded text: whole, in pieces, misspelt, spelled out, hidden in handles and addresses.

The names of a counterfactual study are known, so no model is needed. A name that is also an ordinary word ("Grace",
"Will") counts only where its place in the sentence says that it is a name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import regex

from judgekit.blinding.cues import load_nicknames, load_words, rule_words
from judgekit.blinding.fold import Span, View, fold
from judgekit.blinding.spelling import resembles

__all__ = ["NameSet", "compile_names", "find_names"]

PERSON = "[PERSON_{n}]"
KNOWN = "known"
_WORDS = rule_words("names")
PARTICLES = _WORDS["particles"]
_JOIN = regex.compile(r"[\s\-'._·/]{0,3}")
_SPELLED = regex.compile(r"(?<![\p{L}\p{N}])\p{L}(?:[-.·* ]{1,2}\p{L}){2,}(?![\p{L}\p{N}])")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_SPLIT = regex.compile(r"-?\s*\n\s*")
_TIMEOUT = 1.0
_TAILS = frozenset(("", "s", "es", "san", "sama", "kun", "chan", "ji", "ito", "ita", "ie", "y", "ey", "z"))
_MONTHISH = frozenset(("april", "may", "june", "august", "summer", "autumn", "winter", "spring"))
_NAME_VERBS = _WORDS["name_verbs"]


@dataclass(frozen=True, slots=True)
class NameSet:
    """The known names of one reply, ready for matching."""

    sequences: dict[str, tuple[tuple[tuple[str, ...], str], ...]]
    pieces: dict[str, str]
    long_pieces: tuple[str, ...]
    unspaced: tuple[str, ...]
    wordlike: frozenset[str]
    initials: frozenset[str]
    vocabulary: frozenset[str]

    def __bool__(self) -> bool:
        return bool(self.sequences or self.unspaced)


@lru_cache(maxsize=4096)
def compile_names(names: tuple[str, ...], lang: str) -> NameSet:
    """Fold known names and work out their pieces, nicknames and joined forms.

    Parameters
    ----------
    names : tuple of str
        Given name and surname apart, or full names.
    lang : {'en', 'es'}
        The text's language: it decides which names are ordinary words.

    Returns
    -------
    NameSet
    """
    vocabulary = load_words(lang)
    sequences: dict[str, set[tuple[tuple[str, ...], str]]] = {}
    pieces: dict[str, str] = {}
    unspaced: set[str] = set()

    def add(words: tuple[str, ...], role: str) -> None:
        if words:
            sequences.setdefault(words[0], set()).add((words, role))

    for at, name in enumerate(names):
        words = fold(name).words
        role = "given" if at == 0 else "family"
        if not words:
            continue
        if _UNSPACED.search(name):
            unspaced.add(fold(name).folded.strip())
            unspaced.update(words)
        if len(words) == 1 or not all(w in PARTICLES for w in words):
            add(words, role)
        solid = [w for w in words if (len(words) == 1 or w not in PARTICLES) and (len(w) > 1 or not w.isascii())]
        for k, word in enumerate(solid or words):
            own = "given" if at == 0 and k == 0 else ("family" if at or k == len(solid) - 1 else "given")
            if (word not in PARTICLES or len(words) == 1) and (len(word) > 1 or not word.isascii()):
                add((word,), own)
                pieces.setdefault(word, own)
        if len(words) > 1:
            add(("".join(words),), role)
            pieces.setdefault("".join(words), role)
    for word, role in list(pieces.items()):
        if role == "given":
            for nick in load_nicknames().get(word, ()):
                add((nick,), "nickname")
    wordlike = frozenset(w for w in {*pieces, *sequences} if w in vocabulary)
    return NameSet(
        {w: tuple(sorted(s, key=lambda x: (-len(x[0]), x[1] == "nickname", x))) for w, s in sequences.items()},
        pieces,
        tuple(sorted((p for p in pieces if len(p) >= 3), key=lambda p: (-len(p), p))),
        tuple(sorted(unspaced, key=lambda p: (-len(p), p))),
        wordlike,
        frozenset(w[0] for w in pieces),
        vocabulary,
    )


def _is_name_here(view: View, i: int, j: int) -> bool:
    """Whether an ordinary word at words i..j-1 stands as a name."""
    if not view.capital(i):
        return False
    raw = view.raw(i)
    shouted = len(raw) > 1 and raw.isupper()
    after, before = view.after(j - 1), view.before(i)
    following = view.words[j] if j < len(view.words) else ""
    previous = view.words[i - 1] if i else ""
    if after.startswith("'s") or (after == "'" and following == "s"):
        return True
    if (
        view.words[i] in _MONTHISH
        and not before.strip()
        and (
            previous
            in {
                "in",
                "by",
                "of",
                "until",
                "till",
                "since",
                "from",
                "your",
                "the",
                "this",
                "next",
                "last",
                "early",
                "late",
                "mid",
                "before",
                "after",
                "during",
                "on",
            }
            or following.isdigit()
            or (previous.isdigit() and before.strip() == "")
        )
    ):
        return False
    if view.opens_sentence(i) or (shouted and _neighbour_shouts(view, i, j)):
        ends = after[:1] in {",", ".", "!", "?", ":", ";", ""} and (
            i == 0 or bool(before.strip()) or after[:1] in {"", ".", "!"}
        )
        lone = after[:1] in {",", "!", ":", ";"} or (ends and after[:1] != "")
        dashed = after[:2] in {" -", "--"} or (before[-1:] == after[:1] == '"')
        verb = following in _NAME_VERBS or (following.endswith("ed") and len(following) > 4)
        return lone or dashed or (not shouted and verb and after.isspace())
    return True


def _neighbour_shouts(view: View, i: int, j: int) -> bool:
    near = [view.raw(k) for k in (i - 1, j) if 0 <= k < len(view.words)]
    return any(len(w) > 1 and w.isupper() for w in near)


def _hits(view: View, names: NameSet) -> Iterator[tuple[int, int, str]]:
    """Word ranges that are a known name or a piece of one."""
    i, words = 0, view.words
    while i < len(words):
        found = None
        for sequence, role in names.sequences.get(words[i], ()):
            j = i + len(sequence)
            if words[i:j] == sequence and all(_JOIN.fullmatch(view.between(k, k + 1)) for k in range(i, j - 1)):
                if (
                    len(sequence) == 1
                    and (words[i] in names.wordlike or role == "nickname")
                    and not _word_or_nick(view, i, names)
                ):
                    continue
                found = (i, j, role)
                break
        if found:
            yield found
            i = found[1]
        else:
            i += 1


def _word_or_nick(view: View, i: int, names: NameSet) -> bool:
    # "Grace Halvane wrote": beside the other part of the name, an ordinary word is the name at any place in a sentence.
    beside = view.words[i + 1] if i + 1 < len(view.words) else ""
    if beside in names.pieces and beside not in names.wordlike and view.capital(i) and _near(view, i + 1):
        return True
    if (
        i + 2 < len(view.words)
        and len(beside) == 1
        and view.between(i + 1, i + 2) in {". ", " "}
        and view.words[i + 2] in names.pieces
    ):
        return view.capital(i)
    if view.words[i] in names.vocabulary:
        return _is_name_here(view, i, i + 1) or _in_identifier(view, i, names)
    return view.capital(i)


def _in_identifier(view: View, i: int, names: NameSet) -> bool:
    """joy.fairweather, @grace, /u/mark: an ordinary word inside an address or a handle."""
    if view.before(i)[-1:] == "@" or view.after(i)[:1] == "@":
        return True
    for other, gap in ((i - 1, view.before(i)), (i + 1, view.after(i))):
        if (
            0 <= other < len(view.words)
            and gap in {".", "_", "-", "+"}
            and (view.words[other] in names.pieces or (view.words[other].isdigit() and gap == "_"))
        ):
            return True
    return False


def _merge(view: View, hits: list[tuple[int, int, str]], names: NameSet) -> Iterator[tuple[int, int, str]]:
    """Join given name, initials and surname that stand side by side."""
    at = 0
    while at < len(hits):
        i, j, role = hits[at]
        roles = [role]
        while True:
            following = hits[at + 1] if at + 1 < len(hits) else None
            if (following and following[0] == j and _near(view, j)) or (
                following
                and following[0] == j + 1
                and len(view.words[j]) == 1
                and view.capital(j)
                and _near(view, j)
                and view.between(j, j + 1) in {". ", " ", "."}
            ):
                j, at = following[1], at + 1
                roles.append(following[2])
            else:
                break
        if (
            i
            and len(view.words[i - 1]) == 1
            and view.capital(i - 1)
            and view.between(i - 1, i) in {". ", ".", " ", "-"}
        ):
            first = view.words[i - 1]
            if (first in names.initials and first not in {"a", "i"}) or "." in view.between(i - 1, i):
                i -= 1
                roles.insert(0, "initial")
                if i and len(view.words[i - 1]) == 1 and view.between(i - 1, i) in {". ", "."} and view.capital(i - 1):
                    i -= 1
        kinds = set(roles)
        if roles[0] == "initial":
            form = "initial+family"
        elif "given" in kinds and "family" in kinds:
            form = "full" if roles.index("given") < roles.index("family") else "reversed"
        else:
            form = roles[0]
        yield i, j, form
        at += 1


def _near(view: View, j: int) -> bool:
    gap = view.between(j - 1, j)
    return len(gap) <= 2 and (gap in {" ", "-", ".", "_", "", "+", "\n", " \n", "\r\n", "  "} or gap.isspace())


def _letters(raw: str) -> str:
    if len(raw) > 1 and raw.isupper():
        return ".upper"
    return ".lower" if raw.islower() else ""


def _span(view: View, start: int, end: int, form: str, kind: str = "name", rank: int = 60) -> Span:
    begin, until = view.source(start, end)
    raw = view.text[begin:until]
    return Span(begin, until, kind, PERSON, form + _letters(raw), KNOWN, True, rank)


def find_names(view: View, names: NameSet) -> list[Span]:
    """Find every mention of the known names.

    Parameters
    ----------
    view : View
        The folded text.
    names : NameSet
        What `compile_names` returned.

    Returns
    -------
    list of Span
        Possibly overlapping; all carry the same person.

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> known = compile_names(("Grace", "Nwosu"), "en")
    >>> found = find_names(fold("A grace period applies, Grace. Signed: G. NWOSU"), known)
    >>> [(s.start, s.end, s.form) for s in found]
    [(24, 29, 'given'), (39, 47, 'initial+family.upper')]
    """
    if not names:
        return []
    hits = list(_hits(view, names))
    spans = [_span(view, view.starts[i], view.ends[j - 1], form) for i, j, form in _merge(view, hits, names)]
    taken = {k for i, j, _ in hits for k in range(i, j)}
    for piece in names.unspaced:
        at = view.folded.find(piece)
        while at >= 0:
            spans.append(_span(view, at, at + len(piece), "given"))
            at = view.folded.find(piece, at + len(piece))
    for i, word in enumerate(view.words):
        if i in taken or len(word) < 3 or word in names.vocabulary or word.isdigit():
            continue
        form = _inside(view, i, word, names) or (
            resembles(word, names.pieces, names.vocabulary, capital=view.capital(i)) if len(word) <= 24 else None
        )
        if form:
            spans.append(_span(view, view.starts[i], view.ends[i], form))
    spans += _spelled(view, names) + _broken(view, names)
    return spans


def _inside(view: View, i: int, word: str, names: NameSet) -> str | None:
    """A name hidden in a longer word: a handle, a hashtag, an identifier, a family in the plural."""
    for piece in names.long_pieces:
        at = word.find(piece)
        if at < 0 or (len(piece) == 3 and not (view.before(i)[-1:] in {"@", "#"} or view.after(i)[:1] == "@")):
            continue
        head, tail = word[:at], word[at + len(piece) :]
        if not head and tail in _TAILS and len(piece) >= 4:
            return "plural" if tail in {"s", "es", "z"} else "nickname"
        if _identifier(view, i) or _camel(view, i, at, len(piece)):
            return "identifier"
        rest = head + tail
        if rest.isdigit() or any(other in rest for other in names.pieces if other != piece and len(other) >= 3):
            return "identifier"
        if len(head) == 1 and head in names.initials and not tail:
            return "identifier"
        if head in {"ms", "mr", "mrs", "team", "miss", "its", "iam", "the", "user"}:
            return "identifier"
    return None


def _identifier(view: View, i: int) -> bool:
    before, after = view.before(i), view.after(i)
    return (
        before[-1:] in {"@", "#", "_", "/", "\\", "=", "~"}
        or after[:1] in {"@", "_", "/", "\\"}
        or (bool(before) and before[-1] in ".-_" and not before[:-1])
        or (after[:1] in {".", "-"} and len(after) == 1)
    )


def _camel(view: View, i: int, at: int, size: int) -> bool:
    start, end = view.source(view.starts[i] + at, view.starts[i] + at + size)
    raw = view.text[start:end]
    follows = view.text[end : end + 1]
    return raw[:1].isupper() and not raw.isupper() and (at > 0 or follows.isupper() or follows == "_")


def _spelled(view: View, names: NameSet) -> list[Span]:
    """Names spelled out: T-H-U-Y, T. H. U. Y."""
    spans = []
    for found in _SPELLED.finditer(view.folded, timeout=_TIMEOUT):
        letters = [(found.start() + k, c) for k, c in enumerate(found.group()) if c.isalpha()]
        joined = "".join(c for _, c in letters)
        for piece in names.pieces:
            at = joined.find(piece) if len(piece) >= 3 else -1
            while at >= 0:
                start, end = letters[at][0], letters[at + len(piece) - 1][0] + 1
                spans.append(_span(view, start, end, "spelled"))
                at = joined.find(piece, at + len(piece))
    return spans


def _broken(view: View, names: NameSet) -> list[Span]:
    """Names cut in two by a line break."""
    if "\n" not in view.folded:
        return []
    return [
        _span(view, view.starts[i], view.ends[i + 1], "broken", rank=61)
        for i in range(len(view.words) - 1)
        if view.words[i] + view.words[i + 1] in names.pieces and _SPLIT.fullmatch(view.between(i, i + 1))
    ]
