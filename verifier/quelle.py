"""What a quelle names: party, Land, year, kind, place, edition and pages (SPEC §6, "quelle → Programm").

The head of a quelle is cut into segments at commas, brackets, colons, dashes and quotation marks. Everything in its
first segments counts, also the words that nobody knows: a programme must bear them. Once party and year are named, a
segment counts only if every word of it says which programme it is; anything else there is the title of a chapter.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from copy import deepcopy
from dataclasses import dataclass, field

from indexer.aliases import Phrase, Sinn, keys_of, load_aliases
from verifier.head import PAGE
from verifier.words import Item, read_items

_BREAK = re.compile(r"[,;:|()\[\]{}•·„“”\"»«›‹>\x1e]|[.!?]\s|\s[-–—]+\s|[–—]")
_QUOTED = re.compile(r"„[^„“”\"]*[“”\"]|\"[^\"]*\"|“[^“”]*”|»[^»«]*«|«[^»«]*»")
_PERIOD = re.compile(
    r"(?<!\d)(?P<first>(?:19|20)\d\d)"
    r"(?:\s*(?:[-\u2010-\u2015\u2212/]|bis)\s*(?P<last>(?:19|20)\d\d)|[-\u2010-\u2015\u2212/](?P<short>\d\d))(?![\d.])"
)
_SHORT_YEAR = re.compile(r"\b(BTW|LTW) ?['’]?(\d\d)\b", re.IGNORECASE)
_PERIOD_YEARS = 10  # a legislative period is shorter
_IDENTITY = frozenset({"partei", "land", "merkmal", "schwach", "verband", "fassung", "titel", "fremd", "werk", "jahr"})
_EVERYDAY = frozenset({"schwach", "fuellwort", "zahl"})
_PASSING = _EVERYDAY | {"jahr"}
_NAMING = frozenset({"partei", "merkmal", "titel", "werk"})
_NAMED = frozenset({"partei", "werk"})
_YEARS = frozenset({"jahr"})
_ADOPTION = _PASSING | {"fassung"}
_UNPLACED = frozenset({"orte", "catalogue"})
_LETTER = frozenset({"zahl"})
_PUBLISHER = frozenset({"partei", "merkmal", "verband", "titel", "fremd", "werk"})


@dataclass(slots=True)
class Claims:
    """Everything that a quelle names.

    `merkmale`: kinds and levels, `strong` those that are no everyday words. `words`: those of the head, as compared
    → as written. `must`: those that the programme must bear. `loose`: lone unknown words behind the head.
    `erschienen`: where the programme was printed or adopted.
    """

    parteien: list[str] = field(default_factory=list)
    laender: set[str] = field(default_factory=set)
    jahre: set[int] = field(default_factory=set)
    merkmale: set[str] = field(default_factory=set)
    strong: set[str] = field(default_factory=set)
    fassungen: set[str] = field(default_factory=set)
    titel: set[str] = field(default_factory=set)
    werke: set[str] = field(default_factory=set)
    fremd: dict[str, str] = field(default_factory=dict)
    must: list[str] = field(default_factory=list)
    words: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    shown: dict[str, str] = field(default_factory=dict)
    loose: list[str] = field(default_factory=list)
    erschienen: list[Item] = field(default_factory=list)


@dataclass(slots=True)
class _Segment:
    items: list[Item]
    quoted: bool
    behind_page: bool

    def fields(self) -> set[str]:
        return {sinn.feld for item in self.items for sinn in item.sinne}

    def unknown(self) -> list[Item]:
        return [item for item in self.items if not item.sinne]


def read_claims(head: str, phrases: Mapping[str, list[Phrase]]) -> Claims:
    """What `head` (see `verifier.head`) names, read with the spellings `phrases`."""
    claims = Claims()
    head = _SHORT_YEAR.sub(r"\1 20\2", head)
    head = _PERIOD.sub(lambda match: _first_year(match, claims), head)
    items = read_items(head, phrases)
    for segment in _segments(head, items):
        if not segment.unknown() and not segment.behind_page and _complete(claims):
            title = bool(claims.merkmale) or segment.items[0] is items[-1]
            after_stop = title and head.endswith(". ", 0, segment.items[0].start)
            claims.erschienen += [item for item in segment.items if _printed(item, segment, claims, after_stop)]
            segment.items = [item for item in segment.items if item not in claims.erschienen]
        _take(segment, claims)
    return claims


def in_place(claims: Claims) -> Claims:
    """`claims`, if what looks like the place of publication is the Land or place of the programme."""
    other = deepcopy(claims)
    _count(other.erschienen, other)
    other.erschienen = []
    return other


def _complete(claims: Claims) -> bool:
    return bool((claims.parteien or claims.werke or claims.titel) and claims.jahre)


def _printed(item: Item, segment: _Segment, claims: Claims, after_stop: bool) -> bool:
    """Whether `item` is a place as in "Berlin 2025", ". Berlin" or "beschlossen 2024 in Berlin" behind the head."""
    if item.keys[0] not in load_aliases().erschienen or len(item.keys) > 1:
        return False
    others = [other for other in segment.items if other is not item]
    if not others:
        return after_stop
    if all(_is(other, _YEARS) and int(other.sinne[0].wert) in claims.jahre for other in others):
        return bool(claims.merkmale)
    before = [other.keys[0] for other in others if other.end < item.start]
    return before[-1:] == ["in"] and _is_adoption(others)


def _is_adoption(items: Sequence[Item]) -> bool:
    adopted = any(sinn == Sinn("fassung", "final") for item in items for sinn in item.sinne)
    return adopted and all(_is(item, _ADOPTION) for item in items)


def _first_year(match: re.Match[str], claims: Claims) -> str:
    first = int(match["first"])
    last = int(match["last"] or match["first"][:2] + match["short"])
    if not first < last <= first + _PERIOD_YEARS:
        return match[0]
    claims.notes.append(f"the quelle names the period {match[0]}; its first year {first} is taken for the year")
    return match["first"]


def _segments(head: str, items: Sequence[Item]) -> Iterator[_Segment]:
    quotes = [match.span() for match in _QUOTED.finditer(head)]
    page = head.find(PAGE)
    party = False
    current: list[Item] = []
    end = 0
    for item in items:
        if current and _BREAK.search(head, end, item.start):
            yield _segment(current, quotes, behind_page=party and 0 <= page < current[0].start)
            party = party or any(sinn.feld in _NAMED for each in current for sinn in each.sinne)
            current = []
        current.append(item)
        end = item.end
    if current:
        yield _segment(current, quotes, behind_page=party and 0 <= page < current[0].start)


def _segment(items: list[Item], quotes: Sequence[tuple[int, int]], *, behind_page: bool) -> _Segment:
    quoted = any(start < items[0].start and items[-1].start < end for start, end in quotes)
    return _Segment(items, quoted, behind_page)


def _take(segment: _Segment, claims: Claims) -> None:
    fields = segment.fields()
    unknown = segment.unknown()
    party = bool(claims.parteien or claims.werke or claims.titel)
    complete = _complete(claims)
    nearly = party and bool(claims.merkmale)
    if segment.behind_page and (unknown or not fields & _PUBLISHER):
        return
    if not unknown:
        behind = complete or nearly
        # Behind the head, "NRW in Europa" is a chapter and "beschlossen am 10.12.2024" a date
        passing = _PASSING if complete else _EVERYDAY
        _count([item for item in segment.items if not behind or fields & _NAMING or not _is(item, passing)], claims)
    elif segment.quoted:
        return
    elif complete or (nearly and not fields & _IDENTITY):
        _binding(segment, claims)
    elif fields & _IDENTITY or len(unknown) == 1:
        _count(_without_title(segment, claims), claims)


def _is(item: Item, fields: Set[str]) -> bool:
    return all(sinn.feld in fields for sinn in item.sinne)


def _binding(segment: _Segment, claims: Claims) -> None:
    """A segment behind the head: only who publishes it, and another kind of programme, still count."""
    if "verband" in segment.fields():
        _count(segment.items, claims)
    unknown = segment.unknown()
    claims.must += [item.keys[0] for item in unknown if item.keys[0].endswith(("programm", "programms"))]
    if all(len(key) == 1 for item in segment.items for key in item.keys):
        claims.must += unknown[0].keys  # "T-H" is no chapter
    if len(segment.items) == 1:
        claims.loose.append(unknown[0].words[0])


def _without_title(segment: _Segment, claims: Claims) -> list[Item]:
    """The items of a segment up to a title of several words that follows party, kind and year without any mark."""
    items = segment.items
    first = next(index for index, item in enumerate(items) if not item.sinne)
    before = {sinn.feld for item in items[:first] for sinn in item.sinne}
    named = before | ({"partei"} if claims.parteien else set()) | ({"jahr"} if claims.jahre else set())
    title = [item for item in items[first:] if not item.sinne]
    if {"partei", "jahr", "merkmal"} <= named and len(title) > 1 and not any(item.glued for item in items[first:]):
        return items[:first]
    return items


def _count(items: Sequence[Item], claims: Claims) -> None:
    for index, item in enumerate(items):
        for key, word in zip(item.keys, item.words, strict=True):
            claims.words.setdefault(key, word)
        if not item.sinne:
            claims.must += item.keys
        for sinn in item.sinne:
            _note(sinn, item, claims)
        if index + 1 < len(items) and _narrows(items[index + 1], item):
            claims.must += items[index + 1].keys


def _narrows(item: Item, before: Item) -> bool:
    """Whether `item` belongs to the name before it: "Hessen-Süd" is not Hessen, nor "Halle a. d. S." any Halle."""
    letter = _is(item, _LETTER) and len(item.keys[0]) == 1 and item.keys[0].isalpha()
    place = not before.sinne or before.sinne[0].feld == "ort"
    return (item.glued and not item.sinne) or (letter and (item.glued or place))


def _note(sinn: Sinn, item: Item, claims: Claims) -> None:
    shown = " ".join(item.words)
    match sinn.feld:
        case "partei":
            if sinn.wert not in claims.parteien:
                claims.parteien.append(sinn.wert)
            claims.shown.setdefault(sinn.wert, shown)
        case "land":
            claims.laender.add(sinn.wert)
            claims.shown.setdefault(sinn.wert, shown)
        case "jahr":
            claims.jahre.add(int(sinn.wert))
        case "merkmal" | "schwach" | "verband":
            claims.merkmale.update(sinn.wert.split())
            if sinn.feld != "schwach":
                claims.strong.update(sinn.wert.split())
        case "fassung":
            claims.fassungen.add(sinn.wert)
        case "titel":
            claims.titel.add(sinn.wert)
        case "werk":
            claims.werke.add(sinn.wert)
        case "fremd":
            claims.fremd.setdefault(shown, sinn.wert)
        case "ort":
            # Of "Halle (Saale)", the second word says no more than its Land does
            claims.must += item.keys if sinn.wert in _UNPLACED else keys_of(sinn.wert)
        case _:
            pass
