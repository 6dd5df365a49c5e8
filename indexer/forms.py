"""The stored forms of a page: running text, what stands beside it, and where a match may begin or end (SPEC §5)."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from indexer.normalize import SUSPENDED, compact, fold, lower, strict
from indexer.schema import BARRIER
from indexer.seite import DROPPED, Cut


@dataclass(frozen=True, slots=True, kw_only=True)
class PageForms:
    """The stored forms of one page: running text first, then each moved piece, parted by `BARRIER`.

    `boundaries` is a bitmap over positions of `compact`, lowest bit first: bit i is set where a match may begin or end
    between `compact[i - 1]` and `compact[i]`. `flow_end` is the length of the running text in `compact`.
    """

    strict: str
    compact: str
    boundaries: bytes
    flow_end: int


def flow_text(text: str, cuts: Iterable[Cut]) -> str:
    """The running text of a page, raw: `text` without all cuts."""
    return "".join(_kept(text, cuts))


def _kept(text: str, cuts: Iterable[Cut]) -> Iterator[str]:
    position = 0
    for cut in cuts:
        yield text[position : cut.start]
        position = cut.end
    yield text[position:]


def page_forms(text: str, cuts: Iterable[Cut], *, before: str = "", after: str = "") -> PageForms:
    """Forms of a page from its raw `text` and `cuts` (sorted, not overlapping).

    `before` and `after` are the raw running texts that end on the page before and begin on the page after; a word or
    number broken over the page break has no boundary there. Dropped cuts vanish, moved ones follow the running text.
    """
    cuts = tuple(cuts)
    running = flow_text(text, cuts)
    moved = (text[cut.start : cut.end] for cut in cuts if cut.kind not in DROPPED)
    segments = [fold(running, keep_case=True), *filter(str.strip, (fold(piece, keep_case=True) for piece in moved))]
    lowered = [lower(segment) for segment in segments]
    compacts = [compact(segment) for segment in lowered]
    tight = 0
    start = 0
    for segment, form in zip(segments, compacts, strict=True):
        tight |= _tight_positions(segment, form) << start
        start += len(form) + 1
    form = BARRIER.join(compacts)
    flow_end = len(compacts[0])
    tight |= int(_continues(before, running)) | int(_continues(running, after)) << flow_end
    size = len(form) + 1
    return PageForms(
        strict=BARRIER.join(map(strict, lowered)),
        compact=form,
        boundaries=(~tight & ((1 << size) - 1)).to_bytes((size + 7) // 8, "little"),
        flow_end=flow_end,
    )


WORD = r"""
    [^\W\d_](?:[ ][^\W\d_]){2,}(?!\w)               # letter-spaced word: its gaps are no boundary
    | \.(?![ ]\.\.\.)(?:[ ]?\.)+                     # printed dots are one mark, but no part of a full stop before
    | (?:(?<![\w.,)])(?:[-+](?=\d)|[±<>~≤≥≈][ ]?(?=\d)))?  # sign
    (?:[(\[][^\W_]{1,8}-?[)\]](?=\w))?               # (un)gerecht, [un]gerecht
    [^\W_]+
    (?:
        [-'"*_·]+[^\W_]+                             # compound, apostrophe, gender mark
        | :(?=[a-zäöüß])[^\W_]+                      # Lehrer:innen, jede:r
        | /-?(?=in(?:nen)?\b|[nr]\b)[^\W_]+          # Bürger/innen, Bürger/-innen
        | \(-?(?:in|innen|n|r)\)                     # Bürger(innen)
        | (?<=\d)[.,:/×](?=\d)[^\W_]+                # 1,5  1.500  2022/23  2×3
        | (?<=\d)[.,]?[ \n]+(?=\d/\d)[^\W_]+         # 2 1/2
        | (?:(?<=\D\d)|(?<=\D\d\d)|(?<=\D\d\d\d)|(?<=[. \n]\d\d\d))
          (?:[ \n]+|[.][ ]*\n[ \n]*|[ ]*\n[ \n]*[.])(?=\d{3}(?!\d))[^\W_]+   # 1 500, also over a line end
        | (?:(?<=\D\d)|(?<=\D\d\d)|(?<=\D\d\d\d))(?:,[ ]*\n[ \n]*|[ ]*\n[ \n]*,)(?=\d)[^\W_]+  # 3,⏎5
    )*
    (?:(?<=\d)[%‰°€$£])?                            # 5%
    """
"""A word or number as it may be quoted, as a pattern (verbose)."""

PLAIN_WORDS = r"(?:[ ]{0,9}+(?:\n[ ]{0,9}+)?[A-ZÄÖÜa-zäöüß][a-zäöüß]++(?=[ \n.,]))++"
"""Words that `WORD` takes as they are, with what parts them, many at once: most of a text is made of them.

The spaces are bounded: from each of many on, the rest of them would be tried.
"""

_WORDS = re.compile(rf"({PLAIN_WORDS})|{WORD}", re.VERBOSE)
# Words glued by the text layer ("dieVerbraucher") part at the capital; BAföG, SchülerInnen and KfW do not.
_GLUED = re.compile(r"(?<=[a-zäöüß]{2})(?!Inn|In\b)(?=[A-ZÄÖÜ][a-zäöüß]{2})")


def _tight_positions(folded: str, form: str) -> int:
    """Bits of the positions inside words and numbers of `folded` (case kept), in positions of its compact `form`."""
    tight = bytearray(b"0") * (len(form) + 1)  # digits, because shifting a large number for each word takes longer
    text = " " + folded  # `WORD` looks for what stands before a number
    position = end = 0
    for match in _WORDS.finditer(text, 1):
        if match[0][0] == ".":  # else "…" in "Öl. …" would be looked for from the full stop on, where it seems to begin
            position = _behind_stops(form, position, text.count(".", end, match.start()))
        end = match.end()
        if match[1] is None:
            position = _tighten(tight, form, position, match[0])
            continue
        words = match[1].split()
        joined = "".join(words).lower()
        start = form.find(joined, position)
        if start < 0:
            for word in words:
                position = _tighten(tight, form, position, word)
            continue
        position = start + len(joined)
        tight[start:position] = b"".join(map(_inside, map(len, words)))
    return int(tight[::-1], 2)


def _behind_stops(form: str, position: int, number: int) -> int:
    """The position behind so many of the full stops from `position` on, as far as there are any."""
    for _ in range(number):
        position = max(position, form.find(".", position) + 1)
    return position


def _tighten(tight: bytearray, form: str, position: int, token: str) -> int:
    """Mark one token, looked for from `position` on; where it ends."""
    piece = lower(token) if "I" in token else token.lower()
    if not token.isalpha():
        piece = compact(piece)
    start = form.find(piece, position)
    if start < 0:
        return position
    end = start + len(piece)
    tight[start + 1 : end] = b"1" * (len(piece) - 1)
    if not token[1:].islower():
        for glued in _GLUED.finditer(token):
            tight[start + len(compact(lower(token[: glued.start()])))] = _LOOSE
    return end


@lru_cache(64)
def _inside(length: int) -> bytes:
    """The digits of a word of so many letters: all positions but its first are inside."""
    return b"0" + b"1" * (length - 1)


_LOOSE = ord("0")
_BROKEN_END = re.compile(r"\w[-\xad\u00ac\u2010\u2011]\s*$")
# How a number is cut by a page break: its end before, its beginning after.
_NUMBER_BREAKS = tuple(
    (re.compile(rf"{end}\s*$"), re.compile(rf"\s*{start}"))
    for end, start in (
        (r"(?<!\d)\d{1,3}\.?", r"\d{3}(?!\d)"),
        (r"\d,", r"\d"),
        (r"\d", r"(?:[½¼¾\u2150-\u215f%‰°€]|[.,]\d)"),
        (r"(?:^|\s)[-+±\u2212\u2013]", r"\d"),
    )
)
_SUSPENDED_START = re.compile(rf"\s*(?:{'|'.join(sorted(SUSPENDED))})\b")


def _continues(before: str, after: str) -> bool:
    """Whether a word or number runs on over the break between two running texts."""
    end, start = before[-40:], after[:40]
    if not end or not start:
        return False
    if _BROKEN_END.search(end):
        return not _SUSPENDED_START.match(start)
    return any(number_end.search(end) and number_start.match(start) for number_end, number_start in _NUMBER_BREAKS)
