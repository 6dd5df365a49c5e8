"""GitHub annotations: fail = error, warn = warning, unchecked = notice, and the totals as a last notice."""

from collections.abc import Iterator

from indexer.console import printable
from verifier.report import ReportOptions, antrag_of, place, shortened
from verifier.run import Result
from verifier.verdict import Befund, Outcome

_COMMANDS = {Outcome.FAIL: "error", Outcome.WARN: "warning", Outcome.UNCHECKED: "notice"}
_SHOWN = 300  # characters of a text


def render(result: Result, options: ReportOptions) -> Iterator[str]:
    """Yield one workflow command per line; GitHub itself shows the first ten of a kind in each step."""
    for position, befund in enumerate(result.befunde):
        if befund.outcome in _COMMANDS:
            name = "notice" if result.is_known(position) else _COMMANDS[befund.outcome]
            yield _command(name, f"{befund.verdict} {antrag_of(befund.zitat)}", _message(befund))
    for problem in result.problems:
        if problem.lost:
            where = f"unreadable {problem.drucksache}"
            yield _command("error", where, f"{problem.pfad}: {problem.reason}")
    summary = result.summary
    totals = ", ".join(f"{count} {outcome}" for outcome, count in summary.outcomes.items())
    yield _command("notice", "quellentreu", f"{summary.total} citations: {totals}; {summary.lost} places unreadable")


def _message(befund: Befund) -> str:
    zitat = befund.zitat
    lines = [befund.message, f"quelle: {zitat.quelle}", f"quoted: {zitat.text}", f"at {zitat.pfad}"]
    if befund.nearest is not None:
        lines.insert(3, f"printed: {befund.nearest.text}")
    lines += [place(spot.programm_id, spot.seite, spot.seitenlabel) for spot in befund.found[:1]]
    return "\n".join(printable(" ".join(shortened(text, _SHOWN).split())) for text in lines if text)


def _command(name: str, title: str, message: str) -> str:
    title = printable(" ".join(title.split())).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    message = message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return f"::{name} title={title}::{message}\n"
