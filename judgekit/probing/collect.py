"""Hold the conversations of a probe with the chatbot under test, through a ledger, and write its replies down.

The ledger is the study's ``collect.sqlite``. A kill at any moment loses no reply that was received; the same command goes
on. The replies file appears when every conversation has its reply or its failure; before that a partial one stands beside
it. What the replies depend on is pinned in the collection's manifest, and another configuration is another experiment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from judgekit.endpoints.limits import Budget, Limits
from judgekit.endpoints.progress import Progress, RunSummary
from judgekit.endpoints.runner import run_calls
from judgekit.errors import AlreadyThere, BadInput, ProviderFailed, Unfinished, UsageProblem
from judgekit.files.atomic import read_json, write_json, write_jsonl
from judgekit.files.folders import private_folder, study_folder
from judgekit.files.ledger import Ledger
from judgekit.files.manifest import file_sha256, installed_versions, secret
from judgekit.files.prompts import arm_row, read_prompts
from judgekit.judging.forecast import Assumptions, JudgePlan, forecast
from judgekit.linting.prompts import label_of
from judgekit.probing.expand import expand, probe_of
from judgekit.probing.targets import TargetHandle, called_target, make_target, prompt_call
from judgekit.records import Attempt, Prompt
from judgekit.study import Study
from judgekit.templating.order import Runs, runs_test

__all__ = ["Collection", "Wanted", "collect", "manifest_of", "partial_of", "plan_collection", "reply_row"]

FORMAT = "judgekit collection 1"
WAITING = "waiting"
"""What stands for a conversation that has no reply yet."""
_COLUMNS = frozenset({"group", "name", "name_pair", "case_type", "lang"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be collected, and within which bounds.

    ``output`` is ``probe/replies.jsonl`` beside the study by default; ``retry_failed`` holds conversations again that
    failed for good earlier; ``force`` overwrites a file that was not collected with this configuration.
    """

    subset: bool = False
    prompts: Path | None = None
    output: Path | None = None
    max_calls: int | None = None
    max_cost: float | None = None
    retry_failed: bool = False
    force: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """What was collected. ``counts`` is by arm and group: in = answered + each kind of failure + waiting."""

    output: Path
    manifest: Path
    conversations: int
    counts: Mapping[str, Mapping[str, Mapping[str, int]]]
    order: Runs
    summary: RunSummary | None
    document: Mapping[str, Any] = field(default_factory=dict)

    def total(self, kind: str) -> int:
        """Conversations of one kind over all arms and groups."""
        return sum(of.get(kind, 0) for by_group in self.counts.values() for of in by_group.values())

    @property
    def failed(self) -> int:
        """Conversations without a reply that are not waiting for one."""
        return self.conversations - self.total("answered") - self.total(WAITING)


def manifest_of(output: Path) -> Path:
    """Where a collection's manifest stands: ``replies.jsonl`` has ``replies.collection.json``."""
    return output.with_name(f"{output.stem}.collection.json")


def partial_of(output: Path) -> Path:
    """Where the replies stand while some are missing: ``replies.partial.jsonl``."""
    return output.with_name(f"{output.stem}.partial.jsonl")


def plan_collection(study: Study, wanted: Wanted, *, rate: float | None = None) -> JudgePlan:
    """What `collect` would send; nothing is written or sent.

    Parameters
    ----------
    study : Study
    wanted : Wanted
    rate : float, optional
        Answers a second, where they are not to be measured from the ledger.

    Returns
    -------
    JudgePlan

    Raises
    ------
    BadInput
        As `collect`.
    """
    work = _prepared(study, wanted)
    settings = probe_of(study).target
    assumed = Assumptions(concurrency=settings.concurrency, rate=rate)
    calls = {work.keys[prompt.id]: prompt_call(prompt, work.target) for prompt in work.prompts}
    ledger = study.base / ".judgekit" / study.study / "collect.sqlite"
    if not ledger.is_file():
        return forecast(len(work.prompts), calls, work.target, work.target, None, assumed)
    with Ledger.open(ledger, read_only=True) as opened:
        return forecast(len(work.prompts), calls, work.target, work.target, opened, assumed)


