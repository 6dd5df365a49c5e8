"""The page reference in a quelle: `S. 58 f.`, `Seiten 3 und 4`, `S. 12–14`, `#page=10`, `p. iv` (SPEC §6, "Pages").

Where a quelle holds several, the first one in words counts; `#page=` of an address only where there is none. References
that follow each other directly (`S. 3, S. 5`) are one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_PAGES = 10  # SPEC §6: a reference to more is no page to look at
FOLLOWING = {"f": 1, "ff": 3}  # SPEC §6: and the next; and the next three

_END = r"(?![^\W_\u00b2\u00b3\u00b9\u2070-\u209f])"  # a raised footnote mark may follow, a letter or digit may not
_START = r"(?<![^\W_])"
_MARK = re.compile(
    _START + r"(?:(?P<pdf>(?<!\.)PDF)[-\s]?)?(?:(?P<word>(?:Druck)?Seiten?|Seite\(n\)|pages?)|(?P<short>(?:S|pp?|pg)\.)"
    r"|(?<![^\W\d_][-/])(?P<bare>(?-i:S)|pp?)(?=\s[0-9]))\s*:?\s*",  # "R-P 2021" names a Land; ".pdf S. 19" a file
    re.IGNORECASE,
)
_NUMBER = re.compile(r"([0-9]+)(?!\.[0-9])(?:\s?(ff?)(?![^\W_])\.?)?" + _END)
_ROMAN = re.compile(r"([ivxlc]+)(?!\.\s?[\w])(?:\s(ff?)(?![^\W_])\.?)?" + _END, re.IGNORECASE)
_ROMAN_VALUE = re.compile(r"c{0,2}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_RANGE = re.compile(r"(\s*)(?:[-\u2010-\u2015\u2212]|bis" + _END + r"|to" + _END + r")\s*", re.IGNORECASE)
_LIST = re.compile(r"\s*(?:([,;])|(?:und|sowie|and)" + _END + r"|u\.|&|\+)\s*", re.IGNORECASE)
_SLASH = re.compile(r"\s*/\s*")
_TOTAL = re.compile(r"\s*\(?\s*(?:von|of)\s+(?:insgesamt\s+)?[0-9]+" + _END, re.IGNORECASE)
_IN_PDF = re.compile(r"\s*\(?(?:(?:im|in|der|des|in der)\s)?\s?(?:PDFs?)(?![-\s]?S)" + _END, re.IGNORECASE)
_HASH = re.compile(r"#page=([0-9]+)", re.IGNORECASE)
_GLUED = re.compile(r"[,;(]\s?S([0-9]{1,4})(?=\s*(?:$|[,;)]))")
# Raised digits or those of another script: a page is meant, but not one that a German programme prints.
_OTHER_DIGITS = re.compile(
    _START + r"(?:S\.|Seiten?)\s?(?:(?![0-9])[\d\u00b2\u00b3\u00b9\u2070-\u2079])+", re.IGNORECASE
)
_STATUTE = re.compile(r"(?:§+\s?[0-9]+[a-z]*|\bAbs\.?\s?[0-9]+|\bArt\.?\s?[0-9]+)\s?$", re.IGNORECASE)
_ORDINAL = re.compile(r"\.\s?[^\W\d_]")  # "3. Kapitel": counts chapters, not pages
_CAPITAL = re.compile(r"\s+[^\W\d_a-zäöüß]")  # "5 Punkte": counts things, not pages
_YEAR = re.compile(r"(?:1[89]|20)[0-9]{2}")


@dataclass(frozen=True, slots=True)
class PageRef:
    """Pages that a quelle names, in the order in which it names them.

    `seiten`: arabic numbers (0 stays 0); `labels`: roman numerals as cited. `pdf_only`: PDF positions, not printed
    numbers. `range_too_long`: more than MAX_PAGES pages, hence none at all. `text`: what stands in the quelle;
    `reason`: why there is no page.
    """

    seiten: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()
    pdf_only: bool = False
    range_too_long: bool = False
    text: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Located:
    """A page reference and the half-open range of characters where it stands."""

    start: int
    end: int
    ref: PageRef
    in_words: bool


def find_pages(text: str) -> list[Located]:
    """All page references of `text` (cleaned, see `indexer.aliases.clean`), the one that counts first."""
    found = [*_worded(text)]
    found += [_hash(match) for match in _HASH.finditer(text)]
    if not found:
        found = [_glued(match) for match in _GLUED.finditer(text)]
    if not found:
        found = [_unreadable(match) for match in _OTHER_DIGITS.finditer(text)]
    return sorted(found, key=lambda located: (not located.in_words, located.start))


def _hash(match: re.Match[str]) -> Located:
    ref = PageRef(seiten=(int(match[1]),), pdf_only=True, text=match[0])
    return Located(match.start(), match.end(), ref, in_words=False)


def _glued(match: re.Match[str]) -> Located:
    start = match.start(1) - 1
    return Located(start, match.end(), PageRef(seiten=(int(match[1]),), text=text_of(match, start)), in_words=True)


def _unreadable(match: re.Match[str]) -> Located:
    ref = PageRef(text=match[0], reason=f"{match[0]!r} is no page number")
    return Located(match.start(), match.end(), ref, in_words=True)


def text_of(match: re.Match[str], start: int) -> str:
    """The matched characters from `start` on."""
    return match.string[start : match.end()]


def _worded(text: str) -> Iterator[Located]:
    position = 0
    while mark := _MARK.search(text, position):
        position = mark.end()
        # "§ 202c Abs. 1 S. 2": the second sentence of a statute
        if mark["short"] and _STATUTE.search(text, max(0, mark.start() - 30), mark.start()):
            continue
        reader = _Reader(text, mark)
        if reader.read():
            position = reader.position
            yield Located(mark.start(), position, reader.ref(), in_words=True)


class _Reader:
    """Reads the numbers behind one mark."""

    def __init__(self, text: str, mark: re.Match[str]) -> None:
        self.text = text
        self.mark = mark
        self.position = mark.end()
        self.pages: list[int] = []
        self.labels: list[str] = []
        self.too_long = False

    def read(self) -> bool:
        small = self.mark[0].startswith("s.")  # also "siehe": only a number makes it a page
        match = _NUMBER.match(self.text, self.position)
        if match is None:
            return not small and not self.mark["bare"] and self._roman()
        if small and _ORDINAL.match(self.text, match.end()):
            return False
        self._add(match)
        while self._more():
            pass
        total = _TOTAL.match(self.text, self.position)
        self.position = total.end() if total else self.position
        return True

    def ref(self) -> PageRef:
        text = self.text[self.mark.start() : self.position]
        pages = tuple(dict.fromkeys(self.pages))
        suffix = _IN_PDF.match(self.text, self.position)
        if suffix:
            self.position = suffix.end()
        too_long = self.too_long or len(pages) > MAX_PAGES
        return PageRef(
            seiten=() if too_long else pages,
            labels=tuple(self.labels),
            pdf_only=bool(self.mark["pdf"] or suffix),
            range_too_long=too_long,
            text=text,
            reason=f"{text!r} names more than {MAX_PAGES} pages" if too_long else "",
        )

    def _add(self, match: re.Match[str]) -> None:
        first = int(match[1])
        self.pages += range(first, first + 1 + FOLLOWING.get((match[2] or "").lower(), 0))
        self.position = match.end()

    def _more(self) -> bool:
        """Read one more number or range; False if the reference ends here."""
        if len(self.pages) > MAX_PAGES:
            self.too_long = True
        for joint, take in ((_RANGE, self._range), (_SLASH, self._slash), (_LIST, self._item)):
            match = joint.match(self.text, self.position)
            if match:
                return take(match)
        return False

    def _number(self, position: int) -> tuple[re.Match[str] | None, bool]:
        """The number at `position`, and whether a mark of its own stands before it."""
        mark = _MARK.match(self.text, position)
        if mark and mark["pdf"] and not self.mark["pdf"]:
            return None, True  # "S. 8, PDF-Seite 10" counts in two ways: a reference of its own
        return _NUMBER.match(self.text, mark.end() if mark else position), mark is not None

    def _range(self, joint: re.Match[str]) -> bool:
        match, marked = self._number(joint.end())
        if match is None or (joint[1] and not marked and _CAPITAL.match(self.text, match.end())):
            return False
        first = self.pages[-1]
        last = _completed(first, match[1])
        first, last = min(first, last), max(first, last)
        self.too_long |= last - first >= MAX_PAGES
        self.pages[-1:] = [] if self.too_long else range(first, last + 1)
        self.pages = self.pages or [first]
        self.position = match.end()
        return True

    def _slash(self, joint: re.Match[str]) -> bool:
        match, _ = self._number(joint.end())
        if match is None:
            return False
        first, second = self.pages[-1], _completed(self.pages[-1], match[1])
        # "3/120" is page 3 of 120: the total is not cited
        if first < second <= first + MAX_PAGES:
            self.pages.append(second)
        self.position = match.end()
        return True

    def _item(self, joint: re.Match[str]) -> bool:
        match, marked = self._number(joint.end())
        if match is None or (not marked and self._counts_something_else(joint, match)):
            return False
        self._add(match)
        return True

    def _counts_something_else(self, joint: re.Match[str], match: re.Match[str]) -> bool:
        if _ORDINAL.match(self.text, match.end()):
            return True
        return bool(joint[1] and (_YEAR.fullmatch(match[1]) or _CAPITAL.match(self.text, match.end())))

    def _roman(self) -> bool:
        match = _ROMAN.match(self.text, self.position)
        if match is None or not _is_roman(match[1]):
            return False
        self._add_roman(match[1], FOLLOWING.get((match[2] or "").lower(), 0))
        self.position = match.end()
        joint = _RANGE.match(self.text, self.position)
        last = _ROMAN.match(self.text, joint.end()) if joint else None
        if last and _is_roman(last[1]):
            span = _value(last[1]) - _value(match[1])
            self.too_long = span >= MAX_PAGES
            self._add_roman(match[1], 0 if self.too_long else max(span, 0))
            self.position = last.end()
        if self.too_long:
            self.labels = []
        return True

    def _add_roman(self, first: str, following: int) -> None:
        self.labels = [first, *(_roman(_value(first) + step, like=first) for step in range(1, following + 1))]


def _completed(first: int, second: str) -> int:
    """The second number of a range, where its leading digits are left out: 112-14 ends on 114.

    `first` itself if that reads no better than the two numbers in the wrong order: 10-8 may be 10-18 or 8-10, and
    only page 10 stands in both.
    """
    missing = len(str(first)) - len(second)
    if missing <= 0 or int(second) >= first:
        return int(second)
    last = int(str(first)[:missing] + second)
    return last if first < last < first + (first - int(second)) else first


def _is_roman(text: str) -> bool:
    # A lone C or L is an initial, not a page
    return _ROMAN_VALUE.fullmatch(text.lower()) is not None and text.lower() not in {"c", "l"}


_DIGITS = {"c": 100, "xc": 90, "l": 50, "xl": 40, "x": 10, "ix": 9, "v": 5, "iv": 4, "i": 1}


def _value(roman: str) -> int:
    values = [_DIGITS[digit] for digit in roman.lower()]
    signed = [-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True)]
    return sum(signed)


def _roman(value: int, *, like: str) -> str:
    text = ""
    for digit, worth in _DIGITS.items():
        count, value = divmod(value, worth)
        text += digit * count
    return text.upper() if like.isupper() else text
