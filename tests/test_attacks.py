"""What attackers found, kept as cases: each row is a kind of falsification or of faithful quotation (SPEC §5, §6)."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from invented import make_index, page

from verifier import Verifier

ROWS = tomllib.loads(Path(__file__).with_name("tables").joinpath("attacks.toml").read_text("utf-8"))["row"]
QUELLE = "MUSTER NRW Wahlprogramm 2022"
ENTRY = {"id": "m-2022", "name": QUELLE, "partei": "MUSTER", "bundesland": "NRW", "jahr": 2022}


@pytest.mark.parametrize("row", ROWS, ids=[row["reason"] for row in ROWS])
def test_attack(row: dict[str, Any], tmp_path: Path) -> None:
    with Verifier.open(make_index(tmp_path, [(ENTRY, list(map(page, row["pages"])))])) as verifier:
        for text in row["quotations"]:
            befund = verifier.check(text=text, quelle=f"{QUELLE}, S. {row['seite']}", bundesland="NRW")
            expected = row["expect"].split("|")
            assert befund.verdict.value in expected or befund.outcome.value in expected, (text, befund)
