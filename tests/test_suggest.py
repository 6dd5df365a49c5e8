import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from verifier import Verifier
from verifier.citations import read_citations
from verifier.cli import cli
from verifier.suggest import Suggester
from verifier.verdict import Befund, Fundstelle, Outcome, Verdict, Zitat

HAMBURG = "Laternenpartei Hamburg Wahlprogramm 2024"
SUPPE = "Es beginnt mit einem Umzug und endet mit einer gemeinsamen Suppe."


@pytest.fixture(scope="module")
def verifier(demo_folder: Path) -> Iterator[Verifier]:
    with Verifier.open(demo_folder / "index.db") as verifier:
        yield verifier


REPAIRS: list[tuple[Zitat, dict[str, str] | None, str]] = [
    (Zitat(text=SUPPE, quelle=f"{HAMBURG}, S. 3"), {"quelle": f"{HAMBURG}, S. 7"}, "another page"),
    (
        Zitat(text=SUPPE, quelle=f"{HAMBURG} (Seite 3), Kapitel Feste"),
        {"quelle": f"{HAMBURG} (S. 7), Kapitel Feste"},
        "in place",
    ),
    (Zitat(text=SUPPE, quelle=f"{HAMBURG}, S. 99"), {"quelle": f"{HAMBURG}, S. 7"}, "a page that is none"),
    (Zitat(text=SUPPE, quelle=HAMBURG), {"quelle": f"{HAMBURG}, S. 7"}, "no page"),
    (
        Zitat(text=SUPPE, quelle=f"{HAMBURG}, S. 3", url="/static/ref/laternenpartei-hh-2024.pdf#page=3"),
        {"quelle": f"{HAMBURG}, S. 7", "url": "/static/ref/laternenpartei-hh-2024.pdf#page=7"},
        "the address follows",
    ),
    (
        Zitat(text="Dort lernen Kinder, wie man eine Fassung lötet und Kabel prüft.", quelle=f"{HAMBURG}, S. 6"),
        {"text": "Dort lernen Kinder, wie man eine Fassung lötet und ein Kabel prüft."},
        "what was left out without a mark",
    ),
    (
        Zitat(text="bilden wir Lampenwärterinnen und Lampen- wärter aus", quelle=f"{HAMBURG}, S. 3"),
        {"text": "bilden wir Lampenwärterinnen und Lampenwärter aus"},
        "other typography",
    ),
    (Zitat(text=SUPPE, quelle=f"{HAMBURG}, S. 7"), None, "nothing to repair"),
    (Zitat(text=SUPPE.replace("Suppe", "Torte"), quelle=f"{HAMBURG}, S. 7"), None, "altered is for a person"),
    (
        Zitat(text="Wir schaffen ein Recht auf einen Stadtplan aus Papier.", quelle=f"{HAMBURG}, S. 2"),
        None,
        "another party",
    ),
    (
        Zitat(
            text="Die alten Stollen werden zu Museen, in denen das Licht selbst",
            quelle=f"{HAMBURG}, S. 2",
            bundesland="HH",
        ),
        None,
        "the same party in a Land that may not be cited",
    ),
    (
        Zitat(
            text="An jeder Weggabelung soll wieder ein Wegweiser aus Holz stehen.",
            quelle="Kompasspartei Wahlprogramm 2021, S. 2",
        ),
        {"quelle": "Kompasspartei Wahlprogramm 2017, S. 2"},
        "another programme of the same party",
    ),
]


@pytest.mark.parametrize(("zitat", "changes", "reason"), REPAIRS, ids=[row[-1] for row in REPAIRS])
def test_repairs(verifier: Verifier, zitat: Zitat, changes: dict[str, str] | None, reason: str) -> None:
    befund = verifier.check_zitat(zitat)
    suggestion = Suggester(verifier).suggest(befund)
    assert (suggestion and suggestion.new) == (None if changes is None else replace(zitat, **changes)), (befund, reason)  # type: ignore[arg-type]
    assert suggestion is None or verifier.check_zitat(suggestion.new).outcome is Outcome.PASS


def test_a_quotation_is_not_moved_under_the_fraktion_of_another_party(verifier: Verifier) -> None:
    text = "An jeder Weggabelung soll wieder ein Wegweiser aus Holz stehen."
    zitat = Zitat(text=text, quelle="Kompasspartei Wahlprogramm 2021, S. 2", fraktion="FDP")
    assert Suggester(verifier).suggest(verifier.check_zitat(zitat)) is None


def test_a_befund_that_names_a_wrong_place_is_not_believed(verifier: Verifier) -> None:
    place = Fundstelle(programm_id="laternenpartei-hh-2024", seite=2)
    zitat = Zitat(text=SUPPE, quelle=f"{HAMBURG}, S. 3")
    befund = Befund(zitat=zitat, verdict=Verdict.WRONG_PAGE, programm_id=place.programm_id, seite=3, found=(place,))
    assert Suggester(verifier).suggest(befund) is None


# --- applied to a copy, every repaired citation passes ----------------------------------------------------------------


def suggestions(db: Path, index: Path, output: Path) -> list[dict[str, Any]]:
    code = cli.main(["suggest", str(db), "--index", str(index), "-o", str(output)], standalone_mode=False)
    assert code == 0
    document: dict[str, Any] = json.loads(output.read_text("utf-8"))
    found: list[dict[str, Any]] = document["suggestions"]
    return found


def apply(db: Path, found: list[dict[str, Any]]) -> None:
    """What an app would do: put the new fields where the path leads."""
    with closing(sqlite3.connect(db)) as connection, connection:
        for suggestion in found:
            (stored,) = connection.execute(
                "SELECT wahlprogramm_scores FROM assessments WHERE drucksache = ?", (suggestion["assessment"],)
            ).fetchone()
            scores = node = json.loads(stored)
            for name, number in re.findall(r"\.(\w+)|\[(\d+)\]", suggestion["pfad"]):
                node = node[name] if name else node[int(number)]
            node.update(suggestion["new"])
            connection.execute(
                "UPDATE assessments SET wahlprogramm_scores = ? WHERE drucksache = ?",
                (json.dumps(scores, ensure_ascii=False), suggestion["assessment"]),
            )


def check_applied(db: Path, index: Path, folder: Path) -> int:
    before = db.read_bytes()
    found = suggestions(db, index, folder / "suggestions.json")
    assert db.read_bytes() == before, "the assessment database is only read"
    copy = folder / "copy.db"
    shutil.copy(db, copy)
    copy.chmod(0o644)
    apply(copy, found)
    repaired = {(suggestion["drucksache"], suggestion["pfad"]) for suggestion in found}
    with Verifier.open(index) as verifier:
        befunde = [verifier.check_zitat(item) for item in read_citations(copy) if isinstance(item, Zitat)]
    wrong = [b for b in befunde if (b.zitat.drucksache, b.zitat.pfad) in repaired and b.outcome is not Outcome.PASS]
    assert wrong == []
    return len(found)


def test_applied_to_a_copy_every_repaired_citation_passes(demo_folder: Path, tmp_path: Path) -> None:
    assert check_applied(demo_folder / "assessments.db", demo_folder / "index.db", tmp_path) == 5


@pytest.mark.integration
def test_applied_to_a_copy_of_the_corpus_every_repaired_citation_passes(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    index, db = Path(request.config.getoption("index")), Path(request.config.getoption("assessments") or "")
    if not index.is_file() or not db.absolute().with_name("truth.jsonl").is_file():
        pytest.skip("needs --assessments, the database of the corpus, and --index, an index of it")
    assert check_applied(db, index, tmp_path) > 250
