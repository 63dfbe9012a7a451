"""Rewriting in the Romance languages: the chain of a person's words (`grammar`), each in its other gender's form."""

import re

from evenhand.gender import Gender
from evenhand.grammar.english import source_words
from evenhand.grammar.families.romance import Romance
from evenhand.grammar.families.romance_chain import Chain, Hints
from evenhand.grammar.families.romance_forms import COLUMNS, SIDES, GenderForms
from evenhand.grammar.french import joined
from evenhand.grammar.lexicon import Forms
from evenhand.grammar.protocol import Kind, Token
from evenhand.mend.hints import he_or_she
from evenhand.mend.rewriting import LETTERS, Declined, Named, Rewriter, Rewritten, Task, no_form, unclear
from evenhand.mend.romance.doubts import doubt, refusal
from evenhand.mend.romance.joining import Joining
from evenhand.mend.romance.neutral import RomanceNeutral
from evenhand.mend.romance.pronouns import PronounHeads

STRESSED = {"il": "lui", "ils": "eux"}  # after a preposition
TAKEN_UP = re.compile(r"\b(?:they|them|their|themselves|he|him|his|himself|she|her|hers|herself)\b", re.IGNORECASE)
OBJECT = re.compile(r"\b(?:him|her|them|himself|herself|themselves)\b", re.IGNORECASE)
POINTING = frozenset({"quella", "quello", "questa", "questo"})
THING = re.compile(r"\b(?:it|its|itself)\b", re.IGNORECASE)
ALONE = re.compile(r"\b(?:alone|lonely|by (?:him|her)self|by themselves|on (?:his|her|their) own)\b", re.IGNORECASE)


