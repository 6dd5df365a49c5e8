"""What a passing quotation leaves out at its edges: cropping is the easiest falsification (SPEC §6 guard words).

Works on the compact form and its boundaries, because every passing citation pays for it.
"""

from collections.abc import Iterator
from itertools import chain, islice

from indexer.schema import BARRIER
from verifier.guards import is_guard, stop_ends_nothing
from verifier.match import Form

_REACH = 60  # words of one sentence that are looked at beyond each edge


def cropped_guards(form: Form, start: int, end: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Guard words of the printed sentence before `start` and after `end`, outside the match (positions in compact)."""
    before = [word for word in _sentence_before(form, start) if is_guard(word)]
    last = _backward(form, end)
    if _ends_sentence(next(last, ""), next(last, "")):
        return tuple(reversed(before)), ()
    return tuple(reversed(before)), tuple(word for word in _sentence_after(form, end) if is_guard(word))


def words_between(form: Form, start: int, end: int) -> Iterator[str]:
    """The words that the page prints between two positions in compact, as its boundaries part them."""
    position = start
    for word in _forward(form, start):
        if position >= end:
            return
        yield word
        position += len(word)


def _ends_sentence(mark: str, before: str) -> bool:
    """Whether a sentence ends with the word `mark`, given the one that stands before it."""
    if mark != ".":
        return mark in ("!", "?", BARRIER)
    return not stop_ends_nothing(before)


def _sentence_after(form: Form, position: int) -> Iterator[str]:
    before = ""
    for word in islice(_forward(form, position), _REACH):
        if _ends_sentence(word, before):
            return
        yield word
        before = word


def _sentence_before(form: Form, position: int) -> Iterator[str]:
    words = islice(_backward(form, position), _REACH)
    word = next(words, "")
    for before in chain(words, ("",)):  # one word at a time: most sentences begin near
        if _ends_sentence(word, before):
            return
        yield word
        word = before


# `is_boundary` stands here in full: called for every character, it would take half of the time of a check.
def _forward(form: Form, position: int) -> Iterator[str]:
    text, boundaries, size = form.compact, form.boundaries, len(form.compact)
    while position < size:
        end = position + 1
        while end < size and not boundaries[end >> 3] >> (end & 7) & 1:
            end += 1
        yield text[position:end]
        position = end


def _backward(form: Form, position: int) -> Iterator[str]:
    text, boundaries = form.compact, form.boundaries
    while position > 0:
        start = position - 1
        while start > 0 and not boundaries[start >> 3] >> (start & 7) & 1:
            start -= 1
        yield text[start:position]
        position = start
