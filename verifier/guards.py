"""Guard words: negations, limits, conditions, numbers and units, read from `guards.toml` (SPEC §6)."""

import re
import tomllib
from functools import cache, lru_cache
from pathlib import Path

GUARDING = ("negation", "limit", "condition", "number", "unit")


@cache
def _words() -> tuple[dict[str, str], tuple[tuple[str, str], ...], frozenset[str]]:
    """Whole words → kind, (prefix, kind) pairs, and abbreviations."""
    data = tomllib.loads(Path(__file__).with_name("guards.toml").read_text("utf-8"))
    abbreviations = frozenset(data.pop("abbreviations"))
    kinds = [(word, kind) for kind, group in data.items() for word in group["words"]]
    whole = {word: kind for word, kind in kinds if not word.endswith("*")}
    prefixes = tuple((word[:-1], kind) for word, kind in kinds if word.endswith("*"))
    return whole, prefixes, abbreviations


def is_abbreviation(word: str) -> bool:
    """Whether a full stop after `word` (lower case, without the stop) ends no sentence."""
    return word in _words()[2]


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
    whole, prefixes, _ = _words()
    if kind := whole.get(word):
        return kind
    if any(character.isdigit() for character in word) or _NUMBER_WORD.fullmatch(word):
        return "number"
    return next((kind for prefix, kind in prefixes if word.startswith(prefix)), None)


def is_guard(word: str) -> bool:
    """Whether leaving `word` out changes what is said."""
    return kind_of(word) in GUARDING
