"""evenhand embeddings: score, audit, debias and evaluate word vectors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.embeddings_options import (
    Accents,
    Adjectives,
    AnyLanguage,
    Attributes,
    Case,
    ClassifierOption,
    Definitions,
    DictionaryFile,
    English,
    EnglishSimilarity,
    Inanimate,
    Json,
    Language,
    Methods,
    Nouns,
    Occupations,
    Permutations,
    Reader,
    Refine,
    RetrievalOption,
    Seed,
    SimilarityFiles,
    SkipBad,
    Top,
    Translations,
    VectorFile,
    check_writable,
    chosen,
    stages,
    tests,
    warn,
    write,
)
from evenhand.cli.embeddings_score import score
from evenhand.cli.output import print_json, print_table
from evenhand.embeddings import files, named, study, tables, wordlists
from evenhand.embeddings.mitigation import METHODS, Moved
from evenhand.embeddings.vectors import Match
from evenhand.errors import BadInput, Unknown

app = typer.Typer(
    rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False, help="Gender in word vectors."
)


@app.command()
def audit(
    language: Language,
    vectors: VectorFile,
    english: English = None,
    dictionary: DictionaryFile = None,
    method: Methods = None,
    definitions: Definitions = None,
    occupations: Occupations = None,
    adjectives: Adjectives = None,
    attributes: Attributes = None,
    nouns: Nouns = None,
    inanimate: Inanimate = None,
    similarity: SimilarityFiles = None,
    english_similarity: EnglishSimilarity = None,
    translation: Translations = None,
    top: Top = None,
    case: Case = "ignore",
    accents: Accents = "exact",
    skip_bad_lines: SkipBad = False,
    any_language: AnyLanguage = False,
    classifier: ClassifierOption = "lda",
    retrieval: RetrievalOption = "csls",
    refine: Refine = 2,
    permutations: Permutations = 10_000,
    seed: Seed = 0,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="write an HTML page here")] = None,
    json: Json = False,
) -> None:
    """Gender directions and bias of word vectors, before and after each mitigation."""
    check_writable(output)
    told: list[str] = []
    asked = tests(similarity, english_similarity, translation, told)
    if named.sources(language, vectors, english, dictionary).english is None:
        _refuse_without_english(asked)
    lists = wordlists.WordLists.shipped(language).with_files(
        definitions=definitions,
        occupations=occupations,
        adjectives=adjectives,
        attribute_words=attributes,
        nouns=nouns,
        inanimate=inanimate,
    )
    with stages() as stage:
        reader = Reader(Match(case, accents), top=top, skip=skip_bad_lines, stage=stage)
        space = reader.open(lists, vectors, english, dictionary, refine=refine, any_language=any_language)
        result = study.run(
            space,
            lists,
            methods=chosen(method),
            tests=asked,
            settings=study.StudySettings(seed, permutations, classifier, retrieval, refine),
            warnings=[*told, *reader.warnings],
            stage=stage,
        )
    if output is not None:
        from evenhand.embeddings.page import study_page

        write(output, study_page(result))
    if json:
        print_json(tables.study_json(result))
    else:
        _print_study(result, bias=True)
        if output is not None:
            typer.echo(f"\npage  {output}")


@app.command()
def evaluate(
    language: Language,
    vectors: VectorFile,
    english: English = None,
    dictionary: DictionaryFile = None,
    method: Methods = None,
    versions: Annotated[
        list[Path] | None,
        typer.Option("--against", help="other vectors of the language, in the same space; repeatable"),
    ] = None,
    definitions: Definitions = None,
    occupations: Occupations = None,
    adjectives: Adjectives = None,
    nouns: Nouns = None,
    inanimate: Inanimate = None,
    similarity: SimilarityFiles = None,
    english_similarity: EnglishSimilarity = None,
    translation: Translations = None,
    top: Top = None,
    case: Case = "ignore",
    accents: Accents = "exact",
    skip_bad_lines: SkipBad = False,
    any_language: AnyLanguage = False,
    classifier: ClassifierOption = "lda",
    retrieval: RetrievalOption = "csls",
    refine: Refine = 2,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """What the vectors are good for, before and after mitigation: similarity, translation, word pairs."""
    told: list[str] = []
    asked = tests(similarity, english_similarity, translation, told)
    sources = named.sources(language, vectors, english, dictionary)
    if not (asked.similarity or asked.english_similarity or asked.translation or sources.english):
        raise BadInput("nothing to evaluate: give --similarity, or --english with --translation")
    if sources.english is None:
        _refuse_without_english(asked)
    lists = wordlists.WordLists.shipped(language).with_files(
        definitions=definitions, occupations=occupations, adjectives=adjectives, nouns=nouns, inanimate=inanimate
    )
    with stages() as stage:
        reader = Reader(Match(case, accents), top=top, skip=skip_bad_lines, stage=stage)
        space = reader.open(lists, vectors, english, dictionary, refine=refine, any_language=any_language)
        result = study.run(
            space,
            lists,
            methods=chosen(method),
            tests=asked,
            settings=study.StudySettings(seed, classifier=classifier, retrieval=retrieval, refine=refine),
            bias=False,
            versions=[reader.load(named.vector_file(path, language)) for path in versions or ()],
            warnings=[*told, *reader.warnings],
            stage=stage,
        )
    if json:
        print_json(tables.study_json(result))
    else:
        _print_study(result, bias=False)


@app.command()
def debias(
    language: Language,
    vectors: VectorFile,
    output: Annotated[Path, typer.Option("--output", "-o", help="the mitigated vectors; the ending says the format")],
    method: Annotated[str, typer.Option("--method", help=", ".join(METHODS))] = "shift-ori",
    english: English = None,
    dictionary: DictionaryFile = None,
    english_output: Annotated[Path | None, typer.Option("--english-output", help="English in the same space")] = None,
    definitions: Definitions = None,
    occupations: Occupations = None,
    nouns: Nouns = None,
    inanimate: Inanimate = None,
    top: Top = None,
    case: Case = "ignore",
    accents: Accents = "exact",
    skip_bad_lines: SkipBad = False,
    any_language: AnyLanguage = False,
    classifier: ClassifierOption = "lda",
    refine: Refine = 2,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Write mitigated vectors. The input is not changed; words that are not listed keep their vectors bit by bit."""
    if method not in METHODS:
        raise Unknown("method", method, METHODS)
    sources = named.sources(language, vectors, english, dictionary)
    read = [given for given in (sources.vectors, sources.english) if given and given.exists()]
    for path in (output, english_output):
        if path is not None:
            files.format_of(path)
            if path.exists() and any(path.samefile(given) for given in read):
                raise BadInput(f"{path}: would overwrite the input; choose another name")
    if english_output is not None and sources.english is None:
        raise BadInput("--english-output without --english")
    if english_output is not None and english_output.resolve() == output.resolve():
        raise BadInput(f"{output}: --output and --english-output are the same file; choose another name for one")
    lists = wordlists.WordLists.shipped(language).with_files(
        definitions=definitions, occupations=occupations, nouns=nouns, inanimate=inanimate
    )
    with stages() as stage:
        reader = Reader(Match(case, accents), top=top, skip=skip_bad_lines, stage=stage)
        space = reader.open(lists, vectors, english, dictionary, refine=refine, any_language=any_language)
        stage(method, 0.5)
        settings = study.StudySettings(seed, classifier=classifier, refine=refine)
        mitigated, moved = study.apply(method, space, lists, settings)
        stage("writing", 0.9)
        files.save(mitigated.gendered, output)
        if english_output is not None and mitigated.english is not None:
            files.save(mitigated.english, english_output)
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
    warn(reader.warnings)
    typer.echo(
        f"{output}: {len(mitigated.gendered):,} words, {len(moved.pairs)} pairs shifted ({len(moved.skipped)} of the "
        f"list without vectors or anchor), {len(moved.inanimate)} inanimate nouns freed; largest asymmetry left on d_s "
        f"{moved.worst:.1e}. All other words are unchanged."
    )


