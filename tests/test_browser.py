"""The pages in a real browser: what people see of them, with keys alone, in the dark, on a telephone and on paper.

Chromium and its driver are Debian's `chromium` and `chromium-driver`. Where they are not, or don't start, these tests are left out, unless
`TFREWRITE_BROWSER` says that they are meant to run.
"""

from __future__ import annotations

import base64
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import FIRES, Run
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.keys import Keys

HOSTILE = """\
import tensorflow as tf

total = tf.Variable(tf.zeros([1000, 1000]))


def step():
    # </script><script>document.title = "taken"</script>
    total.assign(total + tf.ones([1000, 1000]))  # <img src=x onerror="document.title='taken'"> &lt; 名前


def left(a, b):
    return tf.matmul(a, tf.transpose(b)), "</table></article><h1>taken</h1>"
"""
# Every text against what is painted behind it, by the formula of WCAG 2: 4.5 is its least for text of this size.
CONTRASTS = """
const parsed = text => { const found = text.match(/[\\d.]+/g).map(Number); return found.length < 4 ? [...found, 1] : found; };
const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
const behind = start => {
  for (let one = start; one; one = one.parentElement) {
    const color = parsed(getComputedStyle(one).backgroundColor);
    if (color[3] > 0) return color;
  }
  return [255, 255, 255, 1];
};
const found = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const text = walker.currentNode.data.trim(), element = walker.currentNode.parentElement;
  if (!text || element.closest("svg") || element.closest(".hidden") || !element.checkVisibility()) continue;
  const [one, other] = [light(parsed(getComputedStyle(element).color)), light(behind(element))];
  const ratio = (Math.max(one, other) + .05) / (Math.min(one, other) + .05);
  if (ratio < 4.5) found.push(`${text.slice(0, 40)}: ${ratio.toFixed(2)}`);
}
return found;
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        if os.environ.get("TFREWRITE_BROWSER"):
            pytest.fail("TFREWRITE_BROWSER is set, and there is no Chromium: apt-get install chromium chromium-driver")
        pytest.skip("there is no Chromium: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for one in (
        *("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "no-first-run", "disable-sync", "disable-quic"),
        *("disable-background-networking", "disable-component-update", "force-device-scale-factor=1", "window-size=1280,900"),
        f"user-data-dir={tmp_path_factory.mktemp('chromium')}",
    ):
        options.add_argument(f"--{one}")
    try:
        found = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    except WebDriverException as error:
        if os.environ.get("TFREWRITE_BROWSER"):
            raise
        pytest.skip(f"Chromium doesn't start here: {error.msg}")
    with found:
        yield found


@pytest.fixture
def report(browser: webdriver.Chrome, run: Run, tmp_path: Path) -> webdriver.Chrome:
    """A page of three files, open in the browser."""
    (tmp_path / "hostile.py").write_text(HOSTILE, "utf-8")
    (tmp_path / "plain.py").write_text(FIRES)
    (tmp_path / "broken.py").write_text("import tensorflow as tf\nprint 1\n")
    run(".", "--output", "report.html", "--verbose")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    browser.get((tmp_path / "report.html").as_uri())
    return browser


def _script(browser: webdriver.Chrome, text: str) -> Any:
    return browser.execute_script(text)


def _complaints(browser: Any) -> Any:
    return browser.get_log("browser")


def _dark(browser: webdriver.Chrome) -> None:
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})


def _width(browser: webdriver.Chrome, width: int) -> None:
    given = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", given)


def test_what_a_file_says_is_shown_and_not_obeyed(report: webdriver.Chrome) -> None:
    assert report.title.startswith("tfrewrite: 2 rewrites in 2 files")
    assert _script(report, "return [document.scripts.length, document.images.length, document.querySelectorAll('h1').length]") == [0, 0, 1]
    shown = _script(report, "return document.body.textContent")
    assert '</script><script>document.title = "taken"</script>' in shown and "&lt; 名前" in shown
    # It needs nothing else, and the browser has nothing to complain of.
    assert _script(report, "return performance.getEntriesByType('resource').map(one => one.name)") == []
    assert _complaints(report) == []


def test_contrast_is_enough_in_light_and_dark(report: webdriver.Chrome) -> None:
    _script(report, "document.querySelectorAll('details').forEach(one => one.open = true)")
    assert _script(report, CONTRASTS) == []
    light = _script(report, "return getComputedStyle(document.body).backgroundColor")
    _dark(report)
    assert _script(report, CONTRASTS) == []
    assert _script(report, "return getComputedStyle(document.body).backgroundColor") != light


def test_keys_reach_the_files_and_open_what_is_folded(report: webdriver.Chrome) -> None:
    reached = []
    for _ in range(20):
        report.switch_to.active_element.send_keys(Keys.TAB)
        tag, text = _script(report, "const one = document.activeElement; return [one.tagName, one.textContent]")
        if tag == "BODY":
            break
        outline = _script(report, "return getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid"  # who has no mouse sees where they are
        reached.append((tag, text))
    assert [text for tag, text in reached if tag == "A"] == ["hostile.py", "plain.py"]
    assert "SUMMARY" in {tag for tag, _ in reached}
    report.get(report.current_url.partition("#")[0])
    is_open = "return document.querySelector('details.left').open"
    before = _script(report, is_open)
    _script(report, "document.querySelector('details.left summary').focus()")
    report.switch_to.active_element.send_keys(Keys.ENTER)
    assert _script(report, is_open) is not before


def test_who_listens_is_told_names_and_what_changed(report: webdriver.Chrome) -> None:
    nodes = report.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    said = [(one["role"]["value"], one.get("name", {}).get("value", "")) for one in nodes if not one["ignored"] and "role" in one]
    assert ("navigation", "Files") in said
    assert [name for role, name in said if role == "region"] == ["hostile.py", "plain.py"]
    tables = [name for role, name in said if role == "table"]
    assert len(tables) == 2 and all("before on the left and after on the right" in one for one in tables)
    assert {"removed:", "added:"} <= {name.strip() for role, name in said if role == "StaticText"}


@pytest.mark.parametrize("width", [360, 800, 1280])
def test_nothing_is_wider_than_the_screen(report: webdriver.Chrome, width: int) -> None:
    _width(report, width)
    assert _script(report, "return document.documentElement.scrollWidth") <= width
    report.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_paper_shows_every_file(report: webdriver.Chrome) -> None:
    report.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    shown = "return [...document.querySelectorAll('main > section')].map(one => getComputedStyle(one).contentVisibility)"
    assert _script(report, shown) == ["visible", "visible"]
    printed = base64.b64decode(report.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])
    assert printed.startswith(b"%PDF-")


def test_a_thousand_hunks(browser: webdriver.Chrome, run: Run, tmp_path: Path) -> None:
    """Sections out of sight are not laid out, and are there when one goes to them."""
    for index in range(100):
        body = "\n\n".join(FIRES.partition("\n\n\n")[2].replace("step", f"step_{one}") for one in range(10))
        (tmp_path / f"part_{index:02}.py").write_text(FIRES.partition("\n\n\n")[0] + "\n\n\n" + body)
    run(".", "-o", "long.html")
    browser.get((tmp_path / "long.html").as_uri())
    assert _script(browser, "return document.querySelectorAll('article').length") == 1000
    assert _script(browser, "return document.querySelectorAll('nav a').length") == 100
    browser.get(f"{(tmp_path / 'long.html').as_uri()}#file100")
    top, height = _script(browser, "return [document.getElementById('file100').getBoundingClientRect().top, innerHeight]")
    assert top < height


def test_the_page_of_a_comparison(browser: webdriver.Chrome, run: Run, tmp_path: Path) -> None:
    start = "import tensorflow as tf\n\n\ndef f(x: tf.Tensor) -> tf.Tensor:\n"
    end = "\n\n\nprint(f(tf.ones([200_000])).shape)\n"
    (tmp_path / "before.py").write_text(f"{start}    return tf.concat([x * 2.0, x * 2.0], 0)  # <b>{end}")
    (tmp_path / "after.py").write_text(f"{start}    y = x * 2.0\n    return tf.concat([y, y], 0){end}")
    run("compare", "before.py", "after.py", "-o", "compared.html")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    browser.get((tmp_path / "compared.html").as_uri())
    assert _script(browser, "return document.querySelectorAll('.pictures svg').length") >= 1
    assert _script(browser, "return [...document.querySelectorAll('.pictures svg')].every(one => one.getBoundingClientRect().height > 50)")
    assert _script(browser, CONTRASTS) == []
    _dark(browser)
    assert _script(browser, CONTRASTS) == []
    _width(browser, 360)
    assert _script(browser, "return document.documentElement.scrollWidth") <= 360
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert _complaints(browser) == []
