"""Documents are walked as a reader walks them: block after block, in one scratch folder, with the files the text speaks of.

What stands in a fenced block decides what is done with it:

========================= ============================================================================================
language of the block     what is done
========================= ============================================================================================
none, ``sh``, ``bash``    each line is run; what follows two spaces is an explanation. ``RUN`` is the latest run folder,
                          ``RUN-1`` the first, and so on; ``openai:MODEL`` is served by a judge on this machine
``python``                run as a script; with ``def test_`` in it by pytest
``yaml``                  a part of a study, a rubric, a pre-commit configuration or a workflow: checked as such
``json``                  must be JSON
``text``                  output: each line must have been printed on the page's walk, or by the demo
========================= ============================================================================================

Comments in the lines directly above a block say what the text says in words:

- ``<!-- reader has: export.csv -->``: files that `READER_HAS` can make, several by commas
- ``<!-- ends with 5: judgekit gate my-study -->``: a command whose exit code is not 0
- ``<!-- not run here: REASON; tests/PATH.py::TEST -->``: it takes a key, the network or a terminal; that test stands for it
"""

from __future__ import annotations

import ast
import contextlib
import csv
import http.server
import io
import json
import os
import shlex
import shutil
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
import regex
import yaml

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "examples").glob("*/README.md"))]
SHELL, MARKS = ("", "sh", "bash"), ("reader has", "ends with", "not run here")
KINDS = (*SHELL, "python", "yaml", "json", "text")
MOST_NOT_RUN = 6
WARM = ("Thanks for the message.", "We are sorry for the delay.", "We are glad to check it.", "We hope it helps.")

HELP = f"""
What to do: every block of README.md, docs/*.md and examples/*/README.md is run by this test, in order, in one folder.
- A command that the text says ends otherwise:   <!-- ends with 5: THE COMMAND -->      in the line above the block
- Files that the text says the reader has:       <!-- reader has: export.csv -->        (makers: READER_HAS in tests/pages.py)
- It takes a key, the network or a terminal:     <!-- not run here: REASON; tests/PATH.py::TEST -->   (at most {MOST_NOT_RUN} in all)
- Output and not input: give the block the language `text`. Languages known: {", ".join(k or "none" for k in KINDS)}.
The grammar stands at the top of tests/pages.py."""


class PageProblem(AssertionError):
    """A block that does not do what the page says, and what its author can do about it."""

    def __init__(self, block: Block, what: str) -> None:
        super().__init__(f"{block.where}: {what}\n{HELP}")


@dataclass(frozen=True)
class Block:
    """One fenced block with the comments above it."""

    page: Path
    line: int
    language: str
    text: str
    marks: tuple[tuple[str, str], ...] = ()

    @property
    def where(self) -> str:
        """File and line."""
        page = self.page.relative_to(ROOT) if self.page.is_relative_to(ROOT) else self.page
        return f"{page}:{self.line}"

    def marked(self, kind: str) -> list[str]:
        """What the comments of one kind say."""
        return [said for mark, said in self.marks if mark.startswith(kind)]

    @property
    def ends(self) -> dict[str, int]:
        """Exit codes that are not 0, by command."""
        return {said: int(mark.rpartition(" ")[2]) for mark, said in self.marks if mark.startswith("ends with ")}

    @property
    def commands(self) -> list[str]:
        """The lines of a shell block, whole, without the explanation behind them."""
        if self.language not in SHELL:
            return []
        lines = [regex.split(r"\s{2,}", line.strip())[0] for line in self.text.splitlines()]
        return [line for line in lines if line and not line.startswith("#")]


def blocks_of(page: Path) -> list[Block]:
    """The fenced blocks of a page in order."""
    found, marks, open_at, text = [], [], None, []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if open_at is not None:
            if line.strip() != "```":
                text.append(line)
                continue
            found.append(Block(page, open_at[0], open_at[1], "\n".join(text) + "\n", tuple(marks)))
            open_at, marks, text = None, [], []
        elif line.strip().startswith("```"):
            open_at = (number, line.strip()[3:].strip())
        elif mark := regex.fullmatch(r"<!-- (reader has|ends with \d+|not run here): (.+) -->", line.strip()):
            marks.append((mark[1], mark[2]))
        elif line.strip().startswith(tuple(f"<!-- {mark}" for mark in MARKS)):
            raise PageProblem(Block(page, number, "", ""), f"a comment that nobody can read: {line.strip()}")
        elif line.strip() and not line.strip().startswith("<!--"):
            marks = []
    return found


