"""What the English source shows of persons' genders: he and she, man and woman, and names they may mean."""

import re
from functools import cache

from evenhand.gender import Gender
from evenhand.grammar.english import source_words
from evenhand.persons.lexicon import DATA
from evenhand.persons.stated import FEMALE, PRONOUNS
from evenhand.persons.tagging import Tagger
from evenhand.tsv import rows

ATTRIBUTES = {
    **dict.fromkeys(("female", "woman", "women", "lady"), Gender.FEMALE),
    **dict.fromkeys(("male", "man", "men", "gentleman"), Gender.MALE),
}
NAME = re.compile(r"(?<![\w'’])[A-Z][a-z]+(?![\w])")
PLACES = frozenset("in at from near into the".split())
NO_NAMES = frozenset(
    "I The A An He She They It We You His Her Their This That These Those Monday Tuesday Wednesday Thursday Friday "
    "Saturday Sunday January February March April May June July August September October November December English "
    "French German Russian Spanish Italian American British European Chinese Japanese".split()
)
WORD = re.compile(r"[A-Za-z]+")
# Tom (has always wanted to) be, Tom and Bill (both) are: words between a name and what it is
LEADING = (
    r"(?:has|have|had|always|never|not|still|also|once|really|just|now|later|soon|used|to|will|would|could|might|may|"
    r"must|should|can|wants?|wanted|hopes?|hoped|likes?|decided|claims?|claimed|tried|(?:do|does|did)(?:n['’]t)?|going|is|was|"
    r"both|all|ended up|\w+ly)"
)
BEING = r"(?:is|are|was|were|be|been|being|become|becoming|becomes|became|remains?|remained)(?:n['’]t)?"
ITS = (
    r"(?:(?:not|still|also|just|only|really|quite|such|now|always|never|once|probably|(?:as|so|too) \w+) ){0,3}"
    r"(?:an?|the|my|your|his|her|our|their|no|one of \w+)"
)
STOP = r"(?:of|at|with|by|to|from|in|on|for|like|than|about|that|who|and|but|an?|the|my|your|his|her|our|their)\b"
WORDS = rf"(?:(?!{STOP})[\w'’-]+,? ){{0,4}}"
SURNAME = r"\.?(?: (?:d[aei]|van|von|del|la|le|[A-Z][\w'’-]+))*"
SAID = re.compile(
    rf"{SURNAME}(?: (?:and|or) \w+)?(?: {LEADING}){{0,5}} {BEING} (?:{ITS} {WORDS}|(?!\w+ing\b){WORDS})"
    rf"|['’]s {ITS} {WORDS}|{SURNAME}, {ITS} {WORDS}"
    rf"|(?: \w+){{1,3}} as (?:{ITS} )?{WORDS}"
    rf"|{SURNAME}(?: \w+){{1,6}} (?:being|becoming|himself|herself)(?: to be)? (?:{ITS} )?{WORDS}"
)  # Tom is a good (doctor); Tom, a (doctor); Tom works as a (doctor); Tom dreams of becoming a (doctor)
NAMING = r"(?:call|consider|think|thought|name|elect|appoint|mak|made|believ|declar|regard)\w*"
TAKEN = re.compile(rf"\b{NAMING} ([A-Z][a-z]+){SURNAME} (?:to be |as )?(?:{ITS} )?{WORDS}$")  # called Tom a (liar)
ASKED = re.compile(rf"\b(?i:{BEING}) ([A-Z][a-z]+) (?:{ITS} )?{WORDS}$")  # Was Tom really her (friend)
BEHIND = re.compile(rf"(?:['’]s name {BEING}|,?(?: named| called| {BEING}(?: not)?)?) ([A-Z][a-z]+)\b(?!['’]s)")
GENDERED = {
    **dict.fromkeys(
        "man boy guy gentleman father dad husband brother son uncle grandfather nephew".split(), Gender.MALE
    ),
    **dict.fromkeys("woman girl lady mother mom wife sister daughter aunt grandmother niece".split(), Gender.FEMALE),
}
ANYBODY = re.compile(rf"\b(?:{'|'.join(GENDERED)})\b(?!['’]s)")
WHO = re.compile(r"(?: (?:who|whom|that|\w+ing)\b[^,.;?!]*?)?(?= (?:is|was)\b)")  # the man driving the bus (is)
VOCATIVE = re.compile(r"\.? (?:President|Speaker|Chair)")  # Mr President
TITLES = {"Mr": Gender.MALE, **dict.fromkeys(("Mrs", "Ms", "Miss"), Gender.FEMALE)}
OWNING = frozenset({"have", "has", "had"})
INSIDE = frozenset("DT PRP$ NN CD JJ JJR JJS".split())
SAYING = ("said", "say", "ask", "repl", "answer", "cried", "shout", "whisper", "explain", "add")  # said the teacher
OPENING = frozenset(
    "that because when if while although though and but , as whether since until where why how so".split()
)
OWNED = re.compile(r"\b(his|her) (?:[a-z]+ )?$", re.IGNORECASE)
OF_PERSONS = re.compile(r"\b(?:they|them|their|he|him|his|she|her|hers)\b", re.IGNORECASE)


