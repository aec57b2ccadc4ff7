"""Words that the verifier takes for no cue: in a title, in a foreign phrase that is quoted, as an abbreviation."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from collections.abc import Iterator

import regex

from judgekit.verification.reading import TOKEN, Flat

__all__ = ["excused_mentions"]

_QUOTE = regex.compile(r"[\"“](?P<inside>[^\"“”\n\x00]{1,60})[\"”]")
_ART = regex.compile(
    r"\b(?:films?|movies?|novels?|books|songs?|albums?|series|sitcoms?|musicals?|operas?|playlist|episodes?|dis[ck]s?|dvds?|rated|poems?|comics?|"
    r"soundtrack|trilogy|bestseller|paperback|screenings?|(?:the|a|this|that|our) (?:book|play|track|single|chapter|title))\b"
)
_TONGUE = regex.compile(
    r"\b(?:latin|german|turkish|danish|swedish|norwegian|dutch|french|italian|portuguese|spanish|finnish|estonian|hungarian|polish|czech|slovak|"
    r"croatian|serbian|romanian|albanian|icelandic|irish|welsh|basque|catalan|greek|russian|arabic|hindi|urdu|persian|malay|indonesian|swahili|"
    r"hausa|yoruba|zulu|english|japanese|korean|chinese)\b(?P<gap>[^.!?\n]{0,48})$"
)
_SPEAKING = frozenset("said says say wrote writes asked told replied client customer patient clerk".split())
_LOUD = frozenset(("she", "he", "her", "hers", "his", "him"))
_LITTLE = frozenset("a an the of and in on to for with at from or but by is s".split())
_STANDS = regex.compile(
    r" (?:is|are|was) (?:short|(?:an?|the) (?:acronym|abbreviation)) (?:for|of)\b| stands? for (?!election|parliament|office|re-)"
)


def excused_mentions(flat: Flat, limit: float) -> set[int]:
    """Places of a masked text where a pronoun or a family word speaks of nobody.

    Parameters
    ----------
    flat : Flat
        The folded output.
    limit : float
        Seconds that a pattern may take.

    Returns
    -------
    set of int
        Places in the folded text.

    Raises
    ------
    TimeoutError
        When a pattern takes longer.

    Examples
    --------
    >>> from judgekit.verification.reading import flatten
    >>> flat = flatten('The film "Her" is out; "her film", she said.', (), 1.0)
    >>> sorted(excused_mentions(flat, 1.0))
    [10, 11, 12]
    """
    out: set[int] = set()
    last = -1
    for found in _QUOTE.finditer(flat.chars, timeout=limit):
        start, end = found.span("inside")
        line = max(flat.chars.rfind(mark, 0, start) for mark in (". ", "! ", "? ", "\n")) + 1
        before = flat.chars[line : start - 1]
        if _named_work(flat, start, end, before, limit):
            out.update(range(start, end))
        elif end - start <= 30 and (_foreign(before, limit) or (last > line and start - last < 60)):
            out.update(range(start, end))
            last = end
    loud = [token for token in flat.words if token[0] in _LOUD]
    explained = {word for word, start, end in loud if _spelt_out(flat, word, start, end, limit)}
    for word, start, end in loud:
        if _upper(flat, start, end) and not _loud_beside(flat, start, end):
            strain = flat.chars[end : end + 1] == "-" and flat.chars[end + 1 : end + 2].isdigit()
            if word in explained or strain or word == "he":
                out.update(range(start, end))
    return out


def _named_work(flat: Flat, start: int, end: int, before: str, limit: float) -> bool:
    tokens = [(m.group(), start + m.start()) for m in TOKEN.finditer(flat.chars[start:end], timeout=limit)]
    if not tokens or len(tokens) > 8 or not flat.shown[flat.origin[tokens[0][1]]].isupper():
        return False
    if any(
        word not in _LITTLE and not flat.shown[flat.origin[at]].isupper() and not word.isdigit() for word, at in tokens
    ):
        return False
    around = flat.chars[max(0, start - len(before) - 80) : start] + " " + flat.chars[end : end + 80].split("\n")[0]
    return _ART.search(around, timeout=limit) is not None


def _foreign(before: str, limit: float) -> bool:
    found = _TONGUE.search(before, timeout=limit)
    return found is not None and _SPEAKING.isdisjoint(found.group("gap").split())


def _upper(flat: Flat, start: int, end: int) -> bool:
    return flat.shown[flat.origin[start] : flat.origin[end - 1] + 1].isupper()


def _loud_beside(flat: Flat, start: int, end: int) -> bool:
    """Whether a word beside is in capitals too, as in a shouted sentence; placeholders are none."""
    left = flat.chars[max(0, start - 24) : start].rstrip(" ,")
    right = end + len(flat.chars[end : end + 3]) - len(flat.chars[end : end + 3].lstrip(" ,"))
    base = max(0, start - 24)
    near = [(base, m) for m in TOKEN.finditer(left, timeout=1.0) if m.end() == len(left)]
    behind = TOKEN.match(flat.chars, right, timeout=1.0)
    spans = [(at + m.start(), at + m.end()) for at, m in near] + ([behind.span()] if behind else [])
    return any(
        b - a > 1 and flat.chars[a:b] not in _LOUD and flat.chars[a:b].isalpha() and _upper(flat, a, b)
        for a, b in spans
    )


def _initials(text: str) -> Iterator[str]:
    for word in text.replace("-", " ").split():
        plain = word.strip("(),.;:")
        if plain and plain not in _LITTLE:
            yield plain[0]


def _spelt_out(flat: Flat, word: str, start: int, end: int, limit: float) -> bool:
    """HIS is short for ..., SHE means safety, health and environment, hospital information system (HIS)."""
    if not _upper(flat, start, end):
        return False
    if _STANDS.match(flat.chars, end, timeout=limit):
        return True
    if len(word) < 3:
        return False
    after = flat.chars[end : end + 80].removeprefix(" means").lstrip(" :(=-")
    if "".join(_initials(after))[: len(word)] == word:
        return True
    return flat.chars[max(0, start - 1) : start] == "(" and "".join(
        _initials(flat.chars[max(0, start - 80) : start - 1])
    ).endswith(word)
