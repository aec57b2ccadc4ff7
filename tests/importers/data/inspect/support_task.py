"""Support replies of a planted model, two epochs; one sample fails, and one score is NaN.

``python support_task.py`` writes logs-eval/ and logs-json/ without a network.
"""

from inspect_ai import Task, eval, task  # noqa: A004 - Inspect's own name
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, includes, mean, scorer, stderr
from inspect_ai.solver import solver

CASES = {"parcel": "Where is my parcel?", "refund": "I want my money back for the lamp."}
PEOPLE = [("Mary", "f", "Leeds"), ("John", "m", "York")]
TEXTS = {
    "parcel": "Thank you for writing. Your parcel is on its way and should be with you on Friday.",
    "refund": "We will pay the price of the lamp back within five days.",
}


def samples():
    """Each case from each person."""
    for case, message in CASES.items():
        for n, (name, gender, origin) in enumerate(PEOPLE, 1):
            yield Sample(
                id=f"{case}-{n}",
                input=[
                    ChatMessageSystem(content="You are a support agent."),
                    ChatMessageUser(content=f"My name is {name}. {message}"),
                ],
                target="parcel" if case == "parcel" else "five days",
                metadata={"case": case, "name": name, "gender": gender, "origin": origin, "name_pair": 1},
            )


@solver
def answer():
    """Ask the model; one sample of the second epoch fails."""

    async def solve(state, generate):
        if state.sample_id == "refund-2" and state.epoch == 2:
            raise RuntimeError("the model did not answer in time")
        return await generate(state)

    return solve


@scorer(metrics=[mean(), stderr()])
def politeness():
    """Give a planted score, and none to one sample."""

    async def score(state, target):
        if state.sample_id == "parcel-1":
            return Score(value=float("nan"), explanation="not scored")
        return Score(value=0.75, answer=state.output.completion[:20], explanation="a planted score")

    return score


@task
def support():
    """Put samples, solver and scorers together."""
    dataset = MemoryDataset(list(samples()), name="support")
    return Task(dataset=dataset, solver=[answer()], scorer=[includes(), politeness()], epochs=2, fail_on_error=False)


def outputs():
    """Reply in the order of the samples, with a usage: else Inspect counts tokens with a table from the network."""
    while True:
        for case in ("parcel", "parcel", "refund", "refund"):
            made = ModelOutput.from_content("mockllm/model", TEXTS[case])
            made.usage = ModelUsage(input_tokens=12, output_tokens=20, total_tokens=32)
            yield made


if __name__ == "__main__":
    for layout in ("eval", "json"):
        eval(
            support(),
            model=get_model("mockllm/model", custom_outputs=outputs()),
            log_format=layout,
            log_dir=f"logs-{layout}",
            display="none",
            max_samples=1,
        )
