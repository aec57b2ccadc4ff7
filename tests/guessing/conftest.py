"""Texts of a filled design: templates, groups, random words, and leaks that are planted."""

from __future__ import annotations

import numpy as np
import pytest

WORDS = [
    "order",
    "parcel",
    "refund",
    "kettle",
    "lamp",
    "chair",
    "cable",
    "delivery",
    "today",
    "tomorrow",
    "warehouse",
    "courier",
    "label",
    "invoice",
    "account",
    "reply",
    "check",
    "please",
    "thanks",
    "glad",
    "sorry",
    "help",
    "soon",
    "number",
    "day",
    "week",
    "address",
    "change",
    "return",
    "broken",
    "new",
    "repair",
    "shop",
    "stock",
]


def design(*, templates=16, per_cell=3, groups=("a", "b"), leak=None, share=1.0, words=12, seed=0):
    """Texts of random words, the same number for each template and group; ``leak`` maps a group to what it says."""
    rng = np.random.default_rng(seed)
    texts, of, units = [], [], []
    for t in range(templates):
        topic = " ".join(rng.choice(WORDS, 5))
        for group in groups:
            for _ in range(per_cell):
                own = [topic, *rng.choice(WORDS, words)]
                if leak and group in leak and rng.random() < share:
                    own.insert(int(rng.integers(1, len(own))), leak[group])
                texts.append(" ".join(own))
                of.append(group)
                units.append(f"t{t:02d}")
    return texts, of, units


@pytest.fixture(name="design")
def _design():
    return design
