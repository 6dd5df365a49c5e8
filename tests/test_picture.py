"""Pictures of passages: what is marked on a drawn page, which page is shown for a finding, and what is refused."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pymupdf  # noqa: TID251 - an independent reader of the pictures
import pytest
from drawn import Text, body, new, prose, save
from test_reports import rendered, result_of, zitat

from indexer.build import build_index
from indexer.errors import UsageError
from indexer.gallery import Passage, Picture, pictures
from indexer.lookup import PageIndex
from indexer.picture import Word, draw, locate, png
from verifier import page_images
from verifier.output import Target
from verifier.page_images import check_options, illustrated, place_of
from verifier.report import ReportOptions
from verifier.run import Result
from verifier.verdict import Befund, Change, Fundstelle, Nearest, Outcome, Verdict, Zitat

SENTENCE = "Niemand soll weite Wege haben, um Radwege zu erreichen, auch nicht im Dorf."


def words(*texts: str) -> list[Word]:
    return [Word(10.0 * i, 0, 10.0 * i + 9, 9, (0, 0), text) for i, text in enumerate(texts)]


LOCATED = [
    (["das", "ist", "gerecht", "und", "gut"], "ist gerecht", [1, 2], "word for word"),
    (["klima", "schutz", "jetzt"], "Klimaschutz", [0, 1], "a word broken over two lines"),
    (["die", "höfe", "17", "werden", "alle", "saniert"], "die Höfe werden alle saniert", [0, 1, 3, 4, 5], "a number"),
    (["wir", "bauen", "500", "neue", "busse"], "wir bauen 900 neue busse", [], "fewer than three words in a row"),
    (["wir", "bauen", "nun", "500", "busse"], "wir bauen nun 900 busse", [0, 1, 2, 4], "a changed word is not marked"),
    (["ganz", "anderes"], "steht hier nicht", [], "nothing of it"),
    ([], "leer", [], "an empty page"),
    (["das"], "…", [], "a passage without a letter"),
]  # fmt: skip


@pytest.mark.parametrize(("printed", "text", "found", "reason"), LOCATED, ids=[row[-1] for row in LOCATED])
def test_a_passage_is_found_by_letters_and_digits(printed: list[str], text: str, found: list[int], reason: str) -> None:
    assert locate(words(*printed), text) == found, reason


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return save(new([prose(0), prose(1), []]), tmp_path)


def seen(picture: Picture) -> pymupdf.Pixmap:
    pixels = pymupdf.Pixmap(picture.png)
    assert (pixels.width, pixels.height) == (picture.width, picture.height)
    return pixels


def test_the_crop_holds_the_passage_in_its_marks_and_the_stressed_words_within(file: Path) -> None:
    (picture,) = draw(file, [Passage(seite=1, text=SENTENCE, stressed=("Dorf",))])
    assert picture is not None
    pixels = seen(picture)
    assert picture.height < picture.width / 3, "a crop, not the page"
    assert len(picture.marks) == 2, "two lines"
    for x, y, width, height in picture.marks:
        part = pymupdf.IRect(x, y, x + width, y + height)
        ink = [pixels.pixel(px, py)[0] for px in range(part.x0, part.x1) for py in range(part.y0, part.y1)]
        assert min(ink) < 80, "letters"
        assert max(ink) > 200, "on paper"
    (x, y, width, height) = picture.stressed[0]
    assert any(mx <= x and x + width <= mx + mw + 1 and my <= y <= my + mh for mx, my, mw, mh in picture.marks)


def test_a_passage_that_is_not_in_the_text_layer_shows_the_whole_page_without_marks(file: Path) -> None:
    (picture,) = draw(file, [Passage(seite=2, text="Hiervon steht kein Wort auf der Seite.")])
    assert picture is not None
    assert picture.marks == ()
    assert picture.height > picture.width


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_on_a_turned_page_the_marks_lie_on_the_words(tmp_path: Path, turn: int) -> None:
    doc = new([prose(0)])
    doc[0].set_rotation(turn)
    (picture,) = draw(save(doc, tmp_path), [Passage(seite=1, text=SENTENCE)])
    assert picture is not None
    pixels = seen(picture)
    inside = outside = 0
    boxes = picture.marks
    for py in range(pixels.height):
        for px in range(pixels.width):
            if pixels.pixel(px, py)[0] < 100:
                hit = any(x <= px <= x + w and y <= py <= y + h for x, y, w, h in boxes)
                inside, outside = inside + hit, outside + (not hit)
    assert inside > 200, "the marks hold print"
    assert outside > 200, "and leave out the lines around"


@pytest.mark.parametrize("seite", [0, -1, 4, 10**9])
def test_a_page_that_is_none_gives_no_picture(file: Path, seite: int) -> None:
    assert draw(file, [Passage(seite=seite, text=SENTENCE)]) == (None,)


def test_sizes_are_bounded_whatever_the_page_is(tmp_path: Path) -> None:
    doc = new([[Text(100, 7000, "Ein Wort auf einem sehr großen Blatt Papier.", size=90)]], size=(14000, 14000))
    (marked, whole) = draw(
        save(doc, tmp_path), [Passage(seite=1, text="auf einem sehr großen Blatt"), Passage(seite=1, text="fehlt ganz")]
    )
    assert marked is not None and whole is not None
    assert max(marked.width, whole.width) <= 1001 and max(marked.height, whole.height) <= 1201


@pytest.mark.parametrize(("width", "height"), [(1, 1), (7, 3), (8, 2)])
def test_the_png_is_a_png(width: int, height: int) -> None:
    samples = bytes(range(0, 256, 11))[: width * height].ljust(width * height, b"\xff")
    pixels = pymupdf.Pixmap(png(samples, width, height, width))
    assert (pixels.width, pixels.height) == (width, height)
    assert all(abs(one - other) < 17 for one, other in zip(pixels.samples[:: pixels.n], samples, strict=True))


def test_a_broken_pdf_costs_only_its_own_pictures(file: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.4 nothing")
    passage = Passage(seite=1, text=SENTENCE)
    drawn = dict(pictures({broken: (passage, passage), file: (passage,)}, jobs=1))
    assert drawn[broken] == (None, None)
    assert isinstance(drawn[file][0], Picture)


# --- which page for which finding -------------------------------------------------------------------------------------

FOUND = (Fundstelle(programm_id="a", seite=7), Fundstelle(programm_id="b", seite=2))
NEAREST = Nearest(
    programm_id="c",
    seite=3,
    seitenlabel=None,
    text="wir bauen 500 Busse",
    diff=(Change(kind="number", quoted="900", printed="500"), Change(kind="added", quoted="sehr", printed="")),
)


@pytest.mark.parametrize(
    ("more", "expected", "reason"),
    [
        ({"found": FOUND}, ("a", Passage(seite=7, text="Satz")), "where it really stands"),
        ({"nearest": NEAREST}, ("c", Passage(seite=3, text=NEAREST.text, stressed=("500",))), "what comes nearest"),
        ({"found": FOUND, "nearest": NEAREST}, ("a", Passage(seite=7, text="Satz")), "the true place first"),
        ({}, None, "nothing to show"),
    ],
)
def test_the_page_that_shows_a_finding_best(more: dict[str, object], expected: object, reason: str) -> None:
    zitat = Zitat(text="Satz", quelle="S. 1")
    assert place_of(Befund(zitat=zitat, verdict=Verdict.ALTERED, **more)) == expected, reason  # type: ignore[arg-type]


@pytest.fixture
def folder(demo_folder: Path, tmp_path: Path) -> Callable[..., Result]:
    """Checks the citations of the demo, and draws their pages from a folder of PDFs."""
    from verifier.demo import check  # noqa: PLC0415

    def run(pdfs: Path | None = None) -> Result:
        with PageIndex.open(demo_folder / "index.db") as index:
            result = replace(check(demo_folder), programme=index.programme)
            return illustrated(result, index, pdfs or demo_folder / "pdf")

    return run


def test_every_failure_with_a_passage_is_pictured_and_nothing_else(folder: Callable[..., Result]) -> None:
    result = folder()
    shown = {result.befunde[position].verdict for position in result.pictures}
    assert shown == {
        Verdict.ALTERED,
        Verdict.WRONG_PAGE,
        Verdict.WRONG_PROGRAMME,
        Verdict.CROSS_STATE,
        Verdict.PAGE_OUT_OF_RANGE,
        *({Verdict.UNRESOLVED_SOURCE, Verdict.AMBIGUOUS_SOURCE, Verdict.NOT_FOUND} & shown),
    }
    assert all(verdict.outcome is Outcome.FAIL for verdict in shown)
    assert all(isinstance(picture, Picture) and picture.marks for picture in result.pictures.values())
    html = rendered("html", result)
    assert html.count('<img src="data:image/png;base64,') == len(result.pictures)
    assert "img-src data:;" in html
    assert "img-src" not in rendered("html", replace(result, pictures={}))


def test_a_missing_or_changed_pdf_gives_a_sentence(
    folder: Callable[..., Result], demo_folder: Path, tmp_path: Path
) -> None:
    assert set(folder(tmp_path).pictures.values()) == {"missing"}
    for pdf in (demo_folder / "pdf").iterdir():
        (tmp_path / pdf.name).write_bytes(pdf.read_bytes() + b"\n")
    result = folder(tmp_path)
    assert set(result.pictures.values()) == {"changed"}
    assert "Kein Bild: Das PDF ist nicht mehr das" in rendered("html", result)
    assert "No picture: the PDF is no longer" in rendered("html", result, lang="en")


@pytest.mark.parametrize("reason", ["missing", "changed", "failed", "too_many"])
def test_every_reason_has_its_sentence(reason: str) -> None:
    result = replace(result_of(zitat("altered")), pictures={0: reason})
    assert "Kein Bild: " in rendered("html", result)


@pytest.mark.parametrize(
    ("limit", "size", "kinds"), [("LIMIT", 2, [Picture, Picture, str, str]), ("LIMIT_BYTES", 1, [str] * 4)]
)
def test_there_are_never_too_many_pictures(
    demo_folder: Path, monkeypatch: pytest.MonkeyPatch, limit: str, size: int, kinds: list[type]
) -> None:
    monkeypatch.setattr(page_images, limit, size)
    place = Fundstelle(programm_id="laternenpartei-hh-2024", seite=2)
    befund = Befund(zitat=Zitat(text="x", quelle=""), verdict=Verdict.WRONG_PAGE, found=(place,))
    with PageIndex.open(demo_folder / "index.db") as index:
        result = replace(result_of(), befunde=(befund,) * 4, programme=index.programme)
        assert set(illustrated(result, index, demo_folder).pictures.values()) == {"missing"}
        drawn = illustrated(result, index, demo_folder / "pdf").pictures
    assert [type(drawn[position]) for position in range(4)] == kinds
    assert {shown for shown in drawn.values() if isinstance(shown, str)} == {"too_many"}


@pytest.mark.parametrize("datei", ["../geheim.pdf", "/etc/passwd", "unter/../../geheim.pdf"])
def test_no_path_leads_out_of_the_folder_of_pdfs(demo_folder: Path, tmp_path: Path, datei: str) -> None:
    place = Fundstelle(programm_id="laternenpartei-hh-2024", seite=2)
    befund = Befund(zitat=Zitat(text="x", quelle="", url=datei), verdict=Verdict.WRONG_PAGE, found=(place,))
    (tmp_path / "pdf").mkdir()
    original = demo_folder / "pdf" / "laternenpartei-hh-2024.pdf"
    (tmp_path / "geheim.pdf").write_bytes(original.read_bytes())
    with PageIndex.open(demo_folder / "index.db") as index:
        programme = {place.programm_id: replace(index.programme[place.programm_id], datei=datei)}
        index.programme = programme
        result = replace(result_of(), befunde=(befund,), programme=programme)
        assert illustrated(result, index, tmp_path / "pdf").pictures == {0: "missing"}


def test_pictures_are_refused_where_nobody_would_see_them(tmp_path: Path) -> None:
    options = ReportOptions(page_images=True, pdfs=tmp_path)
    check_options(options, [Target(name="html")])
    check_options(ReportOptions(), [])
    with pytest.raises(UsageError, match="--report html=FILE"):
        check_options(options, [Target(name="json")])
    with pytest.raises(UsageError, match="--pdfs"):
        check_options(replace(options, pdfs=tmp_path / "nowhere"), [Target(name="html")])


LIGHT = """
import sys
import verifier.page_images, verifier.cli_run, verifier.report_html
print("pymupdf" in sys.modules)
"""


def test_pymupdf_is_loaded_by_workers_only() -> None:
    ran = subprocess.run([sys.executable, "-c", LIGHT], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"


def test_a_stale_programme_is_not_drawn_from_its_new_pdf(tmp_path: Path) -> None:
    pdfs = tmp_path / "pdf"
    pdfs.mkdir()
    datei = save(new([body(SENTENCE)]), pdfs)
    (tmp_path / "programme.json").write_text(
        '[{"id": "x", "name": "X", "partei": "X", "bundesland": "Bund", "jahr": 2020, "typ": "wahlprogramm",'
        f' "datei": "{datei.name}"}}]'
    )
    build_index(catalogue=tmp_path / "programme.json", pdfs=pdfs, db=tmp_path / "index.db", jobs=1)
    save(new([body("Etwas anderes steht nun hier.")]), pdfs)
    place = Fundstelle(programm_id="x", seite=1)
    befund = Befund(zitat=Zitat(text=SENTENCE, quelle=""), verdict=Verdict.WRONG_PAGE, found=(place,))
    with PageIndex.open(tmp_path / "index.db") as index:
        result = replace(result_of(), befunde=(befund,), programme=index.programme)
        assert illustrated(result, index, pdfs).pictures == {0: "changed"}
