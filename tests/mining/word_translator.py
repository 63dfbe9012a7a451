"""A program that translates English into Spanish word by word: lines in, as many lines out.

Real and tiny. It knows which nouns it renders as women and which as men, so that a test can say beforehand which pairs
are at risk; what it does not know it leaves as it is.
"""

from __future__ import annotations

import re
import sys

FEMALE = {"nurse": "enfermera", "secretary": "secretaria", "singer": "cantante", "cook": "cocinera"}
MALE = {
    "teacher": "maestro", "doctor": "médico", "engineer": "ingeniero", "lawyer": "abogado", "baker": "panadero",
    "farmer": "granjero", "driver": "conductor", "writer": "escritor", "plumber": "fontanero", "soldier": "soldado",
}  # fmt: skip
FIXED = {"victim": "víctima", "person": "persona"}
OTHER = {
    "works": "trabaja",
    "in": "en",
    "house": "casa",
    "hospital": "hospital",
    "was": "era",
    "and": "y",
    "old": "mayor",
}
ARTICLES = {"the": ("la", "el"), "a": ("una", "un"), "an": ("una", "un")}


def translated(line: str) -> str:
    words = re.findall(r"\w+|[^\w\s]", line)
    out = []
    for i, word in enumerate(words):
        low = word.lower()
        if low in ARTICLES:
            noun = next((w.lower() for w in words[i + 1 : i + 3] if w.lower() in FEMALE | MALE | FIXED), "")
            new = ARTICLES[low][0 if noun in FEMALE | FIXED else 1]
        else:
            new = (FEMALE | MALE | FIXED | OTHER).get(low, low)
        out.append(new.capitalize() if word[:1].isupper() else new)
    return re.sub(r"\s+([.,!?])", r"\1", " ".join(out))


if __name__ == "__main__":
    for raw in sys.stdin:
        sys.stdout.write(translated(raw.rstrip("\n")) + "\n")
