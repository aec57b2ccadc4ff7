"""Who a Spanish clause speaks of: the subject of a verb without a parser, over clauses that leave it out.

Spanish drops its subjects ("Fue tratada y está estabilizada"). A verb without one continues the subject of the clause
before it: a bare name or person noun (a person as an object carries "a"), or the noun phrase that opens the clause. A
name alone between commas is an address and no subject.
"""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import Literal

from judgekit.blinding.cues import rule_words
from judgekit.blinding.fold import View
from judgekit.blinding.spanish_words import belongs, gap_before, noun_gender, raw_word, stressed_verb

__all__ = ["Clauses", "Subject", "copula_forms"]

Subject = Literal["person", "address", "thing"]
_WORDS = rule_words("spanish")
_PREPOSITIONS = frozenset(
    "a ante bajo con contra de desde durante en entre hacia hasta para por segun sin sobre tras al del".split()
)
_JOINING = frozenset("y e o u ni pero aunque porque si cuando mientras pues sino que quien como donde asi cual".split())
_FEMININE = frozenset("la una esta esa aquella nuestra vuestra otra cada alguna ninguna toda las unas".split())
_MASCULINE = frozenset("el un este ese aquel nuestro vuestro otro al del algun ningun todo los unos".split())
_EITHER = frozenset("su tu mi sus tus mis".split())
_NO_HEADS = frozenset("de ya puesto dado para sin hasta desde antes despues asi siempre mas verdad".split())
_BODY = frozenset(
    "pierna mano cabeza espalda rodilla cara piel herida tension fiebre muneca cadera brazo pie ojo cuello hombro tobillo codo pulso".split()
)
_PERSONAL = frozenset("usted ella tu yo elle nosotras nosotros".split())
_NEUTER = frozenset("esto eso aquello todo nada algo".split())
_TIMES = frozenset(
    "lunes martes miercoles jueves viernes sabado domingo dia ano mes mismo semana tarde noche manana pasado ultimo vez hora anos "
    "proximo proxima primer primero una dos tres cuatro cinco seis siete ocho nueve diez once doce media medianoche mediodia".split()
)  # fmt: skip
_ORDINALS = frozenset("proximo proxima primer primera ultimo ultima mismo misma pasado".split())
_VAGUE = frozenset("en que de a al y del por para con momento instante mes".split())
_GREETING = frozenset(
    "hola gracias muchas buenos buenas dias tardes noches querida querido estimada estimado si no claro bueno mira oye vale enhorabuena "
    "felicidades animo adios perdona perdone disculpa disculpe senora senor sra sr dona don dra dr y tranquila tranquilo bienvenida bienvenido "
    "felicitaciones por favor saludos siento atentamente".split()
)  # fmt: skip
_STOPS = frozenset(".!?\n")
_BREAKS = frozenset('.,;:!?()\n«»¿¡"')
_HUMANS = _WORDS["humans"] | frozenset(
    "familiar personal paciente estudiante residente testigo agente guia representante solicitante profesional ayudante acompanante equipo".split()
)


