"""The order of judgement: source, state, page, length, then the words (SPEC §6).

A pass anywhere outranks anchor and altered on the cited page; "could not be checked" is said only if nothing was found.
"""

from collections.abc import Iterator

from indexer.aliases import canonical_bundesland
from indexer.lookup import IndexedProgramm, PageIndex
from verifier.case import Case, WordCheck
from verifier.finding import (
    NOTHING,
    find,
)
from verifier.notes import programme_notes, url_notes
from verifier.pageref import PageRef
from verifier.pages import Shelf
from verifier.quotation import MIN_LENGTH, Quotation
from verifier.resolve import Resolution, Resolver, belongs
from verifier.verdict import Befund, Outcome, Verdict, Zitat
from verifier.wording import check_words

_GRUNDSATZ = "grundsatzprogramm"
_FEDERAL = "Bund"


class Judge:
    """Judges citations by one index; `pages` says what a page number may mean."""

    def __init__(self, index: PageIndex, pages: str) -> None:
        self._shelf = Shelf(index)
        self._resolver = Resolver(index.programme.values())
        self._pages = pages

    def judge(self, zitat: Zitat) -> Befund:
        """The Befund for one Zitat."""
        return _judged(self._shelf, zitat, self._resolver.resolve(zitat.quelle, zitat.bundesland), self._pages)


def _judged(shelf: Shelf, zitat: Zitat, resolution: Resolution, pages: str) -> Befund:
    quotation = Quotation(zitat.text)
    if resolution.status != "resolved":
        return _unresolved(shelf, zitat, quotation, resolution)
    case = _case(shelf, zitat, quotation, resolution, pages)
    result = check_words(shelf, case)
    head = case.cited[0]
    verdict, message = result.verdict, result.message
    land = canonical_bundesland(zitat.bundesland)
    if _is_cross_state(head, land):
        verdict = Verdict.CROSS_STATE
        message = (
            f"{head.name} belongs to {head.bundesland}, the Antrag to {zitat.bundesland}; the words alone: "
            f"{result.verdict.value}: {result.message}"
        )
    elif land is None and head.bundesland != _FEDERAL:
        case.notes.append("the Bundesland of the Antrag is missing or unknown, so the state could not be compared")
    return Befund(
        zitat=zitat,
        verdict=verdict,
        programm_id=result.programm_id,
        seite=result.seite,
        found=result.found.named,
        found_total=len(result.found.places),
        nearest=result.nearest,
        message=message,
        notes=(*zitat.notes, *resolution.notes, *case.notes, *result.notes, *_place_notes(shelf, case, result)),
    )


def _case(shelf: Shelf, zitat: Zitat, quotation: Quotation, resolution: Resolution, pages: str) -> Case:
    editions = tuple(shelf.index.programme[programm.programm_id] for programm in resolution.programme)
    cited, others = editions[: resolution.primary], editions[resolution.primary :]
    ref = resolution.seiten or PageRef()
    return Case(zitat=zitat, quotation=quotation, ref=ref, cited=cited, others=others, pages=pages)


def _is_cross_state(programm: IndexedProgramm, land: str | None) -> bool:
    if programm.typ == _GRUNDSATZ or land is None:
        return False
    own = canonical_bundesland(programm.bundesland) or programm.bundesland
    return own not in (_FEDERAL, land)


def _unresolved(shelf: Shelf, zitat: Zitat, quotation: Quotation, resolution: Resolution) -> Befund:
    found = find(shelf, quotation, ()) if quotation.length >= MIN_LENGTH else NOTHING
    return Befund(
        zitat=zitat,
        verdict=Verdict(resolution.status),
        found=found.named,
        found_total=len(found.places),
        message=resolution.message,
        notes=(*zitat.notes, *resolution.notes),
    )


def _rests_on_recognised_text(shelf: Shelf, result: WordCheck) -> bool:
    """Whether the page that matched, came nearest or was cited is a picture with recognised text."""
    if result.nearest is not None:
        seite: int | None = result.nearest.seite
    else:
        seite = result.found.places[0].seite if result.verdict.outcome is Outcome.PASS else result.seite
    page = shelf.page(result.programm_id, seite) if seite is not None else None
    return page is not None and bool(page.ocr)


def _place_notes(shelf: Shelf, case: Case, result: WordCheck) -> Iterator[str]:
    programm = shelf.index.programme[result.programm_id]
    yield from programme_notes(programm)
    if _rests_on_recognised_text(shelf, result):
        yield "the text of this page was recognised from a picture"
    if result.verdict.outcome is Outcome.PASS and result.programm_id != case.cited[0].programm_id:
        yield f"matched in the edition {result.programm_id}"
    if case.zitat.fraktion and belongs(case.zitat.fraktion, programm) is False:
        yield f"cited under the Fraktion {case.zitat.fraktion}, but the programme belongs to {programm.partei}"
    seiten = tuple(place.seite for place in result.found.places if place.programm_id == result.programm_id)
    labels = tuple(place.seitenlabel for place in result.found.places if place.seitenlabel)
    yield from url_notes(case.zitat, programm, seiten or ((result.seite,) if result.seite else ()), labels)