def collect(
    study: Study,
    wanted: Wanted,
    *,
    now: Callable[[], str],
    progress: Callable[[Progress], None] | None = None,
) -> Collection:
    """Hold every conversation that has no reply yet, in the order of their positions, and write the replies.

    Parameters
    ----------
    study : Study
        With a block ``probe``.
    wanted : Wanted
    now : callable
        Gives the time, UTC ISO 8601.
    progress : callable, optional
        Told how far it is.

    Returns
    -------
    Collection

    Raises
    ------
    BadInput
        No prompts, a target that cannot be used, or an output that stands for another configuration; nothing was sent.
    Unfinished
        A budget, the provider, the disk or Ctrl-C stopped it: received replies are in the ledger and in the partial file.
    """
    work = _prepared(study, wanted)
    settings = probe_of(study).target
    if plan_collection(study, wanted).to_send:
        with called_target():
            work.target.ready()  # a key that is missing is said before anything is written
    folder = study_folder(study.file, study.study)
    if wanted.output is None:
        private_folder(work.output.parent)
    started = now()
    _write_manifest(work, {"complete": False, "when": {"started": started}})
    with Ledger.open(folder / "collect.sqlite") as ledger:
        _expect_served(work, ledger)
        try:
            with called_target():
                summary = run_calls(
                    [prompt_call(prompt, work.target) for prompt in work.prompts],
                    work.target.endpoint,
                    ledger,
                    render=work.target.render,
                    secret=secret(folder / "secret"),
                    concurrency=settings.concurrency,
                    limits=work.limits,
                    progress=progress,
                    retry_final=wanted.retry_failed,
                )
        except Unfinished as problem:
            stopped = _written(work, ledger, None, started=started, ended=now())
            raise _told(problem, stopped) from problem
        return _written(work, ledger, summary, started=started, ended=now())


# --- before ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """Everything that is known before the first conversation."""

    study: Study
    target: TargetHandle
    prompts: list[Prompt]
    keys: Mapping[str, str]
    prompts_file: Path
    output: Path
    limits: Limits
    earlier: Mapping[str, Any]


def _prepared(study: Study, wanted: Wanted) -> _Work:
    target = make_target(study)
    settings = probe_of(study).target
    prompts_file = wanted.prompts or study.base / "probe" / "prompts.jsonl"
    prompts = _prompts(study, wanted, prompts_file)
    output = wanted.output or study.base / "probe" / "replies.jsonl"
    limits = Limits(
        retries=settings.retries,
        max_calls=_least(settings.max_calls, wanted.max_calls),
        max_cost=_least(settings.max_cost, wanted.max_cost),
        attempt_timeout=settings.timeout,
    )
    with called_target():
        Budget(limits, getattr(target.endpoint, "estimate", None))  # refuses a limit that cannot be kept
    return _Work(
        study=study,
        target=target,
        prompts=prompts,
        keys={prompt.id: prompt_call(prompt, target).request_key for prompt in prompts},
        prompts_file=prompts_file,
        output=output,
        limits=limits,
        earlier=_earlier(output, target, force=wanted.force),
    )


def _least(*bounds: Any) -> Any:
    return min((bound for bound in bounds if bound is not None), default=None)


def _prompts(study: Study, wanted: Wanted, path: Path) -> list[Prompt]:
    if not path.is_file():
        raise BadInput(
            "the prompts are not there",
            path=path,
            why="what is said to the chatbot is written down, and can be read, before it is said",
            remedy="run `judgekit probe expand` on the study first",
        )
    found = sorted(read_prompts(path), key=lambda prompt: prompt.position)
    if wanted.subset:
        chosen = {prompt.id for prompt in expand(study, subset=True).prompts}
        found = [prompt for prompt in found if prompt.id in chosen]
    if not found:
        raise BadInput(
            "no prompt of the subset stands in the file" if wanted.subset else "the file holds no prompt",
            path=path,
            why="templates, names or seed may have changed since it was written" if wanted.subset else None,
            remedy="run `judgekit probe expand --force` on the study",
        )
    return found


