"""The classical check, which the benches compare with: open the PDF, look for the words, else for any five of them.

usage: python classical.py ASSESSMENTS.db CATALOGUE.json PDFDIR

Stands in for `../shared/bench/naive_verify.py` where that is absent, and does the same: the programme by the words of
its name, the page by a regular expression, one open document and one cached text for each page.
"""

import json
import re
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pymupdf  # noqa: TID251 - this is what checking with PDFs costs

PAGE = re.compile(r"\bS(?:eite)?\.?\s*(\d+)", re.IGNORECASE)


def zitate(node: Any) -> Iterator[dict[str, str]]:
    if isinstance(node, dict) and "text" in node and "quelle" in node:
        yield node
    elif isinstance(node, dict | list):
        for child in node.values() if isinstance(node, dict) else node:
            yield from zitate(child)


def folded(text: str) -> str:
    return " ".join(text.replace("\xad", "").lower().split())


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


class Shelf:
    def __init__(self, catalogue: Path, pdfs: Path) -> None:
        self._names = [(entry["datei"], words(entry["name"])) for entry in json.loads(catalogue.read_text("utf-8"))]
        self._document = cache(lambda datei: pymupdf.open(pdfs / datei))
        self.page = cache(self._page)

    def datei(self, quelle: str) -> str | None:
        named = words(quelle)
        datei, name = max(self._names, key=lambda one: len(one[1] & named) / len(one[1]))
        return datei if name <= named else None

    def _page(self, datei: str, seite: int) -> str | None:
        document = self._document(datei)
        return folded(document[seite - 1].get_text()) if 1 <= seite <= document.page_count else None


def verdict(shelf: Shelf, zitat: dict[str, str]) -> str:
    datei, page = shelf.datei(zitat["quelle"]), PAGE.search(zitat["quelle"])
    if datei is None or page is None:
        return "no source" if datei is None else "no page"
    text, quoted = shelf.page(datei, int(page[1])), folded(zitat["text"].strip(" .…"))
    if text is None or len(quoted) < 20:
        return "no such page" if text is None else "too short"
    if quoted in text:
        return "exact"
    tokens = quoted.split()
    fives = (" ".join(tokens[start : start + 5]) for start in range(max(1, len(tokens) - 4)))
    return "anchor" if any(five in text for five in fives) else "not found"


def main(assessments: str, catalogue: str, pdfs: str) -> None:
    shelf = Shelf(Path(catalogue), Path(pdfs))
    rows = sqlite3.connect(assessments).execute("SELECT wahlprogramm_scores FROM assessments")
    print(Counter(verdict(shelf, zitat) for (scores,) in rows for zitat in zitate(json.loads(scores))))


main(*sys.argv[1:])
