"""Parallel text that already exists: how its persons are gendered, before anybody trains on it."""

from evenhand.verbs import callable_room

VERB = "evenhand.workflows.corpus:corpus"
callable_room(__name__)
