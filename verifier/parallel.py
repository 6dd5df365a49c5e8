"""Checks assessments in several processes where there are many; the Befunde and their order are those of one.

Only of use to a whole run: 2,000 citations take a second; a process costs 10 ms where it can be forked, 200 ms where it
must be started.
"""

import os
import sys
from collections.abc import Callable, Generator, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from indexer.errors import IndexUnusableError
from indexer.index_file import FileId
from indexer.limits import processors
from verifier.run import RunOptions, run
from verifier.session import opened
from verifier.verdict import Befund
from verifier.walk import Assessment, Problem

if TYPE_CHECKING:
    from verifier.check import Verifier

_FORKS = sys.platform == "linux"
_SHARE = 100_000 if _FORKS else 2_000_000  # bytes of JSON for which one more process pays; a citation has about 350
_TURNS = 4  # parts for each process, so that all end at about the same time
_LONGEST = 100  # assessments in a part: so often the count on a terminal moves

_Check = Callable[[Sequence[Assessment]], list[Befund | Problem]]
_Items = Generator[Befund | Problem, None, None]


def checked(verifier: "Verifier", options: RunOptions, assessments: Sequence[Assessment]) -> _Items:
    """What `verifier.run.run` yields: by `verifier`, or by `options.jobs` processes that open `options.index` anew.

    Raises IndexUnusableError as one process would, and where one of several was ended from outside or the index is
    another one meanwhile.
    """
    jobs = options.jobs or _worthwhile(assessments)
    if jobs == 1:
        yield from run(verifier, assessments)
    else:
        check = partial(_check, options, verifier.index.file_id)
        yield from _checked_by(jobs, check, assessments)


def _worthwhile(assessments: Sequence[Assessment]) -> int:
    size = sum(len(row.scores) for row in assessments if isinstance(row.scores, bytes))
    return max(1, min(processors(), size // _SHARE))


def _checked_by(jobs: int, check: _Check, assessments: Sequence[Assessment]) -> _Items:
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 (15 ms that a small run saves)
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415 (same)
    from multiprocessing import get_context  # noqa: PLC0415 (same)

    import verifier.judge  # noqa: F401, PLC0415 (what is loaded here, forked processes need not load)

    size = max(1, min(_LONGEST, len(assessments) // (jobs * _TURNS)))
    parts = [assessments[start : start + size] for start in range(0, len(assessments), size)]
    context = get_context("fork" if _FORKS else "spawn")
    with ProcessPoolExecutor(jobs, context, _prepare) as processes:
        try:
            for items in processes.map(check, parts):
                yield from items
        except BrokenProcessPool as error:
            message = "a process that checked citations was ended from outside, perhaps for want of memory"
            raise IndexUnusableError(f"{message}, so the run is not complete; run again with --jobs 1") from error
        finally:
            processes.shutdown(cancel_futures=True)


def _prepare() -> None:
    """Leave Ctrl-C to the parent, which then ends its processes, and end when the parent is gone, however it went."""
    import signal  # noqa: PLC0415 (see above)
    from threading import Thread  # noqa: PLC0415 (same)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import connection, parent_process  # noqa: PLC0415 (see above)

    if parent := parent_process():
        connection.wait([parent.sentinel])
        os._exit(1)


def _check(options: RunOptions, file_id: FileId, assessments: Sequence[Assessment]) -> list[Befund | Problem]:
    return list(run(_same(options, file_id), assessments))


@cache
def _same(options: RunOptions, file_id: FileId) -> "Verifier":
    verifier = opened(options)
    if verifier.index.file_id != file_id:
        raise IndexUnusableError(
            f"the index {options.index} was built anew during the run, so the run is not complete; run again"
        )
    return verifier
