"""Other people by rule: greetings, signatures, relations, titles, people who say or want something.

A capitalised word that no list knows is a candidate; what stands around it decides. With known names only plain
evidence counts (``strict``); without them any unknown capitalised word inside a sentence is taken for a name, whatever
its origin, because a rule that knows Anglo names best would itself be a leak.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judgekit.blinding.cues import Lexicon, load_things, load_words
from judgekit.blinding.fold import Span, View
from judgekit.blinding.names import PARTICLES, PERSON

__all__ = ["candidate_runs", "find_people"]

_GREET = frozenset("hi hello hey dear morning afternoon evening welcome thanks congratulations congrats sorry bye goodbye back cheers hola estimado estimada querido querida buenos buenas dias tardes noches gracias bienvenido bienvenida felicidades enhorabuena saludos luck apreciado apreciada hallo".split())
_GROUPS = frozenset(
    "team all everyone everybody customer customers sir madam friend friends there guest guests member members valued colleague colleagues folks "
    "again and or to for from you we i it that this my our your so the a an if as in on no not please just both equipo todos cliente clientes usuario por a de la el "
    "support desk service office department hiring manager human resources admissions santa neighbor neighbour neighbours parents student students reader".split()
)
_CLOSINGS = frozenset("regards sincerely best wishes faithfully truly cordially warmly love thanks cheers respectfully gratefully saludos atentamente cordialmente abrazo saludo gracias signed yours".split())
_INTRO = frozenset("named called attn customer client passenger patient guest tenant name to from cc signed payee recipient beneficiary holder applicant candidate employee student member nombre cliente paciente pasajero titular alumno alumna llamado llamada firmado para de remitente destinatario pasajera clienta".split())
_OBJECT_VERBS = frozenset("ask asked tell told call called contact contacted thank thanked remind reminded inform informed email emailed invite invited met meet know known promote promoted recommend recommended hire hired congratulate help helped told texted phoned emailed join visit introduce".split())
_WITH = frozenset("spoke speak speaking talked talk talking met meeting chatted chat worked behalf issued addressed registered assigned transferred belongs signed".split())
_RELATED = frozenset(
    "partner spouse colleague coworker friend manager boss supervisor neighbour neighbor assistant agent advisor adviser doctor nurse teacher professor "
    "customer client patient guest tenant applicant passenger student member driver technician engineer lawyer dr captain coach cousin twin roommate flatmate "
    "landlord husband wife boyfriend girlfriend fiance fiancee mother father mom mum dad son daughter sister brother uncle aunt auntie grandma grandpa niece nephew stepson stepdaughter grandmother grandfather "
    "marido esposo esposa mujer novio novia madre padre hijo hija hermano hermana abuelo abuela tio tia primo prima amigo amiga companero companera vecino vecina agente asesor asesora jefe jefa doctor doctora colega pareja".split()
)
_SAYS = frozenset(
    "wants wanted asked asks said says told tells called calls wrote writes emailed phoned thinks thought feels felt prefers preferred likes liked agreed "
    "agrees signed joined complained mentioned mentions replied requested requests confirmed explained contacted believes insists hopes hoped works lives loves "
    "needs dice dijo pide pidio quiere solicita solicito llamo escribio indica indico comenta menciona confirma confirmo prefiere necesita vive trabaja contacto".split()
)
_BEFORE_SAYS = frozenset("if when that and because as while but once since where though until whether si cuando que y porque como aunque pero".split())
_NOT_NAMES = frozenset("i i'm ok okay lol omg fyi btw ps im ive id".split())


def _candidate(view: View, k: int, vocabulary: frozenset[str], things: frozenset[str]) -> bool:
    """Whether a word is capitalised, letters only, and on no list of words or things."""
    word = view.words[k]
    if len(word) < 2 or not word.isalpha() or not view.capital(k) or word in vocabulary or word in things:
        return False
    raw = view.raw(k)
    if raw.isascii() and not raw[1:].islower() and not raw.isupper() and "&" not in raw and not (raw[:2] in {"Mc", "Mac"} or raw[1:2].isupper()):
        return not any(c.isupper() for c in raw[2:]) or raw.startswith(("Mc", "Mac", "De", "Di", "La", "O"))
    if raw.isupper() and len(raw) <= 5 and raw.isascii():
        return False
    for tail in ("s", "es"):
        if word.endswith(tail) and word[: -len(tail)] in vocabulary:
            return False
    if word.startswith("un") and word[2:] in vocabulary:
        return False
    return word not in _NOT_NAMES and not view.before(k).endswith(("'", "’", "_")) or (view.before(k).endswith("'") and bool(view.before(k)[:-1].strip() or view.before(k)[:-1]))


def candidate_runs(view: View, lang: str) -> Iterator[tuple[int, int]]:
    """Runs of words that may be a name: candidates, particles between them, initials.

    Parameters
    ----------
    view : View
        The folded text.
    lang : {'en', 'es'}
        Its language.

    Yields
    ------
    (int, int)
        First word and the word after the last.
    """
    vocabulary, things = load_words("es" if lang == "es" else "en"), load_things()
    k = 0
    while k < len(view.words):
        if not _candidate(view, k, vocabulary, things):
            k += 1
            continue
        first, last = k, k
        while last + 1 < len(view.words):
            step = last + 1
            hop = step
            while hop < len(view.words) and hop - last <= 3 and view.words[hop] in PARTICLES and view.between(hop - 1, hop) in {" ", "-", "'", "\xa0"}:
                hop += 1
            if hop < len(view.words) and view.between(hop - 1, hop) in {" ", "-", "'", "  "} and _candidate(view, hop, vocabulary, things):
                last = hop
                continue
            if step + 1 < len(view.words) and len(view.words[step]) == 1 and view.capital(step) and view.between(step, step + 1) in {". ", " "} and view.between(last, step) == " " and _candidate(view, step + 1, vocabulary, things):
                last = step + 1
                continue
            break
        yield first, last + 1
        k = last + 1


def find_people(view: View, words: Lexicon, named: Sequence[Span], lang: str, *, strict: bool) -> list[Span]:
    """Find names that no list knows by what stands around them.

    Parameters
    ----------
    view : View
        The folded text.
    words : Lexicon
        The language's cues.
    named : sequence of Span
        What was found before; it is left alone.
    lang : str
        The text's language.
    strict : bool
        True when the reply's own names are known: only plain evidence of other people counts.

    Returns
    -------
    list of Span
        Possibly overlapping.

    Examples
    --------
    >>> from judgekit.blinding.cues import lexicon
    >>> from judgekit.blinding.fold import fold
    >>> view = fold("Your husband Narciso signed. Our Galaxy app and Elbonia Tower are near Madrid.")
    >>> [view.text[s.start:s.end] for s in find_people(view, lexicon("en"), [], "en", strict=True)]
    ['Narciso']
    """
    taken = {p for s in named for p in (s.start, s.end - 1)}
    found: dict[tuple[int, int], int] = {}
    guarded = _kept(view, words)
    for i, j in candidate_runs(view, lang):
        begin, end = view.source(view.starts[i], view.ends[j - 1])
        if guarded.intersection(range(i, j)) or any(begin <= p < end for p in taken):
            continue
        if _evident(view, i, j, words) or (not strict and _likely(view, i, j)):
            found[i, j] = 50
    for i, j in _placed(view, lang, strict=strict):
        begin, end = view.source(view.starts[i], view.ends[j - 1])
        if not guarded.intersection(range(i, j)) and not any(begin <= p < end for p in taken):
            found.setdefault((i, j), 49)
    return [_person(view, i, j, rank) for (i, j), rank in found.items()]


def _kept(view: View, words: Lexicon) -> set[int]:
    out: set[int] = set()
    for i, word in enumerate(view.words):
        for phrase in words.phrases.get(word, ()):
            if view.words[i : i + len(phrase)] == phrase:
                out.update(range(i, i + len(phrase)))
    return out


def _person(view: View, i: int, j: int, rank: int) -> Span:
    begin, end = view.source(view.starts[i], view.ends[j - 1])
    raw = view.text[begin:end]
    form = "full" if j - i > 1 else "given"
    if i and view.words[i - 1] in {"mr", "mrs", "ms", "miss", "mx", "sr", "sra", "srta", "senor", "senora", "dr"}:
        form = "family" if j - i == 1 else "full"
    letters = ".upper" if len(raw) > 1 and raw.isupper() else ".lower" if raw.islower() else ""
    return Span(begin, end, "name", PERSON, form + letters, "~" + " ".join(view.words[i:j]), False, rank)


def _evident(view: View, i: int, j: int, words: Lexicon) -> bool:
    """Whether the words around say that a person is named."""
    before = view.words[i - 1] if i else ""
    gap = view.before(i)
    after = view.after(j - 1)
    following = view.words[j] if j < len(view.words) else ""
    spaced = gap in {" ", "\n", ", ", ": ", " - ", '"', ' "', ". ", ":** ", "** "}
    if gap.strip() in {"", ","} and before in _GREET and (after[:1] in {"", ",", "!", ".", ":", ";", "\n", "-", " "}):
        return True
    if gap in {" ", ". "} and before in {"mr", "mrs", "ms", "miss", "mx", "dr", "prof", "sr", "sra", "srta", "senor", "senora", "senorita", "don", "dona", "sir", "madam", "dame", "lady", "lord", "professor", "captain", "judge", "officer"}:
        return True
    if gap == " " and before in _RELATED:
        return True
    if spaced and before in _INTRO and (gap.strip() in {":", '"', ":**", "**"} or before in {"named", "called", "llamado", "llamada", "attn"}):
        return True
    if gap in {" ", ' "'} and (before in _OBJECT_VERBS or _with(view, i) or _introduced(view, i)):
        return True
    if after == " " and following in _SAYS and (gap.strip() in {"", ","} and before in _BEFORE_SAYS or i == 0 or gap.strip()[-1:] in {".", "!", "?", ":"} or "\n" in gap):
        return True
    if gap.strip().endswith(",") and after[:1] in {",", ".", "!", "?", ";", ""} and before not in load_things() and not view.capital(i - 1):
        return True
    if _closes(view, i, j):
        return True
    raw = view.raw(i)
    return raw.isalpha() and not raw.isascii() and raw.lower() == raw.upper()


def _with(view: View, i: int) -> bool:
    return i >= 2 and view.words[i - 1] in {"to", "with", "of", "by", "con"} and view.words[i - 2] in _WITH


def _introduced(view: View, i: int) -> bool:
    near = view.words[max(0, i - 3) : i]
    return near[-2:] in {("name", "is"), ("i", "am"), ("i", "m"), ("this", "is"), ("name", "s"), ("me", "llamo"), ("llamo", "es"), ("nombre", "es"), ("soy",), ("known", "as"), ("call", "me"), ("it", "s")} or near[-1:] == ("llamo",)


def _closes(view: View, i: int, j: int) -> bool:
    """A name that stands alone at the end, after a closing or a dash."""
    gap, after = view.before(i), view.after(j - 1)
    if after.strip(" .\n") and "\n" not in after:
        return False
    before = view.words[i - 1] if i else ""
    if before in _CLOSINGS and gap.strip(" \n") in {",", "", ".", "!"} and (gap.strip() or "\n" in gap):
        return True
    return gap.strip(" ") in {"-", "--", "\n-", "\n--"} and j == len(view.words)


def _likely(view: View, i: int, j: int) -> bool:
    """Without known names: an unknown capitalised word where ordinary ones are small."""
    raw = view.text[slice(*view.source(view.starts[i], view.ends[j - 1]))]
    if raw.isupper() and len(raw) < 3:
        return False
    return not (i and view.words[i - 1] in {"st", "san", "santa", "saint"} and view.capital(i - 1))


def _placed(view: View, lang: str, *, strict: bool) -> Iterator[tuple[int, int]]:
    """Names that are ordinary words, or written small, where only a name can stand: "Hi grace," "Thanks, Will."."""
    vocabulary, things = load_words("es" if lang == "es" else "en"), load_things()
    for k, word in enumerate(view.words):
        if len(word) < 2 or not word.isalpha() or word in _GROUPS or word in things:
            continue
        before, gap, after = view.words[k - 1] if k else "", view.before(k), view.after(k)
        if gap in {" ", ", "} and before in _GREET - {"back", "luck", "gracias", "thanks", "sorry", "morning", "dias", "tardes", "noches", "afternoon", "evening", "congratulations", "congrats", "welcome", "cheers", "bye"} and after[:1] in {",", "!", ":", "."}:
            if before != "dear" or word not in {"me", "oh"}:
                yield k, k + 1
        elif gap == ", " and before in {"thanks", "thank", "sorry", "welcome", "morning", "afternoon", "evening", "cheers", "gracias"} and after[:1] in {",", "!", "."} and (view.capital(k) or word not in vocabulary):
            yield k, k + 1
        elif not strict and view.capital(k) and not view.opens_sentence(k) and word in vocabulary and not (len(view.raw(k)) > 1 and view.raw(k).isupper()):
            if gap == ", " and after[:1] in {",", ".", "!", "?", ";"} and not view.capital(k - 1):
                yield k, k + 1
            elif gap == " " and (before in _RELATED and before not in {"customer", "client", "guest", "member", "student", "patient", "manager"} or before in {"mr", "mrs", "ms", "miss", "mx"}):
                yield k, k + 1
        elif gap in {" ", ". "} and before in {"mr", "mrs", "miss", "ms", "mx", "sra", "sr", "srta", "senor", "senora"} and view.capital(k) and word in vocabulary and view.capital(k - 1):
            yield k, k + 1
