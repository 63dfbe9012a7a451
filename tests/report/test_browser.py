"""The pages in a real browser: headless Chromium, nothing leaves the machine, axe-core finds nothing serious."""

from __future__ import annotations

import base64
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.conftest import always_he, mixed, other
from tests.faults.hostile_suites import hostile_names
from tests.report.test_findings_headlines import beside, scores, sets, text
from tests.report.test_mining_page import mined

import evenhand
from evenhand.report import write_report
from evenhand.report.pages.overview import write_overview
from evenhand.results.findings import Findings
from evenhand.results.runs import Run
from evenhand.review import labels as reviews
from evenhand.systems import systems_at_hand

try:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select
    from tests.report.browsing import Browser, opening_faults, serious
except ImportError:
    pytest.skip("selenium is not installed", allow_module_level=True)

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def served(
    mixed_run: Path, other_run: Path, hostile_run: Path, study_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """A real `evenhand serve` over copies of three runs and of one study (twice); yields its address."""
    folder = tmp_path_factory.mktemp("served")
    runs = [str(Run.load(p).save(folder / p.name).path) for p in (mixed_run, other_run, hostile_run)]
    runs += [str(Findings.load(study_folder).save(folder / name).path) for name in ("study", "again")]
    with serving([*runs, "--system", "command:sed 's/^/She is /'"]) as home:
        yield home


@pytest.fixture(scope="module")
def shelf(
    mixed_run: Path, other_run: Path, hostile_run: Path, study_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Path]]:
    """A real `evenhand serve FOLDER` over a folder of runs, with the systems that are installed; and that folder."""
    folder = tmp_path_factory.mktemp("shelf")
    for path in (mixed_run, other_run, hostile_run):
        Run.load(path).save(folder / "deeper" / path.name)
    Findings.load(study_folder).save(folder / "study")
    hostile_names(tmp_path_factory.mktemp("hostile"), folder / "names")
    with serving([str(folder)]) as home:
        yield home, folder


