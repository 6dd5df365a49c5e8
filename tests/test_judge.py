"""Every verdict of SPEC §6 on an invented shelf of programmes, each row with its reason."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from invented import make_index, page

from verifier import Befund, Outcome, Verdict, Verifier

HEAD = "Wahlprogramm der Muster-Partei"
NRW = [
    page("Muster-Partei NRW\n\nWahlprogramm zur Landtagswahl 2022", seitenlabel=None),
    page(
        "KLIMA UND STRASSE\n\n"
        "Wir wollen bis 2030 mindestens 1.500 neue Windräder in unserem Land errichten. "
        "Der Ausbau der Solarenergie darf nicht länger an veralteten Vorschriften scheitern. "
        "Wir stehen für eine offene und vielfältige Gesellschaft. "
        "Die Beiträge senken wir spürbar, sofern die Rücklagen der Kassen es dauerhaft zulassen.\n\n"
        "Bessere Betreuung in allen Kindergärten des Landes\n\n"
        "Wir werden die Ausbildungsvergütung in der Pflege so anheben, dass mehr junge Men-",
        head=HEAD,
        number="1",
    ),
    page(
        "schen diesen Beruf ergreifen und ihm lange treu bleiben. "
        "Nicht-Regierungsorganisationen erhalten ein Klagerecht gegen alle Genehmigungen. "
        "Die Straßen in den Städten gehören allen Menschen, die dort leben.",
        head=HEAD,
        number="2",
    ),
    page("", seitenlabel="3", no_text="picture only"),
    page("Wir fördern den Umstieg auf leise und saubere Busse in allen Städten.", head=HEAD, number="4"),
]
BUND = [
    page("Das Rentenniveau sichern wir dauerhaft bei mindestens achtundvierzig Punkten des Lohns.", number="1"),
    page("Wir fördern den Umstieg auf leise und saubere Busse in allen Dörfern des ganzen Landes.", number="2"),
]
LIST = page("\uf0b7 kostenfreie Kitas ab dem ersten Geburtstag\n\n\uf0b7 mehr Personal in allen Ämtern", number="3")
DRAFT = [page("Im Entwurf stand noch ein Satz über die Abschaffung der Sommerzeit in ganz Europa.", number="1")]
PROGRAMME = [
    (
        {
            "id": "m-nrw-2022",
            "name": "MUSTER NRW Wahlprogramm 2022",
            "partei": "MUSTER",
            "bundesland": "NRW",
            "jahr": 2022,
        },
        NRW,
    ),
    (
        {
            "id": "m-bund-2021",
            "name": "MUSTER Wahlprogramm 2021",
            "partei": "MUSTER",
            "jahr": 2021,
            "werk": "m-bund-2021",
        },
        BUND,
    ),
    (
        {
            "id": "m-bund-2021-e",
            "name": "MUSTER Wahlprogramm 2021 (Entwurf)",
            "partei": "MUSTER",
            "jahr": 2021,
            "werk": "m-bund-2021",
            "fassung": "entwurf",
        },
        DRAFT,
    ),
    (
        {
            "id": "p-nrw-2022",
            "name": "PROBE NRW Wahlprogramm 2022",
            "partei": "PROBE",
            "bundesland": "NRW",
            "jahr": 2022,
        },
        [*BUND, LIST],
    ),
]
Q = "MUSTER NRW Wahlprogramm 2022"

ROWS = tomllib.loads(Path(__file__).with_name("tables").joinpath("verdicts.toml").read_text("utf-8"))["row"]


@pytest.fixture(scope="module")
def verifier(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Verifier]:
    with Verifier.open(make_index(tmp_path_factory.mktemp("shelf"), PROGRAMME)) as verifier:
        yield verifier


def check(verifier: Verifier, text: str, quelle: str, bundesland: str | None = "NRW", **more: str) -> Befund:
    return verifier.check(text=text, quelle=quelle, bundesland=bundesland, **more)


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['verdict']}: {row['reason']}" for row in ROWS])
def test_verdict(verifier: Verifier, row: dict[str, str]) -> None:
    befund = check(verifier, row["text"], row["quelle"])
    assert befund.verdict == row["verdict"], (row["reason"], befund)
    assert befund.outcome is befund.verdict.outcome


def test_cross_state_still_says_what_the_words_gave(verifier: Verifier) -> None:
    text = "Wir stehen für eine offene und vielfältige Gesellschaft."
    befund = check(verifier, text, f"{Q}, S. 2", "Bayern")
    assert befund.verdict is Verdict.CROSS_STATE
    assert [(place.programm_id, place.seite) for place in befund.found] == [("m-nrw-2022", 2)]
    assert "exact" in befund.message


@pytest.mark.parametrize("bundesland", [None, "Atlantis"])
def test_unknown_bundesland_is_never_cross_state(verifier: Verifier, bundesland: str | None) -> None:
    befund = check(verifier, "Wir stehen für eine offene und vielfältige Gesellschaft.", f"{Q}, S. 2", bundesland)
    assert befund.verdict is Verdict.EXACT
    assert any("Bundesland" in note for note in befund.notes)


def test_a_federal_antrag_does_not_cite_a_land(verifier: Verifier) -> None:
    text = "Wir stehen für eine offene und vielfältige Gesellschaft."
    assert check(verifier, text, f"{Q}, S. 2", "Bund").verdict is Verdict.CROSS_STATE


def test_not_indexed_is_neither_right_nor_wrong(tmp_path: Path) -> None:
    programme = [(fields, None if fields["id"] == "m-nrw-2022" else pages) for fields, pages in PROGRAMME]
    with Verifier.open(make_index(tmp_path, programme)) as verifier:
        befund = check(verifier, "Wir stehen für eine offene und vielfältige Gesellschaft.", f"{Q}, S. 2")
    assert befund.verdict is Verdict.NOT_INDEXED


def test_another_edition_is_read_on_the_pages_that_the_number_may_mean(tmp_path: Path) -> None:
    """Seen in a review: under `--pages pdf` the draft's printed numbers counted all the same."""
    cover = page("Ein Entwurf, über den noch beraten wird", seitenlabel=None)
    programme = [(fields, [cover, *DRAFT] if fields["id"] == "m-bund-2021-e" else own) for fields, own in PROGRAMME]
    with Verifier.open(make_index(tmp_path, programme)) as verifier:
        verdicts = {
            pages: Verifier(verifier.index, pages=pages)
            .check(text="Im Entwurf stand noch ein Satz über die Abschaffung", quelle="MUSTER Wahlprogramm 2021, S. 1")
            .verdict
            for pages in ("pdf", "printed", "either")
        }
    assert verdicts == {
        "pdf": Verdict.WRONG_PAGE,
        "printed": Verdict.OTHER_EDITION,
        "either": Verdict.OTHER_EDITION,
    }


