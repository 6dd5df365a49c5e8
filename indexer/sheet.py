"""The page while the hygiene judges it, and the text that comes out of it (SPEC §5)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from indexer.rawpage import Line, RawPage
from indexer.seite import Cut


@dataclass(slots=True)
class Sheet:
    """One page under judgement.

    `texts[i]` is what line i will say in the page's text, `kinds[i]` the cut kind of the whole line (None: running
    text), `inner[i]` the cuts within it, `after[i]` what is put between it and the next line. `lines[i]` is the line
    without a line number in it, which then stands `shifts[i]` characters into the text.
    """

    raw: RawPage
    lines: list[Line]
    texts: list[str]
    kinds: list[str | None]
    inner: dict[int, list[Cut]] = field(default_factory=dict)
    after: dict[int, str] = field(default_factory=dict)
    shifts: dict[int, int] = field(default_factory=dict)
    label: str | None = None

    @classmethod
    def of(cls, raw: RawPage) -> "Sheet":
        """The untouched page: everything is running text."""
        return cls(raw, list(raw.lines), [line.text for line in raw.lines], [None] * len(raw.lines))

    def flow(self) -> list[int]:
        """Numbers of the lines that are running text, in natural order."""
        return [number for number, kind in enumerate(self.kinds) if kind is None]

    def cut_inside(self, number: int, start: int, end: int, kind: str) -> None:
        """Cut `[start, end)` out of line `number`."""
        self.inner.setdefault(number, []).append(Cut(start=start, end=end, kind=kind))

    def compose(self) -> tuple[str, tuple[Cut, ...]]:
        """Text and cuts of the page, as `Seite` wants them."""
        parts: list[str] = []
        cuts: list[Cut] = []
        at = 0
        for number, text in enumerate(self.texts):
            part = text + self.after.get(number, "\n")
            kind = self.kinds[number]
            if kind is not None:
                # The line break goes with the cut: what stands before and after it belongs together.
                cuts.append(Cut(start=at, end=at + len(part), kind=kind))
            elif number in self.inner:
                inner = sorted(self.inner[number], key=lambda cut: cut.start)
                length = len(text)
                cuts.extend(Cut(start=at + cut.start, end=at + min(cut.end, length), kind=cut.kind) for cut in inner)
            parts.append(part)
            at += len(part)
        return "".join(parts), joined(cuts)


def joined(cuts: list[Cut]) -> tuple[Cut, ...]:
    """Cuts of one kind that touch, made one (a head of two lines can be quoted as a whole); none overlaps another."""
    result: list[Cut] = []
    for cut in cuts:
        last = result[-1] if result else None
        if last is not None and last.kind == cut.kind and last.end >= cut.start:
            result[-1] = Cut(start=last.start, end=max(last.end, cut.end), kind=cut.kind)
        elif last is None or last.end <= cut.start < cut.end:
            result.append(cut)
        elif last.end < cut.end:
            result.append(Cut(start=last.end, end=cut.end, kind=cut.kind))
    return tuple(result)


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """What the running text of the document looks like: its fonts, its size, and how far apart its lines are."""

    fonts: frozenset[str]
    size: float
    leading: float

    def like(self, line: Line) -> bool:
        """Whether a line is set like the running text."""
        return abs(line.size - self.size) <= 0.04 * self.size and line.font in self.fonts


def body_of(sheets: Sequence[Sheet]) -> Body:
    """The look of the running text: the size that sets most characters."""
    exact: Counter[tuple[str, float]] = Counter()
    for sheet in sheets:
        for line in sheet.lines:
            exact[line.font, line.size] += len(line.text)
    weights: Counter[tuple[str, float]] = Counter()
    for (font, size), weight in exact.items():
        weights[font, round(size, 1)] += weight
    sizes: Counter[float] = Counter()
    for (_, size), weight in weights.items():
        sizes[size] += weight
    if not sizes:
        return Body(fonts=frozenset(), size=10.0, leading=12.0)
    size = max(sizes, key=lambda value: sizes[value])
    fonts = frozenset(
        font for (font, other), weight in weights.items() if other == size and weight > 0.03 * sizes[size]
    )
    gaps: Counter[float] = Counter()
    for sheet in sheets:
        lines = [(line.base, abs(line.size - size) < 0.1) for line in sheet.lines]
        for (one, like), (two, alike) in pairwise(lines):
            if like and alike and 0 < two - one < 3 * size:
                gaps[round(two - one, 1)] += 1
    leading = max(gaps, key=lambda gap: gaps[gap]) if gaps else 1.2 * size
    return Body(fonts=fonts, size=size, leading=leading)
