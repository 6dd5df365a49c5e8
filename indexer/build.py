"""PDFs → index: incremental by content hash, in worker processes, replaced in one step (SPEC §4)."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from indexer.catalogue import catalogue_sha256, load_catalogue
from indexer.draft import Draft, drafting
from indexer.entry import INDEXED, Row, failed_row, hints_of, kept_row, with_same_content
from indexer.errors import IndexUnusableError
from indexer.limits import MEMORY
from indexer.previous import Previous, read_previous
from indexer.programm import Programm
from indexer.schema import NORMALIZER_VERSION, SCHEMA_VERSION
from indexer.seite import EXTRACTOR_VERSION
from indexer.sources import Source, find_sources, require_folder

if TYPE_CHECKING:
    from indexer.rows import Reader

REMOVED = "removed"
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions:
    """What `index build` can be told, under the names of its options.

    `jobs` processes read (0: as many as there are processors); one PDF may take `time_limit` seconds (and some per
    megabyte) and `memory_limit` bytes. `ocr` recognises pages that are pictures only. Tests put another `reader` in,
    with its `reader_version`.
    """

    catalogue: Path
    pdfs: Path
    db: Path
    jobs: int = 0
    time_limit: float = 120.0
    memory_limit: int = MEMORY
    ocr: bool = False
    reader: "Reader | None" = None
    reader_version: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgrammReport:
    """What the build did with one programme.

    `status` is that of the index (`indexed`, `stale`, `failed`, `missing`) or `removed`; `changed` says whether
    anything about the programme is new in the index.
    """

    programm_id: str
    status: str
    seiten: int
    changed: bool
    reason: str | None = None
    hints: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether the PDF as it is now is not in the index."""
        return self.status not in (INDEXED, REMOVED)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildReport:
    """What a build did, by programm_id. `changed` is False if the file was left as it was.

    `rebuilt` says why an earlier index could not be gone on with.
    """

    programme: tuple[ProgrammReport, ...]
    changed: bool
    rebuilt: str | None = None

    @property
    def failed(self) -> tuple[ProgrammReport, ...]:
        """The programmes whose PDF could not be read."""
        return tuple(report for report in self.programme if report.failed)

    @property
    def seiten(self) -> int:
        """Pages in the index."""
        return sum(report.seiten for report in self.programme if report.status != REMOVED)


Progress: TypeAlias = Callable[[ProgrammReport, int, int], None]
"""Called by `build` with each programme whose PDF was read, how many are done, and how many there are to read."""


def build_index(
    *,
    catalogue: Path | str,
    pdfs: Path | str,
    db: Path | str,
    jobs: int = 0,
    progress: Progress | None = None,
) -> BuildReport:
    """Bring the index `db` up to date with the `catalogue` and the folder `pdfs`; `build` with its usual limits."""
    return build(BuildOptions(catalogue=Path(catalogue), pdfs=Path(pdfs), db=Path(db), jobs=jobs), progress)


