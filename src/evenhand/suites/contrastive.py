"""Contrastive suites: a source with two renderings that differ in one person's gender. Each probe has `feminine` and
`masculine`, and, where known, a focus, an occupation or stereotype, and `gold`, the gender that the source states.
`elsewhere` names the words in which the halves differ otherwise: forms of one word share most of their letters, and
short words (articles, pronouns) may differ freely."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.readers.layout import Column, Layout
from evenhand.readers.registry import read
from evenhand.suites.pronouns.lexicon import occupations
from evenhand.suites.published.gest import TRANSLATED, about
from evenhand.suites.published.mtgeneval import mtgeneval
from evenhand.suites.suite import Suite, designed

HALVES = ("feminine", "masculine")
SOURCES = ("source_feminine", "source_masculine")  # instead of two renderings: one, under two sources
OPEN = ("prefers_feminine", "P_feminine", "log_odds")
STATED = ("contrastive_accuracy", "error_rate_ratio")
SHORT = 5  # letters of a word that may change as a whole (der, elle, degli)
_WORD = re.compile(r"\w+|[^\w\s]")
_STRUCTURE = re.compile(r"\[\[(.*?)\]\]")
_HEAD = re.compile(r"\[(.*?)\]")


def flagged(pairs: pl.DataFrame) -> pl.DataFrame:
    """The pairs with the column `elsewhere`: words in which the halves differ besides the person's gender; and with the
    ISCO-08 code of occupations that our lexicon knows by their English name, for references."""
    if "occupation" in pairs.columns and "isco08" not in pairs.columns:
        codes = dict(occupations().select("english", "isco08").drop_nulls().iter_rows())
        named = pl.col("occupation").str.to_lowercase()
        pairs = pairs.with_columns(isco08=named.replace_strict(codes, default="none", return_dtype=pl.String))
    if "elsewhere" in pairs.columns or HALVES[0] not in pairs.columns:
        return pairs
    odd = [" ".join(differing(*halves)) or None for halves in pairs.select(HALVES).iter_rows()]
    return pairs.with_columns(elsewhere=pl.Series(odd, dtype=pl.String))


def changed(text: str, other: str) -> Iterator[tuple[list[str], list[str]]]:
    """The stretches of words in which two texts differ."""
    words, others = _WORD.findall(text), _WORD.findall(other)
    for tag, a, b, c, d in SequenceMatcher(None, words, others, autojunk=False).get_opcodes():
        if tag != "equal":
            yield words[a:b], others[c:d]


def differing(feminine: str, masculine: str) -> list[str]:
    """Words of the halves that are not two forms of one word."""
    odd: list[str] = []
    for words, others in changed(feminine, masculine):
        left = [word for word in others if len(word) > SHORT]
        for word in (word for word in words if len(word) > SHORT):
            twin = next((other for other in left if _one_word(word, other)), None)
            if twin is not None:
                left.remove(twin)
            elif not any(_one_word(word, other) for other in others):
                odd.append(word)
        odd += [word for word in left if not any(_one_word(word, other) for other in words)]
    return odd


def _one_word(word: str, other: str) -> bool:
    """Whether two words share most of the shorter one's letters, from the start or from the end."""
    a, b = (unicodedata.normalize("NFKD", w.casefold()) for w in (word, other))
    a, b = ("".join(c for c in w if not unicodedata.combining(c)) for w in (a, b))
    shorter = min(len(a), len(b))
    start = next((n for n in range(shorter) if a[n] != b[n]), shorter)
    end = next((n for n in range(shorter - start) if a[-1 - n] != b[-1 - n]), shorter - start)
    return 2 * (start + end) >= shorter


def _language(path: Path, pattern: str, example: str) -> str:
    match = re.search(pattern, path.name)
    if match is None:
        raise BadInput(f"{path}: the file's name does not contain its language; it is called {example}")
    return match[1].lower()


def _texts(*names: str) -> Layout:
    return Layout("pair", tuple(Column(name, required=True, filled=True) for name in names))


