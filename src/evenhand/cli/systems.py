"""evenhand systems: who can be asked."""

from evenhand.cli.options import verb
from evenhand.cli.output import print_json, print_table, say
from evenhand.options import Json
from evenhand.systems import Described, list_systems


@verb
def systems(json: Json = False) -> None:
    """List the translation systems and what each needs."""
    known = list_systems()
    if json:
        print_json([{"name": s.name, "takes": s.takes, "summary": s.summary, "needs": list(s.needs)} for s in known])
        return
    rows = [(_spec(s), s.summary, ", ".join(s.needs)) for s in known]
    needs = "needs (environment)"
    print_table(None, ("system", "what it is", needs), rows, whole=("system", needs))
    say("\nParts in [ ] are optional. Use one as `evenhand audit SUITE --system SPEC --target LANG`.")


def _spec(system: Described) -> str:
    if system.takes.startswith("["):
        return f"{system.name}[:{system.takes[1:]}"
    return f"{system.name}:{system.takes}" if system.takes else system.name
