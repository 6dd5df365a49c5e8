"""Pages that are pictures only, recognised; skipped where Tesseract's German data is not installed."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from drawn import Item, body, new, picture, prose, save

from indexer import ocr
from indexer.build import BuildOptions, BuildReport, build
from indexer.cli import main
from indexer.errors import UsageError
from indexer.lookup import PageIndex
from indexer.ocr import OcrReader, find_tessdata, ocr_version
from verifier import Verifier
from verifier.verdict import Outcome

TESSDATA: Path | None
try:
    TESSDATA = find_tessdata()
except UsageError:
    TESSDATA = None

recognising = pytest.mark.skipif(TESSDATA is None, reason="Tesseract's German data is not installed")

LINES = (
    "Wir wollen Büchereien überall im Land erhalten und dafür das Geld",
    "bereitstellen, das in den letzten Jahren gefehlt hat. Niemand soll",
    "weite Wege haben, auch nicht im Dorf. Darum bauen wir 500 Häuser.",
)
QUOTED = "Niemand soll weite Wege haben, auch nicht im Dorf."


def scanned(*lines: str, turn: int = 0) -> Any:
    """A page that is nothing but the picture of a printed page."""
    printed = new([body(*lines, size=14, x=50)])
    pixels = printed[0].get_pixmap(dpi=200, colorspace="gray")

    def draw(page: Any) -> None:
        page.insert_image(page.rect, pixmap=pixels, rotate=turn)
        page.set_rotation(turn)

    return draw


def programme(folder: Path, **files: Sequence[Sequence[Item]]) -> BuildOptions:
    """A catalogue of drawn PDFs."""
    pdfs = folder / "pdf"
    pdfs.mkdir()
    entries = []
    for name, pages in files.items():
        save(new(pages), pdfs).rename(pdfs / f"{name}.pdf")
        entry = {"id": name, "name": f"Programm {name} 2020", "partei": name, "bundesland": "Bund", "jahr": 2020}
        entries.append(entry | {"typ": "wahlprogramm", "datei": f"{name}.pdf"})
    (folder / "programme.json").write_text(json.dumps(entries))
    return BuildOptions(catalogue=folder / "programme.json", pdfs=pdfs, db=folder / "index.db", jobs=1, ocr=True)


def changed(report: BuildReport) -> list[str]:
    return [programm.programm_id for programm in report.programme if programm.changed]


@recognising
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_picture_of_print_is_read_and_marked(tmp_path: Path, turn: int) -> None:
    assert TESSDATA is not None
    read = OcrReader(TESSDATA)(save(new([[scanned(*LINES, turn=turn)], prose(1)]), tmp_path))
    first, second = read.seiten
    assert "Niemand soll" in first.text and "500 Häuser" in first.text
    assert (first.ocr, first.no_text) == (True, None)
    assert (second.ocr, second.no_text) == (False, None), "what has text is left as it is"
    assert read.hints == ("1 page recognised from a picture",)


@recognising
def test_what_shows_no_words_stays_without_text(tmp_path: Path) -> None:
    assert TESSDATA is not None
    upside_down = scanned(*LINES, *LINES, *LINES, turn=180)
    pages: list[list[Item]] = [[picture()], [], [scanned("7")], [upside_down, lambda page: page.set_rotation(0)]]
    read = OcrReader(TESSDATA)(save(new(pages), tmp_path))
    assert [(seite.no_text, seite.ocr) for seite in read.seiten] == [
        ("picture only", False),
        ("blank page", False),
        ("picture only", False),
        ("picture only", False),
    ]
    assert read.hints == ()


@recognising
def test_a_quotation_from_a_recognised_page_passes_with_a_note(tmp_path: Path) -> None:
    options = programme(tmp_path, a=[[scanned(*LINES)]])
    build(options)
    with Verifier.open(options.db) as verifier:
        befund = verifier.check(text=QUOTED, quelle="Programm a 2020, S. 1")
    assert befund.outcome is Outcome.PASS
    assert "the text of this page was recognised from a picture" in befund.notes


@recognising
def test_turning_it_on_or_off_reads_anew_only_what_it_concerns(tmp_path: Path) -> None:
    options = programme(tmp_path, text=[prose(0)], blank=[prose(1), []], scan=[prose(2), [scanned(*LINES)]])
    without = BuildOptions(catalogue=options.catalogue, pdfs=options.pdfs, db=options.db, jobs=1)
    assert changed(build(without)) == ["blank", "scan", "text"]
    with PageIndex.open(options.db) as index:
        assert "ocr" not in index.meta
    plain = options.db.read_bytes()
    assert changed(build(options)) == ["scan"]
    assert not build(options).changed, "nothing to do twice"
    with PageIndex.open(options.db) as index:
        assert index.meta["ocr"].startswith("deu ")
        page = index.page("scan", 2)
        assert page is not None and page.ocr
    again = options.db.with_name("again.db")
    build(BuildOptions(catalogue=options.catalogue, pdfs=options.pdfs, db=again, jobs=1, ocr=True))
    with PageIndex.open(options.db) as one, PageIndex.open(again) as other:
        for table in ("programme", "meta", "seiten"):
            columns = "*" if table != "seiten" else "programm_id, seite, strict, compact, ocr"
            assert one.query(f"SELECT {columns} FROM {table} ORDER BY 1, 2") == other.query(
                f"SELECT {columns} FROM {table} ORDER BY 1, 2"
            ), "the same from nothing and step by step"
    assert changed(build(without)) == ["scan"]
    with PageIndex.open(options.db) as index:
        page = index.page("scan", 2)
        assert page is not None and page.no_text == "picture only"
    assert len(plain) <= options.db.stat().st_size


@recognising
def test_the_version_names_the_data(tmp_path: Path) -> None:
    assert TESSDATA is not None
    (tmp_path / "deu.traineddata").write_bytes(b"other data")
    assert ocr_version(TESSDATA) != ocr_version(tmp_path)


def test_without_the_data_the_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = programme(tmp_path, text=[prose(0)])
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
    arguments = ["--catalogue", options.catalogue, "--pdfs", options.pdfs, "--db", options.db]
    assert main(["build", "--ocr", *map(str, arguments)]) == 2
    said = capsys.readouterr().err
    assert "apt install tesseract-ocr tesseract-ocr-deu" in said
    assert "TESSDATA_PREFIX" in said
    assert str(tmp_path) in said
    assert not options.db.exists()


def test_without_tesseract_the_usual_places_are_looked_at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TESSDATA_PREFIX", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(ocr, "PLACES", (f"{tmp_path}/*/tessdata",))
    with pytest.raises(UsageError, match="no Tesseract is installed"):
        find_tessdata()
    (tmp_path / "5" / "tessdata").mkdir(parents=True)
    (tmp_path / "5" / "tessdata" / "deu.traineddata").touch()
    assert find_tessdata() == tmp_path / "5" / "tessdata"
