"""Manifests and fingerprints: the same facts give the same bytes, and nothing of the machine is in them."""

import dataclasses
import json
import stat
import threading

import pytest

from judgekit.errors import AlreadyThere, BadInput, DiskFailed, UsageProblem
from judgekit.files.disk import Disk
from judgekit.files.manifest import (
    Manifest,
    file_sha256,
    fingerprint,
    installed_versions,
    read_manifest,
    secret,
    write_manifest,
)

JUDGE = {
    "provider": "openai",
    "model": "m",
    "host": "h:1",
    "parameters": {"temperature": 0, "top_p": 1},
    "prompt_version": "1",
    "rubric_hash": "r",
    "blinding_version": "1",
}
MANIFEST = Manifest(
    study="s",
    study_hash="h",
    versions={"judgekit": "0.1.0", "python": "3.11"},
    inputs={"replies.csv": "ab"},
    seeds={"sign_flip": 7},
    judges={"lexicon": "f"},
    labels={"ana": "x"},
    settings={"groups": ["a", "b"], "margin": 0.25},
    when={"started": "2026-01-05T09:00:00Z"},
)


@pytest.mark.parametrize("field", sorted(JUDGE))
def test_every_part_is_in_the_fingerprint(field):
    """Any part that changes makes another judge; the order of parameters does not."""
    other = {**JUDGE, field: {"temperature": 1} if field == "parameters" else "other"}
    assert fingerprint(**JUDGE) != fingerprint(**other)
    shuffled = dict(reversed(JUDGE["parameters"].items()))
    assert fingerprint(**{**JUDGE, "parameters": shuffled}) == fingerprint(**JUDGE)


def test_parts_do_not_run_into_each_other():
    """What moves from one part to the next changes the fingerprint; no host is not an empty host."""
    assert fingerprint(**{**JUDGE, "provider": "op", "model": "enaim"}) != fingerprint(
        **{**JUDGE, "provider": "open", "model": "aim"}
    )
    assert fingerprint(**{**JUDGE, "host": None}) != fingerprint(**{**JUDGE, "host": ""})


def test_fingerprint_does_not_change_between_versions():
    """The same judge has the fingerprint it always had: labels of an earlier release stay valid.

    The value is SHA-256 of the JSON list of the parts, computed with hashlib apart from judgekit.
    """
    assert fingerprint(**JUDGE) == "fd34ce348bdab87ee19e16c79fe378cf9983be765dc2882f2a1bf6ea49ae2084"


def test_manifest_round_trip_and_same_bytes(tmp_path):
    """A manifest comes back equal; two runs differ in ``when`` alone."""
    for name, when in (("a", "09:00"), ("b", "10:00")):
        write_manifest(tmp_path / name, dataclasses.replace(MANIFEST, when={"started": when}))
    one, two = (json.loads((tmp_path / name).read_text()) for name in "ab")
    assert one.pop("when") != two.pop("when")
    assert json.dumps(one) == json.dumps(two)
    write_manifest(tmp_path / "c", MANIFEST)
    assert read_manifest(tmp_path / "c") == MANIFEST
    with pytest.raises(AlreadyThere):
        write_manifest(tmp_path / "c", MANIFEST)


@pytest.mark.parametrize(
    "path", ["/home/ana/replies.csv", "C:\\Users\\ana\\replies.csv", "~/data/replies.csv", "//srv/x/r.csv"]
)
def test_no_absolute_path(tmp_path, path):
    """Absolute paths are refused among the facts and cut short among the settings."""
    with pytest.raises(UsageProblem, match="absolute"):
        write_manifest(tmp_path / "m", dataclasses.replace(MANIFEST, inputs={path: "ab"}))
    assert not (tmp_path / "m").exists()
    settings = {"data": {"replies": path}, "terms": ["/s", "and/or"], "n": 3}
    write_manifest(tmp_path / "m", dataclasses.replace(MANIFEST, settings=settings))
    stored = read_manifest(tmp_path / "m").settings
    assert stored["data"]["replies"].startswith("…/")
    assert "ana" not in json.dumps(stored)
    assert stored["terms"] == ["/s", "and/or"]


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"format": "judgekit manifest 1"}', "\udcff"])
def test_other_files_are_no_manifest(tmp_path, content):
    """Whatever is not a manifest is refused with its path."""
    path = tmp_path / "m.json"
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(BadInput) as caught:
        read_manifest(path)
    assert caught.value.path == str(path)
    with pytest.raises(BadInput):
        read_manifest(tmp_path / "none.json")


def test_file_hash(tmp_path):
    """The hash of a file is that of its bytes (FIPS 180-2, appendix B.1: "abc")."""
    (tmp_path / "f").write_bytes(b"abc")
    assert file_sha256(tmp_path / "f") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    with pytest.raises(BadInput):
        file_sha256(tmp_path / "none")


def test_versions_name_what_is_installed():
    """Installed distributions have a version, others are left out."""
    found = installed_versions(["pytest", "no-such-distribution"])
    assert found["pytest"] == pytest.__version__
    assert set(found) == {"judgekit", "pytest", "python"}


def test_secret_is_made_once(tmp_path):
    """The secret is 32 bytes, private, the same at every call, another one for another study."""
    path = tmp_path / "secret"
    made = secret(path)
    assert len(made) == 32
    assert secret(path) == made
    assert secret(tmp_path / "other") != made
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(p.name for p in tmp_path.iterdir()) == ["other", "secret"]


def test_secret_is_one_for_all_who_ask_at_once(tmp_path):
    """Eight threads that ask at the same moment get the same secret."""
    found = []
    threads = [threading.Thread(target=lambda: found.append(secret(tmp_path / "secret"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1


def test_a_damaged_secret_is_refused(tmp_path):
    """A secret that was cut off is an error, never silently replaced."""
    (tmp_path / "secret").write_bytes(b"short")
    with pytest.raises(BadInput, match="5 bytes"):
        secret(tmp_path / "secret")
    assert (tmp_path / "secret").read_bytes() == b"short"


def test_a_secret_that_cannot_be_stored_is_not_used(tmp_path):
    """A full disk gives exit 3 and leaves no half secret behind."""

    class Full(Disk):
        def write(self, descriptor, data):
            raise OSError(28, "No space left on device")

    with pytest.raises(DiskFailed):
        secret(tmp_path / "secret", disk=Full())
    assert list(tmp_path.iterdir()) == []
