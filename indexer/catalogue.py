"""Programmes from TOML or JSON: every entry checked, all mistakes reported at once (SPEC §4)."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path, PurePosixPath, PureWindowsPath

from indexer.errors import CatalogueError, UsageError
from indexer.programm import FINAL, Programm

BLOCK = "programm"
REQUIRED = ("id", "name", "partei", "bundesland", "jahr", "typ", "datei")
OPTIONAL = ("aliases", "url", "ort", "wahl", "werk", "fassung")
__all__ = ["Programm", "catalogue_sha256", "load_catalogue"]

KNOWN = REQUIRED + OPTIONAL
YEARS = range(1848, 2101)  # the first German party programme; a typo like 20225 is caught

# Control characters and lone surrogates: neither belongs into a name, and SQLite refuses the latter.
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def load_catalogue(path: Path) -> tuple[Programm, ...]:
    """Programmes of the catalogue at `path`, in its order: JSON if the name ends in `.json`, otherwise TOML.

    Raises UsageError if there is no such file, and CatalogueError with all of its mistakes, each with file, number and
    id of the entry, field and reason. Unknown fields are mistakes in TOML and ignored in JSON, where lists that other
    programs export carry more.
    """
    is_json = path.suffix.lower() == ".json"
    entries = _json_entries(path) if is_json else _toml_entries(path)
    mistakes: list[str] = []
    programme: list[Programm] = []
    first_with_id: dict[str, int] = {}
    for number, entry in enumerate(entries, start=1):
        found = list(_mistakes(entry, strict=not is_json))
        if isinstance(entry, Mapping) and not found:
            programm = _programm(entry)
            first = first_with_id.setdefault(programm.programm_id, number)
            if first == number:
                programme.append(programm)
            else:
                found.append(f"id: already used by entry {first}; every programme needs its own")
        mistakes += [f"{path}: {_entry_name(number, entry)}: {mistake}" for mistake in found]
    if not entries:
        mistakes.append(f"{path}: no programme in it; `index scan PDFDIR` proposes entries")
    if mistakes:
        count = "1 mistake" if len(mistakes) == 1 else f"{len(mistakes)} mistakes"
        raise CatalogueError("\n".join([f"{count} in the catalogue:", *mistakes]))
    return tuple(programme)


def catalogue_sha256(programme: Sequence[Programm]) -> str:
    """Hash of what the catalogue says, whatever the order, spelling or format of its file."""
    names = [field.name for field in fields(Programm)]  # `asdict` copies deeply, which takes three times as long
    rows = sorted(
        json.dumps({name: getattr(programm, name) for name in names}, sort_keys=True) for programm in programme
    )
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise UsageError(f"no catalogue at {path}; `index scan PDFDIR > {path}` proposes one") from error
    except OSError as error:
        raise UsageError(f"the catalogue {path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CatalogueError(f"{path}: not UTF-8 text (byte {error.start}); save it as UTF-8") from error


def _toml_entries(path: Path) -> Sequence[object]:
    import tomllib  # noqa: PLC0415 - a catalogue in JSON needs not load it

    try:
        document = tomllib.loads(_read(path))
    except ValueError as error:  # not TOML, or a number of more digits than Python converts
        raise CatalogueError(f"{path}: not valid TOML: {error}") from error
    except RecursionError as error:
        raise CatalogueError(f"{path}: nested too deeply to be a catalogue") from error
    unknown = [key for key in document if key != BLOCK]
    if unknown:
        raise CatalogueError(f"{path}: unknown block or key {unknown[0]!r}; each programme is a block [[{BLOCK}]]")
    return _list_of_entries(path, document.get(BLOCK, []))


def _json_entries(path: Path) -> Sequence[object]:
    try:
        document = json.loads(_read(path), object_pairs_hook=_without_doubles)
    except ValueError as error:
        raise CatalogueError(f"{path}: not valid JSON: {error}") from error
    except RecursionError as error:
        raise CatalogueError(f"{path}: nested too deeply to be a catalogue") from error
    return _list_of_entries(path, document)


def _without_doubles(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """The object of these fields; raises ValueError where one stands twice, as TOML does: which of them is meant?"""
    seen: dict[str, object] = {}
    for name, value in pairs:
        if name in seen:
            raise ValueError(f"{name} stands twice in one programme")
        seen[name] = value
    return seen


def _list_of_entries(path: Path, entries: object) -> Sequence[object]:
    if not isinstance(entries, list):
        raise CatalogueError(f"{path}: must be a list of programmes ([[{BLOCK}]] blocks in TOML, [...] in JSON)")
    return entries


def _entry_name(number: int, entry: object) -> str:
    name = entry.get("id") if isinstance(entry, Mapping) else None
    return f"entry {number} ({name})" if isinstance(name, str) and name else f"entry {number}"


def _mistakes(entry: object, *, strict: bool) -> Iterator[str]:
    if not isinstance(entry, Mapping):
        yield f"must be a table of fields, is {_kind(entry)}"
        return
    for field in REQUIRED:
        if field not in entry:
            yield f"{field}: missing"
    for field in KNOWN:
        if field in entry:
            reason = _reason(field, entry[field])
            if reason:
                yield f"{field}: {reason}"
    if strict:
        for field in entry:
            if field not in KNOWN:
                from difflib import get_close_matches  # noqa: PLC0415 - most catalogues have no mistakes

                near = get_close_matches(field, KNOWN, n=1)
                yield f"{field}: unknown field" + (f"; did you mean {near[0]!r}?" if near else "")


def _reason(field: str, value: object) -> str | None:
    """What is wrong with `value` for `field`, or None."""
    if value is None and field in OPTIONAL:
        return None  # JSON writes what a programme does not have as null
    if field == "jahr":
        return _reason_jahr(value)
    if field == "aliases":
        if not isinstance(value, list):
            return f"must be a list of texts, is {_kind(value)}"
        return next((f"in the list: {reason}" for reason in map(_reason_text, value) if reason), None)
    if field == "datei":
        return _reason_datei(value)
    return _reason_text(value)


def _reason_jahr(value: object) -> str | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return f"must be a whole number like 2022, is {_kind(value)}"
    return None if value in YEARS else f"{value} is no year from {YEARS[0]} to {YEARS[-1]}"


def _reason_text(value: object) -> str | None:
    if not isinstance(value, str):
        return f"must be a text, is {_kind(value)}"
    if not value.strip():
        return "is empty"
    return "holds control characters or broken ones" if _UNPRINTABLE.search(value) else None


def _reason_datei(value: object) -> str | None:
    # A file name may hold anything that the file system allows, bytes that are no UTF-8 (surrogates) included.
    if not isinstance(value, str):
        return f"must be a text, is {_kind(value)}"
    if not value.strip() or "\0" in value:
        return "is empty or holds NUL"
    if PurePosixPath(value).is_absolute() or PureWindowsPath(value).drive or ".." in re.split(r"[/\\]", value):
        return f"{value!r} must stay inside the PDF folder: no absolute path, no '..'"
    return None


def _kind(value: object) -> str:
    names = {bool: "true/false", int: "a number", float: "a number", str: "a text", list: "a list", dict: "a table"}
    shown = names.get(type(value), "nothing" if value is None else f"a {type(value).__name__}")
    return f"{shown}: {value!r:.60}" if isinstance(value, str | int | float) else shown


def _programm(entry: Mapping[str, object]) -> Programm:
    """Programm of an entry without mistakes."""
    text = {field: str(entry[field]).strip() for field in KNOWN if isinstance(entry.get(field), str)}
    aliases = entry.get("aliases")
    return Programm(
        programm_id=text["id"],
        name=text["name"],
        partei=text["partei"],
        bundesland=text["bundesland"],
        jahr=int(str(entry["jahr"])),
        typ=text["typ"].lower(),
        datei=str(entry["datei"]),
        aliases=tuple(str(alias).strip() for alias in aliases) if isinstance(aliases, list) else (),
        url=text.get("url"),
        ort=text.get("ort"),
        wahl=text.get("wahl"),
        werk=text.get("werk", text["id"]),
        fassung=text.get("fassung", FINAL).lower(),
    )
