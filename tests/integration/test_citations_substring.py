"""The test that stood at the beginning: do the newest citations of the app stand where they say?

    pytest tests/integration --assessments=app.db --index=data/index.db

Takes the newest five assessments per Bundesland, more where those hold fewer than fifty citations. Each citation is
one test: none may fail. Where a `truth.jsonl` lies beside the database (as in the corpus), it says what is expected.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from assessments import make_db, scores, zitat

from indexer import build_index
from verifier import Verifier
from verifier.citations import Selection, read_assessments, read_citations
from verifier.cli import cli
from verifier.demo_pdf import pdf
from verifier.report import ReportOptions
from verifier.report_terminal import finding
from verifier.verdict import Befund, Outcome, Verdict, Zitat
from verifier.walk import Problem

PER_LAND = 5
AT_LEAST = 50
Truth = Mapping[tuple[str, str], frozenset[str]]


def newest(path: Path, per_land: int = PER_LAND, at_least: int = AT_LEAST) -> list[Zitat | Problem]:
    """The citations of the newest assessments per Bundesland: at least so many, where the database holds them."""
    total = len(read_assessments(path))
    while True:
        items = list(read_citations(path, None, Selection(latest=per_land)))
        if len(items) >= at_least or per_land >= total:
            return items
        per_land *= 2


def truth_beside(path: Path) -> Truth:
    """What `truth.jsonl` in the same folder expects, by drucksache and path; nothing where there is none."""
    file = path.with_name("truth.jsonl")
    if not file.is_file():
        return {}
    rows = map(json.loads, file.read_text("utf-8").splitlines())
    return {(row["drucksache"], row["path"]): frozenset(row["expect"]) for row in rows}


def complaint(befund: Befund, truth: Truth) -> str | None:
    """Why a Befund is not as it should be, with its evidence; None if it is."""
    expected = truth.get((befund.zitat.drucksache, befund.zitat.pfad))
    if befund.verdict in expected if expected is not None else befund.outcome is not Outcome.FAIL:
        return None
    wanted = "" if expected is None else f"expected {' or '.join(sorted(expected))}\n"
    return wanted + "".join(finding(befund, ReportOptions()))


# --- the app's own citations ------------------------------------------------------------------------------------------


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "citation" not in metafunc.fixturenames:
        return
    named: str | None = metafunc.config.getoption("assessments")
    if named is None or not Path(named).is_file():
        reason = "no assessment database: name one with --assessments or QUELLENTREU_ASSESSMENTS"
        metafunc.parametrize("citation", [pytest.param(None, marks=pytest.mark.skip(reason=reason))], ids=["none"])
        return
    items = newest(Path(named))
    metafunc.parametrize("citation", items, ids=[f"{item.drucksache} {item.pfad}" for item in items])


@pytest.fixture(scope="module")
def verifier(request: pytest.FixtureRequest) -> Iterator[Verifier]:
    index = Path(request.config.getoption("index"))
    if not index.is_file():
        pytest.skip(f"no index at {index}: name one with --index or QUELLENTREU_INDEX")
    with Verifier.open(index) as verifier:
        yield verifier


@pytest.fixture(scope="module")
def truth(request: pytest.FixtureRequest) -> Truth:
    return truth_beside(Path(request.config.getoption("assessments") or "."))


@pytest.mark.integration
def test_a_citation_of_the_app_stands_where_it_says(
    citation: Zitat | Problem, verifier: Verifier, truth: Truth
) -> None:
    assert isinstance(citation, Zitat), citation
    problem = complaint(verifier.check_zitat(citation), truth)
    assert problem is None, problem


# --- the known hallucination must fail --------------------------------------------------------------------------------

HALLUCINATED = zitat(
    "Wir werden die Deutsche Küstenwache an der Ostsee verdoppeln und jedem Hafen einen Eisbrecher geben.",
    "FDP NRW Wahlprogramm 2022, S. 75",
    url="/static/referenzen/fdp-nrw-2022.pdf#page=75",
)


def sentence(seite: int, name: str) -> str:
    things = ("Fähre", "Scheune", "Brücke", "Weide", "Mühle", "Schleuse", "Werft", "Halle", "Düne")
    deeds = ("wird gestrichen", "bleibt offen", "zieht um", "bekommt Strom", "wird verkauft", "öffnet sonntags")
    thing, deed = things[seite % len(things)], deeds[seite // len(things) % len(deeds)]
    return f"Die {thing} Nummer {seite} in {name} {deed}, wie es im erfundenen Satz dieses Blattes heißt."


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two drawn programmes of invented sentences under real names, because resolving them is what is tested."""
    folder = tmp_path_factory.mktemp("fdp")
    (folder / "pdf").mkdir()
    catalogue = ""
    for land, name in (("NRW", "NRW"), ("MV", "Mecklenburg-Vorpommern")):
        pages = [[sentence(seite, name)] for seite in range(1, 81)]
        (folder / "pdf" / f"fdp-{land}.pdf").write_bytes(pdf(pages, 1))
        catalogue += (
            f'[[programm]]\nid = "fdp-{land.lower()}-2022"\nname = "FDP {name} Wahlprogramm 2022"\npartei = "FDP"\n'
            f'bundesland = "{land}"\njahr = 2022\ntyp = "wahlprogramm"\ndatei = "fdp-{land}.pdf"\n'
        )
    (folder / "programme.toml").write_text(catalogue, "utf-8")
    build_index(catalogue=folder / "programme.toml", pdfs=folder / "pdf", db=folder / "index.db", jobs=1)
    return folder


