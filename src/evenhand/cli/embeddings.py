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
    chosen,
    stages,
    tests,
    warn,
    write,
)
from evenhand.cli.output import print_json, print_table
from evenhand.embeddings import files, named, study, tables, wordlists, wordscore
from evenhand.embeddings.mitigation import METHODS, Moved
from evenhand.embeddings.vectors import Match
from evenhand.errors import BadInput, Unknown, require

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
            tests=tests(similarity, english_similarity, translation),
            settings=study.Settings(seed, permutations, classifier, retrieval, refine),
            warnings=reader.warnings,
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
    asked = tests(similarity, english_similarity, translation)
    sources = named.sources(language, vectors, english, dictionary)
    if not (asked.similarity or asked.english_similarity or asked.translation or sources.english):
        raise BadInput("nothing to evaluate: give --similarity, or --english with --translation")
    if sources.english is None and (asked.translation or asked.english_similarity):
        raise BadInput("--translation and --english-similarity need --english vectors")
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
            settings=study.Settings(seed, classifier=classifier, retrieval=retrieval, refine=refine),
            bias=False,
            versions=[reader.load(named.vector_file(path, language)) for path in versions or ()],
            warnings=reader.warnings,
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
    lists = wordlists.WordLists.shipped(language).with_files(
        definitions=definitions, occupations=occupations, nouns=nouns, inanimate=inanimate
    )
    with stages() as stage:
        reader = Reader(Match(case, accents), top=top, skip=skip_bad_lines, stage=stage)
        space = reader.open(lists, vectors, english, dictionary, refine=refine, any_language=any_language)
        stage(method, 0.5)
        settings = study.Settings(seed, classifier=classifier, refine=refine)
        mitigated, moved = study.apply(method, space, lists, settings)
        stage("writing", 0.9)
        files.save(mitigated.gendered, output)
        if english_output is not None:
            if mitigated.english is None:
                raise BadInput("--english-output without --english")
            files.save(mitigated.english, english_output)
    moved = moved or Moved()
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


@app.command()
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
    output: Annotated[Path | None, typer.Option("--output", "-o", help="write the ranking as TSV")] = None,
    figure: Annotated[
        Path | None, typer.Option("--figure", help="scatter plot with the reference: .svg .png .pdf")
    ] = None,
    json: Json = False,
) -> None:
    """Rank words from feminine to masculine by their mean normalised cosine difference (Troles & Schmid 2021)."""
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
        scores = wordscore.score_words(wordlists.read_words(words), loaded, lists)
    agreement = None
    if reference is not None:
        agreement = wordscore.correlate(scores.words, scores.total, wordscore.read_reference(reference, column))
    if output is not None:
        write(output, wordscore.as_tsv(scores))
    if figure is not None and agreement is not None:
        _draw(agreement, column or (reference.stem if reference else "reference"), figure)
    if json:
        print_json(tables.scores_json(scores, agreement))
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


def _print_study(result: study.Study, *, bias: bool) -> None:
    from evenhand.embeddings.directions import direction_lines

    warn(result.warnings)
    for line in direction_lines(result.directions):
        typer.echo(line)
    rows = [(c.name, f"{c.found} of {c.asked}") for c in result.coverage]
    typer.echo("")
    print_table("covered", ("list", "with a vector"), rows)
    if bias or result.original.space.english is not None:
        typer.echo("")
        print_table("bias", *tables.bias_table(result))
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
