"""The other form: a rendering rewritten so that its person has the wanted gender, or a reason why not."""

from evenhand.verbs import callable_room

VERB = "evenhand.workflows.mend:mend"
callable_room(__name__)
