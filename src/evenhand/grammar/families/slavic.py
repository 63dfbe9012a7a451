"""What the Slavic languages share: cases instead of articles, and predicates that show the subject's gender.

A noun tells by its form (учительница) or by what agrees with it: "врач сказала" is a woman (see `agreement`).
"""

import re
from functools import cached_property
from pathlib import Path
from typing import cast

from evenhand.errors import MissingExtra
from evenhand.grammar.base import LONGEST, Language, cells_by_form
from evenhand.grammar.families.agreement import (
    END,
    ENDS,
    INSTRUMENTAL,
    NOMINATIVE,
    RANKS,
    Bound,
    Chain,
    Form,
    Text,
    uncased,
    union,
)  # fmt: skip
from evenhand.grammar.families.inflection import SAME, Inflection
from evenhand.grammar.families.morphology import (
    Analyser,
    Analysis,
    Dictionary,
    Endings,
    adjectives,
    nouns,
    persons,
    pymorphy,
)
from evenhand.grammar.families.paradigms import Paradigms
from evenhand.grammar.families.slavic_participants import SlavicParticipant
from evenhand.grammar.lexicon import PERSON, Column
from evenhand.grammar.protocol import (
    ANY,
    CASES,
    FEMININE,
    MASCULINE,
    NEUTER,
    NUMBERS,
    SINGULAR,
    Kind,
    Noun,
    Phrase,
    Predicate,
    Token,
    cells,
    open_gender,
)  # fmt: skip
from evenhand.grammar.sentence import Link, Part, Reading, Sentence, Word
from evenhand.remembered import remembered
from evenhand.tsv import rows, words

CASE_CELLS = tuple(cells(numbers=number, cases=case) for number in NUMBERS for case in CASES)
SIDES = (("f", Column.FEMALE), ("m", Column.MALE))
LISTED = {0: 0, Column.FEMALE: FEMININE, Column.MALE: MASCULINE, PERSON: FEMININE | MASCULINE}
VERBAL = frozenset({"past", "short", "verb"})
# с паралегалкой; секатель, where the dictionary guesses a woman; архите, a case that all genders share
BY_SUFFIX = {("ой", "ей"): FEMININE & SINGULAR, ("тель", "арь"): MASCULINE & SINGULAR, ("е",): ANY}
FEMALE = re.compile(r".*(?:[бвгджзйклмнпрстфхцчшщь]ка|иц[ая]|ша|иня|есса|иса|ья|иха|ая|яя)")  # endings of women's nouns
ADJECTIVAL = ("i", "y", "ý", "í", "á")  # nouns that are declined as adjectives: stari, vedoucí
PAST = ("л", "ла", "ло", "ли")
# Автор(ка), вошёл(ла), Користувач(к)и, użytkownik/użytkowniczka
BOTH = re.compile(r"\w(?:[:*·•_/]-?)\w{1,6}$|\w\(-?\w{1,5}\)\w{0,3}$|(\w{4,})\w{0,4}/\1\w*$")
VOWELS = frozenset("аеёиоуыэюяієїaąeęěiíyýoóuúůáéь")


