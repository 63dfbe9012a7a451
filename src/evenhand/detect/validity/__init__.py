"""Is this a rendering of that source in that language at all? Asked before any gender is looked for.

A rendering is taken to be one unless there is evidence against it: names, loanwords and short strings pass. What is
looked for, in this order: nothing at all; an error message; a refusal; loops, single words and signs; the source
itself; another language; an end that is missing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

import polars as pl

from evenhand.detect.validity import ending, phrases, shape
from evenhand.detect.validity.source import Source, read_source
from evenhand.detect.validity.tongues import (
    FOLDER,
    UNSPACED,
    WORD,
    advantage,
    lead,
    odd_letters,
    rival,
    script,
    table,
    tongue,
)
from evenhand.languages import name_of, primary
from evenhand.remembered import remembered
from evenhand.suites.pronouns.lexicon import LEXICON

VERSION = "5"  # of the rules; the data files are hashed
LEAD = 3.0  # powers of ten by which another language must lead ...
LEAD_ALONE = 2.5  # ... where not one word speaks for the target ...
LEAD_A_WORD = 0.35  # ... and for each word of a longer text
LEAD_COPIED = 1.0  # by which the source's language must lead where most words are the source's
COPIED = 0.6  # share of words of the source from which a rendering may repeat it
UNKNOWN_WORDS = 12  # words of which not one is known, from which a text is in no language we know
SCRIPT_SHARE = 0.3  # of the letters must be in a script of the language


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
    """The check for one pair of languages. A finding depends on its own source and rendering only.

    A language without tables of its own is checked for what needs none (`repeats the source`, `degenerate`, ...).
    """

    def __init__(self, source_lang: str, target_lang: str) -> None:
        self.source, self.target = primary(source_lang), primary(target_lang)
        self._table, self._advantage = table(self.target), advantage(self.target) if table(self.target) else {}
        self._odd = odd_letters(self.target)
        ends = ending.unfinished(self.target)
        self._unfinished, self._subjects = ends.words | ends.verbs | ends.attributes, ends.subjects
        self._triggers, self._everywhere = frozenset(phrases.by_word()), bool(phrases.everywhere(self.target))
        self._source = remembered(lambda text: read_source(text, self.source), mebibytes=24, letter=40)
        self._finding = remembered(self._look, mebibytes=64, letter=2)

    @property
    def fingerprint(self) -> str:
        """The rules and tables behind the findings."""
        digest = hashlib.sha256(f"validity {VERSION}".encode())
        for path in (*sorted(FOLDER.rglob("*.tsv")), LEXICON / "occupations.tsv"):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
        return f"validity-{VERSION}-{digest.hexdigest()[:8]}"

    def check(self, pairs: pl.DataFrame, *, distinct: bool = False) -> pl.Series:
        """For each pair (rendering and, where there is one, source) the reason why it is no rendering, else null.

        `distinct`: no pair comes twice, so what was found is not remembered.
        """
        renderings = pairs["rendering"].to_list()
        sources = pairs["source"].to_list() if "source" in pairs.columns else [""] * len(renderings)
        look = self._look if distinct else self._finding
        found = [look(s or "", r or "") for s, r in zip(sources, renderings, strict=True)]
        return pl.Series("invalid", [f.reason.value if f else None for f in found], dtype=pl.String)

    def finding(self, source: str, rendering: str) -> Finding | None:
        """Why this is no rendering of that source, or None."""
        return self._finding(source, rendering)

    def _look(self, source: str, rendering: str) -> Finding | None:
        text = rendering.strip()
        if not text:
            return Finding(Reason.EMPTY, "there is no text")
        return None if self._sound(source, text) else self._examine(self._source(source), text)

    def _sound(self, source: str, text: str) -> bool:
        """True where a quick look finds nothing to doubt: most renderings end here."""
        low = phrases.plain(text)
        words = WORD.findall(low)
        n = len(words)
        if not shape.ended(text) and (shape.ended(source) or not words or self._breaks(words)):
            return False
        if text.endswith(shape.DOTS) and not source.endswith(shape.DOTS):
            return False
        if n < 2 or "<" in text or "{" in text or self._everywhere or len(text) < shape.STUMP * len(source):
            return False
        if not self._triggers.isdisjoint(words) or (n > 4 and len(set(words)) < 0.7 * n) or self._odd.search(low):
            return False
        speaks = self._advantage
        told = sum([speaks[word] for word in words if word in speaks])
        if told > 1.0:
            return True
        known = self._source(source).known
        return n < UNKNOWN_WORDS and told > 1.0 - LEAD_ALONE and sum([word in known for word in words]) < COPIED * n

    def _breaks(self, words: Sequence[str]) -> bool:
        """True for a text without an end that may be cut off: by its last word, or as a sentence that has begun."""
        return words[-1] in self._unfinished or words[0] in self._subjects or ending.fragment(words[-1], self.target)

    def _examine(self, source: Source, text: str) -> Finding | None:
        """The whole check, in the order of the module's docstring."""
        found = shape.markup(text)
        if found.fault:
            return Finding(Reason.ERROR, found.fault)
        text = found.text
        words = WORD.findall(phrases.plain(text))
        if not words:
            return Finding(Reason.DEGENERATE, "it has no letters") if source.words else None
        spoken = phrases.spoken(text, source.text, languages=(self.source, self.target), size=source.size)
        if spoken.error:
            return Finding(Reason.ERROR, f"it says {spoken.error!r}")
        if spoken.refusal:
            return Finding(Reason.REFUSAL, f"it says {spoken.refusal!r}")
        if spoken.rest is not None:
            if spoken.rest.strip():
                return self._look(source.text, spoken.rest)
            if spoken.prompt:
                return Finding(Reason.REPEATS, f"it repeats the instruction {spoken.prompt!r}")
            return Finding(Reason.EMPTY, "nothing follows the words that introduce a translation")
        about = {"size": phrases.size_of(text, self.target), "asked": source.size}
        degenerate = shape.degenerate(words, source.words, **about, dense=tongue(self.target).dense)
        if degenerate and (len("".join(words)) < 3 or not self._script(words)):
            return Finding(Reason.DEGENERATE, degenerate)
        foreign = self._foreign(text, source)
        if foreign:
            return foreign
        cut = ending.cut_off(text, source.text, languages=(self.source, self.target))
        return Finding(Reason.CUT, cut) if cut else None

    def _foreign(self, text: str, source: Source) -> Finding | None:
        """The source itself, or another language; of several lines, or before a note, one good part is enough."""
        found = self._language(text, source)
        if found is None:
            return None
        enough = 0.4 * source.letters
        good = any(shape.letters(part) >= enough and not self._language(part, source) for part in shape.parts(text))
        return None if good else found

    def _language(self, text: str, source: Source) -> Finding | None:
        if self.source == self.target:
            return None
        text = shape.spelt_out(text)
        named = [w for w in WORD.findall(text) if not (w[:1].isupper() and w.lower() in source.names)]
        said, asked = " ".join(WORD.findall(text)).lower(), " ".join(source.words)
        begins = asked.startswith(said) and len(source.words) > 1 and (len(said) > 2 or bool(self._script([said])))
        if said == asked or begins:
            return self._same([word.lower() for word in named], source)
        if not source.names and said == shape.bare(asked):
            return self._same(source.words, source)
        spelt = [w for w in named if len(w) > 1 or w.lower() not in source.known]  # "a, b and c"
        # what has a capital among words without may be a name: Santa Claus
        if 2 * sum(w[0].isupper() for w in spelt) < len(spelt):
            spelt = spelt[:1] + [w for w in spelt[1:] if not w[0].isupper()]
        spoken = [word.lower() for word in spelt]
        if not spoken:
            return None
        copied = sum(word in source.known for word in spoken) / len(spoken)
        repeats = Finding(Reason.REPEATS, f"{copied:.0%} of its words are the source's")
        strange = self._script(spoken)
        if strange and (len(spoken) > 1 or (strange in UNSPACED and len(spoken[0]) > 3)):
            letters = Finding(Reason.LANGUAGE, f"it is written in {strange.lower()} letters")
            return repeats if copied >= 0.5 else letters
        if len(spoken) < 2:
            return None
        if copied >= COPIED and self._speaks_source(spoken, source):
            return repeats
        if not self._table:
            return None
        if len(source.words) > 2 and (rest := shape.around(spoken, source.words)) is not None:
            translated = len(rest) >= max(2, 0.4 * len(source.words)) and self._told(rest) > 0
            return None if translated else Finding(Reason.REPEATS, "it holds the whole source and no translation")
        odd = sum(word[0].islower() and self._odd.search(word) is not None for word in spelt)
        own = any(self._advantage.get(word, 0.0) > 0 for word in spoken)
        needed = max(LEAD if own or len(spoken) < 3 else LEAD_ALONE, LEAD_A_WORD * len(spoken)) - odd
        strangely = odd + (spelt[0][0].isupper() and self._odd.search(spoken[0]) is not None)
        if strangely > 1 and 2 * strangely >= len(spoken) and self._told(spoken) <= 0:
            return Finding(Reason.LANGUAGE, f"it is spelt with letters that {name_of(self.target)} does not have")
        if self._told(spoken) < -needed:  # else no single language can be so far ahead
            language, ahead = rival(spoken, self.target)
            if ahead > needed:
                speaks = Finding(Reason.LANGUAGE, f"its words speak for {name_of(language)}")
                return repeats if copied >= 0.5 else speaks
        if len(spoken) >= UNKNOWN_WORDS and not any(word in self._table for word in spoken):
            return Finding(Reason.LANGUAGE, f"none of its {len(spoken)} words is among the frequent ones")
        return None

    def _same(self, words: Sequence[str], source: Source) -> Finding | None:
        """The source's own text or its beginning, of which `words` are no names: all is well only with loanwords and
        with what both languages say."""
        sentence = shape.ended(source.text) and len(source.words) > 1
        if not words or (len(words) < 2 and len(source.words) < 2 and self._script(words) not in UNSPACED):
            return None
        listed = table(self.source)
        odd = any(self._odd.search(word) for word in words)
        if self._script(words) or odd:
            foreign = True
        elif listed and self._table:
            ahead = lead(words, self.target, listed)
            foreign = ahead >= 0 if sentence else ahead > LEAD_COPIED and len(words) > 1
        elif self._table:
            foreign = len(words) > 1 and (sentence or not any(word in self._table for word in words))
        else:
            foreign = len(words) > 3 or sentence
        return Finding(Reason.REPEATS, "its words are the source's") if foreign else None

    def _told(self, words: Sequence[str]) -> float:
        return sum(self._advantage.get(word, 0.0) for word in words)

    def _speaks_source(self, spoken: Sequence[str], source: Source) -> bool:
        """True where words that are mostly the source's speak for its language rather than for the target's."""
        listed = table(self.source)
        if not self._table:
            return False
        if not listed:
            return len(spoken) > 2 and not any(word in self._table for word in spoken)
        added = [word for word in spoken if word not in source.known]  # around titles: "Ela apareceu em Friends"
        if len(added) < 2:  # at most an article beside the source's own words: "Der baker sings.", "Baker sings."
            kept = [word for word in spoken if word in source.known]
            strange = len(kept) > 1 and self._table.keys().isdisjoint(kept) and shape.follows(kept, source.words)
            return lead(kept, self.target, listed) > LEAD_COPIED or (strange and shape.ended(source.text))
        own = lead(added, self.target, listed) < -LEAD_COPIED
        return not own and lead(spoken, self.target, listed) > LEAD_COPIED

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


@lru_cache(maxsize=16)
def validity(source_lang: str, target_lang: str) -> Validity:
    """The check for a pair of languages, shared by all who ask: what it has looked at, it need not look at again."""
    return Validity(source_lang, target_lang)


def is_rendering(source_lang: str, target_lang: str) -> Callable[[str, str], bool]:
    """Says of a source and an answer whether the answer is a rendering at all: what a translation memory may keep."""
    finding = validity(source_lang, target_lang).finding
    return lambda source, answer: finding(source, answer) is None
