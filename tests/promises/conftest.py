"""One prepared study whose judge is refused, and the numbers that nobody may then see."""

import contextlib
import dataclasses
import io
import json
import logging
import shutil
import traceback

import pytest
import regex

TWO_LEVELS = """
id: thanks
version: "1"
title: {en: Thanks}
criteria:
  - dimension: thanks
    scale: ordinal
    levels: [1, 2]
    question: {en: "Is the reply warm?"}
    anchors: {en: {1: "It is not.", 2: "It is."}}
"""

# Chosen so that no refused number looks like one that may be shown: else its absence could not be told.
SEED = 8

# A clock's seconds and the parts of a version are no decimals of their own.
NUMBER = regex.compile(r"(?<![\w.:,])[-+−]?(\d+)[.,](\d{2,})(?:[eE]([-+]?\d+))?(%?)(?![\w:]*:)")


class Numbers:
    """The refused numbers of a study by name, and whether one of them stands in a text.

    ``first`` are the gaps, means and rates of all replies: they are known from two digits on, all others from three, since
    a page has too many numbers of two digits for none of them to look like an end of an interval. As percentages only what
    is a share is looked for.
    """

    def __init__(self, first, others):
        self.first, self.by_name = first, first | others

    def seen(self, text):
        """Those that stand in a text, to as many digits as it gives, also as a percentage."""
        found = set()
        for whole, digits, power, percent in set(NUMBER.findall(text)):
            scale = 10.0 ** (int(power or 0) - 2 * bool(percent))
            value, half = float(f"{whole}.{digits}") * scale, 0.5000001 * 10.0 ** -len(digits) * scale
            known = self.first if len(digits) < 3 else self.by_name
            shown = f"{whole}.{digits}{percent}"
            found |= {
                (name, shown)
                for name, n in known.items()
                if abs(value - abs(n)) <= half and not (percent and name.startswith("warmth"))
            }
        return found


def scores_by_rule(kit, rows):
    """What the planted judge gives each reply: warm words are counted, half a level goes up."""
    found = {}
    for row in rows:
        warm = kit.warm_level(row["text"])
        found["warmth", row["id"]] = 1 + warm
        found["thanks", row["id"]] = 1 + (warm >= 2)
    return found


def mean(values):
    """The plain mean."""
    values = list(values)
    return sum(values) / len(values)


def true_numbers(small, kit, labels):
    """Gaps, means, rates and biases of the refused judge, from the replies and the labels alone."""
    scores, group_of = scores_by_rule(kit, small.rows), {row["id"]: row["group"] for row in small.rows}
    found = {}
    for dimension in ("warmth", "thanks"):
        for group in ("women", "men"):
            everywhere = [scores[dimension, i] for i, g in group_of.items() if g == group]
            labelled = {i for (d, i, _) in labels if d == dimension and group_of[i] == group}
            judged = mean(scores[dimension, i] for i in labelled)
            people = mean(v for (d, i, _), v in labels.items() if d == dimension and i in labelled)
            found[f"{dimension}, mean of {group}"] = mean(everywhere)
            found[f"{dimension}, mean of labelled {group}"] = judged
            found[f"{dimension}, judge minus people for {group}"] = judged - people
            if dimension == "thanks":
                found[f"rate of {group}"] = mean(everywhere) - 1
                found[f"rate of labelled {group}"] = judged - 1
        for kind in ("mean of", "mean of labelled", "judge minus people for"):
            women, men = (found[f"{dimension}, {kind} {group}"] for group in ("women", "men"))
            found[f"{dimension}, difference of {kind} groups"] = women - men
    return found


def evidence_of(small):
    """The joined evidence of a study and the verdicts on it."""
    from judgekit.calibration import calibrate
    from judgekit.pipeline import evidence_of

    evidence = evidence_of(small.study)
    return evidence, calibrate(evidence)


def forged(evidence, dimension="warmth"):
    """A verdict put together past its constructor."""
    from judgekit.records import Calibrated, Contrast

    made = object.__new__(Calibrated)
    fields = {
        "judge": evidence.judge,
        "dimension": dimension,
        "contrast": Contrast("women", "men"),
        "evidence": {"digest": evidence.digest()},
        "conditions": (),
        "publish_raw": True,
    }
    for name, value in fields.items():
        object.__setattr__(made, name, value)
    return made


def what_is_withheld(evidence):
    """Every number of the gaps that a forged verdict would open, were it believed."""
    from judgekit import gaps

    honest, gaps.was_issued = gaps.was_issued, lambda _: True
    try:
        opened = gaps.judged_gaps(evidence, [forged(evidence, d) for d in ("warmth", "thanks")], {})
    finally:
        gaps.was_issued = honest
    found = {}
    for gap in opened:
        for kind in ("raw", "corrected"):
            estimate = getattr(gap, kind)
            found[f"{gap.metric}, {kind} gap"] = estimate.value
            found[f"{gap.metric}, {kind} gap, lower end"] = estimate.interval.low
            found[f"{gap.metric}, {kind} gap, upper end"] = estimate.interval.high
    return found


def contrary_to(kit, seed):
    """People who agree with each other and hardly with the judge; one in nine of their scores is left out."""

    def score(text, annotator, dimension, levels, group):
        if kit.draw(seed, "left out", annotator, dimension, text) < 1 / 9:
            return None
        place = int(kit.draw(seed, dimension, text) * len(levels))
        if kit.draw(seed, "agrees", dimension, text) < 0.35:
            place = kit.warm_level(text) * (len(levels) - 1) // 4
        return levels[place]

    return score


@dataclasses.dataclass
class Prepared:
    """A refused study that was run, its numbers, its evidence and verdicts. Nobody changes it: ways work on copies."""

    small: object
    numbers: Numbers
    evidence: object
    verdicts: list
    contents: dict


