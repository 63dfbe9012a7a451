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
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar

from evenhand.grammar.base import LONGEST, SAME, Language, fold, nouns_by_form
from evenhand.grammar.families.romance_chain import Chain, Hints
from evenhand.grammar.families.romance_forms import SIDES, GenderForms
from evenhand.grammar.lexicon import PERSON, columns_of
from evenhand.grammar.participants import CARRIED, NOUN, Participant, Scan, Step, Verb
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
    open_gender,
    shows_one_gender,
)
from evenhand.grammar.sentence import Link, Part, Reading, Said, Sentence, Word
from evenhand.tsv import rows, words

FOUR = (MASCULINE & SINGULAR, FEMININE & SINGULAR, MASCULINE & PLURAL, FEMININE & PLURAL)
ACCENTED = re.compile(r"[áéíóúâêô](?!stas?$)[^aeiouáéíóúâêô]{1,3}[ieu]?[^aeiou]{0,2}[ao]s?$")
WE = re.compile(r"(?!suprem|extrem|blasfem)[^áéíóúâêôãõ]+[aei]mos")  # debemos; not íntimos
PARTS = re.compile(r"[-/·•(*]")
VOWELS = frozenset("aeiouyœæ")
IMPURE = re.compile(r"s[^aeiou]|z|gn|ps|pn|x|y|i[aeou]|chef")  # lo chef, as in French

OTHERS = frozenset({"copula", "linking", "modal", "have"})
JOINS = frozenset({"joins", "subordinator", "relative"})
AGENTS = ("or", "ora", "ore", "eur", "euse", "rice")
OTHER_NOUNS = frozenset({Kind.COMMON, Kind.FIXED, Kind.THING})


