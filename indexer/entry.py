"""The row of `programme` that an entry of the catalogue becomes: read, kept, stale, failed or missing. Pure."""

import json
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from indexer.programm import Programm
from indexer.sources import storable

Row: TypeAlias = dict[str, object]
"""One row of the table `programme`, by column."""

SAME_CONTENT = "same content as "
NAMED = 3
"""Copies that a hint names."""
INDEXED, STALE, FAILED, MISSING = "indexed", "stale", "failed", "missing"


def indexed_row(programm: Programm, *, sha256: str, reader: str, seiten: int, hints: Iterable[str]) -> Row:
    """Row of a programme whose PDF was read."""
    state = {"sha256": sha256, "reader": reader, "seiten": seiten, "status": INDEXED, "reason": None}
    return _entry(programm) | state | {"hints": _json(map(storable, hints))}


def kept_row(programm: Programm, before: Row) -> Row:
    """Row of a programme whose PDF is the one that its pages in the index come from."""
    return _entry(programm) | _pages_of(before) | {"status": INDEXED, "reason": None}


def failed_row(programm: Programm, before: Row | None, reason: str, *, missing: bool = False) -> Row:
    """Row of a programme whose PDF cannot be read: what was indexed of it before stays, marked stale.

    A PDF that is `missing` takes its pages along: a programme that was withdrawn must not be cited from memory.
    """
    if before is not None and before["seiten"] and not missing:
        return _entry(programm) | _pages_of(before) | {"status": STALE, "reason": storable(reason)}
    state = {"sha256": None, "reader": None, "seiten": 0, "status": MISSING if missing else FAILED}
    return _entry(programm) | state | {"reason": storable(reason), "hints": "[]"}


def with_same_content(rows: Mapping[str, Row]) -> dict[str, Row]:
    """`rows` by programm_id, each with a hint that names the other entries whose PDFs hold the same bytes."""
    by_content: dict[object, list[str]] = {}
    for programm_id, row in rows.items():
        if row["sha256"] is not None:
            by_content.setdefault(row["sha256"], []).append(programm_id)
    hinted = {}
    for programm_id, row in rows.items():
        others = [other for other in by_content.get(row["sha256"], ()) if other != programm_id]
        hints = [hint for hint in hints_of(row) if not hint.startswith(SAME_CONTENT)]
        if others:
            more = [f"{len(others) - NAMED} more"] if len(others) > NAMED else []
            hints.append(SAME_CONTENT + ", ".join([*others[:NAMED], *more]))
        hinted[programm_id] = row | {"hints": _json(hints)}
    return hinted


def hints_of(row: Row) -> tuple[str, ...]:
    """The hints of a row as texts."""
    return tuple(json.loads(str(row["hints"])))


def _entry(programm: Programm) -> Row:
    """The columns that repeat the catalogue."""
    return {
        "programm_id": programm.programm_id,
        "name": programm.name,
        "partei": programm.partei,
        "bundesland": programm.bundesland,
        "jahr": programm.jahr,
        "typ": programm.typ,
        "datei": storable(programm.datei),
        "aliases": _json(programm.aliases),
        "url": programm.url,
        "ort": programm.ort,
        "wahl": programm.wahl,
        "werk": programm.werk,
        "fassung": programm.fassung,
    }


def _pages_of(before: Row) -> Row:
    """The columns that tell of the pages in the index."""
    return {column: before[column] for column in ("sha256", "reader", "seiten", "hints")}


def _json(texts: Iterable[str]) -> str:
    return json.dumps(list(texts), ensure_ascii=False)
