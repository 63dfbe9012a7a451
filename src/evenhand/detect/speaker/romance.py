"""Spanish, French, Italian, Portuguese and Catalan: what agrees with "I" (or "you") stands after a linking verb.

"estoy cansada", "je suis née", "sono andato", "fiquei nervosa", "em sento sola"; nouns too: "soy profesora". Where the
verb form serves several persons (era, étais, fosse) the subject of its clause decides; none named is the last one's.
Participles after "to have" agree with nobody here; agreement with an object (il m'a vue) is not looked at.
"""

from __future__ import annotations

from collections.abc import Sequence

from evenhand.detect.speaker.signs import Persons, Sign, Words, gender_of, one
from evenhand.gender import Gender
from evenhand.grammar.families.romance import Romance
from evenhand.grammar.protocol import MASCULINE, SINGULAR, Kind, Language, Token

PLURAL = {"es": ("s",), "pt": ("s",), "ca": ("s",), "it": ("i", "ate", "ite", "ute", "che")}  # French has "je"
OF = frozenset({"de", "d'", "des", "del", "dos", "das", "di", "dei", "delle"})
REACH = 6  # words between a linking verb and what agrees


class RomanceSpeaker:
    """Signs of the speaker's (or listener's) gender; see the module."""

    def __init__(self, language: Language, words: Words, persons: Persons, person: int) -> None:
        assert isinstance(language, Romance)
        self._language, self._persons, self._role = language, persons, words.of
        self._person = person

    def signs(self, tokens: Sequence[Token]) -> list[Sign]:
        found: list[Sign] = []
        mine = self._person == 1  # without a subject a first-person text is about the speaker
        start = 0
        for i, token in enumerate(tokens):
            low = token.low
            if low in self._role("as") and mine and (said := self._apposed(tokens, i + 1)):
                found.append(said)
            if not low[0].isalnum() or low in self._role("joins"):
                start = i + 1
                continue
            named = self._named(tokens, start, i)
            if named is not None:
                mine = named
            if low in self._role("thanks"):
                found.append(Sign(Gender.FEMALE if low.endswith("a") else Gender.MALE, i, "agreement"))
            if low in self._role("self_female") or low in self._role("self_male"):
                if mine and self._emphasised(tokens, i):
                    gender = Gender.FEMALE if low in self._role("self_female") else Gender.MALE
                    found.append(Sign(gender, i, "agreement"))
                continue
            owner = self._linking(tokens, start, i, mine=mine)
            if owner is None:
                continue
            mine = owner
            sign = self._complement(tokens, i + 1) if owner else None
            if sign and not (sign.at and any(other.at == sign.at for other in found)):
                found.append(sign)
        return found

    def _linking(self, tokens: Sequence[Token], start: int, i: int, *, mine: bool) -> bool | None:
        """Whose a linking verb at this place is: True the person's, False another's, None where it is none."""
        low = tokens[i].low
        before = tokens[i - 1].low if i > start else ""
        head, _, tail = low.partition("-")
        if low in self._role("own"):
            return True
        clitic = before in self._role("clitic") or (tail and tail in self._role("clitic"))
        if (head if tail else low) in self._role("own_reflexive") and clitic:
            return True
        if low in self._role("participle"):  # sido, été, stato: whose the auxiliary before it is
            auxiliary = next(
                (t.low for t in reversed(tokens[max(start, i - 3) : i]) if t.low in self._role("have")), ""
            )
            if auxiliary:
                return True
            shared = any(t.low in self._role("have_shared") for t in tokens[max(start, i - 3) : i])
            return mine if shared else None
        shared_reflexive = (head if tail else low) in self._role("shared_reflexive") and clitic
        if low in self._role("shared") or low in self._role("infinitive") or shared_reflexive:
            return mine
        return False if low in self._role("others") else None

    def _named(self, tokens: Sequence[Token], start: int, i: int) -> bool | None:
        """True where the word at i is the person's own subject pronoun, False where it is somebody else's, or a
        determiner or noun that opens its clause; None otherwise."""
        low = tokens[i].low
        if low in self._role("subject"):
            return True
        if low in self._role("other_subject"):
            return False
        if i == start and self._language.determiner(low) and i + 1 < len(tokens) and low not in self._role("times"):
            return None if tokens[i + 1].low in self._role("times") else False
        if i == start and tokens[i].text[:1].isupper() and i and self._language.noun(tokens[i].text).kind is Kind.SEXED:
            return False
        return None

    def _emphasised(self, tokens: Sequence[Token], i: int) -> bool:
        """ "yo misma", "vivo sola": not before a noun or after an article ("la misma casa")."""
        before = tokens[i - 1].low if i else ""
        after = tokens[i + 1].low if i + 1 < len(tokens) else "."
        if self._language.determiner(before):
            return False
        alone = not after[0].isalpha() or self._language.function_word(after)
        return alone or before in self._role("subject")

    def _ends(self, tokens: Sequence[Token], j: int) -> bool:
        """True where nothing follows that the word could be an adverb of: "estoy solo.", "me siento sola en casa"."""
        after = tokens[j + 1].low if j + 1 < len(tokens) else "."
        return not after[0].isalpha() or self._language.role(after, "preposition") or after in self._role("skip")

    def _complement(self, tokens: Sequence[Token], first: int) -> Sign | None:
        """The adjective, participle or noun that agrees, behind adverbs and auxiliaries."""
        reflexive = first > 1 and tokens[first - 2].low in self._role("clitic")
        for j in range(first, min(first + REACH, len(tokens))):
            low = tokens[j].low
            if low in self._role("alone") and self._ends(tokens, j):
                return Sign(Gender.FEMALE if low.endswith("a") else Gender.MALE, j, "agreement")
            skipped = low in self._role("skip") or self._language.role(low, "adverb") or low.endswith(("mente", "ment"))
            if low in self._role("some") and j + 1 < len(tokens) and tokens[j + 1].low in self._role("little"):
                continue  # "un poco cansado"
            if (
                skipped
                or low in self._role("little")
                or self._language.role(low, "auxiliary")
                or low in self._role("participle")
            ):
                shown = self._language.predicative(low) & SINGULAR if low in self._role("agreeing_participle") else 0
                if one(shown):
                    return Sign(gender_of(shown), j, "agreement")
                continue
            if pointing := self._pronominal(tokens, j):  # before prepositions: Portuguese "a" is both
                return pointing
            if not low[0].isalpha() or self._language.role(low, "preposition"):
                return None
            if self._language.determiner(low) and not self._alone(tokens, j):
                return self._nominal(tokens, j)
            return self._bare(tokens, j, reflexive=reflexive)
        return None

    def _apposed(self, tokens: Sequence[Token], at: int) -> Sign | None:
        """ "trabajé como pescador", "como una amiga": the noun behind it, where its form tells."""
        if at >= len(tokens):
            return None
        if self._language.determiner(tokens[at].low):
            return self._nominal(tokens, at)
        gender = self._persons.gender(tokens[at].text) if tokens[at].low[0].isalpha() else None
        return Sign(gender, at, "forms") if gender else None

    def _alone(self, tokens: Sequence[Token], j: int) -> bool:
        """ "todo", "certaine" and their like may stand for themselves; articles may not."""
        after = tokens[j + 1].low if j + 1 < len(tokens) else "."
        if not after[0].isalpha():
            return True
        adjective = tokens[j].low in self._role("certain")
        return adjective and (self._language.role(after, "preposition") or after in self._role("joins"))

    def _pronominal(self, tokens: Sequence[Token], at: int) -> Sign | None:
        """ "el que", "la más alta", "le premier": an article that stands for the person."""
        shown = self._language.determiner(tokens[at].low) & SINGULAR
        if not one(shown) or at + 1 >= len(tokens):
            return None
        low = tokens[at + 1].low
        after = tokens[at + 2].low if at + 2 < len(tokens) else "."
        alone = not after[0].isalpha() or self._language.role(after, "preposition") or after in self._role("joins")
        of = low in OF and tokens[at].low in self._role("one")  # "une de tes employées"
        told = of or low in self._role("who") or low in self._role("degree") or (low in self._role("ordinal") and alone)
        return Sign(gender_of(shown), at, "agreement") if told else None

    def _nominal(self, tokens: Sequence[Token], at: int) -> Sign | None:
        """An article and a noun for a person: "una profesora", "un hombre"; "una persona" tells nothing."""
        shown = self._language.determiner(tokens[at].low) & SINGULAR
        for j in range(at + 1, min(at + 4, len(tokens))):
            low = tokens[j].low
            if not low[0].isalpha() or (self._language.function_word(low) and not self._language.modifier(low)):
                return None
            gender = self._persons.gender(tokens[j].text)
            if gender:
                return Sign(gender, j, "forms")
            kind = self._language.noun(tokens[j].text).kind
            known = any(form in self._persons.forms.known for form in self._language.lookups(tokens[j].text))
            if kind is Kind.FIXED or kind is Kind.THING:
                return None
            if (kind is Kind.COMMON and known) or (kind is Kind.SEXED and known):
                return Sign(gender_of(shown), at, "forms") if one(shown) else None
            if not self._language.modifier(low) and kind is not Kind.COMMON:
                return None
        return None

    def _bare(self, tokens: Sequence[Token], j: int, *, reflexive: bool) -> Sign | None:
        """An adjective, a participle or a noun without an article."""
        low, text = tokens[j].low, tokens[j].text
        if low in self._role("not_adjective") or low.endswith(tuple(self._role("gerund"))):
            return None
        for role, gender in (("female", Gender.FEMALE), ("male", Gender.MALE)):
            if low in self._role(role):
                return Sign(gender, j, "agreement")
        known = any(form in self._persons.forms.known for form in self._language.lookups(text))
        shown = self._language.modifier(low) & SINGULAR
        if (known and not shown) or self._persons.gender(text):
            said = self._persons.gender(text)
            agrees = one(shown) and said is gender_of(shown)
            if said and not agrees:
                return Sign(said, j, "forms")
            if not shown:
                return None
        kind = self._language.noun(text).kind
        if not shown and kind in {Kind.COMMON, Kind.FIXED, Kind.THING}:
            return None
        shown = shown or self._language.predicative(low) & SINGULAR
        if not one(shown) or low.endswith(PLURAL.get(self._language.code, ())):
            return None
        follows = tokens[j + 1].low if j + 1 < len(tokens) else "."
        if reflexive and shown & MASCULINE and self._language.determiner(follows):
            return None  # "je me suis lavé les mains": the participle agrees with nobody
        if follows[0].isalpha() and low in self._role("before_noun"):
            said = self._persons.gender(tokens[j + 1].text)  # "soy buen amigo": the noun is what is said
            return Sign(said, j + 1, "forms") if said else None
        return Sign(gender_of(shown), j, "agreement")


__all__ = ["RomanceSpeaker"]
