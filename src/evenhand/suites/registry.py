"""Which suites there are, and how a name or a path becomes one.

Another package adds a suite with an entry point in the group `evenhand.suites`: its name is the spec's first part, its
object (a function) is called with what follows the colon, if anything does, and makes a Suite. A `summary` attribute,
or else the docstring's first line, is shown by `evenhand suites`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint
from inspect import signature
from pathlib import Path

from evenhand.errors import BadInput, Unknown
from evenhand.plugins import foreign, load_plugin, plugins, summary_of
from evenhand.readers.opening import UserFile
from evenhand.readers.registry import BY_SUFFIX
from evenhand.suites.own import own_probes
from evenhand.suites.suite import Suite


@dataclass(frozen=True)
class SuiteEntry:
    """A line of `evenhand suites`: where the maker is, imported only when asked for."""

    name: str
    module: str
    function: str
    takes_path: bool
    summary: str
    argument: str | None = None
    takes_suite: bool = False
    versioned: bool = False
    """Earlier versions can be asked for by name@version."""


_BUILT_IN = (
    ("basque", "eu", "one word for she and he: Hura medikua da."),
    ("korean", "ko", "the TGBI study's design, two pronouns, two politeness levels: 걔는 의사야."),
    ("hungarian", "hu", "one word for she and he: Ő egy orvos."),
    ("turkish", "tr", "one word for she and he: O bir doktor."),
    ("finnish", "fi", "one word for she and he: Hän on lääkäri."),
    ("estonian", "et", "one word for she and he: Ta on arst."),
    ("persian", "fa", "one word for she and he: او پزشک است."),
    ("indonesian", "id", "one word for she and he: Dia seorang dokter."),
    ("japanese", "ja", "a person of no stated gender: あの人は医者です。"),
)

ENTRIES: tuple[SuiteEntry, ...] = (
    *(
        SuiteEntry(
            f"pronouns-{language}",
            "evenhand.suites.pronouns.suites",
            "pronouns",
            False,
            summary,
            code,
            versioned=True,
        )
        for language, code, summary in _BUILT_IN
    ),
    SuiteEntry(
        "occupations-hungarian",
        "evenhand.suites.pronouns.suites",
        "occupations_hungarian",
        False,
        "Hungarian occupations with sectors and adjective variants (Farkas & Nemeth)",
        versioned=True,
    ),
    SuiteEntry(
        "occupations-verbs",
        "evenhand.suites.occupations",
        "verbs",
        False,
        "42 stereotyped verbs x the occupations of WiBeMT's Table 1",
    ),
    SuiteEntry(
        "occupations-coreference",
        "evenhand.suites.occupations",
        "coreference",
        False,
        "our own sentence pairs of the WinoBias kind, with gold gender",
        versioned=True,
    ),
    SuiteEntry(
        "occupations-adjectives",
        "evenhand.suites.occupations",
        "adjectives",
        False,
        "the coreference suite times 20 stereotyped adjectives (occupations-adjectives:SUITE: another one)",
        takes_suite=True,
        versioned=True,
    ),
    SuiteEntry("speaker", "evenhand.suites.speaker", "speaker", False, "first-person sentences: I was tired."),
    SuiteEntry("listener", "evenhand.suites.speaker", "listener", False, "second-person sentences: You were tired."),
    SuiteEntry(
        "winomt", "evenhand.suites.published", "winomt", True, "a WinoMT file as published (en.txt, en_pro.txt, ...)"
    ),
    SuiteEntry(
        "winomt-distance",
        "evenhand.suites.published",
        "winomt_distance",
        True,
        "WinoMT with sentences between noun and pronoun (en_inter1.txt, ...)",
    ),
    SuiteEntry("winobias", "evenhand.suites.published", "winobias", True, "a WinoBias file or folder as published"),
    SuiteEntry(
        "winogender", "evenhand.suites.published", "winogender", True, "Winogender's all_sentences.tsv as published"
    ),
    SuiteEntry(
        "mtgeneval", "evenhand.suites.published", "mtgeneval", True, "MT-GenEval as published: one of its English files"
    ),
    SuiteEntry(
        "gest", "evenhand.suites.published", "gest", True, "GEST's first-person sentences as published (gest.csv)"
    ),
    SuiteEntry(
        "mittens",
        "evenhand.suites.published",
        "mittens",
        True,
        "MiTTenS as published: passages about one person, into English and out of it",
    ),
    SuiteEntry(
        "tsv",
        "evenhand.suites.own",
        "own_probes",
        True,
        "your own probes: TSV, CSV, JSON or Parquet with a marked focus",
    ),
)


def list_suites() -> list[SuiteEntry]:
    """Every suite and reader, built-in ones first; a package that cannot be loaded is listed with the reason."""
    return [*ENTRIES, *(_listed(point) for name, point in sorted(_added().items()))]


def _added() -> dict[str, EntryPoint]:
    ours = {entry.name for entry in ENTRIES}
    return {name: point for name, point in plugins("suites").items() if name not in ours}


def _listed(point: EntryPoint) -> SuiteEntry:
    try:
        maker = load_plugin(point, "suite")
        with foreign("suite", point.name):
            summary = summary_of(maker)
    except BadInput as error:
        summary = str(error)
    return SuiteEntry(point.name, point.module, point.attr, False, summary)


def _from_plugin(point: EntryPoint, argument: str) -> Suite:
    maker = load_plugin(point, "suite")
    given = (argument,) if argument else ()
    with foreign("suite", point.name):
        try:
            signature(maker).bind(*given)
        except TypeError as error:
            after = f"{argument!r} after its name" if argument else "nothing after its name"
            raise BadInput(f"suite {point.name} was given {after}: {error}") from error
        suite = maker(*given)
    if not isinstance(suite, Suite):
        raise BadInput(f"the suite {point.name} of another package is {suite!r}, no Suite")
    return suite


def _shipped(entry: SuiteEntry, argument: str, version: str | None) -> Suite:
    """The suite of an entry, read from the file `argument` where it takes one, in an earlier `version` if asked for."""
    if entry.takes_path and not argument:
        raise BadInput(f"suite {entry.name} reads a file: write {entry.name}:PATH")
    if argument and not (entry.takes_path or entry.takes_suite):
        raise BadInput(f"suite {entry.name} takes no argument, but was given {argument!r}")
    if version is not None and not entry.versioned:
        raise BadInput(f"suite {entry.name} has one version only: leave out @{version}")
    maker: Callable[..., Suite] = getattr(import_module(entry.module), entry.function)
    if entry.takes_path:
        return maker(_existing(argument))
    return maker(*filter(None, (entry.argument, argument)), **({} if version is None else {"version": version}))


def load_suite(spec: str | Path) -> Suite:
    """A suite by name (`pronouns-basque`, an earlier version as `pronouns-basque@1.0`), by reader and path
    (`winomt:en.txt`), or a table of your own by path."""
    text = str(spec)
    named, _, argument = text.partition(":")
    name, at, version = named.partition("@")
    entries = {entry.name: entry for entry in ENTRIES}
    if name in entries:
        return _shipped(entries[name], argument, version if at else None)
    if named in _added():
        return _from_plugin(_added()[named], argument)
    if text and (UserFile(Path(text)).suffix in BY_SUFFIX or Path(text).exists()):
        return own_probes(_existing(text))
    known = [*entries, *_added()]
    raise Unknown("suite", text, known, hint="`evenhand suites` describes them; a path to a .tsv works too.")


def _existing(argument: str) -> Path:
    path = Path(argument).expanduser()
    if not path.exists():
        raise BadInput(f"{path}: no such file or folder")
    return path
