"""A gate's result for machines: JSON, JUnit XML for test reports, annotations for GitHub, SARIF."""

import json
import re
from collections.abc import Callable
from dataclasses import asdict
from urllib.parse import quote
from xml.etree import ElementTree

from evenhand._version import __version__
from evenhand.measures.decisions.gate import Check, Gate
from evenhand.measures.decisions.margins import INCONCLUSIVE

SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # in XML 1.0


def as_json(gate: Gate) -> dict[str, object]:
    """Whether it passed, the doubts and failures in words, every check, and what was not gated with the reason."""
    return {
        "passed": gate.passed,
        "doubts": gate.doubts,
        "failures": gate.failures,
        "checks": [asdict(check) for check in gate.checks],
        "not_gated": gate.not_gated,
        "notes": gate.notes,
    }


def as_junit(gate: Gate, title: str) -> str:
    """JUnit XML: a test case per check; a doubt is an error, what was not gated is skipped, with the reason."""
    failed = [check for check in gate.checks if not check.passed]
    counts = {
        "tests": str(len(gate.checks) + len(gate.not_gated) + len(gate.doubts)),
        "failures": str(len(failed)),
        "errors": str(len(gate.doubts)),
        "time": "0",
    }
    # the schema that CI servers read by knows `skipped` on the inner element only
    root = ElementTree.Element("testsuites", {"name": "evenhand check", **counts})
    counts["skipped"] = str(len(gate.not_gated))
    suite = ElementTree.SubElement(root, "testsuite", {"name": _clean(title), **counts})
    for doubt in gate.doubts:
        ElementTree.SubElement(_case(suite, "doubt", doubt), "error", {"message": _clean(doubt), "type": "doubt"})
    for check in gate.checks:
        case = _case(suite, check.kind, check.name or check.rule)
        if not check.passed:
            failure = ElementTree.SubElement(case, "failure", {"message": _clean(check.told), "type": check.outcome})
            failure.text = _clean(f"{check.rule}: {check.told}")
        else:
            ElementTree.SubElement(case, "system-out").text = _clean(check.told)
    for name, why in gate.not_gated.items():
        ElementTree.SubElement(_case(suite, "not gated", name), "skipped", {"message": _clean(why)})
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _case(suite: ElementTree.Element, kind: str, name: str) -> ElementTree.Element:
    return ElementTree.SubElement(
        suite, "testcase", {"classname": f"evenhand.{kind.replace(' ', '_')}", "name": _clean(name), "time": "0"}
    )


def _clean(text: str) -> str:
    return _ILLEGAL.sub("\ufffd", text)


def as_github(gate: Gate, title: str) -> str:
    """Workflow commands: an error for each failed check, a warning for what is inconclusive, a notice at the end."""
    lines = [f"::error title=evenhand%3A doubt::{_escape(doubt)}" for doubt in gate.doubts]
    lines += [_annotation("error", check) for check in gate.checks if not check.passed]
    lines += [
        _annotation("warning", one) for one in gate.checks if one.passed and one.outcome in (INCONCLUSIVE, one.rule)
    ]
    failed = len(gate.failures)
    summary = f"{failed} of {len(gate.checks)} checks failed" if failed else f"all {len(gate.checks)} checks passed"
    summary = f"nothing can be concluded ({len(gate.doubts)} doubts)" if gate.doubts else summary
    return "\n".join([*lines, f"::notice title=evenhand::{_escape(f'{title}: {summary}')}"]) + "\n"


def _annotation(kind: str, check: Check) -> str:
    title = _property(f"evenhand: {check.rule if check.place else check.name or check.kind}")
    where = "" if check.place is None else f"file={_property(check.place[0])},line={check.place[1]},"
    return f"::{kind} {where}title={title}::{_escape(_said(check))}"


def _said(check: Check) -> str:
    return f"{check.name}: {check.told}" if check.name and not check.place else check.told


def _property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def as_sarif(gate: Gate, title: str) -> str:
    """SARIF 2.1.0: a result per check that failed or is inconclusive; doubts mean that the tool could not work."""
    kept = [check for check in gate.checks if not check.passed or check.outcome in (INCONCLUSIVE, check.rule)]
    results = [
        {
            "ruleId": check.code or check.kind,
            "level": "warning" if check.passed else "error",
            "message": {"text": _said(check)},
            "locations": [_location(check, title)],
        }
        for check in kept
    ]
    doubts = [{"level": "error", "message": {"text": doubt}} for doubt in gate.doubts]
    words = {check.code or check.kind: check.rule if check.code else check.kind for check in kept}
    rules = [{"id": code, "shortDescription": {"text": text}} for code, text in sorted(words.items())]
    run = {
        "tool": {"driver": {"name": "evenhand", "version": __version__, "rules": rules}},
        "invocations": [{"executionSuccessful": not doubts, "toolExecutionNotifications": doubts}],
        "results": results,
    }
    return json.dumps({"$schema": SARIF, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2) + "\n"


def _location(check: Check, title: str) -> dict[str, object]:
    if check.place is None:
        return {"logicalLocations": [{"fullyQualifiedName": f"{title}: {check.name or check.kind}"}]}
    file, line = check.place
    return {"physicalLocation": {"artifactLocation": {"uri": quote(file)}, "region": {"startLine": max(line, 1)}}}


WRITERS: dict[str, Callable[[Gate, str], str]] = {"junit": as_junit, "github": as_github, "sarif": as_sarif}
