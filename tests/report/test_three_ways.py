"""Terminal, JSON and page say the same of one run and of several: values, intervals, counts, ranks, ties, readings."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import evenhand

from evenhand.report.words.vocabulary import wording

GAP = re.compile(r"\s{2,}")
FIGURE = re.compile(r"[-+−]?\d[\d,]*(?:\.\d+)?")
Line = dict[str, str]


class Tables(HTMLParser):
    """The tables of a page: a header's cells, then rows by them; a cell's small print is left out."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._open = self._small = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self._open = True
        self._small = self._small or tag == "small"

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._open = False
        self._small = self._small and tag != "small"

    def handle_data(self, data: str) -> None:
        if self._open and not self._small:
            self.rows[-1][-1] = f"{self.rows[-1][-1]}{data}".strip()


def figures(text: str, unit: str = "") -> list[float]:
    """The numbers of a cell as shares: 57.5 % and 57.5 points are .575."""
    scale = 100 if "%" in text or unit in ("percent", "points") else 1
    return [float(n.replace(",", "").replace("−", "-")) / scale for n in FIGURE.findall(text)]


def table(text: str, title: str) -> list[Line]:
    """The rows of a table in a pipe; columns begin where their heads do."""
    lines = text.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith(title))
    starts = [match.start() for match in re.finditer(r"\S+(?: \S+)*", lines[at])]
    heads = GAP.split(lines[at].strip())
    cut: list[Line] = []
    for line in lines[at + 1 :]:
        if not GAP.search(line):
            break
        ends = [*starts[1:], len(line)]
        cut.append({head: line[a:b].strip() for head, a, b in zip(heads, starts, ends, strict=True)})
    return cut


@pytest.fixture(scope="module")
def compared(
    mixed_run: Path, other_run: Path, male_run: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Any, Tables]:
    folder = tmp_path_factory.mktemp("ways")
    runs = (mixed_run, other_run, male_run)
    told = evenhand("compare", *runs, "--sentences", 0, "--all", "-o", folder / "page.html", folder=folder).stdout
    machine = json.loads(evenhand("compare", *runs, "--json", folder=folder).stdout)
    return told, machine, Tables((folder / "page.html").read_text(encoding="utf-8"))


def test_the_ranking_is_the_same_in_terminal_json_and_page(compared: tuple[str, Any, Tables]) -> None:
    told, machine, page = compared
    printed = {(row["measure"], row["system"]): row for row in table(told, "measure ")}
    assert len(printed) == len(machine["ranking"]) > 10
    shown: dict[tuple[str, str], list[str]] = {}
    title = ""
    for row in page.rows:
        title = row[0] if len(row) == 1 else title
        if len(row) == 7 and row[0] != "Rank":
            shown.setdefault((title, row[1]), row)
    for row in machine["ranking"]:
        line, cells = printed[row["measure"], row["system"]], shown[wording(row["measure"]).title, row["system"]]
        rank = "-" if row["rank"] is None else "-".join(map(str, sorted({row["rank"], row["rank_to"]})))
        assert (line["rank"], cells[0].replace("–", "-")) == (rank, rank)
        for text, unit in ((line["value"], ""), (cells[2], wording(row["measure"]).unit)):
            assert figures(text, unit) == ([] if row["value"] is None else [pytest.approx(row["value"], abs=6e-4)])
        ends = [row[end] for end in ("low", "high") if row[end] is not None]
        assert figures(line["95 % interval"]) == pytest.approx(ends, abs=6e-4)
        assert figures(cells[3], wording(row["measure"]).unit) == pytest.approx(ends, abs=6e-4)
        assert line["decided"] == f"{row['n_decided']}/{row['n']}"
        assert figures(cells[5]) == [row["n_decided"], row["n"]]
        ties = sorted(name.strip() for name in row["tied_with"].split(",") if name.strip())
        assert sorted(name.strip() for name in line.get("tied with", "").split(",") if name.strip()) == ties
        if not cells[6].startswith(("all", "–")):
            assert sorted(name.strip() for name in cells[6].split(",")) == ties


def test_differences_have_one_reading(compared: tuple[str, Any, Tables]) -> None:
    told, machine, page = compared
    printed = {
        (row["measure"], row["difference"]): row for row in table(told.split("paired differences")[1], "measure ")
    }
    assert len(printed) == len(machine["differences"]) > 10
    shown = {(row[0], row[1]): row for row in page.rows if len(row) == 7 and " - " in row[1]}
    for row in machine["differences"]:
        line, cells = printed[row["measure"], row["level"]], shown[wording(row["measure"]).title, row["level"]]
        assert line["reading"] == row["reading"]
        ends = [row[end] for end in ("value", "low", "high") if row[end] is not None]
        assert figures(line["value"]) + figures(line["95 % interval"]) == pytest.approx(ends, abs=6e-4)
        unit = wording(row["measure"]).unit
        assert figures(cells[2], unit) + figures(cells[3], unit) == pytest.approx(ends, abs=6e-4)
        if row["reading"].endswith("better") or re.search(r"(?<!neither significantly )nearer", row["reading"]):
            assert row["ranking_p"] < 0.05  # what is called better passed the corrected test


def test_a_run_s_estimates_and_notes_are_the_same_in_terminal_json_and_page(mixed_run: Path, tmp_path: Path) -> None:
    evenhand("report", mixed_run, "-o", tmp_path / "page.html", folder=tmp_path)
    told = evenhand("score", mixed_run, "--all", "-o", tmp_path / "again", folder=tmp_path).stdout
    machine = json.loads(evenhand("score", mixed_run, "-o", tmp_path / "machine", "--json", folder=tmp_path).stdout)
    page = Tables((tmp_path / "page.html").read_text(encoding="utf-8"))
    printed = {row["measure"]: row for row in reversed(table(told, "measure "))}  # overall rows come before groups
    shown = {row[0]: row for row in reversed(page.rows) if len(row) >= 4}
    overall = [row for row in machine["estimates"] if row["group"] == "all" and row["variant"] == "raw"]
    assert len(overall) > 4
    for row in overall:
        line, cells = printed[row["measure"]], shown[wording(row["measure"]).title]
        ends = [row[end] for end in ("value", "low", "high") if row[end] is not None]
        assert figures(line["value"]) + figures(line["95 % interval"]) == pytest.approx(ends, abs=6e-4)
        unit = wording(row["measure"]).unit
        assert figures(cells[1], unit) + figures(cells[2], unit) == pytest.approx(ends, abs=6e-4)
    assert machine["notes"] == [note for note in machine["notes"] if note in " ".join(told.split())]
