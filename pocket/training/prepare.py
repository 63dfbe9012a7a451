"""Gather the training text: cleaned, split, deduplicated, with the dictionaries of the languages into English.

    python prepare.py --data ../../../shared/data --out ../../carry/mt

Writes `<corpus>.<language>.tsv` (english TAB other), the held-out `heldout/{dev,test}.<language>.tsv`, `mono.en.txt`
(English prompts to translate back) and `counts.tsv`.
Everything is seeded; the same inputs give the same files. Afterwards: widen.py, titles.py, related.py, grow.py.
"""

from __future__ import annotations

import argparse
import lzma
import random
import re
from collections import Counter, defaultdict
from pathlib import Path

import dictionaries
import sources

CODES = {"de": "deu", "es": "spa", "fr": "fra", "ru": "rus", "hu": "hun", "fi": "fin", "tr": "tur"}
# Came with the second training, which starts from the first one's models: (code, test and development sentences).
LATER = {
    "it": ("ita", 600, 100), "pt": ("por", 600, 100), "nl": ("nld", 500, 100), "pl": ("pol", 800, 100),
    "cs": ("ces", 500, 100), "uk": ("ukr", 500, 100), "ro": ("ron", 400, 100), "ja": ("jpn", 500, 100),
    "id": ("ind", 400, 80), "fa": ("fas", 300, 60), "et": ("est", 200, 50),
}  # fmt: skip
CODE = CODES | {language: row[0] for language, row in LATER.items()}
INTO_ENGLISH = ("hu", "fi", "tr", "ja", "id", "fa", "et")
OUT_OF_ENGLISH = tuple(language for language in CODE if language not in INTO_ENGLISH)
TEST, DEV, SEED = 1000, 150, 20261115
EUROPARL_PAIRS, EUROPARL_WORDS = 120_000, 22  # of these, as many as may travel: carry.py
COMMAS = str.maketrans("ţşŢŞ", "țșȚȘ")  # Romanian is written with commas, not cedillas
Pair = tuple[str, str]


def tidy(text: str) -> str:
    """Plain spaces and apostrophes; text decoded twice by mistake ("nÃ¤hnyt") is repaired."""
    if re.search("[ÃÄÅ][\x80-\xbf\u2018-\u203a\u0152-\u0192]", text):
        for codec in ("cp1252", "latin-1"):
            try:
                text = text.encode(codec).decode("utf-8")
                break
            except UnicodeError:
                continue
    return re.sub(r"\s+", " ", text.replace("’", "'").replace("\u00ad", "").replace("\ufeff", "")).strip()


def key(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text.lower()).strip()


def read(path: Path) -> list[Pair]:
    pairs = []
    for line in lzma.decompress(path.read_bytes()).decode("utf-8").split("\n"):
        parts = line.split("\t")
        if len(parts) >= 2 and (pair := (tidy(parts[0]), tidy(parts[1]))) and all(pair):
            pairs.append(pair)
    return list(dict.fromkeys(pairs))


def read_pairs(path: Path, limit: int | None = None) -> tuple[list[str], list[str]]:
    """English and other sides of a file that `write` made."""
    rows = [line.split("\t") for line in path.read_text("utf-8").split("\n")[:limit] if line]
    return [row[0] for row in rows], [row[1] for row in rows]


