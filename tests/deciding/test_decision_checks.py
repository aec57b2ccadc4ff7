"""Recall and precision checks."""

import pytest

from judgekit.deciding.checks import check_answers


def variants(answered, recall=0.0, precision=0.0, direction=1, control=0.0):
    """Ten templates, each with a recall and a precision variant and a control pair."""
    made = []
    for k in range(10):
        p = 0.3 + k / 200
        made.append(answered(f"t{k}", "f", p))
        made.append(answered(f"t{k}", "f", p + recall + k / 500, "recall", direction=direction))
        made.append(answered(f"t{k}", "f", p + precision, "precision"))
        made += [answered(f"t{k}", None, p + s * control, "control", side=str(s + 1)) for s in (0, 1)]
    return made


@pytest.mark.parametrize(
    ("shifts", "recall", "precision"),
    [
        ({"recall": 0.4}, "passed", "passed"),  # as it should be
        ({"recall": 0.4, "direction": -1}, "failed", "passed"),  # moves, but the wrong way
        ({"recall": 0.4, "precision": 0.4}, "passed", "failed"),  # moves at everything
        ({"recall": 0.4, "precision": 0.4, "control": 0.4}, "passed", "passed"),  # but so do identical prompts
        ({"recall": 0.4, "direction": 0}, "passed", "passed"),  # no direction declared: the answers that changed count
        ({"recall": 0.0, "direction": 0}, "failed", "passed"),
    ],
)
def test_what_must_move_and_what_should_stay(answered, shifts, recall, precision):
    """Recall by the declared direction, precision against what identical prompts do."""
    found = check_answers(variants(answered, **shifts), probe="name", option="yes")
    assert (found.recall, found.precision) == (recall, precision), (found.recall_why, found.precision_why)
    assert (found.rates.n_recall, found.rates.n_precision, found.controls) == (10, 10, 10)


def test_answers_that_never_move_fail_recall(answered):
    """A measurement that says the same to everything has not found that nothing is there."""
    made = [answered(f"t{k}", "f", 0.3, kind, direction=1) for k in range(5) for kind in ("base", "recall")]
    found = check_answers(made, probe="name", option="yes")
    assert (found.recall, found.recall_why, found.precision) == ("failed", "no answer moved", "not run")
