import json
import os
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from assessments import COLUMNS, QUELLE, SATZ, make_db, scores, zitat
from hypothesis import given
from hypothesis import strategies as st

from indexer.errors import AssessmentsError, UsageError
from verifier import citations
from verifier.citations import Selection, Table, read_assessments, read_citations
from verifier.verdict import Zitat
from verifier.walk import Assessment, Problem, zitate_in


def walk(value: object) -> list[Zitat | Problem]:
    stored = value if isinstance(value, bytes | int | float | None) else str(value).encode()
    return list(zitate_in(Assessment(key=1, drucksache="1/1", bundesland="NRW", scores=stored)))


def as_json(value: object) -> list[Zitat | Problem]:
    return walk(json.dumps(value, ensure_ascii=False))


Z = zitat()

FORMS: list[tuple[object, list[str], list[bool], str]] = [
    (
        [{"wahlprogramm": {"zitate": [Z, Z]}}],
        ["$[0].wahlprogramm.zitate[0]", "$[0].wahlprogramm.zitate[1]"],
        [],
        "as the app writes it",
    ),
    ({"SPD": {"wahlprogramm": {"zitate": [Z]}}}, ["$.SPD.wahlprogramm.zitate[0]"], [], "keyed by party"),
    ([[[{"zitate": [Z]}]]], ["$[0][0][0].zitate[0]"], [], "lists in lists"),
    ([{"zitate": Z}], ["$[0].zitate"], [], "one object where a list was meant"),
    ([{"zitate": {"SPD": [Z]}}], ["$[0].zitate.SPD[0]"], [], "a level in between"),
    ({"a b": {"it's": [Z]}}, ["$['a b']['it\\'s'][0]"], [], "keys that are no words are bracketed"),
    ({"\x1b[2J\n": Z}, ["$['\\u001b[2J\\n']"], [], "no control character in a path"),
    ({"begründung": Z}, ["$.begründung"], [], "umlauts are letters"),
    (Z, ["$"], [], "the citation alone"),
    (dict(Z, mehr={"zitate": [Z]}), ["$", "$.mehr.zitate[0]"], [], "a citation inside a citation"),
    ([], [], [False], "no citation is told, and is no loss"),
    (None, [], [False], "null holds nothing"),
    (3.5, [], [True], "a number where a list was meant"),
    ("ja", [], [True], "a text where a list was meant"),
    (True, [], [True], "a truth value where a list was meant"),
    ([{"zitate": None}], [], [False], "null for no citations"),
    ([{"zitate": SATZ}], [], [True], "a bare text may be a quotation"),
    ([{"zitate": [SATZ, SATZ]}], [], [True, True], "so may each text of a list"),
    ([{"zitate": [None, Z]}], ["$[0].zitate[1]"], [], "null hides nothing"),
    ([{"zitate": [7, Z]}], ["$[0].zitate[1]"], [True], "a number beside a citation"),
    ([{"zitate": [[SATZ, "S. 1"], Z]}], ["$[0].zitate[1]"], [True, True], "a list beside a citation"),
    ([{"zitate": [{"quelle": "S. 1"}, Z]}], ["$[0].zitate[1]"], [True], "text is missing"),
    ([{"zitate": [{"text": SATZ}]}], [], [True], "quelle is missing"),
    ([{"zitate": [{"zitat": SATZ}]}], [], [True], "other names"),
    ([{"zitate": [{}]}], [], [True], "an empty object"),
    ([{"Zitate": [SATZ]}], [], [True], "capitals in the key"),
    ([{"beleg": {"quelle": QUELLE}}], [], [True], "a quelle alone anywhere"),
    ([{"begründung": {"text": "weil"}}], [], [False], "a text alone elsewhere is no citation"),
]


