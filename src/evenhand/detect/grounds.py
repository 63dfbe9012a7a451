"""What speaks against a word as the person of the focus: it is a part, a thing's adjective, the verb as a noun."""

from __future__ import annotations

from evenhand.detect.align import Aligner
from evenhand.detect.decide import Decision
from evenhand.detect.pairing import PERSON
from evenhand.detect.parts import Parts
from evenhand.detect.places import EXPLAINED, SLIGHT, Finder, Found
from evenhand.detect.strength import NOTHING, likeness
from evenhand.gender import Gender
from evenhand.grammar.english import Asked, is_plural, singular
from evenhand.grammar.lexicon import Forms
from evenhand.grammar.protocol import FEMININE, MASCULINE, PLURAL, SINGULAR, Kind, Language, Token, cells

ALIKE = 0.7  # likeness from which a name is taken to be the source's own
LIKE = 0.2  # strength below which a coined word is hardly like the source's
SHORT = 5  # letters of a stump or of initials at most
ROOTED, ROOTED_SURELY = 0.25, 0.5  # strength from which a word may render what the focus is made of ...
AGENTS = ("er", "r", "or", "ian", "ist")  # ... without these endings
LONGER = 4  # letters by which a German word may only begin like the source's
# Kinds of evidence that do not count when no lexical evidence links the word to the focus. None counts when, besides,
# another source word has a claim on the word.
BLIND = frozenset({"open", "fixed", "thing", "neuter", "unmarked"})
DEGREES = frozenset({"más", "plus", "più", "mais", "més"})  # before an adjective in the Romance languages
OLDER = frozenset({"elder", "older", "younger"})  # comparatives that do name persons
LISTED_WELL = frozenset({"it", "pt"})  # languages in which it was read what this costs; in Arabic it lost persons
EACH = frozenset({"each", "every"})  # one in English, often many in other languages
CLITICS = frozenset("la las le les l' lo los gli os as".split())  # articles that are pronouns before a verb
NOMINATIVE = cells(cases="n")


