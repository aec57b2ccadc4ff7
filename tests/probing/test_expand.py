"""From templates to prompts."""

from collections import Counter, defaultdict

import pytest

from judgekit.errors import ConfigProblem, UsageProblem
from judgekit.probing.expand import expand, prompt_hash
from judgekit.probing.templates import load_templates
from judgekit.records import Undefined
from judgekit.study import load_study

SIX = "templates:\n" + "".join(
    f'  - {{id: t{k}, case_type: c{k % 2}, borderline: true, text: "I am {{name}}. Perhaps case {k} can be paid back?"}}\n'
    for k in range(6)
)
RICH = """
slots: {product: [kettle, lamp, umbrella]}
attributes:
  age: {groups: {younger: ["17", "31"], older: ["64", "81"]}, default: "45"}
  style: {groups: {plain: [], rushed: []}}
templates:
  - id: parcel
    text: "Hello[[, I'm {name}]]. I'm a {age}-year-old with a {product}. {style} it is late. Perhaps I want a refund."
    attributes: {style: {plain: "I write because", rushed: "hey so"}}
    recall: {direction: up, text: "I'm {name}. You lost my {product}. A refund?"}
  - id: pass
    turns:
      - user: "{Pronoun_subject} {verb:wants} to see us: {title} {family}. Perhaps you can help?"
      - assistant: Gladly.
      - user: Tell {pronoun_object} that we need an answer soon.
  - {id: two, two_candidates: true, text: "Compare {name_1} and {name_2}."}
  - {id: mum, specific_to: gender, text: "I'm {name}, and pregnant."}
"""


def groups_of(names, n):
    """``n`` groups of three invented people."""
    return {g: {"pronouns": "she/her", "names": [f"{g}{k} Mora" for k in range(3)]} for g in names[:n]}


def test_the_design_of_the_names_script(make_probe):
    """6 templates, 3 name pairs, 5 replicates: 90 conversations a group, pairs by position, few names said."""
    people = {"a": {"names": ["Ann Lee", "Bea Lee", "Cat Lee"]}, "b": {"names": ["Abe Lee", "Bob Lee", "Cal Lee"]}}
    made = expand(load_study(make_probe(SIX, groups=people, replicates=5, controls=0)))
    assert made.counts == {("name", "base", "a"): 90, ("name", "base", "b"): 90}
    cells = Counter((p.unit_id, p.group, p.name_pair, p.name) for p in made.prompts)
    assert set(cells.values()) == {5}
    assert {(p.name_pair, p.name) for p in made.prompts if p.group == "b"} == {
        ("1", "Abe Lee"),
        ("2", "Bob Lee"),
        ("3", "Cal Lee"),
    }
    assert "fewer than 4 names" in made.warnings[0]


def test_twelve_hundred_conversations_in_random_order(make_probe):
    """20 templates x 4 groups x 3 names x 5 replicates: complete, interleaved, ids that tell nothing, repeatable."""
    templates = "templates:\n" + "".join(f'  - {{id: t{k}, text: "I am {{name}}, case {k}."}}\n' for k in range(20))
    study = load_study(
        make_probe(templates, groups=groups_of(["Ada", "Bel", "Cyn", "Dot"], 4), replicates=5, controls=0)
    )
    made = expand(study)
    assert len(made.prompts) == 1200
    assert set(made.counts.values()) == {300}
    assert [p.position for p in made.prompts] == list(range(1, 1201))
    assert len({p.id for p in made.prompts}) == 1200
    assert not isinstance(made.runs.p, Undefined)
    assert made.runs.p >= 0.05
    assert expand(study).prompts == made.prompts


def test_a_pair_differs_in_the_name_alone(make_probe):
    """Every prompt of a cell is the same byte for byte once names are taken out, slots with several values too."""
    text = 'slots: {thing: [a, b, c, d]}\ntemplates: [{id: t, text: "I am {name}. {thing}{thing}"}, {id: u, text: "{given}: {thing}"}]\n'
    made = expand(load_study(make_probe(text)))
    cells = defaultdict(set)
    for prompt in made.prompts:
        if prompt.arm.kind == "base":
            bare = prompt.context
            for name in prompt.known_names:
                bare = bare.replace(name, "_")
            cells[prompt.unit_id, prompt.name_pair].add(bare)
    assert len(cells) == 8
    assert all(len(texts) == 1 for texts in cells.values())