@pytest.mark.parametrize(("form", "paths", "lost", "reason"), FORMS, ids=[row[-1] for row in FORMS])
def test_every_object_with_text_and_quelle_is_a_zitat_and_nothing_else_is_lost_in_silence(
    form: object, paths: list[str], lost: list[bool], reason: str
) -> None:
    items = as_json(form)
    assert [item.pfad for item in items if isinstance(item, Zitat)] == paths, reason
    assert [item.lost for item in items if isinstance(item, Problem)] == lost, reason


BROKEN: list[tuple[object, bool, str]] = [
    (None, False, "NULL"),
    (b"", False, "empty"),
    (b" \n", False, "white space"),
    (42, True, "a number in the column"),
    (4.2, True, "a real number in the column"),
    (scores(Z)[:-15].encode(), True, "cut off"),
    (b"siehe Anhang", True, "no JSON"),
    (scores(Z).replace('"', "'").encode(), True, "Python's repr"),
    (b"[" * 100_000, True, "nested without end"),
    (b'["g\xfcn"]', True, "Latin-1"),
    (b"[" + b"1" * 5000 + b"]", True, "an integer of 5,000 digits"),
]


@pytest.mark.parametrize(("stored", "lost", "reason"), BROKEN, ids=[row[-1] for row in BROKEN])
def test_a_row_that_cannot_be_read_is_one_problem(stored: object, lost: bool, reason: str) -> None:
    (problem,) = walk(stored)
    assert isinstance(problem, Problem), reason
    assert (problem.pfad, problem.lost) == ("$", lost)


READ_ANYWAY: list[tuple[bytes, str]] = [
    (b"\xef\xbb\xbf" + scores(Z).encode(), "a byte order mark"),
    (b'[{"score": NaN, "zitate": [' + json.dumps(Z).encode() + b"]}]", "NaN, as Python writes it"),
    (("[" * 400 + json.dumps(Z) + "]" * 400).encode(), "deep but valid"),
]


@pytest.mark.parametrize(("stored", "reason"), READ_ANYWAY, ids=[row[-1] for row in READ_ANYWAY])
def test_unusual_json_is_read(stored: bytes, reason: str) -> None:
    (found,) = walk(stored)
    assert isinstance(found, Zitat), reason
    assert found.text == SATZ


def test_of_doubled_keys_all_citations_are_seen_and_the_last_has_the_plain_path() -> None:
    first, last = json.dumps(zitat("der erste Satz")), json.dumps(zitat("der zweite Satz"))
    items = walk(f'{{"a": {first}, "b": 1, "a": [], "a": {last}}}')
    seen = [(item.pfad, item.text) for item in items if isinstance(item, Zitat)]
    assert seen == [("$.a~1", "der erste Satz"), ("$.a", "der zweite Satz")]
    assert [(item.pfad, item.lost) for item in items if isinstance(item, Problem)] == [("$.a", False)]


def test_a_text_given_twice_is_a_loss() -> None:
    items = walk('{"text": "eins", "text": "zwei", "quelle": "q"}')
    assert [item.text for item in items if isinstance(item, Zitat)] == ["zwei"]
    assert [item.lost for item in items if isinstance(item, Problem)] == [True]


NO_TEXTS: list[tuple[dict[str, object], str, str, str]] = [
    (zitat(None), "", QUELLE, "text is null, not a text"),
    (zitat(2030), "", QUELLE, "text is a number, not a text"),
    (zitat([SATZ]), "", QUELLE, "text is a list, not a text"),
    (zitat(SATZ, {"seite": 1}), SATZ, "", "quelle is an object, not a text"),
    (zitat(SATZ, True), SATZ, "", "quelle is true, not a text"),
    (zitat(url=5), SATZ, QUELLE, "url is a number, not a text"),
]


@pytest.mark.parametrize(("value", "text", "quelle", "note"), NO_TEXTS, ids=[row[-1] for row in NO_TEXTS])
def test_what_is_no_text_becomes_empty_with_a_note(value: object, text: str, quelle: str, note: str) -> None:
    (item,) = as_json(value)
    assert isinstance(item, Zitat)
    assert (item.text, item.quelle, item.url, item.notes) == (text, quelle, "", (note,))


