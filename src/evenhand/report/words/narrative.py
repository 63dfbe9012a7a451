"""The answer in plain words: headlines.py decides which sentence is said, here its blanks are filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from evenhand.gender import DECIDED, LOOKS, Gender
from evenhand.level import interval_words
from evenhand.measures.estimate import FIXED, SURE
from evenhand.report.composition import counts, first_answers
from evenhand.report.words.headlines import Headline, RunOutcome, always, fixed_gender, patterns
from evenhand.report.words.vocabulary import language, show, span
from evenhand.results.runs import Manifest, Run
from evenhand.storage.tables import ALL

OPEN = "about a person without saying whether it is a woman or a man"
STATED, STATES = (f"that {verb} whether a person is a woman or a man" for verb in ("state", "states"))


@dataclass(frozen=True)
class RunFacts:
    """What the sentences are made of: renderings by the gender their source states, those that have it (`right`),
    minimal pairs with both halves decided, those with one gender in both (`alike`), and the genders asked for
    (`wanted`)."""

    info: Manifest
    estimates: pl.DataFrame
    counts: Mapping[str, int]
    probes: int
    stated: Mapping[str, int] = field(default_factory=dict)
    right: Mapping[str, int] = field(default_factory=dict)
    pairs: int = 0
    alike: int = 0
    wanted: tuple[str, ...] = ()

    @classmethod
    def of(cls, info: Manifest, estimates: pl.DataFrame, table: pl.DataFrame) -> RunFacts:
        """From a joined table of any size (columns candidate, gender, id, gold?, pair?, wanted?)."""
        first = first_answers(table)
        stated, right = _by_stated(first)
        pairs, alike = _paired(first)
        whole = counts(first).row(0, named=True)
        requested = first["wanted"].drop_nulls().unique().sort() if "wanted" in first.columns else ()
        wanted = tuple(map(str, requested)) if overall(estimates, "obeyed") is not None else ()
        return cls(info, estimates, whole, int(first["id"].n_unique()), stated, right, pairs, alike, wanted)

    @property
    def outcome(self) -> RunOutcome:
        """By the rules of headlines.py."""
        counts, in_source = self.counts, sum(self.stated.values())
        if self.info.suite.kind == "references" and overall(self.estimates, "reference_accuracy") is not None:
            return RunOutcome.REFERENCES
        if not counts["decided"]:
            return RunOutcome.NOTHING
        if counts["invalid"] > counts["n"] / 2:
            return RunOutcome.INVALID
        if counts["decided"] <= counts["n"] / 2:
            return RunOutcome.UNDECIDED
        if self.wanted:
            return RunOutcome.ASKED
        opened = always(counts, Gender.NEUTRAL)
        if in_source:
            if sum(self.right.values()) >= FIXED * in_source:
                return RunOutcome.STATED_KEPT
            one_or_any = RunOutcome.STATED_LEFT_OPEN if opened else RunOutcome.STATED
            return RunOutcome.STATED_ONE_GENDER if self.fixed else one_or_any
        if self.fixed:
            return RunOutcome.ONE_GENDER
        if opened:
            return RunOutcome.LEFT_OPEN
        if always(counts, Gender.BOTH):
            return RunOutcome.BOTH_NAMED
        return RunOutcome.OPEN_OR_BOTH if always(counts, Gender.NEUTRAL, Gender.BOTH) else RunOutcome.MIXED

    @property
    def fixed(self) -> str | None:
        """The gender a system (nearly) always takes, where the share's interval bears it out."""
        gender = fixed_gender(self.counts, self.stated)
        row = overall(self.estimates, f"share_{gender}") or {}
        low = row.get("low")
        return gender if isinstance(low, float) and low >= SURE else None

    def share_right(self, gender: str) -> float:
        return self.right.get(gender, 0) / self.stated[gender]


def answer(run: Run) -> Headline:
    """The sentences of a single run."""
    return tell(RunFacts.of(run.manifest, run.estimates, run.table))


def tell(facts: RunFacts) -> Headline:
    """The sentences from the facts."""
    if facts.info.suite.kind == "contrastive":
        return _preferred(facts)
    outcome = facts.outcome
    pattern, blanks = patterns()[outcome], _blanks(facts)
    finding = f"{pattern.finding.format_map(blanks)}."
    compared = _reference_words(facts)
    first, *others = [*(misgendered for misgendered, _ in compared), finding]
    return Headline(
        setting=setting(facts, f"We asked {facts.info.system_label} to translate"),
        finding=first,
        meaning=f"{pattern.meaning.format_map(blanks)}.",
        fixed=outcome in (RunOutcome.ONE_GENDER, RunOutcome.STATED_ONE_GENDER),
        further=(
            *reversed(others),
            *_stated_words(facts),
            *_pair_words(facts),
            *(minority for _, minority in compared),
        ),
        outcome=outcome,
    )


