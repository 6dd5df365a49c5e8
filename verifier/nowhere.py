"""When a quotation passes nowhere: not readable, shortened, altered, or simply not there (SPEC §6)."""

from collections.abc import Iterator
from dataclasses import replace

from indexer.seite import NOTHING_PRINTED
from verifier.align import RUN, Difference
from verifier.case import Case, WordCheck
from verifier.finding import (
    Gaps,
    NearestPassage,
    compared_words,
    gaps_on,
    nearest_anywhere,
    nearest_on,
)
from verifier.pages import Shelf
from verifier.places import Place
from verifier.verdict import Verdict


def nowhere(shelf: Shelf, case: Case, base: WordCheck) -> WordCheck:
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
            return replace(base, verdict=Verdict.NO_TEXT, message=message, nearest=nearest)
        return replace(base, verdict=Verdict.NOT_FOUND, message="stands nowhere in the index", nearest=nearest)
    return _differs(base, best)


def _gaps(base: WordCheck, place: Place, gaps: Gaps) -> WordCheck:
    """All parts stand there in order, but a gap hides a guard word, or a part is too short to mean anything."""
    kinds = ", ".join(dict.fromkeys(change.kind for change in gaps.nearest.diff))
    verdict = Verdict.ALTERED if gaps.nearest.diff else Verdict.ANCHOR
    message = f"a marked gap hides a {kinds}" if kinds else "a marked gap with a part of less than three words"
    return WordCheck(
        verdict=verdict, programm_id=place.programm_id, seite=place.seite, message=message, nearest=gaps.nearest
    )


def _differs(base: WordCheck, near: NearestPassage) -> WordCheck:
    alignment = near.alignment
    kinds = ", ".join(dict.fromkeys(change.kind for change in alignment.changes)) or "layout"
    if alignment.difference is Difference.SHORTENED:
        verdict, message = Verdict.ANCHOR, "words are left out of the printed sentence without a mark"
    else:
        verdict, message = Verdict.ALTERED, f"the page prints it differently: {kinds}"
    return WordCheck(
        verdict=verdict,
        programm_id=near.nearest.programm_id,
        seite=base.seite if base.seite is not None else near.nearest.seite,
        message=message,
        nearest=near.nearest,
    )


def _unreadable(shelf: Shelf, case: Case) -> Iterator[str]:
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
