"""Lines as the PDF library extracts them, made into `Line`: level coordinates, harmless characters (SPEC §5)."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from indexer.letterspacing import Char
from indexer.rawpage import Line, Span

Box = tuple[float, float, float, float]
Found = Sequence[tuple[int, Any]]
"""(number of the block, line) for all lines that the library has extracted."""

LINE_BREAKERS = re.compile("[\x00\n\r\x0b\x0c\x1c-\x1f\x85\u2028\u2029]")  # "\n" in Seite.text means something
# Adobe's private code points for digits of another cut ("fitted", old-style): they print digits, so they are digits.
ADOBE_DIGITS = str.maketrans("\uf639\uf6dc\uf63a\uf63b\uf63c\uf63d\uf63e\uf63f\uf640\uf641", "0123456789") | {
    0xF730 + digit: str(digit) for digit in range(10)
}
LEVEL = (1.0, 0.0)  # direction of nearly every line
MAC_VOWELS = "\x80\x85\x86\x8a\x9a\x9f"  # ÄÖÜäöü, where the bytes of old Macintosh text are read as Unicode
MAC_LETTERS = {code: bytes([code]).decode("mac_roman") for code in range(0x80, 0x100)}


def lines_in(extracted: Any) -> Found:
    """All lines of what the library has extracted."""
    return [(number, line) for number, block in enumerate(extracted["blocks"]) for line in block["lines"]]


def text_of(found: Found) -> str:
    """All text of a page, for statistics."""
    return "\n".join(["".join([span["text"] for span in line["spans"]]) for _, line in found])


def mostly_unknown(text: str) -> bool:
    """Whether most glyphs of a page have no letter to their name."""
    return "\ufffd" in text and text.count("\ufffd") > sum(map(str.isalnum, text))


def is_macintosh(text: str) -> bool:
    """Whether a page's letters are Macintosh bytes: its control characters stand where umlauts belong."""
    controls = sum(1 for char in text if "\x80" <= char <= "\x9f")
    vowels = sum(map(text.count, MAC_VOWELS))
    return vowels >= 3 and vowels >= 0.6 * controls


def from_macintosh(found: Found) -> None:
    """Give the characters of the extracted spans the letters that Macintosh bytes stand for, in place."""
    for _, line in found:
        for span in line["spans"]:
            span["text"] = span["text"].translate(MAC_LETTERS)


def rewrite(
    lines: list[Line], raw: Found, is_wanted: Callable[[str], bool], written: Callable[[list[Char]], str]
) -> None:
    """Give those of `lines` whose text is wanted another one, made of their letters, in place.

    `raw` has the place of each letter.
    """
    by_text: dict[tuple[int, str], list[Char]] = {}
    for number, line in raw:
        chars = [(char["c"], char["bbox"][0], char["bbox"][2]) for span in line["spans"] for char in span["chars"]]
        by_text[number, "".join(char for char, _, _ in chars)] = chars
    for at, made in enumerate(lines):
        letters = by_text.get((made.block, made.text))
        if letters and is_wanted(made.text) and not made.turned:
            text = written(letters)
            span = Span(text, made.x0, made.y0, made.x1, made.y1, made.base, made.size, made.font)
            lines[at] = made._replace(text=text, spans=(span,))


def reading_direction(found: Found) -> int:
    """Quarter turns (clockwise, 0-3) in which most of the text of the page runs."""
    if all(line["dir"] == LEVEL for _, line in found):
        return 0
    turns: Counter[int] = Counter()
    for _, line in found:
        turns[quarter(line["dir"])] += sum(len(span["text"]) for span in line["spans"])
    return max(turns, key=lambda turn: turns[turn])


def quarter(direction: tuple[float, float]) -> int:
    """Nearest quarter turn of a writing direction: 0 to the right, 1 down, 2 to the left, 3 up."""
    x, y = direction
    if abs(x) >= abs(y):
        return 0 if x >= 0 else 2
    return 1 if y > 0 else 3


def turned_back(box: Box, turn: int, rect: Any) -> Box:
    """`box` in the coordinates of a reader who has turned the sheet so that the text is level."""
    x0, y0, x1, y1 = box
    if turn == 1:
        return y0, rect.width - x1, y1, rect.width - x0
    if turn == 2:
        return rect.width - x1, rect.height - y1, rect.width - x0, rect.height - y0
    if turn == 3:
        return rect.height - y1, x0, rect.height - y0, x1
    return box


def make_line(block: int, spans: list[Any], direction: tuple[float, float], turn: int, rect: Any) -> Line | None:
    """Line of the given spans of the library, or None if nothing is printed in it."""
    made = []
    for span in spans:
        text = span["text"]
        if not text:
            continue
        box = span["bbox"] if turn == 0 else turned_back(span["bbox"], turn, rect)
        if not text.isprintable():
            text = LINE_BREAKERS.sub(" ", text).translate(ADOBE_DIGITS)
        x, y = span["origin"]
        base = y if turn == 0 else turned_back((x, y, x, y), turn, rect)[1]
        made.append(Span(text, box[0], box[1], box[2], box[3], base, span["size"], span["font"]))
    turned = quarter(direction) != turn
    if len(made) == 1:  # nearly every line
        return Line(block, tuple(made), *made[0], turned) if made[0].text.strip() else None
    inked = [span for span in made if span.text.strip()]
    if not inked:
        return None
    main = max(inked, key=lambda span: len(span.text))
    return Line(
        block,
        tuple(made),
        "".join([span.text for span in made]),
        min([span.x0 for span in inked]),
        min([span.y0 for span in inked]),
        max([span.x1 for span in inked]),
        max([span.y1 for span in inked]),
        main.base,
        main.size,
        main.font,
        turned,
    )
