import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shelf import PERMISSIONS, Shelf

from indexer.check import check_index
from indexer.errors import IndexUnusableError
from indexer.lookup import PageIndex
from indexer.rows import trigram_texts
from indexer.schema import APPLICATION_ID
from indexer.seite import Cut
from indexer.trigrams import HEAD

LONG = "Wir wollen bis zum Jahr 2035 in jeder Gemeinde eine Anlaufstelle schaffen, die allen Menschen offensteht"
PAGES = (
    f"[7] Erste Seite ganz allein.\f[8] {LONG} und auch am Wochen-\f[9] ende geöffnet bleibt.\f\f[10/11] Zwei Blätter."
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    shelf = Shelf(tmp_path_factory.mktemp("lookup") / "shelf")
    shelf.put("a", PAGES)
    shelf.put("b", f"{LONG}.", aliases=["Kurz"], ort="Hamm")
    shelf.put("c", None)
    shelf.build()
    return shelf


@pytest.fixture
def index(built: Shelf) -> Iterator[PageIndex]:
    with PageIndex.open(built.db) as opened:
        yield opened


def test_programmes_come_with_what_the_build_made_of_them(index: PageIndex) -> None:
    assert list(index.programme) == ["a", "b", "c"]
    programm = index.programme["b"]
    assert (programm.seiten, programm.status, programm.aliases, programm.ort) == (1, "indexed", ("Kurz",), "Hamm")
    assert (index.programme["c"].status, index.programme["c"].seiten) == ("missing", 0)


def test_a_page_is_looked_up_by_its_key(index: PageIndex) -> None:
    page = index.page("a", 1)
    assert page is not None
    assert (page.seite, page.seitenlabel, page.no_text, page.ocr) == (1, "7", None, False)
    assert page.strict.startswith("erste seite")
    assert page.compact[: page.flow_end] == "ersteseiteganzallein."
    blank = index.page("a", 4)
    assert blank is not None
    assert blank.no_text == "blank page"


@pytest.mark.parametrize(
    ("programm_id", "seite"),
    [("a", 6), ("a", 0), ("a", -1), ("a", 10**20), ("nobody", 1), ("' OR 1 --", 1), ("\ud83c", 1)],
)
def test_what_is_not_there_is_none(index: PageIndex, programm_id: str, seite: int) -> None:
    assert index.page(programm_id, seite) is None
    assert index.raw(programm_id, seite) is None


def test_the_raw_text_comes_with_its_cuts(index: PageIndex) -> None:
    raw = index.raw("a", 1)
    assert raw == ("[7] Erste Seite ganz allein.", (Cut(start=0, end=3, kind="page_number"),))


@pytest.mark.parametrize(
    ("label", "seiten", "why"),
    [
        ("8", [2], "the number that the page prints"),
        ("10", [5], "one of two printed pages"),
        ("11", [5], "the other one"),
        ("10/11", [5], "both, as people cite them"),
        ("1", [], "a PDF position is no printed number"),
        ("", [], "nothing"),
    ],
)
def test_printed_numbers_lead_to_pages(index: PageIndex, label: str, seiten: list[int], why: str) -> None:
    assert index.seiten_with_label("a", label) == seiten, why
    assert index.seiten_with_label("nobody", label) == []


def places(index: PageIndex, compact: str) -> list[tuple[str, int]]:
    return [(page.programm_id, page.seite) for page in index.candidates(compact)]


@pytest.mark.parametrize(
    ("compact", "expected", "why"),
    [
        ("ersteseiteganzallein", [("a", 1)], "one place"),
        ("wirwollenbiszumjahr2035injedergemeinde", [("a", 2), ("b", 1)], "all places"),
        ("amwochenendegeöffnetbleibt", [("a", 2)], "over the page break"),
        ("geöffnetbleibt.zweiblätter", [("a", 3)], "over a page without text"),
        ("erste", [("a", 1)], "a short one"),
        ("einesatzdernirgendssteht", [], "nowhere"),
        ('"xyz" OR "erste"', [], "no operator of FTS5"),
        ("a\0b\0c", [], "NUL ends no query"),
        ("erste\ud83cseite", [], "half an emoji"),
    ],
)
def test_candidates_hold_the_places(index: PageIndex, compact: str, expected: list[tuple[str, int]], why: str) -> None:
    found = places(index, compact)
    assert set(expected) <= set(found), why
    assert bool(expected) == bool(found)


@pytest.mark.parametrize(
    ("compact", "programm_ids", "expected", "why"),
    [
        ("wirwollenbiszumjahr2035", ["a", "b"], [("a", 2), ("b", 1)], "both programmes, in their order"),
        ("wirwollenbiszumjahr2035", ["b"], [("b", 1)], "stands in another programme as well"),
        ("wirwollenbiszumjahr2035", ["z"], [], "no such programme"),
        ("amwochenendegeöffnetbleibt", ["a"], [], "runs over a page break, so that no page holds it"),
        ("einesatzdernirgendssteht", ["a", "b"], [], "nowhere"),
        ("erste\ud83cseite", ["a"], [], "half an emoji"),
    ],
)
def test_pages_with_a_text_among_some_programmes(
    index: PageIndex, compact: str, programm_ids: list[str], expected: list[tuple[str, int]], why: str
) -> None:
    assert index.pages_with(compact, programm_ids) == expected, why


def test_counts_that_were_thrown_away_are_asked_for_again(index: PageIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.trigrams._COUNTS_KEPT", 1)
    for _ in range(3):
        assert ("a", 1) in index.candidate_places("ersteseiteganzallein")
        assert index.candidate_places("einesatzdernirgendssteht") == []


def test_two_characters_cannot_be_looked_for(index: PageIndex) -> None:
    with pytest.raises(ValueError, match="at least 3"):
        places(index, "ab")


FLOW = st.text(alphabet="abc12", min_size=2, max_size=150)
GLUE = st.sampled_from(["", " ", "-"])


@given(st.tuples(FLOW, FLOW, FLOW), st.tuples(GLUE, GLUE), st.data())
def test_every_beginning_of_a_quotation_is_in_the_entry_of_its_page(
    flows: tuple[str, str, str], glues: tuple[str, str], data: st.DataObject
) -> None:
    """Over a page break the text goes on as it is; between digits a space or a hyphen may remain."""
    joined = flows[0]
    for glue, flow in zip(glues, flows[1:], strict=True):
        joined += (glue if joined[-1].isdigit() or flow[0].isdigit() else "") + flow
    entry, *_ = trigram_texts([(f"{flow}\nhead", len(flow)) for flow in flows])
    start = data.draw(st.integers(0, len(flows[0]) - 1))
    quotation = joined[start : start + HEAD]
    assert trigrams(quotation) <= trigrams(entry)


def trigrams(text: str) -> set[str]:
    return {text[i : i + 3] for i in range(len(text) - 2)}


def sql(statement: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(statement)

    return change


def other_database(path: Path) -> None:
    path.unlink()
    sql("CREATE TABLE assessments (drucksache TEXT)")(path)


def folder_instead(path: Path) -> None:
    path.unlink()
    path.mkdir()


REFUSED: list[tuple[str, Callable[[Path], object], str]] = [
    ("missing", Path.unlink, "there is no index at"),
    ("empty", lambda path: path.write_bytes(b""), "is empty"),
    ("text", lambda path: path.write_text("no database"), "is not an index"),
    ("other database", other_database, "is not an index"),
    ("folder", folder_instead, "is a folder"),
    ("truncated", lambda path: path.write_bytes(path.read_bytes()[:5000]), "cannot be read"),
    ("header only", lambda path: path.write_bytes(path.read_bytes()[:100]), "cannot be read"),
    ("other schema", sql("UPDATE meta SET value = '999' WHERE key = 'schema_version'"), "schema version 999"),
    ("other normaliser", sql("UPDATE meta SET value = 'x' WHERE key = 'normalizer_version'"), "normalizer version x"),
    ("no versions", sql("DELETE FROM meta"), "schema version None"),
    ("no meta", sql("DROP TABLE meta"), "cannot be read"),
    ("no programmes", sql("DROP TABLE programme"), "cannot be read"),
]


@pytest.mark.parametrize(("spoil", "message"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_what_is_no_index_of_ours_is_refused_with_a_message(
    built: Shelf, tmp_path: Path, spoil: Callable[[Path], object], message: str
) -> None:
    path = tmp_path / "index.db"
    path.write_bytes(built.db.read_bytes())
    spoil(path)
    with pytest.raises(IndexUnusableError, match=message):
        PageIndex.open(path)


def test_a_missing_index_is_not_created(tmp_path: Path) -> None:
    with pytest.raises(IndexUnusableError, match="index build"):
        PageIndex.open(tmp_path / "typo.db")
    assert list(tmp_path.iterdir()) == []


def test_an_old_sqlite_is_named(built: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 33, 0))
    with pytest.raises(IndexUnusableError, match=r"SQLite 3\.34"):
        PageIndex.open(built.db)


DAMAGED = [
    ("DELETE FROM seiten_trigram_data", "the whole search table is gone"),
    ("DELETE FROM seiten_trigram_data WHERE id > 10", "its words are gone"),
    ("INSERT INTO seiten_trigram (seiten_trigram) VALUES ('delete-all')", "emptied as FTS5 itself does"),
    ("DROP TABLE seiten_trigram", "dropped"),
    ("DROP TABLE trigram_df", "the counts are gone"),
    ("DELETE FROM trigram_df", "the counts are empty"),
    ("DROP TABLE seiten", "no pages"),
]


@pytest.mark.parametrize(("statement", "why"), DAMAGED, ids=[case[1] for case in DAMAGED])
def test_a_damaged_index_is_an_error_and_never_nothing_found(
    built: Shelf, tmp_path: Path, statement: str, why: str
) -> None:
    path = tmp_path / "index.db"
    path.write_bytes(built.db.read_bytes())
    sql(statement)(path)
    with pytest.raises(IndexUnusableError), PageIndex.open(path) as index:
        places(index, "ersteseiteganzallein")


@pytest.mark.parametrize("name", ["mit leer.db", "a?b#c%20.db", "grün.db", "-x.db", "kein_utf8_\udcfc.db"])
def test_any_file_name_can_be_opened(built: Shelf, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(built.db.read_bytes())
    with PageIndex.open(path) as index:
        assert index.page("a", 1) is not None
    assert [found.name for found in tmp_path.iterdir()] == [name]


def test_the_file_cannot_be_written_through_an_index(index: PageIndex) -> None:
    with pytest.raises(IndexUnusableError, match="readonly"):
        index.query("DELETE FROM seiten")


@PERMISSIONS
def test_an_index_in_write_ahead_mode_is_read_in_a_read_only_folder(built: Shelf, tmp_path: Path) -> None:
    folder = tmp_path / "read-only"
    folder.mkdir()
    path = folder / "index.db"
    path.write_bytes(built.db.read_bytes())
    sql("PRAGMA journal_mode = WAL")(path)
    folder.chmod(0o500)
    try:
        with PageIndex.open(path) as index:
            assert index.page("a", 1) is not None
    finally:
        folder.chmod(0o700)


@pytest.mark.skipif(sqlite3.threadsafety < 3, reason="this SQLite must not be shared by threads")
def test_one_index_serves_several_threads(index: PageIndex) -> None:
    failures = []

    def work() -> None:
        for _ in range(300):
            page = index.page("a", 1)
            if page is None or page.seite != 1 or ("a", 1) not in places(index, "ersteseiteganzallein"):
                failures.append(page)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_the_read_side_loads_nothing_of_the_build_side() -> None:
    heavy = "{'pymupdf', 'fitz', 'sqlite_utils', 'click', 'tomllib', 'indexer.build', 'indexer.catalogue'}"
    code = f"import sys; from indexer import PageIndex; print(*{heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_the_file_says_what_it_is(built: Shelf) -> None:
    with closing(sqlite3.connect(built.db)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        (name, seite, label, text), *_ = connection.execute(
            "SELECT name, seite, seitenlabel, text FROM seiten_lesbar WHERE programm_id = 'a' AND seitenlabel = '8'"
        )
        assert (name, seite, label) == ("Programm a", 2, "8")
        assert LONG in text
        assert connection.execute("SELECT ohne_text FROM programme_lesbar WHERE programm_id = 'a'").fetchone() == (1,)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("UPDATE seiten SET compact = 'x' || compact WHERE zeile = 1", "compact not as derived"),
        ("UPDATE seiten SET strict = 'anders' WHERE zeile = 1", "does not agree"),
        ("UPDATE trigram_df SET pages = pages + 1 WHERE trigram = 'ers'", "counts are not those"),
        ("DELETE FROM seiten WHERE programm_id = 'a' AND seite = 5", "should have 5 pages, has 4"),
        ("UPDATE seiten SET programm_id = 'z' WHERE programm_id = 'b'", "is no programme of this index"),
        ("INSERT INTO seiten_trigram (seiten_trigram) VALUES ('delete-all')", "search table"),
    ],
)
def test_a_check_finds_what_was_done_to_an_index(built: Shelf, tmp_path: Path, statement: str, expected: str) -> None:
    path = tmp_path / "index.db"
    path.write_bytes(built.db.read_bytes())
    assert list(check_index(path, every_page=True)) == []
    sql(statement)(path)
    try:
        problems = "\n".join(check_index(path, every_page=True))
    except IndexUnusableError as error:
        problems = str(error)
    assert expected in problems
