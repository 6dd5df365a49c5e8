"""Pictures of passages for reports: what to draw, and the worker processes that draw it. Knows no PDF library.

PDFs are not trusted here either: one that crashes, hangs or eats memory costs its own pictures and nothing else.
"""

from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from indexer.limits import MEMORY, processors
from indexer.workers import Limits, read_all

SECONDS = 60.0
"""What the pictures of one PDF may take (and a little more per megabyte); one page takes 0.03 seconds."""

Box: TypeAlias = tuple[int, int, int, int]
"""x, y, width, height in pixels of a picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """What to show: words on the page `seite` (1-based), and words among them (in this order) to be stressed."""

    seite: int
    text: str
    stressed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A crop of a page as a PNG, grey; `marks` are the lines of the passage, `stressed` the stressed words in them.

    Without marks it is the whole page, because the passage could not be found in its text.
    """

    png: bytes
    width: int
    height: int
    marks: tuple[Box, ...]
    stressed: tuple[Box, ...]


Drawn: TypeAlias = tuple[Picture | None, ...]
"""One entry for each passage; None for a page that cannot be drawn."""


@dataclass(frozen=True, slots=True)
class _Draw:
    """The job of a worker: a value, so that it can be sent to another process."""

    wanted: Mapping[Path, Sequence[Passage]]

    def __call__(self, path: Path) -> Drawn:
        from indexer.picture import draw  # noqa: PLC0415 - only workers load PyMuPDF

        return draw(path, self.wanted[path])


def pictures(wanted: Mapping[Path, Sequence[Passage]], jobs: int = 0) -> Generator[tuple[Path, Drawn], None, None]:
    """Each PDF of `wanted`, in order, with a picture (or None) for each of its passages; `jobs` 0: all processors.

    Close the generator to end the workers early.
    """
    limits = Limits(jobs=jobs or processors(), seconds=SECONDS, memory=MEMORY)
    with closing(read_all(_Draw(wanted), wanted, limits)) as answers:
        for path, answer in zip(wanted, answers, strict=True):
            yield path, answer.value if answer.reason is None else (None,) * len(wanted[path])
