"""From a quelle to the programme that it names, or why there is none (SPEC §6, "quelle → Programm").

Everything that the head of the quelle names must agree. A source that nobody named is never the answer: where nothing
agrees, the result says what the catalogue lacks and lists the nearest.
"""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from indexer.aliases import (
    BUND,
    MAX_LENGTH,
    canonical_bundesland,
    canonical_partei,
    clean,
    keys_of,
    load_aliases,
    publisher,
)
from indexer.programm import Programm
from verifier.choice import (
    at_home,
    by_werk,
    choose_in_place,
    distance,
    edition_rank,
    first_editions,
    inherited,
    literal,
    why_none,
)
from verifier.head import split_quelle
from verifier.identity import Identity, agrees, identify, land_of, partei_of
from verifier.pageref import PageRef
from verifier.quelle import Claims, read_claims
from verifier.spellings import files_of, spellings_of, years_of
from verifier.typo import Spelling

Status = Literal["resolved", "unresolved_source", "ambiguous_source"]
NEAREST = 5  # programmes that are shown where none is meant
_CACHED = 50_000  # heads of quellen; beyond, the cache starts anew
_WEAK_PARTY = "Die PARTEI"  # "die Partei DIE LINKE" names one party, not two


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """The programme that a quelle names.

    `programme`: the editions of one werk, best first, of which the first `primary` are the ones that the quelle names,
    or the final ones; empty unless resolved. `nearest`: ids of what else the reader may have meant; those that fit
    equally well if ambiguous. `seiten`: the pages that the quelle names. `message`: why there is no programme.
    `named_fassung`: the quelle names the edition.
    """

    programme: tuple[Programm, ...] = ()
    primary: int = 0
    status: Status = "unresolved_source"
    nearest: tuple[str, ...] = ()
    seiten: PageRef | None = None
    notes: tuple[str, ...] = ()
    message: str = ""
    named_fassung: bool = False


