"""Notes: what a reader of a result must know. Code asks for their kind, never for their words."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Self


class NoteKind(StrEnum):
    """What a note is about; OTHER where nothing in the program depends on it."""

    OTHER = ""
    ALIKE = "alike"  # renderings that are nearly all one text
    ASTRAY = "astray"  # renderings that seem to be of other sentences
    CHOSEN = "chosen"  # rows that were chosen by their verdicts
    CONDITION = "condition"  # on what a finding depends that the data do not settle
    CLUSTERS = "clusters"  # which columns cluster the sentences, or that none was found
    DAMAGED = "damaged"  # answers that the disk has damaged
    DEVIATION = "deviation"  # from the frozen plan
    EDITED = "edited"  # files that were changed after they were written
    EFFORT = "effort"  # time and memory
    FORMS = "forms"  # forms that people labelled
    INVALID = "invalid"  # answers that are no renderings
    LATE = "late"  # a plan that is younger than answers
    LOST = "lost"  # renderings without the person of the source
    MENDED = "mended"  # how the answers of a mended system came about
    REFUSED = "refused"  # answers the system refused to give
    REPEATED = "repeated"  # what repeated answers say about the sampling
    UNMARKED = "unmarked"  # probes without a focus
    UNREMEMBERED = "unremembered"  # answers that are not in the translation memory


#: Words by which notes of manifests up to 0.1.0, which are plain sentences, show their kind.
_OLD = {
    "labelled by people": NoteKind.FORMS,
    "do not keep the person of the source": NoteKind.LOST,
    "are they renderings of these sentences": NoteKind.ASTRAY,
    "are unusable": NoteKind.INVALID,
    "answers a sentence:": NoteKind.REPEATED,
    "seconds of each step": NoteKind.EFFORT,
    "these are no translations of them": NoteKind.ALIKE,
    "no firm finding": NoteKind.CONDITION,
    "too few to tell": NoteKind.CONDITION,
}


class Note(str):
    """A sentence for people, with its kind and, where it is about some of many, how many."""

    kind: NoteKind
    number: int | None

    def __new__(cls, text: str, kind: NoteKind = NoteKind.OTHER, number: int | None = None) -> Self:
        note = super().__new__(cls, text)
        note.kind, note.number = kind, number
        return note

    def __reduce__(self) -> tuple[type[Self], tuple[str, NoteKind, int | None]]:
        return type(self), (str(self), self.kind, self.number)

    def content(self) -> dict[str, object]:
        """As a manifest holds it."""
        return {"kind": self.kind.value, "count": self.number, "text": str(self)}


def read_notes(stored: object) -> tuple[Note, ...]:
    """The notes of a manifest, also of one in which they are plain sentences; a TypeError for anything else."""
    if not isinstance(stored, list | tuple):
        raise TypeError("notes is not a list")
    return tuple(map(_read, stored))


def _read(stored: object) -> Note:
    if isinstance(stored, Note):
        return stored
    if isinstance(stored, str):
        kinds = (kind for words, kind in _OLD.items() if words in stored)
        return Note(stored, next(kinds, NoteKind.OTHER))
    if not isinstance(stored, dict):
        raise TypeError("notes holds something that is not a note")
    text, kind, count = stored.get("text"), stored.get("kind", ""), stored.get("count")
    if not isinstance(text, str) or not (count is None or isinstance(count, int)):
        raise TypeError("notes holds something that is not a note")
    known = next((one for one in NoteKind if one.value == kind), NoteKind.OTHER)
    return Note(text, known, count)


def without(notes: Iterable[Note], *kinds: NoteKind) -> tuple[Note, ...]:
    """The notes of all other kinds."""
    return tuple(note for note in notes if note.kind not in kinds)