def stands_for(said: str) -> str:
    """The test that a `not run here` comment names; it must be there."""
    reason, _, name = said.rpartition("; ")
    path, _, test = name.partition("::")
    assert reason.strip(), f"no reason in: {said}"
    assert (ROOT / path).is_file(), f"no such file: {path}"
    if path.endswith(".py"):
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        assert test in {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}, f"no such test: {name}"
    return name


# --- what the reader has -------------------------------------------------------------------------------------------


def warm(text: str) -> int:
    """From 1 to 5: how many of the four warm sentences a text of `conftest.reply_text` has, and one."""
    return 1 + sum(sentence in text for sentence in WARM)


def rated(text: str, who: str) -> int:
    """What a person says who counts them and errs by one level in one text of ten."""
    level = warm(text)
    if zlib.crc32(f"{who} {text}".encode()) % 10:
        return level
    return level + 1 if level == 1 else level - 1


def _rows(kit: Any, templates: int = 8) -> list[dict[str, str]]:
    return kit.reply_rows(templates=templates, colder={"women": 1})


def _table(path: Path, rows: list[dict[str, Any]], **how: Any) -> None:
    with path.open("w", newline="", encoding=how.pop("encoding", "utf-8")) as file:
        writer = csv.DictWriter(file, list(rows[0]), **how)
        writer.writeheader()
        writer.writerows(rows)


def _export(folder: Path, kit: Any) -> None:
    """Somebody else's system: German headers, `;`, cp1252, decimal commas."""
    names = {"id": "Vorgang", "template_id": "Fall", "group": "Geschlecht", "name": "Kunde", "text": "Bot-Antwort"}
    rows = [{new: row[old] for old, new in names.items()} for row in _rows(kit, templates=16)]
    _table(folder / "export.csv", [{**row, "Prüfdauer": "1,5"} for row in rows], delimiter=";", encoding="cp1252")


def _ratings(folder: Path, kit: Any) -> None:
    rows = _rows(kit, templates=16)
    who = ("gpt", "ana", "karim")
    by = {w: {r["id"]: kit.truthful(r["text"], w, "warmth", (1, 2, 3, 4, 5), "") for r in rows} for w in who}
    _table(folder / "ratings.csv", [
        {"item": r["id"], "dimension": "warmth", "annotator": w, "score": by[w][r["id"]]} for w in who for r in rows
    ])  # fmt: skip
    _table(folder / "wide.csv", [{"item": r["id"], **{w: by[w][r["id"]] for w in who}} for r in rows])


def _replies(folder: Path, kit: Any) -> None:
    rows = _rows(kit, templates=6)
    _table(folder / "replies.csv", rows)
    pairs = [{"pair_id": f"p{n}", "a": rows[n]["id"], "b": rows[n + 1]["id"]} for n in range(0, 40, 2)]
    _table(folder / "pairs.csv", pairs)


def _blinded(folder: Path, kit: Any) -> None:
    _table(folder / "many.csv", _rows(kit, templates=16))
    must("judgekit blind many.csv -o blinded.jsonl --ner off")


def _nothing(folder: Path, kit: Any) -> None:
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def _unlabelled(folder: Path, kit: Any) -> None:
    """The study of `export.csv` begun anew and run, and nobody has labelled yet."""
    shutil.rmtree(folder / "my-study", ignore_errors=True)
    _export(folder, kit)
    must(
        "judgekit init my-study --from export.csv --judge openai:MODEL --annotators ana,karim", "judgekit run my-study"
    )


def _labelled(folder: Path, kit: Any) -> None:
    """A study that was run and labelled by two people, as `my-study`."""
    shutil.rmtree(folder / "my-study", ignore_errors=True)
    kit.Small(folder / "my-study", _rows(kit), kit.settings_of(study="my-study")).write()
    who = [f"judgekit label my-study --as {name}" for name in ("ana", "karim")]
    must("judgekit run my-study", *who, "judgekit run my-study")


def _again(folder: Path, kit: Any) -> None:
    """One run more than there are, two at least: a release later."""
    must("judgekit run my-study")


def _evaluation(folder: Path, kit: Any) -> None:
    """The study of a build: this build's replies, and the anchors that `labels freeze` wrote beside it."""
    shutil.rmtree(folder / "evaluation", ignore_errors=True)
    anchors = folder / "anchors.jsonl"
    must("judgekit labels freeze my-study -o anchors.jsonl --force")
    settings = yaml.safe_load((folder / "my-study" / "study.yaml").read_text(encoding="utf-8"))
    small = kit.Small(folder / "evaluation", _rows(kit), settings | {
        "study": "evaluation", "labels": {"scope": "anchors", "anchors": "anchors.jsonl"},
    })  # fmt: skip
    small.write()
    shutil.copy(anchors, small.base / "anchors.jsonl")


