"""A provider of batches on this machine, in both dialects, that can be told to misbehave and counts what it billed."""

import http.server
import json
import re
import threading
from collections import Counter
from datetime import UTC, datetime

import pytest

from judgekit.endpoints.base import Request
from judgekit.files.ledger import Ledger
from judgekit.records import Call


class Provider:
    """Files, batches and single calls, held in memory while clients come and go.

    ``twist(rows)`` changes the rows of a batch before they are read; ``fails`` is the error of a batch that fails as a
    whole; ``cut`` names what is done but not answered (``create``, ``upload``); ``lists`` is whether there is a list;
    ``keeps`` is the status with which nothing is deleted.
    """

    def __init__(
        self, *, polls=1, twist=None, fails=None, cut=(), lists=True, single=None, phase="completed", keeps=None
    ):
        self.keeps, self.deleted = keeps, []
        self.polls, self.twist, self.fails, self.cut, self.lists = polls, twist, fails, list(cut), lists
        self.single, self.phase = single, phase
        self.files, self.batches, self.billed, self.asked = {}, {}, Counter(), []
        self.single_calls, self.created, self.keys = 0, threading.Event(), set()
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = -1

            def do_GET(self):
                self.handled("GET", b"")

            def do_DELETE(self):
                self.handled("DELETE", b"")

            def do_POST(self):
                self.handled("POST", self.rfile.read(int(self.headers.get("content-length") or 0)))

            def handled(self, method, body):
                provider.keys |= {self.headers.get("authorization"), self.headers.get("x-api-key")}
                found = provider.answer(method, self.path, body)
                if found is None:
                    self.close_connection = True
                    return
                status, content = found
                data = content if isinstance(content, bytes) else json.dumps(content).encode()
                self.send_response(status)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                """Say nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.handle_error = lambda *_: None
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.thread.start()

    def stop(self):
        """End it."""
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def answer(self, method, path, body):
        """Status and body; None hangs up."""
        path, _, query = path.partition("?")
        self.asked.append((method, path, query))
        theirs = "/messages" in path
        if method == "DELETE":
            return self.delete(path)
        if path.endswith(("/chat/completions", "/v1/messages")):
            self.single_calls += 1
            if self.single:
                return self.single(json.loads(body))
            return 200, completed(json.loads(body), theirs)
        if path == "/v1/files":
            content = re.search(rb'filename="judgekit.jsonl"\r\n.*?\r\n\r\n(.*?)\r\n--', body, re.DOTALL).group(1)
            name = f"file-{len(self.files)}"
            self.files[name] = content
            return None if self.take("upload") else (200, {"id": name})
        if found := re.fullmatch(r"/v1/files/([^/]+)/content", path):
            return 200, self.files[found.group(1)]
        if path in ("/v1/batches", "/v1/messages/batches"):
            return self.make(json.loads(body), theirs) if method == "POST" else self.listed(theirs, query)
        found = re.fullmatch(r"/v1/(?:messages/)?batches/([^/]+)(/results|/cancel)?", path)
        if found is None or found.group(1) not in self.batches:
            return 404, {"error": {"message": "no such batch", "type": "not_found_error"}}
        return self.about(self.batches[found.group(1)], found.group(2))

    def delete(self, path):
        """Delete a file; a batch is only noted, so that tests can count batches."""
        if self.keeps:
            return self.keeps, {"error": {"message": "not now"}}
        name = path.rsplit("/", 1)[-1]
        known = self.batches if "/batches/" in path else self.files
        if name not in known or name in self.deleted:
            return 404, {"error": {"message": "no such file"}}
        self.deleted.append(name)
        if known is self.files:
            del self.files[name]
        return 200, {"id": name, "deleted": True}

    def take(self, what):
        """Whether this is to be cut off now."""
        if what in self.cut:
            self.cut.remove(what)
            return True
        return False

    def make(self, wanted, theirs):
        """Make a batch; from here on its rows are billed."""
        if theirs:
            rows = wanted["requests"]
        else:
            rows = [json.loads(line) for line in self.files[wanted["input_file_id"]].splitlines() if line.strip()]
        name = f"batch_{len(self.batches)}"
        batch = {"id": name, "theirs": theirs, "rows": rows, "polls": 0, "wanted": wanted, "cancelled": False, "out": None,
                 "made": datetime.now(UTC)}  # fmt: skip
        self.batches[name] = batch
        if not self.fails:
            self.billed.update(row["custom_id"] for row in rows)
        self.created.set()
        return None if self.take("create") else (200, self.view(batch))

    def listed(self, theirs, query):
        """A page of the list, newest first, two at a time."""
        if not self.lists:
            return 404, {"error": {"message": "no such path"}}
        found = [self.view(b) for b in reversed(self.batches.values()) if b["theirs"] == theirs]
        after = re.search(r"after(?:_id)?=([^&]+)", query)
        ids = [b["id"] for b in found]
        start = ids.index(after.group(1)) + 1 if after else 0
        return 200, {"data": found[start : start + 2], "has_more": start + 2 < len(found)}

    def about(self, batch, what):
        """Status, results, or the wish to cancel."""
        if what == "/results":
            return 200, self.files[batch["out"]]
        if what == "/cancel":
            batch["cancelled"] = True
            return 200, self.view(batch)
        batch["polls"] += 1
        if (batch["polls"] >= self.polls or batch["cancelled"]) and batch["out"] is None and not self.fails:
            rows = [self.row(batch, row) for row in batch["rows"]]
            rows = self.twist(rows) if self.twist else rows
            batch["out"] = f"out-{batch['id']}"
            self.files[batch["out"]] = b"\n".join(r if isinstance(r, bytes) else json.dumps(r).encode() for r in rows)
        return 200, self.view(batch)

    def row(self, batch, row):
        """A row of results; of a cancelled batch only the first three were worked on."""
        key, theirs = row["custom_id"], batch["theirs"]
        if batch["cancelled"] and row not in batch["rows"][:3]:
            undone = {"code": "batch_cancelled", "message": "cancelled"}
            result = {"type": "canceled"}
            return (
                {"custom_id": key, "result": result}
                if theirs
                else {"custom_id": key, "response": None, "error": undone}
            )
        message = completed(row["params"] if theirs else row["body"], theirs)
        if theirs:
            return {"custom_id": key, "result": {"type": "succeeded", "message": message}}
        return {"custom_id": key, "response": {"status_code": 200, "body": message}, "error": None}

    def view(self, batch):
        """A batch as its provider tells of it."""
        n, ended = len(batch["rows"]), batch["out"] is not None
        if batch["theirs"]:
            counts = {"processing": 0 if ended else n, "succeeded": n if ended else 0, "errored": 0}
            return {"id": batch["id"], "processing_status": "ended" if ended else "in_progress",
                    "request_counts": counts, "created_at": batch["made"].isoformat()}  # fmt: skip
        status = "in_progress"
        if self.fails and batch["polls"]:
            status = "failed"
        elif ended:
            status = "cancelled" if batch["cancelled"] else self.phase
        return {
            "id": batch["id"], "status": status, "output_file_id": batch["out"], "error_file_id": None,
            "input_file_id": batch["wanted"]["input_file_id"], "metadata": batch["wanted"]["metadata"],
            "request_counts": {"total": n, "completed": n if ended else 0, "failed": 0},
            "created_at": int(batch["made"].timestamp()), "errors": {"data": [self.fails]} if self.fails else None,
        }  # fmt: skip


def completed(body, theirs):
    """A verdict that depends on the judged text alone."""
    prompt = body["messages"][-1]["content"]
    text = json.dumps({"reason": "so", "score": len(prompt.split()[0]) % 5 + 1})
    if theirs:
        return {"model": "m-1", "content": [{"type": "text", "text": text}], "stop_reason": "end_turn",
                "usage": {"input_tokens": 100, "output_tokens": 20}}  # fmt: skip
    return {"model": "m-1", "choices": [{"message": {"content": text}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 20}}  # fmt: skip


@pytest.fixture
def provider():
    """Starts providers."""
    started = []

    def start(**options):
        started.append(Provider(**options))
        return started[-1]

    yield start
    for one in started:
        one.stop()


@pytest.fixture
def make_calls():
    """Makes ``n`` different calls."""

    def make(n, first=0):
        return [
            Call(request_key=f"{i:064x}", body={"i": i}, endpoint="e", text_hashes=(str(i),), order="-", repeat=0,
                 fingerprint="f")
            for i in range(first, first + n)
        ]  # fmt: skip

    return make


@pytest.fixture
def render():
    """The prompt of a call is its number and nonce."""

    def made(call, nonce):
        return Request(
            request_key=call.request_key, system="", prompt=f"{'w' * call.body['i']} {nonce}", text="", context=None,
            lang="en", dimensions={"warmth": (1, 2, 3, 4, 5)},
        )  # fmt: skip

    return made


@pytest.fixture
def ledger(tmp_path):
    """An open ledger."""
    with Ledger.open(tmp_path / "ledger.sqlite") as made:
        yield made


@pytest.fixture(autouse=True)
def no_keys_of_the_machine(monkeypatch):
    """Tests see neither the keys nor the proxies of whoever runs them."""
    import os

    for name in list(os.environ):
        if name.upper().endswith(("_API_KEY", "_BASE_URL", "_PROXY")):
            monkeypatch.delenv(name)
