"""Where the focus stands in the rendering: a listed form, an aligned word, or a person nobody else explains."""

from __future__ import annotations

import math
from itertools import pairwise, permutations
from typing import NamedTuple

from evenhand.detect.align import TENSION, Aligner, Alignment
from evenhand.detect.strength import NOTHING
from evenhand.grammar.english import DETERMINERS, Focus, singular
from evenhand.grammar.lexicon import Column, Concept, Forms, Match
from evenhand.grammar.protocol import FEMININE, MASCULINE, PLURAL, SINGULAR, Kind, Language, Token

EXPLAINED = 0.15  # strength from which a source word may be what a target word renders
NAMED = 0.65  # strength from which a word is the focus itself, a name left as it is, not what the person depends on
SLIGHT = 2 * NOTHING  # strength of a place found without the focus's own words: more than none
FAIRLY = 0.8  # certainty of such a place
PERSON = Column.FEMALE | Column.MALE
MOST = 4  # persons per side that are paired; a longer sentence is left to the alignment alone
NOBODY = NOTHING * math.exp(-TENSION)  # score of a person without a noun: as bad as an unlinked word at the other end
DONE = 0.25  # strength from which a noun may render the verb (сплетник, jugador: gossips, gambles)


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


class Locator:
    """Finds the focus in renderings of one language."""

    def __init__(self, language: Language, forms: Forms, aligner: Aligner) -> None:
        self.language, self.forms, self.aligner = language, forms, aligner
        self._known: dict[str, Concept | None] = {}  # English words seen so far, bounded below

    def find(self, focus: Focus, tokens: list[Token]) -> Place | None:
        """The place of the focus; None when no token can be it."""
        found = self._find(focus, tokens)
        if found is None or found.own:
            return found
        if found.columns in {Column.NONE, Column.OTHER}:
            found = self._person_instead(focus, tokens, found)
        if focus.plural and found.strength <= NOTHING and not found.columns:
            found = self._free_relative(tokens) or found
        found = self._modified(focus, tokens, found) or found
        weak = found.strength < NAMED and (found.columns in {Column.NONE, Column.OTHER} or not found.listed)
        return self._apart(focus, tokens, found) if weak or found.shared else found

    def _person_instead(self, focus: Focus, tokens: list[Token], found: Place) -> Place:
        """The person on which the word found depends, or one that nothing explains where the link is weak."""
        if found.strength < NAMED or found.columns:
            found = self._bearer(focus, tokens, found) or found
        thing = not found.columns and self.language.noun(tokens[found.first].text).kind is Kind.THING
        if found.strength <= NOTHING or found.taken or (thing and found.strength < NAMED):
            found = self._unexplained(focus, tokens) or found
        return found

    def _apart(self, focus: Focus, tokens: list[Token], found: Place) -> Place:
        """The place that is left to the focus where the noun found belongs to another person of the source; none left:
        a place that is taken."""
        assigned = self._pairs(focus, tokens)
        if found.first not in assigned.values() or assigned.get(focus.at) == found.first:
            return found
        if focus.at not in assigned:
            return found._replace(strength=NOTHING, taken=True)
        i = assigned[focus.at]
        strength = max(SLIGHT, self.aligner.strength(focus.head.low, tokens[i].text))
        return Place(i, i + 1, self.person(tokens[i]), FAIRLY, strength, listed=False)

    def _find(self, focus: Focus, tokens: list[Token]) -> Place | None:
        found = self._place(focus, tokens)
        if found is None or len(focus.span) == 1:
            return found
        # "assistant referee" as "помощник судьи", "assistant de l'arbitre": the first word is the person meant.
        first = self.forms.concept(focus.words[focus.span[0]].low)
        for match in self.forms.find(first, tokens) if first else ():
            between = tokens[match.last : found.first]
            near = match.first < found.first and len(between) < 3
            if near and match.columns & ~Column.OTHER and all(self.language.function_word(t.low) for t in between):
                return Place(match.first, match.last, match.columns, 0.9, 1.0)
        return found

    def _place(self, focus: Focus, tokens: list[Token]) -> Place | None:
        concept = self._concept(focus)
        matches = self.forms.find(concept, tokens) if concept else []
        if focus.plural and concept:
            matches = [self._plural(concept, match, tokens) for match in matches]
        for match in matches:
            if match.own:
                return Place(match.first, match.last, match.columns, 1.0, 1.0, own=True)
        named = self._named(tokens, matches)
        fitting = self._fitting(focus, tokens, named) if len(named) > 1 else named
        if len(fitting) == 1 and not self._claimed(focus, tokens, fitting[0]):
            sure = 1.0 if len(named) == 1 else 0.95
            return Place(fitting[0].first, fitting[0].last, fitting[0].columns, sure, 1.0)
        best = self.aligner.best(focus, tokens, among=_starts(named, fitting))
        return self._matched(focus, tokens, matches, named, best) if best else None

    def _fitting(self, focus: Focus, tokens: list[Token], named: list[Match]) -> list[Match]:
        """The matches in the source's number."""
        number = PLURAL if focus.plural else SINGULAR
        return [m for m in named if self.language.noun(tokens[m.first].text).cells & number]

    def _named(self, tokens: list[Token], matches: list[Match]) -> list[Match]:
        """The matches that name a person; of two in a row ("больные пациентки") not the adjective of the second."""
        named = [match for match in matches if match.columns & ~Column.OTHER]
        if len(named) < 2 or self.language.adjectives_follow:
            return named
        starts = {match.first for match in named}
        return [m for m in named if m.last not in starts or not self._adjective(tokens[m.first])]

    def _matched(
        self, focus: Focus, tokens: list[Token], matches: list[Match], named: list[Match], best: Alignment
    ) -> Place:
        """The aligned word as a place, with the listed form that it belongs to."""
        best = self.aligner.capital(focus, tokens, best)
        if any(m.columns == Column.OTHER and m.first <= best.at < m.last for m in matches):
            best = self._instead(focus, tokens, best)
        for match in matches:
            if match.first <= best.at < match.last:
                shared = match in named and self._claimed(focus, tokens, match)
                return Place(match.first, match.last, match.columns, max(best.certainty, 0.9), 1.0, shared=shared)
        return Place(best.at, best.at + 1, Column.NONE, best.certainty, best.strength, taken=best.taken)

    def _plural(self, concept: Concept, match: Match, tokens: list[Token]) -> Match:
        """The match as the plural of a listed form, where the same form is listed as something else for one person:
        pompieri (fire brigade) for the firefighters."""
        if match.columns != Column.OTHER or match.last - match.first > 1:
            return match
        singulars = self.language.lookups(tokens[match.first].text)[1:]
        columns = [concept.single[form] for form in singulars if concept.single.get(form, 0) & PERSON]
        return match._replace(columns=columns[0]) if columns else match

    def _instead(self, focus: Focus, tokens: list[Token], best: Alignment) -> Alignment:
        """Another place for a focus found in a word for a thing that some other source word explains ("chef" in
        "cuisine ... chef" and Küche): a noun for a person that none explains. Otherwise `best`."""
        text = tokens[best.at].text
        if not any(self.aligner.strength(low, text) > EXPLAINED for low in focus.others):
            return best
        rest = frozenset(i for i in range(len(tokens)) if i != best.at)
        other = self.aligner.best(focus, tokens, among=rest)
        person = other is not None and self.language.noun(tokens[other.at].text).kind in {Kind.SEXED, Kind.COMMON}
        return other._replace(strength=SLIGHT) if other and person and not other.taken else best

    def _bearer(self, focus: Focus, tokens: list[Token], found: Place) -> Place | None:
        """The person in "habitantes do norte" (northerners), "operador de telemarketing", "житель Океании": a known
        noun for a person on which the word found depends and which no other source word explains."""
        for i in range(found.first - 1, max(found.first - 4, -1), -1):
            if self.person(tokens[i]) & PERSON:
                if i + 1 == found.first and not self.language.adjectives_follow and self._adjective(tokens[i]):
                    return None  # "молодой перекрёсток": its adjective
                before = tokens[i - 1].low if i else "."
                stands = self.language.capitalises_nouns or self._opens(before)
                return self._free(focus, tokens, i) if stands else None
            if not self.language.function_word(tokens[i].low):
                return None
        return None

    def _unexplained(self, focus: Focus, tokens: list[Token]) -> Place | None:
        """The nearest known noun for a person that no source word explains, where nothing links any word to the focus:
        "legist" and juriste."""
        best: tuple[float, Place] | None = None
        number = PLURAL if focus.plural else SINGULAR
        for i in range(len(tokens)) if len(tokens) < 200 else ():
            found = self._free(focus, tokens, i) if self.person(tokens[i]) & PERSON else None
            noun = self.language.noun(tokens[i].text)
            person = noun.kind is Kind.COMMON or (noun.kind is Kind.SEXED and noun.cells & number)
            if found and person and (self.language.capitalises_nouns or not self.language.modifier(tokens[i].low)):
                far = abs(focus.at / len(focus.words) - i / len(tokens))
                if best is None or far < best[0]:
                    best = far, found
        return best[1] if best else None

    def _free_relative(self, tokens: list[Token]) -> Place | None:
        """The first plural article with a gender right before a relative pronoun: "las que arriesgan"; "lo que" is no
        person."""
        for i, (token, follows) in enumerate(pairwise(tokens)):
            cells = self.language.determiner(token.low) if self.language.relative(follows.low) else 0
            if cells and not cells & SINGULAR and bool(cells & FEMININE) != bool(cells & MASCULINE):
                return Place(i, i + 1, Column.NONE, FAIRLY, SLIGHT, relative=True)
        return None

    def done(self, focus: Focus, token: Token) -> bool:
        """True where the token may render the word right after the focus, its verb, as a noun: gambles -> jugador."""
        verb = focus.next_word
        if len(verb) < 4 or not verb.endswith(("s", "ed")):
            return False
        base = singular(verb)
        agent = f"{base}r" if base.endswith("e") else f"{base}er"
        return any(self.aligner.strength(name, token.text) >= DONE for name in (verb, agent))

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

    def title(self, focus: Focus, tokens: list[Token], found: Place) -> Place | None:
        """The noun for a person beside a name: "die Schriftstellerin Helm", "Helm, Verfasserin von Memoiren". What
        stands beside the name in the source may explain it (the author Helm), other words may not (Helm's father)."""
        places = []
        span = focus.span
        beside = range(span.start - 2, span.stop + 4 if focus.next_word == "," else span.stop)
        for i in range(found.first - 1, max(found.first - 4, -1), -1):
            if not self._names(tokens[i]):
                break
            places.append(i)
        i = found.last + 1
        if i < len(tokens) and tokens[found.last].low == ",":
            while i < len(tokens) and i < found.last + 4 and self.language.determiner(tokens[i].low):
                i += 1
            places.append(i)
        for i in reversed(places):
            if i < len(tokens) and self._names(tokens[i]) and (free := self._free(focus, tokens, i, beside)):
                return free
        return None

    def _names(self, token: Token) -> bool:
        return bool(self.person(token) & PERSON) and not self.language.function_word(token.low)

    def _free(self, focus: Focus, tokens: list[Token], i: int, beside: range | None = None) -> Place | None:
        """tokens[i] as the place, unless a source word explains it that is not the focus or `beside` it."""
        text = tokens[i].text
        if self.language.capitalises_nouns and not text[:1].isupper():
            return None
        if self.aligner.participle(tokens, i):
            return None
        own = beside or focus.span
        claims = (self.aligner.strength(word.low, text) for k, word in enumerate(focus.words) if k not in own)
        if max(claims, default=0.0) >= EXPLAINED:
            return None
        return Place(i, i + 1, self.person(tokens[i]), FAIRLY, SLIGHT, listed=False)

    def _adjective(self, token: Token) -> bool:
        """True for a word that can be an adjective before a noun; in German it has no capital."""
        if self.language.capitalises_nouns and token.text[:1].isupper():
            return False
        return bool(self.language.modifier(token.low))

    def _opens(self, low: str) -> bool:
        """True for a word after which a noun may stand; not in "filho mais velho"."""
        return (
            not low[0].isalnum()
            or bool(self.language.determiner(low))
            or (self.language.function_word(low) and not self.language.adverb(low))
        )

    def person(self, token: Token) -> int:
        """The columns of a form that names a person under another concept, else NONE; a part of a word for a thing
        (petit-déjeuner) names nobody, nor does a German word listed as something else (Apotheke is no Apotheker)."""
        if "-" in token.low and self.language.noun(token.text).kind is Kind.THING:
            return Column.NONE
        for form in self.language.lookups(token.text):
            columns = self.forms.known.get(form, Column.NONE)
            if columns or (self.language.capitalises_nouns and form in self.forms.others):
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
            if rival and i not in focus.span and any(form in rival.single for form in forms):
                return True
        return False

    def _concept(self, focus: Focus) -> Concept | None:
        words, span = focus.words, focus.span
        phrase = [words[i].low for i in span]
        names = []
        for k in range(len(phrase)):
            tail = phrase[k:]
            names += [" ".join(tail), " ".join([*tail[:-1], singular(tail[-1])])]
        before = words[span[0] - 1].low if span[0] else ""
        own = focus.head.low
        last = singular(own.rsplit("-", 1)[-1])
        return self.forms.concept(f"{before} {own}", f"{before} {singular(own)}", *names, own, singular(own), last)

    def _pairs(self, focus: Focus, tokens: list[Token]) -> dict[int, int]:
        """Source index of each person -> token index, without those left over; empty unless the source names another
        person besides the focus. Maximises the product of strength and nearness, no token twice."""
        persons = sorted([focus.at, *self._others(focus)])
        places = self._candidates(tokens) if 1 < len(persons) <= MOST else []
        if not places or len(places) > MOST:
            return {}
        words = focus.words
        length, size = max(len(words), 1), max(len(tokens), 1)
        scores = {
            (i, j): math.log(
                max(self.aligner.strength(words[i].low, tokens[j].text), NOTHING)
                * math.exp(-TENSION * abs(i / length - j / size))
            )
            for i in persons
            for j in places
        }
        nobody = math.log(NOBODY)
        best = max(
            permutations([*places, *(-1 for _ in persons)], len(persons)),
            key=lambda chosen: sum(scores.get(pair, nobody) for pair in zip(persons, chosen, strict=True)),
        )
        return {i: j for i, j in zip(persons, best, strict=True) if j >= 0}

    def _others(self, focus: Focus) -> list[int]:
        """Nouns for persons outside the focus: listed, after a determiner, not the first part of a compound."""
        found, words = [], focus.words
        for i, word in enumerate(words):
            if i in focus.span or len(word.low) < 3 or not DETERMINERS & {w.low for w in words[max(0, i - 2) : i]}:
                continue
            concept = self.concept_of(word.low)
            follows = i + 1 < len(words) and (i + 1 in focus.span or words[i + 1].low in self.forms.concepts)
            if concept and not follows and any(columns & PERSON for columns in concept.single.values()):
                found.append(i)
        return found

    def _candidates(self, tokens: list[Token]) -> list[int]:
        """Tokens that can be a person's noun by the forms tables, the dictionary or their ending."""
        return [
            j for j, token in enumerate(tokens) if self._candidate(token) and not self.aligner.participle(tokens, j)
        ]

    def _candidate(self, token: Token) -> bool:
        language = self.language
        if not token.low[0].isalpha() or language.function_word(token.low):
            return False
        if "-" in token.low and language.noun(token.text).kind is Kind.THING:
            return False  # petit-déjeuner
        if any(self.forms.known.get(form, 0) & PERSON for form in language.lookups(token.text)):
            return not language.capitalises_nouns or token.text[:1].isupper()
        if language.capitalises_nouns:
            return token.text[:1].isupper() and language.noun(token.text).kind is Kind.SEXED
        verbal = language.verb(token.low) or bool(language.modifier(token.low))
        coined = language.coined(token.low) and language.agentive(token.low)
        return not verbal and (coined or language.noun(token.text).kind is Kind.SEXED)


def _starts(named: list[Match], fitting: list[Match]) -> list[int] | None:
    """Where the aligner may choose among several forms, those in the right number first; None where it is free."""
    return sorted(match.first for match in fitting or named) if len(named) > 1 else None
