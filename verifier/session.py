"""What every command that checks does before and after: open the index, tell the reports about it."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from verifier.citations import Selection
from verifier.output import Target
from verifier.progress import counted
from verifier.report import ReportOptions
from verifier.run import Result, RunOptions

if TYPE_CHECKING:
    from verifier.check import Verifier

_WITH_VERSIONS = ("json", "html")


def opened(options: RunOptions) -> "Verifier":
    """Open the index of a run; raises IndexUnusableError as `Verifier.open` does."""
    from verifier.check import Verifier  # noqa: PLC0415 (`verify --help` must not read the spellings of all parties)

    return Verifier.open(options.index, pages=options.pages)


def described(result: Result, verifier: "Verifier", wanted: Iterable[Target]) -> Result:
    """Add what the reports show of the index and of this program."""
    versions = dict(verifier.index.meta)
    if any(target.name in _WITH_VERSIONS for target in wanted):
        from importlib.metadata import version  # noqa: PLC0415 (slow, and most formats do not show it)

        versions = {"quellentreu": version("quellentreu"), **versions}
    return replace(result, programme=verifier.index.programme, versions=versions)


class Memory:
    """What a run knows of earlier ones: the baseline that it is compared with, and the file that it is saved to.

    Both are looked at before the run: raises UsageError while nothing is lost yet. The modules behind are loaded only
    where they are asked for.
    """

    def __init__(self, options: RunOptions) -> None:
        self._options = options
        if options.baseline is not None:
            from verifier.baseline import read  # noqa: PLC0415 (see above)

            self._known = read(options.baseline)
        if options.save is not None:
            from verifier.history import check_file  # noqa: PLC0415 (see above)

            check_file(options.save)

    def remembered(self, result: Result, drucksachen: Collection[str]) -> Result:
        """Compare with the baseline and save; `drucksachen` are the motions that were looked at."""
        if self._options.baseline is not None:
            from verifier.baseline import compared  # noqa: PLC0415 (see above)

            whole = self._options.selection == Selection()
            result = compared(result, self._known, None if whole else drucksachen)
        if self._options.save is not None:
            from verifier.history import save  # noqa: PLC0415 (see above)

            save(self._options.save, result, str(self._options.db))
        return result


class Pictures:
    """Pictures of pages for the HTML report, if they are asked for; raises UsageError before the run as Memory does."""

    def __init__(self, options: ReportOptions, wanted: Iterable[Target]) -> None:
        self._options = options
        if options.page_images:
            from verifier.page_images import check_options  # noqa: PLC0415 (see above)

            check_options(options, wanted)

    def drawn(self, result: Result, verifier: "Verifier") -> Result:
        """Add the pictures to a finished run."""
        if not self._options.page_images:
            return result
        from verifier.page_images import illustrated  # noqa: PLC0415 (see above)

        quiet = self._options.quiet
        return illustrated(
            result,
            verifier.index,
            self._options.pdfs,
            lambda drawn: counted(drawn, "pages drawn", quiet=quiet, size=lambda item: len(item[1])),
        )
