"""The board's WinoMT accuracies beside a second reading that shares no rule, list or code with our detector.

    make board-second SECOND='--target it pt'

WinoMT's recipe with open parts: word alignment (systran-align, learnt from the systems' outputs together), then the
gender of the words aligned with the person's noun and its article. es, it, pt: most of these words' genders, the first
one's at a tie, neutral where none shows any, unknown where none is aligned, as in WinoMT's script; a word has the
gender that Apertium's analysers give it alone (Debian's apertium-spa-cat, apertium-cat-ita, apertium-por-cat,
installed, or unpacked below the folder --analysers). `--spacy es=MODEL` takes a spaCy model instead, as WinoMT does (a
folder with its config.cfg). de: the noun by german-nouns, or else the determiner; WinoMT's analyser is not at hand.

Printed: the rank correlation with a bootstrap interval over sentences; `noise`, what a reader reaches that errs as
often as the two readings differ, in all systems alike; and the second reading of Google's and Amazon's outputs of 2019
beside the accuracies that WinoMT's authors published for them. It stands in for the published accuracies of the speech
systems, which are not in our data (builders/agreement.py takes those).
"""

from __future__ import annotations

import argparse
import lzma
import re
import shutil
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
import typer
from scipy.stats import spearmanr

from evenhand.errors import require
from evenhand.replicate.cell import published
from evenhand.results.runs import Run, read_manifest

SUFFIX = " (speech 2026)"
WORD = re.compile(r"\w+(?:-\w+)*['’]?|[^\w\s]")
ANALYSERS = {
    "es": "apertium-spa-cat/spa-cat.automorf.bin",
    "it": "apertium-cat-ita/ita-cat.automorf.bin",
    "pt": "apertium-por-cat/por-cat.automorf.bin",
}
GENDERS = {"m": {"male"}, "f": {"female"}, "mf": {"male", "female"}, "GD": {"male", "female"}}
GERMAN_DETERMINERS = {
    "male": "der dem den des ein einen einem eines zum beim vom im am",
    "female": "die eine einer zur",
}

SPACY = {"Masc": "male", "Fem": "female"}
FORMER = "winomt/aggregates/en_2019.txt"
RESAMPLES = 1000

