"""Type the labels of a scripted rater: ``python scripted_rater.py ensayo-a | judgekit label . --as ensayo-a --lang es``.

A rehearsal, so that the whole path can be walked without people. The script sees what a rater sees, the blinded text. It
knows the chatbot's sentences, applies the rubric's anchors to their levels, and slips by one level now and then, each
rater in places of their own. What it writes is no evidence about anybody's perception.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path

from phrases import CLOSINGS, REACTIONS

from judgekit.files.labels import read_sample
from judgekit.labelling.opening import plan_steps, rubrics_of

SLIP = 0.12
SAMPLE = Path(__file__).resolve().parent / "labels" / "soporte.sample.jsonl"


def stretch(sentence: str) -> str:
    """The longest part of a sentence that names nobody and agrees with nobody."""
    parts = [part for piece in sentence.split("{") for part in [piece.split("}")[-1]]]
    return max(parts, key=len).strip(" .:;,")


LEVELS = {
    stretch(sentence): level
    for kind in (REACTIONS, CLOSINGS)
    for level, sentences in kind.items()
    for sentence in sentences
    if sentence
}


def level_of(text: str) -> int:
    """The rubric's level of a blinded reply, from 1 (cold) to 5 (warm throughout)."""
    found = [level for part, level in LEVELS.items() if part in text]
    if 1 in found:
        return 2 if max(found) >= 3 else 1
    if found.count(5) >= 1 and min(found) >= 4:
        return 5
    return max(found, default=2)


def main() -> None:
    """Print one key a line, in the order in which this rater is asked."""
    rater = sys.argv[1]
    sample = read_sample(SAMPLE)
    met: Counter[str] = Counter()
    for step in plan_steps(sample, rater, rubrics_of(sample, SAMPLE), SAMPLE):
        text = step.task.text
        met[text] += 1
        draws = random.Random(f"{rater}, time {met[text]}: {text}")  # whatever the order
        level = level_of(text)
        if draws.random() < SLIP:
            level += -1 if draws.random() < 0.5 else 1
        print(min(5, max(1, level)))


if __name__ == "__main__":
    main()
