"""What the Slavic languages share: cases instead of articles, and predicates that show the subject's gender.

A noun tells by its form (учительница) or by what agrees with it: "врач сказала" is a woman (see `agreement`).
"""

from __future__ import annotations

import re
from functools import cached_property

from evenhand.grammar.base import LONGEST, fold
from evenhand.grammar.families.agreement import INSTRUMENTAL, NOMINATIVE, Agreeing, Text, told, union
from evenhand.grammar.families.inflection import Inflection
from evenhand.grammar.families.morphology import Analysis, Endings, adjectives, nouns, persons
from evenhand.grammar.families.slavic_participants import SlavicParticipant
from evenhand.grammar.lexicon import Column, shipped_forms
from evenhand.grammar.protocol import (
    ANY,
    FEMININE,
    MASCULINE,
    SINGULAR,
    Kind,
    Noun,
    Phrase,
    Predicate,
    Token,
    cells,
)
from evenhand.grammar.sentence import Sentence, Word
from evenhand.remembered import remembered
from evenhand.tsv import rows, words

# Endings of words that the dictionary does not have: qualities (гигиенаистые), abstractions, places, machines.
ADJECTIVES = tuple(
    "ые ых ыми ого ему ому ский ская скую ское ские ских ски ный ная ную ное овый овая овую овое истый истая истую "
    "истое".split()
)
ABSTRACT = tuple("ия ость ство ние тие изм лятор арня альня ельня истика овка ія ість ння ізм".split())
# с паралегалкой; секатель, where the dictionary guesses a woman; архите, a case that all genders share
BY_SUFFIX = {("ой", "ей"): FEMININE & SINGULAR, ("тель", "арь"): MASCULINE & SINGULAR, ("е",): ANY}
FEMALE = re.compile(r".*(?:[бвгджзйклмнпрстфхцчшщь]ка|иц[ая]|ша|иня|есса|иса|ья|иха|ая|яя)")  # endings of women's nouns
PAST = ("л", "ла", "ло", "ли")
VOWELS = frozenset("аеёиоуыэюяієїaąeęěiíyýoóuúůáéь")
# adjectives that no person is called by
RELATIONAL = tuple("ский ская цкий цкая ський ська цький цька ичний ична".split())


