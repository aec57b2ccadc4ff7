"""Ages and dates of birth said of a person, in English and Spanish; ages of things and of price ranges stay."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

import regex

from judgekit.blinding.cues import rule_words
from judgekit.blinding.fold import Span, View, patience

__all__ = ["find_ages"]

_T = 1.0
_HINTS = {
    "en": (
        "age",
        "year",
        "yr",
        "ties",
        "teens",
        "birth",
        "born",
        "dob",
        "turn",
        " yo",
        "y/o",
        "you",
        "he's",
        " be ",
        "who",
        "0s",
        "man of ",
        "lady of ",
        "girl of ",
        "boy of ",
        "person of ",
        "ther of ",
        "f)",
        "m)",
        "(f",
        "(m",
        "/f",
        "/m",
        "f/",
        "m/",
    ),
    "es": ("ano", "edad", "naci", "nace", "cumpl", "tien"),
}
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_NUMBER = (
    rf"(?:\d{{1,3}}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:{_ONES}))?"
    rf"|eighteen|nineteen|seventeen|sixteen|fifteen|fourteen|thirteen|twelve|eleven|ten|{_ONES})"
)
_TENS = rf"(?:1[3-9]|[2-9]\d|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:{_ONES}))?)"  # no "mother of two"
# "aged 4 to 11", "65 and over": a range is a price or a rule, not a person.
_NO_RANGE = r"(?!\d| ?[-+/] ?\d|\+| ?(?:to|and|or|through|until) (?:\d|over|above|older|under|up|younger|below|more)| ?(?:&|plus\b))"
_NOT_MANY = r"(?<!\b(?:children|kids|infants|adults|people|those|anyone|everyone|persons|passengers|customers|guests|members|students|visitors|drivers|travellers|travelers|residents|pupils|players|women|men|girls|boys|youths|clients|patients|users) )"
_NO_THING = r"(?<!\b(?:firm|company|shop|store|club|brand|building|school|car|house|business|charity|museum|paper|magazine|hotel|bank|bridge|library|app|site|website|park|station|factory|hospital|theatre|theater|festival|show|series|band|team|town|city) )"
_SELF = r"(?:you(?:'re| are| were|'ll be| will be|'ve)|i(?:'m| am| was|'ll be)|s?he(?:'s| is| was|'ll be)|they(?:'re| are| were|'ll be)|will be|who (?:is|are|was))"
_PERSON = (
    r"(?:m[ao]n|wom[ae]n|lad(?:y|ies)|gentlem[ae]n|girls?|boys?|guys?|people|person|clients?|grand\w+|mothers?|fathers?|moms?|"
    r"mums?|dads?|parents?|sons?|daughters?|child(?:ren)?|kids?|wi(?:fe|dow\w*)|husbands?|guests?|users?|nurses?|\w+ess|"
    r"aunts?|uncles?|nieces?|nephews?|twins?|adults?|cousins?|friends?|partners?|fiancee?s?|brides?|grooms?|\w+(?:woman|man|person)|"
    r"teens?|pupils?|chefs?|pilots?|fans?|bab(?:y|ies)|toddlers?|infants?|colleagues?|cooks?|judges?|athletes?|artistes?|"
    r"(?!(?:print|rout|boil|comput|freez|trail|charg|scoot|dishwash|cook|cel|trail|pap|pow|mot|mat|ord|off|numb|let|lad|ladd|tow|"
    r"cov|pip|fold|serv|keep|speak|lock|show|heat|wash|dry|blend|mix|tim|sens|monit|tract|mirr|door|elevat|project|generat|"
    r"refrigerat|radiat|transf|adapt|contract|investm|apartm|agreem|docum|equipm|settlem|plant|rest|restaur|tree|mast|cont|accord|"
    r"pat|patent|establishm|monum|cem|garm|instrum|comm|content|tal|rent|tent|pres|convers|deriv|hydrant|sealant|deterg|event|port|pion)"
    r"(?:er|or|ant|ent)s?\b)\w{2,}(?:er|or|ist|ian|ant|ent|ee)s?)"
)
_UNITS = (
    r"(?!\d|[.:,]\d|%| ?(?:%|percent|minutes?|hours?|days?|weeks?|months?|points?|miles?|km|steps?|th\b|st\b|nd\b|rd\b|"
    r"in line|away|of\b|short|over|under|behind|ahead|[a-z]*items?|units?|gb|mb|kg|lbs?|dollars|degrees|pounds|euros|people|pages?|"
    r"off\b|seconds?|orders?|lessons?|times|years? (?!old|of age|young)|others?|more|left))"
)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*"
_ENGLISH = (
    rf"\b(?P<age>{_NUMBER})[- ]years?[- ]old(?:[- ,]+(?:\w+[- ]){{0,2}}{_PERSON}\b|s\b)",
    rf"\b(?:the|a|an) (?P<age>{_NUMBER})[- ]years?[- ]old(?= +(?:who|from|with a|said|says|told|was|has|lives|called|asked)\b)",
    rf"\b(?:my|your|his|her|our|their) (?P<age>{_NUMBER})[- ]years?[- ]old(?= *(?:[.,;!?)\n]|$|who\b|with\b|and\b|from\b|is\b|to\b|can\b|will\b|needs?\b|wants?\b|loves?\b|likes?\b|has\b|goes\b|was\b|had\b|does\b|just\b|uses\b|in\b|at\b))",
    rf"\b(?:customer|client|patient|guest|tenant|student|caller|passenger|daughter|son|wife|husband|mother|father|sister|brother|child|nephew|niece|grandson|granddaughter|partner|\x00|who) (?:is|was|turned|turns|,) (?:only |now |just )?(?P<age>{_NUMBER})(?= years? old|[.,;!?]|$| and )(?![.,:]\d)",
    rf"\b(?:customer|client|patient|guest|tenant|student|caller|passenger|person|resident|applicant|candidate|claimant|employee|member), (?:aged? )?(?P<age>{_NUMBER})(?:,| (?:years?|yrs?))",
    r"\bat (?P<age>1[3-9]|[2-9]\d),? (?:you(?:'re| are| may| can| might| could| have| qualify| get| still)?|s?he|i)\b",
    rf"\b(?P<age>{_NUMBER}) years? (?:young|of age)\b(?! (?:and|or) )",
    r"\b(?P<age>\d{1,3}) ?(?:yo|y/o|y\.o\.|yrs? old)\b",
    rf"\b{_SELF}\s+(?:only |now |just |already |about |over |nearly |almost |currently |still )*(?P<age>{_NUMBER})\b{_UNITS}",
    rf"\b{_SELF}(?:\s+[\p{{L}}\p{{M}}'-]+){{1,4}},? and (?:also |now )?(?P<age>\d{{2}})(?=[.,;!?](?!\d)|$| so\b| years? old)",
    rf"{_NOT_MANY}{_NO_THING}\b(?:aged|turn(?:ed|ing|s)?|my age(?: is)?|your age(?: is)?|(?:his|her|their) age(?: is)?|age ?[:=]|age of|reach(?:es|ed)? (?:the age of )?(?=\d\d\b))\s*(?<=[\s:=])(?:only |now |just |about |over |nearly |almost )?(?P<age>{_NUMBER})\b{_UNITS}{_NO_RANGE}",
    rf", age (?P<age>{_NUMBER})(?=[,.;)]|$)",
    r"\((?P<age>\d{2}) ?[/,]? ?[mf]\)|\([mf] ?[/,]? ?(?P<age>\d{2})\)|\b[mf]/(?P<age>\d{2})\b(?!/)|(?<!/)\b(?P<age>\d{2})/[mf]\b",
    rf"\b(?:m[ao]n|wom[ae]n|lad(?:y|ies)|gentlem[ae]n|girls?|boys?|guys?|lass|mother|father|widow(?:er)?|person|nurse|teacher|student|bachelor) of (?:about |around |nearly |over )?(?P<age>{_TENS})(?=[,.;:)!?]|$| who | with | and | from | living | in )(?![.,:]\d)",
    r"\b(?:in|into|entering|past|approaching)\s+(?:your|my|his|her|their|the)\s+(?:very )?(?:early |mid[- ]?|late |mid to late )?(?P<age>teens|twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties|(?:1[3-9]|[2-9]0)'?s)\b(?! (?:movies|music|song|film|hit|style|playlist|decade|build))",
    rf"\b(?P<age>\d{{1,3}}(?:st|nd|rd|th)|{_NUMBER}(?:th|ieth)|(?:twent|thirt|fort|fift|sixt|sevent|eight|ninet)ieth) birthday\b",
    rf"\bborn (?:(?:in|on) )?(?P<age>(?:\w+ )?(?:\d{{1,2}}(?:st|nd|rd|th)?,? )?(?:of )?(?:{_MONTH} )?(?:\d{{1,2}}, )?(?:19|20)\d{{2}})\b",
    r"\bborn\b[^.;\n\d]{1,40}?\bin (?P<age>(?:19|20)\d{2})\b",
    r"\b(?:date of birth|dob|birth ?date|birthday|year of birth|birth year|d\.o\.b\.?)\s*(?:is|:|=|-)?\s*(?P<age>\d{1,4}[-/. ]\d{1,2}[-/. ]\d{1,4}|\d{1,2}(?:st|nd|rd|th)? \w+,? \d{4}|\w+ \d{1,2},? \d{4}|(?:19|20)\d{2})",
    rf"\b(?:at|since|from|by) (?:the )?age (?:of )?(?P<age>{_NUMBER})\b{_NO_RANGE}",
)
_DECENAS = r"(?:veint|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa)\w*(?: y \w+)?"
_NUMERO = rf"(?:\d{{1,3}}|{_DECENAS}|dieci\w+|once|doce|trece|catorce|quince|(?:dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez)(?= anos))"
_MES = r"(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)"
_SPANISH = (
    rf"\b(?P<verb>tiene|tienes|tengo|tenia|tenias|tener|teniendo|cumple|cumples|cumplio|cumplir|cumplira|cumpliras|cumpliste|cumplido|cumpliendo|a sus|a tus|a mis|a los|edad de|edad[: ]+|(?<!es )de unos)\s+(?:ya |solo |casi |unos |apenas )?(?P<age>{_NUMERO})(?:\s+anos\b(?!\s+de\s+(?:antiguedad|garantia|experiencia|contrato|uso|vida|permanencia|validez|servicio|plazo|historia))|(?=\s*[.,;)]))",
    rf"\bcumpl\w+\s+(?:los )?(?P<age>{_NUMERO})(?=\s+(?:en|el|este|hoy|manana|y|ayer|pronto)\b)",
    rf"\b(?:mujer|hombre|chic[oa]|nin[oa]|senora?|hij[oa]|abuel[oa]|niet[oa]|herman[oa]|persona|joven|sobrin[oa]|prim[oa]|ti[oa]|bebe|madre|padre|viud[oa]|jubilad[oa])\s+de\s+(?P<age>{_NUMERO})\s+anos\b",
    rf"\b(?:client[ea]|paciente|estudiante|residente|pasajer[oa]|viajer[oa]|titular|usuari[oa]|alumn[oa]|conductora?|trabajadora?|emplead[oa]|profesora?|enfermer[oa])(?:\s+\p{{L}}+)?\s+de\s+(?P<age>{_NUMERO})\s+anos\b",
    rf"\b(?P<age>{_NUMERO})\s+anos\s+de\s+edad\b",
    rf"\b(?:con|a) (?:sus |tus |mis |los )?(?:ya )?(?P<age>{_NUMERO})\s+anos(?=,| (?:ya |se |te |le |me |no )?(?:puede|puedes|tiene|tienes|podra|podras|corresponde)\b| cumplidos\b)",
    r"\bnac(?:id[oaex]|io|i|iste|e)\b[^.;\n]{0,40}?\b(?:en|de)\s+(?P<age>(?:19|20)\d{2})\b",
    rf"\bnac(?:id[oaex]|io|i|iste)\s+el\s+(?P<age>\d{{1,2}} de {_MES}(?: de \d{{4}})?|\d{{1,2}}[-/.]\d{{1,2}}[-/.]\d{{2,4}})",
    r"\b(?:fecha de nacimiento|ano de nacimiento|f\. ?nac\.?)\s*(?:es|:)?\s*(?P<age>\d{1,4}[-/. ]\d{1,2}[-/. ]\d{1,4}|\d{1,2} de \w+ de \d{4}|(?:19|20)\d{2})",
)
# \x00 stands for each letter of a person's name.
_WHO = r"(?:\x00+|\b(?:s?he|you|i|who))"
_ENGLISH_NAMED = (
    rf"{_WHO}(?:'s| is| was| will be|'ll be| are| were|'re|'m| am)?(?: (?:only|now|just|already|nearly|almost|about|over|under|past|pushing|nearing|approaching|barely|still|turning|well))+ (?P<age>{_NUMBER})\b{_UNITS}{_NO_RANGE}",
    rf"\x00+(?:'s| is| was| will be|'ll be) (?P<age>{_NUMBER})(?=[.,;!?)\n]|$| and | so | but | now\b| today\b| tomorrow\b| next\b| this\b| going on\b| when\b| in (?:{_MONTH}|spring|summer|autumn|fall|winter))(?![.,:]\d)",
    rf"{_WHO} (?:(?:has|have|had|will|'ll|just|recently|finally) )*(?:hits?|reach(?:es|ed)?|turn(?:s|ed)?|pass(?:es|ed)?|nears?|approaches) (?:the (?:big|ripe old) )?(?P<age>{_TENS})\b(?=[.,;!?)\n]|$| and | so | but | last| next| this| today| tomorrow| yesterday| in | on )(?![.,:]\d)",
    rf"{_WHO}(?: (?!at\b)[\w']+){{0,3}} (?:retir\w+|school|university|college|marri\w+|married|widow\w*|orphan\w*|graduat\w+|moved out|left home)(?: (?!at\b)\w+){{0,2}} (?:at|aged?) (?P<age>{_NUMBER})(?=[.,;!?)\n]|$| and | but | or )(?![.,:]\d)",
    rf"(?:^|(?<=[.!?\n] ))at (?:just |only )?(?P<age>{_TENS}),? (?:\x00|(?:you|s?he|i)\b)",
    rf"\bbeing (?:only |just |over |under )?(?P<age>{_TENS}), (?:\x00|you|s?he|i\b)",
    rf"\x00's age (?:is|was) (?P<age>{_NUMBER})|\x00 \((?:age[d:]? ?)(?P<age>{_NUMBER})\)",
    rf"\b(?:you are|you're|s?he is|s?he's|\x00+(?:'s| is)) (?:now |well )?(?:past|over|under|above|below|beyond) (?P<age>{_TENS})\b(?=[.,;!?)\n]|$| and | so | but )",
    r"\b(?:child|kid|baby|product|girl|boy|daughter|son) of the (?P<age>(?:19)?[2-9]0'?s|(?:twent|thirt|fort|fift|sixt|sevent|eight|ninet)ies)\b",
    r"\bthe big (?P<age>[2-9](?:-| )?[0o])\b",
    r"\bborn in (?P<age>'\d\d|the (?:early |mid[- ]?|late )?(?:19)?[2-9]0'?s|the (?:early |mid[- ]?|late )?(?:fort|fift|sixt|sevent|eight|ninet)ies)(?!\w)",
)
_QUIEN = r"(?:\x00+|\b(?:usted|ella|yo))"
_SPANISH_NAMED = (
    rf"(?:{_QUIEN}(?: ya| casi| apenas)?|\b(?:si|ya|que|pero|y)) (?:rond|roz|pas|super|frisa)(?:a|as|aba|abas)(?: ya)?(?: de)? (?:los )?(?P<age>{_NUMERO})(?: anos\b|(?=[.,;!?)\n]|$| y | pero ))(?! de\b)",
    rf"\b(?P<age>{_NUMERO}) anos recien cumplidos\b",
    rf"\bnac(?:id[oaex]|io|iste|i) en (?:el|los)(?: anos)? (?P<age>\d\d|{_DECENAS})\b",
    rf"\bcumpl\w+ (?:ya )?(?:los |sus )?(?P<age>{_DECENAS}|dieci\w+|once|doce|trece|catorce|quince|\d\d)(?=[.,;!?)\n]|$| anos\b| en | el | este | hoy | ayer | manana | y | pronto )",
    r"\b(?:cumpleanos (?:numero |n\S? ?)|su |tu |mi )(?P<age>\d{1,3})(?:\W{0,2}[oº]?)?(?= cumpleanos|[.,;!?)\n]|$)(?<=cumpleanos numero \d\d|\d)(?= cumpleanos|[.,;!?)\n]|$)",
    rf"(?:{_QUIEN} (?:ya |no )?tiene|\btienes|\btengo|\btiene usted) (?:mas|menos) de (?P<age>{_NUMERO}) anos\b(?! de\b)",
    rf"{_QUIEN} (?:ya )?(?:hizo|hace|hara) (?P<age>{_NUMERO}) anos\b(?! que\b| de\b)",
    rf"\x00[^.;\n]{{0,60}}\ba los (?P<age>{_NUMERO})(?: anos\b(?! de\b(?! edad))|(?=[.,;!?)\n]|$))",
    rf"\ba los (?P<age>{_NUMERO}) anos (?:ya )?(?:se )?(?:puede|puedes|podra|podras|tiene|tienes|debe|debes)\b",
)
_AFTER_PERSON = {
    "en": regex.compile(
        rf"(?:(?:, | is | was |, who is )(?:aged? |now |only |just )?| \(| aged )(?P<age>{_NUMBER})(?:(?= ?[,)])| (?:years?|yrs?)[- ]old\b)"
    ),
    "es": regex.compile(rf"(?:(?:, | tiene )(?:de )?| de | \()(?P<age>{_NUMERO})(?:(?=[,)])| anos\b(?! de (?!edad)))"),
}


# Many texts hold a number and few an age, so that most patterns need not run. A pattern with the fragment on the left
# needs one of the texts of a tuple anywhere, or one of the words or marks of a set right before a number.
_NEEDS: Mapping[str, tuple[str, ...] | frozenset[str]] = {
    "years?[- ]old(?": ("year",),
    "years? (?:young": ("year",),
    "(?:is|was|turned|turns|,) (?:only |now |just )?": frozenset("is was turned turns , only now just".split()),
    "), (?:aged? )?": frozenset((",", "age", "aged")),
    r"\bat (?P<age>": frozenset(("at",)),
    "currently |still )*": frozenset(
        "re are were be ve m am was s is only now just already about over nearly almost currently still".split()
    ),
    "and (?:also |now )?": frozenset(("and", "also", "now")),
    "reach(?:es|ed)? (?:the age of )?(?=": frozenset(
        "aged turn turned turning turns age is of reach reaches reached only now just about over nearly almost".split()
    ),
    ", age (?P<age>": (", age ",),
    r"\((?P<age>": ("(", "/"),
    "|bachelor) of (?": frozenset(("of", "about", "around", "nearly", "over")),
    ") birthday": (" birthday",),
    r"\bborn": ("born",),
    "date of birth|dob": ("birth", "dob", "d.o.b"),
    "(?:the )?age (?:of )?": (" age ",),
    "pushing|nearing": frozenset(
        "only now just already nearly almost about over under past pushing nearing approaching barely still turning well".split()
    ),
    r"\x00+(?:'s| is| was| will be|'ll be) (?P<age>": frozenset(("s", "is", "was", "be")),
    "(?:the (?:big|ripe old) )?(?P<age>": frozenset(
        "hit hits reach reaches reached turn turns turned pass passes passed near nears approaches big old".split()
    ),
    "graduat": frozenset(("at", "age", "aged")),
    "at (?:just |only )?(?P<age>": frozenset(("at", "just", "only")),
    r"\bbeing ": ("being ",),
    "'s age (?:is": ("age",),
    "under|above|below": frozenset("past over under above below beyond".split()),
    " of the (?P<age>": (" of the ",),
    r"\bthe big ": ("the big ",),
}
_STARTS = frozenset("one two thr fou fiv six sev eig nin ten ele twe fif".split())
_LONG_STARTS = frozenset(("thir", "fort"))  # "thi" and "for" begin too many other words
_Pattern: TypeAlias = tuple[tuple[str, ...] | frozenset[str], "regex.Pattern[str]"]


@lru_cache(maxsize=2)
def _patterns(lang: str) -> tuple[_Pattern, ...]:
    return _with_needs(_SPANISH if lang == "es" else _ENGLISH, lang)


@lru_cache(maxsize=2)
def _named_patterns(lang: str) -> tuple[_Pattern, ...]:
    return _with_needs(_SPANISH_NAMED if lang == "es" else _ENGLISH_NAMED, lang)


def _with_needs(patterns: Sequence[str], lang: str) -> tuple[_Pattern, ...]:
    """Patterns with what they need; an empty text, which every text has, where the table says nothing."""
    needs = {} if lang == "es" else _NEEDS
    return tuple((next((n for part, n in needs.items() if part in p), ("",)), regex.compile(p)) for p in patterns)


def _before_numbers(view: View) -> frozenset[str] | None:
    """The words and marks right before the numbers of a plain text; None where words cannot tell."""
    if not view.plain:
        return None
    words, found = view.words, set()
    for k, word in enumerate(words):
        if word[:3] in _STARTS or word[0].isdigit() or word[:4] in _LONG_STARTS:
            found.add(view.before(k).strip())
            found.add(words[k - 1] if k else "")
    return frozenset(found)


def _runnable(patterns: Sequence[_Pattern], text: str, before: frozenset[str] | None) -> list[regex.Pattern[str]]:
    """The patterns that a text has what they need for."""
    return [
        pattern
        for needs, pattern in patterns
        if (
            any(part in text for part in needs)
            if isinstance(needs, tuple)
            else before is None or not needs.isdisjoint(before)
        )
    ]


_NUMBERED = {
    "en": regex.compile(
        r"\d\d|the big|\b(?:(?:twent|thirt|fort|fift|sixt|sevent|eight|ninet)(?:y|ies)|(?:thir|four|fif|six|seven|eigh|nine)teen|"
        r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)"
    ),
    "es": regex.compile(
        r"\banos\b|\ba los\b|\bcumpl|\bnac\w+ en (?:el|los)\b|\b(?:rond|roz|pas|super|frisa)\w+ (?:de )?los\b"
    ),
}


def _said_of_names(view: View, lang: str, people: Sequence[Span], before: frozenset[str] | None) -> list[Span]:
    """Ages that only a name before or behind them tells from another number: at 67, Ana may still join."""
    patterns = _runnable(_named_patterns(lang), view.folded, before)
    if not patterns or not _NUMBERED[lang].search(view.folded, timeout=_T):
        return []
    names = {at for s in people if s.kind == "name" for at in range(s.start, s.end)}
    letters = list(view.folded)
    for k in range(len(view.words)) if names else ():
        if view.source(view.starts[k], view.ends[k])[0] in names:
            letters[view.starts[k] : view.ends[k]] = "\x00" * (view.ends[k] - view.starts[k])
    text = "".join(letters)
    text = regex.sub(r"(?<=\x00)[ -](?=\x00)", "\x00", text, timeout=patience(text))
    return [
        _age(view, *found.span("age"))
        for pattern in patterns
        for found in pattern.finditer(text, timeout=patience(text))
        if lang != "es" or not _of_a_thing_before(view, found.start(), found.group())
    ]


def _of_a_thing_before(view: View, at: int, matched: str) -> bool:
    """Whether "cumple 50" has a noun with an article before it that is no person."""
    if not matched.startswith("cumpl"):
        return False
    k = bisect_left(view.starts, at)
    return k > 1 and view.words[k - 2] in _THINGS and not _human(view.words[k - 1]) and view.before(k) == " "


def find_ages(view: View, lang: str, people: Sequence[Span]) -> list[Span]:
    """Find ages, decades of life and dates of birth.

    Parameters
    ----------
    view : View
        The folded text.
    lang : {'en', 'es'}
        The text's language.
    people : sequence of Span
        Names and nouns of people: what stands right behind one in apposition is that person's age.

    Returns
    -------
    list of Span

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> def ages(text, lang="en"):
    ...     return [text[s.start : s.end] for s in find_ages(fold(text), lang, [])]
    >>> ages("She's 38. Our boiler is 12 years old; children aged 4 to 11 pay half.")
    ['38']
    >>> ages("Usted cumple 60 años; el edificio tiene 40 años.", "es")
    ['60']
    """
    text = view.folded
    spans: list[Span] = []
    before = _before_numbers(view)
    if any(hint in text for hint in _HINTS["es" if lang == "es" else "en"]):
        for pattern in _runnable(_patterns(lang), text, before):
            spans += [
                _age(view, *found.span("age"))
                for found in pattern.finditer(text, timeout=patience(text))
                if not (_of_a_thing(view, found) if lang == "es" else _thing_turns(view, found))
            ]
    ends = {s.end for s in people if s.kind in {"name", "gendered"}}
    if ends and view.has_digit:
        for i in sorted(view.ending_at[end] for end in ends if end in view.ending_at):
            near = _AFTER_PERSON["es" if lang == "es" else "en"].match(text, view.ends[i], timeout=_T)
            if near:
                spans.append(_age(view, *near.span("age")))
    spans += _said_of_names(view, "es" if lang == "es" else "en", people, before)
    return list(dict.fromkeys([*spans, *_repeated(view, spans)]))


def _repeated(view: View, spans: Sequence[Span]) -> list[Span]:
    """At 52, after "aged 52": the number alone, where a sentence says what holds at that age."""
    stated = {view.text[s.start : s.end] for s in spans}
    numbers = sorted(n for n in stated if len(n) == 2 and n.isascii() and n.isdigit())
    return [
        _age(view, *found.span("age"))
        for n in numbers
        for found in regex.finditer(
            rf"\b(?:at|by|with|before|since) (?P<age>{n})(?=[,;])(?!,\d)", view.folded, timeout=_T
        )
    ]


def _age(view: View, start: int, end: int) -> Span:
    return Span(*view.source(start, end), "age", "[AGE]", "", None, False, 46)


_TURNS = regex.compile(r"turn(?:s|ed|ing)?\s")
_ADDED = frozenset("has had just recently will soon only".split())


def _thing_turns(view: View, found: regex.Match[str]) -> bool:
    """The shop turned 10; free until you turn 5: a thing's age, or a rule that holds for everybody."""
    if not _TURNS.match(found.group(), timeout=_T):
        return False
    k = bisect_left(view.starts, found.start()) - 1
    while k > 0 and view.words[k] in _ADDED:
        k -= 1
    if k < 1 or view.before(k + 1).strip():
        return False
    if view.words[k - 1] == "until":
        return True
    return view.words[k - 1] in _OWNERS and view.words[k] in _AGEING


