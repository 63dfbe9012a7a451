"""Rewrites a rendering so that the person of the focus has the wanted gender, and only that person.

It declines rather than guess: where the detector does not surely know which word renders the focus, where a word that
may belong to it cannot be reached or has no known other form, and where the detector does not read the wanted gender
from the result.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from evenhand.detect import open_noun_judge
from evenhand.detect.verdict import Verdict
from evenhand.errors import Unknown
from evenhand.gender import Gender
from evenhand.grammar.base import Language
from evenhand.grammar.english import head as head_of
from evenhand.grammar.english import is_plural, singular, source_words
from evenhand.grammar.families.romance import Romance
from evenhand.grammar.families.slavic import Slavic
from evenhand.grammar.german import German
from evenhand.grammar.lexicon import Forms
from evenhand.grammar.protocol import Token
from evenhand.languages import primary
from evenhand.mend.german import GermanRewriter
from evenhand.mend.hints import bearer, elsewhere, hinted, says
from evenhand.mend.rewriting import LETTERS, Declined, Named, Rewriter, Rewritten, Task
from evenhand.mend.romance import RomanceRewriter
from evenhand.mend.slavic import SlavicRewriter

LANGUAGES = ("ca", "cs", "de", "es", "fr", "it", "pl", "pt", "ru", "uk")
BY_PRONOUN = 0.85  # the confidence where a pronoun alone names the person
STEM = 5  # letters by which two English words are of one kind: politician, political
SURE = 0.8  # the detector's confidence below which nothing is changed
MARKUP = re.compile(  # tags, entities and placeholders are not words
    r"<[^<>]*>|&#?\w+;|[$%]?\{[^{}]*\}|\$\w*\([^()]*\)|\$\w+\$?|%(?:\(\w+\)|\d+\$)?[-+#0]*\d*(?:\.\d+)?(?:ll|l|h|z)?[a-zA-Z@]"
)
PRONOUNS = frozenset(
    "i me my mine you your yours we us our ours they them their theirs he him his she her hers it its one some those "
    "these who whom myself yourself himself herself ourselves yourselves themselves".split()
)
Span = tuple[int | None, int | None]


class Mended(NamedTuple):
    """`gender` is the rendering's before; `text` is empty where the mender declines and says why in `reason`;
    `changed` are pairs of words, old and new."""

    gender: Gender
    text: str
    changed: tuple[tuple[str, str], ...]
    confidence: float
    reason: str | None
    pieces: tuple[tuple[int, int, str], ...] = ()


class Mender:
    """For renderings into one language, which the caller has found to be renderings (`detect.validity`).

    Pure: what comes out depends on the row and the data files.
    """

    def __init__(self, target: str) -> None:
        if primary(target) not in LANGUAGES:
            raise Unknown("language of mend", target, LANGUAGES)
        self.detector = open_noun_judge(target=target)
        self.language = self.detector.language
        self.rewriter = _rewriter(self.language, self.detector.forms, target)

    def mend(self, source: str, rendering: str, start: int | None, end: int | None, wanted: Gender) -> Mended:
        """The rendering with the person source[start:end] as `wanted`; unchanged where it is so.

        Neutral only where the tables have an established word (die Lehrkraft, la persona usuaria)."""
        focus = source[start:end]
        named = self.rewriter.named(focus, self.words(rendering)) if wanted is not Gender.NEUTRAL else None
        before = Verdict(named.gender, confidence=BY_PRONOUN) if named else self._verdict(source, rendering, start, end)
        if before.gender is wanted:
            return Mended(before.gender, rendering, (), before.confidence, None)
        try:
            if named is not None:
                new, sure = self._by_pronoun(source, rendering, focus, named, wanted), BY_PRONOUN
            else:
                new, sure = self._by_noun(source, rendering, (start, end), before, wanted)
        except Declined as reason:
            return Mended(before.gender, "", (), 0.0, str(reason))
        return Mended(before.gender, new.text, new.changed, sure, None, new.pieces)

    def _verdict(self, source: str, rendering: str, start: int | None, end: int | None) -> Verdict:
        return self.detector.verdict(source, rendering, start, end)

    def _by_noun(
        self, source: str, rendering: str, span: Span, before: Verdict, wanted: Gender
    ) -> tuple[Rewritten, float]:
        """The sentence rewritten, and how sure the detector is of the person before and after."""
        _refuse(before, source[slice(*span)])
        name = bearer(source, span[0] or 0, span[1] or 0)
        if name and name[1] is not wanted and wanted is not Gender.NEUTRAL:
            raise Declined(f"{name[0]!r}, who stays, is {'a woman' if name[1] is Gender.FEMALE else 'a man'}")
        neutral = wanted is Gender.NEUTRAL
        if neutral and self.rewriter.neutral_of_man and before.gender is Gender.FEMALE:
            return self._neutral_of_man(source, rendering, span)
        task = self._task(source, rendering, span, before, wanted)
        try:
            return self._checked(self.rewriter.neutral if neutral else self.rewriter.rewrite, task, before, span)
        except Declined:
            if not neutral and says(source, wanted):
                with suppress(Declined):
                    return self._checked(self.rewriter.explicit, task, before, span)
            raise

    def _neutral_of_man(self, source: str, rendering: str, span: Span) -> tuple[Rewritten, float]:
        man = self.mend(source, rendering, *span, Gender.MALE)
        new = self.mend(source, man.text, *span, Gender.NEUTRAL) if man.text else man
        if not new.text:
            raise Declined(new.reason)
        return Rewritten(new.text, man.changed + new.changed), new.confidence

    def _task(self, source: str, rendering: str, span: Span, before: Verdict, wanted: Gender) -> Task:
        """What the rewriter needs to know of the source: number, and whom its pronouns may mean."""
        focus, tokens = source[slice(*span)], self.words(rendering)
        head = next(i for i, token in enumerate(tokens) if token.end > (before.start or 0))
        words = [word.low for word in source_words(focus)]
        return Task(
            source,
            rendering,
            tokens,
            heads=[head, *_again(source, focus, tokens, head)],
            last=max(head + 1, sum(token.start < (before.end or 0) for token in tokens)),
            before=before.gender,
            wanted=wanted,
            plural=bool(words) and is_plural(words[head_of(words)]),
            confidence=before.confidence,
            elsewhere=bool(span[1]) and elsewhere(source, span[0] or 0, span[1] or 0, rendering, before.gender),
            others=hinted(source) and self._others(source, span[0] or 0, span[1] or len(source)),
            focus=focus,
            start=span[0] or 0,
        )

    def _others(self, source: str, start: int, end: int) -> bool:
        """The source names somebody besides source[start:end], by a noun that the tables of forms know."""
        outside = (word for word in source_words(source) if not start <= word.start < end)
        return any(
            self.detector.forms.concept(word.low, singular(word.low)) for word in outside if word.low not in PRONOUNS
        )

    def words(self, rendering: str) -> list[Token]:
        """Its words without tags and placeholders."""
        masked = [match.span() for match in MARKUP.finditer(rendering)]
        return [
            token
            for token in self.language.tokens(rendering)
            if not any(first <= token.start < last for first, last in masked)
        ]

    def _by_pronoun(self, source: str, rendering: str, focus: str, named: Named, wanted: Gender) -> Rewritten:
        """The same for a person named by a pronoun alone, read by itself."""
        head, tokens = named.head, self.words(rendering)
        task = Task(source, rendering, tokens, [head], head + 1, named.gender, wanted, named.plural, BY_PRONOUN)
        new = self.rewriter.rewrite(task)
        after = self.rewriter.named(focus, self.words(new.text))
        if after is None or after.gender is not wanted:
            raise Declined(f"{focus!r} would not read as {wanted}")
        return new

    def _checked(
        self, rewrite: Callable[[Task], Rewritten], task: Task, before: Verdict, span: Span
    ) -> tuple[Rewritten, float]:
        """What was rewritten, where the detector reads the wanted gender from it."""
        new = rewrite(task)
        after = self._verdict(task.source, new.text, *span)
        if after.gender is not task.wanted:
            raise Declined(f"the result would read as {after.gender}")
        if task.wanted in LETTERS and (word := _twice(task, new)):
            raise Declined(f"{word!r} already names another person")
        return new, min(before.confidence, after.confidence)


def _rewriter(language: Language, forms: Forms, target: str) -> Rewriter:
    if isinstance(language, Romance):
        return RomanceRewriter(language, forms)
    if isinstance(language, German):
        return GermanRewriter(language)
    if isinstance(language, Slavic):
        return SlavicRewriter(language, forms)
    raise Unknown("language of mend", target, LANGUAGES)


def _refuse(before: Verdict, focus: str) -> None:
    """Declines where nothing can be changed, by what the detector saw."""
    if focus.casefold() in PRONOUNS:
        raise Declined(f"{focus!r} is a pronoun, and only nouns can be rewritten")
    if before.gender not in {Gender.FEMALE, Gender.MALE} or before.start is None:
        raise Declined(before.reason or f"the rendering is {before.gender}")
    if before.confidence < SURE:
        raise Declined(f"it is not sure which word renders {focus!r}")


def _twice(task: Task, new: Rewritten) -> str | None:
    """women live longer than men: the new noun names another person of the rendering already, for whom the source has
    another word."""
    heads = [task.tokens[i] for i in range(task.heads[0], task.last)]
    named = {
        text.split()[-1].lower() for start, _, text in new.pieces if any(start == head.start for head in heads) and text
    }
    beside = task.tokens[task.last + 1 : task.last + 2]
    if len(re.findall(rf"\b{re.escape(task.focus[:STEM])}", task.source, re.IGNORECASE)) > 1:
        return next((token.text for token in beside if token.low in named), None)  # Bürgerinnen und Bürger
    changed = {start for start, _, _ in new.pieces}
    return next((token.text for token in task.tokens if token.low in named and token.start not in changed), None)


def _again(source: str, focus: str, tokens: list[Token], head: int) -> list[int]:
    """Where the same noun is said again, as often as the source says its own again: it is the same person."""
    named = re.findall(rf"(?<!\w){re.escape(focus)}(?!\w)", source, re.IGNORECASE)
    if re.search(rf"(?<!\w){re.escape(focus)}\s+[A-Z]", source):
        return []  # Mr President, President Bush said
    again = [i for i, token in enumerate(tokens) if i != head and token.low == tokens[head].low]
    return again if len(again) == len(named) - 1 else []
