"""PDFs as they must not be, byte by byte: damaged, lying, endless. Written by hand, since a library would refuse."""

import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

SENTENCE = "Der Satz auf Seite {} steht hier, um gelesen zu werden."
PAGES = 5
Content = Sequence[str | bytes]
"""The pages: lines of text, or the bytes of a content stream."""


def sentence(page: int) -> str:
    """What page `page` of the healthy PDF says."""
    return SENTENCE.format(page)


def healthy(pages: int = PAGES, text: Callable[[int], str] = sentence) -> bytes:
    """A PDF in which every page says its sentence and prints its number."""
    return pdf([f"{text(page)}\nAuch dieser Absatz gehört zu Seite {page}." for page in range(1, pages + 1)])


def pdf(pages: Content, *, packed: bool = False, claimed: int | None = None) -> bytes:
    """A PDF with these pages; `claimed`: the number of pages that it pretends to have."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages) if claimed is None else claimed} /Kids [{kids}] >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, page in enumerate(pages):
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * number} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>".encode(),
            stream(page if isinstance(page, bytes) else lines(page, number + 1), packed=packed),
        ]
    return assembled(objects)


def lines(text: str, number: int | None = None) -> bytes:
    """A content stream that prints the lines of `text`, and below them the number of the page."""
    shown = [_line(72, 760 - 16 * at, line) for at, line in enumerate(text.split("\n"))]
    return b"".join([*shown, _line(290, 40, str(number)) if number is not None else b""])


def _line(x: float, y: float, text: str) -> bytes:
    code = text.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    return b"BT /F1 11 Tf 1 0 0 1 %g %g Tm (%s) Tj ET\n" % (x, y, code)


def stream(content: bytes, *, packed: bool = False) -> bytes:
    """A stream object."""
    if not packed:
        return b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content)
    content = zlib.compress(content, 9)
    return b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(content), content)


def assembled(objects: Sequence[bytes]) -> bytes:
    """Objects 1, 2, … with a table of where they are; the first is the catalogue."""
    data = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(data))
    return data + b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table) + end


def shown_as(letters: str, unicode: str) -> bytes:
    """A content stream that prints `letters` and says in /ActualText that they mean `unicode`."""
    code = ("\ufeff" + unicode).encode("utf-16-be", "surrogatepass").hex().encode()
    begin = b"BT /F1 11 Tf 1 0 0 1 72 700 Tm (Vor dem Zeichen) Tj "
    return begin + b"/Span << /ActualText <%s> >> BDC (%s) Tj EMC (steht Text und dahinter auch genug.) Tj ET" % (
        code,
        letters.encode(),
    )


def with_damaged_page(page: int) -> bytes:
    """The healthy PDF, but the stream of one page cannot be decoded."""
    content: list[str | bytes] = [sentence(number) for number in range(1, PAGES + 1)]
    content[page - 1] = b"DAMAGED"
    return pdf(content).replace(
        b"<< /Length 7 >>\nstream\nDAMAGED\nendstream",
        b"<< /Length 7 /Filter /FlateDecode >>\nstream\nDAMAGED\nendstream",
    )


def shifted_table() -> bytes:
    """The healthy PDF, but its table says that every object stands 17 bytes further on."""
    head, mark, table = healthy().rpartition(b"xref\n0 ")
    head, mark, table = (healthy().partition(b"\nxref\n0 ")) if not mark else (head, mark, table)
    rows = [b"%010d%s" % (int(row[:10]) + 17, row[10:]) if row.endswith(b" n ") else row for row in table.split(b"\n")]
    return head + mark + b"\n".join(rows)


def circular() -> bytes:
    """A page tree that contains itself."""
    return assembled(
        [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Count 2 /Kids [2 0 R 2 0 R] /Parent 2 0 R >>"]
    )


def bomb(megabytes: int) -> bytes:
    """A small file whose only page unpacks to as many megabytes."""
    return pdf([b" " * (megabytes << 20) + lines("Nach sehr viel Leerraum steht dieser eine Satz.")], packed=True)


def long_page(rows: int) -> bytes:
    """One page with so many lines of 80 characters."""
    row = "Zeile {:06d} von sehr vielen, die alle auf dieser einen Seite stehen und lang sind."
    content = b"".join(
        b"BT /F1 6 Tf 1 0 0 1 20 %d Tm (%s) Tj ET\n" % (830 - at % 800, row.format(at).encode()) for at in range(rows)
    )
    return pdf([content], packed=True)


def long_word(letters: int) -> bytes:
    """One page with one word."""
    return pdf([b"BT /F1 8 Tf 0.01 Tz 1 0 0 1 20 700 Tm (" + b"abcdefghij" * (letters // 10) + b") Tj ET"], packed=True)


def write_all(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write each file of the given content."""
    for name, content in files.items():
        (folder / name).write_bytes(content)