def rich(make_probe, **more):
    """Everything at once."""
    keys = {
        "attributes": ["name", "age", "style", "pronouns", "removal"], "intersections": [["name", "age"]],
        "baselines": {"fixed_sentence": True, "paraphrase": "rules"}, "checks": {"recall": True, "precision": True},
        "replicates": 2, "controls": 2,
    }  # fmt: skip
    return load_study(make_probe(RICH, **(keys | more)))


def test_every_attribute_is_a_probe_of_its_own(make_probe):
    """In a probe's pairs the person and every other value stay; only declared attributes vary together."""
    made = expand(rich(make_probe))
    by_probe = defaultdict(list)
    for prompt in made.prompts:
        if prompt.arm.kind == "base":
            by_probe[prompt.probe].append(prompt)
    assert set(by_probe) == {"name", "age", "style", "pronouns", "name+age"}
    assert all("45-year-old" in p.context for p in by_probe["name"] if p.unit_id == "parcel")
    ages = {(p.group, p.name_pair, p.known_names, p.name) for p in by_probe["age"]}
    assert ages == {
        ("younger", "1", ("Emily", "Hartwell"), "17"), ("older", "1", ("Emily", "Hartwell"), "64"),
        ("younger", "2", ("Matthew", "Hartwell"), "31"), ("older", "2", ("Matthew", "Hartwell"), "81"),
    }  # fmt: skip
    assert all("an 81-year-old" in p.context for p in by_probe["age"] if p.name == "81")
    assert {p.group for p in by_probe["name+age"]} == {
        "woman + younger", "woman + older", "man + younger", "man + older"
    }  # fmt: skip
    assert {p.context.split(":")[0] for p in by_probe["pronouns"]} == {
        "She wants to see us", "He wants to see us", "They want to see us"
    }  # fmt: skip
    assert {p.attribute for p in by_probe["name"]} == {"gender"}
    left = {(out.probe, out.template) for out in made.left_out}
    assert {("name", "mum"), ("pronouns", "mum"), ("age", "pass")} <= left


def test_arms_stand_beside_the_base(make_probe):
    """Controls are byte-identical pairs; rewording is matched in tokens; recall has a direction; precision adds a year."""
    made = expand(rich(make_probe))
    arms = defaultdict(list)
    for prompt in made.prompts:
        arms[prompt.arm.kind].append(prompt)
    pairs = defaultdict(list)
    for prompt in arms["control"]:
        pairs[prompt.unit_id, prompt.name_pair].append(prompt)
    assert len(pairs) == 2 * 3
    assert all(len(pair) == 2 and pair[0].turns == pair[1].turns and pair[0].group is None for pair in pairs.values())
    base = {(p.unit_id, p.probe, p.group, p.name): p for p in arms["base"]}
    for prompt in arms["paraphrase"]:
        origin = base[prompt.unit_id, prompt.probe, prompt.group, prompt.name]
        assert prompt.context != origin.context
        assert set(prompt.known_names) == set(origin.known_names)
        assert 0 < prompt.arm.token_change < 0.2
        assert (prompt.arm.identity, prompt.arm.of_arm) == (prompt.name, "base")
    assert {p.group for p in arms["paraphrase"] if p.probe == "name"} == {"woman", "man"}
    assert len({p.context.rsplit(". ", 1)[1] for p in arms["fixed_sentence"]}) == 1
    assert {(p.arm.direction, p.unit_id) for p in arms["recall"]} == {(1, "parcel")}
    assert {a for p in arms["precision"] for a in ("18", "32", "46", "65", "82") if a in p.context} >= {"46"}
    removed = {p.context for p in arms["remove"]}
    assert all(text.startswith("Hello. I'm a 45") for text in removed)
    assert all(p.known_names == () and p.group is None for p in arms["remove"])


def test_two_candidates_share_a_prompt_in_both_orders(make_probe):
    """Each pair appears as a b and as b a, in an arm that no gap between groups reads."""
    made = [p for p in expand(rich(make_probe)).prompts if p.unit_id == "two" and p.arm.kind != "control"]
    assert {p.arm.kind for p in made} == {"variant"}
    assert {(p.order, p.context) for p in made if p.name_pair == "1"} == {
        ("ab", "Compare Emily Hartwell and Matthew Hartwell."), ("ba", "Compare Matthew Hartwell and Emily Hartwell."),
    }  # fmt: skip


