"""Suites of occupations in English sentences, after WiBeMT (Troles & Schmid 2021) and WinoBias (Zhao et al. 2018)."""

from __future__ import annotations

from evenhand.suites.occupations.adjectives import adjectives
from evenhand.suites.occupations.coreference import coreference
from evenhand.suites.occupations.verbs import verbs

__all__ = ["adjectives", "coreference", "verbs"]
