"""Documents read piece by piece are the documents that were written, wherever the pieces end."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgekit.errors import BadInput
from judgekit.foreign import json_stream
from judgekit.foreign.json_stream import JsonReader

TEXTS = st.text(
    st.characters(codec="utf-16", categories=("L", "N", "P", "Cs", "Zs", "Cc")), max_size=12
) | st.sampled_from(['"', "\\", '\\"', "{", "}", "[1,", "\\\\", ":", ",", "\ud83d", "a" * 40])
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
DOCUMENTS = st.dictionaries(TEXTS, VALUES, max_size=5)
LAYOUTS = st.sampled_from([{}, {"indent": 1}, {"separators": (",", ":")}, {"ensure_ascii": False}])


# A few characters cut every kind of value somewhere; longer pieces hold some values whole.
PIECES = st.sampled_from([5, 5, 60])


def read_all(text, wanted, piece=5):
    """All values of a document's keys that are wanted, entry by entry where they are lists."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_stream, "_CHUNK", piece)
        reader = JsonReader(StringIO(text), "f.json")
        found = {}
        for key in reader.members():
            if key not in wanted:
                reader.skip()
            elif reader.peek() == "[":
                found[key] = [reader.value() for _ in reader.items()]
            else:
                found[key] = reader.value()
        reader.end()
    return found


@pytest.mark.parametrize("number", ["0.5", "-1e5", "1E+22", "12", "true", "null"])
def test_a_number_that_a_piece_cuts_is_read_whole(number):
    """Wherever a piece ends: "0." is a whole number and more, and so is "1e+"."""
    for before in range(8):
        text = '{"' + "k" * before + f'": [{number}, {number}]}}'
        assert read_all(text, {"k" * before}) == json.loads(text)


@settings(max_examples=20)
@given(DOCUMENTS, LAYOUTS, st.data())
def test_what_is_wanted_comes_back_and_the_rest_is_passed_over(document, layout, data):
    """Every value as json reads it, for any document, layout and choice of keys."""
    text = json.dumps(document, **layout)
    wanted = data.draw(st.sets(st.sampled_from(sorted(document)))) if document else set()
    assert read_all(text, wanted, data.draw(PIECES)) == {k: v for k, v in json.loads(text).items() if k in wanted}


@settings(max_examples=15)
@given(DOCUMENTS.filter(bool), LAYOUTS, st.data())
def test_a_document_that_breaks_off_is_never_taken_for_whole(document, layout, data):
    """Cut anywhere, it is bad input, also where the broken value would be passed over."""
    text = json.dumps(document, **layout)
    cut = text[: data.draw(st.integers(0, len(text) - 1))]
    with pytest.raises(BadInput):
        read_all(cut, data.draw(st.sets(st.sampled_from(sorted(document)))), data.draw(PIECES))


@settings(max_examples=40)
@given(st.text(st.sampled_from('{}[],:"\\u0a1-.eEnutrfl \n\x00é'), max_size=30))
def test_any_text_is_json_or_bad_input(text):
    """No text ends in another error; what is taken as a whole is what json takes, but for numbers that are missing."""
    try:
        expected = [json.loads(text, parse_constant=lambda _: None)]
    except ValueError:
        expected = []
    try:
        found = JsonReader(StringIO(text), "f.json").value()
    except BadInput:
        assert expected == []
        return
    json.dumps(found, allow_nan=False)
    assert expected in ([found], [])
