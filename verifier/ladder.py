"""The ladder of passes: does the quotation stand on this page, or from it over the break? (SPEC §6)

Cheap rungs first: the page, the page break; then other readings, the PDF's own order, capitals, an added full stop,
marked gaps. Every rung is an exact comparison; none measures how much two texts are alike.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from indexer.lookup import Page
from indexer.normalize import compact, lower, without_capital_marks
from indexer.schema import BARRIER
from verifier.align import BULLET, Difference, align
from verifier.capitals import find_capitals
from verifier.elided import find_parts, in_order, long_parts
from verifier.match import Form, occurrences, page_form
from verifier.pages import Shelf
from verifier.passage import Words, words
from verifier.quotation import Quotation, Reading
from verifier.verdict import Verdict

_GLUE = " -"  # what `match.join` may put between two pages
_COMPOUND = 30  # characters at the end of the quotation by which its place is told in the strict form
_EDGE = 8  # characters at an end of the quotation that must stand in a moved piece before the second reading is tried


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A place where the quotation stands: `verdict` is the rung, `seiten` the PDF pages it covers.

    `start` and `end` are positions in `form`, for what stands around it; None where the rung knows none.
    """

    verdict: Verdict
    seiten: tuple[int, ...]
    form: Form | None = None
    start: int = 0
    end: int = 0
    note: str = ""


def stands(shelf: Shelf, programm_id: str, seite: int, reading: Reading) -> Match | None:
    """The two cheap rungs: on the page itself, or over the break before or after it."""
    page = shelf.page(programm_id, seite)
    if page is None:
        return None
    form = page_form(page)
    for start, end in occurrences(form, reading):
        if _halves_compound(page.strict, reading.strict, open_end=reading.open_end):
            return None
        verdict = Verdict.EXACT if reading.strict in page.strict else Verdict.LAYOUT
        return Match(verdict=verdict, seiten=(seite,), form=form, start=start, end=end)
    if not _meets_break(page.compact[: page.flow_end], reading.compact):
        return None
    return _over_break(shelf, programm_id, seite, reading)


def _halves_compound(printed: str, quoted: str, *, open_end: bool) -> bool:
    """Whether the quotation ends with "Steuer" where "Steuer- und Abgabenerhöhungen" is printed, and nowhere else.

    Or begins with "erhöhungen" of "und -erhöhungen". The compact form knows no hyphens, so the strict ones are asked.
    """
    begin = quoted[:_COMPOUND]
    if begin[:1].isalpha() and f" -{begin}" in printed and printed.count(begin) == printed.count(f" -{begin}"):
        return True
    return not open_end and _ends_in_half(printed, quoted[-_COMPOUND:])


def _ends_in_half(printed: str, end: str) -> bool:
    return end[-1:].isalpha() and f"{end}-" in printed and printed.count(end) == printed.count(f"{end}-")


def _meets_break(running: str, quoted: str) -> bool:
    """Whether a quotation can run over the break before or after this running text: an end of one is one of the other.

    Rules out most pages without a look at their neighbours, for a tenth of its price.
    """
    size = len(quoted)
    if not size or quoted[0] in _GLUE or quoted[-1] in _GLUE:
        return True  # may begin or end with what joins two pages
    return _begins_with_end_of(running[-size:], quoted) or _begins_with_end_of(quoted, running[:size])


def _begins_with_end_of(text: str, other: str) -> bool:
    """Whether an end of `text`, at least one character of it, is a beginning of `other`."""
    if other and text.endswith((other[:1], other[:2], other[:3])):
        return True
    last = text[-4:]  # longer ends are told by this one, which is rare enough
    position = other.find(last) if len(last) == 4 else -1
    while position >= 0:
        if text.endswith(other[: position + 4]):
            return True
        position = other.find(last, position + 1)
    return False


def _over_break(shelf: Shelf, programm_id: str, seite: int, reading: Reading) -> Match | None:
    """Begins on the page and ends on the next, runs over a whole page to the one after, or begins on the one before."""
    after = shelf.page(programm_id, seite + 1)
    last = seite + 2 if after is not None and after.flow_end < len(reading.compact) else seite + 1
    flow, first_seite = shelf.flow(programm_id, seite - 1, last)
    if reading.compact not in flow.compact:
        return None
    here = seite - first_seite
    for start, end in occurrences(flow.form, reading):
        first, final = flow.seiten(start, end)
        if first < final and (first == here or (first < here and final == here)):
            there = min(_COMPOUND, end - flow.starts[final])  # characters that stand on the last page
            if not reading.open_end and _ends_in_half(flow.pages[final].strict, reading.strict[-there:]):
                return None
            seiten = tuple(range(first_seite + first, first_seite + final + 1))
            return Match(verdict=Verdict.SPANS_PAGES, seiten=seiten, form=flow.form, start=start, end=end)
    return None


