"""The pages of a board: the first one, a page per language, system and run, sentences side by side, method."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite

import polars as pl

from evenhand._version import __version__
from evenhand.level import interval_words
from evenhand.measures.decisions.pooled import POOLED
from evenhand.measures.decisions.ranking import ranks_of
from evenhand.measures.definitions.direction import directed
from evenhand.report.board.contents import Contents, Extract, Group, better, overall
from evenhand.report.charts.basic import axis_of, panels
from evenhand.report.charts.figure import Heading
from evenhand.report.exchange.spreadsheet import csv_table
from evenhand.report.pages.page import badness_of, capital, drawn, estimate_rows, render
from evenhand.report.pages.sentences import Example
from evenhand.report.words.glossary import used
from evenhand.report.words.tables import pooled_words
from evenhand.report.words.vocabulary import change_unit, language, show, show_p, span, wording
from evenhand.storage.tables import ALL, ESTIMATES, MOST_INVALID
from evenhand.workflows.board import Record, Value

OF = ("suite", "suite_version", "source_lang", "target_lang", "system", "run", "date")
VALUES = ("value", "low", "high", "n", "n_decided", "n_valid", "n_clusters", "bounds_low", "bounds_high", "interval")
OVERALL = (*OF, "measure", *VALUES, "rank", "rank_to", "letters", "invalid_share")
TESTS = ("suite", "target_lang", "measure", "first", "second", "value", "low", "high", "p", "p_adjusted", "ranking_p")
CHANGES = ("measure", "from", "to", "change", "low", "high", "p", "p_adjusted", "changed", "before", "after")


def tables(contents: Contents, *, pages: Sequence[str]) -> dict[str, str]:
    """The text of each file by its name; board.json names the `pages` too."""
    runs = [run.columns | {"detector": run.info.detector, "signature": run.signature} for run in contents.runs]
    numbers = [r.columns | row | {"signature": r.signature} for r in contents.runs for row in r.estimates]
    places = [({"suite": suite, "target_lang": target}, group) for (suite, _, target), group in contents.groups.items()]
    tests = [{**place, **test} for place, group in places for test in group.ranked.tests]
    changes = [
        {**place, "system": system, **change}
        for place, group in places
        for system, steps in group.changes.items()
        for change in steps
    ]
    results: dict[str, tuple[Sequence[Record], tuple[str, ...]]] = {
        "overall": (list(_overall(contents)), OVERALL),
        "numbers": (numbers, (*OF, *ESTIMATES, "signature")),
        "tests": (tests, (*TESTS, "n", "reading", "family", "note")),
        "changes": (changes, ("suite", "target_lang", "system", *CHANGES)),
        "pooled": (contents.pooled, tuple(POOLED)),
        "runs": (runs, (*OF, "detector", "signature")),
    }
    made = {
        f"{name}.csv": csv_table(pl.DataFrame(rows, schema=dict.fromkeys(columns), infer_schema_length=None))
        for name, (rows, columns) in results.items()
    }
    whole: dict[str, object] = {"evenhand": __version__}
    whole |= {name: rows for name, (rows, _) in results.items() if name != "numbers"}
    whole["estimates"] = {run.key: run.estimates for run in contents.runs}
    whole["files"] = sorted([*pages, *made, "board.json"])
    made["board.json"] = json.dumps(whole, ensure_ascii=False, allow_nan=False) + "\n"
    return made


def _overall(contents: Contents) -> Iterator[Record]:
    """Every value over a whole run, with its rank if the run is its system's last."""
    for group, run in contents.grouped:
        for measure, row in overall(run).items():
            rank = group.rank(run, measure) or {}
            ranked = {name: rank.get(name) for name in ("rank", "rank_to", "letters") if rank}
            values = {name: row[name] for name in VALUES} | ranked
            share = group.ranked.unranked.get(run.system)
            yield run.columns | {"measure": measure} | values | {"invalid_share": share}


WIDTH = 150  # of the scale beside a value, in pixels
MARGIN = 6
MANY = 20  # values of a chart from which its rows are narrower
DRAWN = 400  # cells of a table up to which each has its value and interval drawn


def _order(group: Group, measure: str) -> list[str]:
    """The systems of a group by rank; those without one come last."""
    ranked = [system for name, system in group.ranks if name == measure]
    others = [system for system in group.current if system not in ranked]
    return [*ranked, *sorted(others, key=lambda name: (name in group.ranked.unranked, name.casefold()))]


