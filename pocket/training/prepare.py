"""Gather the training data: cleaned, split, deduplicated, with the dictionaries; then the vocabularies.

    python prepare.py --data ../../../shared/data --out ../../carry/mt

Writes `<corpus>.<language>.tsv` (english TAB other), the held-out `heldout/{dev,test}.<language>.tsv`, `out.model`
(English into German, Spanish, French, Russian), `into.model` (Hungarian, Finnish, Turkish into English) and
`counts.tsv`. Everything is seeded; the same inputs give the same files. A vocabulary that is there already is kept.
"""

from __future__ import annotations

import argparse
import lzma
import random
import re
from collections import Counter, defaultdict
from collections.abc import Collection
from pathlib import Path

import dictionaries
import sentencepiece

CODES = {"de": "deu", "es": "spa", "fr": "fra", "ru": "rus", "hu": "hun", "fi": "fin", "tr": "tur"}
OUT_OF_ENGLISH, INTO_ENGLISH = ("de", "es", "fr", "ru"), ("hu", "fi", "tr")
PIVOTS = ("deu", "fin", "ell", "pol", "nld", "swe", "ita", "por", "spa", "fra")
WIDENED = ("spa", "fra", "rus")  # have too few pairs with English; more come by way of other languages
TEST, DEV, SEED = 1000, 150, 20261115
EUROPARL_PAIRS, EUROPARL_WORDS = 120_000, 22
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


