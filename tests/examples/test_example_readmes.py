"""The examples with a README: every command is run as it stands there, in order, and ends as the README says."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import regex

from judgekit.probing.expand import expand
from judgekit.study import load_study

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
MADE = frozenset({"probe", "labels", "runs", ".judgekit", "__pycache__"})
Done = subprocess.CompletedProcess[str]


@pytest.fixture
def shell(tmp_path: Path) -> Callable[..., Done]:
    """A shell in a copy of an example, in which `judgekit` and `python` are this checkout's."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, words in (("judgekit", "-m judgekit"), ("python", "")):
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
        (programs / name).chmod(0o755)

    def run(command: str, example: str) -> Done:
        folder = tmp_path / example
        if not folder.exists():
            shutil.copytree(EXAMPLES / example, folder, ignore=shutil.ignore_patterns(*MADE))
        return subprocess.run(
            ["/bin/sh", "-c", command],
            capture_output=True,
            text=True,
            cwd=folder,
            timeout=300,
            check=False,
            env={
                "PATH": f"{programs}{os.pathsep}/usr/bin{os.pathsep}/bin",
                "PYTHONPATH": str(ROOT),
                "PYTHONDONTWRITEBYTECODE": "1",
                "HOME": str(tmp_path),
                "TERM": "dumb",
                "COLUMNS": "100",
            },
        )

    return run


@pytest.fixture
def walk(pages: Any, kit: Any, tmp_path: Path) -> Callable[[str], dict[str, Any]]:
    """Walks the README of an example in a copy of its folder; what each command said (of one that comes twice, the last)."""

    def walked(example: str) -> dict[str, Any]:
        folder = tmp_path / example
        shutil.copytree(EXAMPLES / example, folder, ignore=shutil.ignore_patterns(*MADE))
        return pages.Walk(EXAMPLES / example / "README.md", folder, kit, apart=True)()

    return walked


def commands_of(pages: Any, example: str) -> list[str]:
    """The commands of a README in order."""
    return [c for block in pages.blocks_of(EXAMPLES / example / "README.md") for c in block.commands]


@pytest.mark.parametrize(
    ("study", "conversations"),
    [
        ("soporte/study.yaml", {"base": 288, "control": 24, "recall": 12}),
        ("names/biased.yaml", {"base": 180, "control": 12}),
        ("lending/study.yaml", {"base": 288}),
        ("recruitment/study.yaml", {"base": 512, "control": 64}),
    ],
)
def test_designs_are_complete(study: str, conversations: dict[str, int]) -> None:
    """Every example's templates and names give as many conversations as its README tells of."""
    made = expand(load_study(EXAMPLES / study))
    counts: dict[str, int] = {}
    for (_, arm, _), n in made.counts.items():
        counts[arm] = counts.get(arm, 0) + n
    assert counts == conversations


