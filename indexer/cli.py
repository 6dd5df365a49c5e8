"""`index …`: options in, the work of one module each, results on stdout, talk on stderr (SPEC §9)."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from indexer.console import counted, printable, run, say
from indexer.errors import EXIT_FINDINGS, EXIT_UNUSABLE, UsageError

if TYPE_CHECKING:
    from indexer.lookup import IndexedProgramm, PageIndex
    from indexer.status import ProgrammStatus

Command = TypeVar("Command", bound=Callable[..., Any])

DB, CATALOGUE, PDFS = Path("data/index.db"), Path("data/programme.toml"), Path("data/pdf")
FORMS = ("raw", "strict", "running")

_FILE = click.Path(path_type=Path)
_db_option = click.option("--db", type=_FILE, default=DB, show_default=True, metavar="FILE", help="Index file.")
_pdfs_option = click.option(
    "--pdfs", type=_FILE, default=PDFS, show_default=True, metavar="DIR", help="Folder with the PDFs."
)
_jobs_option = click.option(
    "--jobs",
    type=click.IntRange(0, 256),
    default=0,
    show_default=True,
    help="Processes that read PDFs; 0: one per processor.",
)
_time_option = click.option(
    "--time-limit",
    type=click.FloatRange(0, min_open=True),
    default=120,
    show_default=True,
    metavar="SECONDS",
    help="What one PDF may take (and a little more per megabyte).",
)


@click.group(name="index", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="quellentreu", message="quellentreu %(version)s")
def cli() -> None:
    """Read every page of every programme once into an index in which `verify` looks quotations up.

    Exit codes: 0 all is well, 1 findings (such as a PDF that cannot be read), 2 usage, 3 index unusable.
    """


@cli.command()
@_db_option
@click.option(
    "--catalogue", type=_FILE, default=CATALOGUE, show_default=True, metavar="FILE", help="Programmes, TOML or JSON."
)
@_pdfs_option
@_jobs_option
@_time_option
@click.option(
    "--ocr",
    is_flag=True,
    help="Recognise pages that are pictures only, with Tesseract and its German data: about 3 seconds for each, and"
    " --time-limit counts thirtyfold. Give it at every build: without it such pages are without text again.",
)
@click.option("-q", "--quiet", is_flag=True, help="Only name the PDFs that could not be read.")
def build(quiet: bool, **given: Any) -> int:
    """Bring the index up to date: read the PDFs that are new or have changed.

    A PDF that cannot be read is reported; what was indexed of it before stays, marked stale. The index is replaced in
    one step: it can be used meanwhile, and a build that is interrupted changes nothing.

    \b
    Examples:
      index build
      index build --catalogue programme.json --pdfs ~/programme --db /tmp/index.db
      index build --ocr
    """
    from indexer.build import BuildOptions  # noqa: PLC0415 - the other commands need not load it
    from indexer.build import build as bring_up_to_date  # noqa: PLC0415 - same
    from indexer.progress import BuildProgress, tell_build  # noqa: PLC0415 - same

    options = BuildOptions(**given)
    with BuildProgress(quiet=quiet) as progress:
        report = bring_up_to_date(options, progress)
    tell_build(report, options.db, quiet=quiet)
    return EXIT_FINDINGS if report.failed else 0


@cli.command()
@click.argument("pdfdir", type=_FILE)
@click.option("--catalogue", type=_FILE, metavar="FILE", help="Leave out PDFs that stand in this catalogue already.")
@_jobs_option
@_time_option
def scan(pdfdir: Path, catalogue: Path | None, jobs: int, time_limit: float) -> int:
    """Propose catalogue entries for the PDFs in PDFDIR, from their names, metadata and title pages.

    Prints TOML for a person to correct; what is doubtful carries a comment.

    \b
    Examples:
      index scan data/pdf > data/programme.toml
      index scan data/pdf --catalogue data/programme.toml >> data/programme.toml
    """
    from indexer.catalogue import load_catalogue  # noqa: PLC0415 - the other commands need not load it
    from indexer.limits import MEMORY, processors  # noqa: PLC0415 - same
    from indexer.scan import find_pdfs  # noqa: PLC0415 - same
    from indexer.scan import scan as proposals  # noqa: PLC0415 - same
    from indexer.sources import require_folder  # noqa: PLC0415 - same
    from indexer.workers import Limits  # noqa: PLC0415 - same

    require_folder(pdfdir)
    known = {programm.datei for programm in load_catalogue(catalogue)} if catalogue else set()
    dateien = [datei for datei in find_pdfs(pdfdir) if datei not in known]
    limits = Limits(jobs=jobs or processors(), seconds=time_limit, memory=MEMORY)
    failed = 0
    for block in proposals(pdfdir, dateien, limits):
        failed += not block.lstrip().startswith(("[[", "# check"))
        click.echo(block)
    say(
        f"{counted(len(dateien) - failed, 'entry')} proposed, {counted(failed, 'PDF')} left out;"
        " correct them, then run: index build"
    )
    return EXIT_FINDINGS if failed else 0


@cli.command()
@_db_option
@click.option(
    "--format",
    "form",
    type=click.Choice(("table", "json", "datasette")),
    default="table",
    show_default=True,
    help="datasette: a metadata file for Datasette, with descriptions and queries.",
)
def status(db: Path, form: str) -> None:
    """Show what is in the index: programmes, pages, pages without text and why, shift of the printed numbers.

    \b
    Examples:
      index status
      index status --format json
      index status --format datasette > metadata.json; datasette data/index.db --metadata metadata.json
    """
    from indexer.lookup import PageIndex  # noqa: PLC0415 - the other commands need not load it
    from indexer.status import programme_status  # noqa: PLC0415 - same

    with PageIndex.open(db) as index:
        if form == "datasette":
            from indexer.datasette import datasette_metadata  # noqa: PLC0415 - as above

            click.echo(json.dumps(datasette_metadata(db), indent=2))
            return
        rows = programme_status(index)
        if form == "json":
            click.echo(json.dumps({"versions": dict(index.meta), "programme": [_status_json(row) for row in rows]}))
            return
        for line in _table(["programm", "pages", "no text", "ocr", "printed", "status"], map(_status_cells, rows)):
            click.echo(line)
        for row in rows:
            for what in (row.programm.reason, *row.programm.hints, *(f"{n} × {why}" for why, n in row.no_text.items())):
                if what:
                    click.echo(printable(f"{row.programm.programm_id}: {what}"))
        pages = sum(row.programm.seiten for row in rows)
        silent = sum(sum(row.no_text.values()) for row in rows)
        click.echo(f"{counted(len(rows), 'programme')}, {counted(pages, 'page')}, {silent} without text")
        click.echo(", ".join(f"{key.replace('_', ' ')} {value}" for key, value in index.meta.items()))


def _status_cells(row: "ProgrammStatus") -> list[str]:
    silent = sum(row.no_text.values())
    programm = row.programm
    return [programm.programm_id, str(programm.seiten), str(silent), str(row.ocr), row.shift or "-", programm.status]


def _status_json(row: "ProgrammStatus") -> dict[str, Any]:
    return asdict(row.programm) | {"no_text": dict(row.no_text), "ocr": row.ocr, "shift": row.shift}


def _table(head: Sequence[str], rows: Iterator[list[str]]) -> Iterator[str]:
    cells = [list(head), *([printable(cell) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for row in cells:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


@cli.command()
@_db_option
@_pdfs_option
@click.option("--all", "every_page", is_flag=True, help="Derive every page anew, not only those of a few programmes.")
def check(db: Path, pdfs: Path, every_page: bool) -> int:
    """Check that the index is whole: the file, both search tables, the pages, and the PDFs that they come from.

    \b
    Examples:
      index check
      index check --all --db /tmp/index.db --pdfs ~/programme
    """
    from indexer.check import check_index, check_pdfs  # noqa: PLC0415 - the other commands need not load it
    from indexer.lookup import PageIndex  # noqa: PLC0415 - same

    broken = 0
    for problem in check_index(db, every_page=every_page):
        broken += 1
        click.echo(printable(problem))
    if broken:
        say(f"the index {db} is damaged; delete it and run: index build --db {db}")
        return EXIT_UNUSABLE
    if not pdfs.is_dir():
        say(f"there is no folder {pdfs}, so the PDFs were not compared; name it with --pdfs")
        click.echo("the index is whole")
        return 0
    with PageIndex.open(db) as index:
        changed = [printable(problem) for problem in check_pdfs(index, pdfs)]
    click.echo("\n".join(["the index is whole", *changed]))
    return EXIT_FINDINGS if changed else 0


@cli.command()
@click.argument("programm")
@click.argument("seite", type=click.IntRange(min=1))
@_db_option
@click.option(
    "--form",
    type=click.Choice(FORMS),
    default="raw",
    show_default=True,
    help="raw: as in the PDF; strict: as it is compared; running: raw without heads, feet, notes and numbers.",
)
def show(programm: str, seite: int, db: Path, form: str) -> None:
    """Show page SEITE (its position in the PDF) of PROGRAMM (its id).

    \b
    Examples:
      index show gruene-nrw-2022 58
      index show gruene-nrw-2022 58 --form running
    """
    from indexer.forms import flow_text  # noqa: PLC0415 - the other commands need not load it
    from indexer.lookup import PageIndex  # noqa: PLC0415 - same

    with PageIndex.open(db) as index:
        found = _programm(index, programm)
        page, raw = index.page(programm, seite), index.raw(programm, seite)
        if page is None or raw is None:
            raise UsageError(
                f"{printable(programm)} has no page {seite}; it has {counted(found.seiten, 'page')} in the index"
            )
    label = f", printed {page.seitenlabel}" if page.seitenlabel else ""
    about = [found.name, f"PDF page {seite}{label}", page.no_text, "recognised from a picture" if page.ocr else None]
    say(printable("; ".join(filter(None, [*about, found.reason if found.status == "stale" else None]))))
    text = {"raw": raw[0], "strict": page.strict, "running": flow_text(*raw)}[form]
    click.echo(printable(text, keep_lines=True))


def _programm(index: "PageIndex", programm_id: str) -> "IndexedProgramm":
    if programm_id not in index.programme:
        from difflib import get_close_matches  # noqa: PLC0415 - only this message needs it

        near = get_close_matches(programm_id, index.programme, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "`index status` lists them"
        raise UsageError(f"there is no programme {printable(programm_id)} in the index; {printable(hint)}")
    return index.programme[programm_id]


@cli.command()
@click.argument("words", nargs=-1, required=True)
@_db_option
@click.option("--programm", metavar="ID", help="Only in this programme.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Pages to show at most.")
def search(words: Sequence[str], db: Path, programm: str | None, limit: int) -> int:
    """Find the pages that hold all WORDS; several words in one pair of quotation marks are looked for as a phrase.

    \b
    Examples:
      index search Klimaschutz Kommunen
      index search "soziale Gerechtigkeit" --programm spd-bund-2021 --limit 5
    """
    from indexer.lookup import PageIndex  # noqa: PLC0415 - the other commands need not load it
    from indexer.search import search as hits  # noqa: PLC0415 - same

    with PageIndex.open(db) as index:
        if programm is not None:
            _programm(index, programm)
        found = list(hits(index, words, limit=limit, programm_id=programm))
    for hit in found:
        label = f" (printed {hit.seitenlabel})" if hit.seitenlabel and hit.seitenlabel != str(hit.seite) else ""
        click.echo(printable(f"{hit.programm_id}, page {hit.seite}{label}: {hit.snippet}"))
    if not found:
        say("no page holds all of these words")
    return 0 if found else EXIT_FINDINGS


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `index`; returns its exit code."""
    return run(cli, arguments)
