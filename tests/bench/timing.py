"""Times whole processes, in turn, so that all of them see the same machine."""

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
FINE = (0, 1, 4)  # exit codes of a command that did its work: findings are none of our business here


@dataclass(kw_only=True)
class Timed:
    """Seconds of the rounds of one command, and the largest memory that it or a child of it took, in MB."""

    seconds: list[float] = field(default_factory=list)
    megabytes: float = 0.0

    @property
    def typical(self) -> float:
        return median(self.seconds)


def environment(cache: Path) -> dict[str, str]:
    """As it is when installed: with byte code on disk, here in the folder `cache`."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(cache), "PYTHONPATH": str(ROOT)}


class Once(NamedTuple):
    """Seconds on the clock and of all processors (children included), and the megabytes of the largest process."""

    seconds: float
    cpu: float
    megabytes: float


def once(command: Sequence[str], env: Mapping[str, str]) -> Once:
    """One run of a command."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    if os.waitstatus_to_exitcode(status) not in FINE:
        raise SystemExit(f"failed: {' '.join(command)}")
    return Once(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def timed(commands: Mapping[str, Sequence[str]], rounds: int, env: Mapping[str, str]) -> dict[str, Timed]:
    """Run all commands in turn, `rounds` times, and once before, unmeasured."""
    results = {name: Timed() for name in commands}
    for number in range(rounds + 1):
        for name, command in commands.items():
            run = once(command, env)
            results[name].megabytes = max(results[name].megabytes, run.megabytes)
            if number:
                results[name].seconds.append(run.seconds)
    return results
