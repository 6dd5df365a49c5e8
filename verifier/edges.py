"""What a passing quotation leaves out at its edges: cropping is the easiest falsification (SPEC §6 guard words).

Works on the compact form and its boundaries, because every passing citation pays for it.
"""

from collections.abc import Iterator
from itertools import islice

from indexer.normalize import BARRIER
from verifier.guards import is_abbreviation, is_guard
from verifier.match import Form, is_boundary

_REACH = 60  # words of one sentence that are looked at beyond each edge


def cropped_guards(form: Form, start: int, end: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Guard words of the printed sentence before `start` and after `end`, outside the match (positions in compact)."""
    before = [word for word in _sentence_before(form, start) if is_guard(word)]
    last = list(islice(_backward(form, end), 2))
    after = [] if _ends_sentence(last) else [word for word in _sentence_after(form, end) if is_guard(word)]
    return tuple(reversed(before)), tuple(after)


def _ends_sentence(nearest_first: list[str]) -> bool:
    """Whether a sentence ends with the first of these words, given the one that stands before it."""
    mark, before = (*nearest_first, "", "")[:2]
    if mark != ".":
        return mark in ("!", "?", BARRIER)
    return not (is_abbreviation(before) or (before.isdigit() and len(before) < 3))


def _sentence_after(form: Form, position: int) -> Iterator[str]:
    before = ""
    for word in islice(_forward(form, position), _REACH):
        if _ends_sentence([word, before]):
            return
        yield word
        before = word


def _sentence_before(form: Form, position: int) -> Iterator[str]:
    words = list(islice(_backward(form, position), _REACH))
    for number, word in enumerate(words):
        if _ends_sentence(words[number : number + 2]):
            return
        yield word


def _forward(form: Form, position: int) -> Iterator[str]:
    text, boundaries, size = form.compact, form.boundaries, len(form.compact)
    while position < size:
        end = position + 1
        while end < size and not is_boundary(boundaries, end):
            end += 1
        yield text[position:end]
        position = end


def _backward(form: Form, position: int) -> Iterator[str]:
    text, boundaries = form.compact, form.boundaries
    while position > 0:
        start = position - 1
        while start > 0 and not is_boundary(boundaries, start):
            start -= 1
        yield text[start:position]
        position = start
