"""Notes in a margin column: set in a type of their own, beside the text, page after page (SPEC §5)."""

from collections import Counter
from collections.abc import Sequence

from indexer.rawpage import Line
from indexer.sheet import Body, Sheet

MIN_PAGES = 3
MIN_TEXT_LINES = 3  # of a page whose columns can be told
MOSTLY = 0.8  # of all lines of a type stand beside the text: it is the type of the margin
MIN_LETTERS = 3  # bullets and list numbers stand beside the text as well

Interval = tuple[float, float]
Type = tuple[str, float]


def mark_margin_columns(sheets: Sequence[Sheet], body: Body) -> None:
    """Mark the lines of every type that is used beside the text only."""
    everywhere: Counter[Type] = Counter()
    pages: Counter[Type] = Counter()
    outside: list[tuple[Sheet, int]] = []
    for sheet in sheets:
        columns = text_columns(sheet, body)
        if not columns:
            continue
        types: set[Type] = set()
        for number in sheet.flow():
            line = sheet.lines[number]
            if body.like(line) or sum(map(str.isalpha, line.text)) < MIN_LETTERS:
                continue
            everywhere[type_of(line)] += 1
            if all(line.x1 <= left or line.x0 >= right for left, right in columns):
                outside.append((sheet, number))
                types.add(type_of(line))
        pages.update(types)
    beside = Counter(type_of(sheet.lines[number]) for sheet, number in outside)
    of_margin = {
        kind for kind, count in beside.items() if pages[kind] >= MIN_PAGES and count >= MOSTLY * everywhere[kind]
    }
    for sheet, number in outside:
        if type_of(sheet.lines[number]) in of_margin:
            sheet.kinds[number] = "margin"


def type_of(line: Line) -> Type:
    """Font and size of a line."""
    return line.font, round(line.size, 1)


def text_columns(sheet: Sheet, body: Body) -> list[Interval]:
    """Left and right edges of the columns of running text on a page; none if there is too little of it."""
    spans = sorted((line.x0, line.x1) for n in sheet.flow() if body.like(line := sheet.lines[n]))
    if len(spans) < MIN_TEXT_LINES:
        return []
    columns: list[Interval] = []
    for left, right in spans:
        if columns and left <= columns[-1][1]:
            columns[-1] = (columns[-1][0], max(right, columns[-1][1]))
        else:
            columns.append((left, right))
    return columns
