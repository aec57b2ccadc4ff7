"""What the linter finds, each with its line, and what it leaves alone."""

import json

import pytest

from judgekit.linting.grammar import agreement_slips, article_slips
from judgekit.probing.expand import expand
from judgekit.probing.lint import lint_prompts, lint_study
from judgekit.records import Identity, NameForms
from judgekit.study import load_study

GOOD = "templates:\n" + "".join(
    f'  - {{id: t{k}, borderline: true, text: "I am {{name}}, an owner of a kettle. Can case {k} be paid back?"}}\n'
    for k in range(8)
)


def found(folder):
    """Findings by code, as (level, line, template)."""
    by_code = {}
    for finding in lint_study(load_study(folder)).findings:
        by_code.setdefault(finding.code, []).append((finding.level, finding.line, finding.template))
    return by_code


def line_of(folder, text, file="templates.yaml"):
    """The line of a file that begins with some text."""
    lines = (folder / file).read_text(encoding="utf-8").splitlines()
    return next(k for k, line in enumerate(lines, 1) if line.strip().startswith(text))


def test_a_sound_design_has_notes_only(make_probe):
    """Eight templates, four matched names, 160 results a group: no error, no warning, and what it can find."""
    linted = lint_study(load_study(make_probe(GOOD)))
    assert (linted.errors, linted.warnings) == (0, 0), linted.findings
    assert [f.code for f in linted.findings] == ["detects"]
    assert "points of a yes rate" in linted.findings[0].what
    assert linted.sizes[0].results == {"woman": 160, "man": 160}


def test_what_a_design_finds_grows_with_it(make_probe):
    """More templates, a smaller gap; the assumptions move it too."""
    from judgekit.statistics.power import Noise

    few = lint_study(load_study(make_probe("\n".join(GOOD.splitlines()[:5])))).detects[0]
    many = lint_study(load_study(make_probe(GOOD))).detects[0]
    quiet = lint_study(load_study(make_probe(GOOD)), noise=Noise(template_gap=0.0, name=0.0, residual=1.0)).detects[0]
    assert few.score > many.score > quiet.score
    assert many.decision == pytest.approx(many.score / 2)


BAD = """\
attributes:
  profile:
    groups:
      a: {age: "24", place: Croydon}
      b: {age: "61", place: Kensington}
  age: {groups: {young: ["24"], old: ["67"]}, default: "45"}
  style:
    groups: {plain: ["I write since"], rushed: ["hey I am 19 years old and"]}
templates:
  - id: slip
    text: "I'm {name}, {age}, from {place}. {style} I waited a hour."
  - id: she
    text: |
      I'm {name}.
      My boss says that {name} forgot her badge.
  - {id: again, text: "I'm  {name}, {age}, from {place}. {style} I waited a hour."}
  - {id: unknown, text: "I'm {name}, {salary}."}
  - {id: pregnant, text: "I'm {name}. I'm pregnant."}
  - {id: mother, text: "I'm {name}, a mother of two."}
  - {id: nobody, slots: {colour: blue}, text: "Where is it?"}
"""


def test_every_fault_of_wording_has_its_line(make_probe):
    """Two attributes at once, a slip of a/an and of agreement, unknown and unused slots, doubles, one gender's cases."""
    folder = make_probe(BAD, attributes=["name", "profile", "style"])
    codes = found(folder)
    assert ("error", 2, None) in codes["two_attributes"]
    assert ("error", line_of(folder, "- id: slip") + 1, "slip") in codes["article"]
    assert ("error", line_of(folder, "- id: slip"), "slip") in codes["two_attributes"]  # the style tells an age
    assert codes["agreement"] == [("error", line_of(folder, "My boss"), "she")]
    assert codes["duplicate"] == [("error", line_of(folder, "- {id: again"), "again")]
    assert codes["unknown_slot"] == [("error", line_of(folder, "- {id: unknown"), "unknown")]
    assert codes["one_gender_only"] == [("error", line_of(folder, "- {id: pregnant"), "pregnant")]
    assert codes["gendered_word"] == [("warning", line_of(folder, "- {id: mother"), "mother")]
    assert ("warning", line_of(folder, "- {id: nobody"), "nobody") in codes["unused_slot"]
    assert ("warning", line_of(folder, "- {id: nobody"), "nobody") in codes["no_name"]
    assert codes["few_borderline"][0][:2] == ("warning", line_of(folder, "templates:"))


