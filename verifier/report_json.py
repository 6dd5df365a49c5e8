"""JSON, format 1: the records of JSON Lines in one object, with totals and versions (SPEC §8)."""

from collections.abc import Iterator

from verifier.report import FORMAT_VERSION, ReportOptions, problem_record, record, summary_record
from verifier.report_jsonl import line
from verifier.run import Result


def render(result: Result, options: ReportOptions) -> Iterator[str]:
    """Yield one object: format, versions, summary, baseline (if compared), problems, befunde; one record per line."""
    yield f'{{"format": {FORMAT_VERSION},\n'
    yield f'"versions": {line(dict(result.versions))},\n'
    yield f'"summary": {line(summary_record(result.summary))},\n'
    if (baseline := result.baseline) is not None:
        known = {"befunde": len(baseline.befunde), "problems": len(baseline.problems)}
        yield f'"baseline": {line({"known": known, "vanished": baseline.vanished})},\n'
    yield '"problems": ['
    yield from _items(problem_record(problem) for problem in result.problems)
    yield '],\n"befunde": ['
    yield from _items(record(befund) for befund in result.befunde)
    yield "]}\n"


def _items(values: Iterator[dict[str, object]]) -> Iterator[str]:
    for i, value in enumerate(values):
        yield (",\n" if i else "\n") + line(value)
