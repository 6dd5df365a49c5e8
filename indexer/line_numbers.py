"""Line numbers in the margin: a narrow column beside the text whose numbers rise evenly (SPEC §5).

"A number at the start of a line" is not the rule, it would eat printed text; place and sequence are.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from indexer.rawpage import Line, part_of
from indexer.sheet import Sheet

STEPS = (1, 5, 2, 10)
MIN_ON_PAGE = 4
MIN_LINES = 3  # of a page that counts
NEAR = 3.0  # points that the numbers of one column may be out of line
ALONE = re.compile(r"\s*(\d{1,5})\s*")
AT_START = re.compile(r"\s*(\d{1,5})\s+(?=\S)")
AT_END = re.compile(r"\s(\d{1,5})\s*$")


class Mark(NamedTuple):
    """A number that may be a line number: characters `[start, end)` of line `line`, with its place."""

    line: int
    start: int
    end: int
    value: int
    x0: float
    x1: float
    base: float
    size: float
    whole: bool


class Column(NamedTuple):
    """Where the line numbers of a page stand: `x` of their left or right edges; `small` beside the text's size."""

    right: bool
    x: float
    step: int
    small: bool = False


def mark_line_numbers(sheets: Sequence[Sheet]) -> None:
    """Cut the line numbers of all pages, if the document has any."""
    found = [(sheet, marks_of(sheet.lines)) for sheet in sheets]
    full = [(sheet, marks, columns_of(marks, sheet.lines)) for sheet, marks in found]
    columns = [own[0] for _, _, own in full if own]
    if not is_numbered(columns, sum(1 for sheet in sheets if len(sheet.lines) >= MIN_LINES)):
        return
    places = {(column.right, round(column.x / NEAR), column.step) for _, _, own in full for column in own}
    steps = Counter(column.step for column in columns)
    step = max(steps, key=lambda value: steps[value])
    for sheet, marks, own in full:
        for column in own or nearest_column(marks, places):
            for mark in in_column(marks, column, step):
                cut(sheet, mark)


def is_numbered(columns: Sequence[Column], pages: int) -> bool:
    """Whether the columns found on some of the pages make a document with line numbers.

    Small numbers are enough on a third of the pages, numbers in the size of the text must be on most of several pages:
    a table of contents has such a column as well.
    """
    if any(column.small for column in columns):
        return 3 * len(columns) >= pages
    return len(columns) >= 3 and 3 * len(columns) >= 2 * pages


def marks_of(lines: Sequence[Line]) -> list[Mark]:
    """All numbers that stand alone, first or last in a line."""
    marks = []
    for number, line in enumerate(lines):
        text = line.text
        ends = text.strip()
        if not (ends[:1].isdigit() or ends[-1:].isdigit()) or line.turned:
            continue
        if not any(map(str.isdigit, text[:8] + text[-6:])):
            continue
        alone = ALONE.fullmatch(text)
        if alone:
            inked = [span for span in line.spans if span.text.strip()]
            marks.append(
                Mark(number, 0, len(text), int(alone[1]), inked[0].x0, inked[-1].x1, line.base, line.size, True)
            )
            continue
        marks.extend(mark for mark in (first_in(number, line), last_in(number, line)) if mark)
    return marks


def first_in(number: int, line: Line) -> Mark | None:
    """The number that a line begins with."""
    match = AT_START.match(line.text)
    if not match:
        return None
    at = 0
    for span in line.spans:
        at += len(span.text)
        if at >= match.end(1):
            break
    exact = at <= match.end()
    x1 = span.x1 if exact else line.x0 + 0.5 * span.size * len(match[1])
    x0 = span.x0 if exact else line.x0
    return Mark(number, 0, match.end(), int(match[1]), x0, x1, line.base, span.size, False)


def last_in(number: int, line: Line) -> Mark | None:
    """The number that a line ends with."""
    match = AT_END.search(line.text)
    if not match:
        return None
    span = line.spans[-1] if line.spans[-1].text.strip() else line.spans[-2]
    exact = span.text.strip() == match[1]
    x0 = span.x0 if exact else line.x1 - 0.5 * span.size * len(match[1])
    return Mark(number, match.start(), len(line.text), int(match[1]), x0, line.x1, line.base, span.size, False)


def columns_of(marks: Sequence[Mark], lines: Sequence[Line]) -> list[Column]:
    """The columns of line numbers of one page, the longest first: one beside each column of text."""
    columns: list[Column] = []
    while (column := column_of(marks, lines)) is not None:
        columns.append(column)
        marks = [mark for mark in marks if not near(mark, column)]
    return columns


