"""An anchor set whose lines were damaged is refused by line and field."""

from __future__ import annotations

import json

import pytest

from judgekit.errors import BadInput
from judgekit.files.anchor_set import AnchorLabel, AnchorSet, AnchorText, read_anchor_set, write_anchor_set

TEXT = AnchorText(
    item="1", text="Hi.", context=None, lang="en", template_id="t", group=None, case_type=None, inclusion=1
)
LABEL = AnchorLabel(
    item="1", dimension="warmth", annotator="ana", value=4, text_hash="h", rubric_hash="h", labelled_at="now"
)


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [("text", "inclusion", "0.5"), ("text", "inclusion", True), ("text", "context", 3), ("text", "lang", ["en"]),
     ("text", "item", {}), ("label", "value", 4.5), ("label", "item", []), ("label", "adjudicated", "no")],
)  # fmt: skip
def test_a_value_of_another_type_is_named(tmp_path, kind, field, value):
    """The whole set reads back; with one value of another type its line and field are told."""
    path = tmp_path / "anchors.jsonl"
    whole = AnchorSet(study="s", frozen_at="now", blinding_version="1", decided=None, texts=(TEXT,), labels=(LABEL,))
    write_anchor_set(path, whole)
    assert read_anchor_set(path) == whole
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    at = next(n for n, row in enumerate(rows) if isinstance(row.get(kind), dict))
    rows[at][kind][field] = value
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.raises(BadInput) as met:
        read_anchor_set(path)
    assert (met.value.line, met.value.field) == (at + 1, field)
