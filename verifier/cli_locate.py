"""`verify locate`: every place of a text."""

from pathlib import Path

import click

from indexer.console import printable
from indexer.errors import EXIT_FINDINGS, EXIT_UNCHECKED
from verifier.locate import Located, locate
from verifier.options import index_option, text_from
from verifier.output import to_stdout
from verifier.report import place
from verifier.report_jsonl import line
from verifier.report_terminal import nearest_lines
from verifier.run import EXIT_OK, RunOptions
from verifier.session import opened


@click.command("locate")
@click.argument("text", required=False)
@index_option
@click.option(
    "--format", type=click.Choice(["terminal", "jsonl"]), default="terminal", show_default=True, help="What to print."
)
def command(text: str | None, index: Path, format: str) -> int:
    """Name every place in every programme where TEXT stands; without TEXT, or with -, it is read from stdin.

    Exit codes: 0 it stands somewhere, 1 it stands nowhere, 4 it is too short to be looked for.

    \b
    Example:
      verify locate "Wir bauen 500 neue Windräder."
    """
    with opened(RunOptions(index=index)) as verifier:
        located = locate(verifier.index, text_from(text))
        lines = []
        for spot in located.places:
            programm = verifier.index.programme[spot.programm_id]
            where = {"programm_id": spot.programm_id, "seite": spot.seite, "seitenlabel": spot.seitenlabel}
            if format == "jsonl":
                lines.append(line(where | {"name": programm.name, "partei": programm.partei, "datei": programm.datei}))
            else:
                lines.append(printable(f"{place(spot.programm_id, spot.seite, spot.seitenlabel)}  {programm.name}"))
    to_stdout((text + "\n" for text in lines), as_text=format == "terminal")
    return _without_places(located) if not located.places else EXIT_OK


def _without_places(located: Located) -> int:
    if located.too_short:
        click.echo("fewer than 20 characters fit anywhere; type more of the text", err=True)
        return EXIT_UNCHECKED
    click.echo("stands nowhere in the index" + (", the nearest passage is" if located.nearest else ""), err=True)
    if located.nearest is not None:
        click.echo("".join(nearest_lines(located.nearest)), err=True, nl=False)
    return EXIT_FINDINGS
