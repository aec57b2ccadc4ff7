"""Control pairs among collected replies: two conversations with the same bytes, whose difference is noise alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from judgekit.gaps import ControlFloor
from judgekit.records import Reply, Scored, Unscored
from judgekit.stages import blind, measure_all
from judgekit.statistics.trend import noise_floor
from judgekit.study import Study

__all__ = ["control_gaps", "noise_floors"]


def noise_floors(study: Study, others: Sequence[Reply]) -> dict[str, ControlFloor]:
    """The noise floor of every counted metric.

    Parameters
    ----------
    study : Study
    others : sequence of Reply
        Replies of the arms that are not base; those of the arm ``control`` count here.

    Returns
    -------
    dict of str to ControlFloor
        By metric; empty where there is no control pair. A metric that a model reads has none.
    """
    controls = [reply for reply in others if reply.arm.kind == "control"]
    if not controls or not study.measured:
        return {}
    level, seed = study.statistics.interval, study.statistics.seed
    found = {}
    for metric, values in measure_all(blind(controls, study), study).items():
        gaps = control_gaps(controls, values)
        floor = noise_floor([fmean(differences) for differences in gaps.values()], level=level, seed=seed)
        found[metric] = ControlFloor(floor=floor, pairs=fmean(map(len, gaps.values())) if gaps else 0.0)
    return found


def control_gaps(controls: Sequence[Reply], values: Mapping[str, Scored | Unscored]) -> dict[str, list[float]]:
    """The differences within the control pairs of each template: first replicate minus second.

    Parameters
    ----------
    controls : sequence of Reply
        Of the arm ``control``; the two of a pair share template and name pair and differ in their replicate.
    values : mapping of str to Scored or Unscored
        By item.

    Returns
    -------
    dict of str to list of float
        By template. A pair in which a value is missing is left out.

    Examples
    --------
    >>> pair = [Reply(id=i, text="", unit_id="t1", name_pair="1", replicate=i) for i in "12"]
    >>> control_gaps(pair, {"1": Scored(3.0), "2": Scored(2.5)})
    {'t1': [0.5]}
    """
    pairs: dict[tuple[str, str], dict[str, float]] = {}
    for reply in controls:
        value = values.get(reply.id)
        if reply.unit_id is not None and isinstance(value, Scored):
            pairs.setdefault((reply.unit_id, reply.name_pair or ""), {})[reply.replicate or ""] = float(value.value)
    gaps: dict[str, list[float]] = {}
    for (unit, _), found in sorted(pairs.items()):
        if len(found) == 2:
            first, second = (found[replicate] for replicate in sorted(found))
            gaps.setdefault(unit, []).append(first - second)
    return gaps
