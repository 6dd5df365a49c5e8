import csv
import html.parser
import io
import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable
from dataclasses import fields, replace

import pytest
from assessments import SaysVerdict

from indexer.programm import Programm
from verifier.html_text import marked
from verifier.labels import labels
from verifier.report import FORMATS, LANGS, ReportOptions, renderer
from verifier.report_csv import COLUMNS
from verifier.run import Compared, Result, RunOptions, collect, exit_code
from verifier.summary import summarise
from verifier.verdict import Befund, Outcome, Verdict, Zitat
from verifier.walk import Problem

HOSTILE = (
    '<script>alert(1)</script>" onmouseover=alert(1) x="',
    '=HYPERLINK("https://example.org")',
    "\x1b[2J\x1b]0;titel\x07\x9b31m rot",
    "nicht gefunden\rexakt",
    "zeile eins\nzeile zwei\u2028drei\x85vier",
    "\u202efdp\u202c \u2066x\u2069",
    "halb \ud83c und \x00 NUL \uffff",
    "::error::%0A, a|b ]]> </failure> &amp; ' \"",
)
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def zitat(text: str, **more: str) -> Zitat:
    plain = Zitat(
        text=text,
        quelle="GRÜNE NRW Wahlprogramm 2022, S. 58",
        drucksache="18/1",
        pfad="$[0].zitate[0]",
        bundesland="NRW",
        fraktion="GRÜNE",
        assessment=1,
    )
    return replace(plain, **more)  # type: ignore[arg-type]


def result_of(*zitate: Zitat, problems: tuple[Problem, ...] = ()) -> Result:
    items: list[Befund | Problem] = [*map(SaysVerdict().check_zitat, zitate), *problems]
    return collect(len(zitate), items)


def every_verdict() -> Result:
    """Each verdict once, altered three times, and one row that could not be read."""
    texts = [
        f"{verdict}: Wir bauen fünfhundert neue Windräder an Land." for verdict in (*Verdict, "altered", "altered")
    ]
    lost = Problem(assessment=9, drucksache="18/9", pfad="$", reason="broken JSON")
    empty = Problem(assessment=8, drucksache="18/8", pfad="$", reason="holds no citation", lost=False)
    return result_of(*map(zitat, texts), problems=(lost, empty))


def hostile() -> Result:
    evil = [zitat(f"altered: {text}", quelle=text, url=text, drucksache=text, fraktion=text) for text in HOSTILE]
    more = [zitat(f"{verdict}: {text}") for text in HOSTILE for verdict in Verdict]
    lost = tuple(Problem(assessment=text, drucksache=text, pfad="$", reason=text) for text in HOSTILE)
    return result_of(*evil, *more, problems=lost)


def rendered(name: str, result: Result, **options: object) -> str:
    return "".join(renderer(name)(result, ReportOptions(**options)))  # type: ignore[arg-type]


# --- totals -----------------------------------------------------------------------------------------------------------

Totals = dict[str, int]


def from_terminal(text: str) -> Totals:
    return {m[1]: int(m[2]) for m in re.finditer(r"^  (?:pass|warn|fail|unchecked) +(\w+) +(\d+) ", text, re.M)}


def from_jsonl(text: str) -> Totals:
    return Counter(json.loads(line)["verdict"] for line in text.splitlines())


def from_json(text: str) -> Totals:
    report = json.loads(text)
    assert report["format"] == 1
    counted = Counter(befund["verdict"] for befund in report["befunde"])
    assert {v: n for v, n in report["summary"]["verdicts"].items() if n} == counted
    assert report["summary"]["befunde"] == len(report["befunde"]) == sum(report["summary"]["outcomes"].values())
    return counted


