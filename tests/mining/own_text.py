"""English text for tests that need some, mixed as natural text is: few sentences name one person."""

from __future__ import annotations

from itertools import islice, product

PERSONS = "nurse teacher doctor engineer secretary lawyer".split()
GENDERED = "mother king actress".split()
THINGS = """river train letter garden bridge window clock storm kitchen road lamp ship market tower cloud field coat
machine village table bottle mountain chair picture boat shop forest street tree church song stone dog wall ticket
island bell door farm lake mirror hill""".split()
WHAT = ("was late on", "is the first one since", "seemed old before", "stood in the way on", "was gone until")
DAYS = [f"{day} the {number}th" for number in range(4, 20) for day in ("Monday", "Tuesday", "Friday", "Sunday")]


def own_sentences(count: int) -> list[str]:
    """So many distinct sentences, always the same ones; about one in nine names one person of open gender."""
    subjects = [*PERSONS, *GENDERED, *THINGS]
    everything = (f"The {subject} {what} {day}." for day, what, subject in product(DAYS, WHAT, subjects))
    return list(islice(everything, count))
