"""German: the noun with its phrase in its case and number, and every link of its chain: relative pronouns, nouns that
say the same person again (ist ein guter Arzt, als Arzt), pronouns that can mean nobody else."""

import re

from evenhand.grammar.german import FEMININE_IN, German
from evenhand.grammar.german.paradigms import CASES, ENDINGS, Table
from evenhand.grammar.german.syntax import GENDER, Syntax
from evenhand.grammar.protocol import SINGULAR, Token, cells
from evenhand.grammar.sentence import Link, Sentence
from evenhand.mend.hints import OF_PERSONS, acts, he_or_she
from evenhand.mend.rewriting import LETTERS, Declined, Rewriter, Rewritten, Task, cased, no_form, replaced, unclear

WHOM = re.compile(r"\b(?!(?:in|of|to|for|with|by|from|on|at|about)\b)\w+,?\s+whom\b", re.IGNORECASE)  # not: in whom
KIN = {"f": ("mutter", "schwester", "tochter", "frau", "tante", "oma", "nichte", "cousine"),
       "m": ("vater", "bruder", "sohn", "mann", "onkel", "opa", "neffe", "cousin")}  # fmt: skip
NEAR = 0.95  # how sure a possessive is that its clause's subject binds
SURE = 0.6
OPENS = re.compile(r"(?:^|[.!?:(„‚“‘\"'»«–-])\s*$")
TITLED = frozenset("mr mrs ms miss sir madam lady gentleman man woman lord".split())
OF_THINGS = re.compile(r"\b(?:it|its)\b", re.IGNORECASE)
STRONG = re.compile(r"(?:viel|einig|mehrer|ander|wenig|weiter|manch|solch)(?P<ending>e|en|er)")
OFFICE = ("der", "mein", "dein", "ihr", "unser", "euer")  # die Administration, Ihre Administration
OWN = re.compile(r"sein(?:e[rsnm]?)?|er|ihn|ihm|dessen")


class GermanRewriter(Rewriter):
    """One target language; every rendering is one `_Chain`."""

    def __init__(self, language: German) -> None:
        self.language = language

    def rewrite(self, task: Task) -> Rewritten:
        return _Chain(self.language, task, neutral=False).done()

    def neutral(self, task: Task) -> Rewritten:
        """die Lehrkraft: the words around it are a woman's."""
        return _Chain(self.language, task, neutral=True).done()


