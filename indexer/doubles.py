"""Text that is drawn twice in the same place, for a shadow or to look bold (SPEC §5)."""

from collections import defaultdict

from indexer.rawpage import Line
from indexer.sheet import Sheet

SHIFT = 0.3  # of the type size: how far a shadow may lie off, in any direction
MOST_NEIGHBOURS = 40  # lines of one band that are compared with the next: a hostile page has thousands
BAND = 6.0  # points; lines are looked up by the band of height they stand in


def mark_doubles(sheet: Sheet) -> None:
    """Cut what repeats letters already printed in the same place: whole lines, or the beginning of a line."""
    bands: dict[int, list[int]] = defaultdict(list)
    for number, line in enumerate(sheet.lines):
        band = int(line.base // BAND)
        for near in (band - 1, band, band + 1):
            for earlier in bands.get(near, ())[-MOST_NEIGHBOURS:]:
                if sheet.kinds[earlier] is None and overlaid(sheet.lines[earlier], line):
                    compare(sheet, earlier, number)
            if sheet.kinds[number] is not None:
                break
        bands[band].append(number)


def overlaid(one: Line, two: Line) -> bool:
    """Whether two lines lie on top of each other and are set alike."""
    shift = SHIFT * one.size
    return (
        abs(one.base - two.base) <= shift
        and one.x0 < two.x1 - shift
        and two.x0 < one.x1 - shift
        and abs(one.size - two.size) <= 0.05 * one.size
        and one.turned == two.turned
    )


def compare(sheet: Sheet, earlier: int, number: int) -> None:
    """Cut what `number` and the `earlier` line both say in the same place."""
    one, two = sheet.lines[earlier], sheet.lines[number]
    first, second = one.text.strip(), two.text.strip()
    if stands_in(two, one):
        sheet.kinds[number] = "double"
    elif stands_in(one, two):
        sheet.kinds[earlier] = "double"
    elif one.x0 <= two.x0 + SHIFT * one.size:
        shared = shared_end(first, second)
        if shared and abs(place_of(one, len(first) - shared) - two.x0) <= 1.5 * one.size:
            start = len(two.text) - len(two.text.lstrip())
            sheet.cut_inside(number, 0, start + shared, "double")
            sheet.texts[earlier] = sheet.texts[earlier].rstrip()
            sheet.after[earlier] = ""


def stands_in(part: Line, whole: Line) -> bool:
    """Whether the letters of `part` are among those of `whole`, in the same place."""
    text = part.text.strip()
    shift = SHIFT * whole.size
    if part.x0 < whole.x0 - shift or part.x1 > whole.x1 + shift:
        return False
    at = whole.text.find(text)
    while at >= 0:
        if abs(place_of(whole, at) - part.x0) <= max(1.5 * whole.size, 0.1 * (whole.x1 - whole.x0)):
            return True
        at = whole.text.find(text, at + 1)
    return False


def place_of(line: Line, at: int) -> float:
    """About where character `at` of a line stands."""
    return line.x0 + (line.x1 - line.x0) * at / max(1, len(line.text))


def shared_end(first: str, second: str) -> int:
    """How many characters at the end of `first` are those that `second` begins with."""
    for length in range(min(len(first), len(second)), 0, -1):
        if first.endswith(second[:length]):
            return length
    return 0
