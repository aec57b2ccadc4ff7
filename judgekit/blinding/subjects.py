"""Which slots speak of the person whose identity is swapped, and which of somebody else.

A swap must not turn "your husband Narciso, so he can" into another person's pronouns. Without a parser this is decided
by what was named last: the reply's own person, or somebody else.
"""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import regex

from judgekit.blinding.fold import Span, View
from judgekit.blinding.names import KNOWN
from judgekit.records import Slot

__all__ = ["attribute", "owned"]

_T = 1.0
_OWNED = regex.compile(
    r"\b(?:my|your|his|her|their|our|its|whose|su|sus|tu|tus|mi|mis|nuestr[oa]s?)(?:\s+\p{L}+){0,1}\s+$"
)
_AS = regex.compile(
    r"(?:\bas an?|\byou(?:'re| are| were)(?: such)? an?|\bis an?|\bwas an?|\bbecame an?|\bcomo(?: un[ao]?)?|\bes(?: usted)?(?: un[ao]?)?|\beres(?: un[ao]?)?|\bsoy(?: un[ao]?)?|"
    r"\ban? good|\b\S+[- ]year[- ]old|\bsingle|\bnew|\bestimad[oa]|\bquerid[oa])(?:\s+[\p{L}-]+){0,2}\s+$"
)
_FEMALE = frozenset("she her hers herself ella ellas".split())
_MALE = frozenset("he him his himself el ellos".split())
_ALONE = frozenset(("agreement", "clitic", "article"))


def attribute(view: View, spans: Sequence[Span], lang: str) -> list[Span]:
    """Set ``subject`` on every span.

    Parameters
    ----------
    view : View
        The folded text.
    spans : sequence of Span
        Settled spans in text order.
    lang : str
        The text's language.

    Returns
    -------
    list of Span
        The same spans, with ``subject`` decided.
    """
    out: list[Span] = []
    speaks_of_subject = True
    gender: str | None = None
    for at, span in enumerate(spans):
        following = spans[at + 1] if at + 1 < len(spans) else None
        subject = span.subject
        if span.kind == "name":
            subject = speaks_of_subject = span.person == KNOWN
        elif span.kind == "title":
            subject = not _before_other(span, following)
        elif span.kind == "gendered":
            subject = _noun(view, span, speaks_of_subject)
            if not subject:
                speaks_of_subject = False
        elif span.kind == "pronoun":
            own = _gender(view.text[span.start : span.end])
            subject = speaks_of_subject and (gender is None or own in {None, gender})
            if subject and own and not span.form.startswith("slash"):
                gender = own
        elif span.kind in _ALONE:
            subject = _alone(span, out, following, lang)
        out.append(span if subject == span.subject else replace(span, subject=subject))
    return _articles(out)


def _gender(surface: str) -> str | None:
    word = surface.split("'", maxsplit=1)[0].split("’", maxsplit=1)[0].casefold()
    return "f" if word in _FEMALE else "m" if word in _MALE or word == "él" else None


def _before_other(span: Span, following: Span | None) -> bool:
    near = following is not None and following.kind == "name" and following.start - span.end <= 2
    return bool(near and following and following.person != KNOWN)


def _noun(view: View, span: Span, speaks_of_subject: bool) -> bool:
    """Whether a gendered noun describes the subject: "as a mother of two", "You've got this, girl"."""
    before = view.text[max(0, span.start - 60) : span.start]
    folded = before.casefold()
    if _OWNED.search(folded, timeout=_T):
        return False
    if _AS.search(folded, timeout=_T):
        return speaks_of_subject or "you" in folded or " as " in f" {folded}"
    after = view.text[span.end : span.end + 1]
    return before.rstrip().endswith((",", "¡")) and after in {"", ".", ",", "!", "?", "\n"}


def _alone(span: Span, before: Sequence[Span], following: Span | None, lang: str) -> bool:
    if lang == "en":
        return bool(before) and before[-1].kind == "pronoun" and before[-1].subject
    neighbour = before[-1] if before else None
    if neighbour is not None and neighbour.kind == "gendered" and span.start - neighbour.end <= 1:
        return neighbour.subject
    if following is not None and following.kind == "name" and following.start - span.end <= 1:
        return following.person == KNOWN
    return True


def _articles(spans: list[Span]) -> list[Span]:
    """An article or adjective goes with the noun or title it stands before."""
    for at in range(len(spans) - 2, -1, -1):
        span, following = spans[at], spans[at + 1]
        if (
            span.kind in {"article", "agreement"}
            and following.kind in {"gendered", "title", "agreement"}
            and following.start - span.end <= 1
        ):
            spans[at] = replace(span, subject=following.subject)
    return spans


_OWNED_KINDS = frozenset({"pronoun", "title", "agreement", "clitic", "article"})


def owned(slots: Sequence[Slot]) -> list[Slot]:
    """Give pronouns, titles and what agrees with them the number of the person they speak of, where one is named.

    Parameters
    ----------
    slots : sequence of Slot
        In order, context before text.

    Returns
    -------
    list of Slot
    """
    known = next((s.person for s in slots if s.subject and s.person is not None), None)
    done: list[Slot] = []
    last: tuple[str, int] | None = None
    for slot in slots:
        if slot.person is not None:
            last = None if slot.subject else (slot.field, slot.person)
        elif slot.kind in _OWNED_KINDS:
            other = last[1] if last is not None and last[0] == slot.field else None
            slot = replace(slot, person=known if slot.subject else other)  # noqa: PLW2901 - the loop's own record
        done.append(slot)
    return done
