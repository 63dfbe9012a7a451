"""Reading and writing vector files: every format, every kind of damage."""

from __future__ import annotations

import gzip
import json
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.embeddings.files import load_vectors, save_vectors
from evenhand.embeddings.vectors import Vectors, WordMatch
from evenhand.errors import BadInput

GOOD = "3 2\nuno 1 0\ndos 0.5 -1.25\ntres -3e-2 7\n"


def written(folder: Path, text: str | bytes, name: str = "v.vec") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_the_numbers_are_those_python_reads_from_the_text(shared_data: Path, mini_es: Vectors) -> None:
    lines = (shared_data / "embeddings" / "wiki.es.aligned.mini.vec").read_text(encoding="utf-8").splitlines()[1:]
    assert list(mini_es.words) == [line.split(" ")[0] for line in lines]
    for row, line in zip(mini_es.matrix, lines, strict=True):
        assert row.tolist() == np.array(line.split()[1:], dtype=np.float64).astype(np.float32).tolist()


@pytest.mark.parametrize(
    "ending", ["vec", "txt", "vec.gz", "vec.xz", "vec.zst", "glove", "bin", "bin.gz", "npy", "safetensors"]
)
def test_every_format_gives_back_the_same_bits(tmp_path: Path, mini_es: Vectors, ending: str) -> None:
    if ending.endswith("zst"):
        pytest.importorskip("zstandard")
    save_vectors(mini_es, tmp_path / f"out.{ending}")
    again = load_vectors(tmp_path / f"out.{ending}")
    assert list(again.words) == list(mini_es.words)
    assert np.array_equal(again.matrix.view(np.uint32), np.asarray(mini_es.matrix).view(np.uint32))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.text(st.characters(exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp")), min_size=1, max_size=6),
            st.lists(st.floats(-1e6, 1e6, width=32), min_size=3, max_size=3),
        ),
        min_size=1,
        max_size=8,
        unique_by=lambda entry: entry[0],
    )
)
def test_any_vocabulary_survives_text(
    tmp_path_factory: pytest.TempPathFactory, entries: list[tuple[str, list[float]]]
) -> None:
    entries = [(word, values) for word, values in entries if any(values)] or [("w", [1.0, 2.0, 3.0])]
    vectors = Vectors([w for w, _ in entries], np.array([v for _, v in entries], dtype=np.float32))
    path = tmp_path_factory.mktemp("text") / "v.vec"
    save_vectors(vectors, path)
    again = load_vectors(path)
    assert list(again.words) == list(vectors.words)
    assert np.array_equal(again.matrix, vectors.matrix)


def test_a_file_without_header_is_glove(tmp_path: Path) -> None:
    vectors = load_vectors(written(tmp_path, GOOD.split("\n", 1)[1], "glove.txt"))
    assert (vectors.notes.format, len(vectors), vectors.dim) == ("GloVe text", 3, 2)


def test_a_cut_first_line_does_not_set_the_dimension_of_a_file_without_header(tmp_path: Path) -> None:
    path = written(tmp_path, "uno 1 2\ndos 1 2 3\nNew York 4 5 6\ntres 7 8 9\n", "glove.txt")
    with pytest.raises(BadInput, match="line 1: 2 numbers, expected 3"):
        load_vectors(path)
    assert list(load_vectors(path, bad_lines="skip").words) == ["dos", "New York", "tres"]


def test_trailing_spaces_and_windows_line_ends_are_read(tmp_path: Path) -> None:
    vectors = load_vectors(written(tmp_path, "2 2 \r\nuno 1 2 \r\ndos 3 4 \r\n"))
    assert vectors.matrix.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("9 2\nuno 1 0\ndos 0 1\n", 1, "promises 9 vectors, the file has 2"),
        ("1 2\nuno 1 0\ndos 0 1\n", 1, "promises 1 vectors, the file has 2"),
        ("2 2\nuno 1 0\ndos nan 1\n", 3, "NaN"),
        ("2 2\nuno 1 0\ndos inf 1\n", 3, "infinity"),
        ("2 2\nuno 1 0\ndos 1\n", 3, "1 numbers, expected 2"),
        ("2 2\nuno 1 0\ndos 1 2 3\n", 3, "more than the expected 2 numbers"),
        ("2 3\nuno 1 0\ndos 0 1\n", 2, "2 numbers, expected 3"),
        ("2 2\nuno 1 0\ndos 1 x\n", 3, "not a number"),
    ],
)
def test_damage_is_refused_with_its_line(tmp_path: Path, text: str, line: int, said: str) -> None:
    with pytest.raises(BadInput, match=said) as raised:
        load_vectors(written(tmp_path, text))
    assert f"line {line}" in str(raised.value)


def test_damage_is_counted_when_the_user_says_so(tmp_path: Path) -> None:
    vectors = load_vectors(written(tmp_path, "5 2\nuno 1 0\ndos nan 1\ntres 1\ncuatro 0 1\n"), bad_lines="skip")
    assert list(vectors.words) == ["uno", "cuatro"]
    assert [line for line, _ in vectors.notes.bad.places] == [3, 4]
    told = " ".join(vectors.notes.warnings())
    assert "2 malformed lines" in told
    assert "promises 5 vectors, the file has" in told


