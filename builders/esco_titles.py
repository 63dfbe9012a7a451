"""ESCO's occupations in languages with one word for she and he, for the suites occupations-esco-*.

    python builders/esco_titles.py --data ../shared/data [--read 200]

A title is left out where it lists things after a comma, names two titles, or names a gender (spelling.tsv). `--read`
prints a sample to judge instead of writing.
"""

from __future__ import annotations

import argparse
import csv
import lzma
import random
import re
import sys
from pathlib import Path

from evenhand import tsv

LEXICON = Path(__file__).resolve().parents[1] / "src" / "evenhand" / "suites" / "lexicon"
LANGUAGES = ("hu", "fi", "et")
HEAD = (
    "# source: ESCO v1.0.3, occupations (European Commission), preferred labels; derived by builders/esco_titles.py\n"
    "# licence: CC BY 4.0. This service uses the ESCO classification of the European Commission\n"
    "# isco08: unit group as ESCO states it; titles that list things, name two titles or a gender are left out\n"
)
# "férfi szabó" is a tailor for men, or a man; "a légierő tisztje" has its article
UNFIT = re.compile(r"[,;/()\[\]]|\b(vagy|tai|või|férfi|női)\b|^az? ")


def labels(data: Path, language: str) -> dict[str, tuple[str, str]]:
    """By concept the ISCO-08 group and the preferred label."""
    path = data / "lexica" / "esco" / f"v1.0.3_occupations_{language}.tsv.xz"
    with lzma.open(path, "rt", encoding="utf-8") as stream:
        rows = csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {row["conceptUri"]: (row["iscoGroup"], " ".join(row["preferredLabel"].split())) for row in rows}


def usable(label: str, gendered: str) -> str:
    """The label, or nothing where it is no plain title of one occupation."""
    unfit = UNFIT.search(label) or re.search(gendered, label.lower()) or len(label.split()) > 6
    return "" if unfit else label


def titles(data: Path) -> list[dict[str, str]]:
    """One row per occupation that some language has."""
    rule = {row["language"]: row["gendered"] for row in tsv.rows(LEXICON / "spelling.tsv")}
    english, others = labels(data, "en"), {language: labels(data, language) for language in LANGUAGES}
    rows = []
    for concept, (isco, title) in english.items():
        forms = {language: usable(others[language][concept][1], rule[language]) for language in LANGUAGES}
        name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
        if any(forms.values()):
            rows.append({"concept": name, "english": title, "isco08": isco, **forms})
    return sorted(rows, key=lambda row: (row["isco08"], row["concept"]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--read", type=int, default=0)
    given = parser.parse_args()
    rows = titles(given.data)
    if given.read:
        rows = random.Random(0).sample(rows, given.read)
    lines = ["\t".join(rows[0]), *("\t".join(row.values()) for row in rows)]
    if given.read:
        sys.stdout.write("\n".join(lines) + "\n")
    else:
        (LEXICON / "esco.tsv").write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