class Resolver:
    """Resolves quellen against the catalogue `programme`; one for each thread."""

    def __init__(self, programme: Iterable[Programm]) -> None:
        self._catalogue = tuple(programme)
        self._phrases = spellings_of(self._catalogue)
        self._laender = {land_of(programm) for programm in self._catalogue}
        self._identities: dict[int, Identity] = {}
        self._by_party: dict[str, list[int]] = {}
        self._years = [years_of(programm) for programm in self._catalogue]
        self._by_werk: dict[str, list[int]] = {}
        for position, programm in enumerate(self._catalogue):
            self._by_werk.setdefault(programm.werk, []).append(position)
            parteien = self._identity(position).parteien if programm.aliases else {partei_of(programm)}
            for partei in parteien:
                self._by_party.setdefault(partei, []).append(position)
        self._files = files_of(self._catalogue)
        self._spelling: Spelling | None = None
        self._heads: dict[tuple[str, str | None], Resolution] = {}

    def resolve(self, quelle: str | None, bundesland: str | None) -> Resolution:
        """The programme that `quelle` names in an Antrag from `bundesland` (any spelling; None if unknown).

        A quelle that is no text, as models write it, is no source; nothing raises.
        """
        if not isinstance(quelle, str) or not quelle:
            return Resolution(message="the citation names no source")
        text = clean(quelle)
        if len(text) > MAX_LENGTH:
            return Resolution(message=f"the quelle is longer than {MAX_LENGTH} characters, which is no source")
        head, seiten = split_quelle(text, self._files)
        own = self._land(bundesland)
        found = self._heads.get((head, own))
        if found is None:
            if len(self._heads) >= _CACHED:
                self._heads.clear()
            found = self._heads[head, own] = self._decide(head, own)
        return Resolution(
            programme=found.programme,
            primary=found.primary,
            status=found.status,
            nearest=found.nearest,
            seiten=seiten,
            notes=found.notes,
            message=found.message,
            named_fassung=found.named_fassung,
        )  # `replace` takes five times as long, for every citation

    def _land(self, bundesland: str | None) -> str | None:
        if not isinstance(bundesland, str):
            return None
        spelling = clean(bundesland)
        return canonical_bundesland(bundesland) or (spelling if spelling in self._laender else None)

    def _identity(self, position: int) -> Identity:
        identity = self._identities.get(position)
        if identity is None:
            identity = self._identities[position] = identify(self._catalogue[position], position, self._phrases)
        return identity

    def _of_party(self, partei: str, jahre: AbstractSet[int] = frozenset()) -> list[Identity]:
        positions = self._by_party.get(partei, ())
        return [self._identity(position) for position in positions if jahre <= self._years[position]]

    def _editions(self, werk: str) -> list[Identity]:
        return [self._identity(position) for position in self._by_werk.get(werk, ())]

    def _decide(self, head: str, own: str | None) -> Resolution:
        if head in self._files:
            return self._of_file(self._files[head])
        claims = read_claims(head, self._phrases)
        found = self._answer(claims, own)
        if found.programme:
            # Behind the head, a word that looks like a Land must not pass for a chapter
            readings = [(word, self._typos().suspect(word)) for word in claims.loose]
        else:
            readings = [(word, self._typos().reading(word)) for word in _in_the_way(claims, found)]
        for word, reading in readings:
            if reading is None:
                continue
            again = self._answer(read_claims(head.replace(word, reading), self._phrases), own)
            helps = again.status != found.status or self._typos().names_publisher(reading)
            if again.programme != found.programme or (helps and not found.programme):
                return replace(again, notes=(*again.notes, f"{word!r} in the quelle is read as {reading!r}"))
        return found

    def _of_file(self, named: list[int]) -> Resolution:
        """The programme of the only catalogue entry whose file the quelle names instead of a source."""
        if len(named) > 1:
            return _ambiguous([self._identity(position) for position in named], Claims())
        one = self._catalogue[named[0]]
        others = (identity.programm for identity in self._editions(one.werk) if identity.programm is not one)
        return Resolution(programme=(one, *others), primary=1, status="resolved", named_fassung=True)

    def _typos(self) -> Spelling:
        if self._spelling is None:
            self._spelling = Spelling(self._phrases)
        return self._spelling

    def _answer(self, claims: Claims, own: str | None) -> Resolution:
        claims = at_home(claims, own)
        partei, reason = _publisher(claims)
        if not reason:
            pool = self._pool(partei, claims, claims.jahre)
            werke = by_werk(choose_in_place(pool, claims, partei, own))
            if len(werke) > 1 and claims.jahre:
                werke = literal(werke, claims)
            if len(werke) == 1:
                return self._resolved(next(iter(werke)), claims, partei)
            if werke:
                return _ambiguous([group[0] for group in werke.values()], claims)
            reason = why_none(self._pool(partei, claims), claims, partei, own)
        return Resolution(message=reason, nearest=self._nearest(claims), notes=tuple(claims.notes))

    def _pool(self, partei: str, claims: Claims, jahre: AbstractSet[int] = frozenset()) -> list[Identity]:
        """What may be meant by `partei`: programmes of the years `jahre` that are its own, shared, or taken over."""
        aliases = load_aliases()
        if not partei:
            return [identity for werk in sorted(claims.werke) for identity in self._editions(werk)]
        pool = self._of_party(partei, jahre)
        shared = self._of_party(aliases.vertretung.get(partei, ""), jahre)
        pool += [identity for identity in shared if BUND in identity.laender and partei not in identity.parteien]
        if claims.jahre:
            pool += self._of_party(aliases.vorgaenger.get(partei, ""), jahre)
        return pool

    def _resolved(self, werk: str, claims: Claims, partei: str) -> Resolution:
        editions = self._editions(werk)
        ranked = sorted((edition_rank(identity, claims, editions), identity.position) for identity in editions)
        best = [self._identity(position) for _, position in ranked]
        named = any(claims.fassungen & identity.fassungen for identity in editions)
        notes = [*claims.notes]
        if claims.fassungen and not named:
            fassungen = ", ".join(sorted(claims.fassungen))
            notes.append(f"the quelle names the edition {fassungen!r}, which the catalogue does not have")
        if partei and inherited(best[0], partei):
            notes.append(f"the programme is one of {best[0].programm.partei}, which the quelle calls {partei}")
        return Resolution(
            programme=tuple(identity.programm for identity in best),
            primary=sum(rank == ranked[0][0] for rank, _ in ranked),
            status="resolved",
            notes=tuple(notes),
            named_fassung=named,
        )

    def _nearest(self, claims: Claims) -> tuple[str, ...]:
        parteien = {publisher(claims.parteien) or "", *claims.parteien} - {""}
        pool = {identity.position: identity for partei in parteien for identity in self._pool(partei, claims)}
        if not pool:
            pool = {identity.position: identity for identity in self._same_election(claims)}
        ranked = sorted(pool.values(), key=lambda identity: distance(identity, claims))
        return tuple(identity.programm.programm_id for identity in first_editions(ranked))[:NEAREST]

    def _same_election(self, claims: Claims) -> list[Identity]:
        """Programmes of other parties for the Land (or place) and year that are named, if both are."""
        if not claims.jahre or not (claims.laender or claims.must):
            return []
        years = (position for position, programm in enumerate(self._catalogue) if programm.jahr in claims.jahre)
        candidates = [self._identity(position) for position in years]
        return [identity for identity in candidates if agrees(identity, claims, but="" if identity.ort else "wort")]


