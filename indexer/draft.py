"""The new index file while it is being written: beside the old one, locked, and swapped in with one rename.

Readers see the old index or the new one. A build that is killed leaves its draft behind; the next one takes it over.
"""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from indexer.errors import IndexUnusableError, UsageError

if sys.platform != "win32":
    import fcntl


class Draft:
    """A file of our own in the folder of the index `db`; see `drafting`."""

    def __init__(self, db: Path, handle: int) -> None:
        self.db = db
        self.path = draft_path(db)
        self._handle = handle

    def empty(self) -> None:
        """Begin again with nothing in the draft."""
        os.ftruncate(self._handle, 0)

    def publish(self) -> None:
        """Make the draft the index: durable first, then visible, in one step."""
        if self.db.exists():
            self.path.chmod(stat.S_IMODE(self.db.stat().st_mode))
        _sync(self.path)
        # A write-ahead log that somebody left beside the old file must not be applied to the new one.
        for ending in ("-wal", "-shm", "-journal"):
            self.db.with_name(self.db.name + ending).unlink(missing_ok=True)
        self.path.replace(self.db)
        _sync(self.db.parent)


def draft_path(db: Path) -> Path:
    """Where the next version of the index `db` is written: always the same name, so that strays never pile up."""
    return db.with_name(f".{db.name}.building")


@contextmanager
def drafting(db: Path) -> Iterator[Draft]:
    """An empty draft for the index `db`, held by this process alone and gone in the end unless published.

    Raises UsageError if there is no such folder, IndexUnusableError if the folder cannot be written or another build
    is at work.
    """
    db = Path(os.path.realpath(db))  # a link to the index stays one
    handle = _claim(draft_path(db))
    draft = Draft(db, handle)
    try:
        yield draft
    finally:
        # After publishing, the name is free again (and may already be another build's).
        if _is_same_file(handle, draft.path):
            draft.path.unlink(missing_ok=True)
        os.close(handle)


def _claim(path: Path) -> int:
    """Open and lock the draft at `path`, emptied; the lock is gone with the process, however that ends."""
    while True:
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise UsageError(
                f"there is no folder {path.parent} for the index; create it or name another --db"
            ) from error
        except OSError as error:
            message = f"cannot write in {path.parent}: {error.strerror}; the index stays as it is. Name another --db"
            raise IndexUnusableError(message) from error
        if not _lock(handle):
            os.close(handle)
            message = f"another build of this index is running (it holds {path}); wait for it, then build again"
            raise IndexUnusableError(message)
        if _is_same_file(handle, path):
            os.ftruncate(handle, 0)
            return handle
        os.close(handle)  # the build that held it published it meanwhile: what we hold is the index itself


def _lock(handle: int) -> bool:
    if sys.platform == "win32":
        return True  # an open database cannot be replaced there anyway
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_same_file(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.lstat())
    except FileNotFoundError:
        return False


def _sync(path: Path) -> None:
    """Wait until the file or folder `path` is on the disk."""
    if sys.platform == "win32" and path.is_dir():
        return  # folders cannot be opened there; the rename is atomic all the same
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
