"""The board in a real browser: from disk, nothing asked of anybody, three clicks to sentences, ten thousand cells."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.conftest import always_he, mixed, other

from evenhand.report.board.build import board
from evenhand.report.board.contents import Contents, Group, extract
from evenhand.report.board.pages import pages
from evenhand.results.runs import Run
from evenhand.workflows.board import Ranked, enter

pytest.importorskip("selenium", reason="selenium is not installed")
if TYPE_CHECKING:
    from tests.report.browsing import Browser

pytestmark = pytest.mark.browser
SYSTEMS, LANGUAGES = 250, 40


@pytest.fixture(scope="module")
def site(
    audited: Callable[[str, Callable[[list[str]], list[str]]], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Three systems, one of them at two dates."""
    folder = tmp_path_factory.mktemp("shown")
    dated = (("mixed", mixed, 5), ("other", other, 5), ("he", always_he, 5), ("other", always_he, 4))
    for number, (name, system, month) in enumerate(dated):
        run = Run.load(audited(f"shown-{name}-{month}", system))
        told = replace(run.manifest, name=name, created=f"2026-0{month}-01T00:00:00+00:00", answered=None)
        replace(run, manifest=told).save(folder / "runs" / str(number))
    return board(folder / "runs", folder / "site").index.parent


def every_kind(site: Path) -> list[str]:
    """One page of each kind."""
    kinds = ("index", "method", "language-", "system-other", "run-", "sentences-")
    return [next(iter(sorted(site.glob(f"{kind}*.html")))).as_uri() for kind in kinds]


def test_every_kind_of_page_loads_from_disk_without_a_complaint_and_asks_nobody(browser: Browser, site: Path) -> None:
    browser.hosts()
    for page in every_kind(site):
        for width in (1280, 390):
            browser.open(page, width=width)
            assert browser.problems() == []
            assert browser.hosts() == set()
            assert browser.driver.execute_script("return document.documentElement.scrollWidth") <= width


def test_axe_finds_nothing_serious_on_any_kind_of_page(browser: Browser, axe: str, site: Path) -> None:
    from tests.report.browsing import serious

    for page in every_kind(site):
        for dark in (False, True):
            browser.open(page, dark=dark)
            assert serious(browser, axe) == [], page


def test_the_finding_and_its_chart_come_first_on_every_page_with_numbers(browser: Browser, site: Path) -> None:
    from tests.report.browsing import opening_faults

    for page in every_kind(site):
        for width in (1280, 390) if "method" not in page and "sentences-" not in page else ():
            browser.open(page, width=width)
            assert opening_faults(browser) == [], page


def test_the_sentences_of_any_value_are_no_more_than_three_clicks_away(browser: Browser, site: Path) -> None:
    browser.open((site / "index.html").as_uri())
    browser.follow(browser.find("table.board td a").click)
    assert browser.find("#sentences").is_displayed()
    assert browser.all(".pairs li")
    browser.open((site / "index.html").as_uri())
    browser.follow(browser.find("table.board thead a").click)  # a language, then a value of its last ranking
    browser.follow(browser.all("table.board td.big a")[-1].click)
    assert browser.all(".pairs li")
    browser.open((site / "index.html").as_uri())
    browser.follow(browser.find("table.board tbody th a").click)  # a system, then one of its values
    browser.follow(browser.find("table.board td.big a").click)
    assert browser.all(".pairs li")
    assert "suite:pronouns-basque" in browser.find(".signature").get_attribute("textContent")


def test_a_change_that_passes_the_test_is_framed_whatever_the_colours(browser: Browser, site: Path) -> None:
    browser.open((site / "system-other.html").as_uri())
    frame = browser.find(".changed")
    assert "changed" in frame.text
    assert frame.value_of_css_property("border-top-style") == "solid"


def test_pages_print_with_every_number(browser: Browser, site: Path) -> None:
    browser.open(next(site.glob("language-*.html")).as_uri())
    printed = browser.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": False})
    assert base64.b64decode(printed["data"]).startswith(b"%PDF")
    assert len(printed["data"]) > 20_000


def test_ten_thousand_cells_load(
    browser: Browser, mixed_run: Path, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """The time is reported, not asserted: a busy machine is slow, not wrong."""
    (entered,), _ = enter([mixed_run])
    one = extract(entered, Run.load(mixed_run), seed=0, shown=0)
    groups = {}
    for language in range(LANGUAGES):
        code = "x" + chr(97 + language // 26) + chr(97 + language % 26)
        runs = {
            f"system {n}": [
                replace(one, info=replace(one.info, name=f"system {n}", target_lang=code), key=f"{code}-{n}")
            ]
            for n in range(SYSTEMS)
        }
        groups[one.info.suite.name, one.info.suite.hash, code] = Group(runs, Ranked(), {})
    name, text = next(iter(pages(Contents(groups, (), numbers_only=True, seed=0))))
    (tmp_path / name).write_text(text, encoding="utf-8")
    browser.open((tmp_path / name).as_uri())
    assert len(browser.all("table.board td a")) == SYSTEMS * LANGUAGES
    timing = browser.driver.execute_script(
        "const t = performance.getEntriesByType('navigation')[0]; return t.loadEventEnd - t.startTime"
    )
    record_property("load_ms", timing)
    print(f"10,000 cells, {len(text) / 1e6:.1f} MB: loaded in {timing:.0f} ms")  # noqa: T201