def _earlier(output: Path, target: TargetHandle, *, force: bool) -> Mapping[str, Any]:
    """The manifest of what stands in the output's place already; refuses what is not this experiment's."""
    path = manifest_of(output)
    known: Mapping[str, Any] = {}
    if path.is_file():
        known = read_json(path)
        if not isinstance(known, dict) or known.get("format") != FORMAT:
            raise BadInput("this is no manifest of a collection", path=path, remedy="name another output by -o")
    if force:
        return known if known.get("configuration_hash") == target.hash else {}
    if known and known.get("configuration_hash") != target.hash:
        changed = _changed(known.get("configuration") or {}, target.pinned)
        raise UsageProblem(
            "the chatbot's configuration has changed since these replies were collected",
            path=output,
            field="probe.target",
            seen="; ".join(changed),
            why="replies of two configurations are never pooled: a change is a new experiment",
            remedy="restore it, collect into another file by -o, or begin anew in this one by --force",
        )
    if output.exists() and known.get("replies_sha256") != file_sha256(output):
        raise AlreadyThere(
            "the output is there and is not what was collected",
            path=output,
            why="it was brought or edited since" if known else "no manifest of a collection stands beside it",
            remedy="name another output by -o, or overwrite it by --force",
        )
    return known


def _changed(old: Mapping[str, Any], new: Mapping[str, Any], at: str = "") -> list[str]:
    """What differs, in words: the key, what it was, what it is."""
    found: list[str] = []
    for key in sorted({*old, *new}):
        before, after = old.get(key), new.get(key)
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            found += _changed(before, after, f"{at}{key}.")
        elif before != after:
            found.append(f"{at}{key}: {_short(before)} became {_short(after)}")
    return found


def _short(value: object) -> str:
    text = "none" if value is None else str(value)
    return f"{text[:12]}…" if len(text) == 64 else text[:60]


def _expect_served(work: _Work, ledger: Ledger) -> None:
    """Have the run stop when another model answers than the one that answered first."""
    endpoint: Any = work.target.endpoint
    if not hasattr(endpoint, "served"):
        return
    models = list(work.earlier.get("served_models") or {}) or [
        attempt.served_model for attempt in ledger.answered(work.keys.values()).values() if attempt.served_model
    ]
    if models:
        endpoint.served = (models[0], None)


# --- after ----------------------------------------------------------------------------------------------------------


def reply_row(prompt: Prompt, attempt: Attempt | None) -> dict[str, Any]:
    """One line of the replies file.

    Parameters
    ----------
    prompt : Prompt
    attempt : Attempt or None
        The answered attempt, else the last failed one; None: never sent.

    Returns
    -------
    dict
        With ``error``, the kind of failure, and an empty text where no reply came; with ``finish_reason`` where a reply
        ended otherwise than by itself. What does not apply is left out, or null in the columns of the design.

    Examples
    --------
    >>> from judgekit.records import Turn
    >>> prompt = Prompt(id="a1", position=1, unit_id="t1", probe="name", group="x", turns=(Turn("user", "Hi"),))
    >>> row = reply_row(prompt, Attempt(request_key="k", n=4, intent_at="t", error_kind="timeout"))
    >>> row["text"], row["error"], row["arm"]
    ('', 'timeout', 'base')
    """
    answered = attempt is not None and attempt.raw is not None
    row: dict[str, Any] = {
        "id": prompt.id,
        "text": (attempt.raw or "").rstrip("\r\n") if attempt is not None else "",
        "template_id": prompt.unit_id,
        "group": prompt.group,
        "name": prompt.name,
        "name_pair": prompt.name_pair,
        "replicate": prompt.replicate,
        "context": prompt.context,
        "known_names": list(prompt.known_names),
        "case_type": prompt.case_type,
        "lang": prompt.lang,
        "arm": "base" if prompt.arm.kind == "base" else arm_row(prompt.arm),
        "probe": prompt.probe,
        "attribute": prompt.attribute,
        "order": prompt.order,
        "position": prompt.position,
        "error": None if answered else _kind(attempt),
    }
    if attempt is not None and attempt.finish_reason not in {None, "stop", "end_turn"}:
        row["finish_reason"] = attempt.finish_reason
    # A column that some stage needs stands in every row: a control has no group, and is no sign of a lost column.
    return {name: value for name, value in row.items() if value is not None or name in _COLUMNS}


