"""What is covered per target language: nouns, pronouns, speaker, mend, suites, and where the words come from."""

from dataclasses import dataclass
from pathlib import Path

from evenhand.grammar import language
from evenhand.grammar.lexicon import PERSON, shipped_forms
from evenhand.grammar.participants import TABLE
from evenhand.languages import known
from evenhand.mend.mender import LANGUAGES as MENDED
from evenhand.suites.registry import list_suites, load_suite
from evenhand.tsv import rows

GRAMMAR = Path(__file__).parents[1] / "grammar"


@dataclass(frozen=True)
class Coverage:
    """One language. `entries`: one-word forms of person nouns; `english`: English nouns whose renderings are known."""

    code: str
    name: str
    nouns: bool
    pronouns: bool
    speaker: bool
    mend: bool
    suites: tuple[str, ...]
    entries: int = 0
    english: int = 0
    sources: tuple[str, ...] = ()


def coverage() -> list[Coverage]:
    """Every language into which some verdict is possible, by code."""
    ours = [one for one in list_suites() if one.module.startswith("evenhand.") and not one.takes]
    asked = {one.name: load_suite(one.name).targets for one in ours}
    found = []
    for code, entry in sorted(known().items()):
        judged = entry.pronouns == "judged"
        if not (entry.nouns or judged):
            continue
        folder = GRAMMAR / entry.nouns
        speaker = bool(entry.nouns) and (folder / TABLE).exists()
        suites = tuple(name for name, targets in asked.items() if code in targets or (entry.nouns and not targets))
        words = _words(code, folder) if entry.nouns else (0, 0, ())
        found.append(Coverage(code, entry.name, bool(entry.nouns), judged, speaker, code in MENDED, suites, *words))
    return found


def _words(code: str, folder: Path) -> tuple[int, int, tuple[str, ...]]:
    forms = shipped_forms(language(code))
    derived = {key for path in folder.glob("lexicon*.tsv") for row in rows(path) for key in row["source"].split("|")}
    entries = sum(1 for columns in forms.known.values() if columns & PERSON)
    return entries, len(forms.concepts), ("Evenhand", *sorted(derived))
