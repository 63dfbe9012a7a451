"""What people look at: one page for a run, one for several, figures and tables for a paper."""

from collections.abc import Sequence
from pathlib import Path

from evenhand.errors import BadInput, require
from evenhand.measures.decisions.paired import Comparison
from evenhand.results.findings import Findings, load_result
from evenhand.results.runs import Run
from evenhand.storage.atomic import write_text
from evenhand.verbs import callable_room


def report(
    results: Path | str | Run | Findings | Sequence[Path | str | Run | Findings],
    output: Path | str,
    *,
    figures: Path | str | None = None,
    tables: Path | str | None = None,
) -> Path:
    """A page about a run, about findings (mining, word vectors), or about several of a kind side by side.

    The suffix of `output` decides: .csv, .json, .tex and .md get the estimates, anything else one self-contained HTML
    page. `figures` is a folder for every chart as SVG, PNG and PDF, `tables` one for the estimates in every format and
    a section for a model card. Folders stand for what lies in them.
    """
    given = [results] if isinstance(results, Path | str | Run | Findings) else list(results)
    loaded = [load_result(one) if isinstance(one, Path | str) else one for one in given]
    page, drawn = Path(output), None if figures is None else Path(figures)
    from evenhand.report.exchange.tables import WRITERS, write_table, write_tables

    if page.suffix.lower() not in WRITERS:
        check_suffix(page, (*PAGES, *WRITERS))
        write_report(loaded, page, figures=drawn)
    else:
        write_table(loaded, page)
        if drawn is not None:
            write_figures(loaded, drawn)
    if tables is not None:
        write_tables(loaded, Path(tables))
    return page


def check_suffix(output: Path, known: Sequence[str]) -> None:
    """Refuse a file whose name promises what we do not write; one without a suffix is a page."""
    if output.suffix and output.suffix.lower() not in known:
        names = ", ".join(dict.fromkeys(known))
        raise BadInput(f"{output}: {output.suffix} is not a supported format. Supported: {names}. Nothing was written.")


def require_charts(purpose: str = "writing a report") -> None:
    """MissingExtra, with the command that installs them, where the packages for pages and charts are not there."""
    for module in ("jinja2", "altair", "vl_convert"):
        require(module, purpose=purpose, extra="report")


def write_report(
    results: Sequence[Path | Run | Findings],
    output: Path,
    *,
    figures: Path | None = None,
    comparison: Comparison | None = None,
) -> Path:
    """One HTML file about one result, or a comparison of several of a kind, which loads nothing from other hosts;
    `figures` is a folder that gets every chart too, a `comparison` made already is shown as it is."""
    check_suffix(output, PAGES)
    require_charts()
    if not results:
        raise BadInput("a report needs at least one run folder")
    from evenhand.report.charts import drawing
    from evenhand.report.pages import build

    loaded = [load_result(result) if isinstance(result, Path) else result for result in results]
    page, made = build.page_of(loaded, comparison)
    write_text(output, page)
    if figures is not None:
        drawing.write_figures(made, figures)
    return output


def write_figures(results: Sequence[Run | Findings], folder: Path) -> list[Path]:
    """Only the charts of a report, as SVG, PNG and PDF."""
    require_charts("drawing charts")
    from evenhand.report.charts import drawing
    from evenhand.report.pages import build

    return drawing.write_figures(build.figures_of(results), folder)


PAGES = (".html", ".htm")
VERB = "evenhand.report:report"
callable_room(__name__)
