"""Running heads, feet and page numbers: what stands at the edge of many pages in the same place (SPEC §5)."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from indexer.rawpage import Line
from indexer.seitenlabel import PURE, ROMAN, Numbers
from indexer.sheet import Body, Sheet

ZONE = 0.17  # of the page height, at the top and at the bottom
NEAR = 5.0  # points that a running line may move from page to page
APART = 1.45  # of the usual distance of lines: the white between head and text
MOST_LINES = 12  # of a head or foot, two-up sheets and address lines included
DIGITS = re.compile(r"\d+")
WORD = re.compile(r"[^\W\d_]{8,}")
SHARED = 0.6  # of the lines of one look have a word in common
FAR = 1e9
MOST_KEPT = 4096  # texts at the edge: each is compared with those of all other pages


@dataclass(frozen=True, slots=True)
class Edge:
    """The top or the bottom of one page."""

    sheet: Sheet
    top: bool

    def lines(self) -> list[int]:
        """Numbers of the lines in the edge zone that are not cut yet, the outermost first."""
        sheet, height = self.sheet, self.sheet.raw.height
        # The letters count that stand in the zone; their boxes say little where the type is large.
        middles = [(line.base - 0.35 * line.size, n) for n, line in enumerate(sheet.lines)]
        inside = (
            [n for middle, n in middles if middle <= ZONE * height]
            if self.top
            else [n for middle, n in middles if middle >= (1 - ZONE) * height]
        )
        found = [n for n in inside if sheet.kinds[n] is None]
        return sorted(found, key=lambda n: self.away(sheet.lines[n]))

    def away(self, line: Line) -> float:
        """Distance of a line's baseline from the edge of the paper."""
        return line.base if self.top else self.sheet.raw.height - line.base

    def before_white(self, leading: float) -> set[int]:
        """Lines between the edge of the paper and the first white gap, if most of the page comes after it."""
        lines = self.sheet.lines
        aways = [self.away(line) for line in lines]
        ordered = sorted(self.sheet.flow(), key=aways.__getitem__)
        for at, (one, two) in enumerate(pairwise(ordered[: MOST_LINES + 1]), start=1):
            if aways[two] - aways[one] > APART * leading:
                rest = any(has_words(lines[number]) for number in ordered[at:])
                return set(ordered[:at]) if rest and len(ordered) >= 2 * at else set()
        return set()

    def alone_in_row(self, number: int) -> bool:
        """Whether no running text stands beside a line: a bullet has its text there."""
        line = self.sheet.lines[number]
        return not any(
            abs(other.base - line.base) < 0.5 * max(line.size, other.size)
            and at != number
            and self.sheet.kinds[at] is None
            for at, other in enumerate(self.sheet.lines)
        )


class Edges:
    """Which lines stand where at the top and bottom edge of all pages."""

    def __init__(self, sheets: Sequence[Sheet], body: Body, numbers: Numbers) -> None:
        self.body = body
        self.carriers = numbers
        self.pages = sum(1 for sheet in sheets if sheet.lines)
        self.need = 3 if self.pages > 6 else 2
        self.near = 3 * NEAR if any(sheet.raw.ocr for sheet in sheets) else NEAR  # paper lies askew on the scanner
        self.texts: dict[tuple[bool, str], list[tuple[float, int]]] = defaultdict(list)
        self.looks: dict[tuple[bool, str, float], list[tuple[float, str]]] = defaultdict(list)
        self.numbers: dict[bool, list[float]] = defaultdict(list)
        for sheet in sheets:
            carriers = numbers.get(sheet.raw.seite, frozenset())
            for edge in (Edge(sheet, True), Edge(sheet, False)):
                for number in edge.lines():
                    self.add(edge, number, number in carriers)
        for table in (self.texts, self.looks, self.numbers):
            for places in table.values():
                places.sort()

    def add(self, edge: Edge, number: int, carrier: bool) -> None:
        """Note one line at the edge of a page."""
        line = edge.sheet.lines[number]
        away = edge.away(line)
        self.texts[edge.top, key_of(line.text)].append((away, edge.sheet.raw.seite))
        self.looks[edge.top, line.font, round(line.size, 1)].append((away, line.text))
        if carrier:
            self.numbers[edge.top].append(away)

    def pages_with(self, edge: Edge, line: Line) -> list[int]:
        """Pages on which the same text stands at the same height."""
        places, away = self.texts[edge.top, key_of(line.text)], edge.away(line)
        first, last = bisect_left(places, (away - self.near, 0)), bisect_right(places, (away + self.near, FAR))
        return sorted({seite for _, seite in places[first:last]})

    def same_look(self, edge: Edge, line: Line) -> list[str]:
        """Texts of all lines of the same look at the same height."""
        places, away = self.looks[edge.top, line.font, round(line.size, 1)], edge.away(line)
        first, last = bisect_left(places, (away - 1.5, "")), bisect_right(places, (away + 1.5, "\uffff"))
        return [text for _, text in places[first:last]]

    def number_place(self, edge: Edge, line: Line) -> bool:
        """Whether the page numbers of other pages stand at the height of a line."""
        places, away = self.numbers[edge.top], edge.away(line)
        return bisect_right(places, away + self.near) - bisect_left(places, away - self.near) >= self.need


