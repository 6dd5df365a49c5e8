"""Which of a party's programmes a quelle means (SPEC §6): all that agree, in the order in which they may be meant."""

from collections.abc import Iterable, Iterator, Sequence

from indexer.aliases import BUND, load_aliases
from indexer.programm import FINAL
from verifier.identity import Identity, agrees
from verifier.quelle import Claims, in_place


def choose(pool: Sequence[Identity], claims: Claims, partei: str, own: str | None) -> list[Identity]:
    """The programmes of `pool` that agree with `claims` and may be meant in an Antrag from the Land `own`.

    Without a Land but with a year: the federal programme, then that of the Antrag's own Land, no other. Without a year:
    all of them.
    """
    fits = [identity for identity in pool if agrees(identity, claims) and _titled(identity, claims)]
    parlament = _parlament(claims)
    if parlament:
        fits = [identity for identity in fits if parlament & identity.laender]
    current = [identity for identity in fits if not partei or not inherited(identity, partei)]
    fits = current or fits
    if claims.laender or claims.werke:
        return fits
    placed = [identity for identity in fits if identity.ort]
    if placed:
        return placed  # the place names the Land
    federal = [identity for identity in fits if BUND in identity.laender]
    if parlament:
        return [identity for identity in fits if own in identity.laender] or fits
    # A party that stands in one Land only names it
    laender = {own, load_aliases().heimat.get(partei)}
    local = [identity for identity in fits if laender & identity.laender and identity not in federal]
    own_federal = [identity for identity in federal if not partei or partei in identity.parteien]
    return own_federal if own_federal and claims.jahre else federal + local


def at_home(claims: Claims, own: str | None) -> Claims:
    """`claims`; in an Antrag from Berlin, with "Berlin 2021" as the Land, unless they name the federal level."""
    if not claims.erschienen or "bund" in claims.merkmale:
        return claims
    placed = in_place(claims)
    return placed if own in placed.laender else claims


def choose_in_place(pool: Sequence[Identity], claims: Claims, partei: str, own: str | None) -> list[Identity]:
    """As `choose`, and what may be meant if the place of publication is the programme's own Land or place."""
    fits = choose(pool, claims, partei, own)
    if not claims.erschienen:
        return fits
    if fits:
        places = ", ".join(" ".join(item.words) for item in claims.erschienen)
        claims.notes.append(f"{places!r} in the quelle is read as the place of publication")
    return [*fits, *(other for other in choose(pool, in_place(claims), partei, own) if other not in fits)]


def _parlament(claims: Claims) -> set[str]:
    """The Länder that the name of a parliament names: only Hamburg and Bremen elect a Bürgerschaft."""
    if "land" not in claims.merkmale:
        return set()
    parlamente = load_aliases().parlament.items()
    return {land for key in claims.words for word, laender in parlamente if key.startswith(word) for land in laender}


def inherited(identity: Identity, partei: str) -> bool:
    """Whether the programme is one that `partei` took over from the party before it."""
    return partei not in identity.parteien and load_aliases().vorgaenger.get(partei) in identity.parteien


def _titled(identity: Identity, claims: Claims) -> bool:
    """Whether the programme is one of those that go by the names in `claims.titel`."""
    entries = [entry for name in claims.titel for entry in load_aliases().titel[name]]
    return not entries or any(partei in identity.parteien and years & identity.jahre for partei, years in entries)


def literal(werke: dict[str, list[Identity]], claims: Claims) -> dict[str, list[Identity]]:
    """The one werk that bears every word of the quelle, if the others do not; otherwise all."""
    phrases = load_aliases().phrases
    words = [key for key in claims.words if all(phrase.sinne[0].feld != "fuellwort" for phrase in phrases.get(key, ()))]
    bearing = {werk: group for werk, group in werke.items() if all(map(group[0].bears, words))}
    return bearing if len(bearing) == 1 else werke


def edition_rank(identity: Identity, claims: Claims, editions: Sequence[Identity]) -> tuple[int, ...]:
    """Sort key of an edition: the named ones, then those of the named year, then the final ones (SPEC §4, §6)."""
    finals = [other for other in editions if other.programm.fassung == FINAL]
    if not finals:
        newest = max(other.programm.jahr for other in editions)
        finals = [next(other for other in editions if other.programm.jahr == newest)]
    named = claims.fassungen & identity.fassungen
    unnamed = identity.fassungen - claims.fassungen - {FINAL} if named else ()
    return (-len(named), len(unnamed), not claims.jahre <= identity.jahre, not named and identity not in finals)


def why_none(pool: Sequence[Identity], claims: Claims, partei: str, own: str | None) -> str:
    """Why no programme of `pool` is meant, in plain words: what the quelle names and the catalogue lacks."""
    who = claims.shown.get(partei, partei) or "that name"
    if not pool:
        return f"the catalogue has no programme of {who}"
    where = [claims.shown.get(land, land) for land in claims.laender]
    years = [str(jahr) for jahr in claims.jahre]
    if where and not any(claims.laender <= identity.laender for identity in pool):
        return f"the catalogue has no programme of {who} for {where[0]}"
    of = f"{who} for {where[0]}" if where else who
    if years and not any(claims.jahre <= identity.jahre and claims.laender <= identity.laender for identity in pool):
        return f"the catalogue has no programme of {of} from {years[0]}"
    if not claims.laender and any(agrees(identity, claims) for identity in pool):
        land = f"from {own}" if own else "from an unknown Land"
        return f"{who} has no federal programme that fits and none {land}; the quelle must name the Land"
    if claims.must and any(agrees(identity, claims, but="wort") for identity in pool):
        words = sorted({claims.words.get(key, key) for key in claims.must})
        return f"no programme of {of} bears what the quelle names besides: {', '.join(map(repr, words))}"
    return f"no programme of {of} agrees with everything that the quelle names (kind, level, place)"


def by_werk(identities: Iterable[Identity]) -> dict[str, list[Identity]]:
    """`identities` by werk, in their order."""
    werke: dict[str, list[Identity]] = {}
    for identity in identities:
        werke.setdefault(identity.programm.werk, []).append(identity)
    return werke


def distance(identity: Identity, claims: Claims) -> tuple[int, ...]:
    """Sort key of what is near to `claims`: the same Land, then the kind, then the year."""
    years = min((abs(one - other) for one in claims.jahre for other in identity.jahre), default=0)
    return (
        not (claims.laender or {BUND}) <= identity.laender,
        not agrees(identity, claims, but="jahr"),
        years,
        identity.programm.fassung != FINAL,
        -identity.programm.jahr,
        identity.position,
    )


def first_editions(ranked: Iterable[Identity]) -> Iterator[Identity]:
    """The first of each werk."""
    seen: set[str] = set()
    for identity in ranked:
        if identity.programm.werk not in seen:
            seen.add(identity.programm.werk)
            yield identity
