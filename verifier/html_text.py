"""Text in HTML: everything from the database or a PDF passes `escaped`, so that it is text whatever it looks like."""

from collections.abc import Iterable
from html import escape

from indexer.console import printable

LONG = 6_000
"""Characters of a text that are shown; the comparison always takes all of it."""


def escaped(text: str) -> str:
    """`text` as one line that can stand in HTML, in attributes as well."""
    return escape(printable(" ".join(text.split())))


def listed(items: Iterable[str], name: str = "") -> str:
    """A list of HTML texts; `name` is its class."""
    start = f'<ul class="{name}">' if name else "<ul>"
    return start + "".join(f"<li>{item}</li>" for item in items) + "</ul>"


def marked(text: str, words: Iterable[str], tag: str) -> str:
    """`text` escaped, with the `words` that differ in `tag`, in their order; those that are not found stay unmarked."""
    text = " ".join(text.split())
    small = text.lower()  # some differences are told in the form in which texts are compared
    parts, end = [], 0
    for word in (" ".join(word.split()) for word in words):
        start = _find_word(text, word, end)
        if start is None and len(small) == len(text):
            start = _find_word(small, word, end)
        if start is not None:
            parts.append(f"{_escaped(text[end:start])}<{tag}>{_escaped(text[start : start + len(word)])}</{tag}>")
            end = start + len(word)
    return "".join(parts) + _escaped(text[end:])


def _escaped(text: str) -> str:
    """As `escaped`, with the spaces at both ends, which part it from its neighbours."""
    return escape(printable(text))


def _find_word(text: str, word: str, start: int) -> int | None:
    """Where `word` stands in `text` from `start` on, not inside a longer word."""
    while word and (found := text.find(word, start)) >= 0:
        end = found + len(word)
        inside = (found > 0 and text[found - 1].isalnum() and word[0].isalnum()) or (
            end < len(text) and text[end].isalnum() and word[-1].isalnum()
        )
        if not inside:
            return found
        start = found + 1
    return None
