"""The review desk and the try-it page: labels that count, and what is refused."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

pytest.importorskip("starlette", reason="the serve extra is not installed")
from starlette.testclient import TestClient
from tests.report.pages import HOME, ORIGIN, Tags

import evenhand
from evenhand.grammar import codes
from evenhand.report.web.app import create_app
from evenhand.results.runs import Run
from evenhand.review import labels as reviews
from evenhand.workflows.settings import Settings


def next_item(client: TestClient, labeller: str, skip: int = 0) -> dict[str, str] | None:
    page = client.get(f"/review/1?labeller={labeller}&skip={skip}").text
    form = {
        a["name"] or "": a.get("value") or ""
        for tag, a in Tags(page).tags
        if tag == "input" and a.get("type") == "hidden"
    }
    return form if "id" in form else None


def test_the_desk_goes_through_everything_undecided_and_the_estimates_follow(desk: tuple[TestClient, Path]) -> None:
    client, folder = desk
    before = Run.load(folder)
    undecided = set(before.verdicts.filter(pl.col("gender") == "unknown")["id"])
    labelled: set[str] = set()
    while form := next_item(client, "ann"):
        answer = client.post(
            "/review/1/label", data={**form, "gender": "female"}, headers=ORIGIN, follow_redirects=False
        )
        assert answer.status_code == 303
        labelled.add(form["id"])
    assert undecided <= labelled
    client.post("/review/1/apply", data={"labeller": "ann"}, headers=ORIGIN)
    after = Run.load(folder)
    assert after.verdicts.filter(pl.col("gender") == "unknown").height == 0
    assert f"{after.renderings.height} of {after.renderings.height}" in client.get("/review/1?labeller=ann").text
    assert '<th scope="col">95 % interval</th>' in client.get("/review/1?labeller=ann").text
    assert client.get("/explore?run=1&how=person").text.count('class="badge female"') >= min(len(labelled), 25)


def test_two_labellers_see_their_kappa_and_can_undo(desk: tuple[TestClient, Path]) -> None:
    client, folder = desk
    for name, gender in (("ann", "female"), ("bob", "male")):
        form = next_item(client, name)
        assert form is not None
        client.post("/review/1/label", data={**form, "gender": gender}, headers=ORIGIN)
        client.post("/review/1/apply", data={"labeller": name}, headers=ORIGIN)
        if name == "ann":
            unseen = client.get("/review/1?labeller=bob&skip=9999").text + client.get("/review/1?labeller=bob").text
            assert "the detector says female" not in unseen  # a second labeller does not see what the first one said
    page = client.get("/review/1?labeller=ann").text
    assert "ann and bob" in page
    assert "0.00" in page
    client.post("/review/1/undo", data={"labeller": "ann"}, headers=ORIGIN)
    assert reviews.current(reviews.load_labels(folder))["labeller"].to_list() == ["bob"]
    assert "ann and bob" not in client.get("/review/1?labeller=ann").text


def test_a_label_that_is_taken_back_waits_again_at_once_even_if_the_estimates_had_it(
    desk: tuple[TestClient, Path],
) -> None:
    client, _ = desk
    first = next_item(client, "ann")
    assert first is not None
    client.post("/review/1/label", data={**first, "gender": "female"}, headers=ORIGIN)
    client.post("/review/1/apply", data={"labeller": "ann"}, headers=ORIGIN)
    client.post("/review/1/undo", data={"labeller": "ann"}, headers=ORIGIN)
    again = next_item(client, "ann")
    assert again is not None
    assert again["id"] == first["id"]


def test_one_label_on_a_noun_holds_for_its_words_here_and_in_runs_that_are_given_its_form(tmp_path: Path) -> None:
    table = tmp_path / "movers.tsv"
    rows = [f"m{i}\tThe mover met client {i}.\ten\tmover\t4\t9" for i in range(12)]
    header = "id\tsource\tsource_lang\tfocus\tfocus_start\tfocus_end"
    table.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")

    def engine(texts: list[str]) -> list[str]:
        return [f"Die Umzugsfirma traf {t[10:]}" if i < 9 else f"Der Umzug traf {t[10:]}" for i, t in enumerate(texts)]

    def audit(name: str, forms: Path | None = None) -> Run:
        settings = Settings(resamples=100, forms=forms)
        memory = tmp_path / "memory.sqlite"
        return evenhand.audit(table, engine, target="de", output=tmp_path / name, memory=memory, settings=settings)

    before = audit("first")
    assert set(before.verdicts["gender"]) == {"unknown"}
    with TestClient(create_app([tmp_path / "first"]), base_url=HOME) as client:
        form = next_item(client, "ann")
        assert form is not None
        client.post("/review/1/label", data={**form, "same": "1", "gender": "neutral"}, headers=ORIGIN)
        labelled = reviews.current(reviews.load_labels(tmp_path / "first"))
        assert labelled.height == 9
        client.post("/review/1/apply", data={"labeller": "ann"}, headers=ORIGIN)
    later = audit("second", tmp_path / "first" / "forms.tsv")
    assert later.verdicts["gender"].value_counts().sort("gender").rows() == [("neutral", 9), ("unknown", 3)]
    assert later.signature != before.signature


@pytest.mark.parametrize(
    "change", [{"id": "not there"}, {"gender": "queen"}, {"labeller": "<b>"}, {"sample": "-1"}, {"candidate": "x"}]
)
def test_a_label_that_makes_no_sense_is_refused(desk: tuple[TestClient, Path], change: dict[str, str]) -> None:
    client, folder = desk
    form = next_item(client, "ann")
    assert form is not None
    answer = client.post(
        "/review/1/label", data={**form, "gender": "f", **change}, headers=ORIGIN, follow_redirects=False
    )
    assert answer.status_code == 400
    assert reviews.load_labels(folder).height == 0


def test_sentences_can_be_tried_on_the_allowed_systems_only(client: TestClient) -> None:
    form = {"text": "medikua\n<b>erizaina</b>", "source": "eu", "target": "en", "system0": "1"}
    page = client.post("/try", data=form, headers=ORIGIN)
    assert page.status_code == 200
    assert page.text.count('<mark class="evidence male">He</mark>') == 2
    assert "<b>" not in page.text
    for change in ({"system0": ""}, {"system7": "1", "system0": ""}, {"system": "command:touch /tmp/x", "system0": ""}):
        answer = client.post("/try", data={**form, **change}, headers=ORIGIN)
        assert answer.status_code == 400
        assert "choose at least one system" in answer.text


def test_trying_with_a_marked_person_uses_the_noun_phrase(client: TestClient) -> None:
    form = {"text": "The [nurse] slept.\nThe nurse slept.", "source": "en", "target": "es", "system0": "1"}
    mixed = client.post("/try", data=form, headers=ORIGIN)
    assert "in every sentence or in none" in mixed.text
    one = client.post("/try", data={**form, "text": "The [nurse] slept."}, headers=ORIGIN)
    assert '<mark class="focus">nurse</mark>' in one.text


def test_every_language_with_a_detector_can_be_tried_by_its_name(client: TestClient) -> None:
    page = client.get("/try").text
    for code in codes():
        assert f'<option value="{code}"' in page
    form = {"text": "The [nurse] slept.", "source": "en", "target": "el", "system0": "1"}
    tried = client.post("/try", data=form, headers=ORIGIN)
    assert tried.status_code == 200
    assert '<option value="el" selected>Greek</option>' in tried.text
