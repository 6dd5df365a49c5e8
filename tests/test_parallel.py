"""verifier.parallel: several processes give what one gives, in its order, or an error; never less."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from assessments import make_db, scores, zitat

from indexer.errors import IndexUnusableError
from verifier import Verifier, parallel
from verifier.citations import read_assessments
from verifier.run import RunOptions, run
from verifier.walk import Assessment

GOOD = "Deshalb stellen wir 500 neue Laternen in den Randbezirken auf."
QUELLE = "Laternenpartei Hamburg Wahlprogramm 2024, S. 2"
ROWS = 41  # no multiple of the number of parts


@pytest.fixture
def options(demo_folder: Path) -> RunOptions:
    return RunOptions(index=demo_folder / "index.db")


@pytest.fixture
def assessments(tmp_path: Path) -> list[Assessment]:
    """Good, altered and unreadable rows, each with its number in its quotation."""
    rows = []
    for number in range(ROWS):
        one = zitat(GOOD.replace("500", str(500 + number)), QUELLE)
        rows.append((f"{number}/1", "Hamburg", "{" if number % 7 == 3 else scores(one, zitat(GOOD, QUELLE))))
    return read_assessments(make_db(tmp_path / "a.db", rows))


@pytest.mark.parametrize("jobs", [1, 2, 3, 60])
def test_any_number_of_processes_gives_the_same(options: RunOptions, assessments: list[Assessment], jobs: int) -> None:
    with Verifier.open(options.index) as verifier:
        expected = list(run(verifier, assessments))
        found = list(parallel.checked(verifier, replace(options, jobs=jobs), assessments))
    assert len(expected) > ROWS
    assert found == expected
    assert multiprocessing.active_children() == []


def test_pages_means_the_same_in_every_process(options: RunOptions, assessments: list[Assessment]) -> None:
    printed = replace(options, pages="printed", jobs=2)
    with Verifier.open(options.index, pages="printed") as verifier:
        expected = list(run(verifier, assessments))
        assert list(parallel.checked(verifier, printed, assessments)) == expected
    with Verifier.open(options.index, pages="pdf") as verifier:
        assert list(run(verifier, assessments)) != expected, "else this test says nothing"


@pytest.mark.parametrize(
    ("size", "processors", "jobs", "why"),
    [
        (10, 8, 1, "a few citations are checked before a process is there"),
        (3 * parallel._SHARE, 8, 3, "each has its share"),
        (99 * parallel._SHARE, 8, 8, "one per processor, however many citations"),
        (99 * parallel._SHARE, 1, 1, "one processor"),
    ],
)
def test_how_many_processes_pay(
    size: int, processors: int, jobs: int, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel, "processors", lambda: processors)
    row = Assessment(key=1, drucksache="1/1", bundesland=None, scores=b" " * size)
    assert parallel._worthwhile([row]) == jobs, why


@pytest.mark.skipif(not parallel._FORKS, reason="what a test changes reaches forked processes only")
def test_a_process_that_is_killed_is_an_error_and_no_shorter_run(
    options: RunOptions, assessments: list[Assessment], monkeypatch: pytest.MonkeyPatch
) -> None:
    parent = os.getpid()

    def killed(*_: object) -> None:
        assert os.getpid() != parent
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(parallel, "run", killed)
    with Verifier.open(options.index) as verifier, pytest.raises(IndexUnusableError, match="--jobs 1"):
        list(parallel.checked(verifier, replace(options, jobs=2), assessments))
    assert multiprocessing.active_children() == []


def test_an_index_that_is_gone_is_the_same_error(
    options: RunOptions, assessments: list[Assessment], tmp_path: Path
) -> None:
    with Verifier.open(options.index) as verifier, pytest.raises(IndexUnusableError, match="there is no index"):
        list(parallel.checked(verifier, RunOptions(index=tmp_path / "gone.db", jobs=2), assessments))


def test_an_index_that_was_built_anew_is_an_error_and_no_mixture(
    options: RunOptions, assessments: list[Assessment], tmp_path: Path
) -> None:
    index = tmp_path / "index.db"
    index.write_bytes(options.index.read_bytes())
    with Verifier.open(index) as verifier:
        (tmp_path / "new.db").write_bytes(options.index.read_bytes())
        (tmp_path / "new.db").replace(index)
        with pytest.raises(IndexUnusableError, match="built anew"):
            list(parallel.checked(verifier, RunOptions(index=index, jobs=2), assessments))


ORPHANS = """
import os, signal, sys, multiprocessing
from pathlib import Path
from verifier import Verifier, parallel
from verifier.citations import read_assessments
from verifier.run import RunOptions
index, db = map(Path, sys.argv[1:])
items = parallel.checked(Verifier.open(index), RunOptions(index=index, jobs=2), read_assessments(db))
next(items)
print(*(child.pid for child in multiprocessing.active_children()), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(not parallel._FORKS, reason="looks for processes as Linux shows them")
def test_no_process_outlives_a_parent_that_is_killed(options: RunOptions, tmp_path: Path) -> None:
    db = make_db(tmp_path / "a.db", [(f"{n}/1", "Hamburg", scores(zitat(GOOD, QUELLE))) for n in range(ROWS)])
    arguments = [sys.executable, "-c", ORPHANS, str(options.index), str(db)]
    ran = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, check=False)
    children = [Path("/proc", pid) for pid in ran.stdout.split()]
    assert len(children) == 2
    deadline = time.monotonic() + 20
    while any(map(is_running, children)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_running, children))


def is_running(process: Path) -> bool:
    try:
        return process.joinpath("stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_reader_that_goes_away_ends_the_processes(options: RunOptions, assessments: list[Assessment]) -> None:
    with Verifier.open(options.index) as verifier:
        items = parallel.checked(verifier, replace(options, jobs=2), assessments)
        next(iter(items))
        items.close()
    assert multiprocessing.active_children() == []
