"""`index build` against bare extraction in as many processes, and against hashing where there is nothing to do."""

import json
import shutil
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from statistics import median

from corpus import Corpus, Figure
from timing import environment, once

from indexer.limits import processors

BARE = """
import subprocess, sys
READ = "import pymupdf, sys\\nfor name in sys.argv[1:]:\\n    for page in pymupdf.open(name): page.get_text()"
children = [subprocess.Popen([sys.executable, "-c", READ, *sys.argv[2:][start :: int(sys.argv[1])]])
            for start in range(int(sys.argv[1]))]
sys.exit(max(child.wait() for child in children))
"""
HASH = """
import hashlib, sys
for name in sys.argv[1:]:
    with open(name, "rb") as file: hashlib.file_digest(file, "sha256")
"""


def _ratio(these: Sequence[float], those: Sequence[float]) -> float:
    return median(one / other for one, other in zip(these, those, strict=True))


def building_figures(corpus: Corpus, folder: Path, rounds: int) -> Iterator[Figure]:
    env = environment(folder / "pycache")
    pdfs, db = folder / "pdf", folder / "index.db"
    shutil.copytree(corpus.pdfs, pdfs)
    files = sorted(map(str, pdfs.iterdir()), key=lambda name: -Path(name).stat().st_size)
    jobs = processors()
    build = [str(Path(sys.executable).with_name("index")), "build", "--pdfs", str(pdfs), "--jobs", str(jobs)]
    whole = [*build, "--catalogue", str(corpus.catalogue), "--db", str(db)]

    bare, built = [], []
    for _ in range(min(rounds, 3)):
        bare.append(once([sys.executable, "-c", BARE, str(jobs), *files], env))
        db.unlink(missing_ok=True)
        built.append(once(whole, env))
    clock, cpu = (_ratio([run[part] for run in built], [run[part] for run in bare]) for part in (0, 1))
    detail = f"{min(run.seconds for run in built):.1f} s at best, {jobs} processes"
    yield Figure("index build", "x bare page.get_text()", clock, 2.5, detail=detail)
    yield Figure("index build, processor time", "x bare page.get_text()", cpu, 2.5, detail="whatever else runs")
    yield Figure("peak memory of one process of index build", "MB", max(run.megabytes for run in built))
    with closing(sqlite3.connect(db)) as index:
        (text,) = index.execute("SELECT sum(length(CAST(text AS BLOB))) FROM seiten").fetchone()
    yield Figure("size of the index", "x the raw text", db.stat().st_size / text, 6)

    hashing = median(once([sys.executable, "-c", HASH, *files], env).seconds for _ in range(rounds))
    nothing = median(once(whole, env).seconds for _ in range(rounds))
    detail = f"{nothing:.3f} s against {hashing:.3f} s"
    yield Figure("index build, nothing to do", "x hashing the files", nothing / hashing, 1.5, detail=detail)

    programme = json.loads(corpus.catalogue.read_text("utf-8"))
    one = sorted(programme, key=lambda entry: (pdfs / entry["datei"]).stat().st_size)[len(programme) // 2]
    alone = folder / "one.json"
    alone.write_text(json.dumps([one]), "utf-8")
    with (pdfs / one["datei"]).open("ab") as file:
        file.write(b"\n% changed\n")
    single = once([*build, "--catalogue", str(alone), "--db", str(folder / "one.db")], env).seconds
    changed = once(whole, env).seconds
    detail = f"{changed:.2f} s, the PDF alone {single:.2f} s"
    yield Figure("index build, one changed PDF of all", "s beyond that PDF", changed - single, 0.5, detail=detail)
