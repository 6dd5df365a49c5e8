"""JUnit XML against a schema, and every format of the run over a whole corpus read by a reader that is not ours."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from test_reports import check_totals, every_verdict, hostile, rendered, result_of

from verifier import Verifier
from verifier.citations import read_assessments
from verifier.report import FORMATS, UNCHECKED_AS
from verifier.run import Compared, Result, collect, run

XSD = Path(__file__).with_name("junit.xsd")


@pytest.mark.parametrize("unchecked", UNCHECKED_AS)
@pytest.mark.parametrize("make", [every_verdict, hostile, result_of], ids=["every verdict", "hostile", "empty"])
def test_junit_is_valid_against_the_schema(make: Callable[[], Result], unchecked: str) -> None:
    xmlschema = pytest.importorskip("xmlschema")
    known = Compared(befunde=frozenset({0, 5}), problems=frozenset({0}))
    for result in (make(), replace(make(), baseline=known)):
        xmlschema.XMLSchema(XSD).validate(rendered("junit", result, junit_unchecked=unchecked))


@pytest.fixture(scope="module")
def corpus(request: pytest.FixtureRequest) -> Result:
    index, db = Path(request.config.getoption("index")), Path(request.config.getoption("assessments") or "")
    if not index.is_file() or not db.is_file():
        pytest.skip("needs --assessments and --index")
    with Verifier.open(index) as verifier:
        assessments = read_assessments(db)
        result = collect(len(assessments), run(verifier, assessments))
        return replace(result, programme=dict(verifier.index.programme), versions=dict(verifier.index.meta))


@pytest.mark.integration
@pytest.mark.parametrize("name", FORMATS)
def test_every_format_of_a_run_over_the_corpus_has_the_same_totals(corpus: Result, name: str) -> None:
    check_totals(name, corpus)


@pytest.mark.integration
def test_junit_of_a_run_over_the_corpus_is_valid(corpus: Result) -> None:
    xmlschema = pytest.importorskip("xmlschema")
    xmlschema.XMLSchema(XSD).validate(rendered("junit", corpus))
