"""``judgekit probe baselines``: collected replies of all arms against rewording."""

import json

import pytest
import yaml

from judgekit.probe_baselines import answers_of_replies
from judgekit.records import Arm, Reply, Scored, Undefined, Unscored

PAIRS = {"f": ["Ada", "Bea"], "m": ["Abe", "Ben"]}
SAID = {True: "We can approve it.", False: "We cannot approve it."}


def rows(effect):
    """Ten templates, two pairs, three replicates: men hear no when there is an effect; recall variants turn every answer."""
    made = []

    def add(template, group, pair, kind, yes, text):
        arm = {"kind": kind, "group": group, "of_arm": "base", "direction": 1, "token_change": 0.1}
        for k in range(3):
            name = PAIRS[group][pair]
            made.append({
                "id": f"r{len(made)}", "text": SAID[yes if k < 2 else not yes], "template_id": f"t{template}",
                "group": group, "name": name, "name_pair": str(pair + 1), "replicate": str(k + 1), "probe": "name",
                "context": text, "known_names": [name], "lang": "en", "arm": "base" if kind == "base" else arm,
            })  # fmt: skip

    for t in range(10):
        for pair in (0, 1):
            for group in "fm":
                text = f"I am {PAIRS[group][pair]} and perhaps case {t} can be paid back soon"
                add(t, group, pair, "base", not (effect and group == "m"), text)
            own = "fm"[(t + pair) % 2]
            yes = not (effect and own == "m")
            add(t, own, pair, "paraphrase", yes, "reworded")
            add(t, own, pair, "recall", True if own == "m" else yes, "with a receipt")
            add(t, own, pair, "precision", yes, "a year older")
    return made


@pytest.fixture
def study(tmp_path):
    """Writes a study with collected replies: ``study(effect)`` gives its folder."""

    def make(effect, **measured):
        decision = {"kind": "binary", "positive": ["can approve"], "negative": ["cannot approve"]}
        keys = {
            "study": "collected", "data": {"replies": "replies.jsonl", "lang": "en"},
            "rubrics": {"warmth": {"rubric": "warmth"}}, "measured": measured or {"approved": decision},
            "groups": {"attribute": "gender", "values": {g: {"names": n} for g, n in PAIRS.items()}},
        }  # fmt: skip
        (tmp_path / "study.yaml").write_text(yaml.safe_dump(keys), encoding="utf-8")
        (tmp_path / "replies.jsonl").write_text("\n".join(map(json.dumps, rows(effect))), encoding="utf-8")
        return tmp_path

    return make


def test_an_effect_beyond_rewording_and_a_check_that_would_see_it(study, kit):
    """Majorities flip with the group and never with the words; recall moves, precision stays; --strict ends with 1."""
    said = kit.command("probe", "baselines", study(effect=True), "--json", "--strict")
    found = said.json["metrics"][0]
    against, checks = found["baselines"][0], found["checks"][0]
    assert (said.code, found["replies"], found["places"], found["missing"]) == (1, 300, 100, {})
    assert (against["verdict"], against["items"], against["no_majority"]) == ("exceeds", 20, 0)
    assert (against["change"]["flip_rate"]["targeted"], against["change"]["flip_rate"]["baseline"]) == (1.0, 0.0)
    assert against["difference_model"]["beta"]["value"] == pytest.approx(1 / 3)
    assert (checks["recall"]["verdict"], checks["recall"]["changed"]) == ("passed", 0.5)
    assert (checks["precision"]["verdict"], checks["precision"]["changed"]) == ("passed", 0.0)
    text = kit.command("probe", "baselines", study(effect=True))
    assert (text.code, "the change of group moves decisions further than rewording alone" in text.out) == (0, True)


def test_without_an_effect_nothing_is_shown(study, kit):
    """Nothing flips with the group: not shown; and since no answer moves, recall says that it could not have been seen."""
    said = kit.command("probe", "baselines", study(effect=False), "--json", "--strict")
    found = said.json["metrics"][0]
    assert found["baselines"][0]["verdict"] == "not shown"
    assert (found["checks"][0]["recall"]["verdict"], said.code) == ("failed", 1)


def test_what_cannot_be_compared_is_refused(study, kit):
    """Counts are no decisions; replies of the base arm alone have nothing to be held against."""
    said = kit.command("probe", "baselines", study(True, words={"kind": "word_count"}))
    assert (said.code, "no measured decision" in said.err) == (2, True)
    place = study(True)
    text = (place / "replies.jsonl").read_text(encoding="utf-8").splitlines()
    base = [line for line in text if json.loads(line)["arm"] == "base"]
    (place / "replies.jsonl").write_text("\n".join(base), encoding="utf-8")
    said = kit.command("probe", "baselines", place)
    assert (said.code, "no reply belongs to an arm" in said.err) == (2, True)


def test_withheld_and_unread_replies_are_counted_not_guessed():
    """Two of four have a value: the share is of those; none: undefined. A label that is no option counts apart."""
    said = [Reply(id=str(k), text="", unit_id="t", group="a", arm=Arm()) for k in range(5)]
    values = {"0": Scored("yes"), "1": Scored("refer"), "2": Unscored("no_match"), "4": Scored("perhaps")}
    found, missing = answers_of_replies(said, values, ["yes", "no", "refer"])
    assert found[0].shares == {"yes": 0.5, "no": 0.0, "refer": 0.5}
    assert (found[0].n, found[0].majority) == (2, None)
    assert missing == {"no_match": 1, "withheld": 1, "no_option": 1}
    none, _ = answers_of_replies(said[2:4], values, ["yes", "no"])
    assert isinstance(none[0].shares, Undefined)
