"""A count with a rate on stderr while something long goes on; nothing in a pipe."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import click

Item = TypeVar("Item")

_SECONDS = 0.2
_WIDTH = 70


def counted(
    items: Iterable[Item], what: str, *, quiet: bool, size: Callable[[Item], int] = lambda item: 1
) -> Iterator[Item]:
    """Yield `items`, and on a terminal (unless `quiet`) show how many `what` there were, and how many per second.

    `size` says how many an item stands for. The line is wiped in the end, also after Ctrl-C.
    """
    if quiet or not sys.stderr.isatty():
        yield from items
        return
    start = shown = time.monotonic()
    count = 0
    try:
        for item in items:
            yield item
            count += size(item)
            now = time.monotonic()
            if now - shown > _SECONDS:
                shown = now
                line = f"{count} {what}, {count / (now - start):.0f} per second"
                click.echo(f"\r{line:{_WIDTH}}", err=True, nl=False)
    finally:
        if shown != start:
            click.echo("\r" + " " * _WIDTH + "\r", err=True, nl=False)
