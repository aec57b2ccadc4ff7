"""Whose names are put in, and the bundled lists."""

from pathlib import Path

import pytest

from judgekit.blinding.known import compile_names
from judgekit.errors import ConfigProblem, UsageProblem
from judgekit.probing.names import BUNDLED, bundled_names, load_names, names_of_study, neutral_people
from judgekit.study import load_study

TEXT = 'templates: [{id: t, text: "I am {name}."}]'


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_lists_are_matched_and_hold_no_words(name):
    """Groups of six, women with women where origins are compared; eras and origins are said; no name is a word."""
    lists = bundled_names(name)
    assert {len(people) for people in lists.groups.values()} == {6}
    everybody = [person for people in lists.groups.values() for person in people]
    assert len({person.identity.name for person in everybody}) == len(everybody)
    for position in range(6):
        matched = [people[position] for people in lists.groups.values()]
        assert all(person.era and person.origin and person.gender for person in matched)
        if name.endswith("-gender"):
            assert len({person.origin for person in matched}) == 1
            assert len({person.identity.forms.family for person in matched}) == 1
        if name.endswith("-origin") and "gender" not in name:
            assert len({person.gender for person in matched}) == 1
    for person in everybody:
        names = compile_names(person.forms, name[:2])
        assert not names.wordlike & set(names.pieces) - {"el"}, person.identity.name


def test_own_names_come_first(make_probe):
    """A file over the study's lists, the study's lists over bundled ones, bundled ones where groups have none."""
    file = "groups: {woman: {names: [Zoe Mora]}, man: {names: [Max Mora]}}"
    sources = [
        names_of_study(load_study(make_probe(TEXT, names=file)), "en"),
        names_of_study(load_study(make_probe(TEXT)), "en"),
        names_of_study(load_study(make_probe(TEXT, groups={"woman": {}, "man": {}})), "en"),
    ]
    assert [lists.source for lists in sources] == ["names.yaml", "study.yaml", "bundled:en-gender"]
    assert [lists.groups["man"][0].identity.name for lists in sources] == [
        "Max Mora",
        "Matthew Hartwell",
        "Matthew Hartwell",
    ]
    stated = load_study(make_probe(TEXT, groups=None, names=file))
    stated = stated.model_copy(update={"probe": stated.probe.model_copy(update={"names": Path("bundled:es-origin")})})
    assert list(names_of_study(stated, "es").groups) == ["castellano", "magrebí", "latinoamericano", "rumano"]
    spanish = names_of_study(load_study(make_probe(TEXT, groups={"rumano": {}, "castellano": {}})), "es")
    assert list(spanish.groups) == ["rumano", "castellano"]
    assert neutral_people("es")[0].identity.forms.pronouns == "elle"


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("groups:\n  a: {names: []}\n", 2, "a list of names"),
        ("groups:\n  a:\n    names: [Ann, ann]\n", 2, "stands on line 3 too"),
        ("groups:\n  a:\n    colour: x\n    names: [Ann]\n", 3, "unknown key"),
        ("groups:\n  a:\n    names:\n      - {family: Mora}\n", 4, "a given name"),
        ("groups:\n  a:\n    names:\n      - {given: Ann, word: maybe}\n", 4, "true or false"),
    ],
)
def test_a_broken_list_is_refused_with_its_line(tmp_path, text, line, word):
    """Nothing is guessed."""
    path = tmp_path / "names.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigProblem, match=word) as problem:
        load_names(path)
    assert problem.value.line == line


def test_an_unknown_bundled_list_names_the_known_ones():
    """The remedy lists them."""
    with pytest.raises(UsageProblem, match="bundled:es-origin"):
        bundled_names("fr-gender")
