"""HTML for editors: one self-contained file, readable without JavaScript, better with it.

Everything from the database or a PDF passes `_e`: it is text, whatever it looks like. The content policy allows our
own script and style by their hashes and nothing else, and nothing is fetched.
"""

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from html import escape
from importlib import resources
from urllib.parse import quote

from indexer.console import printable
from verifier.labels import labels
from verifier.report import ReportOptions, antrag_of, notes_of, shortened
from verifier.run import Result
from verifier.verdict import Befund, Change, Outcome

_SIGNS = {Outcome.PASS: "✓", Outcome.WARN: "!", Outcome.FAIL: "✗", Outcome.UNCHECKED: "?"}
_LONG = 6_000  # characters of a text; the comparison always takes all of it
_PLACES = 10
_SUMMARY = 200  # characters of the quelle of a pass
_FIELDS = ("outcome", "verdict", "partei", "bundesland")


def render(result: Result, options: ReportOptions) -> Iterator[str]:
    """Yield the whole document."""
    page = _Page(result, options)
    style, script = _asset("report.css"), _asset("report.js")
    policy = f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'"
    yield f'<!DOCTYPE html>\n<html lang="{page.labels.lang}">\n<head>\n<meta charset="utf-8">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield f"<title>{_e(page.labels['title'])}</title>\n<style>{style}</style>\n</head>\n<body>\n"
    yield from page.header()
    yield "<main>\n"
    yield from page.overview()
    yield from page.unreadable()
    yield from page.unresolved()
    yield from page.findings()
    yield "</main>\n"
    yield from page.footer()
    yield f"<script>{script}</script>\n</body>\n</html>\n"


