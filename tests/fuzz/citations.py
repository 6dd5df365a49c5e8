"""Mutated citations: a text whose words were changed must not pass, one whose layout was changed must.

What stands on a page is decided here without any code of ours: tokens of the raw text, joined, with the places where
tokens begin and end.
"""

import random
import re
from collections.abc import Sequence
from pathlib import Path

from invented import make_index, page

from fuzz.mutations import noisy
from verifier import Befund, Verdict, Verifier
from verifier.verdict import Outcome

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_NEGATIONS = ("nicht", "kein", "keine", "nie", "niemals", "ohne", "kaum", "weder")
_NOUNS = ("Schulen", "Radwege", "Kommunen", "Familien", "Betriebe", "Wälder", "Straßen", "Kliniken", "Maße", "Vereine")
_VERBS = (
    "fördern",
    "stärken",
    "bauen",
    "erhalten",
    "schützen",
    "entlasten",
    "begrüßen",
    "ausweiten",
    "prüfen",
    "sichern",
)
_RESTS = (
    "mit 500 Millionen Euro",
    "bis 2030",
    "um 3,5 Prozent",
    "nicht allein im Land",
    "ohne neue Schulden",
    "in allen Orten",
)
_STARTS = (
    "Wir wollen",
    "Deshalb werden wir",
    "Das Land soll",
    "Bis 2035 wollen wir",
    "Keine Kommune darf",
    "Wer hier lebt, will",
)
_ENDS = (
    "und dafür 1.500 Stellen schaffen",
    "damit alle davon haben",
    "sofern der Bund mitzieht",
    "und zwar gerecht",
    "nie allein",
)


# A word that the page break parts, and quotations that end in it or run on over it
_BEFORE, _AFTER = " Wir wollen mehr Bildungs-", "gerechtigkeit in jedem Ort. "
_BREAKS = (
    " Wir wollen mehr Bildungs…",
    " Wir wollen mehr Bildungs...",
    " Wir wollen mehr Bildungsgerechtigkeit in jedem Ort.",
    " Wir wollen mehr Bildungs- gerechtigkeit in",
    " Wir wollen mehr […]",
)


def _sentence(rng: random.Random) -> str:
    parts = (
        rng.choice(_STARTS),
        "die",
        rng.choice(_NOUNS),
        rng.choice(_RESTS),
        rng.choice(_VERBS) + ",",
        rng.choice(_ENDS),
    )
    return " ".join(parts) + "."


class Citations:
    """Citations of invented programmes, with one change each."""

    def __init__(self, folder: Path) -> None:
        rng = random.Random(0)
        self._pages: dict[str, list[str]] = {}
        programme = []
        for partei in ("SPD", "CDU", "FDP", "GRÜNE"):
            texts = [" ".join(_sentence(rng) for _ in range(12)) for _ in range(12)]
            self._pages[f"{partei.lower()}-nrw-2022"] = texts
            fields = {"id": f"{partei.lower()}-nrw-2022", "name": f"{partei} NRW Wahlprogramm 2022", "partei": partei}
            broken = [f"{_AFTER if at else ''}{text}{_BEFORE if at < 11 else ''}" for at, text in enumerate(texts)]
            shown = [
                page(text.replace(". ", ".\n"), head="Kopf", number=str(at)) for at, text in enumerate(broken, start=1)
            ]
            programme.append((fields | {"bundesland": "NRW", "jahr": 2022}, shown))
        self._verifier = Verifier.open(make_index(folder, programme))
        self._printed = {key: [_tokens(text) for text in texts] for key, texts in self._pages.items()}

    def check(self, seed: int) -> str | None:
        rng = random.Random(seed)
        programm_id = rng.choice(sorted(self._pages))
        seite = rng.randrange(12)
        words = self._pages[programm_id][seite].split(" ")
        size = rng.randint(6, 40)
        at = rng.randrange(len(words) - size + 1)
        kind = rng.choice(("layout", "break", "words", "words", "words", "noise"))
        quoted = words[at : at + size]
        text = " ".join(quoted)
        if kind == "layout":
            text = _other_layout(text, rng)
        elif kind == "break":
            seite = min(seite, 10)
            text = " ".join(self._pages[programm_id][seite].split(" ")[-size:]) + rng.choice(_BREAKS)
        elif kind == "words":
            text = " ".join(_other_words(quoted, rng))
        else:
            text = noisy(text, rng)
        quelle = f"{programm_id.split('-')[0].upper()} NRW Wahlprogramm 2022, S. {seite + 1}"
        befund = self._verifier.check(text=text, quelle=noisy(quelle, rng) if rng.random() < 0.1 else quelle)
        return self._judged(befund, kind, text, quelle)

    def _judged(self, befund: Befund, kind: str, text: str, quelle: str) -> str | None:
        passed = befund.outcome is Outcome.PASS
        if kind in ("layout", "break") and not passed and befund.zitat.quelle == quelle:
            return f"{befund.verdict} for {text!r}"
        if kind == "words" and passed and not self._stands(befund, text):
            return f"{befund.verdict}, but it does not stand there: {text!r}"
        return None

    def _stands(self, befund: Befund, text: str) -> bool:
        pages = self._printed[str(befund.programm_id)]
        around = [token for place in befund.found for token in pages[place.seite - 1]]
        parts = re.split(r"\[…\]|\.\.\.|…", text) if befund.verdict is Verdict.ELIDED else [text]
        return all(_contains(around, _tokens(part)) for part in parts)


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text.lower().replace("1.500", "1500"))


