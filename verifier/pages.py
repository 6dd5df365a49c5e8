"""Pages of the index as the checks need them, with small caches: an assessment cites the same pages again and again."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache

from indexer.forms import flow_text, page_forms
from indexer.lookup import Page, PageIndex
from indexer.normalize import compact, fold
from indexer.seite import DROPPED, Cut
from verifier.match import Flow, Form, is_boundary, join
from verifier.passage import Passage, Words
from verifier.quotation import Reading

_HITS = 4  # places of one run of words that are looked at
_LARGE = 30_000  # characters of a stretch from which on whole pages are read into words, and kept
_AROUND = 200  # characters of context on each side: enough for the rest of most sentences
_EDGE = 12  # characters by which the begin or end of a running text is told in the natural order
_PAGES = 512  # about 5 MB
_PASSAGES = 16  # their word lists are large, and only citations that did not pass need them


class Shelf:
    """Pages, joined running texts and passages of one index. Every page number is a 1-based PDF position."""

    def __init__(self, index: PageIndex) -> None:
        self.index = index
        self.page = lru_cache(_PAGES)(self._page)
        self._at_hand: Page | None = None
        self.passage = lru_cache(_PASSAGES)(self._passage)
        self.without_stops = lru_cache(_PASSAGES)(self._without_stops)
        self.natural_form = lru_cache(_PASSAGES)(self._natural_form)

    def candidates(self, quoted: str) -> Iterator[tuple[str, int]]:
        """(`programm_id`, `seite`) of every page on which a quotation of this compact form can begin.

        Each page is at hand until the next one is asked for: by its key it would cost twice what it cost here.
        """
        for page in self.index.candidates(quoted):
            self._at_hand = page
            yield page.programm_id, page.seite

    def _page(self, programm_id: str, seite: int) -> Page | None:
        page = self._at_hand
        if page is not None and page.seite == seite and page.programm_id == programm_id:
            return page
        return self.index.page(programm_id, seite)

    def flow(self, programm_id: str, first: int, last: int) -> tuple[Flow, int]:
        """The joined running texts of pages `first` to `last` as far as they exist, and the number of the first one."""
        numbers = range(max(1, first), last + 1)
        pages = [page for page in (self.page(programm_id, number) for number in numbers) if page is not None]
        return join(pages), pages[0].seite if pages else first

    def _without_stops(self, programm_id: str, seite: int) -> str:
        """The running text of a page in compact form without full stops; empty if there is no such page."""
        page = self.page(programm_id, seite)
        return page.compact[: page.flow_end].replace(".", "") if page is not None else ""

    def around_without_stops(self, programm_id: str, seite: int, reach: int) -> str:
        """The same for an existing page, and `reach` characters of its neighbours on each side."""
        flow, first = self.flow(programm_id, seite - 1, seite + 1)
        text, here = flow.compact, seite - first
        begin, end = flow.starts[here], (*flow.starts, len(text))[here + 1]
        before, page, after = (part.replace(".", "") for part in (text[:begin], text[begin:end], text[end:]))
        return before[max(0, len(before) - reach) :] + page + after[: max(0, reach)]

    def _passage(self, programm_id: str, first: int, last: int) -> tuple[Passage, int]:
        """The words of pages `first` to `last` as far as they exist, and the number of the first one."""
        numbers = [seite for seite in range(max(1, first), last + 1) if self.page(programm_id, seite) is not None]
        return Passage([self.running_text(programm_id, seite) for seite in numbers]), numbers[0] if numbers else first

    def window(self, programm_id: str, seite: int, quoted: Words) -> tuple[Passage, int] | None:
        """The stretch around page `seite` in which the quoted words lie, and the number of its first page.

        None where not even three quoted words in a row stand there. Much cheaper than whole pages, and enough to align.
        """
        flow, first = self.flow(programm_id, seite - 1, seite + 1)
        span = spread(quoted, flow, seite - first)
        return None if span is None else self._stretch(programm_id, flow, first, span)

    def window_of_parts(self, programm_id: str, seite: int, parts: Sequence[Reading]) -> tuple[Passage, int] | None:
        """The stretch around page `seite` with all places of all `parts`, and the number of its first page.

        None where one of them stands on none of the three pages.
        """
        flow, first = self.flow(programm_id, seite - 1, seite + 1)
        begin, end = len(flow.compact), 0
        for part in parts:
            start = flow.compact.find(part.compact)
            if start < 0:
                return None
            begin, end = min(begin, start), max(end, flow.compact.rfind(part.compact) + len(part.compact))
        if end - begin > _LARGE:
            return self.passage(programm_id, seite - 1, seite + 1)
        return self._stretch(programm_id, flow, first, (begin - _AROUND, end + _AROUND))

    def _stretch(self, programm_id: str, flow: Flow, first: int, span: tuple[int, int]) -> tuple[Passage, int]:
        """The words of `flow` (from page `first` on) between two positions, and the number of their first page."""
        slices = []
        ends = (*flow.starts[1:], len(flow.compact))
        for number, (start, end) in enumerate(zip(flow.starts, ends, strict=True), start=first):
            if start < end and span[0] < end and span[1] > start:
                shares = (span[0] - start) / (end - start), (span[1] - start) / (end - start)
                slices.append((number, _raw_slice(self.running_text(programm_id, number), *shares)))
        numbers = range(slices[0][0], slices[-1][0] + 1)
        texts = dict(slices)
        return Passage([texts.get(number, "") for number in numbers]), numbers[0]

    def running_text(self, programm_id: str, seite: int) -> str:
        """The raw running text of an existing page, in the source's own characters."""
        return flow_text(*self._raw(programm_id, seite))

    def _raw(self, programm_id: str, seite: int) -> tuple[str, tuple[Cut, ...]]:
        raw = self.index.raw(programm_id, seite)
        if raw is None:
            raise LookupError(f"{programm_id} has no page {seite}")
        return raw

    def cased_flow(self, programm_id: str, seite: int) -> str:
        """The compact form of an existing page's running text with its case."""
        return compact(fold(self.running_text(programm_id, seite), keep_case=True))

    def _natural_form(self, programm_id: str, seite: int) -> Form | None:
        """The second reading of a page: heads, notes and captions where the PDF has them; None if it has none.

        What begins or ends with a figure stays apart, so that no page or chapter number can be read into a sentence.
        """
        text, cuts = self._raw(programm_id, seite)
        page = self.page(programm_id, seite)
        apart = [cut for cut in cuts if cut.kind in DROPPED or _has_figure_at_edge(text, cut)]
        if page is None or len(apart) == len(cuts):
            return None
        forms = page_forms(text, apart)
        return Form(compact=forms.compact, boundaries=_as_broken_as(page, forms.compact, forms.boundaries))


