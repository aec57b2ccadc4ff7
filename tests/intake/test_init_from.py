"""``judgekit init --from``: what is understood of a file, and the study made of it."""

from __future__ import annotations

import pytest

from judgekit.data import bundled
from judgekit.intake.draft import read_found
from judgekit.intake.study_text import quoted
from judgekit.records import Reply
from judgekit.stages import read_replies_of
from judgekit.study import load_study

GERMAN = {"Nr": "nr", "Szenario": "case", "Geschlecht": "group", "Kundenname": "name", "Durchlauf": "run",
          "Kundenanfrage": "message", "Bot-Antwort": "reply", "Prüfdauer": "seconds"}  # fmt: skip
SPANISH = {"Número": "nr", "Plantilla": "case", "Género": "group", "Nombre": "name", "Repetición": "run",
           "Mensaje del cliente": "message", "Respuesta": "reply"}  # fmt: skip
UNNAMED = {"a": "nr", "b": "case", "c": "group", "d": "name", "e": "message", "f": "reply"}


def made(kit, path, tmp_path, *options):
    """Run the command; its JSON document and the study it wrote."""
    said = kit.command("init", tmp_path / "study", "--from", path, "--json", *options)
    assert said.code == 0, said.err
    return said.json, load_study(tmp_path / "study")


@pytest.mark.parametrize(
    ("headers", "how"),
    [
        (GERMAN, {"encoding": "cp1252"}),
        (SPANISH, {"encoding": "utf-8-sig"}),
        (UNNAMED, {"delimiter": "\t"}),
    ],
    ids=["german", "spanish", "unnamed"],
)
def test_a_design_is_understood_whatever_its_columns_are_called(kit, write_file, tmp_path, headers, how):
    """Columns, groups with pronouns, names by group, language and layout; `run` reads the file by the study."""
    before = (path := write_file("export.csv", headers, **how)).read_bytes()
    document, study = made(kit, path, tmp_path)
    meant = {"nr": "id", "case": "template_id", "group": "group", "name": "name", "message": "context", "reply": "text"}
    found = study.data.columns
    assert {found[meant[key]]: key for key in meant} == {h: key for h, key in headers.items() if key in meant}
    assert all(c["reason"] and c["confidence"] in {"certain", "likely", "guess"} for c in document["columns"])
    assert study.groups.attribute == "gender"
    women, men = study.groups.values["w"], study.groups.values["m"]
    assert list(study.groups.values) == ["w", "m"]
    assert (women.label, women.pronouns, men.label) == ("women", "she/her", "men")
    assert list(women.names) == ["Anna Novak", "María Silva", "Priya Devan", "Lena Osei"]
    assert (study.data.lang, study.data.design) == ("en", "counterfactual")
    assert study.data.csv.delimiter == how.get("delimiter", ";")
    assert len(read_replies_of(study)) == 96
    assert path.read_bytes() == before


def test_a_decimal_comma_and_an_encoding_are_stated(kit, write_file, tmp_path):
    """What was found out of the layout stands in the study, so that a later edit of the file changes nothing."""
    _, study = made(kit, write_file("e.csv", GERMAN, encoding="cp1252"), tmp_path)
    assert study.data.csv.model_dump() == {"delimiter": ";", "decimal": ",", "encoding": "cp1252"}


def test_the_written_study_keeps_every_key_and_comment_of_the_template(kit, write_file, tmp_path):
    """Only values change: all other lines are those of the empty study, and all thresholds are the defaults."""
    _, study = made(kit, write_file("e.csv", GERMAN), tmp_path, "--annotators", "ana,karim")
    text = bundled("study_template.yaml").read_text(encoding="utf-8")
    written = (tmp_path / "study" / "study.yaml").read_text(encoding="utf-8").splitlines()
    changed = [line for line in text.splitlines() if line not in written]
    assert {line.split(":")[0].strip() for line in changed} <= {
        "study", "replies", "columns", "csv", "lang", "design", "women", "men", "annotators"
    }  # fmt: skip
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "study.yaml").write_text(text, encoding="utf-8")
    assert study.calibration == load_study(tmp_path / "empty").calibration
    assert study.labels.annotators == ["ana", "karim"]


