"""Where a person comes from: places, peoples and languages said of somebody, and then wherever else the text has them.

A country in a text about deliveries is no cue. Once one is said of a person ("born in Lagos", "as a Nigerian citizen"),
every form of the same origin in the text is.
"""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import regex

from judgekit.blinding.cues import rule_words
from judgekit.blinding.fold import Span, View, patience

__all__ = ["ENGLISH_NATIONS", "find_origins", "nation_word"]

_T = 1.0
# Spain, Canadians, Senegalese: no name of anybody; Romano and Castellano are.
ENGLISH_NATIONS = frozenset(
    form
    for nation, forms in rule_words("origins").items()
    for form in {nation, *forms}
    if form == nation or form.endswith(("ans", "ese", "ian", "ean"))
)
_ENGLISH = regex.compile(
    r"\b(?:(?:mov|emigrat|immigrat|relocat|migrat|arriv|hail|fl(?:ed|ee)|com|came|escap|originat|settl)\w*(?:\s+(?!from\b)\w+){0,3}\s+from|"
    r"(?:you(?:'re| are| were)|i(?:'m| am| was)|s?he(?:'s| is| was)|they(?:'re| are)|originally|native|all the way|who is|family is|family comes|family came|parents (?:are|came|come))(?:\s+(?:originally|all|actually|both|also|really))*\s+from|"
    r"(?:born|raised|grew up|growing up|grown up|bred|childhood|schooled|educated|roots|relatives|family back home|back home|family|parents|upbringing|hometown|home town|citizens?|citizenship|nationals?|natives?|passport|ancestors|ancestry|heritage)\s+(?:and raised\s+|and bred\s+)?(?:(?:in|on)\s+(?:\w+\s+)?\d{4}\s+)?(?:in|of|from)|"
    r"(?:country of (?:origin|birth)|nationality|place of birth|birthplace|home country|homeland|citizenship)\s*(?:is|was|:|,|=)|"
    r"your native|native of|(?:husband|wife|spouse|partner|mother|father|cousin|friend|grandmother|grandfather|aunt|uncle|boyfriend|girlfriend|colleague|customer|client|patient) (?:is|was|comes|came) (?:originally )?from|(?:back|fl[ey]w|fly|flying|went|going|go|travel\w*|return\w*) home to|(?:parents|family|mother|father|grandparents|siblings) (?:still )?(?:lives?|living) in|a (?:\w+ )?(?:village|town|city|family|region) (?:in|of|near|from)|homesick for|return(?:ing)? home to|emigrat\w+ to \w+ from)\s+(?:the\s+)?(?P<place>)"
)
# Only before a country, a people or a large city.
_ENGLISH_NATION = regex.compile(
    r"\b(?:(?<!\b(?:is|are|was|were|now|also|still) )home to|(?:you|your|i|my|we|our|s?he|they|their|his|her)\b(?: [\w']+){0,3} back(?: home)? in|back home in|"
    r"(?:you|i|we|they|s?he) (?:still |really |do |must |may |might |will )*miss|(?:things|life|everyone|everybody|loved ones|folks|friends) (?:back |over |are |is |like |going |doing )*in|"
    r"(?:you|i|s?he) (?:were|was|worked as|trained as|qualified as|served as) an? (?:\w+ ){1,2}(?:back )?in|"
    r"(?:your|my|his|her|their|the) (?:mum|mom|mother|dad|father|parents|sister|brother|sisters|brothers|son|daughter|children|kids|aunt|uncle|cousin|cousins|grandmother|grandfather|"
    r"gran|grandparents|wife|husband|partner|spouse|relatives|family|folks|in-laws|relations)(?: (?:back|over|still|lives?|living|is|are))* in|"
    r"(?:your|my|his|her|their) (?:home|birthplace|homeland|first home|old life|old job|home town|hometown|roots|school days|student days|youth|childhood|past) (?:back )?(?:in|is)|"
    r"(?:your|my|his|her) (?:move|journey|emigration|escape|flight as a refugee) (?:here |over )?from|(?:was|is) the move (?:here |over )?from|"
    r"(?:you|your family|your parents) (?:first )?(?:left|fled|grew up in|lived in|come from|came from|hail from)|(?:you|i|s?he) (?:left|fled)|(?:you(?:'ve| have)?|s?he|i) (?:once |both |used to )?(?:lived|live) in|"
    r"in your (?:country|homeland|home country),|coming from|as someone from|people from|(?:passport|visa|licence|license|degree|diploma) (?:is|was|comes) from|"
    r"(?:an?|the|as|our) (?:\w+ )?(?:immigrant|migrant|refugee|expat|newcomer|exile|student|nurse|doctor|teacher|engineer|customer|client|patient|guest|tenant|applicant|candidate|colleague|"
    r"traveller|visitor|worker|singer|writer|player|cook|chef|farmer|driver|lawyer|artist|pupil|learner|resident) from|"
    r"(?:you|i|s?he|they) (?:go|goes|went|get|got|move|moved|travel|fly|flew) back (?:home )?to|(?:after|your|my|his|her|those|all) (?:\w+ ){0,2}years in)\s+(?:the\s+)?(?P<place>)"
)
_SPANISH = regex.compile(
    r"\b(?:(?:se|te|me) (?:ha |has |he )?(?:mud|traslad)\w+(?:\s+(?!de\b|desde\b)\w+){0,3}\s+(?:de|desde)|(?:emigr|inmigr|huy|vin|procede|provien|exili)\w*(?:\s+(?!de\b|desde\b)\w+){0,3}\s+(?:de|desde)|"
    r"(?:usted|tu|yo|ella|familia|padres|pero|que) (?:es|eres|soy|viene|vienes|vengo|son|vienen|llego|llegaste|llegue)\s+(?:de|desde)|(?:nacid[oaex]|nacio|naciste|naci|nacer|nacer y crecer|nacimiento|crecio|creciste|creci|se crio|te criaste|me crie|criad[oaex]|infancia)(?:\s+en\s+\d{4})?\s+en|originari[oaex]\s+de|"
    r"oriund[oaex]\s+de|natural(?:es)? de|ciudadan[oaex]s? de|nacional(?:es)? de|nativ[oaex]s? de|raices en|(?:familia|padres|parientes|abuelos)(?: de \w+)? (?:est[ae]n? |viv\w+ |sigu\w+ )?en|visado? de|(?:un pueblo|una aldea|una ciudad|una familia) de|pais de origen:?(?: es)?|lugar de nacimiento:?|nacionalidad:|pasaporte de|llegar? (?:aqui )?desde|llego (?:a \w+ )?desde)\s+(?P<place>)"
)
_NAMED_FROM = {
    "en": regex.compile(
        r"(?:,? (?:who )?(?:is |was |comes |hails )?(?:originally )?from|,? (?:a )?native of) (?:the )?"
    ),
    "es": regex.compile(
        r"(?:,? (?:que )?(?:es|viene|procede)(?: originari[oa])? de|, (?:natural|oriund[oa]|originari[oa]|vecin[oa]) de) "
    ),
}
_SAID = regex.compile(
    r"(?:\b(?:nacionalidad|ciudadania|pasaporte|ascendencia|acento|raices|ciudadan[oaex]s?|origen|identidad|comunidad|inmigrantes?|"
    r"nativ[oa]s?|hablante|hablantes|sangre|descendencia|familia|padres|madre|padre|abuel[oa]s?|espos[oa]|marido|novi[oa]|mujer|hombre|"
    r"chic[oa]|senora?|joven|client[ea]s?|paciente|estudiante|ciudadan[oa]|trabajador|trabajadora|residente|turista|persona|"
    r"lengua (?:materna(?: es)?|es)(?: el)?|idioma (?:materno(?: es)?|es)(?: el)?|nacid[oa]|habl(?:a|as|o|an|ar|ando)|hijos? de)|"
    r"\b(?:usted|tu|yo|ella|y|si|que) (?:no )?(?:es|eres|soy|era)|\b(?:eres|soy)|\bes usted|\bcomo(?: (?:buen|buena|un|una))?|\bsiendo|\bser)"
    r"(?: (?:de origen|de nacionalidad|medio|mitad|tambien|muy|originalmente|orgullosamente|un|una|solo))*$"
)
_PRODUCTS = frozenset(
    "airlines airways air fries toast press bulldog shepherd doors door windows dressing salad cheese wine coffee food cuisine restaurant "
    "delight bath chocolate tea ink version translation edition page site website channel leather oil yogurt keyboard menu market stock "
    "lira peso pesos real reais rupee rupees yen euro euros dollar dollars pound pounds franc francs krona zloty express bank rail railway "
    "railways telecom league cup team side open version version".split()
)
_THING_BEFORE = frozenset(
    "tortilla vino queso version comida cocina restaurante aceite jamon cafe te bano traduccion edicion liga copa seleccion gran "
    "embajada aerolineas lineas banco ensaladilla ensalada salsa teclado pagina dolar peso libra yen equipo mercado".split()
)
_SMALL_ES = frozenset("colonia lima chile san split cork habana natural lago roma real granadina burma bali".split())
_NOT_PLACES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october "
    "november december i us the lunes enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()
)


