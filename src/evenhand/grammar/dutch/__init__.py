"""Dutch: de and het show no sex, so the noun's own form decides; forms used of both stay neutral."""

import re
from collections.abc import Iterator

from evenhand.grammar.families.germanic import Germanic
from evenhand.grammar.lexicon import Column, last_part
from evenhand.grammar.protocol import NEUTER, Kind, Noun, Token, cells
from evenhand.grammar.sentence import Link, Sentence, Word

ABSTRACT = re.compile(r".{2,}(?:hei?d|heden|(?<!l)ing|(?<!l)ingen|tie|teit|isme|nis)s?")
PARTICIPLE = re.compile(r"(?:ge|be|ver|ont|her)\w{2,}(?:d|t|en)")
ONE = frozenset({"een", "het", "dit", "dat", "ieder", "elk", "elke", "iedere"})  # only before a singular
COLUMNS = {"f": Column.FEMALE, "m": Column.MALE}
SHORTEST = 5  # letters of a compound's last part: oktober is no ober


class Dutch(Germanic):
    """-ster, -in, -es, -euse, -trice are women; a noun without such a counterpart in use (arts, rechter) is neutral."""

    code = "nl"
    name = "dutch"
    closed = ("singular",)

    def modifier(self, low: str) -> int:
        return self.states(low)  # de vrouwelijke arts

    def guess(self, text: str) -> Noun:
        ending = super().guess(text)
        return ending if ending.kind is Kind.SEXED else last_part(self, text, shortest=SHORTEST) or ending

    def placed(self, tokens: list[Token], at: int) -> Noun | None:
        """A noun that no table has is common where its article is not neuter (de imam, een slappeling), and without an
        article where its ending makes nouns for persons (wij zijn astrologen)."""
        low, after = tokens[at].low, tokens[at + 1].low if at + 1 < len(tokens) else "."
        adjective = after.isalpha() and not self.function_word(after) and self.attributive(tokens, at)
        if adjective or self.function_word(low) or ABSTRACT.fullmatch(low):
            return None
        articles = [self.determiner(tokens[i].low) for i in self.attributes(tokens, at)[0]]
        common = all(mask & ~NEUTER for mask in articles) if articles else any(map(self.agentive, self.lookups(low)))
        return Noun(cells("fm"), Kind.COMMON) if common else None

    def plural(self, low: str) -> bool:
        """True for a form that is no dictionary form and belongs to one that ends without -s or -en."""
        known = self.persons.known
        return low not in known and low.endswith(("s", "en")) and any(form in known for form in self.lookups(low)[1:])

    def determines(self, tokens: list[Token], at: int) -> bool:
        """Not a relative pronoun after a comma, nor the conjunction dat; that needs a preposition or opens."""
        low, before = tokens[at].low, tokens[at - 1].low if at else "."
        if before == "," and low in {"die", "dat"}:
            return False
        opens = not before[0].isalnum() or bool(self.governs(before))
        return super().determines(tokens, at) and (low != "dat" or opens)

    def attributive(self, tokens: list[Token], at: int) -> bool:
        low = tokens[at].low
        closed = self.function_word(low) or self.governs(low) or self.has(low, "subordinator")
        if not low.isalpha() or tokens[at].text[0].isupper() or closed:
            return False
        unlisted = self.noun(low).kind is Kind.GUESS and low not in self.persons.known
        inflected = low.endswith(("e", *self.words_of("uninflected"))) or bool(PARTICIPLE.fullmatch(low))
        return bool(self.modifier(low)) or (unlisted and inflected)

    def surely_attributive(self, tokens: list[Token], at: int) -> bool:
        low = tokens[at].low
        return bool(self.modifier(low)) or (low.endswith("e") and not low.endswith(("de", "te")))

    def attributes(self, tokens: list[Token], head: int) -> tuple[list[int], list[int]]:
        determiners, adjectives = super().attributes(tokens, head)
        if determiners and tokens[determiners[0]].low in ONE and self.plural(tokens[head].low):
            return [], []  # "Het selecteerde drie spelers": it
        return determiners, adjectives

    def inflects(self, low: str) -> bool:
        return not self.has(low, "invariable")

    def beyond(self, sentence: Sentence, at: int, gender: str, number: str) -> Iterator[Link]:
        """The relative pronoun: de man die, het meisje dat."""
        tokens = sentence.tokens
        after = at + 1 + (at + 1 < len(tokens) and tokens[at + 1].low == ",")
        low = tokens[after].low if after + 1 < len(tokens) else ""
        neuter = bool(self.phrase(sentence, at).cells & NEUTER) and self.noun(tokens[at].text).cells & NEUTER
        plain = [i for i in self.attributes(tokens, at)[0] if tokens[i].low in {"het", "dit", "dat"}]
        if (low == "die" and not plain) or (low == "dat" and neuter and plain):
            yield Link(after, "relative", 0.9)

    def inflect(self, word: Token | Word, *, gender: str, number: str = "", case: str = "") -> str | None:
        """Nouns for persons in the singular, where the lexicon has one form of each gender for the same concept."""
        other = {"f": Column.MALE, "m": Column.FEMALE}.get(gender, 0)
        if number == "p" or not self.persons.known.get(word.low, 0) & other:
            return None
        for concept in self.persons.concepts.values():
            if concept.single.get(word.low, 0) & other:
                found = [form for form, column in concept.single.items() if column == COLUMNS[gender]]
                alike = [form for form in found if form[:3] == word.low[:3]]
                if alike:
                    return alike[0]
        return None
