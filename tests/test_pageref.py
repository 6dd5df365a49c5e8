"""Page references: a table with reasons, and what holds for every text (SPEC §6, "Pages")."""

import re
import tomllib
from pathlib import Path
from typing import TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.aliases import clean
from verifier.pageref import MAX_PAGES, PageRef, find_pages


class Row(TypedDict, total=False):
    quelle: str
    pages: list[int]
    labels: list[str]
    pdf_only: bool
    range_too_long: bool
    reason: str


ROWS: list[Row] = tomllib.loads((Path(__file__).parent / "tables" / "pages.toml").read_text("utf-8"))["row"]


def read(quelle: str) -> PageRef | None:
    found = find_pages(clean(quelle))
    return found[0].ref if found else None


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['quelle']!r}: {row['reason']}")
def test_reference(row: Row) -> None:
    ref = read(row["quelle"])
    expected = (tuple(row["pages"]), tuple(row.get("labels", ())), row.get("pdf_only", False))
    too_long = row.get("range_too_long", False)
    if not any(expected) and not too_long:
        assert ref is None or (ref.reason and not ref.seiten and not ref.labels)
    else:
        assert ref is not None
        assert (ref.seiten, ref.labels, ref.pdf_only) == expected
        assert ref.range_too_long == too_long == bool(ref.reason)
        assert ref.text in clean(row["quelle"])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['quelle']!r}")
def test_reference_is_the_same_behind_a_programme(row: Row) -> None:
    alone, behind = read(row["quelle"]), read(f"GRÜNE NRW Wahlprogramm 2022, {row['quelle']}")
    if row["quelle"] != "S21":  # where a page is expected, this is one
        assert behind == alone


PIECES = st.sampled_from(
    [
        "S.",
        "S",
        "s.",
        "Seite",
        "p.",
        "PDF-",
        "#page=",
        "3",
        "12",
        "2022",
        "iv",
        "-",
        "–",
        "/",
        ",",
        "und",
        "f.",
        "ff.",
        "von",
    ]
)


@given(st.one_of(st.text(), st.lists(PIECES, max_size=15).map(" ".join), st.lists(PIECES, max_size=15).map("".join)))
def test_every_text_has_few_pages_that_stand_in_it(quelle: str) -> None:
    text = clean(quelle)
    for located in find_pages(text):
        ref = located.ref
        assert 0 <= located.start < located.end <= len(text)
        assert len(ref.seiten) <= MAX_PAGES and not (ref.range_too_long and ref.seiten)
        assert all(0 <= page < 10**13 for page in ref.seiten)
        if ref.seiten:
            assert min(ref.seiten) >= min(int(number) for number in re.findall("[0-9]+", ref.text)) or "-" in ref.text


@given(st.text(alphabet=st.characters(exclude_characters="sSpP#")))
def test_without_a_mark_there_is_no_page(quelle: str) -> None:
    assert find_pages(clean(quelle)) == []
