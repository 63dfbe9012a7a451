"""A paper's tables and figures, filled with your runs and laid out as the paper prints them: the verb `table`."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path

import polars as pl
from rich.cells import cell_len

from evenhand._version import __version__
from evenhand.errors import BadInput, Unknown
from evenhand.level import interval_words
from evenhand.notebook import html_notes, html_table, html_title
from evenhand.replicate.cell import printed_remarks
from evenhand.replicate.element import USUAL, Cell, Element, Subject, of_result
from evenhand.report.charts.figure import Figure
from evenhand.report.exchange.spreadsheet import csv_table
from evenhand.report.exchange.tables import tex
from evenhand.report.words.tables import TextTable
from evenhand.results.findings import Findings, load_result
from evenhand.results.runs import Run
from evenhand.storage.atomic import write_text
from evenhand.storage.folders import read_manifest_json

STUDIES = {
    "cho2019": "Cho et al. 2019",
    "troles2021": "Troles & Schmid 2021",
    "gonen2020": "Gonen & Webster 2020",
    "farkas2022": "Farkas & Nemeth 2022",
    "zhou2019": "Zhou et al. 2019",
}
PRINTED = " (published)"
PRINTED_SOURCE = "the paper's printed table"
SUITES = {  # of which a report ends with the study's tables
    "pronouns-": "cho2019",
    "occupations-verbs": "troles2021",
    "occupations-adjectives": "troles2021",
    "occupations-hungarian": "farkas2022",
}
KINDS = {"mining": "gonen2020", "embeddings": "zhou2019", "word-scores": "troles2021"}
DRAWN_IN_REPORTS = {"farkas2022": ("figure4", "figure6", "figure7"), "troles2021": ("figure4",)}
# what a run of another layout, or an edited one, raises: its report has no such tables
UNFIT = (BadInput, LookupError, TypeError, ValueError, pl.exceptions.PolarsError)
DRAWN = (".svg", ".pdf", ".png")


@dataclass(frozen=True)
class FilledElement:
    """A table or figure with its cells: of each subject by name, the paper's own behind them."""

    element: Element
    subjects: tuple[Subject, ...]
    cells: tuple[tuple[str, Cell], ...]

    def laid_out(self, *, intervals: bool = True) -> TextTable:
        """The paper's layout; rows beyond the element's `most` are left to the exports."""
        element, axes, named = self.element, self._heads(), list(self.element.labels)
        texts: dict[tuple[tuple[str, ...], str], str] = {}
        places: dict[tuple[str, ...], int] = {}  # rows that the element names are in the paper's order
        for system, cell in self._merged(intervals) if element.merged else self._single(intervals):
            key = {"system": system, "row": self._label(cell), "column": element.labels.get(cell.column, cell.column)}
            head = tuple(key[axis] for axis in axes)
            texts[head, key[element.across]] = cell.text
            places.setdefault(head, named.index(cell.row) if axes[0] == "row" and cell.row in named else len(named))
        heads, tops = sorted(places, key=places.__getitem__), dict.fromkeys(top for _, top in texts)
        rows = [[*_shortened(heads, n), *(texts.get((head, top), "") for top in tops)] for n, head in self._kept(heads)]
        cut = f"{len(rows)} of {len(heads)} rows; CSV and JSON have all" if len(rows) < len(heads) else ""
        names = ["system" if axis == "system" else "" for axis in axes]
        return TextTable(f"{element.name}: {element.title}", (*names, *tops), rows, cut)

    def _kept(self, heads: Iterable[tuple[str, ...]]) -> Iterator[tuple[int, tuple[str, ...]]]:
        """The heads of the rows that are printed, with their places: the first `most` of every system."""
        blocks, stacked = Counter[str](), self._heads()[0] == "system"
        for place, head in enumerate(heads):
            blocks[head[0] if stacked else ""] += 1
            if not self.element.most or blocks[head[0] if stacked else ""] <= self.element.most:
                yield place, head

    def _heads(self) -> list[str]:
        """What names a row: everything that is not across; columns only where there are several."""
        axes = [axis for axis in ("system", "row", "column") if axis != self.element.across]
        single = self.element.merged or len({cell.column for _, cell in self.cells}) == 1
        return [axis for axis in axes if axis != "column" or not single] or axes

    def _single(self, intervals: bool) -> Iterator[tuple[str, Cell]]:
        for system, cell in self.cells:
            yield system, cell._replace(text=shown(cell, self.element, intervals=intervals))

    def _merged(self, intervals: bool) -> Iterator[tuple[str, Cell]]:
        """One cell per system and row; a row with the first column alone has that."""
        together: dict[tuple[str, str], dict[str, Cell]] = {}
        for system, cell in self.cells:
            together.setdefault((system, cell.row), {})[cell.column] = cell
        for (system, _), columns in together.items():
            first, *rest = columns
            texts = {name: shown(cell, self.element, intervals=False) for name, cell in columns.items()}
            texts[first] = shown(columns[first], self.element, intervals=intervals)
            merged = self.element.merged.format_map(texts) if rest else texts[first]
            yield system, columns[first]._replace(text=merged)

    def _label(self, cell: Cell) -> str:
        """The row's name, with its size where the paper prints it and all systems agree."""
        label = self.element.labels.get(cell.row, cell.row)
        sizes = {other.n for _, other in self.cells if other.row == cell.row and other.n}
        return f"{label} [{sizes.pop():,}]" if label.startswith("(") and len(sizes) == 1 else label


