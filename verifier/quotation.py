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

_DOTS = r"\[ ?\.\.\.+ ?\]|\( ?\.\.\.+ ?\)|\.\.\.+|\. \. \.(?: ?\.)*"
_CUT_AT_START = re.compile(rf"(?:[\"' ]*(?:{_DOTS}))+[\"' ]*")
_CUT_AT_END = re.compile(rf"[\"' ]*(?:(?:{_DOTS})[\"' ]*)+\Z")
_GAP = re.compile(rf"[\"' ]*(?:{_DOTS})[\"' ]*")
_OUTER_MARKS = "\"' "


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
        """The pieces between marked gaps, in order; empty if the quotation marks none."""
        if "..." not in self.strict and ". . ." not in self.strict:
            return ()
        pieces = [piece for piece in _GAP.split(self.cased) if piece.strip(_OUTER_MARKS)]
        if len(pieces) < 2:
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
        if start := _CUT_AT_START.match(bare):
            bare = bare[start.end() :]
        if end := _end_mark(bare):
            bare, open_end = bare[:end], True
        bare = bare.strip(_OUTER_MARKS)
    return Reading.of(bare, open_end=open_end)


def _end_mark(text: str) -> int | None:
    """Where a cut mark at the end of `text` begins; looked for near the end only, so that dots cost no time."""
    tail = max(0, len(text) - 80)
    found = _CUT_AT_END.search(text, tail)
    return found.start() if found else None


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


_SUSPECT = re.compile(r"[\\*&\[\]【>_`#]|\A\W*(?:zitat|quote)|\)\W*\Z", re.IGNORECASE)
_CITE_TOKENS = re.compile(
    r"\[\s*cite[^\[\]]{0,80}\]|【[^【】]{0,80}】|\[\s*\d{1,3}(?:\s*[,;–-]\s*\d{1,3}){0,8}\s*\]", re.IGNORECASE
)
_ESCAPE = re.compile(r"\\([\"'*_#\[\](){}>~`!|.+&-])")
_ESCAPED_BREAK = re.compile(r"\\[nrt](?=[\sA-ZÄÖÜ]|\Z)")
_MARKDOWN = re.compile(r"\*\*+|__+|`+|(?<![\w*])\*(?=\w)|(?<=[\w.,;:!?])\*(?![\w*])|^\s*#{1,6}\s", re.MULTILINE)
_QUOTE_PREFIX = re.compile(r"^\s*>\s?", re.MULTILINE)
_LABEL = re.compile(r"\A[\s\"'„“*]*(?:Wörtliches )?(?:Zitat|Quote)\s*:\s*", re.IGNORECASE)
_PAGE_AT_END = re.compile(
    r"\s*[(\[]\s*(?:vgl\.\s*)?(?:S\.|Seiten?|p\.|pp\.)\s*\d{1,4}[^()\[\]]{0,40}[)\]][\s.\"'“”»«]*\Z", re.IGNORECASE
)
_BRACKETED = re.compile(r"\[([^\[\]]{1,60})\]")
_DOTS_ONLY = re.compile(r"[\s.…]+\Z")


def _cleaned(text: str) -> Iterator[str]:
    """The text without the debris that models leave, cautious first; nothing if there is none."""
    if not _SUSPECT.search(text[:200]) and not _SUSPECT.search(text, 200):
        return
    clean = _unescaped(text)
    clean = _QUOTE_PREFIX.sub("", _LABEL.sub("", _MARKDOWN.sub("", _ESCAPE.sub(r"\1", _ESCAPED_BREAK.sub(" ", clean)))))
    yield clean
    without_tokens = _PAGE_AT_END.sub("", _CITE_TOKENS.sub("", clean))
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
