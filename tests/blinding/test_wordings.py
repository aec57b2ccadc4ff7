"""Ages, origins, pronoun sets and other people in many wordings, and numbers and places that are none."""

from __future__ import annotations

from functools import lru_cache

import pytest
import regex

from judgekit.blinding.mask import Blinder
from judgekit.records import Reply

# What must go stands in brackets.
AGES = """
    At [67], Nuria, you may still join.
    Nuria is turning [40] in June.
    Nuria is in her [forties].
    Nuria just turned [eighteen].
    Nuria, aged [54], passed the test.
    You were born in [1984], Nuria.
    Nuria was born on [3 May 1990].
    Nuria is a child of the [60s].
    Nuria is pushing [sixty].
    Nuria is nearly [seventy-five] and still rides.
    Nuria hit [50] last week.
    At [twenty-two], Nuria moved out.
    Nuria is [thirty-something].
    Nuria, you'll be [30] tomorrow!
    When Nuria was [nine], she learned chess.
    Nuria is in her [mid-fifties].
    Nuria is an [octogenarian].
    As a [millennial], Nuria rents.
    Nuria, a [pensioner], gets half price.
    As a [teenager], Nuria can use the pool.
    Nuria retired at [67].
    Nuria started school at [six].
    Nuria celebrated her [50th] birthday.
    Nuria, [29], lives in town.
    Nuria (age [31]) signed.
    Now that you are past [60], Nuria, rest more.
    Nuria is [12] going on 13.
    Nuria, at the ripe old age of [88], still swims.
    Nuria will reach [65] in March.
    Being [19], Nuria needs a guarantor.
    Nuria turned the big [4-0].
    Nuria's age is [33].
    Nuria is a [17]-year-old from here.
    Nuria is under [18], so a parent signs.
    Nuria is over [65] and rides free.
"""
AGES_ES = """
    A los [dieciséis] años ya puede ir, Nuria.
    Nuria cumple [cuarenta] en junio.
    Nuria acaba de cumplir [18] años.
    Nuria tiene [treinta y dos] años.
    Nuria nació en [1984].
    Nuria, nacida en el [84], firmó.
    Nuria ronda los [sesenta].
    Nuria roza los [50] años.
    Con [45] años recién cumplidos, Nuria empezó.
    A sus [setenta] años, Nuria nada.
    Nuria es [veinteañera].
    Nuria es [menor de edad].
    Nuria ya es [mayor de edad].
    Nuria tiene [treinta y tantos].
    Nuria está a punto de cumplir los [50].
    Nuria pasa de los [cuarenta].
    Nuria se jubila a los [67].
    Nuria empezó el colegio a los [seis] años.
    Nuria, de [29] años, vive aquí.
    Nuria ([31] años) firmó.
    Como [jubilada], Nuria paga la mitad.
    Nuria es [sexagenaria].
    Nuria es de la [tercera edad].
    Como [millennial], Nuria alquila.
    Nuria cumplió los [quince] ayer.
    Nuria hizo [30] años el lunes.
    Cuando tenía [nueve] años, Nuria jugaba.
    Nuria nació el [3 de mayo de 1990].
    Usted tiene [cincuenta] años, Nuria.
    Tu cumpleaños número [40], Nuria.
    Edad: [33]. Nuria.
    Nuria es una [adolescente].
    Nuria tiene más de [65] años.
    Nuria ha cumplido [diecinueve].
    Nuria, nacida en los [ochenta], lo recuerda.
"""
TELLING = """
    Nuria is from [Ghana].
    Nuria moved here from [Senegal] in May.
    Nuria, a native of [Peru], sings.
    Nuria holds a [Moroccan] passport.
    With a passport from [India], Nuria needs a visa.
    Nuria grew up in [Nigeria].
    Nuria flew home to [Kenya].
    Nuria's parents live in [Vietnam].
    Being born in [China] does not change the deadline, Nuria.
    As a citizen of [Brazil], Nuria can apply.
    Nuria came over from [Poland] last year.
    Nuria comes from a village in [Romania].
    Nuria is [Ghanaian].
    Nuria was raised in [Lagos].
    My sister [Clara] will call you, Nuria.
    Ask for [Benedikt] in billing, Nuria.
    Nuria, I spoke with [Oyelaran] about it.
    Nuria, cc: [Thandiwe].
    Regards, [Matteo]
    Nuria, your colleague [Ingrid] has the key.
    Thanks to [Zsofia], the file is fixed, Nuria.
    Nuria and [Kwabena] will present.
    Nuria, give it to [Priyanka] at the desk.
    Nuria, please contact [Lorenzo] if it fails.
    Nuria, my manager, [Aurelie], agreed.
    Dr. [Okonkwo] will see you, Nuria.
    Nuria, [Dmitri] from sales will ring you.
    Nuria, [Saoirse] said the room is free.
    Add "Pronouns: [they/them/theirs]", Nuria.
    Nuria ([she/her]) signed.
    Nuria uses [they/them].
    Pronouns: [he/him/his]. Nuria signed.
    Nuria's pronouns are [she/they].
    Nuria, list [xe/xem/xyr] on the badge.
    Nuria's pronouns: [ze / hir / hirs].
    Does [s/he] agree, Nuria?
    Nuria goes by [he/they].
    Nuria put [her/hers] in the form.
    Nuria listed [they, them, theirs].
"""
TELLING_ES = """
    Nuria es natural de [Senegal].
    Nuria nació en [Ghana].
    Nacer en [China] no cambia el plazo, Nuria.
    Nuria viene de [Perú].
    Nuria tiene pasaporte de [Marruecos].
    Nuria emigró desde [Ecuador].
    Nuria se crió en [Nigeria].
    Nuria llegó de [Rumanía] en mayo.
    La familia de Nuria vive en [Bolivia].
    Nuria, como [peruana], puede pedirlo.
    Nuria es ciudadana de [Brasil].
    Nuria salió de [Siria] en 2015.
    Nuria pidió el visado de [India].
    Su hija [Clara] llamará, Nuria.
    Pregunte por [Benedikt] en caja, Nuria.
    Nuria, hablé con [Thandiwe] ayer.
    Un saludo, [Matteo]
    Nuria, mi compañera [Ingrid] tiene la llave.
    Nuria, entréguelo a [Priyanka] en recepción.
    Nuria, [Dmitri] de ventas la llamará.
    Nuria, gracias a [Zsofia] ya está.
    La doctora [Okonkwo] la verá, Nuria.
    Nuria, avise a [Lorenzo] si falla.
"""
KEPT = """
    Our boiler is 12 years old, Nuria.
    Nuria, the shop turned 50 in May.
    At 20 degrees, Nuria, the dough rises.
    Nuria, set the oven at 200, then wait.
    Nuria, children aged 4 to 11 pay half.
    The firm was founded in 1984, Nuria.
    Nuria, songs of the 60s play all day.
    Nuria, the bus leaves at 6.
    Nuria, page 40 is missing.
    Nuria, the meeting is at 10, you may join late.
    Nuria, keep the receipt for ten years.
    Over 60 people came, Nuria.
    Nuria, under 18 items counts as a small order.
    Nuria hit 50 reviews last week.
    Nuria, the parcel left China on Monday.
    Nuria, we ship to Ghana and Peru.
    Nuria, the flight from Brazil is late.
    Nuria, ask for Decaf at the bar.
    Nuria, open Settings and choose Export.
    Nuria, the Moroccan lamp is sold out.
    Nuria, contact Support if it fails.
"""
KEPT_ES = """
    El edificio tiene 40 años, Nuria.
    Nuria, la empresa cumple 50 años en mayo.
    Nuria, la garantía dura dos años.
    Nuria, la tienda abrió en 1984.
    Nuria, la música de los ochenta suena.
    Nuria, el tren sale a las seis.
    Nuria, el plazo pasa de los 30 días.
    La obra ronda los 50 euros, Nuria.
    Nuria, a los diez minutos apaga.
    Nuria, el contrato tiene cinco años de permanencia.
"""


