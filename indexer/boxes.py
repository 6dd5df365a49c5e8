"""Captions, pull quotes and margin boxes that stand between the halves of a sentence (SPEC §5).

Only there are they taken out of the running text: a box between two whole sentences separates nothing.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from indexer.paragraphs import HYPHENS, is_drop_cap, is_ended, is_marker
from indexer.rawpage import Line
from indexer.sheet import Body, Sheet

MOST_LINES = 60


LEADERS = re.compile(r"[.\ufffd\x08]{3}|\x08")  # a line of a table of contents


class Place(NamedTuple):
    """Line `number` of a sheet."""

    sheet: Sheet
    number: int

    @property
    def line(self) -> Line:
        """The line itself."""
        return self.sheet.lines[self.number]


def mark_boxes(sheets: Sequence[Sheet], body: Body) -> None:
    """Mark boxes between the halves of a sentence, on one page or over a page break, and stray list numbers."""
    before: Place | None = None
    between: list[Place] = []
    for sheet in sheets:
        mark_stray_markers(sheet, body)
        for number in sheet.flow():
            place = Place(sheet, number)
            if not body.like(place.line):
                between.append(place)
                continue
            if before is not None and 0 < len(between) <= MOST_LINES and is_box(before, between, place, body):
                for part in between:
                    apart = beside(part.line, before.line) and part.sheet is before.sheet
                    part.sheet.kinds[part.number] = "margin" if apart else "caption"
            before, between = place, []


def is_box(before: Place, between: Sequence[Place], after: Place, body: Body) -> bool:
    """Whether all lines between two lines of text stand apart from them, and the text runs on behind them."""
    if after.sheet.raw.seite - before.sheet.raw.seite > 1 or not runs_on(before, after):
        return False
    if is_drop_cap(between[-1].line, after.line) or between[-1].line.text.rstrip().endswith(","):
        return False  # "Liebe Wählerinnen und Wähler," is what the small letter after it goes on from
    return all(stands_apart(place, before, after, body) for place in between)


def runs_on(before: Place, after: Place) -> bool:
    """Whether the sentence of one line goes on in another."""
    text = before.sheet.texts[before.number].rstrip()
    following = after.sheet.texts[after.number].lstrip()
    if not text or not following or LEADERS.search(text):
        return False
    if text[-1] in HYPHENS and len(text) > 1 and text[-2].isalpha():
        return following[0].isalpha()
    return following[0].islower() and not is_ended(text)


def stands_apart(place: Place, before: Place, after: Place, body: Body) -> bool:
    """Whether a line lies beside the text, or is set in another size and off from it."""
    line = place.line
    if is_marker(line.text):
        return False
    neighbours = [other.line for other in (before, after) if other.sheet is place.sheet]
    if all(well_beside(line, other) for other in neighbours):
        return abs(line.size - body.size) > 0.04 * body.size or line.font not in body.fonts
    if abs(line.size - body.size) < 0.08 * body.size:
        return False
    # In the text's own column a box keeps its distance, a line of odd size does not.
    off = 1.25 * body.leading
    return all(beside(line, other) or abs(line.base - other.base) > off for other in neighbours)


def beside(one: Line, two: Line) -> bool:
    """Whether two lines have no column in common."""
    return one.x0 >= two.x1 or two.x0 >= one.x1


def well_beside(one: Line, two: Line) -> bool:
    """Whether two lines have no column in common, and are not parts of one row of words."""
    gap = max(one.x0 - two.x1, two.x0 - one.x1)
    return gap >= 0 and (abs(one.base - two.base) > 0.5 * one.size or gap > 1.2 * one.size)


def mark_stray_markers(sheet: Sheet, body: Body) -> None:
    """Move the number of a list entry out of the sentence that it is set beside, not before."""
    flow = sheet.flow()
    for one, number, two in zip(flow, flow[1:], flow[2:], strict=False):
        line, before, after = sheet.lines[number], sheet.lines[one], sheet.lines[two]
        if not is_marker(line.text) or line.x1 > min(before.x0, after.x0):
            continue
        follows_on = 0 < after.base - before.base <= 1.25 * max(body.leading, before.size)
        if follows_on and after.base - line.base > 0.3 * after.size:
            sheet.kinds[number] = "margin"