class _Chain:
    """One rendering; `pieces` collects what is replaced, by token."""

    def __init__(self, language: German, task: Task, *, neutral: bool) -> None:
        self.language, self.task, self.neutral, self.tokens = language, task, neutral, task.tokens
        self.before, self.wanted = LETTERS[task.before], "f" if neutral else LETTERS[task.wanted]
        self.syntax = Syntax(language, task.tokens)
        self.pieces: dict[int, tuple[int, int, str]] = {}

    def done(self) -> Rewritten:
        head = self._head()
        text = self.tokens[head].text
        if not text[:1].isupper() or text.rpartition("-")[2][:1].islower() or self.language.determiner(text.lower()):
            raise Declined(f"{text!r} is not a noun")  # EU-weiter, jeder
        case, number = self._phrase(head)
        if (case == "n" and number == "s" and self._of_relative(head)) or self._by_pronoun(head, number):
            raise Declined(f"{text!r} describes another person whose words would have to change too")
        same = [i for i, token in enumerate(self.tokens) if token.low == self.tokens[head].low and i != head]
        for other in same if number == "s" else self.task.heads[1:]:
            self._phrase(other)
        if self.before != self.wanted:  # a woman's words around a neutral noun stay as they are
            for link in self._links(head, number):
                self._link(link, case)
        after = self.syntax.low(head + 2) if self.syntax.low(head + 1) in {"und", "oder", "sowie"} else ""
        woman = FEMININE_IN.fullmatch(after) and self.syntax.capital(head + 2) and self.before == "f"
        if woman and number == "s" and head + 2 not in self.pieces:
            raise unclear(self.tokens[head + 2].text, text)  # eine Malerin und Koloristin
        if self.neutral and self.before == "m":
            left = masculine_left(self.language, self.tokens, head, set(self.pieces))
            if left:
                raise unclear(left, text)
        return replaced(self.task.rendering, list(self.pieces.values()))

    def _head(self) -> int:
        """The noun behind a title (Herr Ratspräsident); a title with a name alone is its bearer's."""
        head = self.task.last - 1
        if not self.syntax.has(head, "title") or head + 1 == len(self.tokens):
            return head
        if self.language.genders_of(self.tokens[head + 1]):
            return head + 1
        if self.syntax.capital(head + 1) and self.task.focus.lower() not in TITLED:
            raise Declined(f"{self.tokens[head].text!r} is the title of a name")
        return head

    def _of_relative(self, head: int) -> bool:
        """Meine Großmutter war Malerin: said of a relative, whose word has no form of the other gender."""
        first = self.syntax.first(head)
        before = range(self.syntax.clause(first).start, first)
        subject = next((i for i in before if self.language.genders_of(self.tokens[i])), None)
        if subject is None or not self.tokens[subject].low.endswith(KIN[self.before]):
            return False
        return any(map(self.syntax.equates, range(subject + 1, first)))

    def _by_pronoun(self, head: int, number: str) -> bool:
        """Kommissar Fischler, der sich als Arzt einarbeitet; eine Frau, die Ärztin ist; er gilt als einer der besten
        Ärzte: said of somebody whose words no link reaches."""
        first, own = self.syntax.first(head), {"m": {"der", "er"}, "f": {"die", "sie"}}[self.before]
        one = number == "p" and self.syntax.has(first - 1, f"one_{self.before}")
        clause = self.syntax.clause(first - one)
        relative = clause.start > 1 and self.syntax.relative(clause.start) == clause.start
        if self.syntax.low(clause.start) not in own or not (one or number == "s"):
            return False
        if self.syntax.low(first - 1 - one) == "als":
            return relative or one
        host = relative and self.before in self.language.genders_of(self.tokens[clause.start - 2])
        return host and any(map(self.syntax.equates, clause))

    # -- one phrase

    def _phrase(self, head: int, case: str = "") -> tuple[str, str]:
        """Puts determiners, adjectives and noun into the wanted gender; the case and the number of the phrase."""
        if self.syntax.plural(head, self.before, expected=self.task.plural):
            case = "d" if self.syntax.dative_plural(head) else "n"
            self._noun(head, "p", case, after="die")
            return case, "p"
        title = self.tokens[head - 1].low if head else ""
        determiners, adjectives = self.language.attributes(self.tokens, head)
        case = "n" if title == "herr" else case or self._case(head)
        after = self.tokens[determiners[0]].low if determiners else ""
        for i in determiners:
            self._determiner(i, case, head)
        for i in adjectives:
            self._adjective(i, after, case)
        if self.language.has(title, "title") and not self.neutral:
            self._put(head - 1, _title(title, case))
        self._noun(head, "s", case, after=after)
        return case, "s"

    def _case(self, head: int) -> str:
        if self.before == self.wanted:
            return self.syntax.cases(head, self.before)[0]  # the forms stay
        case, before = self.syntax.case(head, self.before), self.syntax.low(self.syntax.first(head) - 1)
        open_ = {"n", "a"} <= {*self.syntax.cases(head, self.before)} and case in {"n", "a"} and head == self._head()
        said = any(map(self.syntax.equates, self.syntax.clause(self.syntax.first(head))))
        if open_ and not said and not self.language.governs(before) and before not in {"als", "wie"}:
            acting = acts(self.task.source, self.task.start)
            case = case if acting is None else "n" if acting else "a"
        if case is None:
            raise Declined(f"the case of {self.tokens[head].text!r} is not clear")
        return case

    def _determiner(self, at: int, case: str, head: int) -> None:
        token = self.tokens[at]
        new = self.language.articles.form(token.low, self.wanted, "s", case)
        if new is None:
            if self.language.determiner(token.low) & GENDER[self.wanted]:
                return
            raise no_form(self.task.wanted, token.text)
        joined = self.language.articles.contracted(self.tokens[at - 1].low, new) if at else None
        blank = at and self.task.rendering[self.tokens[at - 1].end : token.start].isspace()
        followed = self.syntax.low(head + 1) == "," and self.syntax.relative(head + 2)
        if joined and blank and token.low in {"der", "dem"} and not followed:
            start, end = self.tokens[at - 1].start, token.end
            self.pieces[at] = (start, end, cased(self.task.rendering[start:end], joined))
        else:
            self._put(at, new)

    def _adjective(self, at: int, after: str, case: str) -> None:
        token, old = self.tokens[at], self.language.declension.ending(after, self.before, case)
        if token.text[:1].isupper() and token.low.endswith("er") and at and not self.language.ordinal(token.low):
            return  # Berliner Arzt; not Erster Sekretär
        if token.low.endswith(old):
            self._put(at, token.low.removesuffix(old) + self.language.declension.ending(after, self.wanted, case))
        elif after and not token.low.endswith("er"):
            raise Declined(f"the ending of {token.text!r} does not fit {self.tokens[at + 1].text!r}")

    def _noun(self, head: int, number: str, case: str, *, after: str) -> None:
        low = self.tokens[head].low
        if self.neutral:
            self._neutral(head, number, case)
            return
        if self.language.has(low, "title") and self.syntax.capital(head + 1) and number == "s":
            self._put(head, _title(low, case))
        else:
            self._put(head, self._partner(head, number, case, after))

    def _of_clause(self, head: int, number: str) -> bool:
        """anstatt Benutzer zu löschen; ein Ort, von dem Nutzer kommen: the word before does not lead to the noun."""
        first = self.syntax.first(head)
        relative = self.syntax.low(first - 2) == "," and bool(self.language.governs(self.syntax.low(first - 1)))
        follows = range(head + 1, self.syntax.clause(head).stop)
        infinitive = self.syntax.low(head - 1) in {"anstatt", "statt", "ohne"} and any(
            self.syntax.low(i) == "zu" for i in follows
        )
        return infinitive or (number == "s" and self.task.plural and relative)

    def _neutral(self, head: int, number: str, case: str) -> None:
        token, before = self.tokens[head], self.syntax.low(head - 1)
        case = "d" if number == "p" and self.language.nouns.dative(token.low) else case
        new = german_neutral(self.language, self.tokens, head, gender=self.before, number=number, case=case)
        bare = number == "s" and self.syntax.first(head) == head and before[0].isalpha()
        truncated = self.task.rendering[token.end :].startswith("-")  # Benutzer- und Gruppen
        if not new or truncated or self._of_clause(head, number) or (bare and not self.language.governs(before)):
            raise Declined(f"no established neutral form of {token.text!r} is known here")
        words = new.split()
        opens = bool(OPENS.search(self.task.rendering[: token.start]))
        words = [
            *(words[:-1] if not opens else [words[0].capitalize()][: len(words) - 1]),
            cased(token.text, words[-1]),
        ]
        self.pieces[head] = (token.start, token.end, " ".join(words))

    def _partner(self, head: int, number: str, case: str, after: str) -> str | None:
        token, low = self.tokens[head], self.tokens[head].low
        fits = number == "p" or low.endswith(self.language.declension.ending(after, self.before, case))
        if not fits and "beamt" not in low and self.language.declines(low):
            raise Declined(f"the ending of {token.text!r} does not fit its article")
        return self.language.noun_form(low, self.wanted, number, case, after)

    # -- the other links

    def _links(self, head: int, number: str) -> list[Link]:
        """Links whose words mean this person, by the English too; declines where one is not sure."""
        sentence = Sentence(self.task.rendering, self.tokens, read=self.language.read, cut=self.language.cut)
        links = list(self.language.agrees_with(sentence, head, gender=self.before, number=number))
        if number == "p":
            links = [link for link in links if link.kind != "relative"]  # one form for both
        chain = {head, *(link.at for link in links if link.sure >= SURE), *self.pieces}
        if self._of_thing() or self._of_another(chain):
            links = [link for link in links if link.kind != "pronoun" or link.sure >= NEAR]
        said = self.syntax.said(head, "n")  # wurde Arzt: an er beside it is likely the same person
        if self.task.elsewhere or not (said or OF_PERSONS.search(self.task.source)):
            links = [link for link in links if link.kind != "pronoun" or link.sure >= SURE]
        unsure = next((link for link in links if link.sure < SURE), None)
        if unsure:
            raise unclear(self.tokens[unsure.at].text, self.tokens[head].text)
        return [link for link in links if link.at not in self.pieces]

    def _of_thing(self) -> bool:
        """The English has a pronoun for a thing, and none for a person."""
        return bool(OF_THINGS.search(self.task.source)) and not OF_PERSONS.search(self.task.source)

    def _of_another(self, chain: set[int]) -> bool:
        """By the English, a pronoun may mean another person who is named."""
        others = any(self.syntax.genders(i) for i in range(len(self.tokens)) if i not in chain)
        return others and self.task.before in he_or_she(self.task.source)

    def _link(self, link: Link, case: str) -> None:
        at, token, language = link.at, self.tokens[link.at], self.language
        if language.has(token.low, "title") and link.kind == "apposition":
            self._put(at, _title(token.low, case))
        elif link.kind == "relative":
            self._put(at, self._pronoun(language.relatives, at))
        elif link.kind in {"predicate", "conjunct", "apposition"} and language.genders_of(token):
            self._phrase(at, case if link.kind == "conjunct" else "")
        elif language.has(token.low, f"one_{self.before}"):
            whole = token.low.endswith("jenige")
            form = language.articles.form(token.low, self.wanted, "s", "n") if whole else None
            self._put(at, form or language.declension.alone(token.low, self.wanted))
        elif link.kind == "predicate":
            self._put(at, language.articles.form(token.low, self.wanted, "s", "n"))  # war der Erste
        elif link.kind == "pronoun" and self.syntax.owns(at):
            self._put(at, {"m": "sein", "f": "ihr"}[self.wanted] + token.low.removeprefix("sein").removeprefix("ihr"))
        elif link.kind == "pronoun":
            self._put(at, self._pronoun(language.personal, at))

    def _pronoun(self, table: Table, at: int) -> str | None:
        """In its own case; die and sie are subject or object by their place."""
        mask = table.cells[self.tokens[at].low] & GENDER[self.before] & SINGULAR
        cases = [case for case in CASES if mask & cells(cases=case)]
        if len(cases) > 1:
            whom = table is self.language.relatives and WHOM.search(self.task.source)
            cases = ["a" if whom else self.syntax.pronoun_case(at)]
        return table.form(self.tokens[at].low, self.wanted, "s", cases[0])

    def _put(self, at: int, new: str | None) -> None:
        token = self.tokens[at]
        if new is None:
            raise no_form(self.task.wanted, token.text)
        self.pieces[at] = (token.start, token.end, cased(token.text, new))