def _ranking(contents: Contents, group: Group, measure: str) -> dict[str, object]:
    """One measure of a group as a template prints it, the best system first."""
    words, order = wording(measure), _order(group, measure)
    scale = Scale.of([overall(group.current[system])[measure] for system in order])
    return {
        "title": words.title,
        "explanation": words.explanation,
        "better": better(measure),
        "interval": interval_words(*(run.info.level for run in group.current.values())),
        "rows": [row_of(contents, group, group.current[system], measure, scale) for system in order],
    }


@dataclass(frozen=True)
class Scale:
    """From the smallest to the largest end of a measure's intervals."""

    start: float
    end: float

    @classmethod
    def of(cls, estimates: Sequence[Mapping[str, Value]]) -> Scale:
        ends = [number(row[name]) for row in estimates for name in ("value", "low", "high")]
        known = [end for end in ends if end is not None]
        return cls(min(known, default=0.0), max(known, default=1.0))

    def marks(self, estimate: Mapping[str, Value]) -> dict[str, float] | None:
        """Where a value and its interval lie on the scale, in pixels; None without a value."""
        value = number(estimate["value"])
        if value is None or self.start == self.end:
            return None
        ends = {name: number(estimate[name]) for name in ("value", "low", "high")}
        return {name: self._place(value if end is None else end) for name, end in ends.items()}

    def _place(self, value: float) -> float:
        return round(MARGIN + (WIDTH - 2 * MARGIN) * (value - self.start) / (self.end - self.start), 1)


def number(value: Value) -> float | None:
    return float(value) if isinstance(value, int | float) and isfinite(value) else None


def row_of(
    contents: Contents, group: Group, run: Extract, measure: str, scale: Scale | None = None
) -> dict[str, object]:
    """One run's value of a measure as a template prints it, with its rank if it is its system's last run."""
    unit, estimate = wording(measure).unit, overall(run)[measure]
    rank, share = group.rank(run, measure), group.ranked.unranked.get(run.system)
    return {
        "system": run.system,
        "system_page": contents.pages["system", run.system],
        "run_page": contents.pages["run", run.key],
        "where": language(run.target_lang),
        "rank": ranks_of(rank, "–") if rank else "–",
        "letters": rank["letters"] if rank else "",
        "shown": show(estimate["value"], unit),
        "interval": span(estimate["low"], estimate["high"], unit),
        "valid": _of(estimate["n_valid"], estimate["n"]),
        "decided": _of(estimate["n_decided"], estimate["n"]),
        "marks": scale.marks(estimate) if scale else None,
        "remark": f"not ranked: {100 * share:.1f} % of its answers are unusable" if share is not None else "",
    }


def _of(part: Value, whole: Value) -> str:
    return f"{part:,} of {whole:,}" if isinstance(part, int) and isinstance(whole, int) and whole else "–"


def matrix(contents: Contents, groups: Sequence[Group]) -> dict[str, object]:
    """One suite on the first page: its groups side by side by the first measure they share, systems in the order of
    `_ordered`."""
    lead = next((m for m in groups[0].measures if all(m in group.measures for group in groups)), None)
    groups = sorted(groups, key=lambda group: language(group.any.target_lang))
    runs = [run for group in groups for run in group.current.values()]
    scale = Scale.of([overall(run)[lead] for run in runs]) if lead and len(runs) <= DRAWN else None
    ordered, title = _ordered(groups, lead), contents.suite_title(groups[0])
    rows = []
    for *_, name in ordered:
        runs_of = [(group, group.current.get(name)) for group in groups]
        cells = [row_of(contents, group, run, lead, scale) if run and lead else None for group, run in runs_of]
        rows.append((name, contents.pages["system", name], cells))
    codes = [group.any.target_lang for group in groups]
    return {
        "title": title,
        "finding": _finding(title, ordered, lead, len(codes)),
        "summary": groups[0].any.info.suite.summary,
        "explanation": _explained(lead) if lead else "Its runs have no measure in common.",
        "interval": interval_words(*(run.info.level for run in runs)),
        "drawn": scale is not None and scale.start < scale.end,
        "lettered": any(cell["letters"] for *_, cells in rows for cell in cells if cell),
        "languages": [(language(code), contents.pages["language", code]) for code in codes],
        "rows": rows,
    }


