"""The ledger: what is stored is stored once, comes back exactly, and survives every fault."""

import os
import sqlite3
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from judgekit.errors import BadInput, DiskFailed, InUse
from judgekit.files.ledger import FINAL_KINDS, Ledger
from judgekit.files.ledger_schema import MIGRATIONS, outcome_from_json, outcome_to_json
from judgekit.records import Arm, Attempt, Call, Judgment, Preference, Scored, Task, Unscored

NOW = "2026-01-05T09:00:00.000Z"
ROOT = Path(__file__).resolve().parents[2]


def key(n):
    """The request key of call ``n``."""
    return f"{n:064x}"


def task(n, **other):
    """A task of item ``n``."""
    return Task(**{"item": f"r{n:03}", "rubric_hash": "r" * 64, "judge": "stub", "request_key": key(n), **other})


def call(n):
    """A request ``n``."""
    return Call(
        request_key=key(n), body={"n": n}, endpoint="stub", text_hashes=("t",), order="-", repeat=0, fingerprint="f"
    )


def judgment(of, outcome, **other):
    """A judgment of a task."""
    given = {"dimension": "warmth", "text_hash": "t", "fingerprint": "f", "parser_version": "1", **other}
    return Judgment(task=of, outcome=outcome, **given)


def answer(n, raw="{}", number=1):
    """An answered attempt of call ``n``."""
    return Attempt(request_key=key(n), n=number, intent_at=NOW, sent_at=NOW, received_at=NOW, raw=raw)


@pytest.fixture
def path(tmp_path):
    """Where the ledger is."""
    return tmp_path / "ledger.sqlite"


@pytest.fixture
def ledger(path):
    """An open ledger."""
    with Ledger.open(path) as made:
        yield made


def test_file_is_private_and_durable(ledger, path):
    """Every file of the ledger is 0600, in WAL mode with full synchronisation."""
    ledger.add_tasks([task(1)])
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
    assert ledger._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert ledger._connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_tasks_come_back_once_and_in_order(ledger):
    """Tasks added in any order, any number of times, come back once each, sorted, exactly as they were."""
    arm = Arm(kind="identity", identity="Grace", group="a", token_change=0.25)
    tasks = [task(3), task(1), task(2, arm=arm), task(2, pair_id="p1", order="ba", repeat=2), task(9, item="\ud800Ω")]
    ledger.add_tasks(tasks)
    ledger.add_tasks(reversed(tasks))
    assert sorted(ledger.tasks(), key=repr) == sorted(tasks, key=repr)
    assert [t.item for t in ledger.tasks()][:3] == ["r001", "r002", "r003"]


def test_calls_are_added_once_and_come_back(ledger):
    """The first body of a key stays; adding it again changes nothing."""
    ledger.add_tasks([task(1)])
    assert list(ledger.calls([key(1)])) == []
    ledger.add_calls([call(1), call(2), call(1)])
    assert sorted(ledger.calls([key(1), key(2), key(3)]), key=lambda c: c.request_key) == [call(1), call(2)]


def test_intent_answer_and_pending(ledger):
    """A call is pending until its raw answer is stored, whatever its attempts met before."""
    ledger.add_calls([call(1), call(2)])
    assert ledger.intent(key(1), NOW) == 1
    ledger.failed(Attempt(request_key=key(1), n=1, intent_at=NOW, error_kind="server", error_detail="500"))
    assert ledger.pending([key(2), key(1), key(2)]) == [key(2), key(1)]
    assert ledger.intent(key(1), NOW) == 2
    full = Attempt(
        request_key=key(1),
        n=2,
        intent_at=NOW,
        sent_at=NOW,
        received_at=NOW,
        status=200,
        raw='{"score": 4, "reason": "\ud83d \x00"}',
        finish_reason="stop",
        served_model="m",
        system_fingerprint="fp",
        usage={"total_tokens": 7},
        cost=0.25,
    )
    ledger.received(full)
    assert ledger.answered([key(1), key(2)]) == {key(1): full}
    assert ledger.pending([key(1), key(2)]) == [key(2)]
    assert ledger.latest([key(1)]) == {key(1): full}


def test_a_call_is_answered_once(ledger):
    """A second answer, an answer without intent and an intent after the answer are all refused."""
    ledger.add_calls([call(1)])
    with pytest.raises(BadInput, match="not open"):
        ledger.received(answer(1))
    ledger.intent(key(1), NOW)
    ledger.received(answer(1))
    with pytest.raises(BadInput, match="not open"):
        ledger.received(answer(1, raw="other"))
    with pytest.raises(BadInput, match="answer already"):
        ledger.intent(key(1), NOW)
    with pytest.raises(BadInput, match="not in the ledger"):
        ledger.intent(key(2), NOW)
    assert ledger.answered([key(1)])[key(1)].raw == "{}"


