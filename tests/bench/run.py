"""Every figure of the speed that is promised, beside its goal: one command, several rounds, medians, plain output.

usage: python tests/bench/run.py INDEX.db [--shared ../shared] [--rounds 5] [--build]

Each figure is a ratio, or a time, of one run on one machine: against the classical check that opens PDFs
(`bench/naive_verify.py`) and against a lower bound that is written down beside it. `--build` adds the building of
indexes, which takes minutes. It measures, it does not judge: the exit status is always 0.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent))

from building import building_figures
from checking import checking_figures
from corpus import Corpus, Figure
from timing import environment, timed

HERE = Path(__file__).resolve().parent
START = "import sqlite3, json, click"
BOUND = HERE / "lower_bound.py"


def process_figures(corpus: Corpus, index: Path, rounds: int, folder: Path) -> Iterator[Figure]:
    passing, first, empty = folder / "passing.db", folder / "first.db", folder / "empty.db"
    kept, few = corpus.write_passing(passing), corpus.write_passing(first, at_least=1)
    corpus.write_empty(empty)
    verify = [str(Path(sys.executable).with_name("verify")), "run"]  # the installed command, as people call it
    ends = ["--index", str(index), "--format", "jsonl", "-o", str(folder / "out.jsonl")]
    naive = [sys.executable, str(corpus.naive)]
    tail = [str(corpus.catalogue), str(corpus.pdfs)]
    bound = [sys.executable, str(BOUND), str(index), str(passing)]
    commands = {
        "verify all": [*verify, str(corpus.assessments), *ends],
        "naive all": [*naive, str(corpus.assessments), *tail],
        "verify passing": [*verify, str(passing), *ends],
        "naive passing": [*naive, str(passing), *tail],
        "verify first": [*verify, str(first), *ends],
        "verify nothing": [*verify, str(empty), *ends],
        "bound start": [sys.executable, "-c", START],
    }
    env = environment(folder / "pycache")
    got = timed(commands, rounds, env)
    seconds = {name: one.typical for name, one in got.items()}
    inner = [
        float(subprocess.run(bound, check=True, capture_output=True, text=True, env=env).stdout) for _ in range(rounds)
    ]
    # What judges is loaded with the first citation: that is start-up, not the cost of a citation.
    beyond = (seconds["verify passing"] - seconds["verify first"]) / (kept - few)
    yield Figure(
        "verify run, whole process, all citations",
        "x faster than the classical check",
        seconds["naive all"] / seconds["verify all"],
        8,
        at_least=True,
        detail=f"{seconds['verify all']:.3f} s against {seconds['naive all']:.3f} s",
    )
    yield Figure(
        "verify run, whole process, passing ones alone",
        "x faster than the classical check",
        seconds["naive passing"] / seconds["verify passing"],
        15,
        at_least=True,
        detail=f"{seconds['verify passing']:.3f} s against {seconds['naive passing']:.3f} s",
    )
    yield Figure(
        "cost per passing citation beyond start-up",
        "x `in` over pages preloaded in a dict",
        beyond / median(inner),
        3,
        detail=f"{1e6 * beyond:.0f} µs against {1e6 * median(inner):.0f} µs",
    )
    yield Figure(
        "start-up (no citation at all)",
        f"x python -c {START!r}",
        seconds["verify nothing"] / seconds["bound start"],
        1.5,
        detail=f"{1e3 * seconds['verify nothing']:.0f} ms against {1e3 * seconds['bound start']:.0f} ms",
    )
    yield Figure(
        f"start-up and the first citations ({few})",
        "x the same",
        seconds["verify first"] / seconds["bound start"],
        detail=f"{1e3 * seconds['verify first']:.0f} ms",
    )
    yield Figure("peak memory of verify run", "MB", got["verify all"].megabytes, 60)


def show(figures: Iterator[Figure]) -> None:
    for figure in figures:
        print(figure.line(), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index", type=Path)
    parser.add_argument("--shared", type=Path, default=HERE.parents[2] / "shared")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--build", action="store_true", help="also build indexes")
    given = parser.parse_args()
    corpus = Corpus(given.shared)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        show(process_figures(corpus, given.index.absolute(), given.rounds, Path(folder)))
        show(checking_figures(corpus, given.index))
        if given.build:
            show(building_figures(corpus, Path(folder), given.rounds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
