"""The project file, evenhand.toml: who is asked what, in which languages, for how much, and what must hold."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from string import Template
from typing import TypeVar, Union, get_args, get_origin, get_type_hints

from evenhand.errors import BadInput, Unknown
from evenhand.languages import check_code, code
from evenhand.measures.decisions.limits import Limit, read_limits
from evenhand.measures.definitions.direction import directed, margin
from evenhand.options import option_of, plain_type
from evenhand.readers.toml_tables import TomlTable, check_keys, read_toml, read_toml_tables
from evenhand.storage.atomic import write_text
from evenhand.system_names import check_name
from evenhand.systems.agenda import Limits
from evenhand.systems.registry import Setting
from evenhand.workflows.audit import RUNS
from evenhand.workflows.file_gate import FileRules, file_rules
from evenhand.workflows.settings import GateSettings, Settings

FILE = Path("evenhand.toml")
Declared = TypeVar("Declared", Settings, Limits)
_SETTINGS = ("references", "forms", "measures", "resamples", "seed", "level", "max_age")  # of `Settings`
_FILES = ("files", "persons", "style", "cast", "accepted")
_KEYS = ("suites", "targets", "output", "headline", *_SETTINGS, "system", "limit", "gate", "budget", *_FILES)
_LIMITS = ("requests_per_minute", "characters_per_minute", "concurrency")  # of `Limits`
_SYSTEM = ("name", "spec", "key", "settings", "samples", "price_per_million", "suites", "targets", *_LIMITS)


@dataclass(frozen=True)
class AskedSystem:
    """One [[system]]. Empty `suites` or `targets`: all of the project's. `where` is its place in the file."""

    where: str
    name: str
    spec: str
    settings: dict[str, Setting] = field(default_factory=dict)
    samples: int = 1
    price_per_million: float | None = None
    suites: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    key: str = ""
    """The environment variable of the key for a server that the file names."""


@dataclass(frozen=True)
class Budget:
    """What one `evenhand run` may send: characters, and money at the systems' prices; None: as much as it takes."""

    characters: int | None = None
    money: float | None = None


@dataclass(frozen=True)
class Project:
    """A project file as read and checked; paths in it are as written, from the file's own folder."""

    path: Path
    systems: tuple[AskedSystem, ...]
    suites: tuple[str, ...]
    targets: tuple[str, ...]
    settings: Settings
    output: Path = RUNS
    headline: str = ""
    limits: tuple[Limit, ...] = ()
    against: Path | None = None
    """The folder of former runs that new ones are compared with, as `gate` says."""
    gate: GateSettings = field(default_factory=GateSettings)
    budget: Budget = Budget()
    files: FileRules = field(default_factory=FileRules)


def read_project(path: Path) -> Project:
    """The project of a file. Every mistake in it is one sentence that names the file and the place."""
    content = read_toml(path)
    top = TomlTable(str(path), content)
    check_keys(top.where, content, _KEYS)
    rules = file_rules(path)
    if rules.paths and not {"suites", "targets", "system"} & content.keys():
        return Project(path, (), (), (), Settings(), files=rules)
    suites, targets = top.texts("suites"), _languages(top)
    for key, given in (("suites", suites), ("targets", targets)):
        if not given:
            raise BadInput(f'{path}: {key} is missing: {key} = ["..."] above the first [[system]]')
    example = '[[system]] name = "ours" spec = "libretranslate:http://localhost:5000"'
    tables = read_toml_tables(path, "system", keys=_SYSTEM, example=example)
    systems = tuple(_system(TomlTable(where, table), suites, targets) for where, table in tables)
    for first, second in combinations(systems, 2):
        if first.name.casefold() == second.name.casefold():
            raise BadInput(f"{second.where}: another system is also called {second.name}")
    against, gate = _gate(TomlTable(f"{path}: gate", top.table("gate")))
    spend = TomlTable(f"{path}: budget", top.table("budget"))
    check_keys(spend.where, spend.content, ("characters", "money"))
    project = Project(
        path=path,
        systems=systems,
        suites=suites,
        targets=targets,
        settings=_given(top, Settings, _SETTINGS),
        output=Path(top.text("output", str(RUNS))),
        headline=top.text("headline", ""),
        limits=tuple(read_limits(path)) if "limit" in content else (),
        against=against,
        gate=gate,
        budget=Budget(spend.whole("characters"), spend.number("money")),
        files=rules,
    )
    if project.headline:
        with placed(f"{path}: headline"):
            directed(project.headline)
    unpriced = [system for system in systems if system.price_per_million is None]
    if project.budget.money is not None and unpriced:
        raise BadInput(f"{unpriced[0].where}: a budget in money needs price_per_million here too (0 where it is free)")
    return project


