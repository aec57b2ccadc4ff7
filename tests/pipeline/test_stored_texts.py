"""Stored blinded texts go on: a run's own folder, a missing design file, columns by name, scores joined with groups."""

import csv
import importlib.util
import json
import shutil
import stat
from pathlib import Path

import pytest

STUB = ("--judge", "stub:seed=1")
WARMTH = ("--rubric", "warmth")


def rows_of(path):
    """The rows of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def put(path, rows):
    """Write rows as JSONL."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def put_csv(path, rows):
    """Write rows as CSV."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


@pytest.fixture(scope="module")
def run_texts(calibrated_study):
    """The blinded texts in the folder of a run."""
    return calibrated_study.run().run_dir / "blinded.jsonl"


@pytest.fixture
def texts(run_texts, tmp_path):
    """The same texts and their design, outside the study, as files of `judgekit blind`."""
    shutil.copy(run_texts, tmp_path / "b.jsonl")
    shutil.copy(run_texts.with_name("design.jsonl"), tmp_path / "b.design.jsonl")
    return tmp_path / "b.jsonl"


# --- the folder of a run -------------------------------------------------------------------------------------------


def test_a_run_passes_its_own_verifier(kit, run_texts, tmp_path):
    """The commands verify, judge, swaptest, sample and guess-group take the texts of a run with the design that lies beside them."""
    said = kit.command("verify", run_texts, "--json")
    assert (said.code, said.json["withheld"], said.json["known_names"], said.err) == (0, 0, True, "")
    assert said.json["in"] == 128
    judged = kit.command("judge", run_texts, *WARMTH, *STUB, "-o", tmp_path / "j.jsonl", "--json")
    assert judged.code == 0, judged.err
    assert judged.json["counts"]["warmth"]["women"] == {"in": 64, "scored": 64}
    assert judged.json["known_names"] is True
    swapped = kit.command("swaptest", run_texts, *WARMTH, *STUB, "--texts", "24", "--json")
    assert swapped.code in {0, 1, 4}, swapped.err
    assert swapped.json["results"][0]["dimension"] == "warmth"
    drawn = kit.command(
        "sample", run_texts, "-o", tmp_path / "s.jsonl", "--n", 16, *WARMTH, "--annotators", "ana", "--json"
    )
    assert drawn.json["n"] == 16
    guessed = kit.command("guess-group", run_texts, "--group", "group", "--by", "template_id", "--json")
    assert guessed.code == 0, guessed.err
    assert guessed.json["by_group"]["men"]["texts"] == 64


def test_a_run_is_verified_by_the_rules_of_its_study(kit, make_study):
    """What the study keeps stays kept at the second check, and what it forbids is found there too."""
    rows = kit.reply_rows(templates=4, names=2)
    for row in rows:
        row["text"] += " Sir Speedy prints it, and the marathon is on."
    small = make_study(rows=rows, blinding={"ner": "off", "keep": ["Sir Speedy"], "extra_cues": ["marathon"]})
    folder = small.run().run_dir
    assert "Sir Speedy prints it, and the [CUE] is on" in rows_of(folder / "blinded.jsonl")[0]["blinded"]
    assert kit.command("verify", folder / "blinded.jsonl").code == 0
    leaking = rows_of(folder / "blinded.jsonl")
    leaking[3]["blinded"] += " The marathon."
    put(folder / "blinded.jsonl", leaking)
    said = kit.command("verify", folder / "blinded.jsonl", "--json")
    assert said.code == 6
    assert [leak["rule"] for leak in said.json["findings"][0]["leaks"]] == ["extra"]


def test_blind_keeps_its_options_for_the_next_check(kit, tmp_path):
    """`judgekit blind --keep` is followed by `judgekit verify` without saying it again."""
    source = put(tmp_path / "r.jsonl", [{"id": "1", "text": "Sir Speedy prints the parcel label today."}])
    out = tmp_path / "b.jsonl"
    assert kit.command("blind", source, "-o", out, "--ner", "off", "--lang", "en", "--keep", "Sir Speedy").code == 0
    assert rows_of(out)[0]["blinded"] == "Sir Speedy prints the parcel label today."
    assert kit.command("verify", out).code == 0
    assert rows_of(tmp_path / "b.design.jsonl")[0]["blinding"] == {"format": 1, "keep": ["Sir Speedy"]}


# --- without the design --------------------------------------------------------------------------------------------


def test_without_the_design_nothing_goes_on_unasked(kit, texts, tmp_path):
    """Every command refuses with exit 2, names the file and writes nothing; --no-design says what is not known."""
    texts.with_name("b.design.jsonl").unlink()
    before = kit.listing(tmp_path)
    judge = ("judge", texts, *WARMTH, *STUB, "-o", tmp_path / "j.jsonl", "--json")
    sample = ("sample", texts, "-o", tmp_path / "s.jsonl", "--n", 8, *WARMTH, "--annotators", "ana", "--json")
    verify = ("verify", texts, "--json")
    swaptest = ("swaptest", texts, *WARMTH, *STUB)
    guess = ("guess-group", texts, "--group", "group", "--by", "template_id")
    for command in (judge, sample, verify, swaptest, guess, (*judge, "--dry-run")):
        said = kit.command(*command)
        assert said.code == 2, command
        assert "b.design.jsonl is needed" in said.err
        assert "it holds the names to look for" in said.err
        assert said.out == ""
    assert kit.listing(tmp_path) == before
    for command in (judge, sample, verify):
        said = kit.command(*command, "--no-design")
        assert said.code == 0, said.err
        assert "known names could not be looked for" in said.err
    assert kit.command(*verify, "--no-design").json["known_names"] is False


def test_a_leak_that_shows_without_the_names_is_a_leak(kit, tmp_path):
    """The command ends with 6 for what it finds, design file or not: only `clean` needs the names."""
    path = put(tmp_path / "b.jsonl", [{"id": "1", "blinded": "Dear [PERSON_1], she is right about the parcel."}])
    assert kit.command("verify", path).code == 6
    assert kit.command("verify", path, "--no-design").code == 6


def test_a_name_that_came_back_is_withheld_by_every_command(kit, texts, tmp_path):
    """The names of the design are looked for by verify, judge, sample and guess-group alike."""
    rows = rows_of(texts)
    rows[5]["blinded"] += f" It is for {rows_of(texts.with_name('b.design.jsonl'))[5]['known_names'][-1]} too."
    put(texts, rows)
    assert kit.command("verify", texts, "--json").json["withheld"] == 1
    judged = kit.command("judge", texts, *WARMTH, *STUB, "-o", tmp_path / "j.jsonl", "--json").json
    assert sum(c.get("withheld", 0) for c in judged["counts"]["warmth"].values()) == 1
    drawn = kit.command("sample", texts, "-o", tmp_path / "s.jsonl", "--n", 8, *WARMTH, "--annotators", "ana", "--json")
    assert drawn.json["withheld"] == {"leak": 1}
    guessed = kit.command("guess-group", texts, "--group", "group", "--by", "template_id", "--json")
    assert guessed.json["withheld"] == 1


def test_replies_that_were_never_blinded(kit, tmp_path):
    """The commands judge, sample and verify say that this is a replies file and what to do first."""
    table = put_csv(tmp_path / "r.csv", [{"id": "1", "text": "Hi Ana", "group": "a"}])
    lines = put(tmp_path / "r.jsonl", [{"id": "1", "answer": "Hi Ana"}])
    for path in (table, lines):
        for command in (
            ("judge", path, *WARMTH, *STUB, "-o", tmp_path / "j.jsonl"),
            ("sample", path, "-o", tmp_path / "s.jsonl", "--n", 8, *WARMTH, "--annotators", "ana"),
            ("verify", path),
        ):
            said = kit.command(*command)
            assert said.code == 2
            assert "this is a replies file" in said.err
            assert "run `judgekit blind` first" in said.err


# --- columns of `judgekit blind` -----------------------------------------------------------------------------------


def test_blind_takes_columns_by_name(kit, tmp_path):
    """--column says which column is which, once for each; the design has them under their own names."""
    row = {"conv": "c1", "said": "Dear Ana, thank you for the parcel.", "arm": "x", "who": "Ana"}
    source = put_csv(tmp_path / "r.csv", [row])
    stated = [part for pair in ("id=conv", "text=said", "group=arm", "name=who") for part in ("--column", pair)]
    said = kit.command("blind", source, "-o", tmp_path / "b.jsonl", "--ner", "off", "--lang", "en", *stated)
    assert said.code == 0, said.err
    assert rows_of(tmp_path / "b.jsonl")[0]["blinded"] == "Dear [PERSON_1], thank you for the parcel."
    design = rows_of(tmp_path / "b.design.jsonl")[0]
    assert (design["id"], design["group"], design["name"]) == ("c1", "x", "Ana")
    assert stat.S_IMODE((tmp_path / "b.design.jsonl").stat().st_mode) == 0o600


def test_blind_names_every_missing_column_and_the_option(kit, tmp_path):
    """All missing columns at once, with --column as the remedy; a bad --column is exit 2 too."""
    source = put_csv(tmp_path / "r.csv", [{"conv": "c1", "said": "Hi"}])
    out = tmp_path / "b.jsonl"
    missing = kit.command("blind", source, "-o", out)
    assert missing.code == 2
    assert "the column `id` is missing, and so is `text`" in missing.err
    assert "`--column id=... --column text=...`" in missing.err
    lost = kit.command("blind", source, "-o", out, "--column", "id=call", "--column", "text=talk")
    assert lost.code == 2
    assert "stated for `id` is not there, nor the one for `text` (talk)" in lost.err
    assert "--column id=..." in lost.err
    for wrong in (("id",), ("id=",), ("id=conv", "id=said"), ("colour=conv",)):
        said = kit.command("blind", source, "-o", out, *[part for pair in wrong for part in ("--column", pair)])
        assert said.code == 2, wrong
        assert "--column" in said.err
    assert not out.exists()


# --- judged scores as a table --------------------------------------------------------------------------------------


@pytest.fixture
def joined(kit, texts, tmp_path):
    """Scores of a judge joined with the groups of the design, no column of judgekit's own left; with its ledger."""
    assert kit.command("judge", texts, *WARMTH, *STUB, "-o", tmp_path / "judgments.jsonl").code == 0
    score = {row["item"]: row["score"] for row in rows_of(tmp_path / "judgments.jsonl")[1:]}
    return [
        {key: row[key] for key in ("id", "template_id", "group", "name")} | {"q": score[row["id"]]}
        for row in rows_of(tmp_path / "b.design.jsonl")
    ]