def from_csv(text: str) -> Totals:
    return Counter(row["verdict"] for row in csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def from_junit(text: str) -> Totals:
    suite = ET.fromstring(text.encode()).find("testsuite[@name='citations']")
    assert suite is not None
    cases = suite.findall("testcase")
    kinds = Counter(child.tag for case in cases for child in case)
    declared = {key: int(suite.attrib[key]) for key in ("tests", "failures", "errors", "skipped")}
    assert declared == {
        "tests": len(cases),
        "failures": kinds["failure"],
        "errors": kinds["error"],
        "skipped": kinds["skipped"],
    }
    return {"tests": len(cases), "fail": kinds["failure"], "unchecked": kinds["skipped"] + kinds["error"]}


def from_github(text: str) -> Totals:
    lines = [line for line in text.splitlines() if " title=unreadable" not in line]
    kinds = Counter(line.split(" ")[0] for line in lines)
    tests = re.search(r"::(\d+) citations: ", lines[-1])
    assert tests is not None
    return {
        "tests": int(tests[1]),
        "fail": kinds["::error"],
        "warn": kinds["::warning"],
        "unchecked": kinds["::notice"] - 1,
    }


def from_html(text: str) -> Totals:
    return Counter(re.findall(r'<article [^>]*data-verdict="(\w+)"', text))


READERS: dict[str, Callable[[str], Totals]] = {
    "terminal": from_terminal,
    "jsonl": from_jsonl,
    "json": from_json,
    "csv": from_csv,
    "junit": from_junit,
    "github": from_github,
    "html": from_html,
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("make", [every_verdict, hostile, result_of], ids=["every verdict", "hostile", "empty"])
def test_totals_are_equal_in_all_formats(name: str, make: Callable[[], Result]) -> None:
    check_totals(name, make())


def check_totals(name: str, result: Result) -> None:
    """What a reader of the format counts is what was found."""
    totals = READERS[name](rendered(name, result))
    verdicts = {str(verdict): count for verdict, count in result.summary.verdicts.items()}
    outcomes = {str(outcome): count for outcome, count in result.summary.outcomes.items()}
    expected = verdicts | outcomes | {"tests": len(result.befunde)}
    assert {key: count for key, count in totals.items() if expected[key] != count} == {}
    if not {"tests"} & totals.keys():
        assert sum(totals.values()) == len(result.befunde)


def test_a_summary_that_does_not_add_up_is_never_shown() -> None:
    class Twice(list[Befund]):
        def __len__(self) -> int:
            return 2

    with pytest.raises(ArithmeticError):
        summarise(1, Twice([SaysVerdict().check_zitat(zitat("x"))]), [])


# --- exit codes -------------------------------------------------------------------------------------------------------

LOST = Problem(assessment=1, drucksache="1", pfad="$", reason="broken JSON")
EXITS: list[tuple[list[str], int, dict[str, object], int, str]] = [
    (["exact"], 0, {}, 0, "everything stands there"),
    (["exact", "anchor", "too_short"], 0, {}, 0, "a warning and an unchecked one beside a pass"),
    (["exact", "altered"], 0, {}, 1, "a finding"),
    (["too_short", "no_page"], 0, {}, 4, "nothing could be checked"),
    ([], 0, {}, 4, "no citation at all is no success"),
    (["exact"], 1, {}, 1, "something unread may hide a quotation"),
    (["no_page"], 1, {}, 1, "the same beside an unchecked one"),
    ([], 1, {}, 3, "not one row gave a citation"),
    (["exact", "anchor"], 0, {"strict": True}, 1, "strict fails on warnings"),
    (["exact", "too_short"], 0, {"strict": True}, 1, "strict fails on unchecked"),
    (["exact"], 0, {"strict": True}, 0, "strict passes what stands there"),
    (["altered"], 0, {"fail_on": frozenset({Verdict.NOT_FOUND})}, 0, "fail-on chooses"),
    (["anchor"], 0, {"fail_on": frozenset({Verdict.ANCHOR})}, 1, "fail-on chooses a warning"),
    (["exact"], 1, {"fail_on": frozenset({Verdict.ANCHOR})}, 1, "fail-on does not forgive what was not read"),
]


@pytest.mark.parametrize(("verdicts", "lost", "options", "code", "reason"), EXITS, ids=[row[-1] for row in EXITS])
def test_exit_codes(verdicts: list[str], lost: int, options: dict[str, object], code: int, reason: str) -> None:
    result = result_of(*(zitat(f"{verdict}: Satz") for verdict in verdicts), problems=(LOST,) * lost)
    run_options = RunOptions(db=None, **options)  # type: ignore[arg-type]
    assert exit_code(result, run_options.failing) == code, reason


# --- JSON -------------------------------------------------------------------------------------------------------------

KEYS = [
    "drucksache",
    "pfad",
    "bundesland",
    "fraktion",
    "text",
    "quelle",
    "url",
    "verdict",
    "outcome",
    "programm_id",
    "seite",
    "found",
    "found_total",
    "nearest",
    "message",
    "notes",
    "assessment",
]


def test_a_record_of_json_lines_is_as_the_specification_says() -> None:
    (line,) = rendered("jsonl", result_of(zitat("altered: x"))).splitlines()
    record = json.loads(line)
    assert list(record) == KEYS
    assert record["nearest"] == {
        "programm_id": "gruene-nrw-2022",
        "seite": 58,
        "seitenlabel": "57",
        "text": "Wir bauen tausend neue Windräder nicht an Land.",
        "diff": [
            {"kind": "number", "quoted": "fünfhundert", "printed": "tausend"},
            {"kind": "negation", "quoted": "", "printed": "nicht"},
        ],
    }
    (line,) = rendered("jsonl", result_of(zitat("exact"))).splitlines()
    assert json.loads(line)["found"] == [{"programm_id": "gruene-nrw-2022", "seite": 58, "seitenlabel": "57"}]


def test_notes_of_the_reader_of_the_database_stand_on_the_befund() -> None:
    noted = replace(zitat("layout"), notes=("text is null, not a text",))
    (line,) = rendered("jsonl", result_of(noted)).splitlines()
    assert json.loads(line)["notes"] == ["text is null, not a text", "a note"]


@pytest.mark.parametrize("name", ["jsonl", "json"])
def test_json_is_utf_8_and_gives_every_text_back(name: str) -> None:
    text = rendered(name, hostile())
    text.encode("utf-8")
    assert not CONTROL.search(text)
    lines = text.splitlines() if name == "jsonl" else [json.dumps(b) for b in json.loads(text)["befunde"]]
    assert [json.loads(line)["quelle"] for line in lines[: len(HOSTILE)]] == list(HOSTILE)


def test_umlauts_stay_readable_in_json() -> None:
    assert "fünfhundert" in rendered("jsonl", every_verdict())


# --- terminal ---------------------------------------------------------------------------------------------------------


def test_nothing_of_a_quotation_acts_on_the_terminal() -> None:
    text = rendered("terminal", hostile())
    assert not CONTROL.search(text)
    assert not [line for line in text.splitlines() if line.startswith(("exakt", "zeile zwei"))]


def test_a_finding_shows_quotation_print_place_and_difference() -> None:
    text = rendered("terminal", result_of(zitat("altered: Wir bauen fünfhundert neue Windräder an Land.")))
    for part in (
        "fail      altered  18/1 [1] (NRW, GRÜNE) $[0].zitate[0]: a message on altered",
        "quelle     GRÜNE NRW Wahlprogramm 2022, S. 58",
        "printed    “Wir bauen tausend neue Windräder nicht an Land.”",
        "gruene-nrw-2022, PDF page 58 (printed 57)",
        "number: quoted “fünfhundert”, printed “tausend”",
        "negation: “nicht” is printed, but not quoted",
    ):
        assert part in text


def test_true_places_are_named_by_both_numbers() -> None:
    assert "stands on  gruene-nrw-2022, PDF page 58 (printed 57)" in rendered(
        "terminal", result_of(zitat("wrong_page"))
    )


def test_of_several_assessments_of_one_motion_each_is_named() -> None:
    result = result_of(*(replace(zitat("altered"), assessment=key) for key in (1, "18/1", None)))
    shown = re.findall(r"altered  (.*) \(NRW", rendered("terminal", result))
    assert shown == ["18/1 [1]", "18/1", "18/1"]


def test_passes_are_only_counted_but_a_single_quotation_is_shown() -> None:
    result = result_of(zitat("exact"))
    assert "quoted" not in rendered("terminal", result)
    assert "quoted" in rendered("terminal", result, single=True)


def test_a_long_text_is_shortened_in_the_display_only() -> None:
    result = result_of(zitat("altered: " + "x" * 1_000_000))
    assert len(rendered("terminal", result)) < 3_000
    assert len(rendered("jsonl", result)) > 1_000_000


def test_colours_only_where_wanted() -> None:
    assert "\x1b[31m" in rendered("terminal", every_verdict(), color=True)
    assert "\x1b" not in rendered("terminal", every_verdict())


def test_sources_without_a_programme_are_grouped_without_their_page() -> None:
    quellen = [
        "FDP NRW Wahlprogramm 2022, S. 75",
        "FDP NRW Wahlprogramm 2022 (S. 3)",
        "FDP NRW Wahlprogramm 2022",
        "X 2020",
    ]
    result = result_of(*(zitat("unresolved_source", quelle=quelle) for quelle in quellen))
    assert [(group.quelle, group.count) for group in result.summary.unresolved] == [
        ("FDP NRW Wahlprogramm 2022", 3),
        ("X 2020", 1),
    ]
    assert "3 × FDP NRW Wahlprogramm 2022" in rendered("terminal", result)


def test_what_was_not_checked_is_said_plainly() -> None:
    text = rendered("terminal", result_of(zitat("exact"), zitat("too_short"), problems=(LOST,)))
    assert "Not checked: 1 of 2 citations (50.0 %). Nothing is known of them." in text
    assert "Not readable: 1 place in the database; citations may be hidden there." in text
    assert "Nothing could be checked." in rendered("terminal", result_of(zitat("too_short")))
    assert "Nothing could be checked." in rendered("terminal", result_of())


# --- CSV --------------------------------------------------------------------------------------------------------------

FORMULAS = ["=1+1", "+49 Satz", "-5", "@SUM(A1)", " =1+1", "\t=1", "\r=1", "\n=1", "＝1", "|cmd", "%1"]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_is_a_formula(text: str) -> None:
    result = result_of(zitat(text, quelle=text, url=text, drucksache=text, bundesland=text, fraktion=text))
    (row,) = csv.DictReader(io.StringIO(rendered("csv", result).removeprefix("\ufeff"), newline=""))
    assert list(row) == list(COLUMNS)
    assert all(not cell or cell[0] not in "=+-@\t\r\n＝＋－＠|%" for cell in row.values())


def test_csv_has_a_byte_order_mark_and_no_control_characters() -> None:
    text = rendered("csv", hostile())
    assert text.startswith("\ufeff")
    assert not CONTROL.search(text.replace("\r\n", ""))
    assert all(cell is None or "\r" not in cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row)


def test_a_cell_is_never_longer_than_a_spreadsheet_keeps() -> None:
    (row,) = csv.DictReader(
        io.StringIO(rendered("csv", result_of(zitat("x" * 100_000))).removeprefix("\ufeff"), newline="")
    )
    assert len(row["text"]) < 32_767
    assert "100000 characters" in row["text"]


# --- JUnit ------------------------------------------------------------------------------------------------------------

ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors", "time"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time"},
    "testcase": {"name", "classname", "time"},
    "failure": {"type", "message"},
    "error": {"type", "message"},
    "skipped": {"message"},
    "system-out": set(),
}