def _evaluated(folder: Path, kit: Any) -> None:
    """The same, run already, from a study that was labelled."""
    _labelled(folder, kit)
    _evaluation(folder, kit)
    must("judgekit run evaluation")


def _probing(name: str) -> Callable[[Path, Any], None]:
    def make(folder: Path, kit: Any) -> None:
        """The block `probe` filled in, templates and people: those of examples/names."""
        names, to = ROOT / "examples" / "names", folder / name
        shutil.rmtree(to, ignore_errors=True)
        to.mkdir()
        shutil.copy(names / "templates.yaml", to)
        settings = yaml.safe_load((names / "fair.yaml").read_text(encoding="utf-8"))
        settings["data"]["replies"] = "probe/replies.jsonl"
        settings["probe"] |= (
            {"replicates": 2, "subset": {"templates": 2}} if name == "evaluation" else {"replicates": 2}
        )
        settings["labels"] = {"annotators": ["ana", "karim"], "n": 50, "practice": 0, "tryout": 0}
        (to / "study.yaml").write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")

    return make


FOREIGN = ROOT / "tests" / "importers" / "data"


def _results(folder: Path, _: Any) -> None:
    """A file that promptfoo wrote, of one of the two models in it, called as the guide calls it."""
    whole = json.loads((FOREIGN / "promptfoo" / "results-0.123.1.json").read_text(encoding="utf-8"))
    rows = [r for r in whole["results"]["results"] if "support-bot-b" in json.dumps(r["provider"])]
    whole["results"]["results"] = rows
    text = json.dumps(whole).replace("support-bot-b", "support-bot")
    (folder / "results.json").write_text(text, encoding="utf-8")


def _log(folder: Path, _: Any) -> None:
    shutil.copy(FOREIGN / "inspect" / "support-0.3.285.eval", folder / "log.eval")


def _studio(folder: Path, _: Any) -> None:
    """What Label Studio exports when rater 1 has answered every task of `tasks.json`."""
    tasks = json.loads((folder / "tasks.json").read_text(encoding="utf-8"))
    for task in tasks:
        value = {"rating": rated(task["data"]["text"], "1")}
        answer = {"from_name": "warmth", "to_name": "text", "type": "rating", "value": value}
        at = "2999-01-01T00:00:00.000000Z"
        task["annotations"] = [{"completed_by": 1, "result": [answer], "created_at": at, "lead_time": 3.5}]
    (folder / "export.json").write_text(json.dumps(tasks), encoding="utf-8")


def _argilla(folder: Path, _: Any) -> None:
    """What `dataset.records.to_datasets().to_parquet` writes when one user has answered every record of `records.json`."""
    import pandas as pd

    records = json.loads((folder / "records.json").read_text(encoding="utf-8"))
    who = {"warmth.responses.users": ["7f3c2a10"], "warmth.responses.status": ["submitted"]}
    rows = [{**r, "status": "completed", "warmth.responses": [rated(r["text"], "2")], **who} for r in records]
    pd.DataFrame(rows).to_parquet(folder / "records.parquet", index=False)


READER_HAS: dict[str, Callable[[Path, Any], None]] = {
    "export.csv": _export,
    "ratings.csv": _ratings,
    "wide.csv": _ratings,
    "replies.csv": _replies,
    "pairs.csv": _replies,
    "blinded.jsonl": _blinded,
    "an empty folder": _nothing,
    "my-study, run and not labelled": _unlabelled,
    "my-study, labelled": _labelled,
    "my-study, run three times": _again,
    "my-study with its block probe": _probing("my-study"),
    "results.json": _results,
    "log.eval": _log,
    "export.json": _studio,
    "records.parquet": _argilla,
    "evaluation": _evaluation,
    "evaluation, run": _evaluated,
    "evaluation with a block probe": _probing("evaluation"),
}


def makers_of(block: Block, said: str) -> list[Callable[[Path, Any], None]]:
    """Who makes what a `reader has` comment names, each once."""
    names = [said] if said in READER_HAS else said.split(", ")
    for name in names:
        if name not in READER_HAS:
            raise PageProblem(block, f"nobody knows how to make {name!r}; known: {'; '.join(READER_HAS)}")
    return list(dict.fromkeys(READER_HAS[name] for name in names))


