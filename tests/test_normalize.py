"""The one normal form: what is equal to the eye is equal here, and nothing else is."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.forms import page_forms
from indexer.normalize import compact, fold, strict
from indexer.seite import Cut

STRICT = [
    # text, strict form, reason
    ("Klima-\nschutz", "klimaschutz", "word broken at a line end"),
    ("Wirtschafts-\nund Sozialpolitik", "wirtschafts- und sozialpolitik", "suspended hyphen keeps hyphen and space"),
    ("CO2-\nAusstoß", "co2-ausstoß", "a hyphen beside a digit belongs to the word"),
    ("10-\n20 Stellen", "10-20 stellen", "never 1020"),
    ("Kita-\nQualität", "kita-qualität", "before a capital the hyphen is printed"),
    ("BÜND-\nNIS DEUTSCHLAND", "bündnis deutschland", "capitals broken at a line end are one word"),
    ("Bund-\nLänder", "bund-länder", "'Bund-' is not the conjunction"),
    ("Bundes\xad\ntagswahl", "bundestagswahl", "soft hyphen at a line end"),
    ("große \xad\nÜberlebensfrage", "große überlebensfrage", "stray soft hyphen after a space joins nothing"),
    ("CO2\xadZertifikate", "co2-zertifikate", "soft hyphen that is the printed hyphen"),
    ("Eins-zu-\xadeins", "eins-zu-eins", "hard hyphen, then soft: the hard one belongs to the word"),
    ("Druck der Profit\xad-\ninteressen", "druck der profitinteressen", "soft, then hard: both are the break"),
    ("Kultur\xad\nund Jugendarbeit", "kultur- und jugendarbeit", "suspended hyphen written as a soft one"),
    ("Bür¬\nger", "bürger", "OCR writes the line-end hyphen as ¬"),
    ("Qualiﬁzierte Oﬀenheit", "qualifizierte offenheit", "ligatures"),
    ("CO₂", "co2", "subscript digit"),
    ("65 m²", "65 m²", "raised exponent is text"),
    ("»Mut« – ‚ja‘ …", "\"mut\" - 'ja' ...", "one kind of quotation mark, apostrophe, dash"),
    ("fu\u0308r eine", "für eine", "NFC"),
    ("Wort\u200bteil\u2060e\ufeff", "wortteile", "zero-width marks"),
    ("\u202eDer Satz\u202c", "der satz", "bidi marks"),
    ("Wir\ufffdwollen", "wir wollen", "U+FFFD is a space, never a wildcard"),
    ("vor\x00nach\x9b", "vor nach", "control characters are spaces"),
    ("\uf0b7 Kitas\n• mehr", "kitas mehr", "bullets and private-use marks are spaces"),
    ("100\u2009% z.\u202fB.", "100 % z. b.", "thin spaces"),
    ("Maße Masse", "maße masse", "never casefold"),
    ("SchülerInnen Schülerinnen", "schülerInnen schülerinnen", "the inner capital stays marked"),
    ("Schüler*innen", "schüler*innen", "gender star is text"),
    ("2½ Stunden", "2 1/2 stunden", "a fraction is not welded to its number"),
]


@pytest.mark.parametrize(("text", "form", "reason"), STRICT, ids=[row[2] for row in STRICT])
def test_strict_form(text: str, form: str, reason: str) -> None:
    assert strict(fold(text)) == form, reason


EQUAL = [
    ("Wir sagen: „Mut“!", 'Wir sagen: "Mut"!', "quotation marks of every kind"),
    ("W a h l programm", "Wahlprogramm", "letter spacing"),
    ("sozial-\nökologisch", "sozial-ökologisch", "both readings of a line-end hyphen"),
    ("Start-\nups", "Start-ups", "hyphen that belongs to the word"),
    ("wehr- haftes", "wehrhaftes", "a break copied by a model"),
    ("30 000 Euro", "30.000 Euro", "thousands groups"),
    ("30\u202f000", "30000", "thousands group with a narrow space"),
    ("½ Jahr", "1/2 Jahr", "fraction"),
    ("z. B.", "z.B.", "space in an abbreviation"),
    ("100 %", "100%", "space before a percent sign"),
    ("m²", "m2", "exponent behind a letter"),
    ("10–20", "10-20", "dash in a range"),
    ("−5 Prozent", "-5 Prozent", "minus sign"),
    ("Krise – ohne", "Krise - ohne", "dash between words"),
]
DIFFERENT = [
    ("3,5", "35", "decimal comma"),
    ("-5 Prozent", "5 Prozent", "sign"),
    ("10-20", "1020", "range"),
    ("10-20", "10 20", "range and two numbers"),
    ("10 20", "1020", "two numbers are never welded"),
    ("3\n500 Euro", "3500 Euro", "numbers at a line break are never welded"),
    ("10²", "102", "exponent behind a digit"),
    ("schön", "schon", "umlaut"),
    ("Maße", "Masse", "ß is not ss"),
    ("Covid-19-Impfstoffe", "Covid19Impfstoffe", "hyphens beside digits"),
    ("SchülerInnen", "Schülerinnen", "inner capital"),
    ("Schüler*innen", "Schülerinnen", "gender star"),
    ("geht's", "gehts", "apostrophe inside a word"),
    ("Ja, wir", "Ja wir", "comma"),
    ("Der", "Dеr", "Cyrillic letter that looks alike"),
    ("\uff11", "1", "full-width digit"),
]


@pytest.mark.parametrize(("one", "two", "reason"), EQUAL, ids=[row[2] for row in EQUAL])
def test_equal_to_the_eye(one: str, two: str, reason: str) -> None:
    assert compact(fold(one)) == compact(fold(two)), reason


@pytest.mark.parametrize(("one", "two", "reason"), DIFFERENT, ids=[row[2] for row in DIFFERENT])
def test_different_in_print(one: str, two: str, reason: str) -> None:
    assert compact(fold(one)) != compact(fold(two)), reason


BOUNDARIES = [
    ("Nicht-Regierungsorganisationen helfen", "nichtregierungsorganisationen|helfen", "hyphen inside a compound"),
    ("1.500 neue", "1500|neue", "thousands group"),
    ("1 500 neue", "1500|neue", "thousands group with a space"),
    ("um -5 %", "um|-5|%", "sign"),
    ("1,5 Milliarden", "1,5|milliarden", "decimal comma"),
    ("10-20 Stellen", "10-20|stellen", "range"),
    ("5% mehr", "5%|mehr", "percent sign joined to its number"),
    ("W a h l und", "wahl|und", "letter-spaced word"),
    ("Schüler*innen, Lehrer:innen", "schüler*innen|,|lehrer:innen", "gender marks"),
    ("dieVerbraucher zahlen", "die|verbraucher|zahlen", "words glued by the text layer"),
    ("BAföG-Anträge", "bafögantr\u00e4ge", "no boundary inside an abbreviation"),
    ("Wirtschafts- und", "wirtschafts|und", "suspended hyphen"),
    ("sagt: „Wir", "sagt|:|wir", "quotation mark"),
]


@pytest.mark.parametrize(("text", "pieces", "reason"), BOUNDARIES, ids=[row[2] for row in BOUNDARIES])
def test_boundaries_of_words_and_numbers(text: str, pieces: str, reason: str) -> None:
    forms = page_forms(text, ())
    positions = [i for i in range(len(forms.compact) + 1) if forms.boundaries[i >> 3] >> (i & 7) & 1]
    assert "|".join(forms.compact[a:b] for a, b in pairwise(positions)) == pieces, reason


def test_cuts_leave_the_running_text_and_stay_quotable() -> None:
    text = "58\nWir wollen bür-\n3\ngernah sein.\nKopfzeile\n"
    cuts = (
        Cut(start=0, end=3, kind="page_number"),
        Cut(start=19, end=21, kind="line_number"),
        Cut(start=34, end=44, kind="head"),
    )
    forms = page_forms(text, cuts)
    assert forms.strict == "wir wollen bürgernah sein.\n58\nkopfzeile"
    assert forms.compact[: forms.flow_end] == "wirwollenbürgernahsein."


@pytest.mark.parametrize(
    ("before", "text", "boundary", "reason"),
    [
        ("mehr junge Men-", "schen kommen", False, "word broken over the page break"),
        ("ein Satz.", "Der nächste", True, "sentence end"),
        ("Wirtschafts-", "und Sozialpolitik", True, "suspended hyphen"),
        ("insgesamt 1", "500 neue Stellen", False, "digit group over the break"),
        ("im Jahr 2030", "500 neue Stellen", True, "a year is no digit group"),
    ],
)
def test_boundary_at_the_page_break(before: str, text: str, boundary: bool, reason: str) -> None:
    assert bool(page_forms(text, (), before=before).boundaries[0] & 1) is boundary, reason


german = st.text(
    alphabet=st.sampled_from("abcdeinstuäöüßABEINÜ 0123456789.,;:!?-–­\n„“\"'‘*_/%()[]²½ﬁ•n\u200b\ufffd\x00"),
    max_size=120,
)


@given(st.one_of(german, st.text(max_size=80)))
def test_fold_is_idempotent(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(german, st.lists(st.integers(0, 120), min_size=2, max_size=6))
def test_forms_of_any_page_are_consistent(text: str, ends: list[int]) -> None:
    marks = sorted({min(end, len(text)) for end in ends})
    kinds = ["head", "line_number", "page_number"]
    cuts = [
        Cut(start=a, end=b, kind=kinds[k % 3])
        for k, (a, b) in enumerate(zip(marks[::2], marks[1::2], strict=False))
        if a < b
    ]
    forms = page_forms(text, cuts)
    assert len(forms.boundaries) == len(forms.compact) // 8 + 1
    assert 0 <= forms.flow_end <= len(forms.compact)
    assert " " not in forms.strict or "  " not in forms.strict
    for position, (before, after) in enumerate(pairwise(forms.compact), start=1):
        inside_number = before in "0123456789" and after in "0123456789"
        assert not (inside_number and forms.boundaries[position >> 3] >> (position & 7) & 1)
