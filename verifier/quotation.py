"""The quoted words as they must be looked for: marks of cutting set aside, the debris of models removed (SPEC §5).

A quotation has several readings, cheap to dear. The first is what was written; the others forgive what is no wording:
escapes, Markdown, citation tokens, brackets around a printed word, a bullet. None of them removes a word.
"""

import re
from dataclasses import dataclass
from functools import cached_property

from indexer.normalize import compact, fold, lower, strict
from verifier.debris import cleaned

MIN_LENGTH = 20  # characters of the strict form; shorter texts fit any page (SPEC §6 too_short)

# None of these patterns may be quadratic on any text: rows of dots and quotation marks are common (tables of contents).
_MARK = re.compile(r"\[ ?\.{3,80} ?\]|\( ?\.{3,80} ?\)|\.{3,}|\. \. \.(?: ?\.)*")
_FEWEST = 10  # characters of the compact form; "a - - - - - - - - - - -" is as short as its one letter
_EDGE = " .\"'[]()"  # characters that a cut mark and what stands around it can be made of
_EDGE_LENGTH = 80
_OUTER_MARKS = "\"' "
_LONGEST = 50_000  # characters, many pages: a longer text is compared as it is written, without search for debris
_MOST_PARTS = 50  # between marked gaps; a text with more of them quotes nobody


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One way to read the quoted words. `open_end`: its end is marked as cut, so it may lie inside a word.

    `cased` is the strict form before lower case: some rules hold only for what is set in capitals.
    """

    cased: str
    strict: str
    compact: str
    open_end: bool

    @classmethod
    def of(cls, cased: str, *, open_end: bool = False) -> "Reading":
        """The reading of a strict form with its case."""
        form = lower(cased)
        return cls(cased=cased, strict=form, compact=compact(form), open_end=open_end)

    def parts(self) -> tuple["Reading", ...]:
        """The pieces between marked gaps, in order; empty if the quotation marks none, or too many."""
        if "..." not in self.strict and ". . ." not in self.strict:
            return ()
        pieces = [piece.strip(_OUTER_MARKS) for piece in _MARK.split(self.cased)]
        pieces = [piece for piece in pieces if piece]
        if not 2 <= len(pieces) <= _MOST_PARTS:
            return ()
        return (*map(Reading.of, pieces[:-1]), Reading.of(pieces[-1], open_end=self.open_end))

    def without_full_stop(self) -> "Reading | None":
        """The reading without the full stop at its end, which the quoter may have added; None if it has none."""
        if self.open_end or not self.compact.endswith(".") or self.compact.endswith(".."):
            return None
        return Reading.of(self.cased.rstrip(_OUTER_MARKS).removesuffix(".").rstrip(_OUTER_MARKS))


def _reading(text: str) -> Reading:
    form = strict(fold(text, keep_case=True))
    bare = form.strip(_OUTER_MARKS)
    open_end = False
    if "..." in bare or ". . ." in bare:
        bare = bare[_start_mark(bare) :]
        if (end := _end_mark(bare)) is not None:
            bare, open_end = bare[:end], True
        bare = bare.strip(_OUTER_MARKS)
    return Reading.of(bare, open_end=open_end)


def _start_mark(text: str) -> int:
    """Where the text begins behind its leading cut marks."""
    head = text[:_EDGE_LENGTH]
    ends = [mark.end() for mark in _MARK.finditer(head[: len(head) - len(head.lstrip(_EDGE))])]
    return max(ends, default=0)


def _end_mark(text: str) -> int | None:
    """Where the trailing cut marks of the text begin; None if it has none."""
    begin = max(0, len(text) - _EDGE_LENGTH)
    begin += len(text[begin:].rstrip(_EDGE))
    mark = _MARK.search(text, begin)
    return mark.start() if mark else None


class Quotation:
    """The quoted words of one Zitat."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.reading = _reading(text)

    @cached_property
    def length(self) -> int:
        """Characters of the strict form without outer marks, cut marks and debris, which make no text longer."""
        return min(
            len(reading.strict if len(reading.compact) >= _FEWEST else reading.compact) for reading in self.readings
        )

    @cached_property
    def readings(self) -> tuple[Reading, ...]:
        """All readings, the written one first, without repetitions."""
        readings = {self.reading.compact: self.reading}
        for text in cleaned(self.text) if len(self.text) <= _LONGEST else ():
            reading = _reading(text)
            if reading.compact:
                readings.setdefault(reading.compact, reading)
        return tuple(readings.values())