@contextmanager
def placed(where: str) -> Iterator[None]:
    """What is wrong inside is told with its place in the project file."""
    try:
        yield
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from error


def _system(table: TomlTable, suites: tuple[str, ...], targets: tuple[str, ...]) -> AskedSystem:
    name = table.text("name")
    with placed(table.where):
        check_name(name)
    settings: dict[str, Setting] = {}
    for key, value in table.table("settings").items():
        if not isinstance(value, str | int | float | bool):
            raise BadInput(f"{table.where}: settings: {key} must be a text, a number, true or false, not {value!r}")
        settings[key] = value
    own_suites, own_targets = table.texts("suites"), _languages(table)
    for key, own, known in (("suite", own_suites, suites), ("target", own_targets, targets)):
        for one in own:
            if one not in known:
                raise BadInput(f"{table.where}: {Unknown(f'{key} of the project', one, known)}")
    spec, price, samples = table.text("spec"), table.number("price_per_million"), table.whole("samples", least=1)
    limits = _given(table, Limits, _LIMITS)
    asked = (table.where, name, spec, settings, samples or 1, price, own_suites, own_targets, limits)
    return AskedSystem(*asked, key=table.text("key", ""))


def _languages(table: TomlTable) -> tuple[str, ...]:
    given = table.texts("targets")
    with placed(f"{table.where}: targets"):
        for one in given:
            check_code(one)
    return tuple(dict.fromkeys(map(code, given)))


def _given(table: TomlTable, kind: type[Declared], names: Sequence[str]) -> Declared:
    """Settings with the values that a table gives, each read as the setting's declaration says."""
    hints = get_type_hints(kind, include_extras=True)
    given = {name: _value(table, name, hints[name]) for name in names if name in table.content}
    with placed(table.where):
        return kind(**given)  # type: ignore[arg-type]  # each value is of its declared type


def _value(table: TomlTable, name: str, hint: object) -> object:
    option, plain = option_of(hint), plain_type(hint)
    kinds = get_args(plain) if get_origin(plain) is Union else (plain,)
    if get_origin(plain) is tuple:
        return table.texts(name)
    if option and option.parse:
        with placed(table.where):
            return option.parse(table.text(name))
    if int in kinds:
        return table.whole(name, least=int((option and option.least) or 0))
    if float in kinds:
        return table.number(name)
    return Path(table.text(name)) if Path in kinds else table.text(name)


def _gate(table: TomlTable) -> tuple[Path | None, GateSettings]:
    check_keys(table.where, table.content, ("against", "measures", "margins", "allow_memory"))
    against, measures = table.text("against", ""), table.texts("measures")
    if table.content and not against:
        raise BadInput(f'{table.where}: against is missing: against = "FOLDER", with the runs of an earlier time')
    with placed(f"{table.where}: measures"):
        list(map(directed, measures))
    with placed(f"{table.where}: margins"):
        margins = dict(margin(f"{name}={size}") for name, size in table.table("margins").items())
    gating = GateSettings(measures=measures, margins=margins, allow_memory=table.flag("allow_memory"))
    return Path(against) if against else None, gating


def write_project(path: Path, *, system: str, suite: str, target: str) -> None:
    """A commented project file with one system; one that is there is never replaced."""
    if path.exists():
        raise BadInput(f"{path} already exists. Nothing was written.")
    template = Template((files("evenhand.workflows") / "evenhand.toml").read_text(encoding="utf-8"))
    given = {"name": system.partition(":")[0], "spec": system, "suite": suite, "target": code(target)}
    write_text(path, template.substitute({key: json.dumps(text, ensure_ascii=False) for key, text in given.items()}))