@lru_cache(maxsize=1)
def _rows() -> Mapping[str, frozenset[str]]:
    """Every form, several words joined by an underscore, with the origins it may tell."""
    rows: dict[str, set[str]] = {}
    for origin, forms in rule_words("origins").items():
        for form in forms:
            rows.setdefault(form, set()).add(origin)
    return {form: frozenset(origins) for form, origins in rows.items()}


@lru_cache(maxsize=1)
def _first_words() -> frozenset[str]:
    """The words that a form of an origin begins with."""
    return frozenset(form.partition("_")[0] for form in _rows())


def nation_word(word: str) -> bool:
    """Whether a folded word names a country, a people, a language or a large city.

    Examples
    --------
    >>> nation_word("nigerian"), nation_word("marroqui"), nation_word("blue")
    (True, True, False)
    """
    return word in _rows()


def find_origins(view: View, lang: str, named: Sequence[Span], cues: Sequence[Span]) -> list[Span]:
    """Find places and peoples said of a person, and every other form of the same origin in the text.

    Parameters
    ----------
    view : View
        The folded text.
    lang : {'en', 'es'}
        The text's language.
    named : sequence of Span
        Names of people.
    cues : sequence of Span
        Cues found so far; those of kind ``demonym`` tell an origin.

    Returns
    -------
    list of Span

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> def origins(text, lang="en"):
    ...     return [text[s.start : s.end] for s in find_origins(fold(text), lang, [], [])]
    >>> origins("You were born in Lagos. Nigerians pay no fee; ship to Japan.")
    ['Lagos', 'Nigerians']
    >>> origins("La tortilla española viaja a Francia.", "es")
    []
    """
    spans = _places(view, lang, named)
    spans += _peoples(view) if lang == "es" else _beside_people(view, cues)
    return spans + _same_origin(view, lang, [*spans, *(c for c in cues if c.kind in {"demonym", "origin"})], spans)