def write(path: Path, pairs: list[Pair]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{english}\t{other}\n" for english, other in pairs), encoding="utf-8")


class Heldout:
    """Test and development sentences, drawn before anything else, and what they forbid the training text to hold."""

    def __init__(self, out: Path) -> None:
        self.out, self.english = out / "heldout", set[str]()
        self.other: dict[str, set[str]] = {}

    def keep(self, language: str, drawn: list[Pair], test: int) -> None:
        write(self.out / f"test.{language}.tsv", drawn[:test])
        write(self.out / f"dev.{language}.tsv", drawn[test:])
        self.english |= {key(pair[0]) for pair in drawn}
        self.other[language] = {key(pair[1]) for pair in drawn}

    def without(self, language: str, pairs: list[Pair]) -> list[Pair]:
        """Pairs whose English is in no language's held-out set and whose other side is not in its own."""
        mine = self.other.get(language, set())
        return [p for p in pairs if key(p[0]) not in self.english and key(p[1]) not in mine]


def tatoeba(folder: Path, held: Heldout) -> dict[str, list[Pair]]:
    """Training pairs by language, after the test and development sentences were set apart.

    The first languages' held-out sentences are those of the first training. The later languages' English held-out
    sentences are drawn from those that are in no earlier training pair of any language, since the models that training
    starts from have seen those: no model sees a test sentence on either side.
    """
    everything = {language: read(folder / f"tatoeba.eng-{code}.train.tsv.xz") for language, code in CODE.items()}
    rng = random.Random(SEED)
    for language in CODES:
        test = 600 if language == "tr" else TEST
        held.keep(language, rng.sample(everything[language], test + DEV), test)
    seen = {key(pair[0]) for language in CODES for pair in everything[language]}
    for language, (_, test, development) in LATER.items():
        fresh = [pair for pair in everything[language] if key(pair[0]) not in seen]
        held.keep(language, rng.sample(fresh, test + development), test)
    kept = {language: held.without(language, pairs) for language, pairs in everything.items()}
    kept["ro"] = [(english, other.translate(COMMAS)) for english, other in kept["ro"]]
    return kept


def europarl(folder: Path, language: str) -> list[Pair]:
    rng = random.Random(SEED)
    good = []
    for english, other in read(folder / f"europarl.en-{language}.250k.tsv.xz"):
        words, others = len(english.split()), len(other.split())
        if 4 <= words <= EUROPARL_WORDS and 0.5 <= others / words <= 2 and not re.search(r"\d{4}/|\(|;$", english):
            good.append((english, other))
    return rng.sample(good, min(EUROPARL_PAIRS, len(good)))


def turned(pairs: list[Pair]) -> list[Pair]:
    return [(b, a) for a, b in pairs]


def freedict(name: str, attested: dict[str, set[str]]) -> list[Pair]:
    """The pairs of one FreeDict file, none where it is not installed; of a glued one only words seen elsewhere."""
    if not (dictionaries.DICTD / f"freedict-{name}.index").exists():
        return []
    first, second = name.split("-")
    pairs = dictionaries.freedict(name)
    if name not in dictionaries.GLUED:
        return pairs

    def seen(word: str, known: set[str] | None) -> bool:
        return known is None or " " in word or word.lower() in known

    return [(a, b) for a, b in pairs if seen(b, attested.get(second)) and seen(a, attested.get(first))]


def lexicons(attested: dict[str, set[str]]) -> dict[str, list[Pair]]:
    """(english, other) pairs of the dictionaries that list both languages; widen.py ranks and adds."""
    result: dict[str, list[Pair]] = {}
    for language, code in CODE.items():
        pairs = freedict(f"eng-{code}", attested) + turned(freedict(f"{code}-eng", attested))
        if code == "deu":
            pairs = dictionaries.ding()
        if code == "rus":
            pairs += sources.mueller()
        if code == "hun":  # this file writes ő and ű as ô and û
            pairs = [(a, b.translate(str.maketrans("ôûÔÛõũ", "őűŐŰőű"))) for a, b in pairs]
        if code == "jpn":
            pairs += sources.edict()
        result[language] = sorted({(tidy(a), tidy(b)) for a, b in pairs if a and b})
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    out, folder = arguments.out, arguments.data / "parallel"
    held = Heldout(out)
    pairs = tatoeba(folder, held)
    speech = {language: held.without(language, europarl(folder, language)) for language in ("de", "es", "fr")}
    attested: dict[str, set[str]] = defaultdict(set)
    for corpora in (pairs, speech):
        for language, corpus in corpora.items():
            for english, other in corpus:
                attested["eng"].update(re.findall(r"[^\W\d_]+", english.lower()))
                attested[CODE[language]].update(re.findall(r"[^\W\d_]+", other.lower()))
    words = {language: held.without(language, listed) for language, listed in lexicons(attested).items()}
    prompts = (
        lzma.decompress((arguments.data / "mono/common-voice.en.txt.xz").read_bytes()).decode("utf-8").splitlines()
    )
    fresh = [text for text in dict.fromkeys(map(tidy, prompts)) if key(text) not in held.english and len(text) < 200]
    (out / "mono.en.txt").write_text("\n".join(fresh), encoding="utf-8")
    counts: Counter[str] = Counter()
    for name, by_language in (("tatoeba", pairs), ("europarl", speech), ("dictionary", words)):
        for language, rows in by_language.items():
            write(out / f"{name}.{language}.tsv", rows)
            counts[f"{name}\t{language}"] = len(rows)
    (out / "counts.tsv").write_text("corpus\tlanguage\tpairs\n" + "".join(f"{k}\t{n}\n" for k, n in counts.items()))


if __name__ == "__main__":
    main()
