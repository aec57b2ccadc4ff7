"""Imports point one way: the static graph by AST, and what is really loaded by a subprocess."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "judgekit"

# From the ground up, as in the layout; a module imports from its own line and the lines above it.
LAYERS = [
    ["printable", "data", "wording"],
    ["markup"],
    ["errors"],
    ["records"],
    ["rubric"],
    ["study_blocks"],
    ["study_probe", "study_measured"],
    ["study"],
    ["statistics"],
    ["agreement"],
    ["rewording"],
    ["verification"],
    ["blinding"],
    ["files"],
    ["endpoints"],
    ["batches"],
    ["judging"],
    ["swapping", "injection"],
    ["templating", "targets"],
    ["probing", "linting"],
    ["labelling", "intake"],
    ["evidence"],
    ["calibration_case", "calibration_remedies", "calibration_checks", "gate"],
    ["deciding"],
    ["calibration", "gaps", "guessing", "supplied"],
    ["observed"],
    ["findings"],
    ["withholding", "next_steps"],
    ["reporting"],
    ["page", "builds"],
    ["foreign"],
    ["importers"],
    ["workspace", "demo_study", "streaming", "anchoring"],
    ["label_state", "sealing"],
    ["stages"],
    ["swap_stage", "control_pairs", "extraction_stage", "studied_judge"],
    ["judging_stage", "sampling_stage", "assess"],
    ["certificates"],
    ["run_folder"],
    ["label_exports", "label_origin"],
    [
        "adhoc_injection",
        "adhoc",
        "label_import",
        "label_table",
        "anchor_freeze",
        "leads",
        "second_judge",
        "probe_baselines",
    ],
    ["adhoc_swap_pairs", "adhoc_pairs"],
    ["notebook"],
    ["pipeline", "api"],
    ["planning", "releases"],
    ["checkup"],
    ["cli", "pytest_plugin", "spacy_component"],
    ["__main__"],
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
ONLY = {
    "httpx": ("endpoints/",),
    "textual": ("labelling/app.py", "labelling/screens.py"),
    "spacy": ("blinding/find.py", "spacy_component.py"),
}


def modules() -> list[Path]:
    """Every module of the package but its own `__init__`, which only names public things."""
    return sorted(p for p in PACKAGE.rglob("*.py") if p != PACKAGE / "__init__.py")


@cache
def imported(path: Path) -> list[str]:
    """Absolute names of the modules a file imports, inside functions and type-checking blocks too."""
    names = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.append(node.module or "")
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


def area(path: Path) -> str:
    """The layer's name: the folder below the package, or the module itself."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[0]


def test_every_module_has_a_layer() -> None:
    """A new module must be given its place."""
    assert {area(path) for path in modules()} <= set(LEVEL)


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_to_the_ground(path: Path) -> None:
    """No module imports from a layer above its own."""
    own = LEVEL[area(path)]
    for name in imported(path):
        parts = name.split(".")
        if parts[0] == "judgekit" and len(parts) > 1 and parts[1] in LEVEL:
            assert LEVEL[parts[1]] <= own, f"{path.name} imports {name}"


@pytest.mark.parametrize("library", sorted(ONLY))
def test_heavy_libraries_stay_in_their_rooms(library: str) -> None:
    """Only the named modules import httpx, textual and spacy."""
    users = {
        str(path.relative_to(PACKAGE)) for path in modules() if any(n.split(".")[0] == library for n in imported(path))
    }
    assert all(user.startswith(ONLY[library]) for user in users), users


def test_the_verifier_shares_nothing_with_the_redactor() -> None:
    """`blinding.verify` and its own lists import records, errors and printable, and nothing else of judgekit."""
    rooms = [PACKAGE / "blinding" / "verify.py", *(PACKAGE / "verification").glob("*.py")]
    names = {n for room in rooms for n in imported(room) if n.startswith("judgekit.")}
    own = {n.split(".")[1] for n in names} - {"verification"}
    assert own <= {"records", "errors", "printable", "data"}, own
    redaction = imported(PACKAGE / "blinding" / "mask.py")
    assert not any("verify" in name for name in redaction)


def test_stdlib_re_is_not_used() -> None:
    """Foreign text is matched by `regex` with time-outs only."""
    assert [str(p) for p in modules() if "re" in imported(p)] == []


@pytest.mark.parametrize(
    "package",
    [
        "blinding",
        "files",
        "judging",
        "statistics",
        "agreement",
        "labelling",
        "endpoints",
        "batches",
        "foreign",
        "importers",
    ],
)
def test_package_inits_import_nothing(package: str) -> None:
    """Importing one module of a package loads no other."""
    assert imported(PACKAGE / package / "__init__.py") == []


def loaded(code: str) -> set[str]:
    """Modules in memory after running some code in a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(' '.join(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return set(done.stdout.split("\n")[-2].split())


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import judgekit", {"numpy", "pandas", "pydantic", "spacy", "textual", "httpx", "regex", "typer"}),
        ("import judgekit.cli.main", {"numpy", "pandas", "pydantic", "spacy", "textual", "httpx", "yaml"}),
        ("import judgekit.blinding.verify", {"judgekit.blinding.mask", "judgekit.blinding.cues", "spacy", "numpy"}),
        ("import judgekit.blinding.mask", {"spacy", "numpy", "pandas", "judgekit.blinding.verify"}),
        ("import judgekit.labelling.session", {"textual", "numpy", "pandas", "httpx", "spacy"}),
        (
            "import judgekit.importers.formats",
            {"numpy", "pandas", "pyarrow", "pydantic", "judgekit.importers.promptfoo"},
        ),
        ("import judgekit.statistics.two_way", {"pandas", "judgekit.files", "judgekit.blinding.mask"}),
        ("import judgekit.pipeline", {"scipy.stats", "httpx", "pandas", "sklearn", "spacy", "textual", "jinja2"}),
    ],
)
def test_what_is_really_loaded(code: str, absent: set[str]) -> None:
    """Run-time proof: heavy or forbidden modules are not in memory."""
    assert not loaded(code) & absent
