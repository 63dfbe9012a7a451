"""Preference runs: a scorer with a known preference, and everything that takes runs."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.command_line import evenhand

from evenhand import Settings, audit, board, compare, gate, load_run, pairs, preference, report, score
from evenhand.errors import BadInput, Unknown
from evenhand.systems.protocol import Answer, Batch, Request
from evenhand.systems.scoring import Scale, Score, open_scorer
from evenhand.workflows.pairs import metric_pairs
from evenhand.workflows.preference import conditioned, explained, review_list

JOBS = {
    "nurse": ("enfermera", "enfermero"),
    "lawyer": ("abogada", "abogado"),
    "cook": ("cocinera", "cocinero"),
    "teacher": ("maestra", "maestro"),
    "painter": ("pintora", "pintor"),
    "waiter": ("camarera", "camarero"),
}
ODDS = dict(zip(JOBS, (2.0, -1.0, 0.5, 1.0, -2.0, -0.5), strict=True))


class Known:
    """Log-odds of the feminine by occupation, and a little by sentence."""

    name, fingerprint, batch, scale = "known", "known-1", Batch(texts=50, concurrency=1, context=False), Scale()

    def __init__(self, shift: float = 0.0) -> None:
        self.name, self.fingerprint, self.shift = f"known{shift:g}", f"known-{shift}", shift
        self.asked = 0

    async def score(self, requests: list[Request]) -> list[Score]:
        self.asked += len(requests)
        return [self.one(request) for request in requests]

    def one(self, request: Request) -> Score:
        text = request.rendering or ""
        job, feminine = next((job, forms[0] in text) for job, forms in JOBS.items() for f in forms if f in text)
        noise = 0.2 * math.sin(len(request.text))
        return Score(-10.0 + (ODDS[job] + self.shift + noise if feminine else 0.0), 5)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "jobs.tsv"
    rows = ["id\tsource\tfocus\toccupation\tfeminine\tmasculine\tgold"]
    for job, (she, he) in JOBS.items():
        for n in range(8):
            source = f"The {job} came {'again and ' * n}late."
            gold = ("female", "male")[n % 2]
            rows.append(f"{job}-{n}\t{source}\t{job}\t{job}\tLa {she} llegó.\tEl {he} llegó.\t{gold}")
    path.write_text("\n".join(rows) + "\n")
    return path


def value(run: object, measure: str, group: str = "all", level: str = "") -> float:
    rows: pl.DataFrame = run.estimates  # type: ignore[attr-defined]
    return float(rows.filter(measure=measure, group=group, level=level)["value"][0])


def test_a_known_preference_is_found_and_the_memory_asks_once(suite: Path, tmp_path: Path) -> None:
    scorer = Known()
    run = preference(suite, scorer, target="es", output=tmp_path / "run", memory=tmp_path / "m.db")
    sources = run.probes.select("occupation", "source").rows()
    odds = np.array([ODDS[job] + 0.2 * math.sin(len(source)) for job, source in sources])
    assert value(run, "log_odds") == pytest.approx(odds.mean())
    assert value(run, "P_feminine") == pytest.approx((1 / (1 + np.exp(-odds))).mean())
    assert value(run, "prefers_feminine") == pytest.approx((odds > 0).mean())
    assert scorer.asked == 96
    again = preference(suite, Known(), target="es", memory=tmp_path / "m.db")
    assert again.estimates.equals(run.estimates)
    assert again.signature == run.signature


def test_the_preferred_half_is_the_rendering_and_its_word_the_evidence(suite: Path, tmp_path: Path) -> None:
    run = preference(suite, Known(), target="es", memory=tmp_path / "m.db")
    row = run.answers.filter(id="nurse-0").row(0, named=True)
    assert (row["rendering"], row["gender"], row["evidence"], row["form"]) == (
        "La enfermera llegó.", "female", "La", "feminine",
    )  # fmt: skip
    other = run.table.filter((pl.col("id") == "nurse-0") & (pl.col("candidate") == 1)).row(0, named=True)
    assert other["rendering"] == "El enfermero llegó."


def test_normalisation_is_named_in_the_signature_and_changes_the_odds(suite: Path, tmp_path: Path) -> None:
    whole, token = (
        preference(suite, Known(), target="es", length=length, memory=tmp_path / "m.db") for length in ("sum", "token")
    )
    assert value(token, "log_odds") == pytest.approx(value(whole, "log_odds") / 5)
    assert "preference-1-token" in token.signature
    with pytest.raises(Unknown, match="length normalisation"):
        preference(suite, Known(), target="es", length="word", memory=tmp_path / "m.db")


def test_runs_of_preference_are_scored_compared_gated_and_shown_as_others(suite: Path, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two")]
    for folder, shift in zip(folders, (0.0, -3.0), strict=True):
        preference(suite, Known(shift), target="es", output=folder, memory=tmp_path / "m.db")
    differences = compare(folders).differences
    assert abs(float(differences.filter(measure="P_feminine")["value"][0])) > 0.3
    rescored = score(folders[0], detect=True)
    assert rescored.estimates.equals(load_run(folders[0]).estimates)
    assert not gate(folders[1], folders[0], measures=["P_feminine:higher"]).passed
    page = report(folders[0], tmp_path / "page.html").read_text()
    assert "to score a feminine and a masculine rendering of 48 English sentences into Spanish" in page
    assert "Log-odds by occupation" in page
    board(folders, tmp_path / "site")
    assert "P_feminine" in "".join(path.read_text() for path in (tmp_path / "site").rglob("*.html"))


class Words:
    """Translates "The nurse came ..." with the feminine for what the tables above prefer, except for cooks."""

    name, fingerprint, batch = "words", "words-1", Batch(concurrency=1, context=False)

    async def translate(self, requests: list[Request]) -> list[Answer]:
        made = []
        for request in requests:
            job = request.text.split()[1]
            form = JOBS[job][0 if ODDS[job] > 0 and job != "cook" else 1]
            made.append(Answer(f"{'La' if form == JOBS[job][0] else 'El'} {form} llegó tarde."))
        return made


@pytest.fixture
def outputs(tmp_path: Path) -> Path:
    path = tmp_path / "open.tsv"
    rows = [f"{job}-{n}\tThe {job} came {'again and ' * n}late.\t{job}\t{job}" for job in JOBS for n in range(8)]
    path.write_text("id\tsource\tfocus\toccupation\n" + "\n".join(rows) + "\n")
    audit(path, Words(), target="es", output=tmp_path / "run.words", memory=tmp_path / "m.db")
    return tmp_path / "run.words"


def test_beside_a_run_agreement_and_auc_say_how_output_follows_preference(
    suite: Path, outputs: Path, tmp_path: Path
) -> None:
    run = preference(suite, Known(), target="es", beside=outputs, memory=tmp_path / "m.db")
    assert value(run, "agreement") == pytest.approx(5 / 6)
    assert value(run, "AUC") == 1.0
    assert explained(run)["pairs"].sum() == 48
    assert review_list(run)["id"].str.starts_with("cook").all()
    assert value(run, "P_feminine", "output", "female") > value(run, "P_feminine", "output", "male")
    assert -1 <= value(run, "output_correlation") <= 1


def test_pairs_are_a_system_s_own_renderings_and_what_mend_declines_is_counted(outputs: Path, tmp_path: Path) -> None:
    made = pairs(outputs)
    assert made.renderings == 48
    assert made.table.height + made.declined.total() == 48
    row = made.table.filter(id="lawyer-0").row(0, named=True)
    assert (row["feminine"], row["masculine"], row["output"]) == (
        "La abogada llegó tarde.", "El abogado llegó tarde.", "male",
    )  # fmt: skip
    path = tmp_path / "made.tsv"
    done = evenhand("pairs", outputs, "-o", path, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"{made.table.height} pairs of 48 renderings" in done.stderr
    assert evenhand("pairs", outputs, folder=tmp_path).stdout == path.read_text("utf-8")
    again = evenhand("pairs", outputs, "-o", tmp_path / "again.tsv", "--json", folder=tmp_path)
    assert json.loads(again.stdout)["pairs"] == made.table.height
    assert (tmp_path / "again.tsv").read_bytes() == path.read_bytes()
    run = preference(path, Known(), target="es", memory=tmp_path / "m.db")
    assert value(run, "agreement") > 0.7


class Conditioned(Known):
    """A rendering fits the source whose adjective has its gender; cooks are always taken for women."""

    async def score(self, requests: list[Request]) -> list[Score]:
        made = []
        for request in requests:
            job = request.text.split()[2]
            feminine = JOBS[job][0] in (request.rendering or "") or job == "cook"
            made.append(Score(-1.0 if feminine == (" female " in request.text) else -3.0, 4))
        return made


def test_the_contrastive_rule_is_a_second_opinion_with_a_list_of_disagreements(outputs: Path, tmp_path: Path) -> None:
    run = preference(outputs, Conditioned(9), target="es", rule="contrastive", memory=tmp_path / "m.db")
    assert value(run, "agreement") == pytest.approx(5 / 6)
    listed = review_list(run)
    assert listed.height == 8
    assert listed.columns[:4] == ["id", "source", "focus", "rendering"]
    assert listed.select("verdict", "preferred", "label").unique().rows() == [("male", "female", "")]


@pytest.mark.parametrize(("name", "value"), [("samples", 3), ("context", "sentences"), ("ask", "female")])
def test_a_setting_of_translations_is_refused(name: str, value: object, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=f"^{name} is a setting of translations"):
        preference(
            tmp_path / "pairs.tsv",
            Known(),
            target="es",
            settings=Settings(**{name: value}),  # type: ignore[arg-type]
        )


def test_preferences_of_two_lengths_are_compared_with_a_note_that_says_so(suite: Path, tmp_path: Path) -> None:
    runs = [preference(suite, Known(), target="es", length=way, memory=tmp_path / "m.db") for way in ("sum", "token")]
    assert compare(runs).cautions[0].startswith("these preferences were normalised in different ways (sum, token)")


def test_what_mend_cannot_do_is_refused_before_anything_is_translated(tmp_path: Path) -> None:
    def translates(texts: list[str]) -> list[str]:
        raise AssertionError("asked")

    with pytest.raises(BadInput, match="judged by pronouns"):
        pairs("pronouns-hungarian", system=translates, target="en", memory=tmp_path / "m.db")
    with pytest.raises(BadInput):
        pairs("occupations-verbs", system=translates, target="nl", memory=tmp_path / "m.db")


def test_an_unknown_scorer_is_told_the_scorers() -> None:
    with pytest.raises(Unknown, match=r"unknown scorer 'chrf'. Did you mean 'chrF'\? Known: BLEU, chrF, "):
        open_scorer("chrf")


def test_the_help_of_preference_offers_no_setting_of_translations(tmp_path: Path) -> None:
    shown = evenhand("preference", "--help", folder=tmp_path).stdout
    assert "--length WAY" in shown
    assert not [name for name in ("--samples", "--ask", "--context", "--plan", "cho2019") if name in shown]


def test_an_article_fits_the_adjective(tmp_path: Path) -> None:
    path = tmp_path / "one.tsv"
    path.write_text("id\tsource\tfocus\na\tShe saw an engineer.\tengineer\n")
    run = audit(path, lambda texts: ["Vio a una ingeniera."] * len(texts), target="es", memory=tmp_path / "m.db")
    row = conditioned(run).probes.row(0, named=True)
    assert row["source_feminine"] == "She saw a female engineer."
    assert row["source_masculine"] == "She saw a male engineer."


def test_a_metric_s_scores_of_many_systems_are_paired_within_the_sentence(tmp_path: Path) -> None:
    suite = tmp_path / "stated.tsv"
    lines = ["id\tsource\tfocus\toccupation\tgold"]
    scored = ["system\tid\trendering\tqe"]
    for job, (she, he) in JOBS.items():
        for n in range(6):
            gold = ("female", "male")[n % 2]
            pronoun = {"female": "she", "male": "he"}[gold]
            lines.append(f"{job}{n}\tThe {job} slept because {pronoun} was ill{n}.\t{job}\t{job}\t{gold}")
            for system, quality in (("good", 0.9), ("bad", 0.5)):
                right = (system == "good") == (n < 4)
                woman = (gold == "female") == right
                text = f"La {she} durmió." if woman else f"El {he} durmió."
                scored.append(f"{system}\t{job}{n}\t{text}\t{quality - (0.0 if right else 0.2):.3f}")
    suite.write_text("\n".join(lines) + "\n")
    scores = tmp_path / "scores.tsv"
    scores.write_text("\n".join(scored) + "\n")
    made, scorer = metric_pairs(suite, scores, "qe", target="es", scale=Scale("score", "higher", (0.0, 1.0)))
    run = preference(made, scorer, target="es", memory=tmp_path / "m.db")
    # right in 24 of 36 sentences, the good system's mean .1 / 3 lower than .9; both means are taken out
    assert value(run, "penalty") == pytest.approx(0.2 - (1 / 3) * 0.4 * 0 - (0.2 / 3) / 3, abs=0.03)
    assert value(run, "error_rate_fem") == value(run, "error_rate_male") == 0.0
    assert "penalty" in run.estimates.filter(group="gold")["measure"].to_list()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["speaker", "--scorer", "chrF", "--target", "es"], "has no pairs of renderings: `evenhand pairs` makes them"),
        (["NOWHERE.tsv", "--scorer", "chrF", "--target", "es"], "NOWHERE.tsv"),
    ],
)
def test_what_is_no_pair_is_one_clear_error(arguments: list[str], message: str, tmp_path: Path) -> None:
    done = evenhand("preference", *arguments, folder=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr


def test_a_contrastive_suite_is_not_translated(suite: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="use `evenhand preference"):
        audit(suite, Words(), target="es", memory=tmp_path / "m.db")


def test_the_command_prints_estimates_outputs_and_places(suite: Path, tmp_path: Path) -> None:
    table = pl.read_csv(suite, separator="\t")
    scores = table.select("id", feminine=pl.int_range(pl.len()) % 7 - 8.0, masculine=pl.lit(-5.0))
    scores.write_csv(tmp_path / "scores.tsv", separator="\t")
    done = evenhand(
        "preference", str(suite), "--scorer", f"file:{tmp_path / 'scores.tsv'}", "--set", "values=log-probability",
        "--target", "es", "--memory", str(tmp_path / "m.db"), "-o", str(tmp_path / "run"), "--no-report",
        folder=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "P_feminine" in done.stdout
    assert "contrastive_accuracy" in done.stdout
    assert load_run(tmp_path / "run").manifest.suite.kind == "contrastive"