@lru_cache(maxsize=1)
def blinder() -> Blinder:
    """One for all sentences."""
    return Blinder()


def lines(block: str) -> list[str]:
    """The sentences of a block."""
    return [line.strip() for line in block.splitlines() if line.strip()]


def left(sentence: str, lang: str) -> str:
    """A sentence with its name known, blinded, placeholders taken out."""
    text = sentence.replace("[", "").replace("]", "")
    masked = blinder().mask(Reply(id="1", text=text, known_names=("Nuria",), lang=lang)).text
    return str(regex.sub(r"\[[^\]]*\]", "", masked))


@pytest.mark.parametrize(("block", "lang"), [(AGES, "en"), (AGES_ES, "es"), (TELLING, "en"), (TELLING_ES, "es")])
def test_what_tells_a_person_apart_goes(block: str, lang: str) -> None:
    """No word in brackets is left."""
    missed = []
    for sentence in lines(block):
        said = regex.search(r"\[(.*?)\]", sentence)
        assert said is not None
        bare = left(sentence, lang)
        missed += [w for w in regex.split(r"[/, ]+", said[1]) if regex.search(rf"(?<!\w){regex.escape(w)}(?!\w)", bare)]
    assert not missed


@pytest.mark.parametrize(("block", "lang"), [(KEPT, "en"), (KEPT_ES, "es")])
def test_numbers_and_places_of_things_stay(block: str, lang: str) -> None:
    """Nothing but the name is taken out."""
    changed = [s for s in lines(block) if left(s, lang) != s.replace("Nuria", "")]
    assert not changed