@pytest.mark.parametrize(("stage", "level"), [("pilot", "warning"), ("confirmatory", "error")])
def test_forty_results_a_group_are_too_few(make_probe, stage, level):
    """5 templates, 4 names, 2 replicates: 40 results, named with the line of replicates and what would be enough."""
    folder = make_probe("\n".join(GOOD.splitlines()[:6]), replicates=2, stage=stage)
    linted = lint_study(load_study(folder))
    finding = next(f for f in linted.findings if f.code == "too_few")
    assert (finding.level, finding.line) == (level, line_of(folder, "replicates:", "study.yaml"))
    assert "woman 40, man 40" in finding.what
    assert "replicates: 5" in finding.remedy
    assert any(f.code == "few_templates" and "0.0625" in f.why for f in linted.findings)


NAMES = """\
attribute: gender
groups:
  woman:
    pronouns: she/her
    names:
      - {given: Emily, family: Hartwell, origin: anglo, era: 1985-2005}
      - {given: Priya, family: Iyer, origin: south_asian, era: 1985-2005}
      - {given: Grace, family: Lund}
      - {given: Ada}
      - {given: Zelda, family: Brandt, title: Dr}
  man:
    pronouns: he/him
    names:
      - {given: Herbert, family: Hartwell, origin: anglo, era: 1920-1940}
      - {given: Kofi, family: Mensah, origin: west_african, era: 1985-2005}
      - {given: Stellan, family: Lund}
      - {given: Bruno, family: Adler}
"""


def test_lists_of_names_are_compared_by_position(make_probe):
    """Unequal lists, another origin or rank, other years, a surname missing, a name that is a word: each with its line."""
    folder = make_probe(GOOD, names=NAMES)
    codes = found(folder)

    def line(text):
        return line_of(folder, text, "names.yaml")

    assert {("error", line("man:"), None), ("error", line("- {given: Bruno"), None)} <= set(codes["unmatched_names"])
    assert codes["two_attributes"] == [("error", line("- {given: Kofi"), None)]
    assert codes["unmatched_era"] == [("warning", line("- {given: Herbert"), None)]
    assert codes["name_is_word"] == [("warning", line("- {given: Grace"), None)]


def test_titles_that_tell_a_rank_and_origins_that_lists_know(make_probe):
    """Dr beside Mr is a second attribute; an origin that is only inferred from a given name is a warning."""
    names = "attribute: gender\ngroups:\n  woman: {names: [{given: Ada, title: Dr}, Priya, Zoe, Mia]}\n  man: {names: [{given: Bo, title: Mr}, Kofi, Max, Tim]}\n"
    codes = found(make_probe(GOOD, names=names))
    assert codes["two_attributes"] == [("error", 4, None), ("warning", 4, None)]


def test_people_without_pronouns_are_told_where_templates_need_them(make_probe):
    """In Spanish the endings would be wrong: an error; not asked where no template writes them."""
    names = "lang: es\ngroups:\n  mujer: {pronouns: ella, names: [Zoe, Mia, Eva, Iris]}\n  hombre: {names: [Max, Tim, Leo, Hugo]}\n"
    text = 'lang: es\ntemplates: [{id: t, borderline: true, text: "Soy {name} y estoy {agree:contento}."}]\n'
    assert found(make_probe(text, groups=None, names=names))["no_pronouns"] == [("error", 4, None)]
    assert "no_pronouns" not in found(make_probe(text.replace("{agree:contento}", "aquí"), groups=None, names=names))


def test_a_cue_that_is_left_is_told(make_probe):
    """Removing the name helps nothing where a pronoun stays."""
    text = GOOD + '  - {id: left, text: "Hello[[ from {name}]]. {pronoun_subject} waits."}\n'
    folder = make_probe(text, replicates=1, attributes=["name", "removal"])
    assert found(folder)["cue_left"] == [("warning", line_of(folder, "- {id: left"), "left")]


