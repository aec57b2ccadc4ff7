"""What is wrong with a file of prompts: edited lines, pairs that differ in more than the attribute, an order with a pattern."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

import regex

from judgekit.linting.found import Finding, Place
from judgekit.linting.grammar import article_slips
from judgekit.records import Prompt, Turn, Undefined
from judgekit.templating.order import runs_test

__all__ = ["Filed", "label_of", "prompts"]

_TIMEOUT = 1.0
_TOKEN = regex.compile(r"⟨\w+⟩|[\p{L}\p{M}\p{N}_]+(?:['’][\p{L}\p{M}]+)*|[^\s\p{L}\p{M}\p{N}_]")
_LEAST_P = 0.001
# Words that follow the person: one may stand for another of its line, in any case.
_CLASSES = (
    ("she", "he", "they", "xe", "ze", "ella", "él", "elle"),
    ("her", "him", "them", "his", "their", "xem", "zir", "la", "lo", "le"),
    ("hers", "his", "theirs"),
    ("herself", "himself", "themself", "themselves"),
    ("ms", "mr", "mrs", "miss", "mx", "sra", "sr", "srta", "señora", "señor", "doña", "don"),
    ("el", "la", "le"), ("un", "una", "une"), ("del", "de la", "de le"), ("al", "a la", "a le"), ("a", "an"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Filed:
    """A prompt and the line it stands on."""

    line: int
    prompt: Prompt


def label_of(prompt: Prompt) -> str:
    """What a prompt is in the design, for tests of the order: its probe with its group, or its arm."""
    return f"{prompt.probe}: {prompt.group}" if prompt.arm.kind == "base" else prompt.arm.kind


def prompts(
    filed: Sequence[Filed], path: Path, design: Mapping[str, Prompt] | None, hashes: Mapping[str, str]
) -> Iterator[Finding]:
    """Check prompts as they stand in a file that somebody may have edited.

    Parameters
    ----------
    filed : sequence of Filed
    path : Path
        The file.
    design : mapping of str to Prompt, optional
        What the study's design gives, by id.
    hashes : mapping of str to str
        The hash of each prompt's turns as they are now, by id.

    Yields
    ------
    Finding
    """
    for one in filed:
        yield from _edited(one, path, design, hashes)
        yield from _articles(one, path)
    yield from _pairs(filed, path)
    yield from _controls(filed, path)
    yield from _matched(filed, path)
    yield from _order(filed, path)
    if design is not None:
        yield from _against(filed, path, design)


def _place(one: Filed, path: Path) -> Place:
    return {"template": one.prompt.unit_id, "path": path, "line": one.line}


def _edited(
    one: Filed, path: Path, design: Mapping[str, Prompt] | None, hashes: Mapping[str, str]
) -> Iterator[Finding]:
    if hashes[one.prompt.id] == one.prompt.prompt_hash:
        return
    meant = design.get(one.prompt.id) if design else None
    changed = "" if meant is None else f": {_words(_said(meant), _said(one.prompt))}"
    yield Finding(
        code="edited", level="error", what=f"the prompt is not the one that was expanded{changed}",
        why="its hash does not fit, and its pair was not edited with it",
        remedy="edit the template and expand again", **_place(one, path),
    )  # fmt: skip


def _said(prompt: Prompt) -> str:
    return "\n".join(f"{turn.content}" for turn in prompt.turns)


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text, timeout=_TIMEOUT)  # type: ignore[no-any-return]


def _words(before: str, after: str) -> str:
    """Which words differ, in few words."""
    first, second = _tokens(before), _tokens(after)
    found = [
        f"“{' '.join(first[a:b])}” and “{' '.join(second[c:d])}”"
        for kind, a, b, c, d in SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
        if kind != "equal"
    ]
    return "; ".join(found[:3]) + ("; ..." if len(found) > 3 else "") or "blanks or line breaks"


def _articles(one: Filed, path: Path) -> Iterator[Finding]:
    if one.prompt.lang == "es":
        return
    for turn in one.prompt.turns:
        for slip in article_slips(turn.content):
            yield Finding(
                code="article", level="error", what=f"“{slip.seen}” should be “{slip.better}”",
                why="broken grammar changes replies, and here it may differ between groups",
                remedy="mend the template and expand again", **_place(one, path),
            )  # fmt: skip


def _pairs(filed: Sequence[Filed], path: Path) -> Iterator[Finding]:
    """Prompts of one comparison, names and what follows them aside, are the same byte for byte."""
    by_cell: dict[tuple[str | None, ...], list[Filed]] = {}
    for one in filed:
        p = one.prompt
        if p.arm.kind == "base" and p.order is None:
            by_cell.setdefault((p.unit_id, p.probe, p.name_pair, p.replicate), []).append(one)
    told: set[tuple[str, str, str | None, str]] = set()
    seen: set[tuple[tuple[Turn, ...], tuple[Turn, ...]]] = set()
    for group in by_cell.values():
        first = group[0]
        for other in group[1:]:
            # Replicates are the same pair again.
            pair = (first.prompt.turns, other.prompt.turns)
            if pair in seen:
                continue
            seen.add(pair)
            why = _differs(first.prompt, other.prompt)
            if why is None:
                continue
            key = (first.prompt.unit_id, first.prompt.probe, other.prompt.group, why)
            if key not in told:
                told.add(key)
                yield Finding(
                    code="two_attributes", level="error",
                    what=f"it differs from line {first.line} in more than {first.prompt.attribute}: {why}",
                    why="a gap could come from either difference", remedy="make the two prompts alike but for the attribute",
                    **_place(other, path),
                )  # fmt: skip


def _differs(one: Prompt, other: Prompt) -> str | None:
    """What differs beside the attribute; None when nothing does."""
    if one.probe not in {"name", "pronouns"} and (one.name is None or ":" in one.name or "+" in one.probe):
        return None  # values of several slots: only the design can tell, see `_edited`
    if [turn.role for turn in one.turns] != [turn.role for turn in other.turns]:
        return "the number or order of turns"
    first, second = _masked(one), _masked(other)
    if first == second:
        return None
    a, b = _tokens(first), _tokens(second)
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    found = [(" ".join(a[i:j]), " ".join(b[k:m])) for kind, i, j, k, m in matcher.get_opcodes() if kind != "equal"]
    left = [pair for pair in found if not _follows(*pair)]
    if not found:
        return "blanks or line breaks"
    return "; ".join(f"“{x}” and “{y}”" for x, y in left[:3]) if left else None


def _masked(prompt: Prompt) -> str:
    """The prompt without what is varied: names, or the value."""
    text = _said(prompt)
    forms = set(prompt.known_names)
    if prompt.probe not in {"name", "pronouns"} and prompt.name:
        forms.add(prompt.name)
    for form in sorted(forms, key=len, reverse=True):
        text = regex.sub(
            rf"(?<![\p{{L}}\p{{N}}])(?:an?\s+)?{regex.escape(form)}(?![\p{{L}}\p{{N}}])", "⟨it⟩", text, timeout=_TIMEOUT
        )
    return text


def _follows(one: str, other: str) -> bool:
    """Whether two words differ only as the person's gender asks: pronouns, titles, endings, verbs after "they"."""
    a, b = one.casefold().rstrip(" ."), other.casefold().rstrip(" .")
    if any(a in words and b in words for words in _CLASSES):
        return True
    if a.rstrip("s")[:-1] == b.rstrip("s")[:-1] and {a.rstrip("s")[-1:], b.rstrip("s")[-1:]} <= set("aoe"):
        return len(a) > 3
    verbs = {"is": "are", "was": "were", "has": "have", "does": "do"}
    return verbs.get(a) == b or verbs.get(b) == a or (a.removesuffix("s") == b.removesuffix("s") and len(a) > 2)


