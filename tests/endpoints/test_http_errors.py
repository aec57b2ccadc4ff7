"""What statuses, error bodies and waiting times of services mean."""

import json

import pytest

from judgekit.endpoints.http import Reply, Secret
from judgekit.endpoints.http_errors import kind_of, read_refusal, refused, retry_after

NOW = 1_767_603_600.0  # Mon, 05 Jan 2026 09:00:00 GMT


def reply(status, body=b"", **headers):
    """A reply with a document or bytes in it."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Reply(status, {k.replace("_", "-"): v for k, v in headers.items()}, data)


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (400, {"message": "bad"}, "bad_request"),
        (422, {"message": "bad"}, "bad_request"),
        (418, {}, "bad_request"),
        (400, {"message": "This model's maximum context length is exceeded"}, "context_length"),
        (400, {"message": "x", "code": "context_length_exceeded"}, "context_length"),
        (400, {"message": "x", "type": "exceed_context_size_error", "code": 400}, "context_length"),
        (400, {"type": "invalid_request_error", "message": "prompt is too long: 210000 tokens"}, "context_length"),
        (413, {"type": "request_too_large", "message": "x"}, "context_length"),
        (400, {"message": "Your credit balance is too low to access the API"}, "quota"),
        (401, {"message": "x"}, "auth"),
        (403, {"message": "x"}, "auth"),
        (402, {"message": "x"}, "quota"),
        (429, {"message": "x", "code": "insufficient_quota"}, "quota"),
        (429, {"message": "x", "type": "insufficient_quota"}, "quota"),
        (429, {"message": "You exceeded your current quota, retry in 30 s"}, "rate_limit"),
        (429, {"message": "x", "code": "rate_limit_exceeded"}, "rate_limit"),
        (404, {"message": "x", "code": "model_not_found"}, "missing"),
        (400, {"message": "x", "code": "model_not_found"}, "missing"),
        (404, {}, "missing"),
        (405, {}, "missing"),
        (301, {}, "missing"),
        (408, {}, "server"),
        (409, {}, "server"),
        (425, {}, "server"),
        (500, {"message": "x"}, "server"),
        (502, {}, "server"),
        (503, {}, "server"),
        (504, {}, "server"),
        (529, {"type": "overloaded_error", "message": "Overloaded"}, "server"),
    ],
)
def test_each_status_has_its_kind(status, error, kind):
    """Statuses and error codes map to the closed list of kinds."""
    answer = refused(reply(status, {"error": error}), secret=None, now=NOW)
    assert (answer.raw, answer.error_kind, answer.status) == (None, kind, status)
    assert answer.error_detail.startswith(f"HTTP {status}")


@pytest.mark.parametrize("code", ["content_filter", "content_policy_violation"])
def test_a_filtered_prompt_is_an_outcome_of_its_row(code):
    """A service that reads a text and will not judge it gives an empty answer that was filtered, not an error."""
    answer = refused(reply(400, {"error": {"message": "filtered", "code": code}}), secret=None, now=NOW)
    assert (answer.raw, answer.finish_reason, answer.error_kind) == ("", "content_filter", None)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"error": {"message": "said"}}', "said"),
        (b'{"error": "said"}', "said"),
        (b'{"message": "said"}', "said"),
        (b'{"detail": "said"}', "said"),
        (b'[{"error": {"message": "said"}}]', "said"),
        (b"<html><body><h1>said</h1></body></html>", "said"),
        (b"said", "said"),
        (b'{"type": "error", "error": {"type": "api_error", "message": "said"}}', "said"),
        (b"", ""),
        (b"[" * 100_000, None),
        (b"\xff\xfe", None),
        (b"null", None),
        (b"[]", None),
        (b'{"error": []}', None),
    ],
)
def test_error_bodies_of_every_form_are_read(body, message):
    """Providers, gateways and frameworks put their message in different places; broken bodies raise nothing."""
    found = read_refusal(body)
    assert message is None or found.message == message


def test_validation_errors_name_their_place():
    """A list of complaints, as Python frameworks send it, is kept as text so that the setting's name is in it."""
    body = {"detail": [{"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}
    assert "seed" in read_refusal(json.dumps(body).encode()).message


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": " 1.25 "}, 1.25),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after": "Mon, 05 Jan 2026 09:00:30 GMT"}, 30.0),
        ({"retry-after": "Mon, 05 Jan 2026 08:00:00 GMT"}, 0.0),
        ({"retry-after": "Monday, 05-Jan-26 09:00:30 GMT"}, 30.0),
        ({"retry-after": "Mon Jan  5 09:00:30 2026"}, 30.0),
        # The service's clock is 10 minutes ahead: the difference between its own two times counts.
        ({"retry-after": "Mon, 05 Jan 2026 09:10:30 GMT", "date": "Mon, 05 Jan 2026 09:10:00 GMT"}, 30.0),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "1500", "retry-after": "2"}, 2.0),
        ({"retry-after-ms": "2500", "retry-after": "2"}, 2.5),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "Mon, 99 Foo 2026"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
        ({"x-ratelimit-reset-requests": "120ms", "x-ratelimit-remaining-requests": "0"}, 0.12),
        ({"x-ratelimit-reset-tokens": "6m0s", "x-ratelimit-remaining-tokens": "0"}, 360.0),
        ({"x-ratelimit-reset-tokens": "1h2m3.5s", "x-ratelimit-remaining-tokens": "0"}, 3723.5),
        ({"x-ratelimit-reset-tokens": "1d", "x-ratelimit-remaining-tokens": "0"}, 86400.0),
        ({"x-ratelimit-reset-tokens": "6m0s", "x-ratelimit-remaining-tokens": "900"}, None),
        ({"x-ratelimit-reset-requests": "2s", "x-ratelimit-reset-tokens": "5s"}, 5.0),
        ({"anthropic-ratelimit-requests-reset": "2026-01-05T09:00:12Z"}, 12.0),
        ({"x-ratelimit-reset": "1767603620"}, 20.0),
        ({"ratelimit-reset": "4"}, 4.0),
        ({"x-ratelimit-reset-requests": "later"}, None),
        ({"x-ratelimit-reset-requests": "9" * 5000 + "s"}, None),
        ({"retry-after": "3", "x-ratelimit-reset-tokens": "6m0s"}, 3.0),
    ],
)
def test_every_form_of_a_pause_is_read(headers, seconds):
    """Seconds, decimals, dates, milliseconds and the times at which limits renew; what cannot be read is no pause."""
    found = retry_after(headers, now=NOW)
    assert found == pytest.approx(seconds) if seconds is not None else found is None


