"""How every figure grows up to a hundred times the corpus: indexes of invented pages, and the checks timed on each.

usage: python tests/bench/scale.py INDEX.db [--pages 5000 50000 500000] [--folder DIR] [--keep]

The pages are put together from the words of INDEX.db by their frequency (`Invented`), a hundred to a programme, with
every spelling of party, Land and year that a quelle can name; they go through `indexer.store` like those of real PDFs.
500,000 pages take about 6 GB in DIR (a folder for temporary files by default), deleted afterwards.
"""

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import accumulate, count, islice, product
from pathlib import Path

from indexer import store
from indexer.entry import indexed_row
from indexer.lookup import PageIndex
from indexer.programm import Programm
from indexer.rows import PageRow
from indexer.schema import NORMALIZER_VERSION, SCHEMA_VERSION
from verifier import Befund, Verdict, Verifier
from verifier.finding import find
from verifier.pages import Shelf
from verifier.quotation import Quotation

PAGES = 100  # of one programme
WORDS = 330  # of one page
SENTENCE = 15  # words
QUOTED = 14
CITED = 50  # programmes: an app cites the same ones again and again, however many the index holds
ROUNDS = 400  # quotations of each kind
PARTEIEN = ("CDU", "SPD", "FDP", "AfD", "GRÜNE", "DIE LINKE", "BSW", "FREIE WÄHLER", "Piraten")
LAENDER = ("Bund", "Bayern", "Berlin", "Brandenburg", "Bremen", "Hamburg", "Hessen", "Saarland", "Sachsen", "Thüringen")


@dataclass(frozen=True)
class Figures:
    pages: int
    seconds_build: float
    seconds_merge: float
    megabytes: float
    open_ms: float
    first_us: float
    passing_us: float
    failing_us: float
    found_us: float
    nowhere_us: float