def _title(low: str, case: str) -> str:
    return "frau" if low != "frau" else "herr" if case == "n" else "herrn"


def german_neutral(language: German, tokens: list[Token], head: int, *, gender: str, number: str, case: str) -> str:
    """The German noun in its number and case, adjectives and participles with their ending; "" where there is none."""
    first, row = language.nouns.neutral(tokens[head].low, gender) or ("", _participle(language, tokens, head))
    determiners, adjectives = language.attributes(tokens, head)
    after = tokens[determiners[0]].low if determiners else ""
    form = row["plural" if number == "p" else "singular"]
    if not form:
        return ""
    definite = (
        row["definite"] and number == "s" and (language.articles.lemmas.get(after, "").endswith(OFFICE) or not head)
    )
    form = row["definite"] if definite else form
    if first and "~ " in form:
        return ""  # not: kursteilnehmende Person
    if number == "s":
        return first + form.replace("~", language.declension.ending(after, "f", case))
    if "~" in form:
        return first + form.replace("~", _plural_ending(tokens, determiners, adjectives, case))
    return first + form + ("n" if form and case == "d" and not form.endswith(("n", "s")) else "")


def _participle(language: German, tokens: list[Token], head: int) -> dict[str, str]:
    """ein Angestellter, eine angestellte Person: an adjective as a noun; not Beamter, nor Neuer Übersetzer."""
    low, after = tokens[head].low, tokens[head + 1].text if head + 1 < len(tokens) else ""
    stem = next((low.removesuffix(end) for end in ENDINGS if low.endswith(end)), "")
    declined_so = stem and language.declines(low) and not stem.endswith("beamt") and not after[:1].isupper()
    return {"definite": "", "singular": f"{stem}~ person" if declined_so else "", "plural": ""}


def _plural_ending(tokens: list[Token], determiners: list[int], adjectives: list[int], case: str) -> str:
    """neue Studierende, die Studierenden, viele Studierende, mit Studierenden."""
    strong = STRONG.fullmatch(tokens[determiners[0]].low) if determiners else None
    if adjectives:
        return next((end for end in ENDINGS if tokens[adjectives[0]].low.endswith(end)), "en")
    if strong:
        return strong["ending"]
    return "en" if determiners or case == "d" else "e"


def masculine_left(language: German, tokens: list[Token], head: int, changed: set[int]) -> str | None:
    """A German word that still shows a man and may mean the person: a pronoun behind the noun, another form of it."""
    lemma = language.nouns.lemma(tokens[head].low)
    for i in range(len(tokens)):
        low, after = tokens[i].low, tokens[i + 1].text if i + 1 < len(tokens) else ""
        pronoun = i > head and OWN.fullmatch(low) and (low != "sein" or after[:1].isupper())
        again = lemma and tokens[i].text[:1].isupper() and low.startswith(lemma) and language.nouns.lemma(low) == lemma
        if i not in changed and (pronoun or again):
            return tokens[i].text
    return None
