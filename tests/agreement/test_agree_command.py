"""``judgekit agree``: what its document and page say beyond kappa."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from judgekit.agreement.budget import planned_looks

REAL = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "real"


@pytest.fixture
def ratings(tmp_path):
    """60 texts, a judge half a point too generous, two people of whom one drifts; with template and place."""
    path = tmp_path / "ratings.csv"
    lines = ["item,dimension,annotator,score,template_id,place"]
    for i in range(60):
        truth = i * 7 % 5 + 1
        for who, score in (
            ("bot", min(5, truth + (i % 2))),
            ("ana", truth),
            ("karim", min(5, truth + (i >= 30 and i % 3 == 0))),
        ):
            place = i + 1 if who == "karim" else 60 - i
            lines.append(f"r{i},warmth,{who},{score},t{i % 12},{place}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def run(kit, path, *more):
    """The command on the fixture's raters."""
    return kit.command("agree", path, "--judge", "bot", "--humans", "ana,karim", "--levels", "1,2,3,4,5", *more)


def test_every_rater_stands_in_the_document(kit, ratings):
    """Confusion table and marginals, bias of each, drift with a column of places, leave-one-rater-out, alpha."""
    found = run(kit, ratings, "--order", "place", "--clusters", "template_id", "--json").json
    pair = found["pairs"][0]
    assert sum(map(sum, pair["table"])) == sum(pair["marginals"]["a"]) == sum(pair["marginals"]["b"]) == pair["n"] == 60
    assert pair["ac"] is not None
    assert pair["prevalence_index"] is None
    (raters,) = found["raters"]
    bias = {b["rater"]: b["value"] for b in raters["bias"]}
    assert bias["bot"] > 0.2
    assert bias["karim"] == pytest.approx(-bias["ana"])
    drift = {d["rater"]: d["value"] for d in raters["drift_per_100"]}
    assert drift["karim"] > 0.1
    assert raters["leave_one_out"]["difference"] < 0
    assert raters["leave_one_out"]["units"] == 12
    assert found["human_ceiling"]["warmth"]["alpha"] == pytest.approx(raters["alpha"])
    assert found["against_people"][0]["unit"] == "clusters"
    said = run(kit, ratings, "--order", "place")
    for words in ("with the judge", "drifts per 100 labels", "scores higher by", "alpha"):
        assert words in said.err


def test_two_levels_have_prevalence_and_bias_indices(kit, tmp_path):
    """(both yes - both no) / n, and (judge yes, person no - the reverse) / n."""
    path = tmp_path / "yes.csv"
    pairs = ["yes,yes"] * 10 + ["no,no"] * 4 + ["yes,no"] * 5 + ["no,yes"]
    path.write_text("bot,ana\n" + "\n".join(pairs) + "\n", encoding="utf-8")
    found = kit.command(
        "agree", path, "--judge-col", "bot", "--human-cols", "ana", "--nominal", "--levels", "yes,no", "--json"
    ).json["pairs"][0]
    assert found["prevalence_index"] == pytest.approx(6 / 20)
    assert found["bias_index"] == pytest.approx(4 / 20)
    assert found["pabak"] == pytest.approx(2 * 14 / 20 - 1)


def test_planned_looks_spend_alpha(kit, ratings):
    """At a planned look the bound has that look's level; between looks nothing is decided."""
    found = run(kit, ratings, "--looks", "60,120", "--json").json["looks"]
    look = planned_looks([60, 120]).at(60)
    assert found["now"]["warmth"]["level"] == pytest.approx(look.level)
    assert found["now"]["warmth"]["decided"] in {True, None}
    plain = run(kit, ratings, "--json").json["against_people"][0]["kappa_lower"]
    assert found["now"]["warmth"]["kappa_lower"] < plain
    between = run(kit, ratings, "--looks", "50,100", "--json").json["looks"]["now"]["warmth"]
    assert between["decided"] is None
    assert "no look was planned here" in between["says"]
    last = run(kit, ratings, "--looks", "30,60", "--threshold", "0.99", "--json").json["looks"]["now"]["warmth"]
    assert last["decided"] is False
    assert run(kit, ratings, "--looks", "60,fifty").code == 2


