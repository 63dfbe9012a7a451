"""evenhand languages: what is covered per target language."""

from dataclasses import asdict

from evenhand.cli.options import verb
from evenhand.cli.output import print_json, print_table, say
from evenhand.languages import known
from evenhand.options import Json


@verb
def languages(json: Json = False) -> None:
    """List the target languages: nouns, pronouns, speaker, mend, suites, word list sizes and sources."""
    from evenhand.workflows.languages import coverage  # opens every language, which `--help` must not wait for

    covered = coverage()
    sources = [entry.name for entry in known().values() if entry.source]
    if json:
        print_json([asdict(one) for one in covered])
        return
    columns = (
        "code",
        "language",
        "nouns",
        "pronouns",
        "speaker",
        "mend",
        "suites",
        "pairs",
        "forms",
        "English",
        "sources",
    )
    table = [
        (
            one.code, one.name, *("yes" if has else "-" for has in (one.nouns, one.pronouns, one.speaker, one.mend)),
            f"{len(one.suites)}", f"{one.pairs:,}", f"{one.entries:,}", f"{one.english:,}", ", ".join(one.sources),
        )
        for one in covered
    ]  # fmt: skip
    print_table(None, columns, table, whole=columns[:-1])
    say(
        "\npairs: feminines with their masculine (profesora, profesor), and nouns for both (gerente). "
        "forms: one-word forms of person nouns that the language's tables have. English: English nouns whose "
        f"renderings they list. Sources may also be English, {', '.join(sources)}. docs/licences.md has "
        "the sources' licences and error rates."
    )
