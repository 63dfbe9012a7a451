"""The board's WinoMT accuracies beside a second reading that shares no rule, list or code with our detector.

    python builders/second_opinion.py docs/board.csv --data ../shared/data --analysers FOLDER

WinoMT's recipe with open parts: word alignment (systran-align, learnt from the systems' outputs together), then the
gender that an open dictionary gives the words aligned with the person's noun, or else their determiner: Apertium's
analysers for es, it, pt (Debian's apertium-spa-cat, apertium-cat-ita, apertium-por-cat, installed, or unpacked by
`dpkg-deb -x` below FOLDER), german-nouns for de. Cruder than the detector: what no dictionary knows is unknown and
counts as wrong. It stands in for published accuracies that are not in our data (builders/agreement.py takes those).
"""

from __future__ import annotations

import argparse
import csv
import lzma
import re
import shutil
import subprocess
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import polars as pl
import typer
from scipy.stats import spearmanr

from evenhand.errors import require

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

Lexicon = dict[str, set[str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("board", type=Path, help="the board's numbers (docs/board.csv)")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--analysers", type=Path, default=Path("/"))
    parser.add_argument("--target", nargs="+", default=["de", "es", "it", "pt"])
    options = parser.parse_args()
    gold = [line.split("\t") for line in (options.data / "winomt/aggregates/en.txt").read_text().splitlines()]
    for target in options.target:
        table = renderings(options.data / f"winost-2026/winost.en-{target}.tsv.xz")
        words = aligned(gold, table)
        seen = {word for linked, before in words for word in linked + before}
        nouns, determiners = german(seen) if target == "de" else analysed(seen, options.analysers, ANALYSERS[target])
        right = [
            reading(linked, before, nouns, determiners) == gold[number - 1][0]
            for (linked, before), number in zip(words, table["id"], strict=True)
        ]
        theirs = dict(table.with_columns(right=pl.Series(right)).group_by("system").agg(pl.col("right").mean()).rows())
        report(target, accuracies(options.board, target), theirs)


def renderings(path: Path) -> pl.DataFrame:
    """system, id, rendering; an absent rendering is empty."""
    content = lzma.decompress(path.read_bytes())
    return pl.read_csv(content, separator="\t", quote_char=None).with_columns(pl.col("rendering").fill_null(""))


def accuracies(board: Path, target: str) -> dict[str, float]:
    with board.open(encoding="utf-8", newline="") as lines:
        return {
            row["system"].removesuffix(SUFFIX): float(row["value"])
            for row in csv.DictReader(lines)
            if (row["suite"], row["measure"], row["target_lang"]) == ("winomt-en", "accuracy", target)
            and row["system"].endswith(SUFFIX)
            and row["value"]
        }


def aligned(gold: list[list[str]], table: pl.DataFrame) -> list[tuple[list[str], list[str]]]:
    """For each row the words aligned with the person's noun and its article, and the words before them."""
    aligner = require("systran_align", purpose="aligning words", extra="pool")
    sources = [WORD.findall(sentence.lower()) for _, _, sentence, _ in gold]
    heads = [
        source.index(sentence.split()[int(place)].lower().strip(".,"))
        for source, (_, place, sentence, _) in zip(sources, gold, strict=True)
    ]
    targets = [WORD.findall(text.lower()) for text in table["rendering"]]
    pairs = [(number - 1, words) for number, words in zip(table["id"], targets, strict=True)]
    with tempfile.TemporaryDirectory() as folder:
        text, forward, backward = (str(Path(folder) / name) for name in ("text", "forward", "backward"))
        lines = (f"{' '.join(sources[number])} ||| {' '.join(words)}\n" for number, words in pairs if words)
        Path(text).write_text("".join(lines), encoding="utf-8")
        aligner.generate_alignment_probabilities(text, forward, backward, favor_diagonal=True, optimize_tension=True)
        model = aligner.Aligner(forward, backward)
        answers = model.align_batch([sources[number] for number, _ in pairs], [words for _, words in pairs])
    chosen = []
    for (number, words), answer in zip(pairs, answers, strict=True):
        head = heads[number]
        wanted = {head, head - 1} if head and sources[number][head - 1] == "the" else {head}
        places = {place for start, place in answer["alignments"] if start in wanted}
        before = {place - 1 for place in places if place} - places
        chosen.append(([words[place] for place in sorted(places)], [words[place] for place in sorted(before)]))
    return chosen


def analysed(words: set[str], root: Path, name: str) -> tuple[Lexicon, Lexicon]:
    """Genders of nouns and of determiners by one of Apertium's analysers."""
    path = root / "usr/share/apertium" / name
    if not path.exists() or shutil.which("lt-proc") is None:
        raise SystemExit(f"{path} or lt-proc is not here: install {Path(name).parent} and lttoolbox")
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


def reading(linked: list[str], before: list[str], nouns: Lexicon, determiners: Lexicon) -> str:
    """The gender most of the nouns have, or else most of the determiners; unknown where none has one or it is even."""
    for words, lexicon in ((linked, nouns), (linked + before, determiners)):
        votes = Counter(gender for word in words for gender in lexicon.get(word, ()) if len(lexicon[word]) == 1)
        if votes:
            (best, most), *others = votes.most_common()
            return best if all(count < most for _, count in others) else "unknown"
    return "unknown"


def report(target: str, ours: dict[str, float], theirs: dict[str, float]) -> None:
    names = sorted(ours, key=ours.__getitem__)
    correlation = float(spearmanr([ours[name] for name in names], [theirs[name] for name in names]).statistic)
    difference = 100 * sum(ours[name] - theirs[name] for name in names) / len(names)
    typer.echo(f"{target}: {len(names)} systems, Spearman {correlation:.3f}, mean difference {difference:+.1f} points")
    for name in names:
        typer.echo(f"  {name:22} board {ours[name]:.3f}  second reading {theirs[name]:.3f}")


if __name__ == "__main__":
    main()
