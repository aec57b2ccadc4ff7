"""Bad input of every kind: a clear message or a refusal, the right exit code, nothing written, no traceback."""

import json

import pytest


def few(kit):
    """24 replies: what is refused here does not depend on how many there are."""
    return kit.reply_rows(templates=3, replicates=1)


@pytest.fixture
def make_study(make_study, kit):
    """Studies of `few` replies."""
    return lambda *name, rows=None, **changes: make_study(*name, rows=few(kit) if rows is None else rows, **changes)


def swap_rows(rows, **columns):
    """The rows with columns renamed (``old=new``)."""
    return [{columns.get(k, k): v for k, v in row.items()} for row in rows]


def assert_refused(said, code=2, *words):
    """Exit code, message on standard error with what to do, nothing on standard output, no traceback."""
    assert said.code == code, said
    assert said.out == ""
    assert "Traceback" not in said.err
    assert said.err.startswith("judgekit: ")
    assert " Do: " in said.err
    for word in words:
        assert word in said.err, said.err


def both_commands(small, kit):
    """`run` and `run --dry-run` on a study, and that neither changes the folder."""
    for args in (("run", small.base), ("run", small.base, "--dry-run"), ("run", small.base, "--json")):
        before = kit.listing(small.base)
        yield kit.command(*args)
        assert kit.listing(small.base) == before


# --- replies -------------------------------------------------------------------------------------------------------


def test_a_wrong_column(make_study, kit):
    """A text column of an unknown name: file, what is missing, which columns there are."""
    small = make_study(rows=swap_rows(few(kit), text="utterance"))
    for said in both_commands(small, kit):
        assert_refused(said, 2, "replies.jsonl", "text", "utterance")


def test_a_missing_group_column(make_study, kit):
    """A study with groups needs the group column, and says so before anything is blinded."""
    small = make_study(rows=kit.reply_rows(templates=3, without=("group",)))
    for said in both_commands(small, kit):
        assert_refused(said, 2, "replies.jsonl", "group")


def test_a_missing_template_column(make_study, kit):
    """A counterfactual study needs templates."""
    small = make_study(rows=kit.reply_rows(templates=3, without=("template_id",)))
    for said in both_commands(small, kit):
        assert_refused(said, 2, "replies.jsonl", "template_id")


def test_a_duplicate_id(make_study, kit):
    """An id that stands twice: both lines are named."""
    rows = few(kit)
    rows[9]["id"] = rows[3]["id"]
    small = make_study(rows=rows)
    for said in both_commands(small, kit):
        assert_refused(said, 2, "replies.jsonl:10", "reply-0003", "4")


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\x00\x01\x02\xff\xfe" * 50, b"PK\x03\x04" + b"\x00" * 200])
def test_an_empty_or_binary_file(make_study, kit, content):
    """No rows, or bytes that are no table."""
    small = make_study()
    (small.base / "replies.jsonl").write_bytes(content)
    for said in both_commands(small, kit):
        assert_refused(said, 2, "replies.jsonl")


def test_replies_that_are_not_there(make_study, kit):
    """The study names a file that does not exist."""
    small = make_study()
    (small.base / "replies.jsonl").unlink()
    for said in both_commands(small, kit):
        assert_refused(said, 2, "replies.jsonl")


def test_one_group(make_study, kit):
    """Only one of the declared groups is in the replies."""
    small = make_study(rows=[r for r in few(kit) if r["group"] == "women"])
    for said in both_commands(small, kit):
        assert_refused(said, 2, "only one group was met", "women")


def test_an_undeclared_group(make_study, kit):
    """A group that the study does not declare is no third group by accident."""
    rows = few(kit)
    rows[0]["group"] = "wommen"
    small = make_study(rows=rows)
    for said in both_commands(small, kit):
        assert_refused(said, 2, "wommen", "men, women")


