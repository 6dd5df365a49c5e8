"""What a build does once there is something to do: PDFs read in worker processes, pages and rows put into the draft."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from sqlite_utils import Database

from indexer import store
from indexer.entry import Row, failed_row, indexed_row, with_same_content
from indexer.limits import processors
from indexer.programm import Programm
from indexer.rows import ProgrammRows, RowReader, ocr_concerns
from indexer.sources import Source
from indexer.worker import Answer
from indexer.workers import Limits, read_all

if TYPE_CHECKING:
    from indexer.build import BuildOptions, Plan

MERGE_FROM = 4
"""One changed programme in so many, or more: both search tables are brought into one piece again."""
OCR_TIME = 30.0
"""With OCR a PDF may take so many times its limit: a page takes 3 seconds instead of 0.01."""

Tell: TypeAlias = Callable[[Row, int], None]
"""Called with the row of each programme whose PDF was read, and how many are done."""


def fill(draft: Path, plan: "Plan", options: "BuildOptions", tell: Tell) -> bool:
    """Write the index that `plan` wants into the empty file `draft`; False if the index from before says it all."""
    with closing(store.open_draft(draft, options.db if plan.previous.usable else None)) as db:
        with db.atomic():
            _read_pdfs(db, plan, options, tell)
            plan.rows = with_same_content(plan.rows)
            if plan.is_done():  # what could not be read before cannot be read now
                return False
            _write_rows(db, plan)
        store.finish(db)
    return True


def _read_pdfs(db: Database, plan: "Plan", options: "BuildOptions", tell: Tell) -> None:
    """Read the PDFs of the plan in worker processes: pages go into the draft, in order, and rows into the plan."""
    seconds = options.time_limit * (OCR_TIME if options.ocr else 1)
    limits = Limits(jobs=options.jobs or processors(), seconds=seconds, memory=options.memory_limit)
    answers = read_all(RowReader(plan.reader), [source.path for _, source in plan.to_read], limits)
    with closing(answers):
        for done, ((programm, source), answer) in enumerate(zip(plan.to_read, answers, strict=True), start=1):
            row = _take(db, plan, programm, source, answer)
            plan.rows[programm.programm_id] = row
            tell(row, done)


def _take(db: Database, plan: "Plan", programm: Programm, source: Source, answer: Answer) -> Row:
    """Put the pages of one programme into the draft, if they could be read; its row."""
    reason = answer.reason
    if reason is None and answer.value.sha256 != source.sha256:
        reason = "changed while it was being read; build again"
    if reason is not None:
        return failed_row(programm, plan.previous.programme.get(programm.programm_id), reason)
    read: ProgrammRows = answer.value
    store.drop_pages(db, programm.programm_id)
    store.add_pages(db, programm.programm_id, read.pages)
    return indexed_row(
        programm,
        sha256=read.sha256,
        reader=plan.reader_version(ocr_concerned=any(map(ocr_concerns, read.pages))),
        seiten=len(read.pages),
        hints=read.hints,
    )


def _write_rows(db: Database, plan: "Plan") -> None:
    changed, removed = plan.changed(), plan.removed()
    for programm_id in [*removed, *(key for key in changed if not plan.rows[key]["seiten"])]:
        store.drop_pages(db, programm_id)
    store.put_programme(db, [plan.rows[key] for key in changed], removed)
    store.put_meta(db, plan.meta)
    if MERGE_FROM * (len(changed) + len(removed)) >= len(plan.rows):
        store.merge_search_tables(db)
    store.count_trigrams(db)
