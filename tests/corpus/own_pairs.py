"""A small English-German text, with what a reader counts in it."""

from __future__ import annotations

# source, rendering, what the source says, gender of the target; None where no person is named
LINES: list[tuple[str, str, str | None, str | None]] = [
    ("The nurse is reading a book.", "Die Krankenschwester liest ein Buch.", "open", "female"),
    ("The doctor works at night.", "Der Arzt arbeitet nachts.", "open", "male"),
    ("The teacher has a new car.", "Die Lehrerin hat ein neues Auto.", "open", "female"),
    ("The teacher knows the answer.", "Der Lehrer kennt die Antwort.", "open", "male"),
    ("The doctor lost her keys.", "Die Ärztin verlor ihre Schlüssel.", "female", "female"),
    ("The doctor lost his keys.", "Der Arzt verlor seine Schlüssel.", "male", "male"),
    ("My mother is at home.", "Meine Mutter ist zu Hause.", "female", "female"),
    ("The police officer saw everything.", "Der Polizist hat alles gesehen.", "open", "male"),
    ("Three persons are waiting outside.", "Drei Personen warten draußen.", "open", "neutral"),
    ("It is raining again today.", "Heute regnet es schon wieder.", None, None),
    ("The house on the hill is old.", "Das Haus auf dem Hügel ist alt.", None, None),
]


def text(times: int = 1) -> list[tuple[str, str]]:
    """The lines again and again, each time with another number, so that no pair is there twice."""
    return [
        (f"{source[:-1]}, number {n}.", f"{rendering[:-1]}, Nummer {n}.")
        for n in range(1, times + 1)
        for source, rendering, _, _ in LINES
    ]
