"""Derive src/evenhand/grammar/*/adjective_stems.tsv from the word frequencies of wordfreq 3.1.1 (PyPI).

    pip install wordfreq==3.1.1
    python builders/mend_adjectives.py

A stem is taken for an adjective's or participle's when all its four forms are words of the list (rosso, rossa, rossi,
rosse). Left out are infinitives and gerunds with a pronoun (prenderlo, dicendola), which have four forms too, short
stems, and stems of verbs whose infinitive is in the list (necesito, necesita: necesitar). wordfreq's data is under
CC BY-SA 4.0, and so are these tables.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "src" / "evenhand" / "grammar"
SOURCE = "derived from wordfreq 3.1.1 (Robyn Speer) by builders/mend_adjectives.py; CC BY-SA 4.0"
FORMS = {
    "italian": ("it", ("o", "a", "i", "e")),
    "portuguese": ("pt", ("o", "a", "os", "as")),
    "spanish": ("es", ("o", "a", "os", "as")),
    "french": ("fr", ("", "e", "s", "es")),
    "catalan": ("ca", ("", "a", "s", "es")),
}
CLITIC = re.compile(r"(?:[aeiáéí]r|[aeiáéí]ndo|mel|tel|sel|cel|vel)l?$")
LEAST = 4  # letters of a stem
INFINITIVES = {"it": ("are", "ere", "ire"), "fr": ("er", "ir", "re"), "ca": ("ar", "er", "ir", "re")}


def stems(language: str, endings: tuple[str, ...]) -> list[str]:
    verbs = INFINITIVES.get(language, ("ar", "er", "ir"))
    known = set(import_module("wordfreq").get_frequency_dict(language, "best"))
    first = endings[0]
    candidates = {word.removesuffix(first) for word in known if word.endswith(first)}
    return sorted(
        stem
        for stem in candidates
        if len(stem) >= LEAST
        and stem.isalpha()
        and not CLITIC.search(stem)
        and all(stem + ending in known for ending in endings)
        and not any(stem + verb in known for verb in verbs)
    )


def main() -> None:
    for name, (language, endings) in FORMS.items():
        found = stems(language, endings)
        lines = [" ".join(found[i : i + 12]) for i in range(0, len(found), 12)]
        text = "\n".join([f"# source: {SOURCE}", "stems", *lines]) + "\n"
        (FOLDER / name / "adjective_stems.tsv").write_text(text, encoding="utf-8")
        sys.stdout.write(f"{name}: {len(found):,} stems\n")


if __name__ == "__main__":
    main()
