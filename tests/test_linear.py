"""No text makes us slow: long runs of every kind of character, and what models and attackers write, at full length.

A quadratic pattern needs minutes for these texts, a linear one milliseconds; the guard between them is wide.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from assessments import make_db
from hang import NEEDS_ALARM, within
from hypothesis import given
from hypothesis import strategies as st
from invented import make_index

from indexer.aliases import canonical_bundesland, clean
from indexer.console import printable
from indexer.footnotes import MARK
from indexer.forms import page_forms
from indexer.lookup import IndexedProgramm
from indexer.normalize import compact, fold
from indexer.readable import is_garbage
from indexer.search import snippet_of
from indexer.seitenlabel import PURE, ROMAN
from verifier import Verifier
from verifier.align import align
from verifier.capitals import find_capitals
from verifier.citations import read_citations
from verifier.match import Form, occurrences
from verifier.notes import url_notes
from verifier.pageref import find_pages
from verifier.passage import Passage, words
from verifier.quotation import Quotation, Reading
from verifier.report_csv import _cell
from verifier.report_jsonl import line
from verifier.report_junit import _text
from verifier.verdict import Outcome, Zitat

pytestmark = NEEDS_ALARM
LENGTH = 100_000
SECONDS = 20.0
UNITS = (
    *(
        "a",
        "A",
        "ß",
        "I",
        "1",
        " ",
        "\n",
        ".",
        ",",
        "-",
        "\xad",
        "\xac",
        "'",
        '"',
        "„",
        "(",
        "[",
        "]",
        "【",
        "*",
        "_",
        "`",
    ),
    *("\\", ">", "<", "&", ";", "#", "/", ":", "…", "•", "·", "²", "½", "\x00", "\ufffd", "\u0308", "=", "%"),
    *(
        "- ",
        "a-",
        "a-\n",
        ". ",
        "1 ",
        "1.",
        "1\n",
        "[.",
        "\"'",
        ")\n",
        "\xad-",
        "`\xad",
        "#½",
        "a²",
        "²1",
        "a\xad\n",
        "a b ",
    ),
    *(
        "&amp;",
        "[cite",
        "[cite: 1]",
        "S. 1 ",
        "1.500 ",
        "1 500 ",
        ". . . ",
        "[...] ",
        "(S. 1 ",
        ".pdf",
        "#page=",
        "a:in ",
    ),
    *("**a** ", "\n> ", "\\n ", "die ", "Zitat: ", "In", "ﬁ", "-1", "a'", "1-2 ", "ABin ", "§ 1 ", "a.de ", "program"),
)


PROGRAMM = IndexedProgramm(
    programm_id="a",
    name="A",
    partei="SPD",
    bundesland="NRW",
    jahr=2022,
    typ="wahlprogramm",
    datei="a.pdf",
    werk="a",
    seiten=1,
    status="indexed",
    reason=None,
    hints=(),
)


def read_whole(text: str) -> None:
    quotation = Quotation(text)
    for reading in quotation.readings:
        reading.parts()
        reading.without_full_stop()


def read_page(text: str) -> None:
    passage = Passage([text, text])
    passage.source(0, len(passage.words.keys))
    passage.token_at(5)


def compare_url(text: str) -> None:
    with_url = Zitat(text="", quelle="", url=text)
    list(url_notes(with_url, PROGRAMM, (1,), ()))


def show(text: str) -> None:
    for shown in (printable, _cell, line, _text):
        shown(text)


def judge_line(text: str) -> None:
    for pattern in (PURE, ROMAN, MARK):
        pattern.fullmatch(text + "x")
        pattern.fullmatch("1" + text)


FUNCTIONS: list[Callable[[str], object]] = [
    fold,
    lambda text: compact(fold(text)),
    lambda text: page_forms(text, ()),
    read_whole,
    lambda text: words(fold(text)),
    lambda text: find_pages(clean(text)),
    canonical_bundesland,
    is_garbage,
    lambda text: snippet_of(text, "der satz"),
    compare_url,
    show,
    judge_line,
]
NAMES = (
    "fold",
    "compact",
    "forms",
    "quotation",
    "words",
    "pages",
    "land",
    "garbage",
    "snippet",
    "url",
    "show",
    "lines",
)


@pytest.mark.parametrize("function", FUNCTIONS, ids=NAMES)
def test_long_runs_of_anything_take_linear_time(function: Callable[[str], object]) -> None:
    for unit in UNITS:
        with within(SECONDS, unit):
            function(unit * (LENGTH // len(unit)))


def test_a_page_full_of_anything_can_be_read_into_words() -> None:
    for unit in UNITS:
        with within(SECONDS, unit):
            read_page(unit * (LENGTH // 5 // len(unit)))


ROWS = 12_500
ROW = "Zeile {:06d} von sehr vielen, die alle auf dieser Seite stehen und kein Ende haben."


@pytest.fixture(scope="module")
def verifier(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Verifier]:
    """A programme with one page of a megabyte, one whose pages hold nothing but frequent words."""
    rng = random.Random(1)
    common = [" ".join(rng.choices(["und", "die", "der", "wir", "in", "den", "von"], k=400)) + "." for _ in range(150)]
    same = {"partei": "SPD", "bundesland": "NRW", "jahr": 2022}
    programme: Sequence[tuple[dict[str, object], list[str]]] = [
        ({"id": "gross", "name": "SPD NRW 2022"} | same, ["\n".join(map(ROW.format, range(ROWS)))]),
        ({"id": "haeufig", "name": "CDU NRW 2022"} | same | {"partei": "CDU"}, common),
    ]
    with Verifier.open(make_index(tmp_path_factory.mktemp("linear"), programme)) as verifier:
        yield verifier


CHANGES: list[tuple[Callable[[str], str], bool, str]] = [
    (lambda text: text, True, "the quotation as it stands there"),
    (lambda text: text.upper(), True, "in capitals"),
    (lambda text: text.replace("kein Ende", "ein Ende"), False, "a negation gone"),
    (lambda text: text.replace("sehr ", ""), False, "a word left out"),
    (lambda text: text.replace("Zeile", "Reihe").replace("Seite", "Tafel"), False, "words changed"),
    (lambda text: " ".join(reversed(text.split())), False, "all words in another order"),
    (lambda text: "Dieser Satz über Kindergärten im Saarland steht hier nirgends.", False, "nothing of it is there"),
]


@pytest.mark.parametrize(("change", "passes"), [row[:2] for row in CHANGES], ids=[row[-1] for row in CHANGES])
def test_a_hundred_quotations_on_a_page_of_one_megabyte(
    verifier: Verifier, change: Callable[[str], str], passes: bool
) -> None:
    with within(SECONDS):
        for number in range(0, ROWS, ROWS // 100):
            befund = verifier.check(text=change(ROW.format(number)), quelle="SPD NRW 2022, S. 1", bundesland="NRW")
            assert (befund.outcome is Outcome.PASS) is passes


RNG = random.Random(2)
HOSTILE = [
    ("der [...] und die […] in den [...] von der", "frequent words between gaps"),
    (" [...] ".join(["und die"] * 4000), "thousands of gaps"),
    (" [...] ".join(["und in der"] * 4000), "thousands of gaps with parts that are long enough"),
    ("und in der [...] wir in den [...] von der die [...] und die der", "parts that stand on every page"),
    ("und die " * 3000, "two words for ever"),
    (" ".join(RNG.choices(["und", "die"], k=3000)), "two words in any order"),
    ("Zeile von die x " * 800, "words of the large page, alternating"),
    (" ".join(ROW.format(n).replace("kein", "ein") for n in range(2000)), "two thousand sentences, each altered"),
    (". ".join(ROW.format(7).split()) + ".", "a full stop behind each word"),
    ("x" * 1_000_000, "one word of a megabyte"),
    ("Der Satz auf Seite 1 lautet vollständig und richtig so. " * 18_000, "one sentence of a megabyte"),
    ("ß" * 100_000, "only ß"),
    ("(a+)+$" * 10_000, "a regular expression"),
]


@pytest.mark.parametrize("text", [row[0] for row in HOSTILE], ids=[row[1] for row in HOSTILE])
@pytest.mark.parametrize("quelle", ["SPD NRW 2022, S. 1", "CDU NRW 2022", "Unbekannt 1999, S. 3"])
def test_no_quotation_keeps_the_verifier_busy(verifier: Verifier, quelle: str, text: str) -> None:
    with within(SECONDS):
        assert verifier.check(text=text, quelle=quelle, bundesland="NRW").outcome is not Outcome.PASS


QUELLEN = [unit * (2000 // len(unit)) for unit in UNITS] + [
    " ".join(["SPD", *(f"Wahlprogram{letter}" for letter in "abcdefghij" * 18)]),
    "SPD NRW 2022, " + "S. 1, " * 300,
    "(" * 900 + "SPD" + ")" * 900,
    "SPD " + "Thüringn " * 200 + "2022",
]


def test_no_quelle_keeps_the_verifier_busy(verifier: Verifier) -> None:
    for quelle in QUELLEN:
        with within(SECONDS, quelle):
            verifier.check(text=ROW.format(1), quelle=quelle, bundesland="NRW")


def test_repeated_words_on_both_sides_are_aligned_in_time() -> None:
    with within(SECONDS):
        assert align(words("x der y " * 600), Passage(["der x " * 5000])) is not None


def test_a_page_of_nothing_but_sharp_s_can_be_searched_for_capitals() -> None:
    page, quoted = "ß" * 50_000 + "a", Reading.of("SS" * 20_000 + "B")
    with within(SECONDS):
        assert find_capitals("", Form(compact=page, boundaries=b"\xff" * 7000), quoted) is None
        found = find_capitals(page, Form(compact=page, boundaries=b"\xff" * 7000), Reading.of("SS" * 20_000))
        assert found == (0, 20_000)


ONE_WORD = bytearray(125_001)
ONE_WORD[0] = ONE_WORD[-1] = 1
BOUNDARIES = [
    ("ab" * 500_000, bytes(ONE_WORD), "ab" * 250_000, "a page of one word"),
    ("a" * 1_000_000, ((1 << 300_001) - 1).to_bytes(125_001, "little"), "a" * 500_000, "words, then one long word"),
]


@pytest.mark.parametrize(("page", "boundaries", "quoted"), [r[:3] for r in BOUNDARIES], ids=[r[3] for r in BOUNDARIES])
def test_repeated_letters_are_not_compared_from_each_of_them(page: str, boundaries: bytes, quoted: str) -> None:
    with within(SECONDS):
        assert list(occurrences(Form(compact=page, boundaries=boundaries), Reading.of(quoted))) == []


TEXTS = st.text(alphabet="ab", min_size=1, max_size=40)


@given(
    text=TEXTS, quoted=st.text(alphabet="ab", min_size=1, max_size=4), bits=st.integers(0, 2**41 - 1), cut=st.booleans()
)
def test_no_place_between_boundaries_is_left_out(text: str, quoted: str, bits: int, cut: bool) -> None:
    form = Form(compact=text, boundaries=(bits & (1 << len(text) + 1) - 1).to_bytes(6, "little"))
    reading = Reading(cased=quoted, strict=quoted, compact=quoted, open_end=cut)

    def may_end(end: int) -> bool:
        return cut or bool(bits >> end & 1)

    starts = [at for at in range(len(text)) if text.startswith(quoted, at) and bits >> at & 1]
    assert list(occurrences(form, reading)) == [(at, at + len(quoted)) for at in starts if may_end(at + len(quoted))]


def test_the_key_of_an_object_is_not_repeated_a_thousand_times(tmp_path: Path) -> None:
    """A small row must not become a large result: each citation below a key carries its path."""
    key = "k" * 200_000
    scores = '{"%s": [%s]}' % (key, ", ".join(['{"text": "a", "quelle": "b"}'] * 2000))  # noqa: UP031
    found = list(read_citations(make_db(tmp_path / "a.db", [("1", "NRW", scores)])))
    assert len(found) == 2000
    assert max(len(item.pfad) for item in found) < 1000
    assert len({item.pfad for item in found}) == 2000
