"""One Zitat on its way to a Befund, and what the check of its words found."""

from dataclasses import dataclass, field

from indexer.lookup import IndexedProgramm
from verifier.finding import (
    NOTHING,
    Found,
)
from verifier.pageref import PageRef
from verifier.pages import Shelf
from verifier.places import Place, cited_places
from verifier.quotation import Quotation
from verifier.verdict import Nearest, Verdict, Zitat


@dataclass(slots=True, kw_only=True)
class Case:
    """One Zitat on its way to a Befund. `cited`: editions that the quelle means; `others`: the rest of the werk."""

    zitat: Zitat
    quotation: Quotation
    ref: PageRef
    cited: tuple[IndexedProgramm, ...]
    others: tuple[IndexedProgramm, ...]
    pages: str
    _places: list[Place] | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def editions(self) -> tuple[IndexedProgramm, ...]:
        """All editions of the werk, those that are cited first."""
        return (*self.cited, *self.others)

    def places(self, shelf: Shelf) -> list[Place]:
        """All pages that the quelle may mean; looked up only where the PDF page that it names is not the one."""
        if self._places is None:
            self._places = cited_places(shelf, self.cited, self.ref, self.pages)
        return self._places


@dataclass(frozen=True, slots=True, kw_only=True)
class WordCheck:
    """What the check of the words found, before source and state outrank it."""

    verdict: Verdict
    programm_id: str
    seite: int | None = None
    found: Found = NOTHING
    nearest: Nearest | None = None
    message: str = ""
    notes: tuple[str, ...] = ()
