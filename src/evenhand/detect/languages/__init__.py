"""The target languages the noun detector knows, by ISO code. Adding one is one module and one line here."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from evenhand.detect.languages.protocol import Language
from evenhand.errors import Unknown

# code -> module, class; a module is imported only when its language is asked for.
MODULES = {
    "de": ("german", "German"),
    "es": ("spanish", "Spanish"),
    "fr": ("french", "French"),
    "it": ("italian", "Italian"),
    "pt": ("portuguese", "Portuguese"),
    "ca": ("catalan", "Catalan"),
    "ru": ("russian", "Russian"),
    "uk": ("ukrainian", "Ukrainian"),
    "pl": ("polish", "Polish"),
    "cs": ("czech", "Czech"),
    "nl": ("dutch", "Dutch"),
    "el": ("greek", "Greek"),
    "he": ("hebrew", "Hebrew"),
    "ar": ("arabic", "Arabic"),
}


@cache
def language(code: str) -> Language:
    """The language for a code such as "de" or "pt-BR" (the region is ignored)."""
    base = code.lower().replace("_", "-").split("-")[0]
    if base not in MODULES:
        raise Unknown("target language", code, MODULES)
    module, name = MODULES[base]
    found: Language = getattr(import_module(f"{__name__}.{module}"), name)()
    return found
