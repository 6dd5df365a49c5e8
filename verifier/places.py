"""Which pages a citation names: PDF position, printed number, or either (SPEC §6 Pages)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from indexer.programm import Programm
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
    printed = (place for programm in editions for place in _printed_places(shelf, programm.programm_id, ref, pages))
    return list(dict.fromkeys([*pdf_places(shelf, editions, ref, pages), *printed]))


def pdf_places(shelf: Shelf, editions: Sequence[Programm], ref: PageRef, pages: str) -> Iterator[Place]:
    """Those of `cited_places` that are meant by their PDF position."""
    if pages == "printed" and not ref.pdf_only:
        return
    for programm in editions:
        count = shelf.index.programme[programm.programm_id].seiten
        for seite in ref.seiten:
            if 1 <= seite <= count:
                yield Place(programm_id=programm.programm_id, seite=seite, printed=False)


def _printed_places(shelf: Shelf, programm_id: str, ref: PageRef, pages: str) -> Iterator[Place]:
    if pages == "pdf" or ref.pdf_only:
        return
    # Roman numerals are cited in capitals and printed small, or the other way round.
    romans = (spelling for label in ref.labels for spelling in (label.lower(), label.upper()))
    for label in (*map(str, ref.seiten), *romans):
        for seite in shelf.index.seiten_with_label(programm_id, label):
            if pages == "printed" or seite not in ref.seiten:
                yield Place(programm_id=programm_id, seite=seite, printed=True)
