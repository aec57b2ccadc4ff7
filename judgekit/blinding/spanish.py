"""Rules of Spanish: agreement with the person addressed, articles, clitics, pronouns, age and origin.

Gender runs through Spanish grammar. A noun, adjective or participle that says whether the person is a woman or a man
is replaced by a placeholder that names both forms (``[INTERESADO-A]``), so that the sentence can still be judged. A
word that agrees with a thing ("la tienda está cerrada") stays.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import regex

from judgekit.blinding.cues import Cue, Lexicon, guarded_words, occurrences, rule_words
from judgekit.blinding.fold import Span, View

__all__ = ["find_spanish"]

_T = 1.0
_ENDS = ("o", "a", "os", "as", "e", "es", "x", "xs")
_ARTICLES = {"el": "el", "la": "el", "los": "los", "las": "los", "un": "un", "una": "un", "unos": "unos", "unas": "unos",
             "al": "a el", "del": "de el", "le": "el", "une": "un"}  # fmt: skip
_SHOWN = {"el": "[EL-LA]", "los": "[LOS-LAS]", "un": "[UN-UNA]", "unos": "[UNOS-AS]"}
_DETERMINERS = {"este": "ESTE-A", "esta": "ESTE-A", "ese": "ESE-A", "esa": "ESE-A", "aquel": "AQUEL-LA", "aquella": "AQUEL-LA",
                "nuestro": "NUESTRO-A", "nuestra": "NUESTRO-A", "otro": "OTRO-A", "otra": "OTRO-A", "nuevo": "NUEVO-A",
                "nueva": "NUEVO-A", "antiguo": "ANTIGUO-A", "antigua": "ANTIGUO-A", "buen": "BUENO-A", "buena": "BUENO-A",
                "primer": "PRIMERO-A", "primera": "PRIMERO-A", "propio": "PROPIO-A", "propia": "PROPIO-A",
                "vuestro": "VUESTRO-A", "vuestra": "VUESTRO-A", "algun": "ALGUNO-A", "alguna": "ALGUNO-A",
                "ningun": "NINGUNO-A", "ninguna": "NINGUNO-A", "mismo": "MISMO-A", "misma": "MISMO-A"}  # fmt: skip
_WORDS = rule_words("spanish")
_OWN = _WORDS["own"]
_COPULAS = _WORDS["copulas"]
_SKIPPED = _WORDS["skipped"]
_SAYING = _WORDS["saying"]
_ADVERBS = _WORDS["adverbs"]
_IDENTIFIERS = regex.compile(r"(?P<stem>\p{L}+?)(?P<clitic>las|los|la|lo)")
_AGES = tuple(
    regex.compile(p)
    for p in (
        r"\b(?:tiene|tienes|tengo|tenia|tener|teniendo|cumple|cumples|cumplio|cumplir|cumplira|cumpliste|cumplido|a sus|a tus|a los|edad de|edad[: ]+|de unos)\s+(?:ya |solo |casi |unos )?(?P<age>\d{1,3}|(?:veint|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa)\w*(?: y \w+)?)(?:\s+anos\b(?!\s+de\s+(?:antiguedad|garantia|experiencia|contrato|uso|vida|permanencia|validez))|(?=\s*[.,;)]))",
        r"\b(?:mujer|hombre|chic[oa]|nin[oa]|senora?|hij[oa]|abuel[oa]|niet[oa]|herman[oa]|persona|joven|estudiante|cliente|clienta|paciente)\s+de\s+(?P<age>\d{1,3})\s+anos\b",
        r"\b(?P<age>\d{1,3})\s+anos\s+de\s+edad\b",
        r"\bnacid[oaex]\s+en\s+(?P<age>(?:19|20)\d{2})\b",
        r"\b(?:fecha de nacimiento)\s*(?:es|:)?\s*(?P<age>\d{1,4}[-/. ]\d{1,2}[-/. ]\d{1,4}|\d{1,2} de \w+ de \d{4})",
    )
)
_ORIGIN = regex.compile(
    r"\b(?:(?:se|te|me) (?:ha |has |he )?(?:mud|traslad)\w+(?:\s+(?!de\b|desde\b)\w+){0,3}\s+(?:de|desde)|(?:emigr|inmigr|huy|vin|procede|provien)\w*(?:\s+(?!de\b|desde\b)\w+){0,3}\s+(?:de|desde)|"
    r"(?:usted|tu|yo|ella|familia|padres) (?:es|eres|soy|viene|vienes|vengo|son|vienen|llego|llegaste|llegue)\s+(?:de|desde)|(?:nacid[oaex]|nacio|naciste|naci|crecio|creciste|creci|criad[oaex])\s+en|originari[oaex]\s+de|"
    r"oriund[oaex]\s+de|natural de|ciudadan[oaex] de|raices en|familia en|pais de origen:?|lugar de nacimiento:?|nacionalidad:|llegar? (?:aqui )?desde|llego (?:a \w+ )?desde)\s+(?P<place>)"
)
_NATION = regex.compile(
    r"\b(?:nacionalidad|ciudadania|pasaporte|ascendencia|acento|raices|ciudadan[oaex]|origen|identidad|comunidad|inmigrantes?)\s+(?P<word>\p{L}{4,})"
)
_DEMONYM = regex.compile(
    r"\p{L}+(?:an[oa]s?|es|esa|esas|eses|ol|ola|olas|oles|in[oa]s?|i|ies|u|ues|ense|enses|en[oa]s?|ech[oa]|ec[oa]|ac[oa]|on|ona|ones|eta|ota|at[oa]|ic[oa]|i[oa]|alem[a]n|cubano|uso|rusa|ruso|chin[oa]|belga|suiz[oa]|turc[oa]|grieg[oa]|checo|sueco|sueca|croat[a]|serbi[oa]|arabe|galo|ingles)"
)


def find_spanish(view: View, words: Lexicon, named: Sequence[Span]) -> list[Span]:
    """Find pronouns, titles, gendered nouns, agreement, age, origin and religion in a Spanish text.

    Parameters
    ----------
    view : View
        The folded text.
    words : Lexicon
        The Spanish cues.
    named : sequence of Span
        Names already found.

    Returns
    -------
    list of Span
        Possibly overlapping.

    Examples
    --------
    >>> from judgekit.blinding.cues import lexicon
    >>> from judgekit.blinding.fold import fold
    >>> view = fold("Estimada Sra. Gil: si está interesada, la llamaremos. La tienda está cerrada.")
    >>> [(view.text[s.start:s.end], s.shown) for s in find_spanish(view, lexicon("es"), [])]
    [('Sra.', '[TITLE]'), ('Estimada', '[ESTIMADO-A]'), ('interesada', '[INTERESADO-A]'), ('la', '[PRONOUN]')]
    """
    starts = {at for s in named if s.kind == "name" for at in range(s.start, s.end)}
    spans: list[Span] = []
    heads: set[int] = set()
    for i, j, cue in occurrences(view, words):
        if _fits(view, i, j, cue, starts):
            spans.append(_cue(view, i, j, cue, starts))
            if cue.kind in {"title", "gendered"}:
                heads.add(i)
    spans += _pronouns(view)
    nouns, noun_heads = _nouns(view, words, starts)
    spans += nouns
    heads |= noun_heads
    spans += _determiners(view, heads, words)
    spans += _agreement(view, words, heads, starts)
    spans += _clitics(view, words)
    spans += _facts(view)
    return spans


def _raw(view: View, i: int) -> str:
    return unicodedata.normalize("NFC", view.raw(i))


def _case(raw: str) -> str:
    if len(raw) > 1 and raw.isupper():
        return ".upper"
    return ".capital" if raw[:1].isupper() else ""


def _next(view: View, j: int) -> int:
    return view.source(view.starts[j], view.ends[j])[0] if j < len(view.words) else -1


def _fits(view: View, i: int, j: int, cue: Cue, starts: set[int]) -> bool:
    if cue.match == "title":
        if _next(view, j) in starts and view.after(j - 1) in {" ", ". ", "."}:
            return True
        known = j < len(view.words) and view.capital(j) and view.after(j - 1) in {" ", ". "}
        return (
            known
            and (view.capital(i) or cue.words[0] in {"don", "dra", "doctora"})
            and cue.words[0] not in {"padre", "madre", "hermano", "hermana", "d"}
        )
    if cue.match == "own":
        return i > 0 and view.words[i - 1] in _OWN
    if cue.match == "address":
        before, after = view.before(i).strip(), view.after(j - 1)[:1]
        return (
            before.endswith((",", "¡")) or (i > 0 and view.words[i - 1] in {"hola", "gracias", "animo"})
        ) and after in {"", ".", ",", "!", "?", ";"}
    return True


def _cue(view: View, i: int, j: int, cue: Cue, starts: set[int]) -> Span:
    begin, end = view.source(view.starts[i], view.ends[j - 1])
    form = cue.form
    raw = view.text[begin:end]
    if cue.kind == "title":
        form = cue.words[0]
        following = _next(view, j)
        if following in starts or (j < len(view.words) and view.capital(j) and view.after(j - 1) in {" ", ". "}):
            form += " name"
        if view.text[end : end + 1] == "." and cue.words[0] in {
            "sr",
            "sra",
            "srta",
            "sres",
            "sras",
            "srtas",
            "d",
            "dr",
            "dra",
            "lic",
            "ing",
            "arq",
            "mr",
            "mrs",
            "ms",
            "profa",
        }:
            end += 1
    return Span(
        begin,
        end,
        cue.kind,
        cue.shown,
        form + _case(raw),
        None,
        False,
        57 if cue.match in {"own", "address"} else 52 + min(len(cue.words), 5),
    )


def _pronouns(view: View) -> list[Span]:
    spans = []
    for i, word in enumerate(view.words):
        if word == "el" and _raw(view, i).lower() == "él":
            begin, end = view.source(view.starts[i], view.ends[i])
            spans.append(Span(begin, end, "pronoun", "[PRONOUN]", "subject" + _case(_raw(view, i)), None, False, 40))
    return spans


def _both(raw: str) -> tuple[str, str] | None:
    """The placeholder that names both forms of an inflected word, and the word's gender."""
    low = unicodedata.normalize("NFC", raw)
    tail = "S" if low[-1:].lower() == "s" and low[-2:-1].lower() in "aoex" and len(low) > 4 else ""
    stem = low[:-1] if tail else low
    last = stem[-1:].lower()
    if last not in {"a", "o", "e", "x"}:
        return None
    head = "".join(c for c in stem[:-1].upper() if c.isalpha())
    gender = {"a": "f", "o": "m"}.get(last, "n")
    return (f"[{head}OS-AS]" if tail else f"[{head}O-A]"), gender