@dataclass(frozen=True, repr=False)
class StudyTables:
    """The chosen elements of a paper; those that the given runs cannot fill have no cells. Prints as its tables."""

    study: str
    elements: tuple[FilledElement, ...]
    level: float
    intervals: bool = True

    @property
    def filled(self) -> list[FilledElement]:
        return [one for one in self.elements if one.cells]

    @property
    def missing(self) -> list[str]:
        """What was asked for and is not there, and why."""
        unfilled = ((one.element, bool(one.subjects)) for one in self.elements if not one.cells)
        return [
            f"nothing in these for {one.name} ({one.key}): {one.title}"
            if fits
            else f"not from these: {one.name} ({one.key}) needs {one.needs}"
            for one, fits in unfilled
        ]

    @property
    def sections(self) -> list[TextTable]:
        return [filled.laid_out(intervals=self.intervals) for filled in self.filled]

    @property
    def notes(self) -> list[str]:
        """What a reader must know: the intervals, and the paper's own slips where its numbers are shown."""
        beside = any(name.endswith(PRINTED) for filled in self.filled for name, _ in filled.cells)
        ends = any(math.isfinite(cell.low) for filled in self.filled for _, cell in filled.cells)
        notes = [f"in brackets: {interval_words(self.level)}s"] if self.intervals and ends else []
        return notes + (printed_remarks(self.study) if beside else [])

    def frame(self) -> pl.DataFrame:
        """One row per number: element, system, row, column, value, low, high, n, text, note; nothing rounded."""
        named = [(f.element.key, system, cell) for f in self.filled for system, cell in f.cells]
        rows = [{"study": self.study, "element": key, "system": name, **cell._asdict()} for key, name, cell in named]
        table = pl.DataFrame(rows, schema_overrides={"n": pl.Int64}, infer_schema_length=None)
        return table.with_columns(pl.col(pl.Float64).fill_nan(None))

    def __repr__(self) -> str:
        return self.text()

    def text(self) -> str:
        """Tables with aligned columns, one after another."""
        return "\n\n".join([*map(_aligned, self.sections), "\n".join(self.notes)]).rstrip() + "\n"

    def csv(self) -> str:
        """`frame` as CSV."""
        return csv_table(self.frame())

    def latex(self) -> str:
        """A table environment per element; needs \\usepackage{booktabs}."""
        notes = [f"% {note}" for note in self.notes]
        return "\n".join([r"% needs \usepackage{booktabs}", *map(_latex, self.sections), *notes]) + "\n"

    def figures(self) -> list[Figure]:
        """The paper's figures as charts."""
        from evenhand.report import require_charts

        require_charts("drawing charts")
        from evenhand.report.charts.studies import drawn_figures

        return [figure for filled in self.filled for figure in drawn_figures(filled, self.level)]

    def html(self) -> str:
        """One page with every table and figure; it loads nothing from other hosts."""
        from evenhand.report import require_charts

        require_charts("writing a page")
        from evenhand.report.pages.page import drawn, render

        names = list(dict.fromkeys(name for filled in self.filled for name, _ in filled.cells))
        context = {"title": STUDIES[self.study], "names": names, "version": __version__, "sections": self.sections}
        return render("study.html", {**context, "notes": self.notes, "figures": drawn(self.figures())})

    def _repr_html_(self) -> str:
        return "".join(html_title(s.title) + html_table(s.columns, s.rows) for s in self.sections) + html_notes(
            self.notes
        )

    def write(self, output: Path | str) -> list[Path]:
        """What the suffix names; a folder gets every format, and every figure as SVG, PNG and PDF."""
        path = Path(output)
        if path.suffix.lower() in DRAWN:
            return [self._write_figure(path)]
        if path.suffix:
            maker = FORMATS.get(path.suffix.lower())
            if maker is None:
                raise Unknown("table format", path.suffix, (*FORMATS, *DRAWN))
            write_text(path, maker(self))
            return [path]
        from evenhand.report.charts.drawing import write_figures

        written = write_figures(self.figures(), path)
        for suffix, maker in FORMATS.items():
            written.append(path / f"{self.study}{suffix}")
            write_text(written[-1], maker(self))
        return written

    def _write_figure(self, path: Path) -> Path:
        made = self.figures()
        if len(made) != 1:
            keys = ", ".join(f.element.key for f in self.filled if f.element.is_figure) or "none"
            raise BadInput(f"{path}: {len(made)} figures do not fit into one file; name one with --element ({keys})")
        from evenhand.report.charts.drawing import write_figure

        if write_figure(made[0], path) is None:
            raise BadInput(f"{path}: this figure cannot be drawn")
        return path


