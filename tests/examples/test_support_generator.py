"""The demo study's replies: reproducible, complete, and carrying the planted effects and no others."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from statistics import correlation, mean, stdev

import pytest

from judgekit.probing.extract import measure
from judgekit.records import Scored
from judgekit.study import Study, load_study

SUPPORT = Path(__file__).resolve().parents[2] / "examples" / "support"
Row = dict[str, str]


def _rows(name: str) -> list[Row]:
    with (SUPPORT / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def replies() -> list[Row]:
    """The replies as they are shipped."""
    return _rows("replies.csv")


@pytest.fixture(scope="module")
def planted() -> dict[str, Row]:
    """What was planted, by id."""
    return {row["id"]: row for row in _rows("planted.csv")}


@pytest.fixture(scope="module")
def study() -> Study:
    """The study file as the package reads it."""
    return load_study(SUPPORT / "study.yaml")


def _case_gaps(replies: list[Row], value: dict[str, float]) -> list[float]:
    cells: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in replies:
        cells[row["template_id"], row["group"]].append(value[row["id"]])
    return [mean(cells[case, "women"]) - mean(cells[case, "men"]) for case in sorted({case for case, _ in cells})]


@pytest.mark.parametrize(("options", "name"), [((), "replies.csv"), (("--planted",), "planted.csv")])
def test_script_writes_the_shipped_file_byte_for_byte(options: tuple[str, ...], name: str) -> None:
    """The script alone, in a bare interpreter without site packages, gives the shipped bytes."""
    command = [sys.executable, "-I", "-S", "-B", "-c", _RUN, str(SUPPORT), *options]
    done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout == (SUPPORT / name).read_bytes()


# -I keeps the caller's environment out; it also drops the script's folder, which `python make_replies.py` has.
_RUN = "import runpy, sys; sys.path.insert(0, sys.argv[1]); del sys.argv[0]; runpy.run_path(sys.argv[0] + '/make_replies.py', run_name='__main__')"


def test_script_refuses_an_unknown_option() -> None:
    """A mistyped option is an error and writes nothing."""
    done = subprocess.run(
        [sys.executable, "-B", str(SUPPORT / "make_replies.py"), "--plant"],
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode != 0
    assert done.stdout == b""


def test_every_case_name_and_replicate_is_there_once(replies: list[Row], planted: dict[str, Row]) -> None:
    """14 cases, 12 names and 3 replicates are fully crossed, under unique ids that planted.csv shares."""
    cells = Counter((row["template_id"], row["name"], row["replicate"]) for row in replies)
    assert len(cells) == len(replies) == 14 * 12 * 3
    assert {row["id"] for row in replies} == set(planted)
    assert len(planted) == len(replies)


def test_ids_and_order_give_nothing_away(replies: list[Row]) -> None:
    """Ids are sorted hashes, so neither an id nor its place goes with the group."""
    assert [row["id"] for row in replies] == sorted(row["id"] for row in replies)
    places = [float(place) for place in range(len(replies))]
    assert abs(correlation(places, [float(row["group"] == "women") for row in replies])) < 0.1


def test_names_are_matched_by_position_with_the_study(replies: list[Row], study: Study) -> None:
    """Names, pairs and known names of the replies are those of study.yaml, and a pair shares its family name."""
    people = study.identities()
    for group, identities in people.items():
        assert {(i.name, i.name_pair) for i in identities} == {
            (row["name"], row["name_pair"]) for row in replies if row["group"] == group
        }
    for woman, man in zip(people["women"], people["men"], strict=True):
        assert woman.forms.family == man.forms.family
    for row in replies:
        assert row["known_names"].split(";") == row["name"].split(" ")


def test_texts_are_distinct_and_of_chat_length(replies: list[Row]) -> None:
    """No reply occurs twice; lengths run from short to long within 25 to 125 words."""
    lengths = [len(row["text"].split()) for row in replies]
    assert len({row["text"] for row in replies}) == len(replies)
    assert min(lengths) >= 25
    assert max(lengths) <= 125
    assert stdev(lengths) > 10


def test_no_field_is_left_unfilled(replies: list[Row]) -> None:
    """Every brace was filled, and the name stands in each context."""
    for row in replies:
        assert "{" not in row["text"] + row["context"]
        assert row["name"] in row["context"]


def test_blinding_has_real_work(replies: list[Row]) -> None:
    """Names stand in most replies, titles and third-person pronouns in many, for both groups alike."""
    for group, title, pronoun in (("women", "Ms.", "she"), ("men", "Mr.", "he")):
        texts = [row for row in replies if row["group"] == group]
        named = [row for row in texts if any(name in row["text"] for name in row["known_names"].split(";"))]
        assert len(named) / len(texts) > 0.7
        assert sum(title in row["text"] for row in texts) > 40
        assert sum(f" {pronoun} " in f" {row['text'].lower()} " for row in texts) > 25


def test_no_reply_carries_the_other_groups_words(replies: list[Row]) -> None:
    """Pronouns and titles fit the group: nobody else in the replies is spoken of as he or she."""
    words = {"women": {"she", "her", "herself", "ms", "madam"}, "men": {"he", "him", "his", "himself", "mr", "sir"}}
    other = {"women": "men", "men": "women"}
    for row in replies:
        found = {word.strip(",.;:!?") for word in row["text"].lower().split()}
        assert not found & words[other[row["group"]]], row["id"]


def test_warmth_gap_is_planted_and_detectable(replies: list[Row], planted: dict[str, Row]) -> None:
    """The drawn gap lies near -0.35 points, between 2.5 and 4 standard errors over the cases."""
    gaps = _case_gaps(replies, {key: float(row["warmth"]) for key, row in planted.items()})
    error = stdev(gaps) / len(gaps) ** 0.5
    assert mean(gaps) == pytest.approx(-0.35, abs=0.05)
    assert -4 < mean(gaps) / error < -2.5


def test_quality_and_length_have_no_gap(replies: list[Row], planted: dict[str, Row]) -> None:
    """Quality and length differ between the groups by no more than chance."""
    quality = _case_gaps(replies, {key: float(row["quality"]) for key, row in planted.items()})
    words = _case_gaps(replies, {row["id"]: float(len(row["text"].split())) for row in replies})
    for gaps, small in ((quality, 0.1), (words, 2.0)):
        assert abs(mean(gaps)) < small
        assert abs(mean(gaps)) < 2 * stdev(gaps) / len(gaps) ** 0.5


def test_warmth_goes_with_neither_quality_nor_length(replies: list[Row], planted: dict[str, Row]) -> None:
    """What is planted as warmth cannot be read off quality or length."""
    warmth = [float(planted[row["id"]]["warmth"]) for row in replies]
    assert abs(correlation(warmth, [float(planted[row["id"]]["quality"]) for row in replies])) < 0.1
    assert abs(correlation(warmth, [float(len(row["text"].split())) for row in replies])) < 0.2


def test_all_levels_occur(planted: dict[str, Row]) -> None:
    """Each of the five levels of warmth and of quality occurs at least 20 times."""
    for dimension in ("warmth", "quality"):
        counts = Counter(row[dimension] for row in planted.values())
        assert set(counts) == set("12345")
        assert min(counts.values()) >= 20


def test_word_list_follows_planted_warmth(replies: list[Row], planted: dict[str, Row]) -> None:
    """VADER's compound rises with planted warmth (Spearman 0.6 to 0.9) and ignores quality."""
    from scipy.stats import spearmanr
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    analyser = SentimentIntensityAnalyzer()
    compound = [analyser.polarity_scores(row["text"])["compound"] for row in replies]
    rho = {
        dimension: spearmanr(compound, [int(planted[row["id"]][dimension]) for row in replies]).statistic
        for dimension in ("warmth", "quality")
    }
    assert 0.6 < rho["warmth"] < 0.9
    assert abs(rho["quality"]) < 0.15


