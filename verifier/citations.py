"""The assessment database → its assessments, read-only and in one short read (SPEC §7)."""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path

from indexer.errors import AssessmentsError, UsageError
from verifier.verdict import Zitat
from verifier.walk import Assessment, Problem, zitate_in

LOCK_SECONDS = 5.0
_UNREADABLE = (sqlite3.Error, UnicodeDecodeError)  # the latter: a message of SQLite that quotes a damaged schema
_BUSY = (5, 6)  # SQLITE_BUSY, SQLITE_LOCKED
_MILLISECONDS_FROM = 1e11  # as seconds this would be the year 5138


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Where the assessments stand; the names are those of the options (`--table`, `--column-drucksache`, …)."""

    table: str = "assessments"
    column_drucksache: str = "drucksache"
    column_bundesland: str = "bundesland"
    column_scores: str = "wahlprogramm_scores"
    column_created_at: str = "created_at"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which assessments to take; everything by default.

    `latest`: the newest N of each Bundesland. `since`: ISO date or time, UTC where it names no zone.
    `drucksache`, `bundesland`: any of these; a Bundesland in any spelling.
    """

    latest: int | None = None
    since: str | None = None
    drucksache: tuple[str, ...] = ()
    bundesland: tuple[str, ...] = ()

    @property
    def by_date(self) -> bool:
        """Whether the column `created_at` is needed."""
        return self.latest is not None or self.since is not None


def read_citations(
    path: str | os.PathLike[str], table: Table | None = None, selection: Selection | None = None
) -> Iterator[Zitat | Problem]:
    """Yield every Zitat of the database, in the order of its rows, and a Problem for whatever could not be read.

    Raises AssessmentsError (file, table or column unusable, locked) and UsageError (`since` is no date) at the call.
    """
    return (item for row in read_assessments(path, table, selection) for item in zitate_in(row))


def read_assessments(
    path: str | os.PathLike[str], table: Table | None = None, selection: Selection | None = None
) -> list[Assessment]:
    """Return the chosen rows in table order; the database is closed again before the first of them is checked.

    Reads whole before checking, so that a writer is never held up for longer than the read. Errors: see
    `read_citations`.
    """
    table, selection = table or Table(), selection or Selection()
    since = None if selection.since is None else _moment(selection.since)
    if selection.since is not None and since is None:
        raise UsageError(f"--since {selection.since!r} is not a date: type one such as 2026-01-31")
    file = _usable_file(Path(path))
    chosen = _chooser(selection, since)
    try:
        if (rows := _read_at_rest(file, lambda db: chosen(_rows(db, table, selection.by_date, file)))) is not None:
            return rows
        with closing(_connect(file, "mode=ro")) as db:
            return chosen(_rows(db, table, selection.by_date, file))
    except _UNREADABLE as error:
        raise _explained(error, file) from error


def _usable_file(path: Path) -> Path:
    """Refuse early what SQLite would create, hang on (a pipe) or explain badly."""
    try:
        if not path.exists():
            raise AssessmentsError(f"{path}: there is no such file, so there is nothing to verify. Check the path.")
        if not path.is_file():
            raise AssessmentsError(f"{path}: this is not a file. Name the SQLite file with the assessments.")
        if path.stat().st_size == 0:
            raise AssessmentsError(f"{path}: an empty file, not a database. Check the path.")
        with path.open("rb") as file:
            head = file.read(16)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise AssessmentsError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if head != b"SQLite format 3\0":
        raise AssessmentsError(f"{path}: not a SQLite database. Name the SQLite file with the assessments.")
    return path.absolute()


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    db = sqlite3.connect(f"{path.as_uri()}?{mode}", uri=True, timeout=LOCK_SECONDS)
    db.execute("PRAGMA trusted_schema = OFF")  # a view in a file from elsewhere calls no function with side effects
    return db


def _read_at_rest(path: Path, read: Callable[[sqlite3.Connection], list[Assessment]]) -> list[Assessment] | None:
    """Read a WAL database that no app has open, or return None where another way must be taken.

    In `mode=ro` SQLite would leave `-wal` and `-shm` files beside it, and fail in a read-only folder. `immutable=1`
    does neither, and is right as long as nobody writes: which is looked at before and after.
    """
    before = _state(path)
    if before is None:
        return None
    with closing(_connect(path, "mode=ro&immutable=1")) as db:
        try:
            rows = read(db)
        except _UNREADABLE:
            if _state(path) == before:
                raise
            return None
    return rows if _state(path) == before else None


def _state(path: Path) -> tuple[int, int, int] | None:
    """What changes when someone writes to a WAL database; None if it is none or has a filled log."""
    with path.open("rb") as file:
        head = file.read(100)
        stat = os.fstat(file.fileno())
    log = Path(f"{path}-wal")
    if head[18:20] != b"\x02\x02" or (log.exists() and log.stat().st_size):
        return None
    return stat.st_ino, stat.st_size, stat.st_mtime_ns


