"""Where the focus stands in the rendering: a listed form, an aligned word, or a person nobody else explains."""

from __future__ import annotations

from typing import NamedTuple

from evenhand.detect.align import Aligner, Link
from evenhand.detect.pairing import PERSON, Pairing
from evenhand.detect.strength import NOTHING
from evenhand.grammar.english import Word, is_plural, singular
from evenhand.grammar.lexicon import Column, Concept, Forms, Match
from evenhand.grammar.protocol import FEMININE, MASCULINE, PLURAL, SINGULAR, Kind, Language, Token

EXPLAINED = 0.15  # strength from which a source word may be what a target word renders
NAMED = 0.65  # strength from which a word is the focus itself, a name left as it is, not what the person depends on
SLIGHT = 2 * NOTHING  # strength of a place found without the focus's own words: more than none
FAIRLY = 0.8  # certainty of such a place
DONE = 0.25  # strength from which a noun may render the verb (сплетник, jugador: gossips, gambles)


class Found(NamedTuple):
    """Where the focus is in the rendering and how sure that is."""

    first: int
    last: int
    columns: int
    certainty: float
    strength: float
    own: bool = False  # a form the user labelled
    taken: bool = False  # another source word explains this word better
    shared: bool = False  # another source word may be rendered by this form too
    listed: bool = True  # `columns` are the focus's own, not those of another noun for a person


