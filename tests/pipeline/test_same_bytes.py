"""The same input gives the same bytes, whatever the hash seed, the locale, the time zone or the order of rows."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from judgekit.records import Undefined

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = (
    {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "1", "TZ": "Asia/Kathmandu", "LC_ALL": "tr_TR.UTF-8"},
    {"PYTHONHASHSEED": "4242", "TZ": "America/St_Johns", "LC_ALL": "C.UTF-8"},
)


def run_under(small, **environment):
    """`judgekit run` in a process of its own; the run folder."""
    done = subprocess.run(
        [sys.executable, "-m", "judgekit", "run", str(small.base), "--json"],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **environment},
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return Path(json.loads(done.stdout)["run_dir"])


def exports(run):
    """Every file but the manifest; of the certificate all but its ``when``, which names the run and its times."""
    found = {p.name: p.read_bytes() for p in sorted(run.iterdir()) if p.name != "manifest.json"}
    certificate = json.loads(found["certificate.json"])
    certificate.pop("when")
    return found | {"certificate.json": certificate}


@pytest.mark.slow
def test_hash_seed_time_zone_and_locale_change_nothing(calibrated_copy):
    """Processes with different seeds, zones and locales: every export is byte-identical."""
    first, *others = [exports(run_under(calibrated_copy, **setting)) for setting in SETTINGS[1:]]
    assert first["report.md"]
    assert first["report.html"]
    for other in others:
        assert other == first


@pytest.mark.slow
def test_a_fresh_sample_does_not_depend_on_the_hash_seed(make_study, kit):
    """Sample and key drawn under two hash seeds are the same bytes."""
    files = []
    for number, setting in enumerate(SETTINGS[:2]):
        small = make_study(f"s{number}", rows=kit.reply_rows(templates=3, replicates=1))
        run_under(small, **setting)
        files.append({p.name: p.read_bytes() for p in (small.base / "labels").glob("*.jsonl")})
    assert len(files[0]) == 2
    assert files[0] == files[1]


def numbers(findings):
    """Every statistic of a run, exactly."""

    def plain(estimate):
        if estimate is None:
            return None
        interval = estimate.interval
        return (
            estimate.value,
            None if isinstance(interval, Undefined) else (interval.low, interval.high),
            estimate.p,
        )

    return {
        "gaps": {
            (g.metric, g.contrast): (
                plain(g.raw),
                plain(g.corrected),
                plain(g.human_only),
                plain(g.failure_gap),
                dict(g.per_template),
                {k: dict(v) for k, v in g.per_name.items()},
                g.adjusted_p,
                g.verdict,
            )
            for g in findings.gaps
        },
        "human": {(h.dimension, h.contrast): plain(h.estimate) for h in findings.human_gaps},
        "agreement": {(a.dimension, a.a, a.b, a.by): (a.n, a.kappa, a.lower, a.percent) for a in findings.agreement},
        "calibrated": {
            (c.dimension, c.contrast): {k: v for k, v in c.evidence.items() if k != "digest"}
            for c in findings.calibrated
        },
        "swap": {(s.dimension, s.contrast): (s.shift, s.changed, s.verdict) for s in findings.swap},
    }


@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_of_the_rows_changes_no_statistic(calibrated_study, calibrated_copy, seed):
    """Shuffled reply rows: every statistic is the same to the last bit."""
    before = numbers(calibrated_study.run().findings)
    assert before["calibrated"]
    random.Random(seed).shuffle(calibrated_copy.rows)
    calibrated_copy.write()
    assert numbers(calibrated_copy.run().findings) == before


def test_more_workers_change_nothing(make_study, kit):
    """Concurrency of the judge: the same exports."""
    runs = []
    for number, concurrency in enumerate((1, 16)):
        small = make_study(
            f"c{number}",
            rows=kit.reply_rows(templates=4, replicates=1),
            judge={"spec": "stub:seed=1,noise=0.7", "concurrency": concurrency},
        )
        found = exports(small.run().run_dir)
        found.pop("report.html")
        found.pop("report.json")
        found.pop("report.md")
        # Concurrency is a setting of the study, and its hash follows from the settings.
        for key in ("study", "content_sha256"):
            found["certificate.json"].pop(key)
        runs.append(found)
    assert runs[0] == runs[1]


def test_blinding_in_several_processes_gives_the_same_file(calibrated_study, tmp_path, kit):
    """`blind --workers 2` writes the bytes of `--workers 1`."""
    replies = calibrated_study.base / "replies.jsonl"
    for workers in (1, 2):
        assert kit.command("blind", replies, "-o", tmp_path / f"{workers}.jsonl", "--workers", workers).code == 0
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
    assert (tmp_path / "1.design.jsonl").read_bytes() == (tmp_path / "2.design.jsonl").read_bytes()
