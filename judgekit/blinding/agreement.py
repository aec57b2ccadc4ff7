"""Spanish agreement with a person: "está interesada", "queda usted invitada", "Ana Gil, nacida en Lugo"."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from collections.abc import Set as AbstractSet

import regex

from judgekit.blinding.cells import in_cells
from judgekit.blinding.clauses import Clauses, copula_forms
from judgekit.blinding.copulas import adjectival
from judgekit.blinding.cues import Lexicon, rule_words
from judgekit.blinding.fold import Span, View
from judgekit.blinding.licences import thing_accounts_for, unaccounted
from judgekit.blinding.origins import nation_word
from judgekit.blinding.said import said_of_people
from judgekit.blinding.spanish_words import (
    belongs,
    both_forms,
    inflected,
    mark,
    raw_word,
    second_person,
    subject_is_person,
)

__all__ = ["find_agreement"]

_WORDS = rule_words("spanish")
_FORMS, _SAID_TO_YOU = copula_forms()
_COPULAS = _WORDS["copulas"] | _FORMS
_SKIPPED = _WORDS["skipped"]
_SAYING = _WORDS["saying"]
_ADVERBS = _WORDS["adverbs"]
_LONELY = _WORDS["lonely"]
_IRREGULAR = _WORDS["irregular_participles"]
_THING_WORDS = _WORDS["thing_participles"]
_INVARIABLE = _WORDS["invariable_after_copula"]
_IN_IDAR = ("cuid", "descuid", "olvid", "convid", "intimid", "suicid", "consolid", "invalid", "validad", "elucid")
_ENDS = ("o", "a", "os", "as", "e", "es", "x", "xs")
_AFTER_PARTICIPLE = frozenset("en de por con como a al del el la desde entre para y e desde hace que".split())


def find_agreement(
    view: View, words: Lexicon, heads: AbstractSet[int], starts: AbstractSet[int], clauses: Clauses
) -> tuple[list[Span], set[int]]:
    """Find adjectives and participles that agree with the person spoken to or of.

    Parameters
    ----------
    view : View
        The folded text.
    words : Lexicon
        The Spanish cues.
    heads : set of int
        Words that are masked person nouns or titles.
    starts : set of int
        Positions in the original that belong to names.
    clauses : Clauses
        The text's clauses.

    Returns
    -------
    list of Span
        The adjectives and participles.
    set of int
        Their words.
    """
    greetings, feelings = words.sets.get("greetings", frozenset()), words.sets.get("feelings", frozenset())
    people = words.sets.get("said of people", frozenset())
    single = words.sets.get("people of one form", frozenset()) - {"guia", "policia", "menor", "joven", "modelo"}
    spans = []
    marked: set[int] = set()
    for i, word in enumerate(view.words):
        if (len(word) < 4 and word not in {"mia", "mio"}) or word[-1:] not in "aoesx" or i in heads or _called(view, i):
            continue
        said = False
        degree = i > 1 and view.words[i - 1] in {"mas", "muy", "tan", "menos"} and view.before(i - 1).isspace()
        head = i - 2 if degree else i - 1
        behind = (head in heads or (head >= 0 and view.words[head] in single and bool(starts))) and view.before(
            i
        ).isspace()
        if (
            word.endswith(("e", "es"))
            and not word.endswith(("ade", "ide", "ades", "ides"))
            and not _after_verb(view, i)
        ) or (word.endswith(("idades", "edades", "tades")) and not word.startswith(_IN_IDAR)):
            continue  # no la molestes, que le interese: a verb; felicidades: a noun
        if inflected(word, greetings) or inflected(word, feelings):
            said = (
                not _of_a_thing(view, i, clauses)
                and view.words[i + 1 : i + 2] not in _COLLECTIVE
                and not (i and view.words[i - 1] in {"estamos", "somos", "quedamos", "hemos"})
            )
        elif inflected(word, people):
            beside = behind or (i + 1 in heads and view.after(i).isspace())
            said = beside or _after_copula(view, i, starts) or _named_copula(view, i, starts)
        elif word in {"sola", "solo"}:
            said = _alone(view, i) and not _by_itself(view, i, clauses)
        elif word in {"suya", "suyo", "mia", "mio", "tuya", "tuyo", "suye"}:
            said = behind
        elif word.endswith(("ado", "ada", "ido", "ida", "oso", "osa")):
            said = behind or _named_copula(view, i, starts)
        said = said or (behind and word[-1:] in "oa" and adjectival(word))  # una compañera estupenda
        said = said or _predicate(view, i, starts, heads) or _apposition(view, i, starts, heads)
        if said and _of_another(view, i, clauses, mostly=inflected(word, feelings)):
            continue
        if said or _self(view, i):
            marked.add(i)
    marked |= said_of_people(view, words, clauses, heads, marked)
    marked |= unaccounted(view, clauses, heads, marked, people) | (in_cells(view, clauses, people) - heads)
    marked = {i for i in marked if not thing_accounts_for(view, i, clauses, people)}
    for i in sorted(marked):
        if nation_word(view.words[i]):
            spans.append(mark(view, i, "demonym", "[ORIGIN]", ""))
            continue
        both = both_forms(view.raw(i))
        if both:
            spans.append(mark(view, i, "agreement", both[0], both[1]))
    return spans, marked


def _called(view: View, i: int) -> bool:
    """Soy Marta: a word with a capital inside a sentence is a name, unless all is in capitals."""
    return (
        view.capital(i)
        and i > 0
        and view.before(i) == " "
        and view.words[i - 1] in _COPULAS
        and not view.raw(i).isupper()
    )


_LEXICAL_PEOPLE = _WORDS["human_adjectives"] | _WORDS["human_or_thing_adjectives"]


def _self(view: View, i: int) -> bool:
    """Usted mismo, ella misma."""
    if view.words[i] not in {"mismo", "misma"} or not i:
        return False
    before = view.words[i - 1]
    return before in {"usted", "ella", "si", "tu", "vos", "yo", "ti"} or raw_word(view, i - 1).lower() == "él"


_TO_USTED = frozenset(
    "venga vaya este sea siga quedese sientase mantengase acuda pase venir ir acudir estar ser sentirse".split()
)
_WHEN = frozenset("ayer hoy anoche ahora antes despues recientemente aqui alli siempre ademas".split())
_DEGREES = frozenset("muy tan mas menos bastante totalmente completamente algo poco realmente usted".split())
_COLLECTIVE = frozenset(
    (w,) for w in
    "clientela comunidad vecindario plantilla audiencia familia ciudadania aficion profesorado alumnado direccion administracion redaccion tripulacion "
    "junta asociacion empresa compania tienda comision parroquia cofradia equipo publico gente".split()
)  # fmt: skip


def _of_another(view: View, i: int, clauses: Clauses, *, mostly: bool) -> bool:
    """Whether the verb before a word has a thing for its subject: la cita fue confirmada y está apuntada."""
    k = _copula_before(view, i)
    if k is None or second_person(view, k) or view.words[k] in _SAID_TO_YOU or view.words[k] in _TO_USTED:
        return False
    word = view.words[i][:-1] + "o"
    return clauses.stated(k) == "thing" or (
        clauses.subject(k) == "thing" and not mostly and word != "solo" and word not in _LEXICAL_PEOPLE
    )


def _after_verb(view: View, i: int) -> bool:
    """Whether a copula or an adverb of degree stands before, so that a form in -e is an adjective."""
    return i > 0 and (view.words[i - 1] in _COPULAS or view.words[i - 1] in _DEGREES)


def _predicate(view: View, i: int, starts: AbstractSet[int], heads: AbstractSet[int]) -> bool:
    """Whether a word is what a person is, was or feels: any adjective or participle by its ending."""
    word = view.words[i]
    if word in _INVARIABLE or len(word) < 4 or not view.before(i).isspace() or word.endswith(("ndo", "mente", "cion")):
        return False
    if (word[-1:] == "e" and not word.endswith(("ade", "ide"))) or (word[-1:] == "s" and word[-2:-1] not in "oa"):
        return False
    k = i - 3 if i > 2 and view.words[i - 1] in {"y", "e", "o", "ni"} else i - 1  # amable y atenta
    if k < i - 1 and view.before(i - 1).strip():
        return False
    while k > 0 and (view.words[k] in _ADVERBS or view.words[k] in {"usted", "ya", "no"}) and view.before(k).isspace():
        k -= 1
    if k < 0 or view.words[k] not in _COPULAS or not view.between(k, k + 1).isspace():
        return False
    if k < i - 1 and view.words[i - 1] in {"y", "e", "o", "ni"} and not adjectival(word):
        return False  # está feliz y trabaja
    if view.words[k] in {"ha", "has", "he", "han", "ve", "veo", "vemos", "noto", "notamos"}:
        return False
    if view.words[k] not in _WORDS["copulas"] and not adjectival(word):
        return False
    if raw_word(view, k).lower() in {"este", "esta", "estas", "estes"}:  # without its accent: a pronoun, no verb
        return False
    person = second_person(view, k) or view.words[k] in _SAID_TO_YOU or subject_is_person(view, k, starts, heads)
    return person and (_participle(word) or word not in _THING_WORDS)


def _apposition(view: View, i: int, starts: AbstractSet[int], heads: AbstractSet[int]) -> bool:
    """As in "Ana Gil, nacida en Lugo", "la clienta, casada": a participle behind a person and a comma."""
    word = view.words[i]
    if not i or not _participle(word):
        return False
    if word in _THING_WORDS and not (view.words[i - 1] == "recien" or word[:-1] + "o" in _LEXICAL_PEOPLE):
        return False
    following = view.words[i + 1] if i + 1 < len(view.words) and view.after(i) == " " else ""
    set_off = following in _WHEN or following.endswith("mente")
    if not set_off and following not in _AFTER_PARTICIPLE and view.after(i)[:1] not in {",", ".", ")", ";"}:
        return False
    k = i
    while k > 0 and (view.words[k - 1] in _ADVERBS or view.words[k - 1].endswith("mente")) and view.before(k).isspace():
        k -= 1
    if view.before(k).strip() not in {",", "("} or not k:
        if not (
            view.words[k - 1] in {"y", "e"} and k > 1 and both_forms(view.raw(k - 2)) and _participle(view.words[k - 2])
        ):
            return False
        return _apposition(view, k - 2, starts, heads)
    return k - 1 in heads or view.source(view.starts[k - 1], view.ends[k - 1])[0] in starts


def _participle(word: str) -> bool:
    """A participle by its ending, or an irregular one."""
    stem = next((word[: -len(end)] for end in sorted(_ENDS, key=len, reverse=True) if word.endswith(end)), "")
    return len(stem) > 2 and (stem.endswith(("ad", "id")) or stem + "o" in _IRREGULAR)


def _alone(view: View, i: int) -> bool:
    """As in "lleva meses sola", "vive solo": the adjective, not "only"."""
    before = view.words[max(0, i - 3) : i]
    after, following = view.after(i), view.words[i + 1] if i + 1 < len(view.words) else ""
    closes = after[:1] in {"", ".", ",", ";", ":", "!", "?", ")"} or following in {
        "con",
        "en",
        "a",
        "desde",
        "y",
        "sin",
        "ante",
        "por",
        "o",
        "ni",
        "pero",
        "estos",
        "estas",
    }
    ends = after[:1] in {"", ".", ",", ";", ":", "!", "?", ")"}
    if ends and len(before) > 1 and view.before(i) == " " and before[-1] not in _NOT_LONELY:
        return True  # hizo el trabajo sola, no vayas solo
    return closes and bool(_LONELY.intersection(before) or (before and _INFINITIVE.fullmatch(before[-1], timeout=1.0)))


def _by_itself(view: View, i: int, clauses: Clauses) -> bool:
    """As in "la descarga empezará sola": the subject that opens the clause is a thing of the word's gender."""
    k = i
    while k > 0 and view.before(k) == " " and view.words[k - 1] not in {"y", "que", "si", "pero", "o"}:
        k -= 1
    return clauses.thing_at(k) == ("f" if view.words[i] == "sola" else "m")


