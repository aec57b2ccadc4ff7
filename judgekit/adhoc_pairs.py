"""Comparing the replies of a file two by two: the ledger stands beside the output, and no preference is added up.

Which group's replies are preferred is a judged number, which is reported only where it is calibrated. What is counted
here says nothing of groups: how many pairs had a winner, and how far the judge goes by position.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judgekit.adhoc import facts_of, handle_of, ledger_of, read_verified, space_of, stored_ledger
from judgekit.endpoints.limits import Limits
from judgekit.endpoints.runner import run_calls
from judgekit.errors import BadInput
from judgekit.files.atomic import write_jsonl
from judgekit.files.blinded import find_design
from judgekit.files.disk import check_output
from judgekit.files.ledger import Ledger
from judgekit.files.manifest import secret
from judgekit.files.tables import read_pairs
from judgekit.judging.handle import JudgeHandle
from judgekit.judging.judge import Assumptions, JudgePlan, Sender
from judgekit.judging.pairwise import judge_pairs, pair_outcomes, plan_pairs, position_bias_of
from judgekit.records import BlindedReply, Judgment, PairItem, Preference, Rubric, Undefined, Unscored
from judgekit.rubric import load_rubric

__all__ = ["PairOptions", "judge_pairs_file", "plan_pairs_file"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairOptions:
    """How pairs are shown.

    Parameters
    ----------
    seed : int
        Decides which order comes first.
    both_orders : bool
        False shows each pair once; see `judging.pairwise.orders_of`.
    repeats : int
        How often each pair is judged in each order.
    no_design : bool
        As `files.verified.iter_verified`.
    """

    seed: int = 0
    both_orders: bool = True
    repeats: int = 1
    no_design: bool = False


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Pairs that can be judged, and how many cannot, since a reply of theirs is withheld."""

    pairs: list[PairItem]
    replies: Mapping[str, BlindedReply]
    withheld: int


def _read(blinded: Path, path: Path, *, no_design: bool) -> _Pairs:
    texts = read_verified(blinded, no_design=no_design)
    kept, withheld = [], 0
    for pair in read_pairs(path):
        for item in (pair.a_item, pair.b_item):
            if item not in texts.results:
                raise BadInput(
                    "a pair names a reply that is not in the file of blinded texts",
                    path=path,
                    field=pair.pair_id,
                    seen=item,
                    remedy=f"correct the id, or blind that reply into {blinded.name}",
                )
        if all(isinstance(texts.results[item], BlindedReply) for item in (pair.a_item, pair.b_item)):
            kept.append(pair)
        else:
            withheld += 1
    return _Pairs(kept, {reply.item: reply for reply in texts.passed}, withheld)


def plan_pairs_file(
    blinded: Path,
    pairs: Path,
    rubrics: Sequence[str],
    spec: str | JudgeHandle,
    output: Path | None,
    *,
    options: PairOptions | None = None,
    assumed: Assumptions | None = None,
) -> JudgePlan:
    """What `judge_pairs_file` would send; nothing is written or sent.

    Parameters
    ----------
    blinded, pairs, rubrics, spec, options
        As for `judge_pairs_file`.
    output : Path, optional
        Names the ledger in which answers may be already.
    assumed : Assumptions, optional
        How the calls would go out.

    Returns
    -------
    JudgePlan
    """
    options = options or PairOptions()
    read, judge = _read(blinded, pairs, no_design=options.no_design), handle_of(spec)
    chosen = [load_rubric(r) for r in rubrics]
    with stored_ledger(output) as ledger:
        return plan_pairs(
            read.pairs,
            read.replies,
            chosen,
            judge,
            ledger,
            seed=options.seed,
            both_orders=options.both_orders,
            repeats=options.repeats,
            assumed=assumed,
        )


