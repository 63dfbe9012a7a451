"""Phrases that give a refusal, an error message, a prompt or a wrapper away."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Literal, NamedTuple

from evenhand.detect.validity.tongues import FOLDER, RARE, WORD, table, tongue
from evenhand.remembered import remembered
from evenhand.tsv import rows

Kind = Literal["refusal", "unable", "error", "status", "hint", "prompt", "wrapper"]
KINDS: tuple[Kind, ...] = ("refusal", "unable", "error", "status", "hint", "prompt", "wrapper")
Excuse = Literal["subject", "excuse", "mishap"]
CODE = re.compile(r"\W*(?:http\S*\s+)?(?:error|err|status|code|fehler|erreur|errore|erro)?\W*(?:code\W*)?[45]\d\d\b\W*")
NOTHING = frozenset({"null", "none", "nil", "nan", "undefined", "n a", "object object"})
ENDLESS = 10**6
SHORT = 8  # words from which a text with a code is no bare error


class Phrase(NamedTuple):
    """Lower-case text of whole words; of an `open` one the last word may go on."""

    kind: Kind
    text: str
    open: bool

    def stands_in(self, low: str) -> bool:
        """True where the text holds the phrase."""
        at = low.find(self.text)
        while at >= 0:
            end = at + len(self.text)
            if not (at and low[at - 1].isalnum()) and (self.open or not low[end : end + 1].isalnum()):
                return True
            at = low.find(self.text, at + 1)
        return False


def plain(text: str) -> str:
    """Lower case, with straight apostrophes."""
    return text.lower().replace("’", "'")


@cache
def _rows() -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    return tuple(
        (row["language"], row["kind"], tuple(row["phrases"].split("|"))) for row in rows(FOLDER / "phrases.tsv")
    )


def _phrases(language: str) -> list[Phrase]:
    return [
        Phrase(kind, text.removesuffix("…"), text.endswith("…"))
        for code, kind, texts in _rows()
        if code == language and kind in KINDS
        for text in texts
    ]


@cache
def by_word() -> dict[str, tuple[Phrase, ...]]:
    """Phrases of all languages by the rarest of their whole words: a text without it cannot hold the phrase."""
    found: dict[str, list[Phrase]] = {}
    for language in dict.fromkeys(code for code, _, _ in _rows()):
        known = table(language)
        for phrase in _phrases(language):
            words = WORD.findall(phrase.text)
            whole = words[:-1] if phrase.open else words
            found.setdefault(min(whole, key=lambda word: known.get(word, RARE)), []).append(phrase)
    return {word: tuple(phrases) for word, phrases in found.items()}


@cache
def everywhere(language: str) -> tuple[Phrase, ...]:
    """The phrases of a language written without blanks."""
    return () if tongue(language).blanks else tuple(_phrases(language))


def phrases_in(low: str, words: Sequence[str], target: str) -> list[Phrase]:
    """The phrases a text holds; `low` is plain(text)."""
    listed = by_word()
    candidates = [phrase for word in dict.fromkeys(words) for phrase in listed.get(word, ())]
    within = [phrase for phrase in candidates if phrase.stands_in(low)]
    return within + [phrase for phrase in everywhere(target) if phrase.text in low]


@remembered
def excuses(source: str, language: str, kind: Excuse) -> int:
    """How often the source speaks of translation and the like (subject), apologises or cannot (excuse), or speaks of
    errors (mishap). Endlessly often in a language without a list of excuses."""
    listed = [text for code, listed, texts in _rows() if code == language and listed == kind for text in texts]
    if kind == "excuse" and not listed:
        return ENDLESS
    low = plain(f" {source} ")
    return sum(text in low for text in listed)


class Spoken(NamedTuple):
    """What phrases say about a text. `rest` is what follows a prompt or a wrapper; None where there is none."""

    error: str = ""
    refusal: str = ""
    prompt: str = ""
    rest: str | None = None


WORDY = 2  # times the source's words: what says so much more is not excused by a translator or a request in the source
INTRODUCTION = 12  # words an instruction or an introduction has at most
OPENING = 15  # characters after which an instruction begins at the latest
BREAK = re.compile(r"[:：]\s|[:：]$|\n")


def spoken(text: str, source: str, *, languages: tuple[str, str], size: int) -> Spoken:
    """What the phrases in a text tell. `languages` are the source's and the text's; `size` is the source's in words."""
    low = plain(text)
    words = WORD.findall(low)
    held: dict[Kind, list[str]] = {}
    for phrase in phrases_in(low, words, languages[1]):
        held.setdefault(phrase.kind, []).append(phrase.text)
    if error := _error(low, words, held, source=source, calm=not excuses(source, languages[0], "mishap"), size=size):
        return Spoken(error=error)
    if not held:
        return Spoken()
    after = BREAK.search(text)
    repeats = after is not None and text[after.end() :].strip() == source.strip()  # a prompt with the source after it
    own = speaks_of_itself(source, words, languages)
    subject = 0 if own or repeats or len(words) > WORDY * size else excuses(source, languages[0], "subject")
    excuse = 0 if own else excuses(source, languages[0], "excuse")
    for said, excused in ((held.get("refusal", []), subject), (held.get("unable", []), excuse)):
        if len(set(said)) > excused:
            return Spoken(refusal=said[0])
    return Spoken() if subject else _introduced(text, low, after, held)


def _error(low: str, words: Sequence[str], held: dict[Kind, list[str]], *, source: str, calm: bool, size: int) -> str:
    """The words of an error message: a null, or, in a `calm` source, one without errors, a code that the source does
    not have, a phrase, two hints."""
    bare, code = " ".join(words), CODE.match(low)
    if bare in NOTHING and size > 1 and (calm or bare not in plain(source)):
        return bare
    if not calm:
        return ""
    if code and len(words) < SHORT and not any(c in source for c in re.findall(r"\d{3}", low)):
        return code.group().strip()
    hints = list(dict.fromkeys(held.get("status", []) + held.get("hint", [])))
    whole = bare in hints and size > 2  # a status as the whole answer
    errors = held.get("error", []) + (hints if len(hints) > 1 or whole else [])
    return next(iter(errors), "")


def _introduced(text: str, low: str, after: re.Match[str] | None, held: dict[Kind, list[str]]) -> Spoken:
    """What follows an instruction to translate or the words that introduce a translation."""
    opening = low[: after.start()] if after else low
    prompts = [said for said in held.get("prompt", []) if said in low[: OPENING + len(said)]]
    brief = len(WORD.findall(opening)) <= INTRODUCTION
    if after and brief and (prompts or any(said in opening for said in held.get("wrapper", []))):
        return Spoken(prompt=prompts[0] if prompts else "", rest=text[after.end() :])
    return Spoken(prompt=prompts[0], rest="") if prompts else Spoken()


@cache
def _pronouns(language: str, kind: Literal["first", "third", "speaker"]) -> frozenset[str]:
    return frozenset(text for code, listed, texts in _rows() if code == language and listed == kind for text in texts)


def speaks_of_itself(source: str, words: Sequence[str], languages: tuple[str, str]) -> bool:
    """True where a text says I and its source speaks of others only: of him or her from its first word on, or, in a
    language that always has one, with no word for the speaker. Such a source excuses no refusal."""
    language, target = languages
    if _pronouns(target, "first").isdisjoint(words):
        return False
    asked = WORD.findall(plain(source))
    speaker = _pronouns(language, "speaker")
    others = bool(asked) and asked[0] in _pronouns(language, "third")
    return others or bool(speaker and speaker.isdisjoint(asked))
