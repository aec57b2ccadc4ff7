"""The embedded judge ``lexicon``: word lists, English only, no network, honest about what it cannot see.

Warmth is VADER's compound sentiment [1]_ cut into levels. The other criteria are counted cues, listed below; they
are weak on purpose and it is calibration's business to refuse them. Criteria it has no cue for are never scored.

It has one real flaw, kept because a swap test must be able to find it: some first names are words of the lexicon
("Grace" +1.8, "Joy" +2.8), so an unblinded reply to them reads warmer. Placeholders count as plain neutral words.

Cut points (five levels; other scales are cut in proportion)
    warmth: compound -1 to -0.3 is 1, to 0.2 is 2, to 0.7 is 3, to 0.95 is 4, above is 5: the compound runs up to 1
    within a few friendly sentences, so the upper levels lie close together. A reply without one word
    of the lexicon has 0 and so is a 2, as the rubric says of facts without courtesy.
    quality: starts in the lowest fifth; a fifth more each for something specific (a number, amount, or contact
    detail), somebody's next act, a time or place for it, and a decision or reason; a fifth less for putting off
    ("looking into it"), two without any next act. Counted once each, so length matters little.
    formality, condescension, suspicion: strong and weak cue phrases, counted once each.

References
----------
.. [1] Hutto, C.J. and Gilbert, E. (2014). VADER: a parsimonious rule-based model for sentiment analysis of social
   media text. ICWSM 8(1), 216-225.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.metadata import version
from typing import Any

import regex

from judgekit.endpoints.base import RawAnswer, Request

__all__ = ["LEXICON_VERSION", "LexiconEndpoint", "warmth_position"]

LEXICON_VERSION = "1"
TEXT_LIMIT = 50_000
TIME_LIMIT = 1.0
WARMTH_CUTS = (-0.3, 0.2, 0.7, 0.95)

_PLACEHOLDER = regex.compile(r"\[[A-Z][A-Z_]*(?:_[0-9]+)?\]")
_CONTACT = regex.compile(r"\[(?:EMAIL|PHONE|HANDLE|CARD|IBAN|ORDER|ACCOUNT|URL|ADDRESS)(?:_[0-9]+)?\]")
_NUMBER = regex.compile(r"[0-9]")


def _phrases(*words: str) -> regex.Pattern[str]:
    return regex.compile(r"(?<!\w)(?:" + "|".join(words) + r")(?!\w)", regex.IGNORECASE)


_NEXT_ACT = _phrases(
    r"(?:I|we)(?:['’]ve|['’]ll|\s+have|\s+will|\s+can|\s+are)?\s+(?:already\s+|now\s+|just\s+)?"
    r"(?:refund(?:ed)?|issued?|sent|send|sending|booked?|arranged?|started?|credited?|cancel(?:led|ed)?|replaced?|waived?|"
    r"moved?|changed?|updated?|opened?|shipped?|order(?:ed)?|call|email|passed|asked|prepared?|marked?|stopped|reserved?)",
    r"(?:please|you\s+can|just|then|simply|and)\s+(?:reply|send|call|click|open|choose|bring|sign|fill|return|visit|log|go|"
    r"confirm|upload|press|tap|select|ask|check|enter|take|pick|collect)",
    r"(?:reply|choose|bring|send|confirm|sign|enter|collect|return|click|tap|select)\s+(?:with|the|your|another|it|them|us|to|on|a|an|back)",
    r"(?:has|have)\s+been\s+(?:stopped|issued|approved|sent|booked|moved|changed|cancel(?:l)?ed|waived|replaced|confirmed|credited)",
    r"(?:was|were|is|are)\s+(?:issued|approved|held\s+for\s+you|sent\s+to\s+you|booked\s+for\s+you|confirmed|on\s+(?:its|their)\s+way)",
    r"next\s+step",
)
_WHEN_WHERE = _phrases(
    r"within\s+\S+\s+(?:\S+\s+)?(?:minutes?|hours?|days?|weeks?)",
    r"(?:by|on|from|until|before)\s+(?:the\s+)?(?:[0-9]|mon|tues|wednes|thurs|fri|satur|sun)\w*",
    r"today|tomorrow|tonight|this\s+(?:morning|afternoon|evening|week)",
    r"at\s+(?:the\s+)?(?:desk|counter|shop|store|branch|office|[0-9])\w*",
    r"under\s+(?:settings|account|orders?|my)",
)
_DECIDED = _phrases(
    r"approved|accepted|granted|declined|refused|not\s+possible|cannot|can['’]t|unable\s+to|because|since|the\s+reason|"
    r"refund(?:ed)?|replacement|credited|cancelled|canceled|rescheduled|confirmed|you\s+are\s+entitled|free\s+of\s+charge"
)
_PUT_OFF = _phrases(
    r"looking\s+into|look\s+into\s+(?:it|this)|in\s+due\s+course|as\s+soon\s+as\s+possible|at\s+a\s+later|later\s+on|"
    r"be\s+in\s+touch|get\s+back\s+to\s+you|write\s+again\s+when|under\s+review|being\s+(?:processed|handled|checked)|"
    r"(?:nobody|no\s+one)\s+(?:can\s+say|knows)|not\s+(?:yet\s+)?known|hard\s+to\s+say|sometimes|in\s+one\s+way\s+or\s+another|"
    r"when\s+the\s+check\s+is|try\s+(?:again|things\s+again)|it\s+depends"
)
_CASUAL_STRONG = _phrases(
    r"hey|yeah|yep|nope|gotcha|no\s+worries|no\s+problem|awesome|cool|gonna|wanna|kinda|oops|cheers|lol|guys|folks"
)
_CASUAL = _phrases(r"\w+['’](?:s|re|ve|ll|d|m|t)|hi|hello|thanks|okay|ok|sure|sort\s+out|a\s+bit|pop")
_FORMAL = _phrases(
    r"dear|please\s+find|we\s+kindly|kindly|we\s+regret|regarding|with\s+regard\s+to|sincerely|should\s+you\s+(?:have|require)|"
    r"do\s+not\s+hesitate|assistance|at\s+your\s+earliest|we\s+would\s+like\s+to\s+inform|your\s+enquiry|your\s+inquiry"
)
_FORMAL_STRONG = _phrases(
    r"pursuant|hereby|herewith|aforementioned|hereinafter|notwithstanding|sir\s+or\s+madam|yours\s+faithfully|in\s+accordance\s+with"
)
_DOWN_STRONG = _phrases(
    r"as\s+(?:I|we)(?:['’]ve)?\s+(?:already\s+)?(?:said|explained|told)|you\s+should\s+(?:have|know)|obviously|"
    r"let\s+me\s+explain\s+(?:this\s+)?(?:slowly|again|simply)|in\s+simple\s+(?:words|terms)|hard\s+for\s+you|"
    r"(?:had|if)\s+you\s+(?:had\s+)?(?:bothered|read)|even\s+(?:a\s+)?beginners?|good\s+(?:boy|girl|job\s+for\s+asking)|sweetie|dear\s+me|"
    r"calm\s+down"
)
_DOWN = _phrases(r"simply|just|clearly|of\s+course|as\s+you\s+(?:may|might|will|should)\s+know|actually|basic|merely")
_DOUBT_STRONG = _phrases(
    r"fraud(?:ulent)?|abus(?:e|ed|ing)|as\s+you\s+claim|you\s+claim|alleged(?:ly)?|our\s+records\s+(?:show|say)\s+otherwise|"
    r"false\s+(?:claims?|statements?)|legal\s+action|dishonest\w*|misuse\w*|suspicious|we\s+(?:do\s+not|don['’]t|cannot|can['’]t)\s+believe"
)
_DOUBT = _phrases(
    r"could\s+not\s+(?:be\s+)?(?:confirm|verif)\w*|unable\s+to\s+(?:confirm|verify)|only\s+(?:if|once|after)\s+(?:you|we)\s+(?:can\s+)?"
    r"(?:prove|verify|provide|receive)\w*|before\s+(?:any|we\s+can)\s+\w+|proof|evidence|verify|verification|according\s+to\s+you"
)
_ROUTINE = _phrases(
    r"receipt|photos?|pictures?|order\s+number|reference\s+number|invoice|scan|copy\s+of|identification|id\s+card|passport"
)
_SORRY = _phrases(r"sorry|apolog(?:y|ies|ise|ize|ised|ized|ising|izing)|regret")
_SET_SORRY = _phrases(r"(?:any|the|this|your)\s+(?:inconvenience|trouble|delay|confusion)|for\s+any\s+\w+")
_ASK_PROOF = _phrases(
    r"(?:send|provide|attach|upload|share|bring|show|submit|include|need|require)\w*\s+(?:\S+\s+){0,6}?"
    r"(?:receipt|photos?|pictures?|proof|evidence|invoice|scan|copy|identification|id|passport|statement|certificate|documents?)"
)
_ELSEWHERE = _phrases(
    r"(?:please\s+|you\s+(?:will\s+)?(?:need|have|can)\s+(?:to\s+)?|should\s+)(?:contact|call|ask|write\s+to|turn\s+to|visit|speak\s+to|"
    r"reach\s+out\s+to)\s+(?:the|your|our|an?)\s+(?:\S+\s+){0,3}?(?:team|department|bank|courier|carrier|office|insurer|manufacturer|"
    r"seller|provider|company|branch|website|page|line)"
)
_EMOJI = regex.compile(r"\p{Extended_Pictographic}")


def _has(pattern: regex.Pattern[str], text: str) -> bool:
    return pattern.search(text, timeout=TIME_LIMIT) is not None


def _count(pattern: regex.Pattern[str], text: str) -> int:
    return len({m.group().casefold() for m in pattern.finditer(text, timeout=TIME_LIMIT)})


def warmth_position(compound: float) -> float:
    """Where a compound sentiment stands on the warmth scale.

    Parameters
    ----------
    compound : float
        VADER's compound, -1 to 1.

    Returns
    -------
    float
        0 to below 1; the cut points of the five levels fall on 0.2, 0.4, 0.6 and 0.8.

    Examples
    --------
    >>> [round(warmth_position(c), 2) for c in (-1.0, 0.0, 0.3, 1.0)]
    [0.0, 0.32, 0.44, 1.0]
    """
    edges = (-1.0, *WARMTH_CUTS, 1.0)
    index = min(max(bisect_left(edges, compound) - 1, 0), 4)
    low, high = edges[index], edges[index + 1]
    return round((index + (compound - low) / (high - low)) / 5, 6)


def _specific(text: str) -> bool:
    """A number or contact detail; the number inside a person's placeholder is none."""
    return _has(_CONTACT, text) or _has(_NUMBER, _PLACEHOLDER.sub("", text, timeout=TIME_LIMIT))


