"""Plans that are fixed before anything is sent: a TOML file with a hash of its own content. An audit made with it
refuses another suite, system or language, and says every other deviation, and answers older than the plan."""

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from evenhand._version import __version__
from evenhand.errors import BadInput, Unknown
from evenhand.languages import code
from evenhand.notes import Note, NoteKind
from evenhand.readers.toml_tables import read_toml
from evenhand.storage.atomic import write_text
from evenhand.storage.manifests import check_types
from evenhand.storage.tables import ALL
from evenhand.suites.suite import Suite
from evenhand.systems.agenda import Plan
from evenhand.systems.protocol import Answer, System, fingerprint_of
from evenhand.workflows.probes import prepare
from evenhand.workflows.score import measures_of
from evenhand.workflows.settings import PlanSettings, Settings

FIXED = ("level", "rule", "samples", "seed", "resamples", "references")  # the settings that a plan holds as they are
FILE = "plan.toml"  # its name in a run folder
HEAD = "# A plan of Evenhand, frozen before the audit. A change after that is detected by the hash.\n"


@dataclass(frozen=True)
class Frozen:
    """What was planned. `known`: how many of the `texts` were already answered; `asked`: how suite and system were
    named on the command line, so that an audit need not name them again."""

    frozen: str
    evenhand: str
    texts: int
    known: int
    suite: dict[str, str]
    system: dict[str, str]
    target: str
    settings: dict[str, object]
    measures: list[str]
    confirmatory: list[str]
    margins: dict[str, float]
    asked: dict[str, str | list[str]] = field(default_factory=dict)

    @property
    def hash(self) -> str:
        return str(self.content()["hash"])

    def content(self) -> dict[str, object]:
        """The plan with its hash, as the file and a run's manifest hold it."""
        fixed = {name: value for name, value in asdict(self).items() if value or name != "asked"}
        text = json.dumps(fixed, sort_keys=True, ensure_ascii=False)
        return {"hash": sha256(text.encode()).hexdigest()[:16], **fixed}

    def applied(self, settings: Settings) -> Settings:
        """The settings with those of the plan wherever nothing else was asked for."""
        usual, planned = Settings(), {name: self.settings[name] for name in FIXED} | {"measures": self.measures}
        lists = {name: tuple(value) for name, value in planned.items() if isinstance(value, list)}
        changed = {n: value for n, value in (planned | lists).items() if getattr(settings, n) == getattr(usual, n)}
        return replace(settings, **changed)  # type: ignore[arg-type]  # values of a file whose hash was checked

    def deviations(self, suite: Suite, system: System, target: str, settings: Settings) -> tuple[str, ...]:
        """What differs from the plan, one phrase each; another suite, system or language is refused."""
        asked = {"suite": _suite(suite), "system": {"name": system.name}, "target": {"language": code(target)}}
        planned = {"suite": self.suite, "system": {"name": self.system["name"]}, "target": {"language": self.target}}
        for what, values in asked.items():
            if values != planned[what]:
                this, plan = (" ".join(some.values()) for some in (values, planned[what]))
                raise BadInput(f"the plan {self.hash} is for {what} {plan}, this audit is of {this}. Nothing was sent.")
        differing = [
            f"{name} is {now} and was planned as {self.settings.get(name)}"
            for name, now in _settings(settings).items()
            if now != self.settings.get(name)
        ]
        if fingerprint_of(system, suite.source_lang, code(target)) != self.system["fingerprint"]:
            differing.append(f"{system.name} is another version than the one planned with")
        measures = measures_of(suite, settings.measures)
        differing += [f"{name} was planned and is not measured" for name in self.measures if name not in measures]
        differing += [f"{name} is measured and was not planned" for name in measures if name not in self.measures]
        return tuple(differing)


