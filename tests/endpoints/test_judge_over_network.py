"""The commands with a judge over the network: names stay here, keys stay in memory, faults end as promised."""

import json
from pathlib import Path

import pytest

from judgekit.cli.main import main

SENTINEL = "sk-SENTINEL-7f3a9c1e5b2d4680-END"
NAMES = {"x": ("Emily", "Anne"), "y": ("Lakisha", "Aisha")}


def answer(request, _n):
    """Score 4, by the schema asked for."""
    verdict = {"reason": "kind", "score": 4}
    document = {
        "model": "served-1",
        "choices": [{"message": {"content": json.dumps(verdict)}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 50, "completion_tokens": 10},
    }
    return 200, {}, document


@pytest.fixture(scope="module")
def blinded(tmp_path_factory):
    """Blinded replies of two groups, twelve texts."""
    folder = tmp_path_factory.mktemp("blinded")
    rows = [
        {"id": f"{group}{i}{name}", "template_id": f"t{i}", "group": group, "name": name, "known_names": [name],
         "lang": "en", "text": f"Dear {name}, " + words}
        for i, words in enumerate(("thank you, we are glad to help.", "this was denied, it is your fault.", "please wait."))
        for group, names in NAMES.items()
        for name in names
    ]  # fmt: skip
    path = folder / "replies.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run_here("blind", path, "-o", folder / "blinded.jsonl", "--ner", "off") == 0
    return folder / "blinded.jsonl"


class Done:
    """What a command ended with."""

    def __init__(self, code, stdout="", stderr=""):
        self.returncode, self.stdout, self.stderr = code, stdout, stderr


def run_here(*arguments):
    """Run a command in this process; its exit code."""
    try:
        main([str(argument) for argument in arguments])
    except SystemExit as end:
        return int(end.code or 0)
    return 0


@pytest.fixture
def judgekit(capsys, caplog):
    """Runs commands with every logger at its lowest level; what it logged counts as written to standard error."""
    caplog.set_level(1)
    for library in ("httpx", "httpcore"):
        # Another test may have asked for --debug in this process, which quiets them.
        caplog.set_level(1, logger=library)

    def run(*arguments):
        caplog.clear()
        code = run_here(*arguments)
        said = capsys.readouterr()
        logged = "\n".join(f"{record.getMessage()} {record.exc_text or ''}" for record in caplog.records)
        return Done(code, said.out, said.err + logged)

    return run


@pytest.fixture
def judge(judgekit, blinded, tmp_path):
    """Judges the blinded replies with a service."""

    def run(url, *more):
        given = (
            "judge", blinded, "--rubric", "warmth", "--judge", "openai:mock-judge-1", "--base-url", url,
            "-o", tmp_path / "out.jsonl", *more,
        )  # fmt: skip
        return judgekit(*given)

    return run


def files_with(folder, needle):
    """Files below a folder that hold these bytes."""
    return [p.name for p in Path(folder).rglob("*") if p.is_file() and needle.encode() in p.read_bytes()]


def test_judging_over_the_network(web, judge, monkeypatch):
    """All texts are scored, the cost limit is kept, and a second run asks for nothing, without a key."""
    service = web(answer)
    given = ("--max-cost", "1", "--price-in", "1", "--price-out", "2", "--temperature", "0.5")
    monkeypatch.setenv("OPENAI_API_KEY", SENTINEL)
    done = judge(service.url, *given, "--json")
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout)
    assert counts["judge"] == "openai:mock-judge-1"
    assert {c["scored"] for c in counts["counts"]["warmth"].values()} == {6}
    assert {r["temperature"] for r in service.requests} == {0.5}
    asked = len(service.requests)
    monkeypatch.delenv("OPENAI_API_KEY")
    again = judge(service.url, *given, "--force", "--api-key-env", "NOT_SET")
    assert again.returncode == 0, again.stderr
    dry = judge(service.url, "--temperature", "0", "--dry-run")
    assert "to send" in dry.stdout
    assert len(service.requests) == asked


def test_a_setting_that_is_not_taken_is_told(web, judge):
    """A judge without a temperature is asked without one, and the user reads so."""

    def picky(request, n):
        if "temperature" in request:
            return 400, {}, {"error": {"message": "temperature is not supported", "code": "unsupported_parameter"}}
        return answer(request, n)

    done = judge(web(picky).url)
    assert done.returncode == 0, done.stderr
    assert "does not take temperature" in done.stderr


