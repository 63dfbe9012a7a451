"""Screenshots of pages with Chromium, for the docs and to look at: `python -m builders.screenshots FOLDER PAGE...`.

PAGE is a file or an address on this machine, with a name before it where it is to have one: `report=runs/a/page.html`.
Each is taken at 1280 and 390 pixels, in the dark, and as it prints. builders/pictures.py takes those of the docs. Needs
chromium, chromedriver and selenium.
"""

from __future__ import annotations

import argparse
import base64
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium import webdriver

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--disable-background-networking",
    "--no-first-run",
)
LOOKS = {"1280": (1280, "light"), "390": (390, "light"), "dark": (1280, "dark")}
TALLEST = 12_000  # pixels of a whole page


@contextmanager
def browser() -> Iterator[webdriver.Chrome]:
    """A headless Chromium that asks nobody for anything."""
    with tempfile.TemporaryDirectory() as profile:
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or "chromium"
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
        try:
            yield driver
        finally:
            driver.quit()


def taken(
    driver: webdriver.Chrome,
    address: str,
    *,
    width: int,
    scheme: str,
    most: int = TALLEST,
    shrunk: float = 1,
    quality: int | None = None,
    act: Callable[[webdriver.Chrome], None] | None = None,
) -> bytes:
    """The page from its top, at most so high: as PNG, or as WebP of a `quality` from 0 to 100.

    `act` does something on the page first, such as filling in a form.
    """
    scale = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", scale)
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    driver.get(address)
    if act is not None:
        act(driver)
    whole = int(driver.execute_script("return document.documentElement.scrollHeight"))
    clip = {"x": 0, "y": 0, "width": width, "height": min(whole, most), "scale": shrunk}
    form = {"format": "png"} if quality is None else {"format": "webp", "quality": quality}
    asked = {"captureBeyondViewport": True, "clip": clip, **form}
    shot = driver.execute_cdp_cmd("Page.captureScreenshot", asked)
    return base64.b64decode(shot["data"])


def printed(driver: webdriver.Chrome, address: str) -> bytes:
    """The page as PDF, as its print style makes it."""
    driver.get(address)
    return base64.b64decode(driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("pages", nargs="+", metavar="PAGE")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with browser() as driver:
        for page in given.pages:
            name, equals, place = page.partition("=")
            if not equals:
                name, place = Path(page).stem, page
            address = place if "://" in place else Path(place).resolve().as_uri()
            for look, (width, scheme) in LOOKS.items():
                (given.folder / f"{name}-{look}.png").write_bytes(taken(driver, address, width=width, scheme=scheme))
            (given.folder / f"{name}.pdf").write_bytes(printed(driver, address))


if __name__ == "__main__":
    main()