class RomanceRewriter(Rewriter):
    """For one of Spanish, French, Italian, Portuguese, Catalan."""

    neutral_of_man = True

    def __init__(self, language: Romance, forms: Forms) -> None:
        self.language, self.forms = language, forms
        self.partners = GenderForms(language, forms)
        self._heads, self._neutral = PronounHeads(language), RomanceNeutral(self)

    def named(self, focus: str, tokens: list[Token]) -> Named | None:
        return self._heads.spot(focus, tokens)

    def neutral(self, task: Task) -> Rewritten:
        return self._neutral.rewrite(task)

    def rewrite(self, task: Task) -> Rewritten:
        words: dict[int, str] = {}
        articles: dict[int, dict[str, str]] = {}
        task = task if task.instead else task._replace(heads=[self._noun(task, at) for at in task.heads])
        for noun in task.heads:
            if "/" in task.tokens[noun].text:
                raise Declined(f"{task.tokens[noun].text!r} is two words")  # le patient/Terminer
            chain = self._chain(task, noun)
            refused = self._refusal(chain, task) or refusal(chain)
            if refused:
                raise Declined(refused)
            self._inflect(chain, task, words, articles)
            at = doubt(chain)
            if at is not None and self._apart(chain, at):
                partner = self.partners.adjective(task.tokens[at].low, LETTERS[task.wanted], plural=chain.plural)
                words[at] = partner or ""
                at = doubt(chain)
            if at is not None:
                raise unclear(task.tokens[at].text, task.tokens[noun].text)
        tokens, head = task.tokens, task.heads[0]
        again = next((i for i in range(len(tokens)) if tokens[i].low == tokens[head].low and i not in words), None)
        if again is not None and not chain.plural and chain.predicative(head) and chain.predicative(again):
            raise unclear(tokens[again].text, tokens[head].text)
        if task.instead:
            words[task.heads[0]] = task.instead
        self._respell(chain, LETTERS[task.wanted], words, articles)
        return Joining(self.partners, task.rendering, task.tokens, SIDES[LETTERS[task.wanted]]).joined(words, articles)

    def _noun(self, task: Task, at: int) -> int:
        """cidadãos ingleses, il sessantenne affetto: the person's noun, where the word that the detector saw is an
        adjective behind it; les Premiers ministres."""
        if at + 1 < task.last and self.language.has(task.tokens[at].low, "ordinal"):
            return at + 1
        low, noun, leader = (task.tokens[max(i, 0)].low for i in (at, at - 1, at - 2))
        language, column = self.language, COLUMNS[LETTERS[task.before]]
        alike = language.determiner(leader) & language.adjective(low)
        listed = at > 1 and language.lists(low) and not language.lists(noun)
        return at - 1 if listed and alike and language.columns(noun) & column else at

    def _chain(self, task: Task, noun: int) -> Chain:
        """The words that agree with the noun, with the pronouns that mean its person."""
        source = task.source
        hints = Hints(
            taken_up=bool(TAKEN_UP.search(source)) and not task.elsewhere,
            without=self.language.drops_subjects and not TAKEN_UP.search(source) and not THING.search(source),
            same_gender=he_or_she(source) == {task.before},
            alone=bool(ALONE.search(source)),
            others=task.others,
        )
        chain = self.language.chain(
            self.language,
            task.tokens,
            noun,
            masculine=task.before is Gender.MALE,
            plural=task.plural,
            heads=task.heads,
            hints=hints,
        )
        chain.take_up(object_=bool(OBJECT.search(source)) and not THING.search(source))
        return chain

    # -- what stays as it is

    def _refusal(self, chain: Chain, task: Task) -> str | None:
        """Why the noun cannot be rewritten, as a word by itself: it names a couple, or no person that we know. What
        follows a determiner and no table knows (dal dipinto) must be surer."""
        at, text = chain.head, chain.tokens[chain.head].text
        if chain.determiner(at) and chain.kind(at + 1) is Kind.THING:
            return f"{text!r} is not known as a word for a person"  # otros países
        if chain.has(at, "all") and chain.determiner(at + 1):
            return f"{text!r} is not the person's noun"  # tutti i cittadini
        if chain.has(at, "couple"):
            return f"{text!r} is one form for both"
        if chain.has(at, "one_gender"):
            return str(no_form(task.wanted, text))
        if chain.has(at, "head_pronoun") or chain.names(at):
            return None
        agent = self.language.agentive(chain.low(at)) or chain.low(at).endswith(self.partners.productive)
        unsure = (agent or chain.determiner(at - 1)) and task.confidence < self.language.sure_of_unlisted
        participle = chain.low(at).endswith(self.language.participle_endings)
        verb = (participle and chain.perfect(chain.back(at - 1))) or self.language.has(chain.low(at), "verb_too")
        said = chain.adjective(at) and (self.language.drops_subjects or not chain.after_link(at))
        if not unsure and not verb and (agent or said or self._determined(chain, at)):
            return None
        return f"{text!r} is not known as a word for a person"

    @staticmethod
    def _determined(chain: Chain, at: int) -> bool:
        """A determiner precedes the word, over adjectives: then it is a noun."""
        before = at - 1
        while chain.adjective(before):
            before -= 1
        return bool(chain.determiner(before))

    def _apart(self, chain: Chain, at: int) -> bool:
        """sont partis tôt, fatigués d'attendre: where every clause has a subject, what follows a comma is said of it,
        if nobody else is named."""
        others = any(chain.rival(i) for i in range(len(chain.tokens)) if i not in chain.marked and i != at)
        if self.language.drops_subjects or chain.low(at - 1) != "," or others or chain.governed(chain.first):
            return False
        chain.marked.add(at)
        return True

    # -- forms

    def _inflect(self, chain: Chain, task: Task, words: dict[int, str], articles: dict[int, dict[str, str]]) -> None:
        """Fills in the other form of each word of the chain, and the row of each article."""
        wanted = LETTERS[task.wanted]
        for i in sorted(chain.marked):
            head = i in task.heads
            title = chain.has(i, "title_masculine", "title_feminine")
            if i > chain.head and not head and chain.is_name(i) and not title and not chain.names(i):
                continue  # Pedro Solbes
            row = None if head else self._article(chain, i, wanted)
            if i in chain.fixed:
                words[i] = chain.fixed[i]
            elif not head and (compound := self._compound(chain.low(i), wanted)):
                words[i] = compound
            elif row is not None:
                articles[i] = row
            elif (form := self._form(chain, task, i, wanted)) is not None:
                words[i] = form
            elif head or not i or not chain.tokens[i].text[:1].isupper():
                raise no_form(task.wanted, chain.tokens[i].text)

    def _form(self, chain: Chain, task: Task, at: int, wanted: str) -> str | None:
        """The other form of a noun, adjective, participle or pronoun; None where no table supports one."""
        low, head = chain.low(at), at in task.heads
        choose = self.partners.noun if head else self.partners.adjective
        partner = choose(low, wanted, plural=chain.plural and at not in chain.singular)
        if head:
            partner = self.partners.kin.get((task.focus.lower(), low), partner)
        if head and not chain.names(at) and low in {word.low for word in source_words(task.source)}:
            partner = low  # El physician: the source's own word, left as it is, has one form for both
        listed_only = (head and self._determined(chain, at)) or (at > 0 and chain.tokens[at].text.istitle())
        if partner is None or not self.partners.supports(low, partner, noun=listed_only):
            return None
        first, hyphen, _ = low.partition("-")
        if hyphen and partner.startswith(f"{first}-") and self.language.columns(first) == COLUMNS[LETTERS[task.before]]:
            own = self.partners.noun(first, wanted, plural=chain.plural)  # nadador-salvador, judeu-cristão
            partner = f"{own or first}{partner.removeprefix(first)}"
        behind = at > chain.head and not (at + 1 in chain.marked and chain.names(at + 1))  # not: un buen diplomático
        placed = (self.partners.after_noun if behind else self.partners.before_noun).get(partner, partner)
        stressed = at > 0 and chain.has(at - 1, "preposition", "partitive")
        return STRESSED.get(partner, placed) if stressed else placed

    def _compound(self, low: str, wanted: str) -> str | None:
        """est-elle of est-il: a word that ends in a pronoun."""
        parts = joined(low) if self.language.joins_pronouns else None
        return parts[0] + (self.partners.adjective(parts[1], wanted, plural=False) or parts[1]) if parts else None

    def _article(self, chain: Chain, at: int, wanted: str) -> dict[str, str] | None:
        """The row of a determiner before its phrase; not of one that is alone (una de ellas)."""
        after = chain.low(at + 1)
        if (
            not after[0].isalnum()
            or chain.has(at + 1, "partitive")
            or (chain.has(at + 1, "of_the") and chain.has(at, "one"))
        ):
            return None
        if chain.low(at) in POINTING and (self.language.adverb(after) or chain.links(at + 1)):
            return None  # quella più alta, questa è
        low = chain.low(at) if chain.tokens[at].text.endswith(("'", "’")) else chain.low(at).rstrip("'")
        known = chain.determiner(at) or self.language.has(low, "before_vowel")
        return self.partners.article(low, wanted) if known else None

    def _respell(self, chain: Chain, wanted: str, words: dict[int, str], articles: dict[int, dict[str, str]]) -> None:
        """What changes because the word beside it does: a title's stop, an elided article."""
        tokens = chain.tokens
        for i in [i for i, new in words.items() if new == "mme" and i + 1 < len(tokens) and tokens[i + 1].text == "."]:
            words[i + 1] = ""  # M. le Président, Mme la Présidente
        changed = {*words, *articles}
        for i in sorted(changed):
            if i and i - 1 not in changed and self._elides(tokens[i - 1]):
                row = self._article(chain, i - 1, wanted)
                if row is not None and {tokens[i - 1].low, tokens[i - 1].low.rstrip("'")} & {*row.values()}:
                    articles[i - 1] = (
                        row  # mon oncle, ma tante; l'héroïne, le héros: what was elided may not be now, and the reverse
                    )

    @staticmethod
    def _elides(token: Token) -> bool:
        return token.low.endswith("'") or token.low in {"mon", "ton", "son"}
