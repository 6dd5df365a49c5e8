"""The number that a page prints, read from its head and foot (SPEC §6, "Pages").

A printed number is believed only where it goes up with the pages: a chapter number or a year does not.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from indexer.sheet import Sheet

ZONE = 0.16  # of the page height, at the top and at the bottom
LONGEST = 90  # characters of a line that may carry a page number
NUMBER = re.compile(r"(?<![\d.,])\d{1,3}(?![\d]|[.,]\d)")
SECTION = re.compile(r"\d{1,3}[.)]\s|(?:kapitel|teil|abschnitt|artikel|punkt|§)\s*\d", re.I)
ROMAN = re.compile(r"\W*([ivxl]{1,6}|[IVXL]{1,6})\W*")
PURE = re.compile(
    r"[\W_]*(?:(?:s\s?e\s?i\s?t\s?e|s\.|page)[\W_]*)?(\d{1,3})(?:[\W_]*(?:(?:von|of)[\W_]*)?\d{1,3})?[\W_]*", re.I
)
MIN_RUN = 3
FEW_PAGES = 6
MOST_RUNS = 12
NEAR = 8.0  # points that a page number may move up or down
NEAR_WORDS = 3.0  # the same for one that stands in a line with words


class Printed(NamedTuple):
    """A number that stands in the head or foot of a page: in line `line`; `pure` if the line says nothing else.

    `at` orders the numbers of a line, `away` is the distance of its baseline from the nearer edge of the paper.
    """

    value: int
    line: int
    at: int
    x: float
    away: float
    pure: bool


Found = Mapping[int, list[Printed]]
"""PDF page → numbers in its head and foot."""
Numbers = Mapping[int, frozenset[int]]
"""PDF page → numbers of the lines that carry its printed number."""


def set_labels(sheets: Sequence[Sheet]) -> Numbers:
    """Set `label` of every page that prints a number or stands between two that do; say which lines carry them."""
    found = {sheet.raw.seite: printed_on(sheet) for sheet in sheets}
    values = two_up(found, sheets) or one_up(found)
    labels = {seite: "/".join(str(number.value) for number in numbers) for seite, numbers in values.items()}
    filled(labels, values)
    counted_back(labels, values, sheets)
    for sheet in sheets:
        sheet.label = labels.get(sheet.raw.seite)
    carriers = {seite: frozenset(number.line for number in numbers) for seite, numbers in values.items()}
    carriers |= add_roman(sheets, min(values, default=len(sheets) + 1))
    add_pdf_labels(sheets, values)
    return carriers


def printed_on(sheet: Sheet) -> list[Printed]:
    """All numbers in the head and foot of a page."""
    found: list[Printed] = []
    for number, away in edge_lines(sheet):
        text = sheet.lines[number].text.strip()
        if SECTION.match(text):
            continue
        pure = bool(PURE.fullmatch(text))
        x = sheet.lines[number].x0
        found.extend(Printed(int(match[0]), number, match.start(), x, away, pure) for match in NUMBER.finditer(text))
    return found


def edge_lines(sheet: Sheet) -> Iterator[tuple[int, float]]:
    """(number, distance from the edge) of the short lines in the head and foot of a page."""
    height = sheet.raw.height
    for number, line in enumerate(sheet.lines):
        away = min(line.base, height - line.base)
        free = sheet.kinds[number] is None and not line.turned
        if free and away <= ZONE * height + line.size and len(line.text.strip()) <= LONGEST:
            yield number, away


def one_up(found: Found) -> dict[int, list[Printed]]:
    """The printed number of each page, where it keeps a constant distance from the PDF page over a run of pages."""
    votes: Counter[int] = Counter()
    for seite, numbers in found.items():
        for shift in {number.value - seite for number in numbers}:
            votes[shift] += 2 if any(number.pure and number.value - seite == shift for number in numbers) else 1
    chosen: dict[int, list[Printed]] = {}
    usual: float | None = None
    for shift, _ in votes.most_common(MOST_RUNS):
        run = {
            seite: min((n for n in numbers if n.value - seite == shift), key=lambda n: not n.pure)
            for seite, numbers in found.items()
            if any(n.value - seite == shift for n in numbers) and seite not in chosen
        }
        run = in_place(run, usual)
        if run and believable(run, chosen, len(found)):
            chosen.update({seite: [number] for seite, number in run.items()})
            usual = usual if usual is not None else usual_height(run)
    return chosen


def in_place(run: Mapping[int, Printed], usual: float | None) -> dict[int, Printed]:
    """Those numbers of a run that stand where the document prints its page numbers.

    The first run tells where that is; its pure numbers may stand anywhere at the edge.
    """
    height = usual_height(run) if usual is None else usual
    return {
        seite: number
        for seite, number in run.items()
        if (number.pure and usual is None) or abs(number.away - height) <= (NEAR if number.pure else NEAR_WORDS)
    }


def usual_height(run: Mapping[int, Printed]) -> float:
    """Median distance of the numbers from the edge of the paper."""
    heights = sorted(number.away for number in run.values())
    return heights[len(heights) // 2] if heights else 0.0


def believable(run: Mapping[int, Printed], chosen: Mapping[int, list[Printed]], pages: int) -> bool:
    """Whether a constant shift is the numbering of the document, or of a stretch of it."""
    ordered = sorted(run)
    dense = len(ordered) >= MIN_RUN and ordered[-1] - ordered[0] < 2 * len(ordered)
    if chosen:
        return dense and not any(ordered[0] < seite < ordered[-1] for seite in chosen)
    if pages <= FEW_PAGES:
        return len(run) >= 2 or (pages <= 2 and all(number.pure for number in run.values()))
    return len(run) >= MIN_RUN and (dense or len(run) >= 0.25 * pages)


def two_up(found: Found, sheets: Sequence[Sheet]) -> dict[int, list[Printed]]:
    """The two printed numbers of each page, if the document prints two of its pages on one."""
    votes: Counter[int] = Counter()
    pairs: dict[int, dict[int, list[Printed]]] = {}
    for sheet in sheets:
        seite, half = sheet.raw.seite, sheet.raw.width / 2
        wide = sheet.raw.width > sheet.raw.height
        for one in found[seite]:
            for two in found[seite]:
                apart = one.x < half <= two.x or (one.line == two.line and one.at < two.at)
                if two.value == one.value + 1 and apart and (wide or (one.pure and two.pure)):
                    votes[one.value - 2 * seite] += 1
                    pairs.setdefault(one.value - 2 * seite, {})[seite] = [one, two]
    if not votes:
        return {}
    shift, count = votes.most_common(1)[0]
    single: Counter[int] = Counter()
    for seite, numbers in found.items():
        single.update({number.value - seite for number in numbers})
    if count < (MIN_RUN if len(sheets) > FEW_PAGES else 2) or count < max(single.values()):
        return {}
    return pairs[shift]


def filled(labels: dict[int, str], values: Mapping[int, list[Printed]]) -> None:
    """Give the pages between two numbered ones their number, where both agree on it (chapter openers, pictures)."""
    for before, after in pairwise(sorted(values)):
        width = len(values[before])
        first, last = values[before][0].value, values[after][0].value
        if last - first == width * (after - before):
            for seite in range(before + 1, after):
                labels[seite] = counted(first + width * (seite - before), width)


def counted_back(labels: dict[int, str], values: Mapping[int, list[Printed]], sheets: Sequence[Sheet]) -> None:
    """Count back to the recognised pages before the first number that was read: recognition often misses it."""
    if len(values) < 2 * MIN_RUN:
        return
    first = min(values)
    width = len(values[first])
    for seite in range(first - 1, 0, -1):
        value = values[first][0].value - width * (first - seite)
        if value < 1 or not sheets[seite - 1].raw.ocr:
            return
        labels[seite] = counted(value, width)


def counted(value: int, width: int) -> str:
    """Label of a page that prints `width` pages, the first of them numbered `value`."""
    return "/".join(str(value + offset) for offset in range(width))


def add_roman(sheets: Sequence[Sheet], first: int) -> dict[int, frozenset[int]]:
    """Label the pages before page `first` that print Roman numbers; says which lines carry them.

    They are believed where the PDF's own label says the same, or where two pages go up together.
    """
    found: dict[int, tuple[int, str]] = {}
    for sheet in sheets[: first - 1]:
        for number, _ in edge_lines(sheet):
            match = ROMAN.fullmatch(sheet.lines[number].text)
            if match:
                found[sheet.raw.seite] = (number, match[1])
    shifts = Counter(roman_value(text) - seite for seite, (_, text) in found.items())
    carriers = {}
    for sheet in sheets[: first - 1]:
        number, text = found.get(sheet.raw.seite, (-1, ""))
        confirmed = text.lower() == (sheet.raw.label or "").lower()
        if text and (confirmed or shifts[roman_value(text) - sheet.raw.seite] >= 2):
            sheet.label = text
            carriers[sheet.raw.seite] = frozenset({number})
    return carriers


def roman_value(text: str) -> int:
    """Value of a Roman number, wrong order of its letters forgiven."""
    values = [{"i": 1, "v": 5, "x": 10, "l": 50}[letter] for letter in text.lower()]
    return sum(-one if one < two else one for one, two in pairwise([*values, 0]))


def add_pdf_labels(sheets: Sequence[Sheet], values: Mapping[int, list[Printed]]) -> None:
    """Take the PDF's own labels for unnumbered pages, if they agree with the print wherever there is any."""
    if not values or any(len(numbers) != 1 for numbers in values.values()):
        return
    for sheet in sheets:
        numbers = values.get(sheet.raw.seite)
        if numbers and sheet.raw.label != str(numbers[0].value):
            return
    for sheet in sheets:
        if sheet.label is None and sheet.raw.label and sheet.raw.label.isalnum():
            sheet.label = sheet.raw.label