@pytest.mark.parametrize("make", [every_verdict, hostile])
def test_junit_has_only_what_the_schema_of_jenkins_allows(make: Callable[[], Result]) -> None:
    for element in ET.fromstring(rendered("junit", make()).encode()).iter():
        assert set(element.attrib) == ATTRIBUTES[element.tag]


def test_unchecked_is_skipped_or_an_error_by_choice_and_unread_rows_are_errors() -> None:
    def counts(**options: str) -> list[tuple[int, int]]:
        suites = ET.fromstring(rendered("junit", every_verdict(), **options).encode()).findall("testsuite")
        return [(len(suite.findall(".//skipped")), len(suite.findall(".//error"))) for suite in suites]

    assert counts() == [(4, 0), (0, 1)]
    assert counts(junit_unchecked="error") == [(0, 4), (0, 1)]


def test_warnings_are_visible_in_junit() -> None:
    (case,) = ET.fromstring(rendered("junit", result_of(zitat("anchor"))).encode()).iter("testcase")
    assert (case.findtext("system-out") or "").startswith("warning: warn      anchor")


# --- GitHub -----------------------------------------------------------------------------------------------------------


def test_each_annotation_is_one_command_on_one_line() -> None:
    lines = rendered("github", hostile()).split("\n")
    assert lines.pop() == ""
    assert all(re.fullmatch(r"::(error|warning|notice) title=[^:,]*::[^\r\n]*", line) for line in lines)


