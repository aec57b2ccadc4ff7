"""What is left out of the findings on a refused dimension: agreement by group, from which its gap could be solved.

With two levels, agreement beyond chance and plain agreement say together how often two raters agree by chance,
``pe = (po - kappa) / (1 - kappa)``. With the people's labels that is the share of the judge's upper level. By group it
would be the refused gap.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from judgekit.findings import ReferenceFacts
from judgekit.records import Agreement, Refused

__all__ = ["shown_agreement", "shown_references"]


def shown_agreement(rows: Iterable[Agreement], refused: Iterable[Refused]) -> tuple[Agreement, ...]:
    """Leave out the judge's agreement by group where a dimension is refused in any contrast.

    Parameters
    ----------
    rows : iterable of Agreement
        Of every pair of raters, overall and by group.
    refused : iterable of Refused

    Returns
    -------
    tuple of Agreement
        People among themselves stay, by group too; so does the judge with each person overall.
    """
    withheld = {(r.dimension, r.judge) for r in refused}
    return tuple(a for a in rows if a.by is None or not {(a.dimension, a.a), (a.dimension, a.b)} & withheld)


def shown_references(references: Iterable[ReferenceFacts], refused: Iterable[Refused]) -> tuple[ReferenceFacts, ...]:
    """Leave out the agreement with all the people at once by group where a dimension is refused in any contrast.

    Parameters
    ----------
    references : iterable of ReferenceFacts
    refused : iterable of Refused

    Returns
    -------
    tuple of ReferenceFacts
    """
    withheld = {r.dimension for r in refused}
    return tuple(replace(r, by_group={}) if r.dimension in withheld else r for r in references)
