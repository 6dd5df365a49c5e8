"""`Verifier.check` and `find` in a running process, each citation asked once, as an app does it."""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median

from corpus import Corpus, Figure

from indexer.lookup import PageIndex
from verifier import Befund, Outcome, Verifier, Zitat
from verifier.citations import read_citations
from verifier.finding import find
from verifier.pages import Shelf
from verifier.quotation import MIN_LENGTH, Quotation


def microseconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return 1e6 * (time.perf_counter() - start)


def checking_figures(corpus: Corpus, index: Path) -> Iterator[Figure]:
    zitate = [item for item in read_citations(corpus.assessments) if isinstance(item, Zitat)]
    start = time.perf_counter()
    verifier = Verifier.open(index)
    yield Figure("Verifier.open, cold", "ms", 1e3 * (time.perf_counter() - start), 20)
    times: dict[Outcome, list[float]] = {outcome: [] for outcome in Outcome}
    befunde: list[Befund] = []
    for zitat in zitate:
        start = time.perf_counter()
        befund = verifier.check_zitat(zitat)
        times[befund.outcome].append(1e6 * (time.perf_counter() - start))
        befunde.append(befund)
    everything = sorted(value for group in times.values() for value in group)
    yield Figure("Verifier.check, passes, median", "µs", median(times[Outcome.PASS]), 100)
    yield Figure("Verifier.check, fails, median", "µs", median(times[Outcome.FAIL]), 1000)
    yield Figure("Verifier.check, all, p99", "µs", everything[99 * len(everything) // 100], 5000)
    verifier.close()
    yield from finding_figures(index, befunde)


def finding_figures(index: Path, befunde: Sequence[Befund]) -> Iterator[Figure]:
    """The bound is one `str.find` over the text of all pages in one string."""
    with PageIndex.open(index) as pages:
        shelf = Shelf(pages)
        everything = "\n".join(compact for (compact,) in pages.query("SELECT compact FROM seiten"))
        quotations = [(Quotation(befund.zitat.text), befund.outcome is Outcome.PASS) for befund in befunde]
        there = [quotation for quotation, passes in quotations if passes]
        others = [quotation for quotation, passes in quotations if not passes and quotation.length >= MIN_LENGTH]
        nowhere = [quotation for quotation in others if not find(shelf, quotation, ()).places]
        found = median(microseconds(lambda: find(shelf, quotation, ())) for quotation in there)  # noqa: B023
        missed = median(microseconds(lambda: find(shelf, quotation, ())) for quotation in nowhere)  # noqa: B023
        bound = median(
            microseconds(lambda: everything.find(quotation.reading.compact))  # noqa: B023
            for quotation in there[:200]
        )
    yield Figure("find in all programmes, median", "µs", found, 200, detail=f"str.find over all text: {bound:.0f} µs")
    yield Figure("find what stands nowhere, median", "µs", missed, 200)
