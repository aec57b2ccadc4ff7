"""Initials of known people, and what belongs to a name after it: Jr., III, the Third, hijo."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import regex

from judgekit.blinding.candidates import Lists
from judgekit.blinding.cues import rule_words
from judgekit.blinding.fold import Span, View, patience
from judgekit.blinding.known import NameSet

__all__ = ["announced_initials", "honoured", "known_initials", "with_suffixes"]

_WORDS = rule_words("names")
_ABBREVIATIONS = _WORDS["abbreviations"]
_HUMAN_VERBS = _WORDS["human_verbs"]
_DOTTED = regex.compile(r"(?<![\p{L}\p{N}.])\p{L}(?:\.[ -]?\p{L}){1,3}(?![\p{L}\p{N}])\.?")
_SUFFIX = regex.compile(
    r"(?:,? )(?:(?:jr|jnr|snr|sr|esq)\b\.?(?=$|[^\p{L}\p{N}])|(?:ii|iii|iv|vi|vii|viii)\b|(?:2nd|3rd|4th|5th)\b|junior\b|senior\b"
    r"|the (?:second|third|fourth|fifth|elder|younger|first)\b)"
)
_SUFFIX_ES = regex.compile(r",? (?:hijo|padre|hija|madre|el joven|el viejo)(?= *(?:$|[,.;:)\n]))")
_TIMEOUT = 1.0
# Akemi-chan, Padmini-ji, Ayşe Hanım: titles that stand behind the name.
_HONOUR = regex.compile(
    r"(?:-(?:san|chan|kun|sama|sensei|senpai|sempai|dono|ji|bhai|ben|behn|bai|didi|da|dada|jan|joon|nim|ssi|hanim|bey|abla|abi|agabey|efendi|"
    r"saheb|sahib|sahab|sahiba|garu|anna|akka|amma|dai|xiansheng|xiaojie|nushi|laoshi|ge|jie|shifu|aka|opa|apa|khanum|khan|agha|zade|tan|chin|hime)"
    r"| (?:san|chan|kun|sama|sensei|senpai|ji|bhai|didi|hanim|bey|efendi|saheb|sahib|sahab|garu|xiansheng|laoshi|khanum|agha|jan|joon))\b(?!\p{L})"
)


def known_initials(view: View, names: NameSet) -> Iterator[tuple[int, int]]:
    """Initials that stand for the known given name and surname: T. B., J.M.R.

    Parameters
    ----------
    view : View
        The folded text.
    names : NameSet
        The known names.

    Yields
    ------
    (int, int)
        Stretches of the folded text.

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> from judgekit.blinding.known import compile_names
    >>> view = fold("Letter for T. B.: the U.S. office, P.S. included")
    >>> [view.text[a:b] for a, b in known_initials(view, compile_names(("Tomasz", "Brandt"), "en"))]
    ['T. B.']
    """
    given, family = names.initials_of("given"), names.initials_of("family")
    if not given or not family:
        return
    for found in _DOTTED.finditer(view.folded, timeout=patience(view.folded)):
        letters = "".join(c for c in found.group() if c.isalpha())
        first = view.source(found.start(), found.start() + 1)[0]
        if not view.text[first].isupper():
            continue
        straight = letters[0] in given and letters[-1] in family
        if not (straight or (len(letters) == 2 and letters[0] in family and letters[-1] in given)):
            continue
        following = regex.match(r"['’]?s?\s*(\p{L}*)", view.folded[found.end() : found.end() + 40], timeout=_TIMEOUT)
        after = following.group(1) if following else ""
        digit = view.folded[: found.start()].rstrip()[-1:].isdigit()
        if letters in _ABBREVIATIONS and after not in _HUMAN_VERBS:
            continue
        if digit and letters in {"am", "pm"}:
            continue
        # "the A.I. tool": an abbreviation before a noun.
        article = view.folded[max(0, found.start() - 6) : found.start()].split(" ")[-2:-1]
        if article and article[0] in {"the", "a", "an", "our", "el", "la", "un", "una"} and after not in _HUMAN_VERBS:
            continue
        end = found.end()
        # The last point ends the sentence when nothing but a new sentence follows.
        if view.folded[end - 1] == "." and not view.folded[end:].strip():
            end -= 1 if len(view.folded[found.start() : end].split(".")) > 3 else 0
        yield found.start(), end


_ANNOUNCED = regex.compile(
    r"\b(?:initials?|initialled|initialed|monogram|signed(?: for)?(?: by)?|iniciales)\b(?:[^.\n]|\.(?=\p{L}\.)){0,32}?[\s:\"'(]\K\p{L}\.(?: ?\p{L}\.){1,2}"
)


def announced_initials(view: View, lists: Lists) -> Iterator[tuple[int, int]]:
    """Initials of somebody whose name is not known, behind the word for them: Initials on the sheet: L.B.

    Parameters
    ----------
    view : View
        The folded text.
    lists : Lists
        What is no name by itself.

    Yields
    ------
    (int, int)
        First word and the word after the last: a surname behind the initials is taken in.

    Examples
    --------
    >>> from judgekit.blinding.candidates import lists_of
    >>> from judgekit.blinding.fold import fold
    >>> view = fold("Initials on the sheet: L.B. in the U.S. office")
    >>> list(announced_initials(view, lists_of(view, "en")))
    [(4, 6)]
    """
    if "." not in view.folded:
        return
    at = {start: k for k, start in enumerate(view.starts)}
    for found in _ANNOUNCED.finditer(view.folded, timeout=patience(view.folded)):
        first = at.get(found.start())
        letters = [c for c in found.group() if c.isalpha()]
        if first is not None and all(view.capital(k) for k in range(first, first + len(letters))):
            last = first + len(letters)
            named = (
                last < len(view.words)
                and view.capital(last)
                and view.before(last) == ". "
                and lists.unknown(view.words[last])
            )
            yield first, last + named


def with_suffixes(view: View, spans: Sequence[Span], lang: str) -> list[Span]:
    """Names together with the generational suffix that follows them.

    Parameters
    ----------
    view : View
        The folded text.
    spans : sequence of Span
        What was found.
    lang : str
        The text's language.

    Returns
    -------
    list of Span
        Only the names that grew, ranked above what they replace.
    """
    grown = []
    for span in spans:
        last = view.ending_at.get(span.end) if span.kind == "name" else None
        if last is None:
            continue
        at = view.ends[last]
        end = at
        for pattern in (_SUFFIX, _SUFFIX_ES) if lang == "es" else (_SUFFIX,):
            found = pattern.match(view.folded, at, timeout=_TIMEOUT)
            if found and _is_suffix(view, at, found.end()):
                end = max(end, found.end() - _ends_sentence(view, found.end()))
        honour = _HONOUR.match(view.folded, at, timeout=_TIMEOUT)
        if honour and (honour.group()[0] == "-" or not view.capital(last + 1) or view.words[last + 1] in _WESTERN):
            end = max(end, honour.end())
        if end > at:
            grown.append(replace(span, end=view.source(at, end)[1], form=span.form + "+suffix", rank=span.rank + 3))
    return grown


def honoured(view: View, last: int) -> bool:
    """Whether a title that stands behind names follows a word: Orhan Bey, Meena-ji.

    Parameters
    ----------
    view : View
        The folded text.
    last : int
        The word.

    Returns
    -------
    bool

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> honoured(fold("Thanks, Orhan Bey."), 1), honoured(fold("The Orhan bay"), 1)
    (True, False)
    """
    following = view.words[last + 1] if last + 1 < len(view.words) else ""
    if following not in _BEHIND or not view.capital(last):
        return False
    gap = view.after(last)
    return (gap == "-" and not view.capital(last + 1)) or (
        gap == " " and following in _WESTERN and view.capital(last + 1)
    )


_BEHIND = frozenset(
    (
        "san",
        "sama",
        "kun",
        "chan",
        "ji",
        "ssi",
        "nim",
        "hanim",
        "bey",
        "efendi",
        "khanum",
        "sahib",
        "saheb",
        "garu",
        "sensei",
    )
)
_WESTERN = frozenset(("hanim", "bey", "efendi", "khanum", "sahib", "saheb", "garu", "sensei"))


def _ends_sentence(view: View, end: int) -> bool:
    """Whether the point of "Jnr." also ends the sentence; it stays then."""
    if view.folded[end - 1] != ".":
        return False
    rest = view.folded[end : end + 3]
    if not rest.strip():
        return True
    following = end + len(rest) - len(rest.lstrip())
    return following > end and view.text[view.source(following, following + 1)[0]].isupper()


def _is_suffix(view: View, start: int, end: int) -> bool:
    """Senior Developer and "Sr. López" are no suffixes of the name before."""
    word = view.folded[start:end].strip(" ,.")
    first = view.source(start, end)[0]
    raw = view.text[first : view.source(start, end)[1]].strip(" ,")
    tail = regex.match(r" (\p{L}+)", view.folded[end : end + 30], timeout=_TIMEOUT)
    capital = bool(tail) and view.text[view.source(end + 1, end + 2)[0]].isupper()
    if word in {"junior", "senior"}:
        return raw[:1].isupper() and not (capital and bool(tail))
    if word == "sr":
        return raw[:1].isupper() and not (capital and view.folded[start:end].startswith(","))
    if word in {"ii", "iii", "iv", "vi", "vii", "viii"}:
        return raw.isupper()
    if word.startswith("the "):
        return raw[4:5].isupper()
    return True
