"""What a build tells on stderr: a bar with a rate, on a terminal only, and what became of each programme."""

import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import click

from indexer.console import counted, printable, say

if TYPE_CHECKING:
    from indexer.build import BuildReport, ProgrammReport


class BuildProgress:
    """What `build` calls for each PDF: shows pages per second on stderr; nothing in a pipe, or if `quiet`."""

    def __init__(self, *, quiet: bool) -> None:
        self._shown = not quiet and sys.stderr.isatty()
        self._stack = ExitStack()
        self._bar: Any = None  # click does not name the type of its bars
        self._started = time.monotonic()
        self._pages = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def __call__(self, report: "ProgrammReport", done: int, total: int) -> None:
        """One more PDF was read."""
        if not self._shown:
            return
        if self._bar is None:
            bar = click.progressbar(length=total, label="reading", file=sys.stderr, item_show_func=self._describe)
            self._bar = self._stack.enter_context(bar)
        self._pages += report.seiten
        self._bar.update(1, current_item=report.programm_id)

    def _describe(self, programm_id: str | None) -> str:
        rate = self._pages / max(time.monotonic() - self._started, 0.001)
        return f"{rate:.0f} pages/s {printable(programm_id or '')}"


def tell_build(report: "BuildReport", db: Path, *, quiet: bool) -> None:
    """Say on stderr what a build did: a line per programme that changed or failed, then the total."""
    if report.rebuilt and not quiet:
        say(f"built from nothing, because the index from before could not be used: {report.rebuilt}")
    for programm in report.programme:
        if programm.failed or (programm.changed and not quiet):
            say(_build_line(programm))
    if quiet:
        return
    if not report.changed:
        say(f"nothing to do: {db} is up to date")
    failed = f", {len(report.failed)} could not be read" if report.failed else ""
    count = sum(programm.seiten > 0 and programm.status != "removed" for programm in report.programme)
    say(f"{db}: {counted(count, 'programme')}, {counted(report.seiten, 'page')}{failed}")


def _build_line(report: "ProgrammReport") -> str:
    line = f"{report.status:8} {printable(report.programm_id)}"
    if report.seiten:
        line += f", {counted(report.seiten, 'page')}"
    for more in (report.reason, *report.hints):
        line += f"; {printable(more)}" if more else ""
    return line
