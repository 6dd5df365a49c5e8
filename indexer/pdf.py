"""The only door to PyMuPDF: open a PDF, refuse what is none, read its lines with places and fonts (SPEC §5).

Time and memory limits are not kept here: the build runs this in a process of its own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymupdf  # noqa: TID251 - this module is the door

from indexer.errors import PdfError
from indexer.layout import clean
from indexer.letterspacing import closed_up, is_spaced
from indexer.lines import (
    Box,
    Found,
    from_macintosh,
    is_macintosh,
    lines_in,
    make_line,
    mostly_unknown,
    reading_direction,
    rewrite,
    text_of,
)
from indexer.overprint import is_overprinted, printed_once
from indexer.rawpage import Line, RawPage
from indexer.readable import is_garbage
from indexer.seite import Seite

# Without CID_FOR_UNKNOWN_UNICODE: a glyph that nothing maps to a letter must come out as U+FFFD, not as a wrong letter.
FLAGS = pymupdf.TEXT_PRESERVE_LIGATURES | pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP

FILLED = 16 | 32  # char_flags: filled, stroked
PICTURES = frozenset({"fill-image", "fill-imgmask"})
SHAPES = frozenset({"fill-path", "stroke-path", "fill-shade"})
WHITE = 0xFA
MISSING_IN_A_ROW = 20  # a page list that lies may claim millions
LIBRARY_ERRORS = (RuntimeError, ValueError, AssertionError, pymupdf.mupdf.FzErrorBase)


@dataclass(frozen=True, slots=True)
class Programmtext:
    """All pages of one PDF, and what a reader should know about the file (`"repaired"`, `"page 3 is damaged"`)."""

    seiten: tuple[Seite, ...]
    hints: tuple[str, ...]


def read_programm(path: Path) -> Programmtext:
    """Read every page of the PDF at `path`, hygiene done; pages are 1-based.

    Raises PdfError with a reason in plain words if the file cannot be read as a programme: empty, no PDF, asks for a
    password, no pages, a broken page tree.
    """
    with quiet(), opened(path) as doc:
        pages, hints = read_pages(doc)
    return Programmtext(seiten=clean(pages), hints=tuple(hints))


@contextmanager
def quiet() -> Iterator[None]:
    """MuPDF writes its complaints into a buffer only: they must never reach stdout or stderr."""
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    pymupdf.TOOLS.mupdf_warnings()  # flushes and empties the buffer
    yield
    pymupdf.TOOLS.mupdf_warnings()  # flushes and empties the buffer


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """The document at `path`, closed in the end; PdfError if it is not a PDF that can be read."""
    try:
        if path.stat().st_size == 0:
            raise PdfError("empty file: nothing was downloaded")
        doc = _open(path)
    except OSError as error:
        raise PdfError(f"cannot be opened: {error.strerror or error}") from error
    except LIBRARY_ERRORS as error:
        raise PdfError("not a PDF, or too damaged to be read as one: download it again") from error
    try:
        refuse(doc)
        yield doc
    finally:
        doc.close()


def _open(path: Path) -> Any:
    # `filetype` keeps MuPDF from guessing by the ending; the content still decides.
    try:
        str(path).encode()
    except UnicodeEncodeError:  # a name of bytes that are no text: MuPDF cannot be told it
        return pymupdf.open(stream=path.read_bytes(), filetype="pdf")
    return pymupdf.open(path, filetype="pdf")


def refuse(doc: Any) -> None:
    """Raise PdfError if `doc` is no PDF, is locked, or has no pages."""
    if not doc.is_pdf:
        raise PdfError("not a PDF (an HTML page or a picture saved under that name?): download it again")
    if doc.needs_pass:
        raise PdfError("needs a password to be opened: get a copy without one")
    try:
        count = doc.page_count
    except LIBRARY_ERRORS as error:
        raise PdfError("damaged: its page list cannot be read (download broken off?); download it again") from error
    if count < 1:
        raise PdfError("has 0 pages")


def read_pages(doc: Any) -> tuple[list[RawPage], list[str]]:
    """All pages that exist, and hints about the file. Raises PdfError if not one page can be read."""
    hints = ["repaired: the file is damaged, what could be read is indexed"] if doc.is_repaired else []
    labelled = bool(doc.get_page_labels())
    pages: list[RawPage] = []
    claimed = doc.page_count
    missing = 0
    for number in range(claimed):
        try:
            raw = read_page(doc.load_page(number), labelled)
            missing = 0
        except LIBRARY_ERRORS:
            raw = RawPage(seite=number + 1, width=0, height=0, lines=(), blank="damaged page")
            missing += 1
        pages.append(raw)
        if missing == MISSING_IN_A_ROW:
            break
    pages = pages[: len(pages) - missing]
    if not pages:
        raise PdfError(f"damaged: claims {claimed} pages, but not one can be read; download it again")
    hints.extend(f"page {page.seite} is damaged" for page in pages if page.blank == "damaged page")
    hints.extend(f"page {page.seite} is damaged: only a part of it could be read" for page in pages if page.partial)
    if len(pages) < claimed:
        hints.append(f"claims {claimed} pages, but only {len(pages)} can be read")
    return pages, hints


def read_page(page: Any, labelled: bool) -> RawPage:
    """The lines of one page, without annotations, form fields and whatever cannot be seen."""
    page.set_rotation(0)  # the same text whichever way the sheet is turned
    pymupdf.TOOLS.mupdf_warnings()  # flushes and empties the buffer
    shown = page.get_displaylist(annots=0)
    textpage, found = extracted(shown)
    turn = reading_direction(found)
    rect = page.rect  # asked once: the library computes it anew each time
    layer = layer_share(found)
    unseen = unseen_spans(found, shown, bare=layer > 0 and not is_drawn_on(page))
    lines: list[Line] = []
    for number, line in found:
        spans = [span for span in line["spans"] if span["bbox"] not in unseen] if unseen else line["spans"]
        made = make_line(number, spans, line["dir"], turn, rect)
        if made is not None:
            lines.append(made)
    text = "\n".join([line.text for line in lines])
    wanted = [pair for pair in ((is_overprinted, printed_once), (is_spaced, closed_up)) if pair[0](text)]
    raw = lines_in(textpage.extractRAWDICT()) if wanted else ()
    for is_wanted, written in wanted:
        rewrite(lines, raw, is_wanted, written)
    width, height = (rect.width, rect.height) if turn in (0, 2) else (rect.height, rect.width)
    return RawPage(
        seite=page.number + 1,
        width=width,
        height=height,
        lines=tuple(lines),
        label=page.get_label() or None if labelled else None,
        blank=None if lines else why_blank(page),
        ocr=layer > 0.5,
        partial=bool(lines) and "error" in pymupdf.TOOLS.mupdf_warnings(reset=False),
    )


def extracted(shown: Any) -> tuple[Any, Found]:
    """The text page of a display list, and its lines.

    A font may name no letters at all, and its codes be letters all the same: they are taken if they make a language.
    """
    textpage = pymupdf.TextPage(shown.get_textpage(FLAGS))
    found = lines_in(textpage.extractDICT())
    if mostly_unknown(text_of(found)):
        coded = pymupdf.TextPage(shown.get_textpage(FLAGS | pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE))
        codes = lines_in(coded.extractDICT())
        if is_macintosh(text_of(codes)):
            from_macintosh(codes)
        if not is_garbage(text_of(codes)):
            return coded, codes
    return textpage, found


def layer_share(found: Found) -> float:
    """Share of a page's characters that are neither filled nor stroked: the text layer of recognised print."""
    filled = unfilled = 0
    for _, line in found:
        for span in line["spans"]:
            if span["char_flags"] & FILLED:
                filled += len(span["text"])
            else:
                unfilled += len(span["text"])
    return unfilled / max(1, filled + unfilled)


