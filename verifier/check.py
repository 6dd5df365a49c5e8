"""The library call: one open index, one Befund for each Zitat. `verify run` uses the very same code (SPEC §1)."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

from indexer.errors import UsageError
from indexer.lookup import PageIndex
from verifier.verdict import PAGES, Befund, Zitat


class Verifier:
    """Checks citations against one index; PDFs are never opened.

    One Verifier belongs to one thread at a time; open one for each thread (it costs a few milliseconds).
    """

    def __init__(self, index: PageIndex, *, pages: str = "either") -> None:
        if pages not in PAGES:
            raise UsageError(f"pages must be one of {', '.join(PAGES)}, not {pages!r}")
        self.index = index
        self.pages = pages

    @cached_property
    def _judge(self) -> Callable[[Zitat], Befund]:
        from verifier.judge import Judge  # noqa: PLC0415 (half of a start, of which nothing is needed to open an index)

        return Judge(self.index, self.pages).judge

    @classmethod
    def open(cls, path: str | Path, *, pages: str = "either") -> Self:
        """Open the index file at `path` read-only. Raises IndexUnusableError if it is missing, damaged or outdated."""
        return cls(PageIndex.open(Path(path)), pages=pages)

    def check(
        self, *, text: str, quelle: str, bundesland: str | None = None, url: str = "", fraktion: str | None = None
    ) -> Befund:
        """Check one citation as the app has it. `bundesland` is the Antrag's; raises IndexUnusableError only."""
        return self.check_zitat(Zitat(text=text, quelle=quelle, bundesland=bundesland, url=url, fraktion=fraktion))

    def check_zitat(self, zitat: Zitat) -> Befund:
        """Check one Zitat; every Zitat gives exactly one Befund."""
        return self._judge(zitat)

    def check_many(self, zitate: Iterable[Zitat]) -> Iterator[Befund]:
        """Check Zitate one after the other, in order."""
        return map(self.check_zitat, zitate)

    def close(self) -> None:
        """Close the index file."""
        self.index.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
