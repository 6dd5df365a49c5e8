"""Assessment databases for tests, in the shape of the app, and a Verifier that judges by what the text says."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

from verifier.verdict import Befund, Change, Fundstelle, Nearest, Outcome, Verdict, Zitat

SATZ = "Wir bauen fünfhundert neue Windräder an Land."
QUELLE = "GRÜNE NRW Wahlprogramm 2022, S. 58"
COLUMNS = "drucksache TEXT PRIMARY KEY, bundesland TEXT, wahlprogramm_scores, created_at TEXT"


def zitat(text: object = SATZ, quelle: object = QUELLE, **more: object) -> dict[str, object]:
    return {"text": text, "quelle": quelle, **more}


def scores(*zitate: object, fraktion: str = "GRÜNE") -> str:
    return json.dumps(
        [{"fraktion": fraktion, "wahlprogramm": {"score": 5, "zitate": list(zitate)}}], ensure_ascii=False
    )


def make_db(
    path: Path, rows: Iterable[Sequence[object]], *, columns: str = COLUMNS, table: str = "assessments"
) -> Path:
    """Write a database; a row may leave out values at its end."""
    with closing(sqlite3.connect(path)) as db, db:
        table = '"' + table.replace('"', '""') + '"'
        db.execute(f"CREATE TABLE {table} ({columns})")
        width = len(db.execute(f"SELECT * FROM {table}").description)
        for row in rows:
            values = [*row, *[None] * (width - len(row))]
            db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * width)})", values)
    return path


class SaysVerdict:
    """Gives the verdict that a quotation names: `altered: …` is altered. Everything else is exact."""

    def check_zitat(self, zitat: Zitat, /) -> Befund:
        word = zitat.text.partition(":")[0]
        verdict = Verdict(word) if word in list(Verdict) else Verdict.EXACT
        place = Fundstelle(programm_id="gruene-nrw-2022", seite=58, seitenlabel="57")
        near = verdict.outcome in (Outcome.FAIL, Outcome.WARN)
        found = (place,) if verdict.outcome is Outcome.PASS or verdict is Verdict.WRONG_PAGE else ()
        return Befund(
            zitat=zitat,
            verdict=verdict,
            programm_id="gruene-nrw-2022",
            seite=58,
            found=found,
            found_total=len(found),
            nearest=_NEAREST if near else None,
            message=f"a message on {verdict}",
            notes=("a note",) if verdict is Verdict.LAYOUT else (),
        )


_NEAREST = Nearest(
    programm_id="gruene-nrw-2022",
    seite=58,
    seitenlabel="57",
    text="Wir bauen tausend neue Windräder nicht an Land.",
    diff=(
        Change(kind="number", quoted="fünfhundert", printed="tausend"),
        Change(kind="negation", quoted="", printed="nicht"),
    ),
)
