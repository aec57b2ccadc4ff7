"""study.yaml: defaults, unknown keys, groups and people, hash, and what is sealed."""

import pytest
import yaml

from judgekit.data import bundled
from judgekit.errors import ConfigProblem
from judgekit.records import Contrast
from judgekit.study import Study, load_study
from judgekit.study_blocks import Block

SMALL = {"study": "s", "data": {"replies": "r.csv"}, "rubrics": {"warmth": {"rubric": "warmth"}}}


@pytest.fixture
def load(tmp_path):
    """Write settings as study.yaml and load them."""

    def make(settings):
        path = tmp_path / "study.yaml"
        path.write_text(
            settings if isinstance(settings, str) else yaml.safe_dump(settings, sort_keys=False), encoding="utf-8"
        )
        return load_study(path)

    return make


def merged(**blocks):
    """The small study with more blocks."""
    return {**SMALL, **blocks}


def test_the_defaults_of_the_house(load):
    """Every threshold of DESIGN section 6 when nothing is said."""
    study = load(SMALL)
    c = study.calibration
    assert (c.threshold.kind, c.threshold.kappa) == ("absolute", 0.60)
    assert (c.per_group.kappa, c.per_group.measure) == (0.50, "point")
    assert c.differential_bias.tolerance == 0.25
    assert (c.human_kappa, c.min_labels, c.min_raters, c.failure_gap) == (0.60, 50, 2, 0.05)
    assert (study.blinding.max_withheld.share, study.blinding.max_withheld.gap) == (0.10, 0.05)
    assert (study.swap_test.texts, study.swap_test.margin, study.swap_test.when_failed) == (80, 0.10, "refuse")
    assert (study.labels.n, study.labels.repeats, study.labels.reference) == (200, 0.10, "mean")
    assert study.labels.strata == ["group", "template_id"]
    assert (study.statistics.interval, study.statistics.correction) == (0.95, "bh")
    assert study.gate.estimate == "corrected"
    assert study.privacy.people == "real"
    assert study.data.design == "counterfactual"
    assert study.judge.spec == "lexicon"
    assert study.stage == "pilot"
    assert study.report.quotes.n == 2


def test_the_commented_template_is_a_valid_study(tmp_path):
    """What `judgekit init` writes loads, and names every key of every block."""
    text = bundled("study_template.yaml").read_text(encoding="utf-8")
    path = tmp_path / "study.yaml"
    path.write_text(text, encoding="utf-8")
    assert load_study(path).study
    missing = {key for key in Study.model_fields if f"{key}:" not in text}
    assert missing == set()


def test_every_key_has_a_description():
    """No setting without a docstring, in any block."""
    blocks = [Block, *Block.__subclasses__()]
    assert len(blocks) > 15
    for block in blocks:
        for name, field in block.model_fields.items():
            assert field.description, f"{block.__name__}.{name}"


@pytest.mark.parametrize(
    ("settings", "field", "word"),
    [
        ({"study": "s"}, "data", "missing"),
        (merged(colour=1), "colour", "unknown key"),
        (merged(judge={"spec": "lexicon", "repeats": 0}), "judge.repeats", "greater than or equal to 1"),
        (merged(calibration={"threshold": {"kappa": 0.39}}), "calibration", "override_reason"),
        (merged(calibration={"human_kappa": 0.1}), "calibration", "override_reason"),
        (merged(calibration={"min_labels": 1}), "calibration.min_labels", "2"),
        (merged(statistics={"interval": 1.0}), "statistics.interval", "less than 1"),
        (merged(gate={"exit_codes": {"warn": 200}}), "gate.exit_codes", "0 to 125"),
        (merged(gate={"exit_codes": {"fail": 0}}), "gate.exit_codes", "warn"),
        (merged(groups={"attribute": "g", "values": {"a": {}}}), None, "one group"),
        (merged(groups={"attribute": "g", "values": {"a": {}, "b": {}}, "comparisons": [["a", "c"]]}), None, "a, c"),
        (merged(groups={"attribute": "g", "values": {"a": {"names": ["X Y"]}, "b": {"names": ["x y"]}}}), None, "x y"),
        (merged(groups={"attribute": "g", "values": {"a": {"names": ["X", "X"]}, "b": {}}}), None, "twice"),
        (merged(rubrics={}), "rubrics", "at least 1"),
        (merged(rubrics={"w": {"rubric": "warmth", "margin": 0}}), "rubrics.w.margin", "greater than 0"),
        ({**SMALL, "study": "a b"}, "study", "letters"),
        ({**SMALL, "study": "ü"}, "study", "letters"),
        ({**SMALL, "stage": "final"}, "stage", "pilot"),
    ],
)
def test_what_does_not_fit_is_refused_by_key(load, settings, field, word):
    """The key, the value and the rule."""
    with pytest.raises(ConfigProblem) as problem:
        load(settings)
    assert problem.value.exit_code == 2
    assert word in str(problem.value)
    if field is not None:
        assert (problem.value.field or "").startswith(field)


