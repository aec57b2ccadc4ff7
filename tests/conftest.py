"""A small study that tests can run from replies to report, with people who label it by a rule that is known."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import importlib.util
import io
import json
import shutil
import signal
import sys
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, settings

# How long an example takes says something about the machine, which may be busy, and nothing about the code.
settings.register_profile("judgekit", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("judgekit")

# Five thousand tests are millions of objects that live to the end: to look for garbage among them takes a tenth of a run.
gc.set_threshold(50_000, 50, 50)

# A shell's background jobs ignore Ctrl-C, and so would everything that tests start from one.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Files that take longest. A worker that begins one of them last is waited for by all the others.
LONGEST = (
    "test_exit_codes.py",
    "test_whole_path.py",
    "test_refusals.py",
    "test_twenty_five_ways.py",
    "test_readme.py",
    "test_guess_group_cli.py",
    "test_decided_beforehand.py",
    "test_layers.py",
    "test_bad_input.py",
    "test_statistics_properties.py",
    "test_blind_by_construction.py",
    "test_label_terminal.py",
)


def pytest_collection_modifyitems(items):
    """The longest files first."""
    place = {name: n for n, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path.name, len(LONGEST)))


def pytest_collection_finish():
    """What was collected is no garbage."""
    gc.freeze()


WARM = ("thanks", "sorry", "glad", "hope")
COLOURS = ("blue", "green", "grey", "yellow", "red", "black", "white")
THINGS = ("parcel", "kettle", "lamp", "chair", "cable", "bag")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
PEOPLE = {
    "women": ("Anna Novak", "Maria Silva", "Priya Devan", "Lena Osei"),
    "men": ("Peter Novak", "Marco Silva", "Arjun Devan", "Kwame Osei"),
    "others": ("Robin Novak", "Alex Silva", "Sasha Devan", "Kim Osei"),
}
TITLES = {"women": "Ms.", "men": "Mr.", "others": "Mx."}
PRONOUNS = {"women": "she/her", "men": "he/him", "others": "they/them"}


def warm_level(text):
    """How many different warm words a text has, from 0 to 4: the truth that people and the stub judge go by."""
    words = set("".join(c if c.isalpha() else " " for c in text.casefold()).split())
    return len(words & set(WARM))


def reply_text(name, level, number):
    """A reply to ``name`` with ``level`` different warm words, different from every other ``number``."""
    colour, thing, day = COLOURS[number % 7], THINGS[number // 7 % 6], DAYS[number // 42 % 5]
    extra = ["Thanks for the message.", "We are sorry for the delay.", "We are glad to check it.", "We hope it helps."]
    tail = "" if number < 210 else f" It is on shelf {'ABCDEFGH'[number // 210]}."
    return " ".join([f"Dear {name},", *extra[:level], f"The {colour} {thing} leaves the house on {day}.{tail}"])


def reply_rows(*, templates=8, groups=("women", "men"), names=4, replicates=2, colder=None, without=()):
    """Rows of replies; ``colder`` maps a group to how many warm words its replies lack in every other template."""
    rows, number = [], 0
    for t in range(templates):
        for group in groups:
            for n in range(names):
                for r in range(replicates):
                    level = (t + n + 2 * r) % 5
                    if t % 2 == 0:
                        level = max(0, level - (colder or {}).get(group, 0))
                    row = {
                        "id": f"reply-{number:04d}",
                        "text": reply_text(PEOPLE[group][n], level, number),
                        "template_id": f"case-{t:02d}",
                        "group": group,
                        "name": PEOPLE[group][n],
                        "name_pair": str(n + 1),
                        "replicate": str(r + 1),
                    }
                    rows.append({k: v for k, v in row.items() if k not in without})
                    number += 1
    return rows


def settings_of(groups=("women", "men"), **changes):
    """Settings of a small confirmatory study; ``changes`` replace whole top-level blocks, None removes one."""
    settings = {
        "study": "small",
        "stage": "confirmatory",
        "data": {"replies": "replies.jsonl", "lang": "en"},
        "groups": {
            "attribute": "gender",
            "values": {
                g: {"label": g, "title": TITLES[g], "pronouns": PRONOUNS[g], "names": list(PEOPLE[g])}
                for g in groups or ()
            },
        },
        "blinding": {"ner": "off"},
        "rubrics": {"warmth": {"rubric": "warmth", "role": "primary", "margin": 1.5}},
        "measured": {"words": {"kind": "word_count", "margin": 9.0}},
        "judge": {"spec": "stub:seed=1"},
        "swap_test": {"texts": 24, "margin": 0.25},
        "labels": {"annotators": ["ana", "karim"], "n": 64, "repeats": 0.0},
        "calibration": {"min_labels": 40, "differential_bias": {"tolerance": 0.5}},
        "decided": {"by": "the quality desk", "date": "2026-02-03"},
    }
    if not groups:
        settings.pop("groups")
    for key, value in changes.items():
        if value is None:
            settings.pop(key, None)
        else:
            settings[key] = value
    return settings


@contextlib.contextmanager
def masks_remembered():
    """Mask each reply once in all the runs of a study.

    Masking takes a quarter of a run, and some hundred runs here mask the very same replies. What a mask is depends on the
    reply and the options alone (tests/blinding proves masks themselves); all that judges a mask is done anew each time.
    """
    from judgekit.blinding.mask import Blinder

    mask = Blinder.mask

    def remembered(self, reply):
        packs, *words = self._options
        if packs or reply.carried or self.ner != "off":
            return mask(self, reply)
        what = (
            self.lang,
            self.contact_details,
            *words,
            *(getattr(reply, f.name) for f in fields(reply) if f.name != "carried"),
        )
        if what not in MASKS:
            MASKS[what] = mask(self, reply)
        return MASKS[what]

    Blinder.mask = remembered
    try:
        yield
    finally:
        Blinder.mask = mask


MASKS = {}


@dataclass
class Said:
    """What a command said and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        """Standard output, which must be exactly one JSON document."""
        return json.loads(self.out)


