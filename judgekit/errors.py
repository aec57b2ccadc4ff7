"""Every failure a user can meet, and the exit code it ends with.

::

    JudgekitError                 70  (only its subclasses are raised)
    ├── BadInput                   2  a file, row, field or option is not usable; nothing was written
    │   ├── UsageProblem           2  flags or arguments that do not fit together
    │   ├── ConfigProblem          2  study.yaml, a rubric or a cue pack
    │   ├── AlreadyThere           2  an output exists and --force was not given
    │   └── InUse                  2  another process holds the lock
    ├── Unfinished                 3  could not finish; what was received is kept, resume later
    │   ├── ProviderFailed         3  the judge or the chatbot does not answer
    │   ├── DiskFailed             3  the disk is full or does not answer
    │   ├── BudgetSpent            3  a limit on calls, tokens or money was reached
    │   └── Interrupted            3  Ctrl-C or SIGTERM
    ├── RefusedMetric              5  a judged number was asked for that is not calibrated
    │   └── NotTheMaker            5  code tried to make a vouched record by hand
    └── LeakFound                  6  text that should be blinded still carries a cue
"""

from __future__ import annotations

from pathlib import Path

from judgekit.printable import printable

__all__ = [
    "AlreadyThere",
    "BadInput",
    "BudgetSpent",
    "ConfigProblem",
    "DiskFailed",
    "InUse",
    "Interrupted",
    "JudgekitError",
    "LeakFound",
    "NotTheMaker",
    "ProviderFailed",
    "RefusedMetric",
    "Unfinished",
    "UsageProblem",
]

SEEN_LIMIT = 80


class JudgekitError(Exception):
    """A failure with a place, a reason and a remedy.

    Parameters
    ----------
    what : str
        What is wrong, in one clause, without a full stop.
    path : str or Path, optional
        The file concerned.
    line, column : int, optional
        1-based position in that file; ``column`` counts characters (or, for tables, fields).
    field : str, optional
        The column, key or option concerned.
    seen : object, optional
        The value met. Shown as text, cut to 80 characters, made safe for a terminal.
    why : str, optional
        The rule that was broken.
    remedy : str, optional
        What the user can do next.

    Examples
    --------
    >>> print(BadInput("a score is off the scale", path="r.csv", line=7, field="score", seen="9",
    ...                why="levels are 1 to 5", remedy="mend the row or declare --levels"))
    r.csv:7: score: a score is off the scale (seen: '9'). Why: levels are 1 to 5. Do: mend the row or declare --levels.
    """

    exit_code = 70

    def __init__(
        self,
        what: str,
        *,
        path: str | Path | None = None,
        line: int | None = None,
        column: int | None = None,
        field: str | None = None,
        seen: object = None,
        why: str | None = None,
        remedy: str | None = None,
    ) -> None:
        self.what = what
        self.path = None if path is None else str(path)
        self.line = line
        self.column = column
        self.field = field
        self.seen = seen
        self.why = why
        self.remedy = remedy
        super().__init__(what)

    @property
    def where(self) -> str:
        """The place as ``path:line:column: field``, empty when none is known."""
        parts = [printable(self.path)] if self.path else []
        if self.line is not None:
            parts.append(str(self.line))
            if self.column is not None:
                parts.append(str(self.column))
        place = ":".join(parts)
        if self.field:
            place = f"{place}: {printable(self.field)}" if place else printable(self.field)
        return place

    def __str__(self) -> str:
        place = self.where
        message = f"{place}: {printable(self.what)}" if place else printable(self.what)
        if self.seen is not None:
            message += f" (seen: {printable(repr(str(self.seen)), limit=SEEN_LIMIT)})"
        message += "."
        if self.why:
            message += f" Why: {printable(self.why).rstrip('.')}."
        if self.remedy:
            message += f" Do: {printable(self.remedy).rstrip('.')}."
        return message

    def to_dict(self) -> dict[str, object]:
        """The same facts for ``--json``; values are made printable."""
        return {
            "error": type(self).__name__,
            "what": printable(self.what),
            "path": self.path and printable(self.path),
            "line": self.line,
            "column": self.column,
            "field": self.field and printable(self.field),
            "seen": None if self.seen is None else printable(str(self.seen), limit=SEEN_LIMIT),
            "why": self.why and printable(self.why),
            "remedy": self.remedy and printable(self.remedy),
            "exit_code": self.exit_code,
        }


class BadInput(JudgekitError):
    """A file, a row, a field or an option cannot be used. Nothing was written."""

    exit_code = 2


class UsageProblem(BadInput):
    """Flags or arguments that do not fit together."""


class ConfigProblem(BadInput):
    """A study, rubric or cue pack that is not valid."""


class AlreadyThere(BadInput):
    """An output exists and ``--force`` was not given."""


class InUse(BadInput):
    """Another process holds the lock on this ledger, label file or run."""


class Unfinished(JudgekitError):
    """The work could not be finished; everything received is kept and the command can be resumed."""

    exit_code = 3


class ProviderFailed(Unfinished):
    """The judge or the system under test does not answer."""


class DiskFailed(Unfinished):
    """Writing failed: disk full or I/O error. The previous file is intact."""


class BudgetSpent(Unfinished):
    """A limit on calls, tokens or money was reached before the next call."""


class Interrupted(Unfinished):
    """Ctrl-C or SIGTERM; what was received is kept."""


class RefusedMetric(JudgekitError):
    """A judged number was asked for that judgekit does not vouch for."""

    exit_code = 5


class NotTheMaker(RefusedMetric):
    """Code tried to make a vouched record (`BlindedReply`, `FilledText`, `Calibrated`) by hand."""


class LeakFound(JudgekitError):
    """Text that should be blinded still carries a cue."""

    exit_code = 6
