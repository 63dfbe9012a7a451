"""Strings of programs as a detector should see them: without placeholders, tags and shortcut marks.

printf (%s, %1$d, %(name)s, %@), Qt (%1, %n), braces ({0}, {{name}}, ${name}, %{name}), i18next's $t(...), HTML tags and
entities, addresses, options (--user), names of a program's (user.email) and Markdown's stars. What stands for a word
becomes a blank; what is only a mark inside a word (a shortcut's & or _) is taken away. Offsets are those of the text
that comes out.
"""

import html
import re

from evenhand.grammar.base import DOTTED

_PLACEHOLDERS = (
    r"%\(\w+\)[-+#0' ]*\d*(?:\.\d+)?[diouxXeEfFgGcrs]|"  # a word may follow at once: %(count)dUsers
    r"%(?:\(\w+\)|\d+\$)?[-+#0']*(?:\*|\d+)?(?:\.(?:\*|\d+))?(?:hh|h|ll|l|L|q|j|z|t)?[diouxXeEfFgGaAcCsSpn@](?!\w)"
    r"|%L?\d{1,2}(?!\w)"
    r"|%%"
)
_BLANKED = re.compile(
    "|".join(
        (
            r"</?[A-Za-z][^<>]*>",  # a tag
            r"<!--.*?-->",
            r"\{\{[^{}]*\}\}",
            r"[$%#]?\{[^{}]*\}",
            r"\$t\([^()]*\)",
            _PLACEHOLDERS,
            r"https?://[^\s<>\"]+",
            r"[\w.+-]+@[\w-]+\.[\w.-]+",
            r"(?<![\w/-])--?\w[\w-]*(?:=\S+)?",  # an option: -u, --user=NAME; not Nutzer/-innen
            rf"(?<![.\w])(?!{DOTTED}(?!\w))[^\W\d]\w*(?:(?:\.|::|->)\w+)+(?:\(\))?",  # a name in a program: user.email
            r"(?<![\w*])(?!\w*_innen\b|\w*_in\b)[A-Za-z0-9]{2,}(?:_+[A-Za-z0-9]+)+_*(?!\w)",  # max_users; not Nutzer_in
            r"(?<!\w)_*[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?!\w)",
            r"\$\w+",
            r"(?<!\w)\w+=[\w.-]+(?:,\s?\w+=[\w.-]+)+",  # a name in a directory: ou=people,dc=example
            r"(?<![\w/:])\w+(?::\w+){2,}(?:\.\w+)?(?!\w)",  # a key: list:admin:subscribe
            r"\\[nrt]",
            r"`[^`]*`",
            r"\(\?P?[<:=!][^)]*\)\S*|\^\w+/\S*",  # a regular expression, as addresses of a site have them
            r"(?:[^\s|]*\|){4,}[^\s|]*|(?:[^\s;][^;\n]*;){4,}",  # alternatives of a program: ab|ba|ma; search words
        )
    ),
    re.DOTALL,
)
_MARKS = re.compile(r"[%{}<>&\\`*@_$|^;]|://|--?\w|\w[.:>]\w")
_DROPPED = re.compile(r"\*\*|&(?=\w)|(?<!\w)_(?=\w)")
_SHORTCUT = re.compile(r"\w*_\w+")
_CONTEXT = re.compile(r"[^|^\n]{1,80}[|^](?=\S)|\?[a-z_]{1,40}:(?=\S)")


def without_shortcuts(source: str, rendering: str) -> tuple[str, str]:
    """Both without GTK's mark of a shortcut, which may be inside a word (s_econd, pr_oprietário): the only underscore
    of each, in words that are not the same."""
    if source.count("_") == rendering.count("_") == 1:
        words = [match[0] if (match := _SHORTCUT.search(text)) else "" for text in (source, rendering)]
        if all(words) and words[0] != words[1]:
            return source.replace("_", ""), rendering.replace("_", "")
    return source, rendering


def context_of(source: str, rendering: str) -> str:
    """The context that some programs write before a message (female|partner, female^expert, ?female:Earl) with its
    mark, which the translation leaves out; "" where there is none."""
    context = _CONTEXT.match(source)
    return context[0] if context and not _CONTEXT.match(rendering) else ""


def plain(text: str) -> str:
    """The words of a string. A string without any of these marks comes back as it is."""
    if not _MARKS.search(text):
        return text
    return _DROPPED.sub("", html.unescape(_BLANKED.sub(" ", text)))
