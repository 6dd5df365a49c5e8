"""Page, length and words of a citation whose programme is known (SPEC §6, order of judgement)."""

from collections.abc import Sequence
from dataclasses import replace

from indexer.lookup import IndexedProgramm
from verifier.case import Case, WordCheck
from verifier.finding import (
    NOTHING,
    Found,
    find,
    fundstelle,
)
from verifier.ladder import Match, stands, stands_closely
from verifier.notes import edge_notes, parting_notes
from verifier.nowhere import nowhere
from verifier.pageref import PageRef
from verifier.pages import Shelf
from verifier.places import Place, cited_places, pdf_places
from verifier.quotation import MIN_LENGTH, Quotation
from verifier.verdict import Verdict


def check_words(shelf: Shelf, case: Case) -> WordCheck:
    """The verdict on page and words."""
    indexed = [programm for programm in case.cited if programm.seiten]
    head = (indexed or case.cited)[0]
    short = case.quotation.length < MIN_LENGTH
    names_page = bool(case.ref.seiten or case.ref.labels)
    if not indexed and not any(programm.seiten for programm in case.others):
        return _not_indexed(head)
    if not short and (match := _pass_on_pdf_page(shelf, case)):
        return match
    if names_page and not case.places(shelf) and (short or not case.others):
        found = NOTHING if short else _found(shelf, case)
        return _out_of_range(head, case.ref, found)
    if short:
        message = f"{case.quotation.length} characters fit many pages; a quotation needs {MIN_LENGTH}"
        seite = case.places(shelf)[0].seite if case.places(shelf) else None
        return WordCheck(verdict=Verdict.TOO_SHORT, programm_id=head.programm_id, seite=seite, message=message)
    if match := _pass(shelf, case.places(shelf), case.quotation):
        return match
    return _elsewhere(shelf, case, head, names_page=names_page)


def _not_indexed(programm: IndexedProgramm) -> WordCheck:
    message = f"{programm.name} is in the catalogue but not in the index: {programm.reason}; run: index build"
    return WordCheck(verdict=Verdict.NOT_INDEXED, programm_id=programm.programm_id, message=message)


def _out_of_range(programm: IndexedProgramm, ref: PageRef, found: Found) -> WordCheck:
    message = f"{programm.name} has {programm.seiten} pages; no page is or prints {ref.text.strip() or 'that number'}"
    return WordCheck(verdict=Verdict.PAGE_OUT_OF_RANGE, programm_id=programm.programm_id, found=found, message=message)


def _found(shelf: Shelf, case: Case) -> Found:
    return find(shelf, case.quotation, [programm.programm_id for programm in case.editions])


def _pass_on_pdf_page(shelf: Shelf, case: Case) -> WordCheck | None:
    """The first step of `_pass`, by itself because most citations need no other: no printed number is looked up."""
    for place in pdf_places(shelf, case.cited, case.ref, case.pages):
        if match := stands(shelf, place.programm_id, place.seite, case.quotation.reading):
            return _passed(shelf, place, match, case.quotation)
    return None


def _pass(shelf: Shelf, places: Sequence[Place], quotation: Quotation) -> WordCheck | None:
    """The same for all cited pages (the PDF pages by dear rungs only), cheap rungs on all pages before dear ones."""
    for place in places:
        if place.printed and (match := stands(shelf, place.programm_id, place.seite, quotation.reading)):
            return _passed(shelf, place, match, quotation)
    for place in places:
        if match := stands_closely(shelf, place.programm_id, place.seite, quotation):
            return _passed(shelf, place, match, quotation)
    return None


def _passed(shelf: Shelf, place: Place, match: Match, quotation: Quotation) -> WordCheck:
    verdict = Verdict.PRINTED_PAGE if place.printed else match.verdict
    found = Found(places=tuple(fundstelle(shelf, place.programm_id, seite) for seite in match.seiten))
    if place.printed:
        label = fundstelle(shelf, place.programm_id, place.seite).seitenlabel
        message = (
            f"stands on the page that prints {label}, which is page {place.seite} of the PDF ({match.verdict.value})"
        )
    else:
        message = _PASSED[match.verdict].format(seiten=" and ".join(map(str, match.seiten)))
    own = (match.note,) if match.note else ()
    notes = (*own, *parting_notes(quotation, match), *edge_notes(shelf, place.programm_id, match))
    return WordCheck(
        verdict=verdict, programm_id=place.programm_id, seite=place.seite, found=found, message=message, notes=notes
    )


_PASSED = {
    Verdict.EXACT: "stands on page {seiten}",
    Verdict.LAYOUT: "stands on page {seiten}; only layout or typography differs",
    Verdict.SPANS_PAGES: "stands on pages {seiten}, over the page break",
    Verdict.ELIDED: "all parts stand on page {seiten} in order; read what the gap leaves out",
}


def _elsewhere(shelf: Shelf, case: Case, head: IndexedProgramm, *, names_page: bool) -> WordCheck:
    """The quotation does not stand where it is cited: where else, or what comes nearest?"""
    found = _found(shelf, case)
    own = {programm.programm_id for programm in case.cited}
    drafts = {programm.programm_id for programm in case.others}
    in_own = any(place.programm_id in own for place in found.places)
    in_drafts = [place for place in found.places if place.programm_id in drafts]
    places = case.places(shelf)
    seite = places[0].seite if places else None
    base = WordCheck(verdict=Verdict.NOT_FOUND, programm_id=head.programm_id, seite=seite, found=found)
    if not names_page and (in_own or in_drafts):
        reason = case.ref.reason or "the quelle names no page"
        return _with(base, Verdict.NO_PAGE, f"{reason}; the text stands on {_where(found)}")
    if not in_own and in_drafts:
        cited = cited_places(shelf, case.others, case.ref, case.pages)
        for place in cited:
            if any(f.programm_id == place.programm_id and f.seite == place.seite for f in in_drafts):
                name = shelf.index.programme[place.programm_id].name
                message = f"stands on the cited page of another edition only: {name} ({place.programm_id})"
                here = replace(base, programm_id=place.programm_id, seite=place.seite)
                return _with(here, Verdict.OTHER_EDITION, message)
    if names_page and not places:
        return _out_of_range(head, case.ref, found)
    if in_own or in_drafts:
        notes = () if in_own else (f"only in another edition: {in_drafts[0].programm_id}",)
        if in_own and in_drafts:
            notes = (f"stands in another edition as well: {in_drafts[0].programm_id}",)
        return _with(base, Verdict.WRONG_PAGE, f"not on the cited page, but on {_where(found)}", notes)
    if found.places:
        return _with(base, Verdict.WRONG_PROGRAMME, f"not in {head.name}, but in {_where(found)}")
    return nowhere(shelf, case, base)


def _with(base: WordCheck, verdict: Verdict, message: str, notes: tuple[str, ...] = ()) -> WordCheck:
    return replace(base, verdict=verdict, message=message, notes=notes)


def _where(found: Found) -> str:
    place = found.places[0]
    label = f" (printed {place.seitenlabel})" if place.seitenlabel not in (None, str(place.seite)) else ""
    more = f" and {len(found.places) - 1} more" if len(found.places) > 1 else ""
    return f"page {place.seite}{label} of {place.programm_id}{more}"