def _explained(error: Exception, path: Path) -> AssessmentsError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in _BUSY:
        return AssessmentsError(
            f"{path}: locked by another program for more than {LOCK_SECONDS:g} seconds ({error}). "
            "Nothing was checked; try again when it has finished writing."
        )
    if Path(f"{path}-wal").exists() and not os.access(path.parent, os.W_OK):
        return AssessmentsError(
            f"{path}: has unsaved changes in its -wal file, and the folder is read-only ({error}). "
            "Copy the database and its -wal file to a folder that can be written, and name the copy."
        )
    return AssessmentsError(f"{path}: SQLite cannot read it: {error}. Check it with: sqlite3 FILE 'PRAGMA quick_check'")


def _rows(
    db: sqlite3.Connection, table: Table, by_date: bool, path: Path
) -> Iterator[tuple[object, object, object, object, object]]:
    """Yield (key, drucksache, bundesland, scores, created_at) as stored, texts as bytes."""
    name, is_view = _table(db, table.table, path)
    columns = {
        str(n).lower(): (str(n), pk) for n, pk in db.execute("SELECT name, pk FROM pragma_table_xinfo(?)", (name,))
    }
    wanted = []
    for field in fields(Table)[1:]:
        column: str = getattr(table, field.name)
        if field.name == "column_created_at" and not by_date:
            wanted.append("NULL")
        elif column.lower() in columns:
            wanted.append(_quoted(columns[column.lower()][0]))
        else:
            option = "--" + field.name.replace("_", "-")
            there = ", ".join(n for n, _ in columns.values())
            raise AssessmentsError(
                f"{path}: table {name} has no column {column!r}. It has: {there}. Choose with {option}."
            )
    key, order = _key(columns, is_view)
    db.text_factory = bytes  # one undecodable text must not end the iteration
    yield from db.execute(f"SELECT {key}, {', '.join(wanted)} FROM {_quoted(name)}{order}")


def _table(db: sqlite3.Connection, wanted: str, path: Path) -> tuple[str, bool]:
    tables = db.execute("SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name").fetchall()
    for name, kind in tables:
        if name.lower() == wanted.lower():
            return name, kind == "view"
    there = ", ".join(name for name, _ in tables) or "none"
    raise AssessmentsError(f"{path}: has no table {wanted!r}. Its tables: {there}. Choose with --table.")


def _key(columns: dict[str, tuple[str, int]], is_view: bool) -> tuple[str, str]:
    """The SQL for a row's identity (primary key, else rowid; a view has neither) and its order."""
    primary = [_quoted(name) for name, pk in sorted(columns.values(), key=lambda c: c[1]) if pk]
    rowid = next((r for r in ("rowid", "oid", "_rowid_") if r not in columns), None)
    if len(primary) == 1:
        return primary[0], ""
    if primary:
        return " || ', ' || ".join(f"quote({column})" for column in primary), ""
    return ("NULL", "") if is_view or rowid is None else (rowid, f" ORDER BY {rowid}")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _chooser(selection: Selection, since: float | None) -> Callable[[Iterable[tuple[object, ...]]], list[Assessment]]:
    """Return what turns stored rows into the chosen assessments."""
    land = _land if selection.bundesland or selection.latest is not None else str
    lands = {land(b) for b in selection.bundesland}

    def chosen(rows: Iterable[tuple[object, ...]]) -> list[Assessment]:
        taken: list[tuple[float, int, Assessment]] = []
        for key, drucksache, bundesland, scores, created_at in rows:
            row = Assessment(
                key=_plain(key),
                drucksache=_text(drucksache) or "",
                bundesland=_text(bundesland),
                scores=scores if isinstance(scores, bytes | int | float) else None,
            )
            if selection.drucksache and row.drucksache not in selection.drucksache:
                continue
            if lands and land(row.bundesland or "") not in lands:
                continue
            moment = _moment(_text(created_at) or "") if selection.by_date else None
            if since is not None and moment is not None and moment < since:
                continue  # a row without a readable date is taken: it may be new
            taken.append((float("-inf") if moment is None else moment, len(taken), row))
        if selection.latest is not None:
            taken = _newest(taken, selection.latest, land)
        return [row for _, _, row in taken]

    return chosen


def _newest(
    rows: list[tuple[float, int, Assessment]], latest: int, land: Callable[[str], str]
) -> list[tuple[float, int, Assessment]]:
    groups: dict[str, list[tuple[float, int, Assessment]]] = {}
    for row in rows:
        groups.setdefault(land(row[2].bundesland or ""), []).append(row)
    newest = [row for group in groups.values() for row in sorted(group, key=lambda r: r[:2], reverse=True)[:latest]]
    return sorted(newest, key=lambda r: r[1])


def _land(spelling: str) -> str:
    """One name per Bundesland, whatever its spelling; an unknown one is a group of its own."""
    from indexer.aliases import canonical_bundesland  # noqa: PLC0415 (reads all spellings: only where it is needed)

    return canonical_bundesland(spelling) or spelling.strip().lower()


def _plain(value: object) -> str | int | None:
    return value if isinstance(value, int) else _text(value)


def _text(value: object) -> str | None:
    """A stored value as text; bytes that are no UTF-8 are shown as `\\xNN`, never dropped."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return None if value is None else str(value)


def _moment(value: str) -> float | None:
    """Seconds since 1970 of an ISO date or of a Unix time stamp; None if it is neither."""
    try:
        number = float(value)
    except ValueError:
        try:
            moment = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    return number / 1000 if number > _MILLISECONDS_FROM else number
