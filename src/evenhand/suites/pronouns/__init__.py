"""Pronoun suites: languages with one word for she and he, audited on the same concepts.

`LANGUAGES` maps a language code to the suite's name and the module that makes it; each module has `probes()`, a table
with the columns

    id source source_lang focus focus_start focus_end concept kind polarity occupation isco08 sector english template

and formality and politeness where the language has them. kind is occupation, positive or negative; polarity is null for
occupations, and occupation, isco08 and sector are null for expressions. Clusters are concepts.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType, ModuleType

from evenhand.suites.pronouns import (
    basque,
    estonian,
    finnish,
    hungarian,
    indonesian,
    japanese,
    korean,
    persian,
    turkish,
)

LANGUAGES: Mapping[str, tuple[str, ModuleType]] = MappingProxyType(
    {
        "ko": (korean.SUITE, korean),
        "hu": (hungarian.SUITE, hungarian),
        "tr": (turkish.SUITE, turkish),
        "fi": (finnish.SUITE, finnish),
        "eu": (basque.SUITE, basque),
        "et": (estonian.SUITE, estonian),
        "fa": (persian.SUITE, persian),
        "id": (indonesian.SUITE, indonesian),
        "ja": (japanese.SUITE, japanese),
    }
)
