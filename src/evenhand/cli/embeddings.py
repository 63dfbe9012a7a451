"""evenhand embeddings: score, audit, debias and evaluate word vectors."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from evenhand.cli.findings import check_findings_output, finish
from evenhand.cli.options import inside, verbs
from evenhand.cli.output import print_json, progress_bar
from evenhand.embeddings import files, findings, opening, study, wordlists, wordscore
from evenhand.embeddings.alignment import read_dictionary
from evenhand.embeddings.mitigation import METHODS, Moved
from evenhand.embeddings.opening import Stage, VectorReader, check_language
from evenhand.embeddings.study import UtilityTests
from evenhand.embeddings.utility import read_similarity
from evenhand.embeddings.vectors import WordMatch
from evenhand.errors import BadInput, Unknown
from evenhand.languages import primary
from evenhand.level import LEVEL, check_level
from evenhand.options import Argument, Json, Level, Option, Seed
from evenhand.replicate import zhou2019
from evenhand.report import require_charts
from evenhand.storage.atomic import check_writable, write_text

PICTURES = (".svg", ".png", ".pdf")
PERMUTATIONS = 10_000
HALF = "a hybrid changes the English vectors too: --english-output writes them"
ENGLISH_CHANGED = {  # what is missing where the English vectors of a method are not written
    "de-align": "de-align changes English only: {} holds the unchanged vectors",
    **dict.fromkeys(("hybrid-ori", "hybrid-en"), HALF),
}
Policy = Literal["exact", "ignore"]
Output = Annotated[
    Path | None,
    Option("folder of the result, with report.html in it; or just a page.html, .csv, .tex", "DIR", "--output -o"),
]


@verbs
def embeddings() -> None:
    """Gender in word vectors."""


@dataclass(frozen=True)
class ReadSettings:
    """How vector files are read."""

    top: Annotated[int | None, Option("only the first N (most frequent) words", "N", least=1)] = None
    case: Annotated[Policy, Option("look listed words up exactly, or ignoring case as a fallback")] = "ignore"
    accents: Annotated[Policy, Option("the same for accents")] = "exact"
    skip_bad_lines: Annotated[bool, Option("count malformed lines instead of refusing the file")] = False
    any_language: Annotated[bool, Option("do not check the vectors' language")] = False

    def reader(self, stage: Stage) -> VectorReader:
        bad_lines: Literal["error", "skip"] = "skip" if self.skip_bad_lines else "error"
        return VectorReader(WordMatch(self.case, self.accents), top=self.top, bad_lines=bad_lines, stage=stage)


@dataclass(frozen=True)
class WordFiles:
    """Word lists of the user's, in the place of ours."""

    definitions: Annotated[Path | None, Option("table: feminine, masculine", "FILE")] = None
    occupations: Annotated[Path | None, Option("table: english, masculine, feminine (en: english)", "FILE")] = None
    targets: Annotated[Path | None, Option("of English: table: test, set (two per test), word", "FILE")] = None
    nouns: Annotated[Path | None, Option("table: word, gender", "FILE")] = None
    inanimate: Annotated[Path | None, Option("table with a column word", "FILE")] = None


