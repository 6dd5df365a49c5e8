import os
import random
import resource
import signal
import sqlite3
import sys
import threading
import unicodedata
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from readers import read_and_tell, wait_for
from shelf import PERMISSIONS, Shelf, content, states

from indexer.build import build
from indexer.check import check_index
from indexer.draft import draft_path, drafting
from indexer.errors import IndexUnusableError, QuellentreuError, UsageError
from indexer.lookup import PageIndex

WORDS = ("Wir", "fördern", "den", "Umstieg", "auf", "saubere", "Busse", "und", "bauen", "neue", "Wege", "für", "alle")
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX only")


def sentence(seed: int, length: int = 40) -> str:
    chosen = random.Random(seed).choices(WORDS, k=length)
    return " ".join([*chosen, str(seed)])


def pages(*seeds: int) -> str:
    return "\f".join(f"[{number}] {sentence(seed)}." for number, seed in enumerate(seeds, start=3))


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    made = Shelf(tmp_path / "shelf")
    made.put("a", pages(1, 2, 3))
    made.put("b", pages(4, 5))
    made.put("c", pages(6))
    return made


def test_a_first_build_indexes_every_page(shelf: Shelf) -> None:
    report = shelf.build()
    assert report.changed
    assert report.seiten == 6
    assert states(report) == {"a": "indexed", "b": "indexed", "c": "indexed"}
    assert shelf.files() == ["index.db"]
    assert list(check_index(shelf.db, every_page=True)) == []
    with PageIndex.open(shelf.db) as index:
        page = index.page("a", 2)
        assert page is not None
        assert page.seitenlabel == "4"
        assert page.strict.startswith(sentence(2).lower())


def test_a_second_build_does_nothing_and_leaves_the_file(shelf: Shelf) -> None:
    shelf.build()
    before = shelf.db.stat()
    report = shelf.build()
    after = shelf.db.stat()
    assert not report.changed
    assert not any(programm.changed for programm in report.programme)
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert shelf.files() == ["index.db"]


Change = Callable[[Shelf], object]
CHANGES: list[tuple[str, Change, dict[str, str], str]] = [
    ("changed", lambda s: s.put("b", pages(4, 9)), {"b": "indexed"}, "the content decides"),
    ("shrunken", lambda s: s.put("a", pages(1)), {"a": "indexed"}, "pages beyond the new end are gone"),
    ("grown", lambda s: s.put("c", pages(6, 7, 8)), {"c": "indexed"}, "new pages are there"),
    ("new", lambda s: s.put("aa", pages(10)), {"aa": "indexed"}, "a new entry in the middle"),
    ("renamed", lambda s: s.put("b", pages(4, 5), name="New name"), {"b": "indexed"}, "no PDF has to be read"),
    ("withdrawn", lambda s: s.entries.pop("a"), {"a": "removed"}, "it must not verify any more"),
    ("deleted", lambda s: s.put("a", None), {"a": "missing"}, "a file that is gone takes its pages along"),
    ("copied", lambda s: s.put("d", pages(6)), {"c": "indexed", "d": "indexed"}, "both get pages and a hint"),
]


@pytest.mark.parametrize(("change", "expected"), [case[1:3] for case in CHANGES], ids=[case[0] for case in CHANGES])
def test_an_incremental_build_gives_what_a_fresh_one_gives(
    shelf: Shelf, tmp_path: Path, change: Change, expected: dict[str, str]
) -> None:
    shelf.build()
    change(shelf)
    report = shelf.build()
    news = {programm.programm_id: programm.status for programm in report.programme if programm.changed}
    assert report.changed
    assert news == expected
    assert list(check_index(shelf.db, every_page=True)) == []
    fresh = tmp_path / "fresh.db"
    shelf.build(db=fresh)
    assert content(shelf.db) == content(fresh)
    assert shelf.files() == ["index.db"]


def test_the_same_size_and_time_do_not_hide_a_changed_pdf(shelf: Shelf) -> None:
    path = shelf.put("a", "Der Satz ist richtig so gewesen.")
    os.utime(path, (1_700_000_000, 1_700_000_000))
    shelf.build()
    shelf.put("a", "Der Satz ist niemals so gewesen.")
    os.utime(path, (1_700_000_000, 1_700_000_000))
    assert shelf.build().changed
    with PageIndex.open(shelf.db) as index:
        assert list(index.candidates("dersatzistrichtigsogewesen")) == []
        assert [page.seite for page in index.candidates("dersatzistniemalssogewesen")] == [1]


