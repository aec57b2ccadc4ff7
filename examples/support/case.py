"""What one support case of the demo study consists of."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Case"]


@dataclass(frozen=True)
class Case:
    """One template.

    Parameters
    ----------
    case_type : str
        What a support desk calls it.
    context : str
        The customer's message; ``{given}`` and ``{family}`` are filled.
    matter : str
        A clause about the customer in the third person, for notes to colleagues.
    answers : dict of int to tuple of str
        By quality: 5 precise with the next step, 4 right but without it, 3 partly, 2 vague, 1 wrong or beside the point.
    details : tuple of str
        Sentences around the case that do not answer it.
    reactions : dict of int to tuple of str
        By warmth: 5, 4, 2 and 1.
    """

    case_type: str
    context: str
    matter: str
    answers: dict[int, tuple[str, ...]]
    details: tuple[str, ...]
    reactions: dict[int, tuple[str, ...]]
