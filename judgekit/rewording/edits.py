"""Where a text can be reworded by rule: every edit with its place, its new words and what it costs in tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import regex

from judgekit.rewording.articles import takes_an
from judgekit.rewording.rules import Rules, Swap
from judgekit.statistics.token_change import token_change

__all__ = ["Edit", "find_edits", "frozen_spans"]

TIMEOUT = 1.0
"""Seconds that one pattern may take on a text."""

_TOKEN = regex.compile(r"[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*|,")
_FROZEN = regex.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`"  # code
    r"|\[[^\]\n]{1,80}\]|<[^>\n]{1,200}>|\{[^}\n]{1,200}\}"  # placeholders and markup
    r"|\p{L}[\w+.-]*://\S+|www\.\S+|\S+@\S+|[@#]\w+"  # addresses, handles
    r"|\S*[\p{N}_/\\=]\S*"  # numbers, paths, codes
    r"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|\"[^\"\n]{1,300}\"",  # what somebody else said
    regex.DOTALL,
)
_SENTENCE = regex.compile(r"(?<![^\s])[^\s.!?][^.!?\n]{6,240}\.(?=\s|\Z)")
_OPENS = regex.compile(r"(?:\A|[.!?:]['\"”»)]*|\n)\s*[¡¿(]?\Z")
_INVERTED = frozenset(
    "you we i they he she it this that these those there the your our my a an any every everyone someone".split()  # noqa: SIM905
)
_FILLERS = frozenset(["already", "also", "just", "now", "recently", "always", "never"])


@dataclass(frozen=True, slots=True)
class Edit:
    """Characters ``start`` to ``end`` of a text may become ``new``; ``cost`` is the number of tokens that changes."""

    start: int
    end: int
    new: str
    cost: int


def frozen_spans(text: str) -> list[tuple[int, int]]:
    """Spans that no rule may touch: placeholders, markup, code, addresses, numbers, quotations.

    Parameters
    ----------
    text : str

    Returns
    -------
    list of (int, int)

    Raises
    ------
    TimeoutError
        The text takes too long.

    Examples
    --------
    >>> [("Call [PERSON_1] at `x`, 12.50 EUR")[a:b] for a, b in frozen_spans("Call [PERSON_1] at `x`, 12.50 EUR")]
    ['[PERSON_1]', '`x`', '12.50']
    """
    return [match.span() for match in _FROZEN.finditer(text, timeout=TIMEOUT)]


def find_edits(text: str, rules: Rules, *, frozen: Sequence[tuple[int, int]] = ()) -> list[Edit]:
    """Every edit that the rules allow; edits may overlap.

    Parameters
    ----------
    text : str
    rules : Rules
    frozen : sequence of (int, int)
        Spans beside `frozen_spans` that stay as they are, such as slots.

    Returns
    -------
    list of Edit
        In order of place.

    Raises
    ------
    TimeoutError
        The text takes too long.

    Examples
    --------
    >>> from judgekit.rewording.rules import rules_for
    >>> [edit.new for edit in find_edits("Perhaps it rains.", rules_for("en"))]
    ['Maybe']
    """
    closed = bytearray(len(text) + 1)
    for start, end in [*frozen_spans(text), *frozen]:
        closed[start:end] = b"\1" * (end - start)
    found = [*_swaps(text, rules, closed), *_moves(text, rules, closed)]
    return sorted(found, key=lambda e: (e.start, e.end, e.new))


def _edit(text: str, start: int, end: int, new: str) -> Edit:
    return Edit(start, end, new, token_change(text[start:end], new).distance)


# --- words ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Token:
    word: str
    start: int
    end: int


def _swaps(text: str, rules: Rules, closed: bytearray) -> Iterator[Edit]:
    tokens = [_Token(m.group().replace("’", "'").lower(), *m.span()) for m in _TOKEN.finditer(text, timeout=TIMEOUT)]
    at = 0
    while at < len(tokens):
        for length in range(min(rules.longest, len(tokens) - at), 0, -1):
            options = rules.swaps.get(tuple(t.word for t in tokens[at : at + length]))
            if options and _stands_free(text, tokens, at, length, closed):
                for swap in options:
                    new = _fitted(text, tokens, at, length, swap, rules)
                    if new is not None:
                        yield _edit(text, tokens[at].start, tokens[at + length - 1].end, new)
                at += length - 1
                break
        at += 1


def _stands_free(text: str, tokens: Sequence[_Token], at: int, length: int, closed: bytearray) -> bool:
    """Whole words on one line, one blank between them, outside of anything that stays as it is."""
    start, end = tokens[at].start, tokens[at + length - 1].end
    if any(closed[start:end]):
        return False
    for before, after in zip(tokens[at : at + length - 1], tokens[at + 1 : at + length], strict=True):
        if text[before.end : after.start] != ("" if after.word == "," else " "):
            return False
    around = text[start - 1 : start] + text[end : end + 1]
    if any(c.isalnum() or c in "-_/@#&'’*" for c in around):
        return False
    return not (text[end : end + 1] == "." and text[end + 1 : end + 2].isalnum())


def _opens_sentence(text: str, start: int) -> bool:
    return bool(_OPENS.search(text, max(0, start - 12), start, timeout=TIMEOUT)) if start else True


def _fitted(text: str, tokens: Sequence[_Token], at: int, length: int, swap: Swap, rules: Rules) -> str | None:
    """The new words in the case and the grammar of their place; None where they do not fit."""
    start, end = tokens[at].start, tokens[at + length - 1].end
    old = text[start:end]
    capital = old[:1].isupper() and not old.startswith(("I ", "I'", "I’"))
    opens = _opens_sentence(text, start)
    if (capital and not opens) or (old.endswith(",") and not opens):
        return None
    if any(c.isupper() for c in old[1:].replace(" I ", " ")):
        return None
    if not (_neighbours_fit(text, tokens, at, length, swap, rules) and _joins(text, start, end, swap.to, rules.lang)):
        return None
    new = swap.to.replace("'", "’") if "’" in text and "'" not in text else swap.to
    return new[:1].upper() + new[1:] if capital else new


def _neighbours_fit(text: str, tokens: Sequence[_Token], at: int, length: int, swap: Swap, rules: Rules) -> bool:
    start, end = tokens[at].start, tokens[at + length - 1].end
    following = text[end : end + 40].lstrip(" ")
    has_next = at + length < len(tokens) and not text[end : tokens[at + length].start].strip(" ")
    later = tokens[at + length].word if has_next else ""
    has_before = at > 0 and not text[tokens[at - 1].end : start].strip(" ")
    before = tokens[at - 1].word if has_before else ""
    if swap.next and later not in swap.next and not ("#" in swap.next and following[:1].isdigit()):
        return False
    if swap.after and before not in swap.after:
        return False
    if swap.end and following[:1] not in {"", ".", ",", ";", "!", "?", "\n"}:
        return False
    if swap.no_inversion and (later in _INVERTED or following[:1] == "["):
        return False
    if swap.verb_follows and (not later or later == ","):
        return False
    return swap.participle is None or _participle(tokens, at + length, rules) is swap.participle


def _participle(tokens: Sequence[_Token], at: int, rules: Rules) -> bool:
    while at < len(tokens) and tokens[at].word in _FILLERS:
        at += 1
    word = tokens[at].word if at < len(tokens) else ""
    return word in rules.participles or (word.endswith("ed") and len(word) > 4)


def _joins(text: str, start: int, end: int, new: str, lang: str) -> bool:
    """Whether small words beside it keep their form: a and an, y and e, al and del."""
    before = text[max(0, start - 4) : start].split()
    last = before[-1].lower() if before and text[start - 1 : start] == " " else ""
    if lang == "en":
        return last not in {"a", "an"} or (last == "an") == takes_an(new)
    if last in {"y", "o", "e", "u"}:
        sound = new.lower().removeprefix("h")
        if (sound[:1] == "i" and last in "ye") or (sound[:1] == "o" and last in "ou") or last in "eu":
            return False
    following = text[end : end + 4].split()
    return not (new.rsplit(maxsplit=1)[-1] in {"a", "de"} and following[:1] == ["el"])


# --- clauses -------------------------------------------------------------------------------------------------------


def _moves(text: str, rules: Rules, closed: bytearray) -> Iterator[Edit]:
    for match in _SENTENCE.finditer(text, timeout=TIMEOUT):
        start, end = match.span()
        if any(closed[start:end]) or not _opens_sentence(text, start):
            continue
        body = text[start : end - 1]
        for new in (*_conditional(body, rules), *_moved(body, rules)):
            yield _edit(text, start, end, f"{new}.")


def _conditional(body: str, rules: Rules) -> Iterator[str]:
    word = rules.conditional
    if body.count(",") == 1 and body.lower().startswith(f"{word} "):
        clause, _, main = body.partition(", ")
        if _opens_with(main, rules.main_openings):
            yield f"{_capital(main)} {clause[:1].lower()}{clause[1:]}"
    elif "," not in body and body.count(f" {word} ") == 1 and _opens_with(body, rules.main_openings):
        main, _, clause = body.partition(f" {word} ")
        lowered = _lowered(main, rules)
        if lowered is not None:
            yield f"{_capital(word)} {clause}, {lowered}"


def _moved(body: str, rules: Rules) -> Iterator[str]:
    if body.count(",") > 1:
        return
    for phrase in rules.movable:
        opening, closing = f"{_capital(phrase)}, ", f" {phrase}"
        if body.startswith(opening) and "," not in body[len(opening) :]:
            yield f"{_capital(body[len(opening) :])} {phrase}"
        elif body.endswith(closing) and "," not in body:
            lowered = _lowered(body[: -len(closing)], rules)
            if lowered is not None:
                yield f"{opening}{lowered}"


def _opens_with(body: str, openings: Sequence[str]) -> bool:
    lowered = body.lower()
    return any(lowered == o.lower() or lowered.startswith(f"{o.lower()} ") for o in openings)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lowered(text: str, rules: Rules) -> str | None:
    """The clause inside a sentence; None where its first word may be a name."""
    first = text.split(" ", maxsplit=1)[0]
    if first == "I" or first.startswith(("I'", "I’")):
        return text
    return text[:1].lower() + text[1:] if first.lower() in rules.plain_openings else None