_NOT_LONELY = frozenset("un una el la ni con de tan muy cafe por uno mismo".split())
_INFINITIVE = regex.compile(
    r"\p{L}{1,12}(?:ar|er|ir)(?:me|te|se|nos|os|lo|la|los|las|le|les|selo|telo|melo)?|\p{L}{2,12}[aei]ndo(?:lo|la|te|me|se)?|\p{L}{1,8}(?:alo|ala|elo|ela)"
)


def _of_a_thing(view: View, i: int, clauses: Clauses) -> bool:
    """As in "las partes interesadas", "una zona tranquila", "los ojos cansados": the word belongs to a noun before it."""
    if not i or not view.before(i).isspace():
        return False
    before = view.words[i - 1]
    if view.words[i] in {"vestido", "vestidos"} and before in _ANY_ARTICLE | {"del", "al"}:
        return True
    if i > 1 and before in _WORDS["thing_like"] and view.before(i - 1) == " " and view.words[i - 2] in _ANY_ARTICLE:
        return True
    if (
        i > 1
        and view.words[i - 2] in _INDEFINITE
        and before not in _MEASURES
        and before not in _ADVERBS
        and (view.words[i][:-1] + "o" in _PLACES_TOO or view.words[i][:-1] + "o" not in _WORDS["human_adjectives"])
    ):
        return clauses.thing_at(i - 2) == ("f" if view.words[i].rstrip("s").endswith("a") else "m")
    return (
        i >= 2
        and view.words[i - 2] in {"la", "las", "los", "el", "una", "un", "esta", "este"}
        and before not in _COPULAS
        and before not in _ADVERBS
        and before in {"parte", "partes", "publico", "persona", "personas", "mensaje", "empresa", "linea", "respuesta"}
    )