@pytest.mark.parametrize(
    ("planned", "code"), [("good", 0), ("quoted", 3), ("in the answer", 0), ("eof", 3), ("redirect", 3)]
)
def test_a_key_stays_in_memory(web, judge, tmp_path, monkeypatch, planned, code):
    """With logs at their lowest level, a service that quotes the key, hangs up or redirects: it is nowhere."""

    def service_answer(request, n):
        if planned in {"good", "eof"}:
            return answer(request, n) if planned == "good" else "eof"
        if planned == "in the answer":
            document = {**answer(request, n)[2], "system_fingerprint": SENTINEL, "model": SENTINEL}
            return 200, {"x-echo": SENTINEL}, document
        if planned == "redirect":
            return 307, {"Location": f"http://127.0.0.1:9/?key={SENTINEL}"}, {}
        return 401, {"www-authenticate": SENTINEL}, {"error": {"message": f"Incorrect API key provided: {SENTINEL}."}}

    service = web(service_answer)
    monkeypatch.setenv("JUDGE_KEY", SENTINEL)
    done = judge(service.url, "--retries", "0", "--api-key-env", "JUDGE_KEY")
    assert done.returncode == code, done.stderr[-2000:]
    assert {h["authorization"] for h in service.headers} == {f"Bearer {SENTINEL}"}
    assert "receive_response_headers" in done.stderr or planned == "eof"
    for piece in (SENTINEL, SENTINEL[:16], SENTINEL[-16:]):
        assert piece not in done.stdout + done.stderr
        assert files_with(tmp_path, piece) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("--base-url", f"https://api.example/v1?key={SENTINEL}"),
        ("--base-url", f"https://{SENTINEL}@api.example/v1"),
        ("--base-url", "https://api.example/v1", "--api-key-env", SENTINEL),
        ("--judge", f"openai:m?key={SENTINEL}"),
    ],
)
def test_a_key_on_the_command_line_is_refused(judgekit, blinded, tmp_path, arguments):
    """An address or a name with a key in it ends with exit 2, is not repeated, and nothing is written."""
    done = judgekit(
        "judge", blinded, "--rubric", "warmth", "--judge", "openai:m", "-o", tmp_path / "out.jsonl", *arguments
    )
    assert done.returncode == 2
    assert SENTINEL not in done.stdout + done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_missing_key_is_named_before_anything_is_written(judgekit, blinded, tmp_path):
    """Exit 2, the variable's name, no ledger."""
    done = judgekit("judge", blinded, "--rubric", "warmth", "--judge", "anthropic:m", "-o", tmp_path / "out.jsonl")
    assert done.returncode == 2
    assert "ANTHROPIC_API_KEY" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_names_never_leave_while_judging_and_do_in_the_swap_test(mock_judge, judge, judgekit, blinded):
    """The wire carries no name during `judge`; the swap test, which exists to show names, sends them."""
    names = [name for names in NAMES.values() for name in names]
    service = mock_judge(leak_terms=",".join(names))
    done = judge(f"{service.url}/v1")
    assert done.returncode == 0, done.stderr
    assert service.stats()["judged"] > 0
    assert service.stats()["leaks"] == {}
    chosen = ("--judge", "openai:mock-judge-1", "--base-url", f"{service.url}/v1")
    swap = judgekit("swaptest", blinded, "--rubric", "warmth", *chosen, "--json")
    assert swap.returncode in {0, 1, 4}, swap.stderr
    assert set(service.stats()["leaks"]) == {name.lower() for name in names}


def test_the_swap_test_of_a_file_keeps_its_limits(web, judgekit, blinded, tmp_path):
    """Blinded and filled texts share ``--max-calls``; exit 3, and the next run goes on; a study has limits of its own."""
    service = web(answer)
    copy = tmp_path / "blinded.jsonl"
    for name in ("blinded.jsonl", "blinded.design.jsonl"):
        (tmp_path / name).write_bytes((blinded.parent / name).read_bytes())
    given = ("swaptest", copy, "--rubric", "warmth", "--judge", "openai:m", "--base-url", service.url, "--json")
    for runs in (1, 2):
        assert judgekit(*given, "--max-calls", "4").returncode == 3
        assert len(service.requests) == 4 * runs
    assert judgekit(*given).returncode in {0, 1, 4}
    assert len(service.requests) > 8
    refused = judgekit("swaptest", tmp_path, "--max-calls", "8")
    assert (refused.returncode, "own limits" in refused.stderr) == (2, True)
