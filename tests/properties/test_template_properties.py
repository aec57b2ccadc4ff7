"""Templates of any shape: read or refused with a place, never a crash; text without slots stays as it is."""

import json
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from judgekit.errors import BadInput, ConfigProblem
from judgekit.probing.names import load_names
from judgekit.probing.templates import load_templates
from judgekit.templating.forms import Cast, write
from judgekit.templating.slots import parse

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="[]"), max_size=40)
WORDS = st.sampled_from(["{name}", "[[", "]]", "{", "}", "{{", "{age", "a ", "{verb:is}", "{x_2}", "é", " "])
KEYS = st.sampled_from(
    ["id", "text", "turns", "slots", "attributes", "groups", "templates", "recall", "default", "lang", "user", "names", "given", "a"]
)  # fmt: skip
LEAF = st.one_of(st.none(), st.booleans(), st.integers(0, 99), TEXT, WORDS, st.sampled_from(["en", "up", "{age}"]))
TREE = st.recursive(
    LEAF, lambda x: st.one_of(st.lists(x, max_size=3), st.dictionaries(KEYS, x, max_size=4)), max_leaves=12
)


@settings(max_examples=50)
@given(TEXT)
def test_text_without_slots_stays(text):
    """Braces written twice are braces; nothing else changes."""
    escaped = text.replace("{", "{{").replace("}", "}}")
    assert write(escaped, Cast(), lang="en").text == text


def refusal(call, *args):
    """The problem that a call ends with, or None; any other exception is a bug."""
    try:
        call(*args)
    except BadInput as problem:
        return problem
    return None


@settings(max_examples=50)
@given(st.lists(WORDS, max_size=8))
def test_broken_text_is_refused_and_no_more(pieces):
    """Any mix of signs is read or refused with a reason."""
    problem = refusal(parse, "".join(pieces))
    assert problem is None or problem.why


@settings(max_examples=50)
@given(TREE, TREE)
def test_any_file_is_read_or_refused(rows, attributes):
    """Both loaders end with what was read, or with a problem that names the file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.yaml"
        for content, loader in (
            ({"templates": [rows], "attributes": attributes}, load_templates),
            ({"groups": attributes}, load_names),
        ):
            path.write_text(json.dumps(content), encoding="utf-8")
            problem = refusal(loader, path)
            assert problem is None or (isinstance(problem, ConfigProblem) and problem.path == str(path))
