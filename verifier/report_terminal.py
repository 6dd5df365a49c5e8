"""The report for people at a terminal: what to look at, then how many of each verdict, then what was not checked."""

from collections.abc import Iterator

from indexer.console import printable
from verifier.report import ReportOptions, antrag_of, notes_of, place, shortened
from verifier.run import Result
from verifier.summary import Summary
from verifier.verdict import Befund, Change, Nearest, Outcome
from verifier.walk import Problem

_COLORS = {Outcome.PASS: "32", Outcome.WARN: "33", Outcome.FAIL: "31", Outcome.UNCHECKED: "36"}
_SHOWN = 300  # characters of a text; the comparison always takes all of it
_PLACES = 5
_CHANGES = 12
_NAMED = 10
_GROUPS = 25


def render(result: Result, options: ReportOptions) -> Iterator[str]:
    """Yield the findings (not if `quiet`, nor known ones) and the totals; of a `single` quotation its Befund only."""
    for position, befund in enumerate(result.befunde):
        hidden = options.quiet or befund.outcome is Outcome.PASS or result.is_known(position)
        if options.single or not hidden:
            yield from finding(befund, options)
    if not options.single:
        yield from after_the_findings(result, options)


def after_the_findings(result: Result, options: ReportOptions) -> Iterator[str]:
    """Yield what could not be read (not if `quiet`) and the totals."""
    if not options.quiet:
        yield from _problems(result.problems)
    yield from _totals(result.summary, options)
    if (baseline := result.baseline) is not None:
        known = len(baseline.befunde) + len(baseline.problems)
        yield f"Baseline: {_counted(known, 'known finding')} accepted, {len(baseline.vanished)} vanished.\n"
        for vanished in baseline.vanished:
            yield f"  vanished: {_one_line(vanished)}\n"


def finding(befund: Befund, options: ReportOptions) -> Iterator[str]:
    """Yield one Befund: a line to grep for, then the evidence."""
    zitat = befund.zitat
    antrag = ", ".join(filter(None, (zitat.bundesland, zitat.fraktion)))
    where = " ".join(filter(None, (antrag_of(zitat), antrag and f"({antrag})", zitat.pfad)))
    verdict = _painted(f"{befund.outcome:9} {befund.verdict}", befund.outcome, options)
    yield f"{verdict}  {_one_line(where)}{': ' if where else ''}{_one_line(befund.message)}\n"
    yield _row("quelle", zitat.quelle)
    yield _row("quoted", f"“{shortened(zitat.text, _SHOWN)}”")
    if (nearest := befund.nearest) is not None:
        yield from nearest_lines(nearest)
    for spot in befund.found[:_PLACES]:
        yield _row("stands on", place(spot.programm_id, spot.seite, spot.seitenlabel))
    if befund.found_total > _PLACES:
        yield _row("", f"… and {befund.found_total - _PLACES} more places")
    for note in notes_of(befund):
        yield _row("note", note)
    yield "\n"


def nearest_lines(nearest: Nearest) -> Iterator[str]:
    """Yield the nearest passage, where it stands, and what differs."""
    yield _row("printed", f"“{shortened(nearest.text, _SHOWN)}”")
    yield _row("", place(nearest.programm_id, nearest.seite, nearest.seitenlabel))
    for change in nearest.diff[:_CHANGES]:
        yield _row("differs", described(change))
    if len(nearest.diff) > _CHANGES:
        yield _row("", f"… and {len(nearest.diff) - _CHANGES} more differences")


def described(change: Change) -> str:
    """`number: quoted “2030”, printed “2035”`."""
    kind = change.kind.replace("_", " ")
    if not change.quoted:
        return f"{kind}: “{shortened(change.printed, _SHOWN)}” is printed, but not quoted"
    if not change.printed:
        return f"{kind}: “{shortened(change.quoted, _SHOWN)}” is quoted, but not printed"
    return f"{kind}: quoted “{shortened(change.quoted, _SHOWN)}”, printed “{shortened(change.printed, _SHOWN)}”"


def _problems(problems: tuple[Problem, ...]) -> Iterator[str]:
    for problem in problems:
        if problem.lost:
            yield f"unread     {_one_line(f'{problem.drucksache} {problem.pfad}: {problem.reason}')}\n"
    harmless: dict[str, list[str]] = {}
    for problem in problems:
        if not problem.lost:
            harmless.setdefault(problem.reason, []).append(problem.drucksache)
    for reason, drucksachen in harmless.items():
        named = ", ".join(drucksachen[:_NAMED]) + (" …" if len(drucksachen) > _NAMED else "")
        yield f"noted      {_one_line(f'{len(drucksachen)} × {reason}: {named}')}\n"
    if problems:
        yield "\n"


def _totals(summary: Summary, options: ReportOptions) -> Iterator[str]:
    yield f"{_counted(summary.total, 'citation')} in {_counted(summary.assessments, 'assessment')}\n"
    for verdict, count in summary.verdicts.items():
        if count:
            row = f"  {verdict.outcome:9}  {verdict:18} {count:7}  {100 * count / summary.total:5.1f} %"
            yield _painted(row, verdict.outcome, options) + "\n"
    totals = ", ".join(f"{count} {outcome}" for outcome, count in summary.outcomes.items())
    yield f"  total: {totals}\n"
    if summary.unchecked == summary.total:
        yield "Nothing could be checked. This is no success.\n"
    elif summary.unchecked:
        share = 100 * summary.unchecked / summary.total
        yield f"Not checked: {summary.unchecked} of {summary.total} citations ({share:.1f} %)."
        yield " Nothing is known of them.\n"
    if summary.lost:
        yield f"Not readable: {_counted(summary.lost, 'place')} in the database; citations may be hidden there.\n"
    if summary.unresolved:
        yield "No programme to read for (add an alias, a programme, or correct the quelle):\n"
        for group in summary.unresolved[:_GROUPS]:
            why = f"{group.quelle or '(no quelle)'}: {group.verdict}: {group.message}"
            yield f"  {group.count:6} × {_one_line(shortened(why, _SHOWN))}\n"
        if len(summary.unresolved) > _GROUPS:
            yield f"         … and {len(summary.unresolved) - _GROUPS} more; --format json lists all\n"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _row(name: str, text: str) -> str:
    return f"  {name:9}  {_one_line(text)}\n"


def _one_line(text: str) -> str:
    """Text from elsewhere cannot begin a line of its own, move the cursor or turn the writing direction."""
    return printable(" ".join(text.split()))


def _painted(text: str, outcome: Outcome, options: ReportOptions) -> str:
    return f"\x1b[{_COLORS[outcome]}m{text}\x1b[0m" if options.color else text
