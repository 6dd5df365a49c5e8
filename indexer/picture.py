"""Draws a crop of a PDF page around a passage, with the places to mark. Runs in workers; PyMuPDF comes from `pdf`.

A passage is found by its letters and digits alone, so that broken lines, hyphens and ligatures do not matter; where
cut-out lines stand between them, by the words that follow one another. This decides what is marked, never a verdict.
"""

import struct
import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from indexer.gallery import Box, Passage, Picture
from indexer.pdf import LIBRARY_ERRORS, opened, quiet

SCALE = 1.6  # pixels per point: readable on a good screen, 12 kB for five lines
MAX_WIDTH, MAX_HEIGHT = 1000, 1200  # pixels
WHOLE_WIDTH = 620  # pixels of a page on which nothing could be marked
AROUND = 34.0  # points above and below: about two lines
ASIDE = 24.0
MARGIN = 2.0
MIN_WIDTH = 400.0  # points: a crop of three words must still show where it is
MAX_WORDS, MAX_LETTERS = 20_000, 4_000
_HIGH = bytes(value & 0xF0 for value in range(256))
_LOW = bytes(value >> 4 for value in range(256))

Rect: TypeAlias = tuple[float, ...]
"""x0, y0, x1, y1 in points."""


class Word(NamedTuple):
    """A printed word: its place in points, its line (block and number), and its letters and digits."""

    x0: float
    y0: float
    x1: float
    y1: float
    line: tuple[int, int]
    letters: str


def draw(path: Path, passages: Sequence[Passage]) -> tuple[Picture | None, ...]:
    """A picture for each passage, or None for a page that cannot be drawn. Raises PdfError as the reader does."""
    with quiet(), opened(path) as doc:
        return tuple(_drawn(doc, passage) for passage in passages)


def _drawn(doc: Any, passage: Passage) -> Picture | None:
    if passage.seite < 1:  # the library would count from the end
        return None
    try:
        page = doc.load_page(passage.seite - 1)
        words = _words(page)
        return _picture(page, words, locate(words, passage.text), passage)
    except LIBRARY_ERRORS:
        return None


def _words(page: Any) -> list[Word]:
    """The words of a page where a reader sees them: the library tells places on the sheet before it is turned."""
    a, b, c, d, e, f = page.rotation_matrix
    words = []
    for x0, y0, x1, y1, text, block, line, _ in page.get_text("words")[:MAX_WORDS]:
        xs, ys = (a * x0 + c * y0 + e, a * x1 + c * y1 + e), (b * x0 + d * y0 + f, b * x1 + d * y1 + f)
        words.append(Word(min(xs), min(ys), max(xs), max(ys), (block, line), letters(text)))
    return words


def _picture(page: Any, words: Sequence[Word], found: Sequence[int], passage: Passage) -> Picture:
    whole = tuple(page.rect)
    if found:
        clip = crop(words, found, whole)
        scale = min(SCALE, MAX_WIDTH / (clip[2] - clip[0]), MAX_HEIGHT / (clip[3] - clip[1]))
    else:
        clip = whole
        scale = min(WHOLE_WIDTH / (clip[2] - clip[0]), MAX_HEIGHT / (clip[3] - clip[1]))
    # The library takes dots per inch as a whole number only.
    dpi = max(1, int(72 * scale))
    drawn = page.get_pixmap(dpi=dpi, colorspace="gray", clip=clip, annots=False)
    boxes = _Boxes(scale=dpi / 72, x=drawn.x, y=drawn.y, width=drawn.width, height=drawn.height)
    return Picture(
        png=png(drawn.samples, drawn.width, drawn.height, drawn.stride),
        width=drawn.width,
        height=drawn.height,
        marks=tuple(boxes.of(lines_of(words, found))),
        stressed=tuple(boxes.of(words[number] for number in stressed(words, found, passage.stressed))),
    )