def column_of(marks: Sequence[Mark], lines: Sequence[Line]) -> Column | None:
    """The longest column of line numbers of one page, judged from this page alone."""
    best: tuple[int, Column] | None = None
    for right in (True, False):
        places: dict[int, list[Mark]] = {}
        for mark in marks:
            edge = round((mark.x1 if right else mark.x0) / NEAR)
            places.setdefault(edge, []).append(mark)
        for edge, members in places.items():
            group = sorted(members + places.get(edge + 1, []), key=lambda mark: mark.base)
            if len(group) < MIN_ON_PAGE or (best and len(group) <= best[0]):
                continue
            step = even_step(group)
            if step and beside_text(group, lines):
                best = len(group), Column(right, edge * NEAR, step, is_small(group, lines))
    return best[1] if best else None


def even_step(group: Sequence[Mark]) -> int | None:
    """The step in which the values of a column rise from line to line, if they do so evenly."""
    steps = Counter(two.value - one.value for one, two in pairwise(group))
    step, count = steps.most_common(1)[0]
    return step if step in STEPS and count >= 0.75 * (len(group) - 1) else None


def beside_text(group: Sequence[Mark], lines: Sequence[Line]) -> bool:
    """Whether the numbers stand beside lines of text, in a strip of their own, and number them.

    The numbers of a list stand beside a line as well, but do not number the lines between.
    """
    left, right = min(mark.x0 for mark in group), max(mark.x1 for mark in group)
    own = {mark.line for mark in group}
    top, bottom = group[0].base - 1, group[-1].base + 1
    rows = []
    for number, line in enumerate(lines):
        if line.turned or not top <= line.base <= bottom:
            continue
        if number not in own:
            if line.x0 < right and line.x1 > left:
                return False
            rows.append(line.base)
    rows.extend(mark.base for mark in group if not mark.whole)
    if not rows:
        return False
    step = max(1, group[1].value - group[0].value)
    numbered = [mark.base for mark in group]
    covered = sum(1 for base in rows if any(abs(base - other) <= 0.4 * group[0].size for other in numbered))
    return covered * step >= 0.8 * len(rows)


def is_small(group: Sequence[Mark], lines: Sequence[Line]) -> bool:
    """Whether the numbers are set smaller than the text."""
    sizes = sorted(line.size for line in lines if len(line.text) > 8)
    return bool(sizes) and group[len(group) // 2].size <= 0.92 * sizes[len(sizes) // 2]


def nearest_column(marks: Sequence[Mark], places: set[tuple[bool, int, int]]) -> list[Column]:
    """The known column of the document in which most numbers of a short page stand, if any do."""
    best: tuple[int, Column] | None = None
    for right, edge, step in sorted(places):
        column = Column(right, edge * NEAR, step)
        count = sum(1 for mark in marks if near(mark, column))
        if count and (best is None or count > best[0]):
            best = count, column
    return [best[1]] if best else []


def near(mark: Mark, column: Column) -> bool:
    """Whether a number stands in a column."""
    return abs((mark.x1 if column.right else mark.x0) - column.x) <= 1.5 * NEAR


def in_column(marks: Sequence[Mark], column: Column, step: int) -> list[Mark]:
    """The numbers of a page that belong to the column and to its sequence."""
    group = sorted((mark for mark in marks if near(mark, column)), key=lambda mark: mark.base)
    kept: list[Mark] = []
    for number, mark in enumerate(group):
        neighbours = group[max(0, number - 2) : number] + group[number + 1 : number + 3]
        # Two neighbours may be missing: an empty line or a heading without a number.
        in_sequence = any(0 < abs(other.value - mark.value) <= 3 * step for other in neighbours)
        if in_sequence or (mark.whole and len(group) <= 2):
            kept.append(mark)
    return kept


def cut(sheet: Sheet, mark: Mark) -> None:
    """Take a line number out of the page."""
    if mark.whole:
        sheet.kinds[mark.line] = "line_number"
    else:
        sheet.cut_inside(mark.line, mark.start, mark.end, "line_number")
        line = sheet.lines[mark.line]
        rest = range(mark.end, len(line.text)) if mark.start == 0 else range(mark.start)
        sheet.lines[mark.line] = part_of(line, rest)
        sheet.shifts[mark.line] = rest.start