def build(options: BuildOptions, progress: Progress | None = None) -> BuildReport:
    """Bring the index at `options.db` up to date with the catalogue and the PDFs (SPEC §4).

    A PDF that cannot be read is reported; its earlier pages stay, marked stale. Readers see the old index or the new
    one. Raises UsageError and CatalogueError for wrong input (or OCR without its data), IndexUnusableError if the index
    cannot be written or is being built by somebody else; the old index is then as it was.
    """
    programme = sorted(load_catalogue(options.catalogue), key=lambda programm: programm.programm_id)
    require_folder(options.pdfs)
    try:
        with drafting(options.db) as draft:
            previous = read_previous(options.db)
            try:
                return _build(options, programme, previous, draft, progress)
            except sqlite3.DatabaseError as error:
                if not previous.usable or getattr(error, "sqlite_errorcode", 0) & 0xFF not in _DAMAGED:
                    raise
                draft.empty()
                return _build(options, programme, Previous(rebuild=f"it was damaged ({error})"), draft, progress)
    except (OSError, sqlite3.Error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        message = f"the index {options.db} could not be written ({reason}); what was there before is unchanged"
        raise IndexUnusableError(message) from error


@dataclass(slots=True, kw_only=True)
class Plan:
    """What becomes of each entry of the catalogue: its row, or the PDF that has to be read for it."""

    previous: Previous
    meta: Mapping[str, str]
    reader: "Reader | None"
    rows: dict[str, Row] = field(default_factory=dict)
    to_read: list[tuple[Programm, Source]] = field(default_factory=list)

    def reader_version(self, *, ocr_concerned: bool) -> str:
        """What a programme is read with; turning OCR on or off is nothing new for one that it does not concern."""
        version = f"extractor {self.meta['extractor_version']}, PyMuPDF {self.meta['pymupdf_version']}"
        return f"{version}, OCR {self.meta['ocr']}" if ocr_concerned and "ocr" in self.meta else version

    def removed(self) -> list[str]:
        """Programmes of the index from before that the catalogue no longer has."""
        return sorted(self.previous.programme.keys() - self.rows.keys())

    def changed(self) -> list[str]:
        """Programmes of which anything is new."""
        return [key for key, row in self.rows.items() if self.previous.programme.get(key) != row]

    def is_done(self) -> bool:
        """Whether the index from before already says all of this."""
        return self.previous.meta == self.meta and not self.removed() and not self.changed()


def _plan(options: BuildOptions, programme: Sequence[Programm], previous: Previous) -> Plan:
    versions, reader = _reader(options)
    versions |= {
        "schema_version": str(SCHEMA_VERSION),
        "normalizer_version": str(NORMALIZER_VERSION),
        "catalogue_sha256": catalogue_sha256(programme),
    }
    plan = Plan(previous=previous, meta=versions, reader=reader)
    sources = find_sources(options.pdfs, [programm.datei for programm in programme])
    for programm, source in zip(programme, sources, strict=True):
        version = plan.reader_version(ocr_concerned=programm.programm_id in previous.ocr_concerns)
        before = previous.programme.get(programm.programm_id)
        if source.reason is not None:
            plan.rows[programm.programm_id] = failed_row(programm, before, source.reason, missing=source.missing)
        elif before and (before["sha256"], before["reader"]) == (source.sha256, version):
            plan.rows[programm.programm_id] = kept_row(programm, before)
        else:
            plan.to_read.append((programm, source))
    return plan


def _reader(options: BuildOptions) -> tuple[dict[str, str], "Reader | None"]:
    """What the reader's results depend on, and the reader, if it is another than `indexer.pdf`."""
    if options.reader is not None:
        return {"extractor_version": str(options.reader_version), "pymupdf_version": "none"}, options.reader
    versions = {"extractor_version": str(EXTRACTOR_VERSION), "pymupdf_version": pymupdf_version()}
    if not options.ocr:
        return versions, None
    from indexer.ocr import OcrReader, find_tessdata, ocr_version  # noqa: PLC0415 - same

    tessdata = find_tessdata()
    return versions | {"ocr": ocr_version(tessdata)}, OcrReader(tessdata)


def pymupdf_version() -> str:
    """Version of the PyMuPDF that reads: another one may give other text.

    Finding out that there is nothing to do must cost no more than hashing the files: PyMuPDF takes 0.1 s to import and
    `importlib.metadata` 0.04 s, so the folder that pip leaves beside the package is looked at first.
    """
    spec = find_spec("pymupdf")
    places = spec.submodule_search_locations if spec else None
    found = [info for place in places or () for info in Path(place).parent.glob("[Pp]y[Mm]u[Pp][Dd][Ff]-*.dist-info")]
    if len(found) == 1:
        return found[0].stem.partition("-")[2]
    from importlib.metadata import version  # noqa: PLC0415 - see above

    return version("PyMuPDF")


def _build(
    options: BuildOptions, programme: Sequence[Programm], previous: Previous, draft: Draft, progress: Progress | None
) -> BuildReport:
    plan = _plan(options, programme, previous)
    if not plan.to_read:
        plan.rows = with_same_content(plan.rows)
        if plan.is_done():
            return _report(plan, changed=False)
    # Not imported where there is nothing to do: that would take longer than finding it out.
    from indexer.fill import fill  # noqa: PLC0415

    def tell(row: Row, done: int) -> None:
        if progress is not None:
            progress(_programm_report(row, changed=True), done, len(plan.to_read))

    changed = fill(draft.path, plan, options, tell)
    if changed:
        draft.publish()
    return _report(plan, changed=changed)


def _report(plan: Plan, *, changed: bool) -> BuildReport:
    news = set(plan.changed())
    reports = [_programm_report(row, changed=key in news) for key, row in sorted(plan.rows.items())]
    reports += [
        ProgrammReport(programm_id=key, status=REMOVED, seiten=int(str(row["seiten"])), changed=True)
        for key, row in plan.previous.programme.items()
        if key not in plan.rows
    ]
    return BuildReport(programme=tuple(reports), changed=changed, rebuilt=plan.previous.rebuild)


def _programm_report(row: Row, *, changed: bool) -> ProgrammReport:
    return ProgrammReport(
        programm_id=str(row["programm_id"]),
        status=str(row["status"]),
        seiten=int(str(row["seiten"])),
        changed=changed,
        reason=None if row["reason"] is None else str(row["reason"]),
        hints=hints_of(row),
    )