def test_the_fraktion_is_that_of_the_nearest_enclosing_object() -> None:
    form = [{"fraktion": "SPD", "a": [Z, {"fraktion": "CDU", "z": Z}, {"fraktion": 7, "z": Z}]}, {"z": Z}]
    items = as_json(form)
    assert [item.fraktion for item in items if isinstance(item, Zitat)] == ["SPD", "CDU", "SPD", None]


def test_a_lone_surrogate_is_kept() -> None:
    (item,) = walk('{"text": "halb \\ud83c", "quelle": "q"}')
    assert isinstance(item, Zitat)
    assert item.text == "halb \ud83c"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["text", "quelle", "zitate", "x y", "~", "a"]), inner)
    ),
)


def count(value: object) -> int:
    if isinstance(value, dict):
        return ("text" in value and "quelle" in value) + sum(map(count, value.values()))
    return sum(map(count, value)) if isinstance(value, list) else 0


@given(VALUES)
def test_each_citation_of_any_json_is_seen_once_under_its_own_path(value: object) -> None:
    items = as_json(value)
    zitate = [item for item in items if isinstance(item, Zitat)]
    assert len(zitate) == count(value)
    assert len({item.pfad for item in zitate}) == len(zitate)
    assert items, "a row without any citation is told"


@given(st.binary() | st.text().map(str.encode) | st.none() | st.integers() | st.floats())
def test_no_content_of_a_row_raises(stored: bytes | int | float | None) -> None:
    assert walk(stored)


# --- the database -----------------------------------------------------------------------------------------------------


@pytest.fixture
def db(tmp_path: Path) -> Path:
    rows = [
        ("1/1", "NRW", scores(Z), "2026-01-01T10:00:00"),
        ("1/2", "NRW", scores(Z), "2026-03-01T10:00:00"),
        ("1/3", "MV", scores(Z), "2026-02-01 10:00:00"),
        ("1/4", "NRW", scores(Z), "2026-02-15T10:00:00Z"),
    ]
    return make_db(tmp_path / "a.db", rows)


def drucksachen(path: Path, **selection: object) -> list[str]:
    return [row.drucksache for row in read_assessments(path, None, Selection(**selection))]  # type: ignore[arg-type]


SELECTIONS: list[tuple[dict[str, object], list[str], str]] = [
    ({}, ["1/1", "1/2", "1/3", "1/4"], "everything, in table order"),
    ({"latest": 1}, ["1/2", "1/3"], "the newest of each Land"),
    ({"latest": 2}, ["1/2", "1/3", "1/4"], "the newest two of each Land"),
    ({"since": "2026-02-01"}, ["1/2", "1/3", "1/4"], "that day included"),
    ({"since": "2026-02-15T10:00:01"}, ["1/2"], "to the second"),
    ({"drucksache": ("1/1", "1/3")}, ["1/1", "1/3"], "several motions"),
    ({"bundesland": ("MV",)}, ["1/3"], "one Land"),
    ({"bundesland": ("Mecklenburg-Vorpommern",)}, ["1/3"], "in another spelling"),
    ({"bundesland": ("NRW",), "latest": 1}, ["1/2"], "filters join"),
    ({"drucksache": ("9/9",)}, [], "none"),
]


@pytest.mark.parametrize(("selection", "expected", "reason"), SELECTIONS, ids=[row[-1] for row in SELECTIONS])
def test_selections(db: Path, selection: dict[str, object], expected: list[str], reason: str) -> None:
    assert drucksachen(db, **selection) == expected, reason


def test_rows_without_a_readable_date_are_taken_by_since_and_count_as_oldest(tmp_path: Path) -> None:
    rows = [
        ("1", "NRW", "[]", "gestern"),
        ("2", "NRW", "[]", None),
        ("3", "NRW", "[]", 1767225600),
        ("4", "NRW", "[]", "1999-01-01"),
    ]
    path = make_db(tmp_path / "a.db", rows)
    assert drucksachen(path, since="2026-01-01") == ["1", "2", "3"]
    assert drucksachen(path, latest=2) == ["3", "4"]


