"""indexer.seitenlabel: the number that is printed on the page (SPEC §6, "Pages")."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from drawn import Item, Text, cut_out, new, prose, read, save

from indexer.pdf import read_programm


def pages(feet: Sequence[str], x: float = 290, y: float = 800) -> list[list[Item]]:
    """One page of text per given foot; no foot where it is empty."""
    return [[*prose(number), *([Text(x, y, foot, 9)] if foot else [])] for number, foot in enumerate(feet)]


def plain(*numbers: int) -> list[str]:
    return [str(number) for number in numbers]


LABELS: list[tuple[list[str], list[str | None], str]] = [
    (plain(1, 2, 3, 4, 5, 6, 7), [*plain(1, 2, 3, 4, 5, 6, 7)], "the number of the PDF page"),
    (["", "", *plain(1, 2, 3, 4, 5, 6)], [None, None, *plain(1, 2, 3, 4, 5, 6)], "shifted by a cover"),
    (plain(31, 32, 33, 34, 35, 36, 37), [*plain(31, 32, 33, 34, 35, 36, 37)], "an excerpt"),
    ([f"Seite {n} von 8" for n in range(1, 9)], [*plain(1, 2, 3, 4, 5, 6, 7, 8)], "Seite N von M"),
    ([f"- {n} -" for n in range(3, 11)], [*plain(3, 4, 5, 6, 7, 8, 9, 10)], "- N -"),
    ([f"S e i t e  {n} | 8" for n in range(1, 9)], [*plain(1, 2, 3, 4, 5, 6, 7, 8)], "S e i t e N | M"),
    ([f"{n} | Kapitel Wald" for n in range(1, 9)], [*plain(1, 2, 3, 4, 5, 6, 7, 8)], "N | chapter"),
    ([f"Programm 2021   {n}" for n in range(1, 9)], [*plain(1, 2, 3, 4, 5, 6, 7, 8)], "a year beside the number"),
    ([f"{n}/8" for n in range(1, 9)], [*plain(1, 2, 3, 4, 5, 6, 7, 8)], "a browser's print"),
    (["1", "2", "", "", "5", "6", "7", "8"], [*plain(1, 2, 3, 4, 5, 6, 7, 8)], "chapter openers without a number"),
    (["1", "2", "3", "4", "9", "10", "11", "12"], [*plain(1, 2, 3, 4, 9, 10, 11, 12)], "pages left out in the middle"),
    (["Wahlprogramm 2021"] * 8, [None] * 8, "a year is no page number"),
    (["2021"] * 8, [None] * 8, "a year alone is no page number"),
    (["Kapitel 1"] * 3 + ["Kapitel 2"] * 3 + ["Kapitel 3"] * 3, [None] * 9, "a chapter number is no page number"),
    ([""] * 8, [None] * 8, "no numbers at all"),
]


@pytest.mark.parametrize(("feet", "labels", "why"), LABELS, ids=[case[2] for case in LABELS])
def test_the_printed_number_is_read(feet: list[str], labels: list[str | None], why: str, tmp_path: Path) -> None:
    assert [seite.seitenlabel for seite in read(tmp_path, pages(feet))] == labels


def test_numbers_may_stand_in_the_head_and_change_sides(tmp_path: Path) -> None:
    book = [[Text(72 if n % 2 else 500, 40, str(n), 9), *prose(n)] for n in range(1, 9)]
    assert [seite.seitenlabel for seite in read(tmp_path, book)] == plain(*range(1, 9))


def test_two_printed_pages_on_one_sheet(tmp_path: Path) -> None:
    book = [[*prose(n), Text(100, 560, str(2 * n), 9), Text(700, 560, str(2 * n + 1), 9)] for n in range(1, 6)]
    assert [seite.seitenlabel for seite in read(tmp_path, book, (842, 595))] == ["2/3", "4/5", "6/7", "8/9", "10/11"]


def test_two_printed_numbers_may_stand_in_one_line(tmp_path: Path) -> None:
    book = [[*prose(n), Text(400, 560, f"{2 * n} | {2 * n + 1}", 9)] for n in range(1, 6)]
    assert [seite.seitenlabel for seite in read(tmp_path, book, (842, 595))] == ["2/3", "4/5", "6/7", "8/9", "10/11"]


def test_numbered_sections_at_the_top_of_pages_are_no_page_numbers(tmp_path: Path) -> None:
    book = [[Text(72, 60 + 7 * (n % 5), f"{n}. Abschnitt des Programms"), *prose(n)] for n in range(1, 4)]
    book += [prose(n) for n in range(20)]
    assert {seite.seitenlabel for seite in read(tmp_path, book)} == {None}


def labelled(folder: Path, feet: Sequence[str], labels: list[dict[str, object]]) -> list[str | None]:
    doc = new(pages(feet))
    doc.set_page_labels(labels)
    return [seite.seitenlabel for seite in read_programm(save(doc, folder)).seiten]


def test_roman_numbers_are_read_where_the_pdf_confirms_them(tmp_path: Path) -> None:
    labels: list[dict[str, object]] = [
        {"startpage": 0, "prefix": "", "style": "r", "firstpagenum": 1},
        {"startpage": 2, "prefix": "", "style": "D", "firstpagenum": 1},
    ]
    assert labelled(tmp_path, ["", "ii", *plain(1, 2, 3, 4)], labels) == ["i", "ii", "1", "2", "3", "4"]


def test_roman_numbers_that_go_up_need_no_confirmation(tmp_path: Path) -> None:
    seiten = read(tmp_path, pages(["", "ii", "iii", *plain(1, 2, 3, 4)]))
    assert [seite.seitenlabel for seite in seiten] == [None, "ii", "iii", "1", "2", "3", "4"]
    assert cut_out(seiten[1]) == ["ii"]


def test_labels_of_the_pdf_are_not_believed_against_the_print(tmp_path: Path) -> None:
    labels: list[dict[str, object]] = [{"startpage": 0, "prefix": "", "style": "D", "firstpagenum": 5}]
    assert labelled(tmp_path, ["", *plain(1, 2, 3, 4)], labels) == [None, "1", "2", "3", "4"]


def test_labels_of_the_pdf_alone_are_no_printed_numbers(tmp_path: Path) -> None:
    labels: list[dict[str, object]] = [{"startpage": 0, "prefix": "", "style": "D", "firstpagenum": 5}]
    assert labelled(tmp_path, [""] * 5, labels) == [None] * 5
