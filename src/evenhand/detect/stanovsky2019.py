"""The rule of Stanovsky et al. 2019 (WinoMT) for Arabic, Hebrew, Russian and Ukrainian, kept to reproduce their table.

1. The entity is the token where the focus begins, with the article before it; tokens stand between blanks.
2. Its translation are the target tokens that fast_align links to it (column `alignment`: "0-0 2-1 ...", 0-based), in
   the order of the links.
3. Its gender is read off those words alone, by the language's simple rule:
   Arabic   female where a word holds a taa marbuta, else male, also where nothing is linked;
   Hebrew   female where a word other than the object marker ends in tav or he, or where nothing is linked; else male;
   Russian and Ukrainian   each word by pymorphy's analyses (female before male before neuter, none is neutral), then
            the gender most words have, the first one's at a tie; nothing linked is unknown.

The paper names the steps. What an entity without links counts as, which marks are stripped and how several words are
weighed was recovered from the counts the authors logged; quirks are kept (a Hebrew entity without links is female). The
verdict never asks for an article, an agreeing verb or a fixed gender: Evenhand's own rule does.
"""

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import polars as pl

from evenhand.detect.verdict import Verdict, judge_rows
from evenhand.errors import BadInput, Unknown, require
from evenhand.gender import Gender
from evenhand.grammar.families.morphology import Parse, parsed
from evenhand.languages import primary
from evenhand.readers.focus import resolve_focus
from evenhand.remembered import remembered

NAME, VERSION = "stanovsky2019", "1"
ALIGNMENT = "alignment"
ARTICLES = frozenset({"the", "a", "an"})
MARKS = string.punctuation + "«»،؛؟"
TAA_MARBUTA, OBJECT_MARKER, HEBREW_ENDINGS = "ة", "את", ("ת", "ה")
PYMORPHY_GENDERS = {"femn": Gender.FEMALE, "masc": Gender.MALE, "neut": Gender.NEUTRAL}  # in order of precedence
AUTHORS_DICTIONARY = "pymorphy2_dicts_{code}"

Rule = Callable[[Sequence[str]], Gender]
_TOKEN = re.compile(r"\S+")
_LINK = re.compile(r"^(\d+)-(\d+)$")