_ANY_ARTICLE = frozenset(
    "el la los las un una unos unas su sus mi mis tu tus este esta estos estas esa ese nuestra nuestro".split()
)
_INDEFINITE = frozenset("un una cada otra otro alguna algun ninguna ningun esta este esa ese nuestra nuestro".split())
_MEASURES = frozenset(
    "poco tanto rato punto pelin pelo temporada trimestre epoca verano invierno curso montonazo monton mogollon pasada barbaridad infinidad siglo eternidad".split()
)
_PLACES_TOO = frozenset("tranquilo animado aburrido incomodo inseguro triston".split())


def _copula_before(view: View, i: int) -> int | None:
    k = i - 1
    while k >= 0 and view.words[k] in _ADVERBS and view.between(k, k + 1).isspace():
        k -= 1
    if k >= 0 and view.words[k] in _COPULAS and view.between(k, k + 1).isspace():
        if (
            view.words[k] in {"ha", "has", "ve", "este", "estas", "era"}
            and view.words[k] == "este"
            and raw_word(view, k).lower() == "este"
        ):
            return None
        return k
    return None


def _after_copula(view: View, i: int, starts: AbstractSet[int]) -> bool:
    """Whether a word is said of somebody without a noun for subject: "ya está registrada"."""
    k = _copula_before(view, i)
    if k is None or view.words[k] in {"ha", "has", "estamos", "somos"}:
        return False
    while k > 0:
        gap = view.between(k - 1, k)
        if not gap.isspace():
            return True
        k -= 1
        word = view.words[k]
        if word == "que":
            if k > 1 and view.words[k - 1] == "de":
                k -= 1
            return k > 0 and (
                view.words[k - 1] in _SAYING or view.source(view.starts[k - 1], view.ends[k - 1])[0] in starts
            )
        if word not in _SKIPPED and word not in {"la", "las", "los"}:
            return view.source(view.starts[k], view.ends[k])[0] in starts and not belongs(view, k, starts)
    return True


def _named_copula(view: View, i: int, starts: AbstractSet[int]) -> bool:
    k = _copula_before(view, i)
    if k is None or k == 0:
        return False
    if view.words[k] in {"ha", "has", "he", "han"}:
        return False
    subject = view.words[k - 1]
    if view.words[k] in {"sido", "estado"} and subject in {"ha", "has"} and k > 1:
        subject, k = view.words[k - 2], k - 1
    if subject in {"usted", "tu", "ella", "yo"}:
        return True
    if subject == "no" and k > 1:
        return view.words[k - 2] in {"usted", "ella"}
    named = view.source(view.starts[k - 1], view.ends[k - 1])[0] in starts
    return (named and not belongs(view, k - 1, starts)) or (subject == "el" and raw_word(view, k - 1).lower() == "él")
