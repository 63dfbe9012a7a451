"""Nouns for persons that name nobody in a line: expressions, figures of speech, companies and states, parts of a name.

A noun that may not be a person is left out rather than counted: what is lost is a little of the text, what would be
gained is a gender that nobody has.
"""

from __future__ import annotations

import re
from importlib.resources import files

import polars as pl

from evenhand.persons.finder import LexiconFinder
from evenhand.persons.mentions import Mention
from evenhand.tsv import rows

DATA = files("evenhand.persons") / "data"
NEAR = 160  # characters before the noun in which its subject is looked for
_BE = "is|are|was|were|be|been|become|becomes|became|remain|remains|remained"
_BETWEEN = r"(?:not|yet|also|still|now|never|always|therefore|already|only|\w+ly)"
_LED = r"(?:an?|the|our|your|my|its|their|no|one|another|such)"
_ADJECTIVE = r"(?!(?:that|in|on|for|of|to|all|with|by|from|what|how|when|if|because|than|the|and|or|who)\b)[\w-]+"
_NEAR_BE = re.compile(rf"\b(?:{_BE})\b[^.;:!?]{{0,60}}$", re.IGNORECASE)
# Parliament(, as we know,) is not yet a full <partner>
_SAID_OF = re.compile(
    rf"(?P<subject>[\w’'-]+)(?:\s*[,(–-][^,.;()–]{{1,80}}[,)–-])?(?:\s+{_BETWEEN})*(?:\s+(?:has|have|had|will|would|can|could"
    rf"|should|must|may|might|shall))?(?:\s+{_BETWEEN})*\s+(?P<be>{_BE})(?:\s+and\s+(?:{_BE}))?(?:\s+{_BETWEEN})*(?P<led>\s+one\s+of)?"
    rf"(?P<article>\s+{_LED})?(?:\s+\w+['’]s)?(?:\s+{_ADJECTIVE}){{0,2}}\s+$",
    re.IGNORECASE,
)
# Turkey as a <candidate>; the United States, our <friends>
_BESIDE = re.compile(
    rf"(?P<subject>[\w’'-]+)(?:(?:\s+forward|\s+up)?\s+(?:as|like)\s+(?:{_LED}\s+)?|,\s+(?:our|its|their|an?|the)\s+)"
    rf"(?:{_ADJECTIVE}\s+){{0,2}}$",
    re.IGNORECASE,
)
_ITS_ROLE = re.compile(
    r"\bits\s+(?:\w+\s+)?(?:role|position|function|capacity|status)\s+(?:as|of)\s+"
    rf"(?:{_LED}\s+)?(?:{_ADJECTIVE}\s+){{0,2}}$",
    re.IGNORECASE,
)
_ITS = re.compile(r"\bits\s+(?:\w+\s+)?$", re.IGNORECASE)
_ITSELF = re.compile(r"\s+(?:that|which)\b[^.;!?]*\b(?:its|itself)\b", re.IGNORECASE)
_OF_ANIMALS = re.compile(r"\s+(?:male|female)\s+[a-z]")
_CLAUSE = re.compile(r"[.;:!?]")
_ACTING = re.compile(r"\b\w+ing\s+$")  # are cheating consumers
_SEVERAL = frozenset({"are", "were", "become", "became", "remain", "remained"})
_RELATED = frozenset(
    {"predecessor", "successor", "neighbour", "neighbor", "friend", "enemy", "parent", "sister", "brother"}
)
_LOOKING = re.compile(r"\(\?<?[=!](?:[^()]|\([^()]*\))*\)")  # what Polars' expressions do not know
_QUOTES = "'\"‘’“”«»"
_OWNED = re.compile(r"\b(?:my|your|his|her)\s+(?:\w+\s+)?$", re.IGNORECASE)
_WHO = re.compile(r"\s*,?\s+(?:who|whom|whose)\b", re.IGNORECASE)
_ABBREVIATION = re.compile(r" [A-Z]{2,}\b")
_NAMED = re.compile(r" [A-Z][a-z]")
_OWNERS_NAMED = re.compile(r"(?:['’]s?)? [A-Z][a-z]")  # of several: the Farmers' Union, but the Ombudsman's Report
_RELATIVE = re.compile(r"\b(?:that|which|who|it|he|she|they|we|you|I)(?:\s+(?:also|now|still|often|always|never))?\s+$")
_OBJECT = re.compile(r"\s+(?:an?|the|his|her|its|our|their|this|these|great|much|more|no)\b")


