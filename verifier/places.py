"""Which pages a citation names: PDF position, printed number, or either (SPEC §6 Pages)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from indexer.catalogue import Programm
from verifier.pageref import PageRef
from verifier.pages import Shelf


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One page that the citation may mean. `printed`: reached by the number it prints, not by its PDF position."""

    programm_id: str
    seite: int
    printed: bool


def cited_places(shelf: Shelf, editions: Sequence[Programm], ref: PageRef, pages: str) -> list[Place]:
    """All pages that `ref` may mean in these editions, PDF positions first; `pages` is pdf, printed or either."""
    places = [place for programm in editions for place in _places(shelf, programm.programm_id, ref, pages)]
    return list(dict.fromkeys(sorted(places, key=lambda place: place.printed)))


def _places(shelf: Shelf, programm_id: str, ref: PageRef, pages: str) -> Iterator[Place]:
    count = shelf.index.programme[programm_id].seiten
    if pages != "printed" or ref.pdf_only:
        for seite in ref.seiten:
            if 1 <= seite <= count:
                yield Place(programm_id=programm_id, seite=seite, printed=False)
    if pages != "pdf" and not ref.pdf_only:
        # Roman numerals are cited in capitals and printed small, or the other way round.
        romans = (spelling for label in ref.labels for spelling in (label.lower(), label.upper()))
        for label in (*map(str, ref.seiten), *romans):
            for seite in shelf.index.seiten_with_label(programm_id, label):
                if pages == "printed" or seite not in ref.seiten:
                    yield Place(programm_id=programm_id, seite=seite, printed=True)
