"""What the labelling tests share: a clock that is set by hand, a log in memory, tasks and sessions."""

from __future__ import annotations

import io
import random
from dataclasses import dataclass, field, replace

import pytest

from judgekit.errors import DiskFailed
from judgekit.files.labels import key_path, write_key, write_sample
from judgekit.labelling.desk import Desk
from judgekit.labelling.display import plain_text
from judgekit.labelling.keymap import Keymap
from judgekit.labelling.opening import make_sample
from judgekit.labelling.sampling import draw_sample
from judgekit.labelling.session import Session
from judgekit.labelling.steps import Step
from judgekit.labelling.view import draw
from judgekit.records import Criterion, LabelTask, Rubric, text_hash
from judgekit.rubric import load_rubric


@dataclass
class FakeClock:
    """Time that passes only when it is told to."""

    now: float = 100.0

    def monotonic(self):
        return self.now

    def utc(self):
        return f"2026-01-01T00:00:{self.now:06.3f}Z"

    def pass_seconds(self, seconds):
        self.now += seconds


@dataclass
class MemoryLog:
    """A label file in memory; ``full`` makes the next writes fail like a full disk."""

    events: list = field(default_factory=list)
    full: bool = False

    def append(self, event):
        if self.full:
            raise DiskFailed("it could not be written", path="labels/ana.jsonl", why="No space left on device")
        event = replace(event, seq=len(self.events) + 1)
        self.events.append(event)
        return event


def ordinal(dimension="warmth", levels=(1, 2, 3, 4, 5)):
    """A criterion with an anchor for each level in two languages."""
    return Criterion(
        dimension=dimension,
        kind="ordinal",
        levels=tuple(levels),
        question={"en": f"How much {dimension}? Look closely.", "es": f"¿Cuánta {dimension}? Mire bien."},
        anchors={
            lang: {level: f"{lang} {dimension} {level}. More words." for level in levels} for lang in ("en", "es")
        },
    )


def nominal(dimension="apology", levels=("yes", "no")):
    """A nominal criterion."""
    return Criterion(
        dimension=dimension,
        kind="nominal",
        levels=tuple(levels),
        question={"en": "Does it apologise?"},
        anchors={"en": {level: f"It is {level}." for level in levels}},
    )


def task(number, text=None, *, context=None, repeat_of=None):
    """A task whose id says which it is."""
    text = text if text is not None else f"Reply number {number}."
    return LabelTask(
        task_id=f"t{number}",
        text=text,
        context=context,
        text_hash=text_hash(text, context),
        lang="en",
        repeat_of=repeat_of,
    )


def steps_for(tasks, criteria, practice=()):
    """Every criterion of every task, in order."""
    practised = [Step(t, c, "hash-1", 0, practice=True) for t in practice for c in criteria]
    return practised + [Step(t, c, "hash-1", n) for n, t in enumerate(tasks, 1) for c in criteria]


@pytest.fixture
def clock():
    """A clock set by hand."""
    return FakeClock()


@pytest.fixture
def log():
    """An empty log in memory."""
    return MemoryLog()


@pytest.fixture
def make_session(clock, log):
    """Make a session of ``n`` items over the given criteria, on the shared clock and log."""

    def make(n=5, criteria=None, *, guard=0.0, practice=(), tasks=None, **options):
        tasks = tasks if tasks is not None else [task(number) for number in range(1, n + 1)]
        steps = steps_for(tasks, criteria or [ordinal()], practice)
        return Session(annotator="ana", steps=steps, log=log, clock=clock, guard=guard, **options)

    return make


@pytest.fixture
def build():
    """The factories, for tests that need their own shapes."""

    class Build:
        pass

    for factory in (ordinal, nominal, task, steps_for, FakeClock, MemoryLog, Blinded):
        setattr(Build, factory.__name__, staticmethod(factory) if not isinstance(factory, type) else factory)
    return Build


@dataclass(frozen=True)
class Blinded:
    """Looks like a BlindedReply; only the verifier can make a real one."""

    item: str
    text: str
    context: str | None = None
    lang: str = "en"

    @property
    def text_hash(self):
        """Hash of text and context."""
        return text_hash(self.text, self.context)


