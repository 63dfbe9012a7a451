"""The mining report's pictures: one mark a row, hostile words escaped, nothing drawn of nothing."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from evenhand.mining.pictures import funnel, words
from evenhand.mining.words import WordRatio


def test_the_funnel_has_a_bar_a_step_and_longer_bars_for_more() -> None:
    tree = ET.fromstring(funnel([("text", "read <b>", 1000), ("es", "at risk", 10), ("es", "both", 0)]))
    widths = [float(r.attrib["width"]) for r in tree.iter("rect")]
    assert len(widths) == 3
    assert widths[0] > widths[1] > widths[2] == 0
    assert "text: read <b>" in "".join(t for t in tree.itertext())


def test_words_lie_between_all_feminine_and_all_masculine() -> None:
    found = [
        WordRatio("a&b", 9, 1, 2.0, 0.5, 3.5, 0.9, 0.6, 0.98),
        WordRatio("nurse", 1, 9, -2.0, -3.5, -0.5, 0.1, 0.02, 0.4),
    ]
    tree = ET.fromstring(words(found))
    places = [float(c.attrib["cx"]) for c in tree.iter("circle")]
    assert places[0] > places[1]


def test_nothing_is_drawn_of_nothing() -> None:
    assert funnel([]) == ""
    assert words([]) == ""