def spread(quoted: Words, flow: Flow, here: int) -> tuple[int, int] | None:
    """Positions in `flow.compact` between which the runs of three quoted words lie, on or touching page `here`."""
    text = flow.compact
    begin = flow.starts[here]
    end = flow.starts[here + 1] if here + 1 < len(flow.starts) else len(text)
    size = sum(map(len, quoted.keys))
    hits = [hit for run in quoted.threes for hit in _hits(text, run, begin - size, end + size)]
    if not any(begin <= hit < end for hit in hits):
        return None
    ordered = sorted(hits)
    centre = max(hits, key=lambda hit: (bisect_right(ordered, hit + size) - bisect_left(ordered, hit - size), -hit))
    near = [hit for hit in hits if abs(hit - centre) <= 2 * size]
    return min(near) - size // 2 - _AROUND, max(near) + size // 2 + _AROUND


def _hits(text: str, run: str, begin: int, end: int) -> Iterator[int]:
    position = text.find(run, max(0, begin), end)
    for _ in range(_HITS):
        if position < 0:
            return
        yield position
        position = text.find(run, position + 1, end)


def _raw_slice(raw: str, begin: float, end: float) -> str:
    """The part of a page between two shares of its length, with room for their being shares of another form."""
    room = _AROUND + len(raw) // 50
    start, stop = max(0, int(begin * len(raw)) - room), min(len(raw), int(end * len(raw)) + room)
    while start and not raw[start - 1].isspace():
        start -= 1
    while stop < len(raw) and not raw[stop].isspace():
        stop += 1
    return raw[start:stop]


def _as_broken_as(page: Page, natural: str, boundaries: bytes) -> bytes:
    """The boundaries of the second reading, without one where a page break goes through a word ("Deutsch-" | "land").

    Wherever the end in question stands in the natural order: at the page's own edge there may be a head or a note.
    """
    bits = int.from_bytes(boundaries, "little")
    running = page.compact[: page.flow_end]
    for position, edge, into in ((0, running[:_EDGE], 0), (page.flow_end, running[-_EDGE:], len(running[-_EDGE:]))):
        if not edge or is_boundary(page.boundaries, position):
            continue
        found = natural.find(edge)
        while found >= 0:
            bits &= ~(1 << (found + into))
            found = natural.find(edge, found + 1)
    return bits.to_bytes(len(boundaries), "little")


def _has_figure_at_edge(text: str, cut: Cut) -> bool:
    piece = text[cut.start : cut.end].split()
    return cut.kind == "page_number" or not piece or any(map(str.isdigit, piece[0] + piece[-1]))
