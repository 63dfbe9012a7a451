"""The grammar against treebanks (Universal Dependencies, read in place): readings of words, agreement with persons.

    python -m benchmarks.treebanks [--data ../shared/data/ud] [--only es de] [--errors 20]

Readings: of determiners, adjectives, participles and nouns, the share of which some reading has the treebank's gender
and number at once. Agreement: from nouns for persons, the words that `agrees_with` links as determiner, adjective,
participle, predicate or relative pronoun, against the treebank's dependents and heads. Recall is over words that show
gender or number in the treebank; a link is precise when the treebank binds the word to the noun, whatever it shows.
"""

from __future__ import annotations

import argparse
import lzma
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import evenhand
from evenhand.grammar.base import Language
from evenhand.grammar.lexicon import Column, Forms
from evenhand.grammar.sentence import Sentence

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "ud"
CODES = {
    "Croatian": "hr", "Czech": "cs", "Dutch": "nl", "French": "fr", "German": "de", "Greek": "el", "Hebrew": "he",
    "Italian": "it", "Portuguese": "pt", "Romanian": "ro", "Russian": "ru", "Serbian": "sr", "Slovak": "sk",
    "Slovenian": "sl", "Spanish": "es", "Ukrainian": "uk",
}  # fmt: skip
GENDER = {"Fem": "f", "Masc": "m", "Neut": "n", "Com": "fm"}
NUMBER = {"Sing": "s", "Plur": "p"}
KINDS = frozenset({"determiner", "adjective", "predicate", "participle", "relative"})
HAVE = frozenset({"avoir", "avere", "haber", "haver", "ter", "avea"})
SUBJECTS = ("nsubj", "nsubj:pass", "nsubj:outer", "dislocated")


class Node(NamedTuple):
    """A word of the treebank; `start` and `end` are offsets in the text, those of the whole token for its parts."""

    number: int
    form: str
    lemma: str
    upos: str
    features: dict[str, str]
    head: int
    relation: str
    start: int
    end: int


def trees(path: Path) -> Iterator[tuple[str, dict[int, Node]]]:
    """Texts with their words by number."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        text, lines = "", []
        for line in file:
            if line.startswith("# text = "):
                text = line[9:].rstrip("\n")
            elif line.strip() and not line.startswith("#"):
                lines.append(line.rstrip("\n").split("\t"))
            elif not line.strip() and lines:
                yield text, _nodes(text, lines)
                lines = []


def _nodes(text: str, lines: list[list[str]]) -> dict[int, Node]:
    nodes: dict[int, Node] = {}
    at, inside, span = 0, 0, (0, 0)
    for cells in lines:
        if "." in cells[0]:
            continue
        if "-" in cells[0]:
            start = text.find(cells[1], at)
            span = (start, start + len(cells[1])) if start >= 0 else (at, at)
            at, inside = span[1], int(cells[0].split("-")[1])
            continue
        number = int(cells[0])
        if number > inside:
            start = text.find(cells[1], at)
            span = (start, start + len(cells[1])) if start >= 0 else (at, at)
            at = span[1]
        features = dict(pair.split("=", 1) for pair in cells[5].split("|") if "=" in pair)
        nodes[number] = Node(number, cells[1], cells[2], cells[3], features, int(cells[6]), cells[7], *span)
    return nodes


def word_class(node: Node) -> str:
    """determiner, adjective, participle or noun; empty for other words."""
    if node.upos in {"VERB", "AUX", "ADJ"} and node.features.get("VerbForm") == "Part":
        return "participle"
    return {"DET": "determiner", "ADJ": "adjective", "NOUN": "noun"}.get(node.upos, "")


def shows(node: Node) -> bool:
    return "Gender" in node.features or "Number" in node.features


Tree = dict[int, list[Node]]  # the dependents of each word


def bound(noun: Node, nodes: dict[int, Node]) -> tuple[set[int], set[int]]:
    """Words that agree with a noun: those that show it (for recall), and all that are bound to it (for precision)."""
    tree: Tree = defaultdict(list)
    for node in nodes.values():
        tree[node.head].append(node)
    found, loose = _bound(noun, nodes, tree)
    strict = {number for number in found if shows(nodes[number])}
    # "un actor y cantante argentino", "Ana y su madre están cansadas": what is said of all is bound to the first.
    first = noun
    while first.relation.split(":")[0] in {"conj", "appos", "flat"}:
        first = nodes[first.head]
    if first is not noun:
        loose |= {number for number in _bound(first, nodes, tree)[1] if number > noun.number}
    return strict, loose


def _bound(noun: Node, nodes: dict[int, Node], tree: Tree) -> tuple[set[int], set[int]]:
    """What agrees with a noun, and what is bound to it besides."""
    head = nodes.get(noun.head)
    subject = head is not None and noun.relation in SUBJECTS
    said = head is not None and noun.relation == "xcomp"  # elle est devenue avocate
    found = _attributes(noun, tree) | _relatives(noun, tree)
    if head and subject and _agrees(head, tree[head.number]):
        found.add(head.number)
    clauses = {clause.number for clause in tree[noun.number] if clause.relation.startswith("acl")}
    # Auxiliaries and predicates further down agree too, and so does what stresses an adjective: самый молодой.
    loose = found | clauses | ({head.number} if head and (subject or said) else set())
    for top in [*found, *clauses, *([head.number] if head else [])]:
        loose |= _related(tree[top], "aux", "cop", "conj", "xcomp", "acl")
    for attribute in found:
        loose |= _related(tree[attribute], "det", "amod")
    return found, loose | _related(tree[noun.number], "nummod", "advmod", "cop", "aux")


def _related(nodes: list[Node], *relations: str) -> set[int]:
    return {node.number for node in nodes if node.relation.split(":")[0] in relations}


def _attributes(noun: Node, tree: Tree) -> set[int]:
    """Determiners, adjectives and participles of the noun; German-GSD has determiners without a relation."""
    own = tree[noun.number]
    found = _related(own, "det", "amod") | {n.number for n in own if (n.upos, n.relation) == ("DET", "dep")}
    return found | {n.number for n in own if n.relation == "acl" and n.features.get("VerbForm") == "Part"}


def _relatives(noun: Node, tree: Tree) -> set[int]:
    """Relative pronouns of the noun's clauses."""
    found = set()
    for clause in tree[noun.number]:
        if clause.relation.startswith("acl"):
            near = tree[clause.number]
            below = [clause, *near, *(node for child in near for node in tree[child.number])]
            found |= {node.number for node in below if _relative(node, clause)}
    return found


