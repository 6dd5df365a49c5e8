"""What models and editors leave in and around a quotation, and its removal, which never removes a word (SPEC §5).

None of these patterns may be quadratic on any text, and none may close up two words or figures: `Schüler**innen` is not
`Schülerinnen`, `2[3]` is not `23`.
"""

import re
from collections.abc import Iterator

# A star or underscore behind a letter opens no emphasis: that of `Bürger*innen` is printed.
_SUSPECT = re.compile(r"[\\&\[\]【<>#*_](?<!\w[*_])")
_LABELLED = re.compile(r"\A\W*(?:wörtliches )?(?:zitat|quote)", re.IGNORECASE)
_TAIL = 120  # characters at the end in which a page reference is looked for

_UNICODE_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
_ESCAPED_BREAK = re.compile(r"\\[nrt]")
_ESCAPE = re.compile(r"\\([\"'*_#\[\](){}>~`!|.+&/-])")
_TAG = re.compile(r"</?(?:b|i|em|strong|u)>|<(?:br|p) ?/?>|</p>", re.IGNORECASE)
_QUOTE_PREFIX = re.compile(r"^[ \t\"'„“]*(?:>[ \t]?){1,3}(?!\W{0,9}\d)", re.MULTILINE)  # "> 50" says more than 50
_ANY_PREFIX = re.compile(r"^[ \t]*>[ \t]?", re.MULTILINE)
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]", re.MULTILINE)
# Emphasis opens before a word and closes behind one: a lone star may be the printed one of `trans*`.
_EMPHASIS = tuple(
    re.compile(rf"(?<![\w{c}]){mark}(?=[^\s{c}])((?:[^{c}]|(?<=\w){re.escape(c)}(?=\w)){{1,600}}){mark}(?![\w{c}])")
    for mark, c in ((r"\*\*\*", "*"), (r"\*\*", "*"), ("__", "_"), (r"\*", "*"), ("_", "_"))
)
_LABEL = re.compile(r"\A[\s\"'„“”»«`>•–—-]*(?:Wörtliches )?(?:Zitat|Quote)(?: \d{1,2})?\s*:\s*", re.IGNORECASE)
# Citation tokens of assistants hold figures and file names, never a word of the quotation: `【1†keine】` is none.
_CITE_TOKEN = re.compile(
    r"""
    \[\s*cite(?:_start|_end)?\s*(?::[\s\d,–-]{0,60})?\]
    | 【\d{1,4}(?::\d{1,4})?†
      (?:source|quelle|S\.[ ]?\d{1,4}|L\d+(?:-L?\d+)?|[^【】\s]{0,60}\.(?:pdf|txt|md|docx?|html?))】
    """,
    re.IGNORECASE | re.VERBOSE,
)
# `[1]` is a note of the model behind a word or at the end; before a word it would be an inserted figure.
_ONE_NOTE = r"\[\^?\d{1,2}(?:[,;–-] ?\d{1,2}){0,8}\]"
_NOTE = rf"{_ONE_NOTE}(?:,? ?{_ONE_NOTE}){{0,4}}"
_NOTE_TOKEN = re.compile(
    rf"(?<=[^\W\d_]){_NOTE}(?!\w)|(?<=[.,;:!?\"“”»«]){_NOTE}(?!\w)|[ \t]{_NOTE}(?=[.,;:!?\"“”»«]|\s*\Z)"
)
_PAGE = r"(?:S\.|Seiten?|p\.|pp\.)\s*\d{1,4}(?:\s?(?:ff?\.?|[-–/,]\s?\d{1,4}|und \d{1,4}|von \d{1,4})){0,6}"
_PAGE_AT_END = re.compile(rf"[(\[]\s*(?:vgl\.\s*)?{_PAGE}\s*[)\]][\s.\"'“”»«]*\Z", re.IGNORECASE)
_BRACKETED = re.compile(r"(?<!\w)\[([^\[\]]{1,60})\]")
_DOTS_ONLY = re.compile(r"[\s.…]+\Z")


def cleaned(text: str) -> Iterator[str]:
    """The text without debris, the cautious readings first; nothing where none is suspected."""
    if not (_SUSPECT.search(text) or _LABELLED.match(text) or _PAGE_AT_END.search(text[-_TAIL:])):
        return
    for plain in dict.fromkeys((_without_escapes(text, " "), _without_escapes(text, r"\g<0>"))):
        clean = _LABEL.sub("", _HEADING.sub("", _without_quote_marks(_TAG.sub(_space_for_break, plain))))
        for emphasis in _EMPHASIS:
            clean = emphasis.sub(r"\1", clean)
        clean = _LABEL.sub("", clean)
        yield clean
        without_tokens = _NOTE_TOKEN.sub("", _CITE_TOKEN.sub("", clean))
        without_tokens = without_tokens[:-_TAIL] + _PAGE_AT_END.sub("", without_tokens[-_TAIL:])
        yield without_tokens
        for base in (without_tokens, clean):
            yield _BRACKETED.sub(_inner_words, base)


def _without_escapes(text: str, line_break: str) -> str:
    text = _UNICODE_ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
    text = _ESCAPE.sub(r"\1", _ESCAPED_BREAK.sub(line_break, text))
    if "&" not in text:
        return text
    from html import unescape  # noqa: PLC0415  # 2 ms of import that only escaped quotations need

    return unescape(unescape(text))


def _without_quote_marks(text: str) -> str:
    """Where every one of several lines begins with `>`, it is the mark of a block quote, also before a figure."""
    lines = [line.lstrip() for line in text.splitlines() if line.strip()]
    is_block = len(lines) > 1 and all(line.startswith(">") for line in lines)
    return (_ANY_PREFIX if is_block else _QUOTE_PREFIX).sub("", text)


def _space_for_break(match: re.Match[str]) -> str:
    return " " if match[0].lower().startswith(("<br", "<p", "</p")) else ""


def _inner_words(match: re.Match[str]) -> str:
    """`[wir]` gives the word, `[D]ie` its first letter; `[…]` stays a gap, and a part of a word stays apart."""
    inner, text, end = match[1], match.string, match.end()
    if _DOTS_ONLY.match(inner):
        return match[0]
    closes_up = end < len(text) and (text[end].isalnum() or text[end] == "_")
    return match[0] if closes_up and not (len(inner) == 1 and inner.isalpha()) else inner
