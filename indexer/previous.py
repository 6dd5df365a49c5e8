"""What the index on the disk already holds, as far as a new build may use it."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from indexer.entry import Row
from indexer.errors import IndexUnusableError, UsageError
from indexer.schema import NORMALIZER_VERSION, SCHEMA_VERSION, is_index
from indexer.seite import OCR_LEAVES

_OCR_CONCERNS = "SELECT DISTINCT programm_id FROM seiten WHERE ocr OR no_text NOT IN (?, ?)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Previous:
    """Rows of `programme` and `meta` of the index from before; both empty if a build has to start from nothing.

    `ocr_concerns`: the programmes of which `indexer.rows.ocr_concerns` a page. `rebuild` says why, if there is an index
    that cannot be used any more.
    """

    programme: Mapping[str, Row] = field(default_factory=dict)
    meta: Mapping[str, str] = field(default_factory=dict)
    ocr_concerns: frozenset[str] = frozenset()
    rebuild: str | None = None

    @property
    def usable(self) -> bool:
        """Whether there is an index that a build can go on with."""
        return bool(self.meta)


def read_previous(db: Path) -> Previous:
    """The index at `db`, if there is one. Raises UsageError if the file there is not ours to replace."""
    header = _header(db)
    if not header:
        return Previous()
    if not is_index(header):
        raise UsageError(f"{db} is not an index of quellentreu and will not be replaced; name another file with --db")
    try:
        return _read(db)
    except sqlite3.OperationalError as error:
        raise IndexUnusableError(f"the index {db} cannot be read ({error}); it stays as it is") from error
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # the latter: a message that quotes a damaged schema
        return Previous(rebuild=f"it was damaged ({error})")


def _header(db: Path) -> bytes:
    try:
        with db.open("rb") as file:
            return file.read(100)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise UsageError(f"{db} cannot be read: {error.strerror}; name another file with --db") from error


def _read(db: Path) -> Previous:
    connection = sqlite3.connect(f"{db.absolute().as_uri()}?mode=ro", uri=True)
    try:
        connection.row_factory = sqlite3.Row
        if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").fetchone():
            return Previous(rebuild="it was damaged (no table meta)")
        meta = {str(key): str(value) for key, value in connection.execute("SELECT key, value FROM meta")}
        for key, version in (("schema_version", SCHEMA_VERSION), ("normalizer_version", NORMALIZER_VERSION)):
            if meta.get(key) != str(version):
                return Previous(rebuild=f"its {key.replace('_', ' ')} is {meta.get(key)}, now {version}")
        rows = [dict(row) for row in connection.execute("SELECT * FROM programme")]
        concerned = [row[0] for row in connection.execute(_OCR_CONCERNS, OCR_LEAVES)]
    finally:
        connection.close()
    programme = {str(row["programm_id"]): row for row in rows}
    return Previous(programme=programme, meta=meta, ocr_concerns=frozenset(concerned))
