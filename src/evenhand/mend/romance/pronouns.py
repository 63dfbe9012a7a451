"""A person named by a pronoun alone (those, all, one of them), in the languages whose folder has a table of them:
`pronoun_heads.tsv`: english (words), masculine, feminine (their renderings)."""

from evenhand.gender import Gender
from evenhand.grammar.families.romance import Romance
from evenhand.grammar.protocol import Token
from evenhand.mend.rewriting import Named
from evenhand.tsv import rows

PLURALS = frozenset("les ces des nos vos leurs mes tes ses".split())
ALWAYS = frozenset("ils elles eux ceux celles celui celle chacun chacune".split())
SINGLE = frozenset("un une celui celle chacun chacune aucun aucune".split())


class PronounHeads:
    """Finds the pronoun that renders an English one; empty for languages without a table."""

    def __init__(self, language: Romance) -> None:
        self.language = language
        self._words: dict[str, dict[str, Gender]] = {}
        for row in rows(language.folder / "pronoun_heads.tsv"):
            for english in row["english"].split():
                known = self._words.setdefault(english, {})
                for side, gender in (("masculine", Gender.MALE), ("feminine", Gender.FEMALE)):
                    known.update((word, gender) for word in row[side].split())

    def spot(self, focus: str, tokens: list[Token]) -> Named | None:
        """None where no word, or words of both genders, may render the focus, or where another noun in the plural
        stands before "they" that it may mean."""
        forms = self._words.get(focus.casefold(), {})
        places = [i for i, token in enumerate(tokens) if token.low in forms and self._alone(tokens, i)]
        genders = {forms[tokens[i].low] for i in places}
        if len(genders) != 1 or len({tokens[i].low for i in places}) != 1:
            return None
        low = tokens[places[0]].low
        if low in {"ils", "elles", "eux"} and any(token.low in PLURALS for token in tokens[: places[0]]):
            return None
        return Named(places[0], genders.pop(), low not in SINGLE)

    def _alone(self, tokens: list[Token], at: int) -> bool:
        """No article of a noun that follows: tous, tous les deux; not tous les invités."""
        low = tokens[at].low
        after, second = ([token.low for token in tokens[at + 1 : at + 3]] + [".", "."])[:2]
        if low in ALWAYS or after == "les":
            return after != "les" or second in {"deux", "trois", "quatre"}
        if low in {"un", "une"}:
            return after in {"de", "d'", "des", "."}
        return (self.language.function_word(after) or not after[0].isalpha()) and not self.language.determiner(after)