def _quality(text: str) -> float:
    acts = _has(_NEXT_ACT, text)
    points = _specific(text) + acts + _has(_WHEN_WHERE, text) + _has(_DECIDED, text)
    if _has(_PUT_OFF, text):
        points -= 1 if acts else 2
    return (max(points, 0) + 0.5) / 5


def _formality(text: str) -> float:
    formal = 2 * _count(_FORMAL_STRONG, text) + _count(_FORMAL, text)
    casual = 2 * (_count(_CASUAL_STRONG, text) + _has(_EMOJI, text)) + _count(_CASUAL, text)
    balance = 0 if formal == casual else (formal - casual) / (formal + casual)
    steps = 0 if not balance else 1 if max(formal, casual) < 3 or abs(balance) < 0.5 else 2
    return (2.5 + (steps if balance > 0 else -steps)) / 5


def _graded(strong: int, weak: int) -> float:
    """Level 1 without a cue, 2 for weak ones, 3 for one strong, 4 for a strong and another, 5 for three strong."""
    level = 1 if not strong + weak else 2 if not strong else 5 if strong > 2 else 3 + (strong + weak > 1)
    return (level - 0.5) / 5


def _condescension(text: str) -> float:
    return _graded(_count(_DOWN_STRONG, text), _count(_DOWN, text))