def belongs(fraktion: str, programm: Programm) -> bool | None:
    """Whether `programm` is one of the party of the Fraktion; None if no alias knows the Fraktion's name."""
    return _belongs(fraktion, programm.partei)


@lru_cache(maxsize=1024)
def _belongs(fraktion: str, partei: str) -> bool | None:
    if keys_of(clean(fraktion)) == keys_of(clean(partei)):
        return True
    one, other = canonical_partei(fraktion), canonical_partei(partei) or clean(partei)
    return None if one is None else bool(_relatives(one) & _relatives(other))


def _relatives(partei: str) -> set[str]:
    aliases = load_aliases()
    related = {aliases.vertretung.get(partei, partei), aliases.vorgaenger.get(partei, partei)}
    return {partei} | related


def _ambiguous(identities: list[Identity], claims: Claims) -> Resolution:
    return Resolution(
        status="ambiguous_source",
        nearest=tuple(identity.programm.programm_id for identity in identities),
        notes=tuple(claims.notes),
        message=f"{len(identities)} programmes fit equally well; name the {'Land' if claims.jahre else 'year'}",
    )


def _in_the_way(claims: Claims, found: Resolution) -> list[str]:
    """Words that may be misspelt, since no programme was found because of them."""
    if found.status == "ambiguous_source":
        return []
    keys = claims.must if claims.parteien else [*claims.words]
    return [claims.words[key] for key in keys if key in claims.words]


def _publisher(claims: Claims) -> tuple[str, str]:
    """The party that `claims` names (empty if a title stands for it), and why there is none."""
    reason = _contradiction(claims)
    parteien = claims.parteien
    if len(parteien) > 1 and claims.shown.get(_WEAK_PARTY, "").endswith("Partei"):
        parteien = [partei for partei in parteien if partei != _WEAK_PARTY]
    if reason:
        return "", reason
    if not parteien:
        titel = {partei for name in claims.titel for partei, _ in load_aliases().titel[name]}
        if len(titel) == 1:
            return titel.pop(), ""
        return "", "" if claims.werke else "the quelle names no party that the catalogue or aliases.toml knows"
    partei = publisher(parteien)
    if partei:
        return partei, ""
    return "", f"the quelle names several parties: {', '.join(claims.shown[partei] for partei in parteien)}"


def _contradiction(claims: Claims) -> str:
    for shown, when in claims.fremd.items():
        if when == "immer" or not claims.merkmale:
            return f"{shown!r} is another kind of document than a programme"
    if len(claims.jahre) > 1:
        return f"the quelle names several years: {', '.join(map(str, sorted(claims.jahre)))}"
    if len(claims.laender) > 1:
        return f"the quelle names several Länder: {', '.join(claims.shown[land] for land in sorted(claims.laender))}"
    return ""
