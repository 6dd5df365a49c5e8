"""Where a printed paragraph, heading or bullet ends, and where a drop cap joins its word (SPEC §5).

The ends are used to forgive a full stop that is added there, so a doubtful end is none.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from indexer.rawpage import Line, Span
from indexer.sheet import Body, Sheet

HYPHENS = "-\xad\u2010\u2011\xac"
BULLET = re.compile(r"\s*(?:[•●○■□▪▫◆►▶➢➤✓✔❑·*\x7f-\x9f\ue000-\uf8ff\ufffd\x01-\x08]|n\s)")
WEAK_BULLET = re.compile(r"\s*(?:[-–—]|\(?\d{1,2}[.)]|[a-z]\)|[A-ZIVX]{1,4}\.)\s")
MARKER = re.compile(r"\s*(?:\(?\d{1,3}[.)]|[a-z]\)|[•●○■□▪▫◆►▶➢➤✓✔\ue000-\uf8ff–-])\s*")
FIRST_WORD = re.compile(r"\s*([^ \t]+)")  # what a no-break space ties together is one word
ENDED = ".!?:;…"
CLOSERS = " \t\xa0)]}\"'“”‘’«»›‹"
WINDOW = 12
RAGGED = 0.12  # of the width of a column: so much earlier may a line of ragged text end


def set_ends(sheets: Sequence[Sheet], body: Body) -> None:
    """Decide for each line of running text what stands between it and the next one."""
    previous: tuple[Sheet, int] | None = None
    for sheet in sheets:
        flow = sheet.flow()
        for one, two in pairwise(flow):
            if one not in sheet.after:
                sheet.after[one] = separator(sheet, one, two, body)
        if flow and previous is not None:
            before, last = previous
            if last not in before.after and ends_at_page(before, last, sheet.lines[flow[0]]):
                before.after[last] = "\n\n"
        previous = (sheet, flow[-1]) if flow else previous


def separator(sheet: Sheet, one: int, two: int, body: Body) -> str:
    """What stands between two lines that follow each other in the running text of a page."""
    if is_drop_cap(sheet.lines[one], sheet.lines[two]):
        sheet.texts[one] = sheet.texts[one].strip()
        if two not in sheet.inner:
            sheet.texts[two] = sheet.texts[two].lstrip()
        return ""
    return "\n\n" if ends(sheet, one, two, body) else "\n"


def ends(sheet: Sheet, one: int, two: int, body: Body) -> bool:
    """Whether a paragraph, heading or bullet ends with a line."""
    line, following = sheet.lines[one], sheet.lines[two]
    text = sheet.texts[one].rstrip()
    down = following.base - line.base
    # Parts of one row are a table, or words set far apart; a bullet of its own begins what follows it.
    one_row = abs(down) < 0.4 * line.size and following.x0 >= line.x1 - line.size
    if not text or text[-1] in HYPHENS or one_row or is_marker(text):
        return False
    same_column = line.x0 < following.x1 and following.x0 < line.x1
    gap = same_column and down > 1.3 * max(body.leading * line.size / body.size, 1.1 * line.size)
    if not following.text[:2].isalpha() and (BULLET.match(following.text) or is_marker(following.text)):
        return True
    if first_letter(following.text).islower():
        return gap and is_ended(text)
    if text[-1] == ",":
        return False
    if gap or restyled(line, following):
        return True
    return short(sheet, one, two) or (is_ended(text) and WEAK_BULLET.match(following.text) is not None)


def is_ended(text: str) -> bool:
    """Whether a text ends with the mark that ends a sentence, or is nothing but closing marks."""
    return text.rstrip(CLOSERS)[-1:] in ENDED


def is_marker(text: str) -> bool:
    """Whether a text is nothing but a bullet or the number of a list entry."""
    return not text[:2].isalpha() and MARKER.fullmatch(text) is not None


def is_drop_cap(line: Line, following: Line) -> bool:
    """Whether a line is nothing but a large first letter, and the next one goes on beside it."""
    letter = line.text.strip()
    if len(letter) != 1 or not letter.isupper() or line.size < 1.7 * following.size:
        return False
    beside = following.x0 >= line.x0 and following.x0 - line.x1 < 1.2 * following.size
    if not beside or following.base < line.y0 or following.y0 > line.base:
        return False
    word = FIRST_WORD.match(following.text)
    return word is not None and (word[1][0].islower() or word[1].isupper())


def first_letter(text: str) -> str:
    """First character of a line that is a letter or a digit; opening quotation marks and the like do not count."""
    return text[0] if text[:1].isalnum() else next((char for char in text if char.isalnum()), "")


def restyled(line: Line, following: Line) -> bool:
    """Whether one of two lines is set in one other font or size throughout: a heading, not an emphasised word."""
    last, first = inked(line)[-1], inked(following)[0]
    if last.font == first.font and abs(last.size - first.size) <= 0.06 * last.size:
        return False
    return uniform(line) and uniform(following)


def inked(line: Line) -> list[Span]:
    """Spans of a line that print something."""
    return [span for span in line.spans if span.text.strip()]


def uniform(line: Line) -> bool:
    """Whether a line is set in one font and size."""
    spans = inked(line)
    return all(span.font == spans[0].font and abs(span.size - spans[0].size) < 0.1 for span in spans)


def short(sheet: Sheet, one: int, two: int) -> bool:
    """Whether a line ends so early that the next word would have found room in it."""
    line, following = sheet.lines[one], sheet.lines[two]
    x0, x1, base, size = line.x0, line.x1, line.base, line.size
    edge = x1
    for other in sheet.lines[max(0, one - WINDOW) : one + WINDOW]:
        wider = other.x1 > edge and other.x0 < x1 and x0 < other.x1
        if wider and abs(other.base - base) >= 1 and abs(other.size - size) < 0.1 * size:
            edge = other.x1
    word = FIRST_WORD.match(following.text)
    letters = len(word[1]) + 2 if word else 2
    width = letters * (following.x1 - following.x0) / max(1, len(following.text.rstrip()))
    return line.x1 + max(1.3 * width, RAGGED * (edge - line.x0)) < edge


def ends_at_page(sheet: Sheet, last: int, following: Line) -> bool:
    """Whether the last line of a page ends a paragraph, seen from the first line of the next page."""
    line = sheet.lines[last]
    text = sheet.texts[last].rstrip()
    if not text or text[-1] in HYPHENS or first_letter(following.text).islower():
        return False
    return bool(BULLET.match(following.text)) or restyled(line, following)
