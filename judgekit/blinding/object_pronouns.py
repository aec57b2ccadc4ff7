"""Whether a Spanish "la" or "lo" before a word is an article, or a pronoun whose verb tells that it is a person."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

import regex

from judgekit.blinding.clauses import Clauses
from judgekit.blinding.copulas import of_people
from judgekit.blinding.cues import rule_words
from judgekit.blinding.fold import View
from judgekit.blinding.spanish_words import raw_word, stressed_verb

__all__ = [
    "PLACES_OF_HELP",
    "behind_its_subject",
    "is_article",
    "left_as",
    "of_a_thing",
    "put_somewhere",
    "seen_or_taken",
]

_T = 1.0
_WORDS = rule_words("spanish")
PLACES_OF_HELP = regex.compile(
    r"(?: \p{L}+){0,1}? (?:a|al|a la|en|en la|con|con la|con el|con una) (?:urgencias|planta|uci|quirofano|observacion|medic[oa]|pediatra|hospital|casa|clinica|ambulatorio|centro|dentista|fisio\w*|psicolog[oa]|veterinari[oa]|"
    r"consulta|cama|dormir|comisaria|colegio|cole|guarderia|escuela|reposo|paz|su padre|su madre|sus padres|el medic[oa]|la medic[oa]|aeropuerto|estacion|extension|centralita|recepcion|supervisor\w*|encargad\w*|mi \w+|un companer\w+|un[a]? (?:tecnic[oa]|agente|asesor\w*|especialista|operador\w*)|otr[oa] \w+)\b"
)


_PREPOSITIONS = frozenset(
    "a de en con sin desde hasta entre sobre hacia segun tras contra ante bajo durante mediante".split()
)
_NOUN_ENDS = ("encia", "ancia", "cion", "sion", "dad", "tad", "eza", "dura", "tura")
_THING_STATES = tuple(_WORDS["participles_of_things"])


def is_article(view: View, i: int) -> bool:
    """Whether a word can only be an article: después de la vacuna, la transferencia.

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        "la", "lo", "las" or "los" before another word.

    Returns
    -------
    bool
    """
    before = view.words[i - 1] if i and view.before(i) == " " else ""
    if before in _PREPOSITIONS or (before in {"para", "por"} and view.words[i] != "lo"):
        return True
    following = view.words[i + 1]
    if (
        following in {"encontrara", "necesitara", "vera"}
        and view.opens_sentence(i)
        and view.words[i + 2 : i + 3] not in _SUBJECTS
    ):
        return True  # la encontrará en la carta: who is addressed finds a thing
    return following.endswith(_NOUN_ENDS) and len(following) > 6


def left_as(view: View, i: int, clauses: Clauses) -> bool:
    """Whether a pronoun stands for a thing that is left or kept in some state: la carpeta la dejó hecha.

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        "la", "lo", "las" or "los" before another word.
    clauses : Clauses
        The text's clauses.

    Returns
    -------
    bool
    """
    if view.words[i + 1] not in _LEAVING or i + 2 >= len(view.words):
        return False
    if not view.words[i + 2].startswith((*_THING_STATES, "fijad", "asignad", "hech", "anot", "apunt", "list", "puest")):
        return False
    wanted = "f" if view.words[i].startswith("la") else "m"
    return any(clauses.thing_at(j) == wanted for j in range(max(0, i - 25), i))


def of_a_thing(view: View, i: int, clauses: Clauses) -> bool:
    """Whether a pronoun takes up a thing: la queja la presentó Ana; la deja en la portería; que lo dejes para mañana.

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        "la", "lo", "las" or "los" before a verb.
    clauses : Clauses
        The text's clauses.

    Returns
    -------
    bool
    """
    verb, led = view.words[i + 1], i
    following = view.words[i + 2 : i + 3]
    if view.words[i] == "lo" and verb in _TO_LEAVE and following == ("para",):
        return True
    if view.words[i] == "lo" and verb in _YOU_WANT and following != ("mucho",):
        return True  # ¿lo quieres más formal?
    while led > 0 and i - led < 6 and view.before(led) == " ":
        led -= 1
        if clauses.thing_at(led) and clauses.moved_object(led) == i:
            return True
    return put_somewhere(view, i + 1, clauses, view.words[i])


def put_somewhere(view: View, i: int, clauses: Clauses, pronoun: str = "") -> bool:
    """Whether a thing spoken of is left or seen where only things are: déjela en recepción, la verá en el sistema.

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        The verb, a pronoun at its end unless one is given.
    clauses : Clauses
        The text's clauses.
    pronoun : str
        The pronoun before the verb.

    Returns
    -------
    bool
    """
    if not view.words[i].startswith(_PUT) or not _WHERE_THINGS_ARE.match(view.folded, view.ends[i], timeout=_T):
        return False
    pronoun = pronoun or view.words[i][-3:].lstrip("aeinr")
    wanted, plural = "f" if pronoun.startswith("la") else "m", pronoun.endswith("s")
    return any(
        clauses.thing_at(j) == wanted and view.words[j].endswith("s") == plural for j in range(max(0, i - 40), i - 1)
    )


_TO_LEAVE = frozenset("deja dejas dejes deje dejamos dejemos dejo dejan dejar".split())
_YOU_WANT = frozenset("quieres queres quiere quieren prefieres preferis necesitas".split())
_PUT = ("dej", "ver", "vea", "encontr", "encuentr", "pon", "recib", "tien", "ten", "guard", "consult", "descarg")
_WHERE_THINGS_ARE = regex.compile(
    r" (?:ya )?(?:en|por|sobre|a traves de) (?:(?:la|el|su|tu|las|los|nuestra|nuestro|un|una) )?"
    r"(?:porteria|recepcion|buzon|mostrador|mesa|conserjeria|almacen|taquilla|carpeta|armario|nevera|bandeja|consigna|garaje|sistema|web|app|aplicacion|pantalla|portal|"
    r"correo|factura|contrato|pagina|apartado|seccion|extracto|estado de cuenta|sede electronica|menu|plataforma|perfil|punto)\b"
)


def behind_its_subject(view: View, i: int) -> bool:
    """Whether the noun phrase right before a pronoun is the subject of its verb: la central la llama.

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        "la", "lo", "las" or "los" before another word.

    Returns
    -------
    bool

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> behind_its_subject(fold("La central la llama"), 2), behind_its_subject(fold("por la tarde la llama"), 3)
    (True, False)
    """
    if i < 2 or view.before(i) != " " or view.before(i - 1) != " " or view.words[i - 2] not in _OPENING:
        return False
    if raw_word(view, i - 2).lower() in {"él", "tú", "mí"} or stressed_verb(view, i - 1):
        return False  # él revisará la demanda
    led = view.words[i - 3] if i > 2 and view.before(i - 2) == " " else ""
    return led not in _LEADING and view.words[i - 1] not in _TIMES


_OPENING = frozenset("el la un una nuestro nuestra su tu mi este esta otro otra algun alguna".split())
_LEADING = _PREPOSITIONS | {"para", "por", "es", "son", "como", "que", "ver", "tiene", "hay"}
_TIMES = frozenset(
    "lunes martes miercoles jueves viernes sabado domingo dia semana tarde noche manana mes ano vez hora momento".split()
)
_SUBJECTS = (("el",), ("la",), ("un",), ("una",), ("nuestro",), ("nuestra",), ("su",), ("mi",), ("los",))
_LEAVING = frozenset("dejo dejaron dejan deja tiene tienes tengo tenemos tienen".split())


def seen_or_taken(view: View, i: int, clauses: Clauses) -> bool:
    """Si la nota decaída, lo veo cambiado, la ambulancia la llevó al hospital: seen in people or done with them.

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        "la", "lo", "las" or "los" before another word.
    clauses : Clauses
        The text's clauses.

    Returns
    -------
    bool
    """
    verb = view.words[i + 1]
    if not any(clauses.people) or view.words[i].endswith("s"):
        return False
    if _nobody_else(view, i, clauses):
        return True
    if verb.startswith("encontr") and _AT_HOURS.match(view.folded, view.ends[i + 1], timeout=_T):
        return any(clauses.people[max(0, i - 15) : i])  # la encontrará en la oficina de lunes a jueves
    if verb.startswith(_REPLACING) and any(clauses.people[i + 2 : i + 4]):
        return True  # la sustituye una compañera
    if verb in _SEEING:
        k = i + 2
        while k < len(view.words) and view.words[k] in {
            "muy",
            "tan",
            "mas",
            "un",
            "poco",
            "algo",
            "bastante",
            "demasiado",
            "ya",
        }:
            k += 1
        if k >= len(view.words) or not all(view.after(n).isspace() for n in range(i + 1, k)):
            return False
        base = view.words[k][:-1] + "o"
        return (
            view.words[k][-1:] == view.words[i][-1:]
            and (base in _OF_PEOPLE or of_people(base, frozenset()) > (2 if verb == "nota" else 0))
            and (
                (verb[-1:] != "s" and verb[:3] not in {"ten", "tie"})
                or clauses.antecedent(i, feminine=view.words[i] == "la")
            )
        )
    return (
        verb.startswith(_TAKEN)
        and (
            stressed_verb(view, i + 1)
            or verb.endswith(("aron", "ieron"))
            or (
                verb in {"paso", "pasamos", "derivo", "derivamos"}
                and not clauses.rival(i, feminine=view.words[i] == "la")
            )
        )
        and PLACES_OF_HELP.match(view.folded, view.ends[i + 1], timeout=_T) is not None
    )


def _nobody_else(view: View, i: int, clauses: Clauses) -> bool:
    """Que la hemos cambiado de habitación: a certain pronoun, and no thing of its gender before it."""
    k = i + 1
    helped = view.words[k] in _HELPING and k + 1 < len(view.words)
    if not helped and not (stressed_verb(view, k) or view.words[k].endswith(("aron", "ieron"))):
        return False
    verb = view.words[k + 1] if helped else view.words[k]
    if helped and not verb.endswith(("ado", "ido", "sto", "cho")):
        return False
    if verb.startswith(_TOLD) or (i and view.words[i - 1] in {"se", "me", "te", "nos", "os", "le", "todo"}):
        return False
    wanted = "f" if view.words[i] == "la" else "m"
    return not any(clauses.thing_at(j) == wanted for j in range(max(0, i - 60), i)) and clauses.antecedent(
        i, feminine=view.words[i] == "la"
    )


_HELPING = frozenset("he has ha hemos han habia habian hayan haya hubieran habria".split())
_TOLD = (
    "hech", "dich", "dij", "sab", "entend", "escrit", "le", "pued", "pod", "confirm", "comprob", "revis", "envi", "pag", "solucion", "resuel", "anot", "pens",
    "intent", "consegu", "logr", "indic", "explic", "coment", "mencion", "ped", "pid", "solicit", "coloc", "hic", "hiz", "har", "sent",
    "lament", "necesit", "quer", "quis", "tendr", "ten", "tuv", "permit", "decid", "compr", "instal", "firm", "rellen", "descarg", "gestion", "tramit",
    "encontr", "perd", "prob", "us", "abon", "cobr", "acord", "propuest", "adjunt", "sub", "borr", "reserv", "guard", "repet", "corr", "mand", "d",
)  # fmt: skip
_SEEING = frozenset(
    "tengo tenemos tiene tienen consideran considera considero creen cree creo dejan dejaron dejo deja dejamos noten note vean vea encontraron encontro encuentran vieron declararon nota noto notas notamos notan ve veo ves vemos ven encuentra encuentro encuentras siento veia notaba vi vio nota note".split()
)
_OF_PEOPLE = (
    _WORDS["human_adjectives"]
    | _WORDS["adjectives_of_character"]
    | frozenset("decaido cambiado desmejorado raro triston apagado cansado distinto solo palido desorientado".split())
)
_AT_HOURS = regex.compile(
    r" en (?:la |el |su )?\p{L}+(?: \p{L}+)? (?:de (?:lunes|martes|\d)|los (?:lunes|martes|miercoles|jueves|viernes|sabados)|por l[ao]s? (?:manana|tarde)s?)\b"
)
_REPLACING = ("sustitu", "reemplaz", "relev")
_TAKEN = ("pas", "llev", "traslad", "acompan", "deriv", "mand", "envi")
