"""`verify run`: an assessment database → reports and an exit code."""

from typing import Any

import click

from verifier.citations import Selection, Table, read_assessments
from verifier.options import (
    FILE,
    gate_options,
    index_options,
    named,
    report_options,
    report_options_of,
    selection_options,
    table_options,
    taken,
)
from verifier.output import targets, write_all
from verifier.parallel import checked
from verifier.progress import counted
from verifier.report import ReportOptions
from verifier.run import Result, RunOptions, collect, exit_code
from verifier.session import Memory, Pictures, described, opened


@click.command("run")
@click.argument("db", type=FILE)
@index_options
@selection_options
@gate_options
@click.option("--baseline", type=FILE, metavar="FILE", help="Known findings, of `verify baseline`: they do not fail.")
@click.option("--save", type=FILE, metavar="DB", help="Add this run to a SQLite file of ours, for `verify history`.")
@click.option(
    "--jobs",
    type=click.IntRange(0, 256),
    default=0,
    show_default=True,
    help="Processes that check; 0: one for few citations, else one per processor.",
)
@report_options
@table_options
def command(**given: Any) -> int:
    """Check all citations of the assessment database DB, which is only read.

    \b
    Examples:
      verify run assessments.db
      verify run assessments.db --latest 5 --report html=report.html
      verify run assessments.db --report html=report.html --page-images --pdfs ~/programme
      verify run assessments.db --format jsonl -o befunde.jsonl
    """
    options = RunOptions(source=taken(Table, given), selection=taken(Selection, given), **named(RunOptions, given))
    reports = report_options_of(given)
    wanted = targets(given["format"], given["output"], given["report"], (options.db, options.index))
    memory, pictures = Memory(options), Pictures(reports, wanted)
    with opened(options) as verifier:
        assessments = read_assessments(options.db, options.source, options.selection)
        items = counted(checked(verifier, options, assessments), "citations checked", quiet=reports.quiet)
        result = described(collect(len(assessments), items), verifier, wanted)
        result = memory.remembered(result, {row.drucksache for row in assessments})
        result = pictures.drawn(result, verifier)
    if given["format"] != "terminal" and not reports.quiet:
        _talk(result, reports)
    write_all(result, wanted, reports)
    return exit_code(result, options.failing)


def _talk(result: Result, options: ReportOptions) -> None:
    """Totals, and what could not be read, beside a machine format: on stderr."""
    from verifier.report_terminal import after_the_findings  # noqa: PLC0415 (only where it is wanted)

    click.echo("".join(after_the_findings(result, options)), err=True, nl=False)
