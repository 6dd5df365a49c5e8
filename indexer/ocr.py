"""Pages that are pictures only, read by Tesseract, which PyMuPDF brings along: `index build --ocr`.

Only the language data has to be installed. Recognised text is marked (`Seite.ocr`): it may be wrong, and a Befund on it
says so. A page that can be read without it is never recognised.
"""

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from indexer.errors import UsageError
from indexer.layout import clean
from indexer.lines import lines_in, make_line, reading_direction
from indexer.pdf import FLAGS, LIBRARY_ERRORS, Programmtext, opened, quiet, read_pages
from indexer.rawpage import RawPage
from indexer.readable import MANY_LETTERS, WORD_SHARE, WORDS
from indexer.seite import OCR_LEAVES
from indexer.sources import sha256_of

LANGUAGE = "deu"
DPI = 300
MIN_WORDS = 3
"""Words that a page must show to be one: dust and photographs give a few letters by chance."""
PLACES = ("/usr/share/tesseract-ocr/*/tessdata", "/usr/share/tessdata", "/usr/local/share/tessdata")


_WORD = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True, slots=True)
class OcrReader:
    """Reads a PDF as `indexer.pdf` does, and recognises what has no text; a value, so that workers can be sent it."""

    tessdata: Path

    def __call__(self, path: Path) -> Programmtext:
        """Every page of the PDF at `path`. Raises PdfError as `read_programm` does."""
        with quiet(), opened(path) as doc:
            pages, hints = read_pages(doc)
        seiten = clean(pages)
        silent = [seite.seite for seite in seiten if seite.no_text is not None and seite.no_text not in OCR_LEAVES]
        if not silent:
            return Programmtext(seiten=seiten, hints=tuple(hints))
        with quiet(), opened(path) as doc:  # anew: reading turns the pages of a document upright
            found = {number: self._recognised(doc, number) for number in silent}
        seiten = clean(_with(pages, found))
        nonsense = {seite.seite for seite in seiten if seite.no_text is not None or not _is_text(seite.text)}
        kept = {number: page for number, page in found.items() if number not in nonsense}
        if len(kept) < len(found):
            seiten = clean(_with(pages, kept))
        count = sum(page is not None for page in kept.values())
        more = [f"{count} pages recognised from pictures" if count != 1 else "1 page recognised from a picture"]
        return Programmtext(seiten=seiten, hints=(*hints, *(more if count else [])))

    def _recognised(self, doc: Any, number: int) -> RawPage | None:
        """Page `number` (1-based) as Tesseract reads it, or None if nothing comes of it."""
        try:
            page = doc.load_page(number - 1)
            textpage = page.get_textpage_ocr(
                flags=FLAGS, language=LANGUAGE, dpi=DPI, full=True, tessdata=str(self.tessdata)
            )
            found = lines_in(textpage.extractDICT())
            page.set_rotation(0)  # the places are those on the sheet before it is turned
            turn, rect = reading_direction(found), page.rect
        except LIBRARY_ERRORS:
            return None
        made = (make_line(block, line["spans"], line["dir"], turn, rect) for block, line in found)
        lines = tuple(line for line in made if line is not None and any(map(str.isalnum, line.text)))
        width, height = (rect.width, rect.height) if turn in (0, 2) else (rect.height, rect.width)
        return RawPage(seite=number, width=width, height=height, lines=lines, ocr=True) if lines else None


def _with(pages: Sequence[RawPage], found: Mapping[int, RawPage | None]) -> list[RawPage]:
    """The pages, those that were recognised in the place of what could not be read."""
    replaced = []
    for page in pages:
        recognised = found.get(page.seite)
        replaced.append(page if recognised is None else replace(recognised, label=page.label))
    return replaced


def _is_text(text: str) -> bool:
    """Whether words were recognised, and in a longer text such as German cannot do without: not print upside down."""
    if len(text) > MANY_LETTERS:
        line = " ".join(text.split())
        return sum(map(line.count, WORDS)) > WORD_SHARE * len(line)
    return len(_WORD.findall(text)) >= MIN_WORDS


def find_tessdata() -> Path:
    """The folder with Tesseract's German data. Raises UsageError, with what to install, if there is none."""
    folders = [Path(folder) for folder in _folders()]
    for folder in folders:
        if (folder / f"{LANGUAGE}.traineddata").is_file():
            return folder
    looked = ", ".join(map(str, folders)) or "no Tesseract is installed"
    raise UsageError(
        f"--ocr needs Tesseract's German data ({LANGUAGE}.traineddata), and it was not found ({looked}); install it"
        " (Debian, Ubuntu: apt install tesseract-ocr tesseract-ocr-deu; macOS: brew install tesseract-lang; Windows:"
        " choose German in the installer of Tesseract), or name the folder that holds it in TESSDATA_PREFIX"
    )


def _folders() -> list[str]:
    """Where the data may be: as the environment says, else as Tesseract says, else where systems put it."""
    if named := os.environ.get("TESSDATA_PREFIX"):
        return [named]
    try:
        ran = subprocess.run(["tesseract", "--list-langs"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        ran = None
    told = ran.stdout.partition('"')[2].partition('"')[0] if ran else ""
    usual = [str(folder) for place in PLACES for folder in sorted(Path("/").glob(place[1:]), reverse=True)]
    return [told, *usual] if told else usual


def ocr_version(tessdata: Path) -> str:
    """What another result may come from, besides PyMuPDF's own version: the language data."""
    return f"{LANGUAGE} {sha256_of(tessdata / f'{LANGUAGE}.traineddata')[:12]}"