class Clauses:
    """The clauses of one Spanish text.

    Parameters
    ----------
    view : View
        The folded text.
    starts : set of int
        Positions in the original that belong to names.
    heads : set of int
        Words that are masked person nouns or titles.

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> view = fold("Ana ingresó ayer. Fue tratada. La puerta cerró; está rota.")
    >>> text = Clauses(view, {0, 1, 2}, frozenset())
    >>> [(view.words[k], text.subject(k)) for k in (3, 8)]
    [('fue', 'person'), ('esta', 'thing')]
    """

    def __init__(self, view: View, starts: AbstractSet[int], heads: AbstractSet[int]) -> None:
        self.view = view
        self._starts = starts
        self._heads = heads
        self._things: dict[int, str] = {}
        self._subjects: dict[int, Subject | None] = {}

    @cached_property
    def people(self) -> tuple[bool, ...]:
        """For each word, whether it names or means a person."""
        view = self.view
        return tuple(
            k in self._heads
            or view.source(view.starts[k], view.ends[k])[0] in self._starts
            or word in {"usted", "ella", "elle"}
            or (word == "el" and raw_word(view, k).lower() == "él")
            for k, word in enumerate(view.words)
        )

    @cached_property
    def _opens(self) -> tuple[bool, ...]:
        """For each word, whether a clause begins with it."""
        view = self.view
        return tuple(
            k == 0 or not _BREAKS.isdisjoint(gap_before(view, k)) or " - " in view.before(k) or word in _JOINING
            for k, word in enumerate(view.words)
        )

    def _clause(self, k: int) -> tuple[int, int]:
        """The first word of the clause of word ``k``, and the word after its last."""
        first, last = k, k + 1
        while not self._opens[first]:
            first -= 1
        while last < len(self._opens) and not self._opens[last]:
            last += 1
        return first, last

    def thing_at(self, k: int) -> str:
        """The gender (f, m, n) of the thing that a noun phrase beginning at word ``k`` names; empty for none."""
        if k not in self._things:
            self._things[k] = self._thing_at(k)
        return self._things[k]

    def _thing_at(self, k: int) -> str:
        view = self.view
        word = view.words[k]
        if word not in _FEMININE and word not in _MASCULINE and word not in _EITHER:
            return ""
        if k + 1 >= len(view.words) or view.after(k) != " " or self.people[k]:
            return ""
        if word in {"este", "esta"} and "é" in raw_word(view, k).lower() + raw_word(view, k).lower().replace("á", "é"):
            return ""  # está, esté: verbs
        near = self.people[k + 1 : k + 3]
        if view.words[k + 1] in _HUMANS or view.words[k + 1].endswith(("ista", "istas")):
            return ""
        ordinal = (
            view.words[k + 1] in _ORDINALS and k + 2 < len(view.words) and view.after(k + 1) == " "
        )  # la próxima cita, no la próxima semana
        if any(near) or view.words[k + 1].isdigit():
            return ""
        if view.words[k + 1] in _TIMES and (not ordinal or view.words[k + 2] in _TIMES | _HUMANS | _VAGUE):
            return ""
        if word in {"la", "los", "las"} and (_inflected_verb(view, k + 1) or view.words[k + 1] in _HELPING):
            return ""  # la mantendremos informada
        if word in {"la", "lo", "los", "las"} and (k and view.words[k - 1] in {"se", "me", "te", "nos", "no", "os"}):
            return ""
        noun = view.words[k + 1]
        if word in _EITHER:
            return noun_gender(noun)
        return "f" if word in _FEMININE else "m"

    def subject(self, k: int) -> Subject | None:
        """What the verb at word ``k`` is said of.

        Parameters
        ----------
        k : int
            The verb's word.

        Returns
        -------
        {'person', 'address', 'thing'} or None
            ``address``: nobody but the person addressed by name is there; None when nothing tells.
        """
        if k not in self._subjects:
            self._subjects[k] = self._subject(k)
        return self._subjects[k]

    def _subject(self, k: int) -> Subject | None:
        first, _ = self._clause(k)
        return self._within(first, k) or self._related(first) or self.topic(first)

    def moved_object(self, first: int) -> int:
        """The pronoun that takes up the noun phrase opening a clause, its subject behind: la queja la presentó Ana."""
        view = self.view
        for k in range(first + 2, min(first + 7, len(view.words) - 2)):
            if view.between(k - 1, k) != " ":
                return 0
            if view.words[k] not in {"la", "lo", "las", "los"} or (k > first + 2 and self.thing_at(k)):
                continue
            if not self._agrees(first, "f" if view.words[k].startswith("la") else "m", view.words[k].endswith("s")):
                return 0
            after = k + 2 + (view.words[k + 1] in _HELPING)
            if view.words[after - 1].endswith("mos"):
                return k  # la maleta la llevamos
            who = after + bool({*view.words[after : after + 1]} & (_FEMININE | _MASCULINE))
            behind = who < len(view.words) and view.between(after - 1, after) == " "
            known = behind and (self.people[who] or (self.thing_at(after) and view.words[after] not in {"al", "del"}))
            return k if known else 0
        return 0

    def _related(self, first: int) -> Subject | None:
        """What a relative clause that begins at word ``first`` belongs to; None for another clause."""
        view = self.view
        if (
            view.words[first] not in {"que", "quien", "cual"}
            or not first
            or view.before(first).strip() not in {"", ","}
            or view.words[first - 1] in _NO_HEADS
        ):
            return None
        if self.people[first - 1]:
            return "thing" if belongs(view, first - 1, self._starts) else "person"
        begin = max(0, first - 4)
        phrase = any(self.thing_at(j) for j in range(begin, first - 1) if not any(self._opens[j + 1 : first]))
        return "thing" if phrase and view.words[first] != "quien" else None

    def _within(self, first: int, k: int) -> Subject | None:
        """The subject that stands before a verb inside its own clause."""
        view = self.view
        j = k - 1
        found: Subject | None = None
        while j >= first:
            word = view.words[j]
            led = view.words[j - 1] if j else ""
            if self.people[j] or (word in _PERSONAL and word != "tu"):
                begin = j
                while begin > first and (self.people[begin - 1] or view.words[begin - 1] in {"la", "el", "una", "un"}):
                    begin -= 1
                led = view.words[begin - 1] if begin > first else ""
                if belongs(view, j, self._starts):
                    return "thing"
                if led not in _PREPOSITIONS or led == "a":
                    return "person"
                j = begin - 1
                continue
            if word == "tu" and raw_word(view, j).lower() == "tú":
                return "person"
            if word in _NEUTER:
                return "thing"
            if self.thing_at(j) and (j == first or led not in _PREPOSITIONS) and word not in {"al", "del"}:
                found = "thing"
                break
            j -= 1
        return found

    def stated(self, k: int) -> Subject | None:
        """The subject that stands before a verb in its own clause, or the noun a relative clause belongs to."""
        first, _ = self._clause(k)
        return self._within(first, k) or self._related(first)

    def topic(self, before: int) -> Subject | None:
        """The subject that the clauses before a word leave for one without its own."""
        weak: Subject | None = None
        at, steps = before, 0
        while at > 0 and steps < 8:
            first, last = self._clause(at - 1)
            kind = self._of_clause(first, min(last, before))
            if kind in {"person", "thing"}:
                return kind
            weak = weak or kind
            at, steps = first, steps + 1
        return weak

    def _of_clause(self, first: int, last: int) -> Subject | None:
        view = self.view
        people = [j for j in range(first, last) if self.people[j]]
        content = [j for j in range(first, last) if not self.people[j] and view.words[j] not in _GREETING]
        if people and not content:
            joined = first > 0 and view.words[first] in _JOINING
            return None if joined else "address"
        opening = next(
            (j for j in range(first, last) if view.words[j] not in _JOINING and view.words[j] not in _OPENERS), first
        )
        if self.thing_at(opening) and view.words[opening] not in {"al", "del"}:
            return "person" if people and self.moved_object(opening) else "thing"
        for j in people:
            begin = j
            while begin > first and (
                self.people[begin - 1] or view.words[begin - 1] in {"la", "el", "una", "un", "mi", "su", "tu"}
            ):
                begin -= 1
            led = view.words[begin - 1] if begin > first else ""
            if led not in _PREPOSITIONS or (led == "a" and begin - 1 == first):
                return "person"
            if led == "a" and not any(self.thing_at(k) for k in range(first, last)):
                return "person"  # conozco a Ana: es seria
            if led in {"a", "de"}:
                return "address"
        return None

    def antecedent(self, i: int, *, feminine: bool) -> bool:
        """Whether a third-person pronoun at word ``i`` can only stand for the person spoken of.

        A noun phrase of the pronoun's gender nearer than the person takes the pronoun; a person who is merely
        addressed gives way to one anywhere before.

        Parameters
        ----------
        i : int
            The pronoun's word.
        feminine : bool
            Whether it is "la" rather than "lo".

        Returns
        -------
        bool
        """
        view = self.view
        wanted, plural = "f" if feminine else "m", view.words[i].endswith("s")
        addressed = False
        own = self._subject_beside(i)
        for j in range(own - 1, max(-1, i - 41), -1):
            if self.people[j]:
                if view.words[j] == "usted":
                    return True
                if belongs(view, j, self._starts):
                    continue
                first, last = self._clause(j)
                if self._of_clause(first, last) == "address":
                    addressed = True
                    continue
                return True
            if self._agrees(j, wanted, plural) and view.words[j + 1] not in _BODY:
                return self._aside(j) and self._acts_before(j)
        return addressed or any(
            self.people[j] and not belongs(view, j, self._starts) for j in range(i, min(len(view.words), i + 8))
        )

    def _agrees(self, j: int, gender: str, plural: bool) -> bool:
        """Whether a noun phrase at word ``j`` has a pronoun's gender and number."""
        return self.thing_at(j) == gender and self.view.words[j].endswith("s") == plural

    def _aside(self, j: int) -> bool:
        """Whether a noun phrase at word ``j`` only says where or with what: salió de la oficina."""
        led = self.view.words[j - 1] if j and self.view.before(j) == " " else ""
        return led in {"de", "en", "con", "por", "desde", "hasta", "sin"} or self.view.words[j] in {"al", "del"}

    def _acts_before(self, j: int) -> bool:
        """Whether a person is the subject of the sentence before word ``j``, and no thing stands between but asides."""
        view = self.view
        for k in range(j - 1, max(-1, j - 20), -1):
            if any(c in _STOPS for c in view.after(k)):
                return False
            if self.people[k]:
                first, last = self._clause(k)
                return self._of_clause(first, last) == "person" and not belongs(view, k, self._starts)
            if self.thing_at(k) and not self._aside(k):
                return False
        return False

    def rival(self, i: int, *, feminine: bool) -> bool:
        """Whether a thing of the pronoun's gender stands nearer before it than any person, in the same sentence.

        Parameters
        ----------
        i : int
            The pronoun's word.
        feminine : bool
            Whether it is "la" rather than "lo".

        Returns
        -------
        bool
        """
        for j in range(self._subject_beside(i) - 1, max(-1, i - 13), -1):
            if self.people[j] or any(c in _STOPS for c in self.view.before(j + 1)):
                return False
            if self._agrees(j, "f" if feminine else "m", self.view.words[i].endswith("s")):
                return j + 2 < i or self._opens[i]
        return False

    def _subject_beside(self, i: int) -> int:
        """Where the noun phrase right before a pronoun begins: a subject, never what its object stands for."""
        if self.view.words[i] not in {"la", "lo", "las", "los"}:
            return i  # el formulario, mándelo
        for j in (i - 2, i - 3):
            plain = j >= 0 and not any(self._opens[j + 1 : i + 1])
            if plain and self.thing_at(j) and self.view.words[j] not in {"al", "del"}:
                led = self.view.words[j - 1] if j else ""
                return i if led in _PREPOSITIONS and self.view.before(j) == " " else j
        return i


