"""The one place that turns errors into text and exit codes, and that knows terminals (SPEC §6, §9).

Shared by the commands `index` and `verify`.
"""

import contextlib
import os
import re
import sys
from collections.abc import Sequence

import click

from indexer.errors import EXIT_UNUSABLE, QuellentreuError

EXIT_INTERRUPTED = 130  # as a shell reports Ctrl-C
EXIT_BROKEN_PIPE = 141  # as a shell reports a reader that went away (`| head`)

# C0 and C1 controls, marks that reorder text, line separators, lone surrogates: they repaint or reorder what a terminal
# shows, or cannot be written at all.
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def printable(text: str, *, keep_lines: bool = False) -> str:
    """`text` safe for a terminal or a log: what would act on it is shown as its code, a tab as a space.

    One line comes out, unless `keep_lines` lets line ends through. File names, PDF text and whatever a model wrote must
    pass here before they are printed.
    """

    def shown(match: re.Match[str]) -> str:
        code = ord(match[0])
        if match[0] == "\t":
            return " "
        if match[0] == "\n" and keep_lines:
            return "\n"
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"

    return _UNPRINTABLE.sub(shown, text)


def counted(number: int, noun: str) -> str:
    """`1 page`, `2 pages`, `0 entries`."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"


def say(text: str) -> None:
    """Talk to the person at the terminal: on stderr, so that results can be piped. `text` may have several lines."""
    click.echo(printable(text, keep_lines=True), err=True)


def run(command: click.Command, arguments: Sequence[str] | None = None) -> int:
    """Run a click command and return its exit code; never a traceback for what users, files or pipes do."""
    for stream in (sys.stdout, sys.stderr):
        # A console that knows no umlauts (LANG=C, cp1252) shows their codes instead of ending the program.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    name = command.name or "quellentreu"
    try:
        code = _run(command, name, arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        code = EXIT_BROKEN_PIPE
    except OSError as error:  # standard output on a full disk
        say(f"{name}: {error.filename or 'the output'}: {error.strerror}")
        code = EXIT_UNUSABLE
    else:
        if code != EXIT_BROKEN_PIPE:
            return code
    _forget_output()
    return code


def _run(command: click.Command, name: str, arguments: Sequence[str] | None) -> int:
    try:
        result = command.main(args=arguments, prog_name=name, standalone_mode=False)
    except QuellentreuError as error:
        say(f"{name}: {error}")
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        say("interrupted")
        return EXIT_INTERRUPTED
    except SystemExit as ended:
        # Nothing of ours ends like this: click does so after a shell completion (0) and when the reader of our output
        # has gone away.
        return EXIT_BROKEN_PIPE if ended.code else 0
    return result if isinstance(result, int) else 0


def _forget_output() -> None:
    """Let the interpreter flush into nothing when it ends, so that it does not complain about the closed pipe."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