def test_since_must_be_a_date(db: Path) -> None:
    with pytest.raises(UsageError, match="2026-01-31"):
        read_assessments(db, None, Selection(since="neulich"))


def test_other_names_of_table_and_columns(tmp_path: Path) -> None:
    path = make_db(
        tmp_path / "a.db", [("7/1", "MV", scores(Z))], columns='"nr \'x\'", "land""", JSON', table='select "x"'
    )
    table = Table(table='SELECT "X"', column_drucksache="nr 'x'", column_bundesland='land"', column_scores="json")
    (item,) = read_citations(path, table)
    assert isinstance(item, Zitat)
    assert (item.drucksache, item.bundesland, item.assessment) == ("7/1", "MV", 1)


KEYS: list[tuple[str, object, str]] = [
    (COLUMNS, "1/1", "a primary key"),
    ("drucksache, bundesland, wahlprogramm_scores", 1, "the rowid"),
    ("drucksache, bundesland, wahlprogramm_scores, rowid, oid", 1, "the rowid under the name that is left"),
    ("drucksache, bundesland, wahlprogramm_scores, id INTEGER PRIMARY KEY", 1, "an integer key"),
    (
        "drucksache, bundesland, wahlprogramm_scores, PRIMARY KEY (drucksache, bundesland)",
        "'1/1', 'NRW'",
        "a joined key",
    ),
]


@pytest.mark.parametrize(("columns", "key", "reason"), KEYS, ids=[row[-1] for row in KEYS])
def test_a_row_is_named_by_its_primary_key_or_rowid(tmp_path: Path, columns: str, key: object, reason: str) -> None:
    path = make_db(tmp_path / "a.db", [("1/1", "NRW", scores(Z))], columns=columns)
    (row,) = read_assessments(path)
    assert row.key == key, reason


def test_a_view_is_read_like_a_table(tmp_path: Path) -> None:
    path = make_db(tmp_path / "a.db", [("1/1", "NRW", scores(Z))], table="t")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE VIEW assessments AS SELECT * FROM t")
    (row,) = read_assessments(path)
    assert (row.key, row.drucksache) == (None, "1/1")


def test_one_undecodable_text_does_not_hide_the_rows_behind_it(tmp_path: Path) -> None:
    path = make_db(tmp_path / "a.db", [("1", "NRW", scores(Z)), ("3", "NRW", scores(Z))])
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(
            "INSERT INTO assessments VALUES (CAST(x'FC' AS TEXT), CAST(x'FC' AS TEXT), CAST(x'5BFC5D' AS TEXT), '')"
        )
    items = list(read_citations(path))
    assert [type(item).__name__ for item in items] == ["Zitat", "Zitat", "Problem"]
    assert [item.drucksache for item in items] == ["1", "3", "\\xfc"]


