"""Footnotes at the foot of the page, and the raised marks that point to them (SPEC §5).

A raised mark is not text ("Klimaneutralität¹"), a raised exponent is ("m²", "10²"): it goes into the text as the
Unicode superscript, so that it never welds with the number before it.
"""

import re
from collections import Counter
from collections.abc import Sequence

from indexer.rawpage import Line
from indexer.sheet import Body, Sheet

SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
NOTE = re.compile(r"\s*(\d{1,3}|\*{1,3}|†)[\s.)\]]*[^\W\d_]")
NOTE_START = re.compile(r"\s*(\d{1,3}|\*{1,3}|†)[\s.)\]]*")
MARK = re.compile(r"[,\s]*\d[\d,\s]*|[*†]{1,3}")
UNIT = re.compile(r"(?:^|[\s/(\d])(?:[kcdmµ]?m|q|CO|H|O|NO|N)$")
MOST_NOTE_LINES = 25
OFTEN = 3  # the same word with the same raised number so often: a name or a unit, not a note


def mark_footnotes(sheets: Sequence[Sheet], body: Body) -> None:
    """Mark the notes at the foot of each page, and decide about every raised number."""
    raised = [(sheet, number, span) for sheet in sheets for number, span in raised_spans(sheet)]
    names = Counter(word_before(*place) + raised_text(*place) for place in raised)
    pointed: dict[int, set[str]] = {}
    for sheet, number, span in raised:
        pointed.setdefault(sheet.raw.seite, set()).add(raised_text(sheet, number, span))
    notes = {sheet.raw.seite: mark_notes(sheet, body, pointed.get(sheet.raw.seite, set())) for sheet in sheets}
    for sheet, number, span in raised:
        if sheet.kinds[number] is not None:
            continue
        text, word = raised_text(sheet, number, span), word_before(sheet, number, span)
        start = sheet.shifts.get(number, 0) + sum(len(other.text) for other in sheet.lines[number].spans[:span])
        end = start + len(sheet.lines[number].spans[span].text.rstrip())
        if is_mark(word, text, notes[sheet.raw.seite]) and names[word + text] < OFTEN:
            sheet.cut_inside(number, start, end, "footnote_mark")
        else:
            line = sheet.texts[number]
            sheet.texts[number] = line[:start] + line[start:end].translate(SUPERSCRIPT) + line[end:]


def raised_spans(sheet: Sheet) -> list[tuple[int, int]]:
    """(line, span) of every raised number of a page."""
    found = []
    for number, line in enumerate(sheet.lines):
        if len(line.spans) < 2 or line.turned:
            continue
        top = line.base - 0.12 * line.size
        for place, span in enumerate(line.spans):
            if span.base < top and span.size <= 0.88 * line.size and MARK.fullmatch(span.text.strip()):
                found.append((number, place))
    return found


def raised_text(sheet: Sheet, number: int, span: int) -> str:
    """The raised number itself."""
    return sheet.lines[number].spans[span].text.strip()


def word_before(sheet: Sheet, number: int, span: int) -> str:
    """What stands right before a raised number, back to the last blank; empty if a blank or nothing does."""
    before = "".join(other.text for other in sheet.lines[number].spans[:span])
    return before[-24:].rsplit(maxsplit=1)[-1] if before and not before[-1].isspace() else ""


def is_mark(word: str, text: str, notes: set[str]) -> bool:
    """Whether a raised number points to a note; otherwise it is an exponent or part of a name."""
    if text in ("2", "3") and UNIT.search(word):
        return False
    if text in notes or not text.isdigit():
        return True
    return bool(word) and not word[-1].isdigit()


def mark_notes(sheet: Sheet, body: Body, pointed: set[str]) -> set[str]:
    """Mark the footnotes of a page; gives the marks they begin with."""
    notes: set[str] = set()
    flow = [n for n in sheet.flow() if not sheet.lines[n].turned and sheet.lines[n].y0 > 0.4 * sheet.raw.height]
    flow.sort(key=lambda n: sheet.lines[n].base)
    small: list[int] = []
    while flow and sheet.lines[flow[-1]].size < 0.96 * body.size:
        small.insert(0, flow.pop())
    # An index or a table of contents is small type as well, but has no text above it.
    if len(small) > MOST_NOTE_LINES or all(sheet.lines[n].size < 0.96 * body.size for n in sheet.flow()):
        return notes
    first = next((at for at, n in enumerate(small) if begins_note(sheet.lines[n], body, pointed, sheet.raw.ocr)), None)
    if first is None:
        return notes
    for number in small[first:]:
        sheet.kinds[number] = "footnote"
        if begins_note(sheet.lines[number], body, pointed, sheet.raw.ocr):
            match = NOTE_START.match(sheet.lines[number].text)
            assert match is not None
            notes.add(match[1])
    return notes


def begins_note(line: Line, body: Body, pointed: set[str], ocr: bool) -> bool:
    """Whether a small line at the foot of the page begins a note: a mark that is raised, pointed to, or very small."""
    if not NOTE.match(line.text):
        return False
    match = NOTE_START.match(line.text)
    assert match is not None
    first = next(span for span in line.spans if span.text.strip())
    is_raised = len(line.spans) > 1 and first.base < line.base - 0.12 * line.size and first.size <= 0.88 * line.size
    return is_raised or match[1] in pointed or (line.size < 0.88 * body.size and not ocr)
