"""The page as it is read from a PDF: its text, and which ranges of it are not running text (SPEC §5).

Standard library only: the build reads it, tests draw it, and nothing here knows PyMuPDF.
"""

from dataclasses import dataclass

EXTRACTOR_VERSION = 2
"""Raised whenever the same PDF gives other pages. 1: first version. 2: overprinted letters are written once."""

DROPPED = frozenset({"line_number", "footnote_mark", "double"})
"""Kinds that are not quotable at all: what stands before and after them belongs together. All others (`page_number`,
`head`, `foot`, `footnote`, `margin`, `caption`) stay quotable on their own, but are no part of the running text."""

OCR_LEAVES = ("blank page", "damaged page")
"""Reasons for a page without text that no recognition of characters can help."""

NOTHING_PRINTED = frozenset({"blank page", "only a page number", "only a running head or page number"})
"""Reasons for a page without text that leave no doubt: no quotation can stand there (`Seite.no_text`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """Half-open range `[start, end)` of characters of `Seite.text` that is not running text."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Seite:
    """One page of a programme.

    `seite` is its 1-based position in the PDF, `seitenlabel` the number printed on it (`"100/101"` where two printed
    pages share one PDF page). `text` holds the source's own characters in natural order: "\\n" ends a line, "\\n\\n"
    a paragraph, heading or bullet. `cuts` are sorted and do not overlap. `no_text` says why nothing readable stands
    here, or is None.
    """

    seite: int
    text: str
    cuts: tuple[Cut, ...]
    seitenlabel: str | None
    no_text: str | None
    ocr: bool = False
