"""Totals of one run, counted once and checked: every report shows these, none counts on its own (SPEC §6)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from verifier.verdict import Befund, Outcome, Verdict
from verifier.walk import Problem

_NO_SUCH_SOURCE = (Verdict.UNRESOLVED_SOURCE, Verdict.AMBIGUOUS_SOURCE, Verdict.NOT_INDEXED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Befunde of one quelle whose programme is not there to be read: which alias or programme is missing?"""

    quelle: str
    verdict: Verdict
    count: int
    message: str  # of the first of them: it lists the nearest programmes


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """How many Befunde of each kind; `verdicts` and `outcomes` name every kind, also those with 0.

    `problems` are things in rows that could not be read, `lost` those of them that may hide a quotation.
    """

    assessments: int
    total: int
    verdicts: dict[Verdict, int]
    outcomes: dict[Outcome, int]
    problems: int
    lost: int
    unresolved: tuple[Group, ...]

    @property
    def unchecked(self) -> int:
        """Quotations of which nobody knows whether they stand there."""
        return self.outcomes[Outcome.UNCHECKED]


def summarise(assessments: int, befunde: Sequence[Befund], problems: Sequence[Problem]) -> Summary:
    """Count; raises ArithmeticError if a Befund was lost or counted twice, rather than show a wrong total."""
    counted = Counter(befund.verdict for befund in befunde)
    verdicts = {verdict: counted[verdict] for verdict in Verdict}
    outcomes = {outcome: sum(n for v, n in verdicts.items() if v.outcome is outcome) for outcome in Outcome}
    if not sum(verdicts.values()) == sum(outcomes.values()) == len(befunde):
        raise ArithmeticError(f"{len(befunde)} Befunde, but {verdicts} and {outcomes}: please report this bug")
    return Summary(
        assessments=assessments,
        total=len(befunde),
        verdicts=verdicts,
        outcomes=outcomes,
        problems=len(problems),
        lost=sum(problem.lost for problem in problems),
        unresolved=_groups(befunde),
    )


def _groups(befunde: Iterable[Befund]) -> tuple[Group, ...]:
    """By quelle without its page, so that one missing programme is one line, most frequent first."""
    groups: dict[tuple[str, Verdict], list[Befund]] = {}
    for befund in befunde:
        if befund.verdict in _NO_SUCH_SOURCE:
            groups.setdefault((_without_page(befund.zitat.quelle), befund.verdict), []).append(befund)
    found = [
        Group(quelle=quelle, verdict=verdict, count=len(members), message=members[0].message)
        for (quelle, verdict), members in groups.items()
    ]
    return tuple(sorted(found, key=lambda group: (-group.count, group.quelle, group.verdict)))


def _without_page(quelle: str) -> str:
    """`FDP NRW Wahlprogramm 2022 (S. 75)` → `FDP NRW Wahlprogramm 2022`: for grouping only, it decides nothing."""
    from indexer.aliases import clean  # noqa: PLC0415 (start-up: only needed if a source was not resolved)
    from verifier.pageref import find_pages  # noqa: PLC0415 (same)

    quelle = clean(quelle)
    first_page = min((located.start for located in find_pages(quelle)), default=None)
    return quelle[:first_page].rstrip(" ,;(") or quelle