@pytest.mark.parametrize("example", sorted(p.parent.name for p in EXAMPLES.glob("*/README.md")))
def test_nothing_that_a_run_makes_is_shipped(example: str) -> None:
    """Git has no prompts, replies, labels or runs of an example, and its files are small."""
    listed = subprocess.run(
        ["git", "ls-files", f"examples/{example}"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    if listed.returncode or not listed.stdout:
        pytest.skip("no git checkout here")
    files = [Path(line) for line in listed.stdout.splitlines()]
    assert not [file for file in files if MADE & set(file.parts)]
    if example != "support":  # the demo carries its replies
        assert sum((ROOT / file).stat().st_size for file in files) < 75_000


@pytest.mark.slow
def test_soporte_walks_the_whole_path_in_spanish(walk: Callable[[str], Any], shell: Callable[..., Done]) -> None:
    """From prompts to the report in Spanish: calibrated, the planted gap found, and no English-only step met."""
    gap = "judgekit gap . --metric warmth"
    found = walk("soporte")
    assert "¿Cuánta calidez muestra la respuesta" in next(
        d.out for c, d in found.items() if "ensayo-a |" in c or "ensayo-a" in c
    )
    assert "CALIBRATED" in found["judgekit calibrate ."].out
    assert "hombres higher than mujeres" in found[gap].out
    page = found["judgekit run ."].out
    blinded = regex.search(r"(\d+) of 288 replies were blinded", page)
    assert blinded is not None
    assert int(blinded.group(1)) == 288
    assert "12 sets of texts that differ only in the person, 100% are identical" in page
    written = shell('cat "$(ls -d runs/* | tail -1)/report.md"', "soporte").stdout
    assert written.startswith("# soporte: puerta de calidad: no pasa\n\nPiloto: ")
    assert regex.search(
        r"^\| warmth \(principal\) \| mujeres − hombres \| −\d,\d\d \[−\d,\d\d; −\d,\d\d\]", written, regex.M
    )
    assert "suelo de ruido ±" in written
    assert not regex.search(r"\b(people|gaps?|margin|templates?|withheld|labelled|interval|verdict|replies)\b", written)
    assert shell("judgekit report . --language en", "soporte").stdout.startswith("# soporte: gate fail\n\nA pilot: ")
    # What reads English only was not even loaded.
    again = shell(
        "python -c \"import sys; sys.argv = ['judgekit', 'run', '.']; from judgekit.cli.main import main; main()\n"
        "print(sorted({'spacy', 'vaderSentiment', 'nltk'} & set(sys.modules)))\"",
        "soporte",
    )
    assert again.stdout.splitlines()[-1] == "[]", again.stderr


@pytest.mark.slow
def test_soporte_refuses_the_english_word_list(pages: Any, shell: Callable[..., Done]) -> None:
    """With `lexicon` as the judge the run ends with 2 before anything is written for raters."""
    for command in commands_of(pages, "soporte")[:3]:
        assert shell(command, "soporte").returncode == 0
    done = shell("sed -i 's/python:judge:warmth/lexicon/' study.yaml; judgekit run .", "soporte")
    assert done.returncode == 2, done.stderr
    assert "lexicon" in done.stderr
    assert shell("ls labels", "soporte").returncode != 0


def test_the_three_studies_of_names_differ_in_the_chatbot_alone() -> None:
    """fair, biased and noisy: the same file but for name, replies and target."""
    texts = {k: (EXAMPLES / "names" / f"{k}.yaml").read_text(encoding="utf-8") for k in ("fair", "biased", "noisy")}
    assert len({text.replace(kind, "KIND") for kind, text in texts.items()}) == 1


def figures(page: str, metric: str) -> tuple[float, float, float]:
    """The first gap of a metric and its interval."""
    found = regex.search(
        rf"^{metric}\b[^:]*: ([+−]?[\d.]+) \[([+−]?[\d.]+), ([+−]?[\d.]+)\]", page, flags=regex.MULTILINE
    )
    assert found, page
    gap, low, high = (float(number.replace("−", "-")) for number in found.groups())
    return gap, low, high


@pytest.mark.slow
def test_names_tell_three_planted_chatbots_apart(walk: Callable[[str], Any]) -> None:
    """The planted 0.7 is recovered with its interval, the fair chatbot passes, the noisy one stays inconclusive."""
    gaps = {kind: f"judgekit gap {kind}.yaml --metric score" for kind in ("fair", "biased", "noisy")}
    found = walk("names")
    readme = (EXAMPLES / "names" / "README.md").read_text(encoding="utf-8")
    seen = {kind: figures(found[command].out, "score") for kind, command in gaps.items()}
    for kind, (gap, low, high) in seen.items():
        row = f"| {kind} | {gap:+.2f} [{low:+.2f}, {high:+.2f}] |".replace("-", "−")
        assert row in readme, row
    assert 0 < seen["biased"][1] < 0.7 < seen["biased"][2]
    assert all(low < 0 < high for _, low, high in (seen["fair"], seen["noisy"]))
    assert "margin ±0.50: pass" in found[gaps["fair"]].out
    assert seen["noisy"][2] > 0.5


@pytest.mark.slow
def test_lending_shows_where_the_effect_sits(walk: Callable[[str], Any], pages: Any) -> None:
    """Every template of irregular income has a gap in P(yes), no other has; the age has none."""
    first = next(c for c in commands_of(pages, "lending") if " decide " in c)
    page = walk("lending")[first].out
    by_name, by_age = page.split("age: p(yes)")
    rows = regex.findall(r"^(\S+) +(ir)?regular income +([\d.]+) +([\d.]+) +(-?[\d.]+)", by_name, flags=regex.MULTILINE)
    assert len(rows) == 12
    for template, irregular, p_anglo, p_other, _ in rows:
        gap = float(p_anglo) - float(p_other)
        assert (gap > 0.2) if irregular else (abs(gap) < 0.06), template
    for irregular, name in (("irregular income", by_name), ("regular income", by_name), ("irregular income", by_age)):
        mean, low, high = map(
            float, regex.search(rf"^{irregular} +6 +(\S+) +(\S+) +(\S+)", name, flags=regex.MULTILINE).groups()
        )
        planted = irregular == "irregular income" and name is by_name
        assert low <= mean <= high
        assert (low > 0.2) if planted else (low <= 0 <= high)


@pytest.mark.slow
def test_recruitment_finds_the_one_group_among_six_contrasts(walk: Callable[[str], Any], pages: Any) -> None:
    """Three contrasts hold the group that is treated worse; the tone is judged and not shown without labels."""
    every, one = [c for c in commands_of(pages, "recruitment") if " gap " in c]
    found = walk("recruitment")
    gaps = dict(regex.findall(r"^invited, (\S+ − \S+): ([+−]?[\d.]+)", found[every].out, flags=regex.MULTILINE))
    assert len(gaps) == 6
    for contrast, gap in gaps.items():
        size = abs(float(gap.replace("−", "-")))
        assert (size > 0.25) if "women-maghrebi" in contrast else (size < 0.15), (contrast, gap)
    gap, low, high = figures(found[one].out, "invited")
    readme = (EXAMPLES / "recruitment" / "README.md").read_text(encoding="utf-8")
    assert f"| women-anglo − women-maghrebi | {gap:+.2f} [{low:+.2f}, {high:+.2f}] |" in readme
    assert "Not reported, because refused: warmth." in found["judgekit run ."].out


@pytest.mark.slow
def test_support_is_written_again_byte_for_byte(walk: Callable[[str], Any], tmp_path: Path) -> None:
    """The README's commands run the study without its labels, and write replies and what was planted as they are shipped."""
    found = walk("support")
    assert "504 of 504 replies were blinded" in found["judgekit run study.yaml"].out
    for name in ("replies.csv", "planted.csv"):
        assert (tmp_path / "support" / name).read_bytes() == (EXAMPLES / "support" / name).read_bytes()
