"""Hungarian, Turkish and Finnish, read as sources: no gender, and endings that follow one another (tanár-ok-kal)."""

from evenhand.grammar.base import Language
from evenhand.grammar.protocol import Kind, Noun, cells
from evenhand.tsv import rows

LAYERS = 4  # endings at most: plural, possessor, case, copula


class Agglutinative(Language):
    """A form is taken back ending by ending; suffixes.tsv lists each once and says which of them make plurals."""

    family = "agglutinative"
    has_articles = False
    compounds_apart = True
    shortest_stem = 2
    dotted = False  # Turkish: capital İ and I are two letters

    def __init__(self) -> None:
        super().__init__()
        table = rows(self.folder / "suffixes.tsv")
        self._plurals = frozenset(row["ending"] for row in table if row["numbers"] == "p")

    def plain(self, text: str) -> str:
        return super().plain(text.replace("İ", "i").replace("I", "ı") if self.dotted else text)

    def stems(self, base: str) -> list[str]:
        return list(self._taken_back(base))[1:]

    def _taken_back(self, base: str) -> dict[str, bool]:
        """Every form that fewer endings leave, and whether one of those taken off makes plurals. No ending is taken
        off twice: nőtt is a verb."""
        found, layer = {base: False}, [(base, "")]
        for _ in range(LAYERS):
            before, layer = layer, []
            for form, last in before:
                for ending, new in self._inflected:
                    stem = form.removesuffix(ending) + new
                    fits = form.endswith(ending) and ending != last and len(stem) >= self.shortest_stem
                    if fits and stem not in found:
                        found[stem] = found[form] or ending in self._plurals
                        layer.append((stem, ending))
        return found

    def modifier(self, low: str) -> int:
        return self.states(low)

    def guess(self, text: str) -> Noun:
        known = self.persons.known
        several = next((plural for form, plural in self._taken_back(self.plain(text)).items() if form in known), False)
        return Noun(cells("fm", "p" if several else "s"), Kind.GUESS)
