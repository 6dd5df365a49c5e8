"""Reads many PDFs in worker processes, in order; one that crashes, hangs or eats memory is one failed PDF.

Processes, not threads: PyMuPDF is not safe in threads, and a crash must not end the build. Plain child processes, not
`multiprocessing`: that runs the caller's main script again in each child, and a pool does not survive a crash.
"""

import json
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from indexer.worker import Answer, Setup, Task

AHEAD = 4
"""PDFs per worker that may be read before their turn to be stored has come: bounds the memory of the build."""

SECONDS_PER_MB = 2.0
"""What a large file may take on top of the time limit; real programmes need 0.1 to 1 second per megabyte."""

# Ctrl-C is for the parent, which then ends its workers; the rest of the start-up must not be interrupted either.
_BOOT = (
    "import signal, sys, json; signal.signal(signal.SIGINT, signal.SIG_IGN); sys.path[:] = json.loads(sys.argv[1]); "
    "from indexer.worker import serve; serve()"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How many processes read, and what one PDF may take: seconds (plus some per megabyte) and bytes of memory."""

    jobs: int
    seconds: float
    memory: int


def read_all(job: Callable[[Path], Any], paths: Iterable[Path], limits: Limits) -> Generator[Answer, None, None]:
    """The answer of `job` for each of `paths`, in their order. `job` must be a module-level function or a value.

    Close the generator to end the workers early.
    """
    crew = _Crew(Setup(job=job, memory=limits.memory), limits.seconds)
    waiting: deque[Future[Answer]] = deque()
    with ThreadPoolExecutor(limits.jobs, thread_name_prefix="reader") as threads:
        try:
            for path in paths:
                waiting.append(threads.submit(crew.read, path))
                if len(waiting) >= limits.jobs * AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
            crew.dismiss()


class _Crew:
    """The worker processes: each thread that reads takes an idle one or starts a new one."""

    def __init__(self, setup: Setup, seconds: float) -> None:
        self._setup = setup
        self._seconds = seconds
        self._lock = threading.Lock()
        self._idle: list[subprocess.Popen[bytes]] = []
        self._all: set[subprocess.Popen[bytes]] = set()
        self._dismissed = False

    def read(self, path: Path) -> Answer:
        """Answer for one PDF; never raises for what the PDF did to its reader."""
        seconds = self._seconds + SECONDS_PER_MB * _size(path) / 1e6
        worker, fresh = self._take()
        late = threading.Event()

        def stop() -> None:
            late.set()
            worker.kill()

        timer = threading.Timer(seconds, stop)
        timer.start()
        try:
            if fresh:
                _send(worker, self._setup)
            answer = _ask(worker, Task(path=path, seconds=seconds))
        except (OSError, EOFError, pickle.UnpicklingError):
            ended = f"took longer than {seconds:.0f} s" if late.is_set() else f"crashed the reader ({_death(worker)})"
            answer = Answer(reason=ended, spoiled=True)
        finally:
            timer.cancel()
        if answer.spoiled or late.is_set():
            self._discard(worker)
        else:
            with self._lock:
                self._idle.append(worker)
        return answer

    def dismiss(self) -> None:
        """End all workers at once; those in the middle of a PDF as well (the thread that waits for it cleans up)."""
        with self._lock:
            self._dismissed = True
            idle, self._idle = self._idle, []
            for worker in self._all:
                worker.kill()
        for worker in idle:
            self._discard(worker)

    def _take(self) -> tuple[subprocess.Popen[bytes], bool]:
        with self._lock:
            if self._dismissed:
                raise RuntimeError("the build is over")
            if self._idle:
                return self._idle.pop(), False
            worker = subprocess.Popen(
                [sys.executable, "-c", _BOOT, json.dumps(sys.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            self._all.add(worker)
        return worker, True

    def _discard(self, worker: subprocess.Popen[bytes]) -> None:
        worker.kill()
        worker.communicate()
        with self._lock:
            self._all.discard(worker)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # it vanished: the reader will say so


def _send(worker: subprocess.Popen[bytes], message: Setup | Task) -> None:
    assert worker.stdin is not None
    pickle.dump(message, worker.stdin, protocol=pickle.HIGHEST_PROTOCOL)
    worker.stdin.flush()


def _ask(worker: subprocess.Popen[bytes], task: Task) -> Answer:
    assert worker.stdout is not None
    _send(worker, task)
    answer: Answer = pickle.load(worker.stdout)
    return answer


def _death(worker: subprocess.Popen[bytes]) -> str:
    code = worker.wait()
    return f"signal {-code}" if code < 0 else f"exit code {code}"
