"""indexer.pdf: what is refused, what is read, and what must never be read (fault_inputs, SPEC §5)."""

import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pymupdf  # noqa: TID251 - measures what it draws
import pytest
from drawn import BLACK, RED, WHITE, Item, Text, body, box, new, picture, read, running, save

from indexer.build import pymupdf_version
from indexer.errors import PdfError
from indexer.lines import from_macintosh, is_macintosh, mostly_unknown
from indexer.pdf import read_programm
from indexer.readable import is_garbage
from indexer.seite import EXTRACTOR_VERSION

SATZ = "Der Satz auf dieser Seite ist gedruckt und gut zu lesen."


def written(folder: Path, content: bytes) -> Path:
    path = folder / "datei.pdf"
    path.write_bytes(content)
    return path


def changed(folder: Path, change: Callable[[bytes], bytes]) -> Path:
    """A drawn PDF of three pages whose bytes are changed afterwards."""
    path = save(new([[Text(72, 100, f"Seite {number}. {SATZ}")] for number in (1, 2, 3)]), folder)
    path.write_bytes(change(path.read_bytes()))
    return path


def with_password(folder: Path) -> Path:
    return save(new([[Text(72, 100, SATZ)]]), folder, encryption=4, user_pw="geheim", owner_pw="noch geheimer")


REFUSED = [
    (lambda folder: written(folder, b""), "empty file", "download broken off at once"),
    (lambda folder: written(folder, b"Kein PDF, nur Text."), "not a PDF", "text saved under a wrong name"),
    (
        lambda folder: written(folder, b"<html><body>404 Not Found</body></html>"),
        "not a PDF",
        "error page saved as PDF",
    ),
    (lambda folder: written(folder, b"\x89PNG\r\n\x1a\n" + bytes(40)), "not a PDF", "a picture saved as PDF"),
    (lambda folder: written(folder, b"%PDF-1.7\n"), "not a PDF", "nothing but the first line"),
    (with_password, "password", "asks for a password"),
    (
        lambda folder: changed(folder, lambda data: re.sub(rb"/Count 3/Kids\[.*?\]", b"/Count 0/Kids[]", data)),
        "0 pages",
        "a page tree without pages",
    ),
    (lambda folder: folder / "fehlt.pdf", "cannot be opened", "no such file"),
]


@pytest.mark.parametrize(("make", "reason", "why"), REFUSED, ids=[case[2] for case in REFUSED])
def test_what_is_no_programme_is_refused_in_plain_words(
    make: Callable[[Path], Path], reason: str, why: str, tmp_path: Path
) -> None:
    with pytest.raises(PdfError, match=reason):
        read_programm(make(tmp_path))


def test_an_owner_password_does_not_keep_anybody_from_reading(tmp_path: Path) -> None:
    path = save(new([[Text(72, 100, SATZ)]]), tmp_path, encryption=4, user_pw="", owner_pw="geheim")
    assert SATZ in read_programm(path).seiten[0].text


def test_a_page_count_that_lies_gives_the_pages_that_are_there(tmp_path: Path) -> None:
    path = changed(tmp_path, lambda data: data.replace(b"/Count 3", b"/Count 9"))
    programm = read_programm(path)
    assert len(programm.seiten) == 3
    assert "claims 9 pages, but only 3 can be read" in programm.hints


def test_a_count_that_nothing_could_hold_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(PdfError, match="page list"):
        read_programm(changed(tmp_path, lambda data: data.replace(b"/Count 3", b"/Count 400000000")))


def test_a_damaged_page_is_reported_and_the_others_are_read(tmp_path: Path) -> None:
    doc = new([[Text(72, 100, f"Seite {number}. {SATZ}")] for number in (1, 2, 3)])
    (stream,) = doc[1].get_contents()
    doc.update_stream(stream, b"BT (kein zlib) Tj ET", compress=False)
    doc.xref_set_key(stream, "Filter", "/FlateDecode")
    programm = read_programm(save(doc, tmp_path))
    assert [seite.no_text for seite in programm.seiten] == [None, "damaged page", None]
    assert "page 2 is damaged" in programm.hints