FORMATS: dict[str, Callable[[StudyTables], str]] = {
    ".txt": StudyTables.text,
    ".tex": StudyTables.latex,
    ".csv": StudyTables.csv,
    ".html": StudyTables.html,
}


def table(
    study: str,
    runs: Path | str | Run | Findings | Sequence[Path | str | Run | Findings],
    *,
    elements: Sequence[str] = (),
    published: bool = False,
    intervals: bool = True,
) -> StudyTables:
    """A paper's tables and figures from runs and findings, side by side; or from the authors' data, as a folder.

    `elements` names some of them (`evenhand table --list`); `published` puts the paper's own numbers beside them.
    """
    wanted = [_element(study, key) for key in elements] or elements_of(study)
    given = [runs] if isinstance(runs, Path | str | Run | Findings) else runs
    if not given and not published:
        raise BadInput(f"name at least one run for {study}, or ask for --published. `evenhand table --list` helps.")
    subjects = [subject for one in given for subject in open_subjects(study, one)]
    made = [_filled(study, element, subjects, published=published) for element in wanted]
    if not any(one.cells for one in made):
        needs = "; ".join(dict.fromkeys(element.needs for element in wanted))
        raise BadInput(f"these results fill no element of {study}; it needs: {needs}")
    levels = [subject.resampling["level"] for subject in subjects if subject.resampling]
    return StudyTables(study, tuple(made), levels[0] if levels else USUAL["level"], intervals)


def _element(study: str, key: str) -> Element:
    known = {element.key: element for element in elements_of(study)}
    if key not in known:
        raise Unknown(f"element of {study}", key, known)
    return known[key]


def elements_of(study: str) -> list[Element]:
    """The tables and figures of a study, in the order of the paper."""
    if study not in STUDIES:
        raise Unknown("study", study, STUDIES, hint="`evenhand table --list` describes each.")
    defined: dict[str, Element] = import_module(f"evenhand.replicate.{study}").ELEMENTS
    return list(defined.values())


def open_subjects(study: str, given: Path | str | Run | Findings) -> list[Subject]:
    """What a study makes of a run or finding, or of the authors' data."""
    module = import_module(f"evenhand.replicate.{study}")
    if isinstance(given, Path | str):
        path = Path(given)
        if not path.exists():
            raise BadInput(f"{path}: no such run folder")
        if path.is_file() or read_manifest_json(path) is None:
            stored: list[Subject] = module.stored(path)
            named = [replace(s, name=s.name.replace("_", " ")) for s in stored]
            return [s if s.source == PRINTED_SOURCE else replace(s, resampling=USUAL) for s in named]
        given = load_result(path)
    made: list[Subject] = getattr(module, "subjects", lambda result: [of_result(result)])(given)
    return made


