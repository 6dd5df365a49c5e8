"""`verify …`: which commands there are; each is loaded when it is called, so that none pays for the others."""

import gc
import sys
from importlib import import_module

import click

from indexer import console

COMMANDS = ("run", "quote", "locate", "suggest", "baseline", "history", "demo")
"""In the order of `verify --help`; `verify NAME` is `verifier.cli_NAME.command`."""


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return command(cmd_name) if cmd_name in COMMANDS else None


def command(name: str) -> click.Command:
    """The command of that name, one of COMMANDS."""
    loaded: click.Command = import_module(f"verifier.cli_{name}").command
    return loaded


@click.group("verify", cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="quellentreu", message="quellentreu %(version)s")
def cli() -> None:
    """Prove for each citation whether what is quoted stands on the page that is named.

    Exit codes: 0 nothing failed, 1 findings, 2 usage, 3 index or assessments unusable, 4 nothing could be checked.
    """


def main() -> None:
    """Entry point of the console script and of `python -m verifier`."""
    # Nothing here makes cycles worth looking for: neither while modules are loaded nor, once more, at the end (5 ms).
    gc.set_threshold(50_000)
    code = console.run(cli)
    gc.freeze()
    sys.exit(code)
