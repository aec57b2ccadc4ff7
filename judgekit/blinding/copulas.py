"""Spanish copulas and what can stand behind them: "está cansada", "no se encuentra del todo restablecida"."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from functools import lru_cache

from judgekit.blinding.clauses import copula_forms
from judgekit.blinding.cues import rule_words
from judgekit.blinding.fold import View
from judgekit.blinding.spanish_words import raw_word

__all__ = ["adjectival", "base_form", "begins", "copula_before", "of_people", "said_to_you"]

_WORDS = rule_words("spanish")
_HUMAN = _WORDS["human_adjectives"]
_EITHER = _WORDS["human_or_thing_adjectives"]
_IRREGULAR = _WORDS["irregular_participles"]
_FORMS, _SAID_TO_YOU = copula_forms()
_COPULAS = _WORDS["copulas"] | _FORMS
_SECOND = _WORDS["second_person"] | _SAID_TO_YOU
_ADVERBS = _WORDS["adverbs"] | frozenset(
    "ahora hoy siempre nunca usted casi medio mucho tampoco algo hasta incluso ayer asi mejor peor mal".split()
)
_SEES = frozenset("veo vemos veia noto notamos notaba encuentro encontre vi vimos encontraron dejo dejaron".split())
_FIRST = _WORDS["verbs_of_myself"]
_VERBS = _WORDS["verbs_like_adjectives"]
_COMMON = _WORDS["common_adjectives"]


@lru_cache(maxsize=8192)
def adjectival(word: str) -> bool:
    """Whether a folded Spanish word looks like an adjective or participle with a gender.

    Examples
    --------
    >>> [adjectival(w) for w in ("cansada", "cariñosa", "altísima", "necesita", "trabaja")]
    [True, True, False, False, False]
    >>> adjectival("altisima"), adjectival("inscrita")
    (True, True)
    """
    if word in _VERBS or len(word) < 4:
        return False
    if word.endswith(("dor", "dora", "tona", "ton", "lon", "lona")):
        return len(word) > 5
    stem, last = word[:-1], word[-1:]
    if last == "s":
        stem, last = word[:-2], word[-2:-1]
    if last not in {"o", "a", "e", "x"} or len(stem) < 3:
        return False
    base = stem + "o"
    listed = base in _HUMAN or base in _EITHER or base in _COMMON or base in _IRREGULAR
    if last in {"e", "x"}:
        return listed or (last == "e" and stem.endswith(("ad", "id")))
    return listed or (stem.endswith(("ad", "id", "os", "iv", "isim", "ic", "it", "ari")) and len(stem) > 3)


def base_form(word: str) -> str:
    """A form in -a, -e or -x as its dictionary form in -o.

    Examples
    --------
    >>> base_form("cansada"), base_form("feliz")
    ('cansado', 'feliz')
    """
    return word[:-1] + "o" if word[-1:] in {"a", "o", "e", "x"} else word


def copula_before(view: View, i: int) -> int | None:
    """The copula before word ``i``, adverbs between them passed over.

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        The word.

    Returns
    -------
    int or None
    """
    k = i - 1
    while k >= 0 and view.between(k, k + 1).isspace():
        if (view.words[k] in _COPULAS and view.words[k] not in {"ha", "has", "he", "han"}) or view.words[k] == "sal":
            raw = raw_word(view, k).lower()
            if raw == "sal":
                return k if begins(view, k) else None
            return None if raw in {"este", "esta", "estas", "estes"} else k
        if (
            view.words[k] in {"sentido", "visto", "notado", "creido"}
            and k > 1
            and view.words[k - 1][:2] in {"ha", "he", "hu"}
        ):
            return k if view.words[k - 2] in {"se", "te", "me"} else None  # te hayas sentido ignorada
        if view.words[k] == "como" and k and view.words[k - 1].startswith(_LISTED):
            k -= 1  # figura como inscrita
            continue
        if view.words[k] == "todo" and k and view.words[k - 1] == "del":
            k -= 2
            continue
        if view.words[k] not in _ADVERBS and not view.words[k].endswith("mente"):
            return None
        k -= 1
    return None


_LISTED = ("figur", "aparec", "consta")


def begins(view: View, k: int) -> bool:
    """Whether a clause begins with word ``k``: an order (Sal), or a verb of oneself (Quedo).

    Parameters
    ----------
    view : View
        The folded text.
    k : int
        The word.

    Returns
    -------
    bool
    """
    return not k or any(c in '.,;:!?¡¿()\n«»"-' for c in view.before(k)) or view.words[k - 1] in {"y", "e"}


def said_to_you(view: View, k: int) -> bool:
    """Whether a copula at word ``k`` is said to somebody or by oneself.

    Parameters
    ----------
    view : View
        The folded text.
    k : int
        The copula.

    Returns
    -------
    bool
    """
    near = view.words[max(0, k - 3) : k]
    return (
        view.words[k] in _SECOND
        or (view.words[k] == "sal" and begins(view, k))
        or (raw_word(view, k).lower() == "quedo" and (begins(view, k) or near[-1:] == ("me",)))
        or any(
            w
            in {"has", "habias", "habras", "habrias", "hayas", "hubieras", "vas", "puedes", "debes", "podrias", "ibas"}
            for w in near
        )
        or (view.words[k].endswith(("ar", "er", "ir")) and bool({"te", "tu", "debes"} & {*near}))
        or (near[-1:] == ("me",) and view.words[k] in _FIRST)
        or view.words[k + 1 : k + 2] == ("usted",)
        or (
            view.words[k] in {"ser", "estar", "haber", "mostrarte", "mostrarse", "sido", "estado"}
            and "gracias" in view.words[max(0, k - 4) : k]
        )
        or (view.words[k] in _SEES and bool({"te", "la", "lo", "le", "os"} & {*near[-1:]}))
    )


_OF_PEOPLE = _WORDS["human_adjectives"] | _WORDS["adjectives_of_character"]
_OF_BOTH = _WORDS["human_or_thing_adjectives"] | _WORDS["adjectives_of_people_or_things"]
_PEOPLE_VERBS = tuple(_WORDS["people_verbs"])
_MORE_OF_THINGS = tuple(_WORDS["participles_of_things"])
_OF_EITHER = tuple(_WORDS["participles_of_either"])
_OF_THINGS = _WORDS["adjectives_of_things"]


def of_people(base: str, people: frozenset[str]) -> int:
    """How far a word is one of people: 3 only of them, 1 or 2 of them too, 0 of anything, -2 of things.

    Parameters
    ----------
    base : str
        The dictionary form in -o, folded.
    people : frozenset of str
        Dictionary forms of words that are said of people.

    Returns
    -------
    int

    Examples
    --------
    >>> [of_people(word, frozenset()) for word in ("preocupado", "agotado", "pagado")]
    [3, 1, -2]
    """
    if base in _OF_PEOPLE:
        return 3
    if base == "solo":
        return 2
    if base in _OF_BOTH or (base in people and not base.startswith(_OF_EITHER)):
        return 1
    if base in _OF_THINGS or base.startswith(_MORE_OF_THINGS):
        return -2
    if base.endswith(("ado", "ido")) and base.startswith(_PEOPLE_VERBS) and not base.startswith(_OF_EITHER):
        return 1
    return 0
