"""`verify baseline`: today's findings as known ones."""

from pathlib import Path
from typing import Any

import click

from verifier.baseline import written
from verifier.citations import Selection, Table, read_assessments
from verifier.options import FILE, index_options, named, selection_options, table_options, taken
from verifier.output import refuse_bad_file, to_file, to_stdout
from verifier.run import EXIT_OK, RunOptions, collect, run
from verifier.session import opened


@click.command("baseline")
@click.argument("db", type=FILE)
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Write the baseline to FILE instead of stdout.")
@index_options
@selection_options
@table_options
def command(output: Path | None, **given: Any) -> int:
    """Write all findings in the assessment database DB as known ones, for `verify run --baseline`.

    The exit code is 0 whatever was found; a missing or unusable file is 2 or 3 as everywhere.

    \b
    Examples:
      verify baseline assessments.db -o known.json
      verify run assessments.db --baseline known.json
    """
    options = RunOptions(source=taken(Table, given), selection=taken(Selection, given), **named(RunOptions, given))
    if output is not None:
        refuse_bad_file(output, (options.db, options.index))
    with opened(options) as verifier:
        assessments = read_assessments(options.db, options.source, options.selection)
        text = written(collect(len(assessments), run(verifier, assessments)))
    if output is None:
        to_stdout([text], as_text=False)
    else:
        to_file(output, [text])
    return EXIT_OK
