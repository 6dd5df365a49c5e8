"""Small indexes from invented pages, built by the real build through a reader that takes text for PDFs."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from indexer.build import BuildOptions, build
from indexer.pdf import Programmtext
from indexer.seite import Cut, Seite

Fields = Mapping[str, object]


def read_json(path: Path) -> Programmtext:
    """A reader for the build: the "PDF" is a JSON list of pages."""
    pages = [
        Seite(
            seite=number,
            text=page["text"],
            cuts=tuple(Cut(start=start, end=end, kind=kind) for start, end, kind in page.get("cuts", [])),
            seitenlabel=page.get("seitenlabel"),
            no_text=page.get("no_text"),
            ocr=page.get("ocr", False),
        )
        for number, page in enumerate(json.loads(path.read_text("utf-8")), start=1)
    ]
    return Programmtext(seiten=tuple(pages), hints=())


def page(text: str, *, head: str = "", number: str = "", seitenlabel: str | None = None, **fields: object) -> Fields:
    """A page whose first line is a running head and whose last line is a page number, both cut.

    Every line has its end, the last one too, as on pages of PDFs: without it, tests did not see that a page break
    counted as the end of a paragraph.
    """
    parts = [(f"{head}\n", "head")] if head else []
    parts += [(f"{text}\n", ""), *([(f"{number}\n", "page_number")] if number else [])]
    whole, cuts = "", []
    for part, kind in parts:
        if kind:
            cuts.append((len(whole), len(whole) + len(part), kind))
        whole += part
    return {"text": whole, "cuts": cuts, "seitenlabel": seitenlabel or number or None, **fields}


def make_index(folder: Path, programme: Sequence[tuple[Fields, Sequence[Fields | str] | None]]) -> Path:
    """Build an index in `folder` from (catalogue fields, pages or None for a missing PDF) and return its path."""
    pdfs = folder / "pdf"
    pdfs.mkdir(parents=True, exist_ok=True)
    entries = []
    for fields, pages in programme:
        datei = f"{fields['id']}.pdf"
        if pages is not None:
            content = [{"text": f"{one}\n"} if isinstance(one, str) else one for one in pages]
            (pdfs / datei).write_text(json.dumps(content), "utf-8")
        entries.append({"bundesland": "Bund", "typ": "wahlprogramm", "datei": datei, **fields})
    catalogue = folder / "programme.json"
    catalogue.write_text(json.dumps(entries), "utf-8")
    db = folder / "index.db"
    build(BuildOptions(catalogue=catalogue, pdfs=pdfs, db=db, jobs=1, reader=read_json, reader_version="test"))
    return db
