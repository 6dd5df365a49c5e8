"""Baseline and history: what a run knows of earlier ones."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from assessments import SaysVerdict
from test_reports import LOST, READERS, rendered, result_of, zitat

from indexer.errors import UsageError
from verifier import baseline, history
from verifier.run import Result, RunOptions, exit_code
from verifier.verdict import Verdict, Zitat
from verifier.walk import Problem

FAILING = RunOptions().failing


def known_of(result: Result, tmp_path: Path) -> dict[baseline.Key, Verdict | None]:
    (tmp_path / "known.json").write_text(baseline.written(result), "utf-8")
    return baseline.read(tmp_path / "known.json")


def test_a_baseline_accepts_what_is_found_today(tmp_path: Path) -> None:
    result = result_of(*(zitat(f"{verdict}: Satz") for verdict in Verdict), problems=(LOST,))
    known = known_of(result, tmp_path)
    compared = baseline.compared(result, known, None)
    assert exit_code(result, FAILING) == 1
    assert exit_code(compared, FAILING) == 0
    assert exit_code(compared, frozenset(Verdict) - {Verdict.EXACT}) == 1, "a pass is never known"
    assert compared.baseline is not None
    assert len(compared.baseline.befunde) == len(known) - 1 == 14
    assert compared.baseline.vanished == ()


CHANGES: list[tuple[Callable[[Zitat], Zitat], str]] = [
    (lambda z: replace(z, text=z.text + "."), "another text"),
    (lambda z: replace(z, quelle=z.quelle + "9"), "another quelle"),
    (lambda z: replace(z, drucksache="18/2"), "another motion"),
    (lambda z: replace(z, pfad="$[1].zitate[0]"), "another path"),
]


@pytest.mark.parametrize(("change", "reason"), CHANGES, ids=[row[-1] for row in CHANGES])
def test_a_finding_that_changed_is_new_and_the_old_one_has_vanished(
    tmp_path: Path, change: Callable[[Zitat], Zitat], reason: str
) -> None:
    known = known_of(result_of(zitat("altered: Satz")), tmp_path)
    compared = baseline.compared(result_of(change(zitat("altered: Satz"))), known, None)
    assert exit_code(compared, FAILING) == 1, reason
    assert compared.baseline is not None
    assert compared.baseline.vanished == ("18/1 $[0].zitate[0]: altered",)


def test_a_warning_or_an_unchecked_one_that_fails_now_is_new(tmp_path: Path) -> None:
    known = known_of(result_of(zitat("altered: Satz")), tmp_path)
    result = result_of(zitat("altered: Satz"))
    for before, accepted in ((Verdict.ANCHOR, 0), (Verdict.NO_TEXT, 0), (Verdict.NOT_FOUND, 1)):
        compared = baseline.compared(result, dict.fromkeys(known, before), None)
        assert compared.baseline is not None
        assert len(compared.baseline.befunde) == accepted


def test_what_was_not_looked_at_has_not_vanished(tmp_path: Path) -> None:
    known = known_of(result_of(zitat("altered: Satz"), zitat("altered: Satz", drucksache="18/2")), tmp_path)
    compared = baseline.compared(result_of(), known, {"18/2"})
    assert compared.baseline is not None
    assert compared.baseline.vanished == ("18/2 $[0].zitate[0]: altered",)


def test_an_unreadable_place_is_known_by_its_reason(tmp_path: Path) -> None:
    known = known_of(result_of(zitat("exact"), problems=(LOST,)), tmp_path)
    other = Problem(assessment=1, drucksache=LOST.drucksache, pfad=LOST.pfad, reason="another reason")
    assert exit_code(baseline.compared(result_of(zitat("exact"), problems=(LOST,)), known, None), FAILING) == 0
    assert exit_code(baseline.compared(result_of(zitat("exact"), problems=(other,)), known, None), FAILING) == 1


def test_reports_show_what_is_known(tmp_path: Path) -> None:
    result = result_of(zitat("altered: alt"), zitat("altered: neu", drucksache="18/2"))
    compared = baseline.compared(result, known_of(result_of(zitat("altered: alt"), zitat("anchor")), tmp_path), None)
    terminal = rendered("terminal", compared)
    assert "neu" in terminal
    assert "“altered: alt”" not in terminal
    assert "Baseline: 1 known finding accepted, 1 vanished." in terminal
    records = [json.loads(line) for line in rendered("jsonl", compared).splitlines()]
    assert [baseline.NOTE in record["notes"] for record in records] == [True, False]
    assert json.loads(rendered("json", compared))["baseline"]["known"] == {"befunde": 1, "problems": 0}
    assert READERS["junit"](rendered("junit", compared)) == {"tests": 2, "fail": 1, "unchecked": 1}
    assert rendered("github", compared).count("::error") == 1


NO_BASELINES = [
    "",
    "[]",
    "{}",
    '{"format": 2, "known": []}',
    '{"format": 1}',
    '{"format": 1, "known": [{}]}',
    '{"format": 1, "known": [{"drucksache": 1, "pfad": "", "text_sha256": "", "quelle_sha256": "", "verdict": null}]}',
    '{"format": 1, "known": [{"drucksache": "", "pfad": "", "text_sha256": "", "quelle_sha256": "", "verdict": 0}]}',
    "[" * 100_000,
]


@pytest.mark.parametrize("content", NO_BASELINES, ids=range(len(NO_BASELINES)))
def test_what_is_no_baseline_accepts_nothing(tmp_path: Path, content: str) -> None:
    (tmp_path / "known.json").write_text(content, "utf-8")
    with pytest.raises(UsageError, match="verify baseline"):
        baseline.read(tmp_path / "known.json")
    with pytest.raises(UsageError):
        baseline.read(tmp_path / "missing.json")


# --- history ----------------------------------------------------------------------------------------------------------

NOW = datetime(2026, 1, 31, 12, tzinfo=UTC)


def test_runs_are_kept_and_compared(tmp_path: Path) -> None:
    runs = tmp_path / "runs.db"
    first = ["exact", "altered", "anchor", "too_short", "not_found"]
    second = ["altered", "exact", "no_page", "wrong_page", "not_found"]

    def saved(verdicts: list[str], *extra: Zitat) -> Result:
        befunde = [
            replace(SaysVerdict().check_zitat(zitat("Satz", drucksache=f"18/{i}")), verdict=Verdict(verdict))
            for i, verdict in enumerate(verdicts)
        ]
        more = result_of(*extra).befunde
        return replace(result_of(), befunde=(*befunde, *more))

    assert history.save(runs, saved(first, zitat("altered: gone", drucksache="18/7")), "a.db", NOW) == 1
    assert history.save(runs, saved(second, zitat("altered: new", drucksache="18/8")), "a.db", NOW) == 2
    steps = [(step.kind, step.drucksache, step.before, step.after) for step in history.steps(runs, 1, 2)]
    assert steps == [
        ("worse", "18/0", "exact", "altered"),
        ("worse", "18/3", "too_short", "wrong_page"),
        ("new", "18/8", None, "altered"),
        ("changed", "18/2", "anchor", "no_page"),
        ("better", "18/1", "altered", "exact"),
        ("gone", "18/7", "altered", None),
    ]
    assert [(lauf.lauf, lauf.zeit, lauf.datei) for lauf in history.laeufe(runs)] == [
        (1, "2026-01-31T12:00:00+00:00", "a.db"),
        (2, "2026-01-31T12:00:00+00:00", "a.db"),
    ]


def test_equal_citations_of_one_motion_are_told_apart(tmp_path: Path) -> None:
    runs = tmp_path / "runs.db"
    for count in (2, 3):
        history.save(runs, result_of(*[zitat("altered: Satz")] * count), "a.db", NOW)
    assert [step.kind for step in history.steps(runs, 1, 2)] == ["new"]


def test_the_view_shows_the_findings_of_the_last_run(tmp_path: Path) -> None:
    runs = tmp_path / "runs.db"
    history.save(runs, result_of(zitat("altered: alt")), "a.db", NOW)
    history.save(runs, result_of(zitat("exact"), zitat("altered: halb \ud83c")), "a.db", NOW)
    with closing(sqlite3.connect(runs)) as db:
        assert db.execute("SELECT verdict, text FROM befunde_lesbar").fetchall() == [
            ("altered", "altered: halb \\ud83c")
        ]


def test_nothing_is_written_into_a_database_of_another_program(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as db, db:
        db.execute("CREATE TABLE t (a)")
    before = other.read_bytes()
    for use in (history.check_file, history.laeufe, lambda path: history.save(path, result_of(), "a.db", NOW)):
        with pytest.raises(UsageError, match="no runs"):
            use(other)
    assert other.read_bytes() == before


@pytest.mark.parametrize("name", ["folder", "missing/runs.db", "text"])
def test_an_unusable_file_is_found_before_the_run(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("no database " * 99)
    with pytest.raises(UsageError, match=name.split("/", maxsplit=1)[0]):
        history.check_file(tmp_path / name)


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    runs = tmp_path / "runs.db"
    history.save(runs, result_of(), "a.db", NOW)
    with closing(sqlite3.connect(runs)) as db, db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(UsageError, match="version 99"):
        history.laeufe(runs)
