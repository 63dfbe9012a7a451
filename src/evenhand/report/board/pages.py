"""The pages of a board, rendered: the first one, a page a language, a system, a run, sentences side by side, method."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from evenhand._version import __version__
from evenhand.level import interval_words
from evenhand.report.board import views
from evenhand.report.board.contents import Contents, Group
from evenhand.report.board.extract import Extract
from evenhand.report.pages.page import render
from evenhand.report.words.glossary import used
from evenhand.report.words.vocabulary import change_unit, language, show, show_p, wording
from evenhand.storage.tables import ALL, MOST_INVALID
from evenhand.workflows.board import Value

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
    return {
        "title": TITLE,
        "counts": {
            "runs": len(contents.runs),
            "systems": len(contents.systems),
            "languages": len(contents.languages),
        },
        "matrices": [views.matrix(contents, groups) for groups in contents.suites.values()],
        "unranked": views.left_out(contents),
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
        told = (words.title, by_how_much, show_p(views.number(change["p_adjusted"])))
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
            "rankings": views.rankings(contents, group),
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
                    views.row_of(contents, group, group.current[system], measure),
                )
                for group in mine
                for measure in group.measures
            ]
            trends = [(language(g.any.target_lang), list(views.trends(contents, g, system))) for g in mine]
            told = [(name, some) for name, some in trends if some]
            sections.append({"title": contents.suite_title(mine[0]), "rows": rows, "trends": told})
    return {"title": system, "name": system, "sections": sections}


def _run(contents: Contents, group: Group, run: Extract) -> dict[str, object]:
    rows = views.estimates_of(run)
    share = group.ranked.unranked.get(run.system)
    return {
        "title": f"{run.system} into {language(run.target_lang)}",
        "run": run,
        "suite": contents.suite_title(group),
        "system_page": contents.pages["system", run.system],
        "language_page": contents.pages["language", run.target_lang],
        "sides": _sides(contents, group),
        "remark": f"Not ranked: {100 * share:.1f} % of its answers are no renderings at all"
        if share is not None
        else "",
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
    """The renderings of a sentence by verdict, the rarest first: of forty systems, those that differ stand on top."""
    renderings = sentence["renderings"] if isinstance(sentence["renderings"], list) else []
    counted = Counter(one["gender"] for _, one in renderings)
    ordered = sorted(renderings, key=lambda pair: (counted[pair[1]["gender"]], pair[1]["gender"], pair[0].casefold()))
    return sentence | {"renderings": ordered}
