"""What loading a file met: counted, with line numbers, kept with the cache so that later loads repeat it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field

SHOWN = 5


@dataclass
class Tally:
    """A count and the first few places."""

    count: int = 0
    places: list[tuple[int, str]] = field(default_factory=list)

    def add(self, line: int, what: str) -> None:
        self.count += 1
        if len(self.places) < SHOWN:
            self.places.append((line, what))

    def __str__(self) -> str:
        shown = ", ".join(f"line {line} {what!r}" for line, what in self.places)
        return f"{shown}{', ...' if self.count > len(self.places) else ''}"


@dataclass
class Notes:
    """`read` counts vectors in the file (or up to the limit). Line numbers are 1-based; in binary files and objects
    they number the vectors."""

    format: str = "memory"
    read: int = 0
    promised: int | None = None
    duplicates: Tally = field(default_factory=Tally)
    zero: Tally = field(default_factory=Tally)
    spaced: Tally = field(default_factory=Tally)
    bad: Tally = field(default_factory=Tally)
    undecodable: Tally = field(default_factory=Tally)
    short: bool = False

    def warnings(self) -> list[str]:
        """One sentence a kind of trouble; empty for a clean file."""
        told = [
            (self.bad, "malformed lines skipped"),
            (self.zero, "zero vectors left out (they have no direction)"),
            (self.duplicates, "repeated words left out (the first one counts)"),
            (self.spaced, "words with spaces kept"),
            (self.undecodable, "words that are not UTF-8, kept with replacement characters"),
        ]
        lines = [f"{tally.count} {what}: {tally}" for tally, what in told if tally.count]
        if self.short:
            lines.append(f"the header promises {self.promised} vectors, the file has {self.read}")
        return lines

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Notes:
        raw = json.loads(text)
        for name in ("duplicates", "zero", "spaced", "bad", "undecodable"):
            raw[name] = Tally(raw[name]["count"], [(int(line), str(what)) for line, what in raw[name]["places"]])
        return cls(**raw)
