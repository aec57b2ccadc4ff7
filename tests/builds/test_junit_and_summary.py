"""JUnit XML and the step summary: red exactly where the gate is, and hostile names are only names."""

from xml.etree import ElementTree as ET

import pytest

from judgekit.builds.cases import Case
from judgekit.builds.junit import render_junit
from judgekit.gate import gate_exit_code
from judgekit.records import Contrast

HOSTILE = '"/><failure message="x"/>]]>\x1b[2J\x00\ud800\uffff &amp; \u202e'


def case(verdict, codes=None, metric="warmth", why=("because",)):
    """A case with this verdict under a study's map of exit codes."""
    return Case(
        metric=metric,
        contrast=Contrast("women", "men"),
        verdict=verdict,
        code=0 if verdict == "calibrated" else gate_exit_code(verdict, codes or {}),
        estimate="withheld" if verdict == "refused" else "+0.10 [−0.10, +0.30]",
        margin=0.25,
        why=why,
    )


@pytest.mark.parametrize("codes", [{}, {"warn": 0}, {"refused": 0}, {"warn": 7, "refused": 9}])
def test_junit_is_red_exactly_where_the_gate_is(codes):
    """Failures and errors together are as many as verdicts with an exit code; counts add up; none vanishes."""
    verdicts = ("pass", "warn", "fail", "cannot tell", "no margin", "refused", "calibrated")
    cases = [case(v, codes) for v in verdicts]
    root = ET.fromstring(render_junit(cases, study="small"))
    suite = root[0]
    red = int(suite.get("failures")) + int(suite.get("errors"))
    assert red == sum(c.code != 0 for c in cases)
    assert len(suite.findall("testcase")) == int(suite.get("tests")) == len(verdicts)
    assert red == len(suite.findall("testcase/failure")) + len(suite.findall("testcase/error"))
    skipped = {e.get("name") for e in suite.findall("testcase") if e.find("skipped") is not None}
    assert bool(skipped)
    assert int(suite.get("skipped")) == len(suite.findall("testcase/skipped"))


def test_hostile_text_stays_text_in_junit():
    """Markup, control characters, lone surrogates and non-characters of a metric's name cannot break or forge XML."""
    text = render_junit([case("pass", metric=HOSTILE, why=(HOSTILE,))], study=HOSTILE)
    root = ET.fromstring(text.encode("utf-8"))
    assert root.find(".//failure") is None
    assert root.find(".//testcase").get("name").startswith('"/><failure message="x"/>]]>␛[2J')
