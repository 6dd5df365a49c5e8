"""What a quotation changes is named by its kind; nothing is decided by likeness."""

import pytest

from indexer.normalize import fold
from verifier.align import Difference, align
from verifier.passage import Passage, words

PAGE = (
    "MOBILITÄT\n\n"
    "Wir wollen die Schiene ausbauen, die Bahn sanieren und Tickets günstiger machen für alle. "
    "Wir werden die Steuern für kleine Einkommen in den nächsten Jah-\nren nicht senken können. "
    "Der Mindestlohn steigt im Jahr 2026 auf 15 Euro pro Stunde, sofern die Kommission zustimmt. "
    "Alle Menschen sollen am 7. Oktober besser davon leben als bisher.\n\n"
    "Bessere Kinderbetreuung für alle Familien im Land\n\n"
    "Wir bauen Kitas aus und stellen überall mehr Fachkräfte ein."
)

CHANGES = [
    ("Wir wollen die Schiene ausbauen, die Bahn sanieren.", "shortened", ["left_out"], "a stop before and one behind"),
    ("Wir wollen die Schiene ausbauen und Tickets günstiger machen für alle.", "shortened", ["left_out"], "silent cut"),
    (
        "Wir wollen die Schiene ausbauen, die Bahn sanieren und Tickets.",
        "shortened",
        ["left_out"],
        "full stop where it goes on",
    ),
    (
        "Wir werden die Steuern für kleine Einkommen in den nächsten Jahren senken können.",
        "altered",
        ["negation"],
        "negation gone",
    ),
    ("Der Mindestlohn steigt im Jahr 2026 auf 16 Euro pro Stunde", "altered", ["number"], "number changed"),
    (
        "Der Mindestlohn steigt im Jahr 2026 auf 15 Euro pro Stunde.",
        "altered",
        ["condition"],
        "condition cut off by a full stop",
    ),
    ("Der Mindestlohn steigt im Jahr 2026 auf 15 Dollar pro Stunde", "altered", ["unit"], "unit changed"),
    ("Alle Menschen sollten am 7. Oktober besser davon leben als bisher.", "altered", ["modal"], "modal verb changed"),
    ("Alle Menschen sollen am 7. Oktober davon besser leben als bisher.", "altered", ["order"], "words moved"),
    ("Alle Menschen sollen am 7. Oktober viel besser davon leben als bisher.", "altered", ["added"], "word added"),
    ("Alle Menschen sollen am 7. Oktober besser davon leben als früher.", "altered", ["word"], "word replaced"),
    (
        "Wir wollen die Schiene ausbauen die Bahn sanieren und Tickets günstiger",
        "altered",
        ["punctuation"],
        "comma dropped",
    ),
    (
        "Wir wollen die Schiene ausbauen, die Bahn sanieren und Tickets günstiger machen für alle. "
        "Der Mindestlohn steigt im Jahr 2026",
        "altered",
        ["negation"],
        "sentences welded over a hidden negation",
    ),
    (
        "besser davon leben als bisher. Wir bauen Kitas aus und stellen überall",
        "altered",
        ["welded"],
        "heading left out",
    ),
    ("Bessere Kinderbetreuung für alle Familien im Land.", "none", [], "full stop at the end of a heading"),
    ("Bessere Kinderbetreuung für alle Familien im Land. Wir bauen Kitas aus", "none", [], "full stop after a heading"),
    ("Wir wollen die Schiene ausbauen, dieBahn sanieren und Tickets", "none", [], "parted elsewhere"),
]


@pytest.mark.parametrize(("text", "difference", "kinds", "reason"), CHANGES, ids=[row[3] for row in CHANGES])
def test_kinds_of_change(text: str, difference: str, kinds: list[str], reason: str) -> None:
    alignment = align(words(fold(text)), Passage([PAGE]))
    assert alignment is not None
    assert [change.kind for change in alignment.changes] == kinds or set(kinds) == {
        c.kind for c in alignment.changes
    }, reason
    assert alignment.difference is Difference(difference), reason


def test_the_diff_shows_the_sources_own_characters() -> None:
    passage = Passage(["Qualiﬁzierte Zuwan-\nderung um 30\u202f000 „Kräfte“ erhöhen wir."])
    alignment = align(words(fold("Qualifizierte Zuwanderung um 40 000 Kräfte erhöhen wir")), passage)
    assert alignment is not None
    assert passage.source(alignment.first, alignment.last) == "Qualiﬁzierte Zuwanderung um 30 000 „Kräfte“ erhöhen wir."
    assert [(change.kind, change.quoted, change.printed) for change in alignment.changes] == [
        ("number", "40000", "30 000")
    ]


def test_a_word_broken_over_the_page_break_is_one_word() -> None:
    passage = Passage(["mehr junge Men-", "schen kommen in das Land."])
    assert "menschen" in passage.words.keys
    assert [passage.page_of(n) for n, key in enumerate(passage.words.keys) if key in ("menschen", "kommen")] == [0, 1]


def test_nothing_in_common_is_no_alignment() -> None:
    assert align(words(fold("Völlig andere Worte stehen hier geschrieben")), Passage([PAGE])) is None


def test_swapped_words_are_an_order_even_where_a_cut_would_explain_them() -> None:
    passage = Passage(["In den Produkten sollen den Verbrauchern klare Hinweise helfen."])
    alignment = align(words(fold("den sollen Verbrauchern klare Hinweise helfen")), passage)
    assert alignment is not None
    assert alignment.difference is Difference.ALTERED
    assert [change.kind for change in alignment.changes] == ["order"]
