"""Numbers and verdicts in words, shared by the terminal page and the Markdown report."""

from __future__ import annotations

from judgekit.printable import printable
from judgekit.records import Contrast, Gap, GapEstimate, Interval, Reason, Undefined

__all__ = ["contrast_words", "escape_markdown", "estimate_words", "interval_words", "number", "p_words", "reason_words"]

# Only what is markup inside a line: a full stop or a hyphen is not, and a page full of backslashes is hard to read.
_SPECIAL = set("\\`*_[]<>#|~&$")


def number(value: float | int | str | Undefined | None, digits: int = 2, *, signed: bool = False) -> str:
    """A number for a reader: fixed digits, a true minus sign, ``undefined`` with its reason, ``-`` for nothing.

    Examples
    --------
    >>> number(-0.254), number(0.1, signed=True), number(None)
    ('−0.25', '+0.10', '-')
    """
    if value is None:
        return "-"
    if isinstance(value, (Undefined, str)):
        return printable(str(value))
    if value in {float("inf"), float("-inf")}:
        return "∞" if value > 0 else "−∞"
    text = f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.replace("-", "").replace("+", "")
    return text.replace("-", "−")


def interval_words(interval: Interval | Undefined, digits: int = 2) -> str:
    """An interval as ``[low, high]``.

    Examples
    --------
    >>> interval_words(Interval(-0.5, 0.25, 0.95, "t"))
    '[−0.50, +0.25]'
    """
    if isinstance(interval, Undefined):
        return f"no interval: {printable(interval.reason)}"
    return f"[{number(interval.low, digits, signed=True)}, {number(interval.high, digits, signed=True)}]"


def estimate_words(estimate: GapEstimate | None, digits: int = 2) -> str:
    """A gap with its interval, or why there is none."""
    if estimate is None:
        return "not shown"
    if isinstance(estimate.value, Undefined):
        return f"undefined: {printable(estimate.value.reason)}"
    return f"{number(estimate.value, digits, signed=True)} {interval_words(estimate.interval, digits)}"


def p_words(gap: Gap) -> str:
    """The p-value that counts: corrected for metrics that are not primary."""
    shown = gap.main
    p = gap.adjusted_p if gap.adjusted_p is not None else (shown.p if shown else None)
    if p is None or isinstance(p, Undefined):
        return "-"
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def contrast_words(contrast: Contrast | None) -> str:
    """``a − b``, or that there are no groups."""
    return "no groups" if contrast is None else f"{printable(contrast.a)} − {printable(contrast.b)}"


def reason_words(reason: Reason) -> str:
    """A refusal's reason in one line: code, value against threshold, remedy."""
    value = number(reason.value) if isinstance(reason.value, float) else reason.value
    met = "" if value is None else f" {printable(str(value))}"
    limit = number(reason.threshold) if isinstance(reason.threshold, float) else reason.threshold
    needed = "" if limit is None else f" (needed: {printable(str(limit))})"
    return f"{reason.code}{met}{needed}. {printable(reason.remedy)}"


def escape_markdown(text: str) -> str:
    r"""Foreign text for a Markdown page: nothing in it is markup, nothing invisible, on one line.

    Examples
    --------
    >>> print(escape_markdown("[PERSON_1] <b>*hi*</b>"))
    \[PERSON\_1\] \<b\>\*hi\*\</b\>
    """
    escaped = "".join("\\" + c if c in _SPECIAL else c for c in printable(text.replace("\n", " ")))
    # Bare addresses become links on many sites without any markup.
    return escaped.replace("://", ":\\/\\/")
