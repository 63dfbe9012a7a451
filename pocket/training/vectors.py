"""Train, align and write the word vectors: English, Spanish, French, German, 20,000 words x 100 and more, in one space.

    pip install gensim sentencepiece && pip install -e ../..
    python vectors.py --data ../../../shared/data --work ../../carry/vectors

Each language is trained on its own (fastText: skip-gram with subwords), so that two words of different languages are
never near because they are spelled alike. Then each is turned into the English space by a rotation, solved on word
pairs that the parallel text itself gives (vectors_lexicon.py). One thread a language and fixed seeds: the same text
gives the same vectors. Trained vectors in the work folder are kept; delete them to train again.

Words that the audit measures and the text has seldom or never follow the 20,000: a form that was never seen has the
vector of its letters alone. The file's metadata list words seen fewer than five times, so that an audit can say so.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from pathlib import Path

import numpy as np
from prepare import SEED, Pair
from vectors_lexicon import for_alignment, lexicon, measured_words
from vectors_text import LANGUAGES, cut, is_word, pairs, sentences

from evenhand.embeddings.alignment import align
from evenhand.embeddings.vectors import Matrix32, Vectors, unit_rows

WORDS, DIM, REFINE, SELDOM = 20_000, 100, 2, 5
EPOCHS = {"en": 5, "es": 8, "fr": 8, "de": 8}  # English has more than twice the text
SETTINGS = {
    "vector_size": DIM, "sg": 1, "window": 5, "negative": 10, "sample": 1e-4, "alpha": 0.05, "min_count": 1,
    "min_n": 3, "max_n": 6, "bucket": 500_000,
}  # fmt: skip


def train(data: Path, work: Path, language: str) -> None:
    """Raw vectors of the most frequent words as `<language>.npy` + `.vocab`, and what they were made of as .json."""
    from gensim.models import FastText

    if (work / f"{language}.json").exists():
        return
    text, sizes = sentences(data, language)
    started = time.process_time()
    model = FastText(**SETTINGS, epochs=EPOCHS[language], workers=1, seed=SEED)
    model.build_vocab(corpus_iterable=text)
    model.train(corpus_iterable=text, total_examples=len(text), epochs=EPOCHS[language])
    words = [word for word in model.wv.index_to_key if is_word(word, language)][:WORDS]
    rarest = int(model.wv.get_vecattr(words[-1], "count"))
    words += sorted(listed_words(language) - set(words))
    seen = [int(model.wv.get_vecattr(word, "count")) if word in model.wv.key_to_index else 0 for word in words]
    np.save(work / f"{language}.npy", np.stack([model.wv[word] for word in words]), allow_pickle=False)
    np.save(work / f"{language}.counts.npy", np.array(seen, dtype="<i4"), allow_pickle=False)
    (work / f"{language}.vocab").write_text("\n".join(words) + "\n", encoding="utf-8")
    told = {
        "corpora": {name: {"sentences": n, "words": m} for name, (n, m) in sizes.items()},
        "rarest": rarest,
        "epochs": EPOCHS[language],
        "cpu_seconds": round(time.process_time() - started),
    }
    (work / f"{language}.json").write_text(json.dumps(told, indent=1), encoding="utf-8")


def listed_words(language: str) -> set[str]:
    """The single words of the shipped lists, in the form the text would have them."""
    listed = measured_words(language, lower=language != "de")
    return {word for word in listed if cut(word, language) == [word] and is_word(word, language)}


def centred(words: list[str], matrix: Matrix32, name: str) -> Vectors:
    """Rows of length 1 around their mean, without their first principal component, length 1 again.

    That component tells Tatoeba's words (boy, cat, hat) from Europarl's (implementation, moreover): which corpus a word
    comes from, not what it means. (The recipe is Mu and Viswanath's, 2018.)
    """
    unit = unit_rows(matrix)
    spread = (unit - unit.mean(axis=0)).astype(np.float64)
    first = np.linalg.eigh(spread.T @ spread)[1][:, -1]
    return Vectors(words, unit_rows(spread - np.outer(spread @ first, first)), name)


def raw(work: Path, language: str) -> Vectors:
    words = (work / f"{language}.vocab").read_text(encoding="utf-8").split()
    return centred(words, np.load(work / f"{language}.npy", allow_pickle=False), language)


def word_pairs(data: Path, work: Path, language: str) -> list[Pair]:
    """The (english, other) pairs of a language, kept in the work folder."""
    path = work / f"lexicon.{language}.tsv"
    if not path.exists():
        found = lexicon(pairs(data, language), language)
        path.write_text("".join(f"{a}\t{b}\n" for a, b in found), encoding="utf-8")
    lines = path.read_text(encoding="utf-8").splitlines()
    return for_alignment([(a, b) for a, b in (line.split("\t") for line in lines)], language)


def one_space(data: Path, work: Path) -> tuple[dict[str, Vectors], dict[str, list[Pair]]]:
    """All languages in the English space, and the pairs each was turned on."""
    english = raw(work, "en")
    spaces, used = {"en": english}, {}
    for language in LANGUAGES[1:]:
        vectors = raw(work, language)
        known = [(a, b) for a, b in word_pairs(data, work, language) if a in english and b in vectors]
        turned = align(vectors, english, tuple((b, a) for a, b in known), refine=REFINE)
        spaces[language], used[language] = turned.apply(vectors), known
    return spaces, used


def write(out: Path, vectors: Vectors, language: str, seldom: list[str]) -> None:
    """8 bits per number with one factor per word, in a safetensors file; the words beside it."""
    scales = (np.abs(vectors.matrix).max(axis=1) / 127).astype("<f4")
    rounded = np.rint(vectors.matrix / scales[:, None]).astype("<i1")
    end = rounded.nbytes
    header = {
        "__metadata__": {"writer": "evenhand", "language": language, "seldom": " ".join(seldom)},
        "scales": {"dtype": "F32", "shape": [len(scales)], "data_offsets": [end, end + scales.nbytes]},
        "vectors": {"dtype": "I8", "shape": list(rounded.shape), "data_offsets": [0, end]},
    }
    told = json.dumps(header).encode()
    told += b" " * (-len(told) % 8)
    content = len(told).to_bytes(8, "little") + told + rounded.tobytes() + scales.tobytes()
    (out / f"pocket.{language}.safetensors").write_bytes(content)
    (out / f"pocket.{language}.vocab").write_text("\n".join(vectors.words) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "src/evenhand_pocket/data/vectors")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    with multiprocessing.Pool(given.processes, maxtasksperchild=1) as pool:
        pool.starmap(train, [(given.data, given.work, language) for language in LANGUAGES], chunksize=1)
    spaces, used = one_space(given.data, given.work)
    given.out.mkdir(parents=True, exist_ok=True)
    for language, vectors in spaces.items():
        counts = np.load(given.work / f"{language}.counts.npy", allow_pickle=False)
        write(
            given.out,
            vectors,
            language,
            [word for word, count in zip(vectors.words, counts, strict=True) if count < SELDOM],
        )
    for language, known in used.items():
        lines = "".join(f"{a}\t{b}\n" for a, b in known)
        (given.out / f"pocket.en-{language}.dictionary.txt").write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    main()
