"""Polish: endings of case and gender, past tense in -ł and -ła, "pani doktor"."""

from __future__ import annotations

from evenhand.grammar.families.slavic import Slavic


class Polish(Slavic):
    """Works from tables alone; the classifying adjective follows its noun (asystentka prawna)."""

    code = "pl"
    name = "polish"
    adjectives_follow = True