def gap(kit, path, metric="q"):
    """Run `judgekit gap` on a table."""
    return kit.command("gap", path, "--metric", metric, "--json")


def test_judged_scores_joined_with_groups_are_refused(kit, joined, tmp_path):
    """Beside the ledger, and in a folder below it, exit 5 names the dimension and no number is printed."""
    (tmp_path / "deep" / "er").mkdir(parents=True)
    for path in (tmp_path / "leak.csv", tmp_path / "deep" / "er" / "leak.csv"):
        said = gap(kit, put_csv(path, joined))
        assert said.code == 5
        assert "judgekit's own scores of warmth" in said.err
        assert "calibrate" in said.err
        assert said.out == ""


def test_a_run_folder_nearby_is_enough(kit, calibrated_study, run_texts, tmp_path):
    """Judgments in a run folder are compared too: no ledger is needed."""
    copied = tmp_path / "runs" / "one"
    copied.mkdir(parents=True)
    for name in ("judgments.jsonl", "design.jsonl", "manifest.json"):
        shutil.copy(run_texts.with_name(name), copied / name)
    score = {r["item"]: r["score"] for r in rows_of(copied / "judgments.jsonl")[1:] if r["dimension"] == "warmth"}
    table = [
        {"id": r["id"], "template_id": r["template_id"], "group": r["group"], "q": score[r["id"]]}
        for r in rows_of(copied / "design.jsonl")
    ]
    assert gap(kit, put_csv(tmp_path / "leak.csv", table)).code == 5


