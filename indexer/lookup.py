"""Read side of the index: standard library only, read-only, a keyed look-up per page (SPEC §3, §4)."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from indexer.errors import IndexUnusableError
from indexer.index_file import UNREADABLE, connect, damaged, file_id, fits, require_index
from indexer.programm import Programm
from indexer.schema import NORMALIZER_VERSION, SCHEMA_VERSION
from indexer.seite import Cut
from indexer.trigrams import RAREST_WITHIN, Trigrams

SQLITE_NEEDED = (3, 34, 0)
"""First SQLite with the trigram tokenizer."""

LABELS_KEPT = 256
"""Programmes whose printed page numbers are kept in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedProgramm(Programm):
    """A programme as the index holds it: `seiten` pages; `status` is `indexed`, `stale`, `failed` or `missing`.

    `reason` says why it is not `indexed`, `hints` what a reader should know about its PDF.
    """

    seiten: int
    status: str
    reason: str | None
    hints: tuple[str, ...]


class Page(NamedTuple):
    """One page with its stored forms (see `indexer.forms.PageForms`); `seite` is the 1-based PDF position.

    `ocr` is 1 where the text was recognised from a picture.
    """

    programm_id: str
    seite: int
    seitenlabel: str | None
    no_text: str | None
    ocr: int
    flow_end: int
    boundaries: bytes
    compact: str
    strict: str


_OF_PAGE = ", ".join(f"s.{name}" for name in Page._fields)
_SEARCHED = "FROM seiten_trigram AS t JOIN seiten AS s ON s.zeile = t.rowid WHERE seiten_trigram MATCH ?"


