"""Dutch, where the noun's form alone tells, and Greek, where the article does. The sentences are ours."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evenhand.detect.verdict import Verdict

Judge = Callable[[str, str, str, str], Verdict]


@pytest.mark.parametrize(
    ("source", "focus", "rendering", "gender"),
    [
        ("The teacher left.", "teacher", "De lerares vertrok.", "female"),
        ("The teacher left.", "teacher", "De leraar vertrok.", "male"),
        ("The doctor left.", "doctor", "De arts vertrok.", "neutral"),
        ("The doctor left.", "doctor", "De vrouwelijke arts vertrok.", "female"),
        ("We saw the nurses.", "nurses", "We zagen de verpleegsters.", "female"),
        ("The carpenter left.", "carpenter", "De timmerman vertrok.", "male"),
        ("The victim left.", "victim", "Het slachtoffer vertrok.", "neutral"),
    ],
)
def test_dutch_nouns_tell_by_their_form_or_not_at_all(
    judge: Judge, source: str, focus: str, rendering: str, gender: str
) -> None:
    assert judge("nl", source, focus, rendering).gender == gender


@pytest.mark.parametrize(
    ("source", "focus", "rendering", "gender"),
    [
        ("The doctor left.", "doctor", "Η γιατρός έφυγε.", "female"),
        ("The doctor left.", "doctor", "Ο γιατρός έφυγε.", "male"),
        ("We saw the doctor.", "doctor", "Είδαμε τη γιατρό.", "female"),
        ("We saw the doctor.", "doctor", "Είδαμε τον γιατρό.", "male"),
        ("We spoke to the teacher.", "teacher", "Μιλήσαμε στη δασκάλα.", "female"),
        ("We spoke to the teacher.", "teacher", "Μιλήσαμε στον δάσκαλο.", "male"),
        ("We met a young lawyer.", "lawyer", "Γνωρίσαμε μια νέα δικηγόρο.", "female"),
        ("The victim cried.", "victim", "Το θύμα έκλαιγε.", "neutral"),
        ("The lawyers were tired.", "lawyers", "Οι δικηγόροι ήταν κουρασμένες.", "female"),
        ("The lawyers were tired.", "lawyers", "Οι δικηγόροι ήταν κουρασμένοι.", "male"),
        ("She is an experienced doctor.", "doctor", "Είναι έμπειρη γιατρός.", "female"),
    ],
)
def test_greek_nouns_of_both_genders_are_told_by_the_article(
    judge: Judge, source: str, focus: str, rendering: str, gender: str
) -> None:
    assert judge("el", source, focus, rendering).gender == gender
