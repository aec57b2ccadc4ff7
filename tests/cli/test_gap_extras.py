"""``judgekit gap``: who moves a gap, pairs instead of scores, words as a lead."""

from __future__ import annotations

import pytest


@pytest.fixture
def table(tmp_path):
    """Six templates, two names a group; one template and one name carry the gap. With outcomes of pairs."""
    path = tmp_path / "scores.csv"
    lines = ["template_id,group,name,tone,choice"]
    for t in range(6):
        for g in "xy":
            for n in range(2):
                score = t + n / 10 + (g == "x") * (3 * (t == 0) + (n == 1))
                lines.append(f"t{t},{g},{g}{n},{score},{'a' if t < 4 else 'tie' if n else 'inconsistent'}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_influence_names_who_moves_the_gap(kit, table):
    """Direction consistency, and the mean gap without each template and each name, agree with the definitions."""
    found = kit.command("gap", table, "--metric", "tone", "--json").json["contrasts"][0]
    whole, influence = found["estimates"]["raw"], found["influence"]
    assert whole == pytest.approx(1.0)
    assert (influence["positive"], influence["negative"], influence["zero"], influence["share"]) == (6, 0, 0, 1.0)
    assert influence["without_template"]["t0"] == pytest.approx((6 * whole - found["per_template"]["t0"]) / 5)
    assert influence["without_name"]["x"]["x1"] == pytest.approx(0.5 - 0.05)
    said = kit.command("gap", table, "--metric", "tone").out
    assert "6 of 6 templates point that way" in said
    assert "(without t0)" in said
    assert "(without x1)" in said


def test_three_groups_are_compared_pair_by_pair(kit, tmp_path):
    """Without --groups every pair is a row, each with its smallest reachable p where its test has one."""
    path = tmp_path / "three.csv"
    rows = [f"t{t},{g},{ord(g) + t % 2}" for t in range(5) for g in "xyz"]
    path.write_text("template_id,group,tone\n" + "\n".join(rows) + "\n", encoding="utf-8")
    found = kit.command("gap", path, "--metric", "tone", "--claim", "these_names", "--json").json["contrasts"]
    assert [(c["a"], c["b"]) for c in found] == [("x", "y"), ("x", "z"), ("y", "z")]
    assert all(c["min_p"] == pytest.approx(0.0625) for c in found)


def test_preference_over_pairs(kit, table):
    """Ties are half to each, inconsistent pairs are counted apart, the margin decides the exit code."""
    found = kit.command("gap", table, "--metric", "choice", "--pairwise", "--groups", "x,y", "--json")
    said = found.json["preference"]
    assert (said["wins_a"], said["wins_b"], said["ties"], said["inconsistent"]) == (16, 0, 4, 4)
    assert said["estimate"]["value"] == pytest.approx(4 / 6)
    assert found.code == 0
    assert kit.command("gap", table, "--metric", "choice", "--pairwise", "--margin", "0.05").code == 4
    assert "half to each" in kit.command("gap", table, "--metric", "choice", "--pairwise").out
    assert kit.command("gap", table, "--metric", "tone", "--pairwise").code == 2
    assert kit.command("gap", table, "--metric", "choice", "--pairwise", "--groups", "x,y,z").code == 2
    assert kit.command("gap", table, "--metric", "tone", "--words").code == 2


def test_fixed_thresholds_on_rates(kit, tmp_path):
    """Five points between groups pass exactly, six fail; under 100 results there is no verdict; case types apart."""
    path = tmp_path / "rates.csv"

    def write(yes_a, yes_b, n=100):
        rows = [f"t{i},{g},{int(i < yes)},refund" for g, yes in (("x", yes_a), ("y", yes_b)) for i in range(n)]
        path.write_text("template_id,group,granted,case_type\n" + "\n".join(rows) + "\n", encoding="utf-8")
        return kit.command("gap", path, "--metric", "granted", "--disparity", "--json")

    assert write(75, 70).code == 0
    failed = write(76, 70)
    assert failed.code == 1
    assert failed.json["disparity"]["by_case_type"]["refund"]["verdict"] == "fail"
    assert write(7, 7, 99).code == 4
    path.write_text("template_id,group,granted\nt1,x,0.5\nt1,y,1\n", encoding="utf-8")
    assert kit.command("gap", path, "--metric", "granted", "--disparity").code == 2


@pytest.mark.slow
def test_words_are_a_lead(kit, calibrated_study):
    """The warm words that women's replies lack lead the list, and the page says that it is no finding."""
    found = kit.command("gap", calibrated_study.base, "--metric", "words", "--words", "--json").json["words"][0]
    assert {"thanks", "sorry", "glad", "hope"} & {w["word"] for w in found["words"] if w["z"] < 0}
    assert "a lead, no finding" in kit.command("gap", calibrated_study.base, "--metric", "words", "--words").out


def test_own_scores_are_refused_whatever_is_asked_of_the_table(kit, tmp_path, monkeypatch):
    """Rates, a plan and a frame from a judge's own scores end like a gap from them; one other value opens all."""
    pd = pytest.importorskip("pandas")
    from judgekit.api import gap
    from judgekit.errors import RefusedMetric
    from judgekit.files.ledger import Ledger
    from judgekit.records import Judgment, Scored, Task

    scores = {f"r{n}": int(n % 3 == 0) for n in range(32)}
    made = [
        Judgment(
            task=Task(item=item, rubric_hash="r", judge="j", request_key=item),
            dimension="granted",
            text_hash="h",
            fingerprint="f",
            outcome=Scored(score),
            parser_version="1",
            reason=None,
        )
        for item, score in scores.items()
    ]
    (tmp_path / ".judgekit" / "s").mkdir(parents=True)
    with Ledger.open(tmp_path / ".judgekit" / "s" / "ledger.sqlite") as ledger:
        ledger.add_tasks([j.task for j in made])
        ledger.record_judgments(made)
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "t.csv"

    def asked(values):
        rows = [(i, f"t{n // 8}", "xy"[n % 2], f"{n % 4}", v) for n, (i, v) in enumerate(values.items())]
        frame = pd.DataFrame(rows, columns=["id", "template_id", "group", "name", "yes"])
        frame.to_csv(path, index=False)
        ways = (("gap", "--disparity"), ("gap", "--json"), ("power", "--json"))
        return [kit.command(way, path, "--metric", "yes", option).code for way, option in ways], frame

    codes, frame = asked(scores)
    assert codes == [5, 5, 5]
    with pytest.raises(RefusedMetric, match="own scores of granted"):
        gap(frame, metric="yes")
    codes, frame = asked(scores | {"r0": 0})
    assert codes == [4, 0, 0]
    assert gap(frame, metric="yes")[0].contrast.a == "x"


def test_rates_say_what_is_not_in_them(kit, tmp_path):
    """Rows without a value are counted by group, in the document and in words; a row without a group is refused."""
    path = tmp_path / "rates.csv"
    rows = [f"t{i},{g},{'' if i < lost else i % 2}" for g, lost in (("x", 7), ("y", 0)) for i in range(20)]
    path.write_text("template_id,group,granted\n" + "\n".join(rows) + "\n", encoding="utf-8")
    asked = ("gap", path, "--metric", "granted", "--disparity")
    assert kit.command(*asked, "--json").json["disparity"]["missing"] == {"x": 7, "y": 0}
    assert "not in the rates: x 7, y 0" in kit.command(*asked).out
    path.write_text("template_id,group,granted\n" + "\n".join([*rows, "t1,,1"]) + "\n", encoding="utf-8")
    assert kit.command(*asked).code == 2


@pytest.mark.parametrize(
    ("args", "more"),
    [
        (
            ("gap", "TABLE", "--metric", "tone", "--disparity"),
            "--margin=0.1 --groups=x,y --claim=groups --level=0.9 --seed=1 --words --pairwise",
        ),
        (("gap", "TABLE", "--metric", "choice", "--pairwise"), "--words"),
        (("gap", "STUDY", "--metric", "words"), "--level=0.95 --claim=groups --seed=1 --margin=1"),
        (("swaptest", "STUDY"), "--texts=80 --margin=0.1 --seed=1 --concurrency=4"),
        (
            ("power", "--divergence"),
            "--metric=x --groups=x,y --templates=4 --names=4 --replicates=2 --gap=1 --power=0.8 --validate",
        ),
        (
            ("power", "--divergence"),
            "--template-gap-sd=1 --name-sd=1 --cell-sd=1 --residual-sd=1",
        ),
        (("power", "TABLE", "--metric", "tone"), "--prompts=9 --logit-sd=1 --sigma=1 --sigma-pert=1"),
    ],
)
def test_an_option_that_would_be_passed_over_is_refused(kit, table, tmp_path, args, more):
    """Also with its default's value, and by name; nothing is computed."""
    (tmp_path / "study.yaml").write_text("study: nothing is read of it\n", encoding="utf-8")
    places = {"TABLE": table, "STUDY": tmp_path / "study.yaml"}
    for option in more.split():
        said = kit.command(*(places.get(a, a) for a in args), option)
        assert (said.code, said.out) == (2, ""), option
        assert option.partition("=")[0] in said.err
        assert "nothing" in said.err or option == "--margin=1"
