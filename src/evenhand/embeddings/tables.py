"""A study as plain values (for --json) and as rows of text (for the terminal and the page)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from evenhand.embeddings.study import Row, Study
from evenhand.embeddings.wordscore import Agreement, Scores
from evenhand.statistics.intervals import Interval
from evenhand.statistics.permutation import Permutation

Json: TypeAlias = "Mapping[str, Json] | list[Json] | str | int | float | bool | None"


def number(value: float) -> float | None:
    """JSON has no NaN: undefined is null."""
    return float(value) if math.isfinite(value) else None


def interval_json(value: Interval | None) -> Json:
    if value is None:
        return None
    return {
        "value": number(value.value),
        "low": number(value.low),
        "high": number(value.high),
        "n": value.n,
        "interval": value.method,
    }


def test_json(test: Permutation) -> Json:
    return {
        "p": test.p,
        "alternative": test.alternative,
        "hits": test.hits,
        "permutations": test.permutations,
        "exact": test.exact,
        "seed": test.seed,
        "formula": "hits / permutations" if test.exact else "(1 + hits) / (1 + permutations)",
    }


def study_json(study: Study) -> Json:
    """Everything the study found, unrounded."""
    d = study.directions
    grammatical: Json = {"found": False, "why": d.why}
    if d.grammatical is not None:
        g = d.grammatical
        grammatical = {
            "found": True,
            "classifier": g.kind,
            "accuracy": interval_json(g.accuracy.interval),
            "folds": list(g.accuracy.folds),
            "chance": g.accuracy.chance,
            "nouns": dict(zip(g.classes, g.counts, strict=True)),
        }
    across: Json = None
    if study.across is not None:
        correlation, p, points = study.across
        words: list[Json] = [
            {"english": pair.english, "masculine": pair.masculine, "feminine": pair.feminine, "bias": b, "weat": s}
            for pair, b, s in points
        ]
        across = {"spearman": interval_json(correlation), "p": number(p), "words": words}
    s = study.settings
    return {
        "language": study.language,
        "settings": {
            "seed": s.seed,
            "permutations": s.permutations,
            "classifier": s.classifier,
            "retrieval": s.retrieval,
            "refine": s.refine,
            "correction": "holm over the versions",
        },
        "coverage": [
            {"list": c.name, "found": c.found, "asked": c.asked, "missing": list(c.missing)} for c in study.coverage
        ],
        "directions": {
            "pairs": d.semantic.pairs,
            "variance_explained": list(d.semantic.explained),
            "grammatical": grammatical,
            "cosine": number(d.cosine),
            "cosine_interval": interval_json(d.cosine_interval),
        },
        "versions": [_row_json(row) for row in study.rows],
        "across_languages": across,
        "impossible": dict(study.impossible),
        "warnings": list(study.warnings),
    }


def _row_json(row: Row) -> Json:
    found: dict[str, Json] = {"method": row.method}
    if row.mweat is not None:
        found["mweat"] = {
            "statistic": row.mweat.statistic,
            "interval": interval_json(row.mweat.interval),
            "absolute": row.mweat.absolute,
            "masculine": row.mweat.masculine,
            "feminine": row.mweat.feminine,
            "pairs": row.mweat.pairs,
            "words": [
                {
                    "masculine": b.forms.masculine,
                    "feminine": b.forms.feminine,
                    "s_masculine": b.masculine,
                    "s_feminine": b.feminine,
                    "b_w": b.bias,
                }
                for b in row.mweat.biases
            ],
            "test": test_json(row.mweat.test),
            "p_adjusted": row.mweat_p_adjusted,
            "swap_test": test_json(row.mweat.swap),
            "swap_p_adjusted": row.swap_p_adjusted,
        }
    if row.nearness is not None:
        found["nearness"] = {
            "asd": interval_json(row.nearness.asd),
            "absolute": interval_json(row.nearness.absolute),
            "masculine_nearer": row.nearness.masculine_nearer,
            "pairs": [
                {"english": p.english, "masculine": p.masculine, "feminine": p.feminine, "cos_m": m, "cos_f": f}
                for p, m, f in row.nearness.pairs
            ],
        }
    if row.residual is not None:
        found["residual"] = {
            "cluster": interval_json(row.residual.cluster),
            "cluster_by_chance": row.residual.cluster_by_chance,
            "classifier": interval_json(row.residual.classifier),
        }
    if row.pair_translation is not None:
        t = row.pair_translation
        found["pair_translation"] = {
            "f_mrr": interval_json(t.feminine),
            "m_mrr": interval_json(t.masculine),
            "gap": interval_json(t.gap),
            "questions": t.questions,
            "occupations": t.occupations,
            "adjectives": t.adjectives,
        }
    if row.moved is not None:
        found["moved"] = {
            "pairs": len(row.moved.pairs),
            "inanimate": len(row.moved.inanimate),
            "skipped": list(row.moved.skipped),
            "worst_asymmetry": row.moved.worst,
        }
    found["inanimate_bias"] = interval_json(row.inanimate)
    found["inanimate_words"] = [{"word": word, "s": s, "b_w": abs(s)} for word, s in row.things]
    found["similarity"] = {
        name: {
            "pearson": interval_json(r.pearson),
            "spearman": interval_json(r.spearman),
            "covered": r.covered,
            "asked": r.asked,
            "change": interval_json(row.similarity_change.get(name)),
        }
        for name, r in row.similarity.items()
    }
    found["translation"] = {
        name: {
            **{f"p@{k}": interval_json(value) for k, value in t.precision.items()},
            "covered": t.covered,
            "asked": t.asked,
            "candidates": t.candidates,
            "retrieval": t.retrieval,
            "change_p@1": interval_json(row.precision_change.get(name)),
        }
        for name, t in row.translation.items()
    }
    found["notes"] = list(row.notes)
    return found


def bias_table(study: Study) -> tuple[list[str], list[list[str]]]:
    """Association before and after, as in Table 1: columns and rows of text."""
    columns = ["vectors", "MWEAT", "pairs", "p (one-sided)", "Holm", "p (swap)", "Holm", "asymmetry left"]
    columns += ["inanimate |s|", "lean still readable"]
    rows = []
    for row in study.rows:
        m = row.mweat
        cells = [row.method]
        if m is None:
            cells += [""] * 6
        else:
            side = "masc. stronger" if m.test.alternative == "greater" else "fem. stronger"
            cells += [_i(m.interval), str(m.pairs), f"{short_p(m.test.p)} ({side})", _p(row.mweat_p_adjusted)]
            cells += [short_p(m.swap.p), _p(row.swap_p_adjusted)]
        cells.append(f"{row.moved.worst:.0e}" if row.moved and row.moved.pairs else "")
        cells += [_i(row.inanimate), _i(row.residual.classifier if row.residual else None)]
        rows.append(cells)
    return _filled(columns, rows)


def between_table(study: Study) -> tuple[list[str], list[list[str]]]:
    """Between the two languages, the bias half of Table 2: nearness to English and word-pair translation."""
    columns = ["vectors", "ASD", "masculine nearer", "F_MRR", "M_MRR", "gap"]
    rows = []
    for row in study.rows:
        n, t = row.nearness, row.pair_translation
        cells = [row.method, _i(n.asd if n else None), f"{n.masculine_nearer} of {len(n.pairs)}" if n else ""]
        cells += [_i(t.feminine if t else None), _i(t.masculine if t else None), _i(t.gap if t else None)]
        rows.append(cells)
    return _filled(columns, rows)


def utility_table(study: Study) -> tuple[list[str], list[list[str]]]:
    """The utility half of Table 2, one column a test."""
    similar, translated = list(study.original.similarity), list(study.original.translation)
    columns = ["vectors"]
    for name in similar:
        r = study.original.similarity[name]
        columns += [f"{name} Pearson ({r.covered}/{r.asked})", "change", "Spearman"]
    for name in translated:
        t = study.original.translation[name]
        columns += [f"{name} P@1 ({t.covered}/{t.asked})", "change", "P@5", "P@10"]
    rows = []
    for row in study.rows:
        cells = [row.method]
        for name in similar:
            result = row.similarity[name]
            cells += [_i(result.pearson), _i(row.similarity_change.get(name)), _i(result.spearman)]
        for name in translated:
            at = row.translation[name].precision
            cells += [_i(at[1]), _i(row.precision_change.get(name)), _i(at[5]), _i(at[10])]
        rows.append(cells)
    return columns, rows


def scores_json(scores: Scores, agreement: Agreement | None, warnings: Sequence[str] = ()) -> Json:
    """A ranking of words by gender score, with what reading the vectors had to say."""
    table: list[Json] = []
    for i, word in enumerate(scores.words):
        columns = {name: number(float(scores.table[j, i])) for j, name in enumerate(scores.columns)}
        table.append({"word": word, "score": float(scores.total[i]), "columns": columns})
    found: Json = None
    if agreement is not None:
        found = {
            "pearson": interval_json(agreement.pearson),
            "pearson_p": number(agreement.pearson_p),
            "spearman": interval_json(agreement.spearman),
            "spearman_p": number(agreement.spearman_p),
            "n": len(agreement.words),
        }
    return {
        "asked": scores.asked,
        "ranked": len(scores.words),
        "unranked": list(scores.unranked),
        "partial": list(scores.partial),
        "words": table,
        "reference": found,
        "warnings": list(warnings),
    }


def short_p(p: float) -> str:
    return "<.0001" if p < 0.0001 else f"{p:.4f}"


def _p(value: float | None) -> str:
    return "" if value is None else short_p(value)


def _i(value: Interval | None) -> str:
    if value is None or not math.isfinite(value.value):
        return ""
    bounds = f" [{value.low:.3f}, {value.high:.3f}]" if math.isfinite(value.low) else ""
    return f"{value.value:.4f}{bounds}"


def _filled(columns: list[str], rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """Without the columns nothing was measured for."""
    keep = [i for i in range(len(columns)) if any(row[i] for row in rows)]
    return [columns[i] for i in keep], [[row[i] for i in keep] for row in rows]