@pytest.fixture(scope="module")
def prepared(tmp_path_factory, kit):
    """Women are answered two warm words less warmly in every other message; the judge is refused on both criteria."""
    settings = kit.settings_of(
        rubrics={
            "warmth": {"rubric": "warmth", "role": "primary", "margin": 1.5},
            "thanks": {"rubric": "thanks.yaml", "role": "secondary", "margin": 0.5},
        },
        labels={"annotators": ["ana", "karim"], "n": 46, "repeats": 0.0, "practice": 0, "tryout": 0},
        calibration={"min_labels": 20, "differential_bias": {"tolerance": 0.5}},
    )
    for block in settings["groups"]["values"].values():
        block["names"] = block["names"][:3]
    rows = kit.reply_rows(templates=11, names=3, replicates=1, colder={"women": 2})
    small = kit.Small(tmp_path_factory.mktemp("ways") / "refused", rows, settings)
    small.base.mkdir()
    (small.base / "thanks.yaml").write_text(TWO_LEVELS, encoding="utf-8")
    small.write().run()
    small.label("ana", "karim", rubrics=("warmth", "thanks.yaml"), score=contrary_to(kit, SEED))
    small.run()
    evidence, verdicts = evidence_of(small)
    labels = {
        (label.dimension, label.item, label.annotator): label.value
        for label in evidence.labels
        if label.value is not None
    }
    by_hand, opened = true_numbers(small, kit, labels), what_is_withheld(evidence)
    for dimension in ("warmth", "thanks"):
        assert opened[f"{dimension}, raw gap"] == pytest.approx(by_hand[f"{dimension}, difference of mean of groups"])
    every = by_hand | opened
    first = {name: n for name, n in every.items() if regex.search(r" gap$|(mean|rate) of (wo)?men$", name)}
    return Prepared(small, Numbers(first, every), evidence, verdicts, kit.listing(small.base))


class Attempt:
    """A copy of the prepared study, everything that was said to one who tried something on it, and how it ended."""

    def __init__(self, prepared, base, kit, monkeypatch):
        self.prepared, self.kit, self.monkeypatch = prepared, kit, monkeypatch
        shutil.copytree(prepared.small.base, base)
        small = prepared.small
        self.small = kit.Small(base, [dict(row) for row in small.rows], json.loads(json.dumps(small.settings)))
        self.base, self.evidence, self.verdicts = base, prepared.evidence, prepared.verdicts
        self.told, self.ends = [], []

    @property
    def runs(self):
        """The run folders, oldest first."""
        return sorted(path for path in (self.base / "runs").iterdir() if path.is_dir())

    @property
    def run(self):
        """The latest run folder."""
        return self.runs[-1]

    def tell(self, *args):
        """Run a command; what it says is kept."""
        said = self.kit.command(*args)
        self.told += [said.out, said.err]
        self.ends.append(said.code)
        assert "bug" not in said.err
        return said

    def raises(self, function, *, kind, match=None):
        """Call something that must raise; what the exception says is kept."""
        with pytest.raises(kind, match=match) as caught:
            function()
        self.told += [repr(caught.value), "".join(traceback.format_exception(caught.value))]
        self.ends.append(getattr(caught.value, "exit_code", "error"))

    forged = staticmethod(forged)

    @contextlib.contextmanager
    def log(self):
        """Keep everything that is logged meanwhile."""
        stream = io.StringIO()
        handler, root = logging.StreamHandler(stream), logging.getLogger()
        level = root.level
        root.addHandler(handler)
        root.setLevel(logging.DEBUG)
        try:
            yield
        finally:
            root.removeHandler(handler)
            root.setLevel(level)
            self.told.append(stream.getvalue())

    def show(self, *things):
        """Keep what somebody got to see without a command."""
        self.told += [thing if isinstance(thing, str) else repr(thing) for thing in things]

    def refused(self, document):
        """Both metrics are refused in a document of a command, and no judged one has a gap; the codes of the reasons."""
        assert {r["metric"] for r in document["refused"]} <= {"warmth", "thanks"}
        assert document["refused"]
        assert not {"warmth", "thanks"} & {c["metric"] for c in document.get("contrasts", ())}
        return {reason["code"] for r in document["refused"] for reason in r["reasons"]}

    def table(self, name, **columns):
        """A table of the judge's scores with the design beside them, as somebody would join it from the run's files."""
        design = {row["id"]: row for row in self.small.rows}
        judged = [json.loads(line) for line in (self.run / "judgments.jsonl").read_text().splitlines()[1:]]
        rows = [
            {"item": row["item"], **{k: design[row["item"]][k] for k in ("template_id", "group", "name")}}
            | {column: change(row) for column, change in columns.items()}
            for row in judged
            if row["dimension"] == "warmth"
        ]
        lines = [",".join(map(str, row.values())) for row in rows]
        path = self.base / name
        path.write_text("\n".join([",".join(rows[0]), *lines]) + "\n", encoding="utf-8")
        return path

    def check(self, brought=()):
        """No refused number was said, or stands in a file that the way has made or changed."""
        for text in self.told:
            assert not self.prepared.numbers.seen(text), text[:2000]
        before = {f"{self.base.name}/{name}": digest for name, digest in self.prepared.contents.items()}
        for name, digest in self.kit.listing(self.base.parent).items():
            path = self.base.parent / name
            if path.is_file() and digest != before.get(name) and path not in brought:
                seen = self.prepared.numbers.seen(path.read_text(encoding="utf-8", errors="replace"))
                assert not seen, (name, seen)


@pytest.fixture
def attempt(prepared, tmp_path, kit, monkeypatch):
    """A copy of the prepared study for one way."""
    return Attempt(prepared, tmp_path / "refused", kit, monkeypatch)
