"""The spellings of `aliases.toml` and those of one catalogue, whose own words count as well (SPEC §6)."""

import re
from collections.abc import Iterable, Sequence

from indexer.aliases import Phrase, Sinn, canonical_bundesland, canonical_partei, clean, keys_of, load_aliases
from indexer.programm import Programm
from verifier.identity import land_of, named_titles, partei_of

_DIGITS = re.compile(r"[0-9]{4}")


def spellings_of(catalogue: Sequence[Programm]) -> dict[str, list[Phrase]]:
    """Phrases by their first word, longest first, as `indexer.aliases.match_phrase` takes them."""
    phrases = dict(load_aliases().phrases)
    _add(phrases, _fields(catalogue), replacing=False)
    titles: dict[tuple[str, ...], set[Sinn]] = {}
    untitled: set[tuple[str, ...]] = set()
    for programm in catalogue:
        # Most names differ from another one by the year alone
        shape = (_DIGITS.sub("0", programm.name), programm.bundesland, *programm.aliases)
        if shape in untitled:
            continue
        found = list(named_titles(programm, phrases))
        if not found:
            untitled.add(shape)
        for phrase in found:
            titles.setdefault(phrase.keys, set()).update(phrase.sinne)
    _add(phrases, (Phrase(keys, None, tuple(sorted(sinne))) for keys, sinne in titles.items()), replacing=True)
    return phrases


def _fields(catalogue: Sequence[Programm]) -> Iterable[Phrase]:
    texts: dict[str, Sinn] = {}
    for programm in catalogue:
        if canonical_partei(programm.partei) is None:
            texts.setdefault(programm.partei, Sinn("partei", partei_of(programm)))
        if canonical_bundesland(programm.bundesland) is None:
            texts.setdefault(programm.bundesland, Sinn("land", land_of(programm)))
        if programm.ort:
            texts.setdefault(programm.ort, Sinn("ort", "catalogue"))
    return [Phrase(keys, None, (sinn,)) for text, sinn in texts.items() if (keys := keys_of(clean(text)))]


def years_of(programm: Programm) -> set[int]:
    """The years that may be named for `programm`."""
    texts = [programm.wahl or "", *programm.aliases]
    return {programm.jahr, *(int(year) for text in texts for year in _DIGITS.findall(text))}


def files_of(catalogue: Iterable[Programm]) -> dict[str, list[int]]:
    """Positions by file name, also without its ending where the rest is no plain word; never by a path."""
    files: dict[str, list[int]] = {}
    for position, programm in enumerate(catalogue):
        name = clean(programm.datei.rpartition("/")[2])
        stem = name.removesuffix(".pdf")
        for spelling in {name, stem} if _DIGITS.search(stem) else {name}:
            files.setdefault(spelling, []).append(position)
    return files


def _add(phrases: dict[str, list[Phrase]], more: Iterable[Phrase], *, replacing: bool) -> None:
    """Add `more` to `phrases`, whose lists are shared with `aliases.toml` and stay as they are."""
    for phrase in more:
        group = phrases.get(phrase.keys[0], [])
        same = [other for other in group if other.keys == phrase.keys and other.exact is None]
        if same and not replacing:
            continue
        rest = [other for other in group if other not in same]
        phrases[phrase.keys[0]] = sorted([*rest, phrase], key=lambda other: (-len(other.keys), other.exact is None))
