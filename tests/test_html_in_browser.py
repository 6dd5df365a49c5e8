"""The HTML report in a real browser; CI installs Debian's chromium."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from chromium import Browser, installed
from test_reports import every_verdict, hostile, rendered

from verifier.run import Result
from verifier.verdict import Verdict

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
    assert choose(browser, "search", "Wrong_Page windräder") == 1
    assert choose(browser, "search", "steht nirgends drin") == 0
    browser.value("document.querySelector('button[type=reset]').click()")
    assert browser.value(f"new Promise((done) => setTimeout(() => done({VISIBLE}), 0))") == total


def test_the_filter_is_reached_and_used_by_keyboard(show: Callable[[Result], Browser]) -> None:
    browser = show(every_verdict())
    focus = []
    for _ in range(8):
        for kind in ("keyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
        focus.append(browser.value("document.activeElement.name || document.activeElement.className || 'other'"))
    assert focus[0] == "skip"
    assert {"outcome", "verdict", "partei", "bundesland", "search"} <= set(focus)


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
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=False)
    assert browser.value("document.documentElement.scrollWidth") <= width, device
    browser.call("Emulation.clearDeviceMetricsOverride")


def test_on_paper_there_is_no_filter(show: Callable[[Result], Browser]) -> None:
    browser = show(every_verdict())
    browser.call("Emulation.setEmulatedMedia", media="print")
    assert browser.value("getComputedStyle(document.getElementById('filter')).display") == "none"
    assert browser.value(VISIBLE) == len(Verdict) + 2
    browser.call("Emulation.setEmulatedMedia", media="")


CONTRAST = """
(() => {
  const channel = (v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
  const luminance = (rgb) => { const [r, g, b] = rgb.match(/\\d+/g).map(Number).map(channel);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const paper = luminance(getComputedStyle(document.body).backgroundColor);
  return Math.min(...[...document.querySelectorAll('.tag, dt, dd, del, ins, a, h1, h2, h3, footer')].map((element) => {
    const ink = luminance(getComputedStyle(element).color);
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
