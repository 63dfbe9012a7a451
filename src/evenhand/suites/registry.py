"""Which suites there are, and how a name or a path becomes one. Another package adds a suite with an entry point in the
group `evenhand.suites`: its name is the spec's first part, its object (a function) is called with what follows the
colon, if anything does, and makes a Suite. A `summary` attribute, or else the docstring's first line, is shown by
`evenhand suites`."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint
from inspect import signature
from pathlib import Path
from typing import NamedTuple

from evenhand import tsv
from evenhand.errors import BadInput, Unknown
from evenhand.plugins import foreign, load_plugin, plugins, summary_of
from evenhand.readers.opening import UserFile
from evenhand.readers.registry import BY_SUFFIX
from evenhand.suites.own import own_probes
from evenhand.suites.suite import Suite

TABLE = Path(__file__).with_name("suites.tsv")


class SuiteEntry(NamedTuple):
    """A line of `evenhand suites`: where the maker is, imported only when asked for. `versioned`: earlier versions can
    be asked for by name@version."""

    name: str
    module: str
    function: str
    summary: str
    takes: str = ""
    """What follows the name and a colon: path, suite or nothing."""
    argument: str = ""
    versioned: str = ""

    @property
    def takes_path(self) -> bool:
        return self.takes == "path"


@cache
def shipped() -> tuple[SuiteEntry, ...]:
    """Our own suites and readers (suites.tsv)."""
    facts = ("summary", "takes", "argument", "versioned")
    return tuple(
        SuiteEntry(row["name"], f"evenhand.suites.{module}", function, *(row[fact] for fact in facts))
        for row in tsv.rows(TABLE)
        for module, function in [row["at"].split(":")]
    )


def list_suites() -> list[SuiteEntry]:
    """Every suite and reader, built-in ones first; a package that cannot be loaded is listed with the reason."""
    return [*shipped(), *(_listed(point) for name, point in sorted(_added().items()))]


def _added() -> dict[str, EntryPoint]:
    ours = {entry.name for entry in shipped()}
    return {name: point for name, point in plugins("suites").items() if name not in ours}


def _listed(point: EntryPoint) -> SuiteEntry:
    try:
        maker = load_plugin(point, "suite")
        with foreign("suite", point.name):
            summary = summary_of(maker)
    except BadInput as error:
        summary = str(error)
    return SuiteEntry(point.name, point.module, point.attr, summary)


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
    if entry.takes_path and not argument:
        raise BadInput(f"suite {entry.name} reads a file: write {entry.name}:PATH")
    if argument and not entry.takes:
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
    entries = {entry.name: entry for entry in shipped()}
    if name in entries:
        return _shipped(entries[name], argument, version if at else None)
    if named in _added():
        return _from_plugin(_added()[named], argument)
    if text and (UserFile(Path(text)).suffix in BY_SUFFIX or Path(text).exists()):
        return own_probes(_existing(text))
    hint = "`evenhand suites` describes them; a path to a .tsv works too."
    raise Unknown("suite", text, [*entries, *_added()], hint=hint)


def _existing(argument: str) -> Path:
    path = Path(argument).expanduser()
    if not path.exists():
        raise BadInput(f"{path}: no such file or folder")
    return path