def test_the_second_reading_begins_in_no_word_that_the_page_break_goes_through(tmp_path: Path) -> None:
    box = "Kasten am Rand mit viel Text\n"
    before, after = "land auf den Weg gebracht werden. Damit lassen sich\n", "viele Dinge tun.\n"
    broken = {"text": before + box + after, "cuts": [(len(before), len(before) + len(box), "margin")]}
    pages = [page("Das muss in ganz Deutsch-"), broken]
    with Verifier.open(make_index(tmp_path, [(PROGRAMME[0][0], pages)])) as verifier:
        whole = check(verifier, "auf den Weg gebracht werden. Damit lassen sich Kasten am Rand", f"{Q}, S. 2")
        broken_off = check(verifier, "land auf den Weg gebracht werden. Damit lassen sich Kasten am Rand", f"{Q}, S. 2")
    assert whole.verdict is Verdict.LAYOUT
    assert broken_off.outcome is not Outcome.PASS


PARTED = [
    (
        "Das ist nichtstaatliche Aufgabe im ganzen Land.",
        "Das ist nicht staatliche Aufgabe im ganzen Land.",
        ["nicht"],
        "welded",
    ),
    (
        "Das gilt für nicht Mitglieder im ganzen Land.",
        "Das gilt für Nicht-Mitglieder im ganzen Land.",
        ["nicht"],
        "parted",
    ),
    (
        "Das gilt für wehr- haftes Land, und nicht nur hier.",
        "Das gilt für wehrhaftes Land, und nicht nur hier.",
        [],
        "another word",
    ),
    ("Das gilt „nicht nur“ hier im ganzen Land.", "Das gilt nicht nur hier im ganzen Land.", [], "marks only"),
]


