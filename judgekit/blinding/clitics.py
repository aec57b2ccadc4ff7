"""Spanish object pronouns "la" and "lo" that stand for a person: before a verb done to people, or at its end."""

# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

import regex

from judgekit.blinding.clauses import Clauses
from judgekit.blinding.cues import Lexicon, rule_words
from judgekit.blinding.fold import Span, View, patience
from judgekit.blinding.object_pronouns import (
    PLACES_OF_HELP,
    behind_its_subject,
    is_article,
    left_as,
    of_a_thing,
    put_somewhere,
    seen_or_taken,
)
from judgekit.blinding.spanish_words import mark, stressed_verb

__all__ = ["find_clitics"]

_T = 1.0
_WORDS = rule_words("spanish")
_AUXILIARIES = _WORDS["auxiliaries"]
_AMBIGUOUS = (
    "pon",
    "conoc",
    "conozc",
    "manten",
    "mantien",
    "mantendr",
    "quer",
    "quier",
    "esper",
    "present",
    "recomend",
    "trat",
    "oper",
    "cur",
    "autoriz",
    "identific",
    "reconoc",
    "examin",
    "aprec",
    "contrat",
    "anim",
    "respet",
    "citar",
    "cuid",
    "represent",
    "inform",
    "notific",
    "transfer",
    "transfier",
    "deriv",
    "visit",
    "redirig",
    "redirij",
    "escuch",
    "defend",
    "defiend",
    "sustitu",
    "admir",
)
_CONJUGATED = regex.compile(
    r"\p{L}+(?:o|a|e|as|es|an|en|amos|emos|imos|are|ara|aran|aremos|ere|era|eran|eremos|ire|ira|iran|iremos|aron|ieron|io|aba|abamos|aria|eria|iria|ado|ido|ar|er|ir|ando|iendo)"
)


def find_clitics(
    view: View, words: Lexicon, heads: AbstractSet[int], starts: AbstractSet[int], clauses: Clauses
) -> list[Span]:
    """Find "la" and "lo" that stand for a person: before a verb done to people, or at its end.

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
    """
    stems = tuple(words.sets.get("verbs done to people", frozenset()))
    people = sorted(
        heads | {k for k in range(len(view.words)) if starts and view.source(view.starts[k], view.ends[k])[0] in starts}
    )
    spans = []
    for i, word in enumerate(view.words):
        if word in {"la", "lo", "las", "los"} and i + 1 < len(view.words) and view.after(i).isspace():
            if is_article(view, i) or left_as(view, i, clauses) or of_a_thing(view, i, clauses):
                continue
            following = view.words[i + 1]
            if following in _AUXILIARIES and i + 2 < len(view.words):
                following = (
                    view.words[i + 2] if view.words[i + 2] != "a" or i + 3 >= len(view.words) else view.words[i + 3]
                )
            if (
                (
                    _done_to_people(view, i, following, stems)
                    and not (following.startswith(_AMBIGUOUS) and clauses.rival(i, feminine=word in {"la", "las"}))
                )
                or _idiom(view, i)
                or _of_the_named(view, i, following, people)
                or _stands_for_somebody(view, i, clauses)
                or seen_or_taken(view, i, clauses)
            ):
                spans.append(mark(view, i, "clitic", "[PRONOUN]", "object"))
        elif (
            (len(word) > 5 or word in {"verla", "verlo"})
            and word.endswith(("la", "lo"))
            and _done_to_somebody(view, i, clauses)
        ):
            begin, end = view.source(view.ends[i] - 2, view.ends[i])
            spans.append(Span(begin, end, "clitic", "[PRONOUN]", "object", None, False, 42))
        elif len(word) > 5 and word.endswith(("la", "lo", "las", "los")) and word.startswith((*stems, *_MOVED)):
            size = 3 if word.endswith("s") else 2
            stem = word[:-size]
            ordered = _ordered(view, i, size)
            done = stem.endswith(("ar", "er", "ir", "ando", "endo", "e", "en", "nos", "arse")) or ordered
            quoted = stem == "citar" and not _QUOTABLE.isdisjoint(view.words[max(0, i - 40) : i])
            if (word.startswith(stems) and done and _person_stem(stem) and not quoted) or (
                (ordered or (done and stem.startswith("pas")))
                and stem.startswith(_MOVED)
                and _to_help(view, i)
                and not put_somewhere(view, i, clauses)
            ):
                begin, end = view.source(view.ends[i] - size, view.ends[i])
                spans.append(Span(begin, end, "clitic", "[PRONOUN]", "object", None, False, 42))
    spans += [
        Span(*view.source(*found.span("clitic")), "clitic", "[PRONOUN]", "object", None, False, 42)
        for found in _IDIOM_ENDS.finditer(view.folded, timeout=patience(view.folded))
    ]
    return spans


