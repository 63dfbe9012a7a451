"""What suites with a stated gender share: their measures, their groups, and the gender of an English pronoun."""

from __future__ import annotations

from evenhand.suites.suite import Grouping

GOLD_MEASURES = ("accuracy", "F1_female", "F1_male", "dG", "dS", "TFG")
GOLD_GROUPINGS = (Grouping("gold", column="gold"), Grouping("stereotype", column="stereotype"))


def gender_of_pronoun(pronoun: str) -> str | None:
    """Gold gender of an English pronoun as the Wino sets use them; None for other words."""
    return {
        **dict.fromkeys(("she", "her", "hers", "herself"), "female"),
        **dict.fromkeys(("he", "him", "his", "himself"), "male"),
        **dict.fromkeys(("they", "them", "their", "theirs", "themself", "themselves"), "neutral"),
    }.get(pronoun.casefold())