@dataclass(frozen=True)
class VectorSettings:
    """The vectors of a language with its word lists, and perhaps English beside a gendered one."""

    language: Annotated[str, Option(f"{', '.join(wordlists.LANGUAGES)} or en", "LANG", "--language -l", parse=primary)]
    vectors: Annotated[Path, Option("vectors (.vec .txt .bin .npy ...), or pocket for ours", "FILE")]
    english: Annotated[Path | None, Option("English vectors, or pocket", "FILE")] = None
    dictionary: Annotated[Path | None, Option("word pairs to align English; omit if both share a space", "FILE")] = None
    published: Annotated[
        str | None, Option("lists of Zhou et al. (es, fr) instead of ours", "zhou2019:DIR", "--lists")
    ] = None
    word_files: WordFiles = WordFiles()
    classifier: Annotated[Literal["lda", "svm"], Option("grammatical direction: discriminant or SVM")] = "lda"
    refine: Annotated[int, Option("rounds of alignment refinement", "N", least=0)] = 2
    seed: Seed = 0

    def sources(self) -> opening.Sources:
        return opening.sources(self.language, self.vectors, self.english, self.dictionary)

    def lists(self, *, adjectives: Path | None = None, attributes: Path | None = None) -> wordlists.WordLists:
        base, own = self._base(), self.word_files
        given = {"nouns": own.nouns, "inanimate": own.inanimate, "adjectives": adjectives}
        option = next((name for name, value in given.items() if value), None)
        if option and not base.gendered:
            raise BadInput(f"--{option} is for languages with grammatical gender: leave it out with --language en")
        if base.gendered and own.targets:
            raise BadInput("--targets is a list of English: give it with --language en")
        return base.with_files(**vars(own), adjectives=adjectives, attribute_words=attributes)

    def _base(self) -> wordlists.WordLists:
        """Our lists, or those of a paper; files given one by one replace either."""
        if self.published is None:
            return wordlists.WordLists.shipped(self.language)
        paper, _, folder = self.published.partition(":")
        if paper != zhou2019.PAPER:
            raise Unknown("published lists", paper, (zhou2019.PAPER,), hint=f"As in --lists {zhou2019.PAPER}:DIR.")
        if self.language not in zhou2019.LANGUAGES:
            raise Unknown("language of these lists", self.language, zhou2019.LANGUAGES)
        if not Path(folder).is_dir():
            raise BadInput(f"--lists {self.published}: there is no folder {folder!r}; name the one with the files")
        return zhou2019.word_lists(Path(folder), self.language)


@dataclass(frozen=True)
class TestSettings:
    """What is measured on them: mitigations, versions made elsewhere, tests of utility."""

    method: Annotated[tuple[str, ...], Option(f"{', '.join(METHODS)} or none (repeatable)", "NAME")] = ()
    against: Annotated[tuple[Path, ...], Option("vectors to compare, in the same space (repeatable)", "FILE")] = ()
    adjectives: Annotated[Path | None, Option("table: english, masculine, feminine", "FILE")] = None
    similarity: Annotated[tuple[Path, ...], Option("word pairs with scores; repeatable", "FILE")] = ()
    english_similarity: Annotated[tuple[Path, ...], Option("the same for English", "FILE")] = ()
    translation: Annotated[tuple[Path, ...], Option("test dictionary, source word first; repeatable", "FILE")] = ()
    retrieval: Annotated[Literal["csls", "nn"], Option("nearest neighbour (nn) or CSLS (csls)")] = "csls"

    def methods(self, *, gendered: bool = True) -> tuple[str, ...]:
        """The methods asked for: all by default, none for 'none' and by default of a language with one form."""
        names, known = self.method or (METHODS if gendered else ("none",)), (*METHODS, "none")
        if "none" in names and len(names) > 1:
            raise BadInput("--method none excludes other methods: give one or the other")
        for name in set(names) - set(known):
            raise Unknown("method", name, known)
        return tuple(name for name in METHODS if name in names)  # De-Align first: the hybrids start from it

    def tests(self, warnings: list[str]) -> UtilityTests:
        """By file name, or by path where two files have the same name; `warnings` grows by what was left out."""
        here, english, translation = self.similarity, self.english_similarity, self.translation
        names = Counter(path.name for path in dict.fromkeys((*here, *english, *translation)))

        def name(path: Path, language: str = "") -> str:
            twice = path in here and path in english
            return (path.name if names[path.name] == 1 else str(path)) + (language if twice else "")

        return UtilityTests(
            {name(path): read_similarity(path) for path in here},
            {name(path, " (English)"): read_similarity(path) for path in english},
            {name(path): read_dictionary(path, warnings) for path in translation},
        )


@contextmanager
def stages() -> Iterator[Stage]:
    """A progress bar on a terminal, nothing in a pipe."""
    from rich.progress import TaskProgressColumn, TimeElapsedColumn

    with progress_bar(TaskProgressColumn(), TimeElapsedColumn()) as bar:
        task = bar.add_task("starting", total=1.0)
        yield lambda name, share: bar.update(task, description=name, completed=share)


