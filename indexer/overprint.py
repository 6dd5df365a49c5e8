"""Letters that a line prints over each other ("unver-r-r-" for a bold "unver-"), written once (SPEC §5).

The PDF library leaves out most letters that are drawn again in the same place, but not those before a hyphen at the end
of a line (FDP 2009: on 60 of 78 pages). Whole lines that are drawn again are left to `indexer.doubles`.
"""

import re
from collections.abc import Sequence

from indexer.letterspacing import Char

_REPEATED = re.compile(r"-(\w{1,4})(?=-)")  # of the hyphens in a text, this finds the few that may matter
_NEAR = 0.5  # of a letter's width: how far the same letter may lie off
_BACK = 12  # letters that are compared with the next


def is_overprinted(text: str) -> bool:
    """Whether a line, or one of several, says "e-e-" as overprinted ones do. `Ro-Ro-` does so too: places decide."""
    return any(text.endswith(match[1], 0, match.start()) for match in _REPEATED.finditer(text))


def printed_once(chars: Sequence[Char]) -> str:
    """Text of a line without the letters that lie on the same letter again."""
    kept: list[Char] = []
    for char, x0, x1 in chars:
        reach = _NEAR * (x1 - x0)
        if not any(char == other and abs(x0 - left) <= reach for other, left, _ in kept[-_BACK:]):
            kept.append((char, x0, x1))
    return "".join(char for char, _, _ in kept)