def command(*args):
    """Run ``judgekit`` in this process."""
    from judgekit.cli.main import main

    out, err, code = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), masks_remembered():
        try:
            main([str(a) for a in args])
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    return Said(code, out.getvalue(), err.getvalue())


def listing(folder):
    """Every file below a folder with the hash of its bytes: equal listings mean that nothing was touched."""
    folder = Path(folder)
    return {
        str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest() if p.is_file() else "folder"
        for p in sorted(folder.rglob("*"))
        if "__pycache__" not in p.parts
    }


@dataclass
class Small:
    """A study in a folder of its own."""

    base: Path
    rows: list = field(default_factory=list)
    settings: dict = field(default_factory=dict)

    @property
    def file(self):
        """The study file."""
        return self.base / "study.yaml"

    @property
    def study(self):
        """The study as it is on disk now."""
        from judgekit.study import load_study

        return load_study(self.base)

    @property
    def space(self):
        """Its paths."""
        from judgekit.workspace import open_workspace

        return open_workspace(self.study)

    def write(self):
        """Write study file and replies."""
        self.base.mkdir(parents=True, exist_ok=True)
        (self.base / "replies.jsonl").write_text("".join(json.dumps(r) + "\n" for r in self.rows), encoding="utf-8")
        self.save()
        return self

    def save(self):
        """Write the study file alone."""
        self.file.write_text(yaml.safe_dump(self.settings, sort_keys=False, allow_unicode=True), encoding="utf-8")

    def change(self, path, value):
        """Edit one key of the study file, such as ``calibration.min_labels``."""
        *blocks, last = path.split(".")
        at = self.settings
        for block in blocks:
            at = at.setdefault(block, {})
        at[last] = value
        self.save()

    def copy(self, to):
        """The same study in another folder, with everything it has written."""
        shutil.copytree(self.base, to)
        return Small(Path(to), [dict(row) for row in self.rows], json.loads(json.dumps(self.settings)))

    def run(self, **options):
        """Walk the whole path in this process."""
        from judgekit.pipeline import run_study

        with masks_remembered():
            return run_study(self.study, **options)

    def label(self, *who, score=None, rubrics=("warmth",), only=None):
        """Let people label the sample; ``score(text, annotator, dimension, levels, group)`` says what they think."""
        from judgekit.files.labels import LabelFile, key_path, label_path, read_key, read_sample
        from judgekit.records import LabelEvent
        from judgekit.rubric import load_rubric

        space, loaded = self.space, [load_rubric(name, base=self.base) for name in rubrics]
        if not space.sample.is_file():
            # `run` writes no sample for a judge that cannot pass; these labels are of an earlier, better one.
            from judgekit import stages
            from judgekit.sampling_stage import write_study_sample

            replies = stages.read_replies_of(self.study)
            write_study_sample(space, loaded, replies, stages.blind(replies, self.study).verified)
        sample, keys = read_sample(space.sample), read_key(key_path(space.sample))
        groups = {row["id"]: row.get("group") for row in self.rows}
        for annotator in who:
            wanted = None if sample.assigned is None else set(sample.assigned[annotator])
            with LabelFile(label_path(space.labels, annotator), annotator, disk=quick_disk()) as file:
                for task in sample.tasks[:only]:
                    if wanted is not None and task.task_id not in wanted:
                        continue
                    for rubric in loaded:
                        for c in rubric.criteria:
                            say = score or truthful
                            value = say(task.text, annotator, c.dimension, c.levels, groups[keys[task.task_id].item])
                            file.append(
                                LabelEvent(
                                    annotator=annotator,
                                    seq=0,
                                    prev_hash="",
                                    task_id=task.task_id,
                                    dimension=c.dimension,
                                    event="skip" if value is None else "score",
                                    value=value,
                                    text_hash=task.text_hash,
                                    rubric_hash=rubric.hash,
                                    ms=1500,
                                    shown_at=datetime.now(UTC)
                                    .isoformat(timespec="milliseconds")
                                    .replace("+00:00", "Z"),
                                )
                            )
        return self

    def calibrated(self, **options):
        """Run, label truthfully, run again."""
        self.run()
        self.label(*self.settings["labels"]["annotators"])
        return self.run(**options)


