"""Who is a person in an English text: one answer for every verb. `find` gives every person with its place, what the
text says of the gender and by which word, and how sure that is. The kind of text is the only thing that changes the
answer: a driver is a person in prose and may be a program in interface strings. Verbs that read many texts open a
finder once and give it all texts together, which is much faster."""

from functools import cache

from evenhand.persons.finder import DOMAINS, LexiconFinder, Person
from evenhand.persons.senses import Domain

#: How the verbs say in which kind of text they looked for persons.
AS_IN: dict[str, str] = {"prose": "read as prose", "interface": "read as interface strings"}

_finder = cache(LexiconFinder)


def find(english: str, *, domain: Domain = "prose") -> list[Person]:
    """Every person that the text names, in its order, of every kind (noun, attributive, pronoun)."""
    return _finder(domain=domain).find(english)


__all__ = ["AS_IN", "DOMAINS", "Domain", "LexiconFinder", "Person", "find"]
