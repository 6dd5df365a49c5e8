"""The verdicts of SPEC §6 and the Befund: one Zitat in, exactly one Befund out.

The values are stable: CI gates, baselines and other programs rely on them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

PAGES = ("pdf", "printed", "either")
"""What the page number of a quelle may mean: the position in the PDF, the number printed on the page."""


class Outcome(StrEnum):
    """What a verdict means for the person who has to trust the quotation."""

    PASS = "pass"
    WARN = "warn"
    FAIL = "fail"
    UNCHECKED = "unchecked"


class Verdict(StrEnum):
    """Where the quoted words stand, or why that could not be said (SPEC §6)."""

    EXACT = "exact"
    LAYOUT = "layout"
    PRINTED_PAGE = "printed_page"
    SPANS_PAGES = "spans_pages"
    ELIDED = "elided"
    OTHER_EDITION = "other_edition"
    ANCHOR = "anchor"
    ALTERED = "altered"
    WRONG_PAGE = "wrong_page"
    WRONG_PROGRAMME = "wrong_programme"
    CROSS_STATE = "cross_state"
    NOT_FOUND = "not_found"
    UNRESOLVED_SOURCE = "unresolved_source"
    AMBIGUOUS_SOURCE = "ambiguous_source"
    PAGE_OUT_OF_RANGE = "page_out_of_range"
    NO_PAGE = "no_page"
    TOO_SHORT = "too_short"
    NO_TEXT = "no_text"
    NOT_INDEXED = "not_indexed"

    @property
    def outcome(self) -> Outcome:
        """The outcome that SPEC §6 gives this verdict."""
        return _OUTCOMES[self]


_OUTCOMES: Mapping[Verdict, Outcome] = MappingProxyType(
    {
        Verdict.EXACT: Outcome.PASS,
        Verdict.LAYOUT: Outcome.PASS,
        Verdict.PRINTED_PAGE: Outcome.PASS,
        Verdict.SPANS_PAGES: Outcome.PASS,
        Verdict.ELIDED: Outcome.PASS,
        Verdict.OTHER_EDITION: Outcome.WARN,
        Verdict.ANCHOR: Outcome.WARN,
        Verdict.ALTERED: Outcome.FAIL,
        Verdict.WRONG_PAGE: Outcome.FAIL,
        Verdict.WRONG_PROGRAMME: Outcome.FAIL,
        Verdict.CROSS_STATE: Outcome.FAIL,
        Verdict.NOT_FOUND: Outcome.FAIL,
        Verdict.UNRESOLVED_SOURCE: Outcome.FAIL,
        Verdict.AMBIGUOUS_SOURCE: Outcome.FAIL,
        Verdict.PAGE_OUT_OF_RANGE: Outcome.FAIL,
        Verdict.NO_PAGE: Outcome.UNCHECKED,
        Verdict.TOO_SHORT: Outcome.UNCHECKED,
        Verdict.NO_TEXT: Outcome.UNCHECKED,
        Verdict.NOT_INDEXED: Outcome.UNCHECKED,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Zitat:
    """One citation as the assessment database holds it, and where it came from.

    `pfad` is its path in the JSON (`$[0].wahlprogramm.zitate[1]`), `assessment` the row's primary key or rowid.
    """

    text: str
    quelle: str
    url: str = ""
    drucksache: str = ""
    pfad: str = ""
    bundesland: str | None = None
    fraktion: str | None = None
    assessment: str | int | None = None
    notes: tuple[str, ...] = ()  # what the reader of the database had to say of odd shapes


@dataclass(frozen=True, slots=True, kw_only=True)
class Fundstelle:
    """A resolved place: one page of one programme, by PDF position (1-based) and printed number."""

    programm_id: str
    seite: int
    seitenlabel: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference between quotation and print, in words of the quotation and of the page.

    `kind`: number, negation, limit, unit, word, order, left_out, added, punctuation. `quoted` is what the
    quotation has, `printed` what the page prints; one of them may be empty.
    """

    kind: str
    quoted: str
    printed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearest:
    """The passage that comes nearest to a quotation that did not pass, in the source's own characters."""

    programm_id: str
    seite: int
    seitenlabel: str | None
    text: str
    diff: tuple[Change, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Befund:
    """The result for one Zitat: verdict, evidence, and what a reader should know besides (SPEC §8)."""

    zitat: Zitat
    verdict: Verdict
    programm_id: str | None = None
    seite: int | None = None
    found: tuple[Fundstelle, ...] = ()
    found_total: int = 0
    nearest: Nearest | None = None
    message: str = ""
    notes: tuple[str, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """Pass, warn, fail or unchecked, as the verdict says."""
        return self.verdict.outcome
