"""indexer.layout: what is no running text, and what must never be taken for such (SPEC §5)."""

from pathlib import Path

import pymupdf  # noqa: TID251 - measures what it draws
import pytest
from drawn import RED, Item, Text, body, box, cut_out, new, prose, read, running, save, sideways

from indexer.normalize import fold
from indexer.pdf import read_programm

NARROW = (420.0, 595.0)


def book(*heads: str, feet: bool = True) -> list[list[Item]]:
    """One page per given head, with running text and a page number."""
    pages: list[list[Item]] = []
    for number, head in enumerate(heads, start=1):
        page: list[Item] = [Text(72, 40, head, 9)] if head else []
        pages.append([*page, *prose(number), *([Text(290, 800, str(number), 9)] if feet else [])])
    return pages


HEADS = [
    (["Wahlprogramm 2022"] * 4, "the same on every page"),
    (["Wahlprogramm"] * 2 + ["Kapitel 4: Wald"], "changes with the chapter, three pages in all"),
    (["Wohnen", "Wohnen", "Bahn", "Bahn", "Bahn", "Rente", "Rente", "Wald"], "changes with the chapter"),
    (
        ["Partei", "Wohnen", "Partei", "Wohnen", "Partei", "Bahn", "Partei", "Bahn"],
        "party on the left, chapter on the right",
    ),
    (["", "Wahlprogramm", "Wahlprogramm", "Wahlprogramm", "", "Wahlprogramm"], "missing where chapters open"),
]


@pytest.mark.parametrize(("heads", "why"), HEADS, ids=[case[1] for case in HEADS])
def test_running_heads_are_no_running_text(heads: list[str], why: str, tmp_path: Path) -> None:
    for seite, head in zip(read(tmp_path, book(*heads)), heads, strict=True):
        assert cut_out(seite, "head") == ([head] if head else [])
        assert running(seite).startswith("Wir wollen")


def test_heads_may_change_sides(tmp_path: Path) -> None:
    pages = [
        [Text(72 if n % 2 else 440, 40, "Unser Programm", 9), *prose(n), Text(72 if n % 2 else 510, 800, str(n), 9)]
        for n in range(1, 7)
    ]
    for number, seite in enumerate(read(tmp_path, pages), start=1):
        assert cut_out(seite) == ["Unser Programm", str(number)]


def test_the_foot_may_come_first_in_the_text_order(tmp_path: Path) -> None:
    pages = [
        [Text(290, 800, str(n), 9), Text(72, 800, "Partei · Straße 1 · Berlin", 8), *prose(n)] for n in range(1, 5)
    ]
    for seite in read(tmp_path, pages):
        assert cut_out(seite, "foot") == ["Partei · Straße 1 · Berlin"]
        assert running(seite).startswith("Wir wollen")


def test_a_sentence_runs_on_across_foot_and_head(tmp_path: Path) -> None:
    pages = book("Programm", "Programm", "Programm")
    pages[0].insert(-1, Text(72, 740, "Neue Wohnungen sollen dort ent-"))
    pages[1].insert(1, Text(72, 100, "stehen, wo Busse fahren."))
    seiten = read(tmp_path, pages)
    assert running(seiten[0]).endswith("ent-\n")
    assert running(seiten[1]).startswith("stehen, wo Busse fahren.")


CONTENT = [
    ([Text(72, 120, "Wahlprogramm", 16)], "Wahlprogramm", "a heading equal to the running head"),
    (
        [Text(72, 300, "Gemeinsam sind wir stark.")],
        "Gemeinsam sind wir stark.",
        "a slogan within the text on every page",
    ),
    ([Text(72, 300, "- Wir halten Wort.")], "- Wir halten Wort.", "the same bullet on every page"),
    (
        [Text(72, 300, "3 Prozent der Wälder bleiben unberührt.")],
        "3 Prozent der Wälder",
        "a number at the start of a line",
    ),
    ([Text(72, 300, "2030")], "2030", "a year alone in its line"),
]


@pytest.mark.parametrize(("items", "text", "why"), CONTENT, ids=[case[2] for case in CONTENT])
def test_hygiene_never_eats_content(items: list[Item], text: str, why: str, tmp_path: Path) -> None:
    pages = [[*page, *items] for page in book(*["Wahlprogramm"] * 5)]
    for seite in read(tmp_path, pages):
        assert text in running(seite)


