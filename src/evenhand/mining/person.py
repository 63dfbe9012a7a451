"""The study's first filter: sentences with exactly one person, named by a noun that leaves the gender open.

Gonen & Webster 2020, "Filtering source sentences": one human entity, not a gendered term (mother), not a name, a noun.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from evenhand.errors import BadInput, Unknown
from evenhand.mining.person_nouns import PersonLexicon
from evenhand.mining.tagging import Tagger, is_noun
from evenhand.mining.tokens import Token, tokens

PRONOUNS = frozenset("he she him her his hers himself herself he's she's".split())
DETERMINERS = frozenset("a an the my your our their this that each every another any some no one".split())


OPENING = frozenset(('"', "“", "”", "'", "‘", ".", "!", "?", ":", "-", "—", "(", "*"))


class Outcome(StrEnum):
    """What became of a sentence; all but `kept` are rows of the funnel."""

    KEPT = "kept"
    NO_PERSON = "no person noun"
    SEVERAL = "more than one person"
    GENDERED = "a gendered noun, title or pronoun"
    NAME = "a name or a title before a name"


class Finding(NamedTuple):
    """The one person noun of a sentence (offsets, end exclusive, its number), or why there is none."""

    outcome: Outcome
    start: int = -1
    end: int = -1
    plural: bool = False


class PersonFinder(Protocol):
    """Finds the one person noun. Pure: a finding depends on its own sentence and the finder's data."""

    @property
    def name(self) -> str: ...

    @property
    def fingerprint(self) -> str: ...

    def find(self, sentences: Sequence[str]) -> list[Finding]:
        """One finding a sentence, in order."""

    def may_be_person(self, word: str) -> bool:
        """Cheap and without context: False when the word can never be accepted. True when that cannot be said."""


class Marked(NamedTuple):
    """A token with what a finder knows about it."""

    token: Token
    person: bool = False
    gendered: bool = False
    name: bool = False
    plural: bool = False


def settle(marked: Sequence[Marked]) -> Finding:
    """The rule that all finders share, once they have marked the tokens."""
    if any(m.token.low in PRONOUNS for m in marked):
        return Finding(Outcome.GENDERED)
    persons = [m for m in marked if m.person or m.gendered]
    if not any(m.person for m in persons):
        return Finding(Outcome.GENDERED if persons else Outcome.NO_PERSON)
    if any(m.name for m in marked):
        return Finding(Outcome.NAME)
    if any(m.gendered for m in persons):
        return Finding(Outcome.GENDERED)
    if len(persons) > 1:
        return Finding(Outcome.SEVERAL)
    only = persons[0]
    return Finding(Outcome.KEPT, only.token.start, only.token.end, only.plural)


