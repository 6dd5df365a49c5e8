"""Readers that stand in for `indexer.pdf`: text files with a form feed between pages. Workers import them by name."""

import os
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from indexer.errors import PdfError
from indexer.seite import Cut, Seite


@dataclass(frozen=True, slots=True)
class Text:
    seiten: tuple[Seite, ...]
    hints: tuple[str, ...]


def read_text(path: Path) -> Text:
    """Pages of a text file; a page `[58] …` prints 58. A file that begins with `!` does what stands there."""
    content = path.read_text(encoding="utf-8", errors="surrogateescape")
    if content.startswith("!"):
        _misbehave(content[1:].strip())
    pages = content.split("\f")
    hints = ("repaired",) if "~" in content else ()
    return Text(seiten=tuple(_page(number, page) for number, page in enumerate(pages, start=1)), hints=hints)


def _page(number: int, text: str) -> Seite:
    label = text[1 : text.index("]")] if text.startswith("[") else None
    cuts = (Cut(start=0, end=len(label) + 2, kind="page_number"),) if label else ()
    no_text = None if text.strip() else "blank page"
    return Seite(seite=number, text=text, cuts=cuts, seitenlabel=label, no_text=no_text)


def _misbehave(how: str) -> None:
    if how == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if how == "exit":
        os._exit(3)
    if how == "hang":
        while True:
            pass
    if how == "memory":
        bytearray(2**40)
    if how == "print":
        os.write(1, b"noise on stdout\n")
        os.write(2, b"noise on stderr\n")
    if how == "bug":
        raise ZeroDivisionError("a bug of the reader")
    if how == "locked":
        raise PdfError("needs a password to be opened")


def read_and_tell(path: Path) -> Text:
    """As `read_text`, but writes the number of its process beside the file and then waits to be killed."""
    path.with_suffix(".pid").write_text(str(os.getpid()))
    signal.pause()
    return read_text(path)


def wait_for(condition: Callable[[], bool]) -> None:
    """Return as soon as `condition` holds."""
    waiting = threading.Event()
    for _ in range(3000):
        if condition():
            return
        waiting.wait(0.01)
    raise AssertionError("it never happened")
