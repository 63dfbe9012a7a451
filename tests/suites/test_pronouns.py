"""The pronoun suites: every sentence a native reader would accept, and the published Korean corpus line by line.

Run with `-o log_cli=true --log-cli-level=INFO` to read 30 random sentences of each language.
"""

from __future__ import annotations

import logging
import random
import re
import shutil
import subprocess
import unicodedata
from itertools import product
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand import tsv
from evenhand.errors import BadInput
from evenhand.suites.pronouns import korean
from evenhand.suites.pronouns.lexicon import LEXICON, expressions, frames, items, occupations
from evenhand.suites.pronouns.suites import LANGUAGES, definite
from evenhand.suites.pronouns.suites import occupations as hungarian_occupations
from evenhand.suites.pronouns.suites import probes as probes_of
from evenhand.suites.suite import Grouping

LOG = logging.getLogger(__name__)
ATTRIBUTES = ["concept", "kind", "polarity", "occupation", "isco08", "sector", "template"]
SENTENCE = {
    "ko": r"(걔는|그 사람은) \S.*[가-힣]",
    "hu": r"Ő \S.*\.",
    "tr": r"O \S.*\.",
    "fi": r"Hän on \S.*\.",
    "eu": r"(Hura|Pertsona hura) \S.*a da\.",
    "et": r"Ta on \S.*\.",
    "fa": r"او \S.*( |ا|و)ا?ست\.",
    "id": r"Dia \S.*\.",
    "ja": r"あの人は\S+。",
}
APERTIUM_BASQUE = Path("/usr/share/apertium/apertium-eu-en/eu-en.automorf.bin")

every_language = pytest.mark.parametrize("language", LANGUAGES)


@pytest.fixture(scope="module")
def probes(request: pytest.FixtureRequest) -> pl.DataFrame:
    table = probes_of(request.param)
    assert isinstance(table, pl.DataFrame)
    return table


def with_probes(*languages: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        ("probes", "language"), [(code, code) for code in languages or LANGUAGES], indirect=["probes"]
    )


@with_probes()
def test_thirty_random_sentences_can_be_read_in_the_log(probes: pl.DataFrame, language: str) -> None:
    rows = probes.select("source", "english").rows()
    for source, english in random.Random(language).sample(rows, 30):
        LOG.info("%s  %s  (%s)", language, source, english)
    assert len({source for source, _ in rows}) == len(rows), "two probes ask the same"


@with_probes()
def test_every_sentence_has_the_shape_of_its_language(probes: pl.DataFrame, language: str) -> None:
    for source in probes["source"]:
        assert re.fullmatch(SENTENCE[language], source), source
        assert unicodedata.normalize("NFC", source) == source
        assert "  " not in source
        assert not re.search(r"[{}]|None", source)


@with_probes()
def test_the_focus_is_the_pronoun_in_code_points(probes: pl.DataFrame, language: str) -> None:
    assert probes["id"].is_unique().all()
    assert probes["source_lang"].unique().to_list() == [language]
    for source, focus, start, end in probes.select("source", "focus", "focus_start", "focus_end").iter_rows():
        assert source[start:end] == focus
        assert start == 0


@with_probes()
def test_attributes_are_null_only_where_they_make_no_sense(probes: pl.DataFrame, language: str) -> None:
    assert set(ATTRIBUTES) <= set(probes.columns)
    assert ("formality" in probes.columns) == (language == "ko")
    assert ("politeness" in probes.columns) == (language in ("ko", "ja"))
    jobs = probes.filter(pl.col("kind") == "occupation")
    polar = probes.filter(pl.col("kind") != "occupation")
    assert (jobs["occupation"] == jobs["concept"]).all()
    assert jobs["polarity"].null_count() == jobs.height
    assert jobs["isco08"].str.contains(r"^\d{4}$").all()
    assert jobs["sector"].null_count() == 0
    assert (polar["polarity"] == polar["kind"]).all()
    assert polar["occupation"].null_count() == polar.height
    assert probes["template"].null_count() == 0


@with_probes()
def test_there_are_as_many_concepts_as_the_study_needs(probes: pl.DataFrame, language: str) -> None:
    counts = dict(probes.group_by("kind").agg(pl.col("concept").n_unique()).iter_rows())
    needed = (735, 124, 200) if language == "ko" else (150, 30, 30)
    assert counts["occupation"] >= needed[0]
    assert counts["positive"] >= needed[1]
    assert counts["negative"] >= needed[2]


@every_language
def test_every_language_covers_the_core_expressions(language: str) -> None:
    core = expressions().filter(pl.col("core") == "1")
    assert core.group_by("polarity").len()["len"].min() >= 30  # type: ignore[operator]
    assert set(core["concept"]) <= set(items(language)["concept"])