class Finder:
    """Finds the focus in renderings of one language."""

    def __init__(self, language: Language, forms: Forms, aligner: Aligner) -> None:
        self.language, self.forms, self.aligner = language, forms, aligner
        self._pairing = Pairing(language, forms, aligner)
        self._known: dict[str, Concept | None] = {}  # English words seen so far, bounded below

    def find(self, words: list[Word], focus: range, at: int, tokens: list[Token]) -> Found | None:
        """The place of words[focus], whose head is words[at]; None when no token can be it."""
        found = self._find(words, focus, at, tokens)
        if found is None or found.own:
            return found
        if found.columns in {Column.NONE, Column.OTHER}:
            if found.strength < NAMED or found.columns:
                found = self._bearer(words, focus, tokens, found) or found
            thing = not found.columns and self.language.noun(tokens[found.first].text).kind is Kind.THING
            if found.strength <= NOTHING or found.taken or (thing and found.strength < NAMED):
                found = self._unexplained(words, focus, at, tokens) or found
        found = self._modified(words, focus, tokens, found) or found
        weak = found.strength < NAMED and (found.columns in {Column.NONE, Column.OTHER} or not found.listed)
        return self._apart(words, focus, at, tokens, found) if weak or found.shared else found

    def _apart(self, words: list[Word], focus: range, at: int, tokens: list[Token], found: Found) -> Found:
        """The place that is left to the focus where the noun found belongs to another person of the source; none left:
        a place that is taken."""
        assigned = self._pairing.of(words, focus, at, tokens)
        if found.first not in assigned.values() or assigned.get(at) == found.first:
            return found
        if at not in assigned:
            return found._replace(strength=NOTHING, taken=True)
        i = assigned[at]
        strength = max(SLIGHT, self.aligner.strength(words[at].low, tokens[i].text))
        return Found(i, i + 1, self.person(tokens[i]), FAIRLY, strength, listed=False)

    def _find(self, words: list[Word], focus: range, at: int, tokens: list[Token]) -> Found | None:
        found = self._place(words, focus, at, tokens)
        if found is None or len(focus) == 1:
            return found
        # "assistant referee" as "помощник судьи", "assistant de l'arbitre": the first word is the person meant.
        first = self.forms.concept(words[focus[0]].low)
        for match in self.forms.find(first, tokens) if first else ():
            between = tokens[match.last : found.first]
            near = match.first < found.first and len(between) < 3
            if near and match.columns & ~Column.OTHER and all(self.language.function_word(t.low) for t in between):
                return Found(match.first, match.last, match.columns, 0.9, 1.0)
        return found

    def _place(self, words: list[Word], focus: range, at: int, tokens: list[Token]) -> Found | None:
        concept = self._concept(words, focus, at)
        matches = self.forms.find(concept, tokens) if concept else []
        matches = [m for m in matches if not self._of_a_thing(words, focus, tokens, m)]
        matches = [m for m in matches if m.own or not self._explained(words, focus, tokens[m.first], m.columns)]
        own = [match for match in matches if match.own]
        if own:
            return Found(own[0].first, own[0].last, own[0].columns, 1.0, 1.0, own=True)
        named = [match for match in matches if match.columns & ~Column.OTHER]
        if len(named) > 1 and not self.language.adjectives_follow:
            # "больные пациентки": the first is the adjective of the second
            starts = {match.first for match in named}
            named = [m for m in named if m.last not in starts or not self._adjective(tokens[m.first])]
        if len(named) == 1 and not self._claimed(words, focus, tokens, named[0]):
            return Found(named[0].first, named[0].last, named[0].columns, 1.0, 1.0)
        if len(named) > 1:
            number = PLURAL if is_plural(words[at].low) else SINGULAR
            fitting = [m for m in named if self.language.noun(tokens[m.first].text).cells & number]
            if len(fitting) == 1 and not self._claimed(words, focus, tokens, fitting[0]):
                return Found(fitting[0].first, fitting[0].last, fitting[0].columns, 0.95, 1.0)
            best = self.aligner.best(words, focus, at, tokens, among=frozenset(m.first for m in fitting or named))
        else:
            best = self.aligner.best(words, focus, at, tokens)
        if best is None:
            return None
        best = self.aligner.capital(words, focus, at, tokens, best)
        if any(m.columns == Column.OTHER and m.first <= best.at < m.last for m in matches):
            best = self._instead(words, focus, at, tokens, best)
        where, certainty = best.at, best.certainty
        for match in matches:
            if match.first <= where < match.last:
                shared = match in named and self._claimed(words, focus, tokens, match)
                return Found(match.first, match.last, match.columns, max(certainty, 0.9), 1.0, shared=shared)
        return Found(where, where + 1, Column.NONE, certainty, best.strength, taken=best.taken)

    def _instead(self, words: list[Word], focus: range, at: int, tokens: list[Token], best: Link) -> Link:
        """Another place for a focus found in a word for a thing that some other source word explains ("chef" in
        "cuisine ... chef" and Küche): a noun for a person that none explains. Otherwise `best`."""
        text = tokens[best.at].text
        if not any(self.aligner.strength(words[i].low, text) > EXPLAINED for i in range(len(words)) if i not in focus):
            return best
        rest = frozenset(i for i in range(len(tokens)) if i != best.at)
        other = self.aligner.best(words, focus, at, tokens, among=rest)
        person = other is not None and self.language.noun(tokens[other.at].text).kind in {Kind.SEXED, Kind.COMMON}
        return other._replace(strength=SLIGHT) if other and person and not other.taken else best

    def _bearer(self, words: list[Word], focus: range, tokens: list[Token], found: Found) -> Found | None:
        """The person in "habitantes do norte" (northerners), "operador de telemarketing", "житель Океании": a known
        noun for a person on which the word found depends and which no other source word explains."""
        for i in range(found.first - 1, max(found.first - 4, -1), -1):
            if self.person(tokens[i]) & PERSON:
                if i + 1 == found.first and not self.language.adjectives_follow and self._adjective(tokens[i]):
                    return None  # "молодой перекрёсток": its adjective
                before = tokens[i - 1].low if i else "."
                stands = self.language.capitalises_nouns or self._opens(before)
                return self._free(words, focus, tokens, i) if stands else None
            if not self.language.function_word(tokens[i].low):
                return None
        return None

    def _unexplained(self, words: list[Word], focus: range, at: int, tokens: list[Token]) -> Found | None:
        """The nearest known noun for a person that no source word explains, where nothing links any word to the focus:
        "legist" and juriste."""
        best: tuple[float, Found] | None = None
        number = PLURAL if is_plural(words[at].low) else SINGULAR
        for i in range(len(tokens)) if len(tokens) < 200 else ():
            found = self._free(words, focus, tokens, i) if self.person(tokens[i]) & PERSON else None
            noun = self.language.noun(tokens[i].text)
            person = noun.kind is Kind.COMMON or (noun.kind is Kind.SEXED and noun.cells & number)
            if found and person and (self.language.capitalises_nouns or not self.language.modifier(tokens[i].low)):
                far = abs(at / len(words) - i / len(tokens))
                if best is None or far < best[0]:
                    best = far, found
        return best[1] if best else None

    def _of_a_thing(self, words: list[Word], focus: range, tokens: list[Token], match: Match) -> bool:
        """True for a form that, standing there, is the adjective of a thing: "зубной зуб", "Los juegos especialistas",
        "Los chismes paramédicos" at the beginning; or of a noun that renders the verb ("Les commères bibliothécaires").
        """
        language, first = self.language, match.first
        if match.own or language.capitalises_nouns or match.last - first > 1:
            return False
        if not language.adjectives_follow:
            thing = language.noun(tokens[match.last].text) if self.aligner.attributive(tokens, first) else None
            return thing is not None and thing.kind is Kind.THING
        if first != 2 or not language.determiner(tokens[0].low) or language.function_word(tokens[1].low):
            return False
        noun, own = language.noun(tokens[1].text), language.noun(tokens[first].text)
        if own.kind is not Kind.COMMON and not (own.kind is Kind.SEXED and language.modifier(tokens[first].low)):
            return False
        if noun.kind is Kind.THING and any(
            noun.cells & gender and own.cells & gender for gender in (FEMININE, MASCULINE)
        ):
            return True
        return not language.modifier(tokens[1].low) and self.done(words, focus, tokens[1])

    def done(self, words: list[Word], focus: range, token: Token) -> bool:
        """True where the token may render the word right after the focus, its verb, as a noun: gambles -> jugador."""
        verb = words[focus.stop].low if focus.stop < len(words) else ""
        if len(verb) < 4 or not verb.endswith(("s", "ed")):
            return False
        base = singular(verb)
        agent = f"{base}r" if base.endswith("e") else f"{base}er"
        return any(self.aligner.strength(name, token.text) >= DONE for name in (verb, agent))

    def _modified(self, words: list[Word], focus: range, tokens: list[Token], found: Found) -> Found | None:
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
        beside = range(focus.start - 2, focus.stop)  # "Chinese believers" may be "верующие китаянки"
        return self._free(words, beside, tokens, i)

    def title(self, words: list[Word], focus: range, tokens: list[Token], found: Found) -> Found | None:
        """The noun for a person beside a name: "die Schriftstellerin Helm", "Helm, Verfasserin von Memoiren". What
        stands beside the name in the source may explain it (the author Helm), other words may not (Helm's father)."""
        places = []
        after = focus.stop < len(words) and words[focus.stop].low == ","
        beside = range(focus.start - 2, focus.stop + 4 if after else focus.stop)
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
            if i < len(tokens) and self._names(tokens[i]) and (free := self._free(words, beside, tokens, i)):
                return free
        return None

    def _names(self, token: Token) -> bool:
        return bool(self.person(token) & PERSON) and not self.language.function_word(token.low)

    def _free(self, words: list[Word], focus: range, tokens: list[Token], i: int) -> Found | None:
        """tokens[i] as the place, unless another source word explains it."""
        text = tokens[i].text
        if self.language.capitalises_nouns and not text[:1].isupper():
            return None
        if self.aligner.participle(tokens, i):
            return None
        claims = (self.aligner.strength(word.low, text) for k, word in enumerate(words) if k not in focus)
        if max(claims, default=0.0) >= EXPLAINED:
            return None
        return Found(i, i + 1, self.person(tokens[i]), FAIRLY, SLIGHT, listed=False)

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

    def _explained(self, words: list[Word], focus: range, token: Token, columns: int) -> bool:
        """True for a form listed as a person that is none by the dictionary and that another source word explains:
        двигатель for the mover, where the source has an engine."""
        if not columns & PERSON or self.language.noun(token.text).kind is not Kind.THING:
            return False
        others = (word.low for i, word in enumerate(words) if i not in focus)
        return any(self.aligner.strength(low, token.text) >= EXPLAINED for low in others)

    def _claimed(self, words: list[Word], focus: range, tokens: list[Token], match: Match) -> bool:
        """True when another source word is as likely rendered by this form and by no other."""
        known, forms = self._known, self.language.lookups(tokens[match.first].text)
        for i, (word, _, _) in enumerate(words):
            if word not in known:
                if len(known) > 100_000:
                    known.clear()
                known[word] = self.forms.concept(word, singular(word)) if len(word) > 2 else None
            rival = known[word]
            if rival and i not in focus and any(form in rival.single for form in forms):
                return True
        return False

    def _concept(self, words: list[Word], focus: range, at: int) -> Concept | None:
        phrase = [words[i].low for i in focus]
        names = []
        for k in range(len(phrase)):
            tail = phrase[k:]
            names += [" ".join(tail), " ".join([*tail[:-1], singular(tail[-1])])]
        before = words[focus[0] - 1].low if focus[0] else ""
        own = words[at].low
        last = singular(own.rsplit("-", 1)[-1])
        return self.forms.concept(f"{before} {own}", f"{before} {singular(own)}", *names, own, singular(own), last)