def _inflected(word: str, lemmas: frozenset[str]) -> bool:
    return any(word.endswith(tail) and word[: -len(tail)] + "o" in lemmas for tail in _ENDS)


def _mark(view: View, i: int, kind: str, shown: str, form: str, rank: int = 54) -> Span:
    begin, end = view.source(view.starts[i], view.ends[i])
    if view.text[end : end + 1] == "@":
        end += 1
    return Span(begin, end, kind, shown, form + _case(view.raw(i)), None, False, rank)


def _nouns(view: View, words: Lexicon, starts: set[int]) -> tuple[list[Span], set[int]]:
    """Clienta, usuario, trabajadora: the feminine always, the masculine where it is said of somebody."""
    lemmas = words.sets.get("people in -o and -a", frozenset())
    single = words.sets.get("people of one form", frozenset())
    spans, heads = [], set()
    kept = guarded_words(view, words)
    for i, word in enumerate(view.words):
        if i in kept:
            continue
        found = _person_noun(word, lemmas)
        if found:
            feminine, base = found
            if feminine or _said_of_somebody(view, i, starts):
                shown = _noun_shown(view.raw(i), base, feminine)
                spans.append(_mark(view, i, "gendered", shown, "f" if feminine else "m"))
                heads.add(i)
                continue
        if (
            word in single
            and i
            and view.words[i - 1] in {"la", "una", "el", "un"}
            and (i < 2 or view.words[i - 2] not in {"de", "para", "cada", "por"})
        ):
            heads.add(i)
    return spans, heads


