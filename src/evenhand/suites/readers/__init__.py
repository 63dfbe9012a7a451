"""Readers for published files and for a user's own tables; each makes a suite."""

from __future__ import annotations

from evenhand.suites.readers.mtgeneval import mtgeneval
from evenhand.suites.readers.table import table
from evenhand.suites.readers.winobias import winobias
from evenhand.suites.readers.winogender import winogender
from evenhand.suites.readers.winomt import winomt

__all__ = ["mtgeneval", "table", "winobias", "winogender", "winomt"]