class Invented:
    """Pages of German-like text: words of real pages, drawn by their frequency."""

    def __init__(self, index: Path, rng: random.Random) -> None:
        counted: Counter[str] = Counter()
        with closing(PageIndex.open(index)) as real:
            for (strict,) in real.query("SELECT strict FROM seiten"):
                counted.update(word for word in strict.split() if word.isalpha() and "I" not in word)
        self.words = list(counted)
        self._weights = list(accumulate(counted.values()))
        self._marks = {word: "1" + "0" * (len(word) - 1) for word in counted}
        self._rng = rng

    def draw(self, number: int) -> list[str]:
        return self._rng.choices(self.words, cum_weights=self._weights, k=number)

    def page(self, seite: int) -> PageRow:
        words = self.draw(WORDS)
        pieces, marks, sentences = [], [], []
        for start in range(0, WORDS, SENTENCE):
            sentence = words[start : start + SENTENCE]
            pieces += [*sentence, "."]
            marks += [*(self._marks[word] for word in sentence), "1"]
            sentences.append(" ".join(sentence) + ".")
        compact, bits = "".join(pieces), "".join(marks) + "1"
        return PageRow(
            seite=seite,
            seitenlabel=str(seite),
            no_text=None,
            ocr=0,
            flow_end=len(compact),
            boundaries=int(bits[::-1], 2).to_bytes((len(bits) + 7) // 8, "little"),
            compact=compact,
            strict=" ".join(sentences),
            text="\n".join(sentences),
            cuts="[]",
        )


def programme() -> Iterator[Programm]:
    """As many programmes as are asked for, none named like another."""
    ids = (f"p{number:05}" for number in count())
    for jahr in count(2025, -1):
        for land, partei in product(LAENDER, PARTEIEN):
            programm_id = next(ids)
            yield Programm(
                programm_id=programm_id,
                name=f"{partei} {'' if land == 'Bund' else land} Wahlprogramm {jahr}".replace("  ", " "),
                partei=partei,
                bundesland=land,
                jahr=jahr,
                typ="wahlprogramm",
                datei=f"{programm_id}.pdf",
                werk=programm_id,
            )


def build(path: Path, pages: int, invented: Invented) -> tuple[float, float]:
    """Seconds to insert the pages and to bring the search tables into one piece."""
    start = time.perf_counter()
    with closing(store.open_draft(path, None)) as db:
        with db.atomic():
            rows = []
            for programm in islice(programme(), pages // PAGES):
                store.add_pages(db, programm.programm_id, [invented.page(seite) for seite in range(1, PAGES + 1)])
                rows.append(indexed_row(programm, sha256="", reader="invented", seiten=PAGES, hints=()))
            store.put_programme(db, rows, [])
            store.put_meta(db, {"schema_version": str(SCHEMA_VERSION), "normalizer_version": str(NORMALIZER_VERSION)})
            inserted = time.perf_counter()
            store.merge_search_tables(db)
            store.count_trigrams(db)
        store.finish(db)
    return inserted - start, time.perf_counter() - inserted


def median(calls: Sequence[Callable[[], object]]) -> float:
    """Median microseconds of one call each: what a citation costs whose page nobody has asked for before."""
    times = []
    for call in calls:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1e6 * statistics.median(times)


def quotations(verifier: Verifier, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Quotations of printed words, each with its quelle."""
    cited = rng.sample(list(verifier.index.programme.values()), CITED)
    for number in count():
        programm, seite = cited[number % CITED], rng.randint(1, PAGES)
        page = verifier.index.page(programm.programm_id, seite)
        assert page is not None
        sentence = rng.choice(page.strict.split(". ")).rstrip(".").split()
        yield " ".join(sentence[:QUOTED]), f"{programm.name}, S. {seite}"


def checked(verifier: Verifier, text: str, quelle: str, wanted: Verdict) -> Callable[[], Befund]:
    def call() -> Befund:
        befund = verifier.check(text=text, quelle=quelle, bundesland="NRW")
        assert befund.verdict in (wanted, Verdict.CROSS_STATE), befund
        return befund

    return call


def measured(path: Path, pages: int, invented: Invented, built: tuple[float, float]) -> Figures:
    rng = random.Random(pages)
    start = time.perf_counter()
    with Verifier.open(path) as verifier:
        opened = time.perf_counter() - start
        drawn = list(islice(quotations(verifier, rng), 4 * ROUNDS))
        first = median([checked(verifier, *item, Verdict.EXACT) for item in drawn[:CITED]])
        shelf = Shelf(verifier.index)
        passing = [checked(verifier, *item, Verdict.EXACT) for item in drawn[CITED:ROUNDS]]
        failing = [checked(verifier, _changed(*item), item[1], Verdict.ALTERED) for item in drawn[ROUNDS : 2 * ROUNDS]]
        found = [_found(shelf, text, 1) for text, _ in drawn[2 * ROUNDS : 3 * ROUNDS]]
        nowhere = [_found(shelf, " ".join(invented.draw(QUOTED)), 0) for _ in range(ROUNDS)]
        return Figures(
            pages=pages,
            seconds_build=built[0],
            seconds_merge=built[1],
            megabytes=path.stat().st_size / 1e6,
            open_ms=1e3 * opened,
            first_us=first,
            passing_us=median(passing),
            failing_us=median(failing),
            found_us=median(found),
            nowhere_us=median(nowhere),
        )


def _changed(text: str, _: str) -> str:
    words = text.split()
    words[QUOTED // 2] = "erfundenes"
    return " ".join(words)


def _found(shelf: Shelf, text: str, wanted: int) -> Callable[[], None]:
    quotation = Quotation(text)

    def call() -> None:
        places = find(shelf, quotation, ()).places
        assert len(places) >= wanted, text

    return call


GOALS = {"passing_us": 1.5, "failing_us": None, "found_us": 10.0, "nowhere_us": 10.0}


def show(figures: Sequence[Figures]) -> None:
    first = figures[0]
    for name in asdict(first):
        values = [getattr(one, name) for one in figures]
        row = "".join(f"{value:14,.1f}" for value in values)
        grown = values[-1] / values[0]
        goal = GOALS.get(name)
        verdict = "" if goal is None else f"  goal x {goal:g}: {'met' if grown <= goal else 'MISSED'}"
        print(f"{name:14}{row}   x {grown:.2f}{verdict}")
    per_page = [(one.seconds_build + one.seconds_merge) / one.pages for one in figures]
    print(f"{'build, ms/page':14}" + "".join(f"{1e3 * value:14.3f}" for value in per_page) + "   goal: linear")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index", type=Path)
    parser.add_argument("--pages", type=int, nargs="+", default=[5_000, 50_000, 500_000])
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--keep", action="store_true", help="leave the indexes in the folder")
    given = parser.parse_args()
    rng = random.Random(1)
    invented = Invented(given.index, rng)
    figures = []
    with tempfile.TemporaryDirectory(dir=given.folder, prefix="scale-") as folder:
        for pages in given.pages:
            path = (given.folder if given.keep and given.folder else Path(folder)) / f"scale-{pages}.db"
            path.unlink(missing_ok=True)
            built = build(path, pages, invented)
            figures.append(measured(path, pages, invented, built))
            print(f"{pages:,} pages: {sum(built):.0f} s to build", file=sys.stderr)
            if not given.keep:
                path.unlink()
    show(figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
