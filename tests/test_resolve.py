"""Which programme a quelle names: a table with reasons, and what holds for every text (SPEC §6)."""

import re
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.aliases import canonical_bundesland, canonical_partei
from indexer.catalogue import Programm, load_catalogue
from verifier.resolve import Resolver, belongs

TABLE = Path(__file__).parent / "tables" / "quellen.toml"
ROWS = tomllib.loads(TABLE.read_text("utf-8"))["row"]


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> tuple[Programm, ...]:
    blocks = TABLE.read_text("utf-8").split("[[row]]")[0]
    path = tmp_path_factory.mktemp("catalogue") / "programme.toml"
    path.write_text(blocks, "utf-8")
    return load_catalogue(path)


@pytest.fixture(scope="module")
def resolver(catalogue: tuple[Programm, ...]) -> Resolver:
    return Resolver(catalogue)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['quelle']!r:.60}: {row['reason']}")
def test_quelle_names_this_programme_or_none(resolver: Resolver, row: dict[str, str]) -> None:
    found = resolver.resolve(row["quelle"], row.get("bundesland", "NRW") or None)
    named = found.programme[0].programm_id if found.programme else None
    assert (found.status, named) == (row.get("status", "resolved"), row.get("programm")), found
    assert bool(found.message) == (found.status != "resolved")
    if row.get("note"):
        assert found.notes


@pytest.mark.parametrize("quelle", [None, "", " ", 42, ["SPD"], {"quelle": "SPD"}, True])
def test_what_is_no_text_is_no_source(resolver: Resolver, quelle: object) -> None:
    found = resolver.resolve(quelle, "NRW")  # type: ignore[arg-type]  # models write anything
    assert (found.status, found.programme) == ("unresolved_source", ())


def test_reason_names_what_the_catalogue_lacks(resolver: Resolver) -> None:
    assert "Bergpartei" in resolver.resolve("Bergpartei Wahlprogramm 2021", None).message
    assert "Bremen" in resolver.resolve("SPD Bremen Wahlprogramm 2025", None).message
    assert "2019" in resolver.resolve("SPD Wahlprogramm 2019", None).message
    assert "'Dortmund'" in resolver.resolve("AfD Dortmund Wahlprogramm 2021", None).message
    assert "Koalitionsvertrag" in resolver.resolve("Koalitionsvertrag SPD/GRÜNE 2021", None).message
    assert "several parties: SPD, GRÜNE" in resolver.resolve("SPD/GRÜNE Wahlprogramm 2021", None).message


def test_nearest_lists_the_same_land_first_then_the_year(resolver: Resolver) -> None:
    assert resolver.resolve("SPD NRW Wahlprogramm 2019", None).nearest[0] == "spd-nrw-2022"
    assert resolver.resolve("SPD Wahlprogramm 2019", None).nearest[0] == "spd-bund-2021"
    assert set(resolver.resolve("SPD-Regierungsprogramm", "BW").nearest) >= {"spd-bund-2021", "spd-bund-2025"}


def test_editions_of_one_programme_come_together_and_the_named_ones_first(resolver: Resolver) -> None:
    final = resolver.resolve("SPD Wahlprogramm 2025", None)
    draft = resolver.resolve("SPD Programmentwurf 2025", None)
    assert [programm.programm_id for programm in final.programme] == ["spd-bund-2025", "spd-bund-2025-entwurf"]
    assert [programm.programm_id for programm in draft.programme] == ["spd-bund-2025-entwurf", "spd-bund-2025"]
    assert (final.primary, final.named_fassung, draft.primary, draft.named_fassung) == (1, False, 1, True)


def test_werk_without_a_final_edition_takes_its_newest_first(catalogue: tuple[Programm, ...]) -> None:
    one = next(programm for programm in catalogue if programm.programm_id == "fdp-2005")
    drafts = [
        replace(one, programm_id="old", fassung="entwurf", jahr=2004),
        replace(one, programm_id="new", fassung="webdruck"),
    ]
    found = Resolver(drafts).resolve("FDP Wahlprogramm", None)
    assert [programm.programm_id for programm in found.programme] == ["new", "old"]


def test_a_file_name_of_two_programmes_is_ambiguous(catalogue: tuple[Programm, ...]) -> None:
    one, other = (replace(catalogue[0], programm_id=name, werk=name, datei=f"{name}/wahl-2021.pdf") for name in "ab")
    found = Resolver([one, other]).resolve("wahl-2021.pdf, S. 3", None)
    assert (found.status, found.nearest) == ("ambiguous_source", ("a", "b"))


def test_pages_come_with_the_programme(resolver: Resolver) -> None:
    first, second = (resolver.resolve(f"SPD Wahlprogramm 2025, S. {page}", None).seiten for page in (3, 4))
    assert first is not None and first.seiten == (3,)
    assert second is not None and second.seiten == (4,)
    assert resolver.resolve("SPD Wahlprogramm 2025", None).seiten is None


