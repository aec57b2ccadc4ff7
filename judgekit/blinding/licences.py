"""Spanish adjectives and participles that no thing accounts for: "No se preocupe: no ha sido engañada".

A verb without a subject leaves open who its predicate speaks of. Here the things around are asked first: one that
agrees in gender and number, in the same sentence or the one before, may account for the word. If none does, or the
word is one of people, a person who is named or addressed accounts for it, whatever the construction.
"""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from collections.abc import Set as AbstractSet

from judgekit.blinding.clauses import Clauses
from judgekit.blinding.copulas import adjectival, base_form, copula_before, of_people, said_to_you
from judgekit.blinding.cues import rule_words
from judgekit.blinding.fold import View
from judgekit.blinding.object_pronouns import left_as, of_a_thing
from judgekit.blinding.spanish_words import both_forms, gap_before, inflected, raw_word

__all__ = ["attributive", "thing_accounts_for", "unaccounted"]

_WORDS = rule_words("spanish")
_OF_EITHER = tuple(_WORDS["participles_of_either"])
_OF_THINGS = _WORDS["adjectives_of_things"]
_INVARIABLE = _WORDS["invariable_after_copula"] - {"solo"}
_EPICENE = frozenset("persona personas victima victimas criatura familia gente pareja parejas".split())
_ADDRESSED = frozenset("le les te usted ustedes su tu".split())
_LEADING = frozenset("que si cuando aunque mientras porque como donde".split())
_NOT_ALONE = frozenset("en un una el la lo los las para disponible valido valida de se puede quedan queda".split())


def unaccounted(
    view: View, clauses: Clauses, heads: AbstractSet[int], marked: AbstractSet[int], people: frozenset[str]
) -> set[int]:
    """Find words behind a copula without a subject that only a person can account for.

    Parameters
    ----------
    view : View
        The folded text.
    clauses : Clauses
        The text's clauses.
    heads : set of int
        Words that are masked person nouns or titles.
    marked : set of int
        Words found to agree with a person before.
    people : frozenset of str
        Dictionary forms of words that are said of people.

    Returns
    -------
    set of int
        Further words.

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> view = fold("Ana, no ha sido engañada. La cuenta es suya y no ha sido cerrada.")
    >>> text = Clauses(view, {0}, frozenset())
    >>> sorted(unaccounted(view, text, frozenset(), set(), frozenset()))
    [4]
    """
    if not any(clauses.people):
        return set()
    found = set()
    for i, word in enumerate(view.words):
        if i in marked or i in heads or len(word) < 4 or (view.capital(i) and view.before(i) == " "):
            continue
        lone = word in {"solo", "sola"}
        known = lone or adjectival(word) or inflected(word, people)
        if not lone and (word[-1:] not in "aos" or word in _INVARIABLE or not (known or _ends_phrase(view, i))):
            continue
        if both_forms(view.raw(i)) is None:
            continue
        if lone and _only(view, i):
            continue
        k = copula_before(view, i)
        if _of_object(view, i, clauses, people) or _by_idiom(view, i, people):
            found.add(i)
            continue
        if k is None:
            continue
        if _postposed(view, i, clauses):
            continue
        if _weight(view, i, k, clauses, people) >= (1 if known else 2):
            found.add(i)
    return found