def test_heads_without_a_twin_share_the_name_of_the_programme(tmp_path: Path) -> None:
    titles = ["Wald", "Wohnen", "Bahn", "Rente", "Pflege", "Kultur", "Sport", "Europa"]
    for seite, title in zip(
        read(tmp_path, book(*[f"Regierungsprogramm · {title}" for title in titles])), titles, strict=True
    ):
        assert cut_out(seite, "head") == [f"Regierungsprogramm · {title}"]


def test_a_heading_that_recurs_at_the_top_of_a_few_pages_is_no_head(tmp_path: Path) -> None:
    pages = [
        [Text(72, 90, "Wir werden:" if n in {3, 9, 14} else f"Ziel {chr(64 + n)}", 11, "hebo"), *prose(n)]
        for n in range(1, 17)
    ]
    for seite in read(tmp_path, pages):
        assert cut_out(seite) == []


def test_pages_that_differ_by_a_number_only_are_text(tmp_path: Path) -> None:
    pages = [
        [*body(f"Seite {n} des Testprogramms.", f"Der Satz auf Seite {n} ist richtig."), Text(290, 800, str(n), 9)]
        for n in range(1, 6)
    ]
    for seite in read(tmp_path, pages):
        assert cut_out(seite) == [str(seite.seite)]


def test_the_same_first_line_on_the_few_pages_of_a_leaflet_is_no_head(tmp_path: Path) -> None:
    pages = [
        [Text(72, 70, "Titel"), Text(72, 86, "Untertitel")],
        body("Unternehmen gründen", "geht in drei Tagen."),
        body("Unternehmen gründen", "geht auch am Abend."),
    ]
    assert all(cut_out(seite) == [] for seite in read(tmp_path, pages))


def test_sideways_text_at_the_edge_is_margin(tmp_path: Path) -> None:
    pages: list[list[Item]] = [[*prose(n), sideways(20, 400, "Kapitel Umwelt")] for n in range(1, 4)]
    for seite in read(tmp_path, pages):
        assert cut_out(seite, "margin") == ["Kapitel Umwelt"]


LINES = [
    "Wir danken allen Bür-",
    "gerinnen und Bürgern, die jeden Tag",
    "anpacken. Die Wirtschaft wächst um",
    "3 Prozent, und davon",
    "profitieren alle im Land. Wir wollen",
    "dass das so bleibt.",
]


def numbered(x: float, first: int = 1, step: int = 1, size: float = 8) -> list[Text]:
    """Six lines of text, each `step`-th with its number at `x`."""
    page: list[Text] = []
    for at, line in enumerate(body(*LINES, x=100)):
        if (first + at) % step == 0:
            page.append(Text(x, line.y, str(first + at), size))
        page.append(line)
    return page


def numbers_first(x: float) -> list[Text]:
    """The same with all numbers before all lines in the text order."""
    return sorted(numbered(x), key=lambda text: text.x != x)


NUMBERED = [
    ([numbered(50)], "left, after one page"),
    ([numbered(540)], "right"),
    ([numbered(50, 1), numbered(50, 7), numbered(50, 13)], "counted on over the pages"),
    ([numbered(50), numbered(50), numbered(50)], "counted anew on each page"),
    ([numbered(50, 1, 5), *[numbered(50, 1 + 30 * page, 5) for page in (1, 2)]], "every fifth line"),
    ([numbers_first(50)], "all numbers of the page first"),
    ([numbered(50, size=11)] * 3, "in the size of the text"),
]


@pytest.mark.parametrize(
    ("pages", "why"),
    [case for case in NUMBERED if "fifth" not in case[1]],
    ids=[case[1] for case in NUMBERED if "fifth" not in case[1]],
)
def test_line_numbers_go_and_printed_numbers_stay(pages: list[list[Text]], why: str, tmp_path: Path) -> None:
    for seite in read(tmp_path, pages):
        assert running(seite).replace("\n\n", "\n") == "\n".join(LINES) + "\n"


