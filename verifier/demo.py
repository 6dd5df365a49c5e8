"""`verify demo`: fictional programmes, an assessment database, an index, and every kind of verdict, explained."""

import json
import sqlite3
import tempfile
import tomllib
from collections.abc import Callable
from contextlib import closing
from importlib import resources
from pathlib import Path
from typing import Any

from indexer.build import build_index
from indexer.errors import EXIT_FINDINGS, UsageError
from verifier.check import Verifier
from verifier.citations import read_assessments
from verifier.demo_pdf import pdf
from verifier.labels import labels
from verifier.report import ReportOptions
from verifier.report_terminal import finding
from verifier.run import EXIT_OK, Result, collect, run
from verifier.verdict import Verdict

CATALOGUE, PDFS, INDEX, ASSESSMENTS = "programme.toml", "pdf", "index.db", "assessments.db"
_FIELDS = ("id", "name", "partei", "bundesland", "jahr", "werk", "fassung")
_BUNDESLAND, _PER_ASSESSMENT = "HH", 5


def demo(folder: Path | None, say: Callable[[str], None]) -> int:
    """Draw, index and verify in `folder` (new or empty; None: a temporary one); tell each step to `say`.

    Returns 0 if each citation gets the verdict that it was made for, else 1. Raises UsageError for a filled folder.
    """
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="quellentreu-") as temporary:
            return _shown(Path(temporary), say)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        filled = any(folder.iterdir())
    except OSError as error:
        raise UsageError(f"{folder}: cannot be used for the demo: {error.strerror}") from error
    if filled:
        raise UsageError(f"{folder}: is not empty, and the demo overwrites nothing. Name a new folder.")
    code = _shown(folder, say)
    say(
        "Now look for yourself:\n"
        f"  verify run {folder / ASSESSMENTS} --index {folder / INDEX} --report html={folder / 'report.html'}"
        f" --page-images --pdfs {folder / PDFS}\n"
    )
    return code


def _shown(folder: Path, say: Callable[[str], None]) -> int:
    wanted = write(folder)
    result = check(folder)
    words = labels("en")
    right = 0
    for befund, verdict in zip(result.befunde, wanted, strict=True):
        name, sentence = words.verdicts[verdict]
        say(f"{verdict}: {name}. {sentence}\n" + "".join(finding(befund, ReportOptions())))
        right += befund.verdict is verdict
        if befund.verdict is not verdict:
            say(f"  WRONG: this should be {verdict}. Please report it.\n\n")
    say(f"{right} of {len(wanted)} citations got the verdict they were made for, every kind among them.\n")
    return EXIT_OK if right == len(wanted) and set(wanted) == set(Verdict) else EXIT_FINDINGS


def write(folder: Path) -> list[Verdict]:
    """Write catalogue, PDFs and assessment database; return the verdict that each citation was made for, in order."""
    data = tomllib.loads(resources.files("verifier").joinpath("demo.toml").read_text("utf-8"))
    programme, zitate = data["programm"], data["zitat"]
    (folder / PDFS).mkdir()
    for programm in programme:
        if pages := [text.strip("\n").splitlines() for text in programm["pages"]]:
            (folder / PDFS / f"{programm['id']}.pdf").write_bytes(pdf(pages, programm["first_number"]))
    (folder / CATALOGUE).write_text("\n".join(map(_block, programme)), "utf-8")
    _write_assessments(folder / ASSESSMENTS, zitate)
    return [Verdict(zitat["verdict"]) for zitat in zitate]


def _block(programm: dict[str, Any]) -> str:
    fields = {name: programm[name] for name in _FIELDS if name in programm}
    fields |= {"typ": "wahlprogramm", "datei": f"{programm['id']}.pdf"}
    return "[[programm]]\n" + "".join(f"{k} = {json.dumps(v, ensure_ascii=False)}\n" for k, v in fields.items())


def _write_assessments(path: Path, zitate: list[dict[str, Any]]) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(
            "CREATE TABLE assessments"
            " (drucksache TEXT PRIMARY KEY, bundesland TEXT, wahlprogramm_scores TEXT, created_at TEXT)"
        )
        for i in range(0, len(zitate), _PER_ASSESSMENT):
            some = [{"text": z["text"], "quelle": z["quelle"], "url": ""} for z in zitate[i : i + _PER_ASSESSMENT]]
            scores = [{"fraktion": some[0]["quelle"].split()[0], "wahlprogramm": {"score": 5, "zitate": some}}]
            number = i // _PER_ASSESSMENT + 1
            row = (f"23/{number}", _BUNDESLAND, json.dumps(scores, ensure_ascii=False), f"2024-03-{number:02}T10:00:00")
            db.execute("INSERT INTO assessments VALUES (?, ?, ?, ?)", row)


def check(folder: Path) -> Result:
    """Build the index of the demo and verify its assessment database."""
    build_index(catalogue=folder / CATALOGUE, pdfs=folder / PDFS, db=folder / INDEX)
    assessments = read_assessments(folder / ASSESSMENTS)
    with Verifier.open(folder / INDEX) as verifier:
        return collect(len(assessments), run(verifier, assessments))
