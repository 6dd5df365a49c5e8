"""Where else the quotation stands, and which passage comes nearest to it (SPEC §6 found, nearest).

The trigram index proposes pages, the ladder decides.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from verifier.align import Alignment, align
from verifier.elided import find_parts, long_parts
from verifier.ladder import Match, stands, stands_closely, with_forgiven_marks
from verifier.pages import Shelf
from verifier.passage import Words, words
from verifier.quotation import Quotation, Reading
from verifier.verdict import Fundstelle, Nearest

MAX_FOUND = 50  # places named on a Befund (SPEC §6); found_total counts all
_COMPARED = 12_000  # characters of a quotation that are compared word by word, some 1,700 words
_PROBE = 24  # characters of compact form with which the nearest passage is looked for
_PROBES = 8
_DEAR = 500  # pages that are looked at for a quotation with gaps; only parts that say nothing stand on more
_COMMON = 40  # a piece that may stand on more pages of the programme leads nowhere
_TRIED = 3  # pages that are aligned
_CONTEXT = 6  # words shown around the nearest passage


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """All places where the quotation passes, those of `first` programmes first, each programme in page order."""

    places: tuple[Fundstelle, ...]

    @property
    def named(self) -> tuple[Fundstelle, ...]:
        """The places that a Befund names."""
        return self.places[:MAX_FOUND]


_SHORTEST = 3  # characters of the compact form

NOTHING = Found(places=())

_Pages = Iterable[tuple[str, int]]


def find(shelf: Shelf, quotation: Quotation, first: Collection[str]) -> Found:
    """Look for the quotation in every programme; `first` are the programm_ids of the cited one, best edition first."""
    order = {programm_id: number for number, programm_id in enumerate(first)}
    places: set[tuple[str, int]] = set()
    for reading in quotation.readings:
        bare = reading.without_full_stop()
        pages: list[tuple[str, int]] = []  # that the index proposes, once for both
        places.update(_standing(shelf, reading, _noted(_proposed(shelf, bare or reading), pages)))
        if not places and bare:
            places.update(_with_full_stop(shelf, reading, pages))
        if not places and (parts := long_parts(reading)):
            places.update(_elided(shelf, quotation, max(parts, key=lambda part: len(part.compact)), order))
        if places:
            break
    ordered = sorted(places, key=lambda place: (order.get(place[0], len(order)), place))
    return Found(places=tuple(fundstelle(shelf, programm_id, seite) for programm_id, seite in ordered))


def fundstelle(shelf: Shelf, programm_id: str, seite: int) -> Fundstelle:
    """The place with the number that its page prints."""
    page = shelf.page(programm_id, seite)
    return Fundstelle(programm_id=programm_id, seite=seite, seitenlabel=page.seitenlabel if page else None)


def _proposed(shelf: Shelf, probe: Reading) -> Iterator[tuple[str, int]]:
    """Pages on which the reading can begin; none for one that is nearly all marks, which trigrams cannot find."""
    return shelf.candidates(probe.compact) if len(probe.compact) >= _SHORTEST else iter(())


def _noted(pages: _Pages, seen: list[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    for place in pages:
        seen.append(place)
        yield place


def _standing(shelf: Shelf, reading: Reading, pages: _Pages) -> Iterator[tuple[str, int]]:
    yield from _confirmed(pages, lambda programm_id, seite: stands(shelf, programm_id, seite, reading))


def _with_full_stop(shelf: Shelf, reading: Reading, pages: _Pages) -> Iterator[tuple[str, int]]:
    yield from _confirmed(pages, lambda programm_id, seite: with_forgiven_marks(shelf, programm_id, seite, reading))


def _elided(shelf: Shelf, quotation: Quotation, probe: Reading, order: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    pages = shelf.index.candidate_places(probe.compact) if len(probe.compact) >= _SHORTEST else []
    pages = sorted(pages, key=lambda place: order.get(place[0], len(order)))[:_DEAR]
    yield from _confirmed(pages, lambda programm_id, seite: stands_closely(shelf, programm_id, seite, quotation))


def _confirmed(pages: _Pages, check: Callable[[str, int], Match | None]) -> Iterator[tuple[str, int]]:
    """Those of the pages that the index proposes that pass `check`, each with all pages of its match."""
    for programm_id, seite in pages:
        match = check(programm_id, seite)
        if match is not None and match.seiten[0] <= seite:
            yield from ((programm_id, number) for number in match.seiten)


@dataclass(frozen=True, slots=True, kw_only=True)
class NearestPassage:
    """An alignment, and the page on which it begins."""

    alignment: Alignment
    nearest: Nearest


def nearest_on(shelf: Shelf, programm_id: str, seite: int, quoted: Sequence[Words]) -> NearestPassage | None:
    """The passage on this page (running on to a neighbour, but touching this page) that comes nearest to a reading.

    None where not even three quoted words in a row stand on the page.
    """
    found = [near for one in quoted if (near := _nearest_to(shelf, programm_id, seite, one)) is not None]
    return max(found, key=lambda near: (near.alignment.run, -len(near.alignment.changes)), default=None)


def _nearest_to(shelf: Shelf, programm_id: str, seite: int, quoted: Words) -> NearestPassage | None:
    window = shelf.window(programm_id, seite, quoted)
    if window is None:
        return None
    passage, first_seite = window
    alignment = align(quoted, passage)
    if alignment is None:
        return None
    pages = {first_seite + passage.page_of(token) for token in (alignment.first, alignment.last - 1)}
    if not min(pages) <= seite <= max(pages):
        return None
    place = fundstelle(shelf, programm_id, first_seite + passage.page_of(alignment.first))
    text = passage.source(max(0, alignment.first - _CONTEXT), min(len(passage.words.keys), alignment.last + _CONTEXT))
    nearest = Nearest(
        programm_id=programm_id, seite=place.seite, seitenlabel=place.seitenlabel, text=text, diff=alignment.changes
    )
    return NearestPassage(alignment=alignment, nearest=nearest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gaps:
    """A quotation with marked gaps whose parts all stand there: its diff are the gaps that hide a guard word."""

    nearest: Nearest


def gaps_on(shelf: Shelf, programm_id: str, seite: int, quotation: Quotation) -> Gaps | None:
    """The parts of the quotation in order on this page and one neighbour, though not in a way that passes."""
    for reading in quotation.readings:
        if not (parts := reading.parts()) or not (window := shelf.window_of_parts(programm_id, seite, parts)):
            continue
        passage, first_seite = window
        if found := find_parts(parts, passage, seite - first_seite):
            place = fundstelle(shelf, programm_id, first_seite + passage.page_of(found.first))
            text = passage.source(found.first, found.last)
            return Gaps(
                nearest=Nearest(
                    programm_id=programm_id,
                    seite=place.seite,
                    seitenlabel=place.seitenlabel,
                    text=text,
                    diff=found.changes,
                )
            )
    return None


def nearest_anywhere(shelf: Shelf, quotation: Quotation, programm_ids: Collection[str]) -> NearestPassage | None:
    """The nearest passage in these programmes: pages that hold pieces of the quotation are proposed, then aligned."""
    votes: Counter[tuple[str, int]] = Counter()
    for probe in _probes(quotation.reading.compact):
        own = shelf.index.pages_with(probe, programm_ids)
        if len(own) <= _COMMON:
            votes.update(own)
    quoted = compared_words(quotation)
    best: NearestPassage | None = None
    likely = sorted((-count, place) for place, count in votes.items())
    for _, (programm_id, seite) in likely[:_TRIED]:
        found = nearest_on(shelf, programm_id, seite, quoted)
        if found is not None and (best is None or found.alignment.run > best.alignment.run):
            best = found
    return best


def compared_words(quotation: Quotation) -> tuple[Words, ...]:
    """The words with which the nearest passage is looked for, as written and without debris.

    Of a text longer than any quotation its beginning.
    """
    texts = dict.fromkeys(quotation.readings[number].strict[:_COMPARED] for number in (0, -1))
    return tuple(map(words, texts))


def _probes(text: str) -> Iterator[str]:
    """Pieces of the compact form, spread over the whole quotation."""
    last = max(0, len(text) - _PROBE)
    step = max(_PROBE // 2, -(-last // _PROBES))
    for start in range(0, last + 1, step):
        yield text[start : start + _PROBE]