@pytest.mark.parametrize(
    ("fraktion", "partei", "expected", "reason"),
    [
        ("SPD", "SPD", True, "the same"),
        ("Fraktion der SPD", "SPD", True, "with small words"),
        ("BÜNDNIS 90/DIE GRÜNEN", "GRÜNE", True, "another spelling"),
        ("AfD", "SPD", False, "another party"),
        ("CDU/CSU", "CDU", True, "member of the common Fraktion"),
        ("CDU", "CDU/CSU", True, "and the other way round"),
        ("CSU", "CDU", True, "one Fraktion in the Bundestag"),
        ("DIE LINKE", "PDS", True, "predecessor"),
        ("fraktionslos", "SPD", None, "no party"),
        ("SPD und GRÜNE", "SPD", None, "several parties"),
        ("Wählergruppe Müllerstadt", "Wählergruppe Müllerstadt", True, "own spelling of the catalogue"),
    ],
)
def test_fraktion_and_party_of_the_programme(
    catalogue: tuple[Programm, ...], fraktion: str, partei: str, expected: bool | None, reason: str
) -> None:
    assert belongs(fraktion, replace(catalogue[0], partei=partei)) is expected, reason


WORDS = st.one_of(
    st.sampled_from(["SPD", "CDU", "CSU", "CDU/CSU", "GRÜNE", "AfD", "FDP", "Union", "PDS", "Linke"]),
    st.sampled_from(
        ["NRW", "Hessen", "Hesen", "Sachsen", "Sachsen-Anhalt", "Berlin", "Bund", "Hamburg", "Hamburger", "BW"]
    ),
    st.sampled_from(["2005", "2020", "2021", "2022", "2024", "2025", "2026", "2022–2027", "3", "4"]),
    st.sampled_from(
        ["Wahlprogramm", "Wahlprogamm", "Grundsatzprogramm", "Programm", "Entwurf", "Kommunalwahlprogramm"]
    ),
    st.sampled_from(["Europa", "Köln", "Dortmund", "Landesverband", "der", "und", "Kapitel", "S.", "Seite"]),
    st.sampled_from([",", ";", "(", ")", "„", "“", "-", "–"]),
)


@given(st.one_of(st.text(), st.lists(WORDS, max_size=12).map(" ".join)), st.one_of(st.none(), st.text(), WORDS))
def test_any_text_gives_one_answer_and_a_named_party_land_and_year_agree(
    resolver: Resolver, quelle: str, bundesland: str | None
) -> None:
    found = resolver.resolve(quelle, bundesland)
    assert (found.status == "resolved") == bool(found.programme) == (not found.message)
    assert len({programm.werk for programm in found.programme}) <= 1
    if found.programme:
        assert any(_agrees(quelle, programm) for programm in found.programme)


def _agrees(quelle: str, programm: Programm) -> bool:
    """Party, Land and first year of the words before any comma, chapter or page, found in the plainest way."""
    head = re.sub(r"Hamburger\W+Programm", "", quelle).replace("2022–2027", "2022")
    words = re.split(r"[,;()„“]|\bS\.|Kapitel|Seite| [-–]+ ", head)[0].split()
    years = {int(word) for word in words if word.isdigit() and len(word) == 4}
    laender = {canonical_bundesland(word) for word in words} - {None}
    parteien = {canonical_partei(word) for word in words} - {None}
    return (
        years <= {programm.jahr}
        and laender <= {canonical_bundesland(programm.bundesland)}
        and all(belongs(partei or "", programm) for partei in parteien)
    )


def test_resolving_is_deterministic_and_does_not_depend_on_what_was_asked_before(
    catalogue: tuple[Programm, ...], resolver: Resolver
) -> None:
    fresh = Resolver(catalogue)
    for row in reversed(ROWS):
        land = row.get("bundesland", "NRW") or None
        assert fresh.resolve(row["quelle"], land) == resolver.resolve(row["quelle"], land)


def test_many_programmes_of_other_parties_and_years_change_nothing(catalogue: tuple[Programm, ...]) -> None:
    others = [
        replace(
            programm, programm_id=f"{programm.programm_id}-{years}", werk=f"{programm.werk}-{years}", jahr=1900 - years
        )
        for years in range(40)
        for programm in catalogue
    ]
    found = Resolver([*catalogue, *others]).resolve("GRÜNE NRW Wahlprogramm 2022, S. 58", "NRW")
    assert [programm.programm_id for programm in found.programme] == ["gruene-nrw-2022"]


def test_importing_the_resolver_loads_no_pdf_library_and_no_html() -> None:
    code = "import sys, verifier.resolve; print({'pymupdf', 'fitz', 'sqlite_utils', 'html', 'click'} & {*sys.modules})"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "set()"