def quick_disk():
    """The real disk, but nobody waits for it: tests write thousands of labels and never lose power."""
    from judgekit.files.disk import Disk

    class QuickDisk(Disk):
        def fsync(self, *_):
            return None

    return QuickDisk()


def draw(*parts):
    """A number in [0, 1) that depends on the parts alone."""
    return int.from_bytes(hashlib.sha256("|".join(map(str, parts)).encode()).digest()[:6], "big") / 2**48


def truthful(text, annotator, dimension, levels, group):
    """People who count warm words and miss by one in one text of ten."""
    if isinstance(levels[0], str):
        return levels[(warm_level(text) + (draw(annotator, dimension, text) < 0.03)) % len(levels)]
    place = warm_level(text) * (len(levels) - 1) // 4
    if draw(annotator, dimension, text) < 0.10:
        place += 1 if place == 0 else -1
    return levels[place]


JUDGES = '''
"""Judges for tests."""

WARM = {"thanks", "sorry", "glad", "hope"}


def level(text):
    return len(set("".join(c if c.isalpha() else " " for c in text.casefold()).split()) & WARM)


def classes(request):
    return {d: levels[level(request.text) % len(levels)] for d, levels in request.dimensions.items()}


def constant(request):
    return 3


def silent(request):
    return "I would rather not say."


def off_scale(request):
    return 9


def crash(request):
    raise RuntimeError("no such thing")


def shy_of_short_texts(request):
    return "no verdict" if level(request.text) == 0 else 1 + level(request.text)
'''


@pytest.fixture
def planted(tmp_path, monkeypatch):
    """Make ``python:planted_judges:NAME`` importable; returns the SPEC for a name."""
    folder = tmp_path / "judges"
    folder.mkdir()
    (folder / "planted_judges.py").write_text(JUDGES, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    return lambda name: f"python:planted_judges:{name}"


@pytest.fixture
def make_study(tmp_path):
    """Make a small study: ``make_study(name, rows=..., groups=..., **blocks of study.yaml)``."""

    def make(name="small", *, rows=None, groups=("women", "men"), **changes):
        rows = reply_rows(groups=groups or ("women", "men")) if rows is None else rows
        return Small(tmp_path / name, rows, settings_of(groups, **changes)).write()

    return make


@pytest.fixture(scope="session")
def calibrated_study(tmp_path_factory):
    """A study that has run, was labelled and is calibrated. Read only: use ``calibrated_copy`` to change it."""
    small = Small(
        tmp_path_factory.mktemp("studies") / "calibrated", reply_rows(colder={"women": 1}), settings_of()
    ).write()
    small.calibrated()
    return small


@pytest.fixture(scope="session")
def refused_study(tmp_path_factory):
    """A study with a planted gap whose judge is refused: the people disagree with it. Read only."""

    def contrary(text, annotator, dimension, levels, group):
        return levels[int(draw("contrary", text) * 5)]

    small = Small(
        tmp_path_factory.mktemp("studies") / "refused", reply_rows(colder={"women": 2}), settings_of()
    ).write()
    small.run()
    small.label("ana", "karim", score=contrary)
    small.run()
    return small


@pytest.fixture
def calibrated_copy(calibrated_study, tmp_path):
    """A calibrated study that may be changed."""
    return calibrated_study.copy(tmp_path / "calibrated")


@pytest.fixture
def refused_copy(refused_study, tmp_path):
    """A refused study that may be changed."""
    return refused_study.copy(tmp_path / "refused")


@pytest.fixture(scope="session")
def kit():
    """What the studies are made of, for tests that need other shapes."""

    class Kit:
        pass

    for tool in (command, draw, listing, reply_rows, reply_text, settings_of, truthful, warm_level, Small):
        setattr(Kit, tool.__name__, tool if isinstance(tool, type) else staticmethod(tool))
    return Kit


@pytest.fixture(scope="session")
def pages():
    """How documents are read and walked: the module `pages.py` beside this file."""
    name, path = "judgekit_tests_pages", Path(__file__).with_name("pages.py")
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]
