"""One Befund in the HTML report: verdict in words, quotation against print, its page, and where it really stands."""

import base64
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import quote

from verifier.html_text import LONG, escaped, listed, marked
from verifier.labels import Labels
from verifier.report import ReportOptions, antrag_of, notes_of, shortened
from verifier.run import Result
from verifier.verdict import Befund, Change, Nearest, Outcome

if TYPE_CHECKING:
    from indexer.gallery import Box, Picture

SIGNS = {Outcome.PASS: "✓", Outcome.WARN: "!", Outcome.FAIL: "✗", Outcome.UNCHECKED: "?"}
_PLACES = 10
_SUMMARY = 200  # characters of the quelle of a pass


class BefundWriter:
    """Writes the articles of one report, in the words of its language."""

    def __init__(self, result: Result, options: ReportOptions, words: Labels) -> None:
        self._result, self._options, self._labels = result, options, words
        self._names = Counter(programm.name for programm in result.programme.values())

    def article(self, position: int, data: str) -> Iterator[str]:
        """Yield the Befund at `position`; `data` are the attributes that it is filtered by."""
        befund = self._result.befunde[position]
        name, sentence = self._labels.verdicts[befund.verdict]
        number = position + 1
        head = (
            f'<h4 id="h{number}" class="{befund.outcome}"><span aria-hidden="true">{SIGNS[befund.outcome]}</span> '
            f'{escaped(name)}</h4> <code class="verdict">{befund.verdict}</code>'
        )
        yield f'<article id="b{number}" class="{befund.outcome}" {data} aria-labelledby="h{number}">\n'
        if befund.outcome is Outcome.PASS:  # nothing to do there: one line, until it is opened
            quelle = escaped(shortened(befund.zitat.quelle, _SUMMARY)) or "–"
            yield f'<details><summary>{head} <span class="of">{quelle}</span>{self._where(position)}</summary>\n'
        else:
            yield f'<div class="head">{head}{self._where(position)}</div>\n<p class="aside">{escaped(sentence)}</p>\n'
        yield "<dl>\n"
        yield from self._evidence(position)
        yield f"</dl>\n{self._foot(befund)}"
        yield "</details>\n</article>\n" if befund.outcome is Outcome.PASS else "</article>\n"

    def _where(self, position: int) -> str:
        zitat = self._result.befunde[position].zitat
        where = " · ".join(filter(None, (antrag_of(zitat), zitat.bundesland, zitat.fraktion)))
        known = f' <span class="known">{escaped(self._labels["known"])}</span>' * self._result.is_known(position)
        antrag = f"{escaped(self._labels['antrag'])} {escaped(where)}" if where else ""
        return f'<span class="where">{antrag}{known} <a href="#b{position + 1}">#{position + 1}</a></span>'

    def _evidence(self, position: int) -> Iterator[str]:
        befund = self._result.befunde[position]
        zitat, nearest = befund.zitat, befund.nearest
        diff = () if nearest is None else nearest.diff
        yield self._row("quoted", self._text(zitat.text, (change.quoted for change in diff), "del"))
        if nearest is not None:
            yield self._row("printed", self._printed(nearest))
        if diff:
            yield self._row("differences", listed((self._change(change) for change in diff), "inline"))
        if befund.found:
            yield self._row("stands_on", self._places(befund))
        if (picture := self._result.pictures.get(position)) is not None:
            yield self._row("page", self._why_none(picture) if isinstance(picture, str) else self._picture(picture))
        yield self._row("quelle", self._quelle(befund))
        if notes := notes_of(befund):
            yield self._row("notes", listed(f'<span lang="en">{escaped(note)}</span>' for note in notes))

    def _foot(self, befund: Befund) -> str:
        """What a developer needs: the message, in the language of all messages, and the path in the JSON."""
        path = f" <code>{escaped(befund.zitat.pfad)}</code>" if befund.zitat.pfad else ""
        return f'<p class="aside foot"><span lang="en">{escaped(befund.message)}</span>{path}</p>\n'

    def _row(self, word: str, content: str) -> str:
        return f"<dt>{escaped(self._labels[word])}</dt><dd>{content}</dd>\n"

    def _printed(self, nearest: Nearest) -> str:
        text = self._text(nearest.text, (change.printed for change in nearest.diff), "ins")
        return f"{text}{self._place(nearest.programm_id, nearest.seite, nearest.seitenlabel)}"

    def _places(self, befund: Befund) -> str:
        places = [self._place(spot.programm_id, spot.seite, spot.seitenlabel) for spot in befund.found[:_PLACES]]
        if befund.found_total > _PLACES:
            places.append(escaped(self._labels["more_places"].format(count=befund.found_total - _PLACES)))
        return listed(places, "plain")

    def _quelle(self, befund: Befund) -> str:
        zitat = befund.zitat
        quelle = escaped(zitat.quelle) + (f" <code>{escaped(zitat.url)}</code>" if zitat.url else "")
        if befund.outcome is Outcome.PASS or befund.programm_id is None or befund.seite is None:
            return quelle
        meant = self._place(befund.programm_id, befund.seite, None)
        return f'{quelle}<div class="aside">{escaped(self._labels["cited"])} {meant}</div>'

    def _place(self, programm_id: str, seite: int, seitenlabel: str | None) -> str:
        programm = self._result.programme.get(programm_id)
        page = self._labels["pdf_page"].format(seite=seite)
        if seitenlabel is not None:
            page += f" ({self._labels['printed_page'].format(seitenlabel=seitenlabel)})"
        name = programm.name if programm else programm_id
        if self._names[name] > 1:  # several editions under one name
            name += f" ({programm_id})"
        text = escaped(f"{name}, {page}")
        if not self._options.pdf_base or programm is None:
            return text
        address = f"{self._options.pdf_base.rstrip('/')}/{quote(programm.datei, errors='surrogateescape')}#page={seite}"
        label = f'aria-label="{escaped(self._labels["open_pdf"])}: {text}"'
        return f'{text} <a class="open" href="{escaped(address)}" {label}>{escaped(self._labels["open_pdf"])}</a>'

    def _change(self, change: Change) -> str:
        word = "instead" if change.quoted and change.printed else "only_quoted" if change.quoted else "only_printed"
        text = self._labels[word].format(quoted=self._cut(change.quoted), printed=self._cut(change.printed))
        return f"{escaped(self._labels.kind(change.kind))}: {escaped(text)}"

    def _text(self, text: str, words: Iterable[str], tag: str) -> str:
        return f"<blockquote>{marked(self._cut(' '.join(text.split())), words, tag)}</blockquote>"

    def _cut(self, text: str) -> str:
        if len(text) <= LONG:
            return text
        return f"{text[: LONG // 2]} {self._labels['cut'].format(count=len(text) - LONG)} {text[-LONG // 2 :]}"

    def _picture(self, picture: "Picture") -> str:
        """The crop with its marks drawn above it; a page without marks says so."""
        data = base64.b64encode(picture.png).decode()
        alt = escaped(self._labels["picture" if picture.marks else "whole_page"])
        size = f'width="{picture.width}" height="{picture.height}"'
        marks = "".join(_rect("mark", box) for box in picture.marks)
        marks += "".join(_rect("hit", box) for box in picture.stressed)
        svg = f'<svg viewBox="0 0 {picture.width} {picture.height}" aria-hidden="true">{marks}</svg>' if marks else ""
        caption = "" if picture.marks else f"<figcaption>{alt}</figcaption>"
        image = f'<img src="data:image/png;base64,{data}" {size} alt="{alt}" decoding="async">'
        return f'<figure><div class="sheet">{image}{svg}</div>{caption}</figure>'

    def _why_none(self, reason: str) -> str:
        return f'<span class="aside">{escaped(self._labels[f"picture_{reason}"])}</span>'


def _rect(name: str, box: "Box") -> str:
    x, y, width, height = box
    return f'<rect class="{name}" x="{x}" y="{y}" width="{width}" height="{height}"/>'
