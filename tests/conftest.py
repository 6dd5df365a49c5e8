"""Fixtures and options that several test files share."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No test is timed: these machines are noisy. In CI the same examples are drawn every time.
settings.register_profile("quellentreu", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("quellentreu"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "quellentreu")


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
