"""Search by words, for people: FTS5 proposes pages, the snippet shows the source's own characters."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from indexer.errors import UsageError
from indexer.lookup import PageIndex
from indexer.normalize import fold, strict

AROUND = 70
"""Characters that a snippet shows on each side of what was found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One page that holds the words; `snippet` is one line around the first of them."""

    programm_id: str
    seite: int
    seitenlabel: str | None
    snippet: str


def search(index: PageIndex, phrases: Sequence[str], *, limit: int, programm_id: str | None = None) -> Iterator[Hit]:
    """Pages that hold all `phrases` (each a word, or several in this order), the best first, at most `limit`.

    Nothing in a phrase is an operator. Raises UsageError if there is no letter or digit in any of them.
    """
    wanted = [phrase for phrase in (strict(fold(phrase)) for phrase in phrases) if any(map(str.isalnum, phrase))]
    if not wanted:
        raise UsageError("nothing to search for: name at least one word")
    query = " AND ".join('"{}"'.format(phrase.replace('"', '""')) for phrase in wanted)
    for found_id, seite, seitenlabel, text in index.query(
        "SELECT s.programm_id, s.seite, s.seitenlabel, s.text"
        " FROM seiten_fts JOIN seiten AS s ON s.zeile = seiten_fts.rowid"
        " WHERE seiten_fts MATCH ? AND (? IS NULL OR s.programm_id = ?) ORDER BY seiten_fts.rank, s.zeile LIMIT ?",
        (query, programm_id, programm_id, limit),
    ):
        snippet = snippet_of(text, wanted[0])
        yield Hit(programm_id=found_id, seite=seite, seitenlabel=seitenlabel, snippet=snippet)


def snippet_of(text: str, phrase: str) -> str:
    """One line of raw page `text` around the first place of `phrase`, or its beginning where the page breaks it."""
    words = re.findall(r"\w+", phrase)
    found = re.search(r"\W{1,4}".join(map(re.escape, words)), text, re.IGNORECASE) if words else None
    start, end = found.span() if found else (0, AROUND)
    before, after = text[:start], text[end:]
    shown_before = before if len(before) <= AROUND else "… " + before[-AROUND:].partition(" ")[2]
    shown_after = after if len(after) <= AROUND else after[:AROUND].rpartition(" ")[0] + " …"
    return " ".join(f"{shown_before}{text[start:end]}{shown_after}".split())
