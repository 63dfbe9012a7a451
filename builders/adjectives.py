"""Derive adjectives with two gender forms from a language's translation table.

    python builders/adjectives.py --language spanish

A word is taken when its masculine and its feminine form both render the same English word (favorito, favorita) and no
verb has the same stem (limpia is also a form of limpiar), because the list serves to tell an adjective after a noun
from a verb. Reads `priors.parquet` of `grammar/<language>/`, writes its `adjectives_derived.tsv`.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import polars as pl

GRAMMAR = Path(__file__).resolve().parents[1] / "src" / "evenhand" / "grammar"
# masculine ending, feminine ending, infinitive ending
ENDINGS = {"spanish": ("o", "a", "ar"), "french": ("", "e", "er")}
LEAST = 0.06


def derive(table: pl.DataFrame, masculine: str, feminine: str, infinitive: str) -> list[str]:
    """Stems, sorted."""
    by_source: dict[str, dict[str, float]] = defaultdict(dict)
    for source, target, score in table.iter_rows():
        by_source[source][target] = score
    words = set(table["target"].to_list())
    stems = set()
    for targets in by_source.values():
        for target, score in targets.items():
            stem = target[: len(target) - len(masculine)]
            if not target.endswith(masculine) or len(stem) < 4 or not target.isalpha() or score < LEAST:
                continue
            if targets.get(stem + feminine, 0.0) >= LEAST and stem + infinitive not in words:
                stems.add(stem)
    return sorted(stems)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", required=True, choices=sorted(ENDINGS))
    language = parser.parse_args().language
    masculine, feminine, infinitive = ENDINGS[language]
    stems = derive(pl.read_parquet(GRAMMAR / language / "priors.parquet"), masculine, feminine, infinitive)
    lines = ["# source: derived by builders/adjectives.py from the translation table (Tatoeba, CC BY 2.0 FR; Europarl)"]
    lines.append("ending\tgenders")
    for ending, gender in ((masculine, "m"), (feminine, "f")):
        lines.append(" ".join(f"={stem}{ending}{plural}" for stem in stems for plural in ("", "s")) + f"\t{gender}")
    out = GRAMMAR / language / "adjectives_derived.tsv"
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
