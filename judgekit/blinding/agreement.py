"""Spanish agreement and clitics: "está interesada", "un agente la llamará"."""

from __future__ import annotations

import regex

from judgekit.blinding.cues import Lexicon, rule_words
from judgekit.blinding.fold import Span, View
from judgekit.blinding.spanish_words import both_forms, inflected, mark, raw_word

__all__ = ["find_agreement", "find_clitics"]

_T = 1.0
_WORDS = rule_words("spanish")
_COPULAS = _WORDS["copulas"]
_SKIPPED = _WORDS["skipped"]
_SAYING = _WORDS["saying"]
_ADVERBS = _WORDS["adverbs"]
_LONELY = _WORDS["lonely"]
_AUXILIARIES = _WORDS["auxiliaries"]


def find_agreement(view: View, words: Lexicon, heads: set[int], starts: set[int]) -> list[Span]:
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

    Returns
    -------
    list of Span
    """
    greetings, feelings = words.sets.get("greetings", frozenset()), words.sets.get("feelings", frozenset())
    people = words.sets.get("said of people", frozenset())
    spans = []
    for i, word in enumerate(view.words):
        if len(word) < 4 or word[-1:] not in "aoesx" or i in heads:
            continue
        said = False
        if word in {"nacida", "nacido"}:
            said = view.words[i + 1 : i + 2] in {("en",), ("el",)}
        elif inflected(word, greetings) or inflected(word, feelings):
            said = not _of_a_thing(view, i) and not (
                i and view.words[i - 1] in {"estamos", "somos", "quedamos", "hemos"}
            )
        elif inflected(word, people):
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
            said = view.words[i - 1] != "el" or raw_word(view, i - 1).lower() == "él"
        both = both_forms(view.raw(i)) if said else None
        if both:
            spans.append(mark(view, i, "agreement", both[0], both[1]))
    return spans


def _alone(view: View, i: int) -> bool:
    """As in "lleva meses sola", "vive solo": the adjective, not "only"."""
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
    """As in "las partes interesadas", "el público querido": the word belongs to a noun before it."""
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
            and raw_word(view, k).lower() == "este"
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
        subject == "el" and raw_word(view, k - 1).lower() == "él"
    )


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


def find_clitics(view: View, words: Lexicon) -> list[Span]:
    """Find "la" and "lo" that stand for a person: before a verb done to people, or at its end.

    Parameters
    ----------
    view : View
        The folded text.
    words : Lexicon
        The Spanish cues.

    Returns
    -------
    list of Span
    """
    stems = tuple(words.sets.get("verbs done to people", frozenset()))
    spans = []
    for i, word in enumerate(view.words):
        if word in {"la", "lo", "las", "los"} and i + 1 < len(view.words) and view.after(i).isspace():
            following = view.words[i + 1]
            if following in _AUXILIARIES and i + 2 < len(view.words):
                following = (
                    view.words[i + 2] if view.words[i + 2] != "a" or i + 3 >= len(view.words) else view.words[i + 3]
                )
            if _done_to_people(view, i, following, stems):
                spans.append(mark(view, i, "clitic", "[PRONOUN]", "object"))
        elif len(word) > 6 and word.endswith(("la", "lo", "las", "los")) and word.startswith(stems):
            size = 3 if word.endswith("s") else 2
            stem = word[:-size]
            if stem.endswith(("ar", "er", "ir", "ando", "endo", "e", "en", "nos", "arse")) and _person_stem(stem):
                begin, end = view.source(view.ends[i] - size, view.ends[i])
                spans.append(Span(begin, end, "clitic", "[PRONOUN]", "object", None, False, 42))
    return spans


def _person_stem(stem: str) -> bool:
    return not stem.startswith(_AMBIGUOUS) or stem.startswith(
        ("inform", "visit", "escuch", "redirig", "conoc", "esper")
    )


_NOUNS = _WORDS["nouns_like_verbs"]
_NOUN_AFTER = (("es",), ("esta",), ("fue",), ("sera",), ("de",), ("del",), ("se",), ("dura",), ("tiene",))


def _done_to_people(view: View, i: int, verb: str, stems: tuple[str, ...]) -> bool:
    if verb.endswith("a") and view.words[i] in {"la", "las"} and view.words[i + 2 : i + 3] in _NOUN_AFTER:
        return False
    if not verb.startswith(stems) or verb in _NOUNS or not _CONJUGATED.fullmatch(verb, timeout=_T):
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