def test_the_subset_is_part_of_the_whole(make_probe):
    """Drawn by seed; the same ids as in the whole, arms too, so that a nightly run need not ask again."""
    folder = make_probe(SIX, replicates=2, subset={"templates": 3, "replicates": 1}, baselines={"paraphrase": "rules"})
    whole, part = expand(load_study(folder)), expand(load_study(folder), subset=True)
    assert len({p.unit_id for p in part.prompts}) == 3
    assert {p.id for p in part.prompts} < {p.id for p in whole.prompts}
    assert {p.arm.kind for p in part.prompts} == {"base", "control", "paraphrase"}
    assert [p.id for p in part.prompts] == [p.id for p in expand(load_study(folder), subset=True).prompts]


def test_ids_follow_the_words(make_probe):
    """Another wording is another conversation; another seed too; the hash is that of the turns."""
    one = {p.id for p in expand(load_study(make_probe(SIX, replicates=1))).prompts}
    other = expand(load_study(make_probe(SIX.replace("paid back", "paid"), replicates=1))).prompts
    assert not one & {p.id for p in other}
    assert not one & {p.id for p in expand(load_study(make_probe(SIX, seed=5, replicates=1))).prompts}
    assert all(p.prompt_hash == prompt_hash(p.turns) for p in other)


def test_lists_of_unequal_length_are_refused(make_probe):
    """Neither names nor values are cut off in silence."""
    people = {"woman": {"names": ["Ann Lee", "Bea Lee"]}, "man": {"names": ["Abe Lee"]}}
    folder = make_probe(SIX, groups=people)
    with pytest.raises(ConfigProblem, match="not equally long") as problem:
        expand(load_study(folder))
    lines = (folder / "study.yaml").read_text(encoding="utf-8").splitlines()
    assert (problem.value.seen, problem.value.line) == ("woman 2, man 1", lines.index("    man:") + 1)
    text = 'attributes: {age: {groups: {a: ["1", "2"], b: ["3"]}}}\ntemplates: [{id: t, text: "{age}"}]\n'
    with pytest.raises(ConfigProblem, match="not equally many values"):
        expand(load_study(make_probe(text, attributes=["age"])))


@pytest.mark.parametrize(
    ("templates", "keys", "words"),
    [
        ('templates: [{id: t, text: "I am {name}, {pay}."}]', {}, ("templates.yaml:1", "no value", "{pay}")),
        ('templates: [{id: t, text: "Hello."}]', {}, ("no template shows", "no slot that shows name")),
        ('templates: [{id: t, text: "{name}"}]', {"attributes": ["age"]}, ("declared nowhere", "age")),
        ('templates: [{id: t, text: "{name}"}]', {"attributes": ["removal"]}, ("removal needs something",)),
        ('templates: [{id: t, text: "{name}"}]', {"names": "groups: {x: {names: [A B]}, y: {names: [C D]}}"}, ("no list of names",)),
        ('templates: [{id: t, text: "{name"}]', {}, ("templates.yaml:1", "brace")),
        ("templates:\n- id: t\n  text: a\n- id: t\n  text: b", {}, ("templates.yaml:4", "stands on line 2")),
        ("templates:\n- id: t\n  text: a\n  colour: b", {}, ("templates.yaml:4", "unknown key")),
        ("templates:\n- id: t\n  turns: [{assistant: a}]", {}, ("templates.yaml:3", "ends with what the user says")),
        ("templates:\n- id: t\n  text: a\n  recall: {text: b}", {}, ("templates.yaml:4", "up or down")),
    ],
)  # fmt: skip
def test_what_cannot_be_expanded_is_named(make_probe, templates, keys, words):
    """File, line, what and why; nothing half-made."""
    folder = make_probe(templates, **keys)
    with pytest.raises(ConfigProblem) as problem:
        expand(load_study(folder))
    assert all(word in str(problem.value) for word in words), str(problem.value)


def test_a_study_without_names_says_where_they_come_from(make_probe):
    """The remedy names the bundled lists."""
    folder = make_probe(SIX, groups={"red": {}, "blue": {}})
    with pytest.raises(UsageProblem, match="bundled:en-gender"):
        expand(load_study(folder))


def test_the_bundled_example_can_be_read_and_expanded(make_probe):
    """What `judgekit probe example` prints is a file of templates that works as it is."""
    from judgekit.data import bundled

    text = bundled("templates_example.yaml").read_text(encoding="utf-8")
    folder = make_probe(text, attributes=["name", "age", "place", "style", "removal"], checks={"recall": True})
    assert len(load_templates(folder / "templates.yaml").templates) == 4
    made = expand(load_study(folder))
    assert {p.probe for p in made.prompts} == {"name", "age", "place", "style", "removal:name", "control"}
