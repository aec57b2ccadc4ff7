"""Small designs for the tests of this folder."""

from __future__ import annotations

from judgekit.records import MetricRow


def rows_of(scores):
    """Rows from {(template, group, name): [scores or None]}; ``name`` may be None."""
    out = []
    for (template, group, name), values in scores.items():
        for i, value in enumerate(values):
            out.append(
                MetricRow(
                    item=f"{template}-{group}-{name}-{i}",
                    unit_id=template,
                    group=group,
                    name=name,
                    value=value,
                    missing="no_score" if value is None else None,
                    replicate=str(i),
                )
            )
    return out


def balanced(rng, templates=12, names=4, replicates=2, gap=0.0, name_sd=0.0, gap_sd=0.3, template_sd=1.0):
    """A full random design of groups x and y."""
    scores = {}
    name_effect = {(g, n): rng.normal(0, name_sd) if name_sd else 0.0 for g in "xy" for n in range(names)}
    for t in range(templates):
        level = rng.normal(0, template_sd)
        for g in "xy":
            shift = rng.normal(0, gap_sd) + (gap if g == "x" else 0.0)
            for n in range(names):
                mean = level + shift + name_effect[g, n]
                scores[f"t{t:03d}", g, f"{g}{n}"] = (mean + rng.normal(0, 1, replicates)).tolist()
    return rows_of(scores)
