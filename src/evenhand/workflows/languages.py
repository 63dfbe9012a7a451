"""What is covered per target language: nouns, pronouns, speaker, mend, suites, and where the words come from."""

from dataclasses import dataclass, replace
from pathlib import Path

from evenhand.grammar import language
from evenhand.grammar.lexicon import PERSON, Forms, shipped_forms
from evenhand.grammar.participants import TABLE
from evenhand.languages import known
from evenhand.mend.mender import LANGUAGES as MENDED
from evenhand.suites.registry import list_suites, load_suite
from evenhand.tsv import rows

GRAMMAR = Path(__file__).parents[1] / "grammar"


@dataclass(frozen=True)
class Coverage:
    """One language. `entries`: one-word forms of person nouns; `english`: English nouns whose renderings are known;
    `pairs`: a feminine with its masculine (profesora, profesor), or one form for both (gerente)."""

    code: str
    name: str
    nouns: bool
    pronouns: bool
    speaker: bool
    mend: bool
    suites: tuple[str, ...]
    entries: int = 0
    english: int = 0
    pairs: int = 0
    sources: tuple[str, ...] = ()


def coverage() -> list[Coverage]:
    """Every language into which some verdict is possible, by code."""
    ours = [one for one in list_suites() if one.module.startswith("evenhand.") and not one.takes]
    asked = {one.name: load_suite(one.name).targets for one in ours}
    covered = []
    for code, entry in sorted(known().items()):
        nouns, pronouns, folder = bool(entry.nouns), entry.pronouns == "judged", GRAMMAR / entry.nouns
        suites = tuple(name for name, targets in asked.items() if code in targets or (nouns and not targets))
        one = Coverage(code, entry.name, nouns, pronouns, nouns and (folder / TABLE).exists(), code in MENDED, suites)
        if nouns:
            forms, words = shipped_forms(language(code)), [r for p in folder.glob("lexicon*.tsv") for r in rows(p)]
            pairs = {
                row["common"] or row["female"] for row in words if row["common"] or (row["female"] and row["male"])
            }
            entries = sum(1 for columns in forms.known.values() if columns & PERSON)
            sources = ("Evenhand", *sorted({key for row in words for key in row["source"].split("|")}))
            one = replace(one, entries=entries, english=len(forms.concepts), sources=sources)
            one = replace(one, pairs=len(pairs | _pairs(forms, folder)))
        covered += [one] if nouns or pronouns else []
    return covered


def _pairs(forms: Forms, folder: Path) -> set[str]:
    """The feminines of our own tables that have a masculine, as dictionary forms; nouns for both among them."""
    pairs = set()
    for row in (row for name in ("occupations", "persons", "peoples") for row in rows(folder / f"{name}.tsv")):
        women = {forms.language.plain(word) for word in row["female"].split("|") if row["male"] and " " not in word}
        pairs |= {w for w in women if not forms.known.keys() & {*forms.language.lookups(w)[1:]} - {w}}
    return pairs - {""}
