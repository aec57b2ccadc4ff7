"""Functions on pandas frames, with the same rules for columns as files."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from judgekit.errors import BadInput

if TYPE_CHECKING:
    import pandas as pd

    from judgekit.agreement.agree import AgreementReport
    from judgekit.notebook import Gaps

__all__ = ["agree", "blind", "gap"]

T = TypeVar("T")


def _from_frame(frame: pd.DataFrame, read: Callable[[Path], T]) -> T:
    """Read a frame by the reader of files, so that one set of rules holds; errors speak of the frame."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "frame.parquet"
        frame.to_parquet(path, index=False)
        try:
            return read(path)
        except BadInput as problem:
            if problem.path == str(path):
                problem.path = "(frame)"
            raise


def blind(
    frame: pd.DataFrame,
    *,
    columns: Mapping[str, str] | None = None,
    lang: Literal["auto", "en", "es"] = "auto",
    ner: Literal["auto", "on", "off"] = "auto",
    keep: Sequence[str] = (),
) -> pd.DataFrame:
    """Blind and verify the replies of a frame.

    Parameters
    ----------
    frame : pandas.DataFrame
        Columns as in a file of replies: ``id`` and ``text`` at least; ``known_names``, ``context``, ``lang`` are used.
    columns : mapping of str to str, optional
        Canonical name to the frame's column, where aliases do not fit.
    lang : {'auto', 'en', 'es'}
        Language of rows that do not say.
    ner : {'auto', 'on', 'off'}
        Look for unknown people with a language model.
    keep : sequence of str
        Words that are no cues here.

    Returns
    -------
    pandas.DataFrame
        ``id, blinded, context, status, reason`` with the index of ``frame``, so that the two can be joined; a withheld
        reply has no ``blinded`` text, and its reason. Nor has a generation that failed (nothing to read in its text): its
        status is ``failed``, its reason the column ``error``, or ``no_answer``.

    Raises
    ------
    BadInput
        A column is missing or an id stands twice.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.DataFrame({"id": ["1"], "text": ["Dear Ms. Halvane, she is right."], "known_names": ["Halvane"]})
    >>> blind(rows, lang="en").blinded[0]
    'Dear [TITLE] [PERSON_1], [PRONOUN] is right.'
    >>> rows.join(blind(rows, lang="en")[["status"]]).status.tolist()
    ['verified']
    """
    import pandas as pd

    from judgekit.blinding.mask import Blinder
    from judgekit.blinding.verify import Verifier
    from judgekit.files.tables import read_replies
    from judgekit.records import BlindedReply

    replies = _from_frame(frame, lambda path: read_replies(path, columns=columns))
    blinder, verifier = Blinder(lang=lang, ner=ner, keep=tuple(keep)), Verifier(keep=tuple(keep))
    rows: list[dict[str, str | None]] = []
    for reply in replies:
        if reply.failed is not None:
            rows.append({"id": reply.id, "status": "failed", "reason": reply.failed})
            continue
        result = verifier.verify(blinder.mask(reply))
        passed = isinstance(result, BlindedReply)
        rows.append(
            {
                "id": reply.id,
                "blinded": result.text if isinstance(result, BlindedReply) else None,
                "context": result.context if isinstance(result, BlindedReply) else None,
                "status": "verified" if passed else "withheld",
                "reason": None if isinstance(result, BlindedReply) else result.code,
            }
        )
    return pd.DataFrame(rows, columns=["id", "blinded", "context", "status", "reason"], index=frame.index)