def letters(text: str) -> str:
    """Letters and digits of a text in one case, ligatures taken apart."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


def locate(words: Sequence[Word], text: str) -> list[int]:
    """Numbers of the printed words that are the passage, in their order; none if it does not stand there."""
    tokens = [token for token in map(letters, text.split()) if token]
    wanted = "".join(tokens)[:MAX_LETTERS]
    if not wanted:
        return []
    printed = "".join(word.letters for word in words)
    start = printed.find(wanted)
    if start >= 0:
        return list(_within(words, start, start + len(wanted)))
    return _by_words([word.letters for word in words], tokens[:MAX_LETTERS])


def _within(words: Sequence[Word], start: int, end: int) -> Iterator[int]:
    """Words of which a letter stands between two positions in the letters of the page."""
    at = 0
    for number, word in enumerate(words):
        if word.letters and at < end and at + len(word.letters) > start:
            yield number
        at += len(word.letters)


def _by_words(printed: Sequence[str], tokens: Sequence[str]) -> list[int]:
    """The longest run of words in common, and what else of the passage stands near it."""
    matcher = SequenceMatcher(None, printed, tokens, autojunk=False)
    longest = matcher.find_longest_match()
    if longest.size < min(3, len(tokens)):
        return []
    first = max(0, longest.a - 2 * longest.b - 5)
    last = longest.a + longest.size + 2 * (len(tokens) - longest.b - longest.size) + 5
    near = SequenceMatcher(None, printed[first:last], tokens, autojunk=False)
    return [first + block.a + number for block in near.get_matching_blocks() for number in range(block.size)]


def stressed(words: Sequence[Word], found: Sequence[int], wanted: Iterable[str]) -> list[int]:
    """Numbers of the words, among those found, that make up the `wanted` ones in their order."""
    chosen: list[int] = []
    at = 0
    for text in wanted:
        tokens = [token for token in map(letters, text.split()) if token]
        for start in range(at, len(found) - len(tokens) + 1):
            if tokens and all(words[found[start + i]].letters == token for i, token in enumerate(tokens)):
                chosen += found[start : start + len(tokens)]
                at = start + len(tokens)
                break
    return chosen


def lines_of(words: Sequence[Word], found: Iterable[int]) -> Iterator[Word]:
    """The found words, those that stand side by side in one line joined."""
    for _, group in groupby(enumerate(found), key=lambda pair: (words[pair[1]].line, pair[1] - pair[0])):
        members = [words[number] for _, number in group]
        yield members[0]._replace(
            x0=min(word.x0 for word in members),
            y0=min(word.y0 for word in members),
            x1=max(word.x1 for word in members),
            y1=max(word.y1 for word in members),
        )


def crop(words: Sequence[Word], found: Iterable[int], whole: Rect) -> Rect:
    """The part of the page `whole` to show: around the found words, wide enough to be recognised, in whole lines."""
    marked = [words[number] for number in found]
    x0, x1 = min(word.x0 for word in marked) - ASIDE, max(word.x1 for word in marked) + ASIDE
    missing = max(0.0, min(MIN_WIDTH, whole[2] - whole[0]) - (x1 - x0))
    x0, x1 = x0 - missing / 2, x1 + missing / 2
    shift = max(0.0, whole[0] - x0) - max(0.0, x1 - whole[2])
    x0, x1 = max(whole[0], x0 + shift), min(whole[2], x1 + shift)
    top, bottom = min(word.y0 for word in marked) - AROUND, max(word.y1 for word in marked) + AROUND
    shown = [word for word in words if word.x1 > x0 and word.x0 < x1 and word.y0 >= top and word.y1 <= bottom]
    y0, y1 = min(word.y0 for word in [*shown, *marked]), max(word.y1 for word in [*shown, *marked])
    return x0, max(whole[1], y0 - MARGIN), x1, min(whole[3], y1 + MARGIN)


class _Boxes(NamedTuple):
    """From points of a page to pixels of a crop."""

    scale: float
    x: int
    y: int
    width: int
    height: int

    def of(self, words: Iterable[Word]) -> Iterator[Box]:
        for word in words:
            x0, x1 = (min(max(int(x * self.scale) - self.x, 0), self.width) for x in (word.x0, word.x1))
            y0, y1 = (min(max(int(y * self.scale) - self.y, 0), self.height) for y in (word.y0, word.y1))
            if x1 > x0 and y1 > y0:
                yield x0, y0, x1 - x0, y1 - y0


def png(samples: bytes, width: int, height: int, stride: int) -> bytes:
    """A PNG of 16 shades from 8-bit grey: text stays sharp, in half the bytes of a JPEG."""
    rows = []
    for start in range(0, height * stride, stride):
        row = samples[start : start + width] + (b"\xff" if width % 2 else b"")
        high, low = row[0::2].translate(_HIGH), row[1::2].translate(_LOW)
        rows.append(b"\0" + (int.from_bytes(high) | int.from_bytes(low)).to_bytes(len(high)))
    head = struct.pack(">IIBBBBB", width, height, 4, 0, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(b"".join(rows), 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
