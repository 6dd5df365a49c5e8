"""The spellings of parties, Länder and kinds: data, tested more strictly than code."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.aliases import (
    MAX_LENGTH,
    Phrase,
    Sinn,
    by_first_word,
    canonical_bundesland,
    canonical_partei,
    clean,
    kind_phrase,
    load_aliases,
    match_phrase,
    publisher,
)
from verifier.abbreviation import lone_letters

SPELLINGS = tomllib.loads((Path(__file__).parent / "tables" / "spellings.toml").read_text("utf-8"))
DATA = tomllib.loads((Path(__file__).parents[1] / "indexer" / "aliases.toml").read_text("utf-8"))
FELDER = {"partei", "land", "merkmal", "schwach", "verband", "fassung", "titel", "ort", "fremd", "fuellwort", "stelle"}


@pytest.mark.parametrize(("spelling", "code"), SPELLINGS["bundesland"].items())
def test_bundesland(spelling: str, code: str) -> None:
    assert canonical_bundesland(spelling) == (code or None)


@pytest.mark.parametrize(("spelling", "partei"), SPELLINGS["partei"].items())
def test_partei(spelling: str, partei: str) -> None:
    assert canonical_partei(spelling) == (partei or None)


def test_nothing_names_nothing() -> None:
    assert (canonical_bundesland(None), canonical_partei(None), publisher([])) == (None, None, None)


def test_every_name_of_a_party_is_a_spelling_of_itself() -> None:
    for partei in DATA["partei"]:
        assert canonical_partei(partei) == partei


def test_every_code_of_a_land_is_a_spelling_of_itself() -> None:
    assert len(DATA["bundesland"]) == 17
    for code in DATA["bundesland"]:
        assert canonical_bundesland(code) == code


def test_entries_refer_only_to_names_that_exist() -> None:
    parteien = set(DATA["partei"])
    assert {*DATA["heimat"], *DATA["vertretung"], *DATA["vorgaenger"], *DATA["verbund"]} <= parteien
    assert {*DATA["vertretung"].values(), *DATA["vorgaenger"].values()} <= parteien
    assert {member for text in DATA["verbund"].values() for member in text.split(" | ")} <= parteien
    assert set(DATA["heimat"].values()) <= set(DATA["bundesland"])
    assert {partei for entries in load_aliases().titel.values() for partei, _ in entries} <= parteien
    assert all(years for entries in load_aliases().titel.values() for _, years in entries)
    words = {part for text in DATA["kurzwort"].values() for part in text.split()}
    assert words <= parteien | set(DATA["bundesland"])


def test_every_table_has_a_meaning() -> None:
    felder = {sinn.feld for group in load_aliases().phrases.values() for phrase in group for sinn in phrase.sinne}
    assert felder == FELDER


def test_one_spelling_for_two_things_is_a_mistake() -> None:
    one, other = Sinn("partei", "A"), Sinn("partei", "B")
    with pytest.raises(ValueError, match="'foo' stands for"):
        by_first_word([Phrase(("foo",), None, (one,)), Phrase(("foo",), None, (other,))])


def test_the_longest_spelling_counts() -> None:
    phrases = load_aliases().phrases
    words = ["Sachsen", "Anhalt", "Sachsen"]
    keys = [word.lower() for word in words]
    first, last = match_phrase(phrases, keys, words, 0), match_phrase(phrases, keys, words, 2)
    assert first is not None and first.sinne == (Sinn("land", "ST"),)
    assert last is not None and last.sinne == (Sinn("land", "SN"),)


@pytest.mark.parametrize(
    ("word", "kinds", "reason"),
    [
        ("wahlprogramm", ["wahl"], "plain"),
        ("wahlprogramms", ["wahl"], "genitive"),
        ("wahlprogramme", ["wahl"], "plural"),
        ("landtagswahlprogramm", ["wahl land"], "level"),
        ("grundsatzprogramm", ["grundsatz"], "kind"),
        ("regierungsprogrammentwurf", ["wahl", "entwurf"], "draft"),
        ("programm", ["programm"], "alone"),
        ("programmatik", [], "another word"),
        ("klimaprogramm", [], "a kind that nobody knows"),
        ("wahl", [], "no programme"),
    ],
)
def test_kind_in_one_word(word: str, kinds: list[str], reason: str) -> None:
    phrase = kind_phrase(word)
    assert [sinn.wert for sinn in (phrase.sinne if phrase else ())] == kinds, reason


@pytest.mark.parametrize(
    ("text", "cleaned", "reason"),
    [
        ("GRU\u0308NE", "GRÜNE", "decomposed"),
        ("GRÜ\u00adNE", "GRÜNE", "soft hyphen"),
        ("GRÜ\u200bNE\ufeff", "GRÜNE", "zero width"),
        ("a\u00a0b\u2009c\td\ne", "a b c d e", "spaces"),
        ("a\u0000b\u0085c\ufffdd", "a b c d", "control characters"),
        ("a\ud800b", "a b", "lone surrogate"),
        ("Wahl-\nprogramm", "Wahlprogramm", "broken word"),
        ("Sachsen-\nAnhalt", "Sachsen- Anhalt", "broken compound"),
        ("CDU &amp; CSU", "CDU & CSU", "escaped"),
        ("S. 99999999999999999999", "S. 999999999999", "more digits than an integer holds"),
    ],
)
def test_clean(text: str, cleaned: str, reason: str) -> None:
    assert clean(text) == cleaned, reason


@pytest.mark.parametrize(
    ("text", "count", "reason"),
    [
        ("T-H 2021", 2, "hyphen"),
        ("T.-H.", 2, "full stop and hyphen"),
        ("a/b", 2, "slash, small"),
        ("N.R.W.", 3, "three letters"),
        ("z. B.", 0, "small, with full stops"),
        ("B.I.", 0, "numbering"),
        ("S-Bahn", 0, "a word behind it"),
        ("T H", 2, "capitals apart"),
        ("t h", 0, "small and apart"),
        ("t_h", 2, "as in a file name"),
        ("T", 0, "alone"),
        ("A-" * 10**5 + "A", 8, "no more than eight at once"),
    ],
)
def test_letters_that_may_be_short_for_a_name(text: str, count: int, reason: str) -> None:
    assert lone_letters(text, 0) == count, reason


@given(st.text())
def test_cleaning_twice_changes_nothing_and_shows_no_control_characters(text: str) -> None:
    cleaned = clean(text)
    if "&" not in text:
        assert clean(cleaned) == cleaned
    assert not any(ord(character) < 32 or 0xD800 <= ord(character) < 0xE000 for character in cleaned)


@pytest.mark.parametrize("text", ["a" * 10**6, "\u200b" * 10**6, "SPD " * 10**5, "&" * 10**6 + ";"])
def test_what_is_too_long_stays_too_long(text: str) -> None:
    assert len(clean(text)) > MAX_LENGTH


def test_much_space_and_many_digits_are_not_long() -> None:
    assert clean("SPD" + " " * 10**6 + "2021, S. " + "9" * 10**5) == "SPD 2021, S. 999999999999"


@given(st.text(), st.text())
def test_nothing_raises(one: str, other: str) -> None:
    for text in (one, f"{one} {other}", f"SPD {one}"):
        canonical_bundesland(text)
        canonical_partei(text)