def agree(
    frame: pd.DataFrame,
    *,
    judge: str,
    humans: Sequence[str],
    levels: Sequence[int | str],
    columns: Mapping[str, str] | None = None,
    nominal: bool = False,
    weights: Literal["none", "linear", "quadratic"] | None = None,
    by: str | None = None,
    wide: bool = False,
) -> AgreementReport:
    """Agreement of a judge with people, and of people with each other.

    Parameters
    ----------
    frame : pandas.DataFrame
        Long (``item, dimension, annotator, score``) or, with ``wide``, one column per rater.
    judge : str
        The judge's annotator name or column.
    humans : sequence of str
        People's names or columns.
    levels : sequence
        The declared levels in order.
    columns : mapping of str to str, optional
        Canonical name to the frame's column, where aliases do not fit.
    nominal : bool
        The levels are classes without an order.
    weights : {'none', 'linear', 'quadratic'}, optional
        Quadratic for ordered levels, none for classes, unless stated.
    by : str, optional
        Also for each value of this column.
    wide : bool
        One column per rater.

    Returns
    -------
    AgreementReport
        In a notebook a table, and ``.to_frame()`` makes a frame of it.

    Raises
    ------
    BadInput
        A score is off the declared levels, a rater is unknown, or somebody scored an item twice.
    RefusedMetric
        With ``by``: the judge's scores are those of a ledger or run in the working folder or above it.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"item": list("abcd"), "bot": [1, 2, 3, 3], "ana": [1, 2, 3, 2]})
    >>> round(agree(scores, judge="bot", humans=["ana"], levels=[1, 2, 3], wide=True).pairs[0].kappa, 2)
    0.8
    """
    from judgekit.agreement.agree import agree as agree_on
    from judgekit.files.tables import read_ratings
    from judgekit.supplied import refuse_own_ratings

    def read(path: Path) -> Any:
        rows = read_ratings(
            path,
            judge_col=judge if wide else None,
            human_cols=tuple(humans) if wide else (),
            columns=columns,
            annotators=None if wide else [judge, *humans],
        )
        if by is not None:
            refuse_own_ratings(rows, judge, folder=Path(), shown="(frame)")
        return rows

    return agree_on(
        _from_frame(frame, read), judge=judge, humans=humans, levels=levels, nominal=nominal, weights=weights, by=by
    )


def _compared(wanted: Sequence[str] | None, met: Sequence[str]) -> list[str]:
    """The groups to compare: those that were asked for, or all; two at least, and all there."""
    chosen = list(met if wanted is None else wanted)
    missing = [g for g in chosen if g not in met]
    if missing or len(chosen) < 2:
        raise BadInput(
            "no such group in the frame" if missing else "only one group was met",
            path="(frame)",
            field="group",
            seen=", ".join(missing or met),
            why=f"it has {', '.join(met) or 'none'}",
            remedy="name two of them",
        )
    return chosen


def gap(
    frame: pd.DataFrame,
    *,
    metric: str,
    columns: Mapping[str, str] | None = None,
    groups: Sequence[str] | None = None,
    claim: Literal["groups", "these_names"] = "groups",
    margin: float | None = None,
    level: float = 0.95,
    seed: int = 20260101,
) -> Gaps:
    """Gaps of a metric that the frame supplies, with the template as the unit. judgekit does not vouch for the values.

    Parameters
    ----------
    frame : pandas.DataFrame
        ``template_id, group`` and the metric; ``name`` makes names a second random factor.
    metric : str
        The column.
    columns : mapping of str to str, optional
        Canonical name to the frame's column, where aliases do not fit.
    groups : sequence of str, optional
        Two or more groups; every pair is compared, the earlier minus the later one.
    claim : {'groups', 'these_names'}
        What the claim is about.
    margin : float, optional
        Gaps inside plus or minus this pass.
    level : float
        Level of the interval.
    seed : int
        Seed of Monte-Carlo draws.

    Returns
    -------
    Gaps
        A list of `Gap`; in a notebook a table, and ``.to_frame()`` makes a frame of it.

    Raises
    ------
    BadInput
        A column or group is missing.
    RefusedMetric
        The frame holds judgekit's own judgments, or scores that a ledger or run in the working folder or above it has, whose
        gaps only a calibrated study may show.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [(f"t{t}", g, f"{g}{n}", t + n + (g == "x")) for t in range(6) for g in "xy" for n in range(4)]
    >>> found = gap(pd.DataFrame(rows, columns=["template_id", "group", "name", "words"]), metric="words")
    >>> found[0].raw.value
    1.0
    >>> found.to_frame()[["a", "b", "gap", "templates"]].values.tolist()
    [['x', 'y', 1.0, 6]]
    """
    from judgekit.files.tables import read_metric_table
    from judgekit.gaps import supplied_gap
    from judgekit.notebook import Gaps
    from judgekit.records import Contrast
    from judgekit.supplied import refuse_own_scores

    def read(path: Path) -> Any:
        refuse_own_scores(path, metric, columns=columns, folder=Path(), shown="(frame)")
        return read_metric_table(path, metric=metric, columns=columns)

    rows = _from_frame(frame, read)
    chosen = _compared(groups, sorted({r.group for r in rows if r.group is not None}))
    return Gaps(
        supplied_gap(rows, metric, Contrast(a, b), claim=claim, margin=margin, level=level, seed=seed)
        for a, b in combinations(chosen, 2)
    )