class _Page:
    """One document: the result, the words of its language, and how to link a page of a PDF."""

    def __init__(self, result: Result, options: ReportOptions) -> None:
        self.result, self.options, self.labels = result, options, labels(options.lang)

    def header(self) -> Iterator[str]:
        """Yield the title and what matters most: how much was not checked."""
        summary = self.result.summary
        yield f'<a class="skip" href="#befunde">{_e(self.labels["skip"])}</a>\n<header>\n'
        yield f"<h1>{_e(self.labels['title'])}</h1>\n"
        yield f"<p>{_e(self.labels['totals'].format(total=summary.total, assessments=summary.assessments))}</p>\n"
        if summary.unchecked:
            text = self.labels["not_checked"].format(unchecked=summary.unchecked, total=summary.total)
            yield f'<p class="loud">{_e(text)}</p>\n'
        yield "</header>\n"

    def overview(self) -> Iterator[str]:
        """Yield counts per outcome, verdict, party and Bundesland, each with its bar."""
        yield f'<section aria-labelledby="overview">\n<h2 id="overview">{_e(self.labels["overview"])}</h2>\n'
        yield '<div class="columns">\n'
        for field in _FIELDS:
            yield from self._chart(field)
        yield "</div>\n</section>\n"

    def _chart(self, field: str) -> Iterator[str]:
        groups: dict[str, Counter[Outcome]] = {}
        for befund in self.result.befunde:
            groups.setdefault(self._value(befund, field), Counter())[befund.outcome] += 1
        head = _e(self.labels[field])
        yield f'<div class="wide"><table><caption>{_e(self.labels["by_" + field])}</caption>\n'
        yield f'<tr><th scope="col">{head}</th><th scope="col" class="n">{_e(self.labels["count"])}</th>'
        yield f'<th scope="col">{_e(self.labels["share"])}</th></tr>\n'
        largest = max((counts.total() for counts in groups.values()), default=1)
        for value, counts in sorted(groups.items(), key=lambda group: (-group[1].total(), group[0])):
            yield f'<tr><th scope="row">{self._named(field, value)}</th>'
            yield f'<td class="n" data-field="{field}" data-value="{_e(value)}">{counts.total()}</td>'
            yield f"<td>{self._bar(counts, largest)}</td></tr>\n"
        yield "</table></div>\n"

    def _bar(self, counts: Counter[Outcome], largest: int) -> str:
        """A stacked bar; its words stand in the label for those who do not see it."""
        words = ", ".join(
            f"{counts[outcome]} {self.labels.outcomes[outcome]}" for outcome in Outcome if counts[outcome]
        )
        parts, x = [], 0.0
        for outcome in Outcome:
            width = 100 * counts[outcome] / largest
            parts.append(f'<rect class="{outcome}" x="{x:.2f}" width="{width:.2f}" height="10"/>' if width else "")
            x += width
        label = f'role="img" aria-label="{_e(words)}" viewBox="0 0 100 10" preserveAspectRatio="none"'
        return f'<svg class="bar" {label}><title>{_e(words)}</title>{"".join(parts)}</svg>'

    def unreadable(self) -> Iterator[str]:
        """Yield what stands in the database but could not be read as a Zitat."""
        lost = [problem for problem in self.result.problems if problem.lost]
        if lost:
            yield f'<section aria-labelledby="unreadable">\n<h2 id="unreadable">{_e(self.labels["unreadable"])}</h2>\n'
            yield f'<p class="loud">{_e(self.labels["unreadable_note"].format(lost=len(lost)))}</p>\n'
            yield _list(f"{_e(p.drucksache)} <code>{_e(p.pfad)}</code>: {_e(p.reason)}" for p in lost)
            yield "</section>\n"

    def unresolved(self) -> Iterator[str]:
        """Yield the sources without a programme, most frequent first."""
        if groups := self.result.summary.unresolved:
            yield f'<section aria-labelledby="unresolved">\n<h2 id="unresolved">{_e(self.labels["unresolved"])}</h2>\n'
            yield f"<p>{_e(self.labels['unresolved_note'])}</p>\n"
            items = [f"{g.count} × {_e(g.quelle)} <code>{g.verdict}</code>: {_e(g.message)}" for g in groups]
            yield _list(items[:_PLACES])
            if more := items[_PLACES:]:
                head = _e(self.labels["more_sources"].format(count=len(more)))
                yield f"<details><summary>{head}</summary>{_list(more)}</details>"
            yield "</section>\n"

    def findings(self) -> Iterator[str]:
        """Yield the filter, which only shows with JavaScript, and every Befund."""
        total = len(self.result.befunde)
        shown = self.labels["shown"].format(shown="{shown}", total=total)
        yield f'<section aria-labelledby="befunde">\n<h2 id="befunde">{_e(self.labels["befunde"])}</h2>\n'
        yield f'<form id="filter" role="search" aria-label="{_e(self.labels["filter"])}" hidden>\n'
        yield '<div class="fields">\n'
        for field in _FIELDS:
            yield from self._select(field)
        yield f'<label>{_e(self.labels["search"])}<input type="search" name="search" autocomplete="off"></label>\n'
        yield f'</div>\n<button type="reset">{_e(self.labels["reset"])}</button>\n</form>\n'
        yield f'<p id="shown" role="status" data-text="{_e(shown)}">{_e(shown.format(shown=total))}</p>\n'
        yield f"<p>{_e(self.labels['marks'])}</p>\n"
        for number, befund in enumerate(self.result.befunde, 1):
            yield from self._article(number, befund)
        yield "</section>\n"

    def _select(self, field: str) -> Iterator[str]:
        values = sorted({self._value(befund, field) for befund in self.result.befunde})
        yield f'<label>{_e(self.labels[field])}<select name="{field}">'
        yield f'<option value="">{_e(self.labels["all"])}</option>'
        for value in values:
            yield f'<option value="{_e(value)}">{self._named(field, value)}</option>'
        yield "</select></label>\n"

    def _article(self, number: int, befund: Befund) -> Iterator[str]:
        zitat, outcome = befund.zitat, befund.outcome
        data = " ".join(f'data-{field}="{_e(self._value(befund, field))}"' for field in _FIELDS)
        name, sentence = self.labels.verdicts[befund.verdict]
        where = " · ".join(filter(None, (antrag_of(zitat), zitat.bundesland, zitat.fraktion)))
        yield f'<article id="b{number}" class="{outcome}" {data} aria-labelledby="h{number}">\n<h3 id="h{number}">'
        yield f'<span class="tag {outcome}"><span aria-hidden="true">{_SIGNS[outcome]}</span> '
        yield f"{_e(self.labels.outcomes[outcome])}: {_e(name)}</span> <code>{befund.verdict}</code>"
        yield f'<span class="where">{_e(self.labels["antrag"])} {_e(where)} '
        yield f'<a href="#b{number}">#{number}</a></span></h3>\n'
        yield f"<p>{_e(sentence)} {_e(befund.message)}</p>\n"
        folded = outcome is Outcome.PASS  # nothing to do there: one line on paper, and on the screen until it is opened
        yield f"<details><summary>{_e(_shown(zitat.quelle))}</summary>" if folded else ""
        yield "<dl>\n"
        yield from self._evidence(befund)
        yield "</dl></details>\n</article>\n" if folded else "</dl>\n</article>\n"

    def _evidence(self, befund: Befund) -> Iterator[str]:
        zitat, nearest = befund.zitat, befund.nearest
        diff = () if nearest is None else nearest.diff
        yield self._row("quelle", _e(zitat.quelle) + (f" <code>{_e(zitat.url)}</code>" if zitat.url else ""))
        if befund.outcome is not Outcome.PASS and befund.programm_id is not None and befund.seite is not None:
            yield self._row("cited", self._place(befund.programm_id, befund.seite, None))
        quoted = self._marked(zitat.text, [change.quoted for change in diff], "del")
        yield self._row("quoted", f"<blockquote>{quoted}</blockquote>")
        if nearest is not None:
            printed = self._marked(nearest.text, [change.printed for change in diff], "ins")
            place = self._place(nearest.programm_id, nearest.seite, nearest.seitenlabel)
            yield self._row("printed", f"<blockquote>{printed}</blockquote>{place}")
        if diff:
            yield self._row("differences", _list(self._change(change) for change in diff))
        if befund.found:
            places = [self._place(spot.programm_id, spot.seite, spot.seitenlabel) for spot in befund.found[:_PLACES]]
            if befund.found_total > _PLACES:
                places.append(_e(self.labels["more_places"].format(count=befund.found_total - _PLACES)))
            yield self._row("stands_on", _list(places))
        if notes := notes_of(befund):
            yield self._row("notes", _list(_e(note) for note in notes))
        if zitat.pfad:
            yield self._row("path", f"<code>{_e(zitat.pfad)}</code>")

    def _row(self, word: str, content: str) -> str:
        return f"<dt>{_e(self.labels[word])}</dt><dd>{content}</dd>\n"

    def _place(self, programm_id: str, seite: int, seitenlabel: str | None) -> str:
        programm = self.result.programme.get(programm_id)
        words = [programm.name if programm else programm_id, self.labels["pdf_page"].format(seite=seite)]
        if seitenlabel is not None:
            words.append(self.labels["printed_page"].format(seitenlabel=seitenlabel))
        text = _e(", ".join(words))
        if not self.options.pdf_base or programm is None:
            return text
        address = f"{self.options.pdf_base.rstrip('/')}/{quote(programm.datei, errors='surrogateescape')}#page={seite}"
        label = f'aria-label="{_e(self.labels["open_pdf"])}: {text}"'
        return f'{text} <a class="open" href="{escape(address)}" {label}>{_e(self.labels["open_pdf"])}</a>'

    def _change(self, change: Change) -> str:
        word = "instead" if change.quoted and change.printed else "only_quoted" if change.quoted else "only_printed"
        text = self.labels[word].format(quoted=self._cut(change.quoted), printed=self._cut(change.printed))
        return f"{_e(self.labels.kind(change.kind))}: {_e(text)}"

    def _marked(self, text: str, words: Iterable[str], tag: str) -> str:
        """Mark the words that differ, in their order; those that cannot be found are in the list all the same."""
        text = self._cut(" ".join(text.split()))
        parts, end = [], 0
        for word in (" ".join(word.split()) for word in words):
            start = _find_word(text, word, end)
            if start is not None:
                parts.append(f"{_e(text[end:start])}<{tag}>{_e(word)}</{tag}>")
                end = start + len(word)
        return "".join(parts) + _e(text[end:])

    def _cut(self, text: str) -> str:
        if len(text) <= _LONG:
            return text
        return f"{text[: _LONG // 2]} {self.labels['cut'].format(count=len(text) - _LONG)} {text[-_LONG // 2 :]}"

    def _value(self, befund: Befund, field: str) -> str:
        """What a Befund is filtered by; the party is the programme's, or the Fraktion's where none was resolved."""
        if field == "outcome":
            return befund.outcome
        if field == "verdict":
            return befund.verdict
        if field == "bundesland":
            return befund.zitat.bundesland or ""
        programm = self.result.programme.get(befund.programm_id or "")
        return programm.partei if programm else befund.zitat.fraktion or ""

    def _named(self, field: str, value: str) -> str:
        if field == "outcome":
            return _e(self.labels.outcomes[Outcome(value)])
        if field == "verdict":
            name = next(name for verdict, (name, _) in self.labels.verdicts.items() if verdict == value)
            return f"{_e(name)} ({value})"
        return _e(value or self.labels["none"])

    def footer(self) -> Iterator[str]:
        """Yield the versions that made the report; no time, so that equal runs give equal files."""
        versions = ", ".join(f"{name} {version}" for name, version in self.result.versions.items())
        if versions:
            yield f"<footer>{_e(self.labels['made_with'])} {_e(versions)}</footer>\n"


def _find_word(text: str, word: str, start: int) -> int | None:
    """Where `word` stands in `text` from `start` on, not inside a longer word."""
    while word and (found := text.find(word, start)) >= 0:
        end = found + len(word)
        inside = (found > 0 and text[found - 1].isalnum() and word[0].isalnum()) or (
            end < len(text) and text[end].isalnum() and word[-1].isalnum()
        )
        if not inside:
            return found
        start = found + 1
    return None


def _shown(quelle: str) -> str:
    return shortened(quelle, _SUMMARY) or "–"


def _list(items: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{item}</li>" for item in items) + "</ul>"


def _e(text: str) -> str:
    return escape(printable(" ".join(text.split())))


def _asset(name: str) -> str:
    return resources.files("verifier").joinpath("html", name).read_text("utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
