"""The child process that reads PDFs: whatever a PDF does to it, the build goes on (SPEC §4).

Started by `indexer.workers`. Speaks pickles over its standard input and output: first a `Setup`, then one `Task` after
another, each answered by one `Answer`; it ends when its input does.
"""

import os
import pickle
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from indexer.errors import PdfError

GRACE = 5.0
"""Seconds after its time limit at which a worker ends itself, should its parent be gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a worker does with each PDF, and how many bytes of memory it may take."""

    job: Callable[[Path], Any]
    memory: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One PDF and the seconds that it may take."""

    path: Path
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the job returned, or the reason why not; after `spoiled` the process must not be used again."""

    value: Any = None
    reason: str | None = None
    spoiled: bool = False


def serve() -> None:
    """Answer tasks until the input ends."""
    requests = sys.stdin.buffer
    # Only answers may reach the parent: whatever a library prints goes nowhere.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    end_with_parent()
    setup: Setup = pickle.load(requests)
    limit_memory(setup.memory)
    while True:
        try:
            task: Task = pickle.load(requests)
        except EOFError:
            return
        limit_time(task.seconds + GRACE)
        answer = _answer(setup.job, task.path)
        limit_time(0)
        pickle.dump(answer, answers, protocol=pickle.HIGHEST_PROTOCOL)
        answers.flush()
        if answer.spoiled:
            return


def _answer(job: Callable[[Path], Any], path: Path) -> Answer:
    try:
        return Answer(value=job(path))
    except PdfError as error:
        return Answer(reason=str(error))
    except MemoryError:
        return Answer(reason="needs more memory than a reader may take", spoiled=True)
    except Exception as error:  # noqa: BLE001 - one broken PDF is a reported item, whatever the reader makes of it
        return Answer(reason=f"the reader failed ({type(error).__name__}: {error})"[:300], spoiled=True)


def limit_memory(size: int) -> None:
    """Let the process take no more than `size` bytes of address space, where the system can do that."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - POSIX only

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    soft = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def limit_time(seconds: float) -> None:
    """End the process after `seconds` from now, even in the middle of C code; 0 takes the limit away."""
    if sys.platform != "win32":
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)


def end_with_parent() -> None:
    """Let Linux kill this process together with its parent; elsewhere the time limit ends it."""
    if sys.platform != "linux":
        return
    import ctypes  # noqa: PLC0415 - Linux only

    parent = os.getppid()
    set_parent_death_signal = 1  # PR_SET_PDEATHSIG of <sys/prctl.h>
    ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit()
