"""Recall and false passes per class, over slices drawn at random from an index: run it before and after a change.

usage: python tests/bench/recall.py INDEX.db [--n 2000] [--seed 1] [--show CLASS]

Faithful classes are slices of the source's own characters, as printed or with what writers do to them; each should
pass. Falsified classes change one thing that is said; none may pass (a slice that is printed elsewhere on the very page
is drawn again). The slices come from the same text layer that the index holds: this measures the rules, not the
reading of PDFs, which `score.py` measures with quotations drawn by another reader.
"""

import argparse
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from indexer.forms import flow_text
from indexer.lookup import PageIndex
from indexer.normalize import compact, fold
from verifier import Befund, Outcome, Verifier

Change = Callable[[list[str], random.Random], list[str] | None]


@dataclass(frozen=True)
class Slice:
    """Words of the running text of one page, as printed, parted at white space."""

    programm_id: str
    seite: int
    words: list[str]


def slices(index: PageIndex, rng: random.Random) -> Iterator[Slice]:
    finals = Counter(p.werk for p in index.programme.values() if p.fassung == "final")
    cited = [p for p in index.programme.values() if p.fassung == "final" and finals[p.werk] == 1]
    places = [(p.programm_id, seite) for p in cited for seite in range(1, p.seiten + 1)]
    while True:
        programm_id, seite = rng.choice(places)
        raw = index.raw(programm_id, seite)
        page = index.page(programm_id, seite)
        if raw is None or page is None or page.no_text:
            continue
        words = re.sub(
            r"(?<=\w)[-\xad]\s*\n\s*(?=[a-zäöüß])(?!und\b|oder\b|sowie\b|bzw\b)", "", flow_text(*raw)
        ).split()
        length = rng.randint(10, 25)
        if len(words) < length + 2:
            continue
        start = rng.randrange(len(words) - length)
        part = words[start : start + length]
        if sum(map(len, part)) >= 40 and all(re.search(r"\w", word) for word in (part[0], part[-1])):
            yield Slice(programm_id=programm_id, seite=seite, words=part)


def as_printed(words: list[str], _: random.Random) -> list[str]:
    return words


def straight(words: list[str], _: random.Random) -> list[str]:
    table = str.maketrans({"„": '"', "“": '"', "”": '"', "–": "-", "’": "'", "…": "..."})
    return [word.translate(table) for word in words]


def broken(words: list[str], rng: random.Random) -> list[str] | None:
    return _each(words, rng, lambda word: f"{word[:4]}- {word[4:]}" if len(word) > 8 and word.isalpha() else None)


def spaced(words: list[str], rng: random.Random) -> list[str]:
    return [word + " " * rng.randint(0, 2) for word in words]


def cut_end(words: list[str], rng: random.Random) -> list[str]:
    return [*words[:-2], rng.choice(["...", "[…]", "…"])]


def capitals(words: list[str], _: random.Random) -> list[str] | None:
    return [word.upper() for word in words]


def number(words: list[str], rng: random.Random) -> list[str] | None:
    def change(word: str) -> str | None:
        digits = [place for place, character in enumerate(word) if character in "0123456789"]
        if not digits:
            return None
        place = rng.choice(digits)
        return word[:place] + str((int(word[place]) + rng.randint(1, 9)) % 10) + word[place + 1 :]

    return _each(words, rng, change)


def negation_dropped(words: list[str], rng: random.Random) -> list[str] | None:
    places = [n for n, word in enumerate(words[1:-1], 1) if re.fullmatch(r"nicht|nie|niemals|kaum|ohne|nur", word)]
    return _without(words, rng.choice(places)) if places else None


def negation_added(words: list[str], rng: random.Random) -> list[str]:
    place = rng.randrange(1, len(words))
    return [*words[:place], rng.choice(["nicht", "nie", "kaum", "nur"]), *words[place:]]


def kein(words: list[str], rng: random.Random) -> list[str] | None:
    return _each(
        words, rng, lambda word: re.sub(r"\bein", "kein", word) if re.match(r"ein(e[rmns]?)?$", word) else None
    )


def word_replaced(words: list[str], rng: random.Random) -> list[str] | None:
    return _each(words, rng, lambda word: "Regenschirm" if word.isalpha() and len(word) > 4 else None)


def letter_changed(words: list[str], rng: random.Random) -> list[str] | None:
    table = {"a": "ä", "u": "ü", "o": "ö", "ä": "a", "ü": "u", "ö": "o", "ß": "ss"}

    def change(word: str) -> str | None:
        places = [place for place, character in enumerate(word) if character in table]
        if not places:
            return None
        place = rng.choice(places)
        return word[:place] + table[word[place]] + word[place + 1 :]

    return _each(words, rng, change)


