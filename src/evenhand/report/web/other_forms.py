"""The other gender's form of a rendering, for the pages: what "Mend" shows, word by word."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from evenhand.errors import EvenhandError
from evenhand.gender import Gender
from evenhand.languages import primary
from evenhand.mend.mender import LANGUAGES, Mender

OTHER = {Gender.FEMALE: Gender.MALE, Gender.MALE: Gender.FEMALE}


@dataclass(frozen=True)
class OtherForm:
    """`text` with this gender and the words changed, old and new; or, where there is none, the reason."""

    to: str
    text: str
    changed: tuple[tuple[str, str], ...]
    reason: str


def other_form(row: Mapping[str, object]) -> OtherForm | None:
    """For a judged row (source, source_lang, rendering, target_lang, focus_start, focus_end, gender); None where the
    verdict is neither female nor male, no noun is in focus, or the languages are not mend's."""
    wanted = OTHER.get(Gender(str(row["gender"])))
    target, start, end = str(row["target_lang"]), row.get("focus_start"), row.get("focus_end")
    known = primary(target) in LANGUAGES and primary(str(row.get("source_lang"))) == "en"
    if wanted is None or not known or not isinstance(start, int) or not isinstance(end, int):
        return None
    try:
        mended = _mender(target).mend(str(row["source"]), str(row["rendering"]), start, end, wanted)
    except EvenhandError as error:
        return OtherForm(str(wanted), "", (), str(error))  # a dictionary that is not installed
    return OtherForm(str(wanted), mended.text, mended.changed, mended.reason or "")


@lru_cache(maxsize=4)
def _mender(target: str) -> Mender:
    return Mender(target)
