"""The command line: parse, call, print. Every verb is a module of its own."""

import os
import shutil
import sys
import textwrap
import warnings
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import typer
from typer.main import get_command

from evenhand import tsv
from evenhand.errors import BadInput, Caution, EvenhandError, Unknown

COMPLETE = "_EVENHAND_COMPLETE"  # the variable by which a shell asks for completions
PURPOSE = (
    "Evenhand measures gender bias in machine translation and word vectors, and shows the sentences that prove it."
)
VERBS = {row["verb"]: row["summary"] for row in tsv.rows(Path(__file__).with_name("verbs.tsv"))}


def main() -> None:
    """Exit codes: 0 done, 1 a check failed, 2 wrong use or bad input, 3 a system could not be reached."""
    if COMPLETE in os.environ:
        from evenhand.cli.completion import complete

        complete()
    with warnings.catch_warnings():
        warnings.showwarning = _show  # type: ignore[assignment]  # it takes the same arguments, the last as they come
        _run_and_tell()


def _show(message: Warning | str, category: type[Warning], *where: Any) -> None:
    """Our own cautions as one line; others as Python shows them."""
    ours = issubclass(category, Caution)
    text = f"evenhand: {message}\n" if ours else warnings.formatwarning(message, category, *where[:2])
    typer.echo(text, err=True, nl=False)


def _run_and_tell() -> None:
    try:
        run(sys.argv[1:])
    except EvenhandError as error:
        typer.echo(f"evenhand: {error}", err=True)
        sys.exit(error.exit_code)
    except KeyboardInterrupt as stop:
        told = str(stop) or "stopped. Translations so far are kept; run the same command to resume."
        typer.echo(f"evenhand: {told}", err=True)
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        # a disk that is full, a file that vanished: the user's to mend, so a line and not a traceback
        where = f"{error.filename}: " if error.filename else ""
        typer.echo(f"evenhand: {where}{error.strerror or error}", err=True)
        sys.exit(2)


def run(arguments: list[str]) -> None:
    """Hand over to a verb's own module, imported only now so that `evenhand --help` is quick."""
    verb = arguments[0] if arguments else "--help"
    if verb in ("--help", "-h", "help"):
        typer.echo(overview(shutil.get_terminal_size().columns))
        return
    if verb == "--version":
        from evenhand import __version__

        typer.echo(f"evenhand {__version__}")
        return
    if verb not in VERBS:
        raise Unknown("verb", verb, VERBS, hint="`evenhand --help` describes each.")
    command = get_command(app_of(verb))
    _without_types(command)
    try:
        # not command(...): that turns Ctrl-C into a silent exit code, and with it what it has to say
        with command.make_context(f"evenhand {verb}", arguments[1:]) as context:
            _check_repeated(command.make_parser(context).parse_args(arguments[1:])[2])
            code = command.invoke(context)
    except typer.Exit as left:
        code = left.exit_code
    except typer.Abort:
        raise KeyboardInterrupt from None
    except Exception as error:
        # wrong use, in the parser's own words; its class lives in click or in typer, depending on the version
        told = getattr(error, "format_message", None)
        if told is None:
            raise
        where = getattr(getattr(error, "ctx", None), "command_path", f"evenhand {verb}")
        words = told().replace("Value error, ", "").rstrip(".")
        raise BadInput(f"{words}. `{where} --help` explains.") from error
    if isinstance(code, int) and code:
        sys.exit(code)


def _check_repeated(order: Sequence[object]) -> None:
    """An option of one value that is given twice is an error: the parser would keep the last one and say nothing."""
    single = [one for one in order if not getattr(one, "multiple", True) and not getattr(one, "is_flag", False)]
    for option in single:
        if single.count(option) > 1:
            raise BadInput(f"{getattr(option, 'opts', ['an option'])[0]} is given twice and takes one value")


def app_of(verb: str) -> typer.Typer:
    """What a verb's module defines under the verb's own name."""
    name = verb.replace("-", "_")
    app: typer.Typer = getattr(import_module(f"evenhand.cli.{name}"), name)
    return app


def _without_types(command: object) -> None:
    """In the help, an argument by its name alone: Typer 0.29 adds the type in Python, `RUN <list[Path]>`."""
    for parameter in getattr(command, "params", ()):
        if parameter.param_type_name == "argument":
            parameter.display_type_rich = lambda ctx: None
    for inside in getattr(command, "commands", {}).values():
        _without_types(inside)


def overview(columns: int) -> str:
    """The text of `evenhand --help` for a terminal so wide: what a verb does stands in a column of its own."""
    width, columns = max(map(len, VERBS)), max(columns, 40)
    fill = partial(textwrap.fill, width=columns, subsequent_indent=" " * (width + 4), break_on_hyphens=False)
    lines = [fill(summary, initial_indent=f"  {verb:<{width}}  ") for verb, summary in VERBS.items()]
    usage = ["Usage: evenhand VERB ...", "(evenhand VERB --help explains one)"]
    return "\n".join([textwrap.fill(PURPOSE, columns), "", *usage, "", *lines])
