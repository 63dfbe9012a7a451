"""German and Dutch: a noun's phrase precedes it, a relative pronoun follows its comma.

Prepositions have the roles accusative, dative, either and genitive (German) or preposition (Dutch) in `classes.tsv`.
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from evenhand.grammar.base import Language
from evenhand.grammar.lexicon import Column
from evenhand.grammar.participants import COMMON, NOUN, STOPS, SURE, Participant, Scan, Verb
from evenhand.grammar.phrase import left_open
from evenhand.grammar.protocol import MASCULINE, SINGULAR, Kind, Phrase, Token, cells
from evenhand.grammar.protocol import shows_one_gender as shows
from evenhand.grammar.sentence import Link, Said, Sentence

GOVERNED = (("accusative", "a"), ("dative", "d"), ("either", "ad"), ("genitive", "g"), ("preposition", "ngda"))
QUOTES = frozenset("'`\"“”„‚‘«»›‹-–")
FAR = 9  # words of the longest attribute before its adjective: des für Handel zuständigen Kommissars

NOMINATIVE, ACCUSATIVE = cells(cases="n") & SINGULAR, cells(cases="a") & SINGULAR
ADJECTIVES = 3  # at most, between an article and its noun
LAST = 5  # letters of a compound's last part


class GermanicParticipant(Participant):
    """Reads noun phrases only. A capital shows the polite pronoun, but for the first word: "Sind Sie Ärztin?"."""

    drops_subjects = False

    def links(self, tokens: Sequence[Token]) -> tuple[Said, ...]:
        formal = self.of("formal") | self.others("formal")
        polite = (i and t.text in formal and tokens[i - 1].low not in STOPS for i, t in enumerate(tokens))
        return super().links([t._replace(low=t.text) if p else t for t, p in zip(tokens, polite, strict=True)])

    def _names(self, scan: Scan, i: int) -> bool:
        return False

    def _other_verb(self, low: str) -> Verb | None:
        return None

    def _adjective(self, low: str) -> int:
        return 0

    def _noun(self, text: str) -> int:
        """A compound shows its last part, men's too: Modeberater."""
        found, low = super()._noun(text), text.lower()
        if found or self.columns(text) or not self.language.noun(text).cells & SINGULAR:
            return found if self.language.noun(text).cells & SINGULAR else 0
        if self.language.noun(text[:-1]).kind is Kind.COMMON and low.endswith(tuple(self.gendered("strong"))):
            return MASCULINE if low.endswith("er") else 0  # Letzter, beside Letzte
        tails = (self.known.get(low[k:], 0) for k in range(2, len(low) - LAST + 1))
        return MASCULINE if next(filter(None, tails), 0) == Column.MALE else 0

    def _opens_phrase(self, scan: Scan, i: int) -> bool:
        """A subject is in the nominative: not "Zeuge eines Streits"."""
        return bool(self.article(scan.low(i)) & NOMINATIVE) and super()._opens_phrase(scan, i)

    def _open(self, scan: Scan, i: int) -> Said | None:
        """A clause needs a subject of its own, but for one joined by "and" and ", die Beste zu sein"."""
        end = next(k for k in range(i + 1, len(scan.tokens) + 1) if not scan.low(k)[0].isalnum())
        verb = self.verb(scan.low(end - 1)) if scan.low(end - 2) in self.of("to") else None
        said = self._noun_at(scan, i + 1) if scan.mine and verb and verb.link else None
        scan.mine = scan.mine and scan.low(i) in self.of("and")
        return super()._open(scan, i) or said

    def _whose(self, scan: Scan, i: int, verb: Verb) -> bool:
        """The subject may follow its verb: "Gestern war ich". An imperative opens its sentence: not "er sei"."""
        if scan.low(i) in self.of("imperative") and scan.low(i - 1) not in STOPS:
            return False
        if self._subject_ahead(scan, i + 1, i + 4):
            scan.mine = True
        return super()._whose(scan, i, verb)

    def _subject_ahead(self, scan: Scan, first: int, last: int) -> bool:
        for k in range(first, last):
            if not scan.low(k)[0].isalpha() or self.joins(scan.low(k)):
                return False
            if scan.low(k) in self.of("subject"):
                return True
        return False

    def _linked(self, scan: Scan, i: int) -> Said | None:
        """ "Ich werde Lehrerin"; "ich werde meine Lehrerin fragen" says nothing of me."""
        said = super()._linked(scan, i)
        noun = said.at + 1 if said and said.kind == "determiner" else said.at if said else i
        ends = not scan.low(noun + 1)[0].isalpha() or self.joins(scan.low(noun + 1))
        return said if ends or scan.low(i) not in self.of("future") else None

    def _reflexive(self, scan: Scan, i: int) -> bool:
        return not self.of("clitic").isdisjoint(scan.low(k) for k in range(i - 3, i + 4))

    def _capital(self, scan: Scan, at: int) -> bool:
        return not self.language.capitalises_nouns or scan.text(at)[0].isupper()

    def _complement(self, scan: Scan, first: int) -> Said | None:
        """Behind adverbs and a place: "war in der Schule immer die Beste"."""
        at = self._past(scan, first)
        if self.preposition(scan.low(at)):
            near = range(at + 1, at + ADJECTIVES + 1)
            noun = next((k for k in near if scan.low(k)[0].isalpha() and self._capital(scan, k)), at)
            at = self._past(scan, noun + 1)
        return self._noun_at(scan, at + 1 if scan.low(at) in self.of("like") else at)

    def _object(self, scan: Scan, i: int) -> Said | None:
        """ "nannten mich einen Lügner", "hielt mich für eine Diebin"."""
        makes = self._ends.get("makes", ())
        if not makes or not any(scan.low(k).startswith(makes) for k in (i - 1, i - 2)):
            return None
        return self._noun_at(scan, self._past(scan, i + 1 + (scan.low(i + 1) in self.of("for"))), ACCUSATIVE)

    def _before(self, scan: Scan, i: int) -> Said | None:
        """The noun phrase that ends before a verb at the end of its clause."""
        if not self.boundary(scan.low(i + 1)) and self.verb(scan.low(i + 1)) is None:
            return None
        first = noun = i - 1
        opens = noun < scan.start or scan.low(noun - 1) in STOPS
        if opens or not scan.low(noun)[0].isalpha() or not self._capital(scan, noun):
            return None
        while first > scan.start and noun - first < ADJECTIVES and self._attribute(scan, first - 1):
            first -= 1
        first -= bool(self.article(scan.low(first - 1)))
        return None if self.preposition(scan.low(first - 1)) else self._noun_at(scan, first)

    def _attribute(self, scan: Scan, at: int) -> bool:
        low = scan.low(at)
        adjective = self.language.modifier(low) or self.ends(low, "adjective_ending")
        if self.language.capitalises_nouns and self._capital(scan, at):
            return False
        return bool(adjective) and not self.language.function_word(low) and not self.passed(low)

    def _noun_at(self, scan: Scan, at: int, case: int = NOMINATIVE) -> Said | None:
        """The noun of a phrase that begins here: its form, or its article where it has one form for both."""
        low = scan.low(at)
        if low in self.gendered("pointing"):
            return Said(at, "determiner", self.gendered("pointing")[low], SURE)  # derjenige, der
        shown = self.article(low) if not self.preposition(low) else 0
        noun = at + 1 if shown else at
        if shown and not shown & case:
            return None
        while noun < at + ADJECTIVES and self._before_person(scan, noun):
            noun += 1
        if not scan.low(noun)[0].isalpha() or not self._capital(scan, noun) or self._genitive(scan.low(noun)):
            return None
        if gender := self.noun(scan.text(noun)):
            return Said(noun, "apposition", gender, NOUN)
        return self._open_form(scan, at, noun, shown & case)

    def _before_person(self, scan: Scan, at: int) -> bool:
        """An adjective, or a noun that is written as a word before another: Personal Trainerin."""
        if self._person(scan, at):
            return False
        apart = scan.text(at)[0].isupper() and scan.text(at + 1)[0].isupper() and self._person(scan, at + 1)
        return self._attribute(scan, at) or apart

    def _open_form(self, scan: Scan, at: int, noun: int, shown: int) -> Said | None:
        """An adjective as a noun: its article decides, without one its ending ("als Letzter", "als Letzte")."""
        text, low = scan.text(noun), scan.low(noun)
        if not self.language.noun(text).cells & SINGULAR:
            return None
        one = self.columns(text) & COMMON == COMMON or self.language.noun(text).kind is Kind.COMMON
        if not (one or (shown and self.ends(low, "ranked"))):
            return None
        if shown:
            return Said(at, "determiner", shown, NOUN) if shows(shown) else None
        strong = next((mask for end, mask in self.gendered("strong").items() if low.endswith(end)), 0)
        return Said(noun, "apposition", strong, NOUN) if strong else None

    def _genitive(self, low: str) -> bool:
        """ "min mors bil"."""
        return low.endswith("s") and low not in self.known and low[:-1] in self.known

    def _person(self, scan: Scan, at: int) -> bool:
        return self._capital(scan, at) and bool(self.columns(scan.text(at)))

    def _as(self, scan: Scan, i: int) -> Said | None:
        """ "Als Ärztin habe ich"; not in a comparison: "mehr als ihr Bruder"."""
        if scan.low(i) not in self.of("as") or self.ends(scan.low(i - 1), "compared"):
            return None
        if scan.low(i) in self.of("bare") and self.article(scan.low(i + 1)):
            return None  # "du låter som din mor"
        mine = scan.mine or self._subject_ahead(scan, i + 1, len(scan.tokens))
        return self._noun_at(scan, i + 1) if mine or not self.of("clitic").isdisjoint(scan.clause(i)) else None


