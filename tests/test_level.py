"""One confidence level: in the settings, the manifest, the signature, every interval and every word about one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from scipy import stats

import evenhand
from evenhand.errors import BadInput
from evenhand.level import interval_words, tails
from evenhand.measures.decisions.paired import compare
from evenhand.measures.estimate import estimate
from evenhand.results.runs import Run
from evenhand.workflows.score import score
from evenhand.workflows.settings import Settings

SOURCE = Path(evenhand.__file__).parent


def table(step: int) -> pl.DataFrame:
    """Thirty concepts of two sentences; every `step`-th concept is rendered female."""
    rows = [(f"p{n:02d}", f"c{n // 2}", "female" if (n // 2) % step == 0 else "male") for n in range(60)]
    return pl.DataFrame(rows, schema=["id", "concept", "gender"], orient="row")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    path = tmp_path / "probes.tsv"
    rows = [f"p{n:02d}\tŐ a {n}. orvos.\thu\tconcept{n // 2}" for n in range(40)]
    path.write_text("id\tsource\tsource_lang\tconcept\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return evenhand.audit(
        path,
        lambda texts: [f"{'She' if n % 3 == 0 else 'He'} is number {n}." for n, _ in enumerate(texts)],
        target="en",
        output=tmp_path / "run",
        memory=tmp_path / "m.sqlite",
        settings=Settings(level=0.9),
    )


def test_an_interval_is_named_by_its_level() -> None:
    assert interval_words(0.95) == "95 % interval"
    assert interval_words(0.9, 0.999, 0.9) == "90 % or 99.9 % interval"
    assert tails(0.9) == (0.05, 0.95)


@pytest.mark.parametrize("wrong", [0.0, 0.2, 1.0, 95.0])
def test_a_level_that_is_none_is_refused_before_anything_is_sent(wrong: float) -> None:
    with pytest.raises(BadInput, match="confidence level"):
        Settings(level=wrong)
    with pytest.raises(BadInput, match="confidence level"):
        estimate(table(3), clusters=("concept",), level=wrong, resamples=100)


def test_a_share_of_which_every_rendering_is_male_ends_where_that_level_says() -> None:
    male = table(3).with_columns(gender=pl.lit("male"))
    for level in (0.8, 0.9, 0.99):
        row = estimate(male, measures=("share_female",), level=level, resamples=20_000).row(0, named=True)
        # every probe by itself: the beta quantile between mid-P (1/2) and Clopper & Pearson (1)
        low, high = (stats.beta.ppf((1 + level) / 2, more, 60) for more in (0.5, 1))
        assert low < row["high"] < high


def test_a_higher_level_widens_every_interval_and_moves_no_value() -> None:
    def widths(level: float) -> tuple[list[float], list[float]]:
        by_level = estimate(table(3), clusters=("concept",), level=level, resamples=400)
        return by_level["value"].to_list(), (by_level["high"] - by_level["low"]).to_list()

    (values, narrow), (same, wide) = widths(0.8), widths(0.99)
    assert values == same
    assert all(a < b for a, b in zip(narrow[:2], wide[:2], strict=True))


def test_differences_between_systems_follow_the_level_too() -> None:
    def width(level: float) -> float:
        runs = {"even": table(2), "skewed": table(6)}
        chosen = {"clusters": ("concept",), "measures": ("share_female",)}
        found = compare(runs, **chosen, level=level, resamples=400)  # type: ignore[arg-type]
        return float((found.differences["high"] - found.differences["low"])[0])

    assert width(0.8) < width(0.99)


def test_a_run_keeps_its_level_in_manifest_and_signature(run: Run) -> None:
    assert run.path is not None
    loaded = Run.load(run.path)
    assert loaded.manifest.level == 0.9
    assert "|level:0.9|" in run.signature
    assert score(loaded).estimates.equals(run.estimates)
    wider = score(loaded, level=0.99)
    assert "|level:0.99|" in wider.signature
    assert (wider.estimates["low"] <= run.estimates["low"]).all()


def test_a_notebook_and_exports_name_the_run_s_level(run: Run) -> None:
    from evenhand.report.exchange import tables

    for text in (run._repr_html_(), tables.to_markdown([run]), tables.to_latex([run]).replace("\\%", "%")):
        assert "90 % interval" in text
        assert "95 %" not in text


def test_a_page_says_ninety_where_the_run_does(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("altair")
    from evenhand.report import write_report

    page = write_report([run], tmp_path / "r.html").read_text(encoding="utf-8")
    assert "90 % interval" in page
    assert "95 %" not in page


def test_another_default_is_one_line_in_one_file(tmp_path: Path) -> None:
    script = (
        "import evenhand.level\n"
        "evenhand.level.LEVEL = 0.9  # as if the line were another, before any other module reads it\n"
        "from evenhand.cli.main import main\n"
        "main()\n"
    )
    (tmp_path / "he.txt").write_text("He is here.\n" * 8)
    probes = "".join(f"p{n}\tŐ {n}.\thu\n" for n in range(8))
    (tmp_path / "mine.tsv").write_text("id\tsource\tsource_lang\n" + probes, encoding="utf-8")
    arguments = ["audit", "mine.tsv", "-s", "file:he.txt", "-t", "en", "-o", "run", "--resamples", "100"]
    environment = {**os.environ, "EVENHAND_MEMORY": str(tmp_path / "m.sqlite"), "PYTHONUTF8": "1"}
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert "90 % interval" in done.stdout
    assert Run.load(tmp_path / "run").manifest.level == 0.9
    page = tmp_path / "run" / "report.html"
    for text in (done.stdout, page.read_text(encoding="utf-8") if page.exists() else ""):
        assert "95 %" not in text


# rooms that are being rewritten; each line here goes when its room asks for the level
WAITING = ("mining/pictures.py", "mining/data/report.html", "cli/mine.py")


def test_no_level_or_quantile_is_written_anywhere_else() -> None:
    written = re.compile(r"95\\?[, ]*\\?%|\b0\.025\b|\b0\.975\b|\b1\.96\b|level: float = 0|level=0\.")
    files = [p for p in SOURCE.rglob("*") if p.suffix in (".py", ".html", ".js") and p.name != "level.py"]
    guilty = {str(p.relative_to(SOURCE)) for p in files if written.search(p.read_text(encoding="utf-8"))}
    assert guilty - set(WAITING) == set()