class PageIndex:
    """An open index. Raises IndexUnusableError, never an empty result, if the file fails it.

    One PageIndex may be used from several threads if `sqlite3.threadsafety` is 3 (the SQLite of every usual Python);
    the queries then wait for each other. One PageIndex per thread is faster, and works everywhere.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self.file_id = file_id(path)
        self._labels: dict[str, dict[str, list[int]]] = {}
        self._zeilen: dict[str, tuple[int, int]] = {}
        self.meta: Mapping[str, str] = MappingProxyType(dict(self.query("SELECT key, value FROM meta")))
        self._require_version()
        self._trigrams = Trigrams(self.query, path)
        self._trigrams.require_whole()
        rows = self.query("SELECT * FROM programme", dicts=True)
        try:
            programme = {row["programm_id"]: _programm(row) for row in rows}
        except (IndexError, TypeError, ValueError) as error:
            raise damaged(path, f"its list of programmes: {error}") from error
        self.programme: Mapping[str, IndexedProgramm] = MappingProxyType(programme)

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """The index at `path`, read-only; reads the list of programmes, no pages.

        Raises IndexUnusableError with what to type if the file is missing, damaged, not an index or of another
        version, or if this Python's SQLite is too old.
        """
        path = Path(path)
        if sqlite3.sqlite_version_info < SQLITE_NEEDED:
            needed = ".".join(map(str, SQLITE_NEEDED[:2]))
            raise IndexUnusableError(f"SQLite {needed} or newer is needed, this Python has {sqlite3.sqlite_version}")
        require_index(path)
        connection = None
        try:
            connection = connect(path)
            return cls(connection, path)
        except (*UNREADABLE, IndexUnusableError) as error:
            if connection is not None:
                connection.close()
            if isinstance(error, IndexUnusableError):
                raise
            raise damaged(path, error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def page(self, programm_id: str, seite: int) -> Page | None:
        """The page at the 1-based PDF position `seite`, or None if the programme has no such page."""
        row = self._row(_OF_PAGE, programm_id, seite)
        if row is None:
            if programm_id in self.programme and seite in range(1, self.programme[programm_id].seiten + 1):
                raise damaged(self._path, f"page {seite} of {programm_id} is missing")
            return None
        return self._page(row)

    def _page(self, row: tuple[Any, ...]) -> Page:
        page = Page._make(row)
        whole = isinstance(page.compact, str) and isinstance(page.strict, str)
        if not (whole and fits(page.compact, page.boundaries, page.flow_end)):
            raise damaged(self._path, f"page {page.seite} of {page.programm_id} is not whole")
        return page

    def raw(self, programm_id: str, seite: int) -> tuple[str, tuple[Cut, ...]] | None:
        """The source's own characters of a page and the ranges that are not running text, or None for no such page."""
        row = self._row("text, cuts", programm_id, seite)
        if row is None:
            return None
        text, cuts = row
        try:
            found = tuple(Cut(start=start, end=end, kind=kind) for start, end, kind in json.loads(cuts))
        except (TypeError, ValueError) as error:
            raise damaged(self._path, f"page {seite} of {programm_id}: {error}") from error
        if not isinstance(text, str):
            raise damaged(self._path, f"page {seite} of {programm_id} has no text")
        return text, found

    def seiten_with_label(self, programm_id: str, label: str) -> list[int]:
        """PDF positions of the pages that print `label`; `"100/101"` (two printed pages on one) prints both."""
        labels = self._labels.get(programm_id)
        if labels is None:
            labels = {}
            for seite, printed in self.query(
                "SELECT seite, seitenlabel FROM seiten"
                " WHERE programm_id = ? AND seitenlabel IS NOT NULL ORDER BY seite",
                (programm_id,),
            ):
                for part in dict.fromkeys((printed, *str(printed).split("/"))):
                    labels.setdefault(part, []).append(seite)
            if len(self._labels) >= LABELS_KEPT:
                self._labels.clear()
            self._labels[programm_id] = labels
        return list(labels.get(label, ()))

    def candidates(self, compact: str) -> Iterator[Page]:
        """Every page on which a quotation of this compact form can begin, in the order of the rows.

        A superset of the true places, those at the end of a page that run on over the next included; the caller has to
        look. Raises ValueError for fewer than 3 characters, which trigrams cannot find; as all errors, with the first
        page.
        """
        if expression := self._trigrams.expression(compact):
            for row in self._rows(f"SELECT {_OF_PAGE} {_SEARCHED} ORDER BY t.rowid", (expression,)):
                yield self._page(row)

    def candidate_places(self, compact: str) -> list[tuple[str, int]]:
        """(`programm_id`, `seite`) of all `candidates`, for who needs few of the pages. Raises as above."""
        expression = self._trigrams.expression(compact)
        if not expression:
            return []
        return self.query(f"SELECT s.programm_id, s.seite {_SEARCHED} ORDER BY t.rowid", (expression,))

    def pages_with(self, compact: str, programm_ids: Iterable[str]) -> list[tuple[str, int]]:
        """(`programm_id`, `seite`) of the pages of these programmes that hold this compact form. Raises as above."""
        expression = self._trigrams.expression(compact, RAREST_WITHIN)
        found = []
        for programm_id in programm_ids if expression else ():
            first, last = self._zeilen_of(programm_id)
            found += self.query(
                f"SELECT s.programm_id, s.seite {_SEARCHED}"
                " AND t.rowid BETWEEN ? AND ? AND s.programm_id = ? AND instr(s.compact, ?)",
                (expression, first, last, programm_id, compact),
            )
        return found

    def _zeilen_of(self, programm_id: str) -> tuple[int, int]:
        """The range of rows in which the pages of a programme lie; empty if it has none."""
        zeilen = self._zeilen.get(programm_id)
        if zeilen is None:
            found = self.query(
                "SELECT coalesce(min(zeile), 1), coalesce(max(zeile), 0) FROM seiten WHERE programm_id = ?",
                (programm_id,),
            )
            zeilen = self._zeilen[programm_id] = found[0]
        return zeilen

    def _row(self, columns: str, programm_id: str, seite: int) -> Any:
        try:
            rows = self.query(
                f"SELECT {columns} FROM seiten AS s WHERE programm_id = ? AND seite = ?", (programm_id, seite)
            )
        except (OverflowError, UnicodeEncodeError):
            return None  # 10^20 or a lone surrogate: SQLite cannot hold such a key, nor even be asked for it
        return rows[0] if rows else None

    def query(self, sql: str, values: Sequence[object] = (), *, dicts: bool = False) -> list[Any]:
        """All rows of an SQL query, as tuples or with `dicts` by column name.

        Raises IndexUnusableError if the engine fails: an error is never "nothing found".
        """
        try:
            cursor = self._connection.execute(sql, values)
            if dicts:
                cursor.row_factory = sqlite3.Row
            return cursor.fetchall()
        except UNREADABLE as error:
            raise damaged(self._path, error) from error

    def _rows(self, sql: str, values: Sequence[object]) -> Iterator[tuple[Any, ...]]:
        """The rows of a query that may have very many, one at a time; raises as `query` does."""
        try:
            yield from self._connection.execute(sql, values)
        except UNREADABLE as error:
            raise damaged(self._path, error) from error

    def _require_version(self) -> None:
        for key, version in (("schema_version", SCHEMA_VERSION), ("normalizer_version", NORMALIZER_VERSION)):
            if self.meta.get(key) != str(version):
                found = f"{key.replace('_', ' ')} {self.meta.get(key)}"
                message = f"the index {self._path} has {found}, this program needs {version}"
                raise IndexUnusableError(f"{message}; run: index build --db {self._path}")


_TEXTS = ("programm_id", "name", "partei", "bundesland", "typ", "datei", "werk", "fassung", "status")
_PROGRAMM_FIELDS = tuple(field.name for field in fields(IndexedProgramm))


def _programm(row: sqlite3.Row) -> IndexedProgramm:
    values = {name: row[name] for name in _PROGRAMM_FIELDS}
    if not all(isinstance(values[name], str if name in _TEXTS else int) for name in (*_TEXTS, "jahr", "seiten")):
        raise TypeError(f"{values['programm_id']!r} has a field that is none")
    values["aliases"] = tuple(json.loads(row["aliases"]))
    values["hints"] = tuple(json.loads(row["hints"]))
    return IndexedProgramm(**values)