def _person_noun(word: str, lemmas: frozenset[str]) -> tuple[bool, str] | None:
    """Whether a word is a person noun: (is it feminine, its dictionary form)."""
    if word in lemmas:
        return False, word
    if word.endswith("a") and (word[:-1] + "o" in lemmas or word[:-1] in lemmas or word[:-1] + "e" in lemmas):
        return True, word[:-1] + ("o" if word[:-1] + "o" in lemmas else "" if word[:-1] in lemmas else "e")
    return None


def _noun_shown(raw: str, base: str, feminine: bool) -> str:
    low = unicodedata.normalize("NFC", raw)
    if not feminine:
        return f"[{low.upper()}-A]"
    if base.endswith("o"):
        return f"[{low[:-1].upper()}O-A]"
    return f"[{low[:-1].upper()}{'E' if base.endswith('e') else ''}-A]"


def _said_of_somebody(view: View, i: int, starts: set[int]) -> bool:
    before = view.words[i - 1] if i else ""
    if view.before(i).strip() and before != "como":
        return False
    if before in {"como", "es", "eres", "soy", "siendo", "estimado", "querido", "buen", "nuevo", "era", "fue"}:
        return True
    if (
        before in {"un", "nuestro", "el"}
        and i >= 2
        and view.words[i - 2] in {"es", "eres", "soy", "como", "siendo", "sea", "ser"}
    ):
        return True
    if before == "el" and (_next(view, i + 1) in starts and view.after(i) == " "):
        return True
    following = view.words[i + 1] if i + 1 < len(view.words) and view.after(i) == " " else ""
    if before == "el" and view.words[i] in _ROLES:
        return True
    return before == "el" and following in {
        "dice",
        "pide",
        "indica",
        "solicita",
        "llamo",
        "contacto",
        "quiere",
        "ha",
        "comenta",
        "afirma",
        "escribio",
        "esta",
    }