# --- the judge and the rater ---------------------------------------------------------------------------------------


class _Answers(http.server.BaseHTTPRequestHandler):
    """Chat completions: warm sentences are counted."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        prompt = "\n".join(str(m["content"]) for m in asked["messages"])
        verdict = {"winner": "A"} if '"winner"' in prompt else {"score": warm(prompt)}
        body = json.dumps({
            "model": "served-1",
            "choices": [{"message": {"content": json.dumps({"reason": "counted", **verdict})}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 50, "completion_tokens": 10},
        }).encode()  # fmt: skip
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextlib.contextmanager
def judge_on_this_machine() -> Iterator[dict[str, str]]:
    """Environment variables of a judge that answers here."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield {"OPENAI_BASE_URL": f"http://127.0.0.1:{server.server_port}/v1", "OPENAI_API_KEY": "none-is-needed"}
    finally:
        server.shutdown()
        server.server_close()


class Rater(io.StringIO):
    """Types what `rated` says of the text shown last."""

    def __init__(self, screen: io.StringIO, who: str) -> None:
        super().__init__()
        self.screen, self.who, self.seen, self.text = screen, who, 0, ""

    def readline(self, *_: Any) -> str:
        shown = self.screen.getvalue()[self.seen :]
        self.seen += len(shown)
        parts = shown.split("Reply:\n")
        self.text = parts[-1] if len(parts) > 1 else self.text
        return f"{rated(' '.join(self.text.split()), self.who)}\n"

    def __next__(self) -> str:
        return self.readline()


# --- the walk ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Said:
    """What a command said and how it ended."""

    code: int
    out: str
    err: str


def here(line: str) -> Said:
    """A command of judgekit in this process, which is much quicker; a rater sits at the keyboard."""
    from judgekit.cli.main import main

    out, err, code, before = io.StringIO(), io.StringIO(), 0, sys.stdin
    sys.stdin = Rater(out, line)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main(shlex.split(line)[1:])
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    finally:
        sys.stdin = before
    return Said(code, out.getvalue(), err.getvalue())


def must(*lines: str) -> None:
    """Commands that a reader has given before, each of which must end with 0."""
    for line in lines:
        said = here(line)
        assert said.code == 0, (line, said.err)