@pytest.fixture
def make_sample_file(tmp_path):
    """Write a sample and its key; returns the sample's path."""

    def make(n=20, *, rubrics=("warmth",), annotators=("ana", "karim"), texts=None, name="sample.jsonl", **options):
        texts = texts if texts is not None else [f"Dear [PERSON_1], reply number {k}." for k in range(n)]
        rows = [Blinded(f"item-{k}", text, "Where is my order?") for k, text in enumerate(texts)]
        options = {"repeats": 0.0, "seed": 3, **options}
        draw = draw_sample(rows, None, n=n, annotators=annotators, **options)
        path = tmp_path / name
        write_key(key_path(path), draw.keys)
        write_sample(path, make_sample(draw, [load_rubric(r) for r in rubrics]))
        return path

    return make


HOSTILE = [
    "[/ x", "[PERSON_1] said", "[bold]x[/bold]", "[@click=app.bell]x[/]", "\x1b]0;title\x07", "\x1b]52;c;aGk=\x1b\\", "\x9d0;x\x9c",
    "\x1bc", "\x1b[?1049l", "\x1b[2J", "\x00\x07\x08\r\x0b\x0c", "\u202eabc\u202c", "\ud800", "\u200b\u00ad\ufeff\u2028", "日本語テキスト",
    "e\u0301\u0327x" * 5, "👩\u200d👩\u200d👧 ⚠\ufe0f", "=cmd|' /C calc'!A0", "%s %(x)s {} {0} {x}", "a" * 300, "\t\ttabs", "\\[ \\n", "‹ZWSP›",
]  # fmt: skip


def mixtures(count, seed=1):
    """Mixtures of hostile and ordinary pieces."""
    rng = random.Random(seed)
    pieces = [*HOSTILE, "word ", "[ORG_2] ", "\n", "\n\n", "  ", "¿Qué? "]
    return ["".join(rng.choices(pieces, k=rng.randint(1, 12))) for _ in range(count)]


@pytest.fixture
def hostile_texts():
    """Make a number of texts of markup, escapes, bidi controls, broken Unicode and ordinary words."""
    return mixtures


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def judgekit(monkeypatch, capsys):
    """Run a command in this process, with lines of input; a subprocess costs half a second each."""
    from judgekit.cli.main import main

    def run(*arguments, lines=(), env=None):
        capsys.readouterr()
        code = 0
        with monkeypatch.context() as patch:
            for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
                patch.delenv(name, raising=False)
            for name, value in (env or {}).items():
                patch.setenv(name, value)
            patch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
            try:
                main([str(argument) for argument in arguments])
            except SystemExit as end:
                code = int(end.code or 0)
        return Done(code, *capsys.readouterr())

    return run


def rubric_of(*criteria, name="warmth"):
    """A rubric around criteria; its hash is the one the steps carry."""
    return Rubric(id=name, version="1", criteria=criteria, hash="hash-1")


@pytest.fixture
def make_desk(make_session, build):
    """A desk over a session; options go to the session."""

    def make(n=5, criteria=None, *, lang="en", keymap=None, results=None, rubric="warmth", **options):
        criteria = criteria or [build.ordinal()]
        session = make_session(n, criteria, **options)
        return Desk(session, [rubric_of(*criteria, name=rubric)], lang=lang, keymap=keymap or Keymap(), results=results)

    return make


@pytest.fixture
def screen():
    """The lines as a person sees them; the view is drawn and painted."""

    def lines(desk, width=80, height=24):
        picture = draw(desk, width, height)
        desk.painted(at_end=picture.at_end)
        return [plain_text(row).rstrip() for row in picture.rows]

    return lines


@pytest.fixture
def press(screen):
    """Press keys one after the other, painting between them."""

    def keys_on(desk, *keys, size=(80, 24)):
        for key in keys:
            desk.press(key, key if len(key) == 1 else (" " if key == "space" else None))
            screen(desk, *size)

    return keys_on