class Nobody:
    """Tells the mentions that name no person; what remains unclear counts as nobody."""

    def __init__(self, finder: LexiconFinder) -> None:
        self._lexicon, self._common = finder.lexicon, finder.tagger.is_common
        phrases = "|".join(row["pattern"] for row in rows(DATA / "phrases.tsv"))
        self._phrases = re.compile(phrases, re.IGNORECASE)
        self._anywhere = "(?i)" + _LOOKING.sub("", phrases)
        self._organisations = {row["noun"]: row["when"] for row in rows(DATA / "organisations.tsv")}
        words = {row["kind"]: frozenset(row["words"].split()) for row in rows(DATA / "bodies.tsv")}
        self._bodies, self._adjectives = words["body"], words["adjective"]
        self._pronouns, self._functions = words["pronoun"], words["function"]

    def phrased(self, sources: pl.Series) -> list[bool]:
        """Which sources may hold one of the expressions: most do not, and columns are quicker than single texts."""
        return sources.str.contains(self._anywhere).to_list()

    def among(self, source: str, named: list[Mention], *, phrases: bool = True) -> list[Mention]:
        """The mentions that do name persons, in their order; `phrases`: the source may hold an expression."""
        if not named:
            return named
        said = [match.span() for match in self._phrases.finditer(source)] if phrases else []
        return [
            mention
            for mention in named
            if not any(start <= mention.start < end for start, end in said) and not self._nobody(source, mention)
        ]

    def _nobody(self, source: str, mention: Mention) -> bool:
        before, after = source[max(0, mention.start - NEAR) : mention.start], source[mention.end :]
        if before[-1:] in _QUOTES and before and after[:1] in _QUOTES and after[1:3].strip().isalpha():
            return True  # "orphan" drugs
        noun, plural = self._noun(source, mention)
        if self._part_of_name(source, mention, before, after, plural=plural):
            return True
        if _RELATIVE.search(before) and _OBJECT.match(after):
            return True  # a country that attaches great importance
        if _OF_ANIMALS.match(after):
            return True  # an adult male elephant
        if mention.says in ("female", "male"):
            return False
        if (noun in _RELATED and _ITS.search(before)) or (not plural and _ITSELF.match(after)):
            return True  # the Union and its neighbours, a player that taught itself
        return self._organisation(noun, before, after, plural=plural) or self._figure(before)

    def _noun(self, source: str, mention: Mention) -> tuple[str, bool]:
        """The noun in the singular without what stands before it, and whether it is a plural."""
        low = source[mention.start : mention.end].lower().replace("’", "'")
        entry = self._lexicon.look_up(low)
        noun = entry[0].noun if entry else low
        return noun.rpartition("-")[2], entry is not None and entry[1]

    def _part_of_name(self, source: str, mention: Mention, before: str, after: str, *, plural: bool) -> bool:
        """True for a capital inside the sentence and another right after it, unless the noun is a title; and for a
        noun right before an abbreviation (the principal TEN projects)."""
        if not plural and _ABBREVIATION.match(after):
            return True
        word = source[mention.start : mention.end]
        inside = before.rstrip(" (\"'“‘")[-1:].isalnum() or before.endswith((", ", "(", "- ", "– "))
        title = word.lower().rpartition("-")[2] in self._lexicon.titles
        follows = (_OWNERS_NAMED if plural else _NAMED).match(after)
        return inside and word[:1].isupper() and not title and follows is not None

    def _organisation(self, noun: str, before: str, after: str, *, plural: bool) -> bool:
        when = self._organisations.get(noun)
        if when is None or _WHO.match(after):
            return False
        if when == "described":
            return before.rstrip().rpartition(" ")[2].lower() in self._adjectives
        return plural or not _OWNED.search(before)

    def _figure(self, before: str) -> bool:
        """True for what is said of a thing or a body: the Commission is the champion, cows became cannibals."""
        said = _SAID_OF.search(before) if _NEAR_BE.search(before, len(before) - 75) else None
        if said:
            subject = said["subject"]
            bare = said["be"].lower() in _SEVERAL and not _ACTING.search(before)
            counted = bare or said["led"] or said["article"]
            if self._body(subject) or (counted and self._thing(subject, before[: said.start()])):
                return True
        near = before[-60:].lower()
        if ", " in near or " as " in near or " like " in near:
            beside = _BESIDE.search(before, len(before) - 80)
            if beside and self._body(beside["subject"]):
                return True
        return "its " in near and _ITS_ROLE.search(before) is not None

    def _body(self, word: str) -> bool:
        """True for what bodies.tsv lists, and for a place, a language, an organisation by its name."""
        plain = word.rstrip("’'")
        named = plain[:1].isupper() and plain in self._lexicon.not_persons
        return plain.lower() in self._bodies or (named and f"{plain}s" not in self._lexicon.peoples)

    def _thing(self, word: str, before: str) -> bool:
        """True for a common noun that names no person, with no person nor name before it in its clause."""
        clause = [*_CLAUSE.split(before)[-1].split(), word]
        if word[:1].isupper() and (len(clause) > 1 or not self._common(word.lower())):
            return False
        words = [one.strip("\"'’,()«»“”") for one in clause]
        if any(self._personal(one.lower()) or (n and one[:1].isupper()) for n, one in enumerate(words)):
            return False
        return word.isalpha() and len(word) > 3 and word.lower() not in self._functions

    def _personal(self, low: str) -> bool:
        plain = low.removesuffix("'s").removesuffix("’s")
        return plain in self._pronouns or plain in self._lexicon.gendered or self._lexicon.look_up(plain) is not None
