"""Studies with a probe, written into a folder of their own."""

import pytest
import yaml

WOMEN = ["Emily Hartwell", "Claire Whitlock", "Hannah Prescott", "Laura Pemberton"]
MEN = ["Matthew Hartwell", "Stephen Whitlock", "Joshua Prescott", "Andrew Pemberton"]
PEOPLE = {
    "woman": {"pronouns": "she/her", "title": "Ms", "names": WOMEN},
    "man": {"pronouns": "he/him", "title": "Mr", "names": MEN},
}


@pytest.fixture
def make_probe(tmp_path):
    """Write a study with a probe: ``make_probe(templates text, groups=..., **keys of probe)`` gives its folder."""

    def make(templates, *, groups=PEOPLE, attribute="gender", stage="pilot", names=None, **probe):
        folder = tmp_path / "study"
        folder.mkdir(exist_ok=True)
        study = {
            "study": "probed",
            "stage": stage,
            "data": {"replies": "probe/replies.jsonl"},
            "rubrics": {"warmth": {"rubric": "warmth"}},
            "probe": {"templates": "templates.yaml", **probe},
        }
        if groups:
            study["groups"] = {"attribute": attribute, "values": groups}
        if names:
            (folder / "names.yaml").write_text(names, encoding="utf-8")
            study["probe"]["names"] = "names.yaml"
        (folder / "study.yaml").write_text(yaml.safe_dump(study, sort_keys=False, allow_unicode=True), encoding="utf-8")
        (folder / "templates.yaml").write_text(templates, encoding="utf-8")
        return folder

    return make