@contextmanager
def serving(arguments: list[str]) -> Iterator[str]:
    """A real `evenhand serve` on a free port; its address."""
    command = [str(Path(sys.executable).with_name("evenhand")), "serve", *arguments, "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    assert "http://127.0.0.1:" in line, line
    time.sleep(1)
    yield line.split()[-1].rstrip("/")
    process.terminate()
    process.wait(timeout=20)


@pytest.fixture(scope="module")
def report(mixed_run: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_report([mixed_run], tmp_path_factory.mktemp("r") / "report.html").as_uri()


@pytest.fixture(scope="module")
def comparison(mixed_run: Path, hostile_run: Path, other_run: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    output = tmp_path_factory.mktemp("c") / "comparison.html"
    return write_report([mixed_run, hostile_run, other_run], output).as_uri()


#: Pages of every kind of findings, of ten systems, and of a project.
FURTHER = (
    "English vectors",
    "ranked words",
    "mined text",
    "parallel text",
    "beside a text",
    "Spanish vectors",
    "stated",
    "against a reference",
    "preference",
    "study tables",
    "ten systems",
    "overview",
)
PAIRS = """id\tsource\toccupation\tfeminine\tmasculine
1\tThe nurse is late.\tnurse\tLa enfermera llega tarde.\tEl enfermero llega tarde.
2\tThe lawyer is late.\tlawyer\tLa abogada llega tarde.\tEl abogado llega tarde.
3\tThe cook is late.\tcook\tLa cocinera llega tarde.\tEl cocinero llega tarde.
"""


@pytest.fixture(scope="module")
def further(
    audited: Callable[[str, Callable[[list[str]], list[str]]], Path],
    study_folder: Path,
    asked_runs: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, str]:
    """The address of each page in FURTHER."""
    folder = tmp_path_factory.mktemp("further")
    apart, enough = ("career – family", 1.2, 0.5, 1.6, 0.004), (0.14, 0.05, 0.3)
    findings = (sets(apart), scores(), mined({"nurse": (1, 9)}), text((5, 30, 5), enough, 43), beside(1.8, 1.2, 2.4))
    (folder / "pairs.tsv").write_text(PAIRS)
    (folder / "scores.tsv").write_text("id\tfeminine\tmasculine\n1\t-6\t-9\n2\t-7\t-8\n3\t-9\t-6\n")
    scored = f"file:{folder / 'scores.tsv'}"
    results: tuple[Findings | Run, ...] = (
        *findings,
        Findings.load(study_folder),
        Run.load(asked_runs / "plain"),
        evenhand.score(audited("further-0", mixed), references=["us-2020"], resamples=100),
        evenhand.preference(
            folder / "pairs.tsv",
            evenhand.open_scorer(scored, values="log-probability"),
            target="es",
            memory=folder / "m",
        ),
    )
    made = {
        name: write_report([one], folder / f"{n}.html").as_uri()
        for n, (name, one) in enumerate(zip(FURTHER, results, strict=False))
    }
    evenhand.table("cho2019", [audited("further-0", mixed)]).write(folder / "tables.html")
    made["study tables"] = (folder / "tables.html").as_uri()
    systems = [audited(f"further-{n}", (mixed, other, always_he)[n % 3]) for n in range(10)]
    made["ten systems"] = write_report(systems, folder / "ten.html").as_uri()
    for name, share in (("old", "0.1\t0.9\t0"), ("new", "0.2\t0.2\t0.6")):
        (folder / f"{name}.tsv").write_text(f"p_female\tp_male\tp_neutral\n{share}\n")
    system = "".join(f'[[system]]\nname = "{name}"\nspec = "simulated:{name}.tsv"\n' for name in ("old", "new"))
    (folder / "evenhand.toml").write_text(f'suites = ["pronouns-turkish"]\ntargets = ["en"]\n{system}')
    outcome = evenhand.run_project(folder / "evenhand.toml")
    made["overview"] = write_overview(outcome, report="report.html").as_uri()
    return made


SERVED = (
    "/",
    "/run/1",
    "/explore",
    "/explore?run=3",
    "/explore?run=1&run=2&flag=differ",
    "/review/1",
    "/review/1?labeller=z",
    "/try",
    "/report?run=1&run=2",
    "/result/4",
    "/report?run=4",
    "/report?run=4&run=5",
    "/nothing",
)


@pytest.fixture(params=["report", "comparison", "list of a folder", "try what is installed", *SERVED, *FURTHER])
def address(request: pytest.FixtureRequest, report: str, comparison: str, served: str, shelf: tuple[str, Path]) -> str:
    name: str = request.param
    if name in FURTHER:
        pages: dict[str, str] = request.getfixturevalue("further")
        return pages[name]
    folder = {"list of a folder": f"{shelf[0]}/", "try what is installed": f"{shelf[0]}/try"}
    return {"report": report, "comparison": comparison, **folder}.get(name) or served + name


def test_the_list_of_a_folder_leads_to_its_runs_and_shows_what_comes_later(
    browser: Browser, shelf: tuple[str, Path], mixed_run: Path
) -> None:
    home, folder = shelf
    browser.open(f"{home}/")
    before = len(browser.all("tbody tr"))
    assert before == 4
    Run.load(mixed_run).save(folder / "later")
    browser.open(f"{home}/")
    assert len(browser.all("tbody tr")) == before + 1
    for box in browser.all("form:has(button) input[name=run]")[:2]:
        box.click()
    browser.follow(browser.find("form:has(button) button").click)
    assert "Sentences" in browser.find("h1").text
    assert len(browser.all(".filters input[name=run]:checked")) == 2


def test_systems_are_offered_where_they_know_the_languages(browser: Browser, shelf: tuple[str, Path]) -> None:
    if "pocket" not in systems_at_hand():
        pytest.skip("evenhand-pocket is not installed")
    browser.open(f"{shelf[0]}/try")
    pocket = next(box for box in browser.all("[data-pairs]") if "pocket" in box.find_element(By.XPATH, "..").text)
    assert pocket.is_enabled()
    Select(browser.find("#target")).select_by_value("ja")
    assert not pocket.is_enabled()
    Select(browser.find("#target")).select_by_value("de")
    assert pocket.is_enabled()
    browser.find("#text").send_keys("The [doctor] slept.")
    browser.follow(browser.find("button.main").click)
    assert browser.all("ul.pairs li")


def test_pages_load_without_a_complaint_and_ask_nobody_else(browser: Browser, address: str) -> None:
    browser.hosts(), browser.problems()
    browser.open(address)
    assert browser.find("h1").text
    missing = [p for p in browser.problems() if "/nothing" not in p]
    assert missing == []
    assert browser.hosts() <= {"127.0.0.1"}


def test_axe_finds_nothing_serious_in_light_and_dark(browser: Browser, axe: str, address: str) -> None:
    for dark in (False, True):
        browser.open(address, dark=dark)
        assert serious(browser, axe) == []


def test_nothing_sticks_out_on_a_phone(browser: Browser, address: str) -> None:
    browser.open(address, width=390)
    assert browser.driver.execute_script("return document.documentElement.scrollWidth") <= 390


OPENING = ("report", "comparison", *(name for name in FURTHER if name not in ("ranked words", "study tables")))


@pytest.mark.parametrize("name", OPENING)
def test_at_most_three_sentences_come_before_the_first_chart_and_no_label_is_clipped(
    browser: Browser, report: str, comparison: str, further: dict[str, str], name: str
) -> None:
    for width in (1280, 390):
        browser.open({"report": report, "comparison": comparison, **further}[name], width=width)
        assert opening_faults(browser) == []


def test_a_page_of_ten_systems_prints_on_few_sheets(browser: Browser, further: dict[str, str]) -> None:
    browser.open(further["ten systems"])
    printed = browser.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": False})
    assert 5 < len(re.findall(rb"/Type\s*/Page\b", base64.b64decode(printed["data"]))) <= 25


@pytest.fixture(scope="module")
def hostile_pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """A report and a served run with a hostile name in every place where a name can stand."""
    folder = tmp_path_factory.mktemp("names")
    hostile_names(folder, folder / "run")
    page = write_report([folder / "run"], folder / "report.html").as_uri()
    with serving([str(folder / "run")]) as home:
        paths = ("/", "/run/1", "/explore", "/review/1?labeller=z", "/report?run=1")
        yield [page, *(home + path for path in paths)]


def test_hostile_names_are_text_in_a_real_browser(browser: Browser, hostile_pages: list[str]) -> None:
    for address in hostile_pages:
        browser.hosts(), browser.problems()
        browser.open(address)
        time.sleep(0.5)  # a refresh of 0 seconds would have led away by now
        assert browser.driver.current_url == address
        assert "gone" not in browser.driver.title.replace("document.title='gone'", "")
        assert browser.find("h1").text
        assert not browser.all("img, meta[http-equiv=refresh]")
        assert browser.problems() == []
        assert browser.hosts() <= {"127.0.0.1"}


def test_charts_can_be_saved_and_their_data_opened(browser: Browser, report: str) -> None:
    browser.open(report)
    for kind, start in (("svg", b"<svg"), ("png", b"\x89PNG")):
        browser.driver.execute_script(f"document.querySelector('[data-save={kind}][data-figure=overall]').click()")
        path = browser.downloads / f"overall.{kind}"
        browser.wait(path.exists)
        browser.wait(lambda p=path, s=start: p.read_bytes().startswith(s))  # type: ignore[misc]
    details = browser.find("#figure-overall details")
    assert not browser.find("#figure-overall table").is_displayed()
    details.find_element(By.CSS_SELECTOR, "summary").send_keys(Keys.ENTER)
    assert browser.find("#figure-overall table").is_displayed()


def test_the_theme_follows_the_machine_and_can_be_turned(browser: Browser, report: str) -> None:
    def paper() -> str:
        return str(browser.driver.execute_script("return getComputedStyle(document.body).backgroundColor"))

    browser.open(report, dark=True)
    dark = paper()
    browser.find("#theme").click()
    light = paper()
    assert (dark, light) == ("rgb(20, 23, 26)", "rgb(255, 255, 255)")


def test_the_report_prints_as_pdf(browser: Browser, report: str) -> None:
    browser.open(report)
    printed = browser.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": False})
    assert len(printed["data"]) > 20_000


def test_filters_bars_and_permalinks_lead_to_sentences(browser: Browser, served: str) -> None:
    browser.open(f"{served}/run/1")
    part = next(a for a in browser.all(".barparts a") if "female in positive" in a.get_attribute("textContent"))
    count = part.get_attribute("textContent").removeprefix("F").split(" ")[0]
    browser.follow(part.click)
    assert browser.find("h1").text.split() == ["Sentences", count]
    assert {b.text for b in browser.all(".pairs .badge")} == {"F"}
    browser.follow(next(a for a in browser.all("a.chip") if "female" in a.text).click)
    browser.find("#text").send_keys("he is")
    Select(browser.find("#sort")).select_by_value("unsure")
    browser.follow(browser.find(".filters button.main").click)
    seen = [li.text for li in browser.all("#sentences li")]
    assert seen
    assert all("he is" in text.lower() for text in seen)
    link = browser.find("#permalink").get_attribute("href")
    browser.open(link)
    assert [li.text for li in browser.all("#sentences li")] == seen


def test_what_differs_is_shown_side_by_side(browser: Browser, served: str) -> None:
    browser.open(f"{served}/")
    boxes = browser.all("input[name=run]")
    if boxes[2].is_selected():
        boxes[2].click()
    browser.follow(browser.find("form.panel button").click)
    Select(browser.find("#flag")).select_by_value("differ")
    browser.follow(browser.find(".filters button.main").click)
    sides = browser.all("#sentences .sides")
    assert sides
    for side in sides:
        letters = [b.text for b in side.find_elements(By.CSS_SELECTOR, ".badge")]
        assert len(letters) == 2
        assert letters[0] != letters[1]


def test_one_key_labels_and_another_undoes(browser: Browser, served: str) -> None:
    browser.open(f"{served}/review/1")
    browser.find("#labeller").send_keys("eve")
    browser.follow(browser.find("button.main").click)
    first = browser.find("#item").get_attribute("data-id")
    body = browser.find("body")
    browser.follow(lambda: body.send_keys("f"))
    second = browser.find("#item").get_attribute("data-id")
    assert second != first
    assert "1 labelled by eve" in browser.find("main").text
    browser.follow(lambda: browser.find("body").send_keys("z"))
    assert browser.find("#item").get_attribute("data-id") == first
    assert "0 labelled by eve" in browser.find("main").text


def test_keys_can_be_turned_off_and_tab_goes_on_from_the_sentence(browser: Browser, served: str) -> None:
    browser.open(f"{served}/review/1?labeller=tom")
    first = browser.find("#item").get_attribute("data-id")
    browser.find("#one-key").click()
    browser.open(f"{served}/review/1?labeller=tom&skip=1")
    second = browser.find("#item").get_attribute("data-id")
    assert second != first
    browser.find("body").send_keys("f")
    time.sleep(0.3)
    assert browser.find("#item").get_attribute("data-id") == second
    assert "0 labelled by tom" in browser.find("main").text
    browser.driver.switch_to.active_element.send_keys(Keys.TAB)
    assert browser.driver.switch_to.active_element.get_attribute("value") == "female"
    browser.find("#one-key").click()  # the next test presses keys again


def test_labels_reach_the_run_folder_and_its_estimates(browser: Browser, served: str, mixed_run: Path) -> None:
    browser.open(f"{served}/review/1?labeller=max")
    before = browser.find("#estimates").text
    browser.follow(lambda: browser.find("body").send_keys("f"))
    browser.follow(browser.find("form[action$='/apply'] button").click)
    assert "With people’s labels" in browser.find("main").text
    assert browser.find("#estimates").text != before
    browser.open(f"{served}/explore?run=1&how=person")
    assert len(browser.all("#sentences li")) == 1
    assert reviews.load_labels(mixed_run).height == 0  # the copy was labelled, not the original


def test_own_sentences_are_translated_and_judged(browser: Browser, served: str) -> None:
    browser.open(f"{served}/try")
    browser.problems()
    browser.find("#text").send_keys("medikua\n<script>document.title='gone'</script>")
    Select(browser.find("#source")).select_by_value("eu")
    Select(browser.find("#target")).select_by_value("en")
    browser.follow(browser.find("button.main").click)
    assert [m.text for m in browser.all(".pairs mark.female")] == ["She", "She"]
    assert browser.driver.title.startswith("Try it")
    assert browser.problems() == []