_ROLES = _WORDS["roles"]


def _determiners(view: View, heads: set[int], words: Lexicon) -> list[Span]:
    spans = []
    for head in heads:
        k = head - 1
        while k >= 0 and view.between(k, k + 1).isspace():
            word = view.words[k]
            if word in _ARTICLES:
                base = _ARTICLES[word]
                prefix, _, article = base.rpartition(" ")
                shown = f"{prefix} {_SHOWN[article]}" if prefix else _SHOWN[article]
                begin, end = view.source(view.starts[k], view.ends[k])
                if not prefix and k and view.words[k - 1] in {"a", "de"} and view.before(k) == " ":
                    begin = view.source(view.starts[k - 1], view.ends[k - 1])[0]
                    base, shown = f"{view.words[k - 1]} {base}", f"{view.words[k - 1]} {shown}"
                if shown[0] != "[" and view.text[begin].isupper():
                    shown = shown[0].upper() + shown[1:]
                spans.append(Span(begin, end, "article", shown, base + _case(view.text[begin:end]), None, False, 54))
                break
            if word in _DETERMINERS:
                spans.append(_mark(view, k, "agreement", f"[{_DETERMINERS[word]}]", "f" if word.endswith("a") else "m"))
                k -= 1
                continue
            if _inflected(word, words.sets.get("greetings", frozenset())):
                break
            break
    return spans


