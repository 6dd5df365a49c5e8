"""Where a text stands: every place in every programme, whatever quelle it is cited with."""

from dataclasses import dataclass

from indexer.lookup import PageIndex
from verifier.finding import find, nearest_anywhere
from verifier.pages import Shelf
from verifier.quotation import MIN_LENGTH, Quotation
from verifier.verdict import Fundstelle, Nearest


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """All places, by programme and page; without any, what comes nearest. `too_short`: it was not looked for."""

    places: tuple[Fundstelle, ...] = ()
    nearest: Nearest | None = None
    too_short: bool = False


def locate(index: PageIndex, text: str) -> Located:
    """Look for `text` as a check would (SPEC §5); texts under 20 characters fit anywhere and are not looked for."""
    quotation = Quotation(text)
    if quotation.length < MIN_LENGTH:
        return Located(too_short=True)
    shelf = Shelf(index)
    if places := find(shelf, quotation, ()).places:
        return Located(places=places)
    passage = nearest_anywhere(shelf, quotation, index.programme.keys())
    return Located(nearest=passage.nearest if passage else None)
