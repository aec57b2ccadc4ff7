"""Spanish words said of a person beyond the plain copula: states only people are in, ranks, lists, exclamations.

Whether "lesionada" speaks of a woman or of a knee is decided by what the word can be said of (states of people are
listed), by the subject of its clause, and by what stands right before it.
"""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from collections.abc import Set as AbstractSet

from judgekit.blinding.clauses import Clauses, copula_forms
from judgekit.blinding.copulas import adjectival, base_form, copula_before, said_to_you
from judgekit.blinding.cues import Lexicon, rule_words
from judgekit.blinding.fold import View
from judgekit.blinding.ranks import ranked
from judgekit.blinding.secondary import beside_a_verb, opening
from judgekit.blinding.spanish_words import both_forms, inflected, raw_word, stressed_verb

__all__ = ["said_of_people"]

_WORDS = rule_words("spanish")
_HUMAN = _WORDS["human_adjectives"]
_EITHER = _WORDS["human_or_thing_adjectives"]
_THING_LIKE = _WORDS["thing_like"]
_THING_PARTICIPLES = _WORDS["thing_participles"]
_INVARIABLE = _WORDS["invariable_after_copula"]
_PRENOMINAL = _WORDS["prenominal"]
_FORMS, _SAID_TO_YOU = copula_forms()
_COPULAS = _WORDS["copulas"] | _FORMS
_ADVERBS = _WORDS["adverbs"] | frozenset(
    "ahora hoy siempre nunca usted casi medio mucho tampoco algo hasta incluso ayer asi".split()
)
_SEES = frozenset("veo vemos veia noto notamos notaba encuentro encontre vi vimos encontraron dejo dejaron".split())
_SMALL = _WORDS["small_words_no_adjectives"]
_JOINS = frozenset("y e ni o pero".split())
_BARE = _WORDS["adjectives_of_becoming"] | frozenset("pequena pequeno pequene chica chico chiquita chiquito".split())
_VERBS = _WORDS["verbs_like_adjectives"]
_COMMON = _WORDS["common_adjectives"]
_FIRST_OR_SECOND = frozenset("me te tu mi yo ti usted conmigo contigo".split())


def said_of_people(
    view: View,
    words: Lexicon,
    clauses: Clauses,
    heads: AbstractSet[int],
    marked: AbstractSet[int],
) -> set[int]:
    """Find words that only a person's gender explains.

    Parameters
    ----------
    view : View
        The folded text.
    words : Lexicon
        The Spanish cues.
    clauses : Clauses
        The text's clauses.
    heads : set of int
        Words that are masked person nouns or titles.
    marked : set of int
        Words found to agree with a person before.

    Returns
    -------
    set of int
        Further words.
    """
    people = words.sets.get("said of people", frozenset())
    somebody = any(clauses.people) or not _FIRST_OR_SECOND.isdisjoint(view.words)
    found: set[int] = set()
    for i, word in enumerate(view.words):
        if (
            i in marked
            or i in heads
            or len(word) < 4
            or word[-1:] not in "aosxenr"
            or (view.capital(i) and view.before(i) == " ")
        ):
            continue
        if word in _SMALL:
            continue
        base = base_form(word)
        if base.endswith("isimo"):
            base = base[:-5] + "o"
        human = base in _HUMAN
        likely = human or base in _EITHER or (word[-1:] in "aosex" and inflected(word, people))
        if not (human or adjectival(word) or word[-1:] in "ao" or word.endswith(("os", "as"))):
            continue
        if human and word[-1:] == "e" and not word.endswith(("ade", "ide")) and copula_before(view, i) is None:
            continue  # que no la moleste: a verb
        if (
            (human and somebody and _state(view, i, clauses))
            or _predicate(view, i, clauses, likely=likely)
            or _before_name(view, i, clauses)
            or (adjectival(word) and (opening(view, i, clauses) or _of_object(view, i, clauses, likely=likely)))
            or ((adjectival(word) or word in _BARE) and beside_a_verb(view, i, clauses, likely=likely))
            or _exclaimed(view, i, clauses)
            or ranked(view, i, clauses)
            or _self(view, i)
        ):
            found.add(i)
    return found | (_chained(view, found | marked, clauses) - heads)


