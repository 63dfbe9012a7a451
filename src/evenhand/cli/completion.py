"""evenhand completion: a script that completes evenhand's words in a shell.

The script knows all that can be typed (verbs, options, known values) and starts nothing: a Tab costs no Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal, get_args

import typer
from typer.main import get_command

from evenhand.cli.main import VERBS, app_of
from evenhand.cli.options import verb
from evenhand.languages import known
from evenhand.measures.definitions.registry import names as measures
from evenhand.options import Argument
from evenhand.references.reference import shipped
from evenhand.suites.registry import list_suites
from evenhand.systems import list_systems


@verb
def completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], Argument("bash, zsh or fish", "SHELL")],
) -> None:
    """Print the script that makes a shell complete verbs, options, suites, systems and languages.

    \b
    bash:                 source <(evenhand completion bash)
    zsh, after compinit:  source <(evenhand completion zsh)
    fish:                 evenhand completion fish | source
    """
    typer.echo(SHELLS[shell](everything(VERBS)), nl=False)


_SAFE = re.compile(r"[\w.+:=@%-]+")
"""Names of other packages' systems and suites stand in a script that a shell runs: nothing a shell could act on."""


@dataclass(frozen=True)
class Completion:
    """One option: its spellings, what it is for, the values to offer; None for a flag, () for a file or any text."""

    names: tuple[str, ...]
    told: str
    values: tuple[str, ...] | None


@dataclass(frozen=True)
class CompletedVerb:
    """A verb ("audit") or a verb with its own ("embeddings score"), and what may follow it besides files."""

    words: str
    told: str
    options: tuple[Completion, ...] = ()
    follows: tuple[str, ...] = field(default=())


def everything(verbs: Mapping[str, str]) -> list[CompletedVerb]:
    """All verbs in their order, each before those it has inside."""
    return [typed for verb, told in verbs.items() for typed in _verb(verb, told)]


def _verb(verb: str, told: str) -> Iterable[CompletedVerb]:
    command: object = get_command(app_of(verb))
    inside: dict[str, object] = getattr(command, "commands", {})
    yield CompletedVerb(verb, told, _options(command), tuple(inside) or _arguments(command))
    for name, one in inside.items():
        help_text = str(getattr(one, "help", "") or "").split("\n")[0]
        yield CompletedVerb(f"{verb} {name}", help_text, _options(one), _arguments(one))


def _options(command: object) -> tuple[Completion, ...]:
    params: list[object] = getattr(command, "params", [])
    made = []
    for param in params:
        if getattr(param, "param_type_name", "") != "option" or getattr(param, "hidden", False):
            continue
        names = (*getattr(param, "opts", ()), *getattr(param, "secondary_opts", ()))
        values = None if getattr(param, "is_flag", False) else _values(param)
        made.append(Completion(tuple(names), str(getattr(param, "help", "") or ""), values))
    return (*made, Completion(("--help",), "say what it does", None))


def _arguments(command: object) -> tuple[str, ...]:
    """Values of the first argument by place, where they are known; files are offered by the shell itself."""
    params: list[object] = getattr(command, "params", [])
    first = next((p for p in params if getattr(p, "param_type_name", "") == "argument"), None)
    return () if first is None else _values(first)


def _values(param: object) -> tuple[str, ...]:
    choices = getattr(getattr(param, "type", None), "choices", None)
    annotation = getattr(getattr(param, "type_descriptor", None), "annotation", None)
    inner = (get_args(annotation) or (None,))[0]
    literal = get_args(inner) if inner is not None and not isinstance(inner, str) else get_args(annotation)
    given = choices or [one for one in literal if isinstance(one, str)]
    if given:
        return _safe(map(str, given))
    name, metavar = str(getattr(param, "name", "")), str(getattr(param, "metavar", "") or "")
    for kind in (metavar, name):
        if kind in _KNOWN:
            return _safe(_named(kind))
    return ()


_KNOWN: dict[str, Callable[[], Iterable[str]]] = {
    "SUITE": lambda: [f"{e.name}:" if e.takes_path else e.name for e in list_suites()],
    "LANG": known,
    "target": known,
    "source": known,
    "language": known,
    "system": lambda: [f"{s.name}:" if s.takes and not s.takes.startswith("[") else s.name for s in list_systems()],
    "measures": measures,
    "reference": shipped,
    "references": shipped,
}