def unseen_spans(found: Found, shown: Any, bare: bool) -> set[Box]:
    """Boxes of the spans that leave no trace on paper: white on white, fully transparent, or not drawn at all.

    White letters on a coloured box are common, and a heading filled with a gradient says that it is transparent (BSW
    2025), so the place is drawn and looked at; only pages with such letters pay.
    A text layer is meant to be read, unless the page is `bare`: then there is no print that it could stand for.
    """
    unseen: set[Box] = set()
    for _, line in found:
        for span in line["spans"]:
            if not span["char_flags"] & FILLED:
                if bare:
                    unseen.add(span["bbox"])
            elif span["text"].strip() and (span["alpha"] == 0 or is_white(span["color"])):
                box = span["bbox"]
                inner = inside(box)
                if is_blank(shown, spot_of(inner)) and is_blank(shown, inner):
                    unseen.add(box)
    return unseen


def is_blank(shown: Any, box: Box) -> bool:
    """Whether nothing but white paper can be seen in a place."""
    picture = shown.get_pixmap(colorspace=pymupdf.csGRAY, alpha=0, clip=box)
    return not picture.samples or min(picture.samples) >= WHITE


def inside(box: Box) -> Box:
    """A place without its edges, into which its neighbours reach: a white word may stand in a black line."""
    x0, y0, x1, y1 = box
    edge = min(1.5, (x1 - x0) / 4)
    return x0 + edge, y0, x1 - edge, y1


def spot_of(box: Box) -> Box:
    """A small part of a place: a coloured ground mostly shows there, and it is drawn in a fraction of the time."""
    x0, y0, x1, y1 = box
    middle = (y0 + y1) / 2
    return x0, middle, min(x0 + 2, x1), min(middle + 1, y1)


def is_white(color: int) -> bool:
    """Whether an sRGB colour cannot be told from white paper."""
    return color >> 16 >= WHITE and color >> 8 & 0xFF >= WHITE and color & 0xFF >= WHITE


def why_blank(page: Any) -> str:
    """Why a page without a single line has none."""
    if "error" in pymupdf.TOOLS.mupdf_warnings() and is_damaged(page):
        return "damaged page"
    kinds = drawn_kinds(page)
    if kinds & PICTURES:
        return "picture only"
    return "vector art only" if kinds & SHAPES else "blank page"


def is_drawn_on(page: Any) -> bool:
    """Whether a page shows pictures or shapes."""
    return bool(drawn_kinds(page) & (PICTURES | SHAPES))


def drawn_kinds(page: Any) -> set[str]:
    """What is drawn on a page, in the words of the library."""
    return {entry[0] for entry in page.get_bboxlog()}


def is_damaged(page: Any) -> bool:
    """Whether the page has a content stream that cannot be decoded."""
    try:
        return bool(page.get_contents()) and not page.read_contents().strip()
    except LIBRARY_ERRORS:
        return True