def test_every_fifth_line_may_be_numbered(tmp_path: Path) -> None:
    lines = [f"Zeile {chr(97 + at)} des Antrags geht weiter und" for at in range(25)]
    pages = []
    for first in (1, 26):
        page: list[Item] = []
        for at, line in enumerate(body(*lines, x=100)):
            page.append(line)
            if (first + at) % 5 == 0:
                page.append(Text(60, line.y, str(first + at), 7))
        pages.append(page)
    for seite in read(tmp_path, pages):
        assert len(cut_out(seite, "line_number")) == 5
        assert running(seite).replace("\n\n", "\n") == "\n".join(lines) + "\n"


def test_line_numbers_within_a_line_leave_marks_and_ends_in_place(tmp_path: Path) -> None:
    page: list[Item] = []
    for at, line in enumerate(["Das Klima", "Der Wald", "Die Luft", "Das Wasser"]):
        y = 100 + 15 * at
        page += [Text(60, y, str(at + 7), 6, "cour"), *raised(line, str(at + 1), " braucht Schutz und", y)]
    seite = read(tmp_path, [page])[0]
    assert cut_out(seite, "line_number", "footnote_mark") == ["7", "1", "8", "2", "9", "3", "10", "4"]
    assert running(seite).splitlines()[0] == "Das Klima braucht Schutz und"


def test_both_columns_may_be_numbered(tmp_path: Path) -> None:
    left, right = (
        ["Wir bauen neue", "Schulen im Land", "und stellen auch", "Lehrkräfte ein."],
        ["Wir pflanzen viele", "neue Wälder und", "schützen die alten", "vor der Säge."],
    )
    page = [
        item
        for x, lines in ((100, left), (340, right))
        for at, line in enumerate(body(*lines, x=x), start=1)
        for item in (Text(x - 40, line.y, str(at), 7), line)
    ]
    assert running(read(tmp_path, [page])[0]).split() == " ".join([*left, *right]).split()


def test_the_number_of_a_short_last_page_goes_too(tmp_path: Path) -> None:
    pages = [numbered(50, 1), numbered(50, 7), [Text(50, 100, "13", 8), Text(100, 100, "Schlusswort.")]]
    assert running(read(tmp_path, pages)[2]) == "Schlusswort.\n"


def test_a_numbered_table_of_contents_keeps_its_numbers(tmp_path: Path) -> None:
    toc = [
        item
        for at in range(1, 9)
        for item in (Text(72, 100 + 20 * at, str(at)), Text(100, 100 + 20 * at, f"Kapitel über Thema {chr(64 + at)}"))
    ]
    seite = read(tmp_path, [list(toc), *[prose(n) for n in range(4)]])[0]
    assert cut_out(seite, "line_number") == []


def test_footnotes_leave_the_sentence_that_runs_over_the_page(tmp_path: Path) -> None:
    pages = book(*["Programm"] * 3)
    pages[0][-1:-1] = [
        Text(72, 700, "Neue Wohnungen sollen dort ent-"),
        Text(72, 770, "1 Quelle: eigene Berechnung.", 7),
    ]
    seite = read(tmp_path, pages)[0]
    assert cut_out(seite, "footnote") == ["1 Quelle: eigene Berechnung."]
    assert running(seite).endswith("ent-\n")


def raised(before: str, mark: str, after: str, y: float = 100) -> list[Text]:
    """A line of Courier with a raised number in it (each of its letters is 0.6 of the size wide)."""
    wide = 0.6 * 10
    end = 72 + wide * len(before)
    return [
        Text(72, y, before, 10, "cour"),
        Text(end, y - 4, mark, 6, "cour"),
        Text(end + 3.6 * len(mark), y, after, 10, "cour"),
    ]


RAISED = [
    (("Das Klima", "1", " bleibt unser Ziel."), "Das Klima bleibt unser Ziel.", "a mark behind a word"),
    (("Das ist gesagt.", "12", " Es gilt."), "Das ist gesagt. Es gilt.", "a mark behind a full stop"),
    (("Eine Wohnung hat 65 m", "2", " für alle."), "Eine Wohnung hat 65 m² für alle.", "square metres"),
    (("Auf 100 km", "2", " leben viele."), "Auf 100 km² leben viele.", "square kilometres"),
    (("Es sind 10", "6", " Euro."), "Es sind 10⁶ Euro.", "a power: 10⁶ is not 106"),
]