def _preferred(facts: RunFacts) -> Headline:
    """The sentences of a scorer's preference."""
    info = facts.info
    pairs = f"{facts.probes:,} {language(info.suite.source_lang)} sentences into {language(info.target_lang)}"
    context = f"We asked {info.system_label} to score a feminine and a masculine rendering of {pairs}."
    finding = f"It prefers the feminine one in {with_interval(facts, 'prefers_feminine', None)} of the pairs"
    probability = overall(facts.estimates, "P_feminine")
    if probability is not None:
        finding += f"; on average it gives it a probability of {with_interval(facts, 'P_feminine', None)} among the two"
    patterns_by_measure = {
        "contrastive_accuracy": "Where the source states a gender, it prefers that gender in {} of the pairs.",
        "error_rate_fem": "About women it scores the wrong gender at least as high in {} of the pairs.",
        "error_rate_male": "About men it scores the wrong gender at least as high in {} of the pairs.",
        "agreement": "Its preference has the gender of the system's own output in {} of the pairs with a gender in it.",
    }
    further = tuple(
        words.format(with_interval(facts, name, None))
        for name, words in patterns_by_measure.items()
        if overall(facts.estimates, name) is not None
    )
    if probability is not None:
        meaning = "An output shows only the preferred gender; these numbers show how close the other one was."
    else:
        meaning = "A metric with a preference ranks systems by it, and passes it on to models trained with it."
    return Headline(context, f"{finding}.", meaning, fixed=False, further=further)


def setting(facts: RunFacts, start: str) -> str:
    """What was asked, after who was asked to translate it."""
    info, stated = facts.info, sum(facts.stated.values())
    source, target = language(info.suite.source_lang), language(info.target_lang)
    if info.suite.kind == "references":
        about = "with two reference translations, one of them about a person of the other gender,"
    elif stated:
        some = f"some of which state whether a person is a woman or a man ({stated:,} renderings)"
        about = (STATES if facts.probes == 1 else STATED) if stated == facts.counts["n"] else some
    else:
        about = OPEN
    times = f" ({facts.counts['n']:,} renderings, {info.samples} per sentence)" if info.samples > 1 else ""
    sentences = f"1 {source} sentence" if facts.probes == 1 else f"{facts.probes:,} {source} sentences"
    return f"{start} {sentences} {about} into {target}{times}{_wish(facts)}."


def _wish(facts: RunFacts) -> str:
    """What the system was asked for besides a translation."""
    if not facts.wanted:
        return ""
    if len(facts.wanted) > 1:
        return ", and to give the person of each the gender that the source states"
    return f", and to render the person of each as {LOOKS[Gender(facts.wanted[0])].rendered}"


def _blanks(facts: RunFacts) -> dict[str, str]:
    row, stated = facts.counts, sum(facts.stated.values())
    gender = facts.fixed or _most(row, facts.outcome)
    many = row[gender] if gender in row else row["neutral"] + row["both"]
    rest = row["decided"] - many
    measure = "reference_accuracy" if facts.outcome is RunOutcome.REFERENCES else "accuracy"
    return {
        **{name: f"{row[name]:,}" for name in ("n", "decided", "invalid")},
        "of_which_invalid": f" ({row['invalid']:,} are unusable)" if row["invalid"] else "",
        "tail": _undecided(row),
        "renderings": "rendering" if row["decided"] == 1 else "renderings",
        "parts": _parts(facts),
        "gender": gender,
        "count": f"{many:,}",
        "share": with_interval(facts, f"share_{gender}", many / row["decided"] if row["decided"] else None),
        "a_reader": "few readers" if rest else "no reader",
        "gendered": f"{row['female'] + row['male']:,}",
        "accuracy": with_interval(facts, measure, sum(facts.right.values()) / stated if stated else None),
        "cases": "all cases" if stated == row["n"] else "the cases in which the source states one",
        "obeyed": with_interval(facts, "obeyed", None),
        "women_and_men": f": {women_and_men(facts)}" if len(facts.stated) > 1 else "",
    }


def _most(row: Mapping[str, int], outcome: RunOutcome) -> str:
    """What an outcome's count is of, where it is not one of the two genders."""
    return {RunOutcome.BOTH_NAMED: "both", RunOutcome.OPEN_OR_BOTH: "open or both"}.get(outcome, Gender.NEUTRAL.value)


def women_and_men(facts: RunFacts) -> str:
    """How often the stated gender came out, for women and for men."""
    female, male = (show(facts.share_right(g), "percent") for g in ("female", "male"))
    return f"{female} for women, {male} for men"


def _parts(facts: RunFacts) -> str:
    """What came out: the stated gender where there is one, else every share with its interval."""
    row, stated = facts.counts, sum(facts.stated.values())
    if not row["decided"]:
        return ""
    if stated and facts.outcome in (RunOutcome.INVALID, RunOutcome.UNDECIDED):
        return f"{sum(facts.right.values()):,} have the gender that the source states"
    parts = [
        f"{with_interval(facts, f'share_{g}', row[g] / row['decided'])} as {LOOKS[Gender(g)].rendered}"
        for g in DECIDED
        if row[g]
    ]
    listed = " and ".join(parts) if len(parts) < 3 else ", ".join(parts[:-1]) + ", and " + parts[-1]
    return f"it rendered {listed}" if facts.outcome in (RunOutcome.INVALID, RunOutcome.UNDECIDED) else listed


