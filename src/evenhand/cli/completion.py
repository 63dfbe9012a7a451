"""evenhand completion: Typer's completion script for a shell, and what the shell is answered when Tab is pressed."""

import os
import re
from collections.abc import Callable, Iterable
from typing import Annotated, Literal

import typer
from typer.completion import completion_init, get_completion_script  # type: ignore[attr-defined]
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from evenhand.cli.main import COMPLETE, VERBS, app_of
from evenhand.cli.options import verb
from evenhand.languages import known
from evenhand.measures.definitions.registry import names as measures
from evenhand.options import Argument
from evenhand.references.reference import shipped
from evenhand.suites.registry import list_suites
from evenhand.systems import list_systems

_SAFE = re.compile(r"[\w.+:=@%-]+")  # a shell evaluates completions, and other packages choose some of the names
_VALUES: dict[str, Callable[[], Iterable[str]]] = {
    "SUITE": lambda: [f"{e.name}:" if e.takes_path else e.name for e in list_suites()],
    "SPEC": lambda: [f"{s.name}:" if s.takes and not s.takes.startswith("[") else s.name for s in list_systems()],
    "LANG": known,
    "REFERENCE": shipped,
    "MEASURE": measures,
}


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
    typer.echo(get_completion_script(prog_name="evenhand", complete_var=COMPLETE, shell=shell))


class AllVerbs(TyperGroup):
    """Every verb; only the one on the command line is imported."""

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]  # Typer's own context
        return list(VERBS)

    def get_command(self, ctx: typer.Context, cmd_name: str) -> TyperCommand | TyperGroup | None:  # type: ignore[override]
        typed = (os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")).split()
        if cmd_name in VERBS and cmd_name in typed:
            return get_command(app_of(cmd_name))  # type: ignore[return-value]
        return TyperCommand(cmd_name, help=VERBS[cmd_name]) if cmd_name in VERBS else None


def complete() -> None:
    """Answer the shell, whose question is in the environment."""
    completion_init()
    AllVerbs(name="evenhand").main(prog_name="evenhand", complete_var=COMPLETE)


def values(metavar: str, incomplete: str) -> list[str]:
    """What may complete an option or argument with this metavar."""
    return [value for value in _VALUES[metavar]() if value.startswith(incomplete) and _SAFE.fullmatch(value)]
