"""Nouns for persons that name nobody in a line: expressions, figures of speech, companies and states, parts of a name.

A noun that may not be a person is left out rather than counted: what is lost is a little of the text, what would be
gained is a gender that nobody has.
"""

from __future__ import annotations

import re
from importlib.resources import files

from evenhand.corpus.concepts import Concepts
from evenhand.mining.mentions import Mention
from evenhand.mining.person_nouns import PersonLexicon
from evenhand.tsv import rows

DATA = files("evenhand.corpus") / "data"
NEAR = 160  # characters before the noun in which its subject is looked for
_BE = "is|are|was|were|be|been|become|becomes|became|remain|remains|remained"
_BETWEEN = r"(?:not|yet|also|still|now|never|always|therefore|already|only|\w+ly)"
_LED = r"(?:an?|the|our|your|my|its|their|no|one|another|such)"
_ADJECTIVE = r"(?!(?:that|in|on|for|of|to|all|with|by|from|what|how|when|if|because|than|the|and|or|who)\b)[\w-]+"
# Parliament(, as we know,) is not yet a full <partner>
_SAID_OF = re.compile(
    rf"(?P<subject>[\w’'-]+)(?:\s*[,(–-][^,.;()–]{{1,80}}[,)–-])?(?:\s+{_BETWEEN})*(?:\s+(?:has|have|had|will|would|can|could"
    rf"|should|must|may|might|shall|to))?(?:\s+{_BETWEEN})*\s+(?:{_BE})(?:\s+{_BETWEEN})*(?:\s+one\s+of)?(?:\s+{_LED})?"
    r"(?:\s+\w+['’]s)?"
    rf"(?:\s+{_ADJECTIVE}){{0,2}}\s+$",
    re.IGNORECASE,
)
_AS = re.compile(
    rf"(?P<subject>[\w’'-]+)(?:\s+forward|\s+up)?\s+(?:as|like)\s+(?:{_LED}\s+)?(?:{_ADJECTIVE}\s+){{0,2}}$",
    re.IGNORECASE,
)
_ITS_ROLE = re.compile(
    rf"\bits\s+(?:\w+\s+)?(?:role|position|function|capacity|status)\s+(?:as|of)\s+(?:{_LED}\s+)?(?:{_ADJECTIVE}\s+){{0,2}}$",
    re.IGNORECASE,
)
_QUOTES = "'\"‘’“”«»"
_OWNED = re.compile(r"\b(?:my|your|his|her)\s+(?:\w+\s+)?$", re.IGNORECASE)
_WHO = re.compile(r"\s*,?\s+(?:who|whom|whose)\b", re.IGNORECASE)
_ABBREVIATION = re.compile(r" [A-Z]{2,}\b")
_NAMED = re.compile(r"(?:['’]s?|s['’])? [A-Z][a-z]")
_RELATIVE = re.compile(r"\b(?:that|which|who|it|he|she|they|we|you|I)(?:\s+(?:also|now|still|often|always|never))?\s+$")
_OBJECT = re.compile(r"\s+(?:an?|the|his|her|its|our|their|this|these|great|much|more|no)\b")


class Nobody:
    """Tells the mentions that name no person; what remains unclear counts as nobody."""

    def __init__(self, lexicon: PersonLexicon, concepts: Concepts) -> None:
        self._lexicon, self._concepts = lexicon, concepts
        self._phrases = re.compile("|".join(row["pattern"] for row in rows(DATA / "phrases.tsv")), re.IGNORECASE)
        self._organisations = {row["noun"]: row["when"] for row in rows(DATA / "organisations.tsv")}
        words = {row["kind"]: frozenset(row["words"].split()) for row in rows(DATA / "bodies.tsv")}
        self._bodies, self._adjectives = words["body"], words["adjective"]

    def among(self, source: str, named: list[Mention]) -> list[Mention]:
        """The mentions that do name persons, in their order."""
        if not named:
            return named
        said = [match.span() for match in self._phrases.finditer(source)]
        return [
            mention
            for mention in named
            if not any(start <= mention.start < end for start, end in said) and not self._nobody(source, mention)
        ]

    def _nobody(self, source: str, mention: Mention) -> bool:
        before, after = source[max(0, mention.start - NEAR) : mention.start], source[mention.end :]
        if before[-1:] in _QUOTES and before and after[:1] in _QUOTES and after[1:3].strip().isalpha():
            return True  # "orphan" drugs
        if _ABBREVIATION.match(after) or self._part_of_name(source, mention, before, after):
            return True  # the principal TEN projects, the Farmers' Union
        if _RELATIVE.search(before) and _OBJECT.match(after):
            return True  # a country that attaches great importance
        if mention.says in ("female", "male"):
            return False
        return self._organisation(source, mention, before, after) or self._figure(before)

    def _part_of_name(self, source: str, mention: Mention, before: str, after: str) -> bool:
        """True for a capital inside the sentence and another right after it, unless the noun is a title."""
        word = source[mention.start : mention.end]
        inside = before.rstrip(" (\"'“‘")[-1:].isalnum() or before.endswith((", ", "(", "- ", "– "))
        title = word.lower().rpartition("-")[2] in self._lexicon.titles
        return inside and word[:1].isupper() and not title and _NAMED.match(after) is not None

    def _organisation(self, source: str, mention: Mention, before: str, after: str) -> bool:
        when = self._organisations.get(self._concepts.of(source, mention.start, mention.end).rpartition(" ")[2])
        if when is None or _WHO.match(after):
            return False
        if when == "described":
            return before.rstrip().rpartition(" ")[2].lower() in self._adjectives
        plural = self._lexicon.look_up(source[mention.start : mention.end].lower())
        return not _OWNED.search(before) or (plural is not None and plural[1])

    def _figure(self, before: str) -> bool:
        """True for what is said of a body: the Commission is the champion, Turkey as a candidate."""
        for pattern in (_SAID_OF, _AS):
            match = pattern.search(before)
            if match and self._body(match["subject"]):
                return True
        return _ITS_ROLE.search(before) is not None

    def _body(self, word: str) -> bool:
        plain = word.rstrip("’'")
        capital = (
            plain[:1].isupper() and plain in self._lexicon.not_persons and f"{plain}s" not in self._lexicon.peoples
        )
        return plain.lower() in self._bodies or capital
