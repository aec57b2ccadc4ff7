"""`judgekit label --plain` as a rater meets it: lines in, lines out, labels on disk."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from judgekit.files.labels import final_labels, key_path, read_events, read_key, read_sample
from judgekit.labelling.display import make_shown
from judgekit.labelling.plain import run_plain
from judgekit.records import text_hash
from judgekit.reporting.words import quoted

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def run(judgekit):
    """Run `judgekit label` on lines of input."""
    return lambda sample, lines, *options, name="ana", env=None: judgekit(
        "label", sample, "--as", name, *options, lines=lines, env=env
    )


def labels_of(sample, name="ana"):
    """What stands in an annotator's file."""
    return read_events(sample.parent / "labels" / f"{name}.jsonl")


def test_point_22_a_session_in_lines(run, make_sample_file):
    """Scores, an off-scale key, a skip, undo, flag, note and stop, then resuming: all stored and said."""
    sample = make_sample_file(6, repeats=0.0)
    first = run(sample, ["4", "9", "s", "2", "u", "5", "f", "n", "looks odd", "3", "q"], "--plain")
    assert first.returncode == 0, first.stderr
    events = labels_of(sample)
    assert [(e.event, e.value) for e in events] == [
        ("score", 4), ("skip", "language"), ("undo", None), ("score", 5), ("flag", 1), ("note", "looks odd"), ("score", 3),
    ]  # fmt: skip
    assert "9 is not on this scale: 1, 2, 3, 4, 5" in first.stdout
    assert "Stopped. 3 of 6 done" in first.stdout
    again = run(sample, ["1", "2", "3"], "--plain")
    assert "welcome back: 3 of 6 done" in again.stdout
    assert "All done" in again.stdout
    final = final_labels(labels_of(sample), read_key(key_path(sample)))
    assert len(final) == 6
    assert (sample.parent / "labels" / "ana.jsonl").stat().st_mode & 0o777 == 0o600


def test_point_22_lines_are_chosen_without_a_terminal(run, make_sample_file):
    """When standard output is no terminal the session runs in lines by itself, without a control sequence."""
    result = run(make_sample_file(3), ["4", "q"])
    assert result.returncode == 0
    assert "\x1b" not in result.stdout
    assert "Answer (1/2/3/4/5" in result.stdout


def test_line_ends_of_windows_are_line_ends_and_the_text_stays(run, make_sample_file):
    """A cell with CRLF is shown in lines, on the screen, in lines and quoted; what is stored and hashed keeps it."""
    text = "Dear [PERSON_1],\r\nit is on its way.\rreally"
    sample = make_sample_file(1, texts=[text])
    said = run(sample, ["3"], "--plain").stdout
    assert "  Dear [PERSON_1],\n  it is on its way.␍really\n" in said
    assert make_shown(text).text == quoted(text).replace("\r", "␍") == "Dear [PERSON_1],\nit is on its way.␍really"
    task = read_sample(sample).tasks[0]
    assert (task.text, labels_of(sample)[0].text_hash) == (text, text_hash(text, task.context))


def test_points_03_and_04_hostile_text_is_shown_and_inert(run, make_sample_file):
    """Escapes, C1, bidi controls and markup come out as visible symbols."""
    hostile = ["Thanks\x1b]52;c;aGVsbG8=\x1b\\ x\x1b[2J \x9b31m y", "a\u202eb\u200bc[/ bold] [PERSON_1] \ud800"]
    result = run(make_sample_file(2, texts=hostile), ["3", "3"], "--plain")
    assert result.returncode == 0, result.stderr
    for char in "\x1b\x9b\u202e\u200b":
        assert char not in result.stdout
    assert "␛]52;c;aGVsbG8=␛\\" in result.stdout
    assert "a‹RLO›b‹ZWSP›c[/ bold] [PERSON_1] ‹U+D800›" in result.stdout


def test_an_unknown_name_is_refused_with_the_roster(run, make_sample_file):
    """A typing error starts no second set of labels."""
    sample = make_sample_file(3)
    result = run(sample, ["4"], "--plain", name="anna")
    assert result.returncode == 2
    assert "the roster is ana, karim" in result.stderr
    assert not (sample.parent / "labels").exists()


