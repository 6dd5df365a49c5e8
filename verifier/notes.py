"""What a reader should know besides the verdict: cropped edges, old text, an address that differs (SPEC §6)."""

import re
from collections import Counter
from collections.abc import Iterator

from indexer.lookup import IndexedProgramm
from verifier.edges import cropped_guards, words_between
from verifier.guards import kind_of
from verifier.ladder import Match
from verifier.match import Form
from verifier.pages import Shelf
from verifier.passage import words
from verifier.quotation import Quotation
from verifier.verdict import Verdict, Zitat

_URL_PAGE = re.compile(r"#(?:[^#]*&)?page=([0-9]{1,9})(?![0-9])")
# Begins at the start of a path segment only: begun at each character, it would be quadratic.
_URL_FILE = re.compile(r"(?<![^/\\?#])([^/\\?#]+\.pdf)(?=[?#]|\Z)", re.IGNORECASE)
_ENDS_SENTENCE = re.compile(r"[.!?]")
_SHOWN = 6  # guard words named in a note
_TURNING = ("negation", "limit", "condition")


def edge_notes(shelf: Shelf, programm_id: str, match: Match) -> Iterator[str]:
    """Guard words that stand in the same printed sentence outside the quotation, also over a page break."""
    if match.form is None:
        return
    before, after = cropped_guards(*_with_neighbours(shelf, programm_id, match, match.form))
    if before:
        yield f"the printed sentence begins before the quotation, with: {_list(before)}"
    if after:
        yield f"the printed sentence goes on after the quotation, with: {_list(after)}"


def parting_notes(quotation: Quotation, match: Match) -> Iterator[str]:
    """Negations and the like that are a word of their own on one side only: `nichtstaatlich` for `nicht staatlich`.

    Spaces and hyphens are forgiven, for text layers lose and invent them (SPEC §5); a reader should see this one.
    """
    if match.form is None or match.verdict is Verdict.EXACT:
        return
    quoted = Counter(filter(_turns, words(quotation.reading.strict).keys))
    printed = Counter(filter(_turns, words_between(match.form, match.start, match.end)))
    if differing := (quoted - printed) + (printed - quoted):
        yield f"printed with other spaces or hyphens, which matter here: {', '.join(differing)}"


def _turns(word: str) -> bool:
    return kind_of(word) in _TURNING


def _with_neighbours(shelf: Shelf, programm_id: str, match: Match, form: Form) -> tuple[Form, int, int]:
    """The form and the span in it; with the neighbouring pages, if the printed sentence may run over a page break."""
    seite = match.seiten[0]
    page = shelf.page(programm_id, seite)
    if len(match.seiten) > 1 or page is None or form.compact != page.compact or match.end > page.flow_end:
        return form, match.start, match.end
    before, after = form.compact[: match.start], form.compact[match.end - 1 : page.flow_end]
    if _ENDS_SENTENCE.search(before) and _ENDS_SENTENCE.search(after):
        return form, match.start, match.end
    flow, first = shelf.flow(programm_id, seite - 1, seite + 1)
    start = flow.starts[seite - first]
    return flow.form, start + match.start, start + match.end


def _list(words: tuple[str, ...]) -> str:
    named = ", ".join(dict.fromkeys(words[:_SHOWN]))
    return named if len(words) <= _SHOWN else f"{named}, …"


def url_notes(
    zitat: Zitat, programm: IndexedProgramm, seiten: tuple[int, ...], labels: tuple[str, ...]
) -> Iterator[str]:
    """Where the url names another file or page than the quelle; it is compared as text and never opened (SPEC §6)."""
    if not zitat.url:
        return
    file = _URL_FILE.search(zitat.url)
    datei = programm.datei.rpartition("/")[2]
    if file and file[1].lower() != datei.lower():
        yield f"the url names the file {file[1]}, the programme is {datei}"
    page = _URL_PAGE.search(zitat.url)
    if page and seiten and int(page[1]) not in seiten and page[1] not in labels:
        yield f"the url names page {page[1]}, the citation page {', '.join(map(str, seiten))} of the PDF"


def programme_notes(programm: IndexedProgramm) -> Iterator[str]:
    """What rests on old or recognised text says so."""
    if programm.status == "stale":
        yield f"the index holds an earlier state of this programme: {programm.reason}"