def test_without_a_group_column_the_judge_is_validated_alone(kit, write_file, tmp_path):
    """No groups in the study, and the reason is told."""
    path = write_file("e.csv", {"ticket": "nr", "question": "message", "answer": "reply"}, delimiter=",")
    document, study = made(kit, path, tmp_path)
    assert study.groups is None
    assert "no column says which group" in document["blocked"][0]


def test_a_group_that_some_rows_lack_is_told_with_the_first_of_them(kit, write_file, tmp_path):
    """Half-filled groups are no comparison: the run would refuse them."""
    path = write_file("e.csv", GERMAN)
    path.write_text(path.read_text(encoding="utf-8").replace(";w;", ";;", 1), encoding="utf-8")
    document, study = made(kit, path, tmp_path)
    assert study.groups is None
    assert "1 of 96 replies have no Geschlecht (first: id 1)" in document["blocked"][0]


def test_without_templates_the_design_is_observational(kit, write_file, tmp_path):
    """Logs: groups are named, their people are not, and a difference is confounded."""
    headers = {"Ticketnummer": "nr", "Geschlecht": "group", "Kunde": "name", "Antwort": "reply"}
    document, study = made(kit, write_file("e.csv", headers), tmp_path)
    assert study.data.design == document["design"] == "observational"
    assert any("never a group effect" in note for note in document["notes"])
    # Its people are customers: none of them is offered to the swap test.
    assert not any(group.names for group in study.groups.values.values())
    assert any("list invented names" in note for note in document["notes"])


def test_rows_without_ids_are_numbered_in_a_private_copy(kit, write_file, tmp_path, is_private):
    """The file itself is only read; the copy is the owner's alone."""
    path = write_file("e.csv", {"question": "message", "response": "reply"}, delimiter=",")
    _, study = made(kit, path, tmp_path)
    copy = tmp_path / "study" / "replies.numbered.jsonl"
    assert study.path(study.data.replies) == copy.resolve()
    assert is_private(copy)
    assert '"row-96"' in copy.read_text(encoding="utf-8")
    assert len(read_replies_of(study)) == 96


@pytest.mark.parametrize("name", ["replies.jsonl", "replies.numbered.jsonl"])
def test_the_source_is_never_the_copy(kit, tmp_path, invented, name):
    """With --force, and a source in the study's folder under either name, the user's file stays as it was."""
    import json

    (tmp_path / "study").mkdir()
    source = tmp_path / "study" / name
    rows = [{"question": row["message"], "response": row["reply"]} for row in invented()]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    before = source.read_bytes()
    _, study = made(kit, source, tmp_path, "--force")
    assert source.read_bytes() == before
    assert study.path(study.data.replies) != source.resolve()
    assert len(read_replies_of(study)) == len(rows)


def test_two_columns_for_one_thing_are_settled_and_told(kit, write_file, tmp_path):
    """`response` and `answer` both mean the reply: one is stated, with the other named and a low confidence."""
    headers = {"id": "nr", "response": "reply", "answer": "message", "group": "group", "template": "case"}
    document, study = made(kit, write_file("e.csv", headers), tmp_path)
    text = next(c for c in document["columns"] if c["canonical"] == "text")
    assert (text["column"], text["confidence"]) == ("response", "guess")
    assert "answer" in text["reason"]
    assert study.data.columns["text"] == "response"
    said = kit.command("init", tmp_path / "other", "--from", tmp_path / "e.csv", "--column", "text=answer", "--json")
    assert next(c for c in said.json["columns"] if c["canonical"] == "text")["confidence"] == "stated"