def test_point_16_a_changed_sample_or_rubric_is_refused(run, make_sample_file, tmp_path):
    """Another draw, an edited text, an edited anchor: refused with both hashes, and the labels stay as they were."""
    sample = make_sample_file(6)
    run(sample, ["4", "q"], "--plain")
    stored = (tmp_path / "labels" / "ana.jsonl").read_bytes()
    text = sample.read_text()
    other = make_sample_file(6, seed=4, name="other.jsonl")
    anchor = json.loads(text.split("\n")[0])["extra"]["rubrics"][0]["criteria"][0]["anchors"]["en"][0][1]
    for content, words in (
        (other.read_text(), "made with another sample"),
        (text.replace("reply number 1", "reply number one"), "text in the sample was changed"),
        (text.replace(json.dumps(anchor), json.dumps(anchor + " Really.")), "rubric in the sample was changed"),
    ):
        assert content != text
        sample.write_text(content)
        result = run(sample, ["4"], "--plain")
        assert result.returncode == 2
        assert words in result.stderr
        assert "has the hash" in result.stderr or "of hash" in result.stderr
        assert (tmp_path / "labels" / "ana.jsonl").read_bytes() == stored


def test_rubrics_do_not_mix_in_one_label_file(run, make_sample_file, tmp_path):
    """Labels made on one rubric cannot be continued on another in the same folder."""
    run(make_sample_file(6), ["4", "q"], "--plain")
    other = make_sample_file(6, rubrics=("quality",), name="other.jsonl")
    result = run(other, ["4"], "--plain")
    assert result.returncode == 2
    assert "made with another sample" in result.stderr
    assert tmp_path.joinpath("labels", "ana.jsonl").read_text().count("\n") == 1


def test_several_criteria_in_the_rubrics_order(run, make_sample_file):
    """Tone asks its three criteria for each item; each is stored with the rubric's own hash."""
    sample = make_sample_file(2, rubrics=("tone", "warmth"))
    result = run(sample, ["1", "2", "3", "4", "q"], "--plain")
    assert result.returncode == 0
    events = labels_of(sample)
    assert [e.dimension for e in events] == ["formality", "condescension", "suspicion", "warmth"]
    assert events[0].rubric_hash == events[2].rubric_hash != events[3].rubric_hash
    assert result.stdout.count("reply number") == 2


def test_spanish_session(run, make_sample_file):
    """With a Spanish locale, the app and the anchors are in Spanish."""
    result = run(make_sample_file(2), ["4", "q"], env={"LANG": "es_ES.UTF-8", "LC_ALL": "es_ES.UTF-8"})
    assert "guardado: 4" in result.stdout
    assert "¿Cuánta calidez" in result.stdout


def test_practice_comes_first_and_is_not_stored(run, make_sample_file):
    """Practice items are announced and leave no line in the label file."""
    sample = make_sample_file(3, texts=[f"reply {k}" for k in range(9)], practice=2)
    result = run(sample, ["1", "2", "5", "q"], "--plain")
    assert "PRACTICE 1 of 2, not stored" in result.stdout
    assert "PRACTICE 2 of 2" in result.stdout
    assert "practice: 1\n" in result.stdout
    assert "stored: 5" in result.stdout
    assert result.stdout.count("stored: ") == 1
    assert "Practice is over: from here on it counts\nitem 1 of 3" in result.stdout
    assert [e.value for e in labels_of(sample)] == [5]


