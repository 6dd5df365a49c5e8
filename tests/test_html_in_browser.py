"""The HTML report in a real browser; CI installs Debian's chromium."""

import base64
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pymupdf  # noqa: TID251 - an independent reader of what was printed
import pytest
from chromium import Browser, installed
from test_reports import every_verdict, hostile, rendered

from indexer.gallery import Picture
from indexer.picture import png
from verifier.run import Result
from verifier.verdict import Outcome, Verdict

pytestmark = pytest.mark.skipif(installed() is None, reason="no Chromium on this machine")

VISIBLE = "[...document.querySelectorAll('article')].filter((a) => a.offsetParent !== null).length"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Callable[[Result], Browser]:
    def opened(result: Result, **options: str) -> Browser:
        file = tmp_path / "report.html"
        file.write_text(rendered("html", result, **options), "utf-8")
        browser.events.clear()
        browser.open(file)
        return browser

    return opened


def choose(browser: Browser, field: str, value: str) -> int:
    """Fill a field of the filter as a person would; return how many findings are left to see."""
    script = f"(() => {{ const f = document.getElementById('filter'); f.elements['{field}'].value = {value!r};"
    browser.value(script + " f.dispatchEvent(new Event('input', {bubbles: true})); })()")
    visible = browser.value(VISIBLE)
    assert isinstance(visible, int)
    status = browser.value("document.getElementById('shown').textContent")
    assert status.startswith(f"{visible} von "), "the count follows"
    return visible


def test_filters_search_and_reset_work_and_counts_follow(show: Callable[[Result], Browser]) -> None:
    browser = show(every_verdict())
    total = len(Verdict) + 2
    assert browser.value(VISIBLE) == total
    assert choose(browser, "verdict", "altered") == 3
    assert browser.value("""document.querySelector('td[data-value="altered"]').textContent""") == "3"
    assert browser.value("""document.querySelector('td[data-value="not_found"]').textContent""") == "0"
    assert choose(browser, "outcome", "pass") == 0
    assert choose(browser, "verdict", "") == 5
    assert choose(browser, "outcome", "") == total
    assert choose(browser, "partei", "GRÜNE") == total
    assert choose(browser, "bundesland", "NRW") == total
    assert browser.value("[...document.querySelectorAll('.group')].filter((g) => g.offsetParent).length") == 4
    assert choose(browser, "search", "Wrong_Page windräder") == 1
    assert browser.value("[...document.querySelectorAll('.group')].filter((g) => g.offsetParent).length") == 1
    assert choose(browser, "search", "steht nirgends drin") == 0
    browser.value("document.querySelector('button[type=reset]').click()")
    assert browser.value(f"new Promise((done) => setTimeout(() => done({VISIBLE}), 0))") == total


def test_the_filter_is_reached_and_used_by_keyboard(show: Callable[[Result], Browser]) -> None:
    browser = show(every_verdict())
    focus = []
    for _ in range(14):
        for kind in ("keyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
        focus.append(browser.value("document.activeElement.name || document.activeElement.className || 'other'"))
    assert focus[0] == "skip"
    fields = ["outcome", "verdict", "partei", "bundesland", "search"]
    assert [name for name in focus if name in fields] == fields


@pytest.mark.parametrize("make", [every_verdict, hostile])
def test_nothing_is_fetched_and_nothing_goes_wrong(
    show: Callable[[Result], Browser], make: Callable[[], Result]
) -> None:
    browser = show(make())
    requests = [params["request"]["url"] for params in browser.told("Network.requestWillBeSent")]
    assert [url for url in requests if not url.startswith("file:")] == []
    assert len(requests) == 1
    assert browser.told("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled") == []


def test_a_hostile_quotation_stays_text(show: Callable[[Result], Browser]) -> None:
    browser = show(hostile())
    assert browser.value("document.scripts.length") == 1
    handlers = (
        "[...document.querySelectorAll('*')].flatMap((e) => e.getAttributeNames()).filter((n) => n.startsWith('on'))"
    )
    assert browser.value(handlers) == []
    assert browser.value("document.querySelector('blockquote').textContent").startswith(
        "altered: <script>alert(1)</script>"
    )


@pytest.mark.parametrize(("width", "device"), [(390, "phone"), (768, "tablet"), (1280, "desktop")])
@pytest.mark.parametrize("make", [every_verdict, hostile])
def test_the_page_never_scrolls_sideways(
    show: Callable[[Result], Browser], make: Callable[[], Result], width: int, device: str
) -> None:
    browser = show(make())
    for mobile in (False, True):  # a phone makes the page wider instead of scrolling
        browser.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=mobile)
        assert browser.value("document.documentElement.scrollWidth") <= width, device
        assert browser.value("innerWidth") <= width, device
    browser.call("Emulation.clearDeviceMetricsOverride")


