"""Whatever is changed in another tool's file, reading it ends in rows that add up or in bad input, never in a traceback."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path

import pytest
import regex
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judgekit.errors import JudgekitError
from judgekit.files.json_text import dumps
from judgekit.foreign.fields import without_person
from judgekit.foreign.imported import Request
from judgekit.importers.formats import FORMATS, open_foreign

DATA = Path(__file__).parents[1] / "importers" / "data"
FILES = {
    "deepeval": "deepeval/run-4.3.1.json",
    "lm-eval": "lm_eval/samples_support_replies-0.4.13.jsonl",
    "hf": "hf/messages.jsonl",
    "label-studio": "label_studio/export-1.23.2.json",
    "argilla": "argilla/records-2.8.0.json",
}
ANY = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 10**20) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@cache
def start_of(name):
    """The first records of a tool's file, small enough to be written again and again."""
    text = (DATA / FILES[name]).read_text(encoding="utf-8")
    if name in {"lm-eval", "hf"}:
        return [json.loads(line) for line in text.splitlines()[:3]]
    whole = json.loads(text)
    return {**whole, "testCases": whole["testCases"][:3]} if name == "deepeval" else whole[:3]


def places(value, at=()):
    """The way to every value in a document."""
    yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in inner:
        yield from places(entry, (*at, key))


def put(document, at, value):
    """The document with another value at one place."""
    if not at:
        return value
    parent = document
    for key in at[:-1]:
        parent = parent[key]
    parent[at[-1]] = value
    return document


@pytest.mark.parametrize("name", sorted(FILES))
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_changed_file_gives_rows_that_add_up_or_bad_input(name, data, tmp_path_factory):
    """One to three values anywhere in a real file are replaced by anything that JSON can hold."""
    document = copy.deepcopy(start_of(name))
    for _ in range(data.draw(st.integers(1, 3))):
        document = put(document, data.draw(st.sampled_from(list(places(document)))), data.draw(ANY))
    path = tmp_path_factory.getbasetemp() / f"changed-{name}.jsonl"
    lines = name in {"lm-eval", "hf"} and isinstance(document, list)
    path.write_text("\n".join(map(dumps, document)) if lines else dumps(document), encoding="utf-8")
    try:
        reading = open_foreign(Request(path=str(path)), FORMATS[name].kind, name)
        rows = list(reading.rows)
    except JudgekitError:
        return
    reading.tally.check()
    assert len(rows) == reading.tally.rows_out
    dumps(rows)  # what is read can be written
    for row in rows:
        assert isinstance(row["id" if FORMATS[name].kind == "replies" else "item"], str)
        assert FORMATS[name].kind == "labels" or isinstance(row["text"], str)


@settings(max_examples=150)
@given(st.text("ab é_-1\u0301", max_size=25), st.lists(st.integers(0, 24), min_size=4, max_size=4))
def test_who_is_named_leaves_a_prompt_as_a_pattern_of_the_names_would(prompt, cuts):
    """Whole words alone, the longest of two at one place, for names taken from the prompt itself."""
    names = {"v.x": prompt[cuts[0] : cuts[0] + 1 + cuts[1] % 4], "v.y": prompt[cuts[2] : cuts[2] + 1 + cuts[3] % 4]}
    said = {value: name[2:] for name, value in names.items() if len(value) > 1 and value.strip()}
    words = "|".join(map(regex.escape, sorted(said, key=lambda w: (-len(w), w))))
    expected = regex.sub(rf"(?<!\w)(?:{words})(?!\w)", lambda m: f"{{{said[m.group()]}}}", prompt) if said else prompt
    assert without_person(prompt, names, list(names)) == expected
