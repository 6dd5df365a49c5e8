"""Guard words are data; each group is held by examples and by words that must not belong to it."""

import pytest

from verifier.guards import is_abbreviation, is_guard, kind_of


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("nicht", "negation"),
        ("keinesfalls", "negation"),
        ("keine", "negation"),
        ("nie", "negation"),
        ("weder", "negation"),
        ("ohne", "negation"),
        ("kaum", "negation"),
        ("nur", "limit"),
        ("sondern", "limit"),
        ("statt", "limit"),
        ("höchstens", "limit"),
        ("sofern", "condition"),
        ("wenn", "condition"),
        ("falls", "condition"),
        ("außer", "condition"),
        ("2030", "number"),
        ("1,5", "number"),
        ("zwölf", "number"),
        ("milliarden", "unit"),
        ("prozent", "unit"),
        ("%", "unit"),
        ("müssen", "modal"),
    ],
)
def test_kind_of_guard_words(word: str, kind: str) -> None:
    assert kind_of(word) == kind


@pytest.mark.parametrize("word", ["wir", "niedersachsen", "außerdem", "ohnehin", "dreist", "wennigsen", "einer", "und"])
def test_other_words_are_no_guard(word: str) -> None:
    assert not is_guard(word)


def test_modal_verbs_are_named_but_guard_nothing() -> None:
    assert kind_of("können") == "modal"
    assert not is_guard("können")


def test_abbreviations_end_no_sentence() -> None:
    assert is_abbreviation("bzw")
    assert not is_abbreviation("land")
