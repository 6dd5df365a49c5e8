"""Which pages can hold a text: those that hold its rarest trigrams, counted when the index was built (SPEC §4)."""

from collections.abc import Callable, Set
from pathlib import Path
from typing import Any

from indexer.index_file import damaged
from indexer.schema import BARRIER

HEAD = 120
"""Characters of a quotation among which the rarest are chosen. Each page's entry reaches further into the next page."""

RAREST = 4
"""Trigrams that are joined by AND. Fewer leave more pages to be looked at, more cost more than they save."""

RAREST_WITHIN = 2
"""The same where one programme is searched, which has few pages to be looked at."""

APART = 3
"""Characters between the beginnings of two of them: "xyz" and "yza" say together hardly more than one of them."""

_COUNTS_KEPT = 100_000  # about 10 MB; an index of 5,000 pages has 34,000 trigrams, a run asks for a third of them

_ASKED_AT_ONCE = 16  # or a multiple, so that there are few different statements

_Query = Callable[..., list[Any]]


class Trigrams:
    """The counts of one index, asked for when they are needed and kept: quotations are made of the same trigrams.

    Reading all of them at once would cost a single check 6 ms; asking anew for each quotation costs it 0.09 ms.
    """

    def __init__(self, query: _Query, path: Path) -> None:
        self._query = query
        self._path = path
        self._counts: dict[str, int] = {}

    def expression(self, compact: str, number: int = RAREST) -> str:
        """What to MATCH in `seiten_trigram` for pages that can hold this compact form; empty if none can.

        `number`: trigrams that are joined. Raises ValueError for fewer than 3 characters, which trigrams cannot find.
        """
        head = compact[:HEAD]
        places = {head[i : i + 3]: i for i in range(len(head) - 2)}
        if not places:
            raise ValueError("a quotation must have at least 3 characters to be looked for")
        if BARRIER in head:
            places = {trigram: place for trigram, place in places.items() if BARRIER not in trigram}
        counts = self._counted(places.keys())
        rarest: list[str] = []
        for trigram in sorted(places, key=counts.__getitem__):
            place = places[trigram]
            if all(abs(place - places[other]) >= APART for other in rarest):
                rarest.append(trigram)
                if len(rarest) == number:
                    break
        return " AND ".join(map(quoted, rarest)) if rarest and counts[rarest[0]] else ""

    def _counted(self, trigrams: Set[str]) -> dict[str, int]:
        """On how many pages each of these trigrams (and of others) stands."""
        known = self._counts
        if not trigrams <= known.keys():
            if len(known) > _COUNTS_KEPT:
                known = self._counts = {}  # not emptied: another thread may be reading it
            known.update(self._ask([trigram for trigram in trigrams if trigram not in known]))
        return known

    def _ask(self, unknown: list[str]) -> dict[str, int]:
        counts = dict.fromkeys(unknown, 0)
        askable = [trigram for trigram in unknown if _is_text(trigram)]
        askable += [""] * (-len(askable) % _ASKED_AT_ONCE)
        marks = ", ".join("?" * len(askable))
        for trigram, pages in self._query(f"SELECT trigram, pages FROM trigram_df WHERE trigram IN ({marks})", askable):
            if not (isinstance(trigram, str) and isinstance(pages, int)):
                raise damaged(self._path, "its table of trigrams")
            counts[trigram] = pages
        return counts

    def require_whole(self) -> None:
        """Raise IndexUnusableError if the search table is plainly not the one that was counted.

        FTS5 answers "nothing found" from a table that somebody emptied. One trigram is enough to notice; `index check`
        looks at all of them.
        """
        counted = self._query("SELECT trigram, pages FROM trigram_df ORDER BY trigram LIMIT 1")
        if counted:
            trigram, pages = counted[0]
            found = self._query(
                "SELECT count(*) FROM seiten_trigram WHERE seiten_trigram MATCH ?", (quoted(str(trigram)),)
            )
            whole = found == [(pages,)]
        else:
            whole = not self._query("SELECT 1 FROM seiten WHERE length(compact) >= 3 LIMIT 1")
        if not whole:
            raise damaged(self._path, "its search table and its pages do not agree")


def _is_text(trigram: str) -> bool:
    """Whether no half of a surrogate pair is in it: SQLite cannot be asked for such, and no stored page holds one."""
    try:
        trigram.encode()
    except UnicodeEncodeError:
        return False
    return True


def quoted(text: str) -> str:
    """`text` as a string of the FTS5 query language, in which nothing is an operator."""
    return '"' + text.replace('"', '""') + '"'