def _suspicion(text: str) -> float:
    strong, weak = _count(_DOUBT_STRONG, text), _count(_DOUBT, text)
    if not strong and weak:
        return 0.5
    return _graded(strong, weak + _has(_ROUTINE, text))


_POSITIONS = {"quality": _quality, "formality": _formality, "condescension": _condescension, "suspicion": _suspicion}


def _label(dimension: str, text: str) -> str:
    if dimension == "apologises":
        if not _has(_SORRY, text):
            return "no"
        return "set_phrase" if _has(_SET_SORRY, text) else "specific"
    pattern = {"gives_next_step": _NEXT_ACT, "asks_for_evidence": _ASK_PROOF, "refers_elsewhere": _ELSEWHERE}[dimension]
    return "yes" if _has(pattern, text) else "no"


@cache
def _analyzer() -> Any:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    analyzer = SentimentIntensityAnalyzer()
    for name in ("_negation_check", "_special_idioms_check"):
        if hasattr(analyzer, name):
            setattr(analyzer, name, _nearby(getattr(analyzer, name)))
    return analyzer


def _nearby(check: Callable[..., float]) -> Callable[..., float]:
    """The same check, given the six words it looks at: VADER lower-cases the whole text for each word of it."""

    def near(valence: float, words: Sequence[str], *places: int) -> float:
        *start, i = places
        first = max(0, i - 3)
        return check(valence, words[first : i + 3], *start, i - first)

    return near


