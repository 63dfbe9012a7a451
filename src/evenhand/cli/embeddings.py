"""evenhand embeddings: score, audit, debias and evaluate word vectors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.embeddings_options import Asked, Given, Json, Level, Reading, stages
from evenhand.cli.embeddings_score import score
from evenhand.cli.findings import OUTPUT, check_findings_output, finish
from evenhand.cli.option_groups import grouped
from evenhand.cli.output import print_json
from evenhand.embeddings import files, named, study
from evenhand.embeddings.mitigation import METHODS, Moved
from evenhand.embeddings.study_findings import KIND, study_findings
from evenhand.embeddings.wordlists import ENGLISH
from evenhand.errors import BadInput, Unknown
from evenhand.level import LEVEL, check_level

app = typer.Typer(
    rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False, help="Gender in word vectors."
)
Output = Annotated[Path | None, OUTPUT]
Attributes = Annotated[
    Path | None, typer.Option("--attributes", metavar="FILE", help="table: gender (male, female), word")
]
Permutations = Annotated[int, typer.Option("--permutations", metavar="N", min=1, help="of sampled tests")]


@app.command()
@grouped
def audit(
    given: Given,
    asked: Asked,
    reading: Reading,
    attributes: Attributes = None,
    permutations: Permutations = 10_000,
    level: Level = LEVEL,
    output: Output = None,
    json: Json = False,
) -> None:
    """Gender directions and bias of word vectors, before and after each mitigation."""
    settings = study.StudySettings(given.seed, permutations, given.classifier, asked.retrieval, given.refine, level)
    _study(given, asked, reading, settings, attributes=attributes, output=output, json=json)


@app.command()
@grouped
def evaluate(
    given: Given, asked: Asked, reading: Reading, level: Level = LEVEL, output: Output = None, json: Json = False
) -> None:
    """What the vectors are good for, before and after mitigation: similarity, translation, word pairs."""
    settings = study.StudySettings(
        given.seed, classifier=given.classifier, retrieval=asked.retrieval, refine=given.refine, level=level
    )
    _study(given, asked, reading, settings, bias=False, output=output, json=json)


def _study(
    given: Given,
    asked: Asked,
    reading: Reading,
    settings: study.StudySettings,
    *,
    output: Path | None,
    json: bool,
    bias: bool = True,
    attributes: Path | None = None,
) -> None:
    check_level(settings.level)
    check_findings_output(output, KIND)
    told: list[str] = []
    tests, sources = asked.tests(told), given.sources()
    if sources.english is None and (tests.translation or tests.english_similarity):
        raise BadInput("--translation and --english-similarity need --english vectors")
    if not (bias or tests or sources.english):
        raise BadInput("nothing to evaluate: give --similarity, or --english with --translation")
    lists = given.lists(adjectives=asked.adjectives, attributes=attributes)
    methods = asked.methods(gendered=lists.gendered)
    with stages() as stage:
        reader = reading.reader(stage)
        space = reader.open(lists, sources, refine=given.refine, any_language=reading.any_language)
        others = [reader.load(named.vector_file(path, given.language), part="against") for path in asked.against or ()]
        measured = study.run(
            space,
            lists,
            methods=methods,
            tests=tests,
            settings=settings,
            bias=bias,
            others=others,
            warnings=[*told, *reader.warnings],
            stage=stage,
        )
    finish(study_findings(measured, reader.parts), output, json=json)


@app.command()
@grouped
def debias(
    given: Given,
    reading: Reading,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="the mitigated vectors; the ending says the format")
    ],
    method: Annotated[str, typer.Option("--method", metavar="NAME", help=", ".join(METHODS))] = "shift-ori",
    english_output: Annotated[
        Path | None, typer.Option("--english-output", metavar="FILE", help="English in the same space")
    ] = None,
    json: Json = False,
) -> None:
    """Write mitigated vectors. The input is not changed; words that are not listed keep their vectors bit by bit."""
    if method not in METHODS:
        raise Unknown("method", method, METHODS)
    if given.language == ENGLISH:
        raise BadInput("debias moves the two forms of a noun, English has one: see --language de, es, fr, it, pt")
    sources = given.sources()
    read = [path for path in (sources.vectors, sources.english) if path and path.exists()]
    for path in (output, english_output):
        if path is not None:
            files.format_of(path)
            if path.exists() and any(path.samefile(source) for source in read):
                raise BadInput(f"{path}: would overwrite the input; choose another name")
    if english_output is not None and sources.english is None:
        raise BadInput("--english-output without --english")
    if english_output is not None and english_output.resolve() == output.resolve():
        raise BadInput(f"{output}: --output and --english-output are the same file; choose another name for one")
    lists = given.lists()
    with stages() as stage:
        reader = reading.reader(stage)
        space = reader.open(lists, sources, refine=given.refine, any_language=reading.any_language)
        stage(method, 0.5)
        settings = study.StudySettings(given.seed, classifier=given.classifier, refine=given.refine)
        mitigated, moved = study.apply(method, space, lists, settings)
        stage("writing", 0.9)
        files.save_vectors(mitigated.gendered, output)
        if english_output is not None and mitigated.english is not None:
            files.save_vectors(mitigated.english, english_output)
    moved = moved or Moved()
    if method == "de-align" and english_output is None:
        reader.warnings.append(f"de-align changes English only: {output} holds the vectors as they were")
    elif method.startswith("hybrid") and english_output is None:
        reader.warnings.append("half of a hybrid is in the English vectors: --english-output writes them")
    told = {
        "method": method,
        "output": str(output),
        "english_output": str(english_output) if english_output else None,
        "words": len(mitigated.gendered),
        "pairs_shifted": len(moved.pairs),
        "pairs_skipped": len(moved.skipped),
        "inanimate_freed": len(moved.inanimate),
        "worst_asymmetry": moved.worst,
        "warnings": reader.warnings,
    }
    if json:
        print_json(told)
        return
    for line in reader.warnings:
        typer.echo(f"warning: {line}", err=True)
    typer.echo(
        f"{output}: {len(mitigated.gendered):,} words, {len(moved.pairs)} pairs shifted ({len(moved.skipped)} of the "
        f"list without vectors or anchor), {len(moved.inanimate)} inanimate nouns freed; largest asymmetry left on d_s "
        f"{moved.worst:.1e}. All other words are unchanged."
    )


app.command()(score)
