"""Runs kept in a SQLite file of ours, and what got worse or better from one to the next.

Version history of the file (`user_version`):
1  first release
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from indexer.errors import UsageError
from verifier.run import Result
from verifier.verdict import Outcome

APPLICATION_ID = 0x71747275
"""Marks the file as ours ("qtru") in its header: a run is never written into another program's database."""

VERSION = 1
_RANK = {Outcome.PASS: 0, Outcome.WARN: 1, Outcome.UNCHECKED: 1, Outcome.FAIL: 2}
_WAIT_SECONDS = 5.0

_SCHEMA = """
-- One row per `verify run --save`.
CREATE TABLE laeufe (
    lauf      INTEGER PRIMARY KEY,
    zeit      TEXT NOT NULL,      -- UTC, ISO
    datei     TEXT NOT NULL,      -- the assessment database, as it was named
    zitate    INTEGER NOT NULL,
    passed    INTEGER NOT NULL, warned INTEGER NOT NULL, failed INTEGER NOT NULL, unchecked INTEGER NOT NULL,
    unlesbar  INTEGER NOT NULL    -- places in the database that could not be read
);

-- One row per Befund of a run.
CREATE TABLE befunde (
    lauf INTEGER NOT NULL REFERENCES laeufe (lauf), nummer INTEGER NOT NULL,
    drucksache TEXT, pfad TEXT, assessment, bundesland TEXT, fraktion TEXT, text TEXT, quelle TEXT, url TEXT,
    verdict TEXT NOT NULL, outcome TEXT NOT NULL, programm_id TEXT, seite INTEGER, found_total INTEGER, message TEXT,
    PRIMARY KEY (lauf, nummer)
) WITHOUT ROWID;

-- For people with SQL: the findings of the newest run.
CREATE VIEW befunde_lesbar AS
SELECT l.zeit, b.* FROM befunde AS b JOIN laeufe AS l USING (lauf)
WHERE b.lauf = (SELECT max(lauf) FROM laeufe) AND b.outcome <> 'pass'
ORDER BY b.nummer;
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lauf:
    """One saved run; `zeit` in UTC. The counts are those of its Befunde by outcome."""

    lauf: int
    zeit: str
    datei: str
    zitate: int
    passed: int
    warned: int
    failed: int
    unchecked: int
    unlesbar: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What became of one citation between two runs. `kind`: worse, better, changed, new or gone."""

    kind: str
    drucksache: str
    pfad: str
    quelle: str
    before: str | None
    after: str | None


def check_file(path: Path) -> None:
    """Raise UsageError unless `path` is free or holds runs of ours; called before a run, which must not be lost."""
    if path.exists() and not path.is_file():
        raise UsageError(f"{path}: this is not a file. Name a file for the saved runs.")
    if path.exists() and path.stat().st_size:
        with _opened(path, "ro"):
            return
    if not path.parent.is_dir():
        raise UsageError(f"{path}: the folder {path.parent} does not exist. Make it, or name another.")


def save(path: Path, result: Result, datei: str, now: datetime | None = None) -> int:
    """Add a run to the file, which is made if it is not there; return its number. Raises UsageError with the reason."""
    outcomes = result.summary.outcomes
    zeit = (now or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="seconds")
    with _opened(path, "rwc") as db, db:
        db.execute("BEGIN IMMEDIATE")
        if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            _create(db)
        counts = [outcomes[o] for o in (Outcome.PASS, Outcome.WARN, Outcome.FAIL, Outcome.UNCHECKED)]
        row = (zeit, _storable(datei), result.summary.total, *counts, result.summary.lost)
        lauf = db.execute("INSERT INTO laeufe VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)", row).lastrowid
        db.executemany(f"INSERT INTO befunde VALUES ({', '.join('?' * 16)})", _rows(lauf or 0, result))
    return lauf or 0


def _create(db: sqlite3.Connection) -> None:
    for statement in _SCHEMA.split(";\n"):
        if statement.strip():
            db.execute(statement)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {VERSION}")


def _rows(lauf: int, result: Result) -> Iterator[tuple[object, ...]]:
    for nummer, befund in enumerate(result.befunde):
        z = befund.zitat
        values = (z.drucksache, z.pfad, z.assessment, z.bundesland, z.fraktion, z.text, z.quelle, z.url)
        more = (befund.verdict, befund.outcome, befund.programm_id, befund.seite, befund.found_total, befund.message)
        yield (lauf, nummer, *map(_storable, (*values, *more)))


def _storable(value: object) -> object:
    """SQLite refuses half surrogates; they are kept as their code."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


@contextmanager
def _opened(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    try:
        uri = f"{path.absolute().as_uri()}?mode={mode}"
        with closing(sqlite3.connect(uri, uri=True, timeout=_WAIT_SECONDS, isolation_level=None)) as db:
            ours = db.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if not ours and (mode == "ro" or db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]):
                raise UsageError(f"{path}: holds no runs of `verify run --save`, and nothing is written to it")
            if ours and version != VERSION:
                raise UsageError(f"{path}: has version {version}, this program needs {VERSION}; name a new file")
            yield db
    except (sqlite3.Error, OSError, ValueError) as error:
        raise UsageError(f"{path}: the file of saved runs cannot be used: {error}") from error


def laeufe(path: Path) -> list[Lauf]:
    """All saved runs, oldest first. Raises UsageError if there is no such file, or none of ours."""
    if not path.is_file():
        raise UsageError(f"{path}: there is no such file; `verify run DB --save {path}` makes it")
    with _opened(path, "ro") as db:
        return [
            Lauf(**dict(zip(Lauf.__dataclass_fields__, row, strict=True)))
            for row in db.execute("SELECT * FROM laeufe ORDER BY lauf")
        ]


def steps(path: Path, before: int, after: int) -> list[Step]:
    """What differs between two runs, worse first. A citation is the same if motion, path, text and quelle are."""
    with _opened(path, "ro") as db:
        old, new = (_verdicts(db, lauf) for lauf in (before, after))
    return sorted(_steps(old, new), key=lambda step: (_ORDER.index(step.kind), step.drucksache, step.pfad))


Citation = tuple[str, str, str, str, int]
_ORDER = ("worse", "new", "changed", "better", "gone")


def _verdicts(db: sqlite3.Connection, lauf: int) -> dict[Citation, tuple[str, str]]:
    """(verdict, outcome) of each citation of a run; equal ones are told apart by counting."""
    seen: dict[tuple[str, str, str, str], int] = {}
    verdicts = {}
    rows: Iterable[tuple[str, ...]] = db.execute(
        "SELECT drucksache, pfad, text, quelle, verdict, outcome FROM befunde WHERE lauf = ? ORDER BY nummer", (lauf,)
    )
    for drucksache, pfad, text, quelle, verdict, outcome in rows:
        key = (drucksache, pfad, text, quelle)
        seen[key] = seen.get(key, 0) + 1
        verdicts[(*key, seen[key])] = (verdict, outcome)
    return verdicts


def _steps(old: dict[Citation, tuple[str, str]], new: dict[Citation, tuple[str, str]]) -> Iterator[Step]:
    for key in old.keys() | new.keys():
        before, after = old.get(key), new.get(key)
        if before == after:
            continue
        if before is None or after is None:
            kind = "gone" if after is None else "new"
        else:
            change = _RANK[Outcome(after[1])] - _RANK[Outcome(before[1])]
            kind = "worse" if change > 0 else "better" if change < 0 else "changed"
        verdicts = {"before": before[0] if before else None, "after": after[0] if after else None}
        yield Step(kind=kind, drucksache=key[0], pfad=key[1], quelle=key[3], **verdicts)
