"""Spanish ranks and choices said of a person: "la primera en llegar", "la mejor", "una de las nuestras"."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from judgekit.blinding.clauses import Clauses
from judgekit.blinding.copulas import adjectival, base_form, copula_before, said_to_you
from judgekit.blinding.fold import Span, View
from judgekit.blinding.spanish_words import both_forms, mark

__all__ = ["find_quantifiers", "ranked"]

_RANKS = frozenset(
    "primero segundo tercero cuarto quinto sexto septimo octavo noveno decimo ultimo penultimo unico proximo indicado adecuado elegido".split()
)
_RANKED = frozenset("mejor peor siguiente responsable encargado".split())
_AFTER_RANK = frozenset("en que de del por y para con entre a al".split())


def ranked(view: View, i: int, clauses: Clauses) -> bool:
    """Whether an ordinal is a person's: "Ana fue la primera en llegar", "quedó última".

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        The word.
    clauses : Clauses
        The text's clauses.

    Returns
    -------
    bool
    """
    if base_form(view.words[i]) not in _RANKS:
        return False
    following = view.words[i + 1] if i + 1 < len(view.words) and view.after(i) == " " else ""
    if following and following not in _AFTER_RANK:
        return False
    led = i > 0 and view.words[i - 1] in {"la", "el", "las", "los"} and view.before(i) == " "
    k = copula_before(view, i - 1 if led else i)
    if k is None and led and following in {"en", "que"}:
        return _is_who(view, i, clauses)
    if k is None:
        return False
    open_end = led and not following and any(clauses.people) and clauses.subject(k) != "thing" and _bare(view, k)
    return said_to_you(view, k) or clauses.subject(k) == "person" or open_end


def _bare(view: View, k: int) -> bool:
    """Verá que no es la única: a verb that nothing but small words stand before."""
    j = k
    while j > 0 and view.before(j) == " " and view.words[j - 1] in {"no", "ya", "que", "si", "sera", "usted"}:
        j -= 1
    return view.before(j) != " " or "que" in view.words[j:k]


def _is_who(view: View, i: int, clauses: Clauses) -> bool:
    """La primera en llegar fue Ana; la única que llamó es usted."""
    for k in range(i + 2, min(i + 10, len(view.words) - 1)):
        if view.between(k - 1, k) != " ":
            return False
        if view.words[k] in {"fue", "es", "era", "sera", "eres", "fuiste", "ha"}:
            return clauses.people[k + 1] or view.words[k] in {"eres", "fuiste"} or view.words[k + 1] == "tu"
    return False


def find_quantifiers(view: View, clauses: Clauses) -> list[Span]:
    """Find "la mejor", "una de las nuestras", "uno más" said of a person.

    Parameters
    ----------
    view : View
        The folded text.
    clauses : Clauses
        The text's clauses.

    Returns
    -------
    list of Span
    """
    spans: list[Span] = []
    for i, word in enumerate(view.words):
        if (
            word not in {"la", "el", "una", "uno", "las", "los"}
            or i == 0
            or i + 1 >= len(view.words)
            or view.after(i) != " "
        ):
            continue
        following = view.words[i + 1]
        best = following in _RANKED and (
            view.after(i + 1) != " "
            or view.words[i + 2 : i + 3] == ()
            or view.words[i + 2] in _AFTER_RANK
            or adjectival(view.words[i + 2])
        )
        best = best or (
            following in {"mas", "menos"}
            and view.words[i + 2 : i + 3] != ()
            and view.words[i + 2][-1:] != "s"
            and view.after(i + 1) == " "
        )
        one = word in {"una", "uno"} and (
            following in {"mas", "menos"}
            or (following == "de" and view.words[i + 2 : i + 3] in (("las",), ("los",), ("ellas",), ("ellos",)))
        )
        if not (best and word in {"la", "el"}) and not one and not (following == "que" and word in {"la", "el"}):
            continue
        k = copula_before(view, i)
        if k is None or not (said_to_you(view, k) or clauses.subject(k) == "person"):
            continue
        if not one:
            spans.append(mark(view, i, "article", "[EL-LA]", "el"))
            third = (
                both_forms(view.raw(i + 2))
                if best and i + 2 < len(view.words) and adjectival(view.words[i + 2])
                else None
            )
            if third and view.after(i + 1) == " ":
                spans.append(mark(view, i + 2, "agreement", third[0], third[1]))
            continue
        spans.append(mark(view, i, "agreement", "[UNO-A]", "f" if word == "una" else "m"))
        if following == "de":
            if view.words[i + 2] in {"las", "los"}:
                spans.append(mark(view, i + 2, "article", "[LOS-LAS]", "los"))
            if i + 3 < len(view.words) and view.words[i + 3].endswith(("as", "os", "ores")):
                both = both_forms(view.raw(i + 3))
                if both:
                    spans.append(mark(view, i + 3, "agreement", both[0], both[1]))
    return spans
