"""Speed of the noun detector: start-up, the forms and grammar path, the alignment path, beside spaCy.

    python benchmarks/detect.py [--data ../shared/data] [--rows 40000] [--workers 2]

Forms path: WinoMT sentences as translated by Google, whose entities are listed forms. Alignment path: the same pairs
with an empty forms table, so that every focus has to be aligned. Sentences repeat to fill the rows, as they do across
systems; a run without repetition is printed too. spaCy (if installed) tags the same sentences. On a machine that is
busy otherwise, read the figures per CPU second.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from pathlib import Path

import polars as pl
from benchmarks.ratios import Cost, beside, figure

from evenhand.detect.nouns import NounDetector
from evenhand.workflows.detect import DetectSettings

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
FLOOR = {"forms": 20_000, "alignment": 3_000}


def winomt(data: Path, code: str) -> pl.DataFrame:
    """WinoMT pairs with the entity's head as focus."""
    lines = (data / "winomt/aggregates/en_2019.txt").read_text().splitlines()
    renderings = (data / f"winomt/translations/google/en-{code}.txt").read_text().splitlines()
    rows = []
    for number, (line, pair) in enumerate(zip(lines, renderings, strict=True)):
        _, at, sentence, _ = line.split("\t")
        words = sentence.split()
        start = len(" ".join(words[: int(at)])) + (int(at) > 0)
        end = start + len(words[int(at)].rstrip(".,"))
        rows.append((str(number), " ".join(words), pair.split(" ||| ")[1], start, end))
    return pl.DataFrame(rows, schema=["id", "source", "rendering", "focus_start", "focus_end"], orient="row")


def repeated(pairs: pl.DataFrame, rows: int) -> pl.DataFrame:
    whole = pl.concat([pairs] * (rows // pairs.height + 1)).head(rows)
    return whole.with_columns(pl.int_range(rows).cast(pl.String).alias("id"))


def rate(rows: int, start: float) -> float:
    return rows / (time.perf_counter() - start)


def startup(code: str) -> float:
    """Seconds from a new Python process to the first verdict."""
    program = (
        "from evenhand.detect.nouns import NounDetector as D;"
        f"D('en', '{code}').verdict('The nurse slept.', 'Die Krankenschwester schlief.', 4, 9)"
    )
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True)
    return time.perf_counter() - start


def spacy_cost(pairs: pl.DataFrame, code: str) -> tuple[str, Cost]:
    """What spaCy takes to tag the renderings for gender, with its small model of the language or one of that layout.

    Models are not on PyPI. A morphologiser of the small models' layout (the library's default) with weights as they
    are initialised takes the time of a trained one; what it says is not looked at.
    """
    spacy = import_module("spacy")
    model = f"{code}_core_news_sm"
    if find_spec(model) is not None:
        name, pipeline = f"spaCy ({model})", spacy.load(model)
    else:
        name, pipeline = "spaCy (morphologiser of the small models' layout)", spacy.blank(code)
        tagger = pipeline.add_pipe("morphologizer")
        for gender, number, case in product(("Masc", "Fem", "Neut"), ("Sing", "Plur"), ("Nom", "Gen", "Dat", "Acc")):
            tagger.add_label(f"Case={case}|Gender={gender}|Number={number}|POS=NOUN")
        pipeline.initialize()
    texts = pairs["rendering"].to_list()
    list(pipeline.pipe(texts[:50]))
    with Cost() as cost:
        for document in pipeline.pipe(texts, batch_size=500):
            for token in document:
                token.morph.get("Gender")
    return name, cost


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--language", default="de")
    parser.add_argument("--rows", type=int, default=40_000)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    code = options.language
    print(f"start-up: {startup(code):.2f} s (floor 2 s)")
    unique = winomt(options.data, code)
    pairs = repeated(unique, options.rows)

    start = time.perf_counter()
    detector = NounDetector("en", code)
    detector.detect(unique.head(50))
    with Cost() as ours:
        detector.detect(unique)
    print(f"forms, one process, every row new: {unique.height / ours.clock:,.0f} pairs/s")
    start, before = time.perf_counter(), time.process_time()
    detector.detect(pairs)
    print(f"forms, one process: {rate(pairs.height, start):,.0f} pairs/s, "
          f"{pairs.height / (time.process_time() - before):,.0f} per CPU second")  # fmt: skip

    batches = list(pairs.iter_slices(min(2_000, -(-options.rows // (8 * options.workers)))))
    warm = batches[: 2 * options.workers]
    judging = DetectSettings(target=code, kind="nouns", workers=options.workers)
    stream = judging.batches(iter([*warm, *batches])).batches
    for _ in range(2 * options.workers):
        next(stream)  # the workers have started
    start = time.perf_counter()
    done = sum(table.height for table in stream)
    parallel = rate(done, start)
    how = f"verdicts by forms and grammar, {options.workers} processes, sentences repeat"
    figure(how, f"{parallel:,.0f} a second", f"{FLOOR['forms']:,}")

    detector.forms.concepts.clear()
    detector.forms.known.clear()
    start, before = time.perf_counter(), time.process_time()
    detector.detect(unique)
    aligned = rate(unique.height, start)
    cpu = unique.height / (time.process_time() - before)
    print(f"alignment: {cpu:,.0f} pairs/CPU s")
    figure("verdicts by alignment, one process, every row new", f"{aligned:,.0f} a second", f"{FLOOR['alignment']:,}")
    if find_spec("spacy") is None:
        print("spaCy is not installed: pip install spacy")
        return
    name, theirs = spacy_cost(unique, code)
    beside(f"verdicts on {unique.height:,} sentences, none seen before", ours, name, theirs)


if __name__ == "__main__":
    main()
