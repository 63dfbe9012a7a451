"""Asking for a gender: who can be asked, what is sent, and rates that are known beforehand."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess

import numpy as np
import polars as pl
import pytest
from tests.command_line import evenhand
from tests.systems.servers.base import KEY, Service, item
from tests.systems.servers.formats import AzureLlmServer, DeepLServer, OpenAIServer

from evenhand.errors import BadInput, Unknown
from evenhand.suites.registry import load_suite
from evenhand.systems import Answer, Dispatcher, Request, open_system
from evenhand.systems.protocol import Batch
from evenhand.workflows.audit import audit
from evenhand.workflows.obedience import obedience
from evenhand.workflows.probes import VERSION, version_words
from evenhand.workflows.settings import Settings

FEMALE = {"doctor": "la doctora", "cook": "la cocinera", "lawyer": "la abogada", "baker": "la panadera"}
MALE = {"doctor": "el doctor", "cook": "el cocinero", "lawyer": "el abogado", "baker": "el panadero"}
OBEYS, DISTURBS, FEMALE_BEFORE = 0.7, 0.15, 0.2


class Steered:
    """Translates "The A met the B on day N." into Spanish with chosen chances: the first person is as asked with
    chance OBEYS, the second changes its gender with chance DISTURBS when something is asked."""

    name, fingerprint, batch = "steered", "steered-1", Batch(concurrency=1)
    asks = frozenset({"female", "male"})

    async def translate(self, requests: list[Request]) -> list[Answer]:
        return [Answer(self.text(request)) for request in requests]

    def text(self, request: Request) -> str:
        words = request.text.rstrip(".").split()
        draws = np.random.default_rng([ord(letter) for letter in request.text])
        first, second = ("female" if draws.random() < FEMALE_BEFORE else "male" for _ in range(2))
        obeys, disturbs = draws.random() < OBEYS, draws.random() < DISTURBS
        if request.ask:
            other = {"female": "male", "male": "female"}
            first = request.ask if obeys else other[request.ask]
            second = other[second] if disturbs else second
        forms = {"female": FEMALE, "male": MALE}
        met = f"{forms[first][words[1]]} vio ayer a {forms[second][words[4]]} el día {words[-1]}."
        return (met[0].upper() + met[1:]).replace(" a el ", " al ")


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """1,200 sentences; the focus is the first person."""
    path = tmp_path_factory.mktemp("obedience") / "met.tsv"
    rows = [
        f"{n}-{one}-{two}\tThe {one} saw the {two} yesterday on day {n}.\t{one}\t{'female' if n % 2 else 'male'}"
        for n in range(100)
        for one in FEMALE
        for two in FEMALE
        if one != two
    ]
    path.write_text("id\tsource\tfocus\tgold\n" + "\n".join(rows) + "\n", "utf-8")
    return path


def estimated(table: pl.DataFrame) -> dict[tuple[str, str], dict[str, float]]:
    return {(row["measure"], row["level"]): row for row in table.iter_rows(named=True)}


@pytest.mark.parametrize("ask", ["female", "source"])
def test_known_rates_of_obeying_and_disturbing_are_recovered(suite: Path, ask: str, tmp_path: Path) -> None:
    plain = audit(suite, Steered(), target="es", settings=Settings(resamples=300), memory=tmp_path / "memory")
    asked = audit(suite, Steered(), target="es", settings=Settings(ask=ask, resamples=300), memory=tmp_path / "memory")
    estimates, others = obedience(asked, plain)
    found = estimated(estimates)
    for measure, truth in (("obeyed", OBEYS), ("interference", DISTURBS)):
        row = found[measure, ""]
        assert row["low"] <= truth <= row["high"], (measure, row["value"])
    anyway = found["obeyed", "no"]
    assert anyway["low"] <= (FEMALE_BEFORE if ask == "female" else 0.5) <= anyway["high"]
    assert others["changed"].count() > 0.95 * 1_200
    assert asked.manifest.suite.version != plain.manifest.suite.version
    assert f"ask={ask},wishes-1" in asked.manifest.suite.version


def test_a_system_that_does_not_listen_and_is_male_anyway_shows_what_it_does_unasked(
    suite: Path, tmp_path: Path
) -> None:
    class Deaf(Steered):
        """Asked for men, it "obeys" in every sentence."""

        name, fingerprint = "deaf", "deaf-1"

        def text(self, request: Request) -> str:
            words = request.text.rstrip(".").split()
            return f"{MALE[words[1]].capitalize()} vio ayer al {MALE[words[4]].split()[1]} el día {words[-1]}."

    settings, memory = Settings(resamples=200), tmp_path / "memory"
    audit(suite, Deaf(), target="es", settings=settings, memory=memory, output=tmp_path / "plain")
    asked = Settings(ask="male", resamples=200)
    audit(suite, Deaf(), target="es", settings=asked, memory=memory, output=tmp_path / "asked")
    told = evenhand("obedience", "asked", "plain", folder=tmp_path).stdout
    assert "the gender was given in 1.000 of the renderings; without asking it was there in 1.000" in told
    rows = json.loads(evenhand("obedience", "asked", "plain", "--json", folder=tmp_path).stdout)["estimates"]
    assert [row["value"] for row in rows if row["group"] == "asked"] == [1.0]


def test_a_run_that_asked_for_nothing_has_no_obedience(suite: Path, tmp_path: Path) -> None:
    plain = audit(suite, Steered(), target="es", settings=Settings(resamples=200), memory=tmp_path / "memory")
    with pytest.raises(BadInput, match="this run requested no gender"):
        obedience(plain, plain)


def test_a_system_that_cannot_be_asked_is_refused_before_anything_is_sent(suite: Path) -> None:
    sent: list[str] = []

    def translate(texts: list[str]) -> list[str]:
        sent.extend(texts)
        return texts

    with pytest.raises(BadInput, match="cannot be asked for female: it cannot be asked for any"):
        audit(suite, translate, target="es", settings=Settings(ask="female"))
    with pytest.raises(BadInput, match="cannot be asked for neutral: it can be asked for female, male"):
        audit(suite, Steered(), target="es", settings=Settings(ask="neutral"))
    with pytest.raises(Unknown, match="gender to ask for"):
        audit(suite, Steered(), target="es", settings=Settings(ask="womanly"))
    assert not sent


def test_a_plan_that_asks_is_frozen_and_carried_out_so(tmp_path: Path) -> None:
    """A system that cannot be asked is refused by the plan already; the audit need not say again what it asks for."""
    (tmp_path / "own.tsv").write_text(
        "id\tsource\tfocus\tconcept\n1\tThe cook sat down.\tcook\tcook\n2\tThe doctor left.\tdoctor\tdoctor\n", "utf-8"
    )
    (tmp_path / "es.tsv").write_text("id\trendering\n1\tEl cocinero se sentó.\n2\tEl doctor se fue.\n", "utf-8")
    memory = {"EVENHAND_MEMORY": str(tmp_path / "memory.sqlite")}

    def typed(*arguments: str) -> CompletedProcess[str]:
        return evenhand(*arguments, folder=tmp_path, environment=memory)

    refused = typed("plan", "own.tsv", "-s", "file:es.tsv", "-t", "es", "--ask", "female")
    assert refused.returncode == 2
    assert "cannot be asked for female" in refused.stderr
    asked = ("own.tsv", "-s", "mended:file:es.tsv", "-t", "es", "--ask", "female")
    planned = typed("plan", *asked, "--freeze", "plan.toml", "--confirm", "obeyed")
    assert planned.returncode == 0, planned.stderr
    audited = typed("audit", "--plan", "plan.toml", "-o", "run", "--json", "--no-report")
    assert audited.returncode == 0, audited.stderr
    values = {row["measure"]: row["value"] for row in json.loads(audited.stdout)["estimates"] if row["group"] == "all"}
    assert values["obeyed"] == 1.0


def test_a_suite_without_gold_cannot_ask_for_the_source_s_gender() -> None:
    with pytest.raises(BadInput, match="no gold gender"):
        audit(load_suite("speaker"), Steered(), target="es", settings=Settings(ask="source"))


class Served:
    """A service, and what the last call held."""

    def __init__(self, service: Service) -> None:
        self.service = service

    def ask(self, spec: str, *requests: Request, **settings: str) -> list[str]:
        system = open_system(spec.format(url=self.service.url), **settings)
        return [answer.text for answer in asyncio.run(Dispatcher(system, None).run(list(requests)))]


@pytest.fixture(params=[DeepLServer, OpenAIServer, AzureLlmServer])
def served(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setenv("DEEPL_AUTH_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("AZURE_TEXT_TRANSLATION_APIKEY", KEY)
    monkeypatch.setenv("AZURE_TEXT_TRANSLATION_REGION", "westeurope")
    with request.param() as service:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{service.url}/v1")
        yield Served(service)


WISH = "The doctor is a woman."
SPECS = {DeepLServer: "deepl:{url}", OpenAIServer: "openai:gpt-test", AzureLlmServer: "azure-llm:gpt-4o"}


def test_each_service_is_asked_in_its_own_way_and_plain_questions_stay_plain(served: Served) -> None:
    """DeepL: custom_instructions; a chat model: the end of the system message; Azure: the target's gender."""
    spec = SPECS[type(served.service)]
    settings = {"url": served.service.url} if spec.startswith("azure") else {}
    asked = Request("The doctor arrived.", "en", "es", ask="female", wish=WISH)
    served.ask(spec, asked, **settings)
    body = served.service.bodies[-1]
    if isinstance(served.service, DeepLServer):
        assert item(body, "custom_instructions") == [WISH]
        served.ask(spec, asked, ask_by="context")
        assert item(served.service.bodies[-1], "context") == WISH
        assert item(served.service.bodies[-1], "custom_instructions") is None
    elif isinstance(served.service, OpenAIServer):
        messages = item(body, "messages")
        assert isinstance(messages, list)
        assert str(item(messages[0], "content")).endswith(WISH)
    else:
        assert genders(body) == ["female"]
    served.ask(spec, Request("The doctor arrived.", "en", "es"), **settings)
    plain = str(served.service.bodies[-1])
    assert WISH not in plain
    assert "gender" not in plain


