"""A short slice of the fuzzing, the same cases every time; `tests/fuzz/run.py` runs as many as you like.

Finds of the long runs stand here by their seeds or, where they are told in a line, in `test_faults.py`.
"""

import sys
from pathlib import Path

import pytest
from fuzz.citations import Citations
from fuzz.files import Assessments, Catalogues, Indexes, Target
from fuzz.run import SECONDS, finds
from hang import NEEDS_ALARM, within

from verifier.match import Form, page_form

pytestmark = NEEDS_ALARM

SLICES: list[tuple[type[Target], range]] = [
    (Citations, range(3000)),
    (Catalogues, range(400)),
    (Assessments, range(300)),
    (Indexes, range(300)),
]


@pytest.mark.parametrize(("target", "seeds"), SLICES, ids=[row[0].__name__.lower() for row in SLICES])
def test_a_slice_finds_nothing(tmp_path: Path, target: type[Target], seeds: range) -> None:
    made = target(tmp_path)
    for seed in seeds:
        with within(SECONDS, seed):
            assert made.check(seed) is None, f"seed {seed}"


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
def test_a_slice_of_pdfs_finds_nothing() -> None:
    assert list(finds("pdfs", range(400))) == []


FOUND = [
    (Assessments, 331, "SQLite quotes a damaged schema in its message, which is no UTF-8"),
    (Indexes, 133, "a trigram that is NULL"),
    (Indexes, 2508, "a column that is not there"),
    (Indexes, 501541, "a trigram that is counted in letters"),
    (Indexes, 13501, "a page that the list of programmes promises is missing"),
]


@pytest.mark.parametrize(("target", "seed"), [row[:2] for row in FOUND], ids=[f"{row[1]}: {row[2]}" for row in FOUND])
def test_what_was_found_stays_repaired(tmp_path: Path, target: type[Target], seed: int) -> None:
    with within(SECONDS, seed):
        assert target(tmp_path).check(seed) is None


def test_the_fuzzer_sees_a_wrong_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without boundaries "gerechte" stands in "ungerechte": a fuzzer that does not notice is worth nothing."""

    def everywhere(form: Form) -> Form:
        return Form(compact=form.compact, boundaries=b"\xff" * (len(form.compact) // 8 + 1))

    monkeypatch.setattr("verifier.ladder.page_form", lambda page: everywhere(page_form(page)))
    made = Citations(tmp_path)
    assert any(made.check(seed) for seed in range(1000))
