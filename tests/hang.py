"""A guard against what never ends. Generous: it tells "hangs" from "works", it does not measure."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

NEEDS_ALARM = pytest.mark.skipif(sys.platform == "win32", reason="needs SIGALRM")


@contextmanager
def within(seconds: float, what: object = "") -> Iterator[None]:
    """Fail the test if its body takes longer than `seconds`, also in the middle of a regular expression."""

    def late(*_: object) -> None:
        raise AssertionError(f"took longer than {seconds} s: {what!r:.200}")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