def judge_pairs_file(
    blinded: Path,
    pairs: Path,
    rubrics: Sequence[str],
    spec: str | JudgeHandle,
    output: Path,
    *,
    options: PairOptions | None = None,
    concurrency: int = 4,
    limits: Limits | None = None,
    force: bool = False,
    progress: Callable[[Any], None] | None = None,
    sender: Sender = run_calls,
) -> dict[str, Any]:
    """Compare replies of a file of blinded texts two by two into a file of judgments.

    Parameters
    ----------
    blinded : Path
        What `judgekit blind` wrote.
    pairs : Path
        CSV, JSONL or Parquet with ``pair_id, a, b``: which replies, by id, are compared.
    rubrics, spec
        As for `adhoc.judge_file`; the rubrics' ordinal criteria are asked.
    output : Path
        JSONL; a row for each call, its ``choice`` in canonical terms (``a`` is the pair's first reply) with ``shown_first``,
        and ``outcome``, the pair's after both orders.
    options, concurrency, limits, progress, sender : optional
        How pairs are shown, and as for `judging.judge.judge_replies`.
    force : bool
        Overwrite the output.

    Returns
    -------
    dict
        ``counts`` by dimension: in = decided + tie + inconsistent + unscored by kind + withheld, where a repeat counts by
        itself; ``position_bias`` by dimension; and the facts of `adhoc.judge_file`. No wins of ``a`` or ``b``: where the
        pairs were put together by group, they would be a group's.

    Raises
    ------
    BadInput
        A pair names a reply that is not there.
    """
    options = options or PairOptions()
    check_output(output, force=force, inputs=[blinded, pairs])
    read, judge = _read(blinded, pairs, no_design=options.no_design), handle_of(spec)
    chosen = [load_rubric(r) for r in rubrics]
    if not ledger_of(output).is_file():
        judge.ready()
    folder = space_of(output)
    with Ledger.open(folder / "ledger.sqlite") as ledger:
        judgments = judge_pairs(
            read.pairs,
            read.replies,
            chosen,
            judge,
            ledger,
            secret=secret(folder / "secret"),
            seed=options.seed,
            both_orders=options.both_orders,
            repeats=options.repeats,
            concurrency=concurrency,
            limits=limits,
            progress=progress,
            sender=sender,
        )
        facts = facts_of(judge, judgments, ledger)
    outcomes = {name: pair_outcomes(judgments, name) for name in _dimensions(chosen)}
    rows = _rows(judge, judgments, {pair.pair_id: pair for pair in read.pairs}, outcomes)
    write_jsonl(output, rows, force=force, private=True, inputs=[blinded, pairs])
    return {
        "judge": judge.id,
        "output": str(output),
        "known_names": find_design(blinded) is not None,
        **facts,
        "counts": {name: _count(found, read.withheld * options.repeats) for name, found in outcomes.items()},
        "position_bias": {name: _bias(judgments, name) for name in outcomes},
    }


def _dimensions(rubrics: Sequence[Rubric]) -> list[str]:
    return [c.dimension for rubric in rubrics for c in rubric.criteria if c.kind == "ordinal"]


def _count(found: Mapping[str, Sequence[Preference | Unscored]], withheld: int) -> dict[str, int]:
    counts = {"in": withheld, "decided": 0, "tie": 0, "inconsistent": 0, "withheld": withheld}
    for outcome in (one for repeats in found.values() for one in repeats):
        kind = outcome.kind if isinstance(outcome, Unscored) else outcome.choice
        name = "decided" if kind in {"a", "b"} else kind
        counts[name] = counts.get(name, 0) + 1
        counts["in"] += 1
    return counts


def _bias(judgments: Sequence[Judgment], dimension: str) -> dict[str, Any]:
    found = position_bias_of(judgments, dimension)
    known = None if isinstance(found.interval, Undefined) else found.interval
    unknown = next((str(x) for x in (found.value, found.interval) if isinstance(x, Undefined)), None)
    return {
        "bias": None if isinstance(found.value, Undefined) else found.value,
        "ci": known and [known.low, known.high],
        "level": known and known.level,
        "calls": found.calls,
        "pairs": found.pairs,
        "undefined": unknown,
    }


def _rows(
    judge: JudgeHandle,
    judgments: Sequence[Judgment],
    pairs: Mapping[str, PairItem],
    outcomes: Mapping[str, Mapping[str, Sequence[Preference | Unscored]]],
) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [{"judgekit": "judgments", "judge": judge.id, "format": 1, "kind": "pairs"}]
    for judgment in judgments:
        task, outcome = judgment.task, judgment.outcome
        pair = pairs[task.item]
        joined = outcomes[judgment.dimension][pair.pair_id][task.repeat]
        failed = outcome if isinstance(outcome, Unscored) else None
        rows.append(
            {
                "item": pair.pair_id,
                "a": pair.a_item,
                "b": pair.b_item,
                "dimension": judgment.dimension,
                "annotator": judge.id,
                "repeat": task.repeat,
                "shown_first": "a" if task.order == "ab" else "b",
                "choice": outcome.choice if isinstance(outcome, Preference) else None,
                "unscored": failed and failed.kind,
                "detail": failed and failed.detail,
                "outcome": joined.choice if isinstance(joined, Preference) else None,
                "text_hash": judgment.text_hash,
                "request_key": task.request_key,
                "fingerprint": judgment.fingerprint,
                "parser_version": judgment.parser_version,
                "reason": judgment.reason,
            }
        )
    return rows
