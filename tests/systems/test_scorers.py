"""Scorers: what a user brings, metrics, pocket, and a server that answers as vLLM does, also when it misbehaves."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import polars as pl
import pytest
from tests.systems.servers.base import KEY, Denied, Json, Service, item, strings

from evenhand.errors import BadInput, BadReply, Refused, Unknown
from evenhand.systems import Dispatcher, Memory, Request, blocking
from evenhand.systems.scoring import Scale, Score, Scorer, ScoringSystem, open_scorer, read_score


def ask(scorer: Scorer, *requests: Request, memory: Memory | None = None) -> list[Score]:
    system = ScoringSystem(scorer)
    answers = blocking(lambda: Dispatcher(system, memory).run(requests))
    return [read_score(answer.text) for answer in answers]


def pair(rendering: str = "Estoy cansada.", *, probe: str | None = None, reference: str | None = None) -> Request:
    return Request("I am tired.", "en", "es", rendering=rendering, probe=probe, reference=reference)


# What a user brings


def test_a_function_gets_sources_and_renderings_and_the_memory_keeps_its_scores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_scores.py").write_text(
        "calls = []\n"
        "def length(sources, renderings, references=None, target=''):\n"
        "    calls.append((sources, renderings, target))\n"
        "    return [len(r) / 100 for r in renderings]\n"
    )
    monkeypatch.chdir(tmp_path)
    scorer = open_scorer("python:my_scores:length")
    with Memory(tmp_path / "m.db") as memory:
        first = ask(scorer, pair(), pair(rendering="Estoy cansado ya."), memory=memory)
        again = ask(scorer, pair(), pair(rendering="Estoy cansado ya."), memory=memory)
    assert [score.value for score in first] == [0.14, 0.17]
    assert again == first
    assert sys.modules["my_scores"].calls == [(["I am tired."] * 2, ["Estoy cansada.", "Estoy cansado ya."], "es")]


def test_scores_of_two_references_are_two_questions(tmp_path: Path) -> None:
    scorer = open_scorer("chrF")
    with Memory(tmp_path / "m.db") as memory:
        same, other = ask(scorer, pair(reference="Estoy cansada."), pair(reference="Llueve mucho hoy."), memory=memory)
    assert same.value == pytest.approx(100)
    assert other.value < 30


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("return [1.0]", "was given 2 renderings and returned 1"),
        ("return [1.0, 'good']", "number 2 is 'good'"),
        ("return [1.0, float('nan')]", "which is not a number"),
        ("return 3", "must return a list of numbers, not int"),
        ("raise RuntimeError('no memory')", "raised RuntimeError: no memory"),
    ],
)
def test_a_function_that_gives_no_scores_is_one_clear_error(
    code: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"bad_scores_{abs(hash(code))}"
    (tmp_path / f"{name}.py").write_text(f"def score(sources, renderings):\n    {code}\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Exception, match=message):
        ask(open_scorer(f"python:{name}:score"), pair(), pair(rendering="Otra."))


def test_a_program_reads_source_tab_rendering_and_writes_a_number_a_line(tmp_path: Path) -> None:
    requests = pair(), pair(rendering="Estoy\tcansado\nya.")
    scores = ask(open_scorer("command:awk -F'\\t' '{print NF + length($2) / 100}'"), *requests)
    assert [score.value for score in scores] == [2.14, 2.17]


def test_a_file_by_pair_is_matched_by_id_and_half(tmp_path: Path) -> None:
    path = tmp_path / "scores.tsv"
    path.write_text("id\tfeminine\tmasculine\na\t0.7\t0.9\n")
    scorer = open_scorer(f"file:{path}")
    ScoringSystem(scorer).bind(pl.DataFrame({"id": ["a"], "feminine": ["Ella."], "masculine": ["Él."]}))
    scores = ask(scorer, pair(rendering="Ella.", probe="a"), pair(rendering="Él.", probe="a"))
    assert [score.value for score in scores] == [0.7, 0.9]
    with pytest.raises(BadInput, match=r"no score of 'Ella\.' \(pair 'b'\)"):
        ask(scorer, pair(rendering="Ella.", probe="b"))


def test_a_file_by_text_is_matched_by_source_and_rendering(tmp_path: Path) -> None:
    path = tmp_path / "scores.tsv"
    path.write_text("source\trendering\tqe\nI am tired.\tEstoy cansada.\t3.5\n")
    scorer = open_scorer(f"file:{path}", column="qe", better="lower", highest="25")
    assert ask(scorer, pair())[0].value == 3.5
    assert scorer.scale.turned(3.5) == 21.5


# Who cannot be asked says so


def test_a_system_that_only_translates_says_so_in_one_sentence() -> None:
    with pytest.raises(BadInput, match=r"libretranslate.* cannot score a given translation"):
        open_scorer("libretranslate:http://127.0.0.1:1")


@pytest.mark.parametrize(
    ("spec", "settings", "message"),
    [
        ("comet:model.ckpt", {}, "pip install unbabel-comet"),
        ("file:scores.tsv", {"better": "more"}, "better"),
        ("python:nowhere:score", {}, "nowhere"),
    ],
)
def test_what_is_missing_is_named(spec: str, settings: Mapping[str, str], message: str) -> None:
    with pytest.raises((BadInput, Unknown), match=message):
        open_scorer(spec, **settings)


def test_a_metric_with_a_reference_says_so_where_there_is_none() -> None:
    with pytest.raises(BadInput, match="no column reference"):
        ask(open_scorer("BLEU"), pair())


def test_a_score_outside_its_range_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "scores.tsv"
    path.write_text("source\trendering\tscore\nI am tired.\tEstoy cansada.\t1.5\n")
    with pytest.raises(BadReply, match=r"1\.5 from 0 to 1"):
        ask(open_scorer(f"file:{path}", lowest="0", highest="1"), pair())


def test_a_scale_is_turned_only_where_lower_is_better() -> None:
    assert Scale().turned(-3.0) == -3.0
    assert Scale("score", "lower", (-math.inf, math.inf)).turned(2.0) == -2.0


# Models


def test_pocket_scores_what_it_says_itself_higher_than_anything_else() -> None:
    pytest.importorskip("evenhand_pocket")
    good, bad = ask(
        open_scorer("pocket"),
        Request("I am a doctor.", "en", "de", rendering="Ich bin Arzt."),
        Request("I am a doctor.", "en", "de", rendering="Der Zug fährt ab."),
    )
    assert bad.value < good.value < 0
    assert good.tokens > 2


def test_a_score_of_pocket_does_not_depend_on_what_else_is_asked() -> None:
    pytest.importorskip("evenhand_pocket")
    asked = [
        Request("I am a doctor.", "en", "de", rendering=text)
        for text in ("Ich bin Ärztin.", "Ich bin Arzt.", "Ich bin ein guter Arzt und komme gleich.")
    ]
    together = ask(open_scorer("pocket"), *asked)
    assert together == [ask(open_scorer("pocket"), one)[0] for one in asked]


class Vllm(Service):
    """POST /v1/completions with prompt_logprobs: a word a token, the log-probability minus its length / 10."""

    wrong_key = (401, {"error": {"message": "Unauthorized"}})
    fault = ""

    def check_key(self, headers: Mapping[str, str], body: Json) -> None:
        if headers.get("authorization") != f"Bearer {self.key}":
            raise Denied(*self.wrong_key)

    def texts(self, path: str, query: Mapping[str, str], body: Json) -> list[str]:
        if path != "/v1/completions" or item(body, "prompt_logprobs") != 0 or self.fault == "refused":
            raise Denied(400, {"error": {"message": "prompt_logprobs is not supported"}})
        return strings(item(body, "prompt"))

    def translated(self, text: str) -> str:
        return text

    def reply(self, translations: list[str], query: Mapping[str, str], body: Json) -> Json:
        choices: list[Json] = []
        for index, prompt in enumerate(translations):
            words = prompt.split()
            tokens: list[Json] = [None]
            tokens += [{str(len(word)): {"logprob": -len(word) / 10, "rank": 1}} for word in words[1:]]
            if self.fault == "missing" and index:
                tokens[2] = {}
            if self.fault == "wrong length":
                tokens = tokens[:3]
            choice: dict[str, Json] = {"index": index, "text": "", "prompt_logprobs": tokens}
            if self.fault == "no support":
                choice["prompt_logprobs"] = None
            choices.append(choice)
        if self.fault == "too few":
            choices = choices[1:]
        if self.fault == "numbered twice":
            choices = [{**choice, "index": 0} for choice in choices if isinstance(choice, dict)]
        return {"choices": choices}


@pytest.fixture
def vllm(monkeypatch: pytest.MonkeyPatch) -> Iterator[Vllm]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with Vllm() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        yield server


def test_the_log_probability_of_the_prompt_is_taken_off(vllm: Vllm) -> None:
    scores = ask(open_scorer("openai:tiny"), pair(), pair(rendering="Estoy muy cansado."))
    assert [score.tokens for score in scores] == [2, 3]
    assert [score.value for score in scores] == pytest.approx([-1.3, -1.6])
    assert len(vllm.bodies) == 1
    prompts = item(vllm.bodies[0], "prompt")
    assert prompts == [
        "English: I am tired.\nSpanish:",
        "English: I am tired.\nSpanish: Estoy cansada.",
        "English: I am tired.\nSpanish: Estoy muy cansado.",
    ]


@pytest.mark.parametrize(
    ("fault", "message", "kind"),
    [
        ("no support", "gives no prompt_logprobs; a vLLM server does", BadReply),
        ("missing", "no value for token 3 of 7", BadReply),
        ("wrong length", "of a wrong length: 3 for the prompt with 'Estoy cansada.', 3 for the prompt alone", BadReply),
        ("too few", "2 prompts were sent and 1 choices came back", BadReply),
        ("numbered twice", r"numbered \[0, 0\], not 0 to 1", BadReply),
        ("refused", "prompt_logprobs is not supported", Refused),
    ],
)
def test_a_server_that_cannot_or_misbehaves_is_one_clear_error(
    vllm: Vllm, fault: str, message: str, kind: type[Exception]
) -> None:
    vllm.fault = fault
    with pytest.raises(kind, match=message) as raised:
        ask(open_scorer("openai:tiny"), pair())
    assert KEY not in str(raised.value)
    assert len(vllm.bodies) == 1


def test_the_usual_address_is_refused_before_anything_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(BadInput, match="name your server by base_url"):
        open_scorer("openai:gpt-test")


def test_a_ctranslate2_model_gives_the_same_sums_as_the_library(tmp_path: Path) -> None:
    ctranslate2 = pytest.importorskip("ctranslate2")
    pocket = pytest.importorskip("evenhand_pocket.models")
    sentencepiece = pytest.importorskip("sentencepiece")
    folder = tmp_path / "model"
    folder.mkdir()
    names: Mapping[str, str] = {"pieces.model": "sentencepiece.model"}
    for file in (pocket.FOLDER / "out").iterdir():
        (folder / names.get(file.name, file.name)).symlink_to(file)
    text, rendering = "I am a doctor.", "Ich bin Ärztin."
    [score] = ask(
        open_scorer(f"ctranslate2:{folder}", compute_type="int8", threads=1),
        Request(text, "en", "de", rendering=rendering),
    )
    pieces: Callable[..., list[str]] = sentencepiece.SentencePieceProcessor(
        model_file=str(folder / "sentencepiece.model")
    ).encode
    model = ctranslate2.Translator(str(folder), "cpu", compute_type="int8")
    source = [">>de<<", *pieces(text, out_type=str), *_end(folder)]
    [expected] = model.score_batch([source], [pieces(rendering, out_type=str)])
    assert score.value == pytest.approx(sum(expected.log_probs), abs=1e-4)
    assert score.tokens == len(expected.log_probs)


def _end(folder: Path) -> list[str]:
    return [] if '"add_source_eos": true' in (folder / "config.json").read_text() else ["</s>"]
