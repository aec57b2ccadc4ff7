"""Spanish words said of a person beside a verb of their own: "volvió sola", "la dejaron tranquila", "de pequeña".

A predicate without a copula is told by the verb before it, by a preposition of manner, or by what it is coordinated
with; who it is said of is the subject of the clause, or the person that an object pronoun stands for.
"""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from judgekit.blinding.clauses import Clauses
from judgekit.blinding.cues import rule_words
from judgekit.blinding.fold import View
from judgekit.blinding.spanish_words import stressed_verb

__all__ = ["beside_a_verb", "opening"]

_WORDS = rule_words("spanish")
_ADVERBS = _WORDS["adverbs"]
_SEEN = _WORDS["verbs_of_object_predicates"]
_DESCRIBING = tuple(_WORDS["verbs_of_description"])
_OF_MANNER = tuple(_WORDS["verbs_with_de_and_adjective"])
_COLOURS = _WORDS["adjectives_of_becoming"]
_MOVING = tuple(_WORDS["verbs_of_manner"])
_AGES = frozenset("pequena pequeno pequene chiquita chiquito chica chico chiquitina chiquitin nina nino joven".split())
_DETERMINERS = frozenset("el la los las un una su tu mi sus tus este esta ese esa nuestro nuestra".split())
_CLOSE = frozenset(
    "a al ante bajo con contra de del desde durante en entre hacia hasta para por sin sobre tras y e o ni que pero cuando porque como "
    "aunque mientras entonces hoy ayer anoche esta este".split()
)  # fmt: skip


def beside_a_verb(view: View, i: int, clauses: Clauses, *, likely: bool) -> bool:
    """Whether an adjective or participle at word ``i`` is said of a person beside a verb that is no copula.

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        A word that looks like an adjective.
    clauses : Clauses
        The text's clauses.
    likely : bool
        Whether the word is one mostly said of people.

    Returns
    -------
    bool

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> view = fold("Ana entró decidida, y la vi preparada.")
    >>> text = Clauses(view, {0, 1, 2}, frozenset())
    >>> [beside_a_verb(view, i, text, likely=False) for i in (2, 6)]
    [True, True]
    """
    return (
        _closes(view, i)
        and (
            _after_plain_verb(view, i, clauses, likely=likely)
            or _past_a_time(view, i, clauses)
            or _past_a_place(view, i, clauses, likely=likely)
            or _of_pronoun(view, i, clauses)
            or _described(view, i, clauses)
            or _in_a_manner(view, i, clauses)
        )
    ) or _as_a_child(view, i, clauses)


def opening(view: View, i: int, clauses: Clauses) -> bool:
    """Whether an opening participle belongs to the subject behind the comma: "Sentada en la sala, Ana esperó".

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        The participle.
    clauses : Clauses
        The text's clauses.

    Returns
    -------
    bool
    """
    if view.words[i].endswith("s") or not view.opens_sentence(i - _led_in(view, i)):
        return False
    if i + 1 < len(view.words) and view.after(i) == " " and view.words[i + 1] in _DETERMINERS:
        return False  # pagada la factura
    for j in range(i, min(i + 14, len(view.words) - 1)):
        gap = view.after(j)
        if gap.strip() == ",":
            k = j + 1
            if k < len(view.words) and view.words[k] in {"la", "el", "dona", "don"}:
                k += 1
            if k >= len(view.words) or not clauses.people[k]:
                return False
            while k + 1 < len(view.words) and clauses.people[k + 1]:
                k += 1
            return view.after(k) == " "
        if not gap.isspace():
            return False
    return False


def _led_in(view: View, i: int) -> int:
    """How many words lead in an opening participle: una vez instalada, aunque cansada, siendo tan tímida."""
    k = i
    while k > 0 and view.words[k - 1] in _DEGREE and view.before(k) == " ":
        k -= 1
    if k > 1 and view.words[k - 2 : k] in _LEADS:
        k -= 2
    elif k and (view.words[k - 1],) in _LEADS and view.before(k) == " ":
        k -= 1
    return i - k


_DEGREE = frozenset("tan muy mas poco nada demasiado bastante algo ya".split())
_LEADS = frozenset(
    (("una", "vez"), ("nada", "mas"), ("si", "bien"), ("a", "pesar"), ("pese", "a"), ("aunque",), ("siendo",), ("estando",), ("sintiendose",),
     ("por",), ("ya",), ("recien",), ("todavia",), ("aun",), ("incluso",), ("siempre",), ("nunca",), ("ademas", "de"), ("aparte", "de"), ("a", "sentirse"), ("lejos", "de"), ("de",), ("casi",), ("al", "verse"), ("al", "sentirse"), ("al", "estar"))
)  # fmt: skip


def _closes(view: View, i: int) -> bool:
    """Whether a phrase can end with the word: no noun follows it."""
    after = view.after(i)
    return after != " " or (i + 1 < len(view.words) and view.words[i + 1] in _CLOSE)


def _before(view: View, i: int) -> int:
    """The word before an adjective, adverbs of degree passed over; -1 when the clause begins there."""
    k = i - 1
    while (
        k >= 0
        and view.between(k, k + 1) == " "
        and (view.words[k] in _ADVERBS or (view.words[k].endswith("mente") and len(view.words[k]) > 7))
    ):
        k -= 1
    return k if k >= 0 and view.between(k, k + 1) == " " else -1


