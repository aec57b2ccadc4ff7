"""``judgekit adjudicate``."""

from __future__ import annotations

from typing import Annotated

import typer

from judgekit.cli.label_session import (
    Guard,
    Keys,
    Language,
    Look,
    Plain,
    SampleArgument,
    readable_labels,
    run_session,
    sample_of,
)
from judgekit.cli.output import emit, say
from judgekit.errors import UsageProblem


def adjudicate(
    sample: SampleArgument,
    as_: Annotated[str, typer.Option("--as", help="Your name; your decisions are kept apart from the raters' labels.")],
    distance: Annotated[int, typer.Option(min=1, help="Steps on the scale from which on scores are disputed.")] = 2,
    plain: Plain = False,
    lang: Language = "auto",
    keys: Keys = None,
    guard: Guard = 250,
    json_out: Annotated[bool, typer.Option("--json", help="Count the disputes in one JSON document and stop.")] = False,
) -> None:
    """Decide the texts on which raters differ: raters appear as A and B, and their own labels stay untouched."""
    from judgekit.files.labels import label_path, read_events, read_sample
    from judgekit.labelling.adjudication import dispute_steps, find_disputes
    from judgekit.labelling.opening import check_events, labels_folder, rubrics_of
    from judgekit.labelling.results import is_finished

    sample = sample_of(sample)
    opened = read_sample(sample)
    rubrics = rubrics_of(opened, sample)
    folder = labels_folder(opened, sample)
    everybody = readable_labels(opened, folder)
    for name, events in everybody.items():
        check_events(events, opened, rubrics, label_path(folder, name))
    open_names = [n for n in opened.annotators if not is_finished(everybody.get(n, ()), opened, rubrics, n)]
    if as_ in opened.annotators:
        raise UsageProblem(
            "a rater of this sample cannot adjudicate it",
            field="--as",
            seen=as_,
            why="the third look is somebody else's",
            remedy="let a person adjudicate who is not in the roster",
        )
    disputes = find_disputes(everybody, opened, rubrics, distance=distance, seed=opened.seed)
    if json_out:
        emit(
            {
                "disputes": len(disputes),
                "distance": distance,
                "raters": sorted(everybody),
                "unfinished": open_names,
            }
        )
        return
    if not disputes:
        say(f"no text on which people differ by {distance} or more: nothing to decide")
        return
    if open_names:
        say(f"not finished yet: {', '.join(open_names)}. What they label later may add texts to decide.")
    path = label_path(folder / "adjudicated", as_)
    run_session(
        opened,
        rubrics,
        dispute_steps(disputes, read_events(path) if path.is_file() else ()),
        path,
        as_,
        source=sample,
        look=Look(plain=plain, lang=lang, keys=keys, guard=guard),
        origin={"adjudication": distance},
    )