def test_a_touched_pdf_is_no_work(shelf: Shelf) -> None:
    shelf.build()
    os.utime(shelf.pdfs / "a.pdf", (1_700_000_000, 1_700_000_000))
    assert not shelf.build().changed


BROKEN = [
    ("!crash", "crashed the reader (signal 11)", "a segmentation fault"),
    ("!exit", "crashed the reader (exit code 3)", "a library that ends the process"),
    ("!hang", "took longer than", "an endless page"),
    ("!memory", "needs more memory than a reader may take", "a decompression bomb"),
    ("!bug", "the reader failed (ZeroDivisionError: a bug of the reader)", "nobody foresees everything"),
    ("!locked", "needs a password to be opened", "the reader's own reason"),
]


@POSIX
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(("what", "reason", "why"), BROKEN, ids=[case[0] for case in BROKEN])
def test_a_pdf_that_breaks_its_reader_is_one_failed_programme(
    shelf: Shelf, what: str, reason: str, why: str, jobs: int
) -> None:
    shelf.put("b", what)
    report = shelf.build(jobs=jobs, time_limit=1.0 if what == "!hang" else 60.0)
    assert states(report) == {"a": "indexed", "b": "failed", "c": "indexed"}, why
    (failed,) = report.failed
    assert failed.reason is not None
    assert reason in failed.reason
    again = shelf.build(jobs=jobs, time_limit=1.0 if what == "!hang" else 60.0)
    assert not again.changed
    assert again.failed[0].reason == failed.reason
    assert list(check_index(shelf.db)) == []


@pytest.mark.parametrize("what", ["!crash", "!locked"])
def test_what_was_indexed_of_a_pdf_that_fails_now_stays_and_is_marked_stale(shelf: Shelf, what: str) -> None:
    shelf.build()
    shelf.put("a", what)
    report = shelf.build()
    assert states(report)["a"] == "stale"
    with PageIndex.open(shelf.db) as index:
        programm = index.programme["a"]
        assert (programm.status, programm.seiten) == ("stale", 3)
        assert programm.reason
        assert index.page("a", 3) is not None
    assert not shelf.build().changed
    shelf.put("a", pages(1, 2, 3))
    assert states(shelf.build())["a"] == "indexed", "the old PDF is back"
    with PageIndex.open(shelf.db) as index:
        assert index.programme["a"].reason is None


def test_what_a_library_prints_reaches_nobody(shelf: Shelf, capfd: pytest.CaptureFixture[str]) -> None:
    shelf.put("a", "!print")
    assert states(shelf.build())["a"] == "indexed"
    assert capfd.readouterr() == ("", "")


def test_another_reader_reads_everything_again(shelf: Shelf) -> None:
    shelf.build()
    report = shelf.build(reader_version="2")
    assert report.changed
    assert all(programm.changed for programm in report.programme)
    assert list(check_index(shelf.db, every_page=True)) == []


def test_a_programme_that_only_the_old_reader_could_read_stays_stale_until_it_can_be_read(shelf: Shelf) -> None:
    shelf.build()
    shelf.put("a", "!crash")
    shelf.build(reader_version="2")
    again = shelf.build(reader_version="2")
    assert states(again)["a"] == "stale"
    assert not again.changed


def test_an_index_of_another_version_is_built_anew(shelf: Shelf, tmp_path: Path) -> None:
    shelf.build()
    change(shelf.db, "UPDATE meta SET value = '0' WHERE key = 'normalizer_version'")
    report = shelf.build()
    assert report.rebuilt is not None
    assert "normalizer version" in report.rebuilt
    shelf.build(db=tmp_path / "fresh.db")
    assert content(shelf.db) == content(tmp_path / "fresh.db")