@dataclass
class Walk:
    """A reader's walk through one page. ``apart``: each command in a process of its own, as examples with modules need."""

    page: Path
    folder: Path
    kit: Any
    apart: bool = False
    said: dict[str, Said] = field(default_factory=dict)

    def __call__(self) -> dict[str, Said]:
        """Run every block; what each command said (a command that stands there twice: the last time)."""
        with judge_on_this_machine() as address, pytest.MonkeyPatch.context() as patch, contextlib.chdir(self.folder):
            for name, value in {**address, "TERM": "dumb", "COLUMNS": "100"}.items():
                patch.setenv(name, value)
            for block in blocks_of(self.page):
                self._block(block)
        return self.said

    def _block(self, block: Block) -> None:
        for said in block.marked("reader has"):
            for make in makers_of(block, said):
                make(self.folder, self.kit)
        if unknown := set(block.ends) - set(block.commands):
            raise PageProblem(block, f"no such command in the block: {', '.join(unknown)}")
        if block.marked("not run here"):
            return
        if block.language not in KINDS:
            raise PageProblem(block, f"nobody knows what to do with a block of {block.language!r}")
        for command in block.commands:
            self._command(block, command)
        if block.language == "python":
            self._python(block)
        elif block.language == "yaml":
            check_yaml(block, self.folder)
        elif block.language == "json":
            json.loads(block.text)
        elif block.language == "text":
            self._output(block)

    def _command(self, block: Block, command: str) -> None:
        line = self._with_runs(block, command)
        plain = line.startswith("judgekit ") and not regex.search(r"[|<>&;$]", line)
        said = here(line) if plain and not self.apart else self._apart(line)
        self.said[command] = said
        wanted = block.ends.get(command, 0)
        if said.code != wanted or "Traceback" in said.err:
            raise PageProblem(
                block, f"`{command}` ended with {said.code}, not {wanted}\n{said.out[-600:]}\n{said.err[-1200:]}"
            )

    def _with_runs(self, block: Block, command: str) -> str:
        def place(found: Any) -> str:
            runs = sorted(path for path in (self.folder / found[1]).iterdir() if path.is_dir())
            number = int(found[2] or len(runs))
            if number > len(runs):
                raise PageProblem(block, f"`{command}`: only {len(runs)} runs were made before")
            return f"{found[1]}{runs[number - 1].name}"

        return str(regex.sub(r"(\S*\bruns/)RUN(?:-(\d))?", place, command))

    def _apart(self, line: str) -> Any:
        programs = self.folder.parent / "bin"
        if not programs.is_dir():
            programs.mkdir()
            for name, words in (("judgekit", "-m judgekit"), ("python", ""), ("pytest", "-m pytest")):
                (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
                (programs / name).chmod(0o755)
        done = subprocess.run(
            ["/bin/sh", "-c", line], capture_output=True, text=True, cwd=self.folder, timeout=300, check=False, input="",
            env={
                **{k: v for k, v in os.environ.items() if k.startswith("OPENAI_")},
                "PATH": f"{programs}:/usr/bin:/bin", "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1",
                "HOME": str(self.folder.parent), "TERM": "dumb", "COLUMNS": "100",
            },
        )  # fmt: skip
        return Said(done.returncode, done.stdout, done.stderr)

    def _python(self, block: Block) -> None:
        tests = "def test_" in block.text
        name = "test_of_the_page.py" if tests else "script_of_the_page.py"
        (self.folder / name).write_text(block.text, encoding="utf-8")
        # Where judgekit is installed its entry point has loaded the plugin, and pytest takes none twice.
        loaded = any(point.value == "judgekit.pytest_plugin" for point in entry_points(group="pytest11"))
        plugins = f"{'' if loaded else '-p judgekit.pytest_plugin '}-p no:cacheprovider -p no:xdist"
        said = self._apart(f"pytest -q {plugins} {name}" if tests else f"python {name}")
        self.said[block.text] = said
        if said.code:
            raise PageProblem(block, f"it ended with {said.code}\n{said.out[-1500:]}\n{said.err[-800:]}")

    def _output(self, block: Block) -> None:
        told = "\n".join([*(f"{s.out}\n{s.err}" for s in self.said.values()), shown_by_the_demo()])
        told = " ".join(told.split())
        for line in block.text.splitlines():
            if " ".join(line.split()) not in told:
                raise PageProblem(block, f"nothing on this page prints: {line}")


def shown_by_the_demo() -> str:
    """The page of the demo, which a test of its own compares with the program."""
    return (ROOT / "README.md").read_text(encoding="utf-8").split("<!-- demo -->")[1].split("<!-- /demo -->")[0]


# --- YAML ----------------------------------------------------------------------------------------------------------

LEAST = {"study": "page", "data": {"replies": "replies.csv"}, "rubrics": {"warmth": {"rubric": "warmth"}}}


def check_yaml(block: Block, folder: Path) -> str:
    """Check a block against what it is a part of; which that was."""
    from judgekit.rubric import load_rubric
    from judgekit.study import load_study

    try:
        part = yaml.safe_load(block.text)
    except yaml.YAMLError as problem:
        raise PageProblem(block, str(problem)) from None
    keys = set(part) if isinstance(part, dict) else set()
    if "jobs" in keys:
        _workflow(block, part)
        return "workflow"
    if "repos" in keys:
        ours = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
        named = {hook["id"] for repo in part["repos"] for hook in repo["hooks"]}
        if not named <= ours:
            raise PageProblem(block, f"no such hook: {', '.join(named - ours)}")
        return "hooks"
    try:
        if "criteria" in keys:
            (folder / "rubric_of_the_page.yaml").write_text(block.text, encoding="utf-8")
            load_rubric(str(folder / "rubric_of_the_page.yaml"))
            return "rubric"
        (folder / "study_of_the_page.yaml").write_text(
            yaml.safe_dump(LEAST | part if isinstance(part, dict) else part, allow_unicode=True), encoding="utf-8"
        )
        load_study(folder / "study_of_the_page.yaml")
    except Exception as problem:  # whatever it is, the author of the page must hear of it
        raise PageProblem(block, f"neither rubric, hooks, workflow nor part of a study: {problem}") from problem
    return "study"


def _workflow(block: Block, part: dict[str, Any]) -> None:
    """Steps of our own action get inputs that it has; other programs must be those of judgekit."""
    inputs = set(yaml.safe_load((ROOT / "examples" / "ci" / "action.yml").read_text(encoding="utf-8"))["inputs"])
    for job in part["jobs"].values():
        for step in job["steps"]:
            if "judgekit" in str(step.get("uses")) and not set(step.get("with", {})) <= inputs:
                raise PageProblem(block, f"the action has no input {', '.join(set(step['with']) - inputs)}")
