"""One German noun phrase in the other gender: determiner, adjectives and noun, in the case that they have."""

from __future__ import annotations

from evenhand.gender import Gender
from evenhand.grammar.english import source_words
from evenhand.grammar.german import STRONG as STRONG_CELLS
from evenhand.grammar.german import WEAK as WEAK_CELLS
from evenhand.grammar.german import German
from evenhand.grammar.lexicon import Column, Forms
from evenhand.grammar.phrase import noun_phrase
from evenhand.grammar.protocol import SINGULAR, Kind
from evenhand.mend.declension import CASES, JOINED, Manner, adjective, determiner, ending, manner
from evenhand.mend.german_case import CASE_CELLS, GermanRoles, Sentence
from evenhand.mend.german_nouns import GermanNouns
from evenhand.mend.german_number import CELLS, Number
from evenhand.mend.german_pronouns import relative
from evenhand.mend.rewriting import Task, cased

TITLES = frozenset({"herr", "herrn", "frau"})
ORDINALS = frozenset("erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte letzte".split())
ENDINGS = ("em", "en", "er", "es", "e")
WEAK_NOUNS = ("therapeut", "therapeuten")  # no adjectives, though they end so
OWNERS = frozenset("der dieser jener unserer meiner ihrer seiner eurer".split())
ONE_OF = {
    Gender.FEMALE: dict(
        pair.split(":")
        for pair in "einer:eine jeder:jede keiner:keine mancher:manche dieser:diese derjenige:diejenige einen:eine "
        "einem:einer jeden:jede jedem:jeder".split()
    ),
    Gender.MALE: dict(
        pair.split(":") for pair in "eine:einer jede:jeder keine:keiner manche:mancher diejenige:derjenige".split()
    ),
}


class Unclear(Exception):
    """Raised with the reason for which the mender declines."""


class Tables:
    """What the rewriting of every rendering asks."""

    def __init__(self, language: German, forms: Forms) -> None:
        self.language, self.forms = language, forms
        self.roles, self.nouns = GermanRoles(), GermanNouns(forms)