def test_pauses_count_only_where_waiting_helps():
    """A renewal time beside another error than a rate limit says nothing; Retry-After with a 503 does."""
    renewing = {"x_ratelimit_reset_requests": "9s"}
    assert refused(reply(500, {}, **renewing), secret=None, now=NOW).retry_after is None
    assert refused(reply(429, {}, **renewing), secret=None, now=NOW).retry_after == 9.0
    assert refused(reply(503, {}, retry_after="3"), secret=None, now=NOW).retry_after == 3.0
    assert refused(reply(400, {}, retry_after="3"), secret=None, now=NOW).retry_after is None


def test_a_quoted_key_is_hidden():
    """A service that quotes the key, whole or in part, does not get it into our files."""
    secret = Secret("sk-sentinel-0123456789", "K")
    for said in ("wrong: sk-sentinel-0123456789!", "wrong: sk-sentinel-01...", "wrong: ...-0123456789"):
        detail = refused(reply(401, {"error": said}), secret=secret, now=NOW).error_detail
        assert "0123456" not in detail
        assert "sentinel" not in detail
        assert "wrong: " in detail


def test_kinds_do_not_depend_on_letters():
    """Codes are compared without regard to case."""
    assert kind_of(429, read_refusal(b'{"error": {"code": "Insufficient_Quota"}}')) == "quota"
