"""`judgekit guess-group` from replies to the document, with everything that can be wrong with its files."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

from judgekit.cli.main import COMMANDS, main
from judgekit.files.blinded import design_path
from judgekit.guessing.guess import guess_group
from judgekit.guessing.stored import read_material
from judgekit.records import Undefined

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
PEOPLE = {"women": ("Anna", "Maria", "Priya"), "men": ("Peter", "Marco", "Arjun")}
PRONOUN = {"women": "She", "men": "He"}
THINGS = ("parcel", "kettle", "lamp", "chair", "cable", "bag", "desk", "cup")


def write(path, rows):
    """Write JSON lines, lone surrogates and all."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def replies(*, leak="", context=None, **columns):
    """Replies to women and men about eight things; ``leak`` is a sentence that women alone get."""
    rows = []
    for t, thing in enumerate(THINGS):
        for group, people in PEOPLE.items():
            for n, name in enumerate(people):
                text = f"Dear {name}, the {thing} will arrive on day {n + 2}. {PRONOUN[group]} can call us about the {thing}."
                row = {
                    "id": f"r{len(rows)}",
                    "text": f"{text} {leak}".strip() if group == "women" else text,
                    "template_id": f"case-{t}",
                    "group": group,
                    "name": name,
                    "known_names": name,
                    "lang": "en",
                }
                if context:
                    row["context"] = context.format(name=name, thing=thing)
                rows.append(row | {name: value(row) for name, value in columns.items()})
    return rows


def run(capsys, *arguments):
    """Run a command in this process: its exit code, what it printed, and what it told the person."""
    code = 0
    try:
        main([str(a) for a in arguments])
    except SystemExit as ended:
        code = ended.code or 0
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def blind(tmp_path, capsys, rows, name="b"):
    """Blind rows with the command; the file of blinded texts."""
    source, out = write(tmp_path / f"{name}-in.jsonl", rows), tmp_path / f"{name}.jsonl"
    code, _, err = run(capsys, "blind", source, "-o", out, "--ner", "off", "--json")
    assert code == 0, err
    return out


def document(capsys, *arguments):
    """The JSON document of a run that ends with 0."""
    code, out, err = run(capsys, "guess-group", *arguments, "--json")
    assert code == 0, err
    assert out.isascii()
    return json.loads(out)


