"""Hebrew and Arabic: prefixes, endings, nouns that are written alike. The sentences are ours."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evenhand.detect.verdict import Verdict
from evenhand.grammar import language

Judge = Callable[[str, str, str, str], Verdict]


@pytest.mark.parametrize(
    ("source", "focus", "rendering", "gender"),
    [
        ("We spoke to the secretary.", "secretary", "דיברנו עם המזכירה.", "female"),
        ("We spoke to the secretary.", "secretary", "דיברנו עם המזכיר.", "male"),
        ("We gave it to the lawyer.", "lawyer", "נתנו את זה לעורכת הדין.", "female"),
        ("We gave it to the lawyer.", "lawyer", "נתנו את זה לעורך-הדין.", "male"),
        ("The CEO called.", "CEO", 'המנכ"לית התקשרה.', "female"),
        ("The CEO called.", "CEO", 'המנכ "ל התקשר.', "male"),
        ("The teacher said no.", "teacher", "המורה אמרה לא.", "female"),
        ("The teacher said no.", "teacher", "המורה אמר לא.", "male"),
        ("We waited for the teacher.", "teacher", "חיכינו למורה.", "neutral"),
        ("The receptionist smiled.", "receptionist", "פקידת הקבלה חייכה.", "female"),
        ("Someone called.", "Someone", "מישהו התקשר.", "neutral"),
    ],
)
def test_hebrew_nouns_tell_by_ending_and_verb(
    judge: Judge, source: str, focus: str, rendering: str, gender: str
) -> None:
    assert judge("he", source, focus, rendering).gender == gender


@pytest.mark.parametrize(
    ("source", "focus", "rendering", "gender"),
    [
        ("We spoke to the manager.", "manager", "تحدثنا مع المديرة.", "female"),
        ("We spoke to the manager.", "manager", "تحدثنا مع المُدير.", "male"),
        ("We gave it to the accountant.", "accountant", "أعطيناها للمحاسبة.", "female"),
        ("We gave it to the accountant.", "accountant", "أعطيناه للمحاسب.", "male"),
        ("We asked the librarian.", "librarian", "سألنا أمينة المكتبة.", "female"),
        ("We asked the librarian.", "librarian", "سألنا أمين المكتبة.", "male"),
        ("We told someone.", "someone", "أخبرنا شخصا ما.", "neutral"),
        ("The victim cried.", "victim", "بكت الضحية.", "neutral"),
        ("We thanked the doctor.", "doctor", "شكرنا ﺍﻟﻄﺒﻴﺒﺔ.", "female"),
    ],
)
def test_arabic_nouns_tell_by_ending(judge: Judge, source: str, focus: str, rendering: str, gender: str) -> None:
    assert judge("ar", source, focus, rendering).gender == gender


def test_vowel_points_do_not_change_what_is_looked_up() -> None:
    assert language("he").lookups("מוֹרָה")[0] == "מורה"
    assert language("ar").lookups("مُدِيرَة")[0] == "مديرة"


@pytest.mark.parametrize(("code", "form", "lemma"), [("he", "ושהמנהלים", "מנהל"), ("ar", "وللمديرات", "مديرة")])
def test_prefixes_and_plural_endings_are_stripped_together(code: str, form: str, lemma: str) -> None:
    assert lemma in language(code).lookups(form)