def mark_furniture(sheets: Sequence[Sheet], body: Body, numbers: Numbers) -> None:
    """Mark heads, feet and page numbers of all pages; lines that run across the reading direction are margin."""
    for sheet in sheets:
        for number, line in enumerate(sheet.lines):
            if line.turned and sheet.kinds[number] is None:
                sheet.kinds[number] = "margin"
    edges = Edges(sheets, body, numbers)
    for sheet in sheets:
        mark_edge(Edge(sheet, True), edges)
        mark_edge(Edge(sheet, False), edges)


def mark_edge(edge: Edge, edges: Edges) -> None:
    """Mark one edge of a page, from the paper's edge inwards, until the text begins."""
    sheet = edge.sheet
    kept: list[Line] = []
    apart = edge.before_white(edges.body.leading)
    for number in edge.lines():
        line = sheet.lines[number]
        behind = any(line.x0 < other.x1 and other.x0 < line.x1 for other in kept)
        sheet.kinds[number] = None if behind else kind_of(edge, number, edges, number in apart)
        if sheet.kinds[number] is None:
            kept.append(line)


def kind_of(edge: Edge, number: int, edges: Edges, apart: bool) -> str | None:
    """What an outermost line is, or None if it is text; `apart` says that white separates it from the text."""
    line = edge.sheet.lines[number]
    kind = "head" if edge.top else "foot"
    if number in edges.carriers.get(edge.sheet.raw.seite, ()):
        if PURE.fullmatch(line.text.strip()) or ROMAN.fullmatch(line.text):
            return "page_number"
        if apart or not edges.body.like(line):
            return kind
    if is_running(edge, number, edges, apart):
        return kind
    return "page_number" if is_lost_number(edge, number, edges) else None


def is_running(edge: Edge, number: int, edges: Edges, apart: bool) -> bool:
    """Whether an outermost line is a running head or foot."""
    line = edge.sheet.lines[number]
    words = has_words(line)
    if not words and not edge.alone_in_row(number):
        return False
    pages = edges.pages_with(edge, line)
    differs = apart or not edges.body.like(line)
    if len(pages) >= edges.need and differs:
        # A chapter's head stands on the pages of the chapter; a heading that recurs stands here and there.
        dense = words and len(pages) >= 0.3 * (pages[-1] - pages[0] + 1)
        if dense or len(pages) >= 0.3 * edges.pages:
            return True
    return words and apart and line.size <= 1.05 * edges.body.size and is_changing_head(edge, line, edges)


def is_changing_head(edge: Edge, line: Line, edges: Edges) -> bool:
    """Whether a line stands where many pages have one of its look, and they have something in common.

    Some of them are the same (the title of a chapter), or most of them share a word (the programme's name beside it).
    """
    look = edges.same_look(edge, line)
    if len(look) < max(edges.need, 0.25 * edges.pages):
        return False
    again = len(look) - len(set(map(key_of, look)))
    if again >= 0.4 * len(look) or (again >= 1 and line.size < 0.93 * edges.body.size):
        return True
    if edges.body.like(line):
        return False
    words = Counter(word for text in look for word in long_words(text))
    return bool(words) and max(words.values()) >= max(edges.need, SHARED * len(look))


@lru_cache(MOST_KEPT)
def long_words(text: str) -> frozenset[str]:
    """Words that may be the programme's name or a part of it."""
    return frozenset(WORD.findall(text.lower()))


def is_lost_number(edge: Edge, number: int, edges: Edges) -> bool:
    """Whether a short line stands where other pages print their number: misread, or out of the count."""
    line = edge.sheet.lines[number]
    return (
        len(line.text.strip()) <= 5
        and any(map(str.isdigit, line.text))
        and edges.number_place(edge, line)
        and edge.alone_in_row(number)
    )


def has_words(line: Line) -> bool:
    """Whether a line holds more than numbers, bullets and ornaments."""
    return sum(map(str.isalpha, line.text)) >= 3


@lru_cache(MOST_KEPT)
def key_of(text: str) -> str:
    """What makes two running lines the same: their text without blanks and numbers."""
    return DIGITS.sub("#", "".join(text.split())).lower()
