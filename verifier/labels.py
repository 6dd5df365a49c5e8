"""The words of reports in German and English, from labels.toml."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from verifier.verdict import Outcome, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """All words of one language; `verdicts` gives a short name and one sentence for each verdict."""

    lang: str
    words: Mapping[str, str]
    outcomes: Mapping[Outcome, str]
    kinds: Mapping[str, str]
    verdicts: Mapping[Verdict, tuple[str, str]]

    def __getitem__(self, word: str) -> str:
        return self.words[word]

    def kind(self, kind: str) -> str:
        """The name of a kind of change; a kind without a name is shown as it is."""
        return self.kinds.get(kind, kind.replace("_", " "))


def labels(lang: str) -> Labels:
    """Return the words of `de` or `en`; complete for every verdict and outcome, or KeyError."""
    table: dict[str, Any] = tomllib.loads(resources.files("verifier").joinpath("labels.toml").read_text("utf-8"))[lang]
    return Labels(
        lang=lang,
        words={word: text for word, text in table.items() if isinstance(text, str)},
        outcomes={outcome: table["outcomes"][outcome] for outcome in Outcome},
        kinds=table["kinds"],
        verdicts={verdict: (table["verdicts"][verdict][0], table["verdicts"][verdict][1]) for verdict in Verdict},
    )