@pytest.mark.parametrize("language", ["tr", "fi", "et", "fa", "id", "ja"])
def test_core_occupations_are_covered(language: str) -> None:
    forms = tsv.frame(LEXICON / "forms" / f"{language}.tsv")
    core = occupations().filter(pl.col("core") == "1")["concept"]
    assert forms["concept"].is_in(core.to_list()).sum() >= 170


def test_no_expression_is_in_two_classes() -> None:
    table = expressions()
    assert table["concept"].is_unique().all()
    assert table["english"].is_unique().all()
    assert set(table["polarity"]) == {"positive", "negative"}
    assert not set(table["concept"]) & set(occupations()["concept"])


@with_probes("fa")
def test_persian_uses_persian_letters_and_joins_them_properly(probes: pl.DataFrame, language: str) -> None:
    for source in probes["source"]:
        assert not re.search("[\u064a\u0643\u0649\u0640]", source), (
            f"Arabic yeh, kaf or a tatweel in {source} ({language})"
        )
        assert not re.search("\u200c( |$|\\.)|(^| )\u200c|\u200c\u200c", source), source
        # A non-joiner belongs inside a word: letters on both sides.
        for match in re.finditer("\u200c", source):
            assert source[match.start() - 1].isalpha()
            assert source[match.end()].isalpha()


@with_probes("ja")
def test_japanese_takes_the_copula_its_word_class_asks_for(probes: pl.DataFrame, language: str) -> None:
    classes = dict(items(language).select("concept", "word_class").iter_rows())
    for concept, politeness, source in probes.select("concept", "politeness", "source").iter_rows():
        ending = source.removesuffix("。")
        if politeness == "polite":
            assert re.search(r"(です|ます|ません)$", ending), source
            assert not ending.endswith("だです")
        elif classes[concept] == "i":
            assert ending.endswith("い"), source
        elif classes[concept] == "verb":
            assert re.search(r"(る|ない)$", ending), source
        else:
            assert ending.endswith("だ"), source
            assert classes[concept] == "noun" or not ending.endswith("いだ"), source


# Korean


@pytest.fixture(scope="module")
def published_sentences(shared_data: Path) -> pl.DataFrame:
    """The study's sentences from its lexicon by our rules, in its spelling (의사에요 for 의사예요)."""
    rows = []
    for name, kind in (("job", "occupation"), ("neg", "negative"), ("pos", "positive")):
        lexicon = [line for line in lines(shared_data / "tgbi" / "original" / f"{name}.txt") if line.strip()]
        for frame, line in product(frames("pronouns-korean", "ko"), lexicon):
            polite = frame["politeness"] == "polite"
            if kind == "occupation":
                predicate = korean.with_copula(line, polite=polite)
            else:
                bare = re.sub("^(?:[걔개]는|그 사람은) ", "", line)  # 개는 is a misprint in one published line
                predicate = korean.polite_predicate(bare) if polite else bare
            predicate = re.sub("예요$", "에요", predicate)
            source = (frame["template"] or "").format(impolite=predicate, polite=predicate)
            rows.append((kind, frame["formality"], frame["politeness"], source))
    return pl.DataFrame(rows, schema=["kind", "formality", "politeness", "source"], orient="row")


def test_the_published_corpus_regenerates_line_by_line(shared_data: Path, published_sentences: pl.DataFrame) -> None:
    equal = 0
    for name, kind in (("job", "occupation"), ("neg", "negative"), ("pos", "positive")):
        for form, formality in (("inf", "informal"), ("f", "formal")):
            for end, politeness in (("imp", "impolite"), ("p", "polite")):
                some = published_sentences.filter(kind=kind, formality=formality, politeness=politeness)
                published = lines(shared_data / "tgbi" / "sets" / f"{name}_{form}_{end}.txt")
                assert some["source"].to_list() == published
                equal += len(published)
    assert equal == published_sentences.height == 4236


def test_the_seven_sets_are_groups_over_attributes(shared_data: Path, published_sentences: pl.DataFrame) -> None:
    sets = Grouping("sets", levels=korean.SET_LEVELS).filters(published_sentences)
    files = ["set1_informal", "set2_formal", "set3_impolite", "set4_polite", "set5_neg", "set6_pos", "set7_job"]
    for file, condition in zip(files, sets.values(), strict=True):
        published = lines(shared_data / "tgbi" / "sets" / f"{file}.txt")
        assert published_sentences.filter(condition)["source"].to_list() == published
    membership = published_sentences.select(n=pl.sum_horizontal([c.cast(pl.Int8) for c in sets.values()]))
    assert membership["n"].unique().to_list() == [3]


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def test_our_endings_are_the_standard_ones() -> None:
    assert [korean.with_copula(noun, polite=True) for noun in ("의사", "경찰관")] == ["의사예요", "경찰관이에요"]
    impolite = ["못됐어", "긍정적이야", "침착해"]
    assert [korean.polite_predicate(end) for end in impolite] == ["못됐어요", "긍정적이에요", "침착해요"]


