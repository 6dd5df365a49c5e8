"""A stretch of running text as words, for all that must look closer than "it stands there": gaps, changes, context.

Only citations that did not pass by their compact form pay for this.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate

from indexer.forms import PLAIN_WORDS, WORD, page_forms
from indexer.normalize import compact, fold, lower
from verifier.guards import leaves_open, stop_ends_nothing
from verifier.match import Form

# Most words, many at once; the end of a paragraph; what else is one word; a mark.
_TOKEN = re.compile(rf"({PLAIN_WORDS})|(\n[ \n]*\n)|({WORD})|([^\w\s\"'-])", re.VERBOSE)
_PLAIN, _PARAGRAPH_END = 1, 2  # groups
_RUN_OF_LETTERS = re.compile(r"([^\W_]+)")
_ENDINGS = frozenset(".!?")
_MIDDLE = frozenset(",;:")
_INTRODUCING = frozenset((":", "...", ",", ";"))
_CLOSING = frozenset((".", ",", ";", ":", "!", "?", ")", "]", "..."))


@dataclass(frozen=True)
class Words:
    """Words and punctuation marks of a folded text, as compact keys.

    `paragraph_ends` holds the numbers of the tokens that end a printed paragraph, heading or bullet. `cased` is the
    folded text before lower case, where that is known.
    """

    folded: str
    keys: tuple[str, ...]
    paragraph_ends: frozenset[int]
    cased: str = ""

    @cached_property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """Where each token stands in `folded`; few ask for it."""
        return tuple(_spans(self.folded))

    def is_word(self, number: int) -> bool:
        """Whether the token is a word or figure, not a punctuation mark."""
        return self.keys[number][-1:].isalnum()

    def ends_sentence(self, number: int) -> bool:
        """Whether a printed sentence, heading or bullet ends with this token.

        What a colon or dots introduce belongs to the sentence, and so do the items that a comma parts.
        """
        if number in self.paragraph_ends:
            return self.keys[number] not in _INTRODUCING
        if self.keys[number] not in _ENDINGS or self._goes_on(number + 1):
            return False
        before = self.keys[number - 1] if number else ""
        following = self.keys[number + 1] if number + 1 < len(self.keys) else ""
        return self.keys[number] != "." or not stop_ends_nothing(before, following)

    def _goes_on(self, number: int) -> bool:
        """Whether the sentence goes on with this token: "insbes. nicht", "„Demokratie leben!“, die", "(sic!) und"."""
        while number < len(self.keys) and self.keys[number] in ")]":
            number += 1
        if number >= len(self.keys):
            return False
        return self.keys[number] in _MIDDLE or bool(self.cased and self.cased[self.spans[number][0]].islower())

    @cached_property
    def threes(self) -> list[str]:
        """The compact forms of all stretches of three words (or of all, if fewer), with the punctuation between."""
        numbers = [number for number in range(len(self.keys)) if self.is_word(number)]
        size = min(3, len(numbers))
        pieces = [*map(_spaced, self.keys[:1], ("",)), *map(_spaced, self.keys[1:], self.keys)]
        text, ends = "".join(pieces), list(accumulate(map(len, pieces)))
        pairs = zip(numbers, numbers[size - 1 :], strict=False)
        return [text[ends[first] - len(self.keys[first]) : ends[last]] for first, last in pairs]


def _spaced(key: str, before: str) -> str:
    """A key as the compact form has it behind another one: nothing between them, save a space between two figures."""
    return f" {key}" if key[0].isdigit() and before[-1:].isdigit() else key


def words(folded: str, cased: str = "") -> Words:
    """Split a folded text (line ends kept) into words and punctuation marks, without quotation marks and dashes.

    `cased` is the same text before lower case, if what is printed small matters.
    """
    keys: list[str] = []
    paragraph_ends: set[int] = set()
    for match in _TOKEN.finditer(folded):
        group = match.lastindex
        if group == _PLAIN:
            keys += match[0].split()
        elif group == _PARAGRAPH_END:
            if keys and not leaves_open(keys[-1]) and not _AMOUNT.match(folded, match.end()):
                paragraph_ends.add(len(keys) - 1)
        elif key := _compact(match[0]):
            keys.append(key)
    return Words(folded, tuple(keys), frozenset(paragraph_ends), cased)


def _spans(folded: str) -> Iterator[tuple[int, int]]:
    for match in _TOKEN.finditer(folded):
        if match.lastindex == _PLAIN:
            for word in _RUN_OF_LETTERS.finditer(folded, match.start(), match.end()):
                yield word.span()
        elif match.lastindex != _PARAGRAPH_END and _compact(match[0]):
            yield match.span()


# "auf ⏎⏎ 3 % des Sozialprodukts": a figure at the start of a line looks like a number of a list, an amount is none.
_AMOUNT = re.compile(r"\d[\d.,]*[ \n]?(?:%|‰|€|prozent|euro|million|milliarde|cent)")


@lru_cache(1024)
def _compact_mark(mark: str) -> str:
    return compact(mark)


def _compact(token: str) -> str:
    """The same few marks make most of them."""
    return _compact_mark(token) if len(token) == 1 else compact(token)


class Passage:
    """The raw running texts of consecutive pages, folded together, so that a word broken over a page break is whole."""

    def __init__(self, raw_pages: Sequence[str]) -> None:
        self.raw = _joined(raw_pages)
        cased = fold(self.raw, keep_case=True)
        folded = lower(cased)
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
        letters = [len(key) if key.isalnum() else len(key) > 1 and _letters(key) for key in self.words.keys]
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
        pieces = _RUN_OF_LETTERS.split(self.raw)  # what stands between, a run, what stands between, …
        starts = list(accumulate(map(len, pieces)))[:-1:2]
        runs = pieces[1::2]
        sizes = [sum(map(_letter_count, run)) for run in runs] if _WIDE.search(self.raw) else map(len, runs)
        return list(accumulate(sizes, initial=0))[:-1], starts


def _letters(key: str) -> int:
    return sum(map(str.isalnum, key))


def _joined(raw_pages: Sequence[str]) -> str:
    """Pages as one text. A page break by itself ends no paragraph ("von zwei Prozent | des BIP lehnen wir ab").

    But it does where the layout says so, by a blank line at the end of the page (`indexer.paragraphs.ends_at_page`).
    """
    text, ended = "", False
    for raw in raw_pages:
        if page := raw.strip():
            text += ("\n\n" if ended else "\n") if text else ""
            text += page
            ended = raw[len(raw.rstrip()) :].count("\n") > 1
    return f"{text}\n\n" if ended else text


# Signs, private-use characters and controls that are no punctuation; at the start of a line a dash is one as well, and
# so is the letter of a symbol font.
_SIGN = r"[^\w\s.,;:!?()\[\]{}/\\\"'„“”‚‘’»«›‹…&%€§+=–-]"
_BULLET = re.compile(rf"(?:{_SIGN}|(?:\A|\n)[–-]|(?:\A|\n)[noVvqulØ§üx])\Z")
_LETTERS = re.compile(r"[\W_]+")
_LINE_HYPHEN = re.compile(r"(?<=[a-zäöüß])[-\xad][ \t]*\n\s*(?=[a-zäöüß])(?!und\b|oder\b|sowie\b|bzw\b)|\xad")


_WIDE = re.compile("[\u00bc-\u00be\u0132\u0133\u2150-\u215f\ufb00-\ufb06]")  # folded to more than one letter


def _letter_count(character: str) -> int:
    if not _WIDE.match(character):
        return int(character.isalnum())
    return sum(map(str.isalnum, fold(character)))