_OWNERS = frozenset("the this that your our my its".split())
_AGEING = rule_words("english")["ageing_things"]
_THINGS = rule_words("spanish")["determiners"]


def _of_a_thing(view: View, found: regex.Match[str]) -> bool:
    """As in "el edificio tiene 40 años": the subject is a noun with an article that is no person."""
    if not found.groupdict().get("verb") or not found.group("verb").startswith(("tiene", "tenia", "cumpl")):
        return False
    at = bisect_left(view.starts, found.start())
    before = view.words[max(0, at - 3) : at]
    if len(before) < 2 or view.folded[: found.start()].rstrip()[-1:] in {".", ",", ";", ":", "!", "?"}:
        return False
    if before[-1] in {"ya", "solo", "no", "que", "usted", "casi"}:
        return False
    return (before[-2] in _THINGS and not _human(before[-1])) or (
        len(before) == 3 and before[-3] in _THINGS and not _human(before[-2]) and not _human(before[-1])
    )


def _human(word: str) -> bool:
    return word in _HUMAN or (
        word.endswith(("dor", "dora", "tor", "tora", "ista", "ante", "ente", "enta"))
        and word not in {"aspiradora", "lavadora", "ordenador", "motor", "computadora", "impresora", "restaurante"}
    )


_HUMAN = rule_words("spanish")["humans"]
