"""Mutated files: PDFs, catalogues, assessment databases, index files. Each target says what is wrong, or nothing."""

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Protocol

import pymupdf  # noqa: TID251 - the seeds are drawn
from assessments import make_db, scores
from assessments import zitat as citation
from drawn import Item, Text, body, new, picture, prose
from faulty_pdfs import healthy, lines, pdf, shown_as, with_damaged_page
from invented import make_index
from shelf import Shelf

from fuzz.mutations import mutate
from indexer.build import build
from indexer.catalogue import load_catalogue
from indexer.errors import AssessmentsError, CatalogueError, IndexUnusableError, PdfError, UsageError
from indexer.lookup import PageIndex
from indexer.rows import RowReader
from indexer.scan import propose, read_start
from verifier import Verifier
from verifier.citations import read_assessments
from verifier.verdict import Befund
from verifier.walk import zitate_in


class Target(Protocol):
    """One kind of input; `check` runs the case of a seed and returns what is wrong with it."""

    def __init__(self, folder: Path) -> None: ...

    def check(self, seed: int) -> str | None:
        """What is wrong, or None."""
        ...


class Pdfs:
    """Any bytes give pages that can be stored, or a PdfError; `index scan` reads them as well."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "mutated.pdf"
        self._seeds = list(_pdf_seeds())

    def check(self, seed: int) -> str | None:
        rng = random.Random(seed)
        self._path.write_bytes(mutate(rng.choice(self._seeds), rng, self._seeds))
        try:
            rows = RowReader()(self._path)
            if seed % 8 == 0:
                propose("mutated.pdf", read_start(self._path), set())
        except PdfError:
            return None
        for row in rows.pages:
            if not (row.flow_end <= len(row.compact) < 8 * len(row.boundaries) + 1):
                return f"page {row.seite}: its forms do not fit each other"
            f"{row.text}{row.strict}{row.compact}{row.seitenlabel}".encode()
        return None


def _pdf_seeds() -> list[bytes]:
    pages = [
        [Text(280, 30, "Kopf der Seite", 9), *prose(number), Text(290, 815, str(number))] for number in range(1, 5)
    ]
    mixed: list[list[Item]] = [
        [*body("S P E R R U N G", "1. Punkt", "Wirtschafts-", "und Klima-", "schutz")],
        [picture()],
        [*prose(3)],
    ]
    seeds = [healthy(), pdf(["Ein Absatz."] * 3, packed=True), with_damaged_page(2), pdf([shown_as("x", "\0")])]
    seeds.append(pdf([lines("Zeile eins\nZeile zwei", 1), "• Punkt\n€ Euro und (Klammern)"], claimed=4))
    for content in (pages, mixed):
        for options in ({}, {"deflate": True}, {"use_objstms": 1, "deflate": True}, {"garbage": 4, "clean": True}):
            doc = new(content)
            seeds.append(doc.tobytes(**options))
            doc.close()
    locked = new(pages)
    seeds.append(locked.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="o", user_pw="", no_new_id=True))
    locked.close()
    return seeds


class Catalogues:
    """Any bytes give a catalogue or a message."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        entry = (
            'id = "a"\nname = "Ein Programm"\npartei = "SPD"\nbundesland = "NRW"\njahr = 2022\ntyp = "wahlprogramm"\n'
        )
        toml = f'[[programm]]\n{entry}datei = "a.pdf"\naliases = ["eins", "zwei"]\n'
        fields = {
            "id": "a",
            "name": "x",
            "partei": "SPD",
            "bundesland": "NRW",
            "jahr": 2022,
            "typ": "t",
            "datei": "a.pdf",
        }
        self._seeds = {"toml": toml.encode() * 2, "json": json.dumps([fields]).encode()}

    def check(self, seed: int) -> str | None:
        rng = random.Random(seed)
        ending = rng.choice(sorted(self._seeds))
        path = self._folder / f"programme.{ending}"
        path.write_bytes(mutate(self._seeds[ending], rng, list(self._seeds.values())))
        try:
            for programm in load_catalogue(path):
                f"{programm.name}{programm.programm_id}{programm.partei}".encode()
        except (CatalogueError, UsageError) as error:
            return None if str(error) else "no message"
        return None


class Assessments:
    """Mutated JSON in a row hides no other row; a mutated database file is read or refused, and never changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._json = scores(citation(), citation("Noch ein Satz, der zitiert wird."), citation(None, 7, url=5)).encode()
        self._file = make_db(folder / "whole.db", [("1/1", "NRW", self._json.decode(), "2026-01-31")] * 1).read_bytes()

    def check(self, seed: int) -> str | None:
        rng = random.Random(seed)
        return self._row(rng) if rng.random() < 0.7 else self._database(rng)

    def _row(self, rng: random.Random) -> str | None:
        path = self._folder / "rows.db"
        path.unlink(missing_ok=True)
        spoiled = mutate(self._json, rng)
        make_db(path, [("first", "NRW", self._json.decode()), ("last", "NRW", self._json.decode())])
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("INSERT INTO assessments VALUES ('spoiled', 'NRW', CAST(? AS TEXT), NULL)", [spoiled])
        items = [list(zitate_in(row)) for row in read_assessments(path)]
        if [len(found) for found in items[:2]] != [3, 3] or len(items) != 3 or not items[2]:
            return f"rows give {[len(found) for found in items]} items"
        return None

    def _database(self, rng: random.Random) -> str | None:
        path = self._folder / "mutated.db"
        spoiled = mutate(self._file, rng)
        path.write_bytes(spoiled)
        before = sorted(self._folder.iterdir())
        try:
            for row in read_assessments(path):
                list(zitate_in(row))
        except AssessmentsError:
            pass
        changed = path.read_bytes() != spoiled or sorted(self._folder.iterdir()) != before
        return "the database was changed" if changed else None


class Indexes:
    """A mutated index is used or refused with what to type, and a build makes it whole again."""

    def __init__(self, folder: Path) -> None:
        fields = {"id": "a", "name": "Programm der SPD NRW 2022", "partei": "SPD", "bundesland": "NRW", "jahr": 2022}
        self._pages = [
            f"Auf Seite {number} steht ein Satz, den man zitieren kann, und noch einer." for number in range(1, 9)
        ]
        self._db = folder / "index.db"
        self._whole = make_index(folder, [(fields, self._pages)]).read_bytes()
        self._shelf = Shelf(folder / "shelf")
        self._shelf.put("a", "\f".join(self._pages))

    def check(self, seed: int) -> str | None:
        rng = random.Random(seed)
        self._db.write_bytes(mutate(self._whole, rng))
        try:
            with Verifier.open(self._db) as verifier:
                for number in (1, 5):
                    befund = verifier.check(text=self._pages[number - 1], quelle="SPD NRW 2022, S. 1", bundesland="NRW")
                    if not isinstance(befund, Befund):
                        return "no Befund"
        except IndexUnusableError as error:
            if "index" not in str(error):
                return f"a message that does not help: {error}"
        return self._built() if seed % 10 == 0 else None

    def _built(self) -> str | None:
        try:
            build(self._shelf.options(db=self._db))
        except (IndexUnusableError, UsageError):  # not to be read, or no index of ours any more
            return None
        with PageIndex.open(self._db) as index:
            return None if index.programme["a"].seiten == len(self._pages) else "pages are missing after a build"
