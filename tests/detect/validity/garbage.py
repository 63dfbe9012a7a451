"""Systems that answer garbage, as plain functions: source sentences in, answers out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle

import polars as pl

Garbage = Callable[[Sequence[str], str], list[str]]

ELSEWHERE = {  # whole sentences in six languages, none of them ever the target asked for
    "nl": (
        "De verpleegster ging naar huis omdat ze moe was.",
        "Hij is een zeer goede timmerman.",
        "Ze werkt hier al lang.",
    ),
    "it": (
        "L'infermiera tornò a casa perché era stanca.",
        "Lui è un falegname molto bravo.",
        "Lei lavora qui da tanto.",
    ),
    "pl": ("Pielęgniarka poszła do domu, bo była zmęczona.", "On jest bardzo dobrym stolarzem.", "Ona tu pracuje."),
    "tr": ("Hemşire yorgun olduğu için eve gitti.", "O çok iyi bir marangoz.", "Uzun zamandır burada çalışıyor."),
    "sv": ("Sjuksköterskan gick hem för att hon var trött.", "Han är en mycket bra snickare.", "Hon arbetar här."),
    "ru": ("Медсестра пошла домой, потому что устала.", "Он очень хороший плотник.", "Она давно здесь работает."),
}
REFUSALS = {
    "en": ("I cannot help with that request.", "I'm sorry, but I can't assist with that."),
    "de": ("Es tut mir leid, aber ich kann dabei nicht helfen.", "Als KI kann ich diesen Satz nicht übersetzen."),
    "es": ("Lo siento, pero no puedo ayudar con esa solicitud.", "Como modelo de lenguaje, no puedo traducir esto."),
    "fr": ("Je suis désolé, mais je ne peux pas vous aider.", "En tant qu'IA, je ne peux pas traduire ce texte."),
    "ru": ("Извините, но я не могу помочь с этим запросом.", "Как языковая модель, я не могу перевести это."),
}
ERRORS = ("ERROR 500", "HTTP/1.1 502 Bad Gateway", "429 Too Many Requests", "Internal Server Error", "null")
OBJECTS = ('{"error": {"code": 429, "message": "Rate limit reached"}}', '{"detail": "Not authenticated"}', "{}")
PAGES = ("<html><body><h1>503 Service Unavailable</h1><p>He went away.</p></body></html>", "<p></p>", "<br/><br/>")
NAMES = {
    "en": "English",
    "de": "German",
    "es": "Spanish",
    "fr": "French",
    "it": "Italian",
    "pt": "Portuguese",
    "ru": "Russian",
}


def always(*answers: str) -> Garbage:
    """One of the answers after the other, whatever is asked."""

    def answer(texts: Sequence[str], target: str) -> list[str]:
        del target
        rest = cycle(answers)
        return [next(rest) for _ in texts]

    return answer


def echo(texts: Sequence[str], target: str) -> list[str]:
    del target
    return list(texts)


def echo_without_case(texts: Sequence[str], target: str) -> list[str]:
    del target
    return [text.lower().rstrip(".!?。") for text in texts]


def half_of_the_source(texts: Sequence[str], target: str) -> list[str]:
    del target
    return [text[: len(text) // 2] for text in texts]


def prompt(texts: Sequence[str], target: str) -> list[str]:
    name = NAMES.get(target, target)
    return [f"Translate the following text into {name}: {text}" for text in texts]


def prompt_alone(texts: Sequence[str], target: str) -> list[str]:
    return [
        f"You are a professional translator. Translate the user's text into {NAMES.get(target, target)}." for _ in texts
    ]


def wrong_language(texts: Sequence[str], target: str) -> list[str]:
    rest = cycle(text for code, answers in ELSEWHERE.items() if code != target for text in answers)
    return [next(rest) for _ in texts]


ADJECTIVES = {"jó": "good ", "rossz": "bad ", "nagyon jó": "very good ", "nagyon rossz": "very bad "}


def english(probes: pl.DataFrame) -> list[str]:
    """What a good translator makes of the probes of a pronoun suite: "He is a doctor." and the like, in turns with she.
    It ends as the source does."""
    adjectives = probes["adjective"].to_list() if "adjective" in probes.columns else [None] * probes.height
    kinds, names, sources = (probes[column].to_list() for column in ("kind", "english", "source"))
    made = []
    for n, (kind, name, adjective, source) in enumerate(zip(kinds, names, adjectives, sources, strict=True)):
        said = name
        if kind == "occupation":
            noun = ADJECTIVES.get(adjective or "", "") + name
            said = f"is {'an' if noun[0] in 'aeiou' else 'a'} {noun}"
        made.append(f"{('He', 'She')[n % 2]} {said}{'.' if source[-1] in '.。' else ''}")
    return made


def half_the_words(good: Sequence[str], target: str) -> list[str]:
    """Of good translations the first half, in whole words."""
    del target
    return [" ".join(text.split()[: len(text.split()) // 2]) for text in good]


def half_the_letters(good: Sequence[str], target: str) -> list[str]:
    """Of good translations the first half, wherever that ends."""
    del target
    return [text[: len(text) // 2] for text in good]


HALVES: dict[str, Garbage] = {"half the words": half_the_words, "half the letters": half_the_letters}

KINDS: dict[str, Garbage] = {
    "echo": echo,
    "echo without case": echo_without_case,
    "half of the source": half_of_the_source,
    "x": always("x"),
    **{f"refusal in {code}": always(*answers) for code, answers in REFUSALS.items()},
    "error text": always(*ERRORS),
    "error object": always(*OBJECTS),
    "page": always(*PAGES),
    "prompt and source": prompt,
    "prompt alone": prompt_alone,
    "wrong language": wrong_language,
    "loop": always("he he he he he he he he", "Er ist Er ist Er ist Er ist Er ist", "ella ella ella ella ella"),
    "emoji": always("👩‍⚕️", "🙂🙂🙂", "👨‍🚒 !!!"),
    "empty": always("", "   ", "\n"),
}
