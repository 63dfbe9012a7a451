"""The pages of a board: the first one, a page per language, system and run, sentences side by side, method."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite

import polars as pl

from evenhand._version import __version__
from evenhand.level import interval_words
from evenhand.measures.decisions.pooled import POOLED
from evenhand.measures.decisions.ranking import badness, ranks_of
from evenhand.measures.definitions.direction import directed
from evenhand.report.board.contents import Contents, Extract, Group, better, overall
from evenhand.report.exchange.spreadsheet import csv_line
from evenhand.report.pages.page import estimate_rows, render
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


def tables(contents: Contents) -> dict[str, str]:
    """The text of each file by its name."""
    runs = [_run_columns(run) | {"detector": run.detector, "signature": run.signature} for run in contents.runs]
    results = {
        "overall": (list(_overall(contents)), OVERALL),
        "numbers": (list(_numbers(contents)), (*OF, *ESTIMATES, "signature")),
        "tests": (list(_tests(contents)), (*TESTS, "n", "reading", "family", "note")),
        "changes": (list(_changes(contents)), ("suite", "target_lang", "system", *CHANGES)),
        "pooled": (contents.pooled, tuple(POOLED)),
        "runs": (runs, (*OF, "detector", "signature")),
    }
    made = {f"{name}.csv": _csv(rows, columns) for name, (rows, columns) in results.items()}
    whole: dict[str, object] = {"evenhand": __version__}
    whole |= {name: rows for name, (rows, _) in results.items() if name != "numbers"}
    whole["estimates"] = {run.key: run.estimates for run in contents.runs}
    made["board.json"] = json.dumps(whole, ensure_ascii=False, allow_nan=False) + "\n"
    return made


def _csv(rows: Iterable[Mapping[str, Value]], columns: tuple[str, ...]) -> str:
    return csv_line(columns) + "".join(csv_line([row.get(name) for name in columns]) for row in rows)


def _run_columns(run: Extract) -> Record:
    return {name: run.key if name == "run" else getattr(run, name) for name in OF}


def _standing(group: Group, run: Extract, measure: str) -> Record:
    standing = group.ranks.get((measure, run.system)) if run is group.current[run.system] else None
    rank: Record = {name: standing.get(name) for name in ("rank", "rank_to", "letters")} if standing else {}
    return rank | {"invalid_share": group.ranked.unranked.get(run.system)}


def _overall(contents: Contents) -> Iterator[Record]:
    for group in contents.groups.values():
        for runs in group.series.values():
            for run in runs:
                for measure, row in overall(run).items():
                    values = {name: row[name] for name in VALUES}
                    yield _run_columns(run) | {"measure": measure} | values | _standing(group, run, measure)


def _numbers(contents: Contents) -> Iterator[Record]:
    for run in contents.runs:
        for row in run.estimates:
            yield _run_columns(run) | row | {"signature": run.signature}


def _tests(contents: Contents) -> Iterator[Record]:
    for (suite, _, target), group in contents.groups.items():
        for test in group.ranked.tests:
            yield {"suite": suite, "target_lang": target, **test}


def _changes(contents: Contents) -> Iterator[Record]:
    for (suite, _, target), group in contents.groups.items():
        for system, changes in group.changes.items():
            for change in changes:
                yield {"suite": suite, "target_lang": target, "system": system, **change}


WIDTH = 150  # of the scale beside a value, in pixels
MARGIN = 6
DRAWN = 400  # cells of a table up to which each has its value and interval drawn


@dataclass(frozen=True)
class Marks:
    """A value and its interval on a scale, in pixels."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class BoardRow:
    """One system in a ranking, or one run in a table: what is printed."""

    system: str
    system_page: str
    run_page: str
    where: str
    rank: str
    letters: str
    shown: str
    interval: str
    valid: str
    decided: str
    marks: Marks | None
    remark: str = ""


@dataclass(frozen=True)
class BoardRanking:
    """One measure of one group: its rows, the best first, and what is said above them."""

    measure: str
    title: str
    explanation: str
    better: str
    interval: str
    rows: list[BoardRow]


def rankings(contents: Contents, group: Group) -> list[BoardRanking]:
    """A ranking for each measure of a group."""
    return [_ranking(contents, group, measure) for measure in group.measures]


