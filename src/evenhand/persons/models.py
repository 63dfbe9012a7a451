"""Person finders on models the user has: spaCy pipelines and Hugging Face token-classification models."""

import re
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

from evenhand.errors import BadInput, require
from evenhand.persons.finder import Finder
from evenhand.persons.stated import Marked, Reading
from evenhand.persons.tokens import Piece, tokens

_PERSON_LABEL = re.compile(r"(?:[BIESLU]-)?(?:PER|PERS|PERSON|HUMAN|PEOPLE)$", re.IGNORECASE)


class _SpacyToken(Protocol):
    text: str
    idx: int
    pos_: str
    ent_type_: str
    dep_: str


class SpacyFinder(Finder):
    """Parts of speech and names by a spaCy pipeline, person nouns by our lexicon. The pipeline must set parts of
    speech. Entities of the type PERSON are names; a noun that is part of a compound (`dep_` compound) does not count as
    a person."""

    def __init__(self, pipeline: str, *, threshold: float = 0.5) -> None:
        spacy = require("spacy", purpose="finding persons with spaCy", extra="spacy")
        try:
            self._nlp = spacy.load(pipeline)
        except OSError as error:
            raise BadInput(f"spaCy has no pipeline {pipeline!r}. Run: python -m spacy download {pipeline}") from error
        super().__init__(threshold=threshold)
        self.name = f"spacy:{pipeline}"

    @property
    def fingerprint(self) -> str:
        return f"{self.name}-{self._nlp.meta.get('version', '')}-{self.lexicon.fingerprint}"

    def read(self, texts: Sequence[str], *, spoken: bool = True) -> list[Reading | None]:
        parsed = zip(texts, self._nlp.pipe(list(texts)), strict=True)
        return [self._reading(text, list(parts)) for text, parts in parsed]

    def _reading(self, text: str, parsed: list[_SpacyToken]) -> Reading:
        words = [Piece.of(token.text, token.idx) for token in parsed]
        return Reading(text, words, [self._mark(n, words[n], token) for n, token in enumerate(parsed)])

    def _mark(self, at: int, word: Piece, token: _SpacyToken) -> Marked:
        gendered = word.low.rstrip(".") in self.lexicon.gendered and token.pos_ in ("NOUN", "PROPN")
        entry = self.lexicon.look_up(word.low)
        person = entry is not None and not gendered and token.pos_ == "NOUN" and token.dep_ != "compound"
        name = token.ent_type_ == "PERSON"
        return Marked(at, word, person, gendered, name, bool(entry and entry[1]))


class TokenClassFinder(Finder):
    """Persons are what a token-classification model labels PER, PERSON, HUMAN (with or without B-, I-). The study's own
    kind of filter: its model marks persons of all sorts, so gendered nouns and pronouns come from our lists, and a
    labelled word with a capital inside the sentence is a name. The number comes from our lexicon."""

    def __init__(self, model: str) -> None:
        transformers = require("transformers", purpose="finding persons with a Hugging Face model", extra="hf")
        try:
            pipe = transformers.pipeline("token-classification", model=model, aggregation_strategy="none")
        except (OSError, ValueError) as error:
            first = str(error).partition("\n")[0]
            raise BadInput(f"{model}: not a token-classification model that can be loaded ({first})") from error
        labels = list(pipe.model.config.id2label.values())
        if not any(_PERSON_LABEL.match(label) for label in labels):
            raise BadInput(f"{model}: none of its labels is a person: {', '.join(labels)}")
        self._classify = pipe
        super().__init__()
        self.name = f"hf:{model}"
        self._model = str(Path(model, "config.json").stat().st_mtime_ns) if Path(model).is_dir() else model

    @property
    def fingerprint(self) -> str:
        return f"{self.name}-{self._model}-transformers{version('transformers')}-{self.lexicon.fingerprint}"

    def may_be_person(self, word: str) -> bool:
        return word.isalpha() and word.lower() not in self.lexicon.gendered

    def read(self, texts: Sequence[str], *, spoken: bool = True) -> list[Reading | None]:
        labelled = self._classify(list(texts), batch_size=32) if texts else []
        return [self._reading(text, spans) for text, spans in zip(texts, labelled, strict=True)]

    def _reading(self, text: str, spans: list[dict[str, object]]) -> Reading:
        hits = [(s["start"], s["end"]) for s in spans if _PERSON_LABEL.match(str(s["entity"]))]
        marks, words = [], tokens(text)
        for i, word in enumerate(words):
            labelled = any(
                isinstance(start, int) and isinstance(end, int) and start < word.end and end > word.start
                for start, end in hits
            )
            gendered = labelled and word.low.rstrip(".") in self.lexicon.gendered
            name = labelled and i > 0 and word.text[:1].isupper() and not word.text.isupper()
            entry = self.lexicon.look_up(word.low)
            marks.append(Marked(i, word, labelled and not gendered, gendered, name, bool(entry and entry[1])))
        return Reading(text, words, marks)
