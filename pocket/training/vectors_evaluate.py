"""What the shipped word vectors are worth: similarity, word translation, what 8 bits cost, and neighbours to read.

    python vectors_evaluate.py --data ../../../shared/data --work ../../carry/vectors --mt ../../carry/mt

Word translation is measured on words that no alignment pair contained (vectors_lexicon.kept_apart), against the open
dictionaries `prepare.py` gathered, which the vectors never saw; and, for comparison with other work, against MUSE's
(CC BY-NC 4.0: measured with, never trained on).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
from prepare import Pair
from vectors import one_space
from vectors_lexicon import kept_apart
from vectors_text import LANGUAGES

from evenhand.embeddings.alignment import crowding, read_dictionary
from evenhand.embeddings.files import load_vectors
from evenhand.embeddings.utility import read_similarity, similarity, translation
from evenhand.embeddings.vectors import Matrix32, Vectors, WordMatch

SHIPPED = Path(__file__).parents[1] / "src/evenhand_pocket/data/vectors"
IGNORING_CASE = WordMatch(case="ignore")
READ = {
    "en": "woman man doctor nurse teacher president house water bread dog car money war peace law vote green big happy "
    "quickly run eat write budget fisheries climate Monday Germany mother computer",
    "es": "mujer hombre médico enfermera profesora presidente casa agua pan perro coche dinero guerra paz ley voto "
    "verde grande feliz rápidamente correr comer escribir presupuesto pesca clima lunes Alemania madre ordenador",
    "fr": "femme homme médecin infirmière enseignante président maison eau pain chien voiture argent guerre paix loi "
    "vote vert grand heureux rapidement courir manger écrire budget pêche climat lundi Allemagne mère ordinateur",
    "de": "Frau Mann Arzt Krankenschwester Lehrerin Präsident Haus Wasser Brot Hund Auto Geld Krieg Frieden Gesetz "
    "Stimme grün groß glücklich schnell laufen essen schreiben Haushalt Fischerei Klima Montag Deutschland Mutter Bus",
}


def show(*fields: object) -> None:
    """One row of a Markdown table."""
    print("| " + " | ".join(str(field) for field in fields) + " |")  # noqa: T201


def open_pairs(path: Path) -> list[Pair]:
    """Single words of a dictionary."""
    lines = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return [(a, b) for a, b in lines if " " not in a and " " not in b]


def precision(source: Vectors, target: Vectors, pairs: Iterable[Pair], penalty: Matrix32) -> list[str]:
    found = translation(source, target, tuple(pairs), penalty=penalty)
    return [f"{found.precision[1]}", f"{found.precision[5]}", f"{found.covered:,} of {found.asked:,}"]


def translate(language: str, spaces: dict[str, Vectors], mt: Path, data: Path) -> None:
    english, other = spaces["en"], spaces[language]
    into, out = crowding(english.unit, other.unit), crowding(other.unit, english.unit)
    pairs = open_pairs(mt / f"dictionary.{language}.tsv")
    ways = {
        f"en-{language}": (english, other, out, pairs),
        f"{language}-en": (other, english, into, [(b, a) for a, b in pairs]),
    }
    for way, (source, target, penalty, known) in ways.items():
        apart = [pair for pair in known if kept_apart(pair[0])]
        show(way, "open dictionaries, words kept apart", *precision(source, target, apart, penalty))
        muse = data / "eval" / f"muse.{way}.0-5000.txt"
        if muse.exists():
            listed = read_dictionary(muse)
            show(way, "MUSE 0-5000", *precision(source, target, listed, penalty))
            apart = [pair for pair in listed if kept_apart(pair[0])]
            show(way, "MUSE 0-5000, words kept apart", *precision(source, target, apart, penalty))


def neighbours(vectors: Vectors, words: str) -> None:
    for word in words.split():
        row = vectors.row(word)
        if row is None:
            show(word, "not in the vocabulary")
            continue
        cosines = vectors.unit @ vectors.unit[row]
        found = [f"{vectors.words[r]} {cosines[r]:.2f}" for r in np.argsort(-cosines)[:7] if r != row]
        show(word, ", ".join(found[:6]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--data", "--work", "--mt"):
        parser.add_argument(name, type=Path, required=True)
    given = parser.parse_args()
    shipped = {name: load_vectors(SHIPPED / f"pocket.{name}.safetensors", match=IGNORING_CASE) for name in LANGUAGES}
    made = one_space(given.data, given.work)[0]
    full = {name: replace(vectors, match=IGNORING_CASE) for name, vectors in made.items()}
    for title, spaces in (("8 bits, as shipped", shipped), ("before rounding", full)):
        show(title, "Pearson", "Spearman", "covered")
        for name in ("en.test", "en.trial", "es.trial", "de.trial"):
            result = similarity(spaces[name[:2]], read_similarity(given.data / "eval" / f"{name}.txt"))
            show(name, result.pearson, result.spearman, f"{result.covered} of {result.asked}")
        show(title, "against", "P@1", "P@5", "words")
        for language in LANGUAGES[1:]:
            translate(language, spaces, given.mt, given.data)
    for name in LANGUAGES:
        cosine = np.einsum("ij,ij->i", shipped[name].unit, full[name].unit)
        show(name, f"smallest cosine between a vector and its rounded form {cosine.min():.6f}")
    for name, words in READ.items():
        show(name, "nearest")
        neighbours(shipped[name], words)


if __name__ == "__main__":
    main()
