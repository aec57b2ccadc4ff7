"""English nouns that tell gender by their ending, and family words that are said of things."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

import regex

from judgekit.blinding.cues import Lexicon, guarded_words, load_wide_words, rule_words
from judgekit.blinding.fold import Span, View

__all__ = ["find_compounds", "said_of_a_thing"]

_T = 1.0
_WORDS = rule_words("english")
_COMPOUND = regex.compile(r"(?P<stem>\p{L}{3,}?)-?(?P<end>woman|women|lady|ladies|girl|girls|maid|man|men|boy|boys)")
_FEMALE = frozenset("woman women lady ladies girl girls maid".split())
_MANY = frozenset("women ladies girls men boys".split())
_NO_MAN = frozenset(
    "pod hu superhu inhu nonhu subhu wo ro ger nor otto talis cai cay bat super spider pac walk hang snow straw bogey ombuds in dol aqua "
    "ginger ice sand tubal deter mail speci abdo regi acu sta ra ye car lu bitu ita exa wood dra fora cyclo flu ha sha trades "
    "iron ant he e de com new free cole good hoff bow chap fried wise low high tas mus turk play".split()
)
_NO_BOY = frozenset("cow tom game low high play water float".split())
_THING_AFTER = _WORDS["thing_after_kin"]
_KIN = frozenset("sister brother mother father daughter son parent".split())
_WEAR = _WORDS["wear"]
_GROUPS = frozenset("men women ladies girls boys gentlemen gents mens womens".split())
_ROYAL = frozenset("king queen prince princess lady master".split())
_MODEL = regex.compile(r"[A-Z]{1,4}[- ]?[A-Z]?\d{2,5}[A-Z]{0,3}\b")
_SIZES = frozenset(
    "size sized bed beds mattress mattresses duvet duvets sheet sheets prawn prawns crab crabs frame room rooms suite".split()
)
_OF_THINGS = regex.compile(
    r"of (?:all|modern|invention|pearl|(?:the )?(?:internet|web|computing|computers?|chemistry|physics|medicine|democracy|jazz|rock|science)|"
    r"(?:this|that|the|these|those) (?:bug|bugs|deal|deals|camera|printer|phone|app|model|machine|device|watch|car|brand|product)s?)\b"
)


def find_compounds(view: View, words: Lexicon) -> list[Span]:
    """Find occupations and roles that end in -man, -woman, -lady, -girl or -boy and stand on no list.

    Parameters
    ----------
    view : View
        The folded text.
    words : Lexicon
        The English cues, whose ``keep`` phrases stay.

    Returns
    -------
    list of Span
        Shown as the stem with ``PERSON`` or ``PEOPLE``, the same for both genders.

    Examples
    --------
    >>> from judgekit.blinding.cues import lexicon
    >>> from judgekit.blinding.fold import fold
    >>> view = fold("The ferrywoman and the ferryman saw a German snowman.")
    >>> [s.shown for s in find_compounds(view, lexicon("en"))]
    ['[FERRYPERSON]', '[FERRYPERSON]']
    >>> [s.shown for s in find_compounds(fold("The seductress in a fortress"), lexicon("en"))]
    ['[SEDUCTOR]']
    """
    spans: list[Span] = []
    kept: set[int] | None = None
    for i, word in enumerate(view.words):
        small = word.endswith(("ess", "esses")) and (not view.capital(i) or view.opens_sentence(i))
        agent = _agent(word) if small else None
        if agent and not (kept := guarded_words(view, words) if kept is None else kept) & {i}:
            begin, stop = view.source(view.starts[i], view.ends[i])
            shown = f"[{agent.upper()}{'S' if word.endswith('esses') else ''}]"
            raw = view.text[begin:stop]
            spans.append(Span(begin, stop, "gendered", shown, "f" + _letters(raw), None, False, 51))
        if len(word) < 6 or not word.endswith(("man", "men", "lady", "ladies", "girl", "girls", "boy", "boys", "maid")):
            continue
        found = _COMPOUND.fullmatch(word, timeout=_T)
        if found is None:
            continue
        stem, end = found.group("stem"), found.group("end")
        if (end in {"man", "men"} and (_no_man(stem) or (view.capital(i) and not view.opens_sentence(i)))) or (
            end in {"boy", "boys"} and stem in _NO_BOY
        ):
            continue
        kept = guarded_words(view, words) if kept is None else kept
        if i in kept or (stem in {"mer", "milk"} and end == "maid"):
            continue
        begin, stop = view.source(view.starts[i], view.ends[i])
        shown = f"[{stem.removesuffix('s').upper()}{'PEOPLE' if end in _MANY else 'PERSON'}]"
        raw = view.text[begin:stop]
        form = ("f" if end in _FEMALE else "m") + _letters(raw)
        spans.append(Span(begin, stop, "gendered", shown, form, None, False, 51))
    return spans


def _no_man(stem: str) -> bool:
    """Whether a word in -man is no occupation: a snowman; plamen and rahman, whose rest is no word."""
    words = load_wide_words("en")
    return stem in _NO_MAN or not (stem in words or stem.removesuffix("s") in words or stem + "e" in words)


def _letters(raw: str) -> str:
    return ".upper" if raw.isupper() else ".capital" if raw[:1].isupper() else ""


def _agent(word: str) -> str | None:
    """The word for anybody beside one in -ess: adulteress, tigress, shepherdess; None for fortress and progress."""
    stem = word.removesuffix("es").removesuffix("ess") if word.endswith("esses") else word.removesuffix("ess")
    if word in _NO_ESS or len(stem) < 3 or stem.endswith(("n", "l")) or stem + "ess" in _NO_ESS:
        return None
    bases = [stem[:-1] + "er", stem[:-1] + "or", stem + "er"] if stem.endswith("r") else [stem, stem + "e", stem[:-1]]
    words = load_wide_words("en")
    known = next((base for base in [*bases, stem] if base in words and len(base) > 3), None)
    # Seductress, huntress: a word that no list has, built as they are.
    built = word not in words and len(word) > 6 and stem.endswith(("tr", "dr", "rd", "st", "gr"))
    return known or (
        (stem[:-1] + ("or" if stem.endswith("ctr") else "er") if stem.endswith("r") else stem) if built else None
    )


_NO_ESS = frozenset(
    "access actress address assess buttress business caress compress congress cypress depress digress distress dress duress egress empress excess express fortress "
    "guess headdress impress ingress largess mattress mess mistress obsess oppress overdress possess press princess process profess progress readdress recess regress repress "
    "reprocess repossess sundress suppress success tress trespass undress unless watercress waitress cress goddess winepress fitness hostess confess redress chess bless prowess nevertheless "
    "nonetheless finesse noblesse letterpress wordpress cess marchioness marquess".split()
)


def said_of_a_thing(view: View, i: int, j: int, *, person: bool = False) -> bool:
    """Whether a family or gender word belongs to a thing: "sister company", "men's shoes", "queen bed".

    Parameters
    ----------
    view : View
        The folded text.
    i, j : int
        The first word and the word after the last.
    person : bool
        Whether the text speaks of a person: then even "girls' sizes" tells something.

    Returns
    -------
    bool

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> said_of_a_thing(fold("our sister company"), 1, 2), said_of_a_thing(fold("my sister called"), 1, 2)
    (True, False)
    """
    word, after = view.words[i], view.after(j - 1)
    following = view.words[j] if j < len(view.words) else ""
    if word in _GROUPS and after[:1] in {"'", " "}:
        k = j + 1 if following == "s" and after.startswith("'") else j
        owned = after.startswith("'") or word in {"mens", "womens", "ladies", "girls", "boys"}
        return not person and owned and any(w in _WEAR for w in view.words[k : k + 3])
    if after not in {" ", "-"}:
        return False
    if (
        view.capital(i)
        and j < len(view.words)
        and view.raw(j).isupper()
        and _MODEL.match(view.text, view.source(view.starts[j], view.ends[j])[0], timeout=_T)
    ):
        return True  # Brother HL-L2350DW
    if word in _KIN and following in _THING_AFTER:
        return True
    if word in _ROYAL and following in _SIZES:
        return True
    if word in {"mother", "father", "daddy"} and following == "of":
        return bool(_OF_THINGS.match(view.folded, view.starts[j], timeout=_T))
    return word in {"bachelor", "bachelors"} and following in {
        "of",
        "degree",
        "degrees",
        "programme",
        "program",
        "s",
        "party",
    }
