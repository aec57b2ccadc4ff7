"""What `judgekit blind` promises about time and memory: a pattern that never ends is stopped, no model is loaded."""

import json
import subprocess
import sys
from pathlib import Path

PACK = """\
format: judgekit-cues-1
language: en
verify:
  - list: never ends
    kind: cue
    source: test
    licence: MIT
    patterns:
      - '(?:(a+)(a+))+\\1\\2b'
"""


def test_a_pattern_that_never_ends_withholds_its_text_and_is_named(kit, tmp_path):
    """A catastrophic pattern of a user's own pack is stopped; that text is withheld and the rule stands in the design."""
    pack, rows, out = tmp_path / "own.yaml", tmp_path / "rows.jsonl", tmp_path / "out.jsonl"
    pack.write_text(PACK, encoding="utf-8")
    texts = {"bad": "thank you " + "a" * 5000 + "c", "good": "Thank you for the message, Ana."}
    rows.write_text(
        "".join(json.dumps({"id": k, "text": t, "known_names": ["Ana"]}) + "\n" for k, t in texts.items()),
        encoding="utf-8",
    )
    command = ("blind", rows, "-o", out, "--pack", pack, "--ner", "off", "--lang", "en", "--json")
    said = kit.command(*command)
    assert said.code == 0
    document = json.loads(said.out)
    assert (document["verified"], document["withheld"]) == (1, 1)
    assert document["codes"] == {"timeout": 1}
    design = [json.loads(line) for line in (tmp_path / "out.design.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["withheld"] for row in design] == ["timeout", None]
    assert [leak["rule"] for leak in design[0]["leaks"]] == ["never ends #1"]
    again = kit.command("verify", out, "--json")
    assert again.code == 6
    assert [leak["rule"] for leak in json.loads(again.out)["findings"][0]["leaks"]] == ["never ends #1"]


_IN_A_PROCESS = """
import json, sys
from pathlib import Path
from judgekit.cli.main import main
code = 0
try:
    main(sys.argv[1:])
except SystemExit as ended:
    code = ended.code
heavy = [m for m in ("spacy", "thinc", "torch", "lingua", "pandas", "sklearn") if m in sys.modules]
# Not getrusage: its peak may be that of the process which started this one.
status = Path("/proc/self/status")
peaks = [line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM")] if status.exists() else []
print(json.dumps([code, heavy, int(peaks[0]) if peaks else None]), file=sys.stderr)
"""


def test_known_names_need_no_model_and_little_memory(tmp_path):
    """With known names no language model or detector is loaded, and the peak stays under 100 MB, in English and Spanish."""
    rows = tmp_path / "rows.jsonl"
    texts = [
        "Dear Ana, she can keep the kettle; call Mr. Ruiz.",
        "Estimada Ana: la llamaremos mañana, ella ya lo sabe.",
    ]
    with rows.open("w", encoding="utf-8") as file:
        for n in range(40):
            file.write(json.dumps({"id": str(n), "text": texts[n % 2], "known_names": ["Ana"]}) + "\n")
    done = subprocess.run(
        [sys.executable, "-c", _IN_A_PROCESS, "blind", rows, "-o", tmp_path / "out.jsonl", "--json"],
        cwd=Path(__file__).resolve().parents[2], capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    code, heavy, peak = json.loads(done.stderr.splitlines()[-1])
    assert not code
    assert json.loads(done.stdout)["in"] == 40
    assert heavy == []
    assert peak is None or peak * 1024 < 100e6


def test_replies_without_a_text_are_failed_by_group_and_written_nowhere(kit, tmp_path):
    """Empty or blank: neither verified nor withheld, counted in the group they came from, in no file of texts."""
    rows, out = tmp_path / "rows.csv", tmp_path / "out.jsonl"
    rows.write_text('id,text,group\n1,,x\n2,"  ",y\n3,Thank you for the message.,y\n', encoding="utf-8")
    shown = kit.command("blind", rows, "-o", out, "--ner", "off", "--lang", "en")
    assert [line.split()[:4] for line in shown.out.splitlines() if line[:1] in "xy"] == [
        ["x", "1", "1", "0"],
        ["y", "2", "1", "1"],
    ]
    assert "failed, nothing to blind: 2 (no_answer 2)" in shown.out
    assert [json.loads(line)["id"] for line in out.read_text(encoding="utf-8").splitlines()] == ["3"]
