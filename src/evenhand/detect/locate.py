"""Where the focus stands in the rendering: a listed form, an aligned word, or a person nobody else explains."""

import math
from collections.abc import Iterable
from itertools import pairwise, permutations
from typing import NamedTuple

from evenhand.detect.align import TENSION, Aligner, Alignment
from evenhand.detect.strength import NOTHING
from evenhand.grammar.base import Language
from evenhand.grammar.english import DETERMINERS, Focus, headword, singular
from evenhand.grammar.lexicon import Column, Concept, Forms, Match
from evenhand.grammar.notation import joins
from evenhand.grammar.protocol import PLURAL, SINGULAR, Kind, Token

EXPLAINED = 0.15  # strength from which a source word may be what a target word renders
NAMED = 0.65  # strength from which a word is the focus itself, a name left as it is, not what the person depends on
SLIGHT = 2 * NOTHING  # strength of a place found without the focus's own words: more than none
FAIRLY = 0.8  # certainty of such a place
PERSON = Column.FEMALE | Column.MALE
MOST = 4  # persons per side that are paired; a longer sentence is left to the alignment alone
NOBODY = math.log(NOTHING) - TENSION  # score of a person without a noun: that of an unlinked word at the other end


class Place(NamedTuple):
    """Where the focus is in the rendering and how sure that is."""

    first: int
    last: int
    columns: int
    certainty: float
    strength: float
    own: bool = False  # a form the user labelled
    taken: bool = False  # another source word explains this word better
    shared: bool = False  # another source word may be rendered by this form too
    relative: bool = False  # an article before a relative pronoun: "los que viven aquí"
    listed: bool = True  # `columns` are the focus's own, not those of another noun for a person
    pronoun: bool = False  # a listed pronoun for a pronoun: nobody doubts that it means the person