def genders(body: object) -> list[object]:
    inputs = item(body, "inputs")  # type: ignore[arg-type]
    assert isinstance(inputs, list)
    targets = [item(one, "targets") for one in inputs]
    return [item(target, "gender") for each in targets if isinstance(each, list) for target in each]


def test_mended_pocket_gives_the_focus_what_is_asked_and_leaves_the_other_person_alone(tmp_path: Path) -> None:
    suite = load_suite("occupations-coreference").only(["occupation=cook"])
    plain = audit(suite, "pocket", target="es", settings=Settings(resamples=200), memory=tmp_path / "memory")
    asked = audit(
        suite, "mended:pocket", target="es", settings=Settings(ask="female", resamples=200), memory=tmp_path / "memory"
    )
    estimates, others = obedience(asked, plain)
    assert estimated(estimates)["obeyed", ""]["value"] >= 0.9
    assert others["changed"].sum() == 0


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("1.1", "1.1"),
        ("1.1[sector=healthcare]", "1.1, only sector healthcare"),
        ("1.0[verb_class=feminine,gold=]", "1.0, only verb class feminine and gold empty"),
        ("1.0[context=before]", "1.0, one sentence at a time, those before it as context"),
        (
            f"2[stereotype=pro][ask=source,wishes-{VERSION}]",
            "2, only stereotype pro, asked for the gender of the source",
        ),
        ("1[something else]", "1, [something else]"),
    ],
)
def test_the_marks_of_a_version_are_read_as_words(version: str, words: str) -> None:
    assert version_words(version) == words
