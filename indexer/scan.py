"""Propose a catalogue for a folder of PDFs, from file names, metadata and title pages, for a person to correct."""

import json
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from indexer.aliases import BUND, WORD, key_of, load_aliases, match_phrase, publisher
from indexer.errors import PdfError
from indexer.programm import FINAL
from indexer.sources import find_source, storable
from indexer.workers import Limits, read_all

TITLE_PAGES = 3
TITLE_CHARACTERS = 2000
NOT_FOUND = "?"

_YEAR = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_TYPES = {
    "grundsatz": "grundsatzprogramm",
    "kurz": "kurzprogramm",
    "sofort": "sofortprogramm",
    "europa": "europawahlprogramm",
    "kommune": "kommunalwahlprogramm",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What a PDF says about itself: the title in its metadata, the year it was made, the text of its first pages."""

    title: str
    made: int | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One entry as far as it could be guessed; `doubts` are for the person who corrects it."""

    datei: str
    programm_id: str
    name: str
    partei: str
    bundesland: str
    jahr: int
    typ: str
    ort: str | None
    werk: str
    fassung: str
    doubts: tuple[str, ...]


def read_start(path: Path) -> Start:
    """What the PDF at `path` says about itself. Raises PdfError. Runs in a worker process."""
    from indexer.pdf import LIBRARY_ERRORS, opened, quiet, read_page  # noqa: PLC0415 - only workers load PyMuPDF

    with quiet(), opened(path) as doc:
        metadata = doc.metadata or {}
        made = _YEAR.search(str(metadata.get("creationDate") or ""))
        try:
            pages = [read_page(doc.load_page(number), False) for number in range(min(TITLE_PAGES, doc.page_count))]
        except LIBRARY_ERRORS as error:
            raise PdfError("damaged: its title pages cannot be read; download it again") from error
        return Start(
            title=str(metadata.get("title") or "")[:TITLE_CHARACTERS],
            made=int(made[0]) if made else None,
            text="\n".join(line.text for page in pages for line in page.lines)[:TITLE_CHARACTERS],
        )


def find_pdfs(folder: Path) -> list[str]:
    """PDFs below `folder`, relative to it and sorted; hidden ones are left out, links to folders are not followed."""
    found = []
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [
            (Path(parent) / name).relative_to(folder).as_posix()
            for name in files
            if name.lower().endswith(".pdf") and not name.startswith(".")
        ]
    return sorted(found)


def scan(folder: Path, dateien: Sequence[str], limits: Limits) -> Iterator[str]:
    """TOML for `dateien` below `folder`, one block each; a PDF that cannot be read is a comment with the reason."""
    sources = {datei: find_source(folder, datei) for datei in dateien}
    readable = [datei for datei in dateien if sources[datei].reason is None]
    reasons = {datei: source.reason for datei, source in sources.items()}
    proposals: dict[str, Proposal] = {}
    answers = read_all(read_start, [sources[datei].path for datei in readable], limits)
    for datei, answer in zip(readable, answers, strict=True):
        if answer.reason is None:
            proposals[datei] = propose(datei, answer.value, {other.programm_id for other in proposals.values()})
        reasons[datei] = answer.reason
    editions: dict[tuple[object, ...], list[str]] = {}
    for proposal in proposals.values():
        editions.setdefault(_work(proposal), []).append(proposal.programm_id)
    for datei in dateien:
        if datei not in proposals:
            yield f"# {_escaped(datei)}: left out, {_escaped(reasons[datei] or '')}\n"
            continue
        proposal = proposals[datei]
        same = editions[_work(proposal)]
        if len(same) > 1 and proposal.partei != NOT_FOUND:
            werk = min(same, key=lambda programm_id: (len(programm_id), programm_id))
            doubts = (
                *proposal.doubts,
                "werk: several PDFs look like editions of this programme; is each fassung right?",
            )
            proposal = replace(proposal, werk=werk, doubts=doubts)
        yield block(proposal)


def propose(datei: str, start: Start, taken: set[str]) -> Proposal:
    """The entry for one PDF: what its file name says counts most, then its title, then its first pages."""
    stem = _SURROGATE.sub("\ufffd", unicodedata.normalize("NFC", Path(datei).stem))
    # In a file name everything may be in small letters, also what is only known in capitals ("hh").
    spoken = [_said(stem.upper()) | _said(stem), _said(start.title), _said(start.text)]
    doubts = []
    partei = next(filter(None, (publisher(said.get("partei", ())) for said in spoken)), None)
    if partei is None:
        partei = NOT_FOUND
        doubts.append("partei: not found")
    ort = _place(stem)
    bundesland, doubt = _land(spoken, partei, ort)
    doubts += doubt
    years = [_YEAR.findall(stem), _YEAR.findall(start.title), _YEAR.findall(start.text)]
    jahr = next((int(Counter(found).most_common(1)[0][0]) for found in years if found), None)
    if jahr is None or not years[0]:
        jahr = jahr or start.made or 2000
        doubts.append("jahr: not in the file name")
    typ = _kind(spoken)
    fassung = next(iter(sorted(spoken[0].get("fassung", ()))), FINAL)
    programm_id = _free_id(stem, taken)
    where = ort or (None if bundesland == BUND else bundesland)
    return Proposal(
        datei=_SURROGATE.sub("\ufffd", datei),
        programm_id=programm_id,
        name=" ".join(filter(None, (partei, where, typ.capitalize(), str(jahr)))),
        partei=partei,
        bundesland=bundesland,
        jahr=jahr,
        typ=typ,
        ort=ort,
        werk=programm_id,
        fassung=fassung,
        doubts=tuple(doubts),
    )


def block(proposal: Proposal) -> str:
    """One `[[programm]]` block in TOML, doubts as comments above it."""
    fields: dict[str, str | int | None] = {
        "id": proposal.programm_id,
        "name": proposal.name,
        "partei": proposal.partei,
        "bundesland": proposal.bundesland,
        "jahr": proposal.jahr,
        "typ": proposal.typ,
        "datei": proposal.datei,
        "ort": proposal.ort,
        "werk": None if proposal.werk == proposal.programm_id else proposal.werk,
        "fassung": None if proposal.fassung == FINAL else proposal.fassung,
    }
    lines = [f"# check {_escaped(doubt)}" for doubt in proposal.doubts]
    lines += ["[[programm]]", *(f"{key} = {_toml(value)}" for key, value in fields.items() if value is not None)]
    return "\n".join(lines) + "\n"


def _said(text: str) -> dict[str, set[str]]:
    """What the spellings of `aliases.toml` make of `text`: values by field."""
    phrases = load_aliases().phrases
    words = WORD.findall(text)
    keys = [key_of(word) for word in words]
    said: dict[str, set[str]] = {}
    position = 0
    while position < len(keys):
        phrase = match_phrase(phrases, keys, words, position)
        for sinn in phrase.sinne if phrase else ():
            said.setdefault(sinn.feld, set()).add(sinn.wert)
        position += len(phrase.keys) if phrase else 1
    return said


def _land(spoken: Sequence[dict[str, set[str]]], partei: str, ort: str | None) -> tuple[str, list[str]]:
    """The Land, and doubts about it. A wrong `Bund` would let a programme be cited everywhere, so it is not guessed."""
    named, *guessed = [_only(said.get("land", ())) for said in spoken]
    if named is not None:
        return named, []
    if ort is not None:
        return NOT_FOUND, [f"bundesland: in which one is {ort}?"]
    for land, source in zip(guessed, ("the title in the metadata", "the first pages"), strict=True):
        if land is not None:
            return land, [f"bundesland: taken from {source}"]
    return _home(partei), ["bundesland: none found, so taken as " + _home(partei)]


def _kind(spoken: Sequence[dict[str, set[str]]]) -> str:
    """The `typ`: what the file name or the title says; the first pages only where they speak of no election."""
    for said in spoken:
        features = " ".join(sorted(said.get("merkmal", ()))).split()
        if said is not spoken[-1] or "wahl" not in features:
            for word, typ in _TYPES.items():
                if word in features:
                    return typ
    return "wahlprogramm"


def _only(values: Collection[str]) -> str | None:
    return next(iter(values)) if len(values) == 1 else None


def _home(partei: str) -> str:
    return str(load_aliases().heimat.get(partei, BUND))


def _place(stem: str) -> str | None:
    """A town that the file name names."""
    phrases = load_aliases().phrases
    for word in WORD.findall(stem):
        phrase = match_phrase(phrases, [key_of(word)], [word], 0)
        if phrase is not None and any(sinn.feld == "ort" for sinn in phrase.sinne):
            return str(word).capitalize()
    return None


def _work(proposal: Proposal) -> tuple[object, ...]:
    return proposal.partei, proposal.bundesland, proposal.ort, proposal.jahr, proposal.typ


def _free_id(stem: str, taken: set[str]) -> str:
    words = WORD.findall(unicodedata.normalize("NFKD", key_of(stem)).encode("ascii", "ignore").decode())
    base = "-".join(words)[:80] or "programm"
    number = 1
    programm_id = base
    while programm_id in taken:
        number += 1
        programm_id = f"{base}-{number}"
    return programm_id


def _toml(value: str | int) -> str:
    return str(value) if isinstance(value, int) else _escaped(json.dumps(value, ensure_ascii=False))


def _escaped(text: str) -> str:
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", storable(text))
