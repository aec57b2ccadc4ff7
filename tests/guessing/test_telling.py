"""The most telling n-grams: what was planted comes first, what one template has is not listed."""

from __future__ import annotations

from judgekit.guessing.features import text_features
from judgekit.guessing.telling import telling


def of(found, group, kind):
    """N-grams of one group and kind, in order."""
    return [t for t in found if t.group == group and t.kind == kind]


def test_the_planted_word_comes_first(design):
    """The word that leaks leads the words of its group, and its characters lead the characters."""
    texts, groups, units = design(leak={"a": "madam"})
    found = telling(texts, groups, units)
    word = of(found, "a", "word")[0]
    assert (word.ngram, word.templates, word.texts) == ("madam", 16, 48)
    assert any(t.ngram in " madam " and len(t.ngram) > 1 for t in of(found, "a", "char")[:2])
    assert not any("madam" in t.ngram for t in of(found, "b", "word"))
    assert all(t.weight > 0 for t in found)
    assert len(of(found, "a", "word")) <= 10


def test_weights_fall(design):
    """Within a group and kind the heaviest stands first."""
    found = telling(*design(leak={"a": "madam", "b": "sir"}), top=5)
    for kind in ("word", "char"):
        weights = [t.weight for t in of(found, "b", kind)]
        assert weights == sorted(weights, reverse=True)
        assert len(weights) == 5


def test_a_word_of_one_template_is_not_listed(design):
    """It cannot help on a template that was held out."""
    texts, groups, units = design(words=3)
    shown = {}
    for where in ({"t00"}, {"t00", "t01"}):
        leaky = [
            f"{t} zanzibar" if u in where and g == "a" else t for t, g, u in zip(texts, groups, units, strict=True)
        ]
        shown[len(where)] = [t.ngram for t in telling(leaky, groups, units, top=200) if "zanz" in t.ngram]
    assert shown[1] == []
    assert "zanzibar" in shown[2]


def test_placeholders_are_one_word_and_are_counted(design):
    """A placeholder that one group's texts have more of is named as a count, whoever the person is."""
    texts, groups, units = design()
    texts = [f"{t} [PRONOUN]" if g == "b" else t for t, g in zip(texts, groups, strict=True)]
    found = telling(texts, groups, units)
    assert "[PRONOUN]" in [t.ngram for t in of(found, "b", "count")]
    assert of(found, "b", "word")[0].ngram == "[PRONOUN]"
    count = next(t for t in found if t.kind == "count" and t.ngram == "[PRONOUN]")
    assert count.templates == 16


def test_longer_and_shorter_forms_in_the_same_texts_are_listed_once(design):
    """Of n-grams inside each other that stand in the same texts only the heaviest is listed."""
    texts, groups, units = design(leak={"a": "ŵŷẑ"})
    strange = [t.ngram for t in of(telling(texts, groups, units), "a", "char") if set(t.ngram) <= set("ŵŷẑ ")]
    strange = [ngram for ngram in strange if ngram != " "]
    assert strange
    assert not any(a != b and a in b for a in strange for b in strange)


def test_groups_that_cannot_be_compared_have_none(design):
    """One group has no telling n-gram."""
    assert telling(*design(groups=("a",))) == ()


def test_every_group_of_several_has_its_own(design):
    """Each group's own word leads, against the rest."""
    found = telling(*design(groups=("a", "b", "c"), leak={"a": "madam", "b": "sir", "c": "comrade"}), top=1)
    assert [of(found, g, "word")[0].ngram for g in "abc"] == ["madam", "sir", "comrade"]


def test_words_with_an_apostrophe_stay_whole():
    """A contraction is one word; case is kept."""
    names = text_features(["She's here", "She's late"], level="word").names
    assert names == ("She's",)
