"""evenhand embeddings score: rank words from feminine to masculine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.embeddings_options import (
    Accents,
    AnyLanguage,
    Case,
    Json,
    Reader,
    SkipBad,
    Top,
    check_writable,
    stages,
    warn,
    write,
)
from evenhand.cli.output import print_json, print_table
from evenhand.embeddings import named, tables, wordlists, wordscore
from evenhand.embeddings.coverage import check_language
from evenhand.embeddings.vectors import Match
from evenhand.errors import BadInput, require


def score(
    words: Annotated[Path, typer.Argument(help="a word list: one a line, or separated by commas")],
    vectors: Annotated[list[Path], typer.Option("--vectors", help="a vector file, or pocket; repeat for several")],
    language: Annotated[str, typer.Option("--language", "-l", help="whose gender words to use")] = "en",
    feminine: Annotated[Path | None, typer.Option("--feminine", help="your own list of feminine words")] = None,
    masculine: Annotated[Path | None, typer.Option("--masculine", help="your own list of masculine words")] = None,
    reference: Annotated[Path | None, typer.Option("--reference", help="TSV word, statistic to compare with")] = None,
    column: Annotated[str | None, typer.Option("--column", help="column of the reference")] = None,
    top: Top = None,
    case: Case = "ignore",
    accents: Accents = "exact",
    skip_bad_lines: SkipBad = False,
    any_language: AnyLanguage = False,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="write the ranking as TSV")] = None,
    figure: Annotated[
        Path | None, typer.Option("--figure", help="scatter plot with the reference: .svg .png .pdf")
    ] = None,
    json: Json = False,
) -> None:
    """Rank words from feminine to masculine by their mean normalised cosine difference (Troles & Schmid 2021)."""
    check_writable(output, figure)
    if (feminine is None) != (masculine is None):
        raise BadInput("--feminine and --masculine go together")
    if figure is not None and reference is None:
        raise BadInput("--figure needs a --reference to plot against")
    lists = [wordscore.pronouns(language), wordscore.gender_words(language)]
    if feminine and masculine:
        own = (tuple(wordlists.read_words(masculine)), tuple(wordlists.read_words(feminine)))
        lists[1] = wordscore.GenderWords("gender words", *own)
    with stages() as stage:
        reader = Reader(Match(case, accents), top=top, skip=skip_bad_lines, stage=stage)
        loaded = [reader.load(named.vector_file(path, language)) for path in vectors]
        for one in () if any_language else loaded:
            reader.warnings += check_language(one, language)
        scores = wordscore.score_words(wordlists.read_words(words), loaded, lists)
    agreement = None
    if reference is not None:
        agreement = wordscore.correlate(scores.words, scores.total, wordscore.read_reference(reference, column))
    if output is not None:
        write(output, wordscore.as_tsv(scores))
    if figure is not None and agreement is not None:
        _draw(agreement, column or (reference.stem if reference else "reference"), figure)
    if json:
        print_json(tables.scores_json(scores, agreement, reader.warnings))
        return
    warn(reader.warnings)
    shown = [(w, f"{t:+.4f}") for w, t in zip(scores.words, scores.total, strict=True)]
    print_table(None, ("word", "score"), shown)
    typer.echo(f"\n{len(scores.words)} of {scores.asked} words ranked over {len(scores.columns)} columns.")
    if scores.unranked:
        typer.echo(f"without a vector: {', '.join(scores.unranked)}")
    if scores.partial:
        typer.echo(f"averaged over fewer columns: {', '.join(scores.partial)}")
    if agreement is not None:
        typer.echo(
            f"with the reference: Pearson {agreement.pearson}, Spearman {agreement.spearman}, n {len(agreement.words)}"
        )


def _draw(agreement: wordscore.Agreement, reference: str, path: Path) -> None:
    from evenhand.embeddings.figures import score_scatter
    from evenhand.report.drawing import specification

    converter = require("vl_convert", purpose="drawing charts", extra="report")
    spec = specification(score_scatter(agreement, reference), ink="black", background="white")
    if path.suffix == ".svg":
        write(path, converter.vegalite_to_svg(spec, allowed_base_urls=[]))
    elif path.suffix == ".png":
        write(path, converter.vegalite_to_png(spec, scale=2, allowed_base_urls=[]))
    elif path.suffix == ".pdf":
        write(path, converter.vegalite_to_pdf(spec, allowed_base_urls=[]))
    else:
        raise BadInput(f"{path}: a figure is .svg, .png or .pdf")
