"""Files in which values are of another kind than the tool writes: rows or bad input, and no other end."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from judgekit.errors import BadInput
from judgekit.files.atomic import dumps
from judgekit.foreign.imported import Request
from judgekit.importers.formats import open_foreign

DATA = Path(__file__).with_name("data")
OTHER = (None, 7, -1.5, True, "", "x", "\ud83d", [], {}, [1, None], {"a": {"b": [1]}}, [[["q"]]], {"": ""})


def places(value, path=()):
    """The way to every value in a document."""
    yield path
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in entries:
        yield from places(entry, (*path, key))


def changed(document, rng):
    """The document with some values replaced."""
    ways = [p for p in places(document) if p]
    for *above, last in rng.sample(ways, min(len(ways), 8)):
        inner = document
        try:
            for key in above:
                inner = inner[key]
            inner[last] = rng.choice(OTHER)
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change took this place away
    return document


def small(name):
    """A document of a real file with two or three of its rows."""
    document = json.loads((DATA / name).read_text())
    if "samples" in document:
        samples = [{**s, "events": s["events"][:1]} for s in document["samples"][-2:]]
        return {key: document[key] for key in ("version", "status", "eval")} | {"samples": samples}
    results = document["results"]
    return {**document, "results": {**results, "results": results["results"][2:5], "table": None}}


@pytest.mark.parametrize("name", ["promptfoo/results-0.80.3.json", "inspect/support-0.3.285.json"])
@pytest.mark.parametrize("seed", [1, 2])
def test_values_of_another_kind_do_no_harm(tmp_path, name, seed):
    """Twelve times eight values replaced: every row that comes out can be written, and none goes missing."""
    rng, path, whole = random.Random(seed), tmp_path / "changed.json", json.dumps(small(name))
    taken = 0
    for _ in range(12):
        path.write_text(json.dumps(changed(json.loads(whole), rng)))
        try:
            reading = open_foreign(Request(path=str(path), all_models=True), "replies", name.partition("/")[0])
            rows = [dumps(row) for row in reading.rows]
        except BadInput:
            continue
        reading.tally.check()
        assert len(rows) == reading.tally.rows_out
        taken += 1
    assert taken > 2
