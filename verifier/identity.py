"""What sets a programme apart from all others: the part of the catalogue that a quelle has to agree with (SPEC §6)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from indexer.aliases import BUND, Phrase, Sinn, canonical_bundesland, canonical_partei, clean, keys_of, load_aliases
from indexer.programm import Programm
from verifier.quelle import Claims, read_claims
from verifier.words import Item, read_items

LEVELS = frozenset({"bund", "land", "kommune", "europa"})
_NO_KIND = LEVELS | {"programm", "wahl"}
_FRAME = frozenset({"partei", "jahr", "zahl", "fuellwort"})
_INFLECTED = ("er", "es", "en", "s", "n", "r")
_MIN_TITLE = 10  # characters: a shorter word alone is no title
_SMALL = 3  # characters: "Bad", "am", parts of place names that name no place


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """A programme as a quelle can name it.

    `arten`: the sets of kinds other than `wahl` that may be named for it. `ebene`: bund, land, kommune or europa.
    `ort`: words of its place. `words`: all words that belong to it. `fassungen`: the names of its edition.
    `position`: in the catalogue.
    """

    programm: Programm
    parteien: frozenset[str]
    laender: frozenset[str]
    jahre: frozenset[int]
    arten: frozenset[frozenset[str]]
    ebene: str
    ort: tuple[str, ...]
    words: frozenset[str]
    fassungen: frozenset[str]
    position: int

    def bears(self, key: str) -> bool:
        """Whether `key` is one of the words of the programme, inflected or not."""
        return key in self.words or any(stem in self.words for stem in _stems(key))


def partei_of(programm: Programm) -> str:
    """The party of `programm` as `aliases.toml` calls it; its own spelling if no alias knows it."""
    return canonical_partei(programm.partei) or clean(programm.partei)


def land_of(programm: Programm) -> str:
    """The Land of `programm` as a code, or `Bund`; its own spelling if no alias knows it."""
    return canonical_bundesland(programm.bundesland) or clean(programm.bundesland)


def identify(programm: Programm, position: int, phrases: Mapping[str, list[Phrase]]) -> Identity:
    """Read the fields of `programm` with the spellings `phrases`, which must know its party and Land."""
    name, typ, wahl = (read_claims(clean(text), phrases) for text in (programm.name, programm.typ, programm.wahl or ""))
    aliases = [read_claims(clean(alias), phrases) for alias in programm.aliases]
    # A `typ` that no alias knows is a kind of its own
    own = _kinds(name) or _kinds(typ) or (frozenset() if typ.merkmale else frozenset(keys_of(programm.typ)))
    levels = (name.strong | typ.merkmale | wahl.merkmale) & LEVELS
    ebene = _level(levels, local=bool(programm.ort), federal=land_of(programm) == BUND)
    texts = (programm.name, programm.typ, programm.partei, programm.ort or "", programm.wahl or "", *programm.aliases)
    return Identity(
        programm=programm,
        parteien=frozenset([partei_of(programm), *(partei for alias in aliases for partei in alias.parteien)]),
        laender=frozenset([land_of(programm), *(land for alias in aliases for land in alias.laender)]),
        jahre=frozenset([programm.jahr, *wahl.jahre, *(jahr for alias in aliases for jahr in alias.jahre)]),
        arten=frozenset([own, *(_kinds(alias) for alias in aliases if alias.merkmale)]),
        ebene=ebene,
        ort=_place(programm, name) if ebene == "kommune" or programm.ort else (),
        words=frozenset(key for text in texts for key in keys_of(clean(text))),
        fassungen=frozenset({programm.fassung, *name.fassungen}),
        position=position,
    )


def _kinds(claims: Claims) -> frozenset[str]:
    return frozenset(claims.strong - _NO_KIND)


def _level(named: set[str], *, local: bool, federal: bool) -> str:
    for level in ("kommune", "europa"):
        if level in named:
            return level
    if "bund" in named or federal:
        return "bund"
    return "kommune" if local and "land" not in named else "land"


def _place(programm: Programm, name: Claims) -> tuple[str, ...]:
    """Words of the place of a local programme; without `ort`, what its name holds beside party, Land, kind, year."""
    keys = keys_of(clean(programm.ort)) if programm.ort else tuple(name.must)
    return tuple(key for key in keys if len(key) > _SMALL and key not in load_aliases().gebiet) or keys


def named_titles(programm: Programm, phrases: Mapping[str, list[Phrase]]) -> Iterator[Phrase]:
    """Titles of `programm` that name it without its kind, or that look like a Land: `Hamburger Programm`."""
    sinne = (Sinn("werk", programm.werk),)
    for text in (programm.name, *programm.aliases):
        items = read_items(clean(text), phrases)
        for item, following in pairwise(items):
            other = any(sinn.feld == "land" and sinn.wert != land_of(programm) for sinn in item.sinne)
            if other and any(sinn.feld == "merkmal" for sinn in following.sinne):
                yield Phrase(item.keys + following.keys, None, sinne)
        title = _title(items)
        if any(not item.sinne for item in title):
            keys = tuple(key for item in title for key in item.keys)
            if len(keys) > 1 or len(keys[0]) >= _MIN_TITLE:
                yield Phrase(keys, None, sinne)


def _title(items: Sequence[Item]) -> Sequence[Item]:
    """`items` without party, year and small words at both ends."""
    inner = [index for index, item in enumerate(items) if not any(sinn.feld in _FRAME for sinn in item.sinne)]
    return items[inner[0] : inner[-1] + 1] if inner else []


def agrees(identity: Identity, claims: Claims, *, but: str = "") -> bool:
    """Whether the programme is everything that `claims` names, leaving out one of `jahr`, `art`, `wort`."""
    if not claims.laender <= identity.laender or (but != "jahr" and not claims.jahre <= identity.jahre):
        return False
    if but != "wort" and not all(map(identity.bears, claims.must)):
        return False
    if claims.werke:  # a title of its own names kind and place
        return identity.programm.werk in claims.werke
    return place_named(identity, claims) and (
        but == "art" or (_level_agrees(identity, claims) and _kind_agrees(identity, claims))
    )


def _kind_agrees(identity: Identity, claims: Claims) -> bool:
    kinds = frozenset(claims.merkmale - _NO_KIND)
    if claims.titel:
        kinds |= {"grundsatz"}
    if kinds in identity.arten:
        return True
    return not kinds and any(option and option <= claims.words.keys() for option in identity.arten)


def _level_agrees(identity: Identity, claims: Claims) -> bool:
    named = claims.merkmale & LEVELS
    for level in ("kommune", "europa"):
        if level in named:
            return identity.ebene == level
    if identity.ebene in ("kommune", "europa"):
        return identity.ebene == "kommune" and bool(identity.ort) and not named  # then its place is named
    return named <= {identity.ebene}


def place_named(identity: Identity, claims: Claims) -> bool:
    """Whether the place of a local programme is named, and no other that begins alike; True for all others."""
    if not identity.ort:
        return True
    # "Landkreis Leipzig" is not Leipzig, nor the other way round
    return _areas(claims.words) == _areas(identity.words) and any(
        identity.ort[0] in _stems(key) for key in claims.words
    )


def _areas(keys: Iterable[str]) -> set[str]:
    return {area for key in keys if (area := load_aliases().gebiet.get(key))}


def _stems(key: str) -> list[str]:
    return [key, *(key.removesuffix(ending) for ending in _INFLECTED)]
