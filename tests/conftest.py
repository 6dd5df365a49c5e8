"""Fixtures and options that several test files share."""

import os
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("quellentreu", "an assessment database of your own (tests marked integration)")
    assessments, index = os.environ.get("QUELLENTREU_ASSESSMENTS"), os.environ.get("QUELLENTREU_INDEX", "data/index.db")
    group.addoption("--assessments", metavar="FILE", default=assessments, help="or QUELLENTREU_ASSESSMENTS")
    group.addoption("--index", metavar="FILE", default=index, help="or QUELLENTREU_INDEX; by default data/index.db")


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The drawn programmes, catalogue, index and assessment database of `verify demo`. Read only: shared by all."""
    from indexer.build import build_index  # noqa: PLC0415 (a slow import that few tests need)
    from verifier.demo import CATALOGUE, INDEX, PDFS, write  # noqa: PLC0415 (same)

    folder = tmp_path_factory.mktemp("demo")
    write(folder)
    build_index(catalogue=folder / CATALOGUE, pdfs=folder / PDFS, db=folder / INDEX, jobs=1)
    return folder