def _of_object(view: View, i: int, clauses: Clauses, people: frozenset[str]) -> bool:
    """Te he dejado apuntada, la consideran apta, no te veas forzada: said of the pronoun before the verb."""
    k = i - 1
    while k > 0 and view.between(k, k + 1).isspace() and (view.words[k] in _DEGREES or view.words[k].endswith("mente")):
        k -= 1
    if k < 0 or not view.between(k, k + 1).isspace():
        return False
    verb, c = view.words[k], k - 1
    suffix = next(
        (end for end in ("te", "me", "la", "lo", "le") if verb.endswith(("ar" + end, "er" + end, "ndo" + end))), ""
    )
    if suffix:
        pronoun, before = suffix, ""
    else:
        if c > 0 and view.words[c] in _HAVING and verb.endswith(("ado", "ido", "sto", "cho")):
            c -= 1
        if c < 0 or not view.between(c, c + 1).isspace():
            return False
        pronoun, before = view.words[c], view.words[c - 1] if c else ""
    if pronoun not in {"te", "me", "la", "lo", "le"} or not verb.startswith(_LEAVING):
        return False
    if verb in _FITS and pronoun in {"te", "me", "le"}:
        return False  # el abrigo me queda pequeño
    weight = of_people(base_form(view.words[i]), people)
    if pronoun in {"te", "me", "le"}:
        return weight > -2 and (weight > 0 or not _postposed(view, i, clauses)) and (pronoun != "le" or weight > 0)
    agrees = view.words[i][-1:] == pronoun[-1:]
    if agrees and base_form(view.words[i]) in {"informado", "tranquilo"} and any(clauses.people[:k]):
        return True  # el banco la mantiene informada
    return (
        agrees
        and before not in {"te", "me", "se", "nos"}
        and weight > (2 if verb.startswith(("tien", "ten")) else 0)
        and clauses.antecedent(k, feminine=pronoun == "la")
    )


_FITS = frozenset("queda quedan quedaba quedaban quedara quedaran quedaria quedarian queden".split())
_DEGREES = frozenset("muy tan mas menos bastante algo poco un demasiado ya bien mejor peor siempre hoy".split())
_HAVING = frozenset(
    "he has ha hemos han haya hayas hayan habia habias habian habria habrias habrian habre habra habran hubiera hubieras hubieran".split()
)
_LEAVING = (
    "dej", "not", "ve", "vi", "encontr", "encuentr", "hac", "hag", "hiz", "hic", "pon", "pus", "imagin", "consider", "cre", "hall", "sab", "nombr", "tien",
    "ten", "teng", "sient", "sent", "mant", "qued", "consig", "declar",
)  # fmt: skip


def _by_idiom(view: View, i: int, people: frozenset[str]) -> bool:
    """No se dé por vencida; una vez identificada, verá la lista; ¿ya instalada en casa?"""
    k = i
    while k > 0 and view.before(k) == " " and view.words[k - 1] in _DEGREES | {"aun", "todavia", "tan", "y"}:
        k -= 1
    if "¿" in view.before(k) and of_people(base_form(view.words[i]), people) > 0:
        return True
    if i > 1 and view.words[i - 1] == "por" and view.words[i - 2] in _GIVING:
        return base_form(view.words[i]) in {"vencido", "aludido", "enterado", "satisfecho", "contento", "perdido"}
    return (
        i > 1
        and view.words[i - 2 : i] == ("una", "vez")
        and view.after(i)[:1] == ","
        and of_people(base_form(view.words[i]), people) > 0
    )


_GIVING = frozenset("de des da das doy dio dan dar darse darte dado dando demos diste".split())


def _ends_phrase(view: View, i: int) -> bool:
    """Whether a word of no known class can be a predicate: esté reacia a darla; no esté agua fría."""
    if view.words[i][-1:] not in {"a", "o"} or view.words[i].endswith(("mente", "ando", "iendo")):
        return False
    return view.after(i)[:1] in {",", ".", "?", "!", ";"} or view.words[i + 1 : i + 2] in (
        ("a",),
        ("con",),
        ("de",),
        ("por",),
    )


def _only(view: View, i: int) -> bool:
    """Está solo disponible en la web: "only"."""
    if view.words[i] != "solo" or view.after(i) != " " or i + 1 >= len(view.words):
        return False
    following = view.words[i + 1]
    return following not in {
        "en",
        "con",
        "ante",
        "y",
        "estos",
        "esta",
        "este",
        "por",
        "a",
        "desde",
        "tanto",
        "toda",
        "todo",
        "mucho",
    }


def _postposed(view: View, i: int, clauses: Clauses) -> bool:
    """Queda abierta la tienda, será indemnizada toda pérdida: the subject stands behind."""
    if view.after(i) != " " or i + 1 >= len(view.words):
        return False
    following = view.words[i + 1]
    if following in {"toda", "todo", "todas", "todos", "cualquier", "cada", "dicha", "dicho"}:
        return view.words[i + 2 : i + 3] not in (("la",), ("el",)) and following != "cada"
    if view.words[i + 2 : i + 3] and view.words[i + 2] in {"rato", "momento", "poco", "tiempo", "minuto", "temporada"}:
        return False  # se quedó dormida un rato
    return bool(clauses.thing_at(i + 1)) and following not in {"al", "del"}


