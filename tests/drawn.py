"""Small PDFs drawn for one test: text at given places, and what else a page can hold."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymupdf  # noqa: TID251 - tests draw their own PDFs

from indexer.pdf import read_programm
from indexer.seite import Seite

A4 = (595.0, 842.0)
WHITE = (1.0, 1.0, 1.0)
BLACK = (0.0, 0.0, 0.0)
RED = (0.8, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text with its baseline at (x, y), in points from the top left."""

    x: float
    y: float
    text: str
    size: float = 11
    font: str = "helv"
    color: tuple[float, float, float] = BLACK


Drawing = Callable[[Any], None]
"""Something drawn on a page of the library, besides text."""
Item = Text | Drawing


def body(*lines: str, x: float = 72, y: float = 100, size: float = 11) -> list[Text]:
    """Lines of running text, one below the other."""
    return [Text(x, y + number * 1.4 * size, line, size) for number, line in enumerate(lines)]


def prose(number: int) -> list[Text]:
    """Some running text that is different on every page."""
    words = ["Radwege", "Bahnhöfe", "Büchereien", "Schwimmbäder", "Schulen", "Kliniken", "Wälder", "Höfe", "Märkte"]
    word = words[number % len(words)]
    return body(
        f"Wir wollen {word} überall im Land erhalten und dafür das Geld",
        "bereitstellen, das in den letzten Jahren gefehlt hat. Niemand soll",
        f"weite Wege haben, um {word} zu erreichen, auch nicht im Dorf.",
        "Darum ändern wir die Förderung und stärken die Kommunen.",
        y=120,
    )


def box(x0: float, y0: float, x1: float, y1: float, color: tuple[float, float, float]) -> Drawing:
    """A filled box, drawn behind or before whatever comes after it."""
    return lambda page: page.draw_rect(pymupdf.Rect(x0, y0, x1, y1), color=color, fill=color)


def sideways(x: float, y: float, text: str, size: float = 11) -> Drawing:
    """Text that runs upwards from (x, y)."""
    return lambda page: page.insert_text((x, y), text, fontsize=size, rotate=90)


def picture(x0: float = 72, y0: float = 100, x1: float = 300, y1: float = 300) -> Drawing:
    """A grey picture."""

    def draw(page: Any) -> None:
        pixels = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 8, 8), 0)
        pixels.clear_with(128)
        page.insert_image(pymupdf.Rect(x0, y0, x1, y1), pixmap=pixels)

    return draw


def new(pages: Sequence[Iterable[Item]], size: tuple[float, float] = A4) -> Any:
    """An unsaved document with the given pages."""
    doc = pymupdf.open()
    for items in pages:
        page = doc.new_page(width=size[0], height=size[1])
        for item in items:
            if isinstance(item, Text):
                page.insert_text((item.x, item.y), item.text, fontsize=item.size, fontname=item.font, color=item.color)
            else:
                item(page)
    return doc


def save(doc: Any, folder: Path, **options: Any) -> Path:
    """Write a document to `folder` and close it."""
    path = folder / "gezeichnet.pdf"
    doc.save(path, **options)
    doc.close()
    return path


def read(folder: Path, pages: Sequence[Iterable[Item]], size: tuple[float, float] = A4) -> tuple[Seite, ...]:
    """The pages as the indexer reads them."""
    return read_programm(save(new(pages, size), folder)).seiten


def running(seite: Seite) -> str:
    """Running text of a page: everything that no cut takes out."""
    parts, at = [], 0
    for cut in seite.cuts:
        parts.append(seite.text[at : cut.start])
        at = cut.end
    return "".join([*parts, seite.text[at:]])


def cut_out(seite: Seite, *kinds: str) -> list[str]:
    """Texts of the cuts of the given kinds, or of all cuts."""
    return [seite.text[cut.start : cut.end].strip() for cut in seite.cuts if not kinds or cut.kind in kinds]
