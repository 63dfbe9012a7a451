"""Person finders on a spaCy pipeline and on a token-classification model, both made here and loaded from disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.mining.tiny_lm import OTHERS, PERSONS

from evenhand.errors import BadInput
from evenhand.persons.finder import Finder, Outcome, open_finder

SENTENCES = {
    "The nurse works in a hospital.": "nurse",
    "The teachers sang.": "teachers",
    "The nurse and the teachers sang.": None,
    "My mother was a nurse.": None,
    "It was a good day.": None,
    "She was a nurse.": None,
}


def found(finder: Finder) -> dict[str, str | None]:
    said = zip(SENTENCES, finder.only(list(SENTENCES)), strict=True)
    return {s: s[f.start : f.end] if f.outcome is Outcome.KEPT else None for s, f in said}


def test_a_spacy_pipeline_tells_nouns_and_names(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    rules = nlp.add_pipe("attribute_ruler")
    nouns = [*PERSONS, "mother", "hospital", "day"]
    rules.add([[{"LOWER": {"IN": nouns}}]], {"POS": "NOUN"})
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "PERSON", "pattern": "Charlotte"}])
    nlp.to_disk(tmp_path / "pipeline")
    finder = open_finder(f"spacy:{tmp_path / 'pipeline'}")
    assert found(finder) == SENTENCES
    assert finder.only(["The nurse met Charlotte."])[0].outcome is Outcome.NAME
    with pytest.raises(BadInput, match="python -m spacy download"):
        open_finder("spacy:no_such_pipeline")


@pytest.mark.torch
def test_a_token_classification_model_tells_persons(tiny_lm: Path, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(tiny_lm / "tokenizer.json"),
        mask_token="[MASK]", pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]",
    )  # fmt: skip
    config = transformers.BertConfig(
        vocab_size=len(fast), hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32,
        hidden_dropout_prob=0.0, id2label={0: "O", 1: "B-PERSON"}, label2id={"O": 0, "B-PERSON": 1},
    )  # fmt: skip
    net = transformers.BertForTokenClassification(config)
    optimiser = torch.optim.Adam(net.parameters(), lr=0.02)
    persons = {*PERSONS, "mother", "man", "woman"}
    words = [*PERSONS, *OTHERS]
    for step in range(60):  # learns by heart which words are persons
        order = torch.randperm(len(words), generator=torch.Generator().manual_seed(step)).tolist()
        chosen = [words[i] for i in order[:24]]
        ids = torch.tensor([fast.convert_tokens_to_ids(chosen)])
        labels = torch.tensor([[int(word in persons) for word in chosen]])
        net(input_ids=ids, labels=labels).loss.backward()
        optimiser.step()
        optimiser.zero_grad()
    net.save_pretrained(tmp_path)
    fast.save_pretrained(tmp_path)
    assert found(open_finder(f"hf:{tmp_path}")) == SENTENCES