# What each branch of _ENGLISH and _SPANISH needs, so that they run on few texts: a part of a word, or what leads a "from"
# or "de". A new branch there needs its entry here.
_TELLING = {
    "en": tuple(
        "born raised bred childhood schooled educated roots relatives home family parents upbringing citizen national native passport ancest "
        "heritage birth mother father siblings village town city region grew grow country".split()
    ),
    "es": tuple(
        "mud traslad migr huy vin procede provien exili naci nacer creci crio criaste crie criad infancia originari oriund natural ciudad "
        "nacional nativ raices familia padres parientes abuelos visa pueblo aldea pais lugar pasaporte desde".split()
    ),
}
_LEADING = {
    "en": frozenset(
        "re are were m am was s is originally native way comes came come all actually both also really".split()
    ),
    "es": frozenset("es eres soy viene vienes vengo son vienen llego llegaste llegue".split()),
}
_MOVES = (
    "mov",
    "emigrat",
    "immigrat",
    "relocat",
    "migrat",
    "arriv",
    "hail",
    "fled",
    "flee",
    "com",
    "came",
    "escap",
    "originat",
    "settl",
)


def _may_tell(view: View, lang: str) -> bool:
    """Whether a text has what any branch of the long pattern needs."""
    text, words, links = view.folded, view.words, "from" if lang == "en" else "de"
    if any(part in text for part in _TELLING[lang]):
        return True
    if links not in words:
        return False
    if not view.plain or "_" in text:  # words are not what the pattern takes for words
        return True
    leading = _LEADING[lang]
    return any(
        word == links
        and (words[k - 1] in leading or (lang == "en" and any(w.startswith(_MOVES) for w in words[max(0, k - 4) : k])))
        for k, word in enumerate(words)
    )