@cache
def _named(kind: str) -> tuple[str, ...]:
    return tuple(_KNOWN[kind]())


def _safe(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for word in words if _SAFE.fullmatch(word))


def bash(verbs: Sequence[CompletedVerb]) -> str:
    """Put in the user's completions folder, or sourced from ~/.bashrc."""
    return f"# evenhand in bash: source <(evenhand completion bash)\n{_words(verbs)}\n{_script('bash')}"


def zsh(verbs: Sequence[CompletedVerb]) -> str:
    """Sourced after compinit."""
    head = "#compdef evenhand\n# evenhand in zsh, after compinit: source <(evenhand completion zsh)\n"
    return f"{head}{_words(verbs)}\n{_script('zsh')}"


def _script(shell: str) -> str:
    return (files("evenhand.cli") / f"completion.{shell}").read_text(encoding="utf-8")


def _words(verbs: Sequence[CompletedVerb]) -> str:
    """A function that bash and zsh read alike: from verb, inner, before, current and place to `offered`."""
    outer = " ".join(typed.words for typed in verbs if " " not in typed.words)
    groups = dict.fromkeys(typed.words.split()[0] for typed in verbs if " " in typed.words)
    lines = [
        "_evenhand_words() {",
        f'  if [ "$place" -eq 1 ]; then offered="{outer}"; return; fi',
        '  local typed="$verb"',
    ]
    for outside in groups:
        inner = "|".join(typed.words.split()[1] for typed in verbs if typed.words.startswith(f"{outside} "))
        deeper = f'[ "$verb" = {outside} ] && [ "$place" -gt 2 ]'
        lines.append(f'  if {deeper}; then case "$inner" in {inner}) typed="$verb $inner" ;; esac; fi')
    lines.append('  case "$typed $before" in')
    for typed in verbs:
        for option in typed.options:
            if option.values is not None:
                begun = "|".join(f'"{typed.words} {name}"' for name in option.names)
                lines.append(f'    {begun}) offered="{" ".join(option.values)}"; return ;;')
    lines += ["  esac", '  case "$typed" in']
    for typed in verbs:
        options = " ".join(name for option in typed.options for name in option.names)
        dashed = f'-*) offered="{options}"'
        lines.append(
            f'    "{typed.words}") case "$current" in {dashed} ;; *) offered="{" ".join(typed.follows)}" ;; esac ;;'
        )
    return "\n".join([*lines, "  esac", "}"])


def fish(verbs: Sequence[CompletedVerb]) -> str:
    """Put in ~/.config/fish/completions/evenhand.fish."""
    lines = ["# evenhand in fish: evenhand completion fish > ~/.config/fish/completions/evenhand.fish"]
    groups = {typed.words.split()[0] for typed in verbs if " " in typed.words}
    for typed in verbs:
        verb, _, inner = typed.words.partition(" ")
        if not inner:
            lines.append(f"complete -c evenhand -f -n __fish_use_subcommand -a {verb} -d {_told(typed.told)}")
            seen = f"__fish_seen_subcommand_from {verb}"
        else:
            seen = f"__fish_seen_subcommand_from {verb}; and __fish_seen_subcommand_from {inner}"
        if typed.follows:
            # what may follow stands beside files, but a verb's own verbs come alone
            alone = "-f " if verb in groups and not inner else ""
            lines.append(f"complete -c evenhand {alone}-n '{seen}' -a {_told(' '.join(typed.follows))}")
        lines += [f"complete -c evenhand -n '{seen}' {_fish_option(option)}" for option in typed.options]
    return "\n".join(lines) + "\n"


def _fish_option(option: Completion) -> str:
    names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
    values = ""
    if option.values is not None:
        values = f" -x -a {_told(' '.join(option.values))}" if option.values else " -r"
    return f"{names}{values} -d {_told(option.told)}"


def _told(text: str) -> str:
    r"""In fish's single quotes only \ and ' have to be escaped."""
    escaped = " ".join(text.split()).replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


SHELLS: dict[str, Callable[[Sequence[CompletedVerb]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
