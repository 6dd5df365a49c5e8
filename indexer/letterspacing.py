"""Letter-spaced words ("W A H L"), closed up so that their inner gaps are no word boundary (SPEC §5)."""

import re
from collections.abc import Sequence
from itertools import pairwise

# Looked for from its first blank: from each letter on it takes ten times as long.
SPACED = re.compile(r" (?<=[^\W\d_] )(?<!\w[^\W\d_] )[^\W\d_] [^\W\d_] [^\W\d_](?!\w)")
WIDER = 1.6  # a gap between two words, against the usual gap between two letters

Char = tuple[str, float, float]  # character, left and right edge in points


def is_spaced(text: str) -> bool:
    """Whether a line, or one of several, has a word of four or more single letters."""
    return SPACED.search(text) is not None


def closed_up(chars: Sequence[Char]) -> str:
    """Text of a line whose letter-spaced words are written together; all other words stay as they are."""
    words = words_of(chars)
    parts: list[str] = []
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and len(words[end]) == 1 and words[end][0][0].isalnum():
            end += 1
        if end - at >= 4:
            parts.append(joined([word[0] for word in words[at:end]]))
            at = end
        else:
            parts.append("".join(char for char, _, _ in words[at]))
            at += 1
    return " ".join(parts)


def words_of(chars: Sequence[Char]) -> list[list[Char]]:
    """The line cut at its blanks."""
    words: list[list[Char]] = [[]]
    for char in chars:
        if char[0].isspace():
            words.append([])
        else:
            words[-1].append(char)
    return [word for word in words if word]


def joined(letters: Sequence[Char]) -> str:
    """Single letters put together, with a blank where the gap is wider than usual."""
    gaps = [two[1] - one[2] for one, two in pairwise(letters)]
    usual = sorted(gaps)[len(gaps) // 2]
    pieces = [letters[0][0]]
    for letter, gap in zip(letters[1:], gaps, strict=True):
        pieces.append((" " if gap > WIDER * usual + 0.5 else "") + letter[0])
    return "".join(pieces)
