"""Options that several commands of `verify` share, and how they become the frozen options of the modules behind."""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import click

from indexer.errors import UsageError
from verifier.citations import Table
from verifier.report import DEFAULT_PDFS, FORMATS, LANGS, UNCHECKED_AS, ReportOptions
from verifier.run import DEFAULT_INDEX
from verifier.verdict import PAGES, Verdict

Command = TypeVar("Command", bound=Callable[..., Any])
Options = TypeVar("Options")
Given = Mapping[str, Any]

FILE = click.Path(path_type=Path)


def _verdicts(ctx: click.Context, param: click.Parameter, value: str | None) -> frozenset[Verdict]:
    """`altered,not_found`; the name of an outcome stands for all of its verdicts."""
    chosen: set[Verdict] = set()
    for word in (word.strip() for word in value.split(",")) if value is not None else ():
        named = {verdict for verdict in Verdict if word in (verdict, verdict.outcome)}
        if not named:
            raise click.BadParameter(f"{word!r} is no verdict; there are: {', '.join(Verdict)}", ctx, param)
        chosen |= named
    return frozenset(chosen)


def _grouped(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Several options as one decorator, in the order in which `--help` shows them."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


index_option = click.option(
    "--index", type=FILE, default=DEFAULT_INDEX, show_default=True, metavar="FILE", help="Index file."
)
index_options = _grouped(
    index_option,
    click.option(
        "--pages",
        type=click.Choice(PAGES),
        default="either",
        show_default=True,
        help="What the page number of a quelle may mean: the position in the PDF, the number printed on the page.",
    ),
)
table_options = _grouped(
    click.option("--table", default=Table().table, show_default=True, help="Table or view with the assessments."),
    *(
        click.option(f"--column-{name.replace('_', '-')}", default=default, show_default=True, help=text)
        for name, default, text in (
            ("drucksache", Table().column_drucksache, "Column with the number of the motion."),
            ("bundesland", Table().column_bundesland, "Column with the Land of the motion."),
            ("scores", Table().column_scores, "Column with the JSON that holds the citations."),
            ("created_at", Table().column_created_at, "Column with the date, for --latest and --since."),
        )
    ),
)
selection_options = _grouped(
    click.option("--latest", type=click.IntRange(min=1), metavar="N", help="Only the newest N of each Bundesland."),
    click.option("--since", metavar="DATE", help="Only assessments of this day or later, such as 2026-01-31."),
    click.option("--drucksache", multiple=True, metavar="NUMBER", help="Only this motion. Repeatable."),
    click.option("--bundesland", multiple=True, metavar="LAND", help="Only this Land, in any spelling. Repeatable."),
)
gate_options = _grouped(
    click.option("--strict", is_flag=True, help="Exit 1 also for warnings and for what could not be checked."),
    click.option(
        "--fail-on",
        callback=_verdicts,
        metavar="VERDICT,...",
        help="Exit 1 for these verdicts or outcomes instead of for every fail.",
    ),
)
report_options = _grouped(
    click.option("--format", type=click.Choice(FORMATS), default="terminal", show_default=True, help="What to print."),
    click.option("-o", "--output", type=FILE, metavar="FILE", help="Write what would be printed to FILE."),
    click.option("--report", multiple=True, metavar="NAME=FILE", help="Write this format to FILE as well. Repeatable."),
    click.option(
        "--lang", type=click.Choice(LANGS), default="de", show_default=True, help="Labels of the HTML report."
    ),
    click.option("--pdf-base", default="", metavar="URL", help="HTML: folder or address of the PDFs, to link pages."),
    click.option(
        "--page-images", is_flag=True, help="HTML: show each failure on its page. The only option that opens PDFs."
    ),
    click.option(
        "--pdfs", type=FILE, default=DEFAULT_PDFS, show_default=True, metavar="DIR", help="PDFs, for --page-images."
    ),
    click.option(
        "--junit-unchecked",
        type=click.Choice(UNCHECKED_AS),
        default="skipped",
        show_default=True,
        help="What JUnit XML calls a citation that could not be checked.",
    ),
    click.option("-q", "--quiet", is_flag=True, help="Totals only, and no talk on stderr."),
    click.option("--no-color", is_flag=True, help="No colours; the environment variable NO_COLOR does the same."),
)


def text_from(argument: str | None) -> str:
    """The text on the command line, or from stdin where there is none or `-`. Raises UsageError if it is no UTF-8."""
    if argument is not None and argument != "-":
        return argument
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise UsageError(f"stdin is not UTF-8 (byte {error.start + 1}): convert the text first") from error


def named(cls: type[Any], given: Given) -> dict[str, Any]:
    """The given options that `cls` has fields for."""
    return {field.name: given[field.name] for field in fields(cls) if field.name in given}


def taken(cls: type[Options], given: Given) -> Options:
    """Build an options object from the options of the same names."""
    return cls(**named(cls, given))


def report_options_of(given: Given, *, single: bool = False) -> ReportOptions:
    """How to show the result: colours on a terminal only, and not where NO_COLOR or the terminal itself says no."""
    wanted = not given["no_color"] and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return ReportOptions(color=wanted and sys.stdout.isatty(), single=single, **named(ReportOptions, given))
