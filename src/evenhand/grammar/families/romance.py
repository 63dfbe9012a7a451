"""What Spanish, French, Italian, Portuguese and Catalan share: gender and number, no case, endings that often tell.

Besides the tables of `base.py` a folder may hold
    endings.tsv     ending, kind, genders, numbers    unlisted nouns by their longest ending
    adjectives.tsv  ending, genders                   adjectives and participles; "=word" is a whole word
    adjective_stems.tsv                               stems of adjectives with four regular forms (`four_endings`),
                                                      made by builders/adjectives.py
    classes.tsv     role, words                       closed word classes and endings: copula, auxiliary, adverb, ...
                                                      linking: verbs after which an adjective is said of the subject;
                                                      became: participles that agree before another; joins: and, or,
                                                      but; one: what a partitive begins with; verb_too: forms of
                                                      verbs rather than adjectives; fused: holds a preposition
and what `romance_forms.py` describes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar

from evenhand.grammar.base import LONGEST, SAME, BaseLanguage, fold
from evenhand.grammar.families.romance_chain import Chain, Hints
from evenhand.grammar.families.romance_forms import SIDES, GenderForms
from evenhand.grammar.families.romance_participants import RomanceParticipant
from evenhand.grammar.families.romance_pronouns import Pronouns
from evenhand.grammar.lexicon import Column, Forms, shipped_forms
from evenhand.grammar.phrase import told
from evenhand.grammar.protocol import (
    ANY,
    FEMININE,
    MASCULINE,
    PLURAL,
    SINGULAR,
    Kind,
    Noun,
    Phrase,
    Predicate,
    Token,
    cells_of,
)
from evenhand.grammar.sentence import Link, Part, Reading, Sentence, Word
from evenhand.remembered import remembered
from evenhand.tsv import rows, words

FOUR = (MASCULINE & SINGULAR, FEMININE & SINGULAR, MASCULINE & PLURAL, FEMININE & PLURAL)
ACCENTED = re.compile(r"[áéíóúâêô][^aeiouáéíóúâêô]{1,3}[ieu]?[^aeiou]{0,2}[ao]s?$")
WE = re.compile(r"(?!suprem|extrem|blasfem)[^áéíóúâêôãõ]+[aei]mos")  # debemos; not íntimos
VOWELS = frozenset("aeiouyœæ")
IMPURE = re.compile(r"s[^aeiou]|z|gn|ps|pn|x|y|i[aeou]")
WELCOME = ("bienvenid", "benvenut", "bem-vind", "benvingud")  # before the person greeted; French has "bienvenue"
NO_ROLES: frozenset[str] = frozenset()


class Romance(BaseLanguage):
    """Adjectives may follow, the article usually tells, l' and un' are tokens of their own."""

    family = "romance"
    adjectives_follow = True
    plural_endings: tuple[str, ...] = ("s",)
    singular_ends: tuple[str, ...] = ()  # of singulars in -s: francés, português
    drops_subjects = True  # a clause may have no subject: "fue arrestada"
    four_endings: tuple[str, ...] = ("o", "a", "os", "as")  # of a regular adjective: m, f, and their plurals
    pairs_in_singular = False  # gender_pairs.tsv has singulars only; plurals add -s
    agent_feminine: tuple[str, ...] = ()  # endings of feminines whose masculine is the first that fits
    sure_of_unlisted = 0.0  # confidence that mend wants for a noun behind a determiner that no table knows
    agrees_with_clitic = False  # a participle after have agrees with the pronoun before it: li ha visti
    third_person_past: tuple[str, ...] = ()  # endings
    not_after_clitic: tuple[str, ...] = ()  # endings of words before which o, a or el is no pronoun: a extrair
    joins_pronouns = False  # a pronoun may be joined to its verb by a hyphen: est-il
    elides_of = False  # de before a vowel is d'
    either_number = re.compile(r"(?:[iuíúxzéáó]|ap)s$|^.{1,3}s$|x$|\d")  # crisis, país, mes: nouns of one form
    chain: ClassVar[type[Chain]] = Chain
    participant = RomanceParticipant

    def __init__(self) -> None:
        super().__init__()
        self._four = sorted(zip(self.four_endings, FOUR, strict=True), key=lambda pair: -len(pair[0]))
        self._stems = words(self.folder / "adjective_stems.tsv", "stems")
        self._endings = {
            ending: Noun(cells_of(row), Kind(row["kind"]))
            for row in rows(self.folder / "endings.tsv")
            for ending in row["ending"].split()
        }
        self._roles: dict[str, frozenset[str]] = {
            row["role"]: frozenset(row["words"].split()) for row in rows(self.folder / "classes.tsv")
        }
        self._load_adjectives()
        held: dict[str, set[str]] = {}
        for role, members in self._roles.items():
            for word in members:
                held.setdefault(word, set()).add(role)
        self._held = {word: frozenset(roles) for word, roles in held.items()}
        self._functions = self._functions.union(
            *(self._roles.get(role, frozenset()) for role in ("copula", "auxiliary", "preposition", "subordinator"))
        )
        self._participles = tuple(self._roles.get("participle_ending", ()))
        self.participle_endings = tuple(self._roles.get("apposed_ending", ()))
        self._verbs = tuple(self._roles.get("verb_ending", ()))
        self._longest = max(map(len, self._endings), default=0)
        self._longest_adjective = max(map(len, self._adjectives), default=0)
        self.noun = remembered(self.noun)  # type: ignore[method-assign]
        self.lookups = remembered(self.lookups)  # type: ignore[method-assign]
        self.modifier = remembered(self.modifier)  # type: ignore[method-assign]
        self.adjective = remembered(self.adjective)  # type: ignore[method-assign]
        self.shows = remembered(self._shows)
        self._said = remembered(self._said_anywhere)
        self.columns = remembered(self._columns)

    def _load_adjectives(self) -> None:
        self._adjectives: dict[str, int] = {}
        self._whole: dict[str, int] = {}
        for row in rows(self.folder / "adjectives.tsv"):
            for ending in row["ending"].split():
                target = self._whole if ending.startswith("=") else self._adjectives
                target[ending.lstrip("=")] = cells_of(row)
        for role, mask in (("masculine_words", MASCULINE), ("feminine_words", FEMININE)):
            self._whole |= dict.fromkeys(self.words_of(role), mask)
        self._whole |= {stem + ending: mask for stem in self.words_of("own_stems") for ending, mask in self._four}
        for word in self.words_of("short"):
            self._whole[word] = FEMININE if word.endswith(("e", "es")) else MASCULINE

    @cached_property
    def persons(self) -> Forms:
        """Our nouns for persons in this language."""
        return shipped_forms(self)

    @cached_property
    def gender_forms(self) -> GenderForms:
        return GenderForms(self, self.persons)

    @cached_property
    def pronoun_forms(self) -> list[dict[str, str]]:
        """Pronouns in both genders; none where the folder has no such table."""
        return list(rows(self.folder / "pronoun_forms.tsv"))

    def words_of(self, role: str) -> frozenset[str]:
        return self._roles.get(role, frozenset())

    def roles_of(self, low: str) -> frozenset[str]:
        """All roles of a word in classes.tsv."""
        return self._held.get(low, NO_ROLES)

    def role(self, low: str, role: str) -> bool:
        """True when the word has this role in classes.tsv."""
        return low in self._roles.get(role, ())

    def noun(self, text: str) -> Noun:
        low = fold(text)
        if len(low) > LONGEST:
            return Noun(ANY, Kind.GUESS)
        for form in self.lookups(text):
            listed = self._nouns.get(form)
            if listed:
                return self.numbered(low, listed) if form != low or not low.endswith("s") else listed
        if any(form in self._thing_words for form in self.lookups(text)):
            return Noun(self.numbered(low, self.guess(low)).cells, Kind.THING)
        return self.numbered(low, self.guess(low))

    def numbered(self, low: str, noun: Noun) -> Noun:
        """Narrowed by the plural -s, where the language has it."""
        plural = low.endswith("s") and not low.endswith(self.singular_ends)
        return Noun(noun.cells & (PLURAL if plural else SINGULAR), noun.kind)

    def guess(self, text: str) -> Noun:
        low = fold(text)
        for size in range(min(self._longest, len(low)), 0, -1):
            found = self._endings.get(low[-size:])
            if found:
                return found
        return Noun(ANY, Kind.GUESS)

    def lookups(self, text: str) -> tuple[str, ...]:
        """The form, its singular, and both parts of a hyphenated word."""
        low = fold(text)
        if len(low) > LONGEST:
            return (low,)
        found = [low, *self.singulars(low)]
        if "-" in low or "/" in low:
            for part in low.replace("/", "-").split("-"):
                if len(part) > 3:
                    found += [part, *self.singulars(part)]
        return tuple(dict.fromkeys(found))

    def singulars(self, low: str) -> list[str]:
        """Possible singulars of a plural form; the default takes off -s and -es."""
        found = []
        if low.endswith("es") and len(low) > 4:
            found.append(low[:-2])
        if low.endswith("s") and len(low) > 3:
            found.append(low[:-1])
        return found

    def modifier(self, low: str) -> int:
        if self.anybody(low):
            return 0  # "Convide pessoas": a noun, whatever its ending
        if low in self._whole:
            return self._whole[low]
        if len(low) < 4 or low in self._functions:
            return 0
        for size in range(min(self._longest_adjective, len(low) - 2), 0, -1):
            found = self._adjectives.get(low[-size:])
            if found:
                return found
        return self._by_stem(low)

    def read(self, token: Token) -> tuple[Reading, ...]:
        """All readings, most certain first. A noun that no table has is of either gender; its ending gives its
        number."""
        low = token.low
        if not low[0].isalnum():
            return ()
        closed: tuple[tuple[Part, int], ...] = (
            ("determiner", self.determiner(low)),
            ("pronoun", self.pronoun(low)),
            ("relative", ANY if self.role(low, "relative") else 0),
            ("participle", self._ending_cells(low) if self.role(low, "been") else 0),
        )
        found = [Reading(low, part, mask) for part, mask in closed if mask]
        shown = self.adjective(low) or self.modifier(low)
        if shown:
            part: Part = "participle" if low.endswith(self.participle_endings) else "adjective"
            known = self.lists(low) or bool(self._participle(low))
            found.append(Reading(low, part, shown & self._numbers(low), known))
        if not self.function_word(low) or self.role(low, "been"):
            found.append(self._noun_reading(token.text, low))
        if self.verb(low):
            found.append(Reading(low, "verb", ANY, known=False))
        return tuple(found)

    def _noun_reading(self, text: str, low: str) -> Reading:
        forms = self.lookups(text)
        if any(form in self._nouns or form in self.persons.known for form in forms):
            return Reading(forms[-1], "noun", self.noun(text).cells)
        return Reading(forms[-1], "noun", self._numbers(low), known=False)

    def _numbers(self, low: str) -> int:
        """Cells of the numbers that the ending allows."""
        number = (PLURAL if self.numbered_as(low, plural=True, masculine=True) else 0) | (
            SINGULAR if self.numbered_as(low, plural=False, masculine=True) else 0
        )
        return number if number and not self.either_number.search(low) else ANY

    def _ending_cells(self, low: str) -> int:
        return next((mask for ending, mask in self._four if low.endswith(ending)), ANY)

    def agrees_with(self, sentence: Sentence, at: int) -> tuple[Link, ...]:
        """The chain of the noun's gender; of a noun whose phrase leaves it open, the longer of both chains."""
        shown = self.phrase(sentence, at).cells & self.noun(sentence.tokens[at].text).cells
        genders = [gender for gender in (MASCULINE, FEMININE) if shown & gender] or [MASCULINE, FEMININE]
        chains = [self.chain(self, sentence.tokens, at, masculine=gender == MASCULINE) for gender in genders]
        for chain in chains:
            chain.hints = Hints(taken_up=True)
            Pronouns(chain).mark(object_=False)
        return max((chain.agreeing() for chain in chains), key=len)

    def inflect(self, word: Token | Word, *, gender: str, number: str = "", case: str = "") -> str | None:
        low = word.low
        own = {letter for letter in "sp" if self.numbered_as(low, plural=letter == "p", masculine=gender == "m")}
        if gender not in SIDES or (number and number not in own):
            return None
        form = self.gender_forms.other(low, gender, plural="p" in own and number != "s")
        if form is None or not word.text[:1].isupper():
            return form
        return form.upper() if word.text.isupper() and len(form) > 1 else form[:1].upper() + form[1:]

    # -- adjectives by every table

    def adjective(self, low: str) -> int:
        """Cells of an adjective or participle: `modifier`, but 0 for what is rather a verb."""
        shown = self.modifier(low)
        if not shown and "-" in low[1:-1] and not self.function_word(low):
            return self.adjective(low.rpartition("-")[2])  # norte-americano
        if self.role(low, "verb_too") or self.conjugated(low) or (shown and self.verb_rather(low, shown)):
            return 0
        return shown

    def _by_stem(self, low: str) -> int:
        for ending, mask in self._four:
            if low.endswith(ending) and low[: len(low) - len(ending)] in self._stems:
                return mask
        return 0

    def lists(self, low: str) -> bool:
        """True for an adjective that a table has as a word or by its stem."""
        return low in self._whole or bool(self._by_stem(low))

    def conjugated(self, low: str) -> bool:
        """True for a verb's form that ends as adjectives do."""
        return False

    def verb_rather(self, low: str, shown: int) -> bool:
        """True for a word that is rather a verb's form although its ending makes adjectives."""
        return False

    def said(self, low: str) -> int:
        """Cells of an adjective after a linking verb, though it is mostly a verb or a noun elsewhere: libera, prête."""
        return self._ending_cells(low) if self.role(low, "predicate_words") else 0

    def loosely(self, low: str) -> int:
        """Cells by the ending, where hardly anything but an adjective occurs."""
        return self.predicative(low)

    def agreeing_auxiliary(self, low: str) -> int:
        """Cells of a participle that agrees before another: stata eletta, devenue avocate."""
        if not self.role(low, "became"):
            return 0
        return FEMININE if low.endswith(("a", "e", "es")) else MASCULINE

    def one(self, low: str) -> int:
        """Cells of what a partitive begins with: uno, nessuno by their ending where they are no determiners."""
        if not self.role(low, "one"):
            return 0
        return self.determiner(low) or (FEMININE if low.endswith(("a", "as", "e", "es")) else MASCULINE)

    # -- number and persons, as the chain asks for them

    def numbered_as(self, low: str, *, plural: bool, masculine: bool) -> bool:
        """True when the ending allows this number."""
        return (low.endswith(("s", "x")) and not low.endswith(self.singular_ends)) == plural

    def open_number(self, low: str) -> bool:
        """True when the noun's ending does not show its number although it looks as if it did."""
        return False

    def person_forms(self, text: str) -> tuple[str, ...]:
        """Dictionary forms of a noun for a person."""
        return self.lookups(text)

    def _columns(self, text: str) -> int:
        """The columns of our tables, female and male, that have a form of the word: 0 where it names no person."""
        known = 0
        for form in self.person_forms(text):
            known |= self.persons.known.get(form, 0)
        return known & (Column.FEMALE | Column.MALE)

    # -- spelling

    def article_form(self, row: Mapping[str, str], side: str, after: str) -> str:
        """The article of a row of articles.tsv (`side`: masculine, feminine) before the word that follows it."""
        plain = unicodedata.normalize("NFD", after.removesuffix("'"))
        impure = row.get(f"{side}_impure")
        if impure and IMPURE.match(plain):
            return impure
        vowel = row.get(f"{side}_vowel")
        return vowel if vowel and (plain[:1] in VOWELS or self.mute(after)) else row[side]

    def mute(self, word: str) -> bool:
        """True for a word that begins with an h that is not heard and after which articles are elided."""
        return False

    def begins_with_vowel(self, word: str) -> bool:
        return unicodedata.normalize("NFD", word)[:1] in VOWELS - {"y"} or self.mute(word)

    def prenominal(self, low: str) -> int:
        """Listed adjectives, and participles and nouns in apposition: "nombrada oficial", "profesora asistente"."""
        if low in self._whole:
            return self._whole[low]
        return self.modifier(low) if low.endswith(self.participle_endings) else 0

    def collective(self, low: str) -> bool:
        return self.role(low, "collective")

    def anybody(self, low: str) -> bool:
        return self.role(low, "anybody")

    def adverb(self, low: str) -> bool:
        return self.role(low, "adverb")

    def perfect(self, low: str) -> bool:
        return self.role(low, "have")

    def copula(self, low: str) -> bool:
        return self.role(low, "copula") or self.role(low, "auxiliary")

    def both(self, text: str) -> bool:
        """Also usuarixs, amicə: an ending that is neither's, where a noun for persons has the rest."""
        low = fold(text)
        ends = [end for end in self.open_ends if low.endswith(end)]
        if ends and low.isalpha():
            stem = low.removesuffix(max(ends, key=len))
            return len(stem) > SAME and any(self.noun(stem + end).kind in {Kind.SEXED, Kind.COMMON} for end in "oae")
        return super().both(text)

    def relative(self, low: str) -> bool:
        return self.role(low, "relative")

    def verb(self, low: str) -> bool:
        return low.endswith(self._verbs) and len(low) > 4 and low not in self._nouns

    def begins(self, low: str) -> bool:
        return self.role(low, "preposition") or self.role(low, "closed")

    def verbless(self, tokens: list[Token], at: int) -> bool:
        """Prepositions with their nouns are all that follows; an article without one would open an object."""
        before, awaited = "", False  # what the noun to come stands after, and whether none has come at all
        rest = tokens[at:-1] if tokens[-1].low in {".", "!", "…"} else tokens[at:]
        for token in rest:
            low = token.low
            if self.role(low.partition("-")[0], "preposition"):  # also au-dessus
                before, awaited = "preposition", True
            elif not before and token is not rest[0] and low.endswith(self._participles):
                continue  # "con dinero prestado"
            elif not before:
                return False
            elif self.determiner(low):
                before, awaited = "article", True
            else:
                before, awaited = "", False
        return not awaited

    def predicative(self, low: str) -> int:
        """Cells of a word after a copula, where a looser look at the ending is safe."""
        found = self.modifier(low)
        if found or len(low) < 4 or self.function_word(low):
            return found
        noun = self.guess(low)
        return noun.cells if noun.kind in {Kind.GUESS, Kind.SEXED} else 0

    def predicate(self, tokens: list[Token], phrase: Phrase) -> Predicate | None:
        """The first word outside the phrase that agrees with its noun and shows a gender, where all such words show the
        same: "la gerente de ventas fue contratada", "l'insegnante che è arrivata", "Née à Lyon, l'artiste"."""
        greeted = self._greeted(tokens, phrase)
        if greeted:
            return greeted
        shown, linked = 0, any(self.role(token.low, "copula") for token in tokens)
        for token in tokens[: phrase.first] + tokens[phrase.last :]:
            cells = self._said(token.low) or (self.determiner(token.low) if linked else 0)  # è anche una pianista
            shown |= cells if told(cells) else 0
        found = [
            said
            for gender in (MASCULINE, FEMININE)
            if shown & gender
            for said in self.chain(self, tokens, phrase.head, masculine=gender == MASCULINE).said_beyond(phrase)
        ]
        return min(found) if len({bool(said.cells & FEMININE) for said in found}) == 1 else None

    def _greeted(self, tokens: list[Token], phrase: Phrase) -> Predicate | None:
        """ "Bienvenidas, estudiantes": the word that welcomes the person agrees with it."""
        at = phrase.first - 1 if phrase.first and tokens[phrase.first - 1].low != "," else phrase.first - 2
        if at < 0 or not tokens[at].low.startswith(WELCOME) or (at and self.determiner(tokens[at - 1].low)):
            return None
        cells = self.predicative(tokens[at].low)
        return Predicate(at, cells) if told(cells) else None

    def _shows(self, low: str) -> int:
        """Cells of a determiner, adjective or participle; 0 for other words."""
        return self.agreeing_auxiliary(low) or self.determiner(low) or self.adjective(low)

    def _said_anywhere(self, low: str) -> int:
        """Cells of a word that may be said of a noun somewhere in the sentence; 0 for words that never are."""
        if not low[0].isalpha():
            return 0
        return self.agreeing_auxiliary(low) or self.adjective(low) or self.loosely(low)

    def _participle(self, low: str) -> int:
        """Cells of a participle that shows a gender, else 0."""
        mask = self.modifier(low) if low.endswith(self.participle_endings) else 0
        return mask if mask and told(mask) else 0


class Iberian(Romance):
    """Spanish and Portuguese: an accent on the last syllable but two shows an adjective, -mos a verb."""

    agent_feminine = ("ora", "oras")
    open_ends = ("x", "xs")

    def conjugated(self, low: str) -> bool:
        return bool(WE.fullmatch(low))

    def modifier(self, low: str) -> int:
        """Words stressed on the last syllable but two show it by an accent and are no verbs: prolífica, británico."""
        found = super().modifier(low)
        if not found and ACCENTED.search(low) and low not in self._functions:
            return FEMININE if low.rstrip("s").endswith("a") else MASCULINE
        return found
