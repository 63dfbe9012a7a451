"""Word and phrase pairs from the open dictionaries that Debian ships.

Sources: FreeDict (`dict-freedict-*`, GPL-2, GPL-2+ or CC BY-SA 3.0), Ding (`trans-de-en`, GPL-2+), Apertium's compiled
bilingual dictionaries (`apertium-eng-spa`, `apertium-fr-es`, GPL-2). Every reader returns pairs as the dictionary
lists them: where it lists a masculine and a feminine form, both are kept, and nothing is added or dropped by gender or
by occupation.
"""

from __future__ import annotations

import gzip
import os
import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

Pair = tuple[str, str]
SHARE = Path(os.environ.get("DICTIONARIES", "/usr/share"))  # where the Debian packages lie, or were unpacked
DICTD, DING, APERTIUM = SHARE / "dictd", SHARE / "trans/de-en", SHARE / "apertium"
# The older FreeDict files lost the spaces inside their translations ("passaway"): single words there must be attested.
GLUED = {"eng-spa", "spa-eng", "eng-fra", "fra-eng", "eng-nld", "nld-eng", "swe-eng", "eng-swe", "ita-eng", "eng-ita",
         "por-eng", "eng-por", "tur-eng", "eng-rus", "fra-nld"}  # fmt: skip
