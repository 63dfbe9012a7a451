"""Derive src/evenhand/grammar/*/adjective_stems.tsv: what detection and mending take for an adjective or participle.

    pip install wordfreq==3.1.1; apt-get install hunspell hunspell-{ca,es,fr,it,pt-br,pt-pt}
    python builders/adjectives.py

A stem is taken when all its four forms are words of wordfreq 3.1.1 (rosso, rossa, rossi, rosse). Left out are
infinitives and gerunds with a pronoun (prenderlo, dicendola) and Italian verbs in -isco, which have four forms too,
short stems, stems of verbs whose infinitive is in the list (necesito, necesita: necesitar), and French stems in -e,
whose feminine is a participle without its accent (pensee). For Spanish and French a stem is also taken when its
masculine and its feminine render the same English word in our translation table (`priors.parquet`), which has no
infinitive with this stem, and has both plurals (listos, listas) or no other form of a verb (puedo, pueda, pueden).
Last, a spelling dictionary is asked: a stem of which it has some forms and not the others is no adjective (muestra, but
no muestros; palabra, but no palabro).
wordfreq's data is under CC BY-SA 4.0, and so are these tables; of the dictionaries nothing is in them.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from importlib import import_module
from pathlib import Path

import polars as pl

FOLDER = Path(__file__).resolve().parents[1] / "src" / "evenhand" / "grammar"
WORDFREQ = "wordfreq 3.1.1 (Robyn Speer)"
TABLE = "our translation table (Tatoeba, Europarl)"
FORMS = {
    "italian": ("it", ("o", "a", "i", "e")),
    "portuguese": ("pt", ("o", "a", "os", "as")),
    "spanish": ("es", ("o", "a", "os", "as")),
    "french": ("fr", ("", "e", "s", "es")),
    "catalan": ("ca", ("", "a", "s", "es")),
}
CLITIC = re.compile(r"(?:[aeiáéí]r|[aeiáéí]ndo|mel|tel|sel|cel|vel)l?$|..isc$")  # agisco, agisca
ENCLITIC = re.compile(r"(?:[aeiáéí]rl|ndol|[áéí]\w+al|í)$")  # besarlo, memorízalo; envío
LEAST = 4  # letters of a stem
INFINITIVES = {"it": ("are", "ere", "ire"), "fr": ("er", "ir", "re"), "ca": ("ar", "er", "ir", "re")}
INFINITIVE = {"es": "ar", "fr": "er"}
VERBS = {"es": ("er", "ir", "an", "en", "ando"), "fr": ("ir", "ent", "ons", "ait")}
NOUNS = frozenset({"médecin"})  # of persons; médecine is another word
SPELLING = {
    "it": ("it_IT",), "pt": ("pt_BR", "pt_PT"), "es": ("es_ES",), "fr": ("fr_FR",), "ca": ("ca_ES", "ca"),
}  # fmt: skip
# endings that a paradigm may lack though the word is an adjective: anglais, central; america of american
LACKING = {"fr": {"s"}, "ca": {""}}
REGULAR = re.compile(r"(?:[aiu]t|iv|os|ic)$")  # of Italian stems, whose dictionary lacks many words
RENDERS = 0.06  # probability that both forms render the word with


def frequent(language: str, endings: tuple[str, ...]) -> set[str]:
    """Stems all four forms of which are words."""
    verbs = INFINITIVES.get(language, ("ar", "er", "ir"))
    known = set(import_module("wordfreq").get_frequency_dict(language, "best"))
    candidates = {word.removesuffix(endings[0]) for word in known if word.endswith(endings[0])}
    return {
        stem
        for stem in candidates
        if len(stem) >= LEAST
        and stem.isalpha()
        and not CLITIC.search(stem)
        and all(stem + ending in known for ending in endings)
        and not any(stem + verb in known for verb in verbs)
    }


def rendering(language: str, table: pl.DataFrame, endings: tuple[str, ...]) -> set[str]:
    """Stems whose masculine and feminine render the same word."""
    by_source: dict[str, set[str]] = defaultdict(set)
    for source, target, score in table.iter_rows():
        if score >= RENDERS:
            by_source[source].add(target)
    words = set(table["target"].to_list())
    pairs = (
        target.removesuffix(endings[0])
        for targets in by_source.values()
        for target in targets
        if target.endswith(endings[0]) and target.removesuffix(endings[0]) + endings[1] in targets
    )
    return {
        stem
        for stem in pairs
        if len(stem) >= LEAST
        and stem.isalpha()
        and not ENCLITIC.search(stem)
        and stem + INFINITIVE[language] not in words
        and (
            all(stem + plural in words for plural in endings[2:])
            or not any(stem + verb in words for verb in VERBS[language])
        )
    }


def half_known(language: str, stems: set[str], endings: tuple[str, ...]) -> set[str]:
    """Stems of which the spelling dictionary has some forms and not the others."""
    forms = {stem + ending for stem in stems for ending in endings}
    for dictionary in SPELLING[language]:
        command = ["hunspell", "-i", "utf-8", "-d", dictionary, "-l"]
        found = subprocess.run(command, input="\n".join(sorted(forms)), capture_output=True, text=True, check=True)
        forms &= set(found.stdout.split("\n"))
    lacking = {stem: {ending for ending in endings if stem + ending in forms} for stem in stems}
    odd = {stem for stem, missing in lacking.items() if missing and len(missing) < len(endings)}
    odd = {stem for stem in odd if lacking[stem] != LACKING.get(language)}
    return {stem for stem in odd if language != "it" or not REGULAR.search(stem)}


def main() -> None:
    for name, (language, endings) in FORMS.items():
        found, source = frequent(language, endings), WORDFREQ
        if language in INFINITIVE:
            found |= rendering(language, pl.read_parquet(FOLDER / name / "priors.parquet"), endings)
            source = f"{WORDFREQ} and {TABLE}"
        found -= NOUNS | half_known(language, found, endings)
        stems = sorted(stem for stem in found if language != "fr" or not stem.endswith("e"))
        lines = [" ".join(stems[i : i + 12]) for i in range(0, len(stems), 12)]
        head = [f"# source: derived from {source} by builders/adjectives.py; CC BY-SA 4.0", "stems"]
        (FOLDER / name / "adjective_stems.tsv").write_text("\n".join([*head, *lines]) + "\n", encoding="utf-8")
        sys.stdout.write(f"{name}: {len(stems):,} stems\n")


if __name__ == "__main__":
    main()
