"""JSON Lines, format 1: one object per Zitat (SPEC §8)."""

import json
import re
from collections.abc import Iterator

from verifier.report import ReportOptions, record
from verifier.run import Result

_NOT_AS_IT_IS = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Half surrogates cannot be written as UTF-8; line separators cut lines apart in some readers; C1 and bidi marks
repaint a terminal. Written as \\uXXXX they are the same JSON and harmless."""

_encode = json.JSONEncoder(ensure_ascii=False).encode


def line(value: object) -> str:
    """One JSON value on one line, without anything that a terminal or a reader of lines could act upon."""
    text = _encode(value)
    return text if text.isprintable() or not _NOT_AS_IT_IS.search(text) else json.dumps(value)


def render(result: Result, options: ReportOptions) -> Iterator[str]:
    """Yield one line per Befund."""
    for befund in result.befunde:
        yield line(record(befund)) + "\n"
