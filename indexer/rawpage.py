"""What a PDF page holds before anybody has judged it: lines and spans with places and fonts. Standard library only.

Coordinates are points with the origin at the top left of the page as a reader sees it; y grows downwards.
"""

from dataclasses import dataclass
from typing import NamedTuple


class Span(NamedTuple):
    """Neighbouring characters of one line in one font, size and colour; `base` is the y of their baseline."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    base: float
    size: float
    font: str


class Line(NamedTuple):
    """One line of the text layer, in its natural place in the order; `block` numbers the blocks of the page.

    `base`, `size` and `font` are those of its longest span, `turned` says that it does not run in the reading direction
    of the page.
    """

    block: int
    spans: tuple[Span, ...]
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    base: float
    size: float
    font: str
    turned: bool


def part_of(line: Line, chars: range) -> Line:
    """The line that only the given characters of a line make; where a span is cut, its edge is estimated."""
    spans = []
    at = 0
    for span in line.spans:
        length = len(span.text)
        start, end = max(chars.start - at, 0), min(chars.stop - at, length)
        if start < end:
            wide = (span.x1 - span.x0) / length
            spans.append(span._replace(text=span.text[start:end], x0=span.x0 + start * wide, x1=span.x0 + end * wide))
        at += length
    inked = [span for span in spans if span.text.strip()]
    if not inked:
        return line._replace(spans=tuple(spans), text="".join(span.text for span in spans))
    main = max(inked, key=lambda span: len(span.text))
    return line._replace(
        spans=tuple(spans),
        text="".join(span.text for span in spans),
        x0=min(span.x0 for span in inked),
        x1=max(span.x1 for span in inked),
        base=main.base,
        size=main.size,
        font=main.font,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RawPage:
    """One page as the PDF reader delivers it. `label` is the PDF's own page label, `blank` why it has no lines.

    `partial` says that the page is damaged and its lines may be only some of those printed.
    """

    seite: int
    width: float
    height: float
    lines: tuple[Line, ...]
    label: str | None = None
    blank: str | None = None
    ocr: bool = False
    partial: bool = False
