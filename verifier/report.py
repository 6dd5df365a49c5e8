"""What all reports share: their names, their options, and the one record per Befund (SPEC §8).

A report is a module `report_NAME` with one function, `render(result, options)`, that yields text. Modules are loaded
on use: `verify run` must not pay at start-up for formats that nobody asked for.
"""

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from verifier.run import Result
from verifier.summary import Summary
from verifier.verdict import Befund, Nearest, Zitat
from verifier.walk import Problem

FORMAT_VERSION = 1
"""Version of jsonl and json. 1: first release (SPEC §8)."""

FORMATS = ("terminal", "jsonl", "json", "html", "junit", "csv", "github")
LANGS = ("de", "en")
UNCHECKED_AS = ("skipped", "error")
DEFAULT_PDFS = Path("data/pdf")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """How to show a result; every name is that of the option.

    `quiet` and `color` concern the terminal; `lang`, `pdf_base` (address or folder in front of a PDF's file name) and
    `page_images` (drawn from the folder `pdfs`) HTML; `junit_unchecked` what JUnit calls an unchecked Befund. `single`:
    one quotation was asked for, so that a pass is shown like a finding and totals say nothing.
    """

    quiet: bool = False
    color: bool = False
    single: bool = False
    lang: str = "de"
    pdf_base: str = ""
    page_images: bool = False
    pdfs: Path = DEFAULT_PDFS
    junit_unchecked: str = "skipped"


Render = Callable[[Result, ReportOptions], Iterator[str]]


def renderer(name: str) -> Render:
    """Load the report of one of FORMATS."""
    return cast(Render, importlib.import_module(f"verifier.report_{name}").render)


def notes_of(befund: Befund) -> tuple[str, ...]:
    """All notes on a Befund, those of the reader of the database included, each once."""
    return tuple(dict.fromkeys((*befund.zitat.notes, *befund.notes)))


def record(befund: Befund) -> dict[str, object]:
    """One Befund as SPEC §8 prints it; the order of the keys is fixed."""
    zitat = befund.zitat
    return {
        "drucksache": zitat.drucksache,
        "pfad": zitat.pfad,
        "bundesland": zitat.bundesland,
        "fraktion": zitat.fraktion,
        "text": zitat.text,
        "quelle": zitat.quelle,
        "url": zitat.url,
        "verdict": befund.verdict,
        "outcome": befund.outcome,
        "programm_id": befund.programm_id,
        "seite": befund.seite,
        "found": [
            {"programm_id": place.programm_id, "seite": place.seite, "seitenlabel": place.seitenlabel}
            for place in befund.found
        ],
        "found_total": befund.found_total,
        "nearest": None if befund.nearest is None else _nearest(befund.nearest),
        "message": befund.message,
        "notes": list(notes_of(befund)),
        "assessment": zitat.assessment,
    }


def _nearest(nearest: Nearest) -> dict[str, object]:
    return {
        "programm_id": nearest.programm_id,
        "seite": nearest.seite,
        "seitenlabel": nearest.seitenlabel,
        "text": nearest.text,
        "diff": [{"kind": c.kind, "quoted": c.quoted, "printed": c.printed} for c in nearest.diff],
    }


def problem_record(problem: Problem) -> dict[str, object]:
    """One Problem for the machine formats; `lost` says that a quotation may be hidden there."""
    return {
        "drucksache": problem.drucksache,
        "pfad": problem.pfad,
        "reason": problem.reason,
        "lost": problem.lost,
        "assessment": problem.assessment,
    }


def summary_record(summary: Summary) -> dict[str, object]:
    """The totals for the machine formats."""
    return {
        "assessments": summary.assessments,
        "befunde": summary.total,
        "outcomes": summary.outcomes,
        "verdicts": summary.verdicts,
        "unchecked": summary.unchecked,
        "problems": summary.problems,
        "lost": summary.lost,
        "unresolved": [
            {"quelle": group.quelle, "verdict": group.verdict, "count": group.count, "message": group.message}
            for group in summary.unresolved
        ],
    }


def antrag_of(zitat: Zitat) -> str:
    """`19/1001`, with the assessment where that is not the same: one drucksache may have several."""
    if zitat.assessment is None or str(zitat.assessment) == zitat.drucksache:
        return zitat.drucksache
    return f"{zitat.drucksache} [{zitat.assessment}]".lstrip()


def place(programm_id: str, seite: int, seitenlabel: str | None) -> str:
    """`gruene-nrw-2022, PDF page 58 (printed 57)`: both numbers, so that a reader finds it on paper and on screen."""
    printed = "" if seitenlabel is None else f" (printed {seitenlabel})"
    return f"{programm_id}, PDF page {seite}{printed}"


def shortened(text: str, limit: int) -> str:
    """At most about `limit` characters for display: beginning and end, and how much is left out between."""
    if len(text) <= limit:
        return text
    half = (limit - 20) // 2
    return f"{text[:half]} [… {len(text) - 2 * half} characters …] {text[-half:]}"
