"""The page as Chromium shows it: phone, laptop and wall, light, dark and on paper; axe-core finds nothing to mend."""

import importlib.util
import os
from pathlib import Path

import pytest

from judgekit.page.render import render_html

pytestmark = pytest.mark.slow

_spec = importlib.util.spec_from_file_location("page_browser", Path(__file__).with_name("browser.py"))
browser = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(browser)

WIDTHS = (360, 1024, 1600)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    """A browser, where there is one."""
    program = browser.find_chromium()
    if program is None:
        pytest.skip("no Chromium on this machine (Debian: apt-get install chromium)")
    opened = browser.Browser(program, tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def pages(calibrated_study, refused_study, tmp_path_factory):
    """The pages of a calibrated and of a refused study."""
    folder, made = tmp_path_factory.mktemp("pages"), []
    for name, small in (("calibrated", calibrated_study), ("refused", refused_study)):
        made.append(folder / f"{name}.html")
        made[-1].write_text(render_html(small.run().findings), encoding="utf-8")
    return made


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_in_a_browser(chromium, pages, width, dark, tmp_path):
    """No complaint on the console, no request but the page itself, nothing wider than the screen, marks that are seen."""
    for path in pages:
        chromium.open(path, width=width, dark=dark)
        assert chromium.complaints() == []
        assert chromium.requests() == [path.resolve().as_uri()]
        assert chromium.value("document.documentElement.scrollWidth") <= width
        # Every drawn mark lies inside its row and has a size.
        assert chromium.value(
            "[...document.querySelectorAll('.track')].every(t => { const r = t.getBoundingClientRect();"
            " return r.width > 100 && [...t.querySelectorAll('circle, path, rect')].every(m => {"
            " const b = m.getBoundingClientRect(); return b.left >= r.left - 8 && b.right <= r.right + 8; }); })"
        )
        page = chromium.value("getComputedStyle(document.body).backgroundColor")
        assert page == ("rgb(20, 23, 26)" if dark else "rgb(255, 255, 255)")
        chromium.picture(tmp_path / "page.png")
        assert (tmp_path / "page.png").stat().st_size > 50_000


@pytest.mark.parametrize("width", [360, 1024])
def test_the_page_in_spanish(chromium, calibrated_study, refused_study, width, tmp_path):
    """Longer words fit too: nothing is wider than the screen or than its own box, and no label is cut."""
    for name, small in (("calibrated", calibrated_study), ("refused", refused_study)):
        path = tmp_path / f"{name}.html"
        path.write_text(render_html(small.run().findings, "es"), encoding="utf-8")
        chromium.open(path, width=width)
        assert chromium.complaints() == []
        assert chromium.requests() == [path.resolve().as_uri()]
        assert chromium.value("document.documentElement.lang") == "es"
        assert chromium.value("document.documentElement.scrollWidth") <= width
        wide = chromium.value(
            "[...document.querySelectorAll('body *')].filter(e => !e.closest('svg, .wide, .skip')"
            " && (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline'"
            " || e.getBoundingClientRect().right > innerWidth)).map(e => e.outerHTML.slice(0, 120))"
        )
        assert wide == []


def test_the_page_on_paper(chromium, pages):
    """A PDF of a few pages, dark screens print dark on white, and no link bar on paper."""
    for path in pages:
        chromium.open(path, width=1024, dark=True)
        assert chromium.printed().startswith(b"%PDF-")
        chromium.call("Emulation.setEmulatedMedia", media="print")
        assert chromium.value("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
        assert chromium.value("getComputedStyle(document.querySelector('nav')).display") == "none"
        assert chromium.requests() == [path.resolve().as_uri()]
        chromium.call("Emulation.setEmulatedMedia", media="")


def test_the_keyboard_reaches_everything(chromium, pages):
    """The first tab stop leads past the contents, and every region that scrolls can be scrolled without a mouse."""
    chromium.open(pages[0], width=360)
    for kind in ("keyDown", "keyUp"):
        chromium.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
    assert chromium.value("document.activeElement.className") == "skip"
    assert chromium.value("document.activeElement.getBoundingClientRect().left") >= 0
    assert chromium.value(
        "[...document.querySelectorAll('body *')].filter(e => e.scrollWidth > e.clientWidth + 1"
        " && getComputedStyle(e).overflowX === 'auto').every(e => e.tabIndex === 0)"
    )


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [360, 1600])
def test_axe_finds_nothing(chromium, pages, width, dark):
    """axe-core, with all its rules but the experimental ones, reports no violation."""
    source = os.environ.get("JUDGEKIT_AXE")
    if not source:
        pytest.skip("JUDGEKIT_AXE names no axe.min.js (npm pack axe-core)")
    for path in pages:
        chromium.open(path, width=width, dark=dark)
        chromium.value(Path(source).read_text(encoding="utf-8") + ";0")
        found = chromium.value(
            "axe.run().then(r => ({checked: r.passes.length, violations: r.violations.map(v => [v.id,"
            " v.nodes.length, v.nodes[0].html.slice(0, 200), v.nodes[0].failureSummary])}))"
        )
        assert found["violations"] == []
        assert found["checked"] > 20