def _places(view: View, lang: str, named: Sequence[Span]) -> list[Span]:
    text, spans = view.folded, []
    at: list[int] = []
    if _may_tell(view, "es" if lang == "es" else "en"):
        at += [
            found.end()
            for found in (_SPANISH if lang == "es" else _ENGLISH).finditer(text, timeout=patience(text))
            if lang == "es" or not _thing_comes(view, found)
        ]
    if lang == "en" and not _first_words().isdisjoint(view.words):
        at += [
            found.end()
            for found in _ENGLISH_NATION.finditer(text, timeout=patience(text))
            if _form_at(view, bisect_left(view.starts, found.end()))
        ]
    ends = {s.end for s in named if s.kind == "name"}
    for i in sorted(view.ending_at[end] for end in ends if end in view.ending_at):
        found = _NAMED_FROM["es" if lang == "es" else "en"].match(text, view.ends[i], timeout=_T)
        if found and _form_at(view, bisect_left(view.starts, found.end())):
            at.append(found.end())
    for position in at:
        first = _word_at(view, position)
        if first is None or view.starts[first] != position or not view.capital(first) or view.raw(first)[0].isdigit():
            continue
        if view.words[first] in _NOT_PLACES:
            continue
        last = first
        links = {"de", "del", "la"} if lang == "es" else {"of", "the"}
        while (
            last + 1 < len(view.words)
            and view.between(last, last + 1) in {" ", "-"}
            and (
                view.capital(last + 1)
                or (view.words[last + 1] in links and last + 2 < len(view.words) and view.capital(last + 2))
            )
        ):
            last += 1
        spans.append(Span(*view.source(view.starts[first], view.ends[last]), "origin", "[PLACE]", "", None, False, 44))
    return spans


_COMING = regex.compile(r"(?:com|came|arriv|return)")


def _thing_comes(view: View, found: regex.Match[str]) -> bool:
    """The tiles come from Portugal: the subject is a noun with an article that is no person."""
    if not _COMING.match(found.group(), timeout=_T):
        return False
    k = bisect_left(view.starts, found.start()) - 1
    while k > 1 and view.words[k] in _AUXILIARIES and view.before(k + 1) == " ":
        k -= 1
    return k > 0 and view.before(k + 1) == " " and view.words[k - 1] in _ARTICLES and view.words[k] not in _HUMANS


_AUXILIARIES = frozenset("has have had will also all both just usually always mostly is are was were now".split())
_ARTICLES = frozenset("the this that these those our your its some most all no".split())
_HUMANS = rule_words("english")["one"] | frozenset(
    "family parents mother father mum mom dad sister brother sisters brothers wife husband partner grandparents grandmother grandfather aunt uncle cousin cousins "
    "relatives ancestors people woman man women men girl boy lady gentleman couple children kids son daughter folks friends colleagues students workers nurses".split()
)


def _peoples(view: View) -> list[Span]:
    """As in "cliente marroquí", "habla ucraniano", "eres colombiana"."""
    spans = []
    for i, word in enumerate(view.words):
        if i and view.before(i).isspace() and nation_word(word) and len(word) > 3 and not view.capital(i):
            start = view.starts[i]
            if _SAID.search(view.folded[max(0, start - 60) : start].rstrip(), timeout=_T):
                spans.append(_people(view, i, i))
    return spans


_SPEAKING = frozenset(
    "agent agents colleague colleagues adviser advisor doctor nurse interpreter staff team therapist lawyer notary gp carer tutor counsellor midwife".split()
)


_WISHING = frozenset("happy enjoy celebrate celebrating your for joyful".split())
_HINTS = frozenset("accent speaking fellow other day".split())


def _spoken_by(view: View, i: int) -> bool:
    """Our Somali-speaking nurse; your accent, is it Irish; you and other Ghanaians; happy Kenyan Independence Day."""
    if i and view.words[i - 1] == "fellow":
        return True
    if view.words[max(0, i - 3) : i] in {("you", "and", "other"), ("you", "like", "other"), ("like", "many", "other")}:
        return True
    if view.words[i + 2 : i + 3] == ("day",) and view.words[i + 1] in {"independence", "national", "republic"}:
        return not _WISHING.isdisjoint(view.words[max(0, i - 3) : i])
    near = view.words[i + 1 : i + 3]
    if near[:1] == ("speaking",) and view.after(i) in {" ", "-"}:
        return near[1:] != () and near[1] in _SPEAKING
    if i and view.words[i - 1] == "accent":
        return True
    return view.words[max(0, i - 2) : i] in {
        ("is", "it"),
        ("accent", "is"),
        ("sounds", "quite"),
        ("it", "sounds"),
    } and ("accent" in view.words[max(0, i - 12) : i])