_PEOPLE_VERBS = tuple(sorted(_WORDS["people_verbs"], key=len, reverse=True))
_NEUTER = _WORDS["neuter_verbs"]
_HAVE = frozenset("ha han he hemos has habia habian habra habran hayan haya voy vas va vamos van iba iban puedo puede pueden podemos quiero quiere quieren debo debe deben "
                  "estoy estan estamos esta estaba acaba acaban suele suelen".split())  # fmt: skip
_NO_VERBS = frozenset(
    "mas que de cual cuales mejor peor misma mismo primera ultima siguiente antes unico unica cierto".split()
)
_ENDINGS = regex.compile(
    r"(?:o|a|e|as|es|an|en|amos|emos|imos|are|ara|aras|aran|aremos|ere|era|eran|eremos|ire|ira|iran|iremos|aron|ieron|eron|io|aste|iste|aba|aban|abamos|ia|ian|iamos|"
    r"aria|eria|iria|arian|ado|ido|ar|er|ir|ando|iendo|uvo|uvieron|i|ste|cho)"
)
_HOST = regex.compile(r"(?:ar|er|ir|ando|iendo|yendo|[aeio]|[ae]n|[ae]d|emos|amos)(?:me|te|se|nos)?")


def _stem_end(word: str) -> int:
    """How long the stem of a verb done to people is at the beginning of a word; 0 for another word."""
    return next((len(stem) for stem in _PEOPLE_VERBS if word.startswith(stem)), 0)


@lru_cache(maxsize=8192)
def _verb_of_people(word: str) -> bool:
    if word.startswith("re") and len(word) > 6 and _verb_of_people(word[2:]):
        return True  # readmitió, reubicaron
    return word in _SHORT or (
        word.startswith(_PEOPLE_VERBS)
        and any(word.startswith(stem) and _ENDINGS.fullmatch(word, len(stem), timeout=_T) for stem in _PEOPLE_VERBS)
    )


def _stands_for_somebody(view: View, i: int, clauses: Clauses) -> bool:
    """Whether "la" or "lo" before a verb has nobody and nothing else to stand for than the person."""
    verb = i + 1
    if view.words[verb] in _HAVE:
        verb += 1
        if verb < len(view.words) and view.words[verb] in {"a", "de", "que"}:
            verb += 1
    if verb >= len(view.words) or not view.between(i, i + 1).isspace():
        return False
    word = view.words[verb]
    feminine = view.words[i] in {"la", "las"}
    before = view.words[i - 1] if i else ""
    noun_before = i > 1 and view.before(i) == " " and view.words[i - 2] in _DETERMINERS and view.before(i - 1) == " "
    noun = word in _NOUNS and not noun_before and not stressed_verb(view, verb)
    if word in _NO_VERBS or view.words[i].endswith("s") or noun:
        return False
    caused = (
        view.words[verb + 1 : verb + 2] and view.words[verb + 1].endswith(("ar", "er", "ir")) and word[:1] in "hdmov"
    )
    if word in _NEUTER and not feminine and not caused:
        return False
    direct = verb == i + 1
    clear = (
        not i
        or any(c in view.before(i) for c in ".,;:!?¿¡(")
        or before in _BEFORE_CLITIC
        or clauses.people[i - 1]
        or noun_before
    )
    if not clear or not _verb_of_people(word):
        return False
    if direct and view.words[verb + 1 : verb + 2] and view.words[verb + 1] in _AFTER_NOUNS:
        return False  # la calle está cortada
    if direct and word.endswith(("ado", "ada", "ido", "ida", "ar", "er", "ir", "cho")):
        return False
    return clauses.antecedent(i, feminine=feminine) and view.words[verb + 1 : verb + 2] not in (
        ("de",),
        ("del",),
        ("que",),
    )


_SHORT = frozenset("vi vio ve veo ven di dio doy da dan vea vean hizo hago hace".split())
_DETERMINERS = frozenset("el la un una su mi tu nuestro nuestra este esta ese esa cada otro otra los las sus".split())
_AFTER_NOUNS = frozenset(
    "es esta fue sera queda quedo sigue era estaba tiene se son quedara parece debe puede dura".split()
)
_BEFORE_CLITIC = frozenset("y e que no se me te nos os si ya cuando donde como quien porque pero aunque siempre tambien nunca hoy ayer manana luego despues aqui alli o "
                           "nadie alguien todos ella usted medico medica doctor doctora padre madre ayuntamiento hospital equipo".split())  # fmt: skip


