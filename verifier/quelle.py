"""What a quelle names: party, Land, year, kind, place, edition and pages (SPEC §6, "quelle → Programm").

The head of a quelle is cut into segments at commas, brackets, colons, dashes and quotation marks. Everything in its
first segments counts, also the words that nobody knows: a programme must bear them. Once party and year are named, a
segment counts only if every word of it says which programme it is; anything else there is the title of a chapter.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from indexer.aliases import WORD, Phrase, Sinn, key_of, match_phrase
from verifier.pageref import Located, PageRef, find_pages

_PAGE = "\x1e"  # stands in the head where a page reference stood; cleaned text holds no control characters
_BREAK = re.compile(r"[,;:|()\[\]{}•·„“”\"»«›‹>\x1e]|[.!?]\s|\s[-–—]+\s|[–—]")
_QUOTED = re.compile(r"„[^„“”\"]*[“”\"]|\"[^\"]*\"|“[^“”]*”|»[^»«]*«|«[^»«]*»")
_DOMAIN = re.compile(r"[\w-]+(?:\.[\w-]+)*\.(?:de|org|com|net|eu|info)(?:/.*)?", re.IGNORECASE)
_PERIOD = re.compile(
    r"(?<!\d)(?P<first>(?:19|20)\d\d)"
    r"(?:\s*(?:[-\u2010-\u2015\u2212/]|bis)\s*(?P<last>(?:19|20)\d\d)|[-\u2010-\u2015\u2212/](?P<short>\d\d))(?![\d.])"
)
_YEAR = re.compile(r"((?:18|19|20)\d\d)[a-f]?", re.ASCII)  # "2021a" as scholars write it
_SHORT_YEAR = re.compile(r"\b(BTW|LTW) ?['’]?(\d\d)\b", re.IGNORECASE)
_COUNT = re.compile(r"\d+|[ivxlc]+|\w", re.ASCII)  # numbers, roman ones too, and lone letters say nothing
_PERIOD_YEARS = 10  # a legislative period is shorter
_IDENTITY = frozenset({"partei", "land", "merkmal", "schwach", "verband", "fassung", "titel", "fremd", "werk", "jahr"})
_EVERYDAY = frozenset({"schwach", "fuellwort", "zahl"})
_PASSING = _EVERYDAY | {"jahr"}
_NAMING = frozenset({"partei", "merkmal", "titel", "werk"})
_NAMED = frozenset({"partei", "werk"})
_GLUE = frozenset("-/\u2010\u2011")
_PUBLISHER = frozenset({"partei", "merkmal", "verband", "titel", "fremd", "werk"})


@dataclass(slots=True)
class Claims:
    """Everything that a quelle names.

    `merkmale`: kinds and levels, `strong` those that are no everyday words. `words`: those of the head, as compared
    → as written. `must`: those that the programme must bear. `loose`: lone unknown words behind the head.
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


@dataclass(frozen=True, slots=True)
class Item:
    """A known spelling, a year, a number or (`sinne` is empty) a word that nobody knows."""

    keys: tuple[str, ...]
    words: tuple[str, ...]
    sinne: tuple[Sinn, ...]
    start: int
    end: int
    glued: bool  # to the word before it, with a hyphen or slash


@dataclass(slots=True)
class _Segment:
    items: list[Item]
    quoted: bool
    behind_page: bool

    def fields(self) -> set[str]:
        return {sinn.feld for item in self.items for sinn in item.sinne}

    def unknown(self) -> list[Item]:
        return [item for item in self.items if not item.sinne]


def split_quelle(text: str) -> tuple[str, PageRef | None]:
    """The head of the cleaned quelle `text`, addresses and page references taken out, and the pages."""
    found = find_pages(text)
    for located in sorted(found, key=_start, reverse=True):
        text = f"{text[: located.start]} {_PAGE} {text[located.end :]}"
    words = (_without_address(word) for word in text.split(" "))
    return " ".join(words).strip(f" ,;.{_PAGE}"), found[0].ref if found else None


def _start(located: Located) -> int:
    return located.start


def _without_address(word: str) -> str:
    """`word` without the address in it: the year or party in one is not what the quelle says."""
    if "." not in word and "/" not in word:
        return word
    lower = word.lower()
    for beginning in ("http://", "https://", "www."):
        if beginning in lower:
            return word[: lower.index(beginning)] + ";"
    bare = word.strip("()[]<>,;\"'")
    if ".pdf" in lower or bare.startswith(("/", "./", "../")) or _DOMAIN.fullmatch(bare):
        return ";"
    return word


def read_claims(head: str, phrases: Mapping[str, list[Phrase]]) -> Claims:
    """What `head` (see `split_quelle`) names, read with the spellings `phrases`."""
    claims = Claims()
    head = _SHORT_YEAR.sub(r"\1 20\2", head)
    head = _PERIOD.sub(lambda match: _first_year(match, claims), head)
    items = read_items(head, phrases)
    for segment in _segments(head, items):
        _take(segment, claims)
    return claims


def _first_year(match: re.Match[str], claims: Claims) -> str:
    first = int(match["first"])
    last = int(match["last"] or match["first"][:2] + match["short"])
    if not first < last <= first + _PERIOD_YEARS:
        return match[0]
    claims.notes.append(f"the quelle names the period {match[0]}; its first year {first} is taken for the year")
    return match["first"]


def read_items(head: str, phrases: Mapping[str, list[Phrase]]) -> list[Item]:
    """The words of `head` in order, those that belong together as one; what follows a chapter mark is left out."""
    found = list(WORD.finditer(head))
    words = [match[0] for match in found]
    keys = [key_of(word) for word in words]
    items: list[Item] = []
    position = 0
    party = False
    while position < len(keys):
        phrase = match_phrase(phrases, keys, words, position)
        end = position + (len(phrase.keys) if phrase else 1)
        sinne = phrase.sinne if phrase else _number(keys[position], words[position])
        after = end
        if sinne and sinne[0].feld == "stelle":
            numbered = end < len(keys) and _COUNT.fullmatch(keys[end]) is not None
            if party and (numbered or sinne[0].wert == "wort"):
                break
            # "Kapitel 3 des Wahlprogramms der SPD": the head comes behind the chapter
            after = end + numbered
            sinne = (Sinn("fuellwort", ""),)
        party = party or any(sinn.feld in _NAMED for sinn in sinne)
        start, stop = found[position].start(), found[end - 1].end()
        glued = position > 0 and head[found[position - 1].end() : start] in _GLUE
        items.append(Item(tuple(keys[position:end]), tuple(words[position:end]), sinne, start, stop, glued))
        position = after
    return items


def _number(key: str, word: str) -> tuple[Sinn, ...]:
    if year := _YEAR.fullmatch(key):
        return (Sinn("jahr", year[1]),)
    return (Sinn("zahl", key),) if _COUNT.fullmatch(key) and (key.isdigit() or len(key) == 1 or word.isupper()) else ()


def _segments(head: str, items: Sequence[Item]) -> Iterator[_Segment]:
    quotes = [match.span() for match in _QUOTED.finditer(head)]
    page = head.find(_PAGE)
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
    complete = party and bool(claims.jahre)
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
        # "Hessen-Süd" is not Hessen
        glued = index + 1 < len(items) and items[index + 1].glued and not items[index + 1].sinne
        if glued:
            claims.must += items[index + 1].keys


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
            claims.must += item.keys
        case _:
            pass
