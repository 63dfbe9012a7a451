"""Strings of programs as a detector should see them: without placeholders, tags and shortcut marks.

printf (%s, %1$d, %(name)s, %@), Qt (%1, %n), braces ({0}, {{name}}, ${name}, %{name}), i18next's $t(...), HTML tags and
entities, addresses, options (--user), names of a program's (user.email) and Markdown's stars. What stands for a word
becomes a blank; what is only a mark inside a word (a shortcut's & or _) is taken away. Offsets are those of the text
that comes out.
"""

from __future__ import annotations

import html
import re

from evenhand.grammar.base import DOTTED

_PLACEHOLDERS = (
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
            r"\\[nrt]",
            r"`[^`]*`",
        )
    ),
    re.DOTALL,
)
_MARKS = re.compile(r"[%{}<>&\\`*@_]|\$t\(|://|--?\w|\w[.:>]\w")
_DROPPED = re.compile(r"\*\*|&(?=\w)|(?<!\w)_(?=\w)")


def plain(text: str) -> str:
    """The words of a string. A string without any of these marks comes back as it is."""
    if not _MARKS.search(text):
        return text
    return _DROPPED.sub("", html.unescape(_BLANKED.sub(" ", text)))
