import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import pytest
from readers import wait_for
from shelf import entry

from indexer.catalogue import load_catalogue
from indexer.cli import cli, main
from indexer.console import printable
from verifier.demo_pdf import pdf

FIRST = ("Wir bauen neue Wege für alle Menschen im Land.", "Das ist gerecht und längst bezahlbar.")
SECOND = ("Auch auf dem Land fährt jede Stunde ein Bus.", "Dafür geben wir zwei Millionen Euro aus.")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project as `index` expects it by default, with one good PDF and one that is none."""
    (tmp_path / "data/pdf").mkdir(parents=True)
    (tmp_path / "data/pdf/gut.pdf").write_bytes(pdf([FIRST, SECOND, []], 1))
    write_catalogue(tmp_path, "gut")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_catalogue(folder: Path, *programm_ids: str) -> None:
    blocks = [
        "[[programm]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in entry(programm_id).items())
        for programm_id in programm_ids
    ]
    (folder / "data/programme.toml").write_text("\n".join(blocks), encoding="utf-8")


def run_cli(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def command(*arguments: str, **environment: str) -> tuple[list[str], dict[str, str]]:
    return [sys.executable, "-m", "indexer", *arguments], {**os.environ, **environment}


def test_build_says_on_stderr_what_it_did_and_then_that_there_is_nothing_to_do(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run_cli(capsys, "build")
    assert (code, out) == (0, "")
    assert "indexed  gut, 3 pages" in err
    assert "1 programme, 3 pages" in err
    code, out, err = run_cli(capsys, "build")
    assert (code, out) == (0, "")
    assert "nothing to do" in err


def test_a_pdf_that_cannot_be_read_is_a_finding_and_the_others_are_built(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "data/pdf/html.pdf").write_text("<!DOCTYPE html><html><body>404</body></html>")
    write_catalogue(folder, "gut", "html", "weg")
    code, out, err = run_cli(capsys, "build")
    assert (code, out) == (1, "")
    assert "indexed  gut" in err
    assert "failed   html; not a PDF" in err
    assert "missing  weg; no file 'weg.pdf' in the PDF folder" in err
    code, _, err = run_cli(capsys, "build", "--quiet")
    assert code == 1
    assert "gut" not in err


def test_mistakes_in_the_catalogue_are_told_all_at_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "data/programme.toml").write_text("[[programm]]\nid = 'x'\njahr = '22'\nnahme = 'y'\n")
    code, out, err = run_cli(capsys, "build")
    assert (code, out) == (2, "")
    for part in ("jahr: must be", "nahme: unknown field; did you mean 'name'?", "datei: missing"):
        assert part in err


USAGE = [
    (["build", "--catalogue", "nowhere.toml"], 2, "index scan", "no catalogue"),
    (["build", "--catalogue", "data"], 2, "cannot be read", "a folder for a catalogue"),
    (["build", "--pdfs", "nowhere"], 2, "--pdfs", "no PDF folder"),
    (["build", "--pdfs", "data/programme.toml"], 2, "--pdfs", "a file for a folder"),
    (["build", "--db", "nowhere/index.db"], 2, "--db", "no folder for the index"),
    (["build", "--db", "data/programme.toml"], 2, "not an index", "would overwrite another file"),
    (["build", "--db", "data"], 2, "cannot be read", "a folder for the index"),
    (["build", "--jobs", "-1"], 2, "--jobs", "a number out of range"),
    (["build", "--nonsense"], 2, "--nonsense", "no such option"),
    (["nonsense"], 2, "nonsense", "no such command"),
    (["status"], 3, "index build", "no index yet"),
    (["status", "--db", "data/programme.toml"], 3, "is not an index", "not an index"),
    (["check"], 3, "index build", "no index yet"),
    (["show", "gut", "1"], 3, "index build", "no index yet"),
    (["show", "gut", "0"], 2, "SEITE", "pages begin with 1"),
    (["search"], 2, "WORDS", "nothing to search for"),
    (["scan", "nowhere"], 2, "nowhere", "no such folder"),
]


@pytest.mark.parametrize(
    ("arguments", "expected", "message"), [case[:3] for case in USAGE], ids=[case[3] for case in USAGE]
)
def test_bad_input_gets_a_message_and_its_exit_code(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: Sequence[str], expected: int, message: str
) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    code, out, err = run_cli(capsys, *arguments)
    assert (code, out) == (expected, "")
    assert message in err
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_status_shows_pages_and_why_some_have_no_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_cli(capsys, "build")
    code, out, err = run_cli(capsys, "status")
    assert (code, err) == (0, "")
    (head, row, *rest) = out.splitlines()
    assert head.split() == ["programm", "pages", "no", "text", "ocr", "printed", "status"]
    assert row.split()[:3] == ["gut", "3", "1"]
    assert row.split()[-1] == "indexed"
    assert rest[0].startswith("gut: 1 × ")
    assert "1 programme, 3 pages, 1 without text" in out
    assert "schema version 1" in out
    code, out, _ = run_cli(capsys, "status", "--format", "json")
    (programm,) = json.loads(out)["programme"]
    assert (programm["programm_id"], programm["seiten"], sum(programm["no_text"].values())) == ("gut", 3, 1)


def test_status_names_what_is_stale(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_cli(capsys, "build")
    (folder / "data/pdf/gut.pdf").write_bytes(b"")
    assert run_cli(capsys, "build")[0] == 1
    _, out, _ = run_cli(capsys, "status")
    assert out.splitlines()[1].split()[-1] == "stale"
    assert "gut: empty file" in out
    _, _, err = run_cli(capsys, "show", "gut", "1")
    assert "empty file" in err


def test_check_finds_a_whole_index_whole(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_cli(capsys, "build")
    assert run_cli(capsys, "check", "--all") == (0, "the index is whole\n", "")
    (folder / "data/pdf/gut.pdf").write_bytes(pdf([FIRST], 1))
    code, out, _ = run_cli(capsys, "check")
    assert code == 1
    assert "gut: the PDF has changed" in out
    code, out, err = run_cli(capsys, "check", "--pdfs", "nowhere")
    assert (code, out) == (0, "the index is whole\n")
    assert "--pdfs" in err


def test_check_names_damage(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_cli(capsys, "build")
    path = folder / "data/index.db"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) - 8192])
    code, out, err = run_cli(capsys, "check")
    assert code == 3
    assert out + err
    assert "index build" in err


@pytest.mark.parametrize(
    ("form", "expected", "why"),
    [
        ("raw", "Wir bauen neue Wege", "the source's own characters"),
        ("strict", "wir bauen neue wege", "as it is compared"),
        ("running", "Wir bauen neue Wege", "without the page number"),
    ],
)
def test_show_prints_a_page(
    folder: Path, capsys: pytest.CaptureFixture[str], form: str, expected: str, why: str
) -> None:
    run_cli(capsys, "build")
    code, out, err = run_cli(capsys, "show", "gut", "1", "--form", form)
    assert code == 0
    assert expected in out, why
    assert "Programm gut; PDF page 1" in err


def test_show_names_the_nearest_programme_and_the_number_of_pages(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_cli(capsys, "build")
    code, _, err = run_cli(capsys, "show", "gud", "1")
    assert code == 2
    assert "did you mean gut?" in err
    code, _, err = run_cli(capsys, "show", "gut", "9")
    assert code == 2
    assert "3 pages" in err


SEARCHES = [
    (["Menschen"], 1, "gut, page 1", "one word"),
    (["Land"], 2, "gut, page 2", "on two pages"),
    (["land", "BUS"], 1, "gut, page 2", "all words, in any case"),
    (["zwei Millionen"], 1, "gut, page 2", "a phrase"),
    (["Millionen zwei"], 0, "", "a phrase in another order"),
    (["längst"], 1, "gut, page 1", "an umlaut"),
    (["la\u0308ngst"], 1, "gut, page 1", "the umlaut in two characters"),
    (["langst"], 0, "", "an umlaut is not its vowel"),
    (['"OR" NEAR(x) * ^ :'], 0, "", "no operators"),
    (["Menschen", "OR", "nirgends"], 0, "", "OR is a word"),
    (["Menschen", "--limit", "1"], 1, "gut, page 1", "limited"),
]


@pytest.mark.parametrize(
    ("words", "hits", "expected"), [case[:3] for case in SEARCHES], ids=[case[3] for case in SEARCHES]
)
def test_search_finds_pages_by_words(
    folder: Path, capsys: pytest.CaptureFixture[str], words: Sequence[str], hits: int, expected: str
) -> None:
    run_cli(capsys, "build")
    code, out, _ = run_cli(capsys, "search", *words)
    assert len(out.splitlines()) == hits
    assert code == (0 if hits else 1)
    assert expected in out


def test_search_for_nothing_is_a_usage_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_cli(capsys, "build")
    assert run_cli(capsys, "search", "–", "…")[0] == 2
    assert run_cli(capsys, "search", "Bus", "--programm", "nobody")[0] == 2


def test_scan_proposes_a_catalogue_that_can_be_built(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pdfs = folder / "data/pdf"
    drawn = pdf([FIRST], 1)
    for name in ("gruene-nrw-2022.pdf", "unter/spd-bund-2021.PDF", 'a"b\\c\nd\x1b\x7f.pdf', "cdu-hh-2020-entwurf.pdf"):
        (pdfs / name).parent.mkdir(exist_ok=True)
        (pdfs / name).write_bytes(drawn)
    (pdfs / ".versteckt.pdf").write_bytes(drawn)
    (pdfs / "kein.pdf").write_text("no PDF")
    (pdfs / "unter/hoch").symlink_to(pdfs)
    code, out, err = run_cli(capsys, "scan", "data/pdf")
    assert code == 1
    assert "5 entries proposed, 1 PDF left out" in err
    assert "# kein.pdf: left out, not a PDF" in out
    assert "\x1b" not in out
    path = folder / "data/programme.toml"
    path.write_text(out, encoding="utf-8")
    found = {programm.datei: programm for programm in load_catalogue(path)}
    nrw = found["gruene-nrw-2022.pdf"]
    assert (nrw.programm_id, nrw.partei, nrw.bundesland, nrw.jahr) == ("gruene-nrw-2022", "GRÜNE", "NRW", 2022)
    assert found["unter/spd-bund-2021.PDF"].bundesland == "Bund"
    assert (found["cdu-hh-2020-entwurf.pdf"].bundesland, found["cdu-hh-2020-entwurf.pdf"].fassung) == ("HH", "entwurf")
    assert run_cli(capsys, "build")[0] == 0
    code, out, _ = run_cli(capsys, "scan", "data/pdf", "--catalogue", "data/programme.toml")
    assert "[[programm]]" not in out


def test_every_command_has_help_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_cli(capsys, "--help")[0] == 0
    for name, described in cli.commands.items():
        code, out, _ = run_cli(capsys, name, "--help")
        assert code == 0
        assert "Example" in out
        assert f"index {name}" in out
        assert described.help


def test_a_bar_with_a_rate_is_shown_on_a_terminal_only(folder: Path) -> None:
    terminal, other_end = pty.openpty()
    arguments, environment = command("build", TERM="xterm")
    done = subprocess.run(
        arguments, stdout=subprocess.PIPE, stderr=other_end, env=environment, stdin=subprocess.DEVNULL, check=False
    )
    os.close(other_end)
    shown = b""
    while chunk := _read(terminal):
        shown += chunk
    os.close(terminal)
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"pages/s" in shown


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux says so when the other end is closed
        return b""


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_output_never_fails_for_its_encoding(folder: Path, encoding: str) -> None:
    main(["build", "--quiet"])
    arguments, environment = command("search", "längst", PYTHONIOENCODING=encoding, LANG="C")
    done = subprocess.run(arguments, capture_output=True, env=environment, check=False)
    assert done.returncode == 0
    assert done.stderr == b""
    assert done.stdout.startswith(b"gut, page 1")


def test_a_reader_that_goes_away_is_no_error(folder: Path) -> None:
    main(["build", "--quiet"])
    arguments, environment = command("show", "gut", "1")
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 141
    assert b"Traceback" not in err
    assert b"BrokenPipe" not in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_under_the_output_gets_a_message(folder: Path) -> None:
    main(["build", "--quiet"])
    arguments, environment = command("show", "gut", "1")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(arguments, stdout=full, stderr=subprocess.PIPE, env=environment, check=False)
    assert done.returncode == 3
    assert b"No space left" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_ctrl_c_leaves_nothing_behind(folder: Path) -> None:
    main(["build", "--quiet"])
    before = sorted(path.name for path in (folder / "data").iterdir())
    slow = folder / "data/pdf/langsam.pdf"
    slow.write_bytes(pdf([FIRST] * 3000, 1))
    write_catalogue(folder, "gut", "langsam")
    arguments, environment = command("build")
    process = subprocess.Popen(
        arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment, start_new_session=True
    )
    wait_for(lambda: (folder / "data/.index.db.building").exists() and len(workers_of(process.pid)) > 0)
    os.killpg(process.pid, signal.SIGINT)
    assert process.stderr is not None
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 130
    assert b"Traceback" not in err
    assert b"interrupted" in err
    assert sorted(path.name for path in (folder / "data").iterdir()) == before


def workers_of(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split() + [
        child for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
    ]


@pytest.mark.parametrize(
    ("text", "shown", "why"),
    [
        ("Grüße – „gut“ 🌻", "Grüße – „gut“ 🌻", "what can be read stays"),
        ("a\x1b[31mrot", "a\\x1b[31mrot", "colours"),
        ("gefunden\rnicht", "gefunden\\x0dnicht", "repaints the line"),
        ("a\x9b31m", "a\\x9b31m", "a C1 control"),
        ("rtl\u202efdp", "rtl\\u202efdp", "turns the order"),
        ("\u2066x\u2069", "\\u2066x\\u2069", "isolates"),
        ("a\tb", "a b", "a tab"),
        ("a\nb", "a\\x0ab", "a line end"),
        ("\ud83c", "\\ud83c", "half an emoji"),
    ],
)
def test_nothing_that_acts_on_a_terminal_reaches_it(text: str, shown: str, why: str) -> None:
    assert printable(text) == shown, why


def test_line_ends_can_be_kept() -> None:
    assert printable("a\nb\rc", keep_lines=True) == "a\nb\\x0dc"


def test_an_unknown_failure_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(click.Group, "invoke", fail)
    with pytest.raises(ZeroDivisionError):
        main(["status"])