def test_schema_itself_forbids_a_second_answer(ledger):
    """Two answers of one call cannot stand in the file even when the code is bypassed."""
    ledger.add_calls([call(1)])
    insert = "INSERT INTO attempts (call_id, n, intent_at, raw) VALUES (1, ?, 'x', 'y')"
    ledger._connection.execute(insert, (1,))
    with pytest.raises(sqlite3.IntegrityError):
        ledger._connection.execute(insert, (2,))


@pytest.mark.parametrize(
    "wrong",
    [Attempt(request_key=key(1), n=1, intent_at=NOW), answer(1), answer(1, raw=None)],
    ids=["open", "raw", "none"],
)
def test_a_failure_has_a_kind_and_no_answer(ledger, wrong):
    """Attempts that are neither answer nor error are refused."""
    with pytest.raises(BadInput):
        ledger.failed(wrong)
    if wrong.raw is None:
        with pytest.raises(BadInput):
            ledger.received(wrong)


def test_final_failures_are_not_retried_unless_asked(ledger):
    """Errors that would come again leave the pending list, and return to it on request; passing ones stay in it."""
    kinds = [*sorted(FINAL_KINDS), "server", "in_doubt"]
    ledger.add_calls([call(n) for n in range(len(kinds))])
    for n, kind in enumerate(kinds):
        ledger.intent(key(n), NOW)
        ledger.failed(Attempt(request_key=key(n), n=1, intent_at=NOW, error_kind=kind))
    keys = [key(n) for n in range(len(kinds))]
    assert [kinds[keys.index(k)] for k in ledger.pending(keys)] == ["server", "in_doubt"]
    assert ledger.pending(keys, retry_final=True) == keys
    assert {a.error_kind for a in ledger.final_failures(keys).values()} == FINAL_KINDS


def test_calls_in_flight_are_in_doubt_after_a_crash(path):
    """An intent without an answer is listed, closed once, and its call is pending again."""
    with Ledger.open(path) as ledger:
        ledger.add_calls([call(1), call(2)])
        ledger.intent(key(1), NOW)
        ledger.intent(key(2), NOW)
        ledger.received(answer(2))
    with Ledger.open(path) as ledger:
        assert [a.request_key for a in ledger.in_doubt()] == [key(1)]
        assert ledger.pending([key(1), key(2)]) == [key(1)]
        assert [a.request_key for a in ledger.close_in_doubt()] == [key(1)]
        assert ledger.in_doubt() == ledger.close_in_doubt() == []
        assert ledger.latest([key(1)])[key(1)].error_kind == "in_doubt"
        assert ledger.intent(key(1), NOW) == 2


OUTCOMES = [
    Scored(4),
    Scored(3, coerced=True, expected=3.25, distribution={"3": 0.75, "4": 0.25}),
    Scored("yes"),
    Unscored("refusal", "no \ud800 thanks"),
    Unscored("empty"),
    Preference("inconsistent"),
]


@pytest.mark.parametrize("outcome", OUTCOMES, ids=repr)
def test_outcomes_round_trip(outcome):
    """Every outcome comes back equal, of the same type; a missing score never as a number."""
    back = outcome_from_json(outcome_to_json(outcome))
    assert back == outcome
    assert type(getattr(back, "value", None)) is type(getattr(outcome, "value", None))


def test_an_unknown_outcome_is_refused():
    """A stored outcome that is neither score, failure nor preference is an error, not a default."""
    with pytest.raises(BadInput):
        outcome_from_json('{"value": 3}')


def test_judgments_are_filtered_and_do_not_depend_on_order(ledger):
    """Recorded in any order and twice, judgments come back once, sorted, by every filter."""
    tasks = [task(n) for n in range(4)] + [task(7, item="r000", arm=Arm(kind="control", of_arm="x"), judge="other")]
    ledger.add_tasks(tasks)
    made = [judgment(t, outcome) for t, outcome in zip(tasks, OUTCOMES, strict=False)]
    made.append(judgment(tasks[0], Scored(2), dimension="quality"))
    made.append(judgment(tasks[0], Scored(5), parser_version="2"))
    ledger.record_judgments(reversed(made))
    first = ledger.judgments()
    ledger.record_judgments(made)
    assert ledger.judgments() == first
    assert sorted(first, key=repr) == sorted(made, key=repr)
    assert ledger.judgments(judge="other") == [made[4]]
    assert ledger.judgments(arm_kinds=["control"]) == [made[4]]
    assert ledger.judgments(arm_kinds=[]) == ledger.judgments(items=[]) == []
    assert {j.task.item for j in ledger.judgments(items=["r001", "r002"])} == {"r001", "r002"}
    assert [j.outcome for j in ledger.judgments(parser_version="2")] == [Scored(5)]
    assert ledger.judgments(rubric_hash="none") == []


