"""What is in an index: per programme its pages, those without text and why, and how its printed numbers are shifted."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from indexer.lookup import IndexedProgramm, PageIndex

MAJORITY = 0.8
"""Share of the numbered pages that must have one shift before it is called the shift of the programme."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgrammStatus:
    """One programme: `no_text` counts pages by the reason why nothing readable stands there.

    `shift` is what has to be added to the PDF position of a page to get its printed number ("+2", "0"), "two per page"
    for sheets with two printed pages, "varies", or None where no page prints a number.
    """

    programm: IndexedProgramm
    no_text: Mapping[str, int]
    ocr: int
    shift: str | None


def programme_status(index: PageIndex) -> list[ProgrammStatus]:
    """The status of every programme, by programm_id."""
    no_text: dict[str, dict[str, int]] = {}
    for programm_id, reason, count in index.query(
        "SELECT programm_id, no_text, count(*) FROM seiten WHERE no_text IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2"
    ):
        no_text.setdefault(programm_id, {})[reason] = count
    ocr = dict(index.query("SELECT programm_id, count(*) FROM seiten WHERE ocr GROUP BY 1"))
    labels: dict[str, list[tuple[int, str]]] = {}
    for programm_id, seite, label in index.query(
        "SELECT programm_id, seite, seitenlabel FROM seiten WHERE seitenlabel IS NOT NULL ORDER BY 1, 2"
    ):
        labels.setdefault(programm_id, []).append((seite, label))
    return [
        ProgrammStatus(
            programm=programm,
            no_text=no_text.get(programm_id, {}),
            ocr=ocr.get(programm_id, 0),
            shift=printed_shift(labels.get(programm_id, ())),
        )
        for programm_id, programm in sorted(index.programme.items())
    ]


def printed_shift(labels: Iterable[tuple[int, str]]) -> str | None:
    """See `ProgrammStatus.shift`; `labels` are (PDF position, printed number) of the pages that print one."""
    shifts = Counter(_shift(seite, label) for seite, label in labels)
    if not shifts:
        return None
    shift, count = shifts.most_common(1)[0]
    return shift if count >= MAJORITY * shifts.total() else "varies"


def _shift(seite: int, label: str) -> str:
    if "/" in label:
        return "two per page"
    if not (label.isascii() and label.isdigit()):
        return "varies"  # roman numerals
    difference = int(label) - seite
    return f"{difference:+d}" if difference else "0"
