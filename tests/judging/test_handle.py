"""Judge SPECs: what is there, what is not yet, and what may be printed."""

from __future__ import annotations

import pytest

from judgekit.errors import ConfigProblem
from judgekit.judging.handle import SPEC_FORMS, make_judge
from judgekit.rubric import load_rubric


def test_an_unknown_form_names_those_there_are() -> None:
    """A form that does not exist is answered with all that do."""
    with pytest.raises(ConfigProblem) as caught:
        make_judge("gguf:m")
    assert caught.value.what == "no such judge"
    assert all(form in str(caught.value.why) for form in SPEC_FORMS)


@pytest.mark.parametrize(
    "spec", ["", "gpt-4", "stub:", "python:", "command: ", "lexicon:x", "openai:", "anthropic/", "replay: "]
)
def test_unknown_specs_list_the_forms(spec: str) -> None:
    """Anything else is refused with the list of forms."""
    with pytest.raises(ConfigProblem, match="no such judge"):
        make_judge(spec)


def test_command_ids_hide_arguments() -> None:
    """A program's arguments may hold keys and paths: the id has the program and a hash."""
    handle = make_judge("command:/opt/private/judge --key=s3cr3t")
    assert handle.id.startswith("command:judge#")
    assert "s3cr3t" not in handle.id + handle.endpoint_id + str(handle.endpoint.parameters)
    assert "/opt/private" not in handle.id
    assert handle.id != make_judge("command:/opt/private/judge --key=other").id


def test_local_judges_take_no_address() -> None:
    """An address or key that nothing would use is refused, not ignored."""
    with pytest.raises(ConfigProblem, match="no address"):
        make_judge("lexicon", base_url="http://localhost:1")


@pytest.mark.parametrize("spec", ["lexicon", "stub:value=3"])
def test_settings_that_nothing_would_use_are_refused(spec: str) -> None:
    """A temperature for a judge without one is a mistake, not a no-op."""
    with pytest.raises(ConfigProblem, match="no settings"):
        make_judge(spec, parameters={"temperature": 0})


@pytest.mark.parametrize("spec", ["openai:org/model-1", "openai/org/model-1", "  openai:org/model-1 "])
def test_both_ways_of_naming_a_provider_are_one_judge(spec: str) -> None:
    """A slash after the provider is read as a colon; the id is the same."""
    judge = make_judge(spec, base_url="http://127.0.0.1:8000/v1")
    assert judge.id == "openai:org/model-1"
    assert judge.endpoint_id == "openai:org/model-1@127.0.0.1:8000"


def test_prices_are_for_judges_over_the_network() -> None:
    """Prices that nothing would use are refused."""
    with pytest.raises(ConfigProblem, match="no prices"):
        make_judge("lexicon", prices={"input": 1.0, "output": 2.0})


def test_fingerprint_follows_judge_rubric_and_prompt() -> None:
    """Another judge, rubric, prompt or served model is another fingerprint; the same is the same."""
    warmth, quality = load_rubric("warmth"), load_rubric("quality")
    judge = make_judge("stub:value=3")
    base = judge.fingerprint(warmth, prompt_hashes={"en": "1"})
    assert base == make_judge("stub:value=3").fingerprint(warmth, prompt_hashes={"en": "1"})
    others = {
        make_judge("stub:value=4").fingerprint(warmth, prompt_hashes={"en": "1"}),
        judge.fingerprint(quality, prompt_hashes={"en": "1"}),
        judge.fingerprint(warmth, prompt_hashes={"en": "2"}),
        judge.fingerprint(warmth, prompt_hashes={"en": "1"}, served_model="m2"),
        judge.fingerprint(warmth, prompt_hashes={"en": "1"}, system_fingerprint="fp-2"),
    }
    assert len(others | {base}) == 6