def test_recording_again_replaces_the_outcome(ledger):
    """A failure that was later answered gives one judgment: the answer's."""
    ledger.add_tasks([task(1)])
    ledger.record_judgments([judgment(task(1), Unscored("server"))])
    ledger.record_judgments([judgment(task(1), Scored(3))])
    assert [j.outcome for j in ledger.judgments()] == [Scored(3)]


def test_a_judgment_needs_its_task(ledger):
    """A judgment of an unknown task is refused, and nothing of its batch is stored."""
    ledger.add_tasks([task(1)])
    with pytest.raises(BadInput, match="not in the ledger"):
        ledger.record_judgments([judgment(task(1), Scored(3)), judgment(task(2), Scored(3))])
    assert ledger.judgments() == []


def test_a_changed_text_supersedes_its_task(ledger):
    """The same task under a new request hides the old judgment without losing it, and may come back."""
    old, new = task(1), task(1, request_key=key(2))
    ledger.add_tasks([old])
    ledger.record_judgments([judgment(old, Scored(1))])
    ledger.add_tasks([new])
    assert ledger.judgments() == []
    ledger.record_judgments([judgment(new, Scored(5))])
    assert [j.outcome for j in ledger.judgments()] == [Scored(5)]
    assert len(ledger.judgments(superseded=True)) == 2
    assert list(ledger.tasks()) == [new]
    ledger.add_tasks([old])
    assert [j.outcome for j in ledger.judgments()] == [Scored(1)]


def test_many_tasks_share_one_call(ledger):
    """Items with the same masked text have one request between them and a judgment each."""
    tasks = [task(1, item=f"same{n}") for n in range(3)]
    ledger.add_tasks(tasks)
    ledger.add_calls([call(1)])
    assert ledger.pending(t.request_key for t in tasks) == [key(1)]
    ledger.record_judgments(judgment(t, Scored(3)) for t in tasks)
    assert len(ledger.judgments()) == 3


def test_more_keys_than_one_statement_takes(ledger):
    """Lists of keys longer than SQLite's parameters work, with the order kept."""
    ledger.add_calls(call(n) for n in range(1203))
    with ledger.batch():
        for n in range(0, 1203, 2):
            ledger.intent(key(n), NOW)
            ledger.received(answer(n))
    assert ledger.pending(key(n) for n in range(1203)) == [key(n) for n in range(1, 1203, 2)]
    assert len(ledger.answered(key(n) for n in range(1203))) == 602


def test_reading_while_writing_sees_one_state(ledger):
    """A list being read is not disturbed by what is written meanwhile."""
    ledger.add_tasks(task(n) for n in range(10))
    reading = ledger.tasks()
    next(reading)
    ledger.add_tasks(task(n) for n in range(10, 20))
    assert len(list(reading)) == 9
    assert len(list(ledger.tasks())) == 20


def test_a_batch_is_all_or_nothing(ledger):
    """An error inside a batch takes everything in it back."""
    ledger.add_calls([call(1)])

    def two():
        with ledger.batch():
            ledger.intent(key(1), NOW)
            ledger.intent(key(99), NOW)

    with pytest.raises(BadInput):
        two()
    assert ledger.in_doubt() == []
    assert ledger.intent(key(1), NOW) == 1


def test_second_writer_is_told_who_writes(ledger, path):
    """Another process that opens the same ledger ends with exit 2 and the holder's process id."""
    code = textwrap.dedent(
        """
        import sys
        from judgekit.errors import JudgekitError
        from judgekit.files.ledger import Ledger
        try:
            Ledger.open(sys.argv[1])
        except JudgekitError as problem:
            print(problem)
            sys.exit(problem.exit_code)
        """
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(path)], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == 2, run.stderr
    assert f"process {os.getpid()}" in run.stdout
    with pytest.raises(InUse):
        Ledger.open(path)
    with Ledger.open(path, read_only=True) as reader:
        assert reader.in_doubt() == []


def test_lock_is_free_after_closing(path):
    """The next process can write when the first is done; a left lock file is no obstacle."""
    Ledger.open(path).close()
    with Ledger.open(path) as again:
        again.add_tasks([task(1)])
    assert path.with_name(".ledger.sqlite.lock").exists()