class Slavic(Language):
    """Answers from readings (pymorphy3 or endings) and from the tables of the language's folder; `appositions.tsv`
    lists nouns that give another noun their gender (женщина-врач, pani doktor)."""

    family = "slavic"
    closed = ("joining", "subordinate")
    has_case = True
    has_articles = False
    predicate_overrides = True
    participant = SlavicParticipant
    ranked = False  # the dictionary puts the likeliest reading first
    plural_shows_gender = False  # ci studenci, te studentki
    continues_subject = False  # by endings alone, a past tense without a subject has that of the main clause
    drops_subjects = False  # był nauczycielem
    past_beside_auxiliary = False  # je prišla: no past tense without a form of to be
    noun_serves_women = True  # врач сказала; else a woman is named by a feminine noun of the lexicon
    remembers = ("noun", "lookups", "plain", "adverb", "function_word", "modifier", "cases", "agreeing")

    def __init__(self) -> None:
        super().__init__()
        self._dictionary = self.opened()
        self.dictionary = self._dictionary is not None
        self.analyser: Analyser = self._dictionary or Endings(self.folder / "endings.tsv")
        self.source = self.analyser.source  # part of the detector's fingerprint: a dictionary changes verdicts
        self._other_endings = Endings(self.folder / "other_endings.tsv")
        self._kinds: dict[str, str] = {}
        for row in rows(self.folder / "function_words.tsv"):
            for word in row["word"].split():
                self._kinds.setdefault(word, row["kind"])
        self._prepositions = _by_case(self.folder / "prepositions.tsv")
        governing: frozenset[str] = frozenset().union(*self._prepositions.values())
        joining = self.words_of("joining") | self.words_of("subordinate")
        self._kinds = dict.fromkeys(joining, "conjunction") | dict.fromkeys(governing, "preposition") | self._kinds
        self._functions |= governing
        self._not_past = words(self.folder / "not_past.tsv")
        self.readings = remembered(self._readings, mebibytes=24)
        self.form = remembered(self._form, mebibytes=24)
        self._appositions = cells_by_form(self.folder / "appositions.tsv")
        self._written = words(self.things[0]) if self.things[0].exists() else frozenset()
        self._endings = Endings(self.folder / "endings.tsv")

    def opened(self) -> Dictionary | None:
        """The language's dictionary, where one is installed."""
        return pymorphy(self.code, self._feminine)

    def _feminine(self, adjective: str) -> str:
        """The feminine nominative of an adjective, by its ending."""
        endings = dict(pair.split(">") for pair in self.words_of("feminine_adjective"))
        end = next((adjective[-size:] for size in (3, 2, 1) if adjective[-size:] in endings), "")
        return adjective.removesuffix(end) + endings.get(end, "")

    @cached_property
    def _exact(self) -> Dictionary | None:
        """The paradigms, where the folder has a table of them."""
        path = self.folder / "paradigms.tsv"
        if not path.exists():
            return None
        known = [(form, side) for form, columns in self.persons.known.items() for side, bit in SIDES if columns & bit]
        pairs = (one for pair in self.pairs() for one in zip(pair, "mf", strict=True))
        known += [(word, side) for word, side in pairs if word != SAME]
        return Dictionary(Paradigms(path, known).parse, path.name, feminine=str)

    @cached_property
    def inflection(self) -> Inflection:
        """The forms of its words; an error names the package that is missing."""
        found = self._dictionary or self._exact
        if found is None:
            raise MissingExtra(f"inflecting {self.name.capitalize()}", "languages")
        return Inflection(self, found.parse, self.pairs())

    def pairs(self) -> list[tuple[str, str]]:
        """Nouns for men with those for women, by pairs.tsv ("=": one form for both) and, where a man's noun does not
        serve women, by the lexicon, the surest first."""
        listed = [(man, row["feminine"]) for row in rows(self.folder / "pairs.tsv") for man in row["masculine"].split()]
        if not self.noun_serves_women:
            table = [row for path in sorted(self.folder.glob("lexicon*.tsv")) for row in rows(path)]
            paired = sorted((row for row in table if row["male"] and row["female"]), key=lambda row: -int(row["sure"]))
            listed += [(row["male"], row["female"]) for row in paired]
        return listed

    def inflect(self, word: Token | Word, *, gender: str, number: str = "", case: str = "") -> str | None:
        if not self._dictionary and not self._exact:
            return None
        return self.inflection.form(word.text.lower(), gender, number, case)

    def tokens(self, text: str) -> list[Token]:
        new, plain, apposed = tuple.__new__, self.plain, self._appositions
        found: list[Token] = []
        for match in self.pattern.finditer(text):
            word, (start, end) = match.group(), match.span()
            if "-" in word:
                first, _, rest = word.partition("-")
                if rest and (plain(first) in apposed or plain(rest) in apposed):
                    # женщина-врач, врач-женщина: two words, of which one tells
                    found.append(Token(first, plain(first), start, start + len(first)))
                    word, start = rest, start + len(first) + 1
            found.append(new(Token, (word, plain(word), start, end)))
        return found

    # -- words

    def read(self, token: Token) -> tuple[Reading, ...]:
        """Readings of the dictionary or the endings, and of the tables of closed classes, which go first."""
        low = token.low
        if not low[0].isalnum():
            return ()
        relative = self._kinds.get(low) == "relative"
        closed: tuple[tuple[Part, int], ...] = (("determiner", self.determiner(low)), ("pronoun", self.pronoun(low)))
        found = [Reading(low, part, mask) for part, mask in closed if mask]
        for a in (*self.readings(low), *self._other_endings.analyse(low)):
            found.append(Reading(a.lemma, _part(a, relative=relative), a.cells, a.known))
        return tuple(dict.fromkeys(found))

    def kind(self, low: str) -> str | None:
        """preposition, conjunction, relative or other for a function word; None for other words."""
        return self._kinds.get(low)

    def no_past(self, low: str) -> bool:
        """True for a word that only looks like a past tense (школа, угол)."""
        return low in self._not_past

    def agreeing(self, low: str) -> int:
        """Cells of a past tense or short adjective, which agree with their subject; 0 for every other word."""
        readings = self.readings(low)
        if low in self._not_past or low in self._kinds or nouns(readings[:1], known=True):
            return 0
        past = union(a for a in readings[:3] if a.part == "past")
        # Neither a short form that no dictionary has (кошков) nor one that is a verb first of all (спит) is one.
        short = union(a for a in readings[:3] if a.part == "short" and (a.known or not self.dictionary))
        mask = past | (short if not readings or readings[0].part != "verb" else 0)
        return mask if mask & (FEMININE | MASCULINE) else past  # the short "точно" is an adverb as well

    def cases(self, low: str) -> int:
        """All cells of the cases and numbers this form can be, of any gender; 0 when nothing is known."""
        readings = [a for a in self.readings(low) if a.part in {"noun", "adjective"}]
        mask = union(persons(readings) or [a for a in readings if a.animate] or readings)  # a surname last
        return sum(case for case in CASE_CELLS if mask & case)

    def _readings(self, low: str) -> tuple[Analysis, ...]:
        """By the analyser; where endings alone are known, a listed noun is read as itself: studentu of student."""
        found = self.analyser.analyse(low) if len(low) <= LONGEST else ()
        if self.dictionary and found:
            return found
        found = self._endings.analyse(low) if self.dictionary else found
        listed = self._listed_nouns(low, found)
        return (*listed, *(a for a in found if a.part != "noun")) if listed else found

    def _listed_nouns(self, low: str, found: tuple[Analysis, ...]) -> list[Analysis]:
        """The readings as a noun of our tables."""
        listed = nouns(self._exact.analyse(low)) if self._exact else []
        own, itself = self._nouns.get(low), LISTED[self.persons.known.get(low, 0) & PERSON]
        if own and own.kind is Kind.FIXED:  # lidí, osoby
            lemmas = (a.lemma for a in nouns(found) if a.lemma in self._nouns)
            listed.append(Analysis("noun", next(lemmas, low), own.cells, animate=True, known=True))
        if itself == FEMININE | MASCULINE and any(a.lemma == low for a in listed):
            return [listed[0]._replace(cells=union(listed))]  # účetní: one form for both
        return listed or self._by_lexicon(low, found, itself)

    def _by_lexicon(self, low: str, found: tuple[Analysis, ...], itself: int) -> list[Analysis]:
        """The readings whose lemma the lexicon has; `itself`: the genders of the form as a lemma."""
        named = nouns((*found, *self._other_endings.analyse(low)))
        genders = ((a, a.cells & LISTED[self.persons.known.get(a.lemma, 0) & PERSON]) for a in named)
        listed = [a._replace(cells=mask, known=True) for a, mask in genders if mask]
        if itself and not any(a.lemma == low for a in listed):
            listed.insert(0, Analysis("noun", low, itself, animate=True, known=True))  # татко, момче
        return listed

    def _form(self, low: str) -> Form:
        readings, kind, shown = self.readings(low), self._kinds.get(low), self.agreeing(low)
        verb = shown or (0 if kind else self._finite(readings))
        beside = self._beside(low, readings)
        named = [] if kind else self._nouns_among(readings, beside=bool(beside), verb=bool(verb))
        return Form(
            low,
            kind,
            END if low in ENDS else self.held.get(low, frozenset()),
            shown,
            verb,
            beside if kind in {None, "relative"} else self.determiner(low),
            union(a for a in adjectives(readings) if a.participle or self.ends(a.lemma, "participle_ending")),
            union(named),
            any(a.animate and (a.known or not self.continues_subject) for a in named),
            any(a.objectless for a in readings[:1] if a.part in VERBAL),
            self._is_being(low, bool(verb or kind)),
            self._of_woman(readings, beside),
        )

    def _of_woman(self, readings: tuple[Analysis, ...], beside: int) -> bool:
        """In some case feminine and not masculine, as a predicate or beside a noun, or a noun for women."""
        mask = (beside | union(a for a in readings if a.part in {"past", "short"})) & SINGULAR
        return bool(mask & FEMININE & ~((mask & MASCULINE) >> 1) or union(persons(readings)) & FEMININE)

    def _finite(self, readings: tuple[Analysis, ...]) -> int:
        """Cells as a finite verb or a short adjective, in the likeliest reading where they are ranked."""
        first = readings[:1] if self.ranked else readings
        return union(a for a in first if a.part in VERBAL and a.known and not a.infinitive)

    def _beside(self, low: str, readings: tuple[Analysis, ...]) -> int:
        """Cells as a word beside a noun; pronouns are listed, but for who and which and сам."""
        pronoun = self.relative_pronoun(low) or self.has(low, "alone")
        if not self.dictionary and not pronoun and self._named_only(low, readings):
            return self.determiner(low)
        return self.determiner(low) | union(a for a in readings if a.part == "adjective" or (pronoun and a.pronominal))

    def _named_only(self, low: str, readings: tuple[Analysis, ...]) -> bool:
        """A listed noun of one gender, or a word that only looks like an adjective: trener, dan."""
        listed = [a.lemma for a in nouns(readings, known=True)]
        if listed and not any(lemma.endswith(ADJECTIVAL) for lemma in listed):
            return True
        return bool(self.words_of("adjective_suffix")) and not self.attribute(low)

    def _nouns_among(self, readings: tuple[Analysis, ...], *, beside: bool, verb: bool) -> list[Analysis]:
        """The readings as a noun, where the form is a noun first of all: by rank, else where it is nothing else."""
        if self.ranked or not (beside or verb):
            return nouns(readings[:1] if self.ranked else readings)
        return [] if beside else [a for a in nouns(readings, known=True) if not a.name]

    def _is_being(self, low: str, verbal: bool) -> bool:
        """A form of to be, become, seem; вважав клієнта невинним: not of one that says it of its object."""
        if self.copula(low):
            return True
        if not self.starts(low, "being") or (self.starts(low, "of_object") and not low.endswith(("ся", "сь"))):
            return False
        return verbal or any(a.infinitive for a in self.readings(low)[:1])

    def relative_pronoun(self, low: str) -> bool:
        return self._kinds.get(low) == "relative" and self.starts(low, "relative_stem")

    # -- the noun and its case

    def noun_at(self, tokens: list[Token], first: int, last: int) -> int:
        """The noun of a form of several words: помощник in "помощник юриста", директор in "генеральный директор"."""
        for i in range(first, last) if last - first > 1 else ():
            if nouns(self.readings(tokens[i].low), known=True):
                return i
        return first if self.adjectives_follow else last - 1

    def case_at(self, tokens: list[Token], first: int, mask: int) -> str:
        """One case of those that the cells leave a phrase that begins at `first`, by the preposition or the word before
        it; "" for none."""
        cases = [case for case in "nadgil" if mask & cells(cases=case)]
        before = self.form(tokens[first - 1].low) if first else Form()
        if before.kind == "preposition":
            return self._asked(before.low, cases)
        if len(cases) < 2:
            return "".join(cases)
        if "n" not in cases:
            return self._oblique(tokens, first, before, cases)
        either = self.plural_shows_gender and "a" in cases
        return "a" if either and not self._is_subject(tokens, first, mask) else "n"

    def _oblique(self, tokens: list[Token], first: int, before: Form, cases: list[str]) -> str:
        """One of several cases, none of them a nominative."""
        being = any(self.form(token.low).being for token in tokens[max(0, first - 2) : first])
        auxiliary = "subject" in before.roles and any(self.form(token.low).shown for token in tokens[:first])
        if "i" in cases and being and not auxiliary:
            return "i"  # была последней; not: potkal jsem starou známou
        clause = Text(self, tokens).clause(first)
        if {"a", "d"} <= {*cases} and self._verb_of(tokens, clause, "of_dative"):
            return "d"
        genitive = "g" in cases and (self._owned(tokens, first, before) or self.of_genitive(tokens, first))
        return "g" if genitive else cases[0]

    def _owned(self, tokens: list[Token], first: int, before: Form) -> bool:
        """After a number or a noun: пять студентов, дом врача, pod vedením odborníka."""
        if before.low.isdigit() or not before.roles.isdisjoint({"quantity", "absent"}):
            return True
        if first > 1 and self.form(tokens[first - 2].low).kind == "preposition":
            return True
        return bool(before.noun) and not before.verb and not self.ends(before.low, "verb_ending")

    def _is_subject(self, tokens: list[Token], first: int, mask: int) -> bool:
        """A form that is nominative or accusative comes before its verb, or behind a past tense that agrees with it and
        has no other subject."""
        text = Text(self, tokens)
        clause = text.clause(first)
        verb = text.verb(clause)
        if verb is None or verb > first:
            return not text.rival(range(clause.start, first), first)
        agrees = uncased(text.forms[verb].shown) & uncased(mask & NOMINATIVE)
        return bool(agrees) and not text.rival(range(clause.start, verb), first)

    def of_genitive(self, tokens: list[Token], first: int) -> bool:
        """The clause's verb has a genitive for its object, by itself or because it is negated."""
        clause = Text(self, tokens).clause(first)
        return any(self.has(tokens[i].low, "negates") for i in clause) or self._verb_of(tokens, clause, "of_genitive")

    def _verb_of(self, tokens: list[Token], clause: range, role: str) -> bool:
        """A verb with a beginning that the role lists is in the clause."""
        lows = [tokens[i].low for i in clause if self.starts(tokens[i].low, role)]
        readings = [a for low in lows for a in self.readings(low)]
        return any(a.part in VERBAL or a.infinitive for a in readings) if self.dictionary else bool(lows)

    def _asked(self, preposition: str, cases: list[str]) -> str:
        """The case that a preposition asks for, among those possible; "" for none but the nominative."""
        oblique = [case for case in sorted(cases) if case != "n"]
        asked = [case for case, listed in self._prepositions.items() if preposition in listed and case in oblique]
        return (asked or oblique or [""])[0]

    # -- what agrees

    def cut(self, tokens: list[Token]) -> tuple[range, ...]:
        return Text(self, tokens).cut()

    def agrees_with(self, sentence: Sentence, at: int) -> tuple[Link, ...]:
        chain = Chain(self, sentence.tokens, self.phrase(sentence, at))
        if chain.apposed():
            chain.end = len(sentence)  # what follows belongs to the noun before: Анна, врач, которая
        found = {link.at: link for link in chain.beside()}
        for bound in chain.bound():
            found.setdefault(bound.at, Link(bound.at, bound.kind, bound.sure))
        return tuple(sorted(found.values()))

    def bound(
        self, tokens: list[Token], at: int, *, resumed: frozenset[str] = frozenset(), nominative: bool = False
    ) -> tuple[list[Bound], set[int]]:
        """What `agrees_with` finds outside the phrase of tokens[at], with cells, and the places where a pronoun is an
        argument beside the person and so means somebody else. Pronouns that are `resumed` mean the person, who then is
        the subject of their clauses too; `nominative`: the noun surely is one."""
        phrase = self.own_phrase(tokens, at, at + 1, ANY)
        chain = Chain(self, tokens, phrase, nominative=nominative, resumed=resumed)
        return chain.bound(), chain.beside_it

    # -- nouns and adjectives

    def lookups(self, text: str) -> tuple[str, ...]:
        low = self.plain(text)
        if len(low) > LONGEST:
            return (low,)
        found = [low]
        readings = self.readings(low)
        if not any(a.known for a in readings):
            readings += self._endings.analyse(low)  # a new word (авторки): every lemma its ending allows
        found += [self.plain(a.lemma) for a in readings if a.part in {"noun", "adjective", "short"}]
        return tuple(dict.fromkeys(found))

    def modifier(self, low: str) -> int:
        mask = self._appositions.get(low, 0)
        readings = self.readings(low)
        if any(reading.part == "past" for reading in readings):
            return mask
        for reading in readings:
            if reading.part == "adjective" and reading.animate is not False:  # воспевающие богатырей: of a thing
                mask |= reading.cells
        return 0 if low in self._kinds else mask

    def noun(self, text: str) -> Noun:
        low, forms = self.plain(text), self.lookups(text)
        for form in forms:
            if form in self._nouns:
                return self._nouns[form]
        readings = self.readings(low)
        beings = self._beings(low)
        if beings and beings[0].known and self._written.isdisjoint(forms):
            return self._sexed(beings)  # animals are animate too: those are written down
        if not self._thing_words.isdisjoint(forms):
            return Noun(self.guess(text).cells, Kind.THING)
        if any(a.known for a in readings) or not self.dictionary:
            return self._adjectival_noun(low) or (self.guess(text) if beings else self._thing(text))
        return self._coined_noun(text, low, forms)

    def _beings(self, low: str) -> list[Analysis]:
        """The readings as a noun for a living being; молодой: first of all no case of "молодая"."""
        itself = any(a.known and a.lemma == low for a in adjectives(self.readings(low)) if a.animate is not False)
        return [a for a in persons(self.readings(low)) if not itself or a.lemma == low]

    def _adjectival_noun(self, low: str) -> Noun | None:
        """A noun by an adjective that names persons (служащий), a thing by another; None for other words."""
        readings = self.readings(low)
        found = [a for a in adjectives(readings) if a.animate is not False]
        if not found or self._beings(low) or nouns(readings, known=True):
            return None
        mask = union(found)
        if not any(a.substantive for a in found):
            return Noun(mask, Kind.THING)
        return Noun(mask, Kind.SEXED if not open_gender(mask) else Kind.COMMON)

    def _thing(self, text: str) -> Noun:
        things = nouns(self.readings(self.plain(text)), known=True)
        return Noun(union(things) or ANY, Kind.THING) if things else self.guess(text)

    def _coined_noun(self, text: str, low: str, forms: tuple[str, ...]) -> Noun:
        """A word that the dictionary does not have, by its ending: an abstraction (диетицию), a quality (диетский)."""
        thing = self.ends(low, "coined_quality") or any(self.ends(form, "coined_abstract") for form in forms)
        return Noun(ANY, Kind.THING) if thing else self.guess(text)

    def guess(self, text: str) -> Noun:
        """The likeliest reading's gender: a dictionary orders its guesses by how often they hold. What ends in a
        consonant and can be a nominative is one: диетин is no genitive of диетина."""
        low = self.plain(text)
        named = [a for a in nouns(self.readings(low)) if not a.name]
        if low[-1] in VOWELS or any(a.known for a in self.readings(low)):
            return Noun(named[0].cells if named else ANY, Kind.GUESS)
        itself = [a for a in named if a.lemma == low]
        if itself or low[-1] < "а":  # where endings alone are known (Polish, Czech), szefem is a case of szef
            return Noun(union(itself[:1] or named) or ANY, Kind.GUESS)
        return Noun(MASCULINE & SINGULAR & NOMINATIVE, Kind.GUESS)  # машинст, атлер: read as surnames only

    # -- words that the dictionary does not have: garbled, misspelt or new; without a dictionary no word is called one

    def coined(self, low: str) -> bool:
        return self.dictionary and not self.listed(low) and not any(a.known for a in self.readings(low))

    def placed(self, tokens: list[Token], at: int) -> Noun | None:
        """A coined noun by its place in the clause and its ending."""
        low = tokens[at].low
        named = [a for a in nouns(self.readings(low)) if not a.name]
        if not named or not self.coined(low):
            return None
        for endings, mask in BY_SUFFIX.items():
            if low.endswith(endings):
                return Noun(mask, Kind.GUESS)
        if low[-1] not in VOWELS:
            return None  # left to `guess`
        return Noun(self._likeliest(low, named, Text(self, tokens).place(at)), Kind.GUESS)

    def _likeliest(self, low: str, named: list[Analysis], place: int) -> int:
        """Cells of the likeliest reading that fits the place; any where the ending makes no person."""
        here = [a for a in named if a.cells & place]
        if place == NOMINATIVE and not here:  # физикка, where the dictionary guesses a genitive only
            here = [a for a in nouns(self._endings.analyse(low)) if a.cells & place]
            if not here:
                return ANY  # суперевереду: no nominative
        mask = (here or named)[0].cells
        mask = mask & place or mask
        woman = place != NOMINATIVE or mask & MASCULINE or FEMALE.fullmatch(low)
        return mask if woman else ANY  # лабора: no woman's -а

    def verbal(self, low: str) -> bool:
        """True for a word that is in no dictionary and by its ending a verb before anything else: перевосходит. What
        looks like a past tense (пекарнял) must end in its -л, because гертер looks like one too."""
        real = [a for a in self.readings(low) if not a.name]
        past = bool(real) and real[0].part == "past" and low.endswith(PAST)
        verb = self.dictionary and bool(real) and (real[0].part == "verb" or past)
        return verb and not any(a.part == "noun" and a.animate for a in real)

    def adjectival(self, low: str) -> bool:
        return any(reading.part == "adjective" for reading in self.readings(low))

    def agentive(self, low: str, *, opens: bool = False) -> bool:
        return any(super(Slavic, self).agentive(form) for form in ((low,) if opens else self.lookups(low)))

    def nominalised(self, tokens: list[Token], at: int) -> Noun | None:
        known = adjectives(self.readings(tokens[at].low), known=True)
        mask = union([a for a in known if not a.relational and not self.ends(a.lemma, "relational")])
        after = self.readings(tokens[at + 1].low) if at + 1 < len(tokens) and tokens[at + 1].low[0].isalpha() else ()
        agreeing = (union(nouns(after)) | union(adjectives(after))) & mask
        thing = bool(after) and all(a.part == "noun" and a.animate is False for a in after)
        if not mask or agreeing or thing:  # "плотную стакан": an adjective of the thing, if a wrong one
            return None
        return Noun(mask, Kind.SEXED if not open_gender(mask) else Kind.COMMON)

    def misread(self, tokens: list[Token], at: int) -> bool:
        """True where the dictionary form is a thing and only another case is a person (техника), and it stands first or
        after a word that agrees with the thing alone ("Наша техника")."""
        readings = self.readings(tokens[at].low)
        before = self.determiner(tokens[at - 1].low) or self.modifier(tokens[at - 1].low) if at else ANY
        people = union(persons(readings, known=True))
        if not before or not people or people & NOMINATIVE:
            return False
        same = [a for a in nouns(readings, known=True) if self.plain(a.lemma) == tokens[at].low]
        things = union(a for a in same if a.animate is False)
        return bool(things & before & NOMINATIVE) and (not at or not people & before)

    def phrase(self, sentence: Sentence, at: int) -> Phrase:
        """A noun that is a person or a thing (политику) is read as the word before it asks."""
        tokens, low = sentence.tokens, sentence.tokens[at].low
        before = self.attribute(tokens[at - 1].low) | self.determiner(tokens[at - 1].low) if at else 0
        things = union(nouns(self.readings(low), known=True) if self.dictionary else nouns(self.analyser.analyse(low)))
        asked = before & things if before and not before & self.cases(low) else 0
        return self.own_phrase(tokens, at, at + 1, ANY, asked)

    def own_phrase(self, tokens: list[Token], first: int, last: int, number: int, asked: int = 0) -> Phrase:
        """Leftwards, every determiner and adjective that agrees in case with the noun; an adverb may stand between.
        After the noun, where classifying adjectives stand there (Polish), those that agree."""
        mask = number & (asked or self.cases(tokens[self.noun_at(tokens, first, last)].low) or ANY)
        start, mask, spoke = self._leftwards(tokens, first, mask, asked)
        apposed = self._appositions.get(tokens[last].low, 0) & mask if last < len(tokens) else 0
        if apposed:
            return Phrase(start, last + 1, first, apposed, (*spoke, last))
        end = last
        while end < min(last + 2, len(tokens)) and self._trails(tokens, end, mask):
            end += 1
        return Phrase(start, end, first, mask, tuple(spoke))

    def _trails(self, tokens: list[Token], at: int, mask: int) -> bool:
        """An adjective behind its noun, and of no noun that follows: asystentka prawna, pianista narozený v Praze; not
        ma, which is has, not mine."""
        form = self.form(tokens[at].low)
        if not form.declined & mask or not self.attribute(form.low) & mask or (self.dictionary and form.verb):
            return False
        led = at + 1 < len(tokens) and self._kinds.get(tokens[at + 1].low) == "preposition"
        follows = self.adjectives_follow or (self.plural_shows_gender and bool(form.participle) and led)
        return follows and not Text(self, tokens).of_noun(at)

    def _leftwards(self, tokens: list[Token], first: int, mask: int, asked: int) -> tuple[int, int, list[int]]:
        """The start of a phrase, the cells that its words leave, and the words that tell."""
        start, spoke = first, []
        # Where endings alone are known, an adjective fits a listed noun in gender too: in "Трябва адвокат" is none.
        noun = self._nouns.get(tokens[first].low)
        own = noun.cells if noun else union(nouns(self.readings(tokens[first].low), known=True))
        own = 0 if self.dictionary else asked or own
        for i in range(first - 1, max(-1, first - 7), -1):
            low = tokens[i].low
            if self.relative_pronoun(low) or (self.dictionary and self._sole_verb(tokens, i)):
                break  # uplate koje klijenti
            answer = self.determiner(low) or (self.attribute(low) & (self._appositions.get(low, 0) | own or ANY))
            if answer & mask and not self._agent(low, mask):
                mask, start = mask & answer, i
                spoke += [i] * (not open_gender(answer))
            elif answer or not (self.adverb(low) or self._coordinates(tokens, i, start, mask)):
                break
        return start, mask, spoke

    def _sole_verb(self, tokens: list[Token], at: int) -> bool:
        """Tom lubi blondynki: an adjective's form too, but the only verb there."""
        form = self.form(tokens[at].low)
        both = form.verb and form.declined and not self.determiner(form.low)
        return bool(both) and not any(self.form(token.low).verb for token in tokens if token.low != form.low)

    def attribute(self, low: str) -> int:
        """Cells as an adjective before a noun. Where endings alone are known, nouns look like adjectives (broj),
        so only a stem or suffix that the table lists counts, or an ending that is an adjective's alone."""
        suffixes = self.words_of("adjective_suffix")
        if suffixes and low not in self._appositions and not self.ends(low, "adjective_sure"):
            stems = (low.removesuffix(end) for end in self.words_of("adjective_ending") if low.endswith(end))
            if not any(self.ends(stem, "adjective_suffix") for stem in stems):
                return 0
        return self.modifier(low)

    def _agent(self, low: str, mask: int) -> bool:
        """ "модель, предложенная дизайнером": a passive before an instrumental, which is its agent."""
        return not mask & ~INSTRUMENTAL and any(a.participle for a in adjectives(self.readings(low)))

    def _coordinates(self, tokens: list[Token], i: int, start: int, mask: int) -> bool:
        """ "дружных и организованных граждан": a conjunction or comma between adjectives that agree."""
        if i != start - 1 or not i or not (tokens[i].low == "," or "joining" in self.form(tokens[i].low).roles):
            return False
        one, other = tokens[i - 1].low, tokens[start].low
        noun = not self.dictionary and union(nouns(self.readings(one), known=True)) & mask
        return bool(self.attribute(one) & mask and self.modifier(other) & mask) and not noun

    def adverb(self, low: str) -> bool:
        readings = self.readings(low)
        return self._kinds.get(low) == "other" or (bool(readings) and all(a.adverb for a in readings))

    def agree(self, tokens: list[Token], phrase: Phrase, noun: Noun) -> int:
        """What phrase and noun have in common. A form that is a man's nominative or a woman's other case (больной) is
        read by its place: an object or after a preposition it is no nominative."""
        own = noun.cells
        if noun.kind is not Kind.GUESS and own & NOMINATIVE and own & ~NOMINATIVE and open_gender(own):
            place = NOMINATIVE if Text(self, tokens).subject(phrase) else ANY & ~NOMINATIVE
            own = own & place or own
        return phrase.cells & own

    def predicate(self, tokens: list[Token], phrase: Phrase) -> Predicate | None:
        """What agrees with the noun (a relative pronoun or participle, else the nearest predicate, else a noun for a
        woman that is said of the person), else a word of the phrase itself: новая врач, женщина-врач."""
        own = Predicate(phrase.told_by[0], phrase.cells) if phrase.told_by else None
        sexed = self.noun(tokens[phrase.head].text).kind is Kind.SEXED
        if sexed and not any(self.form(token.low).of_woman for token in tokens):
            return own  # only a woman's word would count
        # "наш посол помогала": a masculine adjective goes with the form, the verb with the woman.
        bound = [b for b in Chain(self, tokens, phrase).bound() if not open_gender(b.cells) and not b.cells & NEUTER]
        bound = [b for b in bound if b.kind != "apposition" or b.cells & FEMININE]
        best = min(bound, key=lambda b: (RANKS[b.kind], -b.sure, abs(b.at - phrase.head)), default=None)
        return Predicate(best.at, best.cells) if best else own

    def both(self, text: str) -> bool:
        return bool(BOTH.search(text))

    def verb(self, low: str) -> bool:
        readings = self.readings(low)
        return bool(readings) and readings[0].known and readings[0].part in {"past", "verb"}

    def _names_first(self, low: str) -> bool:
        """True for a form that is first of all a case of a person's noun: другом, of друг before of другой."""
        first = next(iter(self.readings(low)), None)
        return first is not None and first.part == "noun" and bool(first.animate) and first.known

    def function_word(self, low: str) -> bool:
        """Also every word that the dictionary knows as a verb, a short adjective or an adverb only."""
        if super().function_word(low):
            return not (low in self._determiners and self._names_first(low))
        readings = self.readings(low)
        if not readings or not readings[0].known:
            return self.verbal(low)
        return readings[0].part == "past" or all(a.part in {"past", "short", "verb", "other"} for a in readings)

    def _sexed(self, readings: list[Analysis]) -> Noun:
        mask = union(readings)
        lemmas = {a.lemma for a in readings if a.cells & FEMININE} & {a.lemma for a in readings if a.cells & MASCULINE}
        if lemmas or any(reading.common for reading in readings):
            return Noun(mask, Kind.COMMON)
        first = readings[0].cells
        kind = Kind.SEXED if first & (FEMININE | MASCULINE) else Kind.FIXED
        return Noun(first if open_gender(mask) else mask, kind)


def _by_case(path: Path) -> dict[str, frozenset[str]]:
    return {row["case"]: frozenset(row["words"].split()) for row in rows(path)}


def _part(a: Analysis, *, relative: bool) -> Part:
    if relative:
        return "relative"
    if a.pronominal:
        return "determiner"
    return "participle" if a.participle else cast("Part", a.part)
