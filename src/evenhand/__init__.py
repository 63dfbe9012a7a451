"""Evenhand measures gender bias in machine translation and word vectors, and shows the sentences that prove it.

The verbs of the command line are functions here, and so is what a plug-in needs; nothing else is promised to stay.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from evenhand._version import __version__

if TYPE_CHECKING:
    from evenhand import errors
    from evenhand.embeddings.files import load_vectors, save_vectors
    from evenhand.embeddings.mitigation import Space, mitigation
    from evenhand.embeddings.vectors import Vectors
    from evenhand.embeddings.wordlists import WordLists
    from evenhand.errors import (
        BadInput,
        BadReply,
        EvenhandError,
        MissingExtra,
        Refused,
        SystemFailed,
        Unknown,
        Unreachable,
        require,
    )
    from evenhand.gender import Gender
    from evenhand.grammar import open_grammar
    from evenhand.measures.calibration import Calibration
    from evenhand.measures.decisions.gate import Check, Gate
    from evenhand.measures.decisions.paired import Comparison
    from evenhand.measures.definitions.counts import Counted
    from evenhand.measures.definitions.registry import measure
    from evenhand.mining.steps import MiningSettings
    from evenhand.pipeline.engines import open_engine
    from evenhand.report import report
    from evenhand.report.board.build import Board, board
    from evenhand.report.exchange.every_eval_ever import Origin
    from evenhand.report.exchange.export import export
    from evenhand.report.plots import plot
    from evenhand.report.studies import StudyTables, table
    from evenhand.results.findings import Findings, load_result
    from evenhand.results.runs import Run, load_run
    from evenhand.review.sheets import calibrate
    from evenhand.statistics.measure import Floats, Measure, Statistics
    from evenhand.suites.registry import list_suites, load_suite
    from evenhand.suites.suite import Grouping, Suite
    from evenhand.systems import list_systems, open_system, translate
    from evenhand.systems.agenda import Limits, Plan
    from evenhand.systems.http import Http
    from evenhand.systems.protocol import Answer, Batch, Request, System, TryAgain, fingerprint
    from evenhand.systems.replies import dig, texts_of
    from evenhand.workflows.amplification import amplification
    from evenhand.workflows.audit import audit, plan
    from evenhand.workflows.check import check, gate
    from evenhand.workflows.check_file import FileCheck, check_file
    from evenhand.workflows.compare import compare
    from evenhand.workflows.corpus import Audited, corpus
    from evenhand.workflows.detect import detect
    from evenhand.workflows.mend import mend
    from evenhand.workflows.mine import Mined, mine
    from evenhand.workflows.power import plan_power
    from evenhand.workflows.project import ProjectOutcome, run_project
    from evenhand.workflows.score import score
    from evenhand.workflows.sentences import sentences
    from evenhand.workflows.settings import Settings

# where each public name lives; __getattr__ goes there when the name is first used
_HOMES = {
    "embeddings.files": "load_vectors save_vectors",
    "embeddings.mitigation": "Space mitigation",
    "embeddings.vectors": "Vectors",
    "embeddings.wordlists": "WordLists",
    "errors": "BadInput BadReply EvenhandError MissingExtra Refused SystemFailed Unknown Unreachable require",
    "results.findings": "Findings load_result",
    "gender": "Gender",
    "grammar": "open_grammar",
    "measures.calibration": "Calibration",
    "measures.definitions.counts": "Counted",
    "measures.definitions.registry": "measure",
    "measures.decisions.gate": "Check Gate",
    "measures.decisions.paired": "Comparison",
    "mining.steps": "MiningSettings",
    "pipeline.engines": "open_engine",
    "report.board.build": "Board board",
    "report.exchange.every_eval_ever": "Origin",
    "report.exchange.export": "export",
    "report.plots": "plot",
    "report.studies": "StudyTables table",
    "review.sheets": "calibrate",
    "results.runs": "Run load_run",
    "statistics.measure": "Floats Measure Statistics",
    "suites.registry": "list_suites load_suite",
    "suites.suite": "Grouping Suite",
    "systems": "list_systems open_system translate",
    "systems.agenda": "Limits Plan",
    "systems.http": "Http",
    "systems.replies": "dig texts_of",
    "systems.protocol": "Answer Batch Request System TryAgain fingerprint",
    "workflows.amplification": "amplification",
    "workflows.audit": "audit plan",
    "workflows.settings": "Settings",
    "workflows.check": "check gate",
    "workflows.check_file": "FileCheck check_file",
    "workflows.compare": "compare",
    "workflows.corpus": "Audited",
    "workflows.mine": "Mined mine",
    "workflows.power": "plan_power",
    "workflows.project": "ProjectOutcome run_project",
    "workflows.score": "score",
    "workflows.sentences": "sentences",
}
_MODULES = ("corpus", "detect", "errors", "mend", "report")  # rooms that can be called (verbs.py), and all errors
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "Answer", "Audited", "BadInput", "BadReply", "Batch", "Board", "Calibration", "Check", "Comparison", "Counted",
    "EvenhandError", "FileCheck", "Findings", "Floats", "Gate", "Gender", "Grouping", "Http", "Limits", "Measure",
    "Mined", "MiningSettings", "MissingExtra", "Origin", "Plan", "ProjectOutcome", "Refused", "Request", "Run",
    "Settings", "Space", "Statistics", "StudyTables", "Suite", "System", "SystemFailed", "TryAgain", "Unknown",
    "Unreachable", "Vectors", "WordLists", "__version__", "amplification", "audit", "board", "calibrate", "check",
    "check_file", "compare", "corpus", "detect", "dig", "errors", "export", "fingerprint", "gate", "list_suites",
    "list_systems", "load_result", "load_run", "load_suite", "load_vectors", "measure", "mend", "mine",
    "mitigation", "open_engine", "open_grammar", "open_system", "plan", "plan_power", "plot", "report", "require",
    "run_project", "save_vectors", "score", "sentences", "table", "texts_of", "translate",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: `import evenhand` and `evenhand --help` stay quick."""
    if name in _MODULES:
        return import_module(f"evenhand.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'evenhand' has no attribute {name!r}")
    return getattr(import_module(f"evenhand.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