def broken(tmp_path: Path, name: str) -> Path:
    path = tmp_path / f"{name}.db"
    good = make_db(tmp_path / "good.db", [(f"1/{i}", "NRW", scores(Z)) for i in range(50)]).read_bytes()
    match name:
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "empty":
            path.touch()
        case "text":
            path.write_bytes(b"Dies ist keine Datenbank.\n" * 50)
        case "truncated":
            path.write_bytes(good[: len(good) // 2 + 100])
        case "garbage":
            path.write_bytes(good[:100] + bytes((x * 5 + 3) & 0xFF for x in range(len(good) - 100)))
        case "no table":
            make_db(path, [], table="etwas_anderes")
        case "no column":
            make_db(path, [], columns="drucksache, bundesland, andere_spalte")
    return path


UNUSABLE: list[tuple[str, str]] = [
    ("missing", "no such file"),
    ("folder", "not a file"),
    ("pipe", "not a file"),
    ("empty", "empty file"),
    ("text", "not a SQLite database"),
    ("truncated", "malformed"),
    ("garbage", "SQLite cannot read it"),
    ("no table", "etwas_anderes"),
    ("no column", "andere_spalte"),
]


@pytest.mark.parametrize(("name", "message"), UNUSABLE, ids=[row[0] for row in UNUSABLE])
def test_an_unusable_database_is_explained(tmp_path: Path, name: str, message: str) -> None:
    path = broken(tmp_path, name)
    with pytest.raises(AssessmentsError, match=message) as raised:
        read_assessments(path)
    assert path.name in str(raised.value)
    assert name != "missing" or not path.exists(), "reading never creates a file"


def test_a_nul_in_the_path_is_explained(tmp_path: Path) -> None:
    with pytest.raises(AssessmentsError):
        read_assessments(tmp_path / "a\0b")


@pytest.mark.parametrize("name", ["a b?mode=rwc&x=#.db", "100%25.db", "grün 'x'.db", "file:x.db"])
def test_odd_file_names_are_paths_and_nothing_else(tmp_path: Path, name: str) -> None:
    path = make_db(tmp_path / "a.db", [("1/1", "NRW", scores(Z))]).rename(tmp_path / name)
    assert len(read_assessments(path)) == 1
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


def test_created_at_is_only_needed_where_it_is_asked_for(tmp_path: Path) -> None:
    path = make_db(
        tmp_path / "a.db", [("1/1", "NRW", scores(Z))], columns="drucksache, bundesland, wahlprogramm_scores"
    )
    assert len(read_assessments(path)) == 1
    with pytest.raises(AssessmentsError, match="--column-created-at"):
        read_assessments(path, None, Selection(latest=5))


def test_a_locked_database_is_waited_for_and_then_named(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(citations, "LOCK_SECONDS", 0.05)
    with closing(sqlite3.connect(db, isolation_level=None)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        with pytest.raises(AssessmentsError, match="locked by another program"):
            read_assessments(db)
    assert len(read_assessments(db)) == 4


def as_wal(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = WAL").fetchone()
    return path


def test_a_wal_database_at_rest_leaves_no_files_behind(db: Path) -> None:
    as_wal(db)
    before = db.read_bytes()
    assert len(read_assessments(db)) == 4
    assert [entry.name for entry in db.parent.iterdir()] == [db.name]
    assert db.read_bytes() == before


def test_what_the_app_has_just_committed_is_read_while_it_goes_on_writing(db: Path) -> None:
    as_wal(db)
    with closing(sqlite3.connect(db, isolation_level=None)) as writer:
        writer.execute("INSERT INTO assessments VALUES ('1/5', 'NRW', '[]', '')")
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("INSERT INTO assessments VALUES ('1/6', 'NRW', '[]', '')")
        assert drucksachen(db) == ["1/1", "1/2", "1/3", "1/4", "1/5"]
        writer.execute("COMMIT")
        assert len(read_assessments(db)) == 6


def test_nothing_is_held_open_after_the_read(db: Path) -> None:
    items = read_citations(db)
    next(items)
    with closing(sqlite3.connect(db, isolation_level=None, timeout=0)) as writer:
        writer.execute("PRAGMA locking_mode = EXCLUSIVE")
        writer.execute("DELETE FROM assessments")
    assert len(list(items)) == 3


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_wal_database_in_a_read_only_folder_is_read(db: Path) -> None:
    as_wal(db)
    db.parent.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert len(read_assessments(db)) == 4
    finally:
        db.parent.chmod(stat.S_IRWXU)


def test_the_database_is_never_changed(db: Path) -> None:
    copy = db.with_name("copy")
    shutil.copy(db, copy)
    before = db.stat().st_mtime_ns
    list(read_citations(db, None, Selection(latest=1)))
    assert (db.stat().st_mtime_ns, db.read_bytes()) == (before, copy.read_bytes())