def test_arms_are_read_too(make_probe):
    """A slip in a recall variant, and one that appears when the cue is taken out."""
    text = GOOD + (
        '  - {id: cut, text: "I am a [[{age}-year-old ]]owner, {name}.", recall: {direction: up, text: "{name} ate a egg."}}\n'
        'attributes: {age: {groups: {a: ["18"], b: ["64"]}}}\n'
    )
    folder = make_probe(text, replicates=1, attributes=["name", "age", "removal"], checks={"recall": True})
    linted = lint_study(load_study(folder))
    slips = [f for f in linted.findings if f.code == "article"]
    assert {(f.template, f.line) for f in slips} == {("cut", line_of(folder, "- {id: cut"))}
    assert {f.what.split(",")[0] for f in slips} == {"in the arm recall", "in the arm remove"}


def test_slips_are_found_and_sound_text_is_left_alone():
    """a/an by sound, capitals inside a sentence are letters; agreement by filling the person in again."""
    assert (
        list(article_slips("Plan A offers a UK user an hour, an 8-year-old an MBA. A historic day, an historic day."))
        == []
    )
    assert [s.better for s in article_slips("A hour. It is an useful thing; a 11th, a SME.")] == [
        "An hour", "a useful", "an 11th", "an SME"
    ]  # fmt: skip
    fatima = Identity(group="m", name="Fátima", forms=NameForms(given="Fátima", pronouns="ella"))
    assert agreement_slips("Soy Fátima, cliente suya. Estoy contenta con la lámpara rota.", fatima, "es") == []
    assert [s.better for s in agreement_slips("Soy Fátima y estoy contento.", fatima, "es")] == ["contenta"]
    emily = Identity(group="w", name="Emily", forms=NameForms(given="Emily", pronouns="she/her"))
    assert agreement_slips("I'm Emily. My son says that he lost his ticket.", emily, "en") == []


def written(folder, tmp_path, change):
    """The expanded prompts with some lines changed."""
    from judgekit.files.prompts import prompt_row

    rows = [prompt_row(prompt) for prompt in expand(load_study(folder)).prompts]
    change(rows)
    path = tmp_path / "prompts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_prompts_as_expanded_have_no_finding(make_probe, tmp_path):
    """With pronouns, titles and verbs that follow the person, beside the study and alone."""
    text = (
        GOOD
        + '  - {id: p, text: "{title} {family} {verb:wants} in. Ask {pronoun_object} for {pronoun_possessive} pass, a {pronoun_absolute}."}\n'
    )
    folder = make_probe(text, replicates=1, attributes=["name", "pronouns"])
    path = written(folder, tmp_path, lambda rows: None)
    assert lint_prompts(path).errors == 0, lint_prompts(path).findings
    linted = lint_study(load_study(folder), prompts_file=path)
    assert [f for f in linted.findings if f.path == path] == []


def test_an_edited_prompt_is_named_by_its_line(make_probe, tmp_path):
    """Another word in one prompt of a pair, a control that differs, an order by group, lines that are gone."""
    folder = make_probe(
        GOOD,
        replicates=2,
        groups=None,
        names="groups: {a: {names: [Ann, Bea, Cat, Dot]}, b: {names: [Abe, Bob, Cal, Dan]}}",
    )

    def edit(rows):
        at = next(k for k, row in enumerate(rows) if row["arm"]["kind"] == "base" and row["replicate"] == "1")
        rows[at]["turns"][0]["content"] = rows[at]["turns"][0]["content"].replace("a kettle", "an kettle, 62 years old")
        edit.line = at + 1

    path = written(folder, tmp_path, edit)
    linted = lint_prompts(path)
    codes = {f.code: f for f in linted.findings}
    assert codes["edited"].line == codes["article"].line == edit.line
    assert "62" in codes["two_attributes"].what
    beside = lint_study(load_study(folder), prompts_file=path)
    assert any(f.code == "edited" and "62 years old" in f.what and f.line == edit.line for f in beside.findings)

    def sort(rows):
        rows.sort(key=lambda row: str(row.get("group")))
        for place, row in enumerate(rows, 1):
            row["position"] = place

    assert "not_interleaved" in {f.code for f in lint_prompts(written(folder, tmp_path, sort)).findings}

    def spoil(rows):
        control = next(row for row in rows if row["arm"]["kind"] == "control")
        control["turns"][0]["content"] += " "
        rows.remove(next(row for row in rows if row.get("group") == "a"))
        rows[1]["position"] = rows[0]["position"]

    spoilt = {f.code for f in lint_prompts(written(folder, tmp_path, spoil)).findings}
    assert {"control_differs", "unmatched_names", "same_position"} <= spoilt