@dataclass(frozen=True)
class Study:
    """What `audit` and `evaluate` measure, and where the result goes."""

    vectors: VectorSettings
    chosen: TestSettings
    reading: ReadSettings
    level: Level = LEVEL
    output: Output = None
    json: Json = False

    def run(self, *, bias: bool, attributes: Path | None = None, permutations: int = PERMUTATIONS) -> None:
        """Measure, write and print; without `bias` the utility alone."""
        given, chosen, level = self.vectors, self.chosen, check_level(self.level)
        settings = study.StudySettings(
            given.seed, permutations, given.classifier, chosen.retrieval, given.refine, level
        )
        check_findings_output(self.output, findings.STUDY)
        warnings: list[str] = []
        tests, sources = chosen.tests(warnings), given.sources()
        if sources.english is None and (tests.translation or tests.english_similarity):
            raise BadInput("--translation and --english-similarity need --english vectors")
        if not (bias or tests or sources.english):
            raise BadInput("nothing to evaluate: give --similarity, or --english with --translation")
        lists = given.lists(adjectives=chosen.adjectives, attributes=attributes)
        methods = chosen.methods(gendered=lists.gendered)
        with stages() as stage:
            reader = self.reading.reader(stage)
            space = reader.open(lists, sources, refine=given.refine, any_language=self.reading.any_language)
            others = [reader.load(opening.vector_file(path, given.language), part="against") for path in chosen.against]
            warnings += reader.warnings
            measured = study.run(
                space,
                lists,
                methods=methods,
                tests=tests,
                settings=settings,
                bias=bias,
                others=others,
                warnings=warnings,
                stage=stage,
            )
        finish(findings.study_findings(measured, reader.parts), self.output, json=self.json)


@inside(embeddings)
def audit(
    asked: Study,
    attributes: Annotated[Path | None, Option("table: gender (male, female), word", "FILE")] = None,
    permutations: Annotated[int, Option("of sampled tests", "N", least=1)] = PERMUTATIONS,
) -> None:
    """Gender directions and bias of word vectors, before and after each mitigation."""
    asked.run(bias=True, attributes=attributes, permutations=permutations)


@inside(embeddings)
def evaluate(asked: Study) -> None:
    """Utility of the vectors before and after mitigation: similarity, translation, word pairs."""
    asked.run(bias=False)


@inside(embeddings)
def debias(
    given: VectorSettings,
    reading: ReadSettings,
    output: Annotated[Path, Option("the mitigated vectors; the ending says the format", "FILE", "--output -o")],
    method: Annotated[str, Option(", ".join(METHODS), "NAME")] = "shift-ori",
    english_output: Annotated[Path | None, Option("English in the same space", "FILE", writes=True)] = None,
    json: Json = False,
) -> None:
    """Write mitigated vectors. The input is not changed; words that are not listed keep their vectors bit by bit."""
    if method not in METHODS:
        raise Unknown("method", method, METHODS)
    if given.language == wordlists.ENGLISH:
        raise BadInput("debias moves the two forms of a noun, English has one: see --language de, es, fr, it, pt")
    sources, lists = given.sources(), given.lists()
    _check_mitigated(sources, output, english_output)
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
    if english_output is None and method in ENGLISH_CHANGED:
        reader.warnings.append(ENGLISH_CHANGED[method].format(output))
    words, pairs = len(mitigated.gendered), len(moved.pairs)
    skipped, freed = len(moved.skipped), len(moved.inanimate)
    if json:
        written = {"method": method, "output": output, "english_output": english_output, "words": words}
        counts = {"pairs_shifted": pairs, "pairs_skipped": skipped, "inanimate_freed": freed}
        print_json({**written, **counts, "worst_asymmetry": moved.worst, "warnings": reader.warnings})
        return
    for line in reader.warnings:
        typer.echo(f"warning: {line}", err=True)
    typer.echo(
        f"{output}: {words:,} words, {pairs} pairs shifted ({skipped} of the list without vectors or anchor), {freed} "
        f"inanimate nouns freed; largest asymmetry left on d_s {moved.worst:.1e}. All other words are unchanged."
    )


