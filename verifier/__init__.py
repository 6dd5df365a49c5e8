"""Proves for each Zitat whether what is quoted stands on the page that is named."""

from verifier.check import Verifier
from verifier.verdict import Befund, Outcome, Verdict, Zitat

__all__ = ["Befund", "Outcome", "Verdict", "Verifier", "Zitat"]
