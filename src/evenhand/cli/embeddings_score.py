"""evenhand embeddings score: rank words from feminine to masculine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.embeddings_options import Json, Level, Reading, stages
from evenhand.cli.findings import check_findings_output, finish
from evenhand.cli.option_groups import grouped
from evenhand.embeddings import named, wordlists, wordscore
from evenhand.embeddings.coverage import check_language
from evenhand.embeddings.score_findings import KIND, score_findings
from evenhand.errors import BadInput, Unknown
from evenhand.languages import primary
from evenhand.level import LEVEL, check_level
from evenhand.report import require_charts
from evenhand.storage.atomic import check_writable, write_text

PICTURES = (".svg", ".png", ".pdf")


@grouped
def score(
    words: Annotated[Path, typer.Argument(metavar="WORDS", help="a word list: one a line, or separated by commas")],
    vectors: Annotated[
        list[Path], typer.Option("--vectors", metavar="FILE", help="a vector file, or pocket; repeat for several")
    ],
    reading: Reading,
    language: Annotated[
        str, typer.Option("--language", "-l", metavar="LANG", parser=primary, help="whose gender words to use")
    ] = "en",
    feminine: Annotated[
        Path | None, typer.Option("--feminine", metavar="FILE", help="your own list of feminine words")
    ] = None,
    masculine: Annotated[
        Path | None, typer.Option("--masculine", metavar="FILE", help="your own list of masculine words")
    ] = None,
    reference: Annotated[
        Path | None, typer.Option("--reference", metavar="FILE", help="table: word, statistic to compare with")
    ] = None,
    column: Annotated[str | None, typer.Option("--column", metavar="NAME", help="column of the reference")] = None,
    level: Level = LEVEL,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="folder of the result; or just the ranking as .tsv, a page.html"
        ),
    ] = None,
    figure: Annotated[
        Path | None, typer.Option("--figure", metavar="FILE", help="scatter plot with the reference: .svg .png .pdf")
    ] = None,
    json: Json = False,
) -> None:
    """Rank words from feminine to masculine by their mean normalised cosine difference (Troles & Schmid 2021)."""
    check_level(level)
    _check(output, figure, reference)
    if (feminine is None) != (masculine is None):
        raise BadInput("--feminine and --masculine go together")
    lists = [wordscore.pronouns(language), wordscore.gender_words(language)]
    if feminine and masculine:
        own = (tuple(wordlists.read_words(masculine)), tuple(wordlists.read_words(feminine)))
        lists[1] = wordscore.GenderWords("gender words", *own)
    asked = wordlists.read_words(words)
    known = wordscore.read_reference(reference, column) if reference else None
    with stages() as stage:
        reader = reading.reader(stage)
        loaded = [reader.load(named.vector_file(path, language), part="vectors") for path in vectors]
        for one in () if reading.any_language else loaded:
            reader.warnings += check_language(one, language)
        scores = wordscore.score_words(asked, loaded, lists)
    agreement = None if known is None else wordscore.correlate(scores.words, scores.total, known, level=level)
    hashed = {"words": asked, "lists": [(x.name, x.masculine, x.feminine) for x in lists], "reference": known or "none"}
    findings = score_findings(
        scores,
        {
            "language": language,
            **reader.parts,
            **{name: f"#{wordlists.hash_of(content)}" for name, content in hashed.items()},
        },
        agreement=agreement,
        reference=column or (reference.stem if reference else "reference"),
        warnings=reader.warnings,
        level=level,
    )
    if output is not None and output.suffix == ".tsv":
        table = findings.tables["scores"]
        write_text(output, table.write_csv(separator="\t", quote_style="never", float_precision=6))
        output = None
    if figure is not None:
        from evenhand.report.charts import drawing
        from evenhand.report.charts.embeddings import score_figures

        if drawing.write_figure(score_figures(findings)[0], figure) is None:
            typer.echo(f"no figure: the chart for {figure} could not be drawn", err=True)
    finish(findings, output, json=json)


def _check(output: Path | None, figure: Path | None, reference: Path | None) -> None:
    """Refuse, before any work, what could not be written afterwards."""
    if output is not None and output.suffix == ".tsv":
        check_writable(output)
    else:
        check_findings_output(output, KIND)
    if figure is not None:
        if reference is None:
            raise BadInput("--figure needs a --reference to plot against")
        if figure.suffix not in PICTURES:
            raise Unknown("format of a figure", figure.suffix or figure.name, PICTURES)
        require_charts("drawing charts")
        check_writable(figure)
