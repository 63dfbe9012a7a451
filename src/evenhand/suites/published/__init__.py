"""Published test sets as suites, read from their files as they are."""

from __future__ import annotations

from evenhand.suites.published.gest import gest
from evenhand.suites.published.mittens import mittens
from evenhand.suites.published.mtgeneval import mtgeneval
from evenhand.suites.published.winobias import winobias
from evenhand.suites.published.winogender import winogender
from evenhand.suites.published.winomt import winomt
from evenhand.suites.published.winomt_distance import winomt_distance

__all__ = ["gest", "mittens", "mtgeneval", "winobias", "winogender", "winomt", "winomt_distance"]