class AlignedRule:
    """Verdicts by the published rule; the same columns as the noun detector's. Needs id, source, rendering, a focus and
    `alignment`. The evidence is the first linked word. `adequate` is null and `conflict` false: the rule looks at
    neither."""

    def __init__(self, source_lang: str, target_lang: str) -> None:
        code = primary(target_lang)
        if primary(source_lang) != "en":
            raise BadInput(f"the rule {NAME} reads English sources, not {source_lang!r}")
        if code not in LANGUAGES:
            hint = "The authors' analysers for German, French, Italian and Spanish are not available."
            raise Unknown(f"target language for the rule {NAME}", target_lang, LANGUAGES, hint=hint)
        self._judge, self.dictionary = LANGUAGES[code]()
        self.fingerprint = f"nouns-{code}-{NAME}-{VERSION}" + (f"-{self.dictionary}" if self.dictionary else "")

    def detect(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """One verdict a row, in the order of `pairs`."""
        if ALIGNMENT not in pairs.columns:
            links = "fast_align's links (0-0 2-1 ...) for every pair"
            raise BadInput(f"the rule {NAME} needs a column {ALIGNMENT!r} with {links}")
        return judge_rows(resolve_focus(pairs), self._verdict, "id", "source", "rendering", "focus_start", ALIGNMENT)

    def _verdict(self, name: str, source: str, rendering: str, start: int | None, alignment: str | None) -> Verdict:
        if start is None:
            return Verdict(Gender.UNKNOWN, reason="no focus given")
        tokens = list(_TOKEN.finditer(rendering))
        linked = [tokens[at] for at in self._links(name, source, start, alignment or "", len(tokens))]
        gender = self._judge([token.group() for token in linked])
        sure = 0.0 if gender is Gender.UNKNOWN else 1.0
        if not linked:
            return Verdict(gender, confidence=sure, reason="no word is linked to the focus")
        return Verdict(gender, *linked[0].span(), "forms", sure)

    @staticmethod
    def _links(name: str, source: str, start: int, alignment: str, tokens: int) -> list[int]:
        """Target tokens linked to the article, then those linked to the entity's first word."""
        words = list(_TOKEN.finditer(source))
        head = next((n for n, word in enumerate(words) if word.end() > start), None)
        links: dict[int, list[int]] = {}
        for link in alignment.split():
            pair = _LINK.match(link)
            if pair is None or int(pair[1]) >= len(words) or int(pair[2]) >= tokens:
                raise BadInput(f"id {name!r}: {link!r} in {ALIGNMENT!r} is not a link between two words")
            links.setdefault(int(pair[1]), []).append(int(pair[2]))
        if head is None:
            return []
        article = head > 0 and words[head - 1].group().lower() in ARTICLES
        return [*(links.get(head - 1, []) if article else []), *links.get(head, [])]


def arabic(words: Sequence[str]) -> Gender:
    return Gender.FEMALE if any(TAA_MARBUTA in word for word in words) else Gender.MALE


def hebrew(words: Sequence[str]) -> Gender:
    bare = [word.strip(MARKS) for word in words]
    female = any(word.endswith(HEBREW_ENDINGS) for word in bare if word != OBJECT_MARKER)
    return Gender.FEMALE if female or not words else Gender.MALE


class Pymorphy:
    """Russian and Ukrainian: what most of the linked words are."""

    def __init__(self, parse: Callable[[str], list[Parse]]) -> None:
        self._parse = parse
        self._of = remembered(self._word)

    def __call__(self, words: Sequence[str]) -> Gender:
        bare = " ".join(words).strip(MARKS).split()  # a comma inside stays with its word, as in the authors' counts
        if not words:
            return Gender.UNKNOWN
        return Counter(self._of(word) for word in bare or words).most_common(1)[0][0]

    def _word(self, word: str) -> Gender:
        shown = {parse.tag.gender for parse in parsed(self._parse, word)}
        return next((gender for name, gender in PYMORPHY_GENDERS.items() if name in shown), Gender.NEUTRAL)


def _pymorphy(code: str) -> tuple[Rule, str]:
    """The analyser with the authors' dictionary where that is installed, else with pymorphy3's own."""
    module = require("pymorphy3", purpose=f"The rule {NAME} for {code!r}", extra="languages")
    older = AUTHORS_DICTIONARY.format(code=code)
    if code == "uk" and find_spec(older):
        folder = Path(str(import_module(older).get_path()))
        morph = module.MorphAnalyzer(path=str(folder), lang=code)
        # Dictionaries before pymorphy3 store a guess's frequency in two bytes, pymorphy3 reads four.
        record = import_module("pymorphy3.dawg").RecordDAWG
        guesses = morph.dictionary.prediction_suffixes_dawgs
        guesses[:] = [record(">HHH").load(str(folder / f"prediction-suffixes-{n}.dawg")) for n in range(len(guesses))]
        return Pymorphy(morph.parse), f"{older.replace('_', '-')} {version(older)}"
    name = f"pymorphy3-dicts-{code}"
    require(name.replace("-", "_"), purpose=f"The rule {NAME} for {code!r}", extra="languages")
    return Pymorphy(module.MorphAnalyzer(lang=code).parse), f"{name} {version(name)}"


LANGUAGES: dict[str, Callable[[], tuple[Rule, str]]] = {
    "ar": lambda: (arabic, ""),
    "he": lambda: (hebrew, ""),
    "ru": lambda: _pymorphy("ru"),
    "uk": lambda: _pymorphy("uk"),
}
