"""Nouns for persons that name no person in a text: programs and devices, expressions, figures of speech, parts of
names; and those that may name a thing or a company there. A noun that may not be a person is set aside rather than
counted: what is lost is a little of the text, what would be gained is a gender that belongs to no one. The kind of text
(senses.tsv) is the only thing that changes the answer."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from importlib.resources import files
from typing import Literal, NamedTuple

from evenhand.grammar.english import headword
from evenhand.persons.lexicon import PersonLexicon
from evenhand.persons.stated import Marked, Reading, Says
from evenhand.persons.tokens import Expressions
from evenhand.remembered import remembered
from evenhand.tsv import rows

Domain = Literal["prose", "interface"]
DATA = files("evenhand.persons") / "data"
NEAR = 160  # characters before the noun in which its subject is looked for
_BE = "is|are|was|were|be|been|become|becomes|became|remain|remains|remained"
_BETWEEN = r"(?:not|yet|also|still|now|never|always|therefore|already|only|\w+ly)"
_PREPOSITIONS = (
    "in|on|for|of|to|with|without|by|from|at|after|before|about|against|among|between|into|under|over|through"
)
_NEAR_BE = re.compile(rf"\b(?:{_BE})\b[^.;:!?]{{0,60}}$", re.IGNORECASE)
# Parliament(, as we know,) is not yet a full <partner>
_SAID_OF = re.compile(
    rf"(?<![\w’'-])(?<!what )(?<!which )(?<!whose )(?P<subject>[\w’'-]+)(?:\s*[,(–-][^,.;()–]{{1,80}}[,)–-])?"
    rf"(?:\s+{_BETWEEN})*(?:\s+(?:has|have|had|will|would|can|could|should|must|may|might|shall))?(?:\s+{_BETWEEN})*\s+(?P<be>{_BE})(?:\s+and\s+(?:{_BE}))?(?:\s+{_BETWEEN})*"
    r"(?P<led>\s+one\s+of|\s+(?:an?|the|our|your|my|its|their|no|one|another|such))*(?:\s+\w+['’]s)?"
    rf"(?:\s+(?!(?:{_PREPOSITIONS}|that|all|as|what|how|when|if|because|than|the|and|or|who)\b)[\w-]+){{0,2}}\s+$",
    re.IGNORECASE,
)
_ACTING = re.compile(r"\b\w+ing\s+$")  # the market is cheating consumers
_CLAUSE = re.compile(r"[.;:!?]")
_SEVERAL = frozenset({"are", "were", "become", "became", "remain", "remained"})
_OWNED = re.compile(r"\b(?:my|your|his|her)\s+(?:\w+\s+){0,2}$", re.IGNORECASE)
_WHO = re.compile(r"\s*,?\s+(?:who|whom)\b", re.IGNORECASE)
_NAMED = re.compile(r"(?:['’]s?)? [A-Z][a-z]")


class Place(NamedTuple):
    """A noun for a person in its text: what is around it, its singular, its number, and what is said of its gender."""

    before: str
    word: str
    after: str
    noun: str
    plural: bool
    says: Says
    behind: str = ""  # a noun right before it


class Senses:
    """Decides which nouns for persons name none in a text of one kind. `persons` and `things` are the user's own words
    (single words, lower case), which win over every table."""

    def __init__(
        self,
        lexicon: PersonLexicon,
        is_common: Callable[[str], bool],
        *,
        domain: Domain,
        persons: Iterable[str] = (),
        things: Iterable[str] = (),
    ) -> None:
        self._lexicon, self._common, self._entry = lexicon, is_common, remembered(lexicon.look_up)
        own = dict.fromkeys(things, "thing") | dict.fromkeys(persons, "person")
        self._kinds = {row["noun"]: row[domain] for row in rows(DATA / "senses.tsv")} | own
        self._devices, self._people = _modifiers()
        listed = rows(DATA / "senses.tsv") if domain == "interface" else ()
        self._programs = frozenset(row["noun"] for row in listed if row["behind"])
        self._phrases = Expressions(row["pattern"] for row in rows(DATA / "phrases.tsv"))
        words = {row["kind"]: row["words"].split() for row in rows(DATA / "bodies.tsv")}
        self._bodies, self._adjectives = frozenset(words["body"]), frozenset(words["adjective"])
        self._origins = frozenset(words["origin"])
        self._pronouns, self._functions = frozenset(words["pronoun"]), frozenset(words["function"])
        state, leave, act = ("|".join(words[kind]) for kind in ("state", "leave", "act"))
        been = rf"(?:{_BE}|has been|have been|will be)\s+(?:{_BETWEEN}\s+|so\s+|very\s+)*"
        self._personal = re.compile(rf"\s+(?:{been}(?:{state}|on\s+(?:\w+\s+)?(?:{leave}))|{act})\b", re.IGNORECASE)

    def phrases(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Where each text has an expression whose nouns name no person."""
        return [[match.span() for match in matches] for matches in self._phrases.find_all(texts)]

    def is_thing(self, reading: Reading, mark: Marked) -> bool:
        """True for a program or a device: a noun that always is one in such texts, or one that the word before makes
        one (password manager, vacuum cleaner)."""
        noun = self._singular(mark.word.low)
        kind, modifiers = self._kind(mark.word.low, noun), self._devices.get(noun, ())
        thing = kind == "thing" or (kind == "adjective" and mark.attributive)
        if modifiers and mark.at and kind not in ("thing", "person"):
            before = reading.words[mark.at - 1]
            thing = before.low in modifiers and mark.word.start - before.end == 1
        return thing and self._personal.match(reading.text, mark.word.end) is None

    def doubt(self, text: str, mark: Marked, says: Says) -> Literal["", "thing", "no one"]:
        """Whether a noun that is no thing names no one in this place, or may name a thing or a company."""
        start, end = mark.word.start, mark.word.end
        around = (text[max(0, start - NEAR) : start], mark.word.text, text[end:])
        place = Place(*around, self._singular(mark.word.low), mark.plural, says, mark.behind)
        if self._names_no_one(place):
            return "no one"
        return "thing" if self._may_be_thing(place._replace(says="open") if mark.gendered else place) else ""

    def _singular(self, low: str) -> str:
        entry = self._entry(low)
        return headword(entry[0].noun if entry else low.removesuffix("s"))

    def _kind(self, low: str, noun: str) -> str:
        """What a word is in such texts; a compound with a hyphen goes by its last part, a plural by its singular."""
        kinds = self._kinds
        return kinds.get(low) or kinds.get(noun) or (kinds.get(headword(low), "") if "-" in low else "")

    def _names_no_one(self, place: Place) -> bool:
        """True for parts of names and figures of speech; what remains unclear counts as no one."""
        if self._part_of_name(place):
            return True
        if place.says in ("female", "male") or place.after.startswith(("'s", "’s")):  # whose best friend a ladder is
            return False
        return bool(_NEAR_BE.search(place.before[-75:])) and self._said_of_thing(place.before)

    def _may_be_thing(self, place: Place) -> bool:
        """True for a word that names a program, a company or a state as often, where nothing shows a person."""
        kind = self._kind(place.word.lower(), place.noun)
        if place.behind and not place.plural and place.noun in self._programs:
            kind = kind or "either"  # overlay manager: what is managed may be anything
        if kind in ("", "person", "adjective") or place.says in ("female", "male") or _WHO.match(place.after):
            return False
        modifier = place.before.rstrip().rpartition(" ")[2].lower()
        if kind == "described":
            return modifier in self._adjectives or (place.plural and modifier in self._origins)
        if self._personal.match(place.after) or modifier in self._people.get(place.noun, ()):
            return False
        return kind != "body" or place.plural or not _OWNED.search(place.before[-40:])

    def _part_of_name(self, place: Place) -> bool:
        """True for a capital inside the sentence and another right after it, unless the noun is a title; and for an
        abbreviation that looks like a noun."""
        before, word, after = place.before, place.word, place.after
        if not word[:1].isupper():
            return False
        if word.isupper() and (before + after).upper() != before + after:
            low = word.lower()  # SIS, MAN; but CEO
            return len(low) < 5 and (low in self._lexicon.gendered or self._common(low))
        inside = before.rstrip(" (\"'“‘")[-1:].isalnum() or before.endswith((", ", "(", "- ", "– "))
        title = word.lower().rpartition("-")[2] in self._lexicon.titles
        named = after.startswith(" ") or place.plural  # of several: the Farmers' Union, but the Ombudsman's Report
        return inside and not title and named and _NAMED.match(after) is not None

    def _said_of_thing(self, before: str) -> bool:
        """True for what is said of a thing or a body: the Commission is the champion, cows became cannibals."""
        said = _SAID_OF.search(before)
        if said is None or (not said["led"] and _ACTING.search(before)):
            return False
        subject, be = said["subject"], said["be"].lower()
        agrees = be not in ("are", "were") or subject.lower().endswith("s")
        thing = agrees and (said["led"] or be in _SEVERAL) and self._thing(subject, before[: said.start()])
        return bool(thing) or self._body(subject)

    def _body(self, word: str) -> bool:
        """True for what bodies.tsv lists, and for a place, a language, an organisation by its name."""
        plain = word.rstrip("’'")
        named = plain[:1].isupper() and plain in self._lexicon.not_persons and plain not in self._lexicon.names
        return plain.lower() in self._bodies or (named and f"{plain}s" not in self._lexicon.peoples)

    def _thing(self, word: str, before: str) -> bool:
        """True for a common noun that names no person, with no person nor name before it in its clause."""
        clause = [*_CLAUSE.split(before)[-1].split(), word]
        if word[:1].isupper() and (len(clause) > 1 or not self._common(word.lower())):
            return False
        words = [one.strip("\"'’,()«»“”") for one in clause]
        if any(self._named(one.lower()) or (n and one[:1].isupper()) for n, one in enumerate(words)):
            return False
        return word.isalpha() and len(word) > 3 and word.lower() not in self._functions

    def _named(self, low: str) -> bool:
        plain = low.removesuffix("'s").removesuffix("’s")
        return plain in self._pronouns or plain in self._lexicon.gendered or self._lexicon.look_up(plain) is not None


def _modifiers() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """By noun: the words behind which it names a program or a device, and those behind which it names a person."""
    groups = {row["group"]: row["words"].split() for row in rows(DATA / "modifiers.tsv")}
    devices, people = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for row in rows(DATA / "senses.tsv"):
        devices[row["noun"]].update(word for group in row["behind"].split() for word in groups[group])
    for row in rows(DATA / "compounds.tsv"):
        people[row["noun"]].update(row["persons"].split())
        devices[row["noun"]].update(row["things"].split())
        devices[row["noun"]] -= people[row["noun"]]
    return dict(devices), dict(people)