def eurogest(path: Path) -> Suite:
    """EuroGEST's first-person pairs: pairs.LL.tsv with id, source, masculine, feminine, stereotype (1 to 16)."""
    language = _language(path, r"\.([a-z]{2})\.", "pairs.de.tsv")

    def make() -> pl.DataFrame:
        table = read(path, replace(TRANSLATED, columns=(*TRANSLATED.columns, *_texts("masculine", "feminine").columns)))
        return flagged(
            table.select(
                id=pl.col("id").cast(pl.String), source="source", source_lang=pl.lit("en"), feminine="feminine",
                masculine="masculine", stereotype=pl.col("stereotype").cast(pl.String), about=about(),
                sentence=pl.col("source").str.to_lowercase(),
            )
        )  # fmt: skip

    return designed("eurogest-pairs", make, language, name=f"eurogest-{language}", targets=(language,))


def gate(path: Path) -> Suite:
    """GATE's sentences with a feminine and a masculine translation: ES_2_variants.tsv."""
    language = _language(path, r"^([A-Z]{2})_", "ES_2_variants.tsv")

    def make() -> pl.DataFrame:
        rows = []
        for n, row in enumerate(read(path, _texts("source", "f", "m", "kw_s")).iter_rows(named=True), start=1):
            head = _HEAD.search(row["kw_s"])
            focus = (head[1] if head else row["kw_s"].partition("=")[0]).strip("() ")
            rows.append(_row(f"gate-{n:04d}", row["source"], focus, row["f"], row["m"]))
        return flagged(pl.DataFrame(rows, infer_schema_length=None))

    return designed("gate", make, language, name=f"gate-{language}")


def alternatives(path: Path) -> Suite:
    """Garg et al. 2024: translations with [[masculine/feminine]]; sentences in which one ambiguous person has them."""
    language = _language(path, r"en-([a-z]{2})", "gate.en-es.tsv")
    structured, further = "translation with gender structures", ("source with headwords", "gender labels of headwords")
    needed = (
        *_texts("id", "source", structured).columns,
        *(Column(n, required=True) for n in (*further, "gender alignments")),
    )

    def make() -> pl.DataFrame:
        rows = []
        for row in read(path, Layout("pair", needed)).iter_rows(named=True):
            heads = {part.partition("-")[0] for part in str(row["gender alignments"] or "").split(",") if part}
            words, labels = _STRUCTURE.findall(row[further[0]] or ""), str(row[further[1]] or "").split(",")
            text = row[structured]
            if len(heads) != 1 or not (number := min(heads)).isdecimal() or int(number) >= min(len(words), len(labels)):
                continue
            if labels[int(number)] != "Amb" or any(part.count("/") != 1 for part in _STRUCTURE.findall(text)):
                continue
            halves = [_STRUCTURE.sub(lambda m, side=side: m[1].split("/")[side], text) for side in (1, 0)]  # type: ignore[misc]
            rows.append(_row(f"alternatives-{row['id']}", row["source"], words[int(number)], *halves))
        if not rows:
            raise BadInput(f"{path}: no sentence with one person whose gender is open")
        return flagged(pl.DataFrame(rows, infer_schema_length=None))

    name = f"gender-alternatives-{path.name.partition('.')[0]}-{language}"
    return designed("gender-alternatives", make, language, name=name, targets=(language,))


def mtgeneval_pairs(path: Path) -> Suite:
    """MT-GenEval's counterfactual sentences: each source with the reference of its gender and that of the other."""
    suite = mtgeneval(path)

    def make() -> pl.DataFrame:
        if "gold" not in suite.probes.columns:
            raise BadInput(f"{path}: only the counterfactual sentences (geneval-sentences-...) state a gender")
        female = pl.col("gold").cast(pl.String) == "female"
        halves = {
            half: pl.when(female == (half == "feminine")).then("reference").otherwise("reference_other")
            for half in HALVES
        }
        return flagged(suite.probes.with_columns(**halves).drop("reference", "reference_other"))

    return designed("mtgeneval-pairs", make, suite.summary, name=f"{suite.name}-pairs", targets=suite.targets)


def _row(name: str, source: str, focus: str, feminine: str, masculine: str) -> dict[str, str | int | None]:
    place = re.search(rf"(?<!\w){re.escape(focus)}(?!\w)", source, re.IGNORECASE) if focus else None
    span = place.span() if place else (None, None)
    halves = {"feminine": feminine, "masculine": masculine, "word": focus.casefold() or None}
    where = {"focus": place[0] if place else None, "focus_start": span[0], "focus_end": span[1]}
    return {"id": name, "source": source, "source_lang": "en", **where, **halves}
