"""HTML for editors: one self-contained file, readable without JavaScript, better with it.

What needs a person stands first: failures, warnings, what was not checked, and then what passes, folded. The content
policy allows our own script and style by their hashes, pictures that stand in the file, and nothing else.
"""

import base64
import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources

from indexer.aliases import canonical_bundesland
from verifier.html_befund import SIGNS, BefundWriter
from verifier.html_text import escaped, listed
from verifier.labels import labels
from verifier.report import ReportOptions
from verifier.run import Result
from verifier.verdict import Befund, Outcome, Verdict

_ORDER = (Outcome.FAIL, Outcome.WARN, Outcome.UNCHECKED, Outcome.PASS)
_FIELDS = ("outcome", "verdict", "partei", "bundesland")
_CHARTS = _FIELDS[1:]
_GROUPS = 5


def render(result: Result, options: ReportOptions) -> Iterator[str]:
    """Yield the whole document."""
    page = _Page(result, options)
    style, script = _asset("report.css"), _asset("report.js")
    images = " img-src data:;" if result.pictures else ""
    policy = f"default-src 'none';{images} style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'"
    yield f'<!DOCTYPE html>\n<html lang="{page.labels.lang}">\n<head>\n<meta charset="utf-8">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield f"<title>{escaped(page.labels['title'])}</title>\n<style>{style}</style>\n</head>\n<body>\n"
    yield from page.header()
    yield "<main>\n"
    yield from page.overview()
    yield from page.problems()
    yield from page.findings()
    yield "</main>\n"
    yield from page.footer()
    yield f"<script>{script}</script>\n</body>\n</html>\n"


