"""Shared helpers of the statistics tests."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest


def _load(name):
    path = Path(__file__).parent / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"statistics_{name}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def designs():
    """Functions that make rows of a design."""
    return _load("design_rows")