def stands_closely(shelf: Shelf, programm_id: str, seite: int, quotation: Quotation) -> Match | None:
    """The dear rungs, for a quotation that did not pass as it is written."""
    page = shelf.page(programm_id, seite)
    if page is None:
        return None
    for reading in quotation.readings[1:]:
        if match := stands(shelf, programm_id, seite, reading):
            verdict = Verdict.LAYOUT if match.verdict is Verdict.EXACT else match.verdict
            return Match(verdict=verdict, seiten=match.seiten, form=match.form, start=match.start, end=match.end)
    for reading in quotation.readings:
        if match := (
            _in_natural_order(shelf, programm_id, seite, reading)
            or _in_capitals(shelf, programm_id, seite, reading)
            or with_forgiven_marks(shelf, programm_id, seite, reading)
            or _elided(shelf, programm_id, seite, reading)
        ):
            return match
    return None


def _in_natural_order(shelf: Shelf, programm_id: str, seite: int, reading: Reading) -> Match | None:
    page = shelf.page(programm_id, seite)
    if page is None or not _touches_moved(reading.compact, page):
        return None
    form = shelf.natural_form(programm_id, seite)
    if form is None:
        return None
    for start, end in occurrences(form, reading):
        note = "read in the order of the PDF's own text, with what stands beside the running text"
        return Match(verdict=Verdict.LAYOUT, seiten=(seite,), form=form, start=start, end=end, note=note)
    return None


def _touches_moved(quoted: str, page: Page) -> bool:
    """Whether the quotation holds a piece that was moved out of the running text, or begins or ends in one."""
    moved = page.compact[page.flow_end + 1 :].split(BARRIER)
    return any(piece in quoted or quoted[:_EDGE] in piece or quoted[-_EDGE:] in piece for piece in moved if piece)


def _in_capitals(shelf: Shelf, programm_id: str, seite: int, reading: Reading) -> Match | None:
    page = shelf.page(programm_id, seite)
    if page is None or without_capital_marks(reading.compact) not in without_capital_marks(page.compact):
        return None
    printed, quoted = without_capital_marks(page.strict), without_capital_marks(reading.strict)
    if _halves_compound(printed, quoted, open_end=reading.open_end):
        return None
    form = page_form(page)
    span = find_capitals(shelf.cased_flow(programm_id, seite), form, reading)
    if span is None:
        return None
    return Match(verdict=Verdict.LAYOUT, seiten=(seite,), form=form, start=span[0], end=span[1])


def with_forgiven_marks(shelf: Shelf, programm_id: str, seite: int, reading: Reading) -> Match | None:
    """The quotation adds full stops where a printed heading or paragraph ends, or letters where bullets are printed."""
    if "." not in reading.strict and not _LONE_BULLET.search(reading.strict):
        return None
    bare, running = _without_marks(reading.strict), shelf.without_stops(programm_id, seite)
    if bare not in running and not (
        _meets_break(running, bare) and bare in shelf.around_without_stops(programm_id, seite, len(bare) - 1)
    ):
        return None
    quoted = words(reading.strict)
    window = shelf.window(programm_id, seite, quoted) or shelf.passage(programm_id, seite - 1, seite + 1)
    alignment = align(quoted, window[0])
    if alignment is None or alignment.difference is not Difference.NONE or not alignment.forgiven:
        return None
    match = stands(shelf, programm_id, seite, Reading.of(_without(reading.cased, quoted, alignment.forgiven)))
    if match is None:
        return None
    verdict = Verdict.LAYOUT if len(match.seiten) == 1 else Verdict.SPANS_PAGES
    note = "marks are added that the page does not print: a full stop at the end of a heading or bullet, or a bullet"
    return Match(verdict=verdict, seiten=match.seiten, note=note)


_LONE_BULLET = re.compile(rf"(?<![\w'])(?:{BULLET.pattern})(?![\w'])")


@lru_cache(8)  # asked for each page that may hold the quotation
def _without_marks(form: str) -> str:
    return compact(_LONE_BULLET.sub("", form)).replace(".", "")


def _without(cased: str, quoted: Words, tokens: tuple[int, ...]) -> str:
    """The strict form without the marks of these tokens; their spans are the same with and without case."""
    if len(lower(cased)) != len(cased):
        return cased
    for token in reversed(tokens):
        start, end = quoted.spans[token]
        cased = cased[:start] + cased[end:]
    return cased


def _elided(shelf: Shelf, programm_id: str, seite: int, reading: Reading) -> Match | None:
    parts = long_parts(reading)
    if not parts or not in_order(parts, shelf.flow(programm_id, seite - 1, seite + 1)[0].compact):
        return None
    window = shelf.window_of_parts(programm_id, seite, parts)
    if window is None:
        return None
    passage, first_seite = window
    found = find_parts(parts, passage, seite - first_seite)
    page = shelf.page(programm_id, seite)
    if found is None or found.changes or found.short_part or page is None:
        return None
    if any(_halves_compound(page.strict, part.strict, open_end=part.open_end) for part in parts):
        return None
    first, last = passage.page_of(found.first), passage.page_of(found.last - 1)
    return Match(verdict=Verdict.ELIDED, seiten=tuple(range(first_seite + first, first_seite + last + 1)))
