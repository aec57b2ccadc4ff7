"""Rubric files: strict YAML, an anchor for every level in every language, one hash over all wording."""

import pytest

from judgekit.errors import ConfigProblem
from judgekit.rubric import available_rubrics, load_rubric, load_yaml, rubric_from_mapping

GOOD = """
id: kind
version: "1"
title: {en: Kindness}
criteria:
  - dimension: kindness
    scale: ordinal
    levels: [1, 2, 3]
    question: {en: "How kind?", es: "¿Cuán amable?"}
    anchors:
      en: {1: "Not kind.", 2: "Kind.", 3: "Very kind."}
      es: {1: "Nada.", 2: "Amable.", 3: "Muy amable."}
"""


@pytest.fixture
def write(tmp_path):
    """Write a rubric file and give its path."""

    def make(text, name="r.yaml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return make


def test_the_bundled_rubrics():
    """Warmth, quality, tone with three dimensions and a nominal checklist; English and Spanish each."""
    assert available_rubrics() == ["checklist", "quality", "tone", "warmth"]
    assert load_rubric("tone").dimensions == ("formality", "condescension", "suspicion")
    for name in available_rubrics():
        rubric = load_rubric(name)
        assert {"en", "es"} <= rubric.languages
        for criterion in rubric.criteria:
            for lang in rubric.languages:
                assert set(criterion.anchors[lang]) == set(criterion.levels)
                assert all(criterion.anchors[lang].values())
    for name in ("warmth", "quality", "tone"):
        assert {c.levels for c in load_rubric(name).criteria} == {(1, 2, 3, 4, 5)}
    assert {c.kind for c in load_rubric("checklist").criteria} == {"nominal"}


def test_a_rubric_of_ones_own(write):
    """All parts are read."""
    rubric = load_rubric(write(GOOD))
    assert (rubric.id, rubric.version, rubric.dimensions) == ("kind", "1", ("kindness",))
    assert rubric.criteria[0].anchors["es"][3] == "Muy amable."
    assert rubric.title == {"en": "Kindness"}


def test_relative_paths_start_from_the_base(write):
    """A study's rubric is found beside the study."""
    path = write(GOOD)
    assert load_rubric("r.yaml", base=path.parent).hash == load_rubric(path).hash


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Very kind.", "Very, very kind."),
        ("Muy amable.", "Amabilísima."),
        ("How kind?", "How kind is it?"),
        ("levels: [1, 2, 3]", "levels: [1, 2, 4]"),
        ('version: "1"', 'version: "2"'),
        ("id: kind", "id: kinder"),
        ("dimension: kindness", "dimension: warmth"),
    ],
)
def test_any_wording_changes_the_hash(write, old, new):
    """Question, anchors in every language, levels, name and version are under the hash."""
    changed = GOOD.replace(old, new)
    if "levels" in old:
        changed = changed.replace("3: ", "4: ")
    assert changed != GOOD
    assert load_rubric(write(changed, "b.yaml")).hash != load_rubric(write(GOOD)).hash


def test_layout_and_title_do_not_change_the_hash(write):
    """Comments, blank lines and the title are no part of what is judged."""
    same = "# a comment\n" + GOOD.replace("title: {en: Kindness}", "title: {en: Other}")
    assert load_rubric(write(same, "b.yaml")).hash == load_rubric(write(GOOD)).hash


BROKEN = {
    "unknown key": (GOOD + "colour: red\n", "colour"),
    "missing key": (GOOD.replace("id: kind\n", ""), "id"),
    "duplicate key": (GOOD + 'version: "2"\n', "duplicate key"),
    "an anchor missing": (GOOD.replace(', 3: "Very kind."', ""), "one anchor for each"),
    "an anchor too many": (GOOD.replace('3: "Very kind."', '3: "Very kind.", 4: More.'), "one anchor for each"),
    "an empty anchor": (GOOD.replace("Very kind.", " "), "non-empty"),
    "a language without question": (GOOD.replace(', es: "¿Cuán amable?"', ""), "same languages"),
    "levels not rising": (GOOD.replace("[1, 2, 3]", "[3, 2, 1]"), "rising"),
    "levels twice": (GOOD.replace("[1, 2, 3]", "[1, 1, 3]"), "different levels"),
    "levels no numbers": (GOOD.replace("[1, 2, 3]", "[a, b, c]"), "whole numbers"),
    "levels true and false": (GOOD.replace("[1, 2, 3]", "[true, false]"), "whole numbers"),
    "one level": (GOOD.replace("[1, 2, 3]", "[1]"), "two or more"),
    "an unknown scale": (GOOD.replace("ordinal", "interval"), "ordinal or nominal"),
    "a boolean key": (GOOD.replace("en: {1", "no: {1"), "true or false"),
    "no criteria": ('id: a\nversion: "1"\ncriteria: []\n', "at least one"),
    "a bad name": (GOOD.replace("dimension: kindness", 'dimension: "a b"'), "letters, digits"),
    "no mapping": ("- a\n", "block of keys"),
    "not YAML": ("a: [1\n", "not valid YAML"),
    "a tab": ("a:\n\t- b\n", "not valid YAML"),
    "not UTF-8": (b"id: \xff\xfe", "UTF-8"),
    "control characters": (b"\x00\x01", "control characters"),
    "two documents": (GOOD + "---\n" + GOOD, "not valid YAML"),
    "a Python object": ("id: !!python/object/apply:os.system [true]\n", "not valid YAML"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_rubrics_are_explained(write, case):
    """Each fault: exit 2, the file, what is wrong and what to do."""
    text, word = BROKEN[case]
    path = write(text)
    with pytest.raises(ConfigProblem) as problem:
        load_rubric(path)
    assert problem.value.exit_code == 2
    assert problem.value.path == str(path)
    assert word in str(problem.value)
    assert problem.value.remedy


def test_two_criteria_of_one_name(write):
    """A dimension stands once."""
    criterion = GOOD[GOOD.index("  - dimension") :]
    with pytest.raises(ConfigProblem, match="same dimension"):
        load_rubric(write(GOOD + criterion))


def test_an_unknown_name_lists_the_bundled_ones():
    """The error says which there are."""
    with pytest.raises(ConfigProblem, match="no such rubric") as problem:
        load_rubric("kindness")
    assert "warmth" in problem.value.why


def test_a_file_that_is_not_there(tmp_path):
    """The path is named."""
    with pytest.raises(ConfigProblem, match="cannot be read"):
        load_rubric(tmp_path / "none.yaml")


def test_a_rubric_from_a_mapping_computes_its_own_hash(write):
    """A copy inside a sample gives the same rubric; a hash that it claims is an unknown key."""
    path = write(GOOD)
    data = load_yaml(path)
    assert rubric_from_mapping(data, path).hash == load_rubric(path).hash
    with pytest.raises(ConfigProblem, match="unknown key"):
        rubric_from_mapping({**data, "hash": "0" * 64}, path)


def test_dates_stay_text(write):
    """An unquoted date is what was written, so that it hashes the same everywhere."""
    assert load_yaml(write("date: 2026-02-03\n")) == {"date": "2026-02-03"}
