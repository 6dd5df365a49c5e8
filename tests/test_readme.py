import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click
import pytest

from indexer.cli import cli as index_cli
from verifier.cli import COMMANDS, command
from verifier.report import FORMATS
from verifier.verdict import Verdict

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BIN = Path(sys.executable).parent
ELSEWHERE = {"--assessments", "--metadata"}  # options of our tests and of Datasette


def blocks(kind: str) -> list[str]:
    return [text for name, text in BLOCK.findall(README) if name == kind]


def sessions() -> list[tuple[str, str]]:
    """Each command of the console blocks with the output that the README shows."""
    found = []
    for block in blocks("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


@pytest.fixture
def demo(demo_folder: Path, tmp_path: Path) -> Path:
    """A folder with `demo/` and saved runs in it, as the README has it."""
    shutil.copytree(demo_folder, tmp_path / "demo")
    arguments = ["run", "demo/assessments.db", "--index", "demo/index.db", "--save", "runs.db"]
    subprocess.run([BIN / "verify", *arguments], cwd=tmp_path, capture_output=True, check=False)
    return tmp_path


def matches(shown: str, printed: str) -> bool:
    """A line `...` in the README stands for any number of lines."""
    parts = [re.escape(line) if line != "..." else "(?:.*\n)*?" for line in shown.splitlines()]
    pattern = "".join(part if part.startswith("(?:") else part + "\n" for part in parts)
    return re.fullmatch(pattern, printed) is not None


@pytest.mark.parametrize(("command", "output"), sessions(), ids=[command[:60] for command, _ in sessions()])
def test_console_sessions_print_what_the_readme_shows(demo: Path, command: str, output: str) -> None:
    name, *arguments = shlex.split(command)
    assert name in {"verify", "index", "sqlite-utils"}
    if command == "verify demo demo":
        shutil.rmtree(demo / "demo")
    ran = subprocess.run([BIN / name, *arguments], cwd=demo, capture_output=True, check=False)
    printed = (ran.stderr + ran.stdout).decode()  # as a person sees it: talk comes before the result
    assert matches(output, printed), printed


def test_ellipses_in_the_readme_are_no_wildcards_for_everything() -> None:
    assert matches("a\n...\nb\n", "a\n1\n2\nb\n")
    assert matches("a\n...\nb\n", "a\nb\n")
    assert not matches("a\n...\nb\n", "a\n1\nc\n")
    assert not matches("a\n", "a\nb\n")


@pytest.mark.parametrize("code", blocks("python"), ids=["library", "async"])
def test_python_examples_run(demo: Path, code: str) -> None:
    ran = subprocess.run([sys.executable, "-c", code], cwd=demo, capture_output=True, check=False, text=True)
    assert ran.stderr == ""
    shown = re.findall(r"This prints `([^`]+)`", README)
    assert ran.stdout.strip() in (*shown, "too_short")


@pytest.mark.parametrize("statement", [line for block in blocks("sql") for line in block.splitlines()])
def test_sql_examples_find_something(demo_folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(f"{(demo_folder / 'index.db').as_uri()}?mode=ro", uri=True)) as db:
        assert db.execute(statement).fetchall()


def test_the_catalogue_example_is_an_entry(demo: Path) -> None:
    (block,) = blocks("toml")
    (demo / "programme.toml").write_text(block, "utf-8")
    arguments = ["build", "--catalogue", "programme.toml", "--pdfs", "demo/pdf", "--db", "new.db"]
    assert subprocess.run([BIN / "index", *arguments], cwd=demo, capture_output=True, check=False).returncode == 0


def commands() -> Iterator[tuple[str, str, click.Command]]:
    yield from (("index", name, found) for name, found in index_cli.commands.items())
    yield from (("verify", name, command(name)) for name in COMMANDS)


def test_every_command_has_its_place_in_the_readme() -> None:
    assert [f"{name} {sub}" for name, sub, _ in commands() if f"| `{name} {sub}" not in README] == []


def test_every_command_that_the_readme_names_exists() -> None:
    lines = [line for kind in ("console", "sh") for block in blocks(kind) for line in block.splitlines()]
    calls = [
        re.match(r"(?:\$ )?(?:\S+ && )*(?:\S*/)?(index|verify) ([a-z]+)", code)
        for code in [*re.findall(r"`([^`\n]+)`", README), *lines]
    ]
    named = {(call[1], call[2]) for call in calls if call}
    assert named <= {(name, sub) for name, sub, _ in commands()}


def test_every_option_that_the_readme_names_exists() -> None:
    known = {option for _, _, found in commands() for param in found.params for option in param.opts} | {"--help"}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", README)) <= known | ELSEWHERE


def test_every_option_of_verify_run_stands_in_the_readme() -> None:
    options = {max(param.opts, key=len) for param in command("run").params if isinstance(param, click.Option)}
    assert {option for option in options - {"--output"} if option not in README} == set()


def test_the_table_of_verdicts_is_complete_and_right() -> None:
    rows = re.findall(r"^\| (pass|warn|fail|unchecked) \| `(\w+)` \|", README, re.MULTILINE)
    assert rows == [(str(verdict.outcome), str(verdict)) for verdict in Verdict]


def test_the_tables_of_exit_codes_and_reports_are_complete() -> None:
    assert re.findall(r"^\| (\d) \|", README, re.MULTILINE) == ["0", "1", "2", "3", "4"]
    assert [name for name in FORMATS if f"`{name}`" not in README] == []


def test_ci_runs_the_test_command_of_the_readme() -> None:
    setup = [line for block in blocks("sh") for line in block.splitlines() if "venv" in line]
    assert len(setup) == 2
    assert setup[0].endswith(".venv/bin/verify demo")
    assert setup[1].endswith(".venv/bin/pytest")
    assert "README.md" in (ROOT / ".ci" / "run").read_text("utf-8")


@pytest.mark.parametrize("file", ["README.md", "CHANGELOG.md"])
def test_no_path_of_one_machine_stands_in_the_documents(file: str) -> None:
    assert not re.search(r"(?<![\w.~])/(?:home|root|work|tmp|Users)/", (ROOT / file).read_text("utf-8"))
