"""What every statistical result has in common: it prints itself, and turns into plain values or a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from judgekit.errors import BadInput
from judgekit.printable import printable
from judgekit.records import Undefined

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd
    from numpy.typing import ArrayLike, NDArray

__all__ = ["HIDDEN", "About", "FloatArray", "IntArray", "Result", "as_gaps", "check_level", "group_sum", "plain"]

FloatArray = np.ndarray[Any, np.dtype[np.float64]]
IntArray = np.ndarray[Any, np.dtype[np.int64]]

HIDDEN: Mapping[str, bool] = {"hidden": True}
"""Metadata of fields that a result keeps for its own methods and does not show."""

_LONGEST_SHOWN = 8


def _shown_fields(value: Any) -> list[Field[Any]]:
    return [f for f in fields(value) if not f.metadata.get("hidden")]


def plain(value: object) -> Any:
    """The value as numbers, strings, lists and dicts.

    Parameters
    ----------
    value : object
        A result, a record, a mapping, a sequence, an array, or a scalar.

    Returns
    -------
    object
        `Undefined` becomes ``{"undefined": reason, "detail": ...}``; infinities stay floats.

    Examples
    --------
    >>> plain((1, Undefined("one template")))
    [1, {'undefined': 'one template', 'detail': ''}]
    """
    if isinstance(value, Undefined):
        return {"undefined": str(value.reason), "detail": str(value.detail)}
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in _shown_fields(value)}
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, tuple | list | set | frozenset):
        return [plain(item) for item in value]
    return value


def _shown(value: object) -> str:
    if isinstance(value, bool | int | str) or value is None:
        return printable(str(value))
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Mapping) and len(value) > _LONGEST_SHOWN:
        return f"{len(value)} entries"
    if isinstance(value, tuple | list | np.ndarray) and len(value) > _LONGEST_SHOWN:
        return f"{len(value)} values"
    if isinstance(value, Result):
        return "\n".join("  " + line for line in str(value).splitlines()).lstrip()
    if is_dataclass(value) and hasattr(value, "low") and hasattr(value, "high"):
        interval: Any = value
        return f"{interval.low:.6g} to {interval.high:.6g} ({interval.level:.0%}, {interval.method})"
    return printable(str(value))


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a kind of result is: its method, the unit of its numbers, and the source of the method (``-``: a count)."""

    method: str = ""
    unit: str = ""
    source: str = ""


class Result:
    """Base of the result records: a readable text form, `to_dict`, `to_frame`, and what it is: ``about``.

    A subclass names its method, unit and source beside its base: ``class SignFlip(Result, method=..., unit=..., source=...)``.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Share(Result, method="counting", unit="share", source="-"):
    ...     value: float
    >>> Share(0.5)
    Share: counting (share)
      value  0.5
    """

    __slots__ = ()
    about: ClassVar[About] = About()

    def __init_subclass__(cls, *, method: str = "", unit: str = "", source: str = "") -> None:
        # A dataclass with slots is made twice, the second time without these arguments: what was set then stays.
        if method:
            cls.about = About(method=method, unit=unit, source=source)
        if "__repr__" not in cls.__dict__:
            cls.__repr__ = Result.__repr__  # type: ignore[method-assign]  # a dataclass would put its own, unreadable one

    def __str__(self) -> str:
        own, about = _shown_fields(self), self.about
        width = max(len(f.name) for f in own)
        lines = [f"  {f.name.ljust(width)}  {_shown(getattr(self, f.name))}" for f in own]
        head = f"{type(self).__name__}: {about.method} ({about.unit})" if about.method else type(self).__name__
        return "\n".join([head, *lines])

    def __repr__(self) -> str:
        return str(self)

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values, ready for JSON once infinities are dealt with.

        Returns
        -------
        dict
            See `plain` for how undefined values look.
        """
        out: dict[str, Any] = plain(self)
        if self.about.method:
            out["about"] = plain(self.about)
        return out

    def to_frame(self) -> pd.DataFrame:
        """The fields as a table of one row; nested results become dotted columns and undefined values missing ones.

        Returns
        -------
        pandas.DataFrame
            One row.
        """
        import pandas as pd

        flat: dict[str, Any] = {}

        def walk(prefix: str, value: object) -> None:
            if isinstance(value, Undefined):
                flat[prefix] = None
                flat[f"{prefix}.undefined"] = str(value.reason)
            elif is_dataclass(value) and not isinstance(value, type):
                for f in _shown_fields(value):
                    walk(f"{prefix}.{f.name}" if prefix else f.name, getattr(value, f.name))
            else:
                flat[prefix] = plain(value)

        walk("", self)
        return pd.DataFrame([flat])


def as_gaps(values: ArrayLike | Iterable[float], *, what: str = "gaps") -> NDArray[np.float64]:
    """One-dimensional finite floats, checked.

    Parameters
    ----------
    values : sequence of float
        Differences, one per template or pair.
    what : str
        What to call them in an error.

    Returns
    -------
    numpy.ndarray
        A float array that may be empty.

    Raises
    ------
    BadInput
        When a value is not a finite number or the shape is not one-dimensional.

    Examples
    --------
    >>> as_gaps([1, 0.5]).tolist()
    [1.0, 0.5]
    """
    try:
        out = np.asarray(values if hasattr(values, "__len__") else list(values), dtype=np.float64)  # type: ignore[arg-type]
    except (TypeError, ValueError) as problem:
        raise BadInput(f"`{what}` must be numbers", seen=str(problem), remedy="leave missing pairs out") from problem
    if out.ndim != 1:
        raise BadInput(f"`{what}` must be one-dimensional", seen=f"{out.ndim} dimensions")
    if not np.isfinite(out).all():
        raise BadInput(f"`{what}` must be finite", why="a missing value is not a number", remedy="leave it out")
    return out


def check_level(level: float) -> float:
    """The confidence level, if it is a share strictly between 0 and 1.

    Parameters
    ----------
    level : float
        Such as 0.95.

    Returns
    -------
    float
        The same number.

    Raises
    ------
    BadInput
        When it is not between 0 and 1 (95 instead of 0.95, say).

    Examples
    --------
    >>> check_level(0.95)
    0.95
    """
    if not 0 < level < 1:
        raise BadInput("`level` must lie between 0 and 1", field="level", seen=level, remedy="write 0.95 for 95%")
    return level


def group_sum(index: IntArray, weights: FloatArray | IntArray, size: int) -> FloatArray:
    """Sums of ``weights`` by ``index``.

    Parameters
    ----------
    index : numpy.ndarray of int
        Where each weight belongs, in [0, size).
    weights : numpy.ndarray
        What to add up.
    size : int
        How many sums.

    Returns
    -------
    numpy.ndarray of float
        One sum per index; 0 where nothing belongs.

    Examples
    --------
    >>> group_sum(np.array([0, 2, 0]), np.array([1.0, 2.0, 3.0]), 3).tolist()
    [4.0, 0.0, 2.0]
    """
    out: FloatArray = np.bincount(index, weights=weights, minlength=size).astype(np.float64, copy=False)
    return out
