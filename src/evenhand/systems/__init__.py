"""Who is asked: translation systems behind one small protocol, one dispatcher and one translation memory."""

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from evenhand.errors import BadInput
from evenhand.systems.agenda import Limits, Plan, plan
from evenhand.systems.dispatch import Dispatcher, Retries, blocking
from evenhand.systems.memory import Memory
from evenhand.systems.protocol import Answer, Batch, Bindable, Described, Request, System, check_pair, fingerprint_of
from evenhand.systems.registry import Translates, list_systems, open_system, settings_of, systems_at_hand

__all__ = [
    "Answer", "Batch", "Bindable", "Described", "Dispatcher", "Limits", "Memory", "Plan", "Request", "Retries",
    "System", "blocking", "check_pair", "fingerprint_of", "list_systems", "open_system", "plan", "settings_of",
    "systems_at_hand", "translate",
]  # fmt: skip


def translate(
    spec: str | System | Translates,
    texts: Sequence[str],
    *,
    source: str,
    target: str,
    context: str | None = None,
    memory: Memory | Path | str | None = None,
) -> list[str]:
    """One translation per text, in order; any number of texts. Works in plain code and in a notebook.

    `spec` is a spec string, a function (list of strings in, list of strings out) or a system. With `memory` (a path, or
    one that is open) what was answered before is not asked again. An answer the system refused is an empty string.
    """
    wrong = [texts] if isinstance(texts, str) else [text for text in texts if not isinstance(text, str)]
    if wrong:
        raise BadInput(f"texts must be a list of strings; got {wrong[0]!r}")
    system = open_system(spec)
    requests = [Request(text, source, target, context) for text in texts]
    with Memory(memory) if isinstance(memory, str | Path) else nullcontext(memory) as opened:
        answers = blocking(lambda: Dispatcher(system, opened).run(requests))
    return [answer.text for answer in answers]
