"""Words set in capitals: `STRASSE` is `Straße`, `SCHÜLERINNEN` is `SchülerInnen`; `Masse` is never `Maße` (SPEC §5)."""

from collections.abc import Iterator
from typing import NamedTuple

from indexer.normalize import compact, without_capital_marks
from verifier.match import Form, is_boundary
from verifier.quotation import Reading


def find_capitals(cased: str, form: Form, reading: Reading) -> tuple[int, int] | None:
    """The span in `form.compact` where the reading stands if `ss` and `ß` are one wherever a side prints capitals.

    `cased` is the compact form of the page with its case; it may be shorter than the form (running text only).
    """
    printed, quoted = without_capital_marks(form.compact), without_capital_marks(reading.compact)
    if not quoted or (printed == form.compact and quoted == reading.compact):
        return None
    quoted_cased = compact(reading.cased)
    if len(quoted_cased) != len(reading.compact):
        return None
    origin = [*_origins(form.compact), len(form.compact)]
    position = printed.find(quoted)
    while position >= 0:
        start, end = origin[position], origin[position + len(quoted)]
        ends_well = is_boundary(form.boundaries, start) and is_boundary(form.boundaries, end)
        if ends_well and end <= len(cased):
            page = _Side(form.compact[start:end], cased[start:end])
            if _only_capitals_differ(page, _Side(reading.compact, quoted_cased)):
                return start, end
        position = printed.find(quoted, position + 1)
    return None


def _origins(text: str) -> Iterator[int]:
    """For each character of `text` with `ss` for `ß`: its position in `text`; the second `s` lies behind the `ß`."""
    for position, character in enumerate(text):
        yield position
        if character == "ß":
            yield position + 1


class _Side(NamedTuple):
    """A compact form and the same with its case; in the former a capital I is an inner one (`SchülerInnen`)."""

    form: str
    cased: str

    def in_capitals(self, position: int) -> bool:
        """Whether the character is a capital beside another one."""
        around = self.cased[max(0, position - 1) : position + 2]
        return self.cased[position].isupper() and sum(map(str.isupper, around)) > 1


def _only_capitals_differ(page: _Side, quoted: _Side) -> bool:
    i = k = 0
    while i < len(page.form) and k < len(quoted.form):
        one, two = page.form[i], quoted.form[k]
        if one == "ß" != two:
            if quoted.cased[k : k + 2] != "SS":
                return False
            k += 1
        elif two == "ß" != one:
            if page.cased[i : i + 2] != "SS":
                return False
            i += 1
        elif (one == "I" != two and not quoted.in_capitals(k)) or (two == "I" != one and not page.in_capitals(i)):
            return False
        i, k = i + 1, k + 1
    return i == len(page.form) and k == len(quoted.form)
