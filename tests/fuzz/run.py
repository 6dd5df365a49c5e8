"""Feed mutated inputs: `python tests/fuzz/run.py citations --n 100000 --seed 1`. Exit code 1 if anything was found.

A case that takes longer than its time or ends the process is told by its seed, like any other find.
"""

import argparse
import multiprocessing
import signal
import sys
import tempfile
import traceback
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fuzz.citations import Citations
from fuzz.files import Assessments, Catalogues, Indexes, Pdfs, Target
from indexer.worker import limit_memory

TARGETS: dict[str, type[Target]] = {
    "pdfs": Pdfs,
    "citations": Citations,
    "catalogues": Catalogues,
    "assessments": Assessments,
    "indexes": Indexes,
}
SECONDS = 10.0
MEMORY = 3 * 2**30


def finds(name: str, seeds: range) -> Iterator[str]:
    """Yield what is wrong with the cases of these seeds; a process that ends is started again behind the case."""
    context = multiprocessing.get_context("fork")
    start = seeds.start
    while start < seeds.stop:
        receiving, sending = context.Pipe(duplex=False)
        child = context.Process(target=_work, args=(name, range(start, seeds.stop), sending))
        child.start()
        sending.close()
        current = start - 1
        try:
            receiving.recv()
            while True:
                current, wrong = receiving.recv()
                if wrong:
                    yield f"{name} --seed {current}: {wrong}"
        except EOFError:
            child.join()
        if child.exitcode == 0:
            return
        if child.exitcode == 1:
            raise SystemExit(f"{name}: the process ended (see above)")
        broken = current + 1
        how = f"took longer than {SECONDS:.0f} s" if child.exitcode == -signal.SIGALRM else f"exit {child.exitcode}"
        yield f"{name} --seed {broken}: {how}"
        start = broken + 1


def _work(name: str, seeds: range, sending: Connection) -> None:
    limit_memory(MEMORY)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    with tempfile.TemporaryDirectory(prefix="quellentreu-fuzz-") as folder:
        target = TARGETS[name](Path(folder))
        sending.send("ready")
        for seed in seeds:
            signal.setitimer(signal.ITIMER_REAL, SECONDS)
            try:
                wrong = target.check(seed)
            except MemoryError:
                wrong = None  # a worker that reaches its limit is one reported PDF
            except Exception:  # noqa: BLE001 - whatever it is, it is a find
                wrong = traceback.format_exc()
            signal.setitimer(signal.ITIMER_REAL, 0)
            sending.send((seed, wrong))
    sending.close()


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--n", type=int, default=1000, help="number of cases")
    parser.add_argument("--seed", type=int, default=1, help="the first case; each has the next number")
    given = parser.parse_args()
    found = 0
    for find in finds(given.target, range(given.seed, given.seed + given.n)):
        found += 1
        print(find, flush=True)
    print(f"{given.target}: {given.n} cases from seed {given.seed}, {found} finds", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