def test_one_template_is_undefined_and_not_a_number(make_study, kit):
    """One template: the run ends well, with gaps whose interval and p do not exist and a gate that cannot tell."""
    small = make_study(rows=kit.reply_rows(templates=1, replicates=4))
    f = small.run().findings
    words = next(g for g in f.gaps if g.metric == "words")
    assert words.verdict in {"cannot tell", "warn"}
    said = kit.command("gap", small.base, "--metric", "words", "--json")
    assert said.code == 4
    assert said.json["contrasts"][0]["verdict"] in {"cannot tell", "warn"}
    assert "NaN" not in said.out


def test_spanish_replies_before_the_english_word_list(make_study, kit):
    """A Spanish reply before an English-only judge is refused before anyone labels, and nothing is written."""
    rows = few(kit)
    for row in rows[:3]:
        row |= {
            "text": f"Hola {row['name']}: el pedido sale el lunes de nuestra casa, gracias por esperar.",
            "lang": "es",
        }
    small = make_study(rows=rows, judge={"spec": "lexicon"}, data={"replies": "replies.jsonl"})
    for row in rows[3:]:
        row["lang"] = "en"
    small.write()
    for said in both_commands(small, kit):
        assert_refused(said, 2, "lexicon", "es")


def test_the_same_name_in_two_groups(make_study, kit):
    """A name that belongs to two groups cannot tell them apart: refused, with the name."""
    small = make_study()
    small.settings["groups"]["values"]["men"]["names"][1] = "Anna Novak"
    small.save()
    for said in both_commands(small, kit):
        assert_refused(said, 2, "Anna Novak")


# --- study.yaml ----------------------------------------------------------------------------------------------------


def test_no_study_there(tmp_path, kit):
    """Neither file nor folder: every command on a study says so."""
    for args in (
        ("run",),
        ("gate",),
        ("calibrate",),
        ("report",),
        ("swaptest",),
        ("gap", "--metric", "words"),
    ):
        said = kit.command(args[0], tmp_path / "nothing", *args[1:])
        assert_refused(said, 2, "nothing")
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_key(make_study, kit):
    """A misspelt key is refused by its dotted name."""
    small = make_study()
    small.change("calibration.treshold", {"kappa": 0.5})
    for said in both_commands(small, kit):
        assert_refused(said, 2, "calibration.treshold", "unknown key")


def test_a_duplicate_key(make_study, kit):
    """A key that stands twice: the line is named, and the second never wins."""
    small = make_study()
    small.file.write_text(small.file.read_text() + "calibration: {min_labels: 2}\n", encoding="utf-8")
    for said in both_commands(small, kit):
        assert_refused(said, 2, "study.yaml:", "duplicate key", "calibration")


def test_a_boolean_key(make_study, kit):
    """``no:`` is a boolean for YAML: refused with the advice to quote it."""
    small = make_study()
    small.file.write_text(small.file.read_text() + "no: 1\n", encoding="utf-8")
    for said in both_commands(small, kit):
        assert_refused(said, 2, "true or false", "quotes")


@pytest.mark.parametrize(
    ("key", "value", "word"),
    [
        ("calibration.threshold", {"kappa": 0.2}, "override_reason"),
        ("calibration.threshold", {"kappa": 1.2}, "calibration.threshold.kappa"),
        ("rubrics.warmth.margin", -1, "rubrics.warmth.margin"),
        ("rubrics.warmth.rubric", "kindness", "no such rubric"),
        ("judge.spec", "gpt", "no such judge"),
        ("judge.spec", "python:nowhere_at_all:f", "nowhere_at_all"),
        ("judge.spec", "stub:size=3", "unknown key of the stub judge"),
        ("groups.comparisons", [["women", "women"]], "women"),
        ("study", "a/b", "study"),
        ("data.replies", None, "data.replies"),
    ],
)
def test_values_that_do_not_fit(make_study, kit, key, value, word):
    """Each value out of its range is refused by key, before anything is written."""
    small = make_study()
    small.change(key, value)
    for said in both_commands(small, kit):
        assert_refused(said, 2, word)


