"""The one exception tree of both packages; `exit_code` is what the command line returns (SPEC §6).

A message says what happened, why it matters and what to type next.
"""

EXIT_FINDINGS = 1
EXIT_USAGE = 2
EXIT_UNUSABLE = 3
EXIT_UNCHECKED = 4


class QuellentreuError(Exception):
    """Root of everything that quellentreu raises on purpose."""

    exit_code = EXIT_UNUSABLE


class UsageError(QuellentreuError):
    """The call is wrong: a missing file for an option, a value that does not exist."""

    exit_code = EXIT_USAGE


class CatalogueError(QuellentreuError):
    """The catalogue has mistakes; the message lists all of them with file, entry and reason."""

    exit_code = EXIT_USAGE


class PdfError(QuellentreuError):
    """One PDF cannot be read as a programme; the message is the reason that the report shows."""


class IndexUnusableError(QuellentreuError):
    """The index file is missing, damaged, of another version, or not an index at all."""


class AssessmentsError(QuellentreuError):
    """The assessment database cannot be read: missing, not SQLite, locked, without the table or column."""