def _ranking(contents: Contents, group: Group, measure: str) -> BoardRanking:
    words = wording(measure)
    ranked = [system for name, system in group.ranks if name == measure]
    others = [system for system in group.current if system not in ranked]
    order = [*ranked, *sorted(others, key=lambda name: (name in group.ranked.unranked, name.casefold()))]
    estimates = {system: overall(group.current[system])[measure] for system in order}
    scale = Scale.of(list(estimates.values()))
    rows = [row_of(contents, group, group.current[system], measure, scale) for system in order]
    levels = interval_words(*(run.level for run in group.current.values()))
    return BoardRanking(measure, words.title, words.explanation, better(measure), levels, rows)


@dataclass(frozen=True)
class Scale:
    """From the smallest to the largest end of a measure's intervals."""

    start: float
    end: float

    @classmethod
    def of(cls, estimates: Sequence[Mapping[str, Value]]) -> Scale:
        ends = [number(row[name]) for row in estimates for name in ("value", "low", "high")]
        there = [end for end in ends if end is not None]
        return cls(min(there, default=0.0), max(there, default=1.0))

    def marks(self, estimate: Mapping[str, Value]) -> Marks | None:
        value = number(estimate["value"])
        if value is None or self.start == self.end:
            return None
        low, high = number(estimate["low"]), number(estimate["high"])
        return Marks(*(self._place(value if end is None else end) for end in (value, low, high)))

    def _place(self, value: float) -> float:
        return round(MARGIN + (WIDTH - 2 * MARGIN) * (value - self.start) / (self.end - self.start), 1)


def number(value: Value) -> float | None:
    return float(value) if isinstance(value, int | float) and isfinite(value) else None


def row_of(contents: Contents, group: Group, run: Extract, measure: str, scale: Scale | None = None) -> BoardRow:
    """One run's value of a measure, with its place in its group if it is its system's last run."""
    unit, estimate = wording(measure).unit, overall(run)[measure]
    standing = group.ranks.get((measure, run.system)) if run is group.current[run.system] else None
    share = group.ranked.unranked.get(run.system)
    return BoardRow(
        system=run.system,
        system_page=contents.pages["system", run.system],
        run_page=contents.pages["run", run.key],
        where=language(run.target_lang),
        rank=ranks_of(standing, "–") if standing else "–",
        letters=str(standing["letters"]) if standing else "",
        shown=show(estimate["value"], unit),
        interval=span(estimate["low"], estimate["high"], unit),
        valid=_of(estimate["n_valid"], estimate["n"]),
        decided=_of(estimate["n_decided"], estimate["n"]),
        marks=scale.marks(estimate) if scale else None,
        remark=f"not ranked: {100 * share:.1f} % of its answers are unusable" if share is not None else "",
    )


def _of(part: Value, whole: Value) -> str:
    return f"{part:,} of {whole:,}" if isinstance(part, int) and isinstance(whole, int) and whole else "–"


def matrix(contents: Contents, groups: Sequence[Group]) -> dict[str, object]:
    """One suite on the first page: its groups side by side, by one measure. Systems are in the order of their mean
    rank, then of their mean value in the measure's own direction; those without a rank come last."""
    lead = _shared(groups)
    by_language = {group.any.target_lang: group for group in groups}
    codes = sorted(by_language, key=language)
    runs = [run for group in groups for run in group.current.values()]
    scale = Scale.of([overall(run)[lead] for run in runs]) if lead and len(runs) <= DRAWN else None
    drawn = scale is not None and scale.start < scale.end
    rows = _systems(contents, [by_language[code] for code in codes], lead, scale)
    return {
        "title": contents.suite_title(groups[0]),
        "found": _found(contents.suite_title(groups[0]), rows, lead, len(codes)),
        "summary": groups[0].any.summary,
        "explanation": _explained(lead) if lead else "Its runs have no measure in common.",
        "interval": interval_words(*(run.level for run in runs)),
        "drawn": drawn,
        "lettered": any(cell.letters for *_, cells in rows for cell in filter(None, cells)),
        "languages": [(language(code), contents.pages["language", code]) for code in codes],
        "rows": [(name, contents.pages["system", name], cells) for _, _, name, cells in rows],
    }


