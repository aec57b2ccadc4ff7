"""Blinding files larger than memory: row by row, in order, in several processes when asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from judgekit.files.blinded import blinded_row, design_path, design_row
from judgekit.files.blinding_rules import BlindingRules, rules_row
from judgekit.records import BlindedReply, MaskedText, Reply, Withheld

__all__ = ["BlindCounts", "BlindOptions", "blind_file"]

_CHUNK = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class BlindOptions:
    """How a file is blinded; see `blinding.mask.Blinder`. ``columns`` goes from canonical to actual column name."""

    lang: Literal["auto", "en", "es"] = "auto"
    ner: Literal["auto", "on", "off"] = "auto"
    known_names: bool = True
    packs: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)

    @property
    def rules(self) -> BlindingRules:
        """What a later check must know to go by the same rules."""
        return BlindingRules(packs=self.packs, keep=self.keep)


@dataclass(kw_only=True)
class BlindCounts:
    """Counts of one file: in = verified + withheld + failed, overall and by group.

    ``failures`` has the kinds of generations that failed and have no reply: there is nothing to blind or judge.
    """

    design: Path
    groups: dict[str, Counter[str]] = field(default_factory=dict)
    codes: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)

    def living(self, replies: Iterable[Reply]) -> Iterator[Reply]:
        """Pass replies on and count what failed instead: an empty text of it would be judged as if it had been said."""
        for reply in replies:
            if reply.failed is None:
                yield reply
            else:
                counts = self.groups.setdefault(reply.group or "all", Counter())
                counts["in"] += 1
                counts["failed"] += 1
                self.failures[reply.failed] += 1

    def add(self, group: str | None, result: BlindedReply | Withheld) -> None:
        """Count one reply."""
        counts = self.groups.setdefault(group or "all", Counter())
        counts["in"] += 1
        if isinstance(result, Withheld):
            counts["withheld"] += 1
            self.codes[result.code] += 1

    def document(self) -> dict[str, Any]:
        """The counts with the keys that checks read.

        ``share`` is that of withheld among what could be blinded, ``low`` and ``high`` Wilson's 95% interval of it.
        """
        from judgekit.statistics.proportion import proportion_interval

        by_group = {}
        for group, counts in sorted(self.groups.items()):
            failed, withheld = counts["failed"], counts["withheld"]
            n = counts["in"] - failed
            interval = proportion_interval(withheld, n)
            by_group[group] = {
                "in": counts["in"],
                "verified": n - withheld,
                "withheld": withheld,
                "failed": failed,
                "share": withheld / n if n else None,
                "low": getattr(interval, "low", None),
                "high": getattr(interval, "high", None),
            }
        total = sum(c["in"] for c in self.groups.values())
        withheld = sum(c["withheld"] for c in self.groups.values())
        return {
            "in": total,
            "verified": total - withheld - self.failures.total(),
            "withheld": withheld,
            "failed": self.failures.total(),
            "by_group": by_group,
            "codes": dict(self.codes),
            "failures": dict(self.failures),
        }


class _Worker:
    """Masks and verifies in one process; the models are loaded once."""

    def __init__(self, options: BlindOptions) -> None:
        from judgekit.blinding.mask import Blinder
        from judgekit.blinding.verify import Verifier

        self._known = options.known_names
        self._blinder = Blinder(lang=options.lang, ner=options.ner, packs=options.packs, keep=options.keep)
        self._verifier = Verifier(packs=options.packs, keep=options.keep)

    def __call__(self, reply: Reply) -> tuple[Reply, MaskedText, BlindedReply | Withheld]:
        if not self._known:
            reply = replace(reply, known_names=(), name=None, names_stated=False)
        masked = self._blinder.mask(reply)
        return reply, masked, self._verifier.verify(masked)


_WORKER: list[_Worker] = []


def _start(options: BlindOptions) -> None:
    _WORKER[:] = [_Worker(options)]


def _many(replies: list[Reply]) -> list[tuple[Reply, MaskedText, BlindedReply | Withheld]]:
    return [_WORKER[0](reply) for reply in replies]


def _chunks(replies: Iterable[Reply]) -> Iterator[list[Reply]]:
    iterator = iter(replies)
    while chunk := list(islice(iterator, _CHUNK)):
        yield chunk


@contextmanager
def _mapped(
    options: BlindOptions, workers: int
) -> Iterator[Callable[[Iterable[list[Reply]]], Iterator[list[tuple[Reply, MaskedText, BlindedReply | Withheld]]]]]:
    if workers == 1:
        _start(options)
        yield lambda chunks: map(_many, chunks)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(workers, get_context("spawn"), initializer=_start, initargs=(options,)) as pool:

        def in_order(chunks: Iterable[list[Reply]]) -> Iterator[Any]:
            waiting = []
            for chunk in chunks:
                waiting.append(pool.submit(_many, chunk))
                # A bounded queue: reading must not run ahead of the workers.
                if len(waiting) >= 4 * workers:
                    yield waiting.pop(0).result()
            for future in waiting:
                yield future.result()

        yield in_order


def blind_file(
    source: Path,
    output: Path,
    options: BlindOptions,
    *,
    workers: int = 1,
    force: bool = False,
    progress: Callable[[int], None] | None = None,
) -> BlindCounts:
    """Blind a file of replies into ``OUT.jsonl`` and its private ``OUT.design.jsonl``.

    Parameters
    ----------
    source : Path
        CSV, JSONL or Parquet.
    output : Path
        Blinded texts; the design file stands beside it with mode 0600. Generations that failed are counted and stand in
        neither.
    options : BlindOptions
    workers : int
        Processes; the output is the same for any number.
    force : bool
        Overwrite the outputs.
    progress : callable, optional
        Called with the number done.

    Returns
    -------
    BlindCounts

    Raises
    ------
    BadInput
        As `files.tables.iter_replies`; nothing is written then.
    """
    from judgekit.files.atomic import JsonlWriter
    from judgekit.files.tables import iter_replies

    counts = BlindCounts(design=design_path(output))
    rules = rules_row(options.rules, output.parent)
    done = 0
    with (
        JsonlWriter(counts.design, force=force, private=True, inputs=[source]) as design,
        JsonlWriter(output, force=force, private=True, inputs=[source]) as out,
        _mapped(options, workers) as mapped,
    ):
        for chunk in mapped(_chunks(counts.living(iter_replies(source, columns=options.columns or None)))):
            for reply, masked, result in chunk:
                out.write(blinded_row(masked, result))
                design.write(design_row(reply, masked, result, rules))
                counts.add(reply.group, result)
            done += len(chunk)
            if progress is not None:
                progress(done)
    return counts
