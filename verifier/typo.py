"""One wrong letter in a party, a Land, a place or a kind of programme (SPEC §6): only where one reading is possible."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from indexer.aliases import BUND, Phrase, Sinn, key_of, kind_phrase, load_aliases

MIN_LETTERS = 6  # SPEC §6
MIN_BEGINNING = 3
_CORRECTABLE = frozenset({"partei", "land", "merkmal", "fassung", "titel", "ort", "werk"})


class Spelling:
    """The words of `phrases`, findable with one letter wrong, missing or too many."""

    def __init__(self, phrases: Mapping[str, list[Phrase]]) -> None:
        self._meanings: dict[str, frozenset[Sinn]] = {}
        self._known = {key for group in phrases.values() for phrase in group for key in phrase.keys}
        alone: set[str] = set()
        kinds = (kind_phrase(stem + "programm") for stem in load_aliases().kinds)
        for phrase in chain(*phrases.values(), filter(None, kinds)):
            if phrase.exact is not None or phrase.sinne[0].feld not in _CORRECTABLE:
                continue
            for key in phrase.keys:
                single = len(phrase.keys) == 1
                # A word that stands for something alone means that, whatever else it is part of
                if single and key not in alone:
                    alone.add(key)
                    self._meanings[key] = frozenset(phrase.sinne)
                elif single or key not in alone:
                    self._meanings[key] = self._meanings.get(key, frozenset()) | frozenset(phrase.sinne)
        # One edit leaves the first letter or the last one as it is
        self._by_shape: dict[tuple[int, int, str], list[str]] = {}
        for key in self._meanings:
            if len(key) >= MIN_LETTERS - 1:
                self._by_shape.setdefault((0, len(key), key[0]), []).append(key)
                self._by_shape.setdefault((-1, len(key), key[-1]), []).append(key)

    def reading(self, word: str) -> str | None:
        """The one known word that is one letter away from `word`, which must have six letters and be none itself.

        None if there is none, or if several mean different things.
        """
        near = self._near(word) if len(word) >= MIN_LETTERS else []
        meanings = {self._meanings[key] for key in near}
        return near[0] if len(meanings) == 1 else None

    def suspect(self, word: str) -> str | None:
        """A party or Land that is one letter away from `word`, however short it is and whatever else it may be.

        Or a Land that `word` begins: "Nordrh.", "Bad.-Württ." behind the head of a quelle are no chapters.
        """
        near = next(filter(self.names_publisher, self._near(word)), None)
        return near or _begun(key_of(word))

    def names_publisher(self, key: str) -> bool:
        """Whether the known word `key` stands for a party or a Land."""
        return any(sinn.feld in ("partei", "land") for sinn in self._meanings.get(key, ()))

    def _near(self, word: str) -> list[str]:
        key = key_of(word)
        if not word.isalpha() or key in self._known or kind_phrase(key):
            return []
        return sorted({other for other in self._candidates(key) if one_letter_apart(key, other)})

    def _candidates(self, key: str) -> Iterable[str]:
        for length in (len(key) - 1, len(key), len(key) + 1):
            yield from self._by_shape.get((0, length, key[0]), ())
            yield from self._by_shape.get((-1, length, key[-1]), ())


def _begun(key: str) -> str | None:
    names = load_aliases().laender.items()
    begun = ("-".join(keys) for land, keys in names if land != BUND and _begins(key, keys))
    return next(begun, None) if len(key) >= MIN_BEGINNING else None


def _begins(key: str, keys: Sequence[str]) -> bool:
    """Whether `key` is the beginning of a name, or the beginnings of its two words in one: "MecklVorp"."""
    welded = any(keys[0].startswith(key[:cut]) and keys[-1].startswith(key[cut:]) for cut in range(2, len(key) - 1))
    return "".join(keys).startswith(key) or (welded and len(keys) > 1)


def one_letter_apart(one: str, other: str) -> bool:
    """Whether one letter changed, added or left out makes `other` of `one`."""
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1 or one == other:
        return False
    same = next((index for index, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return short[same:] == long[same + 1 :] or short[same + 1 :] == long[same + 1 :]
