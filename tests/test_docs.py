"""The guides in docs/ say what the code does: refusal codes, commands and options, links, references."""

from __future__ import annotations

import ast
import shlex
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import regex
import yaml
from typer.exceptions import TyperException

from judgekit.cli.main import COMMANDS, _load
from judgekit.reporting.words import REASON_WORDS

ROOT = Path(__file__).resolve().parents[1]
DOCS = sorted((ROOT / "docs").glob("*.md"))
PAGES = [ROOT / "README.md", *DOCS, *sorted((ROOT / "examples").glob("*/README.md"))]


def calls_of(name: str, path: Path) -> list[ast.Call]:
    """Calls of a class by its plain name."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
    return [call for call in found if isinstance(call.func, ast.Name) and call.func.id == name]


def strings_in(node: ast.AST) -> set[str]:
    """String results of an expression: itself, or the arms of a condition; comparisons are no results."""
    if isinstance(node, ast.IfExp):
        return strings_in(node.body) | strings_in(node.orelse)
    return {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()


def codes_of(name: str, path: Path) -> set[str]:
    """Codes that a module gives to records of a class, also by way of a variable called ``code``."""
    given = [k.value for call in calls_of(name, path) for k in call.keywords if k.arg == "code"]
    codes = set().union(*map(strings_in, given)) if given else set()
    if any(isinstance(value, ast.Name) for value in given):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "code" for t in node.targets):
                codes |= strings_in(node.value)
    return codes


def test_every_refusal_code_has_a_section_and_every_section_a_code() -> None:
    """docs/refusals.md explains each code that the source gives to a metric or a reply, and no other."""
    sources = [
        p for p in (ROOT / "judgekit").rglob("*.py") if "Reason(" in (text := p.read_text()) or "Withheld(" in text
    ]
    codes = set().union(*(codes_of("Reason", p) | codes_of("Withheld", p) for p in sources))
    assert {"too_few", "too_biased", "leak", "script", "timeout"} <= codes  # the search itself works
    told = regex.findall(r"^### `(\w+)`$", (ROOT / "docs" / "refusals.md").read_text(), flags=regex.MULTILINE)
    assert sorted(told) == sorted(codes)


def test_every_refusal_code_has_words_of_its_own() -> None:
    """A reader of a report never meets the fallback text for a code."""
    sources = (ROOT / "judgekit").glob("calibration*.py")
    assert set().union(*(codes_of("Reason", p) for p in sources)) == set(REASON_WORDS)


def shown_commands(page: Path) -> list[str]:
    """Lines of plain code blocks that call judgekit, without the explanation behind them."""
    fenced = regex.findall(
        r"^```(\w*)\n(.*?)^```", page.read_text(encoding="utf-8"), flags=regex.DOTALL | regex.MULTILINE
    )
    lines = [line for language, text in fenced if not language for line in text.splitlines()]
    parts = [
        part.strip() for line in lines for part in regex.split(r" && | \| ", regex.split(r"\s{2,}", line.strip())[0])
    ]
    return [part for part in parts if part.startswith("judgekit ")]


@lru_cache
def command_of(name: str) -> Any:
    """A command of the lazy table, with its options."""
    return _load(name)


def parse(command: str) -> None:
    """Read a command line as the program would, and run nothing."""
    words = shlex.split(command)[1:]
    if words[0].startswith("-"):
        return
    assert words[0] in COMMANDS, f"no such command: {command}"
    found, rest, name = command_of(words[0]), words[1:], words[0]
    while hasattr(found, "commands"):
        assert rest, f"a subcommand is missing: {command}"
        sub = found.get_command(None, rest[0])
        assert sub is not None, f"no such subcommand: {command}"
        found, name, rest = sub, f"{name} {rest[0]}", rest[1:]
    if name == "run" and "--resume" in rest:  # its value may be left out
        rest.remove("--resume")
    try:
        found.make_context(name, list(rest))
    except TyperException as problem:
        raise AssertionError(f"{command}: {problem.format_message()}") from None


def test_commands_are_found_in_the_pages() -> None:
    """The reader of code blocks finds commands, so that the next test has something to check."""
    found = {command.split()[1] for page in PAGES for command in shown_commands(page)}
    assert {"run", "label", "gate", "probe"} <= found
    assert len(found) > 15


@pytest.mark.parametrize("page", PAGES, ids=[str(p.relative_to(ROOT)) for p in PAGES])
def test_every_command_shown_parses(page: Path) -> None:
    """Commands, subcommands, options and the number of arguments in code blocks are those of the program."""
    for command in shown_commands(page):
        parse(command)


@pytest.mark.parametrize(
    "command",
    ["judgekit lable s.jsonl --as ana", "judgekit gate s --junt x.xml", "judgekit probe lnt s", "judgekit gap t.csv"],
)
def test_a_wrong_command_would_be_noticed(command: str) -> None:
    """A misspelt command or option, or a required option left out, does not parse."""
    with pytest.raises(AssertionError):
        parse(command)


def test_the_guides_show_commands() -> None:
    """The search finds the commands of the guides."""
    shown = {page.stem: len(shown_commands(page)) for page in DOCS}
    assert min(shown[name] for name in ("engineer", "qa", "labelling")) > 10
    assert shown["refusals"] > 4


def anchor(heading: str) -> str:
    """The address of a heading, as code hosts make it."""
    return regex.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("page", [ROOT / "README.md", *DOCS], ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Links to files of the project and to headings lead to what is there."""
    for target in regex.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if target.startswith("http"):
            continue
        path, _, place = target.partition("#")
        linked = (page.parent / path).resolve() if path else page
        assert linked.exists(), f"{page.name}: {target}"
        if place:
            headings = regex.findall(r"^#+ (.+)$", linked.read_text(encoding="utf-8"), flags=regex.MULTILINE)
            assert place in map(anchor, headings), f"{page.name}: {target}"


def test_the_readme_leads_to_every_guide() -> None:
    """No guide is left out of the README."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in DOCS if f"(docs/{page.name})" not in readme] == []


def test_every_source_in_the_statistics_guide_is_one_of_the_code() -> None:
    """Author and year of each reference stand in a docstring or a result's source; each number is used, in order."""
    text = (ROOT / "docs" / "statistics.md").read_text(encoding="utf-8")
    body, _, references = text.partition("## References")
    listed = regex.findall(r"^(\d+)\. (.+)$", references, flags=regex.MULTILINE)
    cited = {int(n) for group in regex.findall(r"\[(\d+(?:, \d+)*)\]", body) for n in group.split(", ")}
    assert [int(n) for n, _ in listed] == sorted(cited) == list(range(1, len(listed) + 1))
    code = "\n".join(p.read_text(encoding="utf-8") for p in (ROOT / "judgekit").rglob("*.py"))
    for _, reference in listed:
        first, year = regex.match(r"(\w+).*?\((\d{4})\)", reference).groups()
        assert regex.search(rf"\b{first}\b[^\n]*{year}", code), reference


def test_citation() -> None:
    """CITATION.cff has what the format asks for, and the version of the package."""
    import tomllib

    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["authors"] == project["authors"]
    assert (citation["version"], citation["license"]) == (project["version"], project["license"])
