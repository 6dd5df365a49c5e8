"""Prints the lower bound of checking, in seconds per citation: JSON, one normal form, `in` over a page in a dict.

usage: python lower_bound.py INDEX.db PASSING.db (see `corpus.Corpus.write_passing`)

No source is resolved, no boundary looked at, nothing reported: no check can be cheaper than this.
"""

import json
import sqlite3
import sys
import time

from indexer.normalize import compact, fold


def main(index: str, assessments: str) -> None:
    rows = sqlite3.connect(index).execute("SELECT programm_id, seite, compact FROM seiten")
    pages = {(programm_id, seite): text for programm_id, seite, text in rows}
    db = sqlite3.connect(assessments)
    cited = db.execute("SELECT drucksache, text, programm_id, seite FROM places")
    places = {(drucksache, text): (programm_id, seite) for drucksache, text, programm_id, seite in cited}
    scores = list(db.execute("SELECT drucksache, wahlprogramm_scores FROM assessments"))
    start = time.perf_counter()
    standing = 0
    for drucksache, text in scores:
        stack = [json.loads(text)]
        while stack:
            node = stack.pop()
            if isinstance(node, list):
                stack += node
            elif isinstance(node, dict):
                if "text" in node and "quelle" in node:
                    standing += compact(fold(node["text"])) in pages[places[drucksache, node["text"]]]
                else:
                    stack += node.values()
    seconds = time.perf_counter() - start
    assert 2 * standing > len(places), standing  # the rest is cut, gapped, or runs over a page
    print(seconds / len(places))


main(*sys.argv[1:])