def test_hostile_names_and_groups_are_quoted(kit, invented, write_file, tmp_path):
    """Values that YAML would read as something else, or that hold markup and escapes, come back as they were."""
    strange = {"w": 'no: "#', "m": "1e3\x1b[2J"}
    rows = [r | {"group": strange[r["group"]], "name": r["name"].replace(" ", " {", 1)} for r in invented()]
    headers = {"id": "nr", "template": "case", "group": "group", "name": "name", "text": "reply"}
    document, study = made(kit, write_file("e.csv", headers, rows=rows), tmp_path)
    assert set(study.groups.values) == set(strange.values())
    assert "Anna {Novak" in study.groups.values[strange["w"]].names
    assert document["groups"][strange["m"]] == 48


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--column", "text=nothing"), "no such column"),
        (("--column", "text"), "CANONICAL=COLUMN"),
        (("--ask",), "no terminal"),
    ],
)
def test_what_does_not_fit_writes_nothing(kit, write_file, tmp_path, options, words):
    """Bad options end with 2 before anything is made."""
    said = kit.command("init", tmp_path / "study", "--from", write_file("e.csv", GERMAN), *options)
    assert (said.code, said.out) == (2, "")
    assert words in said.err
    assert not (tmp_path / "study").exists()


def test_an_existing_study_is_never_overwritten(kit, write_file, tmp_path):
    """Not without --force."""
    made(kit, (path := write_file("e.csv", GERMAN)), tmp_path)
    said = kit.command("init", tmp_path / "study", "--from", path)
    assert said.code == 2
    assert "--force" in said.err


def test_spanish_replies_need_a_judge_that_reads_them(kit, invented, write_file, tmp_path):
    """The embedded judge reads English alone: that is said before a study is written, with what to do."""
    rows = [
        r | {"reply": f"Estimada señora {r['name']}, gracias por su mensaje; el pedido sale el lunes."}
        for r in invented()
    ]
    path = write_file("e.csv", SPANISH, rows=rows)
    for options in ((), ("--judge", "lexicon")):
        said = kit.command("init", tmp_path / "study", "--from", path, *options)
        assert said.code == 2
        assert "--judge" in said.err
    _, study = made(kit, path, tmp_path, "--judge", "stub:seed=1")
    assert (study.data.lang, study.judge.spec) == ("es", "stub:seed=1")
    assert study.groups.values["w"].pronouns == "ella"


def test_a_file_that_holds_no_replies(kit, write_file, tmp_path):
    """Numbers only: the error names the columns and what to say."""
    said = kit.command("init", tmp_path / "s", "--from", write_file("e.csv", {"x": "nr", "y": "run"}))
    assert said.code == 2
    assert "--column text=COLUMN" in said.err


def test_force_leaves_a_sealed_study_alone(kit, write_file, tmp_path):
    """Seals, labels and answers belong to the study that is there: another one over it would refuse every judged metric."""
    made(kit, (path := write_file("e.csv", GERMAN)), tmp_path)
    (seals := tmp_path / "study" / ".judgekit" / "study" / "seals.jsonl").parent.mkdir(parents=True)
    seals.write_text("{}\n", encoding="utf-8")
    before = (tmp_path / "study" / "study.yaml").read_bytes()
    for options in (("--from", path), ()):
        said = kit.command("init", tmp_path / "study", "--force", *options)
        assert said.code == 2
        assert "sealed" in said.err
        assert "another folder" in said.err
    assert (tmp_path / "study" / "study.yaml").read_bytes() == before


def test_a_judge_that_no_run_would_take_is_refused(kit, write_file, tmp_path):
    """A mistyped SPEC stops `init`, and so does a named judge that cannot read the replies."""
    said = kit.command("init", tmp_path / "study", "--from", write_file("e.csv", GERMAN), "--judge", "openia:gpt")
    assert (said.code, (tmp_path / "study").exists()) == (2, False)
    assert "openia:gpt" in said.err


PLAIN = {"id": "nr", "gender": "group", "name": "name", "prompt": "message", "reply": "reply"}


def same_messages(invented):
    """The same messages, word for word, from people of both groups; nothing else says what was asked."""
    return [row | {"message": row["message"].replace(row["name"], "").strip()} for row in invented()]