def _inflected_verb(view: View, k: int) -> bool:
    """Whether a word has an ending that only verbs have: mantendremos, llamaron, atendió."""
    word = view.words[k]
    return stressed_verb(view, k) or (word.endswith(_VERBAL) and word not in _NOUNS_IN_MOS)


_VERBAL = ("amos", "emos", "imos", "aron", "ieron", "asteis")
_NOUNS_IN_MOS = frozenset(
    "ramos tramos extremos gramos kilogramos remos supremos maximos prestamos minimos proximos ultimos reclamos racimos canones".split()
)
_HELPING = frozenset(
    "ha han he hemos habia habian hayan haya hayamos hubiera hubieran habra habran iba iban vamos van estan estamos pueden podemos".split()
)
_OPENERS = frozenset("no ya tambien hoy ayer ahora aun todavia entonces ademas luego siempre".split())

_REGULAR = {
    "ar": ("o as a amos an aba abas abamos aban aste aron e es en emos are aras ara aremos aran aria arias arian ar arse arte arme ando andose "
           "ase ases ate atela ese").split(),
    "er": ("o es e emos en ia ias ian iste io ieron a as an eras era ere era eran eria erias er erse erte erme iendo iera ieras iese ete ase").split(),
    "ir": ("o es e imos en ia ias ian iste io ieron a as an iras ira ire iran iria irias ir irse irte irme iendo iera ieras iese ete ase").split(),
}  # fmt: skip
_STEMS = {
    "ar": "qued acab termin lleg mostr muestr anduv resultar result encontr encuentr hall declar regres and continu camin viaj trabaj entr despert despiert levant notar consider",
    "er": "parec parezc volv vuelv permanec permanezc cre crec",
    "ir": "sent sient sint salg sig sigu segu viv mur mor muer dorm duerm",
}
_OTHER = (
    "estoy estas esta estamos estan estaba estabas estaban estuve estuviste estuvo estuvieron estare estaras estara estaria estarias este estes estuviera "
    "estuvieras estar estado estando soy eres es somos son era eras eran fui fuiste fue fueron sere seras sera serias seria sea seas fuera fueras fuese ser sido siendo "
    "voy vas va iba ibas iban ir yendo vengo vienes viene venia venias vine viniste vino vendra vendras venga vengas venir viniendo salio saliste salia salen sale saldra saldras salir "
    "sos saliendo veo ves ve vemos veia veias vio viste vera veras verse verte ver vea veas noto notas nota notamos notaba cayo caiste cae cayeron caer "
    "pusiste puso pongo pone pones ponerse ponerte hizo siga sigas sigo parezca quedado vuelto llegado salido venido resultado permanecido seguido acabado terminado mantiene mantuvo mantienes mantengo mantenerse mantenga"
)  # fmt: skip
_SECOND = (
    "as",
    "es",
    "aste",
    "iste",
    "abas",
    "ias",
    "eras",
    "aras",
    "iras",
    "arias",
    "erias",
    "irias",
    "ases",
    "ieras",
)
_NO_COPULAS = frozenset(
    "anda ande entre entres entras muere vive levanta entra sentido sienta sientas vivo viva vivas segur resultado notas nota vuelva cree crea creo crees creia".split()
) | frozenset(
    "sient entraras trabajo trabajos viaje viajes entradas muro muros moro mora moras camino muera llegase encuentro encuentros".split()
)


def copula_forms() -> tuple[frozenset[str], frozenset[str]]:
    """The forms of verbs that a word said of their subject can follow, and those among them said to "tú".

    Returns
    -------
    frozenset of str, frozenset of str
        Folded, as words of a `View`.

    Examples
    --------
    >>> forms, second = copula_forms()
    >>> "quedaste" in second, "permanecieron" in forms, "tienda" in forms
    (True, True, False)
    """
    forms, second = set(_OTHER.split()), set()
    for kind, stems in _STEMS.items():
        for stem in stems.split():
            for end in _REGULAR[kind]:
                forms.add(stem + end)
                if end in _SECOND:
                    second.add(stem + end)
    irregular = ("sos estas estabas estuviste estaras estarias estes estuvieras eres eras fuiste seras serias seas fueras vas ibas vienes venias viniste vendras vengas "
                 "saliste saldras caiste sigas pusiste").split()  # fmt: skip
    second |= set(irregular)
    return frozenset(forms - _NO_COPULAS), frozenset(second - _NO_COPULAS)
