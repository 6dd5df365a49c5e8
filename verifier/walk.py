"""The JSON of one assessment → Zitate and Problems: pure, iterative, nothing lost in silence (SPEC §7)."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from verifier.verdict import Zitat

_CONTAINERS = (dict, list)  # a tuple: `dict | list` would be built anew at each test
_LONGEST_KEY = 200  # characters of a key that a path repeats
TEXT, QUELLE, URL, FRAKTION, ZITATE = "text", "quelle", "url", "fraktion", "zitate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """One row of the assessment database: its key, the fields of the Antrag, and the JSON as it is stored."""

    key: str | int | None
    drucksache: str
    bundesland: str | None
    scores: bytes | int | float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something in a row that could not be read as a Zitat.

    `lost` tells whether a quotation may be hidden there unchecked: such a Problem never lets a run end in success.
    """

    assessment: str | int | None
    drucksache: str
    pfad: str
    reason: str
    lost: bool = True


class _Doubled(dict[str, object]):
    """An object that has a key more than once: the last value under the key itself, the others under `_Earlier`."""


class _Earlier(str):
    """A key that comes again later in its object; equal to nothing but itself."""

    __slots__ = ("mark",)
    mark: str  # `~1` for the first of several: the last one has the plain path, as other programs see it
    __eq__ = object.__eq__
    __hash__ = object.__hash__


def zitate_in(row: Assessment) -> Iterator[Zitat | Problem]:
    """Yield every Zitat of one assessment in document order, and a Problem for whatever may hide one.

    Any object with `text` and `quelle` is a Zitat, wherever it sits (SPEC §7). Never raises on what the row holds.
    """
    try:
        data = _parsed(row.scores)
    except _UnreadableError as error:
        yield _problem(row, "$", str(error), lost=error.lost)
        return
    anything = False
    for item in _walk(row, data):
        anything = True
        yield item
    if not anything:
        yield _problem(row, "$", "holds no citation", lost=False)


class _UnreadableError(Exception):
    def __init__(self, reason: str, *, lost: bool = True) -> None:
        super().__init__(reason)
        self.lost = lost


def _parsed(scores: bytes | int | float | None) -> object:
    if scores is None:
        raise _UnreadableError("the column is NULL", lost=False)
    if not isinstance(scores, bytes):
        raise _UnreadableError("the column holds a number, not JSON")
    try:
        text = scores.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _UnreadableError(f"not valid UTF-8: byte {error.start + 1} of the text") from error
    if not text.strip():
        raise _UnreadableError("the column is empty", lost=False)
    try:
        data: object = json.loads(text, object_pairs_hook=_object)
    except RecursionError as error:
        raise _UnreadableError("the JSON is nested too deeply to be read") from error
    except ValueError as error:  # JSONDecodeError, and integers of more digits than Python converts
        raise _UnreadableError(f"broken JSON: {error}") from error
    if data is None:
        raise _UnreadableError("the JSON is null", lost=False)
    if not isinstance(data, dict | list):
        raise _UnreadableError(f"the JSON is {_kind(data)}, not a list or an object")
    return data


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    plain = dict(pairs)
    return plain if len(plain) == len(pairs) else _doubled(pairs)


def _doubled(pairs: list[tuple[str, object]]) -> _Doubled:
    last = {key: i for i, (key, _) in enumerate(pairs)}
    seen: dict[str, int] = {}
    node = _Doubled()
    for i, (key, value) in enumerate(pairs):
        seen[key] = seen.get(key, 0) + 1
        if last[key] != i:
            earlier = _Earlier(key)
            earlier.mark = f"~{seen[key]}"
            node[earlier] = value
        else:
            node[key] = value
    return node