def freeze(
    path: Path,
    *,
    suite: Suite,
    system: System,
    target: str,
    settings: PlanSettings,
    sending: Plan,
    confirmatory: Sequence[str],
    margins: Mapping[str, float],
    asked: Mapping[str, str | list[str]] = MappingProxyType({}),
) -> Frozen:
    """Write a plan; `confirmatory` are MEASURE (the whole run, and comparisons of runs) or MEASURE:GROUP. A file that
    is there is never replaced: a plan that could be written twice would fix nothing."""
    probed = prepare(suite, system, target=target, asking=settings).suite
    measures = measures_of(probed, settings.measures)
    if not confirmatory:
        raise BadInput("a plan must name what it confirms: give --confirm MEASURE or --confirm MEASURE:GROUP")
    groups = [grouping.name for grouping in probed.groupings]
    for measure, group in (*map(split, confirmatory), *((name, ALL) for name in margins)):
        if measure not in measures:
            raise Unknown("measure of this plan", measure, measures)
        if group not in (ALL, *groups):
            raise Unknown(f"grouping of suite {probed.name}", group, groups)
    now, known = dt.datetime.now(dt.UTC), sending.texts if system.name.startswith("file:") else sending.memory_hits
    answering = {"name": system.name, "fingerprint": fingerprint_of(system, probed.source_lang, code(target))}
    plan = Frozen(
        *(now.isoformat(timespec="seconds"), __version__, sending.texts, known),
        *(_suite(probed), answering, code(target), _settings(settings)),
        measures=measures,
        confirmatory=list(dict.fromkeys(confirmatory)),
        margins=dict(margins),
        asked=dict(asked),
    )
    if path.exists():
        raise BadInput(f"{path} exists, and a frozen plan is never replaced. Name another file. Nothing was written.")
    write_plan(path, plan)
    return plan


def write_plan(path: Path, plan: Frozen) -> None:
    """The plan as a file that people can read: plain values first, then tables; JSON's values are TOML's too."""

    tables = {key: value for key, value in plan.content().items() if isinstance(value, dict)}
    plain = {key: value for key, value in plan.content().items() if key not in tables}
    lines = []
    for key, values in {"": plain, **tables}.items():
        lines += [f"\n[{key}]"] if key else []
        lines += [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in values.items()]
    write_text(path, HEAD + "\n".join(lines) + "\n")


def read_plan(path: Path) -> Frozen:
    """The plan of a file; refused when its content is not what was frozen."""
    content = read_toml(path)
    fields = {key: value for key, value in content.items() if key != "hash"}
    none = f"{path}: not a frozen plan of Evenhand; `evenhand plan --freeze FILE` makes one"
    if set(fields) | {"asked"} != set(Frozen.__dataclass_fields__):
        raise BadInput(none)
    plan = Frozen(**fields)  # type: ignore[arg-type]  # checked by the next lines
    try:
        check_types(plan)
        now = plan.hash
    except (TypeError, ValueError) as error:  # ValueError: half a character has no hash
        raise BadInput(f"{none} ({error})") from error
    if now != content.get("hash"):
        raise BadInput(
            f"{path} was changed after it was frozen: its hash is {now}, and {content.get('hash')} was frozen. "
            "Freeze a new plan, or use the one that was frozen."
        )
    return plan


def split(entry: str) -> tuple[str, str]:
    """Measure and group of MEASURE or MEASURE:GROUP."""
    measure, _, group = entry.partition(":")
    return measure, group or ALL


def too_late(plan: Frozen, answers: Sequence[Answer]) -> tuple[Note, ...]:
    """A note where answers came before the plan: by what was known when it was frozen, or by their own dates."""
    older = sorted(a.asked_at for a in answers if a.asked_at is not None and a.asked_at < plan.frozen)
    count, facts = plan.known, f"{plan.known:,} of {plan.texts:,} were known when it was frozen"
    if older and not plan.known:
        count, facts = len(older), f"{len(older):,} of {len(answers):,} are older, the oldest of {older[0]}"
    return (Note(f"the plan was made after the answers: {facts}", NoteKind.LATE, count),) if count else ()


def _suite(suite: Suite) -> dict[str, str]:
    return {"name": suite.name, "version": suite.version, "hash": suite.hash}


def _settings(settings: PlanSettings) -> dict[str, object]:
    """What changes a run's numbers, in words that TOML can hold."""
    calibration = sha256(settings.calibration.read_bytes()).hexdigest()[:16] if settings.calibration else "none"
    values = {name: getattr(settings, name) for name in FIXED}
    return {**values, "references": list(settings.references), "calibration": calibration}