Lexicon = dict[str, set[str]]
Words = tuple[list[str], list[str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", type=Path, help="the folder of the board's runs (board-out/runs)")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--analysers", type=Path, default=Path("/"))
    parser.add_argument("--target", nargs="+", default=["de", "es", "it", "pt"])
    parser.add_argument("--spacy", nargs="*", default=[], metavar="LANGUAGE=MODEL")
    options = parser.parse_args()
    models = dict(one.split("=", 1) for one in options.spacy)
    gold = gold_of(options.data / "winomt/aggregates/en.txt")
    for target in options.target:
        table = renderings(options.data / f"winost-2026/winost.en-{target}.tsv.xz")
        words = aligned(gold, table)
        former = former_systems(options.data, target)
        rows = [*words, *(row for _, linked in former for row in linked)]
        read = reader(target, rows, options.analysers, models.get(target))
        wanted = pl.Series([gold[number - 1][0] for number in table["id"]])
        theirs = table.select("system", "id", second=pl.Series([read(*row) for row in words]) == wanted)
        ours = verdicts(options.runs, target)
        report(target, theirs.join(ours, on=["system", "id"]))
        for name, linked in former:
            compare_former(target, name, [read(*row) for row in linked], gold_of(options.data / FORMER))


def gold_of(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]


def renderings(path: Path) -> pl.DataFrame:
    """system, id, rendering; an absent rendering is empty."""
    content = lzma.decompress(path.read_bytes())
    return pl.read_csv(content, separator="\t", quote_char=None).with_columns(pl.col("rendering").fill_null(""))


def verdicts(runs: Path, target: str) -> pl.DataFrame:
    """system, id (WinoMT's line, from 1), first: whether the board's own reading is right."""
    parts = []
    for folder in sorted(runs.iterdir()):
        manifest = read_manifest(folder)
        if manifest is None or manifest.target_lang != target or not manifest.system_name.endswith(SUFFIX):
            continue
        run = Run.load(folder)
        judged = run.probes.select("id", "gold").join(run.verdicts.select("id", "gender"), on="id")
        parts.append(
            judged.select(
                system=pl.lit(manifest.system_name.removesuffix(SUFFIX)),
                id=pl.col("id").str.extract(r"(\d+)$").cast(pl.Int64) + 1,
                first=pl.col("gender").cast(pl.String) == pl.col("gold").cast(pl.String),
            )
        )
    if not parts:
        raise SystemExit(f"{runs}: no run of a speech system into {target} there (`make board` makes them)")
    return pl.concat(parts)


def former_systems(data: Path, target: str) -> list[tuple[str, list[Words]]]:
    """Google and Amazon of 2019, as far as they are in the data, each aligned by itself as WinoMT's authors did."""
    gold, systems = gold_of(data / FORMER), []
    for name in ("google", "aws"):
        path = data / f"winomt/translations/{name}/en-{target}.txt"
        if path.exists():
            texts = [line.partition(" ||| ")[2] for line in path.read_text(encoding="utf-8").splitlines()]
            table = pl.DataFrame({"id": range(1, len(texts) + 1), "rendering": texts})
            systems.append((name, aligned(gold, table)))
    return systems


def _links(sources: list[list[str]], pairs: list[tuple[int, list[str]]]) -> list[list[tuple[int, int]]]:
    """The aligned places of each pair (number of its source, words of its rendering), learnt from all of them."""
    aligner = require("systran_align", purpose="aligning words", extra="pool")
    with tempfile.TemporaryDirectory() as folder:
        text, forward, backward = (str(Path(folder) / name) for name in ("text", "forward", "backward"))
        lines = (f"{' '.join(sources[number])} ||| {' '.join(words)}\n" for number, words in pairs if words)
        Path(text).write_text("".join(lines), encoding="utf-8")
        aligner.generate_alignment_probabilities(text, forward, backward, favor_diagonal=True, optimize_tension=True)
        model = aligner.Aligner(forward, backward)
        answers = model.align_batch([sources[number] for number, _ in pairs], [words for _, words in pairs])
    return [answer["alignments"] for answer in answers]


def aligned(gold: list[list[str]], table: pl.DataFrame) -> list[Words]:
    """For each row the words aligned with the person's noun and its article, and the words before them."""
    sources = [WORD.findall(sentence.lower()) for _, _, sentence, _ in gold]
    heads = [
        source.index(sentence.split()[int(place)].lower().strip(".,"))
        for source, (_, place, sentence, _) in zip(sources, gold, strict=True)
    ]
    targets = [WORD.findall(text.lower()) for text in table["rendering"]]
    pairs = [(number - 1, words) for number, words in zip(table["id"], targets, strict=True)]
    chosen = []
    for (number, words), links in zip(pairs, _links(sources, pairs), strict=True):
        head = heads[number]
        wanted = {head, head - 1} if head and sources[number][head - 1] == "the" else {head}
        places = {place for start, place in links if start in wanted}
        before = {place - 1 for place in places if place} - places
        chosen.append(([words[place] for place in sorted(places)], [words[place] for place in sorted(before)]))
    return chosen


def analysed(words: set[str], root: Path, name: str) -> tuple[Lexicon, Lexicon]:
    """Genders of nouns and of determiners by one of Apertium's analysers."""
    package = Path(name).parent
    places = [folder / "usr/share/apertium" / name for folder in (root, root / package)]
    path = next((place for place in places if place.exists()), None)
    if path is None or shutil.which("lt-proc") is None:
        raise SystemExit(f"{places[0]} or lt-proc is not here: install {package} and lttoolbox")
    listed = "".join(f"{word}\n\n" for word in sorted(words) if word.isalpha())
    output = subprocess.run(["lt-proc", str(path)], input=listed, text=True, capture_output=True, check=True).stdout
    nouns: Lexicon = defaultdict(set)
    determiners: Lexicon = defaultdict(set)
    for word, readings in re.findall(r"\^([^/]+)/([^$]*)\$", output):
        for one in readings.split("/"):
            tags = re.findall("<(.*?)>", one)
            lexicon = nouns if "n" in tags else determiners if {"det", "prn"} & set(tags) else None
            for tag in tags:
                if lexicon is not None and tag in GENDERS:
                    lexicon[word] |= GENDERS[tag]
    return nouns, determiners


def german(words: set[str]) -> tuple[Lexicon, Lexicon]:
    """Genders of nouns by german-nouns; a word in -in or -innen that it does not know is female."""
    known = require("german_nouns.lookup", purpose="genders of German nouns", extra="languages").Nouns()
    nouns: Lexicon = {}
    for word in filter(str.isalpha, words):
        tags = {value for entry in known[word] for key, value in entry.items() if key.startswith("genus")}
        genders = {gender for tag in tags for gender in GENDERS.get(tag, ())}
        nouns[word] = {"female"} if word.endswith("innen") or (word.endswith("in") and not genders) else genders
    return nouns, {word: {gender} for gender, listed in GERMAN_DETERMINERS.items() for word in listed.split()}


def reader(target: str, rows: Sequence[Words], analysers: Path, model: str | None) -> Callable[..., str]:
    """The gender that the words linked to a person, with those before them, show."""
    seen = {word for linked, before in rows for word in linked + before}
    if model is not None:
        return partial(_phrase, genders=tagged({" ".join(linked) for linked, _ in rows if linked}, model))
    if target == "de":
        return partial(_noun_first, lexicons=german(seen))
    nouns, determiners = analysed(seen, analysers, ANALYSERS[target])
    return partial(_majority, lexicon={word: nouns.get(word) or determiners.get(word, set()) for word in seen})


def tagged(phrases: set[str], model: str) -> dict[str, str]:
    """The gender most words of a phrase have by a spaCy model, which is shown the phrase alone."""
    spacy = require("spacy", purpose="reading with a spaCy model", extra="spacy")
    nlp = spacy.load(model, disable=["parser", "ner", "lemmatizer", "attribute_ruler"])
    chosen = {}
    for doc in nlp.pipe(sorted(phrases)):
        counted = Counter(SPACY[value] for token in doc for value in token.morph.get("Gender") if value in SPACY)
        chosen[doc.text] = counted.most_common(1)[0][0] if counted else "neutral"
    return chosen


def _phrase(linked: list[str], before: list[str], *, genders: dict[str, str]) -> str:
    return genders[" ".join(linked)] if linked else "unknown"


def _majority(linked: list[str], before: list[str], *, lexicon: Lexicon) -> str:
    votes = Counter(gender for word in linked for gender in lexicon[word] if len(lexicon[word]) == 1)
    if votes:
        return votes.most_common(1)[0][0]
    return "neutral" if linked else "unknown"


def _noun_first(linked: list[str], before: list[str], *, lexicons: tuple[Lexicon, Lexicon]) -> str:
    """The gender most of the nouns have, or else most of the determiners; unknown where none has one or it is even."""
    nouns, determiners = lexicons
    for words, lexicon in ((linked, nouns), (linked + before, determiners)):
        votes = Counter(gender for word in words for gender in lexicon.get(word, ()) if len(lexicon[word]) == 1)
        if votes:
            (best, most), *others = votes.most_common()
            return best if all(count < most for _, count in others) else "unknown"
    return "unknown"


def report(target: str, table: pl.DataFrame) -> None:
    """The rank correlation of the two readings (columns system, id, first, second), and each system's accuracies."""
    names = table["system"].unique(maintain_order=True).to_list()
    parts = [table.filter(pl.col("system") == name).sort("id") for name in names]
    first, second = (np.array([part[column] for part in parts], dtype=float) for column in ("first", "second"))
    rng = np.random.default_rng(0)
    weights = [rng.multinomial(first.shape[1], np.full(first.shape[1], 1 / first.shape[1])) for _ in range(RESAMPLES)]
    low, high = np.quantile([_correlation(first @ w, second @ w) for w in weights], [0.025, 0.975])
    lost, gained = (first > second).sum() / first.sum(), (second > first).sum() / (1 - first).sum()
    drawn = [np.where(rng.random(first.shape) < np.where(first, lost, gained), 1 - first, first) for _ in range(200)]
    noise = np.quantile([_correlation(first.mean(1), one.mean(1)) for one in drawn], [0.025, 0.5, 0.975])
    told = _correlation(first.mean(1), second.mean(1))
    typer.echo(f"{target}: {len(names)} systems, Spearman {told:.3f} ({low:.3f} to {high:.3f})")
    typer.echo(f"  noise {noise[1]:.3f} ({noise[0]:.3f} to {noise[2]:.3f})")
    typer.echo(f"  the readings differ on {100 * (first != second).mean():.1f} % of the renderings")
    typer.echo(f"  mean difference {100 * (first - second).mean():+.1f} points")
    for place in np.argsort(first.mean(1)):
        one, two = first[place].mean(), second[place].mean()
        typer.echo(f"  {names[place]:22} board {one:.3f}  second reading {two:.3f}")


def _correlation(one: np.ndarray, two: np.ndarray) -> float:
    return float(spearmanr(one, two).statistic)


def compare_former(target: str, name: str, genders: list[str], gold: list[list[str]]) -> None:
    """The second reading of a system of 2019 beside what WinoMT's authors published of it."""
    accuracy = 100 * sum(given == row[0] for given, row in zip(genders, gold, strict=True)) / len(gold)
    shares = ", ".join(f"{gender} {100 * count / len(gold):.1f}" for gender, count in Counter(genders).most_common())
    told = published("stanovsky2019").get(("WinoMT", name, target, "accuracy"))
    beside = f"published {told.value:.1f}" if told else "nothing published at hand"
    typer.echo(f"{target}: {name} 2019, second reading {accuracy:.1f} %, {beside} ({shares} %)")


if __name__ == "__main__":
    main()
