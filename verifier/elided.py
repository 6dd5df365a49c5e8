"""Quotations that mark their gaps: every part stands there in order, and no gap hides a guard word (SPEC §6 elided)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from verifier.guards import GUARDING, kind_of
from verifier.match import occurrences
from verifier.passage import Passage, words
from verifier.quotation import Reading
from verifier.verdict import Change

_MIN_WORDS = 3  # words of a part; shorter ones stand anywhere
_TRIES = 50  # places of the first part that are tried


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Where all parts stand: tokens [first, last) of the passage. `changes` are gaps that hide a guard word."""

    first: int
    last: int
    short_part: bool
    changes: tuple[Change, ...]


@lru_cache(8)  # asked for each page that may hold the quotation
def long_parts(reading: Reading) -> tuple[Reading, ...]:
    """The parts between marked gaps; none if one of them is so short that it stands anywhere."""
    parts = reading.parts()
    return () if _has_short(parts) else parts


def _has_short(parts: Sequence[Reading]) -> bool:
    return any(_count(part) < _MIN_WORDS for part in parts)


def _count(part: Reading) -> int:
    """Words of a part; a letter-spaced word is one, a dash none."""
    quoted = words(part.strict)
    return sum(map(quoted.is_word, range(len(quoted.keys))))


def in_order(parts: Sequence[Reading], compact: str) -> bool:
    """Whether all parts stand in a compact form, one behind the other: cheap, for before a page is read into words."""
    position = 0
    for part in parts:
        found = compact.find(part.compact, position)
        if found < 0:
            return False
        position = found + len(part.compact)
    return True


def find_parts(parts: Sequence[Reading], passage: Passage, here: int) -> Parts | None:
    """The parts in order on page `here` (0-based in the passage) and one neighbour; None if one does not stand there.

    Of several chains the one without a hidden guard word, then the tightest.
    """
    chains = []
    for number, (start, end) in enumerate(occurrences(passage.form, parts[0])):
        if number >= _TRIES:
            break
        if spans := _chain(parts, passage, (start, end)):
            chains.append(spans)
    judged = [judged for spans in chains if (judged := _judge(parts, passage, spans, here)) is not None]
    return min(judged, key=lambda found: (len(found.changes), found.last - found.first), default=None)


def _chain(parts: Sequence[Reading], passage: Passage, first: tuple[int, int]) -> list[tuple[int, int]] | None:
    spans = [first]
    for part in parts[1:]:
        following = next(occurrences(passage.form, part, spans[-1][1]), None)
        if following is None:
            return None
        spans.append(following)
    return spans


def _judge(parts: Sequence[Reading], passage: Passage, spans: list[tuple[int, int]], here: int) -> Parts | None:
    first, last = passage.token_at(spans[0][0]), passage.token_at(spans[-1][1])
    pages = (passage.page_of(first), passage.page_of(max(first, last - 1)))
    if here not in pages or pages[1] - pages[0] > 1:
        return None
    gaps = [(passage.token_at(one[1]), passage.token_at(two[0])) for one, two in pairwise(spans)]
    changes = tuple(change for gap in gaps if (change := _hidden(passage, *gap)) is not None)
    return Parts(first=first, last=last, short_part=_has_short(parts), changes=changes)


def _hidden(passage: Passage, start: int, end: int) -> Change | None:
    """The guard word that a gap hides from a sentence of which words are quoted; whole sentences may be left out."""
    printed = passage.words
    ends = [number for number in range(start, end) if printed.ends_sentence(number)]
    # "Folgendes wird es nicht geben: • A • B": bullets end, but what the intro says holds for all that follow.
    intro = max(
        (number for number in printed.paragraph_ends if start <= number < end and printed.keys[number] == ":"),
        default=None,
    )
    if intro is not None:
        ends = [number for number in ends if number < intro or printed.keys[number] in ".!?"]
    after_sentence = start > 0 and printed.ends_sentence(start - 1)
    if not ends:
        looked_at = list(range(start, end))
    else:
        leading = [] if after_sentence else list(range(start, ends[0] + 1))
        looked_at = [*leading, *range(ends[-1] + 1, end)]
    for number in looked_at:
        kind = kind_of(printed.keys[number])
        if kind in GUARDING:
            return Change(kind=kind, quoted="[…]", printed=passage.source(start, end))
    return None
