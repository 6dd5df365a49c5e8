"""From catalogue entries to files on the disk: which PDF it is, whether it can be read, and its hash."""

import hashlib
import os
import re
import threading
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from indexer.errors import UsageError
from indexer.limits import processors

_SURROGATE = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The PDF of one entry: where it is and the SHA-256 of its content, or why it cannot be read.

    `missing` tells "there is no such file" from "there is one, but it cannot be read".
    """

    path: Path
    sha256: str | None = None
    reason: str | None = None
    missing: bool = False


def require_folder(pdfs: Path) -> None:
    """Raise UsageError if `pdfs` is no folder that can be listed: a typo must not look like 75 missing programmes."""
    try:
        os.scandir(pdfs).close()
    except OSError as error:
        raise UsageError(
            f"the PDF folder {pdfs} cannot be read: {error.strerror}; name the right one (--pdfs)"
        ) from error


def find_source(pdfs: Path, datei: str) -> Source:
    """The file that `datei` (relative to the folder `pdfs`) names, checked and hashed.

    A name in another Unicode normalisation (archives made on a Mac), with its ending in other capitals, or with
    U+FFFD for bytes that are no text is the same name, unless a file bears exactly the one that is written.
    """
    path = pdfs / datei
    if not os.path.lexists(path):
        found = _same_names(pdfs, Path(datei).parts)
        if not found:
            return Source(path=path, reason=f"no file {storable(datei)!r} in the PDF folder", missing=True)
        if len(found) > 1:
            names = " and ".join(sorted(ascii(str(other.relative_to(pdfs))) for other in found))
            return Source(path=path, reason=f"{storable(datei)!r} could be {names}: rename one of them")
        path = found[0]
    reason = _unreadable(path)
    if reason:
        return Source(path=path, reason=reason)
    try:
        return Source(path=path, sha256=sha256_of(path))
    except PermissionError:
        return Source(path=path, reason="no permission to read the file")
    except OSError as error:
        return Source(path=path, reason=f"cannot be read: {error.strerror}")


def find_sources(pdfs: Path, dateien: Sequence[str]) -> list[Source]:
    """`find_source` for each of `dateien`, by as many threads as there are processors: hashing is all that it does.

    Plain threads: what `concurrent.futures` needs to be loaded is as much as a third of the hashing of 75 programmes.
    """
    found: dict[int, Source] = {}
    count = max(1, min(processors(), len(dateien)))

    def find(start: int) -> None:
        for number in range(start, len(dateien), count):
            found[number] = find_source(pdfs, dateien[number])

    threads = [threading.Thread(target=find, args=(start,), daemon=True) for start in range(1, count)]
    for thread in threads:
        thread.start()
    find(0)
    for thread in threads:
        thread.join()
    # A thread that failed has left some out: they are asked for once more, so that the error is raised here.
    return [found.get(number) or find_source(pdfs, datei) for number, datei in enumerate(dateien)]


def storable(text: str) -> str:
    """`text` with each lone surrogate shown as its code: file names may hold them, SQLite and terminals refuse them."""
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def sha256_of(path: Path) -> str:
    """SHA-256 of a file's content, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _unreadable(path: Path) -> str | None:
    """Why `path` must not even be opened: opening a pipe would wait for ever."""
    try:
        if path.is_file():
            return None
        if path.is_symlink() and not path.exists():
            return "a link without a target"
    except OSError as error:  # a link that leads to itself
        return f"cannot be read: {error.strerror}"
    return "a folder, not a file" if path.is_dir() else "not a regular file"


def _same_names(folder: Path, parts: tuple[str, ...]) -> list[Path]:
    """Paths below `folder` whose parts are `parts` but for their spelling."""
    wanted, *rest = parts
    try:
        with os.scandir(folder) as entries:
            found = [folder / entry.name for entry in entries if name_key(entry.name) == name_key(wanted)]
    except OSError:
        return []  # no such folder, hence no such file: the caller says so
    return [path for start in found for path in _same_names(start, tuple(rest))] if rest else found


def name_key(name: str) -> str:
    """What two spellings of one file name have in common: NFC, small ending, U+FFFD for bytes that are no text."""
    stem, dot, ending = _SURROGATE.sub("\ufffd", unicodedata.normalize("NFC", name)).rpartition(".")
    return f"{stem}{dot}{ending.lower()}"