def _controls(filed: Sequence[Filed], path: Path) -> Iterator[Finding]:
    pairs: dict[tuple[str, str | None], list[Filed]] = {}
    for one in filed:
        if one.prompt.arm.kind == "control":
            pairs.setdefault((one.prompt.unit_id, one.prompt.name_pair), []).append(one)
    for pair in pairs.values():
        if len(pair) != 2 or pair[0].prompt.turns != pair[1].prompt.turns:
            said = _words(_said(pair[0].prompt), _said(pair[1].prompt)) if len(pair) == 2 else f"{len(pair)} prompts"
            yield Finding(
                code="control_differs", level="error", what=f"a control pair is no pair of equal prompts ({said})",
                why="the noise floor is what byte-identical prompts do", remedy="expand again", **_place(pair[-1], path),
            )  # fmt: skip


def _matched(filed: Sequence[Filed], path: Path) -> Iterator[Finding]:
    """Every group of a probe has the same names by position in every template."""
    cells: dict[tuple[str, str], dict[str, Counter[str | None]]] = {}
    lines: dict[tuple[str, str], Filed] = {}
    for one in filed:
        p = one.prompt
        if p.arm.kind == "base" and p.group is not None:
            cells.setdefault((p.unit_id, p.probe), {}).setdefault(p.group, Counter())[p.name_pair] += 1
            lines.setdefault((p.unit_id, p.probe), one)
    uneven: dict[str, list[tuple[str, str]]] = {}
    for key, groups in cells.items():
        counts = list(groups.values())
        if any(count != counts[0] for count in counts):
            uneven.setdefault(key[1], []).append(key)
    for probe, keys in uneven.items():
        said = ", ".join(f"{group} {sum(count.values())}" for group, count in cells[keys[0]].items())
        yield Finding(
            code="unmatched_names", level="error",
            what=f"{probe}: groups have not the same pairs and replicates in {len(keys)} templates (here: {said})",
            why="what has no match would have to be dropped", remedy="put the lines back, or expand again",
            **_place(lines[keys[0]], path),
        )  # fmt: skip


