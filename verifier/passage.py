"""A stretch of running text as words, for all that must look closer than "it stands there": gaps, changes, context.

Only citations that did not pass by their compact form pay for this.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from indexer.forms import PLAIN_WORD, WORD, page_forms
from indexer.normalize import compact, fold, lower
from verifier.guards import is_abbreviation
from verifier.match import Form

_TOKEN = re.compile(
    rf"(?P<letters>{PLAIN_WORD})|(?P<paragraph>\n[ \n]*\n)|(?P<word>{WORD.pattern})|[^\w\s\"'-]",
    re.VERBOSE,
)
_ENDINGS = frozenset(".!?")
_CLOSING = frozenset((".", ",", ";", ":", "!", "?", ")", "]", "..."))


@dataclass(frozen=True)
class Words:
    """Words and punctuation marks of a text, as compact keys. `spans` are positions in the folded text.

    `paragraph_ends` holds the numbers of the tokens that end a printed paragraph, heading or bullet, `lower_case` those
    of words that are printed with a small letter, where that is known.
    """

    keys: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    paragraph_ends: frozenset[int]
    lower_case: frozenset[int] = frozenset()

    def is_word(self, number: int) -> bool:
        """Whether the token is a word or figure, not a punctuation mark."""
        return self.keys[number][-1:].isalnum()

    def ends_sentence(self, number: int) -> bool:
        """Whether a printed sentence, heading or bullet ends with this token."""
        if number in self.paragraph_ends:
            return True
        if self.keys[number] not in _ENDINGS:
            return False
        before = self.keys[number - 1] if number else ""
        # "am 7. Oktober", "z. B.", "insbes. nicht": such a full stop ends no sentence
        if self.keys[number] == "." and number + 1 in self.lower_case:
            return False
        return self.keys[number] != "." or not (is_abbreviation(before) or (before.isdigit() and len(before) < 4))

    @cached_property
    def threes(self) -> tuple[str, ...]:
        """The compact forms of all stretches of three words (or of all, if fewer), with the punctuation between."""
        numbers = [number for number in range(len(self.keys)) if self.is_word(number)]
        size = min(3, len(numbers))
        pairs = zip(numbers, numbers[size - 1 :], strict=False)
        return tuple(_joined(self.keys[first : last + 1]) for first, last in pairs)


def _joined(keys: Sequence[str]) -> str:
    """Keys as the compact form has them: nothing between them, save a space between two figures."""
    text = keys[0]
    for key in keys[1:]:
        text += f" {key}" if text[-1].isdigit() and key[0].isdigit() else key
    return text


def words(folded: str, cased: str = "") -> Words:
    """Split a folded text (line ends kept) into words and punctuation marks, without quotation marks and dashes.

    `cased` is the same text before lower case, if what is printed small matters.
    """
    keys: list[str] = []
    spans: list[tuple[int, int]] = []
    paragraph_ends: set[int] = set()
    for match in _TOKEN.finditer(folded):
        key = match[0]
        if match.lastgroup == "paragraph":
            paragraph_ends.add(len(keys) - 1)
            continue
        if match.lastgroup != "letters" and not key.isalpha():
            key = compact(key)
        if key:
            keys.append(key)
            spans.append(match.span())
    small = (number for number, (start, _) in enumerate(spans) if cased[start : start + 1].islower())
    return Words(tuple(keys), tuple(spans), frozenset(paragraph_ends), frozenset(small))


class Passage:
    """The raw running texts of consecutive pages, folded together, so that a word broken over a page break is whole."""

    def __init__(self, raw_pages: Sequence[str]) -> None:
        self.raw = "\n".join(raw_pages)
        cased = fold(self.raw, keep_case=True)
        folded = lower(cased)  # what `fold` makes of it: its last step is lower case
        self.folded = folded
        self.words = words(folded, cased if len(cased) == len(folded) else "")
        counts = (len(_LETTERS.sub("", fold(raw))) for raw in raw_pages[:-1])
        self._page_starts = list(accumulate(counts, initial=0))

    def page_of(self, number: int) -> int:
        """The page (0-based among those given) on which a token begins."""
        if number and self.words.keys[number] in _CLOSING:  # the last mark of a page, not the first of the next
            number -= 1
        return max(0, bisect_right(self._page_starts, self._letters_before[number]) - 1)

    def source(self, first: int, last: int) -> str:
        """Tokens [first, last) in the source's own characters, white space as single spaces."""
        before = self._letters_before
        if first >= last:
            return ""
        if before[first] == before[last] or not self._raw_words[0]:
            spans = self.words.spans
            return " ".join(self.folded[spans[first][0] : spans[last - 1][1]].split())
        start = self._raw_position(before[first])
        end = self._raw_position(max(before[last] - 1, 0)) + 1
        while end < len(self.raw) and not (self.raw[end].isalnum() or self.raw[end].isspace()):
            end += 1
        while start and not (self.raw[start - 1].isalnum() or self.raw[start - 1].isspace()):
            start -= 1
        return " ".join(_LINE_HYPHEN.sub("", self.raw[start:end]).split())

    def has_bullet(self, number: int) -> bool:
        """Whether a printed bullet stands right before the token."""
        if number >= len(self.words.keys):
            return False
        before = self.raw[: self._raw_position(self._letters_before[number])].rstrip()
        return bool(_BULLET.search(before[-2:]))

    @cached_property
    def form(self) -> Form:
        """The compact form of the whole passage, to look for pieces of a quotation in it."""
        forms = page_forms(self.raw, ())
        return Form(compact=forms.compact, boundaries=forms.boundaries)

    def token_at(self, position: int) -> int:
        """The first token that begins at or after a position of `form.compact`."""
        return bisect_left(self._offsets, position)

    @cached_property
    def _offsets(self) -> list[int]:
        offsets: list[int] = []
        position = 0
        for key in self.words.keys:
            found = self.form.compact.find(key, position)
            if found >= 0:
                position = found
            offsets.append(position)
            position += len(key) if found >= 0 else 0
        return offsets

    @cached_property
    def _letters_before(self) -> list[int]:
        """For each token, and one beyond the last: letters and digits before it (folding keeps their number)."""
        letters = (len(key) if key.isalnum() else sum(map(str.isalnum, key)) for key in self.words.keys)
        return list(accumulate(letters, initial=0))

    def _raw_position(self, letter: int) -> int:
        """The position in `raw` of its letter number `letter` (0-based)."""
        counts, starts = self._raw_words
        word = max(0, bisect_right(counts, letter) - 1)
        position, left = starts[word], letter - counts[word]
        while left > 0 and position < len(self.raw) - 1:
            left -= _letter_count(self.raw[position])
            position += 1
        return position if left >= 0 else position - 1

    @cached_property
    def _raw_words(self) -> tuple[list[int], list[int]]:
        """For each run of letters in `raw`: the letters before it, and where it starts. Ligatures count as two."""
        spans = [match.span() for match in _RUN_OF_LETTERS.finditer(self.raw)]
        if _WIDE.search(self.raw):
            sizes = [sum(map(_letter_count, self.raw[start:end])) for start, end in spans]
        else:
            sizes = [end - start for start, end in spans]
        return list(accumulate(sizes, initial=0))[:-1], [start for start, _ in spans]


# Signs, private-use characters and controls that are no punctuation; at the start of a line a dash is one as well, and
# so is the letter of a symbol font.
_BULLET = re.compile(r"(?:[^\w\s.,;:!?()\[\]{}/\\\"'„“”‚‘’»«›‹…&%€§+=–-]|(?:\A|\n)[–-]|(?:\A|\n)[noVvqulØ§üx])\Z")
_RUN_OF_LETTERS = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[\W_]+")
_LINE_HYPHEN = re.compile(r"(?<=[a-zäöüß])[-\xad][ \t]*\n\s*(?=[a-zäöüß])(?!und\b|oder\b|sowie\b|bzw\b)|\xad")


_WIDE = re.compile("[\u00bc-\u00be\u0132\u0133\u2150-\u215f\ufb00-\ufb06]")  # folded to more than one letter


def _letter_count(character: str) -> int:
    if not _WIDE.match(character):
        return int(character.isalnum())
    return sum(map(str.isalnum, fold(character)))
