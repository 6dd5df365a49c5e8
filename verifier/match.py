"""Pure text: does a reading of the quotation stand in these forms? No database, no verdicts (SPEC §5).

A match begins and ends at boundaries of the printed page; positions are those of the compact form.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from indexer.lookup import Page
from indexer.schema import BARRIER
from verifier.quotation import Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A compact form and its boundaries: bit i, lowest first, is set where a match may begin or end at position i."""

    compact: str
    boundaries: bytes


def is_boundary(boundaries: bytes, position: int) -> bool:
    """Whether a match may begin or end at `position` of the compact form."""
    return bool(boundaries[position >> 3] >> (position & 7) & 1)


def page_form(page: Page) -> Form:
    """The form of a whole page: running text and, behind barriers, what was moved out of it."""
    return Form(compact=page.compact, boundaries=page.boundaries)


def occurrences(form: Form, reading: Reading, start: int = 0) -> Iterator[tuple[int, int]]:
    """Spans (start, end) in `form.compact` where the reading stands, in order.

    A start lies always at a boundary; an end that is marked as cut may lie inside a word, never inside a number.
    """
    quoted = reading.compact
    size = len(quoted)
    if not size or BARRIER in quoted:
        return
    text, boundaries = form.compact, form.boundaries
    position = text.find(quoted, start)
    while position >= 0:
        end = position + size
        if is_boundary(boundaries, position) and (
            is_boundary(boundaries, end) or (reading.open_end and _cut_inside_word(text, end))
        ):
            yield position, end
        # On to where both ends can be boundaries: from letter to letter, a page of one long word would take for ever.
        following = _next_boundary(boundaries, position + 1)
        if following is not None and not reading.open_end:
            last = _next_boundary(boundaries, following + size)
            following = None if last is None else max(following, last - size)
        position = -1 if following is None else text.find(quoted, following)


_ANY = re.compile(rb"[^\0]")


def _next_boundary(boundaries: bytes, position: int) -> int | None:
    """The first boundary at or after `position`, or None."""
    byte, bit = position >> 3, position & 7
    if byte < len(boundaries) and (rest := boundaries[byte] >> bit):
        return position + (rest & -rest).bit_length() - 1
    found = _ANY.search(boundaries, byte + 1)
    if found is None:
        return None
    rest = found[0][0]
    return 8 * found.start() + (rest & -rest).bit_length() - 1


def _cut_inside_word(text: str, end: int) -> bool:
    following = text[end : end + 1]  # nothing, or a barrier: the page breaks the word
    return text[end - 1].isalpha() and (following.isalpha() or following in ("", BARRIER))


@dataclass(frozen=True, kw_only=True)
class Flow:
    """The running texts of consecutive pages, with all between them skipped (SPEC §6 spans_pages).

    `compact`: as one text. `starts[k]` is where `pages[k]` begins in it.
    """

    pages: tuple[Page, ...]
    compact: str
    starts: tuple[int, ...]

    @cached_property
    def form(self) -> Form:
        """The text with its boundaries, which most looks at it do not need."""
        bits = 0
        for page, start in zip(self.pages, self.starts, strict=True):
            bits |= (int.from_bytes(page.boundaries, "little") & ((1 << page.flow_end) - 1)) << start
        size = len(self.compact)
        if self.pages:
            last = self.pages[-1]
            bits |= int(is_boundary(last.boundaries, last.flow_end)) << size
        return Form(compact=self.compact, boundaries=bits.to_bytes(size // 8 + 1, "little"))

    def seiten(self, start: int, end: int) -> tuple[int, int]:
        """The pages (0-based in this flow) on which a span begins and ends."""
        first = sum(1 for begin in self.starts if begin <= start) - 1
        last = sum(1 for begin in self.starts if begin < end) - 1
        return first, last


def join(pages: Sequence[Page]) -> Flow:
    """The flow of pages that follow each other."""
    text = ""
    starts = []
    for number, page in enumerate(pages):
        running = page.compact[: page.flow_end]
        if text and running:
            text += _glue(pages[number - 1], text, running)
        starts.append(len(text))
        text += running
    return Flow(pages=tuple(pages), compact=text, starts=tuple(starts))


def _glue(before: Page, text: str, running: str) -> str:
    """What stands between two pages in the compact form: nothing may weld numbers over the break."""
    if not running[0].isdigit():
        return ""
    if before.strict.partition(BARRIER)[0].endswith("-") and not text.endswith("-"):
        return "-"
    # "1, 3," | "5": behind a digit and a mark the form keeps the space (`indexer.normalize.compact`), as a reader does.
    return " " if text[-1].isdigit() or (text[-1] in ".,:/" and text[-2:-1].isdigit()) else ""