@pytest.mark.parametrize(("parts", "text", "why"), RAISED, ids=[case[2] for case in RAISED])
def test_raised_numbers_are_marks_or_exponents(
    parts: tuple[str, str, str], text: str, why: str, tmp_path: Path
) -> None:
    page = [*raised(*parts), *body("Und so geht der Text weiter.", y=130)]
    assert running(read(tmp_path, [page])[0]).split("\n")[0] == text


def test_a_mark_behind_a_year_never_welds_with_it(tmp_path: Path) -> None:
    page = [
        *raised("Klimaneutral bis 2040", "12", " im Land."),
        *body("Weiter.", y=130),
        Text(72, 770, "12 Bezogen auf 1990.", 6),
    ]
    assert running(read(tmp_path, [page])[0]).startswith("Klimaneutral bis 2040 im Land.")


def test_a_name_with_a_raised_number_is_no_note(tmp_path: Path) -> None:
    page = [item for y in (100, 130, 160) for item in raised("Die Partei-V", "3", " will das.", y)]
    assert running(read(tmp_path, [page])[0]).count("Partei-V³ will") == 3


DOUBLES = [
    ([Text(72, 100, "Eine Überschrift", 14), Text(74, 102, "Eine Überschrift", 14)], "a shadow"),
    ([Text(72, 100, "Eine Überschrift", 14)] * 4, "drawn four times to look bold"),
    ([Text(72, 100, "Eine Über", 14), Text(72, 100, "Eine Überschrift", 14)], "begun twice"),
    ([Text(72, 100, "Eine Überschrift", 14), Text(72, 100, "Eine", 14)], "the beginning again"),
]


@pytest.mark.parametrize(("items", "why"), DOUBLES, ids=[case[1] for case in DOUBLES])
def test_text_drawn_twice_counts_once(items: list[Item], why: str, tmp_path: Path) -> None:
    seite = read(tmp_path, [[*items, *body("Darunter steht ein Satz.", y=140)]])[0]
    assert running(seite).split() == ["Eine", "Überschrift", "Darunter", "steht", "ein", "Satz."]


def test_letters_drawn_again_before_a_hyphen_are_written_once(tmp_path: Path) -> None:
    """FDP 2009: bold by fourfold printing, of which the library keeps what stands before a hyphen at a line's end."""
    start = 72 + pymupdf.get_text_length("Wir wollen eine unve", fontsize=11)
    again = [Text(start + shift, 100, "r-") for shift in (0.2, 0.0, 0.2)]
    page = [Text(72, 100, "Wir wollen eine unver-"), *again, *body("zügliche Aufnahme der Arbeit.", y=115)]
    seite = read(tmp_path, [page])[0]
    assert fold(running(seite)).split() == ["wir", "wollen", "eine", "unverzügliche", "aufnahme", "der", "arbeit."]


@pytest.mark.parametrize("text", ["Eine Ro-Ro-Fähre und ein Hin-in-Weg", "die Ein-in-die-Welt-lt-Karte"])
def test_the_same_letters_before_two_hyphens_are_no_overprint(text: str, tmp_path: Path) -> None:
    assert running(read(tmp_path, [body(text, "Darunter steht ein Satz.")])[0]).splitlines()[0].strip() == text


def test_the_same_word_twice_in_a_line_is_no_double(tmp_path: Path) -> None:
    seite = read(tmp_path, [body("die die Arbeit tun", "die die Arbeit tun")])[0]
    assert cut_out(seite) == []


def test_a_drop_cap_joins_its_word(tmp_path: Path) -> None:
    page = [Text(72, 130, "W", 42), *body("ir bauen das Land um und", "machen es gerechter.", x=116, y=100)]
    assert running(read(tmp_path, [page])[0]).startswith("Wir bauen das Land um und\n")


BOXES = [
    ([Text(400, 300, "Unsere Wälder in Zahlen", 8)], "margin", "a note beside the text"),
    ([Text(72, 300, "Bild: Ein Wald im Herbst", 8)], "caption", "a caption below the text"),
]


@pytest.mark.parametrize(("items", "kind", "why"), BOXES, ids=[case[2] for case in BOXES])
def test_boxes_between_the_halves_of_a_sentence_move_out(
    items: list[Item], kind: str, why: str, tmp_path: Path
) -> None:
    page = [
        *body("Die Wälder brauchen Schutz", "vor Trockenheit und vor allem", "vor dem Menschen, der sie"),
        *items,
        *body("oft nur als Ware sieht.", "Das ändern wir.", y=400),
    ]
    seite = read(tmp_path, [page])[0]
    assert len(cut_out(seite, kind)) == 1
    assert "der sie\noft nur als Ware" in running(seite)