class LexiconFinder:
    """The lexicon of person nouns together with HanTa's tags; needs no download.

    A lexicon word counts when it is tagged a noun, or stands right after a determiner (the tagger errs). It does not
    count as the first part of a compound ("customer service", "student nurse": only the nurse). Names are capitalised
    words inside a sentence that are known first names, follow a title, or are in no list of places and times; members
    of a people (Estonians) count as names too, because no substitute fits them.
    """

    def __init__(self, *, threshold: float = 0.5) -> None:
        self.lexicon = PersonLexicon(threshold=threshold)
        self.tagger = Tagger()
        self.name = "lexicon"
        self.fingerprint = f"lexicon-{self.lexicon.fingerprint}-{self.tagger.fingerprint}"

    def may_be_person(self, word: str) -> bool:
        found = self.lexicon.look_up(word.lower())
        return found is not None and not found[0].gender and word.lower() not in self.lexicon.gendered

    def find(self, sentences: Sequence[str]) -> list[Finding]:
        return [self._find(sentence) for sentence in sentences]

    def _find(self, sentence: str) -> Finding:
        words = tokens(sentence)
        # Most sentences name nobody: tag only those in which some word could.
        if not any(self.lexicon.look_up(w.low) for w in words):
            gendered = any(w.low in self.lexicon.gendered for w in words)
            return Finding(Outcome.GENDERED if gendered else Outcome.NO_PERSON)
        if any(w.low in PRONOUNS for w in words):
            return Finding(Outcome.GENDERED)
        tags = self.tagger.tag([self._plain(words, i) for i in range(len(words))])
        return settle([self._mark(words, tags, i) for i in range(len(words))])

    def _mark(self, words: list[Token], tags: list[str], i: int) -> Marked:
        word, low = words[i], words[i].low
        gendered = low.rstrip(".") in self.lexicon.gendered and (is_noun(tags[i]) or tags[i] in ("NP0", "UNC"))
        found = self.lexicon.look_up(low)
        if found is None or gendered:
            return Marked(word, gendered=gendered, name=self._is_name(words, tags, i))
        before = words[i - 1].low if i else ""
        noun = is_noun(tags[i]) or tags[i] == "NP0" or (before in DETERMINERS and not self._noun_follows(tags, i))
        if not noun or self._noun_follows(tags, i):
            return Marked(word)
        if self._is_title(words, i):
            return Marked(word, person=True, name=True)
        return Marked(word, person=True, plural=found[1])

    def _plain(self, words: list[Token], i: int) -> str:
        """The word as the tagger should see it: a capital that only opens a sentence or a quotation is no name's."""
        text = words[i].text.replace("’", "'")
        return text if not self._opens(words, i) or text in self.lexicon.names or text == "I" else text.lower()

    def _opens(self, words: list[Token], i: int) -> bool:
        return i == 0 or words[i - 1].text in OPENING

    def _noun_follows(self, tags: list[str], i: int) -> bool:
        return i + 1 < len(tags) and is_noun(tags[i + 1])

    def _is_title(self, words: list[Token], i: int) -> bool:
        """President Lincoln, Comrade Adair, the Tin Woodman; but not "Yes, Doctor" nor "the boss of Paramount"."""
        before, after = (words[k].text if 0 <= k < len(words) else "" for k in (i - 1, i + 1))
        if words[i].low in self.lexicon.titles and _is_capitalised(after):
            return True
        if not _is_capitalised(words[i].text) or self._opens(words, i):
            return False
        if before.lower() not in DETERMINERS and words[i].low not in self.lexicon.titles:
            return True  # "said Harper"
        return _is_capitalised(after) or (_is_capitalised(before) and not self._opens(words, i - 1))

    def _is_name(self, words: list[Token], tags: list[str], i: int) -> bool:
        text = words[i].text
        if words[i].low.rstrip(".") in self.lexicon.titles and text[:1].isupper() and text.endswith("."):
            return True
        if not _is_capitalised(text):
            return False
        if self._opens(words, i):
            return text in self.lexicon.peoples or (tags[i] == "NP0" and text not in self.lexicon.not_persons)
        if text in self.lexicon.names or text in self.lexicon.peoples:
            return True
        called = words[i - 1].text == "," and (i + 1 == len(words) or words[i + 1].text in ".!?")  # "again, Bart?"
        return (called or tags[i] in ("NP0", "UNC")) and text not in self.lexicon.not_persons


def _is_capitalised(text: str) -> bool:
    """Abbot, but neither CEO nor I."""
    return len(text) > 1 and text[0].isupper() and text[1:].islower()


def open_finder(spec: str, *, threshold: float = 0.5) -> PersonFinder:
    """`lexicon` (the default), `spacy:PIPELINE` or `hf:NAME_OR_DIR` (a token-classification model)."""
    kind, _, argument = spec.partition(":")
    if kind == "lexicon":
        return LexiconFinder(threshold=threshold)
    if kind not in ("spacy", "hf"):
        raise Unknown("person finder", kind, ("lexicon", "spacy", "hf"))
    if not argument:
        raise BadInput(
            f"the person finder {kind} takes an argument: {kind}:{'PIPELINE' if kind == 'spacy' else 'NAME_OR_DIR'}"
        )
    from evenhand.mining import finders

    return finders.SpacyFinder(argument) if kind == "spacy" else finders.TokenClassFinder(argument)