def test_a_part_or_a_mixture_of_judged_scores_is_refused(kit, joined, tmp_path):
    """Twenty equal values are enough among rows that nobody judged; fewer only when they are all there is."""
    strangers = [row | {"id": f"x{n}", "q": n % 5 + 1} for n, row in enumerate(joined[:30])]
    assert gap(kit, put_csv(tmp_path / "a.csv", [*joined[:20], *strangers])).code == 5
    assert gap(kit, put_csv(tmp_path / "b.csv", [*joined[:19], *strangers])).code in {0, 4}
    assert gap(kit, put_csv(tmp_path / "c.csv", [*joined[:4], *joined[-4:]])).code == 5


def test_other_metrics_of_judged_texts_are_not_refused(kit, joined, tmp_path):
    """A count, a person's ratings and a table without ids are compared as ever, beside the ledger or far from it."""
    people = [row | {"q": row["q"] if n % 10 else row["q"] % 5 + 1} for n, row in enumerate(joined)]
    words = [row | {"words": 10 + n % 7} for n, row in enumerate(joined)]
    for name, rows, metric in (("people", people, "q"), ("words", words, "words")):
        said = gap(kit, put_csv(tmp_path / f"{name}.csv", rows), metric)
        assert said.code in {0, 4}, said.err
        assert said.json["source"] == "as supplied, not vouched for"


def test_far_from_the_ledger_nothing_is_known(kit, joined, tmp_path_factory):
    """The comparison needs a ledger or run nearby; a table alone is taken as supplied."""
    assert gap(kit, put_csv(tmp_path_factory.mktemp("far") / "t.csv", joined)).code in {0, 4}


def test_a_ledger_nearby_that_cannot_be_read_stops_the_comparison(kit, joined, tmp_path):
    """Whether these are judged scores cannot be told then: exit 2 names the ledger, and no number is printed."""
    path = put_csv(tmp_path / "t.csv", joined)
    ledger = tmp_path / ".judgekit" / "judgments-judging" / "ledger.sqlite"
    assert ledger.is_file()
    for other in ledger.parent.glob("ledger.sqlite*"):
        other.unlink()
    ledger.write_bytes(b"SQLite format 3\0" + b"x" * 4096)
    (tmp_path / "judgments.jsonl").unlink()
    said = gap(kit, path)
    assert said.code == 2
    assert "ledger.sqlite" in said.err
    assert said.out == ""


# --- memory --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("command", ["blind", "verify", "gap"])
def test_memory_does_not_grow_with_the_number_of_rows(command, tmp_path):
    """Ten times the rows need at most a fifth more memory at the peak, blinded and verified and compared."""
    found = importlib.util.spec_from_file_location(
        "bench_memory", Path(__file__).resolve().parents[1] / "bench" / "bench_memory.py"
    )
    bench = importlib.util.module_from_spec(found)
    found.loader.exec_module(bench)
    small = bench.measure(tmp_path, 20_000, [command], short=True)[command][0]
    large = bench.measure(tmp_path, 200_000, [command], short=True)[command][0]
    assert large <= bench.GOAL * small