def _walk(row: Assessment, data: object) -> Iterator[Zitat | Problem]:
    """Depth first over an explicit stack: valid JSON may be nested as deep as its parser allows.

    A stack entry is (node, path, nearest fraktion, whether a Zitat is expected right here).
    """
    stack: list[tuple[object, str, str | None, bool]] = [(data, "$", None, False)]
    push = stack.append
    steps: dict[str, tuple[str, bool]] = {}
    while stack:
        node, pfad, fraktion, expected = stack.pop()
        if isinstance(node, dict):
            own = node.get(FRAKTION)
            if isinstance(own, str) and own.strip():
                fraktion = own
            is_zitat = TEXT in node and QUELLE in node
            if is_zitat:
                yield _zitat(row, node, pfad, fraktion)
            elif (expected or QUELLE in node) and (reason := _not_a_zitat(node)):
                yield _problem(row, pfad, reason)
            if isinstance(node, _Doubled):
                yield from _doubled_problems(row, node, pfad, is_zitat)
            between = expected and not is_zitat
            for key, child in reversed(node.items()):
                if isinstance(child, _CONTAINERS) or key.lower() == ZITATE:
                    segment, opens = steps.get(key) or steps.setdefault(key, _step(key))
                    push((child, pfad + segment, fraktion, opens or between))
        elif isinstance(node, list):
            for i in range(len(node) - 1, -1, -1):
                if expected or isinstance(node[i], _CONTAINERS):
                    push((node[i], f"{pfad}[{i}]", fraktion, expected))
        elif node is not None:  # scalars are pushed only where a Zitat is expected
            yield _problem(row, pfad, f"{_kind(node)} where a citation was expected")


def _step(key: str) -> tuple[str, bool]:
    """How a key continues the path, and whether citations are expected right below it."""
    mark = key.mark if isinstance(key, _Earlier) else ""
    return _segment(key) + mark, key.lower() == ZITATE


def _doubled_problems(row: Assessment, node: _Doubled, pfad: str, is_zitat: bool) -> Iterator[Problem]:
    for name in dict.fromkeys(str(key) for key in node if isinstance(key, _Earlier)):
        lost = is_zitat and name in (TEXT, QUELLE)
        checked = "only that one was checked" if lost else "all of them were searched for citations"
        reason = f"the key stands more than once in one object; other programs see the last one, {checked}"
        yield _problem(row, pfad + _segment(name), reason, lost=lost)


def _not_a_zitat(node: dict[str, object]) -> str | None:
    """Why an object without both `text` and `quelle` hides a citation; None for a level in between."""
    if QUELLE in node:
        return "a citation without text"
    if TEXT in node:
        return "a citation without quelle"
    if any(isinstance(child, _CONTAINERS) for child in node.values()):
        return None  # such as a dict keyed by party
    return "an object without text and quelle where a citation was expected"


def _zitat(row: Assessment, node: dict[str, object], pfad: str, fraktion: str | None) -> Zitat:
    text, quelle, url = node[TEXT], node[QUELLE], node.get(URL)
    notes: tuple[str, ...] = ()
    if not isinstance(text, str):
        text, notes = "", (f"text is {_kind(text)}, not a text",)
    if not isinstance(quelle, str):
        quelle, notes = "", (*notes, f"quelle is {_kind(quelle)}, not a text")
    if not isinstance(url, str):
        if url is not None:
            notes = (*notes, f"url is {_kind(url)}, not a text")
        url = ""
    return Zitat(
        text=text,
        quelle=quelle,
        url=url,
        drucksache=row.drucksache,
        pfad=pfad,
        bundesland=row.bundesland,
        fraktion=fraktion,
        assessment=row.key,
        notes=notes,
    )


def _segment(key: str) -> str:
    """`.zitate`, or `['…']` as in RFC 9535 for keys that are no plain word; never a control character.

    A long key is cut: each citation below it has its path, so that a small row could fill the memory.
    """
    if len(key) > _LONGEST_KEY:
        key = key[:_LONGEST_KEY] + "…"
    if key.isidentifier():
        return "." + key
    return "['" + json.dumps(key)[1:-1].replace('\\"', '"').replace("'", "\\'") + "']"


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a text"
    return "a list" if isinstance(value, list) else "an object"


def _problem(row: Assessment, pfad: str, reason: str, *, lost: bool = True) -> Problem:
    return Problem(assessment=row.key, drucksache=row.drucksache, pfad=pfad, reason=reason, lost=lost)
