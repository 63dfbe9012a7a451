"""A real browser for the tests of pages: headless Chromium that remembers what pages asked for, and axe-core."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--window-size=1280,900",
)


class Browser:
    """A driver that remembers where its own server is, and what pages asked for."""

    def __init__(self, driver: webdriver.Chrome, downloads: Path) -> None:
        self.driver, self.downloads = driver, downloads

    def open(self, url: str, *, width: int = 1280, dark: bool = False) -> None:
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500},
        )
        scheme = "dark" if dark else "light"
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        )
        self.driver.get(url)

    def find(self, selector: str) -> Any:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[Any]:
        return list(self.driver.find_elements(By.CSS_SELECTOR, selector))

    def wait(self, condition: Callable[[], object]) -> None:
        WebDriverWait(self.driver, 30).until(lambda _: condition())

    def follow(self, act: Callable[[], object]) -> None:
        """Do something that leads to another page, and wait for that page."""
        old = self.find("html")
        act()

        def gone() -> bool:
            try:
                old.is_enabled()
            except Exception:
                return bool(self.driver.execute_script("return document.readyState === 'complete'"))
            return False

        self.wait(gone)

    def problems(self) -> list[str]:
        return [e["message"] for e in self._log("browser") if e["level"] in ("SEVERE", "WARNING")]

    def _log(self, kind: str) -> list[dict[str, str]]:
        entries: list[dict[str, str]] = self.driver.get_log(kind)  # type: ignore[no-untyped-call]
        return entries

    def hosts(self) -> set[str]:
        """Every host that was asked since the last call, as the browser's own network log has it."""
        found = set()
        for entry in self._log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = urlsplit(message["params"]["request"]["url"])
                if url.scheme not in ("file", "data", "blob", "about", "chrome"):
                    found.add(url.hostname or "")
        return found


def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Chromium under its driver, or a skip that says what is missing."""
    program, driver_program = shutil.which("chromium"), shutil.which("chromedriver")
    if not program or not driver_program:
        pytest.skip("chromium and chromedriver are not installed")
    downloads = tmp_path_factory.mktemp("downloads")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver_program))
    driver.set_script_timeout(180)  # axe reads a page of thousands of rows
    driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(downloads)})
    yield Browser(driver, downloads)
    driver.quit()


def axe_core(tmp_path_factory: pytest.TempPathFactory) -> str:
    """axe-core from npm, kept only for this test session."""
    npm = shutil.which("npm")
    if not npm:
        pytest.skip("npm is not installed: axe-core cannot be fetched")
    folder = tmp_path_factory.mktemp("axe")
    fetched = subprocess.run([npm, "pack", "axe-core"], cwd=folder, capture_output=True, text=True, check=False)
    if fetched.returncode:
        pytest.skip(f"npm could not fetch axe-core: {fetched.stderr[-200:]}")
    with tarfile.open(next(folder.glob("axe-core-*.tgz"))) as archive:
        member = archive.extractfile("package/axe.min.js")
        assert member is not None
        return member.read().decode()


def serious(browser: Browser, axe: str) -> list[tuple[str, str, str]]:
    """What axe-core finds serious or critical on the page at hand, with everything unfolded."""
    browser.driver.execute_script("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    browser.driver.execute_script(axe)
    found = browser.driver.execute_async_script("axe.run(document).then(arguments[arguments.length - 1])")
    return [
        (v["id"], n["html"][:200], n["failureSummary"][:300])
        for v in found["violations"]
        if v["impact"] in ("serious", "critical")
        for n in v["nodes"][:3]
    ]


BEFORE = """
const shown = (node) => node.getBoundingClientRect().width > 0;
const picture = [...document.querySelectorAll(".picture svg, svg.scale, svg.bar, .bar svg")].find(shown);
if (!picture) return null;
const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
let text = "";
while (walker.nextNode()) {
  const node = walker.currentNode;
  if (!(picture.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_PRECEDING)) break;
  if (!node.parentElement.closest("table, svg, h1, h2, h3, .tools")) text += node.textContent + " ";
}
return text;
"""
CLIPPED = """
const clipped = [];
document.querySelectorAll(".picture svg").forEach((svg) => {
  const box = svg.getBoundingClientRect();
  if (!box.width) return;
  svg.querySelectorAll("text").forEach((text) => {
    const own = text.getBoundingClientRect();
    const inside = own.left >= box.left - 1 && own.right <= box.right + 1
      && own.top >= box.top - 2 && own.bottom <= box.bottom + 2;
    if (own.width && (!inside || text.textContent.endsWith("…"))) clipped.push(text.textContent);
  });
});
return clipped;
"""
#: Texts of a chart that lie on each other, by more than what two fonts differ in.
COVERED = """
const covered = [];
document.querySelectorAll(".picture svg").forEach((svg) => {
  const seen = [...svg.querySelectorAll("text")].filter((text) => text.getAttribute("opacity") !== "0");
  const texts = seen.map((text) => [text.textContent, text.getBoundingClientRect()]);
  texts.forEach(([one, a], place) => texts.slice(place + 1).forEach(([other, b]) => {
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > 2 && down > 5) covered.push(`${one} | ${other}`);
  }));
});
return covered;
"""


def opening_faults(browser: Browser) -> list[str]:
    """What is wrong with the first screen and the charts of a page: more than three sentences before the first chart,
    labels that are clipped or cover each other, charts that are cut."""
    text = browser.driver.execute_script(BEFORE)
    if text is None:
        return ["no chart"]
    sentences = len(re.findall(r"[.!?](?=\s|$)", text))
    faults = [f"{sentences} sentences before the chart: {text}"] if sentences > 3 else []
    for name, script in (("clipped", CLIPPED), ("covered", COVERED)):
        faults += [f"{name}: {label}" for label in browser.driver.execute_script(script)]
    wide = "return [...document.querySelectorAll('.picture')].filter((p) => p.scrollWidth > p.clientWidth + 1).length"
    return faults + ["a chart is cut"] * browser.driver.execute_script(wide)