def _kind(attempt: Attempt | None) -> str:
    if attempt is None or attempt.error_kind in {None, "in_doubt", "not_sent"}:
        return WAITING
    return str(attempt.error_kind)


def _written(work: _Work, ledger: Ledger, summary: RunSummary | None, *, started: str, ended: str) -> Collection:
    """Write the replies: whole after a run that ended, else those that have an answer or a failure."""
    answered = ledger.answered(work.keys.values())
    latest = ledger.latest(key for key in work.keys.values() if key not in answered)
    attempts = [answered.get(key) or latest.get(key) for key in (work.keys[p.id] for p in work.prompts)]
    rows = [reply_row(prompt, attempt) for prompt, attempt in zip(work.prompts, attempts, strict=True)]
    counts = _counts(work.prompts, rows)
    sent = sorted(
        ((a.intent_at, p.position, label_of(p)) for p, a in zip(work.prompts, attempts, strict=True) if a is not None)
    )
    order = runs_test([label for _, _, label in sent])
    complete = summary is not None
    place = work.output if complete else partial_of(work.output)
    write_jsonl(place, (row for row in rows if row.get("error") != WAITING), force=True, private=True)
    if complete:
        partial_of(work.output).unlink(missing_ok=True)
    found = [attempt for attempt in attempts if attempt is not None and attempt.raw is not None]
    document = _write_manifest(
        work,
        {
            "complete": complete,
            "counts": counts,
            "replies": place.name,
            "replies_sha256": file_sha256(place) if complete else work.earlier.get("replies_sha256"),
            "served_models": dict(sorted(Counter(a.served_model for a in found if a.served_model).items())),
            "system_fingerprints": sorted({a.system_fingerprint for a in found if a.system_fingerprint}),
            "dropped": list(work.target.dropped),
            "asked_again": len(ledger.asked_again()),
            "order": asdict(order),
            "when": {"started": started, "ended": ended},
        },
    )
    return Collection(
        output=place,
        manifest=manifest_of(work.output),
        conversations=len(work.prompts),
        counts=counts,
        order=order,
        summary=summary,
        document=document,
    )


def _counts(prompts: Sequence[Prompt], rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, dict[str, int]]]:
    counts: dict[str, dict[str, dict[str, int]]] = {}
    for prompt, row in zip(prompts, rows, strict=True):
        of = counts.setdefault(prompt.arm.kind, {}).setdefault(prompt.group or "all", {"in": 0, "answered": 0})
        kind = str(row.get("error", "answered"))
        of["in"] += 1
        of[kind] = of.get(kind, 0) + 1
    return counts


def _write_manifest(work: _Work, more: Mapping[str, Any]) -> dict[str, Any]:
    document = {
        **work.earlier,
        "format": FORMAT,
        "study": work.study.study,
        "configuration": dict(work.target.pinned),
        "configuration_hash": work.target.hash,
        "prompts": {"file": work.prompts_file.name, "sha256": file_sha256(work.prompts_file)},
        "conversations": len(work.prompts),
        "versions": installed_versions(),
        **more,
    }
    write_json(manifest_of(work.output), document, force=True, private=True)
    return document


def _told(problem: Unfinished, stopped: Collection) -> Unfinished:
    """The error with what was collected so far."""
    if isinstance(problem, ProviderFailed) and problem.what.startswith("the target changed"):
        problem.why = "replies of two models are never pooled: another served model is a new experiment"
        problem.remedy = "collect anew into another file by -o, with a dated model that stays the same"
    so_far = f"{stopped.total('answered')} of {stopped.conversations} replies are in {stopped.output.name}"
    problem.why = f"{problem.why}; {so_far}" if problem.why else so_far
    return problem
