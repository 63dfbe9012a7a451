"""evenhand completion: a script that completes evenhand's words in a shell."""

from __future__ import annotations

from typing import Literal

import typer

from evenhand.cli.main import VERBS
from evenhand.cli.shell_scripts import SHELLS
from evenhand.cli.typed import everything

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def completion(
    shell: Literal["bash", "zsh", "fish"] = typer.Argument(metavar="SHELL", help="bash, zsh or fish"),
) -> None:
    """Print the script that makes a shell complete verbs, options, suites, systems and languages.

    \b
    bash:                 source <(evenhand completion bash)
    zsh, after compinit:  source <(evenhand completion zsh)
    fish:                 evenhand completion fish | source
    """
    typer.echo(SHELLS[shell](everything(VERBS)), nl=False)
