"""The one normal form, for page text and quotations alike (SPEC §5). Nothing else folds text.

Three steps, each a pure function of its text:

- `fold`     characters: one kind of dash, quotation mark, space; broken words rejoined; lower case. Keeps "\\n".
- `strict`   the readable form: `fold` with every run of white space as one space.
- `compact`  the eye-equal form: `fold` without quotation marks, spaces and hyphens, save where a digit needs them.

Version history (stands in the index; an index of another version is refused):
1  first release
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from indexer.seite import DROPPED, Cut

NORMALIZER_VERSION = 1

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_DOUBLE_QUOTES = '"\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u301d\u301e\u301f\uff02'
_SINGLE_QUOTES = "'\u2018\u2019\u201a\u201b\u2039\u203a\u2032\u0060\u00b4\u02bc\uff07"
_INVISIBLE = (
    "\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff\u034f\u061c\u180e\u200e\u200f"
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufe0e\ufe0f"
)
_LINE_ENDS = "\n\r\x0b\x0c\x85\u2028\u2029"
_LIGATURES = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",
    "\ufb06": "st",
    "\u0132": "IJ",
    "\u0133": "ij",
}
_FRACTIONS = {
    "\u00bd": "1/2",
    "\u00bc": "1/4",
    "\u00be": "3/4",
    "\u2153": "1/3",
    "\u2154": "2/3",
    "\u215b": "1/8",
    "\u2044": "/",
}
# Bullets, arrows, boxes and dingbats are drawn, not written: they part words and are never quoted letter by letter.
_BULLETS = (
    "\u2022\u2023\u2043\u204c\u204d\u2219\u25e6\u00a4",
    (0x2190, 0x21FF),
    (0x2300, 0x23FF),
    (0x2500, 0x26FF),
    (0x2700, 0x27BF),
    (0x2900, 0x297F),
    (0x2B00, 0x2BFF),
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def _character_table() -> dict[int, str]:
    table: dict[int, str] = {}
    for start, stop in ((0x00, 0x20), (0x7F, 0xA1), (0x2000, 0x200B)):
        table |= dict.fromkeys(range(start, stop), " ")
    table |= dict.fromkeys((0x1680, 0x202F, 0x205F, 0x3000, 0xFFFC, 0xFFFD), " ")
    table |= dict.fromkeys((*range(0xE000, 0xF900), *range(0xF0000, 0xF0100), *range(0x100000, 0x100100)), " ")
    for bullets in _BULLETS:
        codes = map(ord, bullets) if isinstance(bullets, str) else range(bullets[0], bullets[1] + 1)
        table |= dict.fromkeys(codes, " ")
    table |= dict.fromkeys(map(ord, _LINE_ENDS), "\n")
    table |= dict.fromkeys(map(ord, _INVISIBLE), "")
    table |= dict.fromkeys(map(ord, _DASHES), "-")
    table |= dict.fromkeys(map(ord, _DOUBLE_QUOTES), '"')
    table |= dict.fromkeys(map(ord, _SINGLE_QUOTES), "'")
    table |= {ord(c): s for c, s in (_LIGATURES | _FRACTIONS).items()}
    table |= {0x2080 + digit: str(digit) for digit in range(10)}
    table[0x2026] = "..."
    return table


_CHARACTERS = _character_table()
_FRACTION_AFTER_DIGIT = re.compile("(?<=[0-9])(?=[\u00bd\u00bc\u00be\u2153\u2154\u215b])")
# Text recognised from pictures writes the lower quotation mark as two commas, the angled ones as two signs.
_TYPED_QUOTES = re.compile(r",,(?=\w)|<<|>>")
_STAR_BULLET = re.compile(r"(?:^|(?<=\s))\*(?=\s)")
_MIDDLE_DOTS = "\u00b7\u0387\u2027"
_MIDDLE_DOT_BULLET = re.compile(r"(?<!\w)[\u00b7\u0387\u2027]|[\u00b7\u0387\u2027](?!\w)")

_SHY_AFTER_SPACE = re.compile(r"(?:(?<=\s)|(?<=^))\xad|(?<=-)\xad+")
_SHY_BEFORE_HYPHEN = re.compile(r"(?<!\xad)\xad+(?=[-\u2010\u2011])")  # only whole runs: else quadratic
# "CO2~Zertifikate": before a capital in mid-line the soft hyphen is the printed hyphen (8 of 185 PDFs).
_SHY_AS_HYPHEN = re.compile(r"(?<=\w)\xad+(?=[ \t]*[\r\n]|[A-ZÄÖÜ])")

_BROKEN_WORD = re.compile(r"(?<=\w)[-\u00ac][ \t]*\n[ \t\n]*(?=(\w+))")
_NOT_SIGN_AT_LINE_END = "\u00ac"
_SUSPENDED = frozenset(("und", "oder", "sowie", "bzw", "beziehungsweise", "bis", "u", "o"))
# "SchülerInnen": the inner capital is meaning, not case (SPEC §5); it survives lower() as itself, also where a
# quotation is cut inside the ending.
_INNER_CAPITAL = re.compile(r"(?<=[a-zäöüß])(-?)I(?=nnen|(?:nne|nn|n)?(?![^\W\d_]))")
_INNER_MARK = "\ue000"


def _join_broken_word(match: re.Match[str]) -> str:
    """Rejoin a word at a line end: "Klima-⏎schutz", "Wirtschafts-⏎und", "CO2-⏎Ausstoß", "10-⏎20" (SPEC §5)."""
    text, start, following = match.string, match.start(), match[1]
    before = text[start - 1]
    if following.lower() in _SUSPENDED:
        return "- "
    if before.isdigit() or following[0].isdigit():
        return "-"
    if not following[0].isupper():
        return ""
    all_capitals = before.isupper() and following[:2].isupper() and text[max(0, start - 2) : start].isupper()
    return "" if all_capitals else "-"


def _resolve_soft_hyphens(text: str) -> str:
    text = _SHY_BEFORE_HYPHEN.sub("", text)
    text = _SHY_AFTER_SPACE.sub("", text)
    text = _SHY_AS_HYPHEN.sub("-", text)
    return text.replace("\xad", "")


def fold(text: str, *, keep_case: bool = False) -> str:
    """Fold characters and broken words of `text`; white space stays as " " and "\\n" in runs.

    `keep_case` leaves out the last step, lower case. Idempotent. Takes any string, lone surrogates included.
    """
    if not text.isascii():
        if not unicodedata.is_normalized("NFC", text):
            text = unicodedata.normalize("NFC", text)
        if "\xad" in text:
            text = _resolve_soft_hyphens(text)
        if any(map(text.__contains__, _FRACTIONS)):
            text = _FRACTION_AFTER_DIGIT.sub(" ", text)
        if any(map(text.__contains__, _MIDDLE_DOTS)):
            text = _MIDDLE_DOT_BULLET.sub(" ", text)
    text = text.translate(_CHARACTERS)
    if ",," in text or "<<" in text or ">>" in text:
        text = _TYPED_QUOTES.sub('"', text)
    if "*" in text:
        text = _STAR_BULLET.sub(" ", text)
    if "\n" in text and ("-" in text or _NOT_SIGN_AT_LINE_END in text):
        text = _BROKEN_WORD.sub(_join_broken_word, text)
    if not keep_case:
        text = lower(text)
    return text if text.isascii() or unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


def lower(text: str) -> str:
    """Lower case by `str.lower`, save the inner capital of `SchülerInnen`. Never casefold: Maße is not Masse."""
    if "I" in text and _INNER_CAPITAL.search(text):
        return _INNER_CAPITAL.sub(rf"\1{_INNER_MARK}", text).lower().replace(_INNER_MARK, "I")
    return text.lower()


def strict(folded: str) -> str:
    """The readable form of a folded text: every run of white space is one space, none at the ends."""
    return " ".join(folded.split())


_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:(?:\.\d{3})+|(?: \d{3})+)(?!\d)")
_FREE_APOSTROPHE = re.compile(r"(?<![^\W\d_])'|'(?![^\W\d_])")
# "5, 6" is not "5,6" and "3. 5" not "3.5"; but "3. 10. 2025" is one date, however it is spaced.
_DATE = re.compile(r"(?<![\d.])(\d{1,2})\. ?(\d{1,2})\. ?((?:19|20)\d\d)(?!\d)")
_BESIDE_MARK = re.compile(r"(?<=[0-9])([ \n]*)([.,:/])([ \n]*)(?=[0-9])")
_BETWEEN_DIGITS = re.compile(r"(?<=[0-9])[ \n\"']+(?=[0-9])")
_HYPHENS = re.compile(r"-[- \n]*")  # a whole run at once: begun at each hyphen it would be quadratic
_RAISED_AFTER_LETTER = re.compile(r"(?<=[^\W\d_⁰¹²³⁴⁵⁶⁷⁸⁹])[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?!\w)")
_HAS_DIGIT = re.compile(r"[0-9]")
_HAS_RAISED = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]")
_KEPT_SPACE, _KEPT_HYPHEN = "\x02", "\x03"  # folding leaves no control characters, so these are free


def _close_group(match: re.Match[str]) -> str:
    return match[0].replace(" ", "").replace(".", "")


def _keep_spaced_mark(match: re.Match[str]) -> str:
    return f"{match[2]}{_KEPT_SPACE}" if match[1] or match[3] else match[2]


def _keep_beside_digit(match: re.Match[str]) -> str:
    text, end = match.string, match.end()
    start = match.start()
    while start and text[start - 1] in " \n":
        start -= 1
    beside = text[start - 1 : start] + text[end : end + 1]
    return _KEPT_HYPHEN if _HAS_DIGIT.search(beside) else match[0]


def compact(folded: str) -> str:
    """The eye-equal form of a folded text (SPEC §5).

    Without quotation marks, spaces and hyphens; but a space between two digits stays (save in thousands groups on one
    line), and so does a hyphen beside a digit: nothing may weld numbers or lose a sign.
    """
    text = folded
    if _HAS_RAISED.search(text):
        text = _RAISED_AFTER_LETTER.sub(lambda match: match[0].translate(_SUPERSCRIPTS), text)
    has_digit = _HAS_DIGIT.search(text)
    if has_digit:
        text = _THOUSANDS.sub(_close_group, text)
        text = _DATE.sub(r"\1.\2.\3", text)
        text = _BESIDE_MARK.sub(_keep_spaced_mark, text)
        text = _BETWEEN_DIGITS.sub(_KEPT_SPACE, text)
    text = text.replace('"', "")
    if "'" in text:
        text = _FREE_APOSTROPHE.sub("", text)
    if has_digit and "-" in text:
        text = _HYPHENS.sub(_keep_beside_digit, text)
    text = text.replace(" ", "").replace("\n", "").replace("-", "")
    return text.replace(_KEPT_SPACE, " ").replace(_KEPT_HYPHEN, "-") if has_digit else text


def without_capital_marks(form: str) -> str:
    """The form in which text set in capitals is compared: `ss` for `ß`, no inner capitals.

    Only for a side that is all capitals; `Maße` never becomes `Masse` elsewhere (SPEC §5).
    """
    return form.replace("ß", "ss").replace("I", "i")


BARRIER = "\n"  # parts the segments of a page's forms; folded quotations have none, so no match crosses it


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
    compacts = [compact(lower(segment)) for segment in segments]
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
        strict=BARRIER.join(strict(lower(segment)) for segment in segments),
        compact=form,
        boundaries=(~tight & ((1 << size) - 1)).to_bytes((size + 7) // 8, "little"),
        flow_end=flow_end,
    )


WORD = re.compile(
    r"""
    [^\W\d_](?:[ ][^\W\d_]){2,}(?!\w)               # letter-spaced word: its gaps are no boundary
    | \.(?:[ ]?\.)+                                  # printed dots are one mark
    | (?:(?<![\w.,)])[-+±<>~≤≥≈](?=\d))?             # sign
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
    """,
    re.VERBOSE,
)
PLAIN_WORD = r"[^\W\d_]{2,}(?=[\ \n.,])"
"""What `WORD` makes of most words, found at half of the price: to be tried before it."""

_PLAIN_OR_ANY_WORD = re.compile(rf"{PLAIN_WORD}|{WORD.pattern}", re.VERBOSE)
# Words glued by the text layer ("dieVerbraucher") part at the capital; BAföG, SchülerInnen and KfW do not.
_GLUED = re.compile(r"(?<=[a-zäöüß]{2})(?!Inn|In\b)(?=[A-ZÄÖÜ][a-zäöüß]{2})")


def _tight_positions(folded: str, form: str) -> int:
    """Bits of the positions inside words and numbers of `folded` (case kept), in positions of its compact `form`."""
    tight = bytearray(b"0") * (len(form) + 1)  # digits, because shifting a large number for each word takes longer
    position = 0
    for match in _PLAIN_OR_ANY_WORD.finditer(" " + folded, 1):
        token = match[0]
        piece = lower(token) if "I" in token else token.lower()
        if not token.isalpha():
            piece = compact(piece)
        start = form.find(piece, position)
        if start < 0:
            continue
        position = start + len(piece)
        tight[start + 1 : position] = b"1" * (len(piece) - 1)
        if not token[1:].islower():
            for glued in _GLUED.finditer(token):
                tight[start + len(compact(lower(token[: glued.start()])))] = _LOOSE
    return int(tight[::-1], 2)


_LOOSE = ord("0")
_BROKEN_END = re.compile(r"\w[-\xad\u00ac\u2010\u2011]\s*$")
# How a number is cut by a page break: its end before, its beginning after.
_NUMBER_BREAKS = tuple(
    (re.compile(rf"{end}\s*$"), re.compile(rf"\s*{start}"))
    for end, start in (
        (r"(?<!\d)\d{1,3}\.?", r"\d{3}(?!\d)"),
        (r"\d,", r"\d"),
        (r"\d", r"(?:[½¼¾%‰°€]|[.,]\d)"),
        (r"(?:^|\s)[-+±\u2212\u2013]", r"\d"),
    )
)
_SUSPENDED_START = re.compile(rf"\s*(?:{'|'.join(sorted(_SUSPENDED))})\b")


def _continues(before: str, after: str) -> bool:
    """Whether a word or number runs on over the break between two running texts."""
    end, start = before[-40:], after[:40]
    if not end or not start:
        return False
    if _BROKEN_END.search(end):
        return not _SUSPENDED_START.match(start)
    return any(number_end.search(end) and number_start.match(start) for number_end, number_start in _NUMBER_BREAKS)