# --- HTML -------------------------------------------------------------------------------------------------------------

PROGRAMM = Programm(
    programm_id="gruene-nrw-2022",
    name="GRÜNE NRW <2022>",
    partei="GRÜNE",
    bundesland="NRW",
    jahr=2022,
    typ="wahlprogramm",
    datei="a b/ü.pdf",
    werk="gruene-nrw-2022",
)


class Page(html.parser.HTMLParser):
    """Collects tags with their attributes, text, and whether every tag is closed."""

    VOID = ("meta", "input", "rect")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.tags if name == tag]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("make", [every_verdict, hostile, result_of], ids=["every verdict", "hostile", "empty"])
def test_html_is_well_formed_and_hostile_text_stays_text(make: Callable[[], Result], lang: str) -> None:
    result = make()
    text = rendered("html", result, lang=lang)
    text.encode("utf-8")
    page = Page(text)
    assert page.open == []
    assert len(page.named("script")) == 1
    assert not CONTROL.search(text)
    allowed = {
        "href",
        "src",
        "alt",
        "width",
        "height",
        "decoding",
        "class",
        "id",
        "lang",
        "name",
        "content",
        "charset",
        "http-equiv",
        "hidden",
        "role",
        "scope",
        "type",
    }
    for tag, attrs in page.tags:
        assert not [
            name for name in attrs if name not in allowed and not name.startswith(("aria-", "data-"))
        ] or tag in (
            "svg",
            "rect",
            "option",
            "input",
        ), (tag, attrs)
        assert not [name for name in attrs if name.startswith("on")]
        assert (attrs.get("href") or "#").startswith("#"), "nothing leads outside without --pdf-base"
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))