def test_two_metrics_of_one_name(make_study, kit):
    """A counted metric may not be called like a judged one."""
    small = make_study()
    small.change("measured", {"warmth": {"kind": "word_count"}})
    for said in both_commands(small, kit):
        assert_refused(said, 2, "two metrics have the same name", "warmth")


def test_a_study_that_is_no_mapping(tmp_path, kit):
    """A list, a text, an empty or a binary file is no study."""
    for n, content in enumerate([b"- a\n- b\n", b"hello", b"", b"\xff\xfe\x00", b"a: [1, 2\n", b"\x00"]):
        folder = tmp_path / str(n)
        folder.mkdir()
        (folder / "study.yaml").write_bytes(content)
        before = kit.listing(folder)
        assert_refused(kit.command("run", folder), 2, "study.yaml")
        assert kit.listing(folder) == before


# --- the judge -----------------------------------------------------------------------------------------------------


def test_a_judge_command_that_is_missing_can_be_resumed(make_study, kit):
    """A program that is not there: exit 3 with what to do; afterwards the same command goes on."""
    small = make_study(judge={"spec": "command:no-such-program-anywhere --x"})
    said = kit.command("run", small.base)
    assert_refused(said, 3, "no-such-program-anywhere")
    assert not list(small.base.rglob("report.md"))


def test_a_judge_that_always_crashes(make_study, planted, kit):
    """A function that raises every time: exit 3, the exception is named, no report is written."""
    small = make_study(judge={"spec": planted("crash")})
    said = kit.command("run", small.base)
    assert_refused(said, 3, "no such thing")
    assert not list(small.base.rglob("report.md"))


@pytest.mark.parametrize("spec", ["stub:value=3", "command:printf 3", "constant"])
def test_a_judge_that_always_says_3(make_study, planted, kit, spec):
    """Constant scores: the swap test cannot tell (exit 4), and the metric stays refused (exit 5)."""
    small = make_study(judge={"spec": planted(spec) if spec == "constant" else spec})
    assert kit.command("run", small.base).code == 0
    assert kit.command("swaptest", small.base).code == 4
    said = kit.command("calibrate", small.base, "--json")
    assert said.code == 5
    assert "uninformative" in {x["code"] for x in said.json["refused"][0]["reasons"]}


def test_missing_labels_are_no_error(make_study, kit):
    """Without labels `run` ends with 0 and `calibrate` with 5."""
    small = make_study()
    assert kit.command("run", small.base).code == 0
    assert kit.command("calibrate", small.base).code == 5


def test_a_study_that_was_never_run(make_study, kit):
    """Commands that recompute say that nothing was judged yet, and make nothing."""
    small = make_study()
    before = kit.listing(small.base)
    for args in (("calibrate",), ("gate",), ("report",), ("gap", "--metric", "warmth")):
        said = kit.command(args[0], small.base, *args[1:])
        assert_refused(said, 2, "judgekit run")
        assert kit.listing(small.base) == before, args


# --- labels --------------------------------------------------------------------------------------------------------


def test_a_label_off_the_scale_is_refused(make_study, kit):
    """A label that the rubric does not have: refused with who gave it, and nothing is computed from it."""
    small = make_study()
    small.run()
    small.label("ana", "karim", score=lambda text, who, *_: 7 if who == "ana" else 3)
    said = kit.command("calibrate", small.base)
    assert_refused(said, 2, "ana", "7")


def test_a_broken_key_file_is_named(calibrated_copy, kit):
    """A key file that lost a line is refused by name."""
    path = next(calibrated_copy.space.labels.glob("*.key.jsonl"))
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    assert_refused(kit.command("calibrate", calibrated_copy.base), 2, path.name)


# --- outputs -------------------------------------------------------------------------------------------------------


