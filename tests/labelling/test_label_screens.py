"""The screenshots of the README: drawn by the app itself, and never out of date."""

from __future__ import annotations

import asyncio
import os
import re
import time
from pathlib import Path

import pytest

from judgekit.labelling.app import LabelApp
from judgekit.labelling.desk import Desk
from judgekit.labelling.keymap import Keymap
from judgekit.labelling.pairs import pair_criterion
from judgekit.labelling.session import Session
from judgekit.labelling.steps import Step
from judgekit.records import LabelEvent, LabelTask, text_hash
from judgekit.rubric import rubric_from_mapping

FOLDER = Path(__file__).resolve().parents[2] / "docs"
CONTEXT = "My parcel was due last Friday and nobody answers. I took a day off for it. What happens now?"
WARM = (
    "Dear [PERSON_1],\n\nThank you for writing, and I am sorry that you took a day off for nothing. I have asked the "
    "carrier to deliver on Tuesday between 8 and 10, and you get a message an hour before. If that does not suit you, "
    "just reply with another day.\n\nKind regards"
)
REPLIES = [
    WARM,
    "Hello [PERSON_1],\n\nDeliveries are handled by the carrier. Please contact them with your tracking number.",
    "[PERSON_1], the parcel is listed as delayed. We cannot say more at this time.",
]


# Not the bundled rubric: pictures must not go out of date with every word that is mended there.
RUBRIC = {
    "id": "warmth",
    "version": "1",
    "criteria": [
        {
            "dimension": "warmth",
            "scale": "ordinal",
            "levels": [1, 2, 3, 4, 5],
            "question": {
                "en": "How warm is the reply towards the person it answers? Judge only how it treats that person, not "
                "whether it is correct or useful. Length does not count. [PERSON_1] and other words in square brackets "
                "stand for a hidden name: read them as if the name were there."
            },
            "anchors": {
                "en": {
                    1: "Cold or hurtful. At least one sentence blames, mocks, threatens or brushes off the person.",
                    2: "Impersonal. Facts, rules or orders only: no thanks, no regret, no good wish.",
                    3: "Polite by routine. Set courtesies that would fit any message, and nothing beyond them.",
                    4: "Friendly and meant for this person. One phrase or more answers their own situation.",
                    5: "Warm throughout. It says what the person is going through and cares how things turn out.",
                }
            },
        }
    ],
}


class StillClock:
    """A clock for pictures: the time passes, the date does not."""

    monotonic = staticmethod(time.monotonic)

    @staticmethod
    def utc():
        """A fixed moment."""
        return "2026-01-01T00:00:00.000Z"


def task_of(number, text, text_b=None):
    """One item; with a second reply a comparison."""
    return LabelTask(
        task_id=f"t{number}",
        text=text,
        context=CONTEXT,
        text_hash=text_hash(text, CONTEXT),
        lang="en",
        **({} if text_b is None else {"text_b": text_b}),
    )


def earlier(log, steps):
    """What ana decided before: 21 seconds an item, one skipped, two flagged."""
    for n, step in enumerate(steps):
        kinds = [("skip", "context") if n == 30 else ("score", 1 + n % 5)] + [("flag", 1)] * (n in {7, 90})
        log.events += [
            LabelEvent(
                annotator="ana", seq=n, prev_hash="", task_id=step.task.task_id, dimension="warmth", event=kind, value=value,
                text_hash=step.task.text_hash, rubric_hash=step.rubric_hash, ms=None if kind == "flag" else 21000, shown_at="",
            )
            for kind, value in reversed(kinds)
        ]  # fmt: skip


def make_app(log, kind):
    """The app over 220 items of the warmth rubric: before practice, on the way, at the last item, or as comparisons."""
    rubric = rubric_from_mapping(RUBRIC, "screens")
    criterion = rubric.criteria[0]
    steps = [Step(task_of(n, REPLIES[(n - 41) % 3]), criterion, rubric.hash, n) for n in range(1, 221)]
    if kind == "pairs":
        criterion = pair_criterion(criterion)
        steps = [Step(task_of(n, REPLIES[1], WARM), criterion, rubric.hash, n, shown_first="a") for n in range(1, 61)]
    elif kind == "practice":
        practice = [Step(task_of(f"p{n}", REPLIES[n]), criterion, rubric.hash, 0, practice=True) for n in range(3)]
        steps = practice + steps
    else:
        earlier(log, steps[: {"": 40, "last": 219}[kind]])
    session = Session(annotator="ana", steps=steps, log=log, clock=StillClock(), guard=0)
    results = [
        "", "You and yourself: items you saw twice", "warmth: 17 of 20 the same, kappa 0.92", "",
        "Time per item: median 21 s, not counting 3 min of pauses", "", "Agreement with the others is shown when all have finished.",
    ]  # fmt: skip
    return LabelApp(Desk(session, [rubric], lang="en", keymap=Keymap(), results=lambda: results))


SCREENS = {
    "label-first": ((80, 24), "practice", []),
    "label-item": ((80, 24), "", ["f"]),
    "label-anchors": ((80, 24), "", ["r"]),
    "label-skip": ((80, 24), "", ["s"]),
    "label-note": ((80, 24), "", ["n", *"which day?"]),
    "label-help": ((80, 24), "", ["?"]),
    "label-stop": ((80, 24), "", ["4", "q"]),
    "label-done": ((80, 24), "last", ["2"]),
    "label-wide": ((140, 36), "", ["4"]),
    "label-pairs": ((100, 24), "pairs", []),
    "label-small": ((36, 6), "", []),
}


def words_of(svg):
    """The text of a screenshot, without the ids that differ from run to run."""
    return [text.replace("&#160;", " ").strip() for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg)]


@pytest.mark.parametrize("name", SCREENS)
def test_screenshots_show_the_app_of_today(log, name):
    """Each picture in docs/ has the text that the app shows now; JUDGEKIT_DRAW=1 draws them again."""
    size, kind, keys = SCREENS[name]
    app = make_app(log, kind)

    async def picture():
        async with app.run_test(size=size) as pilot:
            for key in keys:
                await pilot.press("space" if key == " " else key)
            await pilot.pause()
            return app.export_screenshot(title="judgekit label", simplify=True)

    # Fonts from the network are left to the reader's own monospaced one.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", asyncio.run(picture()), flags=re.DOTALL)
    path = FOLDER / f"{name}.svg"
    if os.environ.get("JUDGEKIT_DRAW"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(svg, encoding="utf-8")
    assert path.is_file(), f"draw it: JUDGEKIT_DRAW=1 pytest {Path(__file__).name}"
    assert words_of(path.read_text(encoding="utf-8")) == words_of(svg)


def test_every_picture_is_drawn_here_shown_somewhere_and_tells_nothing_of_a_machine():
    """docs/ holds no other picture; README shows the first, one during and the end; no path, host or link is in any."""
    readme, guide = ((FOLDER.parent / n).read_text(encoding="utf-8") for n in ("README.md", "docs/labelling.md"))
    assert {path.stem for path in FOLDER.glob("label-*.svg")} == set(SCREENS)
    assert re.findall(r"\(docs/(label-\w+)\.svg\)", readme) == ["label-first", "label-item", "label-done"]
    for name in SCREENS:
        assert f"({name}.svg)" in guide
        svg = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
        links = set(re.findall(r"https?://[^\s\"')<]+", svg))
        assert links <= {"http://www.w3.org/2000/svg", "https://www.textualize.io"}
        assert not re.search(r"/(home|root|tmp|work|Users|usr)/", svg)