app.command()(score)


def _refuse_without_english(asked: study.UtilityTests) -> None:
    if asked.translation or asked.english_similarity:
        raise BadInput("--translation and --english-similarity need --english vectors")


def _print_study(result: study.Study, *, bias: bool) -> None:
    from evenhand.embeddings.directions import direction_lines

    warn(result.warnings)
    for line in direction_lines(result.directions):
        typer.echo(line)
    rows = [(c.name, f"{c.found} of {c.asked}") for c in result.coverage]
    typer.echo("")
    print_table("covered", ("list", "with a vector"), rows)
    if bias or any(row.moved for row in result.rows):
        typer.echo("")
        print_table("bias", *tables.bias_table(result))
    if result.original.nearness or result.original.pair_translation:
        typer.echo("")
        print_table("between the languages", *tables.between_table(result))
    if result.original.similarity or result.original.translation:
        typer.echo("")
        print_table("utility", *tables.utility_table(result))
    if result.across is not None:
        correlation, p, points = result.across
        typer.echo(f"\nbias here and in English: Spearman {correlation}, p {tables.short_p(p)}, {len(points)} words")
    for name, why in result.impossible.items():
        typer.echo(f"{name}: not run: {why}")
    for note in dict.fromkeys(note for row in result.rows for note in row.notes):
        typer.echo(note)
    s = result.settings
    typer.echo(
        f"\nseed {s.seed}, {s.permutations} permutations where not exact, p = (1 + hits) / (1 + n), "
        f"Holm over the versions, {s.classifier}, {s.retrieval}, refine {s.refine}"
    )
