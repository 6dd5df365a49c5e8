"""Read side of the index: standard library only, read-only, a keyed look-up per page (SPEC §3, §4)."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

from indexer.errors import IndexUnusableError
from indexer.forms import BARRIER
from indexer.index_file import UNREADABLE, connect, damaged, fits, require_index
from indexer.normalize import NORMALIZER_VERSION
from indexer.programm import Programm
from indexer.schema import SCHEMA_VERSION
from indexer.seite import Cut

SQLITE_NEEDED = (3, 34, 0)
"""First SQLite with the trigram tokenizer."""

HEAD = 200
"""Characters of a quotation that are looked for: each page's entry reaches further than that into the next page."""

RAREST = 4
"""Trigrams that are joined by AND. Fewer leave more pages to be looked at, more cost more than they save."""

STEP = 2
"""Every which trigram is counted: all of them would cost half as much again and save few pages."""

LARGE = 20_000
"""Pages from which on it pays to count every trigram and to join more: each page saved costs as much as ten counts."""

RAREST_OF_LARGE = 5

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page with its stored forms (see `indexer.forms.PageForms`); `seite` is the 1-based PDF position."""

    programm_id: str
    seite: int
    seitenlabel: str | None
    no_text: str | None
    ocr: bool
    flow_end: int
    boundaries: bytes
    compact: str
    strict: str


class PageIndex:
    """An open index. Raises IndexUnusableError, never an empty result, if the file fails it.

    One PageIndex may be used from several threads if `sqlite3.threadsafety` is 3 (the SQLite of every usual Python);
    the queries then wait for each other. One PageIndex per thread is faster, and works everywhere.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._labels: dict[str, dict[str, list[int]]] = {}
        self._zeilen: dict[str, tuple[int, int]] = {}
        self.meta: Mapping[str, str] = MappingProxyType(dict(self.query("SELECT key, value FROM meta")))
        self._require_version()
        self._require_search()
        rows = self.query("SELECT * FROM programme", dicts=True)
        try:
            programme = {row["programm_id"]: _programm(row) for row in rows}
        except (IndexError, TypeError, ValueError) as error:
            raise damaged(path, f"its list of programmes: {error}") from error
        self.programme: Mapping[str, IndexedProgramm] = MappingProxyType(programme)
        self._is_large = sum(programm.seiten for programm in programme.values()) >= LARGE

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
        row = self._row("seitenlabel, no_text, ocr, flow_end, boundaries, compact, strict", programm_id, seite)
        if row is None:
            if programm_id in self.programme and seite in range(1, self.programme[programm_id].seiten + 1):
                raise damaged(self._path, f"page {seite} of {programm_id} is missing")
            return None
        seitenlabel, no_text, ocr, flow_end, boundaries, compact, strict = row
        if not (isinstance(compact, str) and isinstance(strict, str) and fits(compact, boundaries, flow_end)):
            raise damaged(self._path, f"page {seite} of {programm_id} is not whole")
        return Page(
            programm_id=programm_id,
            seite=seite,
            seitenlabel=seitenlabel,
            no_text=no_text,
            ocr=bool(ocr),
            flow_end=flow_end,
            boundaries=boundaries,
            compact=compact,
            strict=strict,
        )

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

    def candidates(self, compact: str) -> list[tuple[str, int]]:
        """(`programm_id`, `seite`) of every page on which a quotation of this compact form can begin.

        A superset of the true places, those at the end of a page that run on over the next included; the caller has to
        look. Raises ValueError for fewer than 3 characters, which trigrams cannot find.
        """
        rarest = self._rarest_trigrams(compact[:HEAD])
        if not rarest:
            return []
        query = " AND ".join(map(_quoted, rarest))
        return self.query(
            "SELECT s.programm_id, s.seite FROM seiten_trigram AS t JOIN seiten AS s ON s.zeile = t.rowid"
            " WHERE seiten_trigram MATCH ? ORDER BY t.rowid",
            (query,),
        )

    def candidates_among(self, compact: str, programm_ids: Iterable[str]) -> list[tuple[str, int]]:
        """Those of `candidates` that belong to these programmes, which is cheap however common the text is."""
        rarest = self._rarest_trigrams(compact[:HEAD])
        if not rarest:
            return []
        query = " AND ".join(map(_quoted, rarest))
        found = []
        for programm_id in programm_ids:
            first, last = self._zeilen_of(programm_id)
            found += self.query(
                "SELECT s.programm_id, s.seite FROM seiten_trigram AS t JOIN seiten AS s ON s.zeile = t.rowid"
                " WHERE seiten_trigram MATCH ? AND t.rowid BETWEEN ? AND ? AND s.programm_id = ?",
                (query, first, last, programm_id),
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

    def _rarest_trigrams(self, head: str) -> list[str]:
        """The rarest trigrams of `head`, rarest first; none if one of those looked at stands nowhere."""
        step, number = (1, RAREST_OF_LARGE) if self._is_large else (STEP, RAREST)
        trigrams = {head[i : i + 3] for i in range(0, len(head) - 2, step)}
        if not trigrams:
            raise ValueError("a quotation must have at least 3 characters to be looked for")
        wanted = [trigram for trigram in trigrams if BARRIER not in trigram]
        try:
            "".join(wanted).encode()
        except UnicodeEncodeError:
            return []  # a lone surrogate: no stored page holds one, and SQLite cannot be asked
        counted = self.query(
            f"SELECT trigram, pages FROM trigram_df WHERE trigram IN ({', '.join('?' * len(wanted))})", wanted
        )
        if len(counted) < len(wanted):
            return []
        if not all(isinstance(trigram, str) and isinstance(pages, int) for trigram, pages in counted):
            raise damaged(self._path, "its table of trigrams")
        return [trigram for trigram, _ in sorted(counted, key=lambda row: (row[1], row[0]))[:number]]

    def _row(self, columns: str, programm_id: str, seite: int) -> Any:
        try:
            rows = self.query(f"SELECT {columns} FROM seiten WHERE programm_id = ? AND seite = ?", (programm_id, seite))
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

    def _require_search(self) -> None:
        """Raise IndexUnusableError if the search table is plainly not the one that was counted.

        FTS5 answers "nothing found" from a table that somebody emptied. One trigram is enough to notice; `index check`
        looks at all of them.
        """
        counted = self.query("SELECT trigram, pages FROM trigram_df ORDER BY trigram LIMIT 1")
        if counted:
            trigram, pages = counted[0]
            found = self.query(
                "SELECT count(*) FROM seiten_trigram WHERE seiten_trigram MATCH ?", (_quoted(str(trigram)),)
            )
            whole = found == [(pages,)]
        else:
            whole = not self.query("SELECT 1 FROM seiten WHERE length(compact) >= 3 LIMIT 1")
        if not whole:
            raise damaged(self._path, "its search table and its pages do not agree")

    def _require_version(self) -> None:
        for key, version in (("schema_version", SCHEMA_VERSION), ("normalizer_version", NORMALIZER_VERSION)):
            if self.meta.get(key) != str(version):
                found = f"{key.replace('_', ' ')} {self.meta.get(key)}"
                message = f"the index {self._path} has {found}, this program needs {version}"
                raise IndexUnusableError(f"{message}; run: index build --db {self._path}")


def _quoted(text: str) -> str:
    """`text` as a string of the FTS5 query language, in which nothing is an operator."""
    return '"' + text.replace('"', '""') + '"'


_TEXTS = ("programm_id", "name", "partei", "bundesland", "typ", "datei", "werk", "fassung", "status")
_PROGRAMM_FIELDS = tuple(field.name for field in fields(IndexedProgramm))


def _programm(row: sqlite3.Row) -> IndexedProgramm:
    values = {name: row[name] for name in _PROGRAMM_FIELDS}
    if not all(isinstance(values[name], str if name in _TEXTS else int) for name in (*_TEXTS, "jahr", "seiten")):
        raise TypeError(f"{values['programm_id']!r} has a field that is none")
    values["aliases"] = tuple(json.loads(row["aliases"]))
    values["hints"] = tuple(json.loads(row["hints"]))
    return IndexedProgramm(**values)
