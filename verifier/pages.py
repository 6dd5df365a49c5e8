"""Pages of the index as the checks need them, with small caches: an assessment cites the same pages again and again."""

from functools import lru_cache

from indexer.lookup import PageIndex
from indexer.normalize import compact, flow_text, fold, page_forms
from indexer.seite import DROPPED, Cut
from verifier.match import Flow, Form, join
from verifier.passage import Passage

_PAGES = 512  # about 5 MB
_PASSAGES = 16  # their word lists are large, and only citations that did not pass need them


class Shelf:
    """Pages, joined running texts and passages of one index. Every page number is a 1-based PDF position."""

    def __init__(self, index: PageIndex) -> None:
        self.index = index
        self.page = lru_cache(_PAGES)(index.page)
        self.passage = lru_cache(_PASSAGES)(self._passage)
        self.natural_form = lru_cache(_PASSAGES)(self._natural_form)

    def flow(self, programm_id: str, first: int, last: int) -> tuple[Flow, int]:
        """The joined running texts of pages `first` to `last` as far as they exist, and the number of the first one."""
        numbers = range(max(1, first), last + 1)
        pages = [page for page in (self.page(programm_id, number) for number in numbers) if page is not None]
        return join(pages), pages[0].seite if pages else first

    def _passage(self, programm_id: str, first: int, last: int) -> tuple[Passage, int]:
        """The words of pages `first` to `last` as far as they exist, and the number of the first one."""
        numbers = [seite for seite in range(max(1, first), last + 1) if self.page(programm_id, seite) is not None]
        return Passage([self.running_text(programm_id, seite) for seite in numbers]), numbers[0] if numbers else first

    def running_text(self, programm_id: str, seite: int) -> str:
        """The raw running text of an existing page, in the source's own characters."""
        return flow_text(*self._raw(programm_id, seite))

    def _raw(self, programm_id: str, seite: int) -> tuple[str, tuple[Cut, ...]]:
        raw = self.index.raw(programm_id, seite)
        if raw is None:
            raise LookupError(f"{programm_id} has no page {seite}")
        return raw

    def cased_flow(self, programm_id: str, seite: int) -> str:
        """The compact form of an existing page's running text with its case."""
        return compact(fold(self.running_text(programm_id, seite), keep_case=True))

    def _natural_form(self, programm_id: str, seite: int) -> Form | None:
        """The second reading of a page: heads, notes and captions where the PDF has them; None if it has none.

        What begins or ends with a figure stays apart, so that no page or chapter number can be read into a sentence.
        """
        text, cuts = self._raw(programm_id, seite)
        apart = [cut for cut in cuts if cut.kind in DROPPED or _has_figure_at_edge(text, cut)]
        if len(apart) == len(cuts):
            return None
        forms = page_forms(text, apart)
        return Form(compact=forms.compact, boundaries=forms.boundaries)


def _has_figure_at_edge(text: str, cut: Cut) -> bool:
    piece = text[cut.start : cut.end].split()
    return cut.kind == "page_number" or not piece or any(map(str.isdigit, piece[0] + piece[-1]))
