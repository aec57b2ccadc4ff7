"""``judgekit decide`` and ``judgekit probe baselines`` at the command line."""

import json
import stat

import pytest

HEAD = "id,prompt,template_id,group,name,case_type\n"


@pytest.fixture
def prompts(tmp_path):
    """Twelve templates, four of them about irregular income; two groups of four names."""
    rows, people = [], {"f": ["Ada", "Bea", "Cyn", "Dot"], "m": ["Abe", "Ben", "Cal", "Don"]}
    for t in range(12):
        case = "irregular" if t < 4 else "salaried"
        for group, names in people.items():
            rows += [f"{t}{n},I am {n}. Case {t} with {case} income?,t{t},{group},{n},{case}" for n in names]
    path = tmp_path / "prompts.csv"
    path.write_text(HEAD + "\n".join(rows) + "\n", encoding="utf-8")
    return path


PLANTED = "stub:decide,logit=0.3,noise=0.1,both=" + "+".join(
    f"{n}&irregular:-1.5" for n in ("Ada", "Bea", "Cyn", "Dot")
)


def test_an_effect_in_some_templates_shows_by_template_and_case(prompts, kit):
    """The gap is concentrated in four templates: they stand first, their case type's interval leaves zero out."""
    said = kit.command("decide", prompts, "--target", PLANTED, "--groups", "f,m", "--margin", "0.05", "--json")
    document = said.json
    gap = document["contrasts"][0]
    assert (said.code, document["method"], document["calls"]) == (4, "probabilities", 96)
    assert {row["template"] for row in gap["per_template"][:4]} == {"t0", "t1", "t2", "t3"}
    assert all(row["gap"] < -0.25 for row in gap["per_template"][:4])
    assert all(abs(row["gap"]) < 0.1 for row in gap["per_template"][4:])
    assert gap["by_case_type"]["irregular"]["ci"][1] < 0 < gap["by_case_type"]["salaried"]["ci"][1]
    assert gap["logit"]["value"] == pytest.approx(-0.5, abs=0.06)
    text = kit.command("decide", prompts, "--target", PLANTED, "--groups", "f,m", "--margin", "0.05")
    assert text.code == 4
    assert "t0        irregular" in text.out
    assert (text.err, text.out.count("margin ±0.05: warn")) == ("", 1)


def test_a_uniform_effect_beyond_the_margin_fails_and_none_passes(prompts, kit):
    """Exit 1 where the interval lies outside the margin, 0 where it lies inside."""
    men = "+".join(f"{n}:-2" for n in ("Abe", "Ben", "Cal", "Don"))
    assert kit.command("decide", prompts, "--target", f"stub:decide,word={men},noise=0.1", "--margin", "0.1").code == 1
    assert kit.command("decide", prompts, "--target", "stub:decide,noise=0.1", "--margin", "0.1").code == 0


def test_infinite_cells_are_counted_and_bounded_by_the_unlisted_mass(prompts, kit, tmp_path):
    """Only one token is listed: P(yes) is 1, log-odds stand with the bound log(0.7 / 0.3), and all of it is said."""
    out = tmp_path / "answers.jsonl"
    said = kit.command("decide", prompts, "--target", "stub:decide,logit=9,outside=0.3,top=1", "-o", out, "--json")
    counts = said.json["counts"]
    assert [(c["infinite"], c["bounded"], c["unbounded"]) for c in counts] == [(48, 48, 0)] * 2
    assert any("list one answer only" in note for note in said.json["contrasts"][0]["notes"])
    row = json.loads(out.read_text(encoding="utf-8").splitlines()[0])
    assert (row["p_yes"], row["logit"]) == (1.0, None)
    assert row["logit_bound"] == pytest.approx(0.8468, abs=1e-3)  # log((0.7 - 0.7 / (1 + e^9)) / (1 - that))
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    shown = kit.command("decide", prompts, "--target", "stub:decide,logit=9,outside=0.3,top=1")
    assert "bounded: log-odds use what the unlisted probability allows" in shown.out