def _found(title: str, rows: Sequence[tuple[float, float, str, object]], lead: str | None, languages: int) -> str:
    """Who is first and who is last on a suite, by mean rank."""
    ranks = [rank for rank, *_ in rows if isfinite(rank)]
    into = f" over {languages} languages" if languages > 1 else ""
    if not lead or len(ranks) < 2:
        return f"{len(rows)} {'system was' if len(rows) == 1 else 'systems were'} run on {title}{into}."
    ends = [[name for rank, _, name, _ in rows if rank == end] for end in (min(ranks), max(ranks))]
    if min(ranks) == max(ranks):
        return f"On {title}, {wording(lead).title} ranks no system above another{into}."
    best, worst = (", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "") for names in ends)
    return f"On {title}, {best} ranks best by {wording(lead).title}{into}, and {worst} worst."


def _shared(groups: Sequence[Group]) -> str | None:
    """The first measure that all groups have."""
    return next((m for m in groups[0].measures if all(m in group.measures for group in groups)), None)


def _systems(
    contents: Contents, groups: Sequence[Group], lead: str | None, scale: Scale | None
) -> list[tuple[float, float, str, list[BoardRow | None]]]:
    systems = sorted({name for group in groups for name in group.current}, key=str.casefold)
    return sorted((_across(contents, groups, system, lead, scale) for system in systems), key=lambda row: row[:2])


def _across(
    contents: Contents, groups: Sequence[Group], system: str, lead: str | None, scale: Scale | None
) -> tuple[float, float, str, list[BoardRow | None]]:
    """One system in every group: its mean rank, its mean value (smaller is better), its name and a cell per group."""
    runs = [(group, group.current.get(system)) for group in groups] if lead else []
    cells = [row_of(contents, group, run, lead or "", scale) if run else None for group, run in runs]
    ranks = [int(cell.rank.split("–")[0]) for cell in cells if cell and cell.rank[0].isdigit()]
    values = [badness_of(lead or "", overall(run)[lead or ""]) for _, run in runs if run]
    return _mean(ranks), _mean(values), system, cells or [None] * len(groups)


def _explained(measure: str) -> str:
    words, way = wording(measure), better(measure)
    return f"{words.title}: {words.explanation}." + (f" {way[0].upper()}{way[1:]}." if way else "")


def _mean(numbers: Sequence[float]) -> float:
    """The mean; of nothing, more than anything: it comes last."""
    return sum(numbers) / len(numbers) if numbers else inf


def badness_of(measure: str, estimate: Mapping[str, Value]) -> float:
    """The value turned so that smaller is better; 0 for a measure without a direction, infinite for no value."""
    value = number(estimate["value"])
    if value is None:
        return inf
    return badness(directed(measure), value) if better(measure) else 0.0


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
    shared = _Shared(contents)
    yield "index.html", shared.render("board_index.html", _index(contents))
    yield "method.html", shared.render("board_method.html", _method(contents))
    for code in contents.languages:
        yield contents.pages["language", code], shared.render("board_language.html", _language(contents, code))
    for system in contents.systems:
        yield contents.pages["system", system], shared.render("board_system.html", _system(contents, system))
    for key, group in contents.groups.items():
        if _sides(contents, group):
            name = contents.pages["sentences", "|".join(key)]
            yield name, shared.render("board_sentences.html", _sentences(contents, group))
        for runs in group.series.values():
            for run in runs:
                yield contents.pages["run", run.key], shared.render("board_run.html", _run(contents, group, run))


class _Shared:
    """What every page has: the way to the languages, the version, whether there are sentences."""

    def __init__(self, contents: Contents) -> None:
        self._context: dict[str, object] = {
            "language_pages": [(language(code), contents.pages["language", code]) for code in contents.languages],
            "numbers_only": contents.numbers_only,
            "version": __version__,
        }

    def render(self, template: str, context: Mapping[str, object]) -> str:
        return render(template, {**self._context, **context})


def _index(contents: Contents) -> dict[str, object]:
    matrices = [matrix(contents, groups) for groups in contents.suites.values()]
    return {
        "title": TITLE,
        "found": " ".join(str(one["found"]) for one in matrices[:1]) or "The board has no runs.",
        "pooled": [
            pooled_words(row) | {"page": contents.pages["system", str(row["system"])]} for row in contents.pooled
        ],
        "level": interval_words(*(run.level for run in contents.runs)),
        "matrices": matrices,
        "unranked": left_out(contents),
        "changed": _changed(contents),
        "others": contents.others,
    }


def _changed(contents: Contents) -> list[dict[str, object]]:
    """What changed over time: an entry for each step of a system, with all measures that changed."""
    steps: dict[tuple[str, str, str, Value, Value, bool], list[tuple[str, str, str]]] = {}
    for group, system, change in contents.changed:
        words = wording(str(change["measure"]))
        into, otherwise = language(group.any.target_lang), contents.judged_otherwise(change)
        place = (system, contents.suite_title(group), into, change["from"], change["to"], otherwise)
        by_how_much = show(change["change"], change_unit(words.unit))
        told = (words.title, by_how_much, show_p(number(change["p_adjusted"])))
        steps.setdefault(place, []).append(told)
    names = ("system", "suite", "language", "from", "to", "otherwise")
    return [
        dict(zip(names, place, strict=True)) | {"page": contents.pages["system", place[0]], "changes": changes}
        for place, changes in steps.items()
    ]


def _method(contents: Contents) -> dict[str, object]:
    groups = [groups[0] for groups in contents.suites.values()]
    suites = [{"title": contents.suite_title(g), "summary": g.any.summary, "citation": g.any.citation} for g in groups]
    return {"title": "Method and limits", "suites": suites, "most": f"{100 * MOST_INVALID:g} %"}


def _sides(contents: Contents, group: Group) -> str:
    """The page of sentences side by side; "" where there are none."""
    return contents.pages["sentences", "|".join(group.any.group)] if group.sides.get("sentences") else ""


def _language(contents: Contents, code: str) -> dict[str, object]:
    groups = [group for some in contents.suites.values() for group in some if group.any.target_lang == code]
    sections = [
        {
            "key": f"suite-{number}",
            "title": contents.suite_title(group),
            "alone": _alone(contents, group),
            "rankings": rankings(contents, group),
            "common": group.ranked.common,
            "left_out": group.ranked.left_out,
            "note": group.ranked.note,
            "sides": _sides(contents, group),
            "differing": group.sides.get("total", 0),
        }
        for number, group in enumerate(groups, start=1)
    ]
    return {"title": f"Into {language(code)}", "name": language(code), "sections": sections}


def _alone(contents: Contents, group: Group) -> tuple[str, str] | None:
    """The only system of a group with its page; None where there are several."""
    only, *others = group.current
    return None if others else (only, contents.pages["system", only])


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
            told = [(name, some) for name, some in series if some]
            sections.append({"title": contents.suite_title(mine[0]), "rows": rows, "trends": told})
    return {"title": system, "name": system, "sections": sections}


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
        "interval": interval_words(run.level),
        "glossary": used([str(row["measure"]) for row in rows]),
        "shown": max((len(outcome.shown) for outcome in run.outcomes), default=0),
        "seed": contents.seed,
    }


def _sentences(contents: Contents, group: Group) -> dict[str, object]:
    code = group.any.target_lang
    return {
        "title": f"Side by side: {contents.suite_title(group)} into {language(code)}",
        "suite": contents.suite_title(group),
        "name": language(code),
        "total": group.sides["total"],
        "sentences": [_rarest_first(sentence) for sentence in _listed(group.sides["sentences"])],
        "run_pages": {system: contents.pages["run", run.key] for system, run in group.current.items()},
        "language_page": contents.pages["language", code],
    }


def _listed(sentences: object) -> list[dict[str, object]]:
    return [one for one in sentences if isinstance(one, dict)] if isinstance(sentences, list) else []


def _rarest_first(sentence: dict[str, object]) -> dict[str, object]:
    """The renderings of a sentence by verdict, the rarest first: of forty systems, those that differ come first."""
    renderings = sentence["renderings"] if isinstance(sentence["renderings"], list) else []
    counted = Counter(one["gender"] for _, one in renderings)
    ordered = sorted(renderings, key=lambda pair: (counted[pair[1]["gender"]], pair[1]["gender"], pair[0].casefold()))
    return sentence | {"renderings": ordered}
