"""One tiny call to a judge: does it answer, and can the answer be read?"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator

from judgekit.blinding.mask import Blinder
from judgekit.blinding.verify import Verifier
from judgekit.checkup.checks import Check, blocked, fine, warn
from judgekit.endpoints.base import ADAPTED, RawAnswer, Request
from judgekit.endpoints.loop import in_a_loop
from judgekit.errors import JudgekitError
from judgekit.judging.handle import JudgeHandle
from judgekit.judging.parse import read_pointwise
from judgekit.judging.prompt import Prompts, call_for
from judgekit.records import BlindedReply, Reply, Rubric, Scored

__all__ = ["ask_once", "tiny_call"]

_TEXTS = {
    "en": "Thank you for your message. The parcel leaves the house on Monday.",
    "es": "Gracias por su mensaje. El paquete sale de la casa el lunes.",
}
_ADAPTATIONS = 4


def tiny_call(rubric: Rubric, judge: JudgeHandle, lang: str = "en") -> Request:
    """The request of a check: an invented sentence, judged by a rubric. Nothing of a user's data is in it.

    Parameters
    ----------
    rubric : Rubric
    judge : JudgeHandle
    lang : str
        ``en`` or ``es``.

    Returns
    -------
    Request
    """
    reply = Reply(id="check", text=_TEXTS.get(lang, _TEXTS["en"]), lang=lang if lang in _TEXTS else "en")
    verified = Verifier().verify(Blinder(ner="off").mask(reply))
    if not isinstance(verified, BlindedReply):
        raise TypeError("the sentence of the check does not pass the verifier")
    prompts = Prompts([rubric])
    return prompts.render(call_for(verified, rubric, judge, prompts=prompts), secrets.token_hex(8))


def ask_once(request: Request, judge: JudgeHandle) -> Iterator[Check]:
    """Send it, and say what came back.

    Parameters
    ----------
    request : Request
        From `tiny_call`.
    judge : JudgeHandle

    Yields
    ------
    Check
        Blocks when there is no answer, or none that can be read.
    """
    answers: list[RawAnswer] = []

    async def ask() -> None:
        try:
            # A service that does not take a setting says so, and is asked again without it, as in a run.
            for _ in range(_ADAPTATIONS):
                answers.append(await judge.endpoint.send(request))
                if answers[-1].error_kind != ADAPTED:
                    break
        finally:
            await judge.endpoint.close()

    start = time.monotonic()
    try:
        judge.ready()
        in_a_loop(ask)
    except JudgekitError as problem:
        yield blocked("endpoint", problem)
        return
    answer, took = answers[-1], time.monotonic() - start
    if answer.error_kind is not None:
        detail = f": {answer.error_detail}" if answer.error_detail else ""
        yield blocked("endpoint", f"{judge.endpoint_id}: {answer.error_kind}{detail}", _REMEDIES.get(answer.error_kind))
        return
    served = f", served by {answer.served_model}" if answer.served_model else ""
    tokens = sum((answer.usage or {}).get(kind, 0) for kind in ("prompt_tokens", "completion_tokens"))
    yield fine(
        "endpoint", f"{judge.endpoint_id} answered in {took:.1f} s{served}{f', {tokens} tokens' if tokens else ''}"
    )
    if judge.dropped:
        yield warn("endpoint", f"it does not take {', '.join(judge.dropped)}: it is asked without")
    reading = read_pointwise(answer.raw, dimensions=request.dimensions, finish_reason=answer.finish_reason)
    for dimension, outcome in reading.outcomes.items():
        if isinstance(outcome, Scored):
            yield fine("endpoint", f"{dimension}: the answer can be read")
        else:
            yield blocked("endpoint", f"{dimension}: the answer cannot be read ({outcome}): {(answer.raw or '')[:80]}",
                          "choose a model that follows the form, or raise judge.max_tokens")  # fmt: skip


_REMEDIES = {
    "auth": "check the key: its variable is named in api_key_env (OPENAI_API_KEY or ANTHROPIC_API_KEY by default)",
    "quota": "raise the quota, or wait for it to renew",
    "missing": "check the model's name, and the address, path or command",
    "connection": "is the service running at this address? --base-url, or OPENAI_BASE_URL",
    "timeout": "is the service running at this address? --base-url, or OPENAI_BASE_URL",
}