@cache
def _named() -> dict[str, Gender]:
    """First names that nearly always are a woman's, or a man's."""
    genders = {"f": Gender.FEMALE, "m": Gender.MALE}
    return {row["name"]: genders[row["gender"]] for row in rows(DATA / "person_names.tsv") if row["gender"]}


def bearer(source: str, start: int, end: int) -> tuple[str, Gender] | None:
    """The first name of the person source[start:end], where the source puts the two together, and its gender: Tom is my
    friend; Tom, a doctor; my friend Tom; or a word like sister of which the noun is said. Of several names a man's
    counts first, as in a mixed group."""
    genders = TITLES | GENDERED | _named()
    said = [
        match[0]
        for match in NAME.finditer(source[:start])
        if match[0] in genders
        and SAID.fullmatch(source, match.end(), start)
        and not VOCATIVE.match(source, match.end())
    ]
    for noun in ANYBODY.finditer(source, 0, start):
        who = WHO.match(source, noun.end(), start)
        if who and SAID.fullmatch(source, who.end(), start):
            said.append(noun[0])
    pair = re.search(r"([A-Z][a-z]+),? (?:and|or) $", source[: source.index(said[0])]) if said else None
    asked, taken, behind = ASKED.search(source[:start]), TAKEN.search(source[:start]), BEHIND.match(source[end:])
    said += [found[1] for found in (pair, asked, taken, behind) if found and found[1] in _named()]
    if (not behind and source[end:].startswith(("'s", "’s"))) or not said:
        return None
    return min(((name, genders[name]) for name in said), key=lambda one: one[1] is Gender.FEMALE)


@cache
def _tagger() -> Tagger:
    return Tagger()


def acts(source: str, start: int) -> bool | None:
    """Whether the noun at `start` is a subject of the English (True) or the object of a verb (False), by the words
    around its phrase; None where they do not show it."""
    words = source_words(source)
    tags = [*_tagger().tag([source[word.start : word.end] for word in words]), ""]
    at = next((i for i, word in enumerate(words) if word.end > start), 0)
    first = at
    while first and (
        tags[first - 1] in INSIDE or (tags[first - 1] in {"VBG", "VBN", ","} and tags[first - 2] in INSIDE)
    ):
        first -= 1
    if tags[at + 1] == "TO" or source.startswith(("'s", "’s", "' "), words[at].end):
        return None  # want my mother to worry; the opponent's king
    if tags[at + 1] in {"VA", "MD", "VBD", "VBZ", "VBP"}:
        return True if not first or words[first - 1].low in OPENING else None
    verb = words[first - 1].low
    governed = first > 0 and (tags[first - 1][:2] == "VB" or verb in OWNING) and not verb.startswith(SAYING)
    return False if governed else None


def hinted(source: str) -> bool:
    """True when the source has a he or a she, whomever they mean."""
    return bool(he_or_she(source))


def says(source: str, gender: Gender) -> bool:
    """True when the source has a he or she, a man or woman of this gender, and none of the other."""
    attributes = {ATTRIBUTES[low] for low in WORD.findall(source.casefold()) if low in ATTRIBUTES}
    return he_or_she(source) | attributes == {gender}


def he_or_she(source: str) -> set[Gender]:
    """The genders of the he and she that the source has, whomever they mean."""
    shown = PRONOUNS.intersection(WORD.findall(source.casefold()))
    return {Gender.FEMALE if word in FEMALE else Gender.MALE for word in shown}


def elsewhere(source: str, start: int, end: int, rendering: str, gender: Gender) -> bool:
    """True when a he or she of the source may mean somebody else: one named by a name that is not next to the
    person's noun (Tom told the doctor that he was late; a sentence's first word is a name where the rendering has it
    too), or the owner, of the person's `gender` (unlike her mother, she is tall)."""
    if not hinted(source):
        return False
    owner = OWNED.search(source[:start])
    if owner and he_or_she(owner[1]) == {gender} and gender in he_or_she(source[: owner.start()] + source[end:]):
        return True
    kept = set(NAME.findall(rendering))
    for match in NAME.finditer(source):
        near = start - 2 <= match.end() and match.start() <= end + 1
        before = WORD.findall(source[: match.start()])[-1:]
        opens = not before or source[: match.start()].rstrip()[-1:] in '.!?:"“'
        if near or match[0] in NO_NAMES or (opens and match[0] not in kept):
            continue
        if not before or before[0].casefold() not in PLACES:
            return True
    return False