def _agreement(view: View, words: Lexicon, heads: set[int], starts: set[int]) -> list[Span]:
    greetings, feelings = words.sets.get("greetings", frozenset()), words.sets.get("feelings", frozenset())
    people = words.sets.get("said of people", frozenset())
    spans = []
    for i, word in enumerate(view.words):
        if len(word) < 4 or word[-1:] not in "aoesx" or i in heads:
            continue
        said = False
        if _inflected(word, greetings) or _inflected(word, feelings):
            said = not _of_a_thing(view, i) and not (
                i and view.words[i - 1] in {"estamos", "somos", "quedamos", "hemos"}
            )
        elif _inflected(word, people):
            beside = (i - 1 in heads and view.before(i).isspace()) or (i + 1 in heads and view.after(i).isspace())
            said = beside or _after_copula(view, i, starts) or _named_copula(view, i, starts)
        elif word in {"sola", "solo"}:
            said = _alone(view, i)
        elif word.endswith(("ado", "ada", "ido", "ida", "oso", "osa")):
            said = (i - 1 in heads and view.before(i).isspace()) or _named_copula(view, i, starts)
        if (
            not said
            and word in {"mismo", "misma"}
            and i
            and view.words[i - 1] in {"usted", "ella", "el", "si", "tu", "yo", "ti"}
        ):
            said = view.words[i - 1] != "el" or _raw(view, i - 1).lower() == "él"
        both = _both(view.raw(i)) if said else None
        if both:
            spans.append(_mark(view, i, "agreement", both[0], both[1]))
    return spans


_LONELY = _WORDS["lonely"]


def _alone(view: View, i: int) -> bool:
    """ "lleva meses sola", "vive solo": the adjective, not "only"."""
    before = view.words[max(0, i - 3) : i]
    after, following = view.after(i), view.words[i + 1] if i + 1 < len(view.words) else ""
    closes = after[:1] in {"", ".", ",", ";", "!", "?"} or following in {
        "con",
        "en",
        "a",
        "desde",
        "y",
        "sin",
        "ante",
        "por",
    }
    return closes and bool(_LONELY.intersection(before))


def _of_a_thing(view: View, i: int) -> bool:
    """ "las partes interesadas", "el público querido": the word belongs to a noun before it."""
    if not i or not view.before(i).isspace():
        return False
    before = view.words[i - 1]
    return (
        i >= 2
        and view.words[i - 2] in {"la", "las", "los", "el", "una", "un", "esta", "este"}
        and before not in _COPULAS
        and before not in _ADVERBS
        and before in {"parte", "partes", "publico", "persona", "personas", "mensaje", "empresa", "linea", "respuesta"}
    )


def _copula_before(view: View, i: int) -> int | None:
    k = i - 1
    while k >= 0 and view.words[k] in _ADVERBS and view.between(k, k + 1).isspace():
        k -= 1
    if k >= 0 and view.words[k] in _COPULAS and view.between(k, k + 1).isspace():
        if (
            view.words[k] in {"ha", "has", "ve", "este", "estas", "era"}
            and view.words[k] == "este"
            and _raw(view, k).lower() == "este"
        ):
            return None
        return k
    return None


def _after_copula(view: View, i: int, starts: set[int]) -> bool:
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
        if word not in _SKIPPED:
            return view.source(view.starts[k], view.ends[k])[0] in starts
    return True


def _named_copula(view: View, i: int, starts: set[int]) -> bool:
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
    return view.source(view.starts[k - 1], view.ends[k - 1])[0] in starts or (
        subject == "el" and _raw(view, k - 1).lower() == "él"
    )


def _clitics(view: View, words: Lexicon) -> list[Span]:
    stems = tuple(words.sets.get("verbs done to people", frozenset()))
    spans = []
    for i, word in enumerate(view.words):
        if word in {"la", "lo", "las", "los"} and i + 1 < len(view.words) and view.after(i).isspace():
            following = view.words[i + 1]
            if following in {
                "ha",
                "he",
                "han",
                "hemos",
                "voy",
                "vamos",
                "va",
                "estamos",
                "estoy",
                "puedo",
                "podemos",
                "puede",
                "habia",
            } and i + 2 < len(view.words):
                following = (
                    view.words[i + 2] if view.words[i + 2] != "a" or i + 3 >= len(view.words) else view.words[i + 3]
                )
            if _done_to_people(view, i, following, stems):
                spans.append(_mark(view, i, "clitic", "[PRONOUN]", "object"))
        elif len(word) > 6 and word.endswith(("la", "lo", "las", "los")) and word.startswith(stems):
            size = 3 if word.endswith("s") else 2
            stem = word[:-size]
            if stem.endswith(("ar", "er", "ir", "ando", "endo", "e", "en", "nos", "arse")) and _person_stem(stem):
                begin, end = view.source(view.ends[i] - size, view.ends[i])
                spans.append(Span(begin, end, "clitic", "[PRONOUN]", "object", None, False, 42))
    return spans


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