def _after_plain_verb(view: View, i: int, clauses: Clauses, *, likely: bool) -> bool:
    """Entró decidida, durmió abrazada a su perro, se puso roja."""
    k = _before(view, i)
    if k < 0 or clauses.people[k] or view.words[i].endswith("s"):
        return False
    verb = view.words[k]
    if view.words[i] in _COLOURS:
        reflexive = k > 0 and view.words[k - 1] in {"se", "me", "te"}
        if reflexive and verb.startswith(("pus", "pon", "qued")):
            return _of_somebody(view, k, clauses)
    if verb in _OF_ONESELF:
        if not k or view.words[k - 1] not in {"se", "te", "me"}:
            return False
        return view.words[k - 1] == "te" or _of_somebody(view, k, clauses)
    moving = verb.startswith(_MOVING) and not verb.endswith(_NOT_VERBAL)
    if not stressed_verb(view, k) and not moving:
        return False
    if moving or likely:
        return _of_somebody(view, k, clauses)
    return clauses.stated(k) == "person"


_NOT_VERBAL = ("ada", "ida", "adas", "idas", "cion", "dor", "dora", "ega", "egas", "encia")
_OF_ONESELF = frozenset(
    "sienta sientas sientan cree crees creia considera consideraba sabe sabia nota notas notaba imagina confiesa declara dice supone finge".split()
)


def _past_a_time(view: View, i: int, clauses: Clauses) -> bool:
    """Lleva años enganchada, pasó dos horas encerrada: how long stands between verb and predicate."""
    k = i - 1
    while k > 0 and view.between(k, k + 1) == " " and (view.words[k] in _LENGTHS or view.words[k].isdigit()):
        k -= 1
    if k < 0 or k == i - 1 or view.between(k, k + 1) != " " or view.words[i - 1] not in _SPANS:
        return False
    return view.words[k].startswith(_PASSING) and (
        _of_somebody(view, k, clauses) or view.words[k].endswith(("as", "ste", "vo"))
    )


_SPANS = frozenset(
    "hora horas dia dias semana semanas mes meses ano anos noche noches tarde tardes manana mananas jornada rato ratos minutos verano infancia vida temporada fin tiempo".split()
)
_LENGTHS = _SPANS | frozenset(
    "la las el los un una unos unas dos tres cuatro cinco seis siete ocho nueve diez toda todo todas todos media medio su varios varias muchos muchas mucho mas de y".split()
)
_PASSING = ("pas", "llev", "estuv", "termin", "acab", "aguant", "permanec", "qued", "sigu")


def _past_a_place(view: View, i: int, clauses: Clauses, *, likely: bool) -> bool:
    """Entró en la consulta pálida, subió al escenario emocionado: the place between verb and predicate is passed over."""
    if not likely and view.words[i] not in _COLOURS:
        return False
    for k in range(i - 1, max(-1, i - 5), -1):
        if view.between(k, k + 1) != " ":
            return False
        if view.words[k].startswith(_MOVING) and stressed_verb(view, k):
            placed = view.words[k + 1 : k + 2] and view.words[k + 1] in {
                "en",
                "a",
                "al",
                "de",
                "del",
                "por",
                "desde",
                "hasta",
            }
            same = clauses.thing_at(k + 2) == ("f" if view.words[i].endswith("a") else "m") and view.words[k + 2] in {
                "un",
                "una",
            }
            return bool(placed) and k + 2 < i and not same and _of_somebody(view, k, clauses)
    return False


def _of_somebody(view: View, k: int, clauses: Clauses) -> bool:
    led = view.words[k - 1] if k else ""
    if led == "te" and view.words[k].endswith(("s", "ste")):
        return True
    return clauses.subject(k) == "person" or (led == "me" and clauses.stated(k) != "thing")


def _of_pronoun(view: View, i: int, clauses: Clauses) -> bool:
    """La dejaron sola, te noto rara, lo encontraron dormido."""
    k = _before(view, i)
    if k < 1 or view.words[k] not in _SEEN or view.between(k - 1, k) != " ":
        return False
    clitic = view.words[k - 1]
    if clitic in {"te", "me", "os"}:
        return True
    plural = view.words[i].endswith("s")
    if clitic not in {"la", "lo", "las", "los"} or clitic.endswith("s") != plural:
        return False
    feminine = clitic.startswith("la")
    return view.words[i].rstrip("s")[-1:] == ("a" if feminine else "o") and clauses.antecedent(k - 1, feminine=feminine)


def _described(view: View, i: int, clauses: Clauses) -> bool:
    """La describen como metódica, tachan a Ana de exagerada."""
    k = _before(view, i)
    if k < 1 or view.words[k] not in {"como", "de", "por"}:
        return False
    near = range(max(0, k - 7), k)
    if any(c in ".;:!?\n" for j in near for c in view.after(j)):
        near = range(max(j + 1 for j in near if any(c in ".;:!?\n" for c in view.after(j))), k)
    if not any(view.words[j].startswith(_DESCRIBING) for j in near):
        return False
    return any(clauses.people[j] for j in near) or bool(
        {"la", "lo", "te", "me", "le", "se"} & {*view.words[near.start : k]}
    )


def _in_a_manner(view: View, i: int, clauses: Clauses) -> bool:
    """Presume de ordenada, tiene fama de puntillosa, va de lista."""
    k = _before(view, i)
    if k < 1 or view.words[k] != "de" or view.between(k - 1, k) != " ":
        return False
    near = view.words[max(0, k - 2) : k]
    return any(w.startswith(_OF_MANNER) for w in near) and clauses.subject(k) != "thing"


def _as_a_child(view: View, i: int, clauses: Clauses) -> bool:
    """De pequeña, desde muy niña, de chico."""
    if view.words[i] not in _AGES - {"joven"} or (view.after(i) == " " and not _closes(view, i)):
        return False
    k = _before(view, i)
    if k < 0 or view.words[k] not in {"de", "desde"}:
        return False
    return not (k and clauses.thing_at(k - 2) if k > 1 else False) and (
        any(clauses.people) or bool({"mi", "me", "yo", "te"} & {*view.words})
    )
