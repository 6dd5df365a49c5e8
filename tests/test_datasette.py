"""The metadata file for Datasette: every column described, every query runs and finds something."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from indexer.cli import main
from indexer.datasette import datasette_metadata
from verifier.cli import cli


@pytest.fixture(scope="module")
def files(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    runs = tmp_path_factory.mktemp("runs") / "runs.db"
    arguments = ["run", demo_folder / "assessments.db", "--index", demo_folder / "index.db", "--save", runs, "-q"]
    cli.main([*map(str, arguments), "-o", str(runs.with_suffix(".txt"))], standalone_mode=False)
    return {"index": demo_folder / "index.db", "runs": runs}


def opened(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    # Datasette's own function: it makes operators into words.
    db.create_function("escape_fts", 1, lambda text: " ".join(f'"{word}"' for word in text.split()))
    return db


METADATA = datasette_metadata(Path("index.db"))["databases"]
PARAMETERS = {
    "words": "Umzug Suppe",
    "programm_id": "laternenpartei-hh-2024",
    "seitenlabel": "6",
    "drucksache": "23/2",
}


@pytest.mark.parametrize("name", METADATA)
def test_every_table_view_and_column_is_described_and_no_other(files: dict[str, Path], name: str) -> None:
    with closing(opened(files[name])) as db:
        tables = [
            row[0]
            for row in db.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name")
            if not row[0].startswith(("seiten_fts", "seiten_trigram", "sqlite_"))
        ]
        columns = {table: [row[1] for row in db.execute(f"PRAGMA table_info({table})")] for table in tables}
    described: dict[str, Any] = METADATA[name]["tables"]
    assert {table: list(described[table]["columns"]) for table in described} == {
        table: columns[table] for table in described
    }
    assert set(described) == set(tables)
    for table, about in described.items():
        used = [
            *about.get("facets", []),
            *(about[key] for key in ("sort", "sort_desc", "label_column") if key in about),
        ]
        assert set(used) <= set(columns[table])


@pytest.mark.parametrize(("name", "query"), [(name, query) for name in METADATA for query in METADATA[name]["queries"]])
def test_every_query_finds_something(files: dict[str, Path], name: str, query: str) -> None:
    with closing(opened(files[name])) as db:
        assert db.execute(METADATA[name]["queries"][query]["sql"], PARAMETERS).fetchall()
    assert METADATA[name]["queries"][query]["title"]


def test_the_printed_page_of_a_sheet_with_two_is_found() -> None:
    sql = METADATA["index"]["queries"]["printed_page"]["sql"]
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE TABLE seiten_lesbar (programm_id, name, seite, seitenlabel, text)")
        db.executemany("INSERT INTO seiten_lesbar VALUES ('a', 'A', ?, ?, '')", [(1, "10/11"), (2, "1"), (3, "110")])
        for label, seiten in (("11", [1]), ("1", [2]), ("0", [])):
            found = db.execute(sql, {"programm_id": "a", "seitenlabel": label}).fetchall()
            assert [row[2] for row in found] == seiten


def test_the_command_prints_it_under_the_name_of_the_file(
    demo_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db = tmp_path / "korpus.db"
    db.write_bytes((demo_folder / "index.db").read_bytes())
    assert main(["status", "--format", "datasette", "--db", str(db)]) == 0
    assert list(json.loads(capsys.readouterr().out)["databases"]) == ["korpus", "runs"]
