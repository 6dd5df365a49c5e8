"""One entry of the catalogue; apart from `catalogue`, so that the read side need not load what checks entries."""

from dataclasses import dataclass

FINAL = "final"
"""The edition that is meant when none is named (SPEC §4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Programm:
    """One edition of one manifesto = one PDF = one entry of the catalogue (SPEC §2).

    `bundesland` is `"Bund"` for federal programmes, `typ` and `fassung` are open lists in lower case, `datei` is
    relative to the PDF folder, `werk` is the same for all editions of one programme (by default its own id).
    """

    programm_id: str
    name: str
    partei: str
    bundesland: str
    jahr: int
    typ: str
    datei: str
    aliases: tuple[str, ...] = ()
    url: str | None = None
    ort: str | None = None
    wahl: str | None = None
    werk: str
    fassung: str = FINAL