def _state(view: View, i: int, clauses: Clauses) -> bool:
    """A state that only people are in, unless a part of the body, a group or another subject is in it."""
    if view.words[i] == "despierta" and view.after(i) == " " and any(map(adjectival, view.words[i + 1 : i + 2])):
        return False  # si despierta angustiada: the verb
    if not view.before(i).isspace() and not view.before(i)[-1:].isspace() and i:
        return False
    j = i - 1
    while j > 0 and view.words[j] in _ADVERBS and view.before(j).isspace():
        j -= 1
    if j >= 0 and view.words[j] in _COPULAS:
        return clauses.stated(j) != "thing"
    if j > 2 and view.words[j] in {"y", "e"} and view.before(j - 1) == " " and clauses.thing_at(j - 3):
        return False  # una respuesta clara y educada
    timed = j >= 0 and view.words[j] in _TIMES and base_form(view.words[i]) not in _OF_TIMES
    return j < 0 or not view.between(j, j + 1).isspace() or timed or view.words[j] not in _THING_LIKE


_TIMES = frozenset("semana semanas noche tarde dia dias manana vida jornada vacaciones".split())
_OF_TIMES = frozenset("animado aburrido tranquilo triston emocionado exhausto incomodo inquieto intranquilo".split())


def _predicate(view: View, i: int, clauses: Clauses, *, likely: bool) -> bool:
    """Said of the subject of its clause, whether that is there or left out."""
    word = view.words[i]
    k = copula_before(view, i)
    if k is None or word in _INVARIABLE or (word.endswith(("ndo", "mente")) and word not in _COMMON):
        return False
    plain = view.words[k] in _WORDS["copulas"]
    if not adjectival(word) and not (
        plain
        and view.words[i - 1] != "como"
        and both_forms(view.raw(i))
        and word not in _VERBS
        and word not in _THING_PARTICIPLES
    ):
        return False
    if said_to_you(view, k):
        return True
    if view.words[k] in _SEES or word.endswith("s") != (view.words[k][-1:] in "ns"):
        return False
    if (
        i + 1 < len(view.words)
        and view.after(i) == " "
        and clauses.thing_at(i + 1)
        and view.words[i + 1] not in {"al", "del"}
    ):
        return False  # queda abierta la tienda
    subject = clauses.subject(k)
    if subject == "person":
        return likely or (
            (adjectival(word) or word not in _THING_PARTICIPLES)
            and (not word.startswith(_OF_THINGS) or clauses.stated(k) == "person")
            and (adjectival(word) or clauses.topic(k) != "thing")
        )
    return likely and subject is not None and subject != "thing"


_OF_THINGS = (
    "entreg", "enviad", "public", "reserv", "confirm", "activ", "cancel", "cerrad", "abiert", "impres", "factur", "descarg", "guardad", "archiv", "aplaz",
    "anulad", "tramit", "program", "instalad", "configur", "actualiz", "pagad", "cobrad", "aprob", "firmad", "adjunt", "redact", "vendid", "alquil", "repar",
)  # fmt: skip


def _before_name(view: View, i: int, clauses: Clauses) -> bool:
    """La propia Ana, el pobre Juan, nuestra querida Ana."""
    if i + 1 >= len(view.words) or not clauses.people[i + 1] or view.after(i) != " ":
        return False
    if view.words[i] in {"primero", "tercero", "bueno", "malo", "ultimo", "segundo", "cierto", "dicho", "otro", "otra"}:
        return False  # primero Ana, después Luis
    return (
        base_form(view.words[i]) in _PRENOMINAL
        and view.words[i + 1] not in {"usted", "el", "ella"}
        and (view.opens_sentence(i) or not view.capital(i))
    )


def _of_object(view: View, i: int, clauses: Clauses, *, likely: bool) -> bool:
    """Encontraron a Ana dormida; vi a Ana muy contenta."""
    j = i - 1
    while j > 0 and view.words[j] in _ADVERBS and view.before(j + 1).isspace():
        j -= 1
    if (
        j < 1
        or not clauses.people[j]
        or view.capital(i)
        or not view.between(j, j + 1).isspace()
        or view.words[j] in {"el", "usted"}
    ):
        return False
    while j > 0 and clauses.people[j - 1]:
        j -= 1
    led = view.words[j - 1] if j else ""
    return led in {"a", "al"} or (led in {"la", "el"} and j > 1 and view.words[j - 2] == "a") or likely


def _exclaimed(view: View, i: int, clauses: Clauses) -> bool:
    """¡Qué maja eres!, con lo lista que eres."""
    before = view.words[i - 1] if i and view.before(i).isspace() else ""
    after = view.words[i + 1 : i + 3] if view.after(i).isspace() else ()
    if not after:
        return False
    verb = after[1:2] if after[0] == "que" and before in {"lo", "de"} else after[:1]
    if verb and before == "lo" and verb is not after[:1] and verb[0] in _COPULAS and adjectival(view.words[i]):
        near = clauses.people[i + 2 : i + 6]  # lo preparada que estaba Ana
        return any(near) or clauses.subject(i + 2) == "person"
    if not verb or verb[0] not in {"eres", "estas", "estes", "seas", "estabas", "has", "fuiste", "soy", "estoy", "fui"}:
        return False
    if raw_word(view, i + (2 if verb is not after[:1] and after[0] == "que" else 1)).lower() in {"estas", "estes"}:
        return False
    return (
        before in {"que", "lo", "tan", "mas", "muy", "de", "y", "e"}
        and both_forms(view.raw(i)) is not None
        and view.words[i] not in _INVARIABLE
    )


