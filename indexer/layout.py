"""Page hygiene over a whole document: which lines are not running text, and where paragraphs end (SPEC §5).

Judged by places and fonts, page against page, never by what a line might mean.
"""

from collections.abc import Sequence

from indexer.boxes import mark_boxes
from indexer.doubles import mark_doubles
from indexer.footnotes import mark_footnotes
from indexer.furniture import mark_furniture
from indexer.line_numbers import mark_line_numbers
from indexer.margins import mark_margin_columns
from indexer.paragraphs import set_ends
from indexer.rawpage import RawPage
from indexer.readable import why_unreadable
from indexer.seite import Seite
from indexer.seitenlabel import set_labels
from indexer.sheet import Sheet, body_of


def clean(pages: Sequence[RawPage]) -> tuple[Seite, ...]:
    """Pages as they are indexed, one per given page, in order."""
    sheets = [Sheet.of(page) for page in pages]
    body = body_of(sheets)
    for sheet in sheets:
        mark_doubles(sheet)
    mark_line_numbers(sheets)
    numbers = set_labels(sheets)
    mark_furniture(sheets, body, numbers)
    mark_footnotes(sheets, body)
    mark_margin_columns(sheets, body)
    mark_boxes(sheets, body)
    set_ends(sheets, body)
    return tuple(finished(sheet) for sheet in sheets)


def finished(sheet: Sheet) -> Seite:
    """The page that comes out of a judged sheet."""
    text, cuts = sheet.compose()
    return Seite(
        seite=sheet.raw.seite,
        text=text,
        cuts=cuts,
        seitenlabel=sheet.label,
        no_text=why_unreadable(sheet),
        ocr=sheet.raw.ocr,
    )
