"""JUnit XML: one test case per metric and contrast, for the dashboards of build servers."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from judgekit.builds.cases import Case
from judgekit.printable import printable

__all__ = ["render_junit"]


def render_junit(cases: Sequence[Case], *, study: str) -> str:
    """Write the cases as JUnit XML.

    Parameters
    ----------
    cases : sequence of Case
    study : str
        The study's name: the suite.

    Returns
    -------
    str
        A failed, warning or undecided gap is a ``failure``, a refused metric an ``error``, both of the verdict's type. A
        warning or refusal that the study maps to exit code 0, and a gap without a margin, is ``skipped`` with its message:
        neither green nor red. The number of failures and errors is 0 exactly when `judgekit gate` ends with 0.

    Examples
    --------
    >>> from judgekit.records import Contrast
    >>> case = Case(metric="words", contrast=Contrast("a", "b"), verdict="fail", code=1, estimate="+2.00 [+1.00, +3.00]",
    ...             margin=0.5, why=("a higher than b",))
    >>> 'failures="1"' in render_junit([case], study="s")
    True
    """
    suite = ET.Element("testsuite", {"name": _text(study), "tests": str(len(cases)), "time": "0"})
    met = {"failure": 0, "error": 0, "skipped": 0}
    for case in cases:
        entry = ET.SubElement(
            suite, "testcase", {"classname": f"judgekit.{_text(study)}", "name": _text(case.name), "time": "0"}
        )
        kind = _kind(case)
        if kind is None:
            ET.SubElement(entry, "system-out").text = _text("\n".join([case.message, *case.why]))
            continue
        met[kind] += 1
        told = ET.SubElement(entry, kind, {"message": _text(case.message)})
        if kind != "skipped":
            told.set("type", case.verdict)
        told.text = _text("\n".join(case.why))
    counts = {"failures": str(met["failure"]), "errors": str(met["error"]), "skipped": str(met["skipped"])}
    suite.attrib.update(counts)
    root = ET.Element("testsuites", {"name": "judgekit", "tests": str(len(cases)), **counts})
    root.append(suite)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _kind(case: Case) -> str | None:
    if case.code:
        return "error" if case.verdict == "refused" else "failure"
    return None if case.verdict in {"pass", "calibrated"} else "skipped"


def _text(text: str) -> str:
    """Text that XML 1.0 can hold: no control characters, no lone surrogates, no U+FFFE and U+FFFF."""
    shown = printable(text, keep="\n")
    return "".join(c if c not in "\ufffe\uffff" and not "\ud800" <= c <= "\udfff" else "\ufffd" for c in shown)
