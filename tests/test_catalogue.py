import json
from pathlib import Path

import pytest
from shelf import entry

from indexer.catalogue import catalogue_sha256, load_catalogue
from indexer.errors import CatalogueError, UsageError

TOML = """
[[programm]]
id = "gruene-nrw-2022"
name = "GRÜNE NRW Wahlprogramm 2022"
partei = "GRÜNE"
bundesland = "NRW"
jahr = 2022
typ = "Wahlprogramm"
datei = "gruene-nrw-2022.pdf"
"""


def write(folder: Path, text: str, name: str = "programme.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_an_entry_has_its_defaults(tmp_path: Path) -> None:
    (programm,) = load_catalogue(write(tmp_path, TOML))
    assert programm.programm_id == "gruene-nrw-2022"
    assert (programm.typ, programm.fassung, programm.werk) == ("wahlprogramm", "final", "gruene-nrw-2022")
    assert (programm.aliases, programm.url, programm.ort, programm.wahl) == ((), None, None, None)


def test_all_fields_are_read(tmp_path: Path) -> None:
    more = 'aliases = [" Grüne NRW "]\nurl = "/static/x.pdf"\nort = "Münster"\nwahl = "LTW"\n'
    more += 'werk = "w"\nfassung = "Entwurf"\n'
    (programm,) = load_catalogue(write(tmp_path, TOML + more))
    assert programm.aliases == ("Grüne NRW",)
    assert (programm.url, programm.ort, programm.wahl) == ("/static/x.pdf", "Münster", "LTW")
    assert (programm.werk, programm.fassung) == ("w", "entwurf")


def test_json_lists_of_the_same_fields_are_read_and_may_carry_more(tmp_path: Path) -> None:
    entries = [entry("a") | {"sha256": "00", "seiten": 3, "url": None, "aliases": None}]
    (programm,) = load_catalogue(write(tmp_path, json.dumps(entries), "programme.json"))
    assert programm.programm_id == "a"


def toml(*changed: str) -> str:
    """The sample entry with lines replaced (`key = value`) or taken out (`key`)."""
    lines = dict(line.split(" = ", 1) for line in TOML.strip().splitlines() if " = " in line)
    for change in changed:
        key, _, value = change.partition(" = ")
        if value:
            lines[key] = value
        else:
            del lines[key]
    return "[[programm]]\n" + "".join(f"{key} = {value}\n" for key, value in lines.items())


MISTAKES = [
    (toml("name"), ["name: missing"], "a field is left out"),
    (toml('jahr = "2022"'), ["jahr: must be a whole number"], "a text for a number"),
    (toml("jahr = true"), ["jahr: must be a whole number"], "True is an int in Python"),
    (toml("jahr = 20225"), ["jahr: 20225 is no year"], "a typo"),
    (toml("name = 3"), ["name: must be a text, is a number: 3"], "a number for a text"),
    (toml('partei = " "'), ["partei: is empty"], "nothing in it"),
    (toml('name = "a\\u0000b"'), ["name: holds control characters"], "NUL in a name"),
    (toml('aliases = "x"'), ["aliases: must be a list"], "one alias without brackets"),
    (toml('aliases = ["x", 3]'), ["aliases: in the list: must be a text"], "a number among aliases"),
    (toml('parteil = "x"'), ["parteil: unknown field; did you mean 'partei'?"], "a misspelt field"),
    (toml("zzz = 1"), ["zzz: unknown field"], "an unknown field that resembles none"),
    (toml('datei = "../x.pdf"'), ["datei: '../x.pdf' must stay inside"], "leaves the folder"),
    (toml('datei = "a/../../x.pdf"'), ["datei:"], "leaves the folder further down"),
    (toml('datei = "/etc/passwd"'), ["datei:"], "absolute"),
    (toml("datei = 'C:\\x.pdf'"), ["datei:"], "absolute on Windows"),
    (toml("datei = '..\\x.pdf'"), ["datei:"], "leaves the folder on Windows"),
    (toml('datei = ""'), ["datei: is empty"], "no file"),
    (TOML + TOML, ["entry 2 (gruene-nrw-2022): id: already used by entry 1"], "an id twice"),
    (
        toml("name", 'jahr = "x"') + toml('id = "b"', "typ = 3"),
        ["entry 1 (gruene-nrw-2022): name", "jahr", "entry 2 (b): typ", "3 mistakes"],
        "all of them at once",
    ),
    ("", ["no programme in it"], "an empty file"),
    ("[[programme]]\nid = 'x'\n", ["unknown block or key 'programme'"], "the block misspelt"),
    ("[programm]\nid = 'x'\n", ["must be a list"], "one pair of brackets"),
    ("programm = [3]", ["entry 1: must be a table of fields, is a number"], "an entry that is none"),
    ("[[programm]\n", ["not valid TOML"], "broken TOML, with the line"),
]


@pytest.mark.parametrize(("text", "expected", "why"), MISTAKES, ids=[case[2] for case in MISTAKES])
def test_every_mistake_is_named_with_file_entry_and_field(
    tmp_path: Path, text: str, expected: list[str], why: str
) -> None:
    path = write(tmp_path, text)
    with pytest.raises(CatalogueError) as raised:
        load_catalogue(path)
    for part in [str(path), *expected]:
        assert part in str(raised.value), why


BAD_JSON = [
    ("{", "not valid JSON", "broken"),
    ('{"a": 1}', "must be a list", "not a list"),
    ("[" * 100_000, "nested too deeply", "no recursion error"),
    ('[{"id": "a", "id": "b"}]', "id stands twice", "which of them is meant?"),
    ('[{"id": "\\ud83c"}]', "id: holds control characters or broken ones", "half an emoji"),
]


@pytest.mark.parametrize(("text", "expected", "why"), BAD_JSON, ids=[case[2] for case in BAD_JSON])
def test_bad_json_gets_a_message(tmp_path: Path, text: str, expected: str, why: str) -> None:
    with pytest.raises(CatalogueError, match=expected):
        load_catalogue(write(tmp_path, text, "programme.json"))


def test_a_file_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="index scan"):
        load_catalogue(tmp_path / "nowhere.toml")
    with pytest.raises(UsageError, match="cannot be read"):
        load_catalogue(tmp_path)


def test_a_file_that_is_no_text_gets_a_message(tmp_path: Path) -> None:
    path = tmp_path / "programme.toml"
    path.write_bytes(b"name = '\xff'")
    with pytest.raises(CatalogueError, match="not UTF-8"):
        load_catalogue(path)


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    assert load_catalogue(write(tmp_path, "\ufeff" + TOML))


def test_the_hash_is_that_of_the_content(tmp_path: Path) -> None:
    one, two = entry("a"), entry("b")
    first = load_catalogue(write(tmp_path, json.dumps([one, two]), "1.json"))
    second = load_catalogue(write(tmp_path, json.dumps([two, dict(reversed(one.items()))], indent=2), "2.json"))
    other = load_catalogue(write(tmp_path, json.dumps([one, two | {"jahr": 2021}]), "3.json"))
    assert catalogue_sha256(first) == catalogue_sha256(second) != catalogue_sha256(other)
