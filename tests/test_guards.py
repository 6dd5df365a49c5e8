"""Guard words are data; each group is held by examples and by words that must not belong to it."""

import pytest

from verifier.guards import is_abbreviation, is_guard, kind_of, leaves_open


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
        ("minus", "negation"),
        ("unmöglich", "negation"),
        ("lehnen", "negation"),
        ("nur", "limit"),
        ("weniger", "limit"),
        ("sondern", "limit"),
        ("statt", "limit"),
        ("höchstens", "limit"),
        ("sofern", "condition"),
        ("wenn", "condition"),
        ("falls", "condition"),
        ("außer", "condition"),
        ("ggf", "condition"),
        ("2030", "number"),
        ("dritte", "number"),
        ("1,5", "number"),
        ("zwölf", "number"),
        ("milliarden", "unit"),
        ("prozent", "unit"),
        ("jährlich", "unit"),
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


@pytest.mark.parametrize(
    ("word", "following", "is_short", "why"),
    [
        ("bzw", None, True, "whatever follows"),
        ("bzgl", "höfe", True, "also before a noun"),
        ("land", None, False, "a word"),
        ("art", "5", True, "Art. 5"),
        ("art", "danach", False, "jeder Art. Danach"),
        ("art", None, True, "what follows is not known"),
    ],
)
def test_abbreviations_end_no_sentence(word: str, following: str | None, is_short: bool, why: str) -> None:
    assert is_abbreviation(word, following) is is_short, why


@pytest.mark.parametrize("word", ["der", "und", "für", "unserer"])
def test_nothing_that_is_printed_ends_with_these(word: str) -> None:
    assert leaves_open(word)


@pytest.mark.parametrize("word", ["auf", "aus", "ab", "ein", "alle", "land"])
def test_what_a_verb_leaves_at_the_end_may_end_a_bullet(word: str) -> None:
    """ "Wir bauen das Netz aus": a full stop may be added there."""
    assert not leaves_open(word)
