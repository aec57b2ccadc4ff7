"""Data that travels with the package: cue lists, lexicons, rubrics, the demo study and its labels."""

from __future__ import annotations

from pathlib import Path

__all__ = ["bundled"]


def bundled(name: str) -> Path:
    """Where a bundled file or folder stands, after a plain install as well as in a checkout.

    Parameters
    ----------
    name : str
        A path such as ``rubrics/warmth.yaml`` or ``examples/support``.

    Returns
    -------
    Path

    Raises
    ------
    FileNotFoundError
        When the package does not carry it.

    Examples
    --------
    >>> bundled("rubrics").is_dir()
    True
    """
    here = Path(__file__).resolve().parent
    for root in (here, here / "bundled", here.parent.parent):
        if (root / name).exists():
            return root / name
    raise FileNotFoundError(name)
