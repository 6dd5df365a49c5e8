"""Proves for each Zitat whether what is quoted stands on the page that is named.

The public names are loaded when first used: `verify --help` must not wait for what checks.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verifier.check import Verifier
    from verifier.verdict import Befund, Outcome, Verdict, Zitat

__all__ = ["Befund", "Outcome", "Verdict", "Verifier", "Zitat"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found = getattr(
        import_module("verifier.check" if name == "Verifier" else "verifier.verdict"), name
    )
    return found


def __dir__() -> list[str]:
    return __all__
