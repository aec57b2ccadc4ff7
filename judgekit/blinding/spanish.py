"""Rules of Spanish: agreement with the person addressed, articles, clitics, pronouns, age and origin.

Gender runs through Spanish grammar. A noun, adjective or participle that says whether the person is a woman or a man
is replaced by a placeholder that names both forms (``[INTERESADO-A]``), so that the sentence can still be judged. A
word that agrees with a thing ("la tienda está cerrada") stays.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Sequence

import regex

from judgekit.blinding.agreement import find_agreement, find_clitics
from judgekit.blinding.cues import Cue, Lexicon, guarded_words, occurrences, rule_words
from judgekit.blinding.fold import Span, View
from judgekit.blinding.spanish_words import case_of, inflected, mark, raw_word

__all__ = ["find_spanish"]

_T = 1.0
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
_IDENTIFIERS = regex.compile(r"(?P<stem>\p{L}+?)(?P<clitic>las|los|la|lo)")
_AGES = tuple(
    regex.compile(p)
    for p in (
        r"\b(?:tiene|tienes|tengo|tenia|tener|teniendo|cumple|cumples|cumplio|cumplir|cumplira|cumpliste|cumplido|a sus|a tus|a los|edad de|edad[: ]+|de unos)\s+(?:ya |solo |casi |unos )?(?P<age>\d{1,3}|(?:veint|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa)\w*(?: y \w+)?)(?:\s+anos\b(?!\s+de\s+(?:antiguedad|garantia|experiencia|contrato|uso|vida|permanencia|validez))|(?=\s*[.,;)]))",
        r"\b(?:mujer|hombre|chic[oa]|nin[oa]|senora?|hij[oa]|abuel[oa]|niet[oa]|herman[oa]|persona|joven|estudiante|cliente|clienta|paciente)\s+de\s+(?P<age>\d{1,3})\s+anos\b",
        r"\b(?P<age>\d{1,3})\s+anos\s+de\s+edad\b",
        r"\bnac(?:id[oaex]|io|i|iste)\b[^.;\n]{0,40}?\ben\s+(?P<age>(?:19|20)\d{2})\b",
        r"\b(?:fecha de nacimiento)\s*(?:es|:)?\s*(?P<age>\d{1,4}[-/. ]\d{1,2}[-/. ]\d{1,4}|\d{1,2} de \w+ de \d{4})",
    )
)
_STATED = regex.compile(r"\b(?:sexo|genero)\s*[:=]\s*(?P<value>f|m|x|v|h|mujer|hombre|femenino|masculino|no binario)\b")
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
    spans += find_agreement(view, words, heads, starts)
    spans += find_clitics(view, words)
    spans += _facts(view)
    return spans


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
        form + case_of(raw),
        None,
        False,
        57 if cue.match in {"own", "address"} else 52 + min(len(cue.words), 5),
    )


def _pronouns(view: View) -> list[Span]:
    spans = []
    for i, word in enumerate(view.words):
        if word == "el" and raw_word(view, i).lower() == "él":
            begin, end = view.source(view.starts[i], view.ends[i])
            spans.append(
                Span(begin, end, "pronoun", "[PRONOUN]", "subject" + case_of(raw_word(view, i)), None, False, 40)
            )
    return spans


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
                spans.append(mark(view, i, "gendered", shown, "f" if feminine else "m"))
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
                spans.append(Span(begin, end, "article", shown, base + case_of(view.text[begin:end]), None, False, 54))
                break
            if word in _DETERMINERS:
                spans.append(mark(view, k, "agreement", f"[{_DETERMINERS[word]}]", "f" if word.endswith("a") else "m"))
                k -= 1
                continue
            if inflected(word, words.sets.get("greetings", frozenset())):
                break
            break
    return spans


def _facts(view: View) -> list[Span]:
    spans = []
    text = view.folded
    if "ano" in text or "edad" in text or "naci" in text or "cumpl" in text:
        for pattern in _AGES:
            spans += [
                Span(*view.source(*found.span("age")), "age", "[AGE]", "", None, False, 46)
                for found in pattern.finditer(text, timeout=_T)
            ]
    if "sexo" in text or "genero" in text:
        spans += [
            Span(*view.source(*m.span("value")), "gendered", "[GENDERED]", "", None, False, 58)
            for m in _STATED.finditer(text, timeout=_T)
        ]
    for found in _ORIGIN.finditer(text, timeout=_T):
        first = _word_at(view, found.end())
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
    spans += [
        Span(*view.source(*found.span("word")), "demonym", "[ORIGIN]", "", None, False, 44)
        for found in _NATION.finditer(text, timeout=_T)
        if _DEMONYM.fullmatch(found.group("word"), timeout=_T)
    ]
    return spans


def _word_at(view: View, position: int) -> int | None:
    """The first word that starts at or after a position of the folded text."""
    at = bisect_left(view.starts, position)
    return at if at < len(view.starts) else None
