"""A paper's tables and figures, filled with your runs and laid out as the paper prints them: the verb `table`."""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
from rich.cells import cell_len

from evenhand._version import __version__
from evenhand.errors import BadInput, Unknown
from evenhand.level import interval_words
from evenhand.replicate.cell import printed_remarks
from evenhand.replicate.element import USUAL, Cell, Element, Subject, of_result
from evenhand.report.exchange.spreadsheet import csv_table
from evenhand.report.exchange.tables import rows_as_markdown, tex
from evenhand.report.words.tables import TextTable
from evenhand.results.findings import Findings, load_result
from evenhand.results.runs import Run
from evenhand.storage.atomic import write_text
from evenhand.storage.folders import read_manifest_json

if TYPE_CHECKING:
    from evenhand.report.charts.basic import Figure

STUDIES = ("cho2019", "troles2021", "gonen2020", "farkas2022", "zhou2019")
PRINTED = " (published)"
PRINTED_SOURCE = "the paper's printed table"
SUITES = {  # of which a report ends with the study's tables
    "pronouns-": "cho2019",
    "occupations-verbs": "troles2021",
    "occupations-adjectives": "troles2021",
    "occupations-hungarian": "farkas2022",
}
KINDS = {"mining": "gonen2020", "embeddings": "zhou2019", "word-scores": "troles2021"}
UNDRAWN = {"troles2021": ("figure4",), "farkas2022": ("figure7",)}  # figures that a report lacks
DRAWN = (".svg", ".pdf", ".png")


@dataclass(frozen=True)
class FilledElement:
    """A table or figure with its cells: of each subject by name, the paper's own behind them."""

    element: Element
    subjects: tuple[Subject, ...]
    cells: tuple[tuple[str, Cell], ...]

    def laid_out(self, *, intervals: bool = True) -> TextTable:
        """The paper's layout; rows beyond the element's `most` are left to the exports."""
        element = self.element
        texts: dict[tuple[tuple[str, ...], str], str] = {}
        heads: dict[tuple[str, ...], None] = {}
        tops: dict[str, None] = {}
        axes = [axis for axis in ("system", "row", "column") if axis != element.across]
        if element.merged or len({cell.column for _, cell in self.cells}) == 1:
            axes = [axis for axis in axes if axis != "column"] or axes
        for system, cell in self._merged(intervals) if element.merged else self._single(intervals):
            key = {"system": system, "row": self._label(cell), "column": element.labels.get(cell.column, cell.column)}
            head = tuple(key[axis] for axis in axes)
            heads[head], tops[key[element.across]] = None, None
            texts[head, key[element.across]] = cell.text
        rows, last, printed = [], "", Counter[str]()
        for head in heads:
            block = head[0] if axes[0] == "system" else ""
            printed[block] += 1
            if element.most and printed[block] > element.most:
                continue
            first = "" if len(head) > 1 and head[0] == last else head[0]
            last = head[0]
            rows.append([first, *head[1:], *(texts.get((head, top), "") for top in tops)])
        cut = f"{len(rows)} of {len(heads)} rows; CSV and JSON have all" if len(rows) < len(heads) else ""
        names = ["system" if axis == "system" else "" for axis in axes]
        return TextTable(f"{element.name}: {element.title}", (*names, *tops), rows, cut)

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


@dataclass(frozen=True)
class StudyTables:
    """Everything of a paper that the given runs fill; `missing` are the elements they do not."""

    study: str
    filled: tuple[FilledElement, ...]
    missing: tuple[Element, ...]
    level: float
    intervals: bool = True

    @property
    def sections(self) -> list[TextTable]:
        return [filled.laid_out(intervals=self.intervals) for filled in self.filled]

    @property
    def notes(self) -> list[str]:
        """What a reader must know: the intervals, and the paper's own slips where its numbers are shown."""
        beside = any(name.endswith(PRINTED) for filled in self.filled for name, _ in filled.cells)
        ends = any(math.isfinite(cell.low) for filled in self.filled for _, cell in filled.cells)
        told = [f"in brackets: {interval_words(self.level)}s"] if self.intervals and ends else []
        return told + (printed_remarks(self.study) if beside else [])

    def frame(self) -> pl.DataFrame:
        """One row per number: element, system, row, column, value, low, high, n, text, note; nothing rounded."""
        rows = [(f.element.key, system, *cell) for f in self.filled for system, cell in f.cells]
        types = {"element": pl.String, "system": pl.String, **Cell.__annotations__}
        plain = {"float": pl.Float64, "str": pl.String, "int | None": pl.Int64}
        schema = {name: plain.get(str(kind), kind) for name, kind in types.items()}
        table = pl.DataFrame(rows, schema=schema, orient="row").with_columns(pl.col(pl.Float64).fill_nan(None))
        return table.select(pl.lit(self.study).alias("study"), pl.all())

    def text(self) -> str:
        """Tables with aligned columns, one after another."""
        return "\n\n".join([*map(_aligned, self.sections), "\n".join(self.notes)]).rstrip() + "\n"

    def csv(self) -> str:
        """`frame` as CSV."""
        return csv_table(self.frame())

    def latex(self) -> str:
        """A table environment per element; needs \\usepackage{booktabs}."""
        return "\n".join(
            [r"% needs \usepackage{booktabs}", *map(_latex, self.sections), *(f"% {n}" for n in self.notes)]
        )

    def markdown(self) -> str:
        """A Markdown table per element."""
        parts = [f"**{s.title}**\n\n{rows_as_markdown(_frame(s))}" for s in self.sections]
        return "\n".join([*parts, *(f"{note}  " for note in self.notes)]) + "\n"

    def figures(self) -> list[Figure]:
        """The paper's figures as charts."""
        from evenhand.report import require_charts

        require_charts("drawing charts")
        from evenhand.report.charts.studies import drawn_figures

        return [figure for filled in self.filled for figure in drawn_figures(filled, self.level)]

    def html(self) -> str:
        """One page with every table and figure; it asks no other host for anything."""
        from evenhand.report import require_charts

        require_charts("writing a page")
        from evenhand.report.pages.page import drawn, render

        context = {"title": self.study, "version": __version__, "sections": self.sections, "notes": self.notes}
        return render("study.html", {**context, "figures": drawn(self.figures())})

    def _repr_html_(self) -> str:
        parts = [f"<h4>{html.escape(s.title)}</h4><table>{''.join(_html_rows(s))}</table>" for s in self.sections]
        return "".join([*parts, *(f"<p>{html.escape(note)}</p>" for note in self.notes)])

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
            raise BadInput(f"{path}: {len(made)} figures do not go into one file; name one by --element ({keys})")
        from evenhand.report.charts.drawing import write_figure

        if write_figure(made[0], path) is None:
            raise BadInput(f"{path}: this figure cannot be drawn")
        return path


