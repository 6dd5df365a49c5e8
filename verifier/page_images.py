"""Pictures for the HTML report: which passage of which page shows a finding best, and the PDF that it is drawn from.

The only place of `verifier` that has PDFs opened: after all verdicts, if asked for, and only files that the catalogue
names. Nothing from the assessment database leads to a file.
"""

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from indexer.errors import UsageError
from indexer.gallery import Drawn, Passage, Picture, pictures
from indexer.sources import find_source, require_folder
from verifier.output import Target
from verifier.report import ReportOptions
from verifier.run import Result
from verifier.verdict import Befund, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from indexer.lookup import PageIndex

LIMIT = 1000
LIMIT_BYTES = 20_000_000
"""A report is one file that a browser has to open: no more pictures than this, and no more bytes of them."""

MISSING, CHANGED, FAILED, TOO_MANY = "missing", "changed", "failed", "too_many"
"""Why there is no picture; the report has a sentence for each (`labels.toml`)."""

Progress = Callable[["Iterator[tuple[Path, Drawn]]"], "Iterable[tuple[Path, Drawn]]"]
Place = tuple[str, Passage]
"""`programm_id` and what to show of it."""


def check_options(options: ReportOptions, wanted: "Iterable[Target]") -> None:
    """Raise UsageError, before the run, for pictures that nobody would see or that there are no PDFs for."""
    if not options.page_images:
        return
    if not any(target.name == "html" for target in wanted):
        raise UsageError("--page-images draws for the HTML report only: add --report html=FILE")
    require_folder(options.pdfs)


def illustrated(result: Result, index: "PageIndex", pdfs: Path, progress: Progress = iter) -> Result:
    """Add a picture, or the reason why there is none, for each failure of which a passage is known.

    `progress` is given the drawn PDFs as they come. What a baseline accepts gets no picture.
    """
    hashes = dict(index.query("SELECT programm_id, sha256 FROM programme"))
    dateien = {programm_id: programm.datei for programm_id, programm in index.programme.items()}
    shown: dict[int, Picture | str] = {}
    wanted: dict[Path, dict[int, Passage]] = {}
    sources: dict[str, Path | str] = {}
    for position, (programm_id, passage) in _places(result).items():
        if programm_id not in sources:
            sources[programm_id] = _source(pdfs, dateien[programm_id], hashes[programm_id])
        source = sources[programm_id]
        if isinstance(source, str):
            shown[position] = source
        elif sum(map(len, wanted.values())) < LIMIT:
            wanted.setdefault(source, {})[position] = passage
        else:
            shown[position] = TOO_MANY
    size = 0
    with closing(pictures({path: tuple(passages.values()) for path, passages in wanted.items()})) as drawn:
        for path, found in progress(drawn):
            for position, picture in zip(wanted[path], found, strict=True):
                size += 0 if picture is None else len(picture.png)
                shown[position] = TOO_MANY if size > LIMIT_BYTES else FAILED if picture is None else picture
    return replace(result, pictures=shown)


def _places(result: Result) -> Mapping[int, Place]:
    places = {}
    for position, befund in enumerate(result.befunde):
        if befund.outcome is Outcome.FAIL and not result.is_known(position):
            place = place_of(befund)
            if place is not None and place[0] in result.programme:
                places[position] = place
    return places


def place_of(befund: Befund) -> Place | None:
    """Where a failed quotation really stands, else what comes nearest with the words that differ, else None."""
    if befund.found:
        spot = befund.found[0]
        return spot.programm_id, Passage(seite=spot.seite, text=befund.zitat.text)
    if (near := befund.nearest) is not None:
        printed = tuple(change.printed for change in near.diff if change.printed)
        return near.programm_id, Passage(seite=near.seite, text=near.text, stressed=printed)
    return None


def _source(pdfs: Path, datei: str, sha256: object) -> Path | str:
    """The PDF that the index was made from, or why there is no picture of it.

    An index may come from elsewhere: its paths must not lead out of the folder of PDFs.
    """
    if PurePath(datei).is_absolute() or ".." in PurePath(datei).parts:
        return MISSING
    source = find_source(pdfs, datei)
    if source.sha256 is None:
        return MISSING
    return source.path if source.sha256 == sha256 else CHANGED
