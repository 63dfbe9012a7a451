"""Greek: the article decides for the many nouns that men and women share (ο γιατρός, η γιατρός)."""

import re
import unicodedata

from evenhand.grammar.base import CLAUSE_ENDS, LONGEST, Language, cells_by_form, fold
from evenhand.grammar.participants import CARRIED, SURE, Participant, Scan
from evenhand.grammar.protocol import SINGULAR, Phrase, Predicate, Token, cells, open_gender
from evenhand.grammar.sentence import Link, Said, Sentence

# Adjectives in the predicate; those that hardly anything else ends in come first.
SURELY = re.compile(r".{2,}(?:μεν|ικ|ιμ|ιν|ηρ|ερ|τατ|στ|ητ|ητ|ωτ|ατ|αλ|αν|υν|υμ|ομ|εσ|υσ|ειρ|ορ|υρ)(?P<end>ος|η)")
LOOSELY = re.compile(r".{2,}(?P<end>ος|η|[ιεα]ια|ουσα|αρης|αρα)")
ADVERB = 4  # letters of the longest word in -ως that is none: φως, εως
NOMINATIVE = cells(cases="n")
REACH = 6  # words from a subject to its verb, and from the verb to what it says
NAMED = cells("fmn", cases="na")
MEN, WOMEN = cells("m") & SINGULAR, cells("f") & SINGULAR


class GreekParticipant(Participant):
    """The predicate is in the nominative: -ος of men, -η or -ια of women; "μόνη μου" says whose it is."""

    def _adjective(self, low: str) -> int:
        found = LOOSELY.fullmatch(low)
        if not found or self.columns(low) or self.ends(low, "both_ending") or self.language.function_word(low):
            return 0
        return MEN if found["end"] in {"ος", "αρης"} else WOMEN

    def article(self, low: str) -> int:
        return 0 if self.preposition(low) else super().article(low) & NAMED  # not στην κουζίνα, ενός φίλου

    def _noun(self, text: str) -> int:
        return 0 if self.language.plain(text).endswith(("ου", "ων", "ους")) else super()._noun(text)

    def surely(self, low: str) -> bool:
        return bool(self.cells(low)) and (low in self.gendered("adjective") or bool(SURELY.fullmatch(low)))

    def participle(self, low: str) -> bool:
        return low.endswith(("μενος", "μενη"))

    def _passed(self, low: str) -> bool:
        return super()._passed(low) or low.endswith("ικα") or (low.endswith("ως") and len(low) > ADVERB)

    def _object(self, scan: Scan, i: int) -> Said | None:
        """What is said of an object is an accusative: "με έκανε ευτυχισμένο", "με βλέπουν ως αδύναμη"."""
        verb = scan.low(i + 1).startswith(self._ends.get("makes", ()))
        at = self._past(scan, i + 2)
        at += scan.low(at) in self.of("as")
        low = scan.low(at)
        named = f"{low}ς" if low.endswith("ο") else low
        said = verb and self.surely(named) and self.boundary(scan.low(at + 1))
        return Said(at, "predicate", self.cells(named), CARRIED) if said else None

    def _agreeing(self, scan: Scan, i: int) -> Said | None:
        if scan.low(i + 1) in self.of("mine") and scan.low(i) in self.gendered("agreeing"):
            return Said(i, "predicate", self.gendered("agreeing")[scan.low(i)], SURE)
        return None if scan.low(i + 1) in self.others("mine") else super()._agreeing(scan, i)


class Greek(Language):
    """Article first; without one, -τρια, -ισσα, -ίνα are women and -της, -ίστας men."""

    code = "el"
    name = "greek"
    family = "hellenic"
    has_case = True
    shortest_stem = 2
    participant = GreekParticipant
    remembers = (*Language.remembers, "modifier")

    def __init__(self) -> None:
        super().__init__()
        self._adjectives = sorted(cells_by_form(self.folder / "adjectives.tsv").items(), key=lambda row: -len(row[0]))

    def plain(self, text: str) -> str:
        """Lower case without accents; η and ή, οι and όι are one."""
        if len(text) > LONGEST:
            return text
        marks = unicodedata.normalize("NFD", fold(text))
        return "".join(letter for letter in marks if not unicodedata.combining(letter))

    def modifier(self, low: str) -> int:
        """By stem and ending: εμπειρ-ος, κουρασμεν-η."""
        for end, mask in self._adjectives:
            stem = low.removesuffix(end)
            if len(stem) < len(low) and (self.ends(stem, "adjective_suffix") or self.has(stem, "adjective_stem")):
                return mask
        return self.states(low)

    def predicate(self, tokens: list[Token], phrase: Phrase) -> Predicate | None:
        """οι δικηγόροι ήταν κουρασμένες: the adjective behind to be."""
        linked = False
        for at in range(phrase.last, min(phrase.last + REACH, len(tokens))) if phrase.cells & NOMINATIVE else ():
            low = tokens[at].low
            shown = self.modifier(low) & NOMINATIVE & phrase.cells
            if low in CLAUSE_ENDS or (linked and shown):
                return None if not linked or not shown or open_gender(shown) else Predicate(at, shown)
            linked = linked or self.copula(low)
        return None

    def agrees_with(self, sentence: Sentence, at: int) -> tuple[Link, ...]:
        """Also "που" behind the noun."""
        tokens, i = sentence.tokens, at + 1
        while i < len(tokens) - 1 and (self.has(tokens[i].low, "possessive") or tokens[i].low == ","):
            i += 1
        relative = i < len(tokens) and self.relative(tokens[i].low)
        return (*super().agrees_with(sentence, at), *[Link(i, "relative", 0.9)] * relative)
