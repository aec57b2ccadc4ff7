"""What the counts of a file make doubtful: replies that say nothing, groups that are one, groups of hardly anybody."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["doubts"]

_FEW_ROWS = 6  # as with templates: below it no sign-flip p falls under 0.05
_SHOWN = 6


def doubts(groups: Mapping[str, int], failures: Mapping[tuple[str | None, str], int] | None = None) -> list[str]:
    """Say what is doubtful of groups and of failed replies.

    Parameters
    ----------
    groups : mapping of str to int
        Replies by group value.
    failures : mapping, optional
        Failed replies by group (None: no group) and kind.

    Returns
    -------
    list of str
        One sentence each; empty where nothing is.

    Examples
    --------
    >>> for line in doubts({"m": 40, "M": 9, "x": 2}, {("m", "no_answer"): 3}):
    ...     print(line)
    3 replies hold no text and count as failed, nobody judges or labels them: m 3 no_answer
    groups m 40, M 9 differ only in case: if they are one, write them alike
    groups of fewer than 6 replies: x 2; leave them out or join them, a comparison with them says hardly anything
    """
    found = []
    if failures:
        told = sorted(failures.items(), key=lambda entry: (entry[0][0] or "", entry[0][1]))
        total, listed = sum(failures.values()), [f"{group or 'no group'} {n} {kind}" for (group, kind), n in told]
        found.append(f"{total} replies hold no text and count as failed, nobody judges or labels them: {_some(listed)}")
    alike: dict[str, list[str]] = {}
    for group in groups:
        alike.setdefault(group.casefold(), []).append(f"{group} {groups[group]}")
    same = [", ".join(values) for values in alike.values() if len(values) > 1]
    if same:
        found.append(f"groups {'; '.join(same)} differ only in case: if they are one, write them alike")
    few = [f"{group} {n}" for group, n in groups.items() if n < _FEW_ROWS]
    if few:
        found.append(
            f"groups of fewer than {_FEW_ROWS} replies: {_some(few)}; leave them out or join them, "
            "a comparison with them says hardly anything"
        )
    return found


def _some(entries: list[str]) -> str:
    more = len(entries) - _SHOWN
    return ", ".join(entries[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
