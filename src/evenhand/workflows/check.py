"""The gate for continuous integration: a run against limits, or against an earlier run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from types import MappingProxyType
from typing import ParamSpec

import polars as pl

from evenhand.errors import BadInput, Unknown
from evenhand.level import check_level
from evenhand.measures.decisions.gate import Check, Gate, NotShown, baseline_checks
from evenhand.measures.decisions.limits import Limit, check_limits, read_limits
from evenhand.measures.decisions.paired import comparable, invalid_shares
from evenhand.measures.definitions.direction import directed
from evenhand.results.runs import Run, load_run
from evenhand.statistics.measure import Measure
from evenhand.storage.tables import MOST_INVALID, count_decided
from evenhand.workflows.answered import check_newer
from evenhand.workflows.changed import (
    KEYS,
    Change,
    changed,
    read_accepted,
    sentence_checks,
    write_accepted,
)
from evenhand.workflows.compare import check_distinct, common_measures, compare, names_of, planned_margins

Asked = ParamSpec("Asked")


def gate(
    run: Run | Path | str,
    against: Run | Path | str,
    *,
    measures: Sequence[str] = (),
    margins: Mapping[str, float] = MappingProxyType({}),
    not_shown: NotShown | None = None,
    level: float | None = None,
    sentences: Change | None = None,
    accept: Path | str | None = None,
    allow_memory: bool = False,
) -> Gate:
    """A run held against limits (a TOML file) or a baseline run: every check, and what was not gated and why.

    Against a baseline a measure fails when it is shown to be worse in its own direction, as `compare` tests it; with a
    margin (given here, or fixed by the run's frozen plan), when it is not shown to be no worse by more than that.
    `measures` chooses what is gated, with a direction where you give one (`share_male:lower`); a measure without a
    direction is gated only by a margin, both ways. `not_shown` ("pass", "fail") decides what happens where the sample
    shows neither; by default it fails where a margin is given, and where the sample allows no test of anything, nothing
    is gated, which is an error. A run fails, too, when fewer than half as many renderings are decided as before, or
    when more than a tenth of its answers are no renderings at all.

    `sentences` gates single strings as well: one whose person was not male and is male now fails ("to-male"; likewise
    "to-female", "gendered", "any"), unless the source states that gender or the file `accept` has the change. Where the
    strings are not all the same as before, those that are get compared, and measures are not gated.

    Answers of a remote system that are not newer than the baseline's are refused, unless `allow_memory` is set.
    """
    checked = load_run(run)
    if not isinstance(against, Run) and Path(against).suffix == ".toml":
        if margins or sentences:
            raise BadInput("margins and sentences are held against an earlier run; a file of limits has none")
        return _limits(checked, Path(against), measures, not_shown)
    before = load_run(against)
    check_distinct([checked, before])
    if not allow_memory:
        check_newer(checked, before)
    margins = {**_planned(checked, measures), **margins}
    alike = checked.manifest.suite.hash == before.manifest.suite.hash
    if sentences is None:
        return _measures(checked, before, measures=measures, margins=margins, not_shown=not_shown, level=level)
    accepted = None if accept is None else read_accepted(Path(accept))
    strings = _strings(checked, before, sentences, accepted)
    if alike or measures or margins:
        try:
            by_measure = _measures(
                checked, before, measures=measures, margins=margins, not_shown=not_shown, level=level
            )
        except NothingGated as error:
            by_measure = Gate(_invalid(checked), error.left)
    else:
        by_measure = Gate(_invalid(checked), {"measures": "the runs are of different sentences"})
    return Gate([*by_measure.checks, *strings.checks], by_measure.not_gated, strings.notes)


def _planned(run: Run, measures: Sequence[str]) -> dict[str, float]:
    """The margins of the run's frozen plan, where measures are chosen those of them."""
    asked = {directed(spec).name for spec in measures}
    return {name: size for name, size in planned_margins([run]).items() if not asked or name in asked}


class NothingGated(BadInput):
    """No measure of two runs can be gated; `left` says why for each."""

    def __init__(self, left: dict[str, str]) -> None:
        self.left = left
        reasons = "; ".join(f"{name}: {why}" for name, why in left.items())
        super().__init__(f"nothing can be gated ({reasons or 'the runs have no measure in common'})")


def _measures(
    run: Run,
    before: Run,
    *,
    measures: Sequence[str],
    margins: Mapping[str, float],
    not_shown: NotShown | None,
    level: float | None,
) -> Gate:
    pair = (run, before)
    gated, left = _chosen(pair, measures, margins)
    if not gated:
        raise NothingGated(left)
    level = run.manifest.level if level is None else check_level(level)
    asked = {name: margins.get(name, 0.0) for name in gated}
    comparison = compare(pair, measures=list(gated.values()), margins=asked, level=level)
    checks = baseline_checks(comparison, *names_of(pair), level=level, not_shown=not_shown)
    if not comparison.unranked and (undecided := _decided(run, before)):
        return Gate([*undecided, *checks], left)
    untested = {check.name: check.told for check in checks if check.outcome == "not shown" and check.at_most is None}
    if not_shown is None and checks and len(untested) == len(checks):
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
    changes = changed(run, before, change)
    gone = 0 if accepted is None else accepted.join(changes.table, on=KEYS, how="anti").height
    checks = sentence_checks(changes, change, accepted)
    passed = sum(check.passed for check in checks)
    words = f"{changes.words}, {passed:,} of them accepted" if passed else changes.words
    stale = [f"{gone:,} accepted changes do not occur any more: they can be taken out of the file"] if gone else []
    return Gate(checks, notes=[words, *stale])


def _failures_of(gating: Callable[Asked, Gate]) -> Callable[Asked, list[str]]:
    """The same question, answered with the failures alone."""

    @wraps(gating)
    def check(*given: Asked.args, **options: Asked.kwargs) -> list[str]:
        return gating(*given, **options).failures

    check.__name__ = check.__qualname__ = "check"
    check.__doc__ = "One line a failure of `gate`; an empty list means that the run passed."
    return check


check = _failures_of(gate)


def _limits(run: Run, path: Path, measures: Sequence[str], not_shown: NotShown | None) -> Gate:
    limits = read_limits(path)
    if measures:
        known = {limit.measure for limit in limits}
        unknown = [name for name in measures if name not in known]
        if unknown:
            raise Unknown(f"measure with a limit in {path}", unknown[0], sorted(known))
    taken = [limit for limit in limits if not measures or limit.measure in measures]
    left = {limit.where: "not asked for" for limit in limits if limit not in taken}
    return gate_limits(run, taken, left=left, not_shown=not_shown)


def gate_limits(
    run: Run, limits: Sequence[Limit], *, left: Mapping[str, str], not_shown: NotShown | None = None
) -> Gate:
    """A run held against limits that are read already; `left` are others that were left out, with the reason."""
    checks = check_limits(run.estimates, limits, level=run.manifest.level, not_shown=not_shown)
    measured = dict.fromkeys(m for m in run.estimates["measure"].to_list() if m not in {li.measure for li in limits})
    return Gate([*_invalid(run), *checks], {**dict.fromkeys(measured, "no limit"), **left})


def _invalid(run: Run) -> list[Check]:
    rule = f"at most {100 * MOST_INVALID:.0f} % of the answers are no renderings"
    return [
        Check(
            "answers",
            "",
            rule,
            "no renderings",
            False,
            f"{100 * share:.1f} % of the answers are no renderings at all; {rule}",
        )
        for share in invalid_shares({"run": run.answers}).values()
    ]


def _chosen(
    pair: Sequence[Run], measures: Sequence[str], margins: Mapping[str, float]
) -> tuple[dict[str, str], dict[str, str]]:
    """What is gated (name to how it was asked for), and of everything else why it is not."""
    common = common_measures(pair)
    asked = {directed(spec).name: spec for spec in measures}
    gated: dict[str, str] = {}
    left: dict[str, str] = {}
    for name in dict.fromkeys([*asked, *common, *margins]):
        measure = directed(asked.get(name, name))
        why = "not asked for" if asked and name not in asked else why_not_gated(measure, name in margins)
        if why:
            left[name] = why
        else:
            gated[name] = asked.get(name, name)
    refused = [name for name in (*asked, *margins) if name in left]
    if refused:
        raise BadInput(f"{refused[0]} cannot be gated: {left[refused[0]]}")
    return gated, left


def accept_changes(run: Run | Path | str, against: Run | Path | str, path: Path | str, *, sentences: Change) -> int:
    """Write every change of single strings that `gate` would fail into a file of accepted ones; how many are new."""
    return write_accepted(Path(path), changed(load_run(run), load_run(against), sentences))


def why_not_gated(measure: Measure, has_margin: bool) -> str:
    """Why a measure cannot be held against another run; "" where it can."""
    if not comparable(measure):
        return "no value for a whole run that is made of sums"
    if measure.better == "none" and not has_margin:
        return "no direction of its own (NAME:higher, :lower or :nearer=X gives one, a margin gates it both ways)"
    return ""
