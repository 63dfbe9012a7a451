"""Questions about single words of a Romance sentence, seen from one noun for a person: have they its gender, its
number?"""

from __future__ import annotations

import re

from evenhand.gender import Gender
from evenhand.grammar.lexicon import Column, Forms
from evenhand.grammar.protocol import FEMININE, MASCULINE, PLURAL, SINGULAR, Kind
from evenhand.mend.rewriting import Task
from evenhand.mend.roles import NOT_SAID, Roles, told

CELLS = {Gender.FEMALE: FEMININE, Gender.MALE: MASCULINE}
COLUMNS = {Gender.FEMALE: Column.FEMALE, Gender.MALE: Column.MALE}
PERSON = Column.FEMALE | Column.MALE
FRENCH_S = re.compile(r"(?:[^l]eux|oux|faux|[^l]ois|[^aeiou]ais)$")  # one masculine form for singular and plural
CLITIC = re.compile(r"(?:[áéí]ndo|[aei]r|[áéí])-?(?:me|te|se|l[aoei]s?)$")  # investigándolo, reconstruí-lo
ENCLITIC = re.compile(r"-(?:je|tu|ils?|elles?|on|nous|vous|ce|moi|toi|lui|leur|les?|la|y|en)$")
LITTLE = frozenset({"po'", "po", "poco", "peu", "pouco", "mica"})
STRICT = frozenset({"it", "ca"})  # where endings alone mislead: addirittura, música
CATALAN_S = ("ès", "és", "ós", "às", "ís", "ús")  # singulars: francès, famós
SINGULAR_S = frozenset("ros gras gros rus fals dispers pervers ras llis gris pres".split())


