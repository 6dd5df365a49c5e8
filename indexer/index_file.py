"""Opens the file of an index: read-only, on read-only media as well, refused early if it is none (SPEC §4)."""

import sqlite3
from pathlib import Path

from indexer.errors import IndexUnusableError
from indexer.schema import is_index

_CANNOT_WRITE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""What reading a damaged file raises; the latter where SQLite quotes a damaged schema in its message."""


FileId = tuple[int, int, int, int]
"""Tells one file from another that took its name: device, inode, size, time of its last change."""


def file_id(path: Path) -> FileId:
    """Which file now has this name. Raises OSError if there is none."""
    stat = path.stat()
    return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns


def connect(path: Path) -> sqlite3.Connection:
    """An open connection to the index at `path`, read-only. Raises sqlite3.Error."""
    try:
        return _connected(path, "mode=ro")
    except sqlite3.OperationalError as error:
        # In write-ahead mode (somebody switched it on) SQLite must write beside the file, even to read it. Where it
        # cannot, nobody else can either: the file may be read as it is, unless a log holds what is not in it yet.
        log = path.with_name(path.name + "-wal")
        if error.sqlite_errorcode & 0xFF not in _CANNOT_WRITE or (log.exists() and log.stat().st_size):
            raise
    return _connected(path, "mode=ro&immutable=1")


def _connected(path: Path, parameters: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?{parameters}"
    connection = sqlite3.connect(uri, uri=True, check_same_thread=sqlite3.threadsafety < 3, isolation_level=None)
    try:
        connection.execute("SELECT 1 FROM meta LIMIT 1").fetchall()
    except UNREADABLE:
        connection.close()
        raise
    return connection


def require_index(path: Path) -> None:
    """Raise IndexUnusableError if the file at `path` cannot be an index, told by its first bytes."""
    if path.is_dir():
        raise IndexUnusableError(f"{path} is a folder, not an index; name the file, usually data/index.db")
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except FileNotFoundError as error:
        raise IndexUnusableError(f"there is no index at {path}; run: index build --db {path}") from error
    except OSError as error:
        raise IndexUnusableError(f"the index {path} cannot be read: {error.strerror}") from error
    if not header:
        raise IndexUnusableError(f"the index {path} is empty; run: index build --db {path}")
    if not is_index(header):
        raise IndexUnusableError(f"{path} is not an index of quellentreu; name the file that `index build` wrote")


def damaged(path: Path, error: Exception | str) -> IndexUnusableError:
    """The error to raise for an index that cannot be read because of `error`."""
    return IndexUnusableError(
        f"the index {path} cannot be read ({error}), so nothing can be said about any quotation; run: index check --db"
        f" {path}, and if it is damaged delete the file and run: index build --db {path}"
    )


def fits(compact: str, boundaries: object, flow_end: object) -> bool:
    """Whether the stored forms of a page can belong together: a file may be damaged where SQLite does not notice."""
    if not (isinstance(boundaries, bytes) and isinstance(flow_end, int)):
        return False
    return 0 <= flow_end <= len(compact) and len(boundaries) == len(compact) // 8 + 1