class Grounds:
    """Objections to the words found in renderings of one language."""

    def __init__(self, language: Language, forms: Forms, aligner: Aligner, finder: Finder) -> None:
        self.language, self.forms, self.aligner, self._finder = language, forms, aligner, finder
        self._parts = Parts(language, forms, aligner, finder)

    def objection(
        self, asked: Asked, tokens: list[Token], found: Found, decision: Decision, *, name: bool
    ) -> str | None:
        """Why the decision about the word found must not stand, in words for the reader; None where nothing speaks
        against it."""
        token, language = tokens[found.first], self.language
        # A form of the focus's own that no other word claims: nothing but its place can speak against it.
        known = found.listed and bool(found.columns) and found.strength > NOTHING
        if known and not language.adjectives_follow:
            return None
        text, shows = asked.text, decision.gender is not Gender.UNKNOWN and decision.gender is not Gender.BOTH
        if shows and not name and self._parts.holds(asked, tokens, found, decision):
            return f"{token.text} holds the word for {text!r} as a part or an adjective"
        if known:
            return None
        if self._ordered(asked, found):
            return f"{token.text} renders another word than {text!r}"
        if self._neuter(tokens, found):
            return f"{tokens[found.first - 1].text} {token.text} is no person"
        if self._compared(asked.head.low, tokens, found):
            return f"{tokens[found.first - 1].text} {token.text} is an adjective without a noun"
        article = found.first == 1 and bool(language.determiner(tokens[0].low))
        opens = asked.opens and (not found.first or article) and not found.taken  # the first person on both sides
        if shows and asked.opens and not name and self._deed(asked, tokens, found):
            return f"{token.text} renders what {text!r} does: no verb follows it"
        fixed = opens and decision.basis == "fixed" and not language.collective(token.low)  # one person is no team
        fixed = fixed or (opens and decision.basis == "open" and bool(self._finder.person(token) & PERSON))
        anybody = decision.basis == "fixed" and not found.taken and self._anybody(token)
        weak = found.strength <= NOTHING and (found.taken or (decision.basis in BLIND and not anybody and not fixed))
        subject = opens and decision.how == "agreement" and language.coined(token.low)  # Геф избегал
        weak = weak or self._other_initials(asked, token)
        judged = not name and decision.basis != "both" and not subject
        if weak or (judged and self._groundless(asked, tokens, found, decision)):
            return f"no word is known to render {text!r}"
        return None

    def _other_initials(self, asked: Asked, token: Token) -> bool:
        """True for initials that no dictionary has and that are not those of the focus: ФК for the CEO."""
        initials = all(text.isupper() and len(text) <= SHORT for text in (asked.text, token.text))
        return initials and self.language.coined(token.low) and likeness(token.low, asked.head.low) < ALIKE

    def _anybody(self, token: Token) -> bool:
        """True for the word for a person of any kind (Person, persona), which stands for every focus."""
        concept = self.forms.concept("person")
        return concept is not None and any(form in concept.single for form in self.language.lookups(token.text))

    def _deed(self, asked: Asked, tokens: list[Token], found: Found) -> bool:
        """True where the first noun renders not the first person but what that person does, and no verb follows it:
        "El jugador de mudanzas en el fin de semana" for the mover gambles at the weekend."""
        first = found.first == 0 or (found.first == 1 and not self.language.function_word(tokens[1].low))
        if not first or (found.columns and found.listed) or not self.language.verbless(tokens, found.last):
            return False
        if self.language.adjectives_follow:
            if found.strength > SLIGHT:
                return False  # "Este paramedicto almorzado" is like the focus
            # "Mi barbero en el salón" for the bartender: another person, not a deed
            other = self.language.noun(tokens[found.first].text).kind in {Kind.SEXED, Kind.COMMON}
            other = other and bool(self._finder.person(tokens[found.first]) & PERSON)
            return not other or self._finder.done(asked.words, asked.focus, tokens[found.first])
        if self.language.capitalises_nouns:  # "Das Rezeptionäre Klatschbase"
            return not found.columns and found.last < len(tokens) and tokens[found.last].text[0].isupper()
        # "Серриф-плетники за обедом": the deed is the second part
        joined = "-" in tokens[found.first].low and self.language.coined(tokens[found.first].low)
        return joined or self._finder.done(asked.words, asked.focus, tokens[found.first])

    def _ordered(self, asked: Asked, found: Found) -> bool:
        """True for the first word of a string whose source opens with another word than the focus and explains it
        better, or hardly worse: "Invita a gente", "Convide pessoas" for "Invite guests"."""
        if not self.language.adjectives_follow or found.first or found.columns or not asked.focus[0]:
            return False
        return found.taken or found.strength < EXPLAINED

    def _neuter(self, tokens: list[Token], found: Found) -> bool:
        """True for the form of another person, linked to the focus by nothing, with an article that no person's has:
        "Das Wetter", where a Wetter is one who bets."""
        if not self.language.capitalises_nouns or not found.first or found.strength > SLIGHT:
            return False
        article, noun = (
            self.language.determiner(tokens[found.first - 1].low),
            self.language.noun(tokens[found.first].text),
        )
        return bool(article) and not article & (FEMININE | MASCULINE) and noun.kind is Kind.SEXED

    def _compared(self, focus: str, tokens: list[Token], found: Found) -> bool:
        """True where an agent in -er was taken for a comparative: "El más limpio" for the cleaner."""
        before = tokens[found.first - 1].low if found.first else ""
        if before not in DEGREES or found.columns or not focus.endswith("er") or focus in OLDER:
            return False
        return self.language.noun(tokens[found.first].text).kind is Kind.GUESS

    def _groundless(self, asked: Asked, tokens: list[Token], found: Found, decision: Decision) -> bool:
        """True when nothing shows that the word found is a person: no table knows it, no source word is linked to it
        although the translation table, or the table of forms, would know, its ending makes no persons, and it is no
        participle (los heridos). An adjective that stands alone (Государственный) needs a link too."""
        language, token = self.language, tokens[found.first]
        noun, head = language.noun(token.text), asked.head.low
        small = language.capitalises_nouns and found.strength < ROOTED_SURELY and token.text[0].islower()
        if small and not found.columns and any(other.text[0].isupper() for other in tokens[1:]):
            return True  # "diskutierte" is a verb, "die sauberere" waits for its noun
        longer = language.capitalises_nouns and found.strength < ALIKE and len(token.low) >= len(head) + LONGER
        if longer and not found.columns and noun.kind is Kind.GUESS:
            return True  # Hygieneststrang: it only begins like the hygienist
        if asked.opens and found.strength <= SLIGHT and found.first > 1 and not noun.cells & NOMINATIVE:
            return True  # the subject of the source is no object: "Войлер доступает плотницу"
        alone = not language.adjectives_follow and not language.capitalises_nouns
        if alone and not found.columns and not noun.cells & (FEMININE | MASCULINE) and language.modifier(token.low):
            return True  # "управляющее задание": a neuter adjective
        if asked.acts and asked.words[0].low not in EACH and found.strength <= SLIGHT and not noun.cells & SINGULAR:
            return True  # one person who does something is not many: "Les bavards électriques"
        if self._stump(token, found, decision) or self._root(asked.head.low, token, found.strength):
            return not found.columns
        if found.strength > NOTHING or not (self.aligner.informed or self._expected(asked)):
            return False
        number = PLURAL if is_plural(head) else SINGULAR
        if noun.kind is Kind.SEXED and not noun.cells & number:  # the injured may be many
            return True  # nothing links them, and one is many: "Развитие тренеры" for the developer trades
        if found.columns:
            return False
        if noun.kind is Kind.THING or (alone and self.aligner.attributive(tokens, found.first)):
            return True  # "немой деревни"
        if found.first > 1 and language.somewhere(tokens, found.first):
            return True  # "в очередиторе"
        beside = asked.words[asked.focus[0] - 1].low if asked.focus[0] else "the"
        if (
            len(beside) > 2
            and not self.aligner.quiet(beside)
            and self.aligner.strength(beside, token.text) >= EXPLAINED
        ):
            return True  # "El grosero" for the rude clerk
        follows = tokens[found.last].text if found.last < len(tokens) else "."
        adjective = language.adjectives_follow and bool(language.prenominal(token.low))
        if adjective and language.noun(follows).kind is Kind.THING:
            return True  # "La mala broma"
        # A word far from where the person should stand: "Nuestros chismes de nuevo".
        far = asked.focus[0] == 1 and found.first > 2 and noun.kind is not Kind.SEXED
        if language.adjectives_follow and (far or self._verbal(tokens, found)):
            return True
        # A participle may be a person (los heridos), a Slavic adjective too; "al nutritivo" is an adjective alone.
        inflects = language.modifier if is_plural(head) else language.prenominal
        inflected = bool(inflects(token.low)) and not language.capitalises_nouns
        inflected = inflected and not language.coined(token.low)
        # The subject of the source is in its dictionary form: "Цветочек молокоет два кошца" has no кошец.
        itself = not found.first or asked.opens
        return noun.kind is Kind.GUESS and not inflected and not language.agentive(token.low, opens=itself)

    def _stump(self, token: Token, found: Found, decision: Decision) -> bool:
        """True for a coined word hardly like the focus that shows a gender by too little: a short one without an ending
        of persons (Церк) by its last letter, or one whose ending speaks against the word before it (Диетский
        диетсципля)."""
        language = self.language
        if found.strength >= LIKE or not language.coined(token.low):
            return False
        if decision.basis == "guess article alone":
            return True
        return decision.basis == "ending" and len(token.low) <= SHORT and not language.agentive(token.low)

    def _root(self, focus: str, token: Token, strength: float) -> bool:
        """True for an adjective or a verb that renders what the focus is made of: limpia for the cleaner (clean),
        eléctrico for the electrician (electric)."""
        language, kind = self.language, self.language.noun(token.text).kind
        agent = kind is Kind.SEXED and bool(language.modifier(token.low))  # by its ending
        if not language.adjectives_follow or focus in OLDER or not (kind is Kind.GUESS or agent):
            return False
        if strength <= NOTHING or language.prenominal(token.low) or self._finder.person(token):
            return False
        roots = [focus.removesuffix(suffix) for suffix in AGENTS if focus.endswith(suffix)]
        roots = [root for root in roots if self.aligner.translates(root)]
        least = max(strength, ROOTED_SURELY if agent else ROOTED)
        return any(self.aligner.strength(root, token.text) > least for root in roots)

    def _expected(self, asked: Asked) -> bool:
        """True where the forms table knows what the focus is called: in some languages without a translation table a
        word that is none of its names must show by itself that it is a person."""
        if self.language.code not in LISTED_WELL:
            return False
        return self.forms.concept(asked.head.low, singular(asked.head.low)) is not None

    def _verbal(self, tokens: list[Token], found: Found) -> bool:
        """True for a word in a verb's place in a Romance language: an article right behind it opens its object ("El
        construye un cobertizo"), or it follows a noun ("El nutriente alimenta")."""
        language, before = self.language, tokens[found.first - 1].low if found.first else "."
        after = tokens[found.last].low if found.last < len(tokens) else "."
        object_ = language.determiner(after) and not language.begins(after) and after not in CLITICS
        if object_ and found.first == 1 and language.determiner(before):  # not "dio al piloto un reloj"
            return True
        plain = before[0].isalpha() and not language.function_word(before) and not language.adverb(before)
        if found.first < 2 or not plain or language.prenominal(before):
            return False
        return bool(language.determiner(tokens[found.first - 2].low)) or not language.verb(before)
