"""How fast the embeddings room is, as ratios measured in one run.

    python benchmarks/embeddings.py [--permutations 10000]

Needs gensim and wefe; they pin old versions of numpy, so `make bench` gives them an environment of their own. Vectors
are made up at the stated sizes. Each time is the best of the repetitions. With 10,000 permutations WEFE takes three
minutes; exit code 1 when a ratio is missed. A ratio holds only for an idle machine.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numpy as np
from benchmarks.ratios import Cost, beside

from evenhand.embeddings.alignment import gold_ranks
from evenhand.embeddings.association import associations
from evenhand.embeddings.files import load_vectors, save_vectors
from evenhand.embeddings.vectors import Vectors, unit_rows
from evenhand.statistics.permutation import split_test


def best(job: Callable[[], object], repetitions: int) -> Cost:
    """The fastest repetition."""
    costs = []
    for _ in range(repetitions):
        with Cost() as cost:
            job()
        costs.append(cost)
    return min(costs, key=lambda cost: cost.clock)


def report(what: str, ours: Cost, peer: str, theirs: Cost, wanted: float) -> bool:
    """Print how many times faster we are; whether that is enough comes back."""
    met = beside(what, ours, peer, theirs) >= wanted
    print(f"    wanted: at least {wanted:g}: {'met' if met else 'MISSED'}")
    return met


def loading(folder: Path, rng: np.random.Generator) -> list[bool]:
    """First and later loads of a 20,000 x 300 text file against gensim's load_word2vec_format."""
    keyed = import_module("gensim.models").KeyedVectors
    vectors = Vectors([f"w{i}" for i in range(20_000)], rng.normal(size=(20_000, 300)).astype(np.float32))
    path = folder / "made-up.vec"
    save_vectors(vectors, path)
    first = best(lambda: load_vectors(path, cache=Path(tempfile.mkdtemp(dir=folder))), 3)
    cache = folder / "cache"
    load_vectors(path, cache=cache)
    later = best(lambda: load_vectors(path, cache=cache), 10)
    theirs = best(lambda: keyed.load_word2vec_format(str(path)), 2)
    return [
        report("first load of a text file, 20,000 x 300 (cache written)", first, "gensim", theirs, 4),
        report("later load of the same file", later, "gensim", theirs, 100),
    ]


def association(rng: np.random.Generator, permutations: int) -> list[bool]:
    """WEAT's statistic with the published split test against WEFE's, as many permutations each."""
    words = [f"w{i}" for i in range(200)]
    matrix = rng.normal(size=(200, 300)).astype(np.float32)
    x, y, a, b = words[:12], words[12:24], words[60:68], words[75:83]  # 2.7 million splits: both sample
    vectors = Vectors(words, matrix)
    keyed = import_module("gensim.models").KeyedVectors(300)
    keyed.add_vectors(words, matrix)
    model = import_module("wefe.word_embedding_model").WordEmbeddingModel(keyed, "made up")
    query = import_module("wefe.query").Query([x, y], [a, b])
    metric = import_module("wefe.metrics").WEAT()
    rows = [vectors.need(some, "words").rows for some in (x + y, a, b)]

    def split() -> object:
        s = associations(vectors, *rows)
        return split_test(s, len(x), lambda first, second: first - second, permutations=permutations, seed=0)

    ours = best(split, 5)
    options = {"calculate_p_value": True, "p_value_iterations": permutations}
    theirs = best(lambda: metric.run_query(query, model, **options), 1)
    return [report(f"WEAT, 12 + 12 targets, {permutations:,} permutations", ours, "WEFE", theirs, 20)]


def translation(rng: np.random.Generator) -> list[bool]:
    """P@1 of 1,500 queries among 200,000 candidates against the bare matrix product (twice as long: ratio 0.5)."""
    candidates = unit_rows(rng.normal(size=(200_000, 300)).astype(np.float32))
    queries = unit_rows(rng.normal(size=(1_500, 300)).astype(np.float32))
    gold = [[int(i)] for i in rng.integers(0, 200_000, size=1_500)]
    penalty = np.zeros(200_000, dtype=np.float32)
    product = best(lambda: queries @ candidates.T, 3)
    plain = best(lambda: gold_ranks(queries, candidates, gold), 3)
    csls = best(lambda: gold_ranks(queries, candidates, gold, penalty=penalty), 3)
    return [
        report("P@1, 1,500 queries x 200,000 words, nearest", plain, "the matrix product alone", product, 0.5),
        report("P@1, 1,500 queries x 200,000 words, CSLS", csls, "the matrix product alone", product, 0.5),
    ]


def main() -> int:
    missing = [name for name in ("gensim", "wefe") if not importlib.util.find_spec(name)]
    if missing:
        print(f"{' and '.join(missing)} not installed: run make bench")
        return 2
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--permutations", type=int, default=10_000)
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        met = loading(Path(folder), rng)
    met += association(rng, options.permutations)
    met += translation(rng)
    print(f"{sum(met)} of {len(met)} ratios met")
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
