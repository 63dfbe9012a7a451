# ruff: noqa: T201
"""Names of occupations and persons as short pairs, in both genders equally often.

    python titles.py --lexica ../../../shared/data/lexica --evenhand ../../src/evenhand --mt ../../carry/mt

Sources: ESCO's occupations (labels that name both genders, "Tierarzt/Tierärztin") and Evenhand's own tables of
occupations and of WordNet's person nouns, which cover Russian and Ukrainian too. Out of English an entry is used only
where both a masculine and a feminine form are listed, and each pair of forms is written together, bare and with both
articles where the language has them: neither gender is seen more often. Into English the sources name no gender.
Written as `person.<language>.tsv` (the tables) and `title.<language>.tsv` (ESCO).
"""

from __future__ import annotations

import argparse
import lzma
import re
from collections.abc import Iterator
from pathlib import Path

from nouns import ARTICLES, Noun, definite, indefinite
from prepare import INTO_ENGLISH, OUT_OF_ENGLISH, Pair, key, tidy, write
from widen import unseen

GRAMMAR = {
    "de": "german", "es": "spanish", "fr": "french", "ru": "russian", "it": "italian", "pt": "portuguese",
    "nl": "dutch", "pl": "polish", "cs": "czech", "uk": "ukrainian", "ro": "romanian",
}  # fmt: skip
Forms = tuple[str, str, str]  # English, masculine, feminine
SHORT = 4  # words of an English title
ONE_GENDER = re.compile(r"(man|men|woman|women|boy|girl|lady|maid|ess|wife|husband)$")


def esco(folder: Path, language: str) -> dict[str, tuple[str, list[str]]]:
    """Preferred label and the others, by concept."""
    path = folder / "esco" / f"v1.0.3_occupations_{language}.tsv.xz"
    found = {}
    if path.exists():
        for line in lzma.decompress(path.read_bytes()).decode("utf-8").splitlines()[1:]:
            uri, _, label, others = [*line.split("\t"), "", ""][:4]
            found[uri] = (tidy(label), [tidy(other) for other in others.split("|") if other])
    return found


def both(label: str) -> tuple[str, str] | None:
    """The two forms of "masculine/feminine"; none where the label is not of that shape."""
    parts = [part.strip() for part in label.split("/")]
    if len(parts) != 2 or not all(parts) or parts[0] == parts[1]:
        return None
    masculine, feminine = parts
    alike = len(masculine.split()) == len(feminine.split()) and masculine[:2].lower() == feminine[:2].lower()
    return (masculine, feminine) if alike and not re.search(r"[()\d]", label) else None


def from_esco(folder: Path, language: str) -> Iterator[Forms]:
    english = esco(folder, "en")
    for uri, (label, _) in esco(folder, language).items():
        forms = both(label)
        if forms and uri in english:
            title, others = english[uri]
            # of the other English labels only those that are no longer than the title: the rest are variants of it
            near = [other for other in others if len(other.split()) <= min(2, len(title.split()))][:3]
            if language == "pt":
                forms = (forms[0][0].lower() + forms[0][1:], forms[1][0].lower() + forms[1][1:])
            yield from (
                (name, *forms) for name in [title, *near] if len(name.split()) <= SHORT and not ONE_GENDER.search(name)
            )


def from_tables(folder: Path, language: str) -> Iterator[Forms]:
    """The first form of each gender in Evenhand's tables; a word that names one gender in English is left out."""
    for name in ("occupations.tsv", "persons.tsv"):
        path = folder / "grammar" / GRAMMAR[language] / name
        rows = path.read_text("utf-8").splitlines() if path.exists() else []
        for row in rows:
            cells = row.split("\t")
            if not row.startswith("#") and cells[0] != "concept" and len(cells) >= 3 and cells[1] and cells[2]:
                yield cells[0], cells[2].split("|")[0], cells[1].split("|")[0]


def phrased(forms: Forms, language: str) -> list[Pair]:
    """Both forms bare and, where the language has articles before the noun, with both articles."""
    english = forms[0]
    article = "an" if english[0].lower() in "aeio" else "a"
    pairs = []
    for gender, form in zip("mf", forms[1:], strict=True):
        pairs.append((english, form))
        if language == "nl":
            pairs += [(f"the {english}", f"de {form}"), (f"{article} {english}", f"een {form}")]
        elif language == "ro":
            pairs.append((f"{article} {english}", ("un " if gender == "m" else "o ") + form))
        elif language == "de" and " " in form:  # its adjective would change its ending behind an article
            continue
        elif gender in ARTICLES[language]:
            declined = language == "de" and forms[1] == forms[2] + "r"  # ein Angestellter, der Angestellte
            if declined:
                pairs.append((f"the {english}", ARTICLES["de"][gender][0] + forms[2]))
                pairs.append((f"{article} {english}", ARTICLES["de"][gender][1] + form))
                continue
            noun = Noun(english, form, gender)
            silent = language == "fr" and noun.sound == "h"
            pairs += [] if silent else [(f"the {english}", definite(noun, language))]
            pairs.append((f"{article} {english}", indefinite(noun, language)))
        else:
            pairs += [(f"the {english}", form), (f"{article} {english}", form)]
    return pairs


def into(lexica: Path, evenhand: Path, language: str) -> Iterator[Pair]:
    english, lexicon = esco(lexica, "en"), evenhand / "suites/lexicon"
    for uri, (label, _) in esco(lexica, language).items():
        if uri in english and "/" not in label:
            yield english[uri][0], label
    names = {row.split("\t")[0]: row.split("\t")[1] for row in table(lexicon / "occupations.tsv")}
    for row in table(lexicon / "forms" / f"{language}.tsv"):
        concept, form, *_ = row.split("\t")
        if concept in names:
            yield names[concept], form


def table(path: Path) -> list[str]:
    rows = [row for row in path.read_text("utf-8").splitlines() if row and not row.startswith("#")]
    return rows[1:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lexica", type=Path, required=True)
    parser.add_argument("--evenhand", type=Path, required=True)
    parser.add_argument("--mt", type=Path, required=True)
    arguments = parser.parse_args()
    for language in OUT_OF_ENGLISH:
        known: set[tuple[str, str]] = set()
        for kind, found in (
            ("person", from_tables(arguments.evenhand, language)),
            ("title", from_esco(arguments.lexica, language)),
        ):
            pairs: list[Pair] = []
            for forms in found:
                name = (key(forms[0]), key(forms[1]))
                pairs += phrased(forms, language) if name not in known else []
                known.add(name)
            write(arguments.mt / f"{kind}.{language}.tsv", unseen(pairs, arguments.mt / "heldout"))
            print(f"{language}: {kind} {len(pairs)} pairs, {len(known)} names", pairs[::5000], flush=True)
    for language in INTO_ENGLISH:
        pairs = list(dict.fromkeys(into(arguments.lexica, arguments.evenhand, language)))
        write(arguments.mt / f"title.{language}.tsv", unseen(pairs, arguments.mt / "heldout"))
        print(f"{language}: {len(pairs)} pairs", pairs[::700], flush=True)


if __name__ == "__main__":
    main()