def test_a_low_threshold_needs_a_reason(load):
    """Under 0.40 only with an override reason."""
    calibration = {"threshold": {"kappa": 0.3}, "override_reason": "a first look"}
    assert load(merged(calibration=calibration)).calibration.threshold.kappa == 0.3
    # The ceiling has a floor of its own, so that its kappa does not matter.
    assert load(merged(calibration={"threshold": {"kind": "ceiling", "kappa": 0.1}}))


def test_the_hash_depends_on_every_setting_and_on_nothing_else(load):
    """Other order and layout, same hash; another value, another hash; defaults written out, same hash."""
    one = load(SMALL).hash
    assert load("rubrics: {warmth: {rubric: warmth}}\ndata: {replies: r.csv}\n# c\nstudy: s\n").hash == one
    assert load(merged(stage="pilot")).hash == one
    assert load(merged(stage="confirmatory")).hash != one
    assert load(merged(report={"owner": "me"})).hash != one


def test_what_is_sealed(load):
    """Thresholds, swap test, limits, rubrics with role and margin, groups, statistics, gate, and who labels."""
    content = load(merged(labels={"annotators": ["ana"]})).sealed_content()
    assert set(content) >= {"calibration", "swap_test", "max_withheld", "rubrics", "measured", "groups", "statistics"}
    assert content["labels"]["annotators"] == ["ana"]
    assert "report" not in content


def test_people_of_the_groups(load):
    """Names as text or as blocks, matched by position, with the group's title and pronouns unless their own."""
    groups = {
        "attribute": "gender",
        "values": {
            "w": {"title": "Ms.", "pronouns": "she/her", "names": ["Ana María Ruiz", {"given": "Joy", "title": "Dr."}]},
            "m": {"names": ["Luis", {"given": "Wim", "family": "de Vries", "pronouns": "they/them"}]},
        },
    }
    people = load(merged(groups=groups)).identities()
    ana, joy = people["w"]
    assert (ana.name, ana.forms.given, ana.forms.family) == ("Ana María Ruiz", "Ana", "María Ruiz")
    assert (ana.forms.title, ana.forms.pronouns, ana.name_pair) == ("Ms.", "she/her", "1")
    assert (joy.forms.title, joy.forms.family, joy.name_pair) == ("Dr.", None, "2")
    luis, wim = people["m"]
    assert (luis.forms.title, luis.forms.pronouns) == (None, None)
    assert (wim.name, wim.forms.pronouns) == ("Wim de Vries", "they/them")


def test_contrasts(load):
    """All pairs in the order of the values, or the listed ones; none without groups."""
    values = {"c": {}, "a": {}, "b": {}}
    study = load(merged(groups={"attribute": "g", "values": values}))
    assert study.contrasts == (Contrast("c", "a"), Contrast("c", "b"), Contrast("a", "b"))
    study = load(merged(groups={"attribute": "g", "values": values, "comparisons": [["b", "c"]]}))
    assert study.contrasts == (Contrast("b", "c"),)
    assert load(SMALL).contrasts == ()
    assert load(SMALL).identities() == {}


def test_paths_start_from_the_study_file(load, tmp_path):
    """Relative paths stand beside the study; absolute ones are left alone."""
    from pathlib import Path

    study = load(SMALL)
    assert study.base == tmp_path.resolve()
    assert study.path(study.data.replies) == tmp_path.resolve() / "r.csv"
    assert study.path(Path("/x/y")) == Path("/x/y")


def test_a_folder_stands_for_its_study(load, tmp_path):
    """A folder that holds study.yaml may be named instead."""
    one = load(SMALL).hash
    assert load_study(tmp_path).hash == one


def test_a_study_is_frozen(load):
    """Nothing is changed after it was read."""
    with pytest.raises(ValueError, match="frozen"):
        load(SMALL).calibration.min_labels = 1


def test_a_value_that_may_be_a_key_is_not_shown(load):
    """An unknown setting whose name speaks of a key: the value stays out of the message."""
    with pytest.raises(ConfigProblem) as problem:
        load(merged(judge={"spec": "lexicon", "api_key": "sk-123456789"}))
    assert "sk-123456789" not in str(problem.value)
