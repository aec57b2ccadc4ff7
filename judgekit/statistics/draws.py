"""Random signs and resamples, shared by many columns and cheap for one.

A sign pattern is a row of bits. For one column its signed sum is read from tables of 256 sums of eight gaps; for many
columns bits become a matrix and one product serves all. A resample of up to 256 templates is drawn in pairs, which
halves the work and leaves its distribution alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from judgekit.statistics.results import FloatArray, IntArray

__all__ = ["extreme_counts", "packed_bits", "resampled_moments", "resampled_sums", "sums_of_bits"]

Bytes = np.ndarray[Any, np.dtype[np.uint8]]

BLOCK = 2_000_000
"""Entries of a sign or count matrix that are held at once."""

PAIRED_UP_TO = 256
_CACHED = 48_000
_NEAR = 1e-5
_MANY_NEAR = 0.02


def packed_bits(draws: int, n: int, rng: np.random.Generator) -> Bytes:
    """Random bits, eight to a byte: one row per draw, one bit per gap.

    Parameters
    ----------
    draws, n : int
        Rows and bits per row.
    rng : numpy.random.Generator
        Source of chance.

    Returns
    -------
    numpy.ndarray of uint8, shape (draws, ceil(n / 8))
        Bits beyond ``n`` are random too and must be left out.

    Examples
    --------
    >>> packed_bits(3, 12, np.random.default_rng(1)).shape
    (3, 2)
    """
    width = (n + 7) // 8
    size = draws * width
    return rng.integers(0, 2**64, size=(size + 7) // 8, dtype=np.uint64).view(np.uint8)[:size].reshape(draws, width)


def sums_of_bits(packed: Bytes, values: FloatArray) -> FloatArray:
    """Sum of the values whose bit is set, for each row.

    Parameters
    ----------
    packed : numpy.ndarray of uint8
        From `packed_bits`.
    values : numpy.ndarray
        One value per bit.

    Returns
    -------
    numpy.ndarray
        One sum per row.

    Examples
    --------
    >>> sums_of_bits(np.array([[0b10100000]], dtype=np.uint8), np.array([1.0, 2.0, 4.0])).tolist()
    [5.0]
    """
    width = packed.shape[1]
    padded = np.zeros(width * 8)
    padded[: len(values)] = values
    every_byte = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float64)
    tables = padded.reshape(width, 8) @ every_byte.T
    out = np.zeros(len(packed))
    for table, column in zip(tables, np.ascontiguousarray(packed.T), strict=True):
        out += table.take(column)
    return out


def _extreme(sums: FloatArray, total: FloatArray, slack: FloatArray, alternative: str) -> Any:
    if alternative == "two-sided":
        return np.abs(sums) >= np.abs(total) - slack
    return sums >= total - slack if alternative == "greater" else sums <= total + slack


def extreme_counts(
    matrix: FloatArray, alternative: str, draws: int, rng: np.random.Generator, *, tie_tolerance: float
) -> IntArray:
    """How many random sign patterns give a sum at least as extreme as the observed one, by column.

    Parameters
    ----------
    matrix : numpy.ndarray, shape (gaps, columns)
        Gaps.
    alternative : str
        ``two-sided``, ``greater`` or ``less``.
    draws : int
        Sign patterns; the same ones for all columns.
    rng : numpy.random.Generator
        Source of chance.
    tie_tolerance : float
        Sums within this share of the sum of absolute gaps are ties and count.

    Returns
    -------
    numpy.ndarray of int
        Hits per column.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> extreme_counts(np.zeros((5, 2)), "two-sided", 100, rng, tie_tolerance=1e-9).tolist()
    [100, 100]
    """
    n, columns = matrix.shape
    total = matrix.sum(axis=0)
    size = np.abs(matrix).sum(axis=0)
    hits = np.zeros(columns, dtype=np.int64)
    single = matrix.astype(np.float32)
    rows = max(4, min(draws, BLOCK // max(1, n)) // 4 * 4)
    for start in range(0, draws, rows):
        packed = packed_bits(min(rows, draws - start), n, rng)
        if columns == 1:
            sums = 2.0 * sums_of_bits(packed, matrix[:, 0])[:, None] - total
            hits += np.count_nonzero(_extreme(sums, total, tie_tolerance * size, alternative), axis=0)
            continue
        bits = np.unpackbits(packed, axis=1, count=n)
        rough = 2.0 * (bits.astype(np.float32) @ single).astype(np.float64) - total
        # Single precision settles all but the sums that are nearly at the border; those are summed again in double.
        surely = _extreme(rough, total, -_NEAR * size, alternative)
        maybe = _extreme(rough, total, _NEAR * size, alternative) & ~surely
        if maybe.mean() > _MANY_NEAR:
            sums = 2.0 * (bits.astype(np.float64) @ matrix) - total
            hits += np.count_nonzero(_extreme(sums, total, tie_tolerance * size, alternative), axis=0)
            continue
        hits += np.count_nonzero(surely, axis=0)
        row, column = np.nonzero(maybe)
        for at in range(0, len(row), 1000):
            r, c = row[at : at + 1000], column[at : at + 1000]
            sums = 2.0 * np.einsum("ij,ji->i", bits[r].astype(np.float64), matrix[:, c]) - total[c]
            again = _extreme(sums, total[c], tie_tolerance * size[c], alternative)
            hits += np.bincount(c[again], minlength=columns)
    return hits


def _paired_index(draws: int, n: int, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Indices of pairs of templates (first x n + second), and of single ones where n is odd.

    A 32-bit number scaled to the number of pairs is at most 2e-5 (relative) off an even chance, at 256 templates.
    """
    half = n // 2
    size = draws * half
    halves = rng.integers(0, 2**64, size=(size + 1) // 2, dtype=np.uint64).view(np.uint32)[:size]
    drawn = np.multiply(halves, n * n, dtype=np.uint64)
    drawn >>= np.uint64(32)
    lone = rng.integers(0, n, size=draws if n % 2 else 0, dtype=np.int64)
    return drawn.view(np.int64).reshape(half, draws), lone


def _paired_rows(draws: int, n: int) -> int:
    return max(1, min(draws, _CACHED // max(1, n // 2)))


def resampled_sums(matrix: FloatArray, draws: int, rng: np.random.Generator) -> FloatArray:
    """Sums of resampled rows, for all columns with the same resamples.

    Parameters
    ----------
    matrix : numpy.ndarray, shape (n, columns)
        Gaps.
    draws : int
        Resamples of n rows with replacement.
    rng : numpy.random.Generator
        Source of chance.

    Returns
    -------
    numpy.ndarray, shape (draws, columns)
        One sum per draw and column.

    Examples
    --------
    >>> resampled_sums(np.ones((4, 1)), 2, np.random.default_rng(1)).tolist()
    [[4.0], [4.0]]
    """
    n = len(matrix)
    paired = n <= PAIRED_UP_TO
    rows = _paired_rows(draws, n) if paired else max(1, min(draws, BLOCK // n))
    parts = []
    for start in range(0, draws, rows):
        size = min(rows, draws - start)
        offset = np.arange(size) * n
        if paired:
            pairs, lone = _paired_index(size, n, rng)
            first, second = np.divmod(pairs, n)
            index = np.concatenate([(first + offset).ravel(), (second + offset).ravel()])
            if len(lone):
                index = np.concatenate([index, lone + offset])
        else:
            index = rng.integers(0, n, size=(size, n), dtype=np.uint16 if n < 65_536 else np.uint32)
            index = (index + offset[:, None]).ravel()
        counts = np.bincount(index, minlength=size * n).reshape(size, n)
        parts.append(counts.astype(np.float64) @ matrix)
    out: FloatArray = np.concatenate(parts)
    return out


def resampled_moments(
    values: FloatArray, draws: int, rng: np.random.Generator, *, squares: bool
) -> tuple[FloatArray, FloatArray]:
    """Sums of resampled values and, if asked, of their squares, for one column.

    Parameters
    ----------
    values : numpy.ndarray
        Gaps.
    draws : int
        Resamples.
    rng : numpy.random.Generator
        Source of chance; used as by `resampled_sums`.
    squares : bool
        Whether sums of squares are wanted; they are zero otherwise.

    Returns
    -------
    tuple of numpy.ndarray
        Sums, and sums of squares, one per draw.

    Examples
    --------
    >>> sums, squares = resampled_moments(np.full(3, 2.0), 2, np.random.default_rng(1), squares=True)
    >>> sums.tolist(), squares.tolist()
    ([6.0, 6.0], [12.0, 12.0])
    """
    n = len(values)
    if n > PAIRED_UP_TO:
        columns = [values, values**2] if squares else [values]
        both = resampled_sums(np.column_stack(columns), draws, rng)
        return both[:, 0], both[:, 1] if squares else np.zeros(draws)
    tables = [(x[:, None] + x[None, :]).ravel() for x in ([values, values**2] if squares else [values])]
    singles = [values, values**2]
    out = np.zeros((2, draws))
    rows = _paired_rows(draws, n)
    for start in range(0, draws, rows):
        size = min(rows, draws - start)
        pairs, lone = _paired_index(size, n, rng)
        for moment, (table, single) in enumerate(zip(tables, singles, strict=False)):
            sums = table.take(pairs).sum(axis=0)
            out[moment, start : start + size] = sums + single[lone] if len(lone) else sums
    return out[0], out[1]