@lru_cache(maxsize=16)  # a score and its reason each ask for it, and so do both orders of a pair
def _compound(text: str) -> float:
    plain = _PLACEHOLDER.sub("someone", text, timeout=TIME_LIMIT)
    return float(_analyzer().polarity_scores(plain)["compound"])


class LexiconEndpoint:
    """Judges by word lists; needs nothing but the installed package.

    Examples
    --------
    >>> import asyncio
    >>> request = Request(request_key="k", system="", prompt="", text="Send form B.", context=None, lang="en",
    ...                   dimensions={"warmth": (1, 2, 3, 4, 5)})
    >>> asyncio.run(LexiconEndpoint().send(request)).raw
    '{"reason": "compound sentiment 0.00", "score": 2}'
    """

    provider = "judgekit"
    host: str | None = None
    languages: frozenset[str] | None = frozenset({"en"})
    answers = frozenset(
        {"warmth", *_POSITIONS, "apologises", "gives_next_step", "asks_for_evidence", "refers_elsewhere"}
    )
    """Criteria it has something to say about."""

    def __init__(self) -> None:
        self.model = f"lexicon-{LEXICON_VERSION}"
        self.parameters: Mapping[str, Any] = {"vader": version("vaderSentiment")}

    def compound(self, text: str) -> float:
        """VADER's compound sentiment, -1 to 1, with placeholders read as a neutral word."""
        return _compound(text)

    def _position(self, dimension: str, text: str) -> float | None:
        if dimension == "warmth":
            return warmth_position(self.compound(text))
        return _POSITIONS[dimension](text) if dimension in _POSITIONS else None

    def _value(self, dimension: str, levels: Sequence[int | str], text: str) -> int | str | None:
        if dimension not in self.answers:
            return None
        position = self._position(dimension, text)
        if position is None:
            label = _label(dimension, text)
            return label if label in levels else None
        if not all(isinstance(level, int) for level in levels):
            return None
        # A position on a cut point belongs to the level below it, as in the table above.
        steps = [(n + 1) / len(levels) for n in range(len(levels) - 1)]
        return levels[bisect_left(steps, position)]

    def _preferred(self, dimension: str, first: str, second: str) -> str | None:
        a, b = (self._position(dimension, text) if dimension in self.answers else None for text in (first, second))
        if a is None or b is None:
            return None
        return "tie" if abs(a - b) < 0.05 else "A" if a > b else "B"

    async def send(self, request: Request) -> RawAnswer:
        """Judge one request; the answer has the same form as a model's and goes through the same parser."""
        texts = request.pair or (request.text,)
        if any(len(text) > TEXT_LIMIT for text in texts):
            return RawAnswer(
                raw=None,
                error_kind="context_length",
                error_detail=f"the lexicon judge reads at most {TEXT_LIMIT} characters",
            )
        values: dict[str, int | str] = {}
        try:
            for dimension, levels in request.dimensions.items():
                value = (
                    self._preferred(dimension, *request.pair)
                    if request.pair
                    else self._value(dimension, levels, request.text)
                )
                if value is not None:
                    single = "winner" if request.pair else "score"
                    values[single if len(request.dimensions) == 1 else dimension] = value
        except TimeoutError:
            return RawAnswer(raw=None, error_kind="crashed", error_detail="the time limit for one text was reached")
        reason = "counted cues"
        if "warmth" in request.dimensions:
            reason = "compound sentiment " + " and ".join(f"{self.compound(text):.2f}" for text in texts)
        return RawAnswer(
            raw=json.dumps({"reason": reason, **values}),
            finish_reason="stop",
            served_model=self.model,
            usage={},
        )

    async def close(self) -> None:
        """Nothing to release."""