def test_korean_copulas_agree_with_tossi() -> None:
    tossi = pytest.importorskip("tossi")
    table = items("ko").filter(pl.col("kind") == "occupation")
    for noun in table["form"]:
        assert korean.with_copula(noun, polite=False) == tossi.postfix(noun, "이야")
        assert korean.with_copula(noun, polite=True) == tossi.postfix(noun, "이에요")
    for pronoun, particle in (("걔", "는"), ("그 사람", "은")):
        assert tossi.postfix(pronoun, "은") == pronoun + particle


def test_korean_polite_predicates_agree_with_kiwi() -> None:
    """Kiwi splits the impolite sentence into morphemes; with 어요 as the last one it must come to our polite form."""
    kiwi = pytest.importorskip("kiwipiepy").Kiwi()
    tossi = pytest.importorskip("tossi")
    table = probes_of("ko").filter((pl.col("kind") != "occupation") & (pl.col("formality") == "informal"))
    pairs = table.pivot("politeness", index="concept", values="source").select("impolite", "polite").rows()
    assert len(pairs) >= 324
    for impolite, polite in pairs:
        tokens = kiwi.tokenize(impolite + ".")[:-1]  # the full stop says that the sentence ends here
        assert tokens[-1].tag in ("EF", "EC"), impolite  # 어 ends a sentence or joins two
        if tokens[-2].tag == "VCP" or tokens[-1].form == "야":
            noun = impolite[: tokens[-2].start + (0 if tokens[-2].tag == "VCP" else tokens[-2].len)]
            assert polite == tossi.postfix(noun, "이에요"), impolite
        else:
            joined = kiwi.join([*((t.form, t.tag) for t in tokens[:-1]), ("어요", "EF")])
            assert joined.replace(" ", "") == polite.replace(" ", ""), impolite


@given(st.text(alphabet=st.characters(min_codepoint=ord("가"), max_codepoint=ord("힣")), min_size=1, max_size=6))
def test_the_copula_follows_the_decomposed_last_syllable(noun: str) -> None:
    """Canonical decomposition gives two letters for an open syllable and three for a closed one."""
    closed = len(unicodedata.normalize("NFD", noun[-1])) == 3
    assert korean.with_copula(noun, polite=False) == noun + ("이야" if closed else "야")
    assert korean.with_copula(noun, polite=True) == noun + ("이에요" if closed else "예요")


def test_letters_digits_and_brackets_are_read_aloud() -> None:
    assert korean.with_copula("PD", polite=True) == "PD예요"
    assert korean.with_copula("MC(진행자)", polite=True) == "MC(진행자)예요"
    assert korean.with_copula("XML", polite=True) == "XML이에요"
    with pytest.raises(BadInput, match="no last sound"):
        korean.with_copula("…", polite=True)


# Basque


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("mediku", "medikua"),
        ("idazle", "idazlea"),
        ("azkar", "azkarra"),
        ("poeta", "poeta"),
        ("abeslari", "abeslaria"),
        ("bikain", "bikaina"),
        ("ikuspegi estuko", "ikuspegi estukoa"),
    ],
)
def test_the_basque_article_follows_the_stem(form: str, expected: str) -> None:
    assert definite(form) == expected


@pytest.mark.apertium
def test_basque_definite_forms_are_read_back_by_apertium() -> None:
    """Where Apertium's analyser knows the word, it must find our stem and the singular article in it."""
    if not APERTIUM_BASQUE.exists() or shutil.which("lt-proc") is None:
        pytest.skip("needs apertium-eu-en and lt-proc")
    stems = [form for form in items("eu")["form"] if " " not in form and "-" not in form]
    text = "\n".join(definite(stem) for stem in stems)
    analysed = subprocess.run(
        ["lt-proc", str(APERTIUM_BASQUE)], input=text, capture_output=True, text=True, check=True
    ).stdout.split("\n")
    known = [(stem, line) for stem, line in zip(stems, analysed, strict=True) if "/*" not in line]
    assert len(known) >= 100
    wrong = [
        (stem, line) for stem, line in known if not re.search(rf"/{re.escape(stem)}<[^/]*(\+a<det><art><sg>)", line)
    ]
    assert wrong == []


# Hungarian occupations


def test_hungarian_adjective_variants_point_to_their_plain_sentence() -> None:
    table = hungarian_occupations()
    sources = dict(table.select("id", "source").iter_rows())
    assert table["occupation"].n_unique() >= 500
    assert table["template"].n_unique() == 7
    for base, adjective, source in table.select("base", "adjective", "source").iter_rows():
        assert (base is None) == (adjective is None)
        if base is not None:
            assert source.replace(f"{adjective} ", "", 1) == sources[base]
            assert sources[base].startswith("ő egy ")
    assert set(table["adjective"].drop_nulls()) == {"jó", "nagyon jó", "rossz", "nagyon rossz"}