_SAYINGS = tuple(
    "hac dec dic dig pon ped pid sab confirm pens intent consegu logr explic coment dej deje tom compr pag prob permit evit cre entend considerarlo valor mir".split()
)


# Háganla pasar, déjelo descansar: what only people are made or allowed to do.
_CAUSING = ("hag", "hac", "dej")
_LET_DO = frozenset(
    "pasar entrar esperar subir salir sentar sentarse venir volver descansar hablar llorar reir dormir esperar participar comer jugar marchar creer sentir "
    "sentirse trabajar viajar elegir decidir opinar".split()
)  # fmt: skip


def _done_to_somebody(view: View, i: int, clauses: Clauses) -> bool:
    """Citarla, avisándolo, llévenla: a verb done to people with nothing else to stand for than the person."""
    word = view.words[i]
    host = word[:-2]
    if put_somewhere(view, i, clauses):
        return False
    if (
        host.startswith(_CAUSING)
        and view.words[i + 1 : i + 2]
        and view.words[i + 1] in _LET_DO
        and view.after(i) == " "
    ):
        return True
    if host == "ver":
        return clauses.antecedent(i, feminine=word == "verla")
    if not host.startswith(_PEOPLE_VERBS):
        return False
    if (
        host.startswith(_SAYINGS)
        or word in _NOUNS
        or not any(host.startswith(stem) and _HOST.fullmatch(host, len(stem), timeout=_T) for stem in _PEOPLE_VERBS)
    ):
        return False
    plain = host.endswith(("ar", "er", "ir", "me", "te", "se", "nos"))
    if not plain and not _ordered(view, i, 2) and not (host.endswith("ndo") and "á" in view.raw(i)):
        return (
            host.endswith("ndo")
            and any(c in "áé" for c in view.raw(i))
            and clauses.antecedent(i, feminine=word.endswith("la"))
        )
    if word.startswith(("hac", "dec", "pon", "pag", "envi", "mand", "dej")) and not clauses.antecedent(
        i, feminine=True
    ):
        return False
    return clauses.antecedent(i, feminine=word.endswith("la"))


_MOVED = (
    "llev",
    "traig",
    "trae",
    "pas",
    "acuest",
    "sient",
    "sac",
    "dej",
    "deje",
    "recog",
    "recoj",
    "acerc",
    "meta",
    "mete",
    "sub",
    "baj",
    "cog",
    "coja",
)


def _ordered(view: View, i: int, size: int) -> bool:
    """Llámala, dígalo: an imperative with its pronoun carries a written accent."""
    raw = unicodedata.normalize("NFC", view.raw(i)).casefold()[:-size]
    return raw.endswith(("a", "e", "n", "d")) and any(c in "áéíóú" for c in raw)


def _to_help(view: View, i: int) -> bool:
    """Llévala a urgencias: where one takes people."""
    return PLACES_OF_HELP.match(view.folded, view.ends[i], timeout=_T) is not None


_IDIOMS = regex.compile(
    r"(?:la|lo|las|los) (?:(?:voy|vamos|va|van|ha|he|han|hemos|habia|hayan|haya|podemos|puede|pueden|debemos|debe) (?:a )?)?"
    r"(?:(?:d(?:oy|a|amos|an|aremos|are|ara|aran|imos|io|ieron|e|emos|ado|ar|aban?|arian?)) de (?:baja|alta)|"
    r"(?:teng\w+|tien\w+|tendr\w+|mant\w+|tener|tuv\w+) (?:al (?:tanto|corriente|dia)|informad[oa]s?|en cuenta|localizad[oa])|"
    r"(?:pong\w+|pon\w+|pus\w+) (?:en contacto|al (?:tanto|corriente|dia)|en copia|en espera)|"
    r"(?:ech\w+) de menos|(?:dej\w+) (?:entrar|pasar|salir|sol[oa]|tranquil[oa]))\b"
)
_IDIOM_ENDS = regex.compile(
    r"(?:dar|dando|tener|teniendo|mantener|manteniendo|poner|poniendo|echar)(?P<clitic>las?|los?) (?:de (?:baja|alta|menos)|al (?:tanto|corriente|dia)|en (?:contacto|copia|espera)|informad[oa]s?)\b"
)
_NEAR_PEOPLE = _WORDS["verbs_of_people_or_things"]


