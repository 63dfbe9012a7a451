"""Which gender an English rendering gives the person the source leaves open.

The published rule (Cho et al. 2019) is a bag of nine words tested female first: it misses his, hers, himself, does not
know "he or she", and calls "his mother" female. This one asks what refers to the focus:

1. "he or she", "s/he", "his/her" name both genders at once: both.
2. A subject pronoun that opens the rendering decides when the focus opens the source ("Hura medikua da").
3. Pronouns that agree with a gendered noun before them ("my mother ... she") belong to that noun. If other pronouns are
   left, they decide; if they are all of one gender, that is the verdict; if not, there are several persons: unknown.
4. Without pronouns a gendered noun or title decides ("this woman", "Mr"); they, them, their keep the gender open.
5. No trace of a gender is neutral.
"""

import re

from evenhand.detect.pronouns.forms import Form, Mention, forms_of, settled
from evenhand.detect.verdict import Verdict
from evenhand.gender import Gender
from evenhand.grammar.english import HE_OR_SHE

NOT_A_MAN = "not a man"  # role of words in -man that are no man
_TOKEN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_OPENING = re.compile(r"^\W*(?:(?:and|but|so|yes|no|well|oh|now|today|actually)\W+)?(he|she|they)\b", re.IGNORECASE)


def mentions(rendering: str) -> list[Mention]:
    """Every pronoun, gendered noun and title of an English text, in its order."""
    found = [(match, _form(match.group().casefold())) for match in _TOKEN.finditer(rendering)]
    return [Mention(match.start(), match.end(), form) for match, form in found if form and form.role != NOT_A_MAN]


def _form(word: str) -> Form | None:
    """ "soon-to-be-wife" is a wife, a "weatherwoman" a woman; "human", "German" and names are listed as no men."""
    known = forms_of("english").persons
    form = known.get(word)
    if form is None and "-" in word:
        last = known.get(word.rsplit("-", 1)[1])
        return last if last and not last.is_pronoun else None
    if form is None and word.endswith("man") and len(word) > 5:
        return known["woman" if word.endswith("woman") else "man"]
    return form


def judge(rendering: str, focus_opens: bool) -> Verdict:
    """The verdict on one English rendering. See the module for the order of rules."""
    if both := HE_OR_SHE.search(rendering):
        return Verdict(Gender.BOTH, both.start(), both.end(), "pronoun", 0.98)
    found = mentions(rendering)
    if focus_opens and (opening := _OPENING.match(rendering)):
        gender = forms_of("english").persons[opening.group(1).casefold()].gender
        conflict = {gender, *(mention.form.gender for mention in found)} >= {Gender.FEMALE, Gender.MALE}
        conflict = conflict and gender is not Gender.NEUTRAL
        return Verdict(gender, opening.start(1), opening.end(1), "pronoun", 0.9 if conflict else 0.99, None, conflict)
    pronouns = [mention for mention in found if mention.form.is_pronoun]
    nouns = [mention for mention in found if not mention.form.is_pronoun]
    by_pronoun = settled(unbound(pronouns, nouns), "pronoun", 0.9 if nouns else 0.99)
    by_noun = settled(nouns, "forms", 0.95 if len(nouns) == 1 else 0.9)
    return by_pronoun or by_noun or Verdict(Gender.NEUTRAL, confidence=0.95, reason="no word gives a gender")


def unbound(pronouns: list[Mention], nouns: list[Mention]) -> list[Mention]:
    """The pronouns without those that agree with a gendered noun before them; all where no other is left."""
    free = [p for p in pronouns if not any(n.end <= p.start and n.form.gender is p.form.gender for n in nouns)]
    return free or pronouns


_CHO_TOKEN = re.compile(r"[a-z0-9'-]+")
_CLITIC = re.compile(r"(?:'s|'re|'ll|'ve|'d|'m|n't)$")
_CHO_WORDS = {Gender.FEMALE: ("she", "her", "woman", "girl"), Gender.MALE: ("he", "him", "man", "boy", "guy")}


def judge_cho2019(rendering: str, focus_opens: bool) -> Verdict:
    """The word-list rule as published (Cho et al. 2019, section 3.2), kept to reproduce their table: female words are
    tested first; his, himself, herself do not count; one trailing clitic is stripped."""
    del focus_opens
    tokens = [(_CLITIC.sub("", m.group()), m.start()) for m in _CHO_TOKEN.finditer(rendering.lower())]
    for gender, words in _CHO_WORDS.items():
        for word, start in tokens:
            if word in words:
                return Verdict(gender, start, start + len(word), "pronoun", 1.0)
    return Verdict(Gender.NEUTRAL, confidence=1.0)
