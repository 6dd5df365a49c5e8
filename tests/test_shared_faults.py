"""Plays through `../shared/cases/fault_inputs`, where it is: what its README says must happen, happens."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hang import NEEDS_ALARM, within
from shelf import entry

from indexer.build import BuildOptions, BuildReport, build
from indexer.console import run as run_command
from indexer.scan import find_pdfs
from verifier import cli as verify_cli

MAKER = Path(__file__).resolve().parents[2] / "shared" / "cases" / "fault_inputs" / "make_faults.py"
pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(not MAKER.is_file(), reason="needs ../shared/cases/fault_inputs"),
    NEEDS_ALARM,
]

# file, pages, what the reason or a hint says
PDFS = [
    ("00_gesund.pdf", 5, ""),
    ("01_null_bytes.pdf", 0, "empty file"),
    ("02_nur_kopf.pdf", 0, "not a PDF"),
    ("03_halb_abgeschnitten.pdf", 0, "damaged"),
    ("04_ende_fehlt.pdf", 5, "repaired"),
    ("05_html.pdf", 0, "not a PDF"),
    ("06_text.pdf", 0, "not a PDF"),
    ("07_png.pdf", 0, "not a PDF"),
    ("08_kennwort_zum_oeffnen.pdf", 0, "password"),
    ("09_nur_besitzerkennwort.pdf", 5, ""),
    ("10_null_seiten.pdf", 0, "0 pages"),
    ("11_xref_falsch.pdf", 5, "repaired"),
    ("12_xref_und_objekte_zerstoert.pdf", 0, "damaged"),
    ("13_eine_seite_kaputt.pdf", 5, "page 3 is damaged"),
    ("14_seitenbaum_im_kreis.pdf", 0, "not one can be read"),
    ("15_count_luegt.pdf", 5, "claims 9 pages"),
    ("16_2000_seiten.pdf", 2000, ""),
    ("17_1mb_text_auf_einer_seite.pdf", 1, ""),
    ("18_ein_wort_1mb.pdf", 1, ""),
    ("19_strom_blaeht_sich_auf_40mb.pdf", 1, ""),
    ("20_nul_im_text.pdf", 1, ""),
    ("21_halbes_surrogat_im_text.pdf", 1, ""),
    ("22_gross.PDF", 5, ""),
    ("kopie_a.pdf", 5, "same content as"),
    ("kopie_b.pdf", 5, "same content as"),
]
TRAPS = [
    ("kreis_a.pdf", "a link without a target"),
    ("verwaist.pdf", "a link without a target"),
    ("ordner.pdf", "a folder"),
    ("rohr.pdf", "not a regular file"),
]
# database, exit code, what is said
DATABASES = [
    ("00_gesund.db", 0, "1 citation"),
    ("01_null_bytes.db", 3, "empty file"),
    ("02_kein_sqlite.db", 3, "not a SQLite database"),
    ("03_abgeschnitten.db", 3, "malformed"),
    ("04_kopf_ok_rest_muell.db", 3, "SQLite cannot read it"),
    ("05_ohne_tabelle.db", 3, "etwas_anderes"),
    ("06_ohne_spalte.db", 3, "andere_spalte"),
    ("07_keine_zeile.db", 4, "0 citations"),
    ("08_gesperrt.db", 0, "1 citation"),  # nobody holds the lock here
    ("09_tabelle_ist_sicht.db", 0, "1 citation"),
    ("10_json_kaputt.db", 1, "nested too deeply"),
    ("11_json_form.db", 1, "citation"),
    ("12_zitate_boese.db", 1, "citation"),
    ("13_wal_ohne_beidateien.db", 0, "1 citation"),
    ("14_ordner.db", 3, "not a file"),
    ("fehlt.db", 3, "no such file"),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shared")
    subprocess.run([sys.executable, "-B", str(MAKER), str(folder)], check=True, capture_output=True, timeout=120)
    return folder


@pytest.fixture(scope="module")
def report(made: Path) -> BuildReport:
    """One build of everything: PDFs, odd names, traps; each file is an entry of the catalogue."""
    files = [Path("pdf", name) for name, *_ in PDFS] + [Path("fallen", name) for name, _ in TRAPS]
    files += [Path("namen", path.name) for path in sorted((made / "namen").iterdir())]
    entries = [entry(f"p{number}") | {"datei": str(path), "partei": f"P{number}"} for number, path in enumerate(files)]
    test = entry("test-2022") | {"name": "Testprogramm 2022", "datei": "pdf/00_gesund.pdf"}
    (made / "programme.json").write_text(json.dumps([*entries, test]), "utf-8")
    with within(300):
        return build(BuildOptions(catalogue=made / "programme.json", pdfs=made, db=made / "index.db", jobs=2))


def test_every_pdf_is_what_the_readme_says(report: BuildReport) -> None:
    found = {one.programm_id: one for one in report.programme}
    for number, (name, pages, said) in enumerate(PDFS):
        one = found[f"p{number}"]
        assert (one.seiten, one.status) == (pages, "indexed" if pages else "failed"), name
        assert said in f"{one.reason} {one.hints}", name


def test_every_trap_is_named_and_every_odd_name_opened(report: BuildReport, made: Path) -> None:
    found = {one.programm_id: one for one in report.programme}
    for number, (name, said) in enumerate(TRAPS, start=len(PDFS)):
        assert said in str(found[f"p{number}"].reason), name
    names = list((made / "namen").iterdir())
    odd = [found[f"p{len(PDFS) + len(TRAPS) + number}"] for number in range(len(names))]
    assert [one.seiten for one in odd] == [5] * len(names)
    assert len(names) > 15


def test_a_scan_follows_no_circle_and_finds_each_file_once(made: Path) -> None:
    found = find_pdfs(made)
    assert len(found) == len(set(found))
    assert not [datei for datei in found if "hoch" in datei or "versteckt" in datei]


@pytest.mark.usefixtures("report")
@pytest.mark.parametrize(("name", "code", "said"), DATABASES, ids=[row[0] for row in DATABASES])
def test_every_database_gives_its_exit_code_and_stays_as_it_is(
    made: Path, capfd: pytest.CaptureFixture[str], name: str, code: int, said: str
) -> None:
    path = made / "db" / name
    before = (sorted(path.parent.iterdir()), path.read_bytes() if path.is_file() else None)
    with within(60):
        found = run_command(verify_cli.cli, ["run", str(path), "--index", str(made / "index.db")])
    out, err = capfd.readouterr()
    assert found == code
    assert said in out + err
    assert "Traceback" not in out + err
    assert (sorted(path.parent.iterdir()), path.read_bytes() if path.is_file() else None) == before


@pytest.mark.usefixtures("report")
def test_broken_json_hides_nothing_and_the_hostile_ones_pass_only_where_they_stand(
    made: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    verdicts: dict[str, list[str]] = {}
    for name in ("10_json_kaputt.db", "11_json_form.db", "12_zitate_boese.db"):
        run_command(
            verify_cli.cli, ["run", str(made / "db" / name), "--index", str(made / "index.db"), "--format", "jsonl"]
        )
        for line in capfd.readouterr().out.splitlines():
            befund = json.loads(line)
            verdicts.setdefault(befund["drucksache"], []).append(befund["verdict"])
    for good in ("ok-davor", "ok-danach", "ok-ganz-am-ende", "b-nul"):
        assert set(verdicts[good]) == {"exact"}, good
    assert verdicts["b-rtl"] == ["exact"]
    passing = {key for key, found in verdicts.items() if key.startswith("b-") and set(found) & {"exact", "layout"}}
    # Quotation marks are typography: the words of b-fts-quote stand there side by side
    assert passing <= {"b-nul", "b-rtl", "b-bidi-isolat", "b-fts-quote"}
    assert verdicts["b-leer"] == verdicts["b-nur-marken"] == verdicts["b-nur-raum"] == ["too_short"]
    assert verdicts["q-quelle-arab"] == verdicts["q-quelle-hoch"] == ["no_page"]
    assert verdicts["q-quelle-nl"] == verdicts["q-quelle-nul"] == ["exact"]
