"""What agrees with the speaker ("I") or the listener ("you"), who have no noun.

The person is found by its pronoun or by a verb form of its own; then every word that agrees with it: predicates,
participles, nouns said of it ("soy profesora"), words like "sola". A clause of another subject counts for nothing.

A language takes part by its table `grammar/<name>/participants.tsv`: role, person (the digits of all persons that a
form serves; 3 is everybody else; empty: none shown), gender (f, m or empty), words. What each role is for is said where
it is asked for; closed classes that classes.tsv has are not repeated. A family may read its languages in its own way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from evenhand.grammar.base import Language
from evenhand.grammar.lexicon import Column, shipped_forms
from evenhand.grammar.protocol import FEMININE, MASCULINE, SINGULAR, Kind, Token
from evenhand.grammar.protocol import shows_one_gender as shows
from evenhand.grammar.sentence import Said
from evenhand.remembered import remembered
from evenhand.tsv import rows

TABLE = "participants.tsv"
GENDERED = {"f": FEMININE, "m": MASCULINE}
STOPS = frozenset(".!?…")
REACH = 7  # words between a linking verb and what agrees
STEM = 3  # letters at least before a productive ending
SURE, SHOWN, CARRIED, NOUN = 0.99, 0.97, 0.95, 0.85
COMMON = Column.FEMALE | Column.MALE
FIXED = frozenset({Kind.FIXED, Kind.THING})
INFINITIVES = ("ar", "er", "ir", "or")
END = Token(".", ".", 0, 0)
NONE: frozenset[str] = frozenset()


@cache
def participant(language: Language, person: int) -> Participant:
    """The reader of one person in one language."""
    return (language.participant or Participant)(language, str(person))


class Verb(NamedTuple):
    """A verb form. `own`: True for the person's, False for another's, None where the form serves both or none.
    `second`: surely of the second person; `link`: an adjective after it is said of its subject, `loose`: and nearly
    nothing else; `reflexive`: with the clitic only."""

    own: bool | None
    link: bool = False
    loose: bool = False
    reflexive: bool = False
    finite: bool = True
    second: bool = False


class Scan:
    """How far a text was read. `mine`: the person is the subject; `formal`: named by a pronoun with verbs of the third
    person (usted); `start` of the clause; `relative`: it says more of a noun, and `aside`: by a verb of the person's;
    `after`: whose the next clause is, where a subject like "nobody" ends with its own."""

    def __init__(self, tokens: Sequence[Token], *, mine: bool) -> None:
        self.tokens, self.mine = tokens, mine
        self.start, self.formal, self.relative, self.aside = 0, False, False, False
        self.after: bool | None = None

    def low(self, at: int) -> str:
        return self.tokens[at].low if 0 <= at < len(self.tokens) else "."

    def text(self, at: int) -> str:
        return self.tokens[at].text if 0 <= at < len(self.tokens) else "."

    def clause(self, end: int) -> list[str]:
        """The words of the clause before a place."""
        return [token.low for token in self.tokens[self.start : end]]


Step = Callable[[Scan, int], Said | None]


class Participant:
    """Reads one language for one person, by tables: verbs that show the person, and what follows a linking verb."""

    drops_subjects = True

    def __init__(self, language: Language, person: str) -> None:
        self.language, self.person = language, person
        self.known = shipped_forms(language).known
        self._own: dict[str, frozenset[str]] = {}
        self._others: dict[str, frozenset[str]] = {}
        self._gendered: dict[str, dict[str, int]] = {}
        self.served: dict[str, dict[str, str]] = {}
        for row in rows(language.folder / TABLE):
            role, served, words = row["role"], row["person"], row["words"].split()
            side = self._own if not served or person in served else self._others
            side[role] = side.get(role, NONE).union(words)
            if row["gender"]:
                self._gendered.setdefault(role, {}).update(dict.fromkeys(words, GENDERED[row["gender"]]))
            self.served.setdefault(role, {}).update(dict.fromkeys(words, served))
        self._ends = {role: tuple(words) for role, words in self._own.items()}
        self.verb, self.cells, self.noun = remembered(self._verb), remembered(self._cells), remembered(self._noun)
        self.passed, self.boundary = remembered(self._passed), remembered(self._boundary)
        self.steps = remembered(self._steps)

    # -- words

    def of(self, role: str) -> frozenset[str]:
        """The words of a role for this person; empty where the language has none."""
        return self._own.get(role, NONE)

    def others(self, role: str) -> frozenset[str]:
        """The words of a role for other persons only."""
        return self._others.get(role, NONE)

    def gendered(self, role: str) -> Mapping[str, int]:
        """The words of a role that show a gender."""
        return self._gendered.get(role, {})

    def ends(self, low: str, role: str) -> bool:
        """True for a word with an ending (or, of `become`, a beginning) that the role lists."""
        return low.endswith(self._ends.get(role, ()))

    def ending(self, low: str, role: str) -> str:
        """The longest ending of a role that the word has; "" for none."""
        return max((end for end in self.served.get(role, ()) if low.endswith(end) and low != end), key=len, default="")

    def _verb(self, low: str) -> Verb | None:
        """By the listed forms, else by stem and ending; `es-tu`, `sinto-me` by what precedes the hyphen."""
        low = low.partition("-")[0]
        for role in ("link", "reflexive", "finite", "spends"):
            served = self.served.get(role, {}).get(low)
            if served is not None:
                own, loose = self._serves(served), role in ("link", "reflexive")
                return Verb(own, role != "finite", loose, role == "reflexive", bool(served), served == "2")
        for role in ("link_stem", "reflexive_stem"):
            endings = (low[len(stem) :] for stem in self.of(role) if low.startswith(stem))
            served = next((self.served["ending"][end] for end in endings if end in self.served["ending"]), None)
            if served is not None:
                reflexive = role == "reflexive_stem"
                return Verb(self._serves(served), True, reflexive, reflexive, bool(served), served == "2")
        if low.endswith(tuple(self.others("shows"))) and len(low) > STEM + 2 and not self._is_noun(low):
            return Verb(False, second="2" in self.served["shows"].get(self.ending(low, "shows"), ""))
        if not self.ends(low, "shows") or self.language.function_word(low) or self._is_noun(low):
            return self._other_verb(low)
        return Verb(True)

    def _is_noun(self, low: str) -> bool:
        return low in self.known or self.language.noun(low).kind in FIXED

    def _serves(self, served: str) -> bool | None:
        """Whose a form is. The second person shares its polite forms with the third, which are another's unless the
        polite pronoun is named."""
        if not served or (self.person in served and len(served) > 1 and not (self.person == "2" and "3" in served)):
            return None
        return served == self.person

    def _other_verb(self, low: str) -> Verb | None:
        """A verb of the language's own tables: those are of the third person."""
        return Verb(False) if self.language.copula(low) or self.language.perfect(low) else None

    def _cells(self, low: str) -> int:
        """Cells of a word as a predicate in the singular; 0 for what is none."""
        listed = self.gendered("adjective").get(low, 0)
        if listed or low in self.of("not_adjective") or not low[0].isalpha() or self.ends(low, "gerund"):
            return listed
        return self._adjective(low) & SINGULAR

    def _adjective(self, low: str) -> int:
        return self.language.modifier(low)

    def surely(self, low: str) -> bool:
        """True for an adjective or participle that a table or a productive ending supports."""
        return bool(self.cells(low)) and (low in self.gendered("adjective") or bool(self.language.modifier(low)))

    def _noun(self, text: str) -> int:
        """FEMININE or MASCULINE of a noun for a person whose form tells; 0 for nouns of one form for both, of fixed
        gender, and for things. A masculine noun that no table lists beside a feminine one tells nothing."""
        looked, noun, columns = self.language.lookups(text), self.language.noun(text), self.columns(text)
        listed = next((self.gendered("noun")[form] for form in looked if form in self.gendered("noun")), 0)
        if listed or noun.kind in FIXED or looked[0] in self.of("not_adjective") or self.language.determiner(looked[0]):
            return listed
        if columns:
            return {Column.FEMALE: FEMININE, Column.MALE: MASCULINE}.get(columns, 0)
        if noun.kind is Kind.SEXED and not noun.cells & ~FEMININE:
            return FEMININE
        endings = self.gendered("noun_ending").items() if noun.kind is Kind.GUESS else ()
        return next((mask for end, mask in endings if any(f.endswith(end) and len(f) > 6 for f in looked)), 0)

    def columns(self, text: str) -> int:
        """The columns of our nouns for persons that have the word, 0 where it names none."""
        return next((self.known[form] for form in self.language.lookups(text) if form in self.known), Column.NONE)

    def joins(self, low: str) -> bool:
        """True for a word that opens a clause or joins two."""
        return low in self.of("joins")

    def preposition(self, low: str) -> bool:
        return low in self.of("preposition")

    def with_clitic(self, words: Sequence[str]) -> bool:
        """True where the person's clitic is among the words."""
        return not self.of("clitic").isdisjoint(words)

    def article(self, low: str) -> int:
        """Cells of a determiner that holds no preposition."""
        return self.language.determiner(low)

    def _passed(self, low: str) -> bool:
        """True for a word that may come between a verb and its predicate."""
        if any(low in self.gendered(role) for role in ("agreeing", "been", "adjective", "pointing")):
            return False
        return low in self.of("passed") or low in self.of("subject") or self.language.adverb(low)

    def _boundary(self, low: str) -> bool:
        """Nothing follows that the word before it could belong to."""
        return not low[0].isalnum() or self.preposition(low) or self.joins(low) or self._passed(low)

    # -- the text

    def links(self, tokens: Sequence[Token]) -> tuple[Said, ...]:
        """Every word that gives the person a gender, in the order of the text. Without a subject a text in the first
        person is about the speaker."""
        scan = Scan(tokens, mine=self.person == "1" and self.drops_subjects)
        fronted = self._detached(scan, 0) if any(token.low == "," for token in tokens) else None
        links: list[Said | None] = []
        for i, token in enumerate(tokens):
            opens, names, steps = self.steps(token.low)
            if names or (not opens and token.text[0].isupper()):
                self._subject(scan, i)
            said = next((said for step in steps if (said := step(scan, i))), None)
            links.append(said or (self._open(scan, i) if opens else None))
        links.append(fronted if scan.mine else None)  # "Cubierta de tierra, trabajé"
        return tuple(sorted({said.at: said for said in reversed(links) if said}.values()))

    def _steps(self, low: str) -> tuple[bool, bool, tuple[Step, ...]]:
        """What to ask about a word: whether it opens a clause, whether it may be a subject, and what is said by it."""
        opens, tail = not low[0].isalnum() or self.joins(low), low.partition("-")[2]
        subjects = self.of("subject") | self.others("subject") | self.of("it")
        roles = ("self", "thanks", "age", "agreeing", "state", "vocative")
        agreeing = any(low in self.gendered(role) for role in roles)
        steps: list[tuple[bool, Step]] = [
            (agreeing and not opens, self._agreeing),
            (low in self.of("clitic") and not opens, self._object),
            (self.verb(low) is not None and not opens, self._linked),
            (any(low in self.of(role) for role in ("as", "as_two", "into")), self._as),
        ]
        names = not opens and (low in subjects or tail in subjects or bool(self.article(low)))
        return opens, names, tuple(step for asked, step in steps if asked)

    def _open(self, scan: Scan, i: int) -> Said | None:
        """A clause begins behind i; one that says more of a noun is the noun's. A participle at its beginning is said
        of the subject: "..., convencida de que"."""
        low, first = scan.low(i), scan.start
        if scan.aside and low in self.of("when"):
            scan.after = True  # "una canción que aprendí cuando era niña"
        elif low in self.of("who") and not scan.mine and self._addressed(scan.clause(i)):
            scan.after = True
        following = self.verb(scan.low(i + 1))
        if scan.after is not None and not (following and not following.finite):  # "debes ser prudente y estar callado"
            scan.mine, scan.after = scan.after, None
        scan.aside = False
        scan.relative = self.language.relative(low) and self._says_more(scan, i)
        scan.mine = scan.mine and not scan.relative
        scan.formal = scan.formal and low not in STOPS
        scan.start = i + 1
        without = low in self.of("and") and scan.low(i - 2) in self.of("without")  # "sin miedo y decidida"
        said = self._detached(scan, i + 1, ends=without) if (low == "," or without) and scan.mine else None
        before = () if without or not said else scan.tokens[first:i]
        listed = scan.low(i + 1) in self.gendered("adjective")
        if said and said.cells & MASCULINE and not listed and any(self.language.perfect(t.low) for t in before):
            return None  # "ho eseguito esami, diagnosticato e curato"
        return None if any(self.columns(t.text) & COMMON and not self.cells(t.low) for t in before) else said

    def _addressed(self, clause: list[str]) -> bool:
        """ "el médico me dijo que estaría más sana": somebody speaks to the person."""
        places = [k for k, low in enumerate(clause) if low in self.of("clitic")]
        return any(low.startswith(self._ends.get("says", ())) for k in places for low in clause[k + 1 : k + 4])

    def _says_more(self, scan: Scan, i: int) -> bool:
        """The relative pronoun at i is a noun's: one with a determiner comes before it."""
        noun = i - 2 if scan.low(i - 1) == "," else i - 1
        named = any(self.article(scan.low(k)) and not self.preposition(scan.low(k)) for k in (noun, noun - 1, noun - 2))
        return named and not self.preposition(scan.low(noun)) and scan.low(noun) not in self.of("time")

    def _detached(self, scan: Scan, at: int, *, ends: bool = False) -> Said | None:
        """A participle that opens a clause, with something that depends on it (or `ends`: the last word of one)."""
        low, after = scan.low(at), scan.low(at + 1)
        depends = after[0].isalpha() and (self.preposition(after) or (self.joins(after) and at > 0))
        depends = depends or (ends and not after[0].isalpha())
        participle = shows(self.cells(low)) and (low in self.gendered("adjective") or self.participle(low))
        return Said(at, "participle", self.cells(low), CARRIED) if depends and participle else None

    def participle(self, low: str) -> bool:
        return False

    def _subject(self, scan: Scan, i: int) -> None:
        """A pronoun, or a noun phrase at the beginning of the clause: whose the clause is."""
        low = scan.low(i)
        tail = low.partition("-")[2] or low
        if low in self.of("formal") | self.others("formal") and self.preposition(scan.low(i - 1)):
            scan.after = False  # "hablaré con usted cuando esté listo": whoever is ready
            return
        if low in self.of("subject") or tail in self.of("subject"):
            scan.mine, scan.formal, scan.relative = True, tail in self.of("formal"), False
        elif low in self.others("subject") or tail in self.others("subject"):
            scan.mine, scan.formal = False, False
        elif not all(self.passed(word) and word not in self.of("subject") for word in scan.clause(i)):
            return
        elif low in self.of("it"):
            scan.mine, scan.after = False, scan.mine
        elif self._opens_phrase(scan, i) or self._names(scan, i):
            plural = not self.language.noun(scan.text(i + 1)).cells & SINGULAR  # "mis padres decían que era guapa"
            scan.mine, scan.after = False, scan.mine if plural and self.article(low) else None

    def _opens_phrase(self, scan: Scan, i: int) -> bool:
        """The determiner of a subject: not "esta noche", "no la vi"."""
        low = scan.low(i)
        governs = self.joins(low) or (self.preposition(low) and low not in self.of("article"))
        if not self.article(low) or governs or any(scan.low(k) in self.of("time") for k in (i, i + 1, i + 2)):
            return False
        after = scan.low(i + 1)
        return scan.low(i - 1) not in self.of("not") and self.verb(after) is None and not self.boundary(after)

    def _names(self, scan: Scan, i: int) -> bool:
        """A capital inside a sentence, where nouns have none: a name; at its beginning, an unknown word before a verb
        of another."""
        text, low = scan.text(i), scan.low(i)
        if not text[0].isupper() or self.language.capitalises_nouns or self.language.function_word(low):
            return False
        if self.cells(low) or self.boundary(low) or self.verb(low):
            return False
        following = self.verb(scan.low(i + 1))
        return scan.low(i - 1)[0].isalnum() or bool(following and following.finite and following.own is not True)

    def _agreeing(self, scan: Scan, i: int) -> Said | None:
        """ "vivo sola", "yo misma", "desde pequeña", "obrigada": not before a noun or after an article."""
        low, before = scan.low(i), scan.low(i - 1)
        beside = before in self.of("subject") or before in self.of("oblique")
        left = before in self.of("since") and self.with_clitic(scan.clause(i))  # "mi hai lasciata da sola"
        for role, there in (
            ("self", beside or (scan.mine and before in self.of("own"))),  # "confianza en sí misma"
            ("thanks", low in self.of("thanks") and (i == scan.start or self.passed(before))),
            ("age", scan.mine and before in self.of("since") and (i < 2 or self.boundary(scan.low(i + 1)))),
            ("agreeing", left or ((scan.mine or scan.aside) and (beside or self._alone(scan, i)))),
            ("state", scan.mine and self._behind_place(scan, i)),
        ):
            if there and low in self.gendered(role):
                return Said(i, "predicate", self.gendered(role)[low], SURE)
        return None

    def _behind_place(self, scan: Scan, i: int) -> bool:
        """ "no vendría al trabajo borracha": behind a verb of the clause and a place without a determiner."""
        place = scan.low(i - 2) in self.of("to") and scan.text(i - 1).islower() and not self.columns(scan.text(i - 1))
        return place and self.boundary(scan.low(i + 1)) and any(map(self.verb, scan.clause(i - 2)))

    def _alone(self, scan: Scan, i: int) -> bool:
        """Where "sola" is no adjective of a noun; a form that is an adverb too ("solo con él") only where something
        ends, or behind an infinitive."""
        before, after = scan.low(i - 1), scan.low(i + 1)
        if i == scan.start or (self.language.determiner(before) and before not in self.of("all")):
            return False
        verb = self.verb(before)
        if scan.low(i) in self.of("only") and not (verb and not verb.finite) and before not in self.of("since"):
            return not after[0].isalnum() or (self.joins(after) and not self.preposition(after))
        return self.boundary(after) or bool(self.article(after))

    def _object(self, scan: Scan, i: int) -> Said | None:
        """The person as the object of another's verb: "me llaman loca"."""
        makes, verb = self._ends.get("makes", ()), i + 1
        while verb < i + 4 and not scan.low(verb).startswith(makes) and (self.verb(scan.low(verb)) or verb > i + 1):
            verb += 1  # "me vas a dejar sorda", "mi ha reso depresso"
        return self._made(scan, verb) if scan.low(verb).startswith(makes) else None

    def _made(self, scan: Scan, verb: int) -> Said | None:
        """What another's verb makes of the person."""
        at = self._past(scan, verb + 1)
        said = self._bare(scan, at) or (self._as(scan, at) if scan.low(at) in self.of("as") else None)
        said = said or self._joined(scan, self._past(scan, at + 1))  # "que me vean débil o enfermo"
        if not said or (said.kind != "apposition" and not self._alone_there(scan, said.at)):
            return None
        return said._replace(sure=min(said.sure, CARRIED))

    def _alone_there(self, scan: Scan, at: int) -> bool:
        return self.surely(scan.low(at)) and self.boundary(scan.low(at + 1))

    def _whose(self, scan: Scan, i: int, verb: Verb) -> bool:
        """Whether the verb at i is the person's; what it shows stays for what follows. In a clause that says more of a
        noun, a second verb is the noun's again."""
        formal = scan.formal or scan.low(i + 1) in self.of("formal")
        own = None if formal and verb.own is False else verb.own
        if scan.low(i + 1) in self.of("formal"):
            scan.mine = scan.formal = True  # ¿Está usted ...?
        if verb.own is False and (verb.second or self.ends(scan.low(i), "plural_ending")):
            scan.mine, scan.after = False, scan.mine if scan.after is None else scan.after
            return False  # the next clause may be the person's again: "¿Crees que debería ir sola?"
        if scan.low(i) in self.of("imperative"):
            own = (self.of("subject") | self.others("subject")).isdisjoint(scan.clause(i)) or own
        if own and scan.relative:
            scan.aside = True
            return True
        if own is not None:
            scan.mine = own
        return scan.mine or (scan.aside and not verb.finite)

    def _linking(self, scan: Scan, i: int) -> Verb | None:
        """The linking verb at i where it is the person's, or an infinitive that it has in mind ("me gusta ser"); not
        one that is said of its object ("me estás volviendo loco")."""
        verb, clause = self.verb(scan.low(i)), scan.clause(i)
        if verb is None or (scan.low(i) in self.of("been") and self.language.determiner(scan.low(i - 1))):
            return None  # l'été
        before = scan.low(i - 1)
        if verb.link and not verb.loose and self.article(before) and not self.joins(before):
            return None  # "el trabajo físico"
        mine = self._whose(scan, i, verb)
        wished = not verb.finite and any(low in self.of("clitic") or low in self.of("oblique") for low in clause)
        object_ = not verb.loose and not self.others("clitic").isdisjoint(clause)
        alone = verb.reflexive and not self._reflexive(scan, i)
        return verb if verb.link and (mine or wished) and not object_ and not alone else None

    def _linked(self, scan: Scan, i: int) -> Said | None:
        """What is said of the person after a linking verb of its own; after a verb that is more than that, only what
        surely is an adjective. A noun phrase behind it may be the subject ("quanto fosse noiosa l'università")."""
        verb = self._linking(scan, i)
        if scan.low(i) in self.served.get("spends", ()) and self._span(scan, i + 1) == i + 1:
            return None
        said = self._complement(scan, i + 1) or self._before(scan, i) if verb else None
        if verb is None or said is None or (verb.own is None and verb.finite and self._other_thing(scan, said)):
            return None
        low = scan.low(said.at)
        perfect = scan.low(i) in self.of("perfect_be") and not self.of("perfect").isdisjoint(scan.clause(i)[-3:])
        if perfect and self.participle(low):
            return None  # "aș fi plecat"
        sure = self.surely(low) and low not in self.of("adverbial")
        return said if verb.loose or said.kind != "predicate" or sure else None

    def _other_thing(self, scan: Scan, said: Said) -> bool:
        """ "que fuera un secreto": an unlisted noun, perhaps, or a subject, behind a verb that may be another's."""
        own = ("pointed", "degree", "who", "of")
        mine = not self.of("subject").isdisjoint(scan.clause(said.at))
        listed = mine or any(scan.low(said.at + 1) in self.of(role) for role in own)
        return (said.kind == "determiner" and not listed) or self._opens_phrase(scan, said.at + 1)

    def _before(self, scan: Scan, i: int) -> Said | None:
        """ "lo cansada que estoy": an adjective before the verb, after a word of degree."""
        at = i - 2 if scan.low(i - 1) in self.of("who") else i - 1
        degree = scan.low(at - 1) in self.of("how")
        cells = self.cells(scan.low(at)) if degree and self.surely(scan.low(at)) else 0
        return Said(at, "predicate", cells, SURE) if shows(cells) else None

    def _reflexive(self, scan: Scan, i: int) -> bool:
        """The clitic is before the verb, perhaps with an auxiliary between, or joined to it."""
        low, clitics = scan.low(i), self.of("clitic")
        joined = low.partition("-")[2] in clitics or self.ends(low, "enclitic")
        return joined or not clitics.isdisjoint(scan.clause(i)[-3:])

    def _past(self, scan: Scan, at: int) -> int:
        """The next place behind adverbs and the like: "un poco", "fort obligée", "solo un", "tout à fait"."""
        while True:
            low, after = scan.low(at), scan.low(at + 1)
            behind = max(self._span(scan, at), self._phrase(scan, at))
            if behind > at:
                at = behind
                continue
            degree = low in self.of("adverbial") and shows(self.cells(after))
            only = low in self.of("only") and not self.boundary(after)
            but = low in self.of("neither") or (low in self.of("but") and self.article(after))  # "je ne suis qu'une"
            if not (self.passed(low) or degree or only or but or (low in self.of("some") and self.passed(after))):
                return at
            at += 1

    def _phrase(self, scan: Scan, at: int) -> int:
        """The place behind an adverb of several words: "para nada", "tout à fait"."""
        for size in (3, 2):
            if "_".join(scan.low(k) for k in range(at, at + size)) in self.of("phrase"):
                return at + size
        return at

    def _span(self, scan: Scan, at: int) -> int:
        """The place behind a stretch of time: "todo el día", "cinco anos"; not "la semana pasada", whose adjective is
        the noun's."""
        for end in range(at, at + 5):
            low = scan.low(end)
            if low in self.of("time") and (end > at or low in self.of("times")):
                behind = end + 2 if scan.low(end + 1) in self.of("whole") else end + 1
                shown, counts = self.language.modifier(scan.low(behind)), self.of("counts")
                own = shown & self.language.determiner(scan.low(at)) and scan.low(behind) not in self.gendered("state")
                return at if own and not any(scan.low(k) in counts for k in range(at, end)) else behind
            if not (self.language.determiner(low) or low in self.of("counts") or low.isdigit()):
                return at
        return at

    def _complement(self, scan: Scan, first: int) -> Said | None:
        """The adjective, participle or noun that agrees, behind adverbs; behind a phrase or an adjective of one form
        where another is joined to it: "triste o enojada", "de mal humor y agotada"."""
        at = self._past(scan, first)
        if scan.low(at) in self.of("as"):  # "me siento como la más débil"
            return self._pointing(scan, at + 1)
        steps = (self._pointing, self._nominal, self._bare, self._described)  # the last: "ser líder interina"
        said = next((said for step in steps if (said := step(scan, at))), None)
        if said or self.article(scan.low(at)) or not scan.low(at)[0].isalpha():
            return said
        at = at if self.preposition(scan.low(at)) else self._past(scan, at + 1)
        if self.preposition(scan.low(at)):
            while scan.low(at)[0].isalnum() and not self.joins(scan.low(at)) and at < first + REACH:
                at += 1
        return self._joined(scan, at)

    def _joined(self, scan: Scan, at: int) -> Said | None:
        """A second adjective, after a comma or a word like "and"."""
        joined = scan.low(at) in self.of("and") or scan.low(at) == ","
        at = self._past(scan, at + 1)
        sure = joined and self.surely(scan.low(at)) and self.verb(scan.low(at)) is None
        return self._bare(scan, at) if sure and self.boundary(scan.low(at + 1)) else None

    def _pointing(self, scan: Scan, at: int) -> Said | None:
        """ "el que", "la más alta", "l'últim", "une de tes employées", "la popular": an article that means the
        person."""
        this, low = scan.low(at), scan.low(at + 1)
        shown = (self.gendered("pointing").get(this) or self.article(this)) & SINGULAR
        if not shown or not (this in self.of("article") or this in self.gendered("pointing")):
            return None
        ranked = low in self.of("pointed") and self.boundary(scan.low(at + 2))
        if not ranked and low.endswith(INFINITIVES) and not self.of("doing").isdisjoint(scan.clause(at)):
            return None  # "estou a atirar"
        if not shows(shown):
            return Said(at + 1, "predicate", self.cells(low), SURE) if ranked and shows(self.cells(low)) else None
        points = low in self.of("who") or low in self.of("degree") or (low in self.of("of") and this in self.of("one"))
        return Said(at, "determiner", shown, SURE) if ranked or points or self._quality(scan, at + 1) else None

    def _quality(self, scan: Scan, at: int) -> bool:
        """An adjective without a noun."""
        low = scan.low(at)
        adjective = self.surely(low) or (self.ends(low, "open_ending") and len(low) > STEM + 2)
        alone = adjective and self.boundary(scan.low(at + 1))
        return alone and not self._is_noun(low) and not self.language.determiner(low)

    def _nominal(self, scan: Scan, at: int) -> Said | None:
        """An article and a noun for a person: "una profesora", "la presidente"; "una persona" tells nothing."""
        if not self.article(scan.low(at)):
            return None
        for k in range(at + 1, at + 4):
            low, text = scan.low(k), scan.text(k)
            listed = low in self.of("before_noun") or low in self.of("pointed")
            if listed or (self.passed(low) and not self.columns(text)):
                continue
            if not low[0].isalpha() or (self.language.function_word(low) and not self.cells(low)):
                return None
            if gender := self.noun(text):
                return Said(k, "apposition", gender, NOUN)
            if self.language.noun(text).kind in FIXED:
                return None
            if self.columns(text):
                shown = self.article(scan.low(at)) & SINGULAR
                return Said(at, "determiner", shown, NOUN) if shows(shown) else self._described(scan, k)
            if not self.cells(low):
                return None
        return None

    def _described(self, scan: Scan, noun: int) -> Said | None:
        """The adjective behind a noun of one form for both: "como designer gráfica"."""
        both = self.columns(scan.text(noun)) & COMMON == COMMON and not self.ends(scan.low(noun), "gerund")
        cells = self.cells(scan.low(noun + 1)) if both and self.surely(scan.low(noun + 1)) else 0
        return Said(noun + 1, "adjective", cells, NOUN) if shows(cells) and self.language.adjectives_follow else None

    def _as(self, scan: Scan, i: int) -> Said | None:
        """ "trabajé como pescador", "en tant qu'avocate", "me convertí en jefa": the noun behind it."""
        low, at = scan.low(i), i + 1
        if not scan.mine and not self.with_clitic(scan.clause(i)):
            return None
        before = self._ends.get("become", ()) + self._ends.get("post", ())
        become = low in self.of("into") and scan.low(i - 1).startswith(before)
        while scan.low(at) in self.of("as_more"):
            at += 1
        verb = self.verb(scan.low(at))
        if not (become or low in self.of("as") or (low in self.of("as_two") and at > i + 1)) or (verb and verb.finite):
            return None  # "como era"
        gender = self.noun(scan.text(at)) if self.columns(scan.text(at)) else 0
        if gender:
            return Said(at, "apposition", gender, NOUN)
        post = scan.low(i - 1).startswith(self._ends.get("post", ()))  # "el puesto de directora"
        return (None if post else self._nominal(scan, at)) or self._described(scan, at)

    def _bare(self, scan: Scan, at: int) -> Said | None:
        """An adjective, a participle or a noun without an article."""
        low, text = scan.low(at), scan.text(at)
        if not low[0].isalpha() or self.joins(low) or self.preposition(low) or self.article(low) & ~self.cells(low):
            return None
        name = text[0].isupper() and scan.low(at - 1)[0].isalnum() and not self.language.capitalises_nouns
        bare = name or scan.low(at - 1) in self.of("neuter")  # "Son Ricardo", "lo mínimo"
        gender, cells = self.noun(text), 0 if bare else self.cells(low)
        if gender and not (shows(cells) and cells & gender):
            return Said(at, "apposition", gender, NOUN)
        if not shows(cells):
            return None
        if low in self.of("before_noun") and not self.boundary(scan.low(at + 1)):
            noun = self.noun(scan.text(at + 1))  # "soy buen amigo": the noun is what is said
            if noun or self.language.noun(scan.text(at + 1)).kind in FIXED:
                return Said(at + 1, "apposition", noun, NOUN) if noun else None
        return Said(at, "predicate", cells, SURE)
