"""Blinded texts on disk: what is read back, the rules that go with the design, and everything that does not fit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judgekit.blinding.mask import Blinder
from judgekit.blinding.verify import Verifier
from judgekit.errors import BadInput
from judgekit.files.blinded import blinded_row, design_path, design_row, find_design, read_blinded
from judgekit.files.blinding_rules import BlindingRules, read_rules, rules_row
from judgekit.files.verified import iter_verified
from judgekit.records import BlindedReply, Reply, Withheld

PACK = """format: judgekit-cues-1
language: any
redact:
  - {list: club, kind: cue, shown: "[CLUB]", source: own, licence: MIT, entries: "Rovers"}
verify:
  - {list: club, kind: cue, source: own, licence: MIT, entries: "rovers"}
"""


def lines(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def put(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write rows as JSONL."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def stored(folder: Path, texts: list[str], rules: BlindingRules | None = None, name: str = "b.jsonl") -> Path:
    """Blind texts about Ana and write both files."""
    chosen = rules or BlindingRules()
    blinder = Blinder(ner="off", lang="en", packs=chosen.packs, extra_cues=chosen.extra_cues, keep=chosen.keep)
    verifier = Verifier(packs=chosen.packs, extra_cues=chosen.extra_cues, keep=chosen.keep)
    rows, design = [], []
    kept = None if rules is None else rules_row(rules, folder)
    for n, text in enumerate(texts):
        reply = Reply(id=f"r{n}", text=text, group="a", unit_id="t", known_names=("Ana",), carried={"mood": "good"})
        masked = blinder.mask(reply)
        result = verifier.verify(masked)
        rows.append(blinded_row(masked, result))
        design.append(design_row(reply, masked, result, kept))
    path = put(folder / name, rows)
    put(design_path(path) if name != "blinded.jsonl" else folder / "design.jsonl", design)
    return path


def results(path: Path, **options: Any) -> list[BlindedReply | Withheld]:
    """What the verifier says now."""
    return [result for _, result in iter_verified(path, **options)]


TEXTS = ["Dear Ana, thank you for the parcel. She is right.", "The parcel was sent for Ana today."]


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    """Texts, slots, known names, group and carried columns come back, and every text verifies."""
    path = stored(tmp_path, TEXTS)
    first, second = read_blinded(path)
    assert first.masked.text == "Dear [PERSON_1], thank you for the parcel. [PRONOUN] is right."
    assert [slot.surface for slot in first.masked.slots] == ["Ana", "She"]
    assert first.masked.known_names == ("Ana",)
    assert (first.reply.group, first.reply.unit_id, dict(first.reply.carried)) == ("a", "t", {"mood": "good"})
    assert first.names_known
    assert first.slots_known
    assert all(isinstance(r, BlindedReply) for r in results(path))
    assert second.reply.id == "r1"


def test_a_design_file_is_found_by_both_names(tmp_path: Path) -> None:
    """OUT.design.jsonl first; design.jsonl only beside blinded.jsonl, as in the folder of a run."""
    run = stored(tmp_path, TEXTS, name="blinded.jsonl")
    assert find_design(run) == tmp_path / "design.jsonl"
    assert find_design(tmp_path / "other.jsonl") is None
    design_path(run).write_bytes((tmp_path / "design.jsonl").read_bytes())
    assert find_design(run) == tmp_path / "blinded.design.jsonl"


def test_without_a_design_nothing_is_called_clean_unasked(tmp_path: Path) -> None:
    """A refusal that names the file; with no_design placeholders pass and other cues do not; a name would pass."""
    path = put(
        tmp_path / "b.jsonl",
        [
            {"id": "1", "blinded": "Dear [PERSON_1], thank you for the parcel."},
            {"id": "2", "blinded": "Dear [PERSON_1], she is right about the parcel."},
        ],
    )
    with pytest.raises(BadInput, match=r"design file b\.design\.jsonl is needed") as refused:
        iter_verified(path)
    assert "it holds the names to look for" in str(refused.value)
    assert "--no-design" in str(refused.value)
    passed, held = results(path, no_design=True)
    assert isinstance(passed, BlindedReply)
    assert isinstance(held, Withheld)


def test_a_design_that_is_there_is_used_whatever_is_asked(tmp_path: Path) -> None:
    """no_design does not switch known names off, nor the rule on forged placeholders."""
    path = stored(tmp_path, TEXTS)
    rows = lines(path)
    rows[0]["blinded"] += " It is for Ana too."
    rows[1]["blinded"] += " [PERSON_4] too."
    put(path, rows)
    codes = [[leak.rule for leak in r.leaks] for r in results(path, no_design=True) if isinstance(r, Withheld)]
    assert codes == [["known name"], ["forged placeholder"]]


@pytest.mark.parametrize("key", ["known_names", "slots"])
def test_a_row_of_the_design_without_what_verification_needs(key: str, tmp_path: Path) -> None:
    """A design row that has lost its names or its slots is an error, never a text without them."""
    path = stored(tmp_path, TEXTS)
    rows = lines(design_path(path))
    del rows[1][key]
    put(design_path(path), rows)
    with pytest.raises(BadInput, match="does not say what verification needs") as problem:
        results(path)
    assert (problem.value.field, problem.value.seen) == (key, "r1")


def test_slots_may_be_lacking_where_nobody_reads_the_texts(tmp_path: Path) -> None:
    """Without slots names are still looked for, when the caller does not need slots."""
    path = stored(tmp_path, TEXTS)
    put(design_path(path), [{k: v for k, v in row.items() if k != "slots"} for row in lines(design_path(path))])
    rows = lines(path)
    rows[1]["blinded"] += " It is for Ana too."
    put(path, rows)
    passed, held = results(path, slots_needed=False)
    assert isinstance(passed, BlindedReply)
    assert isinstance(held, Withheld)


SLOT = {
    "field": "text",
    "start": 5,
    "end": 15,
    "person": 1,
    "subject": True,
    "kind": "name",
    "form": "given",
    "surface": "Ana",
}


@pytest.mark.parametrize(
    "change",
    [
        {"id": "r7"},
        {"slots": [{**SLOT, "end": 900}]},
        {"slots": [{**SLOT, "field": "context"}]},
        {"slots": [{**SLOT, "start": "5"}]},
        {"slots": [{k: v for k, v in SLOT.items() if k != "kind"}]},
        {"slots": ["here"]},
        {"slots": "none"},
        {"known_names": "Ana"},
    ],
)
def test_a_design_that_does_not_fit(change: dict[str, Any], tmp_path: Path) -> None:
    """Another id, slots outside the text or of another form, and lists that are none: refused with the line."""
    path = stored(tmp_path, TEXTS)
    rows = lines(design_path(path))
    put(design_path(path), [rows[0] | change, rows[1]])
    with pytest.raises(BadInput, match="does not fit") as problem:
        results(path)
    assert (problem.value.path, problem.value.line) == (str(design_path(path)), 1)


def test_a_design_that_ends_early(tmp_path: Path) -> None:
    """A text whose design row is missing is an error."""
    path = stored(tmp_path, TEXTS)
    put(design_path(path), lines(design_path(path))[:1])
    with pytest.raises(BadInput, match="does not fit"):
        results(path)


def test_the_first_rows_of_both_files_are_as_good_as_the_whole(tmp_path: Path) -> None:
    """Every row keeps its rules, so that a part of the file is checked as strictly."""
    path = stored(tmp_path, [*TEXTS, "The marathon was fine."], BlindingRules(extra_cues=("marathon",)))
    rows, design = lines(path)[2:], lines(design_path(path))[2:]
    part = put(tmp_path / "part.jsonl", [rows[0] | {"blinded": "The marathon was fine."}])
    put(design_path(part), [design[0] | {"slots": []}])
    (held,) = results(part)
    assert isinstance(held, Withheld)


def test_an_id_that_stands_twice(tmp_path: Path) -> None:
    """Named with both lines, after the rows were read."""
    path = put(tmp_path / "b.jsonl", [{"id": i, "blinded": "The parcel is here."} for i in ("1", "2", "1")])
    with pytest.raises(BadInput, match="an id stands twice") as problem:
        list(read_blinded(path))
    assert (problem.value.line, problem.value.seen) == (3, "1")
    assert "line 1" in str(problem.value)


def test_files_that_hold_no_blinded_texts(tmp_path: Path) -> None:
    """Replies, as CSV or JSONL, are called what they are; other files are told what is missing."""
    table = tmp_path / "r.csv"
    table.write_text("id,answer,group\n1,Hi Ana,a\n")
    replies = put(tmp_path / "r.jsonl", [{"id": "1", "text": "Hi Ana"}])
    for path in (table, replies):
        with pytest.raises(BadInput, match=r"this is a replies file") as problem:
            iter_verified(path)
        assert "run `judgekit blind` first" in str(problem.value)
    for other in ({"id": 1, "blinded": "x"}, {"blinded": "x"}, {"judgekit": "judgments"}):
        with pytest.raises(BadInput, match="without id or blinded text"):
            iter_verified(put(tmp_path / "o.jsonl", [other]))


# --- rules ---------------------------------------------------------------------------------------------------------


def test_rules_go_with_the_design(tmp_path: Path) -> None:
    """A second check keeps what was kept and withholds what the study forbids; without the rules it does neither."""
    (tmp_path / "clubs.yaml").write_text(PACK)
    rules = BlindingRules(packs=(str(tmp_path / "clubs.yaml"),), extra_cues=("marathon",), keep=("Sir Speedy",))
    path = stored(tmp_path, ["Dear Ana, Sir Speedy sells to Rovers at the marathon.", TEXTS[1]], rules)
    assert lines(path)[0]["blinded"] == "Dear [PERSON_1], Sir Speedy sells to [CLUB] at the [CUE]."
    assert all(isinstance(r, BlindedReply) for r in results(path))
    rows = lines(path)
    rows[1]["blinded"] += " The marathon of Rovers."
    put(path, rows)
    held = [r for r in results(path) if isinstance(r, Withheld)]
    assert [leak.rule for leak in held[0].leaks] == ["extra", "club"]
    put(design_path(path), [{k: v for k, v in row.items() if k != "blinding"} for row in lines(design_path(path))])
    first, second = results(path)
    assert isinstance(first, Withheld)
    assert isinstance(second, BlindedReply)


def test_packs_are_found_from_the_design_and_must_be_as_they_were(tmp_path: Path) -> None:
    """The folder may move as a whole; a pack that is gone or edited is an error that names it."""
    old, new = tmp_path / "old", tmp_path / "new"
    (old / "out").mkdir(parents=True)
    (old / "clubs.yaml").write_text(PACK)
    path = stored(old / "out", TEXTS, BlindingRules(packs=(str(old / "clubs.yaml"),)))
    assert str(tmp_path) not in design_path(path).read_text()
    old.rename(new)
    path = new / "out" / path.name
    assert len(results(path)) == 2
    (new / "clubs.yaml").write_text(PACK.replace("rovers", "united"))
    with pytest.raises(BadInput, match="has changed since"):
        results(path)
    (new / "clubs.yaml").unlink()
    with pytest.raises(BadInput, match="is gone"):
        results(path)


def test_a_bundled_pack_is_kept_by_name(tmp_path: Path) -> None:
    """No file and no hash: the pack belongs to judgekit."""
    rules = BlindingRules(packs=("en",), contact_details="keep")
    assert rules_row(rules, tmp_path) == {"format": 1, "packs": [{"bundled": "en"}], "contact_details": "keep"}
    assert read_rules(rules_row(rules, tmp_path), tmp_path / "d.jsonl", 1) == rules


@pytest.mark.parametrize(
    "kept",
    [
        {"format": 2},
        {"format": 1, "severity": "low"},
        "default",
        {},
        {"format": 1, "keep": "Grace"},
        {"format": 1, "keep": [1]},
        {"format": 1, "extra_cues": {"a": 1}},
        {"format": 1, "contact_details": "show"},
        {"format": 1, "packs": ["en"]},
        {"format": 1, "packs": [{"bundled": "no-such-pack"}]},
    ],
)
def test_rules_that_cannot_be_followed(kept: object, tmp_path: Path) -> None:
    """Another format, unknown keys or values of another kind are refused: other rules would be a guess."""
    with pytest.raises(BadInput) as problem:
        read_rules(kept, tmp_path / "d.jsonl", 3)
    assert problem.value.line == 3


def test_rules_of_an_earlier_version(tmp_path: Path) -> None:
    """A design file without rules is read with the defaults."""
    assert read_rules(None, tmp_path / "d.jsonl", 1) == BlindingRules()
