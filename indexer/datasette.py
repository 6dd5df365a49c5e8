"""What Datasette shows beside the tables: descriptions, facets and ready queries, from datasette.json."""

import json
from importlib import resources
from pathlib import Path
from typing import Any


def datasette_metadata(db: Path) -> dict[str, Any]:
    """The metadata file for Datasette, with the index under the name that Datasette gives the file `db`."""
    metadata: dict[str, Any] = json.loads(resources.files("indexer").joinpath("datasette.json").read_text("utf-8"))
    databases = metadata["databases"]
    metadata["databases"] = {db.stem: databases.pop("index"), **databases}
    return metadata
