"""Dictionaries and similarity sets as people publish them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.embeddings.alignment import read_dictionary
from evenhand.embeddings.utility import read_similarity
from evenhand.errors import BadInput

PAIRS = (("tiger", "cat", 7.35), ("New York", "city", 6.0), ("1984", "book", 10.0))


def written(folder: Path, text: str) -> Path:
    path = folder / "set.txt"
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize(
    "text",
    [
        "tiger\tcat\t7.35\nNew York\tcity\t6\n1984\tbook\t10\n",
        "Word 1\tWord 2\tHuman (mean)\ntiger\tcat\t7.35\nNew York\tcity\t6\n1984\tbook\t10\n",
        "# WordSim\r\ntiger;cat;7,35\r\nNew York;city;6\r\n1984;book;10\r\n",
        'word1,word2,score\n"tiger","cat",7.35\n"New York","city",6\n1984,book,10\n',
        "tiger, cat, 7.35\nNew York, city, 6\n1984, book, 10\n\n",
        "\ufeff7.35\ttiger\tcat\n6\tNew York\tcity\n10\t1984\tbook\n",
        "word1\tword2\tPOS\tSimLex999\tconc\ntiger\tcat\tN\t7.35\t4\nNew York\tcity\tN\t6\t5\n1984\tbook\tN\t10\t4\n",
        "w1,w2,Human (mean),1,2\ntiger,cat,7.35,7,8\nNew York,city,6,6,6\n1984,book,10,10,10\n",
        "ID\tWord 1\tWord 2\tScore\n1\ttiger\tcat\t7.35\n2\tNew York\tcity\t6\n3\t1984\tbook\t10\n",
        "1\ttiger\tcat\t7.35\n2\tNew York\tcity\t6\n3\t1984\tbook\t10\n",
    ],
)
def test_a_similarity_set_reads_the_same_in_every_dress(tmp_path: Path, text: str) -> None:
    assert read_similarity(written(tmp_path, text)) == PAIRS


def test_spaces_separate_where_nothing_else_does(tmp_path: Path) -> None:
    assert read_similarity(written(tmp_path, "sun  sunlight 50.0\ncar   automobile 49,5\n")) == (
        ("sun", "sunlight", 50.0),
        ("car", "automobile", 49.5),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\tb\tNA\nc\td\t2\ne\tf\t3\n", r"line 1 column 3: 'NA' is not a score"),
        ("a\tb\t1\nc\td\tnan\ne\tf\t3\n", r"line 2 column 3: 'nan' is not a score"),
        ("a\tb\t1\nc\td\t2\t9\ne\tf\t3\n", r"line 2: expected two words and a score, found 4 fields"),
        ("a\t\t1\nc\td\t2\ne\tf\t3\n", r"line 1: .*one of them is empty"),
        ("word1\tword2\tscore\n", "is not a score"),
        ("uno dos\ntres cuatro\n", "line 1: expected two words and a score, found 2 fields"),
    ],
)
def test_what_cannot_be_a_score_is_refused_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        read_similarity(written(tmp_path, text))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.text("abcéñ -'", min_size=1, max_size=8).filter(lambda w: bool(w.strip())),
            st.text("abcßœ -'", min_size=1, max_size=8).filter(lambda w: bool(w.strip())),
            st.floats(-100, 100),
        ),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from(["\t", ";"]),
    st.booleans(),
)
def test_any_words_and_scores_survive(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, float]], mark: str, headed: bool
) -> None:
    lines = [mark.join(("one", "two", "score"))] if headed else []
    lines += [mark.join((a.strip(), b.strip(), repr(score))) for a, b, score in rows]
    found = read_similarity(written(tmp_path_factory.mktemp("s"), "\n".join(lines) + "\n"))
    assert found == tuple((a.strip(), b.strip(), score) for a, b, score in rows)


@pytest.mark.parametrize(
    "text",
    [
        "house casa\nNueva-York new-york\nhouse casa\n",
        "house\tcasa\nNueva-York\tnew-york\n",
        "house;casa\nNueva-York;new-york\n",
        "house\tcasa\t0.93\r\nNueva-York\tnew-york\t0.5\r\n",
        "\ufeffhouse,casa\nNueva-York,new-york",
    ],
)
def test_a_dictionary_reads_the_same_in_every_dress(tmp_path: Path, text: str) -> None:
    assert read_dictionary(written(tmp_path, text)) == (("house", "casa"), ("Nueva-York", "new-york"))


def test_expressions_of_several_words_need_tabs(tmp_path: Path) -> None:
    assert read_dictionary(written(tmp_path, "sunset\tpuesta de sol\n")) == (("sunset", "puesta de sol"),)
    with pytest.raises(BadInput, match="line 1: expected two words, found 4"):
        read_dictionary(written(tmp_path, "sunset puesta de sol\nhouse casa\n"))


def test_a_few_broken_lines_are_counted_many_are_refused(tmp_path: Path) -> None:
    lines = [f"word{i} palabra{i}" for i in range(100)]
    told: list[str] = []
    path = written(tmp_path, "\n".join([*lines, "lonely", "a b c"]) + "\n")
    assert len(read_dictionary(path, told)) == 100
    assert "2 lines without two words left out, the first is 101: 'lonely'" in told[0]
    with pytest.raises(BadInput, match="line 101"):
        read_dictionary(path)
    with pytest.raises(BadInput, match="line 6"):
        read_dictionary(written(tmp_path, "\n".join([*lines[:5], "lonely"]) + "\n"), told)