def test_zero_vectors_and_repeated_words_are_left_out_and_named(tmp_path: Path) -> None:
    vectors = load_vectors(written(tmp_path, "4 2\nuno 1 0\nnada 0 0\nuno 9 9\ndos 0 1\n"))
    assert list(vectors.words) == ["uno", "dos"]
    assert vectors["uno"].tolist() == [1, 0]
    assert vectors.notes.zero.places == [(3, "nada")]
    assert vectors.notes.duplicates.places == [(4, "uno")]
    again = load_vectors(tmp_path / "v.vec")
    assert again.notes.warnings() == vectors.notes.warnings(), "a cached load must repeat the warnings"


def test_words_with_spaces_are_kept_and_counted(tmp_path: Path) -> None:
    vectors = load_vectors(written(tmp_path, "2 2\nNew York 1 0\ndos 0 1\n"))
    assert list(vectors.words) == ["New York", "dos"]
    assert vectors.notes.spaced.places == [(2, "New York")]


@pytest.mark.parametrize("text", ["", "\n\n", "3 2\n"])
def test_an_empty_file_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadInput, match=r"empty|none follows"):
        load_vectors(written(tmp_path, text))


def test_a_cut_gzip_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="damaged or cut"):
        load_vectors(written(tmp_path, gzip.compress(GOOD.encode() * 50)[:-20], "v.vec.gz"))


def test_a_cut_binary_file_is_refused(tmp_path: Path, mini_es: Vectors) -> None:
    save_vectors(mini_es, tmp_path / "whole.bin")
    cut = written(tmp_path, (tmp_path / "whole.bin").read_bytes()[:-700], "cut.bin")
    with pytest.raises(BadInput, match="ends inside vector"):
        load_vectors(cut)


def test_a_fasttext_model_is_named_with_what_to_give_instead(tmp_path: Path) -> None:
    """`cc.es.300.bin` of fastText has the ending of word2vec's binary files."""
    (tmp_path / "cc.es.300.bin").write_bytes(struct.pack("<ii", 793712314, 12) + bytes(400))
    with pytest.raises(BadInput, match=r"fastText model .* \.vec file"):
        load_vectors(tmp_path / "cc.es.300.bin", cache=tmp_path)


def test_top_n_reads_the_most_frequent_words_only(tmp_path: Path) -> None:
    assert list(load_vectors(written(tmp_path, GOOD), top=2).words) == ["uno", "dos"]


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    assert load_vectors(path)["uno"].tolist() == [1, 0]
    path.write_text(GOOD.replace("uno 1 0", "uno 2 0"))
    assert load_vectors(path)["uno"].tolist() == [2, 0]


def test_a_damaged_cache_is_made_anew(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    path = written(tmp_path, GOOD)
    load_vectors(path, cache=cache)
    (copy,) = (tmp_path / "cache").glob("*.safetensors")
    copy.write_bytes(copy.read_bytes()[:-3])
    assert list(load_vectors(path, cache=cache).words) == ["uno", "dos", "tres"]
    assert list((tmp_path / "cache").iterdir()) == [copy]


def test_a_pickled_matrix_is_never_opened(tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    written(tmp_path, "uno\n", "v.vocab")
    with pytest.raises(BadInput, match=r"v\.npy"):
        load_vectors(tmp_path / "v.npy")


def test_matrix_files_without_their_words_say_where_to_put_them(tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", np.ones((2, 2), dtype=np.float32))
    with pytest.raises(BadInput, match=r"v\.vocab"):
        load_vectors(tmp_path / "v.npy")


def test_bfloat16_safetensors_are_read(tmp_path: Path) -> None:
    values = np.array([[1.0, -2.0], [0.5, 3.0]], dtype=np.float32)
    halves = (values.view(np.uint32) >> 16).astype("<u2").tobytes()
    header = json.dumps({"emb": {"dtype": "BF16", "shape": [2, 2], "data_offsets": [0, 8]}}).encode()
    written(tmp_path, struct.pack("<Q", len(header)) + header + halves, "v.safetensors")
    written(tmp_path, "uno\ndos\n", "v.vocab")
    assert load_vectors(tmp_path / "v.safetensors").matrix.tolist() == values.tolist()


def test_an_unknown_ending_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="Known endings"):
        load_vectors(written(tmp_path, GOOD, "v.pkl"))


def test_case_and_accents_are_ignored_only_on_request() -> None:
    vectors = Vectors(["Lehrer", "él", "el"], np.eye(3, dtype=np.float32))
    assert "lehrer" not in vectors
    assert replace(vectors, match=WordMatch(case="ignore")).row("lehrer") == 0
    folding = replace(vectors, match=WordMatch(accents="ignore"))
    assert folding.row("el") == 2, "an exact match wins"
    assert folding.row("èl") == 1
    assert folding.find(["èl"]).words == ("èl",)


def test_objects_with_gensims_shape_are_taken_over_with_the_same_checks() -> None:
    class Keyed:
        index_to_key = ("uno", "nada", "uno")
        vectors = np.array([[1.0, 2.0], [0.0, 0.0], [3.0, 4.0]])

    taken = Vectors.from_gensim(Keyed())
    assert list(taken.words) == ["uno"]
    assert (taken.notes.zero.count, taken.notes.duplicates.count) == (1, 1)
    Keyed.vectors = np.array([[np.nan, 2.0], [1.0, 0.0], [3.0, 4.0]])
    with pytest.raises(BadInput, match="NaN"):
        Vectors.from_gensim(Keyed())


def test_a_list_without_a_word_in_the_vocabulary_is_an_error(mini_es: Vectors) -> None:
    with pytest.raises(BadInput, match="0 of 2 nouns have a vector"):
        mini_es.need(["Tisch", "Stuhl"], "nouns")
    with pytest.raises(BadInput, match="empty"):
        mini_es.need([], "nouns")
