"""Reads every page of every programme PDF once into one SQLite file.

Public names: `build_index` (with `BuildOptions`) and `PageIndex`. Both are loaded when first used: whoever reads an
index must not wait for what builds it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from indexer.build import BuildOptions, BuildReport, build_index
    from indexer.lookup import PageIndex

__all__ = ["BuildOptions", "BuildReport", "PageIndex", "build_index"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("indexer.lookup" if name == "PageIndex" else "indexer.build"), name)
