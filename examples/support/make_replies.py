"""Write the replies of the demo study: ``python make_replies.py > replies.csv``.

Every reply is put together from hand-written sentences. How warm and how good it is comes from a model with planted
effects, which are the constants below; the same seed gives the same bytes on every machine. ``--planted`` writes what
was planted instead, for tests only.
"""

from __future__ import annotations

import csv
import hashlib
import io
import random
import sys
from dataclasses import dataclass
from statistics import NormalDist
from typing import TypeVar

from case import Case
from goods import GOODS
from phrases import CLOSINGS, FILLERS, FOOTERS, GREETINGS, HEDGES, NOTES, OPENINGS, REACTIONS
from services import SERVICES

SEED = 20260218
REPLICATES = 3

# Warmth on a latent scale of 1 to 5 points, rounded to the level that the sentences are taken from.
WARMTH_MEAN = 3.4
WARMTH_GAP = -0.35  # women minus men: the planted effect
WARMTH_BY_CASE = 0.45  # standard deviation between cases
WARMTH_BY_NAME = 0.10  # between the names of one group
GAP_BY_CASE = 0.15  # how much the gap differs between cases
WARMTH_NOISE = 1.15  # between replies to the same name in the same case

# Quality has no gap and does not go with warmth.
QUALITY_MEAN = 3.6
QUALITY_BY_CASE = 0.40
QUALITY_NOISE = 1.10

SLIP = 0.12  # share of reactions and of closings that come from a neighbouring level of warmth
SET_PHRASES = 0.05  # share of replies with a set greeting, and with a set footer, whatever their tone
SHORTEST, LONGEST = 44, 106  # aims in words; a long sentence may overshoot them
# Warm sentences are longer than cold ones. Fewer or more details around the case make up for it, so that length does
# not go with warmth.
MORE_WORDS = {1: 10, 2: 10, 3: 6, 4: 0, 5: -16}

CASES: tuple[Case, ...] = (*GOODS, *SERVICES)

T = TypeVar("T")


@dataclass(frozen=True)
class Person:
    """An invented customer; the two people of a pair share their family name."""

    group: str
    pair: int
    given: str
    family: str

    @property
    def words(self) -> dict[str, str]:
        """What the sentences are filled with."""
        title, madam, they, them, their, themself = (
            ("Ms.", "Madam", "she", "her", "her", "herself")
            if self.group == "women"
            else ("Mr.", "Sir", "he", "him", "his", "himself")
        )
        return {
            "given": self.given,
            "family": self.family,
            "title": title,
            "madam": madam,
            "they": they,
            "them": them,
            "their": their,
            "themself": themself,
            "They": they.capitalize(),
        }


FAMILIES = ("Halvane", "Pembrick", "Sarradi", "Devanik", "Ordavez", "Okavunde")
GIVEN = {
    "women": ("Grace", "Joy", "Amina", "Priya", "Lucía", "Ngozi"),
    "men": ("Mark", "Will", "Yusuf", "Arjun", "Mateo", "Emeka"),
}
PEOPLE = tuple(
    Person(group, pair, given, family)
    for group, names in GIVEN.items()
    for pair, (given, family) in enumerate(zip(names, FAMILIES, strict=True), 1)
)


def stream(*parts: object) -> random.Random:
    """Return a generator of its own for one purpose, so that adding a case changes no other reply."""
    return random.Random("|".join(str(part) for part in (SEED, *parts)))


def pick(rng: random.Random, options: tuple[T, ...]) -> T:
    """Choose one option; built on ``random()`` alone, whose sequence Python promises to keep."""
    return options[int(rng.random() * len(options))]


