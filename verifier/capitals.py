"""Words set in capitals: `STRASSE` is `Straße`, `SCHÜLERINNEN` is `SchülerInnen`; `Masse` is never `Maße` (SPEC §5)."""

from collections.abc import Iterator

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
    origin = [*_origins(form.compact), len(form.compact)]
    position = printed.find(quoted)
    while position >= 0:
        start, end = origin[position], origin[position + len(quoted)]
        ends_well = is_boundary(form.boundaries, start) and is_boundary(form.boundaries, end)
        if ends_well and end <= len(cased) and _only_capitals_differ(cased[start:end], quoted_cased):
            return start, end
        position = printed.find(quoted, position + 1)
    return None


def _origins(text: str) -> Iterator[int]:
    """For each character of `text` with `ss` for `ß`: its position in `text`; that of the second `s` is behind the `ß`."""
    for position, character in enumerate(text):
        yield position
        if character == "ß":
            yield position + 1


def _only_capitals_differ(printed: str, quoted: str) -> bool:
    i = k = 0
    while i < len(printed) and k < len(quoted):
        one, two = printed[i], quoted[k]
        if one in "ßẞ" and two not in "ßẞ":
            if quoted[k : k + 2] != "SS":
                return False
            k += 1
        elif two in "ßẞ" and one not in "ßẞ":
            if printed[i : i + 2] != "SS":
                return False
            i += 1
        elif {one, two} == {"I", "i"} and not (
            _in_capitals(printed, i) or _in_capitals(quoted, k) or _begins(printed, i)
        ):
            return False
        i, k = i + 1, k + 1
    return i == len(printed) and k == len(quoted)


def _in_capitals(text: str, position: int) -> bool:
    around = text[max(0, position - 1) : position + 2]
    return around.isupper() and len(around) > 1


def _begins(text: str, position: int) -> bool:
    return position == 0 or not text[position - 1].islower()
