"""The gate for continuous integration: a run against limits, against an earlier run, or against all earlier runs (one
error rate over the whole life of the gate, however often it runs); and single strings whose person's gender changed,
unless a line of a reviewed file accepts the change for that very rendering."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput, Unknown
from evenhand.gender import Gender
from evenhand.level import check_level
from evenhand.measures.decisions.gate import Check, Gate, NotShown, baseline_checks
from evenhand.measures.decisions.history import follow, history_checks
from evenhand.measures.decisions.limits import Limit, check_limits, read_limits
from evenhand.measures.decisions.margins import INCONCLUSIVE
from evenhand.measures.decisions.paired import comparable, invalid_shares
from evenhand.measures.definitions.direction import directed
from evenhand.options import by_keywords
from evenhand.readers.layout import LINE, Column, Layout
from evenhand.readers.registry import read
from evenhand.results.runs import Run, load_run
from evenhand.statistics.measure import Measure
from evenhand.storage.atomic import write_text
from evenhand.storage.tables import GENDER, MOST_INVALID, count_decided
from evenhand.workflows.answer_dates import not_newer
from evenhand.workflows.board import Entered, enter
from evenhand.workflows.compare import (
    check_distinct,
    common_measures,
    compare,
    doubts,
    names_of,
    planned_margins,
    same_suite,
)
from evenhand.workflows.score import score
from evenhand.workflows.settings import Change, GateSettings

RULES: dict[Change, str] = {
    "to-male": "was not male and is male now",
    "to-female": "was not female and is female now",
    "gendered": "was neutral or both and is female or male now",
    "any": "has another gender now",
}
KEYS = ("id", "sample", "now", "rendering")  # what identifies an accepted change
COLUMNS = (
    Column("id", required=True, filled=True),
    Column("sample", type=pl.UInt16(), default=0, means="a whole number"),
    *(Column(name, type=GENDER, required=True, filled=True) for name in ("was", "now")),
    Column("rendering", required=True),
    Column("note"),
)
ACCEPTED = Layout("accepted change", COLUMNS, some=False, notes="anywhere", gaps=True)
HEAD = tuple(column.name for column in COLUMNS)


@by_keywords(GateSettings)
def gate(run: Run | Path | str, against: Run | Path | str, settings: GateSettings) -> Gate:
    """Compare a run with limits (a TOML file) or a baseline run: every check, and what was not gated and why.

    Against a baseline a measure fails when it is significantly worse in its own direction, as `compare` tests it; with
    a margin (given here, or fixed by the run's frozen plan), unless it is confirmed to be no worse by more than that.
    `measures` chooses what is gated, with a direction where you give one (`share_male:lower`); a measure without a
    direction is gated only by a margin, both ways. `not_shown` ("pass", "fail") decides what happens where the data
    cannot say; by default that fails where a margin is given, and where the sample allows no test of anything, nothing
    is gated, which is an error. A run fails, too, when fewer than half as many renderings are decided as before, or
    when more than a tenth of its answers are unusable.

    `sentences` gates single strings as well: one whose person was not male and is male now fails ("to-male"; likewise
    "to-female", "gendered", "any"), unless the source states that gender or the file `accept` has the change. Where the
    strings are not all the same as before, those that are get compared, and measures are not gated.

    A run whose tables were edited, that has no renderings, or whose renderings are nearly all one text, does not pass:
    the gate lists it in `doubts`.

    Answers of a remote system that are not newer than the baseline's are refused, unless `allow_memory` is set.
    """
    run = load_run(run)
    limits = None if isinstance(against, Run) or Path(against).suffix != ".toml" else Path(against)
    before = None if limits else load_run(against)
    doubted = doubts([run] if before is None else [run, before])
    if not run.answers.height or (before is not None and not before.answers.height):
        return Gate([], doubts=doubted)
    if before is not None:
        return replace(_against(run, before, settings), doubts=doubted)
    if settings.margins or settings.sentences:
        raise BadInput("margins and sentences need an earlier run to compare with; a file of limits has none")
    return replace(_limits(run, Path(str(limits)), settings), doubts=doubted)


def _against(run: Run, before: Run, settings: GateSettings) -> Gate:
    measures, sentences = settings.measures, settings.sentences
    check_distinct([run, before])
    old = "" if settings.allow_memory else not_newer(run, before)
    if old:  # the translation memory would answer as it did then
        raise BadInput(f"{old} Audit with --refresh or --max-age 1d, or give --allow-memory.")
    chosen = {directed(spec).name for spec in measures}
    planned = {name: size for name, size in planned_margins([run]).items() if not chosen or name in chosen}
    settings = replace(settings, margins={**planned, **settings.margins})
    if sentences is None:
        return _measures(run, before, settings)
    accepted = None if settings.accept is None else read_accepted(Path(settings.accept))
    strings = _strings(run, before, sentences, accepted)
    left = {"measures": "the runs are of different sentences"}
    if run.manifest.suite.hash == before.manifest.suite.hash or measures or settings.margins:
        try:
            by_measure = _measures(run, before, settings)
            return Gate([*by_measure.checks, *strings.checks], by_measure.not_gated, strings.notes)
        except NothingGated as error:
            left = error.left
    return Gate([*_invalid(run), *strings.checks], left, strings.notes)


class NothingGated(BadInput):
    """No measure of two runs can be gated; `left` says why for each."""

    def __init__(self, left: dict[str, str]) -> None:
        self.left = left
        reasons = "; ".join(f"{name}: {why}" for name, why in left.items())
        super().__init__(f"nothing can be gated ({reasons or 'the runs have no measure in common'})")


def _measures(run: Run, before: Run, settings: GateSettings) -> Gate:
    same_suite(run, before)
    pair, margins = (run, before), settings.margins
    gated, left = _chosen(pair, settings.measures, margins)
    if not gated:
        raise NothingGated(left)
    level = run.manifest.level if settings.level is None else check_level(settings.level)
    sizes = {name: margins.get(name, 0.0) for name in gated}
    comparison = compare(pair, measures=list(gated.values()), margins=sizes, level=level)
    checks = baseline_checks(comparison, *names_of(pair), level=level, not_shown=settings.not_shown)
    if not comparison.unranked and (undecided := _decided(run, before)):
        return Gate([*undecided, *checks], left)
    untested = {check.name: check.told for check in checks if check.outcome == INCONCLUSIVE and check.at_most is None}
    if settings.not_shown is None and checks and len(untested) == len(checks):
        raise NothingGated(untested)
    return Gate(checks, left)


def _decided(run: Run, before: Run) -> list[Check]:
    """A failure where fewer than half as many renderings are decided as before: measures of the rest say little."""
    now, then = count_decided(run.answers), count_decided(before.answers)
    if 2 * now * before.answers.height >= then * run.answers.height:
        return []
    told = f"{now:,} of {run.answers.height:,} renderings are decided, before {then:,} of {before.answers.height:,}"
    return [Check("answers", "", "at least half as many are decided as before", "undecided", passed=False, told=told)]


def _strings(run: Run, before: Run, change: Change, accepted: pl.DataFrame | None) -> Gate:
    """A check per change of a single string, which fails unless it is accepted."""
    changes, checks = changed(run, before, change), []
    known = set() if accepted is None else set(accepted.select(KEYS).iter_rows())
    for row in changes.table.iter_rows(named=True):
        passed, turn = tuple(row[key] for key in KEYS) in known, "{was} to {now}".format_map(row)
        told = "{}: “{before}” is now “{rendering}” ({source})".format(turn, **row)
        name = row["id"] if not row["sample"] else f"{row['id']} #{row['sample']}"
        checks.append(Check("sentence", name, RULES[change], "accepted" if passed else turn, passed, told))
    many = sum(check.passed for check in checks)
    gone = 0 if accepted is None else accepted.join(changes.table, on=KEYS, how="anti").height
    words = f"{changes.words}, {many:,} of them accepted" if many else changes.words
    stale = [f"{gone:,} accepted changes do not occur any more: remove them from the file"] if gone else []
    return Gate(checks, notes=[words, *stale])


@by_keywords(GateSettings)
def check(run: Run | Path | str, against: Run | Path | str, settings: GateSettings) -> list[str]:
    """One line per failure of `gate`; an empty list means that the run passed."""
    return gate(run, against, **vars(settings)).failures


def _limits(run: Run, path: Path, settings: GateSettings) -> Gate:
    limits, measures = read_limits(path), settings.measures
    known = {limit.measure for limit in limits}
    unknown = [name for name in measures if name not in known]
    if unknown:
        raise Unknown(f"measure with a limit in {path}", unknown[0], sorted(known))
    taken = [limit for limit in limits if not measures or limit.measure in measures]
    left = {limit.where: "not asked for" for limit in limits if limit not in taken}
    if settings.level not in (None, run.manifest.level):
        run = score(run, level=settings.level)  # limits look at the run's own intervals
    return gate_limits(run, taken, left=left, not_shown=settings.not_shown)


def gate_limits(
    run: Run, limits: Sequence[Limit], *, left: Mapping[str, str], not_shown: NotShown | None = None
) -> Gate:
    """Compare a run with limits that are read already; `left` are others that were left out, with the reason."""
    checks = check_limits(run.estimates, limits, level=run.manifest.level, not_shown=not_shown)
    limited = {limit.measure for limit in limits}
    others = run.estimates["measure"].filter(~run.estimates["measure"].is_in(limited)).unique(maintain_order=True)
    return Gate([*_invalid(run), *checks], {**dict.fromkeys(others, "no limit"), **left})


def _invalid(run: Run) -> list[Check]:
    rule, shares = f"at most {100 * MOST_INVALID:.0f} % may be unusable", invalid_shares({"": run.answers}).values()
    told = (f"{100 * share:.1f} % of the answers are unusable; {rule}" for share in shares)
    return [Check("answers", "", rule, "no renderings", False, line) for line in told]


def _chosen(
    pair: Sequence[Run], measures: Sequence[str], margins: Mapping[str, float]
) -> tuple[dict[str, str], dict[str, str]]:
    """What is gated (name to how it was given), and of everything else why it is not."""
    given = {directed(spec).name: spec for spec in measures}
    every = {name: given.get(name, name) for name in dict.fromkeys([*given, *common_measures(pair), *margins])}
    left = {
        name: why
        for name, spec in every.items()
        if (why := "not asked for" if given and name not in given else why_not_gated(directed(spec), name in margins))
    }
    refused = [name for name in (*given, *margins) if name in left]
    if refused:
        raise BadInput(f"{refused[0]} cannot be gated: {left[refused[0]]}")
    return {name: spec for name, spec in every.items() if name not in left}, left


def gate_history(
    run: Run | Path | str, places: Sequence[Path | str], settings: GateSettings
) -> tuple[Gate, pl.DataFrame]:
    """Gate a run by all earlier runs of its suite, system and language in these folders: the gate and the sequence.
    Over all nights and measures together, an alarm without a change has a chance of one minus the level."""
    run = load_run(run)
    earlier = _earlier(run, places)
    runs = [*(Run.load(one.folder) for one in earlier), run]
    level = run.manifest.level if settings.level is None else check_level(settings.level)
    measures = {m.name: m for m in map(directed, settings.measures or common_measures(runs))}
    left = {name: why for name, m in measures.items() if (why := why_not_gated(m, has_margin=bool(settings.measures)))}
    gated = {name: m for name, m in measures.items() if name not in left}
    if not gated:
        raise BadInput(f"no series can be compared: {'; '.join(f'{name}: {why}' for name, why in left.items())}")
    dates = [one.date for one in earlier] + [run.manifest.created]
    tables = {f"{date[:10]} #{n}": one.table for n, (date, one) in enumerate(zip(dates, runs, strict=True), start=1)}
    clusters = tuple(dict.fromkeys(c for one in runs for c in one.manifest.suite.clusters))
    groupings = run.manifest.suite.groupings
    sequence = follow(tables, clusters=clusters, measures=list(gated.values()), level=level, groupings=groupings)
    return Gate(history_checks(sequence, gated, level=level), left), sequence


def _earlier(run: Run, places: Sequence[Path | str]) -> list[Entered]:
    """The runs of the same sentences through the same system, oldest first, without this one."""
    info, here = run.manifest, run.path.resolve() if run.path else None
    wanted = (info.suite.name, info.suite.hash, info.target_lang)
    entered, _ = enter(places)
    same = [one for one in entered if one.group == wanted and one.manifest.system_name == info.system_name]
    earlier = [one for one in same if one.folder.resolve() != here]
    if not earlier:
        line = f"{info.suite.name} through {info.system_name} into {info.target_lang}"
        raise BadInput(f"{', '.join(map(str, places))}: no earlier run of {line}")
    return earlier


def accept_changes(run: Run | Path | str, against: Run | Path | str, path: Path | str, *, sentences: Change) -> int:
    """Write every change of single strings that `gate` would fail into a file of accepted ones; how many are new."""
    return write_accepted(Path(path), changed(load_run(run), load_run(against), sentences))


def why_not_gated(measure: Measure, has_margin: bool) -> str:
    """Why a measure cannot be compared with another run; "" where it can."""
    if not comparable(measure):
        return "no value over a whole run"
    if measure.better == "none" and not has_margin:
        return "no direction (NAME:higher, :lower or :nearer=X gives one, a margin gates it both ways)"
    return ""


@dataclass(frozen=True)
class Changed:
    """The strings that two runs share: `table` has one row per change that the rule forbids, the others are counts
    (`stated`: changes to what the source states, which never fail)."""

    table: pl.DataFrame
    compared: int
    other: int
    undecided: int
    same_words: int
    stated: int

    @property
    def words(self) -> str:
        counts = {
            "in one of the runs only": self.other,
            "undecided in one of the runs": self.undecided,
            "changed to the gender that the source states": self.stated,
            "judged otherwise though their words are the same": self.same_words,
        }
        parts = [f"{count:,} {what}" for what, count in counts.items() if count]
        return ", ".join([f"{self.compared:,} strings compared", *parts, f"{self.table.height:,} changed as gated"])


def changed(run: Run, baseline: Run, change: Change) -> Changed:
    """The strings whose person's gender changed in the way that is gated; unknown is no gender and no change."""
    keys, gender = ["id", "sample", "source"], pl.col("gender").cast(pl.String)
    words = pl.col("rendering").fill_null("").str.replace_all(r"[\t\r\n]+", " ")
    gold = pl.col("gold").cast(pl.String) if "gold" in run.answers.columns else pl.lit(None, dtype=pl.String)
    before = baseline.answers.select(*keys, was=gender, before=words)
    now = run.answers.select(*keys, now=gender, rendering=words, gold=gold)
    both = now.join(before, on=keys, how="inner", maintain_order="left")
    if not both.height:
        raise BadInput("the two runs have no string in common (by id and source)")
    decided = both.filter((pl.col("was") != Gender.UNKNOWN.value) & (pl.col("now") != Gender.UNKNOWN.value))
    moved = decided.filter((pl.col("was") != pl.col("now")) & _gated(change))
    reworded = moved.filter(pl.col("before") != pl.col("rendering"))
    stated = pl.col("gold").eq_missing(pl.col("now"))
    table = reworded.filter(~stated).select(*keys, "was", "now", "before", "rendering")
    other, undecided = now.height + before.height - 2 * both.height, both.height - decided.height
    same_words, stated_ones = moved.height - reworded.height, reworded.height - table.height
    return Changed(table, both.height, other, undecided, same_words, stated_ones)


def _gated(change: Change) -> pl.Expr:
    now = pl.col("now")
    if change == "any":
        return pl.lit(value=True)
    if change == "gendered":
        return ~pl.col("was").is_in(["female", "male"]) & now.is_in(["female", "male"])
    return now == change.removeprefix("to-")


def read_accepted(path: Path) -> pl.DataFrame:
    """The accepted changes of a file: id, sample, was, now, rendering, note."""
    if not path.exists():
        raise BadInput(f"{path}: no such file of accepted changes; --accept-new writes one to review")
    rows = read(path, ACCEPTED).drop(LINE)
    note = pl.col("note").fill_null("") if "note" in rows.columns else pl.lit("")
    return rows.with_columns(pl.col("was", "now").cast(pl.String), note=note).select(HEAD)


def write_accepted(path: Path, changes: Changed) -> int:
    """Accept every change: lines of the file that still occur stay as they are; how many new ones came to them."""
    earlier = read_accepted(path) if path.exists() else pl.DataFrame(schema=dict.fromkeys(HEAD, pl.String))
    earlier = earlier.with_columns(pl.col("sample").cast(pl.UInt16))
    current = changes.table.with_columns(note=pl.lit("")).select(HEAD)
    kept = earlier.join(current.select(KEYS), on=KEYS, how="semi", maintain_order="left")
    added = current.join(earlier.select(KEYS), on=KEYS, how="anti", maintain_order="left")
    rows = pl.concat([kept, added]).sort("id", "sample", maintain_order=True)
    lines = ["# reviewed and accepted changes of a person's gender; give the reason in note"]
    lines += ["\t".join(HEAD), *("\t".join(map(str, row)) for row in rows.iter_rows())]
    write_text(path, "\n".join(lines) + "\n")
    return added.height