def _by_stated(first: pl.DataFrame) -> tuple[dict[str, int], dict[str, int]]:
    if "gold" not in first.columns:
        return {}, {}
    gold = pl.col("gold").cast(pl.String)
    table = first.filter(gold.is_in(["female", "male"])).group_by(gold.alias("gold"), maintain_order=True)
    counted = table.agg(pl.len().alias("n"), (pl.col("gender") == pl.col("gold")).sum().alias("right")).sort("gold")
    return {g: n for g, n, _ in counted.iter_rows()}, {g: right for g, _, right in counted.iter_rows()}


def _paired(first: pl.DataFrame) -> tuple[int, int]:
    """Pairs of a stated woman and a stated man, both decided, and those of them with one gender in both halves."""
    if not {"pair", "gold"} <= set(first.columns):
        return 0, 0
    keys = [c for c in ("pair", "sample") if c in first.columns]
    decided = first.filter(pl.col("pair").is_not_null() & pl.col("gender").is_in(DECIDED))
    gold = pl.col("gold").cast(pl.String)
    halves = decided.filter(gold.is_in(["female", "male"])).group_by(keys)
    pairs = halves.agg(pl.len().alias("n"), gold.n_unique().alias("stated"), pl.col("gender").n_unique().alias("given"))
    whole = pairs.filter((pl.col("n") == 2) & (pl.col("stated") == 2))
    return whole.height, whole.filter(pl.col("given") == 1).height


def _stated_words(facts: RunFacts) -> list[str]:
    """Where the source states one gender only, what a kept one cannot show."""
    if facts.outcome is not RunOutcome.STATED_KEPT or len(facts.stated) > 1:
        return []
    gender = next(iter(facts.stated))
    if gender not in (Gender.FEMALE.value, Gender.MALE.value):
        return []
    who = LOOKS[Gender(gender)].rendered
    return [f"These sentences state no other gender: a system that renders everyone as {who} would look the same."]


def _pair_words(facts: RunFacts) -> list[str]:
    if not facts.pairs or len(facts.wanted) == 1:
        return []
    return [
        f"Of {facts.pairs:,} pairs of sentences that differ in the stated gender, {facts.alike:,} got the same gender "
        "in both renderings."
    ]


def _reference_words(facts: RunFacts) -> list[tuple[str, str]]:
    """Two sentences per reference: whom the pronouns misgender, with the smallest share possible; its coverage, and
    whom the minority's pronoun meets."""
    made = []
    for name in facts.estimates["reference"].drop_nulls().unique(maintain_order=True):
        error = overall(facts.estimates, "error", reference=name)
        least = overall(facts.estimates, "error_optimal", reference=name)
        if not error or error["value"] is None or not least:
            continue
        misgendered = (
            f"Its pronouns misgender {with_interval(facts, 'error', None, reference=name)} of the workers in {name}; "
            f"always naming the majority would misgender {show(least['value'], 'percent')}."
        )
        wrong = [
            f"{with_interval(facts, f'wrong_{held}_dominated', None, reference=name)} of those held mostly by {people}"
            for held, people in (("female", "women"), ("male", "men"))
            if overall(facts.estimates, f"wrong_{held}_dominated", reference=name) is not None
        ]
        used = f"; it used the minority's pronoun for {' and for '.join(wrong)}" if wrong else ""
        made.append((misgendered, f"The reference {name} has {_covered(error)}{used}."))
    return made


def _covered(row: Mapping[str, object]) -> str:
    """How many of the occupations have a share of women in the reference."""
    if row.get("with_share") is None or row.get("occupations") is None:
        return f"a share of women for {row['n']:,} occupations"
    return f"a share of women for {row['with_share']:,} of {row['occupations']:,} occupations"


def _undecided(row: Mapping[str, int]) -> str:
    if not row["unknown"]:
        return ""
    invalid = f", {row['invalid']:,} of them unusable" if row["invalid"] else ""
    return f"; {row['unknown']:,} of {row['n']:,} are undecided{invalid}"


def overall(estimates: pl.DataFrame, measure: str, *, reference: str | None = None) -> dict[str, object] | None:
    """The raw estimate over the whole run; None where there is none."""
    chosen = (pl.col("measure") == measure) & (pl.col("group") == ALL) & (pl.col("variant") == "raw")
    against = pl.col("reference").eq_missing(pl.lit(reference, pl.String))
    rows = estimates.filter(chosen & against)
    return rows.row(0, named=True) if rows.height else None


def with_interval(facts: RunFacts, measure: str, fallback: float | None, *, reference: str | None = None) -> str:
    """A share with its interval, where the run has an estimate of it; else the share that was counted."""
    row = overall(facts.estimates, measure, reference=reference)
    if row is None or row["value"] is None:
        return show(fallback, "percent")
    interval = span(row["low"], row["high"], "percent")
    return f"{show(row['value'], 'percent')}" + (
        f" ({interval_words(facts.info.level)} {interval})" if interval else ""
    )
