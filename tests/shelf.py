"""A folder with programmes, their catalogue and their index, as the tests of the index need it."""

import json
import os
import sqlite3
import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from readers import read_text

from indexer.build import BuildOptions, BuildReport, build
from indexer.rows import Pages


@dataclass
class Shelf:
    """`pdfs` maps programm_id → content of its file; None: the catalogue names a file that is not there."""

    folder: Path
    entries: dict[str, dict[str, object]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.pdfs.mkdir(parents=True)

    @property
    def pdfs(self) -> Path:
        return self.folder / "pdf"

    @property
    def db(self) -> Path:
        return self.folder / "index.db"

    @property
    def catalogue(self) -> Path:
        return self.folder / "programme.json"

    def put(self, programm_id: str, content: str | None, **more: object) -> Path:
        path = self.pdfs / f"{programm_id}.pdf"
        if content is None:
            path.unlink(missing_ok=True)
        else:
            path.write_text(content, encoding="utf-8")
        self.entries[programm_id] = entry(programm_id) | more
        return path

    def options(self, **changes: Any) -> BuildOptions:
        self.catalogue.write_text(json.dumps(list(self.entries.values())), encoding="utf-8")
        given: dict[str, Any] = {
            "catalogue": self.catalogue,
            "pdfs": self.pdfs,
            "db": self.db,
            "jobs": 1,
            "reader": read_text,
            "reader_version": "1",
        }
        return BuildOptions(**(given | changes))

    def build(self, **changes: Any) -> BuildReport:
        return build(self.options(**changes))

    def files(self) -> list[str]:
        """What stands beside the index."""
        return sorted(path.name for path in self.folder.iterdir() if path.name not in ("pdf", "programme.json"))


def _permissions_count() -> bool:
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).chmod(0)
        return not os.access(file.name, os.R_OK)


PERMISSIONS = pytest.mark.skipif(not _permissions_count(), reason="this user may read and write anything")


def entry(programm_id: str) -> dict[str, object]:
    return {
        "id": programm_id,
        "name": f"Programm {programm_id}",
        "partei": "Test",
        "bundesland": "NRW",
        "jahr": 2022,
        "typ": "wahlprogramm",
        "datei": f"{programm_id}.pdf",
    }


def content(db: Path) -> dict[str, list[tuple[object, ...]]]:
    """All that an index says, without the row numbers that tell in which order it grew."""
    pages = "SELECT programm_id, seite, seitenlabel, no_text, ocr, flow_end, boundaries, compact, strict, text, cuts"
    queries = {
        "meta": "SELECT * FROM meta ORDER BY 1",
        "programme": "SELECT * FROM programme ORDER BY 1",
        "seiten": f"{pages} FROM seiten ORDER BY 1, 2",
        "trigram_df": "SELECT * FROM trigram_df ORDER BY 1",
    }
    with closing(sqlite3.connect(db)) as connection:
        return {name: connection.execute(query).fetchall() for name, query in queries.items()}


def states(report: BuildReport) -> Mapping[str, str]:
    return {programm.programm_id: programm.status for programm in report.programme}


Reader = Callable[[Path], Pages]
