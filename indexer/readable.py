"""Whether anything readable stands on a page, and if not, why (SPEC §6, `no_text`).

A text layer can name other letters than the page prints (a wrong /ToUnicode). Such a page is unreadable, and what is
quoted from it cannot be checked; a table, recognised print of 1949 or a page in another language can.
"""

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, islice, pairwise
from pathlib import Path

from indexer.sheet import Sheet

MIN_LETTERS = 60  # below that, pairs of letters prove nothing
MANY_LETTERS = 300
# Share of the commonest pairs among all: real pages have 0.35 (a title) to 0.7, shifted letters 0.0 to 0.3.
MIN_PAIRS = 0.25
MIN_PAIRS_OF_MANY = 0.32
MIN_WORDLIKE = 0.5  # share of letters and digits; German prose has 0.97
MIN_CHARACTERS = 12
WORD_SHARE = 0.006  # such words per character; German prose has 0.015
LEADERS = re.compile(r"([^\w\s])(?:\s?\1){2,}|[.\ufffd\x00-\x1f\x7f-\x9f]{3,}")
TABLE = tomllib.loads(Path(__file__).with_name("readable.toml").read_text(encoding="utf-8"))
WORDS = [f" {word} " for words in TABLE["words"].values() for word in words.split()]
FURNITURE = frozenset(("page_number", "head", "foot", "line_number", "double"))
FEWEST = 3  # letters and figures of a running text
PAIRS = frozenset(pair for pairs in TABLE["pairs"].values() for pair in pairs.split())


def why_unreadable(sheet: Sheet) -> str | None:
    """Why nothing readable stands on a judged page, or None if something does."""
    if sheet.raw.blank:
        return sheet.raw.blank
    running = "".join(text for text, kind in zip(sheet.texts, sheet.kinds, strict=True) if kind is None)
    kinds = {kind for kind in sheet.kinds if kind is not None}
    if is_garbage("\n".join(sheet.texts)):
        return "text layer is garbage: it names other letters than the page prints"
    few_letters = len(list(islice(filter(str.isalnum, running), FEWEST))) < FEWEST
    if few_letters and kinds <= FURNITURE:
        if kinds <= {"page_number"}:
            return "only a page number" if kinds else "only a few marks"
        return "only a running head or page number"
    return None


def is_garbage(text: str) -> bool:
    """Whether a page's text layer is no language at all."""
    if len(text) > MANY_LETTERS and has_common_words(text):
        return False
    unknown = sum(1 for char in text if char == "\ufffd" or "\ue000" <= char <= "\uf8ff")
    text = LEADERS.sub(" ", unicodedata.normalize("NFC", text).lower())
    marks = [char for char in text if not char.isspace()]
    if len(marks) < MIN_CHARACTERS:
        return unknown >= MIN_CHARACTERS
    letters = [char for char in marks if char.isalpha()]
    if len(letters) < MIN_LETTERS:
        return sum(map(str.isalnum, marks)) < MIN_WORDLIKE * len(marks)
    latin = sum(1 for char in letters if char < "\u0250")
    if 2 * latin < len(letters):
        scripts = Counter(unicodedata.name(char, "?").partition(" ")[0] for char in letters)
        return max(scripts.values()) < 0.6 * len(letters)
    share = pair_share(letters)
    return share < (MIN_PAIRS_OF_MANY if len(letters) >= MANY_LETTERS else MIN_PAIRS)


def has_common_words(text: str) -> bool:
    """Whether words that stand in nearly every sentence are frequent; those of German are counted first."""
    needed = WORD_SHARE * len(text)
    return any(count > needed for count in accumulate(map(text.count, WORDS)))


def pair_share(letters: Sequence[str]) -> float:
    """Share of neighbouring letters that are a common pair in some language."""
    pairs = pairwise(letters)
    return sum(1 for one, two in pairs if one + two in PAIRS) / max(1, len(letters) - 1)
