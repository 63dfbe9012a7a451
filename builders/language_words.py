"""Derive src/evenhand/detect/validity/words/*.tsv from the word frequencies of wordfreq 3.1.1 (PyPI).

    pip install wordfreq==3.1.1 msgpack
    python builders/language_words.py [folder of wordfreq's data]

Per language the WORDS most frequent words, by their frequency on Zipf's scale (log10 of occurrences in a billion words,
one decimal): a line a step, the words of a step in alphabetical order. Words are cut as the check cuts texts (runs of
letters: "don't" is don and t, each with its frequency). wordfreq's data is under CC BY-SA 4.0, and so are these tables;
LICENSE.wordfreq beside them says so.
"""

from __future__ import annotations

import gzip
import math
import sys
from collections import Counter, defaultdict
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from evenhand.detect.validity.tongues import FOLDER, WORD, script

LANGUAGES = (
    "ar bg bn ca cs da de el en es fa fi fil fr he hi hu id is it lt lv mk nb nl pl pt ro ru sh sk sl sv ta tr uk ur vi"
).split()
WORDS = 3_000
CYRILLIC = str.maketrans("abvgdđežzijklmnoprstćufhcčš", "абвгдђежзијклмнопрстћуфхцчш")
SOURCE = "derived from wordfreq 3.1.1 (Robyn Speer) by builders/language_words.py; CC BY-SA 4.0, see LICENSE.wordfreq"


def read(path: Path) -> list[list[str]]:
    """wordfreq's format: a header, then the words of 0, -1, -2, ... centibels."""
    msgpack = import_module("msgpack")
    with gzip.open(path) as stream:
        header, *steps = msgpack.unpack(stream, raw=False)
    if header.get("format") != "cB":
        raise SystemExit(f"{path}: not a word list of wordfreq")
    return [[str(word) for word in words] for words in steps]


def frequent(steps: list[list[str]]) -> list[tuple[str, float]]:
    """The WORDS most frequent runs of letters with their Zipf frequency."""
    share: dict[str, float] = defaultdict(float)
    latin = steps_script(steps) == "LATIN"
    for step, words in enumerate(steps):
        for word in words:
            for part in WORD.findall(word.lower()):
                if latin or not part.isascii():  # English words among Hindi or Persian ones
                    share[part] += 10 ** (-step / 100)
        if len(share) > 2 * WORDS:
            break
    ranked = sorted(share.items(), key=lambda item: (-item[1], item[0]))
    return [(word, round(math.log10(value) + 9, 1)) for word, value in ranked[:WORDS]]


def steps_script(steps: list[list[str]]) -> str:
    """The script of most of the hundred most frequent words."""
    first = [word for words in steps for word in words if word.isalpha()][:100]
    return Counter(script(word[0]) for word in first).most_common(1)[0][0]


def cyrillic(word: str) -> str:
    """A Serbian word in its other script."""
    return word.replace("lj", "љ").replace("nj", "њ").replace("dž", "џ").translate(CYRILLIC)


def main() -> None:
    if len(sys.argv) > 1:
        data = Path(sys.argv[1])
    else:
        spec = find_spec("wordfreq")
        if spec is None or spec.origin is None:
            raise SystemExit("wordfreq is not installed: pip install wordfreq==3.1.1 msgpack")
        data = Path(spec.origin).parent / "data"
    out = FOLDER / "words"
    out.mkdir(exist_ok=True)
    for code in LANGUAGES:
        steps: dict[float, list[str]] = defaultdict(list)
        for word, zipf in frequent(read(data / f"small_{code}.msgpack.gz")):
            steps[zipf] += [word, cyrillic(word)] if code == "sh" else [word]
        lines = [f"# source: {SOURCE}", "zipf\twords"]
        lines += [f"{zipf:.1f}\t{' '.join(sorted(words))}" for zipf, words in sorted(steps.items(), reverse=True)]
        (out / f"{code}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
