"""A very small PDF writer for the demo: lines of Helvetica on A4, page numbers at the foot, pages that are a picture.

Only the demo draws PDFs, so no library is worth having for it. Equal input gives equal bytes.
"""

from collections.abc import Sequence

_WIDTH, _HEIGHT, _MARGIN, _SIZE, _LEADING = 595, 842, 72, 11, 16  # points
_HEADER = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
_FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"


def pdf(pages: Sequence[Sequence[str]], first_number: int) -> bytes:
    """Return a PDF with one page per list of lines; a page without lines shows a grey box, as a scan would.

    The page at position `first_number` (1-based) prints 1 at its foot, earlier ones print nothing. Raises
    UnicodeEncodeError for characters outside of cp1252.
    """
    contents = [
        _text(lines, seite - first_number + 1) if lines else b"0.8 g 72 400 451 300 re f\n"
        for seite, lines in enumerate(pages, 1)
    ]
    kids = " ".join(f"{4 + 2 * i} 0 R" for i in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>".encode(),
        _FONT,
    ]
    for i, content in enumerate(contents):
        page = f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {_WIDTH} {_HEIGHT}] /Contents {5 + 2 * i} 0 R"
        objects.append(f"{page} /Resources << /Font << /F1 3 0 R >> >> >>".encode())
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    return _file(objects)


def _text(lines: Sequence[str], number: int) -> bytes:
    top = _HEIGHT - _MARGIN
    drawn = [_line(_MARGIN, top - i * _LEADING, line) for i, line in enumerate(lines) if line]
    if number > 0:
        drawn.append(_line(_WIDTH // 2, _MARGIN // 2, str(number)))
    return b"".join(drawn)


def _line(x: int, y: int, text: str) -> bytes:
    escaped = text.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    return b"BT /F1 %d Tf %d %d Td (%s) Tj ET\n" % (_SIZE, x, y, escaped)


def _file(objects: Sequence[bytes]) -> bytes:
    data, offsets = bytearray(_HEADER), []
    for number, content in enumerate(objects, 1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    data += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    data += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(data)
