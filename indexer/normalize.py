"""The one normal form, for page text and quotations alike (SPEC §5). Nothing else folds text.

Three steps, each a pure function of its text:

- `fold`     characters: one kind of dash, quotation mark, space; broken words rejoined; lower case. Keeps "\\n".
- `strict`   the readable form: `fold` with every run of white space as one space.
- `compact`  the eye-equal form: `fold` without quotation marks, spaces and hyphens, save where a digit needs them.

Whatever gives another form of any text raises `NORMALIZER_VERSION` in `indexer.schema`.
"""

import re
import unicodedata

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
    "\u2150": "1/7",
    "\u2151": "1/9",
    "\u2152": "1/10",
    "\u2153": "1/3",
    "\u2154": "2/3",
    "\u2155": "1/5",
    "\u2156": "2/5",
    "\u2157": "3/5",
    "\u2158": "4/5",
    "\u2159": "1/6",
    "\u215a": "5/6",
    "\u215b": "1/8",
    "\u215c": "3/8",
    "\u215d": "5/8",
    "\u215e": "7/8",
    "\u2044": "/",
}
# Bullets, arrows, boxes and dingbats are drawn, not written: they part words and are never quoted letter by letter.
_BULLETS = (
    "\u2022\u2023\u2043\u204c\u204d\u2219\u25e6\u00a4",
    (0x2190, 0x21FF),
    (0x2300, 0x23FF),
    (0x2500, 0x26FF),
    (0x2700, 0x2775),  # the circled figures and the signs + - ÷ behind them are written
    (0x2794, 0x2794),
    (0x2798, 0x27BF),
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
_FRACTION_AFTER_DIGIT = re.compile("(?<=[0-9])(?=[\u00bd\u00bc\u00be\u2150-\u215e])")
# Text recognised from pictures writes the lower quotation mark as two commas, the angled ones as two signs.
_TYPED_QUOTES = re.compile(r",,(?=\w)|<<(?!\W{0,9}\d)|>>(?!\W{0,9}\d)")
_STAR_BULLET = re.compile(r"(?:^|(?<=\s))\*(?=\s)")
_MIDDLE_DOTS = "\u00b7\u0387\u2027"
_MIDDLE_DOT_BULLET = re.compile(r"(?<!\w)[\u00b7\u0387\u2027]|[\u00b7\u0387\u2027](?!\w)")

# All but what most texts are made of. `str.translate` alone looks up each letter, for five times the price.
_USUAL = {c for c in map(chr, range(0x100)) if _CHARACTERS.get(ord(c), c) == c} - {"\xad", *_MIDDLE_DOTS}
_UNUSUAL = re.compile(f"[^{re.escape(''.join(sorted(_USUAL)))}]+")

# Each pattern begins with what it consumes: begun with a look behind, a search takes ten times as long.
_SHY_AFTER_SPACE = re.compile(r"\xad(?:(?<!\S\xad)|(?<=-\xad)\xad*)")
_SHY_BEFORE_HYPHEN = re.compile(r"\xad(?<!\xad\xad)\xad*(?=[-\u2010\u2011])")  # only whole runs: else quadratic
# "CO2~Zertifikate": before a capital in mid-line the soft hyphen is the printed hyphen (8 of 185 PDFs).
_SHY_AS_HYPHEN = re.compile(r"\xad(?<=\w\xad)\xad*(?=[ \t]*[\r\n]|[A-ZÄÖÜ])")

_BROKEN_WORD = re.compile(r"[-\u00ac](?<=\w[-\u00ac])[ \t]*\n[ \t\n]*(?=(\w+))")
_NOT_SIGN_AT_LINE_END = "\u00ac"
SUSPENDED = frozenset(("und", "oder", "sowie", "bzw", "beziehungsweise", "bis", "u", "o"))
# "SchülerInnen": the inner capital is meaning, not case (SPEC §5); it survives lower() as itself, also where a
# quotation is cut inside the ending.
_INNER_CAPITAL = re.compile(r"I(?:(?<=[a-zäöüß]I)|(?<=[a-zäöüß]-I))(?=nnen|(?:nne|nn|n)?(?![^\W\d_]))")
_INNER_MARK = "\ue000"


def _join_broken_word(match: re.Match[str]) -> str:
    """Rejoin a word at a line end: "Klima-⏎schutz", "Wirtschafts-⏎und", "CO2-⏎Ausstoß", "10-⏎20" (SPEC §5)."""
    text, start, following = match.string, match.start(), match[1]
    before = text[start - 1]
    if following.lower() in SUSPENDED:
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
    is_usual = not _UNUSUAL.search(text)
    if not is_usual:
        text = _fold_unusual(text)
    if ",," in text or "<<" in text or ">>" in text:
        text = _TYPED_QUOTES.sub('"', text)
    if "*" in text:
        text = _STAR_BULLET.sub(" ", text)
    if "\n" in text and ("-" in text or _NOT_SIGN_AT_LINE_END in text):
        text = _BROKEN_WORD.sub(_join_broken_word, text)
    if not keep_case:
        text = lower(text)
    return text if is_usual or unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


def _fold_unusual(text: str) -> str:
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    if "\xad" in text:
        text = _resolve_soft_hyphens(text)
    if any(map(text.__contains__, _FRACTIONS)):
        text = _FRACTION_AFTER_DIGIT.sub(" ", text)
    if any(map(text.__contains__, _MIDDLE_DOTS)):
        text = _MIDDLE_DOT_BULLET.sub(" ", text)
    return _UNUSUAL.sub(_folded, text)


def _folded(match: re.Match[str]) -> str:
    return match[0].translate(_CHARACTERS)


def lower(text: str) -> str:
    """Lower case by `str.lower`, save the inner capital of `SchülerInnen`. Never casefold: Maße is not Masse."""
    if "I" in text and _INNER_CAPITAL.search(text):
        return _INNER_CAPITAL.sub(_INNER_MARK, text).lower().replace(_INNER_MARK, "I")
    return text.lower()


def strict(folded: str) -> str:
    """The readable form of a folded text: every run of white space is one space, none at the ends."""
    return " ".join(folded.split())


_THOUSANDS = re.compile(r"\d(?<![\d.,]\d)\d{0,2}(?:(?:\.\d{3})+|(?: \d{3})+)(?!\d)")
_FREE_APOSTROPHE = re.compile(r"'(?:(?<![^\W\d_]')|(?![^\W\d_]))")
# "5, 6" is not "5,6" and "3. 5" not "3.5"; but "3. 10. 2025" is one date, however it is spaced.
_DATE = re.compile(r"(\d(?<![\d.]\d)\d?)\. ?(\d{1,2})\. ?((?:19|20)\d\d)(?!\d)")
_BESIDE_MARK = re.compile(r"([0-9])([ \n\"']*)([.,:/])([ \n\"']*)(?=[0-9])")
_BETWEEN_DIGITS = re.compile(r"([0-9])[ \n\"']+(?=[0-9])")
_HYPHENS = re.compile(r"-[- \n]*")  # a whole run at once: begun at each hyphen it would be quadratic
_RAISED = "[⁰¹²³⁴⁵⁶⁷⁸⁹]"
_RAISED_AFTER_LETTER = re.compile(rf"{_RAISED}(?<=[^\W\d_⁰¹²³⁴⁵⁶⁷⁸⁹]{_RAISED}){_RAISED}*(?!\w)")
_HAS_DIGIT = re.compile(r"[0-9]")
_HAS_RAISED = re.compile(_RAISED)
_CURRENCIES = ("€", "$", "£")
_KEPT_SPACE, _KEPT_HYPHEN = "\x02", "\x03"  # folding leaves no control characters, so these are free


def _close_group(match: re.Match[str]) -> str:
    return match[0].replace(" ", "").replace(".", "")


def _keep_spaced_mark(match: re.Match[str]) -> str:
    return f"{match[1]}{match[3]}{_KEPT_SPACE}" if match[2] or match[4] else match[0]


def _keep_beside_digit(match: re.Match[str]) -> str:
    text, end = match.string, match.end()
    start = match.start()
    while start and text[start - 1] in " \n":
        start -= 1
    beside = text[start - 1 : start] + text[end : end + 1]
    sign = text[end : end + 1] in _CURRENCIES and not text[match.start() - 1 : match.start()].strip()  # "-€ 500"
    return _KEPT_HYPHEN if sign or _HAS_DIGIT.search(beside) else match[0]


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
        text = _BETWEEN_DIGITS.sub(rf"\1{_KEPT_SPACE}", text)
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