def write(path: Path, pairs: list[Pair]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{english}\t{other}\n" for english, other in pairs), encoding="utf-8")


def tatoeba(folder: Path, out: Path) -> dict[str, list[Pair]]:
    """Training pairs by language, after the test and development sentences were set apart.

    A training pair is dropped when its English sentence is in any held-out set of any language, or its other side in
    its own language's: no model sees a test sentence on either side.
    """
    rng = random.Random(SEED)
    everything = {language: read(folder / f"tatoeba.eng-{code}.train.tsv.xz") for language, code in CODES.items()}
    english: set[str] = set()
    other: dict[str, set[str]] = {}
    for language, pairs in everything.items():
        test = 600 if language == "tr" else TEST
        drawn = rng.sample(pairs, test + DEV)
        write(out / "heldout" / f"test.{language}.tsv", drawn[:test])
        write(out / "heldout" / f"dev.{language}.tsv", drawn[test:])
        english |= {key(pair[0]) for pair in drawn}
        other[language] = {key(pair[1]) for pair in drawn}
    return {
        language: [p for p in pairs if key(p[0]) not in english and key(p[1]) not in other[language]]
        for language, pairs in everything.items()
    }


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


def vouch(attested: dict[str, set[str]], ding: list[Pair]) -> None:
    """Add to the attested words Ding's English, and WikDict headwords and translations, for the older files."""
    for word, _ in ding:
        attested["eng"].update(word.lower().split())
    for code in WIDENED:
        for partner in (p for p in PIVOTS if p != "nld"):  # the Dutch files give some explanations in Dutch
            for name, side in ((f"{partner}-{code}", 1), (f"{code}-{partner}", 0)):
                if name not in dictionaries.GLUED:
                    attested[code].update(pair[side].lower() for pair in freedict(name, attested))


def between(code: str, others: Collection[str], attested: dict[str, set[str]]) -> dict[str, list[Pair]]:
    """Pairs (word of `code`, word of the other language) by the other language, from the files of both directions."""
    return {
        other: turned(freedict(f"{other}-{code}", attested)) + freedict(f"{code}-{other}", attested) for other in others
    }


def lexicons(attested: dict[str, set[str]]) -> dict[str, list[Pair]]:
    """(english, other) dictionary pairs by language; `attested`: words seen elsewhere, by three-letter code."""
    ding = dictionaries.ding()
    vouch(attested, ding)
    direct = between("eng", {*PIVOTS, *CODES.values()} - {"deu"}, attested)
    direct["deu"] = ding
    singles = sorted({word for word in attested["eng"] if re.fullmatch(r"[a-z][a-z'-]+", word)})
    direct["spa"] += dictionaries.apertium_spanish(singles)
    spanish = sorted({word for _, word in direct["spa"] if re.fullmatch(r"[^\W\d_]+", word)})
    through_spanish = dictionaries.apertium_french(spanish)
    near, result = dictionaries.synonyms(), {}
    for language, code in CODES.items():
        pairs = list(direct[code])
        if code in WIDENED:
            others = [p for p in PIVOTS if p != code]
            onward = {p: turned(listed) for p, listed in between(code, others, attested).items()}
            if code == "fra":
                onward["spa"] += through_spanish
            pairs += pivoted(pairs, {p: direct[p] for p in others}, onward, attested[code])
            pairs += dictionaries.lend(pairs, near)
        result[language] = tidied(pairs, code)
    return result


def tidied(pairs: list[Pair], code: str) -> list[Pair]:
    if code == "hun":  # this file writes ő and ű as ô and û
        pairs = [(a, b.translate(str.maketrans("ôûÔÛõũ", "őűŐŰőű"))) for a, b in pairs]
    return sorted({(tidy(a), tidy(b)) for a, b in pairs if a and b})


def pivoted(
    pairs: list[Pair], direct: dict[str, list[Pair]], onward: dict[str, list[Pair]], attested: set[str]
) -> list[Pair]:
    """Pairs by way of other languages: of words that have none yet or are one word, and only into attested words."""
    known = {word for word, _ in pairs}
    extra = [pair for pair in dictionaries.pivot(direct, onward) if pair[0] not in known or len(pair[0].split()) == 1]
    return [(a, b) for a, b in extra if b.lower() in attested or set(b.lower().split()) <= attested]


def vocabulary(path: Path, texts: list[str], size: int, symbols: list[str]) -> None:
    if path.with_suffix(".model").exists():
        return
    sample = path.with_suffix(".txt")
    random.Random(SEED).shuffle(texts)
    sample.write_text("\n".join(texts), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(sample), model_prefix=str(path), vocab_size=size, model_type="unigram", character_coverage=0.9998,
        byte_fallback=True, user_defined_symbols=symbols, normalization_rule_name="identity", pad_id=3,
        input_sentence_size=700_000, shuffle_input_sentence=True, num_threads=2, minloglevel=1,
    )  # fmt: skip
    sample.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    out, folder = arguments.out, arguments.data / "parallel"
    pairs = tatoeba(folder, out)
    speech = {language: europarl(folder, language) for language in ("de", "es", "fr")}
    attested: dict[str, set[str]] = defaultdict(set)
    for corpora in (pairs, speech):
        for language, corpus in corpora.items():
            for english, other in corpus:
                attested["eng"].update(re.findall(r"[^\W\d_]+", english.lower()))
                attested[CODES[language]].update(re.findall(r"[^\W\d_]+", other.lower()))
    words = lexicons(attested)
    counts: Counter[str] = Counter()
    for name, by_language in (("tatoeba", pairs), ("europarl", speech), ("dictionary", words)):
        for language, rows in by_language.items():
            write(out / f"{name}.{language}.tsv", rows)
            counts[f"{name}\t{language}"] = len(rows)
    (out / "counts.tsv").write_text("corpus\tlanguage\tpairs\n" + "".join(f"{k}\t{n}\n" for k, n in counts.items()))
    rng = random.Random(SEED)

    def some(rows: list[Pair], side: int, limit: int) -> list[str]:
        return [pair[side] for pair in (rng.sample(rows, limit) if len(rows) > limit else rows)]

    texts = []
    for language in OUT_OF_ENGLISH:
        texts += some(pairs[language], 1, 90_000) + some(pairs[language], 0, 40_000) + some(words[language], 1, 60_000)
        texts += some(speech.get(language, []), 1, 20_000) + some(speech.get(language, []), 0, 10_000)
    texts += some(words["de"], 0, 60_000)
    vocabulary(out / "out", texts, 18_000, [f">>{language}<<" for language in OUT_OF_ENGLISH])
    texts = []
    for language in INTO_ENGLISH:
        texts += some(pairs[language], 1, 80_000) + some(pairs[language], 0, 60_000)
        texts += some(words[language], 1, 60_000) + some(words[language], 0, 20_000)
    for language in ("de", "es", "fr"):
        texts += some(pairs[language], 0, 20_000) + some(pairs[language], 1, 25_000)
    vocabulary(out / "into", texts, 14_000, ["<bt>", *(f">>{language}<<" for language in INTO_ENGLISH)])


if __name__ == "__main__":
    main()
