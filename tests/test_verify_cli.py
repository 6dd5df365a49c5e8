import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from assessments import make_db, scores, zitat

from indexer import console
from verifier.citations import Selection, Table
from verifier.cli import COMMANDS, cli, command
from verifier.report import FORMATS, ReportOptions
from verifier.run import RunOptions
from verifier.verdict import Verdict, Zitat

GOOD = "Deshalb stellen wir 500 neue Laternen in den Randbezirken auf."
QUELLE = "Laternenpartei Hamburg Wahlprogramm 2024, S. 2"


class Ran(NamedTuple):
    code: int
    out: str
    err: str


Verify = Callable[..., Ran]


@pytest.fixture
def verify(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Verify:
    """Run a command in this process, in an empty folder, as the console script would."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = console.run(cli, [str(argument) for argument in arguments])
        return Ran(code, *capfd.readouterr())

    return run


@pytest.fixture
def index(demo_folder: Path) -> Path:
    return demo_folder / "index.db"


@pytest.fixture
def db(demo_folder: Path) -> Path:
    return demo_folder / "assessments.db"


@pytest.fixture
def good_db(tmp_path: Path) -> Path:
    return make_db(tmp_path / "good.db", [("1/1", "HH", scores(zitat(GOOD, QUELLE)), "2026-01-01")])


def test_a_run_reports_every_kind_of_verdict_and_fails(verify: Verify, db: Path, index: Path) -> None:
    ran = verify("run", db, "--index", index)
    assert (ran.code, ran.err) == (1, "")
    assert "19 citations in 4 assessments" in ran.out
    assert [verdict for verdict in Verdict if f" {verdict} " not in ran.out] == []


def test_json_lines_go_to_stdout_and_totals_to_stderr(verify: Verify, db: Path, index: Path) -> None:
    ran = verify("run", db, "--index", index, "--format", "jsonl")
    records = [json.loads(line) for line in ran.out.splitlines()]
    assert [record["verdict"] for record in records] == list(Verdict)
    assert "19 citations in 4 assessments" in ran.err
    assert verify("run", db, "--index", index, "--format", "jsonl", "--quiet").err == ""


def test_json_names_the_versions(verify: Verify, db: Path, index: Path) -> None:
    report = json.loads(verify("run", db, "--index", index, "--format", "json").out)
    assert report["versions"].keys() >= {"quellentreu", "schema_version", "normalizer_version"}


EXITS: list[tuple[list[str], int, str]] = [
    ([], 1, "findings"),
    (["--drucksache", "23/1"], 0, "passes only"),
    (["--drucksache", "23/1", "--strict"], 0, "strict has nothing against passes"),
    (["--drucksache", "99/9"], 4, "nothing chosen is no success"),
    (["--fail-on", "no_text"], 1, "a verdict that is there"),
    (["--drucksache", "23/1", "--fail-on", "layout,anchor"], 1, "a pass can be chosen"),
    (["--drucksache", "23/1", "--fail-on", "warn"], 0, "an outcome stands for its verdicts"),
    (["--fail-on", "wrong"], 2, "no verdict"),
    (["--latest", "0"], 2, "no number of assessments"),
    (["--since", "neulich"], 2, "no date"),
    (["--pages", "left"], 2, "no numbering"),
    (["--format", "xml"], 2, "no format"),
    (["--report", "html"], 2, "no file"),
    (["--report", "xml=x"], 2, "no format of a report"),
    (["--report", "json=same", "--report", "csv=./same"], 2, "two reports in one file"),
    (["--report", "json=-"], 2, "two reports on stdout"),
    (["--drucksache", "23/1", "-o", "-"], 0, "the file - is stdout"),
    (["-o", "no/such/folder/x"], 2, "no folder"),
    (["-o", "."], 2, "a folder"),
    (["--table", "nothing"], 3, "no such table"),
    (["--column-scores", "nothing"], 3, "no such column"),
    (["--no-such-option"], 2, "no such option"),
]


@pytest.mark.parametrize(("options", "code", "reason"), EXITS, ids=[row[-1] for row in EXITS])
def test_exit_codes(verify: Verify, demo_folder: Path, options: list[str], code: int, reason: str) -> None:
    ran = verify("run", demo_folder / "assessments.db", "--index", demo_folder / "index.db", *options)
    assert ran.code == code, reason
    assert "Traceback" not in ran.err
    assert code not in (2, 3) or ran.err, "an error is explained"
    assert code not in (2, 3) or not ran.out, "an error prints no result"


def test_a_missing_index_or_database_is_unusable(verify: Verify, db: Path, index: Path) -> None:
    assert verify("run", db).code == 3
    assert verify("run", "missing.db", "--index", index).code == 3
    assert verify("run", db, "--index", db).code == 3
    assert not Path("missing.db").exists()


def test_unread_rows_are_findings_and_do_not_hide_the_others(verify: Verify, tmp_path: Path, index: Path) -> None:
    path = make_db(
        tmp_path / "a.db", [("1/1", "HH", "[{"), ("1/2", "HH", scores(zitat(GOOD, QUELLE))), ("1/3", "HH", "[]")]
    )
    ran = verify("run", path, "--index", index, "--format", "jsonl")
    assert ran.code == 1
    assert [json.loads(line)["drucksache"] for line in ran.out.splitlines()] == ["1/2"]
    assert "unread     1/1 $: broken JSON" in ran.err
    assert "1/3" in ran.err
    assert verify("run", path, "--index", index, "--drucksache", "1/1").code == 3


def test_several_reports_are_written_in_one_run(verify: Verify, db: Path, index: Path, tmp_path: Path) -> None:
    reports = [argument for name in FORMATS for argument in ("--report", f"{name}={name}.out")]
    ran = verify("run", db, "--index", index, *reports, "--format", "csv", "-o", "last.csv")
    assert (ran.code, ran.out) == (1, "")
    assert {entry.name for entry in tmp_path.iterdir()} == {"last.csv", *(f"{name}.out" for name in FORMATS)}
    assert (tmp_path / "last.csv").read_bytes() == (tmp_path / "csv.out").read_bytes()


def test_a_report_never_replaces_a_database(verify: Verify, good_db: Path, index: Path) -> None:
    before = good_db.read_bytes()
    assert verify("run", good_db, "--index", index, "-o", good_db).code == 2
    assert verify("run", good_db, "--index", index, "--report", f"json={index}").code == 2
    Path("link").symlink_to(good_db)
    assert verify("run", good_db, "--index", index, "-o", "link").code == 2
    assert good_db.read_bytes() == before


def test_a_report_that_cannot_be_written_is_an_error(verify: Verify, good_db: Path, index: Path) -> None:
    assert verify("run", good_db, "--index", index, "-o", "/dev/full").code == 2


def test_equal_runs_give_equal_files(verify: Verify, db: Path, index: Path) -> None:
    for name in FORMATS:
        first = verify("run", db, "--index", index, "--format", name).out
        assert verify("run", db, "--index", index, "--format", name).out == first


def test_quote_checks_one_quotation(verify: Verify, index: Path) -> None:
    ran = verify("quote", GOOD, "--quelle", QUELLE, "--bundesland", "HH", "--index", index)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("pass      exact")
    ran = verify("quote", GOOD.replace("500", "900"), "--quelle", QUELLE, "--bundesland", "HH", "--index", index)
    assert ran.code == 1
    assert "number: quoted “900”, printed “500”" in ran.out


@pytest.mark.parametrize("text", [[], ["-"]])
def test_quote_reads_stdin(verify: Verify, index: Path, text: list[str]) -> None:
    ran = verify(
        "quote", *text, "--quelle", QUELLE, "--index", index, "--format", "jsonl", stdin=(GOOD + "\n").encode()
    )
    assert json.loads(ran.out)["text"] == GOOD
    assert ran.code == 0
    assert verify("quote", "--quelle", QUELLE, "--index", index, stdin=b"\xff").code == 2
    assert verify("quote", "--quelle", QUELLE, "--index", index, stdin=b"").code == 4


def test_quote_needs_a_quelle(verify: Verify, index: Path) -> None:
    assert verify("quote", GOOD, "--index", index).code == 2


def test_quote_knows_the_land_of_the_motion(verify: Verify, index: Path) -> None:
    ran = verify("quote", GOOD, "--quelle", QUELLE, "--bundesland", "BY", "--index", index)
    assert ran.out.startswith("fail      cross_state")


def test_locate_names_every_place(verify: Verify, index: Path) -> None:
    text = "Wer nachts nach Hause geht, soll sehen, wohin er tritt."
    ran = verify("locate", text, "--index", index)
    assert ran.code == 0
    assert re.findall(r"^(\S+), PDF page (\d)", ran.out, re.MULTILINE) == [
        ("laternenpartei-hh-2024", "2"),
        ("laternenpartei-hh-2024--entwurf", "2"),
    ]
    ran = verify("locate", "--index", index, "--format", "jsonl", stdin=text.encode())
    assert [json.loads(line)["seitenlabel"] for line in ran.out.splitlines()] == ["1", "1"]


def test_locate_says_what_comes_nearest_or_that_a_text_is_too_short(verify: Verify, index: Path) -> None:
    ran = verify("locate", GOOD.replace("500", "900"), "--index", index)
    assert (ran.code, ran.out) == (1, "")
    assert "number: quoted “900”, printed “500”" in ran.err
    assert verify("locate", "500 neue Laternen", "--index", index).code == 4
    assert verify("locate", "x" * 50, "--index", index).code == 1


def test_a_baseline_lets_only_new_findings_fail(verify: Verify, db: Path, index: Path) -> None:
    assert verify("baseline", db, "--index", index, "-o", "known.json") == (0, "", "")
    assert verify("baseline", db, "--index", index).out == Path("known.json").read_text("utf-8")
    assert verify("run", db, "--index", index, "--baseline", "known.json").code == 0
    assert verify("run", db, "--index", index, "--baseline", "missing.json").code == 2
    assert verify("run", db, "--index", index, "--baseline", db).code == 2
    assert verify("baseline", db, "--index", index, "-o", index).code == 2


def test_history_shows_saved_runs(verify: Verify, db: Path, good_db: Path, index: Path) -> None:
    assert verify("history", "runs.db").code == 2
    for which in (db, good_db):
        verify("run", which, "--index", index, "--save", "runs.db")
    ran = verify("history", "runs.db")
    assert ran.code == 0
    assert "run 2" in ran.out
    assert "gone not_found → -" in ran.out
    document = json.loads(verify("history", "runs.db", "--format", "json").out)
    assert [run["zitate"] for run in document["runs"]] == [19, 1]
    assert verify("run", db, "--index", index, "--save", good_db).code == 2


def test_suggest_repairs_what_can_be_repaired(verify: Verify, db: Path, index: Path) -> None:
    ran = verify("suggest", db, "--index", index)
    assert ran.code == 0
    assert [s["verdict"] for s in json.loads(ran.out)["suggestions"]] == [
        "layout",
        "anchor",
        "wrong_page",
        "page_out_of_range",
        "no_page",
    ]
    assert ran.err == "5 suggestions; 10 findings are left for a person to judge\n"
    assert verify("suggest", db, "--index", index, "-o", db).code == 2


def test_demo_shows_what_it_should(verify: Verify, tmp_path: Path) -> None:
    ran = verify("demo")
    assert (ran.code, ran.err) == (0, "")
    assert "19 of 19 citations" in ran.out
    assert list(tmp_path.iterdir()) == []


def test_demo_keeps_its_folder_and_overwrites_nothing(verify: Verify, tmp_path: Path) -> None:
    assert verify("demo", "new/folder").code == 0
    assert {entry.name for entry in (tmp_path / "new/folder").iterdir()} >= {
        "programme.toml",
        "pdf",
        "index.db",
        "assessments.db",
    }
    assert verify("demo", "new/folder").code == 2
    (tmp_path / "file").touch()
    assert verify("demo", "file").code == 2


# --- nothing is dropped between option and code -----------------------------------------------------------------------


def names(cls: type) -> set[str]:
    return {field.name for field in fields(cls)}


TARGETS = {"format", "output", "report", "no_color"}


def test_every_option_of_run_has_a_field_of_its_name() -> None:
    options = {param.name for param in command("run").params} - TARGETS
    known = names(RunOptions) - {"source", "selection"} | names(Table) | names(Selection)
    reports = names(ReportOptions) - {"color", "single"}
    assert options == known | reports


def test_every_option_of_quote_has_a_field_of_its_name() -> None:
    options = {param.name for param in command("quote").params} - TARGETS
    assert options <= names(Zitat) | names(RunOptions) | names(ReportOptions)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_has_help_and_every_command_an_example(verify: Verify, name: str) -> None:
    ran = verify(name, "--help")
    assert ran.code == 0
    assert f"verify {name}" in ran.out
    assert all(param.help for param in command(name).params if isinstance(param, click.Option))


# --- as a process -----------------------------------------------------------------------------------------------------

VERIFY = [sys.executable, "-m", "verifier"]


def process(arguments: list[object], **environment: str) -> subprocess.CompletedProcess[bytes]:
    environment = {"PATH": os.environ["PATH"], **environment}
    return subprocess.run([*VERIFY, *map(str, arguments)], capture_output=True, env=environment, check=False)


@pytest.mark.parametrize(
    "locale", [{}, {"LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"PYTHONIOENCODING": "cp1252"}]
)
def test_no_locale_gives_a_traceback(db: Path, index: Path, locale: dict[str, str]) -> None:
    ran = process(["run", db, "--index", index], **locale)
    assert (ran.returncode, ran.stderr) == (1, b"")
    ran = process(["run", db, "--index", index, "--format", "jsonl"], **locale)
    assert "Lampenwärter" in ran.stdout.decode("utf-8")


def test_a_reader_that_stops_early_is_no_error(tmp_path: Path, index: Path) -> None:
    many = make_db(
        tmp_path / "many.db", [(str(i), "HH", scores(*[zitat("falscher Satz " * 9, QUELLE)] * 50)) for i in range(40)]
    )
    with subprocess.Popen(
        [*VERIFY, "run", str(many), "--index", str(index), "--format", "jsonl"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as ran:
        assert ran.stdout is not None and ran.stderr is not None
        ran.stdout.read(10)
        ran.stdout.close()
        assert b"Traceback" not in ran.stderr.read()


def test_ctrl_c_leaves_nothing_behind(
    verify: Verify, db: Path, index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    ran = verify("run", db, "--index", index, "-o", "report.html", "--format", "html", "-q")
    assert (ran.code, ran.out, ran.err.strip()) == (130, "", "interrupted")
    assert list(tmp_path.iterdir()) == []


def test_no_color_and_pipes_have_no_colours(db: Path, index: Path) -> None:
    assert b"\x1b" not in process(["run", db, "--index", index]).stdout


LIGHT = """
import sys
from verifier import cli
sys.argv = ["verify", "run", *sys.argv[1:], "--format", "jsonl", "-o", "out.jsonl"]
try:
    cli.main()
finally:
    assert "verifier.judge" in sys.modules
    print(*{"pymupdf", "sqlite_utils", "csv", "xml", "importlib.metadata"} & set(sys.modules))
"""


def test_a_run_loads_no_module_of_a_format_that_nobody_asked_for(db: Path, index: Path, tmp_path: Path) -> None:
    arguments = [sys.executable, "-c", LIGHT, str(db), "--index", str(index)]
    ran = subprocess.run(arguments, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (ran.returncode, ran.stdout.split()) == (1, []), ran.stderr