def test_notes_in_a_margin_column_are_no_running_text(tmp_path: Path) -> None:
    pages = [[*prose(n), *body("Mehr Wald", "für alle", x=430, y=200, size=8)] for n in range(4)]
    for seite in read(tmp_path, pages):
        assert cut_out(seite) == ["Mehr Wald\nfür alle"]


def test_a_line_of_another_size_within_the_text_stays(tmp_path: Path) -> None:
    page = [
        *body("Wir wollen, dass alle Menschen", "gut leben und"),
        Text(72, 130.8, "gesund bleiben", 13),
        *body("und sich wohl fühlen.", "Das ist unser Ziel.", y=146.2),
    ]
    assert "gesund bleiben" in running(read(tmp_path, [page])[0])


def test_columns_keep_the_natural_order(tmp_path: Path) -> None:
    page = [*body("Links oben", "links unten", x=72), *body("rechts oben", "rechts unten", x=320)]
    assert running(read(tmp_path, [page])[0]).split("\n") == [
        "Links oben",
        "links unten",
        "rechts oben",
        "rechts unten",
        "",
    ]


LONG = "Wir wollen, dass alle Menschen im Land gut leben können und dass"
ENDS = [
    ([Text(72, 100, "Gute Arbeit", 16), Text(72, 125, LONG)], "Gute Arbeit\n\n", "a heading"),
    ([Text(72, 100, "Gute Arbeit", 11, "hebo"), Text(72, 115, LONG)], "Gute Arbeit\n\n", "a bold heading"),
    ([Text(72, 100, "• freie Bahn"), Text(72, 115, "• " + LONG)], "freie Bahn\n\n", "a bullet"),
    (
        [
            Text(72, 100, LONG),
            Text(72, 115, "Arbeit"),
            Text(72, 130, "Wer arbeitet, soll davon leben können, auch in der Stadt und"),
        ],
        "Arbeit\n\n",
        "a short last line",
    ),
    ([Text(72, 100, LONG), Text(72, 140, "Wer arbeitet, soll davon leben.")], "und dass\n\n", "white space"),
]


@pytest.mark.parametrize(("items", "text", "why"), ENDS, ids=[case[2] for case in ENDS])
def test_ends_of_paragraphs_are_marked(items: list[Item], text: str, why: str, tmp_path: Path) -> None:
    assert text in read(tmp_path, [items])[0].text


GOES_ON = [
    ([Text(72, 100, LONG), Text(72, 115, "Arbeit sich lohnt.")], "dass\nArbeit", "a full line before a noun"),
    (
        [Text(72, 100, "Wir wollen eine Wirtschafts-"), Text(72, 115, "politik für alle.")],
        "Wirtschafts-\npolitik",
        "a broken word",
    ),
    (
        [Text(72, 100, "Wir wollen"), Text(72, 115, "mehr davon als bisher, und zwar bald.")],
        "wollen\nmehr",
        "a small letter",
    ),
]


@pytest.mark.parametrize(("items", "text", "why"), GOES_ON, ids=[case[2] for case in GOES_ON])
def test_a_sentence_that_goes_on_has_no_end(items: list[Item], text: str, why: str, tmp_path: Path) -> None:
    assert text in read(tmp_path, [items])[0].text


def test_cuts_are_sorted_and_do_not_overlap(tmp_path: Path) -> None:
    pages: list[list[Item]] = [
        [Text(72, 40, "Programm", 9), box(60, 50, 70, 60, RED), *numbered(50, 6 * n + 1), Text(290, 800, str(n + 1), 9)]
        for n in range(4)
    ]
    for seite in read(tmp_path, pages):
        edges = [edge for cut in seite.cuts for edge in (cut.start, cut.end)]
        assert edges == sorted(edges)
        assert all(cut.start < cut.end <= len(seite.text) for cut in seite.cuts)


def test_two_readings_are_equal(tmp_path: Path) -> None:
    path = save(new(book(*["Programm"] * 4), NARROW), tmp_path)
    assert read_programm(path) == read_programm(path)
