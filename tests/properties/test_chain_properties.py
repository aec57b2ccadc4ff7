"""Chained files and the ledger hold any text, and no single edit of a chained file passes unseen."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from judgekit.errors import BadInput
from judgekit.files.chain import ChainFile, read_chain
from judgekit.files.ledger import Ledger
from judgekit.records import Attempt, Call, Task

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=30)
# Two surrogates side by side that form a pair are the one thing JSON cannot tell from the character they form.
JSON_TEXT = ANY_TEXT.map(lambda text: text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | JSON_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(JSON_TEXT, inner, max_size=3),
    max_leaves=6,
)
ROWS = st.lists(
    st.dictionaries(JSON_TEXT.filter(lambda k: k not in {"hash", "prev_hash"}), VALUES), min_size=1, max_size=4
)


@given(ROWS)
@settings(max_examples=60, deadline=None)
def test_rows_come_back(rows):
    """Whatever JSON values are appended, over two openings, are read back equal."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "c.jsonl"
        for row in rows:
            with ChainFile(path, remedy="-") as file:
                file.append(row)
        assert [dict(link.data) for link in read_chain(path, remedy="-").links] == rows


@given(st.integers(0, 10**6), st.integers(0, 255))
@settings(max_examples=150, deadline=None)
def test_no_changed_byte_passes(place, byte):
    """Any one byte changed to any other is refused, or (in the last newline) costs only what follows it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "c.jsonl"
        with ChainFile(path, remedy="-") as file:
            for n in range(3):
                file.append({"n": n, "text": "warm"})
        content = bytearray(path.read_bytes())
        before = [dict(link.data) for link in read_chain(path, remedy="-").links]
        place %= len(content)
        if content[place] == byte:
            return
        content[place] = byte
        path.write_bytes(content)
        try:
            chain = read_chain(path, remedy="-")
        except BadInput as problem:
            assert problem.line == bytes(path.read_bytes()[:place]).count(b"\n") + 1  # noqa: PT017 - either end is right
        else:
            # The same JSON written differently (a space for a space, \\u for a letter) says the same; a torn end is kept.
            data = [dict(link.data) for link in chain.links]
            assert data == before[: len(data)]
            assert len(data) == 3 or (len(data) == 2 and chain.torn)


@given(st.lists(ANY_TEXT, min_size=1, max_size=5, unique=True))
@settings(max_examples=40, deadline=None)
def test_the_ledger_holds_any_text(texts):
    """Item ids and raw answers of any characters, lone surrogates and NUL among them, come back equal and apart."""
    with tempfile.TemporaryDirectory() as folder, Ledger.open(Path(folder) / "l.sqlite") as ledger:
        tasks = [Task(item=t, rubric_hash="r", judge="j", request_key=f"{n:064x}") for n, t in enumerate(texts)]
        ledger.add_tasks(tasks)
        ledger.add_calls(
            Call(
                request_key=t.request_key,
                body={"text": t.item},
                endpoint="e",
                text_hashes=(),
                order="-",
                repeat=0,
                fingerprint="f",
            )
            for t in tasks
        )
        for task in tasks:
            ledger.intent(task.request_key, "now")
            ledger.received(Attempt(request_key=task.request_key, n=1, intent_at="now", raw=task.item))
        assert {t.item for t in ledger.tasks()} == set(texts)
        stored = ledger.answered(t.request_key for t in tasks)
        assert [stored[t.request_key].raw for t in tasks] == texts