def test_samples_are_never_silent(prompts, kit):
    """The fallback and its cost on standard error before, the method in the result; --samples 0 stops with 3."""
    said = kit.command("decide", prompts, "--target", "stub:decide,logprobs=0", "--samples", "3", "--json")
    assert "asked 3 times" in said.err
    assert "288 calls, 288 to send" in said.err
    assert (said.json["method"], said.json["contrasts"][0]["logit"]) == ("sampled", None)
    stopped = kit.command("decide", prompts, "--target", "stub:decide,logprobs=0", "--samples", "0")
    assert (stopped.code, stopped.out) == (3, "")
    never = kit.command("decide", prompts, "--target", "command:cat", "--samples", "0")
    assert (never.code, never.out) == (2, "")
    dry = kit.command("decide", prompts, "--target", "anthropic:m", "--dry-run", "--price-in", "1", "--price-out", "2")
    assert "1,920 calls" in dry.out
    assert "cost: at most" in dry.out


@pytest.mark.parametrize(
    ("text", "options", "word"),
    [
        ("id,prompt\n1,\n", [], "an empty cell"),
        ("id,prompt\n1,a\n1,b\n", [], "an id stands twice"),
        ("id,group\n1,a\n", [], "prompt"),
        ("id,prompt\n1,a\n", ["--options", "yes,Yes"], "two or more different options"),
        ("id,prompt\n1,a\n", ["--groups", "x,y"], "no prompt has this group"),
        ("id,prompt\n1,a\n", ["--target", "stub:decide,foo=1"], "planted target"),
        ("id,prompt\n1,a\n", ["--target", "wrong:thing"], "no such target"),
    ],
)
def test_bad_input_ends_with_two(tmp_path, kit, text, options, word):
    """What is wrong, where; nothing on standard output."""
    path = tmp_path / "p.csv"
    path.write_text(text, encoding="utf-8")
    target = [] if "--target" in options else ["--target", "stub:decide"]
    said = kit.command("decide", path, *target, *options)
    assert (said.code, said.out) == (2, "")
    assert word in said.err
    assert "a bug" not in said.err


@pytest.mark.parametrize("dry", [["--dry-run"], []])
def test_a_group_that_is_not_there_costs_nothing(prompts, kit, tmp_path, dry):
    """`--groups` is held against the prompts before anybody is asked, and the groups that there are are named."""
    said = kit.command("decide", prompts, "--target", "stub:decide", "--groups", "f,men", *dry)
    assert (said.code, said.out, "the groups are f, m" in said.err) == (2, "", True)
    assert not (tmp_path / ".judgekit").exists()


def test_hostile_prompts_reach_the_terminal_harmless(tmp_path, kit):
    """Escapes in a template's id or a group are shown, not obeyed."""
    rows = [
        {"id": str(k), "prompt": "x \ud800", "template_id": "\x1b[2J", "group": f"\x1b]0;{g}\x07"}
        for k, g in enumerate("ab")
    ]
    path = tmp_path / "p.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    said = kit.command("decide", path, "--target", "stub:decide")
    assert "\x1b" not in said.out + said.err
    assert "a bug" not in said.err


def test_a_studys_planted_effect_is_found_with_its_sign_though_surnames_are_shared(tmp_path, kit):
    """A study's target and group order (woman minus man); bundled people share surnames, which show nobody's group."""
    (tmp_path / "templates.yaml").write_text(
        "templates:\n"
        + "".join(
            f'  - {{id: t{k}, text: "I am {{name}}. Perhaps case {k} about {what} can be paid back?"}}\n'
            for k, what in enumerate(("kettles", "lamps", "trams", "chairs", "courses", "stamps"))
        ),
        encoding="utf-8",
    )
    (tmp_path / "study.yaml").write_text(
        "study: shared\ndata: {replies: probe/replies.jsonl}\nrubrics: {warmth: {rubric: warmth}}\n"
        "groups: {attribute: gender, values: {woman: {}, man: {}}}\n"
        'probe: {templates: templates.yaml, replicates: 1, controls: 0, target: {spec: "stub:biased"}}\n',
        encoding="utf-8",
    )
    assert kit.command("probe", "expand", tmp_path).code == 0
    said = kit.command(
        "decide", tmp_path / "probe" / "prompts.jsonl", "--target", tmp_path, "--margin", "0.05", "--json"
    )
    gap = said.json["contrasts"][0]
    assert (gap["a"], gap["b"]) == ("woman", "man")
    # The planted decision effect is -0.7 points on the last group; 1.5 x 0.7 in log-odds.
    assert gap["logit"]["value"] == pytest.approx(1.05, abs=1e-6)
