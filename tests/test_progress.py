"""Progress: on a terminal only, with a rate, wiped in the end; and Ctrl-C while pages are drawn."""

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from assessments import make_db, scores, zitat
from drawn import body, new, save
from readers import wait_for

from indexer.build import build_index
from verifier import progress
from verifier.progress import counted


def shown_by(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, terminal: bool, quiet: bool
) -> str:
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    monkeypatch.setattr(progress, "_SECONDS", -1)
    assert list(counted("abc", "letters read", quiet=quiet, size=lambda letter: 2)) == ["a", "b", "c"]
    out, err = capsys.readouterr()
    assert out == ""
    return err


def test_a_terminal_is_shown_a_count_and_a_rate_and_is_left_clean(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = shown_by(monkeypatch, capsys, terminal=True, quiet=False)
    assert "6 letters read, " in shown
    assert " per second" in shown
    assert shown.endswith("\r" + " " * 70 + "\r")


@pytest.mark.parametrize(("terminal", "quiet"), [(False, False), (True, True)])
def test_a_pipe_and_who_wants_quiet_are_shown_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], terminal: bool, quiet: bool
) -> None:
    assert shown_by(monkeypatch, capsys, terminal=terminal, quiet=quiet) == ""


def test_the_line_is_wiped_when_the_work_breaks_off(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr(progress, "_SECONDS", -1)
    with pytest.raises(KeyboardInterrupt):
        for item in counted("abc", "letters", quiet=False):
            if item == "b":
                raise KeyboardInterrupt
    assert capsys.readouterr().err.endswith("\r")


SENTENCE = "Niemand soll weite Wege haben, auch nicht im Dorf und auf dem Land."


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    """A run that fails on the last page of a PDF which takes long to be drawn."""
    pages = [body(f"Seite {number} von vielen, auf denen nichts steht.") for number in range(3)]
    save(new([*pages, body(SENTENCE)]), tmp_path)
    (tmp_path / "programme.json").write_text(
        '[{"id": "x", "name": "X Wahlprogramm 2020", "partei": "X", "bundesland": "Bund", "jahr": 2020,'
        ' "typ": "wahlprogramm", "datei": "gezeichnet.pdf"}]'
    )
    build_index(catalogue=tmp_path / "programme.json", pdfs=tmp_path, db=tmp_path / "index.db", jobs=1)
    cited = scores(*[zitat(SENTENCE, "X Wahlprogramm 2020, S. 1")] * 900)
    db = make_db(tmp_path / "a.db", [("1/1", "HH", cited, "2026-01-01")])
    options = ["--index", tmp_path / "index.db", "--page-images", "--pdfs", tmp_path, "--report"]
    return [sys.executable, "-m", "verifier", "run", *map(str, [db, *options, f"html={tmp_path / 'report.html'}"])]


def test_ctrl_c_while_pages_are_drawn_leaves_nothing_behind(arguments: list[str], tmp_path: Path) -> None:
    before = {path.name for path in tmp_path.iterdir()}
    terminal, other_end = pty.openpty()
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=other_end, start_new_session=True) as ran:
        os.close(other_end)
        children = Path(f"/proc/{ran.pid}/task/{ran.pid}/children")
        if not children.exists():
            ran.kill()
            pytest.skip("needs Linux, to see the workers")
        workers: list[str] = []

        def drawing() -> bool:
            tasks = Path(f"/proc/{ran.pid}/task").iterdir()
            workers[:] = [pid for task in tasks for pid in (task / "children").read_text().split()]
            return bool(workers)

        wait_for(drawing)
        os.killpg(ran.pid, signal.SIGINT)
        assert ran.wait(10) == 130
    os.close(terminal)
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))
    assert {path.name for path in tmp_path.iterdir()} == before
