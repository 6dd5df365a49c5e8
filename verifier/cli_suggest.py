"""`verify suggest`: repaired citations as JSON, for the app to take over; the database itself is only read."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from verifier.citations import Selection, Table, read_citations
from verifier.options import FILE, index_options, named, selection_options, table_options, taken
from verifier.output import refuse_bad_file, to_file, to_stdout
from verifier.report_jsonl import line
from verifier.run import EXIT_OK, RunOptions
from verifier.session import opened
from verifier.suggest import Suggester, Suggestion
from verifier.verdict import Outcome, Zitat

_FORMAT_VERSION = 1
"""1: first release."""


@click.command("suggest")
@click.argument("db", type=FILE)
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Write the suggestions to FILE instead of stdout.")
@index_options
@selection_options
@table_options
def command(output: Path | None, **given: Any) -> int:
    """Suggest, as JSON, corrected quelle, url and text for citations in DB whose words are right.

    Covers wrong pages and programmes, quotations shortened without a mark, and other typography. Each suggestion was
    checked and passes. DB is never written to; what was altered or invented is for a person to judge.

    \b
    Example:
      verify suggest assessments.db -o suggestions.json
    """
    options = RunOptions(source=taken(Table, given), selection=taken(Selection, given), **named(RunOptions, given))
    if output is not None:
        refuse_bad_file(output, (options.db, options.index))
    suggestions, left = [], 0
    with opened(options) as verifier:
        suggester = Suggester(verifier)
        for item in read_citations(options.db, options.source, options.selection):
            if isinstance(item, Zitat):
                befund = verifier.check_zitat(item)
                suggestion = suggester.suggest(befund)
                suggestions += [suggestion] if suggestion else []
                left += suggestion is None and befund.outcome is not Outcome.PASS
    if output is None:
        to_stdout(_document(suggestions), as_text=False)
    else:
        to_file(output, _document(suggestions))
    click.echo(f"{len(suggestions)} suggestions; {left} findings are left for a person to judge", err=True)
    return EXIT_OK


def _document(suggestions: list[Suggestion]) -> Iterator[str]:
    yield f'{{"format": {_FORMAT_VERSION}, "suggestions": [\n'
    yield ",\n".join(line(_record(suggestion)) for suggestion in suggestions)
    yield "\n]}\n"


def _record(suggestion: Suggestion) -> dict[str, object]:
    old = suggestion.befund.zitat
    return {
        "drucksache": old.drucksache,
        "pfad": old.pfad,
        "assessment": old.assessment,
        "verdict": suggestion.befund.verdict,
        "reason": suggestion.reason,
        "old": _fields(old),
        "new": _fields(suggestion.new),
    }


def _fields(zitat: Zitat) -> dict[str, str]:
    return {"text": zitat.text, "quelle": zitat.quelle, "url": zitat.url}
