"""`verify quote`: one quotation from the command line or stdin."""

from typing import Any

import click

from verifier.options import gate_options, index_options, named, report_options, report_options_of, taken, text_from
from verifier.output import targets, write_all
from verifier.run import RunOptions, collect, exit_code
from verifier.session import Pictures, described, opened
from verifier.verdict import Zitat


@click.command("quote")
@click.argument("text", required=False)
@click.option("--quelle", required=True, help="The source as the citation writes it, with its page.")
@click.option("--bundesland", help="Land of the motion that the quotation is cited for.")
@click.option("--fraktion", help="Fraktion under which it is cited.")
@click.option("--url", default="", help="Address that stands beside the quelle; compared, never opened.")
@index_options
@gate_options
@report_options
def command(**given: Any) -> int:
    """Check the one quotation TEXT; without TEXT, or with -, it is read from stdin.

    \b
    Example:
      verify quote "Wir bauen 500 neue Windräder." --quelle "GRÜNE NRW Wahlprogramm 2022, S. 58" --bundesland NRW
    """
    given["text"] = text_from(given["text"])
    options = RunOptions(**named(RunOptions, given))
    reports = report_options_of(given, single=True)
    wanted = targets(given["format"], given["output"], given["report"], (options.index,))
    pictures = Pictures(reports, wanted)
    with opened(options) as verifier:
        result = described(collect(0, [verifier.check_zitat(taken(Zitat, given))]), verifier, wanted)
        result = pictures.drawn(result, verifier)
    write_all(result, wanted, reports)
    return exit_code(result, options.failing)