def _order(filed: Sequence[Filed], path: Path) -> Iterator[Finding]:
    places = Counter(one.prompt.position for one in filed)
    if twice := sorted(place for place, n in places.items() if n > 1):
        again = next(one for one in filed if one.prompt.position == twice[0])
        yield Finding(
            code="same_position", level="error", what=f"position {twice[0]} stands twice",
            why="the order of sending is not decided", remedy="expand again", **_place(again, path),
        )  # fmt: skip
    ordered = sorted(filed, key=lambda one: one.prompt.position)
    found = runs_test([label_of(one.prompt) for one in ordered])
    if not isinstance(found.p, Undefined) and found.p < _LEAST_P:
        yield Finding(
            code="not_interleaved", level="error", path=path, line=1,
            what=f"{found.runs} runs of equal groups in the order of sending, a random order has about {found.expected:.0f}",
            why=f"a change of the service while it runs would look like a gap (runs test, p = {found.p:.1g})",
            remedy="expand again; the order is random",
        )  # fmt: skip


def _against(filed: Sequence[Filed], path: Path, design: Mapping[str, Prompt]) -> Iterator[Finding]:
    here = {one.prompt.id for one in filed}
    missing = [prompt for id_, prompt in design.items() if id_ not in here]
    extra = [one for one in filed if one.prompt.id not in design]
    if extra:
        yield Finding(
            code="not_in_design", level="error", what=f"{len(extra)} prompts are not of the study's design as it is now",
            why="templates, names or the study changed since, or lines were added", remedy="expand again with --force",
            **_place(extra[0], path),
        )  # fmt: skip
    if missing and not extra:
        yield Finding(
            code="missing", level="warning", path=path, line=None,
            what=f"{len(missing)} prompts of the design are missing, such as {missing[0].unit_id} for {missing[0].group}",
            why="a subset has them not; in a nightly whole they would be lost", remedy="expand again, unless it is a subset",
        )  # fmt: skip
