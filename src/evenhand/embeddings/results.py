"""What a study is asked and what it found, as plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypedDict

from evenhand.embeddings.alignment import Dictionary
from evenhand.embeddings.association import Mweat, Nearness
from evenhand.embeddings.coverage import Coverage
from evenhand.embeddings.directions import Directions
from evenhand.embeddings.english import English
from evenhand.embeddings.grammar import Kind
from evenhand.embeddings.mitigation import Moved, Space
from evenhand.embeddings.residual import Residual
from evenhand.embeddings.utility import PairTranslation, Retrieval, Similarity, SimilarityPairs, Translation
from evenhand.embeddings.wordlists import TwoForms, WordLists, hash_of
from evenhand.level import LEVEL, check_level
from evenhand.statistics.intervals import Interval


class Drawn(TypedDict):
    """What every interval is made with."""

    seed: int
    level: float


@dataclass(frozen=True)
class StudySettings:
    """What a number depends on besides data; printed with every result."""

    seed: int = 0
    permutations: int = 10_000
    classifier: Kind = "lda"
    retrieval: Retrieval = "csls"
    refine: int = 2
    level: float = LEVEL

    @property
    def drawn(self) -> Drawn:
        return {"seed": self.seed, "level": check_level(self.level)}


@dataclass(frozen=True)
class UtilityTests:
    """Utility tests by file name. Dictionaries may have either language first; both directions can be given."""

    similarity: dict[str, SimilarityPairs] = field(default_factory=dict)
    english_similarity: dict[str, SimilarityPairs] = field(default_factory=dict)
    translation: dict[str, Dictionary] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.similarity or self.english_similarity or self.translation)

    @property
    def signature(self) -> str:
        """Every test with a hash of its content; "none" where there is none."""
        asked = {**self.similarity, **self.english_similarity, **self.translation}
        return ",".join(f"{name}#{hash_of(content)}" for name, content in asked.items()) or "none"


@dataclass(frozen=True)
class Version:
    """The numbers of one version of the vectors. None: not asked for, or not possible (see `notes`)."""

    method: str
    space: Space
    mweat: Mweat | None = None
    english: English | None = None  # of English vectors only
    things: tuple[tuple[str, float], ...] = ()  # inanimate nouns with their signed s; b_w is its size
    inanimate: Interval | None = None
    nearness: Nearness | None = None
    residual: Residual | None = None
    similarity: dict[str, Similarity] = field(default_factory=dict)
    similarity_change: dict[str, Interval] = field(default_factory=dict)
    translation: dict[str, Translation] = field(default_factory=dict)
    precision_change: dict[str, Interval] = field(default_factory=dict)
    pair_translation: PairTranslation | None = None
    moved: Moved | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Study:
    """Everything a study measured. `impossible` names the methods that could not be run, and why; `bias` is False where
    only utility was asked for."""

    language: str
    lists: WordLists
    settings: StudySettings
    coverage: list[Coverage]
    directions: Directions
    across: tuple[Interval, float, list[tuple[TwoForms, float, float]]] | None
    versions: tuple[Version, ...]
    impossible: dict[str, str]
    warnings: tuple[str, ...]
    tests: UtilityTests = field(default_factory=UtilityTests)
    bias: bool = True

    @property
    def original(self) -> Version:
        return self.versions[0]
