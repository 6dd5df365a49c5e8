"""Where reports go: stdout or files, checked before the run and written whole or not at all."""

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from indexer.errors import UsageError
from verifier.report import FORMATS, ReportOptions, renderer
from verifier.run import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One report of one run; `file` None is stdout."""

    name: str
    file: Path | None = None


def targets(name: str, output: Path | None, reports: Iterable[str], protected: Iterable[Path]) -> list[Target]:
    """Return all reports of a run: `--format`/`-o`, then each `--report NAME=FILE`; the file `-` is stdout.

    Raises UsageError for a name that is none, a file that cannot be written, twice the same, or one that would
    replace a database (`protected`, or any SQLite file): a slip of the keyboard must not cost the assessments.
    """
    wanted = [Target(name=name, file=_named(output)), *(_parsed(report) for report in reports)]
    files = [target.file for target in wanted if target.file is not None]
    for file in files:
        refuse_bad_file(file, protected)
    if len({file.absolute() for file in files}) < len(files) or len(wanted) - len(files) > 1:
        raise UsageError("two reports would go to the same place: give each its own file")
    return wanted


def _parsed(report: str) -> Target:
    name, mark, file = report.partition("=")
    if not mark or not file or name not in FORMATS:
        raise UsageError(f"--report {report!r}: type NAME=FILE with NAME one of {', '.join(FORMATS)}")
    return Target(name=name, file=_named(Path(file)))


def _named(file: Path | None) -> Path | None:
    return None if file == Path("-") else file


def refuse_bad_file(file: Path, protected: Iterable[Path]) -> None:
    """Raise UsageError for a file that cannot be written, or that is a database (`protected` or any SQLite file)."""
    try:
        if file.is_dir():
            raise UsageError(f"{file}: is a folder. Name a file for the report.")
        if not file.parent.is_dir():
            raise UsageError(f"{file}: the folder {file.parent} does not exist. Make it, or name another.")
        if any(path.exists() and file.exists() and file.samefile(path) for path in protected) or _is_sqlite(file):
            raise UsageError(f"{file}: is a database; a report would replace it. Name another file.")
    except (OSError, ValueError) as error:
        raise UsageError(f"{file}: cannot be used for a report: {error}") from error


def _is_sqlite(file: Path) -> bool:
    if not file.is_file():
        return False
    with file.open("rb") as stream:
        return stream.read(16) == b"SQLite format 3\0"


def write_all(result: Result, wanted: Iterable[Target], options: ReportOptions) -> None:
    """Write files first: a reader of stdout that stops early (`| head`) does not cost them."""
    for target in sorted(wanted, key=lambda target: target.file is None):
        if target.file is None:
            to_stdout(renderer(target.name)(result, options), as_text=target.name == "terminal")
        else:
            to_file(target.file, renderer(target.name)(result, replace(options, color=False)))


def to_stdout(chunks: Iterable[str], *, as_text: bool) -> None:
    """Print; machine formats are UTF-8 whatever the locale says, text escapes what the terminal cannot show."""
    encoding = (sys.stdout.encoding or "utf-8") if as_text else "utf-8"
    stream = sys.stdout.buffer
    for chunk in chunks:
        stream.write(chunk.encode(encoding, "backslashreplace" if as_text else "strict"))
    stream.flush()


def to_file(file: Path, chunks: Iterable[str]) -> None:
    """Write a UTF-8 file whole or not at all. Raises UsageError with the reason."""
    data = "".join(chunks).encode("utf-8", "backslashreplace")
    try:
        if file.exists() and not file.is_file():  # /dev/stdout, a named pipe
            file.write_bytes(data)
        else:
            _replace(file.resolve(), data)
    except OSError as error:
        raise UsageError(f"{file}: the report could not be written: {error.strerror or error}") from error


def _replace(file: Path, data: bytes) -> None:
    """A reader sees the old report or the new one; a full disk leaves the old one."""
    part = file.with_name(f".{file.name[:200]}.{os.getpid()}.part")
    try:
        part.write_bytes(data)
        part.replace(file)
    finally:
        with suppress(FileNotFoundError):
            part.unlink()