FORMATS: dict[str, Callable[[StudyTables], str]] = {
    ".txt": StudyTables.text,
    ".tex": StudyTables.latex,
    ".csv": StudyTables.csv,
    ".md": StudyTables.markdown,
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
    defined = elements_of(study)
    for key in elements:
        if key not in {element.key for element in defined}:
            raise Unknown(f"element of {study}", key, [element.key for element in defined])
    given = [runs] if isinstance(runs, Path | str | Run | Findings) else list(runs)
    if not given and not published:
        raise BadInput(f"name at least one run for {study}, or ask for --published. `evenhand table --list` helps.")
    subjects = [subject for one in given for subject in open_subjects(study, one)]
    wanted = [element for element in defined if not elements or element.key in elements]
    made = [_filled(study, element, subjects, published=published) for element in wanted]
    filled = tuple(one for one in made if one.cells)
    if not filled:
        needs = "; ".join(dict.fromkeys(element.needs for element in wanted))
        raise BadInput(f"nothing of {study} can be filled from these; it needs: {needs}")
    levels = [subject.resampling["level"] for subject in subjects if subject.resampling]
    missing = tuple(one.element for one in made if not one.cells)
    return StudyTables(study, filled, missing, levels[0] if levels else USUAL["level"], intervals)


def elements_of(study: str) -> tuple[Element, ...]:
    """The tables and figures of a study, in the order of the paper."""
    if study not in STUDIES:
        raise Unknown("study", study, STUDIES, hint="`evenhand table --list` says what each offers.")
    elements: tuple[Element, ...] = import_module(f"evenhand.replicate.{study}").ELEMENTS
    return elements


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


def study_parts(result: Run | Findings) -> tuple[list[TextTable], list[Figure]]:
    """What a report ends with: the study's tables, and those of its figures that the page does not draw already."""
    study = study_of(result)
    if study is None:
        return [], []
    try:
        made = table(study, result)
    except (BadInput, LookupError, pl.exceptions.PolarsError):  # a run of another layout has no such tables
        return [], []
    wanted = [one for one in made.filled if one.element.key in UNDRAWN.get(study, ())]
    tables = [one.laid_out() for one in made.filled if not one.element.is_figure]
    return tables, replace(made, filled=tuple(wanted)).figures() if wanted else []


def _filled(study: str, element: Element, subjects: Sequence[Subject], *, published: bool) -> FilledElement:
    fitting = [subject for subject in subjects if element.fits(subject)]
    often = Counter(subject.name for subject in fitting)
    named = [replace(s, name=f"{s.name} ({_place(s)})") if often[s.name] > 1 else s for s in fitting]
    cells = [(subject.name, cell) for subject in named for cell in element.cells(subject)]
    if published:
        columns = {cell.column for _, cell in cells}
        printed = ((name.replace("_", " ") + PRINTED, some) for name, some in element.printed(study).items())
        cells += [(name, cell) for name, some in printed for cell in some if not columns or cell.column in columns]
    return FilledElement(element, tuple(named), tuple(cells))


def _place(subject: Subject) -> str:
    path = subject.result.path if subject.result is not None else None
    return path.name if path else subject.source


def shown(cell: Cell, element: Element, *, intervals: bool) -> str:
    """A cell as text, with as many decimals as the element has for its column; a dash where it is undefined."""
    if cell.text or not math.isfinite(cell.value):
        return cell.text or "–"
    digits = element.digits.get(cell.row, element.digits.get(cell.column, element.digits[""]))

    def number(value: float) -> str:
        written = f"{element.cut(value, digits):,.{digits}f}"
        return written.removeprefix("-") if not written.strip("-0.,") else written

    if cell.column.startswith("p") and 0 <= cell.value < 10**-digits and digits:
        return f"<{10**-digits:.{digits}f}" if cell.column[1:2] in ("", " ") else number(cell.value)
    ends = f" [{number(cell.low)}, {number(cell.high)}]" if intervals and math.isfinite(cell.low + cell.high) else ""
    return number(cell.value) + ends


def _frame(section: TextTable) -> pl.DataFrame:
    names = [name + "\u200b" * place if name == "" else name for place, name in enumerate(section.columns)]
    return pl.DataFrame([list(row) for row in section.rows], schema=dict.fromkeys(names, pl.String), orient="row")


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


def _html_rows(section: TextTable) -> Iterator[str]:
    for tag, line in (("th", section.columns), *(("td", row) for row in section.rows)):
        yield "<tr>" + "".join(f"<{tag}>{html.escape(text)}</{tag}>" for text in line) + "</tr>"
