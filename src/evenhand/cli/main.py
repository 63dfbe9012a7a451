"""The command line: parse, call, print. Every verb is a module of its own."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
import warnings
from importlib import import_module
from typing import TextIO

import typer
from typer.main import get_command

from evenhand.errors import BadInput, Caution, EvenhandError, Unknown

VERBS: dict[str, str] = {
    "init": "write a commented project file, evenhand.toml",
    "run": "all of a project file: systems x suites x languages, one overview, one gate",
    "suites": "what can be asked: the suites and readers",
    "systems": "who can be asked: the translation systems",
    "plan": "what an audit would send and cost; sends nothing",
    "audit": "translate a suite, judge every rendering, score and report",
    "detect": "verdicts for pairs of source and translation you already have",
    "check-file": "the gender a translated file (XLIFF, TMX, PO, JSON, CSV) gives the persons in its strings",
    "mend": "give a rendering's person the other gender, or the one the source states",
    "score": "estimate a run's measures again",
    "sentences": "list and export a run's renderings, by gender, group, pair or change",
    "compare": "two or more runs of the same suite, with paired tests",
    "obedience": "what asking for a gender did: obeyed, and others changed with it",
    "check": "a gate for CI: exit 1 when a limit is broken or a measure got worse",
    "verify": "whether a run or a board is what it claims: digests, signature, verdicts, estimates",
    "report": "one HTML page (and figures, tables) for one or several runs",
    "board": "a static site of many runs: rankings with ties, a page a system, a language and a run",
    "export": "a run as Every Eval Ever, Hugging Face, MLflow, model card or table",
    "serve": "explore runs in the browser, review verdicts, try sentences",
    "review": "list what is undecided, take a person's labels, draw a control sample",
    "calibrate": "the detector's own error, from a person's labels",
    "references": "outside statistics to compare with: list, validate, explain",
    "glossary": "what a measure, a symbol or a column means",
    "mine": "find at-risk sentence pairs in natural text",
    "corpus": "how persons are gendered in parallel text: counts word by word, weights to balance it",
    "embeddings": "score, audit, debias and evaluate word vectors",
    "replicate": "a paper's tables, recomputed beside the published ones",
    "completion": "a script that completes these words in bash, zsh or fish",
}


def main() -> None:
    """Exit codes: 0 done, 1 a check failed, 2 wrong use or bad input, 3 a system could not be reached."""
    with warnings.catch_warnings():
        warnings.showwarning = _show
        _run_and_tell()


def _show(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Our own cautions as one line; others as Python shows them."""
    ours = issubclass(category, Caution)
    text = f"evenhand: {message}\n" if ours else warnings.formatwarning(message, category, filename, lineno, line)
    typer.echo(text, err=True, nl=False)


def _run_and_tell() -> None:
    try:
        run(sys.argv[1:])
    except EvenhandError as error:
        typer.echo(f"evenhand: {error}", err=True)
        sys.exit(error.exit_code)
    except KeyboardInterrupt as stop:
        told = str(stop) or "stopped. What was translated is kept; the same command goes on from there."
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
        raise Unknown("verb", verb, VERBS, hint="`evenhand --help` says what each does.")
    command = get_command(app_of(verb))
    try:
        # not command(...): that turns Ctrl-C into a silent exit code, and with it what it has to say
        with command.make_context(f"evenhand {verb}", arguments[1:]) as context:
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


def app_of(verb: str) -> typer.Typer:
    """What a verb's module defines under the verb's own name."""
    name = verb.replace("-", "_")
    app: typer.Typer = getattr(import_module(f"evenhand.cli.{name}"), name)
    return app


def overview(columns: int) -> str:
    """The text of `evenhand --help` for a terminal so wide: what a verb does stands in a column of its own."""
    width, columns = max(map(len, VERBS)), max(columns, 40)
    opening = (
        "Evenhand measures gender bias in machine translation and word vectors, and shows the sentences that prove it."
    )
    lines = [
        textwrap.fill(
            summary,
            columns,
            initial_indent=f"  {verb:<{width}}  ",
            subsequent_indent=" " * (width + 4),
            break_on_hyphens=False,
        )
        for verb, summary in VERBS.items()
    ]
    usage = ["Usage: evenhand VERB ...", "(evenhand VERB --help explains one)"]
    return "\n".join([textwrap.fill(opening, columns), "", *usage, "", *lines])