def _ordered(groups: Sequence[Group], lead: str | None) -> list[tuple[float, float, str]]:
    """Systems in the order of their mean rank, then of their mean value (smaller is better), each with its name; those
    without a rank come last."""
    made = []
    for system in sorted({name for group in groups for name in group.current}, key=str.casefold):
        runs = [(group, group.current[system]) for group in groups if lead and system in group.current]
        ranks = [rank["rank"] for group, run in runs if (rank := group.rank(run, lead or ""))]
        values = [overall(run)[lead]["value"] for _, run in runs] if lead and better(lead) else []
        badness = [badness_of(directed(lead or ""), value) for value in values]
        made.append((_mean([rank for rank in ranks if isinstance(rank, int)]), _mean(badness), system))
    return sorted(made, key=lambda row: row[:2])


def _finding(title: str, rows: Sequence[tuple[float, float, str]], lead: str | None, languages: int) -> str:
    """Who is first and who is last on a suite, by mean rank."""
    ranks = [rank for rank, _, _ in rows if isfinite(rank)]
    into = f" over {languages} languages" if languages > 1 else ""
    if not lead or len(ranks) < 2:
        return f"{len(rows)} {'system was' if len(rows) == 1 else 'systems were'} run on {title}{into}."
    ends = [[name for rank, _, name in rows if rank == end] for end in (min(ranks), max(ranks))]
    if min(ranks) == max(ranks):
        return f"On {title}, {wording(lead).title} ranks no system above another{into}."
    best, worst = (", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "") for names in ends)
    return f"On {title}, best by {wording(lead).title}{into}: {best}; worst: {worst}."


def _explained(measure: str) -> str:
    words, way = wording(measure), better(measure)
    return f"{words.title}: {words.explanation}." + (f" {capital(way)}." if way else "")


def _mean(numbers: Sequence[float]) -> float:
    """The mean; of nothing, more than anything: it comes last."""
    return sum(numbers) / len(numbers) if numbers else inf


def trends(contents: Contents, group: Group, system: str) -> Iterator[tuple[str, list[dict[str, object]]]]:
    """For each measure of a system with several dates: its title and the dates, oldest first."""
    runs = group.series[system]
    if len(runs) < 2:
        return
    for measure in (m for m in group.measures if all(m in overall(run) for run in runs)):
        words = wording(measure)
        scale = Scale.of([overall(run)[measure] for run in runs])
        steps = {str(c["after"]): c for c in group.changes.get(system, ()) if c["measure"] == measure}
        yield words.title, [_step(contents, run, measure, scale, steps.get(run.key)) for run in runs]


def _step(contents: Contents, run: Extract, measure: str, scale: Scale, change: Record | None) -> dict[str, object]:
    """One date: its value, how it differs from the date before, and whether the two were judged otherwise."""
    unit, estimate = wording(measure).unit, overall(run)[measure]
    return {
        "date": run.date or "undated",
        "run_page": contents.pages["run", run.key],
        "shown": show(estimate["value"], unit),
        "interval": span(estimate["low"], estimate["high"], unit),
        "marks": scale.marks(estimate),
        "change": show(change["change"], change_unit(unit)) if change else "",
        "p": show_p(number(change["p_adjusted"])) if change else "",
        "changed": bool(change and change["changed"]),
        "otherwise": bool(change and contents.judged_otherwise(change)),
    }


def left_out(contents: Contents) -> list[str]:
    """The systems that are in no ranking, group by group, with the reason."""
    most = f"{100 * MOST_INVALID:g} %"
    return [
        f"{system}, {contents.suite_title(group)} into {language(group.any.target_lang)}: {100 * share:.1f} % of its "
        f"answers are unusable (more than {most})"
        for group in contents.groups.values()
        for system, share in group.ranked.unranked.items()
    ]


TITLE = "Gender in translation: the board"


def pages(contents: Contents) -> Iterator[tuple[str, str]]:
    """File name and text of every page."""
    shared: dict[str, object] = {
        "language_pages": [(language(code), contents.pages["language", code]) for code in contents.languages],
        "numbers_only": contents.numbers_only,
        "version": __version__,
    }
    yield "index.html", render("board_index.html", shared | _index(contents))
    yield "method.html", render("board_method.html", shared | _method(contents))
    for code in contents.languages:
        yield contents.pages["language", code], render("board_language.html", shared | _language(contents, code))
    for system in contents.systems:
        yield contents.pages["system", system], render("board_system.html", shared | _system(contents, system))
    for group in contents.groups.values():
        if name := _sides(contents, group):
            yield name, render("board_sentences.html", shared | _sentences(contents, group))
    for group, run in contents.grouped:
        yield contents.pages["run", run.key], render("board_run.html", shared | _run(contents, group, run))


def _index(contents: Contents) -> dict[str, object]:
    matrices = [matrix(contents, groups) for groups in contents.suites.values()]
    return {
        "title": TITLE,
        "finding": " ".join(str(one["finding"]) for one in matrices[:1]) or "The board has no runs.",
        "pooled": [
            pooled_words(row) | {"page": contents.pages["system", str(row["system"])]} for row in contents.pooled
        ],
        "level": interval_words(*(run.info.level for run in contents.runs)),
        "matrices": matrices,
        "unranked": left_out(contents),
        "changed": _changed(contents),
        "others": contents.others,
    }


def _changed(contents: Contents) -> list[dict[str, object]]:
    """What changed over time: an entry for each step of a system, with all measures that changed."""
    steps: dict[tuple[Value, ...], list[tuple[str, str, str]]] = {}
    for group, system, change in contents.changed:
        words, suite = wording(str(change["measure"])), contents.suite_title(group)
        otherwise = contents.judged_otherwise(change)
        place = (system, suite, language(group.any.target_lang), change["from"], change["to"], otherwise)
        size = show(change["change"], change_unit(words.unit))
        steps.setdefault(place, []).append((words.title, size, show_p(number(change["p_adjusted"]))))
    names = ("system", "suite", "language", "from", "to", "otherwise")
    return [
        {**dict(zip(names, place, strict=True)), "page": contents.pages["system", str(place[0])], "changes": changes}
        for place, changes in steps.items()
    ]


def _method(contents: Contents) -> dict[str, object]:
    groups = [groups[0] for groups in contents.suites.values()]
    suites = [(contents.suite_title(group), group.any.info.suite) for group in groups]
    return {"title": "Method and limits", "suites": suites, "most": f"{100 * MOST_INVALID:g} %"}


def _sides(contents: Contents, group: Group) -> str:
    """The page of sentences side by side; "" where there are none."""
    return contents.pages["sentences", group.key] if group.sides[1] else ""


def _language(contents: Contents, code: str) -> dict[str, object]:
    groups = [group for some in contents.suites.values() for group in some if group.any.target_lang == code]
    sections = [
        {
            "key": f"suite-{number}",
            "title": contents.suite_title(group),
            "alone": (group.any.system, contents.pages["system", group.any.system])
            if len(group.current) == 1
            else None,
            "rankings": [_ranking(contents, group, measure) for measure in group.measures],
            "common": group.ranked.common,
            "left_out": group.ranked.left_out,
            "note": group.ranked.note,
            "sides": _sides(contents, group),
            "differing": group.sides[0],
        }
        for number, group in enumerate(groups, start=1)
    ]
    finding, drawn_first = _ranked_chart(contents, groups[0])
    return {
        "title": f"Into {language(code)}",
        "name": language(code),
        "finding": finding,
        "figures": drawn_first,
        "sections": sections,
    }


def _ranked_chart(contents: Contents, group: Group) -> tuple[str, list[dict[str, object]]]:
    """The order of a group's systems by its leading measure in a sentence, and their values with intervals."""
    title, lead = contents.suite_title(group), group.lead
    finding = _finding(title, _ordered([group], lead), lead, 1)
    rows = [{**overall(group.current[name])[lead], "level": name} for name in _order(group, lead)] if lead else []
    return finding, _chart(rows, title, group.any.info.level)


def _chart(rows: Sequence[Record], suite: str, level: float) -> list[dict[str, object]]:
    """Values of a measure (rows with `level`) with their intervals; none without a value."""
    known = [row for row in rows if number(row["value"]) is not None]
    if not known:
        return []
    measure = str(known[0]["measure"])
    title = wording(measure).title
    heading = Heading("leading", f"{title}: {suite}", f"{_explained(measure)} Lines are {interval_words(level)}s.")
    table = pl.DataFrame(known, infer_schema_length=None)
    step = 22 if len(known) <= MANY else 15
    return drawn([panels([("", table)], axis_of(wording(measure).unit, title), heading, step=step)])


def _system(contents: Contents, system: str) -> dict[str, object]:
    sections = []
    for groups in contents.suites.values():
        mine = [group for group in groups if system in group.series]
        if mine:
            rows = [
                (
                    wording(measure).title,
                    len(group.current) - len(group.ranked.unranked),
                    contents.pages["language", group.any.target_lang],
                    row_of(contents, group, group.current[system], measure),
                )
                for group in mine
                for measure in group.measures
            ]
            series = [(language(g.any.target_lang), list(trends(contents, g, system))) for g in mine]
            shown = [(name, some) for name, some in series if some]
            sections.append({"title": contents.suite_title(mine[0]), "rows": rows, "trends": shown})
    finding, drawn_first = _system_chart(contents, system)
    return {"title": system, "name": system, "finding": finding, "figures": drawn_first, "sections": sections}


def _system_chart(contents: Contents, system: str) -> tuple[str, list[dict[str, object]]]:
    """The ends of a system's values by the leading measure of its first suite in a sentence, and all by language, the
    highest first."""
    groups = next(groups for groups in contents.suites.values() if any(system in group.series for group in groups))
    lead = next(group.lead for group in groups if system in group.series)
    if lead is None:
        return f"{system} has no measure over a complete run.", []
    mine = [group for group in groups if system in group.series and lead in group.measures]
    rows = [{**overall(group.current[system])[lead], "level": language(group.any.target_lang)} for group in mine]
    rows.sort(key=lambda row: -inf if (value := number(row["value"])) is None else value, reverse=True)
    ends = [f"{show(row['value'], wording(lead).unit)} into {row['level']}" for row in (rows[0], rows[-1])]
    between = f"between {ends[0]} and {ends[1]}" if len(rows) > 1 else f"at {ends[0]}"
    suite = contents.suite_title(mine[0])
    made = _chart(rows, f"{suite}, by language", mine[0].any.info.level)
    return f"On {suite}, {system} is {between} by {wording(lead).title}.", made


def _run(contents: Contents, group: Group, run: Extract) -> dict[str, object]:
    table = pl.DataFrame(run.estimates, schema_overrides=ESTIMATES, infer_schema_length=None)
    rows = estimate_rows(table) if table.height else []
    share = group.ranked.unranked.get(run.system)
    return {
        "title": f"{run.system} into {language(run.target_lang)}",
        "run": run,
        "suite": contents.suite_title(group),
        "system_page": contents.pages["system", run.system],
        "language_page": contents.pages["language", run.target_lang],
        "sides": _sides(contents, group),
        "remark": f"Not ranked: {100 * share:.1f} % of its answers are unusable" if share is not None else "",
        "overall": [row for row in rows if row["group"] == ALL and row["family"] is None],
        "grouped": [row for row in rows if row["group"] != ALL or row["family"] is not None],
        "interval": interval_words(run.info.level),
        "glossary": used([str(row["measure"]) for row in rows]),
        "notes": [*run.info.notes, *([run.info.answered_words] if run.info.answered_words else [])],
        "shown": max((len(outcome.shown) for outcome in run.outcomes), default=0),
        "seed": contents.seed,
    }


def _sentences(contents: Contents, group: Group) -> dict[str, object]:
    code = group.any.target_lang
    return {
        "title": f"Side by side: {contents.suite_title(group)} into {language(code)}",
        "suite": contents.suite_title(group),
        "name": language(code),
        "total": group.sides[0],
        "sentences": [replace(one, renderings=_rarest_first(one.renderings)) for one in group.sides[1]],
        "run_pages": {system: contents.pages["run", run.key] for system, run in group.current.items()},
        "language_page": contents.pages["language", code],
    }


def _rarest_first(renderings: Sequence[tuple[str, Example]]) -> list[tuple[str, Example]]:
    """The renderings of a sentence by verdict, the rarest first: of forty systems, those that differ come first."""
    counted = Counter(one.gender for _, one in renderings)
    return sorted(renderings, key=lambda pair: (counted[pair[1].gender], pair[1].gender, pair[0].casefold()))