def test_other_files_are_left_alone(tmp_path):
    """Another program's database, a text file, a folder and a newer ledger are refused unchanged."""
    foreign = tmp_path / "foreign.sqlite"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    text = tmp_path / "text.sqlite"
    text.write_text("hello, this is not a database at all " * 50)
    for file in (foreign, text):
        before = file.read_bytes()
        for read_only in (False, True):
            with pytest.raises(BadInput, match="ledger"):
                Ledger.open(file, read_only=read_only)
        assert file.read_bytes() == before
    with pytest.raises(DiskFailed):
        Ledger.open(tmp_path)
    with pytest.raises(DiskFailed):
        Ledger.open(tmp_path / "missing" / "ledger.sqlite")
    with pytest.raises(BadInput):
        Ledger.open(tmp_path / "missing.sqlite", read_only=True)
    newer = tmp_path / "newer.sqlite"
    with Ledger.open(newer) as ledger:
        ledger._connection.execute("UPDATE meta SET value = '99'")
    with pytest.raises(BadInput, match="newer judgekit"):
        Ledger.open(newer)


def test_schema_version_counts_the_migrations(ledger):
    """A new ledger is at the last migration, and its own key cannot be overwritten."""
    assert ledger.noted("schema_version") == str(len(MIGRATIONS))
    with pytest.raises(BadInput):
        ledger.note("schema_version", "0")


def test_an_interrupted_migration_is_taken_up_again(path, monkeypatch):
    """A migration that fails half-way leaves no table behind, and the next opening does it."""

    def broken(connection):
        MIGRATIONS[0][1](connection)
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("judgekit.files.ledger_schema.MIGRATIONS", (("create_tables", broken),))
        with pytest.raises(DiskFailed):
            Ledger.open(path)
    with Ledger.open(path) as ledger:
        ledger.add_tasks([task(1)])
        assert len(list(ledger.tasks())) == 1


def test_notes_are_kept(path):
    """A noted fact is there after reopening; the last one counts."""
    with Ledger.open(path) as ledger:
        assert ledger.noted("seal") is None
        ledger.note("seal", "a")
        ledger.note("seal", "b")
    with Ledger.open(path, read_only=True) as ledger:
        assert ledger.noted("seal") == "b"


class Faulty:
    """A connection whose ``at``-th statement fails as on a full or broken disk."""

    def __init__(self, connection, at, message):
        self.connection, self.at, self.message, self.count = connection, at, message, 0

    def _next(self):
        self.count += 1
        if self.count == self.at:
            raise sqlite3.OperationalError(self.message)

    def execute(self, *args):
        self._next()
        return self.connection.execute(*args)

    def executemany(self, *args):
        self._next()
        return self.connection.executemany(*args)

    def __getattr__(self, name):
        return getattr(self.connection, name)


def everything(ledger):
    """The whole life of two calls, from task to judgment."""
    ledger.add_tasks([task(1), task(2)])
    ledger.add_calls([call(1), call(2)])
    for n in (1, 2):
        if ledger.pending([key(n)]):
            number = ledger.intent(key(n), NOW)
            ledger.received(answer(n, number=number))
    ledger.record_judgments([judgment(task(n), Scored(n)) for n in (1, 2)])


def test_a_fault_at_any_statement_leaves_old_or_new(tmp_path):
    """With each statement failing in turn: exit 3, the file named, every step before it kept, the next run completes."""
    with Ledger.open(tmp_path / "plain.sqlite") as ledger:
        counter = ledger._connection = Faulty(ledger._connection, 0, "")
        everything(ledger)
        expected = ledger.judgments()
    sites = counter.count
    assert sites > 25
    for at in range(1, sites + 1):
        path = tmp_path / f"l{at}.sqlite"
        message = "database or disk is full" if at % 2 else "disk I/O error"
        with Ledger.open(path) as ledger:
            ledger._connection = Faulty(ledger._connection, at, message)
            with pytest.raises(DiskFailed, match=f"l{at}.sqlite") as caught:
                everything(ledger)
            assert caught.value.exit_code == 3
        with Ledger.open(path) as ledger:
            assert len(list(ledger.tasks())) in {0, 2}
            ledger.close_in_doubt()
            everything(ledger)
            assert ledger.judgments() == expected
            assert len(ledger.answered([key(1), key(2)])) == 2
            assert ledger._connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_really_full_database_is_reported(ledger):
    """SQLite's own error for a full file ends as exit 3, and what was there is intact."""
    ledger.add_tasks([task(1)])
    pages = ledger._connection.execute("PRAGMA page_count").fetchone()[0]
    ledger._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(DiskFailed, match="free space"):
        ledger.add_tasks(task(n) for n in range(1000))
    assert list(ledger.tasks()) == [task(1)]
    ledger._connection.execute("PRAGMA max_page_count = 1000000")
    ledger.add_tasks(task(n) for n in range(1000))
    assert len(list(ledger.tasks())) == 1000


def test_a_database_held_by_another_program_is_said(ledger, path):
    """A lock of a foreign program ends as exit 2 with advice, not as a stack trace."""
    ledger._connection.execute("PRAGMA busy_timeout = 10")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(InUse, match="another program"):
        ledger.add_tasks([task(1)])
    other.execute("ROLLBACK")
    other.close()
    ledger.add_tasks([task(1)])
