"""What the benches run on (the corpus in ../shared), and how a figure is shown."""

import json
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Figure:
    """One measured value beside its goal, which it must not pass, or must reach (`at_least`)."""

    name: str
    unit: str
    value: float
    goal: float | None = None
    at_least: bool = False
    detail: str = ""

    def line(self) -> str:
        goal = ""
        if self.goal is not None:
            met = self.value >= self.goal if self.at_least else self.value <= self.goal
            goal = f"  goal {'>=' if self.at_least else '<='} {self.goal:g}: {'met' if met else 'MISSED'}"
        return f"{self.name:46} {self.value:8.2f} {self.unit}{goal}{f'  ({self.detail})' if self.detail else ''}"


class Corpus:
    """The real programmes, their citations, and the truth about each of them."""

    def __init__(self, shared: Path) -> None:
        self.assessments = shared / "korpus" / "assessments.db"
        self.catalogue = shared / "korpus" / "programme.json"
        self.pdfs = shared / "korpus" / "pdf"
        self.truth = shared / "korpus" / "truth.jsonl"
        self.naive = shared / "bench" / "naive_verify.py"
        if not self.naive.exists():
            self.naive = Path(__file__).with_name("classical.py")
        if not self.assessments.exists():
            raise SystemExit(f"there is no corpus in {shared}: name the folder with --shared")

    def faithful(self) -> dict[tuple[str, str], tuple[str, int]]:
        """(drucksache, path) of the citations that pass, and the page on which each stands."""
        lines = (json.loads(line) for line in self.truth.read_text("utf-8").splitlines())
        return {
            (one["drucksache"], one["path"]): (one["programm_id"], one["seite"])
            for one in lines
            if one["class"].startswith("true/")
        }

    def rows(self) -> list[tuple[str, str, str, str]]:
        columns = "drucksache, bundesland, wahlprogramm_scores, created_at"
        with closing(sqlite3.connect(f"{self.assessments.absolute().as_uri()}?mode=ro", uri=True)) as db:
            return list(db.execute(f"SELECT {columns} FROM assessments"))

    def write_empty(self, path: Path) -> None:
        """An assessment database without a single row."""
        _write(path, [])

    def write_passing(self, path: Path, *, at_least: int | None = None) -> int:
        """An assessment database of the citations that pass, and their number; `places` says where each stands.

        `at_least`: only as many assessments as hold so many of them.
        """
        faithful, rows = self.faithful(), []
        places: list[tuple[str, str, str, int]] = []
        for drucksache, bundesland, scores, created_at in self.rows():
            if at_least is not None and len(places) >= at_least:
                break
            data = json.loads(scores)
            wanted = {pfad: place for (of, pfad), place in faithful.items() if of == drucksache}
            places += [(drucksache, text, *wanted[pfad]) for pfad, text in _keep(data, "$", wanted)]
            rows.append((drucksache, bundesland, json.dumps(data, ensure_ascii=False), created_at))
        _write(path, rows)
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("CREATE TABLE places (drucksache TEXT, text TEXT, programm_id TEXT, seite INTEGER)")
            db.executemany("INSERT INTO places VALUES (?, ?, ?, ?)", places)
        return len(places)


def _keep(node: Any, pfad: str, wanted: Collection[str]) -> Iterator[tuple[str, str]]:
    """Take all Zitate out of `node` whose path is not among the wanted; path and text of the others."""
    children = list(node.items()) if isinstance(node, dict) else list(enumerate(node))
    dropped = []
    for key, child in children:
        below = f"{pfad}.{key}" if isinstance(node, dict) else f"{pfad}[{key}]"
        if isinstance(child, dict) and "text" in child and "quelle" in child:
            if below in wanted:
                yield below, child["text"]
            else:
                dropped.append(key)
        elif isinstance(child, dict | list):
            yield from _keep(child, below, wanted)
    for key in reversed(dropped):
        del node[key]


def _write(path: Path, rows: list[tuple[str, str, str, str]]) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(
            "CREATE TABLE assessments"
            " (drucksache TEXT PRIMARY KEY, bundesland TEXT, wahlprogramm_scores TEXT, created_at TEXT)"
        )
        db.executemany("INSERT INTO assessments VALUES (?, ?, ?, ?)", rows)
