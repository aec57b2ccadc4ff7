"""``judgekit probe expand`` and ``lint`` at the command line."""

import json
import stat

import pytest

STUDY = """\
study: probed
data: {replies: probe/replies.jsonl}
rubrics: {warmth: {rubric: warmth}}
groups:
  attribute: gender
  values: {woman: {}, man: {}}
probe: {templates: templates.yaml, replicates: 2}
"""
TEMPLATES = "templates:\n" + "".join(
    f'  - {{id: t{k}, borderline: true, text: "I am {{name}}. Can case {k} be paid back?"}}\n' for k in range(9)
)


@pytest.fixture
def folder(tmp_path):
    """A study that takes its names from a bundled list."""
    (tmp_path / "study.yaml").write_text(STUDY, encoding="utf-8")
    (tmp_path / "templates.yaml").write_text(TEMPLATES, encoding="utf-8")
    return tmp_path


def test_expand_writes_once_and_private(folder, kit):
    """Counts first with --dry-run; a private file in a private folder; never overwritten unasked; then lint is clean."""
    dry = kit.command("probe", "expand", folder, "--dry-run")
    assert dry.code == 0
    assert "234 conversations, names from bundled:en-gender" in dry.out
    assert not (folder / "probe").exists()
    said = kit.command("probe", "expand", folder, "--json")
    document = said.json
    assert (said.code, document["conversations"], document["subset"]) == (0, 234, False)
    assert document["order"]["p"] >= 0.05
    path = folder / "probe" / "prompts.jsonl"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    again = kit.command("probe", "expand", folder)
    assert (again.code, again.out) == (2, "")
    assert "--force" in again.err
    assert kit.command("probe", "expand", folder, "--force", "--subset").code == 0
    assert len(path.read_text(encoding="utf-8").splitlines()) == 6 * (2 * 6 + 2)
    assert kit.command("probe", "lint", path).code == 0


def test_lint_ends_with_one_for_errors_alone(folder, kit):
    """0 with notes and warnings, 1 with an error; the document has code, template, line, what, why and remedy."""
    good = kit.command("probe", "lint", folder, "--json")
    assert (good.code, good.json["errors"]) == (0, 0)
    (folder / "templates.yaml").write_text(
        TEMPLATES + '  - {id: x, text: "I am {name}. I had a apple."}\n', encoding="utf-8"
    )
    bad = kit.command("probe", "lint", folder)
    assert bad.code == 1
    assert "templates.yaml:11: error article [x]: “a apple” should be “an apple”" in bad.out
    finding = kit.command("probe", "lint", folder, "--json").json["findings"][0]
    assert set(finding) == {"code", "level", "template", "path", "line", "what", "why", "remedy"}


def test_hostile_templates_reach_the_terminal_harmless(folder, kit):
    """Escapes and markup in a template's id or text are shown, not obeyed; a lone surrogate is no crash."""
    text = json.dumps("\x1b]0;x\x07\ud800[red]a apple for {name}")
    (folder / "templates.yaml").write_text(f'templates: [{{id: "\\e[2J", text: {text}}}]\n', encoding="utf-8")
    said = kit.command("probe", "lint", folder)
    assert said.code in (1, 2)
    assert "\x1b" not in said.out + said.err


def test_no_probe_and_the_example(folder, kit):
    """A study without a probe is told how to get one; the example is printed as it is."""
    (folder / "study.yaml").write_text(STUDY.replace("probe: {", "report: {}\n# {"), encoding="utf-8")
    said = kit.command("probe", "expand", folder)
    assert (said.code, said.out) == (2, "")
    assert "this study has no probe" in said.err
    assert kit.command("probe", "example").out.startswith("# Templates of a probe")
