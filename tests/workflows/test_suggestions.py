"""Suggestions of check-file: placeholders, tags and entities stay as they are, in every format, or nothing is said."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.readers.catalogues import made, read_by_others

import evenhand
from evenhand.workflows.check_file import Suggestions

MARKERS = (
    "%s", "%d", "%1$s", "%2$@", "%@", "%(user)s", "%.2f", "%{count}", "{}", "{0}", "{name}", "{{ total }}", "${user}",
    "$name$", "$t(key)", "&nbsp;", "&#160;", "<b>", "</b>", "<br/>", '<a href="https://example.org">', "</a>",
)  # fmt: skip
MARKED = re.compile("|".join(map(re.escape, sorted(MARKERS, key=len, reverse=True))))
STRINGS = (
    ("The new user has signed in and is tired.", "Der neue Benutzer hat sich angemeldet und ist müde."),
    ("The password of the user has expired.", "Das Passwort des Benutzers ist abgelaufen."),
    ("Ask your administrator, who knows it.", "Frage deinen Administrator, der es weiß."),
)


@st.composite
def marked(draw: st.DrawFn) -> tuple[str, str]:
    """A string with up to four markers, at any blank or inside a word's edges, in both languages in the same order."""
    source, rendering = draw(st.sampled_from(STRINGS))
    markers = draw(st.lists(st.sampled_from(MARKERS), max_size=4))
    pieces = []
    for text in (source, rendering):
        places = sorted(draw(st.lists(st.integers(0, text.count(" ")), min_size=len(markers), max_size=len(markers))))
        words = text.split(" ")
        for place, marker in reversed(list(zip(places, markers, strict=True))):
            words.insert(place, marker) if draw(st.booleans()) else words.__setitem__(place, f"{marker}{words[place]}")
        pieces.append(" ".join(words))
    return pieces[0], pieces[1]


@pytest.mark.parametrize("format", ["po", "xliff", "xliff2", "tmx"])
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pairs=st.lists(marked(), min_size=8, max_size=16, unique_by=lambda pair: pair[0]))
def test_what_is_marked_up_survives_in_a_suggestion(format: str, pairs: list[tuple[str, str]], tmp_path: Path) -> None:
    path = tmp_path / f"de.{'xlf' if format.startswith('xliff') else format}"
    path.write_bytes(made(format, pairs))
    checked = evenhand.check_file(path, source="en", target="de")
    suggestions = Suggestions("en", "de")
    for row in checked.persons.iter_rows(named=True):
        instead = suggestions.of(row)
        assert instead is None or MARKED.findall(instead) == MARKED.findall(row["rendering"])
        assert instead is None or instead != row["rendering"]
    noted = checked.annotated(suggest=True)
    assert format == "xliff2" or read_by_others(format, noted) == read_by_others(format, path.read_bytes())