def _check_mitigated(sources: opening.Sources, output: Path, english_output: Path | None) -> None:
    """Refuse, before any work, files that are the same twice, or of no known format; an input every verb refuses."""
    for path in filter(None, (output, english_output)):
        files.format_of(path)
    if english_output and sources.english is None:
        raise BadInput("--english-output without --english")
    if english_output and english_output.resolve() == output.resolve():
        raise BadInput(f"{output}: --output and --english-output are the same file; choose another name for one")


@inside(embeddings)
def score(
    words: Annotated[Path, Argument("a word list: one per line, or separated by commas", "WORDS")],
    vectors: Annotated[tuple[Path, ...], Option("a vector file, or pocket; repeat for several", "FILE")],
    reading: ReadSettings,
    language: Annotated[str, Option("whose gender words to use", "LANG", "--language -l", parse=primary)] = "en",
    feminine: Annotated[Path | None, Option("your own list of feminine words", "FILE")] = None,
    masculine: Annotated[Path | None, Option("your own list of masculine words", "FILE")] = None,
    reference: Annotated[Path | None, Option("table: word, statistic to compare with", "FILE")] = None,
    column: Annotated[str | None, Option("column of the reference", "NAME")] = None,
    level: Level = LEVEL,
    output: Annotated[Path | None, Option("result folder; or a .tsv, a page.html", "FOLDER", "--output -o")] = None,
    figure: Annotated[Path | None, Option("plot with the reference: .svg .png .pdf", "FILE", writes=True)] = None,
    json: Json = False,
) -> None:
    """Rank words from feminine to masculine by their mean normalised cosine difference (Troles & Schmid 2021)."""
    check_level(level)
    _check(output, figure, reference)
    lists = [wordscore.pronouns(language), _gender_words(language, feminine, masculine)]
    asked = wordlists.read_words(words)
    known = wordscore.read_reference(reference, column) if reference else None
    with stages() as stage:
        reader = reading.reader(stage)
        loaded = [reader.load(opening.vector_file(path, language), part="vectors") for path in vectors]
        for one in () if reading.any_language else loaded:
            reader.warnings += check_language(one, language)
        scores = wordscore.score_words(asked, loaded, lists)
    agreement = None if known is None else wordscore.correlate(scores.words, scores.total, known, level=level)
    hashed = {"words": asked, "lists": [(x.name, x.masculine, x.feminine) for x in lists], "reference": known or "none"}
    parts = reader.parts | {name: f"#{wordlists.hash_of(content)}" for name, content in hashed.items()}
    name = column or (reference.stem if reference else "reference")
    parts = {"language": language, **parts}
    scored = findings.score_findings(
        scores, parts, agreement=agreement, reference=name, warnings=reader.warnings, level=level
    )
    if output is not None and output.suffix == ".tsv":
        table = scored.tables["scores"]
        write_text(output, table.write_csv(separator="\t", quote_style="never", float_precision=6))
        output = None
    if figure is not None:
        from evenhand.report.charts import drawing
        from evenhand.report.charts.embeddings import score_figures

        if drawing.write_figure(score_figures(scored)[0], figure) is None:
            typer.echo(f"no figure: the chart for {figure} could not be drawn", err=True)
    finish(scored, output, json=json)


def _gender_words(language: str, feminine: Path | None, masculine: Path | None) -> wordscore.GenderWords:
    given = [tuple(wordlists.read_words(path)) for path in (masculine, feminine) if path]
    if len(given) == 1:
        raise BadInput("--feminine and --masculine go together")
    return wordscore.GenderWords("gender words", *given) if given else wordscore.gender_words(language)


def _check(output: Path | None, figure: Path | None, reference: Path | None) -> None:
    """Refuse, before any work, what could not be written afterwards."""
    if output is not None and output.suffix == ".tsv":
        check_writable(output)
    else:
        check_findings_output(output, findings.WORD_SCORES)
    if figure is not None:
        if reference is None:
            raise BadInput("--figure needs a --reference to plot against")
        if figure.suffix not in PICTURES:
            raise Unknown("format of a figure", figure.suffix or figure.name, PICTURES)
        require_charts("drawing charts")
        check_writable(figure)
