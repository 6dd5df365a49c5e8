"""The words of a quelle, those that belong together as one (SPEC §6)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from indexer.aliases import WORD, Phrase, Sinn, key_of, match_phrase
from verifier.abbreviation import abbreviated_land, lone_letters

_YEAR = re.compile(r"((?:18|19|20)\d\d)[a-f]?", re.ASCII)  # "2021a" as scholars write it
_COUNT = re.compile(r"\d+|[ivxlc]+|\w", re.ASCII)  # numbers, roman ones too, and lone letters say nothing
_TWO = 2
_NAMED = frozenset({"partei", "werk"})
_GLUE = frozenset("-/\u2010\u2011")


@dataclass(frozen=True, slots=True)
class Item:
    """A known spelling, a year, a number or (`sinne` is empty) a word that nobody knows."""

    keys: tuple[str, ...]
    words: tuple[str, ...]
    sinne: tuple[Sinn, ...]
    start: int
    end: int
    glued: bool  # to the word before it, with a hyphen or slash


def read_items(head: str, phrases: Mapping[str, list[Phrase]]) -> list[Item]:
    """The words of `head` in order, those that belong together as one; what follows a chapter mark is left out."""
    found = list(WORD.finditer(head))
    words = [match[0] for match in found]
    keys = [key_of(word) for word in words]
    items: list[Item] = []
    position = 0
    party = False
    while position < len(keys):
        phrase = match_phrase(phrases, keys, words, position)
        end = position + (len(phrase.keys) if phrase else 1)
        sinne = phrase.sinne if phrase else _number(keys[position], words[position])
        if end - position == 1 and not keys[position].isdigit():
            end, sinne = _abbreviated(head, found[position], position) or (end, sinne)
        after = end
        if sinne and sinne[0].feld == "stelle":
            numbered = end < len(keys) and _COUNT.fullmatch(keys[end]) is not None
            if party and (numbered or sinne[0].wert == "wort"):
                break
            # "Kapitel 3 des Wahlprogramms der SPD": the head comes behind the chapter
            after = end + numbered
            sinne = (Sinn("fuellwort", ""),)
        party = party or any(sinn.feld in _NAMED for sinn in sinne)
        start, stop = found[position].start(), found[end - 1].end()
        glued = position > 0 and head[found[position - 1].end() : start] in _GLUE
        items.append(Item(tuple(keys[position:end]), tuple(words[position:end]), sinne, start, stop, glued))
        position = after
    return items


def _abbreviated(head: str, word: re.Match[str], position: int) -> tuple[int, tuple[Sinn, ...]] | None:
    """Where an abbreviation that begins with `word` ends, and the Land that it stands for.

    Letters that no alias knows may be short for a Land as well: they must be borne, never read as nothing.
    """
    if head[word.end() : word.end() + 1].isalpha() or word.end() == len(head):
        return None
    letters = lone_letters(head, word.start()) if len(word[0]) == 1 else 0
    land = abbreviated_land(head, word.start()) if letters in (0, _TWO) else ()
    if land:
        return position + _TWO, land
    return (position + letters, ()) if letters else None


def _number(key: str, word: str) -> tuple[Sinn, ...]:
    if year := _YEAR.fullmatch(key):
        return (Sinn("jahr", year[1]),)
    return (Sinn("zahl", key),) if _COUNT.fullmatch(key) and (key.isdigit() or len(key) == 1 or word.isupper()) else ()