class RomanceParticipant(Participant):
    """Participles agree with the pronoun before to have; French ones always (`dative`: but for indirect objects)."""

    language: Romance

    def __init__(self, language: Language, person: str) -> None:
        super().__init__(language, person)
        for role in ("article", "been", "time"):
            self._own[role] = self.of(role) | self.language.words_of(role)

    def joins(self, low: str) -> bool:
        return self.language.has(low, *JOINS) or low in self._own.get("joins", ())

    def preposition(self, low: str) -> bool:
        return self.language.governing(low)

    def article(self, low: str) -> int:
        return 0 if self.language.has(low, "fused") else super().article(low)

    def _passed(self, low: str) -> bool:
        if super()._passed(low):
            return True
        been = self.language.has(low, "been") and low not in self.gendered("been")
        return low.endswith(("mente", "ment")) or been

    def _other_verb(self, low: str) -> Verb | None:
        """The forms of classes.tsv are of the third person, but for endings that serve several (podría)."""
        if low in self.gendered("agreeing") or not self.language.has(low, *OTHERS):
            return None
        endings = self.served.get("ending", {})
        served = next((endings[low[k:]] for k in range(1, len(low) - 1) if low[k:] in endings), "3")
        return Verb(self._serves(served), finite=bool(served))

    def _adjective(self, low: str) -> int:
        """In the predicate a looser look at the ending is safe, but for nouns (médecin)."""
        language = self.language
        cells = self.gendered("been").get(low, 0) or language.adjective(low)
        cells = cells or language.listed_as(low, "predicate_words")
        if self.columns(low) and not language.modifier(low):
            return 0
        if not cells and language.noun(low).kind not in OTHER_NOUNS:
            cells = language.predicative(low)
        singular = language.numbered_as(low, plural=False, masculine=not cells & FEMININE)
        return cells if singular or low.endswith("x") or language.has(low, "both_numbers") else 0

    def surely(self, low: str) -> bool:
        return bool(self.cells(low)) and (low in self.gendered("adjective") or bool(self.language.adjective(low)))

    def participle(self, low: str) -> bool:
        return low.isalpha() and low.endswith(self.language.participle_endings) and not low.endswith(AGENTS)

    # -- what agrees besides

    def _steps(self, low: str) -> tuple[bool, bool, tuple[Step, ...]]:
        opens, names, steps = super()._steps(low)
        joined = not opens and self._joins_clitic(low) and low.startswith(self._ends.get("makes", ()))
        return opens, names, (self._made, *steps) if joined else steps

    def with_clitic(self, words: Sequence[str]) -> bool:
        return super().with_clitic(words) or any(map(self._joins_clitic, words))

    def _joins_clitic(self, low: str) -> bool:
        """tratam-me, véxote: a verb with the person's clitic behind it."""
        return low.partition("-")[2] in self.of("clitic") or (self.ends(low, "joined_clitic") and not low.isascii())

    def _says_more(self, scan: Scan, i: int) -> bool:
        """Also "lo que sea necesario", but not "por lo que"."""
        neuter = scan.low(i - 1) in self.of("neuter") and not self.preposition(scan.low(i - 2))
        return neuter or super()._says_more(scan, i)

    def _linking(self, scan: Scan, i: int) -> Verb | None:
        """Not "estado físico", where no verb makes it a participle; nor "em va semblar": it seems so to the person."""
        low, clause = scan.low(i), scan.clause(i)
        if self.language.has(low, "been") and not any(map(self.verb, clause[-4:])):
            return None
        verb = super()._linking(scan, i)
        return None if not scan.mine and low.startswith(self._ends.get("seems", ())) else verb

    def _linked(self, scan: Scan, i: int) -> Said | None:
        """Also "es difícil ser tímida": an infinitive that nobody is named for; a masculine there may mean anybody."""
        said = super()._linked(scan, i)
        if said or not self._anybodys(scan, i):
            return said
        said = self._complement(scan, i + 1)
        alone = said and self._alone_there(scan, said.at) and not self.columns(scan.text(said.at))
        return said if said and alone and said.cells & FEMININE else None

    def _anybodys(self, scan: Scan, i: int) -> bool:
        """A linking infinitive in a clause that names nobody and nothing."""
        verb, clause = self.verb(scan.low(i)), scan.tokens[scan.start : i]
        if self.person != "1" or not verb or verb.finite or not verb.link or not clause or self._named(clause):
            return False
        return not any(self.columns(t.text) or self.article(t.low) or t.low in self.others("subject") for t in clause)

    def _agreeing(self, scan: Scan, i: int) -> Said | None:
        """Also "ten cuidado, hija", and "es peligroso salir sola"."""
        low, before = scan.low(i), scan.low(i - 1)
        end = i + 2 if self.language.has(scan.low(i + 1), "possessive") else i + 1
        called = not (before[0].isalnum() or scan.low(end)[0].isalnum()) and (i > 0 or scan.low(end) == ",")
        if called and low in self.of("vocative"):
            return Said(i, "apposition", self.gendered("vocative")[low], NOUN)
        cells = self.gendered("agreeing").get(low, 0)
        if cells and self.boundary(scan.low(i + 1)) and self._anybodys(scan, i - 1):
            return Said(i, "predicate", cells, CARRIED)
        return super()._agreeing(scan, i)

    def _alone(self, scan: Scan, i: int) -> bool:
        return scan.low(i - 1) in self.served.get("spends", ()) or super()._alone(scan, i)  # las noches que paso solo

    def _behind_place(self, scan: Scan, i: int) -> bool:
        """ "volví del hospital completamente agotada", "tomei banho nua": what only persons are, behind a verb of the
        clause; not "tengo la pierna herida", nor where the clause names another person."""
        at = i - 1
        while at > scan.start and self.passed(scan.low(at)):
            at -= 1
        clause = scan.tokens[scan.start : at + 1]
        if not self.boundary(scan.low(i + 1)) or not any(self.verb(token.low) for token in clause):
            return False
        if self._named(clause) or any(self.columns(t.text) and not self.verb(t.low) for t in clause):
            return False
        article = next((k for k in (at - 1, at - 2) if self.article(scan.low(k))), -1)
        shown = self.article(scan.low(article)) & self.gendered("state").get(scan.low(i), 0)
        return not shown or self.preposition(scan.low(article)) or self.preposition(scan.low(article - 1))

    def _named(self, clause: Sequence[Token]) -> bool:
        """A name behind the first word."""
        return any(token.text.istitle() for token in clause[1:])

    def _joined(self, scan: Scan, at: int) -> Said | None:
        """Also behind "nor", which may come before the first predicate too: ni cansada ni triste."""
        return super()._joined(scan, next((k for k in (at - 1, at - 2) if scan.low(k) in self.of("neither")), at))

    def _object(self, scan: Scan, i: int) -> Said | None:
        """Also a participle after to have: a feminine one can only agree with the pronoun before it. A masculine one
        shows a man where that agreement is a rule and the verb takes no indirect object (m'a aidé)."""
        agrees = self.language.agrees_with_clitic or self.of("dative")
        have, _, subject = scan.low(i + 1).partition("-")
        if scan.low(i) not in self.of("clitic") or not agrees or not self.language.perfect(have):
            return super()._object(scan, i)
        at = self._past(scan, i + 2)
        low = scan.low(at)
        if made := super()._object(scan, i):
            return made  # "tu m'as rendu fier"
        strict = self.of("dative") and low not in self.of("dative") and self.boundary(scan.low(at + 1))
        said = shows_one_gender(self.cells(low)) and self.surely(low) and (self.cells(low) & FEMININE or strict)
        return Said(at, "participle", self.cells(low), CARRIED) if said and not self._own_have(have, subject) else None

    def _own_have(self, have: str, subject: str) -> bool:
        """ "vous avez vu": the pronoun is the subject."""
        verb = self.verb(have)
        return bool(verb and verb.own and not subject)

    def _bare(self, scan: Scan, at: int) -> Said | None:
        said = super()._bare(scan, at)
        if said is None or said.kind != "predicate" or not said.cells & MASCULINE or not self.of("dative"):
            return said
        clitic = not self.of("clitic").isdisjoint(scan.clause(at)[-4:])
        if clitic and said and scan.low(at) in self.of("invariable"):
            return None  # "je me suis fait des amis"
        # "je me suis lavé les mains": the participle agrees with nobody
        return None if clitic and self.article(scan.low(at + 1)) and not self.preposition(scan.low(at + 1)) else said