class _Page:
    """One document: the result, the words of its language, and the values that each Befund is filtered by."""

    def __init__(self, result: Result, options: ReportOptions) -> None:
        self.result, self.labels = result, labels(options.lang)
        self.befunde = BefundWriter(result, options, self.labels)
        self.values = [self._values(befund) for befund in result.befunde]

    def _values(self, befund: Befund) -> Mapping[str, str]:
        """What a Befund is filtered by; the party is the programme's, or the Fraktion's where none was resolved."""
        programm = self.result.programme.get(befund.programm_id or "")
        land = befund.zitat.bundesland or ""
        return {
            "outcome": befund.outcome,
            "verdict": befund.verdict,
            "partei": programm.partei if programm else befund.zitat.fraktion or "",
            "bundesland": canonical_bundesland(land) or land,
        }

    def header(self) -> Iterator[str]:
        """Yield the title and what matters most: how many of each outcome, and how much was not checked."""
        summary = self.result.summary
        yield f'<a class="skip" href="#befunde">{escaped(self.labels["skip"])}</a>\n<header>\n'
        yield f"<h1>{escaped(self.labels['title'])}</h1>\n"
        totals = self.labels["totals"].format(total=summary.total, assessments=summary.assessments)
        yield f"<p>{escaped(totals)}</p>\n"
        counts = Counter(summary.outcomes)
        yield self._bar(counts, summary.total)
        yield '<ul class="tiles">'
        for outcome in _ORDER:
            share = f"{100 * counts[outcome] / summary.total:.0f} %" if summary.total else ""
            yield f'<li class="{outcome}"><a href="#{outcome}">{self._count(outcome, counts[outcome])} '
            yield f"{self._signed(outcome)} <i>{share}</i></a></li>"
        yield "</ul>\n"
        if summary.unchecked:
            text = self.labels["not_checked"].format(unchecked=summary.unchecked, total=summary.total)
            yield f'<p class="loud">{escaped(text)}</p>\n'
        if self.result.baseline is not None:
            yield f"<p>{escaped(self.labels['baseline'].format(known=len(self.result.baseline.befunde)))}</p>\n"
        yield "</header>\n"

    def overview(self) -> Iterator[str]:
        """Yield counts per verdict, party and Bundesland, each with its bar."""
        yield f'<section aria-labelledby="overview">\n<h2 id="overview">{escaped(self.labels["overview"])}</h2>\n'
        yield '<div class="columns">\n'
        for field in _CHARTS:
            yield from self._chart(field)
        yield "</div>\n</section>\n"

    def _chart(self, field: str) -> Iterator[str]:
        groups: dict[str, Counter[Outcome]] = {}
        for befund, values in zip(self.result.befunde, self.values, strict=True):
            groups.setdefault(values[field], Counter())[befund.outcome] += 1
        yield f'<div class="wide {field}"><table><caption>{escaped(self.labels["by_" + field])}</caption>\n'
        yield f'<tr><th scope="col">{escaped(self.labels[field])}</th>'
        yield f'<th scope="col" class="n">{escaped(self.labels["count"])}</th>'
        yield f'<th scope="col">{escaped(self.labels["share"])}</th></tr>\n'
        for value, counts in sorted(groups.items(), key=lambda group: _chart_key(field, *group)):
            # A verdict is a share of all, a party's outcomes are shares of its own: which one is misquoted most?
            whole = len(self.result.befunde) if field == "verdict" else counts.total()
            yield f'<tr><th scope="row">{self._named(field, value)}</th>'
            yield f'<td class="n" data-field="{field}" data-value="{escaped(value)}">{counts.total()}</td>'
            yield f"<td>{self._bar(counts, whole)}</td></tr>\n"
        yield "</table></div>\n"

    def _bar(self, counts: Counter[Outcome], whole: int) -> str:
        """A stacked bar; its words stand in the label for those who do not see it."""
        words = ", ".join(f"{counts[outcome]} {self.labels.outcomes[outcome]}" for outcome in _ORDER if counts[outcome])
        parts, x = [], 0.0
        for outcome in _ORDER:
            width = 100 * counts[outcome] / (whole or 1)
            parts.append(f'<rect class="{outcome}" x="{x:.2f}" width="{width:.2f}" height="10"/>' if width else "")
            x += width
        label = f'role="img" aria-label="{escaped(words)}" viewBox="0 0 100 10" preserveAspectRatio="none"'
        return f'<svg class="bar" {label}><title>{escaped(words)}</title>{"".join(parts)}</svg>\n'

    def problems(self) -> Iterator[str]:
        """Yield what could not be read as a Zitat, the sources without a programme, and what has vanished."""
        lost = [problem for problem in self.result.problems if problem.lost]
        note = self.labels["unreadable_note"].format(lost=len(lost))
        items = [f"{escaped(p.drucksache)} <code>{escaped(p.pfad)}</code>: {escaped(p.reason)}" for p in lost]
        yield from self._section("unreadable", f'<p class="loud">{escaped(note)}</p>', items)
        items = [
            f"{group.count} × {escaped(group.quelle)} <code>{group.verdict}</code> "
            f'<span class="aside" lang="en">{escaped(group.message)}</span>'
            for group in self.result.summary.unresolved
        ]
        yield from self._section("unresolved", f"<p>{escaped(self.labels['unresolved_note'])}</p>", items)
        vanished = self.result.baseline.vanished if self.result.baseline else ()
        yield from self._section("vanished", "", list(map(escaped, vanished)))

    def _section(self, word: str, note: str, items: Sequence[str]) -> Iterator[str]:
        """A list under its heading, the end of a long one folded; nothing where there are no items."""
        if not items:
            return
        yield f'<section aria-labelledby="{word}">\n<h2 id="{word}">{escaped(self.labels[word])}</h2>\n{note}'
        yield listed(items[:_GROUPS])
        if more := items[_GROUPS:]:
            head = escaped(self.labels["more"].format(count=len(more)))
            yield f"<details><summary>{head}</summary>{listed(more)}</details>"
        yield "</section>\n"

    def findings(self) -> Iterator[str]:
        """Yield the filter, which only shows with JavaScript, and every Befund under its outcome."""
        yield f'<section aria-labelledby="befunde">\n<h2 id="befunde">{escaped(self.labels["befunde"])}</h2>\n'
        yield from self._filter()
        if any(befund.nearest for befund in self.result.befunde):
            yield f'<p class="aside">{self._marks()}</p>\n'
        for outcome in _ORDER:
            positions = [n for n, befund in enumerate(self.result.befunde) if befund.outcome is outcome]
            yield from self._group(outcome, positions)
        yield "</section>\n"

    def _marks(self) -> str:
        quoted, printed = escaped(self.labels["mark_quoted"]), escaped(self.labels["mark_printed"])
        return f"<del>{escaped(self.labels['word'])}</del> {quoted} <ins>{escaped(self.labels['word'])}</ins> {printed}"

    def _group(self, outcome: Outcome, positions: Sequence[int]) -> Iterator[str]:
        if not positions:
            return
        yield f'<section class="group" aria-labelledby="{outcome}">\n<h3 id="{outcome}" class="{outcome}">'
        yield f"{self._signed(outcome)} {self._count(outcome, len(positions))}</h3>\n"
        for position in positions:
            values = self.values[position]
            data = " ".join(f'data-{field}="{escaped(values[field])}"' for field in _FIELDS)
            yield from self.befunde.article(position, data)
        yield "</section>\n"

    def _count(self, outcome: Outcome, count: int) -> str:
        """A number that follows the filter."""
        return f'<b data-field="outcome" data-value="{outcome}">{count}</b>'

    def _signed(self, outcome: Outcome) -> str:
        return f'<span aria-hidden="true">{SIGNS[outcome]}</span> {escaped(self.labels.outcomes[outcome])}'

    def _filter(self) -> Iterator[str]:
        total = len(self.result.befunde)
        shown = self.labels["shown"].format(shown="{shown}", total=total)
        yield f'<form id="filter" role="search" aria-label="{escaped(self.labels["filter"])}" hidden>\n'
        for field in _FIELDS:
            yield from self._select(field)
        yield f'<label class="search">{escaped(self.labels["search"])}'
        yield '<input type="search" name="search" autocomplete="off"></label>\n'
        yield f'<p id="shown" role="status" data-text="{escaped(shown)}">{escaped(shown.format(shown=total))}</p>\n'
        yield f'<button type="reset">{escaped(self.labels["reset"])}</button>\n</form>\n'

    def _select(self, field: str) -> Iterator[str]:
        values = sorted({values[field] for values in self.values})
        yield f'<label>{escaped(self.labels[field])}<select name="{field}">'
        yield f'<option value="">{escaped(self.labels["all"])}</option>'
        for value in values:
            yield f'<option value="{escaped(value)}">{self._name(field, value)}</option>'
        yield "</select></label>\n"

    def _name(self, field: str, value: str) -> str:
        if field == "outcome":
            return escaped(self.labels.outcomes[Outcome(value)])
        if field == "verdict":
            return escaped(self.labels.verdicts[Verdict(value)][0])
        return escaped(value or self.labels["none"])

    def _named(self, field: str, value: str) -> str:
        code = f' <code class="verdict">{value}</code>' if field == "verdict" else ""
        return self._name(field, value) + code

    def footer(self) -> Iterator[str]:
        """Yield the versions that made the report; no time, so that equal runs give equal files."""
        versions = ", ".join(f"{name.replace('_', ' ')} {version}" for name, version in self.result.versions.items())
        if versions:
            yield f"<footer>{escaped(self.labels['made_with'])} {escaped(versions)}</footer>\n"


def _chart_key(field: str, value: str, counts: Counter[Outcome]) -> tuple[int, int, str]:
    """Verdicts in the order of their outcomes, everything else by its number."""
    rank = _ORDER.index(Verdict(value).outcome) if field == "verdict" else 0
    return rank, -counts.total(), value


def _asset(name: str) -> str:
    return resources.files("verifier").joinpath("html", name).read_text("utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