def test_an_output_that_exists_is_not_overwritten(make_study, tmp_path, kit):
    """`blind`, `judge`, `report -o` and `init` leave an existing output alone unless forced."""
    small = make_study()
    out = tmp_path / "out.jsonl"
    out.write_text("mine", encoding="utf-8")
    replies = small.base / "replies.jsonl"
    before = kit.listing(tmp_path)
    assert_refused(kit.command("blind", replies, "-o", out), 2, "out.jsonl", "--force")
    assert_refused(kit.command("init", small.base), 2, "study.yaml", "--force")
    assert_refused(kit.command("blind", replies, "-o", replies, "--force"), 2, "replies.jsonl")
    assert kit.listing(tmp_path) == before
    assert kit.command("blind", replies, "-o", out, "--force").code == 0
    judged = tmp_path / "judged.jsonl"
    judged.write_text("mine", encoding="utf-8")
    before = kit.listing(tmp_path)
    args = ("judge", out, "--rubric", "warmth", "--judge", "stub:seed=1", "-o", judged)
    assert_refused(kit.command(*args), 2, "judged.jsonl")
    assert kit.listing(tmp_path) == before


def test_report_does_not_overwrite(calibrated_copy, tmp_path, kit):
    """`report -o` on an existing file: exit 2, the file is as it was."""
    out = tmp_path / "page.md"
    out.write_text("mine", encoding="utf-8")
    assert_refused(kit.command("report", calibrated_copy.base, "-o", out), 2, "page.md")
    assert out.read_text(encoding="utf-8") == "mine"


def test_init_where_a_file_stands(tmp_path, kit):
    """A file where the folder should be is no bug of ours."""
    (tmp_path / "x").write_text("mine", encoding="utf-8")
    assert_refused(kit.command("init", tmp_path / "x"), 2, "x")
    assert (tmp_path / "x").read_text(encoding="utf-8") == "mine"


def test_a_run_to_resume_that_is_none(calibrated_copy, kit):
    """``--resume`` on a finished run is refused with the way out."""
    from judgekit.files.folders import latest_run

    run = latest_run(calibrated_copy.base / "runs", "small")
    said = kit.command("run", calibrated_copy.base, "--resume", run)
    assert_refused(said, 2, "cannot be resumed", "finished")


def test_a_run_of_a_changed_study_is_not_recomputed(calibrated_copy, kit):
    """A run folder whose study has changed names both hashes and computes nothing."""
    from judgekit.files.folders import latest_run

    run = latest_run(calibrated_copy.base / "runs", "small")
    calibrated_copy.change("statistics", {"interval": 0.9})
    assert_refused(kit.command("gate", run), 2, "the study has changed")


# --- tables for gap and agree --------------------------------------------------------------------------------------

TABLE = "template_id,group,name,score\n" + "\n".join(
    f"t{t},{g},{g}{n},{(t + n) % 5}" for t in range(6) for g in ("x", "y") for n in range(3)
)


@pytest.mark.parametrize(
    ("content", "args", "word"),
    [
        (TABLE, ("--metric", "kindness"), "kindness"),
        (TABLE.replace("score", "score,score", 1), ("--metric", "score"), "score"),
        (TABLE.replace("t0,x,x0,0", "t0,x,x0,warm"), ("--metric", "score"), ":2"),
        (TABLE.replace(",y,", ",x,"), ("--metric", "score"), "only one group"),
        (TABLE, ("--metric", "score", "--groups", "x,z"), "no such group"),
        (TABLE, ("--metric", "score", "--groups", "x"), "two different groups"),
        (TABLE, ("--metric", "score", "--margin", "-1"), "margin"),
        (TABLE.replace("template_id", "case"), ("--metric", "score"), "template_id"),
        ("", ("--metric", "score"), "empty"),
    ],
)
def test_tables_that_gap_cannot_use(tmp_path, kit, content, args, word):
    """Each fault of a supplied table is told with its file; nothing is written."""
    table = tmp_path / "t.csv"
    table.write_text(content, encoding="utf-8")
    before = kit.listing(tmp_path)
    assert_refused(kit.command("gap", table, *args), 2, word)
    assert kit.listing(tmp_path) == before