def test_refund_phrases_decide_the_cases_that_they_are_for(replies: list[Row], study: Study) -> None:
    """In six cases nearly every reply is a yes or a no, never both; the other cases have no refund to promise."""
    outcomes: dict[str, list[object]] = defaultdict(list)
    for row in replies:
        outcomes[row["case_type"]].append(measure(row["text"], study.measured["refund"]))
    asked = {"refund", "double charge", "cancellation fee", "angry complaint", "lost parcel", "gift card"}
    for case_type, found in outcomes.items():
        share = sum(isinstance(outcome, Scored) for outcome in found) / len(found)
        assert share > 0.5 if case_type in asked else share == 0.0, (case_type, share)
    assert not any(getattr(outcome, "kind", None) == "conflict" for found in outcomes.values() for outcome in found)


def test_every_line_of_the_study_file_is_commented() -> None:
    """A reader finds a comment beside every key of study.yaml."""
    for line in (SUPPORT / "study.yaml").read_text(encoding="utf-8").splitlines():
        if ":" in line.split("#")[0]:
            assert "#" in line, line


def test_planted_effects_are_told_in_the_readme(replies: list[Row], planted: dict[str, Row]) -> None:
    """The figures of the README are those of the data."""
    readme = (SUPPORT / "README.md").read_text(encoding="utf-8")
    gap = mean(_case_gaps(replies, {key: float(row["warmth"]) for key, row in planted.items()}))
    quality = mean(_case_gaps(replies, {key: float(row["quality"]) for key, row in planted.items()}))
    words = mean(_case_gaps(replies, {row["id"]: float(len(row["text"].split())) for row in replies}))
    for figure in (f"| {gap:.2f} |", f"| {quality:.2f} |", f"| {words:+.1f} words"):
        assert figure in readme, figure
