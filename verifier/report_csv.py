"""CSV for spreadsheets: UTF-8 with byte order mark, one row per Befund, nothing that a spreadsheet would run."""

import csv
import io
import re
from collections.abc import Iterator

from verifier.report import ReportOptions, notes_of, place
from verifier.run import Result
from verifier.verdict import Befund

COLUMNS = (
    "drucksache",
    "bundesland",
    "fraktion",
    "verdict",
    "outcome",
    "text",
    "quelle",
    "url",
    "programm_id",
    "seite",
    "found",
    "found_total",
    "nearest",
    "nearest_text",
    "differences",
    "message",
    "notes",
    "pfad",
    "assessment",
)
_CELL_LIMIT = 32_000  # characters; spreadsheets cut cells at 32,767 without a word
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
_FORMULA = re.compile(r"\s*[=+\-@|%＝＋－＠]|[\t\r\n]")


def render(result: Result, options: ReportOptions) -> Iterator[str]:
    """Yield the header, then a row per Befund; lists within a cell are parted by line ends."""
    yield "\ufeff"  # without it, Excel reads UTF-8 as Latin-1
    yield _row(COLUMNS)
    for befund in result.befunde:
        yield _row(_cells(befund))


def _cells(befund: Befund) -> tuple[str, ...]:
    zitat, nearest = befund.zitat, befund.nearest
    changes = () if nearest is None else nearest.diff
    cells: tuple[object, ...] = (
        zitat.drucksache,
        zitat.bundesland,
        zitat.fraktion,
        befund.verdict,
        befund.outcome,
        zitat.text,
        zitat.quelle,
        zitat.url,
        befund.programm_id,
        befund.seite,
        "\n".join(place(spot.programm_id, spot.seite, spot.seitenlabel) for spot in befund.found),
        befund.found_total,
        "" if nearest is None else place(nearest.programm_id, nearest.seite, nearest.seitenlabel),
        "" if nearest is None else nearest.text,
        "\n".join(f"{change.kind}: {change.quoted} → {change.printed}" for change in changes),
        befund.message,
        "\n".join(notes_of(befund)),
        zitat.pfad,
        zitat.assessment,
    )
    return tuple(_cell(cell) for cell in cells)


def _cell(value: object) -> str:
    """Text that stays text: an apostrophe before what a spreadsheet would take for a formula."""
    if value is None or isinstance(value, int):
        return "" if value is None else str(value)
    text = _UNPRINTABLE.sub("\ufffd", str(value))
    if len(text) > _CELL_LIMIT:
        text = text[:_CELL_LIMIT] + f" [… {len(text)} characters]"
    return "'" + text if _FORMULA.match(text) else text


def _row(cells: tuple[str, ...]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerow(cells)
    return buffer.getvalue()
