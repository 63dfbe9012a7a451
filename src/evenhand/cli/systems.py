"""evenhand systems: who can be asked."""

from evenhand.cli.options import verb
from evenhand.cli.output import print_json, print_table, say
from evenhand.options import Json
from evenhand.systems import list_systems


@verb
def systems(json: Json = False) -> None:
    """List the translation systems and what each needs."""
    known = list_systems()
    if json:
        print_json([{"name": s.name, "takes": s.takes, "summary": s.summary, "needs": list(s.needs)} for s in known])
        return
    takes = {s.name: f"[:{s.takes[1:]}" if s.takes.startswith("[") else ":" * bool(s.takes) + s.takes for s in known}
    rows = [(s.name + takes[s.name], s.summary, ", ".join(s.needs)) for s in known]
    needs = "needs (environment)"
    print_table(None, ("system", "what it is", needs), rows, whole=("system", needs))
    say("\nParts in [ ] are optional. Use one as `evenhand audit SUITE --system SPEC --target LANG`.")