def swapped(words: list[str], rng: random.Random) -> list[str] | None:
    places = [
        n for n in range(len(words) - 1) if words[n].isalpha() and words[n + 1].isalpha() and words[n] != words[n + 1]
    ]
    if not places:
        return None
    place = rng.choice(places)
    return [*words[:place], words[place + 1], words[place], *words[place + 2 :]]


def word_dropped(words: list[str], rng: random.Random) -> list[str] | None:
    return _without(words, rng.randrange(1, len(words) - 1))


def comma_dropped(words: list[str], rng: random.Random) -> list[str] | None:
    return _each(words, rng, lambda word: word[:-1] if re.match(r"\w+,$", word) else None, inner=True)


def cut_inside_word(words: list[str], _: random.Random) -> list[str] | None:
    return [*words[:-1], words[-1][:-2]] if re.fullmatch(r"[^\W\d_]{6,}", words[-1]) else None


def begun_inside_word(words: list[str], _: random.Random) -> list[str] | None:
    return [words[0][2:], *words[1:]] if re.fullmatch(r"[^\W\d_]{6,}", words[0]) else None


def _each(
    words: list[str], rng: random.Random, change: Callable[[str], str | None], *, inner: bool = False
) -> list[str] | None:
    """The words with one of them changed, or None if no word can be."""
    numbers = list(range(1, len(words) - 1) if inner else range(len(words)))
    rng.shuffle(numbers)
    for n in numbers:
        changed = change(words[n])
        if changed is not None and changed != words[n]:
            return [*words[:n], changed, *words[n + 1 :]]
    return None


def _without(words: list[str], n: int) -> list[str]:
    return [*words[:n], *words[n + 1 :]]


FAITHFUL: dict[str, Change] = {
    "as printed": as_printed,
    "straight marks": straight,
    "broken word": broken,
    "spaces": spaced,
    "cut at the end": cut_end,
    "capitals": capitals,
}
FALSIFIED: dict[str, Change] = {
    "number": number,
    "negation dropped": negation_dropped,
    "negation added": negation_added,
    "ein → kein": kein,
    "word replaced": word_replaced,
    "letter changed": letter_changed,
    "words swapped": swapped,
    "word dropped": word_dropped,
    "comma dropped": comma_dropped,
    "cut inside a word": cut_inside_word,
    "begun inside a word": begun_inside_word,
}


def drawn(index: PageIndex, rng: random.Random, change: Change, *, falsified: bool) -> Iterator[tuple[Slice, str]]:
    for part in slices(index, rng):
        changed = change(part.words, rng)
        page = index.page(part.programm_id, part.seite)
        if changed is None or page is None:
            continue
        text = " ".join(changed)
        if falsified and compact(fold(text)) in page.compact:
            continue
        yield part, text


def check(verifier: Verifier, part: Slice, text: str) -> Befund:
    programm = verifier.index.programme[part.programm_id]
    quelle = f"{programm.name}, PDF-Seite {part.seite}"
    return verifier.check(text=text, quelle=quelle, bundesland=programm.bundesland)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index")
    parser.add_argument("--n", type=int, default=2000, help="slices per class")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", default="", help="print what is wrong in this class")
    options = parser.parse_args()
    false_passes = 0
    with Verifier.open(options.index) as verifier:
        for name, change in (FAITHFUL | FALSIFIED).items():
            falsified = name in FALSIFIED
            rng = random.Random(f"{options.seed} {name}")
            verdicts: Counter[str] = Counter()
            outcomes: defaultdict[Outcome, int] = defaultdict(int)
            draws = drawn(verifier.index, rng, change, falsified=falsified)
            for _ in range(options.n):
                part, text = next(draws)
                befund = check(verifier, part, text)
                verdicts[befund.verdict.value] += 1
                outcomes[befund.outcome] += 1
                if name == options.show and (befund.outcome is Outcome.PASS) is falsified:
                    print(part.programm_id, part.seite, befund.verdict.value, repr(text), befund.message)
            passed = outcomes[Outcome.PASS]
            false_passes += passed if falsified else 0
            kind = "falsified passed" if falsified else "faithful passed "
            print(f"{kind} {name:20} {passed:6}/{options.n}   {dict(verdicts.most_common(6))}")
    print(f"false passes: {false_passes}")
    sys.exit(1 if false_passes else 0)


if __name__ == "__main__":
    main()
