"""The settings of an audit, each declared once for the command line, the project file, a frozen plan and Python:
`AskSettings` how a system is asked, `ScoreSettings` how its answers are judged, `Settings` both and the folder's."""

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from evenhand.detect import RULE
from evenhand.errors import BadInput
from evenhand.level import LEVEL, check_level
from evenhand.measures.calibration import Calibration
from evenhand.measures.decisions.gate import NotShown
from evenhand.measures.definitions.direction import margin
from evenhand.options import (
    CALIBRATION,
    CLUSTERS,
    FORMS,
    MEASURES,
    REFERENCES,
    Level,
    Option,
    OwnLevel,
    Refresh,
    Resamples,
    Seed,
)
from evenhand.references.reference import Reference
from evenhand.statistics.effective import RESAMPLES
from evenhand.statistics.measure import Measure
from evenhand.system_names import check_name
from evenhand.systems.agenda import Limits

AMeasure = str | Measure | type[Measure]  # by its name, or as it was defined
Change = Literal["to-male", "to-female", "gendered", "any"]
NEVER = "9999"  # later than every date: nothing in the memory is young enough
_AGE = re.compile(r"(\d+(?:\.\d+)?)\s*([hdw])")
_DAYS = {"h": 1 / 24, "d": 1.0, "w": 7.0}


def age(text: str) -> float:
    """Days of `12h`, `30d` or `2w`."""
    match = _AGE.fullmatch(text.strip())
    if match is None:
        raise BadInput(f"an age is written 12h, 30d or 2w, not {text!r}")
    return float(match[1]) * _DAYS[match[2]]


@dataclass(frozen=True, kw_only=True)
class AskSettings:
    """How a system is asked. `max_age` is in days; `limits` keeps below a service's own limits."""

    samples: Annotated[int, Option("samples per sentence, for systems that sample", "N", least=1)] = 1
    ask: Annotated[str, Option("request this gender: female, male, neutral, source (the gold one)", "GENDER")] = ""
    context: Annotated[str, Option("passages: whole, sentences, before (with those before)", "WAY")] = "whole"
    refresh: Refresh = False
    max_age: Annotated[float | None, Option("request again after 12h, 30d, 2w", "AGE", parse=age)] = None
    limits: Limits | None = None

    @property
    def since(self) -> str | None:
        """The date before which answers in the memory count as not there; None: all count."""
        if self.refresh:
            return NEVER
        if self.max_age is None:
            return None
        return (dt.datetime.now(dt.UTC) - dt.timedelta(days=self.max_age)).isoformat(timespec="seconds")


@dataclass(frozen=True, kw_only=True)
class SendSettings(AskSettings):
    """What is sent where: an audit's language, its translation memory, a price per million characters."""

    target: str
    price: Annotated[float | None, Option("price per million characters, any currency", "X", least=0)] = None
    memory: Path | str | None = None


@dataclass(frozen=True, kw_only=True)
class ScoreSettings:
    """How answers are judged and estimated; `measures` come to those of the suite, `clusters` replace its own."""

    seed: Seed = 0
    resamples: Resamples = RESAMPLES
    level: Level = LEVEL
    rule: Annotated[str, Option("pronoun rule: evenhand or cho2019", "RULE")] = RULE
    calibration: Annotated[Path | None, CALIBRATION] = None
    references: Annotated[tuple[str, ...], REFERENCES] = ()
    measures: Annotated[tuple[AMeasure, ...], MEASURES] = ()
    clusters: Annotated[tuple[str, ...], CLUSTERS] = ()

    def __post_init__(self) -> None:
        check_level(self.level)


@dataclass(frozen=True, kw_only=True)
class PlanSettings(AskSettings, ScoreSettings):
    """What a plan fixes besides suite, system and language."""


@dataclass(frozen=True, kw_only=True)
class Settings(PlanSettings):
    """How a run is made and scored. What changes its tables is in the signature.

    `name` is what the system is called in signature, tables and pages; `forms` a file of forms that people labelled, of
    which the run keeps a copy; `plan` a file of `plan --freeze` that the audit is compared with. `max_characters`
    refuses to start when more would be sent; `replace` lets the output folder's run of something else be replaced.
    """

    name: Annotated[str, Option("name of the system (default: its spec)", "NAME")] = ""
    forms: Annotated[Path | None, FORMS] = None
    plan: Annotated[Path | None, Option("a plan of `plan --freeze`; names suite, system and target", "FILE")] = None
    max_characters: Annotated[int | None, Option("refuse to send more characters", "N", least=0)] = None
    replace: Annotated[bool, Option("replace a run of another suite or system in the folder")] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.name:
            check_name(self.name)


@dataclass(frozen=True, kw_only=True)
class RescoreSettings:
    """What changes where a run is scored again; everything else stays as the run has it, except what `drop` names.
    `detect` judges the renderings again first, by the run's own rule and with the labelled forms: the file `forms`, or
    those in the run's folder. The result is written only where `output` says."""

    seed: Seed | None = None
    resamples: Resamples | None = None
    level: OwnLevel = None
    measures: Annotated[Sequence[AMeasure], MEASURES] = ()
    clusters: Annotated[Sequence[str], CLUSTERS] = ()
    detect: Annotated[bool, Option("first judge the renderings again with the current detector")] = False
    forms: Annotated[Path | str | None, FORMS] = None
    calibration: Annotated[Calibration | Path | str | None, CALIBRATION] = None
    references: Annotated[Sequence[Reference | str], REFERENCES] = ()
    drop: Annotated[Sequence[str], Option("leave out references, calibration or measures (repeatable)", "PART")] = ()
    output: Path | str | None = None


@dataclass(frozen=True, kw_only=True)
class CompareSettings:
    """Which measures of two runs are compared, and by how much one may be worse; `level` None is the run's own."""

    measures: Annotated[
        Sequence[str],
        Option("only this measure; WAY: higher, lower or nearer=X (repeatable)", "NAME[:WAY]", "--measure"),
    ] = ()
    margins: Annotated[
        Mapping[str, float],
        Option("test no worse by more than D: P_S=0.02, accuracy=2%", "NAME=D", "--margin", parse=margin),
    ] = field(default_factory=dict)
    level: OwnLevel = None


@dataclass(frozen=True, kw_only=True)
class GateSettings(CompareSettings):
    """What a run must keep compared with an earlier one; `sentences` is the change of a single string that fails."""

    not_shown: Annotated[NotShown | None, Option("where the data cannot say (default: fail with a margin)")] = None
    accept: Annotated[Path | str | None, Option("accepted changes of strings (TSV)", "FILE")] = None
    allow_memory: Annotated[bool, Option("gate remote answers that are not newer than the baseline's")] = False
    sentences: Change | None = None