@pytest.mark.parametrize("options", [(), ("--column", "template_id=prompt")], ids=["noticed", "stated"])
def test_messages_that_several_groups_sent_word_for_word_are_the_templates(
    kit, invented, write_file, tmp_path, options
):
    """One column is template and context at once: else the first run would seal these as logs, where nothing can pass."""
    document, study = made(kit, write_file("e.csv", PLAIN, rows=same_messages(invented)), tmp_path, *options)
    assert (study.data.design, document["templates"]) == ("counterfactual", 6)
    read = read_replies_of(study)
    assert {reply.unit_id == reply.context for reply in read} == {True}


def test_messages_of_single_people_are_no_templates(kit, write_file, tmp_path):
    """Everybody wrote for themselves: observational, with the way to say otherwise before it is sealed."""
    document, study = made(kit, write_file("e.csv", PLAIN), tmp_path)
    assert study.data.design == "observational"
    assert any("--column template_id=COLUMN" in line for line in document["notes"])


def test_a_word_or_two_are_no_evidence_of_a_language():
    """A reply of "N/A" is no Spanish: one such row would stop `init` for an English file. A stated language counts."""
    texts = {"1": "N/A", "2": "No.", "3": "Sí", "4": "", "5": "Your parcel leaves on Monday."}
    replies = [Reply(id=key, text=text) for key, text in texts.items()]
    assert read_found(replies).languages == {"en": 1}
    assert read_found([Reply(id="1", text="Sí", lang="es")]).languages == {"es": 1}


def test_empty_replies_and_untidy_groups_are_told_and_stop_nothing(kit, invented, write_file, tmp_path):
    """Failed replies by group and kind; blanks around a group are dropped, other spellings and tiny groups told."""
    rows = same_messages(invented)
    for n, change in enumerate([{"reply": ""}, {"reply": " \t"}, {"group": " w"}, {"group": "W "}, {"group": "k.A."}]):
        rows[n] |= change
    document, study = made(kit, write_file("e.csv", PLAIN, rows=rows), tmp_path)
    assert document["groups"] == {"w": 46, "W": 1, "m": 48, "k.A.": 1}
    failed, case, few = document["doubts"]
    assert failed.startswith("2 replies hold no text")
    assert failed.endswith("w 2 no_answer")
    assert "w 46, W 1 differ only in case" in case
    assert "W 1, k.A. 1" in few
    assert (study.data.lang, document["languages"]) == ("en", {"en": 94})
    assert sorted({reply.group for reply in read_replies_of(study)}) == ["W", "k.A.", "m", "w"]
    doctor = kit.command("doctor", tmp_path / "study", "--json").json["places"][0]
    assert [c["what"] for c in doctor["checks"] if (c["area"], c["status"]) == ("replies", "warn")] == [
        failed,
        case,
        few,
    ]
    plan = kit.command("run", tmp_path / "study", "--dry-run", "--json").json
    assert (plan["replies"], plan["failed"]) == (96, 2)


def test_replies_in_no_language_that_is_blinded_are_refused(kit, invented, write_file, tmp_path):
    """All German: every reply would be withheld, so there is no study, and doctor says STOP and no next command."""
    rows = [
        r | {"reply": f"Vielen Dank, wir kümmern uns um Ihre Bestellung {r['nr']}."} for r in same_messages(invented)
    ]
    path = write_file("e.csv", {"id": "nr", "group": "group", "reply": "reply"}, rows=rows)
    said = kit.command("init", tmp_path / "study", "--from", path)
    assert (said.code, (tmp_path / "study").exists()) == (2, False)
    assert "no reply looked at is in English or Spanish (96 de)" in said.err
    doctor = kit.command("doctor", path, "--json")
    place = doctor.json["places"][0]
    assert (doctor.code, place["next"]) == (1, None)
    assert [c["area"] for c in place["checks"] if c["status"] == "blocks"] == ["language"]


@pytest.mark.parametrize(
    "value", ["yes", "1", "a: b", "#x", "é", " x", "x ", "", "a\tb", "'", '"', "\U0001f600\x07", "-", "null"]
)
def test_quoted_texts_come_back(value):
    """Any text survives YAML."""
    import yaml

    assert yaml.safe_load(f"{{k: {quoted(value)}}}") == {"k": value}