def checked(shelf: Path, citation: Mapping[str, object], bundesland: str) -> Befund:
    with Verifier.open(shelf / "index.db") as verifier:
        return verifier.check(**citation, bundesland=bundesland)  # type: ignore[arg-type]


def test_the_known_hallucination_fails_for_a_motion_from_another_state(shelf: Path) -> None:
    befund = checked(shelf, HALLUCINATED, "MV")
    assert (befund.verdict, befund.outcome) == (Verdict.CROSS_STATE, Outcome.FAIL)
    assert (befund.programm_id, befund.seite, befund.found) == ("fdp-nrw-2022", 75, ())
    assert "not_found" in befund.message, "the words stand nowhere either, and the report says so"


def test_the_known_hallucination_fails_for_its_own_state_too(shelf: Path) -> None:
    assert checked(shelf, HALLUCINATED, "NRW").verdict is Verdict.NOT_FOUND


def test_true_words_of_another_state_fail_as_well(shelf: Path) -> None:
    true = HALLUCINATED | {"text": sentence(75, "NRW")}
    befund = checked(shelf, true, "MV")
    assert befund.verdict is Verdict.CROSS_STATE
    assert [(place.programm_id, place.seite) for place in befund.found] == [("fdp-nrw-2022", 75)]
    assert checked(shelf, true, "NRW").outcome is Outcome.PASS


def test_the_known_hallucination_fails_without_its_programme(shelf: Path) -> None:
    without = HALLUCINATED | {"quelle": "FDP Bremen Wahlprogramm 2022, S. 75"}
    assert checked(shelf, without, "MV").verdict is Verdict.UNRESOLVED_SOURCE


def test_the_known_hallucination_fails_the_command(
    shelf: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    db = make_db(tmp_path / "app.db", [("8/75", "MV", scores(HALLUCINATED, fraktion="FDP"), "2026-01-01")])
    code = cli.main(["run", str(db), "--index", str(shelf / "index.db")], standalone_mode=False)
    assert code == 1
    assert "fail      cross_state  8/75" in capfd.readouterr().out


# --- the helpers ------------------------------------------------------------------------------------------------------


def filled(path: Path, lands: Mapping[str, int], each: int) -> Path:
    rows = [
        (f"{land}/{i}", land, scores(*[zitat()] * each), f"2026-01-{i + 1:02}")
        for land, n in lands.items()
        for i in range(n)
    ]
    return make_db(path, rows)


def test_newest_takes_five_of_each_land(tmp_path: Path) -> None:
    items = newest(filled(tmp_path / "a.db", {"NRW": 8, "MV": 7, "HH": 2}, each=10))
    assert {item.drucksache for item in items} == {
        *(f"NRW/{i}" for i in range(3, 8)),
        *(f"MV/{i}" for i in range(2, 7)),
        *(f"HH/{i}" for i in range(2)),
    }


def test_newest_takes_more_where_five_of_each_land_are_too_few(tmp_path: Path) -> None:
    assert len(newest(filled(tmp_path / "a.db", {"NRW": 28, "MV": 28}, each=1))) == 56
    assert len(newest(filled(tmp_path / "b.db", {"NRW": 3}, each=2))) == 6
    assert newest(filled(tmp_path / "c.db", {}, each=2)) == []


def test_truth_is_read_from_beside_the_database(tmp_path: Path) -> None:
    assert truth_beside(tmp_path / "a.db") == {}
    row = {"drucksache": "1/1", "path": "$[0]", "expect": ["altered"], "class": "false/number"}
    (tmp_path / "truth.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    assert truth_beside(tmp_path / "a.db") == {("1/1", "$[0]"): {"altered"}}


def test_a_failing_befund_is_complained_of_with_its_evidence() -> None:
    zitat = Zitat(text="der zitierte Satz", quelle="die Quelle", drucksache="1/1", pfad="$[0]")
    altered = Befund(zitat=zitat, verdict=Verdict.ALTERED)
    truth = {("1/1", "$[0]"): frozenset(["altered"])}
    assert complaint(replace(altered, verdict=Verdict.EXACT), {}) is None
    assert complaint(replace(altered, verdict=Verdict.TOO_SHORT), {}) is None
    assert complaint(altered, truth) is None
    assert "der zitierte Satz" in (complaint(altered, {}) or "")
    assert "expected altered" in (complaint(replace(altered, verdict=Verdict.EXACT), truth) or "")
