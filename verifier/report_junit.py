"""JUnit XML for CI: every Befund a testcase; fail = failure, unchecked = skipped or error, warn in system-out."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from xml.sax.saxutils import escape, quoteattr

from verifier.report import UNCHECKED_AS, ReportOptions, antrag_of, notes_of
from verifier.report_terminal import finding
from verifier.run import Result
from verifier.verdict import Befund, Outcome
from verifier.walk import Problem

_NOT_XML = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\u200d\u2010-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)
"""What XML 1.0 forbids, and what would repaint a log that shows it."""


def render(result: Result, options: ReportOptions) -> Iterator[str]:
    """Yield two suites: the citations, and what in the database could not be read as one (each an error).

    What a baseline accepts is skipped.
    """
    outcomes = Counter(result.summary.outcomes)
    known = [befund.outcome for position, befund in enumerate(result.befunde) if result.is_known(position)]
    outcomes.subtract(known)
    unchecked = dict.fromkeys(UNCHECKED_AS, 0) | {options.junit_unchecked: outcomes[Outcome.UNCHECKED]}
    counts = {"tests": result.summary.total, "failures": outcomes[Outcome.FAIL], "errors": unchecked["error"]}
    accepted = result.baseline.problems if result.baseline else ()
    lost = [p for position, p in enumerate(result.problems) if p.lost and position not in accepted]
    both = counts | {"tests": counts["tests"] + len(lost), "errors": counts["errors"] + len(lost)}
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield _open("testsuites", "quellentreu", both)
    yield _open("testsuite", "citations", counts | {"skipped": unchecked["skipped"] + len(known)})
    for position, befund in enumerate(result.befunde):
        yield from _testcase(befund, options, known=result.is_known(position))
    yield "</testsuite>\n"
    if lost:
        yield _open("testsuite", "unreadable", {"tests": len(lost), "failures": 0, "errors": len(lost), "skipped": 0})
        for problem in lost:
            yield from _error(problem)
        yield "</testsuite>\n"
    yield "</testsuites>\n"


def _open(tag: str, name: str, counts: Mapping[str, int]) -> str:
    numbers = "".join(f' {attribute}="{count}"' for attribute, count in counts.items())
    return f'<{tag} name="{name}"{numbers} time="0">\n'


def _testcase(befund: Befund, options: ReportOptions, *, known: bool) -> Iterator[str]:
    zitat = befund.zitat
    name = " ".join(filter(None, (antrag_of(zitat), zitat.pfad))) or "quotation"
    yield f'<testcase classname={_attribute(befund.programm_id or "no programme")} name={_attribute(name)} time="0">'
    message = f"{befund.verdict}: {befund.message}"
    body = _text("".join(finding(befund, ReportOptions())))
    kind = f'type="{befund.verdict}" message={_attribute(message)}'
    if known:
        yield f"\n<skipped message={_attribute('known, accepted by the baseline: ' + message)}/>\n"
    elif befund.outcome is Outcome.FAIL:
        yield f"\n<failure {kind}>{body}</failure>\n"
    elif befund.outcome is Outcome.WARN:  # JUnit knows no warnings: the test passes, and its output says why not quite
        yield f"\n<system-out>warning: {body}</system-out>\n"
    elif befund.outcome is Outcome.UNCHECKED and options.junit_unchecked == "error":
        yield f"\n<error {kind}>{body}</error>\n"
    elif befund.outcome is Outcome.UNCHECKED:
        yield f"\n<skipped message={_attribute(message)}/>\n"
    elif notes := notes_of(befund):
        yield f"\n<system-out>{_text(chr(10).join(notes))}</system-out>\n"
    yield "</testcase>\n"


def _error(problem: Problem) -> Iterator[str]:
    name = _attribute(f"{problem.drucksache} {problem.pfad}")
    yield f'<testcase classname="assessments" name={name} time="0">\n'
    yield f'<error type="unreadable" message={_attribute(problem.reason)}/>\n</testcase>\n'


def _attribute(text: str) -> str:
    return quoteattr(_NOT_XML.sub("\ufffd", text), {"\n": " ", "\r": " ", "\t": " "})


def _text(text: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", text))
