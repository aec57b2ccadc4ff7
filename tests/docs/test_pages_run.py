"""Every block of README.md, docs/*.md and examples/*/README.md does what the page says. How: `tests/pages.py`."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module")
def every_block(pages):
    """The blocks of all pages."""
    return [block for page in pages.PAGES for block in pages.blocks_of(page)]


def test_every_block_says_what_is_to_be_done_with_it(pages, every_block):
    """Its language is known, what its reader has can be made, and commands with an exit code stand in it."""
    assert len(every_block) > 40
    for block in every_block:
        if block.language not in pages.KINDS:
            raise pages.PageProblem(block, f"nobody knows what to do with a block of {block.language!r}")
        for said in block.marked("reader has"):
            pages.makers_of(block, said)
        if unknown := set(block.ends) - set(block.commands):
            raise pages.PageProblem(block, f"no such command in the block: {unknown}")


def test_few_blocks_are_not_run_and_each_has_a_test_that_stands_for_it(pages, every_block):
    """A handful at most, each with its reason and a test that is there."""
    left = [said for block in every_block for said in block.marked("not run here")]
    assert 0 < len(left) <= pages.MOST_NOT_RUN, left
    assert all(pages.stands_for(said) for said in left)


def test_every_yaml_block_is_part_of_what_it_shows(pages, every_block, tmp_path):
    """Studies and rubrics by their schema, hooks and workflows by what they name."""
    kinds = {pages.check_yaml(block, tmp_path) for block in every_block if block.language == "yaml"}
    assert {"study", "hooks"} <= kinds


def test_the_workflow_of_the_example_is_checked_as_its_block_would_be(pages, tmp_path):
    """The action that it names has the inputs that it gives."""
    path = pages.ROOT / "examples" / "ci" / "workflow.yml"
    text = path.read_text(encoding="utf-8")
    assert pages.check_yaml(pages.Block(path, 1, "yaml", text), tmp_path) == "workflow"
    wrong = pages.Block(path, 1, "yaml", text.replace("study: evaluation", "stduy: evaluation"))
    with pytest.raises(pages.PageProblem, match="no input stduy"):
        pages.check_yaml(wrong, tmp_path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("```\njudgekit rubrics nosuch\n```", "ended with 2, not 0"),
        ("<!-- ends with 2: judgekit rubrics other -->\n```\njudgekit rubrics nosuch\n```", "no such command"),
        ("<!-- reader has: a bicycle -->\n```\njudgekit rubrics\n```", "how to make 'a bicycle'"),
        ("```ruby\nputs 1\n```", "a block of 'ruby'"),
        ("<!-- ends with: judgekit rubrics -->\n```\njudgekit rubrics\n```", "a comment that nobody can read"),
        ("```yaml\ngate: {exit_cods: {}}\n```", "nor part of a study"),
        ("```text\nthis was never printed\n```", "nothing on this page prints"),
        ("```\njudgekit compare runs/RUN-1 runs/RUN-2\n```", "only 0 runs"),
    ],
)
def test_who_breaks_a_page_is_told_what_to_do(pages, kit, tmp_path, text, told):
    """File, line, what was met, and what an author can write; no page passes by accident."""
    page, folder = tmp_path / "page.md", tmp_path / "reader"
    page.write_text(f"A page.\n\n{text}\n", encoding="utf-8")
    (folder / "runs").mkdir(parents=True)
    with pytest.raises(pages.PageProblem, match=told) as problem:
        pages.Walk(page, folder, kit)()
    assert "What to do" in str(problem.value)
    assert f"{page}:" in str(problem.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["docs/engineer.md", "docs/qa.md", "docs/labelling.md", "docs/refusals.md", "examples/ci/README.md"]
)
def test_a_page_is_walked_from_its_first_block_to_its_last(pages, kit, tmp_path, name):
    """In order, in one folder, with what the text says that the reader has; each command ends as the page says."""
    folder = tmp_path / "reader"
    folder.mkdir()
    said = pages.Walk(pages.ROOT / name, folder, kit)()
    for command, end in said.items():
        print(f"{end.code}  {command}")


def test_every_page_with_commands_is_walked(pages):
    """By the test above, or by the test of the README or of an example, which look at what comes out too."""
    here = next(m for m in test_a_page_is_walked_from_its_first_block_to_its_last.pytestmark if m.name == "parametrize")
    elsewhere = {
        "README.md",
        *(f"examples/{e}/README.md" for e in ("support", "soporte", "names", "lending", "recruitment")),
    }
    shown = {
        str(page.relative_to(pages.ROOT)) for page in pages.PAGES if any(b.commands for b in pages.blocks_of(page))
    }
    assert shown <= {*here.args[1], *elsewhere}, f"add the page to the test above{pages.HELP}"
