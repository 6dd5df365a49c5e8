"""Whether an index is whole: the file, both search tables, and pages that are derived anew from their raw text."""

import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from indexer.errors import IndexUnusableError
from indexer.lookup import PageIndex
from indexer.rows import PageRow, page_rows
from indexer.seite import Cut, Seite
from indexer.sources import find_source
from indexer.trigrams import HEAD

SAMPLE = 5
"""Programmes that a quick check derives anew."""


def check_index(path: Path, *, every_page: bool = False) -> Iterator[str]:
    """Problems of the index at `path`, one text each; none if it is whole.

    Derives the pages of a few programmes anew, or `every_page`. Raises IndexUnusableError if it cannot be opened.
    """
    with PageIndex.open(path) as index:
        damaged = False
        for problem in _file_problems(path):
            damaged = True
            yield problem
        yield from _row_problems(index)
        if damaged:
            return  # whatever else is wrong follows from that
        programm_ids = sorted(key for key, programm in index.programme.items() if programm.seiten)
        step = 1 if every_page else max(1, len(programm_ids) // SAMPLE)
        for programm_id in programm_ids[::step]:
            yield from _page_problems(index, programm_id)


def check_pdfs(index: PageIndex, pdfs: Path) -> Iterator[str]:
    """Programmes whose PDF in the folder `pdfs` is no longer the one that the index was made from, one text each."""
    hashes = dict(index.query("SELECT programm_id, sha256 FROM programme"))
    for programm_id, programm in index.programme.items():
        source = find_source(pdfs, programm.datei)
        if source.reason is not None:
            yield f"{programm_id}: {source.reason}"
        elif source.sha256 != hashes[programm_id] and programm.status == "indexed":
            yield f"{programm_id}: the PDF has changed since it was indexed; run index build"


def _file_problems(path: Path) -> Iterator[str]:
    # FTS5 writes when it checks itself, and must not do so in the file that others read.
    with tempfile.TemporaryDirectory(prefix="quellentreu-check-") as folder:
        copy = Path(folder) / "index.db"
        try:
            shutil.copyfile(path, copy)
        except OSError as error:
            message = f"the index {path} could not be copied to {folder} to be checked there: {error.strerror}"
            raise IndexUnusableError(f"{message}; set TMPDIR to a folder with more space") from error
        with closing(sqlite3.connect(copy)) as connection:
            try:
                for (line,) in connection.execute("PRAGMA integrity_check"):
                    if line != "ok":
                        yield f"file: {line}"
            except sqlite3.DatabaseError as error:
                yield f"file: {error}"
                return
            for table in ("seiten_fts", "seiten_trigram"):
                try:
                    connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)")
                except sqlite3.DatabaseError as error:
                    yield f"{table}: does not agree with the pages ({error})"
            yield from _trigram_problems(connection)


def _trigram_problems(connection: sqlite3.Connection) -> Iterator[str]:
    try:
        connection.execute("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', 'seiten_trigram', 'row')")
        counted = set(connection.execute("SELECT term, doc FROM temp.vocabulary"))
        stored = set(connection.execute("SELECT trigram, pages FROM trigram_df"))
    except sqlite3.DatabaseError as error:
        yield f"seiten_trigram: cannot be read ({error})"
        return
    if counted != stored:
        yield f"trigram_df: {len(counted ^ stored)} counts are not those of seiten_trigram"


def _row_problems(index: PageIndex) -> Iterator[str]:
    for programm_id, wanted, found, last in index.query(
        "SELECT p.programm_id, p.seiten, count(s.seite), coalesce(max(s.seite), 0) FROM programme AS p"
        " LEFT JOIN seiten AS s USING (programm_id) GROUP BY 1"
    ):
        if not wanted == found == last:
            yield f"{programm_id}: should have {wanted} pages, has {found}, the last is number {last}"
    for (programm_id,) in index.query(
        "SELECT DISTINCT programm_id FROM seiten WHERE programm_id NOT IN (SELECT programm_id FROM programme)"
    ):
        yield f"{programm_id}: has pages, but is no programme of this index"


def _page_problems(index: PageIndex, programm_id: str) -> Iterator[str]:
    columns = ", ".join(PageRow._fields)
    query = f"SELECT {columns} FROM seiten WHERE programm_id = ? ORDER BY seite"
    stored = [PageRow(*row) for row in index.query(query, (programm_id,))]
    for row, derived in zip(stored, page_rows([_seite(row) for row in stored]), strict=True):
        wrong = [name for name in PageRow._fields if getattr(row, name) != getattr(derived, name)]
        if wrong:
            yield f"{programm_id}, page {row.seite}: {', '.join(wrong)} not as derived from its text"
        head = row.compact[: min(row.flow_end, HEAD)]
        if len(head) >= 3 and (programm_id, row.seite) not in index.candidate_places(head):
            yield f"{programm_id}, page {row.seite}: not found by its own words"


def _seite(row: PageRow) -> Seite:
    return Seite(
        seite=row.seite,
        text=row.text,
        cuts=tuple(Cut(start=start, end=end, kind=kind) for start, end, kind in json.loads(row.cuts)),
        seitenlabel=row.seitenlabel,
        no_text=row.no_text,
        ocr=bool(row.ocr),
    )
