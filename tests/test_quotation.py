"""What models leave in and around their quotations is forgiven; a word never is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.normalize import compact, fold
from verifier.quotation import Quotation

PRINTED = "Wir werden die Rente sichern und stärken."

DEBRIS = [
    ("„Wir werden die Rente sichern und stärken.“", "outer quotation marks"),
    ("Zitat: Wir werden die Rente sichern und stärken.", "label"),
    ("> Wir werden die Rente sichern und stärken.", "Markdown quotation"),
    ("**Wir werden** die Rente sichern und stärken.", "bold"),
    ("*Wir werden die Rente sichern und stärken.*", "italics"),
    (r"Wir werden die \"Rente\" sichern und stärken.", "escaped quotation marks"),
    ("Wir werden [die] Rente sichern und stärken.", "brackets around a printed word"),
    ("Wir werden die Rente [cite_start]sichern und stärken.[cite: 12, 13]", "citation tokens"),
    ("Wir werden die Rente sichern und stärken. [1]", "footnote of the model"),
    ("Wir werden die Rente sichern und stärken.【12†source】", "citation token of an assistant"),
    ("Wir werden die Rente sichern und stärken. (S. 58)", "page at the end"),
    ("Wir werden die Rente sichern und stärken.“ (Seite 58)", "page behind the closing mark"),
    ("• Wir werden die Rente sichern und stärken.", "bullet"),
    ("- Wir werden die Rente sichern und stärken.", "dash as bullet"),
    ("[…] Wir werden die Rente sichern und stärken. […]", "cut marks at both ends"),
    ("... Wir werden die Rente sichern und stärken.  ...", "dots at both ends"),
]


@pytest.mark.parametrize(("text", "reason"), DEBRIS, ids=[row[1] for row in DEBRIS])
def test_debris_is_forgiven(text: str, reason: str) -> None:
    forms = [reading.compact for reading in Quotation(text).readings]
    assert compact(fold(PRINTED)) in forms, reason


KEPT = [
    ("Wir [die Grünen] werden die Rente sichern.", "diegrünen", "an insertion is a change"),
    ("Wir werden die Rente um [20] Prozent erhöhen", "prozent", "words beside a token"),
    ("&lt;b&gt;Wir&lt;/b&gt; werden", "werden", "escaped HTML"),
]


@pytest.mark.parametrize(("text", "word", "reason"), KEPT, ids=[row[2] for row in KEPT])
def test_no_reading_loses_a_word(text: str, word: str, reason: str) -> None:
    assert all(word in reading.compact for reading in Quotation(text).readings), reason


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Forschung &amp; Entwicklung", "forschung&entwicklung"),
        ("Forschung &amp;amp; Entwicklung", "forschung&entwicklung"),
    ],
)
def test_html_is_unescaped_once_and_twice(text: str, form: str) -> None:
    assert form in [reading.compact for reading in Quotation(text).readings]


LENGTHS = [
    ("......... auf 16 Jahre .........", 12, "dots do not count"),
    ("„Wir wollen mehr“", 15, "outer marks do not count"),
    ("\u200b" * 30, 0, "nothing but invisible marks"),
    ('"' * 25, 0, "nothing but quotation marks"),
    ("Kohleausstieg sofort", 20, "long enough"),
    ("", 0, "empty"),
]


@pytest.mark.parametrize(("text", "length", "reason"), LENGTHS, ids=[row[2] for row in LENGTHS])
def test_length_without_marks(text: str, length: int, reason: str) -> None:
    assert Quotation(text).length == length, reason


@pytest.mark.parametrize(
    ("text", "parts", "open_end"),
    [
        ("Wir wollen […] mehr Bahn", ["wir wollen", "mehr bahn"], False),
        ("Wir wollen ... mehr (…) Bahn …", ["wir wollen", "mehr", "bahn"], True),
        ("Wir wollen . . . mehr", ["wir wollen", "mehr"], False),
        ("... mehr Bahn", [], False),
        ("mehr Bahn …", [], True),
    ],
)
def test_marked_gaps_and_ends(text: str, parts: list[str], open_end: bool) -> None:
    reading = Quotation(text).reading
    assert [part.strict for part in reading.parts()] == parts
    assert reading.open_end is open_end


def letters(text: str) -> str:
    return "".join(character for character in text if character.isalpha())


@given(st.text(alphabet="abc deÄ.…[]()*>\\\"'_&;:n1\n", max_size=80))
def test_every_reading_keeps_all_letters_outside_tokens(text: str) -> None:
    quotation = Quotation(text)
    kept = letters(quotation.reading.strict)
    for reading in quotation.readings:
        missing = len(kept) - len(letters(reading.strict))
        bullets = sum(text.count(bullet) for bullet in "noV")
        assert missing <= bullets + text.count("\\") + 2 * text.count("&")
