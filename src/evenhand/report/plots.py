"""The charts of a result's page, by name, for a notebook or a paper."""

from collections.abc import Sequence
from typing import overload

from evenhand.errors import Unknown
from evenhand.report import require_charts
from evenhand.report.charts.figure import Figure
from evenhand.results.findings import Findings
from evenhand.results.runs import Run


class Plots(dict[str, "Figure"]):
    """Charts by name, in the order of the page."""

    def _repr_html_(self) -> str:
        return "".join(figure._repr_html_() for figure in self.values())


Plotted = Run | Findings | Sequence[Run | Findings]


@overload
def plot(results: Plotted, name: None = None) -> Plots: ...
@overload
def plot(results: Plotted, name: str) -> Figure: ...
def plot(results: Plotted, name: str | None = None) -> Figure | Plots:
    """The chart of that name, or all charts of the page: of a run, of findings, or of several side by side.

    A notebook shows a chart as it is; `.save("chart.pdf")` writes it, `.chart` is Altair's, `.table` its data.
    """
    require_charts("drawing charts")
    from evenhand.report.pages.build import figures_of

    given = [results] if isinstance(results, Run | Findings) else list(results)
    charts = Plots({figure.key: figure for figure in figures_of(given)})
    if name is None:
        return charts
    if name not in charts:
        raise Unknown("chart of this result", name, charts)
    return charts[name]
