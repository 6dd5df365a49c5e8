"""The order of judgement: source, state, page, length, then the words (SPEC §6).

A pass anywhere outranks anchor and altered on the cited page; "could not be checked" is said only if nothing was found.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from indexer.aliases import canonical_bundesland
from indexer.lookup import IndexedProgramm
from indexer.seite import NOTHING_PRINTED
from verifier.align import RUN, Difference
from verifier.finding import (
    NOTHING,
    Found,
    Gaps,
    NearestPassage,
    compared_words,
    find,
    fundstelle,
    gaps_on,
    nearest_anywhere,
    nearest_on,
)
from verifier.ladder import Match, stands, stands_closely
from verifier.notes import edge_notes, programme_notes, url_notes
from verifier.pageref import PageRef
from verifier.pages import Shelf
from verifier.places import Place, cited_places, pdf_places
from verifier.quotation import MIN_LENGTH, Quotation
from verifier.resolve import Resolution, belongs
from verifier.verdict import Befund, Nearest, Outcome, Verdict, Zitat

_GRUNDSATZ = "grundsatzprogramm"
_FEDERAL = "Bund"


@dataclass(slots=True, kw_only=True)
class _Case:
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
        return (*self.cited, *self.others)

    def places(self, shelf: Shelf) -> list[Place]:
        """All pages that the quelle may mean; looked up only where the PDF page that it names is not the one."""
        if self._places is None:
            self._places = cited_places(shelf, self.cited, self.ref, self.pages)
        return self._places


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """What the check of the words found, before source and state outrank it."""

    verdict: Verdict
    programm_id: str
    seite: int | None = None
    found: Found = NOTHING
    nearest: Nearest | None = None
    message: str = ""
    notes: tuple[str, ...] = ()


def judge(shelf: Shelf, zitat: Zitat, resolution: Resolution, pages: str) -> Befund:
    """The Befund for one Zitat whose quelle was resolved (or not) to `resolution`."""
    quotation = Quotation(zitat.text)
    if resolution.status != "resolved":
        return _unresolved(shelf, zitat, quotation, resolution)
    case = _case(shelf, zitat, quotation, resolution, pages)
    result = _check(shelf, case)
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


def _case(shelf: Shelf, zitat: Zitat, quotation: Quotation, resolution: Resolution, pages: str) -> _Case:
    editions = tuple(shelf.index.programme[programm.programm_id] for programm in resolution.programme)
    cited, others = editions[: resolution.primary], editions[resolution.primary :]
    ref = resolution.seiten or PageRef()
    return _Case(zitat=zitat, quotation=quotation, ref=ref, cited=cited, others=others, pages=pages)


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


def _check(shelf: Shelf, case: _Case) -> _Words:
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
        return _Words(verdict=Verdict.TOO_SHORT, programm_id=head.programm_id, seite=seite, message=message)
    if match := _pass(shelf, case.places(shelf), case.quotation):
        return match
    return _elsewhere(shelf, case, head, names_page=names_page)


def _not_indexed(programm: IndexedProgramm) -> _Words:
    message = f"{programm.name} is in the catalogue but not in the index: {programm.reason}; run: index build"
    return _Words(verdict=Verdict.NOT_INDEXED, programm_id=programm.programm_id, message=message)


def _out_of_range(programm: IndexedProgramm, ref: PageRef, found: Found) -> _Words:
    message = f"{programm.name} has {programm.seiten} pages; no page is or prints {ref.text.strip() or 'that number'}"
    return _Words(verdict=Verdict.PAGE_OUT_OF_RANGE, programm_id=programm.programm_id, found=found, message=message)


def _found(shelf: Shelf, case: _Case) -> Found:
    return find(shelf, case.quotation, [programm.programm_id for programm in case.editions])


def _pass_on_pdf_page(shelf: Shelf, case: _Case) -> _Words | None:
    """The first step of `_pass`, by itself because most citations need no other: no printed number is looked up."""
    for place in pdf_places(shelf, case.cited, case.ref, case.pages):
        if match := stands(shelf, place.programm_id, place.seite, case.quotation.reading):
            return _passed(shelf, place, match)
    return None


def _pass(shelf: Shelf, places: Sequence[Place], quotation: Quotation) -> _Words | None:
    """The same for all cited pages (the PDF pages by dear rungs only), cheap rungs on all pages before dear ones."""
    for place in places:
        if place.printed and (match := stands(shelf, place.programm_id, place.seite, quotation.reading)):
            return _passed(shelf, place, match)
    for place in places:
        if match := stands_closely(shelf, place.programm_id, place.seite, quotation):
            return _passed(shelf, place, match)
    return None


def _passed(shelf: Shelf, place: Place, match: Match) -> _Words:
    verdict = Verdict.PRINTED_PAGE if place.printed else match.verdict
    found = Found(places=tuple(fundstelle(shelf, place.programm_id, seite) for seite in match.seiten))
    if place.printed:
        label = fundstelle(shelf, place.programm_id, place.seite).seitenlabel
        message = (
            f"stands on the page that prints {label}, which is page {place.seite} of the PDF ({match.verdict.value})"
        )
    else:
        message = _PASSED[match.verdict].format(seiten=" and ".join(map(str, match.seiten)))
    notes = (*((match.note,) if match.note else ()), *edge_notes(shelf, place.programm_id, match))
    return _Words(
        verdict=verdict, programm_id=place.programm_id, seite=place.seite, found=found, message=message, notes=notes
    )


_PASSED = {
    Verdict.EXACT: "stands on page {seiten}",
    Verdict.LAYOUT: "stands on page {seiten}; only layout or typography differs",
    Verdict.SPANS_PAGES: "stands on pages {seiten}, over the page break",
    Verdict.ELIDED: "all parts stand on page {seiten} in order; read what the gap leaves out",
}


def _elsewhere(shelf: Shelf, case: _Case, head: IndexedProgramm, *, names_page: bool) -> _Words:
    """The quotation does not stand where it is cited: where else, or what comes nearest?"""
    found = _found(shelf, case)
    own = {programm.programm_id for programm in case.cited}
    drafts = {programm.programm_id for programm in case.others}
    in_own = any(place.programm_id in own for place in found.places)
    in_drafts = [place for place in found.places if place.programm_id in drafts]
    places = case.places(shelf)
    seite = places[0].seite if places else None
    base = _Words(verdict=Verdict.NOT_FOUND, programm_id=head.programm_id, seite=seite, found=found)
    if not names_page and (in_own or in_drafts):
        reason = case.ref.reason or "the quelle names no page"
        return _with(base, Verdict.NO_PAGE, f"{reason}; the text stands on {_where(found)}")
    if not in_own and in_drafts:
        cited = cited_places(shelf, case.others, case.ref, "either")
        for place in cited:
            if any(f.programm_id == place.programm_id and f.seite == place.seite for f in in_drafts):
                name = shelf.index.programme[place.programm_id].name
                message = f"stands on the cited page of another edition only: {name} ({place.programm_id})"
                return _Words(
                    verdict=Verdict.OTHER_EDITION,
                    programm_id=place.programm_id,
                    seite=place.seite,
                    found=found,
                    message=message,
                )
    if names_page and not places:
        return _out_of_range(head, case.ref, found)
    if in_own or in_drafts:
        notes = () if in_own else (f"only in another edition: {in_drafts[0].programm_id}",)
        if in_own and in_drafts:
            notes = (f"stands in another edition as well: {in_drafts[0].programm_id}",)
        return _with(base, Verdict.WRONG_PAGE, f"not on the cited page, but on {_where(found)}", notes)
    if found.places:
        return _with(base, Verdict.WRONG_PROGRAMME, f"not in {head.name}, but in {_where(found)}")
    return _nowhere(shelf, case, base)


def _with(base: _Words, verdict: Verdict, message: str, notes: tuple[str, ...] = ()) -> _Words:
    return _Words(
        verdict=verdict, programm_id=base.programm_id, seite=base.seite, found=base.found, message=message, notes=notes
    )


def _where(found: Found) -> str:
    place = found.places[0]
    label = f" (printed {place.seitenlabel})" if place.seitenlabel not in (None, str(place.seite)) else ""
    more = f" and {len(found.places) - 1} more" if len(found.places) > 1 else ""
    return f"page {place.seite}{label} of {place.programm_id}{more}"


def _nowhere(shelf: Shelf, case: _Case, base: _Words) -> _Words:
    """Nothing passes anywhere: not readable, shortened, altered, or simply not there."""
    for place in case.places(shelf):
        if gaps := gaps_on(shelf, place.programm_id, place.seite, case.quotation):
            return _gaps(base, place, gaps)
    quoted = compared_words(case.quotation)
    cited = [nearest_on(shelf, place.programm_id, place.seite, quoted) for place in case.places(shelf)]
    best = max((near for near in cited if near is not None), key=lambda near: near.alignment.run, default=None)
    if best is None or best.alignment.run < RUN:
        ids = {programm.programm_id for programm in case.editions}
        anywhere = nearest_anywhere(shelf, case.quotation, ids)
        if anywhere is not None and (best is None or anywhere.alignment.run > best.alignment.run):
            if not case.places(shelf) and anywhere.alignment.run >= RUN:
                return _differs(base, anywhere)
            best = anywhere if anywhere.alignment.run >= 3 else best
        unreadable = list(_unreadable(shelf, case))
        nearest = best.nearest if best else None
        if unreadable:
            message = f"the cited page cannot be read: {unreadable[0]}"
            return _Words(
                verdict=Verdict.NO_TEXT,
                programm_id=base.programm_id,
                seite=base.seite,
                message=message,
                nearest=nearest,
            )
        message = "stands nowhere in the index"
        return _Words(
            verdict=Verdict.NOT_FOUND, programm_id=base.programm_id, seite=base.seite, message=message, nearest=nearest
        )
    return _differs(base, best)


def _gaps(base: _Words, place: Place, gaps: Gaps) -> _Words:
    """All parts stand there in order, but a gap hides a guard word, or a part is too short to mean anything."""
    kinds = ", ".join(dict.fromkeys(change.kind for change in gaps.nearest.diff))
    verdict = Verdict.ALTERED if gaps.nearest.diff else Verdict.ANCHOR
    message = f"a marked gap hides a {kinds}" if kinds else "a marked gap with a part of less than three words"
    return _Words(
        verdict=verdict, programm_id=place.programm_id, seite=place.seite, message=message, nearest=gaps.nearest
    )


def _differs(base: _Words, near: NearestPassage) -> _Words:
    alignment = near.alignment
    kinds = ", ".join(dict.fromkeys(change.kind for change in alignment.changes)) or "layout"
    if alignment.difference is Difference.SHORTENED:
        verdict, message = Verdict.ANCHOR, "words are left out of the printed sentence without a mark"
    else:
        verdict, message = Verdict.ALTERED, f"the page prints it differently: {kinds}"
    return _Words(
        verdict=verdict,
        programm_id=near.nearest.programm_id,
        seite=base.seite if base.seite is not None else near.nearest.seite,
        message=message,
        nearest=near.nearest,
    )


def _unreadable(shelf: Shelf, case: _Case) -> Iterator[str]:
    """Why a cited page (or, where none is named, the whole programme) cannot be read."""
    if case.places(shelf):
        pages = [shelf.page(place.programm_id, place.seite) for place in case.places(shelf)]
        reasons = [page.no_text for page in pages if page is not None]
        # Where the number means two pages and one of them is empty, the quotation could be checked on the other.
        some_readable = None in reasons
        yield from (reason for reason in reasons if reason and not (some_readable and reason in NOTHING_PRINTED))
        return
    for programm in case.cited:
        pages = [shelf.page(programm.programm_id, seite) for seite in range(1, programm.seiten + 1)]
        reasons = [page.no_text for page in pages if page is not None]
        if reasons and all(reasons):
            yield f"no page of {programm.programm_id} has text ({reasons[0]})"


def _rests_on_recognised_text(shelf: Shelf, result: _Words) -> bool:
    """Whether the page that matched, came nearest or was cited is a picture with recognised text."""
    if result.nearest is not None:
        seite: int | None = result.nearest.seite
    else:
        seite = result.found.places[0].seite if result.verdict.outcome is Outcome.PASS else result.seite
    page = shelf.page(result.programm_id, seite) if seite is not None else None
    return page is not None and page.ocr


def _place_notes(shelf: Shelf, case: _Case, result: _Words) -> Iterator[str]:
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
