"""Spellings of parties, Länder and kinds of programme, read from `aliases.toml` (SPEC §6, "quelle → Programm").

Everything is compared word by word, in lower case with ä/ö/ü/ß as ae/oe/ue/ss: names, unlike quotations, are the same
however they are typeset. Standard library only: `verify` reads this at every start.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

BUND = "Bund"
MAX_LENGTH = 2000  # characters of a quelle; no citation is longer, and nothing is read beyond

WORD = re.compile(r"[^\W_]+")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ufffd\ud800-\udfff]")
_BROKEN_WORD = re.compile(r"([^\W\d_])-\r?\n\s*(?=[a-zäöüß])")
_LONG_NUMBER = re.compile(r"[0-9]{13,}")
_TYPESET = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_ADJECTIVE = ("", "e", "er", "en", "es", "em")
_KIND = re.compile(r"(.*?)program(?:m(?:s|es|e|en)?|s)?(entwurf(?:s|es)?)?")
# Table of the file → `feld` of what stands in it
_TABLES = {
    "partei": "partei", "wort": "merkmal", "schwach": "schwach", "verband": "verband", "fassung": "fassung",
    "ort": "ort", "fremd": "fremd", "fuellwort": "fuellwort", "stelle": "stelle", "bundesland": "land",
}  # fmt: skip


class Sinn(NamedTuple):
    """What a spelling stands for.

    `feld` is `partei`, `land`, `merkmal` (kind or level), `schwach`, `verband`, `fassung`, `titel`, `ort`, `fremd`,
    `fuellwort`, `stelle` or `werk`; `wert` its value.
    """

    feld: str
    wert: str


class Phrase(NamedTuple):
    """A spelling as a sequence of words; `exact` holds its own capitals where they matter."""

    keys: tuple[str, ...]
    exact: tuple[str, ...] | None
    sinne: tuple[Sinn, ...]


def clean(text: str) -> str:
    """`text` with one kind of space and nothing invisible; of longer ones only the first MAX_LENGTH + 1 characters."""
    if len(text) > MAX_LENGTH:
        text = _LONG_NUMBER.sub(_shortened, " ".join(text.split()))
        if len(text) > MAX_LENGTH:
            return text[: MAX_LENGTH + 1]
    if "&" in text and ";" in text:
        text = _unescaped(text)
    if not text.isprintable() or not text.isascii():  # most quellen need none of this
        text = _BROKEN_WORD.sub(r"\1", _INVISIBLE.sub("", text))
        text = _CONTROL.sub(" ", text)
    text = _LONG_NUMBER.sub(_shortened, text)
    return unicodedata.normalize("NFC", " ".join(text.split()))


def _unescaped(text: str) -> str:
    from html import unescape  # noqa: PLC0415  # 2 ms of import that only escaped quellen need

    return unescape(text)


def _shortened(number: re.Match[str]) -> str:
    # Twelve digits are beyond every page and year, and still an integer that SQLite can hold
    return number[0][:12]


def key_of(word: str) -> str:
    """The form in which a word is compared."""
    return word.lower().translate(_TYPESET)


def keys_of(text: str) -> tuple[str, ...]:
    """The words of `text` in the form in which they are compared."""
    return tuple(key_of(word) for word in WORD.findall(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Aliases:
    """The content of `aliases.toml`.

    `phrases`: by their first word, longest first. `laender`: Land → the words of its name. `kinds`: what stands before
    "programm" → kind and level.
    `verbund`: set of parties → the publisher that they are together. `vertretung`, `vorgaenger`: party → another one
    whose programmes may be meant. `heimat`: party → its only Land. `parlament`: beginning of a word → the Länder that
    call their parliament so. `gebiet`: word → the kind of area. `erschienen`: places of
    publication. `titel`: name of a programme → (party, years).
    """

    phrases: Mapping[str, list[Phrase]]
    laender: Mapping[str, tuple[str, ...]]
    kinds: Mapping[str, str]
    verbund: Mapping[frozenset[str], str]
    vertretung: Mapping[str, str]
    vorgaenger: Mapping[str, str]
    heimat: Mapping[str, str]
    parlament: Mapping[str, frozenset[str]]
    gebiet: Mapping[str, str]
    erschienen: frozenset[str]
    titel: Mapping[str, tuple[tuple[str, frozenset[int]], ...]]


@lru_cache(maxsize=1)
def load_aliases() -> Aliases:
    """Read `aliases.toml` once per process.

    Raises ValueError if one spelling stands for two things.
    """
    data = tomllib.loads(Path(__file__).with_name("aliases.toml").read_text("utf-8"))
    return Aliases(
        phrases=by_first_word(_phrases(data)),
        laender={land: keys_of(_spellings(text)[0]) for land, text in data["bundesland"].items()},
        kinds={key_of(stem.strip("-")): wert for wert, text in data["programm"].items() for stem in _spellings(text)},
        verbund={frozenset(_spellings(text)): name for name, text in data["verbund"].items()},
        vertretung=data["vertretung"],
        vorgaenger=data["vorgaenger"],
        heimat=data["heimat"],
        parlament={key_of(word): frozenset(text.split()) for word, text in data["parlament"].items()},
        gebiet={key_of(word): name for name, text in data["gebiet"].items() for word in _spellings(text)},
        erschienen=frozenset(map(key_of, _spellings(data["erschienen"]["orte"]))),
        titel={name: tuple(_titel(text)) for name, text in data["titel"].items()},
    )


def _spellings(text: str) -> list[str]:
    return [spelling for spelling in map(str.strip, text.replace("\n", " ").split("|")) if spelling]


def _titel(text: str) -> Iterator[tuple[str, frozenset[int]]]:
    for entry in _spellings(text):
        words = entry.split()
        years = [int(word) for word in words if word.isdigit()]
        yield " ".join(words[: -len(years)]), frozenset(years)


def _phrases(data: Mapping[str, Mapping[str, str]]) -> Iterator[Phrase]:
    for table, feld in _TABLES.items():
        for wert, text in data[table].items():
            yield from _worded(text, (Sinn(feld, wert),), genitive=feld == "land")
    for name in data["titel"]:
        yield from _worded(name, (Sinn("titel", name),))
    for name, text in data["stadt"].items():
        land, ort = name.split()
        yield from _worded(text, (Sinn("ort", ort), Sinn("land", land)))
    for word, text in data["kurzwort"].items():
        parts = tuple(Sinn("land" if part in data["bundesland"] else "partei", part) for part in text.split())
        yield from _worded(word, parts)


def _worded(text: str, sinne: tuple[Sinn, ...], *, genitive: bool = False) -> Iterator[Phrase]:
    for spelling, compared in zip(_spellings(text), _spellings(key_of(text)), strict=True):
        keys = (compared,) if compared.isalnum() else tuple(WORD.findall(compared))
        if spelling[0] == "=":
            yield Phrase(keys, tuple(WORD.findall(spelling)), sinne)
        elif spelling[-1] == "*":
            for ending in _ADJECTIVE:
                yield Phrase((*keys[:-1], keys[-1] + ending), None, sinne)
        else:
            yield Phrase(keys, None, sinne)
            if genitive and keys[-1][-1] != "s":
                yield Phrase((*keys[:-1], keys[-1] + "s"), None, sinne)


def by_first_word(phrases: Iterable[Phrase]) -> dict[str, list[Phrase]]:
    """`phrases` by their first word, longest first, those with capitals of their own before others.

    Raises ValueError if one spelling stands for two things.
    """
    index: dict[str, list[Phrase]] = {}
    for phrase in phrases:
        index.setdefault(phrase.keys[0], []).append(phrase)
    for word, group in index.items():
        if len(group) > 1:
            index[word] = _sorted(group)
    return index


def _sorted(group: list[Phrase]) -> list[Phrase]:
    known: dict[tuple[tuple[str, ...], tuple[str, ...] | None], Phrase] = {}
    for phrase in group:
        other = known.setdefault((phrase.keys, phrase.exact), phrase)
        if other.sinne != phrase.sinne:
            raise ValueError(f"{' '.join(phrase.keys)!r} stands for {other.sinne} and for {phrase.sinne}")
    return sorted(known.values(), key=lambda phrase: (-len(phrase.keys), phrase.exact is None))


def match_phrase(
    phrases: Mapping[str, list[Phrase]], keys: Sequence[str], words: Sequence[str], start: int
) -> Phrase | None:
    """The longest spelling that stands at `start` in `words`, whose compared forms are `keys`."""
    for phrase in phrases.get(keys[start], ()):
        end = start + len(phrase.keys)
        if tuple(keys[start:end]) == phrase.keys and phrase.exact in (None, tuple(words[start:end])):
            return phrase
    return kind_phrase(keys[start])


def kind_phrase(key: str) -> Phrase | None:
    """`Landtagswahlprogramm`, `Regierungsprogrammentwurf`: the kinds in one word; None for other words."""
    match = _KIND.fullmatch(key) if "program" in key else None
    kind = load_aliases().kinds.get(match[1]) if match else None
    if match is None or kind is None:
        return None
    merkmal = Sinn("merkmal", kind)
    return Phrase((key,), None, (merkmal, Sinn("fassung", "entwurf")) if match[2] else (merkmal,))


def canonical_bundesland(spelling: str | None) -> str | None:
    """Code of the Land (`NRW`, `BY`, …) or `Bund` that `spelling` as a whole names; None if no alias knows it."""
    if not spelling:
        return None
    sinne = _whole(spelling)
    if any(sinn.feld == "ort" for sinn in sinne):
        return None  # a place in a Land is not the Land
    laender = {sinn.wert for sinn in sinne if sinn.feld == "land"}
    if not laender and any("bund" in sinn.wert.split() for sinn in sinne if sinn.feld in ("merkmal", "verband")):
        return BUND
    return laender.pop() if len(laender) == 1 else None


def canonical_partei(spelling: str | None) -> str | None:
    """Name of the party that `spelling` as a whole names, as in `aliases.toml`; None if no alias knows it."""
    parteien = {sinn.wert for sinn in _whole(spelling or "") if sinn.feld == "partei"}
    return publisher(parteien)


def publisher(parteien: Iterable[str]) -> str | None:
    """The one party, or what several parties are together (`CDU` and `CSU`); None for none and for competitors."""
    named = frozenset(parteien)
    if len(named) == 1:
        return next(iter(named))
    for members, name in load_aliases().verbund.items():
        if named <= members | {name}:
            return name if named else None
    return None


@lru_cache(maxsize=1024)
def _whole(text: str) -> frozenset[Sinn]:
    """What `text` stands for, provided that all of its words are known."""
    words = WORD.findall(clean(text))
    keys = [key_of(word) for word in words]
    sinne: set[Sinn] = set()
    position = 0
    while position < len(keys):
        phrase = match_phrase(load_aliases().phrases, keys, words, position)
        if phrase is None:
            return frozenset()
        sinne.update(phrase.sinne)
        position += len(phrase.keys)
    return frozenset(sinne)
