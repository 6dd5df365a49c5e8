"""What holds for every slice of every page, and for every change of one (SPEC §5, §6)."""

import re
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from invented import make_index, page

from verifier import Outcome, Verdict, Verifier

FIRST = (
    "Wir wollen bis 2030 mindestens 1.500 neue Windräder im Land errichten und dafür 3,5 Milliarden Euro geben. "
    "Der Ausbau der Solar-\nenergie darf nicht länger an veralteten Vorschriften scheitern, die niemand mehr braucht. "
    "„Energie für alle“ bleibt unser Versprechen – auch in der Krise, sofern die Haushaltslage es zulässt. "
    "Schüler*innen, Lehrer:innen und BürgerInnen gestalten gemeinsam, was in 10-20 Jahren gelten soll. "
    "Bei einer Veränderung von -5 Prozent greift die Schutzklausel nur für Städte und Gemeinden. "
    "Die Wirtschafts-\nund Sozialpolitik trägt den Wandel in Maßen, nicht in Massen, und schützt jede Straße im Dorf. "
    "Wer auf dem Land lebt, braucht kein eigenes Auto, wenn Busse und Bahnen häufig genug fahren wer-"
)
SECOND = (
    "den. Zwölf Kliniken erhalten je 30\u202f000 Euro, damit Qualiﬁzierung und Pflege am Wochenende gelingen. "
    "Nicht-Regierungsorganisationen bekommen ein Klagerecht, ohne dass Verfahren länger als 6 Monate dauern."
)
PAGES = (FIRST, SECOND)
QUELLE = "MUSTER NRW Wahlprogramm 2022"
ENTRY = {"id": "m-2022", "name": QUELLE, "partei": "MUSTER", "bundesland": "NRW", "jahr": 2022}


@cache
def shelf() -> Verifier:
    folder = Path(tempfile.mkdtemp(prefix="quellentreu-"))
    pages = [page(text, head="Zukunft für das Land", number=str(number)) for number, text in enumerate(PAGES, 1)]
    return Verifier.open(make_index(folder, [(ENTRY, pages)]))


@pytest.fixture(scope="module", autouse=True)
def _closed() -> Iterator[None]:
    yield
    shelf().close()


def words_of(text: str) -> list[str]:
    """Printed words, those broken at a line end whole, figures in groups undivided."""
    return re.split("[ \n]+", text.replace("Solar-\nenergie", "Solarenergie"))


@st.composite
def slices(draw: st.DrawFn) -> tuple[int, list[str]]:
    seite = draw(st.integers(1, len(PAGES)))
    words = words_of(PAGES[seite - 1])
    words = words[:-1] if seite == 1 else words[1:]  # "wer-" and "den." are halves of one word
    start = draw(st.integers(0, len(words) - 4))
    end = draw(st.integers(start + 4, min(len(words), start + 30)))
    part = words[start:end]
    # A slice does not begin or end between "Wirtschafts-" and what it is suspended from, nor with a lone mark.
    assume(len(" ".join(part).strip("„“\"' –.,")) >= 24)
    assume(part[0] != "–" and part[-1] != "–")
    return seite, part


def check(text: str, seite: int) -> tuple[Verdict, Outcome]:
    befund = shelf().check(text=text, quelle=f"{QUELLE}, S. {seite}", bundesland="NRW")
    return befund.verdict, befund.outcome


@given(slices())
def test_every_slice_passes_on_its_page(part: tuple[int, list[str]]) -> None:
    seite, words = part
    assert check(" ".join(words), seite)[0] in (Verdict.EXACT, Verdict.LAYOUT)


@given(slices(), st.data())
def test_typography_is_forgiven(part: tuple[int, list[str]], data: st.DataObject) -> None:
    seite, words = part
    joint = data.draw(st.sampled_from([" ", "\n", "  ", "\u00a0", " \u200b"]))
    text = joint.join(words)
    if data.draw(st.booleans()):
        text = text.replace("„", '"').replace("“", '"').replace("–", "-")
    if data.draw(st.booleans()):
        text = f"„{text}“"
    if data.draw(st.booleans()):
        text = f"[…] {text} ..."
    assert check(text, seite)[1] is Outcome.PASS


