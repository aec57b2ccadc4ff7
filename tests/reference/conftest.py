"""Reference cases: where they are, and which function of judgekit computes which family.

A folder of reference cases holds ``cases/<family>.json`` (and data files beside it). It is named by the environment
variable ``JUDGEKIT_ORACLES``; without it ``../shared/oracles`` beside the checkout is used, if it exists.

Every ``families_*.py`` here registers families in a dict ``FAMILIES``: name -> function of (input, folder) that
returns quantity -> value, or a pair (value, own Monte-Carlo error). ``OMITTED`` lists quantities that judgekit does not
compute, as (family, pattern) -> reason. For a quantity with WRONG in its name the function returns what judgekit
reports instead, and the test asserts that it differs.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def oracle_folder():
    """The folder of reference cases, or None."""
    named = os.environ.get("JUDGEKIT_ORACLES")
    if named:
        if not any(Path(named).glob("cases/*.json")):
            raise pytest.UsageError(f"JUDGEKIT_ORACLES names {named!r}, which has no cases/*.json")
        return Path(named)
    beside = HERE.parents[1].parent / "shared" / "oracles"
    return beside if beside.is_dir() else None


def _load(path):
    name = f"judgekit_reference_{path.stem}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


def registry():
    """All families and all omissions."""
    families, omitted = {}, {}
    for path in sorted(HERE.glob("families_*.py")):
        module = _load(path)
        families.update(module.FAMILIES)
        omitted.update(getattr(module, "OMITTED", {}))
    return families, omitted


def pytest_generate_tests(metafunc):
    """One test per reference case."""
    if "oracle_case" not in metafunc.fixturenames:
        return
    folder = oracle_folder()
    if folder is None:
        skip = pytest.mark.skip(reason="no reference cases: set JUDGEKIT_ORACLES to a folder that has cases/*.json")
        metafunc.parametrize("oracle_case", [pytest.param(None, marks=skip)])
        return
    cases = []
    for path in sorted((folder / "cases").glob("*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        for case_id, case in content["cases"].items():
            cases.append(pytest.param((content["family"], case, folder), id=f"{content['family']}-{case_id}"))
    metafunc.parametrize("oracle_case", cases)


@pytest.fixture(scope="session")
def reference_families():
    """Families and omissions, loaded once."""
    return registry()