def _person_stem(stem: str) -> bool:
    return not stem.startswith(_AMBIGUOUS) or stem.startswith(
        ("inform", "visit", "escuch", "redirig", "conoc", "esper")
    )


_CONJUGATED = regex.compile(
    r"\p{L}+(?:o|a|e|as|es|an|en|amos|emos|imos|are|ara|aran|aremos|ere|era|eran|eremos|ire|ira|iran|iremos|aron|ieron|io|aba|abamos|aria|eria|iria|ado|ido|ar|er|ir|ando|iendo)"
)


def _done_to_people(view: View, i: int, verb: str, stems: tuple[str, ...]) -> bool:
    if (
        not verb.startswith(stems)
        or not _CONJUGATED.fullmatch(verb, timeout=_T)
        or verb
        in {
            "llamada",
            "llamadas",
            "ayuda",
            "ayudas",
            "visita",
            "visitas",
            "invitacion",
            "espera",
            "contacto",
            "contactos",
            "asesora",
            "asesor",
            "asesores",
            "informacion",
            "atencion",
            "aviso",
            "avisos",
            "informe",
            "informes",
            "invitado",
            "invitados",
            "invitada",
            "saludo",
            "saludos",
            "apoyo",
            "derivada",
            "oriente",
            "orientes",
            "presente",
            "presentes",
            "recomendada",
            "notificacion",
            "ponencia",
            "mantenimiento",
            "tratamiento",
            "trato",
            "cura",
            "curas",
            "operador",
            "curso",
            "cursos",
            "animo",
            "respeto",
            "cuidado",
            "cuidados",
            "contrato",
            "contratos",
            "molestia",
            "molestias",
            "operacion",
            "operaciones",
            "representante",
            "visitante",
        }
    ):
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
        return verb.startswith(("transfer", "transfier", "deriv")) and "con" in view.words[i + 2 : i + 4]
    if verb.startswith(("quer", "quier", "esper")) and verb not in {
        "esperamos",
        "espero",
        "esperan",
        "esperaremos",
        "esperabamos",
    }:
        return False
    return True


def _facts(view: View) -> list[Span]:
    spans = []
    text = view.folded
    if "ano" in text or "edad" in text or "naci" in text or "cumpl" in text:
        for pattern in _AGES:
            for found in pattern.finditer(text, timeout=_T):
                spans.append(Span(*view.source(*found.span("age")), "age", "[AGE]", "", None, False, 46))
    for found in _ORIGIN.finditer(text, timeout=_T):
        first = next((k for k, s in enumerate(view.starts) if s >= found.end()), None)
        if first is None or view.starts[first] != found.end() or not view.capital(first):
            continue
        last = first
        while (
            last + 1 < len(view.words)
            and view.between(last, last + 1) in {" ", "-"}
            and (
                view.capital(last + 1)
                or (
                    view.words[last + 1] in {"de", "del", "y", "la"}
                    and last + 2 < len(view.words)
                    and view.words[last + 1] != "y"
                    and view.capital(last + 2)
                )
            )
        ):
            last += 1
        spans.append(Span(*view.source(view.starts[first], view.ends[last]), "origin", "[PLACE]", "", None, False, 44))
    for found in _NATION.finditer(text, timeout=_T):
        if _DEMONYM.fullmatch(found.group("word"), timeout=_T):
            spans.append(Span(*view.source(*found.span("word")), "demonym", "[ORIGIN]", "", None, False, 44))
    return spans