def _relative(node: Node, clause: Node) -> bool:
    """A relative pronoun; Russian-GSD does not mark the type of its pronouns."""
    if "PronType" in node.features:
        return "Rel" in node.features["PronType"]
    return clause.relation == "acl:relcl" and node.upos == "PRON" and "Person" not in node.features


def _agrees(head: Node, children: list[Node]) -> bool:
    if head.upos == "ADJ" or head.features.get("VerbForm") == "Part":
        # After to have a Romance participle agrees with an object or with nothing.
        perfect = any(n.relation.startswith("aux") and n.lemma in HAVE for n in children)
        return "Gender" in head.features and not perfect
    return head.upos == "VERB" and "Gender" in head.features  # Slavic past tenses


class Persons:
    """Nouns for persons of a language, by our lexicon."""

    def __init__(self, language: Language) -> None:
        self._language, self._forms = language, Forms(language)

    def has(self, text: str) -> bool:
        known = 0
        for form in self._language.lookups(text):
            known |= self._forms.known.get(form, 0)
        return bool(known & (Column.FEMALE | Column.MALE | Column.NEUTRAL))


class Score:
    """Counts for one language."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.seen: Counter[str] = Counter()
        self.held: Counter[str] = Counter()
        self.gold = self.found = self.hit = self.right = 0
        self.errors: list[str] = []


def measure(code: str, paths: list[Path]) -> Score:
    language = evenhand.open_grammar(code)
    score = Score(language)
    persons = Persons(language)
    for path in paths:
        for text, nodes in trees(path):
            sentence = language.analyse(text)
            places = {(token.start, token.end): i for i, token in enumerate(sentence.tokens)}
            for node in nodes.values():
                _readings(node, sentence, places, score)
                if node.upos == "NOUN" and persons.has(node.form) and (node.start, node.end) in places:
                    _links(node, nodes, sentence, places, score)
    return score


def _readings(node: Node, sentence: Sentence, places: dict[tuple[int, int], int], score: Score) -> None:
    kind, gender, number = word_class(node), node.features.get("Gender", ""), node.features.get("Number", "")
    at = places.get((node.start, node.end))
    if not kind or not gender or number not in NUMBER or at is None:
        return
    genders = "".join(GENDER.get(part, "") for part in gender.split(","))
    score.seen[kind] += 1
    held = any(reading.can_be(gender=genders, number=NUMBER[number]) for reading in sentence[at].readings)
    score.held[kind] += held
    if not held:
        score.errors.append(f"{kind}: {node.form} is {gender} {number}, not {sentence[at].readings}")


def _links(
    node: Node, nodes: dict[int, Node], sentence: Sentence, places: dict[tuple[int, int], int], score: Score
) -> None:
    strict, loose = bound(node, nodes)
    gold = {places[n.start, n.end] for n in map(nodes.__getitem__, strict) if (n.start, n.end) in places}
    allowed = {places[n.start, n.end] for n in map(nodes.__getitem__, loose) if (n.start, n.end) in places}
    at = places[node.start, node.end]
    found = {link.at for link in score.language.agrees_with(sentence, at) if link.kind in KINDS}
    gold.discard(at)
    score.gold, score.found = score.gold + len(gold), score.found + len(found)
    score.hit, score.right = score.hit + len(gold & found), score.right + len(found & (allowed | gold))
    for kind, places_ in (("missed", gold - found), ("false", found - allowed - gold)):
        if places_:
            words = ", ".join(f"{sentence.tokens[i].text}[{i}]" for i in sorted(places_))
            score.errors.append(f"{kind}: {node.form}[{at}] and {words} in {sentence.text}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--errors", type=int, default=0)
    parser.add_argument("--kind", default="", help="only errors that begin with this: false, missed, noun, adjective")
    options = parser.parse_args()
    files = defaultdict(list)
    for path in sorted(options.data.glob("*/*.conllu.xz")):
        files[CODES[path.parent.name.split("-")[0]]].append(path)
    for code, paths in files.items():
        if options.only and code not in options.only:
            continue
        try:
            score = measure(code, paths)
        except evenhand.Unknown:
            continue
        kinds = " ".join(f"{k} {score.held[k] / n:.3f} ({n})" for k, n in sorted(score.seen.items()))
        precision, recall = score.right / max(score.found, 1), score.hit / max(score.gold, 1)
        print(f"{code}  readings: {kinds} | agrees_with: precision {precision:.3f} of {score.found}, ", end="")
        print(f"recall {recall:.3f} of {score.gold}", flush=True)
        for error in [e for e in score.errors if e.startswith(options.kind)][: options.errors]:
            print("   ", error)


if __name__ == "__main__":
    main()