def test_a_page_that_breaks_off_keeps_what_can_be_read_and_a_hint_says_so(tmp_path: Path) -> None:
    doc = new([[Text(72, 100, f"Seite {number}. {SATZ}")] for number in (1, 2, 3)])
    (stream,) = doc[1].get_contents()
    lines = b"".join(b"1 0 0 1 72 %d Tm (Zeile %d von vielen.) Tj " % (800 - at, at) for at in range(600))
    packed = zlib.compress(b"BT /helv 11 Tf " + lines + b"ET")
    doc.update_stream(stream, packed[: len(packed) // 2], compress=False)
    doc.xref_set_key(stream, "Filter", "/FlateDecode")
    programm = read_programm(save(doc, tmp_path))
    assert "Zeile 1 von vielen." in programm.seiten[1].text
    assert programm.hints == ("page 2 is damaged: only a part of it could be read",)


def test_a_broken_xref_is_repaired_with_a_hint(tmp_path: Path) -> None:
    path = changed(tmp_path, lambda data: data[: data.rindex(b"startxref")])
    programm = read_programm(path)
    assert len(programm.seiten) == 3
    assert programm.hints[0].startswith("repaired")


def test_the_library_says_nothing_on_stdout_or_stderr(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    read_programm(changed(tmp_path, lambda data: data[: data.rindex(b"startxref")]))
    with pytest.raises(PdfError):
        read_programm(written(tmp_path, b"%PDF-1.7\n"))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_turned_sheet_gives_the_same_pages(turn: int, tmp_path: Path) -> None:
    pages = [
        [Text(72, 40, "Wahlprogramm", 9), *body(SATZ, "Er geht weiter."), Text(290, 800, str(n), 9)] for n in (1, 2, 3)
    ]
    straight = read(tmp_path, pages)
    doc = new(pages)
    for page in doc:
        page.set_rotation(turn)
    assert read_programm(save(doc, tmp_path)).seiten == straight


def test_text_drawn_sideways_on_a_turned_sheet_has_its_head_where_the_reader_sees_it(tmp_path: Path) -> None:
    def sideways(number: int) -> Callable[[Any], None]:
        def draw(page: Any) -> None:
            for x, text in (
                (40, "Wahlprogramm"),
                (150, f"{SATZ} {number}"),
                (170, "Und noch ein Satz."),
                (565, str(number)),
            ):
                page.insert_text((x, 700), text, fontsize=9 if x in (40, 565) else 11, rotate=90)

        return draw

    doc = new([[sideways(number)] for number in (1, 2, 3)])
    for page in doc:
        page.set_rotation(90)
    seiten = read_programm(save(doc, tmp_path)).seiten
    assert [seite.seitenlabel for seite in seiten] == ["1", "2", "3"]
    assert all("Wahlprogramm" not in running(seite) for seite in seiten)


def hidden_layer(page: Any) -> None:
    layer = page.parent.add_ocg("Entwurf", on=False)
    page.insert_text((72, 300), "Nur in der ausgeblendeten Ebene.", oc=layer)


def clipped(page: Any) -> None:
    xref = page.parent.get_new_xref()
    page.parent.update_object(xref, "<<>>")
    text = b"q 72 500 10 5 re W n BT /helv 11 Tf 1 0 0 1 72 300 Tm (Vom Ausschnitt verdeckt.) Tj ET Q"
    page.parent.update_stream(xref, text)
    contents = " ".join(f"{number} 0 R" for number in [*page.get_contents(), xref])
    page.parent.xref_set_key(page.xref, "Contents", f"[{contents}]")


UNSEEN = [
    ([Text(72, 300, "Weiß auf weißem Papier.", color=WHITE)], "white on white"),
    ([box(60, 280, 400, 310, WHITE), Text(72, 300, "Weiß auf weißem Kasten.", color=WHITE)], "white on a white box"),
    ([Text(700, 300, "Neben dem Blatt.")], "beside the paper"),
    ([lambda page: page.add_freetext_annot((72, 280, 400, 320), "Kommentar der Redaktion.")], "a comment"),
    ([hidden_layer], "a layer that is switched off"),
    ([clipped], "outside the clipping path"),
    ([lambda page: page.insert_text((72, 300), "Ganz durchsichtig.", fill_opacity=0)], "transparent"),
    ([lambda page: page.insert_text((72, 300), "Nie gedruckt.", render_mode=3)], "a text layer without a picture"),
]


@pytest.mark.parametrize(("items", "why"), UNSEEN, ids=[case[1] for case in UNSEEN])
def test_what_is_not_printed_is_not_text(items: list[Any], why: str, tmp_path: Path) -> None:
    assert read(tmp_path, [[Text(72, 100, SATZ), *items]])[0].text.strip() == SATZ


def test_a_white_word_in_a_black_line_is_not_text(tmp_path: Path) -> None:
    """Seen in an attack: the letters beside it reach into its place, so that it did not look blank."""
    line, at = [], 72.0
    for word, color in (("Wir wollen ", BLACK), ("nicht ", WHITE), ("neue Panzer kaufen.", BLACK)):
        line.append(Text(at, 300, word, color=color))
        at += pymupdf.get_text_length(word, fontsize=11)
    assert read(tmp_path, [line])[0].text.split() == ["Wir", "wollen", "neue", "Panzer", "kaufen."]


def test_text_outside_the_crop_box_is_not_printed(tmp_path: Path) -> None:
    doc = new([[Text(72, 100, SATZ), Text(72, 800, "Unter dem Beschnitt.")]])
    doc[0].set_cropbox((0, 0, 595, 700))
    assert read_programm(save(doc, tmp_path)).seiten[0].text.strip() == SATZ


def test_white_letters_on_a_coloured_box_stay(tmp_path: Path) -> None:
    items: list[Item] = [Text(72, 100, SATZ), box(60, 280, 400, 310, RED), Text(72, 300, "Weiß auf Rot.", color=WHITE)]
    assert "Weiß auf Rot." in read(tmp_path, [items])[0].text


def test_letters_that_say_they_are_transparent_stay_where_something_is_drawn(tmp_path: Path) -> None:
    """A heading filled with a gradient is written as transparent letters that clip the colour (BSW 2025)."""
    heading = [box(72, 286, 200, 302, RED), lambda page: page.insert_text((72, 300), "Verlaufsfarbe", fill_opacity=0)]
    assert "Verlaufsfarbe" in read(tmp_path, [[Text(72, 100, SATZ), *heading]])[0].text


def test_a_recognised_text_layer_is_read_although_it_is_invisible(tmp_path: Path) -> None:
    items: list[Item] = [picture(0, 0, 595, 842), lambda page: page.insert_text((72, 100), SATZ, render_mode=3)]
    (seite,) = read(tmp_path, [items])
    assert (seite.text.strip(), seite.ocr) == (SATZ, True)


NO_TEXT: list[tuple[list[Any], str]] = [
    ([], "blank page"),
    ([picture()], "picture only"),
    ([box(72, 100, 200, 200, RED)], "vector art only"),
    ([picture(), Text(290, 800, "2", 9)], "only a page number"),
    ([Text(72, 100, "t'0=$-0\"#0,=%32#=o#,2#,=$")], "text layer is garbage"),
]


@pytest.mark.parametrize(("items", "reason"), NO_TEXT, ids=[case[1] for case in NO_TEXT])
def test_a_page_without_readable_text_says_why(items: list[Any], reason: str, tmp_path: Path) -> None:
    seite = read(tmp_path, [[Text(72, 100, SATZ), Text(290, 800, "1", 9)], items])[1]
    assert seite.no_text is not None
    assert seite.no_text.startswith(reason)


PROSE = (
    "Wir wollen Radwege und Bahnhöfe überall im Land erhalten und dafür das Geld bereitstellen, das gefehlt hat. "
    "Niemand soll weite Wege haben, um zur Schule zu kommen, auch nicht im Dorf. Darum stärken wir die Kommunen."
)


def shifted(text: str, by: int) -> str:
    return "".join(char if char.isspace() else chr(max(33, ord(char) + by)) for char in text)


READABLE = [
    (PROSE, "German prose"),
    (
        "Wlr wolIen Radwege und Bahnhofe uberall irn Land erhaIten, rnehr Zusarnrnenarbeit und weniger Bürokratle.",
        "OCR",
    ),
    (
        "We want to keep cycle paths and stations everywhere in the country and pay for what has been missing.",
        "English",
    ),
    ("Herkes için adil bir gelecek istiyoruz ve bunun için çalışacağız, çünkü bu ülke hepimizin evidir.", "Turkish"),
    ("Мы хотим сохранить дороги и школы по всей стране и выделить на это деньги, которых не хватало.", "Russian"),
    ("2021 12,5 % 3,4 Mrd. 2022 13,1 % 3,9 Mrd. 2023 14,0 % 4,2 Mrd. 2024 15,5 % 4,4 Mrd.", "a table of figures"),
    ("Rente . . . . . . . . . . . . . . . . . . 12\nWohnen ................................ 34", "a table of contents"),
    ("Gute Arbeit", "a title"),
]
GARBAGE = [
    (shifted(PROSE, 1), "letters shifted by one"),
    (shifted(PROSE, -29), "glyph numbers in place of letters"),
    (shifted(PROSE, 256), "letters of another block"),
    ("\ufffd" * 200, "no letters known"),
    ("\ue041\ue042 \ue043\ue044" * 40, "private letters"),
]


@pytest.mark.parametrize(("text", "why"), READABLE, ids=[case[1] for case in READABLE])
def test_language_is_no_garbage(text: str, why: str) -> None:
    assert not is_garbage(text)


@pytest.mark.parametrize(("text", "why"), GARBAGE, ids=[case[1] for case in GARBAGE])
def test_letters_that_make_no_language_are_garbage(text: str, why: str) -> None:
    assert is_garbage(text)


def test_letter_spaced_words_are_written_together(tmp_path: Path) -> None:
    items = [Text(72, 100, "W A H L P R O G R A M M", 16), *body(SATZ, y=140)]
    assert read(tmp_path, [items])[0].text.startswith("WAHLPROGRAMM\n")


def test_glyphs_without_letters_are_told_from_a_few_unknown_ones() -> None:
    assert mostly_unknown("\ufffd" * 20 + "ab")
    assert not mostly_unknown("häu\ufffdger Text mit einem unbekannten Zeichen")


def test_macintosh_bytes_become_the_letters_they_stand_for() -> None:
    found = [(0, {"spans": [{"text": "Wir m\x9achten f\x9fr alle sp\x8ater ma§halten"}]})]
    assert is_macintosh(found[0][1]["spans"][0]["text"])
    from_macintosh(found)
    assert found[0][1]["spans"][0]["text"] == "Wir möchten für alle später maßhalten"


def test_versions_are_given_for_the_index() -> None:
    assert EXTRACTOR_VERSION >= 1
    assert re.match(r"\d+\.\d+", pymupdf_version())