_AFTER_AGE = regex.compile(r", (?P<people>\p{L}{4,})(?=[),;])")


def _beside_people(view: View, cues: Sequence[Span]) -> list[Span]:
    """As in "a young man from Chad", "a Chadian actress", "(52, Chadian)": beside a gendered noun or an age."""
    spans = []
    about = {s.start: s.kind for s in cues if s.kind in {"gendered", "age"}}
    ends = {s.end: s.kind for s in cues if s.kind in {"gendered", "age"}}
    if not _HINTS.isdisjoint(view.words):
        spans += [
            _people(view, i, i)
            for i, word in enumerate(view.words)
            if nation_word(word) and view.capital(i) and _spoken_by(view, i)
        ]
    for i, word in enumerate(view.words if about else ()):
        _, end = view.source(view.starts[i], view.ends[i])
        kind = ends.get(end)
        if kind == "gendered" and view.words[i + 1 : i + 2] == ("from",) and view.after(i) == " ":
            first = i + 3 if view.words[i + 2 : i + 3] == ("the",) else i + 2
            size = _form_at(view, first)
            if size and view.capital(first) and view.between(i + 1, first).strip(" the") == "":
                spans.append(replace(_people(view, first, first + size - 1), kind="origin", shown="[PLACE]"))
        if kind == "age":
            found = _AFTER_AGE.match(view.folded, view.ends[i], timeout=_T)
            if found and nation_word(found.group("people")) and view.capital(i + 1):
                spans.append(_people(view, i + 1, i + 1))
        if nation_word(word) and view.capital(i) and view.after(i) == " " and i + 1 < len(view.words):
            following = view.source(view.starts[i + 1], view.ends[i + 1])[0]
            if about.get(following) == "gendered" and not view.capital(i + 1):
                spans.append(_people(view, i, i))
    return spans


def _people(view: View, first: int, last: int) -> Span:
    return Span(*view.source(view.starts[first], view.ends[last]), "demonym", "[ORIGIN]", "", None, False, 44)


def _form_at(view: View, i: int) -> int:
    """How many words from here are one form of an origin; 0 for none."""
    rows = _rows()
    for size in (3, 2, 1):
        part = view.words[i : i + size]
        joined = all(view.between(k, k + 1) in {" ", "-", ". "} for k in range(i, i + len(part) - 1))
        if len(part) == size and joined and "_".join(part) in rows:
            return size
    return 0


def _same_origin(view: View, lang: str, told: Sequence[Span], own: Sequence[Span]) -> list[Span]:
    if not told:
        return []
    rows = _rows()
    at = view.starting_at
    origins: set[str] = set()
    for span in told:
        i = at.get(span.start)
        while i is not None and i < len(view.words) and view.source(view.starts[i], view.ends[i])[1] <= span.end:
            size = _form_at(view, i)
            origins |= rows["_".join(view.words[i : i + size])] if size else frozenset()
            i += max(size, 1)
    spans: list[Span] = []
    i = 0
    while origins and i < len(view.words):
        size = _form_at(view, i)
        if size and rows["_".join(view.words[i : i + size])] & origins and _said(view, lang, i, size):
            spans.append(_people(view, i, i + size - 1))
        i += max(size, 1)
    for span in [*own, *spans]:  # Brazilian Portuguese
        i = at.get(span.start)
        while i is not None and i < len(view.words) and view.source(view.starts[i], view.ends[i])[1] < span.end:
            i += 1
        if (
            i is not None
            and i + 1 < len(view.words)
            and view.after(i) == " "
            and view.capital(i + 1)
            and _form_at(view, i + 1)
        ):
            spans += [_people(view, i + 1, i + _form_at(view, i + 1))] if span.kind == "demonym" else []
    taken = {s.start for s in own}
    return [s for s in spans if s.start not in taken]


def _said(view: View, lang: str, i: int, size: int) -> bool:
    following = view.words[i + size] if i + size < len(view.words) and view.after(i + size - 1) == " " else ""
    before = view.words[i - 1] if i else ""
    if following in _PRODUCTS or before in _THING_BEFORE:
        return False
    if view.capital(i):
        return True
    return lang == "es" and len(view.words[i]) > 3 and view.words[i] not in _SMALL_ES


def _word_at(view: View, position: int) -> int | None:
    """The first word that starts at or after a position of the folded text."""
    at = bisect_left(view.starts, position)
    return at if at < len(view.starts) else None