DAMAGES: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("cut in the middle", lambda whole: whole[: len(whole) // 2]),
    ("only its header", lambda whole: whole[:100]),
    ("overwritten in the middle", lambda whole: whole[:8192] + b"\xff" * (len(whole) - 8192)),
]


@pytest.mark.parametrize("damage", [case[1] for case in DAMAGES], ids=[case[0] for case in DAMAGES])
def test_a_damaged_index_is_built_anew(shelf: Shelf, tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    shelf.build()
    shelf.db.write_bytes(damage(shelf.db.read_bytes()))
    shelf.put("b", pages(4, 9))
    report = shelf.build()
    assert report.rebuilt is not None
    assert "damaged" in report.rebuilt
    shelf.build(db=tmp_path / "fresh.db")
    assert content(shelf.db) == content(tmp_path / "fresh.db")


FOREIGN = [
    (b"not a database at all", "a text file"),
    (b"%PDF-1.7\n" + b"x" * 200, "a PDF named by mistake"),
]


@pytest.mark.parametrize(("found", "why"), FOREIGN, ids=[case[1] for case in FOREIGN])
def test_a_file_that_is_no_index_is_never_replaced(shelf: Shelf, found: bytes, why: str) -> None:
    shelf.db.write_bytes(found)
    with pytest.raises(UsageError, match="not an index"):
        shelf.build()
    assert shelf.db.read_bytes() == found, why


def test_another_database_is_never_replaced(shelf: Shelf) -> None:
    change(shelf.db, "CREATE TABLE assessments (drucksache TEXT)")
    before = shelf.db.read_bytes()
    with pytest.raises(UsageError, match="not an index"):
        shelf.build()
    assert shelf.db.read_bytes() == before


def test_an_empty_file_is_an_index_that_has_not_been_built(shelf: Shelf) -> None:
    shelf.db.touch()
    assert shelf.build().changed


def test_two_builds_give_the_same_file_whatever_the_folder_and_the_number_of_jobs(tmp_path: Path) -> None:
    files = []
    for jobs in (1, 2, 5):
        shelf = Shelf(tmp_path / f"shelf-{jobs}")
        order = range(12) if jobs == 1 else reversed(range(12))
        for number in order:
            shelf.put(f"p{number:02}", pages(*range(number, number + 1 + number % 4)))
        shelf.build(jobs=jobs)
        files.append(shelf.db.read_bytes())
    assert files[0] == files[1] == files[2]


def test_a_second_build_at_the_same_time_is_told_so(shelf: Shelf) -> None:
    shelf.build()
    shelf.put("a", pages(8))
    before = shelf.db.read_bytes()
    with drafting(shelf.db), pytest.raises(IndexUnusableError, match="another build"):
        shelf.build()
    assert shelf.db.read_bytes() == before
    assert shelf.build().changed


def test_the_draft_of_a_dead_build_is_taken_over(shelf: Shelf) -> None:
    shelf.build()
    draft_path(shelf.db).write_bytes(b"half a database")
    assert not shelf.build().changed
    assert shelf.files() == ["index.db"]


def test_a_write_ahead_log_of_the_old_file_is_not_applied_to_the_new_one(shelf: Shelf) -> None:
    shelf.build()
    with closing(sqlite3.connect(shelf.db)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("CREATE TABLE notes (text)")
        writer.commit()
        shelf.put("a", pages(8))
        shelf.build()
    assert list(check_index(shelf.db, every_page=True)) == []
    with PageIndex.open(shelf.db) as index:
        assert index.query("PRAGMA journal_mode") == [("delete",)]


def test_a_folder_that_does_not_exist_is_a_usage_error(shelf: Shelf, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no folder"):
        shelf.build(db=tmp_path / "nowhere" / "index.db")
    with pytest.raises(UsageError, match="PDF folder"):
        shelf.build(pdfs=tmp_path / "nowhere")


@PERMISSIONS
def test_a_read_only_folder_leaves_everything_as_it_was(shelf: Shelf) -> None:
    shelf.build()
    shelf.put("a", pages(8))
    before = shelf.db.read_bytes()
    shelf.folder.chmod(0o500)
    try:
        with pytest.raises(IndexUnusableError, match="cannot write"):
            shelf.build()
    finally:
        shelf.folder.chmod(0o700)
    assert shelf.db.read_bytes() == before


@POSIX
def test_a_full_disk_leaves_everything_as_it_was(shelf: Shelf) -> None:
    shelf.build()
    before = shelf.db.read_bytes()
    options = shelf.options()
    shelf.put("a", pages(*range(300)))

    def build_with_little_space() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before), resource.RLIM_INFINITY))
        try:
            build(options)
        except IndexUnusableError as error:
            os._exit(7 if "could not be written" in str(error) else 8)

    assert os.waitstatus_to_exitcode(in_child(build_with_little_space)) == 7
    assert shelf.db.read_bytes() == before
    assert shelf.files() == ["index.db"]


@POSIX
def test_a_build_killed_at_any_moment_leaves_the_old_index_or_the_new_one(shelf: Shelf, tmp_path: Path) -> None:
    """More than a hundred kills, spread over all function calls of a build, without a single wait."""
    shelf.build()
    old = content(shelf.db)
    original = shelf.db.read_bytes()
    shelf.put("a", pages(1, 8, 3))
    shelf.put("d", pages(11))
    options = shelf.options()
    shelf.build(db=tmp_path / "fresh.db")
    new = content(tmp_path / "fresh.db")

    counted = tmp_path / "calls"
    in_child(lambda: build_counting_calls(options, None, counted))
    calls = int(counted.read_text())
    assert calls > 1000
    assert content(shelf.db) == new

    chosen = random.Random(1).sample(range(1, calls), 120)
    outcomes = {"old": 0, "new": 0}
    killed = 0
    for number in chosen:
        shelf.db.write_bytes(original)
        status = in_child(lambda number=number: build_counting_calls(options, number, counted))  # type: ignore[misc]
        killed += os.WIFSIGNALED(status)
        found = content(shelf.db)
        assert found in (old, new), f"half an index after call {number} of {calls}"
        outcomes["old" if found == old else "new"] += 1
        assert set(shelf.files()) <= {"index.db", draft_path(shelf.db).name}
    assert outcomes["old"] > 50
    assert killed >= 100, "some calls at the very end depend on how the threads were served"

    shelf.db.write_bytes(original)
    assert shelf.build().changed
    assert content(shelf.db) == new
    assert shelf.files() == ["index.db"]


def build_counting_calls(options: Any, kill_at: int | None, counted: Path) -> None:
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += 1
        if calls == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(count)
    build(options)
    sys.setprofile(None)
    counted.write_text(str(calls))


def in_child(work: Callable[[], object]) -> int:
    """Wait status of a forked process that does `work`."""
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0 if sys.exc_info()[0] is None else 99)
    return os.waitpid(child, 0)[1]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_workers_of_a_killed_build_die_with_it(shelf: Shelf) -> None:
    shelf.entries = {"a": shelf.entries["a"]}
    told = shelf.pdfs / "a.pid"
    options = shelf.options(reader=read_and_tell)
    child = os.fork()
    if child == 0:
        build(options)
        os._exit(0)
    wait_for(lambda: told.exists() and told.read_text() != "")
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    worker = Path("/proc") / told.read_text()
    wait_for(lambda: not worker.exists() or "\nState:\tZ" in (worker / "status").read_text())


