"""The functions on pandas frames: what they return, how it joins, and how it shows itself in a notebook."""

from __future__ import annotations

from html.parser import HTMLParser

import pandas as pd
import pytest

import judgekit
from judgekit.markup import html_table


class Reader(HTMLParser):
    """Tags and text of a piece of HTML."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        assert all(name == "scope" for name, _ in attrs)

    def handle_data(self, data):
        self.text += data + " "


def frame(groups=("x", "y"), names=4, templates=6):
    """Words of replies; the first group has one more."""
    rows = [
        {"szenario": f"t{t}", "group": g, "name": f"{g}{n}", "words": t + n + (g == groups[0])}
        for t in range(templates)
        for g in groups
        for n in range(names)
    ]
    return pd.DataFrame(rows)


def test_blinded_rows_join_their_frame():
    """The index is that of the frame, whatever it is."""
    rows = pd.DataFrame(
        {"id": ["1", "2"], "text": ["Dear Ms. Halvane, hello.", "The parcel is here."]}, index=["b", "a"]
    )
    blinded = judgekit.blind(rows.assign(known_names="Halvane"), lang="en", ner="off")
    assert list(blinded.index) == ["b", "a"]
    assert rows.join(blinded[["blinded"]]).loc["b", "blinded"] == "Dear [TITLE] [PERSON_1], hello."


def test_gaps_are_a_list_a_frame_and_a_table():
    """Columns by any name; what is undefined is missing with its reason; the table says what it is worth."""
    found = judgekit.gap(frame(), metric="words", columns={"template_id": "szenario"}, margin=2.0)
    assert isinstance(found, list)
    assert found[0].raw.value == 1.0
    row = found.to_frame().iloc[0]
    assert (row.a, row.b, row.gap, row.templates, row.n_a) == ("x", "y", 1.0, 6, 24)
    page = Reader(found._repr_html_())
    assert "not vouched for" in page.text
    assert "1.00" in page.text
    one = judgekit.gap(frame(templates=1).assign(words=None), metric="words", columns={"template_id": "szenario"})
    assert one.to_frame().why[0]
    assert pd.isna(one.to_frame().gap[0])
    assert one.to_frame().why[0] in one._repr_html_()


def test_hostile_names_are_escaped():
    """Markup and escapes in groups, raters and cells are shown, and never obeyed."""
    bad = "<img src=x onerror=alert(1)>\x1b[2J"
    shown = judgekit.gap(frame(groups=(bad, "y")), metric="words", columns={"template_id": "szenario"})._repr_html_()
    scores = pd.DataFrame({"item": list("abcd"), "bot": [1, 2, 3, 3], bad: [1, 2, 3, 2]})
    report = judgekit.agree(scores, judge="bot", humans=[bad], levels=[1, 2, 3], wide=True)
    for page in (shown, report._repr_html_(), html_table([bad], [[bad]], title=bad, notes=[bad])):
        assert "<img" not in page
        assert "\x1b" not in page
        assert set(Reader(page).tags) <= {"table", "caption", "thead", "tbody", "tr", "th", "td", "p"}


def test_agreement_shows_kappa_its_interval_and_the_people():
    """Undefined values are dashes with their reason."""
    scores = pd.DataFrame({"item": list("abcdef"), "bot": [1, 2, 3, 3, 1, 2], "ana": [1, 2, 3, 2, 1, 2], "bo": [2] * 6})
    report = judgekit.agree(scores, judge="bot", humans=["ana", "bo"], levels=[1, 2, 3], wide=True)
    page = Reader(report._repr_html_())
    assert "Cohen's kappa" in page.text
    assert f"{report.find('score', 'bot', 'ana').kappa:.2f}" in page.text
    assert report.find("score", "bot", "bo").interval.reason in page.text
    assert "nan" not in page.text


def test_a_frame_of_our_own_judgments_is_refused():
    """What may not be shown from a file may not be shown from a frame."""
    rows = frame().assign(request_key="k")
    with pytest.raises(judgekit.RefusedMetric):
        judgekit.gap(rows, metric="words", columns={"template_id": "szenario"})


def test_a_long_table_is_cut_and_counted():
    """Sixty rows at most, the others counted."""
    page = html_table(["n"], [[n] for n in range(100)])
    assert page.count("<tr>") == 61
    assert "and 40 more rows" in page
