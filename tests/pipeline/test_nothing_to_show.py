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
    steps = outcome.findings.next_steps
    assert steps[0].startswith("do not label yet: there is no text that anybody may see")
    assert "16 of 16 withheld replies are in a language other than English or Spanish" in steps[1]
    assert not any("rater" in step for step in steps)
    none = kit.command("label", small.base, "--as", "ana")
    assert none.code == 2
    assert "do not label yet" in none.err
    assert "leave them out of the study" in none.err


def test_names_are_listed_in_another_study_once_the_scores_are_in(make_study, kit):
    """The remedy of a swap test without names never burns the study: after a score, names listed here would be too late."""
    small = make_study(rows=kit.reply_rows(templates=2), privacy={"people": "real"})
    for value in small.settings["groups"]["values"].values():
        value["names"] = []
    small.save()
    outcome = small.run()
    assert [step for step in outcome.findings.next_steps if "of a study of another name" in step]
    told = (outcome.run_dir / "report.md").read_text(encoding="utf-8").replace("\\", "")
    assert "list invented names in groups.values.*.names:" not in told
    assert "sealed with its first score" in told
    assert {r.reasons[0].code for r in outcome.findings.refused} == {"uninformative"}
    doctor = kit.command("doctor", small.base).out
    assert "names of a study of another name" in doctor
    assert doctor.splitlines()[-1].startswith("Next: do not label yet")