def study_of(result: Run | Findings) -> str | None:
    """The study whose tables a report of this result ends with."""
    if isinstance(result, Findings):
        return KINDS.get(result.manifest.kind)
    return next((study for name, study in SUITES.items() if result.manifest.suite.name.startswith(name)), None)


def study_tables(*results: Run | Findings) -> list[TextTable]:
    """What a report ends with: the tables of the study whose suite or method this is, systems side by side."""
    study = study_of(results[0])
    with suppress(*UNFIT):
        made = [] if study is None else table(study, results).filled
        return [one.laid_out() for one in made if not one.element.is_figure]
    return []


def run_figures(run: Run) -> list[Figure]:
    """Figures of the studies that a report draws: B by sector, two references and the largest errors, %TCG."""
    made: list[Figure] = []
    for study, keys in DRAWN_IN_REPORTS.items():
        with suppress(*UNFIT):
            wanted = [_filled(study, _element(study, key), open_subjects(study, run), published=False) for key in keys]
            filled = StudyTables(study, tuple(wanted), run.manifest.level)
            made += filled.figures() if filled.filled else []
    return made


def _filled(study: str, element: Element, subjects: Sequence[Subject], *, published: bool) -> FilledElement:
    named = _distinct([subject for subject in subjects if element.fits(subject)])
    cells = [(subject.name, cell) for subject in named for cell in element.cells(subject)]
    if published:
        columns = {cell.column for _, cell in cells}
        printed = ((name.replace("_", " ") + PRINTED, some) for name, some in element.printed(study).items())
        cells += [(name, cell) for name, some in printed for cell in some if not columns or cell.column in columns]
    return FilledElement(element, tuple(named), tuple(cells))


def _distinct(subjects: Sequence[Subject]) -> Sequence[Subject]:
    """Subjects of one name told by their folders, by whole paths where folders have one name, else by number."""
    often, named = Counter(subject.name for subject in subjects), subjects
    paths = [subject.result.path if subject.result is not None else None for subject in subjects]
    folders = [path.name if path else one.source for path, one in zip(paths, subjects, strict=True)]
    for places in (folders, map(str, paths), map(str, range(1, len(subjects) + 1))):
        named = [
            replace(one, name=f"{one.name} ({place})") if often[one.name] > 1 else one
            for one, place in zip(subjects, places, strict=True)
        ]
        if len({one.name for one in named}) == len(named):
            break
    return named


def _shortened(heads: Iterable[tuple[str, ...]], place: int) -> tuple[str, ...]:
    """A row's head without what the row above it has said."""
    before, head = ([("", ""), *heads])[place : place + 2]
    return ("", *head[1:]) if len(head) > 1 and head[0] == before[0] else head


def shown(cell: Cell, element: Element, *, intervals: bool) -> str:
    """A cell as text, with as many decimals as the element has for its column; a dash where it is undefined."""
    if cell.text or not math.isfinite(cell.value):
        return cell.text or "–"
    named = (cell.row, cell.column, cell.column.rpartition(" ")[2], "")
    digits = next(element.digits[name] for name in named if name in element.digits)

    def number(value: float) -> str:
        written = f"{element.cut(value, digits):,.{digits}f}"
        return written.removeprefix("-") if not written.strip("-0.,") else written

    if cell.column.startswith("p") and 0 <= cell.value < 10**-digits and digits:
        return f"<{10**-digits:.{digits}f}" if cell.column[1:2] in ("", " ") else number(cell.value)
    ends = f" [{number(cell.low)}, {number(cell.high)}]" if intervals and math.isfinite(cell.low + cell.high) else ""
    return number(cell.value) + ends


def _aligned(section: TextTable) -> str:
    lines = [list(section.columns), *(list(row) for row in section.rows)]
    widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]
    body = [
        "  ".join(text + " " * (width - cell_len(text)) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
    return "\n".join([section.title, *body, *([section.lead] if section.lead else [])])


def _latex(section: TextTable) -> str:
    head, *rows = (" & ".join(map(tex, line)) + r" \\" for line in (section.columns, *section.rows))
    body = [
        r"\begin{table}",
        rf"\caption{{{tex(section.title)}}}",
        rf"\begin{{tabular}}{{{'l' * len(section.columns)}}}",
    ]
    return "\n".join([*body, r"\toprule", head, r"\midrule", *rows, r"\bottomrule", r"\end{tabular}", r"\end{table}"])
