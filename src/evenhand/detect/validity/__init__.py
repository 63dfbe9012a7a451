"""Is this a rendering of that source in that language at all? Asked before any gender is looked for. A rendering is
taken to be one unless there is evidence against it: names, loanwords and short strings pass. What is looked for, in
this order: nothing at all; an error message; a refusal; loops, single words and signs; the source itself; another
language; an end that is missing."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

import polars as pl

from evenhand.detect.validity import phrases, shape, tongues
from evenhand.detect.validity.tongues import UNSPACED, WORD, Source, lead, script, table, tongue
from evenhand.languages import name_of, primary
from evenhand.remembered import remembered
from evenhand.tsv import tables_hash

VERSION = "6"  # of the rules; the data files are hashed
LEAD = 2.5  # powers of ten by which another language must lead ...
LEAD_A_WORD = 0.35  # ... and for each word of a longer text
LEAD_COPIED = 1.0  # by which the source's language must lead where most words are the source's
COPIED = 0.6  # share of words of the source from which a rendering may repeat it
UNKNOWN_WORDS = 12  # words of which not one is known, from which a text is in no language we know
SCRIPT_SHARE = 0.3  # of the letters must be in a script of the language
GOOD_PART = 0.4  # of the source's letters: what a good line has at least, beside bad ones
MANY = 0.5  # share of a run's renderings that seem to break off, from which all without an end do ...
RUN = 20  # ... in a run of so many


class Reason(StrEnum):
    """Why a text is no rendering of its source."""

    EMPTY = "empty"
    REPEATS = "repeats the source"
    LANGUAGE = "another language"
    REFUSAL = "refusal"
    ERROR = "error message"
    DEGENERATE = "degenerate"
    CUT = "cut off"


class Finding(NamedTuple):
    """Why a rendering is none, with what tells it, in words for a reader."""

    reason: Reason
    why: str


class Validity:
    """The check for one pair of languages. A finding depends on its own source and rendering only; `check_run` looks at
    the rows of a run together. A language without tables of its own is checked for what needs none (`repeats the
    source`, `degenerate`, ...)."""

    def __init__(self, source_lang: str, target_lang: str) -> None:
        self.source, self.target = primary(source_lang), primary(target_lang)
        self._table, self._advantage = table(self.target), tongues.advantage(self.target) if table(self.target) else {}
        self._listed = table(self.source)
        self._odd = tongues.odd_letters(self.target)
        self._ends = shape.unfinished(self.target).words
        self._triggers, self._everywhere = frozenset(phrases.by_word()), bool(phrases.everywhere(self.target))
        self._source = remembered(lambda text: tongues.read_source(text, self.source), mebibytes=24, letter=40)
        #: Why a rendering is none of its source, or None.
        self.finding = remembered(self._look, mebibytes=64, letter=2)

    @property
    def fingerprint(self) -> str:
        """The rules and tables behind the findings."""
        digest = tables_hash("validity", VERSION, tables=sorted(tongues.FOLDER.rglob("*.tsv")))[:8]
        return f"validity-{VERSION}-{digest}"

    def check(self, pairs: pl.DataFrame, *, distinct: bool = False) -> pl.Series:
        """For each pair (rendering and, where there is one, source) the reason why it is no rendering, else null.
        `distinct`: no pair comes twice, so what was found is not remembered."""
        look = self._look if distinct else self.finding
        found = [look(source, rendering) for source, rendering in _texts(pairs)]
        return pl.Series("invalid", [f.reason.value if f else None for f in found], dtype=pl.String)

    def check_run(self, pairs: pl.DataFrame) -> pl.Series:
        """The same for the answers of one system: where many of them break off, all without an end do."""
        reasons = self.check(pairs)
        texts = [(source, rendering.strip()) for source, rendering in _texts(pairs)]
        kept = reasons.fill_null(Reason.CUT.value) == Reason.CUT.value
        open_ends = [fits and not shape.ended(text) for fits, (_, text) in zip(kept, texts, strict=True)]
        if sum(open_ends) < max(RUN, MANY * len(texts)):
            return reasons
        languages = (self.source, self.target)
        broken = sum(
            shape.cut_off(text, source, languages=languages) is not None
            for is_open, (source, text) in zip(open_ends, texts, strict=True)
            if is_open
        )
        if broken < MANY * len(texts):
            return reasons
        return pl.select(pl.when(pl.Series(open_ends)).then(pl.lit(Reason.CUT.value)).otherwise(reasons)).to_series()

    def _look(self, source: str, rendering: str) -> Finding | None:
        text = rendering.strip()
        if not text:
            return Finding(Reason.EMPTY, "there is no text")
        return None if self._sound(source, text) else self._examine(self._source(source), text)

    def _sound(self, source: str, text: str) -> bool:
        """True where a quick look finds nothing to doubt: most renderings end here."""
        low = phrases.plain(text)
        words = WORD.findall(low)
        if len(words) < 2 or self._everywhere or not self._triggers.isdisjoint(words) or self._odd.search(low):
            return False
        if not shape.ended(text) and (shape.ended(source) or words[-1] in self._ends):
            return False
        if shape.suspicious(text, source) or len(set(words)) < 0.7 * len(words):
            return False
        speaks = self._advantage
        ahead = sum([speaks[word] for word in words if word in speaks])
        return ahead > 1.0 or (ahead > 1.0 - LEAD and self._translated(source, words))

    def _translated(self, source: str, words: Sequence[str]) -> bool:
        """True for a short text of which few words are the source's."""
        known = self._source(source).known
        return len(words) < UNKNOWN_WORDS and sum([word in known for word in words]) < COPIED * len(words)

    def _examine(self, source: Source, text: str) -> Finding | None:
        """The whole check, in the order of the module's docstring."""
        text, fault = shape.markup(text)
        if fault:
            return Finding(Reason.ERROR, fault)
        words = WORD.findall(phrases.plain(text))
        if not words:
            return Finding(Reason.DEGENERATE, "it has no letters") if source.words else None
        spoken = phrases.spoken(text, source.text, languages=(self.source, self.target), size=source.size)
        if spoken != phrases.Spoken():
            return self._said(spoken, source)
        about = {"size": tongues.size_of(text, self.target), "asked": source.size}
        degenerate = shape.degenerate(words, source.words, **about, dense=tongue(self.target).dense)
        if degenerate and (len("".join(words)) < 3 or not self._script(words)):
            return Finding(Reason.DEGENERATE, degenerate)
        foreign = self._foreign(text, source)
        if foreign:
            return foreign
        cut = shape.cut_off(text, source.text, languages=(self.source, self.target))
        return Finding(Reason.CUT, cut.why) if cut and not cut.hint else None

    def _said(self, spoken: phrases.Spoken, source: Source) -> Finding | None:
        """An error, a refusal, or what is left behind an instruction or an introduction."""
        if spoken.error:
            return Finding(Reason.ERROR, f"it says {spoken.error!r}")
        if spoken.refusal:
            return Finding(Reason.REFUSAL, f"it says {spoken.refusal!r}")
        if spoken.rest and spoken.rest.strip():
            return self._look(source.text, spoken.rest)
        if spoken.prompt:
            return Finding(Reason.REPEATS, f"it repeats the instruction {spoken.prompt!r}")
        return Finding(Reason.EMPTY, "no text follows the words that introduce a translation")

    def _foreign(self, text: str, source: Source) -> Finding | None:
        """The source itself, or another language; of several lines, or before a note, one good part is enough."""
        found = self._language(text, source) if self.source != self.target else None
        if found is None:
            return None
        enough = GOOD_PART * sum(map(len, source.words))
        good = any(shape.letters(part) >= enough and not self._language(part, source) for part in shape.parts(text))
        return None if good else found

    def _language(self, text: str, source: Source) -> Finding | None:
        words = WORD.findall(shape.spelt_out(text))
        unnamed = [word for word in words if not word[0].isupper() or word.lower() not in source.names]
        if self._begins_source(words, source):
            return self._same([word.lower() for word in unnamed], source)
        spoken = _without_names(unnamed)
        if not spoken:
            return None
        copied = sum(word in source.known for word in spoken) / len(spoken)
        found = self._letters(spoken) or self._copy(spoken, copied, source) or self._words(spoken)
        repeats = Finding(Reason.REPEATS, f"{copied:.0%} of its words are the source's")
        return repeats if found and copied >= 0.5 else found

    def _begins_source(self, words: Sequence[str], source: Source) -> bool:
        """True for the source's own words, or its first ones, with or without their accents."""
        said, asked = " ".join(words).lower(), " ".join(source.words)
        if said == asked or (not source.names and said == tongues.bare(asked)):
            return True
        return asked.startswith(said) and len(source.words) > 1 and (len(said) > 2 or bool(self._script([said])))

    def _same(self, words: Sequence[str], source: Source) -> Finding | None:
        """The source's own text or its beginning, of which `words` are no names: all is well only with loanwords and
        with what both languages say."""
        if not words or (len(words) < 2 and len(source.words) < 2 and self._script(words) not in UNSPACED):
            return None
        ahead = lead(words, self.target, self._listed)
        if self._script(words) or any(self._odd.search(word) for word in words):
            foreign = True
        elif shape.ended(source.text) and len(source.words) > 1:
            foreign = ahead >= 0 or not self._listed
        else:
            foreign = ahead > LEAD_COPIED and len(words) > 1 if self._listed else ahead == 0 and len(words) > 2
        return Finding(Reason.REPEATS, "its words are the source's") if foreign else None

    def _letters(self, spoken: Sequence[str]) -> Finding | None:
        """Letters of another script."""
        strange = self._script(spoken)
        if strange and (len(spoken) > 1 or (strange in UNSPACED and len(spoken[0]) > 3)):
            return Finding(Reason.LANGUAGE, f"it is written in {strange.lower()} letters")
        return None

    def _copy(self, spoken: Sequence[str], copied: float, source: Source) -> Finding | None:
        """Words that are mostly the source's and speak for its language, or the whole source and no translation."""
        if len(spoken) < 2 or not self._table:
            return None
        rest = shape.around(spoken, source.words) if len(source.words) > 2 else None
        if rest is not None and (len(rest) < max(2, 0.4 * len(source.words)) or self._speaks(rest) <= 0):
            return Finding(Reason.REPEATS, "it contains the whole source and no translation")
        repeats = copied >= COPIED and self._keeps_source(spoken, source)
        return Finding(Reason.REPEATS, "its words are the source's") if repeats else None

    def _keeps_source(self, spoken: Sequence[str], source: Source) -> bool:
        """True where the source's own words speak for its language, and those added do not speak for the target's."""
        added = [word for word in spoken if word not in source.known]  # around titles: "Ela apareceu em Friends"
        kept = [word for word in spoken if word in source.known]
        if len(added) > 1 and lead(added, self.target, self._listed) < -LEAD_COPIED:
            return False
        strange = len(kept) > 1 and len(added) < 2 and self._table.keys().isdisjoint(kept) and shape.ended(source.text)
        return strange or lead(kept, self.target, self._listed) > LEAD_COPIED  # "Der baker sings.", "Baker sings."

    def _words(self, spoken: Sequence[str]) -> Finding | None:
        """Words that speak for another language, by their frequency and by letters that the target does not have."""
        if len(spoken) < 2 or not self._table:
            return None
        odd = sum(self._odd.search(word) is not None for word in spoken)
        speaks, needed = self._speaks(spoken), max(LEAD, LEAD_A_WORD * len(spoken)) - odd
        if odd > 1 and 2 * odd >= len(spoken) and speaks <= 0:
            return Finding(Reason.LANGUAGE, f"it is spelt with letters that {name_of(self.target)} does not have")
        if speaks < -needed:  # else no single language can be so far ahead
            language, ahead = tongues.rival(spoken, self.target)
            if ahead > needed:
                return Finding(Reason.LANGUAGE, f"its words speak for {name_of(language)}")
        if len(spoken) >= UNKNOWN_WORDS and self._table.keys().isdisjoint(spoken):
            return Finding(Reason.LANGUAGE, f"none of its {len(spoken)} words is among the frequent ones")
        return None

    def _speaks(self, words: Sequence[str]) -> float:
        """By how much the words speak for the target at least, in powers of ten."""
        return sum(self._advantage.get(word, 0.0) for word in words)

    def _script(self, words: Sequence[str]) -> str:
        """The script of most letters, where hardly any is in one of the target's; else ""."""
        own = tongue(self.target).scripts
        if not own:
            return ""
        names = [script(letter) for word in words for letter in word]
        if sum(name in own for name in names) >= SCRIPT_SHARE * len(names):
            return ""
        strange = [name for name in names if name not in own]
        most = max(set(strange), key=strange.count)
        whole = sum(script(word[0]) in own for word in words)  # one long name among words of the language is no matter
        return most if most in UNSPACED or 2 * whole < len(words) else ""


def _without_names(words: Sequence[str]) -> list[str]:
    """The words in lower case; where most have no capital, those that have one may be names: Santa Claus."""
    if 2 * sum(word[0].isupper() for word in words) < len(words):
        words = [*words[:1], *(word for word in words[1:] if not word[0].isupper())]
    return [word.lower() for word in words]


def _texts(pairs: pl.DataFrame) -> list[tuple[str, str]]:
    renderings = pairs["rendering"].to_list()
    sources = pairs["source"].to_list() if "source" in pairs.columns else [""] * len(renderings)
    return [(source or "", rendering or "") for source, rendering in zip(sources, renderings, strict=True)]


@lru_cache(maxsize=16)
def validity(source_lang: str, target_lang: str) -> Validity:
    """The check for a pair of languages, shared by all who ask: what it has looked at, it need not look at again."""
    return Validity(source_lang, target_lang)


def is_rendering(source_lang: str, target_lang: str) -> Callable[[str, str], bool]:
    """Says of a source and an answer whether the answer is a rendering at all: what a translation memory may keep."""
    finding = validity(source_lang, target_lang).finding
    return lambda source, answer: finding(source, answer) is None
