"""The pipeline: assessment database → Zitate → Befunde → totals and exit code (SPEC §6, §7)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from indexer.errors import EXIT_FINDINGS, EXIT_UNCHECKED, EXIT_UNUSABLE
from verifier.citations import Selection, Table
from verifier.summary import Summary, summarise
from verifier.verdict import Befund, Outcome, Verdict, Zitat
from verifier.walk import Assessment, Problem, zitate_in

if TYPE_CHECKING:
    from indexer.gallery import Picture
    from indexer.programm import Programm

EXIT_OK = 0
DEFAULT_INDEX = Path("data/index.db")


class Checker(Protocol):
    """What the pipeline needs of `verifier.Verifier`."""

    def check_zitat(self, zitat: Zitat, /) -> Befund:
        """Return exactly one Befund for one Zitat."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What `verify run` checks, with what, and when it fails; every name is that of the option.

    `fail_on`: these verdicts fail instead of those of outcome fail. `strict`: warn and unchecked fail as well.
    `baseline`: a file of known findings, which do not fail. `save`: our own SQLite file, to which the run is added.
    `jobs`: processes that check; 0: as many as pay (`verifier.parallel`).
    """

    db: Path = Path()
    index: Path = DEFAULT_INDEX
    pages: str = "either"
    source: Table = field(default_factory=Table)
    selection: Selection = field(default_factory=Selection)
    strict: bool = False
    fail_on: frozenset[Verdict] = frozenset()
    baseline: Path | None = None
    save: Path | None = None
    jobs: int = 0

    @property
    def failing(self) -> frozenset[Verdict]:
        """The verdicts that give exit code 1."""
        failing = set(self.fail_on) or {verdict for verdict in Verdict if verdict.outcome is Outcome.FAIL}
        if self.strict:
            failing |= {verdict for verdict in Verdict if verdict.outcome in (Outcome.WARN, Outcome.UNCHECKED)}
        return frozenset(failing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A run beside a baseline: positions of the Befunde and Problems that it accepts, and what has vanished."""

    befunde: frozenset[int] = frozenset()
    problems: frozenset[int] = frozenset()
    vanished: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A finished run: what the reports show. `baseline` is None where the run was compared with none.

    `programme`: the index's entries by `programm_id`, for their names. `versions`: what the run was made with.
    `pictures`: by position of the Befund, its page or the word for why there is none (`verifier.page_images`).
    """

    befunde: tuple[Befund, ...]
    problems: tuple[Problem, ...]
    summary: Summary
    programme: Mapping[str, "Programm"] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    baseline: Compared | None = None
    pictures: Mapping[int, "Picture | str"] = field(default_factory=dict)

    def is_known(self, position: int) -> bool:
        """Whether the baseline accepts the Befund at this position."""
        return self.baseline is not None and position in self.baseline.befunde


def run(verifier: Checker, assessments: Iterable[Assessment]) -> Iterator[Befund | Problem]:
    """Yield a Befund for each Zitat and a Problem for whatever could not be read as one, in the order of the rows."""
    for row in assessments:
        for item in zitate_in(row):
            yield verifier.check_zitat(item) if isinstance(item, Zitat) else item


def collect(assessments: int, items: Iterable[Befund | Problem]) -> Result:
    """Run to the end and count; the totals are made here and nowhere else."""
    befunde: list[Befund] = []
    problems: list[Problem] = []
    for item in items:
        if isinstance(item, Problem):
            problems.append(item)
        else:
            befunde.append(item)
    summary = summarise(assessments, befunde, problems)
    return Result(befunde=tuple(befunde), problems=tuple(problems), summary=summary)


def exit_code(result: Result, failing: frozenset[Verdict]) -> int:
    """The exit code of a run (SPEC §6).

    What could not be read and may hide a quotation is a finding like any other (1), and makes the whole database
    unusable (3) where no row gave a single Zitat. Nothing checked at all, an empty selection included, is 4. What a
    baseline accepts fails no more.
    """
    summary = result.summary
    known = result.baseline or Compared()
    if any(b.verdict in failing for position, b in enumerate(result.befunde) if position not in known.befunde):
        return EXIT_FINDINGS
    if any(problem.lost for position, problem in enumerate(result.problems) if position not in known.problems):
        return EXIT_FINDINGS if summary.total else EXIT_UNUSABLE
    return EXIT_UNCHECKED if summary.unchecked == summary.total else EXIT_OK
