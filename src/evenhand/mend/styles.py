"""House styles: a person named in both genders (Benutzer*innen, utilisateur·rice, usuarios y usuarias) or in none.

`styles.tsv` says which styles a language has; `grammar/<language>/inclusive.tsv` how a style writes the two forms of a
word as one. The mender finds the words of the person and their other forms; here both are written together.
"""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from evenhand.detect.verdict import Verdict
from evenhand.errors import BadInput
from evenhand.gender import Gender
from evenhand.grammar.base import Language
from evenhand.grammar.english import is_plural
from evenhand.grammar.german import German
from evenhand.grammar.protocol import PLURAL, SINGULAR, Kind, Token
from evenhand.languages import name_of, primary
from evenhand.mend.german import masculine_left
from evenhand.mend.mender import Mended, Mender, Span
from evenhand.mend.rewriting import Declined, Piece, Rewritten, another, cased, left, replaced, unclear
from evenhand.tsv import rows

TABLE = Path(__file__).parent / "styles.tsv"
NEUTRAL, PAIR = "neutral", "pair"
OTHER = {Gender.FEMALE: Gender.MALE, Gender.MALE: Gender.FEMALE}
OPEN = frozenset({Gender.BOTH, Gender.NEUTRAL})
BEFORE = {"y": ("e", r"h?i(?![aeo])"), "o": ("u", r"h?[oó]")}  # Spanish y and o before their own sound


class Both(NamedTuple):
    """Two forms of a word, or of words that contract, and where they go."""

    start: int
    end: int
    masculine: str
    feminine: str


@cache
def styles_of(target: str) -> dict[str, dict[str, str]]:
    """The styles of a language by name."""
    return {row["style"]: row for row in rows(TABLE) if row["language"] == primary(target)}


def known_style(style: str, target: str) -> dict[str, str]:
    """The row of a style; an error that names those of the language where it has no such style."""
    known = styles_of(target)
    if style not in known:
        there = ", ".join(f"{name} ({row['example']})" for name, row in known.items())
        said = f"Supported: {there}" if there else f"Languages with styles: {', '.join(sorted(_languages()))}"
        raise BadInput(f"style {style!r} is not supported for {name_of(target)}. {said}.")
    return known[style]


def _languages() -> set[str]:
    return {row["language"] for row in rows(TABLE)}


class Notation:
    """How one style writes the masculine and the feminine form of a word as one."""

    def __init__(self, language: Language, folder: Path, style: str, mark: str) -> None:
        self.language, self.mark = language, mark
        table = [row for row in rows(folder / "inclusive.tsv") if style in row["style"].split()]
        self._rows = [(row["masculine"], row["feminine"], row["written"].replace("~", mark)) for row in table]

    def joined(self, masculine: str, feminine: str, *, noun: bool) -> str | None:
        """One word for both, with the capitals of the masculine; None where the style has none."""
        one, other = masculine.lower(), feminine.lower()
        if one == other:
            return masculine
        for row in self._rows:
            written = _by_row(one, other, *row)
            if written:
                return cased(feminine if row[0] == "*" else masculine, written)
        polite = one.startswith("ihr") and masculine[:1].isupper()  # Ihrem*Ihrer
        closed = (self.language.determiner(one) or self.language.pronoun(one)) and not polite
        if not self.mark or (noun and self.mark != "/"):
            return None
        return f"{masculine}{self.mark}{other if closed else feminine}"


def _by_row(one: str, other: str, masculine: str, feminine: str, written: str) -> str | None:
    """What the row makes of two forms; None where they do not end as it says."""
    if not feminine.startswith("-"):
        return written if (one, other) == (masculine, feminine) else None
    stem = other.removesuffix(feminine[1:])
    alike = masculine == "*" or one == stem + masculine[1:]
    return stem + written[1:] if alike and len(stem) < len(other) and (stem or masculine != "*") else None


