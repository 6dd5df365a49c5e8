"""`verify demo`: see `verifier.demo`, which needs PyMuPDF and is loaded only to run."""

from pathlib import Path

import click

from verifier.options import FILE
from verifier.output import to_stdout


@click.command("demo")
@click.argument("folder", type=FILE, required=False)
def command(folder: Path | None) -> int:
    """Draw fictional programmes, index and verify them, and show every kind of verdict.

    Everything is written to FOLDER, which must be new or empty; without FOLDER to a temporary one that is removed.
    """
    from verifier.demo import demo  # noqa: PLC0415 (needs PyMuPDF, which verifying never loads)

    return demo(folder, lambda text: to_stdout([text], as_text=True))