class Slavic(Agreeing):
    """Answers from readings (pymorphy3 or endings) and from the tables of the language's folder; `appositions.tsv`
    lists nouns that give another noun their gender (женщина-врач, pani doktor)."""

    family = "slavic"
    has_case = True
    has_articles = False
    predicate_overrides = True
    participant = SlavicParticipant

    def __init__(self) -> None:
        super().__init__()
        self._appositions: dict[str, int] = {}
        for row in rows(self.folder / "appositions.tsv"):
            for form in row["form"].split():
                mask = cells(row["genders"], row["numbers"], row["cases"])
                self._appositions[form] = self._appositions.get(form, 0) | mask
        self._written = words(self.things[0]) if self.things[0].exists() else frozenset()
        self._endings = Endings(self.folder / "endings.tsv")
        self.plain = remembered(self.plain)  # type: ignore[method-assign]
        self.noun = remembered(self.noun)  # type: ignore[method-assign]
        self.lookups = remembered(self.lookups)  # type: ignore[method-assign]
        self.adverb = remembered(self.adverb)  # type: ignore[method-assign]
        self.function_word = remembered(self.function_word)  # type: ignore[method-assign]
        self.modifier = remembered(self.modifier)  # type: ignore[method-assign]

    @cached_property
    def inflection(self) -> Inflection:
        """The forms of its words, by pymorphy3; an error names the package where it is missing."""
        forms = shipped_forms(self)

        def listed(form: str, gender: str) -> bool:
            return bool(forms.known.get(form, 0) & (Column.FEMALE if gender == "f" else Column.MALE))

        return Inflection(self.code, self.name, self.folder, sparse=not self.ranked, listed=listed)

    def inflect(self, word: Token | Word, *, gender: str, number: str = "", case: str = "") -> str | None:
        if not self.dictionary:
            return None
        return self.inflection.form(word.text.lower(), gender, number, case)

    def plain(self, text: str) -> str:
        """The spelling under which a form is looked up; a language may make spellings alike (ё, е)."""
        return fold(text)

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
        return Noun(mask, Kind.SEXED if told(mask) else Kind.COMMON)

    def _thing(self, text: str) -> Noun:
        things = nouns(self.readings(self.plain(text)), known=True)
        return Noun(union(things) or ANY, Kind.THING) if things else self.guess(text)

    def _coined_noun(self, text: str, low: str, forms: tuple[str, ...]) -> Noun:
        """A word that the dictionary does not have, by its ending: an abstraction (диетицию), a quality (диетский)."""
        quality = low.endswith(ADJECTIVES) and not super().agentive(low)
        return Noun(ANY, Kind.THING) if quality or any(form.endswith(ABSTRACT) for form in forms) else self.guess(text)

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
        # what ends in a consonant is left to `guess`
        return (
            Noun(self._likeliest(low, named, Text(self, tokens).place(at)), Kind.GUESS) if low[-1] in VOWELS else None
        )

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
        mask = union([a for a in known if not a.relational and not a.lemma.endswith(RELATIONAL)])
        after = self.readings(tokens[at + 1].low) if at + 1 < len(tokens) and tokens[at + 1].low[0].isalpha() else ()
        agreeing = (union(nouns(after)) | union(adjectives(after))) & mask
        thing = bool(after) and all(a.part == "noun" and a.animate is False for a in after)
        if not mask or agreeing or thing:  # "плотную стакан": an adjective of the thing, if a wrong one
            return None
        return Noun(mask, Kind.SEXED if told(mask) else Kind.COMMON)

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
        before = self.modifier(tokens[at - 1].low) | self.determiner(tokens[at - 1].low) if at else 0
        things = union(nouns(self.readings(low), known=True))
        asked = before & things if before and not before & self.cases(low) else 0
        return self.own_phrase(tokens, at, at + 1, ANY, asked)

    def own_phrase(self, tokens: list[Token], first: int, last: int, number: int, asked: int = 0) -> Phrase:
        """Leftwards, every determiner and adjective that agrees in case with the noun; an adverb may stand between.
        After the noun, where classifying adjectives stand there (Polish), those that agree."""
        mask = number & (asked or self.cases(tokens[self.noun_at(tokens, first, last)].low) or ANY)
        start, mask, spoke = self._leftwards(tokens, first, mask)
        apposed = self._appositions.get(tokens[last].low, 0) & mask if last < len(tokens) else 0
        if apposed:
            return Phrase(start, last + 1, first, apposed, (*spoke, last))
        end = last
        while self.adjectives_follow and end < min(last + 2, len(tokens)) and self.modifier(tokens[end].low) & mask:
            end += 1  # asystentka prawna
        return Phrase(start, end, first, mask, tuple(spoke))

    def _leftwards(self, tokens: list[Token], first: int, mask: int) -> tuple[int, int, list[int]]:
        """The start of a phrase, the cells that its words leave, and the words that tell."""
        start, spoke = first, []
        for i in range(first - 1, max(-1, first - 7), -1):
            answer = self.determiner(tokens[i].low) or self.modifier(tokens[i].low)
            if answer & mask and not self._agent(tokens[i].low, mask):
                mask, start = mask & answer, i
                spoke += [i] if told(answer) else []
            elif answer or not (self.adverb(tokens[i].low) or self._coordinates(tokens, i, start, mask)):
                break
        return start, mask, spoke

    def _agent(self, low: str, mask: int) -> bool:
        """ "модель, предложенная дизайнером": a passive before an instrumental, which is its agent."""
        return not mask & ~INSTRUMENTAL and any(a.participle for a in adjectives(self.readings(low)))

    def _coordinates(self, tokens: list[Token], i: int, start: int, mask: int) -> bool:
        """ "дружных и организованных граждан": a conjunction or comma between adjectives that agree."""
        if i != start - 1 or not i or not (tokens[i].low == "," or "joining" in self.form(tokens[i].low).roles):
            return False
        both = (tokens[i - 1].low, tokens[start].low)
        agree = all(self.modifier(low) & mask for low in both)
        return agree and (
            self.dictionary or not any(a.part == "noun" and a.cells & mask for a in self.readings(both[0]))
        )

    def adverb(self, low: str) -> bool:
        readings = self.readings(low)
        return self._kinds.get(low) == "other" or (bool(readings) and all(a.adverb for a in readings))

    def agree(self, tokens: list[Token], phrase: Phrase, noun: Noun) -> int:
        """What phrase and noun have in common. A form that is a man's nominative or a woman's other case (больной) is
        read by its place: an object or after a preposition it is no nominative."""
        own = noun.cells
        if noun.kind is not Kind.GUESS and own & NOMINATIVE and own & ~NOMINATIVE and not told(own):
            place = NOMINATIVE if Text(self, tokens).subject(phrase) else ANY & ~NOMINATIVE
            own = own & place or own
        return phrase.cells & own

    def predicate(self, tokens: list[Token], phrase: Phrase) -> Predicate | None:
        """A word of the phrase itself that tells (новая врач, женщина-врач, врач-женщина), else what agrees with it."""
        own = Predicate(phrase.told_by[0], phrase.cells) if phrase.told_by and told(phrase.cells) else None
        sexed = self.noun(tokens[phrase.head].text).kind is Kind.SEXED
        if sexed and not any(self.form(token.low).of_woman for token in tokens):
            return own  # only a woman's word would count
        # "наш посол помогала": a masculine adjective goes with the form, the verb with the woman.
        return super().predicate(tokens, phrase) or own

    def both(self, text: str) -> bool:
        return bool(self.both_pattern.search(text))

    @cached_property
    def both_pattern(self) -> re.Pattern[str]:
        # Автор(ка), вошёл(ла), Користувач(к)и
        return re.compile(r"\w(?:[:*·•_/]-?)\w{1,6}$|\w\(-?\w{1,5}\)\w{0,3}$")

    def verb(self, low: str) -> bool:
        readings = self.readings(low)
        return bool(readings) and readings[0].known and readings[0].part in {"past", "verb"}

    def verbless(self, tokens: list[Token], at: int) -> bool:
        """No word can be a verb or a short adjective, not even one that the dictionary does not have."""
        parts = {a.part for token in tokens[at:] for a in self.readings(token.low)[:2] if token.low not in self._kinds}
        return parts.isdisjoint({"past", "verb", "short"})

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
        return Noun(mask if told(mask) else first, Kind.SEXED if first & (FEMININE | MASCULINE) else Kind.FIXED)