class Styler:
    """Renderings of English into one language, their persons written in one style."""

    def __init__(self, mender: Mender, target: str, style: str) -> None:
        self.mender, self.style = mender, style
        row = known_style(style, target)
        self.language = mender.language
        self._and, self._or, self._first = row["mark"].split() if style == PAIR else ("", "", "")
        self.notation = Notation(self.language, self.language.things[0].parent, style, row["mark"])

    def mend(self, source: str, rendering: str, start: int | None, end: int | None) -> Mended:
        """The rendering with its person in this style; as it is where the person has no gender, or both in this style.
        Declines where a form does not exist, and where the detector would still read one gender."""
        if self.style == NEUTRAL:
            return self.mender.mend(source, rendering, start, end, Gender.NEUTRAL)
        before = self.mender.detector.verdict(source, rendering, start, end)
        written = style_in(before.evidence or "") if before.gender is Gender.BOTH else ""
        try:
            if written and (invented := self._invented(before.evidence or "")):
                raise Declined(f"{invented!r} does not exist: the noun is for everybody")
            if before.gender is Gender.NEUTRAL or written == self.style:
                return Mended(before.gender, rendering, (), before.confidence, None)
            if before.gender not in OTHER or before.start is None:
                reason = "both genders are named in another style" if before.gender is Gender.BOTH else before.reason
                raise Declined(reason or f"the rendering is {before.gender}")
            new = self._styled(source, rendering, before, source[start:end], (start, end))
            after = self.mender.detector.verdict(source, new.text, start, end)
            if after.gender not in OPEN:
                raise Declined(f"the result would read as {after.gender}")
        except Declined as reason_:
            return Mended(before.gender, "", (), 0.0, str(reason_))
        return Mended(before.gender, new.text, new.changed, min(before.confidence, after.confidence), None, new.pieces)

    def _styled(self, source: str, rendering: str, before: Verdict, focus: str, span: Span) -> Rewritten:
        """Both genders' forms, as the mender makes them, written together."""
        other = self.mender.mend(source, rendering, *span, OTHER[before.gender])
        if not other.text:
            raise Declined(other.reason)
        tokens = self.mender.words(rendering)
        start, end = before.start or 0, before.end or 0
        head = next(i for i, token in enumerate(tokens) if token.end > start)
        unsure = another(self.language, rendering, tokens, head, other.pieces)
        unsure = unsure or self._left(tokens, head, other.pieces, before.gender)
        if unsure:
            raise unclear(unsure, tokens[head].text)
        words = [_both(rendering, piece, before.gender) for piece in other.pieces]
        if self.style == PAIR:
            return replaced(rendering, self._paired(rendering, words, before, focus))
        noun = [word.start < end and word.end > start for word in words]
        for word, after, is_noun in zip(words, words[1:], noun[1:], strict=False):
            if not is_noun and word.feminine.rstrip().endswith("'") and not word.masculine.rstrip().endswith("'"):
                raise Declined(f"{word.masculine + after.masculine!r} has no form in the style {self.style}")
        return replaced(
            rendering,
            [
                (word.start, word.end, self._joined(word, noun=is_noun))
                for word, is_noun in zip(words, noun, strict=True)
            ],
        )

    def _invented(self, evidence: str) -> str | None:
        """Mitglieder*innen: a notation of a noun that has no gender."""
        for token in self.language.tokens(evidence):
            stem = re.match(r"[^\W\d_]+", token.text)
            noted = stem and stem[0] != token.text and not self.language.determiner(stem[0].lower())
            if stem and noted and self.language.noun(stem[0]).kind is Kind.FIXED:
                return token.text
        return None

    def _left(self, tokens: list[Token], head: int, pieces: Iterable[Piece], before: Gender) -> str:
        """A word that would still show a man: the noun once more, a German pronoun behind it (anstatt ihn zu löschen),
        an adjective that was taken for a name (Neuer Benutzer)."""
        if not isinstance(self.language, German):
            return left(self.language, tokens, head, pieces, before)
        if before is not Gender.MALE:
            return ""
        changed = {i for i, token in enumerate(tokens) if any(a <= token.start < b for a, b, _ in pieces)}
        near = tokens[head - 1] if head else None
        if near and head - 1 not in changed and near.low.endswith("er") and near.text[:1].isupper():
            return near.text
        return masculine_left(self.language, tokens, head, changed) or ""

    def _joined(self, word: Both, *, noun: bool) -> str:
        """Blanks that an elided article takes away stay with the other one: un/un'amministratore."""
        masculine, feminine = word.masculine.rstrip(), word.feminine.rstrip()
        blank = "" if feminine.endswith(("'", "’")) else word.masculine[len(masculine) :]
        new = self.notation.joined(masculine, feminine, noun=noun)
        if new is None:
            raise Declined(f"{word.masculine!r} has no form in the style {self.style}")
        return new + blank

    # -- pairs

    def _paired(self, rendering: str, words: list[Both], before: Verdict, focus: str) -> list[Piece]:
        """The phrase up to its noun in both genders; what agrees farther on has the masculine form, which stands next
        to it; a pronoun is doubled too."""
        start, end = before.start or 0, before.end or 0
        near = [word for word in words if word.end <= end and self._adjoins(rendering[word.end : start])]
        beyond = [word for word in words if word not in near]
        if not near:
            raise Declined("one form for both: there is no pair")
        if near[-1].end <= start and len(near) == 1:  # one noun for both: las y los asistentes
            end = near[0].end
        first = min(near[0].start, start)
        elided = re.search(r"[\wà-ÿ]*['’]$", rendering[:first])
        first, end = elided.start() if elided else first, max(near[-1].end, end)
        masculine, feminine = (_written(rendering, near, first, end, side) for side in ("masculine", "feminine"))
        order = [feminine, masculine] if self._first == "f" or beyond else [masculine, feminine]
        blank = order[1][len(order[1].rstrip()) :]
        order = [text.strip() for text in order]
        if not rendering[:first].rstrip() or rendering[:first].rstrip()[-1] in ".!?:":
            order = [self._opening(order[0], capital=True), self._opening(order[1], capital=False)]
        joint = self._joint(self._and if self._plural(near, focus) else self._or, order[1])
        pieces = [(first, end, f"{order[0]} {joint} {order[1]}{blank}")]
        for word in beyond:
            pronoun = self.language.pronoun(word.masculine.lower()) and self.language.has_case
            doubled = f"{word.feminine} {self._or} {word.masculine.lower()}" if pronoun else word.masculine
            pieces.append((word.start, word.end, doubled))
        return pieces

    def _adjoins(self, between: str) -> bool:
        """Only words of the phrase are between a word and its noun."""
        tokens = self.language.tokens(between)
        return all(self.language.modifier(token.low) or self.language.determiner(token.low) for token in tokens)

    def _opening(self, text: str, *, capital: bool) -> str:
        """The words at the beginning of a sentence, or the same farther on."""
        token = self.language.tokens(text)[0]
        noun = self.language.capitalises_nouns and len(self.language.tokens(text)) == 1
        if (noun and not self.language.determiner(token.low)) or token.text[1:2].isupper():
            return text
        return (text[:1].upper() if capital else text[:1].lower()) + text[1:]

    @staticmethod
    def _joint(word: str, after: str) -> str:
        other, sound = BEFORE.get(word, (word, "$^"))
        return other if other != word and re.match(sound, after.lower()) else word

    def _plural(self, near: list[Both], focus: str) -> bool:
        for form in (near[-1].feminine, near[-1].masculine) if near else ():
            numbers = self.language.noun(form).cells
            if bool(numbers & PLURAL) != bool(numbers & SINGULAR):
                return bool(numbers & PLURAL)
        return is_plural(focus.rsplit(maxsplit=1)[-1].lower())


MARKS = {
    "star": r"\w\*",
    "colon": r"\w:[a-zà-ÿ]",
    "point": r"\w[·•]\w",
    "slash": r"\w/-?\w",
    "brackets": r"\w\(-?\w+\)",
    "x": r"\wx(?:s)?\b",
}


def style_in(words: str) -> str:
    """The style in which words that name both genders are written; a pair where they bear no mark."""
    return next((style for style, mark in MARKS.items() if re.search(mark, words)), PAIR)


def _both(rendering: str, piece: tuple[int, int, str], before: Gender) -> Both:
    start, end, new = piece
    old = rendering[start:end]
    return Both(start, end, old, new) if before is Gender.MALE else Both(start, end, new, old)


def _written(rendering: str, words: list[Both], first: int, end: int, side: str) -> str:
    """rendering[first:end] in one gender."""
    text, at = "", first
    for word in words:
        text += rendering[at : word.start] + (word.masculine if side == "masculine" else word.feminine)
        at = word.end
    return text + rendering[at:end]
