"""How a quotation differs from the passage that comes nearest to it, word by word (SPEC §6 anchor, altered, elided).

No similarity decides anything: the words that were left out, added, changed or moved are named, and their kinds decide.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from verifier.guards import GUARDING, kind_of
from verifier.passage import Passage, Words
from verifier.verdict import Change

RUN = 5  # words in a row that must stand on the page before anything is called altered (SPEC §6)
# What the bullets of symbol fonts turn into when they are copied: one of these letters, or one of a foreign script.
BULLET = re.compile(r"[novqulø§üx]|(?!_)[^\W\d\u0000-\u024f]")
_MAX_PAIRS = 300_000  # of equal words in quotation and print; 1,500 words of prose have 100,000, difflib is cubic
_NOWHERE: list[int] = []
_MAX_QUOTED = 1500  # words; a longer text is compared by its beginning


class Difference(StrEnum):
    """What the changes between quotation and print amount to."""

    NONE = "none"  # at most what is forgiven
    SHORTENED = "shortened"  # words of one sentence left out, no guard word among them
    ALTERED = "altered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """The nearest passage: tokens [first, last) of the page's words, the changes, and what they amount to.

    `run` is the longest run of quoted words that stands there; `forgiven` are quoted tokens that are no wording: a full
    stop added where the printed heading, bullet or paragraph ends, a letter where the page has a bullet.
    """

    first: int
    last: int
    run: int
    difference: Difference
    changes: tuple[Change, ...]
    forgiven: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Step:
    """One opcode: page tokens [i, j), quoted tokens [k, m)."""

    tag: str
    i: int
    j: int
    k: int
    m: int


def align(quoted: Words, passage: Passage) -> Alignment | None:
    """Lay the quoted words beside the stretch of `passage` that holds most of them; None if no two words in a row."""
    printed = passage.words
    stretch = _stretch(quoted, printed)
    if stretch is None:
        return None
    steps = _steps(quoted, printed, *stretch)
    if not any(step.tag == "equal" for step in steps):
        return None
    moved = _moved_words(quoted, printed, steps)
    judged = [_judge(quoted, passage, step, moved) for step in steps if step.tag != "equal"]
    changes = tuple(change for change, _ in judged if change is not None)
    if not changes:
        difference = Difference.NONE
    else:
        difference = Difference.SHORTENED if all(harmless for _, harmless in judged) else Difference.ALTERED
    if difference is Difference.SHORTENED and (reordered := _reordered(quoted, passage, *stretch)):
        difference, changes = Difference.ALTERED, (reordered,)
    return Alignment(
        first=steps[0].i,
        last=steps[-1].j,
        run=_longest_run(quoted, steps),
        difference=difference,
        changes=changes,
        forgiven=tuple(step.k for step, (change, _) in zip(_changed(steps), judged, strict=True) if change is None),
    )


def _reordered(quoted: Words, passage: Passage, start: int, end: int) -> Change | None:
    """The very words of the quotation side by side in another order, if they stand there so.

    Two words that changed places look like words left out where the sentence has one of them once more.
    """
    printed = passage.words
    wanted = [key for key in quoted.keys if _is_word(key)]
    numbers = [number for number in range(start, end) if printed.is_word(number)]
    counts, window = Counter(wanted), Counter[str]()
    for last, number in enumerate(numbers):
        window[printed.keys[number]] += 1
        first = last - len(wanted) + 1
        if first > 0:
            window[printed.keys[numbers[first - 1]]] -= 1
        if first >= 0 and window == counts:
            stretch = [printed.keys[number] for number in numbers[first : last + 1]]
            if stretch != wanted:
                text = passage.source(numbers[first], number + 1)
                return Change(kind="order", quoted=" ".join(quoted.keys), printed=text)
    return None


def _changed(steps: Sequence[_Step]) -> list[_Step]:
    return [step for step in steps if step.tag != "equal"]


def _stretch(quoted: Words, printed: Words) -> tuple[int, int] | None:
    """Where on the page to look: the diagonal on which most runs of quoted words lie."""
    keys = quoted.keys[:_MAX_QUOTED]
    for size in (RUN, 3, 2):
        grams: dict[tuple[str, ...], list[int]] = {}
        for k in range(len(keys) - size + 1):
            grams.setdefault(keys[k : k + size], []).append(k)
        votes: Counter[int] = Counter()
        width = max(8, len(keys))
        for i, gram in enumerate(zip(*(printed.keys[n:] for n in range(size)), strict=False)):
            for k in grams.get(gram, _NOWHERE)[:4]:
                bucket = (i - k) // width
                votes[bucket] += 2
                votes[bucket + 1] += 1
                votes[bucket - 1] += 1
        if votes:
            best = min(votes, key=lambda bucket: (-votes[bucket], bucket))
            return max(0, (best - 1) * width), min(len(printed.keys), (best + 3) * width)
    return None


def _steps(quoted: Words, printed: Words, start: int, end: int) -> list[_Step]:
    """Opcodes between the quotation and the stretch, without the print before its first and after its last word."""
    keys = _comparable(quoted.keys[:_MAX_QUOTED], printed.keys[start:end])
    # Laid beside the print with the rest, an added full stop would find another one, sentences away.
    stop = len(keys) - 1 if keys[-1] == "." else len(keys)
    matcher = SequenceMatcher(None, printed.keys[start:end], keys[:stop], autojunk=False)
    steps = [_Step(tag, i + start, j + start, k, m) for tag, i, j, k, m in matcher.get_opcodes()]
    if steps and steps[0].tag != "equal":
        head = steps.pop(0)
        if head.m > head.k:
            length = 0 if _is_bullet(keys[head.k : head.m]) else head.m - head.k
            i = max(head.i, head.j - length)
            steps.insert(0, _Step("replace" if i < head.j else "insert", i, head.j, head.k, head.m))
    if steps and steps[-1].tag != "equal":
        tail = steps.pop()
        if tail.m > tail.k:
            j = min(tail.j, tail.i + (tail.m - tail.k))
            steps.append(_Step("replace" if j > tail.i else "insert", tail.i, j, tail.k, tail.m))
    if steps and stop < len(keys):
        j = steps[-1].j
        tag = "equal" if printed.keys[j : j + 1] == (".",) else "insert"
        steps.append(_Step(tag, j, j + (tag == "equal"), stop, len(keys)))
    return [step for step in steps if not _same_letters(quoted, printed, step)]


def _comparable(keys: tuple[str, ...], printed: tuple[str, ...]) -> tuple[str, ...]:
    """All of `keys`, or as many from the beginning as can be compared in little time where the same words recur."""
    counts = Counter(printed)
    while sum(counts[key] for key in keys) > _MAX_PAIRS:
        keys = keys[: len(keys) // 2]
    return keys


def _same_letters(quoted: Words, printed: Words, step: _Step) -> bool:
    """Words that differ only in where they part ("Land- und" quoted as "Landund") are no change of wording."""
    return step.tag == "replace" and "".join(printed.keys[step.i : step.j]) == "".join(quoted.keys[step.k : step.m])


def _longest_run(quoted: Words, steps: Sequence[_Step]) -> int:
    runs = (sum(map(quoted.is_word, range(step.k, step.m))) for step in steps if step.tag == "equal")
    return max(runs, default=0)


def _judge(quoted: Words, passage: Passage, step: _Step, moved: frozenset[str]) -> tuple[Change | None, bool]:
    """The change of one step (None: forgiven), and whether it is harmless: no more than words left out."""
    printed = passage.words
    if step.i == step.j and _is_bullet(quoted.keys[step.k : step.m]) and passage.has_bullet(step.i):
        return None, True
    if _added_full_stop(quoted, printed, step):
        if step.i - 1 in printed.paragraph_ends:
            return None, True
        if step.m == len(quoted.keys) and not _ends(printed, step.i):
            rest = list(_rest_of_sentence(printed, step.i))
            kind = _guard_kind([printed.keys[number] for number in rest])
            text = passage.source(step.i, rest[-1] + 1)
            return Change(kind=kind or "left_out", quoted=".", printed=text), kind is None
    left_out = list(printed.keys[step.i : step.j])
    added = list(quoted.keys[step.k : step.m])
    kind = _kind(left_out, added, moved)
    if kind == "left_out" and any(printed.ends_sentence(number) for number in range(step.i, step.j)):
        kind = "welded"
    change = Change(kind=kind, quoted=" ".join(added), printed=passage.source(step.i, step.j))
    return change, kind == "left_out" and not added


def _is_bullet(added: Sequence[str]) -> bool:
    return len(added) == 1 and BULLET.fullmatch(added[0]) is not None


def _added_full_stop(quoted: Words, printed: Words, step: _Step) -> bool:
    """A full stop that the quotation adds; at its end it may stand for a comma or a word that the page goes on with."""
    if quoted.keys[step.k : step.m] != (".",):
        return False
    return step.i == step.j


def _ends(printed: Words, number: int) -> bool:
    return number >= len(printed.keys) or printed.keys[number] in "!?"


def _rest_of_sentence(printed: Words, start: int) -> Iterator[int]:
    for number in range(start, len(printed.keys)):
        yield number
        if printed.ends_sentence(number):
            return


def _guard_kind(keys: Sequence[str]) -> str | None:
    return next((kind for kind in map(kind_of, keys) if kind in GUARDING), None)


def _is_word(key: str) -> bool:
    return key[-1:].isalnum()


def _kind(left_out: Sequence[str], added: Sequence[str], moved: frozenset[str]) -> str:
    """What kind of change it is to print `left_out` and quote `added` in its place."""
    words_out, words_in = list(filter(_is_word, left_out)), list(filter(_is_word, added))
    if guard := _guard_kind([*left_out, *added]):
        return guard
    if moved.intersection((*words_out, *words_in)):
        return "order"
    if words_out and words_in:
        both_modal = all(any(kind_of(key) == "modal" for key in side) for side in (words_out, words_in))
        return "modal" if both_modal else "word"
    if words_in:
        return "added"
    return "left_out" if words_out else "punctuation"


def _moved_words(quoted: Words, printed: Words, steps: Sequence[_Step]) -> frozenset[str]:
    """Words that were taken out in one place and put in at another."""
    gone: set[str] = set()
    come: set[str] = set()
    for step in steps:
        if step.tag != "equal":
            gone.update(filter(_is_word, printed.keys[step.i : step.j]))
            come.update(filter(_is_word, quoted.keys[step.k : step.m]))
    return frozenset(gone & come)
