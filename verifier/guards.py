"""Guard words: negations, limits, conditions, numbers and units, read from `guards.toml` (SPEC §6)."""

import re
import tomllib
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

GUARDING = ("negation", "limit", "condition", "number", "unit")


class _Data(NamedTuple):
    """What the file holds: whole words and prefixes with their kind, and the lists."""

    whole: dict[str, str]
    prefixes: tuple[tuple[str, str], ...]
    abbreviations: frozenset[str]
    before_figures: frozenset[str]
    open: frozenset[str]


@cache
def _words() -> _Data:
    data = tomllib.loads(Path(__file__).with_name("guards.toml").read_text("utf-8"))
    lists = [frozenset(data.pop(name)) for name in ("abbreviations", "before_figures", "open")]
    kinds = [(word, kind) for kind, group in data.items() for word in group["words"]]
    whole = {word: kind for word, kind in kinds if not word.endswith("*")}
    prefixes = tuple((word[:-1], kind) for word, kind in kinds if word.endswith("*"))
    return _Data(whole, prefixes, *lists)


def is_abbreviation(word: str, following: str | None = None) -> bool:
    """Whether a full stop after `word` (lower case, without the stop) ends no sentence.

    `following`: the word behind the stop, if it is known; some abbreviations are none without a figure.
    """
    data = _words()
    if word in data.before_figures and following is not None:
        return following[:1].isdigit()
    return word in data.abbreviations or word in data.before_figures


def stop_ends_nothing(before: str, following: str | None = None) -> bool:
    """Whether a full stop between these words (lower case) ends no sentence: `z. B.`, `am 7. Oktober`."""
    return is_abbreviation(before, following) or (before.isdigit() and len(before) < 4)


def leaves_open(word: str) -> bool:
    """Whether nothing that is printed can end with `word` (lower case): an article, "und", "für"."""
    return word in _words().open


# zweihundert, einundzwanzig, eineinhalb, zehnmal, dreifach: made of number words, of which no list is complete.
_STEM = (
    "zwei|zwo|drei|vier|fünf|sechs|sech|sieben|sieb|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|dreissig"
    "|(?:vier|fünf|sech|sieb|acht|neun)zig|hundert|tausend|anderthalb|ein(?=und|hundert|tausend|mal|fach|einhalb)"
)
_NUMBER_WORD = re.compile(
    rf"(?:{_STEM})(?:und|{_STEM}|einhalb)*(?:mal|mals|fach\w{{0,2}}|s?te[nmrs]?|tel|teln|stündig\w{{0,2}}|jährig\w{{0,2}}"
    r"|köpfig\w{0,2}|prozentig\w{0,2}|stellig\w{0,2})?"
)


@lru_cache(maxsize=8192)
def kind_of(word: str) -> str | None:
    """The group of a word in lower case (`negation`, `number`, …, `modal`), or None for any other word."""
    whole, prefixes = _words()[:2]
    if kind := whole.get(word):
        return kind
    if any(character.isdigit() for character in word) or _NUMBER_WORD.fullmatch(word):
        return "number"
    return next((kind for prefix, kind in prefixes if word.startswith(prefix)), None)


def is_guard(word: str) -> bool:
    """Whether leaving `word` out changes what is said."""
    return kind_of(word) in GUARDING