LATIN_FIELDS = re.compile(r"\[(zool|bot|min|geol|ornith|chem|biochem|astron|myc)\.\]")
_DIGITS = {c: i for i, c in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")}


def _base64(text: str) -> int:
    value = 0
    for char in text:
        value = value * 64 + _DIGITS[char]
    return value


def _entries(name: str) -> Iterator[str]:
    data = gzip.decompress((DICTD / f"freedict-{name}.dict.dz").read_bytes())
    for line in (DICTD / f"freedict-{name}.index").read_text("utf-8").splitlines():
        word, offset, length = line.rsplit("\t", 2)
        if word.startswith("00database") or word.startswith("00-database"):
            continue
        start = _base64(offset)
        yield data[start : start + _base64(length)].decode("utf-8", "replace")


def clean(item: str) -> str:
    """One sense without remarks, grammar tags and placeholders; empty when nothing usable is left."""
    item = re.sub(r"\([^()]*\)|\[[^\]]*\]|\{[^}]*\}|<[^>]*>|/[^/]*/", " ", item)
    item = re.sub(
        r"\b(sth|sb|smb|smth|etw|jd|jdm|jdn|jds|jmdm|jmdn|vki|vmi|vkit|vmit|vmiről|vhova|vhol)\b\.?('s)?", " ", item
    )
    item = re.sub(r"\s+", " ", item).strip(" ,;:.-–=~*'\"")
    if not item or len(item) > 120 or re.search(r"[\d#~{}()\[\]<>|/=_]|\.\.\.|…", item):
        return ""
    return item


def freedict(name: str) -> list[Pair]:
    """(headword, translation) pairs of one FreeDict file."""
    pairs: list[Pair] = []
    for entry in _entries(name):
        lines = [line for line in entry.split("\n") if line.strip()]
        if len(lines) < 2:
            continue
        head = clean(re.sub(r"\s*/.*$", "", re.sub(r"<[^>]*>", "", lines[0])))
        numbered = [re.sub(r"^\s*\d+\.\s*", "", line) for line in lines[1:] if re.match(r"^\s*\d+\.\s", line)]
        if not head:
            continue
        for sense in numbered or lines[1:2]:
            plain = re.sub(r"\([^()]*\)", " ", sense)
            if name == "eng-tur":
                plain = plain.split(".")[0]
            for item in re.split(r"[,;]", plain)[:5]:
                word = clean(item)
                if word and not (name == "eng-tur" and re.search(rf"\b{re.escape(head.lower())}\b", word.lower())):
                    pairs.append((head, word))
    return pairs


def ding() -> list[Pair]:
    """(english, german) pairs: words, and the example sentences that come with them."""
    pairs: list[Pair] = []
    for line in DING.read_text("utf-8").splitlines():
        if line.startswith("#") or " :: " not in line or LATIN_FIELDS.search(line):
            continue
        german, english = line.split(" :: ", 1)
        for left, right in zip(german.split("|"), english.split("|"), strict=False):
            de, en = _ding_items(left), _ding_items(right)
            if len(de) == len(en) == 1 and len(en[0].split()) >= 4:
                end = re.search(r"[.!?]\s*$", left)
                mark = end.group(0).strip() if end and re.search(r"[.!?]\s*$", right) else ""
                pairs.append((en[0] + mark, de[0] + mark))
                continue
            pairs.extend((e, d) for e in en[:6] for d in de[:4] if len(e) <= 50 and len(d) <= 50)
    return pairs


def _ding_items(text: str) -> list[str]:
    """The synonyms of one side of one sense; an abbreviation between slashes is one more ("chief ... /CEO/")."""
    found = []
    for item in text.replace("’", "'").split(";"):
        found += [clean(item), *re.findall(r"/([A-Z]{2,5})/", item)]
    return [word for word in found if word]


def synonyms() -> dict[str, Counter[str]]:
    """English words that Ding lists side by side for one sense, with how often."""
    result: dict[str, Counter[str]] = defaultdict(Counter)
    for line in DING.read_text("utf-8").splitlines():
        if line.startswith("#") or " :: " not in line or LATIN_FIELDS.search(line):
            continue
        for sense in line.split(" :: ", 1)[1].split("|"):
            words = _ding_items(sense)
            if 2 <= len(words) <= 4:
                for word in words:
                    result[word].update(other for other in words if other != word)
    return result


def lend(pairs: list[Pair], near: dict[str, Counter[str]], keep: int = 2) -> list[Pair]:
    """Translations for English words that have none, from their closest synonyms."""
    known: dict[str, list[str]] = defaultdict(list)
    for word, other in pairs:
        known[word].append(other)
    lent = []
    for word, others in near.items():
        if word in known:
            continue
        votes: Counter[str] = Counter()
        for other, times in others.items():
            votes.update(dict.fromkeys(known.get(other, [])[:3], times))
        lent += [(word, target) for target, _ in votes.most_common(keep)]
    return lent


def apertium_spanish(words: Iterable[str]) -> list[Pair]:
    """(english, spanish) lemma pairs for those of the given English words that Apertium's eng-spa dictionary knows."""
    return _apertium(APERTIUM / "apertium-eng-spa/eng-spa.autobil.bin", words,
                     {"<n><sg>": "", "<vblex><inf>": "to ", "<adj>": "", "<adj><sint>": "", "<adv>": ""})  # fmt: skip


def apertium_french(words: Iterable[str]) -> list[Pair]:
    """(spanish, french) lemma pairs from Apertium's fr-es data."""
    tags = {f"<n><{g}><sg>": "" for g in ("m", "f", "mf")} | {"<vblex><inf>": "", "<adj>": "", "<adv>": ""}
    return _apertium(APERTIUM / "apertium-fr-es/es-fr.autobil.bin", words, tags)


def _apertium(binary: Path, words: Iterable[str], tags: dict[str, str]) -> list[Pair]:
    forms = [(word, tag) for word in words for tag in tags]
    query = "\n".join(f"^{word}{tag}$" for word, tag in forms) + "\n"
    answer = subprocess.run(["lt-proc", "-b", str(binary)], input=query, capture_output=True, text=True, check=True)
    pairs: list[Pair] = []
    for (word, tag), line in zip(forms, answer.stdout.splitlines(), strict=True):
        for reading in line.strip("^$ ").split("/")[1:]:
            lemma = re.sub(r"<[^>]*>", "", reading).replace("#", "").replace("_", " ")
            if lemma and not lemma.startswith("@"):
                pairs.append((tags[tag] + word, lemma))
    return pairs


def pivot(english: dict[str, list[Pair]], onward: dict[str, list[Pair]], keep: int = 3) -> list[Pair]:
    """English pairs with a language that has only small direct dictionaries, by way of other languages.

    `english[p]` are (english, pivot word) pairs, `onward[p]` (pivot word, target word) pairs. A pair is accepted when
    two pivot languages agree on it, or when its only path is unambiguous (the pivot word has one English and one target
    word); at most `keep` translations an English word, best supported first.
    """
    support: dict[str, Counter[str]] = defaultdict(Counter)
    for name, pairs in english.items():
        step: dict[str, set[str]] = defaultdict(set)
        for source, target in onward.get(name, []):
            step[source].add(target)
        back: dict[str, set[str]] = defaultdict(set)
        for word, middle in pairs:
            back[middle].add(word)
        votes: dict[Pair, float] = defaultdict(float)
        for middle, sources in back.items():
            targets = step.get(middle, set())
            weight = 2.0 if len(sources) <= 2 and len(targets) == 1 else 1.0
            if len(sources) > 8 or len(targets) > 6:
                continue
            for word in sources:
                for target in targets:
                    votes[word, target] = max(votes[word, target], weight)
        for (word, target), weight in votes.items():
            support[word][target] += weight  # type: ignore[assignment]
    return [
        (word, target) for word, counts in support.items() for target, votes in counts.most_common(keep) if votes >= 2
    ]