def _idiom(view: View, i: int) -> bool:
    return bool(_IDIOMS.match(view.folded, view.starts[i], timeout=_T))


def _of_the_named(view: View, i: int, verb: str, people: Sequence[int]) -> bool:
    """Whether "la" or "lo" stands for the person named last, no thing of that gender having come in between."""
    direct = view.words[i + 1] == verb
    if direct and verb.endswith(("ada", "ida", "ado", "ido", "adas", "idas", "ados", "idos")):
        return False
    at = bisect_left(people, i) - 1
    if (
        at < 0
        or not verb.startswith(tuple(_NEAR_PEOPLE))
        or verb in _NOUNS
        or not _CONJUGATED.fullmatch(verb, timeout=_T)
    ):
        return False
    if view.words[i + 2 : i + 3] in _NOUN_AFTER or i - people[at] > 25:
        return False
    articles = (
        {"la", "una", "esta", "esa", "su", "tu", "mi"}
        if view.words[i] in {"la", "las"}
        else {"el", "un", "este", "ese", "su", "al", "del", "tu", "mi"}
    )
    feminine = view.words[i] in {"la", "las"}
    for k in range(people[at] + 1, i - 1):
        noun = view.words[k + 1]
        ends = ("a", "as", "ion", "dad", "e", "l", "z", "r", "n") if feminine else ("a", "as", "ion", "dad")
        thing = view.words[k] in articles and k + 1 not in people and view.after(k) == " "
        if thing and noun.endswith(ends) == feminine:
            return False
    return True


def _person_stem(stem: str) -> bool:
    return not stem.startswith(_AMBIGUOUS) or stem.startswith(
        ("inform", "visit", "escuch", "redirig", "conoc", "esper", "citar")
    )


_QUOTABLE = frozenset(
    "frase frases obra fuente fuentes ley norma sentencia novela articulo estudio libro poema texto parrafo verso autor autora cancion pelicula".split()
)


_NOUNS = _WORDS["nouns_like_verbs"]
_WHERE_OR_WHEN = (("en",), ("a",), ("al",), ("el",), ("hoy",), ("manana",), ("desde",), ("aqui",), ("con",))
_NOUN_AFTER = (("es",), ("esta",), ("fue",), ("sera",), ("de",), ("del",), ("se",), ("dura",), ("tiene",))


_CASES = frozenset(
    "caso expediente asunto tema correo mensaje ticket reclamo pedido informe escrito documento problema tramite reporte error cobro pago texto archivo dato "
    "formulario recurso plazo comentario".split()
)  # fmt: skip


def _passed_on(view: View, i: int) -> bool:
    """Lo he derivado al especialista: a man, where no case or message has been spoken of."""
    to = {"al", "a"} & {*view.words[i + 2 : i + 5]}
    return bool(to) and _CASES.isdisjoint(view.words[max(0, i - 40) : i])


def _done_to_people(view: View, i: int, verb: str, stems: tuple[str, ...]) -> bool:
    if verb.endswith("a") and view.words[i] in {"la", "las"} and view.words[i + 2 : i + 3] in _NOUN_AFTER:
        return False
    behind = behind_its_subject(view, i)
    if not verb.startswith(stems) or (verb in _NOUNS and not behind) or not _CONJUGATED.fullmatch(verb, timeout=_T):
        return False
    if verb.startswith(("pon", "manten", "mantien", "mantendr", "manteng")):
        near = view.words[i + 2 : i + 6]
        return any(
            w in {"contacto", "informado", "informada", "informade", "tanto", "dia", "corriente", "lista"} for w in near
        )
    if verb.startswith(
        (
            "quer",
            "quier",
            "conoc",
            "conozc",
            "present",
            "recomend",
            "trat",
            "oper",
            "cur",
            "autoriz",
            "identific",
            "reconoc",
            "examin",
            "aprec",
            "represent",
            "sustitu",
            "transfer",
            "transfier",
            "deriv",
            "notific",
        )
    ) and view.words[i] in {"lo", "los"}:
        return verb.startswith(("transfer", "transfier", "deriv")) and (
            "con" in view.words[i + 2 : i + 4] or _passed_on(view, i)
        )
    if behind and verb.startswith("esper") and view.words[i + 2 : i + 3] in _WHERE_OR_WHEN:
        return True  # un ejecutivo lo espera en la sucursal
    return not (
        verb.startswith(("quer", "quier", "esper"))
        and verb
        not in {
            "esperamos",
            "espero",
            "esperan",
            "esperaremos",
            "esperabamos",
        }
    )
