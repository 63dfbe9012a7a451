"""Whether the focus went into another noun as a part, an adjective or what depends on it: that noun is no person."""

from __future__ import annotations

from itertools import dropwhile

from evenhand.detect.align import Aligner
from evenhand.detect.decide import Decision
from evenhand.detect.pairing import PERSON
from evenhand.detect.places import SLIGHT, Finder, Found
from evenhand.detect.strength import NOTHING
from evenhand.gender import Gender
from evenhand.grammar.english import Asked, singular
from evenhand.grammar.lexicon import Forms
from evenhand.grammar.protocol import SINGULAR, Kind, Language, Token

# Romance: "of" without an article; endings that agents and machines share; adjectives that say what drives a machine.
OF = frozenset({"de", "d'", "di"})
OF_ANY = OF | frozenset("des dos das dei degli delle dels".split())  # also contracted with a plural article
MACHINES = ("dor", "dora", "dores", "doras", "eur", "eurs", "euse", "euses", "tore", "trice")
DRIVEN = tuple(
    "eléctric elétric elettric électriq mecánic mecânic meccanic mécaniq automát automàt automatic automatiq".split()
)


class Parts:
    """Nouns that hold the focus, in renderings of one language."""

    def __init__(self, language: Language, forms: Forms, aligner: Aligner, finder: Finder) -> None:
        self.language, self.forms, self.aligner, self._finder = language, forms, aligner, finder

    def holds(self, asked: Asked, tokens: list[Token], found: Found, decision: Decision) -> bool:
        """True where the focus went into another noun: workers' rights as Arbeitnehmerrechte, a citizens' initiative as
        une initiative citoyenne, the specialist dances as la danza especializada."""
        low, language, head = tokens[found.first].low, self.language, asked.head
        if language.capitalises_nouns:
            concept = None if found.columns else self.forms.concept(head.low, singular(head.low))
            known = concept.single.items() if concept and decision.gender is not Gender.NEUTRAL else ()
            forms = [form for form, columns in known if columns & PERSON and len(form) > 3 and low.startswith(form)]
            return any(len(low) - len(form) > 3 and not low.endswith(("in", "innen", "frau")) for form in forms)
        if not language.adjectives_follow or not found.first:
            return False
        if asked.opens and self._device(tokens, found):
            return True
        if self._dependent(tokens, found) and self._acts(asked, tokens, found):
            return True
        before = tokens[found.first - 1]
        if not before.low[0].isalpha() or language.function_word(before.low):
            return False
        if asked.possessive and decision.gender is not Gender.NEUTRAL and not language.prenominal(before.low):
            return True
        if found.columns or found.strength <= NOTHING or found.first < 2 or self._finder.person(before):
            return False
        if not language.determiner(tokens[found.first - 2].low):
            return False
        kind, modifies = language.noun(before.text).kind, bool(language.modifier(low))
        if self._finder.done(asked.words, asked.focus, before):
            return True  # "Las risas paralegas"
        if kind is Kind.THING:
            return modifies or language.noun(low).kind is Kind.COMMON
        opens = asked.opens and found.first == 2  # "El semáforo higiénico"; not "a pata patética" for a lame duck
        unlisted = kind is Kind.GUESS and not language.modifier(before.low) and not language.verb(before.low)
        return opens and unlisted and modifies and language.noun(low).kind is not Kind.COMMON

    def _acts(self, asked: Asked, tokens: list[Token], found: Found) -> bool:
        """True for a deed that English tells for sure, because no content word follows it ("The customer records show
        it."), or that has no verb in the rendering."""
        if not asked.acts:
            return False
        behind = asked.words[asked.focus.stop + 1].low
        sure = len(behind) < 3 or behind.endswith("ly") or self.aligner.quiet(behind)
        return sure or self.language.verbless(tokens, found.last)

    def _dependent(self, tokens: list[Token], found: Found) -> bool:
        """True at the beginning where the deed became the noun and the person depends on it without an article of its
        own, or as many: "El jugador de pintores", "La conférence des conseillers"."""
        language, at = self.language, found.first
        if at < 3 or (tokens[at - 1].low not in OF_ANY and tokens[at - 2].low not in OF):
            return False  # most
        many = not language.noun(tokens[at].text).cells & SINGULAR
        if many and at > 3 and tokens[at - 2].low in OF and language.determiner(tokens[at - 1].low):
            at -= 1  # de los pintores
        if tokens[at - 1].low not in (OF_ANY if many else OF):
            return False
        nouns = list(dropwhile(lambda token: language.determiner(token.low), tokens[: at - 1]))  # todos los juegos
        return 0 < len(nouns) < at - 1 and not any(language.function_word(token.low) for token in nouns)

    def _device(self, tokens: list[Token], found: Found) -> bool:
        """True at the beginning for a device: "Este tirador eléctrico", "Ce produit d'entretien"."""
        language, first = self.language, found.first
        if (found.columns and found.listed) or not language.determiner(tokens[0].low):
            return False
        if first == 3 and tokens[2].low in OF:
            return language.noun(tokens[1].text).kind is Kind.THING
        driven = first + 1 if found.strength <= SLIGHT else first  # the noun was found, or the adjective
        if driven != 2 or driven >= len(tokens):
            return False
        return tokens[1].low.endswith(MACHINES) and tokens[2].low.startswith(DRIVEN)
