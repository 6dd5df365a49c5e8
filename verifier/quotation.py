"""The quoted words as they must be looked for: marks of cutting set aside, the debris of models removed (SPEC §5).

A quotation has several readings, cheap to dear. The first is what was written; the others forgive what is no wording:
escapes, Markdown, citation tokens, brackets around a printed word, a bullet. None of them removes a word.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from indexer.normalize import compact, fold, lower, strict

MIN_LENGTH = 20  # characters of the strict form; shorter texts fit any page (SPEC §6 too_short)

# None of these patterns may be quadratic on any text: rows of dots and quotation marks are common (tables of contents).
_MARK = re.compile(r"\[ ?\.{3,80} ?\]|\( ?\.{3,80} ?\)|\.{3,}|\. \. \.(?: ?\.)*")
_EDGE = " .\"'[]()"  # characters that a cut mark and what stands around it can be made of
_EDGE_LENGTH = 80
_OUTER_MARKS = "\"' "
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
    """The quoted words of one Zitat. `length` counts the strict form without outer and cut marks, in characters."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.reading = _reading(text)
        self.length = len(self.reading.strict)

    @cached_property
    def readings(self) -> tuple[Reading, ...]:
        """All readings, the written one first, without repetitions."""
        readings = {self.reading.compact: self.reading}
        for text in _cleaned(self.text):
            reading = _reading(text)
            if reading.compact:
                readings.setdefault(reading.compact, reading)
        return tuple(readings.values())


_SUSPECT = re.compile(r"[\\*&\[\]【>_`#]")
_LABELLED = re.compile(r"\A\W*(?:zitat|quote)", re.IGNORECASE)
_CITE_TOKENS = re.compile(
    r"\[\s*cite[^\[\]]{0,80}\]|【[^【】]{0,80}】|\[\s*\d{1,3}(?:\s*[,;–-]\s*\d{1,3}){0,8}\s*\]", re.IGNORECASE
)
_ESCAPE = re.compile(r"\\([\"'*_#\[\](){}>~`!|.+&-])")
_ESCAPED_BREAK = re.compile(r"\\[nrt](?=[\sA-ZÄÖÜ]|\Z)")
_MARKDOWN = re.compile(r"\*\*+|__+|`+|(?<![\w*])\*(?=\w)|(?<=[\w.,;:!?])\*(?![\w*])|^[ \t]*#{1,6}\s", re.MULTILINE)
_QUOTE_PREFIX = re.compile(r"^[ \t]*>\s?", re.MULTILINE)
_LABEL = re.compile(r"\A[\s\"'„“*]*(?:Wörtliches )?(?:Zitat|Quote)\s*:\s*", re.IGNORECASE)
_PAGE_AT_END = re.compile(
    r"[(\[]\s*(?:vgl\.\s*)?(?:S\.|Seiten?|p\.|pp\.)\s*\d{1,4}[^()\[\]]{0,40}[)\]][\s.\"'“”»«]*\Z", re.IGNORECASE
)
_BRACKETED = re.compile(r"\[([^\[\]]{1,60})\]")
_TAIL = 120  # characters at the end in which a page reference is looked for
_DOTS_ONLY = re.compile(r"[\s.…]+\Z")


def _cleaned(text: str) -> Iterator[str]:
    """The text without the debris that models leave, cautious first; nothing if there is none."""
    if not (_SUSPECT.search(text) or _LABELLED.match(text) or ")" in text[-_TAIL:]):
        return
    clean = _unescaped(text)
    clean = _QUOTE_PREFIX.sub("", _LABEL.sub("", _MARKDOWN.sub("", _ESCAPE.sub(r"\1", _ESCAPED_BREAK.sub(" ", clean)))))
    yield clean
    without_tokens = _CITE_TOKENS.sub("", clean)
    without_tokens = without_tokens[:-_TAIL] + _PAGE_AT_END.sub("", without_tokens[-_TAIL:])
    yield without_tokens
    for base in (without_tokens, clean):
        yield _BRACKETED.sub(_inner_words, base)


def _unescaped(text: str) -> str:
    if "&" not in text:
        return text
    from html import unescape  # noqa: PLC0415  # 2 ms of import that only escaped quotations need

    return unescape(unescape(text))


def _inner_words(match: re.Match[str]) -> str:
    """`[wir]` gives the word, `[…]` stays a gap."""
    return match[0] if _DOTS_ONLY.match(match[1]) else match[1]
