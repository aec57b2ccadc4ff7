"""Who may make a record that vouches for something, and the hash of what a judge reads."""

from __future__ import annotations

import hashlib
import json
import sys

from judgekit.errors import NotTheMaker

__all__ = ["claim_maker", "text_hash"]

_MAKERS: dict[str, str] = {
    "BlindedReply": "judgekit.blinding.verify",
    "FilledText": "judgekit.blinding.fill",
    "Calibrated": "judgekit.calibration",
}
_TOKENS: dict[str, object] = {}


def claim_maker(record: str) -> object:
    """Hand the right to make a vouched record to the one module that may have it.

    Parameters
    ----------
    record : {'BlindedReply', 'FilledText', 'Calibrated'}
        The record's class name.

    Returns
    -------
    object
        A token to pass as ``maker=`` when the record is made.

    Raises
    ------
    NotTheMaker
        When any other module asks, or when it was claimed before.
    """
    caller = sys._getframe(1).f_globals.get("__name__", "?")  # noqa: SLF001 - the caller is the credential
    if caller != _MAKERS.get(record) or record in _TOKENS:
        raise NotTheMaker(
            f"{record} cannot be made here",
            seen=caller,
            why=f"only {_MAKERS.get(record, 'nobody')} makes it, so that its presence proves the check was run",
            remedy="call that module's public function instead",
        )
    _TOKENS[record] = object()
    return _TOKENS[record]


def must_be_maker(record: str, maker: object) -> None:
    if record not in _TOKENS or maker is not _TOKENS[record]:
        raise NotTheMaker(
            f"{record} was made by hand",
            why=f"only {_MAKERS[record]} makes it, so that its presence proves the check was run",
            remedy="call that module's public function instead",
        )


def text_hash(text: str, context: str | None = None) -> str:
    """Hash of what a judge or rater reads: the masked (or filled) reply and its context.

    Parameters
    ----------
    text : str
        The reply.
    context : str, optional
        What the reply answers.

    Returns
    -------
    str
        64 hexadecimal digits (SHA-256); equal texts in equal contexts have equal hashes.

    Examples
    --------
    >>> text_hash("Hi") == text_hash("Hi", None), text_hash("Hi") == text_hash("Hi", "")
    (True, False)
    """
    packed = json.dumps([context, text], ensure_ascii=True)
    return hashlib.sha256(packed.encode("ascii")).hexdigest()