def pick_short(rng: random.Random, options: tuple[str, ...], *, short: bool) -> str:
    """Choose one sentence; from the shorter half when the reply is to be short."""
    if short:
        options = tuple(sorted(options, key=len)[: (len(options) + 1) // 2])
    return pick(rng, options)


def shuffled(rng: random.Random, items: tuple[T, ...]) -> list[T]:
    """Order items at random."""
    return [item for _, _, item in sorted((rng.random(), place, item) for place, item in enumerate(items))]


def spread(rng: random.Random, n: int, sd: float) -> list[float]:
    """Draw n effects: normal quantiles in random order, so that their mean is 0 exactly."""
    quantiles = tuple(NormalDist(0, sd).inv_cdf((place + 0.5) / n) for place in range(n))
    return shuffled(rng, quantiles)


def level(latent: float) -> int:
    """Round a latent value to a level of 1 to 5."""
    return min(5, max(1, int(latent + 0.5)))


def noise(rng: random.Random, sd: float) -> float:
    """Draw one normal value."""
    return NormalDist(0, sd).inv_cdf(rng.random() or 0.5)


def levels() -> dict[tuple[int, Person, int], tuple[int, int]]:
    """Plant warmth and quality for every case, person and replicate."""
    n = len(CASES)
    warm_case = spread(stream("warmth case"), n, WARMTH_BY_CASE)
    gap_case = spread(stream("gap case"), n, GAP_BY_CASE)
    good_case = spread(stream("quality case"), n, QUALITY_BY_CASE)
    by_name = {group: spread(stream("name", group), len(FAMILIES), WARMTH_BY_NAME) for group in GIVEN}
    planted = {}
    for case in range(n):
        for person in PEOPLE:
            side = 0.5 if person.group == "women" else -0.5
            warmth = WARMTH_MEAN + warm_case[case] + by_name[person.group][person.pair - 1]
            warmth += side * (WARMTH_GAP + gap_case[case])
            for replicate in range(1, REPLICATES + 1):
                rng = stream("levels", case, person.given, replicate)
                warm = level(warmth + noise(rng, WARMTH_NOISE))
                good = level(QUALITY_MEAN + good_case[case] + noise(rng, QUALITY_NOISE))
                planted[case, person, replicate] = (warm, good)
    return planted


def words_in(sentences: list[str]) -> int:
    """Count words."""
    return sum(len(sentence.split()) for sentence in sentences)


def slipped(rng: random.Random, warmth: int) -> int:
    """Return the level a sentence is taken from: now and then a neighbour's, as chatbots are not consistent."""
    chance = rng.random()
    shift = 1 if chance < SLIP / 2 else -1 if chance < SLIP else 0
    return min(5, max(1, warmth + shift))


def reactions(rng: random.Random, case: Case, warmth: int, *, short: bool) -> list[str]:
    """Choose how the reply takes the trouble: the case's own words, general ones, both or none."""
    warmth = slipped(rng, warmth)
    own, general = case.reactions.get(warmth, ()), REACTIONS[warmth]
    kind = rng.random()
    # What makes a reply friendly is a word for this person's situation: from level 4 on it is always there.
    if own and (warmth >= 4 or kind < 0.65):
        return [pick(rng, own), pick(rng, general)] if kind < 0.25 and not short else [pick(rng, own)]
    return [pick_short(rng, general, short=short)] if kind < 0.90 else []


def note(rng: random.Random, warmth: int) -> str:
    """Choose what the reply tells a colleague about the customer; half-way levels mostly stay plain."""
    leaning = {1: 1.0, 2: 0.25, 3: 0.0, 4: 0.4, 5: 1.0}[warmth]
    tone = "plain" if rng.random() >= leaning else "cold" if warmth < 3 else "warm"
    return pick(rng, NOTES[tone])


def compose(rng: random.Random, case: Case, warmth: int, quality: int) -> str:
    """Put one reply together; the aimed length depends on neither warmth nor quality."""
    aim = SHORTEST + (LONGEST - SHORTEST) * rng.random() ** 1.2
    short = aim < (SHORTEST + LONGEST) / 2
    aim += MORE_WORDS[warmth]
    start = [pick_short(rng, OPENINGS[warmth], short=short), *reactions(rng, case, warmth, short=short)]
    answer = [pick(rng, case.answers[quality])]
    end = [pick_short(rng, CLOSINGS[slipped(rng, warmth)], short=short)]
    if words_in(start + answer + end) > aim + 2:
        start = start[:2]
    if warmth <= 3 and words_in(start + answer + end) > aim + 16:
        start = start[:1]
    if rng.random() < SET_PHRASES:
        start.insert(0, pick(rng, GREETINGS))
    if rng.random() < SET_PHRASES:
        end.append(pick(rng, FOOTERS))
    before: list[str] = []
    after: list[str] = []
    if rng.random() < (0.45 if quality <= 3 else 0.15):
        after.append(pick(rng, HEDGES))
    remark = (
        note(rng, warmth).replace("{matter}", case.matter).replace("{Matter}", "{They}" + case.matter[len("{they}") :])
    )
    if rng.random() < 0.50 and words_in([*start, *answer, *after, *end, remark]) < aim + 6:
        end.insert(0, remark)
    details = [(sentence, True) for sentence in shuffled(rng, case.details)[:4]]
    general = [(sentence, False) for sentence in shuffled(rng, FILLERS)[:2]]
    for place, (sentence, about_case) in enumerate([*details[:2], general[0], *details[2:], general[1]]):
        if words_in(start + before + answer + after + end) >= aim - 4:
            break
        if about_case and place == 0:
            before.append(sentence)
        else:
            after.append(sentence)
    return " ".join(start + before + answer + after + end)


def reply(case_number: int, person: Person, replicate: int, planted: tuple[int, int]) -> dict[str, str]:
    """Return one row of the table."""
    case = CASES[case_number]
    fields = person.words
    text = compose(stream("text", case_number, person.given, replicate), case, *planted).format_map(fields)
    key = f"{SEED}|{case_number}|{person.given}|{replicate}"
    return {
        "id": "r" + hashlib.sha256(key.encode()).hexdigest()[:8],
        "template_id": f"case{case_number + 1:02d}",
        "case_type": case.case_type,
        "group": person.group,
        "name": f"{person.given} {person.family}",
        "name_pair": str(person.pair),
        "replicate": str(replicate),
        "context": case.context.format_map(fields),
        "text": text,
        "known_names": f"{person.given};{person.family}",
        "lang": "en",
    }


def table(*, planted_only: bool = False) -> str:
    """Return the whole file as CSV with Unix line ends, ordered by the opaque id."""
    rows = []
    for (case, person, replicate), (warmth, quality) in levels().items():
        row = reply(case, person, replicate, (warmth, quality))
        if planted_only:
            row = {"id": row["id"], "warmth": str(warmth), "quality": str(quality)}
        rows.append(row)
    rows.sort(key=lambda row: row["id"])
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


if __name__ == "__main__":
    if set(sys.argv[1:]) - {"--planted"}:
        sys.exit("usage: python make_replies.py [--planted] > FILE")
    # Bytes, so that no platform rewrites line ends or accents.
    sys.stdout.buffer.write(table(planted_only="--planted" in sys.argv).encode("utf-8"))