class Romance(Language):
    """Adjectives may follow, the article usually tells, l' and un' are tokens of their own."""

    family = "romance"
    adjectives_follow = True
    plural_endings: ClassVar[tuple[str, ...]] = ("s",)
    closed = ("copula", "auxiliary", "preposition", "subordinator", "have", "reflexive")
    drops_subjects = True  # a clause may have no subject: "fue arrestada"
    accents_adjectives = False  # an accent on the last syllable but two shows an adjective (prolífica), -mos a verb
    four_endings: tuple[str, ...] = ("o", "a", "os", "as")  # of a regular adjective: m, f, and their plurals
    pairs_in_singular = False  # gender_pairs.tsv has singulars only; plurals add -s
    sure_of_unlisted = 0.0  # confidence that mend wants for a noun behind a determiner that no table knows
    agrees_with_clitic = False  # a participle after have agrees with the pronoun before it: li ha visti
    joins_pronouns = False  # a pronoun may be joined to its verb by a hyphen: est-il
    elides_of = False  # de before a vowel is d'
    either_number = re.compile(r"(?:[iuíúxzéáó]|ap)s$|^.{1,3}s$|x$|\d")  # crisis, país, mes: nouns of one form
    remembers = (*Language.remembers, "modifier", "adjective", "shows", "columns", "_said")
    chain: ClassVar[type[Chain]] = Chain
    participant = RomanceParticipant

    def __init__(self) -> None:
        super().__init__()
        self._four = sorted(zip(self.four_endings, FOUR, strict=True), key=lambda pair: -len(pair[0]))
        self._stems = words(self.folder / "adjective_stems.tsv", "stems")
        self._endings = nouns_by_form(self.folder / "endings.tsv", "ending")
        self._suffixes = list(rows(self.folder / "suffixes.tsv"))
        self._adjectives: dict[str, int] = {}  # by their endings
        self._whole: dict[str, int] = {}
        self._load_adjectives()
        self.participle_endings = tuple(self.words_of("apposed_ending"))
        self.open_ends = tuple(self.words_of("open_ending"))

    def _load_adjectives(self) -> None:
        for row in rows(self.folder / "adjectives.tsv"):
            for ending in row["ending"].split():
                target = self._whole if ending.startswith("=") else self._adjectives
                target[ending.lstrip("=")] = cells_of(row)
        for role, mask in (("masculine_words", MASCULINE), ("feminine_words", FEMININE)):
            self._whole |= dict.fromkeys(self.words_of(role), mask)
        self._whole |= {stem + ending: mask for stem in self.words_of("own_stems") for ending, mask in self._four}
        if "s" in self.plural_endings:  # pobre, pobres
            plurals = {f"{word}s": mask for word, mask in self._whole.items() if word.endswith(("e", "o", "a"))}
            self._whole = plurals | self._whole

    @cached_property
    def gender_forms(self) -> GenderForms:
        return GenderForms(self, self.persons)

    @cached_property
    def pronoun_forms(self) -> dict[tuple[str, str, bool], dict[str, str]]:
        """Pronouns with their other gender's form, by kind, number and whether they are masculine."""
        forms: dict[tuple[str, str, bool], dict[str, str]] = defaultdict(dict)
        for row in rows(self.folder / "pronoun_forms.tsv"):
            for own, other in (("masculine", "feminine"), ("feminine", "masculine")):
                forms[row["kind"], row["number"], own == "masculine"][row[own]] = row[other]
        return forms

    # -- nouns

    def noun(self, text: str) -> Noun:
        low = fold(text)
        if len(low) > LONGEST:
            return Noun(ANY, Kind.GUESS)
        for form in self.lookups(text):
            listed = self._nouns.get(form)
            if listed:
                return self.numbered(low, listed) if form != low or not low.endswith("s") else listed
        guess = self.numbered(low, self.guess(low))
        return guess._replace(kind=Kind.THING) if not self._thing_words.isdisjoint(self.lookups(text)) else guess

    def numbered(self, low: str, noun: Noun) -> Noun:
        """Narrowed by the plural -s, where the language has it."""
        if not self.plural_endings:
            return noun
        plural = low.endswith("s") and not self.ends(low, "singular_ending")
        return Noun(noun.cells & (PLURAL if plural else SINGULAR), noun.kind)

    def guess(self, text: str) -> Noun:
        """By the longest ending; a verb with what it is done to is an instrument: ramasse-miettes, sèche-cheveux."""
        low = fold(text)
        if "-" in low and self.has(low.partition("-")[0], "instrument"):
            return Noun(MASCULINE, Kind.THING)
        return next((self._endings[end] for end in tails(low) if end in self._endings), Noun(ANY, Kind.GUESS))

    def lookups(self, text: str) -> tuple[str, ...]:
        """The form, its singular, and both parts of a hyphenated word."""
        low = fold(text)
        if len(low) > LONGEST:
            return (low,)
        found = [low, *self.singulars(low)]
        if not low.isalpha():  # norte-americano, usuario/a, utilisateur·rice·s
            for part in PARTS.split(low):
                if len(part) > 3:
                    found += [part, *self.singulars(part)]
        elif low.endswith(self.open_ends):
            found.append(f"{low.removesuffix('s')[:-1]}o")  # usuarixs
        return tuple(dict.fromkeys(found))

    def singulars(self, low: str) -> list[str]:
        """Possible dictionary forms of a form, by suffixes.tsv."""
        found: list[str] = []
        for row in self._suffixes:
            stem = low.removesuffix(row["ending"])
            if 1 < len(stem) < len(low) > 3:
                found += [stem + ending.strip("0") for ending in row["dictionary"].split()]
                if row["only"]:
                    break  # alemães are never the plural of alemã
        return found

    def columns(self, text: str) -> int:
        """The columns of our tables, female and male, that have a form of the word: 0 where it names no person."""
        return columns_of(self.persons.known, self.lookups(text)) & PERSON

    def both(self, text: str) -> bool:
        """Also usuarixs, amicə: an ending that is neither's, where a noun for persons has the rest."""
        low = fold(text)
        ends = [end for end in self.open_ends if low.endswith(end)]
        if ends and low.isalpha():
            stem = low.removesuffix(max(ends, key=len))
            return len(stem) > SAME and any(self.noun(stem + end).kind in {Kind.SEXED, Kind.COMMON} for end in "oae")
        return super().both(text)

    def numbered_as(self, low: str, *, plural: bool, masculine: bool) -> bool:
        """True when the ending allows this number."""
        return (low.endswith(("s", "x")) and not self.ends(low, "singular_ending")) == plural

    def open_number(self, low: str) -> bool:
        """True when the noun's ending does not show its number although it looks as if it did."""
        return False

    # -- adjectives

    def modifier(self, low: str) -> int:
        if self.has(low, "anybody"):
            return 0  # "Convide pessoas": a noun, whatever its ending
        if low in self._whole:
            return self._whole[low]
        if len(low) < 4 or low in self._functions:
            return 0
        shown = next((self._adjectives[end] for end in tails(low[2:]) if end in self._adjectives), 0)
        shown = shown or self._by_stem(low)
        if not shown and self.accents_adjectives and ACCENTED.search(low):
            return FEMININE if low.rstrip("s").endswith("a") else MASCULINE
        return shown

    def _by_stem(self, low: str) -> int:
        stems = self._stems
        return next((m for end, m in self._four if low.endswith(end) and low[: len(low) - len(end)] in stems), 0)

    def lists(self, low: str) -> bool:
        """True for an adjective that a table has as a word or by its stem."""
        return low in self._whole or bool(self._by_stem(low))

    def adjective(self, low: str) -> int:
        """Cells of an adjective or participle: `modifier`, but 0 for what is rather a verb."""
        shown = self.modifier(low)
        last = low.rpartition("-")[2]
        if not shown and "-" in low[1:-1] and not self.function_word(low) and not self.function_word(last):
            return self.adjective(last)  # norte-americano
        return 0 if shown and (self.has(low, "verb_too") or self.verb_rather(low, shown)) else shown

    def verb_rather(self, low: str, shown: int) -> bool:
        """True for a word that is rather a verb's form although its ending makes adjectives."""
        return self.accents_adjectives and bool(WE.fullmatch(low))

    def listed_as(self, low: str, role: str) -> int:
        """Cells, by their ending, of words that classes.tsv lists: predicate_words are mostly verbs or nouns elsewhere
        (libera, prête), became are participles that agree before another (stata eletta)."""
        return self._ending_cells(low) if self.has(low, role) else 0

    def one(self, low: str) -> int:
        """Cells of what a partitive begins with: uno, nessuno."""
        either = ANY if self.adverb(low) else 0  # beaucoup
        return self.has(low, "one") and (self.determiner(low) or either or self._ending_cells(low))

    def _ending_cells(self, low: str) -> int:
        return next((mask for ending, mask in self._four if low.endswith(ending)), MASCULINE)

    def shows(self, low: str) -> int:
        """Cells of a determiner, adjective or participle; 0 for other words."""
        return self.listed_as(low, "became") or self.determiner(low) or self.adjective(low)

    def loosely(self, low: str) -> int:
        """Cells by the ending, where hardly anything but an adjective occurs."""
        return self.predicative(low)

    def predicative(self, low: str) -> int:
        """Cells of a word after a copula, where a looser look at the ending is safe."""
        shown = self.modifier(low)
        if shown or len(low) < 4 or self.function_word(low):
            return shown
        noun = self.guess(low)
        return noun.cells if noun.kind in {Kind.GUESS, Kind.SEXED} else 0

    def prenominal(self, low: str, *, inside: bool = True) -> int:
        """Listed adjectives, and participles and nouns in apposition: "nombrada oficial", "profesora asistente"; what
        opens a string or follows a preposition is rather a verb or a noun ("Abilita utente", "di attesa paziente")."""
        if low in self._whole:
            return self._whole[low]
        return self.modifier(low) if (inside or self.lists(low)) and low.endswith(self.participle_endings) else 0

    # -- readings and forms

    def read(self, token: Token) -> tuple[Reading, ...]:
        """All readings, most certain first. A noun that no table has is of either gender; its ending gives its
        number."""
        low = token.low
        if not low[0].isalnum():
            return ()
        numbers = self._numbers(low)
        shown = self.adjective(low) or self.modifier(low)
        part: Part = "participle" if low.endswith(self.participle_endings) else "adjective"
        known = self.lists(low) or (part == "participle" and shows_one_gender(shown))
        readings = [
            *self.closed_readings(low),
            Reading(low, "relative", ANY if self.has(low, "relative") else 0),
            Reading(low, "participle", self.listed_as(low, "been")),
            Reading(low, part, shown & numbers, known),
        ]
        if not self.function_word(low) or self.has(low, "been"):
            forms = self.lookups(token.text)
            known = any(form in self._nouns or form in self.persons.known for form in forms)
            readings.append(Reading(forms[-1], "noun", self.noun(token.text).cells if known else numbers, known))
        if self.verb(low):
            readings.append(Reading(low, "verb", ANY, known=False))
        return tuple(reading for reading in readings if reading.cells)

    def _numbers(self, low: str) -> int:
        """Cells of the numbers that the ending allows."""
        plural, singular = (self.numbered_as(low, plural=p, masculine=True) for p in (True, False))
        return ANY if plural == singular or self.either_number.search(low) else PLURAL if plural else SINGULAR

    def inflect(self, word: Token | Word, *, gender: str, number: str = "", case: str = "") -> str | None:
        low = word.low
        own = {letter for letter in "sp" if self.numbered_as(low, plural=letter == "p", masculine=gender == "m")}
        if gender not in SIDES or (number and number not in own):
            return None
        form = self.gender_forms.other(low, gender, plural="p" in own and number != "s")
        if form is None or not word.text[:1].isupper():
            return form
        return form.upper() if word.text.isupper() and len(form) > 1 else form[:1].upper() + form[1:]

    # -- spelling

    def article_form(self, row: Mapping[str, str], side: str, after: str) -> str:
        """The article of a row of articles.tsv (`side`: masculine, feminine) before the word that follows it."""
        impure = IMPURE.match(unicodedata.normalize("NFD", after))
        for place, fits in (
            ("a", self.has(after, "stressed_a")), ("impure", impure), ("vowel", self.elided(side, after)),
        ):  # fmt: skip
            if fits and (form := row.get(f"{side}_{place}")):
                return form
        return row[side]

    def elided(self, side: str, after: str) -> bool:
        """True where articles of this side are elided before a word."""
        return unicodedata.normalize("NFD", after)[:1] in VOWELS or self.mute(after)

    def mute(self, word: str) -> bool:
        """True for a word that begins with an h that is not heard and after which articles are elided."""
        return False

    def begins_with_vowel(self, word: str) -> bool:
        return unicodedata.normalize("NFD", word)[:1] in VOWELS - {"y"} or self.mute(word)

    # -- other words

    def verb(self, low: str) -> bool:
        """Also present tenses that look like participles: "l'architecte fait cuire du pain"."""
        known = self.ends(low, "verb_ending") and len(low) > 4 and low not in self._nouns
        return known or self.has(low, "present")

    def begins(self, low: str) -> bool:
        return self.has(low, "preposition", "closed")

    def preposition(self, tokens: list[Token], at: int, noun: int) -> bool:
        """Acessível a usuários, relacionado a usuário: inside a sentence, before a noun whose ending is a man's; also
        behind a word that asks for it: candidato a presidente. A relative pronoun has no article (a quem); the ending
        of a name tells nothing (à Chamorro)."""
        text, low = tokens[noun].text, tokens[noun].low
        if not at or not self.has(tokens[at].text, "preposition_too") or text[:1].isupper():
            return False
        if self.relative(low) or any(self.has(token.low, "takes_a") for token in tokens[max(0, at - 2) : at]):
            return True
        return low.endswith(("o", "or", "s")) and not self.noun(text).cells & self.determiner("a")

    def agree(self, tokens: list[Token], phrase: Phrase, noun: Noun) -> int:
        """ "el ama de llaves" is feminine although it takes "el"."""
        article = self.has(tokens[phrase.head - 1].low, "before_stressed_a")
        return noun.cells if article and self.has(tokens[phrase.head].low, "stressed_a") else phrase.cells & noun.cells

    def verbless(self, tokens: list[Token], at: int) -> bool:
        """Prepositions with their nouns are all that follows; an article without one would open an object."""
        before, awaited = "", False  # what the noun to come stands after, and whether none has come at all
        rest = tokens[at:-1] if tokens[-1].low in {".", "!", "…"} else tokens[at:]
        for token in rest:
            low = token.low
            if self.has(low.partition("-")[0], "preposition"):  # also au-dessus
                before, awaited = "preposition", True
            elif not before and token is not rest[0] and self.ends(low, "participle_ending"):
                continue  # "con dinero prestado"
            elif not before:
                return False
            elif self.determiner(low):
                before, awaited = "article", True
            else:
                before, awaited = "", False
        return not awaited

    # -- what agrees

    def agrees_with(self, sentence: Sentence, at: int) -> tuple[Link, ...]:
        """The chain of the noun's gender; of a noun whose phrase leaves it open, the longer of both chains."""
        shown = self.phrase(sentence, at).cells & self.noun(sentence.tokens[at].text).cells
        genders = [gender for gender in (MASCULINE, FEMININE) if shown & gender] or [MASCULINE, FEMININE]
        chains = [self.chain(self, sentence.tokens, at, masculine=gender == MASCULINE) for gender in genders]
        for chain in chains:
            chain.hints = Hints(taken_up=True)
            chain.take_up(object_=False)
        return max((chain.agreeing() for chain in chains), key=len)

    def predicate(self, tokens: list[Token], phrase: Phrase) -> Predicate | None:
        """The first word outside the phrase that agrees with its noun and shows a gender, where all such words show the
        same: "la gerente de ventas fue contratada", "l'insegnante che è arrivata", "Née à Lyon, l'artiste"."""
        said = self._greeted(tokens, phrase) or self._active_as(tokens, phrase.first - 1)
        if said:
            return said
        shown, linked = 0, any(self.has(token.low, "copula") for token in tokens)
        for token in tokens[: phrase.first] + tokens[phrase.last :]:
            cells = self._said(token.low) or (self.determiner(token.low) if linked else 0)  # è anche una pianista
            shown |= cells if not open_gender(cells) else 0
        beyond = [
            said
            for gender in (MASCULINE, FEMININE)
            if shown & gender
            for said in self.chain(self, tokens, phrase.head, masculine=gender == MASCULINE).said_beyond(phrase)
        ]
        return min(beyond) if len({bool(said.cells & FEMININE) for said in beyond}) == 1 else None

    def _said(self, low: str) -> int:
        """Cells of a word that may be said of a noun somewhere in the sentence; 0 for words that never are."""
        return (self.listed_as(low, "became") or self.adjective(low) or self.loosely(low)) if low[0].isalpha() else 0

    def _active_as(self, tokens: list[Token], at: int) -> Predicate | None:
        """ "É muito ativa como artista": the predicate before "as"."""
        linked = at > 1 and any(self.has(token.low, "copula") for token in tokens[max(0, at - 4) : at - 1])
        if not linked or not self.has(tokens[at].low, "as"):
            return None
        low = tokens[at - 1].low
        cells = self.adjective(low) or self.listed_as(low, "predicate_words")
        return Predicate(at - 1, cells) if not open_gender(cells) else None

    def _greeted(self, tokens: list[Token], phrase: Phrase) -> Predicate | None:
        """ "Bienvenidas, estudiantes": the word that welcomes the person agrees with it."""
        at = phrase.first - 1 if phrase.first and tokens[phrase.first - 1].low != "," else phrase.first - 2
        if at < 0 or not self.starts(tokens[at].low, "welcome") or (at and self.determiner(tokens[at - 1].low)):
            return None
        cells = self.predicative(tokens[at].low)
        return Predicate(at, cells) if not open_gender(cells) else None


def tails(low: str) -> Iterator[str]:
    """The endings of a word, the longest first."""
    return (low[k:] for k in range(len(low)))