_ANYBODY = frozenset("alguien nadie cualquiera quienquiera alguno ninguno alguna ninguna uno".split())


def _weight(view: View, i: int, k: int, clauses: Clauses, people: frozenset[str]) -> int:
    """How much speaks for a person; 1 or more is enough."""
    word, base = view.words[i], base_form(view.words[i].rstrip("s"))
    stated = clauses.stated(k)
    if stated == "thing" or _ANYBODY & {*view.words[max(0, k - 5) : k]}:
        return -9
    if word.endswith("s") != view.words[k].endswith(("n", "mos")) and not view.words[k].endswith(
        ("ar", "er", "ir", "do")
    ):
        return -9  # number: están listas, está lista
    if said_to_you(view, k) or (stated == "person" and base not in _OF_THINGS):
        return 9
    weight = 1 + of_people(base, people)
    weight += clauses.subject(k) == "person"
    weight += _addressed(view, i, clauses)
    weight += _asked_of_somebody(view, k, clauses)
    weight -= _thing_near(view, i, k, clauses)
    return weight


def _addressed(view: View, i: int, clauses: Clauses) -> bool:
    """Whether somebody is addressed right behind the word's clause: ya está preparada, Ana."""
    for j in range(i, min(i + 8, len(view.words) - 1)):
        gap = view.after(j)
        if any(c in ".;:!?\n" for c in gap):
            return False
        if gap.strip() == ",":
            return clauses.people[j + 1]
    return False


def _asked_of_somebody(view: View, k: int, clauses: Clauses) -> int:
    """What stands around the verb: a vocative before it, the person addressed in the same clause, a verb of feeling."""
    weight = 0
    j = k
    while j > 0 and view.between(j - 1, j) == " " and view.words[j - 1] in _LED_BY:
        j -= 1
    led = view.words[j:k]
    if j and clauses.people[j - 1] and view.before(j).strip() in {",", ":"}:
        weight += 1  # Ana, sigue conectada
    if view.words[k].startswith(("sient", "sent", "sint")):
        weight += 2
    if (
        view.words[k] in _WISHED
        and (view.opens_sentence(j) or "¿" in view.before(j) or view.before(j).strip() in {",", ";", ":"})
        and "que" not in led
    ):
        weight += 3  # no sea tan dura, no se quede sola
    if "¿" in view.before(j):
        weight += 2
    near = view.words[max(0, j - 4) : j]
    if "que" in led and ({"le", "te"} & {*near}):
        weight += 2  # le agradezco que haya sido
    elif {"si", "que", "cuando", "mientras", "aunque"} & {*led} and view.words[j - 1 : j] not in (("la",), ("el",)):
        weight += 1
    return weight


_LED_BY = frozenset("no ya se ha haya que si aun todavia cuando mientras aunque".split())
_WISHED = frozenset(
    "sea este quede vaya venga siga esten sean queden mantengase sientase quedese muestrese sienta".split()
)


def _thing_near(view: View, i: int, k: int, clauses: Clauses) -> int:
    """2 for an agreeing thing in the sentence before the verb, 1 for one in the sentence before that, 0 for none."""
    gender, plural = ("f" if view.words[i].rstrip("s").endswith("a") else "m"), view.words[i].endswith("s")
    sentences = 0
    for j in range(k - 1, max(-1, k - 40), -1):
        if any(c in ".!?\n" for c in gap_before(view, j + 1)):
            sentences += 1
            if sentences > 1:
                return 0
        kind = clauses.thing_at(j)
        if kind and kind in {gender, "n"} and view.words[j].endswith("s") == plural:
            return 1 if sentences else 2
    return 0


