"""A study of which no reply could be shown to a judge: it is refused with its reasons, in a whole run folder."""

from __future__ import annotations

import json

GERMAN = (
    "Vielen Dank für Ihre Nachricht. Wir haben Ihre Bestellung geprüft und werden das Paket morgen erneut versenden."
)


def test_all_replies_withheld_is_a_refusal_not_a_bug(make_study, kit):
    """Run, gate, report and certificate tell what is withheld and why; nobody is sent to label."""
    rows = [row | {"text": GERMAN} for row in kit.reply_rows(templates=2)]
    small = make_study(rows=rows, data={"replies": "replies.jsonl"}, labels={"annotators": ["ana", "karim"]})
    outcome = small.run()
    manifest = json.loads((outcome.run_dir / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["judges"] == {}
    assert (outcome.findings.blinding.verified, outcome.findings.gate) == (0, "refused")
    said = kit.command("gate", small.base, "--json")
    assert said.code == 5
    assert {"withheld_share"} < {reason["code"] for row in said.json["refused"] for reason in row["reasons"]}
    assert kit.command("report", small.base).code == 0
    assert kit.command("certificate", "verify", outcome.run_dir).code == 0