def test_a_table_without_any_score_is_undefined(tmp_path, kit):
    """All scores missing: no number is made up; the failure rates are still compared."""
    table = tmp_path / "t.csv"
    rows = [f"t{t},{g},{g}{n}," for t in range(6) for g in "xy" for n in range(3)]
    table.write_text("template_id,group,name,score\n" + "\n".join(rows), encoding="utf-8")
    said = kit.command("gap", table, "--metric", "score", "--json")
    found = said.json["contrasts"][0]
    assert found["estimates"]["raw"] is None or "undefined" in json.dumps(found["estimates"]["raw"])
    assert found["failure_gap"] == 0
    assert "NaN" not in said.out


def test_a_table_that_is_not_there(tmp_path, kit):
    """`gap`, `agree`, `blind`, `judge`, `verify` and `swaptest` on a missing file: exit 2 with the path."""
    missing = tmp_path / "nothing.csv"
    for args in (
        ("gap", missing, "--metric", "x"),
        ("agree", missing, "--judge", "j", "--humans", "a,b", "--levels", "1,2"),
        ("blind", missing, "-o", tmp_path / "o.jsonl"),
        ("judge", tmp_path / "nothing.jsonl", "--rubric", "warmth", "--judge", "lexicon", "-o", tmp_path / "o.jsonl"),
        ("verify", tmp_path / "nothing.jsonl"),
        ("swaptest", tmp_path / "nothing.jsonl", "--rubric", "warmth", "--judge", "lexicon"),
    ):
        assert_refused(kit.command(*args), 2, "nothing")
        assert list(tmp_path.iterdir()) == [], args


def test_off_scale_ratings(tmp_path, kit):
    """`agree`: a score off the declared levels is refused with its line."""
    table = tmp_path / "r.csv"
    rows = [f"i{i},warmth,{who},{(i + (who == 'b')) % 5 + 1}" for i in range(10) for who in ("j", "a", "b")]
    rows[7] = rows[7].rsplit(",", 1)[0] + ",9"
    table.write_text("item,dimension,annotator,score\n" + "\n".join(rows), encoding="utf-8")
    said = kit.command("agree", table, "--judge", "j", "--humans", "a,b", "--levels", "1,2,3,4,5", "--json")
    assert_refused(said, 2, "r.csv:9", "9")


@pytest.mark.parametrize(
    ("words", "where", "told"),
    [
        ("doctor", "empty", "judgekit init {place} --from"),
        ("run", "empty", "judgekit init {place} --from"),
        ("report", "runs", "such as {place}/a1"),
        ("report", "nothing", "judgekit init DIR"),
        ("compare", "empty runs", "this is no run folder"),
    ],
)
def test_a_folder_without_a_study_says_what_is_meant(kit, tmp_path, words, where, told):
    """Not "check the path": how a study is made, or which run can be named."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "runs" / "a1").mkdir(parents=True)
    (tmp_path / "runs" / "a1" / "manifest.json").write_text("{}", encoding="utf-8")
    places = [tmp_path / name for name in where.split()]
    said = kit.command(words, *places)
    assert said.code == (1 if words == "doctor" else 2)
    assert told.format(place=places[0]) in said.out + said.err


def test_a_mistyped_key_is_answered_by_the_one_that_is_meant(kit, tmp_path):
    """In a block, in a block below a name of the user's, and at the top; a JSON list names the command that reads it."""
    for line, key in {
        "calibration: {min_lables: 5}": "min_labels",
        "rubrics: {warmth: {rubric: warmth, rolle: primary}}": "role",
        "jugde: {}": "judge",
    }.items():
        (tmp_path / "study.yaml").write_text(f"study: s\ndata: {{replies: r.jsonl}}\n{line}\n", encoding="utf-8")
        assert f"did you mean {key}?" in kit.command("run", tmp_path, "--dry-run").err
    (tmp_path / "r.json").write_text('[{"id": "1", "text": "Yes."}]', encoding="utf-8")
    assert (
        f"judgekit import {tmp_path}/r.json -o"
        in kit.command("init", tmp_path / "s", "--from", tmp_path / "r.json").err
    )
