"""Greek: the article decides for the many nouns that men and women share (ο γιατρός, η γιατρός)."""

import re
import unicodedata

from evenhand.grammar.base import LONGEST, Language, fold
from evenhand.grammar.participants import CARRIED, SURE, Participant, Scan
from evenhand.grammar.protocol import SINGULAR, cells
from evenhand.grammar.sentence import Said

# Adjectives in the predicate; those that hardly anything else ends in come first.
SURELY = re.compile(r".{2,}(?:μεν|ικ|ιμ|ιν|ηρ|ερ|τατ|στ|ητ|ητ|ωτ|ατ|αλ|αν|υν|υμ|ομ|εσ|υσ|ειρ|ορ|υρ)(?P<end>ος|η)")
LOOSELY = re.compile(r".{2,}(?P<end>ος|η|[ιεα]ια|ουσα|αρης|αρα)")
ADVERB = 4  # letters of the longest word in -ως that is none: φως, εως
MEN, WOMEN = cells("m") & SINGULAR, cells("f") & SINGULAR


class GreekParticipant(Participant):
    """The predicate is in the nominative: -ος of men, -η or -ια of women; "μόνη μου" says whose it is."""

    def _adjective(self, low: str) -> int:
        found = LOOSELY.fullmatch(low)
        if not found or self.columns(low) or self.ends(low, "both_ending") or self.language.function_word(low):
            return 0
        return MEN if found["end"] in {"ος", "αρης"} else WOMEN

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

    def plain(self, text: str) -> str:
        """Lower case without accents; η and ή, οι and όι are one."""
        if len(text) > LONGEST:
            return text
        marks = unicodedata.normalize("NFD", fold(text))
        return "".join(letter for letter in marks if not unicodedata.combining(letter))
