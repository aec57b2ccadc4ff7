"""Foreign text made safe and visible for any terminal, log line or error message.

Judged text is hostile by assumption: it may hold escape sequences that clear the screen or fill the clipboard,
bidirectional controls that reorder a line, or characters nobody can see. `printable` replaces each of them by a
visible symbol, so that a reader sees that something was there and the terminal never obeys it.
"""

from __future__ import annotations

import unicodedata

__all__ = ["line_ends", "marked", "printable", "restore"]

_NAMES = {
    0x7F: "␡",
    0xA0: "⍽",
    0xAD: "‹SHY›",
    0x034F: "‹CGJ›",
    0x061C: "‹ALM›",
    0x115F: "‹HCF›",
    0x1160: "‹HJF›",
    0x180E: "‹MVS›",
    0x200B: "‹ZWSP›",
    0x200C: "‹ZWNJ›",
    0x200D: "‹ZWJ›",
    0x200E: "‹LRM›",
    0x200F: "‹RLM›",
    0x2028: "‹LSEP›",
    0x2029: "‹PSEP›",
    0x202A: "‹LRE›",
    0x202B: "‹RLE›",
    0x202C: "‹PDF›",
    0x202D: "‹LRO›",
    0x202E: "‹RLO›",
    0x2060: "‹WJ›",
    0x2066: "‹LRI›",
    0x2067: "‹RLI›",
    0x2068: "‹FSI›",
    0x2069: "‹PDI›",
    0x3164: "‹HF›",
    0xFEFF: "‹BOM›",
    0xFFA0: "‹HHF›",
}
_INVISIBLE_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def _symbol(char: str) -> str:
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code in _NAMES:
        return _NAMES[code]
    return f"‹U+{code:04X}›"


def _needs_symbol(char: str) -> bool:
    return ord(char) in _NAMES or unicodedata.category(char) in _INVISIBLE_CATEGORIES


def marked(text: str, *, keep: str = "\n") -> list[tuple[str, bool]]:
    r"""Cut text into runs that are shown as they are and runs that stand for hidden characters.

    Parameters
    ----------
    text : str
        Any text, lone surrogates included.
    keep : str
        Control characters that stay as they are.

    Returns
    -------
    list of (str, bool)
        The pieces in order; True marks a visible substitute.

    Examples
    --------
    >>> marked("a\x1b[2Jb")
    [('a', False), ('␛', True), ('[2Jb', False)]
    """
    # Looked up once for each different character: a long text has few of them.
    hidden = {char for char in set(text) if char not in keep and _needs_symbol(char)}
    runs: list[tuple[str, bool]] = []
    start = 0
    for position in [at for at, char in enumerate(text) if char in hidden] if hidden else ():
        if position > start:
            runs.append((text[start:position], False))
        runs.append((_symbol(text[position]), True))
        start = position + 1
    if start < len(text):
        runs.append((text[start:], False))
    return runs


def line_ends(text: str) -> str:
    r"""The text with the line ends of Windows as plain ones, for the screen alone; a lone carriage return stays.

    Parameters
    ----------
    text : str

    Returns
    -------
    str

    Examples
    --------
    >>> line_ends("one\r\ntwo\rthree")
    'one\ntwo\rthree'
    """
    return text.replace("\r\n", "\n")


def printable(text: object, *, limit: int | None = None, keep: str = "") -> str:
    r"""Show foreign text on one terminal line: every control and invisible character as a visible symbol.

    Parameters
    ----------
    text : object
        Converted with ``str``.
    limit : int, optional
        Longest result in characters; a longer one ends in ``…``.
    keep : str
        Control characters to leave alone, for example ``"\n"`` for a block of text.

    Returns
    -------
    str
        Text without C0, C1, bidirectional or other invisible characters (other than those in ``keep``).

    Examples
    --------
    >>> printable("Thanks\x1b]52;c;aGVsbG8=\x07")
    'Thanks␛]52;c;aGVsbG8=␇'
    >>> printable("abcdef", limit=4)
    'abc…'
    """
    source = str(text)
    if source.isascii() and source.isprintable():
        shown = source
    else:
        shown = "".join(piece for piece, _ in marked(source, keep=keep))
    if limit is not None and len(shown) > limit:
        shown = shown[: limit - 1] + "…"
    return shown


def restore(runs: list[tuple[str, bool]], original: str) -> bool:
    r"""Whether the runs of `marked` give back the original when every substitute is undone.

    Parameters
    ----------
    runs : list of (str, bool)
        What `marked` returned.
    original : str
        The text it was given.

    Returns
    -------
    bool

    Examples
    --------
    >>> restore(marked("a\u200bb"), "a\u200bb")
    True
    """
    position = 0
    for piece, substitute in runs:
        if substitute:
            if position >= len(original) or _symbol(original[position]) != piece:
                return False
            position += 1
        else:
            if original[position : position + len(piece)] != piece:
                return False
            position += len(piece)
    return position == len(original)
