"""Write side of the index: the rows of a programme in and out, both search tables with them."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from sqlite_utils import Database

from indexer.rows import PageRow, trigram_texts
from indexer.schema import APPLICATION_ID, PAGE_SIZE, TABLES, VIEWS

INSERT_PAGE = "INSERT INTO seiten VALUES (" + ", ".join("?" * (2 + len(PageRow._fields))) + ")"
SLACK = 4
"""The file is packed anew when more than one page in so many is empty."""


def open_draft(path: Path, old: Path | None) -> Database:
    """The database in the empty file `path`: a copy of the index `old` as it is at this moment, or a new one.

    Raises sqlite3.DatabaseError if `old` is damaged.
    """
    db = _opened(path)
    if old is None:
        db.executescript(f"PRAGMA page_size = {PAGE_SIZE}; PRAGMA application_id = {APPLICATION_ID}; {TABLES} {VIEWS}")
        return db
    with closing(sqlite3.connect(f"{old.absolute().as_uri()}?mode=ro", uri=True)) as source:
        source.backup(db.conn)
    db.execute("PRAGMA journal_mode = MEMORY")  # the copy brings the mode of the old file along
    return db


def _opened(path: Path) -> Database:
    # Plugins of sqlite-utils may change what we write; an index must not depend on what else is installed.
    db = Database(path, execute_plugins=False)
    # The draft is thrown away if anything goes wrong: it needs to be rolled back, but never to survive a crash.
    db.execute("PRAGMA journal_mode = MEMORY")
    db.execute("PRAGMA synchronous = OFF")
    return db


def drop_pages(db: Database, programm_id: str) -> int:
    """Take all pages of a programme out of the index and both search tables; the number of pages.

    FTS5 has to be told the very text that went in.
    """
    rows = db.execute(
        "SELECT zeile, strict, compact, flow_end FROM seiten WHERE programm_id = ? ORDER BY seite", [programm_id]
    ).fetchall()
    texts = trigram_texts([(compact, flow_end) for _, _, compact, flow_end in rows])
    db.conn.executemany(
        "INSERT INTO seiten_fts (seiten_fts, rowid, strict) VALUES ('delete', ?, ?)",
        [(zeile, strict) for zeile, strict, _, _ in rows],
    )
    db.conn.executemany(
        "INSERT INTO seiten_trigram (seiten_trigram, rowid, text) VALUES ('delete', ?, ?)",
        [(row[0], text) for row, text in zip(rows, texts, strict=True)],
    )
    db.execute("DELETE FROM seiten WHERE programm_id = ?", [programm_id])
    return len(rows)


def add_pages(db: Database, programm_id: str, pages: Sequence[PageRow]) -> None:
    """Put the pages of a programme (which has none yet) into the index and both search tables."""
    (last,) = db.execute("SELECT coalesce(max(zeile), 0) FROM seiten").fetchone()
    numbered = list(enumerate(pages, start=last + 1))
    texts = trigram_texts([(page.compact, page.flow_end) for page in pages])
    db.conn.executemany(INSERT_PAGE, [(zeile, programm_id, *page) for zeile, page in numbered])
    db.conn.executemany(
        "INSERT INTO seiten_fts (rowid, strict) VALUES (?, ?)", [(zeile, page.strict) for zeile, page in numbered]
    )
    db.conn.executemany(
        "INSERT INTO seiten_trigram (rowid, text) VALUES (?, ?)",
        [(zeile, text) for (zeile, _), text in zip(numbered, texts, strict=True)],
    )


def put_programme(db: Database, rows: Iterable[Mapping[str, object]], removed: Iterable[str]) -> None:
    """Insert or replace rows of `programme`, and delete those of the programmes `removed`."""
    table = db.table("programme")
    table.upsert_all((dict(row) for row in rows), pk="programm_id")
    for programm_id in removed:
        table.delete(programm_id)


def put_meta(db: Database, meta: Mapping[str, str]) -> None:
    """Replace everything in `meta`."""
    db.execute("DELETE FROM meta")
    db.table("meta").insert_all({"key": key, "value": value} for key, value in sorted(meta.items()))


def count_trigrams(db: Database) -> None:
    """Fill `trigram_df` from the trigram table, which knows it exactly but needs 0.1 s for an answer."""
    db.execute("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', 'seiten_trigram', 'row')")
    db.execute("DELETE FROM trigram_df")
    db.execute("INSERT INTO trigram_df SELECT term, doc FROM temp.vocabulary ORDER BY term")
    db.execute("DROP TABLE temp.vocabulary")


def merge_search_tables(db: Database) -> None:
    """Bring each search table into one piece: smaller, faster, and the same whatever order it grew in."""
    for table in ("seiten_fts", "seiten_trigram"):
        db.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")


def finish(db: Database) -> None:
    """Leave one plain file, without many empty pages in it or anything beside it; not inside a transaction."""
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    (empty,) = db.execute("PRAGMA freelist_count").fetchone()
    if empty * SLACK > pages:
        db.execute("VACUUM")
    db.execute("PRAGMA journal_mode = DELETE")