@given(slices(), st.integers(0, 29), st.sampled_from(["nicht", "nie", "keine", "Regenschirm", "7", "-"]))
def test_an_added_word_never_passes(part: tuple[int, list[str]], place: int, added: str) -> None:
    seite, words = part
    place = min(place, len(words) - 1) or 1
    assume(added != "-")
    verdict, outcome = check(" ".join([*words[:place], added, *words[place:]]), seite)
    assert outcome is Outcome.FAIL
    assert verdict in (Verdict.ALTERED, Verdict.NOT_FOUND)


@given(slices(), st.integers(0, 29))
def test_a_dropped_word_never_passes(part: tuple[int, list[str]], place: int) -> None:
    seite, words = part
    assume(len(words) > 5)
    place = max(1, min(place, len(words) - 2))
    assume(any(map(str.isalnum, words[place])))
    assert check(" ".join(words[:place] + words[place + 1 :]), seite)[1] is not Outcome.PASS


@given(slices(), st.integers(0, 200), st.integers(1, 9))
def test_a_changed_digit_never_passes(part: tuple[int, list[str]], which: int, step: int) -> None:
    seite, words = part
    text = " ".join(words)
    digits = [place for place, character in enumerate(text) if character in "0123456789"]
    assume(digits)
    place = digits[which % len(digits)]
    changed = text[:place] + str((int(text[place]) + step) % 10) + text[place + 1 :]
    assert check(changed, seite)[1] is Outcome.FAIL


@given(slices(), st.integers(0, 300))
def test_a_changed_letter_never_passes(part: tuple[int, list[str]], which: int) -> None:
    seite, words = part
    text = " ".join(words)
    letters = [place for place, character in enumerate(text) if character in "aouäöüß"]
    assume(letters)
    place = letters[which % len(letters)]
    other = {"a": "ä", "o": "ö", "u": "ü", "ä": "a", "ö": "o", "ü": "u", "ß": "ss"}[text[place]]
    assert check(text[:place] + other + text[place + 1 :], seite)[1] is not Outcome.PASS


@given(slices(), st.integers(0, 29))
def test_swapped_words_never_pass(part: tuple[int, list[str]], place: int) -> None:
    seite, words = part
    place = min(place, len(words) - 2)
    assume(words[place] != words[place + 1])
    assume(all(any(map(str.isalnum, word)) for word in words[place : place + 2]))
    swapped = [*words[:place], words[place + 1], words[place], *words[place + 2 :]]
    assert check(" ".join(swapped), seite)[1] is Outcome.FAIL


@given(slices(), slices())
def test_welded_slices_never_pass(one: tuple[int, list[str]], two: tuple[int, list[str]]) -> None:
    text = " ".join([*one[1], *two[1]])
    printed = " ".join(map(" ".join, map(words_of, PAGES)))
    assume(text not in printed)
    assert check(text, one[0])[1] is not Outcome.PASS


@given(slices(), st.integers(1, 3))
def test_a_cut_inside_a_word_never_passes(part: tuple[int, list[str]], cut: int) -> None:
    seite, words = part
    assume(words[-1].isalpha() and len(words[-1]) > cut + 1)
    text = " ".join(words)[:-cut]
    assert check(text, seite)[1] is not Outcome.PASS
    assert check(f"{text} …" if cut > 3 else f"{text}…", seite)[1] is Outcome.PASS


@settings(max_examples=60)
@given(st.text(max_size=200), st.text(max_size=80), st.one_of(st.none(), st.text(max_size=20)))
def test_every_zitat_gives_one_befund(text: str, quelle: str, bundesland: str | None) -> None:
    befund = shelf().check(text=text, quelle=quelle, bundesland=bundesland)
    assert befund.outcome is befund.verdict.outcome
    assert befund.found_total >= len(befund.found)


def test_a_quotation_over_the_break_passes_from_both_pages() -> None:
    text = "wenn Busse und Bahnen häufig genug fahren werden. Zwölf Kliniken erhalten je 30 000 Euro"
    assert check(text, 1)[0] is Verdict.SPANS_PAGES
    assert check(text, 2)[0] is Verdict.SPANS_PAGES