@POSIX
def test_an_interrupted_build_leaves_neither_workers_nor_a_draft(shelf: Shelf) -> None:
    shelf.build()
    before = shelf.db.read_bytes()
    shelf.put("a", pages(8))
    shelf.put("b", pages(9))

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(shelf.options(jobs=2), interrupt)
    assert shelf.db.read_bytes() == before
    assert shelf.files() == ["index.db"]
    assert [thread for thread in threading.enumerate() if thread.name.startswith("reader")] == []


def test_readers_see_the_old_index_or_the_new_one_while_it_is_replaced(shelf: Shelf) -> None:
    versions = (pages(20, 21, 22), pages(30, 31))
    shelf.put("a", versions[0])
    shelf.build()
    over = threading.Event()
    seen: set[tuple[int, bool]] = set()
    failures: list[Exception] = []

    def read() -> None:
        while not over.is_set():
            try:
                with PageIndex.open(shelf.db) as index:
                    page = index.page("a", 1)
                    assert page is not None
                    first = page.strict.partition("\n")[0].removesuffix(".").endswith(" 20")
                    seen.add((index.programme["a"].seiten, first))
            except (QuellentreuError, AssertionError) as error:
                failures.append(error)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for number in range(20):
        shelf.put("a", versions[(number + 1) % 2])
        shelf.build()
    over.set()
    for reader in readers:
        reader.join()
    assert failures == []
    assert seen <= {(3, True), (2, False)}


NAMES = [
    ("Wahlprogramm mit Leerzeichen.pdf", "Wahlprogramm mit Leerzeichen.pdf", "spaces"),
    ("-rf.pdf", "-rf.pdf", "looks like an option"),
    ("[a-z]*?.pdf", "[a-z]*?.pdf", "looks like a pattern"),
    ("zeile\numbruch.pdf", "zeile\numbruch.pdf", "a line end in the name"),
    ("prozent%20?#.pdf", "prozent%20?#.pdf", "looks like a URL"),
    ("unter/ordner.pdf", "unter/ordner.pdf", "in a folder below"),
    (unicodedata.normalize("NFD", "Grüne.pdf"), "Grüne.pdf", "the archive was made on a Mac"),
    ("Grüne.pdf", unicodedata.normalize("NFD", "Grüne.pdf"), "the catalogue was"),
    ("gross.PDF", "gross.pdf", "the ending in capitals"),
    ("kein_utf8_\udcfc.pdf", "kein_utf8_\udcfc.pdf", "bytes that are no text"),
    ("kein_utf8_\udcfc.pdf", "kein_utf8_\ufffd.pdf", "as TOML can write it"),
]


