"""Promise 7: one ledger per study, intent before a call, raw answer before parsing, nothing received is asked again.

Kills at any moment are in `tests/crash`.
"""

import json

import pytest

from judgekit.errors import BudgetSpent
from judgekit.files.ledger import Ledger
from judgekit.pipeline import plan_run


def attempts(small):
    """Attempts in the ledger as (request key, answered)."""
    with Ledger.open(small.space.ledger, read_only=True) as ledger:
        return ledger._connection.execute(
            "SELECT request_key, raw IS NOT NULL FROM attempts JOIN calls ON calls.id = call_id"
        ).fetchall()


REWORDER = """
def reword(request):
    return f"<reworded>{request.text.replace('Thanks', 'Many thanks')}</reworded>"
"""


def test_a_budget_holds_for_all_parts_of_a_run_and_the_next_goes_on(make_study, kit, tmp_path, monkeypatch):
    """``max_calls``: rewording, judging, swap test, pairs and hostile replies share it; each call is asked for once."""
    (tmp_path / "planted_rewording.py").write_text(REWORDER, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    rows = kit.reply_rows(templates=3, replicates=1)
    for n, row in enumerate(rows):
        row["text"] = f"{row['text']} Thanks for order {n}."
    small = make_study(
        rows=rows,
        judge={"spec": "stub:seed=1", "max_calls": 70, "concurrency": 2, "injection": True},
        swap_test={"texts": 6, "pairs": 3, "paraphrase": "python:planted_rewording:reword"},
    )
    for runs in (1, 2):
        with pytest.raises(BudgetSpent, match="max_calls") as problem:
            small.run()
        assert problem.value.exit_code == 3
        # Exactly the budget, in whatever part the run is then: none has a budget of its own.
        assert len(attempts(small)) == 70 * runs
    while kit.command("run", small.base, "--resume").code == 3:
        runs += 1
        assert len(attempts(small)) == 70 * runs
    found = attempts(small)
    assert len(found) > 140
    assert plan_run(small.study).to_send == 0
    assert len({key for key, _ in found}) == len(found)
    assert all(answered for _, answered in found)


def test_a_stopped_run_writes_no_report(make_study, kit):
    """An unfinished run has a manifest and nothing else, and --resume fills that folder."""
    small = make_study(
        rows=kit.reply_rows(templates=3, replicates=1), judge={"spec": "stub:seed=1", "max_calls": 20, "concurrency": 2}
    )
    said = kit.command("run", small.base)
    assert said.code == 3
    assert said.out == ""
    (run,) = (small.base / "runs").glob("small-*")
    assert {p.name for p in run.iterdir()} == {"manifest.json", ".gitignore"}
    while (said := kit.command("run", small.base, "--resume", "--json")).code == 3:
        assert said.out == ""
    assert said.json["run_dir"] == str(run)
    assert (run / "report.md").is_file()


def test_the_raw_answer_is_kept_where_it_cannot_be_read(make_study, planted, kit):
    """What the parser refuses stands in the ledger as it came."""
    small = make_study(rows=kit.reply_rows(templates=2, replicates=1), judge={"spec": planted("silent")})
    small.run()
    with Ledger.open(small.space.ledger, read_only=True) as ledger:
        raws = {row[0] for row in ledger._connection.execute("SELECT raw FROM attempts")}
    assert raws == {"I would rather not say."}


def test_the_dry_run_counts_calls_and_makes_none(make_study, kit):
    """`run --dry-run`: replies, failed ones, calls, answered, to send; nothing is written; afterwards nothing is to send."""
    rows = kit.reply_rows(templates=3, replicates=1)
    small = make_study(rows=[*rows, rows[0] | {"id": "broken", "text": "", "error": "crashed"}])
    before = kit.listing(small.base)
    plan = kit.command("run", small.base, "--dry-run", "--json").json
    assert kit.listing(small.base) == before
    assert (plan["replies"], plan["verified"], plan["withheld"], plan["failed"]) == (25, 24, 0, 1)
    assert plan["to_send"] == plan["calls"] > 24
    small.run()
    after = kit.command("run", small.base, "--dry-run", "--json").json
    assert (after["calls"], after["to_send"]) == (plan["calls"], 0)
    assert len(attempts(small)) == plan["calls"]


def test_a_second_run_at_once_is_told_who_holds_the_lock(make_study, kit):
    """Two runs of one study: the second ends with 2 and names the process."""
    small = make_study(rows=kit.reply_rows(templates=2, replicates=1))
    small.run()
    with Ledger.open(small.space.ledger):
        said = kit.command("run", small.base)
    assert said.code == 2
    assert said.out == ""
    assert "process" in said.err


def test_equal_texts_share_one_call_and_keep_their_own_judgments(make_study, kit):
    """Replies whose blinded texts are equal are paid for once; each has its judgment."""
    rows = kit.reply_rows(templates=4, replicates=1)
    for row in rows:
        row["text"] = f"Dear {row['name']}, " + ("thanks, it is on its way." if row["name_pair"] < "3" else "it left.")
    small = make_study(rows=rows, groups=None)
    run = small.run().run_dir
    assert len(attempts(small)) == 2
    judgments = [json.loads(line) for line in (run / "judgments.jsonl").read_text().splitlines()[1:]]
    assert len(judgments) == 32
    assert len({j["request_key"] for j in judgments}) == 2