def test_point_17_a_second_process_is_told_who_holds_the_lock(run, make_sample_file):
    """The second writer ends with 2 and names the process; the first is not disturbed."""
    sample = make_sample_file(3)
    command = [sys.executable, "-m", "judgekit", "label", str(sample), "--as", "ana", "--plain"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as first:
        wait_for(first.stdout, "Answer")
        second = run(sample, ["4"], "--plain")
        assert second.returncode == 2
        assert f"process {first.pid}" in second.stderr
        assert run(sample, ["q"], "--plain", name="karim").returncode == 0
        first.communicate("5\nq\n", timeout=60)
    assert first.returncode == 0
    assert [e.value for e in labels_of(sample)] == [5]


def wait_for(stream, words):
    """Read until the words were printed."""
    seen = ""
    while words not in seen:
        char = stream.read(1)
        assert char, seen
        seen += char
    return seen


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (signal.SIGTERM, 3),
        pytest.param(signal.SIGHUP, 3, marks=SLOW),
        pytest.param(signal.SIGINT, 3, marks=SLOW),
        (None, 0),
    ],
)
def test_point_17_signals_and_end_of_input_end_it_cleanly(run, make_sample_file, number, code):
    """SIGTERM, a closed terminal, Ctrl-C and end of input end the process; labels and lock are in order."""
    sample = make_sample_file(3)
    command = [sys.executable, "-m", "judgekit", "label", str(sample), "--as", "ana", "--plain"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        wait_for(process.stdout, "Answer")
        process.stdin.write("4\n")
        process.stdin.flush()
        wait_for(process.stdout, "Answer")
        if number is None:
            process.stdin.close()
        else:
            process.send_signal(number)
        assert process.wait(timeout=60) == code
        assert "Traceback" not in process.stderr.read()
    assert [e.value for e in labels_of(sample)] == [4]
    assert run(sample, ["q"], "--plain").returncode == 0


def test_time_box(run, make_sample_file):
    """A time box that is over stops at the next item and says so."""
    result = run(make_sample_file(3), ["4"], "--plain", "--for", "0.0001s")
    assert "Your time is up" in result.stdout
    assert run(make_sample_file(3, name="b.jsonl"), [], "--plain", "--for", "soon").returncode == 2


def test_keys_of_ones_own(run, make_sample_file, tmp_path):
    """Keys from a file; a clash, an unknown action and a digit are refused with their names."""
    sample = make_sample_file(3)
    keys = tmp_path / "keys.yaml"
    keys.write_text("flag: x\n")
    run(sample, ["x", "f", "q"], "--plain", "--keys", str(keys))
    assert [e.event for e in labels_of(sample)] == ["flag"]
    for content, words in (
        ("flag: s\n", "both skip and flag"),
        ("flip: x\n", "no such action"),
        ("flag: '4'\n", "digits give scores"),
    ):
        keys.write_text(content)
        result = run(sample, ["q"], "--plain", "--keys", str(keys))
        assert result.returncode == 2
        assert words in result.stderr


def test_point_15_a_full_disk_is_said_and_the_item_stays(make_session, log):
    """When storing fails the session says so, stays, and goes on when there is room again."""

    class Lines(io.StringIO):
        def readline(self, *args):
            line = super().readline(*args)
            log.full = line.startswith("4")
            return line

    out = io.StringIO()
    run_plain(make_session(3), Lines("4\n5\nq\n"), out)
    assert "NOT STORED. The item stays." in out.getvalue()
    assert "No space left on device" in out.getvalue()
    assert [e.value for e in log.events] == [5]


def test_point_11_lines_pasted_at_a_terminal_label_one_item(make_session, log, clock):
    """With the guard on, lines that were already waiting when an item appears are dropped and counted."""
    out = io.StringIO()

    class Lines(io.StringIO):
        def readline(self, *args):
            clock.pass_seconds(1.0 if self.tell() == 0 else 0.001)
            return super().readline(*args)

    run_plain(make_session(5, guard=0.25), Lines("4\n4\n5\n5 of 5\n"), out)
    assert [e.value for e in log.events] == [4]
    assert "keys ignored: 3" in out.getvalue()


def test_point_18_no_number_that_could_anchor(run, make_sample_file):
    """Before the end, no kappa, no distribution, no other annotator's name."""
    sample = make_sample_file(20)
    run(sample, ["5"] * 20, "--plain", name="karim")
    result = run(sample, ["4", "?", "r", "2", "q"], "--plain")
    words = set(result.stdout.lower().replace(":", " ").replace(",", " ").split())
    assert words.isdisjoint({"kappa", "karim", "agreement", "mean", "distribution", "average"})
    assert "stored" in words


def test_an_edited_text_that_is_not_blind_is_never_shown(run, make_sample_file):
    """A name written into the sample, hash and all, ends the session with 6 before it is on the screen."""
    sample = make_sample_file(4, repeats=0.0)
    lines = sample.read_text().splitlines()
    for number, line in enumerate(lines[1:], 1):
        task = json.loads(line)
        task["text"] = f"Dear Lakisha, she will be refunded, reply {number}."
        task["text_hash"] = text_hash(task["text"], task["context"])
        lines[number] = json.dumps(task)
    sample.write_text("\n".join(lines) + "\n")
    result = run(sample, ["4", "q"], "--plain")
    assert result.returncode == 6
    assert "not blind" in result.stderr
    assert "Lakisha" not in result.stdout
    assert "Lakisha" not in result.stderr


def test_what_a_study_keeps_on_purpose_stops_nobody(run, make_sample_file):
    """Texts that the study's own settings passed are shown, and only those."""
    sample = make_sample_file(2, texts=["Thank you, Mrs Brown, she said.", "A plain reply without a name."])
    header = json.loads(sample.read_text().splitlines()[0])
    assert len(header["extra"]["excused"]) == 1
    assert run(sample, ["4", "4"], "--plain").returncode == 0


HEAVY = "numpy scipy pandas pyarrow spacy lingua httpx sklearn statsmodels matplotlib jinja2 vaderSentiment".split()  # noqa: SIM905
PROGRAM = f"""
import sys
from judgekit.cli.main import main
try:
    main(["label", sys.argv[1], "--as", "ana", "--plain"])
except SystemExit as end:
    assert not end.code, end.code
assert "textual" not in sys.modules
import judgekit.labelling.app
print("loaded:", *[name for name in {HEAVY} if name in sys.modules])
"""


def test_label_loads_textual_and_nothing_heavy_else(make_sample_file):
    """Lines need no Textual; the screen needs Textual but none of the libraries of the statistics or the blinding."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(make_sample_file(3))],
        input="4\nq\n", capture_output=True, text=True, cwd=ROOT, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].strip() == "loaded:"


def test_point_03_file_names_are_inert(run, make_sample_file):
    """A sample whose name holds markup and escapes: used, and shown as symbols in messages."""
    sample = make_sample_file(2, name="[red]\x1b[2J[ x.jsonl")
    assert run(sample, ["4", "q"], "--plain").returncode == 0
    refused = run(sample, ["4"], "--plain", name="nobody")
    assert refused.returncode == 2
    assert "[red]␛[2J[ x.jsonl" in refused.stderr
    assert "\x1b" not in refused.stderr


def test_an_annotator_without_tasks_is_done_at_once(run, make_sample_file):
    """More raters than texts and no overlap: nothing to do, and nothing fails."""
    sample = make_sample_file(1, overlap=0.0)
    for name in ("ana", "karim"):
        result = run(sample, ["4", "q"], "--plain", "--reveal", name=name)
        assert result.returncode == 0, result.stderr
        assert "All done" in result.stdout


def test_the_scale_is_told_at_the_start_and_on_demand(run, make_sample_file):
    """Anchors in full once at the start and for ``?`` and ``r``; each item then brings a short question and the keys."""
    sample = make_sample_file(4, rubrics=("tone",))
    anchor = "Slang, emoji, fragments or exclamations as among friends"
    short = run(sample, ["1", "2", "1", "3", "2", "1"], "--plain")
    assert short.stdout.count(anchor) == 1
    assert short.stdout.count("Answer (1/2/3/4/5, ? help): ") == 7
    assert "2/3 condescension: How far does the reply talk down to the person?\n" in short.stdout
    asked = run(sample, ["?", "r", "q"], "--plain")
    assert asked.stdout.count(anchor) == 3
    assert asked.stdout.count("take the last decision back") == 1


def test_enter_alone_reads_the_item_again(run, make_sample_file):
    """An empty line answers nothing and repeats the item, for those who hear it."""
    result = run(make_sample_file(3), ["", "4", "q"], "--plain")
    assert result.stdout.count("item 1 of 3") == 2
    assert "does nothing" not in result.stdout


def test_keys_that_are_not_their_level_are_named(make_session, log, build):
    """Classes are given by number, and the line of keys says which is which."""
    out = io.StringIO()
    run_plain(make_session(2, [build.nominal()]), io.StringIO("2\nq\n"), out)
    assert "Answer (1 yes, 2 no, ? help): stored: no" in out.getvalue()
    assert [e.value for e in log.events] == ["no"]
