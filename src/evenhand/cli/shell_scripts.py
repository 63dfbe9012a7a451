"""Completion scripts for bash, zsh and fish, made from what can be typed. They start nothing: a Tab costs no Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evenhand.cli.typed import Option, Typed

_BASH = """
_evenhand() {
  local offered="" verb="${COMP_WORDS[1]}" inner="${COMP_WORDS[2]}" current="${COMP_WORDS[COMP_CWORD]}"
  local before="${COMP_WORDS[COMP_CWORD-1]}" place="$COMP_CWORD"
  # bash cuts words at colons: libretranslate:URL comes as three
  [ "$before" = ":" ] && return
  _evenhand_words
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
  case "${COMPREPLY[0]}" in *:) compopt -o nospace 2>/dev/null ;; esac
}
complete -o default -F _evenhand evenhand
"""

_ZSH = """
_evenhand() {
  local offered="" verb="${words[2]}" inner="${words[3]}" current="${words[CURRENT]}"
  local before="${words[CURRENT-1]}" place="$((CURRENT - 1))"
  _evenhand_words
  local -a listed=(${=offered})
  compadd -S '' -- ${(M)listed:#*:}
  compadd -- ${listed:#*:}
  # files too, where no option was begun and nothing else is known
  [[ "$current" == -* || $place -eq 1 ]] || _files
}
compdef _evenhand evenhand
"""


def bash(verbs: Sequence[Typed]) -> str:
    """Put in the user's completions folder, or sourced from ~/.bashrc."""
    return f"# evenhand in bash: source <(evenhand completion bash)\n{_words(verbs)}{_BASH}"


def zsh(verbs: Sequence[Typed]) -> str:
    """Sourced after compinit."""
    head = "#compdef evenhand\n# evenhand in zsh, after compinit: source <(evenhand completion zsh)\n"
    return f"{head}{_words(verbs)}{_ZSH}"


def _words(verbs: Sequence[Typed]) -> str:
    """A function that bash and zsh read alike: from verb, inner, before, current and place to `offered`."""
    outer = " ".join(typed.words for typed in verbs if " " not in typed.words)
    groups = dict.fromkeys(typed.words.split()[0] for typed in verbs if " " in typed.words)
    lines = [
        "_evenhand_words() {",
        f'  if [ "$place" -eq 1 ]; then offered="{outer}"; return; fi',
        '  local typed="$verb"',
    ]
    for verb in groups:
        inner = "|".join(typed.words.split()[1] for typed in verbs if typed.words.startswith(f"{verb} "))
        deeper = f'[ "$verb" = {verb} ] && [ "$place" -gt 2 ]'
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


def fish(verbs: Sequence[Typed]) -> str:
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


def _fish_option(option: Option) -> str:
    names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
    values = ""
    if option.values is not None:
        values = f" -x -a {_told(' '.join(option.values))}" if option.values else " -r"
    return f"{names}{values} -d {_told(option.told)}"


def _told(text: str) -> str:
    r"""In fish's single quotes only \ and ' have to be escaped."""
    escaped = " ".join(text.split()).replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


SHELLS: dict[str, Callable[[Sequence[Typed]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