class Phrases:
    """The phrases of one rendering; `pieces` collects what is replaced, `marked` the words touched."""

    def __init__(self, tables: Tables, task: Task, *, neutral: bool = False) -> None:
        self.neutral = neutral
        self.tables, self.task, self.language = tables, task, tables.language
        self.roles, self.tokens = tables.roles, task.tokens
        self.sentence = Sentence(self.language, self.roles, task.tokens)
        self.number = Number(self.sentence, tables.nouns, task)
        self.pieces: dict[int, tuple[int, int, str]] = {}
        self.marked: set[int] = set()

    def rewrite(self, head: int) -> tuple[int, str, bool]:
        """Puts the phrase of the noun into the wanted gender; where it begins, its case, and whether it is plural."""
        task, tokens = self.task, self.tokens
        phrase = noun_phrase(self.language, tokens, head, head + 1, CELLS[task.before])
        first = head if self.sentence.apart(phrase.first, head) else phrase.first
        plural = self.number.plural(head, first) and not self.number.slip(head)
        if plural:
            case = "d" if self.number.dative_plural(first, head) else "n"
            self._noun(head, Manner.WEAK, case, plural=True)
            self._one_of(first)
            return first, case, True
        determiners = list(filter(self.determines, range(first, head)))
        if self.sentence.low(head - 1) in TITLES and not self.neutral:
            return self._titled(head)
        if not determiners:
            first = self.bare(head, ENDINGS)
            if first < head and first and self.determines(first - 1):
                first -= 1  # eine kluge und fleißige Schülerin
                determiners = [first]
            else:
                far = self._far_determiner(first, head)
                determiners = [far] if far is not None else []
                first = self.bare(head) if far is None else first
        how = manner(tokens[determiners[-1]].low) if determiners else Manner.STRONG
        case = self._case(first, head, determiners, how)
        for i in determiners:
            self._determiner(i, case, head)
        for i in sorted({*range(first, head)} - {*determiners}):
            self._adjective(i, how, case)
        self._noun(head, how, case, plural=False)
        return first, case, False

    def _far_determiner(self, first: int, head: int) -> int | None:
        """des für Handel zuständigen Kommissars: an article before what belongs to the adjective."""
        if first == head:
            return None
        for i in range(first - 2, max(-1, first - 9), -1):
            if self.sentence.stop(i) or self.sentence.low(i) == ",":
                return None
            if self.determines(i) and self.roles.governs(self.sentence.low(i + 1)):
                return i if self.language.determiner(self.tokens[i].low) & CELLS[self.task.before] & SINGULAR else None
        return None

    def _titled(self, head: int) -> tuple[int, str, bool]:
        """Herr Präsident, der Frau Präsidentin."""
        title, led = self.sentence.low(head - 1), self.determines(head - 2)
        first = head - 2 if led else head - 1
        case = "n" if title == "herr" else self._case(first, head, [first] if led else [], Manner.STRONG)
        if led:
            self._determiner(first, case, head)
        self._noun(head, Manner.STRONG, case, plural=False)
        self.put(head - 1, "frau" if title != "frau" else "herr" if case == "n" else "herrn")
        return first, case, False

    def _case(self, first: int, head: int, determiners: list[int], how: Manner) -> str:
        """By determiner, adjectives and noun; then by its place."""
        tokens, mask = self.tokens, CELLS[self.task.before] & SINGULAR
        for i in sorted({*determiners, *range(first, head)}):
            low = tokens[i].low
            own = self.language.determiner(low) if self.determines(i) else 0
            if not own and not self.language.modifier(low):
                continue
            if not own:
                table = STRONG_CELLS if how is Manner.STRONG else WEAK_CELLS
                own = next((table[e] for e in ENDINGS if low.endswith(e)), 0)
            mask = mask & own or mask
        options = "".join(case for case in CASES if mask & CASE_CELLS[case])
        behind = self.sentence.low(head + 1) in {"zufolge", "zuliebe"}
        asked = "d" if behind else self.sentence.governing(first) if determiners else ""
        if asked and not set(asked) & set(options):  # mit der Wachmann: a slip, but the preposition says the case
            own = self.language.determiner(tokens[determiners[-1]].low) & CELLS[self.task.wanted] & SINGULAR
            options = "".join(case for case in asked if own & CASE_CELLS[case]) or asked
        if self.task.before is Gender.MALE and len(options) > 1:
            options = self._by_noun(tokens[head].low, options)
        if not determiners and len(options) > 1:
            bare = self.sentence.governing(first)
            shared = [case for case in options if case in bare]
            options = shared[0] if shared else options
            start = first - (self.sentence.capital(first - 1) and self.sentence.low(first - 1).endswith("s"))
            if len(options) > 1 and self.sentence.low(start - 1) in {"als", "wie"}:
                options = "n"
        if self.task.before is self.task.wanted:
            return options[0]  # the forms stay
        case = self.sentence.case(min([first, *determiners]), head, options)
        if case is None:
            raise Unclear(f"the case of {tokens[head].text!r} is not clear")
        return case

    def _by_noun(self, low: str, options: str) -> str:
        """A masculine form that shows its case: des Arztes; den Studenten is no nominative."""
        lemma = self.tables.nouns.lemma(low)
        if lemma is None:
            return options
        fits = [case for case in options if self.tables.nouns.inflected(lemma, case, plural=False) == low]
        return "".join(fits) or options

    def _determiner(self, at: int, case: str, head: int) -> None:
        low = self.tokens[at].low
        new = determiner(low, self.task.wanted, case)
        if new is None:
            if CELLS[self.task.wanted] & self.language.determiner(low):
                return
            raise Unclear(f"no {self.task.wanted} form of {self.tokens[at].text!r} is known")
        before = self.sentence.low(at - 1)
        joined = JOINED.get((before, new))
        blank = at and self.task.rendering[self.tokens[at - 1].end : self.tokens[at].start].isspace()
        followed = self.sentence.low(head + 1) == "," and relative(self.sentence, head + 2)
        if joined and blank and low in {"der", "dem"} and not followed:
            start, end = self.tokens[at - 1].start, self.tokens[at].end
            self.marked.update({at - 1, at})
            self.pieces[at] = (start, end, cased(self.task.rendering[start:end], joined))
            return
        self.put(at, new)

    def _adjective(self, at: int, how: Manner, case: str) -> None:
        token = self.tokens[at]
        old = ending(how, self.task.before, case)
        if token.low.endswith(old) and self.language.modifier(token.low):
            if token.text[:1].isupper() and token.low.endswith("er") and old == "er" and at:
                return  # Berliner Arzt
            self.put(at, adjective(token.low[: len(token.low) - len(old)], how, self.task.wanted, case))
        elif self.language.modifier(token.low) and token.text[:1].islower() and token.low.endswith(("e", "en", "er")):
            if self.language.adverb(token.low) or how is Manner.STRONG or token.low.endswith("er"):
                return
            raise Unclear(f"the ending of {token.text!r} does not fit {self.tokens[at + 1].text!r}")

    def determines(self, at: int) -> bool:
        """A determiner; not am in "am meisten"."""
        low = self.tokens[at].low
        return bool(self.language.determiner(low)) and not (low == "am" and self.sentence.low(at + 1).endswith("sten"))

    def bare(self, head: int, endings: tuple[str, ...] = ()) -> int:
        """Where the adjectives before a noun begin: ist ausgebildeter Arzt, als junge, begabte Ärztin; by the endings
        of a noun without a determiner unless others are given."""
        endings = endings or (("er", "en", "em") if self.task.before is Gender.MALE else ("e", "er"))
        first = head
        while first:
            at = first - 1
            if first < head and self.sentence.low(at) in {",", "und"}:
                at -= 1
            low = self.sentence.low(at)
            if at < 0 or self.sentence.capital(at) or not low.endswith(endings) or not self.language.modifier(low):
                break
            if self.determines(at):
                break
            if low.endswith("te") and low not in ORDINALS and not self._introduces(at - 1):
                break  # sagte Lehrerin Meier
            first = at
        return first

    def _introduces(self, at: int) -> bool:
        low = self.sentence.low(at)
        return (
            low in {"als", "wie", ",", "und", "."}
            or bool(self.language.determiner(low))
            or self.roles.has(low, "copula")
            or bool(self.roles.governs(low))
        )

    def _noun(self, head: int, how: Manner, case: str, *, plural: bool) -> None:
        low, task = self.tokens[head].low, self.task
        nouns = self.tables.nouns
        if self.neutral:
            known = nouns.neutral(low, task.before, case, plural=plural)
            if known is None:
                raise Unclear(f"no established neutral form of {self.tokens[head].text!r} is known")
            self.put(head, known)
            return
        if low in {"herr", "herrn", "frau"} and self.sentence.capital(head + 1) and not plural:
            self.put(head, "frau" if low != "frau" else "herr" if case == "n" else "herrn")
            return
        if low in {"schwester", "schwestern"} and "sister" not in task.source.casefold():
            self.put(head, "pflegern" if plural and case == "d" else "pfleger")  # the nurse
            return
        beamt = low[: low.rfind("beamt") + 5] if "beamt" in low else ""
        if beamt and task.wanted is Gender.FEMALE:
            new: str | None = beamt + ("innen" if plural else "in")
        elif beamt:
            stem = beamt
            new = (
                stem + ("en" if how is not Manner.STRONG else "e")
                if plural
                else adjective(stem, how, Gender.MALE, case)
            )
        elif self._one_form(head):
            new = low  # der CEO, die CEO
        elif self._adjectival(head):
            if plural:
                raise Unclear(f"{self.tokens[head].text!r} is one form for both")
            old = ending(how, task.before, case)
            if not low.endswith(old):
                raise Unclear(f"the ending of {self.tokens[head].text!r} does not fit its article")
            new = adjective(low[: len(low) - len(old)], how, task.wanted, case)
        else:
            new = nouns.partner(low, task.wanted, case, plural=plural)
        if new is None and low in {word.low for word in source_words(task.source)}:
            new = low  # der Chief, die Chief: the source's own word, left as it is
        if new is None:
            raise Unclear(f"no {task.wanted} form of {self.tokens[head].text!r} is known")
        self.put(head, new)

    def _one_form(self, head: int) -> bool:
        token = self.tokens[head]
        common = self.language.noun(token.text).kind is Kind.COMMON and not token.low.endswith(WEAK_NOUNS)
        return common and not self._adjectival(head)

    def _adjectival(self, head: int) -> bool:
        token, known = self.tokens[head], self.tables.forms.known
        if token.low.endswith(WEAK_NOUNS):
            return False
        if self.language.noun(token.text).kind is Kind.COMMON and self.language.adjectival(token.low):
            return True
        both = Column.FEMALE | Column.MALE
        for ending_ in ENDINGS:  # Verdächtige: one row of the table for both
            base = token.low.removesuffix(ending_)
            if base != token.low and known.get(f"{base}e", 0) & both == both and f"{base}in" not in known:
                return True
        stem = token.low.removesuffix("er")  # ein Angestellter; not ein Vertreter, because there is a Vertreterin
        listed = stem != token.low and self.language.adjectival(f"{stem}e") and f"{token.low}in" not in known
        return listed and (self.tables.nouns.part(f"{stem}e", Column.FEMALE) or stem.endswith("end"))

    def _one_of(self, first: int) -> None:
        """einer der Lehrer, jeder von ihnen: the pronoun before a genitive plural."""
        at = first - 1
        if self.sentence.low(at) in {"von", "unter"}:
            at -= 1
        elif self.sentence.low(first) not in OWNERS:
            return
        low = self.sentence.low(at)
        new = ONE_OF[self.task.wanted].get(low)
        if new:
            self.put(at, new)

    def put(self, at: int, new: str) -> None:
        token = self.tokens[at]
        self.marked.add(at)
        self.pieces[at] = (token.start, token.end, cased(token.text, new))