def test_html_marks_what_differs_by_more_than_colour() -> None:
    text = rendered("html", result_of(zitat("altered: Wir bauen fünfhundert neue Windräder an Land.")))
    assert "<del>fünfhundert</del>" in text
    assert "<ins>tausend</ins>" in text
    assert "<ins>nicht</ins>" in text
    assert "Zahl: „fünfhundert“ statt gedruckt „tausend“" in text


def test_html_links_the_pdf_page_and_names_programme_and_both_pages() -> None:
    result = replace(result_of(zitat("wrong_page")), programme={"gruene-nrw-2022": PROGRAMM})
    text = rendered("html", result, pdf_base="https://example.org/pdf/")
    assert 'href="https://example.org/pdf/a%20b/%C3%BC.pdf#page=58"' in text
    assert "GRÜNE NRW &lt;2022&gt;, PDF-Seite 58 (gedruckt 57)" in text
    assert 'data-partei="GRÜNE"' in text


def test_html_shows_what_needs_a_person_first_and_passes_folded() -> None:
    page = Page(rendered("html", every_verdict()))
    order = [attrs["data-outcome"] for attrs in page.named("article")]
    assert list(dict.fromkeys(order)) == ["fail", "warn", "unchecked", "pass"]
    assert order.count("pass") == len(page.named("details"))
    numbers = [attrs["id"] for attrs in page.named("article")]
    assert sorted(numbers, key=lambda name: int((name or "")[1:])) == [f"b{n}" for n in range(1, len(order) + 1)]