def edited(path, change):
    """Change the rows of a JSONL file in place."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return write(path, [change(row) or row for row in rows])


BY = ("--group", "group", "--by", "template_id")


def test_blinding_that_holds(tmp_path, capsys):
    """Names and pronouns tell the group before blinding and nothing does after: 0.5, with the keys that are promised."""
    found = document(capsys, blind(tmp_path, capsys, replies()), *BY)
    assert found["auc"] == 0.5
    assert found["ci"] == [0.5, 0.5]
    assert found["unblinded_auc"] > 0.9
    assert found["unblinded_ci"][0] > 0.5
    assert found["n"] == 48
    assert found["telling"] == []
    assert found["verdict"] == "not told apart"
    assert found["undefined"] == {}
    assert found["by_group"]["men"] == {"in": 24, "withheld": 0, "no text": 0, "other group": 0, "texts": 24}
    assert any("0.55" in line and "proves" in line for line in found["warning"])


def test_other_wording_is_told_apart_and_named(tmp_path, capsys):
    """What women alone are told is found and leads the n-grams; exit 0, and 1 with --strict."""
    out = blind(tmp_path, capsys, replies(leak="Take good care."))
    found = document(capsys, out, *BY)
    assert found["ci"][0] > 0.5
    assert found["verdict"] == "told apart"
    words = [t["ngram"] for t in found["telling"] if t["group"] == "women" and t["kind"] == "word"]
    assert set(words[:6]) & {"Take", "good", "care", "Take good", "good care"}
    assert {"group", "kind", "ngram", "weight", "templates", "texts"} <= set(found["telling"][0])
    code, shown, _ = run(capsys, "guess-group", out, *BY, "--strict")
    assert code == 1
    assert "told apart" in shown
    assert "no proof" in shown or "proves no blinding" in shown
    assert "may be the finding itself" in shown


def test_originals_from_the_slots_are_those_of_the_replies(tmp_path, capsys):
    """The slots restore the texts exactly: the same as reading the replies, and as guessing from them directly."""
    rows = replies(context="{name} asks: where is the {thing}?")
    out = blind(tmp_path, capsys, rows)
    from_slots = read_material(out, group="group", by="template_id")
    from_file = read_material(out, group="group", by="template_id", unblinded=tmp_path / "b-in.jsonl")
    assert from_slots.originals == from_file.originals
    assert from_slots.originals == tuple(f"{r['context']}\n\n{r['text']}" for r in rows)
    only = read_material(out, group="group", by="template_id", on="context")
    assert only.originals == tuple(r["context"] for r in rows)
    assert (
        document(capsys, out, *BY)["unblinded_auc"]
        == guess_group(from_slots.originals, from_slots.groups, from_slots.templates).auc
    )


def test_where_the_leak_is(tmp_path, capsys):
    """Wording of the reply does not show in the contexts, which are copies."""
    out = blind(tmp_path, capsys, replies(leak="Take good care.", context="{name} asks: where is the {thing}?"))
    assert document(capsys, out, *BY, "--on", "context")["auc"] == 0.5
    assert document(capsys, out, *BY, "--on", "reply")["auc"] > 0.9
    assert document(capsys, out, *BY)["auc"] > 0.9


def test_leaking_texts_are_withheld_and_counted(tmp_path, capsys):
    """A text that the verifier does not pass is not used, whatever its status says."""
    out = blind(tmp_path, capsys, replies())
    leaking = {"r0", "r7", "r8"}
    edited(out, lambda row: row | {"blinded": row["blinded"] + " Her Anna."} if row["id"] in leaking else row)
    found = document(capsys, out, *BY)
    assert found["withheld"] == 3
    assert found["n"] == 45
    assert found["by_group"]["women"]["withheld"] == 3
    code, shown, _ = run(capsys, "guess-group", out, *BY)
    assert code == 0
    assert "not used: withheld 3" in shown


def test_a_forged_placeholder_is_withheld(tmp_path, capsys):
    """With slots, a placeholder that is none of them is a leak here as it is for the judge."""
    out = blind(tmp_path, capsys, replies())
    edited(out, lambda row: row | {"blinded": row["blinded"] + " [PERSON_9]"} if row["id"] == "r1" else row)
    assert document(capsys, out, *BY)["withheld"] == 1


def test_a_design_without_slots_needs_the_replies(tmp_path, capsys):
    """Nothing says what the texts were: null and the reason; with --unblinded a number."""
    out = blind(tmp_path, capsys, replies())
    edited(design_path(out), lambda row: {k: v for k, v in row.items() if k != "slots"})
    found = document(capsys, out, *BY)
    assert (found["auc"], found["n"], found["unblinded_auc"]) == (0.5, 48, None)
    assert "--unblinded" in found["undefined"]["unblinded_auc"]
    assert document(capsys, out, *BY, "--unblinded", tmp_path / "b-in.jsonl")["unblinded_auc"] > 0.9


def test_any_carried_column_is_a_group(tmp_path, capsys):
    """A column of the replies that judgekit has no name for can be guessed; aliases of known ones hold out templates."""
    rows = replies(leak="Take good care.", attribute=lambda row: {"women": 1, "men": 2}[row["group"]])
    for row in rows:
        row.pop("group")
        row["scenario"] = row.pop("template_id")
    found = document(capsys, blind(tmp_path, capsys, rows), "--group", "attribute", "--by", "scenario")
    assert found["groups"] == {"1": 24, "2": 24}
    assert found["auc"] > 0.9


def test_several_groups_have_a_row_each(tmp_path, capsys):
    """Names as groups: every name against the rest, and every pair."""
    rows = replies()
    found = document(
        capsys,
        blind(tmp_path, capsys, rows + [r | {"id": f"{r['id']}x"} for r in rows]),
        "--group",
        "name",
        "--by",
        "template",
    )
    assert len(found["per_group"]) == 6
    assert len(found["per_pair"]) == 15
    # Day 2, 3, 4 belong to the first, second and third of each group.
    pairs = {frozenset((p["a"], p["b"])): p["auc"] for p in found["per_pair"]}
    assert pairs[frozenset(("Anna", "Peter"))] == 0.5


def test_chosen_groups_alone_are_compared(tmp_path, capsys):
    """With --groups the others are counted and not used; one that is not there, or one alone, is refused."""
    out = blind(tmp_path, capsys, replies() + [r | {"id": f"{r['id']}x", "group": "staff"} for r in replies()])
    found = document(capsys, out, *BY, "--groups", "women, men")
    assert found["groups"] == {"men": 24, "women": 24}
    assert found["by_group"]["staff"] == {"in": 48, "withheld": 0, "no text": 0, "other group": 48, "texts": 0}
    assert found["unblinded_auc"] > 0.9
    code, _, err = run(capsys, "guess-group", out, *BY, "--groups", "women,mice")
    assert code == 2
    assert "mice" in err
    assert run(capsys, "guess-group", out, *BY, "--groups", "women")[0] == 2


def test_undefined_is_null_with_a_reason(tmp_path, capsys):
    """One group: no number anywhere, exit 0, and 4 with --strict."""
    out = blind(tmp_path, capsys, [row for row in replies() if row["group"] == "men"])
    found = document(capsys, out, *BY)
    assert (found["auc"], found["ci"], found["pooled_auc"], found["unblinded_auc"]) == (None, None, None, None)
    assert "one group" in found["undefined"]["auc"]
    code, shown, _ = run(capsys, "guess-group", out, *BY, "--strict")
    assert code == 4
    assert "undefined (one group)" in shown
    assert "weak evidence" in shown


def judged(tmp_path, reason):
    """A file of judgments with a reason of our choice for every reply."""
    rows = [
        {"item": row["id"], "dimension": d, "repeat": 0, "score": 3, "reason": reason(row)}
        for row in replies()
        for d in ("warmth", "quality")
    ]
    return write(tmp_path / "j.jsonl", [{"judgekit": "judgments", "judge": "x", "format": 1}, *rows])


def test_explanations_that_name_the_group(tmp_path, capsys):
    """The judge's words are guessed from as the texts are; the texts' own area stands beside."""
    out = blind(tmp_path, capsys, replies())
    file = judged(tmp_path, lambda row: "The lady is greeted." if row["group"] == "women" else "A plain greeting.")
    found = document(capsys, out, *BY, "--on", "explanations", "--judgments", file)
    assert found["auc"] == 1.0
    assert found["text_auc"] == 0.5
    assert found["unblinded_auc"] is None
    assert "blinded" in found["undefined"]["unblinded_auc"]
    assert any("explanations" in line for line in found["warning"])
    code, shown, _ = run(capsys, "guess-group", out, *BY, "--on", "explanations", "--judgments", file)
    assert code == 0
    assert "the texts explained" in shown


def test_replies_without_explanation_are_counted(tmp_path, capsys):
    """In = withheld + no text + texts."""
    out = blind(tmp_path, capsys, replies())
    file = judged(tmp_path, lambda row: None if row["id"] in {"r0", "r1"} else "Polite.")
    found = document(capsys, out, *BY, "--on", "explanations", "--judgments", file)
    assert found["by_group"]["women"] == {"in": 24, "withheld": 0, "no text": 2, "other group": 0, "texts": 22}
    assert found["auc"] == 0.5


@pytest.mark.parametrize(
    ("rows", "named"),
    [
        ([{"id": "r0"}], "not a file of judgments"),
        ([{"judgekit": "judgments"}, {"item": "r0", "reason": None}], "no judgment has an explanation"),
        ([{"judgekit": "judgments"}, {"item": "nobody", "reason": "x"}], "not among the blinded texts"),
        ([{"judgekit": "judgments"}, {"item": "r0", "reason": 3}], "no text"),
    ],
)
def test_judgments_that_do_not_fit_are_refused(tmp_path, capsys, rows, named):
    """Exit 2 with the file, and nothing on standard output."""
    out, file = blind(tmp_path, capsys, replies()), write(tmp_path / "j.jsonl", rows)
    code, shown, err = run(capsys, "guess-group", out, *BY, "--on", "explanations", "--judgments", file, "--json")
    assert (code, shown) == (2, "")
    assert named in err
    assert "j.jsonl" in err


def test_usage_is_checked(tmp_path, capsys):
    """Unknown columns name those there are; options that need each other say so; no design file, no groups."""
    out = blind(tmp_path, capsys, replies())
    code, _, err = run(capsys, "guess-group", out, "--group", "colour", "--by", "template_id")
    assert code == 2
    assert "colour" in err
    assert "template_id, group, name" in err
    assert run(capsys, "guess-group", out, *BY, "--on", "explanations")[0] == 2
    assert run(capsys, "guess-group", out, *BY, "--judgments", out)[0] == 2
    short = write(tmp_path / "short.jsonl", replies()[:40])
    code, _, err = run(capsys, "guess-group", out, *BY, "--unblinded", short)
    assert code == 2
    assert "r40" in err
    design_path(out).unlink()
    code, _, err = run(capsys, "guess-group", out, *BY)
    assert code == 2
    assert "design file" in err


def test_hostile_ngrams_are_inert(tmp_path, capsys):
    """Escapes, overrides, lone surrogates and markup in what is most telling reach neither terminal nor JSON as they are."""
    hostile = "\x1b]0;x\x07 \u202e [/red] =1+1 \ud800"
    out = blind(tmp_path, capsys, replies())
    edited(out, lambda row: row | {"blinded": f"{row['blinded']} {hostile}"} if int(row["id"][1:]) % 6 < 3 else row)
    found = document(capsys, out, *BY, "--top", 60)
    assert found["withheld"] == 0
    assert any("\x1b" in t["ngram"] for t in found["telling"])
    assert any("\ud800" in t["ngram"] for t in found["telling"])
    code, shown, err = run(capsys, "guess-group", out, *BY, "--top", 60)
    assert code == 0
    assert not {"\x1b", "\x07", "\u202e", "\ud800"} & set(shown + err)
    assert "␛" in shown


def test_the_command_is_listed_and_explains_itself(capsys):
    """It is in the table of commands, and its help names what it needs."""
    assert "guess-group" in COMMANDS
    code, shown, _ = run(capsys, "guess-group", "--help")
    assert code == 0
    assert "--group" in shown
    assert "--unblinded" in shown


def test_the_development_corpus_agrees_with_its_scorer():
    """Unblinded gender areas (two ways to set up the same classifier) differ by 0.03 at most from score_blinding.py."""
    corpus, tool = SHARED / "data" / "blinding_dev.jsonl", SHARED / "tools" / "score_blinding.py"
    if not (corpus.is_file() and tool.is_file()):
        pytest.skip("the development corpus is not beside the checkout")
    spec = importlib.util.spec_from_file_location("score_blinding", tool)
    scorer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scorer)
    gold = [json.loads(line) for line in corpus.read_text(encoding="utf-8").splitlines()]
    theirs = scorer.group_auc([(g, g["text"]) for g in gold], "gender", "woman", {"man"}, 5, 0)
    groups = [g["gender"] if g["auc"] and g["gender"] in {"woman", "man"} else None for g in gold]
    mine = guess_group([g["text"] for g in gold], groups, [g["template"] for g in gold], seed=0)
    assert (mine.n, mine.templates) == (theirs["n"], theirs["templates"])
    assert mine.auc == pytest.approx(theirs["within"], abs=0.03)
    assert mine.pooled_auc == pytest.approx(theirs["pooled"], abs=0.03)
    assert mine.interval.low < theirs["within_ci95"][0] < mine.auc


def test_originals_that_nothing_tells(tmp_path, capsys):
    """Explanations have no originals: `Undefined`, never an empty text."""
    out = blind(tmp_path, capsys, replies())
    file = judged(tmp_path, lambda _: "Polite.")
    material = read_material(out, group="group", by="template_id", on="explanations", judgments=file)
    assert isinstance(material.originals, Undefined)
    assert len(material.blinded) == len(material.texts)
    assert np.all([text == "Polite.\nPolite." for text in material.texts])