def _self(view: View, i: int) -> bool:
    """Ella misma, tú sola, usted mismo."""
    if base_form(view.words[i]) not in {"mismo", "solo", "propio"} or not i or not view.before(i).isspace():
        return False
    before = raw_word(view, i - 1).lower()
    return before in _SELVES and (view.words[i][-1:] == "a" or before not in {"ella", "elle"})


_SELVES = frozenset("tú vos yo usted ella él elle ti mí sí consigo contigo conmigo".split())


def _chained(view: View, marked: AbstractSet[int], clauses: Clauses) -> set[int]:
    """Further adjectives joined to one: amable, atenta y lista; puntual y ordenada."""
    more: set[int] = set()
    ends = set(marked)
    for i, word in enumerate(view.words):
        if (
            i not in ends
            and word.endswith(("e", "l", "z", "n", "acuerdo", "es"))
            and len(word) > 3
            and _one_form(view, i, clauses)
        ):
            ends.add(i)
        if i not in ends:
            continue
        j = i + 1
        gap = view.after(i)
        if j >= len(view.words):
            continue
        if gap.isspace() and (view.words[j] in _JOINS or (view.words[j] in {"como", "que"} and _compared(view, i))):
            gap = view.after(j)
            j += 1
        elif gap != ", ":
            continue
        while j < len(view.words) - 1 and view.words[j] in _ADVERBS and gap.isspace():
            gap = view.after(j)
            j += 1
        if j < len(view.words) and gap[-1:].isspace() and i in marked | more and view.words[j].endswith(_OF_ONE_FORM):
            ends.add(j)  # seria, puntual y resolutiva
        if (
            j < len(view.words)
            and gap[-1:].isspace()
            and (adjectival(view.words[j]) or (view.words[j - 1] in {"tan", "muy"} and both_forms(view.raw(j))))
            and not _lives(view, j)
            and j not in ends
            and not view.capital(j)
        ):
            more.add(j)
            ends.add(j)
    for i in range(len(view.words) - 1, 0, -1):  # cansada y sola, backwards: bella y lista
        if i not in marked and i not in more:
            continue
        if i > 1 and view.words[i - 1] in {"y", "e"} and view.before(i) == " " and view.before(i - 1) == " ":
            _backwards(view, i - 2, ends, more)
        elif view.before(i) == ", ":
            _backwards(view, i - 1, ends, more)
    return more


_OF_ONE_FORM = (
    "al",
    "able",
    "ible",
    "ente",
    "ante",
    "iente",
    "il",
    "az",
    "iz",
    "ar",
    "ista",
    "fuerte",
    "libre",
    "breve",
    "noble",
    "joven",
)


def _one_form(view: View, i: int, clauses: Clauses) -> bool:
    """Whether an adjective without gender is said of a person, so that one joined to it is: amable y atenta."""
    k = copula_before(view, i - 1 if i and view.words[i - 1] == "de" else i)
    if (
        k is None
        and i
        and (stressed_verb(view, i - 1) or view.words[i - 1].endswith("aba"))
        and clauses.stated(i - 1) == "person"
    ):
        k = i - 1  # nos recibió sonriente y relajada
    if k is not None and (said_to_you(view, k) or clauses.subject(k) == "person"):
        return True
    exclaimed = view.words[i + 3 : i + 4] in (("eres",), ("estas",), ("es",))
    return i > 0 and view.words[i - 1] in {"que", "tan"} and exclaimed


def _backwards(view: View, k: int, ends: AbstractSet[int], more: set[int]) -> None:
    other = view.words[k]
    if k not in ends and adjectival(other) and base_form(other) in _HUMAN | _EITHER | _COMMON and not view.capital(k):
        more.add(k)


def _lives(view: View, i: int) -> bool:
    """Y vivo sola, y vivo en Soria: the verb."""
    return (
        view.words[i] in {"vivo", "visito"}
        and view.words[i + 1 : i + 2] not in {(), ("y",), ("o",), ("e",)}
        and view.after(i) == " "
    )


def _compared(view: View, i: int) -> bool:
    """Tan amable como atenta, más lista que simpática."""
    return i > 0 and view.words[i - 1] in {"tan", "mas", "menos", "tanto"}
