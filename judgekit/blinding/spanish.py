"""Rules of Spanish: agreement with the person addressed, articles, clitics, pronouns, age and origin.

Gender runs through Spanish grammar. A noun, adjective or participle that says whether the person is a woman or a man
is replaced by a placeholder that names both forms (``[INTERESADO-A]``), so that the sentence can still be judged. A
word that agrees with a thing ("la tienda está cerrada") stays.
"""

from __future__ import annotations

from collections.abc import Sequence

import regex

from judgekit.blinding.ages import find_ages
from judgekit.blinding.agreement import find_agreement
from judgekit.blinding.clauses import Clauses
from judgekit.blinding.clitics import find_clitics
from judgekit.blinding.cues import Cue, Lexicon, occurrences, rule_words
from judgekit.blinding.fold import Span, View, patience
from judgekit.blinding.origins import find_origins
from judgekit.blinding.ranks import find_quantifiers
from judgekit.blinding.spanish_nouns import find_determiners, find_nouns, said_of_somebody
from judgekit.blinding.spanish_words import case_of, next_start, raw_word
from judgekit.blinding.thing_names import said_of_a_thing

__all__ = ["find_spanish"]

_T = 1.0
_SAYS_WHAT = frozenset(
    ["es", "eres", "sos", "soy", "era", "eras", "ya", "usted", "como", "siendo", "seas", "sea", "fue", "la", "de"]
)
_WORDS = rule_words("spanish")
_OWN = _WORDS["own"]
_STATED = regex.compile(r"\b(?:sexo|genero)\s*[:=]\s*(?P<value>f|m|x|v|h|mujer|hombre|femenino|masculino|no binario)\b")


# Titles that are whole words: a full stop behind one ends the sentence.
_WHOLE = frozenset(("don", "dona", "senor", "dama", "damas", "fray", "sor", "tio", "tia", "padre", "madre", "dom"))


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
        if _fits(view, i, j, cue, starts) and not (cue.kind == "gendered" and said_of_a_thing(view, i, j)):
            spans.append(_cue(view, i, j, cue, starts))
            if cue.kind in {"title", "gendered"}:
                heads.add(i)
    spans += _pronouns(view)
    nouns, noun_heads = find_nouns(view, words, starts)
    spans += nouns
    heads |= noun_heads
    clauses = Clauses(view, starts, heads)
    agreeing, marked = find_agreement(view, words, heads, starts, clauses)
    spans += agreeing
    spans += find_determiners(view, heads | _led(view, marked, clauses))
    spans += find_quantifiers(view, clauses)
    spans += find_clitics(view, words, heads, starts, clauses)
    spans += _stated_gender(view)
    spans += find_ages(view, "es", [*named, *spans])
    spans += find_origins(view, "es", named, spans)
    return list(dict.fromkeys(spans))


def _led(view: View, marked: set[int], clauses: Clauses) -> set[int]:
    """Words whose article tells a person's gender: la querida Ana, la primera en llegar, la Ana."""
    named = {
        k
        for k, person in enumerate(clauses.people)
        if person
        and k
        and not clauses.people[k - 1]
        and (not view.capital(k - 1) or view.opens_sentence(k - 1))
        and view.before(k) == " "
    }
    return marked | {k for k in named if view.words[k] not in {"usted", "ella", "el"}}


def _fits(view: View, i: int, j: int, cue: Cue, starts: set[int]) -> bool:
    if cue.match == "title":
        if next_start(view, j) in starts and view.after(j - 1) in {" ", ". ", "."}:
            return True
        if cue.words == ("d",) and view.capital(i) and view.after(i) == ". " and j < len(view.words):
            return view.capital(j) and len(view.words[j]) > 3
        known = j < len(view.words) and view.capital(j) and view.after(j - 1) in {" ", ". "}
        return (
            known
            and (view.capital(i) or cue.words[0] in {"don", "dra", "doctora"})
            and cue.words[0]
            not in {
                "padre",
                "madre",
                "hermano",
                "hermana",
                "d",
                "p",
                "fr",
                "tio",
                "tia",
                "hno",
                "hna",
                "m",
                "ing",
                "cap",
                "rey",
                "reina",
            }
        )
    if cue.match == "said":
        before = view.words[i - 1] if i and view.before(i) == " " else ""
        return before in _SAYS_WHAT or said_of_somebody(view, i, starts)
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
        following = next_start(view, j)
        if following in starts or (j < len(view.words) and view.capital(j) and view.after(j - 1) in {" ", ". "}):
            form += " name"
        if view.text[end : end + 1] == "." and len(cue.words[-1]) <= 5 and cue.words[-1] not in _WHOLE:
            end += 1
    return Span(
        begin,
        end,
        cue.kind,
        cue.shown,
        form + case_of(raw),
        None,
        False,
        57 if cue.match in {"own", "address", "said"} else 52 + min(len(cue.words), 5),
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


def _stated_gender(view: View) -> list[Span]:
    if "sexo" not in view.folded and "genero" not in view.folded:
        return []
    return [
        Span(*view.source(*m.span("value")), "gendered", "[GENDERED]", "", None, False, 58)
        for m in _STATED.finditer(view.folded, timeout=patience(view.folded))
    ]