@POSIX
@pytest.mark.parametrize(("on_disk", "datei", "why"), NAMES, ids=[case[2] for case in NAMES])
def test_odd_file_names_are_found_and_stored(shelf: Shelf, on_disk: str, datei: str, why: str) -> None:
    path = shelf.pdfs / on_disk
    path.parent.mkdir(exist_ok=True)
    path.write_text(pages(7), encoding="utf-8")
    shelf.entries = {"odd": shelf.entries["a"] | {"id": "odd", "datei": datei}}
    assert states(shelf.build()) == {"odd": "indexed"}, why
    assert not shelf.build().changed


def test_names_that_differ_only_in_their_spelling_are_kept_apart(shelf: Shelf) -> None:
    composed, decomposed = "Beide_ä.pdf", unicodedata.normalize("NFD", "Beide_ä.pdf")
    for seed, name in enumerate((composed, decomposed), start=50):
        (shelf.pdfs / name).write_text(pages(seed), encoding="utf-8")
    shelf.entries = {
        "one": shelf.entries["a"] | {"id": "one", "datei": composed},
        "two": shelf.entries["a"] | {"id": "two", "datei": decomposed},
        "third": shelf.entries["a"] | {"id": "third", "datei": "Beide_ä.PDF"},
    }
    report = shelf.build()
    assert states(report) == {"one": "indexed", "two": "indexed", "third": "failed"}
    assert "rename one of them" in str(report.failed[0].reason)


def make_fifo(path: Path) -> None:
    os.mkfifo(path)


def make_dangling(path: Path) -> None:
    path.symlink_to("nowhere.pdf")


def make_circle(path: Path) -> None:
    other = path.with_name("other")
    path.symlink_to(other)
    other.symlink_to(path)


TRAPS: list[tuple[str, Callable[[Path], None], str]] = [
    ("folder", Path.mkdir, "a folder"),
    ("pipe", make_fifo, "not a regular file"),
    ("dangling", make_dangling, "without a target"),
    ("circle", make_circle, "link"),
]


@POSIX
@pytest.mark.parametrize(("make", "reason"), [case[1:] for case in TRAPS], ids=[case[0] for case in TRAPS])
def test_what_is_no_regular_file_is_reported_and_never_opened(
    shelf: Shelf, make: Callable[[Path], None], reason: str
) -> None:
    path = shelf.put("trap", None)
    make(path)
    report = shelf.build()
    assert states(report)["trap"] == "failed"
    assert reason in str(report.failed[0].reason).lower()


@PERMISSIONS
def test_a_pdf_without_permission_is_reported(shelf: Shelf) -> None:
    path = shelf.put("a", pages(1))
    path.chmod(0)
    assert "permission" in str(shelf.build().failed[0].reason)


def test_copies_get_pages_each_and_a_hint_that_names_the_other(shelf: Shelf) -> None:
    shelf.put("d", pages(6))
    hints = {programm.programm_id: programm.hints for programm in shelf.build().programme}
    assert hints["c"] == ("same content as d",)
    assert hints["d"] == ("same content as c",)
    shelf.put("d", pages(7))
    hints = {programm.programm_id: programm.hints for programm in shelf.build().programme}
    assert hints["c"] == hints["d"] == ()


def test_characters_that_sqlite_cannot_store_do_not_end_the_build(shelf: Shelf) -> None:
    (shelf.pdfs / "a.pdf").write_bytes(b"Vor dem Nullzeichen\x00steht Text und dahinter \xff auch genug davon.")
    assert states(shelf.build())["a"] == "indexed"
    with PageIndex.open(shelf.db) as index:
        page = index.page("a", 1)
        assert page is not None
        assert "nullzeichen steht text" in page.strict


def change(db: Path, sql: str) -> None:
    with closing(sqlite3.connect(db)) as connection:
        connection.executescript(sql)


def test_an_index_that_is_a_link_stays_one_and_keeps_its_permissions(shelf: Shelf, tmp_path: Path) -> None:
    target = tmp_path / "big disk.db"
    shelf.db.symlink_to(target)
    shelf.build()
    target.chmod(0o640)
    shelf.put("a", pages(8))
    assert shelf.build().changed
    assert shelf.db.is_symlink()
    assert target.stat().st_mode & 0o777 == 0o640
    assert shelf.files() == ["index.db"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["big disk.db", "shelf"]
