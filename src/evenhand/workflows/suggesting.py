"""What a translator could write instead: the other form of a string in which check-file found a gender."""

from __future__ import annotations

import re
from collections.abc import Mapping

from evenhand.gender import Gender
from evenhand.languages import primary
from evenhand.mend.mender import LANGUAGES, Mender

OTHER = {"female": Gender.MALE, "male": Gender.FEMALE}
BRANCHES = re.compile(r"\{\s*\w+\s*,\s*(?:plural|select|selectordinal)\b")  # an ICU message is several texts


class Suggesting:
    """For strings of English into one language; nothing is suggested where mend does not know the language."""

    def __init__(self, source: str, target: str) -> None:
        known = primary(source) == "en" and primary(target) in LANGUAGES
        self._mender = Mender(target) if known else None

    def of(self, row: Mapping[str, object]) -> str | None:
        """The string with the gender that the source states or, where it leaves it open, with the other one; None
        where the mender declines. `row` as in `FileCheck.persons`; placeholders and tags stay where they are."""
        source, rendering, person = str(row["source"]), str(row["rendering"]), str(row["person"])
        place = re.search(rf"(?<!\w){re.escape(person)}(?!\w)", source, re.IGNORECASE) if person else None
        if self._mender is None or place is None or BRANCHES.search(rendering) or str(row["gender"]) not in OTHER:
            return None
        mended = self._mender.mend(source, rendering, *place.span(), OTHER[str(row["gender"])])
        return mended.text or None