def attributive(view: View, i: int) -> bool:
    """Whether a word can only be an attribute of the noun of a thing right before it: "es una situación molesta".

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        The adjective.

    Returns
    -------
    bool

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> attributive(fold("una situación molesta"), 2), attributive(fold("la noto molesta"), 2)
    (True, False)
    """
    if i < 1 or view.before(i) != " ":
        return False
    noun = view.words[i - 1]
    bare = noun.removesuffix("es") if noun.endswith(("ciones", "siones", "dades")) else noun
    if view.words[i] in {
        "interesada",
        "encantada",
        "preocupada",
        "enfadada",
        "enojada",
        "satisfecha",
        "agradecida",
        "decepcionada",
        "frustrada",
        "contenta",
    }:
        return False  # nobody says so of a thing
    if not bare.endswith(("cion", "sion", "dad", "tad", "encia", "ancia")) or len(noun) < 5:
        return False
    return view.words[i].rstrip("s").endswith("a") and view.words[i].endswith("s") == noun.endswith("s")


def thing_accounts_for(view: View, i: int, clauses: Clauses, people: frozenset[str]) -> bool:
    """Whether a thing, or a noun of one gender for everybody, accounts for a word whatever it is mostly said of.

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        The adjective.
    clauses : Clauses
        The text's clauses.
    people : frozenset of str
        Dictionary forms of words that are said of people.

    Returns
    -------
    bool
    """
    if (
        view.words[i] in {"demasiado", "duplicado", "triplicado"}
        or attributive(view, i)
        or _elliptic(view, i, clauses)
        or _hailed_thing(view, i, clauses)
    ):
        return True
    if (
        view.words[i] in {"herida", "heridas"}
        and i
        and view.words[i - 1] in {"la", "las", "una", "su", "esa", "esta", "tu"}
    ):
        return raw_word(view, i - 1).lower() != "está" and not any(clauses.people[i + 1 : i + 2])
    if (
        i > 1
        and view.words[i - 2] in {"la", "lo", "las", "los"}
        and (left_as(view, i - 2, clauses) or of_a_thing(view, i - 2, clauses))
    ):
        return view.words[i].endswith(view.words[i - 2][1:]) and view.before(i) == view.before(i - 1) == " "
    k = copula_before(view, i)
    if k is None:
        return False
    if view.words[i + 1 : i + 2] and view.words[i + 1] in {"toda", "todo", "cualquier", "dicha", "dicho"}:
        return _postposed(view, i, clauses)  # será indemnizada toda pérdida
    weak = of_people(base_form(view.words[i]), people) < 3 and not said_to_you(view, k)
    if weak and clauses.stated(k) != "person" and _postposed(view, i, clauses):
        return True
    if (
        base_form(view.words[i]).startswith(_OF_EITHER)
        and not said_to_you(view, k)
        and clauses.subject(k) != "person"
        and _weight(view, i, k, clauses, people) < 1
    ):
        return True
    if view.words[i].endswith("o") and not _ANYBODY.isdisjoint(view.words[max(0, k - 2) : k]) and view.before(k) == " ":
        return True  # si alguien está interesado
    for j in range(k - 1, max(-1, k - 6), -1):
        if any(c in ".,;:!?\n" for c in view.after(j)):
            return False
        if view.words[j] in _EPICENE and j and not clauses.people[j + 1]:
            return view.words[i].rstrip("s").endswith("a")
    return False


def _elliptic(view: View, i: int, clauses: Clauses) -> bool:
    """La mesa pequeña está libre; la grande, ocupada: a second thing, its verb left out."""
    if view.before(i) != ", " or i < 2 or view.before(i - 1) != " " or clauses.people[i - 1]:
        return False
    article, ends = view.words[i - 2], view.words[i][-1:]
    opens = view.before(i - 2).strip() in {";", "."} or (i > 2 and view.words[i - 3] in {"y", "pero"})
    return opens and clauses.thing_at(i - 2) != "" and (article, ends) in {("la", "a"), ("el", "o")}


def _hailed_thing(view: View, i: int, clauses: Clauses) -> bool:
    """Bienvenida la primavera; tranquila la noche en la planta 2."""
    return (
        view.opens_sentence(i)
        and view.after(i) == " "
        and i + 1 < len(view.words)
        and (view.words[i + 1], view.words[i][-1:]) in {("la", "a"), ("el", "o")}
        and i + 2 < len(view.words)
        and not clauses.people[i + 2]
    )
