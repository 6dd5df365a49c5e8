"""Repairs for citations whose words are right: page, programme, and the text as printed (issue 4).

Nothing is believed: each repair is checked like any citation, and only one that passes is suggested. A quotation is
never moved to another party's programme, nor to one that may not be cited for this Antrag, and changed words are
never put right: what was altered is for a person to judge.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from indexer.aliases import canonical_partei, clean
from indexer.lookup import IndexedProgramm
from verifier.align import align
from verifier.check import Verifier
from verifier.pageref import find_pages
from verifier.pages import Shelf
from verifier.passage import words
from verifier.quotation import Quotation
from verifier.resolve import belongs
from verifier.verdict import Befund, Fundstelle, Outcome, Verdict, Zitat

_ELSEWHERE = (Verdict.WRONG_PAGE, Verdict.WRONG_PROGRAMME, Verdict.PAGE_OUT_OF_RANGE, Verdict.NO_PAGE)
_TRIED = 5  # places
_PUNCTUATION = ".,;:!?"
_CUT_MARKS = ("...", "…", ". . .")
_URL_FILE = re.compile(r"(?<![^/\\?#])[^/\\?#]+\.pdf(?=[?#]|\Z)", re.IGNORECASE)  # linear: from a segment's start
_FRAGMENT = re.compile(r"#.*\Z", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A citation as it is (`befund.zitat`) and as it would pass; `reason` says what was repaired."""

    befund: Befund
    new: Zitat
    reason: str


class Suggester:
    """Suggests repairs with one open Verifier."""

    def __init__(self, verifier: Verifier) -> None:
        self._verifier = verifier
        self._shelf = Shelf(verifier.index)

    def suggest(self, befund: Befund) -> Suggestion | None:
        """The repair of one Befund, or None where there is nothing to repair or nothing that would pass."""
        if befund.verdict in _ELSEWHERE:
            return self._moved(befund)
        if befund.verdict in (Verdict.ANCHOR, Verdict.LAYOUT):
            return self._as_printed(befund)
        return None

    def _moved(self, befund: Befund) -> Suggestion | None:
        for place in self._may_be_cited(befund):
            moved = _at(befund.zitat, self._verifier.index.programme[place.programm_id], place, befund)
            checked = self._verifier.check_zitat(moved)
            if checked.outcome is Outcome.PASS and checked.programm_id == place.programm_id:
                reason = f"stands on page {place.seite} of {place.programm_id}"
                printed = self._as_printed(checked) if checked.verdict is Verdict.LAYOUT else None
                if printed is None:
                    return Suggestion(befund=befund, new=moved, reason=reason)
                return Suggestion(befund=befund, new=printed.new, reason=f"{reason}; {printed.reason}")
        return None

    def _may_be_cited(self, befund: Befund) -> Iterator[Fundstelle]:
        """Places in the same programme, else in another of the same party; the check refuses those of other Länder."""
        cited = self._verifier.index.programme.get(befund.programm_id or "")
        if cited is None:
            return
        same = [place for place in befund.found if place.programm_id == cited.programm_id]
        other = [place for place in befund.found if self._same_party(cited, place, befund.zitat.fraktion)]
        yield from (same or other)[:_TRIED]

    def _same_party(self, cited: IndexedProgramm, place: Fundstelle, fraktion: str | None) -> bool:
        programm = self._verifier.index.programme[place.programm_id]
        if (canonical_partei(programm.partei) or programm.partei) != (canonical_partei(cited.partei) or cited.partei):
            return False
        return not fraktion or belongs(fraktion, programm) is not False

    def _as_printed(self, befund: Befund) -> Suggestion | None:
        """The words as the page prints them, unless the quotation marks gaps or cuts, which are its own."""
        zitat = befund.zitat
        if befund.programm_id is None or befund.seite is None or any(mark in zitat.text for mark in _CUT_MARKS):
            return None
        seite = befund.found[0].seite if befund.found else befund.nearest.seite if befund.nearest else befund.seite
        passage, _ = self._shelf.passage(befund.programm_id, seite - 1, seite + 1)
        alignment = align(words(Quotation(zitat.text).readings[-1].strict), passage)
        if alignment is None:
            return None
        printed = passage.source(alignment.first, alignment.last)
        if zitat.text[-1:].isalnum():
            printed = printed.rstrip(_PUNCTUATION)  # the quotation ends before it, and need not go on
        new = replace(zitat, text=printed)
        checked = self._verifier.check_zitat(new)
        if checked.outcome is not Outcome.PASS or checked.programm_id != befund.programm_id:
            return None
        shortened = befund.verdict is Verdict.ANCHOR
        if new.text == zitat.text or not (shortened or checked.verdict is Verdict.EXACT):
            return None
        reason = "the text as printed" + (", with the words that were left out" if shortened else "")
        return Suggestion(befund=befund, new=new, reason=reason)


def _at(zitat: Zitat, programm: IndexedProgramm, place: Fundstelle, befund: Befund) -> Zitat:
    """The citation with the page, and where it stands in another programme the programme, that hold it."""
    if place.programm_id != befund.programm_id:
        quelle = f"{programm.name}, S. {place.seite}"
    else:
        quelle = _with_page(zitat.quelle, place.seite)
    url = zitat.url
    if _URL_FILE.search(url):
        datei = programm.datei.rpartition("/")[2]
        url = _URL_FILE.sub(lambda _: datei, _FRAGMENT.sub("", url)) + f"#page={place.seite}"
    return replace(zitat, quelle=quelle, url=url)


def _with_page(quelle: str, seite: int) -> str:
    quelle = clean(quelle)
    located = find_pages(quelle)
    if not located:
        return f"{quelle.rstrip(' ,')}, S. {seite}"
    first = located[0]
    page = f"#page={seite}" if first.ref.text.startswith("#") else f"S. {seite}"
    return quelle[: first.start] + page + quelle[first.end :]