class Germanic(Language):
    """What the two languages share; what an adjective is, each says itself (`attributive`)."""

    family = "germanic"
    participant = GermanicParticipant

    def governs(self, low: str) -> str:
        """The cases that a preposition may govern; empty for other words."""
        return next((cases for role, cases in GOVERNED if self.has(low, role)), "")

    def determines(self, tokens: list[Token], at: int) -> bool:
        """A determiner; not am in "am meisten"."""
        return bool(self.determiner(tokens[at].low))

    def attributive(self, tokens: list[Token], at: int) -> bool:
        """A word that may be an adjective between a determiner and its noun."""
        return bool(self.modifier(tokens[at].low))

    def surely_attributive(self, tokens: list[Token], at: int) -> bool:
        """The same without a determiner: no verb ("sagte Lehrerin Meier")."""
        return False

    def doubles(self, tokens: list[Token], at: int) -> bool:
        """A determiner before another: all die, die beiden."""
        return False

    # -- the phrase

    def attributes(self, tokens: list[Token], head: int) -> tuple[list[int], list[int]]:
        """Determiners and adjectives of the noun, the nearest first."""
        at, adjectives = self._adjectives(tokens, head)
        near = at >= 0 and self.determines(tokens, at)
        if near:
            return [at, at - 1] if at and self.doubles(tokens, at - 1) else [at], adjectives
        far = self._far(tokens, adjectives[-1], head) if adjectives else None
        if far is not None:
            return [far], adjectives
        return [], list(takewhile(lambda i: self.surely_attributive(tokens, i), adjectives))

    def _adjectives(self, tokens: list[Token], head: int) -> tuple[int, list[int]]:
        """The adjectives, and where something else stands: the determiner, if the noun has one."""
        adjectives: list[int] = []
        at, adverbs = head - 1, 0
        while at >= 0 and not self.determines(tokens, at):
            beside = bool(adjectives) and adjectives[-1] == at + 1 + adverbs
            if self.attributive(tokens, at):
                adjectives.append(at)
                adverbs = 0
            elif beside and self.qualifies(tokens, at):
                adverbs += 1  # äußerst kompetenter
            elif (beside and at and self._joins(tokens, at)) or self.between(tokens, at, head):
                adverbs = 0  # junge, begabte; klug und fleißig
            else:
                break
            at -= 1
        return at, adjectives

    def _joins(self, tokens: list[Token], at: int) -> bool:
        joined = tokens[at].low == "," or self.has(tokens[at].low, "coordinator")
        return joined and self.attributive(tokens, at - 1)

    def qualifies(self, tokens: list[Token], at: int) -> bool:
        """A word that only says how an adjective is meant: sehr, äußerst, international."""
        low = tokens[at].low
        closed = ("coordinator", "subordinator", "nominative", "nonsubject", "singular", "plural", "copula")
        plain = tokens[at].text[0].islower() and not self.governs(low)
        return plain and not self.has(low, *closed)

    def between(self, tokens: list[Token], at: int, head: int) -> bool:
        """What may stand between determiner and noun and is no adjective: figures, quotation marks."""
        low = tokens[at].low
        return low[0].isdigit() or low in QUOTES

    def _far(self, tokens: list[Token], first: int, head: int) -> int | None:
        """des für Handel zuständigen Kommissars: a determiner before what belongs to the adjective."""
        noun = self.noun(tokens[head].text).cells
        if self.governs(tokens[first - 1].low):
            return None  # Firmen, die mit Geld an öffentliche Stellen gelangten
        for at in range(first - 2, max(-1, first - FAR), -1):
            if not (tokens[at].low[0].isalnum() or tokens[at].low in QUOTES):
                return None
            if self.determines(tokens, at) and self.governs(tokens[at + 1].low):
                return at if self.determiner(tokens[at].low) & self.modifier(tokens[first].low) & noun else None
        return None

    def own_phrase(self, tokens: list[Token], first: int, last: int, number: int) -> Phrase | None:
        determiners, adjectives = self.attributes(tokens, first)
        if not adjectives and not determiners:
            return Phrase(first, last, first, number, ())
        cells, spoke = left_open(self, tokens, determiners, adjectives, number)
        return Phrase(min(*determiners, *adjectives, first), last, first, cells, tuple(spoke))

    # -- what agrees

    def agrees_with(self, sentence: Sentence, at: int, *, gender: str = "", number: str = "") -> tuple[Link, ...]:
        """`gender` and `number` of the noun are asked of its forms where they are not given."""
        determiners, adjectives = self.attributes(sentence.tokens, at)
        links = {i: Link(i, "determiner", 0.99) for i in determiners if self.inflects(sentence.tokens[i].low)}
        links |= {i: Link(i, "adjective", 0.97) for i in adjectives}
        for link in self.beyond(sentence, at, gender, number):
            links.setdefault(link.at, link)
        return tuple(link for _, link in sorted(links.items()))

    def inflects(self, low: str) -> bool:
        """True for a determiner whose form depends on its noun; Dutch mijn, hun do not."""
        return True

    def beyond(self, sentence: Sentence, at: int, gender: str, number: str) -> Iterator[Link]:
        """What agrees outside the noun's phrase."""
        yield from ()
