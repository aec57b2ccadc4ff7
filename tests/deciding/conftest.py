"""Answers of a small design whose effects are known."""

import random

import pytest

from judgekit.deciding.answers import Answered, Place
from judgekit.records import Arm

TEXT = "I am {who} and I ask for a loan of 3000, please tell me whether it is possible"


@pytest.fixture
def answered():
    """Makes one answer: ``answered(template, group, p, kind="base", pair="1", **place)``."""

    def make(template, group, p, kind="base", pair="1", *, direction=0, token_change=None, **more):
        arm = Arm() if kind == "base" else Arm(kind=kind, group=group, direction=direction, token_change=token_change)
        place = Place(
            probe="name", unit_id=template, group=group, name=f"{group}{pair}", name_pair=pair, arm=arm, **more
        )
        return Answered(place=place, shares={"yes": p, "no": 1 - p}, n=10, text=TEXT.format(who=f"{group}{pair}"))

    return make


@pytest.fixture
def design(answered):
    """Makes a design: ``design(gap, noise, rewording, templates=10, tokens=0.06)``; gap is of the group m."""

    def make(gap, noise, rewording, *, templates=10, tokens=0.06, seed=1, kind="paraphrase"):
        rng = random.Random(seed)
        made = []
        for k in range(templates):
            level = rng.uniform(0.4, 0.6)
            for pair in "1234":
                base = {g: level + (gap if g == "m" else 0.0) + rng.gauss(0, noise) for g in "fm"}
                made += [answered(f"t{k}", g, base[g], pair=pair) for g in "fm"]
                own = "fm"[(k + int(pair)) % 2]
                moved = base[own] + rng.choice((-1, 1)) * rewording + rng.gauss(0, noise)
                moved = min(max(moved, 0.01), 0.99)
                made.append(answered(f"t{k}", own, moved, kind, pair, token_change=tokens))
        return made

    return make
