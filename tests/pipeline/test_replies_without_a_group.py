"""Groups in the rows of a study that has none are carried, and nothing is counted by them."""

from __future__ import annotations


def test_a_study_without_groups_is_counted_as_one(make_study, kit):
    """Rows with a group and rows with an empty cell stand together: no row of a table is a group that nobody named."""
    rows = [row | ({"group": ""} if n % 8 == 0 else {}) for n, row in enumerate(kit.reply_rows(templates=2))]
    small = make_study(rows=rows, groups=None)
    outcome = small.run()
    found = outcome.findings
    assert {name: row["in"] for name, row in found.blinding.by_group.items()} == {"all": 32}
    assert {name: row["in"] for name, row in found.judging.counts["warmth"].items()} == {"all": 32}
    assert "women" not in (outcome.run_dir / "report.md").read_text(encoding="utf-8")
