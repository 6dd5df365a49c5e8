"""From the pages of one PDF to the rows of the index: computed in the worker, so that the build only inserts."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from indexer.forms import flow_text, page_forms
from indexer.seite import OCR_LEAVES, Seite
from indexer.sources import sha256_of

OVERLAP = 300
"""Characters of the following pages that a page's trigram entry holds: a quotation that begins on a page is looked
for by trigrams of its first characters (`indexer.trigrams.HEAD`), so it is found from its first page (SPEC §6)."""

FOLLOWING = 2
"""Pages that the overlap may take them from: a quotation may run over a whole (short) page to the one after."""

NEIGHBOUR = 80
"""Characters of running text of the neighbouring pages that decide whether a word runs on over the page break."""

# The reader should leave none of these, but one of them would end the whole build: SQLite refuses surrogates, and its
# length() stops at NUL.
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")


class Pages(Protocol):
    """What a reader gives for one PDF (`indexer.pdf.Programmtext`)."""

    @property
    def seiten(self) -> tuple[Seite, ...]: ...  # noqa: D102 - the class says it

    @property
    def hints(self) -> tuple[str, ...]: ...  # noqa: D102 - the class says it


Reader = Callable[[Path], Pages]


class PageRow(NamedTuple):
    """One row of `seiten` without its number and programme, in the order of its columns."""

    seite: int
    seitenlabel: str | None
    no_text: str | None
    ocr: int
    flow_end: int
    boundaries: bytes
    compact: str
    strict: str
    text: str
    cuts: str


def ocr_concerns(page: PageRow) -> bool:
    """Whether recognition of characters has, or may have, a part in this page."""
    return bool(page.ocr) or (page.no_text is not None and page.no_text not in OCR_LEAVES)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgrammRows:
    """All that the index keeps of one PDF; `sha256` is that of the file after it was read."""

    pages: tuple[PageRow, ...]
    hints: tuple[str, ...]
    sha256: str


@dataclass(frozen=True, slots=True)
class RowReader:
    """Reads one PDF into rows, by default with `indexer.pdf`; a value, so that it can be sent to a worker process."""

    reader: Reader | None = None

    def __call__(self, path: Path) -> ProgrammRows:
        """Rows of the PDF at `path`. Raises PdfError as the reader does."""
        read = (self.reader or _read_programm)(path)
        return ProgrammRows(pages=page_rows(read.seiten), hints=read.hints, sha256=sha256_of(path))


def _read_programm(path: Path) -> Pages:
    from indexer.pdf import read_programm  # noqa: PLC0415 - only workers load PyMuPDF

    return read_programm(path)


def page_rows(seiten: Sequence[Seite]) -> tuple[PageRow, ...]:
    """Rows of the pages of one programme, in their order."""
    texts = [_UNSTORABLE.sub(" ", seite.text) for seite in seiten]
    flows = [flow_text(text, seite.cuts) for text, seite in zip(texts, seiten, strict=True)]
    afters = _next_texts(flows)
    befores = _next_texts(flows[::-1])[::-1]
    rows = []
    for seite, text, before, after in zip(seiten, texts, befores, afters, strict=True):
        forms = page_forms(text, seite.cuts, before=before[-NEIGHBOUR:], after=after[:NEIGHBOUR])
        rows.append(
            PageRow(
                seite=seite.seite,
                seitenlabel=seite.seitenlabel,
                no_text=seite.no_text,
                ocr=int(seite.ocr),
                flow_end=forms.flow_end,
                boundaries=forms.boundaries,
                compact=forms.compact,
                strict=forms.strict,
                text=text,
                cuts=json.dumps([[cut.start, cut.end, cut.kind] for cut in seite.cuts], separators=(",", ":")),
            )
        )
    return tuple(rows)


def _next_texts(flows: Sequence[str]) -> list[str]:
    """For each text the next one that is not blank: a word may run on past a page with a picture only."""
    following = [""]
    for flow in reversed(flows[1:]):
        following.append(flow if flow.strip() else following[-1])
    return following[::-1][-len(flows) :] if flows else []


def trigram_texts(pages: Sequence[tuple[str, int]]) -> list[str]:
    """What the trigram table holds for each page of a programme, from (`compact`, `flow_end`) of all of them in order.

    The page, and the end of its running text with the beginning of the following ones. A pure function of what is
    stored, because taking a row out of a contentless FTS5 table needs the very text that went in.
    """
    flows = [compact[:flow_end] for compact, flow_end in pages]
    return [
        "\n".join([compact, *_running_on(flows[number : number + 1 + FOLLOWING])])
        for number, (compact, _) in enumerate(pages)
    ]


def _running_on(flows: Sequence[str]) -> list[str]:
    """The running texts of consecutive pages, joined; between two digits a space or a hyphen may remain."""
    joined = ""
    joints = []
    for flow in flows:
        if joined and flow and (joined[-1].isdigit() or flow[0].isdigit()):
            joints += [f"{joined[-2:]} {flow[:2]}", f"{joined[-2:]}-{flow[:2]}"]
        joined += flow
    start = max(0, len(flows[0]) - 2)
    return [joined[start : len(flows[0]) + OVERLAP], *joints]
