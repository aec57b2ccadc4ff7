"""Unpacking the demo study: replies, study file, labels and the seal that was made before them."""

from __future__ import annotations

from pathlib import Path

from judgekit.data import bundled
from judgekit.errors import AlreadyThere
from judgekit.files.atomic import write_bytes
from judgekit.files.folders import private_folder, study_folder

__all__ = ["recorded_judge", "unpack_demo"]

STUDY = "support-names"


def unpack_demo(out: Path) -> None:
    """Copy the demo study into a folder; a folder that holds it already is left as it is.

    Parameters
    ----------
    out : Path
        Where to work. Made private.

    Raises
    ------
    AlreadyThere
        Another study, or something that is no study, stands there.
    """
    source = bundled("examples/support")
    study = source.joinpath("study.yaml").read_bytes()
    there = out / "study.yaml"
    if there.is_file() and there.read_bytes() == study:
        return
    if there.exists() or (out.is_dir() and any(out.iterdir())) or out.is_file():
        raise AlreadyThere(
            "the demo needs a folder of its own",
            path=out,
            why="something else stands there",
            remedy="name another folder with --out",
        )
    private_folder(out)
    write_bytes(out / "replies.csv", source.joinpath("replies.csv").read_bytes(), private=True)
    write_bytes(there, study)
    labels = bundled("labels") / "support"
    if labels.is_dir():
        private_folder(out / "labels")
        write_bytes(out / "labels" / "README.md", bundled("labels/README.md").read_bytes())
        for path in sorted(labels.glob("*.jsonl")):
            if path.name == "seals.jsonl":
                target = study_folder(there, STUDY) / "seals.jsonl"
            else:
                target = out / "labels" / path.name
            write_bytes(target, path.read_bytes(), private=True)


def recorded_judge() -> Path:
    """The ledger with the recorded answers of the demo's second judge (see ``examples/support/README.md``)."""
    return bundled("examples/support/second_judge.sqlite")