@pytest.mark.parametrize(("text", "printed", "named", "why"), PARTED, ids=[case[3] for case in PARTED])
def test_a_negation_that_is_a_word_on_one_side_only_is_noted(
    text: str, printed: str, named: list[str], why: str, tmp_path: Path
) -> None:
    with Verifier.open(make_index(tmp_path, [(PROGRAMME[0][0], [page(printed)])])) as verifier:
        befund = check(verifier, text, f"{Q}, S. 1")
    assert befund.verdict is Verdict.LAYOUT
    assert [note.rpartition(": ")[2] for note in befund.notes if "spaces or hyphens" in note] == named, why


def test_found_names_both_pages_of_a_passage_over_the_break(verifier: Verifier) -> None:
    befund = check(verifier, "dass mehr junge Menschen diesen Beruf ergreifen", f"{Q}, S. 2")
    assert [place.seite for place in befund.found] == [2, 3]
    elsewhere = check(verifier, "dass mehr junge Menschen diesen Beruf ergreifen", f"{Q}, S. 5")
    assert elsewhere.verdict is Verdict.WRONG_PAGE
    assert [place.seite for place in elsewhere.found] == [2, 3]


def test_own_programme_comes_first_in_found(verifier: Verifier) -> None:
    befund = check(
        verifier, "Das Rentenniveau sichern wir dauerhaft bei mindestens", "PROBE NRW Wahlprogramm 2022, S. 2"
    )
    assert befund.verdict is Verdict.WRONG_PAGE
    assert [place.programm_id for place in befund.found] == ["p-nrw-2022", "m-bund-2021"]


def test_nearest_shows_the_source_and_what_differs(verifier: Verifier) -> None:
    befund = check(verifier, "Wir wollen bis 2035 mindestens 1.500 neue Windräder in unserem Land", f"{Q}, S. 2")
    assert befund.nearest is not None
    assert "Wir wollen bis 2030 mindestens 1.500 neue Windräder" in befund.nearest.text
    assert [(change.kind, change.quoted, change.printed) for change in befund.nearest.diff] == [
        ("number", "2035", "2030")
    ]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Die Beiträge senken wir spürbar", "sofern"),
        ("an veralteten Vorschriften scheitern.", "nicht"),
        ("neue Windräder in unserem Land errichten", "mindestens"),
    ],
)
def test_what_was_cropped_at_the_edges_is_shown(verifier: Verifier, text: str, word: str) -> None:
    befund = check(verifier, text, f"{Q}, S. 2")
    assert befund.verdict is Verdict.EXACT
    assert any(word in note for note in befund.notes)


def test_a_guard_word_behind_the_page_break_is_shown(tmp_path: Path) -> None:
    pages = [
        page("Wir bauen alle Straßen und Schienen im ganzen Land", number="1"),
        page("nicht weiter aus.", number="2"),
    ]
    with Verifier.open(make_index(tmp_path, [(PROGRAMME[0][0], pages)])) as verifier:
        befund = check(verifier, "Wir bauen alle Straßen und Schienen im ganzen Land", f"{Q}, S. 1")
    assert befund.verdict is Verdict.EXACT
    assert any("nicht" in note for note in befund.notes)


def test_a_whole_sentence_has_no_note(verifier: Verifier) -> None:
    assert check(verifier, "Wir stehen für eine offene und vielfältige Gesellschaft.", f"{Q}, S. 2").notes == ()


def test_url_and_fraktion_that_do_not_fit_are_noted(verifier: Verifier) -> None:
    text = "Wir stehen für eine offene und vielfältige Gesellschaft."
    befund = check(verifier, text, f"{Q}, S. 2", url="/static/spd-nrw-2022.pdf#page=9", fraktion="SPD")
    assert befund.verdict is Verdict.EXACT
    assert len(befund.notes) == 3


def test_pages_option_chooses_the_numbering(verifier: Verifier) -> None:
    text = "Wir fördern den Umstieg auf leise und saubere Busse in allen Städten."
    verdicts = {
        pages: Verifier(verifier.index, pages=pages).check(text=text, quelle=f"{Q}, S. 4", bundesland="NRW").verdict
        for pages in ("pdf", "printed", "either")
    }
    assert verdicts == {"pdf": "wrong_page", "printed": "printed_page", "either": "printed_page"}