class Locator:
    """Finds the focus in renderings of one language."""

    def __init__(self, language: Language, forms: Forms, aligner: Aligner) -> None:
        self.language, self.forms, self.aligner = language, forms, aligner
        self.dictionary = any(path.exists() for path in language.things)
        self._known: dict[str, Concept | None] = {}  # English words seen so far, bounded below

    def find(self, focus: Focus, tokens: list[Token]) -> Place | None:
        """The place of the focus; None when no token can be it."""
        found = self._place(focus, tokens)
        if found is None or found.own or found.pronoun:
            return found
        if len(focus.span) > 1:
            found = self._first_noun(focus, tokens, found)
        if found.columns in {Column.NONE, Column.OTHER}:
            found = self._person_instead(focus, tokens, found)
        if focus.plural and found.strength <= NOTHING:
            found = self._free_relative(tokens) or found
        found = self._modified(focus, tokens, found) or found
        return self._left_to(focus, tokens, found) if found.strength < NAMED or found.shared else found

    def _person_instead(self, focus: Focus, tokens: list[Token], found: Place) -> Place:
        """The person on which the word found depends, or one that nothing explains where the link is weak. A listed
        thing may depend on a person too: l'addetta alle pulizie, l'employé de caisse."""
        if found.strength < NAMED or (found.columns == Column.OTHER and self.language.adjectives_follow):
            found = self._bearer(focus, tokens, found) or found
        thing = found.strength < NAMED and self.language.noun(tokens[found.first].text).kind is Kind.THING
        doubtful = found.strength <= NOTHING or found.taken or (thing and not found.columns)
        return (self._unexplained(focus, tokens) or found) if doubtful else found

    def _first_noun(self, focus: Focus, tokens: list[Token], found: Place) -> Place:
        """The first word of the focus where the word found follows it: "assistant referee" as "помощник судьи"."""
        first = self.forms.concept(focus.words[focus.span[0]].low)
        for match in self.forms.find(first, tokens) if first else ():
            if match.first < found.first < match.last + 3:
                return Place(match.first, match.last, match.columns, 0.9, 1.0)
        return found

    def _place(self, focus: Focus, tokens: list[Token]) -> Place | None:
        concept = self.concept(focus)
        matches = [self._numbered(focus, concept, match, tokens) for match in self.forms.find(concept, tokens)]
        if own := [match for match in matches if match.own]:
            return Place(own[0].first, own[0].last, own[0].columns, 1.0, 1.0, own=True)
        named = [match for match in matches if match.columns & ~Column.OTHER]
        if concept.pronoun:
            return self._pronoun(focus, tokens, named) if named else self._free_relative(tokens)
        if pair := self._pair(focus, tokens, named):
            return pair
        only = self._fitting(focus, tokens, named)
        if only and not self._claimed(focus, tokens, only):
            return Place(only.first, only.last, only.columns, 1.0 if len(named) == 1 else 0.95, 1.0)
        best = self.aligner.best(focus, tokens)
        return self._matched(focus, tokens, matches, best) if best else None

    def _pronoun(self, focus: Focus, tokens: list[Token], named: list[Match]) -> Place:
        """A listed pronoun; before a noun of its own gender (algumas pessoas) it agrees with that."""
        first, last, columns, _ = self._aligned(focus, tokens, named) if len(named) > 1 else named[0]
        after = tokens[last].text if last < len(tokens) else ""
        noun = after[:1].isupper() or not self.language.capitalises_nouns
        if after and noun and self.language.noun(after).kind is Kind.FIXED:
            last, columns = last + 1, Column.NEUTRAL
        return Place(first, last, columns, 1.0 if len(named) == 1 else 0.95, 1.0, pronoun=True)

    def _aligned(self, focus: Focus, tokens: list[Token], named: list[Match]) -> Match:
        """The form that the alignment names, else the first."""
        best = self.aligner.best(focus, tokens)
        return next((match for match in named if best and match.first <= best.at < match.last), named[0])

    def _pair(self, focus: Focus, tokens: list[Token], named: list[Match]) -> Place | None:
        """Both words of a concept, joined: братья и сёстры for the siblings."""
        if len(named) != 2 or named[0].columns | named[1].columns != PERSON or named[0].columns == PERSON:
            return None
        between = [token.low for token in tokens[named[0].last : named[1].first]]
        joined = len(between) == 1 and between[0] in joins(self.language.code)
        if not joined or any(self._claimed(focus, tokens, match) for match in named):
            return None
        return Place(named[0].first, named[1].last, Column.BOTH, 0.95, 1.0)

    def _fitting(self, focus: Focus, tokens: list[Token], named: list[Match]) -> Match | None:
        """The only form of a person, or of several the only one in the source's number."""
        number = PLURAL if focus.plural else SINGULAR
        if len(named) > 1:
            named = [match for match in named if self.language.noun(tokens[match.first].text).cells & number]
        return named[0] if len(named) == 1 else None

    def _numbered(self, focus: Focus, concept: Concept, match: Match, tokens: list[Token]) -> Match:
        """The match as a plural where the source has one and the form is another noun's in the singular: pompieri (fire
        brigade) for the firefighters; zatvorenici are prisoners, or the dative of a woman."""
        token, columns = tokens[match.first], Column.NONE
        if focus.plural and match.columns == Column.OTHER:
            forms = self.language.lookups(token.text)[1:]
            columns = next((concept.single[form] for form in forms if concept.single.get(form, 0) & PERSON), columns)
        elif focus.plural and match.columns == PERSON and not match.own and match.last == match.first + 1:
            for reading in self.language.read(token) if self.language.has_case else ():
                if reading.part == "noun" and reading.cells & PLURAL:
                    columns |= concept.single.get(self.language.plain(reading.lemma), Column.NONE) & PERSON
        return match._replace(columns=columns) if columns else match

    def _matched(self, focus: Focus, tokens: list[Token], matches: list[Match], best: Alignment) -> Place:
        """The aligned word as a place, with the listed form that it belongs to."""
        for match in matches:
            if match.first <= best.at < match.last:
                shared = self._claimed(focus, tokens, match)
                return Place(match.first, match.last, match.columns, max(best.certainty, 0.9), 1.0, shared=shared)
        return Place(best.at, best.at + 1, Column.NONE, best.certainty, best.strength, taken=best.taken)

    def _bearer(self, focus: Focus, tokens: list[Token], found: Place) -> Place | None:
        """The person in "habitantes do norte" (northerners), "operador de telemarketing", "житель Океании": a known
        noun for a person on which the word found depends and which no other source word explains."""
        for i in range(found.first - 1, max(found.first - 4, -1), -1):
            if self.person(tokens[i]) & PERSON:
                if i + 1 == found.first and self._adjective(tokens[i]):
                    return None  # "молодой перекрёсток": its adjective
                low = tokens[i - 1].low if i else "."  # not in "filho mais velho"
                opens = not low[0].isalnum() or (self.language.function_word(low) and not self.language.adverb(low))
                return self._free(focus, tokens, i) if opens else None
            if not self.language.function_word(tokens[i].low):
                return None
        return None

    def _unexplained(self, focus: Focus, tokens: list[Token]) -> Place | None:
        """The nearest known noun for a person that no source word explains, where nothing links any word to the focus:
        "legist" and juriste."""
        found = []
        for i, token in enumerate(tokens if len(tokens) < 200 else ()):
            free = self._free(focus, tokens, i) if self.person(token) & PERSON else None
            named = self.language.noun(token.text).kind in {Kind.COMMON, Kind.SEXED}
            if free and named and (self.language.capitalises_nouns or not self.language.modifier(token.low)):
                found.append(free)
        return min(found, key=lambda p: abs(focus.at / len(focus.words) - p.first / len(tokens)), default=None)

    def _free_relative(self, tokens: list[Token]) -> Place | None:
        """The first plural article with a gender before a relative pronoun: "las que arriesgan", "i 40 che cantano";
        "lo que" is no person."""
        for (i, token), (_, follows) in pairwise((i, t) for i, t in enumerate(tokens) if not t.low.isdecimal()):
            cells = self.language.determiner(token.low) if self.language.relative(follows.low) else 0
            if cells and not cells & SINGULAR:
                return Place(i, i + 1, Column.NONE, FAIRLY, SLIGHT, relative=True)
        return None

    def _modified(self, focus: Focus, tokens: list[Token], found: Place) -> Place | None:
        """The noun after an adjective, when the focus was found in the adjective: "blinde Arbeitnehmerinnen" (the
        blind), "неизлечимо больные пациентки" (terminally ill patients)."""
        if self.language.adjectives_follow or found.last - found.first > 1 or not self._adjective(tokens[found.first]):
            return None
        i = found.last
        if i + 1 < len(tokens) and self.language.function_word(tokens[i].low) and tokens[i].low[0].isalpha():
            i += 1  # "обращённых им учеников"
        if i >= len(tokens):
            return None
        after, capital = tokens[i], self.language.capitalises_nouns
        if not (after.text[:1].isupper() if capital else self.person(after) & PERSON):
            return None
        if not capital and self.language.noun(after.text).kind is Kind.THING:
            return None  # "водительские права": only its spelling is a person's
        if not self.language.noun(after.text).cells & self.language.modifier(tokens[found.first].low):
            return None
        beside = range(focus.span.start - 2, focus.span.stop)  # "Chinese believers" may be "верующие китаянки"
        return self._free(focus, tokens, i, beside)

    def _free(self, focus: Focus, tokens: list[Token], i: int, beside: range | None = None) -> Place | None:
        """tokens[i] as the place, unless a source word explains it that is not the focus or `beside` it."""
        text, own = tokens[i].text, beside or focus.span
        if self.language.capitalises_nouns and not text[:1].isupper():
            return None
        if self._explained((word.low for k, word in enumerate(focus.words) if k not in own), tokens[i]):
            return None
        return Place(i, i + 1, self.person(tokens[i]), FAIRLY, SLIGHT, listed=False)

    def _explained(self, lows: Iterable[str], token: Token) -> bool:
        """True for what one of these source words may be rendered by."""
        return any(self.aligner.strength(low, token.text) >= EXPLAINED for low in lows)

    def _adjective(self, token: Token) -> bool:
        """True for a word that can be an adjective before a noun; in German it has no capital."""
        capital = self.language.capitalises_nouns and token.text[:1].isupper()
        return not capital and bool(self.language.modifier(token.low))

    def person(self, token: Token) -> int:
        """The columns of a form that names a person under another concept, else NONE; a part of a word for a thing
        (petit-déjeuner) names nobody."""
        if "-" in token.low and self.language.noun(token.text).kind is Kind.THING:
            return Column.NONE
        for form in self.language.lookups(token.text):
            columns = self.forms.known.get(form, Column.NONE)
            if columns:
                return columns
        return Column.NONE

    def concept_of(self, word: str) -> Concept | None:
        """The forms of an English word or its singular."""
        known = self._known
        if word not in known:
            if len(known) > 100_000:
                known.clear()
            known[word] = self.forms.concept(word, singular(word)) if len(word) > 2 else None
        return known[word]

    def _claimed(self, focus: Focus, tokens: list[Token], match: Match) -> bool:
        """True when another source word is as likely rendered by this form and by no other."""
        forms = self.language.lookups(tokens[match.first].text)
        for i, (low, _, _) in enumerate(focus.words):
            rival = self.concept_of(low)
            if rival and not rival.pronoun and i not in focus.span and any(form in rival.single for form in forms):
                return True
        return False

    def concept(self, focus: Focus) -> Concept:
        """The forms of the focus; none where no table has them."""
        words, span = focus.words, focus.span
        names = [" ".join(words[i].low for i in span)]
        phrase = [words[i].low for i in range(span[0], focus.at + 1)]  # each one, of us
        for tail in (phrase[k:] for k in range(len(phrase))):
            names += [" ".join(tail), " ".join([*tail[:-1], singular(tail[-1])])]
        before = words[span[0] - 1].low if span[0] else ""
        own = focus.head.low
        last = singular(headword(own))
        known = self.forms.concept(f"{before} {own}", f"{before} {singular(own)}", *names, own, singular(own), last)
        return known or Concept(own)

    def _left_to(self, focus: Focus, tokens: list[Token], found: Place) -> Place:
        """The place that is left to the focus where the noun found belongs to another person of the source; none left:
        a place that is taken. Persons and nouns are paired by strength and nearness, no noun twice."""
        words, persons = focus.words, sorted([focus.at, *self._others(focus)])
        places = self._nouns_left(tokens, found, [words[i].low for i in persons]) if 1 < len(persons) <= MOST else []
        if found.first not in places or len(places) > MOST:
            return found
        scores = {
            (i, j): math.log(max(self._strength_at(focus, i, tokens, j, found), NOTHING))
            - TENSION * abs(i / len(words) - j / len(tokens))
            for i in persons
            for j in places
        }
        ways = permutations([*places, *(-1 for _ in persons)], len(persons))
        best = max(ways, key=lambda way: sum(scores.get(pair, NOBODY) for pair in zip(persons, way, strict=True)))
        i = best[persons.index(focus.at)]
        if i == found.first or found.first not in best:
            return found
        if i < 0:
            return found._replace(strength=NOTHING, taken=True)
        strength = max(SLIGHT, self.aligner.strength(focus.head.low, tokens[i].text))
        return Place(i, i + 1, self.person(tokens[i]), FAIRLY, strength, listed=False)

    def _nouns_left(self, tokens: list[Token], found: Place, lows: list[str]) -> list[int]:
        """Nouns for the persons of the source (`lows`), without adjectives behind a noun: l'addetto libero."""
        places, language = self._candidates(tokens), self.language
        behind = {j for j in places if language.adjectives_follow and j != found.first and j - 1 in places}
        adjectives = {j for j in behind if language.modifier(tokens[j].low)}
        return [j for j in places if j not in adjectives or self._explained(lows, tokens[j])]

    def _strength_at(self, focus: Focus, i: int, tokens: list[Token], j: int, found: Place) -> float:
        """How surely a token renders a source word; a listed form of the focus may have several words."""
        strength = self.aligner.strength(focus.words[i].low, tokens[j].text)
        own = (i, j) == (focus.at, found.first) and found.listed and found.columns
        return max(strength, found.strength) if own else strength

    def _others(self, focus: Focus) -> list[int]:
        """Nouns for persons outside the focus: listed, after a determiner, not the first part of a compound."""
        words, others = focus.words, []
        for i, word in enumerate(words):
            after = self.forms.concept(words[i + 1].low) if i + 1 < len(words) else None
            follows = i + 1 in focus.span or (after is not None and not after.pronoun)
            determined = DETERMINERS & {w.low for w in words[max(0, i - 2) : i]}
            concept = self.concept_of(word.low) if determined and i not in focus.span and not follows else None
            if concept and not concept.pronoun:
                others.append(i)
        return others

    def _candidates(self, tokens: list[Token]) -> list[int]:
        """Tokens that can be a person's noun by the forms tables, the dictionary or their ending."""
        language, places = self.language, []
        for j, token in enumerate(tokens):
            if not token.low[0].isalpha() or language.function_word(token.low):
                continue
            if j and language.perfect(tokens[j - 1].low):
                continue  # "a envoyé un colis" names no envoy
            listed = any(self.forms.known.get(form, 0) & PERSON for form in language.lookups(token.text))
            sexed = language.noun(token.text).kind is Kind.SEXED
            if language.capitalises_nouns:
                fits = (listed or sexed) and token.text[:1].isupper()
            else:
                fits = listed or (not language.modifier(token.low) and (sexed or language.coined(token.low)))
            if fits:
                places.append(j)
        return places