LOADED = """
new Promise((done) => {
  const image = document.querySelector("article.fail img");
  image.onload = () => done(image.naturalWidth);
  image.onerror = () => done("refused");
  if (image.naturalWidth) image.onload();
  image.scrollIntoView();
})
"""


def test_pictures_are_shown_with_their_marks_and_fit_a_phone(show: Callable[[Result], Browser]) -> None:
    pixels = png(b"\xff" * 900 * 300, 900, 300, 900)
    picture = Picture(png=pixels, width=900, height=300, marks=((90, 30, 450, 60),), stressed=((90, 30, 90, 60),))
    browser = show(replace(every_verdict(), pictures=dict.fromkeys(range(21), picture)))
    assert browser.told("Log.entryAdded", "Runtime.exceptionThrown") == []
    browser.call("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=1, mobile=True)
    assert browser.value(LOADED) == 900
    assert browser.value("document.documentElement.scrollWidth") <= 390
    rect = (
        "(e) => { const r = document.querySelector(e).getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; }"
    )
    image, mark = (browser.value(f"({rect})('article.fail {name}')") for name in ("img", "rect.mark"))
    assert mark[0] - image[0] == pytest.approx(image[2] / 10, abs=1)
    assert mark[1] - image[1] == pytest.approx(image[3] / 10, abs=1)
    assert mark[2] == pytest.approx(image[2] / 2, abs=1)
    browser.call("Emulation.clearDeviceMetricsOverride")


def test_on_paper_there_is_no_filter(show: Callable[[Result], Browser]) -> None:
    browser = show(every_verdict())
    browser.call("Emulation.setEmulatedMedia", media="print")
    assert browser.value("getComputedStyle(document.getElementById('filter')).display") == "none"
    assert browser.value(VISIBLE) == len(Verdict) + 2
    browser.call("Emulation.setEmulatedMedia", media="")


def test_pictures_and_marks_are_printed(show: Callable[[Result], Browser]) -> None:
    picture = Picture(png=png(b"\x80" * 900 * 300, 900, 300, 900), width=900, height=300, marks=(), stressed=())
    browser = show(replace(every_verdict(), pictures=dict.fromkeys(range(21), picture)))
    printed = base64.b64decode(browser.call("Page.printToPDF")["data"])
    with pymupdf.open("pdf", printed) as doc:
        shown = sum(len(page.get_image_info()) for page in doc)
    folded = sum(verdict.outcome is Outcome.PASS for verdict in Verdict)
    assert shown == len(Verdict) + 2 - folded


CONTRAST = """
(() => {
  const channel = (v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
  const luminance = (rgb) => { const [r, g, b] = rgb.match(/\\d+/g).map(Number).map(channel);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = (element) => { const color = getComputedStyle(element).backgroundColor;
    return color === "rgba(0, 0, 0, 0)" ? behind(element.parentElement) : color; };
  const all = "dt, dd, del, ins, a, h1, h2, h3, h4, b, i, th, td, label, input, button, code, summary, footer, .aside";
  return Math.min(...[...document.querySelectorAll(all)].map((element) => {
    const ink = luminance(getComputedStyle(element).color), paper = luminance(behind(element));
    return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
  }));
})()
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_is_enough_to_read(show: Callable[[Result], Browser], scheme: str) -> None:
    browser = show(every_verdict())
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    assert browser.value(CONTRAST) >= 4.5
    browser.call("Emulation.setEmulatedMedia", features=[])
