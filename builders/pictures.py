"""The pictures of the docs, from runs made here and now: `python -m builders.pictures WORK [NAME...]`.

WORK is a folder for the runs (made where they are missing, kept for the next time); the pictures go to docs/pictures,
or with `--look FOLDER` every page goes there at 1280 and 390 pixels, in the dark and as a PDF, to be looked at. NAMEs
take some pages only. Sentences are those of our own suites, through pocket, Apertium (English-Spanish and
English-Catalan must be installed) and simulated systems.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl
from builders.screenshots import LOOKS, browser, printed, taken
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
WIDTH, MOST, SHRUNK, QUALITY = 1100, 1_300, 0.8, 60
SYSTEMS = 10
SHARES = "p_female\tp_male\tp_neutral\n{female:.2f}\t{male:.2f}\t{neutral:.2f}\n"
PROJECT = """suites = ["pronouns-hungarian"]
targets = ["en"]
[[system]]
name = "old model"
spec = "simulated:2.tsv"
[[system]]
name = "new model"
spec = "simulated:7.tsv"
[[limit]]
measure = "P_S"
min = "50 %"
"""
#: What a page shows, and how it is made: pages on disk by their path in WORK, pages of the explorer by their address.
PAGES = {
    "report": "coreference/pocket.es/report.html",
    "comparison": "two.html",
    "comparison-ten": "ten.html",
    "overview": "project/runs/overview.html",
    "vectors": "vectors/report.html",
    "vectors-english": "english/report.html",
    "mining": "mined/report.html",
    "text": "text/report.html",
    "board": "site/index.html",
}
SERVED = {
    "results": "/",
    "explorer": "/run/1",
    "sentences": "/explore?run=1&gender=male",
    "beside": "/explore?run=1&run=2&flag=differ",
    "review": "/review/1?labeller=eve",
    "try": "/try",
}
#: The command of docs/studies*.md behind each figure ("": the mined text), and which of its figures.
STUDIES = {
    "cho2019": (
        "audit pronouns-turkish --system pocket --target en --resamples 500 --no-report",
        "shares",
    ),
    "troles2021": (
        "audit occupations-verbs --system pocket --target de --only occupation_class=feminine --resamples 500 "
        "--no-report",
        "TFG",
    ),
    "gonen2020": ("", "*words-es-at-risk*"),
    "farkas2022": (
        "audit occupations-hungarian --system pocket --target en --only sector=healthcare --reference us-2020 "
        "--reference hungary-2011 --resamples 500 --no-report",
        "distance-us-2020",
    ),
    "zhou2019": ("embeddings audit --language es --vectors pocket --method shift-ori", "before-after"),
}


def evenhand(folder: Path, *arguments: object, allowed: tuple[int, ...] = (0,)) -> None:
    """A command as a user gives it; the translation memory stays in WORK."""
    done = subprocess.run(
        [sys.executable, "-m", "evenhand", *map(str, arguments)],
        cwd=folder,
        env=os.environ | {"EVENHAND_MEMORY": str(folder / "memory.sqlite")},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in allowed:
        raise SystemExit(f"evenhand {' '.join(map(str, arguments))}\n{done.stdout}{done.stderr}")


def audits(work: Path) -> None:
    """Two systems into four languages on our coreference suite, ten simulated ones on the Hungarian one."""
    for system, target in (
        ("pocket", "es"),
        ("apertium", "es"),
        ("apertium", "ca"),
        ("pocket", "de"),
        ("pocket", "fr"),
    ):
        asked = ("--system", system, "--target", target, "-o", work / "coreference" / f"{system}.{target}")
        evenhand(work, "audit", "occupations-coreference", *asked)
    for number in range(SYSTEMS):
        shares = {"female": 0.05 + 0.03 * number, "neutral": 0.06 * number}
        text = SHARES.format(**shares, male=1 - sum(shares.values()))
        (work / f"{number}.tsv").write_text(text, encoding="utf-8")
        asked = ("--system", f"simulated:{number}.tsv", "--target", "en", "-o", work / "ten" / f"system-{number}")
        evenhand(work, "audit", "pronouns-hungarian", *asked, "--name", f"system {number}", "--no-report")


def pages(work: Path) -> None:
    """Pages that are made of those runs, of vectors, and of text that pocket translated."""
    coreference = work / "coreference"
    evenhand(work, "compare", coreference / "pocket.es", coreference / "apertium.es", "-o", work / "two.html")
    ten = [work / "ten" / f"system-{number}" for number in range(SYSTEMS)]
    evenhand(work, "compare", *ten, "-o", work / "ten.html")
    evenhand(work, "board", coreference, "-o", work / "site")
    project = work / "project"
    project.mkdir(exist_ok=True)
    for number in (2, 7):
        (project / f"{number}.tsv").write_bytes((work / f"{number}.tsv").read_bytes())
    (project / "evenhand.toml").write_text(PROJECT, encoding="utf-8")
    evenhand(project, "run", allowed=(0, 1))
    evenhand(work, "embeddings", "audit", "--language", "es", "--vectors", "pocket", "-o", work / "vectors")
    evenhand(work, "embeddings", "audit", "--language", "en", "--vectors", "pocket", "-o", work / "english")
    evenhand(
        work, "audit", "occupations-verbs", "--system", "pocket", "--target", "de", "-o", work / "verbs", "--no-report"
    )
    renderings, probes = (pl.read_parquet(work / "verbs" / f"{name}.parquet") for name in ("renderings", "probes"))
    pairs = probes.join(renderings, on="id", maintain_order="left").select("source", target="rendering")
    pairs.write_csv(work / "pairs.tsv", separator="\t", quote_style="never")
    evenhand(work, "corpus", work / "pairs.tsv", "--target", "de", "-o", work / "text")
    pairs.select("source").sample(400, seed=0).write_csv(work / "source.txt", include_header=False, quote_style="never")
    evenhand(work, "mine", work / "source.txt", "--system", "pocket", "--target", "es", "-o", work / "mined")


def tried(driver: webdriver.Chrome) -> None:
    """Two sentences on the try-it page, translated and judged."""
    driver.find_element(By.ID, "text").send_keys("The [doctor] asked the nurse a question.\nThe [nurse] was tired.")
    driver.find_element(By.CSS_SELECTOR, "button.main").click()
    WebDriverWait(driver, 60).until(lambda page: page.find_elements(By.CSS_SELECTOR, "ul.pairs li"))


@contextmanager
def serving(work: Path) -> Iterator[str]:
    """`evenhand serve` over the first two runs; its address."""
    runs = [work / "coreference" / name for name in ("pocket.es", "apertium.es")]
    command = [sys.executable, "-m", "evenhand", "serve", *map(str, [*runs, work / "vectors"]), "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        line = process.stdout.readline() if process.stdout else ""
        time.sleep(1)
        yield line.split()[-1].rstrip("/")
    finally:
        process.terminate()
        process.wait(timeout=20)


def figures(work: Path) -> None:
    """The figures of docs/studies*.md, of the page's own commands (and, for mined text, of the text mined here)."""
    for study, (command, drawn) in STUDIES.items():
        folder = work / "studies" / study if command else work / "mined"
        if not folder.is_dir():
            evenhand(work, *command.split(), "-o", folder)
        kept = work / "figures" / study
        evenhand(work, "report", folder, "-o", work / f"{study}.html", "--figures", kept)
        (PICTURES / f"{study}.svg").write_bytes(next(kept.glob(f"{drawn}.svg")).read_bytes())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join([*PAGES, *SERVED]))
    parser.add_argument(
        "--look", type=Path, metavar="FOLDER", help="whole pages in every look, instead of docs/pictures"
    )
    given = parser.parse_intermixed_args()
    work = given.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    if not (work / "ten" / f"system-{SYSTEMS - 1}").is_dir():
        audits(work)
    if not (work / "mined" / "report.html").is_file():
        pages(work)
    if not given.names and given.look is None:
        figures(work)
    with serving(work) as home, browser() as driver:
        places = {name: (work / path).as_uri() for name, path in PAGES.items()}
        places |= {name: home + path for name, path in SERVED.items()}
        acts = {"try": tried}
        for name in given.names or places:
            if given.look is None:
                look = taken(
                    driver,
                    places[name],
                    width=WIDTH,
                    scheme="light",
                    most=MOST,
                    shrunk=SHRUNK,
                    quality=QUALITY,
                    act=acts.get(name),
                )
                (PICTURES / f"{name}.webp").write_bytes(look)
                continue
            given.look.mkdir(parents=True, exist_ok=True)
            for kind, (width, scheme) in LOOKS.items():
                look = taken(driver, places[name], width=width, scheme=scheme, act=acts.get(name))
                (given.look / f"{name}-{kind}.png").write_bytes(look)
            (given.look / f"{name}.pdf").write_bytes(printed(driver, places[name]))


if __name__ == "__main__":
    main()
