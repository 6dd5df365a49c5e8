"""`verify history`: saved runs, and what got worse or better."""

from dataclasses import asdict
from pathlib import Path

import click

from indexer.console import printable
from verifier.history import Lauf, Step, laeufe, steps
from verifier.options import FILE
from verifier.output import to_stdout
from verifier.report_jsonl import line
from verifier.run import EXIT_OK


@click.command("history")
@click.argument("runs", type=FILE)
@click.option(
    "--format", type=click.Choice(["terminal", "json"]), default="terminal", show_default=True, help="What to print."
)
def command(runs: Path, format: str) -> int:
    """Show the runs in RUNS, a file of `verify run --save`, and what the last one changed.

    New citations that pass are only counted. The exit code is 0 whatever got worse.

    \b
    Examples:
      verify run assessments.db --save runs.db
      verify history runs.db
    """
    saved = laeufe(runs)
    changes = steps(runs, saved[-2].lauf, saved[-1].lauf) if len(saved) > 1 else []
    if format == "json":
        document = {
            "format": 1,
            "runs": [asdict(lauf) for lauf in saved],
            "changes": [asdict(step) for step in changes],
        }
        to_stdout([line(document) + "\n"], as_text=False)
    else:
        to_stdout([*map(_shown_run, saved), *map(_shown_step, changes)], as_text=True)
    return EXIT_OK


def _shown_run(lauf: Lauf) -> str:
    counts = f"{lauf.passed} pass, {lauf.warned} warn, {lauf.failed} fail, {lauf.unchecked} unchecked"
    return printable(f"run {lauf.lauf}  {lauf.zeit}  {lauf.zitate} citations: {counts}  {lauf.datei}") + "\n"


def _shown_step(step: Step) -> str:
    change = f"{step.before or '-'} → {step.after or '-'}"
    return printable(" ".join(f"{step.kind:8} {change}  {step.drucksache} {step.pfad}: {step.quelle}".split())) + "\n"