def _contains(printed: Sequence[str], quoted: Sequence[str]) -> bool:
    """Whether the quoted tokens, joined, stand in the printed ones from the start of a token to the end of one."""
    starts, length = [0], 0
    for token in printed:
        length += len(token)
        starts.append(length)
    borders, wanted, whole = set(starts), "".join(quoted), "".join(printed)
    at = whole.find(wanted)
    while at >= 0:
        if at in borders and at + len(wanted) in borders:
            return True
        at = whole.find(wanted, at + 1)
    return False


def _other_layout(text: str, rng: random.Random) -> str:
    """The same words with other spaces, line ends, quotation marks, hyphens at line ends, emphasis."""
    for change in rng.sample(("\n", "  ", "\xa0", "\t", "break", "quote", "bold", "lower"), k=rng.randint(1, 3)):
        at = rng.choice([match.start() for match in re.finditer(" ", text)])
        if change == "break":
            text = re.sub(r"(?<=[a-zäöü]{3})(?=[a-zäöü]{3})", "-\n", text, count=1)
        elif change == "quote":
            text = f"„{text}“"
        elif change == "bold":
            text = f"**{text}**"
        elif change == "lower":
            text = text.lower()
        else:
            text = text[:at] + change + text[at + 1 :]
    return text


def _other_words(words: Sequence[str], rng: random.Random) -> list[str]:
    """One word changed, added, left out or moved; a figure changed; the start cut inside its word."""
    words = list(words)
    at = rng.randrange(1, len(words) - 1)
    change = rng.choice(("negate", "drop", "swap", "figure", "letter", "cut", "double", "comma", "join", "replace"))
    if change == "negate":
        words.insert(at, rng.choice(_NEGATIONS))
    elif change == "drop":
        del words[at]
    elif change == "swap":
        words[at], words[at - 1] = words[at - 1], words[at]
    elif change == "figure":
        words = [re.sub(r"\d", lambda _: str(rng.randrange(10)), word) for word in words]
    elif change == "letter":
        place = rng.randrange(len(words[at]))
        words[at] = words[at][:place] + rng.choice("abdeilmnorstuüß") + words[at][place + 1 :]
    elif change == "cut":
        words[0] = words[0][rng.randint(1, 3) :]
    elif change == "double":
        words.insert(at, words[at])
    elif change == "comma":
        words[at] = words[at].replace("3,5", "35").replace("1.500", "1,500").replace("2030", "20 30")
    elif change == "join":
        words[at : at + 1] = [words[at], "[…]"]
        words[at + 2 : at + 2 + rng.randint(0, 4)] = []
    else:
        words[at] = rng.choice(words)
    return words