class View:
    """The words of one sentence as one noun sees them; every question is about a token's index."""

    def __init__(self, roles: Roles, forms: Forms, task: Task, head: int) -> None:
        self.roles, self.language, self.forms, self.tokens = roles, roles.language, forms, task.tokens
        self.head, self.cells, self.column = head, CELLS[task.before], COLUMNS[task.before]
        self.masculine, self.source = task.before is Gender.MALE, task.source
        self.heads, self.others = frozenset(task.heads), task.others
        self.plural = self._plural(task.plural)

    def low(self, at: int) -> str:
        """The word, or a stop beyond the sentence's end."""
        return self.tokens[at].low if 0 <= at < len(self.tokens) else "."

    def of(self, at: int) -> int:
        """Cells of a determiner, adjective or participle; 0 for other words."""
        low = self.tokens[at].low
        if ENCLITIC.search(low) or (low == "un" and self.low(at + 1) == "peu"):
            return 0  # as-tu, un peu
        if self.roles.has(low, "auxiliary"):
            return FEMININE if low in {"stata", "state"} or low.endswith(("ue", "ues", "ée", "ées")) else MASCULINE
        if (
            self.language.code == "ca"
            and low == "en"
            and not self.tokens[min(at + 1, len(self.tokens) - 1)].text.istitle()
        ):
            return 0  # confia en l'advocat; en Joan
        if self.language.code == "ca" and low == "nou" and not self.plural:
            return self.roles.modifier(low)  # el nou professor, nou professors
        return self.language.determiner(low) or self.roles.modifier(low)

    def told(self, at: int) -> bool:
        """Shows the noun's gender, and only that, in the noun's number."""
        cells = self.of(at)
        return bool(cells & self.cells) and told(cells) and self.numbered(at)

    def loose(self, at: int) -> bool:
        """The same by its ending alone, for places where hardly anything but an adjective stands."""
        low = self.tokens[at].low
        if len(low) < 4 or not low.isalpha() or self.language.function_word(low) or self.language.determiner(low):
            return False
        if self.roles.predicate(low):
            return bool(self.roles.predicate(low) & self.cells) and self.numbered(at)
        if (
            (self.roles.has(low, "verb_too") and self.language.code != "fr")  # elle était prête
            or self.language.verb(low)
            or CLITIC.search(low)
            or self.language.noun(low).kind in NOT_SAID
        ):
            return False
        cells = self.roles.modifier(low) if self.language.code in STRICT else self.language.predicative(low)
        return bool(cells & self.cells) and told(cells) and self.numbered(at)

    def person(self, at: int) -> bool:
        """A noun that names a person of this gender, and of no other, in this number."""
        token = self.tokens[at]
        if self.language.function_word(token.low) or not self.numbered(at):
            return False
        return self.names(at) == self.column or self._by_ending(token.low) == self.column

    def _by_ending(self, low: str) -> int:
        """professionisti, professioniste: the plural of a noun for both shows what its singular in -a does not."""
        if self.language.code != "it" or self.forms.known.get(f"{low[:-1]}a", 0) & PERSON != PERSON:
            return 0
        return {"i": Column.MALE, "e": Column.FEMALE}.get(low[-1], 0)

    def names(self, at: int) -> int:
        """The columns of our tables, female and male, in which the word stands: 0 where it names no person."""
        known = 0
        infinitive = (
            self.language.code == "fr" and self.low(at).endswith("er") and self.roles.has(self.low(at - 1), "modal")
        )
        if self.language.perfect(self.low(at - 1)) or self._said(at) or infinitive:
            return known  # je l'ai invité; il était incompétent; peut supporter
        forms = self.language.lookups(self.tokens[at].text)
        if self.language.code == "it" and self.low(at).endswith("ore"):
            forms = forms[:1]  # direttore, not several women of whom one is a direttora
        for form in forms:
            known |= self.forms.known.get(form, 0)
        return known & PERSON

    def _said(self, at: int) -> bool:
        """A French adjective after a linking verb, though it may be a noun elsewhere."""
        before = at - 1
        while before > 0 and self.adverbial(before):
            before -= 1
        linked = self.language.code == "fr" and self.roles.links(self.low(before))
        return linked and at != self.head and bool(self.roles.modifier(self.low(at)))

    def rival(self, at: int) -> bool:
        """Somebody else of this gender may be meant: a noun for persons whose article does not say the other one."""
        if not self.names(at) & self.column:
            return False
        cells = self.language.determiner(self.low(at - 1))
        return not (told(cells) and not cells & self.cells)

    def common(self, at: int) -> bool:
        """A noun for a person of either gender, in this number."""
        text = self.tokens[at].text
        return self.language.noun(text).kind is Kind.COMMON and self.numbered(at) and bool(self.names(at))

    def numbered(self, at: int) -> bool:
        """Of the noun's number, by the ending."""
        low = self.tokens[at].low
        if (
            self.language.code == "fr"
            and self.masculine
            and (FRENCH_S.search(low) or self.roles.has(low, "both_numbers"))
        ):
            return True
        if self.language.code == "ca":
            if low == "ambdós":
                return self.plural
            return (low.endswith("s") and not low.endswith(CATALAN_S) and low not in SINGULAR_S) == self.plural
        if self.language.code != "it":
            return low.endswith(("s", "x")) == self.plural
        return low[-1] in ("ie" if self.plural else "oae'lnm")

    def adverbial(self, at: int) -> bool:
        low = self.tokens[at].low
        if low in LITTLE or low in {"'", "’"} or (low in {"un", "um", "una"} and self.low(at + 1) in LITTLE):
            return True
        if low == "solo" and self.masculine and not self.low(at + 1)[0].isalnum():
            return False  # morì solo
        if low == "prima" and (self.roles.has(self.low(at + 1), "contracted") or self.low(at + 1) in {"di", "che"}):
            return True
        if low == "le" and self.low(at + 1) in {"plus", "moins", "mieux"} and self.low(at + 2).endswith("ment"):
            return True  # le plus probablement
        return self.language.adverb(low) or low.endswith(("mente", "ment")) or self.roles.has(low, "adverb")

    def floating(self, at: int) -> bool:
        """tous without a noun of its own: not "à tous les niveaux"."""
        after = self.low(at + 1)
        single = self.low(at) in {"tout", "toute"}
        if self.language.determiner(after) or (single and not self.roles.links(self.low(at - 1))):
            return False  # à tous les niveaux, mettra tout en œuvre
        if single and (self.adverbial(at + 1) or not after[0].isalpha()):
            return False  # est tout particulièrement
        return self.roles.has(self.low(at), "floating") and self.told(at)

    def when(self, at: int) -> bool:
        """elegida última setmana: a word that says when."""
        first = self.roles.has(self.low(at), "ordinal") and self.roles.has(self.low(at + 1), "time")
        return first or self.roles.has(self.low(at), "time")

    def past_as(self, at: int) -> int:
        """Past the word for as: com a voluntària"""
        return at + 1 + (self.language.code == "ca" and self.low(at + 1) == "a")

    def past_adverbs(self, at: int) -> int:
        """The next place that holds no adverb."""
        while at < len(self.tokens) and self.adverbial(at):
            at += 1
        return at

    def subject(self, at: int) -> bool:
        """The article of a noun phrase of this gender and number that no preposition governs."""
        cells = self.language.determiner(self.tokens[at].low)
        number = PLURAL if self.plural else SINGULAR
        return bool(cells & self.cells & number) and not self.governed(at)

    def governed(self, first: int) -> bool:
        """True when the phrase that begins here stands after a preposition or begins with a contracted one."""
        low = self.tokens[first].low
        contracted = self.roles.has(low, "contracted") or (low == "des" and self._owned(first))
        return contracted or self.as_such(first) or bool(first and self.language.governed(self.tokens, first))

    def as_such(self, first: int) -> bool:
        """en tant que médecin: what follows is said of somebody else, or of a thing."""
        return self.low(first - 2) == "tant" and self.low(first - 1) in {"que", "qu'", "qu’"}

    def _owned(self, at: int) -> bool:
        """les droits des citoyens: a noun before des, with its article and perhaps an adjective."""
        before = self.low(at - 1)
        noun = at - 1 - bool((self.roles.modifier(before) and not self.names(at - 1)) or before.endswith("aux"))
        return any(
            self.language.determiner(self.low(i - 1)) and not self.language.function_word(self.low(i))
            for i in {at - 1, noun}
            if i > 0
        )

    def _plural(self, source: bool) -> bool:
        """By the noun, else by its determiner, else by whether the form is a singular one; prigioniere may be either,
        there the source says."""
        noun = self.language.noun(self.tokens[self.head].text)
        low = self.tokens[self.head].low
        either = self.language.code == "it" and low[-1] == "e"
        if either and not noun.cells & self.cells:
            return source
        x = self.language.code == "fr" and low.endswith("x")  # nouveaux, furieux
        x = x or (self.language.code == "ca" and low.endswith(CATALAN_S))  # el pagès
        if not x and bool(noun.cells & PLURAL) != bool(noun.cells & SINGULAR):
            return bool(noun.cells & PLURAL)
        for i in range(self.head - 1, max(self.head - 4, -1), -1):
            cells = self.language.determiner(self.tokens[i].low)
            if cells and bool(cells & PLURAL) != bool(cells & SINGULAR):
                return bool(cells & PLURAL)
        if either:
            return source
        return low not in self.forms.known and low[-1] not in "oa"