@pytest.fixture
def preferences(tmp_path):
    """Preferences of three people and two judges as ratings; a verdict that cannot be read is an empty score."""
    if not (REAL / "pandalm_pairs.jsonl").is_file():
        pytest.skip("../shared/data/real/pandalm_pairs.jsonl is not there")
    rows = [json.loads(line) for line in (REAL / "pandalm_pairs.jsonl").read_text(encoding="utf-8").splitlines()]
    judges = sorted(k for k in rows[0] if k not in {"item", "instruction", "input", "response_1", "response_2"}
                    and not k.startswith("annotator"))  # fmt: skip
    named = {"0": "tie", "1": "a", "2": "b", "tie": "tie"}
    lines = ["item,dimension,annotator,score"]
    for row in rows:
        people = [named[str(row[f"annotator_{i}"])] for i in (1, 2, 3)]
        top, votes = Counter(people).most_common(1)[0]
        verdicts = {f"person{i + 1}": choice for i, choice in enumerate(people)}
        verdicts["majority"] = top if votes > 1 else ""
        verdicts |= {judge: named.get(str(row[judge]).strip().casefold(), "") for judge in judges}
        lines += [f"{row['item']},preference,{who},{choice}" for who, choice in verdicts.items()]
    path = tmp_path / "preferences.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path, judges


def test_published_preferences(kit, preferences, capsys):
    """People among themselves, and each judge against the majority; unusable verdicts are failures, not ties."""
    path, judges = preferences
    common = ("--nominal", "--levels", "a,b,tie", "--json")
    people = kit.command("agree", path, "--judge", "majority", "--humans", "person1,person2,person3", *common).json
    among = [p for p in people["pairs"] if p["a"] != "majority"]
    lines = [f"{p['a']} - {p['b']}: kappa {p['kappa']:.3f}, n {p['n']}" for p in among]
    assert len(among) == 3
    assert all(p["n"] == 400 and p["missing"] == 0 and p["kappa"] > 0.4 for p in among)
    failures = 0
    for judge in judges:
        (found,) = kit.command("agree", path, "--judge", judge, "--humans", "majority", *common).json["pairs"]
        lines.append(
            f"{judge} - majority: kappa {found['kappa']:.3f} {[round(x, 3) for x in found['kappa_ci']]}, n {found['n']}, "
            f"without one or both {found['missing']}"
        )
        assert found["n"] + found["missing"] == 400
        failures += found["missing"]
        assert 0 < found["kappa"] < 1
    assert failures > 0
    with capsys.disabled():
        print("\n" + "\n".join(lines))


@pytest.mark.slow
def test_published_sentiment_ratings(capsys):
    """90 ratings a text on -4 to 4: alpha, and each rater left out once."""
    from judgekit.agreement.leave_one_out import leave_one_rater_out
    from judgekit.agreement.multirater import krippendorff_alpha

    path = REAL / "sentiment_ratings.jsonl"
    if not path.is_file():
        pytest.skip("../shared/data/real/sentiment_ratings.jsonl is not there")
    rows = [json.loads(line)["ratings"] for line in path.read_text(encoding="utf-8").splitlines()]
    levels = list(range(-4, 5))
    raters = min(map(len, rows))
    alphas = {how: krippendorff_alpha(rows, levels, how).value for how in ("ordinal", "interval")}
    people = {f"rater {i + 1}": [row[i] for row in rows] for i in range(raters)}
    found = leave_one_rater_out(people, levels)
    each = sorted((p.people, p.person) for p in found.persons)
    with capsys.disabled():
        print(f"\n{len(rows)} texts, {raters} raters: alpha {alphas}; a rater's mean kappa with the others "
              f"{found.people:.3f}, from {each[0][0]:.3f} ({each[0][1]}) to {each[-1][0]:.3f} ({each[-1][1]})")  # fmt: skip
    assert 0.6 < alphas["interval"] < 0.9
    assert each[0][0] < found.people < each[-1][0]
