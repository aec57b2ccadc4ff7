"""``judgekit schema``."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer

from judgekit.cli.output import emit


class Kind(StrEnum):
    """What a schema can be had of."""

    study = "study"
    rubric = "rubric"
    report = "report"


def schema(
    of: Annotated[Kind, typer.Argument(help="study.yaml, a rubric file, or the report.json of a run.")] = Kind.study,
) -> None:
    """Print a JSON schema: of a file that you write, so that an editor completes and checks it, or of what a run reports.

    With a language server for YAML: save it and begin the file with "# yaml-language-server: $schema=study.schema.json".
    """
    emit({"$schema": "https://json-schema.org/draft/2020-12/schema", **_SCHEMAS[of]()})


def _study() -> dict[str, Any]:
    from judgekit.study import Study

    return Study.model_json_schema()


def _report() -> dict[str, Any]:
    from judgekit.reporting.form import report_schema

    return report_schema()


def _rubric() -> dict[str, Any]:
    """A rubric's form by hand: its reader is no model, since its errors name levels and languages."""
    text = {"type": "string", "pattern": r"\S"}
    per_language = {"type": "object", "additionalProperties": text, "minProperties": 1}

    def criterion(scale: str, level: str) -> dict[str, Any]:
        return {
            "properties": {
                "scale": {"const": scale},
                "levels": {"type": "array", "items": {"type": level}, "minItems": 2, "uniqueItems": True},
            }
        }

    return {
        "title": "Rubric",
        "description": "What is judged: criteria with an anchor for every level, in every language.",
        "type": "object",
        "additionalProperties": False,
        "required": ["id", "version", "criteria"],
        "properties": {
            "id": {"type": ["string", "number"], "description": "Its name."},
            "version": {"type": ["string", "number"], "description": "Another version is another rubric."},
            "title": {**per_language, "description": "By language."},
            "criteria": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["dimension", "scale", "levels", "question", "anchors"],
                    "properties": {
                        "dimension": {"type": "string", "pattern": r"^\w+$", "description": "What it measures."},
                        "scale": {"enum": ["ordinal", "nominal"], "description": "Are the levels in an order?"},
                        "levels": {"type": "array", "description": "Whole numbers in rising order, or quoted texts."},
                        "question": {**per_language, "description": "What the judge and the raters are asked."},
                        "anchors": {
                            "type": "object",
                            "minProperties": 1,
                            "additionalProperties": per_language,
                            "description": "By language: what each level means.",
                        },
                    },
                    "oneOf": [criterion("ordinal", "integer"), criterion("nominal", "string")],
                },
            },
        },
    }


_SCHEMAS = {Kind.study: _study, Kind.rubric: _rubric, Kind.report: _report}
