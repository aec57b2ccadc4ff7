"""`judgekit sample`: from blinded texts to what raters open."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from judgekit.blinding.mask import Blinder
from judgekit.blinding.verify import Verifier
from judgekit.files.blinded import blinded_row, design_path, design_row
from judgekit.files.labels import key_path, read_key, read_sample
from judgekit.records import Reply

NAMES = {"a": ("Emily", "Greg"), "b": ("Lakisha", "Jamal")}


@pytest.fixture
def run(judgekit):
    """Run `judgekit sample`."""
    return lambda *arguments: judgekit("sample", *arguments)


@pytest.fixture(scope="module")
def blinded(tmp_path_factory):
    """Blinded texts of 2 groups x 4 templates x 10, with their design file; sentinels in every design column."""
    path = tmp_path_factory.mktemp("blind") / "b.jsonl"
    blinder, verifier = Blinder(ner="off"), Verifier()
    rows, design = [], []
    for n in range(80):
        group = "ab"[n % 2]
        name = NAMES[group][n // 8 % 2]
        reply = Reply(
            id=f"SENTINEL-id-{n}",
            text=f"Dear {name}, thank you for writing about order matter {n}. We will refund you within {n + 2} days.",
            unit_id=f"SENTINEL-template-{n // 2 % 4}",
            group=f"SENTINEL-group-{group}",
            name=name,
            known_names=(name,),
            replicate=f"SENTINEL-rep-{n}",
            case_type="SENTINEL-case",
        )
        masked = blinder.mask(reply)
        result = verifier.verify(masked)
        rows.append(blinded_row(masked, result))
        design.append(design_row(reply, masked, result))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    design_path(path).write_text("".join(json.dumps(row) + "\n" for row in design))
    return path


def test_point_01_the_sample_says_nothing_that_unblinds(run, blinded, tmp_path):
    """No id, group, name, template, replicate or case type stands in the file that raters open."""
    out = tmp_path / "s.jsonl"
    result = run(blinded, "-o", out, "--n", 40, "--rubric", "warmth", "--annotators", "ana,karim")
    assert result.returncode == 0, result.stderr
    text = out.read_text()
    assert "SENTINEL" not in text
    for name in (*NAMES["a"], *NAMES["b"]):
        assert name not in text
    assert text.count("[PERSON_1]") >= 40
    assert out.stat().st_mode & 0o777 == key_path(out).stat().st_mode & 0o777 == 0o600
    assert "SENTINEL-group-a" in key_path(out).read_text()
    assert f"judgekit label {out} --as karim" in result.stdout


def test_point_07_counts_and_json(run, blinded, tmp_path):
    """--json is one document; strata are met and the key joins every task to its item."""
    out = tmp_path / "s.jsonl"
    result = run(
        blinded, "-o", out, "--n", 40, "--rubric", "warmth", "--annotators", "ana,karim", "--json", "--seed", 5
    )
    document = json.loads(result.stdout)
    assert {tuple(s["stratum"]): s["n"] for s in document["strata"]} == {
        (f"SENTINEL-group-{g}", f"SENTINEL-template-{t}"): 5 for g in "ab" for t in range(4)
    }
    assert (document["n"], document["repeats"], document["practice"], document["seed"]) == (40, 4, 3, 5)
    sample, keys = read_sample(out), read_key(key_path(out))
    assert {task.task_id for task in sample.tasks} == set(keys)
    assert Counter(key.repeat_of is not None for key in keys.values()) == {False: 40, True: 4}
    assert sample.seed == 5


def test_the_same_seed_writes_the_same_bytes(run, blinded, tmp_path):
    """Sample and key are byte-identical for a seed and differ for another."""
    common = ("--n", 40, "--rubric", "warmth", "--annotators", "ana,karim")
    for name, seed in (("one", 1), ("two", 1), ("three", 2)):
        run(blinded, "-o", tmp_path / f"{name}.jsonl", *common, "--seed", seed)
    one, two, three = ((tmp_path / f"{name}.jsonl").read_bytes() for name in ("one", "two", "three"))
    assert one == two != three
    assert (tmp_path / "one.key.jsonl").read_bytes() == (tmp_path / "two.key.jsonl").read_bytes()


def test_every_text_is_verified_again(run, blinded, tmp_path):
    """A text that claims to be verified but still names somebody never reaches a rater."""
    path = tmp_path / "b.jsonl"
    rows = [json.loads(line) for line in blinded.read_text().splitlines()]
    rows[3]["blinded"] = "Dear Lakisha, she will be refunded within 5 days, thank you for writing."
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    design_path(path).write_bytes(design_path(blinded).read_bytes())
    out = tmp_path / "s.jsonl"
    result = run(path, "-o", out, "--n", 200, "--rubric", "warmth", "--annotators", "ana", "--json")
    document = json.loads(result.stdout)
    assert document["n"] == 79
    assert document["withheld"] == {"leak": 1}
    assert document["shortfalls"]
    assert "Lakisha" not in out.read_text()


def test_without_a_design_file(run, blinded, tmp_path):
    """A study without groups is sampled at random."""
    path = tmp_path / "alone.jsonl"
    path.write_bytes(blinded.read_bytes())
    common = ("--n", 30, "--rubric", "tone", "--annotators", "ana", "--json")
    result = run(path, "-o", tmp_path / "s.jsonl", *common, "--no-design")
    document = json.loads(result.stdout)
    assert document["n"] == 30
    assert document["strata"] == [{"stratum": ["", ""], "n": 30}]


def test_point_07_score_bands_from_judgments(run, blinded, tmp_path):
    """Opt-in: low and high scores come equally often, the probabilities say so, and it is said to be unrepresentative."""
    judged = tmp_path / "judgments.jsonl"
    rows = [{"item": f"SENTINEL-id-{n}", "dimension": "warmth", "score": 5 if n >= 8 else 1} for n in range(80)]
    judged.write_text("".join(json.dumps(row) + "\n" for row in [{"judgekit": "judgments"}, *rows]))
    out = tmp_path / "s.jsonl"
    result = run(
        blinded,
        "-o",
        out,
        "--n",
        12,
        "--rubric",
        "warmth",
        "--annotators",
        "ana",
        "--strata",
        "group",
        "--score-bands",
        judged,
    )
    assert "not representative" in result.stderr
    bands = Counter(key.stratum[-1] for key in read_key(key_path(out)).values() if key.repeat_of is None)
    assert bands == {"low": 6, "middle": 6}
    probability = {key.stratum[-1]: key.inclusion_probability for key in read_key(key_path(out)).values()}
    assert probability["low"] == pytest.approx(6 / 8)
    assert probability["middle"] == pytest.approx(6 / 72)
    assert '"score"' not in out.read_text()
    wrong = run(
        blinded,
        "-o",
        tmp_path / "t.jsonl",
        "--n",
        9,
        "--rubric",
        "tone",
        "--annotators",
        "ana",
        "--score-bands",
        judged,
    )
    assert wrong.returncode == 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--rubric", "warmth", "--annotators", "ana,ana"), "annotators"),
        (("--rubric", "warmth", "--annotators", "a/b"), "letters, digits"),
        (("--rubric", "nope", "--annotators", "ana"), "no such rubric"),
        (("--rubric", "warmth", "--rubric", "warmth", "--annotators", "ana"), "same dimension"),
        (("--rubric", "warmth", "--annotators", "ana", "--overlap", "-1"), "overlap"),
        (("--rubric", "warmth", "--annotators", "ana", "--strata", "grup"), "no such stratum"),
    ],
)
def test_bad_options_write_nothing(run, blinded, tmp_path, options, words):
    """Exit 2 with the reason; neither sample nor key is made."""
    result = run(blinded, "-o", tmp_path / "s.jsonl", "--n", 10, *options)
    assert result.returncode == 2
    assert words in result.stderr
    assert not list(tmp_path.iterdir())


def test_nothing_is_overwritten_unasked(run, blinded, tmp_path):
    """An existing sample or key stays unless --force."""
    common = ("--n", 10, "--rubric", "warmth", "--annotators", "ana")
    out = tmp_path / "s.jsonl"
    key_path(out).write_text("mine")
    assert run(blinded, "-o", out, *common).returncode == 2
    assert key_path(out).read_text() == "mine"
    assert not out.exists()
    assert run(blinded, "-o", out, *common, "--force").returncode == 0
    assert run(blinded, "-o", blinded, *common, "--force").returncode == 2