def test_html_of_two_editions_of_one_name_tells_them_apart() -> None:
    other = replace(PROGRAMM, programm_id="gruene-nrw-2022--entwurf", fassung="entwurf")
    result = replace(result_of(zitat("wrong_page")), programme={p.programm_id: p for p in (PROGRAMM, other)})
    assert "GRÜNE NRW &lt;2022&gt; (gruene-nrw-2022), PDF-Seite 58" in rendered("html", result)


def test_html_marks_what_is_known_and_names_what_has_vanished() -> None:
    compared = Compared(befunde=frozenset({0}), vanished=("18/7 $[0]: altered",))
    text = rendered("html", replace(result_of(zitat("altered"), zitat("altered")), baseline=compared))
    assert text.count('<span class="known">bekannt</span>') == 1
    assert "1 bekannte Befunde sind hingenommen." in text
    assert "<li>18/7 $[0]: altered</li>" in text


MARKED = [
    ("Wir bauen 500 neue Busse.", ["500"], "Wir bauen <ins>500</ins> neue Busse.", "spaces stay"),
    ("Wir bauen 1500 Busse, 500 davon neu.", ["500"], "Wir bauen 1500 Busse, <ins>500</ins> davon neu.", "whole words"),
    ("Das ist Teil davon.", ["teil"], "Das ist <ins>Teil</ins> davon.", "told in small letters"),
    ("a b a", ["a", "a"], "<ins>a</ins> b <ins>a</ins>", "in their order"),
    ("a <b>", ["<b>"], "a <ins>&lt;b&gt;</ins>", "escaped"),
    ("a b", ["c"], "a b", "not found"),
    ("a b", [""], "a b", "nothing"),
]


@pytest.mark.parametrize(("text", "words", "html", "reason"), MARKED, ids=[row[-1] for row in MARKED])
def test_words_that_differ_are_marked(text: str, words: list[str], html: str, reason: str) -> None:
    assert marked(text, words, "ins") == html, reason


def test_html_can_be_filtered_by_outcome_verdict_party_and_land() -> None:
    page = Page(rendered("html", every_verdict()))
    assert [attrs["name"] for attrs in page.named("select")] == ["outcome", "verdict", "partei", "bundesland"]
    assert "hidden" in page.named("form")[0], "without JavaScript there is nothing to filter with"


def test_html_says_what_was_not_checked_in_both_languages() -> None:
    assert "Nicht geprüft: 4 von 21 Zitaten." in rendered("html", every_verdict())
    assert "Not checked: 4 of 21 citations." in rendered("html", every_verdict(), lang="en")


def test_html_of_five_thousand_befunde_is_made_in_time_and_size() -> None:
    texts = [f"{verdict}: Satz Nummer {i} von vielen Sätzen" for i in range(264) for verdict in Verdict]
    assert len(rendered("html", result_of(*map(zitat, texts)))) < 12_000_000


# --- words ------------------------------------------------------------------------------------------------------------


def test_both_languages_name_the_same_things() -> None:
    german, english = labels("de"), labels("en")
    assert german.words.keys() == english.words.keys()
    assert german.kinds.keys() == english.kinds.keys()
    for words in (german, english):
        assert set(words.verdicts) == set(Verdict)
        assert set(words.outcomes) == set(Outcome)
        names = [name for name, _ in words.verdicts.values()]
        assert len(set(names)) == len(names)
    for word, text in german.words.items():
        assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", english.words[word]))


def test_every_format_has_its_module() -> None:
    assert all(callable(renderer(name)) for name in FORMATS)
    assert {field.name for field in fields(ReportOptions)} >= {"lang", "pdf_base", "quiet", "junit_unchecked"}
